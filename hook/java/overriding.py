"""Which methods of project supertypes a method overrides or implements (JLS 8.4.2, 8.4.8.1)."""

from __future__ import annotations

from clausefit.hook.contracts.java_model import JavaMethod
from clausefit.hook.java.project import FoundClass, JavaProject
from clausefit.hook.java.types import TypeShape, type_parameter_name, type_shape


def overridden(
    project: JavaProject, found: FoundClass, method: JavaMethod
) -> tuple[tuple[FoundClass, JavaMethod], ...]:
    """The methods that ``method`` of the class ``found`` overrides, nearest first, with their classes."""
    if method.is_static or method.is_constructor or "private" in method.modifiers:
        return ()
    overloads = [
        one
        for one in project.members(found).methods.get(method.name, ())
        if len(one.parameters) == len(method.parameters) and not one.is_static
    ]
    above: list[tuple[FoundClass, JavaMethod]] = []
    for owner in project.supertypes(found):
        candidates = [
            one
            for one in project.members(owner).methods.get(method.name, ())
            if len(one.parameters) == len(method.parameters)
            and not one.is_static
            and not one.is_constructor
            and _is_visible(owner, one, found)
        ]
        exact = [one for one in candidates if _same(project, found, method, owner, one, loose=False)]
        if not exact:
            # A type parameter of the supertype stands for some type: sure only where no other overload can be meant.
            loose = [one for one in candidates if _same(project, found, method, owner, one, loose=True)]
            rivals = [
                one
                for one in overloads
                if one is not method and any(_same(project, found, one, owner, two, loose=True) for two in loose)
            ]
            exact = loose if len(loose) == 1 and not rivals else []
        above += [(owner, one) for one in exact[:1]]
    return tuple(above)


def _is_visible(owner: FoundClass, method: JavaMethod, heir: FoundClass) -> bool:
    if "private" in method.modifiers:
        return False
    is_public = owner.java.kind == "interface" or {"public", "protected"} & set(method.modifiers)
    return bool(is_public) or owner.package == heir.package


def _same(
    project: JavaProject, heir: FoundClass, own: JavaMethod, owner: FoundClass, other: JavaMethod, *, loose: bool
) -> bool:
    pairs = zip(own.parameters, other.parameters, strict=True)
    return all(
        _same_type(project, heir, own, type_shape(one.type), owner, other, type_shape(two.type), loose)
        for one, two in pairs
    )


def _same_type(
    project: JavaProject,
    heir: FoundClass,
    own: JavaMethod,
    mine: TypeShape,
    owner: FoundClass,
    other: JavaMethod,
    theirs: TypeShape,
    loose: bool,
) -> bool:
    if _is_variable(theirs.name, owner, other):
        if _is_variable(mine.name, heir, own) and mine.dimensions == theirs.dimensions:
            return True
        return loose and not mine.is_primitive and mine.dimensions >= theirs.dimensions
    if mine.dimensions != theirs.dimensions:
        return False
    if mine.name == theirs.name or mine.name.endswith("." + theirs.name) or theirs.name.endswith("." + mine.name):
        first = project.find(mine.name, heir.file, heir.java.name)
        second = project.find(theirs.name, owner.file, owner.java.name)
        return (first.qualified if first else None) == (second.qualified if second else None)
    return False


def _is_variable(name: str, found: FoundClass, method: JavaMethod) -> bool:
    return name in {type_parameter_name(text) for text in (*method.type_parameters, *found.java.type_parameters)}
