"""Java pins as one line of text each, so that tests can be tables; and a project made of texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from clausefit.hook.java.project import JavaProject
from clausefit.hook.pins.java.tests import JavaTestPins, pins_from_java
from clausefit.hook.pins.values import (
    Array,
    Constant,
    Floating,
    Integer,
    Null,
    Pin,
    Pointer,
    Returned,
    Struct,
    Text,
    Unknown,
    Value,
)


def value_text(value: Value | None) -> str:
    """``5``, ``'a'``, ``"abc"@s0``, ``null``, ``m0``, ``[1, 2]``, ``P{x: 1}``, ``A.RED``, ``?``, ``Integer(5)``."""
    if value is None:
        return "void"
    if isinstance(value, Integer):
        plain = repr(chr(value.value)) if "har" in value.type else str(value.value)
        if value.type in ("boolean", "java.lang.Boolean"):
            plain = "true" if value.value else "false"
        plain += "L" if value.type in ("long", "java.lang.Long") else ""
        return f"{value.type.rpartition('.')[2]}({plain})" if "." in value.type else plain
    if isinstance(value, Floating):
        return repr(value.number) + ("f" if value.width == 32 else "")
    if isinstance(value, Text):
        return f'"{value.value}"' + (f"@{value.identity}" if value.identity else "")
    if isinstance(value, Null):
        return "null"
    if isinstance(value, Pointer):
        return value.block
    if isinstance(value, Constant):
        return f"{value.type}.{value.name}"
    if isinstance(value, Unknown):
        return "?" + "".join(f"!={value_text(one)}" for one in value.not_equal)
    if isinstance(value, Array):
        inner = ", ".join(value_text(one) for one in value.elements)
        return f"({inner})" if value.form == "list" else f"[{inner}]"
    if isinstance(value, Struct):
        return f"{value.type}{{{', '.join(f'{name}: {value_text(one)}' for name, one in value.fields)}}}"
    raise TypeError(value)


def pin_text(pin: Pin) -> str:
    """``Cls.f(int[]): a=m0; m0=[1] -> 5; m0=[2]``; blocks that the call left alone are not repeated."""
    before = {block.id: block.value for block in pin.blocks}
    names = {block.id: f"{block.id}={block.program}" if block.program else block.id for block in pin.blocks}
    parts = [", ".join(f"{name}={value_text(value)}" for name, value in pin.arguments)]
    parts += [f"{names[block]}={value_text(value)}" for block, value in before.items()]
    outcome = pin.outcome
    if isinstance(outcome, Returned):
        end = value_text(outcome.result)
    else:
        end = f"throws {outcome.detail}" + ("" if outcome.is_exact else " or below")
    changed = [f"{block}={value_text(value)}" for block, value in outcome.after if before.get(block) != value]
    left = "; ".join(part for part in parts if part)
    return f"{pin.function}: {left} -> {'; '.join([end, *changed])}".replace(":  ->", ": ->")


def pins_of(
    files: Mapping[str, str], test_file: str, watched: Iterable[str] | None = None, source: Iterable[str] = ()
) -> JavaTestPins:
    """What a test file shows; without ``watched`` the calls of all methods of the ``source`` files are watched."""
    project = JavaProject(files.get, files)
    if watched is None:
        watched = [m.signature for path in source for one in project.classes(path) for m in one.java.methods]
    return pins_from_java(project, test_file, frozenset(watched))
