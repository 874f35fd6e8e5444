"""Wrong values for what only Java has: strings, boxed values, enum constants, references, arrays of another length."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from clausefit.hook.pins.values import (
    Array,
    Constant,
    Floating,
    Integer,
    Null,
    Pin,
    Pointer,
    Struct,
    Text,
    Unknown,
    Value,
    leaves,
)

_STRING = "java.lang.String"
# JLS 4.2: width in bits, and whether the type has negative numbers.
_INTEGERS = {
    "boolean": (1, False),
    "byte": (8, True),
    "char": (16, False),
    "short": (16, True),
    "int": (32, True),
    "long": (64, True),
    "java.lang.Boolean": (1, False),
    "java.lang.Byte": (8, True),
    "java.lang.Character": (16, False),
    "java.lang.Short": (16, True),
    "java.lang.Integer": (32, True),
    "java.lang.Long": (64, True),
}
_MOST_OBJECTS = 32
_MOST_REFERENCES = 2
_FLOATS = {"float": 32, "double": 64, "java.lang.Float": 32, "java.lang.Double": 64}


def text_values(right: Text) -> Iterator[Value]:
    """Strings of the same length first, then shorter and longer ones, at last the empty one and null."""
    letters = right.value
    found = []
    for index in dict.fromkeys((0, len(letters) - 1)) if letters else ():
        found.append(letters[:index] + _other_letter(letters[index]) + letters[index + 1 :])
    if letters:
        found.append(letters[:-1])
    found += [letters + (letters[-1] if letters else "a"), ""]
    yield from (Text(text, right.type) for text in dict.fromkeys(found) if text != letters)
    yield Null(right.type)


def _other_letter(letter: str) -> str:
    """The next character; the one before at the end of a run that people see as one (``z``, ``9``)."""
    code = ord(letter)
    return chr(code - 1) if letter in "zZ9\ud7ff\uffff" or 0xD800 <= code < 0xE000 else chr(code + 1)


def constant_values(right: Constant, constants: Mapping[str, Sequence[str]]) -> Iterator[Value]:
    """The other constants of the enum type, then null."""
    others = dict.fromkeys(constants.get(right.type, ()))
    yield from (Constant(name, right.type) for name in others if name != right.name)
    yield Null(right.type)


def null_values(right: Null, pin: Pin, constants: Mapping[str, Sequence[str]]) -> Iterator[Value]:
    """What could stand there instead of null: a string, a number, a constant, an object that was there before."""
    name = right.type
    if name == _STRING:
        yield Text("a")
        yield Text("")
    elif name in _INTEGERS:
        width, signed = _INTEGERS[name]
        yield Integer(0, name, width, signed)
        yield Integer(1, name, width, signed)
    elif name in _FLOATS:
        yield Floating.of(0.0, name, _FLOATS[name])
    yield from (Constant(one, name) for one in constants.get(name, ()))
    for block in pin.blocks:
        if block.program is None and _type_of(block.value) == name:
            yield Pointer(block.id, (), name)


def reference_values(right: Pointer, pin: Pin) -> Iterator[Value]:
    """Other objects of the same type whose contents are known to differ, then null.

    An object with the same contents is no certain mistake: most contracts, and most tests, speak of contents.
    """
    after = dict(pin.outcome.after)
    before = {block.id: block.value for block in pin.blocks}
    target = after.get(right.block, before.get(right.block))
    found = 0
    for block in pin.blocks[:_MOST_OBJECTS] if target is not None else ():
        other = after.get(block.id, block.value)
        is_candidate = block.id != right.block and block.program is None and _type_of(other) == _type_of(target)
        if is_candidate and found < _MOST_REFERENCES and _differ_in_content(target, other):
            found += 1
            yield Pointer(block.id, (), right.type)
    yield Null(right.type)


def _differ_in_content(one: Value | None, other: Value) -> bool:
    if isinstance(one, Array) and isinstance(other, Array) and len(one.elements) != len(other.elements):
        return True
    theirs = dict(leaves(other))
    pairs = [(leaf, theirs[path]) for path, leaf in leaves(one) if path in theirs] if one is not None else []
    unclear = Unknown | Pointer
    return any(
        _known(mine) != _known(there)
        for mine, there in pairs
        if not isinstance(mine, unclear) and not isinstance(there, unclear)
    )


def _known(leaf: Value) -> object:
    """What the content is, ``None`` for null."""
    match leaf:
        case Integer():
            return leaf.value
        case Floating():
            return leaf.number
        case Text():
            return leaf.value, "text"
        case Constant():
            return leaf.name, "constant"
    return None


def length_values(right: Array) -> Iterator[Array]:
    """The array or list without its last element, and with one more."""
    elements = right.elements
    if elements:
        yield Array(right.type, elements[:-1], right.form)
    more = elements[-1] if elements else _default(right.type)
    yield Array(right.type, (*elements, more), right.form)


def _default(type_name: str) -> Value:
    if type_name in _INTEGERS:
        width, signed = _INTEGERS[type_name]
        return Integer(0, type_name, width, signed)
    if type_name in _FLOATS:
        return Floating.of(0.0, type_name, _FLOATS[type_name])
    return Text("") if type_name == _STRING else Null(type_name)


def _type_of(whole: Value | None) -> str:
    if isinstance(whole, Array):
        return f"{whole.type}[]" if whole.form == "array" else "java.util.List"
    return whole.type if isinstance(whole, Struct) else ""
