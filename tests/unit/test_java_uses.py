"""Which names a change of a Java file gives a new meaning, and which contracts depend on them."""

from __future__ import annotations

import pytest
from clausefit.hook.contracts.java import read_java
from clausefit.hook.java.contracts import changed_names, reads_of, uses_of
from clausefit.hook.java.project import JavaProject

BEFORE = r"""package p;
/*@ nullable_by_default @*/
class C extends B {
    static final int MOST = 5;
    int n = 1;
    //@ ghost int steps = 0;
    //@ model int size; represents size = n + 1;
    //@ invariant n <= MOST;
    //@ ensures \result == n;
    /*@ pure @*/ int f(int x) { /* as it is */ return n + x; }
    //@ ensures true;
    void g() { n = 2; }
    /*@ public pure model int twice() { return n + n; } @*/
    class In { int k; }
}"""


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        pytest.param("", "", "", id="nothing"),
        pytest.param("static final int MOST = 5;", "static final int MOST = 6;", "C.MOST", id="constant"),
        pytest.param("int n = 1;", "int n = 2;", "", id="what a variable starts with"),
        pytest.param("int n = 1;", "long n = 1;", "C.n", id="type of a field"),
        pytest.param("return n + x;", "return n - x;", "C.f", id="body of a pure method"),
        pytest.param("/* as it is */ return n + x;", "return\n  n+x;", "", id="comments and blanks"),
        pytest.param("n = 2; }", "n = 3; }", "C.g", id="body of another method, which a pure one may call"),
        pytest.param("return n + n;", "return 2 * n;", "C.twice", id="model method"),
        pytest.param("size = n + 1", "size = n", "C.size", id="represents"),
        pytest.param("ghost int steps", "ghost long steps", "C.steps", id="ghost field"),
        pytest.param("invariant n <= MOST", "invariant n < MOST", "C.\\invariant", id="invariant"),
        pytest.param(r"ensures \result == n", "ensures true", "C.f(int)\\contract", id="contract, for heirs"),
        pytest.param("class C extends B", "class C extends A", "C.\\class", id="superclass"),
        pytest.param(
            "/*@ nullable_by_default @*/", "", "C.\\class C.In.\\class", id="defaults, also for inner classes"
        ),
        pytest.param("/*@ pure @*/ int f", "int f", "C.f", id="no longer pure"),
        pytest.param("int k;", "int k, l;", "C.In.l", id="a new member"),
        pytest.param("class In { int k; }", "", "C.In.\\class C.In.\\invariant C.In.k", id="a class that is gone"),
    ],
)
def test_changed_names(old: str, new: str, names: str) -> None:
    assert old in BEFORE
    after = BEFORE.replace(old, new) if old else BEFORE
    found = changed_names(read_java(BEFORE, "C.java"), read_java(after, "C.java"))
    assert found == {f"p.{name}" for name in names.split()}


def test_everything_is_new_in_a_new_file() -> None:
    found = changed_names(None, read_java(BEFORE, "C.java"))
    assert {"p.C.f", "p.C.MOST", "p.C.\\invariant", "p.C.g()\\contract", "p.C.In.\\class"} <= found


FILES = {
    "p/C.java": r"""package p; class C extends B { int n; int other; D d;
        //@ model int size; represents size = d.count() + K;
        //@ invariant n > Limits.LOW;
        /*@ pure @*/ int f() { return g() + size(); } /*@ pure @*/ int g() { return f() + n; } int size() { return 0; }
        //@ ensures \result == f();
        int one() { return f(); }
        //@ ensures size > 0;
        int two() { return 1; }
        //@ also ensures true;
        void three() {}
        static final int K = Limits.HIGH;
    }""",
    "p/B.java": """package p; class B { int base; //@ invariant base > 0;
        //@ ensures base == HIDDEN;
        void three() {} int HIDDEN; }""",
    "p/D.java": "package p; class D { /*@ pure @*/ int count() { return n; } int n; int far; }",
    "p/Limits.java": "package p; class Limits { static final int LOW = 1, HIGH = LOW + 1, FAR = 3; }",
}
FAMILY = {"p.C.\\class", "p.C.\\invariant", "p.B.\\class", "p.B.\\invariant", "p.C.n", "p.B.base", "p.Limits.LOW"}


@pytest.mark.parametrize(
    ("method", "uses"),
    [
        pytest.param("one", {"p.C.f", "p.C.g", "p.C.size"}, id="pure methods that call one another"),
        pytest.param(
            "two",
            {"p.C.size", "p.D.count", "p.D.n", "p.C.d", "p.C.K", "p.Limits.HIGH"},
            id="a model field by its represents clause, in other classes and constants",
        ),
        pytest.param("three", {"p.B.three()\\contract", "p.B.HIDDEN"}, id="an inherited contract"),
    ],
)
def test_uses_of_a_contract(method: str, uses: set[str]) -> None:
    project = JavaProject(FILES.get, FILES)
    contract = project.contract("p/C.java", f"C.{method}()")
    assert contract is not None
    found = uses_of(project, project.classes("p/C.java")[0], contract)
    assert uses | FAMILY <= found
    assert not found & {"p.C.other", "p.D.far", "p.Limits.FAR"}


def test_reads_of_a_formula_are_its_own() -> None:
    project = JavaProject(FILES.get, FILES)
    contract = project.contract("p/C.java", "C.one()")
    assert contract is not None
    found = project.classes("p/C.java")[0]
    assert reads_of(project, found, contract, "g() > 0") == {"g", "f", "n", "size"}
    assert reads_of(project, found, contract, "other > base") == {"other", "base"}
