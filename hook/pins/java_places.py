"""Variables: names, fields, array elements; reading, assigning, counting (JLS 6.5.6, 15.10.3, 15.11, 15.14, 15.26)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from clausefit.hook.pins import java_numbers as numbers
from clausefit.hook.pins.java_classes import ClassInfo, FieldInfo
from clausefit.hook.pins.java_code import Compiler, Expr, UnsupportedError, expression, left_classes, required
from clausefit.hook.pins.java_expressions import constant, index_of, initial_value, text_constant
from clausefit.hook.pins.java_heap import escape, spoil
from clausefit.hook.pins.java_jdk import CONSTANTS
from clausefit.hook.pins.java_members import named
from clausefit.hook.pins.java_names import is_primitive
from clausefit.hook.pins.java_objects import initialise
from clausefit.hook.pins.java_operators import arithmetic, plus
from clausefit.hook.pins.java_runtime import NPE
from clausefit.hook.pins.java_scope import FoundField, FoundLocal, Scope, variable_named
from clausefit.hook.pins.java_values import (
    STRING,
    Arr,
    Boxed,
    Env,
    Heap,
    Null,
    Obj,
    Prim,
    Stop,
    Str,
    Unknown,
    Value,
)
from tree_sitter import Node

INDEX_ERROR = "java.lang.ArrayIndexOutOfBoundsException"


@dataclass(frozen=True)
class Place:
    """A variable as an expression names it.

    ``prepare`` evaluates what stands in it (the object, the array and index) and gives a handle; ``check`` throws as
    an access does before the right side of a compound assignment is evaluated; ``get`` and ``put`` access it.
    """

    type: str
    prepare: Callable[[Env], tuple[Value, ...]]
    check: Callable[[tuple[Value, ...]], None]
    get: Callable[[Env, tuple[Value, ...]], Value]
    put: Callable[[Env, tuple[Value, ...], Value], None]


def _nothing(env: Env) -> tuple[Value, ...]:  # noqa: ARG001
    return ()


def _no_check(handle: tuple[Value, ...]) -> None:  # noqa: ARG001
    return None


# -- names


@expression("identifier")
def _identifier(c: Compiler, node: Node, scope: Scope) -> Expr:
    return name_expression(c, c.text(node, scope), scope)


def name_expression(c: Compiler, name: str, scope: Scope) -> Expr:
    """The variable of a simple name; UnsupportedError where there is none."""
    found = variable_named(name, scope)
    if isinstance(found, FoundLocal):
        known = found.local.constant
        if known is not None:
            return _constant_expression(c, known, found.local.type.erased)
        place = _local_place(found)
        return Expr(lambda env: place.get(env, ()), place.type)
    if isinstance(found, FoundField):
        return _field_expression(c, found)
    imported = imported_field(c, name, scope)
    if imported is None:
        raise UnsupportedError(f"it is not known what {name[:40]} is")
    return imported


def _constant_expression(c: Compiler, value: Value, type_name: str) -> Expr:
    return text_constant(c, value.value) if isinstance(value, Str) else constant(value, type_name)


def _local_place(found: FoundLocal) -> Place:
    slot, type_name = found.local.slot, found.local.type.erased
    if not found.left:

        def get(env: Env, handle: tuple[Value, ...]) -> Value:  # noqa: ARG001
            return env.locals[slot]

        def put(env: Env, handle: tuple[Value, ...], value: Value) -> None:  # noqa: ARG001
            env.locals[slot] = value

        return Place(type_name, _nothing, _no_check, get, put)
    hop = left_classes(found.left)

    def get_outside(env: Env, handle: tuple[Value, ...]) -> Value:  # noqa: ARG001
        return hop(env).locals[slot]

    def no_put(env: Env, handle: tuple[Value, ...], value: Value) -> None:  # noqa: ARG001
        raise Stop("a captured variable is assigned")

    return Place(type_name, _nothing, _no_check, get_outside, no_put)


def _field_expression(c: Compiler, found: FoundField) -> Expr:
    known = c.constant(found.field)
    if known is not None:
        return _constant_expression(c, known, found.field.type.erased)
    place = _own_field_place(c, found)
    return Expr(lambda env: place.get(env, place.prepare(env)), place.type)


def _own_field_place(c: Compiler, found: FoundField) -> Place:
    """A field by its simple name: static, or of the object around."""
    if found.field.is_static:
        return static_place(c, found.field)
    hop = left_classes(found.left)

    def prepare(env: Env) -> tuple[Value, ...]:
        this = hop(env).this
        if this is None:
            raise Stop("it is not known which object is around")
        return (this,)

    type_name = found.field.type.erased
    if found.field.type.variable and found.field.owner is not found.within:
        type_name = ""
    return _object_place(c, found.field, prepare, type_name)


def static_place(c: Compiler, field: FieldInfo) -> Place:
    """A static field; its class is initialised when it is accessed."""
    key, type_name = field.key, field.type.erased

    def get(env: Env, handle: tuple[Value, ...]) -> Value:  # noqa: ARG001
        initialise(c, field.owner)
        return c.current.statics.get(key, Unknown(type_name))

    def put(env: Env, handle: tuple[Value, ...], value: Value) -> None:  # noqa: ARG001
        initialise(c, field.owner)
        c.current.statics[key] = value

    return Place(type_name, _nothing, _no_check, get, put)


def _object_place(c: Compiler, field: FieldInfo, prepare: Callable[[Env], tuple[Value, ...]], type_name: str) -> Place:
    key, declared = field.key, field.type.erased

    def check(handle: tuple[Value, ...]) -> None:
        if isinstance(handle[0], Null):
            raise c.current.thrown(NPE)
        if isinstance(handle[0], Unknown) and not handle[0].is_nonnull:
            c.current.may_throw("a field of an object that is not known is accessed")

    def get(env: Env, handle: tuple[Value, ...]) -> Value:  # noqa: ARG001
        check(handle)
        owner = handle[0]
        if isinstance(owner, Obj) and key in owner.fields:
            return owner.fields[key]
        return Unknown(declared)

    def put(env: Env, handle: tuple[Value, ...], value: Value) -> None:  # noqa: ARG001
        check(handle)
        owner = handle[0]
        if isinstance(owner, Obj) and key in owner.fields:
            owner.fields[key] = c.current.convert(value, declared)
        elif isinstance(owner, Unknown):
            spoil(c.current, [value])
        else:
            raise Stop("a field is assigned of an object that does not have it")

    return Place(type_name, prepare, check, get, put)


def imported_field(c: Compiler, name: str, scope: Scope) -> Expr | None:
    """A field that is imported statically (JLS 7.5.3)."""
    for one in c.world.imports(scope.info.file):
        if not one.startswith("static "):
            continue
        owner, _, last = one.removeprefix("static ").rpartition(".")
        if last not in (name, "*"):
            continue
        found = static_member(c, owner, name, scope)
        if found is not None:
            return found
    return None


def static_member(c: Compiler, owner: str, name: str, scope: Scope) -> Expr | None:
    """The static field ``owner.name`` of a class of the project or the JDK; None where it is not known."""
    project = c.world.project.find(owner, scope.info.file, scope.info.known_as)
    info = c.world.info(project) if project is not None else c.world.by_name.get(owner)
    if info is not None:
        field = info.field(name)
        if field is None or not field.is_static:
            return None
        known = c.constant(field)
        if known is not None:
            return _constant_expression(c, known, field.type.erased)
        place = static_place(c, field)
        return Expr(lambda env: place.get(env, ()), place.type)
    if (owner, name) in CONSTANTS:
        value = CONSTANTS[owner, name]
        return constant(value, value.type)
    return None


# -- fields


@expression("field_access")
def _field_access(c: Compiler, node: Node, scope: Scope) -> Expr:
    object_node, name_node = required(node, "object"), required(node, "field")
    if name_node.type == "this":
        return outer_this(c, c.text(object_node, scope), scope)
    name = c.text(name_node, scope)
    owner = type_named(c, object_node, scope)
    if owner:
        found = static_member(c, owner, name, scope)
        return found if found is not None else _library_static(c, owner, name)
    if object_node.type != "super":
        inside = c.expression(object_node, scope)
        if name == "length" and (inside.type.endswith("[]") or not inside.type):
            return _length(c, inside)
    place = _access_place(c, node, scope)
    field = _field_of(c, node, scope)
    known = c.constant(field) if field is not None and object_node.type in ("this", "super") else None
    if known is not None and field is not None:
        return _constant_expression(c, known, field.type.erased)
    return Expr(lambda env: place.get(env, place.prepare(env)), place.type)


def _library_static(c: Compiler, owner: str, name: str) -> Expr:
    if owner == "java.lang.System" and name in ("out", "err"):
        return Expr(lambda env: Unknown("java.io.PrintStream", is_nonnull=True), "java.io.PrintStream")  # noqa: ARG005
    if owner == "java.lang.Boolean" and name in ("TRUE", "FALSE"):
        return Expr(lambda env: c.current.box(Prim("boolean", name == "TRUE")), owner)  # noqa: ARG005
    if owner in c.world.by_name:
        raise UnsupportedError(f"it is not known what {owner}.{name} is")
    return Expr(lambda env: Unknown(""), "")  # noqa: ARG005


def type_named(c: Compiler, node: Node, scope: Scope) -> str:
    """The type that a name before a dot means, empty if it is an expression or not known (JLS 6.5.2)."""
    if node.type not in ("identifier", "field_access", "scoped_identifier"):
        return ""
    text = "".join(c.text(node, scope).split())
    first = text.partition(".")[0]
    if "(" in text or "[" in text or first in ("this", "super") or variable_named(first, scope) is not None:
        return ""
    if imported_field(c, first, scope) is not None:
        return ""
    found = c.world.named_type(text, scope).erased
    if not found or found in c.world.by_name:
        return found
    return found if _looks_like_type(text.rpartition(".")[2]) else ""


def _looks_like_type(name: str) -> bool:
    """Whether the last part of a library's name is that of a type by the convention that all libraries keep."""
    return name[:1].isupper() and (len(name) == 1 or any(one.islower() for one in name))


def outer_this(c: Compiler, name: str, scope: Scope) -> Expr:
    """``Outer.this`` (JLS 15.8.4)."""
    target = c.world.by_name.get(c.world.named_type("".join(name.split()), scope).erased)
    for one, left in scope.outward():
        if one.is_class and one.info is target and target is not None:
            return _this_around(left_classes(left), target.qualified)
    raise UnsupportedError(f"it is not known what {name[:40]}.this is")


def _this_around(hop: Callable[[Env], Env], type_name: str) -> Expr:
    return Expr(lambda env: _some(hop(env).this), type_name)


def _some(this: Obj | None) -> Value:
    if this is None:
        raise Stop("it is not known which object is around")
    return this


@expression("this")
def _this(c: Compiler, node: Node, scope: Scope) -> Expr:  # noqa: ARG001
    return Expr(lambda env: _some(env.this), scope.info.qualified)


def _length(c: Compiler, inside: Expr) -> Expr:
    def run(env: Env) -> Value:
        value = inside.run(env)
        if isinstance(value, Arr):
            return Prim("int", len(value.elements))
        if isinstance(value, Null):
            raise c.current.thrown(NPE)
        c.current.may_throw("the length of an array that is not known is asked for")
        return Unknown("int" if inside.type else "")

    return Expr(run, "int" if inside.type else "")


def _field_of(c: Compiler, node: Node, scope: Scope) -> FieldInfo | None:
    """The field that ``object.field`` means by the static type of the object."""
    object_node, name = required(node, "object"), c.text(required(node, "field"), scope)
    if object_node.type == "super":
        above = scope.info.inside.superclass
        return above.field(name) if isinstance(above, ClassInfo) else None
    info = c.world.by_name.get(c.expression(object_node, scope).type)
    return info.field(name) if info is not None else None


def _access_place(c: Compiler, node: Node, scope: Scope) -> Place:
    object_node = required(node, "object")
    owner = type_named(c, object_node, scope)
    if owner:
        info = c.world.by_name.get(owner)
        field = info.field(c.text(required(node, "field"), scope)) if info is not None else None
        if field is None or not field.is_static:
            raise UnsupportedError("a static field that is not known is accessed")
        return static_place(c, field)
    field = _field_of(c, node, scope)
    if field is None and object_node.type != "super" and not c.expression(object_node, scope).type:
        return _dynamic_place(c, c.expression(object_node, scope), c.text(required(node, "field"), scope))
    if field is None:
        raise UnsupportedError("a field that is not known is accessed")
    inside = Expr(lambda env: _some(env.this), "") if object_node.type == "super" else c.expression(object_node, scope)
    if field.is_static:
        # The object is evaluated, and does not matter then (JLS 15.11.1).
        place = static_place(c, field)
        return Place(place.type, lambda env: (inside.run(env),), _no_check, place.get, place.put)
    is_own = object_node.type == "this" and field.owner is scope.info
    type_name = field.type.erased if is_own or not field.type.variable else ""
    return _object_place(c, field, lambda env: (inside.run(env),), type_name)


def _dynamic_place(c: Compiler, inside: Expr, name: str) -> Place:
    """A field of an object whose static type is not known: there must be only one of that name."""

    def handle_of(handle: tuple[Value, ...]) -> Place:
        owner = handle[0]
        info = owner.info if isinstance(owner, Obj) else None
        found = [one.inside.fields[name] for one in info.supertypes() if name in one.inside.fields] if info else []
        if len(found) == 1:
            field = found[0]
        elif isinstance(owner, Null):
            raise c.current.thrown(NPE)
        else:
            raise Stop(f"it is not known which field {name} is accessed")
        return static_place(c, field) if field.is_static else _object_place(c, field, _nothing, "")

    return Place(
        "",
        lambda env: (inside.run(env),),
        lambda handle: handle_of(handle).check(handle),
        lambda env, handle: handle_of(handle).get(env, handle),
        lambda env, handle, value: handle_of(handle).put(env, handle, value),
    )


# -- array elements


@expression("array_access")
def _array_access(c: Compiler, node: Node, scope: Scope) -> Expr:
    place = _element_place(c, node, scope)
    return Expr(lambda env: place.get(env, place.prepare(env)), place.type)


def _element_place(c: Compiler, node: Node, scope: Scope) -> Place:
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
            raise c.current.thrown(INDEX_ERROR)

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
    value = c.current.boxed(value)
    if isinstance(value, Heap):
        answer = c.current.is_instance(value, array.element)
        if answer is False:
            raise c.current.thrown("java.lang.ArrayStoreException")
        if answer is None and array.element:
            c.current.may_throw("an element of a type that is not known is stored")
    return value


# -- assignment


def place_of(c: Compiler, node: Node, scope: Scope) -> Place:
    """The variable that an expression names; UnsupportedError where it names none that is known."""
    if node.type == "parenthesized_expression":
        return place_of(c, named(node)[0], scope)
    if node.type == "identifier":
        name = c.text(node, scope)
        found = variable_named(name, scope)
        if isinstance(found, FoundLocal):
            return _local_place(found)
        if isinstance(found, FoundField):
            return _own_field_place(c, found)
        raise UnsupportedError(f"it is not known what {name[:40]} is")
    if node.type == "array_access":
        return _element_place(c, node, scope)
    if node.type == "field_access":
        return _access_place(c, node, scope)
    raise UnsupportedError("something that is no variable is assigned")


@expression("assignment_expression")
def _assignment(c: Compiler, node: Node, scope: Scope) -> Expr:
    place = place_of(c, required(node, "left"), scope)
    operator = required(node, "operator").type
    value = initial_value(c, required(node, "right"), place.type, scope)
    if operator == "=":

        def run(env: Env) -> Value:
            handle = place.prepare(env)
            result = c.current.convert(value.run(env), place.type)
            place.put(env, handle, result)
            return result

        return Expr(run, place.type)
    compute = _compound(c, operator[:-1], place.type, value.type)

    def run_compound(env: Env) -> Value:
        handle = place.prepare(env)
        old = place.get(env, handle)
        result = narrowed(c, compute(old, value.run(env)), place.type, old)
        place.put(env, handle, result)
        return result

    return Expr(run_compound, place.type)


def _compound(c: Compiler, operator: str, left: str, right: str) -> Callable[[Value, Value], Value]:
    if operator == "+":
        is_text = left == STRING or (right == STRING and left not in numbers.UNBOXED and not is_primitive(left))
        return lambda one, other: plus(c, one, other, is_text)
    return lambda one, other: arithmetic(c.current, operator, one, other)


def narrowed(c: Compiler, value: Value, type_name: str, old: Value) -> Value:
    """The result of a compound assignment cast to the variable's type (JLS 15.26.2).

    A variable whose type is not known is of the type of the primitive or wrapper that it holds: with no other can be
    counted.
    """
    if not type_name and isinstance(value, Prim) and isinstance(old, Prim | Boxed):
        type_name = old.type
    target = numbers.UNBOXED.get(type_name, type_name)
    if isinstance(value, Prim) and is_primitive(target) and value.type != "boolean":
        value = numbers.converted(value, target)
    elif isinstance(value, Prim) and not is_primitive(target) and not target:
        return Unknown("")
    return c.current.convert(value, type_name)


@expression("update_expression")
def _update(c: Compiler, node: Node, scope: Scope) -> Expr:
    """``x++``, ``--x``: the value is cast to the variable's type, boxed again if need be."""
    operand = named(node)[0]
    place = place_of(c, operand, scope)
    is_prefix = node.children[0].type in ("++", "--")
    sign = "+" if "++" in (node.children[0].type, node.children[-1].type) else "-"
    one = Prim("int", 1)

    def run(env: Env) -> Value:
        handle = place.prepare(env)
        old = place.get(env, handle)
        new = narrowed(c, arithmetic(c.current, sign, old, one), place.type, old)
        place.put(env, handle, new)
        return new if is_prefix else old

    return Expr(run, place.type)
