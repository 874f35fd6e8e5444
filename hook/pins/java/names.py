"""Types by name: classes of the project as they are loaded, JDK types, type variables (JLS 6.5.5, 4.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clausefit.hook.contracts.java_tree import TYPES, JavaText, members
from clausefit.hook.pins.java.classes import ClassInfo, Inside, TypeRef
from clausefit.hook.pins.java.imports import is_of_test_library
from clausefit.hook.pins.java.jdk import LANG, PACKAGES, SUPERTYPES
from clausefit.hook.pins.java.members import load_members, modifiers_of
from clausefit.hook.pins.java.scope import Scope
from clausefit.hook.pins.java.values import OBJECT, Stop
from tree_sitter import Node

if TYPE_CHECKING:
    from clausefit.hook.java.project import FoundClass, JavaProject

_PRIMITIVE_NODES = ("integral_type", "floating_point_type", "boolean_type", "void_type")
_NAMED_NODES = ("type_identifier", "scoped_type_identifier", "identifier", "scoped_identifier", "field_access")
UNKNOWN_TYPE = TypeRef("")


class World:
    """The classes of one project, loaded when they are first needed. ``watched`` are signatures to be observed."""

    def __init__(self, project: JavaProject, watched: frozenset[str]) -> None:
        self.project = project
        self.watched = watched
        self.by_name: dict[str, ClassInfo] = {}
        self._nodes: dict[str, dict[str, Node]] = {}
        self._imports: dict[str, tuple[str, ...]] = {}

    # -- text

    def text(self, node: Node, file: str) -> str:
        """The text of a node."""
        return self.java_text(file).text[node.start_byte : node.end_byte]

    def java_text(self, file: str) -> JavaText:
        """The tree of a file; Stop where there is none."""
        found = self.project.tree(file)
        if found is None:
            raise Stop(f"{file} cannot be read")
        return found

    def imports(self, file: str) -> tuple[str, ...]:
        """The imports of a file as ``JavaFile.imports`` has them."""
        if file not in self._imports:
            source = self.project.source(file)
            java = source.java if source is not None else None
            self._imports[file] = java.imports if java is not None else ()
        return self._imports[file]

    def package(self, file: str) -> str:
        """The package of a file."""
        source = self.project.source(file)
        return source.java.package if source is not None and source.java is not None else ""

    # -- classes

    def info(self, found: FoundClass) -> ClassInfo:
        """The class that ``JavaProject`` found; Stop where two classes have one name."""
        known = self.by_name.get(found.qualified)
        if known is not None:
            if known.file != found.file:
                raise Stop(f"there are two classes {found.qualified}")
            return known
        node = self._class_nodes(found.file).get(found.java.name)
        if node is None:
            raise Stop(f"the class {found.qualified} cannot be found in its file")
        outer_name = found.java.name.rpartition(".")[0]
        outer = self.class_in(found.file, outer_name) if outer_name else None
        return self._new(found.file, node, found.java.name, outer)

    def class_in(self, file: str, name: str) -> ClassInfo:
        """The class of a dotted name in a file; Stop where there is none."""
        for one in self.project.classes(file):
            if one.java.name == name:
                return self.info(one)
        raise Stop(f"there is no class {name} in {file}")

    def _class_nodes(self, file: str) -> dict[str, Node]:
        """The nodes of the named member and top-level classes of a file, by their dotted names."""
        if file not in self._nodes:
            found: dict[str, Node] = {}
            todo: list[tuple[Node, str]] = [(self.java_text(file).root, "")]
            while todo:
                around, prefix = todo.pop()
                for child in members(around):
                    name_node = child.child_by_field_name("name")
                    if child.type in TYPES and name_node is not None:
                        name = prefix + self.text(name_node, file)
                        found.setdefault(name, child)
                        body = child.child_by_field_name("body")
                        if body is not None:
                            todo.append((body, name + "."))
            self._nodes[file] = found
        return self._nodes[file]

    def _load(self, info: ClassInfo, inside: Inside) -> None:
        load_members(self, info, inside)

    def _new(self, file: str, node: Node, name: str, outer: ClassInfo | None) -> ClassInfo:
        kind = TYPES.get(node.type, "class")
        modifiers = modifiers_of(node, self.java_text(file).text)
        info = ClassInfo(
            file=file,
            package=self.package(file),
            name=name,
            simple=name.rpartition(".")[2],
            kind=kind,
            node=node,
            known_as=outer.known_as if outer is not None and "$local" in name else name,
            outer=outer,
            modifiers=modifiers,
            load=self._load,
        )
        info.scope = Scope(info, outer.scope if outer is not None else None, None, is_class=True)
        is_static = kind != "class" or "static" in modifiers or (outer is not None and outer.is_interface)
        info.is_inner = outer is not None and not is_static
        self.by_name[info.qualified] = info
        return info

    def local_class(self, node: Node, scope: Scope, simple: str) -> ClassInfo:
        """A local or anonymous class that is declared at ``scope``; an anonymous one has no ``simple`` name.

        Its name is one that no class of the project has: what javac calls it depends on all the others.
        """
        around = scope.info
        name = f"{around.name}$local{node.start_byte}{simple}"
        info = ClassInfo(
            file=around.file,
            package=around.package,
            name=name,
            simple=simple,
            kind=TYPES.get(node.type, "class"),
            node=node,
            known_as=around.known_as,
            outer=around,
            modifiers=modifiers_of(node, self.java_text(around.file).text),
            load=self._load,
            is_local=True,
        )
        info.scope = Scope(info, scope, None, is_class=True)
        info.is_inner = info.kind == "class"
        if simple:
            scope.classes[simple] = info
        self.by_name[info.qualified] = info
        return info

    # -- types

    def type_of(self, node: Node | None, scope: Scope, dimensions: int = 0) -> TypeRef:
        """The type that a type node names at ``scope``, with more ``dimensions`` behind it."""
        if node is None:
            return UNKNOWN_TYPE
        if node.type == "annotated_type":
            named = [child for child in node.named_children if "annotation" not in child.type]
            return self.type_of(named[-1] if named else None, scope, dimensions)
        if node.type == "array_type":
            brackets = node.child_by_field_name("dimensions")
            more = self.text(brackets, scope.info.file).count("[") if brackets is not None else 1
            return self.type_of(node.child_by_field_name("element"), scope, dimensions + more)
        arguments: tuple[TypeRef, ...] = ()
        if node.type == "generic_type":
            arguments = tuple(
                self.type_of(one, scope)
                for child in node.named_children
                if child.type == "type_arguments"
                for one in child.named_children
            )
            node = node.named_children[0]
        if node.type in _PRIMITIVE_NODES:
            return TypeRef(self.text(node, scope.info.file) + "[]" * dimensions)
        if node.type not in _NAMED_NODES:
            return UNKNOWN_TYPE
        found = self.named_type("".join(self.text(node, scope.info.file).split()), scope)
        if not found.erased or not dimensions:
            return TypeRef(found.erased, found.variable, arguments)
        variable = found.variable + "[]" * dimensions if found.variable else ""
        return TypeRef(found.erased + "[]" * dimensions, variable)

    def named_type(self, name: str, scope: Scope) -> TypeRef:
        """The type of a simple, dotted or qualified name; an empty one where it is not known."""
        first, _, rest = name.partition(".")
        local = self._declared_around(first, scope)
        if isinstance(local, TypeRef):
            return local if not rest else UNKNOWN_TYPE
        if local is not None:
            return self._member_type(local, rest)
        found = self.project.find(name, scope.info.file, scope.info.known_as)
        if found is not None:
            return TypeRef(self.info(found).qualified)
        return TypeRef(self.library_type(name, scope.info.file))

    def _declared_around(self, name: str, scope: Scope) -> ClassInfo | TypeRef | None:
        """A type variable or a class that is declared in code around; member classes are ``JavaProject``'s."""
        for one, _ in scope.outward():
            if name in one.classes:
                return one.classes[name]
            if name in one.variables:
                return TypeRef(one.variables[name], name)
            if one.is_class:
                if name in one.info.inside.variables:
                    return TypeRef(one.info.inside.variables[name], name)
                if one.info.is_local and name == one.info.simple:
                    return one.info
                if one.info.is_local and name in one.info.inside.members:
                    return self._new(one.info.file, one.info.inside.members[name], f"{one.info.name}.{name}", one.info)
        return None

    def _member_type(self, info: ClassInfo, rest: str) -> TypeRef:
        for part in rest.split(".") if rest else ():
            if part not in info.inside.members:
                return UNKNOWN_TYPE
            qualified = f"{info.qualified}.{part}"
            known = self.by_name.get(qualified)
            info = known or self._new(info.file, info.inside.members[part], f"{info.name}.{part}", info)
        return TypeRef(info.qualified)

    def library_type(self, name: str, file: str) -> str:
        """The qualified name of a type that is not of the project; empty where it is not known (JLS 7.5)."""
        first, _, rest = name.partition(".")
        tail = f".{rest}" if rest else ""
        imports = self.imports(file)
        for one in imports:
            target = one.removeprefix("static ")
            if target.rpartition(".")[2] == first and "." in target:
                return target + tail
        if first in LANG:
            return LANG[first] + tail
        for one in imports:
            if one.endswith(".*") and first in PACKAGES.get(one[:-2], {}):
                return PACKAGES[one[:-2]][first] + tail
            if one.endswith(".*") and is_of_test_library(one[:-2], first):
                return f"{one[:-2]}.{first}{tail}"
        if rest and first.islower():
            return name
        return ""

    # -- relations

    def is_subtype(self, sub: str, sup: str) -> bool | None:
        """Whether reference type ``sub`` is ``sup`` or a subtype of it (JLS 4.10); None where that is not known."""
        if sub == sup and sub:
            return True
        if not sub or not sup:
            return True if sup == OBJECT else None
        if sup == OBJECT:
            return True
        if sub.endswith("[]"):
            return self._is_array_subtype(sub, sup)
        info = self.by_name.get(sub)
        if info is None:
            listed = _library_supertypes(sub)
            return None if listed is None else sup in listed
        if any(one.qualified == sup for one in info.supertypes()):
            return True
        is_unsure = False
        for one in info.library_supertypes():
            listed = _library_supertypes(one)
            if listed is not None and sup in listed:
                return True
            is_unsure = is_unsure or listed is None
        return None if is_unsure and sup not in self.by_name else False

    def _is_array_subtype(self, sub: str, sup: str) -> bool | None:
        if not sup.endswith("[]"):
            return sup in ("java.lang.Cloneable", "java.io.Serializable")
        one, other = sub[:-2], sup[:-2]
        if is_primitive(one) or is_primitive(other):
            return one == other
        return self.is_subtype(one, other)


def is_primitive(name: str) -> bool:
    """Whether a type name is that of a primitive type."""
    return name in ("boolean", "byte", "char", "short", "int", "long", "float", "double")


def _library_supertypes(name: str) -> frozenset[str] | None:
    found: set[str] = {OBJECT}
    todo = [name]
    while todo:
        one = todo.pop()
        if one not in SUPERTYPES:
            return None
        if one not in found or one == OBJECT:
            found.add(one)
            todo += SUPERTYPES[one]
    return frozenset(found)
