"""What is reachable on the heap, and forgetting what unknown code could have written."""

from __future__ import annotations

from collections.abc import Iterable

from clausefit.hook.pins.java.runtime import Run
from clausefit.hook.pins.java.values import (
    VOID,
    Arr,
    Builder,
    Closure,
    Env,
    Heap,
    ListObj,
    Obj,
    Unknown,
    Value,
)

_MUTABLE = (Obj, Arr, ListObj, Builder, Closure)


def parts(one: Heap) -> list[Value]:
    """What an object refers to."""
    if isinstance(one, Obj):
        found = [*one.fields.values(), one.message, one.cause]
        for env in one.enclosing.values():
            found += _held(env)
        return found
    if isinstance(one, Arr):
        return one.elements
    if isinstance(one, ListObj):
        return [*(one.elements or ()), *([one.backing] if one.backing is not None else ())]
    return _held(one.captured) if isinstance(one, Closure) else []


def _held(env: Env) -> list[Value]:
    held: list[Value] = [one for one in env.locals if one is not None]
    return [*held, env.this] if env.this is not None else held


def reachable(roots: Iterable[Value]) -> list[Heap]:
    """All mutable objects that are reachable from ``roots``, each once, those first that are nearer."""
    seen: set[int] = set()
    found: list[Heap] = []
    level: list[Heap] = [one for one in roots if isinstance(one, _MUTABLE)]
    while level:
        below: list[Heap] = []
        for one in level:
            if id(one) not in seen:
                seen.add(id(one))
                found.append(one)
                below += [part for part in parts(one) if isinstance(part, _MUTABLE)]
        level = below
    return found


def static_roots(run: Run) -> list[Value]:
    """What the static fields refer to."""
    return list(run.statics.values())


def spoil(run: Run, values: Iterable[Value], is_project_code: bool = False) -> None:
    """Forget all that unknown code could have written that was given ``values``.

    It can write what it can reach: from what it is given now, from what unknown code was given before, and, if it
    can come to run code of the project, from static fields.
    """
    given = list(values)
    run.escaped += [one for one in given if isinstance(one, _MUTABLE)]
    met = reachable(run.escaped)
    can_call_back = (
        is_project_code
        or any(isinstance(one, Obj | Closure) for one in met)
        or any(isinstance(one, Unknown) and _may_be_of_project(run, one.type) for one in given)
    )
    if can_call_back:
        met = reachable([*run.escaped, *static_roots(run)])
        spoil_statics(run)
    for one in met:
        forget(run, one)


def _may_be_of_project(run: Run, type_name: str) -> bool:
    return type_name in run.world.by_name


def spoil_statics(run: Run) -> None:
    """Forget the static fields that can change, also those of classes that will only be initialised later."""
    run.unknown_code_ran = True
    for owner, name in list(run.statics):
        info = run.world.by_name.get(owner)
        found = info.inside.fields.get(name) if info is not None else None
        if found is None or not found.is_final:
            run.unknown_static((owner, name), found.type.erased if found is not None else "")


def forget(run: Run, one: Heap) -> None:
    """Forget what can change in an object."""
    if isinstance(one, Obj):
        for owner, name in one.fields:
            info = run.world.by_name.get(owner)
            found = info.inside.fields.get(name) if info is not None else None
            if found is None or not found.is_final:
                one.fields[owner, name] = Unknown(found.type.erased if found is not None else "")
    elif isinstance(one, Arr):
        one.elements[:] = [Unknown(one.element) for _ in one.elements]
    elif isinstance(one, ListObj):
        if one.kind == "growing":
            one.elements = None
    elif isinstance(one, Builder):
        one.text = None


def escape(run: Run, values: Iterable[Value]) -> None:
    """``values`` may be what some unknown reference refers to from now on."""
    run.escaped += [one for one in values if isinstance(one, _MUTABLE)]


def unknown_call(run: Run, values: list[Value], result: str, why: str) -> Value:
    """A call of something that is not known: it may throw, and may write what it can reach from ``values``."""
    run.may_throw(why)
    spoil(run, values)
    return VOID if result == "void" else Unknown(result)
