"""String conversion, equality and hash codes of values (JLS 5.1.11, 15.21.3; Object's methods)."""

from __future__ import annotations

from clausefit.hook.pins.java import numbers
from clausefit.hook.pins.java.classes import ClassInfo, MethodInfo
from clausefit.hook.pins.java.code import Compiler
from clausefit.hook.pins.java.heap import spoil
from clausefit.hook.pins.java.jdk import is_throwable
from clausefit.hook.pins.java.objects import Site, invoke_virtual
from clausefit.hook.pins.java.overloads import methods_named
from clausefit.hook.pins.java.snapshots import list_elements
from clausefit.hook.pins.java.values import (
    OBJECT,
    STRING,
    Arr,
    Boxed,
    Builder,
    ClassLit,
    ListObj,
    Native,
    Null,
    Obj,
    Prim,
    Str,
    Unknown,
    Value,
)

NOWHERE = Site("", 0)
_PLAIN = frozenset(numbers.PRIMITIVES) | frozenset(numbers.UNBOXED) | {STRING}


def own_method(info: ClassInfo, name: str, types: tuple[str, ...]) -> MethodInfo | None:
    """The method of that name and parameter types that a class has or inherits from the project."""
    for one in methods_named(info, name):
        if tuple(parameter.type.erased for parameter in one.parameters) == types and not one.is_static:
            return one
    return None


def unknown_text() -> Unknown:
    """A string that is not known."""
    return Unknown(STRING, is_nonnull=True)


def string_of(c: Compiler, value: Value) -> Str | Unknown:
    """String conversion; an unknown string where the text is not known. Runs ``toString`` of the project's objects."""
    run = c.current
    if isinstance(value, Str):
        return value
    if isinstance(value, Prim | Boxed):
        text = numbers.text_of(value if isinstance(value, Prim) else value.prim)
        return run.new_str(text, is_sure=False) if text is not None else unknown_text()
    if isinstance(value, Null):
        return run.literal("null")
    if isinstance(value, Unknown):
        if value.type not in _PLAIN:
            spoil(run, [value])
        return unknown_text()
    found = to_string(c, value)
    return run.literal("null") if isinstance(found, Null) else found


def to_string(c: Compiler, value: Value) -> Str | Unknown | Null:
    """``value.toString()`` of an object."""
    run = c.current
    run.tick()
    if isinstance(value, Obj):
        return _of_object(c, value)
    if isinstance(value, Builder):
        return run.new_str(value.text) if value.text is not None else unknown_text()
    if isinstance(value, ListObj):
        elements = list_elements(value)
        if elements is None or any(one is value for one in elements):
            return unknown_text()
        return joined(c, list(elements), "[", ", ", "]")
    if isinstance(value, ClassLit):
        info = c.world.by_name.get(value.type)
        if info is not None and not info.is_local and info.outer is None:
            return run.new_str(("interface " if info.is_interface else "class ") + value.type)
        return unknown_text()
    return string_of(c, value) if isinstance(value, Str | Boxed | Prim) else unknown_text()


def joined(c: Compiler, values: list[Value], start: str, between: str, end: str) -> Str | Unknown:
    """The texts of values, one after the other."""
    texts = [string_of(c, one) for one in values]
    known = [one.value for one in texts if isinstance(one, Str)]
    if len(known) < len(texts):
        return unknown_text()
    c.current.spend(sum(map(len, known)) + len(known))
    return c.current.new_str(start + between.join(known) + end)


def _of_object(c: Compiler, value: Obj) -> Str | Unknown | Null:
    run = c.current
    if value.info is not None:
        method = own_method(value.info, "toString", ())
        if method is not None and not method.is_abstract:
            found = invoke_virtual(c, method, value, [], NOWHERE)
            return found if isinstance(found, Str | Null) else unknown_text()
        if value.constant is not None:
            return run.literal(value.constant)
        if value.info.kind == "record":
            return _of_record(c, value, value.info)
        above = value.info.library_superclass()
    else:
        above = value.type
    if not is_throwable(above) or (value.info is not None and (value.info.outer is not None or value.info.is_local)):
        return unknown_text()
    message = throwable_message(c, value)
    if isinstance(message, Null):
        return run.new_str(value.type)
    return run.new_str(f"{value.type}: {message.value}") if isinstance(message, Str) else unknown_text()


def _of_record(c: Compiler, value: Obj, info: ClassInfo) -> Str | Unknown:
    """``R[a=1, b=x]``."""
    parts: list[str] = []
    for one in info.inside.components:
        text = string_of(c, value.fields[one.key])
        if not isinstance(text, Str):
            return unknown_text()
        parts.append(f"{one.name}={text.value}")
    return c.current.new_str(f"{info.simple}[{', '.join(parts)}]")


def throwable_message(c: Compiler, value: Obj) -> Value:
    """``getLocalizedMessage()``, which asks ``getMessage()`` unless the project says otherwise."""
    for name in ("getLocalizedMessage", "getMessage"):
        method = own_method(value.info, name, ()) if value.info is not None else None
        if method is not None:
            return invoke_virtual(c, method, value, [], NOWHERE)
    return value.message


# -- equality


def same(left: Value, right: Value) -> bool | None:
    """``==`` of references (JLS 15.21.3); None where it is not known."""
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        other = right if isinstance(left, Unknown) else left
        unknown = left if isinstance(left, Unknown) else right
        if isinstance(other, Null) and isinstance(unknown, Unknown) and unknown.is_nonnull:
            return False
        return None
    if left is right:
        return True
    if isinstance(left, Str) and isinstance(right, Str):
        return False if left.value != right.value or (left.is_sure and right.is_sure) else None
    if isinstance(left, Boxed) and isinstance(right, Boxed) and left.type == right.type:
        # Whether equal floating-point numbers are boxed into one object is the JVM's affair.
        return None if left.type in ("java.lang.Float", "java.lang.Double") and _same_box(left, right) else False
    if isinstance(left, Native) or isinstance(right, Native):
        return None
    if type(left) is type(right) and type(left).__name__ == "Closure":
        return None
    return False


def _same_box(left: Boxed, right: Boxed) -> bool:
    """``equals`` of wrappers: by the bits, so that NaN equals itself and 0.0 is not -0.0."""
    return left.type == right.type and repr(left.prim.value) == repr(right.prim.value)


def equal(c: Compiler, left: Value, right: Value) -> bool | None:
    """``left.equals(right)`` for a reference that is not null; None where it is not known. Runs the project's code."""
    c.current.tick()
    if isinstance(left, Unknown):
        spoil(c.current, [left, right])
        return None
    if isinstance(left, Obj):
        return _equal_objects(c, left, right)
    if isinstance(right, Unknown):
        return None
    if isinstance(left, Str):
        return isinstance(right, Str) and left.value == right.value
    if isinstance(left, Boxed):
        return isinstance(right, Boxed) and _same_box(left, right)
    if isinstance(left, ListObj):
        return _equal_lists(c, left, right)
    return same(left, right)


def equal_or_null(c: Compiler, left: Value, right: Value) -> bool | None:
    """``Objects.equals``."""
    is_same = same(left, right)
    if is_same:
        return True
    if isinstance(left, Null):
        return is_same
    return equal(c, left, right)


def _equal_lists(c: Compiler, left: ListObj, right: Value) -> bool | None:
    if left is right:
        return True
    if not isinstance(right, ListObj):
        return False if isinstance(right, Null | Str | Boxed | Arr | ClassLit) else None
    one, other = list_elements(left), list_elements(right)
    if one is None or other is None:
        return None
    answers: list[bool | None] = []
    for first, second in zip(list(one), list(other), strict=False):
        answers.append(equal_or_null(c, first, second))
        if answers[-1] is False:
            return False
    if len(one) != len(other):
        return False if None not in answers else None
    return None if None in answers else True


def _equal_objects(c: Compiler, left: Obj, right: Value) -> bool | None:
    if left.info is not None:
        method = own_method(left.info, "equals", (OBJECT,))
        if method is not None and not method.is_abstract:
            found = invoke_virtual(c, method, left, [right], NOWHERE)
            return bool(found.value) if isinstance(found, Prim) else None
        if left.info.kind == "record":
            return _equal_records(c, left, right)
        if left.info.has_unknown_supertype:
            return None
    return same(left, right)


def _equal_records(c: Compiler, left: Obj, right: Value) -> bool | None:
    if left is right:
        return True
    if isinstance(right, Unknown):
        return None
    if not isinstance(right, Obj) or right.info is not left.info or left.info is None:
        return False
    is_unsure = False
    for one in left.info.inside.components:
        first, second = c.current.boxed(left.fields[one.key]), c.current.boxed(right.fields[one.key])
        answer = equal_or_null(c, first, second)
        if answer is False:
            return None if is_unsure else False
        is_unsure = is_unsure or answer is None
    return None if is_unsure else True


# -- hash codes


def hash_of(c: Compiler, value: Value) -> int | None:
    """``hashCode()`` of a reference that is not null, not wrapped; None where it is not known."""
    c.current.tick()
    if isinstance(value, Str):
        c.current.spend(len(value.value))
        return string_hash(value.value)
    if isinstance(value, Boxed):
        return _hash_of_box(value.prim)
    if isinstance(value, ListObj):
        elements = list_elements(value)
        return hash_of_all(c, list(elements)) if elements is not None else None
    if isinstance(value, Obj) and value.info is not None:
        method = own_method(value.info, "hashCode", ())
        if method is not None and not method.is_abstract:
            found = invoke_virtual(c, method, value, [], NOWHERE)
            return int(found.value) if isinstance(found, Prim) else None
    return None


def hash_of_all(c: Compiler, values: list[Value]) -> int | None:
    """``Arrays.hashCode`` of references or boxed primitives."""
    result = 1
    for one in values:
        code = 0 if isinstance(one, Null) else hash_of(c, c.current.boxed(one))
        if code is None:
            return None
        result = numbers.wrap(31 * result + code, "int")
    return result


def string_hash(text: str) -> int:
    """``String.hashCode``."""
    result = 0
    for one in text:
        result = (31 * result + ord(one)) & 0xFFFFFFFF
    return numbers.wrap(result, "int")


def _hash_of_box(prim: Prim) -> int | None:
    if prim.type == "boolean":
        return 1231 if prim.value else 1237
    if prim.type == "long":
        value = int(prim.value) & (2**64 - 1)
        return numbers.wrap(value ^ (value >> 32), "int")
    return None if prim.type in numbers.FLOATING else int(prim.value)
