"""The members of the classes of a skeleton: fields, constants, ghost and model members, pure methods."""

from __future__ import annotations

import tree_sitter_java
from clausefit.hook.contracts.acsl_tokens import fold
from clausefit.hook.contracts.java_model import JavaField, JavaMethod
from clausefit.hook.contracts.jml_tokens import tokenize_jml
from clausefit.hook.java.code_types import CannotRender
from clausefit.hook.java.erasure import Erasure
from clausefit.hook.java.names import keys_of, names_of
from clausefit.hook.java.old_statements import Statements
from clausefit.hook.java.project import FoundClass, JavaProject
from clausefit.hook.java.qualify import Place, is_static_field, placed
from clausefit.hook.java.reach import Reach, represented
from clausefit.hook.java.types import PRIMITIVES
from clausefit.hook.not_expressible import NotExpressible
from tree_sitter import Language, Node, Parser

_CONSTANT_TYPES = PRIMITIVES | {"java.lang.String"}
# What KeY is known to read in a represents clause or a model method; an unknown word would stop the load.
# fmt: off
_JML_WORDS = frozenset({
    "\\forall", "\\exists", "\\sum", "\\product", "\\num_of", "\\max", "\\min", "\\typeof", "\\type",
    "\\nonnullelements", "\\bigint",
})
# fmt: on


class Members:
    """Writes members; ``unavailable`` collects the names that have no meaning in the skeleton, and why."""

    def __init__(self, project: JavaProject, reach: Reach, erasure: Erasure, *, is_bare: bool) -> None:
        self._project = project
        self._reach = reach
        self._erasure = erasure
        self._is_bare = is_bare
        self._calls: dict[str, set[str]] = {}
        self.unavailable: dict[str, str] = {}

    def spread(self) -> None:
        """Note what calls something unavailable as unavailable, too."""
        is_stable = False
        while not is_stable:
            is_stable = True
            for name, called in self._calls.items():
                broken = sorted(called & self.unavailable.keys())
                if broken and name not in self.unavailable:
                    self.unavailable[name] = f"`{name}` uses `{broken[0]}`, and {self.unavailable[broken[0]]}"
                    is_stable = False

    # -- fields

    def field(self, found: FoundClass, one: JavaField) -> str:
        """The declaration of a field; a constant with its value, where KeY can take it."""
        kind = self._erasure.erased(one.type, found)
        static = "static " if is_static_field(found, one) else ""
        if one.is_ghost or one.is_model:
            word = "ghost" if one.is_ghost else "model"
            instance = "instance " if not static and found.java.kind == "interface" else ""
            if one.is_model and one.name in self._reach.keys:
                self._without_represents(one)
            return f"/*@ public {static}{instance}{word} {kind} {one.name}; @*/"
        is_final = "final" in one.modifiers or found.java.kind == "interface"
        if static and is_final and one.initializer is not None and kind in _CONSTANT_TYPES:
            value = self._constant(found, one, kind)
            if value is not None:
                return f"public static final {kind} {one.name} = {value};"
        return f"public {static}{kind} {one.name};"

    def _constant(self, found: FoundClass, one: JavaField, kind: str) -> str | None:
        node = _initializer(one.initializer or "")
        text = f"{_BEFORE}{one.initializer}{_AFTER}"
        if node is None or node.has_error or _calls_something(node):
            return None
        renderer = Statements(text, self._erasure, found, None)
        try:
            value, value_kind = renderer.expression(node)
            renderer.check(value_kind, kind)
        except CannotRender:
            return None  # a field without a value: pins say what it holds
        return value

    # -- model fields

    def _without_represents(self, one: JavaField) -> None:
        # The clause may stand in a subclass of the class that declares the field (JML manual, "Represents Clauses").
        for owner in self._erasure.classes.values():
            for clause in owner.java.clauses:
                if clause.clause.kind == "represents" and one.name in represented(clause.clause.formula):
                    return
        self.unavailable[one.name] = f"the model field `{one.name}` has no represents clause"

    def represents(self, found: FoundClass) -> list[str]:
        """The represents clauses of a class, for the model fields that are reached."""
        lines: list[str] = []
        for one in found.java.clauses:
            formula = one.clause.formula
            names = represented(formula) & self._reach.keys
            if one.clause.kind != "represents" or not names:
                continue
            name = sorted(names)[-1]
            text, reason = self._jml(formula.replace("<-", "=", 1), found, None)
            if self._is_bare:
                reason = "its represents clause is left out"
            if reason:
                self.unavailable[name] = f"the model field `{name}` has no meaning here: {reason}"
                continue
            static = "static " if "static" in one.modifiers else ""
            lines.append(f"/*@ public {static}represents {text}; @*/")
            self._note_calls(name, text)
        return lines

    def _jml(self, formula: str, found: FoundClass, method: JavaMethod | None) -> tuple[str, str]:
        """A JML expression with full names, and why KeY cannot read it (empty where it can)."""
        place = Place(self._project, found, method, found)
        for token in tokenize_jml(formula):
            if token.kind == "word" and token.text[0] == "\\" and token.text not in _JML_WORDS | {"\\such_that"}:
                return "", f"it uses {token.text}"
            if token.kind == "informal" or not token.text.isascii():
                return "", "it has a text that KeY does not read"
        try:
            text = placed(formula, place)
        except NotExpressible as problem:
            return "", str(problem)
        variables = {one.name for one in method.parameters} if method is not None else set()
        for name in names_of(text):
            head = name.text
            if name.is_bound or head in variables:
                continue
            is_field = self._project.field(found, head) is not None
            is_method = bool(self._project.methods(found, head)) and name.is_call
            is_class = any(one == head or one.startswith(head + ".") for one in self._erasure.classes)
            if not (is_field or is_method or is_class or head in ("java", "Integer", "Long", "Math", "String")):
                return "", f"it uses `{head}`, which is not known"
        return text, ""

    def _note_calls(self, name: str, text: str) -> None:
        self._calls.setdefault(name, set()).update(keys_of(text))

    # -- methods

    def method(self, found: FoundClass, owner: FoundClass, method: JavaMethod) -> str:
        """The declaration of a pure method in ``found``, with its body where KeY can load it."""
        kind = self._erasure.erased(method.result_type or "void", owner, method)
        parameters = ", ".join(f"{self._erasure.erased(p.type, owner, method)} {p.name}" for p in method.parameters)
        static = "static " if method.is_static else ""
        head = f"{kind} {method.name}({parameters})"
        if any(not p.name.isascii() for p in method.parameters):
            self._say(method, "it has a parameter that KeY does not read")
            return ""
        pure = "/*@ pure helper @*/ "
        is_interface = found.java.kind in ("interface", "annotation")
        if owner.java.kind == "record" and not method.has_body and accessor_field(owner, method):
            return f"{pure}public {head} {{ return this.{method.name}; }}"
        if (is_interface and not method.is_static) or (not method.has_body and not method.is_in_comment):
            if not method.has_body and "abstract" not in method.modifiers and owner.java.kind != "interface":
                self._say(method, "it has no body")
            return f"{pure}public {head};"
        try:
            body = self._body(owner, method)
        except CannotRender as problem:
            self._say(method, str(problem))
            return f"{pure}public {static}{head};"
        if body.startswith("/*@"):
            return body.replace("HEAD", f"{static}{head}")
        return f"{pure}public {static}{head} {body}"

    def _say(self, method: JavaMethod, reason: str) -> None:
        self.unavailable.setdefault(f"{method.name}()", f"`{method.name}` cannot be followed: {reason}")

    def _body(self, owner: FoundClass, method: JavaMethod) -> str:
        if self._is_bare:
            raise CannotRender("the verifier does not load it")
        if method.is_in_comment:
            return self._model_body(owner, method)
        tree = self._project.tree(owner.file)
        if tree is None or method.body is None:
            raise CannotRender("it has no body")
        node = tree.root.descendant_for_byte_range(method.body.start, max(method.body.end - 1, method.body.start))
        while node is not None and node.parent is not None and node.start_byte > method.body.start:
            node = node.parent
        if node is None or (node.start_byte, node.end_byte) != (method.body.start, method.body.end):
            raise CannotRender("it cannot be read")
        # A default method is copied: it is read where it stands, and its class is the one that it is copied into.
        renderer = Statements(tree.text, self._erasure, owner, method)
        if node.type == "constructor_body":
            raise CannotRender("it is a constructor")
        body = renderer.body(node)
        called = {signature.partition("(")[0].rpartition(".")[2] + "()" for _, signature in renderer.called}
        self._calls.setdefault(f"{method.name}()", set()).update(called)
        return body

    def _model_body(self, owner: FoundClass, method: JavaMethod) -> str:
        """A model method: one ``return`` of a JML expression, or plain Java code."""
        text = self._project.text(owner.file)
        if method.body is None or text is None:
            raise CannotRender("it has no body")
        tokens = tokenize_jml(text, method.body.start, method.body.end)
        inner = tokens[1:-1]
        is_return = len(inner) > 2 and inner[0].text == "return" and inner[-1].text == ";"
        if is_return and sum(token.text == "return" for token in inner) == 1:
            formula, reason = self._jml(fold(inner[1:-1]), owner, method)
            if reason:
                raise CannotRender(reason)
            self._note_calls(f"{method.name}()", formula)
            return f"/*@ public pure helper model HEAD {{ return {formula}; }} @*/"
        source = f"class X {{ void m() {fold(tokens)} }}"
        node = _first(_PARSER.parse(_ascii(source)).root_node, "block")
        if node is None or node.has_error:
            raise CannotRender("it cannot be read")
        renderer = Statements(source, self._erasure, owner, method)
        return renderer.body(node)


def accessor_field(owner: FoundClass, method: JavaMethod) -> bool:
    """Whether a method without a body is the implicit accessor of a record's component."""
    return not method.parameters and any(one.name == method.name for one in owner.java.fields)


_PARSER = Parser(Language(tree_sitter_java.language()))
_BEFORE = "class X { Object x = "
_AFTER = "; }"


def _ascii(text: str) -> bytes:
    return text.encode("ascii", "replace")


def _first(root: Node, kind: str) -> Node | None:
    todo = [root]
    while todo:
        node = todo.pop()
        if node.type == kind:
            return node
        todo += reversed(node.children)
    return None


def _initializer(text: str) -> Node | None:
    declarator = _first(_PARSER.parse(_ascii(f"{_BEFORE}{text}{_AFTER}")).root_node, "variable_declarator")
    return declarator.child_by_field_name("value") if declarator is not None else None


def _calls_something(node: Node) -> bool:
    """Whether an initializer is no constant expression (JLS 15.29)."""
    return any(
        _first(node, kind) is not None
        for kind in ("method_invocation", "object_creation_expression", "assignment_expression", "update_expression")
    )
