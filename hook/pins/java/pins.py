"""Observed calls of one run of a test → pins, with what the test's assertions show put in, or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from clausefit.hook.pins.java.evidence import Evidence, Shown
from clausefit.hook.pins.java.machine import ObservedCall
from clausefit.hook.pins.values import (
    Array,
    Block,
    Failed,
    Ignored,
    Origin,
    Pin,
    Pointer,
    Returned,
    Struct,
    Text,
    Unknown,
    Value,
    leaves,
)


@dataclass(frozen=True)
class MadePin:
    """A pin, and how deep in other watched calls its call stood."""

    pin: Pin
    depth: int


@dataclass(frozen=True)
class Run:
    """One run of a test: its name, its calls and what its assertions showed.

    ``failure``: why the test does not pass with the code as it is. ``discarded``: why nothing of it counts.
    ``is_open``: the run was left in the middle, so that it is not known whether the last call returned. ``is_literal``
    tells of a call whether the test's text alone gives its inputs. ``files`` are those of the watched methods, as
    far as they are told: a method of the same signature in another file is another method. ``file`` and
    ``line`` are those of the test method, for calls that a library makes.
    """

    test: str
    calls: Sequence[ObservedCall]
    evidence: Evidence
    is_literal: Callable[[ObservedCall], bool]
    failure: str = ""
    discarded: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    is_open: bool = False
    file: str = ""
    line: int = 1


def pins_of_run(run: Run) -> tuple[list[MadePin], list[Ignored]]:
    """A pin or the reason why there is none for every call of a run."""
    made: list[MadePin] = []
    ignored: list[Ignored] = []
    for call in run.calls:
        if run.files.get(call.signature, call.declared_in) != call.declared_in:
            continue
        unknown = next((name for name, value in call.arguments if isinstance(value, Unknown)), None)
        end = run.evidence.end
        if run.discarded:
            found: MadePin | str = run.discarded
        elif end is not None and call.index >= end[0]:
            found = run.failure or end[1]
        elif unknown is not None:
            found = f"the value of {unknown} is not known"
        else:
            found = _refuted(run, call) if run.failure else _passed(run, call)
        if isinstance(found, MadePin):
            made.append(found)
        else:
            ignored.append(Ignored(call.signature, f"{call.file}:{call.line}", found))
    return made, ignored


def blamed(run: Run) -> list[ObservedCall]:
    """The calls of a failing run any of which may be what makes it fail.

    A call whose result alone is not the one expected, and whose inputs the test's text gives, is to blame itself, or
    what it calls; else all calls of the run.
    """
    refuted = run.evidence.refuted
    index = refuted.call if refuted is not None else None
    if index is None or not _is_plain(run.calls[index]) or not run.is_literal(run.calls[index]):
        return list(run.calls)
    inside = {index}
    for call in run.calls[index + 1 :]:
        if call.parent in inside:
            inside.add(call.index)
    return [run.calls[one] for one in sorted(inside)]


def _passed(run: Run, call: ObservedCall) -> MadePin | str:
    """The pin of a call in a test that passes, as far as it can be followed."""
    evidence = run.evidence
    shown = evidence.shown.get(call.index)
    if call.status == "running":
        return "it is not known how the call ended"
    if call.status == "threw":
        return _pin(run, call, Failed("exception", call.thrown, call.after))
    if shown is not None:
        return _pin(run, call, _outcome(shown, call.after))
    if call.status == "returned":
        result = _with_excluded(call.result, evidence.excluded.get(call.index, []))
        return _pin(run, call, Returned(result, call.after))
    is_last = call.index == len(run.calls) - 1
    if call.depth or call.index in evidence.open_ended or (run.is_open and is_last):
        return f"it is not known how the call ended: {call.reason}"
    result = _with_excluded(call.result, evidence.excluded.get(call.index, []))
    return _pin(run, call, Returned(result, call.after))


def _refuted(run: Run, call: ObservedCall) -> MadePin | str:
    """The pin of a call in a test that does not pass with the code as it lies there.

    What the code does is then no guide: only inputs that the text of the test gives and results that its assertions
    state are taken.
    """
    refuted = run.evidence.refuted
    shown = run.evidence.shown.get(call.index)
    if refuted is not None and refuted.call == call.index:
        shown = refuted.shown
    elif shown is None and call.index in run.evidence.confirmed:
        ended_well = call.status == "returned"
        shown = Shown(call.result) if ended_well else Shown(thrown=call.thrown, is_exact=True, returned=False)
    if shown is None or not _is_plain(call) or not run.is_literal(call):
        return run.failure
    after = tuple((block.id, forgotten(block.value)) for block in call.blocks)
    blocks = tuple(replace(b, value=forgotten(b.value)) if b.program is not None else b for b in call.blocks)
    outcome = _outcome(shown, after)
    if isinstance(outcome, Returned) and isinstance(outcome.result, Pointer):
        return run.failure
    return _pin(run, replace(call, blocks=blocks), outcome)


def _is_plain(call: ObservedCall) -> bool:
    """Whether the call's inputs hold no state that code of the project made: no object has fields."""
    return not any(
        isinstance(block.value, Struct) and block.value.fields for block in call.blocks if block.program is None
    )


def _outcome(shown: Shown, after: tuple[tuple[str, Value], ...]) -> Returned | Failed:
    if shown.returned:
        return Returned(shown.value, after)
    return Failed("exception", shown.thrown, after, shown.is_exact)


def _with_excluded(result: Value | None, excluded: Sequence[Value]) -> Value | None:
    return replace(result, not_equal=tuple(excluded)) if isinstance(result, Unknown) and excluded else result


def forgotten(value: Value) -> Value:
    """``value`` with its shape kept and every cell Unknown; of a list not even the length is kept."""
    if isinstance(value, Array) and value.form == "array":
        return Array(value.type, tuple(forgotten(element) for element in value.elements))
    if isinstance(value, Struct):
        return Struct(value.type, tuple((name, forgotten(member)) for name, member in value.fields))
    if isinstance(value, Array):
        return Unknown("java.util.List")
    return value if isinstance(value, Unknown) else Unknown(value.type)


def _pin(run: Run, call: ObservedCall, outcome: Returned | Failed) -> MadePin:
    root = call
    while root.parent is not None and 0 <= root.parent < len(run.calls):
        root = run.calls[root.parent]
    origin = Origin("static", run.test, root.file or run.file, root.line or run.line)
    return MadePin(named(Pin(call.signature, call.arguments, call.blocks, outcome, origin)), call.depth)


def named(pin: Pin) -> Pin:
    """The pin with its blocks called ``m0``, ``m1``, … and its strings ``s0``, … in the order of their use.

    So pins of different runs that say the same are the same. A string that occurs once needs no identity.
    """
    outcome = pin.outcome
    after = dict(outcome.after)
    seeds = [value for _name, value in pin.arguments]
    if isinstance(outcome, Returned) and outcome.result is not None:
        seeds.append(outcome.result)
    before = {block.id: block.value for block in pin.blocks}
    seeds += [block.value for block in pin.blocks if block.program is not None]
    # What the call made and left nowhere, such as the exception itself, is no part of what there is afterwards.
    order = list(dict.fromkeys([*_reached(seeds, before, after), *before]))
    numbers = {block: number for number, block in enumerate(order)}
    names = {block: f"m{number}" for block, number in numbers.items()}
    uses: dict[str, int] = {}
    everything = [*seeds, *before.values(), *after.values()]
    for value in everything:
        for _path, leaf in leaves(value):
            if isinstance(leaf, Text) and leaf.identity:
                uses[leaf.identity] = uses.get(leaf.identity, 0) + 1
    strings = {name: f"s{number}" for number, name in enumerate(one for one in uses if uses[one] > 1)}

    def renamed(value: Value) -> Value:
        return _renamed(value, names, strings)

    blocks = sorted(pin.blocks, key=lambda block: numbers[block.id])
    new_after = tuple((names[one], renamed(after[one])) for one in order if one in after)
    new: Returned | Failed = replace(outcome, after=new_after)
    if isinstance(new, Returned) and new.result is not None:
        new = replace(new, result=renamed(new.result))
    return replace(
        pin,
        arguments=tuple((name, renamed(value)) for name, value in pin.arguments),
        blocks=tuple(_block(block, names, renamed) for block in blocks),
        outcome=new,
    )


def _block(block: Block, names: dict[str, str], renamed: Callable[[Value], Value]) -> Block:
    return replace(block, id=names[block.id], value=renamed(block.value))


def _reached(seeds: Sequence[Value], before: dict[str, Value], after: dict[str, Value]) -> list[str]:
    found: dict[str, None] = {}
    todo: list[Iterator[Value]] = [iter(seeds)]
    while todo:
        value = next(todo[-1], None)
        if value is None:
            todo.pop()
            continue
        for _path, leaf in leaves(value):
            if isinstance(leaf, Pointer) and leaf.block not in found and (leaf.block in before or leaf.block in after):
                found[leaf.block] = None
                todo.append(iter([memory[leaf.block] for memory in (before, after) if leaf.block in memory]))
    return list(found)


def _renamed(value: Value, names: dict[str, str], strings: dict[str, str]) -> Value:
    if isinstance(value, Array):
        return Array(value.type, tuple(_renamed(one, names, strings) for one in value.elements), value.form)
    if isinstance(value, Struct):
        return Struct(value.type, tuple((name, _renamed(one, names, strings)) for name, one in value.fields))
    if isinstance(value, Pointer):
        return replace(value, block=names[value.block]) if value.block in names else Unknown(value.type)
    if isinstance(value, Text):
        return replace(value, identity=strings.get(value.identity, ""))
    if isinstance(value, Unknown) and value.not_equal:
        known = tuple(one for one in value.not_equal if not isinstance(one, Pointer) or one.block in names)
        return Unknown(value.type, tuple(_renamed(one, names, strings) for one in known))
    return value
