"""Whether the test that made a call is known to have passed. Pure.

Where there are test reports (JUnit XML) they decide, by the test's own name, then by all cases of its class or suite,
by all ctest cases that run its program, and last by the run as a whole. Without reports the exit status decides. A call
of a process that did not end well counts only by its test's own name: that of the run may be good all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
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

    ``reports`` is None where there are none. ``programs`` has, by program, the names of the ctest cases that run it,
    ``runs`` those that run it with certain arguments, or may do so. ``inverted`` are names of ctest cases that pass
    whatever their program's exit status.
    """

    exit_status: int
    reports: PassedTests | None = None
    programs: Mapping[str, frozenset[str]] = field(default_factory=dict)
    runs: Mapping[tuple[str, tuple[str, ...]], frozenset[str]] = field(default_factory=dict)
    inverted: frozenset[str] = frozenset()

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name that a report has for a case, those of repeated tests without their number, too."""
        return self._passed | self._others

    def refusal(
        self, test: MakingTest, program: str, arguments: tuple[str, ...] | None = None, ended: str = ""
    ) -> str | None:
        """Why a call that the test made in a program does not count; None where the test passed.

        ``arguments`` are those with which ctest started the program, None where that is not known. ``ended`` says how
        its process ended, empty where that was well: else only a report of this very test counts.
        """
        refused = self._refusal(test, program, arguments)
        if refused is None and ended and not self._is_named(test, program):
            return f"{ended}, and no test report says by name that {test.origin.test} passed"
        return refused

    def _refusal(self, test: MakingTest, program: str, arguments: tuple[str, ...] | None) -> str | None:
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
        if self.programs.get(program):
            return self._of_cases(reports, program, arguments)
        if not self.exit_status and test.bare and (of_bare := self._of_names((test.bare,))) is not None:
            return None if of_bare else f"the test report does not say that every {test.bare} passed"
        if not test.in_test_file and not test.by_main:
            return "it was made outside of any test"
        if reports.count and not reports.failed and not reports.others and not self.exit_status:
            return None
        return f"{name} is in no test report, and not all else passed"

    def _is_named(self, test: MakingTest, program: str) -> bool:
        """Whether a report says that this test (or all beside it) passed; cases of ctest may be expected to fail."""
        cases = {name for other, names in self.programs.items() if other != program for name in names} | self.inverted
        own = self._of_names([name for name in test.names if name not in cases])
        if own is None and test.group and test.group not in cases:
            own = self._of_group(test.group)
        return own is True

    def _of_cases(self, reports: PassedTests, program: str, arguments: tuple[str, ...] | None) -> str | None:
        """The same by the ctest cases that may have run the program."""
        every = self.programs[program]
        cases = self.runs.get((program, arguments), every) if arguments is not None else every
        bad = [one for one in sorted(cases) if one not in reports.passed or one in reports.others]
        if not bad:
            return None
        shown = program.rpartition("/")[2]
        why = f"the test report does not say that {bad[0]} passed, which runs {shown}"
        return why if len(cases) == 1 else f"{why}, and the call may be of its run"

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
    r'^\s*add_test\(\s*(\[=*\[.*?\]=*\]|"(?:[^"\\]|\\.)*"|[^\s"()]+)\s+"((?:[^"\\]|\\.)*)"'
    r'((?:[ \t]+"(?:[^"\\]|\\.)*")*[ \t]*\))?',
    re.MULTILINE,
)
_BRACKETS = re.compile(r"\[=*\[(.*)\]=*\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ARGUMENT = re.compile(r'"((?:[^"\\]|\\.)*)"')
_NOT_PLAIN = re.compile(r"\\[A-Za-z0-9;]|\$|@")
"""What CMake reads otherwise than the letter behind the backslash (cmake-language(7), escape sequences, references)."""


_PROPERTIES = re.compile(
    r'^\s*set_tests_properties\(\s*(\[=*\[.*?\]=*\]|"(?:[^"\\]|\\.)*"|[^\s"()]+)[ \t]+PROPERTIES[ \t](.*)$',
    re.MULTILINE,
)
_INVERTING = re.compile(r"\b(?:WILL_FAIL|PASS_REGULAR_EXPRESSION)\b")


@dataclass(frozen=True)
class _Case:
    name: str
    program: str
    arguments: tuple[str, ...] | None


def _cases(texts: Iterable[str]) -> Iterator[_Case]:
    for text in texts:
        for case in _ADD_TEST.finditer(text):
            arguments = None
            if case[3] is not None and not _NOT_PLAIN.search(case[3]):
                arguments = tuple(_ESCAPED.sub(r"\1", one) for one in _ARGUMENT.findall(case[3]))
            yield _Case(_name(case[1]), _ESCAPED.sub(r"\1", case[2]), arguments)


def _name(written: str) -> str:
    bracketed = _BRACKETS.fullmatch(written)
    plain = written[1:-1] if written.startswith('"') else written
    return bracketed[1] if bracketed else _ESCAPED.sub(r"\1", plain)


def ctest_inverted(texts: Iterable[str]) -> frozenset[str]:
    """The cases that pass by something else than the exit status (cmake-properties(7)), from the same texts."""
    found = (case for text in texts for case in _PROPERTIES.finditer(text))
    return frozenset(_name(case[1]) for case in found if _INVERTING.search(case[2]))


def ctest_programs(texts: Iterable[str]) -> dict[str, frozenset[str]]:
    """Program -> names of the cases that run it directly, from the texts of ``CTestTestfile.cmake`` files."""
    found: dict[str, set[str]] = {}
    for case in _cases(texts):
        found.setdefault(case.program, set()).add(case.name)
    return {program: frozenset(names) for program, names in found.items()}


def ctest_runs(texts: Iterable[str]) -> dict[tuple[str, tuple[str, ...]], frozenset[str]]:
    """Program with arguments -> names of the cases that run it so, or with arguments that cannot be read."""
    cases = list(_cases(texts))
    found: dict[tuple[str, tuple[str, ...]], set[str]] = {}
    for case in cases:
        if case.arguments is not None:
            found.setdefault((case.program, case.arguments), set()).add(case.name)
    for (program, _arguments), names in found.items():
        names.update(one.name for one in cases if one.program == program and one.arguments is None)
    return {run: frozenset(names) for run, names in found.items()}
