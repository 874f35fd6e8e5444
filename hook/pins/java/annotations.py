"""The annotations of classes and methods by their qualified names, and the classes above a test class."""

from __future__ import annotations

from dataclasses import dataclass

from clausefit.hook.contracts.java_model import JavaMethod
from clausefit.hook.contracts.model import Span
from clausefit.hook.java.project import FoundClass, JavaProject, enclosing
from clausefit.hook.pins.java.imports import Imports, annotation_values, annotations_of, class_node, text_of
from tree_sitter import Node

_JUPITER = "org.junit.jupiter."
# A longer chain of superclasses is not followed.
MOST_CLASSES_ABOVE = 50


@dataclass(frozen=True)
class Member:
    """A method with the class that declares it and its node in the tree."""

    owner: FoundClass
    method: JavaMethod
    node: Node


class Annotations:
    """Looks up annotations in the files of a project."""

    def __init__(self, project: JavaProject) -> None:
        self.project = project
        self._imports: dict[str, Imports] = {}
        self._of_classes: dict[tuple[str, str], list[tuple[str, Node]]] = {}

    def imports(self, file: str) -> Imports:
        """The imports of a file, read once."""
        if file not in self._imports:
            self._imports[file] = Imports(self.project, file)
        return self._imports[file]

    def chain(self, found: FoundClass) -> tuple[FoundClass, ...]:
        """The class, its superclasses, and interfaces last; nearest first."""
        return (found, *self.project.supertypes(found)[:MOST_CLASSES_ABOVE])

    def is_test_case(self, found: FoundClass) -> bool:
        """Whether the class is below JUnit 3's ``TestCase``."""
        return any(
            self.imports(one.file).library_type(name, enclosing(one.java.name)) == "junit.framework.TestCase"
            for one in self.chain(found)
            for name in one.java.extends
        )

    def of_method(self, member: Member) -> list[tuple[str, Node]]:
        """Qualified annotations of a method; those that are put on a project annotation count as well (JUnit 5)."""
        return self._resolved(annotations_of(member.node), member.owner.file, member.owner.java.name, 0)

    def _resolved(self, written: list[tuple[str, Node]], file: str, within: str, depth: int) -> list[tuple[str, Node]]:
        found: list[tuple[str, Node]] = []
        for name, node in written[:100]:
            qualified = self.imports(file).library_type(name, within)
            own = self.project.find(name, file, within) if not qualified else None
            if own is None:
                found.append((qualified or name, node))
            elif depth < 3 and own.java.kind == "annotation":
                declaration = class_node(self.project, own)
                if declaration is not None:
                    composed = self._resolved(annotations_of(declaration), own.file, own.java.name, depth + 1)
                    found += [pair for pair in composed if pair[0].startswith(_JUPITER)]
        return found

    def of_class(self, found: FoundClass) -> list[tuple[str, Node]]:
        """Qualified annotations of a class."""
        key = found.file, found.java.name
        if key not in self._of_classes:
            node = class_node(self.project, found)
            written = annotations_of(node) if node is not None else []
            self._of_classes[key] = self._resolved(written, found.file, enclosing(found.java.name), 0)
        return self._of_classes[key]

    def on_class(self, found: FoundClass, qualified: str) -> Node | None:
        """The annotation of this name on a class, or None."""
        return next((node for name, node in self.of_class(found) if name == qualified), None)

    def runner(self, found: FoundClass) -> str:
        """The runner of ``@RunWith``, qualified where it is known, else as written; empty for none."""
        for one in self.chain(found):
            node = self.on_class(one, "org.junit.runner.RunWith")
            if node is not None:
                value = annotation_values(node).get("value")
                written = text_of(value).removesuffix(".class") if value is not None else "?"
                return self.imports(one.file).library_type(written, enclosing(one.java.name)) or written
        return ""


def method_node(project: JavaProject, file: str, span: Span) -> Node | None:
    """The declaration of a method in the tree of its file; None when the tree does not show it cleanly."""
    tree = project.tree(file)
    if tree is None:
        return None
    node: Node | None = tree.root.named_descendant_for_byte_range(span.start, max(span.start, span.end - 1))
    while node is not None and node.type not in ("method_declaration", "program"):
        node = node.parent
    return node if node is not None and node.type == "method_declaration" else None
