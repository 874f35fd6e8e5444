"""Regions of a process's memory → the blocks of a pin, and bytes → values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from clausefit.hook.pins.c_types import (
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    VoidType,
    element_type,
    leaf_type,
)
from clausefit.hook.pins.values import (
    Array,
    Block,
    Floating,
    FunctionPointer,
    Integer,
    Null,
    Pointer,
    Struct,
    Unknown,
    Value,
    leaves,
)
from clausefit.hook.record.c_layout import BadRecord, Types, spelled

_SHOWN_TEXT = 24


@dataclass(frozen=True)
class Region:
    """``count`` objects of one type at an address, with their bytes before and (None: not known) after the call.

    ``ranged``: the contract speaks of them as a range, so that they are an array even where it is one.
    ``shifted``: what leads to it may lead to what lies beside it as well (``a + (2 .. 3)``).
    ``blank``: the range is empty; the one object is there for the pointer, and nothing is known of it.
    ``freed``: the call gave the memory back, and what it got later may lie at the same place.
    """

    address: int
    type: int
    count: int
    before: bytes
    after: bytes | None
    ranged: bool = False
    shifted: bool = False
    blank: bool = False
    variable: str = ""
    constant: bool = False
    freed: bool = False

    @property
    def end(self) -> int:
        """The address after the last byte."""
        return self.address + len(self.before)


class Blocks:
    """The blocks of one call. ``conflict`` says why there can be none, empty where all is well.

    Regions that touch are objects of their own: two variables lie side by side as two cells of an array do. They are
    one where the contract may reach from the one into the other, or computes with addresses (``related``): then what
    it says depends on it, and the numbers of the addresses are what the program itself went by.
    """

    def __init__(
        self, types: Types, regions: Iterable[Region], functions: Mapping[str, str], *, related: bool = False
    ) -> None:
        self._types = types
        self._related = related
        self._functions = functions
        self.conflict = ""
        self._regions = self._joined(list(regions))
        self._names = [region.variable for region in self._regions]

    def _joined(self, regions: list[Region]) -> list[Region]:
        """Regions that do not overlap, in the order in which their first parts were found."""
        order: dict[int, int] = {}
        for index, region in enumerate(regions):
            if len(region.before) != region.count * self._types.size(region.type):
                raise BadRecord("a region does not have the size of its type")
            order.setdefault(region.address, index)
        regions = [r for r in regions if not (r.blank and any(self._takes_in(other, r) for other in regions))]
        # Variables first where two begin at one place: their names and types are the program's own.
        waiting = sorted(regions, key=lambda r: (r.address, -len(r.before), not r.variable))
        found: list[Region] = []
        for region in waiting:
            last = found[-1] if found else None
            if (
                last is None
                or region.address > last.end
                or (region.address == last.end and not self._joins(last, region))
            ):
                found.append(region)
            elif self._holds(last, region):
                found[-1] = replace(last, freed=last.freed or region.freed)
            elif not self._is_alike(last, region):
                self.conflict = "the same memory is used as two types"
            else:
                found[-1] = _both(last, region)
        return sorted(found, key=lambda r: min(i for a, i in order.items() if r.address <= a < r.end))

    def _joins(self, first: Region, second: Region) -> bool:
        """Whether two regions that touch are one block."""
        alike = (first.type, first.constant, first.blank) == (second.type, second.constant, second.blank)
        is_one = self._related or first.shifted or second.shifted
        return alike and is_one and not (first.variable or second.variable)

    def _takes_in(self, known: Region, blank: Region) -> bool:
        return not known.blank and known.address <= blank.address <= known.end and self._is_alike(known, blank)

    def _holds(self, outer: Region, inner: Region) -> bool:
        """Whether one region is a part of the other, by its types."""
        if inner.end > outer.end:
            return False
        size = self._types.size(outer.type)
        wanted = spelled(self._types.ctype(inner.type))
        index, offset = divmod(inner.address - outer.address, size)
        if self._types.path(outer.type, offset, wanted) is None:
            return False
        stop = inner.end - outer.address - self._types.size(inner.type)
        return self._types.path(outer.type, stop - index * size, wanted) is not None or inner.type == outer.type

    def _is_alike(self, first: Region, second: Region) -> bool:
        size = self._types.size(first.type)
        same = spelled(self._types.ctype(first.type)) == spelled(self._types.ctype(second.type))
        return same and (second.address - first.address) % size == 0 and not (first.variable or second.variable)

    def value(self, number: int, content: bytes, *, after: bool = False) -> Value:
        """The value of an object by its bytes. A pointer that leads nowhere is ``Unknown``. Raises BadRecord."""
        if len(content) != self._types.size(number):
            raise BadRecord("a value does not have the size of its type")
        return self._value(number, self._types.ctype(number), content, after)

    def _value(self, number: int, ctype: CType, content: bytes, after: bool) -> Value:
        if isinstance(ctype, IntType):
            value = int.from_bytes(content, "little", signed=ctype.signed)
            if ctype.width == 1 and value not in (0, 1):
                return Unknown(leaf_type(ctype))  # never written: not a value of the type
            return Integer(value, ctype.name, ctype.width, ctype.signed)
        if isinstance(ctype, FloatType):
            return Floating(int.from_bytes(content, "little"), ctype.name, ctype.width)
        if isinstance(ctype, PointerType):
            return self._pointer(int.from_bytes(content, "little"), ctype, after)
        kind = self._types.kind(number)
        if kind == "arr" and isinstance(ctype, ArrayType):
            return self._array(self._types.target(number), self._types.count(number), content, after)
        if kind == "struct" and self._types.members(number):
            parts = []
            for member in self._types.members(number):
                part = content[member.offset : member.offset + self._types.size(member.number)]
                parts.append((member.name, self.value(member.number, part, after=after)))
            return Struct(leaf_type(ctype), tuple(parts))
        return Unknown(leaf_type(ctype))

    def _array(self, number: int, count: int, content: bytes, after: bool) -> Array:
        size = self._types.size(number)
        parts = (content[index * size : (index + 1) * size] for index in range(count))
        return Array(
            element_type(ArrayType(self._types.ctype(number), count)),
            tuple(self.value(number, part, after=after) for part in parts),
        )

    def _pointer(self, address: int, ctype: PointerType, after: bool) -> Value:
        shown = leaf_type(ctype)
        if address == 0:
            return Null(shown)
        if isinstance(ctype.target, FunctionType):
            name = self._functions.get(str(address))
            return FunctionPointer(name, shown) if name is not None else Unknown(shown)
        if after and any(r.freed and r.address <= address <= r.end for r in self._regions):
            return Unknown(shown, (Null(shown),))  # malloc gives an address again that was freed
        wanted = None if isinstance(ctype.target, VoidType) else spelled(ctype.target)
        places = [place for index in range(len(self._regions)) if (place := self._place(index, address, wanted))]
        inside = [(block, path) for block, path, is_end in places if not is_end]
        if len(places) > 1 and (after or not inside):
            places = []  # one past the end of an object, or the beginning of the next
        elif inside:
            places = [(*inside[0], False)]
        if not places:
            return Unknown(shown, (Null(shown),)) if after else Unknown(shown)
        return Pointer(f"m{places[0][0]}", places[0][1], shown)

    def _place(self, index: int, address: int, wanted: str | None) -> tuple[int, tuple[int | str, ...], bool] | None:
        region = self._regions[index]
        size = self._types.size(region.type)
        if not region.address <= address <= region.end:
            return None
        number, offset = divmod(address - region.address, size)
        is_end = address == region.end
        if is_end and region.blank:
            return None
        if is_end:
            if not self._is_array(region) or wanted not in (None, spelled(self._types.ctype(region.type))):
                path = self._types.path(region.type, size, wanted) if region.count == 1 else None
                return None if path is None else (index, path, True)
            return index, (region.count,), True
        path = self._types.path(region.type, offset, wanted)
        if path is None:
            return None
        return index, ((number, *path) if self._is_array(region) else path), False

    def _is_array(self, region: Region) -> bool:
        """Whether the block is an array of the region's type, and not one object of it."""
        is_array = region.count > 1 or region.ranged or self._types.is_character(region.type)
        return not region.variable and is_array

    def _content(self, region: Region, content: bytes, after: bool) -> Value:
        if not self._is_array(region):
            return self.value(region.type, content, after=after)
        value = self._array(region.type, region.count, content, after)
        return forgotten(value) if region.blank else value

    def before(self) -> tuple[Block, ...]:
        """The blocks before the call."""
        found = []
        for index, region in enumerate(self._regions):
            value = self._content(region, region.before, after=False)
            name = _shown_text(value) if region.constant and not region.variable else ""
            shown = name or self._names[index] or f"memory {index + 1}"
            found.append(Block(f"m{index}", shown, value, region.constant, region.variable or None))
        return tuple(found)

    def after(self, blocks: Iterable[Block]) -> tuple[tuple[str, Value], ...]:
        """Each block's value after the call."""
        found = []
        for block, region in zip(blocks, self._regions, strict=True):
            content = region.after
            known = block.value if content is None else self._content(region, content, after=True)
            found.append((block.id, forgotten(known) if content is None else known))
        return tuple(found)

    def name_from(self, arguments: Iterable[tuple[str, Value]]) -> None:
        """Give blocks the names of what leads to them first."""
        todo = [(name, value) for name, value in arguments]
        seen = set()
        while todo:
            name, value = todo.pop(0)
            for path, leaf in leaves(value):
                if not isinstance(leaf, Pointer) or leaf.block in seen:
                    continue
                seen.add(leaf.block)
                index = int(leaf.block[1:])
                shown = name + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
                self._names[index] = self._names[index] or (shown if not path else f"*{shown}")
                region = self._regions[index]
                todo.append((self._names[index], self._content(region, region.before, after=False)))


def _both(first: Region, second: Region) -> Region:
    def joined(one: bytes, other: bytes) -> bytes:
        return one + other[max(0, first.end - second.address) :]

    size = len(first.before) // first.count
    before = joined(first.before, second.before)
    both = first.after is not None and second.after is not None
    after = joined(first.after or b"", second.after or b"") if both else None
    return replace(
        first,
        count=len(before) // size,
        before=before,
        after=after,
        ranged=True,
        constant=first.constant and second.constant,
        freed=first.freed or second.freed,
        shifted=first.shifted or second.shifted,
    )


def forgotten(value: Value) -> Value:
    """A value of which only the shape is known."""
    if isinstance(value, Array):
        return Array(value.type, tuple(forgotten(e) for e in value.elements), value.form)
    if isinstance(value, Struct):
        return Struct(value.type, tuple((n, forgotten(v)) for n, v in value.fields))
    return Unknown(value.type)


def _shown_text(value: Value) -> str:
    if not isinstance(value, Array) or value.type != "char":
        return ""
    codes = [e.value % 256 for e in value.elements if isinstance(e, Integer)][:-1]
    text = bytes(codes[:_SHOWN_TEXT]).decode("ascii", "backslashreplace")
    text = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text).replace('"', '\\"')
    return f'"{text}{"…" if len(codes) > _SHOWN_TEXT else ""}"'
