"""A Java clause → the formula that is asked, under its spec case."""

from __future__ import annotations

import pytest
from clausefit.hook.contracts.java import read_java
from clausefit.hook.contracts.model import Contract
from clausefit.hook.java import formulas
from clausefit.hook.not_expressible import NotExpressible


def contract_of(specification: str, method: str = "int f(int a, int[] b) { return a; }") -> Contract:
    text = f"class C {{ int x;\n{specification}\n{method} }}"
    (contract,) = read_java(text, "C.java").contracts
    return contract


def formula(contract: Contract, index: int = -1) -> str:
    clause = contract.clauses[index]
    if clause.kind == "requires":
        return formulas.requires(clause)
    if clause.kind in formulas.THROWN_KINDS:
        return formulas.thrown_formula(contract, clause)
    if clause.kind == "assignable":
        return formulas.frame(contract, [clause], ["this.x"])
    return formulas.state_formula(contract, clause)


CASES = r"/*@ normal_behavior requires a > 0; requires b != null; ensures \result == 1; also exceptional_behavior"


@pytest.mark.parametrize(
    ("specification", "expected"),
    [
        pytest.param("//@ requires a > 0;", r"\old(a > 0)", id="a precondition is of the state before"),
        pytest.param(r"//@ ensures \result > a;", r"\result > a", id="no precondition, no guard"),
        pytest.param(
            r"//@ requires \forall int i; 0 <= i && i < a; b[i] > 0;",
            r"\old((\forall int i; 0 <= i && i < a; b[i] > 0))",
            id="a quantifier without parentheses in a precondition",
        ),
        pytest.param(
            r"//@ ensures \exists int i; 0 <= i && i < a; b[i] > 0;",
            r"(\exists int i; 0 <= i && i < a; b[i] > 0)",
            id="a quantifier without parentheses",
        ),
        pytest.param(
            "//@ requires a > 0; ensures \\result > a;",
            r"\result > a",
            id="with one case there is nothing to tell apart",
        ),
        pytest.param(
            CASES + r" requires a < 0; signals (Exception e) a == x; @*/",
            r"(\old((a < 0))) ==> (cf_exc instanceof Exception ==> (a == x))",
            id="only by its own case",
        ),
        pytest.param(
            "//@ signals (E e) e.code == a && e.e != e;",
            "cf_exc instanceof E ==> (((E) cf_exc).code == a && ((E) cf_exc).e != ((E) cf_exc))",
            id="the exception's name stands for what was thrown, but not behind a dot",
        ),
        pytest.param("//@ signals (E);", "cf_exc instanceof E ==> (true)", id="no condition"),
        pytest.param("//@ signals_only E, F;", "cf_exc instanceof E || cf_exc instanceof F", id="a list of exceptions"),
        pytest.param(r"//@ signals_only \nothing;", "false", id="no exception at all"),
        pytest.param(
            "//@ assignable x, b[*];",
            r"\old(\subset(\singleton(this.x), \locset(x, b[*])))",
            id="membership in the state before",
        ),
        pytest.param(r"//@ assignable \nothing;", "false", id="nothing may change"),
        pytest.param(r"//@ assignable \everything;", "true", id="everything may change"),
        pytest.param(
            r"//@ requires a > 0; assignable \nothing; also requires a < 0; assignable \nothing;",
            r"(\old((a < 0))) ==> (false)",
            id="a frame holds in its case",
        ),
    ],
)
def test_formula(specification: str, expected: str) -> None:
    assert formula(contract_of(specification)) == expected


@pytest.mark.parametrize(
    "specification",
    [
        pytest.param(r"//@ ensures \not_specified;", id="not specified"),
        pytest.param(r"//@ requires \same;", id="same"),
        pytest.param("//@ signals E;", id="signals without its exception"),
        pytest.param(r"//@ ensures \duration(f(1, b)) < 3;", id="time"),
        pytest.param(r"//@ ensures \not_modified(b);", id="a word that no verifier here takes"),
    ],
)
def test_not_expressible(specification: str) -> None:
    with pytest.raises(NotExpressible):
        formula(contract_of(specification))


def test_effective_precondition() -> None:
    two = contract_of(CASES + " requires a < 0; @*/")
    cases = list(formulas.case_kinds(two))
    assert formulas.effective_precondition(two, cases) == r"(\old((a > 0) && (b != null))) || (\old((a < 0)))"
    open_one = contract_of(CASES + r" signals (Exception e) true; @*/")
    assert formulas.effective_precondition(open_one, list(formulas.case_kinds(open_one))) == "true"
    assert formulas.effective_precondition(two, []) == "false"


@pytest.mark.parametrize(
    ("specification", "speaks"),
    [
        pytest.param("//@ requires a > 0;", [False], id="lightweight without signals"),
        pytest.param("//@ signals (E e) true;", [True], id="lightweight with signals"),
        pytest.param("/*@ normal_behavior requires a > 0; @*/", [True], id="normal: no exception"),
        pytest.param("/*@ behavior requires a > 0; also exceptional_behavior @*/", [False, True], id="two cases"),
    ],
)
def test_which_cases_speak_of_exceptions(specification: str, speaks: list[bool]) -> None:
    assert list(formulas.kinds_of(contract_of(specification)).values()) == speaks
