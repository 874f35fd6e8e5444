"""Where a test file calls watched methods, by its text: to say of calls that no run reached why they gave nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from clausefit.hook.java.project import FoundClass, JavaProject
from clausefit.hook.java.types import simple_name, type_shape
from clausefit.hook.pins.java.frameworks import TestMethod
from clausefit.hook.pins.java.imports import text_of
from clausefit.hook.pins.java.machine import Ended
from clausefit.hook.pins.values import Ignored
from tree_sitter import Node

_CALLS = frozenset({"method_invocation", "object_creation_expression", "method_reference"})
_NOT_REACHED = "no test that could be followed reaches this call"
_MOST_SITES = 5_000


@dataclass
class Sites:
    """The calls of watched methods in the text of a test file."""

    project: JavaProject
    file: str
    watched: frozenset[str]
    files: Mapping[str, str]
    # Why the code of a method was not (fully) executed: (start, end of its text, reason), later ones count first.
    reasons: list[tuple[int, int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._by_name: dict[str, list[str]] = {}
        for signature in sorted(self.watched):
            self._by_name.setdefault(_name(signature), []).append(signature)
        self._declared: dict[int, dict[str, Node]] = {}  # by the id of a block
        self._nodes: dict[str, dict[int, list[Node]]] = {}

    # -- what ran

    def not_run(self, test: TestMethod, reason: str) -> None:
        """The test was not executed at all."""
        node = test.member.node
        if test.member.owner.file == self.file:
            self.reasons.append((node.start_byte, node.end_byte, reason))

    def ran(self, test: TestMethod, name: str, ended: Ended) -> None:
        """The test was executed, perhaps not to its end."""
        if ended.kind != "passed" and test.member.owner.file == self.file:
            why = ended.reason or f"it ends with {ended.type}"
            line = f" past line {ended.line}" if ended.line else ""
            node = test.member.node
            self.reasons.append((node.start_byte, node.end_byte, f"{name} could not be followed{line}: {why}"))

    # -- calls in the text

    def calls_at(self, file: str, line: int, signature: str) -> list[Node]:
        """The calls on a line that have the name of a watched method."""
        if file not in self._nodes:
            found: dict[int, list[Node]] = {}
            for node in self._calls(file):
                for row in {node.start_point.row, _name_row(node)}:
                    found.setdefault(row + 1, []).append(node)
            self._nodes[file] = found
        return [node for node in self._nodes[file].get(line, ()) if _called_name(node) == _name(signature)]

    def _calls(self, file: str) -> Iterator[Node]:
        tree = self.project.tree(file)
        todo = [tree.root] if tree is not None else []
        while todo:
            node = todo.pop()
            if node.type in _CALLS and _called_name(node) in self._by_name:
                yield node
            todo += reversed(node.named_children)

    def left_over(self, known: Iterable[tuple[str, str, int]], ignored: Sequence[Ignored]) -> Iterator[Ignored]:
        """An ``Ignored`` for every call in the text of which there is neither a pin nor an ``Ignored`` yet."""
        seen = {(function, f"{file}:{line}") for function, file, line in known}
        seen |= {(one.function, one.source) for one in ignored}
        lines = {source for _function, source in seen}
        count = 0
        for node in self._calls(self.file):
            sources = {f"{self.file}:{row + 1}" for row in (node.start_point.row, _name_row(node))}
            signatures = self._meant(node)
            if not signatures or any((one, source) in seen for one in signatures for source in sources):
                continue
            if len(signatures) > 1 and sources & lines:
                continue
            count += 1
            if count > _MOST_SITES:
                return
            source = f"{self.file}:{_name_row(node) + 1}"
            for signature in signatures:
                yield Ignored(signature, source, self._reason(node))

    def _reason(self, node: Node) -> str:
        around = [why for start, end, why in self.reasons if start <= node.start_byte < end]
        return around[-1] if around else _NOT_REACHED

    def _meant(self, node: Node) -> list[str]:
        """The watched methods that a call may mean: by name, number of arguments, and the type of what it is called on.

        Where the type of the receiver cannot be told from a declaration nearby: none.
        """
        arguments = node.child_by_field_name("arguments")
        count = len([one for one in arguments.named_children if "comment" not in one.type]) if arguments else None
        fitting = [one for one in self._by_name[_called_name(node)] if count is None or _takes(one, count)]
        if not fitting:
            return []
        owner = self._owner(node)
        if owner is None:
            return []
        names = {one.java.name: one.file for one in (*self.project.supertypes(owner)[::-1], owner)}
        classes = {one: names.get(_class_name(one)) for one in fitting}
        return [one for one, file in classes.items() if file is not None and self.files.get(one, file) == file]

    def _owner(self, node: Node) -> FoundClass | None:
        """The class that a call's receiver has by its text."""
        within = _class_around(node)
        if node.type == "object_creation_expression":
            return self._typed(node.child_by_field_name("type"), within)
        receiver = node.child_by_field_name("object") if node.type == "method_invocation" else node.named_child(0)
        while receiver is not None and receiver.type == "parenthesized_expression" and receiver.named_children:
            receiver = receiver.named_children[0]
        if receiver is None:
            return self.project.find(within, self.file) if within else None
        if receiver.type == "object_creation_expression":
            return self._typed(receiver.child_by_field_name("type"), within)
        if receiver.type == "field_access":
            receiver = receiver.child_by_field_name("field") or receiver
        if receiver.type != "identifier":
            return None
        declared = self._declared_type(receiver)
        if declared is not None:
            return self._typed(declared, within)
        return self.project.find(text_of(receiver), self.file, within)

    def _declared_type(self, identifier: Node) -> Node | None:
        """The type with which a variable is declared in the blocks and classes around; that of ``new`` for ``var``."""
        name = text_of(identifier)
        around = identifier.parent
        while around is not None:
            if around.id not in self._declared:
                self._declared[around.id] = dict(_declarations(around))
            if name in self._declared[around.id]:
                return self._declared[around.id][name]
            around = around.parent
        return None

    def _typed(self, node: Node | None, within: str) -> FoundClass | None:
        return self.project.find(type_shape(text_of(node)).name, self.file, within) if node is not None else None


def _called_name(node: Node) -> str:
    """The simple name of what is called; for a constructor that of its class."""
    if node.type == "method_invocation":
        name = node.child_by_field_name("name")
        return text_of(name) if name is not None else ""
    if node.type == "object_creation_expression":
        made = node.child_by_field_name("type")
        return simple_name(type_shape(text_of(made)).name) if made is not None else ""
    last = node.children[-1] if node.children else None
    if last is not None and last.type == "new":
        first = node.named_child(0)
        return simple_name(type_shape(text_of(first)).name) if first is not None else ""
    return text_of(last) if last is not None else ""


def _name_row(node: Node) -> int:
    """The row of a call's name, where the interpreter says that the call stands."""
    name = node.child_by_field_name("name")
    return int((name or node).start_point.row)


def _name(signature: str) -> str:
    return simple_name(signature.partition("(")[0])


def _class_name(signature: str) -> str:
    return signature.partition("(")[0].rpartition(".")[0]


def _takes(signature: str, count: int) -> bool:
    """Whether a method can be called with this many arguments."""
    inside = signature.partition("(")[2].rstrip(")")
    depth, parameters = 0, 1 if inside else 0
    for character in inside:
        depth += (character in "<([") - (character in ">)]")
        parameters += character == "," and depth == 0
    return count >= parameters - 1 if inside.endswith("...") else count == parameters


def _class_around(node: Node) -> str:
    names: list[str] = []
    around = node.parent
    while around is not None:
        name = around.child_by_field_name("name") if around.type.endswith("_declaration") else None
        if name is not None and around.child_by_field_name("body") is not None and "method" not in around.type:
            names.insert(0, text_of(name))
        around = around.parent
    return ".".join(names)


def _declarations(around: Node) -> Iterator[tuple[str, Node]]:
    """The variables that a block, class body or method declares itself, with their types."""
    for child in around.named_children:
        if child.type in ("formal_parameters", "resource_specification"):
            for inner in child.named_children:
                named, declared = inner.child_by_field_name("name"), inner.child_by_field_name("type")
                if named is not None and declared is not None:
                    yield text_of(named), declared
        elif child.type in ("local_variable_declaration", "field_declaration"):
            for declarator in child.children_by_field_name("declarator"):
                named, declared = declarator.child_by_field_name("name"), child.child_by_field_name("type")
                if declared is not None and text_of(declared) == "var":
                    value = declarator.child_by_field_name("value")
                    made = value is not None and value.type == "object_creation_expression"
                    declared = value.child_by_field_name("type") if made and value is not None else declared
                if named is not None and declared is not None:
                    yield text_of(named), declared
