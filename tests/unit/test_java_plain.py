"""Pinned Java calls as plain JSON and as text for people."""

from __future__ import annotations

import json
from typing import Any

import pytest
from clausefit.hook import plain
from clausefit.hook.java.plain import escaped, inputs_of, outcome_of
from clausefit.hook.mutants import EXIT, Location, Mutant, exit_mutants, mutated
from clausefit.hook.pins.values import Array, Constant, Failed, Floating, Pin, Text, Unknown, Value
from clausefit.hook.plain import differences, plain_text
from java_values_text import (
    ILLEGAL,
    STRING,
    called,
    char,
    cursor,
    double,
    ints,
    method,
    null,
    num,
    obj,
    ref,
    truth,
)

F = method("int f(Cursor o)")
THIS: dict[str, Value] = {"this": ref("c", "p.Cursor")}


@pytest.mark.parametrize(
    ("value", "shown", "text"),
    [
        pytest.param(num(-3), -3, "-3", id="int"),
        pytest.param(num(2**63 - 1, "long"), 2**63 - 1, "9223372036854775807", id="long"),
        pytest.param(truth(True), True, "true", id="boolean"),
        pytest.param(num(0, "java.lang.Boolean"), False, "false", id="boxed boolean"),
        pytest.param(num(7, "java.lang.Integer"), 7, "7", id="boxed int"),
        pytest.param(char("a"), "'a'", "'a'", id="char"),
        pytest.param(char("'"), r"'\''", r"'\''", id="quote"),
        pytest.param(char('"'), "'\"'", "'\"'", id="the other quote"),
        pytest.param(char("\n"), r"'\n'", r"'\n'", id="new line"),
        pytest.param(char("\0"), r"'\u0000'", r"'\u0000'", id="control character"),
        pytest.param(char("\udc00"), r"'\udc00'", r"'\udc00'", id="lone surrogate"),
        pytest.param(double(1.5), 1.5, "1.5", id="double"),
        pytest.param(Floating.of(0.1, "float", 32), 0.1, "0.1", id="float is its shortest decimal"),
        pytest.param(double(float("nan")), "nan (0x7ff8000000000000)", "nan (0x7ff8000000000000)", id="NaN"),
        pytest.param(null(STRING), None, "null", id="null"),
        pytest.param(Text("abc"), '"abc"', '"abc"', id="string"),
        pytest.param(Text('a"\\\t'), r'"a\"\\\t"', r'"a\"\\\t"', id="escapes"),
        pytest.param(Text("\ud83d\ude00é"), '"😀é"', '"😀é"', id="a pair of surrogates is one character"),
        pytest.param(Text("\u202e\x1b"), r'"\u202e\u001b"', r'"\u202e\u001b"', id="what moves the cursor is escaped"),
        pytest.param(Text("&a"), '"&a"', '"&a"', id="text is no reference"),
        pytest.param(Constant("FAST", "p.Cursor.Mode"), "Mode.FAST", "Mode.FAST", id="enum constant"),
        pytest.param(Unknown("int"), "?", "?", id="unknown"),
    ],
)
def test_scalars(value: Value, shown: Any, text: str) -> None:
    given = inputs_of(called(method("static int f(int v)"), {"v": value}))
    assert given == {"v": shown}
    assert plain_text(given["v"], "java") == text


def test_escaped_text_is_java_source() -> None:
    assert escaped("\b\f\r\ud800\U000e0001".replace("\U000e0001", "\udb40\udc01"), '"') == r"\b\f\r\ud800\udb40\udc01"


LINKED = {"c": cursor(pos=num(1), next=ref("d", "p.Cursor")), "d": cursor(pos=num(2), next=null("p.Cursor"))}


@pytest.mark.parametrize(
    ("arguments", "before", "text"),
    [
        pytest.param({"a": ref("x")}, {"x": ints(1, 2)}, {"a": "{1, 2}"}, id="an array under its parameter"),
        pytest.param(
            {"a": ref("x"), "b": ref("x")}, {"x": ints(1)}, {"a": "{1}", "b": "a"}, id="two names of one array"
        ),
        pytest.param(
            {"a": ref("x"), "b": ref("y")}, {"x": ints(1), "y": ints(1)}, {"a": "{1}", "b": "{1}"}, id="equal contents"
        ),
        pytest.param(
            {"a": ref("g", "int[][]")},
            {"g": Array("int[]", (ref("x"), null("int[]"))), "x": ints()},
            {"a": "{{}, null}"},
            id="an array of arrays",
        ),
        pytest.param(
            {"a": ref("g", "int[][]")},
            {"g": Array("int[]", (ref("x"), ref("x"))), "x": ints(1)},
            {"a": "{x, x}", "x": "{1}"},
            id="one row twice has an entry of its own",
        ),
        pytest.param(
            THIS, LINKED, {"this": "Cursor{pos: 1, next: Cursor{pos: 2, next: null}}"}, id="an object in an object"
        ),
        pytest.param(
            {**THIS, "o": ref("d", "p.Cursor")},
            LINKED,
            {"this": "Cursor{pos: 1, next: o}", "o": "Cursor{pos: 2, next: null}"},
            id="an object that a parameter names",
        ),
        pytest.param(
            {**THIS, "o": ref("c", "p.Cursor")},
            {"c": cursor(next=ref("c", "p.Cursor"))},
            {"this": "Cursor{next: this}", "o": "this"},
            id="an object that refers to itself",
        ),
        pytest.param(
            {"a": ref("x"), "c": ref("o", "p.Cursor")},
            {"o": cursor(cells=ref("x")), "x": ints(3)},
            {"a": "{3}", "c": "Cursor{cells: a}"},
            id="shared by a field and a parameter",
        ),
        pytest.param(
            {"xs": ref("l", "java.util.List")},
            {"l": Array(STRING, (Text("a"), null(STRING)), "list")},
            {"xs": '{"a", null}'},
            id="a list",
        ),
        pytest.param({"o": ref("gone", "p.Cursor")}, {}, {"o": "gone"}, id="an object that is not shown"),
        pytest.param(
            {"o": ref("x", "p.Outer.Inner")}, {"x": obj("p.Outer.Inner")}, {"o": "Inner{}"}, id="inner class, no fields"
        ),
    ],
)
def test_inputs(arguments: dict[str, Value], before: dict[str, Value], text: dict[str, str]) -> None:
    given = inputs_of(called(F, arguments, before))
    assert {name: plain_text(value, "java") for name, value in given.items()} == text
    assert list(given) == list(text)
    json.dumps(given, allow_nan=False)


def test_static_fields_are_named_with_their_class() -> None:
    pin = called(F, {"n": num(1)}, statics={"p.Cursor.count": (num(1), num(2))}, result=num(2))
    assert inputs_of(pin) == {"n": 1, "p.Cursor.count": 1}
    assert outcome_of(pin) == {"result": 2, "p.Cursor.count": 2}


@pytest.mark.parametrize(
    ("pin", "shown"),
    [
        pytest.param(called(F, THIS, LINKED, num(3)), {"result": 3}, id="nothing changed"),
        pytest.param(
            called(F, THIS, LINKED, num(3), {"c": cursor(pos=num(9), next=ref("d", "p.Cursor"))}),
            {"result": 3, "this": {"@class": "Cursor", "pos": 9, "next": {"@class": "Cursor", "pos": 2, "next": None}}},
            id="a field",
        ),
        pytest.param(
            called(F, THIS, LINKED, num(3), {"c": cursor(pos=Unknown("int"), next=ref("d", "p.Cursor"))}),
            {"result": 3},
            id="not known afterwards is no difference",
        ),
        pytest.param(called(F, THIS, LINKED), {}, id="void"),
        pytest.param(
            called(F, THIS, LINKED, ref("d", "p.Cursor")), {"result": "&this.next"}, id="an object from before"
        ),
        pytest.param(called(F, {}, {}, ref("n"), {"n": ints(1)}), {"result": [1]}, id="a fresh array"),
        pytest.param(
            called(F, THIS, {"c": cursor(cells=null("int[]"))}, ref("n"), {"c": cursor(cells=ref("n")), "n": ints(1)}),
            {"result": [1], "this": {"@class": "Cursor", "cells": "&\\result"}},
            id="a fresh array that is kept as well",
        ),
        pytest.param(
            called(method("Cursor(int n) { }"), {"n": num(1)}, {}, ref("c", "p.Cursor"), {"c": cursor(pos=num(1))}),
            {"this": {"@class": "Cursor", "pos": 1}},
            id="a constructor's object is this",
        ),
        pytest.param(called(F, THIS, LINKED, throws=ILLEGAL), {"exit": f"throws {ILLEGAL}"}, id="an exception"),
        pytest.param(
            called(F, THIS, LINKED, throws=ILLEGAL, exact=False), {"exit": f"throws {ILLEGAL}"}, id="or a subtype"
        ),
    ],
)
def test_outcomes(pin: Pin, shown: dict[str, Any]) -> None:
    assert outcome_of(pin) == shown


def test_other_failures_are_called_by_their_kind() -> None:
    assert outcome_of(called(F, THIS, LINKED), Failed("timeout")) == {"exit": "timeout"}


def test_plain_asks_for_java_where_the_pin_is_one() -> None:
    pin = called(F, THIS, LINKED, truth(True))
    assert plain.inputs_of(pin) == inputs_of(pin)
    assert plain.outcome_of(pin) == {"result": True}


CHANGED = called(F, THIS, LINKED, ref("n"), {"c": cursor(pos=num(9), next=ref("d", "p.Cursor")), "n": ints(1, 2)})


@pytest.mark.parametrize(
    ("location", "wrong", "found"),
    [
        pytest.param(Location("c", ("pos",)), num(8), [("this.pos", 9, 8)], id="a field"),
        pytest.param(
            Location("d", ("pos",)), num(8), [("this.next.pos", 2, 8)], id="a field of an object in an object"
        ),
        pytest.param(Location("n", (1,)), num(8), [("result[1]", 2, 8)], id="an element of a fresh array"),
        pytest.param(Location("n", ()), ints(1), [("result", [1, 2], [1])], id="another length"),
        pytest.param(Location(None, ()), null("int[]"), [("result", [1, 2], None)], id="null"),
        pytest.param(
            Location("c", ("next",)),
            null("p.Cursor"),
            [("this.next", {"@class": "Cursor", "pos": 2, "next": None}, None)],
            id="a reference",
        ),
        pytest.param(
            Location("d", ("next",)), ref("c", "p.Cursor"), [("this.next.next", None, "&this")], id="a reference back"
        ),
    ],
)
def test_differences_of_a_mutant(location: Location, wrong: Value, found: list[tuple[str, Any, Any]]) -> None:
    mutant = Mutant(location, num(0), wrong, False)
    other = outcome_of(CHANGED, mutated(CHANGED.outcome, mutant))
    assert differences(outcome_of(CHANGED), other, inputs_of(CHANGED)) == found


@pytest.mark.parametrize(
    ("pin", "ends"),
    [
        pytest.param(CHANGED, ("return", f"throws {ILLEGAL}"), id="an exception for a return"),
        pytest.param(
            called(F, THIS, LINKED, throws="q.Odd"), ("throws q.Odd", "return"), id="a return for an exception"
        ),
    ],
)
def test_differences_of_another_end(pin: Pin, ends: tuple[str, str]) -> None:
    mutant = exit_mutants(pin, [ILLEGAL])[0]
    assert mutant.location == EXIT
    found = differences(outcome_of(pin), outcome_of(pin, mutated(pin.outcome, mutant)), inputs_of(pin))
    assert found == [("exit", *ends)]


def test_objects_of_other_classes_differ_as_a_whole() -> None:
    one, other = {"a": {"@class": "Cursor", "pos": 1}}, {"a": {"@class": "Other", "pos": 1}}
    assert differences(one, other, {}) == [("a", one["a"], other["a"])]


def test_long_values_are_cut() -> None:
    given = inputs_of(called(F, {"a": ref("x"), "s": Text("y" * 500)}, {"x": ints(*range(3000))}))
    assert plain_text(given["a"], "java") == "{0, 1, 2, 3, 4, 5, 6, 7, ... 2992 more}"
    assert len(plain_text(given["s"], "java")) < 230
    wide = {"@class": "Wide", **{f"f{n}": n for n in range(20)}}
    assert plain_text(wide, "java").endswith("f7: 7, ... 12 more}")


def test_a_long_chain_of_objects() -> None:
    nodes: dict[str, Value] = {f"n{i}": cursor(pos=num(i), next=ref(f"n{i + 1}", "p.Cursor")) for i in range(2000)}
    nodes["n2000"] = cursor(pos=num(2000), next=null("p.Cursor"))
    pin = called(F, {"this": ref("n0", "p.Cursor")}, nodes, num(1))
    given = inputs_of(pin)
    assert len(json.dumps(given)) < 200_000
    assert plain_text(given["this"], "java").startswith("Cursor{pos: 0, next: Cursor{pos: 1, next: ")
    deep = Mutant(Location("n2000", ("pos",)), num(2000), num(7), False)
    [(place, right, wrong)] = differences(outcome_of(pin), outcome_of(pin, mutated(pin.outcome, deep)), given)
    assert place.endswith(".pos")
    assert (right, wrong) == (2000, 7)


def test_names_do_not_depend_on_hashes() -> None:
    shared = ref("s", "p.Shape")
    before: dict[str, Value] = {
        "c": cursor(a=shared, b=shared),
        "d": cursor(a=ref("t", "p.Shape"), b=ref("t", "p.Shape")),
    }
    before |= {"s": obj("p.Shape", n=num(1)), "t": obj("p.Shape", n=num(2))}
    pin = called(F, {**THIS, "o": ref("d", "p.Cursor")}, before)
    assert list(inputs_of(pin)) == ["this", "o", "s", "t"]


def test_a_parameter_called_result_is_not_the_result() -> None:
    pin = called(F, {"result": ref("x")}, {"x": ints(1)}, num(5), {"x": ints(2)})
    assert outcome_of(pin)["result"] == 5
    assert 2 in [value[0] for value in outcome_of(pin).values() if isinstance(value, list)]
