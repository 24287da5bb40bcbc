"""The one error that means: the input is at fault, not the program."""

from __future__ import annotations


class InputError(ValueError):
    """Bad input, told in one message that names the file, the row and the field.

    >>> print(InputError("expected a date, found 'soon'", file="s.json", row=3, field="question_date"))
    s.json, row 3, field 'question_date': expected a date, found 'soon'
    """

    def __init__(self, problem: str, *, file: object = None, row: object = None, field: object = None) -> None:
        where = [
            *([str(file)] if file is not None else []),
            *([f"row {row}"] if row is not None else []),
            *([f"field '{field}'"] if field is not None else []),
        ]
        super().__init__(f"{', '.join(where)}: {problem}" if where else problem)
