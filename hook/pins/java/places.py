"""Variables as expressions name them: by simple names, and as fields (JLS 6.5.6, 15.8.3, 15.8.4, 15.11)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from clausefit.hook.pins.java.classes import ClassInfo, FieldInfo
from clausefit.hook.pins.java.code import Compiler, Expr, UnsupportedError, expression, left_classes, required
from clausefit.hook.pins.java.expressions import constant, text_constant
from clausefit.hook.pins.java.heap import spoil
from clausefit.hook.pins.java.jdk import CONSTANTS
from clausefit.hook.pins.java.objects import initialise
from clausefit.hook.pins.java.runtime import NPE
from clausefit.hook.pins.java.scope import FoundField, FoundLocal, Scope, variable_named
from clausefit.hook.pins.java.values import (
    Arr,
    Env,
    Null,
    Obj,
    Prim,
    Stop,
    Str,
    Unknown,
    Value,
)
from tree_sitter import Node


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


def no_check(handle: tuple[Value, ...]) -> None:  # noqa: ARG001
    """No access check: a local or static variable is always there."""
    return


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
        place = local_place(found)
        return Expr(lambda env: place.get(env, ()), place.type)
    if isinstance(found, FoundField):
        return _field_expression(c, found)
    imported = imported_field(c, name, scope)
    if imported is None:
        raise UnsupportedError(f"it is not known what {name[:40]} is")
    return imported


def _constant_expression(c: Compiler, value: Value, type_name: str) -> Expr:
    return text_constant(c, value.value) if isinstance(value, Str) else constant(value, type_name)


def local_place(found: FoundLocal) -> Place:
    """A local variable, also one that an inner class has captured."""
    slot, type_name = found.local.slot, found.local.type.erased
    if not found.left:

        def get(env: Env, handle: tuple[Value, ...]) -> Value:  # noqa: ARG001
            return env.locals[slot]

        def put(env: Env, handle: tuple[Value, ...], value: Value) -> None:  # noqa: ARG001
            env.locals[slot] = value

        return Place(type_name, _nothing, no_check, get, put)
    hop = left_classes(found.left)

    def get_outside(env: Env, handle: tuple[Value, ...]) -> Value:  # noqa: ARG001
        return hop(env).locals[slot]

    def no_put(env: Env, handle: tuple[Value, ...], value: Value) -> None:  # noqa: ARG001
        raise Stop("a captured variable is assigned")

    return Place(type_name, _nothing, no_check, get_outside, no_put)


def _field_expression(c: Compiler, found: FoundField) -> Expr:
    known = c.constant(found.field)
    if known is not None:
        return _constant_expression(c, known, found.field.type.erased)
    place = own_field_place(c, found)
    return Expr(lambda env: place.get(env, place.prepare(env)), place.type)


def own_field_place(c: Compiler, found: FoundField) -> Place:
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
    return object_place(c, found.field, prepare, type_name)


def static_place(c: Compiler, field: FieldInfo) -> Place:
    """A static field; its class is initialised when it is accessed."""
    key, type_name = field.key, field.type.erased

    def get(env: Env, handle: tuple[Value, ...]) -> Value:  # noqa: ARG001
        initialise(c, field.owner)
        return c.current.statics.get(key, Unknown(type_name))

    def put(env: Env, handle: tuple[Value, ...], value: Value) -> None:  # noqa: ARG001
        initialise(c, field.owner)
        c.current.statics[key] = value

    return Place(type_name, _nothing, no_check, get, put)


def object_place(c: Compiler, field: FieldInfo, prepare: Callable[[Env], tuple[Value, ...]], type_name: str) -> Place:
    """A field of the object that ``prepare`` gives; ``type_name`` is its type as it is seen here."""
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
    place = access_place(c, node, scope)
    field = _field_of(c, node, scope) if not owner else None
    known = c.constant(field) if field is not None else None
    if known is None:
        return Expr(lambda env: place.get(env, place.prepare(env)), place.type)
    inlined = _constant_expression(c, known, place.type)

    def run(env: Env) -> Value:
        # The object must be there, but the value is that of the initializer, even before it has run (JLS 13.1).
        place.check(place.prepare(env))
        return inlined.run(env)

    return Expr(run, place.type)


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


def access_place(c: Compiler, node: Node, scope: Scope) -> Place:
    """The field that ``object.field`` or ``Type.field`` names."""
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
        return Place(place.type, lambda env: (inside.run(env),), no_check, place.get, place.put)
    is_own = object_node.type == "this" and field.owner is scope.info
    type_name = field.type.erased if is_own or not field.type.variable else ""
    return object_place(c, field, lambda env: (inside.run(env),), type_name)


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
        return static_place(c, field) if field.is_static else object_place(c, field, _nothing, "")

    return Place(
        "",
        lambda env: (inside.run(env),),
        lambda handle: handle_of(handle).check(handle),
        lambda env, handle: handle_of(handle).get(env, handle),
        lambda env, handle, value: handle_of(handle).put(env, handle, value),
    )
