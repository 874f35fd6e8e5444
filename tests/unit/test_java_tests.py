"""Pins from Java tests: assertions of each framework, parameters, what is left out and why."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from clausefit.hook.java.project import JavaProject
from clausefit.hook.pins.java.tests import pins_from_java
from growth import assert_grows_linearly
from java_pin_text import pin_text, pins_of

# What calls Lib cannot be followed: only the test's assertions tell the results.
FOO = """package p;
import lib.Lib;
public class Foo {
    public static int opaque(int x) { return Lib.compute(x); }
    public static long wide(int x) { return Lib.wide(x); }
    public static char letter(int x) { return Lib.letter(x); }
    public static String name(int x) { return Lib.name(x); }
    public static boolean flag(int x) { return Lib.flag(x); }
    public static Integer box(int x) { return Lib.box(x); }
    public static double real(int x) { return Lib.real(x); }
    public static int[] numbers(int x) { return Lib.numbers(x); }
    public static Color color(int x) { return Lib.color(x); }
    public static void act(int x) { Lib.act(x); }
    public static int twice(int x) { return 2 * x; }
    public static double half(double x) { return x / 2; }
    public static int checked(int x) {
        if (x < 0) throw new IllegalArgumentException("negative");
        return x;
    }
    public static int total(int[] a) {
        int sum = 0;
        for (int one : a) sum += one;
        return sum;
    }
}
"""
COLOR = "package p; public enum Color { RED, BLUE }"
BOX = """package p;
public class Box {
    private int size;
    public Box(int size) { this.size = size; }
    public void grow(int by) { size += by; }
    public int size() { return size; }
}
"""
SOURCES = {"src/p/Foo.java": FOO, "src/p/Color.java": COLOR, "src/p/Box.java": BOX}
J3 = "import junit.framework.TestCase;"
J4 = "import static org.junit.Assert.*; import org.junit.*;"
J5 = "import static org.junit.jupiter.api.Assertions.*; import org.junit.jupiter.api.*;"
NG = "import static org.testng.Assert.*; import org.testng.annotations.*;"
HAMCREST = J4 + "import static org.hamcrest.MatcherAssert.assertThat; import static org.hamcrest.Matchers.*;"
ASSERTJ = "import static org.assertj.core.api.Assertions.*; import org.junit.jupiter.api.*;"
TRUTH = "import static com.google.common.truth.Truth.assertThat; import org.junit.jupiter.api.*;"


def shown(imports: str, members: str, *, extends: str = "", **more: str) -> tuple[list[str], list[str]]:
    """The pins of a test class with these members, and the reasons (``line function: reason``)."""
    text = f"package p; {imports}\npublic class FooTest {extends} {{\n{members}\n}}"
    files = SOURCES | {"test/p/FooTest.java": text} | {f"test/p/{name}.java": other for name, other in more.items()}
    found = pins_of(files, "test/p/FooTest.java", source=SOURCES)
    assert json.loads(json.dumps([asdict(pin) for pin in found.pins])) is not None
    reasons = [f"{one.source.rpartition(':')[2]} {one.function}: {one.reason}" for one in found.ignored]
    return [pin_text(pin) for pin in found.pins], reasons


def of_body(imports: str, body: str) -> tuple[list[str], list[str]]:
    if imports == J3:
        return shown(imports, f"public void testIt() {{\n{body}\n}}", extends="extends TestCase")
    return shown(imports, f"@Test public void it() throws Exception {{\n{body}\n}}")


OPAQUE = "Foo.opaque(int): x=3 -> "


@pytest.mark.parametrize(
    ("imports", "body", "expected"),
    [
        pytest.param(J3, "assertEquals(5, Foo.opaque(3));", [OPAQUE + "5"], id="junit3"),
        pytest.param(J3, 'assertEquals("m", 5, Foo.opaque(3));', [OPAQUE + "5"], id="junit3-message-first"),
        pytest.param(J4, "assertEquals(5, Foo.opaque(3));", [OPAQUE + "5"], id="junit4"),
        pytest.param(J4, 'assertEquals("m", 5, Foo.opaque(3));', [OPAQUE + "5"], id="junit4-message-first"),
        pytest.param(J4, "Assert.assertEquals(5, Foo.opaque(3));", [OPAQUE + "5"], id="junit4-by-class"),
        pytest.param(J4, "org.junit.Assert.assertEquals(5, Foo.opaque(3));", [OPAQUE + "5"], id="junit4-qualified"),
        pytest.param(J4, "assertEquals(Foo.opaque(3), 5);", [OPAQUE + "5"], id="sides-swapped"),
        pytest.param(J4, "int r = Foo.opaque(3);\nassertEquals(5, r);", [OPAQUE + "5"], id="by-a-local"),
        pytest.param(J4, 'assertEquals("n", Foo.name(3));', ['Foo.name(int): x=3 -> "n"'], id="string"),
        pytest.param(
            J4, 'assertEquals("m", "n", Foo.name(3));', ['Foo.name(int): x=3 -> "n"'], id="three-strings-junit4"
        ),
        pytest.param(J4, "assertEquals(5, Foo.wide(3));", ["Foo.wide(int): x=3 -> 5L"], id="int-for-long"),
        pytest.param(J4, "assertEquals('c', Foo.letter(3));", ["Foo.letter(int): x=3 -> 'c'"], id="char"),
        pytest.param(J4, "assertEquals(99, Foo.letter(3));", ["Foo.letter(int): x=3 -> 'c'"], id="int-for-char"),
        pytest.param(J4, "assertEquals(Color.RED, Foo.color(3));", ["Foo.color(int): x=3 -> p.Color.RED"], id="enum"),
        pytest.param(
            J4, "assertSame(Color.RED, Foo.color(3));", ["Foo.color(int): x=3 -> p.Color.RED"], id="same-enum"
        ),
        pytest.param(
            J4, "assertEquals(2.5, Foo.real(3), 0.1);", ["Foo.real(int): x=3 -> ?"], id="tolerance-shows-nothing"
        ),
        pytest.param(J4, "assertTrue(Foo.flag(3));", ["Foo.flag(int): x=3 -> true"], id="true"),
        pytest.param(J4, 'assertFalse("m", Foo.flag(3));', ["Foo.flag(int): x=3 -> false"], id="false-with-message"),
        pytest.param(J4, "assertTrue(Foo.opaque(3) > 4);", [OPAQUE + "?"], id="a-bound-shows-nothing"),
        pytest.param(J4, "assertNull(Foo.name(3));", ["Foo.name(int): x=3 -> null"], id="null"),
        pytest.param(J4, "assertNotNull(Foo.name(3));", ["Foo.name(int): x=3 -> ?!=null"], id="not-null"),
        pytest.param(J4, "assertNotEquals(5, Foo.opaque(3));", [OPAQUE + "?!=5"], id="not-equal"),
        pytest.param(J4, "Foo.act(3);", ["Foo.act(int): x=3 -> void"], id="void"),
        pytest.param(J5, "assertEquals(5, Foo.opaque(3));", [OPAQUE + "5"], id="junit5"),
        pytest.param(J5, 'assertEquals(5, Foo.opaque(3), "m");', [OPAQUE + "5"], id="junit5-message-last"),
        pytest.param(J5, 'assertEquals(5, Foo.opaque(3), () -> "m");', [OPAQUE + "5"], id="junit5-message-supplier"),
        pytest.param(
            J5, 'assertEquals("n", Foo.name(3), "m");', ['Foo.name(int): x=3 -> "n"'], id="three-strings-junit5"
        ),
        pytest.param(
            J5, "assertEquals(2.5, Foo.real(3));", ["Foo.real(int): x=3 -> 2.5"], id="double-without-tolerance"
        ),
        pytest.param(J5, "assertEquals(5, Foo.box(3));", ["Foo.box(int): x=3 -> Integer(5)"], id="boxed"),
        pytest.param(J5, "assertAll(() -> assertEquals(5, Foo.opaque(3)));", [OPAQUE + "5"], id="in-assertAll"),
        pytest.param(
            J5,
            "int r = assertDoesNotThrow(() -> Foo.opaque(3));\nassertEquals(5, r);",
            [OPAQUE + "5"],
            id="in-DoesNotThrow",
        ),
        pytest.param(NG, "assertEquals(Foo.opaque(3), 5);", [OPAQUE + "5"], id="testng-actual-first"),
        pytest.param(NG, 'assertEquals(Foo.opaque(3), 5, "m");', [OPAQUE + "5"], id="testng-message-last"),
        pytest.param(
            NG, 'assertEquals(Foo.name(3), "n", "m");', ['Foo.name(int): x=3 -> "n"'], id="three-strings-testng"
        ),
        pytest.param(HAMCREST, "assertThat(Foo.opaque(3), is(5));", [OPAQUE + "5"], id="hamcrest-is"),
        pytest.param(HAMCREST, 'assertThat("m", Foo.opaque(3), equalTo(5));', [OPAQUE + "5"], id="hamcrest-reason"),
        pytest.param(HAMCREST, "assertThat(Foo.opaque(3), is(equalTo(5)));", [OPAQUE + "5"], id="hamcrest-is-equalTo"),
        pytest.param(
            HAMCREST, "assertThat(Foo.name(3), is(nullValue()));", ["Foo.name(int): x=3 -> null"], id="hamcrest-null"
        ),
        pytest.param(
            HAMCREST,
            "assertThat(Foo.name(3), notNullValue());",
            ["Foo.name(int): x=3 -> ?!=null"],
            id="hamcrest-not-null",
        ),
        pytest.param(HAMCREST, "assertThat(Foo.opaque(3), not(5));", [OPAQUE + "?!=5"], id="hamcrest-not"),
        pytest.param(HAMCREST, "assertThat(Foo.opaque(3), greaterThan(4));", [OPAQUE + "?"], id="hamcrest-bound"),
        pytest.param(ASSERTJ, "assertThat(Foo.opaque(3)).isEqualTo(5);", [OPAQUE + "5"], id="assertj"),
        pytest.param(
            ASSERTJ, 'assertThat(Foo.opaque(3)).as("m").isPositive().isEqualTo(5);', [OPAQUE + "5"], id="assertj-chain"
        ),
        pytest.param(ASSERTJ, "assertThat(Foo.flag(3)).isTrue();", ["Foo.flag(int): x=3 -> true"], id="assertj-true"),
        pytest.param(ASSERTJ, "assertThat(Foo.name(3)).isNull();", ["Foo.name(int): x=3 -> null"], id="assertj-null"),
        pytest.param(ASSERTJ, "assertThat(Foo.opaque(3)).isZero();", [OPAQUE + "0"], id="assertj-zero"),
        pytest.param(ASSERTJ, "assertThat(Foo.opaque(3)).isNotEqualTo(5);", [OPAQUE + "?!=5"], id="assertj-not-equal"),
        pytest.param(TRUTH, "assertThat(Foo.opaque(3)).isEqualTo(5);", [OPAQUE + "5"], id="truth"),
    ],
)
def test_assertions_show_results_that_running_does_not(imports: str, body: str, expected: list[str]) -> None:
    assert of_body(imports, body) == (expected, [])


ISE = "java.lang.IllegalStateException"


@pytest.mark.parametrize(
    ("imports", "body", "expected"),
    [
        pytest.param(
            J5, "assertThrows(IllegalStateException.class, () -> Foo.opaque(3));", f"throws {ISE} or below", id="junit5"
        ),
        pytest.param(
            J5, "assertThrowsExactly(IllegalStateException.class, () -> Foo.opaque(3));", f"throws {ISE}", id="exactly"
        ),
        pytest.param(
            J4,
            'assertThrows("m", IllegalStateException.class, () -> Foo.opaque(3));',
            f"throws {ISE} or below",
            id="junit4",
        ),
        pytest.param(
            J5,
            "assertThrows(IllegalStateException.class, () -> { Foo.opaque(3); });",
            f"throws {ISE} or below",
            id="block",
        ),
        pytest.param(
            NG, "expectThrows(IllegalStateException.class, () -> Foo.opaque(3));", f"throws {ISE} or below", id="testng"
        ),
        pytest.param(
            ASSERTJ,
            "assertThatThrownBy(() -> Foo.opaque(3)).isInstanceOf(IllegalStateException.class);",
            f"throws {ISE} or below",
            id="assertj",
        ),
        pytest.param(
            ASSERTJ,
            "assertThatThrownBy(() -> Foo.opaque(3)).isExactlyInstanceOf(IllegalStateException.class);",
            f"throws {ISE}",
            id="assertj-exactly",
        ),
        pytest.param(
            ASSERTJ,
            "assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> Foo.opaque(3));",
            f"throws {ISE} or below",
            id="assertj-of-type",
        ),
        pytest.param(
            ASSERTJ,
            "assertThatIllegalStateException().isThrownBy(() -> Foo.opaque(3));",
            f"throws {ISE} or below",
            id="assertj-named",
        ),
    ],
)
def test_assertions_show_exceptions_that_running_does_not(imports: str, body: str, expected: str) -> None:
    assert of_body(imports, body) == ([OPAQUE + expected], [])


@pytest.mark.parametrize(
    ("imports", "mark", "expected"),
    [
        pytest.param(J4, "@Test(expected = IllegalStateException.class)", f"throws {ISE} or below", id="junit4"),
        pytest.param(
            NG, "@Test(expectedExceptions = IllegalStateException.class)", f"throws {ISE} or below", id="testng"
        ),
    ],
)
def test_expected_exception_of_the_last_call(imports: str, mark: str, expected: str) -> None:
    found, reasons = shown(imports, f"{mark} public void it() {{ int three = 3; Foo.opaque(three); }}")
    assert (found, reasons) == ([OPAQUE + expected], [])


@pytest.mark.parametrize(
    ("imports", "members"),
    [
        pytest.param(
            J5,
            "@Test void it() { assertThrows(IllegalStateException.class, () -> Foo.twice(Foo.opaque(3))); }",
            id="one-of-two",
        ),
        pytest.param(
            J4,
            "@Test(expected = IllegalStateException.class) public void it() { Foo.opaque(3); Foo.act(1); }",
            id="not-the-last",
        ),
        pytest.param(
            J4, "@Test public void it() { try { Foo.opaque(3); } catch (IllegalStateException e) { } }", id="in-a-try"
        ),
    ],
)
def test_an_end_that_is_not_certain_gives_no_pin(imports: str, members: str) -> None:
    found, reasons = shown(imports, members)
    assert found == []
    assert any("Foo.opaque(int)" in one for one in reasons)


@pytest.mark.parametrize(
    ("imports", "body", "expected"),
    [
        pytest.param(J5, "assertEquals(6, Foo.twice(3));", ["Foo.twice(int): x=3 -> 6"], id="checked"),
        pytest.param(J5, "Foo.twice(3);", ["Foo.twice(int): x=3 -> 6"], id="not-checked"),
        pytest.param(J5, "assertEquals(1.5, Foo.half(3), 1e-9);", ["Foo.half(double): x=3.0 -> 1.5"], id="tolerance"),
        pytest.param(
            J5,
            "assertThrows(RuntimeException.class, () -> Foo.checked(-1));",
            ["Foo.checked(int): x=-1 -> throws java.lang.IllegalArgumentException"],
            id="exact-exception",
        ),
        pytest.param(
            J5,
            "try { Foo.checked(-1); fail(); } catch (IllegalArgumentException e) { assertEquals(2, Foo.twice(1)); }",
            ["Foo.checked(int): x=-1 -> throws java.lang.IllegalArgumentException", "Foo.twice(int): x=1 -> 2"],
            id="fail-idiom",
        ),
        pytest.param(
            J5,
            "Box b = new Box(1);\nb.grow(2);\nassertEquals(3, b.size());",
            [
                "Box.Box(int): size=1 -> m0; m0=p.Box{size: 1}",
                "Box.grow(int): this=m0, by=2; m0=p.Box{size: 1} -> void; m0=p.Box{size: 3}",
                "Box.size(): this=m0; m0=p.Box{size: 3} -> 3",
            ],
            id="object-with-state",
        ),
        pytest.param(
            J5,
            "int[] a = {1, 2};\nassertEquals(3, Foo.total(a));\na[0] = 5;\nassertEquals(7, Foo.total(a));",
            ["Foo.total(int[]): a=m0; m0=[1, 2] -> 3", "Foo.total(int[]): a=m0; m0=[5, 2] -> 7"],
            id="array-changed-by-the-test",
        ),
        pytest.param(
            J5 + "import static org.junit.jupiter.api.Assumptions.*;",
            "assumeTrue(Foo.twice(1) == 2);\nassumeTrue(false);\nFoo.twice(9);",
            ["Foo.twice(int): x=1 -> 2"],
            id="assumption",
        ),
    ],
)
def test_what_running_shows(imports: str, body: str, expected: list[str]) -> None:
    assert of_body(imports, body)[0] == expected


@pytest.mark.parametrize(
    ("imports", "body", "expected"),
    [
        pytest.param(J5, "assertEquals(7, Foo.twice(3));", ["Foo.twice(int): x=3 -> 7"], id="asserted-value-counts"),
        pytest.param(
            J5, "int x = 3;\nassertEquals(7, Foo.twice(x));", ["Foo.twice(int): x=3 -> 7"], id="literal-local"
        ),
        pytest.param(
            J5,
            "assertTrue(Foo.flag(1));\nassertEquals(7, Foo.twice(3));",
            ["Foo.flag(int): x=1 -> true", "Foo.twice(int): x=3 -> 7"],
            id="shown-before-counts",
        ),
        pytest.param(
            J5,
            "Foo.twice(4);\nassertEquals(7, Foo.twice(3));\nFoo.twice(5);",
            ["Foo.twice(int): x=3 -> 7"],
            id="only-interpreted-does-not-count",
        ),
        pytest.param(J5, "assertEquals(7, Foo.twice(Foo.twice(1)));", [], id="input-from-the-code"),
        pytest.param(J5, "assertEquals(9, new Box(3).size());", [], id="state-from-the-code"),
        pytest.param(J5, "assertTrue(Foo.twice(3) > 7);", [], id="no-call-to-blame"),
        pytest.param(
            J5,
            "assertThrows(IllegalStateException.class, () -> Foo.twice(3));",
            [f"Foo.twice(int): x=3 -> throws {ISE} or below"],
            id="should-have-thrown",
        ),
        pytest.param(J5, "Foo.checked(-1);", [], id="ends-with-an-exception"),
        pytest.param(
            J5,
            "assertEquals(3, Foo.total(new int[] {1}));",
            ["Foo.total(int[]): a=m0; m0=[1] -> 3; m0=[?]"],
            id="array-literal",
        ),
        pytest.param(HAMCREST, "assertThat(Foo.twice(3), is(7));", ["Foo.twice(int): x=3 -> 7"], id="hamcrest"),
        pytest.param(ASSERTJ, "assertThat(Foo.twice(3)).isEqualTo(7);", ["Foo.twice(int): x=3 -> 7"], id="assertj"),
    ],
)
def test_code_that_does_not_pass_its_test(imports: str, body: str, expected: list[str]) -> None:
    found, reasons = of_body(imports, body)
    assert found == expected
    whys = ("does not pass with the code as it is", "the code does not give what the test expects")
    assert all(any(why in one for why in whys) for one in reasons if "Foo.twice" in one)


def test_a_method_that_fails_one_test_is_not_trusted_in_another() -> None:
    found, reasons = shown(
        J5,
        "@Test void a() { Foo.twice(8); }\n@Test void b() { assertEquals(7, Foo.twice(3)); }\n"
        "@Test void c() { assertEquals(2, Foo.twice(1)); }",
    )
    assert found == ["Foo.twice(int): x=3 -> 7", "Foo.twice(int): x=1 -> 2"]
    assert [one for one in reasons if "FooTest.b, which calls the same, does not pass" in one]


@pytest.mark.parametrize(
    ("failing", "expected"),
    [
        pytest.param("assertEquals(7, Foo.twice(3));", ["Box.Box(int)", "Box.size()"], id="one-call-is-to-blame"),
        pytest.param("b.grow(1);\nassertEquals(7, b.size());", [], id="state-is-to-blame"),
        pytest.param("assertTrue(Foo.twice(3) + b.size() > 9);", [], id="any-may-be-to-blame"),
    ],
)
def test_what_a_failing_test_casts_doubt_on(failing: str, expected: list[str]) -> None:
    found, _ = shown(
        J5,
        "Box b = new Box(1);\n@Test void a() { b.size(); }\n@Test void c() { b.size();\n" + failing + "\n}",
    )
    assert [one.partition(":")[0] for one in found if "Foo" not in one] == expected


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        pytest.param(
            '@ParameterizedTest @CsvSource({"1, 2", "0x10, 32"})'
            " void it(int x, int r) { assertEquals(r, Foo.twice(x)); }",
            ["Foo.twice(int): x=1 -> 2", "Foo.twice(int): x=16 -> 32"],
            id="csv",
        ),
        pytest.param(
            "@ParameterizedTest @CsvSource(delimiter = ';', value = {\"'a,b'; 5\"}) void it(String s, int r)"
            " { assertEquals(s, Foo.name(r)); }",
            ['Foo.name(int): x=5 -> "a,b"'],
            id="csv-delimiter",
        ),
        pytest.param(
            '@ParameterizedTest @CsvSource(value = {"3, nil"}, nullValues = "nil") void it(int x, String s)'
            " { assertEquals(s, Foo.name(x)); }",
            ["Foo.name(int): x=3 -> null"],
            id="csv-null",
        ),
        pytest.param(
            "@ParameterizedTest @ValueSource(ints = {1, -1}) void it(int x) { Foo.twice(x); }",
            ["Foo.twice(int): x=1 -> 2", "Foo.twice(int): x=-1 -> -2"],
            id="values",
        ),
        pytest.param(
            '@ParameterizedTest @ValueSource(strings = {"1.5", "-2e1"}) void it(double x) { Foo.half(x); }',
            ["Foo.half(double): x=1.5 -> 0.75", "Foo.half(double): x=-20.0 -> -10.0"],
            id="strings-become-doubles",
        ),
        pytest.param(
            "@ParameterizedTest @EnumSource void it(Color c) { assertEquals(c, Foo.color(c.ordinal())); }",
            ["Foo.color(int): x=0 -> p.Color.RED", "Foo.color(int): x=1 -> p.Color.BLUE"],
            id="enum",
        ),
        pytest.param(
            "static Stream<Arguments> rows() { return Stream.of(Arguments.of(1, 2)); }\n"
            '@ParameterizedTest @MethodSource("rows") void it(int x, int r) { assertEquals(r, Foo.twice(x)); }',
            ["Foo.twice(int): x=1 -> 2"],
            id="method-of-rows",
        ),
        pytest.param(
            "static int[] it() { return new int[] {4}; }\n"
            "@ParameterizedTest @MethodSource void it(int x) { Foo.twice(x); }",
            ["Foo.twice(int): x=4 -> 8"],
            id="method-of-the-same-name",
        ),
        pytest.param(
            "@ParameterizedTest @ValueSource(ints = 3) void it(int x, TestInfo info) { Foo.twice(x); }",
            ["Foo.twice(int): x=3 -> 6"],
            id="parameter-that-junit-fills",
        ),
    ],
)
def test_parameters(members: str, expected: list[str]) -> None:
    imports = (
        J5 + "import java.util.stream.Stream; import org.junit.jupiter.params.*;"
        "import org.junit.jupiter.params.provider.*;"
    )
    assert shown(imports, members) == (expected, [])


@pytest.mark.parametrize(
    ("imports", "members", "reason"),
    [
        pytest.param(J5, "@Disabled @Test void it() { Foo.twice(3); }", "it is marked @Disabled", id="disabled"),
        pytest.param(
            J5, "@Test void it() { Foo.twice(Lib.number()); }", "the value of x is not known", id="unknown-argument"
        ),
        pytest.param(
            J5, "@Test void it() { if (Lib.flag()) {\nFoo.twice(3);\n} }", "could not be followed", id="unknown-branch"
        ),
        pytest.param(
            J5, "void helper() { Foo.twice(3); }", "no test that could be followed reaches", id="never-called"
        ),
        pytest.param(
            J5 + "import org.junit.jupiter.params.*; import org.junit.jupiter.params.provider.*;",
            '@ParameterizedTest @CsvFileSource(resources = "x.csv") void it(int x) { Foo.twice(x); }',
            "its values come from @CsvFileSource",
            id="csv-file",
        ),
    ],
)
def test_left_out_with_a_reason(imports: str, members: str, reason: str) -> None:
    found, reasons = shown("import lib.Lib;" + imports, members)
    assert found == []
    assert any("Foo.twice(int)" in one and reason in one for one in reasons), reasons


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param("Arrays.asList(new Object[][] {{1, 2}, {-4, -8}})", id="two-dimensional"),
        pytest.param("Arrays.asList(new Object[] {1, 2}, new Object[] {-4, -8})", id="rows"),
        pytest.param("List.of(new Object[][] {{1, 2}, {-4, -8}})", id="list"),
    ],
)
def test_junit4_parameterized(rows: str) -> None:
    found, reasons = shown(
        J4
        + "import java.util.*; import org.junit.runner.*; import org.junit.runners.*;\n@RunWith(Parameterized.class)",
        f"@Parameterized.Parameters public static Collection<Object[]> data() {{ return {rows}; }}\n"
        "final int x; final int r;\npublic FooTest(int x, int r) { this.x = x; this.r = r; }\n"
        "@Test public void it() { assertEquals(r, Foo.twice(x)); }",
    )
    assert (found, reasons) == (["Foo.twice(int): x=1 -> 2", "Foo.twice(int): x=-4 -> -8"], [])


def test_own_assert_equals_is_project_code() -> None:
    found, _ = shown(
        "import org.junit.jupiter.api.*;",
        "@Test void it() { assertEquals(5, Foo.opaque(3)); }\nstatic void assertEquals(int a, int b) { }",
    )
    assert found == [OPAQUE + "?"]


def test_assert_equals_of_nobody_shows_nothing() -> None:
    found, _ = shown("import org.junit.jupiter.api.*;", "@Test void it() { assertEquals(5, Foo.opaque(3)); }")
    assert found in ([OPAQUE + "?"], [])


def test_mocks_are_not_known() -> None:
    found, _ = shown(
        J5 + "import static org.mockito.Mockito.*; import org.mockito.*;",
        "@Mock Box box;\nBox made = mock(Box.class);\n"
        "@Test void it() { when(made.size()).thenReturn(5);\n"
        "assertEquals(5, made.size()); assertEquals(3, box.size()); }",
    )
    assert found == []


def test_inherited_tests_and_fixtures() -> None:
    members = "int n; @BeforeEach void up() { n = 4; } @Test void inBase() { Foo.twice(n); }"
    base = f"package p; {J5} abstract class Base {{ {members} }}"
    found, _ = shown(J5, "", extends="extends Base", Base=base)
    assert found == ["Foo.twice(int): x=4 -> 8"]


def test_nested_calls_come_after_those_of_the_tests() -> None:
    files = {
        "src/Fact.java": "class Fact { static int of(int n) { return n < 2 ? 1 : n * of(n - 1); } }",
        "test/FactTest.java": J5 + "class FactTest { @Test void a() { assertEquals(2, Fact.of(2)); }"
        " @Test void b() { assertEquals(1, Fact.of(0)); } }",
    }
    found = pins_of(files, "test/FactTest.java", source=["src/Fact.java"])
    assert [pin_text(pin) for pin in found.pins] == [
        "Fact.of(int): n=2 -> 2",
        "Fact.of(int): n=0 -> 1",
        "Fact.of(int): n=1 -> 1",
    ]
    assert {pin.origin.file for pin in found.pins} == {"test/FactTest.java"}


def test_names_and_places() -> None:
    text = (
        f"{J5} import org.junit.jupiter.params.*; import org.junit.jupiter.params.provider.*;\nclass FooTest {{\n"
        "@ParameterizedTest @ValueSource(ints = {1, 2}) void it(int x) {\nFoo.twice(\nx); }\n"
        "@Nested class In { @Test void a() { Foo.twice(7); } } }"
    )
    files = SOURCES | {"test/p/FooTest.java": "package p; " + text}
    found = pins_of(files, "test/p/FooTest.java", source=SOURCES)
    assert [(pin.origin.test, pin.origin.file, pin.origin.line) for pin in found.pins] == [
        ("FooTest.it[1]", "test/p/FooTest.java", 4),
        ("FooTest.it[2]", "test/p/FooTest.java", 4),
        ("FooTest$In.a", "test/p/FooTest.java", 6),
    ]


def test_fixtures_whose_order_matters_show_nothing() -> None:
    found, reasons = shown(
        J5,
        "int n = 1;\n@BeforeEach void x() { n = 2; }\n@BeforeEach void y() { n *= 3; }\n"
        "@Test void it() { Foo.twice(n); }",
    )
    assert found == []
    assert any("order of its fixtures" in one for one in reasons)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param(J5 + "class FooTest { @Test void a( { Foo.twice(3; }", id="broken"),
        pytest.param(J5 + "class FooTest { @Test void a() { " + "(" * 5000 + " } }", id="deep"),
        pytest.param(
            J5 + "class FooTest { @Test void a() { assertEquals(); assertThrows(); assertAll(); } }", id="no-arguments"
        ),
        pytest.param(J5 + "class FooTest { @Test void a() { a(); } }", id="endless-recursion"),
        pytest.param(J5 + "class FooTest { @Test void a() { while (true) ; } }", id="endless-loop"),
        pytest.param(
            J5 + "class FooTest extends FooTest { @Nested class FooTest { @Test void a() {} } }", id="odd-nesting"
        ),
        pytest.param("\0\ud800" + J5, id="odd-characters"),
    ],
)
def test_hostile_files_do_no_harm(text: str) -> None:
    found = pins_of(SOURCES | {"FooTest.java": text}, "FooTest.java", source=SOURCES)
    assert found.pins == ()


def test_a_namesake_in_another_package_is_another_method() -> None:
    project = {
        "a/Foo.java": "package a; public class Foo { public static int f(int x) { return x; } }",
        "b/Foo.java": "package b; public class Foo { public static int f(int x) { return x + 1; } }",
        "t/FooTest.java": f"package t; {J5} class FooTest {{ @Test void it() {{ a.Foo.f(1); b.Foo.f(2); }} }}",
    }
    found = pins_from_java(
        JavaProject(project.get, project), "t/FooTest.java", frozenset({"Foo.f(int)"}), {"Foo.f(int)": "b/Foo.java"}
    )
    assert [pin_text(pin) for pin in found.pins] == ["Foo.f(int): x=2 -> 3"]
    assert found.ignored == ()


def test_time_grows_with_the_number_of_tests() -> None:
    def read(count: int) -> None:
        members = "\n".join(
            f"@Test void t{n}() {{ int[] a = {{{n}}}; Foo.total(a); Foo.twice({n}); }}" for n in range(count)
        )
        shown(J5, members + "\nvoid helper() {\n" + "Foo.twice(1);\n" * count + "}")

    assert_grows_linearly(read, 30, 240)


def test_objects_that_make_themselves_end() -> None:
    loop = {"src/Loop.java": "class Loop { Loop a = new Loop(); Loop b = new Loop(); int f() { return 1; } }"}
    test = {"LoopTest.java": J5 + "class LoopTest { @Test void it() { new Loop().f(); } }"}
    found = pins_of(loop | test, "LoopTest.java", source=loop)
    assert found.pins == ()


def test_missing_file() -> None:
    found = pins_of(SOURCES, "Nowhere.java", source=SOURCES)
    assert [one.reason for one in found.not_checked] == ["missing_file"]


def test_a_call_that_a_library_makes_is_placed_at_the_test() -> None:
    files = {
        "R.java": """class R { int a; R(int a) { this.a = a; }
  public boolean equals(Object o) { return ((R) o).a == a; }
}
""",
        "RTest.java": """import static org.assertj.core.api.Assertions.assertThat;
import org.junit.jupiter.api.Test;
class RTest {
  @Test void same() { assertThat(new R(1)).isEqualTo(new R(1)); }
}
""",
    }
    found = pins_from_java(JavaProject(files.get, files), "RTest.java", frozenset({"R.equals(Object)"}))
    assert [(pin.origin.file, pin.origin.line) for pin in found.pins] == [("RTest.java", 4)]
