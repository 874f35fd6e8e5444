"""The Java reader: which clauses belong to which method, where they stand, what classes hold, what is not checked."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from clausefit.hook.contracts.java import read_java
from clausefit.hook.contracts.java_model import JavaClass
from clausefit.hook.contracts.model import Contract, SourceContracts
from growth import assert_grows_linearly

LAYOUTS = Path(__file__).parents[1] / "layouts" / "java"
Row = tuple[int, int, str, str, str]

# Per method (name, line): clauses as line, column, kind, spec case, text.
LAYOUT_CONTRACTS = [
    pytest.param(
        "L01_OneLiners.java",
        {
            ("L01_OneLiners.up(int)", 5): [
                (2, 9, "requires", "1", "requires n >= 0"),
                (2, 26, "ensures", "1", "ensures \\result >= n"),
                (3, 9, "ensures", "1", "ensures \\result == n + 1 || n == Integer.MAX_VALUE"),
            ],
        },
        id="line-annotations",
    ),
    pytest.param(
        "L02_BlockLeadingAt.java",
        {
            ("L02_BlockLeadingAt.len(int[])", 5): [
                (3, 11, "requires", "1", "requires a != null"),
                (4, 11, "ensures", "1", "ensures \\result == a.length"),
            ],
            ("L02_BlockLeadingAt.zeroSameLine()", 6): [
                (6, 9, "requires", "1", "requires true"),
                (6, 24, "ensures", "1", "ensures \\result == 0"),
            ],
        },
        id="block-with-runs-of-at",
    ),
    pytest.param(
        "L04_OverrideBetween.java",
        {
            ("L04_OverrideBetween.compareTo(L04_OverrideBetween)", 7): [
                (4, 9, "ensures", "1", "ensures \\result < 0 <==> k < o.k"),
            ],
            ("L04_OverrideBetween.hashCode()", 11): [
                (10, 14, "ensures", "1", "ensures \\result == k"),
            ],
        },
        id="annotations-between",
    ),
    pytest.param(
        "L06_SpecCasesAlso.java",
        {
            ("L06_SpecCasesAlso.div(int, int)", 12): [
                (3, 11, "requires", "1", "requires d != 0"),
                (4, 11, "ensures", "1", "ensures \\result == n / d"),
                (7, 11, "requires", "2", "requires d == 0"),
                (8, 11, "assignable", "2", "assignable \\nothing"),
                (9, 11, "signals_only", "2", "signals_only ArithmeticException"),
                (10, 11, "signals", "2", "signals (ArithmeticException e) d == 0"),
            ],
            ("L06_SpecCasesAlso.cap(int)", 20): [
                (14, 9, "requires", "1", "requires x >= 0"),
                (16, 12, "requires", "1", "requires x > 9"),
                (16, 29, "ensures", "1", "ensures \\result == 9"),
                (14, 9, "requires", "2", "requires x >= 0"),
                (18, 12, "requires", "2", "requires x <= 9"),
                (18, 29, "ensures", "2", "ensures \\result == x"),
            ],
        },
        id="spec-cases",
    ),
    pytest.param(
        "L07_Quantifiers.java",
        {
            ("L07_Quantifiers.total(int[])", 5): [
                (2, 9, "requires", "1", "requires \\forall int i, j; 0 <= i < j < a.length; a[i] <= a[j]"),
                (3, 9, "ensures", "1", "ensures \\result == (\\sum int i; 0 <= i && i < a.length; a[i])"),
                (
                    4,
                    9,
                    "ensures",
                    "1",
                    "ensures (\\exists int i; ; true) && (\\num_of int i; 0 <= i < a.length; a[i] == 0) >= 0",
                ),
            ],
        },
        id="quantifiers",
    ),
    pytest.param(
        "L08_Generics.java",
        {
            ("L08_Generics.top(List<? extends U>)", 6): [
                (3, 9, "requires", "1", "requires !xs.isEmpty()"),
                (
                    4,
                    9,
                    "ensures",
                    "1",
                    "ensures (\\forall int i; 0 <= i && i < xs.size(); \\result.compareTo(xs.get(i)) >= 0)",
                ),
                (5, 9, "ensures", "1", "ensures (\\exists int i; 0 <= i && i < xs.size(); \\result == xs.get(i))"),
            ],
        },
        id="generics",
    ),
    pytest.param(
        "L09_InnerAndAnonymous.java",
        {
            ("L09_InnerAndAnonymous.In.Deep.v()", 5): [
                (4, 17, "ensures", "1", "ensures \\result == In.this.v"),
            ],
            ("L09_InnerAndAnonymous.In.In(int)", 9): [
                (8, 13, "ensures", "1", "ensures this.v == v"),
            ],
            ("L09_InnerAndAnonymous.F.f(int)", 12): [
                (11, 23, "requires", "1", "requires x > 0"),
                (11, 39, "ensures", "1", "ensures \\result > 0"),
            ],
            ("L09_InnerAndAnonymous$1.f(int)", 15): [
                (14, 18, "ensures", "1", "ensures \\result == x"),
            ],
            ("L09_InnerAndAnonymous.E.first()", 18): [
                (17, 24, "ensures", "1", "ensures \\result == (this == A)"),
            ],
            ("L09_InnerAndAnonymous.R.next()", 20): [
                (19, 27, "ensures", "1", "ensures \\result == a + 1"),
            ],
        },
        id="inner-and-anonymous",
    ),
    pytest.param(
        "L11_BodyAnnotations.java",
        {
            ("L11_BodyAnnotations.count(int)", 3): [
                (2, 9, "ensures", "1", "ensures \\result == n"),
            ],
        },
        id="body-annotations",
    ),
    pytest.param(
        "L12_NearMisses.java",
        {
            ("L12_NearMisses.one()", 13): [
                (9, 9, "ensures", "1", "ensures \\result == 1"),
            ],
            ("L12_NearMisses.broken(int)", 16): [
                (15, 9, "ensures", "1", "ensures \\result x"),
            ],
        },
        id="near-misses",
    ),
    pytest.param(
        "L13_InformalAndOld.java",
        {
            ("L13_InformalAndOld.bump()", 9): [
                (3, 9, "old", "1", "old int before = a[0]"),
                (4, 9, "requires", "1", "requires (* caller holds the lock *)"),
                (5, 9, "ensures", "1", "ensures a[0] == before + 1 && \\old(a[0]) == before"),
                (6, 9, "ensures", "1", "ensures a[0] != \\old(a)[0] || true"),
                (7, 9, "ensures", "1", "ensures \\fresh(\\result) && \\typeof(\\result) == \\type(int[])"),
                (8, 9, "ensures", "1", "ensures_redundantly \\result != null"),
            ],
        },
        id="informal-and-old",
    ),
    pytest.param(
        "L15_ClauseSynonyms.java",
        {
            ("L15_ClauseSynonyms.set(int)", 5): [
                (3, 9, "requires", "1", "pre v > 0"),
                (3, 20, "ensures", "1", "post x == v"),
                (3, 33, "assignable", "1", "modifies x"),
                (3, 45, "assignable", "1", "modifiable x"),
                (3, 59, "assignable", "1", "assignable x, this.y"),
                (3, 81, "assignable", "1", "assigns x"),
                (3, 92, "assignable", "1", "writes x"),
                (4, 9, "signals_only", "1", "signals_only RuntimeException"),
                (4, 40, "signals", "1", "exsures (RuntimeException) false"),
                (4, 74, "diverges", "1", "diverges false"),
                (4, 90, "accessible", "1", "accessible x"),
                (4, 104, "measured_by", "1", "measured_by v"),
                (4, 119, "captures", "1", "captures \\nothing"),
            ],
        },
        id="synonyms",
    ),
    pytest.param(
        "L16_Constructor.java",
        {
            ("L16_Constructor.L16_Constructor(int)", 7): [
                (3, 9, "requires", "1", "requires k > 0"),
                (4, 9, "ensures", "1", "ensures this.k == k"),
            ],
            ("L16_Constructor.L16_Constructor()", 9): [
                (8, 9, "requires", "1", "requires true"),
            ],
        },
        id="constructors",
    ),
    pytest.param(
        "L17_CrlfTabs.java",
        {
            ("L17_CrlfTabs.id(int)", 5): [
                (2, 6, "requires", "1", "requires v > 0"),
                (3, 6, "ensures", "1", "ensures \\result == v"),
            ],
        },
        id="crlf-and-tabs",
    ),
    pytest.param(
        "L18_Unicode.java",
        {
            ("L18_Unicode.wächst()", 5): [
                (3, 9, "ensures", "1", "ensures größe == \\old(größe) + 1"),
                (4, 9, "ensures", "1", "ensures \"λ\".length() == 1 && '\\u0041' == 'A'"),
            ],
        },
        id="unicode",
    ),
    pytest.param(
        "L20_JavaAnnotations.java",
        {},
        id="java-annotations",
    ),
    pytest.param(
        "L21_Overloads.java",
        {
            ("L21_Overloads.f(int)", 3): [
                (2, 9, "ensures", "1", "ensures \\result == x"),
            ],
            ("L21_Overloads.f(int...)", 5): [
                (4, 9, "ensures", "1", "ensures \\result == xs.length"),
            ],
            ("L21_Overloads.g(int[])", 7): [
                (6, 9, "ensures", "1", "ensures \\result.length == xs.length"),
            ],
        },
        id="overloads",
    ),
    pytest.param(
        "L22_Javadoc.java",
        {
            ("L22_Javadoc.two()", 4): [
                (2, 9, "ensures", "1", "ensures \\result == 2"),
            ],
            ("L22_Javadoc.three()", 7): [
                (6, 9, "ensures", "1", "ensures \\result == 3"),
            ],
        },
        id="javadoc",
    ),
]


def layout(name: str) -> str:
    return (LAYOUTS / name).read_bytes().decode("utf-8")


def in_class(text: str) -> SourceContracts:
    return read_java(f"class X {{\n{text}\n}}", "X.java")


def only(found: SourceContracts) -> Contract:
    assert len(found.contracts) == 1, [one.function for one in found.contracts]
    return found.contracts[0]


def java_class(found: SourceContracts, name: str) -> JavaClass:
    assert found.java is not None
    return next(one for one in found.java.classes if one.name == name)


@pytest.mark.parametrize(("name", "expected"), LAYOUT_CONTRACTS)
def test_layouts(name: str, expected: dict[tuple[str, int], list[Row]]) -> None:
    found = read_java(layout(name), name)
    got = {
        (contract.function, contract.line): [
            (one.span.line, one.span.column, one.kind, one.behavior, one.text) for one in contract.clauses
        ]
        for contract in found.contracts
    }
    assert got == expected
    assert (len(found.not_checked) > 0) is (name == "L12_NearMisses.java")


def test_every_layout_has_its_table() -> None:
    assert sorted(param.values[0] for param in LAYOUT_CONTRACTS) == sorted(one.name for one in LAYOUTS.iterdir())


def test_layout_with_broken_clauses_says_which() -> None:
    found = read_java(layout("L12_NearMisses.java"), "L12_NearMisses.java")
    assert [(one.line, one.function, one.reason) for one in found.not_checked] == [
        (14, "L12_NearMisses.broken(int)", "parse_error"),
        (15, "L12_NearMisses.broken(int)", "parse_error"),
    ]


def test_layouts_spec_cases() -> None:
    found = read_java(layout("L06_SpecCasesAlso.java"), "L06_SpecCasesAlso.java")
    assert [
        [(case.id, case.kind, case.visibility) for case in one.java.spec_cases] for one in found.contracts if one.java
    ] == [
        [("1", "normal_behavior", "public"), ("2", "exceptional_behavior", "public")],
        [("1", "lightweight", ""), ("2", "lightweight", "")],
    ]
    assert [one.behaviors for one in found.contracts] == [("1", "2"), ("1", "2")]


SPEC = "//@ ensures a;\n"
PLACES = [
    pytest.param(SPEC + "int f() { return 1; }", "X.f()", id="before"),
    pytest.param('@A(x = "(") /*@ ensures a; @*/ public int f() { return 1; }', "X.f()", id="after-annotation"),
    pytest.param("public /*@ ensures a; @*/ int f() { return 1; }", "X.f()", id="after-modifier"),
    pytest.param("int f() /*@ ensures a; @*/ { return 1; }", "X.f()", id="before-body"),
    pytest.param("int f() /*@ pure @*/ ; //@ in g;\n" + SPEC + "int g();", "X.g()", id="after-another"),
    pytest.param(SPEC + "// c\n/** j */\n\n@Override\nint f() { return 1; }", "X.f()", id="comments-between"),
    pytest.param(
        SPEC + "<T extends A<? super T> & B> T f(Map<K, ? extends List<T[]>> m, T... t) { }",
        "X.f(Map<K, ? extends List<T[]>>, T...)",
        id="generics",
    ),
    pytest.param(
        SPEC + "void f(final @A(1) int x, @NonNull String @Nullable [] s, a . b.C c, int y[][]) throws E { }",
        "X.f(int, String[], a.b.C, int[][])",
        id="parameters-as-types",
    ),
    pytest.param(SPEC + "void f(X this, int a) { }", "X.f(int)", id="receiver"),
    pytest.param(SPEC + "X(String s) { super(); }", "X.X(String)", id="constructor"),
    pytest.param("static class Y { static class Z {" + SPEC + "Z() { } } }", "X.Y.Z.Z()", id="nested-constructor"),
    pytest.param(
        "record R(int a, String... b) {" + SPEC + "R { } }", "X.R.R(int, String...)", id="compact-constructor"
    ),
    pytest.param("enum E { A { " + SPEC + "int f() { return 1; } } }", "X.E$1.f()", id="enum-constant-body"),
    pytest.param("enum E { A, B; int z;" + SPEC + "int f() { return 1; } }", "X.E.f()", id="enum"),
    pytest.param("interface I { " + SPEC + "default int f() { return 1; } }", "X.I.f()", id="interface-default"),
    pytest.param("@interface I { } sealed interface J permits K { " + SPEC + "int f(); }", "X.J.f()", id="sealed"),
    pytest.param("void g() { class L { " + SPEC + "int f() { return 1; } } }", "X$1L.f()", id="local-class"),
    pytest.param("Object o = g(() -> new a.B<C>() { " + SPEC + "int f() { return 1; } });", "X$1.f()", id="in-lambda"),
    pytest.param('void g() { var t = """\n//@ ensures b;\n"""; }' + SPEC + "void f() { }", "X.f()", id="text-block"),
    pytest.param(
        "int g(Object o) { return switch (o) { case P(int a, var b) when a > 0 -> { yield 1; } default -> 2; }; }"
        + SPEC
        + "void f() { }",
        "X.f()",
        id="record-patterns",
    ),
    pytest.param(
        "int g(Object o) { if (o instanceof P(_, int _)) try (r; var s = t()) { } return 1; }" + SPEC + "void f() { }",
        "X.f()",
        id="unnamed-patterns",
    ),
    pytest.param(
        "X() { int a = 1; check(a); super(a); }" + SPEC + "void f() { }", "X.f()", id="statements-before-super"
    ),
    pytest.param(
        "void g() { //@ ensures b;\n { i(); } //@ assert c;\n }" + SPEC + "void f() { }", "X.f()", id="block-contract"
    ),
]


@pytest.mark.parametrize(("text", "function"), PLACES)
def test_places_of_one_contract(text: str, function: str) -> None:
    found = in_class(text)
    contract = only(found)
    assert contract.function == function
    assert [(one.kind, one.formula) for one in contract.clauses] == [("ensures", "a")]
    assert found.not_checked == ()


@pytest.mark.parametrize(
    ("text", "function"),
    [
        pytest.param("import module java.base;\n//@ ensures a;\nvoid main() { }", "X.main()", id="compact-source-file"),
        pytest.param("package p; class Y { //@ ensures a;\n Y(int x);\n}", "Y.Y(int)", id="jml-file-constructor"),
        pytest.param("class Y { //@ ensures a;\n int f(int x) { ", "Y.f(int)", id="open-end"),
        pytest.param(
            "class Y { int x = ; //@ ensures a;\n int f(int x) { return 1; } }", "Y.f(int)", id="broken-before"
        ),
        pytest.param(
            "class Y { void g() { if (\n //@ ensures a;\n int f(int x) { return 1; }", "Y.f(int)", id="body-not-closed"
        ),
        pytest.param(
            "class Y { class Z { //@ ensures a;\n int f(int x) { return 1; } ", "Y.Z.f(int)", id="classes-not-closed"
        ),
        pytest.param(
            "class Y { int x = 3 //@ ensures a;\n int f(int x) { return 1; } }", "Y.f(int)", id="field-without-end"
        ),
        pytest.param("clas Y { //@ ensures a;\n int f(int x) { return 1; } }", "X.f(int)", id="class-misspelt"),
    ],
)
def test_files_with_no_clean_tree(text: str, function: str) -> None:
    contract = only(read_java(text, "src/X.java"))
    assert contract.function == function
    assert [one.formula for one in contract.clauses] == ["a"]


SYNTAX_UP_TO_JAVA_25 = [
    pytest.param("package p;\nimport module java.base;\nclass X { %s }", id="module-import-before"),
    pytest.param("class X { %s\n X() { int a = 1; check(a); super(a); } }", id="statements-before-super"),
    pytest.param(
        "class X { %s\n int g(Object o) { return switch (o) { case A _, B _ -> 1; case P(_), Q(_) -> 2;"
        " case R(int i, _) when i > 0 -> 3; default -> 0; }; } }",
        id="unnamed-patterns-in-another-body",
    ),
    pytest.param("class X { int y = switch (z) { case A _, B _ -> 1; default -> 0; }; %s }", id="in-a-field-before"),
    pytest.param("class X { { switch (z) { case A _, B _ -> f(); default -> g(); } } %s }", id="in-an-initializer"),
    pytest.param("value class X { %s }", id="a-modifier-of-classes-to-come"),
    pytest.param("class X { int g(P q) { return (q with { x = 3; }).x; } %s }", id="an-expression-to-come"),
    pytest.param("int y;\n%s\nvoid main() { IO.println(f(1)); }", id="compact-source-file"),
    pytest.param(
        'class X { char b = \'{\', c = \'\\\'\'; String s = """\n ) } "] """; %s }', id="brackets-in-literals"
    ),
]


@pytest.mark.parametrize("around", SYNTAX_UP_TO_JAVA_25)
def test_syntax_that_the_grammar_does_not_know_breaks_no_file(around: str) -> None:
    contract = "\n//@ ensures a;\nstatic int f(int x) { return 1; }\n"
    found = read_java(around % contract, "X.java")
    assert [one.reason for one in found.not_checked if one.reason == "parse_error"] == []
    assert found.broken is None
    assert [one.java.name for one in found.contracts if one.java] == ["f"]


def test_a_bracket_may_be_a_unicode_escape() -> None:
    assert read_java("class X \\u007b //@ ensures a;\n int f() { return 1; } }", "X.java").broken is None


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('String w = "\\u005c"{";', id="an escaped quote"),
        pytest.param("char c = '\\u005c'';", id="an escaped apostrophe"),
        pytest.param('String b = "x\\u0022;', id="the closing quote"),
        pytest.param("/* { *\\u002f", id="the end of a comment"),
        pytest.param("// \r int x;", id="a line that a carriage return ends"),
    ],
)
def test_unicode_escapes_are_what_they_stand_for(text: str) -> None:
    """Each is right Java (JLS 3.3, 3.4)."""
    assert read_java(f"class X {{ {text} }}", "X.java").broken is None


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        pytest.param("class X {\n%s\nint g() {\nreturn 1\n}\n}", 5, "a `;` is missing", id="no-semicolon"),
        pytest.param("class X {\n%s\nint g() {\nreturn g(;\n}\n}", 5, "`(` is not closed", id="no-parenthesis"),
        pytest.param("class X {\n%s\nint g() {\n]\nreturn 1;\n}\n}", 5, "`]` closes nothing", id="stray-bracket"),
        pytest.param("class X {\n%s\n}\n}", 5, "`}` closes nothing", id="brace-too-many"),
        pytest.param(
            "class X {\n%s\n    int g() {\n        return 1;\n\n    int h() {\n        return 2;\n    }\n}\n",
            4,
            "`{` is not closed",
            id="brace-too-few-told-by-the-layout",
        ),
        pytest.param('class X {\n%s\nString s = "a;\n}', 4, "literal is not closed", id="open-string"),
        pytest.param('class X {\n%s\nString s = """\na;\n}', 4, "text block is not closed", id="open-text-block"),
        pytest.param("import a.B\nclass X {\n%s\n}", 1, "a `;` is missing", id="import-without-semicolon"),
    ],
)
def test_a_file_that_no_java_reads(text: str, line: int, words: str) -> None:
    found = read_java(text % "//@ ensures a;\nint f(int x) { return 1; }", "X.java")
    assert found.broken in found.not_checked
    assert found.broken is not None and (found.broken.line, found.broken.reason) == (line, "parse_error")
    assert words in found.broken.detail and "correct the syntax" in found.broken.detail
    assert [one.function for one in found.contracts] == ["X.f(int)"]


@pytest.mark.parametrize(
    ("header", "at"),
    [
        pytest.param("int f(int a b)", "a", id="two-names"),
        pytest.param("int f(int a,)", ")", id="comma-at-the-end"),
        pytest.param("int f(, int a)", ",", id="comma-at-the-start"),
        pytest.param("int f(int)", "int", id="no-name"),
        pytest.param("int f(int a) throws", "throws", id="throws-nothing"),
        pytest.param("int f(int a) foo", "foo", id="word-at-the-end"),
        pytest.param("pubic int f(int a)", "int", id="modifier-misspelt"),
        pytest.param("static f(int a)", "f", id="no-type"),
        pytest.param("int f int a)", "int", id="no-opening-parenthesis"),
    ],
)
def test_a_header_that_cannot_be_read_takes_its_contract_along(header: str, at: str) -> None:
    found = read_java(f"class X {{\n//@ ensures a;\n{header} {{ return 1; }} }}", "X.java")
    assert found.contracts == ()
    problem = found.not_checked[0]
    assert (problem.line, problem.reason) == (3, "parse_error")
    assert f"after this contract cannot be read (line 3, at `{at}`)" in problem.detail


def test_what_java_adds_to_a_contract() -> None:
    found = read_java(
        "package a.b;\nimport java.util.List;\nimport static c.D.*;\n//@ model import e.F;\n"
        "/*@ pure spec_bigint_math nullable_by_default @*/ abstract class X<T> extends p.Y<T> implements I, J<T> {\n"
        "//@ also private normal_behavior\n//@ ensures a;\n//@ helper code_java_math\n"
        "public static /*@ non_null @*/ <U> String[] f(/*@ nullable @*/ Object o, @NonNull List<@Nullable T> l, int n)"
        " throws IOException, q.E { return null; }\n}",
        "X.java",
    )
    contract = only(found)
    java = contract.java
    assert java is not None and found.java is not None
    assert (found.java.package, found.java.imports) == ("a.b", ("java.util.List", "static c.D.*", "e.F"))
    assert (java.package, java.class_name, java.class_kind, java.name) == ("a.b", "X", "class", "f")
    assert (java.is_static, java.is_constructor, java.is_pure, java.is_helper, java.has_body) == (
        True,
        False,
        True,
        True,
        True,
    )
    assert (java.spec_math, java.code_math) == ("bigint", "java")
    assert (java.default_nullness, java.result_nullness) == ("nullable", "non_null")
    assert [(one.name, one.type, one.nullness) for one in java.parameters] == [
        ("o", "Object", "nullable"),
        ("l", "List<T>", "non_null"),
        ("n", "int", None),
    ]
    assert (java.throws, java.type_parameters) == (("IOException", "q.E"), ("U",))
    assert (java.extends, java.implements, java.extends_overridden) == (("p.Y<T>",), ("I", "J<T>"), True)
    assert contract.return_type == "String[]"
    assert [one.declaration for one in contract.parameters] == ["Object o", "List<T> l", "int n"]
    assert java_class(found, "X").type_parameters == ("T",)


@pytest.mark.parametrize(
    ("imports", "annotation", "pure"),
    [
        pytest.param("import org.jmlspecs.annotation.*;", "@Pure", True, id="imported"),
        pytest.param("import org.jmlspecs.annotation.Pure;", "@Pure", True, id="imported-alone"),
        pytest.param("import my.own.Pure;", "@Pure", False, id="of-another-package"),
        pytest.param("", "@Pure", False, id="of-this-package"),
        pytest.param("", "@org.jmlspecs.annotation.Pure", True, id="in-full"),
        pytest.param("", "@ org . jmlspecs.annotation.Pure ( )", True, id="in-full-with-blanks-and-arguments"),
        pytest.param("", "@my.org.jmlspecs.annotation.Pure", False, id="in-full-of-another-package"),
        pytest.param("", "@annotation.Pure", False, id="the-end-of-the-package"),
        pytest.param("", "/*@ @org.jmlspecs.annotation.Pure @*/", True, id="in-full-in-an-annotation-comment"),
    ],
)
def test_pure_as_an_annotation_counts_where_it_is_that_of_jml(imports: str, annotation: str, pure: bool) -> None:
    java = only(
        read_java(f"{imports} class X {{ //@ ensures a;\n {annotation} int f() {{ return 1; }} }}", "X.java")
    ).java
    assert java is not None and java.is_pure is pure


@pytest.mark.parametrize("before", [True, False])
def test_annotations_of_jml_in_full_are_its_modifiers(before: bool) -> None:
    own = "@org.jmlspecs.annotation."
    of_class, of_method = f"{own}CodeSafeMath {own}NullableByDefault", f"{own}SpecJavaMath public {own}Helper"
    head = f"public {of_class}" if before else of_class
    java = only(
        read_java(
            f"{head} class X {{ private {own}SpecPublic int n; //@ ensures a;\n {of_method} {own}NonNull String f("
            f"{own}NonNull String s, String t) {{ return s; }} }}",
            "X.java",
        )
    ).java
    assert java is not None
    assert (java.spec_math, java.code_math, java.is_helper) == ("java", "safe", True)
    assert (java.default_nullness, java.result_nullness) == ("nullable", "non_null")
    assert [one.nullness for one in java.parameters] == ["non_null", None]


def test_class_parts() -> None:
    found = in_class(
        "//@ public invariant a; private static constraint b;\n"
        "private /*@ spec_public nullable @*/ Map<K, List<V>> m = new H<K, V>(1, 2), n[]; //@ in group;\n"
        "//@ model JMLDataGroup group; ghost int g = f(1, 2), h = 3;\n"
        "//@ initially c; represents r = d; axiom e;\n"
        "//@ ensures f;\n//@ model pure int half(int x) { return x / 2; }\n"
        "/*@ pure @*/ int plain() { return 1; }\n"
        "record R(/*@ nullable @*/ String s) { }\nenum E { A, B }\n//@ ensures dangling;"
    )
    one = java_class(found, "X")
    assert [(c.clause.kind, c.clause.formula, c.modifiers, c.field) for c in one.clauses] == [
        ("invariant", "a", ("public",), None),
        ("constraint", "b", ("private", "static"), None),
        ("in", "group", (), "n"),
        ("initially", "c", (), None),
        ("represents", "r = d", (), None),
        ("axiom", "e", (), None),
    ]
    assert [(f.name, f.type, f.initializer, f.is_ghost, f.is_model) for f in one.fields] == [
        ("m", "Map<K, List<V>>", "new H<K, V>(1, 2)", False, False),
        ("n", "Map<K, List<V>>[]", None, False, False),
        ("group", "JMLDataGroup", None, False, True),
        ("g", "int", "f(1, 2)", True, False),
        ("h", "int", "3", True, False),
    ]
    assert one.fields[0].modifiers == ("private", "spec_public", "nullable") and one.fields[0].nullness == "nullable"
    assert [(m.signature, m.is_pure, m.is_model, m.is_in_comment) for m in one.methods] == [
        ("X.half(int)", True, True, True),
        ("X.plain()", True, False, False),
    ]
    assert [(f.name, f.type, f.nullness) for f in java_class(found, "X.R").fields] == [("s", "String", "nullable")]
    assert [f.name for f in java_class(found, "X.E").fields] == ["A", "B"]
    assert [bare.function for bare in found.bare] == ["X.plain()"]
    assert [(n.line, n.reason) for n in found.not_checked] == [(11, "unsupported")]


def test_spans_of_methods_are_their_source() -> None:
    text = "class X {\n/*@ model int a() { return 1; } @*/ //@ ensures b;\n@A int f() { return 2; } }"
    found = read_java(text, "X.java")
    spans = [
        (text[m.span.start : m.span.end], m.body and text[m.body.start : m.body.end])
        for m in java_class(found, "X").methods
    ]
    assert spans == [
        ("model int a() { return 1; }", "{ return 1; }"),
        ("@A int f() { return 2; }", "{ return 2; }"),
    ]
    span = only(found).span
    assert span is not None and text[span.start : span.end] == "ensures b;"


@pytest.mark.parametrize(
    ("text", "line", "reason", "words"),
    [
        pytest.param("class X { //@ ensures a;\n int x; }", 1, "unsupported", "no method follows", id="before-a-field"),
        pytest.param("class X { //@ ensures a;\n }", 1, "unsupported", "no method follows", id="at-the-end"),
        pytest.param("//@ requires a;\nclass X { }", 1, "unsupported", "no method follows", id="before-a-class"),
        pytest.param("//@ invariant a;\nclass X { }", 1, "unsupported", "in no class", id="invariant-outside"),
        pytest.param("class X { void f() { } }\n/* open", 2, "parse_error", "not closed", id="open-comment"),
        pytest.param("class X { void f() { }\nvoid f() { } }", 2, "parse_error", "more than once", id="twice"),
        pytest.param("class X { //@ requires a\n void f() { } }", 1, "parse_error", "`;` is missing", id="clause"),
    ],
)
def test_not_checked(text: str, line: int, reason: str, words: str) -> None:
    found = read_java(text, "X.java").not_checked
    assert [(one.line, one.reason, words in one.detail) for one in found] == [(line, reason, True)]


def test_mutated_files_never_raise_and_spans_lie_inside() -> None:
    rng = random.Random(4)
    sources = [layout(one.name) for one in sorted(LAYOUTS.iterdir())]
    pieces = ["/*@", "@*/", "//@ ", "{|", "|}", "(", ")", "{", "}", ";", '"', '"""', "'", "\\", "<", ">", "@", "also"]
    pieces += ["\0", "\r", "\n", "é", "\U0001d4d0", "\ud800", "\ufeff", "class ", "model ", "ghost ", "requires ", "="]
    read = 0
    for _ in range(400):
        text = rng.choice(sources)
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(text) + 1)
            if rng.random() < 0.5:
                text = text[:at] + rng.choice(pieces) + text[at:]
            else:
                text = text[:at] + text[at + rng.randint(1, 30) :]
        found = read_java(text, "X.java")
        lines = text.count("\n") + 1
        for contract in (*found.contracts, *found.bare):
            assert 1 <= contract.line <= lines
            assert contract.java is not None and 0 <= contract.java.span.start <= contract.java.span.end <= len(text)
            for clause in contract.clauses:
                read += 1
                assert 0 <= clause.span.start < clause.span.end <= len(text)
                assert text[clause.span.start : clause.span.end].startswith(clause.text.split()[0].split("<")[0])
                assert clause.behavior in contract.behaviors
        assert all(one.line is not None and 1 <= one.line <= lines for one in found.not_checked)
    assert read > 500


METHOD = """    /*@ public normal_behavior
      @   requires a != null && (\\forall int i; 0 <= i && i < a.length; a[i] >= 0);
      @   ensures \\result == a.length;
      @*/
    public static /*@ pure @*/ int f%d(int[] a, /*@ nullable @*/ String s) {
        for (int i = 0; i < a.length; i++) { if (a[i] > 3) { a[i] += a[i] * 2; } }
        //@ assert x > 0;
        return a.length;
    }
"""
LARGE = "class X {\n" + "".join(METHOD % number for number in range(2_200))


@pytest.mark.parametrize(
    ("text", "contracts"),
    [
        pytest.param(LARGE + "}\n", 2_200, id="right"),
        pytest.param(LARGE, 2_200, id="class-not-closed"),
        pytest.param(LARGE.replace("{", "{ void q() {\n", 1) + "}\n", 2_200, id="body-not-closed"),
        pytest.param("class X { " + "/*@ {| requires a;\n" * 20_000, 0, id="open-blocks"),
        pytest.param("class X { " + "@A(/*@ requires a; @*/\n" * 10_000, 0, id="open-annotations"),
        pytest.param("/*@ x @*/ foo {{{{(((\n" * 10_000, 0, id="open-brackets"),
        pytest.param("class X { //@ invariant x;\n" * 3_000, 0, id="open-classes"),
        pytest.param(
            "class X { /*@ requires " + "(\\forall int i;\n" * 20_000 + "; @*/ void f(); }", 0, id="quantifiers"
        ),
    ],
)
def test_large_files(text: str, contracts: int) -> None:
    found = read_java(text, "X.java")
    assert len(found.contracts) == contracts
    assert len(found.not_checked) <= 201
    unit = len(text) // 8

    def read(size: int) -> None:
        read_java(text[: size * unit], "X.java")

    assert_grows_linearly(read, 1, 8)
