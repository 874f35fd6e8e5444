"""Families of Java methods on strings and fields.

As in ``java_contract_families`` every JML text stands beside a Java expression with the same meaning.
"""

from __future__ import annotations

from java_contract_generator import Call, Case, Family, Said, calls, on, right, strong, weak

JOINED = Family(
    "strings joined",
    "String",
    "String s, String t",
    "return s + t;",
    calls('"a" | "$k"', '"" | "x"', '"q" | ""'),
    (
        right(r"\result.equals(s + t)", "result.equals(s + t)"),
        right(r"\result.equals(s.concat(t))", "result.equals(s.concat(t))"),
        right(r"\result.length() == s.length() + t.length() && \result.startsWith(s) && \result.endsWith(t)",
              "result.length() == s.length() + t.length() && result.startsWith(s) && result.endsWith(t)"),
        weak(r"\result.length() == s.length() + t.length()", "result.length() == s.length() + t.length()"),
        weak(r"\result.startsWith(s)", "result.startsWith(s)"),
        strong(r"\result.equals(t + s)", "result.equals(t + s)"),
        strong(r"\result.length() > s.length()", "result.length() > s.length()"),
    ),
    draw={"k": (1, 9)},
)  # fmt: skip

TAIL = Family(
    "tail of a string",
    "String",
    "String s, int from",
    "return s.substring(from);",
    calls('"a$k" | 1', '"xy" | 2', '"$k" | 0'),
    (
        right(r"\result.equals(s.substring(from))", "result.equals(s.substring(from))"),
        right(r"\result.length() == s.length() - from && "
              r"(\forall int i; 0 <= i && i < \result.length(); \result.charAt(i) == s.charAt(from + i))",
              "result.length() == s.length() - from && "
              "all(0, result.length(), i -> result.charAt(i) == s.charAt(from + i))"),
        right(r"s.equals(s.substring(0, from) + \result)", "s.equals(s.substring(0, from) + result)"),
        weak(r"s.endsWith(\result)", "s.endsWith(result)"),
        weak(r"\result.length() <= s.length()", "result.length() <= s.length()"),
        strong(r"\result.equals(s.substring(0, from))", "result.equals(s.substring(0, from))"),
        strong(r"\result.length() == s.length()", "result.length() == s.length()"),
        on(0, strong("from < s.length()", "from < s.length()"), "requires"),
    ),
    cases=(Case("", (Said("requires", "0 <= from && from <= s.length()", "0 <= from && from <= s.length()"),)),),
    draw={"k": (1, 9)},
)  # fmt: skip

LETTERS = Family(
    "occurrences in a string",
    "int",
    "String s, char c",
    "int r = 0; for (int i = 0; i < s.length(); i++) { if (s.charAt(i) == c) { r++; } } return r;",
    calls("\"a$k\" | 'a'", "\"\" | 'a'", "\"xy\" | 'q'"),
    (
        right(r"\result == (\num_of int i; 0 <= i && i < s.length(); s.charAt(i) == c)",
              "result == count(0, s.length(), i -> s.charAt(i) == c)"),
        weak(r"0 <= \result && \result <= s.length()", "0 <= result && result <= s.length()"),
        weak(r"\result > 0 <==> s.indexOf(c) >= 0", "result > 0 == s.indexOf(c) >= 0"),
        strong(r"\result == (\num_of int i; 1 < i && i < s.length(); s.charAt(i) == c)",
               "result == count(2, s.length(), i -> s.charAt(i) == c)"),
        strong(r"\result > 0", "result > 0"),
    ),
    draw={"k": (1, 9)},
)  # fmt: skip

EMPTY = Family(
    "empty string",
    "boolean",
    "String s",
    "return s.isEmpty();",
    calls('""', '"a$k"', '" "'),
    (
        right(r"\result <==> s.length() == 0", "result == (s.length() == 0)"),
        right(r"\result == s.equals(" '"")', 'result == s.equals("")'),
        right(r"\result <==> s.isEmpty()", "result == s.isEmpty()"),
        weak(r"\result ==> s.length() == 0", "!result || s.length() == 0"),
        strong(r"\result <==> s.length() <= 1", "result == (s.length() <= 1)"),
        strong(r"\result <==> s.trim().isEmpty()", "result == s.trim().isEmpty()"),
    ),
    draw={"k": (1, 9)},
)  # fmt: skip

FIRST = Family(
    "first character",
    "char",
    "String s",
    "return s.charAt(0);",
    calls('"$k"', '"xy"'),
    (
        right(r"\result == s.charAt(0)", "result == s.charAt(0)"),
        right(r"s.indexOf(\result) == 0", "s.indexOf(result) == 0"),
        weak(r"\exists int i; 0 <= i && i < s.length(); s.charAt(i) >= \result",
             "some(0, s.length(), i -> s.charAt(i) >= result)"),
        strong(r"\result == s.charAt(s.length() - 1)", "result == s.charAt(s.length() - 1)"),
    ),
    cases=(Case("", (Said("requires", "s.length() > 0", "s.length() > 0"),)),),
    draw={"k": (1, 9)},
)  # fmt: skip

OR_NULL = Family(
    "null for nothing",
    "String",
    "String s",
    "return s.isEmpty() ? null : s;",
    calls('""', '"a$k"'),
    (
        right(r"s.isEmpty() ? \result == null : \result != null && \result.equals(s)",
              "s.isEmpty() ? result == null : result != null && result.equals(s)"),
        right(r"(\result == null <==> s.isEmpty()) && (\result != null ==> s.equals(\result))",
              "(result == null) == s.isEmpty() && (result == null || s.equals(result))"),
        weak(r"\result == null <==> s.isEmpty()", "(result == null) == s.isEmpty()"),
        weak(r"\result != null ==> \result.equals(s)", "result == null || result.equals(s)"),
        strong(r"\result != null", "result != null"),
        strong(r"s.length() > 0 ==> \result == null", "s.length() == 0 || result == null"),
    ),
    modifiers="static /*@ nullable @*/",
    draw={"k": (1, 9)},
)  # fmt: skip

COUNTER = Family(
    "counter",
    "void",
    "int d",
    "total += d;",
    calls("new $C($k) -> 4", "new $C(-5) -> $k"),
    (
        right(r"total == \old(total) + d", "total == (long) old_total + d"),
        right(r"total - d == \old(total)", "(long) total - d == old_total"),
        right(r"this.total == \old(this.total + d)", "total == (long) old_total + d"),
        weak(r"total >= \old(total)", "total >= old_total"),
        weak(r"total != \old(total)", "total != old_total"),
        strong(r"total == total + d", "total == (long) total + d"),
        strong(r"total == \old(total)", "total == old_total"),
        strong(r"total == \old(total) + d + 1", "total == (long) old_total + d + 1"),
    ),
    cases=(Case("", (Said("requires", "d > 0", "d > 0"), Said("assignable", "total", "resets == old_resets"))),),
    fields="int total, int resets",
    members="int total; int resets;\n    $C(int total) { this.total = total; }",
    modifiers="",
    draw={"k": (2, 90)},
)  # fmt: skip

LEVEL = Family(
    "static field",
    "int",
    "int d",
    "level = level + d; return level;",
    (
        Call(("4",), None, "$C.level = $k;"),
        Call(("-$k",), None, "$C.level = 2;"),
    ),
    (
        right(r"level == \old(level) + d && \result == level", "level == (long) old_level + d && result == level"),
        right(r"\result - d == \old(level) && level == \result", "(long) result - d == old_level && level == result"),
        weak(r"\result == level", "result == level"),
        weak(r"level == \old(level) + d", "level == (long) old_level + d"),
        strong(r"\result == \old(level)", "result == old_level"),
        strong(r"level > \old(level) && \result == level", "level > old_level && result == level"),
    ),
    cases=(Case("", (Said("assignable", "level", "true"),)),),
    fields="int level",
    members="static int level;",
    draw={"k": (5, 90)},
)  # fmt: skip

NAMED = Family(
    "string field",
    "boolean",
    "String s",
    "boolean r = !s.equals(name); name = s; return r;",
    calls('new $C("ab") -> "c$k"', 'new $C("x") -> "x"'),
    (
        right(r"name.equals(s) && \result == !\old(name).equals(s)",
              "name.equals(s) && result == !old_name.equals(s)"),
        right(r"s.equals(name) && (\result <=!=> s.equals(\old(name)))",
              "s.equals(name) && result != s.equals(old_name)"),
        weak(r"name.equals(s)", "name.equals(s)"),
        weak(r"\result == !\old(name).equals(s)", "result == !old_name.equals(s)"),
        strong(r"name.equals(\old(name)) && \result", "name.equals(old_name) && result"),
        strong(r"\result <==> !name.equals(s)", "result == !name.equals(s)"),
    ),
    cases=(Case("", (Said("assignable", "this.name", "true"),)),),
    fields="String name",
    members="String name;\n    $C(String name) { this.name = name; }",
    modifiers="",
    draw={"k": (1, 9)},
)  # fmt: skip

PUSHED = Family(
    "stack",
    "void",
    "int v",
    "items[size] = v; size = size + 1;",
    calls("new $C(3) -> $k", "new $C(4) -> -$k"),
    (
        right(r"size == \old(size) + 1 && items[\old(size)] == v",
              "size == (long) old_size + 1 && items[old_size] == v"),
        right(r"size == \old(size) + 1 && items[size - 1] == v", "size == (long) old_size + 1 && items[size - 1] == v"),
        weak(r"size == \old(size) + 1", "size == (long) old_size + 1"),
        weak(r"items[\old(size)] == v", "items[old_size] == v"),
        strong(r"items[\old(size)] == v && size == \old(size)", "items[old_size] == v && size == old_size"),
        strong(r"items[size] == v", "items[size] == v"),
    ),
    cases=(Case("", (Said("requires", "size < items.length", "size < items.length"),
                     Said("assignable", "size, items[size]",
                          "all(0, items.length, i -> i == old_size || items[i] == old_items[i])"))),),
    fields="int[] items, int size",
    members="int[] items; int size;\n    $C(int n) { items = new int[n]; items[0] = 77; size = 1; }",
    modifiers="",
    draw={"k": (5, 70)},
)  # fmt: skip

KEPT = Family(
    "long and char fields",
    "long",
    "",
    "long r = last; last = last * 2 + 1; mark = 'z'; return r;",
    calls("new $C(${k}00000000000L, 'b') ->", "new $C(-${k}L, '5') ->"),
    (
        right(r"\result == \old(last) && last == 2 * \old(last) + 1 && mark == 'z'",
              "result == old_last && big(last).equals(big(old_last).shiftLeft(1).add(big(1))) && mark == 'z'"),
        weak(r"\result == \old(last) && mark == 'z'", "result == old_last && mark == 'z'"),
        weak(r"\result * 2 + 1 == last", "big(result).shiftLeft(1).add(big(1)).equals(big(last))"),
        strong(r"\result == last", "result == last"),
        strong(r"mark == \old(mark)", "mark == old_mark"),
    ),
    fields="long last, char mark",
    members="long last; char mark;\n    $C(long last, char mark) { this.last = last; this.mark = mark; }",
    modifiers="",
    draw={"k": (10, 99)},
)  # fmt: skip

OBJECTS = (
    JOINED,
    TAIL,
    LETTERS,
    EMPTY,
    FIRST,
    OR_NULL,
    COUNTER,
    LEVEL,
    NAMED,
    PUSHED,
    KEPT,
)
