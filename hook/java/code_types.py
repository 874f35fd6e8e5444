"""The types of expressions in old Java code, as far as a skeleton needs them (JLS 5.6, 15.12)."""

from __future__ import annotations

from collections.abc import Sequence

from clausefit.hook.contracts.java_model import JavaMethod
from clausefit.hook.java.erasure import OBJECT, Erasure
from clausefit.hook.java.project import FoundClass
from clausefit.hook.java.types import PRIMITIVES

NULL = "null"
STRING = "java.lang.String"
_WIDER = {
    "byte": ("short", "int", "long", "float", "double"),
    "short": ("int", "long", "float", "double"),
    "char": ("int", "long", "float", "double"),
    "int": ("long", "float", "double"),
    "long": ("float", "double"),
    "float": ("double",),
}
_LIBRARY: dict[tuple[str, str, tuple[str, ...]], str] = {
    (STRING, "length", ()): "int",
    (STRING, "isEmpty", ()): "boolean",
    (STRING, "charAt", ("int",)): "char",
    (STRING, "equals", (OBJECT,)): "boolean",
    **{
        ("java.lang.Math", name, (one,) * count): one
        for name, count in (("abs", 1), ("min", 2), ("max", 2))
        for one in ("int", "long")
    },
}


class CannotRender(Exception):  # noqa: N818 - a fact about the code, not a mistake
    """Code that old Java does not know; the message says what, for people: ``it uses a lambda``."""


def binary_number(left: str, right: str) -> str | None:
    """The type of arithmetic on two types (JLS 5.6.2), None where one is no number."""
    if not {left, right} <= set(_WIDER) | {"double"}:
        return None
    return next((one for one in ("double", "float", "long") if one in (left, right)), "int")


def is_assignable(value: str, target: str, erasure: Erasure) -> bool:
    """Whether a value of one erased type can be passed where another is declared, without boxing (JLS 5.3)."""
    if value == target:
        return True
    if value in PRIMITIVES or target in PRIMITIVES:
        return target in _WIDER.get(value, ())
    if value == NULL or target == OBJECT:
        return True
    found = erasure.classes.get(value) or erasure.shallow.get(value)
    return found is not None and target in {one.qualified for one in erasure.project.supertypes(found)}


def library_result(owner: str, name: str, arguments: Sequence[str], erasure: Erasure) -> str | None:
    """The result type of a library method that KeY can execute or knows as a symbol; None for others."""
    fitting = [
        (parameters, result)
        for (known, method, parameters), result in _LIBRARY.items()
        if (known, method) == (owner, name)
        and len(parameters) == len(arguments)
        and all(is_assignable(a, p, erasure) for a, p in zip(arguments, parameters, strict=True))
    ]
    return fitting[0][1] if fitting else None


def chosen_method(
    candidates: Sequence[tuple[FoundClass, JavaMethod]], arguments: Sequence[str], erasure: Erasure
) -> tuple[FoundClass, JavaMethod]:
    """The method that a call with these argument types means (JLS 15.12.2), where that is beyond doubt.

    CannotRender where none fits without boxing and varargs, or several do and none of them exactly.
    """
    fitting: list[tuple[FoundClass, JavaMethod, tuple[str, ...]]] = []
    for owner, method in candidates:
        types = tuple(erasure.erased(one.type, owner, method) for one in method.parameters)
        known = [one[2] for one in fitting]
        is_new = len(types) == len(arguments) and types not in known
        if is_new and all(is_assignable(a, p, erasure) for a, p in zip(arguments, types, strict=True)):
            fitting.append((owner, method, types))
    exact = [one for one in fitting if one[2] == tuple(arguments)]
    chosen = exact or fitting
    if len(chosen) != 1:
        name = candidates[0][1].name if candidates else "a method"
        raise CannotRender(f"it is not clear which `{name}` it calls")
    return chosen[0][:2]
