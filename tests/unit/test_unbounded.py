"""Where the message of a finding names JML's unbounded integers, and what it advises."""

from __future__ import annotations

from dataclasses import replace

import pytest
from clausefit.hook.contracts.java import read_java
from clausefit.hook.contracts.model import Clause, Contract
from clausefit.hook.pins.values import Integer, Origin, Pin, Returned
from clausefit.hook.unbounded import INHERITED, OF_CLASS, OWN, hint

SMALLEST, LARGEST = -(1 << 31), (1 << 31) - 1


def contract_of(formula: str, modifier: str = "", kind: str = "ensures") -> Contract:
    text = f"class A {{ //@ {kind} {formula};\n public /*@ {modifier} @*/ long f(int a, int b) {{ return a; }} }}"
    (one,) = read_java(text, "A.java").contracts
    return one


def clause_of(contract: Contract, kind: str = "ensures") -> Clause:
    return next(c for c in contract.clauses if c.kind == kind)


def pin_of(a: int, b: int, result: int, type_name: str = "int") -> Pin:
    arguments = tuple((name, Integer(value, "int", 32, True)) for name, value in (("a", a), ("b", b)))
    returned = Integer(result, type_name, {"int": 32, "long": 64}[type_name], True)
    return Pin("A.f(int, int)", arguments, (), Returned(returned, ()), Origin("static", "t", "T.java", 1))


@pytest.mark.parametrize(
    ("formula", "pins", "expected"),
    [
        pytest.param(r"\result == -a", [pin_of(SMALLEST, 0, SMALLEST)], True, id="negation-of-the-smallest"),
        pytest.param(r"\result == a * b", [pin_of(65536, 65536, 0)], True, id="small-numbers-with-a-large-product"),
        pytest.param(
            r"\result == a * b", [pin_of(50000, 50000, -1794967296, "long")], True, id="int-product-in-a-long"
        ),
        pytest.param(r"\result == 31 * (31 * a + b) + 6", [pin_of(4469270, 5, 1335)], True, id="a-hash"),
        pytest.param(r"\result == 1 << a", [pin_of(32, 0, 1)], True, id="shift-by-the-low-bits"),
        pytest.param(r"\result == -1", [pin_of(LARGEST, 0, 0)], False, id="nothing-overflows"),
        pytest.param(r"\result >= 0", [pin_of(SMALLEST, 0, SMALLEST)], False, id="nothing-is-computed"),
        pytest.param(r"\result == a + 1", [pin_of(1, 0, 3)], False, id="wrong-in-either"),
        pytest.param(r"\result == (long) a * b", [pin_of(65536, 65536, 0)], False, id="wide-enough"),
        pytest.param(r"\result.equals(a + b)", [pin_of(LARGEST, 1, 0)], False, id="not-plain"),
        pytest.param(
            r"\result == a + 1",
            [pin_of(LARGEST, 0, SMALLEST), pin_of(1, 0, 3)],
            False,
            id="one-witness-is-not-of-the-arithmetic",
        ),
        pytest.param(
            r"\result == a + 1",
            [pin_of(LARGEST, 0, SMALLEST), pin_of(LARGEST, 5, SMALLEST)],
            True,
            id="all-witnesses-are-of-the-arithmetic",
        ),
    ],
)
def test_where_it_is_named(formula: str, pins: list[Pin], expected: bool) -> None:
    contract = contract_of(formula)
    assert hint(contract, clause_of(contract), pins) == (OWN if expected else "")


@pytest.mark.parametrize(
    ("formula", "pin", "expected"),
    [
        pytest.param("a * b < 0", pin_of(50000, 50000, 0), True, id="overflow-makes-it-true"),
        pytest.param("a + b > 0", pin_of(SMALLEST, LARGEST, -1), False, id="minus-one-in-either"),
        pytest.param("a + b > 0", pin_of(LARGEST, 1, 0), False, id="overflow-makes-it-false"),
    ],
)
def test_preconditions(formula: str, pin: Pin, expected: bool) -> None:
    contract = contract_of(formula, kind="requires")
    assert hint(contract, clause_of(contract, "requires"), [pin]) == (OWN if expected else "")


@pytest.mark.parametrize(
    ("modifier", "expected"),
    [
        pytest.param("spec_java_math", "", id="counts-as-java-does"),
        pytest.param("spec_bigint_math", OWN, id="unbounded-by-its-own-word"),
        pytest.param("code_java_math", OWN, id="only-of-the-code"),
    ],
)
def test_what_the_contract_says_of_arithmetic(modifier: str, expected: str) -> None:
    contract = contract_of(r"\result == -a", modifier)
    assert hint(contract, clause_of(contract), [pin_of(SMALLEST, 0, SMALLEST)]) == expected


def test_not_where_the_precondition_would_fail_in_its_place() -> None:
    contract = contract_of(r"\result == a + b")
    clause = clause_of(contract)
    condition = replace(clause, kind="requires", text="requires a + b > 0", formula="a + b > 0")
    overflow = [pin_of(LARGEST, 1, SMALLEST)]
    assert hint(contract, clause, overflow) == OWN
    assert hint(replace(contract, clauses=(condition, clause)), clause, overflow) == ""


@pytest.mark.parametrize(
    ("file", "moved", "expected"),
    [
        pytest.param("A.java", 0, OWN, id="own"),
        pytest.param("A.jml", 1000, OWN, id="of-the-file-beside"),
        pytest.param("I.java", 0, INHERITED, id="of-another-file"),
        pytest.param("A.java", 1000, INHERITED, id="of-another-class-of-the-file"),
    ],
)
def test_an_inherited_clause_needs_both_marked(file: str, moved: int, expected: str) -> None:
    contract = contract_of(r"\result == -a")
    clause = clause_of(contract)
    span = replace(clause.span, start=clause.span.start + moved, end=clause.span.end + moved)
    there = replace(clause, file=file, span=span)
    assert hint(contract, there, [pin_of(SMALLEST, 0, SMALLEST)]) == expected


def test_a_class_clause_needs_the_class_marked() -> None:
    contract = contract_of(r"\result == -a")
    clause = replace(clause_of(contract), kind="invariant", formula="-a == a && a < 0", behavior=None)
    assert hint(contract, clause, [pin_of(SMALLEST, 0, SMALLEST)]) == OF_CLASS
