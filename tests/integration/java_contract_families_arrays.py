"""Families of Java methods on arrays.

As in ``java_contract_families`` every JML text stands beside a Java expression with the same meaning.
"""

from __future__ import annotations

from java_contract_generator import Case, Family, Said, calls, on, right, strong, weak

EACH = r"\forall int i; 0 <= i && i < a.length; "
SOME = r"\exists int i; 0 <= i && i < a.length; "
FULL = Said("requires", "a.length > 0", "a.length > 0")
NOTHING = Said("assignable", r"\nothing", "Arrays.equals(a, old_a)")


def on_array(*clauses: Said) -> tuple[Case, ...]:
    """The spec case of a method that does not write its array ``a``."""
    return (Case("", (*clauses, NOTHING)),)


MAXIMUM = Family(
    "array maximum",
    "int",
    "int[] a",
    "int r = a[0]; for (int x : a) { if (x > r) { r = x; } } return r;",
    calls("new int[] {3, $k, -2}", "new int[] {-$k}"),
    (
        right(f"({EACH}a[i] <= \\result) && ({SOME}a[i] == \\result)",
              "all(0, a.length, i -> a[i] <= result) && some(0, a.length, i -> a[i] == result)"),
        right(r"\result == (\max int i; 0 <= i && i < a.length; a[i])", "result == max(0, a.length, i -> a[i])"),
        right(f"{SOME}a[i] == \\result && (\\forall int j; 0 <= j && j < a.length; a[j] <= a[i])",
              "some(0, a.length, i -> a[i] == result && all(0, a.length, j -> a[j] <= a[i]))"),
        weak(f"{EACH}a[i] <= \\result", "all(0, a.length, i -> a[i] <= result)"),
        weak(f"{SOME}a[i] <= \\result", "some(0, a.length, i -> a[i] <= result)"),
        weak(r"\result >= (\min int i; 0 <= i && i < a.length; a[i])", "result >= min(0, a.length, i -> a[i])"),
        strong(f"{EACH}a[i] < \\result", "all(0, a.length, i -> a[i] < result)"),
        strong(r"\exists int i; 0 <= i && i < a.length - 1; a[i] == \result",
               "some(0, a.length - 1, i -> a[i] == result)"),
        strong(r"\result == (\max int i; 0 <= i && i < a.length; a[i]) + 1",
               "result == max(0, a.length, i -> a[i]) + 1"),
    ),
    cases=on_array(FULL),
    draw={"k": (4, 90)},
)  # fmt: skip

TOTAL = Family(
    "sum of an array",
    "int",
    "int[] a",
    "int r = 0; for (int x : a) { r += x; } return r;",
    calls("new int[] {$k, -2, 7}", "new int[] {}", "new int[] {$m}"),
    (
        right(r"\result == (\sum int i; 0 <= i && i < a.length; a[i])", "result == sum(0, a.length, i -> a[i])"),
        right(r"2 * \result == (\sum int i; 0 <= i && i < a.length; 2 * a[i])",
              "2L * result == sum(0, a.length, i -> 2L * a[i])"),
        right(r"a.length == 0 ? \result == 0 : \result - a[0] == (\sum int i; 1 <= i && i < a.length; a[i])",
              "a.length == 0 ? result == 0 : (long) result - a[0] == sum(1, a.length, i -> a[i])"),
        weak(r"\result >= (\sum int i; 0 <= i && i < a.length; a[i])", "result >= sum(0, a.length, i -> a[i])"),
        weak(r"a.length > 0 ==> \result == (\sum int i; 0 <= i && i < a.length; a[i])",
             "a.length == 0 || result == sum(0, a.length, i -> a[i])"),
        strong(r"\result == (\sum int i; 0 <= i && i < a.length - 1; a[i])",
               "result == sum(0, a.length - 1, i -> a[i])"),
        strong(r"\result == (\sum int i; 0 <= i && i < a.length && a[i] > 0; a[i])",
               "result == sum(0, a.length, i -> a[i] > 0 ? a[i] : 0)"),
    ),
    cases=on_array(),
    draw={"k": (3, 90), "m": (3, 90)},
)  # fmt: skip

TOTAL_OVERFLOW = Family(
    "sum of an array with overflow",
    "int",
    "int[] a",
    "int r = 0; for (int x : a) { r += x; } return r;",
    calls("new int[] {2147483647, $k}", "new int[] {$k, 5}"),
    (
        right(r"((\sum int i; 0 <= i && i < a.length; a[i]) - \result) % 4294967296L == 0",
              "(sum(0, a.length, i -> a[i]) - result) % 4294967296L == 0"),
        weak(r"(\sum int i; 0 <= i && i < a.length; a[i]) <= Integer.MAX_VALUE ==> "
             r"\result == (\sum int i; 0 <= i && i < a.length; a[i])",
             "sum(0, a.length, i -> a[i]) > Integer.MAX_VALUE || result == sum(0, a.length, i -> a[i])"),
        strong(r"\result == (\sum int i; 0 <= i && i < a.length; a[i])", "result == sum(0, a.length, i -> a[i])"),
    ),
    cases=on_array(),
    draw={"k": (2, 90)},
)  # fmt: skip

COUNT = Family(
    "count in an array",
    "int",
    "int[] a, int v",
    "int r = 0; for (int x : a) { if (x == v) { r++; } } return r;",
    calls("new int[] {$k, 2, $k} | $k", "new int[] {1, 2} | $k", "new int[] {} | 0"),
    (
        right(r"\result == (\num_of int i; 0 <= i && i < a.length; a[i] == v)",
              "result == count(0, a.length, i -> a[i] == v)"),
        right(r"a.length - \result == (\num_of int i; 0 <= i && i < a.length; a[i] != v)",
              "a.length - result == count(0, a.length, i -> a[i] != v)"),
        right(r"\result == (\sum int i; 0 <= i && i < a.length; a[i] == v ? 1 : 0)",
              "result == sum(0, a.length, i -> a[i] == v ? 1 : 0)"),
        weak(r"0 <= \result && \result <= a.length", "0 <= result && result <= a.length"),
        weak(f"\\result > 0 <==> ({SOME}a[i] == v)", "result > 0 == some(0, a.length, i -> a[i] == v)"),
        strong(r"\result == (\num_of int i; 0 < i && i < a.length; a[i] == v)",
               "result == count(1, a.length, i -> a[i] == v)"),
        strong(r"\result == (\num_of int i; 0 <= i && i < a.length; a[i] <= v)",
               "result == count(0, a.length, i -> a[i] <= v)"),
    ),
    cases=on_array(),
    draw={"k": (3, 9)},
)  # fmt: skip

MULTIPLIED = Family(
    "product of an array",
    "long",
    "int[] a",
    "long r = 1; for (int x : a) { r *= x; } return r;",
    calls("new int[] {$k, -2, 7}", "new int[] {2147483647, $k}"),
    (
        right(r"\result == (\product int i; 0 <= i && i < a.length; a[i])",
              "result == product(0, a.length, i -> a[i])"),
        weak(r"\result >= (\product int i; 0 <= i && i < a.length; a[i])",
             "result >= product(0, a.length, i -> a[i])"),
        strong(r"\result == (\product int i; 0 <= i && i < a.length - 1; a[i])",
               "result == product(0, a.length - 1, i -> a[i])"),
        strong(r"\result == (\product int i; 0 <= i && i < a.length; a[i] + 1)",
               "result == product(0, a.length, i -> a[i] + 1L)"),
    ),
    cases=on_array(),
    draw={"k": (2, 90)},
)  # fmt: skip

INDEX = Family(
    "index of a value",
    "int",
    "int[] a, int v",
    "for (int i = 0; i < a.length; i++) { if (a[i] == v) { return i; } } return -1;",
    calls("new int[] {1, $k, $k} | $k", "new int[] {1, 2, 1} | $k"),
    (
        right(r"\result == -1 ? (\forall int i; 0 <= i && i < a.length; a[i] != v) : 0 <= \result && "
              r"\result < a.length && a[\result] == v && (\forall int i; 0 <= i && i < \result; a[i] != v)",
              "result == -1 ? all(0, a.length, i -> a[i] != v) : 0 <= result && result < a.length"
              " && a[result] == v && all(0, result, i -> a[i] != v)"),
        weak(r"0 <= \result && \result < a.length ==> a[\result] == v",
             "!(0 <= result && result < a.length) || a[result] == v"),
        weak(r"-1 <= \result && \result < a.length", "-1 <= result && result < a.length"),
        weak(r"\result < 0 <==> (\forall int i; 0 <= i && i < a.length; a[i] != v)",
             "result < 0 == all(0, a.length, i -> a[i] != v)"),
        strong(r"0 <= \result && \result < a.length && a[\result] == v",
               "0 <= result && result < a.length && a[result] == v"),
        strong(r"\result >= 0 ==> (\forall int i; 0 <= i && i <= \result; a[i] != v)",
               "result < 0 || all(0, result + 1, i -> a[i] != v)"),
    ),
    cases=on_array(),
    draw={"k": (3, 90)},
)  # fmt: skip

POSITIVE = Family(
    "all positive",
    "boolean",
    "int[] a",
    "for (int x : a) { if (x <= 0) { return false; } } return true;",
    calls("new int[] {$k, 2, 1}", "new int[] {$k, 3, 0}", "new int[] {}"),
    (
        right(f"\\result <==> ({EACH}a[i] > 0)", "result == all(0, a.length, i -> a[i] > 0)"),
        right(f"\\result == !({SOME}a[i] <= 0)", "result == !some(0, a.length, i -> a[i] <= 0)"),
        right(r"\result <==> (\num_of int i; 0 <= i && i < a.length; a[i] > 0) == a.length",
              "result == (count(0, a.length, i -> a[i] > 0) == a.length)"),
        weak(f"\\result ==> ({EACH}a[i] > 0)", "!result || all(0, a.length, i -> a[i] > 0)"),
        weak(f"({EACH}a[i] > 0) ==> \\result", "!all(0, a.length, i -> a[i] > 0) || result"),
        strong(f"\\result <==> ({EACH}a[i] > 1)", "result == all(0, a.length, i -> a[i] > 1)"),
        strong(f"\\result <==> ({SOME}a[i] > 0)", "result == some(0, a.length, i -> a[i] > 0)"),
    ),
    cases=on_array(),
    draw={"k": (2, 9)},
)  # fmt: skip

ORDERED = Family(
    "sorted",
    "boolean",
    "int[] a",
    "for (int i = 0; i + 1 < a.length; i++) { if (a[i] > a[i + 1]) { return false; } } return true;",
    calls("new int[] {$k, $k, 99}", "new int[] {$k, 99, 12}"),
    (
        right(r"\result <==> (\forall int i; 0 < i && i < a.length; a[i - 1] <= a[i])",
              "result == all(1, a.length, i -> a[i - 1] <= a[i])"),
        right(r"\result <==> (\forall int i, j; 0 <= i && i < j && j < a.length; a[i] <= a[j])",
              "result == all(0, a.length, i -> all(i + 1, a.length, j -> a[i] <= a[j]))"),
        weak(r"\result ==> (\forall int i; 0 < i && i < a.length; a[i - 1] <= a[i])",
             "!result || all(1, a.length, i -> a[i - 1] <= a[i])"),
        weak(r"\result || (\exists int i; 0 < i && i < a.length; a[i - 1] > a[i])",
             "result || some(1, a.length, i -> a[i - 1] > a[i])"),
        strong(r"\result <==> (\forall int i, j; 0 <= i && i < j && j < a.length; a[i] < a[j])",
               "result == all(0, a.length, i -> all(i + 1, a.length, j -> a[i] < a[j]))"),
        strong(r"\result <==> a[0] <= a[a.length - 1]", "result == (a[0] <= a[a.length - 1])"),
    ),
    cases=on_array(FULL),
    draw={"k": (2, 11)},
)  # fmt: skip

ADDED = Family(
    "added to each element",
    "void",
    "int[] a, int k",
    "for (int i = 0; i < a.length; i++) { a[i] += k; }",
    calls("new int[] {$k, -2, 7} | 3", "new int[] {$k} | -1"),
    (
        right(f"{EACH}a[i] == \\old(a[i]) + k", "all(0, a.length, i -> a[i] == (long) old_a[i] + k)"),
        right(f"{EACH}a[i] - k == \\old(a[i])", "all(0, a.length, i -> (long) a[i] - k == old_a[i])"),
        right(f"!({SOME}a[i] != \\old(a[i] + k))", "!some(0, a.length, i -> a[i] != (long) old_a[i] + k)"),
        weak(r"\forall int i; 0 < i && i < a.length; a[i] == \old(a[i]) + k",
             "all(1, a.length, i -> a[i] == (long) old_a[i] + k)"),
        weak(f"{SOME}a[i] == \\old(a[i]) + k", "some(0, a.length, i -> a[i] == (long) old_a[i] + k)"),
        weak(r"(\sum int i; 0 <= i && i < a.length; a[i]) >= (\sum int i; 0 <= i && i < a.length; \old(a[i])) + k - 9",
             "sum(0, a.length, i -> a[i]) >= sum(0, a.length, i -> old_a[i]) + k - 9"),
        strong(f"{EACH}a[i] == a[i] + k", "all(0, a.length, i -> a[i] == (long) a[i] + k)"),
        strong(f"{EACH}a[i] == \\old(a)[i] + k", "all(0, a.length, i -> a[i] == (long) a[i] + k)"),
        strong(f"{EACH}a[i] == \\old(a[i]) + k + 1", "all(0, a.length, i -> a[i] == (long) old_a[i] + k + 1)"),
    ),
    cases=(Case("", (Said("assignable", "a[*]", "true"),)),),
    draw={"k": (3, 90)},
)  # fmt: skip

REVERSED = Family(
    "reversed in place",
    "void",
    "int[] a",
    "for (int i = 0; i < a.length / 2; i++) { int t = a[i]; a[i] = a[a.length - 1 - i]; a[a.length - 1 - i] = t; }",
    calls("new int[] {$k, -2, 7}", "new int[] {$k, 4}"),
    (
        right(f"{EACH}a[i] == \\old(a[a.length - 1 - i])",
              "all(0, a.length, i -> a[i] == old_a[old_a.length - 1 - i])"),
        right(r"(\forall int i; 0 <= i && i < a.length; \old(a[i]) == a[a.length - 1 - i])",
              "all(0, a.length, i -> old_a[i] == a[a.length - 1 - i])"),
        weak(f"{EACH}(\\exists int j; 0 <= j && j < a.length; a[i] == \\old(a[j]))",
             "all(0, a.length, i -> some(0, a.length, j -> a[i] == old_a[j]))"),
        weak(r"a[0] == \old(a[a.length - 1])", "a[0] == old_a[old_a.length - 1]"),
        strong(f"{EACH}a[i] == \\old(a[i])", "Arrays.equals(a, old_a)"),
        strong(r"a[0] == \old(a[0])", "a[0] == old_a[0]"),
    ),
    cases=(Case("", (FULL, Said("assignable", "a[0 .. a.length - 1]", "true"))),),
    draw={"k": (8, 90)},
)  # fmt: skip

PLACED = Family(
    "element set",
    "void",
    "int[] a, int i, int v",
    "a[i] = v;",
    calls("new int[] {5, 6, 7} | 1 | $k", "new int[] {4, 8} | 0 | -$k"),
    (
        right(r"a[i] == v", "a[i] == v"),
        right(r"\forall int j; 0 <= j && j < a.length; a[j] == (j == i ? v : \old(a[j]))",
              "all(0, a.length, j -> a[j] == (j == i ? v : old_a[j]))"),
        right(r"(\num_of int j; 0 <= j && j < a.length; a[j] != \old(a[j])) == 1 && a[i] == \old(v)",
              "count(0, a.length, j -> a[j] != old_a[j]) == 1 && a[i] == v"),
        weak(r"v > 0 ==> a[i] > 0", "!(v > 0) || a[i] > 0"),
        weak(r"a[i] != \old(a[i])", "a[i] != old_a[i]"),
        strong(r"a[i] == \old(a[i])", "a[i] == old_a[i]"),
        strong(r"\forall int j; 0 <= j && j < a.length; a[j] == v", "all(0, a.length, j -> a[j] == v)"),
        on(0, strong("0 < i && i < a.length", "0 < i && i < a.length"), "requires"),
        on(0, strong("v > 0", "v > 0"), "requires"),
    ),
    cases=(Case("", (Said("requires", "0 <= i && i < a.length", "0 <= i && i < a.length"),
                     Said("assignable", "a[i]",
                          "all(0, a.length, j -> j == i || a[j] == old_a[j])"))),),
    draw={"k": (9, 90)},
)  # fmt: skip

FRESH = Family(
    "fresh array",
    "int[]",
    "int n",
    "int[] r = new int[n]; for (int i = 0; i < n; i++) { r[i] = $k * i + 1; } return r;",
    calls("3", "1", "0"),
    (
        right(r"\result.length == n && (\forall int i; 0 <= i && i < n; \result[i] == $k * i + 1)",
              "result.length == n && all(0, n, i -> result[i] == $k * i + 1)"),
        right(r"n == \result.length && !(\exists int i; 0 <= i && i < n; \result[i] - 1 != i * $k)",
              "n == result.length && !some(0, n, i -> result[i] - 1L != i * $k)"),
        weak(r"\result.length == n", "result.length == n"),
        weak(r"\result.length == n && (\forall int i; 0 < i && i < n; \result[i] > \result[i - 1])",
             "result.length == n && all(1, n, i -> result[i] > result[i - 1])"),
        weak(r"\forall int i; 0 <= i && i < \result.length; \result[i] == $k * i + 1",
             "all(0, result.length, i -> result[i] == $k * i + 1)"),
        strong(r"\result.length == n && (\forall int i; 0 <= i && i < n; \result[i] == $k * i)",
               "result.length == n && all(0, n, i -> result[i] == $k * i)"),
        strong(r"\result.length == n + 1", "result.length == (long) n + 1"),
    ),
    cases=(Case("", (Said("requires", "n >= 0", "n >= 0"),)),),
    draw={"k": (2, 9)},
)  # fmt: skip

MATRIX = Family(
    "row of a matrix",
    "int",
    "int[][] m, int r",
    "int s = 0; for (int x : m[r]) { s += x; } return s;",
    calls("new int[][] {{1, $k}, {5, 6}} | 0", "new int[][] {{1}, {$k, 2, 3}} | 1"),
    (
        right(r"\result == (\sum int i; 0 <= i && i < m[r].length; m[r][i])",
              "result == sum(0, m[r].length, i -> m[r][i])"),
        right(r"\result - m[r][0] == (\sum int i; 1 <= i && i < m[r].length; m[r][i])",
              "(long) result - m[r][0] == sum(1, m[r].length, i -> m[r][i])"),
        weak(r"\result >= m[r][0]", "result >= m[r][0]"),
        strong(r"\result == (\sum int i; 0 <= i && i < m.length; m[i][r])",
               "result == sum(0, m.length, i -> m[i][r])"),
    ),
    cases=(Case("", (Said("requires", "0 <= r && r < m.length", "0 <= r && r < m.length"),
                     Said("assignable", r"\nothing", "Arrays.deepEquals(m, old_m)"))),),
    draw={"k": (2, 90)},
)  # fmt: skip

HELPED = Family(
    "pure helper",
    "int",
    "int[] a, int n",
    "return 3 * a[n] * a[n] + $k;",
    calls("new int[] {$k, -2, 7} | 2", "new int[] {3} | 0"),
    (
        right(r"\result == 3 * square(a[n]) + $k", "result == 3L * $C.square(a[n]) + $k"),
        right(r"(\result - $k) / 3 == square(a[n]) && (\result - $k) % 3 == 0",
              "((long) result - $k) / 3 == $C.square(a[n]) && ((long) result - $k) % 3 == 0"),
        weak(r"\result > square(a[n])", "result > $C.square(a[n])"),
        strong(r"\result == 3 * square(a[n])", "result == 3L * $C.square(a[n])"),
        strong(r"\result == 3 * square(n) + $k", "result == 3L * $C.square(n) + $k"),
    ),
    cases=on_array(Said("requires", "0 <= n && n < a.length", "0 <= n && n < a.length")),
    members="static /*@ pure @*/ int square(int x) { return x * x; }",
    draw={"k": (2, 20)},
)  # fmt: skip

ARRAYS = (
    MAXIMUM,
    TOTAL,
    TOTAL_OVERFLOW,
    COUNT,
    MULTIPLIED,
    INDEX,
    POSITIVE,
    ORDERED,
    ADDED,
    REVERSED,
    PLACED,
    FRESH,
    MATRIX,
    HELPED,
)
