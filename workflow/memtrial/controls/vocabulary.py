"""Words of time and number, English and Russian, as stems: what spans, counts and spelt-out dates consist of."""

from __future__ import annotations

from memtrial.text import stems

_NAMES = """
january february march april may june july august september october november december
monday tuesday wednesday thursday friday saturday sunday
январь января январе февраль февраля феврале март марта марте апрель апреля апреле май мая мае июнь июня июне июль
июля июле август августа августе сентябрь сентября сентябре октябрь октября октябре ноябрь ноября ноябре декабрь
декабря декабре понедельник понедельника вторник вторника среда среду среды четверг четверга пятница пятницу пятницы
суббота субботу субботы воскресенье воскресенья
"""
_WORDS = """
jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun
second seconds minute minutes hour hours day days night morning afternoon evening noon midnight
week weeks weekend weekends fortnight month months season year years decade century age am pm
spring summer autumn fall winter today tonight yesterday tomorrow now ago before after since until during between
last next this previous following coming earlier later latest early late end beginning middle mid first from to
a an the of in on at by about around approximately nearly almost over more less than and or both including
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half quarter dozen
couple several few once twice thrice times time third fourth fifth sixth seventh eighth ninth tenth percent
секунда секунд минута минут час часа часов день дня дней ночь утро утром вечер вечером днем ночью полдень
неделя недели недель неделю неделе выходные месяц месяца месяцев год года лет году десятилетие век
весна весной лето летом осень осенью зима зимой сегодня вчера позавчера завтра послезавтра сейчас назад тому
прошлый прошлом прошлой прошлого следующий следующей следующем этот этой этом до после с по к от через около примерно
почти более менее больше меньше и или в на во за
ноль один одна одно два две три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать
четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать двадцать тридцать сорок пятьдесят шестьдесят
семьдесят восемьдесят девяносто сто тысяча тысяч миллион половина полтора полторы пара несколько раз раза дважды
трижды первый первого второй второго третий третьего процент процентов
"""
# Months and weekdays by their full names, which no computed date is written with.
CALENDAR_NAMES = frozenset(stems(_NAMES))
TIME_AND_NUMBER = CALENDAR_NAMES | frozenset(stems(_WORDS))
