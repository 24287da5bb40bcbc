from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial.errors import InputError
from memtrial.records import Gold, Part, Question, Scaffold
from memtrial.statistics.columns import SUPPORT, SUPPORT_ROWS
from memtrial.statistics.intervals import wilson
from memtrial.statistics.support import OPERATORS, ROTATION, support_rates, support_rows


def scaffold(i: str, *parts: tuple[str, list[str]], cut: int = 0) -> Scaffold:
    """A scaffold of parts (operator, lines); each part gets a heading, and the note on `cut` lines if there are any."""
    text, made = "The header", []
    for operator, lines in parts:
        note = [f"({cut} more are not shown)"] if cut else []
        body = "\n".join([f"Heading of 1977: {len(lines)}", *(f"- {line}" for line in lines), *note])
        made.append(Part(operator, operator, len(text) + 2, len(text) + 2 + len(body), len(lines), cut))
        text += f"\n\n{body}"
    return Scaffold(i, [o for o, _ in parts], {}, "1", made, text if parts else "", "", "" if parts else "no-cue")


def question(i: str, conversation: str = "c") -> Question:
    return Question(i, conversation, "?", None, "en", [])


def gold(i: str, answer: str, kind: str = "t") -> Gold:
    return Gold(i, [answer], kind, {}, False)


def supported(answer: str, operator: str, *lines: str, cut: int = 0) -> bool:
    rows = support_rows([question("q")], [gold("q", answer)], [scaffold("q", (operator, list(lines)), cut=cut)])
    found = {r["operator"]: r["supported"] for r in rows}
    assert found["any"] == found[operator]
    return bool(found[operator])


SAID = "Session 4, said 2023/05/20 (Sat) 02:21"
SPAN = "2023/06/01 (Thu) to 2023/06/08 (Thu)"
BETWEEN = "2023/05/01 (Mon) (Session 3) to 2023/05/22 (Mon) (Session 4): "
SPANS = BETWEEN + "21 days, 22 counting both the first and the last day; 3 weeks 6 days; 1 calendar months 4 days"
ПРОМЕЖУТОК = "с 2023/05/01 (Mon) (Session 3) по 2023/05/22 (Mon) (Session 4): дней: 21, считая первый и последний: 22; "
ПРОМЕЖУТОК += "недель: 3 и дней: 6; календарных месяцев: 1 и дней: 4"


@pytest.mark.parametrize(
    ("answer", "line", "holds"),
    [
        ("19 May 2023", f"{SAID}: “yesterday” = 2023/05/19 (Fri); from: “I went yesterday.”", True),
        ("20 May 2023", f"{SAID}: “yesterday” = 2023/05/19 (Fri); from: “I went yesterday.”", True),
        ("18 May 2023", f"{SAID}: “yesterday” = 2023/05/19 (Fri); from: “I went yesterday.”", False),
        ("19 May 2023", "Session 1: “it says 2023/05/19 (Fri) here”", False),
        ("1 June 2023", f"Session 1: “last week” = {SPAN}", False),  # an interval's end is not shown as the day
        ("3 June 2023", "“at the weekend” = 2023/06/03 (Sat) to 2023/06/04 (Sun)", True),
        ("June 2023", f"Session 1: “last week” = {SPAN}", True),
        ("June 2023", "Session 1: “then” = 2023/06/30 (Fri)", True),
        ("June 2023", "Session 1: “then” = 2023/07/01 (Sat)", False),
        ("first week of June 2023", f"{SPAN}", True),  # eight days around seven
        ("first weekend of June 2023", f"{SPAN}", False),  # eight days around two
        ("с 1 по 8 июня 2023 года", "с 2023/06/01 (Thu) по 2023/06/20 (Tue)", False),
        ("с 1 по 8 июня 2023 года", "с 2023/06/02 (Fri) по 2023/06/08 (Thu)", True),
    ],
)  # fmt: skip
def test_days_and_intervals(answer: str, line: str, holds: bool) -> None:
    assert supported(answer, "dates", line) is holds


@pytest.mark.parametrize(
    ("answer", "line", "holds"),
    [
        ("21 days. 22 days (including the last day) is also acceptable.", SPANS, True),
        ("22 days", SPANS, True), ("3 weeks", SPANS, True), ("one month", SPANS, True),
        ("6 days", SPANS, False), ("4 days", SPANS, False), ("5 days", SPANS, False), ("2 weeks", SPANS, False),
        ("22 дня", ПРОМЕЖУТОК, True), ("3 недели", ПРОМЕЖУТОК, True), ("2 месяца", ПРОМЕЖУТОК, False),
        ("1 месяц", ПРОМЕЖУТОК, True), ("6 дней", ПРОМЕЖУТОК, False), ("2023 дня", ПРОМЕЖУТОК, False),
        ("3 weeks ago", "2023/05/01 (Mon) (21 days before the question date)", True),
        ("2 years", "Session 1: “we lived there for two years”", True),
        ("24 months", "Session 1: “we lived there for two years”", True),
        ("2 weeks", "Session 1: “we lived there for two years”", False),
    ],
)  # fmt: skip
def test_durations(answer: str, line: str, holds: bool) -> None:
    assert supported(answer, "dates", line) is holds


ITEMS = ["1. 2023/05/01 (Mon) 10:00, Session 7: “a red kite” [2 of 4 question terms]"]
ITEMS += ["2. 2023/05/08 (Mon) 11:00, Session 8 (said 9 times: Session 8): “nineteen kites” [1 of 4 question terms]"]
ITEMS += ["kites: 1 (“a”, Session 7), 19 (“nineteen”, Session 8); sum of the quantities listed: 20"]


@pytest.mark.parametrize(
    ("answer", "holds"), [("Two", True), ("19", True), ("20", True), ("1", True)] + [(n, False) for n in "3456789"]
)
def test_numbers_are_the_quantities_and_the_length_of_the_list(answer: str, holds: bool) -> None:
    assert supported(answer, "counting", *ITEMS) is holds
    assert not supported(answer, "counting", *ITEMS[:0], "none")


def test_the_length_of_a_list_counts_what_is_cut() -> None:
    assert supported("5", "counting", *ITEMS, cut=3)
    assert not supported("2", "counting", *ITEMS, cut=3)


def test_a_number_of_dates_clocks_names_and_headings_is_none() -> None:
    for n in ("2023", "5", "20", "2", "21", "4", "1977"):
        assert not supported(f"{n} plates", "dates", f"{SAID}: names no date itself")


def test_a_string_stands_in_one_line() -> None:
    assert supported("The Old Mills", "matching", "Session 1: “we saw an old stone mill”")
    assert not supported("The Old Mills", "matching", "Session 1: “an old house”", "Session 2: “a mill”")
    assert supported("Зелёная чашка", "matching", "Session 1: «две зелёные чашки»")


def test_an_operator_is_measured_on_its_own_part_and_on_all_questions_of_a_kind() -> None:
    day = "2023/05/19 (Fri) 10:00: Session 1"
    made = [scaffold("q1", ("chronology", [day]), ("dates", ["2023/05/18 (Thu)", "2023/05/18 (Thu)"])), scaffold("q2")]
    answers = [gold("q1", "19 May 2023"), gold("q2", "20 May 2023", "u"), gold("q3", "", "u")]
    rows = support_rows([question("q1"), question("q2")], answers, made)
    assert [r["operator"] for r in rows] == [*OPERATORS, *OPERATORS]
    assert all(list(r) == SUPPORT_ROWS.names for r in rows)
    found = {(r["question_id"], r["operator"]): (r["supported"], r["values"], r["fired"]) for r in rows}
    assert found["q1", "chronology"] == (True, 1, True)
    assert found["q1", "dates"] == (False, 1, True)
    assert found["q1", "any"] == (True, 2, True)
    assert found["q1", "counting"] == found["q2", "any"] == (False, 0, False)
    rates = {(r["operator"], r["kind"], r["slice"]): r for r in support_rates("chain", rows, answers, 0.95)}
    low, high = wilson(1, 2, 0.95)
    assert rates["any", "day", "all"] == {
        "system": "chain", "operator": "any", "kind": "day", "slice": "all", "n": 2, "supported": 1, "rate": 0.5,
        "ci_low": pytest.approx(low, abs=1e-6), "ci_high": pytest.approx(high, abs=1e-6), "chance": 0.0, "values": 1.0,
        "fired": 1,
    }  # fmt: skip
    assert rates["any", "all", "question_type=u"]["n"] == rates["any", "all", "question_type=t"]["n"] == 1
    assert list(next(iter(rates.values()))) == SUPPORT.names


def others(days: dict[str, int], shown: list[int], conversation: dict[str, str] | None = None) -> Any:
    """The chance of question q00 by golds of days of May, with those shown for it; other questions show nothing."""
    home = conversation or {}
    made = [scaffold(i, ("dates", [f"2023/05/{d:02} (Fri)" for d in shown] if i == "q00" else [])) for i in days]
    answers = [gold(i, f"{d} May 2023") for i, d in days.items()]
    rows = support_rows([question(i, home.get(i, "c")) for i in days], answers, made)
    return next(r["chance"] for r in rows if (r["question_id"], r["operator"]) == ("q00", "dates"))


def test_chance_is_of_the_next_golds_of_the_kind_in_the_conversation() -> None:
    days = {f"q{n:02}": n + 1 for n in range(8)}
    assert others(days, [2, 3, 8]) == 2 / ROTATION
    assert others({**days, "q01": 1}, [1, 3, 7]) == 2 / ROTATION  # a gold of the same day is passed over
    far = {f"q{n:02}": "d" for n in (1, 2)}
    assert others(days, [2, 4, 5], far) == 2 / ROTATION  # five others at home: q03 to q07
    far["q03"] = "d"
    assert others(days, [2, 4, 5], far) == 3 / ROTATION  # four are too few: of the benchmark, q01 to q05
    assert others({"q00": 1, "q01": 3}, [3]) == 1.0
    assert others({"q00": 1}, [3]) is None


def test_golds_that_answer_each_other_do_not_measure_chance() -> None:
    made = [scaffold(i, ("dates", ["2023/05/05 (Fri)"])) for i in ("q1", "q2", "q3")]
    answers = [gold("q1", "2023"), gold("q2", "May 2023"), gold("q3", "June 2024")]
    rows = support_rows([question(i) for i in ("q1", "q2", "q3")], answers, made)
    chances = {r["question_id"]: r["chance"] for r in rows if r["operator"] == "dates"}
    assert chances == {"q1": 0.0, "q2": 0.0, "q3": 1.0}


@given(st.permutations(range(12)))
def test_row_order_changes_nothing(order: list[int]) -> None:
    days = [gold(f"q{n:02}", f"{n + 1} May 2023") for n in range(12)]
    made = [scaffold(g.question_id, ("dates", [f"2023/05/{n % 5 + 1:02} (Fri)"])) for n, g in enumerate(days)]
    asked = [question(g.question_id, f"c{n % 2}") for n, g in enumerate(days)]
    shuffled = [[rows[n] for n in order] for rows in (asked, days, made)]
    there = support_rows(asked, days, made)
    assert support_rows(*shuffled) == there
    assert support_rates("chain", there[::-1], days, 0.95) == support_rates("chain", there, days, 0.95)


def test_faults_are_named() -> None:
    with pytest.raises(InputError, match=r"scaffolds\.parquet: no scaffold for q"):
        support_rows([question("q")], [gold("q", "3")], [])
    with pytest.raises(InputError, match=r"questions\.parquet: no question for q"):
        support_rows([], [gold("q", "3")], [scaffold("q")])
