"""Recorded pins of a contract: which count, which are stale, and what is said of the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from clausefit.hook.changes import All, changes
from clausefit.hook.config import Config
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.java import read_java
from clausefit.hook.contracts.model import Contract
from clausefit.hook.java.test_pins import collect_java
from clausefit.hook.java.work import java_work_of
from clausefit.hook.pins.junit_xml import PassedTests
from clausefit.hook.pins.stored import StoredPin, path_of, to_yaml
from clausefit.hook.pins.values import (
    Array,
    Block,
    Constant,
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
    Text,
    Unknown,
    Value,
)
from clausefit.hook.prepared import PinTable
from clausefit.hook.record.bodies import bodies_in
from clausefit.hook.record.settings import RecordSettings
from clausefit.hook.recorded_pins import RecordedPins, unseen
from clausefit.hook.recorded_values import misfit
from clausefit.hook.snapshots import WorkingTreeSnapshot

SOURCE = """/*@ ensures \\result == n; */
int f(int n) { return n; }
/*@ ensures \\result == 0; */
int g(void) { return 0; }
"""
TEST = "static void test_f(void **state) { check(f(1)); }\nstatic void test_g(void **state) { check(g()); }\n"
PINS = path_of("src/a.c")


def i32(value: int, type_name: str = "int") -> Integer:
    return Integer(value, type_name, 32, True)


ONE, TWO = i32(1), i32(2)


def call(
    value: int = 1, test: str = "test_f", file: str = "tests/t.c", function: str = "f", result: Value | None = None
) -> Pin:
    arguments = (("n", i32(value)),) if function == "f" else ()
    return Pin(function, arguments, (), Returned(result or i32(value), ()), Origin("recorded", test, file, 7))


class Project:
    """Files on the disk; ``table`` is what a run makes of the recorded calls of ``src/a.c``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("src/a.c", SOURCE)
        self.write("tests/t.c", TEST)

    def write(self, path: str, text: str | bytes) -> None:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)

    def record(self, *pins: Pin, source: str = "src/a.c") -> None:
        bodies = bodies_in(WorkingTreeSnapshot(self.folder))
        stored = [
            StoredPin(
                one, bodies.function(source, one.function) or "", bodies.test(one.origin.file, one.origin.test) or ""
            )
            for one in pins
        ]
        self.write(path_of(source), to_yaml(source, stored))

    def table(
        self,
        refused: Mapping[str, str] | None = None,
        source: str = "src/a.c",
        settings: RecordSettings | None = None,
    ) -> PinTable:
        table = PinTable()
        recorded = RecordedPins(WorkingTreeSnapshot(self.folder), settings)
        for contract in read_c((self.folder / source).read_text(), source).contracts:
            recorded.add(table, contract, lambda pin: (refused or {}).get(pin.origin.test))
        return table


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def found(table: PinTable) -> dict[str, int]:
    return {function: len(pins) for (_file, function), pins in table.pins.items()}


def said(table: PinTable) -> list[str]:
    return [f"{one.function}: {one.source}: {one.reason}" for every in table.ignored.values() for one in every]


STALE = f"f: {PINS}: 1 recorded call is stale: record again with `clausefit record -- …`"
STALE_2 = f"f: {PINS}: 2 recorded calls are stale: record again with `clausefit record -- …`"


def test_recorded_calls_are_pins_of_their_contracts(project: Project) -> None:
    project.record(call(1), call(2), call(function="g", test="test_g", result=i32(0)))
    table = project.table()
    assert found(table) == {"f": 2, "g": 1} and not table.ignored and not table.not_checked
    assert sorted(pin.arguments[0][1].value for pin in table.pins["src/a.c", "f"]) == [1, 2]  # type: ignore[union-attr]
    assert {pin.origin for pin in table.pins["src/a.c", "f"]} == {Origin("recorded", "test_f", "tests/t.c", 7)}


@pytest.mark.parametrize(
    ("settings", "left", "given"),
    [
        pytest.param(RecordSettings(exclude=("f",)), {"g": 1}, [], id="function"),
        pytest.param(RecordSettings(exclude_parameters=("f.n",)), {"f": 1, "g": 1}, [Unknown("int")], id="parameter"),
    ],
)
def test_what_is_excluded_now_is_in_no_report(
    settings: RecordSettings, left: dict[str, int], given: list[Value], project: Project
) -> None:
    project.record(call(1), call(function="g", test="test_g", result=i32(0)))
    table = project.table(settings=settings)
    assert found(table) == left and not table.ignored
    assert [pin.arguments[0][1] for pin in table.pins.get(("src/a.c", "f"), [])] == given


@pytest.mark.parametrize(
    ("file", "old", "new", "left", "lines"),
    [
        pytest.param("src/a.c", "return n;", "return n + 1;", {"g": 1}, [STALE_2], id="body"),
        pytest.param("src/a.c", "int f(int n)", "int f(long n)", {"g": 1}, [STALE_2], id="signature"),
        pytest.param("src/a.c", "return n;", "/* new */ return n;", {"f": 2, "g": 1}, [], id="comment"),
        pytest.param("src/a.c", "result == n", "result >= n", {"f": 2, "g": 1}, [], id="contract"),
        pytest.param("tests/t.c", "f(1)", "f(3)", {"g": 1}, [STALE_2], id="test"),
        pytest.param("tests/t.c", "check(f", "check( // new\nf", {"f": 2, "g": 1}, [], id="comment in the test"),
        pytest.param("tests/t.c", "test_f", "test_h", {"g": 1}, [STALE_2], id="test of another name"),
    ],
)
def test_stale_calls(file: str, old: str, new: str, left: dict[str, int], lines: list[str], project: Project) -> None:
    project.record(call(1), call(2), call(function="g", test="test_g", result=i32(0)))
    text = (project.folder / file).read_text()
    assert old in text
    project.write(file, text.replace(old, new))
    table = project.table()
    assert found(table) == left and said(table) == lines and not table.not_checked


def test_a_test_file_that_is_gone_makes_its_calls_stale(project: Project) -> None:
    project.write("tests/u.c", TEST)
    project.record(call(1), call(2, file="tests/u.c"))
    (project.folder / "tests/u.c").unlink()
    table = project.table()
    assert found(table) == {"f": 1} and said(table) == [STALE]


def test_stale_calls_beside_others_are_said_not_to_be_checked(project: Project) -> None:
    project.write("tests/u.c", TEST)
    project.record(call(1), call(2, file="tests/u.c"), call(function="g", test="test_g", result=i32(0)))
    (project.folder / "tests/u.c").unlink()
    (entry,) = project.table().not_checked
    assert (entry.file, entry.function, entry.reason) == ("src/a.c", "f", "stale_pins")
    assert entry.detail == "1 recorded call is stale, and left out" and entry.line


def test_a_call_of_no_known_test_counts_with_its_function(project: Project) -> None:
    project.record(call(1, test="a.out", file=""), call(2))
    assert found(project.table()) == {"f": 2}
    assert said(project.table({"a.out": "why"})) == [f"f: {PINS}: why"]
    project.write("src/a.c", SOURCE.replace("return n", "return n * 2"))
    assert said(project.table()) == [STALE_2]


def test_what_is_refused_is_said_with_its_test(project: Project) -> None:
    project.record(call(1), call(2, test="test_g"))
    table = project.table({"test_g": "it did not pass"})
    assert found(table) == {"f": 1} and said(table) == ["f: tests/t.c:7: it did not pass"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("schema: 1\nsource: src/a.c\nfunctions: [\n", f"{PINS}:4: ", id="no YAML"),
        pytest.param("schema: 1\nsource: src/a.c\nfunctions:\n- function: f\n", f"{PINS}:4: ", id="half a call"),
        pytest.param("schema: 99\nsource: src/a.c\ncalls: []\n", "update clausefit", id="of a later version"),
        pytest.param(
            "schema: 1\nsource: src/b.c\nfunctions: []\n", "holds the calls of src/b.c", id="of another source"
        ),
        pytest.param(b"\xff\xfe", "UTF-8", id="no text"),
        pytest.param(b"a" * (9 << 20), "more than the limit", id="too large"),
        pytest.param("", "", id="empty"),
    ],
)
def test_a_broken_file_is_one_line(text: str | bytes, words: str, project: Project) -> None:
    project.write(PINS, text)
    table = project.table()
    (one,) = table.not_checked
    assert (one.file, one.function, one.reason) == ("src/a.c", None, "parse_error")
    assert one.detail.startswith("its recorded calls cannot be read: ") and words in one.detail
    assert PINS in one.detail and "record again" in one.detail and len(one.detail.splitlines()) == 1
    assert not table.pins and not table.ignored


def test_a_link_out_of_the_workspace_is_not_followed(tmp_path: Path) -> None:
    project = Project(tmp_path / "w")
    project.record(call())
    (tmp_path / "w" / PINS).rename(tmp_path / "outside.yaml")
    (tmp_path / "w" / PINS).symlink_to(tmp_path / "outside.yaml")
    table = project.table()
    assert not table.pins
    assert ["is a link out of the workspace" in one.detail for one in table.not_checked] == [True]


def test_calls_of_functions_without_a_contract_are_nobodys(project: Project) -> None:
    project.record(call(), replace(call(), function="h"))
    assert found(project.table()) == {"f": 1} and not said(project.table())


@pytest.mark.parametrize(
    ("judged", "disk", "line"),
    [
        pytest.param({}, {}, None, id="none"),
        pytest.param({"a.c": "1"}, {"a.c": "1"}, None, id="the same"),
        pytest.param({"a.c": "1"}, {}, None, id="only judged"),
        pytest.param({}, {"z.c": "1"}, None, id="of another source"),
        pytest.param({}, {"a.c": "1"}, ".clausefit/pins/a.c.yaml on the disk is not", id="only on the disk"),
        pytest.param({"a.c": "1"}, {"a.c": "2"}, ".clausefit/pins/a.c.yaml on the disk is not", id="another one"),
        pytest.param({}, {"a.c": "1", "b.c": "1"}, ".clausefit/pins/a.c.yaml and 1 more on the disk", id="two"),
    ],
)
def test_calls_on_the_disk_that_are_not_judged(
    judged: dict[str, str], disk: dict[str, str], line: str | None, tmp_path: Path
) -> None:
    for folder, files in (("judged", judged), ("disk", disk)):
        (tmp_path / folder).mkdir()
        for source, text in files.items():
            Project(tmp_path / folder).write(path_of(source), text)
    told = unseen(
        WorkingTreeSnapshot(tmp_path / "judged"), WorkingTreeSnapshot(tmp_path / "disk"), ["b.c", "a.c", "a.c"]
    )
    assert told is None if line is None else told is not None and told.startswith(line) and "git add" in told


# -- values

C_CONTRACT = read_c("/*@ ensures 1; */ int f(int n, struct s *p);", "a.c").contracts[0]
JAVA_CONTRACT = read_java("class A { //@ ensures true;\n int f(int n, B p) { return n; } }", "A.java").contracts[0]


def c_pin(
    n: Value = ONE, part: Value = TWO, name: str = "x", program: str | None = None, result: Value | None = None
) -> Pin:
    block = Block("m0", "m0", Struct("struct s", ((name, part),)), program=program)
    arguments = (("n", n), ("p", Pointer("m0", (), "struct s *")))
    outcome = Returned(result or i32(0), (("m0", block.value),))
    return Pin("f", arguments, (block,), outcome, Origin("recorded", "t", "t.c", 1))


@pytest.mark.parametrize(
    ("pin", "words"),
    [
        pytest.param(c_pin(), None, id="right"),
        pytest.param(c_pin(Unknown("int")), None, id="hidden argument"),
        pytest.param(c_pin(part=Null("int (*)(int, char *)")), None, id="type of a function pointer"),
        pytest.param(c_pin(part=FunctionPointer("cmp", "int (*)(void)")), None, id="function pointer"),
        pytest.param(c_pin(part=Null("void (*[3])(void)")), None, id="array of function pointers"),
        pytest.param(c_pin(part=Floating.of(1.5, "float", 32)), None, id="floating point"),
        pytest.param(c_pin(part=Array("unsigned char", (i32(1, "unsigned char"),))), None, id="array"),
        pytest.param(c_pin(part=i32(1, "u32")), None, id="name of a type"),
        pytest.param(c_pin(program="total"), None, id="global"),
        pytest.param(c_pin(part=i32(1, "int; int evil")), "int; int evil", id="two declarations"),
        pytest.param(c_pin(part=i32(1, "int */")), "int */", id="end of a comment"),
        pytest.param(c_pin(part=i32(1, "int) + (int")), "int) + (int", id="unbalanced"),
        pytest.param(c_pin(part=i32(1, '__attribute__((x("a")))')), "__attribute__", id="string in a type"),
        pytest.param(c_pin(part=i32(1, "int\n#include x")), "int\\n#include x", id="line in a type"),
        pytest.param(c_pin(part=i32(1, "i" * 300)), "iii", id="long type"),
        pytest.param(c_pin(part=i32(1, "")), "the recorded call holds", id="no type"),
        pytest.param(c_pin(part=Unknown("x", (i32(1, "int;"),))), "int;", id="type of what a value is not"),
        pytest.param(c_pin(name="x; y"), "x; y", id="name of a member"),
        pytest.param(c_pin(program="a b"), "a b", id="name of a global"),
        pytest.param(c_pin(part=FunctionPointer("f()", "int")), "f()", id="name of a function"),
        pytest.param(c_pin(part=Text("a")), "a text of Java", id="text"),
        pytest.param(c_pin(part=Constant("A", "E")), "a constant of Java", id="constant"),
        pytest.param(c_pin(part=Array("int", (), "list")), "a array of Java", id="list"),
        pytest.param(replace(c_pin(), outcome=Failed("exception", "E")), "an exception", id="exception"),
        pytest.param(replace(c_pin(), outcome=Failed("abort")), None, id="abort"),
        pytest.param(c_pin(Integer(1 << 40, "long", 64, True)), "n with type long", id="argument of another type"),
        pytest.param(c_pin(Integer(1 << 40, "int", 64, True)), "n with type int", id="argument too wide for its type"),
        pytest.param(c_pin(i32(1, "signed int")), None, id="the same type in other words"),
        pytest.param(c_pin(i32(1, "mode_t")), None, id="type that may be the same"),
        pytest.param(c_pin(result=i32(1, "unsigned")), "the result with type unsigned", id="result of another type"),
    ],
)
def test_what_cannot_be_a_call_in_c(pin: Pin, words: str | None) -> None:
    check_misfit(pin, C_CONTRACT, words)


def java_pin(
    n: Value = ONE, part: Value = TWO, name: str = "x", program: str | None = None, result: Value | None = None
) -> Pin:
    this = Block("m0", "m0", Struct("p.A", ((name, part),)))
    static = (Block("m1", "A.n", i32(1), program=program),) if program is not None else ()
    arguments = (("this", Pointer("m0", (), "p.A")), ("n", n), ("p", Null("p.B")))
    return Pin(
        "A.f(int, B)", arguments, (this, *static), Returned(result or i32(0), ()), Origin("recorded", "t", "", 1)
    )


@pytest.mark.parametrize(
    ("pin", "words"),
    [
        pytest.param(java_pin(), None, id="right"),
        pytest.param(java_pin(part=Array("int[]", (Null("int[]"),))), None, id="array of arrays"),
        pytest.param(java_pin(part=Struct("p.A$1", ())), None, id="anonymous class"),
        pytest.param(java_pin(part=Integer(1, "java.lang.Boolean", 1, False)), None, id="wrapper"),
        pytest.param(java_pin(part=Constant("int[]", "java.lang.Class")), None, id="class"),
        pytest.param(java_pin(part=Text("a; b */", "java.lang.String")), None, id="any text"),
        pytest.param(java_pin(program="Outer.A.count"), None, id="static field"),
        pytest.param(java_pin(name="zähler"), None, id="letters"),
        pytest.param(java_pin(part=Null("")), None, id="null without a type"),
        pytest.param(java_pin(Unknown("int")), None, id="hidden argument"),
        pytest.param(java_pin(part=Null("p.A; B")), "p.A; B", id="name of a type"),
        pytest.param(java_pin(part=Null("p.A$$Lambda/0x12")), "p.A$$Lambda/0x12", id="hidden class"),
        pytest.param(java_pin(name="x == 1"), "x == 1", id="name of a field"),
        pytest.param(java_pin(program="A.x || true"), "A.x || true", id="name of a static field"),
        pytest.param(java_pin(part=Constant("A + 1", "E")), "A + 1", id="name of a constant"),
        pytest.param(java_pin(part=FunctionPointer("f", "g")), "an address", id="function pointer"),
        pytest.param(java_pin(part=Pointer("m0", ("x",), "p.A")), "an address", id="pointer into an object"),
        pytest.param(java_pin(part=Integer(1, "int", 64, True)), "an integer of type int with", id="width"),
        pytest.param(java_pin(part=Integer(1, "u32", 32, True)), "an integer of type u32 with", id="type of C"),
        pytest.param(replace(java_pin(), outcome=Failed("exception", "E or F")), "E or F", id="exception"),
        pytest.param(replace(java_pin(), outcome=Failed("exception", "p.E")), None, id="right exception"),
        pytest.param(java_pin(Integer(1, "long", 64, True)), "n with type long", id="argument of another type"),
        pytest.param(java_pin(Null("p.B")), "n with type p.B", id="reference for a number"),
        pytest.param(java_pin(result=Text("a")), "the result with type java.lang.String", id="result of another type"),
    ],
)
def test_what_cannot_be_a_call_in_java(pin: Pin, words: str | None) -> None:
    check_misfit(pin, JAVA_CONTRACT, words)


def check_misfit(pin: Pin, contract: Contract, words: str | None) -> None:
    reason = misfit(pin, contract)
    if words is None:
        assert reason is None
    else:
        assert reason is not None and words in reason and reason.isprintable() and len(reason) < 160


def test_such_a_call_is_left_out_and_the_others_count(project: Project) -> None:
    project.record(call(1), call(2, result=i32(1, "int; evil")))
    table = project.table()
    assert found(table) == {"f": 1}
    assert said(table) == ["f: tests/t.c:7: the recorded call holds what no C program has: int; evil"]


# -- Java

JAVA = "class Box { /*@ ensures \\result == a + 1; @*/ static int next(int a) { return a + 1; } }"
JAVA_TEST = "class BoxTest { @org.junit.jupiter.api.Test void one() { check(Box.next(read())); } }"


def java_call(value: int, test: str = "BoxTest.one", file: str = "test/BoxTest.java", dies: bool = False) -> Pin:
    outcome = Failed("timeout") if dies else Returned(i32(value + 1), ())
    return Pin("Box.next(int)", (("a", i32(value)),), (), outcome, Origin("recorded", test, file, 1))


def java_table(folder: Path, passed: PassedTests | None = None) -> PinTable:
    every, config = changes(All(), folder), Config()
    work = java_work_of(every, config)
    return collect_java(work.project, every.snapshot, config, work.methods, passed)


@pytest.mark.parametrize(
    ("passed", "expected"),
    [
        pytest.param(None, [1, 2, 3, 4], id="no report: all count"),
        pytest.param(PassedTests(frozenset({"BoxTest.one"})), [1, 2, 3, 4], id="it has another test, which passed"),
        pytest.param(PassedTests(), [1, 2, 3, 4], id="a report of nothing: what was recorded had passed"),
        pytest.param(PassedTests(others=frozenset({"BoxTest.one"})), [3, 4], id="failed, with its repetitions"),
        pytest.param(
            PassedTests(frozenset({"BoxTest.two"}), frozenset({"BoxTest.two"})), [1, 2, 4], id="passed and failed"
        ),
        pytest.param(
            PassedTests(others=frozenset({"BoxTest.one", "BoxTest.two"})),
            [4],
            id="a call that ended the program counts",
        ),
    ],
)
def test_recorded_calls_of_tests_that_a_report_has_as_failed_do_not_count(
    passed: PassedTests | None, expected: list[int], tmp_path: Path
) -> None:
    project = Project(tmp_path)
    project.write("src/Box.java", JAVA)
    project.write("test/BoxTest.java", JAVA_TEST)
    calls = [java_call(1), java_call(2, "BoxTest.one(int)[2]"), java_call(3, "BoxTest.two"), java_call(4, dies=True)]
    project.record(*calls, source="src/Box.java")
    table = java_table(tmp_path, passed)
    pins = [pin for every in table.pins.values() for pin in every]
    assert sorted(pin.arguments[0][1].value for pin in pins) == expected  # type: ignore[union-attr]
    refused = [one.reason for every in table.ignored.values() for one in every]
    assert len([one for one in refused if "does not say that" in one]) == 4 - len(expected)


def test_code_that_does_not_pass_a_test_is_not_believed_when_recorded_either(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("src/Box.java", JAVA)
    wrong = JAVA_TEST.replace(
        "check(Box.next(read()))", "org.junit.jupiter.api.Assertions.assertEquals(9, Box.next(1))"
    )
    project.write("test/BoxTest.java", wrong)
    project.record(java_call(5, "OtherTest.one", ""), source="src/Box.java")
    table = java_table(tmp_path)
    assert {pin.origin.kind for every in table.pins.values() for pin in every} == {"static"}
    assert any("does not pass BoxTest.one" in one.reason for every in table.ignored.values() for one in every)


CLASSES = {
    "src/p/Acc.java": """package p;
class Acc extends Base { int n; String s; static int k;
    class In { long deep; }
    //@ ensures true;
    int f() { return n; } }
class Other extends java.util.ArrayList { int n; }
enum Kind { A; int n; }
record Rec(int x) { }""",
    "src/p/Base.java": "package p; abstract class Base implements Runnable { char below; int n; }",
}


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        pytest.param(Struct("p.Acc", (("n", i32(1)), ("s", Text("a")))), True, id="its fields"),
        pytest.param(Struct("p.Acc", (("n", i32(1)),)), True, id="some of its fields"),
        pytest.param(Struct("p.Acc", (("n", Unknown("int")), ("s", Null("java.lang.String")))), True, id="not known"),
        pytest.param(Struct("p.Acc", (("below", Integer(65, "char", 16, False)),)), True, id="inherited field"),
        pytest.param(Struct("p.Acc.In", (("deep", Integer(1, "long", 64, True)),)), True, id="inner class"),
        pytest.param(Struct("p.Acc$In", (("deep", Integer(1, "long", 64, True)),)), True, id="by its binary name"),
        pytest.param(Struct("p.Acc.In", (("this$0", Pointer("m0", (), "p.Acc")),)), True, id="of the compiler"),
        pytest.param(Struct("p.Rec", (("x", i32(1)),)), True, id="record"),
        pytest.param(Struct("java.util.Date", (("any", i32(1)),)), True, id="class of a library"),
        pytest.param(Struct("p.Other", (("size", i32(1)),)), True, id="class below one of a library"),
        pytest.param(Struct("p.Kind", (("ordinal", i32(1)),)), True, id="enum"),
        pytest.param(Struct("p.Acc", (("gone", i32(1)),)), False, id="field that is gone"),
        pytest.param(Struct("p.Acc", (("n", Integer(1, "long", 64, True)),)), False, id="field of another type"),
        pytest.param(Struct("p.Acc", (("n", Text("1")),)), False, id="text in a number's field"),
        pytest.param(Struct("p.Acc", (("s", i32(1)),)), False, id="number in a reference's field"),
        pytest.param(Struct("p.Rec", (("y", i32(1)),)), False, id="component that is gone"),
    ],
)
def test_objects_of_a_class_that_changed_are_stale(one: Struct, expected: bool, tmp_path: Path) -> None:
    project = Project(tmp_path)
    for path, text in CLASSES.items():
        project.write(path, text)
    whole = Block("m0", "m0", Struct("p.Acc", ()))
    other = Block("m1", "m1", one)
    after = (("m0", whole.value), ("m1", one))
    this = (("this", Pointer("m0", (), "p.Acc")),)
    pin = Pin("Acc.f()", this, (whole, other), Returned(i32(1), after), Origin("recorded", "t", "", 1))
    project.record(pin, source="src/p/Acc.java")
    table = java_table(tmp_path)
    assert found(table) == ({"Acc.f()": 1} if expected else {})
    assert [
        line.endswith("1 recorded call is stale: record again with `clausefit record -- …`") for line in said(table)
    ] == ([] if expected else [True])
