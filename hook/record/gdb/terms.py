"""The value of a contract's term (``p->size - 1``, ``n > 0``) in one state of a program. Runs inside gdb.

Terms come as lists from ``c_terms.py``. Integers are mathematical, as in ACSL; a condition that is not understood is
neither true nor false.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from memory import Memory  # type: ignore[import-not-found]

_WIDEST_SHIFT = 128
_LARGEST = 1 << 256
_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_OF_NUMBERS = frozenset({"+", "-", "*", "/", "%", "<<", ">>"})
_OF_BITS: dict[str, Callable[[int, int], int]] = {"|": operator.or_, "^": operator.xor, "&&&": operator.and_}


class NoValueError(Exception):
    """The term has no value here that is known."""


class NullError(NoValueError):
    """A null pointer is on the way: the contract says nothing of what would be behind it."""


@dataclass(frozen=True)
class Typed:
    """A value by its bytes and its type's number."""

    content: bytes
    type: int


Lookup = Callable[[str], "Typed | None"]


class Terms:
    """Evaluates terms over the arguments and variables of one call.

    ``places`` are the variables' addresses and types, ``sizes`` those of the types that have a name. ``bound`` are the
    integers that names of quantifiers stand for.
    """

    def __init__(
        self,
        memory: Memory,
        lookup: Lookup,
        character: Callable[[str], int],
        places: Mapping[str, tuple[int, int]],
        sizes: Mapping[str, int],
    ) -> None:
        self._memory = memory
        self._layouts = memory.layouts
        self._lookup = lookup
        self._character = character
        self._places = places
        self._sizes = sizes
        self.bound: dict[str, int | None] = {}

    def integer(self, term: Any) -> int:
        """The integer that a term stands for. Raises NoValueError."""
        number, target = self._value(term)
        if target is not None:
            raise NoValueError
        return number

    def pointer(self, term: Any) -> tuple[int, int]:
        """The address and the type of what lies there. Raises NoValueError."""
        address, target = self._value(term)
        if target is None:
            raise NoValueError
        return address, target

    def truth(self, term: Any) -> bool | None:
        """Whether a condition is true; None where that is not known."""
        if isinstance(term, list) and term[0] in ("&&", "||"):
            left, right = self.truth(term[1]), self.truth(term[2])
            decides = bool(term[0] == "||")
            if decides in (left, right):
                return decides
            return None if None in (left, right) else not decides
        if isinstance(term, list) and term[0] == "!":
            inner = self.truth(term[1])
            return None if inner is None else not inner
        if isinstance(term, list) and term[0] == "maybe":
            return self.truth(term[1]) is not False
        if isinstance(term, list) and term[0] == "?:":
            condition = self.truth(term[1])
            return None if condition is None else self.truth(term[2] if condition else term[3])
        try:
            return self._value(term)[0] != 0
        except NoValueError:
            return None

    def _value(self, term: Any) -> tuple[int, int | None]:
        """A number and None, or an address and the type of what lies there."""
        if isinstance(term, int):
            return term, None
        if term[0] in ("&&", "||", "!"):
            found = self.truth(term)
            if found is None:
                raise NoValueError
            return int(found), None
        if term[0] == "?:":
            condition = self.truth(term[1])
            if condition is None:
                raise NoValueError
            return self._value(term[2] if condition else term[3])
        if len(term) == 3 and (term[0] in _COMPARED or term[0] in _OF_BITS or term[0] in _OF_NUMBERS):
            return self._binary(term[0], self._value(term[1]), self._value(term[2]))
        if term[0] == "cast":
            return self.pointer(term[2])[0], self._character(term[1])
        if term[0] == "int":
            return _wrapped(self.integer(term[3]), term[1], term[2]), None
        if term[0] == "~":
            return ~self.integer(term[1]), None
        if term[0] == "sizeof":
            if term[1] not in self._sizes:
                raise NoValueError
            return self._sizes[term[1]], None
        if term[0] == "size":
            return int(self._layouts.opened(self._type(term[1]))["s"]), None
        if term[0] == "&":
            return self._place(term[1])
        return self._read(term)

    def _read(self, term: Any) -> tuple[int, int | None]:
        """The value of an object."""
        if term[0] == "v" and term[1] in self.bound:
            number = self.bound[term[1]]
            if number is None:
                raise NoValueError
            return number, None
        if self._is_array(term):
            address, number = self._place(term)
            return address, self._layouts.descriptions[number]["t"]
        value = self._object(term)
        what = self._layouts.opened(value.type)
        if what["k"] == "ptr":
            return int.from_bytes(value.content, "little"), what["t"]
        if what["k"] != "int":
            raise NoValueError
        return int.from_bytes(value.content, "little", signed=is_signed(what)), None

    def _binary(self, sign: str, left: tuple[int, int | None], right: tuple[int, int | None]) -> tuple[int, int | None]:
        (a, target), (b, other) = left, right
        if sign in _COMPARED:
            if (target is None) != (other is None) and 0 not in (a, b):
                raise NoValueError
            return int(_COMPARED[sign](a, b)), None
        if target is not None and sign in ("+", "-"):
            size = self._layouts.opened(target)["s"]
            if other is None:
                return a + (b if sign == "+" else -b) * size, target
            if sign == "+" or not size or size != self._layouts.opened(other)["s"] or (a - b) % size:
                raise NoValueError
            return (a - b) // size, None
        if target is not None or other is not None:
            raise NoValueError
        return _computed(sign, a, b), None

    def _is_array(self, term: Any) -> bool:
        if term[0] not in ("v", "->", "*", ".") or (term[0] == "v" and term[1] not in self._places):
            return False
        try:
            return bool(self._layouts.opened(self._place(term)[1])["k"] == "arr")
        except NullError:
            raise
        except NoValueError:
            return False

    def _place(self, term: Any) -> tuple[int, int]:
        """Where an object in memory lies, and its type."""
        if not isinstance(term, list):
            raise NoValueError
        if term[0] == "v" and term[1] in self._places and term[1] not in self.bound:
            return self._places[term[1]]
        if term[0] == ".":
            address, target = self._place(term[1])
        elif term[0] in ("->", "*"):
            address, target = self.pointer(term[1])
            if address == 0:
                raise NullError
        else:
            raise NoValueError
        if term[0] == "*":
            return address, target
        offset, member = self._field(target, term[2])
        return address + offset, member

    def _type(self, term: Any) -> int:
        try:
            return self._place(term)[1]
        except NullError:
            raise NoValueError from None
        except NoValueError:
            return self._object(term).type

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


def _computed(sign: str, left: int, right: int) -> int:
    """ACSL 2.2.3: division is that of C, which rounds toward zero; a shift to the left multiplies."""
    if sign in ("/", "%"):
        if not right:
            raise NoValueError
        whole = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return whole if sign == "/" else left - whole * right
    if sign in ("<<", ">>") and not 0 <= right < _WIDEST_SHIFT:
        raise NoValueError
    if sign == "<<":
        found = left << right
    elif sign == ">>":
        found = left >> right
    elif sign in _OF_BITS:
        found = _OF_BITS[sign](left, right)
    else:
        found = left + right if sign == "+" else left - right if sign == "-" else left * right
    if abs(found) > _LARGEST:
        raise NoValueError
    return found


def _wrapped(number: int, bits: int, signed: bool) -> int:
    number %= 1 << bits
    return number - (1 << bits) if signed and number >> (bits - 1) else number


def is_signed(what: dict[str, Any]) -> bool:
    """Whether an integer type has negative values, by its name (plain ``char`` has, as gcc has it on x86-64)."""
    words = what["n"].split()
    return "unsigned" not in words and what["n"] not in ("_Bool", "bool")
