"""Values and outcomes as JSON and as text."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
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
)
from clausefit.hook.plain import differences, inputs_of, named_blocks, outcome_of, plain_text, to_plain, to_text


def num(value: int) -> Integer:
    return Integer(value, "int", 32, True)


def chars(text: bytes, type_name: str = "char") -> Array:
    return Array(type_name, tuple(Integer(byte - 256 if byte > 127 else byte, type_name, 8, True) for byte in text))


def ints(*values: int) -> Array:
    return Array("int", tuple(num(value) for value in values))


A = Block("b0", "a", ints(1, 2, 3))


def nested(depth: int) -> Value:
    value: Value = num(1)
    for _ in range(depth):
        value = Array("int", (value,))
    return value


@pytest.mark.parametrize(
    ("value", "plain", "text"),
    [
        pytest.param(num(-3), -3, "-3", id="integer"),
        pytest.param(Integer(2**64 - 1, "unsigned long", 64, False), 2**64 - 1, str(2**64 - 1), id="largest unsigned"),
        pytest.param(Floating.of(0.1, "double", 64), 0.1, "0.1", id="double"),
        pytest.param(Floating.of(0.1, "float", 32), 0.1, "0.1", id="binary32 is its shortest decimal"),
        pytest.param(Floating(0x7F7FFFFF, "float", 32), 3.4028235e38, "3.4028235e+38", id="largest binary32"),
        pytest.param(Floating(1, "float", 32), 1e-45, "1e-45", id="smallest binary32"),
        pytest.param(Floating.of(math.inf, "float", 32), "inf (0x7f800000)", "inf (0x7f800000)", id="infinity"),
        pytest.param(
            Floating(0x7FF8000000000001, "double", 64),
            "nan (0x7ff8000000000001)",
            "nan (0x7ff8000000000001)",
            id="NaN keeps its bits",
        ),
        pytest.param(Null("int *"), None, "NULL", id="null"),
        pytest.param(Unknown("int"), "?", "?", id="unknown"),
        pytest.param(FunctionPointer("cmp", "int (*)(void)"), "&cmp", "&cmp", id="function"),
        pytest.param(Pointer("b0", (2,), "int *"), "&a[2]", "&a[2]", id="into an array"),
        pytest.param(Pointer("b0", (), "int *"), "&a", "&a", id="whole block"),
        pytest.param(Pointer("gone", (1,), "int *"), "&gone[1]", "&gone[1]", id="block not given: its id"),
        pytest.param(ints(), [], "{}", id="empty array"),
        pytest.param(ints(1, 2), [1, 2], "{1, 2}", id="array"),
        pytest.param(ints(*range(10)), list(range(10)), "{0, 1, 2, 3, 4, 5, 6, 7, ... 2 more}", id="long array is cut"),
        pytest.param(
            Struct("struct pt", (("x", num(1)), ("y", ints(2)))),
            {"x": 1, "y": [2]},
            "{.x = 1, .y = {2}}",
            id="struct",
        ),
        pytest.param(chars(b"abc\0"), '"abc"', '"abc"', id="text"),
        pytest.param(chars(b"\0"), '""', '""', id="empty text"),
        pytest.param(chars(b"ab\0\0\0"), '"ab"', '"ab"', id="text filled up with NULs"),
        pytest.param(
            chars(b"ab\0x\0"), [97, 98, 0, 120, 0], "{97, 98, 0, 120, 0}", id="bytes behind the NUL are shown"
        ),
        pytest.param(chars(b"abc"), [97, 98, 99], "{97, 98, 99}", id="no NUL: no text"),
        pytest.param(chars(b"a\x1b\0"), [97, 27, 0], "{97, 27, 0}", id="control character: no text"),
        pytest.param(chars(b"\xe9\0"), [-23, 0], "{-23, 0}", id="beyond ASCII: no text"),
        pytest.param(chars(b'a"\\\n\0'), '"a\\"\\\\\\n"', '"a\\"\\\\\\n"', id="quotes and new lines are escaped"),
        pytest.param(chars(b"ab\0", "unsigned char"), [97, 98, 0], "{97, 98, 0}", id="bytes are no text"),
        pytest.param(chars(b"ab\0", "const char"), '"ab"', '"ab"', id="const char is text"),
        pytest.param(
            Array("char", (num(97), Unknown("char"), num(0))), [97, "?", 0], "{97, ?, 0}", id="partly known: no text"
        ),
    ],
)
def test_value(value: Value, plain: Any, text: str) -> None:
    assert to_plain(value, (A,)) == plain
    assert to_text(value, (A,)) == text
    assert json.loads(json.dumps(to_plain(value, (A,)), allow_nan=False)) == plain


def test_negative_zero_keeps_its_sign() -> None:
    assert json.dumps(to_plain(Floating.of(-0.0, "double", 64))) == "-0.0"


def test_very_deep_values_do_not_crash() -> None:
    text = to_text(nested(5000))
    assert text.endswith("{?" + "}" * text.count("{"))


def test_long_text_is_cut() -> None:
    assert to_text(chars(b"a" * 500 + b"\0")).endswith("... 302 more")


@pytest.mark.parametrize(
    ("plain", "text"),
    [
        pytest.param("\x1b[31m", "\\x1b[31m", id="ANSI escape"),
        pytest.param({"a\n": "\u202e"}, "{.a\\n = \\u202e}", id="bidi character and new line"),
        pytest.param(True, "true", id="boolean"),
    ],
)
def test_plain_text_is_safe(plain: Any, text: str) -> None:
    assert plain_text(plain) == text


def pin(arguments: dict[str, Value], blocks: tuple[Block, ...] = (), outcome: Returned | Failed | None = None) -> Pin:
    return Pin("f", tuple(arguments.items()), blocks, outcome or Returned(None, ()), Origin("static", "t", "t.c", 1))


def pointer(block: str, *path: int | str) -> Pointer:
    return Pointer(block, path, "int *")


CELL = Block("b1", "s", num(10))
POINT = Block("b2", "p", Struct("struct pt", (("x", num(1)), ("y", num(2)))))
GLOBAL = Block("b3", "level", num(-1), program="level")


@pytest.mark.parametrize(
    ("given", "inputs"),
    [
        pytest.param(pin({"v": num(3)}), {"v": 3}, id="scalar"),
        pytest.param(pin({"buf": pointer("b0", 0), "n": num(3)}, (A,)), {"buf": [1, 2, 3], "n": 3}, id="array inline"),
        pytest.param(pin({"stock": pointer("b1")}, (CELL,)), {"*stock": 10}, id="pointed-to scalar"),
        pytest.param(pin({"q": pointer("b2")}, (POINT,)), {"*q": {"x": 1, "y": 2}}, id="pointed-to struct"),
        pytest.param(
            pin({"p": pointer("b0", 0), "q": pointer("b0", 1)}, (A,)),
            {"p": "&a[0]", "q": "&a[1]", "a": [1, 2, 3]},
            id="aliases keep the block's name",
        ),
        pytest.param(pin({"p": pointer("b0", 1)}, (A,)), {"p": "&a[1]", "a": [1, 2, 3]}, id="not at the start"),
        pytest.param(
            pin({"a": num(7), "p": pointer("b0", 1)}, (A,)),
            {"a": 7, "p": "&a#2[1]", "a#2": [1, 2, 3]},
            id="name taken by a parameter",
        ),
        pytest.param(pin({"v": num(1)}, (GLOBAL,)), {"v": 1, "level": -1}, id="global"),
        pytest.param(
            pin({"p": pointer("b3")}, (GLOBAL,)), {"p": "&level", "level": -1}, id="a global keeps its own name"
        ),
        pytest.param(pin({"p": Null("int *")}), {"p": None}, id="null argument"),
        pytest.param(pin({"result": pointer("b0", 0)}, (A,)), {"result[]": [1, 2, 3]}, id="array called result"),
        pytest.param(pin({"p": pointer("lost")}), {"p": "&lost"}, id="block that the pin does not have"),
    ],
)
def test_inputs(given: Pin, inputs: dict[str, Any]) -> None:
    assert inputs_of(given) == inputs
    assert list(inputs_of(given)) == list(inputs)


@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        pytest.param(pin({}, (), Returned(num(4), ())), {"result": 4}, id="result only"),
        pytest.param(
            pin({"b": pointer("b0", 0)}, (A,), Returned(None, (("b0", ints(1, 9, 3)),))),
            {"b": [1, 9, 3]},
            id="changed memory under the parameter's name",
        ),
        pytest.param(pin({"b": pointer("b0", 0)}, (A,), Returned(None, (("b0", A.value),))), {}, id="untouched memory"),
        pytest.param(
            pin({"s": pointer("b1")}, (CELL,), Returned(None, (("b1", Unknown("int")),))), {}, id="not known afterwards"
        ),
        pytest.param(
            pin(
                {"b": pointer("b0", 0)}, (A,), Returned(None, (("b0", Array("int", (num(1), Unknown("int"), num(8)))),))
            ),
            {"b": [1, "?", 8]},
            id="partly known",
        ),
        pytest.param(
            pin({"b": pointer("b0", 0)}, (A,), Returned(pointer("b0", 2), (("b0", A.value),))),
            {"result": "&b[2]"},
            id="returned pointer uses the same names",
        ),
        pytest.param(pin({}, (), Failed("abort", "assert")), {"exit": "abort"}, id="failure"),
    ],
)
def test_outcome(given: Pin, outcome: dict[str, Any]) -> None:
    assert outcome_of(given) == outcome


def test_outcome_of_a_mutant() -> None:
    given = pin({"b": pointer("b0", 0)}, (A,), Returned(num(1), (("b0", A.value),)))
    assert outcome_of(given, Returned(num(2), (("b0", ints(1, 2, 4)),))) == {"result": 2, "b": [1, 2, 4]}


def test_names_of_blocks_differ() -> None:
    twins = (Block("x", "a", num(1)), Block("y", "a", num(2)), Block("z", "result", num(3)))
    names = [block.name for block in named_blocks(pin({}, twins))]
    assert names == ["a", "a#2", "result#2"]


@pytest.mark.parametrize(
    ("right", "wrong", "inputs", "expected"),
    [
        pytest.param({"result": 3}, {"result": 9}, {}, [("result", 3, 9)], id="result"),
        pytest.param({"b": [1, 2]}, {"b": [1, 7]}, {}, [("b[1]", 2, 7)], id="element"),
        pytest.param({"*q": {"x": 1}}, {"*q": {"x": 2}}, {}, [("q->x", 1, 2)], id="member through a pointer"),
        pytest.param({"*q": {"v": [1]}}, {"*q": {"v": [2]}}, {}, [("q->v[0]", 1, 2)], id="element of a member"),
        pytest.param({"*s": 6}, {"*s": 5}, {}, [("*s", 6, 5)], id="pointed-to scalar"),
        pytest.param({"result[]": [1]}, {"result[]": [2]}, {}, [("result[0]", 1, 2)], id="array called result"),
        pytest.param({}, {"b": [1, 9]}, {"b": [1, 2]}, [("b[1]", 2, 9)], id="untouched in the right outcome"),
        pytest.param({"b": [3, 2]}, {}, {"b": [1, 2]}, [("b[0]", 3, 1)], id="write left out"),
        pytest.param({"result": 0.0}, {"result": -0.0}, {}, [("result", 0.0, -0.0)], id="sign of zero"),
        pytest.param({"b": [1]}, {"b": [1, 2]}, {}, [("b", [1], [1, 2])], id="other length"),
        pytest.param({"result": 3}, {"exit": "abort"}, {}, [("exit", "return", "abort")], id="other kind of exit"),
        pytest.param({"exit": "abort"}, {"exit": "abort"}, {}, [], id="same exit"),
        pytest.param({"result": 3}, {"result": 3}, {}, [], id="no difference"),
    ],
)
def test_differences(right: Any, wrong: Any, inputs: Any, expected: list[tuple[str, Any, Any]]) -> None:
    assert repr(differences(right, wrong, inputs)) == repr(expected)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(Integer(120, "char", 8, True), "'x' (120)", id="letter"),
        pytest.param(Integer(39, "char", 8, True), "'\\'' (39)", id="quote"),
        pytest.param(Integer(92, "char", 8, True), "'\\\\' (92)", id="backslash"),
        pytest.param(Integer(7, "char", 8, True), "7", id="not-printable"),
        pytest.param(Integer(-1, "char", 8, True), "-1", id="negative"),
        pytest.param(Integer(120, "int", 32, True), "120", id="a-number"),
        pytest.param(Integer(120, "unsigned char", 8, False), "120", id="a-byte"),
    ],
)
def test_a_char_is_shown_as_a_letter_too(value: Integer, text: str) -> None:
    assert to_text(value) == text
    assert json.dumps(to_plain(value)) == str(value.value)
