"""The ingest stage: a benchmark file in, corpus, questions, gold, evidence and quality findings out."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from memtrial import store
from memtrial.errors import InputError
from memtrial.ingest import labels
from memtrial.ingest.conversation import Layout, Shape, Unit
from memtrial.ingest.corpus_writer import BUCKETS, CorpusWriter
from memtrial.ingest.registry import Format, format_of
from memtrial.ingest.row import Row
from memtrial.ingest.source import Source, open_plain
from memtrial.records import Quality, Question, Turn
from memtrial.text import canonical, sha256

Progress = Callable[[int, int | None], None]
_STEPS = 2 * BUCKETS  # half of the steps are reading, half are writing turns


def ingest(
    source: Path | Sequence[Path],
    spec: Mapping[str, Any],
    outputs: Mapping[str, Path],
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Read the benchmark file `source` (.json or .json.gz; one or several of results for `labels`), write its tables.

    `spec`: `format` (longmemeval, locomo, rumba, labels) and, optionally, `known_files` (name to SHA-256 of the
    decompressed content) and `question_types`, the only ones that are kept; for `labels` also what `labels.units`
    takes. `outputs`: paths of sessions, turns, questions, gold, evidence, quality. `progress(done, total)` counts
    steps of equal weight. Memory is bounded by the largest row, not by the file (`labels`: by the files). The outputs
    do not depend on the order of the rows. Returns rows by table, `sha256`, `bytes` and `variant` of the source (of
    several files `sha256` is over their names and digests).

    Raises `InputError` naming file, row, field and what was expected.
    """
    paths = [source] if isinstance(source, Path) else list(source)
    temporary = outputs["turns"].parent
    temporary.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=temporary, prefix=".ingest-") as spill,
        CorpusWriter(Path(spill), paths[0].name) as corpus,
    ):
        read = _read_labels if spec["format"] == labels.FORMAT else _read_conversations
        facts = read(paths, spec, corpus, progress)
        corpus.findings.add(Quality("variant", spec["format"], facts["variant"]))
        if spec.get("question_types"):
            _keep(corpus, set(spec["question_types"]))
        corpus.findings.update(_repeated_questions(corpus.questions))
        counts = _write(corpus, outputs, progress)
    return {"rows": counts, **facts}


def _read_conversations(
    paths: Sequence[Path], spec: Mapping[str, Any], corpus: CorpusWriter, progress: Progress | None
) -> dict[str, Any]:
    """Read a file of conversations into the corpus; returns `sha256`, `bytes` and `variant`."""
    form = format_of(spec["format"])
    if len(paths) > 1:
        raise InputError(f"a benchmark of format {spec['format']} is one file", file=paths[0].parent)
    stream = Source(paths[0], _reading(progress))
    shape = _collect(stream, form, corpus)
    if stream.lone_surrogates:
        detail = f"{stream.lone_surrogates} escapes of half a surrogate pair are no characters: read as U+FFFD"
        corpus.findings.add(Quality("lone-surrogate", spec["format"], detail))
    variant = _variant(stream.sha256, form, spec.get("known_files") or {}, shape, corpus)
    return {"sha256": stream.sha256, "bytes": stream.size, "variant": variant}


def _read_labels(
    paths: Sequence[Path], spec: Mapping[str, Any], corpus: CorpusWriter, progress: Progress | None
) -> dict[str, Any]:
    """Read files of questions and gold into the corpus; returns `sha256`, `bytes` and `variant`."""
    files: dict[str, bytes] = {}
    for path in paths:
        with open_plain(path) as (plain, _):
            files[path.name] = plain.read()
    conversations = 0
    for unit in labels.units(files, spec):
        corpus.add(unit)
        conversations += 1
    if not conversations:
        raise InputError("expected at least one row", file=corpus.file)
    digests = [[name, sha256(content)] for name, content in files.items()]
    return {
        "sha256": digests[0][1] if len(digests) == 1 else sha256(canonical(digests)),
        "bytes": sum(map(len, files.values())),
        "variant": f"labels: no history, {len(corpus.questions)} questions of {conversations} conversations",
    }


def _keep(corpus: CorpusWriter, question_types: set[str]) -> None:
    """Keep the questions of these types alone; the histories stay whole. Raises `InputError` for a type without any."""
    types = {g.question_id: g.question_type for g in corpus.gold}
    if absent := sorted(question_types - set(types.values())):
        problem = f"no question is of type {', '.join(absent)}; there is {', '.join(sorted(set(types.values())))}"
        raise InputError(problem, file=corpus.file, field="question_types")
    kept = {i for i, kind in types.items() if kind in question_types}
    corpus.questions = [q for q in corpus.questions if q.question_id in kept]
    corpus.gold = [g for g in corpus.gold if g.question_id in kept]
    corpus.evidence = [e for e in corpus.evidence if e.question_id in kept]
    corpus.findings = {f for f in corpus.findings if f.where not in types or f.where in kept}


def _collect(stream: Source, form: Format, corpus: CorpusWriter) -> Shape:
    """Parse all rows into the corpus; returns the shape of the file."""
    layout: tuple[str, Layout] | None = None
    sizes: list[int] = []
    only_evidence = True
    for index, data in enumerate(stream.rows(form.known())):
        row = Row(data, stream.path.name, index)
        layout = layout or _layout(row, form)
        unit = layout[1].parse(row)
        if corpus.add(unit):
            sizes.append(len(unit.sessions))
        only_evidence = only_evidence and _covered(unit)
    if layout is None:
        raise InputError("expected at least one row, found an empty list", file=stream.path.name)
    return Shape(layout[0], sizes, only_evidence)


def _layout(row: Row, form: Format) -> tuple[str, Layout]:
    """The layout whose fields the first row has; raises `InputError` naming the fields found and the known ones."""
    for name, layout in form.layouts.items():
        if row.data.keys() >= set(layout.fields):
            return name, layout
    raise row.fault("", f"unknown layout: an object with {', '.join(row.data) or 'no fields'}; known: {form.known()}")


def _covered(unit: Unit) -> bool:
    return len({e.position for e in unit.evidence if e.resolved}) == len(unit.sessions)


def _variant(sha256: str, form: Format, known: Mapping[str, str], shape: Shape, corpus: CorpusWriter) -> str:
    """The registered file of that content, else what the shape says; a registered file is held to its known counts."""
    for name, registered in known.items():
        if registered == sha256:
            if name in form.official:
                form.official[name](corpus.gold, corpus.file)
            return f"{name}: the content's SHA-256 is registered"
    return form.variant(shape)


def _repeated_questions(questions: Sequence[Question]) -> Iterator[Quality]:
    """Questions of a conversation with the same words: the first by id is the original."""
    same = defaultdict(list)
    for q in questions:
        same[q.conversation_id, " ".join(q.question.casefold().split())].append(q.question_id)
    for ids in same.values():
        first, *others = sorted(ids)
        for other in others:
            yield Quality("repeated-question", other, f"the same words as {first}")


def _write(corpus: CorpusWriter, outputs: Mapping[str, Path], progress: Progress | None) -> dict[str, int]:
    return {
        "turns": store.write_sorted(outputs["turns"], _counted(corpus.turns(), progress)),
        "sessions": store.write(outputs["sessions"], corpus.sessions),
        "questions": store.write(outputs["questions"], corpus.questions),
        "gold": store.write(outputs["gold"], corpus.gold),
        "evidence": store.write(outputs["evidence"], corpus.evidence),
        "quality": store.write(outputs["quality"], corpus.findings),
    }


def _reading(progress: Progress | None) -> Callable[[int, int], None]:
    last = -1

    def on_read(done: int, total: int) -> None:
        nonlocal last
        if progress and (step := BUCKETS * done // max(total, 1)) != last:
            progress(step, _STEPS)
            last = step

    return on_read


def _counted(turns: Iterable[Turn], progress: Progress | None) -> Iterator[Turn]:
    """Pass turns on; how far they are shows in the first byte of their content id."""
    last = -1
    for turn in turns:
        if progress and turn.turn_index == 0 and (step := int(turn.content_id[:2], 16)) != last:
            progress(BUCKETS + (step + 1) * BUCKETS // 256, _STEPS)
            last = step
        yield turn
    if progress:
        progress(_STEPS, _STEPS)
