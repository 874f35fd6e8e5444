"""Which judgements are taken back since evaluation says otherwise, or since nothing but WP vouches for them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from clausefit.hook.judge import cross_check
from clausefit.hook.pins.values import Array, Block, Integer, Origin, Pin, Returned, Struct, Value
from clausefit.hook.plans import Asked
from clausefit.verifiers.protocol import Judgement, Question

FOUR = Integer(4, "int", 32, True)
FLAT = Struct("point", (("x", FOUR), ("y", FOUR)))
WITH_ARRAY = Struct("ring", (("items", Array("int", (FOUR, FOUR))), ("size", FOUR)))
KEPT = "*r == \\old(*r)"


def reason(formula: str, verdict: str, guess: bool | None, memory: Value) -> str:
    """Why the judgement about ``formula`` is taken back, "" where it stands."""
    pin = Pin("f", (), (Block("b", "b", memory),), Returned(FOUR, ()), Origin("static", "test", "t.c", 1))
    asked = Asked(Question("q", "s", "", formula, "accept", "g"), "wrong", pin=0)
    plan: Any = SimpleNamespace(asked=[asked], pins=(pin,), guessed=lambda *_of: guess)
    made: Any = verdict
    unit: Any = SimpleNamespace(judgements={"q": Judgement(made, decided_by="frama-c-wp")})
    cross_check(unit, plan)
    assert unit.judgements["q"].verdict in (verdict, "undecided")
    return str(unit.judgements["q"].reason)


@pytest.mark.parametrize(
    ("formula", "verdict", "guess", "memory", "expected"),
    [
        pytest.param("*r == 4", "accepted", True, FOUR, "", id="evaluation-agrees"),
        pytest.param("*r == 4", "accepted", None, FOUR, "", id="evaluation-cannot-tell"),
        pytest.param("*r == 4", "accepted", False, FOUR, "disagreement", id="evaluation-says-the-opposite"),
        pytest.param("*r == 4", "rejected", True, FOUR, "disagreement", id="the-other-way-round"),
        pytest.param(KEPT, "accepted", True, WITH_ARRAY, "", id="a-whole-struct-that-evaluation-confirms"),
        pytest.param(KEPT, "accepted", False, WITH_ARRAY, "unsupported", id="WP-25-is-wrong-of-arrays-in-structs"),
        pytest.param(KEPT, "accepted", None, WITH_ARRAY, "unsupported", id="and-nobody-else-vouches-for-it"),
        pytest.param(KEPT, "rejected", None, WITH_ARRAY, "", id="a-part-that-differs-is-found-rightly"),
        pytest.param(KEPT, "accepted", None, FLAT, "", id="a-struct-without-arrays"),
        pytest.param(KEPT, "accepted", None, FOUR, "", id="a-number"),
    ],
)
def test_what_stands(formula: str, verdict: str, guess: bool | None, memory: Value, expected: str) -> None:
    assert reason(formula, verdict, guess, memory) == expected
