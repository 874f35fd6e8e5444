"""Which methods of a Java test file are tests, what runs around them, and why some do not count."""

from __future__ import annotations

import pytest
from clausefit.hook.java.project import JavaProject
from clausefit.hook.pins.java.frameworks import Frameworks, TestMethod

J4 = "import org.junit.*;\n"
J5 = "import org.junit.jupiter.api.*;\n"
NG = "import org.testng.annotations.*;\n"


def found_in(text: str, **others: str) -> list[TestMethod]:
    files = {"FooTest.java": text} | {f"{name}.java": other for name, other in others.items()}
    return list(Frameworks(JavaProject(files.get, files)).tests("FooTest.java"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(J4 + "public class FooTest { @Test public void a() {} public void b() {} }", ["a"], id="junit4"),
        pytest.param(
            "import org.junit.Test; public class FooTest { @Test public void a() {} }", ["a"], id="single-import"
        ),
        pytest.param("public class FooTest { @org.junit.Test public void a() {} }", ["a"], id="qualified"),
        pytest.param(J5 + "class FooTest { @Test void a() {} @BeforeEach void b() {} }", ["a"], id="junit5"),
        pytest.param(J5 + "class FooTest { @RepeatedTest(3) void a() {} }", ["a"], id="repeated"),
        pytest.param(NG + "public class FooTest { @Test public void a() {} }", ["a"], id="testng"),
        pytest.param(
            NG + "@Test public class FooTest { public void a() {} void b() {} @BeforeMethod public void c() {} }",
            ["a"],
            id="testng-on-class-makes-public-methods-tests",
        ),
        pytest.param(
            "import junit.framework.TestCase; public class FooTest extends TestCase"
            " { public void testA() {} void testB() {} public void testC(int x) {} public void other() {} }",
            ["testA"],
            id="junit3-by-name",
        ),
        pytest.param("public class FooTest { @Test public void a() {} }", [], id="Test-of-nobody-is-no-test"),
        pytest.param(
            "import x.Test; public class FooTest { @Test public void a() {} }", [], id="Test-of-another-library"
        ),
        pytest.param(
            J4 + "public class FooTest { @interface Test {} @Test public void a() {} }",
            [],
            id="own-annotation-named-Test",
        ),
    ],
)
def test_what_is_a_test(text: str, expected: list[str]) -> None:
    assert [one.member.method.name for one in found_in(text)] == expected


def test_fixtures_run_from_the_superclass_down() -> None:
    base = (
        J4
        + "public class Base { @Before public void up() {} @After public void down() {} @Test public void inBase() {} }"
    )
    (inherited, own) = found_in(
        J4
        + "public class FooTest extends Base { @BeforeClass public static void once() {} @Before public void mine() {}"
        " @After public void last() {} @Test public void a() {} }",
        Base=base,
    )
    assert inherited.name == "FooTest.inBase" and inherited.member.owner.java.name == "Base"
    assert [one.method.name for one in own.before_all] == ["once"]
    assert [one.method.name for one in own.before_each] == ["up", "mine"]
    assert [one.method.name for one in own.after_each] == ["last", "down"]
    assert not own.unordered


@pytest.mark.parametrize(
    ("imports", "mark", "expected"),
    [
        pytest.param(J4, "Before", ["FooTest.up"], id="junit4-runs-the-override"),
        pytest.param(J5, "BeforeEach", [], id="junit5-does-not"),
    ],
)
def test_overridden_fixture_without_annotation(imports: str, mark: str, expected: list[str]) -> None:
    base = f"{imports} public class Base {{ @{mark} public void up() {{}} }}"
    (own,) = found_in(
        imports + "public class FooTest extends Base { public void up() {} @Test public void a() {} }", Base=base
    )
    assert [f"{one.owner.java.name}.{one.method.name}" for one in own.before_each] == expected


def test_two_fixtures_of_one_class_have_no_order() -> None:
    (own,) = found_in(J5 + "class FooTest { @BeforeEach void x() {} @BeforeEach void y() {} @Test void a() {} }")
    assert own.unordered


def test_nested_classes_run_with_the_fixtures_around() -> None:
    (own,) = found_in(
        J5
        + "class FooTest { @BeforeEach void up() {} @Nested class In { @BeforeEach void in() {} @Test void a() {} } }"
    )
    assert own.name == "FooTest$In.a"
    assert [one.java.name for one in own.classes] == ["FooTest", "FooTest.In"]
    assert [one.method.name for one in own.before_each] == ["up", "in"]
    assert own.reason is None


def test_expected_exceptions_and_parameters() -> None:
    (four,) = found_in(J4 + "public class FooTest { @Test(timeout = 3, expected = a.B.class) public void a() {} }")
    assert [(one.text or b"").decode() for one in four.expected] == ["a.B.class"]
    (ng,) = found_in(NG + "public class FooTest { @Test(expectedExceptions = {A.class, B.class}) public void a() {} }")
    assert [(one.text or b"").decode() for one in ng.expected] == ["A.class", "B.class"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(J4 + "public class FooTest { @Ignore @Test public void a() {} }", "marked @Ignore", id="ignored"),
        pytest.param(J5 + 'class FooTest { @Disabled("x") @Test void a() {} }', "marked @Disabled", id="disabled"),
        pytest.param(
            J5 + "@Disabled class FooTest { @Test void a() {} }", "class is marked @Disabled", id="class-disabled"
        ),
        pytest.param(
            J5 + "import org.junit.jupiter.api.condition.*; class FooTest { @EnabledOnOs(OS.MAC) @Test void a() {} }",
            "marked @EnabledOnOs",
            id="conditional",
        ),
        pytest.param(
            NG + "public class FooTest { @Test(enabled = false) public void a() {} }", "not enabled", id="ng-off"
        ),
        pytest.param(
            NG + 'public class FooTest { @Test(dataProvider = "d") public void a(int x) {} }',
            "data provider",
            id="ng-data",
        ),
        pytest.param(
            NG + 'public class FooTest { @Test(dependsOnMethods = "b") public void a() {} }',
            "dependsOnMethods",
            id="ng-depends",
        ),
        pytest.param(J4 + "public class FooTest { @Test void a() {} }", "only public", id="junit4-not-public"),
        pytest.param(J5 + "class FooTest { @Test private void a() {} }", "private", id="junit5-private"),
        pytest.param(J5 + "class FooTest { @Test int a() { return 1; } }", "result", id="with-result"),
        pytest.param(J5 + "class FooTest { @TestFactory Object a() { return null; } }", "test factory", id="factory"),
        pytest.param(J5 + "abstract class FooTest { @Test void a() {} }", "abstract", id="abstract-class"),
        pytest.param(
            J5 + "class FooTest { static class In { @Test void a() {} } }", "without @Nested", id="static-nested"
        ),
        pytest.param(
            J4 + "@org.junit.runner.RunWith(org.junit.experimental.theories.Theories.class)"
            " public class FooTest { @Test public void a() {} }",
            "run by Theories",
            id="junit4-theories",
        ),
        pytest.param(
            J4
            + "import org.junit.runner.*; @RunWith(my.Runner.class) public class FooTest { @Test public void a() {} }",
            "run by Runner",
            id="unknown-runner",
        ),
        pytest.param(
            J4 + "import org.junit.rules.*; public class FooTest { @Rule public ExpectedException thrown ="
            " ExpectedException.none(); @Test public void a() { thrown.expect(X.class); } }",
            "rule says how it ends",
            id="expected-exception-rule",
        ),
        pytest.param(
            J4 + "import org.junit.rules.*; public class FooTest { @Rule public My r = new My();"
            " @Test public void a() {} } class My implements TestRule {}",
            "rule or extension of the project",
            id="own-rule",
        ),
        pytest.param(
            J5 + "import static org.mockito.Mockito.*; class FooTest { @Test void a() { mockStatic(Foo.class); } }",
            "replaces code under test (mockStatic)",
            id="static-mocks",
        ),
    ],
)
def test_why_a_test_does_not_count(text: str, reason: str) -> None:
    (own,) = found_in(text)
    assert own.reason is not None and reason in own.reason


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            J4 + "import org.junit.runner.*; import org.mockito.junit.*; @RunWith(MockitoJUnitRunner.class)"
            " public class FooTest { @Test public void a() {} }",
            id="mockito-runner",
        ),
        pytest.param(
            J4 + "import org.junit.rules.*; public class FooTest { @Rule public ExpectedException thrown ="
            " ExpectedException.none(); @Test public void b() { thrown.expect(X.class); } @Test public void a() {} }",
            id="expected-exception-rule-of-another-test",
        ),
        pytest.param(J5 + '@DisplayName("x") @Tag("y") class FooTest { @Test @Timeout(3) void a() {} }', id="labels"),
    ],
)
def test_what_does_not_keep_a_test_from_counting(text: str) -> None:
    assert [one.reason for one in found_in(text) if one.member.method.name == "a"] == [None]


def test_annotation_of_the_project_that_makes_a_test() -> None:
    fast = J5 + '@Test @Tag("fast") public @interface Fast {}'
    (own,) = found_in("class FooTest { @Fast void a() {} }", Fast=fast)
    assert own.framework == "junit5" and own.reason is None


def test_annotated_fields_are_filled_by_a_library() -> None:
    (own,) = found_in(
        J5 + 'class FooTest { @Mock Foo foo; @SuppressWarnings("x") Foo plain; int n; @Test void a() {} }'
    )
    assert [name for _owner, name in own.injected] == ["foo"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("class FooTest extends FooTest { @Test void a() {} }", id="its-own-superclass"),
        pytest.param(J5 + "class FooTest { @Test void a( { }", id="broken"),
        pytest.param(J5 + "@Test @interface Test {} class FooTest { @Test void a() {} }", id="annotation-on-itself"),
        pytest.param("", id="empty"),
    ],
)
def test_strange_files_do_no_harm(text: str) -> None:
    assert isinstance(found_in(text), list)
