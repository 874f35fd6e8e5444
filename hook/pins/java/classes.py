"""Classes of a Java program as the interpreter needs them: members with erased types, in the order of the text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from clausefit.hook.pins.java.jdk import FUNCTIONAL, SUPERTYPES, is_throwable
from clausefit.hook.pins.java.values import OBJECT
from tree_sitter import Node

if TYPE_CHECKING:
    from clausefit.hook.pins.java.scope import Scope


class TypeRef(NamedTuple):
    """A type as it stands somewhere: its erasure (empty: not known), and the type variable that it names, if it does.

    ``variable`` is ``T`` or ``T[]``. ``arguments`` are those of a parameterized type.
    """

    erased: str
    variable: str = ""
    arguments: tuple[TypeRef, ...] = ()


# Supertypes from the JDK of which all methods are abstract, or those that every object has.
_WITHOUT_MORE = frozenset(
    {
        *("java.lang.Object", "java.lang.Record", "java.lang.Enum", "java.lang.Comparable", "java.io.Serializable"),
        *("java.lang.Cloneable", "java.lang.Runnable", "java.lang.AutoCloseable", "java.io.Closeable"),
        *(name for name in FUNCTIONAL),
    }
)
OBJECT_REF = TypeRef(OBJECT)


@dataclass(eq=False)
class FieldInfo:
    """A field; ``scope`` is where its initializer stands."""

    owner: ClassInfo
    name: str
    type: TypeRef
    is_static: bool
    is_final: bool
    is_private: bool
    initializer: Node | None
    line: int

    @property
    def key(self) -> tuple[str, str]:
        """Its key in ``Obj.fields``, and in the static fields of a run."""
        return self.owner.qualified, self.name


class ParameterInfo(NamedTuple):
    """A parameter of a method."""

    name: str
    type: TypeRef


@dataclass(eq=False)
class MethodInfo:
    """A method or constructor. ``node`` is None for what the compiler adds (default and canonical constructors).

    ``signature`` is that of its contract when calls are watched, else empty. ``component`` is what an accessor of a
    record that the compiler adds gives.
    """

    owner: ClassInfo
    name: str
    parameters: tuple[ParameterInfo, ...]
    result: TypeRef
    modifiers: frozenset[str]
    node: Node | None
    body: Node | None
    is_varargs: bool = False
    is_constructor: bool = False
    is_compact: bool = False
    variables: dict[str, str] = field(default_factory=dict)
    signature: str = ""
    component: FieldInfo | None = None

    @property
    def is_static(self) -> bool:
        """Whether it runs without an object."""
        return "static" in self.modifiers

    @property
    def is_private(self) -> bool:
        """Whether it is not inherited."""
        return "private" in self.modifiers

    @property
    def is_abstract(self) -> bool:
        """Whether there is no code that could be run."""
        return self.body is None and not self.is_constructor and self.component is None


class Part(NamedTuple):
    """A piece of initialisation: a field's initializer, an initializer block, or an enum constant."""

    field: FieldInfo | None
    node: Node
    is_constant: bool = False


@dataclass(eq=False)
class Inside:
    """What stands in a class: its header's types and its members.

    ``trouble`` says why the class cannot be run, if so.
    """

    superclass: ClassInfo | str = OBJECT
    super_ref: TypeRef = OBJECT_REF
    interfaces: tuple[ClassInfo | str, ...] = ()
    interface_refs: tuple[TypeRef, ...] = ()
    variables: dict[str, str] = field(default_factory=dict)
    fields: dict[str, FieldInfo] = field(default_factory=dict)
    methods: dict[str, list[MethodInfo]] = field(default_factory=dict)
    constructors: list[MethodInfo] = field(default_factory=list)
    static_parts: list[Part] = field(default_factory=list)
    instance_parts: list[Part] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)
    components: list[FieldInfo] = field(default_factory=list)
    members: dict[str, Node] = field(default_factory=dict)
    trouble: str = ""


@dataclass(eq=False)
class ClassInfo:
    """A class, interface, enum or record, also local and anonymous ones. Its members are read when they are needed.

    ``name`` is qualified by the classes around it; ``known_as`` is the nearest class that ``JavaProject`` knows.
    ``outer`` is the class around, ``scope`` where the class's members see. ``is_inner``: its objects have something
    around them (an object, or the locals of a method).
    """

    file: str
    package: str
    name: str
    simple: str
    kind: str
    node: Node
    known_as: str
    outer: ClassInfo | None
    modifiers: frozenset[str]
    load: Callable[[ClassInfo, Inside], None]
    is_local: bool = False
    is_inner: bool = False
    _scope: Scope | None = None
    _inside: Inside | None = None

    @property
    def scope(self) -> Scope:
        """The scope of its members."""
        if self._scope is None:
            raise ValueError(self.name)
        return self._scope

    @scope.setter
    def scope(self, scope: Scope) -> None:
        self._scope = scope

    @property
    def inside(self) -> Inside:
        """Its members; while they are being read, what has been read so far."""
        if self._inside is None:
            self._inside = Inside()
            self.load(self, self._inside)
        return self._inside

    @property
    def qualified(self) -> str:
        """``p.Outer.Inner``."""
        return f"{self.package}.{self.name}" if self.package else self.name

    @property
    def is_interface(self) -> bool:
        """Whether it is an interface or annotation type."""
        return self.kind in ("interface", "annotation")

    def superclasses(self) -> Iterator[ClassInfo]:
        """The class itself and its superclasses, as far as they are classes of the project."""
        seen: set[int] = set()
        one: ClassInfo | str = self
        while isinstance(one, ClassInfo) and id(one) not in seen:
            seen.add(id(one))
            yield one
            one = one.inside.superclass

    def library_superclass(self) -> str:
        """The nearest superclass that is not of the project; empty when it is not known which one that is."""
        last = list(self.superclasses())[-1]
        return last.inside.superclass if isinstance(last.inside.superclass, str) else ""

    def supertypes(self) -> Iterator[ClassInfo]:
        """The class and all its supertypes of the project, each once, superclasses first."""
        seen: set[int] = set()
        todo: list[ClassInfo] = list(self.superclasses())
        while todo:
            one = todo.pop(0)
            if id(one) in seen:
                continue
            seen.add(id(one))
            yield one
            todo += [above for above in one.inside.interfaces if isinstance(above, ClassInfo)]

    def library_supertypes(self) -> set[str]:
        """The supertypes that are not of the project; an empty name among them stands for one that is not known."""
        found: set[str] = set()
        for one in self.supertypes():
            found |= {above for above in (one.inside.superclass, *one.inside.interfaces) if isinstance(above, str)}
        return found

    def is_within(self, other: ClassInfo) -> bool:
        """Whether it is ``other`` or a subtype of it."""
        return any(one is other for one in self.supertypes())

    def field(self, name: str) -> FieldInfo | None:
        """The field of a name, own or inherited (JLS 8.3.3): superclasses before interfaces."""
        for one in self.supertypes():
            if name in one.inside.fields and (one is self or not one.inside.fields[name].is_private):
                return one.inside.fields[name]
        return None

    @cached_property
    def has_unknown_supertype(self) -> bool:
        """Whether it may inherit members of a library class that is not known."""
        return any(one not in SUPERTYPES for one in self.library_supertypes())

    @cached_property
    def has_unknown_members(self) -> bool:
        """Whether it may inherit methods from the JDK or a library beside those that every class is known to have."""
        return any(one not in _WITHOUT_MORE and not is_throwable(one) for one in self.library_supertypes())
