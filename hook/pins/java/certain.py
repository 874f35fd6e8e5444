"""Expressions of a test whose values its text alone gives: literals, and what operators and locals make of them."""

from __future__ import annotations

import re

from clausefit.hook.pins.java.imports import annotations_of, text_of
from clausefit.hook.pins.java.literals import BadLiteralError, character_literal, string_literal
from tree_sitter import Node

_LITERALS = frozenset(
    {
        "decimal_integer_literal",
        "hex_integer_literal",
        "octal_integer_literal",
        "binary_integer_literal",
        "decimal_floating_point_literal",
        "hex_floating_point_literal",
        "character_literal",
        "string_literal",
        "true",
        "false",
        "null_literal",
        "class_literal",
    }
)
_TRANSPARENT = frozenset(
    {
        "parenthesized_expression",
        "unary_expression",
        "binary_expression",
        "cast_expression",
        "array_creation_expression",
        "array_initializer",
        "ternary_expression",
        "dimensions_expr",
    }
)
_TYPES = frozenset(
    {
        "integral_type",
        "floating_point_type",
        "boolean_type",
        "type_identifier",
        "scoped_type_identifier",
        "generic_type",
        "array_type",
        "type_arguments",
        "dimensions",
        "line_comment",
        "block_comment",
    }
)
_LISTS = frozenset({"List.of", "Arrays.asList"})
_CONSTANT = re.compile(r"(?:Integer|Long|Short|Byte|Character|Double|Float)\.[A-Z_]+\Z")
_CALLS = frozenset({"method_invocation", "object_creation_expression", "explicit_constructor_invocation"})
_MAY_THROW = frozenset(
    {"throw_statement", "array_access", "cast_expression", "array_creation_expression", "try_statement"}
)
_MOST_NODES = 2_000
_MOST_LOCALS = 8


def is_literal(expression: Node) -> bool:
    """Whether only literals, constants of the JDK's number classes, and locals set once to such make the value.

    Locals are of primitive type or strings, which nothing can change; the parameters of a parameterized test count as
    well, since its annotations give their values.
    """
    todo, seen = [(expression, 0)], 0
    while todo:
        node, depth = todo.pop()
        seen += 1
        if seen > _MOST_NODES:
            return False
        if node.type in _LITERALS or node.type in _TYPES:
            continue
        if node.type in _TRANSPARENT:
            todo += [(child, depth) for child in node.named_children]
        elif node.type == "field_access" and _CONSTANT.match(text_of(node)):
            continue
        elif node.type == "method_invocation" and called(node) in _LISTS:
            arguments = node.child_by_field_name("arguments")
            todo += [(child, depth) for child in arguments.named_children] if arguments is not None else []
        elif node.type == "identifier" and depth < _MOST_LOCALS:
            values = _local_values(node)
            if values is None:
                return False
            todo += [(value, depth + 1) for value in values]
        else:
            return False
    return True


def has_literal_inputs(call: Node) -> bool:
    """Whether the arguments of a call, or of a constructor call, are literal in this sense, and its receiver is
    nothing, a name, or an object that is made without arguments."""
    arguments = call.child_by_field_name("arguments")
    receiver = call.child_by_field_name("object") if call.type == "method_invocation" else None
    if arguments is None or not all(is_literal(one) for one in arguments.named_children):
        return False
    return receiver is None or _is_plain_receiver(receiver)


def is_one_call(piece: Node) -> bool:
    """Whether a lambda, method reference or statement does nothing but one call, so that nothing else can throw."""
    if piece.type == "method_reference":
        return True
    body = piece.child_by_field_name("body") if piece.type == "lambda_expression" else piece
    if body is None or (piece.type != "lambda_expression" and not piece.type.endswith(("block", "statement"))):
        return False
    todo, calls, seen = [body], 0, 0
    while todo and seen < _MOST_NODES:
        node = todo.pop()
        seen += 1
        calls += node.type in _CALLS
        if node.type in _MAY_THROW:
            return False
        todo += node.named_children
    return calls == 1 and not todo


def literal_text(source: str, node: Node) -> str | None:
    """The UTF-16 units of a string, text block or character literal that stands in ``source``; None for all else."""
    raw = source[node.start_byte : node.end_byte]
    try:
        if node.type == "character_literal":
            return chr(int(character_literal(raw).value))
        return string_literal(raw) if node.type == "string_literal" else None
    except BadLiteralError:
        return None


def called(node: Node) -> str:
    """``Class.method`` or ``method`` of a call, without what stands before the class."""
    receiver, name = node.child_by_field_name("object"), node.child_by_field_name("name")
    plain = text_of(name) if name is not None else ""
    return f"{text_of(receiver).rpartition('.')[2]}.{plain}" if receiver is not None else plain


def _is_plain_receiver(receiver: Node) -> bool:
    while receiver.type == "parenthesized_expression" and receiver.named_child_count == 1:
        receiver = receiver.named_children[0]
    if receiver.type in ("identifier", "field_access", "this"):
        return True
    arguments = receiver.child_by_field_name("arguments")
    made = receiver.type == "object_creation_expression"
    return made and arguments is not None and not arguments.named_children


def _local_values(identifier: Node) -> list[Node] | None:
    """The initializer of the local that an identifier names, none for a parameter; None when it may have others."""
    name = text_of(identifier)
    method: Node | None = identifier
    while method is not None and method.type != "method_declaration":
        if method.type == "class_body":
            return None
        method = method.parent
    found: list[Node] = []
    parameters = 0
    todo = list(method.named_children) if method is not None else []
    while todo:
        node = todo.pop()
        target = _written(node)
        if target is not None and text_of(target) == name:
            return None
        declared = (
            node.child_by_field_name("name") if node.type in ("variable_declarator", "formal_parameter") else None
        )
        if declared is not None and text_of(declared) == name:
            value = node.child_by_field_name("value")
            is_parameter = node.type == "formal_parameter"
            if not _is_immutable(node if is_parameter else node.parent) or (value is None and not is_parameter):
                return None
            if is_parameter and not _is_parameterized(method):
                return None
            parameters += is_parameter
            found += [value] if value is not None else []
        todo += node.named_children
    return found if len(found) + parameters == 1 else None


def _is_parameterized(method: Node | None) -> bool:
    marks = annotations_of(method) if method is not None else []
    return any(name.rpartition(".")[2] == "ParameterizedTest" for name, _node in marks)


def _written(node: Node) -> Node | None:
    if node.type == "assignment_expression":
        return node.child_by_field_name("left")
    return node.named_children[0] if node.type == "update_expression" and node.named_children else None


def _is_immutable(declaration: Node | None) -> bool:
    declared = declaration.child_by_field_name("type") if declaration is not None else None
    if declaration is None or declared is None or "dimensions" in {child.type for child in declaration.children}:
        return False
    return declared.type in ("integral_type", "floating_point_type", "boolean_type") or text_of(declared) == "String"
