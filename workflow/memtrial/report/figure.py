"""The frame of all plots: SVG that is the same on every run, keeps its words as text and follows a page's colours."""

from __future__ import annotations

import io
import re
from html import escape
from typing import Any

import matplotlib
from matplotlib.figure import Figure

# Okabe and Ito's hues, darkened to read on white; a page gives each a lighter twin for dark mode by its name.
COLOURS = {
    "paper": "#ffffff", "ink": "#1c1e21", "muted": "#5c6068", "grid": "#d5d8dd", "mark": "#0b62a0", "warn": "#7a4300",
    "hue-1": "#0072b2", "hue-2": "#b45f06", "hue-3": "#007a5c", "hue-4": "#a3327c", "hue-5": "#5b4b9a",
    "hue-6": "#8a6d00",
}  # fmt: skip
HUES = [COLOURS[f"hue-{n}"] for n in range(1, 7)]
MARKERS = ("o", "s", "^", "D", "v", "P", "X")  # seven to six hues: 42 pairs before one comes again
WIDTH = 4.3  # inches: small, so that the words still read where a 400 px screen shrinks it
STYLE: Any = {
    "svg.hashsalt": "memtrial", "svg.fonttype": "none", "text.parse_math": False, "font.size": 9,
    "font.family": "DejaVu Sans", "figure.facecolor": COLOURS["paper"], "axes.facecolor": COLOURS["paper"],
    "text.color": COLOURS["ink"], "axes.edgecolor": COLOURS["grid"], "axes.labelcolor": COLOURS["ink"],
    "xtick.color": COLOURS["muted"], "ytick.color": COLOURS["muted"], "axes.spines.top": False,
    "axes.spines.right": False, "axes.grid": True, "grid.color": COLOURS["grid"], "grid.linewidth": 0.6,
    "axes.axisbelow": True, "legend.frameon": False, "xtick.labelsize": 8, "ytick.labelsize": 8,
}  # fmt: skip


def style(place: int) -> dict[str, Any]:
    """Hue and marker of the system at this place, so that neither alone carries the meaning."""
    return {"color": HUES[place % len(HUES)], "marker": MARKERS[place % len(MARKERS)]}


def empty(title: str, why: str) -> str:
    """A plot of nothing, which says why it is empty."""
    figure = Figure(figsize=(WIDTH, 0.7))
    figure.text(0.5, 0.5, why, ha="center", va="center", color=COLOURS["muted"], wrap=True)
    return svg_of(figure, title, why)


def svg_of(figure: Figure, title: str, told: str) -> str:
    """The figure as SVG with a title and a description for those who do not see it, in colours that a page can set."""
    out = io.StringIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(out, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    before, attributes, after = re.split(r"<svg ([^>]*)>", out.getvalue(), maxsplit=1)
    for name, colour in COLOURS.items():
        after = after.replace(colour, f"var(--{name}, {colour})")
    # No font that the reader's machine may lack, and no fixed size: the view box scales.
    after = re.sub(r"'DejaVu Sans'[^;\"]*", "system-ui, sans-serif", after)
    attributes = re.sub(r'\b(width|height)="[^"]*"\s*', "", attributes)
    words = f'<title id="title">{escape(title)}</title>\n <desc id="desc">{escape(told)}</desc>'
    return f'{before}<svg role="img" aria-labelledby="title" aria-describedby="desc" {attributes}>\n {words}{after}'


def inline(svg: str, name: str) -> str:
    """An SVG file as a part of an HTML page: no prologue, its ids set apart by `name`."""
    body = svg[svg.index("<svg") :]
    body = re.sub(r'\bid="', f'id="{name}-', body)
    body = re.sub(r'(href="#|url\(#|aria-labelledby="|aria-describedby=")', rf"\g<1>{name}-", body)
    body = re.sub(r"<!--.*?-->\s*", "", body, flags=re.DOTALL)
    return re.sub(r'\s+xmlns(:\w+)?="[^"]*"', "", body)
