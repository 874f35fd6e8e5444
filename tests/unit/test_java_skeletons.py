"""What a skeleton holds, what it says it cannot give a meaning to, and how types are erased."""

from __future__ import annotations

import re

import pytest
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.java.contracts import JavaSettings, effective
from clausefit.hook.java.project import JavaProject
from clausefit.hook.java.skeletons import Skeleton, skeleton_of
from clausefit.hook.not_expressible import NotExpressible


def skeleton(files: dict[str, str], formula: str, *types: str, is_bare: bool = False) -> Skeleton | NotChecked:
    """The skeleton for one formula of the first method with a contract in the first file."""
    project = JavaProject(files.get, files)
    path = next(iter(files))
    source = project.source(path)
    assert source is not None
    contract = source.contracts[0]
    assert contract.java is not None
    found = next(one for one in project.classes(path) if one.java.name == contract.java.class_name)
    whole = effective(project, found, contract, JavaSettings())
    return skeleton_of(project, found, whole, [formula], types, is_bare=is_bare)


def of(members: str, formula: str, head: str = "class C", imports: str = "", is_bare: bool = False) -> Skeleton:
    text = f"package p; {imports} {head} {{ //@ ensures true;\n void m() {{}} {members} }}"
    made = skeleton({"p/C.java": text}, formula, is_bare=is_bare)
    assert isinstance(made, Skeleton)
    return made


PURE = "/*@ pure @*/ "


@pytest.mark.parametrize(
    ("members", "formula", "reason"),
    [
        pytest.param(PURE + "int f() { return g(); } int g() { return 1; }", "f() > 0", None, id="calls other code"),
        pytest.param("int f() { return 1; }", "f() > 0", "`f` is not declared pure", id="not pure"),
        pytest.param("int f() { return 1; } int f;", "f > 0", None, id="a field of the name of such a method"),
        pytest.param("int f() { return 1; } C c;", "c.f() > 0", "`f` is not declared pure", id="behind a dot"),
        pytest.param("int f() { return 1; }", "c.d[x].f() > 0", "`f` is not declared pure", id="behind an index"),
        pytest.param(PURE + "int f() { return (() -> 1).get(); }", "f() > 0", "it uses a lambda", id="lambda"),
        pytest.param(
            PURE + "int f(int x) { return switch (x) { default -> 1; }; }",
            "f(1) > 0",
            "it uses a switch expression",
            id="switch expression",
        ),
        pytest.param(
            PURE + "boolean f(Object o) { return o instanceof C c && c != null; }",
            "f(x)",
            "it uses a pattern",
            id="pattern",
        ),
        pytest.param(
            PURE + "int f() { return new C().hashCode(); }", "f() > 0", "it creates objects", id="creates objects"
        ),
        pytest.param(
            PURE + 'String f() { return """\n x"""; }', "f() != null", "it uses a text block", id="text block"
        ),
        pytest.param(
            PURE + "int f(String s) { return s.trim().length(); }",
            "f(s) > 0",
            "it calls `trim` of java.lang.String, which KeY does not know",
            id="library method",
        ),
        pytest.param(
            PURE + "int f() { return Foreign.get(); }",
            "f() > 0",
            "it uses `Foreign`, which is not known",
            id="unknown class",
        ),
        pytest.param(
            PURE + "int f(Integer x) { return x + 1; }",
            "f(x) > 0",
            "it uses `+` on other things than numbers and truth values",
            id="unboxing",
        ),
        pytest.param(
            PURE + "Integer f() { return 1; }",
            "f() == 1",
            "it needs a conversion from int to java.lang.Integer",
            id="boxing",
        ),
        pytest.param(
            PURE + "int f(java.util.List<Integer> xs) { for (var x : xs) { return 1; } return 0; }",
            "f(xs) > 0",
            "it iterates over something that is no array",
            id="iterates over a list",
        ),
        pytest.param(
            PURE + "int f() { a: while (true) { break a; } }", "f() > 0", "it uses a labeled statement", id="label"
        ),
        pytest.param(
            PURE + "int g() { return (() -> 1).get(); } " + PURE + "int f() { return g(); }",
            "f() > 0",
            "`f()` uses `g()`, and `g` cannot be followed: it uses a lambda",
            id="by way of another method",
        ),
        pytest.param(
            "//@ model int size;\n", "size > 0", "the model field `size` has no represents clause", id="no represents"
        ),
        pytest.param(
            "//@ model int size; represents size = \\dl_f(this);\n",
            "size > 0",
            "the model field `size` has no meaning here: it uses \\dl_f",
            id="represents with a word that may stop the load",
        ),
        pytest.param(
            "//@ model int size; represents size = unknown + 1;\n",
            "size > 0",
            "the model field `size` has no meaning here: it uses `unknown`, which is not known",
            id="represents with an unknown name",
        ),
        pytest.param(
            PURE + 'boolean f(String s) { return s == "a"; }',
            "f(s)",
            "it asks whether two strings or boxed values are one object",
            id="identity of strings",
        ),
        pytest.param(
            PURE + "boolean f(String s, C c) { return s == null && c == this; }", "f(s, c)", None, id="identity"
        ),
        pytest.param(PURE + "native int f();", "f() > 0", "`f` cannot be followed: it has no body", id="native"),
        pytest.param(PURE + "int f() { return 1 +; }", "f() > 0", "it cannot be read", id="broken body"),
        pytest.param(PURE + "int f(int x) { return f(x - 1); }", "f(1) > 0", None, id="recursion"),
        pytest.param(
            PURE + "int f() { return " + " + ".join(["1"] * 3000) + "; }", "f() > 0", None, id="a very long sum"
        ),
        pytest.param(
            PURE + "int f() { return " + "(" * 3000 + "1" + ")" * 3000 + "; }",
            "f() > 0",
            "it is nested too deeply",
            id="nested too deeply",
        ),
    ],
)
def test_a_formula_is_only_asked_where_what_it_names_has_a_meaning(
    members: str, formula: str, reason: str | None
) -> None:
    said = of(members, formula).unavailable_in(formula)
    assert (said is None) == (reason is None)
    assert (reason or "") in (said or "")


def test_a_body_that_cannot_be_written_leaves_the_declaration() -> None:
    made = of(PURE + "int f(Integer x, int[]... y) { return x; }", "f(x) > 0")
    assert "public int f(java.lang.Integer x, int[][] y);" in dict(made.files)["p/C.java"]


def test_a_bare_skeleton_has_no_bodies() -> None:
    made = of(PURE + "int f() { return 1; } //@ model int n; represents n = 3;\n", "f() == n", is_bare=True)
    text = dict(made.files)["p/C.java"]
    assert "return" not in text
    assert "represents" not in text
    assert made.unavailable_in("f() > 0") is not None
    assert made.unavailable_in("n > 0") is not None


@pytest.mark.parametrize(
    ("members", "declared"),
    [
        pytest.param("static final int A = 0b11 + 1_000;", "public static final int A = 0x3 + 1000;", id="literals"),
        pytest.param("static final long A = 1L << 3;", "public static final long A = 1L << 3;", id="long"),
        pytest.param("static final byte A = (byte) 200;", "public static final byte A = (byte) 200;", id="cast"),
        pytest.param('static final String A = "x";', 'public static final java.lang.String A = "x";', id="string"),
        pytest.param("static final int A = m2();", "public static int A;", id="no constant expression"),
        pytest.param("static final int A = B;", "public static int A;", id="of an unknown constant"),
        pytest.param("static final Integer A = 1;", "public static java.lang.Integer A;", id="boxed"),
        pytest.param(
            'static final String A = "ä";', "public static java.lang.String A;", id="text that KeY does not read"
        ),
        pytest.param("static int A = 1;", "public static int A;", id="no constant"),
        pytest.param("final int A = 1;", "public int A;", id="a field of each object"),
        pytest.param("private volatile T[] A;", "public java.lang.Comparable[] A;", id="bound of a type parameter"),
        pytest.param("Map.Entry<K, V> A;", "public java.lang.Object A;", id="member of a library class"),
        pytest.param("int A[], B;", "public int[] A;", id="dimensions behind the name"),
        pytest.param("//@ ghost instance int A = 3;\n", "/*@ public ghost int A; @*/", id="ghost"),
        pytest.param("C.In A; class In {}", "public p.C.In A;", id="inner class"),
    ],
)
def test_fields_are_declared_anew(members: str, declared: str) -> None:
    made = of(members, "true", head="class C<T extends Comparable<T>>", imports="import java.util.Map;")
    assert declared in dict(made.files)["p/C.java"]


ERASED = {
    "p/C.java": """package p; import java.util.*; import org.acme.Thing;
        class C<T, N extends Number & Comparable<N>> extends Library { //@ ensures true;
            <E extends C> void m(E e, Thing t, Map.Entry<T, N> x, LibraryException l) {} static class In<Q> {}
            static class Own extends LibraryException {} static class Fine extends IllegalStateException {} }""",
    "p/Far.java": "package p; class Far {}",
}


@pytest.mark.parametrize(
    ("written", "erased"),
    [
        pytest.param("int", "int", id="primitive"),
        pytest.param("int[]...", "int[][]", id="varargs"),
        pytest.param("T[]", "java.lang.Object[]", id="type parameter"),
        pytest.param("N", "java.lang.Number", id="first bound"),
        pytest.param("E", "p.C", id="type parameter of a method"),
        pytest.param("In<String>", "p.C.In", id="member class"),
        pytest.param("p.C.In", "p.C.In", id="qualified"),
        pytest.param("List<T>", "java.util.List", id="library class that KeY has"),
        pytest.param("Thing", "org.acme.Thing", id="library class that it lacks"),
        pytest.param("Map.Entry<T, N>", "java.lang.Object", id="member of a library class"),
        pytest.param("String", "java.lang.String", id="java.lang"),
        pytest.param("Far", "java.lang.Object", id="class that the skeleton does not need"),
        pytest.param("NoSuchElementException", "java.util.NoSuchElementException", id="known exception"),
        pytest.param("C.Fine", "p.C.Fine", id="exception of the project"),
    ],
)
def test_types_are_erased(written: str, erased: str) -> None:
    made = skeleton(ERASED, "true", "NoSuchElementException", "C.Fine", "List<T>", "In")
    assert isinstance(made, Skeleton)
    assert made.erased(written) == erased


@pytest.mark.parametrize(
    "written",
    [
        pytest.param("LibraryException", id="of the library"),
        pytest.param("C.Own", id="of the project, with a superclass of the library"),
    ],
)
def test_an_exception_of_unknown_superclass_is_not_expressible(written: str) -> None:
    made = skeleton(ERASED, "true", "C.Own")
    assert isinstance(made, Skeleton)
    with pytest.raises(NotExpressible, match=r"the superclass of (LibraryException|Own) is not known"):
        made.erased(written)


def test_instanceof_of_a_library_type_is_not_asked_where_supertypes_are_not_known() -> None:
    formula = "o instanceof org.acme.Thing"
    made = skeleton(ERASED, formula)
    assert isinstance(made, Skeleton)
    assert made.unavailable_in(formula) == "which classes have the supertype Thing is not known"
    assert not made.is_exact("p.C")


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        pytest.param(
            "class C { Runnable r = new Runnable() { //@ ensures true;\n public void run() {} }; }",
            "contracts of local and anonymous classes are not judged: give the class a name outside of the method",
            id="anonymous class",
        ),
        pytest.param(
            "class Größe { //@ ensures true;\n void m() {} }",
            "KeY does not read names outside of ASCII: `Größe` needs another one",
            id="name",
        ),
    ],
)
def test_what_has_no_skeleton(text: str, detail: str) -> None:
    made = skeleton({"C.java": text}, "true")
    assert isinstance(made, NotChecked)
    assert (made.reason, made.detail) == ("unsupported", detail)


def test_one_skeleton_for_the_same_needs() -> None:
    first, second = (of("int n; int k;", formula) for formula in ("n > 0", "k > 0"))
    assert first.files == second.files


def test_nothing_of_the_source_gets_into_a_skeleton_but_names_and_values() -> None:
    made = of(
        "@Deprecated private transient volatile int n; /* } */ //@ invariant n > 0;\n static { n = 1; }"
        + PURE
        + "synchronized int f() throws Exception { // }\n return /* ; */ n; }",
        "f() > 0",
    )
    text = dict(made.files)["p/C.java"]
    assert re.search(r"Deprecated|transient|volatile|synchronized|throws|invariant|//", text) is None
    assert "{ return n; }" in text
