"""Format names and what reads them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from memtrial.errors import InputError
from memtrial.ingest import labels, locomo, longmemeval, rumba
from memtrial.ingest.conversation import Layout, Shape
from memtrial.records import Gold


class Format(NamedTuple):
    """A benchmark format.

    `variant` names the variant of an unregistered file by its shape; `official` maps names of registered files to a
    check of the gold that they give.
    """

    layouts: dict[str, Layout]
    variant: Callable[[Shape], str]
    official: dict[str, Callable[[Sequence[Gold], str], None]]

    def known(self) -> str:
        """The layouts in words, for error messages."""
        return "; ".join(f"a list of objects with {', '.join(layout.fields)}" for layout in self.layouts.values())


FORMATS = {
    "longmemeval": Format(longmemeval.LAYOUTS, longmemeval.variant, {}),
    "locomo": Format(locomo.LAYOUTS, locomo.variant, {"locomo10": locomo.check_official}),
    "rumba": Format(rumba.LAYOUTS, rumba.variant, {}),
}


def format_of(name: str) -> Format:
    """The format of that name, whose files hold conversations; raises `InputError` naming the known ones."""
    if name not in FORMATS:
        known = ", ".join((*FORMATS, labels.FORMAT))
        raise InputError(f"unknown format {name!r}; known: {known}", field="format")
    return FORMATS[name]
