"""Which methods of a file are tests, what runs before and after each, and which of them cannot count, and why.

JUnit 3 (by name, below ``TestCase``), JUnit 4, JUnit 5 and TestNG (by annotations, told apart by the imports).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from clausefit.hook.contracts.java_model import JavaMethod
from clausefit.hook.java.project import FoundClass, JavaProject, enclosing
from clausefit.hook.pins.java.annotations import MOST_CLASSES_ABOVE, Annotations, Member, method_node
from clausefit.hook.pins.java.imports import annotation_values, elements_of
from clausefit.hook.pins.java.test_reasons import ENCLOSED, PARAMETERIZED, Reasons
from tree_sitter import Node

_J5 = "org.junit.jupiter.api."
_NG = "org.testng.annotations."
_ROLES: dict[str, tuple[str, str]] = {
    "org.junit.Test": ("junit4", "test"),
    "org.junit.Before": ("junit4", "before_each"),
    "org.junit.After": ("junit4", "after_each"),
    "org.junit.BeforeClass": ("junit4", "before_all"),
    "org.junit.AfterClass": ("junit4", "after_all"),
    "org.junit.runners.Parameterized.Parameters": ("junit4", "rows"),
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


@dataclass(frozen=True)
class TestMethod:
    """One test. ``classes``: the class that it runs on is the last, the classes around a ``@Nested`` one before it.

    ``name`` is ``ClassTest.method`` (a nested class after ``$``). ``before_all``, ``before_each``, ``after_each`` are
    in the order in which they run; ``unordered``: two of one class have no promised order. ``expected`` are the class
    literals of the types of which an exception must end the test. ``parameters`` are the method's annotations, ``rows``
    is the method that gives JUnit 4's ``Parameterized`` its values.
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
    is_repeated: bool = False
    parameters: tuple[tuple[str, Node], ...] = ()
    injected: tuple[tuple[FoundClass, str], ...] = ()
    rows: Member | None = None
    reason: str | None = None

    __test__ = False


@dataclass(frozen=True)
class _Role:
    """What a method is for, with its annotations."""

    member: Member
    framework: str
    role: str
    marks: list[tuple[str, Node]]


@dataclass
class _Found:
    """What the methods of one class are for: those of superclasses before those of the class.

    ``is_unclear``: it depends on the version of the framework which fixtures run.
    """

    tests: list[_Role] = field(default_factory=list)
    fixtures: dict[tuple[str, str], list[Member]] = field(default_factory=dict)
    is_unclear: bool = False


class Frameworks:
    """Finds the tests of the files of a project."""

    def __init__(self, project: JavaProject) -> None:
        self._project = project
        self._annotations = Annotations(project)
        self._reasons = Reasons(self._annotations)

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
        around, reason = self._around(found)
        reason = reason or self._reasons.of_code(found)
        if roles.is_unclear:
            reason = reason or "a fixture of its class overrides one without an annotation"
        reasons = {
            one: reason or self._reasons.of_class(found, one) for one in {role.framework for role in roles.tests}
        }
        watch = self._reasons.expectations(found)
        for role in roles.tests:
            own = self._reasons.of_method(role.member, role.framework, role.role, role.marks)
            yield self._test(found, around, role, roles, reasons[role.framework] or own or watch(role.member))

    def _test(
        self, found: FoundClass, around: tuple[FoundClass, ...], role: _Role, roles: _Found, reason: str | None
    ) -> TestMethod:
        member, framework = role.member, role.framework
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
            self._expected(member, framework, role.marks),
            role.role == "parameterized",
            role.role == "repeated",
            tuple(role.marks),
            tuple(pair for one in (*around, found) for pair in self._reasons.injected(one)),
            self._class_rows(found, roles) if framework == "junit4" else None,
            reason,
        )

    def _roles(self, found: FoundClass) -> _Found:
        """What each method of a class is for, own and inherited ones."""
        is_junit3 = self._annotations.is_test_case(found) and not self._annotations.runner(found)
        overriding: dict[tuple[str, tuple[str, ...]], tuple[Member, bool]] = {}
        by_class: list[list[_Role]] = []
        roles = _Found()
        for one in self._annotations.chain(found):
            own: list[_Role] = []
            for member in self._members(one):
                method = member.method
                key = method.name, tuple(parameter.type for parameter in method.parameters)
                marks = self._annotations.of_method(member)
                role = _junit3_role(method) if is_junit3 else self._role(one, method, marks)
                if key not in overriding:
                    own += [_Role(member, *role, marks)] if role is not None else []
                elif role is not None and not is_junit3 and not overriding[key][1]:
                    # JUnit 4 finds the annotation of the method above and runs the one that overrides it;
                    # JUnit 5 does not run it.
                    own += [_Role(overriding[key][0], *role, marks)] if role[0] == "junit4" else []
                    roles.is_unclear |= role[0] == "testng"
                if "private" not in method.modifiers:
                    overriding.setdefault(key, (member, role is not None))
            by_class.append(own)
        for use in (use for own in reversed(by_class) for use in own):
            if use.role.startswith(("before", "after", "rows")):
                roles.fixtures.setdefault((use.framework, use.role), []).append(use.member)
            elif use.role != "other":
                roles.tests.append(use)
        suite = roles.fixtures.get(("testng", "before_all"), [])
        suite.sort(key=lambda member: min((_order(name) for name, _ in self._annotations.of_method(member)), default=0))
        return roles

    def _members(self, found: FoundClass) -> Iterator[Member]:
        for method in found.java.methods:
            if method.is_constructor or method.is_in_comment or not method.has_body:
                continue
            node = method_node(self._project, found.file, method.span)
            if node is not None:
                yield Member(found, method, node)

    def _role(
        self, found: FoundClass, method: JavaMethod, annotations: list[tuple[str, Node]]
    ) -> tuple[str, str] | None:
        roles = [_ROLES[name] for name, _node in annotations if name in _ROLES]
        if roles:
            # A parameterized test has its own annotation; one of JUnit 4 and 5 each on a method: both would run it.
            return roles[0]
        is_public = "public" in method.modifiers and not method.is_static and method.result_type == "void"
        marks_all = is_public and self._annotations.on_class(found, _NG + "Test") is not None
        return ("testng", "test") if marks_all else None

    def _around(self, found: FoundClass) -> tuple[tuple[FoundClass, ...], str | None]:
        """The classes around a nested test class, outermost first; and why the class is not run, if so."""
        around: list[FoundClass] = []
        current = found
        while enclosing(current.java.name):
            name = enclosing(current.java.name)
            outer = next((one for one in self._project.classes(current.file) if one.java.name == name), None)
            if outer is None or len(around) > MOST_CLASSES_ABOVE:
                return (), "its class could not be found"
            is_static = "static" in current.java.modifiers or current.java.kind == "record"
            if self._annotations.runner(outer) == ENCLOSED and is_static:
                return (), None
            if is_static or self._annotations.on_class(current, _J5 + "Nested") is None:
                return (), "its class is a nested one without @Nested, which not every build runs"
            around.insert(0, outer)
            current = outer
        return tuple(around), None

    def _class_rows(self, found: FoundClass, roles: _Found) -> Member | None:
        givers = roles.fixtures.get(("junit4", "rows"), [])
        return givers[-1] if givers and self._annotations.runner(found) == PARAMETERIZED else None

    def _expected(self, member: Member, framework: str, annotations: list[tuple[str, Node]]) -> tuple[Node, ...]:
        key = {"junit4": "expected", "testng": "expectedExceptions"}.get(framework)
        every = [*annotations, *self._annotations.of_class(member.owner)]
        for name, node in every if key is not None else ():
            value = annotation_values(node).get(key or "") if name in ("org.junit.Test", _NG + "Test") else None
            if value is not None:
                return tuple(elements_of(value))
        return ()


def _junit3_role(method: JavaMethod) -> tuple[str, str] | None:
    if method.parameters or method.is_static:
        return None
    if method.name in ("setUp", "tearDown"):
        return "junit3", "before_each" if method.name == "setUp" else "after_each"
    is_test = method.name.startswith("test") and "public" in method.modifiers and method.result_type == "void"
    return ("junit3", "test") if is_test else None


def _order(annotation: str) -> int:
    name = annotation.rpartition(".")[2]
    return _BEFORE_ALL_ORDER.index(name) if name in _BEFORE_ALL_ORDER else len(_BEFORE_ALL_ORDER)
