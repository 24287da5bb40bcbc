"""A benchmark's results, receipts and workflow to one zip."""

import sys
from pathlib import Path

from _job import job
from memtrial.bundle.pack import pack
from memtrial.digest import ROOT

with job(snakemake) as j:
    places = Path.cwd(), ROOT.parents[1]
    facts = pack(j.output.bundle, j.input.gathered, j.input.extras, j.input.sources, j.spec, places)
    size, withheld = j.output.bundle.stat().st_size, len(facts["withheld"])
    print(f"{j.output.bundle}: {size:,} bytes, {withheld} files without the benchmark's text", file=sys.stderr)
