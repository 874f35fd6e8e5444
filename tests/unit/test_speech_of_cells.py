"""Of which cells of one block a clause speaks that names only one of the pointers into it."""

from __future__ import annotations

import pytest
from clausefit.hook.contracts.c import read_c
from clausefit.hook.mutants import Location, Mutant
from clausefit.hook.pins.values import Array, Block, Integer, Origin, Pin, Pointer, Returned, Struct, Value
from clausefit.hook.speech import C_SPEECH


def number(value: int) -> Integer:
    return Integer(value, "int", 32, True)


ROW: Value = Array("int", (number(1), number(2)))
PAIR: Value = Struct("struct s", (("x", number(1)), ("y", number(2))))


@pytest.mark.parametrize(
    ("clause", "memory", "q_at", "place", "expected"),
    [
        pytest.param("*p == 1", ROW, (1,), (0,), {"p"}, id="the cell it leads to"),
        pytest.param("*p == 1", ROW, (1,), (1,), set(), id="the cell beside it"),
        pytest.param("p[0] == 1", ROW, (1,), (1,), set(), id="by an index of zero"),
        pytest.param("p[1] == 1", ROW, (1,), (1,), {"p", "q"}, id="by another index"),
        pytest.param("*(p + 1) == 1", ROW, (1,), (1,), {"p", "q"}, id="by a sum"),
        pytest.param("sorted(p, 2)", ROW, (1,), (1,), {"p", "q"}, id="handed on"),
        pytest.param("*p == *q", ROW, (1,), (1,), {"q"}, id="both are named"),
        pytest.param("*p == 1", ROW, (0,), (0,), {"p", "q"}, id="two names of one cell"),
        pytest.param("p->x == 1", PAIR, ("y",), ("y",), {"p"}, id="a pointer to the whole"),
        pytest.param("*q == 1", PAIR, ("y",), ("x",), set(), id="a pointer to another field"),
        pytest.param("*q == 1", PAIR, ("y",), ("y",), {"p", "q"}, id="a pointer to the field"),
    ],
)
def test_a_clause_speaks_of_the_cell_that_its_pointer_leads_to(
    clause: str, memory: Value, q_at: tuple[int | str, ...], place: tuple[int | str, ...], expected: set[str]
) -> None:
    (contract,) = read_c(f"/*@ ensures {clause}; */ void f(int *p, int *q);", "f.c").contracts
    p_at = (0,) if memory is ROW else ()
    arguments = (("p", Pointer("m", p_at, "int *")), ("q", Pointer("m", q_at, "int *")))
    outcome = Returned(None, (("m", memory),))
    pin = Pin("f", arguments, (Block("m", "p", memory),), outcome, Origin("recorded", "", "", 0))
    mutant = Mutant(Location("m", place), number(1), number(7), untouched=False)
    spoken = C_SPEECH.spoken(contract.clauses[0], contract, pin, mutant)
    assert spoken & C_SPEECH.names_in(contract.clauses[0]) == expected & C_SPEECH.names_in(contract.clauses[0])
    assert bool(spoken) == bool(expected & C_SPEECH.names_in(contract.clauses[0]))
