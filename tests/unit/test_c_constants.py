"""Names that stand for one number in a translation unit."""

from __future__ import annotations

import pytest
from clausefit.hook.record.c_constants import constants_of
from growth import assert_grows_linearly

CASES: dict[str, tuple[str, str, int | None]] = {
    "a macro": ("#define CAP 16\n", "CAP", 16),
    "a macro that a build may give": ("#ifndef CAP\n#define CAP 16\n#endif\n", "CAP", None),
    "a macro defined twice": ("#define CAP 16\n#define CAP 8\n", "CAP", None),
    "a limit of C": ("", "INT_MAX", 2147483647),
    "an enumerator counts on": ("enum e { A = 0x10, B, C = -3, D };", "D", -2),
    "an enumerator by its number": ("enum { A = 0x10, B };", "B", 17),
    "an enumerator like a macro": ("#define CAP 4\ntypedef enum { A = CAP, B } e;", "B", 5),
    "a flag": ("enum { A = 1 << 3, B = (1u << 4) };", "B", 16),
    "after a flag": ("enum { A = 1 << 3, B };", "B", 9),
    "a shift out of an int": ("enum { A = 1 << 31 };", "A", None),
    "a shift of a negative number": ("enum { A = -1 << 3 };", "A", None),
    "a character": ("enum { A = 'a', B };", "B", 98),
    "an escaped character": ("enum { A = '\\n' };", "A", None),
    "an octal number": ("enum { A = 010 };", "A", None),
    "two signs": ("enum { A = - -1 };", "A", None),
    "after one that is not understood": ("enum { A = 1 + 3, B };", "B", None),
    "again with a number": ("enum { A = 1 + 3, B = 2 };", "B", 2),
    "with an attribute": ("enum { A __attribute__((deprecated)), B };", "B", None),
    "in a comment": ("/* enum { A = 1 }; */", "A", None),
    "in a string": ('char *s = "enum { A = 1 };";', "A", None),
    "like a type": ("enum e { A = sizeof(int), B = 3 }; enum e f(void);", "B", 3),
    "with a comment": ("enum { A, /* , X = 9 */ B, };", "B", 1),
    "in two enums": ("#if X\nenum { A = 1 };\n#else\nenum { A = 2 };\n#endif\n", "A", None),
    "parts that depend on macros": ("enum {\n A,\n#if X\n B,\n#endif\n C };", "C", None),
}


@pytest.mark.parametrize("case", CASES)
def test_what_a_name_stands_for(case: str) -> None:
    text, name, expected = CASES[case]
    assert constants_of([text]).get(name) == expected


@pytest.mark.parametrize(
    ("start", "piece", "end"),
    [
        pytest.param("enum ", " ", "x", id="blanks"),
        pytest.param("enum {", "A,", "", id="no-end"),
        pytest.param("enum ", "enum ", "{", id="words"),
        pytest.param("enum {A = ", "(", "", id="brackets"),
        pytest.param("enum {A = ", "-", "", id="signs"),
        pytest.param("enum {A = ", "1 << ", "", id="shifts"),
        pytest.param("enum", "{enum", "", id="enums-in-enums"),
        pytest.param("enum {", "/*", "", id="comments"),
    ],
)
def test_odd_texts_take_linear_time(start: str, piece: str, end: str) -> None:
    assert_grows_linearly(lambda repeated: constants_of([start + piece * repeated + end]), 5_000, 40_000)
