"""Names and calls in code of pure methods, put into old Java: in full, or not at all."""

from __future__ import annotations

from collections.abc import Sequence

from clausefit.hook.contracts.java_model import JavaMethod
from clausefit.hook.java.accessors import accessor_of
from clausefit.hook.java.code_types import CannotRender, chosen_method, library_result
from clausefit.hook.java.erasure import Erasure
from clausefit.hook.java.old_literals import LITERALS
from clausefit.hook.java.project import FoundClass, enclosing
from clausefit.hook.java.qualify import is_static_field, static_owner
from tree_sitter import Node

_DEEPEST = 60
_WHY = {
    "lambda_expression": "it uses a lambda",
    "method_reference": "it uses a method reference",
    "switch_expression": "it uses a switch expression",
    "type_pattern": "it uses a pattern",
    "record_pattern": "it uses a pattern",
    "object_creation_expression": "it creates objects",
    "synchronized_statement": "it uses synchronized",
    "try_with_resources_statement": "it uses try with resources",
    "assert_statement": "it uses assert",
}


def cannot(node: Node) -> CannotRender:
    """The exception for a kind of code that is not followed."""
    return CannotRender(_WHY.get(node.type, f"it uses a {node.type.replace('_', ' ')}"))


class Names:
    """Puts expressions of one method (or initializer) into old Java, each with its erased type.

    ``text`` is the text that the nodes belong to; ``called`` collects the methods that are called. All methods raise
    CannotRender for what old Java, or KeY, does not know.
    """

    def __init__(self, text: str, erasure: Erasure, owner: FoundClass, method: JavaMethod | None) -> None:
        self._text = text
        self._erasure = erasure
        self._owner = owner
        self._method = method
        self.called: set[tuple[str, str]] = set()
        self.scopes: list[dict[str, str]] = [{}]
        for one in method.parameters if method is not None else ():
            self.scopes[0][one.name] = erasure.erased(one.type, owner, method)

    # -- helpers

    def source(self, node: Node) -> str:
        """The text of a node."""
        return self._text[node.start_byte : node.end_byte]

    def erased(self, node: Node) -> str:
        """The erased type that a type node names."""
        if any(child.type == "annotated_type" for child in [node, *node.children]):
            raise CannotRender("it uses an annotated type")
        return self._erasure.erased(self.source(node), self._owner, self._method)

    def name(self, node: Node) -> str:
        """An identifier, if KeY can read it."""
        text = self.source(node)
        if not text.isascii():
            raise CannotRender("it uses a name outside of ASCII")
        return text

    def local(self, name: str) -> str | None:
        """The type of a parameter or local variable."""
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), None)

    def child(self, node: Node, field: str) -> Node:
        """A part that must be there."""
        found = node.child_by_field_name(field)
        if found is None:
            raise CannotRender("it cannot be read")
        return found

    def expression(self, node: Node, depth: int = 0) -> tuple[str, str]:
        """Text and erased type."""
        if depth > _DEEPEST:
            raise CannotRender("it is nested too deeply")
        if node.type in LITERALS:
            return LITERALS[node.type](self.source(node))
        render = getattr(self, f"_{node.type}", None)
        if render is None:
            raise cannot(node)
        text, type_name = render(node, depth + 1)
        return str(text), str(type_name)

    # -- expressions, each named after its node

    def _identifier(self, node: Node, _depth: int) -> tuple[str, str]:
        name = self.name(node)
        known = self.local(name)
        if known is not None:
            return name, known
        around: str = self._owner.java.name
        while around:
            owner = self._class_named(around)
            found = self._erasure.project.field(owner, name) if owner is not None else None
            if found is not None and owner is not None:
                where, field = found
                kind = self._erasure.erased(field.type, where)
                if owner is self._owner or around == self._owner.java.name:
                    return name, kind
                if is_static_field(where, field) and where.qualified in self._erasure.classes:
                    return f"{where.qualified}.{name}", kind
                raise CannotRender(f"it uses `{name}` of the class around")
            around = enclosing(around)
        imported = static_owner(self._erasure.project, self._owner, name, is_method=False)
        found = self._erasure.project.field(imported, name) if imported is not None else None
        if imported is None or found is None or imported.qualified not in self._erasure.classes:
            raise CannotRender(f"it uses `{name}`, which is not known")
        return f"{imported.qualified}.{name}", self._erasure.erased(found[1].type, found[0])

    def _class_named(self, name: str) -> FoundClass | None:
        found = self._erasure.project.classes(self._owner.file)
        return next((one for one in found if one.java.name == name), None)

    def _this(self, _node: Node, _depth: int) -> tuple[str, str]:
        if self._method is None or self._method.is_static:
            raise CannotRender("it uses `this`")
        return "this", self._owner.qualified

    def _as_class(self, node: Node) -> FoundClass | None:
        """The project class that an expression node names (JLS 6.5.2: a variable of that name comes first)."""
        if node.type not in ("identifier", "field_access", "scoped_identifier"):
            return None
        text = self.source(node)
        head = text.split(".", 1)[0].strip()
        if self.local(head) is not None or self._erasure.project.field(self._owner, head) is not None:
            return None
        return self._erasure.project.find(text, self._owner.file, self._owner.java.name)

    def _field_access(self, node: Node, depth: int) -> tuple[str, str]:
        target, name = self.child(node, "object"), self.name(self.child(node, "field"))
        found = self._as_class(target)
        if found is not None:
            member = self._erasure.project.field(found, name)
            if member is None or not is_static_field(*member) or member[0].qualified not in self._erasure.classes:
                raise CannotRender(f"it uses `{self.source(node)[:60]}`, which is not known")
            return f"{member[0].qualified}.{name}", self._erasure.erased(member[1].type, member[0])
        if self.source(node) in ("Integer.MAX_VALUE", "Integer.MIN_VALUE"):
            return f"java.lang.{self.source(node)}", "int"
        if self.source(node) in ("Long.MAX_VALUE", "Long.MIN_VALUE"):
            return f"java.lang.{self.source(node)}", "long"
        text, kind = self.expression(target, depth)
        if kind.endswith("[]") and name == "length":
            return f"{text}.length", "int"
        where = self._erasure.classes.get(kind)
        member = self._erasure.project.field(where, name) if where is not None else None
        if member is None:
            raise CannotRender(f"it uses `{self.source(node)[:60]}`, which is not known")
        return f"{text}.{name}", self._erasure.erased(member[1].type, member[0])

    # -- calls

    def _method_invocation(self, node: Node, depth: int) -> tuple[str, str]:
        name = self.name(self.child(node, "name"))
        passed = [
            self.expression(one, depth)
            for one in self.child(node, "arguments").named_children
            if "comment" not in one.type
        ]
        arguments = ", ".join(text for text, _ in passed)
        types = [kind for _, kind in passed]
        target = node.child_by_field_name("object")
        if node.child_by_field_name("type_arguments") is not None:
            raise CannotRender("it uses type arguments")
        if target is None:
            return self._bare_call(name, arguments, types)
        found = self._as_class(target)
        if found is not None:
            owner, method = self._chosen(found, name, types)
            if not method.is_static:
                raise CannotRender(f"it calls `{name}` in a way that is not known")
            return f"{owner.qualified}.{name}({arguments})", self._result(owner, method)
        head = self.source(target)
        if head in ("Math", "java.lang.Math") and self.local("Math") is None:
            return f"java.lang.Math.{name}({arguments})", self._library("java.lang.Math", name, types)
        if target.type == "super":
            raise CannotRender("it calls `super`")
        text, kind = self.expression(target, depth)
        where = self._erasure.classes.get(kind)
        if where is None:
            return f"{text}.{name}({arguments})", self._library(kind, name, types)
        owner, method = self._chosen(where, name, types)
        return f"{text}.{name}({arguments})", self._result(owner, method)

    def _bare_call(self, name: str, arguments: str, types: Sequence[str]) -> tuple[str, str]:
        around = self._owner.java.name
        while around:
            one = self._class_named(around)
            if one is not None and (self._erasure.project.methods(one, name) or accessor_of(one, name)):
                owner, method = self._chosen(one, name, types)
                if around == self._owner.java.name:
                    return f"{name}({arguments})", self._result(owner, method)
                if not method.is_static:
                    raise CannotRender(f"it calls `{name}` of the class around")
                return f"{owner.qualified}.{name}({arguments})", self._result(owner, method)
            around = enclosing(around)
        imported = static_owner(self._erasure.project, self._owner, name, is_method=True)
        if imported is None:
            raise CannotRender(f"it calls `{name}`, which is not known")
        owner, method = self._chosen(imported, name, types)
        return f"{owner.qualified}.{name}({arguments})", self._result(owner, method)

    def _chosen(self, where: FoundClass, name: str, types: Sequence[str]) -> tuple[FoundClass, JavaMethod]:
        methods = self._erasure.project.methods(where, name)
        accessor = accessor_of(where, name) if not types else None
        if accessor is not None:
            methods = ((where, accessor),)
        owner, method = chosen_method(methods, types, self._erasure)
        if owner.qualified not in self._erasure.classes:
            raise CannotRender(f"it calls `{name}` of a class that is not followed")
        self.called.add((owner.qualified, method.signature))
        return owner, method

    def _result(self, owner: FoundClass, method: JavaMethod) -> str:
        if method.result_type is None:
            raise CannotRender("it calls a constructor")
        return self._erasure.erased(method.result_type, owner, method)

    def _library(self, owner: str, name: str, types: Sequence[str]) -> str:
        result = library_result(owner, name, types, self._erasure)
        if result is None:
            raise CannotRender(f"it calls `{name}` of {owner}, which KeY does not know")
        return result
