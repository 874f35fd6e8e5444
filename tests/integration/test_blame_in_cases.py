"""Of a contract with cases only what speaks for the witness's call is blamed: the real Frama-C and KeY say so."""

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
COLOUR = """enum colour { RED = 1 << 2, GREEN, BLUE };
/*@ assigns \\nothing;
    %s */
int code(int c) { return c == RED ? 10 : c == GREEN ? 20 : 30; }
"""
CODES = "int code(int c);\n", "code(4) == 10 && code(5) == 20 && code(6) == 30"
JABS = """public class Num {
    /*@ public normal_behavior
      @ requires a > -100;
      @ %s
      @*/
    public static int iabs(int a) { return a < 0 ? -a : a; }
}
"""
JTEST = """import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.api.Test;
class NumTest {
    @Test void works() {
        assertEquals(4, Num.iabs(-4));
        assertEquals(0, Num.iabs(0));
        assertEquals(3, Num.iabs(3));
    }
}
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
            IABS % "ensures a > 0 ==> (a < 50 ==> \\result == a);\n    ensures a < 0 ==> \\result == -a;",
            ABS,
            [("CF102", 2, False)],
            id="no-implication-in-parentheses-speaks-of-the-case",
        ),
        pytest.param(
            IABS % "ensures a > 0 ==> \\result == a;\n    ensures a <= 0 ==> \\result >= -a;",
            ABS,
            [("CF101", 3, True)],
            id="the-implication-that-speaks",
        ),
        pytest.param(
            COLOUR % "ensures c == RED ==> \\result == 10;\n    ensures c == GREEN ==> \\result == 20;",
            CODES,
            [("CF102", 3, False)],
            id="no-implication-with-an-enumerator-does",
        ),
        pytest.param(
            COLOUR % "ensures c == RED ==> \\result == 10;\n    ensures c != RED ==> \\result >= 20;",
            CODES,
            [("CF101", 4, True)],
            id="the-one-with-an-enumerator-that-speaks",
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
        ("a case is missing" in f["message"]) == (f["function"] in ("iabs", "code") and not f["clause"])
        for f in ran.report["findings"]
    )


@pytest.mark.parametrize(
    ("ensures", "expected"),
    [
        pytest.param(
            "ensures a > 0 ==> \\result == a;\n      @ ensures a < 0 ==> \\result == -a;",
            [("CF102", 4, False, True)],
            id="no-implication-speaks-of-the-case",
        ),
        pytest.param(
            "ensures (a > 0 ==> \\result == a) && (a < 0 ==> \\result == -a);",
            [("CF102", 4, False, True)],
            id="no-part-of-one-clause-does",
        ),
        pytest.param(
            "ensures a > 0 ==> \\result == a;\n      @ ensures a <= 0 ==> \\result >= -a;",
            [("CF101", 5, True, False)],
            id="the-implication-that-speaks",
        ),
        pytest.param(
            "ensures \\result == a <== a > 0;\n      @ ensures a < 0 ==> (a > -50 ==> \\result == -a);",
            [("CF102", 4, False, True)],
            id="reversed-and-nested",
        ),
        pytest.param(
            "ensures a > 0 ==> \\result == a;\n      @ ensures a > 0 ==> \\result == a <=!=> a > 90;",
            [("CF101", 5, True, False)],
            id="an-inequivalence-speaks",
        ),
        pytest.param(
            "ensures \\result != a ==> a < 0;",
            [("CF101", 4, True, False)],
            id="one-whose-premise-the-wrong-outcome-makes-true",
        ),
    ],
)
def test_blame_in_java(project: Command, ensures: str, expected: list[tuple[str, int, bool, bool]]) -> None:
    project.write("src/Num.java", JABS % ensures)
    project.write("test/NumTest.java", JTEST)
    project.write(".clausefit.yaml", "verifiers: [key]\n")
    ran = project.run("check", "--all", "--format", "json")
    found = [
        (f["code"], f["line"], f["clause"] is not None, "a case is missing" in f["message"])
        for f in ran.report["findings"]
    ]
    assert found == expected, ran.out
    assert ran.reasons == set()


ONE_WAY = "its premise is false here, so it says nothing of this call: add the other case, or write an equivalence"


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        pytest.param("a >= 0 ==> \\result == a", True, id="one-way"),
        pytest.param("a >= 0 ==> (a > 3 ==> \\result == a)", True, id="with-two-premises"),
        pytest.param("a <= 3 ==> \\result >= a", False, id="a-bound-that-speaks"),
        pytest.param("\\result >= a", False, id="no-implication"),
    ],
)
@pytest.mark.parametrize("language", ["c", "java"])
def test_what_is_said_of_a_single_implication(project: Command, language: str, clause: str, said: bool) -> None:
    if language == "c":
        checks = " ".join(f"assert({one});" for one in ABS[1].split(" && "))
        project.write("src.c", IABS % f"ensures {clause};")
        project.write("test_it.c", f"#include <assert.h>\n{ABS[0]}int main(void) {{ {checks} return 0; }}\n")
    else:
        project.write("src/Num.java", JABS % f"ensures {clause};")
        project.write("test/NumTest.java", JTEST)
        project.write(".clausefit.yaml", "verifiers: [key]\n")
    (finding,) = project.run("check", "--all", "--format", "json").report["findings"]
    assert finding["code"] == "CF101" and finding["clause"]["text"].endswith(clause)
    assert (ONE_WAY in finding["message"]) is said, finding["message"]
