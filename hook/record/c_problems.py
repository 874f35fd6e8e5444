"""What people are told about programs of which calls could not be recorded: one line each, with what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from clausefit.hook.record.c_calls import ProcessCalls
from clausefit.hook.record.watched import LeftOut, RecordLimits, WatchedFunction

_SHOWN = 3
_INLINED = "the compiler put it into its callers, so that no call can be seen: build the tests with -O0"


@dataclass(frozen=True)
class Cut:
    """What recording took too much time for: ``is_ended``: all later programs, and how many forked ``children``."""

    is_ended: bool = False
    children: int = 0


def left_out_of(processes: Iterable[ProcessCalls]) -> tuple[LeftOut, ...]:
    """What was left out in all processes, by function and reason; what holds for a function counts once."""
    counts: Counter[tuple[str, str]] = Counter()
    recorded = {call.watched.function for one in processes for call in one.calls}
    once: set[tuple[str, str]] = set()
    for one in processes:
        counts.update(one.left_out)
        once |= one.never
        once |= {(name, _INLINED) for name, why in one.absent if why == "inline" and name not in recorded}
    counts.update(once - counts.keys())
    return tuple(LeftOut(name, reason, count) for (name, reason), count in sorted(counts.items()))


def problems_of(
    processes: Sequence[ProcessCalls], watched: Sequence[WatchedFunction], limits: RecordLimits, cut: Cut
) -> tuple[str, ...]:
    """Lines for people, the same line once."""
    found: list[str] = []
    if not watched:
        return ()
    if not processes:
        found.append(
            f"no program that was run holds a function with a contract ({_some([one.function for one in watched])}): "
            "programs that are statically linked (-static) or under valgrind are not reached: run them dynamically "
            "linked, and built with -g"
        )
    for one in processes:
        found += _of_process(one, limits)
    if processes and not found and not any(one.found or one.never or one.absent for one in processes):
        programs = sorted({one.program for one in processes})
        found.append(
            f"no function with a contract was found in {_some(programs)}: compile with -g -O0, and do not strip; "
            "link libraries that are loaded later (dlopen), which are not watched; other functions of the same "
            "name (in a test, in C++) are none of the contract's"
        )
    if cut.children:
        found.append(
            f"{cut.children} processes that tests forked were not watched, since recording such took its share of the "
            "time: record fewer tests at a time, or raise `limits: slowdown` under `record:` in .clausefit.yaml"
        )
    if cut.is_ended:
        found.append(
            "recording took its share of the time, so later programs were not watched: record fewer tests at a time, "
            "or allow more time under `record:` in .clausefit.yaml"
        )
    return tuple(dict.fromkeys(found))


def unseen_by(processes: Iterable[ProcessCalls]) -> frozenset[str]:
    """Functions that a program holds without debug information."""
    return frozenset(name for one in processes for name, why in one.absent if why == "nodebug")


def was_watched(processes: Sequence[ProcessCalls], cut: Cut) -> bool:
    """Whether a function of which no call was seen was not called by these programs as long as they ran."""
    is_whole = all(one.end.startswith("exited") and not one.problem and not one.still_runs for one in processes)
    return bool(processes) and is_whole and not cut.is_ended and not cut.children


def _of_process(one: ProcessCalls, limits: RecordLimits) -> list[str]:
    program = one.program or "a program"
    lines = []
    if one.problem:
        lines.append(
            f"{program}: gdb may not watch it ({one.problem}): in a container run it with --cap-add=SYS_PTRACE "
            "--security-opt seccomp=unconfined; elsewhere see /proc/sys/kernel/yama/ptrace_scope"
        )
    unseen = sorted({name for name, why in one.absent if why == "nodebug"})
    if unseen:
        lines.append(f"no debug information for {_some(unseen)} in {program}: compile with -g")
    if one.still_runs:
        lines.append(f"{PurePath(program).name} still runs after the command has ended: its later calls are missing")
    elif not one.end or one.end.startswith("gdb:"):
        why = f" ({one.end})" if one.end else ""
        lines.append(
            f"{PurePath(program).name}: gdb ended before the program did{why}; calls after that are missing, and the "
            "program may have ended by SIGTRAP: record again"
        )
    for watched, caller, seconds in one.stuck:
        raised = "raise `limits: call_seconds` under `record:` in .clausefit.yaml"
        if seconds < limits.call_seconds:
            raised = "allow more time by --limit"
        called = f", called at {caller}," if caller else ""
        lines.append(
            f"{PurePath(program).name} was ended: {watched.function} ({watched.file}:{watched.contract.line}){called} "
            f"had not come back after {seconds:g} seconds: if it only waits or is slow, {raised}"
        )
    if one.broken:
        lines.append(f"{PurePath(program).name}: {one.broken} lines of its recording cannot be read: record again")
    return lines


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
