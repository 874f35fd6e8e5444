"""The clause reader: one annotation comment → clauses, definitions, problems."""

from __future__ import annotations

import pytest
from clausefit.hook.contracts.acsl import Annotation, read_annotation
from clausefit.hook.contracts.acsl_tokens import Places


def read(text: str) -> Annotation:
    return read_annotation(text, 0, len(text), "f.c", Places(text))


@pytest.mark.parametrize(
    ("clause", "kind", "names", "formula"),
    [
        pytest.param("requires x > 0", "requires", (), "x > 0", id="plain"),
        pytest.param("requires a: b: x > 0", "requires", ("a", "b"), "x > 0", id="two-names"),
        pytest.param('requires "a; b": x > 0', "requires", ("a; b",), "x > 0", id="quoted-name-with-semicolon"),
        pytest.param("ensures x ? a : b", "ensures", (), "x ? a : b", id="conditional-is-no-name"),
        pytest.param("ensures n: x ? a : b", "ensures", ("n",), "x ? a : b", id="name-before-a-conditional"),
        pytest.param("ensures (n: x > 0)", "ensures", (), "(n: x > 0)", id="name-in-parentheses-stays"),
        pytest.param("requires requires: x > 0", "requires", ("requires",), "x > 0", id="keyword-as-name"),
        pytest.param("requires behavior: x > 0", "requires", ("behavior",), "x > 0", id="behavior-as-name"),
        pytest.param(
            "requires ensures > 0 && assigns > 0",
            "requires",
            (),
            "ensures > 0 && assigns > 0",
            id="keyword-as-variable",
        ),
        pytest.param("ensures \\let m = p->x; m == 1", "ensures", (), "\\let m = p->x; m == 1", id="let"),
        pytest.param(
            "ensures \\forall integer i; \\let k = i; \\exists int j; j > k",
            "ensures",
            (),
            "\\forall integer i; \\let k = i; \\exists int j; j > k",
            id="nested-binders",
        ),
        pytest.param(
            "ensures { k | integer k; k > 0 } != \\empty",
            "ensures",
            (),
            "{ k | integer k; k > 0 } != \\empty",
            id="set",
        ),
        pytest.param(
            "ensures (\\forall int i; i > 0) && c == ';'",
            "ensures",
            (),
            "(\\forall int i; i > 0) && c == ';'",
            id="literal",
        ),
        pytest.param('ensures s == "a  ; b"', "ensures", (), 's == "a  ; b"', id="string-keeps-its-blanks"),
        pytest.param("exits e: \\exit_status == 0", "exits", ("e",), "\\exit_status == 0", id="exits"),
        pytest.param("decreases n", "decreases", (), "n", id="decreases"),
        pytest.param("frees \\nothing", "frees", (), "\\nothing", id="frees"),
        pytest.param(
            "requires x < 1.5 && t[0..3] == y", "requires", (), "x < 1.5 && t[0..3] == y", id="range-and-number"
        ),
        pytest.param("requires M(a, b) && OK", "requires", (), "M(a, b) && OK", id="macros"),
    ],
)
def test_one_clause(clause: str, kind: str, names: tuple[str, ...], formula: str) -> None:
    found = read(f"/*@ {clause}; ensures last: \\true; */")
    assert found.kind == "contract"
    assert found.problems == ()
    first, last = found.clauses
    assert (first.kind, first.names, first.formula, first.text) == (kind, names, formula, clause)
    assert (first.span.start, first.span.end) == (4, 4 + len(clause))
    assert last.names == ("last",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("/*@ requires\n  @   x\n  @\t> 0;\n  @*/", "requires x > 0", id="decoration"),
        pytest.param("/*@ requires x // c; d\n > 0; */", "requires x > 0", id="line-comment"),
        pytest.param("//@ requires x /* c; */ > 0;", "requires x > 0", id="block-comment-in-line-annotation"),
        pytest.param("/*@ requires x\r\n  @ > 0;\r\n*/", "requires x > 0", id="crlf"),
        pytest.param("//@ requires x \\\n > 0;", "requires x > 0", id="spliced-line"),
        pytest.param(
            "/*@ ensures range:  0 <= \\result <= \\result; */", "ensures range: 0 <= \\result <= \\result", id="blanks"
        ),
        pytest.param("/*@ check\n requires x > 0; @*/", "check requires x > 0", id="modality-on-its-own-line"),
    ],
)
def test_text_is_folded(text: str, expected: str) -> None:
    (clause,) = read(text).clauses
    assert clause.text == expected
    assert text[clause.span.start : clause.span.end].startswith(expected.split()[0])
    assert text[clause.span.end] == ";"


@pytest.mark.parametrize(
    ("clause", "locations"),
    [
        pytest.param("assigns \\nothing", ("\\nothing",), id="nothing"),
        pytest.param("assigns *p, q[0 .. n-1]", ("*p", "q[0 .. n-1]"), id="two"),
        pytest.param("assigns a, b \\from c, d", ("a", "b"), id="dependencies-are-no-locations"),
        pytest.param("assigns \\union(a, b), { c, d }", ("\\union(a, b)", "{ c, d }"), id="commas-in-brackets"),
        pytest.param("complete behaviors a, b", ("a", "b"), id="complete"),
        pytest.param("disjoint behaviors", (), id="all-disjoint"),
    ],
)
def test_locations(clause: str, locations: tuple[str, ...]) -> None:
    (found,) = read(f"/*@ {clause}; */").clauses
    assert (found.locations, found.text) == (locations, clause)


def test_behaviors_hold_until_complete() -> None:
    found = read(
        "/*@ requires a; behavior b: assumes b; check ensures c; behavior d: ensures d; complete behaviors; */"
    )
    assert found.behaviors == ("b", "d")
    assert [(c.kind, c.behavior, c.modality) for c in found.clauses] == [
        ("requires", None, "assert"),
        ("assumes", "b", "assert"),
        ("ensures", "b", "check"),
        ("ensures", "d", "assert"),
        ("complete", None, "assert"),
    ]


@pytest.mark.parametrize(
    ("text", "kept", "lines"),
    [
        pytest.param("/*@ requires a\n ensures b; */", ["ensures b"], [1], id="semicolon-missing"),
        pytest.param("/*@ requires a;\n ensures b */", ["requires a"], [2], id="last-semicolon-missing"),
        pytest.param("/*@ garbage y;\n ensures b; */", ["ensures b"], [1], id="garbage-first"),
        pytest.param(
            "/*@ requires a;\n garbage (;\n ensures b; */", ["requires a", "ensures b"], [2], id="garbage-between"
        ),
        pytest.param("/*@ requires (a;\n ensures b; */", ["ensures b"], [1], id="parenthesis-missing"),
        pytest.param("/*@ requires a);\n ensures b; */", ["ensures b"], [1, 1], id="parenthesis-too-many"),
        pytest.param("/*@ requires {a;\n ensures b; */", ["ensures b"], [1], id="brace-missing"),
        pytest.param("/*@ requires \\forall int i, a;\n ensures b; */", ["ensures b"], [1], id="binder-without-body"),
        pytest.param('/*@ requires "a: b;\n ensures b; */', ["ensures b"], [1], id="quote-missing"),
        pytest.param("/*@ requires ;\n ensures b; */", ["ensures b"], [1], id="empty-clause"),
        pytest.param("/*@ requires a;;\n ensures b; */", ["requires a", "ensures b"], [1], id="semicolon-twice"),
        pytest.param("/*@ requires", [], [1], id="comment-not-closed"),
    ],
)
def test_broken_clauses_do_not_swallow_others(text: str, kept: list[str], lines: list[int]) -> None:
    found = read(text)
    assert [clause.text for clause in found.clauses] == kept
    assert [Places(text).line(problem.offset) for problem in found.problems] == lines


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        pytest.param("/*@ requires x; */", "contract", id="contract"),
        pytest.param("/*@ check requires x; */", "contract", id="check-clause"),
        pytest.param("/*@ behavior b: ensures x; */", "contract", id="behavior"),
        pytest.param("/*@ loop invariant x; */", "code", id="loop"),
        pytest.param("//@ assert x;", "code", id="assertion"),
        pytest.param("//@ check x > 0;", "code", id="check-assertion"),
        pytest.param("/*@ calls f, g; */", "code", id="calls"),
        pytest.param("/*@ for b: ensures x; */", "code", id="for-behavior"),
        pytest.param("/*@ ghost int g; */", "ghost", id="ghost"),
        pytest.param("/*@ predicate p = \\true; */", "logic", id="predicate"),
        pytest.param("/*@ check lemma l: \\true; */", "logic", id="check-lemma"),
        pytest.param("/*@%*/", "mark", id="extension-mark"),
        pytest.param("/*@-nullpass@*/", "mark", id="splint-switch"),
        pytest.param("/*@*/", "mark", id="empty"),
        pytest.param("/*@null@*/", "unknown", id="splint-word"),
    ],
)
def test_kinds(text: str, kind: str) -> None:
    assert read(text).kind == kind


@pytest.mark.parametrize(
    ("definition", "kind", "names"),
    [
        pytest.param("predicate p{L}(int *a) = \\valid{L}(a);", "predicate", ("p",), id="predicate"),
        pytest.param("predicate p<A>(list<A> l) reads l;", "predicate", ("p",), id="predicate-reads"),
        pytest.param(
            "logic set<int *> all{L}(int *p) = \\union(p, p + 1);", "logic", ("all",), id="logic-with-set-type"
        ),
        pytest.param("logic integer max = 10;", "logic", ("max",), id="logic-constant"),
        pytest.param("type list<A> = Nil | Cons(A, list<A>);", "type", ("list", "Nil", "Cons"), id="constructors"),
        pytest.param("strong type invariant t(struct s x) = x.a > 0;", "type invariant", ("t",), id="type-invariant"),
        pytest.param("global invariant g: limit > 0;", "global invariant", ("g",), id="global-invariant"),
        pytest.param("lemma l{L}: \\forall int i; i == i;", "lemma", ("l",), id="lemma"),
        pytest.param("model struct S { integer len; boolean ok };", "model", ("len", "ok"), id="model-fields"),
        pytest.param("inductive even{L}(integer n) { case z: even(0); }", "inductive", ("even",), id="inductive"),
        pytest.param("volatile v reads rd writes wr;", "volatile", (), id="volatile-has-no-name"),
    ],
)
def test_one_definition(definition: str, kind: str, names: tuple[str, ...]) -> None:
    text = f"/*@ {definition} predicate last = \\true; */"
    found = read(text)
    assert found.problems == ()
    first, last = found.definitions
    assert (first.kind, first.names) == (kind, names)
    assert text[first.span.start : first.span.end] == first.text == definition
    assert last.names == ("last",)


def test_lemma_in_an_axiomatic_block_has_its_own_span() -> None:
    text = "/*@ axiomatic A { logic integer f(integer n); lemma l: f(0) == 0; axiom x: f(1) == 1; } */"
    block, lemma = read(text).definitions
    assert (block.kind, block.names) == ("axiomatic", ("A", "f", "l", "x"))
    assert text[block.span.start : block.span.end].endswith("}")
    assert (lemma.kind, text[lemma.span.start : lemma.span.end]) == ("lemma", "lemma l: f(0) == 0;")
    assert lemma.uses == {"l", "f"}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param("/*@ predicate p = x predicate q = \\true; */", ["q"], id="semicolon-missing"),
        pytest.param("/*@ axiomatic A { axiom x: \\true } predicate q = \\true; */", ["A", "q"], id="in-a-block"),
        pytest.param("/*@ axiomatic A { axiom x: \\true; */", [], id="block-not-closed"),
        pytest.param("/*@ inductive i(int n); predicate q = \\true; */", ["q"], id="inductive-without-cases"),
        pytest.param("/*@ predicate q = \\true; requires x; */", ["q"], id="contract-in-the-same-comment"),
    ],
)
def test_broken_definitions_are_told(text: str, names: list[str]) -> None:
    found = read(text)
    assert [definition.names[0] for definition in found.definitions] == names
    assert found.problems
