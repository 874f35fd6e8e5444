"""Java contracts → the methods to watch: binary names, erased types, statics, and what cannot be watched."""

from __future__ import annotations

from pathlib import Path

import pytest
from clausefit.hook.changes import All, changes
from clausefit.hook.config import Config
from clausefit.hook.java.work import java_work_of
from clausefit.hook.record.java_watched import WatchedJava, static_label, watched_java


def watched(folder: Path, files: dict[str, str]) -> WatchedJava:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return watched_java(java_work_of(changes(All(), folder), Config()))


TYPES = """package p;
import java.util.*;
import com.lib.Thing;
import com.all.*;
class Main<T extends Comparable<T>, U> {
    static class In { static class Deep { } }
    enum Mode { A }
    //@ requires true;
    <V extends In> void f(%s) { }
}
"""


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        pytest.param("", (), id="none"),
        pytest.param("int a, double[] b, long... c", ("int", "double[]", "long[]"), id="primitive types"),
        pytest.param("String s, Object o", ("java.lang.String", "java.lang.Object"), id="java.lang"),
        pytest.param("List<String> l, Map<T, U>[] m", ("java.util.List", "java.util.Map[]"), id="type arguments"),
        pytest.param("T t, U[] u, V v", ("java.lang.Comparable", "java.lang.Object[]", "p.Main$In"), id="bounds"),
        pytest.param("In a, In.Deep b, Mode[] c", ("p.Main$In", "p.Main$In$Deep", "p.Main$Mode[]"), id="members"),
        pytest.param("Thing a, com.lib.Thing b", ("com.lib.Thing", "com.lib.Thing"), id="imported and qualified"),
        pytest.param("Odd a, Odd[] b, Map.Entry<T, U> c", ("?Odd", "?Odd[]", "?Map.Entry"), id="package not known"),
        pytest.param("Other a", ("q.Other",), id="a class of another package of the project"),
    ],
)
def test_parameters_are_erased(parameters: str, expected: tuple[str, ...], tmp_path: Path) -> None:
    main = TYPES % parameters
    files = {"src/p/Main.java": main.replace("import com.all.*;", "import com.all.*;\nimport q.Other;")}
    files["src/q/Other.java"] = "package q; public class Other { }"
    (found,) = watched(tmp_path, files).methods
    assert (found.class_name, found.method, found.parameters) == ("p.Main", "f", expected)


@pytest.mark.parametrize(
    ("body", "class_name", "parameters"),
    [
        pytest.param("static class In { /*@ requires true; */ In(int k) { } }", "Main$In", ("int",), id="static"),
        pytest.param(
            "class In { /*@ requires true; */ In(int k) { } }", "Main$In", ("Main", "int"), id="an object around it"
        ),
        pytest.param("record In(int k) { /*@ requires k > 0; */ In { } }", "Main$In", ("int",), id="record"),
        pytest.param(
            "interface If { class In { /*@ requires true; */ In() { } } }", "Main$If$In", (), id="in an interface"
        ),
    ],
)
def test_constructors(body: str, class_name: str, parameters: tuple[str, ...], tmp_path: Path) -> None:
    source = f"class Main {{ {body} }}".replace("; */", "; @*/")
    (found,) = watched(tmp_path, {"src/Main.java": source}).methods
    assert (found.class_name, found.method, found.parameters) == (class_name, "<init>", parameters)


@pytest.mark.parametrize(
    ("fields", "clause", "expected"),
    [
        pytest.param("static int n, k; int m;", "n > 0", (("p.Main", "n"),), id="one of the class"),
        pytest.param("static int n; int m;", "m > 0", (), id="none that the clause does not name"),
        pytest.param("static int n; //@ pure\n static int g() { return n; }", "g() > 0", (("p.Main", "n"),), id="by g"),
        pytest.param("static final int N = 3; static final String S = null;", "N > 0", (), id="no constants"),
        pytest.param("static final int[] T = {1};", "T[0] > 0", (("p.Main", "T"),), id="an array is no constant"),
        pytest.param("", "Other.count > 0", (("p.Other", "count"),), id="one that the clause reaches"),
        pytest.param("static int n, k;", "true;\n//@ assignable Main.*", (("p.Main", "n"), ("p.Main", "k")), id="all"),
        pytest.param("enum M { A, B; static int k; }", "M.A != null", (), id="enum constants"),
        pytest.param("//@ public static ghost int g;\n//@ model static int h;\n", "true", (), id="only JML has them"),
    ],
)
def test_statics(fields: str, clause: str, expected: tuple[tuple[str, str], ...], tmp_path: Path) -> None:
    files = {
        "src/p/Main.java": f"package p; class Main {{ {fields}\n//@ requires {clause};\nstatic void f() {{ }} }}",
        "src/p/Other.java": "package p; class Other { static int count, more; }",
    }
    (found,) = watched(tmp_path, files).methods
    assert found.statics == expected


def test_other_statics_of_the_class_are_known_apart(tmp_path: Path) -> None:
    text = "class Up { static Object o; } class Main extends Up { static int n, k;\n//@ requires n > 0;\nvoid f() { } }"
    (found,) = watched(tmp_path, {"src/Main.java": text}).methods
    assert (found.statics, found.unnamed_statics) == ((("Main", "n"),), (("Main", "k"), ("Up", "o")))


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        pytest.param("class Main { /*@ requires true; @*/ native void f(); }", "a native method has no", id="native"),
        pytest.param(
            "enum Main { A(1); /*@ requires true; @*/ Main(int k) { } }", "the constants of an enum", id="enum"
        ),
        pytest.param(
            "class Main { Object o = new Object() { /*@ requires true; @*/ void f() { } }; }",
            "a method of a local or anonymous class",
            id="anonymous",
        ),
        pytest.param(
            "class Main { /*@ requires true; model int f() { return 1; } @*/ }", "a model method", id="model method"
        ),
    ],
)
def test_what_cannot_be_watched_is_told(source: str, reason: str, tmp_path: Path) -> None:
    found = watched(tmp_path, {"src/Main.java": source})
    assert found.methods == ()
    assert [one.reason.startswith(reason) for one in found.left_out] == [True]


def test_two_classes_of_one_name_are_not_told_apart(tmp_path: Path) -> None:
    source = "package p; public class Main { /*@ requires true; @*/ static void f() { } }"
    found = watched(tmp_path, {"a/src/p/Main.java": source, "b/src/p/Main.java": source})
    assert found.methods == ()
    assert len(found.left_out) == 2 and "several classes p.Main" in found.left_out[0].reason


@pytest.mark.parametrize(
    ("class_name", "package", "expected"),
    [
        ("p.Main$In", "p", "Main.In.n"),
        ("p.q.Other", "p", "p.q.Other.n"),
        ("Main", "", "Main.n"),
        ("q.Main", "", "q.Main.n"),
    ],
)
def test_static_labels(class_name: str, package: str, expected: str) -> None:
    assert static_label(class_name, "n", package) == expected
