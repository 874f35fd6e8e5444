"""The value model: what a call saw and what it left behind, as a language-neutral heap graph.

Memory is a set of *blocks* (a C object, a Java object or array); a pointer names a block and a path into it,
so aliasing is kept. Every leaf carries its type as written in the source language, canonical where that
is possible (``unsigned int``, ``struct pt``), so that a literal or a declaration can be made from it.

Java: a reference is a Pointer with an empty path; an object is a Struct of its fields, its type the qualified class
name without type arguments; ``char`` and ``boolean`` (width 1) are Integers; a boxed value is the Integer or Floating
with the wrapper's qualified name as its type; strings, enum constants and lists have leaves and forms of their own.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Step: TypeAlias = int | str
Path: TypeAlias = tuple[Step, ...]


@dataclass(frozen=True)
class Integer:
    """An integer of a machine type; characters and C enumerators are integers too, ``_Bool`` has width 1."""

    value: int
    type: str
    width: int
    signed: bool

    @property
    def minimum(self) -> int:
        """The smallest value of the type."""
        return -(1 << (self.width - 1)) if self.signed else 0

    @property
    def maximum(self) -> int:
        """The largest value of the type."""
        return (1 << (self.width - (1 if self.signed else 0))) - 1


@dataclass(frozen=True)
class Floating:
    """An IEEE 754 number by its bits (binary32 or binary64), so that -0.0 and NaN keep their identity."""

    bits: int
    type: str
    width: int

    @property
    def number(self) -> float:
        """The value as a Python float (binary32 values are represented exactly)."""
        if self.width == 32:
            return float(struct.unpack("<f", struct.pack("<I", self.bits))[0])
        return float(struct.unpack("<d", struct.pack("<Q", self.bits))[0])

    @staticmethod
    def of(number: float, type_name: str, width: int) -> Floating:
        """The value nearest to ``number``; OverflowError when a binary32 cannot hold it."""
        if width == 32:
            return Floating(struct.unpack("<I", struct.pack("<f", number))[0], type_name, 32)
        return Floating(struct.unpack("<Q", struct.pack("<d", number))[0], type_name, 64)


@dataclass(frozen=True)
class Null:
    """The null pointer (or reference) of a type."""

    type: str


@dataclass(frozen=True)
class Pointer:
    """The address of ``path`` inside ``block``. The last step may be one past the end of an array."""

    block: str
    path: Path
    type: str


@dataclass(frozen=True)
class FunctionPointer:
    """The address of a function."""

    name: str
    type: str


@dataclass(frozen=True)
class Text:
    """A Java string by its UTF-16 code units as Python characters (lone surrogates stay).

    ``identity`` names the object where it is known which one it is: equal names are one object. Different or empty
    names tell nothing.
    """

    value: str
    type: str = "java.lang.String"
    identity: str = ""


@dataclass(frozen=True)
class Constant:
    """A Java enum constant (or class literal) by its name; ``type`` is the qualified enum type."""

    name: str
    type: str


@dataclass(frozen=True)
class Unknown:
    """A value that the test does not show. ``not_equal`` lists values that it is shown not to have."""

    type: str
    not_equal: tuple[Value, ...] = ()


@dataclass(frozen=True)
class Array:
    """An array; ``type`` is the type of an element. ``form`` ``list`` is a Java list (its elements are references)."""

    type: str
    elements: tuple[Value, ...]
    form: Literal["array", "list"] = "array"


@dataclass(frozen=True)
class Struct:
    """A struct; ``type`` as it can be written in a declaration (``struct pt`` or a typedef's name)."""

    type: str
    fields: tuple[tuple[str, Value], ...]


Value: TypeAlias = Integer | Floating | Null | Pointer | FunctionPointer | Text | Constant | Unknown | Array | Struct


@dataclass(frozen=True)
class Block:
    """One object in memory before the call.

    ``id`` is unique in the pin. ``name`` is what people call it (``a``, ``"abc"``). ``constant``: nothing may write it
    (a string literal, a const object). ``program`` is the variable's own name when the block is a variable of
    the program under test that the contract can name, else None (a variable of the test, a local).
    """

    id: str
    name: str
    value: Value
    constant: bool = False
    program: str | None = None


@dataclass(frozen=True)
class Returned:
    """A call that came back: its result (None for void) and each block's value afterwards.

    ``after`` has an entry for every block of the pin; cells that the test does not show are ``Unknown``. Java: objects
    that the call made have an entry here only.
    """

    result: Value | None
    after: tuple[tuple[str, Value], ...]


@dataclass(frozen=True)
class Failed:
    """A call that did not come back: ``kind`` is ``abort``, ``signal``, ``timeout`` or ``exception``.

    For ``exception`` ``detail`` is the qualified type that was thrown, empty when that is not known, and ``after`` is
    like that of ``Returned``. ``is_exact``: the type itself was thrown, and not perhaps a subtype of it.
    """

    kind: str
    detail: str = ""
    after: tuple[tuple[str, Value], ...] = ()
    is_exact: bool = True


@dataclass(frozen=True)
class Origin:
    """Where a pin came from: ``kind`` is ``static`` or ``recorded``."""

    kind: str
    test: str
    file: str
    line: int


@dataclass(frozen=True)
class Pin:
    """One observed call. ``arguments`` are (parameter position's name or ``argN``, value).

    Java: ``function`` is the method's ``JavaMethod.signature``; the receiver of an instance method is a first argument
    ``this``. A constructor has none: the new object is in ``after`` only, and is the pin's result, a Pointer to it.
    Static fields that the call or its class has are blocks with ``program`` ``Class.field``, their value a leaf.
    """

    function: str
    arguments: tuple[tuple[str, Value], ...]
    blocks: tuple[Block, ...]
    outcome: Returned | Failed
    origin: Origin


@dataclass(frozen=True)
class Ignored:
    """A call in a test that could not be used, and why. ``source`` is ``file:line``."""

    function: str
    source: str
    reason: str


def leaves(value: Value, path: Path = ()) -> Iterator[tuple[Path, Value]]:
    """Every scalar inside ``value`` with its path, arrays and structs opened, in order."""
    if isinstance(value, Array):
        for index, element in enumerate(value.elements):
            yield from leaves(element, (*path, index))
    elif isinstance(value, Struct):
        for name, member in value.fields:
            yield from leaves(member, (*path, name))
    else:
        yield path, value


def values_of(pin: Pin) -> Iterator[Value]:
    """The values of a pin: arguments, memory before and after, result; arrays and structs are not opened."""
    yield from (value for _, value in pin.arguments)
    yield from (block.value for block in pin.blocks)
    yield from (value for _, value in pin.outcome.after)
    if isinstance(pin.outcome, Returned) and pin.outcome.result is not None:
        yield pin.outcome.result


def parts_of(values: Iterable[Value]) -> Iterator[Value]:
    """The values and everything inside them, what they are shown not to be as well; without recursion."""
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        yield value
        if isinstance(value, Array):
            waiting += value.elements
        elif isinstance(value, Struct):
            waiting += (member for _, member in value.fields)
        elif isinstance(value, Unknown):
            waiting += value.not_equal


def at(value: Value, path: Path) -> Value:
    """The part of ``value`` at ``path``; KeyError where there is none."""
    for step in path:
        if isinstance(value, Array) and isinstance(step, int) and 0 <= step < len(value.elements):
            value = value.elements[step]
        elif isinstance(value, Struct) and isinstance(step, str):
            value = dict(value.fields)[step]
        else:
            raise KeyError(path)
    return value


def replaced(value: Value, path: Path, new: Value) -> Value:
    """``value`` with the part at ``path`` replaced; KeyError where there is none."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(value, Array) and isinstance(step, int) and 0 <= step < len(value.elements):
        parts = list(value.elements)
        parts[step] = replaced(parts[step], rest, new)
        return Array(value.type, tuple(parts), value.form)
    if isinstance(value, Struct) and isinstance(step, str):
        if step not in dict(value.fields):
            raise KeyError(path)
        return Struct(value.type, tuple((n, replaced(v, rest, new) if n == step else v) for n, v in value.fields))
    raise KeyError(path)
