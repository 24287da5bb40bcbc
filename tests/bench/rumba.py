"""A stand-in for RUMBA (arXiv 2607.21447): its published shape and size, with invented words in Russian and English.

    python tests/bench/rumba.py rumba_ru.json.gz --language ru [--form github] [--conversations 85 --questions 1543]

85 conversations of 12 to 85 sessions, 1,543 questions, 32 categories, 22 subcategories, 11 subsubcategories, 4 tags of
temporal expressions. Of the names of labels only StaticUser and Abstention, the scopes and the temporalities are known
to be RUMBA's own; the others stand in for what could not be seen. Both languages hold the same questions under the
same ids, and the same arguments give the same bytes. `planted.py` judges them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

CONVERSATIONS, QUESTIONS, SESSIONS = 85, 1543, (12, 85)
SUPERGROUPS = {
    "User": ("StaticUser", "DynamicUser", "Preference"),
    "World": ("Event", "Person", "Place"),
    "Assistant": ("Assistant",),
    "Abstention": ("Abstention",),
}
SEMANTIC = tuple(name for group in SUPERGROUPS.values() for name in group)
_WEIGHTS = dict(zip(SEMANTIC, (8, 6, 5, 7, 3, 3, 4, 6), strict=True))
_SHARES = {("single", "atemporal"): 4, ("single", "temporal"): 2, ("multi", "atemporal"): 2, ("multi", "temporal"): 2}
CATEGORIES = tuple(f"{semantic}, {scope}, {time}" for semantic, (scope, time) in product(SEMANTIC, _SHARES))
TAGS = ("absolute", "relative", "interval", "order")
DETAILS = ("name", "count", "money", "address", "colour", "update", "order", "gift", "taste", "reason", "request")
ABSTAINED = {"ru": "Нет такой информации.", "en": "No such information."}
_FIRST, _LAST = datetime(2020, 5, 5, 15, 42, 25), datetime(2026, 1, 1)

# Subcategory: what a fact is about, in both languages.
_TOPICS = {
    "pets": ("моя собака", "my dog"), "home": ("мой дом", "my house"), "work": ("моя контора", "my office"),
    "health": ("моя клиника", "my clinic"), "food": ("мой любимый суп", "my favourite soup"),
    "travel": ("мой последний курорт", "my latest resort"), "hobby": ("мой кружок", "my club"),
    "family": ("мой родной посёлок", "my home village"), "study": ("мои курсы", "my course"),
    "sport": ("моя команда", "my team"), "music": ("мой ансамбль", "my band"), "books": ("мой роман", "my novel"),
    "films": ("мой сериал", "my series"), "garden": ("мой сорт яблок", "my apple variety"),
    "transport": ("моя лодка", "my boat"), "money": ("мой банк", "my bank"), "clothes": ("моё ателье", "my tailor"),
    "weather": ("мой приёмник", "my radio set"), "games": ("моя игра", "my game"), "art": ("моя галерея", "my gallery"),
    "friends": ("моё кафе", "my café"), "plans": ("мой проект", "my project"),
}  # fmt: skip
SUBCATEGORIES = tuple(_TOPICS)
_SYLLABLES = tuple(
    zip(
        ["ба", "чи", "до", "фен", "гор", "хул", "ка", "лим", "мо", "нар", "пе", "риз", "су", "тав", "зел", "вур"],
        ["ba", "chi", "do", "fen", "gor", "hul", "ka", "lim", "mo", "nar", "pe", "riz", "su", "tav", "zel", "vur"],
        strict=True,
    )
)
_STATED = ("Кстати, {topic} называется {word}.", "By the way, the name of {topic} is {word}.")
_TOLD = ("Советую запомнить: {topic} называется {word}.", "Better note it: the name of {topic} is {word}.")
_ASKED = {
    "single": ("Как называется {topic}{when}?", "What is the name of {topic}{when}?"),
    "multi": ("Под какими названиями упоминается {topic}{when}?", "Under which names did I mention {topic}{when}?"),
}
_WHEN = {
    "absolute": (", если смотреть на {day}", " as of {day}"),
    "relative": (", если вспомнить прошлый месяц", " as of last month"),
    "interval": (", если взять время с {day} до сих пор", " from {day} until now"),
    "order": (", если назвать сначала самое раннее", ", the earliest first"),
}
_SMALL_TALK = (
    ("Расскажи, чем {a} отличается от {b}.", "Tell me how {a} differs from {b}."),
    ("Составь список из пяти советов про {a} и {b}.", "Make a list of five tips about {a} and {b}."),
    ("Вчера мы долго спорили, что лучше: {a} или {b}.", "Yesterday we argued at length which is better: {a} or {b}."),
    ("Переведи на простой язык слово {a}, а потом {b}.", "Put the word {a} in plain words, and then {b}."),
)
_REPLIES = (
    ("Коротко: {a} проще, зато {b} надёжнее.", "In short: {a} is simpler, but {b} is more reliable."),
    ("Хорошо, начнём с {a}; {b} оставим на потом.", "Good, let us begin with {a} and leave {b} for later."),
    ("Об этом много пишут: {a} встречается чаще, чем {b}.", "Much is written on it: {a} is met more often than {b}."),
)
_LANGUAGES = ("ru", "en")
Word = tuple[int, ...]


class Turn(NamedTuple):
    """A turn before it is put into words: the template in both languages and what fills it."""

    role: str
    template: tuple[str, str]
    topic: str
    words: tuple[Word, ...]


class Question(NamedTuple):
    """A question with its labels; `evidence` are session numbers (from 1), `words` the values that it asks for."""

    question_id: str
    category: str
    subcategory: str | None
    subsubcategory: str | None
    tag: str | None
    topic: str
    words: tuple[Word, ...]
    evidence: tuple[int, ...]
    asked_at: datetime

    @property
    def parts(self) -> tuple[str, str, str]:
        """Semantic type, scope and temporality."""
        semantic, scope, temporality = self.category.split(", ")
        return semantic, scope, temporality


class Conversation(NamedTuple):
    """The times and the turns of its sessions, and its questions."""

    index: int
    times: list[datetime]
    sessions: list[list[Turn]]
    questions: list[Question]


def conversations(
    seed: int = 0, n: int = CONVERSATIONS, questions: int = QUESTIONS, sessions: tuple[int, int] = SESSIONS
) -> list[Conversation]:
    """`n` conversations (two or more) whose numbers of sessions reach from `sessions[0]` to `sessions[1]`."""
    rng = random.Random(seed)
    low, high = sessions
    sizes = [low, high, *(round(low + (high - low) * rng.betavariate(2, 2)) for _ in range(n - 2))]
    rng.shuffle(sizes)
    labels = _labels(rng, questions)
    made, start = [], 0
    for index, count in enumerate(_counts(rng, n, questions)):
        made.append(_conversation(rng, index, sizes[index], labels[start : start + count]))
        start += count
    return made


def _counts(rng: random.Random, n: int, total: int) -> list[int]:
    """`total` questions over n conversations, some with thrice as many as others."""
    weights = [rng.uniform(0.5, 1.5) for _ in range(n)]
    return _shares(weights, total)


def _shares(weights: Sequence[float], total: int) -> list[int]:
    """Whole numbers that sum to `total` in these proportions, none of them 0 (largest remainder)."""
    spare = total - len(weights)
    exact = [w / sum(weights) * spare for w in weights]
    counts = [int(e) for e in exact]
    by_remainder = sorted(range(len(weights)), key=lambda i: (counts[i] - exact[i], i))
    for i in by_remainder[: spare - sum(counts)]:
        counts[i] += 1
    return [count + 1 for count in counts]


def _labels(rng: random.Random, total: int) -> list[tuple[str, str | None, str | None, str | None]]:
    """Category, subcategory, subsubcategory and tag of each question, in random order."""
    weights = [_WEIGHTS[semantic] * _SHARES[share] for semantic, share in product(SEMANTIC, _SHARES)]
    counts = _shares(weights, total)
    listed = [category for category, count in zip(CATEGORIES, counts, strict=True) for _ in range(count)]
    rng.shuffle(listed)
    times = iter(range(total))
    return [
        (
            category,
            SUBCATEGORIES[i % len(SUBCATEGORIES)] if rng.random() < 0.85 else None,
            DETAILS[i % len(DETAILS)] if rng.random() < 0.5 else None,
            TAGS[next(times) % len(TAGS)] if category.endswith(", temporal") else None,
        )
        for i, category in enumerate(listed)
    ]


def _word(rng: random.Random) -> Word:
    return tuple(rng.randrange(len(_SYLLABLES)) for _ in range(4))


def _conversation(rng: random.Random, index: int, sessions: int, labels: Sequence[Any]) -> Conversation:
    span = _LAST - timedelta(days=40) - _FIRST
    start = _FIRST + timedelta(days=int(span.days * rng.random() * 0.6) if index else 0)
    step = timedelta(hours=min(9 * 24, (_LAST - timedelta(days=40) - start) // timedelta(hours=sessions)))
    times = [start + step * s + timedelta(minutes=rng.randrange(300)) for s in range(sessions)]
    times[0] = start
    talks = [_small_talk(rng) for _ in range(sessions)]
    asked = [_question(rng, f"{index}|q{q}", label, times, talks) for q, label in enumerate(labels)]
    return Conversation(index, times, talks, asked)


def _small_talk(rng: random.Random) -> list[Turn]:
    turns = []
    for _ in range(rng.randint(2, 4)):
        words = (_word(rng), _word(rng))
        turns.append(Turn("user", rng.choice(_SMALL_TALK), "", words))
        turns.append(Turn("assistant", rng.choice(_REPLIES), "", words))
    return turns


def _question(
    rng: random.Random, question_id: str, label: Any, times: Sequence[datetime], talks: Sequence[list[Turn]]
) -> Question:
    """A question on facts that are put into its evidence sessions, unless it wants an abstention."""
    category, subcategory, detail, tag = label
    topic = subcategory or rng.choice(SUBCATEGORIES)
    semantic, scope, _ = category.split(", ")
    count = 1 if scope == "single" else rng.randint(2, 7)
    evidence = tuple(sorted(rng.sample(range(1, len(times) + 1), count)))
    words = tuple(_word(rng) for _ in evidence)
    if semantic != "Abstention":
        role, template = ("assistant", _TOLD) if semantic == "Assistant" else ("user", _STATED)
        for number, word in zip(evidence, words, strict=True):
            talk = talks[number - 1]
            talk.insert(rng.randrange(len(talk) + 1), Turn(role, template, topic, (word,)))
    last = times[evidence[-1] - 1]
    asked_at = min(last + timedelta(days=rng.randint(1, 400), seconds=rng.randrange(86400)), _LAST)
    return Question(question_id, category, subcategory, detail, tag, topic, words, evidence, asked_at)


def _said(word: Word, language: str) -> str:
    return "".join(_SYLLABLES[i][_LANGUAGES.index(language)] for i in word).capitalize()


def turn_text(turn: Turn, language: str) -> str:
    """A turn in words."""
    at = _LANGUAGES.index(language)
    words = [_said(word, language) for word in turn.words]
    if turn.topic:
        return turn.template[at].format(topic=_TOPICS[turn.topic][at], word=words[0])
    return turn.template[at].format(a=words[0], b=words[1])


def question_text(question: Question, language: str) -> str:
    """A question in words."""
    at = _LANGUAGES.index(language)
    when = _WHEN[question.tag][at].format(day=f"{question.asked_at:%d.%m.%Y}") if question.tag else ""
    return _ASKED[question.parts[1]][at].format(topic=_TOPICS[question.topic][at], when=when)


def answer_text(question: Question, language: str) -> str:
    """The reference answer."""
    if question.parts[0] == "Abstention":
        return ABSTAINED[language]
    return ", ".join(_said(word, language) for word in question.words) + "."


def hub_rows(made: Sequence[Conversation], language: str) -> Iterator[str]:
    """The rows of the hub's form as JSON, one a question, each with the whole conversation."""
    for c in made:
        talk = json.dumps(
            [
                {
                    "session_idx": s,
                    "session_datetime": time.isoformat(),
                    "conversation": [{"role": t.role, "message": turn_text(t, language)} for t in turns],
                }
                for s, (time, turns) in enumerate(zip(c.times, c.sessions, strict=True), start=1)
            ],
            ensure_ascii=False,
        )
        for q in c.questions:
            row = {
                "id": q.question_id,
                "conversation_idx": c.index,
                "user_id": f"user_{c.index}",
                "question": question_text(q, language),
                "answer": answer_text(q, language),
                "category": q.category,
                "subcategory": q.subcategory,
                "subsubcategory": q.subsubcategory,
                "text_temporal_expression": q.tag,
                "evidence": list(q.evidence),
                "question_date": q.asked_at.isoformat(),
            }
            yield f'{json.dumps(row, ensure_ascii=False)[:-1]}, "conversation": {talk}}}'


def github_rows(made: Sequence[Conversation], language: str) -> Iterator[str]:
    """The rows of the repository's form as JSON, one a conversation; evidence is given by its text."""
    for c in made:
        names = {"user": f"user_{c.index}", "assistant": "assistant"}
        talk: dict[str, Any] = {"speaker_a": names["user"], "speaker_b": names["assistant"]}
        for s, (time, turns) in enumerate(zip(c.times, c.sessions, strict=True), start=1):
            talk[f"session_{s}"] = [{"speaker": names[t.role], "text": turn_text(t, language)} for t in turns]
            talk[f"session_{s}_date_time"] = f"{time.isoformat()}Z"
        yield json.dumps(
            {
                "dialogue_id": c.index,
                "conversation": talk,
                "qa": [_github_question(c, q, language) for q in c.questions],
            },
            ensure_ascii=False,
        )


def _github_question(c: Conversation, q: Question, language: str) -> dict[str, Any]:
    said = [turn for s in q.evidence for turn in c.sessions[s - 1] if turn.words[0] in q.words]
    if not said:  # nobody said it: the first turn of each session that comes near
        said = [c.sessions[s - 1][0] for s in q.evidence]
    return {
        "question": question_text(q, language),
        "answer": answer_text(q, language),
        "evidence": [{"content": turn_text(turn, language)} for turn in said],
        "category": q.category,
    }


FORMS = {"hub": hub_rows, "github": github_rows}


def write(path: Path, made: Sequence[Conversation], language: str, form: str = "hub") -> None:
    """Write a file (.json or .json.gz) in one of the two published forms."""
    with path.open("wb") as file, _compressed(file) if path.suffix == ".gz" else nullcontext(file) as out:
        for i, row in enumerate(FORMS[form](made, language)):
            out.write(("[" if i == 0 else ",\n").encode() + row.encode())
        out.write(b"]\n")


def _compressed(file: BinaryIO) -> gzip.GzipFile:
    # Without a time and a name in its head the file has the same bytes each time.
    return gzip.GzipFile("", "wb", compresslevel=1, fileobj=file, mtime=0)


def main() -> None:
    parser = argparse.ArgumentParser(description="write a file of RUMBA's shape")
    parser.add_argument("path", type=Path)
    parser.add_argument("--language", choices=_LANGUAGES, default="ru")
    parser.add_argument("--form", choices=sorted(FORMS), default="hub")
    parser.add_argument("--conversations", type=int, default=CONVERSATIONS)
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    made = conversations(args.seed, args.conversations, args.questions)
    write(args.path, made, args.language, args.form)


if __name__ == "__main__":
    main()
