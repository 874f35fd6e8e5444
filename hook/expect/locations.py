"""Lvalues, addresses and sets of locations while a formula is evaluated (ACSL 1.17 §2.3.4, §2.7.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

from clausefit.hook.expect.arithmetic import is_integer
from clausefit.hook.expect.memory import (
    Address,
    Undefined,
    cell_at,
    contains,
    distance,
    length,
    moved,
    read,
    to_object,
    type_of,
)
from clausefit.hook.expect.terms import Aggregate, Frame, Term, at_label, decayed, part, value_of
from clausefit.hook.expect.tree import At, Binary, Call, Index, Member, Name, Node, Range, Unary
from clausefit.hook.expect.types import pointee
from clausefit.hook.pins.values import Null, Struct, Value


@dataclass(frozen=True, slots=True)
class Region:
    """The locations ``start + (low .. high)``; none when ``low > high``."""

    start: Address | Null
    low: int
    high: int

    @property
    def empty(self) -> bool:
        """Whether the region has no location."""
        return self.low > self.high


class Locations:
    """What needs addresses. ``term`` evaluates a node, ``block_of`` gives the block of a C variable or None,
    ``constant`` are the blocks that nothing may write."""

    def __init__(
        self,
        term: Callable[[Node, Frame], Term],
        block_of: Callable[[str, Frame], str | None],
        constant: frozenset[str],
    ) -> None:
        self._term = term
        self._block_of = block_of
        self._constant = constant

    def variable(self, name: str, frame: Frame) -> tuple[Value, Address] | None:
        """The cell and address of the C variable ``name``; None when the name is no such variable here."""
        block = self._block_of(name, frame)
        if block is None:
            return None
        cell = cell_at(frame.memory, block, ())
        return cell, to_object(block, (), type_of(cell))

    def load(self, pointer: Term, steps: int, frame: Frame) -> Term:
        """The value of ``*(pointer + steps)``."""
        return value_of(*read(frame.memory, moved(frame.memory, _address(pointer), steps)))

    def member(self, node: Member, frame: Frame) -> tuple[Value, Address | None]:
        """The field that ``s.f`` or ``p->f`` names, with its address where it has one."""
        base = self._term(node.base, frame)
        if node.arrow:
            cell, address = read(frame.memory, _address(base))
            base = value_of(cell, address)
        if not isinstance(base, Aggregate) or not isinstance(base.value, Struct):
            raise Undefined("no struct")
        return part(base, node.name)

    def address(self, node: Node, frame: Frame) -> Address:
        """The address of the lvalue ``node``."""
        found: Address | None = None
        match node:
            case Name(text):
                variable = self.variable(text, frame)
                found = None if variable is None else variable[1]
            case Unary("*", operand):
                found = _address(self._term(operand, frame))
            case Index(base, index) if not isinstance(index, Range):
                steps = self._integer(index, frame)
                found = moved(frame.memory, _address(self._term(base, frame)), steps)
            case Member():
                found = self.member(node, frame)[1]
        if found is None:
            raise Undefined("no address")
        return found

    def arithmetic(self, operator: str, left: Term, right: Term, frame: Frame) -> Term:
        """``p + n``, ``n + p``, ``p - n`` and ``p - q``."""
        if operator == "+" and is_integer(left):
            left, right = right, left
        if isinstance(right, int) and is_integer(right):
            return moved(frame.memory, _address(left), right if operator == "+" else -right)
        one, two = _address(left), _address(right)
        if operator != "-" or one.target != two.target:
            raise Undefined("not an operation on pointers")
        length(frame.memory, one)
        return distance(one, two)

    def valid(self, node: Call, frame: Frame) -> bool:
        """``\\valid`` and ``\\valid_read`` (ACSL 1.17 §2.7.1), decided by the extents of the blocks."""
        if any(frame.labels.get(label) is not frame.memory for label in node.labels) or len(node.arguments) != 1:
            raise Undefined("validity at another label")
        region = self._region(node.arguments[0], frame)
        if region.empty:
            return True
        if isinstance(region.start, Null):
            return False
        inside = contains(frame.memory, region.start, region.low, region.high)
        if inside and node.name == "\\valid" and region.start.block in self._constant:
            raise Undefined("the object is constant")
        return inside

    def separated(self, node: Call, frame: Frame) -> bool:
        """``\\separated`` of regions in different objects or in one array."""
        regions = [self._region(argument, frame) for argument in node.arguments]
        unknown: Undefined | None = None
        for one, two in combinations(regions, 2):
            try:
                if not _are_separated(one, two, frame):
                    return False
            except Undefined as why:
                unknown = why
        if unknown is not None:
            raise unknown
        return True

    def _region(self, node: Node, frame: Frame) -> Region:
        match node:
            case At(operand, label):
                return self._region(operand, at_label(label, frame))
            case Unary("&", Unary("*", pointed)):
                return self._region(pointed, frame)
            case Binary("+", base, Range() as span) | Binary("+", Range() as span, base):
                return self._span(self._term(base, frame), span, frame)
            case Unary("&", Index(base, Range() as span)):
                return self._span(self._term(base, frame), span, frame)
        value = self._term(node, frame)
        return Region(_of_a_type(value), 0, 0)

    def _span(self, base: Term, span: Range, frame: Frame) -> Region:
        if span.low is None or span.high is None:
            raise Undefined("the range is open")
        start = _of_a_type(decayed(base))
        return Region(start, self._integer(span.low, frame), self._integer(span.high, frame))

    def _integer(self, node: Node, frame: Frame) -> int:
        value = self._term(node, frame)
        if not isinstance(value, int) or not is_integer(value):
            raise Undefined("no integer")
        return value


def _address(value: Term) -> Address:
    """The address that a pointer holds, or an array decays to; Undefined for null and what is no pointer."""
    address = decayed(value)
    if not isinstance(address, Address):
        raise Undefined("no address of an object")
    return address


def _of_a_type(value: Term) -> Address | Null:
    """A pointer that has a size to count with; Undefined for pointers to void, which have no locations."""
    target = value.target if isinstance(value, Address) else pointee(value.type) if isinstance(value, Null) else ""
    if not isinstance(value, Address | Null) or target in ("", "void"):
        raise Undefined("no pointer to objects")
    return value


def _are_separated(one: Region, two: Region, frame: Frame) -> bool:
    if one.empty or two.empty:
        return True
    for region in (one, two):
        start = region.start
        if not isinstance(start, Address) or not contains(frame.memory, start, region.low, region.high):
            raise Undefined("not in an object")
    assert isinstance(one.start, Address) and isinstance(two.start, Address)  # noqa: S101 - narrows the types
    if one.start.block != two.start.block:
        return True
    if (one.start.base, one.start.in_array) == (two.start.base, two.start.in_array):
        first_starts, first_ends = one.start.index + one.low, one.start.index + one.high
        second_starts, second_ends = two.start.index + two.low, two.start.index + two.high
        return first_ends < second_starts or second_ends < first_starts
    shared = min(len(one.start.base), len(two.start.base))
    if one.start.base[:shared] != two.start.base[:shared]:
        return True
    raise Undefined("one may be a part of the other")
