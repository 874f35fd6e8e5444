"""The cases of a C contract, its behaviors and implications, and what evaluation says of the calls that reach them.

A clause that speaks of one case alone (``n == 3 ==> …``) says nothing of calls outside of it. So the calls that are
asked should reach each case, and what is said of a clause should hold for the calls that were not asked, too.
"""

from __future__ import annotations

from collections.abc import Callable

from clausefit.hook import c_formulas
from clausefit.hook.clause_fit import Calls
from clausefit.hook.contracts.model import Contract
from clausefit.hook.expect.evaluate import Effort
from clausefit.hook.guess import Evaluation
from clausefit.hook.implications import premises
from clausefit.hook.mutants import mutants_of
from clausefit.hook.not_expressible import NotExpressible
from clausefit.hook.pins.values import Pin, Returned

_MOST_CALLS = 200
_MOST_WRONG = 2000
_STEPS = 1_000_000
_TRUE = "\\true"


def conditions(contract: Contract) -> tuple[str, ...]:
    """What makes up each case, as formulas of a stub: a behavior's ``assumes``, and what stands before a ``==>``."""
    found: dict[str, None] = {}
    for clause in contract.clauses:
        if clause.kind != "ensures" or clause.implicit:
            continue
        try:
            assumed = c_formulas.assumes_of(contract, clause.behavior) if clause.behavior is not None else None
            c_formulas.check_formula(clause.formula)
        except NotExpressible:
            continue
        entry = [c_formulas.in_pre_state(assumed)] if assumed else []
        before = [*premises(clause.formula)] or ([_TRUE] if entry else [])
        found.update(dict.fromkeys(" && ".join(f"({part})" for part in (*entry, premise)) for premise in before))
    return tuple(found)


def reached_cases(contract: Contract, evaluate: Evaluation) -> Callable[[Pin], frozenset[int]]:
    """A function that gives the cases that a call is known to reach, by their numbers; it looks at so many calls."""
    cases, effort, looks = conditions(contract), Effort(_STEPS), [_MOST_CALLS]

    def reached(pin: Pin) -> frozenset[int]:
        looks[0] -= 1
        if looks[0] < 0 or not isinstance(pin.outcome, Returned) or len(pin.arguments) != len(contract.parameters):
            return frozenset()
        return frozenset(n for n, case in enumerate(cases) if evaluate(pin, None, _names(pin), case, effort) is True)

    return reached


def may_reject(contract: Contract, calls: Calls) -> Callable[[str], bool]:
    """A function that says whether a formula may reject a wrong outcome of any known call, of those not asked as well.

    True also where evaluation cannot tell, or where there are too many calls to look at.
    """
    pins = calls.pins

    def may(formula: str) -> bool:
        if len(pins) > _MOST_CALLS or any(len(pin.arguments) != len(contract.parameters) for pin in pins):
            return True
        effort, left = Effort(_STEPS), _MOST_WRONG
        for pin in pins:
            for mutant in mutants_of(pin, pins):
                left -= 1
                if left < 0 or calls.evaluate(pin, mutant, _names(pin), formula, effort) is not True:
                    return True
        return False

    return may


def _names(pin: Pin) -> dict[str, str]:
    """The names by which a contract can call blocks: those of the program's variables."""
    return {block.id: block.program for block in pin.blocks if block.program is not None}
