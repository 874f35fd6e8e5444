"""Rows of ``@CsvSource`` as JUnit 5 reads them."""

from __future__ import annotations

import pytest
from clausefit.hook.pins.java.csv import CsvError, CsvFormat, csv_row


@pytest.mark.parametrize(
    ("line", "form", "expected"),
    [
        pytest.param("1, 2", CsvFormat(), ("1", "2"), id="blanks-around-fields-go"),
        pytest.param("apple,         1", CsvFormat(), ("apple", "1"), id="many-blanks"),
        pytest.param("'lemon, lime', 0xF1", CsvFormat(), ("lemon, lime", "0xF1"), id="quoted-delimiter"),
        pytest.param("a, ''", CsvFormat(), ("a", ""), id="quoted-empty-is-empty"),
        pytest.param("a,", CsvFormat(), ("a", None), id="unquoted-empty-is-null"),
        pytest.param(",b", CsvFormat(), (None, "b"), id="first-empty-is-null"),
        pytest.param("a, , b", CsvFormat(), ("a", None, "b"), id="blank-field-is-null"),
        pytest.param("a, NIL", CsvFormat(nulls=("NIL",)), ("a", None), id="null-value"),
        pytest.param("a; b,c", CsvFormat(delimiter=";"), ("a", "b,c"), id="delimiter"),
        pytest.param("a -> b", CsvFormat(delimiter="->"), ("a", "b"), id="delimiter-string"),
        pytest.param("'it''s', x", CsvFormat(), ("it's", "x"), id="doubled-quote"),
        pytest.param('"a,b", c', CsvFormat(quote='"'), ("a,b", "c"), id="other-quote"),
        pytest.param("' a ', b", CsvFormat(), (" a ", "b"), id="quoted-blanks-stay"),
        pytest.param("a , b", CsvFormat(trims=False), ("a ", " b"), id="blanks-kept"),
        pytest.param("'', x", CsvFormat(empty="EMPTY"), ("EMPTY", "x"), id="empty-value"),
        pytest.param("x", CsvFormat(), ("x",), id="one-field"),
        pytest.param("", CsvFormat(), (None,), id="nothing"),
    ],
)
def test_row(line: str, form: CsvFormat, expected: tuple[str | None, ...]) -> None:
    assert csv_row(line, form) == expected


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("it's, x", id="quote-inside"),
        pytest.param("'a, b", id="quote-not-closed"),
        pytest.param("'a' b, c", id="text-behind-quote"),
        pytest.param("a\nb", id="line-break"),
        pytest.param("," * 400, id="too-many-fields"),
    ],
)
def test_rows_whose_meaning_depends_on_the_parser(line: str) -> None:
    with pytest.raises(CsvError):
        csv_row(line, CsvFormat())
