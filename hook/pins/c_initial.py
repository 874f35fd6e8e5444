"""Initialisers: ``int a[4] = {1, [2] = 3}``, strings, nested and designated structs (ISO C11 6.7.9)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clausefit.hook.pins import c_numbers
from clausefit.hook.pins.c_effects import has_impure_call, kind
from clausefit.hook.pins.c_static_types import static_type
from clausefit.hook.pins.c_types import (
    ArrayType,
    CType,
    FloatType,
    IntType,
    Node,
    PointerType,
    StructType,
    element_type,
    leaf_type,
    plain,
)
from clausefit.hook.pins.values import Array, Floating, Null, Path, Struct, Unknown, Value, at, replaced

if TYPE_CHECKING:
    from clausefit.hook.pins.c_evaluate import Evaluator

MOST_LEAVES = 4096
"""Objects with more scalars than this are not modelled."""


class _NotModelledError(Exception):
    """The initialiser uses something that is not modelled."""


class Initializers:
    """Turns initialisers into values; the expressions in them are evaluated in order."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def initial(self, ctype: CType, node: Node) -> tuple[CType, Value | None]:
        """The completed type and the value of an object; the value is None when it is not modelled."""
        try:
            ctype = self._completed(ctype, node)
            if self._evaluator.types.problem(ctype) or self._evaluator.types.count(ctype) > MOST_LEAVES:
                self._evaluator.maybe(node)
                return ctype, None
            unordered = sum(has_impure_call(item) for item in getattr(node, "exprs", None) or ()) > 1
            self._evaluator.unordered += unordered  # 6.7.9p23: the order of the items is not fixed
            try:
                return ctype, self._object(ctype, node)
            finally:
                self._evaluator.unordered -= unordered
        except _NotModelledError:
            self._evaluator.maybe(node)
            if self._evaluator.types.problem(ctype):
                return ctype, None
            return ctype, self._evaluator.knowledge.fresh(ctype)

    def zero(self, ctype: CType) -> Value:
        """The value of a static object without an initialiser (6.7.9p10)."""
        if isinstance(ctype, IntType):
            return c_numbers.integer(0, ctype)
        if isinstance(ctype, FloatType):
            return Floating(0, leaf_type(ctype), ctype.width)
        if isinstance(ctype, PointerType):
            return Null(leaf_type(ctype))
        if isinstance(ctype, ArrayType):
            return Array(element_type(ctype), (self.zero(ctype.element),) * (ctype.length or 0))
        if isinstance(ctype, StructType):
            members = self._evaluator.types.fields(ctype) or ()
            return Struct(leaf_type(ctype), tuple((name, self.zero(member)) for name, member in members))
        return Unknown(leaf_type(ctype))

    def _completed(self, ctype: CType, node: Node) -> CType:
        if not isinstance(ctype, ArrayType) or ctype.length is not None:
            return ctype
        codes = self._string(node)
        if codes is not None:
            return replace(ctype, length=len(codes) + 1)
        if kind(node) != "InitList":
            raise _NotModelledError
        # Count the elements first: as many as fit, then cut to the highest index that was set.
        return replace(ctype, length=max(1, self._length(replace(ctype, length=MOST_LEAVES), node)))

    def _length(self, ctype: ArrayType, node: Node) -> int:
        position, longest, index = 0, 0, 0
        items = node.exprs or []
        while position < len(items):
            item = items[position]
            if kind(item) == "NamedInitializer":
                index = self._index(item.name[0])
                position += 1
            else:
                position += self._taken(ctype.element, items, position)
            index += 1
            longest = max(longest, index)
        return longest

    def _taken(self, ctype: CType, items: list[Node], position: int) -> int:
        """How many items an element without its own braces takes."""
        item = items[position]
        if kind(item) in ("InitList",) or not self._elided(ctype, item):
            return 1
        total = self._evaluator.types.count(ctype)
        taken = 0
        while taken < total and position + taken < len(items):
            following = items[position + taken]
            if kind(following) in ("InitList", "NamedInitializer") or self._string(following):
                if taken == 0:
                    return 1
                raise _NotModelledError
            taken += 1
        return max(1, taken)

    def _elided(self, ctype: CType, item: Node) -> bool:
        if not isinstance(ctype, ArrayType | StructType) or kind(item) == "InitList":
            return False
        if isinstance(ctype, ArrayType):
            return self._string(item) is None or not isinstance(ctype.element, IntType)
        own = static_type(item, self._evaluator.types)
        return own is None or plain(own) != plain(ctype)

    def _index(self, designator: Node) -> int:
        expression = designator.expr if kind(designator) == "ArrayDesignator" else designator
        value = self._evaluator.constant(expression)
        if value is None or value < 0:
            raise _NotModelledError
        return value

    def _string(self, node: Node) -> list[int] | None:
        if kind(node) == "InitList" and len(node.exprs or []) == 1:
            node = node.exprs[0]
        if kind(node) == "Constant" and node.type == "string":
            return c_numbers.string_literal(node.value)
        return None

    def _object(self, ctype: CType, node: Node) -> Value:
        if isinstance(ctype, ArrayType):
            codes = self._string(node)
            if codes is not None and isinstance(ctype.element, IntType):
                return self._characters(ctype, codes)
        if kind(node) == "InitList":
            items = node.exprs or []
            if isinstance(ctype, ArrayType | StructType):
                return self._listed(ctype, items)
            if len(items) > 1 or (items and kind(items[0]) == "NamedInitializer"):
                raise _NotModelledError
            return self._object(ctype, items[0]) if items else self.zero(ctype)
        if isinstance(ctype, ArrayType):
            raise _NotModelledError
        return self._evaluator.converted(self._evaluator.eval(node), ctype).value

    def _characters(self, ctype: ArrayType, codes: list[int]) -> Value:
        element = ctype.element
        length = ctype.length or 0
        if not isinstance(element, IntType) or element.width != 8 or len(codes) > length:
            raise _NotModelledError
        padded = (codes + [0] * length)[:length]
        return Array(element_type(ctype), tuple(c_numbers.integer(code, element) for code in padded))

    def _members(self, ctype: CType) -> list[tuple[int | str, CType]]:
        if isinstance(ctype, ArrayType):
            return [(index, ctype.element) for index in range(ctype.length or 0)]
        if isinstance(ctype, StructType):
            return list(self._evaluator.types.fields(ctype) or ())
        raise _NotModelledError

    def _listed(self, ctype: CType, items: list[Node]) -> Value:
        value = self.zero(ctype)
        members = self._members(ctype)
        names = {name: index for index, (name, _) in enumerate(members)}
        position = current = 0
        nested = False
        while position < len(items):
            item = items[position]
            if kind(item) == "NamedInitializer":
                path, target = self._designated(ctype, item.name)
                current = names.get(path[0], len(members))
                new = self._object(target, item.expr)
                nested = len(path) > 1
                position += 1
            elif nested or current >= len(members):
                raise _NotModelledError  # continues inside a nested designator, or too many
            else:
                name, target = members[current]
                path = (name,)
                new, position = self._next(target, items, position)
            try:
                at(value, path)
            except KeyError:
                raise _NotModelledError from None
            value = replaced(value, path, new)
            self._evaluator.memory.work += len(members)
            current += 1
        return value

    def _next(self, ctype: CType, items: list[Node], position: int) -> tuple[Value, int]:
        """The value of the next object in a list, with its braces or without them; the items used up."""
        if not self._elided(ctype, items[position]):
            return self._object(ctype, items[position]), position + 1
        value = self.zero(ctype)
        for name, member in self._members(ctype):
            if position >= len(items) or kind(items[position]) == "NamedInitializer":
                break
            new, position = self._next(member, items, position)
            value = replaced(value, (name,), new)
        return value, position

    def _designated(self, ctype: CType, designators: list[Node]) -> tuple[Path, CType]:
        path: list[int | str] = []
        for designator in designators:
            if isinstance(ctype, ArrayType):
                path.append(self._index(designator))
                ctype = ctype.element
            elif isinstance(ctype, StructType) and kind(designator) == "ID":
                members = dict(self._evaluator.types.fields(ctype) or ())
                if designator.name not in members:
                    raise _NotModelledError
                path.append(designator.name)
                ctype = members[designator.name]
            else:
                raise _NotModelledError
        return tuple(path), ctype
