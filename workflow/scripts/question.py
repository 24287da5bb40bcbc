"""One question's packet and scaffold to a page that a person can read."""

from _job import job
from memtrial import store
from memtrial.errors import InputError
from memtrial.report.question import QuestionData, build_question_page

with job(snakemake) as j:
    wanted = j.wildcards.question_id

    def own(name):
        """The question's rows of an input, none if the system lacks it."""
        rows = store.iterate(getattr(j.input, name)) if hasattr(j.input, name) else ()
        return [row for row in rows if row.question_id == wanted]

    questions, packets, scaffolds = map(own, ("questions", "packets", "scaffolds"))
    if not questions:
        raise InputError(f"there is no question {wanted!r}", file=j.input.questions)
    sessions = [s for s in store.iterate(j.input.sessions) if s.conversation_id == questions[0].conversation_id]
    contents = {s.content_id for s in sessions}
    turns = [t for t in store.iterate(j.input.turns) if t.content_id in contents]
    rankings = (own("candidates"), own("reranked"))
    names = (j.wildcards.benchmark, j.wildcards.system, questions[0])
    data = QuestionData(*names, sessions, turns, packets[0], scaffolds[0], *rankings, j.spec)
    j.output.page.write_text(build_question_page(data), encoding="utf-8")
