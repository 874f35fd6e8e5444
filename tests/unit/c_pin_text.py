"""Pins as short text, for tables of expectations: ``f(a=3, p=&x.0) x=[1, 2] -> 4; x=[1, ?]``."""

from __future__ import annotations

from clausefit.hook.pins.c_tests import TestPins, pins_from_c
from clausefit.hook.pins.values import (
    Array,
    Block,
    Failed,
    Floating,
    FunctionPointer,
    Integer,
    Null,
    Pin,
    Pointer,
    Struct,
    Unknown,
    Value,
)


def value_text(value: Value, names: dict[str, str]) -> str:
    if isinstance(value, Integer):
        return str(value.value)
    if isinstance(value, Floating):
        return repr(value.number)
    if isinstance(value, Null):
        return "null"
    if isinstance(value, Pointer):
        return "&" + ".".join([names[value.block], *map(str, value.path)])
    if isinstance(value, FunctionPointer):
        return f"&{value.name}()"
    if isinstance(value, Array):
        return "[" + ", ".join(value_text(element, names) for element in value.elements) + "]"
    if isinstance(value, Struct):
        return "{" + ", ".join(f"{name}: {value_text(member, names)}" for name, member in value.fields) + "}"
    return "?" + "".join(f"!={value_text(other, names)}" for other in value.not_equal)


def block_name(block: Block) -> str:
    return ("::" if block.program else "") + block.name


def pin_text(pin: Pin) -> str:
    names = {block.id: block_name(block) for block in pin.blocks}
    arguments = ", ".join(f"{name}={value_text(value, names)}" for name, value in pin.arguments)
    before = "".join(f" {block_name(block)}={value_text(block.value, names)}" for block in pin.blocks)
    if isinstance(pin.outcome, Failed):
        return f"{pin.function}({arguments}){before} !{pin.outcome.kind}"
    result = "" if pin.outcome.result is None else " " + value_text(pin.outcome.result, names)
    after = "".join(f" {names[block]}={value_text(value, names)}" for block, value in pin.outcome.after)
    return f"{pin.function}({arguments}){before} ->{result}" + (f";{after}" if after else "")


def types_in(value: Value) -> list[str]:
    if isinstance(value, Array):
        return [value.type, *(name for element in value.elements[:1] for name in types_in(element))]
    if isinstance(value, Struct):
        return [value.type, *(name for _, member in value.fields for name in types_in(member))]
    return [value.type] if not isinstance(value, Unknown) else [f"?{value.type}"]


def read(
    header: str, test: str, frameworks: tuple[str, ...] = ("assert.h",), functions: set[str] | None = None
) -> TestPins:
    """The pins of a test text; ``header`` is what its ``src.h`` declares. Lines of the test count from 1."""
    marks = "".join(f'# 1 "<clausefit>/{name}" 1\n' for name in frameworks)
    return pins_from_c(f'{marks}# 1 "src.h" 1\n{header}\n# 1 "test.c" 2\n{test}\n', "test.c", functions)


def in_main(header: str, body: str, **options: object) -> list[str]:
    """The pins of the statements in a ``main``, as text."""
    return [pin_text(pin) for pin in read(header, f"int main(void) {{\n{body}\nreturn 0; }}", **options).pins]  # type: ignore[arg-type]
