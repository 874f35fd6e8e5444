"""The order of one recording, with stand-ins for recorders, command and store: what is run, told, and left."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

import pytest
from clausefit.hook.config import Config
from clausefit.hook.contracts.model import Contract
from clausefit.hook.pins.stored import StoredPin, StoredProblem
from clausefit.hook.pins.values import Integer, Origin, Pin, Returned
from clausefit.hook.record.command import Edges, Request, record
from clausefit.hook.record.fate import Fates
from clausefit.hook.record.joining import Digests
from clausefit.hook.record.run_command import TIMED_OUT, CommandMissing, Ended
from clausefit.hook.record.settings import RecordSettings
from clausefit.hook.record.test_files import TestFiles
from clausefit.hook.record.test_reports import Reports, ctest_files, matching, usual_reports
from clausefit.hook.record.watched import Frame, LeftOut, RecordedCall, RecorderProblem, Recording, WatchedFunction

IDLE = (
    ": no watched program of this run calls it, or the time that recording may take was used up before "
    "(`limits: slowdown` of `record:`)"
)


def watched(name: str) -> WatchedFunction:
    return WatchedFunction("f.c", name, Contract("c", "f.c", name, 3, "int", (), ()))


def made(name: str, value: int) -> RecordedCall:
    given = Integer(value, "int", 32, True)
    pin = Pin(name, (("x", given),), (), Returned(given, ()), Origin("recorded", "", "", 0))
    return RecordedCall(watched(name), pin, (Frame("/w/test_f.c", "test_it", 7),), "/w/t", True, 0)


@dataclass
class StandIn:
    """A recorder of the shape that the real ones have."""

    recording: Recording = field(default_factory=Recording)
    refuses: str = ""
    breaks: str = ""
    is_open: bool = False
    limits: list[float] = field(default_factory=list)

    def __enter__(self) -> Self:
        if self.refuses:
            raise RecorderProblem(self.refuses)
        self.is_open = True
        return self

    def __exit__(self, *_: object) -> None:
        self.is_open = False

    def environment(self) -> dict[str, str]:
        return {"WATCHED": "yes"}

    def limit_reached(self, seconds: float) -> None:
        assert self.is_open
        self.limits.append(seconds)

    def finish(self) -> Recording:
        assert self.is_open
        if self.breaks:
            raise RecorderProblem(self.breaks)
        return self.recording


@dataclass
class Run:
    """What was started, and how each command ends: a status, or None where it is not there."""

    statuses: Sequence[int | None]
    interrupted: bool = False
    seen: list[tuple[Sequence[str], str, float | None]] = field(default_factory=list)

    def __call__(
        self,
        argv: Sequence[str],
        *,
        environment: Mapping[str, str],
        limit: float | None,
        at_limit: Callable[[], None],
    ) -> Ended:
        status = self.statuses[len(self.seen)]
        self.seen.append((argv, environment.get("WATCHED", ""), limit))
        if status is None:
            raise CommandMissing(f"{argv[0]} was not found")
        if status == TIMED_OUT:
            at_limit()
        return Ended(status, status == TIMED_OUT, self.interrupted, 1.0)


@dataclass
class Memory:
    """A store that only remembers."""

    problem: str = ""
    pins: dict[str, list[StoredPin]] = field(default_factory=dict)

    def read(self, source: str) -> tuple[StoredPin, ...]:
        return tuple(self.pins.get(source, ()))

    def update(
        self, source: str, change: Callable[[tuple[StoredPin, ...]], Sequence[StoredPin]]
    ) -> tuple[tuple[StoredPin, str], ...]:
        new = list(change(tuple(self.pins.get(source, ()))))
        if self.problem:
            raise StoredProblem(self.problem)
        self.pins[source] = new
        return ()


FILES = TestFiles(("/w",), ["f.c", "test_f.c"], Config().is_test, lambda _path: "")


def flow(
    recorders: Mapping[str, StandIn],
    run: Run,
    store: Memory | None = None,
    functions: Iterable[str] = ("f", "g"),
    **request: float,
) -> tuple[int, list[str]]:
    said: list[str] = []
    edges = Edges(
        recorders,
        run,
        {},
        lambda status, _programs: Fates(status),
        lambda: FILES,
        lambda: Digests(lambda _file, _name: "b", lambda _file, _name: "d"),
        store or Memory(),
        said.append,
        lambda: 0.0,
    )
    commands = tuple((f"cmd{number}",) for number in range(len(run.statuses)))
    asked = Request(commands, request.get("limit"))
    return record(asked, [watched(name) for name in functions], RecordSettings(), edges), said


ONE = Recording((made("f", 1), made("f", 2)), programs=1)


def test_what_was_recorded_is_stored_and_told() -> None:
    run, store = Run([0]), Memory()
    status, said = flow({"C": StandIn(ONE)}, run, store, limit=30.0)
    assert run.seen == [(("cmd0",), "yes", 30.0)]
    assert [(one.pin.origin, one.body, one.test_digest) for one in store.pins["f.c"]] == [
        (Origin("recorded", "test_it", "test_f.c", 7), "b", "d")
    ] * 2
    assert (status, said) == (
        0,
        [
            "stored 2 calls of 1 function in 1 file of .clausefit/pins (1 watched program)",
            "no call was recorded of g (f.c:3)" + IDLE,
        ],
    )


def test_one_language_that_cannot_be_recorded_does_not_keep_the_other_from_it() -> None:
    recorders = {"C": StandIn(refuses="gdb is missing: install it"), "Java": StandIn(ONE)}
    status, said = flow(recorders, Run([0]))
    assert (status, said[0]) == (0, "C cannot be recorded: gdb is missing: install it")
    assert said[1].startswith("stored 2 calls")
    assert not recorders["Java"].is_open


@pytest.mark.parametrize(
    ("recorders", "functions", "run", "says", "started"),
    [
        pytest.param({"C": StandIn(refuses="no gdb")}, ("f",), Run([0]), "no gdb", 0, id="no-recorder"),
        pytest.param({"C": StandIn()}, (), Run([0]), "no function with a contract", 0, id="no-contract"),
        pytest.param({"C": StandIn()}, ("f",), Run([None]), "cmd0 was not found; nothing was run", 1, id="no-command"),
    ],
)
def test_where_nothing_is_recorded(
    recorders: dict[str, StandIn], functions: tuple[str, ...], run: Run, says: str, started: int
) -> None:
    status, said = flow(recorders, run, functions=functions)
    assert (status, len(said), len(run.seen)) == (2, 1, started)
    assert says in said[0]
    assert not any(one.is_open for one in recorders.values())


@pytest.mark.parametrize(
    ("statuses", "interrupted", "started", "status", "stored"),
    [
        pytest.param([0, 0], False, 2, 0, 2, id="all-passed"),
        pytest.param([3, 0], False, 1, 3, 0, id="the-first-one-failed"),
        pytest.param([0, 3], False, 2, 3, 0, id="the-last-one-failed"),
        pytest.param([0, None], False, 2, 2, 0, id="the-last-one-is-not-there"),
        pytest.param([0], True, 1, 0, 0, id="interrupted-and-said-to-be-well"),
    ],
)
def test_several_commands(
    statuses: list[int | None], interrupted: bool, started: int, status: int, stored: int
) -> None:
    run, store = Run(statuses, interrupted), Memory()
    assert flow({"C": StandIn(ONE)}, run, store)[0] == status
    assert len(run.seen) == started
    assert len(store.pins.get("f.c", [])) == stored


@pytest.mark.parametrize(
    ("exit_status", "expected"),
    [pytest.param(0, 2, id="tests-passed"), pytest.param(5, 5, id="tests-failed-nothing-to-store")],
)
def test_a_full_disk(exit_status: int, expected: int) -> None:
    old = StoredPin(made("f", 9).pin, "b", "d")
    store = Memory("f.c.yaml: no space", {"f.c": [old]})
    status, said = flow({"C": StandIn(ONE)}, Run([exit_status]), store)
    assert status == expected
    assert store.pins == {"f.c": [old]}
    assert ("f.c.yaml: no space" in said) == (exit_status == 0)


NO_CALL = "no call was recorded of g (f.c:3): "


@pytest.mark.parametrize(
    ("recording", "run", "stored", "expected"),
    [
        pytest.param(ONE, Run([0]), (), NO_CALL + IDLE[2:], id="not-all-is-known"),
        pytest.param(
            replace(ONE, was_watched=True), Run([0]), (), NO_CALL + "no watched program of this run calls it", id="seen"
        ),
        pytest.param(
            ONE,
            Run([0], interrupted=True),
            (),
            NO_CALL + "the run was interrupted before, or no test calls it",
            id="^C",
        ),
        pytest.param(
            ONE, Run([TIMED_OUT]), (), NO_CALL + "--limit ended the command before, or no test calls it", id="limit"
        ),
        pytest.param(
            ONE,
            Run([1, 0]),
            (),
            NO_CALL + "a command failed, and later ones were not run before, or no test calls it",
            id="a-command-that-failed",
        ),
        pytest.param(replace(ONE, unseen=frozenset({"g"})), Run([0]), (), "", id="a-problem-says-why"),
        pytest.param(
            ONE,
            Run([0]),
            (StoredPin(made("g", 1).pin, "b", "d"), StoredPin(made("g", 2).pin, "b", "d")),
            "no call was recorded in this run, and 2 stored calls still hold: g (f.c:3)",
            id="stored-before",
        ),
        pytest.param(ONE, Run([0]), (StoredPin(made("g", 1).pin, "old", "d"),), NO_CALL + IDLE[2:], id="stale-ones"),
    ],
)
def test_why_no_call_was_recorded(recording: Recording, run: Run, stored: tuple[StoredPin, ...], expected: str) -> None:
    _status, said = flow({"C": StandIn(recording)}, run, Memory("", {"f.c": list(stored)}), limit=9)
    assert [line for line in said if " g (f.c:3)" in line] == ([expected] if expected else [])
    assert any(line.startswith("the run was interrupted: ") for line in said) == run.interrupted


def test_recorders_are_told_that_the_limit_is_reached() -> None:
    recorder = StandIn(ONE)
    status, said = flow({"C": recorder}, Run([TIMED_OUT]), limit=30)
    assert (status, recorder.limits, said[0]) == (TIMED_OUT, [30], "the command was ended after 30 s (--limit)")
    assert flow({"C": StandIn(ONE)}, Run([0]))[0] == 0 and not StandIn().limits


def test_a_recorder_that_breaks_is_told() -> None:
    status, said = flow({"C": StandIn(breaks="the recording is gone"), "Java": StandIn(ONE)}, Run([0]))
    assert status == 0
    assert said[0] == "the recording is gone"


def test_many_reasons_are_cut() -> None:
    left = tuple(LeftOut(f"f{number:02}", "it is odd", number + 1) for number in range(30))
    _status, said = flow(
        {"C": StandIn(Recording(left_out=left))}, Run([0]), functions=("f", *(f"f{n:02}" for n in range(30)))
    )
    assert said[1] == "left out: 30 calls of f29: it is odd"
    assert "and 18 more reasons" in said
    assert said[-1] == "no call was recorded of f (f.c:3)" + IDLE


# ---- reports --------------------------------------------------------------------------------------------------------


def test_only_reports_of_this_run_count(tmp_path: Path) -> None:
    now = 1_700_000_000.0
    for name in ("old", "again", "copied"):
        (tmp_path / f"{name}.xml").write_text("x")
        os.utime(tmp_path / f"{name}.xml", (now - 500, now - 500))
    (tmp_path / "copied.xml").rename(tmp_path / "copied")
    reports = Reports(lambda: matching("*.xml", tmp_path), now)
    for name in ("again", "new"):
        (tmp_path / f"{name}.xml").write_text("y")
        os.utime(tmp_path / f"{name}.xml", (now + 5, now + 5))
    (tmp_path / "copied").rename(tmp_path / "copied.xml")  # an old one, put there with its old time
    assert [path.name for path in reports.written()] == ["again.xml", "new.xml"]


def test_where_maven_and_gradle_write(tmp_path: Path) -> None:
    there = ["target/surefire-reports/TEST-p.A.xml", "m/target/failsafe-reports/TEST-B.xml"]
    there += ["build/test-results/test/TEST-C.xml"]
    for name in (*there, "target/surefire-reports/p.A.txt", "x/TEST-D.xml", ".git/surefire-reports/TEST-E.xml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    found = {path.relative_to(tmp_path).as_posix() for path in usual_reports(tmp_path)}
    assert found == set(there)


def test_the_lists_of_ctest_are_found_from_any_program(tmp_path: Path) -> None:
    for folder, text in {"": 'subdirs("a")\nsubdirs("b")\n', "a": "# a\n", "b": 'subdirs("../a")\n# b\n'}.items():
        (tmp_path / "build" / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / "build" / folder / "CTestTestfile.cmake").write_text(text)
    found = ctest_files([str(tmp_path / "build" / "bin" / "t"), "relative", "/nowhere/t"])
    assert sorted(text.splitlines()[-1] for text in found) == ["# a", "# b", 'subdirs("b")']
