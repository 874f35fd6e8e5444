"""Addresses and what can be told of them: extents, reads, equality, order.

An address is an object and a count of steps from it: an element of an array (``array`` and its index), or
an object that is in no array, which counts as an array of length one (ISO C 6.5.6p7).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from clausefit.hook.expect.types import normal, number_type, pointee
from clausefit.hook.pins.values import (
    Array,
    Floating,
    Integer,
    Path,
    Pointer,
    Struct,
    Unknown,
    Value,
    at,
)

Memory: TypeAlias = Mapping[str, Value]


class Undefined(Exception):  # noqa: N818 - a fact about a term, not a mistake
    """A term that has no value, or one that is not known."""


@dataclass(frozen=True, slots=True)
class Address:
    """``index`` steps from ``base`` in ``block``; with ``in_array`` the base is the array, else the object itself.

    ``target`` is the type that the pointer points to, in normal spelling.
    """

    block: str
    base: Path
    index: int
    in_array: bool
    target: str

    @staticmethod
    def of(pointer: Pointer) -> Address:
        """The address that a pointer of a pin holds."""
        return to_object(pointer.block, pointer.path, pointee(pointer.type))

    @property
    def path(self) -> Path | None:
        """The path of the object pointed to; None for an address beside a single object."""
        if self.in_array:
            return (*self.base, self.index)
        return self.base if self.index == 0 else None


def to_object(block: str, path: Path, target: str) -> Address:
    """The address of the object at ``path``, which is an element when the path ends with an index."""
    if path and isinstance(path[-1], int):
        return Address(block, path[:-1], path[-1], True, target)
    return Address(block, path, 0, False, target)


def type_of(cell: Value) -> str:
    """The C type of a cell in normal spelling."""
    if isinstance(cell, Array):
        inner = type_of(cell.elements[0]) if cell.elements else normal(cell.type)
        name, bracket, rest = inner.partition(" [")
        return f"{name} [ {len(cell.elements)} ]{bracket}{rest}"
    return normal(cell.type)


def fits(target: str, cell: Value) -> bool:
    """Whether a pointer to ``target`` can be the address of ``cell`` as that cell, and not as bytes of it."""
    if isinstance(cell, Integer):
        known = number_type(target)
        return target == normal(cell.type) or (
            known is not None and (known.width, getattr(known, "signed", None)) == (cell.width, cell.signed)
        )
    if isinstance(cell, Floating):
        known = number_type(target)
        return known is not None and known.name in ("float", "double") and known.width == cell.width
    if isinstance(cell, Struct):
        # A struct has several names (its tag, typedefs); two different tags are two types.
        both_tags = target.startswith("struct ") and cell.type.startswith("struct ")
        return target == normal(cell.type) or not (both_tags or _is_no_struct(target))
    if isinstance(cell, Array):
        return "[" in target
    return target == normal(cell.type)


def _is_no_struct(target: str) -> bool:
    return target in ("", "void") or number_type(target) is not None or not target.replace(" ", "").isidentifier()


def cell_at(memory: Memory, block: str, path: Path) -> Value:
    """The part of memory at a path; Undefined where there is none."""
    if block not in memory:
        raise Undefined("the memory is not known in this state")
    try:
        return at(memory[block], path)
    except KeyError:
        raise Undefined("outside of the object") from None


def length(memory: Memory, address: Address) -> int:
    """How many elements of the pointer's type stand from the start of ``base``; Undefined when they are of another."""
    whole = cell_at(memory, address.block, address.base)
    if not address.in_array:
        if not fits(address.target, whole):
            raise Undefined("the pointer has another type than the object")
        return 1
    if not isinstance(whole, Array):
        raise Undefined("no array")
    element: Value = whole.elements[0] if whole.elements else Unknown(whole.type)
    if not fits(address.target, element):
        raise Undefined("the pointer has another type than the elements")
    return len(whole.elements)


def moved(memory: Memory, address: Address, steps: int) -> Address:
    """``address + steps``; it may lead out of the object. Undefined when the size of a step is not known."""
    if steps:
        length(memory, address)
    return replace(address, index=address.index + steps)


def read(memory: Memory, address: Address) -> tuple[Value, Address]:
    """The cell at an address with the address; Undefined out of bounds and through a pointer of another type."""
    if not 0 <= address.index < length(memory, address):
        raise Undefined("read out of bounds")
    path = address.path
    if path is None:
        raise Undefined("read out of bounds")
    cell = cell_at(memory, address.block, path)
    if not fits(address.target, cell):
        raise Undefined("the pointer has another type than the object")
    return cell, address


def contains(memory: Memory, address: Address, low: int, high: int) -> bool:
    """Whether all of ``address + (low .. high)`` lies in its object, for ``low <= high``.

    Undefined when a part lies out of an array that is itself a part: there the flat memory of the machine
    and the arrays of C disagree.
    """
    size = length(memory, address)
    inside = address.index + low >= 0 and address.index + high < size
    if not inside and address.base:
        raise Undefined("beside a part of an object")
    return inside


def same(memory: Memory, one: Address, two: Address) -> bool:
    """Whether two addresses are equal; Undefined when that depends on what stands beside an object."""
    if (one.block, one.base, one.in_array) == (two.block, two.base, two.in_array):
        return one.index == two.index
    paths = [_inside(memory, address) for address in (one, two)]
    if one.block != two.block:
        return False
    shorter, longer = sorted(paths, key=len)
    for mine, its in zip(shorter, longer, strict=False):
        if mine != its:
            return False
    beyond = longer[len(shorter) :]
    if any(isinstance(step, int) and step > 0 for step in beyond):
        return False
    if any(isinstance(step, str) for step in beyond):
        raise Undefined("which field comes first is not known")
    return True


def _inside(memory: Memory, address: Address) -> Path:
    """The path of an address that leads to an object."""
    if address.path is None:
        raise Undefined("beside an object")
    cell_at(memory, address.block, address.path)
    return address.path


def distance(one: Address, two: Address) -> int:
    """How many elements ``one`` stands after ``two``; Undefined unless both lead into one array."""
    if (one.block, one.base, one.in_array) != (two.block, two.base, two.in_array):
        raise Undefined("pointers into different objects")
    return one.index - two.index
