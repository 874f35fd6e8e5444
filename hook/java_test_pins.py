"""Pins for the Java contracts to judge: finds the tests that speak of their methods, and reads them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from clausefit.hook.config import Config
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.java_project import JavaProject
from clausefit.hook.java_work import MethodWork
from clausefit.hook.pins.java_tests import pins_from_java
from clausefit.hook.pins.values import Ignored
from clausefit.hook.prepared import PinTable
from clausefit.hook.snapshots import Snapshot

if TYPE_CHECKING:
    from clausefit.hook.pins.junit_xml import PassedTests

_WORD = re.compile(rb"[A-Za-z_$][\w$]*")
_REPETITION = re.compile(r"\[\d+\]$")
__test__ = False


def collect_java(
    project: JavaProject, snapshot: Snapshot, config: Config, methods: Sequence[MethodWork], passed: PassedTests | None
) -> PinTable:
    """The pins of all tests that name a class or a method of the contracts."""
    table = PinTable()
    files: dict[str, list[str]] = {}
    for work in methods:
        files.setdefault(work.changed.contract.function, []).append(work.changed.contract.file)
    watched = frozenset(signature for signature, found in files.items() if len(found) == 1)
    for signature in sorted(files.keys() - watched):
        detail = f"{len(files[signature])} classes have a method {signature}, so calls of it cannot be told apart"
        table.not_checked += [NotChecked(file, signature, "unsupported", detail) for file in files[signature]]
    if not watched:
        return table
    wanted = {name.encode() for work in methods for name in (work.method.name, work.found.simple)}
    tests = [path for path in snapshot.list() if path.endswith(".java") and config.is_test(path)]
    for path, content in sorted(snapshot.read_many(tests).items()):
        if not wanted.isdisjoint(_WORD.findall(content)):
            _take(table, project, path, watched, files, passed)
    return table


def _take(
    table: PinTable,
    project: JavaProject,
    path: str,
    watched: frozenset[str],
    files: dict[str, list[str]],
    passed: PassedTests | None,
) -> None:
    found = pins_from_java(project, path, watched)
    table.not_checked.extend(found.not_checked)
    for pin in found.pins:
        key = (files[pin.function][0], pin.function)
        if passed is None or passed.allows(_REPETITION.sub("", pin.origin.test)):
            table.pins.setdefault(key, []).append(pin)
        else:
            reason = f"the test report does not say that {pin.origin.test} passed"
            source = f"{pin.origin.file}:{pin.origin.line}"
            table.ignored.setdefault(key, []).append(Ignored(pin.function, source, reason))
    for ignored in found.ignored:
        if ignored.function in watched:
            table.ignored.setdefault((files[ignored.function][0], ignored.function), []).append(ignored)
