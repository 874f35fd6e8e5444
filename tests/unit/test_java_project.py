"""Which class a Java name means in a snapshot, and what classes inherit."""

from __future__ import annotations

import pytest
from clausefit.hook.java.project import FoundClass, JavaProject

FILES = {
    "main/p/A.java": """package p; import q.*; import static q.C.*; import x.y.External; import q.Only;
        public class A<T> extends B implements I { class In<U> extends B.N { class Deep {} } Helper h; }""",
    "main/p/B.java": "package p; class B extends Root { static class N { class M {} } void f() {} } class Helper {}",
    "main/p/Root.java": "package p; class Root { int shared; void f() {} void g(int x) {} private void own() {} }",
    "main/p/I.java": "package p; public interface I extends q.C, J { int LIMIT = 3; default void f() {} }",
    "main/p/J.java": "package p; interface J extends q.Base { void f(); }",
    "main/p/String.java": "package p; class String {}",
    "main/q/C.java": "package q; public interface C extends Base { class D { static class E {} } int SIZE = 4; }",
    "main/q/Base.java": "package q; public interface Base {}",
    "main/q/Only.java": "package q; public class Only { public class In {} }",
    "test/p/ATest.java": "package p; class ATest { A a; }",
    "other/q/Twice.java": "package q; class Twice {}",
    "third/q/Twice.java": "package q; class Twice {}",
    "third/q/User.java": "package q; class User {}",
    "fourth/q/Far.java": "package q; class Far {}",
    "main/Loose.java": """class Loose { class Around extends Around {}
        class Left extends Right {} class Right extends Left {} }""",
    "broken/X.java": "package b; class X { void f( { } class Y extends X { }",
}
A = "main/p/A.java"


@pytest.fixture
def project() -> JavaProject:
    return JavaProject(FILES.get, FILES)


def named(found: FoundClass | None) -> str | None:
    return found.qualified if found is not None else None


def there(project: JavaProject, path: str, name: str) -> FoundClass:
    return next(one for one in project.classes(path) if one.java.name == name)


@pytest.mark.parametrize(
    ("name", "file", "within", "means"),
    [
        pytest.param("A", A, "A", "p.A", id="the class itself"),
        pytest.param("In", A, "A", "p.A.In", id="a member class"),
        pytest.param("In", A, "A.In", "p.A.In", id="the class itself comes before an imported one of its name"),
        pytest.param("T", A, "A.In", None, id="a type parameter of the class around"),
        pytest.param("Deep", A, "A.In", "p.A.In.Deep", id="a member of a member"),
        pytest.param("Deep", A, "A", None, id="a member of a member is not seen from the class around"),
        pytest.param("N", A, "A", "p.B.N", id="an inherited member class"),
        pytest.param("M", A, "A.In", "p.B.N.M", id="a member class that a member inherits"),
        pytest.param("D", A, "A", "q.C.D", id="a member of an interface's superinterface"),
        pytest.param("C", A, "A", "q.C", id="an import on demand"),
        pytest.param("C", "main/p/B.java", "B", None, id="no import, another package"),
        pytest.param("C.D.E[]", A, "A", "q.C.D.E", id="dotted, with dimensions"),
        pytest.param("D.E<? super T>", A, "A", "q.C.D.E", id="dotted from an inherited member, with type arguments"),
        pytest.param("q.C.D", "main/p/B.java", "B", "q.C.D", id="qualified without an import"),
        pytest.param("q.Missing", A, "A", None, id="qualified, but not there"),
        pytest.param("External", A, "A", None, id="an import of a library"),
        pytest.param("Helper", "test/p/ATest.java", "ATest", "p.Helper", id="a second class of a file of the package"),
        pytest.param("String", A, "A", "p.String", id="a class of the package hides one of java.lang"),
        pytest.param("Integer", A, "A", None, id="java.lang"),
        pytest.param("A", "test/p/ATest.java", "", "p.A", id="the same package in another source folder"),
        pytest.param("Twice", "third/q/User.java", "User", "q.Twice", id="the nearer of two of one name"),
        pytest.param("Twice", "fourth/q/Far.java", "Far", None, id="two of one name, equally near"),
        pytest.param("Loose", A, "A", None, id="the unnamed package is seen from nowhere else"),
        pytest.param("Left", "main/Loose.java", "Loose.Right", "Loose.Left", id="a circle of supertypes"),
        pytest.param("Nothing", "main/Loose.java", "Loose.Around", None, id="a class that extends itself"),
        pytest.param("Y", "broken/X.java", "X", "b.X.Y", id="a broken file"),
        pytest.param("", A, "A", None, id="no name"),
        pytest.param("..", A, "A", None, id="dots alone"),
        pytest.param("A", "nowhere.java", "A", None, id="a file that is not there"),
        pytest.param("A" + ".A" * 3000, A, "A", None, id="a very long name"),
    ],
)
def test_a_name_means_a_class(project: JavaProject, name: str, file: str, within: str, means: str | None) -> None:
    assert named(project.find(name, file, within)) == means


@pytest.mark.parametrize(
    ("path", "name", "above"),
    [
        pytest.param(A, "A", ["p.B", "p.Root", "p.I", "q.C", "p.J", "q.Base"], id="classes first, each before its own"),
        pytest.param("main/Loose.java", "Loose.Left", ["Loose.Right"], id="a circle ends"),
        pytest.param("main/Loose.java", "Loose.Around", [], id="extends itself"),
    ],
)
def test_supertypes_come_nearest_first(project: JavaProject, path: str, name: str, above: list[str]) -> None:
    assert [one.qualified for one in project.supertypes(there(project, path, name))] == above


def test_methods_of_a_class_come_before_those_of_interfaces(project: JavaProject) -> None:
    found = project.methods(there(project, A, "A"), "f")
    assert [owner.qualified for owner, _ in found] == ["p.B", "p.Root", "p.I", "p.J"]


def test_a_field_is_found_where_it_is_inherited_from(project: JavaProject) -> None:
    found = there(project, A, "A")
    fields = {name: project.field(found, name) for name in ("shared", "LIMIT", "SIZE", "nothing")}
    assert {name: one and one[0].qualified for name, one in fields.items()} == {
        "shared": "p.Root",
        "LIMIT": "p.I",
        "SIZE": "q.C",
        "nothing": None,
    }


def test_only_files_that_a_name_needs_are_read() -> None:
    read: list[str] = []

    def reading(path: str) -> str | None:
        read.append(path)
        return FILES.get(path)

    project = JavaProject(reading, FILES)
    assert named(project.find("q.C", "test/p/ATest.java", "ATest")) == "q.C"
    assert sorted(read) == ["main/q/C.java"]


@pytest.mark.parametrize(
    ("left_out", "file"),
    [
        pytest.param((), None, id="two are equally near"),
        pytest.param(("other/",), "third/q/Twice.java", id="one is left out by the settings"),
        pytest.param(("third/",), "other/q/Twice.java", id="the other one is"),
        pytest.param(("other/", "third/"), None, id="both are, and are what there is"),
        pytest.param(("fourth/",), None, id="none of them is"),
    ],
)
def test_classes_that_the_settings_leave_out_do_not_compete(left_out: tuple[str, ...], file: str | None) -> None:
    project = JavaProject(FILES.get, FILES, lambda path: not path.startswith(left_out or ("-",)))
    found = project.find("q.Twice", A)
    assert (found.file if found is not None else None) == file
    twice = there(project, "third/q/Twice.java", "Twice")
    assert bool(project.rivals(twice, A)) == (file is None)
    assert project.find("q.Far", A) is not None


def test_rivals_are_equally_near(project: JavaProject) -> None:
    twice = there(project, "third/q/Twice.java", "Twice")
    assert project.rivals(twice, A) == ("other/q/Twice.java", "third/q/Twice.java")
    assert project.rivals(twice, "third/q/User.java") == ()
    assert project.rivals(twice, "other/q/User.java") == ()
    assert project.rivals(there(project, A, "A.In"), A) == ()


JAVA = """package p;
class C {
    private int n;
    //@ invariant n >= 0;
    //@ requires x > 1;
    int f(int x) { return x; }
    //@ ensures \\result == 2;
    int g() { return 2; }
    int h(java.util.List<String> list) { return 0; }
}"""


@pytest.mark.parametrize(
    ("jml", "function", "clauses"),
    [
        pytest.param("//@ ensures \\result > 0;\n int f(int x);", "C.f(int)", ["ensures \\result > 0"], id="replaced"),
        pytest.param("//@ ensures true;\n int f(int x);", "C.g()", ["ensures \\result == 2"], id="another one is kept"),
        pytest.param(
            "//@ requires list != null;\n int h(List<String> list);",
            "C.h(java.util.List<String>)",
            ["requires list != null"],
            id="a type under its simple name",
        ),
        pytest.param("//@ requires y > 0;\n int f(int y);", "C.f(int)", ["requires x > 1"], id="other parameter names"),
        pytest.param("", "C.f(int)", ["requires x > 1"], id="an empty specification"),
    ],
)
def test_a_jml_file_specifies_the_methods_of_the_java_file(jml: str, function: str, clauses: list[str]) -> None:
    files = {"p/C.java": JAVA, "p/C.jml": f"package p; class C {{ {jml} }}"}
    source = JavaProject(files.get, files).source("p/C.java")
    assert source is not None
    contract = next(one for one in (*source.contracts, *source.bare) if one.function == function)
    assert [one.text for one in contract.clauses] == clauses
    assert {one.file for one in contract.clauses} == {"p/C.jml" if clauses[0] in jml else "p/C.java"}
    assert contract.java is not None
    assert contract.java.has_body


def test_class_clauses_and_modifiers_of_a_jml_file_count() -> None:
    jml = """package p; /*@ nullable_by_default @*/ class C { //@ public model int size;
        //@ invariant n >= 1;
        /*@ pure @*/ int g(); /*@ spec_public @*/ private int n;
        //@ public pure model int twice(int x) { return x + x; }
    }"""
    files = {"p/C.java": JAVA, "p/C.jml": jml}
    (found,) = JavaProject(files.get, files).classes("p/C.java")
    assert [one.clause.text for one in found.java.clauses] == ["invariant n >= 1"]
    assert found.java.default_nullness == "nullable"
    assert {one.name: one.is_pure for one in found.java.methods} == {"f": False, "g": True, "h": False, "twice": True}
    assert [one.name for one in found.java.fields] == ["n", "size"]
    assert "spec_public" in found.java.fields[0].modifiers


def test_a_jml_file_of_another_package_is_not_merged() -> None:
    files = {"p/C.java": JAVA, "p/C.jml": "package q; class C { //@ ensures false;\n int f(int x); }"}
    source = JavaProject(files.get, files).source("p/C.java")
    assert source is not None
    assert [one.text for one in source.contracts[0].clauses] == ["requires x > 1"]
