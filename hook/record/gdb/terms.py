"""The value of a contract's extent (``p->data + (0 .. p->size - 1)``) at the entry of a call. Runs inside gdb.

Terms come as lists from ``c_watched.py``: integers, names, ``+ - *``, fields, and casts to character pointers. Integers
are mathematical, as in ACSL. What has no value here (a null pointer on the way) says nothing about memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from memory import Memory  # type: ignore[import-not-found]


class NoValueError(Exception):
    """The term has no value here."""


@dataclass(frozen=True)
class Typed:
    """A value by its bytes and its type's number."""

    content: bytes
    type: int


Lookup = Callable[[str], "Typed | None"]


class Terms:
    """Evaluates terms over the arguments and variables of one call."""

    def __init__(self, memory: Memory, lookup: Lookup, character: Callable[[str], int]) -> None:
        self._memory = memory
        self._layouts = memory.layouts
        self._lookup = lookup
        self._character = character

    def extent(self, base: Any, first: Any, last: Any) -> tuple[int, int, int, int, bool]:
        """(address, element's type, first, last, whether it is a range). Raises NoValueError."""
        address, target = self._pointer(base)
        if address == 0:
            raise NoValueError
        return address, target, self.integer(first), self.integer(last), (first, last) != (0, 0)

    def integer(self, term: Any) -> int:
        """The integer that a term stands for. Raises NoValueError."""
        if isinstance(term, int):
            return term
        if term[0] in ("+", "-", "*"):
            left, right = self.integer(term[1]), self.integer(term[2])
            return left + right if term[0] == "+" else left - right if term[0] == "-" else left * right
        value = self._object(term)
        what = self._layouts.opened(value.type)
        if what["k"] != "int":
            raise NoValueError
        return int.from_bytes(value.content, "little", signed=is_signed(what))

    def _pointer(self, term: Any) -> tuple[int, int]:
        """The address and the type of what lies there."""
        if isinstance(term, list) and term[0] == "cast":
            return self._pointer(term[2])[0], self._character(term[1])
        if isinstance(term, list) and term[0] in ("+", "-"):
            address, target = self._pointer(term[1])
            steps = self.integer(term[2])
            size = self._layouts.opened(target)["s"]
            return address + (steps if term[0] == "+" else -steps) * size, target
        if isinstance(term, list) and term[0] == "&":
            return self._place(term[1])
        value = self._object(term)
        what = self._layouts.opened(value.type)
        if what["k"] != "ptr":
            raise NoValueError
        return int.from_bytes(value.content, "little"), what["t"]

    def _place(self, term: Any) -> tuple[int, int]:
        """Where an object in memory lies, and its type."""
        if not isinstance(term, list) or term[0] not in ("->", "*"):
            raise NoValueError
        address, target = self._pointer(term[1])
        if address == 0:
            raise NoValueError
        if term[0] == "*":
            return address, target
        offset, member = self._field(target, term[2])
        return address + offset, member

    def _object(self, term: Any) -> Typed:
        if not isinstance(term, list):
            raise NoValueError
        if term[0] == "v":
            value = self._lookup(term[1])
            if value is None:
                raise NoValueError
            return value
        if term[0] == ".":
            whole = self._object(term[1])
            offset, member = self._field(whole.type, term[2])
            size = self._layouts.opened(member)["s"]
            return Typed(whole.content[offset : offset + size], member)
        address, number = self._place(term)
        content = self._memory.read(address, self._layouts.opened(number)["s"])
        if not content:
            raise NoValueError
        return Typed(content, number)

    def _field(self, number: int, name: str) -> tuple[int, int]:
        for field, offset, member in self._layouts.opened(number).get("f") or ():
            if field == name:
                return offset, member
        raise NoValueError


def is_signed(what: dict[str, Any]) -> bool:
    """Whether an integer type has negative values, by its name (plain ``char`` has, as gcc has it on x86-64)."""
    words = what["n"].split()
    return "unsigned" not in words and what["n"] not in ("_Bool", "bool")
