"""Raw calls of C functions, as the part inside gdb writes them, → recorded calls with their pins.

Regions of memory become blocks as the static reader makes them: what overlaps is one block (``c_blocks.py``), a string
or several objects an array, everything else one object; a pointer is a block and a path. A pin has all that it is
about, or the call is left out with a reason: a pointer that is not known is never guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any

from clausefit.hook.pins.values import Block, Failed, Origin, Pin, Pointer, Returned, Unknown, Value, leaves
from clausefit.hook.record.c_blocks import Blocks, Region
from clausefit.hook.record.c_layout import NAMELESS, BadRecord, Types
from clausefit.hook.record.c_relations import Operand, Relations, relations_of
from clausefit.hook.record.c_watched import WatchedCFunction, related_pointers
from clausefit.hook.record.watched import Frame, RecordedCall, WatchedFunction

_MOST_FRAMES = 50
_FAILURES = ("abort", "signal", "timeout")


class _LeftOutError(Exception):
    """The call cannot become a pin; the text says why."""


@dataclass(frozen=True)
class Build:
    """How a function was compiled: digests of its code and what it is made of, as the part inside gdb gives them.

    ``constants`` is a digest of the numbers and texts that the code reads, ``threads``: it has variables of threads,
    ``unit``: its source was compiled by itself, and not only included by others.
    """

    code: str
    types: str
    producer: str
    constants: str = ""
    threads: bool = False
    unit: bool = False


@dataclass
class ProcessCalls:
    """What was recorded of one process: fed line by line, in order."""

    watched: Sequence[WatchedFunction]
    program: str = ""
    arguments: tuple[str, ...] | None = None
    end: str = ""
    process: int = 0
    parent: int = 0
    calls: list[RecordedCall] = field(default_factory=list)
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)
    never: set[tuple[str, str]] = field(default_factory=set)
    absent: set[tuple[str, str]] = field(default_factory=set)
    problem: str = ""
    broken: int = 0
    still_runs: bool = False
    found: int = 0
    leaks: bool = False
    sources: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    stuck: list[tuple[WatchedFunction, str, float]] = field(default_factory=list)
    builds: list[tuple[tuple[str, str], Build]] = field(default_factory=list)
    types: Types = field(default_factory=Types)
    relations: dict[int, Relations] = field(default_factory=dict)

    def feed(self, line: object) -> None:
        """Take one line, as ``json.loads`` gives it. Raises BadRecord for what no recorder writes."""
        if not isinstance(line, Mapping):
            raise BadRecord("a line is no object")
        try:
            self._take(line)
        except (KeyError, ValueError, TypeError, IndexError, AttributeError, OverflowError) as problem:
            raise BadRecord(f"a line is not what a recorder writes: {problem!r}") from problem

    def _take(self, line: Mapping[str, Any]) -> None:
        if "types" in line:
            self.types.add(line["types"])
        elif "call" in line:
            one = self.watched[int(line["call"])]
            try:
                self.calls.append(self._call(one, line))
            except _LeftOutError as reason:
                self.left_out[one.function, str(reason)] += 1
        elif "left" in line:
            self.left_out[self._name(line), str(line["left"])] += 1
        elif "never" in line:
            self.never.add((self._name(line), str(line["never"])))
        elif "absent" in line:
            self.absent.add((self._name(line), str(line["absent"])))
        elif "stuck" in line:
            callers = [f"{PurePath(str(file)).name}:{int(at)}" for file, _, at in line["caller"][:1] if file]
            self.stuck.append((self.watched[int(line["stuck"])], "".join(callers), float(line["seconds"])))
        elif "build" in line:
            one, build = self.watched[int(line["function"])], line["build"]
            code, types, producer = (str(build[name]) for name in ("code", "types", "producer"))
            more = str(build.get("constants", "")), bool(build.get("threads")), bool(line.get("unit"))
            made = Build(code, types, producer, *more)
            self.builds.append(((one.file, one.function), made))
            self.sources.setdefault((one.file, one.function), set()).add(str(line.get("source", "")))
        elif "found" in line:
            self.found, self.leaks = int(line["found"]), bool(line.get("leaks"))
        elif "program" in line:
            self.program = str(line["program"])
            self.process, self.parent = int(line.get("process", 0)), int(line.get("parent", 0))
            started = line.get("arguments")
            self.arguments = None if started is None else tuple(str(one) for one in started)
        elif "problem" in line:
            self.problem = str(line.get("detail", line["problem"]))
        elif "end" in line:
            self.end = str(line["end"])

    def _name(self, line: Mapping[str, Any]) -> str:
        return self.watched[int(line["function"])].function

    def _call(self, watched: WatchedFunction, line: Mapping[str, Any]) -> RecordedCall:
        frames = tuple(Frame(str(f), str(n), int(at)) for f, n, at in line["frames"][:_MOST_FRAMES])
        number = int(line["call"])
        if number not in self.relations:
            definitions = watched.definitions if isinstance(watched, WatchedCFunction) else ()
            self.relations[number] = relations_of(watched.contract, definitions)
        pin = _Maker(watched, line, self.types, self.relations[number]).pin()
        is_outermost, order = bool(line["outermost"]), int(line["order"])
        through = tuple(str(file) for file in line.get("through", ())[:_MOST_FRAMES])
        return RecordedCall(watched, pin, frames, self.program, is_outermost, order, self.arguments, through=through)


class _Maker:
    """Makes the pin of one call."""

    def __init__(self, watched: WatchedFunction, line: Mapping[str, Any], types: Types, relations: Relations) -> None:
        self._watched = watched
        self._line = line
        self._types = types
        self._names = [p.name or f"arg{i + 1}" for i, p in enumerate(watched.contract.parameters)]
        self._raw = [(int(number), bytes.fromhex(content)) for number, content in line["arguments"]]
        if len(self._raw) != len(self._names):
            raise BadRecord("a call has other parameters than its contract")
        regions = [_region(one) for one in line["regions"]]
        self._variables = {one.variable: one.type for one in regions if one.variable}
        regions = [self._in_reach(one, relations) for one in regions]
        related = relations.opaque or any(self._is_pointer(one) for one in relations.ordered | relations.added)
        functions = {str(a): str(n) for a, n in line["functions"].items()}
        self._blocks = Blocks(types, regions, functions, related=related)

    def _is_pointer(self, operand: Operand) -> bool:
        """Whether an operand of the contract may be an address."""
        if operand.is_field:
            return any(self._types.is_pointer(one, operand.depth) for one in self._types.fields_named(operand.name))
        result = self._line["result"]
        known = {**self._variables, **{name: number for name, (number, _) in zip(self._names, self._raw, strict=True)}}
        if result is not None:
            known["\\result"] = int(result[0])
        return operand.name in known and self._types.is_pointer(known[operand.name], operand.depth)

    def _in_reach(self, region: Region, relations: Relations) -> Region:
        """The region, marked where the contract may go on from it into what lies beside it, and gives no range."""
        if region.ranged or (self._types.is_character(region.type) and region.before.endswith(b"\0")):
            return region  # a range, or a string, shows where it ends
        indexed = [one for one in relations.indexed if self._is_pointer(one)]
        plain = {one.name for one in indexed if not one.is_field and one.depth <= 0}
        led = {n: int.from_bytes(content, "little") for n, (_, content) in zip(self._names, self._raw, strict=True)}
        if any(region.address == led.get(name) for name in plain):
            return replace(region, shifted=True)
        # Of what memory leads to it is not known which of them it is.
        inner = any(one.name not in led or one.is_field or one.depth > 0 for one in indexed)
        return replace(region, shifted=region.shifted or (inner and region.address not in led.values()))

    def pin(self) -> Pin:
        """The pin. Raises _LeftOutError."""
        if self._blocks.conflict:
            raise _LeftOutError(self._blocks.conflict)
        arguments = []
        for name, (number, content) in zip(self._names, self._raw, strict=True):
            value = self._blocks.value(number, content)
            if _unknown(value):
                what = "pointer" if self._types.kind(number) == "ptr" else "value"
                why = self._types.why_unknown(number)
                raise _LeftOutError(f"the {what} of argument {name} is not known" + (f" ({why})" if why else ""))
            arguments.append((name, value))
        self._blocks.name_from(arguments)
        blocks = self._blocks.before()
        held = [leaf for block in blocks for _, leaf in leaves(block.value)]
        lost = [leaf for leaf in held if isinstance(leaf, Unknown) and "*" in leaf.type]
        if any(NAMELESS in leaf.type for leaf in lost) or (lost and self._line["failed"] is not None):
            # Whether the pointer is why it failed, and whether the precondition forbids it, cannot be told.
            raise _LeftOutError("memory that it is given holds a pointer that is not known")
        self._check_relations(dict(arguments))
        origin = Origin("recorded", "", "", 0)
        return Pin(self._watched.function, tuple(arguments), blocks, self._outcome(blocks), origin)

    def _outcome(self, blocks: tuple[Block, ...]) -> Returned | Failed:
        failed = self._line["failed"]
        if failed is not None:
            kind, detail = failed
            if kind not in _FAILURES:
                raise BadRecord(f"a call failed by {kind!r}")
            return Failed(kind, str(detail))
        result: Value | None = None
        if self._line["result"] is not None:
            number, content = self._line["result"]
            result = self._blocks.value(int(number), bytes.fromhex(content), after=True)
        return Returned(result, self._blocks.after(blocks))

    def _check_relations(self, arguments: Mapping[str, Value]) -> None:
        """Which of two pointers is larger a pin tells only where they lead into one block."""
        for left, right in related_pointers(self._watched.contract):
            pair = [arguments.get(left), arguments.get(right)]
            held = {value.block for value in pair if isinstance(value, Pointer)}
            if len(held) == 2:
                raise _LeftOutError(f"whether {left} and {right} lead into one object is not known")


def _region(one: Mapping[str, Any]) -> Region:
    after = one["after"]
    region = Region(
        int(one["address"]),
        int(one["type"]),
        int(one["count"]),
        bytes.fromhex(one["before"]),
        None if after is None else bytes.fromhex(after),
        bool(one["ranged"]),
        bool(one["shifted"]),
        bool(one["blank"]),
        str(one["variable"]),
        bool(one["constant"]),
        bool(one["freed"]),
    )
    if region.count < 1 or region.address < 0 or not region.before:
        raise BadRecord("a region has no content")
    if region.after is not None and len(region.after) != len(region.before):
        raise BadRecord("a region changed its size")
    return region


def _unknown(value: Value) -> bool:
    return any(isinstance(leaf, Unknown) for _, leaf in leaves(value))
