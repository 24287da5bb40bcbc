"""Wordings of questions in English and Russian, as data: what asks for an operator, and what each wants to be told.

Patterns are looked for in the folded question (`gate.fold`: lower case, ё as е). Both languages are always tried.
"""

from __future__ import annotations

_MONTH_NAMES = (
    r"(?:january|february|april|june|july|august|september|october|november|december"
    r"|(?:(?<=in )|(?<=on )|(?<=of )|(?<=last )|(?<=during )|(?<=since )|(?<=by )|(?<=\d ))(?:march|may)|(?:march"
    r"|may)(?= \d))"
)
_WEEKDAY_NAMES = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_SEASONS = r"(?:spring|summer|autumn|fall|winter)"
_MONTHS_RU = (
    r"(?:январ[яеь]|феврал[яеь]|март[ае]?|апрел[яеь]|ма[яей]|июн[яеь]|июл[яеь]|август[ае]?|сентябр[яеь]|октябр[яеь]"
    r"|ноябр[яеь]|декабр[яеь])"
)
# Someone's present: "does Tom own", "do the twins live".
_STATE_VERBS = r"(?:live|work|own|have|use|keep|attend|meet|study|teach|drive|rent|earn|weigh|play|cost)"
_STATES = (
    r"(?:code|password|pin|address|phone|number|job|position|role|title|salary|wage|rent|schedule|shift|rota|goal"
    r"|target"
    r"|limit|budget|plan|record|score|ranking|rank|level|status|size|weight|height|speed|price|rate|dosage|dose"
    r"|balance)"
)
_STATES_RU = (
    r"(?:код|парол[ья]|пин-?код|адрес|номер|телефон|работ[аы]|должность|зарплат[аы]|график|расписание|цель|лимит"
    r"|бюджет|план|рекорд|счет|уровень|статус|размер|вес|рост|скорость|тариф|дозировк[аи]|дозу?)"
)

# The order of events: asks for their dates as well.
_ORDER = (
    r"\b(?:which|who|what|whom|whose)\b.*\b(?:first|earlier|later|sooner|last|(?:more"
    r"|most) recently)\b.*(?<!whether )\bor\b",
    r"\b(?:which|who|what|whose)\b.*\b(?:came|come|went|happened|happen|occurred|took place|arrived|started|finished"
    r"|ended|was|were|graduated|moved|left|joined) (?:first|earlier|later|last|sooner)\b",
    r"\b(?:happened|happen|was|did|came) .*\b(?:before or after|after or before|earlier or later)\b",
    r"\b(?:in (?:what|which) (?:order|sequence)|chronological order|the (?:order|sequence) (?:of|in which))\b",
    r"\bin the order\b|\bfrom (?:first|earliest|oldest) to (?:last|latest|newest)\b|\bstarting (?:from"
    r"|with) the earliest\b",
    r"\bчто (?:\w+ ){0,4}(?:раньше|сначала|позже|первым|прежде)\b|\bкто (?:\w+ ){0,4}(?:раньше|сначала|позже|первым)\b",
    r"\bкак(?:ое|ой|ая|ие) (?:\w+ ){0,5}(?:раньше|сначала|позже|первым|первой|первее)\b.*\bили\b",
    r"\b(?:до или после|после или до|раньше или позже|в как(?:ом|ой) (?:порядке|последовательности))\b",
    r"\b(?:по порядку|в хронологическом порядке)\b",
)

# An operator fires if one of its patterns is found in the casefolded question.
CUES: dict[str, tuple[str, ...]] = {
    "dates": (
        r"\bwhen (?:did|do|does|was|were|is|are|am|will|would|has|have|had|can|could|should|might)\b",
        r"^when\b(?!.*\b(?:what|which|who|how|where|why)\b)|\bsince when\b",
        r"\bhow (?:long|recently|soon)\b|\bhow old (?:was|were|is|are|am|will|would)\b|\bwill i be when\b",
        r"\bhow many (?:\w+ )?(?:days|weeks|months|years)\b(?! (?:a|per|each|every) )",
        r"\b(?:what|which)(?: (?!of\b)\w+){0,2} (?:date|day|week|weekend|weekday|month|year|season|evening|morning"
        r"|night)\b",
        r"\b(?:what|which) time (?:did|was|were|is|will|would|has|had)\b|\bto (?:which|what) time\b",
        r"\bthe (?:date|day|week|month|year|time) (?:on|in|at)? ?(?:which|when)\b",
        r"\bthe (?:exact |first |last )?date (?:of|for|was|is)\b",
        r"\bthe (?:first|second|third|last|next) \w+\b.*\b(?:after|before)\b",
        r"\bкогда\b(?!-)",
        r"\bкак (?:долго|давно|скоро)\b|\bс каких пор\b",
        r"\bсколько (?:\w+ ){0,2}(?:дней|недель|месяцев|лет)\b(?! в (?:неделю|месяц|год)\b)",
        r"\bкак(?:ого числа|ая дата|ую дату|ой датой|ого года|ого месяца)\b|\bкаков\w* дат[аы]\b",
        r"\bв как(?:ой день|ой месяц|ом (?:году|месяце)|ую (?:дату|неделю))\b|\bна какой неделе\b|\bво сколько\b",
        r"\b(?:в какое время|впервые|по каким дням)\b",
        *_ORDER,
    ),
    "recency": (
        r"\b(?:current|currently|now|nowadays|(?<!to )latest|newest|still|anymore|finally|lately|eventually)\b",
        r"\b(?:most recent(?:ly)?|recent|these days|at (?:the moment|present)|so far|as of|up to date|in the end)\b",
        r"\b(?:end(?:ed)? up|updated?|rescheduled|postponed|switch(?:ed)? to|changed? to)\b",
        r"\b(?:to|for|until) (?:which|what)\b.*\b(?:moved|set|changed|shifted|scheduled)\b",
        r"\bmy (?:[\w-]+ )?(?:previous|former|old|original|initial|favou?rite|preferred|usual|last name)\b",
        r"\b(?:previously|formerly|originally|initially|used to|personal best|best time)\b",
        r"\b(?:live|work|study|stay|be|reside)s? before\b|\b(?:live|work|studi|stay|resid)e?d before\b",
        r"\bwhat(?: is|'s| are) (?:my|our)\b(?! (?:ethnicity|nationality|birthday|name|breed))",
        rf"\bwhat(?: is|'s| are) (?:the )?(?:(?!total\b)[\w'-]+ ){{0,3}}{_STATES} (?:of|for|to) (?:my|our|the)\b",
        rf"\bwhat(?: is|'s| are) \w+'s (?:[\w-]+ )?{_STATES}\b",
        r"\b(?:where (?:do|does|am|are|is)|whom? (?:do|does))\b|\bhow often\b|\bfor a living\b",
        r"\b(?:do|does) (?:i|we|my|our)\b(?! (?:need to|have to|still need to) )|\bdoes it take (?:me|us)\b",
        rf"\b(?:do|does) (?:(?!to\b)[\w'-]+ ){{1,6}}{_STATE_VERBS}\b",
        r"\b(?:am|is|are) (?:[\w']+|[\w']+ and [\w']+|my [\w' ]+) (?:\w+ly )?(?!during)\w+ing\b",
        r"^(?:am|is|are|do|does|have|has) (?:i|we|my|our)\b|\bdid i (?:finish|stop|quit|cancel|switch|change)\b",
        r"\bhow many (?!.*\b(?:total|altogether|combined|spent|spend)\b).*\bha(?:ve|s) (?:i|we|my \w+)\b",
        r"\bhow (?:long|much weight) ha(?:ve|s)\b|\b(?:what|which)\b.*\bhave (?:i|we) (?:reached|got to)\b",
        r"\bhow old (?:is|are|am)\b|\blives? with\b|\blive at the end of\b",
        r"\b(?:forget|delete|erase)\b|\bdo you (?:still )?(?:remember|know|store|keep|have)\b",
        r"\b(?:сейчас|теперь|нынешн\w+|текущ\w+|актуальн\w+|нынче|обновл\w+)\b|\bпоследн(?:ий|яя|ее|ие) по времени\b",
        r"\bна (?:данный|сегодняшний) (?:момент|день)\b|\bв (?:настоящее время|данный момент|последнее время)\b",
        r"\b(?:все еще|до сих пор|по-прежнему|в итоге|в конце концов|окончательн\w+|как часто)\b",
        r"\bя (?:[а-я]+(?:о|е|ще|гда) )?(?!хочу\b|могу\b)[а-я]+(?:ю|у|юсь|усь)\b|\bу меня (?:есть|сейчас)\b",
        rf"\bкак(?:ой|ая|ое|ие|ов|ова|ово|овы) (?:\w+ ){{0,3}}{_STATES_RU}\b",
        r"\b(?:прежн|бывш|любим)\w+\b|\b(?:изначально|первоначально)\b",
        r"\b(?:жил|работал|учил|звали|называл|пользовал|ходил)\w* (?:\w+ )?раньше\b|\bраньше (?:жил|работал|учил"
        r"|звали)",
        r"\bсколько (?:сейчас )?лет (?:мне|ему|ей|мо\w+|наш\w+)\b|\bсколько (?:мне|ему|ей) (?:сейчас )?лет\b",
        r"\b(?:забыть|забудь|удалить|удали)\b|\bты (?:все )?(?:еще )?помнишь\b"
        r"|\bпомнишь (?:ли )?(?:ты )?(?:еще )?мо\w+\b",
    ),
    "counting": (
        r"\bhow many (?!(?:\w+ )?(?:days|weeks|months|years)\b)",
        r"\bhow many (?:\w+ )?(?:days|weeks|months|years)\b"
        r"(?!.*\b(?:ago|pass(?:ed)?|between|since|until|before|after|e?lapsed|does it take|did it take)\b)",
        r"\bhow many (?:days|weeks|months|years)\b.*\b(?:spen[dt]|total)\b",
        r"\bhow much\b(?! (?:do you|does \w+) (?:like|love|enjoy|care)\b)",
        r"\b(?:in total|total|altogether|combined|(?<!phone )(?<!house )number of|average)\b",
        r"\b(?:what|which) percentage\b|\bcompared to\b.*\bhow\b|\b(?:what|which) (?:is|was) the (?:\w+ )?"
        r"(?:amount|price|cost|sum|difference|increase|decrease|discount|distance|minimum|maximum|page count)\b",
        r"\b(?:у )?скольк(?:их|им|ими)\b|(?<!\bво )\bсколько (?!(?:\w+ ){0,2}(?:дней|недель|месяцев|лет)\b)",
        r"\bсколько (?:\w+ ){0,2}(?:дней|недель|месяцев|лет)\b(?=.*\b(?:всего|в сумме|провел\w?)\b)(?!.*\bназад\b)",
        r"\bв общей сложности\b|\bобщ(?:ее|ая|ую) (?:число|количество|сумм\w+)\b|\bитого\b|\bсуммарно\b|\bв сумме\b",
        r"\bкакое количество\b|\bкак(?:ова|ой|ую|ая) (?:\w+ )?(?:цен[ау]|стоимость|сумм[ау]|разниц[ау])\b|\bпочем\b",
    ),
    "comparison": (
        *_ORDER,
        r"\b(?:more|less|fewer|better|worse|(?!(?:other|rather|never)\b)\w{2,}er) (?:[\w'-]+ ){0,6}than\b",
        r"\b(?:which|who|what)\b.*\b(?:more|less|fewer|most|least|older|younger|longer|shorter|cheaper)\b.*\bor\b",
        r"\b(?:compared (?:to|with)|difference (?:in|between)|how much (?:more|less|faster|earlier|later|older"
        r"|cheaper))\b",
        r"\b(?:больше|меньше|старше|младше|дольше|дороже|дешевле|чаще|реже|раньше|позже)\b.*\b(?:чем|или)\b",
        r"\b(?:по сравнению с|разниц[аеу] (?:в|между))\b",
    ),
}
# A period that limits what is asked for. What is counted carries its dates, so it alone asks for none.
PERIODS = (
    r"\b(?:yesterday|last night|the day before)\b",
    r"\b(?:days?|weeks?|months?|years?|weekends?) ago\b",
    rf"\b(?:this|last|past|next|previous|coming) (?:\w+ )?(?:days?|weeks?|weekends?|months?|years?|{_SEASONS})\b",
    rf"\b(?:on|last|this|next|past|the|every) {_WEEKDAY_NAMES}\b|\b{_MONTH_NAMES}\b",
    rf"\b(?:in|during|since|until|by|before|after) (?:19|20)\d\d\b|\b{_SEASONS} (?:of )?(?:19|20)\d\d\b",
    r"\b\d{1,2}/\d{1,2}\b|\b(?:19|20)\d\d-\d\d",
    r"\b(?:on|at|over|during) (?:christmas|easter|thanksgiving|halloween|valentine's|new year's)\b",
    r"\b(?:вчера|позавчера|назад)\b",
    r"\b(?:прошл|минувш|следующ|эт)\w{2,3} (?:недел|месяц|год|выходн|весн|лет|осен|зим|понедельник|вторник|сред|четверг"
    r"|пятниц|суббот|воскресень)\w*\b",
    rf"\b(?:в|с|до|к|за) {_MONTHS_RU}\b|\b\d{{1,2}} {_MONTHS_RU}\b|\bв (?:19|20)\d\d\b",
)
# Advice is not computed from what was said, unless it counts or dates something.
ADVICE = (
    r"\b(?:can|could|would|will) you (?:please )?(?:recommend|suggest|advise|help|think of|give me (?:some|any"
    r"|a few))\b",
    r"\bany (?:\w+ )?(?:tips|advice|suggestions?|ideas?|recommendations?|thoughts)\b|\bdo you (?:have any|think)\b",
    r"\b(?:what|where|which|how|who|whether)\b.*\b(?:should|could|might|can) (?:i|we)\b|\bwhat do you think\b",
    r"\b(?:recommend|suggest) (?:me |us )?(?:a|an|some|something)\b|\bcould there be a reason\b",
    r"\b(?:посоветуй|порекомендуй|подскажи|предложи)(?:те)?\b(?! (?:сколько|когда))",
    r"\b(?:есть (?:идеи|советы|рекомендации)|какие (?:идеи|советы|рекомендации)|что ты думаешь|как ты думаешь)\b",
    r"\b(?:мне|нам) (?:\w+ )?(?:стоит|следует|лучше)\b|\b(?:стоит|следует) (?:ли )?(?:мне|нам)\b",
)
COUNTS_OR_DATES = (
    r"\bhow (?:many|much|long)\b|\bwhen (?:did|do|was|is|were)\b|\b(?:what|which) (?:date|day)\b",
    r"\b(?:сколько|когда|какого числа)\b",
)
# What the assistant said stands in none of the person's statements, which the operators read.
ASSISTANT_SAID = (
    r"\b(?:did|had|have) you (?:\w+ly )?(?:tell|told|say|said|recommend|suggest|advise|mention|give|gave|propose"
    r"|list)\w*\b",
    r"\byou (?:\w+ )?(?:told|said|recommended|suggested|advised|mentioned|gave|given|made|provided|proposed|listed"
    r"|wrote"
    r"|explained|created|described)\b|\b(?:our|the) (?:\w+ )?(?:previous|last|earlier) (?:chat|conversation)\b",
    r"\bты (?:мне )?(?:\w+ )?(?:советовал|посоветовал|рекомендовал|порекомендовал|говорил|сказал|предлагал|предложил"
    r"|называл|назвал|давал|дал|упоминал|упомянул)\w*\b|\bпо тво(?:ему|им|ей) (?:совет|рекомендаци|мнени)\w+",
)
# What is added up does not replace itself.
TOTALS = (
    r"\b(?:in total|total|altogether|combined|in all)\b",
    r"\b(?:в общей сложности|итого|суммарно|в сумме|всего)\b",
)
# With these words, or those of a total, a sum can answer.
AMOUNTS = (r"\bhow (?:many|much)\b|\bскольк\w+\b",)
# What a question counts stands behind these, up to a word of `COUNTED_END`.
COUNTED_THING = (
    r"\b(?:how many|number of)\b(?P<en>(?:\s+[\w'-]+){1,6})",
    r"\b(?:сколько|скольк(?:их|им|ими)|количество|число)\b(?P<ru>(?:\s+[\w-]+){1,4})",
)
# What a question about the present wants to be told: a number, a date or time, a name, yes or no.
ASKED_KINDS: dict[str, tuple[str, ...]] = {
    "number": (
        r"\bhow (?:many|much|often|long|far|tall|heavy|fast|big|high|old)\b|\b(?:what|which) (?:percentage|page"
        r"|size)\b",
        r"\b(?:score|record|best time|number|amount|price|rent|salary|wage|level|speed|weight|height|code|pin|goal)\b",
        r"(?<!\bво )\bсколько\b|\b(?:как часто|рекорд|счет|номер|цена|стоимость|зарплата|вес|рост|код|пин-?код"
        r"|размер|уровень)\b",
    ),
    "date": (
        r"\bwhen\b|\b(?:what|which) (?:\w+ )?(?:time|day|date|month|year|week|evening|morning)\b|\bhow long\b",
        r"\bкогда\b|\bво сколько\b|\bкак(?:ого числа|ой день|ую дату|ой дат)\w*|\b(?:дата|расписание)\b",
    ),
    "name": (
        r"\bwhom?\b|\bwhose\b|\b(?:name|called|named)\b|\b(?:what|which) (?:\w+ )?(?:company|brand|restaurant|city"
        r"|country"
        r"|town|book|novel|game|show|movie|film|band|artist|app|model|school|university|airline|store|shop)\b",
        r"\b(?:кто|кого|кем|зовут|называется|именем|имя|фамилия)\b",
    ),
    "polarity": (r"^(?:do|does|did|am|is|are|have|has|was|were|can) (?!you\b)", r"^(?:\w+ ){0,3}\w+ ли\b"),
}
