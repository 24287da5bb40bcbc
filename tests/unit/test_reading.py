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
from memtrial.reading.answers import apart, parse_answer, to_answers
from memtrial.reading.requests import parameters, prompt, render_requests
from memtrial.reading.run import read_pass
from memtrial.reading.window import Window, overflow, window
from memtrial.records import Message, Packet, Question, Request, Scaffold
from memtrial.request import canonical_parameters, make_request
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
        "prompt_sha256": prompts.PROMPT_SHA256,
    }
    assert request.chars == len(message.content)


def test_empty_parts_are_left_out_with_their_instructions() -> None:
    text = prompt(question(asked_at=None), SESSIONS, "")
    words = prompts.EN
    for absent in (words.date, words.options, words.scaffold, words.use_options, words.use_scaffold):
        assert absent not in text
    assert text.startswith(words.question)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_how_to_use_the_index_is_told_only_where_there_is_one(language: str) -> None:
    words = prompts.wording(language)
    told = words.use_scaffold.split("\n")
    asked = question(language=language)
    with_index, without = prompt(asked, SESSIONS, "index"), prompt(asked, SESSIONS, "")
    assert len(told) > 5
    assert all(line in with_index.split("\n") and line not in without for line in told)
    assert all(line in without for line in words.use_sessions.split("\n"))


def test_both_languages_give_as_many_instructions() -> None:
    for part in ("use_sessions", "use_options", "use_scaffold", "use_answer"):
        counts = {getattr(words, part).count("\n") for words in (prompts.EN, prompts.RU)}
        assert len(counts) == 1, part


def test_a_changed_prompt_has_a_new_version() -> None:
    """An edit that fails here needs a new `PROMPT_VERSION`, then this hash."""
    assert (prompts.PROMPT_VERSION, prompts.PROMPT_SHA256[:16]) == ("reader-2", "8ffc99171c64568c")


def test_the_answers_of_an_import_reader_are_asked_of_nobody() -> None:
    assert list(render_requests([question()], [packet()], [scaffold()], {"kind": "import", "fields": {}})) == []


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


@pytest.mark.parametrize(
    ("text", "reasoning", "reply"),
    [
        ("Answer: 45", "", "Answer: 45"),
        (" plain ", "", " plain "),
        ("<think>\nHm, 44?\n</think>\n\nAnswer: 45", "Hm, 44?", "Answer: 45"),
        ("<THINKING>a</thinking>Ответ: 45", "a", "Ответ: 45"),
        ("Hm, 44?\n</think>\nAnswer: 45", "Hm, 44?", "Answer: 45"),
        ("<think>a</think>so <think>b</think>Answer: 45", "a\n\nb", "so Answer: 45"),
        ("Answer: 45 <think>or 44", "or 44", "Answer: 45"),
        ("<think>Answer: 44", "Answer: 44", ""),
        ("a</think>b</think>c", "ab", "c"),
        ("1 < 2 and <b>3</b>", "", "1 < 2 and <b>3</b>"),
    ],
)
def test_marked_reasoning_is_put_apart(text: str, reasoning: str, reply: str) -> None:
    assert apart(text) == (reasoning, reply)


MARKS = ["<think>", "</think>", "<thinking>", "</thinking>", "Answer: 4", "\n", "x", "<", ">"]


@given(st.text() | st.lists(st.sampled_from(MARKS)).map("".join))
def test_putting_reasoning_apart_is_total_and_leaves_no_mark(text: str) -> None:
    reasoning, reply = apart(text)
    assert apart(reply) == ("", reply)
    assert not any(mark in reply for mark in MARKS[:4])
    assert len(reasoning) + len(reply) <= len(text) + 2 * text.count("<")
    if not any(mark in text.lower() for mark in ("think", "thought", "reasoning")):
        assert (reasoning, reply) == ("", text)


def test_reasoning_goes_into_its_own_field_and_alone_is_no_answer() -> None:
    asked = [rendered(question(), SESSIONS, LITELLM)] * 4
    texts = ["<think>Answer: 44</think>Answer: 45", "Answer: 45", "<think>Answer: 44", "**"]
    told = ["", "by the provider", "by the provider", ""]
    answers = to_answers(
        asked,
        [Outcome("q1", "ok", t, "stop", "x-1", {}, 1, None, False, r) for t, r in zip(texts, told, strict=True)],
    )
    assert [(a.status, a.answer, a.reasoning) for a in answers] == [
        ("ok", "45", "Answer: 44"),
        ("ok", "45", "by the provider"),
        ("error", "", "by the provider\n\nAnswer: 44"),
        ("error", "", ""),
    ]
    assert [a.raw for a in answers] == texts
    assert answers[2].error == "the reply holds reasoning or markup alone"


def sized(chars: int, **parameters: Any) -> Request:
    return make_request("q1", [Message("user", "x" * chars)], canonical_parameters("openai/x", parameters), {})


@pytest.mark.parametrize(
    ("chars", "parameters", "told"),
    [
        (4 * 31744, {"max_tokens": 1024}, None),
        (4 * 31744 + 1, {"max_tokens": 1024}, "31,745 + 1,024 proxy tokens do not fit into 32,768"),
        (4 * 32768, {}, None),
        (4, {"max_completion_tokens": 32768}, "1 + 32,768 proxy tokens do not fit into 32,768"),
    ],
)
def test_a_request_that_does_not_fit_is_told_with_its_size(
    chars: int, parameters: dict[str, Any], told: str | None
) -> None:
    limit = window({**LITELLM, "context_tokens": 32768})
    assert overflow(sized(chars, **parameters), limit) == told


def test_a_named_tokenizer_counts_instead_of_the_proxy() -> None:
    limit = window({**LITELLM, "context_tokens": 100, "tokenizer": "o200k_base"})
    assert limit.counter
    request = sized(0)._replace(messages=[Message("user", "попугай " * 50)])
    exact = limit.counter("попугай " * 50)
    assert 100 < exact < 400
    assert overflow(request, limit) == f"{exact} + 0 tokens do not fit into 100"
    assert overflow(request, limit._replace(tokens=exact)) is None


def test_the_window_of_a_model_is_the_configs_else_the_tables_else_unknown_and_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert window({**LITELLM, "model": "openai/gpt-4o", "context_tokens": 9}).tokens == 9
    assert window({**LITELLM, "model": "openai/gpt-4o", "context_tokens": None})[::2] == (128000, "")
    unknown = window({**LITELLM, "model": "openai/no-such-model"})
    assert unknown.tokens is None
    assert "unknown" in unknown.problem
    assert "openai/no-such-model: context window unknown" in caplog.text
    assert overflow(sized(10**6), unknown) is None
    assert window(EXTRACTIVE) == window({"kind": "import"}) == Window(None, None, "")


def test_a_local_reader_is_asked_with_the_name_and_hash_of_its_weights() -> None:
    spec = {"kind": "local", "model": "smollm2-135m", "parameters": {"max_tokens": 9}}
    request = rendered(question(), SESSIONS, spec)
    told = json.loads(request.parameters)
    assert (told["model"].split("@")[0], told["max_tokens"], told["temperature"]) == ("smollm2-135m", 9, 0)
    assert window(spec).tokens == 4096
    assert window({**spec, "context_tokens": 8192}).tokens == 8192


def test_what_is_over_the_window_is_not_sent_and_keeps_its_row(tmp_path: Path) -> None:
    sent: list[str] = []

    async def provider(messages: list[dict[str, str]], parameters: dict[str, Any]) -> Response:
        sent.append(messages[0]["content"])
        return Response("Answer: 45", "stop", "x-1", {}, {})

    asked = [question(question_id="q1"), question(question_id="q2")]
    packets = [packet(SESSIONS, "q1"), packet(SESSIONS * 50, "q2")]
    spec = {**LITELLM, "context_tokens": 4096}
    requests = list(render_requests(asked, packets, [scaffold("", "q1"), scaffold("", "q2")], spec))
    answers = read_pass(requests, spec, tmp_path, draw=1, total=2, transport=provider)
    assert [a.status for a in answers] == ["ok", "error"]
    assert answers[1].error == f"{requests[1].proxy_tokens:,} + 1,024 proxy tokens do not fit into 4,096"
    assert (len(sent), answers[1].attempts) == (1, 0)


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
