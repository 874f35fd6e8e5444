"""Where JML's unbounded integers may be why a clause rejects a right outcome (pure; a hint, never a judgement).

JML Reference Manual, 2nd edition, "Arithmetic modes": clauses are computed in mathematical integers unless they say
otherwise, and ``-a`` of the smallest ``int`` is then no ``int``, whereas the code's is ``a`` itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clausefit.hook.contracts.model import Clause, Contract
from clausefit.hook.pins.values import Integer, Pin, Returned, Value, leaves

HINT = (
    "the clause is computed in unbounded integers, JML's default; if the code is meant to overflow here, "
    "mark the method `spec_java_math`"
)
_COMPUTES = re.compile(r"[*]|<<|(?<!\+)\+(?!\+)|(?<!-)-(?![->])|\\(?:sum|product)\b|\babs\s*\(")
_LEAST_WIDTH = 32  # smaller ones are computed as int (JLS 5.6)


def hint(contract: Contract, clause: Clause, pin: Pin) -> str:
    """``HINT`` where the clause computes, and the call has a number in the upper half of its type's; else nothing."""
    if contract.language != "java" or (contract.java is not None and contract.java.spec_math == "java"):
        return ""
    is_large = any(
        isinstance(leaf, Integer) and leaf.width >= _LEAST_WIDTH and not -_half(leaf) < leaf.value < _half(leaf)
        for value in _values(pin)
        for _path, leaf in leaves(value)
    )
    return HINT if is_large and _COMPUTES.search(clause.formula) else ""


def _half(number: Integer) -> int:
    return 1 << (number.width - 2)


def _values(pin: Pin) -> Iterator[Value]:
    yield from (value for _name, value in pin.arguments)
    yield from (block.value for block in pin.blocks)
    if isinstance(pin.outcome, Returned):
        yield from (value for _block, value in pin.outcome.after)
        if pin.outcome.result is not None:
            yield pin.outcome.result
