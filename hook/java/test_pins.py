"""Pins for the Java contracts to judge: finds the tests that speak of their methods, and reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from clausefit.hook.config import Config
from clausefit.hook.java.project import FoundClass, JavaProject
from clausefit.hook.java.recorded_objects import RecordedObjects
from clausefit.hook.java.work import MethodWork
from clausefit.hook.pins.java.tests import pins_from_java
from clausefit.hook.pins.values import Ignored, Pin
from clausefit.hook.prepared import PinTable
from clausefit.hook.recorded_pins import RecordedPins, is_death
from clausefit.hook.snapshots import Snapshot

if TYPE_CHECKING:
    from clausefit.hook.pins.junit_xml import PassedTests

_WORD = re.compile(rb"[A-Za-z_$][\w$]*")
_PARAMETERS = re.compile(r"[(\[{].*", re.DOTALL)
_LEAVE_OUT = "leave all but one out (`exclude` in .clausefit.yaml)"
__test__ = False


def collect_java(
    project: JavaProject,
    snapshot: Snapshot,
    config: Config,
    methods: Sequence[MethodWork],
    passed: PassedTests | None,
    go_on: Callable[[], None] = lambda: None,
) -> PinTable:
    """The pins of all tests that name a class or a method of the contracts, then those that were recorded.

    ``go_on`` is called before each test, and raises where no more are to be read.
    """
    table = PinTable()
    if not methods:
        return table
    files: dict[str, list[MethodWork]] = {}
    for work in methods:
        files.setdefault(work.changed.contract.function, []).append(work)
    watched = frozenset(signature for signature, found in files.items() if len(found) == 1)
    tests = [path for path in snapshot.list() if path.endswith(".java") and config.is_test(path)]
    texts = dict(sorted(snapshot.read_many(tests).items()))
    for signature in sorted(files.keys() - watched):
        several = files[signature]
        is_vain = any(_rivals(project, work.found, texts) is not None for work in several)
        detail = f"{len(several)} classes have a method {signature}, so calls of it cannot be told apart: "
        detail += _LEAVE_OUT if is_vain else "judge one at a time (`clausefit check FILE`)"
        for one in (work.changed.contract for work in several):
            table.ignored[one.file, signature] = [Ignored(signature, f"{one.file}:{one.line}", detail)]
    if not watched:
        return table
    wanted = {name.encode() for work in methods for name in (work.method.name, work.found.simple)}
    declared = {signature: files[signature][0].changed.contract.file for signature in watched}
    read = {}
    for path, content in texts.items():
        if not wanted.isdisjoint(_WORD.findall(content)):
            go_on()
            read[path] = pins_from_java(project, path, watched, declared)
    doubts = {signature: (path, test) for path, found in read.items() for signature, test in found.doubtful}
    report = _Report.of(passed)
    for path, found in read.items():
        table.not_checked.extend(found.not_checked)
        for pin in found.pins:
            key = (declared[pin.function], pin.function)
            reason = report.refusal(pin.origin.test) or _doubt(pin, path, doubts)
            if reason is None:
                table.pins.setdefault(key, []).append(pin)
            else:
                source = f"{pin.origin.file}:{pin.origin.line}"
                table.ignored.setdefault(key, []).append(Ignored(pin.function, source, reason))
        for ignored in found.ignored:
            if ignored.function in watched:
                table.ignored.setdefault((declared[ignored.function], ignored.function), []).append(ignored)
    recorded, objects = RecordedPins(snapshot, config.record), RecordedObjects(project)
    for contract in (work.changed.contract for work in methods):
        if contract.function in watched:
            is_current = partial(objects.fit, file=contract.file)
            recorded.add(table, contract, lambda pin: _refusal(pin, report, doubts), is_current=is_current)
    for signature in sorted(watched):
        key = (declared[signature], signature)
        rivals = (
            None if key in table.pins or key in table.ignored else _rivals(project, files[signature][0].found, texts)
        )
        if rivals is not None:
            table.ignored[key] = [Ignored(signature, *rivals)]
    return table


def _rivals(project: JavaProject, found: FoundClass, tests: Mapping[str, bytes]) -> tuple[str, str] | None:
    """Which test names the class and cannot mean it, as another one of its name is as near, and why that is so.

    None where a test can tell them apart, or none names it.
    """
    name = found.simple.encode()
    naming = [path for path, content in tests.items() if name in content and name in _WORD.findall(content)]
    among = [(path, project.rivals(found, path)) for path in naming]
    if not among or not all(files for _path, files in among):
        return None
    path, files = among[0]
    line = tests[path].count(b"\n", 0, tests[path].index(name)) + 1
    reason = f"the class {found.qualified} is in {' and in '.join(files)}, and this test may mean either: {_LEAVE_OUT}"
    return f"{path}:{line}", reason


def _refusal(pin: Pin, report: _Report, doubts: Mapping[str, tuple[str, str]]) -> str | None:
    """Why a recorded call does not count, where it does not."""
    # That the test passed was seen when the call was recorded; a report without it says nothing against that.
    failed = not is_death(pin) and report.failed(pin.origin.test)
    reported = report.refusal(pin.origin.test) if failed else None
    return reported or _doubt(pin, pin.origin.file, doubts)


def _doubt(pin: Pin, path: str, doubts: Mapping[str, tuple[str, str]]) -> str | None:
    """Why what a method gives is not believed: a test in another file does not pass with the code that lies there."""
    other = doubts.get(pin.function)
    if other is None or other[0] == path:
        return None
    return f"the code does not pass {other[1]} ({other[0]}) as it is, so what it gives elsewhere is not believed"


@dataclass(frozen=True)
class _Report:
    """Which Java tests a report says to have passed, by their names without parameters (``ClassTest.method``)."""

    passed: frozenset[str] | None
    others: frozenset[str] = frozenset()

    @staticmethod
    def of(tests: PassedTests | None) -> _Report:
        if tests is None:
            return _Report(None)
        return _Report(frozenset(map(_base, tests.passed)), frozenset(map(_base, tests.others)))

    def failed(self, test: str) -> bool:
        """Whether the report has the test, and not only as passed."""
        return _base(test) in self.others

    def refusal(self, test: str) -> str | None:
        base = _base(test)
        if self.passed is None or (base in self.passed and base not in self.others):
            return None
        return f"the test report does not say that {test} passed"


def _base(name: str) -> str:
    """``clamps`` for ``clamps(int, int)[1]``, as Surefire calls one repetition, and for ``clamps[1]``."""
    return _PARAMETERS.sub("", name)
