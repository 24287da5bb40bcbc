"""Units of quantities with their aliases, English and Russian, as data, and what may be converted into what.

Kilometres and miles, kilograms and pounds stay apart: the conversion is exact to nobody who said "about five miles".
"""

from __future__ import annotations

# By canonical name: the words that mean the unit, folded (lower case, ё as е).
_ALIASES = {
    "seconds": "second seconds sec secs секунда секунды секунд секунду сек",
    "minutes": "minute minutes min mins минута минуты минут минуту минуток мин",
    "hours": "hour hours hr hrs час часа часов часик часика",
    "days": "day days день дня дней сутки суток",
    "weeks": "week weeks wk wks неделя недели недель неделю",
    "months": "month months mos месяц месяца месяцев",
    "years": "year years yr yrs год года лет",
    "metres": "metre metres meter meters метр метра метров",
    "kilometres": "km kms kilometre kilometres kilometer kilometers км километр километра километров",
    "miles": "mile miles mi миля мили миль",
    "feet": "foot feet ft фут фута футов",
    "inches": "inch inches дюйм дюйма дюймов",
    "centimetres": "cm centimetre centimetres centimeter centimeters см сантиметр сантиметра сантиметров",
    "grams": "gram grams gramme grammes gr грамм грамма граммов гр",
    "kilograms": "kg kgs kilo kilos kilogram kilograms кг килограмм килограмма килограммов кило",
    "pounds": "pound pounds lb lbs фунт фунта фунтов",
    "litres": "litre litres liter liters литр литра литров",
    "millilitres": "ml millilitre millilitres milliliter milliliters мл миллилитр миллилитра миллилитров",
    "%": "percent процент процента процентов",
    "times": "time times раз раза",
    "$": "dollar dollars usd buck bucks доллар доллара долларов",
    "€": "euro euros eur евро",
    "£": "gbp quid",
    "₽": "rub ruble rubles rouble roubles рубль рубля рублей рублями руб",
}
UNIT_OF = {word: unit for unit, words in _ALIASES.items() for word in words.split()}
CURRENCIES = frozenset("$€£₽")
# By family: how much of the smallest unit each is.
FAMILIES: tuple[dict[str, int], ...] = (
    {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400, "weeks": 604_800},
    {"months": 1, "years": 12},
    {"centimetres": 1, "metres": 100, "kilometres": 100_000},
    {"grams": 1, "kilograms": 1000},
    {"millilitres": 1, "litres": 1000},
)
# The units' names in Russian, as after a large number.
NAMES_RU = {
    "seconds": "секунд", "minutes": "минут", "hours": "часов", "days": "дней", "weeks": "недель", "months": "месяцев",
    "years": "лет", "centimetres": "сантиметров", "metres": "метров", "kilometres": "километров", "grams": "граммов",
    "kilograms": "килограммов", "millilitres": "миллилитров", "litres": "литров", "times": "раз",
}  # fmt: skip
# Number words that also name what they count, or a part of it; the value, and the unit if they name one.
SPOKEN: tuple[tuple[str, float, str], ...] = (
    (r"half an hour|half-hour|half hour|полчаса|получас\w*", 0.5, "hours"),
    (r"полгода", 6, "months"),
    (r"an hour and a half|полтора часа|полутора часов", 1.5, "hours"),
    (r"half a dozen|полдюжины", 6, ""),
    (r"a couple of|a couple|a pair of|пар[ау]", 2, ""),
    (r"полтор[аы]|полутора", 1.5, ""),
    (r"twice|дважды", 2, "times"),
    (r"thrice|трижды", 3, "times"),
    (r"once|однажды", 1, "times"),
    (r"an hour|час (?=\b(?:на|в|за)\b)", 1, "hours"),
)
# Ordinal numbers that tell how many there were so far ("my third cat"); Russian ones without their endings.
ORDINALS = {
    "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
    "втор": 2, "трет": 3, "четверт": 4, "пят": 5, "шест": 6, "седьм": 7, "восьм": 8, "девят": 9, "десят": 10,
}  # fmt: skip
# What a number is multiplied with: "1.5k", "5 тысяч", "2 dozen".
SCALES = {
    "k": 1e3, "к": 1e3, "thousand": 1e3, "тыс": 1e3, "тысяч": 1e3, "тысячи": 1e3, "тысяча": 1e3, "тысячу": 1e3,
    "m": 1e6, "mln": 1e6, "million": 1e6, "млн": 1e6, "миллион": 1e6, "миллиона": 1e6, "миллионов": 1e6,
    "hundred": 100.0, "dozen": 12.0, "dozens": 12.0,
}  # fmt: skip
