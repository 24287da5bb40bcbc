"""Typed access to the objects of a source file: every fault is one error that names file, row and field."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from memtrial.corpus import date_text
from memtrial.dates import parse_timestamp, weekday_agrees
from memtrial.errors import InputError
from memtrial.records import Quality

_SHOWN = 60


def shown(value: Any) -> str:
    """A found value in words, for an error message."""
    if value is None:
        return "null"
    if isinstance(value, list | dict):
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


class Row:
    """A JSON object with its place: `label` is the question or conversation id (or the index, until it is known).

    `findings` is shared by a row and its inner objects and collects what parsing notices.
    """

    def __init__(
        self, data: Any, file: str, label: object, path: str = "", findings: list[Quality] | None = None
    ) -> None:
        self.data, self.file, self.label, self.path = data, file, label, path
        self.findings: list[Quality] = [] if findings is None else findings
        if not isinstance(data, dict):
            raise InputError(f"expected an object, found {shown(data)}", file=file, row=label, field=path or None)

    def named(self, label: str) -> Row:
        """The same object under its id."""
        return Row(self.data, self.file, label, self.path, self.findings)

    def inside(self, path: str, data: Any, label: str | None = None) -> Row:
        """An object within this one."""
        return Row(data, self.file, label or self.label, f"{self.path}{path}", self.findings)

    def fault(self, field: str, problem: str) -> InputError:
        name = f"{self.path}.{field}" if self.path and field else self.path or field
        return InputError(problem, file=self.file, row=self.label, field=name or None)

    def note(self, kind: str, where: str, detail: str) -> None:
        self.findings.append(Quality(kind, where, detail))

    def unread(self, known: Iterable[str], place: str) -> None:
        """Note the fields that no parser reads, so that nothing is lost in silence."""
        for field in sorted(self.data.keys() - set(known)):
            self.note("unread-field", f"{place}.{field}" if place else field, "a field that the parser does not know")

    def require(self, field: str, kind: type | tuple[type, ...], expected: str) -> Any:
        if field not in self.data:
            raise self.fault(field, f"missing; expected {expected}")
        value = self.data[field]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.fault(field, f"expected {expected}, found {shown(value)}")
        return value

    def text(self, field: str) -> str:
        """Text that is not blank."""
        value: str = self.require(field, str, "text")
        if not value.strip():
            raise self.fault(field, f"expected text that is not blank, found {value!r}")
        return value

    def any_text(self, field: str) -> str:
        """Text that may be blank."""
        value: str = self.require(field, str, "text")
        return value

    def optional_text(self, field: str) -> str | None:
        return None if self.data.get(field) is None else self.any_text(field)

    def integer(self, field: str) -> int:
        value: int = self.require(field, int, "an integer")
        return value

    def items(self, field: str) -> list[Any]:
        value: list[Any] = self.require(field, list, "a list")
        return value

    def texts(self, field: str) -> list[str]:
        return [self.text_item(field, i, v) for i, v in enumerate(self.items(field))]

    def text_item(self, field: str, index: int, value: Any) -> str:
        if not isinstance(value, str):
            raise self.fault(f"{field}[{index}]", f"expected text, found {shown(value)}")
        return value

    def time(self, field: str) -> datetime:
        return self.time_of(field, self.require(field, str, "a date"))

    def time_of(self, field: str, value: Any) -> datetime:
        """A stated time; a weekday that contradicts its date is noted and the date believed."""
        if not isinstance(value, str):
            raise self.fault(field, f"expected a date as text, found {shown(value)}")
        try:
            time = parse_timestamp(value)
        except ValueError as error:
            raise self.fault(field, str(error)) from None
        if not weekday_agrees(value):
            self.note("weekday-mismatch", f"{self.label} {field}", f"{value} is read as {date_text(time)}")
        return time

    def optional_time(self, field: str, value: Any) -> datetime | None:
        """A time that may be missing (null or blank)."""
        return None if value is None or (isinstance(value, str) and not value.strip()) else self.time_of(field, value)

    def answers(self, field: str) -> list[str]:
        """Reference answers: text, an integer or a list of these; an integer is noted and becomes its digits."""
        value = self.require(field, (str, int, list), "text, an integer or a list of these")
        values = value if isinstance(value, list) else [value]
        if not values:
            raise self.fault(field, "expected an answer, found an empty list")
        for item in values:
            if isinstance(item, bool) or not isinstance(item, str | int):
                raise self.fault(field, f"expected text or an integer, found {shown(item)}")
            if isinstance(item, str) and not item.strip():
                raise self.fault(field, f"expected an answer that is not blank, found {item!r}")
            if isinstance(item, int):
                self.note("integer-answer", str(self.label), f"{field} {item} is a number in the source")
        return [str(item) for item in values]
