"""Whether the objects of a recorded call are still objects of the classes at hand: a class may have lost a field."""

from __future__ import annotations

from collections.abc import Iterator

from clausefit.hook.java.project import FoundClass, JavaProject
from clausefit.hook.java.types import PRIMITIVES
from clausefit.hook.pins.values import Pin, Struct, Unknown, Value


class RecordedObjects:
    """Compares recorded objects with the classes of a project; each class is looked up once."""

    def __init__(self, project: JavaProject) -> None:
        self._project = project
        self._fields: dict[tuple[str, str], dict[str, str] | None] = {}

    def fit(self, pin: Pin, file: str) -> bool:
        """Whether no object of the pin has a field that its class has not, or a value of another kind in one.

        ``file`` is that of the method. A field that an object does not show is none that is known, and classes that
        are not the project's, or extend such a one, may have any.
        """
        wholes = (*(block.value for block in pin.blocks), *(value for _block, value in pin.outcome.after))
        return all(self._is_of_its_class(one, file) for one in wholes if isinstance(one, Struct))

    def _is_of_its_class(self, one: Struct, file: str) -> bool:
        known = self._fields_of(one.type, file)
        if known is None:
            return True
        return all("$" in name or (name in known and _may_hold(known[name], value)) for name, value in one.fields)

    def _fields_of(self, class_name: str, file: str) -> dict[str, str] | None:
        """The fields of a class with their types as written; None where it may have others."""
        key = (class_name, file)
        if key not in self._fields:
            found = self._project.find(class_name.replace("$", "."), file)
            self._fields[key] = None
            if found is not None and found.java.kind in ("class", "record"):
                above = [one for one in (found, *self._project.supertypes(found)) if one.java.kind != "interface"]
                if all(not one.java.extends or self._extends_own(one) for one in above):
                    self._fields[key] = dict(_fields(above))
        return self._fields[key]

    def _extends_own(self, found: FoundClass) -> bool:
        return any(one.java.kind != "interface" for one in self._project.direct_supertypes(found))


def _fields(classes: list[FoundClass]) -> Iterator[tuple[str, str]]:
    """The fields of the classes, those of the class itself last, as it hides what it inherits."""
    for one in reversed(classes):
        for field in one.java.fields:
            yield field.name, field.type


def _may_hold(declared: str, value: Value) -> bool:
    if isinstance(value, Unknown):
        return True
    return declared == value.type if declared in PRIMITIVES or value.type in PRIMITIVES else True
