"""Calls that were stored before the settings excluded their function or a value of theirs. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

from clausefit.hook.pins.stored import StoredPin
from clausefit.hook.record.canonical import canonical
from clausefit.hook.record.hiding import hidden
from clausefit.hook.record.selection import content
from clausefit.hook.record.settings import RecordSettings


@dataclass(frozen=True)
class Allowed:
    """What may be stored: ``removed`` calls are of excluded functions, in ``hidden`` ones a value is hidden now.

    Calls that differed in what is hidden alone are one call.
    """

    pins: tuple[StoredPin, ...]
    removed: int = 0
    hidden: int = 0

    @property
    def text(self) -> str:
        """What was done, as part of a sentence; empty for nothing."""
        done = [f"removed {_calls(self.removed)} of functions that are excluded"] if self.removed else []
        done += [f"hid what is excluded in {_calls(self.hidden)}"] if self.hidden else []
        return ", ".join(done)


def allowed(stored: Iterable[StoredPin], settings: RecordSettings) -> Allowed:
    """The stored calls as they would be had the settings always been these."""
    kept: list[StoredPin] = []
    seen = set()
    removed = covered = 0
    for one in stored:
        function = one.pin.function
        if settings.leaves_out(function):
            removed += 1
            continue
        pin = hidden(one.pin, partial(settings.hides, function))
        if pin != one.pin:
            pin = canonical(pin)
            covered += 1
            if content(pin) in seen:
                continue
            seen.add(content(pin))
        elif settings.exclude_parameters:
            seen.add(content(canonical(pin)))
        kept.append(replace(one, pin=pin))
    return Allowed(tuple(kept), removed, covered)


def _calls(count: int) -> str:
    return "1 stored call" if count == 1 else f"{count} stored calls"
