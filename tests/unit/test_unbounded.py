"""Where the message of a finding names JML's unbounded integers."""

from __future__ import annotations

import pytest
from clausefit.hook.contracts.java import read_java
from clausefit.hook.contracts.model import Contract
from clausefit.hook.pins.values import Integer, Origin, Pin, Returned
from clausefit.hook.unbounded import HINT, hint

SMALLEST = -(1 << 31)
HALF = 1 << 30


def contract_of(formula: str, modifier: str = "") -> Contract:
    text = f"class A {{ //@ ensures {formula};\n public /*@ {modifier} @*/ int f(int a) {{ return a; }} }}"
    (one,) = read_java(text, "A.java").contracts
    return one


def pin_of(argument: int, result: int, width: int = 32) -> Pin:
    name = {16: "short", 32: "int", 64: "long"}[width]
    values = [Integer(value, name, width, True) for value in (argument, result)]
    return Pin("A.f(int)", (("a", values[0]),), (), Returned(values[1], ()), Origin("static", "t", "T.java", 1))


@pytest.mark.parametrize(
    ("formula", "pin", "expected"),
    [
        pytest.param(r"\result == -a", pin_of(SMALLEST, SMALLEST), True, id="negation-of-the-smallest"),
        pytest.param(r"\result == a * 31", pin_of(HALF, 5), True, id="product"),
        pytest.param(r"\result == a + 1", pin_of(3, -HALF), True, id="by-the-result"),
        pytest.param(r"\result == Math.abs(a)", pin_of(SMALLEST, SMALLEST), True, id="abs"),
        pytest.param(r"\result == a << 2", pin_of(HALF, 0), True, id="shift"),
        pytest.param(r"\result >= 0", pin_of(SMALLEST, SMALLEST), False, id="nothing-is-computed"),
        pytest.param(r"\result >= 0 ==> a > 0", pin_of(SMALLEST, SMALLEST), False, id="arrows-compute-nothing"),
        pytest.param(r"\result == -a", pin_of(HALF - 1, 5), False, id="small-numbers"),
        pytest.param(r"\result == -a", pin_of(HALF, 5, 64), False, id="small-for-a-long"),
        pytest.param(r"\result == -a", pin_of(-(1 << 63), 5, 64), True, id="the-smallest-long"),
        pytest.param(r"\result == -a", pin_of(-(1 << 15), 5, 16), False, id="a-short-is-computed-as-an-int"),
    ],
)
def test_where_it_is_named(formula: str, pin: Pin, expected: bool) -> None:
    contract = contract_of(formula)
    (clause,) = [c for c in contract.clauses if c.kind == "ensures"]
    assert hint(contract, clause, pin) == (HINT if expected else "")


def test_not_where_the_contract_counts_as_java_does() -> None:
    contract = contract_of(r"\result == -a", "spec_java_math")
    (clause,) = [c for c in contract.clauses if c.kind == "ensures"]
    assert hint(contract, clause, pin_of(SMALLEST, SMALLEST)) == ""
