"""Wrong outcomes of Java calls: every kind of value, objects that the call made, ends of another kind, and twins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from clausefit.hook.languages import language_of
from clausefit.hook.mutants import EXIT, RESULT, Location, Mutant, exit_mutants, is_constructor, mutants_of, mutated
from clausefit.hook.pins.values import (
    Array,
    Block,
    Constant,
    Failed,
    Floating,
    Integer,
    Null,
    Pin,
    Pointer,
    Returned,
    Struct,
    Text,
    Unknown,
    Value,
)
from java_values_text import ILLEGAL, ORIGIN, STRING, char, cursor, double, ints, null, num, obj, ref, truth

NPE = "java.lang.NullPointerException"
CURSOR = ref("c", "p.Cursor")


def pin(
    result: Value | None = None,
    arguments: Sequence[Value] = (),
    before: Mapping[str, Value] | None = None,
    after: Mapping[str, Value] | None = None,
    function: str = "Cursor.f(int)",
) -> Pin:
    held = before or {}
    left = {**held, **(after or {})}
    named = tuple((f"a{i}", value) for i, value in enumerate(arguments))
    blocks = tuple(Block(name, name, value) for name, value in held.items())
    return Pin(function, named, blocks, Returned(result, tuple(left.items())), ORIGIN)


def threw(detail: str = ILLEGAL, arguments: Sequence[Value] = (), exact: bool = True, **before: Value) -> Pin:
    one = pin(None, arguments, before)
    return Pin(one.function, one.arguments, one.blocks, Failed("exception", detail, one.outcome.after, exact), ORIGIN)


def short(value: Value) -> object:
    match value:
        case Integer():
            return value.value
        case Floating():
            return value.number
        case Text():
            return f'"{value.value}"'
        case Constant():
            return value.name
        case Null():
            return "null"
        case Pointer():
            return "&" + value.block
        case Array():
            return [short(element) for element in value.elements]
    return "?"


def wrong_of(one: Pin, location: Location = RESULT, others: Sequence[Pin] = (), **known: object) -> list[object]:
    found = mutants_of(one, others, **known)  # type: ignore[arg-type]
    return [short(m.wrong) for m in found if m.location == location]


MODES = {"p.Mode": ["SLOW", "FAST", "OFF"]}


@pytest.mark.parametrize(
    ("right", "expected"),
    [
        pytest.param(num(7), [8, 6, 0, 2**31 - 1, -(2**31), 9, 5], id="int"),
        pytest.param(num(-(2**63), "long"), [1 - 2**63, 0, 2**63 - 1, 2 - 2**63], id="least long"),
        pytest.param(num(127, "byte"), [126, 0, -128, 125], id="largest byte"),
        pytest.param(truth(True), [0], id="true"),
        pytest.param(truth(False), [1], id="false"),
        pytest.param(char("a"), [98, 96, 0, 65535, 99, 95], id="char"),
        pytest.param(double(0.5), [1.5, -0.5, 0.0, 0.25], id="double"),
        pytest.param(num(0, "java.lang.Integer"), [1, -1, 2**31 - 1, -(2**31), 2, -2, "null"], id="boxed int"),
        pytest.param(num(1, "java.lang.Boolean"), [0, "null"], id="boxed boolean"),
        pytest.param(Floating.of(0.0, "java.lang.Double", 64), [1.0, -1.0, "null"], id="boxed double"),
        pytest.param(Text("abc"), ['"bbc"', '"abd"', '"ab"', '"abcc"', '""', "null"], id="string"),
        pytest.param(Text("z"), ['"y"', '""', '"zz"', "null"], id="string of one letter, the last of its kind"),
        pytest.param(Text(""), ['"a"', "null"], id="empty string"),
        pytest.param(
            Text("\ud83d\ude00"),
            ['"\ud83c\ude00"', '"\ud83d\uddff"', '"\ud83d"', '"\ud83d\ude00\ude00"', '""', "null"],
            id="code units of a pair",
        ),
        pytest.param(Constant("FAST", "p.Mode"), ["SLOW", "OFF", "null"], id="enum constant"),
        pytest.param(Constant("A", "p.Other"), ["null"], id="enum constant whose others are not known"),
        pytest.param(null(STRING), ['"a"', '""'], id="null string"),
        pytest.param(null("java.lang.Integer"), [0, 1], id="null boxed"),
        pytest.param(null("java.lang.Double"), [0.0], id="null boxed double"),
        pytest.param(null("p.Mode"), ["SLOW", "FAST", "OFF"], id="null enum"),
        pytest.param(null("p.Cursor"), [], id="null and no object of that type"),
        pytest.param(Unknown("int"), [], id="unknown"),
        pytest.param(Unknown("int", (num(3),)), [3], id="known not to be"),
        pytest.param(Unknown(STRING, (null(STRING), Text("a"))), ["null", '"a"'], id="known not to be null"),
    ],
)
def test_wrong_results(right: Value, expected: list[object]) -> None:
    assert wrong_of(pin(right), constants=MODES) == expected


X, Y, SAME = ints(1, 2), ints(1, 3), ints(1, 2)


@pytest.mark.parametrize(
    ("right", "before", "expected"),
    [
        pytest.param(ref("x"), {"x": X, "y": Y}, ["&y", "null"], id="another array of other content"),
        pytest.param(ref("x"), {"x": X, "y": SAME}, ["null"], id="an array of equal content is no certain mistake"),
        pytest.param(ref("x"), {"x": X, "y": ints(1)}, ["&y", "null"], id="another length"),
        pytest.param(ref("x"), {"x": X, "y": Array("long", (num(9, "long"),))}, ["null"], id="not of another type"),
        pytest.param(
            ref("x", "p.Cursor"),
            {"x": cursor(pos=num(1), next=null("p.Cursor")), "y": cursor(pos=num(2), next=null("p.Cursor"))},
            ["&y", "null"],
            id="another object",
        ),
        pytest.param(
            ref("x", "p.Cursor"),
            {"x": cursor(next=ref("x", "p.Cursor")), "y": cursor(next=ref("y", "p.Cursor"))},
            ["null"],
            id="objects that differ in references alone",
        ),
        pytest.param(
            ref("x", "p.Cursor"), {"x": cursor(n=num(1)), "y": cursor(n=Unknown("int"))}, ["null"], id="unknown content"
        ),
        pytest.param(
            ref("x"),
            {"x": ints(0), "y1": ints(1), "y2": ints(2), "y3": ints(3)},
            ["&y1", "&y2", "null"],
            id="two are enough",
        ),
        pytest.param(null("int[]"), {"x": X, "c": cursor()}, ["&x"], id="an array for null"),
        pytest.param(null("p.Cursor"), {"x": X, "c": cursor()}, ["&c"], id="an object for null"),
        pytest.param(ref("gone"), {"x": X}, ["null"], id="an object that is not shown"),
    ],
)
def test_wrong_references(right: Value, before: dict[str, Value], expected: list[object]) -> None:
    assert wrong_of(pin(right, before=before)) == expected


# ---- memory ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        pytest.param(ints(4, 5), [[4], [4, 5, 5]], id="one less, one more"),
        pytest.param(ints(), [[0]], id="of no elements"),
        pytest.param(Array(STRING, ()), [['""']], id="of no strings"),
        pytest.param(Array("int[]", ()), [["null"]], id="of no arrays"),
        pytest.param(Array("java.lang.Object", (Text("a"),), "list"), [[], ['"a"', '"a"']], id="a list"),
    ],
)
def test_lengths_of_fresh_arrays(made: Array, expected: list[object]) -> None:
    one = pin(ref("n"), after={"n": made})
    assert wrong_of(one, Location("n", ())) == expected
    for mutant in mutants_of(one):
        assert mutated(one.outcome, mutant) != one.outcome


def test_lengths_of_arrays_that_were_there_stay() -> None:
    assert Location("x", ()) not in {m.location for m in mutants_of(pin(None, [ref("x")], {"x": X}, {"x": Y}))}


def test_contents_before_the_reference_itself() -> None:
    one = pin(ref("n", "int[][]"), after={"n": Array("int[]", (ref("m"),)), "m": ints(4)})
    order = list(dict.fromkeys(m.location for m in mutants_of(one)))
    assert order == [Location("n", ()), Location("m", (0,)), Location("m", ()), Location("n", (0,)), RESULT]


def test_objects_that_nothing_reaches_are_not_mutated() -> None:
    one = pin(num(1), [CURSOR], {"c": cursor(pos=num(1))}, {"garbage": ints(1)})
    assert {m.location.block for m in mutants_of(one)} == {None, "c"}


def test_a_fresh_object_in_a_field_is_mutated() -> None:
    one = pin(None, [CURSOR], {"c": cursor(cells=null("int[]"))}, {"c": cursor(cells=ref("n")), "n": ints(1)})
    assert Location("n", (0,)) in {m.location for m in mutants_of(one)}


def test_fields_are_untouched_one_by_one() -> None:
    one = pin(None, [CURSOR], {"c": cursor(pos=num(1), limit=num(9))}, {"c": cursor(pos=num(2), limit=num(9))})
    assert {(m.location.path, m.untouched) for m in mutants_of(one)} == {(("pos",), False), (("limit",), True)}


def test_elements_of_a_written_array_are_written_together() -> None:
    one = pin(None, [ref("x")], {"x": X}, {"x": Y})
    assert {m.untouched for m in mutants_of(one)} == {False}


def test_final_fields_of_objects_that_were_there_are_not_mutated() -> None:
    before = {"c": cursor(pos=num(1), limit=num(9))}
    one = pin(ref("n", "p.Cursor"), [CURSOR], before, {"n": cursor(pos=num(1), limit=num(9))})
    found = {(m.location.block, m.location.path) for m in mutants_of(one, finals={"limit"})}
    assert found == {("c", ("pos",)), ("n", ("pos",)), ("n", ("limit",)), (None, ())}


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        pytest.param(Array(STRING, (Text("b"),), "list"), [[], ['"b"', '"b"']], id="a written list: its length"),
        pytest.param(Array(STRING, (Text("a"),), "list"), [], id="an untouched list: no frame could exclude it"),
    ],
)
def test_lists(after: Array, expected: list[object]) -> None:
    one = pin(None, [ref("l", "java.util.List")], {"l": Array(STRING, (Text("a"),), "list")}, {"l": after})
    assert wrong_of(one, Location("l", ())) == expected
    assert any(m.location == Location("l", (0,)) for m in mutants_of(one)) == bool(expected)


def test_static_fields_are_mutated() -> None:
    block = Block("s", "p.Cursor.count", num(1), program="p.Cursor.count")
    one = Pin("Cursor.f()", (), (block,), Returned(None, (("s", num(2)),)), ORIGIN)
    assert wrong_of(one, Location("s", ()))[0] == 3


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        pytest.param("Cursor.Cursor(int)", True, id="constructor"),
        pytest.param("Outer.Inner.Inner()", True, id="of an inner class"),
        pytest.param("Outer$1Local.Local(int[])", True, id="of a local class"),
        pytest.param("Cursor.of(int)", False, id="factory"),
        pytest.param("Outer.Inner.Outer()", False, id="called like the outer class"),
        pytest.param("cursor", False, id="C function"),
        pytest.param("", False, id="no name"),
    ],
)
def test_constructors(function: str, expected: bool) -> None:
    one = pin(ref("n", "p.Cursor"), after={"n": cursor(pos=num(1))}, function=function)
    assert is_constructor(one) == expected
    # The new object cannot be null or another one.
    if function.endswith(")"):
        assert any(m.location == RESULT for m in mutants_of(one)) == (not expected)


@pytest.mark.parametrize(
    ("function", "language"),
    [pytest.param("Cursor.f(int[], int)", "java", id="signature"), pytest.param("find_first", "c", id="bare name")],
)
def test_language(function: str, language: str) -> None:
    assert language_of(pin(function=function)) == language


# ---- ends ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "exceptions", "expected"),
    [
        pytest.param(pin(num(1)), [ILLEGAL, NPE], [ILLEGAL, NPE], id="exceptions for a return"),
        pytest.param(pin(num(1)), [], [], id="none known"),
        pytest.param(pin(num(1)), [NPE, NPE], [NPE], id="each once"),
        pytest.param(threw(), [ILLEGAL, NPE], ["return", NPE], id="a return or another type for an exception"),
        pytest.param(threw(exact=False), [NPE], ["return"], id="not exact: another type may be a subtype"),
        pytest.param(threw(""), [NPE], [], id="a type that is not known"),
        pytest.param(
            Pin("Cursor.f()", (), (), Failed("timeout"), ORIGIN),
            [NPE],
            [],
            id="a call that did not end is no exception",
        ),
    ],
)
def test_exits(one: Pin, exceptions: list[str], expected: list[str]) -> None:
    found = exit_mutants(one, exceptions)
    assert [m.exit for m in found] == expected
    assert {m.location for m in found} <= {EXIT}


def test_mutated_exits() -> None:
    returned = pin(num(1), [CURSOR], {"c": cursor(pos=num(1))}, {"c": cursor(pos=num(2))})
    [throws] = exit_mutants(returned, [NPE])
    assert mutated(returned.outcome, throws) == Failed("exception", NPE, returned.outcome.after)
    failed = threw(c=cursor(pos=num(1)))
    [returns] = exit_mutants(failed, [])
    assert mutated(failed.outcome, returns) == Returned(Unknown(""), failed.outcome.after)


# ---- twins -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "left"),
    [
        pytest.param(pin(num(1), [num(5)]), threw(NPE, [num(5)]), [], id="the same input throws and returns"),
        pytest.param(pin(num(1), [num(5)]), threw(NPE, [num(6)]), [ILLEGAL, NPE], id="another input"),
        pytest.param(pin(num(1), [num(5)]), threw(NPE, [Unknown("int")]), [ILLEGAL], id="perhaps the same input"),
        pytest.param(
            pin(num(1), [num(5)]),
            threw(NPE, [Unknown("int")], exact=False),
            [],
            id="perhaps the same input, or a subtype",
        ),
        pytest.param(threw(NPE, [num(5)]), threw(NPE, [num(5)]), ["return", ILLEGAL], id="the same exception twice"),
        pytest.param(threw(NPE, [num(5)]), pin(num(1), [Unknown("int")]), [ILLEGAL], id="perhaps it returns"),
        pytest.param(threw(NPE, [num(5)]), threw(ILLEGAL, [num(5)]), [], id="two exceptions"),
        pytest.param(pin(num(1), [num(5)]), pin(num(1), [num(5)]), [ILLEGAL, NPE], id="the same return twice"),
        pytest.param(
            pin(num(1), [CURSOR], {"c": cursor(pos=num(1))}),
            threw(NPE, [ref("d", "p.Cursor")], d=cursor(pos=num(1))),
            [],
            id="equal objects",
        ),
        pytest.param(
            pin(num(1), [CURSOR], {"c": cursor(pos=num(1))}),
            threw(NPE, [ref("d", "p.Sub")], d=obj("p.Sub", pos=num(1))),
            [ILLEGAL, NPE],
            id="objects of two classes are no equal inputs",
        ),
        pytest.param(
            pin(num(1), [Text("a", STRING, "s1")]), threw(NPE, [Text("a", STRING, "s2")]), [], id="equal strings"
        ),
        pytest.param(pin(num(1), [Text("a")]), threw(NPE, [Text("b")]), [ILLEGAL, NPE], id="other strings"),
        pytest.param(
            pin(num(1), [Constant("A", "p.M")]),
            threw(NPE, [Constant("B", "p.M")]),
            [ILLEGAL, NPE],
            id="other constants",
        ),
    ],
)
def test_ends_of_twins(one: Pin, other: Pin, left: list[str]) -> None:
    assert [m.exit for m in exit_mutants(one, [ILLEGAL, NPE], [one, other])] == left


def test_nothing_is_wrong_where_the_same_input_also_throws() -> None:
    one = pin(num(1), [num(5)])
    assert mutants_of(one, [one, threw(NPE, [num(5)])]) == ()
    assert mutants_of(one, [one, threw(NPE, [num(6)])]) != ()


def made(right: Value, *others: Value, name: str = "n") -> Pin:
    nested = {f"{name}{i}": other for i, other in enumerate(others)}
    return pin(ref(name), [num(5)], after={name: right, **nested})


@pytest.mark.parametrize(
    ("one", "other", "location", "expected"),
    [
        pytest.param(
            made(ints(1)), made(ints(1), name="k"), Location("n", (0,)), True, id="the same fresh array twice"
        ),
        pytest.param(made(ints(1)), made(ints(2), name="k"), Location("n", (0,)), False, id="hidden state decides"),
        pytest.param(made(ints(1)), made(ints(1, 2), name="k"), Location("n", ()), False, id="it decides the length"),
        pytest.param(made(ints(1)), made(ints(1), name="k"), Location("n", ()), True, id="the same length"),
        pytest.param(
            made(Array("int[]", (ref("n0"),)), ints(1)),
            made(Array("int[]", (ref("k0"),)), ints(2), name="k"),
            Location("n0", (0,)),
            False,
            id="it decides within",
        ),
        pytest.param(
            made(Array("int[]", (ref("n0"),)), ints(1)),
            made(Array("int[]", (ref("k0"),)), ints(1), name="k"),
            Location("n0", (0,)),
            True,
            id="the same within",
        ),
        pytest.param(made(ints(1)), pin(null("int[]"), [num(5)]), RESULT, False, id="null in the other test"),
        pytest.param(pin(Text("a"), [num(5)]), pin(Text("b"), [num(5)]), RESULT, False, id="strings"),
        pytest.param(
            pin(Text("a", STRING, "s1"), [num(5)]),
            pin(Text("a", STRING, "s2"), [num(5)]),
            RESULT,
            True,
            id="equal strings",
        ),
        pytest.param(
            pin(Constant("A", "p.M"), [num(5)]), pin(Constant("B", "p.M"), [num(5)]), RESULT, False, id="constants"
        ),
    ],
)
def test_outcomes_of_twins(one: Pin, other: Pin, location: Location, expected: bool) -> None:
    assert any(m.location == location for m in mutants_of(one, [one, other])) == expected


def test_what_perhaps_the_same_call_gives_is_not_wrong() -> None:
    one, other = pin(Text("abc"), [num(5)]), pin(Text("bbc"), [Unknown("int")])
    assert wrong_of(one, others=[other]) == ['"abd"', '"ab"', '"abcc"', '""', "null"]
    longer = pin(ref("k"), [Unknown("int")], after={"k": ints(1)})
    assert wrong_of(made(ints(1, 2)), Location("n", ()), [longer]) == [[1, 2, 2]]


def test_every_mutant_changes_its_place_alone() -> None:
    before = {"c": cursor(pos=num(1), text=Text("a"), next=ref("d", "p.Cursor")), "d": cursor(pos=num(2))}
    after = {"c": cursor(pos=num(2), text=Text("b"), next=ref("n", "p.Cursor")), "n": cursor(pos=num(3))}
    one = pin(ref("n", "p.Cursor"), [CURSOR], before, after)
    found = (*mutants_of(one), *exit_mutants(one, [NPE]))
    assert len(set(found)) == len(found) > 20
    assert len({repr(mutated(one.outcome, mutant)) for mutant in found}) == len(found)
    assert all(isinstance(mutant, Mutant) and mutant.right != mutant.wrong for mutant in found)
    assert isinstance(dict(one.outcome.after)["c"], Struct)
