"""Families of Java methods whose numbers overflow, in both arithmetics of JML, and on bits.

As in ``java_contract_families`` every JML text stands beside a Java expression with the same meaning.
"""

from __future__ import annotations

from java_contract_generator import Case, Family, Said, calls, right, strong, weak

WRAPPING = "static /*@ spec_java_math @*/"

ABSOLUTE = Family(
    "absolute value with overflow",
    "int",
    "int x",
    "return x < 0 ? -x : x;",
    calls("-$k", "$k", "-2147483648"),
    (
        right(
            r"x == Integer.MIN_VALUE ? \result == x : \result == (x < 0 ? -x : x)",
            "x == Integer.MIN_VALUE ? result == x : result == (x < 0 ? -(long) x : x)",
        ),
        right(
            r"(x >= 0 ==> \result == x) && (x < 0 ==> \result == -x || \result == -x - 4294967296L)",
            "(x < 0 || result == x) && (x >= 0 || result == -(long) x || result == -(long) x - 4294967296L)",
        ),
        weak(
            r"x != -2147483648 ==> \result == (x < 0 ? -x : x)",
            "x == -2147483648 || result == (x < 0 ? -(long) x : x)",
        ),
        weak(r"\result >= x", "result >= x"),
        strong(r"\result >= 0", "result >= 0"),
        strong(r"\result == (x < 0 ? -x : x)", "result == (x < 0 ? -(long) x : x)"),
    ),
    draw={"k": (1, 99)},
)

ABSOLUTE_WRAPPING = Family(
    "absolute value, Java arithmetic",
    "int",
    "int x",
    "return x < 0 ? -x : x;",
    calls("-$k", "$k", "-2147483648"),
    (
        right(r"\result == (x < 0 ? -x : x)", "result == (x < 0 ? -x : x)"),
        right(r"x < 0 ? \result + x == 0 : \result == x", "x < 0 ? result + x == 0 : result == x"),
        weak(r"\result == x || \result < 0 || \result + x == 0", "result == x || result < 0 || result + x == 0"),
        strong(r"x < 0 ==> \result > 0", "!(x < 0) || result > 0"),
    ),
    modifiers=WRAPPING,
    draw={"k": (1, 99)},
)

SUM = Family(
    "sum with overflow",
    "int",
    "int a, int b",
    "return a + b;",
    calls("$k | -3", "2147483647 | $k", "-2147483648 | -$k"),
    (
        right(
            r"\result == (a + b > 2147483647 ? a + b - 4294967296L : "
            r"a + b < -2147483648 ? a + b + 4294967296L : a + b)",
            "result == ((long) a + b > 2147483647 ? (long) a + b - 4294967296L"
            " : (long) a + b < -2147483648 ? (long) a + b + 4294967296L : (long) a + b)",
        ),
        right(r"(a + b - \result) % 4294967296L == 0", "((long) a + b - result) % 4294967296L == 0"),
        weak(
            r"a + b <= Integer.MAX_VALUE ==> \result == a + b || \result > 0",
            "(long) a + b > Integer.MAX_VALUE || result == (long) a + b || result > 0",
        ),
        weak(r"a > 0 && b > 0 ==> \result < a + b", "!(a > 0 && b > 0) || result < (long) a + b"),
        strong(r"\result == a + b", "result == (long) a + b"),
        strong(r"(a > 0 && b > 0) ==> \result > a", "!(a > 0 && b > 0) || result > a"),
        strong(r"\result - a == b", "(long) result - a == b"),
    ),
    draw={"k": (4, 99)},
)

SUM_WRAPPING = Family(
    "sum, Java arithmetic",
    "int",
    "int a, int b",
    "return a + b;",
    calls("$k | -3", "2147483647 | $k", "-2147483648 | -$k"),
    (
        right(r"\result == a + b", "result == a + b"),
        right(r"\result - a == b", "result - a == b"),
        right(r"b == \result + (-1 * a)", "b == result + (-1 * a)"),
        weak(r"a + b > 0 ==> \result > 0", "!(a + b > 0) || result > 0"),
        weak(r"\result - a >= b", "result - a >= b"),
        strong(r"a > 0 && b > 0 ==> \result > a", "!(a > 0 && b > 0) || result > a"),
        strong(r"\result == a + b + 1", "result == a + b + 1"),
    ),
    modifiers=WRAPPING,
    draw={"k": (4, 99)},
)

PRODUCT = Family(
    "long product of ints",
    "long",
    "int a, int b",
    "return (long) a * b;",
    calls("$k | -$m", "2147483647 | $k", "0 | $m"),
    (
        right(r"\result == a * b", "result == (long) a * b"),
        right(
            r"a == 0 ? \result == 0 : \result / a == b && \result % a == 0",
            "a == 0 ? result == 0 : result / a == b && result % a == 0",
        ),
        weak(r"a == 0 ==> \result == 0", "a != 0 || result == 0"),
        weak(r"\result == 0 <==> a == 0 || b == 0", "(result == 0) == (a == 0 || b == 0)"),
        strong(r"\result <= Integer.MAX_VALUE", "result <= Integer.MAX_VALUE"),
        strong(r"\result == a * b + a", "result == (long) a * b + a"),
    ),
    draw={"k": (2, 99), "m": (2, 99)},
)

PRODUCT_WRAPPING = Family(
    "long product of ints, Java arithmetic",
    "long",
    "int a, int b",
    "return (long) a * b;",
    calls("$k | -$m", "2147483647 | $k"),
    (
        right(r"\result == (long) a * b", "result == (long) a * b"),
        right(r"\result - a * (b - 1L) == a", "result - a * (b - 1L) == a"),
        weak(r"\result <= (long) a * b", "result <= (long) a * b"),
        strong(r"\result == a * b", "result == a * b"),
        strong(r"\result == (long) (a * b)", "result == (long) (a * b)"),
    ),
    modifiers=WRAPPING,
    draw={"k": (2, 99), "m": (2, 99)},
)

LONG_SUM = Family(
    "long sum with overflow",
    "long",
    "long a, long b",
    "return a + b;",
    calls("${k}L | -5L", "9223372036854775807L | ${k}L"),
    (
        right(
            r"a + b > Long.MAX_VALUE"
            r" ? \result < 0 && \result - Long.MIN_VALUE == a + b - Long.MAX_VALUE - 1 : \result == a + b",
            "big(a).add(big(b)).compareTo(big(Long.MAX_VALUE)) > 0"
            " ? result < 0 && big(result).subtract(big(Long.MIN_VALUE)).equals("
            "big(a).add(big(b)).subtract(big(Long.MAX_VALUE)).subtract(big(1)))"
            " : big(result).equals(big(a).add(big(b)))",
        ),
        weak(
            r"a + b <= Long.MAX_VALUE ==> \result == a + b",
            "big(a).add(big(b)).compareTo(big(Long.MAX_VALUE)) > 0 || big(result).equals(big(a).add(big(b)))",
        ),
        weak(r"\result <= a + b", "big(result).compareTo(big(a).add(big(b))) <= 0"),
        strong(r"\result == a + b", "big(result).equals(big(a).add(big(b)))"),
        strong(r"\result > a - 6", "big(result).compareTo(big(a).subtract(big(6))) > 0"),
    ),
    draw={"k": (1, 99)},
)

BITS = Family(
    "bits",
    "int",
    "int x, int y",
    "return (x & $m) ^ y;",
    calls("12 | 5", "$m | 3", "255 | $k"),
    (
        right(r"\result == ((x & $m) ^ y)", "result == ((x & $m) ^ y)"),
        right(r"(\result ^ y) == (x & $m)", "(result ^ y) == (x & $m)"),
        weak(r"(\result & 1) == ((x & $m & 1) ^ (y & 1))", "(result & 1) == ((x & $m & 1) ^ (y & 1))"),
        strong(r"\result == ((x | $m) ^ y)", "result == ((x | $m) ^ y)"),
        strong(r"(\result & y) == 0", "(result & y) == 0"),
    ),
    draw={"m": (6, 120), "k": (9, 60)},
)

SHIFTED_BITS = Family(
    "left shift, Java arithmetic",
    "int",
    "int x",
    "return x << $s;",
    calls("$k", "1073741823"),
    (
        right(r"\result == x << $s", "result == x << $s"),
        weak(r"x >= 0 ==> \result != x", "x < 0 || result != x"),
        strong(r"x > 0 ==> \result > 0", "x <= 0 || result > 0"),
        strong(r"\result == x << $s + 1", "result == x << $s + 1"),
    ),
    modifiers=WRAPPING,
    draw={"s": (1, 3), "k": (5, 900)},
)

NARROWED = Family(
    "narrowing to byte, Java arithmetic",
    "byte",
    "int x",
    "return (byte) x;",
    calls("$k", "200"),
    (
        right(r"\result == (byte) x", "result == (byte) x"),
        right(r"(\result & 255) == (x & 255)", "(result & 255) == (x & 255)"),
        weak(r"-128 <= x && x <= 127 ==> \result == x", "!(-128 <= x && x <= 127) || result == x"),
        strong(r"\result == x", "result == x"),
        strong(r"\result == (x & 255)", "result == (x & 255)"),
    ),
    modifiers=WRAPPING,
    draw={"k": (13, 90)},
)

MEAN = Family(
    "mean of two",
    "int",
    "int lo, int hi",
    "return lo + (hi - lo) / 2;",
    calls("1 | $k", "2147483600 | 2147483646", "0 | 0"),
    (
        right(r"\result == (lo + hi) / 2", "result == ((long) lo + hi) / 2"),
        right(
            r"2 * \result <= lo + hi && lo + hi <= 2 * \result + 1",
            "2L * result <= (long) lo + hi && (long) lo + hi <= 2L * result + 1",
        ),
        weak(r"lo <= \result && \result <= hi", "lo <= result && result <= hi"),
        weak(r"lo < hi ==> \result < hi", "lo >= hi || result < hi"),
        strong(r"\result < hi", "result < hi"),
        strong(r"2 * \result > lo + hi", "2L * result > (long) lo + hi"),
    ),
    cases=(Case("", (Said("requires", "0 <= lo && lo <= hi", "0 <= lo && lo <= hi"),)),),
    draw={"k": (6, 99)},
)

MEAN_WRAPPING = Family(
    "mean of two, Java arithmetic",
    "int",
    "int lo, int hi",
    "return lo + (hi - lo) / 2;",
    calls("1 | $k", "2147483600 | 2147483646"),
    (
        right(r"\result == lo + (hi - lo) / 2", "result == lo + (hi - lo) / 2"),
        right(r"\result == (int) (((long) lo + hi) / 2)", "result == (int) (((long) lo + hi) / 2)"),
        weak(r"\result - lo <= hi - \result", "result - lo <= hi - result"),
        strong(r"\result == (lo + hi) / 2", "result == (lo + hi) / 2"),
    ),
    modifiers=WRAPPING,
    draw={"k": (6, 99)},
)

OVERFLOW = (
    ABSOLUTE,
    ABSOLUTE_WRAPPING,
    SUM,
    SUM_WRAPPING,
    PRODUCT,
    PRODUCT_WRAPPING,
    LONG_SUM,
    BITS,
    SHIFTED_BITS,
    NARROWED,
    MEAN,
    MEAN_WRAPPING,
)
