"""Which tests passed, from JUnit XML reports: only calls made by passing tests show what is right.

Producers differ (a bare ``testsuite`` root from ctest, ``status="notrun"`` from GoogleTest, counts that are wrong), so
only the ``testcase`` elements count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from junitparser import Attr, JUnitXml, TestCase, TestSuite

_LARGEST_REPORT = 64 * 1024 * 1024
_RERUN = frozenset({"flakyFailure", "flakyError", "rerunFailure", "rerunError"})
"""Elements of a test that did not always end in the same way (Maven Surefire's report schema)."""
_NOT_RUN = frozenset({"notrun", "disabled", "skipped", "suppressed", "ignored"})


class _Case(TestCase):
    status = Attr()
    result_word = Attr("result")


@dataclass(frozen=True)
class PassedTests:
    """The names of passed tests and of the others, and what could not be read (sentences for people).

    A name is listed as ``test``, ``suite.test`` and every longer form that the report gives. ``passed_classes`` and
    ``other_classes`` are the classes (where a case has none: suites) of the cases: Surefire lists those of a class
    under the suite of another one that is nested in it.
    """

    passed: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    count: int = 0
    failed: int = 0
    errors: tuple[str, ...] = ()
    passed_classes: frozenset[str] = frozenset()
    other_classes: frozenset[str] = frozenset()

    def allows(self, test_name: str, *, run_by_main: bool = False) -> bool:
        """Whether the test is reported as passed.

        A name that the report has both for a passed and for another test is not allowed. A test that runs as (part
        of) a program's ``main`` may be reported under any name: it is allowed when no test case failed.
        """
        if test_name in self.others:
            return False
        if test_name in self.passed:
            return True
        return (run_by_main or test_name == "main") and self.count > 0 and self.failed == 0


def passed_tests(paths: Iterable[Path]) -> PassedTests:
    """What the reports say; never raises: a file that is missing or broken is one of the ``errors``."""
    passed: set[str] = set()
    others: set[str] = set()
    classes: dict[bool, set[str]] = {True: set(), False: set()}
    errors: list[str] = []
    count = failed = 0
    for path in paths:
        try:
            cases = list(_read(path))
        except Exception as error:
            # junitparser and its XML parser raise many kinds; each is told to people, with the file's name.
            known = error.strerror if isinstance(error, OSError) else None
            why = known or f"{type(error).__name__}: {str(error)[:200]}"
            errors.append(f"{path}: the test report cannot be read ({why}): let the tests write it again")
            continue
        for suite, case in cases:
            count += 1
            state = _state(case)
            failed += state == "failed"
            (passed if state == "passed" else others).update(_names(suite, case))
            classes[state == "passed"].add(case.classname or suite)
    return PassedTests(
        frozenset(passed),
        frozenset(others),
        count,
        failed,
        tuple(errors),
        frozenset(classes[True]),
        frozenset(classes[False]),
    )


def _read(path: Path) -> Iterator[tuple[str, Any]]:
    if path.stat().st_size > _LARGEST_REPORT:
        raise ValueError("the file is too large")
    root: Any = JUnitXml.fromfile(str(path))
    todo: list[Any] = [root] if isinstance(root, TestSuite) else list(root)
    while todo:
        suite = todo.pop(0)
        for case in suite:
            yield suite.name or "", case
        todo += list(suite.testsuites())


def _state(case: Any) -> str:
    kinds = {type(result).__name__ for result in case.result}
    if kinds & {"Failure", "Error"}:
        return "failed"
    own: Any = _Case.fromelem(case)  # type: ignore[no-untyped-call]
    words = {str(word).lower() for word in (own.status, own.result_word) if word}
    if words & {"fail", "failed", "error"}:
        return "failed"
    unsteady = any(child.tag in _RERUN for child in own._elem)
    return "not run" if kinds or unsteady or words & _NOT_RUN else "passed"


def _names(suite: str, case: Any) -> set[str]:
    name = case.name or ""
    names = {name}
    for prefix in (suite, case.classname or ""):
        parts = prefix.split(".")
        names.update(".".join([*parts[start:], name]) for start in range(len(parts)) if prefix)
    return names
