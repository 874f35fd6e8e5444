"""Which method a call means (JLS 15.12.2), and which code then runs (JLS 15.12.4.4, 8.4.8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from clausefit.hook.pins.java.classes import ClassInfo, MethodInfo, TypeRef
from clausefit.hook.pins.java.code import Expr
from clausefit.hook.pins.java.jdk import FINAL
from clausefit.hook.pins.java.names import World, is_primitive
from clausefit.hook.pins.java.numbers import UNBOXED, WIDENING, WRAPPERS
from clausefit.hook.pins.java.runtime import Run
from clausefit.hook.pins.java.values import Closure, Native, Null, Prim, Unknown, Value

_STRICT, _LOOSE, _VARIABLE = 1, 2, 3


# -- members


def substitution(sub: ClassInfo, owner: ClassInfo) -> dict[str, TypeRef]:
    """What the type variables of ``owner`` stand for in its subtype ``sub``, in terms of the latter's variables."""
    if sub is owner:
        return {name: TypeRef(erased, name) for name, erased in owner.inside.variables.items()}
    inside = sub.inside
    above = [(inside.superclass, inside.super_ref), *zip(inside.interfaces, inside.interface_refs, strict=True)]
    for info, ref in above:
        if not isinstance(info, ClassInfo) or not info.is_within(owner):
            continue
        names = list(info.inside.variables)
        arguments = dict(zip(names, ref.arguments, strict=False))
        found: dict[str, TypeRef] = {}
        for name, one in substitution(info, owner).items():
            found[name] = arguments.get(one.variable, TypeRef(one.erased)) if one.variable else one
        return found
    return {}


def parameter_types(method: MethodInfo, seen_from: ClassInfo) -> tuple[str, ...]:
    """The erased parameter types of a method as a subtype of its class inherits it; empty where one is not known."""
    known = substitution(seen_from, method.owner) if seen_from is not method.owner else {}
    found: list[str] = []
    for one in method.parameters:
        name = one.type.variable.rstrip("[]")
        if name and name in known and name not in method.variables:
            found.append(known[name].erased + one.type.variable[len(name) :] if known[name].erased else "")
        else:
            found.append(one.type.erased)
    return tuple(found)


def overrides(sub: MethodInfo, sup: MethodInfo, seen_from: ClassInfo) -> bool:
    """Whether ``sub`` has the signature of ``sup`` in ``seen_from`` (JLS 8.4.2), so that it overrides it."""
    if sub.name != sup.name or len(sub.parameters) != len(sup.parameters):
        return False
    if sup.is_private or sup.is_static or sub.is_static:
        return False
    if not sup.modifiers & {"public", "protected"} and sup.owner.package != sub.owner.package:
        return False
    erased = tuple(one.type.erased for one in sub.parameters) == tuple(one.type.erased for one in sup.parameters)
    return erased or same_types(parameter_types(sub, seen_from), parameter_types(sup, seen_from))


def same_types(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Whether parameter types are the same; one that is not known (``new I<>() { … }``) is what it must be."""
    return len(left) == len(right) and all(
        one == other or not one or not other for one, other in zip(left, right, strict=True)
    )


def methods_named(info: ClassInfo, name: str) -> list[MethodInfo]:
    """The member methods of a name: own ones, and inherited ones that are not overridden or hidden."""
    found: list[MethodInfo] = []
    for one in info.supertypes():
        for method in one.inside.methods.get(name, ()):
            if one is not info and (method.is_private or (one.is_interface and method.is_static)):
                continue
            types = parameter_types(method, info)
            hidden = [o for o in found if same_types(parameter_types(o, info), types) or overrides(o, method, info)]
            if not hidden:
                found.append(method)
            elif all(method.owner is not o.owner and method.owner.is_within(o.owner) for o in hidden):
                # An interface that is named later may extend one that was named before.
                found = [method if o is hidden[0] else o for o in found if o is hidden[0] or o not in hidden]
    return found


# -- overload resolution


class Chosen(NamedTuple):
    """The method that a call means; ``is_variable``: its last arguments are put into an array (JLS 15.12.4.2)."""

    method: MethodInfo
    is_variable: bool = False


def choose(
    world: World, candidates: Sequence[MethodInfo], arguments: Sequence[Expr], is_open: bool = False
) -> Chosen | None:
    """The most specific applicable method by the static types of the arguments; None where that is not known.

    The phases are those of JLS 15.12.2: by subtyping, by boxing, by variable arity. ``is_open``: there are other
    methods of the name, so that a single one need not be the one that is meant.
    """
    fitting = [one for one in candidates if _arity_fits(one, len(arguments))]
    if len(fitting) == 1 and not fitting[0].is_varargs and not is_open:
        return Chosen(fitting[0])
    for phase in (_STRICT, _LOOSE, _VARIABLE):
        applicable: list[MethodInfo] = []
        for one in fitting:
            answer = _applicable(world, one, arguments, phase)
            if answer is None:
                return None
            if answer:
                applicable.append(one)
        if applicable:
            best = _most_specific(world, applicable, len(arguments), phase)
            return Chosen(best, phase == _VARIABLE) if best is not None else None
    return None


def never_fits(world: World, method: MethodInfo, arguments: Sequence[Expr]) -> bool:
    """Whether a method cannot be meant by a call with these arguments."""
    return all(_applicable(world, method, arguments, phase) is False for phase in (_LOOSE, _VARIABLE))


def _arity_fits(method: MethodInfo, count: int) -> bool:
    return len(method.parameters) == count or (method.is_varargs and count >= len(method.parameters) - 1)


def formal(method: MethodInfo, index: int, phase: int) -> str:
    """The type of the parameter that takes the argument at ``index``."""
    last = len(method.parameters) - 1
    if phase == _VARIABLE and index >= last:
        return method.parameters[last].type.erased[:-2]
    return method.parameters[index].type.erased


def _applicable(world: World, method: MethodInfo, arguments: Sequence[Expr], phase: int) -> bool | None:
    if phase == _VARIABLE:
        if not method.is_varargs:
            return False
    elif len(method.parameters) != len(arguments):
        return False
    is_sure = True
    for index, argument in enumerate(arguments):
        answer = _compatible(world, argument, formal(method, index, phase), phase)
        if answer is False:
            return False
        is_sure = is_sure and answer is True
    return True if is_sure else None


def _compatible(world: World, argument: Expr, target: str, phase: int) -> bool | None:
    """Whether an argument can be passed in a phase; None where it is not known."""
    source = argument.type
    if argument.lambda_arity is not None:
        info = world.by_name.get(target)
        return None if (info is None or info.is_interface) and not is_primitive(target) else False
    if not target or not source:
        return None
    if source == target:
        return True
    if source == "null":
        return not is_primitive(target)
    if is_primitive(source) and is_primitive(target):
        return target in WIDENING[source]
    if is_primitive(source):
        return world.is_subtype(WRAPPERS[source], target) if phase != _STRICT else False
    if is_primitive(target):
        unboxed = UNBOXED.get(source)
        return phase != _STRICT and unboxed is not None and (unboxed == target or target in WIDENING[unboxed])
    return world.is_subtype(source, target)


def _most_specific(world: World, found: list[MethodInfo], count: int, phase: int) -> MethodInfo | None:
    """JLS 15.12.2.5; None where no one is, or it is not known."""
    if len(found) == 1:
        return found[0]
    best = [
        one
        for one in found
        if all(other is one or _is_more_specific(world, one, other, count, phase) for other in found)
    ]
    if len(best) == 1:
        return best[0]
    concrete = [one for one in best if not one.is_abstract]
    if best and len(concrete) <= 1:
        return (concrete or best)[0]
    return None


def _is_more_specific(world: World, one: MethodInfo, other: MethodInfo, count: int, phase: int) -> bool:
    length = max(count, len(one.parameters), len(other.parameters)) if phase == _VARIABLE else count
    for index in range(length):
        source, target = formal(one, index, phase), formal(other, index, phase)
        if source == target:
            continue
        if is_primitive(source) != is_primitive(target):
            return False
        if is_primitive(source):
            if target not in WIDENING[source]:
                return False
        elif not world.is_subtype(source, target):
            return False
    return True


def possible(run: Run, candidates: Sequence[MethodInfo], values: Sequence[Value]) -> Chosen | None:
    """The method to which these values can be passed, if there is only one: then it is the one that is meant."""
    found = [
        Chosen(one, phase == _VARIABLE)
        for one in candidates
        if _arity_fits(one, len(values))
        for phase in ((_LOOSE, _VARIABLE) if one.is_varargs else (_LOOSE,))
        if _takes(run, one, values, phase)
    ]
    return found[0] if len(found) == 1 else None


def _takes(run: Run, method: MethodInfo, values: Sequence[Value], phase: int) -> bool:
    return (phase == _VARIABLE or len(values) == len(method.parameters)) and all(
        _can_pass(run, value, formal(method, index, phase)) for index, value in enumerate(values)
    )


def _can_pass(run: Run, value: Value, target: str) -> bool:
    if isinstance(value, Unknown | Native) or not target:
        return True
    if isinstance(value, Closure):
        info = run.world.by_name.get(target)
        return not is_primitive(target) and target not in FINAL and (info is None or info.is_interface)
    if isinstance(value, Null):
        return not is_primitive(target)
    source = run.type_of(value)
    if isinstance(value, Prim) and is_primitive(target):
        return source == target or target in WIDENING[source]
    if isinstance(value, Prim):
        return run.world.is_subtype(WRAPPERS[source], target) is not False
    if is_primitive(target):
        unboxed = UNBOXED.get(source)
        return unboxed is not None and (unboxed == target or target in WIDENING[unboxed])
    return run.world.is_subtype(source, target) is not False


# -- dispatch


def implementation(method: MethodInfo, of: ClassInfo) -> MethodInfo | None:
    """The code that runs when ``method`` is called on an ``of``; None where there is none, or several."""
    if method.is_static or method.is_private or method.is_constructor:
        return method
    seen_from = of if of.is_within(method.owner) else method.owner
    for one in of.superclasses():
        for candidate in one.inside.methods.get(method.name, ()):
            if candidate is method or overrides(candidate, method, seen_from):
                return candidate if not candidate.is_abstract else _default(method, of, seen_from)
    return _default(method, of, seen_from)


def _default(method: MethodInfo, of: ClassInfo, seen_from: ClassInfo) -> MethodInfo | None:
    found = [
        candidate
        for one in of.supertypes()
        if one.is_interface
        for candidate in one.inside.methods.get(method.name, ())
        if candidate is method or overrides(candidate, method, seen_from)
    ]
    nearest = [one for one in found if not any(o is not one and o.owner.is_within(one.owner) for o in found)]
    if len(nearest) == 1 and not nearest[0].is_abstract:
        return nearest[0]
    return None
