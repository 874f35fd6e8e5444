"""Whether what a test does not show of an input decides a formula."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from clausefit.hook.open_inputs import depends_on_what_is_not_shown, has_open_input
from clausefit.hook.pins.values import Block, Integer, Origin, Pin, Pointer, Returned, Struct, Unknown, Value


def push(count: Value) -> Pin:
    """``push(&s)`` with an item that is known and a count that may not be."""
    value = Struct("stack", (("item", Integer(3, "int", 32, True)), ("count", count)))
    block = Block("m0", "s", value)
    return Pin(
        "push", (("s", Pointer("m0", (), "stack *")),), (block,), Returned(None, ()), Origin("static", "t", "t.c", 1)
    )


def count_of(pin: Pin) -> int | None:
    value = pin.blocks[0].value
    assert isinstance(value, Struct)
    count = value.fields[1][1]
    return count.value if isinstance(count, Integer) else None


def about(test: Callable[[int], bool]) -> Callable[[Pin], bool | None]:
    return lambda pin: None if (count := count_of(pin)) is None else test(count)


@pytest.mark.parametrize(
    ("count", "holds", "expected"),
    [
        pytest.param(Unknown("int"), about(lambda n: 0 <= n <= 8), True, id="what-is-not-shown-decides"),
        pytest.param(Unknown("unsigned char"), about(lambda n: n < 255), True, id="only-the-largest-is-false"),
        pytest.param(Unknown("unsigned char"), about(lambda n: 0 <= n <= 255), False, id="every-value-will-do"),
        pytest.param(Unknown("int"), lambda _pin: True, False, id="another-part-decides"),
        pytest.param(Unknown("int"), lambda _pin: None, False, id="evaluation-cannot-tell"),
        pytest.param(
            Unknown("unsigned char", (Integer(0, "unsigned char", 8, False),)),
            about(lambda n: n > 0),
            False,
            id="a-value-that-it-is-shown-not-to-have",
        ),
        pytest.param(Unknown("struct other *"), about(lambda n: n > 0), False, id="a-pointer"),
        pytest.param(Integer(3, "int", 32, True), lambda _pin: None, False, id="all-is-shown"),
    ],
)
def test_depends(count: Value, holds: Callable[[Pin], bool | None], expected: bool) -> None:
    pin = push(count)
    assert has_open_input(pin) == isinstance(count, Unknown)
    assert depends_on_what_is_not_shown(pin, holds) is expected
