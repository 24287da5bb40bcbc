"""What the page does not show, and why."""

from __future__ import annotations

from memtrial.report.data import PUBLISHED, SMALL, ReportData, in_order, unjudged
from memtrial.report.sections import Section
from memtrial.spec import TRIVIAL


def not_shown(data: ReportData) -> list[str]:
    """What the reader of the page could miss, a sentence each: what it is and why it is not there."""
    return [*_unjudged(data), *_refused(data), *_unreleased(data), *_controls(data), *_small(data), *_usage(data)]


def _unjudged(data: ReportData) -> list[str]:
    told = []
    for r in (r for r in data.rows("accuracy", gold=PUBLISHED, axis="all") if unjudged(r)):
        kinds = [f"{r[f'n_{kind}']} {kind}" for kind in ("error", "unparseable", "unanswered") if r[f"n_{kind}"]]
        who = f"{r['system']}, {r['reader']}, pass {r['reader_pass']}, judge {r['judge']}"
        told.append(f"No accuracy of {who}: {unjudged(r)} of {r['n']:,} rows have no verdict ({', '.join(kinds)}). "
                    "The lowest and highest possible share stand instead.")  # fmt: skip
    return told


def _refused(data: ReportData) -> list[str]:
    told = [
        f"No claim for {s}: {data.system_mark(s)}, which no deployed memory has."
        for s in data.systems
        if data.is_oracle(s)
    ]
    outside = [s for s in data.systems if data.is_external(s)]
    if len(outside) == len(data.systems):  # the sections say so
        return told
    unranked = [s for s in outside if not data.rows("retrieval", system=s)]
    for what, systems in (("packets", outside), ("retrieval", unranked)):
        if systems:
            told.append(f"No {what} of {', '.join(systems)}: their answers were made elsewhere.")
    return told


def _unreleased(data: ReportData) -> list[str]:
    unknown = sum(f["cause"] == "unknown" for f in data.rows("flips"))
    return [f"No cause of {unknown:,} flips: the answers were not released."] if unknown else []


def _controls(data: ReportData) -> list[str]:
    used = in_order(r["judge"] for r in data.rows("accuracy"))
    without = [judge for judge in used if judge not in data.controls]
    return [f"No controls of judge {', '.join(without)}: none were run here or given."] if without else []


def _small(data: ReportData) -> list[str]:
    sizes = {(r["axis"], r["slice"]): r["n"] for r in data.rows("accuracy", gold=PUBLISHED) if r["axis"] != "macro"}
    sizes |= {(r["axis"], r["slice"]): r["n"] for r in data.rows("slices", gold=PUBLISHED)}
    small = sum(n < SMALL for n in sizes.values())
    if not small:
        return []
    return [
        f"No conclusion from {small} of {len(sizes)} slices: they have under {SMALL} questions and bear a dagger (†)."
    ]


def _usage(data: ReportData) -> list[str]:
    """Where only some pairs of system and reader have a count or a price; where none has, the section says so."""
    pairs = in_order((r["system"], r["reader"]) for r in data.rows("accuracy") if r["system"] != TRIVIAL)
    counted = {(r["system"], r["reader"]) for r in data.rows("usage") if r["n_counted"]}
    priced = {(r["system"], r["reader"]) for r in data.rows("usage") if r["dollars"] is not None}
    uncounted, unpriced = [p for p in pairs if p not in counted], [p for p in pairs if p in counted - priced]
    told = [f"No token counts of {len(uncounted)} of {len(pairs)} system-reader pairs: their answers carry none."]
    told = told if 0 < len(uncounted) < len(pairs) else []
    if unpriced:
        told.append(f"No dollars of {len(unpriced)} of {len(pairs)} system-reader pairs: the price table has no price.")
    return told


def left_out(found: list[Section]) -> list[str]:
    """The sections that are not there, those with the same reason together."""
    why = in_order(s.why for s in found if s.why)
    return [f"{', '.join(s.title for s in found if s.why == reason)}: {reason}." for reason in why]
