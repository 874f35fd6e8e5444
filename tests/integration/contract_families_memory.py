"""Families of functions on memory: arrays, strings, structs, single cells.

As in ``contract_families`` every ACSL text stands beside a Python predicate with the same meaning.
"""

from __future__ import annotations

import random
from itertools import pairwise

from contract_families import NOTHING, right, strong, weak
from contract_generator import Call, Clause, Family, Memory, Param

EACH = "\\forall integer i; 0 <= i < n ==> "
SOME = "\\exists integer i; 0 <= i < n && "


def array_of(type_name: str = "int", const: bool = True, name: str = "a") -> Param:
    """An array parameter, to const unless said otherwise."""
    return Param(name, type_name, "array", const)


def is_readable(m: Call) -> bool:
    """Whether the array has as many elements as ``n`` says."""
    return bool(len(m.pre["a"]) >= m.pre["n"])


READABLE = Clause("requires", "n > 0 && \\valid_read(a + (0 .. n - 1))", lambda m: m.pre["n"] > 0 and is_readable(m))
N = Param("n", "int")


def with_n(*arrays: list[int], **more: int) -> tuple[Memory, ...]:
    """Inputs with these arrays and their lengths."""
    return tuple({"a": a, "n": len(a), **more} for a in arrays)


def maximum(rng: random.Random, n: int) -> Family:
    """The greatest element."""
    t = ("int", "short", "unsigned int")[n % 3]
    low = 3 if t == "unsigned int" else -60
    a = sorted(rng.sample(range(low, 90), 3))
    inputs = with_n([a[0], a[1], a[2]], [a[1], a[2], a[0]])
    loop = "for (int i = 1; i < n; i++) if (a[i] > r) r = a[i];"

    def member(m: Call) -> bool:
        return m.result in m.pre["a"]

    return Family(
        "array maximum", t, (array_of(t), N), f"{t} r = a[0]; {loop} return r;",
        lambda a, n: (max(a), {}), inputs, (READABLE, NOTHING),
        (
            right(f"({EACH}a[i] <= \\result) && ({SOME}a[i] == \\result)",
                  lambda m: all(x <= m.result for x in m.pre["a"]) and member(m)),
            right(f"{SOME}a[i] == \\result && (\\forall integer j; 0 <= j < n ==> a[j] <= a[i])",
                  lambda m: m.result == max(m.pre["a"])),
            weak(f"{EACH}a[i] <= \\result", lambda m: all(x <= m.result for x in m.pre["a"])),
            weak("\\exists integer i; 0 <= i < n && a[i] <= \\result",
                 lambda m: any(x <= m.result for x in m.pre["a"])),
            weak("\\result >= a[0] && \\result >= a[n - 1]",
                 lambda m: m.result >= m.pre["a"][0] and m.result >= m.pre["a"][-1]),
            strong(f"{EACH}a[i] < \\result", lambda m: all(x < m.result for x in m.pre["a"])),
            strong("\\exists integer i; 0 <= i < n - 1 && a[i] == \\result", lambda m: m.result in m.pre["a"][:-1]),
            strong("\\result == a[0]", lambda m: m.result == m.pre["a"][0]),
        ),
    )  # fmt: skip


def all_positive(rng: random.Random, n: int) -> Family:
    """A property of every element."""
    good = [1, rng.randint(2, 50), rng.randint(2, 50)]
    bad = [rng.randint(2, 9), rng.randint(2, 9), -rng.randint(0, 9)]
    loop = "for (int i = 0; i < n; i++) if (a[i] <= 0) return 0;"
    return Family(
        "all positive", "_Bool", (array_of(), N), f"{loop} return 1;",
        lambda a, n: (int(all(x > 0 for x in a)), {}), with_n(good, bad), (READABLE, NOTHING),
        (
            right(f"\\result == 1 <==> ({EACH}a[i] > 0)", lambda m: (m.result == 1) == all(x > 0 for x in m.pre["a"])),
            right(f"\\result == 0 <==> ({SOME}a[i] <= 0)",
                  lambda m: (m.result == 0) == any(x <= 0 for x in m.pre["a"])),
            weak(f"\\result == 1 ==> ({EACH}a[i] > 0)", lambda m: m.result != 1 or all(x > 0 for x in m.pre["a"])),
            weak(f"({EACH}a[i] > 0) ==> \\result == 1", lambda m: m.result == 1 or any(x <= 0 for x in m.pre["a"])),
            strong(f"\\result == 1 <==> ({EACH}a[i] > 1)", lambda m: (m.result == 1) == all(x > 1 for x in m.pre["a"])),
            strong(f"\\result == 1 <==> ({SOME}a[i] > 0)", lambda m: (m.result == 1) == any(x > 0 for x in m.pre["a"])),
            strong("\\result == 1 <==> (\\forall integer i; 0 <= i < n - 1 ==> a[i] > 0)",
                   lambda m: (m.result == 1) == all(x > 0 for x in m.pre["a"][:-1])),
        ),
    )  # fmt: skip


def is_sorted(rng: random.Random, n: int) -> Family:
    """Whether the elements are in order, by a predicate or with two bound variables."""
    x = rng.randint(-50, 50)
    loop = "for (int i = 0; i + 1 < n; i++) if (a[i] > a[i + 1]) return 0;"

    def ordered(a: list[int]) -> bool:
        return all(p <= q for p, q in pairwise(a))

    return Family(
        "sorted", "_Bool", (array_of(), N), f"{loop} return 1;", lambda a, n: (int(ordered(a)), {}),
        with_n([x, x, x + 4], [x, x + 7, x + 3]), (READABLE, NOTHING),
        (
            right("\\result == 1 <==> ascending((int *)a, n)", lambda m: (m.result == 1) == ordered(m.pre["a"])),
            right("\\result == 1 <==> (\\forall integer i, j; 0 <= i < j < n ==> a[i] <= a[j])",
                  lambda m: (m.result == 1) == ordered(m.pre["a"])),
            weak("\\result == 1 ==> (\\forall integer i, j; 0 <= i <= j < n ==> a[i] <= a[j])",
                 lambda m: m.result != 1 or ordered(m.pre["a"])),
            weak("\\result == 1 || (\\exists integer i; 0 <= i < n - 1 && a[i] > a[i + 1])",
                 lambda m: m.result == 1 or not ordered(m.pre["a"])),
            strong("\\result == 1 <==> (\\forall integer i, j; 0 <= i < j < n ==> a[i] < a[j])",
                   lambda m: (m.result == 1) == all(p < q for p, q in pairwise(m.pre["a"]))),
            strong("\\result == 1 <==> a[0] <= a[n - 1]",
                   lambda m: (m.result == 1) == (m.pre["a"][0] <= m.pre["a"][-1])),
        ),
    )  # fmt: skip


def summed(rng: random.Random, n: int) -> Family:
    """A sum through a recursive logic function."""
    arrays = [[rng.randint(1, 50) for _ in range(size)] for size in (1 + n % 2, 3)]
    return Family(
        "sum by a recursive function", "int", (array_of(const=False), N),
        "int r = 0; for (int i = 0; i < n; i++) r += a[i]; return r;",
        lambda a, n: (sum(a), {}), with_n(*arrays), (READABLE, NOTHING),
        (
            right("\\result == total(a, n)", lambda m: m.result == sum(m.pre["a"])),
            right("\\result - a[n - 1] == total(a, n - 1)", lambda m: m.result == sum(m.pre["a"])),
            right("\\result == total{Pre}(a, n)", lambda m: m.result == sum(m.pre["a"])),
            weak("\\result >= total(a, n)", lambda m: m.result >= sum(m.pre["a"])),
            weak("\\result == total(a, n) || \\result == total(a, n) + 1",
                 lambda m: m.result - sum(m.pre["a"]) in (0, 1)),
            weak("\\result != total(a, n - 1) && \\result > 0",
                 lambda m: m.result != sum(m.pre["a"][:-1]) and m.result > 0),
            strong("\\result == total(a, n - 1)", lambda m: m.result == sum(m.pre["a"][:-1])),
            strong("\\result > total(a, n)", lambda m: m.result > sum(m.pre["a"])),
            strong("\\result == total(a, n) + n", lambda m: m.result == sum(m.pre["a"]) + m.pre["n"]),
        ),
    )  # fmt: skip


def counted(rng: random.Random, n: int) -> Family:
    """A count through a recursive logic function."""
    v, w = rng.sample(range(-9, 9), 2)
    arrays = [[v, w, v], [w, v, v, v]] if n % 2 else [[w, w, v], [v, v]]
    return Family(
        "count by a recursive function", "int", (array_of(const=False), N, Param("v", "int")),
        "int r = 0; for (int i = 0; i < n; i++) r += a[i] == v; return r;",
        lambda a, n, v: (a.count(v), {}), with_n(*arrays, v=v), (READABLE, NOTHING),
        (
            right("\\result == occurrences(a, n, v)", lambda m: m.result == m.pre["a"].count(m.pre["v"])),
            right("occurrences(a, n, v) <= \\result < occurrences(a, n, v) + 1",
                  lambda m: m.result == m.pre["a"].count(m.pre["v"])),
            weak("0 <= \\result <= n", lambda m: 0 <= m.result <= m.pre["n"]),
            weak("\\result <= occurrences(a, n, v)", lambda m: m.result <= m.pre["a"].count(m.pre["v"])),
            strong("\\result == occurrences(a, n - 1, v)", lambda m: m.result == m.pre["a"][:-1].count(m.pre["v"])),
            strong("\\result < occurrences(a, n, v)", lambda m: m.result < m.pre["a"].count(m.pre["v"])),
        ),
    )  # fmt: skip


def found_at(rng: random.Random, n: int) -> Family:
    """A result that is an index."""
    v, w, u = rng.sample(range(-90, 90), 3)
    inputs = with_n([w, v, v], [u, w, u], v=v)
    loop = "for (int i = 0; i < n; i++) if (a[i] == v) return i;"
    none = f"\\result == -1 && ({EACH}a[i] != v)"
    hit = "0 <= \\result < n && a[\\result] == v"
    first = "(\\forall integer i; 0 <= i < \\result ==> a[i] != v)"

    def index(a: list[int], n: int, v: int) -> int:
        return a.index(v) if v in a else -1

    def at_hit(m: Call) -> bool:
        return bool(0 <= m.result < m.pre["n"] and m.pre["a"][m.result] == m.pre["v"])

    def absent(m: Call) -> bool:
        return m.result == -1 and m.pre["v"] not in m.pre["a"]

    return Family(
        "index", "int", (array_of(), N, Param("v", "int")), f"{loop} return -1;",
        lambda a, n, v: (index(a, n, v), {}), inputs, (READABLE, NOTHING),
        (
            right(f"({hit} && {first}) || ({none})", lambda m: m.result == index(**m.pre)),
            right(f"({SOME}a[i] == v) ? ({hit} && {first}) : \\result == -1", lambda m: m.result == index(**m.pre)),
            weak(f"({hit}) || ({none})", lambda m: at_hit(m) or absent(m)),
            weak("-1 <= \\result < n", lambda m: -1 <= m.result < m.pre["n"]),
            weak("0 <= \\result < n ==> a[\\result] == v", lambda m: not 0 <= m.result < m.pre["n"] or at_hit(m)),
            strong(hit, at_hit),
            strong(f"(0 < \\result < n && a[\\result] == v && a[\\result - 1] == v) || ({none})",
                   lambda m: (at_hit(m) and m.result > 0 and m.pre["a"][m.result - 1] == m.pre["v"]) or absent(m)),
        ),
    )  # fmt: skip


# ---- strings --------------------------------------------------------------------------------------------------------


def _string(text: str) -> list[int]:
    return [*map(ord, text), 0]


def _word(rng: random.Random, size: int) -> str:
    return "".join(rng.sample("abcdefghkmnpqrstu", size))


def length(rng: random.Random, n: int) -> Family:
    """A terminated string of which nothing says how long it is."""
    inputs = tuple({"s": _string(_word(rng, size))} for size in (0, rng.randint(2, 4)))
    inner = "(\\forall integer i; 0 <= i < \\result ==> s[i] != 0)"
    return Family(
        "string length", "int", (Param("s", "char", "string", const=True),), "int r = 0; while (s[r]) r++; return r;",
        lambda s: (s.index(0), {}), inputs, (Clause("requires", "s != \\null"), NOTHING),
        (
            right(f"\\result >= 0 && {inner} && s[\\result] == 0", lambda m: m.result == m.pre["s"].index(0)),
            right(f"{inner} && 0 <= \\result && s[\\result] == '\\0'", lambda m: m.result == m.pre["s"].index(0)),
            weak(f"\\result >= 0 && {inner}", lambda m: 0 <= m.result <= m.pre["s"].index(0)),
            weak("\\result >= 0 && (s[0] == 0 ==> \\result == 0)",
                 lambda m: m.result >= 0 and (m.pre["s"][0] != 0 or m.result == 0)),
            strong(f"\\result > 0 && {inner} && s[\\result] == 0", lambda m: 0 < m.result == m.pre["s"].index(0)),
            strong("\\forall integer i; 0 <= i <= \\result ==> s[i] != 0", lambda m: m.result < m.pre["s"].index(0)),
        ),
    )  # fmt: skip


def contains(rng: random.Random, n: int) -> Family:
    """Whether a character is in a string."""
    word = _word(rng, 3)
    inputs = ({"s": _string(word), "n": 3, "c": ord(word[2])}, {"s": _string(word), "n": 3, "c": ord("z")})
    before_end = "\\exists integer i; 0 <= i && s[i] == c && (\\forall integer j; 0 <= j <= i ==> s[j] != 0)"
    t = "_Bool"

    def there(m: Call) -> bool:
        return m.pre["c"] in m.pre["s"]

    return Family(
        "string contains", t, (Param("s", "char", "string", const=True), N, Param("c", "char")),
        "for (int i = 0; i < n; i++) if (s[i] == c) return 1; return 0;", lambda s, n, c: (int(c in s), {}), inputs,
        (Clause("requires", "\\valid_read(s + (0 .. n)) && c != 0",
                lambda m: len(m.pre["s"]) > m.pre["n"] and m.pre["c"] != 0), NOTHING),
        (
            right(f"\\result == 1 <==> ({SOME}s[i] == c)", lambda m: (m.result == 1) == there(m)),
            right(f"\\result == 1 <==> ({before_end})", lambda m: (m.result == 1) == there(m)),
            weak(f"({SOME}s[i] == c) ==> \\result != 0", lambda m: not there(m) or m.result != 0),
            weak(f"\\result != 0 ==> ({SOME}s[i] == c)", lambda m: there(m) or m.result == 0),
            strong(f"\\result == 1 <==> ({EACH}s[i] == c)",
                   lambda m: (m.result == 1) == all(x == m.pre["c"] for x in m.pre["s"][:-1])),
            strong("\\result == 1 <==> s[0] == c", lambda m: (m.result == 1) == (m.pre["s"][0] == m.pre["c"])),
        ),
    )  # fmt: skip


def shout(rng: random.Random, n: int) -> Family:
    """A string that is changed in place."""
    inputs = ({"s": _string(_word(rng, 2) + "0"), "n": 3}, {"s": _string("X" + _word(rng, 1)), "n": 2})
    up = "'a' <= \\old(s[i]) <= 'z' ? \\old(s[i]) - 32 : \\old(s[i])"

    def upper(c: int) -> int:
        return c - 32 if 97 <= c <= 122 else c

    def pairs(m: Call) -> list[tuple[int, int]]:
        return list(zip(m.pre["s"], m.post["s"], strict=True))[: m.pre["n"]]

    return Family(
        "string in place", "void", (Param("s", "char", "string"), N),
        "for (int i = 0; i < n; i++) if (s[i] >= 'a' && s[i] <= 'z') s[i] -= 32;",
        lambda s, n: (None, {"s": [upper(c) for c in s]}), inputs,
        (Clause("requires", "\\valid(s + (0 .. n))", lambda m: len(m.pre["s"]) > m.pre["n"]),
         Clause("assigns", "s[0 .. n - 1]", cells=lambda m: {("s", (i,)) for i in range(m.pre["n"])})),
        (
            right(f"{EACH}s[i] == ({up})", lambda m: all(q == upper(p) for p, q in pairs(m))),
            right(f"{EACH}('a' <= \\at(s[i], Pre) <= 'z' ==> s[i] == \\at(s[i], Pre) - ('a' - 'A')) && "
                  "(!('a' <= \\at(s[i], Pre) <= 'z') ==> s[i] == \\at(s[i], Pre))",
                  lambda m: all(q == upper(p) for p, q in pairs(m))),
            weak(f"{EACH}!('a' <= s[i] <= 'z')", lambda m: all(not 97 <= q <= 122 for _p, q in pairs(m))),
            weak(f"{EACH}'a' <= \\old(s[i]) <= 'z' ==> s[i] == \\old(s[i]) - 32",
                 lambda m: all(not 97 <= p <= 122 or q == p - 32 for p, q in pairs(m))),
            strong(f"{EACH}s[i] == \\old(s[i]) - 32", lambda m: all(q == p - 32 for p, q in pairs(m))),
            strong(f"{EACH}s[i] == \\old(s[i])", lambda m: all(q == p for p, q in pairs(m))),
        ),
    )  # fmt: skip


# ---- structs and cells ----------------------------------------------------------------------------------------------


def point(rng: random.Random) -> Memory:
    """A point whose fields differ."""
    x, y = rng.sample([v for v in range(-40, 60) if abs(v) > 3], 2)
    return {"x": x, "y": y, "tag": rng.randint(1, 9)}


VALID = Clause("requires", "\\valid(p)")


def struct_read(rng: random.Random, n: int) -> Family:
    """Fields through a pointer to const."""
    k = rng.randint(2, 7)
    inputs = ({"p": point(rng)}, {"p": point(rng)})

    def value(m: Call) -> int:
        return int(m.pre["p"]["x"] * k + m.pre["p"]["y"])

    return Family(
        "struct fields", "int", (Param("p", "struct pt", "struct", const=True),), f"return p->x * {k} + p->y;",
        lambda p: (p["x"] * k + p["y"], {}), inputs, (Clause("requires", "\\valid_read(p)"), NOTHING),
        (
            right(f"\\result == p->x * {k} + p->y", lambda m: m.result == value(m)),
            right(f"\\result - \\at((*p).y, Pre) == {k} * \\old(p->x)", lambda m: m.result == value(m)),
            weak(f"\\result <= p->x * {k} + p->y", lambda m: m.result <= value(m)),
            weak(f"(\\result - p->y - p->x * {k}) % 2 == 0", lambda m: (m.result - value(m)) % 2 == 0),
            strong(f"\\result == p->y * {k} + p->x", lambda m: m.result == m.pre["p"]["y"] * k + m.pre["p"]["x"]),
            strong("\\result == p->x", lambda m: m.result == m.pre["p"]["x"]),
        ),
    )  # fmt: skip


def struct_moved(rng: random.Random, n: int) -> Family:
    """Fields that are updated through a pointer."""
    d = rng.randint(3, 9)
    inputs = ({"p": point(rng), "d": d}, {"p": point(rng), "d": -d})

    def shift(m: Call, x: int, y: int) -> bool:
        moved = (m.pre["p"]["x"] + x * m.pre["d"], m.pre["p"]["y"] + y * m.pre["d"])
        return (m.post["p"]["x"], m.post["p"]["y"]) == moved

    def x_moved(m: Call) -> bool:
        return bool(m.post["p"]["x"] == m.pre["p"]["x"] + m.pre["d"])

    return Family(
        "struct in place", "void", (Param("p", "struct pt", "struct"), Param("d", "int")),
        "p->x += d; p->y -= d;", lambda p, d: (None, {"p": {**p, "x": p["x"] + d, "y": p["y"] - d}}), inputs,
        (VALID, Clause("assigns", "p->x, p->y", cells=lambda m: {("p", ("x",)), ("p", ("y",))})),
        (
            right("p->x == \\old(p->x) + d && p->y == \\old(p->y) - d", lambda m: shift(m, 1, -1)),
            right("p->x - d == \\at(p->x, Pre) && p->y + d == \\at(p->y, Pre)", lambda m: shift(m, 1, -1)),
            weak("p->x == \\old(p->x) + d", x_moved, blame=None),
            weak("p->x != \\old(p->x) && p->y != \\old(p->y)",
                 lambda m: m.post["p"]["x"] != m.pre["p"]["x"] and m.post["p"]["y"] != m.pre["p"]["y"]),
            strong("p->x == \\old(p->x) + d && p->y == \\old(p->y) + d", lambda m: shift(m, 1, 1)),
            strong("p->x == \\old(p->x)", lambda m: m.post["p"]["x"] == m.pre["p"]["x"]),
        ),
    )  # fmt: skip


def struct_result(rng: random.Random, n: int) -> Family:
    """A struct by value in and out."""

    def turned(p: Memory) -> Memory:
        return {"x": p["y"], "y": -p["x"], "tag": p["tag"]}

    return Family(
        "struct result", "struct pt", (Param("p", "struct pt", "struct value"),),
        "struct pt r = { p.y, -p.x, p.tag }; return r;", lambda p: (turned(p), {}),
        ({"p": point(rng)}, {"p": point(rng)}), (NOTHING,),
        (
            right("\\result.x == p.y && \\result.y == -p.x && \\result.tag == p.tag",
                  lambda m: m.result == turned(m.pre["p"])),
            weak("\\result.x == p.y && \\result.y == -p.x",
                 lambda m: (m.result["x"], m.result["y"]) == (m.pre["p"]["y"], -m.pre["p"]["x"]), blame=None),
            strong("\\result.x == p.x && \\result.tag == p.tag",
                   lambda m: (m.result["x"], m.result["tag"]) == (m.pre["p"]["x"], m.pre["p"]["tag"])),
        ),
    )  # fmt: skip


def cell(rng: random.Random, n: int) -> Family:
    """A number that is updated in place, of several types."""
    t = ("int", "unsigned char", "short", "long")[n % 4]
    k, values = rng.randint(3, 9), rng.sample(range(12, 60), 2)

    def added(m: Call, k: int) -> bool:
        return bool(m.post["p"] == m.pre["p"] + k)

    return Family(
        f"in place {t}", "void", (Param("p", t, "cell"), Param("k", "int")), f"*p = ({t})(*p + k);",
        lambda p, k: (None, {"p": p + k}), tuple({"p": v, "k": k} for v in values),
        (VALID, Clause("assigns", "*p", cells=lambda m: {("p", ())})),
        (
            right("*p == \\old(*p) + k", lambda m: added(m, m.pre["k"])),
            right("*p == \\at(*p, Pre) + \\at(k, Pre)", lambda m: added(m, m.pre["k"])),
            right("*p - k == \\old(*p)", lambda m: added(m, m.pre["k"])),
            weak("*p != \\old(*p)", lambda m: m.post["p"] != m.pre["p"]),
            weak("*p >= \\old(*p) + k", lambda m: m.post["p"] >= m.pre["p"] + m.pre["k"]),
            weak("k == \\old(k)", lambda m: True),
            strong("*p == *p + k", lambda m: m.post["p"] == m.post["p"] + m.pre["k"]),
            strong("*p == \\old(*p)", lambda m: m.post["p"] == m.pre["p"]),
            strong("*p == \\old(*p + k + 1)", lambda m: added(m, m.pre["k"] + 1)),
        ),
    )  # fmt: skip


def swap(rng: random.Random, n: int) -> Family:
    """Two cells that change places."""
    pairs = [rng.sample(range(-99, 99), 2) for _ in range(2)]
    return Family(
        "swap", "void", (Param("a", "int", "cell"), Param("b", "int", "cell")), "int t = *a; *a = *b; *b = t;",
        lambda a, b: (None, {"a": b, "b": a}), tuple({"a": a, "b": b} for a, b in pairs),
        (Clause("requires", "\\valid(a) && \\valid(b) && \\separated(a, b)"),
         Clause("assigns", "*a, *b", cells=lambda m: {("a", ()), ("b", ())})),
        (
            right("*a == \\old(*b) && *b == \\old(*a)",
                  lambda m: (m.post["a"], m.post["b"]) == (m.pre["b"], m.pre["a"])),
            weak("*a == \\old(*b)", lambda m: m.post["a"] == m.pre["b"], blame=None),
            weak("*a == \\old(*b) || *b == \\old(*a)",
                 lambda m: m.post["a"] == m.pre["b"] or m.post["b"] == m.pre["a"]),
            strong("*a == \\old(*a) && *b == \\old(*b)",
                   lambda m: (m.post["a"], m.post["b"]) == (m.pre["a"], m.pre["b"])),
            strong("*a == *b", lambda m: m.post["a"] == m.post["b"]),
        ),
    )  # fmt: skip


def counter(rng: random.Random, n: int) -> Family:
    """A global variable."""
    k = rng.randint(3, 9)
    inputs = tuple({"level": v} for v in rng.sample(range(-40, 40), 2))
    return Family(
        "global", "void", (Param("level", "int", "global"),), f"level += {k};",
        lambda level: (None, {"level": level + k}), inputs,
        (Clause("requires", "-1000 < level < 1000", lambda m: -1000 < m.pre["level"] < 1000),
         Clause("assigns", "level", cells=lambda m: {("level", ())})),
        (
            right(f"level == \\old(level) + {k}", lambda m: m.post["level"] == m.pre["level"] + k),
            weak("level > \\old(level)", lambda m: m.post["level"] > m.pre["level"]),
            strong(f"level == {k}", lambda m: m.post["level"] == k),
            strong(f"level > \\at(level, Pre) + {k}", lambda m: m.post["level"] > m.pre["level"] + k),
        ),
    )  # fmt: skip
