"""Verdicts on two benchmarks that hold the same questions to their scores side by side, differences and a page."""

from types import SimpleNamespace

from _job import job
from _study import study
from memtrial.report.languages import build_page
from memtrial.statistics.languages import Language, language_rows
from memtrial.statistics.tables import write_tables

with job(snakemake) as j:
    sides = {}
    for side in ("left", "right"):
        files = {n.removeprefix(f"{side}_"): f for n, f in vars(j.input).items() if n.startswith(f"{side}_")}
        of = SimpleNamespace(input=SimpleNamespace(**files), params=j.params, spec=j.spec[side])
        design, cells, _ = study(of)
        sides[side] = Language(j.spec["languages"][side], design, cells)
    slices, contrasts = language_rows(sides["left"], sides["right"], j.spec["left"])
    write_tables(j.output, {"slices": slices, "contrasts": contrasts}, prefix="language_")
    page = build_page(j.wildcards.pair, slices, contrasts, j.spec["left"]["statistics"])
    j.output.page.write_text(page, encoding="utf-8")
