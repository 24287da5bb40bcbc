"""Words of English and Russian, as data: stop words of the scaffold, abbreviations, plans, guesses, deletion requests.

Both languages are always tried, so mixed text needs no label. Words are casefolded, with ё folded to е.
"""

from __future__ import annotations

from memtrial.stopwords import ENGLISH, RUSSIAN


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Numbers say something of a statement, and what happened between two events is asked for by those two alone.
STOP_WORDS = ENGLISH | RUSSIAN | _listed("one two three between passed pass")

# An abbreviation before a full stop ends no sentence.
ABBREVIATIONS = _listed(
    """
    dr mr mrs ms prof st sr jr vs etc fig approx dept est ave blvd rd mt ft inc ltd co corp gen col capt sgt
    rev hon jan feb mar apr jun jul aug sep sept oct nov dec e.g i.e eg ie cf
    ул пр просп пер пл бул наб стр корп кв оф каб обл респ тел проф акад доц им см
    рис табл гл напр янв фев февр апр авг сен сент окт ноя нояб дек т.е т.к т.н в.о р-н пос дер гос
    """
)
# These end no sentence if a number follows ("No. 5", "p. 210").
BEFORE_NUMBER = _listed("no nos p pp vol ch art п пп д кв стр гл ст рис")
# These do end one if a capital letter follows ("и т. д. Потом", "at 9 p.m. Then").
SENTENCE_FINAL = (
    "т. д", "т. п", "т.д", "т.п", "a.m", "p.m", "др", "etc", "руб", "коп", "тыс", "млн", "млрд", "мин", "сек", "ч",
)  # fmt: skip
# Words that start a sentence rather than go on after an initial; with capitals, as they are written there.
SENTENCE_STARTERS = (
    "I", "We", "You", "He", "She", "It", "They", "The", "This", "That", "These", "My", "Our", "But", "And", "So",
    "Then",
    "Я", "Мы", "Ты", "Вы", "Он", "Она", "Оно", "Они", "Это", "Но", "Потом", "Затем", "Мой", "Моя", "Мои", "Мое", "Моё",
)  # fmt: skip

# A noun phrase of an enumeration goes no further than one of these.
MEMBER_END = (
    "at", "from", "in", "on", "for", "with", "to", "by", "during", "because", "which", "who", "that", "when", "while",
    "after", "before", "since", "this", "last", "yesterday", "today", "so", "but", "is", "are", "was", "were", "have",
    "has", "had", "will", "would", "can", "could", "i", "we", "he", "she", "they", "it", "too", "as well", "recently",
    "в", "во", "на", "с", "со", "из", "от", "для", "по", "к", "у", "за", "который", "которые", "которая", "потому",
    "чтобы", "когда", "вчера", "сегодня", "но", "был", "была", "были", "я", "мы", "он", "она", "они", "тоже",
)  # fmt: skip

# What a question counts stands before one of these.
COUNTED_END = _listed(
    """
    do did does have has had are were was is am i i've we've i'd we you he she they will would can could should my our
    his her their in on at for from with to that which who by during since between there and or left per
    я ты мы вы он она они у в во на с со за по к для было была был были есть мне мной и или из от
    """
)
# Stop words that may stand between a number and what it counts ("two of my friends").
BETWEEN = _listed("of the my our more other such own different new этих моих наших своих других разных")
# Saying that something was paid for says nothing of what it was.
PAYING = _listed(
    """
    spend spent cost costs costing pay paid paying buy bought buying price priced purchase purchased total money worth
    потратил потратила потратили стоил стоила стоило стоили стоит заплатил заплатила купил купила купили цена
    обошелся обошлась обошлось
    """
)

# Against what a question of yes or no asks.
NEGATIONS = (
    r"\b(?:no longer|not|never|none|stopped|quit|gave up|cancelled|canceled|don't|doesn't|didn't|isn't|aren't|wasn't"
    r"|haven't|hasn't|can't|won't)\b",
    r"\b(?:больше не|уже не|не|нет|никогда|бросил\w?|перестал\w?|отказал\w+)\b",
)
# Not a fact yet, only a plan, a wish or a guess.
PLANS = (
    r"\b(?:thinking (?:of|about)|might|maybe|perhaps|probably|may (?:be|have|try|go|get)|planning|plan(?:ned)? to"
    r"|consider(?:ing|ed)?|hop(?:e|ing) to|want(?:ed)? to|going to (?!the\b|a\b|an\b|my\b)|would (?:like|love)"
    r"|(?:i'd|we'd) (?:like|love)|looking (?:into|to)|wish|if i|should i)\b",
    r"\b(?:собираюсь|собираемся|планирую|планируем|подумываю|думаю (?:о|об|над|купить|взять|пойти|поехать)|хочу|хотим"
    r"|хотел\w? бы|может быть|возможно|наверное|вероятно|надеюсь|если я|мечтаю)\b",
)
# Said of the past, unless the statement speaks of the present as well.
PAST = (
    r"\b(?:used to|previously|formerly|originally|initially|back then|before that|at first|until recently)\b",
    r"\b(?:раньше|прежде|когда-то|изначально|сначала|до этого|до недавнего времени)\b",
)
PRESENT = (
    r"\b(?:now|currently|nowadays|these days|finally|since then|today|just)\b",
    r"\b(?:сейчас|теперь|сегодня|с тех пор|наконец|только что)\b",
)

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
