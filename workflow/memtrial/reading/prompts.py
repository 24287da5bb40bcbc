"""The reader's prompt as data, in English and Russian, and its section marks.

Order: question date, question, options, sessions, evidence index, instructions; empty parts are left out, and so are
the instructions that speak of them. Any change of a text is a new `PROMPT_VERSION`; `PROMPT_SHA256`, of both
languages' texts, is in the context of every request.
"""

from __future__ import annotations

from typing import NamedTuple

from memtrial.text import canonical, sha256

PROMPT_VERSION = "reader-2"


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
- Rely on the sessions above and on nothing else for what happened, was said or is the case; do not fill gaps from \
general knowledge. Where a speaker is called user, it is the user who asks the question.
- If advice or ideas are asked for, give some that fit what the person told in the sessions (tastes, plans, \
belongings, limits) and name what you go by; general knowledge may supply the rest.
- Where two statements disagree, the one made later is valid. Read relative dates ("yesterday", "last week") from \
the date of the session they stand in, and "now" as the question date.
- If somebody asked for something to be forgotten or deleted, treat it as never said.
- To count or add up, first list every distinct item with its session, then give the total.
- If the sessions do not hold what is asked, say that it is not in the sessions; do not guess.
- Give the answer in the unit and at the level of detail that the question asks for.""",
    use_options="- Choose one of the options and repeat its text.",
    use_scaffold="""\
- The evidence index was computed by rules from the same sessions. It may list lines that are beside the point, \
misread some and miss others: look up each place that it points to, read on around it, and trust the session where \
they differ. A fact that stands in a session counts whether it is indexed or not.
- Dates: first settle which event the question means, then use the day that belongs to that event. A day on which \
something was said is not yet the day on which it happened, and a date found beside a statement may belong to \
something else.
- Time spans: take the plain difference of the two dates, in the unit asked for; count both the first and the last day \
only if the question wants that.
- Marks of what is latest or superseded rest on wording alone. Check that both statements are about the same thing; if \
so, the later one is valid. If the index says that another statement differs at the same time, give both. Plans, \
wishes, guesses and questions settle nothing.
- Candidate items are not yet a count. Strike out what is not asked for (another person, kind or period, something \
only planned), join what is the same thing told twice, add what only the sessions hold, then count. A sum in the \
index is of all the quantities listed: add up those that remain yourself.
- If the question asks how many more, fewer, older or longer, answer with the difference; if it asks which comes \
first, with the event.
- Commit to one value on the answer line, without alternatives unless two statements tie in time (to all of them if \
several things are asked for, to the total if a total is), in the unit and at the level of detail of the question; or \
say there that it is not in the sessions.""",
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
- В том, что было, что сказано и как обстоят дела, опирайся только на приведённые выше сессии; не восполняй пробелы \
общими знаниями. Если кто-то из говорящих назван user, вопрос задаёт он.
- Если просят совета или идей, предложи то, что подходит к рассказанному этим человеком в сессиях (вкусы, планы, вещи, \
ограничения), и назови, на что опираешься; остальное можно взять из общих знаний.
- Если два высказывания расходятся, верно более позднее. Относительные даты («вчера», «на прошлой неделе») \
отсчитывай от даты той сессии, где они стоят, а «сейчас» понимай как дату вопроса.
- Если кто-то просил что-то забыть или удалить, считай, что этого не говорили.
- Чтобы посчитать или сложить, сначала перечисли все разные случаи с номерами сессий, затем назови итог.
- Если в сессиях нет того, о чём спрашивают, так и скажи: в сессиях этого нет; не угадывай.
- Отвечай в тех единицах и с той подробностью, которых требует вопрос.""",
    use_options="- Выбери один из вариантов и повтори его текст.",
    use_scaffold="""\
- Указатель составлен по правилам из тех же сессий. В нём могут быть лишние строки и ошибки и не быть нужного: найди \
каждое указанное место, прочти и то, что вокруг, а при расхождении верь сессии. Сказанное в сессии считается, даже \
если в указателе этого нет.
- Даты: сначала определи, о каком событии вопрос, затем бери день именно этого события. День, когда о чём-то сказано, \
ещё не день, когда это случилось, а дата, найденная рядом с высказыванием, может относиться к другому.
- Промежутки: бери простую разность двух дат в той единице, о которой спрашивают; считай и первый, и последний день, \
только если этого требует вопрос.
- Пометы «последнее» и «заменено» поставлены лишь по словам. Проверь, об одном ли и том же оба высказывания; если да, \
верно более позднее. Если указатель говорит, что в то же время сказано иное, назови оба. Планы, желания, догадки и \
вопросы ничего не решают.
- Возможные пункты — ещё не счёт. Вычеркни то, о чём не спрашивают (другой человек, вид или срок, только намеченное), \
объедини рассказанное дважды, добавь то, что есть лишь в сессиях, и тогда считай. Сумма в указателе берёт все \
перечисленные величины: оставшиеся сложи заново.
- Если спрашивают, на сколько больше, меньше, старше или дольше, ответь разностью; если спрашивают, что раньше, — \
событием.
- В строке ответа дай одно значение без вариантов, если только два высказывания не равны по времени (все, если \
спрашивают о нескольких; итог, если об итоге), в единицах и с подробностью вопроса; или скажи там, что в сессиях \
этого нет.""",
    use_answer="""\
- Если нужно, коротко порассуждай письменно. Последняя строка должна иметь вид:
Ответ: <краткий ответ>""",
    answer_label="Ответ:",
    abstention="В сессиях этого нет.",
)

PROMPT_SHA256 = sha256(canonical([PROMPT_VERSION, EN, RU]))


def wording(language: str) -> Wording:
    """The prompt of a language: Russian for `ru`, English for any other."""
    return RU if language == "ru" else EN
