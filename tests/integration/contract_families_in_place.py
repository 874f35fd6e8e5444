"""Families of functions that change arrays in place, and those whose precondition or frame is judged.

As in ``contract_families`` every ACSL text stands beside a Python predicate with the same meaning.
"""

from __future__ import annotations

import random
from itertools import pairwise

from contract_families import NOTHING, assigns, requires, right, strong, weak
from contract_families_memory import EACH, SOME, N, array_of, is_readable, point, with_n
from contract_generator import Call, Clause, Family, Param, Predicate

WRITABLE = Clause("requires", "n > 0 && \\valid(a + (0 .. n - 1))", lambda m: m.pre["n"] > 0 and is_readable(m))
WHOLE = Clause("assigns", "a[0 .. n - 1]", cells=lambda m: {("a", (i,)) for i in range(m.pre["n"])})


def add_all(rng: random.Random, n: int) -> Family:
    """Every element of an array is changed."""
    k = rng.randint(3, 9)
    inputs = with_n(rng.sample(range(-50, 50), 2), rng.sample(range(-50, 50), 3), k=k)

    def shifted(m: Call, first: int = 0, less: int = 0, more: int = 0) -> bool:
        return all(m.post["a"][i] == m.pre["a"][i] + m.pre["k"] + more for i in range(first, m.pre["n"] - less))

    return Family(
        "array in place", "void", (array_of(const=False), N, Param("k", "int")),
        "for (int i = 0; i < n; i++) a[i] += k;",
        lambda a, n, k: (None, {"a": [x + k for x in a]}), inputs, (WRITABLE, WHOLE),
        (
            right(f"{EACH}a[i] == \\old(a[i]) + k", shifted),
            right(f"{EACH}a[i] - \\at(a[i], Pre) == k", shifted),
            right(f"!({SOME}a[i] != \\at(a[i] + k, Pre))", shifted),
            weak("\\forall integer i; 0 < i < n ==> a[i] == \\old(a[i]) + k", lambda m: shifted(m, first=1)),
            weak("\\forall integer i; 0 <= i < n - 1 ==> a[i] == \\old(a[i]) + k", lambda m: shifted(m, less=1)),
            weak(f"{SOME}a[i] == \\old(a[i]) + k",
                 lambda m: any(q == p + m.pre["k"] for p, q in zip(m.pre["a"], m.post["a"], strict=True))),
            strong(f"{EACH}a[i] == a[i] + k", lambda m: False),
            strong(f"{EACH}a[i] == \\old(a[i]) + k + 1", lambda m: shifted(m, more=1)),
            strong(f"{EACH}a[i] == \\old(a[0]) + k",
                   lambda m: all(q == m.pre["a"][0] + m.pre["k"] for q in m.post["a"])),
        ),
    )  # fmt: skip


def reverse(rng: random.Random, n: int) -> Family:
    """Elements that change places."""
    inputs = with_n(rng.sample(range(-50, 50), 2), rng.sample(range(-50, 50), 3))
    body = "for (int i = 0; i < n / 2; i++) { int t = a[i]; a[i] = a[n - 1 - i]; a[n - 1 - i] = t; }"
    return Family(
        "reverse", "void", (array_of(const=False), N), body, lambda a, n: (None, {"a": a[::-1]}), inputs,
        (WRITABLE, WHOLE),
        (
            right(f"{EACH}a[i] == \\old(a[n - 1 - i])", lambda m: m.post["a"] == m.pre["a"][::-1]),
            weak(f"{EACH}(\\exists integer j; 0 <= j < n && a[i] == \\old(a[j]))",
                 lambda m: set(m.post["a"]) <= set(m.pre["a"])),
            weak("a[0] == \\old(a[n - 1])", lambda m: m.post["a"][0] == m.pre["a"][-1]),
            strong(f"{EACH}a[i] == \\old(a[i])", lambda m: m.post["a"] == m.pre["a"]),
            strong("a[0] == \\old(a[0])", lambda m: m.post["a"][0] == m.pre["a"][0]),
        ),
    )  # fmt: skip


def in_order(rng: random.Random, n: int) -> Family:
    """Two elements that are put in order."""
    x = rng.randint(-50, 50)
    inputs = ({"a": [x + rng.randint(3, 9), x]}, {"a": [x, x]}, {"a": [x, x + 4]})

    def exact(m: Call) -> bool:
        return bool(m.post["a"] == sorted(m.pre["a"]))

    same = "a[0] == \\old(a[0]) && a[1] == \\old(a[1])"
    turned = "a[0] == \\old(a[1]) && a[1] == \\old(a[0])"
    return Family(
        "two in order", "void", (array_of(const=False),),
        "if (a[0] > a[1]) { int t = a[0]; a[0] = a[1]; a[1] = t; }", lambda a: (None, {"a": sorted(a)}), inputs,
        (Clause("requires", "\\valid(a + (0 .. 1))"),
         Clause("assigns", "a[0 .. 1]", cells=lambda m: {("a", (0,)), ("a", (1,))})),
        (
            right("a[0] == \\min(\\old(a[0]), \\old(a[1])) && a[1] == \\max(\\old(a[0]), \\old(a[1]))", exact),
            right(f"\\old(a[0] <= a[1]) ? {same} : {turned}", exact),
            right(f"a[0] <= a[1] && (({same}) || ({turned}))", exact),
            weak("a[0] <= a[1]", lambda m: m.post["a"][0] <= m.post["a"][1]),
            weak("a[0] == \\min(\\old(a[0]), \\old(a[1]))", lambda m: m.post["a"][0] == min(m.pre["a"])),
            strong("a[0] < a[1]", lambda m: m.post["a"][0] < m.post["a"][1]),
            strong(turned, lambda m: m.post["a"] == m.pre["a"][::-1]),
        ),
    )  # fmt: skip


def arranged(rng: random.Random, n: int) -> Family:
    """Three elements that are put in order, none lost: counted in both states."""
    a = rng.sample(range(-50, 50), 3)
    inputs = with_n(a, [a[0], a[1], a[0]])
    ordered = "(\\forall integer i; 0 <= i < n - 1 ==> a[i] <= a[i + 1])"
    kept = f"({EACH}occurrences{{Here}}(a, n, \\at(a[i], Pre)) == occurrences{{Pre}}(a, n, \\at(a[i], Pre)))"
    body = (
        "for (int i = 1; i < n; i++) { int x = a[i], j = i; "
        "while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; j--; } a[j] = x; }"
    )

    def rising(m: Call) -> bool:
        return all(p <= q for p, q in pairwise(m.post["a"]))

    def as_many(m: Call) -> bool:
        return all(m.pre["a"].count(x) == m.post["a"].count(x) for x in m.pre["a"])

    return Family(
        "sorted in place", "void", (array_of(const=False), N), body, lambda a, n: (None, {"a": sorted(a)}), inputs,
        (WRITABLE, WHOLE),
        (
            right(f"{ordered} && {kept}", lambda m: rising(m) and as_many(m)),
            weak(ordered, rising),
            weak(f"{ordered} && ({EACH}(\\exists integer j; 0 <= j < n && a[i] == \\at(a[j], Pre)))",
                 lambda m: rising(m) and set(m.post["a"]) <= set(m.pre["a"])),
            strong(f"(\\forall integer i; 0 <= i < n - 1 ==> a[i] < a[i + 1]) && {kept}",
                   lambda m: all(p < q for p, q in pairwise(m.post["a"])) and as_many(m)),
        ),
    )  # fmt: skip


# ---- preconditions and frames ---------------------------------------------------------------------------------------


def element(rng: random.Random, n: int) -> Family:
    """Preconditions on an array."""
    a, b = rng.sample(range(2, 50), 3), [-rng.randint(1, 9), rng.randint(1, 9)]
    inputs = ({"a": a, "n": 3, "i": 0}, {"a": b, "n": 2, "i": 1})
    inside: Predicate = lambda m: 0 <= m.pre["i"] < m.pre["n"]  # noqa: E731
    return Family(
        "precondition on an array", "int", (array_of(), N, Param("i", "int")), "return n > 0 ? a[i] : 0;",
        lambda a, n, i: (a[i], {}), inputs,
        (NOTHING, Clause("ensures", "\\result == a[i]", lambda m: m.result == m.pre["a"][m.pre["i"]])),
        (
            requires("right", "0 <= i < n", inside),
            requires("right", "0 <= i < n && \\valid_read(a + (0 .. n - 1))", lambda m: inside(m) and is_readable(m)),
            requires("right", "\\valid_read(a + i)", lambda m: 0 <= m.pre["i"] < len(m.pre["a"])),
            requires("right", "\\valid(a + (0 .. n - 1)) && a != \\null && n > i", lambda m: is_readable(m)),
            requires("strong", "0 < i < n", lambda m: 0 < m.pre["i"] < m.pre["n"]),
            requires("strong", "0 <= i < n - 1", lambda m: 0 <= m.pre["i"] < m.pre["n"] - 1),
            requires("strong", "\\valid_read(a + (0 .. n))", lambda m: len(m.pre["a"]) > m.pre["n"]),
            requires("strong", "\\forall integer j; 0 <= j < n ==> a[j] > 0", lambda m: all(x > 0 for x in m.pre["a"])),
        ),
    )  # fmt: skip


def percentage(rng: random.Random, n: int) -> Family:
    """Preconditions on numbers."""
    k = rng.randint(2, 9)
    inputs = ({"x": 0}, {"x": 100}, {"x": 2 * rng.randint(1, 40) + 1})
    return Family(
        "precondition on a number", "int", (Param("x", "int"),), f"return x * {k};", lambda x: (x * k, {}), inputs,
        (NOTHING, Clause("ensures", f"\\result == x * {k}", lambda m: m.result == m.pre["x"] * k)),
        (
            requires("right", "0 <= x <= 100", lambda m: 0 <= m.pre["x"] <= 100),
            requires("right", "x * x <= 10000 && x + 1 > 0", lambda m: abs(m.pre["x"]) <= 100 and m.pre["x"] >= 0),
            requires("right", "x % 2 == 0 || x % 2 == 1", lambda m: m.pre["x"] >= 0),
            requires("strong", "0 < x <= 100", lambda m: 0 < m.pre["x"] <= 100),
            requires("strong", "0 <= x < 100", lambda m: 0 <= m.pre["x"] < 100),
            requires("strong", "x % 2 == 0", lambda m: m.pre["x"] % 2 == 0),
            requires("strong", "\\exists integer h; x == 2 * h && 0 <= h <= 50", lambda m: m.pre["x"] % 2 == 0),
        ),
    )  # fmt: skip


def framed(rng: random.Random, n: int) -> Family:
    """Frames around one field and a second object that stays as it is."""
    k = rng.randint(3, 9)
    inputs = tuple({"p": point(rng), "q": rng.randint(1, 9), "k": k} for _ in range(2))
    return Family(
        "frame of a struct", "void", (Param("p", "struct pt", "struct"), Param("q", "int", "cell"), Param("k", "int")),
        "(void)q; p->x += k;", lambda p, q, k: (None, {"p": {**p, "x": p["x"] + k}}), inputs,
        (Clause("requires", "\\valid(p) && \\valid(q) && \\separated(&p->x, q)"),
         Clause("ensures", "p->x == \\old(p->x) + k", lambda m: m.post["p"]["x"] == m.pre["p"]["x"] + m.pre["k"])),
        (
            assigns("right", "p->x", lambda m: {("p", ("x",))}),
            assigns("right", "(*p).x", lambda m: {("p", ("x",))}),
            assigns("weak", "p->x, *q", lambda m: {("p", ("x",)), ("q", ())}, blame="assigns"),
            assigns("weak", "*p", lambda m: {("p", (f,)) for f in ("x", "y", "tag")}),
            assigns("strong", "\\nothing", lambda m: set()),
            assigns("strong", "p->y, *q", lambda m: {("p", ("y",)), ("q", ())}),
        ),
    )  # fmt: skip


def stored(rng: random.Random, n: int) -> Family:
    """Frames around one element of an array."""
    a, b = rng.sample(range(-50, 50), 2), rng.sample(range(-50, 50), 3)
    inputs = ({"a": a, "n": 2, "i": 1, "v": 60}, {"a": b, "n": 3, "i": 0, "v": 70})
    return Family(
        "frame of an array", "void", (array_of(const=False), N, Param("i", "int"), Param("v", "int")),
        "(void)n; a[i] = v;", lambda a, n, i, v: (None, {"a": [*a[:i], v, *a[i + 1 :]]}), inputs,
        (Clause("requires", "0 <= i < n && \\valid(a + (0 .. n - 1))",
                lambda m: 0 <= m.pre["i"] < m.pre["n"] and is_readable(m)),
         Clause("ensures", "a[i] == v", lambda m: m.post["a"][m.pre["i"]] == m.pre["v"])),
        (
            assigns("right", "a[i]", lambda m: {("a", (m.pre["i"],))}),
            assigns("right", "*(a + i)", lambda m: {("a", (m.pre["i"],))}),
            assigns("right", "a[i .. i]", lambda m: {("a", (m.pre["i"],))}),
            assigns("weak", "a[0 .. n - 1]", lambda m: {("a", (i,)) for i in range(m.pre["n"])}),
            assigns("weak", "a[..]", lambda m: {("a", (i,)) for i in range(m.pre["n"])}),
            assigns("strong", "a[0 .. n - 2]", lambda m: {("a", (i,)) for i in range(m.pre["n"] - 1)}),
            assigns("strong", "a[1 .. n - 1]", lambda m: {("a", (i,)) for i in range(1, m.pre["n"])}),
            assigns("strong", "\\nothing", lambda m: set()),
        ),
    )  # fmt: skip
