"""Somebody else's rankings, through a field map, as candidates; and what of the log could be used."""

import json
import logging

from _job import job
from memtrial import store
from memtrial.retrieval.imported import import_rankings

with job(snakemake) as j:
    questions, sessions = store.read(j.input.questions), store.read(j.input.sessions)
    files = {path.name: path.read_bytes() for path in j.input.source}
    found = import_rankings(files, questions, sessions, j.spec)
    store.write(j.output.candidates, found.candidates)
    told = {"missing": j.spec.get("missing", "refuse"), **found._asdict()}
    del told["candidates"]
    j.output.rankings.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    logging.info("%s of %s items are sessions of the benchmark", found.known, found.items)
    for question_id in found.unranked:
        logging.warning("%s: the log ranks nothing for it", question_id)
