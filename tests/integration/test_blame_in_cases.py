"""Of a contract with cases only what speaks for the witness's call is blamed: the real Frama-C says so."""

from __future__ import annotations

import pytest
from running import Command

CLAMP = """/*@ requires lo <= hi; assigns \\nothing;
    behavior low: assumes v < lo;
      ensures \\result == lo;
    behavior high: assumes v > hi;
      ensures %s;
    behavior in: assumes lo <= v <= hi;
      ensures \\result == v;
    complete behaviors; disjoint behaviors; */
int clamp(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }
"""
CLAMPED = (
    "int clamp(int v, int lo, int hi);\n",
    "clamp(5, 0, 10) == 5 && clamp(-5, 0, 10) == 0 && clamp(50, 0, 10) == 10",
)
DIGIT = """/*@ requires \\valid(out); assigns *out;
    behavior ok: assumes '0' <= c <= '9';
      ensures \\result == 0 && *out == c - '0';
    behavior bad: assumes !('0' <= c <= '9');
      assigns *out;
      ensures \\result == -1;
    complete behaviors; disjoint behaviors; */
int digit(char c, int *out) { if (c < 48 || c > 57) return -1; *out = c - 48; return 0; }
"""
DIGITS = "int digit(char c, int *out); int d = 77;\n", "digit('7', &d) == 0 && d == 7 && digit('x', &d) == -1 && d == 7"
IABS = """/*@ assigns \\nothing;
    %s */
int iabs(int a) { return a < 0 ? -a : a; }
"""
ABS = "int iabs(int a);\n", "iabs(-4) == 4 && iabs(0) == 0 && iabs(3) == 3"


@pytest.mark.parametrize(
    ("source", "test", "expected"),
    [
        pytest.param(CLAMP % "\\result >= hi", CLAMPED, [("CF101", 5, True)], id="the-only-clause-of-the-behavior"),
        pytest.param(CLAMP % "\\result == hi", CLAMPED, [], id="a-good-one"),
        pytest.param(CLAMP % "v > hi", CLAMPED, [("CF101", 5, True)], id="a-clause-that-says-nothing"),
        pytest.param(
            CLAMP % "\\result >= hi;\n ensures \\result <= 2 * hi",
            CLAMPED,
            [("CF102", 5, False)],
            id="two-share-it-and-it-is-put-on-the-first-of-them",
        ),
        pytest.param(DIGIT, DIGITS, [("CF103", 5, True)], id="the-frame-of-the-behavior"),
        pytest.param(
            IABS % "ensures a > 0 ==> \\result == a;\n    ensures a < 0 ==> \\result == -a;",
            ABS,
            [("CF102", 2, False)],
            id="no-implication-speaks-of-the-case",
        ),
        pytest.param(
            IABS % "ensures (a > 0 ==> \\result == a) && (a < 0 ==> \\result == -a);",
            ABS,
            [("CF102", 2, False)],
            id="no-part-of-one-clause-does",
        ),
        pytest.param(
            IABS % "ensures a > 0 ==> \\result == a;\n    ensures a <= 0 ==> \\result >= -a;",
            ABS,
            [("CF101", 3, True)],
            id="the-implication-that-speaks",
        ),
    ],
)
def test_blame(project: Command, source: str, test: tuple[str, str], expected: list[tuple[str, int, bool]]) -> None:
    project.write("src.c", source)
    checks = " ".join(f"assert({one});" for one in test[1].split(" && "))
    project.write("test_it.c", f"#include <assert.h>\n{test[0]}int main(void) {{ {checks} return 0; }}\n")
    ran = project.run("check", "--all", "--format", "json")
    found = [(f["code"], f["line"], f["clause"] is not None) for f in ran.report["findings"]]
    assert found == expected, ran.out
    assert all(
        ("a case is missing" in f["message"]) == (f["function"] == "iabs" and not f["clause"])
        for f in ran.report["findings"]
    )
