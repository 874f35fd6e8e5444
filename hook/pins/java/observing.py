"""Observed calls: what a call of a watched method saw, and what it left behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clausefit.hook.pins import values as pin_values
from clausefit.hook.pins.java.classes import ClassInfo, FieldInfo, MethodInfo
from clausefit.hook.pins.java.code import is_constant_field
from clausefit.hook.pins.java.observed import ObservedCall
from clausefit.hook.pins.java.runtime import Run
from clausefit.hook.pins.java.snapshots import Shot, leaf, unknown_content
from clausefit.hook.pins.java.values import Heap, Obj, Prim, Unknown, Value, Void


@dataclass(frozen=True)
class Watched:
    """An observed call that is running, with the objects that its snapshot showed."""

    call: ObservedCall
    before: Shot
    statics: tuple[FieldInfo, ...]
    roots: tuple[tuple[str, Value], ...]


def static_fields(info: ClassInfo) -> tuple[FieldInfo, ...]:
    """The static fields of a class and its superclasses that are no constants."""
    return tuple(
        field
        for one in info.superclasses()
        for field in one.inside.fields.values()
        if field.is_static and not is_constant_field(field) and field.name not in one.inside.constants
    )


def observe(
    run: Run, method: MethodInfo, this: Obj | None, arguments: Sequence[Value], file: str, line: int, is_in_test: bool
) -> Watched:
    """Take the state before a call. ``this`` is None for constructors."""
    named: list[tuple[str, Value, str]] = [("this", this, this.type)] if this is not None else []
    named += [(p.name, v, p.type.erased) for p, v in zip(method.parameters, arguments, strict=True)]
    statics = static_fields(method.owner)
    roots = [(name, value) for name, value, _ in named] + _static_roots(run, statics)
    shot = Shot(run, roots, run.limits.cells)
    call = ObservedCall(
        index=len(run.calls),
        signature=method.signature,
        file=file,
        line=line,
        depth=0 if is_in_test else max(run.depth - 1, 1),
        parent=run.around[-1] if run.around else None,
        arguments=tuple((name, leaf(value, type_name, shot.kept)) for name, value, type_name in named),
        blocks=(*shot.blocks(), *_static_blocks(run, statics, shot.kept)),
        result_type=method.owner.qualified if method.is_constructor else method.result.erased,
        is_constructor=method.is_constructor,
        declared_in=method.owner.file,
    )
    run.calls.append(call)
    run.around.append(call.index)
    return Watched(call, shot, statics, tuple(roots))


def _static_roots(run: Run, statics: Sequence[FieldInfo]) -> list[tuple[str, Value]]:
    return [(f"{one.owner.name}.{one.name}", run.statics.get(one.key, Unknown(one.type.erased))) for one in statics]


def _static_blocks(run: Run, statics: Sequence[FieldInfo], kept: set[int]) -> list[pin_values.Block]:
    found: list[pin_values.Block] = []
    for one in statics:
        name = f"{one.owner.name}.{one.name}"
        value = run.statics.get(one.key, Unknown(one.type.erased))
        found.append(pin_values.Block(name, name, leaf(value, one.type.erased, kept), program=name))
    return found


def _after(run: Run, watched: Watched, result: Value | None) -> tuple[Shot, tuple[tuple[str, pin_values.Value], ...]]:
    roots = [*watched.roots, *_static_roots(run, watched.statics)]
    if isinstance(result, Heap):
        roots.append(("result", result))
    shot = Shot(run, roots, run.limits.cells, also=watched.before.objects)
    blocks = (*shot.blocks(), *_static_blocks(run, watched.statics, shot.kept))
    return shot, tuple((one.id, one.value) for one in blocks)


def returned(run: Run, watched: Watched, result: Value) -> Value:
    """The call came back. Gives the result that goes on, which is known to come from this call."""
    run.around.pop()
    call = watched.call
    shot, call.after = _after(run, watched, result)
    call.status = "returned"
    if isinstance(result, Void):
        return result
    call.result = leaf(result, call.result_type, shot.kept)
    return came_from(run, call, result)


def came_from(run: Run, call: ObservedCall, result: Value) -> Value:
    """A value that is known to be the result of a call: a primitive or unknown one gets an identity of its own."""
    if isinstance(result, Prim):
        result = Prim(result.type, result.value)
    elif isinstance(result, Unknown):
        result = Unknown(result.type, result.is_nonnull)
    run.origins[id(result)] = (result, call.index)
    return result


def threw(run: Run, watched: Watched, thrown: Obj) -> None:
    """The call ended with an exception."""
    run.around.pop()
    call = watched.call
    _, call.after = _after(run, watched, thrown)
    call.status, call.thrown = "threw", run.type_of(thrown)


def unfinished(run: Run, watched: Watched, reason: str) -> None:
    """The body could not be followed to its end."""
    run.around.pop()
    call = watched.call
    call.status, call.reason = "unfinished", reason
    call.after = tuple((one.id, unknown_content(one.value)) for one in call.blocks)
    if call.result_type != "void":
        call.result = pin_values.Unknown(call.result_type)
