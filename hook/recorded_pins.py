"""Recorded calls as pins: those of the judged state that still hold for the functions and tests in it.

What a file in ``.clausefit/pins/`` says is a fact of the run in which it was recorded. It counts as long as the
function and the test are those of that run (``record.bodies``); all else is left out and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from clausefit.hook.contracts.model import Contract, NotChecked
from clausefit.hook.pins.stored import StoredPin, StoredProblem, from_bytes, path_of
from clausefit.hook.pins.values import Failed, Ignored, Pin
from clausefit.hook.prepared import PinTable
from clausefit.hook.record.bodies import bodies_in
from clausefit.hook.record.excluded import allowed
from clausefit.hook.record.settings import RecordSettings
from clausefit.hook.recorded_values import misfit
from clausefit.hook.snapshots import Snapshot
from clausefit.hook.visible import visible

_MISSING = "does not exist"
_AGAIN = "restore the file, or delete it and record again with `clausefit record -- …`"


class RecordedPins:
    """The recorded calls of one state of the workspace; each file is read once.

    What ``settings`` exclude is not shown in a report either, although it was stored before.
    """

    def __init__(self, snapshot: Snapshot, settings: RecordSettings | None = None) -> None:
        self._snapshot = snapshot
        self._settings = settings or RecordSettings()
        self._bodies = bodies_in(snapshot)
        self._files: dict[str, dict[str, list[StoredPin]]] = {}

    def add(
        self,
        table: PinTable,
        contract: Contract,
        refusal: Callable[[Pin], str | None],
        fit: Callable[[Pin], Pin] = lambda pin: pin,
        is_current: Callable[[Pin], bool] = lambda _pin: True,
    ) -> None:
        """Put the recorded calls of the contract's function into the table, behind those that are there.

        ``refusal`` gives the reason why a call does not count, None where it does; ``fit`` makes the pin of the
        contract's own unit of it; ``is_current`` tells calls that are stale although function and test are the same.
        Stale calls are counted in one line; a file that cannot be read is one, too. Where other calls are left to judge
        by, nobody would see that line: the stale ones are then among what was not checked.
        """
        key = (contract.file, contract.function)
        found = self._of(contract.file, table).get(contract.function, [])
        fresh = [one.pin for one in found if self._is_fresh(contract, one) and is_current(one.pin)]
        ignored = []
        for pin in fresh:
            reason = misfit(pin, contract) or refusal(pin)
            if reason is None:
                table.pins.setdefault(key, []).append(fit(pin))
            else:
                ignored.append(Ignored(contract.function, _source(pin, contract), reason))
        if ignored:
            table.ignored.setdefault(key, []).extend(ignored)
        stale = len(found) - len(fresh)
        if stale:
            # The first reason is what is said of a contract without pins, and this one tells what helps.
            line = Ignored(contract.function, path_of(contract.file), _stale(stale))
            table.ignored.setdefault(key, []).insert(0, line)
            if table.pins.get(key):
                detail = f"{_count(stale)} stale, and left out"
                table.not_checked.append(NotChecked(*key, "stale_pins", detail, contract.line))

    def _is_fresh(self, contract: Contract, stored: StoredPin) -> bool:
        origin = stored.pin.origin
        return stored.body == self._bodies.function(contract.file, contract.function) and stored.test_digest == (
            self._bodies.test(origin.file, origin.test) or ""
        )

    def _of(self, source: str, table: PinTable) -> dict[str, list[StoredPin]]:
        """The calls recorded of the functions of a source file. A problem with it is told to the table once."""
        if source not in self._files:
            found: dict[str, list[StoredPin]] = {}
            self._files[source] = found
            try:
                for one in allowed(self._read(source), self._settings).pins:
                    found.setdefault(one.pin.function, []).append(one)
            except StoredProblem as problem:
                detail = f"its recorded calls cannot be read: {problem}"
                table.not_checked.append(NotChecked(source, None, "parse_error", detail))
        return self._files[source]

    def _read(self, source: str) -> tuple[StoredPin, ...]:
        """The pins of the file for a source, none where there is no file. Raises StoredProblem."""
        path = path_of(source)
        content = self._snapshot.read(path)
        if content is None:
            why = self._snapshot.refusal(path)
            if why is None or why == _MISSING:
                return ()
            raise StoredProblem(f"{visible(path)} {why}: {_AGAIN}")
        named, pins = from_bytes(content, path)
        if named != source:
            raise StoredProblem(f"{visible(path)}: it holds the calls of {visible(named)}: {_AGAIN}")
        return pins


def unseen(judged: Snapshot, disk: Snapshot, sources: Iterable[str]) -> str | None:
    """A line about recorded calls of these sources that lie on the disk and are not those that are judged."""
    paths = [path_of(source) for source in sorted(set(sources))]
    there, here = judged.read_many(paths), disk.read_many(paths)
    other = [path for path in paths if path in here and here[path] != there.get(path)]
    if not other:
        return None
    more = f" and {len(other) - 1} more" if len(other) > 1 else ""
    return (
        f"{visible(other[0])}{more} on the disk is not what is judged: add it to the commit (`git add .clausefit/pins`)"
    )


def is_death(pin: Pin) -> bool:
    """Whether the call ended its program: its test has no verdict of its own then, and the call counts all the same."""
    return isinstance(pin.outcome, Failed) and pin.outcome.kind != "exception"


def _source(pin: Pin, contract: Contract) -> str:
    origin = pin.origin
    return f"{origin.file}:{origin.line}" if origin.file else path_of(contract.file)


def _stale(count: int) -> str:
    return f"{_count(count)} stale: record again with `clausefit record -- …`"


def _count(count: int) -> str:
    return "1 recorded call is" if count == 1 else f"{count} recorded calls are"
