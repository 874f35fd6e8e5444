"""Why a test cannot be executed by reading, or is not one that a build surely runs and that must pass."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from clausefit.hook.contracts.java_model import JavaField
from clausefit.hook.java.project import FoundClass, enclosing
from clausefit.hook.pins.java.annotations import Annotations, Member
from clausefit.hook.pins.java.imports import annotation_values, elements_of, library_package, text_of
from tree_sitter import Node

_J5 = "org.junit.jupiter.api."
_NG = "org.testng.annotations."
_TESTS = frozenset({"test", "repeated", "parameterized"})
ENCLOSED = "org.junit.experimental.runners.Enclosed"
PARAMETERIZED = "org.junit.runners.Parameterized"
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


class Reasons:
    """Tells of test classes and methods why they do not count."""

    def __init__(self, annotations: Annotations) -> None:
        self._annotations = annotations
        self._project = annotations.project

    def of_code(self, found: FoundClass) -> str | None:
        """Why the test runs other code than what lies there."""
        for file in {one.file for one in self._annotations.chain(found)}:
            match = _REPLACES_CODE.search(self._project.text(file) or "")
            if match is not None:
                return f"its file replaces code under test ({match.group()})"
        return None

    def of_class(self, found: FoundClass, framework: str) -> str | None:
        """Why the tests of a class do not count."""
        if "abstract" in found.java.modifiers:
            return "its class is abstract: the tests run in subclasses"
        for one in self._with_outer(found):
            for name, node in self._annotations.of_class(one):
                if name in _SKIPS or library_package(name) == _CONDITIONS:
                    return f"its class is marked @{name.rpartition('.')[2]}"
                if name == _NG + "Test" and _is_false(annotation_values(node).get("enabled")):
                    return "its class is not enabled"
                if name == _J5 + "extension.ExtendWith" and self._is_own(node, one):
                    return "an extension of the project runs around it"
        runner = self._annotations.runner(found)
        is_plain = any(runner == name or runner.endswith("." + name) for name in _PLAIN_RUNNERS)
        if framework == "junit4" and runner not in ("", ENCLOSED, PARAMETERIZED) and not is_plain:
            return f"its class is run by {runner.rpartition('.')[2]}"
        if runner == PARAMETERIZED and any("Parameter" in _annotation_names(own) for own in found.java.fields):
            return "its class is run by Parameterized, which fills its fields"
        return self._field_reason(found)

    def _with_outer(self, found: FoundClass) -> Iterator[FoundClass]:
        yield from self._annotations.chain(found)
        name = enclosing(found.java.name)
        while name:
            yield from (one for one in self._project.classes(found.file) if one.java.name == name)
            name = enclosing(name)

    def _is_own(self, annotation: Node, found: FoundClass) -> bool:
        """Whether an annotation's value names a class of the project."""
        value = annotation_values(annotation).get("value")
        names = [text_of(one).removesuffix(".class") for one in elements_of(value)] if value is not None else []
        return any(self._project.find(name, found.file, found.java.name) is not None for name in names)

    def expectations(self, found: FoundClass) -> Callable[[Member], str | None]:
        """Tells of a test why an ``ExpectedException`` rule of its class may decide how it must end, None if none does.

        What the rule expects is not read: such a test may pass though an exception ends it.
        """
        names = [
            own.name
            for one in self._with_outer(found)
            for own in one.java.fields
            if own.type.rpartition(".")[2] in ("ExpectedException", "ErrorCollector")
        ]
        if not names:
            return lambda _member: None
        uses = re.compile(rf"\b(?:{'|'.join(re.escape(name) for name in names)})\b")
        reason = f"a rule says how it ends ({names[0]})"
        for one in self._with_outer(found):
            for method in one.java.methods:
                is_test = any(modifier.rpartition(".")[2].lstrip("@") == "Test" for modifier in method.modifiers)
                text = self._project.text(one.file) or ""
                if not is_test and uses.search(text, method.span.start, method.span.end):
                    return lambda _member: reason
        return lambda member: reason if uses.search(text_of(member.node)) else None

    def _field_reason(self, found: FoundClass) -> str | None:
        for one in self._with_outer(found):
            for own in one.java.fields:
                is_rule = bool(_annotation_names(own) & {"Rule", "ClassRule", "RegisterExtension"})
                if is_rule and self._project.find(own.type, one.file, one.java.name) is not None:
                    return "a rule or extension of the project runs around it"
        return None

    def injected(self, found: FoundClass) -> Iterator[tuple[FoundClass, str]]:
        """The fields that a library gives values to (mocks, injected objects), by their annotations."""
        for one in self._annotations.chain(found):
            for own in one.java.fields:
                if _annotation_names(own) - _INERT:
                    yield one, own.name

    def of_method(self, member: Member, framework: str, role: str, annotations: list[tuple[str, Node]]) -> str | None:
        """Why a test method does not count."""
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
