"""The state of one run: objects, classes, steps; and what every operation needs: conversions, exceptions, ignorance."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from clausefit.hook.pins.java import numbers
from clausefit.hook.pins.java.jdk import FUNCTIONAL
from clausefit.hook.pins.java.names import World, is_primitive
from clausefit.hook.pins.java.numbers import UNBOXED, WIDENING, WRAPPERS
from clausefit.hook.pins.java.values import (
    NULL,
    STRING,
    Arr,
    Boxed,
    Builder,
    ClassLit,
    Closure,
    Heap,
    JavaThrow,
    ListObj,
    Native,
    Null,
    Obj,
    Prim,
    Stop,
    Str,
    Unknown,
    Value,
    Void,
)

if TYPE_CHECKING:
    from clausefit.hook.pins.java.observed import MachineLimits, ObservedCall

NPE = "java.lang.NullPointerException"
# Values that JLS 5.1.7 says are boxed into one object each.
_CACHED = range(-128, 128)


@dataclass
class Run:
    """One test's run. ``handlers`` counts the places around that could see an exception (``try``, ``assertThrows``).

    ``escaped`` are the objects that unknown code has seen; ``statics`` the static fields by (class, name).
    """

    world: World
    limits: MachineLimits
    test_file: str = ""
    steps: int = 0
    depth: int = 0
    handlers: int = 0
    serial: int = 0
    unknown_code_ran: bool = False
    statics: dict[tuple[str, str], Value] = field(default_factory=dict)
    initialised: dict[str, Literal["running", "done"]] = field(default_factory=dict)
    escaped: list[Heap] = field(default_factory=list)
    calls: list[ObservedCall] = field(default_factory=list)
    origins: dict[int, tuple[Value, int]] = field(default_factory=dict)
    around: list[int] = field(default_factory=list)
    interned: dict[str, Str] = field(default_factory=dict)
    boxes: dict[tuple[str, int], Boxed] = field(default_factory=dict)
    class_literals: dict[str, ClassLit] = field(default_factory=dict)

    def again(self, test_file: str) -> Run:
        """A fresh run for another test. Only objects that never change are kept: interned strings, cached boxes."""
        return Run(
            self.world,
            self.limits,
            test_file,
            serial=self.serial,
            interned=self.interned,
            boxes=self.boxes,
            class_literals=self.class_literals,
        )

    def next_serial(self) -> int:
        """A number that no other object has."""
        self.serial += 1
        return self.serial

    def tick(self) -> None:
        """Count a step; Stop after too many."""
        self.steps += 1
        if self.steps > self.limits.steps:
            raise Stop(f"more than {self.limits.steps} steps")

    def spend(self, cells: int) -> None:
        """Count work on that many elements or characters at once; Stop before it is too much."""
        self.steps += cells // 16
        if cells > self.limits.steps * 4 or self.steps > self.limits.steps:
            raise Stop(f"more than {self.limits.steps} steps, or something too large to follow")

    # -- making values

    def literal(self, text: str) -> Str:
        """The interned string of a text."""
        found = self.interned.get(text)
        if found is None:
            found = self.interned[text] = Str(self.next_serial(), text)
        return found

    def new_str(self, text: str, is_sure: bool = True) -> Str:
        """A new string object, or one of which it is not known whether it is new."""
        return Str(self.next_serial(), text, is_sure)

    def class_literal(self, type_name: str) -> ClassLit:
        """The ``Class`` object of a type."""
        found = self.class_literals.get(type_name)
        if found is None:
            found = self.class_literals[type_name] = ClassLit(self.next_serial(), type_name)
        return found

    def new_array(self, element: str, elements: list[Value]) -> Arr:
        """A new array."""
        return Arr(self.next_serial(), element, elements)

    def box(self, prim: Prim) -> Boxed:
        """Boxing conversion (JLS 5.1.7)."""
        wrapper = WRAPPERS[prim.type]
        if prim.type in ("float", "double") or (prim.type != "boolean" and int(prim.value) not in _CACHED):
            return Boxed(self.next_serial(), wrapper, prim)
        key = (wrapper, int(prim.value))
        found = self.boxes.get(key)
        if found is None:
            found = self.boxes[key] = Boxed(self.next_serial(), wrapper, prim)
        return found

    def boxed(self, value: Value) -> Value:
        """``value`` as an Object: a primitive in its wrapper."""
        if isinstance(value, Prim):
            return self.box(value)
        if isinstance(value, Unknown) and value.type in WRAPPERS:
            return self.keep_origin(value, Unknown(WRAPPERS[value.type], is_nonnull=True))
        return value

    # -- exceptions

    def exception(self, type_name: str, message: Value | str | None = None) -> Obj:
        """A new JDK exception; its message is unknown where none is given, since JDKs word theirs differently."""
        made = Obj(self.next_serial(), type_name, None)
        if isinstance(message, str):
            made.message = self.literal(message)
        else:
            made.message = Unknown(STRING) if message is None else message
        return made

    def thrown(self, type_name: str, message: Value | str | None = None) -> JavaThrow:
        """The throw of a new JDK exception."""
        return JavaThrow(self.exception(type_name, message))

    def may_throw(self, why: str) -> None:
        """What follows may throw, it is not known whether: Stop if anything around could notice.

        If nothing could, an exception would be the end of the test, and then it would not pass.
        """
        if self.handlers:
            raise Stop(f"{why}, which may throw where an exception is caught")

    # -- conversions

    def truth(self, value: Value) -> bool:
        """A condition's value; Stop where it is not known."""
        if isinstance(value, Boxed):
            value = value.prim
        if isinstance(value, Prim):
            return bool(value.value)
        if isinstance(value, Null):
            raise self.thrown(NPE)
        raise Stop("a condition depends on a value that is not known")

    def unboxed(self, value: Value) -> Value:
        """Unboxing conversion (JLS 5.1.8) of a wrapper; a primitive stays; NullPointerException for null."""
        if isinstance(value, Prim):
            return value
        if isinstance(value, Boxed):
            return value.prim
        if isinstance(value, Null):
            raise self.thrown(NPE)
        if isinstance(value, Unknown):
            if not is_primitive(value.type):
                if not value.is_nonnull:
                    self.may_throw("a value that is not known is unboxed")
                return self.keep_origin(value, Unknown(UNBOXED.get(value.type, "")))
            return value
        raise Stop("an object that is no wrapper is unboxed")

    def keep_origin(self, old: Value, new: Value) -> Value:
        """``new`` as the result of the call that ``old`` came from."""
        if id(old) in self.origins:
            self.origins[id(new)] = (new, self.origins[id(old)][1])
        return new

    def convert(self, value: Value, target: str) -> Value:
        """Assignment or invocation conversion to a type (JLS 5.2, 5.3); an unknown type changes nothing."""
        if not target or target == "void":
            return value
        if is_primitive(target):
            return self._to_primitive(value, target)
        if isinstance(value, Prim):
            wanted = UNBOXED.get(target)
            return self.box(numbers.converted(value, wanted) if wanted else value)
        if isinstance(value, Unknown):
            if value.type in WRAPPERS:
                return self.boxed(value)
            return value if value.type else self.keep_origin(value, Unknown(target, value.is_nonnull))
        if isinstance(value, Void):
            raise Stop("a call without a result is used as a value")
        if isinstance(value, Closure):
            if not value.type and (target in FUNCTIONAL or target in self.world.by_name):
                value.type = target
            return value
        if not isinstance(value, Null) and self.world.is_subtype(self.type_of(value), target) is False:
            raise Stop(f"an object of {self.type_of(value)} stands where {target} is declared")
        return value

    def _to_primitive(self, value: Value, target: str) -> Value:
        if isinstance(value, Boxed) and value.prim.type != target and target not in WIDENING[value.prim.type]:
            raise Stop(f"an object of {value.type} stands where {target} is declared")
        value = self.unboxed(value)
        if isinstance(value, Prim):
            if value.type == target:
                return value
            if "boolean" in (value.type, target):
                raise Stop("a number and a boolean are mixed up")
            return self.keep_origin(value, numbers.converted(value, target))
        if isinstance(value, Unknown) and value.type == target:
            return value
        return self.keep_origin(value, Unknown(target))

    def type_of(self, value: Value) -> str:
        """The class of an object at run time (the static type of what is not known); empty if not known."""
        if isinstance(value, Obj):
            return value.info.qualified if value.info is not None else value.type
        if isinstance(value, Str):
            return STRING
        if isinstance(value, Arr):
            return value.element + "[]"
        if isinstance(value, ClassLit):
            return "java.lang.Class"
        if isinstance(value, Prim | Boxed | ListObj | Builder):
            return value.type
        return ""

    def is_instance(self, value: Value, type_name: str) -> bool | None:
        """``value instanceof type``; None where it is not known."""
        if isinstance(value, Null):
            return False
        if isinstance(value, Unknown):
            if value.type and value.is_nonnull and self.world.is_subtype(value.type, type_name):
                return True
            return None
        if isinstance(value, Closure | Native):
            return None
        return self.world.is_subtype(self.type_of(value), type_name)

    # -- statics

    def default_of(self, type_name: str) -> Value:
        """The default value of a field or array element (JLS 4.12.5)."""
        return numbers.DEFAULTS.get(type_name, NULL)

    def unknown_static(self, key: tuple[str, str], type_name: str) -> None:
        """Forget a static field."""
        self.statics[key] = Unknown(type_name)
