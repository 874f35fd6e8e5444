"""Raw lines of the Java recorder → pins: every form of value, and lines that are none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from clausefit.hook.contracts.java import read_java
from clausefit.hook.pins.values import (
    Constant,
    Failed,
    Floating,
    Integer,
    Null,
    Pointer,
    Struct,
    Text,
    Unknown,
    Value,
)
from clausefit.hook.record.java_calls import read_lines, source_name
from clausefit.hook.record.watched import Frame, LeftOut, WatchedMethod
from java_pin_text import pin_text

SOURCE = """package p; class C {
//@ requires true;
static Object f(Object a) { return a; }
//@ requires true;
void g() { }
}"""
CONTRACTS = read_java(SOURCE, "p/C.java").contracts
WATCHED = [
    WatchedMethod("p/C.java", CONTRACTS[0].function, CONTRACTS[0], "p.C", "f", ("java.lang.Object",)),
    WatchedMethod("p/C.java", CONTRACTS[1].function, CONTRACTS[1], "p.C", "g", (), (("p.C", "n"), ("q.D$E", "n"))),
]


def line(**changes: Any) -> dict[str, Any]:
    """A call ``f(5)`` that gave null."""
    raw: dict[str, Any] = {
        "m": 0,
        "order": 3,
        "outermost": True,
        "program": "p.Main",
        "origin": ["C", "/w/C.class", "ab"],
        "frames": [["p.CTest", "tests", 12]],
        "before": {"args": [["I", "int", "5"]], "statics": [], "objects": []},
        "after": {"end": "return", "result": ["N", "java.lang.Object"], "statics": [], "objects": []},
    }
    return {**raw, **changes}


def text(*lines: object) -> str:
    return "".join(json.dumps(one) + "\n" for one in lines)


def argument(raw: list[object], objects: list[object]) -> Value:
    found = read_lines(text(line(before={"args": [raw], "statics": [], "objects": objects})), WATCHED)
    return found.calls[0].pin.arguments[0][1]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param(["I", "boolean", "1"], Integer(1, "boolean", 1, False), id="boolean"),
        pytest.param(["I", "char", "65535"], Integer(65535, "char", 16, False), id="char is not signed"),
        pytest.param(["I", "byte", "-128"], Integer(-128, "byte", 8, True), id="byte"),
        pytest.param(
            ["I", "java.lang.Long", "-9223372036854775808"],
            Integer(-(1 << 63), "java.lang.Long", 64, True),
            id="boxed long, all 64 bits",
        ),
        pytest.param(["F", "float", "7fc00001"], Floating(0x7FC00001, "float", 32), id="NaN by its bits"),
        pytest.param(["F", "double", "8000000000000000"], Floating(1 << 63, "double", 64), id="minus zero"),
        pytest.param(["N", "p.A$B"], Null("p.A.B"), id="null of a member class"),
        pytest.param(["S", "\ud800", 4], Text("\ud800"), id="a lone surrogate; one use needs no identity"),
        pytest.param(["C", "B$C", "p.A$M"], Constant("B.C", "p.A.M"), id="constant"),
        pytest.param(["U", "p.A$1"], Unknown("p.A$1"), id="anonymous classes keep their name"),
        pytest.param(["U", ""], Unknown("java.lang.Object"), id="nothing is known at all"),
        pytest.param(["P", 7, "p.A"], Pointer("m0", (), "p.A"), id="an object"),
    ],
)
def test_values(raw: list[object], expected: Value) -> None:
    assert argument(raw, [[7, "O", "p.A", []]]) == expected


def test_a_pointer_to_what_is_not_shown_is_unknown() -> None:
    assert argument(["P", 7, "p.A"], []) == Unknown("p.A")


@pytest.mark.parametrize(
    ("objects", "expected"),
    [
        pytest.param([[0, "A", "int", [["I", "int", "1"]]]], "[1]", id="array"),
        pytest.param([[0, "L", "java.lang.Object", [["P", 0, "java.lang.Object"]]]], "(m0)", id="list within itself"),
        pytest.param(
            [[0, "O", "p.A$B", [["x", ["I", "int", "1"]], ["y", ["N", "p.A"]]]]], "p.A.B{x: 1, y: null}", id="object"
        ),
        pytest.param(
            [[0, "O", "p.A", [["x", ["I", "int", "1"]], ["x", ["I", "int", "2"]]]]], "p.A{x: ?}", id="a hidden field"
        ),
    ],
)
def test_objects(objects: list[object], expected: str) -> None:
    before = {"args": [["P", 0, "java.lang.Object"]], "statics": [], "objects": objects}
    after = {"end": "return", "result": ["N", "p.A"], "statics": [], "objects": objects}
    found = read_lines(text(line(before=before, after=after)), WATCHED)
    assert pin_text(found.calls[0].pin) == f"C.f(Object): a=m0; m0={expected} -> null"


def test_an_object_that_is_not_shown_afterwards_is_forgotten_and_a_new_one_is_in_the_outcome_only() -> None:
    before = {
        "args": [["P", 0, "p.A"]],
        "statics": [],
        "objects": [[0, "O", "p.A", [["x", ["P", 1, "int[]"]]]], [1, "A", "int", [["I", "int", "1"]]]],
    }
    after = {
        "end": "return",
        "result": ["P", 2, "p.A"],
        "statics": [],
        "objects": [[0, "O", "p.A", [["x", ["N", "int[]"]]]], [2, "O", "p.A", [["x", ["N", "int[]"]]]]],
    }
    pin = read_lines(text(line(before=before, after=after)), WATCHED).calls[0].pin
    assert pin_text(pin) == ("C.f(Object): a=m0; m0=p.A{x: m1}; m1=[1] -> m2; m0=p.A{x: null}; m1=[?]; m2=p.A{x: null}")
    assert [block.name for block in pin.blocks] == ["a", "a.x"]


def test_receiver_statics_and_void() -> None:
    statics = [["I", "int", "1"], ["U", ""]]
    before = {
        "this": ["P", 0, "p.C"],
        "args": [],
        "statics": statics,
        "objects": [[0, "O", "p.C", []]],
    }
    after = {"end": "return", "statics": [["I", "int", "2"], ["I", "int", "9"]], "objects": [[0, "O", "p.C", []]]}
    pin = read_lines(text(line(m=1, before=before, after=after)), WATCHED).calls[0].pin
    assert pin_text(pin) == "C.g(): this=m0; m0=p.C{}; m1=C.n=1; m2=q.D.E.n=? -> void; m1=2; m2=9"
    assert [block.program for block in pin.blocks] == [None, "C.n", "q.D.E.n"]


def test_ends_that_are_no_return() -> None:
    thrown = {"end": "throw", "thrown": "p.A$Bad", "statics": [], "objects": []}
    never = {"end": "timeout"}
    outcomes = [call.pin.outcome for call in read_lines(text(line(after=thrown), line(after=never)), WATCHED).calls]
    assert outcomes == [Failed("exception", "p.A.Bad", (), is_exact=True), Failed("timeout")]


def test_all_that_a_call_says() -> None:
    call = read_lines(text(line(outermost=False)), WATCHED).calls[0]
    assert (call.watched, call.frames, call.program, call.outermost, call.order) == (
        WATCHED[0],
        (Frame("p.CTest", "tests", 12),),
        "p.Main",
        False,
        3,
    )
    assert (call.pin.origin.kind, call.pin.origin.test) == ("recorded", "")


def test_notes() -> None:
    found = read_lines(text({"problem": "no class"}, {"m": 1, "left_out": "too deep", "count": 4}), WATCHED)
    assert found.problems == ["no class"]
    assert found.left_out == [LeftOut("C.g()", "too deep", 4)]


BEFORE = line()["before"]


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param("{", id="no JSON"),
        pytest.param("[1]", id="no object"),
        pytest.param("null", id="null"),
        pytest.param("[" * 100_000, id="nested without end"),
        pytest.param(json.dumps(line(m=9)), id="a method that is not watched"),
        pytest.param(json.dumps(line(m="0")), id="a number as text"),
        pytest.param(json.dumps(line(before={**BEFORE, "args": []})), id="an argument is missing"),
        pytest.param(json.dumps(line(before={**BEFORE, "args": [["I", "int", "2147483648"]]})), id="beyond int"),
        pytest.param(json.dumps(line(before={**BEFORE, "args": [["F", "float", "1ffffffff"]]})), id="beyond float"),
        pytest.param(json.dumps(line(before={**BEFORE, "args": [["I", "p.Int", "1"]]})), id="no integer type"),
        pytest.param(json.dumps(line(before={**BEFORE, "args": [["X"]]})), id="no form of value"),
        pytest.param(json.dumps(line(before={**BEFORE, "statics": [["N", ""]]})), id="a static too many"),
        pytest.param(json.dumps(line(after={**line()["after"], "end": "maybe"})), id="no end"),
    ],
)
def test_lines_that_are_none_are_counted(bad: str) -> None:
    found = read_lines(bad + "\n" + text(line()), WATCHED)
    assert (len(found.calls), found.bad) == (1, 1)


def test_a_last_line_that_was_cut_off_is_left_out() -> None:
    found = read_lines(text(line()) + json.dumps(line())[:-5], WATCHED)
    assert (len(found.calls), found.bad) == (1, 0)
    assert read_lines("", WATCHED).calls == []


@pytest.mark.parametrize(
    ("binary", "expected"),
    [
        ("int", "int"),
        ("p.A$B$C[]", "p.A.B.C[]"),
        ("p.A$1", "p.A$1"),
        ("p.A$1Local$In", "p.A$1Local.In"),
        ("p.$A", "p.$A"),
        ("p.A$", "p.A$"),
    ],
)
def test_source_names(binary: str, expected: str) -> None:
    assert source_name(binary) == expected


def test_equal_calls_of_two_runs_are_equal_pins() -> None:
    struct: list[object] = ["O", "p.A", [["x", ["S", "t", 4]]]]
    other: list[object] = ["O", "p.A", [["x", ["S", "t", 9]]]]
    pins = [
        read_lines(
            text(line(before={"args": [["P", number, "p.A"]], "statics": [], "objects": [[number, *shape]]})), WATCHED
        )
        .calls[0]
        .pin
        for number, shape in ((0, struct), (5, other))
    ]
    assert pins[0] == pins[1]
    assert isinstance(pins[0].blocks[0].value, Struct)
