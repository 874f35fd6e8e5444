"""From recordings to what is stored: which calls count, by which tests, and what is left out of them. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath

from clausefit.hook.pins.stored import StoredPin
from clausefit.hook.pins.values import Block, Failed, Pin
from clausefit.hook.record.attribution import attributed, making_test
from clausefit.hook.record.canonical import canonical
from clausefit.hook.record.fate import Fates
from clausefit.hook.record.hiding import hidden, hidden_texts
from clausefit.hook.record.overwritten import Masked
from clausefit.hook.record.selection import Candidate, content, merged, selected
from clausefit.hook.record.settings import RecordSettings
from clausefit.hook.record.test_files import TestFiles
from clausefit.hook.record.watched import LeftOut, RecordedCall
from clausefit.hook.visible import visible

_WHATEVER_THE_TEST = frozenset({"abort", "signal", "timeout"})
"""Ends that a call comes to by itself: they show a failure whether or not the test passed."""
Key = tuple[str, str]
"""(workspace path of the contract's file, ``Contract.function``)."""


@dataclass(frozen=True)
class Joined:
    """The calls that count, by function, and those that do not, counted by their reason."""

    calls: dict[Key, list[Candidate]]
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True)
class Digests:
    """Gives the digest of a function (file, name) and of a test (file, name); None where there is no such file."""

    function: Callable[[str, str], str | None]
    test: Callable[[str, str], str | None]


@dataclass(frozen=True)
class Stored:
    """What is to be stored of one function, and what became of the rest.

    ``fresh`` and ``kept`` count the pins of this run and of earlier ones. ``changed`` are earlier calls with another
    outcome than now.
    """

    pins: tuple[StoredPin, ...]
    fresh: int
    kept: int
    beyond: int
    stale: int
    changed: int


def joined(
    calls: Iterable[RecordedCall],
    fates: Fates,
    files: TestFiles,
    settings: RecordSettings,
    outdated: Callable[[RecordedCall], str | None] = lambda _call: None,
) -> Joined:
    """The calls of tests that passed, with the tests as their origins and without what the settings hide.

    ``outdated`` says why a call was not made by the code that lies there.
    """
    calls = list(calls)
    kept: dict[Key, list[Candidate]] = {}
    secrets = frozenset[str]().union(
        *(hidden_texts(call.pin, partial(settings.hides, call.watched.function)) for call in calls)
    )
    reasons: Counter[tuple[str, str]] = Counter()
    for call in calls:
        function = call.watched.function
        test = making_test(call, files, fates.names)
        outcome = call.pin.outcome
        whatever = isinstance(outcome, Failed) and outcome.kind in _WHATEVER_THE_TEST
        reason = (
            outdated(call)
            or call.otherwise
            or _failed_elsewhere(call, files)
            or (None if whatever else fates.refusal(test, call.program, call.arguments, call.ended))
        )
        if reason is not None:
            reasons[function, reason] += 1
            continue
        pin = hidden(attributed(call, test).pin, partial(settings.hides, function), secrets)
        kept.setdefault((call.watched.file, function), []).append(Candidate(pin, call.outermost))
    return Joined(kept, tuple(LeftOut(*of, count) for of, count in sorted(reasons.items())))


def _failed_elsewhere(call: RecordedCall, files: TestFiles) -> str | None:
    """Why a failure says nothing of the call: code of tests (a fake, a callback, a watchdog) is free to fail."""
    for scope in call.through:
        path = files.c_file(scope)
        if path is None or (path != call.watched.file and not files.is_of_project(path)):
            name = PurePosixPath(path or scope).name
            return f"it failed in {visible(name)}, which is no source of the project (a callback or a fake)"
    return None


def to_store(
    key: Key,
    candidates: Sequence[Candidate],
    earlier: Iterable[StoredPin],
    digests: Digests,
    most: int,
    masked: Masked = lambda pin: pin,
) -> Stored:
    """At most ``most`` calls of one function: those of this run, and of earlier ones what still holds beside them.

    ``earlier`` are all stored pins of its file. Those of functions of another name are not looked at. Calls that differ
    only in what ``masked`` takes away are one: that which is stored already, else one of them.
    """
    file, function = key
    body = digests.function(file, function) or ""
    fresh = [replace(one, pin=canonical(one.pin)) for one in candidates]
    of_it = [one for one in earlier if one.pin.function == function]
    current = {
        canonical(one.pin): one
        for one in of_it
        if one.body == body and one.test_digest == (digests.test(one.pin.origin.file, one.pin.origin.test) or "")
    }
    shown = _Shown(masked, current)
    fresh = [replace(one, pin=shown.as_shown(one.pin)) for one in sorted(fresh, key=lambda one: repr(one.pin))]
    current = {shown.as_shown(pin): one for pin, one in current.items()}
    others, changed = merged([one.pin for one in fresh], current)
    chosen = selected([*fresh, *(Candidate(pin) for pin in others)], most, masked)
    kept = set(others)
    pins = tuple(_stored(pin, body, current[pin].test_digest if pin in kept else None, digests) for pin in chosen.pins)
    from_before = sum(pin in kept for pin in chosen.pins)
    stale = len(of_it) - len(current)
    return Stored(pins, len(chosen.pins) - from_before, from_before, chosen.beyond, stale, changed)


class _Shown:
    """One call stands for all that differ from it only in what says nothing; those that are stored before others."""

    def __init__(self, masked: Masked, stored: Iterable[Pin]) -> None:
        self._masked = masked
        self._blocks: dict[Hashable, tuple[Block, ...]] = {}
        for pin in sorted(stored, key=repr):
            self.as_shown(pin)

    def as_shown(self, pin: Pin) -> Pin:
        blocks = self._blocks.setdefault(content(self._masked(pin)), pin.blocks)
        return replace(pin, blocks=blocks)


def _stored(pin: Pin, body: str, test_digest: str | None, digests: Digests) -> StoredPin:
    digest = test_digest if test_digest is not None else digests.test(pin.origin.file, pin.origin.test)
    return StoredPin(pin, body, digest or "")
