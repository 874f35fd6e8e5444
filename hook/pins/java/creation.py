"""Creating objects: ``new``, inner and anonymous classes, enum constants (JLS 15.9, 8.9.1)."""

from __future__ import annotations

from collections.abc import Callable

from clausefit.hook.pins.java.calls import Selector, arguments_of, converted, selected, selector
from clausefit.hook.pins.java.classes import ClassInfo, FieldInfo, TypeRef
from clausefit.hook.pins.java.code import Compiler, Expr, UnsupportedError, expression, left_classes, required
from clausefit.hook.pins.java.jdk import FUNCTIONAL, is_throwable
from clausefit.hook.pins.java.library import new_object
from clausefit.hook.pins.java.members import line_of, named
from clausefit.hook.pins.java.objects import (
    Site,
    allocate,
    construct,
    initialise,
    library_super,
    run_constructor,
    run_instance_parts,
    set_throwable,
)
from clausefit.hook.pins.java.runtime import NPE
from clausefit.hook.pins.java.scope import Scope
from clausefit.hook.pins.java.values import Env, Null, Obj, Stop, Value
from tree_sitter import Node

Around = Callable[[Env], Env]


def around_of(c: Compiler, info: ClassInfo, scope: Scope, qualifier: Expr | None = None) -> Around | None:
    """What a new object of ``info`` that is made at ``scope`` has around it; None for one that has nothing."""
    if not info.is_inner:
        return None
    if info.is_local:
        return _around_local(info, scope)
    if qualifier is not None:
        return _around_given(c, qualifier)
    for one, left in scope.outward():
        if one.is_class and info.outer is not None and one.info.is_within(info.outer):
            hop = left_classes(left)
            return lambda env: Env(hop(env).this, [])
    raise UnsupportedError(f"it is not known what is around the new {info.simple}")


def _around_local(info: ClassInfo, scope: Scope) -> Around:
    """A local class sees the locals of the body that declares it as they are when the object is made."""
    declared = info.scope.parent
    for one, left in scope.outward():
        if declared is not None and one.code is not None and one.code is declared.code:
            hop = left_classes(left)
            return lambda env: _copied(hop(env))
    raise UnsupportedError(f"it is not known what is around the new {info.simple}")


def _copied(env: Env) -> Env:
    return Env(env.this, list(env.locals))


def _around_given(c: Compiler, qualifier: Expr) -> Around:
    def around(env: Env) -> Env:
        outer = qualifier.run(env)
        if isinstance(outer, Null):
            raise c.current.thrown(NPE)
        if not isinstance(outer, Obj):
            raise Stop("it is not known which object is around")
        return Env(outer, [])

    return around


@expression("object_creation_expression")
def creation(c: Compiler, node: Node, scope: Scope) -> Expr:
    """``new T(…)``, ``outer.new T(…)``, ``new T(…) { … }``."""
    type_node = required(node, "type")
    qualifier = _qualifier(c, node, type_node, scope)
    if qualifier is not None:
        ref = _member_type(c, qualifier, c.text(type_node, scope))
    else:
        ref = c.world.type_of(type_node, scope)
    body = next((child for child in node.children if child.type == "class_body"), None)
    arguments = arguments_of(c, node, scope)
    info = c.world.by_name.get(ref.erased)
    if body is not None:
        if info is not None and type_node.type == "generic_type" and not ref.arguments:
            # What a diamond stands for is inferred from all around it.
            ref = TypeRef(ref.erased, "", tuple(TypeRef("") for _ in info.inside.variables))
        return _anonymous(c, node, body, ref, arguments, scope, qualifier)
    if info is None:
        return _library(c, ref.erased, arguments, scope, node)
    return _of_class(c, info, arguments, around_of(c, info, scope, qualifier), Site(scope.info.file, line_of(node)))


def _qualifier(c: Compiler, node: Node, type_node: Node, scope: Scope) -> Expr | None:
    first = named(node)[0]
    if first.start_byte < type_node.start_byte and "annotation" not in first.type and first.type != "type_arguments":
        return c.expression(first, scope)
    return None


def _member_type(c: Compiler, qualifier: Expr, name: str) -> TypeRef:
    """The inner class of a name in the class of the qualifier (JLS 15.9.1)."""
    owner = c.world.by_name.get(qualifier.type)
    for one in owner.supertypes() if owner is not None else ():
        if name in one.inside.members:
            return c.world.named_type(name, one.scope)
    raise UnsupportedError(f"it is not known what {name} is")


def _of_class(c: Compiler, info: ClassInfo, arguments: list[Expr], around: Around | None, site: Site) -> Expr:
    select = selector(c, info.inside.constructors, arguments)

    def run(env: Env) -> Value:
        outside = around(env) if around is not None else None
        initialise(c, info)
        constructor, values = selected(select, [one.run(env) for one in arguments])
        return construct(c, info, constructor, values, outside, site)

    return Expr(run, info.qualified)


def _library(c: Compiler, type_name: str, arguments: list[Expr], scope: Scope, node: Node) -> Expr:
    types = tuple(one.type for one in arguments)

    def run(env: Env) -> Value:
        values = [one.run(env) for one in arguments]
        if is_throwable(type_name):
            made = Obj(c.current.next_serial(), type_name, None)
            set_throwable(made, values)
            return made
        return new_object(c, type_name, values, types)

    del scope, node
    return Expr(run, type_name)


# -- anonymous classes


def _anonymous(
    c: Compiler, node: Node, body: Node, ref: TypeRef, arguments: list[Expr], scope: Scope, qualifier: Expr | None
) -> Expr:
    if not ref.erased:
        raise UnsupportedError("an anonymous class of a type that is not known is not followed")
    info = c.world.local_class(body, scope, "")
    above = c.world.by_name.get(ref.erased)
    inside = info.inside
    if above is not None and not above.is_interface:
        inside.superclass, inside.super_ref = above, ref
    elif above is not None:
        inside.interfaces, inside.interface_refs = (above,), (ref,)
    elif _is_library_interface(ref.erased):
        inside.interfaces, inside.interface_refs = (ref.erased,), (ref,)
    else:
        inside.superclass, inside.super_ref = ref.erased, ref
    outside = around_of(c, above, scope, qualifier) if above is not None else None
    return _anonymous_object(c, info, arguments, outside, scope, line_of(node))


def _is_library_interface(name: str) -> bool:
    """Interfaces of the JDK that are listed; what is not listed counts as a class that is not known."""
    return name in FUNCTIONAL or name in (
        "java.lang.Comparable",
        "java.lang.Iterable",
        "java.lang.AutoCloseable",
        "java.util.Iterator",
        "java.lang.CharSequence",
    )


def _anonymous_object(
    c: Compiler, info: ClassInfo, arguments: list[Expr], outside: Around | None, scope: Scope, line: int
) -> Expr:
    above = info.inside.superclass
    select = selector(c, above.inside.constructors, arguments) if isinstance(above, ClassInfo) else None
    own_around = _around_local(info, scope)
    del line

    def run(env: Env) -> Value:
        around_super = outside(env) if outside is not None else None
        initialise(c, info)
        values = [one.run(env) for one in arguments]
        made = allocate(c, info)
        made.enclosing[info.qualified] = own_around(env)
        fill_anonymous(c, made, info, select, values, around_super)
        return made

    return Expr(run, info.qualified)


def fill_anonymous(
    c: Compiler, made: Obj, info: ClassInfo, select: Selector | None, values: list[Value], around_super: Env | None
) -> None:
    """What the constructor of an anonymous class does: that of its superclass, then its own instance parts."""
    above = info.inside.superclass
    if isinstance(above, str) or select is None:
        library_super(c, made, above if isinstance(above, str) else "", values)
    else:
        constructor, arranged = selected(select, values)
        if around_super is not None:
            made.enclosing[above.qualified] = around_super
        run_constructor(c, made, constructor, converted(c, constructor, arranged))
    run_instance_parts(c, made, info)


def enum_constant(c: Compiler, field: FieldInfo, node: Node, scope: Scope) -> Expr:
    """An enum constant: an object of the enum, or of a class of its own if it has a body."""
    owner = field.owner
    arguments = arguments_of(c, node, scope)
    body = next((child for child in node.children if child.type == "class_body"), None)
    info = owner
    if body is not None:
        info = c.world.local_class(body, scope, "")
        info.is_inner = False
        info.inside.superclass, info.inside.super_ref = owner, TypeRef(owner.qualified)
    select = selector(c, owner.inside.constructors, arguments)
    ordinal = owner.inside.constants.index(field.name)

    def run(env: Env) -> Value:
        values = [one.run(env) for one in arguments]
        made = allocate(c, info)
        made.type, made.constant, made.ordinal = owner.qualified, field.name, ordinal
        if info is not owner:
            fill_anonymous(c, made, info, select, values, None)
        else:
            constructor, arranged = selected(select, values)
            run_constructor(c, made, constructor, converted(c, constructor, arranged))
        return made

    return Expr(run, owner.qualified)
