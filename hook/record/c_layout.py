"""Types of a recorded process, as the part inside gdb describes them, in the words of the static reader.

A pin's types must be spelled as ``hook/pins/c_types.py`` spells them, whoever made the pin: ``unsigned int`` for an
enum, ``struct pt`` where there is a tag, a typedef's name where there is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clausefit.hook.pins.c_types import (
    VOID,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    Unsupported,
    basic,
    qualified,
    spell,
)
from clausefit.hook.pins.values import Path

NAMELESS = "?"
"""The name of a type that has none."""
_DEEPEST = 32


class BadRecord(Exception):  # noqa: N818 - what is wrong is the file
    """A line is not what a recorder writes."""


@dataclass(frozen=True)
class Member:
    """A field of a struct."""

    name: str
    offset: int
    number: int


class Types:
    """The types of one process by their numbers."""

    def __init__(self) -> None:
        self._described: dict[int, Mapping[str, Any]] = {}
        self._ctypes: dict[int, CType] = {}

    def add(self, described: Mapping[str, Any]) -> None:
        """More descriptions; one that is there already is now complete."""
        for number, what in described.items():
            self._described[int(number)] = what
        self._ctypes.clear()

    def size(self, number: int) -> int:
        """The size of an object in bytes. Raises BadRecord."""
        return int(self._what(number)["s"])

    def kind(self, number: int) -> str:
        """``int``, ``flt``, ``ptr``, ``arr``, ``struct``, ``func``, ``void`` or ``no``. Raises BadRecord."""
        return str(self._what(number)["k"])

    def is_supported(self, number: int) -> bool:
        """Whether objects of the type can be part of a pin."""
        what = self._what(number)
        return what.get("no") is None and not isinstance(self.ctype(number), Unsupported)

    def why_unknown(self, number: int) -> str:
        """Why values of a type are not known: it, or what its pointers lead to, is not supported; empty if it is."""
        for _ in range(_DEEPEST):
            what = self._what(number)
            if what.get("no") is not None and what["k"] != "func":
                return str(what["no"])
            if what["k"] not in ("ptr", "arr"):
                break
            number = int(what["t"])
        return ""

    def target(self, number: int) -> int:
        """What a pointer leads to, or the element of an array."""
        return int(self._what(number)["t"])

    def count(self, number: int) -> int:
        """How many elements an array has."""
        return int(self._what(number)["c"])

    def members(self, number: int) -> list[Member]:
        """The fields of a struct."""
        return [Member(str(n), int(offset), int(member)) for n, offset, member in self._what(number).get("f") or ()]

    def is_character(self, number: int) -> bool:
        """Whether the type is ``char``."""
        ctype = self.ctype(number)
        return isinstance(ctype, IntType) and ctype.name == "char"

    def fields_named(self, name: str) -> list[int]:
        """The types of all fields of that name."""
        listed = (one.get("f") or () for one in self._described.values())
        return [int(member) for fields in listed for field, _, member in fields if field == name]

    def is_pointer(self, number: int, depth: int) -> bool:
        """Whether what one comes to, when a value of the type is followed so many times, is an address."""
        for _ in range(depth):
            if self.kind(number) not in ("ptr", "arr"):
                return False
            number = self.target(number)
        return depth < 0 or self.kind(number) in ("ptr", "arr")

    def ctype(self, number: int, depth: int = 0) -> CType:
        """The type in the words of the static reader. Raises BadRecord."""
        if number not in self._ctypes:
            what = self._what(number)
            quals = [word for word in ("const", "volatile") if what.get(word)]
            self._ctypes[number] = qualified(self._plain(number, what, depth), quals)
        return self._ctypes[number]

    def _plain(self, number: int, what: Mapping[str, Any], depth: int) -> CType:
        kind = what["k"]
        if depth > _DEEPEST:
            raise BadRecord("types are nested too deeply")
        if kind in ("int", "flt"):
            found = basic(str(what["n"]).split())
            width = 1 if what["n"] == "_Bool" else 8 * int(what["s"])
            if isinstance(found, IntType | FloatType) and found.width == width:
                return found
            return Unsupported(f"the type {what['n']} is not supported", str(what["n"]))
        if kind == "ptr":
            return PointerType(self.ctype(int(what["t"]), depth + 1))
        if kind == "arr":
            return ArrayType(self.ctype(int(what["t"]), depth + 1), int(what["c"]))
        if kind == "struct":
            name = f"struct {what['tag']}" if what.get("tag") else what.get("typedef")
            return StructType(number, str(name)) if name else Unsupported("a struct without a name", "struct")
        if kind == "func":
            parameters = tuple((None, self.ctype(int(p), depth + 1)) for p in what["p"])
            return FunctionType(self.ctype(int(what["r"]), depth + 1), parameters)
        return VOID if kind == "void" else Unsupported(str(what.get("no")), str(what.get("n", NAMELESS)))

    def path(self, number: int, offset: int, wanted: str | None) -> Path | None:
        """The way from an object to the part of type ``wanted`` (None: any) at an offset; None where there is none."""
        path: list[int | str] = []
        for _ in range(_DEEPEST):
            if offset == 0 and (wanted is None or spelled(self.ctype(number)) == wanted):
                return tuple(path)
            kind = self.kind(number)
            if kind == "arr":
                number, count = self.target(number), self.count(number)
                index, offset = divmod(offset, self.size(number))
                if index >= count and (index, offset) != (count, 0):
                    return None
                path.append(index)
                if index == count:  # one past the end has no parts
                    return tuple(path) if wanted in (None, spelled(self.ctype(number))) else None
            elif kind == "struct":
                inside = [m for m in self.members(number) if m.offset <= offset < m.offset + self.size(m.number)]
                if not inside:
                    return None
                path.append(inside[0].name)
                number, offset = inside[0].number, offset - inside[0].offset
            else:
                return None
        return None

    def _what(self, number: int) -> Mapping[str, Any]:
        if number not in self._described:
            raise BadRecord(f"type {number} is not described")
        return self._described[number]


def spelled(ctype: CType) -> str:
    """The type without any qualifiers, also those of what it points to: to tell whether two types are the same."""
    words = spell(ctype).replace("*", " * ").split()
    return " ".join(word for word in words if word not in ("const", "volatile"))
