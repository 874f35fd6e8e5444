"""What a Java program works on while it is interpreted: primitive values, and objects with identity.

A value is exactly what the JVM would have, or ``Unknown``. Objects are mutable and compared by identity (``is``), as
``==`` does in Java; everything else is immutable. ``serial`` numbers of objects name their blocks in pins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from clausefit.hook.pins.java.classes import ClassInfo

OBJECT = "java.lang.Object"
STRING = "java.lang.String"


@dataclass(frozen=True, slots=True, eq=False)
class Prim:
    """A value of a primitive type: ``value`` is a bool for ``boolean``, a float for ``float`` and ``double``
    (already rounded to the type), else an int in the type's range (``char`` is its code unit)."""

    type: str
    value: int | float


@dataclass(frozen=True, slots=True, eq=False)
class Null:
    """The null reference; there is one, ``NULL``."""


@dataclass(frozen=True, slots=True, eq=False)
class Void:
    """What a call of a ``void`` method gives; there is one, ``VOID``."""


@dataclass(frozen=True, slots=True, eq=False)
class Unknown:
    """A value that the interpreter does not know; ``type`` is its static type, empty when that is not known either.

    ``is_nonnull``: it is known not to be null (a fresh object of a library, say).
    """

    type: str = ""
    is_nonnull: bool = False


NULL = Null()
VOID = Void()
TRUE = Prim("boolean", True)
FALSE = Prim("boolean", False)


class Heap:
    """Base of all that has identity; ``serial`` is unique in a machine's run."""

    __slots__ = ("serial",)

    def __init__(self, serial: int) -> None:
        self.serial = serial


class Str(Heap):
    """A string object: its UTF-16 code units as Python characters.

    ``is_sure``: it is known which object it is (a literal, a new one); a JDK method may return an old or a new one.
    """

    __slots__ = ("is_sure", "value")

    def __init__(self, serial: int, value: str, is_sure: bool = True) -> None:
        super().__init__(serial)
        self.value = value
        self.is_sure = is_sure


class Boxed(Heap):
    """A wrapper object: ``type`` is ``java.lang.Integer`` etc."""

    __slots__ = ("prim", "type")

    def __init__(self, serial: int, wrapper: str, prim: Prim) -> None:
        super().__init__(serial)
        self.type = wrapper
        self.prim = prim


@dataclass(slots=True)
class Env:
    """What code sees around it: ``this`` (None in a static context) and the local variables by slot."""

    this: Obj | None
    locals: list[Value]


class Obj(Heap):
    """An object of a project class, an enum constant, or an exception of the JDK.

    ``type`` is the qualified name of its class; ``info`` is None for a JDK exception. ``fields`` are keyed by
    (qualified declaring class, name). ``constant`` and ``ordinal`` are those of an enum constant. ``message`` and
    ``cause`` belong to throwables. ``enclosing`` holds for each inner or local class in its hierarchy what is around.
    """

    __slots__ = ("cause", "constant", "enclosing", "fields", "info", "message", "ordinal", "type")

    def __init__(self, serial: int, type_name: str, info: ClassInfo | None) -> None:
        super().__init__(serial)
        self.type = type_name
        self.info = info
        self.fields: dict[tuple[str, str], Value] = {}
        self.constant: str | None = None
        self.ordinal = -1
        self.message: Value = NULL
        self.cause: Value = NULL
        self.enclosing: dict[str, Env] = {}


class Arr(Heap):
    """An array; ``element`` is the (erased) type of its elements."""

    __slots__ = ("element", "elements")

    def __init__(self, serial: int, element: str, elements: list[Value]) -> None:
        super().__init__(serial)
        self.element = element
        self.elements = elements


class ListObj(Heap):
    """A ``java.util`` list. ``kind``: ``immutable`` (List.of), ``fixed`` (Arrays.asList), ``growing`` (ArrayList).

    ``type`` is its class. ``elements`` is None once something unknown may have changed it. ``backing`` is the array
    behind ``Arrays.asList``, which has the elements then. ``changes`` counts changes of its size.
    """

    __slots__ = ("backing", "changes", "elements", "kind", "type")

    def __init__(self, serial: int, type_name: str, kind: str, elements: list[Value] | None) -> None:
        super().__init__(serial)
        self.type = type_name
        self.kind = kind
        self.elements = elements
        self.backing: Arr | None = None
        self.changes = 0


class Builder(Heap):
    """A StringBuilder or StringBuffer; ``text`` is None when it is not known."""

    __slots__ = ("text", "type")

    def __init__(self, serial: int, type_name: str, text: str | None) -> None:
        super().__init__(serial)
        self.type = type_name
        self.text = text


class ClassLit(Heap):
    """A class literal; ``type`` is the type's qualified name. One object for each type."""

    __slots__ = ("type",)

    def __init__(self, serial: int, type_name: str) -> None:
        super().__init__(serial)
        self.type = type_name


class Closure(Heap):
    """A lambda or method reference. ``call`` runs it; ``type`` is the functional interface where it is known.

    ``captured`` are the values that it holds (its receiver, and the locals around it).
    """

    __slots__ = ("arity", "call", "captured", "type")

    def __init__(
        self, serial: int, type_name: str, call: Callable[[list[Value]], Value], captured: Env, arity: int | None
    ) -> None:
        super().__init__(serial)
        self.type = type_name
        self.call = call
        self.captured = captured
        self.arity = arity


class Native(Heap):
    """An object of a test framework, made and understood by intrinsics (``assertThat(x)``).

    ``type`` is its qualified class (calls on it ask the intrinsics for that owner), ``payload`` what they keep in it.
    """

    __slots__ = ("payload", "type")

    def __init__(self, serial: int, type_name: str, payload: object) -> None:
        super().__init__(serial)
        self.type = type_name
        self.payload = payload


Value: TypeAlias = Prim | Null | Void | Unknown | Heap


class JavaThrow(Exception):  # noqa: N818 (it is a completion of Java code, not an error of ours)
    """A Java exception on its way; ``value`` is the thrown object (``Unknown`` when only a type is known)."""

    def __init__(self, value: Obj, line: int = 0) -> None:
        super().__init__(value.type)
        self.value = value
        self.line = line


class Stop(Exception):  # noqa: N818 (the end of what is known, not an error)
    """The interpreter cannot follow the program any further: ``reason`` is one sentence without a final full stop."""

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
