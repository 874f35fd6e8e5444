"""Contracts that read memory of one type as memory of another give no judgements."""

from __future__ import annotations

import pytest
from clausefit.hook.contracts.c import read_c
from clausefit.hook.pins.values import Array, Block, Integer, Origin, Pin, Pointer, Returned, Struct, Value
from clausefit.hook.pointer_casts import other_type

WORD = Array("int", (Integer(1, "int", 32, True),))
TEXT = Array("char", (Integer(1, "char", 8, True),))
BYTES = Array("unsigned char", (Integer(1, "unsigned char", 8, False),))
PAIR = Struct("struct pair", (("a", Integer(1, "int", 32, True)), ("t", TEXT)))


@pytest.mark.parametrize(
    ("formula", "memory", "expected"),
    [
        pytest.param("\\valid((char *)p + (0 .. 3))", WORD, "char *", id="an int as bytes"),
        pytest.param("\\valid((char *)p + (0 .. 3))", PAIR, "char *", id="a struct as bytes"),
        pytest.param("((const unsigned char*)p)[0] == 1", WORD, "unsigned char *", id="a qualified type"),
        pytest.param("\\valid((int *)p)", TEXT, "int *", id="bytes as an int"),
        pytest.param("\\valid((struct pair *)p)", WORD, "struct pair *", id="an int as a struct"),
        pytest.param("\\valid((int **)p)", WORD, "int **", id="an int as a pointer"),
        pytest.param("\\valid((char *)p)", TEXT, None, id="characters as characters"),
        pytest.param("\\valid((char *)p)", BYTES, None, id="bytes as characters"),
        pytest.param("\\valid((int *)p)", WORD, None, id="an int as an int"),
        pytest.param("\\valid((struct pair *)p)", PAIR, None, id="a struct as itself"),
        pytest.param("p == (void *)0", WORD, None, id="a null pointer"),
        pytest.param("n * sizeof(char *) > 0", WORD, None, id="a size"),
        pytest.param("(int)n * (char)n > 0", WORD, None, id="casts of numbers"),
    ],
)
def test_other_type(formula: str, memory: Value, expected: str | None) -> None:
    (contract,) = read_c(f"/*@ requires {formula}; */ void f(void *p, int n);", "f.c").contracts
    arguments = (("p", Pointer("b", (), "void *")), ("n", Integer(1, "int", 32, True)))
    pin = Pin("f", arguments, (Block("b", "v", memory),), Returned(None, ()), Origin("static", "t", "t.c", 1))
    assert other_type(contract, pin, [], uses_logic=False) == expected


def test_what_is_not_held_is_not_looked_at() -> None:
    (contract,) = read_c("/*@ requires \\valid((char *)p); */ void f(char *p);", "f.c").contracts
    pin = Pin("f", (), (Block("b", "v", TEXT),), Returned(None, ()), Origin("static", "t", "t.c", 1))
    assert other_type(contract, pin, [], uses_logic=False) is None
    assert other_type(contract, pin, ["variable"], uses_logic=False) == "char *"
