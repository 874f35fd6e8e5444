"""Names in a clause made independent of the place where it stands: types and static members by their full names.

A verifier sees a clause without the imports and the classes around it (JLS 6.4, 6.5), and an inherited clause is asked
in another class than it was written in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from clausefit.hook.contracts.java_model import JavaField, JavaMethod
from clausefit.hook.java.library import library_name
from clausefit.hook.java.names import Edit, Name, substituted, words_of
from clausefit.hook.java.project import FoundClass, JavaProject, enclosing
from clausefit.hook.java.types import bound_of, simple_name, type_parameter_name, type_shape
from clausefit.hook.not_expressible import NotExpressible

_DEEPEST_BOUND = 8


@dataclass(frozen=True)
class Place:
    """Where a clause was written: the class, the method (None for a class clause), and where it is asked.

    ``renames`` are the parameters that have other names where it is asked; ``taken`` all names of variables there.
    ``values`` gives for a variable of the spec case (``old``) the text that stands for it, in the state before.
    ``heir`` is the class where it is asked.
    """

    project: JavaProject
    found: FoundClass
    method: JavaMethod | None
    heir: FoundClass
    renames: Mapping[str, str] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def parameters(self) -> frozenset[str]:
        """The names of the parameters where the clause was written."""
        return frozenset(one.name for one in self.method.parameters) if self.method is not None else frozenset()


def placed(formula: str, place: Place, *, is_signals: bool = False, is_before: bool = False) -> str:
    """The formula as it is asked: full names, parameters renamed, ``old`` variables replaced by what they stand for.

    ``is_before``: all of it speaks of the state before the call. NotExpressible when a name would mean something else.
    """
    news = frozenset(place.renames.values()) | frozenset().union(*map(words_of, place.values.values()))

    def replace(name: Name) -> Edit | None:
        return _replacement(name, place, is_before)

    return substituted(formula, replace, news, is_signals=is_signals)


def _replacement(name: Name, place: Place, is_before: bool) -> Edit | None:
    head = name.chain[0]
    if not name.is_call:
        value = place.values.get(head.text)
        if value is not None:
            in_before = is_before or name.in_old
            return Edit(head.start, head.end, f"({value})" if in_before else f"(\\old({value}))")
        if head.text in place.parameters:
            new = place.renames.get(head.text)
            return None if new is None else Edit(head.start, head.end, new)
    new = _method(name, place) if name.is_call else _variable(name, place)
    if new is not None:
        return Edit(head.start, head.end, new)
    if name.is_call or _is_variable(name, place):
        return None
    return _type(name, place)


def _is_variable(name: Name, place: Place) -> bool:
    return _field_around(name.text, place) is not None


def _field_around(name: str, place: Place) -> tuple[FoundClass, JavaField, bool] | None:
    """The field that a simple name means, its class, and whether it belongs to the class itself or a supertype."""
    around: FoundClass | None = place.found
    is_own = True
    while around is not None:
        found = place.project.field(around, name)
        if found is not None:
            return (*found, is_own)
        is_own = False
        outer = enclosing(around.java.name)
        around = place.project.find(outer, around.file) if outer else None
    return None


def is_static_field(owner: FoundClass, one: JavaField) -> bool:
    """Whether a field is static; those of interfaces are (JLS 9.3), unless JML says ``instance``."""
    if owner.java.kind in ("interface", "annotation"):
        return "instance" not in one.modifiers
    return "static" in one.modifiers


def _variable(name: Name, place: Place) -> str | None:
    """The text for a field that the simple name alone would not mean where it is asked; None where it would."""
    found = _field_around(name.text, place)
    if found is None:
        return _imported(name.text, place, is_method=False)
    owner, one, is_own = found
    is_static = is_static_field(owner, one)
    if not is_own:
        return f"{owner.qualified}.{one.name}" if is_static else None
    if place.heir is not place.found:
        seen = place.project.field(place.heir, one.name)
        if seen is not None and seen[0].qualified != owner.qualified:
            if is_static:
                return f"{owner.qualified}.{one.name}"
            raise NotExpressible(f"`{one.name}` means a field that {place.heir.simple} hides")
    if name.text in place.taken:
        return f"{owner.qualified}.{one.name}" if is_static else f"this.{one.name}"
    return None


def _method(name: Name, place: Place) -> str | None:
    around: FoundClass | None = place.found
    is_own = True
    while around is not None:
        methods = place.project.methods(around, name.text)
        if methods:
            owner, method = methods[0]
            return f"{owner.qualified}.{method.name}" if not is_own and method.is_static else None
        is_own = False
        outer = enclosing(around.java.name)
        around = place.project.find(outer, around.file) if outer else None
    return _imported(name.text, place, is_method=True)


def _imported(name: str, place: Place, *, is_method: bool) -> str | None:
    """A static member by its import; one of a class that is not in the project only where it is named."""
    owner = static_owner(place.project, place.found, name, is_method=is_method)
    if owner is not None:
        return f"{owner.qualified}.{name}"
    for text in imports_of(place.project, place.found):
        if text.startswith("static ") and simple_name(text) == name:
            return text.removeprefix("static ")
    return None


def static_owner(project: JavaProject, found: FoundClass, name: str, *, is_method: bool) -> FoundClass | None:
    """The project class of which a static import makes the member ``name`` known (JLS 7.5.3, 7.5.4)."""
    for text in imports_of(project, found):
        if not text.startswith("static "):
            continue
        owner, _, member = text.removeprefix("static ").rpartition(".")
        one = project.find(owner, found.file) if member in (name, "*") else None
        if one is not None:
            if is_method:
                methods = project.methods(one, name)
                where = next((where for where, method in methods if method.is_static), None)
                if where is not None:
                    return where
                continue
            field = project.field(one, name)
            if field is not None and is_static_field(*field):
                return field[0]
    return None


def imports_of(project: JavaProject, found: FoundClass) -> tuple[str, ...]:
    """The imports of the file of a class."""
    source = project.source(found.file)
    return source.java.imports if source is not None and source.java is not None else ()


def _type(name: Name, place: Place) -> Edit | None:
    """The longest part of a chain that is a type, by its full name; for an inherited static member, its owner."""
    chain = name.chain[: len(name.chain) - name.calls_last]
    for size in range(len(chain), 0, -1):
        text = ".".join(token.text for token in chain[:size])
        found = place.project.find(text, place.found.file, place.found.java.name)
        if found is None:
            continue
        owner = found
        if size < len(chain):
            member = place.project.field(found, chain[size].text)
            owner = member[0] if member is not None else found
        elif name.calls_last:
            methods = place.project.methods(found, name.chain[size].text)
            owner = methods[0][0] if methods and methods[0][1].is_static else found
        return Edit(chain[0].start, chain[size - 1].end, owner.qualified)
    if not chain:
        return None
    full = qualified_type(chain[0].text, place.project, place.found, place.method)
    # Classes of ``java.lang`` are known by their simple names everywhere.
    is_known = full in (chain[0].text, f"java.lang.{chain[0].text}")
    return None if is_known else Edit(chain[0].start, chain[0].end, full)


def qualified_type(name: str, project: JavaProject, found: FoundClass, method: JavaMethod | None = None) -> str:
    """The full name of a type as written, without type arguments and dimensions; type parameters give their bounds.

    A type that is not known stays as written.
    """
    name = type_shape(name).name
    for _ in range(_DEEPEST_BOUND):
        bound = _bound(name, project, found, method)
        if bound is None:
            break
        name = bound
    one = project.find(name, found.file, found.java.name)
    if one is not None:
        return one.qualified
    if "." in name:
        return name
    imports = imports_of(project, found)
    for text in imports:
        if not text.startswith("static ") and simple_name(text) == name:
            return text
    packages = tuple(text[:-2] for text in imports if text.endswith(".*") and not text.startswith("static "))
    return library_name(name, (*packages, "java.lang")) or name


def _bound(name: str, project: JavaProject, found: FoundClass, method: JavaMethod | None) -> str | None:
    """The bound of the type parameter of that name, None where it is none (JLS 4.6, 6.3)."""
    around: FoundClass | None = found
    lists = [method.type_parameters] if method is not None else []
    while around is not None:
        lists.append(around.java.type_parameters)
        outer = enclosing(around.java.name)
        around = project.find(outer, around.file) if outer else None
    for parameters in lists:
        for text in parameters:
            if type_parameter_name(text) == name:
                return type_shape(bound_of(text)).name
    return None
