"""Pinned Java calls as scenes: facts, data, names, changed cells, and what cannot be written.

That KeY takes the facts, and what it decides by them, is in ``tests/integration/test_java_scenes_on_key.py``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from clausefit.hook.contracts.model import Contract
from clausefit.hook.java.scenes import JavaStub, cell_text, java_stub, outcome_name
from clausefit.hook.java.state import java_hex
from clausefit.hook.mutants import RESULT, Location, Mutant, exit_mutants, mutants_of
from clausefit.hook.not_expressible import NotExpressible
from clausefit.hook.pins.values import (
    Array,
    Constant,
    Failed,
    Floating,
    FunctionPointer,
    Integer,
    Null,
    Pin,
    Struct,
    Text,
    Unknown,
    Value,
)
from java_values_text import ILLEGAL, STRING, called, char, cursor, double, ints, method, null, num, obj, ref, truth

KNOWN = {"p.Cursor", "p.Shape", "p.Circle", STRING, ILLEGAL, "java.lang.Integer", "java.util.List"}
PRIMITIVE = {"boolean", "byte", "char", "short", "int", "long", "float", "double"}
SET = method("static void set(int[] a, int i)")
FIELD = method("int f()")
THIS: dict[str, Value] = {"this": ref("c", "p.Cursor")}


def erased(type_text: str) -> str:
    name, bracket, dimensions = type_text.partition("[")
    short = {known.rpartition(".")[2]: known for known in KNOWN}
    full = name if name in PRIMITIVE else short.get(name.partition("<")[0].rpartition(".")[2], "java.lang.Object")
    return full + bracket + dimensions


def stub_of(
    contract: Contract, pin: Pin, mutants: tuple[Mutant, ...] = (), erase: Callable[[str], str] = erased
) -> JavaStub:
    return java_stub("cf_p0", contract, pin, mutants, erase, "p.Cursor")


def after_of(stub: JavaStub, name: str = "right") -> dict[str, Any]:
    return json.loads(next(one.after for one in stub.scene.outcomes if one.name == name))


def facts_of(stub: JavaStub, name: str = "right") -> list[str]:
    return next(one.facts for one in stub.scene.outcomes if one.name == name).split(" && ")


# ---- one value -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declared", "value", "facts", "data"),
    [
        pytest.param("int", num(-(2**31)), ["v == -2147483648"], {"t": "int", "v": "-2147483648"}, id="least int"),
        pytest.param("long", num(5, "long"), ["v == 5L"], {"t": "long", "v": "5"}, id="long has its suffix"),
        pytest.param("byte", num(-128, "byte"), ["v == -128"], {"t": "byte", "v": "-128"}, id="byte"),
        pytest.param("char", char("a"), ["v == 97"], {"t": "char", "v": "97"}, id="char is its number"),
        pytest.param("boolean", truth(True), ["v == true"], {"t": "boolean", "v": "true"}, id="true"),
        pytest.param("boolean", truth(False), ["v == false"], {"t": "boolean", "v": "false"}, id="false"),
        pytest.param("double", double(1.5), [], {"t": "double", "v": "0x1.8p0"}, id="KeY gets no floats"),
        pytest.param(
            "Integer",
            num(7, "java.lang.Integer"),
            ["v != null"],
            {"t": "java.lang.Integer", "v": "7"},
            id="of a boxed value KeY only gets that it is there",
        ),
        pytest.param(
            "Boolean",
            num(1, "java.lang.Boolean"),
            ["v != null"],
            {"t": "java.lang.Boolean", "v": "true"},
            id="boxed boolean",
        ),
        pytest.param("String", null(STRING), ["v == null"], {"null": True, "t": STRING}, id="null"),
        pytest.param(
            "String",
            Text("ab"),
            ["v != null", r"\dl_strContent(v) == \seq(97, 98)"],
            {"t": STRING, "v": "ab"},
            id="a string by its characters, not by which object it is",
        ),
        pytest.param(
            "String",
            Text(""),
            ["v != null", r"\dl_strContent(v) == \seq_empty"],
            {"t": STRING, "v": ""},
            id="no letters",
        ),
        pytest.param(
            "String",
            Text("\ud83d\ude00", STRING, "s3"),
            ["v != null", r"\dl_strContent(v) == \seq(55357, 56832)"],
            {"t": STRING, "v": "\ud83d\ude00", "id": "s3"},
            id="code units, with the object's name",
        ),
        pytest.param("String", Text("x" * 65), ["v != null"], {"t": STRING, "v": "x" * 65}, id="too long for KeY"),
        pytest.param(
            "Object",
            Text("a"),
            ["v != null", rf"\typeof(v) == \type({STRING})", rf"\dl_strContent(({STRING}) v) == \seq(97)"],
            {"t": STRING, "v": "a"},
            id="a string in an Object",
        ),
        pytest.param("Mode", Constant("FAST", "p.Mode"), ["v != null"], {"t": "p.Mode", "constant": "FAST"}, id="enum"),
        pytest.param("int", Unknown("int"), [], {"unknown": True}, id="unknown"),
        pytest.param("int", Unknown("int", (num(3),)), ["!(v == 3)"], {"unknown": True}, id="known not to be"),
        pytest.param("String", Unknown(STRING, (null(STRING),)), ["!(v == null)"], {"unknown": True}, id="not null"),
        pytest.param("String", Unknown(STRING, (Text("a"),)), [], {"unknown": True}, id="not that content: no fact"),
        pytest.param("Cursor", ref("gone", "p.Cursor"), ["v != null"], {"unknown": True}, id="an object not shown"),
    ],
)
def test_values(declared: str, value: Value, facts: list[str], data: dict[str, object]) -> None:
    contract = method(f"static void f({declared} v)")
    scene = stub_of(contract, called(contract, {"v": value})).scene
    assert scene.facts == (" && ".join(facts) or "true")
    # As text: a pair of surrogates is read back as one character.
    assert f'"variables":{json.dumps({"v": data}, separators=(",", ":"))}' in scene.before


@pytest.mark.parametrize(
    ("number", "text"),
    [
        pytest.param(0.0, "0x0.0p0", id="zero"),
        pytest.param(-0.0, "-0x0.0p0", id="negative zero"),
        pytest.param(1.0, "0x1.0p0", id="one"),
        pytest.param(0.1, "0x1.999999999999ap-4", id="a tenth"),
        pytest.param(-1e300, "-0x1.7e43c8800759cp996", id="large"),
        pytest.param(5e-324, "0x0.0000000000001p-1022", id="smallest"),
        pytest.param(float("inf"), "Infinity", id="infinity"),
        pytest.param(float("-inf"), "-Infinity", id="negative infinity"),
        pytest.param(float("nan"), "NaN", id="no number"),
    ],
)
def test_java_hex_is_that_of_double_to_hex_string(number: float, text: str) -> None:
    # Expected texts are those that `Double.toHexString` of JDK 17 gives.
    assert java_hex(number) == text


# ---- objects ---------------------------------------------------------------------------------------------------------


def test_an_array_written_in_place() -> None:
    pin = called(SET, {"a": ref("x"), "i": num(1)}, {"x": ints(4, 5)}, after={"x": ints(4, 7)})
    stub = stub_of(SET, pin)
    assert stub.scene.is_static
    assert stub.scene.variables == (("int[]", "a"), ("int", "i"))
    assert stub.scene.result is None
    assert stub.scene.facts == r"a != null && a.length == 2 && i == 1 && \old(a[0]) == 4 && \old(a[1]) == 5"
    assert facts_of(stub) == ["cf_exc == null", "a[0] == 4", "a[1] == 7"]
    one, other, seven = ({"t": "int", "v": text} for text in "457")
    assert json.loads(stub.scene.before) == {
        "objects": {"a": {"type": "int[]", "elements": [one, other]}},
        "variables": {"a": {"ref": "a"}, "i": {"t": "int", "v": "1"}},
        "statics": {},
    }
    assert after_of(stub)["state"]["objects"] == {"a": {"type": "int[]", "elements": [one, seven]}}
    assert (after_of(stub)["result"], after_of(stub)["exception"]) == (None, None)
    assert [cell_text(stub, location) for location in stub.changed] == ["a[1]"]


NODE = method("Cursor f(Cursor o, Cursor q)")
TWO = {"c": cursor(next=ref("d", "p.Cursor")), "d": cursor(pos=num(1))}


@pytest.mark.parametrize(
    ("arguments", "before", "names", "variables"),
    [
        pytest.param(
            {**THIS, "o": ref("d", "p.Cursor"), "q": null("p.Cursor")},
            TWO,
            {"c": "this", "d": "o"},
            [],
            id="by parameter",
        ),
        pytest.param(
            {**THIS, "o": ref("d", "p.Cursor"), "q": ref("d", "p.Cursor")},
            TWO,
            {"c": "this", "d": "o"},
            [],
            id="by the first of two parameters",
        ),
        pytest.param(
            {**THIS, "o": ref("c", "p.Cursor"), "q": null("p.Cursor")},
            TWO,
            {"c": "this", "d": "cf_b0"},
            [("p.Cursor", "cf_b0")],
            id="the receiver stays this; a variable for what nothing names",
        ),
        pytest.param(
            {**THIS, "o": ref("x", "p.Shape"), "q": null("p.Cursor")},
            {"c": cursor(), "x": obj("p.Circle", radius=num(1))},
            {"c": "this", "x": "cf_b0"},
            [("p.Circle", "cf_b0")],
            id="a variable of the object's own type where the parameter's is wider",
        ),
    ],
)
def test_names(
    arguments: dict[str, Value], before: dict[str, Value], names: dict[str, str], variables: list[tuple[str, str]]
) -> None:
    stub = stub_of(NODE, called(NODE, arguments, before, null("p.Cursor")))
    assert dict(stub.names) == names
    assert list(stub.scene.variables) == [("p.Cursor", "o"), ("p.Cursor", "q"), *variables]
    listed = json.loads(stub.scene.before)
    assert set(listed["objects"]) == set(names.values())
    assert all(listed["variables"][name] == {"ref": name} for _type, name in variables)


def test_a_parameter_of_a_wider_type_equals_its_variable() -> None:
    contract = method("static int f(Shape s)")
    stub = stub_of(
        contract, called(contract, {"s": ref("x", "p.Shape")}, {"x": obj("p.Circle", radius=num(1))}, num(1))
    )
    assert stub.scene.facts.split(" && ") == [
        "cf_b0 != null",
        r"\typeof(cf_b0) == \type(p.Circle)",
        "s == cf_b0",
        r"\old(cf_b0.radius) == 1",
    ]
    assert json.loads(stub.scene.before)["variables"] == {"s": {"ref": "cf_b0"}, "cf_b0": {"ref": "cf_b0"}}


def test_different_objects_of_one_type_are_said_to_be_different() -> None:
    contract = method("static void f(int[] a, int[] b, Cursor c)")
    arguments = {"a": ref("x"), "b": ref("y"), "c": ref("z", "p.Cursor")}
    stub = stub_of(contract, called(contract, arguments, {"x": ints(), "y": ints(), "z": cursor()}))
    assert [fact for fact in stub.scene.facts.split(" && ") if "!=" in fact and "null" not in fact] == ["a != b"]


def test_a_receiver_of_a_subclass_makes_it_the_class_of_the_scene() -> None:
    contract = method("int f()", "Shape")
    pin = called(contract, {"this": ref("s", "p.Circle")}, {"s": obj("p.Circle", radius=num(2))}, num(2))
    scene = java_stub("cf_p0", contract, pin, (), erased, "p.Shape").scene
    assert scene.class_name == "p.Circle"
    assert r"\old(this.radius) == 2" in scene.facts


def test_strings_in_memory_have_variables() -> None:
    pin = called(FIELD, THIS, {"c": cursor(text=Text("a", STRING, "s1"), any=Text("a", STRING, "s1"))}, num(1))
    stub = stub_of(FIELD, pin)
    assert stub.scene.variables == ((STRING, "cf_s0"),)
    assert stub.scene.facts.endswith(r"\old(this.text) == cf_s0 && \old(this.any) == cf_s0")
    assert facts_of(stub)[-2:] == ["this.text == cf_s0", "this.any == cf_s0"]


def test_equal_strings_of_which_it_is_not_known_whether_they_are_one() -> None:
    contract = method("static String f(String s, String t)")
    stub = stub_of(
        contract, called(contract, {"s": Text("a"), "t": Text("a", STRING, "s9")}, {}, Text("a", STRING, "s9"))
    )
    assert "s ==" not in stub.scene.facts
    assert facts_of(stub) == ["cf_exc == null", r"\result == t"]


def test_static_fields() -> None:
    contract = method("static int next()")
    pin = called(
        contract, {}, {"x": ints(1)}, num(2), statics={"p.Cursor.n": (num(1), num(2)), "p.Cursor.a": (ref("x"),) * 2}
    )
    stub = stub_of(contract, pin)
    assert r"\old(p.Cursor.n) == 1" in stub.scene.facts
    assert {"p.Cursor.n == 2", "p.Cursor.a == cf_b0"} <= {*facts_of(stub)}
    assert json.loads(stub.scene.before)["statics"] == {
        "p.Cursor.n": {"t": "int", "v": "1"},
        "p.Cursor.a": {"ref": "cf_b0"},
    }
    assert after_of(stub)["state"]["statics"]["p.Cursor.n"] == {"t": "int", "v": "2"}
    assert [cell_text(stub, location) for location in stub.changed] == ["p.Cursor.n"]


def test_what_the_test_does_not_show_afterwards_is_not_known() -> None:
    pin = called(FIELD, THIS, {"c": cursor(pos=num(1)), "l": Array("int", (num(1),), "list")}, num(1))
    pin = replace(pin, outcome=replace(pin.outcome, after=()))
    stub = stub_of(FIELD, pin)
    assert facts_of(stub) == ["cf_exc == null", r"\result == 1"]
    assert after_of(stub)["state"]["objects"] == {
        "this": {"type": "p.Cursor", "fields": {"pos": {"unknown": True}}},
        "cf_b0": {"type": "java.util.List", "fields": {}},
    }
    assert stub.changed == ()


def test_a_list_is_data_and_no_facts() -> None:
    contract = method("static int size(java.util.List<String> xs)")
    pin = called(
        contract, {"xs": ref("l", "java.util.List")}, {"l": Array(STRING, (Text("a"), null(STRING)), "list")}, num(2)
    )
    scene = stub_of(contract, pin).scene
    assert scene.facts == "xs != null"
    assert json.loads(scene.before)["objects"]["xs"] == {
        "type": "java.util.List",
        "list": [{"t": STRING, "v": "a"}, {"null": True, "t": STRING}],
    }


@pytest.mark.parametrize(
    ("fields", "stated"),
    [
        pytest.param({"pos": num(1), "é": num(2)}, [r"\old(this.pos) == 1"], id="a name that KeY cannot read"),
        pytest.param({}, [], id="no fields"),
    ],
)
def test_fields_that_are_left_out(fields: dict[str, Value], stated: list[str]) -> None:
    scene = stub_of(FIELD, called(FIELD, THIS, {"c": cursor(**fields)}, num(1))).scene
    assert [fact for fact in scene.facts.split(" && ") if "\\old" in fact] == stated
    assert set(json.loads(scene.before)["objects"]["this"]["fields"]) == set(fields)


def test_of_two_fields_with_one_name_nothing_is_said() -> None:
    hidden = Struct("p.Cursor", (("pos", num(1)), ("pos", num(2)), ("n", num(3))))
    scene = stub_of(FIELD, called(FIELD, THIS, {"c": hidden}, num(1))).scene
    assert "pos" not in scene.facts
    fields = json.loads(scene.before)["objects"]["this"]["fields"]
    assert fields == {"pos": {"unknown": True}, "n": {"t": "int", "v": "3"}}


def test_objects_of_types_that_are_not_loaded_have_no_fields_for_key() -> None:
    contract = method("static int f(Widget w)")
    pin = called(contract, {"w": ref("x", "p.Widget")}, {"x": obj("p.Widget", size=num(1))}, num(1))
    scene = stub_of(contract, pin).scene
    assert scene.variables == (("java.lang.Object", "w"),)
    assert scene.facts == "w != null"


def test_what_is_too_large_for_key_is_data_alone() -> None:
    pin = called(SET, {"a": ref("x"), "i": num(1)}, {"x": ints(*range(3000))}, after={"x": ints(*range(1, 3001))})
    stub = stub_of(SET, pin)
    assert stub.scene.facts == "a != null && a.length == 3000 && i == 1"
    assert facts_of(stub) == ["cf_exc == null"]
    assert len(after_of(stub)["state"]["objects"]["a"]["elements"]) == 3000
    assert len(stub.changed) == 3000


# ---- outcomes --------------------------------------------------------------------------------------------------------


def test_a_fresh_object_and_what_it_refers_to() -> None:
    contract = method("static Cursor f()")
    after: dict[str, Value] = {
        "n": cursor(next=ref("m", "p.Cursor"), cells=ref("k")),
        "m": cursor(next=ref("n", "p.Cursor")),
        "k": ints(7),
        "garbage": ints(1),
    }
    stub = stub_of(contract, called(contract, {}, {}, ref("n", "p.Cursor"), after))
    assert facts_of(stub) == [
        "cf_exc == null",
        r"\result != null",
        r"\fresh(\result)",
        r"\typeof(\result) == \type(p.Cursor)",
        r"\result.next != null",
        r"\fresh(\result.next)",
        r"\typeof(\result.next) == \type(p.Cursor)",
        r"\result.cells != null",
        r"\fresh(\result.cells)",
        r"\typeof(\result.cells) == \type(int[])",
        r"((int[]) \result.cells).length == 1",
        r"((p.Cursor) \result.next).next == \result",
        r"((int[]) \result.cells)[0] == 7",
        r"\result != \result.next",
    ]
    assert after_of(stub)["result"] == {"ref": "cf_n0"}
    assert cell_text(stub, Location("n", ("next",))) is None
    assert cell_text(stub, RESULT) is None


def test_a_constructor_makes_this() -> None:
    contract = method("Cursor(int n) { }")
    stub = stub_of(contract, called(contract, {"n": num(1)}, {}, ref("c", "p.Cursor"), {"c": cursor(pos=num(1))}))
    assert (stub.scene.is_static, stub.scene.result) == (False, None)
    assert json.loads(stub.scene.before)["objects"] == {}
    assert facts_of(stub)[-1] == "this.pos == 1"
    assert set(after_of(stub)["state"]["objects"]) == {"this"}
    assert after_of(stub)["result"] is None
    assert stub.changed == ()
    assert cell_text(stub, Location("c", ("pos",))) is None


@pytest.mark.parametrize(
    ("throws", "exact", "facts"),
    [
        pytest.param(ILLEGAL, True, ["cf_exc != null", rf"\typeof(cf_exc) == \type({ILLEGAL})"], id="exact"),
        pytest.param(ILLEGAL, False, ["cf_exc != null", f"cf_exc instanceof {ILLEGAL}"], id="or a subtype"),
        pytest.param("q.Odd", True, ["cf_exc != null"], id="a type that is not loaded"),
    ],
)
def test_exceptions(throws: str, exact: bool, facts: list[str]) -> None:
    pin = called(FIELD, THIS, {"c": cursor(pos=num(1))}, throws=throws, exact=exact)
    stub = stub_of(FIELD, pin)
    assert facts_of(stub) == [*facts, "this.pos == 1"]
    assert (after_of(stub)["result"], after_of(stub)["exception"]) == (None, throws)


@pytest.mark.parametrize(
    "outcome",
    [
        pytest.param(Failed("timeout"), id="no end"),
        pytest.param(Failed("exception"), id="an exception of which nothing is known"),
    ],
)
def test_a_call_that_ends_otherwise_has_only_its_input(outcome: Failed) -> None:
    pin = replace(called(FIELD, THIS, {"c": cursor(pos=num(1))}), outcome=outcome)
    stub = stub_of(FIELD, pin)
    assert stub.scene.outcomes == ()
    assert r"\old(this.pos) == 1" in stub.scene.facts


def test_mutants_have_outcomes_of_their_own() -> None:
    pin = called(FIELD, THIS, {"c": cursor(pos=num(1))}, num(5))
    mutants = (*mutants_of(pin), *exit_mutants(pin, [ILLEGAL]))
    stub = stub_of(FIELD, pin, mutants)
    assert [one.name for one in stub.scene.outcomes] == ["right", *(f"m{n}" for n in range(len(mutants)))]
    assert outcome_name(None, stub) == "right"
    by_name = {one.name: one.facts for one in stub.scene.outcomes}
    assert len(set(by_name.values())) == len(mutants) + 1
    for mutant in mutants:
        facts = by_name[outcome_name(mutant, stub)]
        assert ("cf_exc != null" in facts) == bool(mutant.exit)
        if mutant.location == RESULT and isinstance(mutant.wrong, Integer):
            assert rf"\result == {mutant.wrong.value} && this.pos == 1" in facts
    with pytest.raises(KeyError):
        outcome_name(replace(mutants[0], wrong=num(77)), stub)


def test_a_return_in_place_of_an_exception_has_any_result() -> None:
    pin = called(FIELD, THIS, {"c": cursor(pos=num(1))}, throws=ILLEGAL)
    stub = stub_of(FIELD, pin, exit_mutants(pin, []))
    assert facts_of(stub, "m0") == ["cf_exc == null", "this.pos == 1"]
    assert after_of(stub, "m0")["result"] == {"unknown": True}


# ---- changed cells ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        pytest.param(num(1), num(2), True, id="number"),
        pytest.param(num(1), num(1), False, id="the same number"),
        pytest.param(null("p.Cursor"), ref("c", "p.Cursor"), True, id="null to object"),
        pytest.param(ref("c", "p.Cursor"), ref("n", "p.Cursor"), True, id="another object"),
        pytest.param(Null("p.Cursor"), Null("p.Base"), False, id="null is null"),
        pytest.param(Text("a"), Text("b"), True, id="other content"),
        pytest.param(Text("a", STRING, "s1"), Text("a", STRING, "s2"), False, id="perhaps the same string"),
        pytest.param(Unknown("int"), num(2), False, id="unknown before"),
        pytest.param(num(1), Unknown("int"), False, id="unknown after"),
        pytest.param(double(0.0), double(-0.0), True, id="the sign of zero"),
        pytest.param(Constant("A", "p.Mode"), Constant("B", "p.Mode"), True, id="enum constant"),
    ],
)
def test_changed(before: Value, after: Value, changes: bool) -> None:
    pin = called(FIELD, THIS, {"c": cursor(f=before)}, num(1), {"c": cursor(f=after), "n": cursor()})
    stub = stub_of(FIELD, pin)
    assert stub.changed == ((Location("c", ("f",)),) if changes else ())


def test_contents_of_lists_are_no_cells() -> None:
    contract = method("static void f(java.util.List<String> xs)")
    before = {"l": Array(STRING, (Text("a"),), "list")}
    pin = called(contract, {"xs": ref("l", "java.util.List")}, before, None, {"l": Array(STRING, (Text("b"),), "list")})
    stub = stub_of(contract, pin)
    assert stub.changed == ()
    assert cell_text(stub, Location("l", ())) is None


# ---- what cannot be written ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declaration", "arguments", "why"),
    [
        pytest.param("int f()", {}, "no receiver", id="no receiver"),
        pytest.param("int f()", {"this": Unknown("p.Cursor")}, "does not show the object", id="unknown receiver"),
        pytest.param("static int f(int a)", {}, "0 arguments", id="an argument is missing"),
        pytest.param("static int f(int cf_b0)", {"cf_b0": num(1)}, "cf_b0 has a name", id="our own names"),
        pytest.param("static int f(int é)", {"é": num(1)}, "é has a name", id="a name that KeY cannot read"),
        pytest.param("static int f(int a)", {"a": FunctionPointer("f", "p")}, "not one of Java", id="no Java value"),
    ],
)
def test_not_expressible(declaration: str, arguments: dict[str, Value], why: str) -> None:
    contract = method(declaration)
    with pytest.raises(NotExpressible, match=why):
        stub_of(contract, called(contract, arguments, {}, num(1)))


def test_a_receiver_of_a_class_that_is_not_loaded() -> None:
    pin = called(FIELD, THIS, {"c": obj("p.Cursor$1", pos=num(1))}, num(1))
    with pytest.raises(NotExpressible, match="cannot be loaded"):
        stub_of(FIELD, pin)


def test_a_contract_of_c() -> None:
    with pytest.raises(NotExpressible, match="not one of a Java method"):
        stub_of(replace(FIELD, java=None), called(FIELD, THIS, {"c": cursor()}))


def test_variable_arity_is_an_array() -> None:
    contract = method("static int f(int... xs)")
    scene = stub_of(contract, called(contract, {"xs": ref("x")}, {"x": ints(1)}, num(1))).scene
    assert scene.variables == (("int[]", "xs"),)
    assert scene.facts == r"xs != null && xs.length == 1 && \old(xs[0]) == 1"


def test_hostile_names_and_texts_stay_data() -> None:
    contract = method("static int f(String s)")
    pin = called(contract, {"s": Text('") && false && ("\\u0022')}, {}, num(1))
    facts = stub_of(contract, pin).scene.facts
    assert "false" not in facts
    assert '"' not in facts


def test_floats_keep_their_bits() -> None:
    contract = method("static void f(float x)")
    scene = stub_of(contract, called(contract, {"x": Floating.of(0.1, "float", 32)})).scene
    assert json.loads(scene.before)["variables"]["x"] == {"t": "float", "v": "0x1.99999ap-4"}
