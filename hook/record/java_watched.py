"""Java contracts → the methods to watch, by the names that the Java Debug Interface has for them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from clausefit.hook.contracts.java_model import JavaField, JavaMethod
from clausefit.hook.contracts.model import Contract
from clausefit.hook.java.project import FoundClass, JavaProject, enclosing
from clausefit.hook.java.qualify import is_static_field, qualified_type
from clausefit.hook.java.reach import reach_of
from clausefit.hook.java.types import PRIMITIVES, simple_name, type_shape
from clausefit.hook.java.work import JavaWork, MethodWork
from clausefit.hook.record.watched import LeftOut, WatchedMethod

CONSTRUCTOR = "<init>"
GUESSED = "?"
"""Stands before a type of which only the end of the name is known."""
MOST_STATICS = 24
_ALL_FIELDS = re.compile(r"\.\s*\*")


@dataclass(frozen=True)
class WatchedJava:
    """The methods that can be watched, and those with contracts that cannot, with the reason."""

    methods: tuple[WatchedMethod, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


def watched_java(work: JavaWork) -> WatchedJava:
    """What is to be watched of the contracts of ``work``. Never raises."""
    names = Counter(binary_name(file) for file in _classes(work))
    methods: list[WatchedMethod] = []
    left_out: list[LeftOut] = []
    for one in work.methods:
        reason = _why_not(one)
        if not reason and names[binary_name(one.found)] > 1:
            reason = f"the project has several classes {one.found.qualified}, which cannot be told apart when they run"
        if reason:
            left_out.append(LeftOut(one.changed.contract.function, reason, 1))
        else:
            methods.append(_watched(work.project, one))
    return WatchedJava(tuple(methods), tuple(left_out))


def _classes(work: JavaWork) -> list[FoundClass]:
    return list({(one.found.file, one.found.java.name): one.found for one in work.methods}.values())


def _why_not(one: MethodWork) -> str:
    method = one.method
    if "$" in one.found.java.name:
        return "a method of a local or anonymous class is not watched"
    if method.is_in_comment or method.is_model:
        return "a model method does not exist when the program runs"
    if "native" in method.modifiers:
        return "a native method has no code to stop in"
    if method.is_constructor and one.found.java.kind == "enum":
        return "the constants of an enum are made before any test runs"
    return ""


def _watched(project: JavaProject, one: MethodWork) -> WatchedMethod:
    contract, method = one.changed.contract, one.method
    statics, unnamed = _statics(project, one.found, contract)
    return WatchedMethod(
        file=contract.file,
        function=contract.function,
        contract=contract,
        class_name=binary_name(one.found),
        method=CONSTRUCTOR if method.is_constructor else method.name,
        parameters=(
            *_enclosing_object(project, one),
            *(erased_name(project, one.found, method, parameter.type) for parameter in method.parameters),
        ),
        statics=statics,
        unnamed_statics=unnamed,
    )


def _enclosing_object(project: JavaProject, one: MethodWork) -> Iterator[str]:
    """A constructor of an inner class gets the object around first (JLS 8.8.1, 13.1)."""
    if one.method.is_constructor and is_inner(project, one.found):
        outer = project.find(enclosing(one.found.java.name), one.found.file)
        if outer is not None:
            yield binary_name(outer)


def is_inner(project: JavaProject, found: FoundClass) -> bool:
    """Whether objects of a member class have an object around them (JLS 8.1.3, 8.5.1)."""
    outer = enclosing(found.java.name)
    if not outer or found.java.kind != "class" or "static" in found.java.modifiers:
        return False
    around = project.find(outer, found.file)
    return around is not None and around.java.kind not in ("interface", "annotation")


def binary_name(found: FoundClass) -> str:
    """``p.Outer$Inner`` (JLS 13.1)."""
    inside = found.java.name.replace(".", "$")
    return f"{found.package}.{inside}" if found.package else inside


def erased_name(project: JavaProject, found: FoundClass, method: JavaMethod, written: str) -> str:
    """The erasure of a parameter's type by its binary name; ``?Name`` where its package is not known.

    A type parameter gives its first bound (JLS 4.6).
    """
    shape = type_shape(written)
    brackets = "[]" * shape.dimensions
    if shape.name in PRIMITIVES:
        return shape.name + brackets
    full = qualified_type(shape.name, project, found, method)
    one = project.find(full, found.file, found.java.name)
    if one is not None:
        return binary_name(one) + brackets
    package, _, _name = full.rpartition(".")
    is_qualified = bool(package) and not any(part[:1].isupper() for part in package.split("."))
    return (full if is_qualified else GUESSED + full) + brackets


def static_label(class_name: str, field: str, package: str) -> str:
    """What a static field is called in a pin: ``Outer.Inner.count``; with its package where that is another one."""
    own = f"{package}." if package else ""
    dotted = class_name.replace("$", ".")
    in_package = class_name.rpartition(".")[0] == package
    return f"{dotted.removeprefix(own) if in_package else dotted}.{field}"


_Statics = tuple[tuple[str, str], ...]


def _statics(project: JavaProject, found: FoundClass, contract: Contract) -> tuple[_Statics, _Statics]:
    """The static fields that clauses reach, and the others of the class and its superclasses.

    Where a clause speaks of all fields (``Main.*``), or of more than is followed, those of the class are named as well.
    """
    formulas = [clause.formula for clause in contract.clauses]
    own = [
        (one, field)
        for one in (found, *project.supertypes(found))
        if one.java.kind != "interface"
        for field in one.java.fields
    ]
    reach = reach_of(project, found, contract.java, formulas)
    reached = [reach.fields[key] for key in sorted(reach.fields)]
    if reach.is_cut or any(_ALL_FIELDS.search(one) for one in formulas):
        reached = [*own, *reached]
    named = _labelled(reached, found.package)
    rest = _labelled([one for one in own if one not in reached], found.package)
    statics = list(named.values())[:MOST_STATICS]
    return tuple(statics), tuple(one for one in rest.values() if one not in statics)[:MOST_STATICS]


def _labelled(fields: Iterable[tuple[FoundClass, JavaField]], package: str) -> dict[str, tuple[str, str]]:
    named: dict[str, tuple[str, str]] = {}
    for one, field in fields:
        if _is_variable(one, field):
            class_name = binary_name(one)
            # A clause may mean either of two fields that are called alike.
            named.setdefault(static_label(class_name, field.name, package), (class_name, field.name))
    return named


def _is_variable(owner: FoundClass, field: JavaField) -> bool:
    """Whether a field is static and no constant (JLS 4.12.4), and exists when the program runs."""
    if not is_static_field(owner, field) or field.is_ghost or field.is_model:
        return False
    if owner.java.kind == "enum" and field.type == simple_name(owner.java.name):
        return False
    shape = type_shape(field.type)
    is_plain = not shape.dimensions and (shape.name in PRIMITIVES or shape.name in ("String", "java.lang.String"))
    is_final = "final" in field.modifiers or owner.java.kind == "interface"
    return not (is_final and is_plain and field.initializer is not None)
