"""Whether the test that made a call is known to have passed. Pure.

Where there are test reports (JUnit XML) they decide, by the test's own name, then by all cases of its class or suite,
by all ctest cases that run its program, and last by the run as a whole. Without reports the exit status decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from clausefit.hook.pins.junit_xml import PassedTests
from clausefit.hook.record.attribution import MakingTest

_REPETITION = re.compile(r"(?<=[\w$>])[(\[{].*", re.DOTALL)
"""``(int, int)[1]`` behind the name of a method, as Surefire and Gradle number the runs of one test."""
_INSTANCE = re.compile(r"(?:[^./]+/)?([A-Za-z_]\w*)(?:/\w+)?\.(\w+)(?:/\S+|<.+>)?")
"""``Prefix/Suite/0.Test/1`` or ``Suite.Test<int>``, as GoogleTest and CMake name the runs of one test."""

_SUITE = re.compile(r"(?:[^./]+/)?([A-Za-z_]\w*)(?:/\w+)?(?:\.\w+(?:/\S+|<.+>)?)?")
"""The suite alone; CMake has the whole name of a test for its class."""


@dataclass(frozen=True)
class Fates:
    """How the tests of one run ended.

    ``reports`` is None where there are none. ``programs`` has, by program, the names of the ctest cases that run it.
    """

    exit_status: int
    reports: PassedTests | None = None
    programs: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name that a report has for a case, those of repeated tests without their number, too."""
        return self._passed | self._others

    def refusal(self, test: MakingTest, program: str) -> str | None:
        """Why a call that the test made in a program does not count; None where the test passed."""
        reports = self.reports
        if reports is None:
            if self.exit_status == 0:
                return None
            return f"the command ended with status {self.exit_status}, and no test report says which tests passed"
        name = test.origin.test
        own = self._of_names(test.names)
        if own is not None:
            return None if own else self._not_passed(test.names, name)
        if test.group and (of_group := self._of_group(test.group)) is not None:
            return None if of_group else f"{name} is in no test report by this name, and a test beside it did not pass"
        cases = self.programs.get(program, frozenset())
        if cases:
            passed = cases <= reports.passed and cases.isdisjoint(reports.others)
            return None if passed else f"the test report does not say that {min(cases)} passed, which runs {name}"
        if not self.exit_status and test.bare and (of_bare := self._of_names((test.bare,))) is not None:
            return None if of_bare else f"the test report does not say that every {test.bare} passed"
        if not test.in_test_file and not test.by_main:
            return "it was made outside of any test"
        if reports.count and not reports.failed and not reports.others and not self.exit_status:
            return None
        return f"{name} is in no test report, and not all else passed"

    def _not_passed(self, names: Iterable[str], shown: str) -> str:
        if self._passed.isdisjoint(names):
            return f"the test report says that {shown} failed or was skipped"
        # Overloads, repetitions, parameters: a call is not known to be of one run of them.
        return f"the test report has several tests named {shown}, and not all of them passed"

    def _of_names(self, names: Iterable[str]) -> bool | None:
        for name in names:
            if name in self._others:
                return False
            if name in self._passed:
                return True
        return None

    def _of_group(self, group: str) -> bool | None:
        if any(name == group or name.startswith(f"{group}$") for name in self._other_groups):
            return False
        return True if group in self._passed_groups else None

    @cached_property
    def _passed_groups(self) -> frozenset[str]:
        return _with_suites(self.reports.passed_classes if self.reports is not None else ())

    @cached_property
    def _other_groups(self) -> frozenset[str]:
        return _with_suites(self.reports.other_classes if self.reports is not None else ())

    @cached_property
    def _passed(self) -> frozenset[str]:
        return _with_bases(self.reports.passed if self.reports is not None else ())

    @cached_property
    def _others(self) -> frozenset[str]:
        return _with_bases(self.reports.others if self.reports is not None else ())


def _with_suites(classes: Iterable[str]) -> frozenset[str]:
    found = set()
    for name in classes:
        found.add(name)
        suite = _SUITE.fullmatch(name)
        if suite is not None:
            found.add(suite[1])
    return frozenset(found)


def _with_bases(names: Iterable[str]) -> frozenset[str]:
    found = set()
    for name in names:
        found.add(name)
        found.add(_REPETITION.sub("", name))
        instance = _INSTANCE.fullmatch(name)
        if instance is not None:
            found.add(f"{instance[1]}.{instance[2]}")
    return frozenset(found)


_ADD_TEST = re.compile(
    r'^\s*add_test\(\s*(\[=*\[.*?\]=*\]|"(?:[^"\\]|\\.)*"|[^\s"()]+)\s+"((?:[^"\\]|\\.)*)"', re.MULTILINE
)
_BRACKETS = re.compile(r"\[=*\[(.*)\]=*\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def ctest_programs(texts: Iterable[str]) -> dict[str, frozenset[str]]:
    """Program -> names of the cases that run it directly, from the texts of ``CTestTestfile.cmake`` files."""
    found: dict[str, set[str]] = {}
    for text in texts:
        for case in _ADD_TEST.finditer(text):
            written = case[1]
            bracketed = _BRACKETS.fullmatch(written)
            plain = written[1:-1] if written.startswith('"') else written
            name = bracketed[1] if bracketed else _ESCAPED.sub(r"\1", plain)
            found.setdefault(_ESCAPED.sub(r"\1", case[2]), set()).add(name)
    return {program: frozenset(names) for program, names in found.items()}
