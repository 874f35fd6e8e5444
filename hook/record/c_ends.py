"""How the processes of a recording ended: one that did not end well, or of which that is not known, passed no test.

A test that is expected to fail (``WILL_FAIL`` of ctest, a harness with a list of known failures, a shell script that
goes on) leaves the command's exit status at 0. The status of its own process is what tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from clausefit.hook.record.c_calls import ProcessCalls

_EXITED = "exited with "
_MOST_PARENTS = 100
_LEAKS = (
    "whether it leaks memory is not known, since LeakSanitizer does not work under a debugger (if leaks need not fail "
    "your tests, record with ASAN_OPTIONS=detect_leaks=0)"
)
_LARGEST = 16 << 20


def noted_ends(path: Path) -> dict[int, int]:
    """Process number -> exit status, as the preloaded library (``shim.c``) notes them; of several the worst."""
    found: dict[int, int] = {}
    try:
        with path.open("rb") as file:
            text = file.read(_LARGEST).decode("ascii", "replace")
    except FileNotFoundError:  # no watched process came to its end by itself
        return found
    for line in text.splitlines():
        words = line.split()
        if len(words) == 2 and all(word.lstrip("-").isdecimal() for word in words):
            process, status = int(words[0]), int(words[1]) & 0xFF
            found[process] = found.get(process, 0) or status
    return found


def with_ends(processes: Sequence[ProcessCalls], noted: Mapping[int, int], *, leaks_fail: bool = True) -> None:
    """Note in every call how its process ended, where that is not for certain well.

    A process that one that ended badly had started was part of what went wrong there. ``leaks_fail``: without the
    recorder a program with LeakSanitizer would look for leaks at its end, and fail by them.
    """
    ends = {id(one): _bad_end(one, noted) or (_LEAKS if one.leaks and leaks_fail else "") for one in processes}
    by_number: dict[int, list[ProcessCalls]] = {}
    for one in processes:
        by_number.setdefault(one.process, []).append(one)
    for one in processes:
        bad = ends[id(one)] or _of_parents(one, by_number, ends)
        if bad:
            one.calls = [replace(call, ended=bad) for call in one.calls]


def _of_parents(one: ProcessCalls, by_number: Mapping[int, Iterable[ProcessCalls]], ends: Mapping[int, str]) -> str:
    parent = one.parent
    for _ in range(_MOST_PARENTS):
        above = list(by_number.get(parent, ()))
        bad = next((ends[id(each)] for each in above if ends[id(each)]), "")
        if bad:
            return bad
        if not above or not parent:
            break
        parent = above[-1].parent
    return ""


def _bad_end(one: ProcessCalls, noted: Mapping[int, int]) -> str:
    """How a process ended, as part of a sentence; empty where it ended with status 0."""
    if one.end.startswith(_EXITED):
        status: int | None = int(one.end[len(_EXITED) :])
    elif one.end == "exited":
        return "its process was ended by a signal"
    else:  # it was let go of before its end, or another program took its place
        status = noted.get(one.process)
    if status is None:
        return "how its process ended is not known"
    return f"its process ended with status {status}" if status else ""
