"""The reader's prompt as data, in English and Russian, and its section marks.

Order: question date, question, options, sessions, evidence index, instructions; empty parts are left out.
Any change of a text is a new `PROMPT_VERSION`.
"""

from __future__ import annotations

from typing import NamedTuple

PROMPT_VERSION = "reader-1"


class Wording(NamedTuple):
    """One language's section marks (whole lines) and texts."""

    date: str
    question: str
    options: str
    sessions: str
    scaffold: str
    instructions: str
    use_sessions: str
    use_options: str
    use_scaffold: str
    use_answer: str
    answer_label: str
    abstention: str


EN = Wording(
    date="=== QUESTION DATE ===",
    question="=== QUESTION ===",
    options="=== OPTIONS ===",
    sessions="=== SESSIONS ===",
    scaffold="=== EVIDENCE INDEX ===",
    instructions="=== INSTRUCTIONS ===",
    use_sessions="""\
- Rely on the sessions above and on nothing else; do not fill gaps from general knowledge about the people in them.
- Where two statements disagree, the one made later is valid. Read relative dates ("yesterday", "last week") from \
the date of the session they stand in, and "now" as the question date.
- If somebody asked for something to be forgotten or deleted, treat it as never said.
- To count or add up, first list every distinct item with its session, then give the total.
- If the sessions do not hold what is asked, say that it is not in the sessions; do not guess.
- Give the answer in the unit and at the level of detail that the question asks for.""",
    use_options="- Choose one of the options and repeat its text.",
    use_scaffold="""\
- The evidence index was computed by rules from the same sessions. It may list lines that are beside the point and \
miss others: use it to find places, check each against its session, and trust the session where they differ.""",
    use_answer="""\
- Think briefly in writing if that helps. The last line must be, in this form:
Answer: <short answer>""",
    answer_label="Answer:",
    abstention="That is not in the sessions.",
)

RU = Wording(
    date="=== ДАТА ВОПРОСА ===",
    question="=== ВОПРОС ===",
    options="=== ВАРИАНТЫ ===",
    sessions="=== СЕССИИ ===",
    scaffold="=== УКАЗАТЕЛЬ ===",
    instructions="=== УКАЗАНИЯ ===",
    use_sessions="""\
- Опирайся только на приведённые выше сессии; не восполняй пробелы общими знаниями о людях, которые в них упомянуты.
- Если два высказывания расходятся, верно более позднее. Относительные даты («вчера», «на прошлой неделе») \
отсчитывай от даты той сессии, где они стоят, а «сейчас» понимай как дату вопроса.
- Если кто-то просил что-то забыть или удалить, считай, что этого не говорили.
- Чтобы посчитать или сложить, сначала перечисли все разные случаи с номерами сессий, затем назови итог.
- Если в сессиях нет того, о чём спрашивают, так и скажи: в сессиях этого нет; не угадывай.
- Отвечай в тех единицах и с той подробностью, которых требует вопрос.""",
    use_options="- Выбери один из вариантов и повтори его текст.",
    use_scaffold="""\
- Указатель составлен по правилам из тех же сессий. В нём могут быть лишние строки и не быть нужных: ищи по нему \
места, сверяй каждое с сессией, а при расхождении верь сессии.""",
    use_answer="""\
- Если нужно, коротко порассуждай письменно. Последняя строка должна иметь вид:
Ответ: <краткий ответ>""",
    answer_label="Ответ:",
    abstention="В сессиях этого нет.",
)


def wording(language: str) -> Wording:
    """The prompt of a language: Russian for `ru`, English for any other."""
    return RU if language == "ru" else EN
