"""Where null is no wrong outcome of a contract, since the classes themselves say that it is none: a table."""

from __future__ import annotations

from dataclasses import replace

import pytest
from clausefit.hook.java.contracts import JavaSettings, effective
from clausefit.hook.java.nullness import NonNullPlaces
from clausefit.hook.java.project import JavaProject
from clausefit.hook.mutants import Location, Mutant
from clausefit.hook.pins.values import Array, Block, Null, Origin, Pin, Pointer, Returned, Struct, Text, Value

ORIGIN = Origin("recorded", "T.t", "T.java", 3)
DEFAULT, NULLABLE = JavaSettings(), JavaSettings(nonnull_by_default=False)
FIELD = Location("b0", ("names",))
ELEMENT = Location("b1", (0,))
WORD = "java.lang.String"


def forbids(
    member: str,
    location: Location = FIELD,
    settings: JavaSettings = DEFAULT,
    head: str = "class C",
    *,
    owner: str = "C",
    wrong: Value = Null(WORD),  # noqa: B008 - frozen
    argument: bool = False,
) -> bool:
    """Whether null is forbidden in a call of f on an object whose field ``names`` (or argument) is an array."""
    text = f"{head} {{ {member}\n/*@ ensures true; @*/ void f(String[] words) {{ }} }}"
    files = {"C.java": text, "D.java": "class D extends C { }"}
    project = JavaProject(files.get, files)
    source = project.source("C.java")
    assert source is not None
    (own,) = source.contracts
    (found,) = project.classes("C.java")
    contract = effective(project, found, own, settings)
    array = Pointer("b1", (), "java.lang.String[]")
    whole = Struct(owner, (("names", Null("java.lang.String[]") if argument else array),))
    blocks = (Block("b0", "c", whole), Block("b1", "names", Array(WORD, (Text("a"),))), Block("b2", "k", Text("a")))
    blocks = (*blocks[:2], replace(blocks[2], program="C.names"))
    arguments = (("this", Pointer("b0", (), owner)), ("words", array if argument else Null("java.lang.String[]")))
    pin = Pin("C.f(String[])", arguments, blocks, Returned(None, tuple((b.id, b.value) for b in blocks)), ORIGIN)
    return NonNullPlaces(project, found, contract, settings).forbids(pin, Mutant(location, Text("a"), wrong, True))


NONE = "String[] names;"
SAID = "/*@ non_null @*/ String[] names;"
MAY = "/*@ nullable @*/ String[] names;"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param(lambda: forbids(NONE), True, id="a field is non-null by default"),
        pytest.param(lambda: forbids(SAID, settings=NULLABLE), True, id="declared non-null"),
        pytest.param(lambda: forbids("private @NonNull String[] names;", settings=NULLABLE), True, id="annotated"),
        pytest.param(lambda: forbids(MAY), False, id="nullable"),
        pytest.param(lambda: forbids("@Nullable String[] names;"), False, id="annotated as nullable"),
        pytest.param(lambda: forbids("@javax.annotation.CheckForNull String[] names;"), False, id="a full name"),
        pytest.param(lambda: forbids(NONE, settings=NULLABLE), False, id="the setting says nullable by default"),
        pytest.param(lambda: forbids(NONE, head="/*@ nullable_by_default @*/ class C"), False, id="the class says so"),
        pytest.param(
            lambda: forbids(NONE, settings=NULLABLE, head="@NonNullByDefault class C"), True, id="the class: non-null"
        ),
        pytest.param(lambda: forbids(MAY, owner="D"), False, id="an inherited field is as its own class says"),
        pytest.param(lambda: forbids(NONE, owner="D"), True, id="an inherited field by default"),
        pytest.param(lambda: forbids(NONE, owner="lib.Unread"), True, id="a class that is not there: the default"),
        pytest.param(lambda: forbids(f"static {MAY}", Location("b2", ())), False, id="a static field, nullable"),
        pytest.param(lambda: forbids(f"static {NONE}", Location("b2", ())), True, id="a static field"),
        pytest.param(lambda: forbids(NONE, ELEMENT), True, id="elements are as the field that holds the array"),
        pytest.param(lambda: forbids(MAY, ELEMENT), False, id="elements where the field is nullable"),
        pytest.param(lambda: forbids(NONE, ELEMENT, argument=True), True, id="elements of an argument"),
        pytest.param(
            lambda: forbids(NONE, ELEMENT, NULLABLE, argument=True), False, id="elements of a nullable argument"
        ),
        pytest.param(lambda: forbids(NONE, wrong=Pointer("b9", (), "x")), False, id="another reference is a mistake"),
        pytest.param(lambda: forbids(NONE, Location(None, ())), False, id="of the result a clause speaks"),
    ],
)
def test_where_null_is_forbidden_already(asked: object, expected: bool) -> None:
    assert callable(asked)
    assert asked() is expected
