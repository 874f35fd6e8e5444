"""What evaluation expects of a formula in a stub: the polarity to ask first, and the cross-check; never a judgement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache

from clausefit.hook.c_stubs import Stub
from clausefit.hook.contracts.model import Contract, SourceContracts
from clausefit.hook.expect.definitions import LogicFunction, definitions_from
from clausefit.hook.expect.evaluate import Effort, evaluate
from clausefit.hook.expect.situation import Situation, situation_of
from clausefit.hook.mutants import Mutant, mutated
from clausefit.hook.pins.values import Pin, Returned
from clausefit.hook.plans import Guess

_REMEMBERED = 64


Evaluation = Callable[[Pin, "Mutant | None", Mapping[str, str], str, "Effort | None"], "bool | None"]
"""What a formula is on an outcome of a pin; ``names`` are the names in it by block, ``Effort`` as for ``evaluate``."""


def evaluation(unit: SourceContracts, contract: Contract, constants: Mapping[str, int]) -> Evaluation:
    """A function that says what a formula about this contract's function is on a pin, None when it cannot tell.

    ``constants`` are the names that stand for a number in the unit, see ``c_numbers.py``.
    ValueError where a pin has another number of arguments than the function.
    """
    definitions = definitions_from(unit.definitions)
    parameters = [parameter.name for parameter in contract.parameters]

    @lru_cache(maxsize=_REMEMBERED)
    def situation(pin: Pin, mutant: Mutant | None) -> Situation:
        return _situation(pin, mutant, parameters, definitions, constants)

    def holds(
        pin: Pin, mutant: Mutant | None, names: Mapping[str, str], formula: str, effort: Effort | None
    ) -> bool | None:
        seen = replace(situation(pin, mutant), globals={name: block for block, name in names.items()})
        return evaluate(formula, seen, effort)

    return holds


def guesser(evaluated: Evaluation) -> Guess[Stub]:
    """A function that says what a formula of a contract's stubs evaluates to, None when it cannot tell."""
    return lambda stub, pin, mutant, formula: evaluated(pin, mutant, stub.names, formula, None)


def _situation(
    pin: Pin,
    mutant: Mutant | None,
    names: list[str],
    definitions: Mapping[str, LogicFunction],
    constants: Mapping[str, int],
) -> Situation:
    before = {block.id: block.value for block in pin.blocks}
    outcome = pin.outcome if mutant is None else mutated(pin.outcome, mutant)
    if not isinstance(outcome, Returned):
        return situation_of(pin, names, None, before, definitions, constants)
    return situation_of(pin, names, outcome.result, {**before, **dict(outcome.after)}, definitions, constants)
