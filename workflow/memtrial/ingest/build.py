"""The ingest stage: a benchmark file in, corpus, questions, gold, evidence and quality findings out."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from memtrial import store
from memtrial.errors import InputError
from memtrial.ingest.conversation import Layout, Shape, Unit
from memtrial.ingest.corpus_writer import BUCKETS, CorpusWriter
from memtrial.ingest.registry import Format, format_of
from memtrial.ingest.row import Row
from memtrial.ingest.source import Source
from memtrial.records import Quality, Question, Turn

Progress = Callable[[int, int | None], None]
_STEPS = 2 * BUCKETS  # half of the steps are reading, half are writing turns


def ingest(
    source: Path, spec: Mapping[str, Any], outputs: Mapping[str, Path], progress: Progress | None = None
) -> dict[str, Any]:
    """Read the benchmark file `source` (.json or .json.gz) and write its tables.

    `spec`: `format` (longmemeval, locomo, rumba) and, optionally, `known_files` (name to SHA-256 of the decompressed
    content). `outputs`: paths of sessions, turns, questions, gold, evidence, quality. `progress(done, total)` counts
    steps of equal weight. Memory is bounded by the largest row, not by the file. The outputs do not depend on the
    order of the rows. Returns rows by table, `sha256`, `bytes` and `variant` of the source.

    Raises `InputError` naming file, row, field and what was expected.
    """
    form = format_of(spec["format"])
    temporary = outputs["turns"].parent
    temporary.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=temporary, prefix=".ingest-") as spill,
        CorpusWriter(Path(spill), source.name) as corpus,
    ):
        stream = Source(source, _reading(progress))
        shape = _collect(stream, form, corpus)
        variant = _variant(stream.sha256, form, spec.get("known_files") or {}, shape, corpus)
        corpus.findings.add(Quality("variant", spec["format"], variant))
        if stream.lone_surrogates:
            detail = f"{stream.lone_surrogates} escapes of half a surrogate pair are no characters: read as U+FFFD"
            corpus.findings.add(Quality("lone-surrogate", spec["format"], detail))
        corpus.findings.update(_repeated_questions(corpus.questions))
        counts = _write(corpus, outputs, progress)
    return {"rows": counts, "sha256": stream.sha256, "bytes": stream.size, "variant": variant}


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
