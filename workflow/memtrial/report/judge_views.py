"""Judges: the same answers under each of them, how far they agree, and what their controls showed."""

from __future__ import annotations

from collections import defaultdict

from memtrial.report.data import PUBLISHED, ReportData, Row, in_order, percent, span
from memtrial.report.front import judged
from memtrial.report.table import Head, Table, Value, accuracy_value, cell_value, n_of, question_link, shades
from memtrial.spec import TRIVIAL

MOST_REPLIES = 20


def beside_tables(data: ReportData) -> list[Table]:
    """The same answers by each judge: a row a pass of a reader, a column a judge with its protocol."""
    tables = []
    for gold in data.golds:
        rows = judged(data, gold)
        judges = in_order(r["judge"] for r in rows)
        found: dict[tuple[str, ...], dict[str, Row]] = defaultdict(dict)
        for r in rows:
            found[r["system"], r["reader"], r["reader_pass"], r["slice"]][r["judge"]] = r
        lines = [_beside(data, own, judges) for own in found.values() if len(own) > 1]
        if lines:
            heads = [Head("answers of", "reader · pass", number=False), *(_judge_head(data, j) for j in judges)]
            tables.append(Table("The same answers, each judge", heads, lines, "accuracy", gold))
    return tables


def _beside(data: ReportData, own: dict[str, Row], judges: list[str]) -> list[Value]:
    first = next(iter(own.values()))
    who = cell_value(data, {**first, "judge": ""})
    if first["slice"] != "all":
        who = who._replace(small=(*who.small, f"{first['slice']} questions"))
    heats = shades([own[j]["accuracy"] if j in own else None for j in judges])
    values = [accuracy_value(own[j], h) if j in own else Value("–") for j, h in zip(judges, heats, strict=True)]
    return [who, *values]


def _judge_head(data: ReportData, judge: str) -> Head:
    spec = data.judges[judge]
    told = [str(spec.get("protocol") or spec.get("kind", "")), str(spec.get("model", "")), data.judge_mark(judge)]
    return Head(judge, " · ".join(filter(None, told)))


def agreement_tables(data: ReportData, repeat: bool) -> list[Table]:
    """Pairs of judges (or, with `repeat`, of judgings by one judge) on the same answers: over all, then by type."""
    heads = [
        Head("answers of", "reader · pass", number=False),
        Head("a, b", number=False),
        Head("slice", number=False),
        Head("n"),
        Head("agree"),
        Head("kappa", "Cohen"),
        Head("both right"),
        Head("only a right"),
        Head("only b right"),
        Head("both wrong"),
    ]
    name = "Repeated judging: what is not agreement is the judge's own flip floor" if repeat else "Agreement of judges"
    tables = []
    for gold in data.golds:
        rows = sorted(data.rows("agreement", gold=gold, repeat=repeat), key=_all_first)
        if rows:
            tables.append(Table(name, heads, [_agreement(data, r) for r in rows], "agreement", gold))
    return tables


def _all_first(row: Row) -> bool:
    return bool(row["axis"] != "all")


def _agreement(data: ReportData, row: Row) -> list[Value]:
    counts = (row["both_right"], row["only_a"], row["only_b"], row["both_wrong"])
    rate = Value(percent(row["rate"]), tuple(filter(None, [f"{row['agree']:,} of {row['n']:,}",
                                                           span(row["wilson_low"], row["wilson_high"])])))  # fmt: skip
    told = (f"{row['n_unjudged']} unjudged",) if row["n_unjudged"] else ()
    return [
        cell_value(data, row),
        Value(f"{row['judge_a']}, {row['judge_b']}"),
        Value(row["slice"]),
        Value(n_of(row).removeprefix("n="), told),
        rate,
        Value(_kappa(row)),
        *(Value(f"{c:,}") for c in counts),
    ]


def _kappa(row: Row) -> str:
    return "–" if row["kappa"] is None else f"{row['kappa']:.3f}"


def control_table(data: ReportData) -> list[Table]:
    """Control arms as rows, judges as columns: the share that the judge got as it should."""
    judges = [j for j in data.judges if j in data.controls]
    if not judges:
        return []
    arms = sorted({arm for j in judges for arm in data.controls[j]["arms"]})
    wanted = {arm: data.controls[j]["arms"][arm]["expected"] for j in judges for arm in data.controls[j]["arms"]}
    lines = [
        [
            Value(arm, ("should pass" if wanted[arm] else "should fail",)),
            *(_arm(data.controls[j]["arms"].get(arm)) for j in judges),
        ]
        for arm in arms
    ]
    heads = [Head("arm", number=False), *(_judge_head(data, j) for j in judges)]
    return [
        Table(
            "Controls of each judge", heads, lines, "", note="Share of planted answers that a judge got as it should."
        )
    ]


def _arm(arm: Row | None) -> Value:
    if arm is None:
        return Value("–", ("not run",))
    bad = [f"{arm[f'n_{kind}']} {kind}" for kind in ("error", "unparseable") if arm.get(f"n_{kind}")]
    small = [f"{arm['passed']} of {arm['n']}", span(arm.get("ci_low"), arm.get("ci_high")), *bad]
    mark = "" if arm["reached"] else f"under the bar of {percent(arm['threshold'])}"
    return Value(percent(arm["rate"]), tuple(filter(None, small)), mark)


def disagreement_table(data: ReportData) -> list[Table]:
    """Replies that the benchmark's official rule reads otherwise than ours, the first of them."""
    rows = data.rows("disagreements")
    lines = [
        [
            Value(r["question_id"], href=question_link(r["question_id"])), cell_value(data, r),
            Value("right" if r["correct"] else "wrong"), Value("right" if r["official"] else "wrong"),
            Value((r["raw"] or "")[:120]),
        ]
        for r in rows[:MOST_REPLIES]
    ]  # fmt: skip
    heads = [Head(h, number=False) for h in ("question", "cell", "our parser", "official rule", "reply")]
    found = Table("Replies that the official rule reads otherwise", heads, lines, "disagreements",
                  more=len(rows) - len(lines))  # fmt: skip
    return [found] if rows else []


def told(data: ReportData) -> str:
    """How far the first pair of judges agrees, in a sentence; else how many judges there are."""
    pairs = data.rows("agreement", gold=PUBLISHED, axis="all", repeat=False)
    pairs = [r for r in pairs if r["rate"] is not None and r["system"] != TRIVIAL]
    if pairs:
        r = pairs[0]
        return (
            f"{r['judge_a']} and {r['judge_b']} agree on {percent(r['rate'])} of {r['n']:,} answers of {r['system']} "
            f"(kappa {_kappa(r)}): {r['only_a']} right by {r['judge_a']} "
            f"alone, {r['only_b']} by {r['judge_b']} alone."
        )
    judges = in_order(r["judge"] for r in data.rows("accuracy"))
    if not judges:
        return "Nothing has been judged here; these are the controls of the judges that the config names."
    return f"One judge, {judges[0]}: nothing here says how another would judge."
