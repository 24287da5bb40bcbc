"""Corpus, packets, answers and verdicts to a page that shows any question, with a script file for each."""

from _job import job
from memtrial import store
from memtrial.corpus import Corpus
from memtrial.report import browser
from memtrial.report.browser_index import Index
from memtrial.report.browser_records import asked, sources

with job(snakemake) as j:
    cells, benchmark = [tuple(cell) for cell in j.spec["cells"]], j.wildcards.benchmark
    there = {str(path): store.iterate(path, batch_rows=16) for path in j.input.rows}
    corpus, index = Corpus(store.iterate(j.input.sessions), []), Index(cells, j.spec["retrieval_abstention"])
    files, written = {}, set()
    j.output.folder.mkdir(parents=True, exist_ok=True)
    for number, one in enumerate(asked(sources(f"results/{benchmark}", cells, there)), 1):
        index.add(one)
        sessions = corpus.conversation(one.question.conversation_id)
        for name, content in browser.question_files(number, one, sessions, cells, written):
            (j.output.folder / name).write_bytes(content)
            files[name] = browser.entry(content)
    j.output.index.write_bytes(browser.index_script(index, benchmark, j.spec["kinds"], j.spec["oracles"]))
    j.output.manifest.write_text(browser.manifest(files), encoding="utf-8")
    j.output.page.write_text(browser.page(benchmark), encoding="utf-8")
