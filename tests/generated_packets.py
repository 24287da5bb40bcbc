"""Random conversations, questions and packets that try to make a scaffold lie: all that is odd about real ones, denser.

A seed gives one case. Forms, cuts and orders of the slots are those that the renderer knows, whether or not a compiler
would choose them: a reader of packets must read them all right.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from memtrial.corpus import Corpus
from memtrial.packet.budget import Budget, assembled, check
from memtrial.packet.rendering import Renderer
from memtrial.records import Dropped, Packet, Question, Session, Slot, Turn

NEAR = datetime(2024, 3, 1, 12, 0)
NUMBERS = (
    "2", "3", "7", "12", "40", "1,200", "4 700", "2.5", "3,5", "0,125", "1.000", "two", "three", "twenty-five",
    "a hundred", "two hundred", "a dozen", "three thousand", "1", "one", "15-20", "5 to 7", "two or three", "1/72",
    "3/4", "2x", "№ 5", "два", "три", "двадцать пять", "сто двадцать", "полтора", "пару", "две тысячи", "пятеро",
    "5–7", "от 5 до 7", "2-3",
)  # fmt: skip
MONEY = (
    "$15", "$1,200", "$3.50", "$ 40", "$5k", "$1.5 million", "85 dollars", "15€", "€20", "£7", "3 thousand dollars",
    "4 700 рублей", "1200 руб.", "5 тыс. рублей", "₽300", "два миллиона рублей", "сто рублей", "20 000 ₽", "$20-30",
    "2,50 евро", "$12.99 per month", "10 bucks",
)  # fmt: skip
WHENS = (
    "yesterday", "the day before yesterday", "today", "tonight", "last night", "tomorrow", "last Tuesday",
    "next Friday", "this Monday", "on Sunday", "on Thursday", "two weeks ago", "3 days ago", "a month ago",
    "twenty-five days ago", "a couple of weeks ago", "two weekends ago", "a few days ago", "one or two weeks ago",
    "10-12 days ago", "5 years ago", "1,000 days ago", "2.5 weeks ago", "9999 years ago", "on March 3rd",
    "on 8 May 2023", "on the 5th of June", "May 9", "in June", "last March", "next May", "in March 2023", "in 2022",
    "since 2019", "on 2023-05-20", "on 3/14/2024", "on 3/4/2024", "on 2024/02/30", "on February 29",
    "on February 30th", "last weekend", "this week", "next month", "last year", "the week before last",
    "the Friday before last", "in early May", "around mid-June", "at 5:30 p.m.", "on May 3-5",
    "from May 3 to June 4", "in May or June", "every Friday", "on Thursday evenings", "the day after tomorrow",
    "on Dec. 31", "two days before May 9", "three weeks after March 3rd", "on Halloween", "in the summer of 2022",
    "this past week", "every Friday evening", "for three years now", "a week from Friday", "10 days later",
    "half a year ago",
)  # fmt: skip
WHENS_RU = (
    "вчера", "позавчера", "сегодня", "завтра", "послезавтра", "в прошлый вторник", "в следующую пятницу",
    "в эту среду", "в понедельник", "две недели назад", "3 дня назад", "месяц назад", "неделю назад",
    "двадцать пять дней назад", "пару недель назад", "полгода назад", "несколько дней назад", "год назад",
    "пять лет тому назад", "8 мая", "3-го марта", "1 января 2023 года", "31 декабря 2023 г.", "29 февраля",
    "30 февраля", "в июне", "в прошлом марте", "в мае 2023 года", "в 2022 году", "с 2019 г.", "20.05.2023",
    "31.02.2024", "на прошлой неделе", "на этой неделе", "в следующем месяце", "в прошлом году",
    "в прошлые выходные", "в начале мая", "с 3 по 5 мая", "в 17:30", "прошлой весной", "за два дня до 9 мая",
    "через неделю", "спустя три дня", "на днях", "каждую пятницу", "18 мая", "по пятницам", "прошлым летом",
    "на выходных", "15 числа", "уже два года", "на Новый год", "2 дня и 3 ночи назад",
)  # fmt: skip
SAYINGS = (
    "I bought {n} lamps {w}", "My cat moved in {w}", "The lamp cost {m}", "I paid {m} for a lamp {w}",
    "My rent is {m} now", "I ran {n} km with the cat {w}", "I saw Dr. Low about my cat {w}", "Please forget my lamp",
    "Delete that", "Is a lamp any good {w}?", "She said “the lamp cost {m}” {w}",
    "My «red» lamp broke {w}, but the cat is fine", "{n} cats {n} lamps and {n} books",
    "I own {n} lamps, i.e. {n} of them work", "See No. {n} lamp on p. 7",
    "Did I tell you that I sold {n} lamps {w}? I did, {w}", "I moved my lamp from 5 Main St. to 12 Elm Ave. {w}",
    "Don't remember my rent", "I no longer have {n} lamps {w}", 'Mom told me "get {n} lamps" {w}; I did', "1. Lamp",
    "* lamp: {m}", "Session 2 of the course on lamps was {w}", "Passage 9 says 2024/02/03 (Sat) of lamps",
    "My lamps: {n} red, {n} blue ({n} in total)", "The lamp was [{m}] then (2 more, not shown)",
    "lamp 2024 700 lamps", "I spent {n} hours and {n} minutes on the lamp {w}",
    "The lamp arrived {w}, {n} days late", "{n} of {n} lamps",
)  # fmt: skip
SAYINGS_RU = (
    "Я купил {n} лампы {w}", "Кот приехал {w}", "Лампа стоила {m}", "Заплатил {m} за лампу {w}",
    "Теперь плачу {m} за квартиру", "Пробежал {n} км с котом {w}", "Был у д-ра Лоу и проф. Иванова с котом {w}",
    "Забудь про мою лампу", "Удали это", "Хорошая ли лампа {w}?", "Она сказала: «лампа стоила {m}» {w}",
    "Моя “красная” лампа сломалась {w}, но кот цел", "{n} кота, {n} ламп и {n} книг",
    "Живу в г. Казань, ул. Ленина, д. 5, с лампой и т. д. {w}", "Лампу А. С. Грина продал {w}", "Не храни мой адрес",
    "Лампа приехала {w} — через {n} дней", "Всего {n} ламп, т. е. {n} штук {w}", "Лампе {n} лет",
)  # fmt: skip
QUESTIONS = {
    "dates": (
        "When did I buy the lamp?", "How many days passed between the cat and the lamp?", "When did my cat move in?",
        "How long ago did I see Dr. Low?", "Когда я купил лампу?", "Сколько дней прошло между котом и лампой?",
    ),
    "recency": (
        "What is my current rent?", "Where is my lamp now?", "What is the latest on my cat?",
        "Где сейчас моя лампа?", "Сколько я теперь плачу за квартиру?", "Как сейчас кот?",
    ),
    "counting": (
        "How many lamps did I buy?", "How much money did I spend on lamps in total?", "How many km did I run?",
        "How much did the lamp cost?", "Сколько ламп я купил?", "Сколько рублей я потратил на лампу в сумме?",
    ),
    "comparison": (
        "Which came first, the lamp or the cat?", "In what order did I buy the lamp and see Dr. Low?",
        "Did I see Dr. Low before or after my cat moved in?", "Do I own more lamps than cats?",
        "Which cost more, the lamp or the rent?",
        "Что было раньше, лампа или кот?", "Чего больше, ламп или котов?",
        "В каком порядке приехали лампа и кот?",
    ),
    "several": (
        "How many lamps do I currently own?", "How many lamps did I buy before my cat moved in?",
        "Сколько ламп у меня сейчас?", "Сколько ламп я купил перед тем, как приехал кот?",
    ),
    "none": (
        "What is the name of my cat?", "Как зовут моего кота?",
    ),
}  # fmt: skip
JOINTS = (
    ". ",
    ".  ",
    "! ",
    "? ",
    "… ",
    "... ",
    "\n",
    "\n\n",
    "\r\n",
    "; ",
    " — ",
    ", and ",
    ", но ",
    ".\t",
    ".” ",
    "\u2028",
    ". \n",
)
PAIRS = (("", ""), ("", ""), ("Ann", "Bo"), ("Анна", "Борис"), ("Sam 2", "Dr. Low"), ("User", "Assistant"))
FORMS = ("whole", "whole", "whole", "extracted", "cut", "turns")
ORIGINS = {
    "whole": ("prefix", "extension", "history"),
    "extracted": ("prefix",),
    "cut": ("prefix",),
    "turns": ("passage",),
}


class Case(NamedTuple):
    """A question with its packet, the corpus of both, and a scaffold's budget in proxy tokens."""

    question: Question
    packet: Packet
    corpus: Corpus
    max_tokens: int


def seal(
    question: Question, slots: list[Slot], left_out: list[Dropped], renderer: Renderer, budget: Budget,
    layout: str = "coverage",
) -> Packet:  # fmt: skip
    """The packet of these slots, its accounts checked as a compiler's are."""
    packet = assembled(question, slots, left_out, renderer, layout, None)
    check(packet, budget)
    return packet


def case(seed: int) -> Case:
    """The case of that seed."""
    rng = random.Random(seed)
    pair = rng.choice(PAIRS)
    times = _times(rng, rng.randint(1, 9))
    sessions = [Session("c", i, f"s{i}", f"t{i}", time) for i, time in enumerate(times)]
    turns = [turn for s in sessions for turn in _turns(rng, s.content_id, pair)]
    corpus = Corpus(sessions, turns)
    wording = rng.choice(QUESTIONS[rng.choice(list(QUESTIONS))])
    asked = rng.choice([None, NEAR, NEAR, _near(rng), _near(rng), *[t for t in times if t]])
    question = Question(f"q{seed}", "c", wording, asked, "en", [])
    return Case(question, _packet(rng, question, corpus), corpus, rng.choice([500, 600, 900, 6000, 6000, 6000]))


def _near(rng: random.Random) -> datetime:
    return NEAR + timedelta(minutes=rng.randint(-600_000, 600_000))


def _times(rng: random.Random, count: int) -> list[datetime | None]:
    """Times in clock order: some of the same day or minute, some at the ends of years, some unknown."""
    times: list[datetime] = []
    for _ in range(count):
        again = [times[-1], times[-1] + timedelta(minutes=rng.randint(1, 900))] if times else []
        edges = [datetime(2024, 2, 29, 23, 59), datetime(2023, 12, 31, 0, 0), datetime(2024, 1, 1, 0, 1)]
        times.append(rng.choice([_near(rng), _near(rng), *again, rng.choice(edges)]))
    if rng.random() < 0.02:
        times = [rng.choice([datetime(1, 1, 2, 3, 4), datetime(9999, 12, 30, 3, 4)]), *times[1:]]
    return [None if rng.random() < 0.07 else time for time in sorted(times)]


def _saying(rng: random.Random) -> str:
    russian = rng.random() < 0.4
    text = rng.choice(SAYINGS_RU if russian else SAYINGS)
    for field, values in (("{n}", NUMBERS), ("{m}", MONEY), ("{w}", ("", *(WHENS_RU if russian else WHENS)))):
        while field in text:
            text = text.replace(field, rng.choice(values), 1)
    text = text + " and so on and so forth" * (12 if rng.random() < 0.03 else 0)
    return text.strip() if rng.random() < 0.9 else text.upper()


def _turns(rng: random.Random, content_id: str, pair: tuple[str, str]) -> list[Turn]:
    turns = []
    for index in range(rng.randint(0, 6)):
        text = "".join(_saying(rng) + rng.choice(JOINTS) for _ in range(rng.randint(0, 3)))
        caption = rng.choice([None, None, None, "a photo of 3 lamps", "a «lamp»\nby a cat"])
        role = ("user", "assistant")[index % 2]
        turns.append(Turn(content_id, index, role, pair[index % 2], text, caption))
    return turns


def _packet(rng: random.Random, question: Question, corpus: Corpus) -> Packet:
    """Some of the sessions in any order and form."""
    renderer, sessions = Renderer(corpus), corpus.conversation("c")
    chosen = rng.sample(sessions, rng.randint(1, len(sessions)))
    slots = [_slot(rng, renderer, session, rng.choice(FORMS)) for session in chosen]
    return seal(question, slots, [], renderer, Budget(None, None))


def _slot(rng: random.Random, renderer: Renderer, session: Session, form: str) -> Slot:
    slot, lines = renderer.whole(session, rng.choice(ORIGINS[form])), renderer.lines(session)
    if form == "whole":
        return slot
    kept = [i for i in range(len(lines)) if i == 0 or rng.random() < 0.6]
    if form == "cut":
        kept = rng.choice([kept, list(range(len(lines)))])
        text = renderer.body(session, "extracted", kept, 0)
        size = rng.randint(len(lines[0][0]), max(len(lines[0][0]), min(len(text), slot.chars)))
        shown = text[:size].count("\n") + 1
        kept = [i for i, _ in renderer.pieces(session, kept)[:shown] if i is not None]
        size = min(size, len(renderer.body(session, "extracted", kept, 0)))
    else:
        size = len(renderer.body(session, form, kept, 0))
    return slot._replace(form=form, kept_lines=kept, elided_lines=len(lines) - len(kept), chars=size)


def whole_packet(question: Question, corpus: Corpus, sessions: Iterable[Session]) -> Packet:
    """A packet of whole sessions in the order given."""
    renderer = Renderer(corpus)
    return seal(question, [renderer.whole(s, "prefix") for s in sessions], [], renderer, Budget(None, None))
