"""Wrong outcomes: every kind of value, what is never mutated, and two tests of one input."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest
from clausefit.hook.mutants import RESULT, Location, Mutant, mutants_of, mutated, points_to_const, writable_blocks
from clausefit.hook.pins.values import (
    Array,
    Block,
    Failed,
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
    at,
    leaves,
)

ORIGIN = Origin("static", "t", "t.c", 1)


def i32(value: int) -> Integer:
    return Integer(value, "int", 32, True)


def u8(value: int) -> Integer:
    return Integer(value, "unsigned char", 8, False)


def boolean(value: int) -> Integer:
    return Integer(value, "_Bool", 1, False)


def char(text: str) -> Integer:
    return Integer(ord(text), "char", 8, True)


def double(number: float) -> Floating:
    return Floating.of(number, "double", 64)


def single(number: float) -> Floating:
    return Floating.of(number, "float", 32)


def ints(*values: int | None) -> Array:
    return Array("int", tuple(Unknown("int") if v is None else i32(v) for v in values))


def pin(
    result: Value | None = None,
    arguments: Sequence[Value] = (),
    blocks: Sequence[Block] = (),
    after: dict[str, Value] | None = None,
) -> Pin:
    named = tuple((f"a{i}", value) for i, value in enumerate(arguments))
    left = {block.id: block.value for block in blocks} | (after or {})
    return Pin("f", named, tuple(blocks), Returned(result, tuple(left.items())), ORIGIN)


def short(value: Value) -> object:
    match value:
        case Integer():
            return value.value
        case Floating():
            return value.number
        case Null():
            return "null"
        case Pointer():
            return "&" + ".".join([value.block, *map(str, value.path)])
        case FunctionPointer():
            return "&" + value.name
    return "?"


def wrong_of(one: Pin, location: Location = RESULT, others: Sequence[Pin] = ()) -> list[object]:
    return [short(m.wrong) for m in mutants_of(one, others) if m.location == location]


@pytest.mark.parametrize(
    ("right", "expected"),
    [
        pytest.param(i32(7), [8, 6, 0, 2**31 - 1, -(2**31), 9, 5], id="int"),
        pytest.param(i32(0), [1, -1, 2**31 - 1, -(2**31), 2, -2], id="zero-is-no-mutant-of-zero"),
        pytest.param(i32(2**31 - 1), [2**31 - 2, 0, -(2**31), 2**31 - 3], id="largest-int"),
        pytest.param(i32(-(2**31)), [1 - 2**31, 0, 2**31 - 1, 2 - 2**31], id="smallest-int"),
        pytest.param(u8(0), [1, 255, 2], id="unsigned-zero-has-nothing-below"),
        pytest.param(u8(255), [254, 0, 253], id="largest-unsigned"),
        pytest.param(
            Integer(2**64 - 1, "unsigned long", 64, False), [2**64 - 2, 0, 2**64 - 3], id="largest-unsigned-long"
        ),
        pytest.param(char("a"), [98, 96, 0, 127, -128, 99, 95], id="char"),
        pytest.param(boolean(0), [1], id="false"),
        pytest.param(boolean(1), [0], id="true"),
        pytest.param(Integer(-1, "int", 1, True), [0], id="bit-field-of-one-signed-bit"),
        pytest.param(double(3.0), [6.0, 0.0, -3.0, 1.5], id="double"),
        pytest.param(double(0.5), [1.5, -0.5, 0.0, 0.25], id="small-double"),
        pytest.param(double(0.0), [1.0, -1.0], id="zero-double"),
        pytest.param(double(-0.0), [1.0, -1.0], id="the-other-zero-is-equal"),
        pytest.param(double(math.inf), [0.0], id="infinity"),
        pytest.param(double(-math.inf), [0.0], id="minus-infinity"),
        pytest.param(double(math.nan), [0.0], id="nan"),
        pytest.param(double(1.7e308), [0.0, -1.7e308, 8.5e307], id="near-the-largest-double"),
        pytest.param(double(5e-324), [1.0, -1.0], id="the-neighbours-of-the-smallest-double-are-left-out"),
        pytest.param(single(1.5), [3.0, 0.0, -1.5, 0.75], id="float"),
        pytest.param(single(2.0**127 * 1.5), [0.0, -(2.0**127) * 1.5, 2.0**126 * 1.5], id="near-the-largest-float"),
        pytest.param(single(2.0**-149), [1.0, -1.0], id="the-neighbours-of-the-smallest-float-are-left-out"),
        pytest.param(FunctionPointer("g", "int (*)(int)"), ["null"], id="function"),
        pytest.param(Unknown("int"), [], id="not-known"),
        pytest.param(Unknown("int", (i32(3), i32(4))), [3, 4], id="not-known-but-not-these"),
        pytest.param(Unknown("int", (i32(3), i32(3))), [3], id="not-known-but-not-this-said-twice"),
        pytest.param(Unknown("char *", (Null("char *"),)), [], id="not-null-says-nothing-of-no-memory"),
        pytest.param(Null("double *"), [], id="null-and-nothing-to-point-to"),
    ],
)
def test_wrong_results(right: Value, expected: list[object]) -> None:
    assert wrong_of(pin(right)) == expected


A = Block("a", "a", ints(1, 2, 3))
B = Block("b", "b", ints(5))
N = Block("n", "n", i32(4))
TEXT = Block("s", '"x"', Array("char", (char("x"), char("\0"))), constant=True)
PAIR = Struct("struct pt", (("x", i32(1)), ("y", i32(2))))
S = Block("q", "q", PAIR)
GRID = Block("g", "g", Array("int [2]", (ints(1, 2), ints(3, 4))))


@pytest.mark.parametrize(
    ("right", "blocks", "expected"),
    [
        pytest.param(Pointer("a", (1,), "int *"), [A], ["&a.2", "&a.0", "null"], id="neighbours-within-the-array"),
        pytest.param(Pointer("a", (0,), "int *"), [A], ["&a.1", "&a.2", "null"], id="first"),
        pytest.param(Pointer("a", (2,), "int *"), [A], ["&a.1", "&a.0", "null"], id="last"),
        pytest.param(Pointer("a", (3,), "int *"), [A], ["&a.2", "&a.0", "null"], id="one-past-the-end"),
        pytest.param(Pointer("a", (9,), "int *"), [A], ["&a.0", "&a.2", "null"], id="far-past-the-end"),
        pytest.param(Pointer("b", (0,), "int *"), [B], ["null"], id="of-one-element"),
        pytest.param(Pointer("a", (0,), "int *"), [A, B, N], ["&a.1", "&a.2", "&b.0", "&n", "null"], id="other-blocks"),
        pytest.param(Pointer("n", (), "int *"), [N, TEXT, S], ["null"], id="not-to-blocks-of-another-type"),
        pytest.param(Pointer("s", (0,), "const char *"), [TEXT, A], ["&s.1", "null"], id="const-pointer"),
        pytest.param(Pointer("q", (), "struct pt *"), [S], ["null"], id="struct"),
        pytest.param(Pointer("q", ("y",), "int *"), [S, N], ["&n", "null"], id="member"),
        pytest.param(Pointer("g", (1, 0), "int *"), [GRID], ["&g.1.1", "null"], id="element-of-a-row"),
        pytest.param(Pointer("elsewhere", (1,), "int *"), [A], ["&a.0", "null"], id="block-that-the-pin-does-not-have"),
        pytest.param(Pointer("n", (1,), "int *"), [N], ["null"], id="index-into-no-array"),
        pytest.param(Null("int *"), [A, N, TEXT], ["&a.0", "&n"], id="null"),
        pytest.param(Null("const char *"), [A, TEXT], ["&s.0"], id="null-pointer-to-const"),
        pytest.param(Null("struct pt *"), [A, S], ["&q"], id="null-pointer-to-struct"),
        pytest.param(Null("void *"), [A], [], id="null-pointer-to-anything"),
        pytest.param(Null("int (*)(int)"), [A], [], id="null-function-pointer"),
    ],
)
def test_wrong_pointers(right: Value, blocks: list[Block], expected: list[object]) -> None:
    assert wrong_of(pin(right, blocks=blocks)) == expected


def test_a_struct_result_is_mutated_member_by_member() -> None:
    found = mutants_of(pin(PAIR))
    assert {m.location.path for m in found} == {("x",), ("y",)}
    assert [(m.location.path, short(m.wrong)) for m in found[:4]] == [
        (("x",), 2),
        (("y",), 3),
        (("x",), 0),
        (("y",), 1),
    ]


def test_memory_of_which_nothing_is_shown_is_not_mutated() -> None:
    one = pin(Unknown("int"), [Pointer("a", (0,), "int *")], [A], {"a": ints(None, 9, None)})
    assert {m.location for m in mutants_of(one)} == {Location("a", (1,))}


def test_exclusions_count_for_results_only() -> None:
    after = {"n": Unknown("int", (i32(3),))}
    assert mutants_of(pin(None, [Pointer("n", (), "int *")], [N], after)) == ()


def test_neighbouring_elements_are_tried_first() -> None:
    one = pin(None, [Pointer("a", (0,), "int *")], [A], {"a": ints(10, 20, 40)})
    assert wrong_of(one, Location("a", (1,)))[:5] == [21, 19, 10, 40, 0]
    assert wrong_of(one, Location("a", (0,)))[:4] == [11, 9, 20, 0]
    grid = pin(None, [Pointer("g", (0,), "int (*)[2]")], [GRID], {"g": Array("int [2]", (ints(9, 8), ints(7, 5)))})
    assert wrong_of(grid, Location("g", (1, 0)))[:4] == [8, 6, 5, 0]


def test_what_is_written_comes_before_what_is_left_alone_and_places_in_turn() -> None:
    one = pin(i32(3), [Pointer("a", (0,), "int *"), Pointer("n", (), "int *")], [A, N], {"n": i32(6)})
    found = mutants_of(one)
    places = [m.location.block for m in found]
    assert places[:4] == [None, "n", None, "n"]
    assert [m.untouched for m in found] == sorted(m.untouched for m in found)
    assert {m.location.block for m in found if m.untouched} == {"a"}
    assert places[-1] == "a"


@pytest.mark.parametrize(
    ("after", "untouched"),
    [
        pytest.param(ints(1, 2, 3), True, id="as-it-was"),
        pytest.param(ints(1, 2, 4), False, id="one-cell-changed"),
        pytest.param(ints(1, 2, None), False, id="one-cell-not-shown"),
    ],
)
def test_only_a_block_that_is_whole_as_it_was_is_untouched(after: Value, untouched: bool) -> None:
    one = pin(None, [Pointer("a", (0,), "int *")], [A], {"a": after})
    assert {m.untouched for m in mutants_of(one)} == {untouched}


TO_A, TO_CONST_A = Pointer("a", (0,), "int *"), Pointer("a", (0,), "const int *")
LIST = Block("l", "l", Struct("struct n", (("v", i32(1)), ("next", Pointer("m", (), "struct n *")))))
LAST = Block("m", "m", Struct("struct n", (("v", i32(2)), ("next", Null("struct n *")))))
VIEW = Block("v", "v", Struct("struct view", (("p", TO_CONST_A),)))


@pytest.mark.parametrize(
    ("arguments", "blocks", "after", "expected"),
    [
        pytest.param([TO_A], [A, B], {}, {"a"}, id="what-an-argument-points-to"),
        pytest.param([TO_CONST_A], [A], {}, set(), id="not-behind-a-pointer-to-const"),
        pytest.param([TO_CONST_A, TO_A], [A], {}, {"a"}, id="both-ways"),
        pytest.param([Pointer("l", (), "struct n *")], [LIST, LAST], {}, {"l", "m"}, id="through-a-member"),
        pytest.param([Pointer("v", (), "struct view *")], [VIEW, A], {}, {"v"}, id="member-that-points-to-const"),
        pytest.param([], [Block("g", "g", i32(1), program="g")], {}, {"g"}, id="variable-of-the-program"),
        pytest.param(
            [], [Block("h", "h", Pointer("n", (), "int *"), program="h"), N], {}, {"h", "n"}, id="behind-a-variable"
        ),
        pytest.param(
            [Pointer("h", (), "int **")],
            [Block("h", "h", Null("int *")), N],
            {"h": Pointer("n", (), "int *")},
            {"h", "n"},
            id="where-it-points-afterwards",
        ),
        pytest.param([Pointer("zz", (), "int *")], [], {}, {"zz"}, id="block-that-the-pin-does-not-have"),
    ],
)
def test_writable_blocks(
    arguments: list[Value], blocks: list[Block], after: dict[str, Value], expected: set[str]
) -> None:
    assert writable_blocks(pin(None, arguments, blocks, after)) == expected


def test_writable_blocks_of_a_call_that_failed() -> None:
    one = Pin("f", (("p", TO_A),), (A,), Failed("abort"), ORIGIN)
    assert writable_blocks(one) == {"a"}
    assert mutants_of(one) == ()


@pytest.mark.parametrize(
    "block",
    [
        pytest.param(Block("a", "a", ints(1, 2), constant=True), id="constant"),
        pytest.param(Block("a", "a", ints(1, 2), constant=True, program="a"), id="constant-variable"),
    ],
)
def test_constants_are_not_mutated(block: Block) -> None:
    assert mutants_of(pin(None, [TO_A], [block])) == ()


def test_memory_behind_const_is_not_mutated() -> None:
    assert mutants_of(pin(None, [TO_CONST_A], [A])) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("const char *", True, id="const-first"),
        pytest.param("char const *", True, id="const-second"),
        pytest.param("char const*", True, id="no-blank"),
        pytest.param("const volatile int *", True, id="with-volatile"),
        pytest.param("const struct const_s *", True, id="const-struct"),
        pytest.param("struct const_s *", False, id="const-in-a-name"),
        pytest.param("char *", False, id="plain"),
        pytest.param("char *const", False, id="pointer-that-is-const"),
        pytest.param("char * const", False, id="pointer-that-is-const-with-a-blank"),
        pytest.param("const char *const", True, id="both"),
        pytest.param("const char **", False, id="pointer-to-a-pointer-to-const"),
        pytest.param("char *const *", True, id="pointer-to-a-const-pointer"),
        pytest.param("const char * const*", True, id="pointer-to-a-const-pointer-to-const"),
        pytest.param("const int (*)[3]", True, id="pointer-to-an-array-of-const"),
        pytest.param("int (*)[3]", False, id="pointer-to-an-array"),
        pytest.param("const int", False, id="no-pointer"),
        pytest.param("", False, id="empty"),
    ],
)
def test_points_to_const(text: str, expected: bool) -> None:
    assert points_to_const(text) is expected


# ---- two tests, one input ------------------------------------------------------------------------------------------


def call(result: Value, block: str, number: int, after: int | None = None, **extra: Value) -> Pin:
    """``f(&x)`` with ``x == number`` before, in a test that calls its memory ``block``; ``extra`` are variables."""
    variables = [Block(f"v_{block}_{name}", name, value, program=name) for name, value in extra.items()]
    cell = Block(block, "x", i32(number))
    left: dict[str, Value] = {block: Unknown("int") if after is None else i32(after)}
    return pin(result, [Pointer(block, (), "int *")], [cell, *variables], left)


OTHER, MAYBE, SAME = "another input", "perhaps the same input", "the same input: a hidden state decides"


@pytest.mark.parametrize(
    ("one", "other", "relation"),
    [
        pytest.param(call(i32(1), "m0", 5), call(i32(2), "m0", 5), SAME, id="same-input"),
        pytest.param(call(i32(1), "m0", 5), call(i32(2), "b7", 5), SAME, id="other-block-ids"),
        pytest.param(call(i32(1), "m0", 5), call(i32(2), "a0", 5), SAME, id="block-called-like-a-parameter"),
        pytest.param(call(i32(1), "int", 5), call(i32(2), "x", 5), SAME, id="block-called-like-a-type"),
        pytest.param(call(i32(1), "m0", 5), call(i32(2), "m0", 6), OTHER, id="another-input"),
        pytest.param(call(i32(1), "m0", 5, g=i32(3)), call(i32(2), "b", 5, g=i32(3)), SAME, id="same-variable"),
        pytest.param(call(i32(1), "m0", 5, g=i32(3)), call(i32(2), "b", 5, g=i32(4)), OTHER, id="another-variable"),
        pytest.param(
            call(i32(1), "m0", 5, g=i32(3)), call(i32(2), "b", 5), MAYBE, id="variable-that-only-one-test-shows"
        ),
        pytest.param(
            call(i32(1), "m0", 5, g=i32(3)), call(i32(2), "b", 5, g=Unknown("int")), MAYBE, id="variable-not-known"
        ),
        pytest.param(
            call(i32(1), "m0", 5, g=i32(3), h=i32(4)), call(i32(2), "b", 5, h=i32(4), g=i32(3)), SAME, id="other-order"
        ),
        pytest.param(call(i32(1), "m0", 5), pin(i32(2), [Null("int *")]), OTHER, id="null-is-another-input"),
        pytest.param(pin(i32(1), [i32(4)]), pin(i32(2), [i32(4)]), SAME, id="no-memory"),
        pytest.param(
            pin(i32(1), [i32(4)]), pin(i32(2), [Integer(4, "int32_t", 32, True)]), SAME, id="type-by-another-name"
        ),
        pytest.param(pin(i32(1), [i32(4)]), pin(i32(2), [i32(4), i32(5)]), OTHER, id="another-number-of-arguments"),
        pytest.param(pin(i32(1), [double(math.nan)]), pin(i32(2), [double(math.nan)]), SAME, id="nan"),
        pytest.param(
            pin(i32(1), [FunctionPointer("g", "")]), pin(i32(2), [FunctionPointer("h", "")]), OTHER, id="other-callback"
        ),
        pytest.param(
            pin(i32(1), [TO_A], [A]), pin(i32(2), [Pointer("a", (1,), "int *")], [A]), OTHER, id="another-element"
        ),
        pytest.param(
            pin(i32(1), [TO_A, TO_A], [A]),
            pin(i32(2), [TO_A, Pointer("b", (0,), "int *")], [A, Block("b", "b", ints(1, 2, 3))]),
            OTHER,
            id="aliasing-is-another-input",
        ),
        pytest.param(
            pin(i32(1), [Pointer("l", (), "struct n *")], [LIST, LAST]),
            pin(
                i32(2),
                [Pointer("p", (), "struct n *")],
                [
                    Block("q", "q", LAST.value),
                    Block("p", "p", Struct("struct n", (("v", i32(1)), ("next", Pointer("q", (), "struct n *"))))),
                ],
            ),
            SAME,
            id="blocks-in-another-order",
        ),
    ],
)
def test_another_test_of_the_same_input(one: Pin, other: Pin, relation: str) -> None:
    """``one`` gives 1 and ``other`` 2; both ways round."""
    for mine, theirs, value in ((one, other, 2), (other, one, 1)):
        alone = wrong_of(mine)
        assert value in alone
        left = {OTHER: alone, MAYBE: [v for v in alone if v != value], SAME: []}[relation]
        assert wrong_of(mine, others=[mine, theirs]) == left


SEVEN, EIGHT = i32(7), i32(8)


def at_seven(result: Value | None, after: Value = SEVEN, block: str = "b") -> Pin:
    """A call with a pointer to one variable that holds 7."""
    return pin(result, [Pointer(block, (), "int *")], [Block(block, "v", SEVEN)], {block: after})


TO_B, TO_C = Pointer("b", (), "int *"), Pointer("c", (), "int *")


@pytest.mark.parametrize(
    ("one", "other", "result", "memory"),
    [
        pytest.param(at_seven(SEVEN), None, True, True, id="both-are-shown"),
        pytest.param(at_seven(Unknown("int", (EIGHT,))), None, True, True, id="shown-not-to-be-a-number"),
        pytest.param(
            at_seven(Unknown("int *", (Null("int *"),))),
            None,
            False,
            True,
            id="memory-was-found-it-may-run-out-as-well",
        ),
        pytest.param(at_seven(TO_B), None, True, True, id="a-pointer-that-is-shown"),
        pytest.param(at_seven(SEVEN), at_seven(EIGHT, block="c"), False, True, id="hidden-state-decides-the-result"),
        pytest.param(
            at_seven(None, SEVEN), at_seven(None, EIGHT, "c"), False, False, id="hidden-state-decides-the-memory"
        ),
        pytest.param(at_seven(SEVEN), at_seven(SEVEN, EIGHT, "c"), True, False, id="only-the-memory-differs"),
        pytest.param(at_seven(SEVEN), at_seven(Unknown("int", (SEVEN,)), block="c"), False, True, id="shown-to-differ"),
        pytest.param(
            at_seven(Unknown("int", (EIGHT,))), at_seven(EIGHT, block="c"), False, True, id="shown-to-be-what-it-is-not"
        ),
        pytest.param(at_seven(SEVEN), at_seven(SEVEN, block="c"), True, True, id="the-same-call-twice"),
        pytest.param(at_seven(TO_B), at_seven(TO_C, block="c"), True, True, id="the-same-pointer"),
    ],
)
def test_a_hidden_state(one: Pin, other: Pin | None, result: bool, memory: bool) -> None:
    found = mutants_of(one, [one, *([other] if other is not None else [])])
    assert any(m.location.block is None for m in found) == result
    assert any(m.location.block is not None for m in found) == memory


def test_pointers_are_compared_under_the_pins_own_names() -> None:
    def chosen(block: str, other: str, index: int) -> Pin:
        blocks = [Block(block, "x", ints(1, 2)), Block(other, "y", ints(3))]
        arguments = [Pointer(block, (0,), "int *"), Pointer(other, (0,), "int *")]
        return pin(Pointer(block, (index,), "int *"), arguments, blocks)

    one = chosen("a", "b", 0)
    assert wrong_of(one, others=[chosen("b", "a", 1)]) == []
    assert wrong_of(one, others=[chosen("b", "a", 0)]) == ["&a.1", "&b.0", "null"]


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        pytest.param(Unknown("int"), [], id="nothing"),
        pytest.param(Unknown("int", (i32(2), i32(-1))), [2, -1], id="all-but-two"),
        pytest.param(Unknown("int", (i32(1),)), [], id="not-this"),
        pytest.param(i32(2), [], id="another-value"),
    ],
)
def test_what_the_same_call_may_have_given_is_not_wrong(shown: Value, expected: list[object]) -> None:
    assert wrong_of(pin(i32(1), [i32(4)]), others=[pin(shown, [i32(4)])]) == expected


def test_a_call_that_only_may_be_the_same_excludes_what_it_shows_and_no_more() -> None:
    one, other = call(i32(1), "m", 5, g=i32(3)), call(Unknown("int"), "m", 5)
    assert wrong_of(one, others=[other]) == wrong_of(one)


def test_zero_of_another_sign_is_not_wrong() -> None:
    one, other = call(double(2.0), "m", 5, g=i32(3)), call(double(-0.0), "m", 5)
    assert wrong_of(one, others=[other]) == [4.0, -2.0, 1.0]


def test_a_failed_call_of_the_same_input_excludes_nothing() -> None:
    failed = Pin("f", (("a0", i32(4)),), (), Failed("abort"), ORIGIN)
    assert wrong_of(pin(i32(1), [i32(4)]), others=[failed]) == wrong_of(pin(i32(1), [i32(4)]))


# ---- generated -----------------------------------------------------------------------------------------------------

INTEGERS = (("_Bool", 1, False), ("char", 8, True), ("unsigned short", 16, False), ("int", 32, True))
INTEGERS += (("unsigned", 32, False), ("long", 64, True), ("unsigned long", 64, False))


def any_scalar(chance: random.Random, blocks: Sequence[str]) -> Value:
    kind = chance.randrange(8)
    if kind < 4:
        name, width, signed = chance.choice(INTEGERS)
        limits = Integer(0, name, width, signed)
        edges = [limits.minimum, limits.maximum, 0, 1, min(5, limits.maximum), limits.maximum - 1]
        return Integer(chance.choice([*edges, chance.randint(limits.minimum, limits.maximum)]), name, width, signed)
    if kind == 4:
        if chance.random() < 0.5:
            return Floating(chance.getrandbits(64), "double", 64)
        return Floating(chance.getrandbits(32), "float", 32)
    if kind == 5:
        return Null(chance.choice(["int *", "const char *"]))
    if kind == 6 and blocks:
        return Pointer(chance.choice(blocks), (chance.randrange(3),) * chance.randrange(2), "int *")
    return Unknown("int", tuple(i32(chance.randrange(3)) for _ in range(chance.randrange(2))))


def any_value(chance: random.Random, blocks: Sequence[str], depth: int = 0) -> Value:
    kind = chance.randrange(4) if depth < 2 else 3
    if kind == 0:
        return Array("int", tuple(any_value(chance, blocks, depth + 1) for _ in range(chance.randint(1, 3))))
    if kind == 1:
        return Struct("struct s", tuple((name, any_value(chance, blocks, depth + 1)) for name in "xy"))
    return any_scalar(chance, blocks)


def any_pin(chance: random.Random) -> Pin:
    ids = [f"m{i}" for i in range(chance.randrange(4))]
    blocks = tuple(
        Block(i, i, any_value(chance, ids), chance.random() < 0.2, i if chance.random() < 0.3 else None) for i in ids
    )
    arguments = tuple((f"a{n}", any_value(chance, ids)) for n in range(chance.randrange(3)))
    after = tuple((b.id, b.value if chance.random() < 0.5 else reshaped(chance, b.value, ids)) for b in blocks)
    result = any_value(chance, ids) if chance.random() < 0.8 else None
    return Pin("f", arguments, blocks, Returned(result, after), ORIGIN)


def reshaped(chance: random.Random, value: Value, ids: Sequence[str]) -> Value:
    """Another value of the same shape."""
    if isinstance(value, Array):
        return Array(value.type, tuple(reshaped(chance, element, ids) for element in value.elements))
    if isinstance(value, Struct):
        return Struct(value.type, tuple((name, reshaped(chance, member, ids)) for name, member in value.fields))
    return any_scalar(chance, ids)


def is_equal(one: Value, other: Value) -> bool:
    """Equal as C sees it."""
    if isinstance(one, Floating) and isinstance(other, Floating):
        return one.number == other.number
    return short(one) == short(other)


def check_mutant(one: Pin, mutant: Mutant) -> None:
    assert isinstance(one.outcome, Returned)
    right, wrong, place = mutant.right, mutant.wrong, mutant.location
    assert not is_equal(right, wrong)
    assert wrong.type == right.type or isinstance(right, Unknown)
    if isinstance(wrong, Integer):
        assert wrong.minimum <= wrong.value <= wrong.maximum
    if isinstance(right, Floating) and isinstance(wrong, Floating):
        assert math.isfinite(wrong.number)
        assert Floating.of(wrong.number, wrong.type, wrong.width) == wrong
        if math.isfinite(right.number):
            assert abs(right.number - wrong.number) > 8 * math.ulp(right.number)
            assert wrong.width == 64 or abs(right.number - wrong.number) > 8 * 2.0**-149
    if isinstance(wrong, Pointer):
        block = next(b for b in one.blocks if b.id == wrong.block)
        assert at(block.value, wrong.path) is not None
    changed = mutated(one.outcome, mutant)
    before = dict(one.outcome.after) | {"": one.outcome.result}
    for name, value in (*changed.after, ("", changed.result)):
        if name == (place.block or ""):
            assert value is not None
            assert at(value, place.path) == wrong
            old = before[name]
            assert old is not None
            others = {p: v for p, v in leaves(value) if p != place.path}
            assert others == {p: v for p, v in leaves(old) if p != place.path}
        else:
            assert value == before[name]
    if place.block is not None:
        assert not next(b for b in one.blocks if b.id == place.block).constant
        assert place.block in writable_blocks(one)


@pytest.mark.parametrize("seed", range(6))
def test_generated_pins(seed: int) -> None:
    chance = random.Random(seed)
    kinds = set()
    for _ in range(150):
        one = any_pin(chance)
        found = mutants_of(one, [one, any_pin(chance)])
        keys = [(m.location, repr(m.wrong)) for m in found]
        assert len(set(keys)) == len(keys), "each mutant once"
        for mutant in found:
            check_mutant(one, mutant)
            kinds.add(type(mutant.wrong).__name__)
    assert kinds >= {"Integer", "Floating", "Null", "Pointer"}


@pytest.mark.parametrize("seed", range(6))
def test_generated_twins_are_never_mutants_of_one_another(seed: int) -> None:
    chance = random.Random(seed)
    excluded = 0
    for _ in range(120):
        one = any_pin(chance)
        assert isinstance(one.outcome, Returned)
        for mutant in mutants_of(one)[:6]:
            twin = renamed(Pin("f", one.arguments, one.blocks, mutated(one.outcome, mutant), ORIGIN), chance)
            left = mutants_of(one, [one, twin])
            assert all((m.location, m.wrong) != (mutant.location, mutant.wrong) for m in left)
            excluded += len(mutants_of(one)) > len(left)
    assert excluded > 50


def renamed(one: Pin, chance: random.Random) -> Pin:
    """The pin with its blocks under other names."""
    names = [f"m{i}" for i in range(10, 20)]
    chance.shuffle(names)
    new = {block.id: name for block, name in zip(one.blocks, names, strict=False)}

    def other(value: Value) -> Value:
        if isinstance(value, Pointer):
            return Pointer(new.get(value.block, value.block), value.path, value.type)
        if isinstance(value, Array):
            return Array(value.type, tuple(other(element) for element in value.elements))
        if isinstance(value, Struct):
            return Struct(value.type, tuple((name, other(member)) for name, member in value.fields))
        return value

    assert isinstance(one.outcome, Returned)
    result = None if one.outcome.result is None else other(one.outcome.result)
    outcome = Returned(result, tuple((new[block], other(value)) for block, value in one.outcome.after))
    blocks = tuple(Block(new[b.id], b.name, other(b.value), b.constant, b.program) for b in one.blocks)
    return Pin(one.function, tuple((name, other(value)) for name, value in one.arguments), blocks, outcome, one.origin)
