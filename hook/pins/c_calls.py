"""Calls in a test: assertions, the C library, the test's own helpers, and the functions under test.

A call of a function under test becomes a ``Call`` record: its arguments and the memory before and after, with
symbols in every place that it may have changed. The records become pins when the whole test was read
(``c_pins``), so that later assertions count.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from clausefit.hook.pins import c_numbers
from clausefit.hook.pins.c_assertions import Assertions, rule_for
from clausefit.hook.pins.c_deaths import plain_deaths
from clausefit.hook.pins.c_effects import ENDS, OUT_OF_SCOPE, PURE, call_name, calls, kind
from clausefit.hook.pins.c_evaluate import Evaluator
from clausefit.hook.pins.c_library import Library
from clausefit.hook.pins.c_memory import Cell, is_const
from clausefit.hook.pins.c_program import Program
from clausefit.hook.pins.c_source import SHIM_PREFIX, is_system
from clausefit.hook.pins.c_terms import FunctionName, StopError, Term
from clausefit.hook.pins.c_types import (
    INT,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    Node,
    PointerType,
    StructType,
    VoidType,
    plain,
)
from clausefit.hook.pins.values import FunctionPointer, Pointer

_STORING_FORMAT = re.compile(r"%[-+ #0-9.*hljzt]{0,20}n")
_DEEPEST = 8
_MOST_CALLS = 5000
NESTED = "the call is nested in another call's arguments"
UNORDERED = "C does not fix the order of this call and another one in the same expression"
CONDITIONAL = "it runs under a condition that is not known"


@dataclass(frozen=True)
class Call:
    """One call of a function under test, with symbols still in it."""

    function: str
    ctype: FunctionType
    arguments: tuple[tuple[str, Term], ...]
    before: dict[str, Cell]
    after: dict[str, Cell]
    result: Term | None
    test: str
    line: int
    reason: str | None = None


@dataclass
class Frame:
    """The function that is being run; ``line`` is where the outermost helper was called from the test."""

    test: str
    line: int | None = None
    depth: int = 0
    is_main: bool = False


@dataclass
class Deaths:
    """Calls made where a death is expected; None outside of such a place."""

    calls: list[Call] = field(default_factory=list)
    others: int = 0


class Calls:
    """Evaluates the calls of one test."""

    def __init__(
        self,
        evaluator: Evaluator,
        program: Program,
        run_body: Callable[[Node, FunctionType, list[Term]], Term],
        frameworks: frozenset[str],
    ) -> None:
        self._ev = evaluator
        self._program = program
        self._run_body = run_body
        self._frameworks = frameworks
        self.library = Library(evaluator)
        self._assertions = Assertions(evaluator, self.library)
        self.frame = Frame("?")
        self.records: list[Call] = []
        self.failing: list[tuple[Call, str]] = []
        self.ignored: list[tuple[str, int, str]] = []
        self.run_by_main: set[str] = set()
        self.visited: set[str] = set()
        self.runs_tests = False
        self.deaths: Deaths | None = None
        self._nested = 0
        self._plain_deaths = plain_deaths(program)
        self._saved_cells: dict[str, Cell] = {}
        evaluator.calls = self
        evaluator.skipped = self.skipped  # type: ignore[method-assign]

    def start(self, frame: Frame) -> None:
        """Begin another test."""
        self.frame = frame
        self.records = []
        self.failing = []
        self.deaths = None
        self._nested = 0

    # -- what kind of call ----------------------------------------------------------------------------

    def call(self, node: Node) -> Term:
        """The result of a call expression."""
        name = call_name(node)
        nodes = list(node.args.exprs) if node.args is not None else []
        if name is None or not isinstance(self._ev.types.lookup(name), FunctionName | None):
            target = self._ev.eval(node.name).value
            if not isinstance(target, FunctionPointer):
                return self._unknown(None, nodes)
            name = target.name
        if name in self._ev.noreturn and name not in ENDS and self._program.body(name) is None:
            self.ignore(node, "a function that does not return is not supported")
            raise StopError
        if self._program.is_tested(name):
            return self._tested(name, node, nodes)
        body = self._program.body(name)
        if body is not None:
            return self._helper(name, body, node, nodes)
        if name in OUT_OF_SCOPE:
            raise StopError(f"{OUT_OF_SCOPE[name]} cannot be followed")
        if name.startswith("cf_death"):
            self._death(name, node)
            return self._ev.unknown(INT)
        rule = rule_for(name, self._frameworks)
        # Frameworks' assertions are macros: a function of such a name that is declared is the project's own.
        if rule is not None and is_system(self._program.declared.get(name, SHIM_PREFIX)):
            self._assertions.apply(rule, nodes)
            return self._ev.unknown(INT)
        if name in ENDS:
            raise StopError
        if self.library.knows(name, len(nodes)):
            return self._library_call(name, nodes)
        if name in PURE and not any(kind(node) == "Constant" and _STORING_FORMAT.search(node.value) for node in nodes):
            return self._pure(name, nodes)
        return self._unknown(name, nodes)

    def skipped(self, node: Node) -> None:
        """Code that is not run, or not certainly: the calls in it give no pins."""
        for call in calls(node):
            self.ignore(call, CONDITIONAL)

    def ignore(self, call: Node, reason: str) -> None:
        """Note a call of a function under test that gives no pin."""
        name = call_name(call)
        if name is not None and self._program.is_tested(name):
            self.ignored.append((name, self._line(call), reason))

    def _line(self, node: Node) -> int:
        return self.frame.line if self.frame.line is not None else self._program.unit.place(node)[1]

    # -- arguments ------------------------------------------------------------------------------------

    def _arguments(self, ctype: FunctionType | None, nodes: list[Node]) -> list[Term]:
        terms = self._ev.terms(nodes)
        result: list[Term] = []
        for index, term in enumerate(terms):
            if ctype is not None and ctype.prototyped and index < len(ctype.parameters):
                result.append(self._ev.converted(term, ctype.parameters[index][1]))
            else:
                promoted: CType = c_numbers.promoted(plain(term.ctype))
                if isinstance(promoted, FloatType):
                    promoted = FloatType("double", 64)
                result.append(self._ev.converted(term, promoted))
        return result

    def _function_type(self, name: str | None) -> FunctionType | None:
        meaning = self._ev.types.lookup(name) if name is not None else None
        return meaning.ctype if isinstance(meaning, FunctionName) else None

    def _library_call(self, name: str, nodes: list[Node]) -> Term:
        ctype = self._function_type(name)
        # Through the prototype's types: an int passed as size_t, a pointer as void *.
        terms = self._arguments(ctype, nodes) if ctype is not None else self._ev.terms(nodes)
        result = self.library.run(name, terms)
        return self._ev.converted(result, ctype.result) if ctype is not None else result

    def _pure(self, name: str, nodes: list[Node]) -> Term:
        """A library function that changes nothing; a pointer that it returns may lead to what it was given."""
        ctype = self._function_type(name)
        terms = self._arguments(ctype, nodes)
        result = ctype.result if ctype is not None else INT
        if _hands_out(result):
            self._ev.memory.leak(*(term.value for term in terms))
        return self._ev.unknown(result)

    # -- functions that are not followed --------------------------------------------------------------

    def _unknown(self, name: str | None, nodes: list[Node]) -> Term:
        ctype = self._function_type(name)
        self._nested += 1
        try:
            terms = self._arguments(ctype, nodes)
        finally:
            self._nested -= 1
        if self.deaths is not None:
            self.deaths.others += 1
        result = self._effect(ctype, terms)
        if self.frame.is_main and self.runs_tests:
            self._ev.memory.forget_all()  # it may be the framework, which runs the file's other tests
        return result

    def _effect(self, ctype: FunctionType | None, terms: list[Term]) -> Term:
        """What any call may do: change all that it can reach; its result is not known."""
        memory = self._ev.memory
        own = [(t.value, t.ctype) for t in terms if isinstance(t.ctype, PointerType)]
        for term in terms:
            if isinstance(term.ctype, StructType):
                own += memory.pointers(memory.new("(argument)", term.ctype, term.value))
        given = memory.reach(own)
        opened = memory.open_to_calls()
        inner = [pointer for block in opened for pointer in memory.pointers(block)]
        writable = memory.reach([*own, *inner]).writable | opened
        memory.escape(writable)
        result = ctype.result if ctype is not None else INT
        if _hands_out(result) or any(memory.pointers(block) for block in given.writable):
            memory.escape(given.blocks)  # a pointer to any of it may come back
        memory.forget(writable)
        if ctype is not None and isinstance(ctype.result, VoidType):
            return Term(self._ev.unknown(ctype.result).value, ctype.result)
        return self._ev.unknown(result)

    def _tested(self, name: str, node: Node, nodes: list[Node]) -> Term:
        ctype = self._function_type(name)
        nested, unordered = self._nested > 0, self._ev.unordered > 0
        self._nested += 1
        try:
            terms = self._arguments(ctype, nodes)
        finally:
            self._nested -= 1
        reason = self._refusal(ctype, terms)
        if f"__wrap_{name}" in self._program.declared:
            reason = f"the linker may lead the call to __wrap_{name}"
        elif self._ev.is_cpp and name in self._program.unit.members:
            reason = "a class that could not be parsed may have a member of this name"
        elif name in self._program.unit.renamed:
            reason = "the declaration leads the call to a function of another name"
        elif nested:
            reason = NESTED
        elif unordered and any(isinstance(term.ctype, PointerType | StructType) for term in terms):
            reason = UNORDERED
        before = dict(self._ev.memory.cells)
        result = self._effect(ctype, terms)
        parameters = ctype.parameters if ctype is not None else ()
        names = [parameters[i][0] or f"arg{i}" if i < len(parameters) else f"arg{i}" for i in range(len(terms))]
        record = Call(
            name,
            ctype or FunctionType(INT, (), prototyped=False),
            tuple(zip(names, terms, strict=True)),
            before,
            dict(self._ev.memory.cells),
            None if isinstance(result.ctype, VoidType) else result,
            self.frame.test,
            self._line(node),
            reason,
        )
        into = self.records if self.deaths is None else self.deaths.calls
        if len(into) < _MOST_CALLS:
            into.append(record)
        else:
            self.ignored.append((name, record.line, "the test makes more calls than are read"))
        self._ev.memory.work += len(before) // 4
        return result

    def _refusal(self, ctype: FunctionType | None, terms: list[Term]) -> str | None:
        if ctype is None:
            return "the function is not declared where it is called"
        if ctype.variadic:
            return "functions with a variable number of arguments are not supported"
        if not ctype.prototyped and terms:
            return "the function has no prototype"
        if len(terms) != len(ctype.parameters):
            return "the number of arguments is not that of the prototype"
        for what in (*(parameter for _, parameter in ctype.parameters), ctype.result):
            why = self._ev.types.problem(what)
            if why is not None and not isinstance(what, VoidType):
                return why
        for term in terms:
            if isinstance(term.value, Pointer) and isinstance(term.ctype, PointerType):
                actual = self._ev.memory.object_type(term.value.block, term.value.path)
                if not _fits(term.ctype.target, actual):
                    return "an argument points to an object of another type"
        return None

    # -- helpers --------------------------------------------------------------------------------------

    def _helper(self, name: str, body: Node, node: Node, nodes: list[Node]) -> Term:
        ctype = self._function_type(name)
        terms = self._arguments(ctype, nodes)
        problem = ctype is None or ctype.variadic or len(terms) != len(ctype.parameters) or not ctype.prototyped
        if ctype is None or (problem and (ctype.prototyped or terms)) or self.frame.depth >= _DEEPEST:
            self.skipped(body)
            result = self._effect(ctype, terms)
            self._ev.memory.forget_all()
            return result
        self.visited.add(name)
        outer = self.frame
        if outer.is_main and outer.depth == 0 and not terms and _plain_result(ctype.result):
            self.run_by_main.add(name)
            self.frame = Frame(name, None, 1, is_main=True)
        else:
            self.frame = Frame(outer.test, self._line(node), outer.depth + 1, outer.is_main)
        nested, self._nested = self._nested, 0
        try:
            return self._run_body(body, ctype, terms)
        except StopError as stop:
            if not stop.local:
                raise
            self._ev.memory.forget_all()
            return self._ev.unknown(ctype.result)
        finally:
            self.frame = outer
            self._nested = nested

    # -- expected deaths ------------------------------------------------------------------------------

    def _death(self, name: str, node: Node) -> None:
        if name == "cf_death_begin":
            self.deaths = Deaths(others=0 if id(node) in self._plain_deaths else 1)
            self._saved_cells = dict(self._ev.memory.cells)
            return
        deaths, self.deaths = self.deaths, None
        if deaths is None:
            return
        self._ev.memory.cells = dict(self._saved_cells)
        if name == "cf_death_end_here":  # the call ran in this process
            self._ev.memory.escape_all()
            self._ev.memory.forget_all()
        ending = "abort" if name in ("cf_death_end", "cf_death_end_here") else None
        self.deadly(deaths.calls, deaths.others, ending, None if ending else "how the call must end is not supported")

    def deadly(self, made: list[Call], others: int, kind_of_end: str | None, why: str | None = None) -> None:
        """Of these calls one must not come back; ``others``: how much else may be what dies."""
        for record in made:
            reason = why or record.reason
            if reason is None and (len(made) > 1 or others):
                reason = "the test does not show that this call is what fails"
            if reason is not None:
                self.ignored.append((record.function, record.line, reason))
            else:
                self.failing.append((record, kind_of_end or "abort"))


def _plain_result(ctype: CType) -> bool:
    return isinstance(ctype, VoidType) or plain(ctype) == INT


def _hands_out(ctype: CType) -> bool:
    """Whether a result of the type may hold a pointer to what the arguments lead to."""
    if isinstance(ctype, PointerType):
        # Through a pointer to const scalars nothing can be written without a cast, and that cast is noticed.
        return not (is_const(ctype.target) and isinstance(ctype.target, IntType | FloatType))
    return isinstance(ctype, StructType)


def _fits(target: CType, actual: CType | None) -> bool:
    """Whether a pointer to ``target`` may lead to an object declared as ``actual``."""
    if isinstance(target, VoidType):
        return True
    if actual is None:
        return False
    one, two = plain(target), plain(actual)
    if isinstance(one, ArrayType) and isinstance(two, ArrayType):
        return (one.length is None or one.length == two.length) and _fits(one.element, two.element)
    if isinstance(one, PointerType) and isinstance(two, PointerType):
        return _fits(one.target, two.target)
    if isinstance(one, IntType) and isinstance(two, IntType):
        return one.width == two.width
    return one == two
