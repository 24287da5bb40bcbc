"""Answers to controls that hold no value, and how words say that something was withheld: data of two languages."""

from __future__ import annotations

import re

ABSTAINING = {
    "en": (
        "This was not mentioned in our conversations, so I cannot tell.",
        "I do not know: there is no information about that.",
        "The conversations never say so.",
    ),
    "ru": (
        "Об этом в беседах не упоминалось, ответить не могу.",
        "Не знаю: такой информации нет.",
        "В беседах об этом не говорили.",
    ),
}
VAGUE = {
    "en": (
        "We did talk about this ({topic}), and in some detail.",
        "That came up in connection with {topic}; there was quite a story to it.",
        "I recall the part about {topic}. It seemed to matter.",
    ),
    "ru": (
        "Об этом был разговор ({topic}), и довольно подробный.",
        "Это всплывало в связи с такой темой: {topic}.",
        "Помню эту часть бесед: {topic}. Видно, что это было важно.",
    ),
}
TOPIC_WORDS = 4

# A gold that says so is answered rightly by an abstention, though its question is not flagged for one.
WITHHELD = re.compile(
    r"\b(?:forg[eo]t\w*|delet\w+|eras\w+|no longer (?:have|know)\w*|not (?:possible|sure)|cannot)\b"
    r"|\b(?:забы\w+|удал[иё]\w+|ст[её]р\w*|больше не (?:помню|храню)\w*)",
    re.IGNORECASE,
)
# A gold that admits more than one value is not made wrong by changing one.
ALTERNATIVES = re.compile(r"\b(?:acceptable|or|either|possibly|approximately|или|либо|примерно)\b|/", re.IGNORECASE)

# Such a gold is a note to the judge as well as an answer: given as one, it leaves open which value is meant.
NOTED = re.compile(r"\b(?:also|answers?)\b.*\bacceptable\b|\bтакже (?:допустим|верн)", re.IGNORECASE)

# A question that asks for an amount or for a date: there a changed number or date is a wrong answer, not a detail.
ASKS_AMOUNT = re.compile(
    r"\bhow (?:many|much|long|old|far|often|tall|big|large|high|fast|heavy)\b"
    r"|\b(?:number|amount|price|cost|percentage|score|page|time|age|distance|total|code|address)\b"
    r"|\b(?:скольк\w+|во сколько|число|цен[аыу]|стоит|стоил\w*|возраст\w*|врем[яе]\w*|адрес\w*|номер\w*|код\w*)\b",
    re.IGNORECASE,
)
ASKS_DATE = re.compile(
    r"\b(?:when|(?:what|which) (?:day|date|month|year|week|weekend)|how long ago|since|month|year|date)\b"
    r"|\b(?:когда|какого числа|в каком (?:году|месяце)|на какой неделе|в какой день|дат[аыу])\b",
    re.IGNORECASE,
)
