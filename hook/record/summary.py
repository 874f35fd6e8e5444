"""What ``clausefit record`` says at its end, in a few plain lines. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from clausefit.hook.record.joining import Key, Stored
from clausefit.hook.record.watched import LeftOut, Recording, WatchedFunction

_MOST_LINES = 12
_MOST_NAMES = 8


@dataclass
class Told:
    """What there is to tell. ``called`` are functions of which calls were recorded, whether they count or not.

    ``cut`` says why not all ran to its end, empty where it did; ``earlier`` counts the stored calls that still hold of
    functions that are not ``called``.
    """

    watched: Sequence[WatchedFunction]
    recordings: Sequence[Recording]
    left_out: Sequence[LeftOut]
    called: AbstractSet[Key]
    stored: dict[Key, Stored] = field(default_factory=dict)
    unwritten: Counter[tuple[str, str]] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    files: int = 0
    cut: str = ""
    earlier: Mapping[Key, int] = field(default_factory=dict)


def summary(told: Told) -> list[str]:
    """The lines, problems first."""
    lines = (
        [f"{told.cut}: what was recorded until then is kept where it counts"] if told.cut.startswith("the run") else []
    )
    lines += list(dict.fromkeys([*told.problems, *(p for one in told.recordings for p in one.problems)]))
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
    """The functions without a call, by what is known of why."""
    left = {one.function for recording in told.recordings for one in recording.left_out}
    left |= {one.function for one in told.left_out}
    idle = [one for one in told.watched if (one.file, one.function) not in told.called and one.function not in left]
    earlier = [one for one in idle if (one.file, one.function) in told.earlier]
    unseen = {name for recording in told.recordings for name in recording.unseen}
    # Why those were not watched is one of the problems.
    rest = [one for one in idle if one not in earlier and one.function not in unseen]
    lines = []
    if earlier:
        count = sum(told.earlier[one.file, one.function] for one in earlier)
        holds = "1 stored call still holds" if count == 1 else f"{count} stored calls still hold"
        lines.append(f"no call was recorded in this run, and {holds}: {_names(earlier)}")
    if rest and told.cut:
        lines.append(f"no call was recorded of {_names(rest)}: {told.cut} before, or no test calls it")
    elif rest:
        whole = bool(told.recordings) and all(one.was_watched for one in told.recordings)
        why = "no watched program of this run calls it"
        if not whole:
            why += ", or the time that recording may take was used up before (`limits: slowdown` of `record:`)"
        lines.append(f"no call was recorded of {_names(rest)}: {why}")
    return lines


def _names(functions: Sequence[WatchedFunction]) -> str:
    names = ", ".join(f"{one.function} ({one.file}:{one.contract.line})" for one in functions[:_MOST_NAMES])
    return names + (f" and {len(functions) - _MOST_NAMES} more" if len(functions) > _MOST_NAMES else "")


def _first(lines: list[str], more: str) -> list[str]:
    if len(lines) <= _MOST_LINES:
        return lines
    return [*lines[:_MOST_LINES], f"and {len(lines) - _MOST_LINES} {more}"]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
