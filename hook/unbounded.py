"""Where JML's unbounded integers are why a clause rejects a right outcome (pure; a hint, never a judgement).

JML Reference Manual, 2nd edition, "Arithmetic modes": clauses are computed in mathematical integers unless they say
otherwise, and ``-a`` of the smallest ``int`` is then no ``int``, whereas the code's is ``a`` itself. The clause is
computed once more in either arithmetic, so the hint is there exactly where the arithmetic decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from clausefit.hook.contracts.model import Clause, Contract
from clausefit.hook.java.clause_value import value_on
from clausefit.hook.pins.values import Pin

_HINT = (
    "in Java's arithmetic the clause holds, but JML counts in unbounded integers: if the code is meant to overflow, "
    "mark "
)
OWN = _HINT + "the method `spec_java_math`"
INHERITED = _HINT + "the method that declares it and each that overrides that one `spec_java_math`"
OF_CLASS = _HINT + "the class `spec_java_math`, and each that inherits the clause"
_CLASS_KINDS = frozenset({"invariant", "constraint", "initially"})


def hint(contract: Contract, clause: Clause, pins: Iterable[Pin]) -> str:
    """What to do where the clause rejects in unbounded integers and holds in Java's, on each of ``pins``; else nothing.

    Nothing as well where that cannot be computed exactly, and where the precondition would fail in Java's integers.
    """
    if contract.language != "java" or (contract.java is not None and contract.java.spec_math == "java"):
        return ""
    if not all(_is_of_arithmetic(contract, clause, pin) for pin in pins):
        return ""
    if clause.kind in _CLASS_KINDS:
        return OF_CLASS
    return OWN if _is_own(contract, clause) else INHERITED


def _is_of_arithmetic(contract: Contract, clause: Clause, pin: Pin) -> bool:
    if clause.kind not in (*_CLASS_KINDS, "requires", "ensures"):
        return False
    moments = [clause.kind == "requires"]
    if clause.kind == "invariant":
        moments = [True, False] if dict(pin.arguments).get("this") is not None else [False]
    in_java = [value_on(clause.formula, pin, unbounded=False, is_before=moment) for moment in moments]
    in_jml = [value_on(clause.formula, pin, unbounded=True, is_before=moment) for moment in moments]
    conditions = [one for one in contract.clauses if one.kind == "requires" and one.behavior == clause.behavior]
    is_excluded = any(value_on(one.formula, pin, unbounded=False, is_before=True) is False for one in conditions)
    return all(in_java) and False in in_jml and not is_excluded


def _is_own(contract: Contract, clause: Clause) -> bool:
    """Whether the method itself has the clause, in its file or in the ``.jml`` file beside."""
    if clause.file and clause.file != contract.file:
        return PurePosixPath(clause.file) == PurePosixPath(contract.file).with_suffix(".jml")
    own = contract.span
    return own is not None and own.start <= clause.span.start and clause.span.end <= own.end
