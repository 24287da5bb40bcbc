"""The judge's requests, the parsing of verdicts, the lexical rule and the rows of verdicts."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial.calls import CallFailed, Outcome, Response
from memtrial.errors import InputError
from memtrial.judging import lexical, verdicts
from memtrial.judging.protocols import base, binary, longmemeval, protocol
from memtrial.judging.requests import render_requests
from memtrial.judging.run import judge_pass
from memtrial.records import Answer, Gold, Question, Verdict
from memtrial.text import sha256

SPEC: dict[str, Any] = {"kind": "litellm", "protocol": "binary", "model": "openai/j", "parameters": {}, "draw": 1}


def question(number: int = 1, language: str = "en", text: str = "What do the lessons cost?") -> Question:
    return Question(f"q{number}", "c1", text, datetime(2023, 6, 3), language, [])


def gold(number: int = 1, references: tuple[str, ...] = ("45 euros",), abstention: bool = False) -> Gold:
    return Gold(f"q{number}", list(references), "single", {}, abstention)


def answer(number: int = 1, text: str = "45 euros", status: str = "ok") -> Answer:
    return Answer(f"q{number}", status, text, text, "", "stop", "r", "r-1", {}, "", "", "", 1, None)


def prompt(golden: Gold, language: str = "en") -> str:
    (request,) = render_requests([question(language=language)], [golden], [answer(text="perhaps 45")], SPEC)
    (message,) = request.messages
    return message.content


def test_a_judge_sees_question_references_and_answer_and_nothing_else() -> None:
    text = prompt(gold(references=("45 euros", "45 €")))
    for part in ("What do the lessons cost?", "45 euros", "45 €", "perhaps 45", binary.RUBRICS["en"]):
        assert part in text
    assert "single" not in text
    assert "q1" not in text


@pytest.mark.parametrize("golden", [gold(references=("not told",), abstention=True), gold(references=())])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_where_abstaining_is_right_the_rubric_says_so(golden: Gold, language: str) -> None:
    text = prompt(golden, language)
    assert binary.ABSTENTION_RUBRICS[language] in text
    assert binary.RUBRICS[language] not in text
    assert all(r in text for r in golden.reference_answers)


def test_a_russian_request_is_russian() -> None:
    text = prompt(gold(), "ru")
    assert binary.CLOSINGS["ru"] in text
    assert "Reference" not in text
    assert "\\u" not in text


def test_only_answers_that_are_ok_are_sent_and_a_judge_by_rule_sends_none() -> None:
    rows = [answer(1), answer(2, "", "refused"), answer(3, "", "truncated"), answer(4)]
    asked, golden = [question(i) for i in range(1, 5)], [gold(i) for i in range(1, 5)]
    assert [r.question_id for r in render_requests(asked, golden, rows, SPEC)] == ["q1", "q4"]
    for kind in ("lexical", "locomo-f1", "rumba-f1"):
        assert list(render_requests(asked, golden, rows, {"kind": kind})) == []
    with pytest.raises(InputError, match="found 'guess'"):
        list(render_requests(asked, golden, rows, {"kind": "guess"}))


def test_rows_that_do_not_belong_together_are_errors() -> None:
    with pytest.raises(InputError, match="'q2'"):
        list(render_requests([question()], [gold()], [answer(), answer(2)], SPEC))
    with pytest.raises(InputError, match="'q2'"):
        list(render_requests([question()], [gold(), gold(2)], [answer()], SPEC))
    with pytest.raises(InputError, match="'q1'"):
        list(render_requests([], [gold()], [answer()], SPEC))
    with pytest.raises(InputError, match="known: binary"):
        list(render_requests([question()], [gold()], [answer()], {**SPEC, "protocol": "x"}))


@pytest.mark.parametrize(
    ("references", "text", "expected"),
    [
        (("45 euros",), "My cello lessons cost 45 euros an hour.", (True, "contains")),
        (("two",), "2 cats", (True, "contains")),
        (("2",), "две кошки", (True, "contains")),
        (("$1,200",), "It was 1200 dollars in the end", (True, "contains")),
        (("2",), "It took 2.5 hours in all of them", (False, "differs")),
        (("2.5",), "it took me 2,5 hours", (True, "contains")),
        (("The Blue Harp",), "blue harp", (True, "contains")),
        (("уроки виолончели",), "Она брала урок виолончели весной", (True, "contains")),
        (("8 May 2023",), "May 8, 2023", (True, "overlaps")),
        (("Paris", "Rome"), "in Rome", (True, "contains")),
        (("green tea with milk",), "coffee", (False, "differs")),
        (("no",), "There is no mention of it", (False, "abstains")),
        (("She never mentioned it",), "She never mentioned it", (True, "contains")),
        (("",), "anything", (False, "differs")),
        (("45",), "", (False, "differs")),
    ],
)
def test_the_lexical_rule_on_worked_examples(
    references: tuple[str, ...], text: str, expected: tuple[bool, str]
) -> None:
    correct, grade, why = lexical.rule(gold(references=references), text, 0.5)
    assert (correct, why) == expected
    assert 0 <= grade <= 1


@pytest.mark.parametrize(
    "text",
    [
        "That is not in the sessions.",
        "No such information.",
        "I don't know",
        "This was never mentioned",
        "The sessions do not say when",
        "Not enough information",
        "В сессиях этого нет.",
        "Нет такой информации.",
        "Об этом не говорили",
        "Неизвестно",
        "Об этом в беседах не упоминалось",
    ],
)
def test_abstaining_is_recognised_and_right_only_where_it_should_be(text: str) -> None:
    assert lexical.abstains(text)
    assert lexical.rule(gold(references=()), text, 0.5) == (True, 1.0, "abstains")
    assert lexical.rule(gold(abstention=True), text, 0.5) == (True, 1.0, "abstains")
    assert not lexical.rule(gold(), text, 0.5)[0]


@pytest.mark.parametrize("text", ["45 euros", "I did not like the tea", "Он не любит чай", "Notary", "нет, синий"])
def test_other_answers_do_not_abstain(text: str) -> None:
    assert not lexical.abstains(text)
    assert lexical.rule(gold(references=()), text, 0.5) == (False, 0.0, "answers")


def test_token_f1_by_hand() -> None:
    # 2 of 3 and 2 of 4 tokens in common: 2 * 2 / 7; repeats count as often as they stand in both.
    assert lexical.token_f1(["a", "b", "x"], ["a", "b", "c", "d"]) == pytest.approx(4 / 7)
    assert lexical.token_f1(["a", "a"], ["a"]) == pytest.approx(2 / 3)
    assert lexical.token_f1([], []) == 0


@given(st.text(), st.text())
def test_the_lexical_rule_is_total_and_accepts_a_reference_as_its_own_answer(reference: str, text: str) -> None:
    lexical.rule(gold(references=(reference,)), text, 0.5)
    if lexical.normal_tokens(reference):
        assert lexical.rule(gold(references=(reference,)), reference, 0.5)[:2] == (True, 1.0)


def test_the_threshold_decides_and_is_part_of_the_template(tmp_path: Path) -> None:
    golden, given_answer = [gold(references=("red green blue",))], [answer(text="blue green yellow pink")]

    def verdict(threshold: float) -> Verdict:
        spec = {"kind": "lexical", "parameters": {"f1_threshold": threshold}}
        return judge_pass(golden, given_answer, [], spec, tmp_path)[0]

    low, high = verdict(0.5), verdict(0.6)
    assert (low.correct, high.correct) == (True, False)
    assert low.grade == high.grade == pytest.approx(4 / 7, abs=1e-6)
    assert low.template_sha256 != high.template_sha256
    assert (low.protocol, low.request_sha256, low.attempts) == ("lexical-v1", None, 0)
    assert not list(tmp_path.iterdir())


def test_every_question_gets_one_verdict_in_gold_order(tmp_path: Path) -> None:
    replies = {1: "yes", 2: "No.", 3: "maybe", 4: "", 5: None}
    texts = {i: f"answer {i}" for i in range(1, 7)}
    calls: list[str] = []

    async def judge(messages: list[dict[str, str]], parameters: dict[str, Any]) -> Response:
        number = next(i for i, text in texts.items() if text in messages[0]["content"])
        calls.append(texts[number])
        if replies[number] is None:
            raise CallFailed("policy", status=400, filtered=True)
        return Response(replies[number] or "", "stop", "j-1", {}, {})

    asked, golden = [question(i) for i in range(1, 7)], [gold(i) for i in range(1, 7)]
    answers = [answer(i, texts[i]) for i in range(1, 6)] + [answer(6, "", "error")]
    spec = {**SPEC, "attempts": 1}

    def judged(draw: int) -> list[Verdict]:
        requests = render_requests(asked, golden, answers, spec)
        return judge_pass(golden, answers, requests, {**spec, "draw": draw}, tmp_path, transport=judge)

    rows = judged(1)
    assert [(v.question_id, v.status, v.correct) for v in rows] == [
        ("q1", "judged", True),
        ("q2", "judged", False),
        ("q3", "unparseable", None),
        ("q4", "error", None),
        ("q5", "error", None),
        ("q6", "unanswered", None),
    ]
    assert [v.answer_sha256 for v in rows[:2]] == [sha256("answer 1"), sha256("answer 2")]
    assert {v.protocol for v in rows} == {"binary-v1"}
    assert {v.template_sha256 for v in rows} == {binary.TEMPLATE_SHA256}
    assert (rows[0].model_requested, rows[0].model_resolved) == ("openai/j", "j-1")
    assert rows[5].request_sha256 is None
    assert len(calls) == 5
    judged(1)
    assert len(calls) == 6, "only the empty reply is asked again"
    judged(2)
    assert len(calls) == 11


def test_verdicts_are_refused_where_requests_were_made_for_other_answers(tmp_path: Path) -> None:
    async def judge(messages: list[dict[str, str]], parameters: dict[str, Any]) -> Response:
        return Response("yes", "stop", "j-1", {}, {})

    stale = list(render_requests([question()], [gold()], [answer()], SPEC))
    for answers, requests in (([answer(text="46")], stale), ([answer(status="error")], stale), ([answer()], [])):
        with pytest.raises(InputError, match="'q1'"):
            judge_pass([gold()], answers, requests, SPEC, tmp_path, transport=judge)


def test_a_reply_that_only_the_official_reading_decides_keeps_that_reading() -> None:
    """`correct` is by our reading, so the row is unparseable; `official` says what the benchmark would have counted."""
    chosen = base.Protocol("p", "0" * 64, binary.render, longmemeval.two_readings)
    for text, expected in (
        ("Yes.", ("judged", True, True)),
        ("No.", ("judged", False, False)),
        ("No. Yesterday is not the date", ("judged", False, True)),
        ("Yes and no", ("unparseable", None, True)),
        ("Hm", ("unparseable", None, False)),
    ):
        outcome = Outcome("q1", "ok", text, "stop", "j-1", {}, 1, None, False)
        status, ruling = verdicts.ruled(outcome, chosen)
        assert (status, ruling.correct, ruling.official) == expected
    refused = Outcome("q1", "refused", "", "content_filter", "j-1", {}, 1, "filtered", False)
    assert verdicts.ruled(refused, chosen) == ("error", base.Ruling(None))


def test_a_protocol_brings_its_parameters_and_the_spec_overrides_them() -> None:
    def sent(**spec: Any) -> dict[str, Any]:
        (request,) = render_requests([question()], [gold()], [answer()], {**SPEC, **spec})
        parameters: dict[str, Any] = json.loads(request.parameters)
        return parameters

    assert sent() == {"max_tokens": 256, "model": "openai/j", "temperature": 0}
    changed = sent(parameters={"max_tokens": 9, "temperature": None, "seed": 1})
    assert changed == {"max_tokens": 9, "model": "openai/j", "seed": 1}


def test_the_requests_of_a_local_judge_name_its_weights() -> None:
    spec = {"kind": "local", "protocol": "binary", "model": "smollm2-135m"}
    (request,) = render_requests([question()], [gold()], [answer()], spec)
    parameters = json.loads(request.parameters)
    assert parameters["model"].startswith("smollm2-135m@")
    assert (parameters["max_tokens"], parameters["temperature"]) == (256, 0)


def test_a_local_judge_is_not_asked_without_its_server(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="transport"):
        judge_pass([gold()], [answer()], [], {**SPEC, "kind": "local"}, tmp_path)


def test_the_template_hash_is_of_the_texts() -> None:
    assert protocol(SPEC).template_sha256 == binary.TEMPLATE_SHA256


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"protocol": "x"}, "no protocol 'x'"),
        ({"protocol": "binary", "form": "official"}, "no form 'official'"),
        ({"protocol": "longmemeval", "form": "theirs"}, "known: ours, official, archivist"),
        ({"protocol": "longmemeval", "form": "official"}, "needs the benchmark's own evaluate_qa.py"),
    ],
)
def test_an_unknown_protocol_or_form_is_refused(spec: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        protocol(spec)
