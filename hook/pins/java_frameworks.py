"""Which methods of a file are tests, what runs before and after each, and which of them cannot count, and why.

JUnit 3 (by name, below ``TestCase``), JUnit 4, JUnit 5 and TestNG (by annotations, told apart by the imports).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from clausefit.hook.contracts.java_model import JavaField, JavaMethod
from clausefit.hook.contracts.model import Span
from clausefit.hook.java_project import FoundClass, JavaProject, enclosing
from clausefit.hook.pins.java_imports import (
    Imports,
    annotation_values,
    annotations_of,
    class_node,
    elements_of,
    library_package,
    text_of,
)
from tree_sitter import Node

JUPITER = "org.junit.jupiter."
_J5 = "org.junit.jupiter.api."
_NG = "org.testng.annotations."
_ROLES: dict[str, tuple[str, str]] = {
    "org.junit.Test": ("junit4", "test"),
    "org.junit.Before": ("junit4", "before_each"),
    "org.junit.After": ("junit4", "after_each"),
    "org.junit.BeforeClass": ("junit4", "before_all"),
    "org.junit.AfterClass": ("junit4", "after_all"),
    "org.junit.experimental.theories.Theory": ("junit4", "a theory"),
    _J5 + "Test": ("junit5", "test"),
    _J5 + "RepeatedTest": ("junit5", "repeated"),
    "org.junit.jupiter.params.ParameterizedTest": ("junit5", "parameterized"),
    _J5 + "TestFactory": ("junit5", "a test factory"),
    _J5 + "TestTemplate": ("junit5", "a test template"),
    _J5 + "BeforeEach": ("junit5", "before_each"),
    _J5 + "AfterEach": ("junit5", "after_each"),
    _J5 + "BeforeAll": ("junit5", "before_all"),
    _J5 + "AfterAll": ("junit5", "after_all"),
    _NG + "Test": ("testng", "test"),
    _NG + "BeforeSuite": ("testng", "before_all"),
    _NG + "BeforeTest": ("testng", "before_all"),
    _NG + "BeforeGroups": ("testng", "before_all"),
    _NG + "BeforeClass": ("testng", "before_all"),
    _NG + "BeforeMethod": ("testng", "before_each"),
    _NG + "AfterMethod": ("testng", "after_each"),
    _NG + "AfterClass": ("testng", "after_all"),
    _NG + "AfterTest": ("testng", "after_all"),
    _NG + "AfterSuite": ("testng", "after_all"),
    _NG + "AfterGroups": ("testng", "after_all"),
    _NG + "DataProvider": ("testng", "other"),
    _NG + "Factory": ("testng", "other"),
}
_BEFORE_ALL_ORDER = ("BeforeSuite", "BeforeTest", "BeforeGroups", "BeforeClass")
_TESTS = frozenset({"test", "repeated", "parameterized"})
_SKIPS = frozenset({"org.junit.Ignore", _J5 + "Disabled", _NG + "Ignore"})
_CONDITIONS = "org.junit.jupiter.api.condition"
_PLAIN_RUNNERS = frozenset(
    {
        "JUnit4",
        "BlockJUnit4ClassRunner",
        "JUnitPlatform",
        "MockitoJUnitRunner",
        "MockitoJUnitRunner.Silent",
        "MockitoJUnitRunner.Strict",
        "MockitoJUnitRunner.StrictStubs",
        "SpringRunner",
        "SpringJUnit4ClassRunner",
    }
)
_ENCLOSED = "org.junit.experimental.runners.Enclosed"
# Libraries that give a method or constructor of the code under test another body while a test runs.
_REPLACES_CODE = re.compile(
    r"\b(?:mockStatic|MockedStatic|mockConstruction|MockedConstruction|PowerMock\w*|PrepareForTest|MockUp|mockit)\b"
)
# Annotations of fields that give them no value.
_INERT = frozenset(
    {
        "SuppressWarnings",
        "Deprecated",
        "Rule",
        "ClassRule",
        "RegisterExtension",
        "Nullable",
        "NonNull",
        "NotNull",
        "Nonnull",
        "CheckForNull",
        "VisibleForTesting",
        "Order",
        "SuppressFBWarnings",
    }
)
_MOST_CLASSES_ABOVE = 50


@dataclass(frozen=True)
class Member:
    """A method with the class that declares it and its node in the tree."""

    owner: FoundClass
    method: JavaMethod
    node: Node


@dataclass(frozen=True)
class TestMethod:
    """One test. ``classes``: the class that it runs on is the last, the classes around a ``@Nested`` one before it.

    ``name`` is ``ClassTest.method`` (a nested class after ``$``). ``before_all``, ``before_each``, ``after_each`` are
    in the order in which they run; ``unordered``: two of one class have no promised order. ``expected`` are the class
    literals of the types of which an exception must end the test. ``parameters`` are the method's annotations.
    ``injected`` are fields that a library fills. ``reason``: why the test cannot be executed or does not count.
    """

    name: str
    framework: str
    classes: tuple[FoundClass, ...]
    member: Member
    before_all: tuple[Member, ...] = ()
    before_each: tuple[Member, ...] = ()
    after_each: tuple[Member, ...] = ()
    unordered: bool = False
    expected: tuple[Node, ...] = ()
    is_parameterized: bool = False
    parameters: tuple[tuple[str, Node], ...] = ()
    injected: tuple[tuple[FoundClass, str], ...] = ()
    reason: str | None = None

    __test__ = False


@dataclass
class _Found:
    """What the methods of one class are for: by role, those of superclasses before those of the class."""

    tests: list[tuple[Member, str, str, list[tuple[str, Node]]]] = field(default_factory=list)
    fixtures: dict[tuple[str, str], list[Member]] = field(default_factory=dict)


class Frameworks:
    """Finds the tests of the files of a project."""

    def __init__(self, project: JavaProject) -> None:
        self._project = project
        self._imports: dict[str, Imports] = {}

    def imports(self, file: str) -> Imports:
        """The imports of a file, read once."""
        if file not in self._imports:
            self._imports[file] = Imports(self._project, file)
        return self._imports[file]

    def tests(self, file: str) -> tuple[TestMethod, ...]:
        """The tests that the classes of a file run, inherited ones as well, in source order."""
        return tuple(one for found in self._project.classes(file) for one in self._tests_of(found))

    # -- one class

    def _tests_of(self, found: FoundClass) -> Iterator[TestMethod]:
        if found.java.kind not in ("class", "record") or "$" in found.java.name:
            return
        roles = self._roles(found)
        if not roles.tests:
            return
        around, place_reason = self._around(found)
        place_reason = self._code_reason(found) or place_reason
        frameworks = {framework for _member, framework, _role, _marks in roles.tests}
        reasons = {framework: place_reason or self._class_reason(found, framework) for framework in frameworks}
        for member, framework, role, marks in roles.tests:
            reason = reasons[framework] or self._method_reason(member, framework, role, marks)
            yield self._test(found, around, member, framework, role, marks, roles, reason)

    def _test(
        self,
        found: FoundClass,
        around: tuple[FoundClass, ...],
        member: Member,
        framework: str,
        role: str,
        annotations: list[tuple[str, Node]],
        roles: _Found,
        reason: str | None,
    ) -> TestMethod:
        outer = [self._roles(one) for one in around]
        fixtures = {
            when: tuple(m for one in (*outer, roles) for m in one.fixtures.get((framework, when), ()))
            for when in ("before_all", "before_each")
        }
        after = tuple(
            m for one in (roles, *reversed(outer)) for m in one.fixtures.get((framework, "after_each"), ())[::-1]
        )
        counts = [[(m.owner.file, m.owner.java.name) for m in ms] for ms in fixtures.values()]
        return TestMethod(
            f"{found.java.name.replace('.', '$')}.{member.method.name}",
            framework,
            (*around, found),
            member,
            fixtures["before_all"],
            fixtures["before_each"],
            after,
            any(len(owners) != len(set(owners)) for owners in counts),
            self._expected(member, framework, annotations),
            role == "parameterized",
            tuple(annotations),
            tuple(pair for one in (*around, found) for pair in self._injected(one)),
            reason,
        )

    def chain(self, found: FoundClass) -> tuple[FoundClass, ...]:
        """The class, its superclasses, and interfaces last; nearest first."""
        return (found, *self._project.supertypes(found)[:_MOST_CLASSES_ABOVE])

    def is_test_case(self, found: FoundClass) -> bool:
        """Whether the class is below JUnit 3's ``TestCase``."""
        return any(
            self.imports(one.file).library_type(name, enclosing(one.java.name)) == "junit.framework.TestCase"
            for one in self.chain(found)
            for name in one.java.extends
        )

    def _roles(self, found: FoundClass) -> _Found:
        roles = _Found()
        is_junit3 = self.is_test_case(found) and not self._runner(found)
        overridden: set[tuple[str, tuple[str, ...]]] = set()
        by_class: list[list[tuple[Member, tuple[str, str], list[tuple[str, Node]]]]] = []
        for one in self.chain(found):
            own = []
            for member in self._members(one):
                method = member.method
                key = method.name, tuple(parameter.type for parameter in method.parameters)
                if key in overridden:
                    continue
                if "private" not in method.modifiers:
                    overridden.add(key)
                annotations = self._annotations(member)
                role = _junit3_role(method) if is_junit3 else self._role(one, method, annotations)
                if role is not None:
                    own.append((member, role, annotations))
            by_class.append(own)
        for own in reversed(by_class):
            for member, (framework, when), marks in own:
                if when.startswith(("before", "after")):
                    roles.fixtures.setdefault((framework, when), []).append(member)
                elif when != "other":
                    roles.tests.append((member, framework, when, marks))
        suite = roles.fixtures.get(("testng", "before_all"), [])
        suite.sort(key=lambda member: min((_order(name) for name, _ in self._annotations(member)), default=0))
        return roles

    def _members(self, found: FoundClass) -> Iterator[Member]:
        for method in found.java.methods:
            if method.is_constructor or method.is_in_comment or not method.has_body:
                continue
            node = method_node(self._project, found.file, method.span)
            if node is not None:
                yield Member(found, method, node)

    def _annotations(self, member: Member) -> list[tuple[str, Node]]:
        """Qualified annotations of a method; those that are put on a project annotation count as well (JUnit 5)."""
        return self._resolved(annotations_of(member.node), member.owner.file, member.owner.java.name, 0)

    def _resolved(self, written: list[tuple[str, Node]], file: str, within: str, depth: int) -> list[tuple[str, Node]]:
        found: list[tuple[str, Node]] = []
        for name, node in written[:100]:
            qualified = self.imports(file).library_type(name, within)
            own = self._project.find(name, file, within) if not qualified else None
            if own is None:
                found.append((qualified or name, node))
            elif depth < 3 and own.java.kind == "annotation":
                declaration = class_node(self._project, own)
                if declaration is not None:
                    composed = self._resolved(annotations_of(declaration), own.file, own.java.name, depth + 1)
                    found += [pair for pair in composed if pair[0].startswith(JUPITER)]
        return found

    def _role(
        self, found: FoundClass, method: JavaMethod, annotations: list[tuple[str, Node]]
    ) -> tuple[str, str] | None:
        roles = [_ROLES[name] for name, _node in annotations if name in _ROLES]
        if roles:
            # A parameterized test has its own annotation; one of JUnit 4 and 5 each on a method: both would run it.
            return roles[0]
        is_public = "public" in method.modifiers and not method.is_static and method.result_type == "void"
        marks_all = is_public and self._class_annotation(found, _NG + "Test") is not None
        return ("testng", "test") if marks_all else None

    # -- what stands on a class

    def _class_annotations(self, found: FoundClass) -> list[tuple[str, Node]]:
        node = class_node(self._project, found)
        if node is None:
            return []
        return self._resolved(annotations_of(node), found.file, enclosing(found.java.name), 0)

    def _class_annotation(self, found: FoundClass, qualified: str) -> Node | None:
        return next((node for name, node in self._class_annotations(found) if name == qualified), None)

    def _runner(self, found: FoundClass) -> str:
        """The runner of ``@RunWith``, qualified where it is known, else as written; empty for none."""
        for one in self.chain(found):
            node = self._class_annotation(one, "org.junit.runner.RunWith")
            if node is not None:
                value = annotation_values(node).get("value")
                written = text_of(value).removesuffix(".class") if value is not None else "?"
                return self.imports(one.file).library_type(written, enclosing(one.java.name)) or written
        return ""

    def _around(self, found: FoundClass) -> tuple[tuple[FoundClass, ...], str | None]:
        """The classes around a nested test class, outermost first; and why the class is not run, if so."""
        around: list[FoundClass] = []
        current = found
        while enclosing(current.java.name):
            name = enclosing(current.java.name)
            outer = next((one for one in self._project.classes(current.file) if one.java.name == name), None)
            if outer is None or len(around) > _MOST_CLASSES_ABOVE:
                return (), "its class could not be found"
            is_static = "static" in current.java.modifiers or current.java.kind == "record"
            if self._runner(outer) == _ENCLOSED and is_static:
                return (), None
            if is_static or self._class_annotation(current, _J5 + "Nested") is None:
                return (), "its class is a nested one without @Nested, which not every build runs"
            around.insert(0, outer)
            current = outer
        return tuple(around), None

    def _code_reason(self, found: FoundClass) -> str | None:
        for file in {one.file for one in self.chain(found)}:
            match = _REPLACES_CODE.search(self._project.text(file) or "")
            if match is not None:
                return f"its file replaces code under test ({match.group()})"
        return None

    def _class_reason(self, found: FoundClass, framework: str) -> str | None:
        if "abstract" in found.java.modifiers:
            return "its class is abstract: the tests run in subclasses"
        for one in self._with_outer(found):
            for name, node in self._class_annotations(one):
                if name in _SKIPS or library_package(name) == _CONDITIONS:
                    return f"its class is marked @{name.rpartition('.')[2]}"
                if name == _NG + "Test" and _is_false(annotation_values(node).get("enabled")):
                    return "its class is not enabled"
                if name == _J5 + "extension.ExtendWith" and self._is_own(node, one):
                    return "an extension of the project runs around it"
        runner = self._runner(found)
        is_plain = any(runner == name or runner.endswith("." + name) for name in _PLAIN_RUNNERS)
        if framework == "junit4" and runner not in ("", _ENCLOSED) and not is_plain:
            return f"its class is run by {runner.rpartition('.')[2]}"
        return self._field_reason(found)

    def _with_outer(self, found: FoundClass) -> Iterator[FoundClass]:
        yield from self.chain(found)
        name = enclosing(found.java.name)
        while name:
            yield from (one for one in self._project.classes(found.file) if one.java.name == name)
            name = enclosing(name)

    def _is_own(self, annotation: Node, found: FoundClass) -> bool:
        """Whether an annotation's value names a class of the project."""
        value = annotation_values(annotation).get("value")
        names = [text_of(one).removesuffix(".class") for one in elements_of(value)] if value is not None else []
        return any(self._project.find(name, found.file, found.java.name) is not None for name in names)

    def _field_reason(self, found: FoundClass) -> str | None:
        for one in self._with_outer(found):
            for own in one.java.fields:
                is_rule = bool(_annotation_names(own) & {"Rule", "ClassRule", "RegisterExtension"})
                if is_rule and self._project.find(own.type, one.file, one.java.name) is not None:
                    return "a rule or extension of the project runs around it"
        return None

    def _injected(self, found: FoundClass) -> Iterator[tuple[FoundClass, str]]:
        """The fields that a library gives values to (mocks, injected objects), by their annotations."""
        for one in self.chain(found):
            for own in one.java.fields:
                if _annotation_names(own) - _INERT:
                    yield one, own.name

    # -- what stands on a method

    def _method_reason(
        self, member: Member, framework: str, role: str, annotations: list[tuple[str, Node]]
    ) -> str | None:
        method = member.method
        if role not in _TESTS:
            return f"it is {role}, whose calls are not read"
        for name, node in annotations:
            if name in _SKIPS or library_package(name) == _CONDITIONS:
                return f"it is marked @{name.rpartition('.')[2]}"
            if name == "org.junit.jupiter.api.extension.ExtendWith" and self._is_own(node, member.owner):
                return "an extension of the project runs around it"
        if {"private", "static"} & set(method.modifiers):
            return "a private or static method is not run as a test"
        if framework == "junit4" and ("public" not in method.modifiers or method.parameters):
            return "JUnit 4 runs only public methods without parameters"
        if method.result_type != "void":
            return "a method with a result is not run as a test"
        return _testng_reason(member, annotations) if framework == "testng" else None

    def _expected(self, member: Member, framework: str, annotations: list[tuple[str, Node]]) -> tuple[Node, ...]:
        key = {"junit4": "expected", "testng": "expectedExceptions"}.get(framework)
        every = [*annotations, *self._class_annotations(member.owner)]
        for name, node in every if key is not None else ():
            value = annotation_values(node).get(key or "") if name in ("org.junit.Test", _NG + "Test") else None
            if value is not None:
                return tuple(elements_of(value))
        return ()


def method_node(project: JavaProject, file: str, span: Span) -> Node | None:
    """The declaration of a method in the tree of its file; None when the tree does not show it cleanly."""
    tree = project.tree(file)
    if tree is None:
        return None
    node: Node | None = tree.root.named_descendant_for_byte_range(span.start, max(span.start, span.end - 1))
    while node is not None and node.type not in ("method_declaration", "program"):
        node = node.parent
    return node if node is not None and node.type == "method_declaration" else None


def _junit3_role(method: JavaMethod) -> tuple[str, str] | None:
    if method.parameters or method.is_static:
        return None
    if method.name in ("setUp", "tearDown"):
        return "junit3", "before_each" if method.name == "setUp" else "after_each"
    is_test = method.name.startswith("test") and "public" in method.modifiers and method.result_type == "void"
    return ("junit3", "test") if is_test else None


def _testng_reason(member: Member, annotations: list[tuple[str, Node]]) -> str | None:
    for name, node in annotations:
        if name == _NG + "Parameters":
            return "its parameters come from TestNG's configuration"
        values = annotation_values(node) if name == _NG + "Test" else {}
        if _is_false(values.get("enabled")):
            return "it is not enabled"
        for key in ("dataProvider", "dataProviderClass"):
            if key in values:
                return "its values come from a data provider"
        for key in ("dependsOnMethods", "dependsOnGroups", "retryAnalyzer", "successPercentage"):
            if key in values:
                return f"it has {key}"
    return "its parameters come from TestNG" if member.method.parameters else None


def _annotation_names(own: JavaField) -> set[str]:
    """The simple names of the annotations of a field."""
    return {modifier.lstrip("@").rpartition(".")[2] for modifier in own.modifiers if modifier.startswith("@")}


def _is_false(value: Node | None) -> bool:
    return value is not None and text_of(value) == "false"


def _order(annotation: str) -> int:
    name = annotation.rpartition(".")[2]
    return _BEFORE_ALL_ORDER.index(name) if name in _BEFORE_ALL_ORDER else len(_BEFORE_ALL_ORDER)
