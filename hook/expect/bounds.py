"""What the guard of a quantifier says of the range of its variables, found once when the formula is read.

A range only has to hold every instance where the guard is true: the guard itself stays part of the body,
so a bound that is too wide costs time and never a wrong answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clausefit.hook.expect.tree import (
    All,
    Binary,
    Bound,
    Comparisons,
    Connective,
    Name,
    Node,
    free_names,
)


def guard_bounds(universal: bool, binders: Sequence[tuple[str, str]], body: Node) -> tuple[Bound, ...]:
    """The bounds that the guard of ``body`` sets on the variables of ``binders``.

    The guard of ``\\forall`` is what stands before its ``==>``, that of ``\\exists`` the whole body.
    """
    names = frozenset(name for name, _ in binders)
    found: list[Bound] = []
    for conjunct in _guard(universal, body):
        if isinstance(conjunct, Comparisons):
            pairs = zip(conjunct.operators, conjunct.terms, conjunct.terms[1:], strict=False)
            for operator, left, right in pairs:
                found.extend(_of_comparison(operator, left, right, names))
    return tuple(found)


def _guard(universal: bool, body: Node) -> Iterator[Node]:
    if not universal:
        yield from _conjuncts(body)
    while universal and isinstance(body, Connective) and body.operator == "==>":
        yield from _conjuncts(body.left)
        body = body.right


def _conjuncts(node: Node) -> Iterator[Node]:
    if isinstance(node, All):
        for part in node.parts:
            yield from _conjuncts(part)
    else:
        yield node


def _of_comparison(operator: str, left: Node, right: Node, names: frozenset[str]) -> Iterator[Bound]:
    if operator in (">", ">="):
        left, right, operator = right, left, operator.replace(">", "<")
    if operator in ("<", "<="):
        strict = int(operator == "<")
        yield from _isolated(left, right, names, lower=False, shift=-strict)
        yield from _isolated(right, left, names, lower=True, shift=strict)
    elif operator == "==":
        for one, other in ((left, right), (right, left)):
            yield from _isolated(one, other, names, lower=False, shift=0)
            yield from _isolated(one, other, names, lower=True, shift=0)


def _isolated(side: Node, other: Node, names: frozenset[str], lower: bool, shift: int) -> Iterator[Bound]:
    """``side`` solved for each bound variable that it holds as ``i``, ``i + e``, ``e + i`` or ``i - e``."""
    match side:
        case Name(text) if text in names:
            yield from _bound(text, other, names, lower, shift)
        case Binary("+", Name(text), rest) | Binary("+", rest, Name(text)) if text in names:
            yield from _bound(text, Binary("-", other, rest), names, lower, shift)
        case Binary("-", Name(text), rest) if text in names:
            yield from _bound(text, Binary("+", other, rest), names, lower, shift)


def _bound(name: str, term: Node, names: frozenset[str], lower: bool, shift: int) -> Iterator[Bound]:
    needs = free_names(term) & names
    if name not in needs and (not needs or _grows(term, names)):
        yield Bound(name, lower, term, shift, needs)


def _grows(term: Node, names: frozenset[str]) -> bool:
    """Whether ``term`` is a sum in which every bound variable stands with a plus sign."""
    match term:
        case Name(_):
            return True
        case Binary("+", left, right):
            return _grows(left, names) and _grows(right, names)
        case Binary("-", left, right):
            return _grows(left, names) and not free_names(right) & names
        case _:
            return not free_names(term) & names
