"""pycparser's declarations → C types, with sizes as gcc lays objects out on x86_64 Linux."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from clausefit.hook.pins.c_types import (
    INT,
    LONG,
    UINT,
    ULONG,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    Node,
    PointerType,
    StructType,
    Unsupported,
    VoidType,
    basic,
    plain,
    qualified,
    spell,
)
from clausefit.hook.pins.values import Integer


@dataclass(frozen=True)
class TypeName:
    """What a typedef name stands for."""

    ctype: CType


@dataclass(frozen=True)
class Enumerator:
    """An enumeration constant."""

    value: Integer
    ctype: IntType


@dataclass
class Scope:
    """The ordinary names and the tags of one block or of the file."""

    names: dict[str, Any] = field(default_factory=dict)
    tags: dict[str, CType] = field(default_factory=dict)


class Types:
    """Resolves declarations. ``constant`` evaluates a constant expression (None: not a known constant)."""

    def __init__(
        self, constant: Callable[[Node], int | None], poisoned: frozenset[str] = frozenset(), packed: bool = False
    ) -> None:
        self.scopes: list[Scope] = [Scope()]
        self.structs: dict[int, tuple[tuple[str, CType], ...]] = {}
        self.refused: dict[int, str] = {}
        self._constant = constant
        self._poisoned = poisoned
        self._packed = packed
        self._seen: dict[int, tuple[Node, CType]] = {}

    def lookup(self, name: str) -> Any:
        """What a name stands for in the innermost scope that has it, or None."""
        for scope in reversed(self.scopes):
            if name in scope.names:
                return scope.names[name]
        return None

    def fields(self, ctype: StructType) -> tuple[tuple[str, CType], ...] | None:
        """The fields of a struct, or None when it is incomplete or not modelled."""
        return None if ctype.key in self.refused else self.structs.get(ctype.key)

    def problem(self, ctype: CType) -> str | None:
        """Why objects of this type cannot be modelled, or None when they can."""
        if ctype.volatile:
            return "volatile memory is not supported"
        if isinstance(ctype, Unsupported):
            return ctype.reason
        if isinstance(ctype, ArrayType):
            return "an array of unknown length" if ctype.length is None else self.problem(ctype.element)
        if isinstance(ctype, StructType):
            if ctype.key in self.refused:
                return self.refused[ctype.key]
            members = self.structs.get(ctype.key)
            if members is None:
                return f"{ctype.name} has no definition here"
            return next((why for _, member in members if (why := self.problem(member))), None)
        if isinstance(ctype, VoidType | FunctionType):
            return "not an object type"
        return None

    def size(self, ctype: CType) -> int | None:
        """``sizeof`` the type in bytes, or None when it is not known."""
        layout = self._layout(ctype)
        return layout[0] if layout else None

    def count(self, ctype: CType) -> int:
        """How many scalars an object of the type holds (for limits)."""
        if isinstance(ctype, ArrayType):
            return (ctype.length or 0) * self.count(ctype.element)
        if isinstance(ctype, StructType):
            return sum(self.count(member) for _, member in self.fields(ctype) or ())
        return 1

    def _layout(self, ctype: CType) -> tuple[int, int] | None:
        if isinstance(ctype, IntType | FloatType):
            size = max(1, ctype.width // 8)
            return size, size
        if isinstance(ctype, PointerType):
            return 8, 8
        if isinstance(ctype, ArrayType) and ctype.length is not None:
            inner = self._layout(ctype.element)
            return (inner[0] * ctype.length, inner[1]) if inner else None
        if isinstance(ctype, StructType) and not self._packed:
            members = self.fields(ctype)
            if members is None:
                return None
            offset, align = 0, 1
            for _, member in members:
                inner = self._layout(member)
                if inner is None:
                    return None
                offset = -(-offset // inner[1]) * inner[1] + inner[0]
                align = max(align, inner[1])
            return -(-offset // align) * align, align
        return None

    def resolve(self, node: Node) -> CType:
        """The type of a declaration, type name or specifier node; defines the tags that it introduces."""
        kind = type(node).__name__
        if kind in ("Decl", "Typename", "Typedef", "AttributedType"):
            return self.resolve(node.type)
        if kind == "TypeDecl":
            ctype = qualified(self.resolve(node.type), node.quals or [])
            return Unsupported("a type attribute that is not supported") if node.declname in self._poisoned else ctype
        if kind == "IdentifierType":
            return self._named(node.names)
        if kind == "PtrDecl":
            return qualified(PointerType(self.resolve(node.type)), node.quals or [])
        if kind == "ArrayDecl":
            return self._array(node)
        if kind == "FuncDecl":
            return self._function(node)
        if kind == "Struct":
            return self._struct(node)
        if kind == "Enum":
            return self._enum(node)
        if kind == "Union":
            return Unsupported("unions are not supported", f"union {node.name or '?'}")
        return Unsupported(f"a type that is not supported ({kind})")

    def _named(self, names: list[str]) -> CType:
        found = basic(names)
        if found is not None:
            return found
        meaning = self.lookup(names[0]) if len(names) == 1 else None
        if isinstance(meaning, TypeName):
            return meaning.ctype
        return Unsupported(f"the type {' '.join(names)} is not known", " ".join(names))

    def _array(self, node: Node) -> CType:
        element = self.resolve(node.type)
        if node.dim is None:
            return ArrayType(element, None)
        length = self._constant(node.dim)
        if length is None:
            return Unsupported("an array whose length is not a known constant", spell(element) + " []")
        return ArrayType(element, length) if length > 0 else Unsupported("an array without elements")

    def _function(self, node: Node) -> CType:
        result = self.resolve(node.type)
        if node.args is None:
            return FunctionType(result, (), prototyped=False)
        parameters: list[tuple[str | None, CType]] = []
        variadic = False
        for parameter in node.args.params:
            kind = type(parameter).__name__
            if kind == "EllipsisParam":
                variadic = True
            elif kind == "ID":
                return FunctionType(result, (), prototyped=False)
            else:
                parameters.append((parameter.name, self.adjusted(parameter)))
        if len(parameters) == 1 and isinstance(parameters[0][1], VoidType):
            parameters = []
        return FunctionType(result, tuple(parameters), variadic)

    def adjusted(self, parameter: Node) -> CType:
        """The type of a parameter: arrays and functions become pointers (6.7.6.3p7-8)."""
        node = parameter.type
        if type(node).__name__ == "ArrayDecl":  # `int a[n]`: the length says nothing about the type
            return PointerType(self.resolve(node.type))
        ctype = self.resolve(node)
        if isinstance(ctype, ArrayType):
            return PointerType(ctype.element)
        return PointerType(ctype) if isinstance(ctype, FunctionType) else ctype

    def _tag(self, name: str | None, inner_only: bool) -> CType | None:
        for scope in reversed(self.scopes[-1:] if inner_only else self.scopes):
            if name in scope.tags:
                return scope.tags[name or ""]
        return None

    def _struct(self, node: Node) -> CType:
        if id(node) in self._seen:  # one specifier shared by several declarators
            return self._seen[id(node)][1]
        known = self._tag(node.name, inner_only=node.decls is not None) if node.name else None
        if known is None:
            known = StructType(len(self._seen) + 1, f"struct {node.name}" if node.name else "struct")
            while known.key in self.structs or known.key in self.refused:
                known = replace(known, key=known.key + 1)
            if node.name:
                self.scopes[-1].tags[node.name] = known
        self._seen[id(node)] = (node, known)
        if node.decls is not None and isinstance(known, StructType):
            self._define(known, node.decls)
        return known

    def _define(self, struct: StructType, decls: list[Node]) -> None:
        members: list[tuple[str, CType]] = []
        for decl in decls:
            if type(decl).__name__ != "Decl":
                continue
            if decl.bitsize is not None:
                self.refused[struct.key] = "bit-fields are not supported"
            elif decl.name is None:
                self.refused[struct.key] = "anonymous members are not supported"
            member = self.resolve(decl.type)
            if isinstance(member, ArrayType) and member.length is None:
                self.refused[struct.key] = "flexible array members are not supported"
            members.append((decl.name or "", member))
        if not members:
            self.refused[struct.key] = "a struct without members"
        self.structs[struct.key] = tuple(members)

    def named_by_typedef(self, name: str, ctype: CType) -> CType:
        """The type of a typedef; a struct without a tag gets the typedef's name."""
        if isinstance(ctype, StructType) and ctype.name == "struct":
            named = replace(ctype, name=name)
            for key, (node, seen) in list(self._seen.items()):
                if seen == plain(ctype):
                    self._seen[key] = (node, plain(named))
            return named
        return ctype

    def _enum(self, node: Node) -> CType:
        if id(node) in self._seen:
            return self._seen[id(node)][1]
        if getattr(node, "underlying_type", None) is not None or self._packed:
            return Unsupported("an enum of another size is not supported", f"enum {node.name or '?'}")
        if node.values is None:
            return self._tag(node.name, inner_only=False) or UINT
        values: list[tuple[str, int]] = []
        following: int | None = 0
        scope = self.scopes[-1]
        for item in node.values.enumerators:
            if type(item).__name__ != "Enumerator":
                continue
            value = self._constant(item.value) if item.value is not None else following
            following = None if value is None else value + 1
            if value is not None:
                values.append((item.name, value))
                scope.names[item.name] = Enumerator(Integer(value, "int", 32, True), INT)
        low, high = min((v for _, v in values), default=0), max((v for _, v in values), default=0)
        wide = low < -(2**31) or high >= 2**32 or (low < 0 and high >= 2**31)
        ctype = (LONG if wide else INT) if low < 0 else (ULONG if wide else UINT)
        for name, value in values:
            if not -(2**31) <= value < 2**31:
                scope.names[name] = Enumerator(Integer(value, ctype.name, ctype.width, ctype.signed), ctype)
        self._seen[id(node)] = (node, ctype)
        if node.name:
            scope.tags[node.name] = ctype
        return ctype
