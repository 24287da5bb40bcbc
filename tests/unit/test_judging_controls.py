"""Controls of a judge: how they are drawn, that each is right by construction, and whom they stop."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from memtrial.calls import AuthenticationStopped, CallFailed, Response
from memtrial.errors import InputError
from memtrial.judging.controls.changes import CYCLES, change, names_of
from memtrial.judging.controls.drawing import ARCHIVIST_SEED, ARMS, Control, Settings, archivist_sample, draw
from memtrial.judging.controls.page import build_page
from memtrial.judging.controls.results import Reply, by_calls, evaluate, require, to_json
from memtrial.judging.controls.run import control_requests, judge_controls
from memtrial.judging.controls.values import differs_from_all, durations, share_value, value_words
from memtrial.judging.controls.wording import ABSTAINING, VAGUE
from memtrial.judging.lexical import abstains, normal_tokens
from memtrial.judging.protocols import protocol
from memtrial.records import Gold, Question

SETTINGS: dict[str, Any] = {
    "sample": "even", "n": 20, "threshold": 0.9, "confidence": 0.95, "seed": 7, "enforce": True,
}  # fmt: skip
SPEC: dict[str, Any] = {
    "kind": "litellm", "protocol": "binary", "model": "openai/j", "parameters": {}, "draw": 1, "attempts": 1,
    "controls": SETTINGS,
}  # fmt: skip
AT = {"benchmark": "invented", "judge": "strict"}

# question, references, type, abstention; every question has a conversation of its own.
ENGLISH = [
    ("How many lamps did I buy?", ["4"], "count", False),
    ("How many weeks did the course take?", ["six weeks"], "count", False),
    ("How much did the kayak cost?", ["$1,200"], "count", False),
    ("When did Ines move to the coast?", ["14 May 2021"], "date", False),
    ("When did the choir sing in Turku?", ["The week before 3 March 2022"], "date", False),
    ("On which weekday is the market?", ["Thursday"], "date", False),
    ("Which cafe does Ines like best?", ["Copper Kettle"], "name", False),
    ("Which bookshop did Pavel recommend?", ["The Quiet Page"], "name", False),
    ("What did Pavel knit for his niece?", ["a striped scarf"], "name", False),
    ("Can you suggest a dessert?", ["The user would prefer something with plums"], "single-session-preference", False),
    ("Can you plan my Sunday?", ["The user would prefer quiet walks near water"], "single-session-preference", False),
    ("How many days did the paint dry?", ["15 days. 16 days is also acceptable."], "count", False),
    ("What was my old door code?", ["You asked me to forget the old door code."], "update", False),
    ("What is the name of my parrot?", ["You mentioned a hamster, but no parrot."], "name", True),
    ("How many flutes do I own?", [], "count", True),
]
RUSSIAN = [
    ("Сколько ламп я купил?", ["4 лампы"], "count", False),
    ("У скольких портных я был?", ["У пяти."], "count", False),
    ("Когда я переехал к морю?", ["14 мая 2021 года."], "date", False),
    ("В какой день работает рынок?", ["В четверг."], "date", False),
    ("Что я связал племяннице?", ["Полосатый шарф."], "thing", False),
    ("Во сколько приходит паром?", ["В 7:05."], "date", False),
    ("Как зовут моего попугая?", ["Нет такой информации."], "thing", True),
]


def corpus(rows: list[tuple[str, list[str], str, bool]], language: str) -> tuple[list[Question], list[Gold]]:
    asked = [Question(f"q{i:02}", f"c{i}", r[0], datetime(2023, 6, 3), language, []) for i, r in enumerate(rows)]
    return asked, [Gold(f"q{i:02}", r[1], r[2], {}, r[3]) for i, r in enumerate(rows)]


CORPORA = {"en": corpus(ENGLISH, "en"), "ru": corpus(RUSSIAN, "ru")}


def drawn(language: str = "en", **settings: Any) -> list[Control]:
    return draw(*CORPORA[language], Settings(**{**SETTINGS, **settings}))


def of_arm(controls: list[Control], arm: str) -> dict[str, Control]:
    return {c.question_id: c for c in controls if c.arm == arm}


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_arm_is_drawn_and_what_it_expects_is_right_by_construction(language: str) -> None:
    controls, golds = drawn(language), {g.question_id: g for g in CORPORA[language][1]}
    assert {c.arm for c in controls} == set(ARMS)
    for c in controls:
        references = golds[c.question_id].reference_answers
        held = {w for r in references for w in value_words(r)}
        assert c.expected is ARMS[c.arm].expected
        assert golds[c.question_id].abstention is (c.arm in ("abstention-recognised", "abstention-answered"))
        if c.arm == "positive":
            assert c.answer in references
        if c.arm in ("negative", "abstention-answered"):
            assert differs_from_all(c.answer, references)
            assert any(c.answer in g.reference_answers for g in golds.values() if g.question_id != c.question_id)
        if c.arm == "negative-hard-changed":
            assert set(normal_tokens(c.answer)) - set(normal_tokens(references[0]))
        if c.arm == "negative-hard-vague":
            assert not set(normal_tokens(c.answer)) & held and not abstains(c.answer)
        if c.arm in ("abstention-recognised", "abstention-unfounded"):
            assert abstains(c.answer)


def test_changes_by_hand() -> None:
    changed = {i: c.how for i, c in of_arm(drawn(), "negative-hard-changed").items()}
    assert set(changed) == {"q00", "q01", "q02", "q03", "q04", "q05", "q06", "q07"}
    assert changed["q00"].startswith("number changed: 4 → ")
    assert changed["q03"].startswith("date changed: May → ")
    assert changed["q06"] == "name changed: Copper Kettle → Quiet Page"
    assert of_arm(drawn("ru"), "negative-hard-changed")["q01"].answer.startswith("У ")
    assert set(of_arm(drawn("ru"), "negative-hard-changed")) == {"q00", "q01", "q02", "q03", "q05"}


@pytest.mark.parametrize(
    ("reference", "question"),
    [
        ("15 days. 16 days is also acceptable.", "How many days did it take?"),
        ("tea or coffee, 3 cups", "How many cups?"),
        ("4 plants: a fern, an aloe, a palm and a pothos", "How many plants did I buy?"),
        ("Six mugs, which she sold at the winter fair in town", "What did she make?"),
        ("from 27 June to 3 July", "How long did it last?"),
        ("in the year 2021 when the house was sold", "When in 2021 was it sold?"),
        ("may be", "When?"),
        ("a blue bowl", "What did she make?"),
        ("28. Kg3", "Which move came next?"),
        ("the F-15 and the 1/48 model of it", "Which number did it have?"),
    ],
)
def test_nothing_is_changed_where_the_change_would_not_make_the_answer_wrong(reference: str, question: str) -> None:
    assert change([reference], question, None, [], 1) is None


def test_a_change_has_to_touch_every_reference() -> None:
    assert change(["7 May", "7 May 2021"], "When was it?", None, [], 1) is not None
    assert change(["7 May", "early in spring"], "When was it?", None, [], 1) is None


@given(st.integers(0, 10**7), st.sampled_from(["{}", "{} boxes", "${}", "about {} of them"]), st.integers())
def test_a_changed_number_is_another_by_two_or_more(number: int, form: str, seed: int) -> None:
    shown = f"{number:,}" if seed % 2 else str(number)
    found = change([form.format(shown)], "How many boxes did she carry?", None, [], seed)
    if found is None:
        assert 1900 <= number < 2100, "a year is a date"
        return
    if found.kind == "number":
        after = int(found.after.replace(",", ""))
        assert abs(after - number) >= 2 and after >= 0
    assert normal_tokens(found.text) != normal_tokens(form.format(shown))


@given(st.sampled_from(CYCLES), st.data(), st.integers())
def test_a_word_of_a_cycle_gives_way_to_another_of_it(cycle: Any, data: st.DataObject, seed: int) -> None:
    word = data.draw(st.sampled_from(cycle.words))
    found = change([word.capitalize()], "When, or how many?", None, [], seed)
    assert found is not None and found.kind == cycle.kind
    after, words = found.after.casefold(), [w.casefold() for w in cycle.words]
    assert after != word.casefold()
    assert any({word.casefold(), after} <= {w.casefold() for w in c.words} for c in CYCLES if c.kind == cycle.kind)
    assert found.text == found.after and len(words) >= 3


def test_names_are_whole_references() -> None:
    references = {"a": "Copper Kettle", "b": "Ines", "c": "Orange", "d": "a scarf", "e": '"The Quiet Page"', "f": "Tea"}
    texts = ["Did my friend Ines like it?", "Is the orange ripe?", "When did we drink, Tea or not?", "tea"]
    assert names_of(references, texts) == {"a": "Copper Kettle", "b": "Ines", "e": "Quiet Page"}


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("5", "five of them", True),
        ("21 days", "3 weeks ago", True),
        ("две недели", "15 дней", True),
        ("2 hours", "2 hours and a bit", True),
        ("9 June 2023", "16 October 2023", False),
        ("2023", "16 October 2023", True),
        ("1,200", "1200 euros", True),
        ("10 days", "10 months", True),
        ("3 weeks", "five months", False),
        ("Полосатый шарф", "шарфы", True),
    ],
)
def test_whether_two_answers_may_give_one_value(a: str, b: str, same: bool) -> None:
    assert share_value(a, b) is share_value(b, a) is same


def test_a_bare_yes_is_no_wrong_answer_where_neither_is_said() -> None:
    assert not differs_from_all("Yes", ["Somewhat, but not very"])
    assert differs_from_all("Yes", ["No, she is allergic"])
    assert durations("two days, or 3 hours, or a week") == [2880, 180]


@given(st.text(max_size=30), st.text(max_size=30))
def test_an_answer_never_differs_from_itself(a: str, b: str) -> None:
    assert not differs_from_all(a, [b, a])


@pytest.mark.parametrize("sample", ["even"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_order_of_rows_does_not_matter_and_the_seed_does(language: str, sample: str) -> None:
    asked, golds = CORPORA[language]
    for seed in range(3):
        mixed = random.Random(seed)
        again = draw(mixed.sample(asked, len(asked)), mixed.sample(golds, len(golds)), Settings(**SETTINGS))
        assert again == drawn(language)
    assert drawn(language, seed=8, n=2) != drawn(language, n=2)


def test_types_are_covered_as_evenly_as_the_benchmark_allows() -> None:
    asked = [Question(f"q{i:03}", f"c{i}", "How many cups?", None, "en", []) for i in range(60)]
    types = ["a"] * 50 + ["b"] * 7 + ["c"] * 3
    golds = [Gold(f"q{i:03}", [str(100 + 7 * i)], t, {}, False) for i, t in enumerate(types)]
    kind = {g.question_id: g.question_type for g in golds}
    controls = draw(asked, golds, Settings(**SETTINGS))
    for arm in ("positive", "negative", "negative-hard-changed"):
        found = [kind[i] for i in of_arm(controls, arm)]
        assert {t: found.count(t) for t in "abc"} == {"a": 10, "b": 7, "c": 3}
    assert not {c.arm for c in controls} & {"abstention-recognised", "abstention-answered"}


def test_described_and_withheld_references_are_left_out_where_they_would_mislead() -> None:
    controls = drawn()
    described, noted, withheld = {"q09", "q10"}, "q11", "q12"
    assert not described & of_arm(controls, "positive").keys()
    assert not described & of_arm(controls, "negative-hard-changed").keys()
    assert described <= of_arm(controls, "negative").keys()
    assert withheld in of_arm(controls, "positive")
    for arm in ("negative-hard-vague", "abstention-unfounded"):
        assert withheld not in of_arm(controls, arm)
    assert noted in of_arm(controls, "negative") and noted not in of_arm(controls, "positive")
    assert not any("acceptable" in c.answer for c in controls)
    assert not any("door code" in c.answer for c in controls if c.arm in ("negative", "abstention-answered"))


def test_within_a_conversation_no_answer_of_a_like_question_is_given() -> None:
    asked = [Question(f"q{i}", "c", t, None, "en", []) for i, t in enumerate(["Which sports does Kai do?"] * 2)]
    golds = [Gold("q0", ["rowing"], "a", {}, False), Gold("q1", ["judo"], "a", {}, False)]
    assert not of_arm(draw(asked, golds, Settings(**SETTINGS)), "negative")
    apart = [q._replace(conversation_id=f"c{i}") for i, q in enumerate(asked)]
    assert of_arm(draw(apart, golds, Settings(**SETTINGS)), "negative")["q0"].answer == "judo"


def test_the_sample_of_the_paper_follows_the_order_of_rows() -> None:
    asked = [Question(f"q{i:02}", f"c{i}", "How many?", None, "en", []) for i in range(40)]
    golds = [Gold(q.question_id, [str(7 * i)], "single-session-preference" if i % 5 == 0 else "a", {}, i > 35)
             for i, q in enumerate(asked)]  # fmt: skip
    expected = random.Random(ARCHIVIST_SEED).sample([f"q{i:02}" for i in range(36)], 12)
    controls = draw(asked, golds, Settings(**{**SETTINGS, "sample": "archivist"}))
    assert list(of_arm(controls, "negative")) == sorted(expected)
    assert set(of_arm(controls, "positive")) == {i for i in expected if int(i[1:]) % 5}
    assert {c.arm for c in controls} == {"positive", "negative"}
    turned = draw(asked, golds[::-1], Settings(**{**SETTINGS, "sample": "archivist"}))
    assert set(of_arm(turned, "negative")) == set(archivist_sample([f"q{i:02}" for i in range(35, -1, -1)]))


def test_what_does_not_fit_together_is_refused() -> None:
    asked, golds = CORPORA["en"]
    with pytest.raises(InputError, match="q00"):
        draw(asked[1:], golds, Settings(**SETTINGS))
    with pytest.raises(InputError, match="even or archivist"):
        drawn(sample="odd")
    controls, requests = drawn(), control_requests(asked, golds, SPEC)
    with pytest.raises(InputError, match="not those"):
        by_calls(controls, requests[1:], [], protocol(SPEC))


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_texts_of_controls_say_what_they_are_for(language: str) -> None:
    assert all(abstains(t) for t in ABSTAINING[language])
    assert not any(abstains(t.format(topic="x")) for t in VAGUE[language])


class Judge:
    """A transport that rules by a function of the control's id; counts its calls."""

    def __init__(self, spec: dict[str, Any], says: Callable[[str], str], language: str = "en") -> None:
        asked, golds = CORPORA[language]
        self.ids = {r.messages[-1].content: r.question_id for r in control_requests(asked, golds, spec)}
        self.says, self.calls = says, 0

    async def __call__(self, messages: list[dict[str, str]], parameters: dict[str, Any]) -> Response:
        self.calls += 1
        return Response(self.says(self.ids[messages[-1]["content"]]), "stop", "j-1", {}, {})


def run(judge: Any, folder: Path, language: str = "en", spec: dict[str, Any] = SPEC) -> dict[str, Any]:
    asked, golds = CORPORA[language]
    requests = control_requests(asked, golds, spec)
    return judge_controls(asked, golds, requests, spec, AT, folder / "calls", transport=judge)


def oracle(control_id: str) -> str:
    return "yes" if ARMS[control_id.split("/")[0]].expected else "no"


STUCK: dict[str, Callable[[str], str]] = {
    "always yes": lambda _: "yes",
    "always no": lambda _: "no",
    "a coin": lambda i: random.Random(i).choice(["yes", "no"]),
    "never a verdict": lambda _: "it depends",
    "empty": lambda _: "",
}


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("says", STUCK.values(), ids=STUCK)
def test_a_judge_that_does_not_judge_is_stopped(says: Callable[[str], str], language: str, tmp_path: Path) -> None:
    result = run(Judge(SPEC, says, language), tmp_path, language)
    assert not result["passed"]
    with pytest.raises(InputError, match=r"'strict' failed its controls.*judges/strict/controls\.html") as error:
        require(result, "strict")
    for reason in result["why"]:
        assert reason in str(error.value)
    assert "90% needed" in str(error.value)
    for arm in result["arms"].values():
        low, high = proportion_confint(arm["passed"], arm["n"], alpha=0.05, method="beta")
        assert (arm["ci_low"], arm["ci_high"]) == pytest.approx((low, high), abs=1e-6)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_judge_that_is_always_right_passes_and_is_asked_once(language: str, tmp_path: Path) -> None:
    judge = Judge(SPEC, oracle, language)
    result = run(judge, tmp_path, language)
    assert result["passed"] and not result["why"] and not result["absent"]
    require(result, "strict")
    assert judge.calls == len(result["records"]) == sum(a["n"] for a in result["arms"].values())
    assert to_json(run(judge, tmp_path, language)) == to_json(result)
    assert judge.calls == len(result["records"])
    assert (result["model_requested"], result["model_resolved"], result["draw"]) == ("openai/j", ["j-1"], 1)
    assert json.loads(to_json(result)) == result


def test_which_arms_stop_a_judge_that_always_says_yes(tmp_path: Path) -> None:
    arms = run(Judge(SPEC, STUCK["always yes"]), tmp_path)["arms"]
    assert {a: arm["reached"] for a, arm in arms.items()} == {a: arm.expected for a, arm in ARMS.items()}
    assert arms["negative"]["rate"] == 0 and arms["negative"]["ci_low"] == 0


def test_an_unparseable_reply_or_none_does_not_pass_whatever_is_expected(tmp_path: Path) -> None:
    async def silent(messages: list[dict[str, str]], parameters: dict[str, Any]) -> Response:
        raise CallFailed("policy", status=400, filtered=True)

    for judge, kind in ((Judge(SPEC, STUCK["never a verdict"]), "n_unparseable"), (silent, "n_error")):
        result = run(judge, tmp_path / kind)
        assert all(arm["passed"] == 0 and arm[kind] == arm["n"] for arm in result["arms"].values())


def test_refused_credentials_stop_everything(tmp_path: Path) -> None:
    async def closed(messages: list[dict[str, str]], parameters: dict[str, Any]) -> Response:
        raise CallFailed("no", status=401)

    with pytest.raises(AuthenticationStopped):
        run(closed, tmp_path)


def test_an_arm_that_is_not_there_is_absent_and_one_sided_controls_pass_nobody() -> None:
    asked, golds = CORPORA["en"]
    controls = [c for c in drawn() if c.arm in ("negative", "abstention-answered")]
    replies = [Reply("judged", False, "no", "j", None)] * len(controls)
    result = evaluate(controls, replies, asked, golds, Settings(**SETTINGS), {**AT})
    assert set(result["absent"]) == set(ARMS) - {"negative", "abstention-answered"}
    assert all(arm["reached"] for arm in result["arms"].values()) and not result["passed"]
    assert "no control whose answer is right" in result["why"][0]
    nothing = evaluate([], [], asked, golds, Settings(**SETTINGS), {**AT})
    assert not nothing["passed"] and not nothing["arms"]


def test_the_threshold_is_reached_at_eighteen_of_twenty() -> None:
    asked = [Question(f"q{i:02}", f"c{i}", "How many cups?", None, "en", []) for i in range(20)]
    golds = [Gold(q.question_id, [str(100 + 7 * i)], "a", {}, False) for i, q in enumerate(asked)]
    controls = [c for c in draw(asked, golds, Settings(**SETTINGS)) if c.arm in ("positive", "negative")]

    def passed(wrong: int) -> bool:
        missed = set(sorted(of_arm(controls, "positive"))[:wrong])
        replies = [Reply("judged", c.expected and c.question_id not in missed, "", None, None) for c in controls]
        return bool(evaluate(controls, replies, asked, golds, Settings(**SETTINGS), AT)["passed"])

    assert passed(2) and not passed(3)


def test_a_rule_is_measured_without_calls_and_need_not_be_enforced(tmp_path: Path) -> None:
    asked, golds = CORPORA["en"]
    spec: dict[str, Any] = {"kind": "lexical", "controls": {**SETTINGS, "enforce": False}}
    assert control_requests(asked, golds, spec) == []
    result = judge_controls(asked, golds, [], spec, AT, tmp_path / "calls")
    assert not result["passed"] and not (tmp_path / "calls").exists()
    assert {a for a, arm in result["arms"].items() if not arm["reached"]} == {"negative-hard-changed"}
    require(result, "strict")
    page = build_page(result)
    assert "is a rule, not a model" in page and "not enforced" in page
    with pytest.raises(InputError, match="not of 'other'"):
        require(result, "other")


def test_the_page_shows_why_and_escapes_what_it_shows(tmp_path: Path) -> None:
    result = run(Judge(SPEC, lambda _: "yes <script>alert(1)</script>"), tmp_path)
    page = build_page(result)
    assert "<script" not in page and "&lt;script&gt;" in page and "http" not in page
    assert "Stopped" in page
    for record in result["records"]:
        assert (record["how"].split(": ")[-1] in page) or record["passed"]
    for text in ("Copper Kettle", "How many lamps did I buy?", "none: abstaining is right", "90% needed"):
        assert text in page
    passed = build_page(run(Judge(SPEC, oracle), tmp_path / "b"))
    assert "Passed: every arm" in passed and "<details" not in passed


def test_a_request_shows_a_judge_what_the_protocol_shows_and_not_which_arm_it_is_of() -> None:
    asked, golds = CORPORA["en"]
    requests = control_requests(asked, golds, SPEC)
    assert [r.question_id for r in requests] == [c.control_id for c in drawn()]
    for request, control in zip(requests, drawn(), strict=True):
        text = request.messages[-1].content
        assert control.answer in text and control.arm not in text
