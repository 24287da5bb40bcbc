"""How a judge's reply is read: total (any text gives a reading), by rule, and never a guess.

What is read of a reply, once text between <think> and </think> is gone:

1. JSON-like objects, fenced or not, with single quotes, bare keys or a stray comma: the values of the known keys. A
   known key whose value is no verdict makes the reply contradictory.
2. In what is left, the opening (first sentence of the first line) and the closing (the last line if it is one sentence,
   else its last sentence if that one says that the answer is or is not right). A label such as `Verdict:` may precede.

A sentence is a verdict if it opens with yes or no (a pause or the start of a new clause must follow, so "No errors" is
none), if its first clause is a word like correct or wrong alone, or if a clause says that the answer is such. A doubt
("almost", "but") or a word like wrong takes the verdict from a sentence that would mean yes. Two readings that
contradict each other, or none, give no verdict. Words are English and Russian, as the prompts are: another language, or
a digit, is no verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from memtrial.text import tokens

Sides = frozenset[bool]
_NEITHER: Sides = frozenset()
_BOTH: Sides = frozenset({True, False})


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_WORDS = {
    **dict.fromkeys(("yes", "да"), True),
    **dict.fromkeys(("no", "нет"), False),
}
_LABELS = {
    **dict.fromkeys(_set("correct right true верно верен верна верный правильно правильный правилен"), True),
    **dict.fromkeys(
        _set("incorrect wrong false неверно неверен неверна неверный неправильно неправильный неправилен"), False
    ),
}
_NEGATORS = _set("not isn't isnt wasn't ain't не")
_ADVERBS = _set("clearly completely entirely fully indeed quite really totally definitely вполне полностью")
_COPULAS = _set("is was are seems looks является")
_SUBJECTS = _set("answer response reply it this that prediction ответ это он")
_ATTRIBUTES = _set("the this that model given candidate proposed student reader system данный этот")
_CONNECTIVES = _set("so thus therefore hence overall and итак значит поэтому следовательно")
_DOUBTS = _set(
    "almost partially partly mostly nearly half maybe perhaps possibly probably but except however unless although "
    "though only if unsure почти частично отчасти возможно вероятно но кроме однако если хотя"
)
_FOLLOWERS = _SUBJECTS | _ATTRIBUTES | _set("because since as i he she they there потому так она они я")

_KEYS = _set("verdict correct is_correct answer label result judgement judgment decision вердикт верно правильно ответ")
_GRADE_KEYS = _set("grade score rating mark оценка балл")

_REASONING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_REASONED = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_OBJECT = re.compile(r"\{([^{}]*)(?:\}|\Z)")
_KEY = r"(?:\"([^\"\\]*)\"|'([^'\\]*)'|([^\W\d]\w*))"
_VALUE = r"(?:\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|([^\s,\"'][^,\n]*))"
_PAIR = re.compile(rf"{_KEY}\s*:\s*{_VALUE}", re.DOTALL)
_FENCE = re.compile(r"^\s*(?:```|~~~)\w*\s*$", re.MULTILINE)
_LABEL = re.compile(
    r"\A\W*(?:(?:the|my|final|overall|итоговый|итоговая)\s+)*"
    r"(?:verdict|answer|correct|judge?ment|result|conclusion|label|decision|grade|score|вердикт|ответ|оценка|балл|итог)\W*?[:=]",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")
_PAUSE = re.compile(r"[,;.!?…()\[\]—–\"«»*]+|\s-\s")
_OUT_OF = r"(?:\s*(?:/|of|out of|из)\s*3)?"
_GRADE = re.compile(rf"([0-3])(?:[.,]0+)?{_OUT_OF}")
# Nothing may follow a labelled grade that would make it another number, or one of two.
_LED_GRADE = re.compile(rf"\W*([0-3])(?:[.,]0+)?{_OUT_OF}(?![.,/]?\d|\s*(?:/|of|out of|из|or|или|to|-|–)\s*\d)(?!\w)")


def verdict(text: str) -> bool | None:
    """The verdict of a reply to a yes/no question: True (right), False (wrong), None (unparseable).

    >>> verdict("No. Yesterday is not the date"), verdict("The answer is correct"), verdict("Yes and no")
    (False, True, None)
    """
    values, rest = _split(text, _KEYS)
    sides = frozenset[bool]().union(*map(_value, values))
    if lines := _lines(rest):
        sides |= _opening(lines[0]) | _closing(lines[-1])
    return next(iter(sides)) if len(sides) == 1 else None


def grade(text: str) -> int | None:
    """The grade 0, 1, 2 or 3 of a reply: of an object's known key, else of a bare or labelled grade; None elsewise.

    A labelled grade (`Grade: 2, since ...`) may be followed by words, a bare one stands alone in the first or last
    line.

    >>> grade('{"grade": 2,}'), grade("Оценка: 3"), grade("2 or 3"), grade("5")
    (2, 3, None, None)
    """
    values, rest = _split(text, _GRADE_KEYS)
    found: set[int | None] = {_bare_grade(v) for v in values}
    for line in _lines(rest)[:1] + _lines(rest)[-1:]:
        label = _LABEL.match(line)
        led = _LED_GRADE.match(line, label.end()) if label else None
        if led:
            found.add(int(led[1]))
        elif (bare := _bare_grade(line)) is not None:
            found.add(bare)
    return next(iter(found)) if len(found) == 1 else None


def _bare_grade(text: str) -> int | None:
    found = _GRADE.fullmatch(text.strip(" \t\r\n.*_#`\"'"))
    return int(found[1]) if found else None


def _split(text: str, keys: frozenset[str]) -> tuple[list[str], str]:
    """Values of the known keys in the reply's objects, and the reply without reasoning, objects and fences."""
    reply = _REASONED.sub("", _REASONING.sub("", text))
    values = [
        next(v for v in pair.groups()[3:] if v is not None)
        for found in _OBJECT.finditer(reply)
        for pair in _PAIR.finditer(found[1])
        if next(k for k in pair.groups()[:3] if k is not None).casefold() in keys
    ]
    return values, _FENCE.sub("", _OBJECT.sub("", reply))


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if tokens(line)]


def _value(value: str) -> Sides:
    """An object's value: one verdict word, or a label with or without a negation."""
    words = tokens(value)
    side = _alone(words) or ({_WORDS[words[0]]} if len(words) == 1 and words[0] in _WORDS else None)
    return frozenset(side) if side else _BOTH


def _opening(line: str) -> Sides:
    sentences = _sentences(line)
    return _read(sentences[0]) if sentences else _NEITHER


def _closing(line: str) -> Sides:
    sentences = _sentences(line)
    if len(sentences) == 1:
        return _read(sentences[0])
    return _settled(_declared(_clauses(sentences[-1])), sentences[-1]) if sentences else _NEITHER


def _sentences(line: str) -> list[str]:
    return [s for s in _SENTENCE.findall(_LABEL.sub("", line, count=1)) if tokens(s)]


def _clauses(sentence: str) -> list[list[str]]:
    return [words for clause in _PAUSE.split(sentence) if (words := tokens(clause))]


def _read(sentence: str) -> Sides:
    """What a sentence that may be a verdict says."""
    clauses = _clauses(sentence)
    first = clauses[0]
    sides = _alone(first)
    if first[0] in _WORDS and (len(first) == 1 or first[1] in _FOLLOWERS or first[1] in ("and", "or", "и", "или")):
        sides |= {_WORDS[w] for words in clauses for w in words if w in _WORDS}
    if sides:
        sides = sides.union(*map(_alone, clauses[1:]))
    return _settled(sides | _declared(clauses), sentence)


def _settled(sides: Sides, sentence: str) -> Sides:
    """A question says nothing, nor does a yes with a doubt or with a word like wrong beside it."""
    doubtful = sides == {True} and any(w in _DOUBTS or _LABELS.get(w) is False for w in tokens(sentence))
    return _NEITHER if doubtful or sentence.rstrip(" *_`\"'»)").endswith("?") else sides


def _declared(clauses: Iterable[list[str]]) -> Sides:
    """What clauses such as "the answer is not correct" say."""
    return _NEITHER.union(*map(_declaration, clauses))


def _declaration(words: list[str]) -> Sides:
    at = _skip(words, 0, _CONNECTIVES)
    subject = _skip(words, at, _ATTRIBUTES | _SUBJECTS)
    if not _SUBJECTS.intersection(words[at:subject]):
        return _NEITHER
    said = words[_skip(words, subject, _COPULAS) :]
    end = next((i for i, w in enumerate(said) if w in _LABELS), len(said)) + 1
    sides = _alone(said[:end])
    # "It is true that the answer is wrong": what follows turns the label into something else.
    turned = any(w in _NEGATORS or (w in _LABELS and _LABELS[w] not in sides) for w in said[end:])
    return _NEITHER if turned else sides


def _skip(words: list[str], at: int, known: frozenset[str]) -> int:
    while at < len(words) and words[at] in known:
        at += 1
    return at


def _alone(words: list[str]) -> Sides:
    """The side of a label with nothing but adverbs and one negation before it; a negated negative is none."""
    if not words or words[-1] not in _LABELS:
        return _NEITHER
    before = [w for w in words[:-1] if w not in _ADVERBS]
    if not before:
        return frozenset({_LABELS[words[-1]]})
    negated = len(before) == 1 and before[0] in _NEGATORS and _LABELS[words[-1]]
    return frozenset({False}) if negated else _NEITHER
