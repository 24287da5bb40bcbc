"""What the scripts of the statistics read alike: the verdicts of a run and the design that they are reckoned by."""

from memtrial import store
from memtrial.records import TRIVIAL
from memtrial.statistics.cells import Cell
from memtrial.statistics.design import design


def study(j, baselines=False):
    """(design, cells, the tables of the corpus by name) of a job whose inputs are `judged`.

    Trivial baselines are only for those who ask: no memory made their answers, so they stand in no comparison.
    """
    names = ("questions", "gold", "evidence", "sessions", "disputed")
    read = {name: store.read(getattr(j.input, name)) for name in names}
    listed = zip(j.params.cells, j.input.verdicts, strict=True)
    cells = [Cell(*cell, store.read(path)) for cell, path in listed if baselines or cell[0] != TRIVIAL]
    return design(*(read[name] for name in names), j.spec), cells, read


def packet_tokens(j):
    """Proxy tokens of each packet by system; the texts are not read."""
    files, skipped = zip(j.params.systems, j.input.packets, strict=True), ("text", "slots", "dropped")
    return {s: [row["proxy_tokens"] for row in store.iterate_plain(path, without=skipped)] for s, path in files}
