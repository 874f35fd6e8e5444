"""Where a contract computes with addresses, and what recorded calls then show."""

from __future__ import annotations

import pytest
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.model import Contract, LogicDefinition
from clausefit.hook.pins.values import Block, Integer, Origin, Pin, Pointer, Returned
from clausefit.hook.record.c_relations import Operand, apart, levels, relations_of

P, Q = Operand("p"), Operand("q")


def contract(clauses: str, before: str = "") -> tuple[Contract, tuple[LogicDefinition, ...]]:
    source = read_c(f"{before}\n/*@ {clauses} */ int *f(int *p, int *q, int n);", "f.c")
    return source.contracts[0], tuple(source.definitions)


@pytest.mark.parametrize(
    ("clauses", "ordered", "added"),
    [
        pytest.param(r"ensures *p < *q;", set(), set(), id="what they lead to"),
        pytest.param(r"ensures p == q;", set(), set(), id="one place or two"),
        pytest.param(r"ensures p < q + 1;", {"p", "q"}, set(), id="an order"),
        pytest.param(r"requires q - p == n;", {"p", "q"}, {"n", "p", "q"}, id="a difference"),
        pytest.param(r"ensures q == p + n;", set(), {"p", "q", "n"}, id="a sum"),
        pytest.param(r"ensures q == &p[n];", set(), {"p", "q"}, id="the address of an element"),
        pytest.param(r"ensures q == &p[0];", set(), set(), id="the address of the first"),
        pytest.param(r"requires \valid(p + (0 .. n - 1));", set(), set(), id="a range"),
        pytest.param(r"ensures (unsigned long)p % 4 == 0;", {"p"}, set(), id="a number"),
        pytest.param(r"ensures is_end(q, p + n);", set(), {"p", "n"}, id="a sum handed on"),
    ],
)
def test_what_is_compared(clauses: str, ordered: set[str], added: set[str]) -> None:
    found = relations_of(*contract(clauses))
    assert not found.opaque
    assert {one.name for one in found.ordered if one.depth == 0} - {"n"} == ordered
    assert {one.name for one in found.added if one.depth == 0} - ({"n"} - added) == added


@pytest.mark.parametrize(
    ("clauses", "indexed"),
    [
        pytest.param(r"ensures *p == p[0];", set(), id="the first"),
        pytest.param(r"ensures p[1] == 0;", {"p"}, id="the second"),
        pytest.param(r"ensures *(p + 1) == 0;", {"p"}, id="by a sum"),
        pytest.param(r"assigns p[0 .. n];", {"p"}, id="a frame"),
    ],
)
def test_what_is_indexed(clauses: str, indexed: set[str]) -> None:
    assert {one.name for one in relations_of(*contract(clauses)).indexed} - {"n"} == indexed


@pytest.mark.parametrize(
    ("definition", "opaque"),
    [
        pytest.param("//@ predicate is(int *a, int *b) = *a == *b;", False, id="what they lead to"),
        pytest.param("//@ predicate is(int *a, int *b) = a < b;", True, id="an order"),
        pytest.param("//@ predicate is(int *a, int *b) = a + 1 == b;", True, id="a sum"),
        pytest.param("//@ predicate is(int *a, int *b) = \\forall int *c; c == a;", True, id="any pointer"),
        pytest.param(
            "//@ predicate of(int *a, int *b) = a < b;\n//@ predicate is(int *a, int *b) = of(a, b);", True, id="used"
        ),
    ],
)
def test_definitions_count(definition: str, opaque: bool) -> None:
    assert relations_of(*contract("ensures is(p, q);", definition)).opaque is opaque
    assert not relations_of(*contract("ensures p == q;", definition)).opaque, "not used"


@pytest.mark.parametrize(
    ("clauses", "reason"),
    [
        pytest.param("ensures *p == *q;", None, id="no relation"),
        pytest.param("ensures q == p + 1;", "whether p and q lead into one object is not known", id="a sum"),
        pytest.param("ensures p < q;", "whether p and q lead into one object is not known", id="an order"),
        pytest.param(r"ensures \result == p + 1;", r"whether \result and p lead into one object is not known", id="it"),
        pytest.param(r"ensures \result == q + n;", None, id="in one object"),
    ],
)
def test_a_contract_that_came_later(clauses: str, reason: str | None) -> None:
    one = Integer(1, "int", 32, True)
    p, q = Pointer("a", (), "int *"), Pointer("b", (), "int *")
    arguments = (("p", p), ("q", q), ("n", one))
    pin = Pin(
        "f", arguments, (Block("a", "p", one), Block("b", "q", one)), Returned(q, ()), Origin("recorded", "", "", 0)
    )
    assert apart(pin, relations_of(*contract(clauses))) == reason


def test_levels() -> None:
    assert [levels(one) for one in ("int x", "int *p", "int **m", "char *names[3]")] == [0, 1, 2, 2]
