"""The situation that a formula speaks of: one call, the memory before it and after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from clausefit.hook.expect.definitions import LogicFunction
from clausefit.hook.pins.values import Pin, Value


@dataclass(frozen=True)
class Situation:
    """One call and its outcome, as a clause sees it.

    ``parameters`` are the values at entry, already of the parameters' types. ``before`` and ``after`` give each
    block's value, ``globals`` the block of each C variable. ``constants`` are enumerators and macros that
    stand for one number; a macro belongs here only when its text is a literal or stands in parentheses.
    ``constant`` are the blocks that nothing may write.
    """

    parameters: Mapping[str, Value] = field(default_factory=dict)
    before: Mapping[str, Value] = field(default_factory=dict)
    after: Mapping[str, Value] = field(default_factory=dict)
    result: Value | None = None
    globals: Mapping[str, str] = field(default_factory=dict)
    definitions: Mapping[str, LogicFunction] = field(default_factory=dict)
    constants: Mapping[str, int] = field(default_factory=dict)
    constant: frozenset[str] = frozenset()


def situation_of(
    pin: Pin,
    parameters: Sequence[str],
    result: Value | None,
    after: Mapping[str, Value],
    definitions: Mapping[str, LogicFunction] | None = None,
    constants: Mapping[str, int] | None = None,
) -> Situation:
    """The situation of ``pin`` with an outcome, right or mutated.

    ``parameters`` are the names in the contract, in order; ``after`` holds the blocks' values afterwards
    (for a failed call, give the values before). ValueError when the number of parameters is another one.
    """
    values = (value for _name, value in pin.arguments)
    return Situation(
        parameters=dict(zip(parameters, values, strict=True)),
        before={block.id: block.value for block in pin.blocks},
        after=after,
        result=result,
        globals={block.program: block.id for block in pin.blocks if block.program is not None},
        definitions=definitions or {},
        constants=constants or {},
        constant=frozenset(block.id for block in pin.blocks if block.constant),
    )
