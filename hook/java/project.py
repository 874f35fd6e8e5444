"""The Java files of a snapshot as one project: which class a name means, its supertypes and its methods.

Files are read when a name needs them, never all at once: a class is looked for in the files that bear its name, in
those beside the file that names it, and in what that imports.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from clausefit.hook.contracts.acsl_tokens import Places
from clausefit.hook.contracts.java import read_java
from clausefit.hook.contracts.java_merge import merged
from clausefit.hook.contracts.java_model import JavaClass, JavaField, JavaMethod
from clausefit.hook.contracts.java_tree import JavaText
from clausefit.hook.contracts.model import Contract, SourceContracts
from clausefit.hook.java.types import simple_name, type_parameter_name, type_shape

# A class may stand in a file of another name of its package; in a folder of more files than this it is not looked for.
_MOST_BESIDE = 400
_TYPE_NAME = re.compile(r"\b(?:class|interface|enum|record)\s++([\w$]++)")


@dataclass(frozen=True)
class FoundClass:
    """A class of the project; ``java.name`` is qualified by the classes around it, ``qualified`` by the package too."""

    file: str
    package: str
    java: JavaClass

    @property
    def qualified(self) -> str:
        """``p.Outer.Inner``."""
        return f"{self.package}.{self.java.name}" if self.package else self.java.name

    @property
    def simple(self) -> str:
        """``Inner``."""
        return simple_name(self.java.name)


@dataclass(frozen=True)
class Members:
    """What a class itself declares, by names; ``keys`` are all names, those of methods as ``f()``."""

    methods: Mapping[str, tuple[JavaMethod, ...]]
    fields: Mapping[str, JavaField]
    keys: frozenset[str]


class JavaProject:
    """Answers questions about the Java classes of a snapshot. Not to be shared by threads.

    ``read`` gives the text of a path, None where there is none; ``paths`` are all ``.java`` and ``.jml`` paths. Of two
    classes of one name those in files that the settings leave out (not ``is_meant``) do not count.
    """

    def __init__(
        self,
        read: Callable[[str], str | None],
        paths: Iterable[str],
        is_meant: Callable[[str], bool] = lambda path: True,  # noqa: ARG005
    ) -> None:
        self._read = read
        self._is_meant = is_meant
        self._paths = frozenset(paths)
        self._by_stem: dict[str, list[str]] = {}
        self._by_folder: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            pure = PurePosixPath(path)
            self._by_stem.setdefault(pure.stem, []).append(path)
            self._by_folder.setdefault(str(pure.parent), []).append(path)
        self._folders: dict[str, list[str]] = {}
        for folder in sorted(self._by_folder):
            self._folders.setdefault(PurePosixPath(folder).name, []).append(folder)
        self._texts: dict[str, str | None] = {}
        self._sources: dict[str, SourceContracts | None] = {}
        self._trees: dict[str, JavaText | None] = {}
        self._classes: dict[str, tuple[FoundClass, ...]] = {}
        self._type_names: dict[str, frozenset[str]] = {}
        self._by_name: dict[str, dict[str, FoundClass]] = {}
        self._contracts: dict[str, dict[str, Contract]] = {}
        self._members: dict[tuple[str, str], Members] = {}
        self._places: dict[str, Places] = {}
        self._found: dict[tuple[str, str, str], FoundClass | None] = {}
        self._supertypes: dict[tuple[str, str], tuple[FoundClass, ...]] = {}

    # -- files

    def has(self, path: str) -> bool:
        """Whether the snapshot has that file."""
        return path in self._paths

    def text(self, path: str) -> str | None:
        """The text of a file of the snapshot; None where there is none."""
        if path not in self._texts:
            self._texts[path] = self._read(path)
        return self._texts[path]

    def source(self, path: str) -> SourceContracts | None:
        """What ``read_java`` finds in a file; a ``.java`` file has the contracts of the ``.jml`` file beside it.

        None where there is no such file.
        """
        if path not in self._sources:
            self._sources[path] = self._source(path)
        return self._sources[path]

    def _source(self, path: str) -> SourceContracts | None:
        text = self.text(path)
        if text is None:
            return None
        found = read_java(text, path)
        beside = str(PurePosixPath(path).with_suffix(".jml"))
        if path.endswith(".java") and beside in self._paths:
            specification = self.source(beside)
            if specification is not None:
                return merged(found, specification)
        return found

    def tree(self, path: str) -> JavaText | None:
        """The text of a file with its syntax tree; None where there is no such file."""
        if path not in self._trees:
            text = self.text(path)
            self._trees[path] = None if text is None else JavaText(text)
        return self._trees[path]

    def places(self, path: str) -> Places:
        """Lines and columns of a file; those of an empty text where there is no such file."""
        if path not in self._places:
            self._places[path] = Places(self.text(path) or "")
        return self._places[path]

    def contract(self, path: str, signature: str) -> Contract | None:
        """The contract of a method of a file, with clauses or without; None where there is no such method."""
        if path not in self._contracts:
            source = self.source(path)
            every = (*source.bare, *source.contracts) if source is not None else ()
            self._contracts[path] = {one.function: one for one in every}
        return self._contracts[path].get(signature)

    def classes(self, path: str) -> tuple[FoundClass, ...]:
        """All classes of a file, nested ones as well, in the order in which they start; none where there is no file."""
        if path not in self._classes:
            source = self.source(path)
            java = source.java if source is not None else None
            self._classes[path] = tuple(FoundClass(path, java.package, one) for one in java.classes) if java else ()
        return self._classes[path]

    # -- names

    def find(self, name: str, file: str, within: str = "") -> FoundClass | None:
        """The class that a simple, dotted or qualified type name means where it stands (JLS 6.4, 6.5.5).

        ``within`` is the class around (``JavaClass.name``), empty for a place outside of classes. Type arguments and
        dimensions in ``name`` do not matter. None for types of a library, type parameters, and names that two classes
        of equally near modules have.
        """
        plain = type_shape(name).name
        key = (plain, file, within)
        if key not in self._found:
            self._found[key] = None  # a class that extends its own member asks for itself
            self._found[key] = self._find(plain, file, within)
        return self._found[key]

    def _find(self, name: str, file: str, within: str) -> FoundClass | None:
        first, *rest = name.split(".")
        if rest and first[:1].islower():
            # Nobody names a class like a package: no need to read the files beside for one.
            found = self._qualified(name, file)
            if found is not None:
                return found
        found, is_type = self._simple(first, file, within)
        if is_type:
            for part in rest:
                found = self._member(found, part) if found is not None else None
            return found
        return self._qualified(name, file) if rest else None

    def _simple(self, name: str, file: str, within: str) -> tuple[FoundClass | None, bool]:
        """The class of a simple name, and whether the name is decided here (by a type parameter, say: no class)."""
        around = within
        while around:
            one = self._class_named(file, around)
            if one is not None:
                if name in (type_parameter_name(text) for text in one.java.type_parameters):
                    return None, True
                if one.simple == name:
                    return one, True
                member = self._member(one, name)
                if member is not None:
                    return member, True
            around = enclosing(around)
        source = self.source(file)
        java = source.java if source is not None else None
        imports = java.imports if java is not None else ()
        top = self._class_named(file, name)
        if top is not None:
            return top, True
        for one_import in imports:
            target = one_import.removeprefix("static ")
            if simple_name(target) == name:
                return self._qualified(target, file), True
        package = java.package if java is not None else ""
        found = self._in_package(package, name, file)
        for one_import in imports if found is None else ():
            target = one_import.removeprefix("static ")
            if target.endswith(".*") and found is None:
                found = self._qualified(target[:-1] + name, file)
        return found, found is not None

    def _class_named(self, file: str, name: str) -> FoundClass | None:
        if file not in self._by_name:
            self._by_name[file] = {one.java.name: one for one in reversed(self.classes(file))}
        return self._by_name[file].get(name)

    def _member(self, owner: FoundClass, name: str) -> FoundClass | None:
        """A member class, an inherited one as well."""
        for one in (owner, *self.supertypes(owner)):
            found = self._class_named(one.file, f"{one.java.name}.{name}")
            if found is not None:
                return found
        return None

    def _qualified(self, name: str, file: str) -> FoundClass | None:
        """The class of ``p.q.Outer.Inner``: the first part that is a top-level class of the package before it."""
        parts = name.split(".")
        for index in range(len(parts)):
            if len(parts) > 1 and index == 0:
                continue  # classes of the unnamed package cannot be imported or qualified (JLS 7.5)
            found = self._in_package(".".join(parts[:index]), parts[index], file)
            if found is not None:
                for part in parts[index + 1 :]:
                    member = self._member(found, part)
                    if member is None:
                        return None
                    found = member
                return found
        return None

    def _in_package(self, package: str, name: str, file: str) -> FoundClass | None:
        """The top-level class ``name`` of ``package`` that is nearest to ``file``; None where two are."""
        nearest = self._near(package, name, file)
        return nearest[0] if len(nearest) == 1 else None

    def rivals(self, found: FoundClass, file: str) -> tuple[str, ...]:
        """The files of the classes of one name between which a name in ``file`` cannot decide, ``found`` among them.

        Empty where the name means a single class there, or another one than ``found``.
        """
        name, _, _members = found.java.name.partition(".")
        files = [one.file for one in self._near(found.package, name, file)]
        return tuple(files) if len(files) > 1 and found.file in files else ()

    def _candidates(self, package: str, name: str, file: str) -> list[FoundClass]:
        """The top-level classes ``name`` of ``package`` that ``file`` may mean."""
        found = [
            one
            for path in self._by_stem.get(name, ())
            for one in self.classes(path)
            if one.java.name == name and one.package == package
        ]
        if not found:
            found = list(self._beside(package, name, file))
        return [one for one in found if one.file.endswith(".java")] or found

    def _near(self, package: str, name: str, file: str) -> list[FoundClass]:
        """Those of ``_candidates`` that are nearest to ``file``; of these what the settings leave out does not count.

        What is left out and nearer still is the class that the file means.
        """
        nearest = _nearest(self._candidates(package, name, file), file)
        return [one for one in nearest if self._is_meant(one.file)] or nearest

    def _beside(self, package: str, name: str, file: str) -> Iterator[FoundClass]:
        """Classes ``name`` in files of another name: those of the folders of ``package``."""
        folders = {str(PurePosixPath(file).parent)}
        if package:
            tail = package.replace(".", "/")
            last = package.rpartition(".")[2]
            folders = {one for one in self._folders.get(last, ()) if one == tail or one.endswith("/" + tail)}
        for folder in sorted(folders):
            paths = self._by_folder.get(folder, ())
            for path in paths if len(paths) <= _MOST_BESIDE else ():
                if name in self._declared(path):
                    yield from (one for one in self.classes(path) if one.java.name == name and one.package == package)

    def _declared(self, path: str) -> frozenset[str]:
        """The words of a file that stand where a class declares its name; seen without reading all of the file."""
        if path not in self._type_names:
            self._type_names[path] = frozenset(_TYPE_NAME.findall(self.text(path) or ""))
        return self._type_names[path]

    # -- members

    def members(self, found: FoundClass) -> Members:
        """The methods and fields that a class itself declares, by their names; of two fields of a name the first."""
        key = (found.file, found.java.name)
        if key not in self._members:
            methods: dict[str, tuple[JavaMethod, ...]] = {}
            for method in found.java.methods:
                methods[method.name] = (*methods.get(method.name, ()), method)
            fields = {one.name: one for one in reversed(found.java.fields)}
            keys = frozenset(fields) | {f"{name}()" for name in methods}
            self._members[key] = Members(methods, fields, keys)
        return self._members[key]

    def supertypes(self, found: FoundClass) -> tuple[FoundClass, ...]:
        """All supertypes that are classes of the project, each before its own supertypes; classes before interfaces."""
        key = (found.file, found.java.name)
        if key not in self._supertypes:
            self._supertypes[key] = ()  # what asks for it meanwhile stands in a circle
            self._supertypes[key] = self._all_supertypes(found)
        return self._supertypes[key]

    def _all_supertypes(self, found: FoundClass) -> tuple[FoundClass, ...]:
        done: list[FoundClass] = []
        seen: set[tuple[str, str]] = set()
        todo: list[tuple[FoundClass, bool]] = [(found, False)]
        while todo:
            one, is_left = todo.pop()
            if is_left:
                done.append(one)
                continue
            if (one.file, one.java.name) in seen:
                continue
            seen.add((one.file, one.java.name))
            todo.append((one, True))
            todo += [(above, False) for above in self.direct_supertypes(one)]
        ordered = done[-2::-1]
        return tuple(sorted(ordered, key=lambda one: one.java.kind == "interface"))

    def direct_supertypes(self, found: FoundClass) -> tuple[FoundClass, ...]:
        """The superclass and interfaces that a class names and that are classes of the project."""
        outer = enclosing(found.java.name)
        names = (*found.java.extends, *found.java.implements)
        classes = (self.find(name, found.file, outer) for name in names)
        return tuple(one for one in classes if one is not None and one.java.name != found.java.name)

    def methods(self, found: FoundClass, name: str) -> tuple[tuple[FoundClass, JavaMethod], ...]:
        """The methods of a name, own and inherited, with their classes: an overridden one behind what overrides it.

        For the simple name of the class itself: its constructors.
        """
        return tuple(
            (one, method)
            for one in (found, *self.supertypes(found))
            for method in self.members(one).methods.get(name, ())
            if not method.is_constructor or one is found
        )

    def field(self, found: FoundClass, name: str) -> tuple[FoundClass, JavaField] | None:
        """The field of a name, own or inherited, with its class; None where no class of the project has it."""
        for one in (found, *self.supertypes(found)):
            candidate = self.members(one).fields.get(name)
            if candidate is not None:
                return one, candidate
        return None


def enclosing(name: str) -> str:
    """The class around a class (``Outer`` for ``Outer.Inner`` and ``Outer$1``), empty for a top-level class."""
    return name[: max(name.rfind("."), name.rfind("$"), 0)]


def _nearest(found: list[FoundClass], file: str) -> list[FoundClass]:
    """Those whose paths have most folders in common with ``file``."""
    own = file.split("/")

    def common(one: FoundClass) -> int:
        return next((i for i, (a, b) in enumerate(zip(one.file.split("/"), own, strict=False)) if a != b), len(own))

    most = max(map(common, found), default=0)
    return [one for one in found if common(one) == most]
