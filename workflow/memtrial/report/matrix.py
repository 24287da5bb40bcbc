"""The agreement of judges as a matrix: share of verdicts alike, and Cohen's kappa."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from memtrial.report.data import PUBLISHED, ReportData, Row, in_order, percent
from memtrial.report.figure import COLOURS, WIDTH, empty, svg_of

MOST_PANELS = 4


def agreement(data: ReportData) -> str:
    """A matrix a pass of a reader on a system, of those that most judges judged, in the order of the table."""
    title = f"Agreement of judges on {data.benchmark}"
    rows = [r for r in data.rows("agreement", gold=PUBLISHED, axis="all") if r["rate"] is not None]
    cells = in_order((r["system"], r["reader"], r["reader_pass"]) for r in rows)[:MOST_PANELS]
    if not cells:
        return empty(title, "No answers were judged twice.")
    own = [[r for r in rows if (r["system"], r["reader"], r["reader_pass"]) == cell] for cell in cells]
    judges = in_order(name for found in own for r in found for name in (r["judge_a"], r["judge_b"]))
    side = 0.42 * len(judges) + 0.45
    figure = Figure(figsize=(WIDTH, side * len(cells)), layout="constrained")
    panels = figure.subplots(len(cells), 1, squeeze=False)[:, 0]
    for axes, cell, found in zip(panels, cells, own, strict=True):
        _panel(axes, [j for j in judges if any(j in (r["judge_a"], r["judge_b"]) for r in found)], found)
        axes.set_title(" · ".join([cell[0], cell[1], f"pass {cell[2]}"]), fontsize=8, loc="left")
    told = "; ".join(
        f"{r['system']}, {r['reader']}, pass {r['reader_pass']}: {r['judge_a']} and {r['judge_b']} agree on "
        f"{percent(r['rate'])}, kappa {_kappa(r)}"
        for found in own
        for r in found
    )
    return svg_of(figure, title, f"{told}.")


def _kappa(row: Row) -> str:
    return "–" if row["kappa"] is None else f"{row['kappa']:.2f}"


def _panel(axes: Axes, judges: Sequence[str], rows: Sequence[Row]) -> None:
    size = len(judges)
    axes.set_xlim(0, size)
    axes.set_ylim(size, 0)
    axes.grid(visible=False)
    axes.set_xticks([n + 0.5 for n in range(size)], judges)
    axes.set_yticks([n + 0.5 for n in range(size)], judges)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    for r in rows:
        a, b = judges.index(r["judge_a"]), judges.index(r["judge_b"])
        _square(axes, max(a, b), min(a, b), percent(r["rate"]), r["rate"])
        _square(axes, min(a, b), max(a, b), f"κ {_kappa(r)}", r["kappa"])


def _square(axes: Axes, row: int, column: int, words: str, shade: float | None) -> None:
    alpha = 0.06 if shade is None else round(0.06 + 0.4 * max(0.0, min(1.0, shade)), 3)
    axes.fill(
        [column, column + 1, column + 1, column],
        [row, row, row + 1, row + 1],
        color=COLOURS["mark"],
        alpha=alpha,
        linewidth=0,
    )
    axes.text(column + 0.5, row + 0.5, words, ha="center", va="center", fontsize=8)
