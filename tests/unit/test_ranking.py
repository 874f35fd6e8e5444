"""Which pins are asked, and in which order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from clausefit.hook.pins.ranking import ranked
from clausefit.hook.pins.values import (
    Array,
    Block,
    Failed,
    Floating,
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


def i32(value: int) -> Integer:
    return Integer(value, "int", 32, True)


def call(argument: int, result: Value | Failed | None, line: int = 1) -> Pin:
    outcome = result if isinstance(result, Failed) else Returned(result, ())
    return Pin("f", (("a", i32(argument)),), (), outcome, Origin("static", f"t{line}", "t.c", line))


def array(cells: Sequence[int], result: int, block: str = "m0", name: str = "a", value: str = "x") -> Pin:
    content = Array("int", tuple(i32(cell) for cell in cells))
    pointer = Pointer(block, (0,), "int *")
    return Pin(
        "f",
        ((name, pointer),),
        (Block(block, value, content),),
        Returned(i32(result), ((block, content),)),
        Origin("static", "t", "t.c", 1),
    )


def results(pins: Sequence[Pin], most: int = 9, limit: int = 4) -> list[object]:
    shown = []
    for pin in ranked(pins, limit, most).pins:
        if isinstance(pin.outcome, Failed):
            shown.append(pin.outcome.kind)
        elif isinstance(pin.outcome.result, Integer):
            shown.append(pin.outcome.result.value)
        elif isinstance(pin.outcome.result, Floating):
            shown.append(pin.outcome.result.number)
        else:
            shown.append(type(pin.outcome.result).__name__)
    return shown


@pytest.mark.parametrize(
    ("pins", "expected"),
    [
        pytest.param([], [], id="none"),
        pytest.param([call(9, i32(9)), call(1, i32(1)), call(-4, i32(4))], [1, 4, 9], id="small-numbers-first"),
        pytest.param([array([7, 7], 2), array([7], 1), array([0] * 3, 3)], [1, 2, 3], id="small-arrays-first"),
        pytest.param([call(1, i32(5)), call(1, i32(6))], [5, 6], id="in-order-where-nothing-differs"),
        pytest.param(
            [call(1, i32(1)), call(2, i32(2)), call(3, i32(3)), call(900, i32(0)), call(901, i32(-1))],
            [1, 0, -1, 2, 3],
            id="each-sign-early",
        ),
        pytest.param(
            [call(1, i32(1)), call(2, i32(2)), call(3, Failed("abort")), call(4, Failed("signal"))],
            [1, "abort", "signal", 2],
            id="each-way-to-end-early",
        ),
        pytest.param(
            [call(1, Null("int *")), call(2, Null("int *")), call(3, Pointer("x", (), "int *"))],
            ["Null", "Pointer", "Null"],
            id="each-kind-of-value-early",
        ),
        pytest.param(
            [call(n, Floating.of(x, "double", 64)) for n, x in ((1, 1.0), (2, 2.0), (3, -1.0), (4, -2.0))],
            [1.0, -1.0, 2.0, -2.0],
            id="floats-by-sign",
        ),
        pytest.param([call(1, None), call(2, Unknown("int"))], ["NoneType", "Unknown"], id="no-result"),
        pytest.param([array([1] * 5, 5), array([1] * 4, 4)], [4], id="too-large-is-left-out"),
        pytest.param([array([1] * 6, 6), array([1] * 5, 5)], [5, 6], id="unless-there-is-nothing-smaller"),
    ],
)
def test_order(pins: list[Pin], expected: list[object]) -> None:
    assert results(pins) == expected


@pytest.mark.parametrize(
    ("most", "expected"),
    [
        pytest.param(0, [], id="none"),
        pytest.param(2, [1, 0], id="two"),
        pytest.param(9, [1, 0, 3, 2], id="more-than-there-are"),
    ],
)
def test_no_more_than_asked_for(most: int, expected: list[int]) -> None:
    assert results([call(3, i32(3)), call(8, i32(0)), call(2, i32(2)), call(1, i32(1))], most) == expected


def test_what_was_left_out_is_counted() -> None:
    pins = [array([1] * 5, 5), array([1] * 9, 9), array([1], 1), array([1], 1, "other"), array([2], 2), array([3], 3)]
    chosen = ranked(pins, 4, 2)
    assert (len(chosen.pins), chosen.repeats, chosen.too_large) == (2, 1, 2)


LINKED = Struct("struct n", (("v", i32(1)), ("next", Pointer("b", (), "struct n *"))))
LAST = Struct("struct n", (("v", i32(2)), ("next", Null("struct n *"))))


def linked(first: str, second: str, to: str) -> Pin:
    one = Struct("struct n", (("v", i32(1)), ("next", Pointer(to, (), "struct n *"))))
    blocks = (Block(first, "x", one), Block(second, "y", LAST))
    return Pin(
        "f",
        (("p", Pointer(first, (), "struct n *")),),
        blocks,
        Returned(None, ((first, one), (second, LAST))),
        Origin("static", "t", "t.c", 1),
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param(call(1, i32(1), 1), call(1, i32(1), 2), True, id="another-test"),
        pytest.param(call(1, i32(1)), call(2, i32(1)), False, id="another-input"),
        pytest.param(call(1, i32(1)), call(1, i32(2)), False, id="another-outcome"),
        pytest.param(call(1, i32(1)), call(1, Failed("abort")), False, id="another-end"),
        pytest.param(call(1, Failed("signal")), call(1, Failed("abort")), False, id="another-failure"),
        pytest.param(call(1, i32(1)), call(1, Unknown("int")), False, id="shows-less"),
        pytest.param(
            call(1, Unknown("int", (i32(1),))), call(1, Unknown("int", (i32(2),))), False, id="excludes-another"
        ),
        pytest.param(array([1], 1, "m0"), array([1], 1, "m1"), True, id="another-id"),
        pytest.param(array([1], 1, value="x"), array([1], 1, value="y"), True, id="variable-of-another-name"),
        pytest.param(array([1], 1, "a", "a"), array([1], 1, "q", "a"), True, id="id-like-a-parameter"),
        pytest.param(array([1], 1, "int"), array([1], 1, "q"), True, id="id-like-a-type"),
        pytest.param(array([1], 1), array([1, 1], 1), False, id="another-length"),
        pytest.param(linked("a", "b", "b"), linked("b", "a", "a"), True, id="ids-the-other-way-round"),
        pytest.param(linked("a", "b", "b"), linked("a", "b", "a"), False, id="points-elsewhere"),
        pytest.param(
            linked("a", "b", "b"),
            Pin(
                "g",
                linked("a", "b", "b").arguments,
                linked("a", "b", "b").blocks,
                linked("a", "b", "b").outcome,
                Origin("static", "t", "t.c", 1),
            ),
            False,
            id="another-function",
        ),
    ],
)
def test_repeats(one: Pin, other: Pin, same: bool) -> None:
    assert ranked([one, other], 9, 9).repeats == same
    assert len(ranked([one, other], 9, 9).pins) == 2 - same


def test_the_first_of_two_repeats_is_kept() -> None:
    assert [p.origin.line for p in ranked([call(1, i32(1), 5), call(1, i32(1), 2)], 9, 9).pins] == [5]


def test_a_program_variable_is_another_input_than_memory_of_the_test() -> None:
    one = Pin("f", (), (Block("m", "g", i32(1), program="g"),), Returned(None, ()), Origin("static", "t", "t.c", 1))
    other = Pin("f", (), (Block("m", "g", i32(1)),), Returned(None, ()), Origin("static", "t", "t.c", 1))
    assert ranked([one, other], 9, 9).repeats == 0


def test_many_pins_take_linear_time() -> None:
    pins = [call(n, i32(n % 3)) for n in range(8000)]

    def work(count: int) -> None:
        assert len(ranked(pins[:count], 32, 20).pins) == 20

    assert_grows_linearly(work, 1000, 8000)
