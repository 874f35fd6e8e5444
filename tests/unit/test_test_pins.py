"""A pin as the source under test sees it."""

from __future__ import annotations

import pytest
from clausefit.hook.contracts.model import Contract, Parameter
from clausefit.hook.pins.values import (
    Array,
    Block,
    Failed,
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
from clausefit.hook.test_pins import fitted, renamed

ORIGIN = Origin("static", "t", "t.c", 1)


def i32(value: int) -> Integer:
    return Integer(value, "int", 32, True)


def to(block: str) -> Pointer:
    return Pointer(block, (), "int *")


def block(name: str, value: Value, program: bool = False) -> Block:
    return Block(name, name, value, program=name if program else None)


def pin(
    blocks: list[Block], *arguments: Value, result: Value | None = None, after: dict[str, Value] | None = None
) -> Pin:
    left = {b.id: b.value for b in blocks} | (after or {})
    return Pin(
        "f",
        tuple((f"a{i}", a) for i, a in enumerate(arguments)),
        tuple(blocks),
        Returned(result, tuple(left.items())),
        ORIGIN,
    )


X, Y = block("x", i32(1)), block("y", i32(2))
G = block("g", i32(3), program=True)
H = block("h", to("x"), program=True)
LINK = block("l", Struct("struct n", (("p", Array("int *", (to("y"), Null("int *")))),)))


@pytest.mark.parametrize(
    ("one", "nameable", "mentioned", "expected"),
    [
        pytest.param(pin([X], to("x")), "", "", {"x": None}, id="argument"),
        pytest.param(pin([X, Y], to("x")), "", "", {"x": None}, id="out-of-reach"),
        pytest.param(pin([LINK, Y, X], to("l")), "", "", {"l": None, "y": None}, id="reached-through-memory"),
        pytest.param(
            pin([block("p", Null("int *")), X], to("p"), after={"p": to("x")}),
            "",
            "",
            {"p": None, "x": None},
            id="reached-afterwards",
        ),
        pytest.param(pin([X], result=to("x")), "", "", {"x": None}, id="reached-by-the-result"),
        pytest.param(pin([G]), "g", "", {"g": "g"}, id="variable-that-can-be-named"),
        pytest.param(pin([G]), "h", "", {}, id="variable-of-the-test"),
        pytest.param(pin([G], to("g")), "h", "", {"g": None}, id="variable-of-the-test-that-is-given"),
        pytest.param(pin([H, X]), "h", "", {"h": "h", "x": None}, id="reached-through-a-variable"),
        pytest.param(pin([H, X]), "", "", {}, id="nor-through-a-variable-of-the-test"),
        pytest.param(
            pin([H, X], after={"h": Unknown("int *")}),
            "h",
            "h",
            {"h": "h", "x": None},
            id="mentioned-and-not-known-later",
        ),
        pytest.param(pin([H, X], after={"h": Unknown("int *")}), "h", "", {}, id="not-mentioned-and-not-known-later"),
        pytest.param(pin([G], after={"g": Unknown("int")}), "g", "", {"g": "g"}, id="number-that-is-not-known-later"),
        pytest.param(pin([X], to("elsewhere")), "", "", {}, id="pointer-out-of-the-pin"),
        pytest.param(
            pin([block("c", to("d")), block("d", to("c"))], to("c")), "", "", {"c": None, "d": None}, id="cycle"
        ),
    ],
)
def test_fitted(one: Pin, nameable: str, mentioned: str, expected: dict[str, str | None]) -> None:
    made = fitted(one, frozenset(nameable.split()), frozenset(mentioned.split()))
    assert {b.id: b.program for b in made.blocks} == expected
    assert isinstance(made.outcome, Returned)
    assert isinstance(one.outcome, Returned)
    assert dict(made.outcome.after) == {b: v for b, v in one.outcome.after if b in expected}
    assert made.outcome.result == one.outcome.result
    assert (made.function, made.arguments, made.origin) == (one.function, one.arguments, one.origin)
    values = {b.id: b.value for b in one.blocks}
    assert all(b.value == values[b.id] for b in made.blocks)


def test_a_failed_call() -> None:
    one = Pin("f", (("a", to("x")),), (X, Y, G), Failed("abort"), ORIGIN)
    made = fitted(one, frozenset({"g"}), frozenset())
    assert [b.id for b in made.blocks] == ["x", "g"]
    assert made.outcome == one.outcome


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        pytest.param(["n", "m"], ["n", "m"], id="the-contract's-names"),
        pytest.param(["", "m"], ["a0", "m"], id="a-parameter-without-a-name"),
        pytest.param(["n"], ["a0", "a1"], id="another-number-of-them"),
    ],
)
def test_arguments_are_called_as_in_the_contract(parameters: list[str], expected: list[str]) -> None:
    formals = tuple(Parameter(name, f"int {name}") for name in parameters)
    function = Contract("c", "f.c", "f", 1, "int", formals, ())
    one = pin([], i32(1), i32(2))
    made = renamed(one, function)
    assert [name for name, _value in made.arguments] == expected
    assert [value for _name, value in made.arguments] == [i32(1), i32(2)]
