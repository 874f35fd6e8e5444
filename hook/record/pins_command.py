"""``clausefit pins list|show|prune``: what is stored of recorded calls, as people read it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
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
from clausefit.hook.record.excluded import allowed
from clausefit.hook.record.settings import RecordSettings
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


@dataclass(frozen=True)
class Asked:
    """What to do: ``list``, ``show`` or ``prune``, of one source or function, or all; what may be stored and shown."""

    action: str
    wanted: str | None = None
    settings: RecordSettings = field(default_factory=RecordSettings)


def run(workspace: Path, asked: Asked, line: Callable[[str], None], problem: Callable[[str], None]) -> int:
    """Do what is asked, and return the exit status.

    A source may be named from the workspace or from the current folder. What the settings exclude is not shown, and
    removed by ``prune``, whatever was stored before.
    ``line`` gets what was asked for, ``problem`` one line for each file that cannot be read or written (status 2).
    Raises StoredProblem when the folder as a whole cannot be read, GitProblem when git cannot list the files.
    """
    folder, said = PinFolder(workspace), _Said(line, problem)
    staleness = Staleness(changes(All(), workspace).snapshot)  # the state in which calls are recorded
    wanted = _Wanted.of(asked.wanted, workspace)
    if asked.action == "prune":
        return _prune(folder, staleness, said, wanted, asked.settings)
    found, status = _read(folder, said)
    excluded = 0
    for source, pins in found.items():
        may = allowed(pins, asked.settings)
        excluded += may.removed + may.hidden
        found[source] = may.pins
    if excluded:
        are = "1 stored call is" if excluded == 1 else f"{excluded} stored calls are"
        said.problem(f"{are} not shown as they lie there, since the settings exclude them: `clausefit pins prune`")
    found = _only(found, wanted)
    if wanted is not None and not found:
        said.problem(
            f"no recorded calls of {visible(wanted.text)[:200]}: `clausefit pins list` says of what there are some"
        )
        return NOT_POSSIBLE
    if not found:
        said.line(_NONE)
    elif asked.action == "show":
        _show(found, staleness, said)
    else:
        _list(found, staleness, said)
    return status


def _only(found: dict[str, tuple[StoredPin, ...]], wanted: _Wanted | None) -> dict[str, tuple[StoredPin, ...]]:
    """The calls that are asked for; no source without any."""
    chosen = {
        source: tuple(one for one in pins if wanted is None or wanted.means(source, one.pin.function))
        for source, pins in found.items()
    }
    return {source: pins for source, pins in chosen.items() if pins}


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

    def is_source(self, source: str) -> bool:
        """Whether it is this source."""
        return PurePath(source) in self.paths

    def means(self, source: str, function: str) -> bool:
        """Whether it is this source, or this function: ``f``, ``Outer.f(int)``, ``Outer.f``."""
        name = function.partition("(")[0]
        return self.text in (function, name, name.rpartition(".")[2]) or self.is_source(source)


def _show(found: dict[str, tuple[StoredPin, ...]], staleness: Staleness, said: _Said) -> None:
    for source, pins in found.items():
        said.line(visible(source))
        names = {one.pin.function for one in pins}
        bare = Counter(name.partition("(")[0] for name in names)
        overloaded = {name for name in names if bare[name.partition("(")[0]] > 1}
        for one in pins:
            stale = staleness.of(source, one)
            mark = f"  [stale: {visible(stale.reason)}]" if stale else ""
            text = pin_text(one.pin, with_types=one.pin.function in overloaded)
            said.line(f"  {text}{mark}")


def pin_text(pin: Pin, *, with_types: bool = False) -> str:
    """One call on one line: ``f(a = {1, 2}, n = 2) = 3, a = {2, 1} afterwards  (test_x, tests/x.c:12)``.

    ``with_types``: with the types that a Java signature has for the parameters, which tell overloads apart.
    """
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
    inputs = inputs_of(pin)
    if with_types:
        types = _types_of_parameters(pin)
        inputs = {f"{types[name]} {name}" if name in types else name: value for name, value in inputs.items()}
    return f"{call_text(pin.function, inputs, language)}{shortened(ends, _LONGEST_END)}{afterwards}  ({test})"


def _types_of_parameters(pin: Pin) -> dict[str, str]:
    """The parameters' types as the signature has them."""
    inside = pin.function.partition("(")[2].removesuffix(")")
    types, depth = [""], 0
    for letter in inside:
        depth += (letter == "<") - (letter == ">")
        if letter == "," and depth == 0:
            types.append("")
        else:
            types[-1] += letter
    names = [name for name, _value in pin.arguments if name != "this"]
    return {name: written.strip() for name, written in zip(names, types, strict=False)}


def _prune(
    folder: PinFolder, staleness: Staleness, said: _Said, wanted: _Wanted | None, settings: RecordSettings
) -> int:
    done, status, is_meant = 0, CLEAN, wanted is None
    for source in folder.sources():
        try:
            # A file that is named is read when it is written: it may be broken and its source gone.
            is_named = wanted is None or wanted.is_source(source)
            if not is_named and not _only({source: folder.read(source)}, wanted):
                continue
            is_meant = True
            text = _pruned(folder, source, staleness, wanted, settings)
        except StoredProblem as problem:
            said.problem(str(problem))
            status = NOT_POSSIBLE
            continue
        if text:
            said.line(f"{visible(source)}: {text}")
            done += 1
    if wanted is not None and not is_meant and status == CLEAN:
        said.problem(f"no recorded calls of {visible(wanted.text)[:200]}: nothing was removed")
        return NOT_POSSIBLE
    if not done and status == CLEAN:
        said.line("nothing to prune: no recorded call is stale or excluded")
    return status


def _pruned(
    folder: PinFolder, source: str, staleness: Staleness, wanted: _Wanted | None, settings: RecordSettings
) -> str:
    """Removes what is stale or excluded of one source; says what was done, empty for nothing."""
    if staleness.is_gone(source) and (wanted is None or wanted.is_source(source)):
        folder.remove(source)
        return f"removed {path_of(source)}, since the source is gone"
    done: list[str] = []

    def kept(pins: tuple[StoredPin, ...]) -> Sequence[StoredPin]:
        mine = [one for one in pins if wanted is None or wanted.means(source, one.pin.function)]
        others = [one for one in pins if one not in mine]
        may = allowed(mine, settings)
        left = [one for one in may.pins if not _is_stale(staleness.of(source, one))]
        stale = len(may.pins) - len(left)
        texts = [*([may.text] if may.text else []), *([f"removed {_count(stale, 'stale call')}"] if stale else [])]
        if texts:
            after = len(left) + len(others)
            done[:] = [*texts, f"{_count(after, 'call')} left" if after else "none is left, the file is removed"]
        return [*others, *left]

    folder.update(source, kept)
    return ", ".join(done)


def _is_stale(stale: Stale | None) -> bool:
    return stale is not None and stale.is_certain


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
