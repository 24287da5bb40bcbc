"""Published figures beside ours, row by row: equal, differs, or absent from our tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import pyarrow as pa

from memtrial.errors import InputError
from memtrial.statistics import columns
from memtrial.statistics.intervals import DECIMALS

ROWS = "rows"
Row = dict[str, Any]


def claims_rows(
    lists: Mapping[str, Mapping[str, Any]], tables: Mapping[str, Sequence[Row]], values: Mapping[str, Any]
) -> list[Row]:
    """Rows of `columns.CLAIMS`: one a claim, in the order of `lists`, {name: {"source", "claims": [claim, ..]}}.

    A claim is {"claim", "table", "where", "column", "published"} and optionally "source" (else that of the list),
    "decimals" and "scale". `where` gives columns of the table and their values, selecting one row (text columns compare
    with the value as text); `gold` is `published` unless it says otherwise. Column `rows` is the number of rows found.
    `published` is a value, or {"file", "path"}: a place in a JSON document of `values`; the path is a list of steps, or
    text with dots between them.

    Numbers are equal where the published one is ours (times `scale`) rounded to `decimals`, by default those it is
    written with, either way at a half; what a table rounds off cannot tell them apart. Text and flags are equal as they
    are. Absent: no such row, or nothing is known there.
    Raises `InputError`, naming list and claim, for an unknown table or column, several rows, a path that leads nowhere,
    and values of different kinds.
    """
    return [
        _row(claim, f"claims.{name}, claim {number}", given.get("source", ""), tables, values)
        for name, given in lists.items()
        for number, claim in enumerate(given["claims"], 1)
    ]


def named_tables(lists: Iterable[Mapping[str, Any]]) -> list[str]:
    """The tables that lists of claims look into, each once, by name."""
    return sorted({claim["table"] for given in lists for claim in given["claims"]})


def named_files(lists: Iterable[Mapping[str, Any]]) -> list[str]:
    """The files that lists of claims take published figures from, each once, by name."""
    published = [claim["published"] for given in lists for claim in given["claims"]]
    return sorted({p["file"] for p in published if isinstance(p, Mapping)})


def _row(
    claim: Mapping[str, Any], at: str, source: str, tables: Mapping[str, Sequence[Row]], values: Mapping[str, Any]
) -> Row:
    table, column = claim["table"], claim["column"]
    schema = _schema(table, at)
    where = {str(k): v for k, v in claim.get("where", {}).items()}
    for name in (*where, column):
        if name not in schema.names and (name != ROWS or name in where):
            raise InputError(f"{table} has no column '{name}' but {', '.join(schema.names)}", file=at)
    asked = where if "gold" not in schema.names else {"gold": columns.PUBLISHED, **where}
    found = [r for r in tables[table] if all(_same(r[k], v) for k, v in asked.items())]
    published, source = _published(claim, at, claim.get("source", source), values)
    ours = len(found) if column == ROWS else _only(found, asked, at).get(column)
    told, found_text, outcome = _compared(published, ours, claim, _last_digit(column, ours), at)
    return {
        "claim": claim["claim"],
        "published": told,
        "ours": found_text,
        "outcome": outcome,
        "table": table,
        "column": column,
        "where": ", ".join(f"{k}={_text(v)}" for k, v in where.items()),
        "source": source,
    }


def _schema(table: str, at: str) -> pa.Schema:
    known = {name.lower(): s for name, s in vars(columns).items() if isinstance(s, pa.Schema)}
    if table not in known:
        raise InputError(f"no table is called '{table}'; known: {', '.join(sorted(known))}", file=at, field="table")
    return known[table]


def _text(value: Any) -> str:
    """A value as text, as tables write it: true, false, and nothing for null."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _same(found: Any, wanted: Any) -> bool:
    if isinstance(found, str):
        return wanted is not None and found == _text(wanted)
    if isinstance(found, bool) or isinstance(wanted, bool):
        return found is wanted
    return bool(found == (round(wanted, DECIMALS) if isinstance(wanted, float) else wanted))


def _only(found: Sequence[Row], asked: Mapping[str, Any], at: str) -> Row:
    """The one row found, empty for none."""
    if len(found) > 1:
        open_ = [k for k in found[0] if k not in asked and len({_text(r[k]) for r in found}) > 1]
        told = f"{', '.join(open_)} would decide" if open_ else "they are equal"
        raise InputError(f"expected one row, found {len(found)}: {told}", file=at, field="where")
    return found[0] if found else {}


def _published(claim: Mapping[str, Any], at: str, source: str, values: Mapping[str, Any]) -> tuple[Any, str]:
    """The published value, and where it stands."""
    given = claim["published"]
    if not isinstance(given, Mapping):
        return given, source
    steps = given["path"].split(".") if isinstance(given["path"], str) else given["path"]
    value = values[given["file"]]
    for step in steps:
        value = _inside(value, step, f"{at}, {given['file']}")
    path = ".".join(_step_text(step) for step in steps)
    return value, ", ".join(filter(None, [source, f"{given['file']}: {path}"]))


def _inside(value: Any, step: Any, at: str) -> Any:
    """One step of a path: a key of an object; of a list a number from 0, or {key: value, ..} that one item has."""
    if isinstance(value, list) and isinstance(step, Mapping):
        items = [item for item in value if isinstance(item, dict) and all(item.get(k) == v for k, v in step.items())]
        if len(items) == 1:
            return items[0]
        raise InputError(f"expected one item with {_step_text(step)}, found {len(items)}", file=at, field="path")
    if isinstance(value, list) and str(step).isdecimal() and int(step) < len(value):
        return value[int(step)]
    if isinstance(value, dict) and not isinstance(step, Mapping) and str(step) in value:
        return value[str(step)]
    raise InputError(f"nothing lies at '{_step_text(step)}'", file=at, field="path")


def _step_text(step: Any) -> str:
    return " ".join(f"{k}={_text(v)}" for k, v in step.items()) if isinstance(step, Mapping) else str(step)


def _compared(published: Any, ours: Any, claim: Mapping[str, Any], lost: int | None, at: str) -> tuple[str, str, str]:
    """Both values as they are shown, and the outcome; `lost` is the exponent of a table's last digit, null if exact."""
    kinds = [type(published), type(ours)]
    if not (_is_number(published) and (ours is None or _is_number(ours))):
        if kinds[0] not in (str, bool) or (ours is not None and kinds[0] is not kinds[1]):
            raise InputError(f"{published!r} cannot be compared with {ours!r}", file=at, field="published")
        return _text(published), _text(ours), _outcome(ours, published == ours)
    scale, given = Decimal(str(claim.get("scale", 1))), Decimal(str(published))
    if not given.is_finite():
        raise InputError(f"expected a finite number, found {published}", file=at, field="published")
    decimals = claim.get("decimals", max(0, -int(given.as_tuple().exponent)))
    told = round(given, decimals)
    if ours is None:
        return str(told), "", _outcome(ours, False)
    found = Decimal(str(ours)) * scale
    rounding = Decimal(1).scaleb(-decimals) / 2
    kept = decimals
    if lost is not None:
        rounding += scale.scaleb(lost) / 2
        kept = min(decimals, max(0, -scale.scaleb(lost).adjusted()))
    equal = abs(found - told) <= rounding
    shown = f"{found:.{max(0, kept)}f}"
    # At a half both roundings are equal: then ours is shown as it is.
    return str(told), str(found.normalize()) if equal and Decimal(shown) != told else shown, _outcome(ours, equal)


def _outcome(ours: Any, equal: bool) -> str:
    return "absent" if ours is None else "equal" if equal else "differs"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _last_digit(column: str, ours: Any) -> int | None:
    """The exponent of the last digit that a table keeps of a value; null for what it does not round."""
    if not isinstance(ours, float):
        return None
    return Decimal(str(ours)).adjusted() + 1 - columns.P_DIGITS if column in columns.P_VALUES else -DECIMALS
