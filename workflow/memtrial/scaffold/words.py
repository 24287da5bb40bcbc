"""Words of English and Russian, as data: stop words, abbreviations, cues of the operators, deletion requests.

Both languages are always tried, so mixed text needs no label. Words are casefolded, with ё folded to е.
"""

from __future__ import annotations


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOP_WORDS = _listed(
    """
    a an the this that these those there here it its it's itself i me my mine myself we us our ours you your
    yours he him his she her hers they them their theirs who whom whose which what when where why how is are
    was were am be been being i'm i've i'd i'll you're you've we're we've they're he's that's what's there's
    don't didn't doesn't isn't wasn't can't do does did done doing have has had having will would shall should
    can could may might must and or but nor not no so if then than as at by for from in into of off on onto
    out over to up upon with without about between through during before after above below under again once
    also just only very too more most much many some any all both each few other such own same ever never yet
    still already now currently current latest recently recent today yesterday tomorrow day days week weeks
    month months year years date dates time times ago since until first last next long often total number
    count altogether different passed pass one two three get got go went going come came make made take took
    tell told say said know knew please let like want wanted need thing things something anything lot lots
    really past lately user assistant ok okay yes hi hello hey thanks thank
    и в во на с со к ко о об обо от до из изо у за по под над при про для без через между перед после а но или
    либо что чтобы как так же ли бы б не ни да нет это этот эта эти этого этой этом этому этих тот та то те
    того той том тому тех я меня мне мной мною мы нас нам нами ты тебя тебе тобой вы вас вам вами он его ему
    им нем она ее ей ней оно они их ними мой моя мое мои моего моей моему моим моих мою наш наша наше наши
    твой твоя твое твои свой своя свое свои своего своей свою своих своим кто кого кому кем чей чья чье чьи
    который которая которое которые которого которой которую котором какой какая какое какие какого какому
    каким каком какую каких каков какова каково каковы где куда откуда когда зачем почему сколько скольких
    скольким был была было были быть есть буду будет будут бывает если то уже еще очень тоже также только лишь
    даже вот ведь там тут здесь туда сюда потом затем тогда сейчас теперь сегодня вчера завтра всего весь вся
    все всех всем себя себе собой самый самая самое самые другой другая другое другие разный разные разных раз
    раза день дня дней дни неделя недели недель неделе неделю месяц месяца месяцев год года лет году число
    числа назад прошло раньше позже давно долго последний последняя последнее последние последних нынешний
    нынешнее текущий могу может можно мочь надо нужно хочу скажи ну спасибо привет пожалуйста
    """
)

# Stop words that can be what a number counts.
TIME_UNITS = _listed(
    """
    day days week weeks month months year years times
    день дня дней неделя недели недель неделю месяц месяца месяцев год года лет раз раза
    """
)

# An abbreviation before a full stop ends no sentence.
ABBREVIATIONS = _listed(
    """
    dr mr mrs ms prof st sr jr vs etc fig approx dept est ave blvd rd mt ft inc ltd co corp gen col capt sgt
    rev hon jan feb mar apr jun jul aug sep sept oct nov dec e.g i.e eg ie cf
    ул пр просп пер пл бул наб стр корп кв оф каб обл респ тел др проф акад доц им руб коп тыс млн млрд мин
    сек см рис табл гл напр янв фев февр апр авг сен сент окт ноя нояб дек т.е т.к т.н в.о р-н пос дер гос
    """
)
# These end no sentence if a number follows ("No. 5", "p. 210").
BEFORE_NUMBER = _listed("no nos p pp vol ch art п пп д кв стр гл ст рис")
# These do end one if a capital letter follows ("и т. д. Потом", "at 9 p.m. Then").
SENTENCE_FINAL = ("т. д", "т. п", "т.д", "т.п", "a.m", "p.m", "др", "etc")

# An operator fires if one of its patterns is found in the casefolded question.
CUES: dict[str, tuple[str, ...]] = {
    "dates": (
        r"\bwhen\b",
        r"\bhow (?:long|old|recently|soon)\b",
        r"\bhow many (?:days|weeks|months|years)\b",
        r"\b(?:what|which) (?:date|day|week|month|year|time)\b",
        r"\b(?:date|day|week|month|year|evening|weekend) (?:did|was|is|were|of|when)\b",
        r"\b(?:before|after|between|since|until|ago|earlier|earliest|later|first|last|order|yesterday)\b",
        r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\b",
        r"\b(?:january|february|april|june|july|august|september|october|november|december)\b",
        r"\b(?:in|during|of|last) (?:march|may)\b",
        r"\bкогда\b",
        r"\bкак (?:долго|давно)\b",
        r"\bсколько (?:полных )?(?:дней|недель|месяцев|лет)\b",
        r"\bкак(?:ого числа|ая дата|ую дату|ой датой)\b",
        r"\bв как(?:ой день|ом (?:году|месяце)|ую дату)\b|\bна какой неделе\b|\bво сколько\b",
        r"\b(?:раньше|позже|сначала|впервые|первым|первой|перед|после|назад|между|прошло|вчера)\b",
        r"\b(?:января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря)\b",
        r"\bв (?:январе|феврале|марте|апреле|мае|июне|июле|августе|сентябре|октябре|ноябре|декабре)\b",
    ),
    "recency": (
        r"\b(?:current|currently|now|nowadays|latest|newest|still|anymore|updated?|finally)\b",
        r"\bmost recent(?:ly)?\b|\bthese days\b|\bat (?:the moment|present)\b|\bso far\b|\bas of\b|\bup to date\b",
        r"\bhow many\b.*\bdo i (?:\w+ )?(?:have|own|keep)\b|\bhow often do\b|\b(?:personal best|best time)\b",
        r"\b(?:сейчас|теперь|нынешн\w+|текущ\w+|актуальн\w+|последн\w+|обновл\w+)\b",
        r"\bна (?:данный|сегодняшний) (?:момент|день)\b|\bв настоящее время\b|\bв данный момент\b",
        r"\b(?:все еще|до сих пор|по-прежнему|в итоге|окончательн\w+)\b",
    ),
    "counting": (
        r"\bhow many (?!(?:days|weeks|months|years)\b)",
        r"\bhow many (?:days|weeks|months|years)\b.*\b(?:spen[dt]|total)\b",
        r"\bhow much\b|\bin total\b|\btotal\b|\baltogether\b|\b(?:the )?number of\b|\bcombined\b|\bhow often\b",
        r"\b(?:у )?скольк(?:их|им|ими)\b|(?<!\bво )\bсколько (?!(?:полных )?(?:дней|недель|месяцев|лет)\b)",
        r"\bв общей сложности\b|\bобщ(?:ее|ая|ую) (?:число|количество|сумм\w+)\b|\bитого\b|\bсуммарно\b|\bв сумме\b",
        r"\bкакое количество\b|\bкак часто\b",
    ),
}

# A statement with one of these asks that something be forgotten.
DELETION = (
    r"\bforget (?:that|this|it|about|what|my|the|everything|all)\b",
    r"\b(?:delete|erase|remove|wipe) (?:that|this|it|what|my|the|everything|all)\b",
    r"\b(?:don't|do not) (?:remember|store|keep|save) (?:that|this|it|my)\b",
    r"\b(?:удали|удалите|забудь|забудьте|сотри|сотрите)\b",
    r"\bне (?:запоминай|храни|сохраняй)(?:те)?\b",
)
# Words of the request itself say nothing about what is to be deleted.
DELETION_WORDS = _listed(
    """
    forget delete erase remove wipe remember store keep save everything all don't please
    удали удалите забудь забудьте сотри сотрите запоминай храни сохраняй пожалуйста
    """
)
