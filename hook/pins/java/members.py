"""The members of a class, read from its syntax tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clausefit.hook.contracts.java_tree import TYPES, body_of
from clausefit.hook.pins.java.classes import (
    OBJECT_REF,
    ClassInfo,
    FieldInfo,
    Inside,
    MethodInfo,
    ParameterInfo,
    Part,
    TypeRef,
)
from clausefit.hook.pins.java.scope import Scope
from clausefit.hook.pins.java.values import OBJECT
from tree_sitter import Node

if TYPE_CHECKING:
    from clausefit.hook.pins.java.names import World

_COMMENTS = ("line_comment", "block_comment")
_WORDS = frozenset(
    {"public", "protected", "private", "static", "final", "abstract", "default", "native", "synchronized", "strictfp"}
    | {"transient", "volatile", "sealed", "non-sealed"}
)


def named(node: Node) -> list[Node]:
    """The named children of a node without comments."""
    return [child for child in node.named_children if child.type not in _COMMENTS]


def modifiers_of(node: Node, text: str) -> frozenset[str]:
    """The modifier words of a declaration."""
    for child in node.children:
        if child.type == "modifiers":
            return frozenset(text[one.start_byte : one.end_byte] for one in child.children if one.type in _WORDS)
    return frozenset()


def type_variables(world: World, node: Node, scope: Scope) -> dict[str, str]:
    """The type parameters of a declaration with their erasures; one bound may name another."""
    found: dict[str, str] = {}
    for child in node.children:
        if child.type != "type_parameters":
            continue
        inside = Scope(scope.info, scope, scope.code, variables=found)
        bounds: list[tuple[str, Node | None]] = []
        for one in named(child):
            if one.type != "type_parameter":
                continue
            parts = [part for part in named(one) if "annotation" not in part.type]
            name = world.text(parts[0], scope.info.file)
            bound = next((part for part in parts[1:] if part.type == "type_bound"), None)
            found[name] = OBJECT
            bounds.append((name, named(bound)[0] if bound is not None else None))
        # Twice, so that a bound that is declared further on is known.
        for name, node_of_bound in bounds * 2:
            if node_of_bound is not None:
                found[name] = world.type_of(node_of_bound, inside).erased
    return found


def load_members(world: World, info: ClassInfo, inside: Inside) -> None:
    """Fill a class in: its supertypes, fields, methods, constructors and initialisation."""
    inside.variables = type_variables(world, info.node, info.scope)
    body = info.node if info.node.type == "class_body" else body_of(info.node)
    if body is None:
        info.inside.trouble = f"the class {info.name} has no body"
        return
    children = _children(body)
    error = next((child for child in children if child.is_error or child.is_missing), None)
    if error is not None:
        info.inside.trouble = f"the class {info.name} cannot be read in full (line {line_of(error)})"
    for child in children:
        name = child.child_by_field_name("name")
        if child.type in TYPES and name is not None:
            info.inside.members[world.text(name, info.file)] = child
    _supertypes(world, info)
    if info.kind == "record":
        _components(world, info)
    for child in children:
        _member(world, info, child)
    _implicit_constructors(info)
    _signatures(world, info)


def _children(body: Node) -> list[Node]:
    found: list[Node] = []
    for child in body.children:
        if child.type == "enum_body_declarations":
            found += [one for one in child.children if one.type not in _COMMENTS]
        elif child.type not in _COMMENTS:
            found.append(child)
    return found


def _supertypes(world: World, info: ClassInfo) -> None:
    """Set the superclass and interfaces. An anonymous class gets them from the expression that makes it."""
    above = info.scope.parent or Scope(info, None, None)
    at = Scope(info, above, None, variables=info.inside.variables)
    if info.kind in ("enum", "record"):
        info.inside.superclass = "java.lang.Enum" if info.kind == "enum" else "java.lang.Record"
        info.inside.super_ref = TypeRef(info.inside.superclass)
    elif info.is_interface:
        info.inside.superclass, info.inside.super_ref = OBJECT, OBJECT_REF
    for child in info.node.children:
        if child.type == "superclass":
            info.inside.super_ref = world.type_of(named(child)[-1], at)
            info.inside.superclass = class_or_name(world, info.inside.super_ref.erased)
        elif child.type in ("super_interfaces", "extends_interfaces"):
            types = [one for part in named(child) for one in (named(part) if part.type == "type_list" else [part])]
            info.inside.interface_refs = tuple(world.type_of(one, at) for one in types)
            info.inside.interfaces = tuple(class_or_name(world, one.erased) for one in info.inside.interface_refs)


def class_or_name(world: World, erased: str) -> ClassInfo | str:
    """The class of the project of that name, else the name."""
    return world.by_name.get(erased, erased)


def _components(world: World, info: ClassInfo) -> None:
    parameters = info.node.child_by_field_name("parameters")
    for one in parameter_list(world, parameters, info.scope) if parameters is not None else ():
        field = FieldInfo(info, one.name, one.type, False, True, True, None, line_of(info.node))
        info.inside.fields[one.name] = field
        info.inside.components.append(field)


def line_of(node: Node) -> int:
    """The line on which a node starts, from 1."""
    return int(node.start_point[0]) + 1


def parameter_list(world: World, parameters: Node, scope: Scope) -> list[ParameterInfo]:
    """The parameters of a method; a variable arity parameter has its array type."""
    found: list[ParameterInfo] = []
    for child in named(parameters):
        if child.type == "formal_parameter":
            name, node = child.child_by_field_name("name"), child.child_by_field_name("type")
            brackets = child.child_by_field_name("dimensions")
            more = world.text(brackets, scope.info.file).count("[") if brackets is not None else 0
            if name is not None:
                found.append(ParameterInfo(world.text(name, scope.info.file), world.type_of(node, scope, more)))
        elif child.type == "spread_parameter":
            parts = [one for one in named(child) if one.type != "modifiers" and "annotation" not in one.type]
            name = parts[-1].child_by_field_name("name")
            if name is not None:
                found.append(ParameterInfo(world.text(name, scope.info.file), world.type_of(parts[0], scope, 1)))
    return found


def _member(world: World, info: ClassInfo, child: Node) -> None:
    if child.type in ("field_declaration", "constant_declaration"):
        _fields(world, info, child)
    elif child.type in ("method_declaration", "constructor_declaration", "compact_constructor_declaration"):
        method = read_method(world, info, child)
        if method.is_constructor:
            info.inside.constructors.append(method)
        else:
            info.inside.methods.setdefault(method.name, []).append(method)
    elif child.type == "static_initializer":
        info.inside.static_parts.append(Part(None, named(child)[-1]))
    elif child.type == "block":
        info.inside.instance_parts.append(Part(None, child))
    elif child.type == "enum_constant":
        name_node = child.child_by_field_name("name")
        if name_node is not None:
            name = world.text(name_node, info.file)
            field = FieldInfo(info, name, TypeRef(info.qualified), True, True, False, None, line_of(child))
            info.inside.fields[name] = field
            info.inside.constants.append(name)
            info.inside.static_parts.append(Part(field, child, is_constant=True))


def _fields(world: World, info: ClassInfo, node: Node) -> None:
    modifiers = modifiers_of(node, world.java_text(info.file).text)
    is_static = "static" in modifiers or info.is_interface
    for one in node.children_by_field_name("declarator"):
        name, brackets = one.child_by_field_name("name"), one.child_by_field_name("dimensions")
        if name is None:
            continue
        more = world.text(brackets, info.file).count("[") if brackets is not None else 0
        field = FieldInfo(
            owner=info,
            name=world.text(name, info.file),
            type=world.type_of(node.child_by_field_name("type"), info.scope, more),
            is_static=is_static,
            is_final="final" in modifiers or info.is_interface,
            is_private="private" in modifiers,
            initializer=one.child_by_field_name("value"),
            line=line_of(one),
        )
        if field.name in info.inside.fields:
            info.inside.trouble = f"the class {info.name} has two fields {field.name}"
        info.inside.fields[field.name] = field
        if field.initializer is not None:
            (info.inside.static_parts if is_static else info.inside.instance_parts).append(
                Part(field, field.initializer)
            )


def read_method(world: World, info: ClassInfo, node: Node) -> MethodInfo:
    """A method or constructor from its declaration."""
    words = modifiers_of(node, world.java_text(info.file).text)
    if info.is_interface and not words & {"private", "protected"}:
        words |= {"public"}
    variables = type_variables(world, node, info.scope)
    scope = Scope(info, info.scope, None, variables=variables)
    parameters_node = node.child_by_field_name("parameters")
    parameters = parameter_list(world, parameters_node, scope) if parameters_node is not None else []
    is_compact = node.type == "compact_constructor_declaration"
    if is_compact:
        parameters = [ParameterInfo(one.name, one.type) for one in info.inside.components]
    is_varargs = parameters_node is not None and any(one.type == "spread_parameter" for one in named(parameters_node))
    if is_compact:
        is_varargs = has_spread(info.node)
    name = node.child_by_field_name("name")
    brackets = node.child_by_field_name("dimensions")
    more = world.text(brackets, info.file).count("[") if brackets is not None else 0
    return MethodInfo(
        owner=info,
        name=world.text(name, info.file) if name is not None else "",
        parameters=tuple(parameters),
        result=world.type_of(node.child_by_field_name("type"), scope, more),
        modifiers=words,
        node=node,
        body=body_of(node),
        is_varargs=is_varargs,
        is_constructor=node.type != "method_declaration",
        is_compact=is_compact,
        variables=variables,
    )


def has_spread(record: Node) -> bool:
    """Whether the last component of a record is of variable arity."""
    parameters = record.child_by_field_name("parameters")
    return parameters is not None and any(one.type == "spread_parameter" for one in named(parameters))


def _implicit_constructors(info: ClassInfo) -> None:
    """Default constructor (JLS 8.8.9); accessors and canonical constructor of a record (JLS 8.10.3, 8.10.4)."""
    none = TypeRef("void")
    if info.kind == "record":
        for one in info.inside.components:
            if not any(not method.parameters for method in info.inside.methods.get(one.name, ())):
                accessor = MethodInfo(info, one.name, (), one.type, frozenset({"public"}), None, None, component=one)
                info.inside.methods.setdefault(one.name, []).append(accessor)
        types = tuple(one.type.erased for one in info.inside.components)
        if not any(tuple(p.type.erased for p in one.parameters) == types for one in info.inside.constructors):
            parameters = tuple(ParameterInfo(one.name, one.type) for one in info.inside.components)
            info.inside.constructors.append(
                MethodInfo(info, info.simple, parameters, none, frozenset(), None, None, has_spread(info.node), True)
            )
    elif info.kind in ("class", "enum") and not info.inside.constructors:
        info.inside.constructors.append(MethodInfo(info, info.simple, (), none, frozenset(), None, None, False, True))


def _signatures(world: World, info: ClassInfo) -> None:
    """Set the contracts' signatures of the watched methods, which are told by where their bodies start."""
    if info.is_local:
        return
    found = next((one for one in world.project.classes(info.file) if one.java.name == info.name), None)
    if found is None:
        return
    by_body = {one.body.start: one for one in found.java.methods if one.body is not None and not one.is_in_comment}
    for method in (*info.inside.constructors, *(one for several in info.inside.methods.values() for one in several)):
        if method.body is not None and method.body.start_byte in by_body:
            signature = by_body[method.body.start_byte].signature
            method.signature = signature if signature in world.watched else ""
