"""Elements of arrays (JLS 15.10.3, 10.5)."""

from __future__ import annotations

from clausefit.hook.pins.java.casts import index_of
from clausefit.hook.pins.java.code import Compiler, Expr, expression, required
from clausefit.hook.pins.java.heap import escape, spoil
from clausefit.hook.pins.java.names import is_primitive
from clausefit.hook.pins.java.places import Place
from clausefit.hook.pins.java.runtime import NPE
from clausefit.hook.pins.java.scope import Scope
from clausefit.hook.pins.java.values import (
    Arr,
    Env,
    Heap,
    Null,
    Prim,
    Unknown,
    Value,
)
from tree_sitter import Node

_INDEX_ERROR = "java.lang.ArrayIndexOutOfBoundsException"


@expression("array_access")
def _array_access(c: Compiler, node: Node, scope: Scope) -> Expr:
    place = element_place(c, node, scope)
    return Expr(lambda env: place.get(env, place.prepare(env)), place.type)


def element_place(c: Compiler, node: Node, scope: Scope) -> Place:
    """The element that ``array[index]`` names."""
    array = c.expression(required(node, "array"), scope)
    index = c.expression(required(node, "index"), scope)
    type_name = array.type[:-2] if array.type.endswith("[]") else ""

    def prepare(env: Env) -> tuple[Value, ...]:
        return array.run(env), c.current.unboxed(index.run(env))

    def check(handle: tuple[Value, ...]) -> None:
        one, at = handle[0], index_of(c, handle[1])
        if isinstance(one, Null):
            raise c.current.thrown(NPE)
        if not isinstance(one, Arr) or at is None:
            c.current.may_throw("an array or index is not known")
        elif not 0 <= at < len(one.elements):
            raise c.current.thrown(_INDEX_ERROR)

    def get(env: Env, handle: tuple[Value, ...]) -> Value:  # noqa: ARG001
        check(handle)
        one, at = handle[0], index_of(c, handle[1])
        if not isinstance(one, Arr):
            return Unknown(type_name)
        if at is None:
            escape(c.current, one.elements)
            return Unknown(one.element)
        return one.elements[at]

    def put(env: Env, handle: tuple[Value, ...], value: Value) -> None:  # noqa: ARG001
        check(handle)
        one, at = handle[0], index_of(c, handle[1])
        if not isinstance(one, Arr):
            spoil(c.current, [value])
            return
        value = stored(c, one, value)
        if at is None:
            escape(c.current, [value, *one.elements])
            one.elements[:] = [Unknown(one.element) for _ in one.elements]
        else:
            one.elements[at] = value

    return Place(type_name, prepare, check, get, put)


def stored(c: Compiler, array: Arr, value: Value) -> Value:
    """ArrayStoreException where the array holds no such objects (JLS 10.5)."""
    if is_primitive(array.element):
        return c.current.convert(value, array.element)
    value = c.current.convert(value, array.element) if isinstance(value, Prim) else c.current.boxed(value)
    if isinstance(value, Heap):
        answer = c.current.is_instance(value, array.element)
        if answer is False:
            raise c.current.thrown("java.lang.ArrayStoreException")
        if answer is None and array.element:
            c.current.may_throw("an element of a type that is not known is stored")
    return value
