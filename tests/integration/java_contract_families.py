"""Families of Java methods on truth values, characters, and numbers that do not overflow.

JML counts in mathematical integers unless a method says ``spec_java_math``: the Java expressions beside the clauses
widen to ``long`` or ``BigInteger`` accordingly. ``Words`` in ``java_contract_oracle`` has the words that they use.
"""

from __future__ import annotations

from java_contract_generator import Case, Family, Said, calls, on, right, strong, weak

AFFINE = Family(
    "affine",
    "int",
    "int x",
    "return $k * x + $c;",
    calls("3", "-30", "$c"),
    (
        right(r"\result == $k * x + $c", "result == (long) $k * x + $c"),
        right(r"\result - $c == $k * x", "(long) result - $c == (long) $k * x"),
        right(
            r"(\result - $c) / $k == x && (\result - $c) % $k == 0",
            "((long) result - $c) / $k == x && ((long) result - $c) % $k == 0",
        ),
        right(r"!(\result != x * $k + $c)", "!(result != (long) x * $k + $c)"),
        weak(r"(\result - $c) / $k == x", "((long) result - $c) / $k == x"),
        weak(r"x > 0 ==> \result > $k * x", "!(x > 0) || result > (long) $k * x"),
        weak(r"\result >= $k * x + $c", "result >= (long) $k * x + $c"),
        strong(r"\result == $k * x", "result == (long) $k * x"),
        strong(r"\result == $k * (x + 1) + $c", "result == (long) $k * ((long) x + 1) + $c"),
        strong(r"\result > 0", "result > 0"),
    ),
    draw={"k": (3, 9), "c": (7, 40)},
)

CLAMP = Family(
    "clamp",
    "int",
    "int x, int lo, int hi",
    "return x < lo ? lo : x > hi ? hi : x;",
    calls("$m | 2 | 50", "-3 | 2 | $m", "90 | -$m | 60"),
    (
        right(
            r"\result == (x < lo ? lo : (x > hi ? hi : x))",
            "result == (x < lo ? lo : (x > hi ? hi : x))",
        ),
        right(
            r"lo <= \result && \result <= hi && "
            r"(\result == x || (\result == lo && x < lo) || (\result == hi && x > hi))",
            "lo <= result && result <= hi && (result == x || result == lo && x < lo || result == hi && x > hi)",
        ),
        right(
            r"(x < lo ==> \result == lo) && (x > hi ==> \result == hi) && (lo <= x && x <= hi ==> \result == x)",
            "(!(x < lo) || result == lo) && (!(x > hi) || result == hi) && (!(lo <= x && x <= hi) || result == x)",
        ),
        weak(r"lo <= \result && \result <= hi", "lo <= result && result <= hi"),
        weak(
            r"(x < lo ==> \result == lo) && (x > hi ==> \result == hi)",
            "(x >= lo || result == lo) && (x <= hi || result == hi)",
        ),
        strong(r"lo < \result && \result < hi", "lo < result && result < hi"),
        strong(r"\result == x", "result == x"),
    ),
    cases=(Case("", (Said("requires", "lo <= hi", "lo <= hi"),)),),
    draw={"m": (5, 45)},
)

QUOTIENT = Family(
    "quotient",
    "int",
    "int x, int d",
    "return x / d;",
    calls("17 | $k", "-17 | $k", "$m | -3"),
    (
        right(r"\result == x / d", "result == x / d"),
        right(r"x == \result * d + x % d", "x == (long) result * d + x % d"),
        right(
            r"(x - \result * d) * (x - \result * d) < d * d && (x >= 0 ? x - \result * d >= 0 : x - \result * d <= 0)",
            "(x - (long) result * d) * (x - (long) result * d) < (long) d * d"
            " && (x >= 0 ? x - (long) result * d >= 0 : x - (long) result * d <= 0)",
        ),
        weak(r"x >= 0 && d > 0 ==> \result * d <= x", "!(x >= 0 && d > 0) || (long) result * d <= x"),
        weak(r"x % d == 0 ==> \result * d == x", "x % d != 0 || (long) result * d == x"),
        strong(r"\result * d == x", "(long) result * d == x"),
        strong(r"\result * d <= x", "(long) result * d <= x"),
    ),
    cases=(Case("", (Said("requires", "d != 0", "d != 0"),)),),
    draw={"k": (2, 7), "m": (10, 50)},
)

REMAINDER = Family(
    "remainder",
    "int",
    "int x, int d",
    "return x % d;",
    calls("17 | $k", "-17 | $k", "$m | -3"),
    (
        right(r"\result == x % d", "result == x % d"),
        right(r"\result == x - (x / d) * d", "result == x - (long) (x / d) * d"),
        weak(r"(x - \result) % d == 0", "((long) x - result) % d == 0"),
        weak(r"x >= 0 ==> \result >= 0", "x < 0 || result >= 0"),
        strong(r"0 <= \result", "0 <= result"),
        strong(r"\result == x - (x / d + 1) * d", "result == x - ((long) x / d + 1) * d"),
    ),
    cases=(Case("", (Said("requires", "d != 0", "d != 0"),)),),
    draw={"k": (2, 7), "m": (10, 50)},
)

UPPER = Family(
    "upper case of a character",
    "char",
    "char c",
    "return c >= 'a' && c <= 'z' ? (char) (c - 32) : c;",
    calls("'a'", "'Z'", "'{'", "'q'"),
    (
        right(r"\result == (c >= 'a' && c <= 'z' ? c - 32 : c)", "result == (c >= 'a' && c <= 'z' ? c - 32 : c)"),
        right(
            r"('a' <= c && c <= 'z') ? \result - 'A' == c - 'a' : \result == c",
            "'a' <= c && c <= 'z' ? result - 'A' == c - 'a' : result == c",
        ),
        weak(r"!(\result >= 'a' && \result <= 'z')", "!(result >= 'a' && result <= 'z')"),
        weak(r"('a' <= c && c <= 'z') ==> \result == c - 32", "!('a' <= c && c <= 'z') || result == c - 32"),
        strong(r"\result == c - 32", "result == c - 32"),
        strong(r"\result >= 'A' && \result <= 'Z'", "result >= 'A' && result <= 'Z'"),
    ),
)

DIGIT = Family(
    "decimal digit",
    "boolean",
    "char c",
    "return '0' <= c && c <= '9';",
    calls("'0'", "'9'", "'/'", "':'", "'x'"),
    (
        right(r"\result <==> ('0' <= c && c <= '9')", "result == ('0' <= c && c <= '9')"),
        right(
            r"\result == (\exists int d; 0 <= d && d < 10; c == '0' + d)",
            "result == some(0, 10, d -> c == '0' + d)",
        ),
        right(r"\result <=!=> (c < '0' || c > '9')", "result != (c < '0' || c > '9')"),
        weak(r"\result ==> ('0' <= c && c <= '9')", "!result || '0' <= c && c <= '9'"),
        weak(r"(c < '0' || c > '9') ==> !\result", "!(c < '0' || c > '9') || !result"),
        strong(r"\result <==> ('0' < c && c <= '9')", "result == ('0' < c && c <= '9')"),
        strong(r"\result <==> c <= '9'", "result == (c <= '9')"),
    ),
)

SHIFTED = Family(
    "shifted character",
    "char",
    "char c",
    "return (char) (c + $k);",
    calls("'a'", "'0'"),
    (
        right(r"\result == c + $k", "result == c + $k"),
        right(r"\result == (char) (c + $k)", "result == (char) (c + $k)"),
        weak(r"\result > c", "result > c"),
        weak(r"\result - c >= $k", "result - c >= $k"),
        strong(r"\result == c - $k", "result == c - $k"),
        strong(r"\result <= 'a'", "result <= 'a'"),
    ),
    draw={"k": (2, 20)},
)

DIFFER = Family(
    "exclusive or",
    "boolean",
    "boolean p, boolean q",
    "return p != q;",
    calls("true | false", "false | false", "true | true"),
    (
        right(r"\result <==> (p <=!=> q)", "result == (p != q)"),
        right(r"\result == ((p && !q) || (!p && q))", "result == (p && !q || !p && q)"),
        right(r"\result == (p ^ q)", "result == (p ^ q)"),
        weak(r"\result ==> p || q", "!result || p || q"),
        weak(r"\result ==> !(p && q)", "!result || !(p && q)"),
        strong(r"\result <==> p || q", "result == (p || q)"),
        strong(r"\result <==> (p ==> q)", "result == (!p || q)"),
    ),
)

THRESHOLD = Family(
    "threshold",
    "boolean",
    "long x",
    "return x > $k;",
    calls("${k}L", "${k}00L", "-4L"),
    (
        right(r"\result <==> x > $k", "result == (x > $k)"),
        right(r"\result == (x - 1 >= $k)", "result == (x - 1 >= $k)"),
        weak(r"\result ==> x > $k", "!result || x > $k"),
        weak(r"x > $k ==> \result", "x <= $k || result"),
        strong(r"\result <==> x >= $k", "result == (x >= $k)"),
        strong(r"\result", "result"),
    ),
    draw={"k": (3, 99)},
)

GREATEST = Family(
    "greatest of three",
    "int",
    "int x, int y, int z",
    "int r = x; if (y > r) r = y; if (z > r) r = z; return r;",
    calls("$k | 2 | -4", "1 | $k | 1", "-7 | -9 | -$k"),
    (
        right(
            r"\result >= x && \result >= y && \result >= z && (\result == x || \result == y || \result == z)",
            "result >= x && result >= y && result >= z && (result == x || result == y || result == z)",
        ),
        right(
            r"\result == (x >= y ? (x >= z ? x : z) : (y >= z ? y : z))",
            "result == (x >= y ? x >= z ? x : z : y >= z ? y : z)",
        ),
        right(r"\result == Math.max(x, Math.max(y, z))", "result == Math.max(x, Math.max(y, z))"),
        weak(r"\result >= x && \result >= y && \result >= z", "result >= x && result >= y && result >= z"),
        weak(r"\result == x || \result == y || \result == z", "result == x || result == y || result == z"),
        strong(r"\result > x", "result > x"),
        strong(r"\result == x || \result == y", "result == x || result == y"),
    ),
    draw={"k": (3, 6)},
)

SIGN = Family(
    "sign",
    "int",
    "int x",
    "return x > 0 ? 1 : x < 0 ? -1 : 0;",
    calls("$k", "-$k", "0"),
    (
        right(
            r"(x > 0 <==> \result == 1) && (x < 0 <==> \result == -1) && -1 <= \result && \result <= 1",
            "(x > 0) == (result == 1) && (x < 0) == (result == -1) && -1 <= result && result <= 1",
        ),
        right(r"\result == Integer.signum(x)", "result == Integer.signum(x)"),
        weak(r"-1 <= \result && \result <= 1", "-1 <= result && result <= 1"),
        weak(r"\result * x >= 0", "(long) result * x >= 0"),
        strong(r"\result * x > 0", "(long) result * x > 0"),
        strong(r"x >= 0 ==> \result == 1", "x < 0 || result == 1"),
    ),
    draw={"k": (2, 99)},
)

PARITY = Family(
    "parity",
    "boolean",
    "int x",
    "return (x & 1) == 0;",
    calls("${k}2", "-${k}3", "${k}5"),
    (
        right(r"\result <==> x % 2 == 0", "result == (x % 2 == 0)"),
        right(r"\result == (x / 2 * 2 == x)", "result == ((long) x / 2 * 2 == x)"),
        weak(r"\result ==> x % 2 == 0", "!result || x % 2 == 0"),
        strong(r"\result <==> x % 2 != 1", "result == (x % 2 != 1)"),
        strong(r"\result <==> x % 2 == 1", "result == (x % 2 == 1)"),
    ),
    draw={"k": (1, 99)},
)

ROOT = Family(
    "integer root",
    "int",
    "int n",
    "int r = 0; while ((r + 1) * (r + 1) <= n) r++; return r;",
    calls("0", "$k", "25"),
    (
        right(
            r"0 <= \result && \result * \result <= n && n < (\result + 1) * (\result + 1)",
            "0 <= result && (long) result * result <= n && n < ((long) result + 1) * ((long) result + 1)",
        ),
        right(
            r"\result == (\num_of int i; 1 <= i && i <= n; i * i <= n)",
            "result == count(1, n + 1, i -> (long) i * i <= n)",
        ),
        weak(r"0 <= \result && \result * \result <= n", "0 <= result && (long) result * result <= n"),
        weak(r"n < (\result + 1) * (\result + 1)", "n < ((long) result + 1) * ((long) result + 1)"),
        strong(r"\result * \result == n", "(long) result * result == n"),
        strong(r"\result * \result < n", "(long) result * result < n"),
    ),
    cases=(Case("", (Said("requires", "n >= 0", "n >= 0"),)),),
    draw={"k": (10, 15)},
)

INPUTS = Family(
    "preconditions on numbers",
    "int",
    "int x, int y",
    "return x - y;",
    calls("$k | 0", "$k | -$k", "0 | 0"),
    (
        on(0, right("x >= y", "x >= y"), "requires"),
        on(0, right("x - y >= 0 && x < 100", "(long) x - y >= 0 && x < 100"), "requires"),
        on(0, right("0 <= x <==> y <= 0", "0 <= x == y <= 0"), "requires"),
        on(0, strong("x > y", "x > y"), "requires"),
        on(0, strong("x == 0 || y != 0", "x == 0 || y != 0"), "requires"),
        on(0, strong("x + y > 0", "(long) x + y > 0"), "requires"),
    ),
    cases=(Case("", (Said("ensures", r"\result == x - y", "result == (long) x - y"),)),),
    draw={"k": (3, 90)},
)

VALUES = (
    AFFINE,
    CLAMP,
    QUOTIENT,
    REMAINDER,
    UPPER,
    DIGIT,
    SHIFTED,
    DIFFER,
    THRESHOLD,
    GREATEST,
    SIGN,
    PARITY,
    ROOT,
    INPUTS,
)
