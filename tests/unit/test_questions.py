"""What is asked where a test shows only a part of the outcome."""

from __future__ import annotations

import pytest
from clausefit.hook.contracts.c import read_c
from clausefit.hook.judged import Judged
from clausefit.hook.pins.values import Block, Integer, Origin, Pin, Pointer, Returned, Unknown
from clausefit.hook.questions import Limits, Plan, first_round
from clausefit.hook.scores import not_judged
from clausefit.verifiers.protocol import Judgement

TEXT = "/*@ requires *p > 0;\n    assigns *p;\n    ensures \\result == 3;\n    ensures *p == 4; */\nint f(int *p) { }\n"
CONTRACT = read_c(TEXT, "f.c").contracts[0]
THREE = Integer(3, "int", 32, True)
NOTHING = Unknown("int")


def pin(result: Integer | Unknown, after: Integer | Unknown) -> Pin:
    """A call that shows the result, the memory, both or neither."""
    block = Block("m0", "x", Integer(1, "int", 32, True))
    outcome = Returned(result, (("m0", after),))
    return Pin("f", (("p", Pointer("m0", (), "int *")),), (block,), outcome, Origin("static", "t", "t.c", 7))


def plan_of(one: Pin, known: str) -> Plan:
    """The plan where evaluation knows the formulas that hold ``known``, and calls them true."""
    return first_round(CONTRACT, [one], "c", Limits(), (), lambda _s, _p, _m, text: True if known in text else None)


def asked_about(plan: Plan) -> list[int]:
    return [one.clauses[0] for one in plan.asked if one.role == "ensures"]


@pytest.mark.parametrize(
    ("one", "known", "asked"),
    [
        pytest.param(pin(THREE, THREE), "never", [2, 3], id="all-is-shown-so-everything-is-asked"),
        pytest.param(pin(THREE, NOTHING), "result", [2], id="only-the-clause-that-has-a-value"),
        pytest.param(pin(NOTHING, THREE), "*p == 4", [3], id="only-the-clause-on-the-memory"),
        pytest.param(pin(THREE, NOTHING), "never", [], id="nothing-has-a-value"),
        pytest.param(pin(NOTHING, NOTHING), "", [], id="nothing-is-shown-so-only-the-precondition-is-asked"),
    ],
)
def test_which_clauses_are_asked(one: Pin, known: str, asked: list[int]) -> None:
    plan = plan_of(one, known)
    assert asked_about(plan) == asked
    assert [a.role for a in plan.asked if a.role == "requires"] == ["requires"]


def test_what_no_test_shows_is_said() -> None:
    plan = plan_of(pin(THREE, NOTHING), "result")
    answers = {one.question.id: Judgement("accepted") for one in plan.asked}
    entries = [(e.reason, e.detail, e.line) for e in not_judged(Judged(plan, answers))]
    said = "`ensures *p == 4`: no test shows the outcome that this speaks of; to be asserted after the call: `*p`"
    assert entries == [("outcome_not_known", said, 5)]


def place(name: str, after: Integer | Unknown) -> tuple[Block, tuple[str, Integer | Unknown]]:
    return Block(name, name, Integer(1, "int", 32, True)), (name, after)


@pytest.mark.parametrize(
    ("a", "b", "c", "places"),
    [
        pytest.param("x", "y", "z", ["*a", "*b"], id="two-that-are-read"),
        pytest.param("x", "x", "z", ["*a", "*b"], id="one-place-under-two-names"),
        pytest.param("x", "z", "z", ["*a"], id="one-of-them-is-the-one-that-is-shown"),
    ],
)
def test_the_places_that_are_not_shown_are_named(a: str, b: str, c: str, places: list[str]) -> None:
    text = "/*@ assigns *c; ensures *c == *a + *b; */\nvoid f(int *a, int *b, int *c, int *d) { }\n"
    blocks = [place(name, THREE if name == "z" else NOTHING) for name in dict.fromkeys((a, b, c, "w"))]
    arguments = tuple((n, Pointer(to, (), "int *")) for n, to in zip("abcd", (a, b, c, "w"), strict=True))
    outcome = Returned(None, tuple(after for _block, after in blocks))
    one = Pin("f", arguments, tuple(block for block, _after in blocks), outcome, Origin("static", "t", "t.c", 7))
    plan = first_round(read_c(text, "f.c").contracts[0], [one], "c", Limits(), (), lambda _s, _p, _m, _text: None)
    answers = {one.question.id: Judgement("accepted") for one in plan.asked}
    (entry,) = not_judged(Judged(plan, answers))
    assert entry.detail.partition("after the call: ")[2].split(", ") == [f"`{name}`" for name in places]


def test_what_another_test_shows_is_not_complained_of() -> None:
    pins = [pin(THREE, NOTHING), pin(THREE, THREE)]
    plan = first_round(CONTRACT, pins, "c", Limits(), (), lambda _s, _p, _m, text: True if "result" in text else None)
    answers = {one.question.id: Judgement("accepted") for one in plan.asked}
    assert list(not_judged(Judged(plan, answers))) == []
