"""Expressions of pure methods put into the old Java that KeY loads: with their erased types, or not at all."""

from __future__ import annotations

from clausefit.hook.java.code_types import NULL, CannotRender, binary_number, is_assignable
from clausefit.hook.java.erasure import OBJECT
from clausefit.hook.java.old_names import Names
from clausefit.hook.java.types import PRIMITIVES
from tree_sitter import Node

_COMPARISONS = frozenset({"<", "<=", ">", ">="})
_LOGICAL = frozenset({"&&", "||"})
_ARITHMETIC = frozenset({"+", "-", "*", "/", "%"})
_SHIFTS = frozenset({"<<", ">>", ">>>"})
_INTEGERS = frozenset({"byte", "short", "char", "int", "long"})


class Expressions(Names):
    """The operators of Java, each method named after its node of the grammar; see ``Names``."""

    def _parenthesized_expression(self, node: Node, depth: int) -> tuple[str, str]:
        inner = [child for child in node.named_children if "comment" not in child.type]
        if len(inner) != 1:
            raise CannotRender("it cannot be read")
        text, kind = self.expression(inner[0], depth)
        return f"({text})", kind

    def _array_access(self, node: Node, depth: int) -> tuple[str, str]:
        array, kind = self.expression(self.child(node, "array"), depth)
        index, index_kind = self.expression(self.child(node, "index"), depth)
        if not kind.endswith("[]") or binary_number(index_kind, "int") != "int":
            raise CannotRender("it uses an array that is not known")
        return f"{array}[{index}]", kind.removesuffix("[]")

    def _binary_expression(self, node: Node, depth: int) -> tuple[str, str]:
        operator = self.source(self.child(node, "operator"))
        # ``a && b && c && …`` is a tree that leans to the left: gone through without recursion.
        rest: list[tuple[str, Node]] = []
        left = node
        while left.type == "binary_expression":
            rest.append((self.source(self.child(left, "operator")), self.child(left, "right")))
            left = self.child(left, "left")
        text, kind = self.expression(left, depth)
        for operator, right in reversed(rest):
            more, other = self.expression(right, depth)
            kind = self._binary_type(operator, kind, other)
            text = f"{text} {operator} {more}"
        return text, kind

    def _binary_type(self, operator: str, left: str, right: str) -> str:
        if operator in _LOGICAL:
            kind = "boolean" if left == right == "boolean" else None
        elif operator in _COMPARISONS:
            kind = "boolean" if binary_number(left, right) else None
        elif operator in ("==", "!="):
            references = left not in PRIMITIVES and right not in PRIMITIVES
            if references and NULL not in (left, right) and all(one.startswith("java.lang.") for one in (left, right)):
                # Facts give strings and boxed numbers by what is in them; which objects they are is not known.
                raise CannotRender("it asks whether two strings or boxed values are one object")
            is_plain = binary_number(left, right) is not None or left == right == "boolean"
            kind = "boolean" if references or is_plain else None
        elif operator in ("&", "|", "^") and left == right == "boolean":
            kind = "boolean"
        elif operator in _SHIFTS:
            kind = binary_number(left, "int") if {left, right} <= _INTEGERS else None
        elif operator in ("&", "|", "^"):
            kind = binary_number(left, right) if {left, right} <= _INTEGERS else None
        else:
            kind = binary_number(left, right) if operator in _ARITHMETIC else None
        if kind is None:
            raise CannotRender(f"it uses `{operator}` on other things than numbers and truth values")
        return kind

    def _unary_expression(self, node: Node, depth: int) -> tuple[str, str]:
        operator = self.source(self.child(node, "operator"))
        text, kind = self.expression(self.child(node, "operand"), depth)
        result = kind if operator == "!" and kind == "boolean" else binary_number(kind, "int")
        if result is None or (operator == "!" and kind != "boolean"):
            raise CannotRender(f"it uses `{operator}` on other things than numbers and truth values")
        blank = " " if text.startswith(operator) else ""
        return f"{operator}{blank}{text}", result

    def _update_expression(self, node: Node, depth: int) -> tuple[str, str]:
        parts = [child for child in node.children if "comment" not in child.type]
        operand = next((child for child in parts if child.is_named), None)
        if operand is None or len(parts) != 2:
            raise CannotRender("it cannot be read")
        text, kind = self.expression(operand, depth)
        if binary_number(kind, "int") is None:
            raise CannotRender("it uses `++` or `--` on other things than numbers")
        return "".join(text if child.id == operand.id else self.source(child) for child in parts), kind

    def _ternary_expression(self, node: Node, depth: int) -> tuple[str, str]:
        condition, kind = self.expression(self.child(node, "condition"), depth)
        yes, first = self.expression(self.child(node, "consequence"), depth)
        no, second = self.expression(self.child(node, "alternative"), depth)
        result = first if first == second else binary_number(first, second)
        if result is None and NULL in (first, second) and not {first, second} & PRIMITIVES:
            result = second if first == NULL else first
        if kind != "boolean" or result is None:
            raise CannotRender("it uses `?:` on different types")
        return f"{condition} ? {yes} : {no}", result

    def _cast_expression(self, node: Node, depth: int) -> tuple[str, str]:
        kind = self.erased(self.child(node, "type"))
        text, value = self.expression(self.child(node, "value"), depth)
        if (kind in PRIMITIVES) != (value in PRIMITIVES) or (kind == "boolean") != (value == "boolean"):
            raise CannotRender("it uses a cast that boxes")
        return f"({kind}) {text}", kind

    def _instanceof_expression(self, node: Node, depth: int) -> tuple[str, str]:
        right = node.child_by_field_name("right")
        if right is None or node.child_by_field_name("name") is not None or node.child_by_field_name("pattern"):
            raise CannotRender("it uses a pattern")
        text, value = self.expression(self.child(node, "left"), depth)
        kind = self.erased(right)
        if value in PRIMITIVES or kind == OBJECT or self._erasure.guessed & {kind, value}:
            raise CannotRender("it uses instanceof with a type that is not known")
        return f"{text} instanceof {kind}", "boolean"

    def _assignment_expression(self, node: Node, depth: int) -> tuple[str, str]:
        left, kind = self.expression(self.child(node, "left"), depth)
        right, value = self.expression(self.child(node, "right"), depth)
        operator = self.source(self.child(node, "operator"))
        if operator == "=":
            self.check(value, kind)
        else:
            self._binary_type(operator.removesuffix("="), kind, value)
        return f"{left} {operator} {right}", kind

    def check(self, value: str, target: str) -> None:
        """CannotRender unless a value of that type may be stored; a constant may fit a narrow type, too (JLS 5.2)."""
        narrow = value == "int" and target in ("byte", "short", "char")
        if not narrow and not is_assignable(value, target, self._erasure):
            raise CannotRender(f"it needs a conversion from {value} to {target}")

    def _array_creation_expression(self, node: Node, depth: int) -> tuple[str, str]:
        kind = self.erased(self.child(node, "type"))
        parts: list[str] = []
        dimensions = 0
        for child in node.named_children:
            if child.type == "dimensions_expr":
                size, _ = self.expression(child.named_children[0], depth)
                parts.append(f"[{size}]")
                dimensions += 1
            elif child.type == "dimensions":
                count = self.source(child).count("[")
                parts.append("[]" * count)
                dimensions += count
            elif child.type == "array_initializer":
                values = [self.expression(one, depth) for one in child.named_children if "comment" not in one.type]
                for _, value in values:
                    self.check(value, kind + "[]" * (dimensions - 1))
                parts.append("{" + ", ".join(value for value, _ in values) + "}")
        return f"new {kind}{''.join(parts)}", kind + "[]" * dimensions
