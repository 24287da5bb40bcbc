"""The reader's requests, the embedded reader and the parsing of answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memtrial.calls import Outcome, Response
from memtrial.errors import InputError
from memtrial.reading import extractive, prompts
from memtrial.reading.answers import parse_answer, to_answers
from memtrial.reading.requests import parameters, prompt, render_requests
from memtrial.reading.run import read_pass
from memtrial.records import Packet, Question, Request, Scaffold
from memtrial.text import canonical, proxy_tokens, sha256

SESSIONS = """\
Session 1
date: 2023/05/01 (Mon) 09:00
user: I adopted a grey parrot yesterday. Her name is Pixel.
assistant: Congratulations! What does the parrot eat?

Session 2
date: 2023/05/09 (Tue) 18:30
user: The dentist moved my appointment to Thursday.
assistant: Noted.
[... 4 lines elided ...]

Session 3
date: 2023/06/02 (Fri) 07:45
user: My cello lessons cost 45 euros an hour.
assistant: That is a fair price for cello lessons."""
SESSIONS_RU = """\
Session 1
date: 2023/05/01 (Mon) 09:00
user: Вчера я завела серого попугая.
assistant: Поздравляю! Чем кормите попугая?

Session 2
date: 2023/06/02 (Fri) 07:45
user: Уроки виолончели стоят 45 евро в час."""
LITELLM: dict[str, Any] = {"kind": "litellm", "model": "openai/x", "parameters": {}}
EXTRACTIVE: dict[str, Any] = {"kind": "extractive"}


def question(text: str = "How much do the cello lessons cost?", **fields: Any) -> Question:
    blank = Question("q1", "c1", text, datetime(2023, 6, 3, 10, 0), "en", [])
    return blank._replace(**fields)


def packet(text: str = SESSIONS, question_id: str = "q1") -> Packet:
    return Packet(question_id, "coverage", [], [], text, len(text), proxy_tokens(len(text)), None, sha256(text))


def scaffold(text: str = "", question_id: str = "q1") -> Scaffold:
    return Scaffold(question_id, [], {}, "", [], text, sha256(text), "" if text else "no-cue")


def rendered(asked: Question, sessions: str, spec: dict[str, Any], index: str = "") -> Request:
    return next(render_requests([asked], [packet(sessions)], [scaffold(index)], spec))


def floor(asked: Question, sessions: str, index: str = "") -> str:
    request = rendered(asked, sessions, EXTRACTIVE, index)
    return extractive.answer([m._asdict() for m in request.messages], json.loads(request.parameters))


def test_a_request_is_one_user_message_with_all_sections_in_order() -> None:
    asked = question(options=["45 euros", "54 euros"])
    request = rendered(asked, SESSIONS, LITELLM, "chronology: 1, 2, 3")
    (message,) = request.messages
    assert message.role == "user"
    words = prompts.EN
    marks = [words.date, words.question, words.options, words.sessions, words.scaffold, words.instructions]
    places = [message.content.index(m) for m in marks]
    assert places == sorted(places)
    for part in ("2023/06/03 (Sat) 10:00", asked.question, "- 54 euros", SESSIONS, "chronology: 1, 2, 3"):
        assert part in message.content
    assert message.content.endswith("Answer: <short answer>")
    assert json.loads(request.parameters) == {"model": "openai/x", "temperature": 0, "max_tokens": 1024}
    assert json.loads(request.context) == {
        "packet": sha256(SESSIONS),
        "scaffold": sha256("chronology: 1, 2, 3"),
        "prompt": prompts.PROMPT_VERSION,
    }
    assert request.chars == len(message.content)


def test_empty_parts_are_left_out_with_their_instructions() -> None:
    text = prompt(question(asked_at=None), SESSIONS, "")
    words = prompts.EN
    for absent in (words.date, words.options, words.scaffold, words.use_options, words.use_scaffold):
        assert absent not in text
    assert text.startswith(words.question)


def test_a_russian_request_is_russian_and_unescaped_down_to_the_hashed_bytes() -> None:
    request = rendered(question("Сколько стоят уроки?", language="ru"), SESSIONS_RU, LITELLM, "указатель")
    content = request.messages[0].content
    assert content.endswith("Ответ: <краткий ответ>")
    assert "Answer" not in content
    for text in (content, canonical([m._asdict() for m in request.messages])):
        assert "\\u" not in text


def test_rendering_is_the_same_each_time_and_changes_with_every_input() -> None:
    base = rendered(question(), SESSIONS, LITELLM)
    assert base == rendered(question(), SESSIONS, LITELLM)
    others = [
        rendered(question("Why?"), SESSIONS, LITELLM),
        rendered(question(), SESSIONS_RU, LITELLM),
        rendered(question(), SESSIONS, LITELLM, "index"),
        rendered(question(), SESSIONS, {**LITELLM, "parameters": {"seed": 1}}),
        rendered(question(language="ru"), SESSIONS, LITELLM),
    ]
    assert len({base.sha256, *(r.sha256 for r in others)}) == 6


def test_neither_ids_nor_spec_settings_of_the_run_enter_a_request() -> None:
    here = rendered(question(), SESSIONS, {**LITELLM, "concurrency": 1})
    renamed = render_requests(
        [question(question_id="answer_7", conversation_id="answer_8")],
        [packet(question_id="answer_7")],
        [scaffold(question_id="answer_7")],
        {**LITELLM, "concurrency": 9},
    )
    assert next(renamed)._replace(question_id="q1") == here


def test_a_null_parameter_is_left_out_and_an_unknown_kind_refused() -> None:
    spec = {**LITELLM, "parameters": {"temperature": None, "max_tokens": 9}}
    assert json.loads(parameters(spec)) == {"model": "openai/x", "max_tokens": 9}
    with pytest.raises(InputError, match="'magic'"):
        parameters({"kind": "magic"})


@pytest.mark.parametrize(
    ("packets", "scaffolds"),
    [([], [scaffold()]), ([packet()], []), ([packet(), packet()], [scaffold()]), ([packet("", "q2")], [scaffold()])],
)
def test_missing_and_surplus_rows_are_errors(packets: list[Packet], scaffolds: list[Scaffold]) -> None:
    with pytest.raises(InputError, match=r"q[12]"):
        list(render_requests([question()], packets, scaffolds, LITELLM))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("How much do the cello lessons cost?", "My cello lessons cost 45 euros an hour."),
        ("When is my dentist appointment?", "The dentist moved my appointment to Thursday."),
        ("Which parrot did I adopt?", "I adopted a grey parrot yesterday."),
        ("What is my blood group?", "That is not in the sessions."),
        ("Where did I park the bicycle in Rome?", "That is not in the sessions."),
        ("What is it?", "That is not in the sessions."),
    ],
)
@pytest.mark.parametrize("index", ["", "My cello index: blood group, bicycle in Rome"])
def test_the_floor_reader_finds_the_sentence_or_abstains(asked: str, expected: str, index: str) -> None:
    assert floor(question(asked), SESSIONS, index) == f"Answer: {expected}"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("Сколько стоит урок виолончели?", "Уроки виолончели стоят 45 евро в час."),
        ("Какого попугая я завела?", "Вчера я завела серого попугая."),
        ("Какая у меня группа крови?", "В сессиях этого нет."),
    ],
)
def test_the_floor_reader_reads_russian(asked: str, expected: str) -> None:
    assert floor(question(asked, language="ru"), SESSIONS_RU) == f"Ответ: {expected}"


def test_the_floor_reader_counts_the_speaker_in() -> None:
    lines = "Session 1\ndate: unknown\nAnn: I baked bread.\nBo: I baked a cake with bread crumbs."
    assert floor(question("Has Ann baked bread?"), lines) == "Answer: I baked bread."


def test_headings_dates_and_elision_marks_are_not_said_by_anybody() -> None:
    lines = ["Session 1", "Passage 12", "date: 2023/05/01 (Mon) 09:00", "[... 1 line elided ...]"]
    assert [extractive.sentences(line) for line in lines] == [()] * 4
    assert [s.text for s in extractive.sentences("user: Session 1 was fun. Was it?")] == ["Session 1 was fun."]


def test_the_floor_reader_knows_other_texts_are_no_prompts() -> None:
    with pytest.raises(ValueError, match="section mark"):
        extractive.answer([{"role": "user", "content": "hello"}], {})


def test_the_floor_reader_changes_its_name_when_it_changes_its_answers() -> None:
    """The ledger replays by name and prompt: an edit that fails here needs a new `extractive.MODEL`, then this hash."""
    asked = ["Which lessons?", "grey hour", "What did the assistant say of the price?", "Thursday", "euros or parrot"]
    told = [floor(question(a), SESSIONS) for a in asked] + [
        floor(question(a, language="ru"), SESSIONS_RU) for a in asked
    ]
    assert (extractive.MODEL, sha256(canonical(told))[:16]) == ("memtrial/extractive-1", "d3e852ba439f8265")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They cost 45.\n\nAnswer: 45 euros", "45 euros"),
        ("Ответ: 45 евро\n", "45 евро"),
        ("**Answer:** 45", "45"),
        ("**Answer: 45**", "45"),
        ("**Answer:**45", "45"),
        ("*Answer:* 45", "45"),
        ("**Final answer**: 45", "45"),
        ("### Answer: *45*", "45"),
        ("- answer： 45", "45"),
        ("Answer: 4\nNo, wait.\nAnswer: 45", "45"),
        ("Answer:\n- 45\n- 46", "- 45\n- 46"),
        ("Answer: 45\nHope this helps!", "45"),
        ("Answer: 45\nAnswer:", "45"),
        ("The answer is 45", "The answer is 45"),
        ("My question was answered: yes\nso 45", "My question was answered: yes\nso 45"),
        ("Answer: 2 ** 3", "2 ** 3"),
        ("Answer:", "Answer:"),
        ("", ""),
    ],
)
def test_the_answer_line_is_found_leniently(text: str, expected: str) -> None:
    assert parse_answer(text) == expected


@given(st.text() | st.lists(st.sampled_from(["Answer:", "Ответ:", "**", "\n", " ", "x", "`", "Final "])).map("".join))
@example("**Answer:**")
def test_parsing_an_answer_is_total_and_takes_a_part_of_the_reply(text: str) -> None:
    assert parse_answer(text) in text


def test_every_request_gets_one_answer_row_whatever_became_of_it() -> None:
    asked = [rendered(question(question_id="q1"), SESSIONS, LITELLM)] * 4
    outcomes = [
        Outcome("q1", "ok", "so\nAnswer: 45", "stop", "x-1", {"total_tokens": 9}, 1, None, False),
        Outcome("q1", "truncated", "Answer: 4", "length", "x-1", {}, 1, None, True),
        Outcome("q1", "refused", "", "content_filter", None, {}, 1, "filter", False),
        Outcome("q1", "error", "", None, None, {}, 6, "empty reply", False),
    ]
    answers = to_answers(asked, outcomes)
    assert [(a.status, a.answer, a.raw) for a in answers] == [
        ("ok", "45", "so\nAnswer: 45"),
        ("truncated", "", "Answer: 4"),
        ("refused", "", ""),
        ("error", "", ""),
    ]
    first = answers[0]
    assert (first.model_requested, first.model_resolved) == ("openai/x", "x-1")
    assert (first.request_sha256, first.packet_sha256, first.scaffold_sha256) == (
        asked[0].sha256,
        sha256(SESSIONS),
        sha256(""),
    )
    with pytest.raises(ValueError, match="shorter"):
        to_answers(asked, outcomes[:3])


def test_a_pass_is_read_once_and_another_pass_anew(tmp_path: Path) -> None:
    calls: list[str] = []

    async def provider(messages: list[dict[str, str]], parameters: dict[str, Any]) -> Response:
        calls.append(parameters["model"])
        return Response("Answer: 45", "stop", "x-1", {}, {})

    def asked() -> Iterator[Request]:
        return render_requests([question()], [packet()], [scaffold()], LITELLM)

    first = read_pass(asked(), LITELLM, tmp_path / "calls", draw=1, total=1, transport=provider)
    again = read_pass(asked(), LITELLM, tmp_path / "calls", draw=1, total=1, transport=provider)
    assert first == again
    assert first[0].answer == "45"
    assert len(calls) == 1
    read_pass(asked(), LITELLM, tmp_path / "calls", draw=2, total=1, transport=provider)
    assert len(calls) == 2


def test_the_floor_reader_reads_a_pass(tmp_path: Path) -> None:
    asked = render_requests([question()], [packet()], [scaffold()], EXTRACTIVE)
    (answer,) = read_pass(asked, EXTRACTIVE, tmp_path, draw=1, total=1)
    assert (answer.status, answer.answer) == ("ok", "My cello lessons cost 45 euros an hour.")
    assert answer.model_requested == answer.model_resolved == extractive.MODEL
