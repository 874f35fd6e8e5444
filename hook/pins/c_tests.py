"""C unit tests → pins, without running them: every call whose inputs the test's text makes certain.

``pins_from_c`` is pure: it takes the preprocessed text of a test file (``preprocess``) and returns what the
file's tests show about the functions under test. What cannot be certain is left out with a reason.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.pins.c_assertions import HEADERS
from clausefit.hook.pins.c_calls import Calls, Deaths, Frame
from clausefit.hook.pins.c_deaths import only_call_dies
from clausefit.hook.pins.c_effects import EXITING, FAILING, call_name, calls, kind
from clausefit.hook.pins.c_evaluate import Evaluator
from clausefit.hook.pins.c_knowledge import ContradictionError
from clausefit.hook.pins.c_memory import Cell
from clausefit.hook.pins.c_pins import PinMaker
from clausefit.hook.pins.c_program import Entry, Program
from clausefit.hook.pins.c_source import SHIM_PREFIX, Unit, is_system, parse_unit
from clausefit.hook.pins.c_stable import unchanged_statics
from clausefit.hook.pins.c_statements import Runner
from clausefit.hook.pins.c_terms import FunctionName, StopError, Variable
from clausefit.hook.pins.c_types import (
    FunctionType,
    Node,
    spell,
)
from clausefit.hook.pins.values import Failed, Ignored, Pin

_MOST_STEPS_OF_A_FILE = 500_000


@dataclass(frozen=True)
class Signature:
    """A function's types, canonical C text; a parameter without a name has None for it."""

    result: str
    parameters: tuple[tuple[str | None, str], ...]
    variadic: bool = False


@dataclass(frozen=True)
class TestPins:
    """What one test file shows.

    ``definitions`` maps every function defined in the translation unit to the file that defines it, ``types`` every
    declared one to its signature. ``run_by_main`` are names of tests that the file's own ``main`` calls, so that a
    test report knows them, if at all, as one program.
    """

    pins: tuple[Pin, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()
    definitions: dict[str, str] | None = None
    types: dict[str, Signature] | None = None
    run_by_main: frozenset[str] = frozenset()

    __test__ = False


def pins_from_c(preprocessed: str, test_file: str, functions: Collection[str] | None = None) -> TestPins:
    """The pins of a preprocessed test file.

    ``test_file`` is the file's name in the line markers. ``functions`` are those whose calls are wanted; None means
    every function that is declared outside of system headers and not defined in the test file. Never raises: what
    cannot be read is in ``ignored`` and ``not_checked``.
    """
    unit = parse_unit(preprocessed)
    if unit.tree is None:
        return TestPins(not_checked=tuple(unit.not_checked), definitions={}, types={})
    program = Program(unit, test_file, functions)
    reading = _Reading(unit, program)
    try:
        reading.run()
    except RecursionError:
        unit.not_checked.append(NotChecked(test_file, None, "unsupported", "the file is nested too deeply to be read"))
    return TestPins(
        tuple(reading.pins),
        tuple(dict.fromkeys(reading.ignored)),
        tuple(unit.not_checked),
        dict(program.definitions),
        _signatures(reading.evaluator),
        frozenset(reading.calls.run_by_main),
    )


def function_types(preprocessed: str) -> dict[str, Signature]:
    """The signature of every function that a preprocessed file declares or defines."""
    unit = parse_unit(preprocessed)
    if unit.tree is None:
        return {}
    reading = _Reading(unit, Program(unit, "", ()))
    try:
        reading.load()
    except (RecursionError, StopError):
        unit.not_checked.append(NotChecked("?", None, "unsupported", "the declarations could not all be read"))
    return _signatures(reading.evaluator)


def _signatures(evaluator: Evaluator) -> dict[str, Signature]:
    return {
        name: Signature(
            spell(meaning.ctype.result),
            tuple((parameter, spell(ctype)) for parameter, ctype in meaning.ctype.parameters),
            meaning.ctype.variadic,
        )
        for name, meaning in evaluator.types.scopes[0].names.items()
        if isinstance(meaning, FunctionName)
    }


class _Reading:
    """One test file being read."""

    def __init__(self, unit: Unit, program: Program) -> None:
        self.unit = unit
        self.program = program
        self.evaluator = Evaluator(unit.poisoned, unit.packed)
        self.runner = Runner(self.evaluator)
        self.frameworks = frozenset(
            HEADERS[name]
            for file in unit.entered
            if file.startswith(SHIM_PREFIX) and (name := file.rsplit("/", 1)[-1]) in HEADERS
        )
        self.calls = Calls(self.evaluator, program, self.runner.run_body, self.frameworks)
        self.evaluator.noreturn = unit.noreturn
        self.evaluator.is_cpp = "gtest" in self.frameworks
        self.runner.functions = frozenset(
            name for name in FAILING | EXITING if name in program.definitions or program.is_tested(name)
        )
        self.maker = PinMaker(self.evaluator, program.test_file)
        self.pins: list[Pin] = []
        self.ignored: list[Ignored] = []
        self._entries = program.entries()
        self._exposed = self.runner.exposed = program.exposed_names(self._entries)
        self.calls.runs_tests = len(self._entries) > 1
        self._initial: dict[str, Cell] = {}
        self._kept: frozenset[str] = frozenset()
        self._taken: frozenset[str] = frozenset()
        self._spent = 0

    # -- file scope -----------------------------------------------------------------------------------

    def load(self) -> None:
        """Read the declarations at file scope, and the initial values of the variables."""
        variables: dict[str, list[Node]] = {}
        for node in self.unit.tree.ext:
            if kind(node) == "Decl" and node.name is not None and kind(node.type) != "FuncDecl":
                variables.setdefault(node.name, []).append(node)
        for node in self.unit.tree.ext:
            what = kind(node)
            if what == "FuncDef":
                self._function(node.decl)
            elif what == "Decl" and node.name is not None:
                self._file_declaration(node, variables.get(node.name, []))
            elif what in ("Decl", "Typedef"):
                self.runner.run(node)
        self._initial = dict(self.evaluator.memory.cells)

    def _function(self, decl: Node) -> None:
        ctype = self.evaluator.types.resolve(decl.type)
        names = self.evaluator.types.scopes[0].names
        known = names.get(decl.name)
        if not isinstance(ctype, FunctionType):
            return
        if isinstance(known, FunctionName) and not self._better(ctype, known.ctype):
            return
        names[decl.name] = FunctionName(decl.name, ctype)

    def _better(self, new: FunctionType, old: FunctionType) -> bool:
        if new.prototyped != old.prototyped:
            return new.prototyped
        named = [sum(name is not None for name, _ in ctype.parameters) for ctype in (new, old)]
        return named[0] >= named[1]

    def _file_declaration(self, node: Node, all_of_it: list[Node]) -> None:
        ctype = self.evaluator.types.resolve(node.type)
        if isinstance(ctype, FunctionType):
            self._function(node)
            return
        initialised = [decl for decl in all_of_it if decl.init is not None]
        tentative = [decl for decl in all_of_it if "extern" not in decl.storage]
        complete = [decl for decl in all_of_it if kind(decl.type) != "ArrayDecl" or decl.type.dim is not None]
        chosen = (initialised or tentative or complete or all_of_it)[0]
        if chosen is not node:
            return
        file = self.unit.place(node)[0]
        names = self.evaluator.types.scopes[0].names
        hidden = self.evaluator.is_cpp and node.name in self.unit.dropped  # maybe by a member of a test's class
        if is_system(file) or hidden or node.name in self.unit.poisoned:
            names[node.name] = Variable(None, ctype)
            return
        defined = bool(initialised or tentative)
        own = defined and file == self.program.test_file
        static = any("static" in decl.storage for decl in all_of_it)
        names[node.name] = self.runner.object(
            node,
            ctype,
            static=defined,
            program=None if own else node.name,
            exposed=not (own and static) or node.name in self._exposed or len(all_of_it) > 1,
        )

    # -- tests ----------------------------------------------------------------------------------------

    def run(self) -> None:
        """Read every test of the file."""
        try:
            self.load()
        except StopError as stop:
            detail = f"the file's variables could not be read: {stop.reason}"
            self.unit.not_checked.append(NotChecked(self.program.test_file, None, "unsupported", detail))
            return
        kept, taken = unchanged_statics(self.program, self.evaluator.types)
        self._kept, self._taken = self._blocks(kept), self._blocks(taken)
        literals = self.evaluator.memory.literals()
        for entry in self._entries:
            if entry.function in self.calls.visited:
                continue
            self.evaluator.memory.restore(self._initial, literals)
            self._test(entry)
        self._never_run()

    def _blocks(self, names: frozenset[str]) -> frozenset[str]:
        variables = [self.evaluator.types.scopes[0].names.get(name) for name in names]
        return frozenset(one.block for one in variables if isinstance(one, Variable) and one.block is not None)

    def _never_run(self) -> None:
        done = self.calls.visited | {entry.function for entry in self._entries}
        for name in self.program.own:
            if name not in done and not self.program.is_tested(name):
                self._leave_out(self.program.bodies[name], f"{name} is not run by a test of this file")

    def _leave_out(self, body: Node, reason: str) -> None:
        for call in calls(body):
            name = call_name(call)
            if name is not None and self.program.is_tested(name):
                file, line = self.unit.place(call)
                self.ignored.append(Ignored(name, f"{file}:{line}", reason))

    def _test(self, entry: Entry) -> None:
        body = self.program.bodies[entry.function]
        meaning = self.evaluator.types.scopes[0].names.get(entry.function)
        if entry.refusal is not None or not isinstance(meaning, FunctionName):
            self._leave_out(body, entry.refusal or "the test's own type is not known")
            return
        if self._spent > _MOST_STEPS_OF_A_FILE:
            self._leave_out(body, "the file's tests run too long to be followed")
            return
        self.calls.start(Frame(entry.test, is_main=entry.is_main))
        self.evaluator.steps = self.evaluator.memory.work = self.evaluator.unordered = 0
        self.runner.statics = {}
        self.runner.fresh_statics = not entry.is_main
        self.runner.runs_once = "check" not in self.frameworks  # Check may run a test in a loop
        contradicted = False
        try:
            if entry.is_main and self.unit.runs_early:
                self._forget_state()
            if not entry.is_main:
                self._other_state()
            if entry.signal is not None:
                self.calls.deaths = Deaths(others=0 if only_call_dies(self.program, [body.body]) else 1)
            arguments = [self.evaluator.unknown(ctype) for _, ctype in meaning.ctype.parameters]
            self.runner.run_body(body, meaning.ctype, arguments, main=entry.is_main)
        except StopError as stop:
            if stop.reason is not None:
                self.unit.not_checked.append(
                    NotChecked(self.program.test_file, None, "unsupported",
                               f"test {entry.test} is read only up to a point: {stop.reason}",
                               self.unit.place(body)[1])
                )  # fmt: skip
        except ContradictionError:
            contradicted = True
        self._spent += self.evaluator.steps + self.evaluator.memory.work // 4
        self._collect(entry, contradicted)

    def _other_state(self) -> None:
        """Tests that ran before may have changed every variable that this file does not keep for itself."""
        self._forget_state()
        if "unity" in self.frameworks and "setUp" in self.program.own:
            meaning = self.evaluator.types.scopes[0].names.get("setUp")
            if isinstance(meaning, FunctionName) and not meaning.ctype.parameters:
                self.runner.run_body(self.program.bodies["setUp"], meaning.ctype, [])

    def _forget_state(self) -> None:
        memory = self.evaluator.memory
        memory.escape(self._taken)
        memory.forget([block for block in memory.cells if block not in self._kept])

    def _collect(self, entry: Entry, contradicted: bool) -> None:
        calls_made, file = self.calls, self.program.test_file
        if entry.signal is not None and calls_made.deaths is not None:
            deaths, calls_made.deaths = calls_made.deaths, None
            calls_made.deadly(deaths.calls, deaths.others, self._signal(entry.signal))
        elif calls_made.deaths is not None:
            calls_made.deadly(calls_made.deaths.calls, 0, None, "the test ends while a death is expected")
        for function, line, reason in calls_made.ignored:
            self.ignored.append(Ignored(function, f"{file}:{line}", reason))
        calls_made.ignored = []
        why = "the assertions of its test contradict one another as they were read"
        for record in calls_made.records:
            made = self.maker.make(replace(record, reason=why) if contradicted else record)
            self._keep(made)
        for record, ending in calls_made.failing:
            made = self.maker.make(replace(record, reason=why) if contradicted else record, Failed(ending))
            self._keep(made)

    def _keep(self, made: Pin | Ignored) -> None:
        if isinstance(made, Pin):
            self.pins.append(made)
        else:
            self.ignored.append(made)

    def _signal(self, node: Node) -> str:
        try:
            return "abort" if self.evaluator.constant(node) == 6 else "signal"  # SIGABRT
        except StopError:
            return "signal"
