"""Values from the trees that ``stored_values`` makes. They come from hostile files: what fits no form is a problem."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from clausefit.hook.pins.stored_values import MOST_FILL, WIDEST, Layout, Layouts, element_of, split_key
from clausefit.hook.pins.values import (
    Array,
    Constant,
    Floating,
    FunctionPointer,
    Integer,
    Null,
    Path,
    Pointer,
    Struct,
    Text,
    Unknown,
    Value,
)
from clausefit.hook.pins.yaml_text import Node, YamlProblem, quoted


def decoded(node: Node, declared: str, layouts: Layouts) -> Value:
    """The value that a tree means in a place of the type ``declared``. Raises YamlProblem."""
    content = node.value
    if isinstance(content, dict):
        return _decoded_mapping(node, declared, layouts)
    if isinstance(content, list):
        element = element_of(declared)
        if element is None:
            raise YamlProblem(f"a list, where the type is {quoted(declared)}", node.line)
        return _array(*element, node, layouts)
    if content is None:
        return Null(declared)
    if isinstance(content, str):
        return Text(content, declared)
    if isinstance(content, float):
        return _number(content, declared, layouts, node.line)
    kind, width = _known(declared, layouts, node.line)
    if kind == "float" or isinstance(content, bool) != ((kind, width) == ("unsigned", 1)):
        raise YamlProblem(f"{content!s:.60} is no value of the type {quoted(declared)}", node.line)
    return _in_range(Integer(int(content), declared, width, kind == "signed"), node.line)


def _decoded_mapping(node: Node, declared: str, layouts: Layouts) -> Value:
    fields: dict[str, Node] = node.value
    if all(" " in key for key in fields):
        return Struct(declared, members(node, layouts))
    form = next(iter(fields))
    reader = _FORMS.get(form)
    if reader is None:
        raise YamlProblem(f"{quoted(form)} is no form of a value, and no type and name", node.line)
    left = _Fields(node)
    value = reader(left, declared, layouts)
    left.close()
    return value


def members(node: Node, layouts: Layouts) -> tuple[tuple[str, Value], ...]:
    """The names and values of a mapping from ``TYPE NAME``. Raises YamlProblem, also for a name that is there twice."""
    if not isinstance(node.value, dict):
        raise YamlProblem("expected `TYPE NAME: value`", node.line)
    found: dict[str, Value] = {}
    for key, one in node.value.items():
        declared, name = split_key(key, one.line)
        if name in found:
            raise YamlProblem(f"{quoted(name)} is there twice", one.line)
        found[name] = decoded(one, declared, layouts)
    return tuple(found.items())


class _Fields:
    """The keys of one form, each taken once and with the type that it must have."""

    def __init__(self, node: Node) -> None:
        self._left: dict[str, Node] = dict(node.value)
        self.line = node.line

    def node(self, key: str) -> Node:
        if key not in self._left:
            raise YamlProblem(f"the key {key!r} is missing", self.line)
        return self._left.pop(key)

    def text(self, key: str) -> str:
        return text_of(self.node(key), key)

    def whole(self, key: str) -> int:
        return whole_of(self.node(key), key)

    def has(self, key: str) -> bool:
        return key in self._left

    def close(self) -> None:
        for key, node in self._left.items():
            raise YamlProblem(f"the key {quoted(key)} has no meaning here", node.line)


def text_of(node: Node, what: str) -> str:
    """The text of a scalar. Raises YamlProblem."""
    if not isinstance(node.value, str):
        raise YamlProblem(f"{what}: expected a text (in quotes where it looks like a number)", node.line)
    return node.value


def whole_of(node: Node, what: str) -> int:
    """The whole number of a scalar. Raises YamlProblem."""
    if not isinstance(node.value, int) or isinstance(node.value, bool):
        raise YamlProblem(f"{what}: expected a whole number", node.line)
    return node.value


def _known(declared: str, layouts: Layouts, line: int) -> Layout:
    if declared not in layouts:
        raise YamlProblem(f"a number of the type {quoted(declared)}, which `types` does not have", line)
    return layouts[declared]


def _in_range(value: Integer, line: int) -> Integer:
    if not value.minimum <= value.value <= value.maximum:
        raise YamlProblem(f"{value.value} does not fit the type {quoted(value.type)}", line)
    return value


def _number(number: float, declared: str, layouts: Layouts, line: int) -> Floating:
    kind, width = _known(declared, layouts, line)
    try:
        value = Floating.of(number, declared, width) if kind == "float" else None
    except OverflowError:
        value = None
    if value is None or not math.isfinite(value.number):
        raise YamlProblem(f"{number} is no value of the type {quoted(declared)}", line)
    return value


def _by_bits(bits: int, declared: str, width: int, line: int) -> Floating:
    if width not in (32, 64) or not 0 <= bits < 1 << width:
        raise YamlProblem(f"no floating point number has these bits ({width} wide)", line)
    return Floating(bits, declared, width)


def _array(type_name: str, form: str, node: Node, layouts: Layouts) -> Array:
    if not isinstance(node.value, list):
        raise YamlProblem("expected a list of values", node.line)
    elements = tuple(decoded(one, type_name, layouts) for one in node.value)
    return Array(type_name, elements, "list" if form == "list" else "array")


# Each reads what the encoder of the same form writes.


def _read_at(fields: _Fields, declared: str, _layouts: Layouts) -> Value:
    node = fields.node("at")
    steps = [one.value for one in node.value] if isinstance(node.value, list) else [node.value]
    if not steps or not isinstance(steps[0], str):
        raise YamlProblem("at: expected a block, or a list of a block and the steps of a path", node.line)
    path: Path = tuple(steps[1:])
    for step in path:
        if isinstance(step, bool) or not isinstance(step, int | str) or (isinstance(step, int) and step < 0):
            raise YamlProblem("at: a step is an index or the name of a field", node.line)
    return Pointer(steps[0], path, declared)


def _read_text(fields: _Fields, declared: str, _layouts: Layouts) -> Value:
    return Text(fields.text("text"), declared, fields.text("identity"))


def _read_unknown(fields: _Fields, declared: str, _layouts: Layouts) -> Value:
    node = fields.node("unknown")
    if node.value != "any":
        raise YamlProblem("unknown: expected `any`", node.line)
    return Unknown(declared)


def _read_not(fields: _Fields, declared: str, layouts: Layouts) -> Value:
    node = fields.node("not")
    if not isinstance(node.value, list):
        raise YamlProblem("not: expected a list of values", node.line)
    return Unknown(declared, tuple(decoded(one, declared, layouts) for one in node.value))


def _read_char(fields: _Fields, declared: str, layouts: Layouts) -> Value:
    kind, width = _known(declared, layouts, fields.line)
    letter = fields.text("char")
    if len(letter) != 1 or kind == "float":
        raise YamlProblem(f"char: expected one character of the type {quoted(declared)}", fields.line)
    return _in_range(Integer(ord(letter), declared, width, kind == "signed"), fields.line)


def _read_chars(fields: _Fields, declared: str, layouts: Layouts) -> Value:
    element = element_of(declared)
    if element is None:
        raise YamlProblem(f"characters, where the type is {quoted(declared)}", fields.line)
    type_name, form = element
    kind, width = _known(type_name, layouts, fields.line)
    text = fields.text("chars")
    size = fields.whole("size") if fields.has("size") else len(text) + 1
    if kind == "float" or not len(text) <= size <= len(text) + MOST_FILL:
        raise YamlProblem(f"characters do not fit {quoted(declared)} of the size {size}", fields.line)
    letters = [_in_range(Integer(ord(letter), type_name, width, kind == "signed"), fields.line) for letter in text]
    fill = [Integer(0, type_name, width, kind == "signed")] * (size - len(text))
    return Array(type_name, (*letters, *fill), "list" if form == "list" else "array")


def _read_bits(fields: _Fields, declared: str, layouts: Layouts) -> Value:
    kind, width = _known(declared, layouts, fields.line)
    return _by_bits(fields.whole("bits"), declared, width if kind == "float" else 0, fields.line)


def _read_integer(fields: _Fields, declared: str, _layouts: Layouts) -> Value:
    value, width, signed = fields.whole("integer"), fields.whole("width"), fields.node("signed")
    if not 1 <= width <= WIDEST or not isinstance(signed.value, bool):
        raise YamlProblem(f"expected a width from 1 to {WIDEST}, and `signed: true` or `signed: false`", fields.line)
    return _in_range(Integer(value, declared, width, signed.value), fields.line)


def _read_floating(fields: _Fields, declared: str, _layouts: Layouts) -> Value:
    return _by_bits(fields.whole("floating"), declared, fields.whole("width"), fields.line)


def _read_array(fields: _Fields, _declared: str, layouts: Layouts) -> Value:
    return _array(fields.text("array"), "array", fields.node("elements"), layouts)


def _read_list(fields: _Fields, _declared: str, layouts: Layouts) -> Value:
    return _array(fields.text("list"), "list", fields.node("elements"), layouts)


def _read_struct(fields: _Fields, _declared: str, layouts: Layouts) -> Value:
    type_name, node = fields.text("struct"), fields.node("fields")
    if not isinstance(node.value, list):
        raise YamlProblem("fields: expected a list of `TYPE NAME: value`", node.line)
    return Struct(type_name, tuple(member for one in node.value for member in members(one, layouts)))


def _read_other_type(fields: _Fields, _declared: str, layouts: Layouts) -> Value:
    type_name = fields.text("type")
    return decoded(fields.node("is"), type_name, layouts)


_FORMS: Mapping[str, Callable[[_Fields, str, Layouts], Value]] = {
    "at": _read_at,
    "function": lambda fields, declared, _layouts: FunctionPointer(fields.text("function"), declared),
    "text": _read_text,
    "constant": lambda fields, declared, _layouts: Constant(fields.text("constant"), declared),
    "unknown": _read_unknown,
    "not": _read_not,
    "char": _read_char,
    "chars": _read_chars,
    "bits": _read_bits,
    "integer": _read_integer,
    "floating": _read_floating,
    "array": _read_array,
    "list": _read_list,
    "struct": _read_struct,
    "type": _read_other_type,
}
