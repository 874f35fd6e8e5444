"""What the evaluator says of formulas: right, or None."""

from __future__ import annotations

import pytest
from clausefit.hook.contracts.model import LogicDefinition, Span
from clausefit.hook.expect.definitions import definitions_from
from clausefit.hook.expect.evaluate import evaluate
from clausefit.hook.expect.situation import Situation, situation_of
from clausefit.hook.pins.values import (
    Array,
    Block,
    Floating,
    FunctionPointer,
    Integer,
    Null,
    Origin,
    Pin,
    Pointer,
    Returned,
    Struct,
    Unknown,
    Value,
)
from growth import assert_grows_linearly


def integer(value: int, name: str = "int", width: int = 32, signed: bool = True) -> Integer:
    return Integer(value, name, width, signed)


def ints(*values: int) -> Array:
    return Array("int", tuple(integer(value) for value in values))


def double(value: float) -> Floating:
    return Floating.of(value, "double", 64)


def define(kind: str, name: str, text: str) -> LogicDefinition:
    return LogicDefinition(kind, (name,), text, frozenset(), "f.c", Span(1, 1, 1, 1, 0, 0))


DEFINITIONS = definitions_from([
    define("predicate", "positive", "predicate positive(integer x) = x > 0;"),
    define("predicate", "same", "predicate same{A, B}(int *p, integer i) = \\at(p[i], A) == \\at(p[i], B);"),
    define("predicate", "first", "predicate first{L}(int *p, integer v) = p[0] == v;"),
    define("predicate", "bare", "predicate bare(int *p, integer v) = p[0] == v;"),
    define("predicate", "nowhere", "predicate nowhere{A, B}(int *p) = p[0] == 7;"),
    define("predicate", "peeks", "predicate peeks(integer k) = k == x;"),
    define("predicate", "on_global", "predicate on_global(integer k) = k == g;"),
    define("predicate", "macro", "predicate macro(integer k) = k == 1 || SOME_MACRO;"),
    define("logic", "half", "logic integer half(integer x) = x / 2;"),
    define("logic", "real_half", "logic real real_half(real x) = x / 2;"),
    define("logic", "narrow", "logic char narrow(int x) = (char) x;"),
    define("logic", "FIVE", "logic integer FIVE = 5;"),
    define("logic", "total", "logic integer total(int *p, integer n) = n <= 0 ? 0 : total(p, n - 1) + p[n - 1];"),
    define("logic", "endless", "logic integer endless(integer n) = endless(n + 1);"),
    define("logic", "fib", "logic integer fib(integer n) = n < 2 ? n : fib(n - 1) + fib(n - 2);"),
    define("inductive", "reach", "inductive reach(int *p) { case c: \\forall int *p; reach(p); }"),
    define("predicate", "twice", "predicate twice(integer x) = x == 1;"),
    define("predicate", "twice", "predicate twice(real x) = x == 2;"),
])  # fmt: skip

POINT = Struct("struct point", (("x", integer(3)), ("y", double(0.5)), ("v", ints(1, 2))))
BEFORE: dict[str, Value] = {
    "block": ints(1, 2, 3),
    "other": ints(9),
    "g": integer(10),
    "half_known": Array("int", (integer(1), Unknown("int"), Unknown("int", (integer(4),)))),
    "point": POINT,
    "matrix": Array("int", (ints(1, 2, 3), ints(4, 5, 6))),
    "text": Array("char", tuple(integer(ord(c), "char", 8) for c in "ab\0")),
    "cell": Pointer("block", (1,), "int *"),
}
AFTER = BEFORE | {"block": ints(7, 2, 3), "g": integer(11)}
SITUATION = Situation(
    parameters={
        "a": Pointer("block", (0,), "int *"),
        "end": Pointer("block", (3,), "int *"),
        "b": Pointer("other", (0,), "const int *"),
        "past": Pointer("other", (1,), "int *"),
        "p": Pointer("point", (), "struct point *"),
        "s": Pointer("text", (0,), "const char *"),
        "raw": Pointer("block", (0,), "void *"),
        "bytes": Pointer("block", (0,), "unsigned char *"),
        "pp": Pointer("cell", (), "int **"),
        "one": Pointer("g", (), "int *"),
        "none": Null("int *"),
        "f": FunctionPointer("callback", "void (*)(void)"),
        "n": integer(3),
        "u": integer(0xFFFFFFFF, "unsigned int", 32, False),
        "x": integer(5),
        "flag": integer(1, "_Bool", 1, False),
        "d": double(0.1),
        "h": double(2.5),
        "nan": double(float("nan")),
        "what": Unknown("int"),
        "some": Unknown("int *", (Null("int *"),)),
        "pt": POINT,
        "h_k": Pointer("half_known", (0,), "int *"),
    },
    before=BEFORE,
    after=AFTER,
    result=integer(7),
    globals={"g": "g", "arr": "block", "matrix": "matrix", "origin": "point"},
    definitions=DEFINITIONS,
    constants={"LIMIT": 32},
    constant=frozenset({"text"}),
)

TRUE_OR_FALSE = [
    ("result", "\\result == a[0]", "\\result == 1"),
    ("chain", "0 <= x < 6 <= 6", "0 <= x < 5"),
    ("division truncates", "-7 / 2 == -3 && 7 / -2 == -3 && -7 / -2 == 3", "-7 / 2 == -4"),
    ("remainder has the sign of the dividend", "-7 % 2 == -1 && 7 % -2 == 1", "-7 % 2 == 1"),
    ("integers do not overflow", "u + 1 == 4294967296", "u + 1 == 0"),
    ("unsigned complement is mathematical", "~u == -4294967296", "~u == 0"),
    ("unary minus of unsigned", "-u < 0", "-u > 0"),
    ("casts wrap", "(char) 200 == -56 && (unsigned char) -1 == 255 && (int) u == -1", "(char) 200 == 200"),
    ("nested casts", "(long)(short) 40000 == -25536", "(unsigned int) -1 == -1"),
    ("casts of reals cut off", "(int) 2.7 == 2 && (int) -2.7 == -2", "(int) 2.7 == 3"),
    ("boolean as integer", "(int)(x == 5) == 1", "(int)(x == 4) == 1"),
    ("integer compared with a boolean becomes one", "x == (n == 3)", "x == (n == 4)"),
    ("shifts", "1 << 33 == 8589934592 && -5 >> 1 == -3", "-5 >> 1 == -2"),
    ("bits", "(6 & 3) == 2 && (6 | 3) == 7 && (6 ^ 3) == 5", "(6 & 3) == 3"),
    ("bitwise implication", "(5 --> 3) == -5 && (5 <--> 3) == -7", "(5 --> 3) == 3"),
    ("integer as predicate", "x && !0", "0 || x - 5"),
    ("pointer as predicate", "a && !none", "none"),
    ("decimal literal is exact", "d != 0.1", "d == 0.1"),
    ("float arithmetic is that of reals", "h * 2 == 5 && h / 2 == 1.25", "h == 2"),
    ("integer and real division", "5 / 2 == 2 && 5 / 2.0 == 2.5", "5 / 2 == 2.5"),
    ("exact float cast", "(float) 0.5 == 0.5", "(double) x == 4"),
    ("old array element", "\\old(a[0]) == 1 && a[0] == 7", "\\old(a[0]) == 7"),
    ("old pointer, new memory", "\\old(a)[0] == 7", "\\old(a)[0] == 1"),
    ("old array by value", "\\old(arr)[0] == 1", "\\old(arr)[0] == 7"),
    ("labels", "\\at(g, Pre) == 10 && \\at(g, Post) == 11 && \\at(g, Here) == 11", "\\at(g, Old) == g"),
    ("parameters in the state before", "\\old(x) == x && \\at(x, Pre) == 5", "\\old(x) != x"),
    ("old of a whole formula", "\\at((a[0] == 1 && g == 10), Pre)", "\\at((a[0] == 7), Pre)"),
    ("let keeps the old value", "\\let k = \\old(g); g == k + 1", "\\let k = \\old(g); g == k"),
    ("deref and arithmetic", "*(a + 2) == 3 && *a == 7 && *(end - 1) == 3", "*(a + 1) == 3"),
    ("pointer to pointer", "**pp == 2 && pp[0][1] == 3", "**pp == 3"),
    ("address and deref", "&a[1] == a + 1 && *&a[1] == 2 && &*a == a", "&a[1] == a"),
    ("array as a pointer", "arr == a && arr + 1 == a + 1 && *arr == 7", "arr == b"),
    ("matrix", "matrix[1][2] == 6 && *(matrix[1] + 1) == 5", "matrix[0][2] == 6"),
    ("struct by pointer", "p->x == 3 && p->v[1] == 2 && (*p).x == 3", "p->x == 4"),
    ("struct by value", "pt.x == 3 && pt.v[0] == 1 && pt.y == 0.5", "pt.x == 2"),
    ("structs by content", "pt == origin && *p == pt", "pt != origin"),
    ("global struct", "origin.x == 3 && &origin == p && &origin.v[1] - &p->v[0] == 1", "&origin.x == &origin.v[0]"),
    ("null", "a != \\null && none == NULL && none == 0 && a != 0", "a == \\null"),
    ("function pointer is not null", "f != \\null", "f == \\null"),
    ("different blocks", "a != b", "a == b"),
    ("pointer order and difference", "a < end && end - a == 3 && a <= a", "end <= a"),
    ("void pointer equality", "raw == (void *) a", "raw != a"),
    ("characters", "s[0] == 'a' && s[2] == '\\0'", "s[1] == 'a'"),
    ("known not to be null", "some != \\null && some", "some == \\null"),
    ("known not to be a number", "h_k[2] != 4", "h_k[2] == 4"),
    ("forall", "\\forall integer i; 0 <= i < n - 1 ==> a[i + 1] != 9", "\\forall integer i; 0 <= i < n ==> a[i] > 2"),
    ("exists", "\\exists integer i; 0 <= i < n && a[i] == 3", "\\exists integer i; 0 <= i < n && a[i] == 1"),
    ("empty range", "\\forall integer i; 3 <= i < n ==> \\false", "\\exists integer i; 3 <= i < n && \\true"),
    ("ordered binders", "\\forall integer i, j; 1 <= i <= j < n ==> a[i] <= a[j]",
     "\\forall integer i, j; 0 <= i < j < n ==> a[i] <= a[j]"),
    ("guard in pieces", "\\forall integer i; i >= 0 ==> n > i ==> i < 3",
     "\\forall integer i; n > i && 0 <= i ==> i < 2"),
    ("guard with a sum", "\\forall integer i; 0 <= i + 1 < 3 ==> -1 <= i <= 1",
     "\\forall integer i; 0 < i + 1 <= 3 ==> i < 2"),
    ("bound that falls with another", "\\exists integer i, j; 0 <= i < n && 0 <= j < n && j < n - i && j == 2",
     "\\forall integer i, j; 0 <= i < n && 0 <= j < n && j < n - i ==> j == 0"),
    ("guard with an equation", "\\exists integer k; k == x && k == 5", "\\exists integer k; k == x && k == 6"),
    ("bounded by type", "\\forall unsigned char c; c <= 255", "\\forall char c; c >= 0"),
    ("boolean binder", "\\forall boolean b; b || !b", "\\forall boolean b; b == \\true"),
    ("nested quantifiers", "\\forall integer i; 0 <= i < n ==> \\exists integer j; 0 <= j < n && a[j] == a[i]",
     "\\forall integer i; 0 <= i < n ==> \\exists integer j; 0 <= j < i && a[j] == a[i]"),
    ("bound variable hides a parameter", "\\forall integer x; 0 <= x < 2 ==> x < 5",
     "\\exists integer x; 0 <= x < 2 && x == 5"),
    ("sum and count",
     "\\sum(0, n - 1, \\lambda integer k; a[k]) == 12 && \\numof(0, n - 1, \\lambda integer k; a[k] > 2) == 2",
     "\\sum(0, 2, \\lambda integer k; a[k]) == 11"),
    ("functions", "\\abs(-3) == 3 && \\min(2, x) == 2 && \\max(2, 3.5) == 3.5", "\\max(2, x) == 2"),
    ("sizeof", "sizeof(long) == 8 && sizeof(char *) == 8 && sizeof(short) == 2", "sizeof(int) == 8"),
    ("limits", "INT_MIN == -2147483648 && u == UINT_MAX && CHAR_BIT == 8 && SIZE_MAX > LONG_MAX", "x > INT_MAX"),
    ("given constants", "LIMIT == 32", "LIMIT == 31"),
    ("conditional", "(x > 4 ? 1 : 2) == 1", "x > 4 ? \\false : \\true"),
    ("conditional without real branch divides integers", "(x > 4 ? 1 : 2) / 2 == 0", "(x > 4 ? 1 : 2) / 2 == 1"),
    ("connectives", "(x == 5 <==> n == 3) && (x == 5 ^^ n == 4)", "x == 5 ^^ n == 3"),
    ("valid", "\\valid(a + (0 .. n - 1)) && \\valid(&arr[0 .. 2]) && \\valid(p) && \\valid(one)",
     "\\valid(a + (0 .. n))"),
    ("validity of pointers to const", "\\valid_read(b) && \\valid(b)", "\\valid_read(b + 1)"),
    ("validity of an end pointer", "\\valid(end - 1)", "\\valid(end)"),
    ("validity of null", "\\valid(none + (0 .. -1))", "\\valid(none)"),
    ("empty range of locations", "\\valid(a + (7 .. 3))", "\\valid(a + (-1 .. 0))"),
    ("validity of a constant", "\\valid_read(s + (0 .. 2))", "\\valid(s + (0 .. 3))"),
    ("validity of a field", "\\valid(&p->x) && \\valid(&p->v[0 .. 1])", "!\\valid_read(&p->x)"),
    ("beside a single object", "!\\valid(one + 1)", "\\valid_read(one + (0 .. 1))"),
    ("separated", "\\separated(a, b) && \\separated(a + (0 .. 1), a + (2 .. 2), b)",
     "\\separated(a + (0 .. 1), a + (1 .. 2))"),
    ("locations of another state", "\\separated(&arr[0], \\at(&(*(a + (1 .. 2))), Pre))",
     "\\separated(&arr[0], \\at(&(a[0 .. 2]), Pre))"),
    ("locations behind a star", "\\valid(&*(a + (0 .. 2)))", "\\valid(&*(a + (0 .. 3)))"),
    ("predicate", "positive(x)", "positive(-x)"),
    ("logic function", "half(-3) == -1 && FIVE == x", "half(4) == 1"),
    ("argument becomes real", "real_half(3) == 1.5", "real_half(3) == 1"),
    ("definition with labels", "same{Pre, Here}(a, 1)", "same{Pre, Here}(a, 0)"),
    ("definition at a label", "first{Pre}(a, 1) && first(a, 7) && first{Here}(a, 7)", "first{Old}(a, 7)"),
    ("definition in the state of the call", "bare(a, 7) && \\at(bare(a, 1), Pre)", "bare(a, 1)"),
    ("definition on a variable", "on_global(11) && \\old(on_global(10))", "on_global(10)"),
    ("recursive definition", "total(a, n) == 12 && \\old(total(a, n)) == 6", "total(a, 2) == 7"),
    ("result type of a definition", "narrow(5) == 5 && narrow(200) == -56", "narrow(200) == 200"),
    ("and decides with an unknown part", "!(what == 1 && \\false)", "what == 1 && \\false"),
    ("or decides with an unknown part", "what == 1 || \\true", "!(1 / 0 == 0 || \\true)"),
    ("implication decides with an unknown part", "what == 1 ==> \\true", "!(\\false ==> a[9] == 0)"),
    ("quantifier decides with an unknown part", "\\exists integer i; 0 <= i < 3 && h_k[i] == 1",
     "\\forall integer i; 0 <= i < 3 ==> h_k[i] == 0"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("formula", "expected"),
    [pytest.param(formula, True, id=why) for why, formula, _ in TRUE_OR_FALSE]
    + [pytest.param(formula, False, id=f"not: {why}") for why, _, formula in TRUE_OR_FALSE],
)
def test_decided(formula: str, expected: bool) -> None:
    assert evaluate(formula, SITUATION) is expected
    assert evaluate(f"!({formula})", SITUATION) is not expected


@pytest.mark.parametrize(
    "formula",
    [
        pytest.param("x ==", id="not a formula"),
        pytest.param("stranger == 1", id="unknown name"),
        pytest.param("\\false && stranger", id="an unknown name may be a macro, even where it would not be read"),
        pytest.param("\\false && stranger(x)", id="an unknown function may be a macro"),
        pytest.param("macro(1)", id="unknown name in a definition"),
        pytest.param("'\\xff' == 255", id="the sign of a character"),
        pytest.param("x < 6 != 3", id="chain that Frama-C refuses"),
        pytest.param("what == 1", id="unknown value"),
        pytest.param("some == a", id="unknown value that is not excluded"),
        pytest.param("*some == 1", id="read through an unknown pointer that is not null"),
        pytest.param("h_k[1] == 0", id="unknown cell"),
        pytest.param("what ==> what", id="Kleene does not see that both are the same"),
        pytest.param("1 / 0 == 0", id="division by zero"),
        pytest.param("1 % (n - 3) == 0", id="remainder of zero"),
        pytest.param("1 << -1 == 0", id="negative shift"),
        pytest.param("1 << 100000000000 == 0", id="huge shift"),
        pytest.param("1 << 4000 << 4000 << 4000 > 0", id="huge number"),
        pytest.param("a[3] == 0", id="read behind an array"),
        pytest.param("a[-1] == 0", id="read before an array"),
        pytest.param("*none == 0", id="read through null"),
        pytest.param("one[1] == 0", id="read beside an object"),
        pytest.param("bytes[0] == 7", id="read through a pointer of another type"),
        pytest.param("*((char *) a) == 7", id="read through a pointer cast to another type"),
        pytest.param("(char *) a + 1 == (char *) a", id="arithmetic on a pointer of another type"),
        pytest.param("raw + 1 == raw", id="arithmetic on void pointers"),
        pytest.param("a < b", id="order of different objects"),
        pytest.param("a - b == 0", id="difference of different objects"),
        pytest.param("past == a", id="an end may be the start of another object"),
        pytest.param("(int *) &origin == &origin.x", id="first field by another type"),
        pytest.param("matrix[0] + 3 == matrix[1]", id="end of a row"),
        pytest.param("a == x", id="pointer and number"),
        pytest.param("f == a", id="function and object"),
        pytest.param("(long) a == 0", id="pointer as a number"),
        pytest.param("(int *) x == a", id="number as a pointer"),
        pytest.param("(color) x == 5", id="cast to an unknown type"),
        pytest.param("(_Bool) 200 == 1", id="cast to _Bool"),
        pytest.param("(int) 1e300 == 0", id="real out of range"),
        pytest.param("(float) 0.1 == 0.1", id="cast that rounds"),
        pytest.param("nan == nan", id="not a number"),
        pytest.param("(x == 5) + 1 == 2", id="arithmetic on a boolean"),
        pytest.param("(x == 5) < (x == 4)", id="order of booleans"),
        pytest.param("h", id="real as a predicate"),
        pytest.param("arr == matrix", id="arrays compare by content"),
        pytest.param("(x > 4 ? 1 : 2.0) / 2 == 0.5", id="branches of different types"),
        pytest.param("(x > 4 ? 1 : h) / 2 == 0", id="the other branch is real by its value"),
        pytest.param("\\let q = x > 4 ? 1 : 2.5; q / 2 == 0.5", id="a name for branches of different types"),
        pytest.param("\\forall integer i; i < n ==> i < 3", id="no lower bound"),
        pytest.param("\\forall integer i; 0 <= i ==> i >= 0", id="no upper bound"),
        pytest.param("\\forall integer i; 0 <= i < what ==> \\true", id="unknown bound"),
        pytest.param("\\forall integer i; 0 <= i < n || \\true", id="no guard"),
        pytest.param(
            "\\forall integer i, j; 0 <= i < n && 0 <= j < n - i ==> j < 1", id="bound that falls with another"
        ),
        pytest.param("*\\old(arr) == 7", id="an old array is a value without an address"),
        pytest.param("\\let q = arr; q + 1 == a", id="a named array is a value without an address"),
        pytest.param("\\forall integer i, j; 0 <= i < 1000 && 0 <= j < 1000 ==> \\true", id="too many instances"),
        pytest.param("\\forall int k; k == k", id="all of int"),
        pytest.param("\\forall real r; 0 <= r <= 1 ==> r < 2", id="reals"),
        pytest.param("\\forall int *q; q == q", id="pointers"),
        pytest.param("\\valid(s)", id="writing a constant"),
        pytest.param("\\valid(raw)", id="validity of a void pointer"),
        pytest.param("\\valid(\\null)", id="validity of the null pointer without a type"),
        pytest.param("\\valid(bytes + (0 .. 3))", id="validity of bytes"),
        pytest.param("\\valid(arr)", id="an array is no pointer here"),
        pytest.param("\\valid(matrix[0] + (0 .. 4))", id="range over rows"),
        pytest.param("\\valid(a + (0 ..))", id="open range"),
        pytest.param("\\valid{Pre}(a)", id="validity at another label"),
        pytest.param("\\initialized(a)", id="initialization"),
        pytest.param("\\separated(a, none)", id="separated from null"),
        pytest.param("\\separated(a, raw)", id="separated from a void pointer"),
        pytest.param("\\fresh(a)", id="unknown built-in"),
        pytest.param("\\at(x, Loop) == 5", id="unknown label"),
        pytest.param("\\at(first{Here}(a, 1), Pre)", id="Here inside of another state"),
        pytest.param("&x == one", id="address of a parameter"),
        pytest.param("nowhere{Pre, Here}(a)", id="a definition with two labels has no present state"),
        pytest.param("same(a, 1)", id="labels missing"),
        pytest.param("same{Pre}(a, 1)", id="too few labels"),
        pytest.param("peeks(5)", id="a definition does not see parameters"),
        pytest.param("reach(a)", id="inductive predicate"),
        pytest.param("twice(1)", id="overloaded predicate"),
        pytest.param("positive(1.5)", id="argument of another type"),
        pytest.param("positive(1, 2)", id="too many arguments"),
        pytest.param("narrow(u) == -1", id="argument that does not fit its type"),
        pytest.param("endless(0) == 0", id="endless recursion"),
        pytest.param("fib(40) == 102334155", id="recursion that takes too long"),
    ],
)
def test_undecided(formula: str) -> None:
    assert evaluate(formula, SITUATION) is None
    assert evaluate(f"!({formula})", SITUATION) is None


def test_no_result() -> None:
    assert evaluate("\\result == 0", Situation()) is None


def test_situation_of_a_pin() -> None:
    blocks = (
        Block("b1", "a", ints(1, 2)),
        Block("b2", "counter", integer(0), program="counter"),
        Block("b3", '"x"', Array("char", (integer(120, "char", 8), integer(0, "char", 8))), constant=True),
    )
    after = {"b1": ints(1, 3), "b2": integer(1), "b3": blocks[2].value}
    arguments: tuple[tuple[str, Value], ...] = (
        ("arg0", Pointer("b1", (0,), "int *")),
        ("arg1", Pointer("b3", (0,), "const char *")),
    )
    pin = Pin("f", arguments, blocks, Returned(None, tuple(after.items())), Origin("static", "t", "t.c", 1))
    situation = situation_of(pin, ["a", "s"], None, after)
    assert evaluate("counter == \\old(counter) + 1 && a[1] == \\old(a[1]) + 1", situation) is True
    assert evaluate("\\valid(s)", situation) is None
    with pytest.raises(ValueError, match="argument 2"):
        situation_of(pin, ["a"], None, after)


def test_time_grows_with_the_instances() -> None:
    def work(count: int) -> None:
        assert evaluate(f"\\forall integer i; 0 <= i < {count} ==> a[i % 3] <= \\result + i", SITUATION) is True

    assert_grows_linearly(work, 1000, 8000)


@pytest.mark.parametrize(
    "formula",
    [
        pytest.param("fib(60) == 0", id="exponential recursion"),
        pytest.param(
            "\\forall integer i; 0 <= i < 20000 ==> \\forall integer j; 0 <= j < 20000 ==> i + j >= 0",
            id="nested quantifiers",
        ),
        pytest.param(
            "\\sum(0, 19999, \\lambda integer i; \\sum(0, 19999, \\lambda integer j; i * j)) == 0", id="nested sums"
        ),
    ],
)
def test_gives_up(formula: str) -> None:
    """Without its limits each of them would take minutes to ages, and have a value in the end."""
    assert evaluate(formula, SITUATION) is None


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param((1, 2), (1, 2), True, id="the same"),
        pytest.param((1, 2), (7, 2), False, id="the first element"),
        # WP 25.0 proves this one all the same.
        pytest.param((1, 2), (1, 7), False, id="another element"),
        pytest.param((1, None), (7, 2), False, id="one that is known to differ decides"),
        pytest.param((1, None), (1, 2), None, id="one that is not known"),
    ],
)
def test_a_struct_with_an_array_is_compared_part_by_part(
    before: tuple[int | None, ...], after: tuple[int | None, ...], expected: bool | None
) -> None:
    def memory(values: tuple[int | None, ...]) -> dict[str, Value]:
        cells = tuple(Unknown("int") if value is None else integer(value) for value in values)
        return {"m0": Struct("struct ring", (("items", Array("int", cells)), ("size", integer(2))))}

    situation = Situation({"r": Pointer("m0", (), "struct ring *")}, memory(before), memory(after), None, {}, {})
    assert evaluate("*r == \\old(*r)", situation) is expected
    assert evaluate("*r != \\old(*r)", situation) is (None if expected is None else not expected)
