"""Families of functions on plain values: each has right clauses, too weak ones and too strong ones.

Every ACSL text stands beside a Python predicate with the same meaning. Families on memory are in
``contract_families_memory``. ``n`` counts the instances of a family, so that types and constants vary.
"""

from __future__ import annotations

import math
import random

from contract_generator import Call, Cells, Clause, Family, Label, Param, Predicate, Variant

NOTHING = Clause("assigns", "\\nothing")


def right(text: str, holds: Predicate) -> Variant:
    """An ``ensures`` that accepts what is right and nothing else."""
    return Variant("right", Clause("ensures", text, holds))


def weak(text: str, holds: Predicate, blame: str | None = "ensures") -> Variant:
    """An ``ensures`` that accepts every right outcome, and a wrong one."""
    return Variant("weak", Clause("ensures", text, holds), blame)


def strong(text: str, holds: Predicate) -> Variant:
    """An ``ensures`` that rejects a right outcome."""
    return Variant("strong", Clause("ensures", text, holds))


def requires(label: Label, text: str, holds: Predicate) -> Variant:
    """A judged precondition."""
    return Variant(label, Clause("requires", text, holds))


def assigns(label: Label, text: str, cells: Cells, blame: str | None = "ensures") -> Variant:
    """A judged frame."""
    return Variant(label, Clause("assigns", text, cells=cells), blame)


def quotient(a: int, b: int) -> int:
    """Division as in C and ACSL: towards zero."""
    return int(math.copysign(1, a * b)) * (abs(a) // abs(b))


def remainder(a: int, b: int) -> int:
    """The remainder that belongs to ``quotient``."""
    return a - b * quotient(a, b)


UNSIGNED = (("unsigned char", 8), ("unsigned short", 16), ("unsigned int", 32), ("unsigned long", 64))
SIGNED = ("signed char", "short", "int", "long", "long long")


def wrapping(rng: random.Random, n: int) -> Family:
    """Unsigned arithmetic that wraps on one of the inputs."""
    t, width = UNSIGNED[n % 4]
    k, c, size = rng.randint(2, 5), rng.randint(0, 3), 1 << width
    small, big = rng.randint(4, 20), size - rng.randint(6, 9)

    def exact(x: int) -> int:
        return (x * k + c) % size

    return Family(
        f"exact {t}", t, (Param("x", t),),
        f"return ({t})(x * {k}{'ul' if width == 64 else 'u'} + {c}u);",
        lambda x: (exact(x), {}), ({"x": small}, {"x": big}), (NOTHING,),
        (
            right(f"\\result == ({t})(x * {k} + {c})", lambda m: m.result == exact(m.pre["x"])),
            right(f"\\result == (x * {k} + {c}) % {size}", lambda m: m.result == exact(m.pre["x"])),
            weak(f"x * {k} + {c} < {size} ==> \\result == x * {k} + {c}",
                 lambda m: m.pre["x"] * k + c >= size or m.result == m.pre["x"] * k + c),
            weak(f"\\result <= ({t})(x * {k} + {c})", lambda m: m.result <= exact(m.pre["x"])),
            weak("0 <= \\result <= \\result", lambda m: 0 <= m.result <= m.result),
            strong(f"\\result == x * {k} + {c}", lambda m: m.result == m.pre["x"] * k + c),
            strong("\\result > x", lambda m: m.result > m.pre["x"]),
        ),
    )  # fmt: skip


def affine(rng: random.Random, n: int) -> Family:
    """Signed arithmetic without overflow, on every width."""
    t = SIGNED[n % 5]
    k, c = rng.randint(2, 5), rng.randint(4, 7)
    inputs = [rng.randint(2, 9), -rng.randint(3, 9)]
    if n % 2 == 1:
        inputs.append(0)
    return Family(
        f"exact {t}", t, (Param("x", t),), f"return ({t})(x * {k} + {c});",
        lambda x: (x * k + c, {}), tuple({"x": x} for x in inputs), (Clause("requires", "-20 <= x <= 20"), NOTHING),
        (
            right(f"\\result == x * {k} + {c}", lambda m: m.result == m.pre["x"] * k + c),
            right(f"\\result - {c} == {k} * x", lambda m: m.result - c == k * m.pre["x"]),
            right(f"\\let y = x * {k}; y + {c} <= \\result < y + {c + 1}",
                  lambda m: m.pre["x"] * k + c <= m.result < m.pre["x"] * k + c + 1),
            right(f"!(\\result != x * {k} + {c})", lambda m: m.result == m.pre["x"] * k + c),
            weak(f"\\result >= x * {k} + {c}", lambda m: m.result >= m.pre["x"] * k + c),
            weak(f"\\result != x * {k} + {c + 1}", lambda m: m.result != m.pre["x"] * k + c + 1),
            weak(f"(\\result - (x * {k} + {c})) % 2 == 0", lambda m: (m.result - (m.pre["x"] * k + c)) % 2 == 0),
            weak(f"x > 0 ==> \\result == x * {k} + {c}",
                 lambda m: m.pre["x"] <= 0 or m.result == m.pre["x"] * k + c),
            weak(f"x * {k} == {k} * x", lambda m: True),
            strong(f"\\result == x * {k} + {c + 1}", lambda m: m.result == m.pre["x"] * k + c + 1),
            strong(f"\\result > x * {k} + {c}", lambda m: m.result > m.pre["x"] * k + c),
            strong(f"\\result != x * {k} + {c}", lambda m: m.result != m.pre["x"] * k + c),
            strong(f"\\result == (unsigned char)(x * {k} + {c})",
                   lambda m: m.result == (m.pre["x"] * k + c) % 256),
            strong("x < \\result && 0 < \\result", lambda m: m.pre["x"] < m.result and m.result > 0),
        ),
    )  # fmt: skip


def clamp(rng: random.Random, n: int) -> Family:
    """A range."""
    lo, hi = rng.randint(-9, 0), rng.randint(5, 12)
    inputs = [lo - rng.randint(1, 5), rng.randint(lo + 2, hi - 2), hi + rng.randint(1, 99)]
    return Family(
        "range", "int", (Param("x", "int"), Param("lo", "int"), Param("hi", "int")),
        "return x < lo ? lo : x > hi ? hi : x;", lambda x, lo, hi: (max(lo, min(x, hi)), {}),
        tuple({"x": x, "lo": lo, "hi": hi} for x in inputs),
        (Clause("requires", "lo <= hi", lambda m: m.pre["lo"] <= m.pre["hi"]), NOTHING),
        (
            right("\\result == (x < lo ? lo : (x > hi ? hi : x))", _clamped),
            right("\\result == \\max(lo, \\min(x, hi))", _clamped),
            right("(lo <= x <= hi ==> \\result == x) && (x < lo ==> \\result == lo) && (x > hi ==> \\result == hi)",
                  _clamped),
            weak("lo <= \\result <= hi", lambda m: m.pre["lo"] <= m.result <= m.pre["hi"]),
            weak("(lo <= x <= hi ==> \\result == x) && lo <= \\result <= hi",
                 lambda m: _clamped(m) if _inside(m) else m.pre["lo"] <= m.result <= m.pre["hi"]),
            weak("\\result == x || \\result == lo || \\result == hi || \\result == 0",
                 lambda m: m.result in (m.pre["x"], m.pre["lo"], m.pre["hi"], 0)),
            strong("lo < \\result <= hi", lambda m: m.pre["lo"] < m.result <= m.pre["hi"]),
            strong("lo <= \\result < hi", lambda m: m.pre["lo"] <= m.result < m.pre["hi"]),
            strong("\\result == x", lambda m: m.result == m.pre["x"]),
        ),
    )  # fmt: skip


def _inside(m: Call) -> bool:
    return bool(m.pre["lo"] <= m.pre["x"] <= m.pre["hi"])


def _clamped(m: Call) -> bool:
    return bool(m.result == max(m.pre["lo"], min(m.pre["x"], m.pre["hi"])))


def division(rng: random.Random, n: int) -> Family:
    """Ranges that are narrow enough to fix the result."""
    k = rng.randint(3, 9)
    inputs = ({"x": k * rng.randint(2, 20)}, {"x": k * rng.randint(2, 20) + k - 1})
    return Family(
        "range that fixes the result", "int", (Param("x", "int"),), f"return x / {k};",
        lambda x: (quotient(x, k), {}), inputs,
        (Clause("requires", "x >= 0", lambda m: m.pre["x"] >= 0), NOTHING),
        (
            right(f"\\result * {k} <= x < (\\result + 1) * {k}",
                  lambda m: m.result * k <= m.pre["x"] < (m.result + 1) * k),
            right(f"\\result == x / {k}", lambda m: m.result == quotient(m.pre["x"], k)),
            right(f"0 <= x - \\result * {k} < {k}", lambda m: 0 <= m.pre["x"] - m.result * k < k),
            weak(f"\\result * {k} <= x", lambda m: m.result * k <= m.pre["x"]),
            weak("0 <= \\result <= x", lambda m: 0 <= m.result <= m.pre["x"]),
            strong(f"\\result * {k} < x", lambda m: m.result * k < m.pre["x"]),
            strong(f"\\result * {k} == x", lambda m: m.result * k == m.pre["x"]),
            strong(f"0 <= x - \\result * {k} < {k - 1}", lambda m: 0 <= m.pre["x"] - m.result * k < k - 1),
        ),
    )  # fmt: skip


def root(rng: random.Random, n: int) -> Family:
    """A result that is fixed by its square."""
    inputs = ({"x": rng.randint(2, 30) ** 2}, {"x": rng.randint(2, 30) ** 2 - 1})
    return Family(
        "square", "int", (Param("x", "int"),), "int r = 0; while ((r + 1) * (r + 1) <= x) r++; return r;",
        lambda x: (math.isqrt(x), {}), inputs,
        (Clause("requires", "0 <= x <= 1000000", lambda m: 0 <= m.pre["x"] <= 1000000), NOTHING),
        (
            right("\\result >= 0 && \\result * \\result <= x < (\\result + 1) * (\\result + 1)",
                  lambda m: m.result >= 0 and m.result**2 <= m.pre["x"] < (m.result + 1) ** 2),
            weak("\\result * \\result <= x", lambda m: m.result**2 <= m.pre["x"]),
            weak("\\result >= 0 && x < (\\result + 1) * (\\result + 1)",
                 lambda m: m.result >= 0 and m.pre["x"] < (m.result + 1) ** 2),
            strong("\\result * \\result == x", lambda m: m.result**2 == m.pre["x"]),
            strong("\\result >= 0 && \\result * \\result < x < (\\result + 1) * (\\result + 1)",
                   lambda m: m.result >= 0 and m.result**2 < m.pre["x"] < (m.result + 1) ** 2),
        ),
    )  # fmt: skip


def _upper(c: int) -> int:
    return c - 32 if ord("a") <= c <= ord("z") else c


def characters(rng: random.Random, n: int) -> Family:
    """Characters of all three types."""
    t = ("char", "unsigned char", "signed char")[n % 3]
    inputs = [ord(rng.choice("abcxyz")), ord(rng.choice("0+ ~"))]
    inputs += [200] if t == "unsigned char" else [-rng.randint(2, 9)]
    small = "'a' <= c <= 'z'"
    return Family(
        t, t, (Param("c", t),), "return c >= 'a' && c <= 'z' ? c - 32 : c;", lambda c: (_upper(c), {}),
        tuple({"c": c} for c in inputs), (NOTHING,),
        (
            right(f"\\result == ({small} ? c - 32 : c)", lambda m: m.result == _upper(m.pre["c"])),
            right(f"({small} ==> \\result == c - ('a' - 'A')) && (!({small}) ==> \\result == c)",
                  lambda m: m.result == _upper(m.pre["c"])),
            weak(f"{small} ==> \\result == c - 32",
                 lambda m: not 97 <= m.pre["c"] <= 122 or m.result == m.pre["c"] - 32),
            weak("!('a' <= \\result <= 'z')", lambda m: not 97 <= m.result <= 122),
            strong("\\result == c - 32", lambda m: m.result == m.pre["c"] - 32),
            strong("'A' <= \\result <= 'Z' || \\result == ' '", lambda m: 65 <= m.result <= 90 or m.result == 32),
            strong("\\result == c", lambda m: m.result == m.pre["c"]),
        ),
    )  # fmt: skip


def threshold(rng: random.Random, n: int) -> Family:
    """Booleans."""
    k = rng.randint(-5, 50)
    return Family(
        "_Bool", "_Bool", (Param("x", "int"),), f"return x >= {k};" if k >= 0 else f"return x >= ({k});",
        lambda x: (int(x >= k), {}), ({"x": k}, {"x": k - 1}, {"x": k + rng.randint(2, 9)}), (NOTHING,),
        (
            right(f"\\result == 1 <==> x >= {k}", lambda m: (m.result == 1) == (m.pre["x"] >= k)),
            right(f"(\\result != 0) <==> !(x < {k})", lambda m: (m.result != 0) == (m.pre["x"] >= k)),
            right(f"\\result == (x >= {k} ? 1 : 0)", lambda m: m.result == int(m.pre["x"] >= k)),
            right(f"\\result == 0 ^^ x >= {k}", lambda m: (m.result == 0) != (m.pre["x"] >= k)),
            weak(f"x >= {k} ==> \\result == 1", lambda m: m.pre["x"] < k or m.result == 1),
            weak("\\result == 0 || \\result == 1", lambda m: m.result in (0, 1)),
            weak(f"\\result == 1 || x < {k}", lambda m: m.result == 1 or m.pre["x"] < k),
            strong(f"\\result == 1 <==> x > {k}", lambda m: (m.result == 1) == (m.pre["x"] > k)),
            strong("\\result == 1", lambda m: m.result == 1),
            strong(f"\\result == 0 <==> x <= {k}", lambda m: (m.result == 0) == (m.pre["x"] <= k)),
        ),
    )  # fmt: skip


def parity(rng: random.Random, n: int) -> Family:
    """Flags in an int, and the remainder of negative numbers."""
    inputs = tuple({"x": x} for x in (2 * rng.randint(1, 9), -2 * rng.randint(1, 9) - 1))
    return Family(
        "int flag", "int", (Param("x", "int"),), "return x % 2 != 0;",
        lambda x: (abs(x) % 2, {}), inputs, (NOTHING,),
        (
            right("\\result == (x % 2 != 0 ? 1 : 0)", lambda m: m.result == abs(m.pre["x"]) % 2),
            Variant("right", Clause("ensures", "\\result != 0 <==> x % 2 != 0",
                                    lambda m: (m.result != 0) == (m.pre["x"] % 2 != 0)), truth=True),
            right("(\\result == 1 && x % 2 != 0) || (\\result == 0 && x % 2 == 0)",
                  lambda m: m.result == abs(m.pre["x"]) % 2),
            weak("x % 2 != 0 ==> \\result == 1", lambda m: m.pre["x"] % 2 == 0 or m.result == 1),
            weak("x % 2 == 0 ==> \\result == 0", lambda m: m.pre["x"] % 2 != 0 or m.result == 0),
            strong("\\result == x % 2", lambda m: m.result == remainder(m.pre["x"], 2)),
            strong("\\result == 1 <==> x % 2 == 1", lambda m: (m.result == 1) == (remainder(m.pre["x"], 2) == 1)),
        ),
    )  # fmt: skip


def halves(rng: random.Random, n: int) -> Family:
    """Floating point numbers, every one of them exact."""
    t = ("double", "float")[n % 2]
    inputs = ({"x": rng.randint(1, 40) / 4.0}, {"x": -rng.randint(5, 40) / 4.0})
    return Family(
        f"{t} half", t, (Param("x", t),), "return x / 2;", lambda x: (x / 2, {}), inputs, (NOTHING,),
        (
            right("\\result == x / 2.0", lambda m: m.result == m.pre["x"] / 2),
            right("\\result * 2 == x", lambda m: m.result * 2 == m.pre["x"]),
            right("\\result + \\result == x", lambda m: m.result * 2 == m.pre["x"]),
            weak("\\abs(\\result) <= \\abs(x)", lambda m: abs(m.result) <= abs(m.pre["x"])),
            weak("\\result >= x / 2.0", lambda m: m.result >= m.pre["x"] / 2),
            weak("x > 0 ==> \\result == 0.5 * x", lambda m: m.pre["x"] <= 0 or m.result == m.pre["x"] / 2),
            strong("\\result == x", lambda m: m.result == m.pre["x"]),
            strong("\\result < x", lambda m: m.result < m.pre["x"]),
            strong("\\abs(\\result) < \\result + 0.5", lambda m: abs(m.result) < m.result + 0.5),
        ),
    )  # fmt: skip


def mean(rng: random.Random, n: int) -> Family:
    """Floating point with a tolerance."""
    t = ("float", "double")[n % 2]
    inputs = tuple({"a": rng.randint(1, 40) / 2.0, "b": rng.randint(50, 90) / 2.0} for _ in range(2))
    return Family(
        f"{t} mean", t, (Param("a", t), Param("b", t)), "return (a + b) / 2;",
        lambda a, b: ((a + b) / 2, {}), inputs, (NOTHING,),
        (
            right("\\result == (a + b) / 2", lambda m: m.result == (m.pre["a"] + m.pre["b"]) / 2),
            right("\\abs(\\result * 2 - (a + b)) <= 0.125",
                  lambda m: abs(m.result * 2 - m.pre["a"] - m.pre["b"]) <= 0.125),
            right("\\result - a == b - \\result", lambda m: m.result - m.pre["a"] == m.pre["b"] - m.result),
            weak("\\result <= (a + b) / 2.0", lambda m: m.result <= (m.pre["a"] + m.pre["b"]) / 2),
            weak("\\abs(\\result) <= a + b", lambda m: abs(m.result) <= m.pre["a"] + m.pre["b"]),
            strong("\\result == a", lambda m: m.result == m.pre["a"]),
            strong("\\result == a + b / 2", lambda m: m.result == m.pre["a"] + m.pre["b"] / 2),
            strong("\\abs(\\result * 2 - (a + b)) < 0.0",
                   lambda m: abs(m.result * 2 - m.pre["a"] - m.pre["b"]) < 0),
        ),
    )  # fmt: skip


def absolute(rng: random.Random, n: int) -> Family:
    """Two behaviors; the clause of one, or their completeness, is judged."""
    low, high = -rng.randint(2, 99), rng.randint(2, 99)

    def negative(m: Call) -> bool:
        return bool(m.pre["x"] < 0)

    def in_neg(label: Label, text: str, holds: Predicate) -> Variant:
        return Variant(label, Clause("ensures", text, holds, behavior="neg"), None)

    return Family(
        "behaviors", "int", (Param("x", "int"),), "return x < 0 ? -x : x;",
        lambda x: (abs(x), {}), ({"x": low}, {"x": high}),
        (
            Clause("requires", "x > -2147483648", lambda m: m.pre["x"] > -(1 << 31)), NOTHING,
            Clause("assumes", "x < 0", negative, behavior="neg"),
            Clause("assumes", "x >= 0", lambda m: m.pre["x"] >= 0, behavior="pos"),
            Clause("ensures", "\\result == x", lambda m: m.result == m.pre["x"], behavior="pos"),
        ),
        (
            in_neg("right", "\\result == -x", lambda m: m.result == -m.pre["x"]),
            in_neg("right", "\\result + x == 0", lambda m: m.result + m.pre["x"] == 0),
            in_neg("weak", "\\result > 0", lambda m: m.result > 0),
            in_neg("weak", "\\result >= -x", lambda m: m.result >= -m.pre["x"]),
            in_neg("strong", "\\result == x", lambda m: m.result == m.pre["x"]),
            in_neg("strong", "\\result > -x", lambda m: m.result > -m.pre["x"]),
        ),
    )  # fmt: skip


def assumed(rng: random.Random, n: int) -> Family:
    """A single behavior, which says nothing of inputs that its ``assumes`` leaves out."""
    k = rng.randint(2, 9)
    all_inputs = Clause("assumes", "x >= 0", lambda m: m.pre["x"] >= 0, behavior="known")
    most_inputs = Clause("assumes", "x > 0", lambda m: m.pre["x"] > 0, behavior="known")

    def only(label: Label, assumes: Clause, text: str, holds: Predicate) -> Variant:
        return Variant(label, Clause("ensures", text, holds, behavior="known"), extra=(assumes,))

    def exact(m: Call) -> bool:
        return bool(m.result == m.pre["x"] * k + 1)

    return Family(
        "one behavior", "int", (Param("x", "int"),), f"return x * {k} + 1;", lambda x: (x * k + 1, {}),
        ({"x": 0}, {"x": rng.randint(2, 9)}),
        (Clause("requires", "0 <= x < 1000", lambda m: 0 <= m.pre["x"] < 1000), NOTHING),
        (
            only("right", all_inputs, f"\\result == x * {k} + 1", exact),
            only("right", all_inputs, f"\\result - 1 == \\old(x) * {k}", exact),
            only("weak", most_inputs, f"\\result == x * {k} + 1", exact),
            only("weak", all_inputs, f"\\result > x * {k}", lambda m: m.result > m.pre["x"] * k),
            only("strong", most_inputs, f"\\result == x * {k}", lambda m: m.result == m.pre["x"] * k),
            only("strong", all_inputs, "\\result == 1", lambda m: m.result == 1),
        ),
    )  # fmt: skip


def covering(rng: random.Random, n: int) -> Family:
    """``complete`` and ``disjoint``."""
    k = rng.randint(1, 9)
    inputs = ({"x": 0}, {"x": k}, {"x": -k})
    base = (
        NOTHING,
        Clause("assumes", "x <= 0", lambda m: m.pre["x"] <= 0, behavior="low"),
        Clause("ensures", "\\result == 0", lambda m: m.result == 0, behavior="low"),
        Clause("assumes", "x >= 0", lambda m: m.pre["x"] >= 0, behavior="high"),
        Clause("ensures", "\\result == x", lambda m: m.result == m.pre["x"], behavior="high"),
    )

    def both(m: Call) -> bool:
        return bool(m.pre["x"] != 0)

    return Family(
        "covering", "int", (Param("x", "int"),), "return x > 0 ? x : 0;", lambda x: (max(x, 0), {}), inputs, base,
        (
            Variant("right", Clause("complete", "behaviors low, high"), None),
            Variant("right", Clause("complete", "behaviors"), None),
            Variant("strong", Clause("disjoint", "behaviors low, high", both), None),
            Variant("strong", Clause("complete", "behaviors high", lambda m: m.pre["x"] >= 0), None),
        ),
    )  # fmt: skip
