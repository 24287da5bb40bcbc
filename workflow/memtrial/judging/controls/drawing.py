"""Which controls a benchmark gives: drawn from its questions and gold by hashes, whatever the order of the rows.

Every arm takes question types (by language) in turn, so that each is covered as evenly as the benchmark allows.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

from memtrial.errors import InputError
from memtrial.judging.controls.changes import change, names_of
from memtrial.judging.controls.values import differs_from_all, pick, value_words
from memtrial.judging.controls.wording import ABSTAINING, NOTED, TOPIC_WORDS, VAGUE, WITHHELD
from memtrial.judging.lexical import abstains, normal_tokens
from memtrial.judging.protocols.base import is_abstention
from memtrial.records import Gold, Question
from memtrial.stopwords import STOP_WORDS
from memtrial.text import sha256, tokens

# Question types whose gold describes a good answer instead of giving one.
DESCRIBED = frozenset({"single-session-preference"})
ARCHIVIST_SEED, ARCHIVIST_N = 20260830, 12
_POSSESSIVE = re.compile(r"['’]s$")
_WORD = re.compile(r"[^\W_][\w’'-]*")


class Settings(NamedTuple):
    """How controls are drawn and what is asked of a judge.

    `sample` is `even` or `archivist`, `n` the controls of an arm (fewer where the benchmark has fewer), `threshold` the
    least share that every arm must pass, `confidence` that of the printed intervals; `enforce`: a judge that fails
    scores nothing.
    """

    sample: str
    n: int
    threshold: float
    confidence: float
    seed: int
    enforce: bool


class Arm(NamedTuple):
    """A kind of control: what a judge must say of it, and what it is in words."""

    expected: bool
    shows: str


ARMS = {
    "positive": Arm(True, "the reference itself is right"),
    "negative": Arm(False, "the reference of another question is wrong"),
    "negative-hard-changed": Arm(False, "the reference with one number, date or name changed is wrong"),
    "negative-hard-vague": Arm(False, "talk about the topic that does not give the value is wrong"),
    "abstention-recognised": Arm(True, "abstaining is right where the conversations hold no answer"),
    "abstention-answered": Arm(False, "a made-up answer is wrong where the conversations hold none"),
    "abstention-unfounded": Arm(False, "abstaining is wrong where the conversations hold the answer"),
}


class Control(NamedTuple):
    """An answer whose verdict is known. `control_id` is `{arm}/{question_id}`, `how` says how the answer was made."""

    control_id: str
    question_id: str
    arm: str
    answer: str
    expected: bool
    how: str


Made = tuple[str, str] | None  # an answer and how it was made


def draw(questions: Iterable[Question], gold: Iterable[Gold], settings: Settings) -> list[Control]:
    """Controls in order of `control_id`. An arm for which the benchmark has nothing is left out.

    `archivist` takes the paper's sample: `random.Random(20260830).sample(rows, 12)` over the answerable rows in the
    order given (there no answers exist yet, so its "response of another row" is the reference of another row).
    Raises `InputError` where questions and gold are not of the same questions, or for another sample.
    """
    asked, golds = {q.question_id: q for q in questions}, {g.question_id: g for g in gold}
    if odd := asked.keys() ^ golds.keys():
        raise InputError(f"questions and gold differ by question '{min(odd)}'", file="gold", field="question_id")
    source = _Source(asked, golds, settings.seed)
    if settings.sample == "archivist":
        drawn = _archivist(source, list(golds))
    elif settings.sample == "even":
        makers = source.makers()
        drawn = chain.from_iterable(source.arm(arm, *makers[arm], settings.n) for arm in ARMS)
    else:
        raise InputError(f"expected even or archivist, found '{settings.sample}'", field="controls.sample")
    return sorted(drawn)


def archivist_sample(ids: Sequence[str]) -> list[str]:
    """The paper's sample of the ids of answerable rows: it depends on their order."""
    return random.Random(ARCHIVIST_SEED).sample(list(ids), min(ARCHIVIST_N, len(ids)))


def _archivist(source: _Source, order: Sequence[str]) -> Iterator[Control]:
    chosen = archivist_sample([i for i in order if not is_abstention(source.golds[i])])
    for at, i in enumerate(chosen):
        references = source.golds[i].reference_answers
        if not source.described(i):
            yield _control("positive", i, (references[0], "its reference"))
        for other in chosen[at + 1 :] + chosen[:at]:
            answer = source.golds[other].reference_answers[0]
            if differs_from_all(answer, references):
                yield _control("negative", i, (answer, f"reference of {other}"))
                break


def _control(arm: str, question_id: str, made: tuple[str, str]) -> Control:
    return Control(f"{arm}/{question_id}", question_id, arm, made[0], ARMS[arm].expected, made[1])


class _Source:
    """A benchmark's questions and gold, and the answers that controls can be made of."""

    def __init__(self, asked: Mapping[str, Question], golds: Mapping[str, Gold], seed: int) -> None:
        self.asked, self.golds, self.seed = asked, golds, seed
        ids = sorted(golds)
        self.abstention = [i for i in ids if is_abstention(golds[i])]
        self.answerable = [i for i in ids if not is_abstention(golds[i])]
        self.valued = [i for i in self.answerable if not _withheld(golds[i])]
        self.donors = [i for i in self.valued if not _noted(golds[i])]
        self.opening = {i: (tokens(q.question) or [""])[0] for i, q in asked.items()}
        self.kind_words = {i: _kind_words(q.question) for i, q in asked.items()}
        texts = [q.question for q in asked.values()] + [r for g in golds.values() for r in g.reference_answers]
        self.named = names_of({i: golds[i].reference_answers[0] for i in self.donors}, texts)

    def makers(self) -> dict[str, tuple[list[str], Callable[[str], Made]]]:
        """By arm the questions that it can take, and what makes the answer to one of them."""
        given = [i for i in self.answerable if not self.described(i) and not _noted(self.golds[i])]
        exact = [i for i in self.valued if not self.described(i)]
        return {
            "positive": (given, self.reference),
            "negative": (self.answerable, self.other),
            "negative-hard-changed": (exact, self.changed),
            "negative-hard-vague": (self.valued, self.vague),
            "abstention-recognised": (self.abstention, self.abstaining),
            "abstention-answered": (self.abstention, self.other),
            "abstention-unfounded": (self.valued, self.abstaining),
        }

    def arm(self, arm: str, ids: list[str], make: Callable[[str], Made], n: int) -> list[Control]:
        """At most n controls of an arm, from each type and language in turn, hash order deciding within and between."""
        strata: dict[tuple[str, str], list[str]] = defaultdict(list)
        for i in sorted(ids, key=lambda i: sha256(f"{self.seed} {arm} {i}")):
            strata[self.golds[i].question_type, self.asked[i].language].append(i)
        queues = [_made(arm, strata[s], make) for s in sorted(strata, key=lambda s: sha256(f"{self.seed} {arm} {s}"))]
        made: list[Control] = []
        while queues and len(made) < n:
            turn = [(queue, next(queue, None)) for queue in queues[: n - len(made)]]
            made += [control for _, control in turn if control]
            queues = [queue for queue, control in turn if control] + queues[len(turn) :]
        return made

    def reference(self, i: str) -> Made:
        return self.golds[i].reference_answers[0], "its reference"

    def other(self, i: str) -> Made:
        """Another question's reference that shares no value: of the same type, and asked alike, if there is one."""
        gold, asked, words = self.golds[i], self.asked[i], value_words(self.asked[i].question)

        def rank(j: str) -> tuple[bool, int, bool, str]:
            return self.golds[j].question_type != gold.question_type, *self.unlike(i, j)

        for j in sorted(self.donors, key=rank):
            if j == i or (self.described(j) and not self.described(i)):
                continue
            answer = self.golds[j].reference_answers[0]
            if self.apart(asked, j, words) and differs_from_all(answer, gold.reference_answers):
                return answer, f"reference of {j}"
        return None

    def described(self, i: str) -> bool:
        return self.golds[i].question_type in DESCRIBED

    def unlike(self, i: str, j: str) -> tuple[int, bool, str]:
        """Order of other questions by how little they ask for the same kind of thing, a hash last."""
        common = len(self.kind_words[i] & self.kind_words[j])
        return -common, self.opening[i] != self.opening[j], sha256(f"{self.seed} {i} {j}")

    def apart(self, asked: Question, j: str, words: frozenset[str]) -> bool:
        """Whether another question's reference cannot happen to answer this one.

        Its words of value are not the question's, and within one conversation the questions share no word either.
        """
        other = self.asked[j]
        if value_words(self.golds[j].reference_answers[0]) & words:
            return False
        return other.conversation_id != asked.conversation_id or not value_words(other.question) & words

    def changed(self, i: str) -> Made:
        """The reference with one thing changed; for a name comes in one that another question of the kind asks for."""
        asked, words = self.asked[i], value_words(self.asked[i].question)
        fit = [j for j in self.named if i in self.named and j != i and self.apart(asked, j, words)]
        names = [self.named[j] for j in sorted(fit, key=partial(self.unlike, i))]
        found = change(self.golds[i].reference_answers, asked.question, self.named.get(i), names, self.seed, i)
        return (found.text, f"{found.kind} changed: {found.before} → {found.after}") if found else None

    def vague(self, i: str) -> Made:
        """The question's own words, but none of the reference's, in a sentence that answers nothing."""
        held = set().union(*(value_words(r) for r in self.golds[i].reference_answers))
        found = [_POSSESSIVE.sub("", w) for w in _WORD.findall(self.asked[i].question)]
        words = [w for w in found if not set(tokens(w)) <= STOP_WORDS]
        topic = [w for w in dict.fromkeys(words) if not set(normal_tokens(w)) & held and not any(map(str.isdigit, w))]
        texts = VAGUE[self.language(i)]
        start = pick(len(texts), self.seed, "vague", i)
        for text in texts[start:] + texts[:start]:
            said = text.format(topic=", ".join(topic[:TOPIC_WORDS]))
            if topic and not set(normal_tokens(said)) & held:
                return said, "on the topic, without the value"
        return None

    def abstaining(self, i: str) -> Made:
        texts = ABSTAINING[self.language(i)]
        return texts[pick(len(texts), self.seed, "abstain", i)], "abstains"

    def language(self, i: str) -> str:
        return "ru" if self.asked[i].language == "ru" else "en"


def _made(arm: str, ids: Sequence[str], make: Callable[[str], Made]) -> Iterator[Control]:
    return (_control(arm, i, made) for i in ids if (made := make(i)))


def _kind_words(question: str) -> frozenset[str]:
    """What kind of thing a question asks for: its words of value that are no names."""
    return value_words(" ".join(w for w in question.split() if w.islower()))


def _withheld(gold: Gold) -> bool:
    """Whether a reference says that there is no answer, though the question is not flagged as an abstention."""
    return any(abstains(r) or WITHHELD.search(r) for r in gold.reference_answers)


def _noted(gold: Gold) -> bool:
    """Whether a reference goes on to say what else would be accepted."""
    return any(NOTED.search(r) for r in gold.reference_answers)
