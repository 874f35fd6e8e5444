"""Values as the short trees that stored pins hold: ``read_values`` makes exactly the same values of them.

A value stands behind a key ``TYPE NAME``, as in a C or Java declaration, so most types are written once. Behind it, by
the type of that key:

    3, true                     an integer (``types`` of the file has the widths)
    0.5, {bits: 0x7ff8000000000001}   a floating point number, by its bits where that says more
    null                        the null pointer or reference
    {at: b}, {at: [b, 2, x]}    a pointer: its block, and the path there
    {function: f}               the address of a function
    {char: a}                   a character
    "joe", {text: joe, identity: s0}  a Java string, and which one it is
    {constant: RED}             an enum constant
    {unknown: any}, {not: [0]}  what is not known, and what it is known not to be
    [1, 2]                      an array, a list (``T list``)
    {chars: joe, size: 8}       an array of characters, filled up with NULs (one, without a size)
    {int x: 1}                  a struct or an object

What fits none of these is written in full (``{integer: 1, width: 16, signed: true}``, ``{array: T, elements: [...]}``,
``{struct: T, fields: [...]}``), and ``{type: T, is: ...}`` is a value of another type than the place has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias, assert_never

from clausefit.hook.pins.values import (
    Array,
    Constant,
    Floating,
    FunctionPointer,
    Integer,
    Null,
    Pointer,
    Struct,
    Text,
    Unknown,
    Value,
    parts_of,
)
from clausefit.hook.pins.yaml_text import Hexadecimal, Tree, YamlProblem, quoted
from clausefit.hook.plain_scalars import plain_number

Layout: TypeAlias = tuple[str, int]
"""How a type's values lie in memory: ``signed``, ``unsigned`` or ``float``, and the width in bits."""
Layouts: TypeAlias = Mapping[str, Layout]

WIDEST = 128
MOST_FILL = 128
"""How many NULs may stand for themselves behind a text: a short file must not fill the memory."""
LIST_ENDING = " list"
_DIMENSION = re.compile(r"([^\[]*?)( ?)\[\d*\](.*)", re.DOTALL)
_ESCAPED_NAME = re.compile(r"[ \\]")


def layouts_of(values: Iterable[Value]) -> dict[str, Layout]:
    """The layout of each type among the values; of a type that has several the same one for every order."""
    found: dict[str, Layout] = {}
    for value in parts_of(values):
        if isinstance(value, Integer | Floating):
            own = layout_of(value)
            found[value.type] = min(own, found.get(value.type, own))
    return dict(sorted(found.items()))


def layout_of(value: Integer | Floating) -> Layout:
    """How the value's type lies in memory."""
    if isinstance(value, Floating):
        return "float", value.width
    return "signed" if value.signed else "unsigned", value.width


def key_of(value: Value, name: str) -> str:
    """The key ``TYPE NAME`` of a value."""
    return f"{shape(value)} {_name_text(name)}"


def split_key(key: str, line: int) -> tuple[str, str]:
    """The type and the name of a key. Raises YamlProblem."""
    declared, blank, name = key.rpartition(" ")
    if not blank:
        raise YamlProblem(f"expected a type and a name, found the key {quoted(key)}", line)
    if not name.startswith("\\"):
        return declared, name
    return declared, name[1:].replace("\\_", " ").replace("\\-", "\\")


def _name_text(name: str) -> str:
    if not _ESCAPED_NAME.search(name):
        return name
    return "\\" + name.replace("\\", "\\-").replace(" ", "\\_")


def shape(value: Value) -> str:
    """The type of a value as it is written: ``int[]`` for an array of ints, ``T list`` for a list."""
    if not isinstance(value, Array):
        return value.type
    if value.form == "list":
        return f"{value.type}{LIST_ENDING}"
    first, bracket, rest = value.type.partition("[")
    return f"{first}[]{bracket}{rest}"


def element_of(declared: str) -> tuple[str, str] | None:
    """(type, form) of the elements that a list has behind ``declared``; None where it is no array.

    C and Java name the outer dimension first: the elements of ``int [2][3]`` are ``int [3]``.
    """
    if declared.endswith(LIST_ENDING):
        return declared.removesuffix(LIST_ENDING), "list"
    match = _DIMENSION.fullmatch(declared)
    if match is None:
        return None
    return match[1] + (match[2] + match[3] if match[3] else ""), "array"


# ---- values to trees ------------------------------------------------------------------------------------------------


def encoded(value: Value, layouts: Layouts, declared: str | None = None) -> Tree:
    """The tree of a value in a place of the type ``declared`` (its own shape, if None). May recurse as it nests."""
    place = shape(value) if declared is None else declared
    if isinstance(value, Array):
        short = _chars(value, layouts, place)
        if short is not None:
            return short
        elements = [encoded(one, layouts, value.type) for one in value.elements]
        if element_of(place) == (value.type, value.form):
            return elements
        return {value.form: value.type, "elements": elements}
    tree = _own(value, layouts)
    return tree if place == value.type else {"type": value.type, "is": tree}


def _own(value: Value, layouts: Layouts) -> Tree:
    match value:
        case Integer():
            return _integer(value, layouts)
        case Floating():
            return _floating(value, layouts)
        case Null():
            return None
        case Pointer():
            return {"at": [value.block, *value.path] if value.path else value.block}
        case FunctionPointer():
            return {"function": value.name}
        case Text():
            return {"text": value.value, "identity": value.identity} if value.identity else value.value
        case Constant():
            return {"constant": value.name}
        case Unknown():
            others = [encoded(one, layouts, value.type) for one in value.not_equal]
            return {"not": others} if others else {"unknown": "any"}
        case Struct():
            return _struct(value, layouts)
        case Array():
            raise TypeError("an array has a form of its own")
    assert_never(value)


def _integer(value: Integer, layouts: Layouts) -> Tree:
    if layouts.get(value.type) != layout_of(value):
        return {"integer": value.value, "width": value.width, "signed": value.signed}
    if layout_of(value) == ("unsigned", 1):
        return bool(value.value)
    if _is_character(value.type) and 32 <= value.value < 127:
        return {"char": chr(value.value)}
    return value.value


def _is_character(type_name: str) -> bool:
    """Whether people take values of the type for letters: C's ``char`` and both of Java's."""
    return type_name in ("char", "const char", "java.lang.Character")


def _floating(value: Floating, layouts: Layouts) -> Tree:
    if layouts.get(value.type) != layout_of(value):
        return {"floating": Hexadecimal(value.bits), "width": value.width}
    number = plain_number(value)
    if isinstance(number, str) or not _is_read_back(number, value):
        return {"bits": Hexadecimal(value.bits)}
    return number


def _is_read_back(number: float, value: Floating) -> bool:
    try:
        return Floating.of(number, value.type, value.width) == value
    except OverflowError:
        return False


def _chars(value: Array, layouts: Layouts, place: str) -> Tree:
    """An array of characters as text, filled up with NULs, or None where it is none that people can read."""
    if not _is_character(value.type) or not value.elements or element_of(place) != (value.type, value.form):
        return None
    layout = layouts.get(value.type)
    cells = [one for one in value.elements if isinstance(one, Integer) and one.type == value.type]
    codes = [one.value for one in cells if layout_of(one) == layout]
    end = len(codes)
    while end and codes[end - 1] == 0:
        end -= 1
    if len(codes) < len(value.elements) or len(codes) - end > MOST_FILL:
        return None
    if any(not 32 <= code < 127 and code not in (9, 10) for code in codes[:end]):
        return None
    text = "".join(map(chr, codes[:end]))
    return {"chars": text} if len(codes) == end + 1 else {"chars": text, "size": len(codes)}


def _struct(value: Struct, layouts: Layouts) -> Tree:
    fields = {key_of(member, name): encoded(member, layouts) for name, member in value.fields}
    if len({name for name, _ in value.fields}) == len(value.fields):
        return fields
    return {"struct": value.type, "fields": [{key_of(one, name): encoded(one, layouts)} for name, one in value.fields]}
