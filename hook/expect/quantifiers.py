"""The finite range of a quantifier's variables, from their types and from the bounds in its guard."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from math import prod

from clausefit.hook.expect.arithmetic import is_integer
from clausefit.hook.expect.memory import Undefined
from clausefit.hook.expect.terms import Term
from clausefit.hook.expect.tree import Bound, Node, Quantified
from clausefit.hook.expect.types import number_type
from clausefit.hook.pins.c_types import IntType

MAX_INSTANCES = 20_000

Evaluate = Callable[[Node, Mapping[str, Term]], Term]


def instances(node: Quantified, evaluate: Evaluate) -> Iterator[dict[str, Term]]:
    """Every assignment of the bound variables for which the guard can be true.

    ``evaluate`` gives the value of a bound under an assignment of other variables. Undefined when a
    variable is not bounded, has a type that is not enumerated, or when there are too many assignments.
    """
    sides = {name: _range_of_type(kind) for name, kind in node.binders}
    for _ in sides:
        for bound in node.bounds:
            _tighten(sides, bound, evaluate)
    ranges = []
    for low, high in sides.values():
        if low is None or high is None:
            raise Undefined("a bound variable has no bound")
        ranges.append(range(low, high + 1))
    if prod(max(0, span.stop - span.start) for span in ranges) > MAX_INSTANCES:
        raise Undefined("too many instances")
    booleans = {name for name, kind in node.binders if kind == "boolean"}
    for values in product(*ranges):
        named = zip(sides, values, strict=True)
        yield {name: bool(value) if name in booleans else value for name, value in named}


def _range_of_type(kind: str) -> list[int | None]:
    if kind == "integer":
        return [None, None]
    if kind == "boolean":
        return [0, 1]
    known = number_type(kind)
    if not isinstance(known, IntType):
        raise Undefined("the type of a bound variable is not enumerated")
    if known.signed:
        return [-(1 << (known.width - 1)), (1 << (known.width - 1)) - 1]
    return [0, (1 << known.width) - 1]


def _tighten(sides: dict[str, list[int | None]], bound: Bound, evaluate: Evaluate) -> None:
    """Apply one bound. It grows with the variables in it, so their own bounds on the same side serve for them."""
    side = 0 if bound.lower else 1
    needed: dict[str, Term] = {}
    for name in bound.needs:
        value = sides[name][side]
        if value is None:
            return
        needed[name] = value
    try:
        limit = evaluate(bound.term, needed)
    except Undefined:
        return
    if not is_integer(limit):
        return
    limit += bound.shift
    present = sides[bound.name][side]
    if present is None or (limit > present if bound.lower else limit < present):
        sides[bound.name][side] = limit
