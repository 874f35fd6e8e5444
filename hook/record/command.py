"""``clausefit record -- CMD…``: watches the project's own tests run, and stores the calls that they made.

The order of one recording: which functions have contracts, the recorders that their languages need, the commands, what
was recorded, the tests that passed, and the store. All edges are passed in (``Edges``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Protocol, Self

from clausefit.hook.pins.stored import StoredPin, StoredProblem
from clausefit.hook.record.fate import Fates
from clausefit.hook.record.joining import Digests, Joined, Key, joined, to_store
from clausefit.hook.record.overwritten import masked_by
from clausefit.hook.record.run_command import CommandMissing, Ended
from clausefit.hook.record.settings import RecordSettings
from clausefit.hook.record.summary import Told, summary
from clausefit.hook.record.test_files import TestFiles
from clausefit.hook.record.watched import LeftOut, RecordedCall, RecorderProblem, Recording, WatchedFunction

NOT_POSSIBLE = 2
MOST_STORED = 20
"""Calls of one function that are stored."""


class Recorder(Protocol):
    """A recorder of one language, a context manager."""

    def __enter__(self) -> Self:
        """Makes ready; raises RecorderProblem."""
        ...

    def __exit__(self, *_: object) -> None:
        """Ends what it started."""
        ...

    def environment(self) -> dict[str, str]:
        """What is added to the environment of the command."""
        ...

    def limit_reached(self, seconds: float) -> None:
        """The command is about to be ended, since it ran for so long: what is under way is not left to end by that."""
        ...

    def finish(self) -> Recording:
        """What was recorded, once the command has ended."""
        ...


class Run(Protocol):
    """``run_command``, bound to the current folder of the command."""

    def __call__(
        self,
        argv: Sequence[str],
        *,
        environment: Mapping[str, str],
        limit: float | None,
        at_limit: Callable[[], None],
    ) -> Ended:
        """Runs it to its end; ``at_limit`` is called before the limit ends it. Raises CommandMissing."""
        ...


class Store(Protocol):
    """``PinFolder``, or what stands for it."""

    def read(self, source: str) -> tuple[StoredPin, ...]:
        """The stored pins of a source; raises StoredProblem."""
        ...

    def update(
        self, source: str, change: Callable[[tuple[StoredPin, ...]], Sequence[StoredPin]]
    ) -> tuple[tuple[StoredPin, str], ...]:
        """Stores what ``change`` makes of what is stored; raises StoredProblem."""
        ...


@dataclass(frozen=True)
class Edges:
    """What a recording touches.

    ``recorders`` are those that the watched functions need, by the words that messages have for them. ``run`` starts a
    command, ``variables`` is its environment, ``fates`` says how tests ended (exit status, programs that made calls),
    ``files`` and ``digests`` read the workspace, ``store`` keeps the pins, ``say`` tells people one line, ``clock``
    gives seconds. ``outdated`` says why a call was not made by the code that lies there.
    """

    recorders: Mapping[str, Recorder]
    run: Run
    variables: Mapping[str, str]
    fates: Callable[[int, Iterable[str]], Fates]
    files: Callable[[], TestFiles]
    digests: Callable[[], Digests]
    store: Store
    say: Callable[[str], None]
    clock: Callable[[], float]
    outdated: Callable[[RecordedCall], str | None] = lambda _call: None


@dataclass(frozen=True)
class Request:
    """What is asked for: commands to run one after the other, and for how many seconds all of them may run.

    ``left_out`` are functions that cannot be watched, ``most`` how many calls of a function are stored.
    """

    commands: tuple[tuple[str, ...], ...]
    limit: float | None = None
    most: int = MOST_STORED
    left_out: tuple[LeftOut, ...] = ()


@dataclass
class _Run:
    """How the commands ended."""

    status: int = 0
    interrupted: bool = False
    timed_out: bool = False
    ran: list[Sequence[str]] = field(default_factory=list)


def record(request: Request, watched: Sequence[WatchedFunction], settings: RecordSettings, edges: Edges) -> int:
    """Record, and return the exit status: that of the first command that failed, else 0; 2 where nothing could be run.

    ``watched`` are the functions of which calls are wanted; what the settings leave out is no longer among them. Where
    the tests ran well and their calls could not be stored the exit status is 2 as well. Never raises StoredProblem,
    RecorderProblem or CommandMissing: they are told.
    """
    if not watched:
        edges.say("there is no function with a contract to record: write one first (`clausefit explain CF102`)")
        return NOT_POSSIBLE
    recordings: list[Recording] = []
    with ExitStack() as stack:
        ready = _ready(edges, stack)
        if not ready:
            return NOT_POSSIBLE
        variables = dict(edges.variables)
        for recorder in ready:
            variables.update(recorder.environment())
        digests = edges.digests()
        before = {(one.file, one.function): digests.function(one.file, one.function) for one in watched}
        try:
            run = _run(request, variables, edges, ready)
        except CommandMissing as problem:
            edges.say(f"{problem}; nothing was run or recorded")
            return NOT_POSSIBLE
        for recorder in ready:
            try:
                recordings.append(recorder.finish())
            except RecorderProblem as problem:
                recordings.append(Recording(problems=(str(problem),)))
    return _keep(request, watched, settings, edges, run, recordings, before)


def _ready(edges: Edges, stack: ExitStack) -> list[Recorder]:
    """The recorders that could be opened; why others could not is told."""
    ready = []
    for name, recorder in edges.recorders.items():
        try:
            ready.append(stack.enter_context(recorder))
        except RecorderProblem as problem:
            edges.say(f"{name} cannot be recorded: {problem}")
    return ready


def _run(request: Request, variables: Mapping[str, str], edges: Edges, ready: Sequence[Recorder]) -> _Run:
    """Run the commands until one fails."""
    run = _Run()

    def at_limit() -> None:
        for recorder in ready:
            recorder.limit_reached(request.limit or 0.0)

    begin = edges.clock()
    for command in request.commands:
        left = None if request.limit is None else max(0.0, request.limit - (edges.clock() - begin))
        try:
            ended = edges.run(command, environment=variables, limit=left, at_limit=at_limit)
        except CommandMissing as problem:
            if not run.ran:
                raise
            edges.say(str(problem))
            run.status = NOT_POSSIBLE
            break
        run.ran.append(command)
        run.status, run.interrupted = ended.status, run.interrupted or ended.interrupted
        run.timed_out = ended.timed_out
        if ended.timed_out:
            edges.say(f"the command was ended after {request.limit:g} s (--limit)")
        if ended.status != 0:
            break
    return run


def _keep(
    request: Request,
    watched: Sequence[WatchedFunction],
    settings: RecordSettings,
    edges: Edges,
    run: _Run,
    recordings: Sequence[Recording],
    before: Mapping[Key, str | None],
) -> int:
    """Store what counts, and tell what became of the rest; the exit status."""
    calls = [call for recording in recordings for call in recording.calls]
    # A command that an interrupt ended may say that all is well.
    status = run.status or (130 if run.interrupted else 0)
    found = joined(
        calls, edges.fates(status, {call.program for call in calls}), edges.files(), settings, edges.outdated
    )
    digests = replace(edges.digests(), function=lambda file, function: before.get((file, function)))
    told = Told(
        watched=watched,
        recordings=recordings,
        left_out=(*found.left_out, *request.left_out),
        called={(call.watched.file, call.watched.function) for call in calls},
    )
    told.cut = _cut_short(request, run)
    is_stored = _store(found, digests, request.most, edges, told)
    told.earlier = _earlier(told, digests, edges.store)
    for line in summary(told):
        edges.say(line)
    return run.status if run.status or is_stored else NOT_POSSIBLE


def _cut_short(request: Request, run: _Run) -> str:
    """Why not all that was asked for ran to its end, as part of a sentence; empty where it did."""
    if run.interrupted:
        return "the run was interrupted"
    if run.timed_out:
        return "--limit ended the command"
    return "a command failed, and later ones were not run" if len(run.ran) < len(request.commands) else ""


def _earlier(told: Told, digests: Digests, store: Store) -> dict[Key, int]:
    """How many stored calls still hold of the functions of which this run recorded none."""
    found: Counter[Key] = Counter()
    idle = {(one.file, one.function) for one in told.watched} - told.called
    for source in sorted({file for file, _function in idle}):
        try:
            pins = store.read(source)
        except StoredProblem as problem:
            told.problems.append(str(problem))
            continue
        for one in pins:
            key = (source, one.pin.function)
            test = digests.test(one.pin.origin.file, one.pin.origin.test) or ""
            if key in idle and (one.body, one.test_digest) == (digests.function(*key), test):
                found[key] += 1
    return dict(found)


def _store(found: Joined, digests: Digests, most: int, edges: Edges, told: Told) -> bool:
    """Write the files of pins, each as a whole; False when one could not be written."""
    by_file: dict[str, list[Key]] = {}
    for key in found.calls:
        by_file.setdefault(key[0], []).append(key)
    is_stored = True
    masks = {(one.file, one.function): masked_by(one.contract) for one in told.watched}
    for file, keys in sorted(by_file.items()):

        def change(stored: tuple[StoredPin, ...], keys: Sequence[Key] = keys) -> list[StoredPin]:
            made = {key[1]: to_store(key, found.calls[key], stored, digests, most, masks[key]) for key in keys}
            told.stored.update({(key[0], key[1]): made[key[1]] for key in keys})
            rest = [one for one in stored if one.pin.function not in made]
            return [*rest, *(pin for one in made.values() for pin in one.pins)]

        try:
            flaws = edges.store.update(file, change)
        except StoredProblem as problem:
            is_stored = False
            for key in keys:
                told.stored.pop(key, None)
            told.problems.append(str(problem))
            continue
        told.unwritten.update(Counter((one.pin.function, flaw) for one, flaw in flaws))
        told.files += 1
    return is_stored
