"""What evaluation expects of a formula (filled in by ``hook.expect``): never a judgement."""

from __future__ import annotations

from clausefit.hook.contracts.model import Contract, SourceContracts
from clausefit.hook.questions import Guess


def guesser(unit: SourceContracts, contract: Contract) -> Guess:
    """A function that says what a formula of this contract's stubs evaluates to, None when it cannot tell."""
    return lambda _stub, _pin, _mutant, _formula: None
