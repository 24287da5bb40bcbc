"""The frame of all pages: templates and style sheets of this folder to one HTML text, all of it escaped by default."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from memtrial.report.data import interval, over_conversations, percent, span

_HERE = Path(__file__).parent


def render(template: str, styles: Sequence[str], shown: Mapping[str, Any]) -> str:
    """A template filled with `shown` and, as `css`, the style sheets named, in that order; the same text every time.

    Text is escaped unless it is `Markup`; a name that the template uses and `shown` lacks raises `UndefinedError`.
    """
    environment = Environment(
        loader=FileSystemLoader(_HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"percent": percent, "pretty": _pretty, "count": _count}
    environment.globals |= {"span": span, "interval_of": interval, "over_conversations": over_conversations}
    css = Markup("\n".join((_HERE / name).read_text(encoding="utf-8") for name in styles))
    return environment.get_template(template).render(css=css, **shown)


def _pretty(spec: Mapping[str, Any]) -> str:
    return json.dumps(spec, indent=2, sort_keys=True, ensure_ascii=False)


def _count(number: int, word: str = "") -> str:
    """A number with thousands set apart and, if a word is given, that word in its number.

    >>> _count(1234, "line"), _count(1, "line")
    ('1,234 lines', '1 line')
    """
    return f"{number:,}" + (f" {word}{'' if number == 1 else 's'}" if word else "")
