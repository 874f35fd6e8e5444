"""``clausefit pins list|show|prune``: what is stored of recorded calls, as people read it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from clausefit.hook.changes import All, changes
from clausefit.hook.languages import language_of
from clausefit.hook.messages import call_text
from clausefit.hook.pins.pin_folder import PinFolder
from clausefit.hook.pins.stored import StoredPin, StoredProblem, path_of
from clausefit.hook.pins.values import Pin
from clausefit.hook.plain import inputs_of, outcome_of, plain_text
from clausefit.hook.plain_scalars import EXIT, RESULT
from clausefit.hook.record.bodies import Bodies, bodies_in
from clausefit.hook.snapshots import Snapshot
from clausefit.hook.visible import shortened, visible

CLEAN, NOT_POSSIBLE = 0, 2
_LONGEST_END = 240
_ENDS = {
    "abort": "aborts",
    "signal": "dies of a signal",
    "timeout": "does not come back",
    "exception": "throws an exception",
}
_NONE = "no recorded calls: run `clausefit record -- CMD`, with the command that runs your tests"


@dataclass(frozen=True)
class Stale:
    """Why a stored call is not one of the code at hand. ``is_certain``: it is, and not merely cannot be told."""

    reason: str
    is_certain: bool = True


_CODE_CHANGED = "the function, or code that it names, changed"
_NO_FUNCTION = "no function of this name is there any more"


class Staleness:
    """Compares stored calls with one state of the workspace."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._bodies: Bodies = bodies_in(snapshot)

    def is_gone(self, path: str) -> bool:
        """Whether there is no such file (one that is there and cannot be read is not gone)."""
        return self._snapshot.refusal(path) == "does not exist"

    def of(self, source: str, stored: StoredPin) -> Stale | None:
        """Why ``check`` would not count the call, as part of a sentence; None for one that counts."""
        pin = stored.pin
        if stored.body != self._bodies.function(source, pin.function):
            has = self._bodies.has_function(source, pin.function)
            return self._because(source, _CODE_CHANGED if has else _NO_FUNCTION)
        # The digest of a test that lies in no file is empty.
        if stored.test_digest != (self._bodies.test(pin.origin.file, pin.origin.test) or ""):
            return self._because(pin.origin.file, "the test changed")
        return None

    def _because(self, path: str, reason: str) -> Stale:
        refusal = self._snapshot.refusal(path) if path else None
        if refusal is None:
            return Stale(reason)
        return Stale(f"{path} is gone") if self.is_gone(path) else Stale(f"{path} {refusal}", is_certain=False)


@dataclass(frozen=True)
class _Said:
    """Where lines go: what was asked for, and what went wrong."""

    line: Callable[[str], None]
    problem: Callable[[str], None]


def run(
    workspace: Path, action: str, wanted: str | None, line: Callable[[str], None], problem: Callable[[str], None]
) -> int:
    """Do ``list``, ``show`` (of a source, a function, or all) or ``prune``, and return the exit status.

    A source may be named from the workspace or from the current folder.
    ``line`` gets what was asked for, ``problem`` one line for each file that cannot be read or written (status 2).
    Raises StoredProblem when the folder as a whole cannot be read, GitProblem when git cannot list the files.
    """
    folder, said = PinFolder(workspace), _Said(line, problem)
    staleness = Staleness(changes(All(), workspace).snapshot)  # the state in which calls are recorded
    if action == "prune":
        return _prune(folder, staleness, said)
    found, status = _read(folder, said)
    if action == "show":
        return max(status, _show(found, staleness, _Wanted.of(wanted, workspace), said))
    _list(found, staleness, said)
    return status


def _read(folder: PinFolder, said: _Said) -> tuple[dict[str, tuple[StoredPin, ...]], int]:
    """The pins of each source, and 2 where a file could not be read."""
    found: dict[str, tuple[StoredPin, ...]] = {}
    status = CLEAN
    for source in folder.sources():
        try:
            found[source] = folder.read(source)
        except StoredProblem as problem:
            said.problem(str(problem))
            status = NOT_POSSIBLE
    return found, status


def _list(found: dict[str, tuple[StoredPin, ...]], staleness: Staleness, said: _Said) -> None:
    functions = calls = old = 0
    for source, pins in found.items():
        said.line(visible(source))
        for function, of_it in _by_function(pins).items():
            tests = {(one.pin.origin.file, one.pin.origin.test) for one in of_it}
            reasons = Counter(stale.reason for one in of_it if (stale := staleness.of(source, one)))
            why = "".join(f", {count} stale ({visible(reason)})" for reason, count in sorted(reasons.items()))
            said.line(f"  {visible(function)}: {_count(len(of_it), 'call')} from {_count(len(tests), 'test')}{why}")
            functions, calls, old = functions + 1, calls + len(of_it), old + reasons.total()
    if not found:
        said.line(_NONE)
        return
    advice = f", {old} stale: record them again with `clausefit record`, or remove them with `clausefit pins prune`"
    total = f"{_count(calls, 'call')} of {_count(functions, 'function')} in {_count(len(found), 'source')}"
    said.line(f"{total}{advice if old else ''}")


def _by_function(pins: Sequence[StoredPin]) -> dict[str, list[StoredPin]]:
    found: dict[str, list[StoredPin]] = {}
    for one in pins:
        found.setdefault(one.pin.function, []).append(one)
    return found


@dataclass(frozen=True)
class _Wanted:
    """What the user asks for: the text, and the paths below the workspace that it may be."""

    text: str
    paths: frozenset[PurePath]

    @staticmethod
    def of(text: str | None, workspace: Path) -> _Wanted | None:
        if text is None:
            return None
        absolute = Path(os.path.abspath(text))  # noqa: PTH100 - links stay as they are
        below = [absolute.relative_to(workspace)] if absolute.is_relative_to(workspace) else []
        return _Wanted(text, frozenset({PurePath(text), *below}))

    def means(self, source: str, function: str) -> bool:
        """Whether it is this source, or this function: ``f``, ``Outer.f(int)``, ``Outer.f``."""
        name = function.partition("(")[0]
        return self.text in (function, name, name.rpartition(".")[2]) or PurePath(source) in self.paths


def _show(found: dict[str, tuple[StoredPin, ...]], staleness: Staleness, wanted: _Wanted | None, said: _Said) -> int:
    shown = 0
    for source, pins in found.items():
        of_it = [one for one in pins if wanted is None or wanted.means(source, one.pin.function)]
        if of_it:
            said.line(visible(source))
        for one in of_it:
            stale = staleness.of(source, one)
            mark = f"  [stale: {visible(stale.reason)}]" if stale else ""
            said.line(f"  {pin_text(one.pin)}{mark}")
        shown += len(of_it)
    if shown or (wanted is None and found):
        return CLEAN
    if wanted is None:
        said.line(_NONE)
        return CLEAN
    said.problem(
        f"no recorded calls of {visible(wanted.text)[:200]}: `clausefit pins list` says of what there are some"
    )
    return NOT_POSSIBLE


def pin_text(pin: Pin) -> str:
    """One call on one line: ``f(a = {1, 2}, n = 2) = 3, a = {2, 1} afterwards  (test_x, tests/x.c:12)``."""
    language = language_of(pin)
    outcome = outcome_of(pin)
    ends = " returns"
    if EXIT in outcome:
        how = str(outcome.pop(EXIT))
        ends = f" {visible(_ENDS.get(how, how))}"
    elif RESULT in outcome:
        ends = f" = {plain_text(outcome.pop(RESULT), language)}"
    left = ", ".join(f"{visible(place)} = {plain_text(value, language)}" for place, value in outcome.items())
    afterwards = f", {shortened(left, _LONGEST_END)} afterwards" if left else ""
    origin = pin.origin
    test = f"{visible(origin.test) or 'a program'}, {visible(origin.file)}:{origin.line}"
    return f"{call_text(pin.function, inputs_of(pin), language)}{shortened(ends, _LONGEST_END)}{afterwards}  ({test})"


def _prune(folder: PinFolder, staleness: Staleness, said: _Said) -> int:
    removed, status = 0, CLEAN
    for source in folder.sources():
        try:
            text = _pruned(folder, source, staleness)
        except StoredProblem as problem:
            said.problem(str(problem))
            status = NOT_POSSIBLE
            continue
        if text:
            said.line(f"{visible(source)}: {text}")
            removed += 1
    if not removed and status == CLEAN:
        said.line("nothing to prune: no recorded call is stale")
    return status


def _pruned(folder: PinFolder, source: str, staleness: Staleness) -> str:
    """Removes what is stale of one source; says what was done, empty for nothing."""
    if staleness.is_gone(source):
        folder.remove(source)
        return f"removed {path_of(source)}, since the source is gone"
    counts: list[int] = []

    def kept(pins: tuple[StoredPin, ...]) -> Sequence[StoredPin]:
        left = [one for one in pins if not _is_stale(staleness.of(source, one))]
        counts[:] = [len(pins), len(left)]
        return left

    folder.update(source, kept)
    before, after = counts
    if before == after:
        return ""
    rest = f"{_count(after, 'call')} left" if after else "none is left, the file is removed"
    return f"removed {_count(before - after, 'stale call')}, {rest}"


def _is_stale(stale: Stale | None) -> bool:
    return stale is not None and stale.is_certain


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
