"""Verb forms as data: irregular English pasts with their base form, and words that tell past from future.

Used to match "bought" with "buy", and to say whether "on Friday" is the last or the next one. Words are casefolded,
with ё folded to е.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

# base: past and participle where they differ from the base and are no other common word.
_FORMS = """
arise arose arisen; be was were been; beat beaten; become became; begin began begun; bend bent; bite bitten;
bleed bled; blow blew blown; break broke broken; breed bred; bring brought; build built; burn burnt; buy bought;
catch caught; choose chose chosen; come came; creep crept; deal dealt; dig dug; do did done; draw drew drawn;
dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt;
fight fought; find found; flee fled; fly flew flown; forget forgot forgotten; forgive forgave forgiven;
freeze froze frozen; get got gotten; give gave given; go went gone; grow grew grown; hang hung; have had;
hear heard; hide hid hidden; hold held; keep kept; kneel knelt; know knew known; lay laid; lead led; lean leant;
learn learnt; leave left; lend lent; light lit; lose lost; make made; mean meant; meet met; mow mown;
overcome overcame; pay paid; prove proven; repay repaid; ride rode ridden; ring rang rung; rise risen; run ran;
say said; see saw seen; seek sought; sell sold; send sent; sew sewn; shake shook shaken; shine shone; shoot shot;
show shown; sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid; speak spoke spoken; spend spent;
spin spun; stand stood; steal stole stolen; stick stuck; strike struck; swear swore sworn; sweep swept;
swim swam swum; swing swung; take took taken; teach taught; tear tore torn; tell told; think thought;
throw threw thrown; understand understood; wake woke woken; wear wore worn; weave wove woven; win won;
withdraw withdrew withdrawn; write wrote written
"""
_LISTED = [line.split() for line in _FORMS.replace("\n", " ").split(";")]
BASE_OF: dict[str, str] = {form: base for base, *forms in _LISTED for form in forms}

_ONLY_PARTICIPLE = frozenset(f for _, *forms in _LISTED if len(forms) > 1 for f in forms[1:]) - {"were"}
_PASTS = "|".join(sorted(set(BASE_OF) - _ONLY_PARTICIPLE))
# A participle after "have" or "be" says nothing of when; "had", "was" and "were" do.
_AFTER_AUXILIARY = (
    r"(?<!\bam )(?<!\bis )(?<!\bare )(?<!\bbe )(?<!\bbeen )(?<!\bhave )(?<!\bhas )(?<!'m )(?<!'ve )(?<!'re )"
)
_PAST = re.compile(
    rf"{_AFTER_AUXILIARY}\b(?:{_PASTS}|wasn't|weren't|didn't|(?!(?:need|feed|speed|seed|indeed|bed|red|wed)\b)[a-z]+ed)\b"
    r"|\b[а-я]{2,}(?:л|ла|ло|ли|лся|лась|лось|лись)\b"
)
_FUTURE = re.compile(
    r"\b(?:will|won't|shall|let's|let us|gonna|tomorrow|upcoming|plan|plans|planning|hope|hoping|scheduled|booked)\b"
    r"|'ll\b"
    r"|\b(?:am|is|are|be)\s+(?:\w+\s+)?(?:going|coming|having|getting|meeting|leaving|starting|taking|visiting|hosting)\b"
    r"|(?:'m|'re|'s)\s+(?:\w+\s+)?(?:going|coming|having|getting|meeting|leaving|starting|taking|visiting|hosting)\b"
    r"|\b(?:looking forward|can't wait|about to|supposed to|have to|need to|want to|due|excited (?:for|about))\b"
    r"|\b(?:буд(?:у|ет|ем|ут|ешь|ете)|собира(?:юсь|ется|емся|ются)|планиру(?:ю|ет|ем|ют)|предстоит|скоро|хочу|хотим"
    r"|надеюсь|жду|ждем|еду|едем|иду|идем|лечу|летим|по(?:еду|едем|йду|йдем|лечу|летим)|завтра)\b"
)
# Russian words that are no verbs but end like a past form.
_NOUNS = """
если или стол стул бал зал канал журнал футбол отдел тепло дело тело число село масло мыло школа сила земли соли боли
роли сериал материал цели дали угол пол около доли модели недели скала стекло крыло весело
"""
_NO_PAST = frozenset(_NOUNS.split())


def base_form(token: str) -> str:
    """The base form of an irregular English past or participle; any other word as it is."""
    return BASE_OF.get(token, token)


def tense(text: str, start: int) -> int:
    """-1 if what stands at `start` of a sentence is told as past, 1 if as coming, 0 if the words do not decide.

    The nearest sign before it counts, else the nearest after it; a past and a future sign at the same word cancel.
    """
    signs = _signs(text)
    place = bisect_left(signs, (start, -1))
    return signs[max(0, place - 1)][1] if signs else 0


@lru_cache(maxsize=256)
def _signs(text: str) -> list[tuple[int, int]]:
    """Where a text tells of the past (-1) or the future (1), in order; 0 where it does both."""
    folded = text.casefold().replace("ё", "е").replace("’", "'")
    ways: dict[int, int] = {m.start(): -1 for m in _PAST.finditer(folded) if m.group() not in _NO_PAST}
    for match in _FUTURE.finditer(folded):
        ways[match.start()] = ways.get(match.start(), 0) + 1
    return sorted((place, max(-1, min(1, way))) for place, way in ways.items())
