"""Functions that one recording saw compiled in several ways from one source: what each does is not told apart.

``-D`` leaves no trace in the debug information. But where the compiler's line, which has all its other options, is the
same, the same source gives the same code; where it is not, at least the types of a function stay the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import PurePath

from clausefit.hook.pins.values import Returned
from clausefit.hook.record.c_blocks import forgotten
from clausefit.hook.record.c_calls import Build, ProcessCalls
from clausefit.hook.record.watched import LeftOut

_SHOWN = 2
_UNSURE = "its result is not recorded, since its end may be reached without a return: end it with one"


@dataclass(frozen=True)
class Mixed:
    """A function of which programs hold different builds; their names are those of files, sorted."""

    file: str
    function: str
    programs: tuple[str, ...]

    @property
    def reason(self) -> str:
        """Why its calls do not count, and what to do."""
        names = sorted({PurePath(program).name for program in self.programs})
        shown = ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
        return (
            f"its source was compiled in different ways ({shown}), as with other macros: record only a program that "
            "was compiled as the source is checked"
        )


def mixed_builds(processes: Iterable[ProcessCalls]) -> list[Mixed]:
    """The functions that were compiled in different ways."""
    seen: dict[tuple[str, str], dict[Build, str]] = {}
    for one in processes:
        for key, build in one.builds:
            seen.setdefault(key, {}).setdefault(build, one.program)
    return [
        Mixed(file, function, tuple(sorted(set(builds.values()))))
        for (file, function), builds in seen.items()
        if any(_differ(left, right) for left, right in combinations(builds, 2))
    ]


def without_mixed(processes: Sequence[ProcessCalls]) -> list[LeftOut]:
    """Take the calls of such functions away; gives how many those were."""
    found = []
    for mixed in mixed_builds(processes):
        count = 0
        for one in processes:
            kept = [c for c in one.calls if (c.watched.file, c.watched.function) != (mixed.file, mixed.function)]
            count += len(one.calls) - len(kept)
            one.calls = kept
        found.append(LeftOut(mixed.function, mixed.reason, max(1, count)))
    return found


def without_unsure_results(processes: Sequence[ProcessCalls], is_unsure: Callable[[str, str], bool]) -> list[LeftOut]:
    """Forget what functions gave that may end without a return; ``is_unsure`` is asked for a function and its file."""
    counts: Counter[str] = Counter()
    for one in processes:
        for index, call in enumerate(one.calls):
            outcome = call.pin.outcome
            if not isinstance(outcome, Returned) or outcome.result is None:
                continue
            sources = one.sources.get((call.watched.file, call.watched.function), {""})
            if any(is_unsure(call.pin.function, source) for source in sources):
                pin = replace(call.pin, outcome=replace(outcome, result=forgotten(outcome.result)))
                one.calls[index] = replace(call, pin=pin)
                counts[call.pin.function] += 1
    return [LeftOut(function, _UNSURE, count) for function, count in counts.items()]


def _differ(left: Build, right: Build) -> bool:
    """Whether two builds of a function are for certain none of one source and the same macros."""
    if _language(left) != _language(right):
        return False  # the same types have other names there
    if left.types != right.types:
        return True
    # With -flto the code depends on the rest of the program.
    same_options = bool(left.producer) and left.producer == right.producer and "-flto" not in left.producer
    return same_options and left.code != right.code


def _language(build: Build) -> str:
    return " ".join(build.producer.split()[:2])
