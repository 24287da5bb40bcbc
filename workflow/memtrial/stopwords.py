"""Stop words of English and Russian, as data: words that say nothing of what a text is about.

Both languages are always tried, so mixed text needs no label. Words are as `text.tokens` gives them: casefolded, with ё
folded to е. Published lists (scikit-learn's, NLTK's, the package stop-words) lack the words of calendar and counting in
which a question about a memory is put ("how many days ago"), and hold others that released packets treat as content
("between"), so the list is our own.
"""

from __future__ import annotations


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH = _listed(
    """
    a an the this that these those there here it its itself i me my mine myself we us our ours you your yours he him
    his she her hers they them their theirs i'm i've i'd i'll you're you've you'll you'd we're we've
    we'll we'd they're they've they'll who whom whose which what when where why how
    is are was were am be been being do does did done doing have has had having will would shall should can could
    may might must don't didn't doesn't isn't wasn't aren't weren't can't couldn't won't wouldn't shouldn't haven't
    hasn't hadn't and or but nor not no so if then than as at by for from in into of off on onto out over to up upon
    with without about through during before after above below under
    again once also just only very too more most much many some any all both each few other such own same ever never
    yet still already now currently current latest recently recent lately past really
    today yesterday tomorrow day days week weeks month months year years date dates time times ago since until first
    last next long often
    total number count altogether different
    get got go went going come came make made take took tell told say said know knew let like want wanted need
    thing things something anything lot lots
    user assistant ok okay yes hi hello hey please thanks thank
    """
)
RUSSIAN = _listed(
    """
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
NUMERALS = _listed(
    """
    one two three four five six seven eight nine ten 1 2 3 4 5 6 7 8 9 10
    один одна одно два две три четыре пять шесть семь восемь девять десять
    """
)
STOP_WORDS = ENGLISH | RUSSIAN | NUMERALS
