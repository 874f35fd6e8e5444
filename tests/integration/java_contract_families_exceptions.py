"""Families of Java methods with exceptions.

As in ``java_contract_families`` every JML text stands beside a Java expression with the same meaning.
"""

from __future__ import annotations

from java_contract_families_arrays import NOTHING
from java_contract_generator import EXCEPTIONAL, NORMAL, Case, Family, Said, calls, on, right, strong, weak

ILLEGAL = "java.lang.IllegalArgumentException"

OVERDRAWN = Family(
    "withdrawal",
    "void",
    "int d",
    "if (d > total) { throw new IllegalArgumentException(); } total -= d;",
    calls("new $C(9$k) -> $k", "new $C($k) -> 50", "new $C($k) -> $k"),
    (
        on(0, right(r"(IllegalArgumentException e) d > \old(total)",
                f"!(thrown instanceof {ILLEGAL}) || d > old_total"), "signals"),
        on(0, weak("(IllegalArgumentException e) d > total",
                f"!(thrown instanceof {ILLEGAL}) || d > total"), "signals"),
        on(0, right(r"(IllegalArgumentException e) total == \old(total)",
                f"!(thrown instanceof {ILLEGAL}) || total == old_total"), "signals"),
        on(0, strong("(IllegalArgumentException e) d < 0", f"!(thrown instanceof {ILLEGAL}) || d < 0"), "signals"),
        on(0, strong(r"(RuntimeException e) total == \old(total) - d",
                "!(thrown instanceof RuntimeException) || total == (long) old_total - d"), "signals"),
        on(0, strong("(IllegalArgumentException e) false", f"!(thrown instanceof {ILLEGAL})"), "signals"),
    ),
    cases=(Case("", (Said("ensures", r"total == \old(total) - d && d <= \old(total)",
                          "total == (long) old_total - d && d <= old_total"),
                     Said("assignable", "total", "true"))),),
    fields="int total",
    members="int total;\n    $C(int total) { this.total = total; }",
    modifiers="",
    draw={"k": (2, 9)},
)  # fmt: skip

NOT_ZERO = Said("requires", "d != 0", "d != 0")
ZERO = Said("requires", "d == 0", "d == 0")

DIVIDED = Family(
    "division, the normal case",
    "int",
    "int x, int d",
    "return x / d;",
    calls("17 | $k", "-17 | -$k", "$k | 0"),
    (
        right(r"\result == x / d", "result == x / d"),
        right(r"x - \result * d == x % d", "x - (long) result * d == x % d"),
        weak(r"\result * \result <= x * x", "(long) result * result <= (long) x * x"),
        strong(r"\result * d == x", "(long) result * d == x"),
        on(0, strong("x > d", "x > d"), "requires"),
    ),
    cases=(Case(NORMAL, (NOT_ZERO,)), Case(EXCEPTIONAL, (ZERO,))),
    draw={"k": (2, 7)},
)

DIVIDED_BY_ZERO = Family(
    "division, the exceptional case",
    "int",
    "int x, int d",
    "return x / d;",
    calls("17 | $k", "-17 | -$k", "$k | 0"),
    (
        on(1, right("(ArithmeticException e) d == 0", "!(thrown instanceof ArithmeticException) || d == 0"), "signals"),
        on(1, right("ArithmeticException", "thrown instanceof ArithmeticException"), "signals_only"),
        on(1, strong("(ArithmeticException e) x < 0", "!(thrown instanceof ArithmeticException) || x < 0"), "signals"),
        on(1, strong("IllegalArgumentException", f"thrown instanceof {ILLEGAL}"), "signals_only"),
    ),
    cases=(
        Case(NORMAL, (NOT_ZERO, Said("ensures", r"\result == x / d", "result == x / d"))),
        Case(EXCEPTIONAL, (ZERO,)),
    ),
    draw={"k": (2, 7)},
)

GUARDED = Family(
    "checked index",
    "int",
    "int[] a, int i",
    "if (i < 0) { throw new IllegalStateException(); } return a[i];",
    calls("new int[] {4, $k} | 1", "new int[] {4} | -1", "new int[] {4, $k} | 2"),
    (
        on(1, right("IllegalStateException, ArrayIndexOutOfBoundsException",
                    "thrown instanceof IllegalStateException || thrown instanceof ArrayIndexOutOfBoundsException"),
           "signals_only"),
        on(1, right("(IndexOutOfBoundsException e) i >= a.length",
                    "!(thrown instanceof IndexOutOfBoundsException) || i >= a.length"), "signals"),
        on(1, weak("(RuntimeException e) i < 0 || i >= a.length",
                   "!(thrown instanceof RuntimeException) || i < 0 || i >= a.length"), "signals"),
        on(1, strong("IllegalStateException", "thrown instanceof IllegalStateException"), "signals_only"),
        on(1, strong("(RuntimeException e) i < 0", "!(thrown instanceof RuntimeException) || i < 0"), "signals"),
        on(1, strong("(IllegalStateException e) a.length == 2",
                     "!(thrown instanceof IllegalStateException) || a.length == 2"), "signals"),
    ),
    cases=(Case(NORMAL, (Said("requires", "0 <= i && i < a.length", "0 <= i && i < a.length"),
                         Said("ensures", r"\result == a[i]", "result == a[i]"), NOTHING)),
           Case(EXCEPTIONAL, (Said("requires", "i < 0 || i >= a.length", "i < 0 || i >= a.length"), NOTHING))),
    draw={"k": (5, 90)},
)  # fmt: skip

FAILING = Family(
    "input on which the method fails",
    "int",
    "int x, int d",
    "if (x < $k) { throw new IllegalStateException(); } return x / d;",
    calls("9$k | 2", "1 | 3", "9$k | 0"),
    (
        on(0, right("d != 0 && x >= $k", "d != 0 && x >= $k"), "requires"),
        on(0, right("(d < 0 || d > 0) && x > 1", "(d < 0 || d > 0) && x > 1"), "requires"),
        on(0, weak("d != 0", "d != 0"), "requires"),
        on(0, weak("x > 1 ==> d >= 0", "!(x > 1) || d >= 0"), "requires"),
        on(0, strong("d > 2 && x >= $k", "d > 2 && x >= $k"), "requires"),
    ),
    cases=(Case("", (Said("ensures", r"\result == x / d", "result == x / d"),)),),
    draw={"k": (2, 9)},
)  # fmt: skip

EXCEPTIONS = (
    OVERDRAWN,
    DIVIDED,
    DIVIDED_BY_ZERO,
    GUARDED,
    FAILING,
)
