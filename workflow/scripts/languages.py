"""Verdicts on two benchmarks that hold the same questions to their scores side by side, differences and a page."""

from types import SimpleNamespace

from _job import job
from _study import study
from memtrial.report.languages import build_page
from memtrial.statistics import columns, tables
from memtrial.statistics.languages import Language, language_rows

with job(snakemake) as j:
    sides = {}
    for side in ("left", "right"):
        files = {n.removeprefix(f"{side}_"): f for n, f in vars(j.input).items() if n.startswith(f"{side}_")}
        of = SimpleNamespace(input=SimpleNamespace(**files), params=j.params, spec=j.spec[side])
        design, cells, _ = study(of)
        sides[side] = Language(j.spec["languages"][side], design, cells)
    slices, contrasts = language_rows(sides["left"], sides["right"], j.spec["left"])
    for suffix in ("csv", "parquet"):
        tables.write_table(getattr(j.output, f"slices_{suffix}"), slices, columns.LANGUAGE_SLICES)
        tables.write_table(getattr(j.output, f"contrasts_{suffix}"), contrasts, columns.LANGUAGE_CONTRASTS)
    page = build_page(j.wildcards.pair, slices, contrasts, j.spec["left"]["statistics"])
    j.output.page.write_text(page, encoding="utf-8")
