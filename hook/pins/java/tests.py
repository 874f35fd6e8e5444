"""Java unit tests → pins, without running them natively: every call whose inputs the test's text makes certain.

``pins_from_java`` interprets the tests of a file (``java_machine``) on the project's own sources; nothing is executed.
What cannot be certain is left out with a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from clausefit.hook.contracts.java_broken import broken_place
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.java.project import JavaProject
from clausefit.hook.pins.java.annotations import Member
from clausefit.hook.pins.java.assertions import Assertions
from clausefit.hook.pins.java.certain import has_literal_inputs, is_one_call
from clausefit.hook.pins.java.conversions import NoValues
from clausefit.hook.pins.java.frameworks import Frameworks, TestMethod
from clausefit.hook.pins.java.machine import Ended, Machine, ObservedCall, Step
from clausefit.hook.pins.java.parameters import Row, rows
from clausefit.hook.pins.java.pins import MadePin, Run, blamed, pins_of_run
from clausefit.hook.pins.java.sites import Sites
from clausefit.hook.pins.java.throwing import class_named, fits_type
from clausefit.hook.pins.values import Ignored, Pin
from tree_sitter import Node

_MOST_STEPS_OF_A_FILE = 1_000_000
_MOST_TESTS = 1_000


@dataclass(frozen=True)
class JavaTestPins:
    """What one test file shows. Pins of calls by the tests come before those of calls within other watched calls.

    ``doubtful`` are the methods that may be why a test of the file does not pass with the code as it is, each with the
    name of the test: what running them gave is not in the pins of this file, and does not count in those of others.
    """

    pins: tuple[Pin, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()
    doubtful: tuple[tuple[str, str], ...] = ()


def pins_from_java(
    project: JavaProject, test_file: str, watched: frozenset[str], files: Mapping[str, str] | None = None
) -> JavaTestPins:
    """The pins of the calls of ``watched`` methods (``JavaMethod.signature``) by the tests of a file.

    ``files`` says in which file a watched method is declared, so that one of the same signature in another package is
    not taken for it.
    Never raises: a call that gives no pin is in ``ignored``, a file that cannot be read in ``not_checked``.
    """
    tree = project.tree(test_file)
    if tree is None:
        return JavaTestPins(not_checked=(NotChecked(test_file, None, "missing_file", "the test is not there"),))
    # The contract of a method may stand in the .jml file beside the one that the method itself is in.
    declared = {name: f"{file.removesuffix('.jml').removesuffix('.java')}.java" for name, file in (files or {}).items()}
    reading = _Reading(project, test_file, watched, declared)
    broken = broken_place(tree)
    not_checked: list[NotChecked] = []
    if broken is not None:
        line = project.places(test_file).line(broken.offset)
        not_checked.append(NotChecked(test_file, None, broken.reason, broken.detail, line))
    try:
        reading.run()
    except RecursionError:
        not_checked.append(NotChecked(test_file, None, "unsupported", "the test is nested too deeply to be read"))
    return replace(reading.done(), not_checked=tuple(not_checked))


@dataclass
class _Reading:
    """The reading of one file."""

    project: JavaProject
    file: str
    watched: frozenset[str]
    files: dict[str, str]
    runs: list[Run] = field(default_factory=list)
    steps: int = 0

    def __post_init__(self) -> None:
        self.frameworks = Frameworks(self.project)
        self.sites = Sites(self.project, self.file, self.watched, self.files)
        self.assertions = Assertions()
        self.machine = Machine(self.project, self.watched, intrinsics=self.assertions)
        self.assertions.evidence.count_calls = lambda: len(self.machine.calls)

    def run(self) -> None:
        """Every run of every test."""
        for number, test in enumerate(self.frameworks.tests(self.file)):
            reason = test.reason
            if number >= _MOST_TESTS or self.steps >= _MOST_STEPS_OF_A_FILE:
                reason = reason or "the tests before it took too many steps"
            try:
                values = rows(self.project, test) if reason is None else ()
            except NoValues as problem:
                values, reason = (), str(problem)
            if reason is not None:
                self.sites.not_run(test, f"{test.name} could not be executed: {reason}")
            for row in values:
                self._run(test, test.name + row.suffix, row)

    def _run(self, test: TestMethod, name: str, row: Row) -> None:
        run, ended = self._once(test, name, row, test.before_each)
        if test.unordered:
            # The order of two fixtures of one class is not promised: what it changes is not certain.
            again, _ended = self._once(test, name, row, test.before_each[::-1])
            if [one.pin for one in pins_of_run(again)[0]] != [one.pin for one in pins_of_run(run)[0]]:
                run = replace(run, discarded="what the test shows depends on the order of its fixtures")
        self.runs.append(run)
        self.sites.ran(test, name, ended)
        if len(run.calls) >= self.machine.limits.calls:
            self.sites.not_run(test, f"{name} makes more than {self.machine.limits.calls} calls of watched methods")

    def _once(self, test: TestMethod, name: str, row: Row, before_each: tuple[Member, ...]) -> tuple[Run, Ended]:
        machine, evidence = self.machine, self.assertions.evidence
        evidence.reset()
        found = test.classes[-1]
        ended = machine.run_test(
            found.file,
            found.java.name,
            test.member.node,
            row.arguments,
            tuple(_step(one) for one in (*test.before_all, *before_each)),
            tuple(_step(one) for one in test.after_each),
            expects_exception=bool(test.expected),
            constructed_with=row.constructed_with,
            filled={(owner.qualified, name) for owner, name in test.injected},
        )
        self.steps += machine.steps
        failure = self._failure(test, ended)
        kept = tuple(machine.calls), evidence.copy()
        is_open, line = ended.kind == "stopped", test.member.node.start_point[0] + 1
        return Run(
            name, *kept, self._is_literal, failure, files=self.files, is_open=is_open, file=found.file, line=line
        ), ended

    def _failure(self, test: TestMethod, ended: Ended) -> str:
        """Why the test does not pass with the code as it is; empty when it does as far as it was followed."""
        machine, evidence = self.machine, self.assertions.evidence
        if evidence.refuted is not None:
            return f"the test does not pass with the code as it is (line {evidence.refuted.line})"
        if not test.expected:
            if ended.kind != "threw":
                return ""
            return f"the test does not pass with the code as it is: it ends with {ended.type}"
        owner = test.member.owner
        wanted = [class_named(machine.evaluate(owner.file, owner.java.name, one)) for one in test.expected]
        single = wanted[0] if len(wanted) == 1 else ""
        outer = [call for call in machine.calls if call.parent is None]
        if ended.kind == "stopped":
            last = _last_statement(test.member.node)
            if outer and outer[-1].status == "unfinished" and last is not None and self._is_just(last, outer[-1]):
                evidence.threw(outer[-1].index, single, False)
            return ""
        fits = [fits_type(machine, ended.type, one, False) if one else None for one in wanted]
        if ended.kind == "threw" and True in fits:
            evidence.confirmed.update(call.index for call in outer[-1:] if call.status == "threw")
            return ""
        if ended.kind == "threw" and None in fits:
            return f"it is not known whether {ended.type} is the exception that the test expects"
        body = test.member.node.child_by_field_name("body")
        if len(outer) == 1 and body is not None and is_one_call(body) and single:
            evidence.expected(outer[0].index, test.member.node.start_point.row + 1, single)
        return "the test does not pass with the code as it is: it expects another end"

    def _is_just(self, statement: Node, call: ObservedCall) -> bool:
        """Whether a statement is this call and nothing else."""
        nodes = self.sites.calls_at(call.file, call.line, call.signature)
        inside = [one for one in nodes if statement.start_byte <= one.start_byte < statement.end_byte]
        return len(inside) == 1 and is_one_call(statement)

    def _is_literal(self, call: ObservedCall) -> bool:
        nodes = self.sites.calls_at(call.file, call.line, call.signature) if call.depth == 0 else []
        return bool(nodes) and all(has_literal_inputs(node) for node in nodes)

    # -- at the end

    def done(self) -> JavaTestPins:
        """The distinct pins, those of the tests' own calls first, and what gave none."""
        doubtful: dict[str, str] = {}
        for run in self.runs:
            for call in blamed(run) if run.failure else ():
                doubtful.setdefault(call.signature, run.test)
        made: list[MadePin] = []
        ignored: list[Ignored] = []
        for run in self.runs:
            tests = [doubtful[call.signature] for call in run.calls if call.signature in doubtful]
            if tests and not run.failure:
                # What a method does that fails one test is no guide in another.
                run = replace(run, failure=f"{tests[0]}, which calls the same, does not pass with the code as it is")
            found, reasons = pins_of_run(run)
            made += found
            ignored += reasons
        kept: dict[object, Pin] = {}
        for one in sorted(made, key=lambda made: made.depth):
            kept.setdefault(_content(one.pin), one.pin)
        known = {(pin.function, pin.origin.file, pin.origin.line) for pin in kept.values()}
        rest = self.sites.left_over(known, ignored)
        return JavaTestPins(
            tuple(kept.values()), tuple(dict.fromkeys([*ignored, *rest])), doubtful=tuple(doubtful.items())
        )


def _content(pin: Pin) -> object:
    """A pin without the name of its test: fixtures run again for each test."""
    return replace(pin, origin=replace(pin.origin, test=""))


def _step(member: Member) -> Step:
    return Step(member.owner.file, member.owner.java.name, member.node)


def _last_statement(method: Node) -> Node | None:
    body = method.child_by_field_name("body")
    statements = [one for one in body.named_children if "comment" not in one.type] if body is not None else []
    return statements[-1] if statements else None
