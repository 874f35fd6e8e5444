"""Values and outcomes of a pin as plain JSON values, and as short C-like or Java-like text for people.

In the plain form a number is a number; every other scalar is a string whose first character tells what it
is: ``"`` text, ``&`` an address, ``?`` not known, anything else a number that JSON cannot hold. Null is null.
What Java has beyond that is in ``java_plain``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, assert_never

from clausefit.hook.contracts.model import Language
from clausefit.hook.java import plain as java_plain
from clausefit.hook.languages import language_of
from clausefit.hook.mutants import Location
from clausefit.hook.pins.values import (
    Array,
    Block,
    Constant,
    Failed,
    Floating,
    FunctionPointer,
    Integer,
    Null,
    Path,
    Pin,
    Pointer,
    Returned,
    Struct,
    Text,
    Unknown,
    Value,
)
from clausefit.hook.plain_scalars import EXIT, RESULT, RETURN, UNKNOWN, plain_number
from clausefit.hook.visible import visible

_DEEPEST = 32
_SHOWN_ELEMENTS = 8
_LONGEST_TEXT = 200
_LETTERS = (0x20, 0x7E)
_LETTER_ESCAPES = {"'": "\\'", "\\": "\\\\"}
_C_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


class Letter(int):
    """The number of a C ``char``: people are shown the letter as well, and JSON has the number."""


def to_plain(value: Value, blocks: Sequence[Block] = ()) -> Any:
    """``value`` as JSON: ints, floats, lists, dicts, null, and strings as the module says.

    A ``char`` array that holds printable text, ended by NUL and filled up with NULs, is that text in double quotes;
    NaN and the infinities are strings with their bits; a binary32 is the shortest decimal that means it; ``blocks``
    name what pointers point to (a block that is not among them is called by its id). Parts nested deeper than any
    sensible type are ``"?"``.
    """
    return _plain(value, {block.id: block for block in blocks}, 0)


def to_text(value: Value, blocks: Sequence[Block] = ()) -> str:
    """``value`` as C-like text on one line; long arrays and strings are cut, the cut shown with a count."""
    return plain_text(to_plain(value, blocks))


def plain_text(plain: Any, language: Language = "c") -> str:
    """A plain value (from ``to_plain``, or from a witness) as text like the language's, on one line, safe to print."""
    is_java = language == "java"
    if plain is None:
        return "null" if is_java else "NULL"
    if isinstance(plain, bool):
        return "true" if plain else "false"
    if isinstance(plain, Mapping):
        return _object_text(plain) if is_java else _struct_text(plain)
    if isinstance(plain, list | tuple):
        # In a row of them numbers are easier to compare; text is shown as text.
        shown = [
            plain_text(int(element) if isinstance(element, Letter) else element, language)
            for element in plain[:_SHOWN_ELEMENTS]
        ]
        rest = len(plain) - len(shown)
        return "{" + ", ".join([*shown, f"... {rest} more"] if rest else shown) + "}"
    if isinstance(plain, str) and len(plain) > _LONGEST_TEXT:
        rest = len(plain) - _LONGEST_TEXT
        return f"{visible(plain[:_LONGEST_TEXT])}... {rest} more"
    if isinstance(plain, Letter) and _LETTERS[0] <= plain <= _LETTERS[1]:
        return f"'{_LETTER_ESCAPES.get(chr(plain), chr(plain))}' ({int(plain)})"
    text = visible(str(plain))
    # A Java variable is the reference; only C has an operator that makes one.
    return text.removeprefix("&") if is_java else text


def _struct_text(plain: Mapping[str, Any]) -> str:
    members = [f".{visible(str(name))} = {plain_text(member)}" for name, member in plain.items()]
    return "{" + ", ".join(_first(members)) + "}"


def _object_text(plain: Mapping[str, Any]) -> str:
    fields = [
        f"{visible(str(n))}: {plain_text(member, 'java')}" for n, member in plain.items() if n != java_plain.CLASS
    ]
    return visible(str(plain.get(java_plain.CLASS, ""))) + "{" + ", ".join(_first(fields)) + "}"


def named_blocks(pin: Pin) -> tuple[Block, ...]:
    """The blocks of a pin under the names that people see in inputs and outcomes; the names differ from one another.

    A block that one argument alone points to, at its start, is called by that parameter: ``buf`` for an array,
    ``*stock`` for anything else. Every other block keeps its own name, with a number where that is taken.
    """
    taken = {name for name, _ in pin.arguments} | {RESULT, EXIT}
    owners = _owners(pin)
    named = []
    for block in pin.blocks:
        parameter = owners.get(block.id)
        if parameter is not None:
            name = f"*{parameter}"
            if isinstance(block.value, Array):
                # `result[]` where the plain name would be taken for the returned value.
                name = f"{parameter}[]" if parameter in (RESULT, EXIT) else parameter
        else:
            name = _unused(block.name, taken)
        taken.add(name)
        named.append(replace(block, name=name))
    return tuple(named)


def inputs_of(pin: Pin) -> dict[str, Any]:
    """What the call was given, for a witness: the arguments in order, then the other blocks (globals, aliases)."""
    if language_of(pin) == "java":
        return java_plain.inputs_of(pin)
    blocks = named_blocks(pin)
    owners = {parameter: block for block, parameter in _owners(pin).items()}
    by_id = {block.id: block for block in blocks}
    inputs: dict[str, Any] = {}
    for name, value in pin.arguments:
        owned = by_id.get(owners.get(name, ""))
        if owned is None:
            inputs[name] = to_plain(value, blocks)
        else:
            inputs[owned.name] = to_plain(owned.value, blocks)
    for block in blocks:
        inputs.setdefault(block.name, to_plain(block.value, blocks))
    return inputs


def outcome_of(pin: Pin, outcome: Returned | Failed | None = None) -> dict[str, Any]:
    """How the call ended (the pin's own outcome, or the given mutant), for a witness.

    ``result`` (absent for void) and every block that is shown to differ from the input, or ``exit`` with the kind of
    failure. Cells of which nothing is known afterwards are no difference.
    """
    if language_of(pin) == "java":
        return java_plain.outcome_of(pin, outcome)
    ended = pin.outcome if outcome is None else outcome
    if isinstance(ended, Failed):
        return {EXIT: ended.kind}
    blocks = named_blocks(pin)
    plain: dict[str, Any] = {}
    if ended.result is not None:
        plain[RESULT] = to_plain(ended.result, blocks)
    after = dict(ended.after)
    for block in blocks:
        before = to_plain(block.value, blocks)
        left = to_plain(after.get(block.id, block.value), blocks)
        if any(new != UNKNOWN for _, _, new in differences({block.name: before}, {block.name: left}, {})):
            plain[block.name] = left
    return plain


def place_of(pin: Pin, location: Location) -> str:
    """What people see of a place of an outcome: ``a[1]``, ``result``."""
    if language_of(pin) == "java":
        return java_plain.place_of(pin, location)
    names = {block.id: block.name for block in named_blocks(pin)}
    return _place(RESULT if location.block is None else names.get(location.block, location.block), location.path)


def differences(
    right: Mapping[str, Any], wrong: Mapping[str, Any], inputs: Mapping[str, Any]
) -> list[tuple[str, Any, Any]]:
    """Where two plain outcomes differ: (place as text, right value, wrong value), in order.

    A block that only one of them mentions is untouched in the other, so the input stands in for it. Where the kinds of
    exit differ, that is the only difference.
    """
    if EXIT in right or EXIT in wrong:
        ends = right.get(EXIT, RETURN), wrong.get(EXIT, RETURN)
        return [] if ends[0] == ends[1] else [(EXIT, *ends)]
    found: list[tuple[str, Any, Any]] = []
    for key in dict.fromkeys((*right, *wrong)):
        before = inputs.get(key)
        _compare(key, right.get(key, before), wrong.get(key, before), found)
    return found


def _plain(value: Value, blocks: Mapping[str, Block], depth: int) -> Any:
    if depth > _DEEPEST:
        return UNKNOWN
    match value:
        case Integer():
            return Letter(value.value) if value.type == "char" else value.value
        case Floating():
            return plain_number(value)
        case Null():
            return None
        case Pointer():
            return _address(value, blocks.get(value.block))
        case FunctionPointer():
            return f"&{value.name}"
        case Text():
            return '"' + "".join(_C_ESCAPES.get(letter, letter) for letter in value.value) + '"'
        case Constant():
            return value.name
        case Unknown():
            return UNKNOWN
        case Array():
            text = _c_string(value)
            return text if text is not None else [_plain(element, blocks, depth + 1) for element in value.elements]
        case Struct():
            return {name: _plain(member, blocks, depth + 1) for name, member in value.fields}
    assert_never(value)


def _address(pointer: Pointer, block: Block | None) -> str:
    base = pointer.block if block is None else block.name
    return "&" + _place(base, pointer.path)


def _place(base: str, path: Path) -> str:
    base = base.removesuffix("[]")
    for step in path:
        if isinstance(step, int):
            base = f"({base})[{step}]" if base.startswith("*") else f"{base}[{step}]"
        elif base.startswith("*") and base[1:].isidentifier():
            base = f"{base[1:]}->{step}"
        else:
            base = f"{base}.{step}"
    return base


def _c_string(array: Array) -> str | None:
    """The array as a C string literal, or None when it is not text that the literal would give back."""
    if array.type.removeprefix("const ").strip() != "char" or not array.elements:
        return None
    codes = [element.value for element in array.elements if isinstance(element, Integer)]
    if len(codes) != len(array.elements) or 0 not in codes:
        return None
    length = codes.index(0)
    if any(codes[length:]):
        return None
    letters = [chr(code) for code in codes[:length] if 0 <= code < 127]
    if len(letters) < length or not all(letter.isprintable() or letter in _C_ESCAPES for letter in letters):
        return None
    return '"' + "".join(_C_ESCAPES.get(letter, letter) for letter in letters) + '"'


def _owners(pin: Pin) -> dict[str, str]:
    """Block id -> parameter, where one pointer of the whole input points to the block: an argument, at its start."""
    uses: dict[str, int] = {}
    for value in (*(value for _, value in pin.arguments), *(block.value for block in pin.blocks)):
        for target in _targets(value):
            uses[target] = uses.get(target, 0) + 1
    ids = {block.id: block for block in pin.blocks}
    owners = {}
    for name, value in pin.arguments:
        if isinstance(value, Pointer) and uses[value.block] == 1 and value.block in ids:
            block = ids[value.block]
            start: tuple[Path, ...] = ((), (0,)) if isinstance(block.value, Array) else ((),)
            if value.path in start and block.program is None:
                owners[value.block] = name
    return owners


def _targets(value: Value) -> list[str]:
    """The blocks that pointers inside ``value`` point to; without recursion, since types may nest deeply."""
    found, waiting = [], [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Pointer):
            found.append(part.block)
        elif isinstance(part, Array):
            waiting.extend(part.elements)
        elif isinstance(part, Struct):
            waiting.extend(member for _, member in part.fields)
    return found


def _unused(name: str, taken: set[str]) -> str:
    candidate, number = name, 2
    while candidate in taken:
        candidate, number = f"{name}#{number}", number + 1
    return candidate


def _compare(place: str, right: Any, wrong: Any, found: list[tuple[str, Any, Any]]) -> None:
    if isinstance(right, list) and isinstance(wrong, list) and len(right) == len(wrong):
        for index, (one, other) in enumerate(zip(right, wrong, strict=True)):
            _compare(_place(place, (index,)), one, other, found)
    elif isinstance(right, dict) and isinstance(wrong, dict) and _is_same_shape(right, wrong):
        for name in right:
            _compare(_place(place, (name,)), right[name], wrong[name], found)
    elif right != wrong or _sign(right) != _sign(wrong):
        found.append((place, right, wrong))


def _is_same_shape(right: Mapping[str, Any], wrong: Mapping[str, Any]) -> bool:
    return right.keys() == wrong.keys() and right.get(java_plain.CLASS) == wrong.get(java_plain.CLASS)


def _sign(plain: Any) -> float:
    """Tells -0.0 from 0.0, which compare as equal."""
    return math.copysign(1.0, plain) if isinstance(plain, float) else 0.0


def _first(members: list[str]) -> list[str]:
    rest = len(members) - _SHOWN_ELEMENTS
    return [*members[:_SHOWN_ELEMENTS], f"... {rest} more"] if rest > 0 else members
