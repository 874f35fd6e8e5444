"""Which outcomes are called wrong, and which are not because no test shows that they are."""

from __future__ import annotations

import pytest
from clausefit.hook.mutants import mutants_of
from clausefit.hook.pins.values import Block, Integer, Null, Origin, Pin, Pointer, Returned, Unknown, Value

SEVEN, EIGHT = Integer(7, "int", 32, True), Integer(8, "int", 32, True)
NONE = Null("int *")


def pin(result: Value | None, after: Value = SEVEN, block: str = "b") -> Pin:
    """A call with a pointer to one variable that holds 7."""
    arguments = (("p", Pointer(block, (), "int *")),)
    origin = Origin("static", "t", "t.c", 1)
    return Pin("f", arguments, (Block(block, "v", SEVEN),), Returned(result, ((block, after),)), origin)


@pytest.mark.parametrize(
    ("one", "other", "result", "memory"),
    [
        pytest.param(pin(SEVEN), None, True, True, id="both are shown"),
        pytest.param(pin(Unknown("int", (EIGHT,))), None, True, True, id="shown not to be a number"),
        pytest.param(pin(Unknown("int *", (NONE,))), None, False, True, id="memory was found: it may run out as well"),
        pytest.param(pin(Pointer("b", (), "int *")), None, True, True, id="a pointer that is shown"),
        pytest.param(pin(SEVEN), pin(EIGHT, block="c"), False, True, id="a hidden state decides the result"),
        pytest.param(pin(None, SEVEN), pin(None, EIGHT, "c"), False, False, id="a hidden state decides the memory"),
        pytest.param(pin(SEVEN), pin(SEVEN, EIGHT, "c"), True, False, id="only the memory differs"),
        pytest.param(pin(SEVEN), pin(Unknown("int", (SEVEN,)), block="c"), False, True, id="shown to differ"),
        pytest.param(pin(SEVEN), pin(SEVEN, block="c"), True, True, id="the same call twice"),
        pytest.param(
            pin(Pointer("b", (), "int *")), pin(Pointer("c", (), "int *"), block="c"), True, True, id="the same pointer"
        ),
    ],
)
def test_what_is_mutated(one: Pin, other: Pin | None, result: bool, memory: bool) -> None:
    found = mutants_of(one, [one, *([other] if other is not None else [])])
    assert any(m.location.block is None for m in found) == result
    assert any(m.location.block is not None for m in found) == memory
