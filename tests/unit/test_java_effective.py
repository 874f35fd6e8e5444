"""Effective contracts: what holds for a method besides its own clauses, and how clauses are put for asking."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from clausefit.hook.contracts.model import Contract
from clausefit.hook.java.contracts import JavaSettings, effective
from clausefit.hook.java.project import JavaProject

NOT_NULL = JavaSettings()
NULLABLE = JavaSettings(nonnull_by_default=False)


def effective_of(files: Mapping[str, str], method: str, settings: JavaSettings = NULLABLE) -> Contract:
    """The effective contract of the method of that name in the first file."""
    project = JavaProject(files.get, files)
    path = next(iter(files))
    source = project.source(path)
    assert source is not None
    every = [*source.contracts, *source.bare]
    contract = next(one for one in every if one.java is not None and one.java.name == method)
    assert contract.java is not None
    found = next(one for one in project.classes(path) if one.java.name == contract.java.class_name)
    return effective(project, found, contract, settings)


def lines(contract: Contract) -> list[str]:
    """Each clause as one line: case, kind, formula; ``*`` for implicit ones, the reason for unsupported ones."""
    return [
        f"{one.behavior or '-'} {one.kind} {one.formula}"
        + (" *" if one.implicit else "")
        + (f" ({one.unsupported})" if one.unsupported else "")
        for one in contract.clauses
    ]


def of(members: str, method: str = "f", settings: JavaSettings = NULLABLE, head: str = "class C") -> list[str]:
    """The clauses of a method of a class that stands alone in its file."""
    return lines(effective_of({"p/C.java": f"package p; {head} {{ {members} }}"}, method, settings))


@pytest.mark.parametrize(
    ("members", "clauses"),
    [
        pytest.param("//@ ensures x > 0;\n int f(int x) { return x; }", ["1 ensures x > 0"], id="its own"),
        pytest.param(
            "/*@ public normal_behavior requires a; ensures b; also private exceptional_behavior requires !a;"
            " signals (RuntimeException e) e != null; */ int f(boolean a, boolean b) { return 0; }",
            [
                "1 requires a",
                "1 ensures b",
                "1 signals (java.lang.Exception e) false *",
                "2 requires !a",
                "2 signals (RuntimeException e) e != null",
                "2 ensures false *",
            ],
            id="the exits that a case's name leaves open",
        ),
        pytest.param(
            "/*@ requires a; ensures true; implies_that ensures false; for_example ensures false; */"
            " void f(boolean a) {}",
            ["1 requires a", "1 ensures true"],
            id="redundant cases are left out",
        ),
        pytest.param(
            r"/*@ old int n = x + 1; requires n > 0; ensures \result == n && \old(n) > x && (\forall int x; x > n); */"
            " int f(int x) { return 0; }",
            [
                "1 requires (x + 1) > 0",
                r"1 ensures \result == (\old(x + 1)) && \old((x + 1)) > x"
                r" && (\forall int cfq_x; cfq_x > (\old(x + 1)))",
            ],
            id="old variables are replaced by what they stand for, and nothing captures that",
        ),
        pytest.param(
            "/*@ old int a = x; old int b = a * 2; ensures b == 2; */ void f(int x) {}",
            [r"1 ensures (\old((x) * 2)) == 2"],
            id="an old variable that uses another",
        ),
        pytest.param(
            "/*@ forall int w; requires w > 0; ensures true; also forall int v; ensures v == v; ensures x == 1; */"
            " void f(int x) {}",
            [
                "1 requires w > 0 (its case has a `forall` variable)",
                "1 ensures true (its case has a `forall` variable)",
                "2 ensures v == v (its case has a `forall` variable)",
                "2 ensures x == 1",
            ],
            id="what a forall variable touches cannot be asked",
        ),
        pytest.param(
            r"//@ invariant n > 0;" "\n" r"//@ constraint \old(n) <= n;" "\n//@ initially n == 1;\nint n; void f() {}",
            ["- invariant n > 0", r"- constraint \old(n) <= n"],
            id="clauses of the class",
        ),
        pytest.param(
            "//@ invariant n > 0;\n//@ constraint true;\nint n; C() {}\n //@ helper\n void f() {}",
            [],
            id="not for a helper",
        ),
        pytest.param(
            "//@ invariant n > 0;\n//@ public static invariant M > 0;\nint n; static int M; static void f() {}",
            ["- invariant M > 0"],
            id="only static ones for a static method",
        ),
        pytest.param(
            r"//@ constraint \old(n) < n for f, g(int);" "\n//@ constraint true for g;\nint n; void f() {}",
            [r"- constraint \old(n) < n"],
            id="a constraint for other methods",
        ),
        pytest.param(
            "//@ invariant n > M && n < n();\nint n; static int M;"
            " /*@ pure @*/ int n() { return 1; } void f(int n, int M) {}",
            ["- invariant this.n > p.C.M && this.n < n()"],
            id="an invariant's field that a parameter hides",
        ),
        pytest.param("/*@ pure @*/ int f() { return 0; }", [r"- assignable \nothing *"], id="pure without any case"),
        pytest.param(
            r"/*@ requires a; assignable \nothing; also requires !a; pure */ int f(boolean a) { return 0; }",
            ["1 requires a", r"1 assignable \nothing", "2 requires !a", r"2 assignable \nothing *"],
            id="pure, with an assignable clause in one case",
        ),
    ],
)
def test_clauses_of_a_method(members: str, clauses: list[str]) -> None:
    assert of(members) == clauses


def test_a_constructor_has_initially_clauses_and_no_constraints() -> None:
    text = r"//@ invariant n > 0;" "\n" r"//@ constraint \old(n) <= n;" "\n//@ initially n == 1;\nint n; C() {}"
    assert of(text, "C") == ["- invariant n > 0", "- initially n == 1"]


@pytest.mark.parametrize(
    ("members", "settings", "clauses"),
    [
        pytest.param("String f(String s, int n, int[] a) { return s; }", NOT_NULL, "s a r", id="references by default"),
        pytest.param("String f(String s) { return s; }", NULLABLE, "", id="nullable by setting"),
        pytest.param("/*@ nullable */ String f(/*@ nullable */ String s) { return s; }", NOT_NULL, "", id="nullable"),
        pytest.param("@Nullable String f(@CheckForNull String s) { return s; }", NOT_NULL, "", id="annotations"),
        pytest.param("@NonNull String f(@NotNull String s) { return s; }", NULLABLE, "s r", id="non-null annotations"),
        pytest.param(
            "/*@ non_null */ String f(/*@ non_null */ String s) { return s; }", NULLABLE, "s r", id="non_null"
        ),
        pytest.param("void f(int... n) {}", NOT_NULL, "n", id="varargs are an array"),
        pytest.param("public boolean equals(Object o) { return true; } void f() {}", NOT_NULL, "", id="nothing to say"),
        pytest.param("<T> T f(T t, java.util.List<T> ts) { return t; }", NOT_NULL, "t ts r", id="type parameters"),
        pytest.param("C f() { return this; }", NOT_NULL, "r", id="a result alone"),
    ],
)
def test_what_is_non_null(members: str, settings: JavaSettings, clauses: str) -> None:
    expected = [
        r"- ensures \result != null *" if one == "r" else f"- requires {one} != null *" for one in clauses.split()
    ]
    assert of(members, settings=settings) == expected


@pytest.mark.parametrize(
    ("head", "settings", "clauses"),
    [
        pytest.param("/*@ nullable_by_default @*/ class C", NOT_NULL, "", id="JML: nullable"),
        pytest.param("@NullUnmarked class C", NOT_NULL, "", id="JSpecify: unmarked"),
        pytest.param("@NullMarked class C", NULLABLE, "s r", id="JSpecify: marked"),
        pytest.param("@NonNullByDefault class C", NULLABLE, "s r", id="Eclipse"),
        pytest.param("@ParametersAreNonnullByDefault class C", NULLABLE, "s", id="JSR 305: parameters alone"),
    ],
)
def test_the_default_of_a_class(head: str, settings: JavaSettings, clauses: str) -> None:
    expected = [
        r"- ensures \result != null *" if one == "r" else f"- requires {one} != null *" for one in clauses.split()
    ]
    assert of("String f(String s) { return s; }", settings=settings, head=head) == expected


@pytest.mark.parametrize(
    ("info", "clauses"),
    [
        pytest.param("@NullMarked package p; import org.jspecify.annotations.NullMarked;", 2, id="marked"),
        pytest.param("/** @NullMarked */ package p;", 0, id="only in a comment"),
        pytest.param("@Foo(x = @NullMarked) package p;", 0, id="inside of another annotation"),
    ],
)
def test_the_default_of_a_package(info: str, clauses: int) -> None:
    files = {"p/C.java": "package p; class C { String f(String s) { return s; } }", "p/package-info.java": info}
    assert len(effective_of(files, "f").clauses) == clauses


def test_equals_takes_null_as_object_says() -> None:
    assert of("public boolean equals(Object o) { return false; }", "equals", NOT_NULL) == []


def test_implicit_clauses_can_be_quoted() -> None:
    text = "class C { /*@ pure non_null */ String f(String s, /*@ non_null */ String t) { return s; } }"
    said = [one.text for one in effective_of({"C.java": text}, "f", NOT_NULL).clauses if one.implicit]
    assert len(said) == 4 and not any("`" in one for one in said)


def test_implicit_clauses_stand_on_the_line_of_the_method() -> None:
    text = "package p; class C {\n  /*@ pure */\n  static\n    int f(String s) { return 1; } }"
    contract = effective_of({"C.java": text}, "f", NOT_NULL)
    said = [(one.text, one.span.line, one.span.column, text[one.span.start : one.span.end]) for one in contract.clauses]
    assert said == [
        ("the parameter s is non-null by default", 4, 5, "int f(String s) { return 1; } }"),
        ("pure", 4, 5, "int f(String s) { return 1; } }"),
    ]


def test_the_exit_of_a_case_stands_at_its_head() -> None:
    text = "class C {\n  /*@ public\n    @ normal_behavior ensures true; */\n  void f() {} }"
    contract = effective_of({"C.java": text}, "f")
    exit_clause = contract.clauses[-1]
    assert (exit_clause.text, exit_clause.span.line, exit_clause.span.end_line) == ("public normal_behavior", 2, 3)


BASE = r"""package q; import static q.Limits.MOST; import java.util.NoSuchElementException; import q.r.*;
public abstract class Base<T> implements Top {
    protected int size; static int made;
    //@ invariant size <= Limits.MOST;
    /*@ public normal_behavior
      @   requires n > size && n < MOST && item != null && made >= 0;
      @   ensures \result == n && (\forall int k; k > n; f(k, item) > Limits.least(n));
      @   assignable size, Base.made;
      @ also public exceptional_behavior requires n < 0; signals (NoSuchElementException k) k.n == n;
      @ also code normal_behavior ensures false; also private normal_behavior ensures false; */
    public abstract int f(int n, T item);
    //@ ensures \result instanceof Deep;
    /*@ pure @*/ abstract Object g(Deep deep, java.util.List<? super T> all);
    //@ ensures false;
    static int s(int x) { return x; }
    //@ ensures false;
    private void own() {}
    //@ ensures false;
    void hidden() {}
}"""
TOP = "package q; public interface Top { //@ ensures \\result > 0;\n int f(int a, Object b); }"
MORE = {
    "q/Base.java": BASE,
    "q/Top.java": TOP,
    "q/Limits.java": "package q; public class Limits { public static final int MOST = 9;"
    " static int least(int x) { return x; } }",
    "q/r/Deep.java": "package q.r; public class Deep {}",
}


def heir(members: str, method: str = "f", parent: str = "q.Base<String>") -> list[str]:
    files = {"p/C.java": f"package p; class C extends {parent} {{ {members} }}", **MORE}
    return lines(effective_of(files, method))


INHERITED = [
    "requires k > size && k < q.Limits.MOST && item != null && made >= 0",
    r"ensures \result == k && (\forall int cfq_k; cfq_k > k; f(cfq_k, item) > q.Limits.least(k))",
    "assignable size, q.Base.made",
    "signals (java.lang.Exception e) false *",
]
THROWN = ["requires k < 0", "signals (java.util.NoSuchElementException cfq_k) cfq_k.n == k", "ensures false *"]
INVARIANT = "- invariant size <= q.Limits.MOST"


def test_inherited_cases_follow_the_own_ones_with_parameters_renamed() -> None:
    found = heir("//@ also ensures k == 1;\n public int f(int k, String item) { return 0; }")
    expected = ["1 ensures k == 1", *(f"2 {one}" for one in INHERITED), *(f"3 {one}" for one in THROWN), INVARIANT]
    assert found == expected


def test_a_method_without_clauses_has_the_inherited_ones() -> None:
    found = heir("public int f(int k, String item) { return 0; }")
    assert found == [*(f"1 {one}" for one in INHERITED), *(f"2 {one}" for one in THROWN), INVARIANT]


@pytest.mark.parametrize(
    ("members", "method", "clauses"),
    [
        pytest.param("public int f(long k, String item) { return 0; }", "f", [INVARIANT], id="another signature"),
        pytest.param("public int f(int k, int item) { return 0; }", "f", [INVARIANT], id="no reference for T"),
        pytest.param(
            "public int f(int k, String item) { return 0; } public int f(int k, Object item) { return 0; }",
            "f",
            [INVARIANT],
            id="two overloads that T may stand for",
        ),
        pytest.param("static int s(int x) { return x; }", "s", [], id="static methods hide"),
        pytest.param("private void own() {}", "own", [INVARIANT], id="private methods are not inherited"),
        pytest.param("void hidden() {}", "hidden", [INVARIANT], id="package access ends with the package"),
        pytest.param("private int f(int k, String item) { return 0; }", "f", [INVARIANT], id="private itself"),
    ],
)
def test_what_is_not_overridden(members: str, method: str, clauses: list[str]) -> None:
    assert heir(members, method) == clauses


def test_types_are_those_that_the_inherited_clause_means() -> None:
    files = {
        "q/C.java": "package q; class C extends Base<C> { Object g(q.r.Deep d, java.util.List<? super C> all) {} }",
        **MORE,
    }
    assert lines(effective_of(files, "g")) == [
        r"1 ensures \result instanceof q.r.Deep",
        INVARIANT,
        r"- assignable \nothing *",
    ]


def test_a_field_that_the_heir_hides_cannot_be_asked() -> None:
    found = heir("int size; public int f(int k, String item) { return 0; }")
    hidden = "(`size` means a field that C hides)"
    said = [" ".join(one.split()[:2]) for one in found if one.endswith(hidden)]
    assert said == ["1 requires", "1 ensures", "1 assignable", "1 signals", "- invariant"]


def test_an_inherited_field_that_a_parameter_hides_is_qualified() -> None:
    found = heir("public int f(int size, String made) { return 0; }")
    assert found[0] == "1 requires size > this.size && size < q.Limits.MOST && made != null && q.Base.made >= 0"


def test_a_parameter_takes_null_where_an_overridden_one_does() -> None:
    files = {
        "C.java": "class C implements I { public String f(String s, String t) { return s; } }",
        "I.java": "interface I { //@ ensures true;\n /*@ non_null */ String f(/*@ nullable */ String s, String t); }",
    }
    assert lines(effective_of(files, "f", NOT_NULL)) == [
        "1 ensures true",
        "- requires t != null *",
        r"- ensures \result != null *",
    ]


def test_clauses_of_another_arithmetic_cannot_be_asked() -> None:
    files = {
        "C.java": "/*@ spec_java_math @*/ class C implements I { public int f() { return 0; } }",
        "I.java": "interface I { //@ ensures \\result + 1 > 0;\n int f(); }",
    }
    assert lines(effective_of(files, "f")) == [
        "1 ensures \\result + 1 > 0 (it is inherited from a method with another arithmetic: "
        "mark both methods (or both types) `spec_java_math`, or none)"
    ]


@pytest.mark.parametrize("mode", ["spec_safe_math", "spec_bigint_math"])
def test_what_counts_in_unbounded_integers_counts_alike(mode: str) -> None:
    files = {
        "C.java": f"/*@ {mode} @*/ class C implements I {{ public int f() {{ return 0; }} }}",
        "I.java": "interface I { //@ ensures \\result + 1 > 0;\n int f(); }",
    }
    assert lines(effective_of(files, "f")) == ["1 ensures \\result + 1 > 0"]


def test_names_of_the_place_become_full_names() -> None:
    files = {
        "p/C.java": r"""package p; import java.util.*; import static q.Limits.*; import q.r.Deep;
            class C<E extends Deep> { static final int CAP = 1; enum Kind { A }
              class In { Kind kind;
                /*@ ensures kind == Kind.A && CAP < MOST && least(CAP) > 0 && \result instanceof Deep
                  @   && !(\result instanceof NoSuchElementException) && ((E) o).x == Integer.MAX_VALUE
                  @   && (\forall Kind k; k != Kind.A; k.n == unknown.A) && "CAP" != null; @*/
                Object f(Object o) { return o; } } }""",
        **MORE,
    }
    assert lines(effective_of(files, "f")) == [
        r"1 ensures kind == p.C.Kind.A && p.C.CAP < q.Limits.MOST && q.Limits.least(p.C.CAP) > 0"
        r" && \result instanceof q.r.Deep && !(\result instanceof java.util.NoSuchElementException)"
        r" && ((q.r.Deep) o).x == Integer.MAX_VALUE"
        r' && (\forall p.C.Kind k; k != p.C.Kind.A; k.n == unknown.A) && "CAP" != null'
    ]


def test_ids_of_cases_match_the_clauses() -> None:
    files = {
        "p/C.java": "package p; class C extends q.Base<String> { public int f(int k, String item) { return 0; } }",
        **MORE,
    }
    contract = effective_of(files, "f")
    assert contract.java is not None
    assert contract.behaviors == ("1", "2")
    assert [(one.id, one.kind) for one in contract.java.spec_cases] == [
        ("1", "normal_behavior"),
        ("2", "exceptional_behavior"),
    ]
    assert {one.file for one in contract.clauses} == {"q/Base.java"}
