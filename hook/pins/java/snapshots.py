"""Snapshots: the heap as the value model of pins has it (``values.py``), from the interpreter's objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clausefit.hook.pins import values as pin_values
from clausefit.hook.pins.java.classes import ClassInfo
from clausefit.hook.pins.java.heap import parts
from clausefit.hook.pins.java.numbers import INTEGRAL
from clausefit.hook.pins.java.runtime import Run
from clausefit.hook.pins.java.values import (
    Arr,
    Boxed,
    ClassLit,
    Heap,
    ListObj,
    Null,
    Obj,
    Prim,
    Str,
    Unknown,
    Value,
)

_BLOCKS = (Obj, Arr, ListObj)


def block_id(one: Heap) -> str:
    """The id of an object's block, the same in all snapshots of a run."""
    return f"b{one.serial}"


def primitive(prim: Prim, type_name: str) -> pin_values.Value:
    """A primitive value under the name of its type or wrapper."""
    if prim.type == "boolean":
        return pin_values.Integer(int(prim.value), type_name, 1, False)
    if prim.type in INTEGRAL:
        width, signed = INTEGRAL[prim.type]
        return pin_values.Integer(int(prim.value), type_name, width, signed)
    return pin_values.Floating.of(float(prim.value), type_name, 32 if prim.type == "float" else 64)


def has_block(value: Value) -> bool:
    """Whether an object is a block of its own in a pin. Enum constants are leaves."""
    return isinstance(value, _BLOCKS) and not (isinstance(value, Obj) and value.constant is not None)


def leaf(value: Value, type_name: str, kept: set[int] | None = None) -> pin_values.Value:
    """A value as a leaf; ``type_name`` is its static type. An object that is not ``kept`` is Unknown."""
    if isinstance(value, Prim):
        return primitive(value, value.type)
    if isinstance(value, Boxed):
        return primitive(value.prim, value.type)
    if isinstance(value, Null):
        return pin_values.Null(type_name or "java.lang.Object")
    if isinstance(value, Str):
        return pin_values.Text(value.value, identity=f"s{value.serial}" if value.is_sure else "")
    if isinstance(value, ClassLit):
        return pin_values.Constant(value.type, "java.lang.Class")
    if isinstance(value, Obj) and value.constant is not None:
        return pin_values.Constant(value.constant, value.type)
    if isinstance(value, Obj | Arr | ListObj) and (kept is None or id(value) in kept):
        return pin_values.Pointer(block_id(value), (), type_name or "java.lang.Object")
    return pin_values.Unknown(type_name or (value.type if isinstance(value, Unknown) else "java.lang.Object"))


def content(one: Heap, kept: set[int]) -> pin_values.Value:
    """What is in an object: its fields, elements, or list."""
    if isinstance(one, Arr):
        return pin_values.Array(one.element, tuple(leaf(value, one.element, kept) for value in one.elements))
    if isinstance(one, ListObj):
        elements = list_elements(one)
        if elements is None:
            return pin_values.Unknown("java.util.List")
        values = tuple(leaf(value, "java.lang.Object", kept) for value in elements)
        return pin_values.Array("java.lang.Object", values, "list")
    if isinstance(one, Obj):
        return pin_values.Struct(one.type, tuple(_fields(one, kept)))
    return pin_values.Unknown("java.lang.Object")


def list_elements(one: ListObj) -> list[Value] | None:
    """The elements of a list, None when they are not known."""
    return one.backing.elements if one.backing is not None else one.elements


def _fields(one: Obj, kept: set[int]) -> Iterable[tuple[str, pin_values.Value]]:
    """The fields by their simple names; of those that hide each other the value is left open."""
    names: dict[str, int] = {}
    for _, name in one.fields:
        names[name] = names.get(name, 0) + 1
    done: set[str] = set()
    for (owner, name), value in one.fields.items():
        type_name = field_type(one.info, owner, name)
        if name not in done:
            done.add(name)
            yield name, leaf(value, type_name, kept) if names[name] == 1 else pin_values.Unknown(type_name)


def field_type(info: ClassInfo | None, owner: str, name: str) -> str:
    """The declared (erased) type of a field."""
    for one in info.superclasses() if info is not None else ():
        if one.qualified == owner and name in one.inside.fields:
            return one.inside.fields[name].type.erased
    return ""


class Shot:
    """The objects that a snapshot shows, and what the fields of classes hold.

    ``names`` are what people call the roots. Objects beyond ``cells`` cells are left out.
    """

    def __init__(self, run: Run, roots: Sequence[tuple[str, Value]], cells: int, also: Sequence[Heap] = ()) -> None:
        self.run = run
        self.names: dict[int, str] = {}
        self.objects: list[Heap] = []
        self.kept: set[int] = set()
        left = cells
        level: list[tuple[str, Value]] = [*roots, *(("", one) for one in also)]
        while level:
            below: list[tuple[str, Value]] = []
            for name, value in level:
                if not isinstance(value, Heap) or not has_block(value) or id(value) in self.kept:
                    continue
                size = 1 + (len(value.elements or ()) if isinstance(value, Arr | ListObj) else len(parts(value)))
                if size > left:
                    continue
                left -= size
                self.kept.add(id(value))
                self.objects.append(value)
                self.names[id(value)] = name
                below += _named_parts(name, value)
            level = below
        # Large snapshots again and again are work like any other.
        run.steps += 2 * (cells - left)

    def blocks(self) -> tuple[pin_values.Block, ...]:
        """The blocks now."""
        return tuple(
            pin_values.Block(block_id(one), self.names[id(one)], content(one, self.kept)) for one in self.objects
        )


def _named_parts(name: str, value: Heap) -> list[tuple[str, Value]]:
    if isinstance(value, Obj):
        return [(f"{name}.{field}" if name else "", one) for (_, field), one in value.fields.items()]
    if isinstance(value, Arr):
        return [(f"{name}[{index}]" if name else "", one) for index, one in enumerate(value.elements)]
    if isinstance(value, ListObj):
        return [("", one) for one in list_elements(value) or ()]
    return []


def unknown_content(value: pin_values.Value) -> pin_values.Value:
    """The same shape with nothing known of its cells."""
    if isinstance(value, pin_values.Array):
        if value.form == "list":
            return pin_values.Unknown("java.util.List")
        return pin_values.Array(value.type, tuple(pin_values.Unknown(value.type) for _ in value.elements))
    if isinstance(value, pin_values.Struct):
        return pin_values.Struct(value.type, tuple((name, _forgotten(one)) for name, one in value.fields))
    return _forgotten(value)


def _forgotten(value: pin_values.Value) -> pin_values.Value:
    return pin_values.Unknown(getattr(value, "type", "java.lang.Object"))
