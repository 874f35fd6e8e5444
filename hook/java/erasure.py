"""Java types as old Java knows them: without type arguments, type parameters as their bounds, unknown ones as stubs.

Erasure is that of JLS 4.6. A library class that KeY does not have becomes an empty class of its name, so that fields,
parameters and ``instanceof`` can name it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from clausefit.hook.contracts.java_model import JavaMethod
from clausefit.hook.java.library import KEY_LIBRARY, SUPERCLASSES
from clausefit.hook.java.project import FoundClass, JavaProject
from clausefit.hook.java.qualify import qualified_type
from clausefit.hook.java.types import PRIMITIVES, simple_name, type_shape

OBJECT = "java.lang.Object"
_THROWABLE_ENDS = ("Exception", "Error", "Throwable")
StubKind = Literal["class", "interface"]


@dataclass
class Erasure:
    """Erases types and keeps book of what they need.

    ``classes`` are the project classes that the skeleton has in full, by qualified names; ``shallow`` those that are
    only named; ``stubs`` library classes that KeY lacks; ``guessed`` those of them whose superclass is not known.
    """

    project: JavaProject
    classes: dict[str, FoundClass]
    shallow: dict[str, FoundClass] = field(default_factory=dict)
    stubs: dict[str, StubKind] = field(default_factory=dict)
    guessed: set[str] = field(default_factory=set)

    def erased(self, text: str, where: FoundClass, method: JavaMethod | None = None) -> str:
        """The erased type of a type as written in ``where``: ``p.Node[]`` for ``Node<T>[]``."""
        shape = type_shape(text)
        if shape.name in PRIMITIVES or shape.name.startswith("\\") or shape.name == "void":
            return shape.name + "[]" * shape.dimensions
        return self._reference(shape.name, where, method) + "[]" * shape.dimensions

    def peek(self, text: str, where: FoundClass) -> str:
        """The erased type if the skeleton has it, else ``java.lang.Object``; nothing is added to the book."""
        trial = Erasure(self.project, self.classes, dict(self.shallow), dict(self.stubs))
        name = trial.erased(text, where)
        base = name.rstrip("[]")
        known = base in PRIMITIVES or base in KEY_LIBRARY or base.startswith("\\") or base == "void"
        known = known or base in self.classes or base in self.shallow or base in self.stubs
        return name if known else OBJECT + name[len(base) :]

    def supertype(self, text: str, where: FoundClass, kind: StubKind) -> str | None:
        """The erased supertype; None where it cannot be named in the skeleton."""
        name = self._reference(type_shape(text).name, where, None, kind)
        return None if name == OBJECT else name

    def _reference(self, name: str, where: FoundClass, method: JavaMethod | None, kind: StubKind = "class") -> str:
        full = qualified_type(name, self.project, where, method)
        found = self.project.find(full, where.file, where.java.name)
        if found is not None:
            return self._class(found)
        if "." not in full:
            if f"java.lang.{full}" in KEY_LIBRARY or not full.isidentifier() or not full.isascii():
                return f"java.lang.{full}" if f"java.lang.{full}" in KEY_LIBRARY else OBJECT
            full = f"{where.package}.{full}" if where.package else full
        if full in KEY_LIBRARY:
            return full
        return self._stub(full, kind)

    def _class(self, found: FoundClass) -> str:
        if not _can_be_named(found):
            return OBJECT
        if found.qualified not in self.classes and found.qualified not in self.shallow:
            self.shallow[found.qualified] = found
        return found.qualified

    def _stub(self, full: str, kind: StubKind) -> str:
        package, _, name = full.rpartition(".")
        is_plain = all(part.isidentifier() and part.isascii() for part in full.split("."))
        # ``Map.Entry``: a member of a class, which a stub of its own cannot be.
        if not is_plain or any(part[:1].isupper() for part in package.split(".")) or not name[:1].isupper():
            return OBJECT
        if full not in self.stubs or kind == "interface":
            self.stubs[full] = kind
        if full in SUPERCLASSES:
            above = SUPERCLASSES[full]
            if above not in KEY_LIBRARY:
                self._stub(above, "class")
        else:
            self.guessed.add(full)
        return full

    def looks_thrown(self, qualified: str) -> bool:
        """Whether a class is an exception, going by its name and those of its superclasses."""
        found = self.classes.get(qualified) or self.shallow.get(qualified)
        family = (found, *self.project.supertypes(found)) if found is not None else ()
        return any(map(_looks_thrown, (qualified, *(text for one in family for text in one.java.extends))))

    def has_unknown_supertypes(self, qualified: str) -> bool:
        """Whether a class of the skeleton may have more supertypes than the skeleton says."""
        if qualified in self.guessed:
            return True
        found = self.classes.get(qualified) or self.shallow.get(qualified)
        if found is None:
            return False
        for one in (found, *self.project.supertypes(found)):
            for text in (*one.java.extends, *one.java.implements):
                full = qualified_type(text, self.project, one)
                if self.project.find(full, one.file, one.java.name) is None and not _is_known(full):
                    return True
        return False


def _looks_thrown(name: str) -> bool:
    return simple_name(type_shape(name).name).endswith(_THROWABLE_ENDS)


def _is_known(full: str) -> bool:
    return full in KEY_LIBRARY or f"java.lang.{full}" in KEY_LIBRARY or full in SUPERCLASSES


def _can_be_named(found: FoundClass) -> bool:
    return "$" not in found.java.name and found.qualified.isascii()
