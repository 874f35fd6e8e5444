"""ACSL predicates and terms as trees (ACSL 1.17 §2.2). Predicates and terms share their nodes, as in the grammar."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Number:
    """An integer (``int``) or real (``Fraction``) literal; a character is an integer."""

    value: int | Fraction


@dataclass(frozen=True, slots=True)
class Truth:
    """``\\true`` or ``\\false``."""

    value: bool


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, a constant, or one of ``\\result``, ``\\null``."""

    text: str


@dataclass(frozen=True, slots=True)
class Unary:
    """``- ~ ! * &`` applied to a term (``!`` also to a predicate)."""

    operator: str
    operand: Node


@dataclass(frozen=True, slots=True)
class Binary:
    """An arithmetic or bitwise operation, ``-->`` and ``<-->`` included."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Comparisons:
    """``a < b <= c``: ``operators[i]`` stands between ``terms[i]`` and ``terms[i + 1]``; all must hold."""

    operators: tuple[str, ...]
    terms: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class All:
    """A conjunction, ``&&``."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """A disjunction, ``||``."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Connective:
    """``==>``, ``<==>`` or ``^^``."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Conditional:
    """``test ? yes : no``."""

    test: Node
    yes: Node
    no: Node


@dataclass(frozen=True, slots=True)
class Let:
    """``\\let name = value; body``."""

    name: str
    value: Node
    body: Node


@dataclass(frozen=True, slots=True)
class Bound:
    """What a guard says of a bound variable: it is at least (``lower``) or at most ``term`` + ``shift``.

    ``needs`` are the other variables of the same quantifier that ``term`` holds; ``term`` grows with them.
    """

    name: str
    lower: bool
    term: Node
    shift: int
    needs: frozenset[str]


@dataclass(frozen=True, slots=True)
class Quantified:
    """``\\forall`` (``universal``) or ``\\exists`` over (name, type) binders; ``bounds`` are those of its guard."""

    universal: bool
    binders: tuple[tuple[str, str], ...]
    body: Node
    bounds: tuple[Bound, ...]


@dataclass(frozen=True, slots=True)
class Lambda:
    """``\\lambda integer k; body`` with (name, type) binders."""

    binders: tuple[tuple[str, str], ...]
    body: Node


@dataclass(frozen=True, slots=True)
class Cast:
    """``(type) operand``; the type in the spelling of ``types.normal``."""

    type: str
    operand: Node


@dataclass(frozen=True, slots=True)
class SizeOf:
    """``sizeof(type)``."""

    type: str


@dataclass(frozen=True, slots=True)
class Index:
    """``base[index]``; the index may be a ``Range``."""

    base: Node
    index: Node


@dataclass(frozen=True, slots=True)
class Member:
    """``base.name``, or ``base->name`` with ``arrow``."""

    base: Node
    name: str
    arrow: bool


@dataclass(frozen=True, slots=True)
class Range:
    """``low .. high``; a side that is left out is None."""

    low: Node | None
    high: Node | None


@dataclass(frozen=True, slots=True)
class At:
    """``\\at(operand, label)``; ``\\old(e)`` has the label ``Old``."""

    operand: Node
    label: str


@dataclass(frozen=True, slots=True)
class Call:
    """A predicate or function applied: ``p{L}(x)``, ``\\valid(q)``."""

    name: str
    labels: tuple[str, ...]
    arguments: tuple[Node, ...]


Node: TypeAlias = (
    Number
    | Truth
    | Name
    | Unary
    | Binary
    | Comparisons
    | All
    | Some
    | Connective
    | Conditional
    | Let
    | Quantified
    | Lambda
    | Cast
    | SizeOf
    | Index
    | Member
    | Range
    | At
    | Call
)


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below ``node``, those of the bounds of a quantifier left out."""
    match node:
        case Unary(_, operand) | Cast(_, operand) | At(operand, _):
            return (operand,)
        case Binary(_, left, right) | Connective(_, left, right):
            return (left, right)
        case Comparisons(_, parts) | All(parts) | Some(parts) | Call(_, _, parts):
            return parts
        case Conditional(test, yes, no):
            return (test, yes, no)
        case Let(_, value, body):
            return (value, body)
        case Quantified(_, _, body, _) | Lambda(_, body):
            return (body,)
        case Index(base, index):
            return (base, index)
        case Member(base, _, _):
            return (base,)
        case Range(low, high):
            return tuple(side for side in (low, high) if side is not None)
        case _:
            return ()


def free_names(node: Node) -> frozenset[str]:
    """The variables of ``node`` that no binder inside it introduces."""
    match node:
        case Name(text):
            return frozenset((text,))
        case Let(name, value, body):
            return free_names(value) | (free_names(body) - {name})
        case Quantified(_, binders, body, _) | Lambda(binders, body):
            return free_names(body) - {name for name, _ in binders}
        case _:
            return frozenset().union(*(free_names(child) for child in children(node)))


def called_names(node: Node) -> frozenset[str]:
    """The predicates and functions that ``node`` applies."""
    below = frozenset[str]().union(*(called_names(child) for child in children(node)))
    return below | {node.name} if isinstance(node, Call) else below
