"""What ``clausefit record`` says at its end, in a few plain lines. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from clausefit.hook.record.joining import Key, Stored
from clausefit.hook.record.watched import LeftOut, Recording, WatchedFunction

_MOST_LINES = 12
_MOST_NAMES = 8


@dataclass
class Told:
    """What there is to tell. ``called`` are functions of which calls were recorded, whether they count or not."""

    watched: Sequence[WatchedFunction]
    recordings: Sequence[Recording]
    left_out: Sequence[LeftOut]
    called: AbstractSet[Key]
    stored: dict[Key, Stored] = field(default_factory=dict)
    unwritten: Counter[tuple[str, str]] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    files: int = 0


def summary(told: Told) -> list[str]:
    """The lines, problems first."""
    lines = list(dict.fromkeys([*told.problems, *(p for one in told.recordings for p in one.problems)]))
    lines = _first(lines, "more problems")
    lines.append(_stored(told))
    reasons: Counter[tuple[str, str]] = Counter()
    for left in (*told.left_out, *(one for recording in told.recordings for one in recording.left_out)):
        reasons[left.function, left.reason] += left.count
    reasons.update(told.unwritten)
    for (file, function), one in told.stored.items():
        if one.changed:
            lines.append(
                f"{function} ({file}): {_count(one.changed, 'stored call')} came out differently now and "
                f"{'was' if one.changed == 1 else 'were'} replaced: if its code is the same, it depends on more than "
                "its contract names"
            )
    by_count = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    texts = [f"left out: {_count(n, 'call')} of {name}: {reason}" for (name, reason), n in by_count]
    lines += _first(texts, "more reasons")
    beyond = sum(one.beyond for one in told.stored.values())
    if beyond:
        lines.append(f"left out: {_count(beyond, 'further call')} of functions of which enough are stored")
    lines += _not_called(told)
    return lines


def _stored(told: Told) -> str:
    programs = sum(recording.programs for recording in told.recordings)
    fresh = sum(one.fresh for one in told.stored.values())
    kept = sum(one.kept for one in told.stored.values())
    functions = sum(bool(one.fresh) for one in told.stored.values())
    if not fresh:
        recorded = sum(len(recording.calls) for recording in told.recordings)
        seen = f"{_count(recorded, 'call')} recorded in" if recorded else "no call of a function with a contract in"
        return f"nothing was stored: {seen} {_count(programs, 'watched program')}"
    beside = f"; {kept} of earlier recordings still hold" if kept else ""
    return (
        f"stored {_count(fresh, 'call')} of {_count(functions, 'function')} in {_count(told.files, 'file')} of "
        f".clausefit/pins ({_count(programs, 'watched program')}){beside}"
    )


def _not_called(told: Told) -> list[str]:
    left = {one.function for recording in told.recordings for one in recording.left_out}
    idle = [one for one in told.watched if (one.file, one.function) not in told.called and one.function not in left]
    if not idle:
        return []
    names = ", ".join(f"{one.function} ({one.file}:{one.contract.line})" for one in idle[:_MOST_NAMES])
    more = f" and {len(idle) - _MOST_NAMES} more" if len(idle) > _MOST_NAMES else ""
    return [
        f"no call was recorded of {names}{more}: no test calls it, or the time that recording may take was used up "
        "before (`limits: slowdown` of `record:`)"
    ]


def _first(lines: list[str], more: str) -> list[str]:
    if len(lines) <= _MOST_LINES:
        return lines
    return [*lines[:_MOST_LINES], f"and {len(lines) - _MOST_LINES} {more}"]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
