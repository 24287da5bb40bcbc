"""Files of objections to a benchmark's gold as records of one shape; no file, no record."""

import logging

from _job import job
from memtrial import store
from memtrial.statistics.dossier import read_dossier

with job(snakemake) as j:
    ids = [g.question_id for g in store.read(j.input.gold)]
    rows, unknown = {}, {}
    for given, path in zip(j.spec["disputed"], j.input.files, strict=True):
        found = read_dossier({path.name: path.read_bytes()}, ids, given)
        rows |= dict.fromkeys(found.rows)
        unknown[given["source"]] = len(found.unknown)
        logging.info("%s: %s rows, %s of other questions", path, len(found.rows), ", ".join(found.unknown) or "none")
    j.facts = {"unknown_questions": unknown}
    store.write(j.output.disputed, rows)
