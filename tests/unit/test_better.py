"""Better clauses: tables of contract and test → the clause that is offered for the blamed one, or none."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest
from c_pin_text import read
from clausefit.hook.better import better
from clausefit.hook.clause_fit import Calls, Fit
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.model import Clause, Contract
from clausefit.hook.guess import evaluation
from clausefit.hook.pins.ranking import ranked
from clausefit.hook.pins.values import Failed, Integer, Origin, Pin
from clausefit.hook.report import Better, Finding
from clausefit.hook.test_pins import fitted, renamed

WEAK, OPEN, STRONG, SHUT, FRAME = "CF101", "CF104", "CF201", "CF202", "CF203"
ONE = "int f(int a)"
TWO = "int f(int a, int n)"
ARRAY = "void f(int *t, int n)"
CELL = "void f(int *p)"
DIVIDED = "assert(f(3, 4) == 75); assert(f(1, 4) == 25); assert(f(4, 4) == 100);"
SAME = "assert(f(3) == 3); assert(f(-5) == -5);"


def file_of(annotation: str, head: str) -> str:
    return f"int level;\n/*@ {annotation}\n*/\n{head}\n{{\n}}\n"


def pins_of(text: str, contract: Contract, head: str, body: str) -> tuple[Pin, ...]:
    """The distinct pins of statements of a test, as the contract's file sees them."""
    variables = frozenset(variable.name for variable in read_c(text, "f.c").variables)
    test = f"int main(void) {{\n{body}\nreturn 0; }}"
    found = read(f"extern int level; {head};", test, functions={contract.function}).pins
    fitting = [renamed(fitted(pin, variables, variables), contract) for pin in found]
    return ranked(fitting, 32, len(fitting)).distinct


def failing(contract: Contract, *numbers: int) -> Pin:
    names = [parameter.name for parameter in contract.parameters]
    arguments = tuple((n, Integer(v, "int", 32, True)) for n, v in zip(names, numbers, strict=True))
    return Pin("f", arguments, (), Failed("abort"), Origin("static", "t", "t.c", 9))


def blamed(contract: Contract, start: str) -> Clause:
    (clause,) = [one for one in contract.clauses if one.text.startswith(start)]
    return clause


def finding_about(code: str, clause: Clause) -> Finding:
    span = clause.span
    of = (clause.kind, clause.text)
    return Finding(code, "too_weak", "error", "f.c", span.line, span.end_line, span.column, "f", of, None, 1, "", "")


def offered(
    code: str, start: str, text: str, head: str, body: str, fails: tuple[tuple[int, ...], ...] = ()
) -> Better | None:
    """What is offered for the clause of the file whose text starts with ``start``."""
    unit = read_c(text, "f.c")
    (contract,) = unit.contracts
    clause = blamed(contract, start)
    pins = (*pins_of(text, contract, head, body), *(failing(contract, *numbers) for numbers in fails))
    assert pins, "the test shows no call"
    files: Mapping[str, str] = {"f.c": text}
    calls = Calls(pins, evaluation(unit, contract, {}))
    return better(finding_about(code, clause), contract, calls, files.get)


# ruff: noqa: E501 -- tables of C text
# fmt: off
@pytest.mark.parametrize(
    ("code", "annotation", "head", "body", "start", "expected"),
    [
        pytest.param(STRONG, "ensures \\result == a * 100 / n; ensures r: \\result < 100;", TWO, DIVIDED,
                     "ensures r", "ensures r: \\result <= 100", id="too-strong-at-the-border"),
        pytest.param(STRONG, "ensures \\result == a * 100 / n; ensures 100>\\result;", TWO, DIVIDED,
                     "ensures 100", "ensures 100>=\\result", id="too-strong-at-the-border-the-other-way"),
        pytest.param(STRONG, "ensures \\result == a; ensures -9 < \\result < 3;", ONE, SAME,
                     "ensures -9", "ensures -9 < \\result <= 3", id="one-of-two-comparisons-in-a-chain"),
        pytest.param(WEAK, "ensures \\result <= a;", ONE, SAME,
                     "ensures", "ensures \\result == a", id="a-bound-for-the-value"),
        pytest.param(WEAK, "ensures a + 0 >= \\result;", ONE, SAME,
                     "ensures", "ensures a + 0 == \\result", id="a-bound-from-above-for-the-value"),
        pytest.param(WEAK, "ensures \\result == 1 ==> a > 0; ensures 0 <= \\result <= 1;", ONE,
                     "assert(f(3) == 1); assert(f(-5) == 0); assert(f(0) == 0);",
                     "ensures \\result == 1", "ensures \\result == 1 <==> a > 0", id="one-way-implication"),
        pytest.param(WEAK, "behavior b: assumes a > 0; ensures \\result <= a; behavior c: assumes a <= 0; "
                           "ensures 0 == \\result;", ONE, "assert(f(3) == 3); assert(f(5) == 5); assert(f(-1) == 0);",
                     "ensures \\result", "ensures \\result == a", id="in-a-behavior"),
        pytest.param(WEAK, "assigns t[0 .. n - 1]; ensures \\forall integer i; 0 < i < n ==> t[i] == 0;", ARRAY,
                     "int t[2] = {1, 2}; f(t, 2); assert(t[0] == 0); assert(t[1] == 0);\n"
                     "int u[1] = {3}; f(u, 1); assert(u[0] == 0);",
                     "ensures", "ensures \\forall integer i; 0 <= i < n ==> t[i] == 0", id="the-bound-of-a-quantifier"),
        pytest.param(STRONG, "assigns t[0 .. n - 1]; ensures \\forall integer i; 0 <= i <= n ==> t[i] == 0; "
                             "ensures \\forall integer i; 0 <= i < n ==> t[i] == 0;", ARRAY,
                     "int t[3] = {1, 2, 3}; f(t, 2); assert(t[0] == 0); assert(t[1] == 0); assert(t[2] == 3);\n"
                     "int u[2] = {1, 2}; f(u, 1); assert(u[0] == 0); assert(u[1] == 2);",
                     "ensures \\forall integer i; 0 <= i <= n", "ensures \\forall integer i; 0 <= i < n ==> t[i] == 0",
                     id="a-quantifier-that-goes-too-far"),
        pytest.param(WEAK, "assigns *p; ensures *p >= \\old(*p) + 1;", CELL,
                     "int x = 1; f(&x); assert(x == 2); int y = 5; f(&y); assert(y == 6);",
                     "ensures", "ensures *p == \\old(*p) + 1", id="memory"),
        pytest.param(WEAK, "assigns level; ensures level <= \\old(level) + a;", "void f(int a)",
                     "level = 1; f(2); assert(level == 3); level = 4; f(5); assert(level == 9);",
                     "ensures", "ensures level == \\old(level) + a", id="a-variable"),
    ],
)
def test_offered(code: str, annotation: str, head: str, body: str, start: str, expected: str) -> None:
    found = offered(code, start, file_of(annotation, head), head, body)
    assert found is not None
    assert found.clause == expected
    assert found.lines == file_of(annotation, head).split("\n")[1].replace(
        next(c.text for c in read_c(file_of(annotation, head), "f.c").contracts[0].clauses if c.text.startswith(start)),
        expected, 1,
    )


@pytest.mark.parametrize(
    ("code", "annotation", "head", "body", "start"),
    [
        pytest.param(WEAK, "ensures 0 <= \\result;", ONE, "assert(f(3) == 0); assert(f(4) == 0);", "ensures",
                     id="would-repeat-the-constant-of-all-tests"),
        pytest.param(WEAK, "ensures \\result <= a;", ONE, "assert(f(3) == 3);", "ensures", id="one-call-is-not-enough"),
        pytest.param(WEAK, "ensures \\result <= a;", ONE, "assert(f(3) == 3); assert(f(5) == 4);", "ensures",
                     id="wrong-on-another-call"),
        pytest.param(WEAK, "ensures \\result <= a;", ONE, SAME + "assert(f(9) != 3);", "ensures",
                     id="another-call-does-not-show-its-result"),
        pytest.param(WEAK, "ensures \\result <= a && \\result <= a + 0;", ONE, SAME, "ensures", id="two-edits-fit"),
        pytest.param(WEAK, "ensures 0 <= \\result <= \\result;", ONE, "assert(f(3) == 3); assert(f(5) == 5);",
                     "ensures", id="a-tautology-has-none"),
        pytest.param(WEAK, "ensures \\result <= g(a);", ONE, SAME, "ensures", id="what-is-not-defined-is-not-known"),
        pytest.param(WEAK, "ensures \\result <= a; ensures a == a;", ONE, SAME, "ensures \\result <= a",
                     id="another-clause-rejects-nothing-which-is-said-as-soon-as-all-is-rejected"),
        pytest.param(STRONG, "ensures \\result < 4; ensures \\result == a + 1;", ONE, "assert(f(4) == 4); assert(f(1) == 1);",
                     "ensures \\result < 4", id="what-rejects-right-and-wrong-does-not-count"),
        pytest.param(STRONG, "ensures \\result < 100;", TWO, DIVIDED, "ensures", id="accepts-wrong-outcomes-then"),
        pytest.param(STRONG, "ensures \\result == a; ensures \\result < 3;", ONE, "assert(f(4) == 4); assert(f(1) == 1);",
                     "ensures \\result <", id="too-strong-beyond-the-border"),
        pytest.param(STRONG, "assigns \\nothing; ensures \\forall integer i; 0 <= i < n ==> t[i] > 0; ensures \\true;",
                     "int f(const int *t, int n)",
                     "int t[2] = {-1, 2}; assert(f(t, 2) == 1); int u[2] = {-3, 4}; assert(f(u, 2) == 2);", "ensures \\forall",
                     id="would-leave-out-the-element-on-which-tests-fail"),
        pytest.param(STRONG, "ensures \\result == a + 1;", ONE, SAME, "ensures", id="a-wrong-term"),
        pytest.param(WEAK, "assigns *p; ensures *p >= \\old(*p) + 1; ensures \\valid(p);", CELL,
                     "int x = 1; f(&x); assert(x == 2); int y; f(&y); assert(y == 6);", "ensures *p",
                     id="a-call-with-memory-that-is-not-known"),
    ],
)
def test_not_offered(code: str, annotation: str, head: str, body: str, start: str) -> None:
    assert offered(code, start, file_of(annotation, head), head, body) is None


@pytest.mark.parametrize(
    ("code", "annotation", "body", "fails", "expected"),
    [
        pytest.param(SHUT, "requires a < 5; ensures \\result == a;", SAME + "assert(f(5) == 5);", ((6,),),
                     "requires a <= 5", id="too-strong-at-the-border"),
        pytest.param(SHUT, "requires a < 5; ensures \\result == a;", SAME + "assert(f(6) == 6);", (), None,
                     id="too-strong-beyond-the-border"),
        pytest.param(SHUT, "requires a < 5; ensures \\result == a;", SAME + "assert(f(5) == 5);", ((5,),), None,
                     id="the-same-call-fails-elsewhere"),
        pytest.param(SHUT, "requires a < 5; ensures \\result == (a < 5 ? a : 0);", SAME + "assert(f(5) == 5);", (), None,
                     id="another-clause-would-reject-what-is-then-allowed"),
        pytest.param(SHUT, "requires a < 5; ensures \\result <= a;", SAME + "assert(f(5) == 5);", (), None,
                     id="another-clause-would-accept-what-is-wrong-there"),
        pytest.param(OPEN, "requires a >= 0; ensures \\result == a;", "assert(f(3) == 3); assert(f(5) == 5);", ((0,),),
                     "requires a > 0", id="too-weak-at-the-border"),
        pytest.param(OPEN, "requires a >= 0; ensures \\result == a;", "assert(f(3) == 3); assert(f(5) == 5);",
                     ((0,), (1,)), None, id="too-weak-beyond-the-border"),
        pytest.param(OPEN, "requires a >= 0; ensures \\result == a;", "assert(f(3) == 3); assert(f(0) == 0);",
                     ((0,),), None, id="the-border-works-elsewhere"),
        pytest.param(OPEN, "requires a >= 0; ensures \\result == a;", "assert(f(3) == 3);", ((0,),), None,
                     id="one-call-that-works-is-not-enough"),
    ],
)
def test_preconditions(
    code: str, annotation: str, body: str, fails: tuple[tuple[int, ...], ...], expected: str | None
) -> None:
    found = offered(code, "requires", file_of(annotation, ONE), ONE, body, fails)
    assert (found.clause if found else None) == expected


SHIFT = "ensures \\forall integer k; 0 <= k < n - 1 ==> t[k] == \\old(t[k + 1]); ensures t[n - 1] == 0;"
SHIFTED = ("int t[3] = {1, 2, 3}; f(t, 3); assert(t[0] == 2); assert(t[1] == 3); assert(t[2] == 0);\n"
           "int u[1] = {4}; f(u, 1); assert(u[0] == 0);")
POINT = "struct pt { int x; int y; }; void f(struct pt *p)"


@pytest.mark.parametrize(
    ("annotation", "head", "body", "expected"),
    [
        pytest.param(f"assigns t[n - 1]; {SHIFT}", ARRAY, SHIFTED, "assigns t[n - 1], t[0 .. n - 2]",
                     id="the-rest-of-an-array"),
        pytest.param(f"assigns t[0 .. n - 2]; {SHIFT}", ARRAY, SHIFTED, "assigns t[0 .. n - 2], t[n - 1]",
                     id="one-element"),
        pytest.param("assigns \\nothing; ensures *p == \\old(*p) + 1;", CELL, "int x = 1; f(&x); assert(x == 2);",
                     "assigns *p", id="in-place-of-nothing"),
        pytest.param("assigns \\nothing; ensures *p == \\old(*p) * 2;", CELL,
                     "int z = 0; f(&z); assert(z == 0); int x = 1; f(&x); assert(x == 2);", "assigns *p",
                     id="one-call-writes-what-was-there"),
        pytest.param(f"assigns t[n - 1]; {SHIFT}", ARRAY, SHIFTED + "int v[3] = {5, 5, 6}; f(v, 3); assert(v[0] == 5); "
                     "assert(v[1] == 6); assert(v[2] == 0);", "assigns t[n - 1], t[0 .. n - 2]",
                     id="an-array-with-equal-neighbours"),
        pytest.param("assigns \\nothing; ensures level == a;", "void f(int a)", "level = 1; f(2); assert(level == 2);",
                     "assigns level", id="a-variable"),
        pytest.param("assigns *p; ensures *p == 2 && level == 2;", CELL,
                     "level = 1; int x = 1; f(&x); assert(x == 2); assert(level == 2);", "assigns *p, level",
                     id="a-variable-beside-memory"),
        pytest.param(f"assigns t[n - 1]; {SHIFT}", ARRAY, SHIFTED + "\nint v[2] = {7, 8}; f(v, 2); assert(v[1] == 0);",
                     None, id="a-test-that-does-not-show-all-that-is-written"),
        pytest.param("assigns \\nothing \\from *p; ensures *p == \\old(*p) + 1;", CELL,
                     "int x = 1; f(&x); assert(x == 2);", None, id="with-its-dependencies"),
        pytest.param("requires \\valid(t + (0 .. n - 1)); assigns \\nothing; ensures t[0] == 0 && t[2] == 0;", ARRAY,
                     "int t[3] = {1, 2, 3}; f(t, 3); assert(t[0] == 0); assert(t[1] == 2); assert(t[2] == 0);", None,
                     id="cells-apart-have-no-name"),
        pytest.param("requires \\valid(t + (0 .. n - 1)); assigns \\nothing; ensures t[0] == 0;", ARRAY,
                     "int t[1] = {1}; f(t, 1); assert(t[0] == 0);", None, id="several-names-for-one-cell"),
        pytest.param("requires \\valid(t + (0 .. n - 1)); assigns \\nothing; ensures \\true;", ARRAY,
                     "int t[3] = {1, 2, 3}; f(t, 3); assert(t[0] == 0); assert(t[1] == 0); assert(t[2] == 0);", None,
                     id="then-any-value-may-be-written"),
    ],
)
def test_frames(annotation: str, head: str, body: str, expected: str | None) -> None:
    found = offered(FRAME, "assigns", file_of(annotation, head), head, body)
    assert (found.clause if found else None) == expected


DECORATED = """int level;
/* What it is. */
/*@ requires -9 <= a;
  @ ensures \\result   <=   // not more than
  @   a;
  @*/
int f(int a)
{
}
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(DECORATED, "  @ ensures \\result   ==   // not more than\n  @   a;", id="several-lines"),
        pytest.param("//@ ensures \\result <= a;\nint f(int a) { }\n", "//@ ensures \\result == a;", id="line-comment"),
        pytest.param("/*@ ensures \\result <= a; */ int f(int a) { }", "/*@ ensures \\result == a; */ int f(int a) { }",
                     id="beside-its-function-at-the-end"),
        pytest.param("/*@\tcheck ensures r: \\result<=a; // why\n*/\nint f(int a) { }\n",
                     "/*@\tcheck ensures r: \\result==a; // why", id="tab-label-and-comment"),
        pytest.param("/*@ ensures \\result <= a; // gr\u00f6\u00dfer\n*/\nint f(int a) { }\n", None,
                     id="letters-whose-bytes-are-not-known"),
        pytest.param("// \u00e4\n/*@ ensures \\result <= a;\n*/\nint f(int a) { }\n", "/*@ ensures \\result == a;",
                     id="such-letters-elsewhere"),
        pytest.param("/*@ ensures \\result <= a;\r\n*/\r\nint f(int a) { }\r\n", None, id="carriage-returns"),
        pytest.param("/*@ ensures \\result <= a; \x1b*/\nint f(int a) { }\n", None, id="control-character"),
        pytest.param("/*@ ensures \\result <= a;\n*/\nint f(int a);\n/*@ requires a > -9; */\nint f(int b) { }\n", None,
                     id="merged-from-a-declaration-with-another-name"),
    ],
)
def test_lines(text: str, expected: str | None) -> None:
    start = "check ensures" if "check" in text else "ensures"
    found = offered(WEAK, start, text, ONE, SAME)
    assert (found.lines if found else None) == expected


def test_the_number_of_calls_is_that_of_all_that_are_known() -> None:
    body = "".join(f"assert(f({n}) == {n});" for n in range(50)) + "assert(f(3) == 3);"
    found = offered(WEAK, "ensures", file_of("ensures \\result <= a;", ONE), ONE, body)
    assert found is not None
    assert found.calls == 50


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("".join(f"assert(f({n}) == {n});" for n in range(101)), id="calls"),
        pytest.param("int t[3000] = {0}; f(t, 1);", id="cells"),
    ],
)
def test_too_much_to_look_at(body: str) -> None:
    head = ARRAY if "[" in body else ONE
    clause = "ensures t[0] <= n;" if "[" in body else "ensures \\result <= a;"
    assert offered(WEAK, "ensures", file_of(clause, head), head, body) is None


def test_evaluation_ends_after_its_steps() -> None:
    part = "(\\forall integer i, j; 0 <= i < 140 && 0 <= j < 140 ==> i * j + \\result <= 20000 + a)"
    unit = read_c(file_of(f"ensures \\result == a && {part} && {part};", ONE), "f.c")
    (contract,) = unit.contracts
    pins = pins_of("", contract, ONE, SAME)
    fit = Fit(contract, contract.clauses[0], Calls(pins, evaluation(unit, contract, {})))
    looser = replace(contract.clauses[0], formula=contract.clauses[0].formula.replace("<= 20000", "< 20000"))
    assert fit.judged(WEAK, looser) is None
    assert fit.effort.steps < 0


@pytest.mark.parametrize("seed", range(40))
def test_odd_clauses_give_nothing_or_change_nothing_else(seed: int) -> None:
    rng = random.Random(seed)
    words = ["<", "<=", "==>", "(", ")", "a", "\\result", "0", ";", "/*", "*/", "//", "\n", "@", "==", "&&", "\\old(a)", "?", ":"]
    for _ in range(25):
        noise = " ".join(rng.choice(words) for _ in range(rng.randrange(6)))
        text = f"/*@ ensures \\result <= a {noise}; ensures -9 <= \\result; {noise}\n*/\nint f(int a) {{ }}\n"
        unit = read_c(text, "f.c")
        for contract in unit.contracts:
            calls = Calls(pins_of(text, contract, ONE, SAME), evaluation(unit, contract, {}))
            for clause in contract.clauses:
                found = better(finding_about(WEAK, clause), contract, calls, {"f.c": text}.get)
                if found is None:
                    continue
                lines = text.split("\n")
                lines[clause.span.line - 1 : clause.span.end_line] = found.lines.split("\n")
                (again,) = read_c("\n".join(lines), "f.c").contracts
                expected = [found.clause if one == clause else one.text for one in contract.clauses]
                assert [one.text for one in again.clauses] == expected, text


@pytest.mark.parametrize("code", ["CF102", "CF103", "CF105", "CF204", "CF301", "CF901"])
def test_other_findings_have_none(code: str) -> None:
    assert offered(code, "ensures", file_of("ensures \\result <= a;", ONE), ONE, SAME) is None
