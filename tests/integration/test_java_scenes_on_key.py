"""Facts of pinned Java calls on the real KeY: it takes them, they do not contradict each other, right clauses over them
are proved and wrong ones refuted.

Only the facts are given here, not the data, so nothing is evaluated: what is decided KeY proved.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from clausefit.hook.contracts.model import Contract
from clausefit.hook.java.scenes import JavaStub, cell_text, java_stub
from clausefit.hook.mutants import Mutant, exit_mutants, mutants_of
from clausefit.hook.pins.values import Array, Constant, Pin, Text, Unknown, Value
from clausefit.verifiers.key_driver import KeyDriver, KeyOutcome, KeyQuestion, KeyScene, KeySkeleton
from clausefit.verifiers.key_tools import install
from clausefit.verifiers.protocol import Polarity

sys.path.insert(0, str(Path(__file__).parents[1] / "unit"))
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

SKELETON = {
    "p/Cursor.java": """package p; public class Cursor {
        public int pos; public boolean again; public p.Cursor next; public p.Shape shape; public java.lang.String text;
        public java.lang.Object any; public int[] cells; public int[][] grid; public long big; public byte small;
        public char letter; public short brief; public double weight; public java.lang.Integer boxed;
        public java.lang.String[] words; public p.Mode mode;
        public static int count; public static int[] shared; }""",
    "p/Shape.java": "package p; public class Shape { public int sides; }",
    "p/Circle.java": "package p; public class Circle extends p.Shape { public int radius; }",
    "p/Mode.java": "package p; public class Mode { }",
}
KNOWN = {name.removesuffix(".java").replace("/", ".") for name in SKELETON} | {
    STRING,
    ILLEGAL,
    "java.lang.NullPointerException",
    "java.lang.Integer",
    "boolean",
    "byte",
    "char",
    "short",
    "int",
    "long",
}


def erased(type_text: str) -> str:
    """As the skeleton's: known types with their package, ``java.lang.Object`` for the others."""
    name, bracket, dimensions = type_text.partition("[")
    short = {known.rpartition(".")[2]: known for known in KNOWN}
    return short.get(name.partition("<")[0].rpartition(".")[2], "java.lang.Object") + bracket + dimensions


class Case(NamedTuple):
    contract: Contract
    pin: Pin
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    mutants: tuple[Mutant, ...] = ()


def case(
    declaration: str,
    arguments: dict[str, Value],
    before: dict[str, Value],
    right: Sequence[str],
    wrong: Sequence[str],
    **outcome: object,
) -> Case:
    contract = method(declaration)
    pin = called(contract, arguments, before, **outcome)  # type: ignore[arg-type]
    return Case(contract, pin, tuple(right), tuple(wrong))


THIS = {"this": ref("c", "p.Cursor")}
GRID = Array("int[]", (ref("r0"), ref("r1")))
SAME = Text("ab", STRING, "s1")

CASES: dict[str, Case] = {
    "array written in place": case(
        "static void set(int[] a, int i)",
        {"a": ref("x"), "i": num(1)},
        {"x": ints(4, -5, 6)},
        [
            r"a[i] == \old(a[i]) + 12",
            r"a[0] == \old(a[0]) && a.length == 3",
            r"(\forall int k; 0 <= k && k < 3; a[k] > 3)",
        ],
        [r"a[1] == \old(a[1])", r"a.length == 4", r"a == null"],
        after={"x": ints(4, 7, 6)},
    ),
    "empty array": case(
        "static int f(int[] a)",
        {"a": ref("x")},
        {"x": ints()},
        [r"a.length == 0 && \result == 0"],
        [r"a.length > 0"],
        result=num(0),
    ),
    "two names of one array": case(
        "static void copy(int[] a, int[] b)",
        {"a": ref("x"), "b": ref("x")},
        {"x": ints(1, 2)},
        [r"a == b", r"b[0] == 9 && \old(b[0]) == 1"],
        [r"a != b", r"b[0] == 1"],
        after={"x": ints(9, 2)},
    ),
    "two arrays of one content": case(
        "static void copy(int[] a, int[] b)",
        {"a": ref("x"), "b": ref("y")},
        {"x": ints(1), "y": ints(1)},
        [r"a != b", r"a[0] == 2 && b[0] == 1"],
        [r"a == b", r"b[0] == 2"],
        after={"x": ints(2)},
    ),
    "array of arrays": case(
        "static void set(int[][] g)",
        {"g": ref("g", "int[][]")},
        {"g": GRID, "r0": ints(-(2**31), 5), "r1": ints(7)},
        [r"g[0][1] == \old(g[0][1]) + 1", r"g.length == 2 && g[1].length == 1", r"g[0] == \old(g[0]) && g[0] != g[1]"],
        [r"g[1][0] == 8", r"g[0] == g[1]", r"\fresh(g[0])"],
        after={"r0": ints(-(2**31), 6)},
    ),
    "one row in two places": case(
        "static void set(int[][] g)",
        {"g": ref("g", "int[][]")},
        {"g": Array("int[]", (ref("r0"), ref("r0"), null("int[]"))), "r0": ints(1)},
        [r"g[0] == g[1]", r"g[1][0] == 3", r"g[2] == null"],
        [r"g[1][0] == 1", r"g[2] != null"],
        after={"r0": ints(3)},
    ),
    "fields of the receiver": case(
        "int advance(int n)",
        {**THIS, "n": num(-5)},
        {"c": cursor(pos=num(3), again=truth(True), next=null("p.Cursor"))},
        [r"pos == \old(pos) + 1 && !again", r"\old(again) && next == null", r"\result == this.pos && n == -5"],
        [r"pos == \old(pos)", r"again", r"next != null"],
        result=num(4),
        after={"c": cursor(pos=num(4), again=truth(False), next=null("p.Cursor"))},
    ),
    "a ring of two objects": case(
        "Cursor after(Cursor o)",
        {**THIS, "o": ref("d", "p.Cursor")},
        {"c": cursor(pos=num(1), next=ref("d", "p.Cursor")), "d": cursor(pos=num(2), next=ref("c", "p.Cursor"))},
        [r"next == o && o.next == this && o != this", r"\result == o", r"\old(o.next.pos) == 1 && o.next.pos == 10"],
        [r"\result == this", r"o.next == o", r"\fresh(\result)"],
        result=ref("d", "p.Cursor"),
        after={"c": cursor(pos=num(10), next=ref("d", "p.Cursor"))},
    ),
    "an object that no parameter names": case(
        "int f()",
        THIS,
        {"c": cursor(cells=ref("x"), shape=ref("s", "p.Shape")), "x": ints(1, 2), "s": obj("p.Circle", radius=num(3))},
        [r"cells[1] == 2", r"shape instanceof p.Circle", r"((p.Circle) shape).radius == 4", r"\result == cells.length"],
        [r"cells[1] == 1", r"((p.Circle) shape).radius == 3", r"cells == null"],
        result=num(2),
        after={"s": obj("p.Circle", radius=num(4))},
    ),
    "a parameter of a wider type": case(
        "static int f(Shape s)",
        {"s": ref("s", "p.Shape")},
        {"s": obj("p.Circle", radius=num(3), sides=num(0))},
        [r"s instanceof p.Circle", r"((p.Circle) s).radius == \result", r"s.sides == \old(s.sides) + 1"],
        [r"\typeof(s) == \type(p.Shape)", r"s.sides == 0"],
        result=num(3),
        after={"s": obj("p.Circle", radius=num(3), sides=num(1))},
    ),
    "static fields": case(
        "static int next()",
        {},
        {"x": ints(1)},
        [r"count == \old(count) + 1", r"p.Cursor.count == 10", r"shared.length == 1 && shared[0] == 1"],
        [r"count == 9", r"shared == null"],
        result=num(10),
        statics={"p.Cursor.count": (num(9), num(10)), "p.Cursor.shared": (ref("x"), ref("x"))},
    ),
    "strings are contents": case(
        "static String f(String s, String t)",
        {"s": Text("abc"), "t": Text("abc")},
        {},
        [r"s.length() == 3", r"s.charAt(1) == 'b'", r"\result.equals(s)", r"\result != null && t != null"],
        [r"s.length() == 2", r"s.charAt(1) == 'c'", r"\result.isEmpty()"],
        result=Text("abc"),
    ),
    "one string in two places": case(
        "String f(String s)",
        {**THIS, "s": SAME},
        {"c": cursor(text=SAME, any=SAME)},
        [r"\result == s && text == s && any == s", r"text.length() == 2"],
        [r"\result != s", r"text == null"],
        result=SAME,
    ),
    "strings with escapes": case(
        "static String f(String s)",
        {"s": Text('a"\\\n\t\0')},
        {},
        [r"s.length() == 6", r"s.charAt(1) == 34", r"s.charAt(2) == 92", r"s.charAt(3) == 10", r"s.charAt(5) == 0"],
        [r"s.length() == 5", r"s.charAt(4) == 10"],
        result=Text(""),
    ),
    "strings beyond ASCII": case(
        "static String f(String s)",
        {"s": Text("é\ud83d\ude00\udc00")},
        {},
        [r"s.length() == 4", r"s.charAt(0) == 233", r"s.charAt(1) == 55357", r"\result.length() == 1"],
        [r"s.length() == 2", r"\result.charAt(0) == 233"],
        result=Text("\u20ac"),
    ),
    "strings in fields and arrays": case(
        "void f()",
        THIS,
        {
            "c": cursor(text=Text("x"), words=ref("w", "java.lang.String[]")),
            "w": Array(STRING, (Text("yz"), null(STRING))),
        },
        [r"\old(text).length() == 1", r"text.length() == 2", r"words[0].length() == 2", r"words[1] == null"],
        [r"text.length() == 1", r"words[0] == null"],
        after={"c": cursor(text=Text("xx"), words=ref("w", "java.lang.String[]"))},
    ),
    "null arguments and result": case(
        "static String f(String s, int[] a, Cursor c)",
        {"s": null(STRING), "a": null("int[]"), "c": null("p.Cursor")},
        {},
        [r"s == null && a == null && c == null && \result == null"],
        [r"s != null", r"\result != null"],
        result=null(STRING),
    ),
    "smallest and largest values": case(
        "long f(long l, byte b, short s, char c, boolean z)",
        {
            **THIS,
            "l": num(-(2**63), "long"),
            "b": num(-128, "byte"),
            "s": num(-32768, "short"),
            "c": char("\uffff"),
            "z": truth(False),
        },
        {"c": cursor(big=num(2**63 - 1, "long"), small=num(127, "byte"), letter=char("\0"), brief=num(-1, "short"))},
        [
            r"l < 0 && l + 1 == -9223372036854775807L",
            r"b == -128 && s == -32768 && c == '\uffff' && !z",
            r"\result == l - 1 && \old(small) == 127 && small == -128",
            r"letter == 0 && big == 9223372036854775807L",
        ],
        [r"b == 128", r"c < 0", r"z", r"small == 127"],
        result=num(2**63 - 1, "long"),
        after={
            "c": cursor(big=num(2**63 - 1, "long"), small=num(-128, "byte"), letter=char("\0"), brief=num(-1, "short"))
        },
    ),
    "a fresh array": case(
        "static int[] f(int[] a)",
        {"a": ref("x")},
        {"x": ints(1, 2)},
        [r"\fresh(\result) && \result != a", r"\result.length == a.length && \result[1] == a[1]"],
        [r"\result == a", r"\result[0] == 2", r"!\fresh(\result)"],
        result=ref("n"),
        after={"n": ints(1, 2)},
    ),
    "a fresh array of arrays": case(
        "static int[][] f()",
        {},
        {},
        [r"\result[0][0] == 4 && \result[1].length == 0", r"\fresh(\result[0]) && \result[0] != \result[1]"],
        [r"\result[0][0] == 5", r"\result[0] == \result[1]", r"\result.length == 1"],
        result=ref("n", "int[][]"),
        after={"n": Array("int[]", (ref("m"), ref("k"))), "m": ints(4), "k": ints()},
    ),
    "fresh objects that refer to each other": case(
        "Cursor f()",
        THIS,
        {"c": cursor(pos=num(1), next=null("p.Cursor"))},
        [
            r"\result.next.pos == 6 && \result.next.next == \result",
            r"next == \result.next && \fresh(next)",
            r"((p.Circle) \result.shape).radius == 7",
        ],
        [r"\result.next == \result", r"\result == this", r"((p.Circle) \result.shape).radius == 8"],
        result=ref("n", "p.Cursor"),
        after={
            "c": cursor(pos=num(1), next=ref("m", "p.Cursor")),
            "n": cursor(pos=num(5), next=ref("m", "p.Cursor"), shape=ref("s", "p.Shape")),
            "m": cursor(pos=num(6), next=ref("n", "p.Cursor")),
            "s": obj("p.Circle", radius=num(7)),
        },
    ),
    "a fresh object in a field of type Object": case(
        "Object f()",
        THIS,
        {"c": cursor(any=null("java.lang.Object"))},
        [r"((int[]) any)[1] == 3", r"\result == any", r"((int[]) \result).length == 2"],
        [r"((int[]) any)[1] == 4", r"any == null"],
        result=ref("n", "java.lang.Object"),
        after={"c": cursor(any=ref("n", "java.lang.Object")), "n": ints(2, 3)},
    ),
    "a constructor": Case(
        method("Cursor(int n) { }"),
        called(
            method("Cursor(int n) { }"),
            {"n": num(3)},
            {},
            ref("n", "p.Cursor"),
            {"n": cursor(pos=num(3), cells=ref("x")), "x": ints(0, 0)},
        ),
        (r"pos == n && cells.length == 2 && cells[0] == 0", r"this.pos == 3"),
        (r"pos == 4", r"cells == null"),
    ),
    "an exception": case(
        "int f(int n)",
        {**THIS, "n": num(-1)},
        {"c": cursor(pos=num(3))},
        [rf"cf_exc instanceof {ILLEGAL}", r"cf_exc instanceof java.lang.RuntimeException", r"pos == \old(pos) + 1"],
        [
            r"cf_exc instanceof java.lang.NullPointerException",
            rf"cf_exc instanceof {ILLEGAL} ==> n >= 0",
            r"cf_exc == null",
        ],
        throws=ILLEGAL,
        after={"c": cursor(pos=num(4))},
    ),
    "an exception of that type or a subtype": case(
        "int f(int n)",
        {**THIS, "n": num(-1)},
        {"c": cursor(pos=num(3))},
        [rf"cf_exc instanceof {ILLEGAL}"],
        [r"cf_exc instanceof java.lang.NullPointerException", r"cf_exc == null"],
        throws=ILLEGAL,
        exact=False,
    ),
    "values that KeY has no notion of": case(
        "double f(double d, Integer i)",
        {**THIS, "d": double(1.5), "i": num(7, "java.lang.Integer")},
        {
            "c": cursor(
                weight=double(-0.0), boxed=num(1, "java.lang.Integer"), mode=Constant("FAST", "p.Mode"), pos=num(1)
            )
        },
        [r"i != null && mode != null && boxed != null", r"pos == 1"],
        [r"i == null", r"mode == null", r"pos == 2"],
        result=double(0.0),
    ),
    "a list": case(
        "int size(java.util.List<String> xs)",
        {**THIS, "xs": ref("l", "java.util.List")},
        {"c": cursor(pos=num(1)), "l": Array("java.lang.Object", (Text("a"),), "list")},
        [r"xs != null", r"\result == 1"],
        [r"xs == null", r"\result == 2"],
        result=num(1),
    ),
}


@pytest.fixture(scope="module")
def skeleton(tmp_path_factory: pytest.TempPathFactory) -> KeySkeleton:
    folder = tmp_path_factory.mktemp("skeleton")
    for name, text in SKELETON.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return KeySkeleton(folder)


@pytest.fixture(scope="module")
def driver() -> Iterator[KeyDriver]:
    with KeyDriver(install(), memory_megabytes=1024) as made:
        yield made


def stub_of(one: Case) -> JavaStub:
    return java_stub("cf_p0", one.contract, one.pin, one.mutants, erased, "p.Cursor")


def scene_of(stub: JavaStub, questions: Sequence[KeyQuestion]) -> KeyScene:
    scene = stub.scene
    return KeyScene(
        class_name=scene.class_name,
        pins=scene.facts,
        questions=tuple(questions),
        variables=scene.variables,
        result=scene.result,
        exception=("java.lang.Throwable", "cf_exc"),
        is_static=scene.is_static,
        seconds=20.0,
        outcomes=tuple(KeyOutcome(one.name, one.facts) for one in scene.outcomes),
    )


@pytest.mark.parametrize("name", CASES)
def test_facts_decide_clauses(name: str, driver: KeyDriver, skeleton: KeySkeleton) -> None:
    one = CASES[name]
    stub = stub_of(one)
    expected = {**dict.fromkeys(one.right, "accepted"), **dict.fromkeys(one.wrong, "rejected")}
    polarities: dict[str, Polarity] = {"accepted": "accept", "rejected": "refute"}
    questions = [KeyQuestion(text, text, polarities[verdict], "right") for text, verdict in expected.items()]
    answer = driver.ask(skeleton, scene_of(stub, questions))
    assert {text: j.verdict for text, j in answer.judgements.items()} == expected, answer
    assert not answer.contradictory


UNDECIDED = {
    "an unknown cell": (
        case("static void f(int[] a)", {"a": ref("x")}, {"x": ints(1, 2)}, [], [],
             after={"x": Array("int", (num(1), Unknown("int")))}),
        r"a[1] == 2",
    ),
    "an unknown argument": (case("static void f(int n)", {"n": Unknown("int")}, {}, [], []), r"n == 2"),
    "which object a string is": (
        case("static String f(String s)", {"s": Text("ab")}, {}, [], [], result=Text("ab")), r"\result == s",
    ),
    "a subtype of an exception that is not exact": (
        case("static void f()", {}, {}, [], [], throws=ILLEGAL, exact=False),
        r"cf_exc instanceof java.lang.NumberFormatException",
    ),
    "a result that is only known not to be": (
        case("static int f()", {}, {}, [], [], result=Unknown("int", (num(3),))), r"\result == 4",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNDECIDED)
def test_what_a_test_does_not_show_stays_open(name: str, driver: KeyDriver, skeleton: KeySkeleton) -> None:
    one, clause = UNDECIDED[name]
    scene = scene_of(stub_of(one), [KeyQuestion("q", clause, "accept", "right")])
    answer = driver.ask(skeleton, scene)
    assert answer.judgements["q"].verdict == "undecided"
    assert answer.judgements["q"].reason in ("unknown", "timeout"), answer


def test_a_result_that_is_known_not_to_be(driver: KeyDriver, skeleton: KeySkeleton) -> None:
    one, _clause = UNDECIDED["a result that is only known not to be"]
    answer = driver.ask(skeleton, scene_of(stub_of(one), [KeyQuestion("q", r"\result == 3", "refute", "right")]))
    assert answer.judgements["q"].verdict == "rejected"


MUTATED = ["array written in place", "fields of the receiver", "a fresh array of arrays", "strings are contents",
           "fresh objects that refer to each other", "static fields", "a constructor"]  # fmt: skip


@pytest.mark.parametrize("name", MUTATED)
def test_mutants_are_other_outcomes_and_none_is_contradictory(
    name: str, driver: KeyDriver, skeleton: KeySkeleton
) -> None:
    """What is true of the right outcome in full is false of every mutant, and each mutant's facts can be met."""
    one = CASES[name]
    mutants = (*mutants_of(one.pin)[:24], *exit_mutants(one.pin, [ILLEGAL]))
    stub = stub_of(one._replace(mutants=mutants))
    right = next(outcome.facts for outcome in stub.scene.outcomes if outcome.name == "right")
    questions = []
    for mutant in mutants:
        outcome = stub.outcome_name(mutant)
        questions.append(KeyQuestion(outcome, right, "refute", outcome, True))
        questions.append(KeyQuestion(f"{outcome} contradictory", "false", "accept", outcome, True))
    answer = driver.ask(skeleton, scene_of(stub, questions))
    said = {name: judgement.verdict for name, judgement in answer.judgements.items()}
    assert said == {name: "undecided" if name.endswith("contradictory") else "rejected" for name in said}, stub


def test_cells_are_places_that_key_knows(driver: KeyDriver, skeleton: KeySkeleton) -> None:
    one = CASES["a ring of two objects"]
    stub = stub_of(one)
    cells = [cell_text(stub, location) for location in stub.changed]
    assert cells == ["this.pos"]
    questions = [KeyQuestion("q", f"{cells[0]} != \\old({cells[0]})", "accept", "right")]
    assert driver.ask(skeleton, scene_of(stub, questions)).judgements["q"].verdict == "accepted"
