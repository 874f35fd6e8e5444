"""Names that stand for one number in a translation unit."""

from __future__ import annotations

import pytest
from clausefit.hook.record.c_constants import constants_of

CASES: dict[str, tuple[str, str, int | None]] = {
    "a macro": ("#define CAP 16\n", "CAP", 16),
    "a macro that a build may give": ("#ifndef CAP\n#define CAP 16\n#endif\n", "CAP", None),
    "a macro defined twice": ("#define CAP 16\n#define CAP 8\n", "CAP", None),
    "a limit of C": ("", "INT_MAX", 2147483647),
    "an enumerator counts on": ("enum e { A = 0x10, B, C = -3, D };", "D", -2),
    "an enumerator by its number": ("enum { A = 0x10, B };", "B", 17),
    "an enumerator like a macro": ("#define CAP 4\ntypedef enum { A = CAP, B } e;", "B", 5),
    "after one that is not understood": ("enum { A = 1 << 3, B };", "B", None),
    "again with a number": ("enum { A = 1 << 3, B = 2 };", "B", 2),
    "with a comment": ("enum { A, /* , X = 9 */ B, };", "B", 1),
    "in two enums": ("#if X\nenum { A = 1 };\n#else\nenum { A = 2 };\n#endif\n", "A", None),
    "parts that depend on macros": ("enum {\n A,\n#if X\n B,\n#endif\n C };", "C", None),
}


@pytest.mark.parametrize("case", CASES)
def test_what_a_name_stands_for(case: str) -> None:
    text, name, expected = CASES[case]
    assert constants_of([text]).get(name) == expected
