"""The JML reader: annotation text → clauses, spec cases, class parts, model members, problems."""

from __future__ import annotations

import pytest
from clausefit.hook.contracts.acsl_tokens import Places
from clausefit.hook.contracts.jml import SignalsParts, Specs, read_specs, split_signals
from clausefit.hook.contracts.jml_tokens import jml_comments, keys_allow, tokenize_jml


def read(text: str) -> Specs:
    tokens = [
        token
        for comment in jml_comments(text).annotations
        for token in tokenize_jml(text, comment.text_start, comment.text_end)
    ]
    return read_specs(tokens, text, "X.java", Places(text), "before")


def clauses(text: str) -> list[tuple[str | None, str, str]]:
    return [(one.behavior, one.kind, one.formula) for one in read(text).spec.clauses]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        pytest.param("", True, id="none"),
        pytest.param("+KEY", True, id="key"),
        pytest.param("+OPENJML", True, id="openjml"),
        pytest.param("+esc", True, id="case-does-not-matter"),
        pytest.param("+RAC", False, id="only-for-others"),
        pytest.param("+RAC+ESC", True, id="one-of-several"),
        pytest.param("-ESC", True, id="negative-for-others"),
        pytest.param("-RAC", True, id="negative-rac"),
        pytest.param("-KEY", False, id="negative-key"),
        pytest.param("+OPENJML-key", False, id="negative-wins"),
        pytest.param("+", True, id="old-plus"),
        pytest.param("-", False, id="old-minus"),
    ],
)
def test_keys(keys: str, expected: bool) -> None:
    assert keys_allow(keys) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("//@ x", [" x"], id="line"),
        pytest.param("/*@ x @*/", [" x "], id="block"),
        pytest.param("/*@@@ x @@@*/", [" x "], id="runs"),
        pytest.param("/*+@ x @+*/", [" x "], id="old-marks"),
        pytest.param("/*+KEY@ x */ //+RAC@ y\n//-RAC@ z", [" x ", " z"], id="keys"),
        pytest.param("// @ x\n/* @ x */ /** @x */ /**@ x */ ///@ x\n//x@", [], id="near-misses"),
        pytest.param('"//@ x" \'"\' "/*@ x */" //@ y', [" y"], id="strings"),
        pytest.param('"""\n//@ x\n\\"""  /*@ x */ """ //@ y', [" y"], id="text-block"),
        pytest.param("/*@*/ /*@@*/ //@", ["", "", ""], id="empty"),
        pytest.param("/*@ x", [" x"], id="not-closed"),
        pytest.param("// /*@ x\n/* //@ y\n*/", [], id="in-comments"),
    ],
)
def test_comments(text: str, expected: list[str]) -> None:
    assert [text[one.text_start : one.text_end] for one in jml_comments(text).annotations] == expected


@pytest.mark.parametrize("text", ["/*@ x", "/* x", 'String s = """ x', "/*/"])
def test_unclosed_is_said(text: str) -> None:
    assert jml_comments(text).unclosed is not None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("requires (\\forall int i; 0 <= i; a[i] > 0)", "(\\forall int i; 0 <= i; a[i] > 0)", id="forall"),
        pytest.param("requires (\\forall int i; i > 0)", "(\\forall int i; i > 0)", id="no-range"),
        pytest.param("requires (\\exists int i; ; true)", "(\\exists int i; ; true)", id="empty-range"),
        pytest.param("requires \\forall int i; i > 0", "\\forall int i; i > 0", id="bare-two-parts"),
        pytest.param("requires \\forall int i; i > 0; b", "\\forall int i; i > 0; b", id="bare-three-parts"),
        pytest.param("requires (\\let int x = 1; x == y)", "(\\let int x = 1; x == y)", id="let"),
        pytest.param("requires \\max(s) == (\\max int i; 0 < i; i)", "\\max(s) == (\\max int i; 0 < i; i)", id="max"),
        pytest.param("requires (\\bsum int i; 0; n; a[i]) > 0", "(\\bsum int i; 0; n; a[i]) > 0", id="sum-of-key"),
        pytest.param("requires ';' == c && s != \";\"", "';' == c && s != \";\"", id="semicolons-in-literals"),
        pytest.param("requires (* a; ' b *) && c", "(* a; ' b *) && c", id="informal"),
        pytest.param("requires f((T t) -> { return t; })", "f((T t) -> { return t; })", id="lambda"),
        pytest.param("requires a // no ; here\n  @@ && b", "a && b", id="comment-and-decoration"),
        pytest.param("requires post && pre(when) == old", "post && pre(when) == old", id="words-that-are-names"),
        pytest.param("requires (T) model == (int) secret", "(T) model == (int) secret", id="names-after-casts"),
        pytest.param(
            "requires (\\forall int i; 0 <= i; post[i] == pure)",
            "(\\forall int i; 0 <= i; post[i] == pure)",
            id="names-in-quantifiers",
        ),
        pytest.param("requires<heap> a", "a", id="heap-of-key"),
        pytest.param("requires \\not_specified", "\\not_specified", id="not-specified"),
        pytest.param("requires x < y\n\t&&   z", "x < y && z", id="white-space"),
        pytest.param("pre a", "a", id="synonym"),
        pytest.param("requires_redundantly a", "a", id="redundantly"),
    ],
)
def test_one_requires(text: str, expected: str) -> None:
    found = read(f"/*@ {text}; ensures last; @*/")
    assert [(one.kind, one.formula) for one in found.spec.clauses] == [("requires", expected), ("ensures", "last")]
    assert not found.problems


@pytest.mark.parametrize(
    ("text", "locations"),
    [
        pytest.param("assignable a, b[i, j], c[0..n-1], this.*", ("a", "b[i, j]", "c[0..n-1]", "this.*"), id="commas"),
        pytest.param("modifies \\nothing", ("\\nothing",), id="nothing"),
        pytest.param("signals_only A, b.C", ("A", "b.C"), id="signals-only"),
        pytest.param("accessible \\infinite_union(int i; a[i])", ("\\infinite_union(int i; a[i])",), id="union-of-key"),
        pytest.param("captures p, q", ("p", "q"), id="captures"),
    ],
)
def test_locations(text: str, locations: tuple[str, ...]) -> None:
    found = read(f"//@ {text};")
    assert [one.locations for one in found.spec.clauses] == [locations]
    assert not found.problems


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        pytest.param("(E e) x > 0", SignalsParts("E", "e", "x > 0"), id="all"),
        pytest.param(
            "(java.io.IOException e) e != null", SignalsParts("java.io.IOException", "e", "e != null"), id="dots"
        ),
        pytest.param("(E) false", SignalsParts("E", "", "false"), id="no-name"),
        pytest.param("(a.E)", SignalsParts("a.E", "", ""), id="no-condition"),
        pytest.param("(E e) (f(x))", SignalsParts("E", "e", "(f(x))"), id="brackets"),
        pytest.param("x > 0", None, id="none"),
        pytest.param("(E e", None, id="broken"),
        pytest.param("()", None, id="empty"),
    ],
)
def test_split_signals(formula: str, expected: SignalsParts | None) -> None:
    assert split_signals(formula) == expected


CASES = [
    pytest.param(
        "requires a; also ensures b;",
        [("1", "lightweight", "", ""), ("2", "lightweight", "", "")],
        [("1", "requires", "a"), ("2", "ensures", "b")],
        id="also",
    ),
    pytest.param(
        "private normal_behavior ensures a; also exceptional_behaviour signals (E e) b; also code behavior ensures c;",
        [("1", "normal_behavior", "private", ""), ("2", "exceptional_behavior", "", ""), ("3", "behavior", "", "")],
        [("1", "ensures", "a"), ("2", "signals", "(E e) b"), ("3", "ensures", "c")],
        id="heavyweight",
    ),
    pytest.param(
        "public behavior requires a; {| requires b; also requires c; {| ensures d; also ensures e; |} |}"
        " also ensures f;",
        [
            ("1", "behavior", "public", ""),
            ("2", "behavior", "public", ""),
            ("3", "behavior", "public", ""),
            ("4", "lightweight", "", ""),
        ],
        [
            ("1", "requires", "a"),
            ("1", "requires", "b"),
            ("2", "requires", "a"),
            ("2", "requires", "c"),
            ("2", "ensures", "d"),
            ("3", "requires", "a"),
            ("3", "requires", "c"),
            ("3", "ensures", "e"),
            ("4", "ensures", "f"),
        ],
        id="nested",
    ),
    pytest.param(
        "ensures a; implies_that ensures b; for_example public normal_example ensures c;",
        [
            ("1", "lightweight", "", ""),
            ("2", "lightweight", "", "implies_that"),
            ("3", "normal_behavior", "public", "for_example"),
        ],
        [("1", "ensures", "a"), ("2", "ensures", "b"), ("3", "ensures", "c")],
        id="redundant-sections",
    ),
    pytest.param(
        "forall int n; old int o = f(x); requires o == n;",
        [("1", "lightweight", "", "")],
        [("1", "forall", "int n"), ("1", "old", "int o = f(x)"), ("1", "requires", "o == n")],
        id="specification-variables",
    ),
    pytest.param("normal_behavior", [("1", "normal_behavior", "", "")], [], id="empty-case"),
    pytest.param("pure", [], [], id="no-case"),
]


@pytest.mark.parametrize(("text", "cases", "expected"), CASES)
def test_spec_cases(
    text: str, cases: list[tuple[str, str, str, str]], expected: list[tuple[str | None, str, str]]
) -> None:
    found = read(f"/*@ {text} @*/")
    assert [(one.id, one.kind, one.visibility, one.section) for one in found.spec.cases] == cases
    assert clauses(f"/*@ {text} @*/") == expected
    assert not found.problems and not found.spec.extends_overridden


def test_also_at_the_start_adds_to_the_inherited_contract() -> None:
    assert read("//@ also\n//@ ensures a;").spec.extends_overridden
    assert read("//@ also code behavior ensures a;").spec.cases[0].is_code


@pytest.mark.parametrize(
    ("text", "kept", "words"),
    [
        pytest.param("requires a\n ensures b;", ["b"], "`;` is missing", id="no-semicolon"),
        pytest.param("requires (a; ensures b;", ["b"], "`)` is missing", id="no-bracket"),
        pytest.param("requires (a\n ensures b;", ["b"], "`)` is missing", id="no-bracket-and-semicolon"),
        pytest.param("requires a); ensures b;", ["b"], "without its partner", id="bracket-too-many"),
        pytest.param("requires (\\forall int i; a; b; ensures c;", ["c"], "`)` is missing", id="open-quantifier"),
        pytest.param('requires "a;\n ensures b;', ["b"], "not closed", id="open-string"),
        pytest.param("requires; ensures b;", ["b"], "empty", id="empty"),
        pytest.param("ensures b; requires a", ["b"], "`;` is missing at the end", id="end"),
        pytest.param("ensurez a; ensures b;", ["b"], "`ensurez` starts no clause", id="unknown-word"),
        pytest.param("ensures b; (some prose, in words; see there)", ["b"], "starts no clause", id="prose"),
        pytest.param("loop_invariant a; ensures b;", ["b"], "belongs to statements", id="statement-word"),
        pytest.param("requires a post\n post b;", ["b"], "`;` is missing", id="soft-word-on-a-new-line"),
        pytest.param("{| ensures b;", ["b"], "`{|` is not closed", id="open-block"),
        pytest.param("ensures b; |}", ["b"], "without its `{|`", id="block-end"),
        pytest.param("ensures a; normal_behavior ensures b;", ["a", "b"], "`also` is missing", id="no-also"),
    ],
)
def test_what_is_broken_is_said_once_and_the_rest_kept(text: str, kept: list[str], words: str) -> None:
    found = read(f"/*@ {text} @*/")
    assert [one.formula for one in found.spec.clauses] == kept
    assert [words in one.detail for one in found.problems] == [True]


def test_class_parts() -> None:
    found = read(
        "/*@ in group; maps before.x \\into group; public static invariant a; constraint_redundantly b; initially c;"
        " axiom d; private represents e = f; readable g if h; spec_public nullable @*/"
    )
    assert [(one.clause.kind, one.clause.formula, one.modifiers, one.field) for one in found.class_clauses] == [
        ("in", "group", (), "before"),
        ("maps", "before.x \\into group", (), "before"),
        ("invariant", "a", ("public", "static"), None),
        ("constraint", "b", (), None),
        ("initially", "c", (), None),
        ("axiom", "d", (), None),
        ("represents", "e = f", ("private",), None),
        ("readable", "g if h", (), None),
    ]
    assert [one.text for one in found.modifiers] == ["spec_public", "nullable"]
    assert not found.spec.clauses and not found.problems


def test_model_members_take_the_specification_before_them() -> None:
    found = read(
        "/*@ ensures a; model pure int f(int x) { return x; } model import p.Q; ghost int g = 1; model int h;"
        " ensures b; @Foo(x = 1) helper @*/"
    )
    heads = [" ".join(token.text for token in one.tokens) for one in found.members]
    assert heads == ["model pure int f ( int x )", "ghost int g = 1", "model int h"]
    assert [[clause.formula for clause in one.spec.clauses] for one in found.members] == [["a"], [], []]
    assert [one.body is not None for one in found.members] == [True, False, False]
    assert found.imports == ["p.Q"]
    assert [one.formula for one in found.spec.clauses] == ["b"]
    assert [one.text for one in found.modifiers] == ["@Foo", "helper"]


def test_a_clause_may_go_over_several_line_annotations() -> None:
    text = "//@ ensures a\n//@      && b; // why\n//@ ensures c;"
    assert clauses(text) == [("1", "ensures", "a && b"), ("1", "ensures", "c")]
    span = read(text).spec.clauses[0].span
    assert (span.line, span.column, span.end_line, span.end_column) == (1, 5, 2, 14)
    assert text[span.start : span.end] == "ensures a\n//@      && b"


def test_flattening_is_bounded() -> None:
    found = read("/*@ " + "requires a;" * 200 + "{|" + "also ".join(["requires b;"] * 200) + "|} @*/")
    assert len(found.spec.clauses) <= 5_000
    assert any("left out" in one.detail for one in found.problems)
