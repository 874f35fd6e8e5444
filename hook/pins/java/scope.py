"""Scopes while code is translated: which local variable, field or type a name means at a place (JLS 6.3, 6.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from clausefit.hook.pins.java.values import Value

if TYPE_CHECKING:
    from clausefit.hook.pins.java.classes import ClassInfo, FieldInfo, TypeRef


class UnclearNameError(Exception):
    """A name may mean a member of a library class that is not known."""


class Local(NamedTuple):
    """A local variable: its slot, its static type, and its value if it is a constant variable (JLS 4.12.4)."""

    slot: int
    type: TypeRef
    constant: Value | None = None


@dataclass(eq=False)
class Code:
    """One body with its own slots: a method, a constructor, or the initializers of a class."""

    is_static: bool
    slots: int = 0
    result: str = "void"

    def new_slot(self) -> int:
        """A slot that nothing else uses."""
        self.slots += 1
        return self.slots - 1


@dataclass(eq=False)
class Scope:
    """A place in the text: the names that were declared here, and what is around.

    ``is_class`` marks the scope of a class's members; everything below it up to the next such scope is code.
    """

    info: ClassInfo
    parent: Scope | None
    code: Code | None
    is_class: bool = False
    locals: dict[str, Local] = field(default_factory=dict)
    classes: dict[str, ClassInfo] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    lambda_depth: int = 0

    def block(self) -> Scope:
        """A scope inside of this one."""
        return Scope(self.info, self, self.code, lambda_depth=self.lambda_depth)

    def declare(self, name: str, type_ref: TypeRef, constant: Value | None = None) -> Local:
        """Declare a local variable here."""
        if self.code is None:
            raise ValueError(name)
        local = Local(self.code.new_slot(), type_ref, constant)
        self.locals[name] = local
        return local

    def outward(self) -> Iterator[tuple[Scope, tuple[ClassInfo, ...]]]:
        """This scope and those around it, each with the classes that lie between (to be left to get there)."""
        one: Scope | None = self
        left: tuple[ClassInfo, ...] = ()
        while one is not None:
            yield one, left
            if one.is_class:
                left = (*left, one.info)
            one = one.parent


class FoundLocal(NamedTuple):
    """A name that is a local variable; ``left`` are the classes between."""

    local: Local
    left: tuple[ClassInfo, ...]


class FoundField(NamedTuple):
    """A name that is a field of the class around which is reached by leaving ``left``; ``within`` is that class."""

    field: FieldInfo
    within: ClassInfo
    left: tuple[ClassInfo, ...]


def variable_named(name: str, scope: Scope) -> FoundLocal | FoundField | None:
    """The local variable or field that a simple name means (JLS 6.5.6.1), without static imports.

    Raises ``UnclearNameError`` where a class between may inherit a field of that name from a library.
    """
    is_unclear = False
    for one, left in scope.outward():
        found: FoundLocal | FoundField | None = None
        if name in one.locals:
            found = FoundLocal(one.locals[name], left)
        elif one.is_class:
            field_info = one.info.field(name)
            found = FoundField(field_info, one.info, left) if field_info is not None else None
        if found is not None and is_unclear:
            raise UnclearNameError(name)
        if found is not None:
            return found
        is_unclear = is_unclear or (one.is_class and one.info.has_unknown_supertype)
    return None
