"""The type of an expression, without evaluating it (for ``sizeof`` and brace elision)."""

from __future__ import annotations

from clausefit.hook.pins import c_numbers
from clausefit.hook.pins.c_declarations import Types
from clausefit.hook.pins.c_effects import kind
from clausefit.hook.pins.c_types import (
    CHAR,
    INT,
    ULONG,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    Node,
    PointerType,
    StructType,
    plain,
)

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "&&", "||")


def static_type(node: Node, types: Types) -> CType | None:
    """The type of an expression (an array stays an array); None when it is not known."""
    what = kind(node)
    if what == "ID":
        meaning = types.lookup(node.name)
        ctype = getattr(meaning, "ctype", None)
        return ctype if ctype is None or not hasattr(meaning, "name") or isinstance(ctype, FunctionType) else None
    if what == "Constant":
        return _constant(node.value)
    if what == "ArrayRef":
        return _target(static_type(node.name, types)) or _target(static_type(node.subscript, types))
    if what == "StructRef":
        base = static_type(node.name, types)
        base = _target(base) if node.type == "->" else base
        members = dict(types.fields(base) or ()) if isinstance(base, StructType) else {}
        return members.get(node.field.name)
    if what == "UnaryOp":
        return _unary(node, types)
    if what == "BinaryOp":
        return _binary(node, types)
    if what in ("Cast", "CompoundLiteral"):
        return types.resolve(node.to_type if what == "Cast" else node.type)
    if what == "FuncCall":
        called = static_type(node.name, types)
        called = _target(called) if isinstance(called, PointerType) else called
        return called.result if isinstance(called, FunctionType) else None
    if what == "Assignment":
        return static_type(node.lvalue, types)
    if what == "TernaryOp":
        return _common(static_type(node.iftrue, types), static_type(node.iffalse, types))
    if what == "ExprList" and node.exprs:
        return static_type(node.exprs[-1], types)
    return None


def _constant(text: str) -> CType | None:
    if '"' in text and not text.startswith("'"):
        codes = c_numbers.string_literal(text)
        return ArrayType(CHAR, len(codes) + 1) if codes is not None else None
    if "'" in text:
        return INT
    integer = c_numbers.integer_literal(text)
    if integer is not None:
        return IntType(integer.type, integer.width, integer.signed)
    number = c_numbers.float_literal(text)
    return FloatType(number.type, number.width) if number is not None else None


def _target(ctype: CType | None) -> CType | None:
    if isinstance(ctype, PointerType):
        return ctype.target
    return ctype.element if isinstance(ctype, ArrayType) else None


def _unary(node: Node, types: Types) -> CType | None:
    if node.op in ("sizeof", "_Alignof"):
        return ULONG
    if node.op == "!":
        return INT
    inner = static_type(node.expr, types)
    if inner is None:
        return None
    if node.op == "*":
        return _target(inner)
    if node.op == "&":
        return PointerType(inner)
    return c_numbers.promoted(plain(inner)) if node.op in ("+", "-", "~") else inner


def _binary(node: Node, types: Types) -> CType | None:
    if node.op in _COMPARISONS:
        return INT
    left, right = static_type(node.left, types), static_type(node.right, types)
    if node.op in ("<<", ">>"):
        return c_numbers.promoted(plain(left)) if left is not None else None
    if node.op == "-" and _target(left) is not None and _target(right) is not None:
        return IntType("long", 64, True)
    return _common(left, right)


def _common(left: CType | None, right: CType | None) -> CType | None:
    if left is None or right is None:
        return None
    for side in (left, right):
        target = _target(side)
        if target is not None:
            return PointerType(target)
    if plain(left) == plain(right) and isinstance(left, StructType):
        return plain(left)
    return c_numbers.common(left, right)
