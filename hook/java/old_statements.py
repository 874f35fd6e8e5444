"""Bodies of pure methods put into old Java, statement by statement (JLS 14), or not at all."""

from __future__ import annotations

from clausefit.hook.contracts.java_model import JavaMethod
from clausefit.hook.java.code_types import NULL, CannotRender
from clausefit.hook.java.erasure import Erasure
from clausefit.hook.java.library import KEY_LIBRARY
from clausefit.hook.java.old_code import Expressions
from clausefit.hook.java.old_names import cannot
from clausefit.hook.java.project import FoundClass
from tree_sitter import Node

_MOST_TEXT = 20_000


def is_comment(node: Node) -> bool:
    """Whether a node is a comment."""
    return node.type in ("line_comment", "block_comment")


class Statements(Expressions):
    """Puts statements into old Java; see ``Names`` and ``Expressions``."""

    def body(self, node: Node) -> str:
        """A ``{ … }`` as text. CannotRender where old Java, or KeY, does not know something in it."""
        if node.has_error:
            raise CannotRender("it cannot be read")
        if node.end_byte - node.start_byte > _MOST_TEXT:
            raise CannotRender("it is too long")
        return self.statement(node, 0)

    def statement(self, node: Node, depth: int) -> str:
        """One statement, with its ``;``."""
        if depth > 40:
            raise CannotRender("it is nested too deeply")
        render = getattr(self, f"_s_{node.type}", None)
        if render is None:
            raise cannot(node)
        return str(render(node, depth + 1))

    def _statements(self, nodes: list[Node], depth: int) -> str:
        self.scopes.append({})
        texts = [self.statement(one, depth) for one in nodes if not is_comment(one)]
        self.scopes.pop()
        return " ".join(texts)

    def _condition(self, node: Node) -> str:
        text, kind = self.expression(self.child(node, "condition"))
        if kind != "boolean":
            raise CannotRender("it has a condition that is no truth value")
        return text

    def _s_block(self, node: Node, depth: int) -> str:
        return "{ " + self._statements(node.named_children, depth) + " }"

    def _s_expression_statement(self, node: Node, _depth: int) -> str:
        inner = [child for child in node.named_children if not is_comment(child)]
        if len(inner) != 1 or inner[0].type not in (
            "assignment_expression",
            "update_expression",
            "method_invocation",
        ):
            raise cannot(inner[0] if inner else node)
        return self.expression(inner[0])[0] + ";"

    def _s_local_variable_declaration(self, node: Node, _depth: int) -> str:
        declared = self.child(node, "type")
        parts: list[str] = []
        for one in node.named_children:
            if one.type != "variable_declarator":
                continue
            name = self.name(self.child(one, "name"))
            value = one.child_by_field_name("value")
            text, kind = "", ""
            if self.source(declared) == "var":
                if value is None:
                    raise CannotRender("it cannot be read")
                text, kind = self.expression(value)
                if kind in (NULL, "void"):
                    raise CannotRender("it declares a `var` whose type is not known")
            else:
                dimensions = one.child_by_field_name("dimensions")
                kind = self.erased(declared) + (self.source(dimensions) if dimensions is not None else "")
                if value is not None:
                    text = self._initial(value, kind)
            self.scopes[-1][name] = kind
            parts.append(f"{kind} {name}" + (f" = {text}" if text else "") + ";")
        return " ".join(parts)

    def _initial(self, value: Node, kind: str) -> str:
        if value.type == "array_initializer":
            element = kind.removesuffix("[]")
            inner = [self._initial(one, element) for one in value.named_children if not is_comment(one)]
            return "{" + ", ".join(inner) + "}"
        text, found = self.expression(value)
        self.check(found, kind)
        return text

    def _s_return_statement(self, node: Node, _depth: int) -> str:
        inner = [child for child in node.named_children if not is_comment(child)]
        if not inner:
            return "return;"
        text, kind = self.expression(inner[0])
        if self._method is None or self._method.result_type is None:
            raise CannotRender("it cannot be read")
        self.check(kind, self._erasure.erased(self._method.result_type, self._owner, self._method))
        return f"return {text};"

    def _s_if_statement(self, node: Node, depth: int) -> str:
        # ``else if`` chains are long in generated code: gone through without recursion.
        parts: list[str] = []
        current: Node | None = node
        while current is not None and current.type == "if_statement":
            then = self._scoped(self.child(current, "consequence"), depth)
            parts.append(f"if {self._condition(current)} {then}")
            current = current.child_by_field_name("alternative")
            if current is not None and current.type != "if_statement":
                parts.append(self._scoped(current, depth))
        return " else ".join(parts)

    def _scoped(self, node: Node, depth: int) -> str:
        return "{ " + self._statements([node], depth) + " }"

    def _s_while_statement(self, node: Node, depth: int) -> str:
        return f"while {self._condition(node)} {self._scoped(self.child(node, 'body'), depth)}"

    def _s_do_statement(self, node: Node, depth: int) -> str:
        return f"do {self._scoped(self.child(node, 'body'), depth)} while {self._condition(node)};"

    def _s_for_statement(self, node: Node, depth: int) -> str:
        self.scopes.append({})
        starts = node.children_by_field_name("init")
        if starts and starts[0].type == "local_variable_declaration":
            first = self.statement(starts[0], depth)
            # ``int i = 0, j = 1;`` became two declarations, of which a ``for`` takes only one.
            before, first = (first, ";") if first.count(";") > 1 else ("", first)
        else:
            before, first = "", ", ".join(self.expression(one)[0] for one in starts) + ";"
        condition = self._condition(node) if node.child_by_field_name("condition") is not None else ""
        updates = ", ".join(self.expression(one)[0] for one in node.children_by_field_name("update"))
        body = self._scoped(self.child(node, "body"), depth)
        self.scopes.pop()
        loop = f"for ({first} {condition}; {updates}) {body}"
        return "{ " + before + " " + loop + " }" if before else loop

    def _s_enhanced_for_statement(self, node: Node, depth: int) -> str:
        values, kind = self.expression(self.child(node, "value"))
        if not kind.endswith("[]"):
            raise CannotRender("it iterates over something that is no array")
        element = kind.removesuffix("[]")
        declared = self.child(node, "type")
        own = element if self.source(declared) == "var" else self.erased(declared)
        self.check(element, own)
        name = self.name(self.child(node, "name"))
        self.scopes.append({name: own})
        body = self._scoped(self.child(node, "body"), depth)
        self.scopes.pop()
        return f"for ({own} {name} : {values}) {body}"

    def _s_switch_expression(self, node: Node, depth: int) -> str:
        """A ``switch`` statement with ``case …:`` groups, as old Java has it, over integers."""
        condition, kind = self.expression(self.child(node, "condition"))
        if kind not in ("int", "char", "byte", "short"):
            raise CannotRender("it switches over something that is no integer")
        parts: list[str] = []
        self.scopes.append({})
        for group in self.child(node, "body").named_children:
            if is_comment(group):
                continue
            if group.type != "switch_block_statement_group":
                raise cannot(node)
            for one in group.named_children:
                if one.type == "switch_label":
                    parts.append(self._label(one))
                elif not is_comment(one):
                    parts.append(self.statement(one, depth))
        self.scopes.pop()
        return f"switch {condition} {{ {' '.join(parts)} }}"

    def _label(self, node: Node) -> str:
        values = [one for one in node.named_children if not is_comment(one)]
        if not values:
            return "default:"
        return " ".join(f"case {self.expression(one)[0]}:" for one in values)

    def _s_break_statement(self, node: Node, _depth: int) -> str:
        return self._jump(node, "break")

    def _s_continue_statement(self, node: Node, _depth: int) -> str:
        return self._jump(node, "continue")

    def _jump(self, node: Node, word: str) -> str:
        if any(not is_comment(child) for child in node.named_children):
            raise CannotRender("it uses a label")
        return f"{word};"

    def _s_throw_statement(self, node: Node, _depth: int) -> str:
        """The exception without its message: clauses that call the method have no value where it throws."""
        inner = [child for child in node.named_children if not is_comment(child)]
        made = inner[0] if inner else node
        if made.type != "object_creation_expression" or made.child_by_field_name("body") is not None:
            raise CannotRender("it throws something that is not known")
        kind = self.erased(self.child(made, "type"))
        arguments = [one for one in self.child(made, "arguments").named_children if not is_comment(one)]
        for one in arguments:
            self.expression(one)
        if kind not in KEY_LIBRARY and kind not in self._erasure.stubs:
            raise CannotRender("it throws something that is not known")
        return f"throw new {kind}();"

    def _s_empty_statement(self, _node: Node, _depth: int) -> str:
        return ";"


def old_body(
    text: str, node: Node, erasure: Erasure, owner: FoundClass, method: JavaMethod
) -> tuple[str, set[tuple[str, str]]]:
    """The body of a method in old Java, and the methods (class, signature) that it calls. Raises CannotRender."""
    renderer = Statements(text, erasure, owner, method)
    return renderer.body(node), renderer.called
