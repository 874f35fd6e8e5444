"""What is printed of hostile text: nothing hides, and no two names look the same."""

from __future__ import annotations

import unicodedata
from itertools import combinations

import pytest
from clausefit.ci.escaping import code_block, is_plain
from clausefit.hook.visible import visible, visible_name

# DerivedCoreProperties.txt of Unicode 15, Default_Ignorable_Code_Point: a table of its own, by name or by range.
IGNORABLE = [
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
]  # fmt: skip


@pytest.mark.parametrize(("first", "last"), IGNORABLE, ids=lambda number: f"{number:04X}")
def test_what_shows_nothing_is_an_escape(first: int, last: int) -> None:
    for number in range(first, last + 1):
        text = f"a{chr(number)}b"
        shown = visible(text)
        assert shown.startswith("a\\") and shown.endswith(f"{number:x}b") and shown.isascii(), hex(number)
        assert not is_plain(text) and shown in code_block(text)


@pytest.mark.parametrize(
    ("letter", "shown"),
    [
        pytest.param("\n", "\\n", id="a line end"),
        pytest.param("\x1b", "\\x1b", id="a colour"),
        pytest.param("\x85", "\\x85", id="a control character of Latin-1"),
        pytest.param("\u202e", "\\u202e", id="from right to left"),
        pytest.param("\u2028", "\\u2028", id="a line separator"),
        pytest.param("\xa0", "\\xa0", id="a blank that is none"),
        pytest.param("\u3000", "\\u3000", id="a wide blank"),
        pytest.param("\u2800", "\\u2800", id="Braille without dots"),
        pytest.param("\ud800", "\\ud800", id="half a character"),
        pytest.param("\U000e0041", "\\U000e0041", id="a tag"),
        pytest.param("é", "é", id="a letter"),
        pytest.param("e\u0301", "e\u0301", id="a mark on a letter"),
        pytest.param("\\n", "\\n", id="a backslash"),
        pytest.param("漢", "漢", id="a Chinese character"),
    ],
)
def test_visible(letter: str, shown: str) -> None:
    assert visible(letter) == shown


def test_no_blank_but_the_plain_one_is_shown_as_it_is() -> None:
    blanks = [chr(n) for n in range(0x110000) if unicodedata.category(chr(n)) in ("Zs", "Zl", "Zp") and n != 0x20]
    assert len(blanks) > 15 and all(visible(one).startswith("\\") for one in blanks)


NAMES = ["a\nb", "a\\nb", "a\\\nb", "a\\\\nb", "a b", "a\u202eb", "a\\u202eb", "a\u200bb", "ab", "a\tb", "a\\tb"]


@pytest.mark.parametrize(("one", "other"), list(combinations(NAMES, 2)))
def test_no_two_names_are_shown_alike(one: str, other: str) -> None:
    assert visible_name(one) != visible_name(other)
    assert visible(visible_name(one)) == visible_name(one), "what is escaped already is not escaped again"
