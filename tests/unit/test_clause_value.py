"""What a plain clause is on a pin, in Java's arithmetic and in unbounded integers."""

from __future__ import annotations

import pytest
from clausefit.hook.java.clause_value import value_on
from clausefit.hook.pins.values import (
    Array,
    Block,
    Floating,
    Integer,
    Null,
    Origin,
    Pin,
    Pointer,
    Returned,
    Struct,
    Text,
    Unknown,
    Value,
)

LARGEST, SMALLEST = (1 << 31) - 1, -(1 << 31)


def whole(value: int, name: str = "int") -> Integer:
    width = {"byte": 8, "char": 16, "int": 32, "long": 64, "java.lang.Integer": 32}[name]
    return Integer(value, name, width, name != "char")


def thing(count: Value, next_one: Value) -> Struct:
    return Struct("p.A", (("n", count), ("next", next_one), ("twice", whole(1)), ("twice", whole(2))))


ARGUMENTS: tuple[tuple[str, Value], ...] = (
    ("this", Pointer("o", (), "p.A")),
    ("a", whole(LARGEST)),
    ("b", whole(SMALLEST)),
    ("i", whole(2)),
    ("l", whole((1 << 63) - 1, "long")),
    ("c", whole(97, "char")),
    ("y", whole(127, "byte")),
    ("t", Integer(1, "boolean", 1, False)),
    ("x", Pointer("arr", (), "int[]")),
    ("none", Null("p.A")),
    ("s", Text("ab")),
    ("boxed", whole(5, "java.lang.Integer")),
    ("d", Floating.of(1.5, "double", 64)),
    ("hidden", Unknown("int")),
)
BLOCKS = (
    Block("o", "this", thing(whole(7), Null("p.A"))),
    Block("arr", "x", Array("int", (whole(1), whole(LARGEST)))),
)
AFTER: tuple[tuple[str, Value], ...] = (
    ("o", thing(whole(8), Pointer("o", (), "p.A"))),
    ("arr", Array("int", (whole(1), whole(SMALLEST)))),
)
PIN = Pin("A.f(int)", ARGUMENTS, BLOCKS, Returned(whole(SMALLEST), AFTER), Origin("static", "t", "T.java", 1))


@pytest.mark.parametrize(
    ("formula", "in_java", "unbounded"),
    [
        pytest.param(r"\result == a + 1", True, False, id="sum"),
        pytest.param(r"\result == a + 1L", False, False, id="a-long-sum"),
        pytest.param("l + 1 < 0", True, False, id="the-largest-long"),
        pytest.param("-b == b", True, False, id="negation"),
        pytest.param("b == -2147483648", True, True, id="the-smallest-literal"),
        pytest.param("-(-2147483648) > 0", False, True, id="its-negation"),
        pytest.param("0xFFFFFFFF == -1", True, True, id="a-hexadecimal-literal-is-one-of-java"),
        pytest.param("a * i == -2", True, False, id="product"),
        pytest.param("b / -1 == b", True, False, id="division"),
        pytest.param("-7 / i == -3 && -7 % i == -1", True, True, id="division-cuts-off"),
        pytest.param("1 << 31 < 0", True, False, id="shift"),
        pytest.param("a >> 1 == 1073741823", True, True, id="shift-right"),
        pytest.param("b >>> 31 == 1", True, None, id="shift-without-sign-has-no-unbounded-value"),
        pytest.param("(byte) (y + 1) == -128", True, True, id="casts-wrap-in-either"),
        pytest.param("(int) (a + 1) == b", True, True, id="a-cast-of-an-overflow"),
        pytest.param("(long) a + 1 > 0", True, True, id="a-cast-binds-tightly"),
        pytest.param("c + 1 == 'b'", True, True, id="characters"),
        pytest.param("~i == -3 && (i ^ 3) == 1 && (i | 1) == 3 && (i & 3) == 2", True, True, id="bits"),
        pytest.param("(t ? a : 1L) + 1 > 0", True, True, id="the-other-arm-gives-the-type"),
        pytest.param("(t ? a : 1) + 1 > 0", False, True, id="two-ints"),
        pytest.param(r"\old(n) + 1 == n && this.n == 8", True, True, id="fields-before-and-after"),
        pytest.param("next.next.n == 8", True, True, id="fields-of-fields"),
        pytest.param("x.length == 2 && x[1] == b", True, True, id="elements"),
        pytest.param(r"\old(x[1]) + x[0] == x[1]", True, False, id="elements-before"),
        pytest.param("none == null && x != null", True, True, id="null"),
        pytest.param("Integer.MAX_VALUE == a && java.lang.Long.MAX_VALUE == l", True, True, id="limits"),
        pytest.param("i == 3 ==> hidden == 1", True, True, id="a-false-premise"),
        pytest.param("i == 2 || hidden == 1", True, True, id="what-is-not-needed"),
        pytest.param("t ==> t ==> !t", False, False, id="implications-bind-to-the-right"),
        pytest.param("!t <==> i > 2", True, True, id="equivalence"),
        pytest.param("i > 2 ==> t && i < 0", True, True, id="the-arrow-binds-loosely"),
        pytest.param("1 + i * 3 == 7 && 9 - i - 3 == 4", True, True, id="precedence"),
    ],
)
def test_values(formula: str, in_java: bool, unbounded: bool | None) -> None:
    assert value_on(formula, PIN, unbounded=False) is in_java
    assert value_on(formula, PIN, unbounded=True) is unbounded


@pytest.mark.parametrize(
    "formula",
    [
        pytest.param("hidden == 1", id="not-shown"),
        pytest.param("boxed == 5", id="boxed"),
        pytest.param("d > 1", id="floating-point"),
        pytest.param('s + "-" == s', id="text"),
        pytest.param("s.length() == 2", id="a-call"),
        pytest.param("Math.abs(b) < 0", id="a-library"),
        pytest.param("twice == 1", id="two-fields-of-one-name"),
        pytest.param("missing == 1", id="no-such-name"),
        pytest.param("x[2] == 1", id="outside-of-the-array"),
        pytest.param("i / 0 == 1", id="division-by-zero"),
        pytest.param("none.n == 1", id="a-field-of-null"),
        pytest.param("2147483648 > 0", id="no-literal-of-java"),
        pytest.param(r"(\forall int k; 0 <= k; k + 1 > 0)", id="quantified"),
        pytest.param(r"\fresh(x)", id="fresh"),
        pytest.param("this instanceof A", id="instanceof"),
        pytest.param("t <=!=> t", id="an-arrow-that-is-not-read"),
        pytest.param("i++ == 2", id="an-effect"),
        pytest.param("i +", id="cut-off"),
        pytest.param("i", id="no-truth-value"),
        pytest.param("-t == t", id="a-negated-truth-value"),
        pytest.param("(" * 300 + "t" + ")" * 300, id="too-long"),
        pytest.param("", id="empty"),
    ],
)
def test_no_value(formula: str) -> None:
    assert value_on(formula, PIN, unbounded=False) is None
    assert value_on(formula, PIN, unbounded=True) is None


def test_the_new_object_of_a_constructor() -> None:
    made = Returned(Pointer("o", (), "p.A"), AFTER)
    pin = Pin("A.A(int)", (("a", whole(1)),), (), made, Origin("static", "t", "T.java", 1))
    assert value_on("n == 8 && this.n == a + 7", pin, unbounded=False) is True
    assert value_on(r"\old(n) == 8", pin, unbounded=False) is None


def test_the_state_before() -> None:
    assert value_on("n == 7 && x[1] == a", PIN, unbounded=False, is_before=True) is True
