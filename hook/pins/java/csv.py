"""The rows of ``@CsvSource`` (JUnit 5 User Guide, 2.19.3 "Sources of Arguments")."""

from __future__ import annotations

from dataclasses import dataclass

_MOST_FIELDS = 255


class CsvError(ValueError):
    """A row that this reader does not follow; the message says why."""


@dataclass(frozen=True)
class CsvFormat:
    """Elements of the annotation: what parts fields, what quotes them, what stands for null and for an empty field."""

    delimiter: str = ","
    quote: str = "'"
    empty: str = ""
    nulls: tuple[str, ...] = ()
    trims: bool = True


def csv_row(line: str, form: CsvFormat) -> tuple[str | None, ...]:
    """The fields of one record. An unquoted empty field is null, a quoted one is ``form.empty``.

    CsvError for quotes inside of an unquoted field, text behind a closing quote, a missing one, and line breaks: what
    becomes of these depends on the version of the parser that JUnit has.
    """
    if "\n" in line or "\r" in line:
        raise CsvError("a row of its CsvSource has a line break in it")
    fields: list[str | None] = []
    position = 0
    while True:
        field, position, is_last = _field(line, position, form)
        fields.append(field)
        if is_last:
            return tuple(fields)
        if len(fields) > _MOST_FIELDS:
            raise CsvError("a row of its CsvSource has too many fields")


def _field(line: str, start: int, form: CsvFormat) -> tuple[str | None, int, bool]:
    position = start
    while position < len(line) and line[position] in " \t" and line[position] != form.delimiter:
        position += 1
    if position < len(line) and line[position] == form.quote:
        return _quoted(line, position + 1, form)
    end = line.find(form.delimiter, start)
    is_last = end < 0
    end = len(line) if is_last else end
    raw = line[start:end]
    if form.quote in raw:
        raise CsvError("a row of its CsvSource has a quote inside of a field")
    value = raw.strip(" \t") if form.trims else raw
    return (None if value == "" or value in form.nulls else value), end + len(form.delimiter), is_last


def _quoted(line: str, start: int, form: CsvFormat) -> tuple[str | None, int, bool]:
    parts: list[str] = []
    position = start
    while True:
        end = line.find(form.quote, position)
        if end < 0:
            raise CsvError("a row of its CsvSource has a quote that is not closed")
        parts.append(line[position:end])
        if line[end + 1 : end + 2] != form.quote:
            break
        parts.append(form.quote)
        position = end + 2
    value = "".join(parts)
    rest = end + 1
    while rest < len(line) and line[rest] in " \t" and line[rest] != form.delimiter:
        rest += 1
    is_last = rest >= len(line)
    if not is_last and not line.startswith(form.delimiter, rest):
        raise CsvError("a row of its CsvSource has text behind a closing quote")
    if value == "":
        value = form.empty
    return (None if value in form.nulls else value), rest + len(form.delimiter), is_last
