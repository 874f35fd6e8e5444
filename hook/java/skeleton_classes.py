"""The classes of a skeleton as text: nested as in the project, one file for each top-level class."""

from __future__ import annotations

from clausefit.hook.contracts.java_model import JavaMethod
from clausefit.hook.java.accessors import accessor_of
from clausefit.hook.java.erasure import Erasure, StubKind
from clausefit.hook.java.library import SUPERCLASSES
from clausefit.hook.java.project import FoundClass, JavaProject, enclosing
from clausefit.hook.java.reach import Reach
from clausefit.hook.java.skeleton_members import Members


class ClassWriter:
    """Writes the classes that a reach needs; ``unavailable`` says which names in it have no meaning, and why."""

    def __init__(self, project: JavaProject, reach: Reach, erasure: Erasure, *, is_bare: bool) -> None:
        self._project = project
        self._reach = reach
        self._erasure = erasure
        self._supertypes: frozenset[str] | None = None
        self._members = Members(project, reach, erasure, is_bare=is_bare)

    @property
    def unavailable(self) -> dict[str, str]:
        """For simple names of methods and model fields: why they have no meaning, as a sentence."""
        return self._members.unavailable

    def files(self) -> dict[str, str]:
        """All files of the skeleton, relative path to text."""
        bodies: dict[str, str] = {}
        for qualified, found in self._erasure.classes.items():
            if "$" not in found.java.name and qualified.isascii():
                bodies[qualified] = self._body(found)
        self._members.spread()
        headers = self._headers()
        files = self._nested(headers, bodies)
        for full, kind in sorted(self._erasure.stubs.items()):
            package, _, name = full.rpartition(".")
            above = SUPERCLASSES.get(full)
            head = f"public {kind} {name}" + (f" extends {above}" if above else "")
            constructor = f"public {name}() {{}}" if kind == "class" else ""
            files[_path(package, name)] = _in_package(package, f"{head} {{ {constructor} }}\n")
        return files

    def _headers(self) -> dict[str, tuple[FoundClass, str]]:
        """The classes with their headers. A header may name further classes: those have headers, but no members."""
        done: set[str] = set()
        while len(done) < len(self._erasure.classes) + len(self._erasure.shallow):
            for qualified, found in {**self._erasure.classes, **self._erasure.shallow}.items():
                if qualified not in done:
                    done.add(qualified)
                    self._header(found)
                    self._add_enclosing(found)
        self._supertypes = None  # only now all subclasses are known
        return {
            qualified: (found, self._header(found))
            for qualified, found in {**self._erasure.classes, **self._erasure.shallow}.items()
            if "$" not in found.java.name and qualified.isascii()
        }

    def _add_enclosing(self, found: FoundClass) -> None:
        outer = enclosing(found.java.name)
        for one in self._project.classes(found.file) if outer else ():
            if one.java.name == outer and one.qualified not in self._erasure.classes:
                self._erasure.shallow.setdefault(one.qualified, one)

    def _nested(self, headers: dict[str, tuple[FoundClass, str]], bodies: dict[str, str]) -> dict[str, str]:
        """The classes put into one another, innermost first."""
        inner: dict[str, list[str]] = {}
        files: dict[str, str] = {}
        for qualified, (found, header) in sorted(headers.items(), key=lambda one: (-one[0].count("."), one[0])):
            parts = [bodies.get(qualified, ""), *inner.get(qualified, ())]
            text = f"{header} {{\n{''.join(parts)}}}\n"
            outer = enclosing(found.java.name)
            if outer:
                around = f"{found.package}.{outer}" if found.package else outer
                inner.setdefault(around, []).append(text)
            else:
                files[_path(found.package, found.java.name)] = _in_package(found.package, text)
        return files

    # -- one class

    def _header(self, found: FoundClass) -> str:
        java = found.java
        is_interface = java.kind in ("interface", "annotation")
        kind: StubKind = "interface" if is_interface else "class"
        words = ["public"]
        if enclosing(java.name):
            words.append("static")
        if not is_interface and "abstract" in java.modifiers:
            words.append("abstract")
        elif not is_interface and found.qualified not in self._extended():
            # KeY follows a call on an object only where it knows that nothing overrides the method.
            words.append("final")
        extends: list[str] = []
        implements: list[str] = []
        for text in java.extends:
            above = self._erasure.supertype(text, found, kind)
            extends += [above] if above is not None and above != found.qualified else []
        for text in java.implements:
            above = self._erasure.supertype(text, found, "interface")
            implements += [above] if above is not None and above != found.qualified else []
        head = f"{' '.join(words)} /*@ nullable_by_default @*/ {kind} {found.simple}"
        if extends:
            head += " extends " + ", ".join(extends if is_interface else extends[:1])
        return head + (" implements " + ", ".join(implements) if implements else "")

    def _extended(self) -> frozenset[str]:
        """The classes that have subclasses in the skeleton."""
        if self._supertypes is None:
            known = {**self._erasure.classes, **self._erasure.shallow}.values()
            above = [one.qualified for found in known for one in self._project.supertypes(found)]
            self._supertypes = frozenset(above)
        return self._supertypes

    def _body(self, found: FoundClass) -> str:
        lines: list[str] = []
        names: set[str] = set()
        for one in found.java.fields:
            if one.name.isascii() and one.name not in names:
                names.add(one.name)
                lines.append(self._members.field(found, one))
        lines += self._members.represents(found)
        signatures: set[tuple[str, tuple[str, ...]]] = set()
        for method in self._methods(found):
            owner, one_method = method
            types = tuple(self._erasure.erased(p.type, owner, one_method) for p in one_method.parameters)
            if one_method.name.isascii() and (one_method.name, types) not in signatures:
                signatures.add((one_method.name, types))
                lines.append(self._members.method(found, owner, one_method))
        return "".join(f"  {line}\n" for line in lines if line)

    def _methods(self, found: FoundClass) -> list[tuple[FoundClass, JavaMethod]]:
        """The methods that a class must have: its own, a record's accessors, and inherited default methods.

        Old Java has no default methods: each class that inherits one gets a copy.
        """
        own = [one for one in self._reach.methods.values() if one[0].qualified == found.qualified]
        if found.java.kind == "record":
            accessors = (
                accessor_of(found, one.name) for one in found.java.fields if f"{one.name}()" in self._reach.keys
            )
            own += [(found, one) for one in accessors if one is not None]
        if found.java.kind in ("interface", "annotation"):
            return own
        family = {one.qualified for one in self._project.supertypes(found)}
        above = {(one.name, len(one.parameters)) for owner, one in own if owner.qualified == found.qualified}
        for owner, method in self._reach.methods.values():
            is_default = owner.java.kind == "interface" and method.has_body and not method.is_static
            is_own = owner.qualified not in family or (method.name, len(method.parameters)) in above
            if is_default and not is_own and not self._is_implemented(found, method, owner):
                own.append((owner, method))
        return own

    def _is_implemented(self, found: FoundClass, method: JavaMethod, owner: FoundClass) -> bool:
        """Whether a class, or a more special interface, has another body for a default method."""
        first = next(
            (
                one
                for one, other in self._project.methods(found, method.name)
                if len(other.parameters) == len(method.parameters) and other.has_body
            ),
            owner,
        )
        return first.qualified != owner.qualified


def _path(package: str, name: str) -> str:
    folder = package.replace(".", "/")
    return f"{folder}/{name}.java" if folder else f"{name}.java"


def _in_package(package: str, text: str) -> str:
    return f"package {package};\n{text}" if package else text
