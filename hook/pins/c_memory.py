"""The memory of a test as it runs: objects with their values, and what a call may reach and change.

One rule keeps unknown pointers harmless: a pointer that is not known leads only to objects that *escaped*
(or to memory that is not modelled). So whatever turns a known pointer into an unknown one calls ``leak``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from clausefit.hook.pins.c_declarations import Types
from clausefit.hook.pins.c_knowledge import Knowledge
from clausefit.hook.pins.c_types import (
    ArrayType,
    CType,
    PointerType,
    StructType,
)
from clausefit.hook.pins.values import Array, Path, Pointer, Struct, Value, at, replaced


@dataclass(frozen=True)
class Cell:
    """One object. ``exposed``: the program reaches it by itself (a global); ``escaped``: it was given its address."""

    id: str
    name: str
    ctype: CType
    value: Value
    constant: bool = False
    program: str | None = None
    exposed: bool = False
    escaped: bool = False


@dataclass(frozen=True)
class Reach:
    """The objects that some pointers lead to; those that only pointers to const lead to are not ``writable``."""

    blocks: frozenset[str]
    writable: frozenset[str]


def is_const(ctype: CType) -> bool:
    """Whether objects of the type may not be written (for an array: its elements)."""
    return is_const(ctype.element) if isinstance(ctype, ArrayType) else ctype.const


def pointers_in(value: Value, ctype: CType, types: Types) -> Iterator[tuple[Value, PointerType]]:
    """The pointer-typed leaves of a value with their types."""
    if isinstance(ctype, PointerType):
        yield value, ctype
    elif isinstance(ctype, ArrayType) and isinstance(value, Array):
        if isinstance(ctype.element, PointerType | ArrayType | StructType):
            for element in value.elements:
                yield from pointers_in(element, ctype.element, types)
    elif isinstance(ctype, StructType) and isinstance(value, Struct):
        for (_, member), (_, inner) in zip(value.fields, types.fields(ctype) or (), strict=False):
            yield from pointers_in(member, inner, types)


class Memory:
    """All objects that the test has made so far."""

    def __init__(self, types: Types, knowledge: Knowledge) -> None:
        self.types = types
        self.knowledge = knowledge
        self.cells: dict[str, Cell] = {}
        self.work = 0
        self._count = 0
        self._literals: dict[tuple[int, ...], str] = {}

    def new(self, name: str, ctype: CType, value: Value, *, program: str | None = None, exposed: bool = False) -> str:
        """A new object; returns its id."""
        self._count += 1
        block = f"{name}#{self._count}"
        self.cells[block] = Cell(block, name, ctype, value, is_const(ctype), program, exposed)
        return block

    def literal(self, codes: tuple[int, ...], ctype: CType, value: Value, shown: str) -> str:
        """The object of a string literal; equal literals are one object, as gcc makes them."""
        block = self._literals.get(codes)
        if block is None:
            block = self._literals[codes] = self.new(shown, ctype, value)
            self.cells[block] = replace(self.cells[block], constant=True)
        return block

    def literals(self) -> dict[tuple[int, ...], str]:
        """The string literals met so far (for ``restore``)."""
        return dict(self._literals)

    def restore(self, cells: dict[str, Cell], literals: dict[tuple[int, ...], str]) -> None:
        """Go back to an earlier state."""
        self.cells = dict(cells)
        self._literals = dict(literals)

    def read(self, block: str, path: Path) -> Value | None:
        """The value at a place, or None when there is no object."""
        try:
            return at(self.cells[block].value, path)
        except KeyError:
            return None

    def write(self, block: str, path: Path, value: Value) -> bool:
        """Put a value somewhere; False when there is no object or it may not be written."""
        cell = self.cells[block]
        if cell.constant:
            return False
        try:
            self.cells[block] = replace(cell, value=replaced(cell.value, path, value))
        except KeyError:
            return False
        self.work += len(cell.value.elements) // 8 if isinstance(cell.value, Array) else 1
        return True

    def object_type(self, block: str, path: Path) -> CType | None:
        """The declared type of the object at a place, or None when there is none."""
        ctype: CType = self.cells[block].ctype
        for step in path:
            if isinstance(ctype, ArrayType) and isinstance(step, int) and 0 <= step <= (ctype.length or 0):
                ctype = ctype.element
            elif isinstance(ctype, StructType) and isinstance(step, str):
                members = dict(self.types.fields(ctype) or ())
                if step not in members:
                    return None
                ctype = members[step]
            else:
                return None
        return ctype

    def reach(self, seeds: Iterable[tuple[Value, PointerType]]) -> Reach:
        """Everything that known pointers lead to (unknown ones lead only to what escaped)."""
        blocks: set[str] = set()
        writable: set[str] = set()
        todo = list(seeds)
        while todo:
            value, ctype = todo.pop()
            value = self.knowledge.resolve(value)
            if not isinstance(value, Pointer) or value.block not in self.cells:
                continue
            if not is_const(ctype.target):
                writable.add(value.block)
            if value.block not in blocks:
                blocks.add(value.block)
                self.work += 1
                todo += self.pointers(value.block)
        return Reach(frozenset(blocks), frozenset(writable))

    def pointers(self, block: str) -> list[tuple[Value, PointerType]]:
        """The pointer-typed leaves in an object."""
        cell = self.cells[block]
        return list(pointers_in(cell.value, cell.ctype, self.types))

    def forget(self, blocks: Iterable[str]) -> None:
        """The objects may have changed: nothing is known of them any more (constant ones stay)."""
        for block in blocks:
            cell = self.cells[block]
            if not cell.constant:
                self.work += self.types.count(cell.ctype)
                self.leak(*(value for value, _ in self.pointers(block)))
                self.cells[block] = replace(self.cells[block], value=self.knowledge.fresh(cell.ctype))

    def leak(self, *values: Value) -> None:
        """A known pointer turns into one that is not known: what it points to counts as escaped from now on."""
        for value in values:
            known = self.knowledge.resolve(value)
            if isinstance(known, Pointer) and known.block in self.cells:
                self.escape([known.block])

    def forget_all(self) -> None:
        """Any object may have changed."""
        self.forget(list(self.cells))

    def escape(self, blocks: Iterable[str]) -> None:
        """From now on any call may change these objects."""
        for block in blocks:
            self.cells[block] = replace(self.cells[block], escaped=True)

    def escape_all(self) -> None:
        """From now on any call may change any object."""
        self.escape(list(self.cells))

    def open_to_calls(self) -> set[str]:
        """The objects that any call may change."""
        return {block for block, cell in self.cells.items() if cell.exposed or cell.escaped}
