"""Which name of a test library a name in a test file means: by its imports (JLS 7.5), never by its sound."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from clausefit.hook.java.project import FoundClass, JavaProject
from tree_sitter import Node

_IN_PACKAGES: dict[str, str] = {
    "junit.framework": "TestCase Assert TestSuite",
    "org.junit": "Test Before After BeforeClass AfterClass Ignore Rule ClassRule Assert Assume FixMethodOrder",
    "org.junit.function": "ThrowingRunnable",
    "org.junit.rules": "ExpectedException Timeout TestName TemporaryFolder ErrorCollector TestWatcher ExternalResource"
    " TestRule MethodRule RuleChain Verifier Stopwatch DisableOnDebug",
    "org.junit.runner": "RunWith",
    "org.junit.runners": "Parameterized JUnit4 BlockJUnit4ClassRunner Suite MethodSorters",
    "org.junit.runners.Parameterized": "Parameters Parameter UseParametersRunnerFactory",
    "org.junit.experimental.runners": "Enclosed",
    "org.junit.experimental.theories": "Theories Theory DataPoint DataPoints",
    "org.junit.jupiter.api": "Test BeforeEach AfterEach BeforeAll AfterAll Nested Disabled DisplayName RepeatedTest"
    " TestFactory TestTemplate Assertions Assumptions TestInstance Tag Tags Timeout Order TestMethodOrder"
    " DisplayNameGeneration IndicativeSentencesGeneration TestClassOrder MethodOrderer TestInfo TestReporter",
    "org.junit.jupiter.api.condition": "EnabledIf DisabledIf EnabledOnOs DisabledOnOs EnabledOnJre DisabledOnJre"
    " EnabledForJreRange DisabledForJreRange EnabledIfSystemProperty DisabledIfSystemProperty"
    " EnabledIfEnvironmentVariable DisabledIfEnvironmentVariable DisabledInNativeImage EnabledInNativeImage",
    "org.junit.jupiter.api.extension": "ExtendWith RegisterExtension",
    "org.junit.jupiter.api.io": "TempDir",
    "org.junit.jupiter.params": "ParameterizedTest",
    "org.junit.jupiter.params.provider": "CsvSource CsvFileSource ValueSource NullSource EmptySource NullAndEmptySource"
    " EnumSource MethodSource FieldSource ArgumentsSource Arguments",
    "org.testng.annotations": "Test BeforeMethod AfterMethod BeforeClass AfterClass BeforeTest AfterTest BeforeSuite"
    " AfterSuite BeforeGroups AfterGroups DataProvider Parameters Factory Listeners Guice Ignore",
    "org.testng": "Assert AssertJUnit",
    "org.hamcrest": "MatcherAssert Matchers CoreMatchers",
    "org.hamcrest.core": "Is IsEqual IsNull IsNot IsSame",
    "org.assertj.core.api": "Assertions BDDAssertions AssertionsForClassTypes AssertionsForInterfaceTypes",
    "com.google.common.truth": "Truth",
}
_LIBRARY_TYPES: dict[str, frozenset[str]] = {
    package: frozenset(names.split()) for package, names in _IN_PACKAGES.items()
}
_MOST_PARTS = 20


class Imports:
    """The imports of one file."""

    def __init__(self, project: JavaProject, file: str) -> None:
        source = project.source(file)
        imports = source.java.imports if source is not None and source.java is not None else ()
        self.file = file
        self._project = project
        self._types: dict[str, str] = {}
        self._packages: list[str] = []
        self._static: dict[str, list[str]] = {}
        self._static_all: list[str] = []
        for text in imports:
            self._add("".join(text.split(" ", 1)[1:]), True) if text.startswith("static ") else self._add(text, False)

    def _add(self, text: str, is_static: bool) -> None:
        name = "".join(text.split())
        if name.endswith(".*"):
            (self._static_all if is_static else self._packages).append(name[:-2])
        elif is_static:
            owner, _, member = name.rpartition(".")
            self._static.setdefault(member, []).append(owner)
        else:
            self._types[name.rpartition(".")[2]] = name

    def library_type(self, written: str, within: str = "") -> str:
        """The qualified name of the library type that ``written`` names here; empty for a project type or none known.

        A single-type import comes before a type of the own package, and that before an import on demand (JLS 6.4.1).
        """
        parts = "".join(written.split()).split(".")
        if len(parts) > _MOST_PARTS or not all(parts):
            return ""
        if self._project.find(".".join(parts), self.file, within) is not None:
            return ""
        first = parts[0]
        if first in self._types:
            return ".".join([self._types[first], *parts[1:]])
        for package in self._packages:
            if first in _LIBRARY_TYPES.get(package, ()):
                return ".".join([package, *parts])
        return ".".join(parts) if len(parts) > 1 and first[:1].islower() else ""

    def static_owners(self, member: str) -> tuple[str, ...]:
        """The classes from which a static import brings ``member``: those that name it, else all on demand (JLS 7.5.3).

        Qualified as written; which of several on demand has the member is for the caller to know.
        """
        return tuple(self._static.get(member, ())) or tuple(self._static_all)

    def names_member(self, member: str) -> bool:
        """Whether a single static import names the member."""
        return member in self._static


def is_of_test_library(package: str, name: str) -> bool:
    """Whether a package of a test library has a type of this name."""
    return name in _LIBRARY_TYPES.get(package, ())


@cache
def library_package(qualified: str) -> str:
    """The package of a known library type, or of the type around it; empty for others."""
    parts = qualified.split(".")
    for count in range(len(parts) - 1, 0, -1):
        package = ".".join(parts[:count])
        if parts[count] in _LIBRARY_TYPES.get(package, ()):
            return package
    return ""


def class_node(project: JavaProject, found: FoundClass) -> Node | None:
    """The declaration of a class in the tree of its file; None when the tree does not show it cleanly."""
    tree = project.tree(found.file)
    if tree is None:
        return None
    span = found.java.span
    node: Node | None = tree.root.named_descendant_for_byte_range(span.start, max(span.start, span.end - 1))
    while node is not None and node.child_by_field_name("body") is None:
        node = node.parent
    return node


def annotations_of(node: Node) -> list[tuple[str, Node]]:
    """The annotations of a declaration: name as written, and the annotation."""
    found: list[tuple[str, Node]] = []
    for child in node.children:
        if child.type != "modifiers":
            continue
        for one in child.children:
            name = one.child_by_field_name("name") if one.type in ("annotation", "marker_annotation") else None
            if name is not None:
                found.append((text_of(name), one))
    return found


def annotation_values(annotation: Node) -> dict[str, Node]:
    """The elements of an annotation by name; a single value without a name is ``value`` (JLS 9.7.3)."""
    arguments = annotation.child_by_field_name("arguments")
    values: dict[str, Node] = {}
    for child in arguments.named_children if arguments is not None else ():
        if child.type == "element_value_pair":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            if key is not None and value is not None:
                values[text_of(key)] = value
        elif child.type not in ("line_comment", "block_comment"):
            values["value"] = child
    return values


def elements_of(value: Node) -> Sequence[Node]:
    """The elements of an annotation's array value; a value without braces is one element (JLS 9.7.1)."""
    if value.type != "element_value_array_initializer":
        return (value,)
    return [child for child in value.named_children if child.type not in ("line_comment", "block_comment")]


def text_of(node: Node) -> str:
    """The text of a node that has ASCII characters only, such as a name or a number."""
    return node.text.decode("ascii", "replace") if node.text is not None else ""
