"""Wall time and peak memory of the tables of slices, contrasts and languages at RUMBA's size, and of their parts.

    PYTHONPATH=workflow python tests/bench/statistics_bench.py

13 systems and 3 families in 2 languages on 1,543 questions, 40 slices, 200 contrasts, 10,000 resamples: from cells to
rows. Once with conversations as clusters, once with questions. Each case runs in a process of its own.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import planted
from rumba import conversations

from memtrial.statistics.contrasts import contrast_rows
from memtrial.statistics.design import design
from memtrial.statistics.languages import Language, language_rows
from memtrial.statistics.slices import slice_rows

AXES = (*planted.AXES, "scope*temporality", "subcategory")
SLICES, CONTRASTS, RESAMPLES = 40, 200, 10_000
CLUSTERS = ("conversation", "question")


def measure(cluster: str) -> dict[str, Any]:
    """Seconds of each table and the peak memory of this process, by what is drawn whole."""
    made = conversations(0)
    right = planted.judged(made, planted.chances(made), 0)
    spec = planted.spec_of(RESAMPLES)
    spec["statistics"] |= {"axes": list(AXES), "cluster": cluster}
    sides = []
    for at, language in enumerate(planted.LANGUAGES):
        of = design(*planted.records(made, language), [], [], None, spec)
        of = of._replace(slices=of.slices[:SLICES])
        sides.append(Language(f"rumba-{language}", of, planted.cells(made, right[:, :, at])))
    blocks = {"types": "slices", "types again": "differences", "families": "families"}
    spec["statistics"]["blocks"] = {n: {"contrast": kind, "axis": "semantic_type"} for n, kind in blocks.items()}
    spec["statistics"]["blocks"]["scopes"] = {"contrast": "families", "axis": "scope*temporality"}
    told: dict[str, Any] = {"cluster": cluster, "slices": len(sides[0].design.slices), "rows": {}, "seconds": {}}
    before = time.perf_counter()
    for side in sides:
        for name, rows in (("slices", slice_rows), ("contrasts", contrast_rows)):
            started = time.perf_counter()
            told["rows"][f"{name} {side.benchmark}"] = len(rows(side.design, side.cells, spec))
            told["seconds"][f"{name} {side.benchmark}"] = time.perf_counter() - started
    told["seconds"]["slices and contrasts"] = time.perf_counter() - before
    started = time.perf_counter()
    told["rows"]["languages"] = sum(map(len, language_rows(*sides, spec)))
    told["seconds"]["languages"] = time.perf_counter() - started
    told["peak_rss_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return told


def main() -> None:
    if len(sys.argv) > 1:
        print(json.dumps(measure(sys.argv[1])))
        return
    told = []
    for cluster in CLUSTERS:
        command = [sys.executable, str(Path(__file__)), cluster]
        told.append(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
    print(json.dumps({"cores": os.cpu_count(), "load_at_end": os.getloadavg()[0], "cases": told}, indent=1))


if __name__ == "__main__":
    main()
