"""What a translation unit declares: who defines what, which functions are tests, helpers or under test."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from clausefit.hook.pins.c_effects import call_name, calls, is_sizeof, kind, walk
from clausefit.hook.pins.c_source import Unit, is_system
from clausefit.hook.pins.c_types import (
    Node,
)

_TEST = "cf_test__"
_SETTINGS = "cf_settings__"
_JOINT = "__cf__"
_REGISTERING = {
    "RUN_TEST": 0, "tcase_add_test": 1, "tcase_add_loop_test": 1,
}  # fmt: skip
"""Calls that register a test, and which argument the test is."""
_DEADLY = "tcase_add_test_raise_signal"
_EXITING = ("tcase_add_exit_test", "tcase_add_loop_exit_test", "tcase_add_loop_test_raise_signal")
_REGISTERED_STRUCTS = ("CMUnitTest", "UnitTest")
_RUNNER = "cf_runner__"
_RUN_CASE = "cf_run_case__"
_SKIPPING = frozenset({"cr_skip", "cr_skip_test"})
_SELECTING = frozenset({"cmocka_set_test_filter", "cmocka_set_skip_filter", "srunner_run_tagged"})
_CPP_SELECTING = frozenset({"GTEST_FLAG", "GTEST_FLAG_SET"})
_NOT_REGISTERED = "the test is not registered where the tests are run"
_CONDITIONAL = "the test is registered under a condition"


@dataclass(frozen=True)
class Entry:
    """A test as the framework runs it. ``signal``: it must die of that signal; ``refusal``: why it is not read."""

    function: str
    test: str
    is_main: bool = False
    signal: Node | None = None
    refusal: str | None = None


class Program:
    """The declarations of a parsed unit.

    ``functions`` are the ones under test (None: all that the test file does not define).
    """

    def __init__(self, unit: Unit, test_file: str, functions: Collection[str] | None) -> None:
        self.unit = unit
        self.test_file = test_file
        self._functions = frozenset(functions) if functions is not None else None
        self.bodies: dict[str, Node] = {}
        self.definitions: dict[str, str] = {}
        self.declared: dict[str, str] = {}
        for node in unit.tree.ext:
            if kind(node) == "FuncDef":
                self.bodies[node.decl.name] = node
                self.definitions[node.decl.name] = unit.place(node)[0]
                self.declared.setdefault(node.decl.name, unit.place(node)[0])
            elif kind(node) == "Decl" and kind(node.type) == "FuncDecl":
                self.declared.setdefault(node.name, unit.place(node)[0])
        self.own = [name for name, file in self.definitions.items() if file == test_file]
        # A definition that could not be parsed still is the one that calls lead to.
        self.definitions = unit.dropped_bodies | self.definitions

    def is_tested(self, name: str) -> bool:
        """Whether calls of the function are wanted as pins."""
        if self._functions is not None:
            return name in self._functions
        file = self.definitions.get(name) or self.declared.get(name)
        return file is not None and not is_system(file) and self.definitions.get(name) != self.test_file

    def body(self, name: str) -> Node | None:
        """The definition of a helper that may be followed: in the test file, and not under test."""
        own = self.definitions.get(name) == self.test_file and not self.is_tested(name)
        return self.bodies.get(name) if own else None

    def entries(self) -> list[Entry]:
        """The tests, ``main`` first."""
        found = {}
        if "main" in self.own:
            found["main"] = Entry("main", "main", is_main=True)
        settings = self._settings()
        selecting = self._selects_tests()
        for name in self.own:
            if name.startswith(_TEST):
                test = name[len(_TEST) :]
                suite = settings.get(test.split(_JOINT)[0], {})
                found[name] = self._framework_entry(name, settings.get(test, {}), suite)
        for entry in sorted(self._registered(), key=lambda entry: entry.refusal is not None):
            if self.definitions.get(entry.function) == self.test_file:
                found.setdefault(entry.function, entry)
        if "main" not in self.definitions:
            for name in self.own:
                if name.lower().startswith("test") and self._is_plain_test(name):
                    found.setdefault(name, Entry(name, name))
        return [e if e.is_main or not selecting else replace(e, refusal=selecting) for e in found.values()]

    def _selects_tests(self) -> str | None:
        """Why any test of the file may be left out when it is run; None when they all are run."""
        selecting = "the test file selects which of its tests are run"
        if not self.unit.dropped.isdisjoint(_CPP_SELECTING):
            return selecting
        for node in self._own_nodes():
            if kind(node) == "FuncCall":
                names = node.args.exprs[1:3] if call_name(node) == "srunner_run" and node.args is not None else []
                if call_name(node) in _SELECTING or any(kind(n) == "Constant" and '"' in n.value for n in names):
                    return selecting
        return None

    def _is_plain_test(self, name: str) -> bool:
        decl = self.bodies[name].decl
        parameters = decl.type.args.params if decl.type.args is not None else []
        empty = not parameters or (len(parameters) == 1 and parameters[0].name is None)
        return empty and "static" not in decl.storage

    def _framework_entry(self, name: str, settings: dict[str, Node], suite: dict[str, Node]) -> Entry:
        test = name[len(_TEST) :].replace(_JOINT, ".", 1)
        group, _, case = name[len(_TEST) :].partition(_JOINT)
        refusal = None
        if "disabled" in settings or "disabled" in suite:
            refusal = "the test is disabled"
        elif "exit_code" in settings:
            refusal = "the test expects an exit status"
        elif "signal" in suite or "exit_code" in suite:
            refusal = "the test's suite expects another end"
        elif any(self._skips(one["init"]) for one in (settings, suite) if "init" in one):
            refusal = "the test's fixture may skip it"
        elif {group, "GTEST_SKIP"} <= self.unit.dropped:
            refusal = "the test's fixture could not be parsed, and may skip it"
        elif f"{_RUNNER}{group}" in self.definitions and f"{_RUN_CASE}{group}{_JOINT}{case}" not in self._used:
            refusal = _NOT_REGISTERED
        elif test.split(".")[-1].startswith("DISABLED_"):
            refusal = "the test is disabled"
        return Entry(name, test, signal=settings.get("signal"), refusal=refusal)

    def _settings(self) -> dict[str, dict[str, Node]]:
        found: dict[str, dict[str, Node]] = {}
        for node in self.unit.tree.ext:
            if kind(node) == "Decl" and (node.name or "").startswith(_SETTINGS) and kind(node.init) == "InitList":
                found[node.name[len(_SETTINGS) :]] = {
                    item.name[0].name: item.expr
                    for item in node.init.exprs or []
                    if kind(item) == "NamedInitializer" and kind(item.name[0]) == "ID"
                }
        return found

    def _skips(self, fixture: Node) -> bool:
        body = self.bodies.get(fixture.name) if kind(fixture) == "ID" else None
        return body is not None and any(call_name(call) in _SKIPPING for call in calls(body.body))

    def _own_nodes(self) -> Iterator[Node]:
        for node in self.unit.tree.ext:
            if not is_system(self.unit.place(node)[0]):
                yield from walk(node)

    def _registered(self) -> Iterator[Entry]:
        used = self._used
        for node in self.unit.tree.ext:
            if is_system(self.unit.place(node)[0]):
                continue
            idle = kind(node) == "FuncDef" and "static" in node.decl.storage and node.decl.name not in used
            for entry in self._registered_in(node, used):
                yield replace(entry, refusal=_NOT_REGISTERED) if idle else entry

    @cached_property
    def _used(self) -> set[str]:
        """Names in expressions that are evaluated whatever the conditions, or in code that could not be parsed."""
        found = set(self.unit.dropped)
        todo = [node for node in self.unit.tree.ext if not is_system(self.unit.place(node)[0])]
        while todo:
            node = todo.pop()
            if kind(node) == "ID":
                found.add(node.name)
            if not is_sizeof(node):
                todo += [child for _, child in node.children() if not _conditional(node, child)]
        return found

    def _registered_in(self, declaration: Node, used: set[str]) -> Iterator[Entry]:
        todo = [(declaration, False)]
        while todo:
            node, conditional = todo.pop()
            todo += [(child, conditional or _conditional(node, child)) for _, child in node.children()][::-1]
            found = self._registered_at(node, node is declaration, used)
            yield from (replace(one, refusal=_CONDITIONAL) if conditional else one for one in found)

    def _registered_at(self, node: Node, at_file_scope: bool, used: set[str]) -> Iterator[Entry]:
        what = kind(node)
        if what == "FuncCall":
            name = call_name(node)
            arguments = node.args.exprs if node.args is not None else []
            position = _REGISTERING.get(name or "")
            if position is not None:
                yield from self._entries_in(arguments[position : position + 1])
            elif name == _DEADLY and len(arguments) > 2:
                yield from self._entries_in(arguments[1:2], signal=arguments[2])
            elif name in _EXITING:
                yield from self._entries_in(arguments[1:2], refusal="the test expects an exit status or a signal")
        elif what == "Decl" and self._is_registration(node):
            local = not at_file_scope or "static" in node.storage
            refusal = _NOT_REGISTERED if local and node.name not in used else None
            for item in walk(node.init) if node.init is not None else ():
                if kind(item) == "InitList" and len(item.exprs or []) > 1:
                    yield from self._entries_in(item.exprs[1:2], refusal=refusal)

    def _entries_in(self, nodes: list[Node], signal: Node | None = None, refusal: str | None = None) -> Iterator[Entry]:
        for node in nodes:
            if kind(node) == "ID" and node.name in self.bodies:
                yield Entry(node.name, node.name, signal=signal, refusal=refusal)

    def _is_registration(self, decl: Node) -> bool:
        return any(kind(node) == "Struct" and node.name in _REGISTERED_STRUCTS for node in walk(decl.type))

    def exposed_names(self, entries: list[Entry]) -> frozenset[str]:
        """Names that occur in functions of the test file which the program under test may call back."""
        tests = {entry.function for entry in entries} | {"main", "setUp", "tearDown"}
        used = self._values()
        todo = [
            name for name in self.own
            if name not in tests and ("static" not in self.bodies[name].decl.storage or name in used)
        ]  # fmt: skip
        names: set[str] = set(self.unit.dropped)
        done: set[str] = set()
        while todo:
            name = todo.pop()
            if name in done:
                continue
            done.add(name)
            for node in walk(self.bodies[name].body):
                if kind(node) == "ID":
                    names.add(node.name)
                    if node.name in self.bodies:
                        todo.append(node.name)
        return frozenset(names)

    def _values(self) -> set[str]:
        """Functions whose address is used."""
        called: set[int] = set()
        used: set[str] = set()
        for node in self._own_nodes():
            if kind(node) == "FuncCall" and kind(node.name) == "ID":
                called.add(id(node.name))
            elif kind(node) == "ID" and id(node) not in called and node.name in self.bodies:
                used.add(node.name)
        return used


def _conditional(node: Node, child: Node) -> bool:
    """Whether a part of the node is run under a condition."""
    what = kind(node)
    if what in ("If", "TernaryOp"):
        return child is not node.cond
    return what == "Switch" and child is node.stmt
