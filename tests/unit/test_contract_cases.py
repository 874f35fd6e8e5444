"""The cases of a contract, which calls reach them, and what calls that are not asked about could still show."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from clausefit.hook.clause_fit import Calls
from clausefit.hook.contract_cases import conditions, may_reject, reached_cases
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.model import Contract
from clausefit.hook.guess import evaluation
from clausefit.hook.pins.ranking import ranked
from clausefit.hook.pins.values import Failed, Integer, Origin, Pin, Returned
from clausefit.hook.plans import Limits
from clausefit.hook.questions import first_round, second_round
from clausefit.verifiers.protocol import Judgement

CLAMP = r"ensures \result >= 0; ensures n < 3 ==> \result == n; ensures n == 9 ==> \result == 3;"


def contract_of(annotation: str) -> Contract:
    (one,) = read_c(f"/*@ {annotation} */\nint f(int n, int k) {{ }}\n", "f.c").contracts
    return one


def i32(value: int) -> Integer:
    return Integer(value, "int", 32, True)


def call(n: int, result: int, k: int = 0) -> Pin:
    arguments = (("n", i32(n)), ("k", i32(k)))
    return Pin("f", arguments, (), Returned(i32(result), ()), Origin("recorded", "t", "t.c", n + 1))


def calls_of(contract: Contract, pins: Sequence[Pin]) -> Calls:
    return Calls(tuple(pins), evaluation(read_c("", "f.c"), contract, {}))


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        pytest.param(r"ensures \result >= n;", (), id="no case"),
        pytest.param(r"ensures n == 3 ==> \result == 1;", ("(n == 3)",), id="an implication"),
        pytest.param(r"ensures n > 3 ==> k > 0 ==> \result == 1;", ("(n > 3)", "(k > 0)"), id="two arrows"),
        pytest.param(r"ensures n > 3 ==> \forall integer i; i > n ==> i > 3;", ("(n > 3)",), id="a body is no case"),
        pytest.param(r"ensures \forall integer i; i > n ==> i > 3;", (), id="a quantified clause"),
        pytest.param(r"ensures n > 3 <==> \result == 1;", (), id="an equivalence"),
        pytest.param(r"ensures n > 3 ? k > 1 ==> n > 2 : \true;", (), id="a condition"),
        pytest.param(r"ensures (n == 3 ==> k == 4) && n >= 0;", (), id="a part"),
        pytest.param(r"ensures n == 3 ==> n > 0; ensures n == 3 ==> k > 0;", ("(n == 3)",), id="a case once"),
        pytest.param(
            r"behavior b: assumes n > 0; ensures \result == 1;", (r"(\at(((n > 0)), Pre)) && (\true)",), id="a behavior"
        ),
        pytest.param(
            r"behavior b: assumes n > 0; ensures k > 1 ==> \result == 1;",
            (r"(\at(((n > 0)), Pre)) && (k > 1)",),
            id="an implication in a behavior",
        ),
    ],
)
def test_conditions(annotation: str, expected: tuple[str, ...]) -> None:
    assert conditions(contract_of(annotation)) == expected


@pytest.mark.parametrize(
    ("annotation", "pin", "expected"),
    [
        pytest.param(CLAMP, call(2, 2), {0}, id="one"),
        pytest.param(CLAMP, call(9, 3), {1}, id="the other"),
        pytest.param(CLAMP, call(5, 3), set(), id="none"),
        pytest.param(
            CLAMP,
            Pin("f", (("n", i32(2)),), (), Returned(i32(2), ()), Origin("recorded", "t", "t.c", 1)),
            set(),
            id="unfit",
        ),
        pytest.param(
            CLAMP,
            Pin("f", call(2, 2).arguments, (), Failed("abort"), Origin("recorded", "t", "t.c", 1)),
            set(),
            id="failed",
        ),
        pytest.param(r"behavior b: assumes n > 0; ensures k > 1 ==> \result == 1;", call(1, 1, 2), {0}, id="behavior"),
        pytest.param(r"behavior b: assumes n > 0; ensures k > 1 ==> \result == 1;", call(1, 1, 0), set(), id="half"),
    ],
)
def test_reached_cases(annotation: str, pin: Pin, expected: set[int]) -> None:
    contract = contract_of(annotation)
    assert reached_cases(contract, calls_of(contract, [pin]).evaluate)(pin) == expected


def test_calls_that_reach_a_case_come_first() -> None:
    contract = contract_of(CLAMP)
    pins = [*(call(n, 3) for n in (3, 4, 5, 6, 7, 8)), call(900, 3), call(9, 3), call(-500, -500), call(2, 2)]
    reached = reached_cases(contract, calls_of(contract, pins).evaluate)
    chosen = ranked(pins, 32, 5, reached).pins
    # 2 and not -500: one call for each case, and the order is that of sizes and kinds of outcomes.
    assert [pin.origin.line - 1 for pin in chosen[:2]] in ([2, 9], [-500, 9], [9, 2], [9, -500])
    assert len(chosen) == 5


ON_TWO = [call(2, 2), call(1, 1)]


@pytest.mark.parametrize(
    ("pins", "formula", "expected"),
    [
        pytest.param(ON_TWO, r"n == 9 ==> \result == 3", False, id="no call reaches the case"),
        pytest.param([*ON_TWO, call(9, 3)], r"n == 9 ==> \result == 3", True, id="a call reaches it"),
        pytest.param(ON_TWO, r"n == 1 ==> strange(\result)", True, id="evaluation cannot tell"),
        pytest.param([call(n, n) for n in range(300)], r"n == -1 ==> \result == 3", True, id="too many to look at"),
    ],
)
def test_what_a_clause_may_reject(pins: Sequence[Pin], formula: str, expected: bool) -> None:
    contract = contract_of(CLAMP)
    assert may_reject(contract, calls_of(contract, pins))(formula) is expected


@pytest.mark.parametrize(
    ("known", "asked_about"),
    [
        pytest.param([], {r"ensures n == 9 ==> \result == 3"}, id="nothing else is known: the clause may be idle"),
        pytest.param([call(9, 3)], set(), id="a known call, which is not asked, reaches the case: nothing is said"),
    ],
)
def test_a_clause_is_called_idle_only_where_no_known_call_shows_otherwise(
    known: Sequence[Pin], asked_about: set[str]
) -> None:
    contract = contract_of(r"ensures \result == n; ensures n == 9 ==> \result == 3;")
    pins = [call(2, 2), call(1, 1)]
    calls = calls_of(contract, [*pins, *known])
    plan = first_round(
        contract, pins, "u", Limits(), (), lambda stub, pin, m, text: calls.evaluate(pin, m, stub.names, text, None)
    )
    plan.may_reject = may_reject(contract, calls)
    says = {a.question.id: Judgement("rejected" if a.role == "wrong" else "accepted") for a in plan.asked}
    more = second_round(plan, says)
    assert {contract.clauses[a.clauses[0]].text for a in more if a.role == "kill"} == asked_about
