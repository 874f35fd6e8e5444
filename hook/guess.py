"""What evaluation expects of a formula in a stub: the polarity to ask first, and the cross-check; never a judgement."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
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

_DEFINE = re.compile(r"^[ \t]*#[ \t]*(?:define|undef)[ \t]+([A-Za-z_]\w*)(.*)$", re.MULTILINE)
_NUMBER = re.compile(
    r"[ \t]++(\(?)[ \t]*+(-?)[ \t]*+(0[xX][0-9a-fA-F]{1,32}|0|[1-9][0-9]{0,38})[uUlL]{0,3}[ \t]*+(\)?)[ \t\r]*+$"
)
_REMEMBERED = 64


Evaluation = Callable[[Pin, "Mutant | None", Mapping[str, str], str, "Effort | None"], "bool | None"]
"""What a formula is on an outcome of a pin; ``names`` are the names in it by block, ``Effort`` as for ``evaluate``."""


def evaluation(unit: SourceContracts, contract: Contract, text_of: Callable[[str], str | None]) -> Evaluation:
    """A function that says what a formula about this contract's function is on a pin, None when it cannot tell.

    ValueError where a pin has another number of arguments than the function.
    """
    definitions = definitions_from(unit.definitions)
    constants = numbers_defined(text_of(path) or "" for path in (*unit.includes, unit.file))
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


def numbers_defined(texts: Iterable[str]) -> dict[str, int]:
    """The macros that always stand for one number: defined once, as a literal (a negative one in parentheses)."""
    found: dict[str, list[str]] = {}
    for text in texts:
        for match in _DEFINE.finditer(text):
            found.setdefault(match.group(1), []).append(match.group(2))
    numbers = {}
    for name, bodies in found.items():
        number = _NUMBER.match(bodies[0]) if len(bodies) == 1 else None
        if number and bool(number.group(1)) == bool(number.group(4)) and (not number.group(2) or number.group(1)):
            digits = number.group(3)
            value = int(digits, 16) if digits[:2] in ("0x", "0X") else int(digits)
            numbers[name] = -value if number.group(2) else value
    return numbers
