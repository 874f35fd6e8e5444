"""``clausefit record`` on real projects: real gdb, real JVMs, the frameworks' own reports, and what can go wrong."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from clausefit.hook.pins.stored import StoredPin, from_yaml
from clausefit.hook.pins.values import Failed, Integer, Text, Unknown
from running import CLAUSEFIT, Command

F = r"""#include "f.h"
#include <stdlib.h>
#include <unistd.h>
/*@ requires x < 2147483647;
    assigns \nothing;
    ensures \result == x + 1; */
int f(int x) { if (x == 666) abort(); volatile int hangs = x == 777; while (hangs) ; return x + 1; }
/*@ assigns \nothing;
    ensures \result == 0; */
int never_called(int x) { return 0 * x; }
"""
F_H = """#ifdef __cplusplus
extern "C"
#endif
int f(int x);
"""
PLAIN = """#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include "f.h"
static void test_counts(int from) { for (int i = from; i < from + 3; i++) assert(f(i) == i + 1); }
int main(int argc, char **argv) {
  puts("hello");
  test_counts(argc > 1 ? atoi(argv[1]) : 0);
  return argc > 2 ? atoi(argv[2]) : 0;
}
"""
CMOCKA = """#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include "f.h"
static int helper(int x) { return f(x); }
static int setup(void **s) { (void)s; f(50); return 0; }
static void adds_one(void **s) { (void)s; for (int i = 0; i < 3; i++) assert_int_equal(helper(i), i + 1); }
static void is_wrong(void **s) { (void)s; assert_int_equal(f(10), 3); }
static void skips(void **s) { (void)s; f(20); skip(); }
int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(adds_one, setup), cmocka_unit_test(is_wrong), cmocka_unit_test(skips)};
  return cmocka_run_group_tests_name("bank", tests, NULL, NULL);
}
"""
CHECK = """#include <check.h>
#include "f.h"
static void before(void) { f(50); }
START_TEST(adds_one) { ck_assert_int_eq(f(1), 2); } END_TEST
START_TEST(adds_loop) { ck_assert_int_eq(f(_i + 10), _i + 11); } END_TEST
int main(void) {
  Suite *s = suite_create("bank"); TCase *t = tcase_create("core");
  tcase_add_checked_fixture(t, before, NULL);
  tcase_add_test(t, adds_one); tcase_add_loop_test(t, adds_loop, 0, 2);
  suite_add_tcase(s, t); SRunner *r = srunner_create(s);
  srunner_run_all(r, CK_NORMAL); int n = srunner_ntests_failed(r); srunner_free(r); return n != 0;
}
"""
CRITERION = """#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include "f.h"
Test(bank, adds_one) { cr_assert_eq(f(1), 2); }
Test(bank, is_wrong) { cr_assert_eq(f(10), 3); }
ParameterizedTestParameters(bank, several) { static int v[] = {20, 21}; return cr_make_param_array(int, v, 2); }
ParameterizedTest(int *p, bank, several) { cr_assert_eq(f(*p), *p + 1); }
"""
GTEST = """#include <gtest/gtest.h>
#include <thread>
#include "f.h"
TEST(Bank, AddsOne) {
  for (int i = 0; i < 2; i++) EXPECT_EQ(f(i), i + 1);
  auto g = [](int x) { return f(x); };
  EXPECT_EQ(g(4), 5);
  std::thread t([] { f(9); });
  t.join();
}
TEST(Bank, IsWrong) { EXPECT_EQ(f(10), 3); }
TEST(Bank, Skips) { f(11); GTEST_SKIP(); }
class BankTest : public ::testing::Test { protected: void SetUp() override { f(50); } };
TEST_F(BankTest, Adds) { EXPECT_EQ(f(20), 21); }
class P : public ::testing::TestWithParam<int> {};
TEST_P(P, Adds) { EXPECT_EQ(f(GetParam()), GetParam() + 1); }
INSTANTIATE_TEST_SUITE_P(Some, P, ::testing::Values(30, 31));
template <class T> class Typed : public ::testing::Test {};
using Types = ::testing::Types<int, long>;
TYPED_TEST_SUITE(Typed, Types);
TYPED_TEST(Typed, Adds) { EXPECT_EQ(f(TypeParam(40)), 41); }
"""
FRAMEWORKS = {
    "plain": (PLAIN, "test_plain.c", ()),
    "cmocka": (CMOCKA, "test_cmocka.c", ("-lcmocka",)),
    "check": (CHECK, "test_check.c", ("-lcheck", "-lsubunit", "-lm", "-lrt", "-lpthread")),
    "criterion": (CRITERION, "test_criterion.c", ("-lcriterion",)),
    "gtest": (GTEST, "test_gtest.cc", ("-lgtest", "-lgtest_main", "-lpthread")),
}


def build(project: Command, framework: str) -> str:
    """Build the tests of a framework; gives the program, to be run in the project's folder."""
    text, name, libraries = FRAMEWORKS[framework]
    for path, content in {"f.c": F, "f.h": F_H, name: text}.items():
        if not (project.folder / path).exists():  # else programs that are there would be older than it
            project.write(path, content)
    program = f"t_{framework}"
    compiler = "g++" if name.endswith(".cc") else "gcc"
    for argv in (["gcc", "-g", "-c", "f.c"], [compiler, "-g", name, "f.o", "-o", program, *libraries]):
        subprocess.run(argv, cwd=project.folder, check=True, capture_output=True)
    return f"./{program}"


def stored(project: Command, source: str = "f.c") -> tuple[StoredPin, ...]:
    path = project.folder / ".clausefit" / "pins" / f"{source}.yaml"
    return from_yaml(path.read_text("utf-8"), path.name)[1] if path.exists() else ()


def shown(pins: Sequence[StoredPin]) -> list[tuple[int, object, str]]:
    """(argument, result or kind of failure, test) of each call, sorted by the argument."""
    found = []
    for one in pins:
        given = one.pin.arguments[0][1]
        outcome = one.pin.outcome
        result = outcome.kind if isinstance(outcome, Failed) else outcome.result
        assert isinstance(given, Integer)
        found.append((given.value, result.value if isinstance(result, Integer) else result, one.pin.origin.test))
    return sorted(found, key=lambda one: one[0])


def adds(test: str, *arguments: int) -> list[tuple[int, object, str]]:
    return [(argument, argument + 1, test) for argument in arguments]


# ---- C frameworks ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("framework", "arguments", "variables", "report", "status", "calls"),
    [
        pytest.param("plain", [], {}, None, 0, adds("test_counts", 0, 1, 2), id="plain"),
        pytest.param(
            "cmocka",
            [],
            {"CMOCKA_MESSAGE_OUTPUT": "xml", "CMOCKA_XML_FILE": "cm_%g.xml"},
            "cm_*.xml",
            1,
            adds("adds_one", 0, 1, 2),
            id="cmocka",
        ),
        pytest.param(
            *("check", [], {}, None, 0, [*adds("adds_one", 1), *adds("adds_loop", 10, 11), *adds("before", 50)]),
            id="check",
        ),
        pytest.param(
            "criterion",
            ["--xml=report.xml"],
            {},
            "report.xml",
            1,
            [*adds("bank.adds_one", 1), *adds("bank.several", 20, 21)],
            id="criterion",
        ),
        pytest.param(
            "gtest",
            ["--gtest_output=xml:report.xml"],
            {},
            "report.xml",
            1,
            [
                *adds("Bank.AddsOne", 0, 1, 4, 9),
                *adds("BankTest.Adds", 20),
                *adds("P.Adds", 30, 31),
                *adds("Typed.Adds", 40),
                *adds("BankTest::SetUp", 50),
            ],
            id="gtest",
        ),
    ],
)
def test_calls_of_tests_that_passed(
    framework: str,
    arguments: list[str],
    variables: Mapping[str, str],
    report: str | None,
    status: int,
    calls: list[tuple[int, object, str]],
    project: Command,
) -> None:
    """Those that failed or were skipped call f with 10, 11 or 20."""
    program = build(project, framework)
    options = ["--junit", report] if report is not None else []
    ran = project.run("record", *options, "--", program, *arguments, env=variables)
    assert (ran.status, shown(stored(project))) == (status, calls), ran.err
    assert {one.pin.origin.file for one in stored(project)} == {FRAMEWORKS[framework][1]}


CMAKE = """cmake_minimum_required(VERSION 3.16)
project(bank C)
enable_testing()
add_subdirectory(tests)
"""
CMAKE_TESTS = """add_compile_options(-g)
add_executable(t_cmocka ../test_cmocka.c ../f.c)
target_link_libraries(t_cmocka cmocka)
add_executable(t_plain ../test_plain.c ../f.c)
add_test(NAME wrong COMMAND t_cmocka)
add_test(NAME right COMMAND t_plain 100)
add_test(NAME fails COMMAND t_plain 200 1)
"""


def test_a_program_counts_by_its_ctest_case(project: Command) -> None:
    """ctest's report knows programs with their arguments, not the tests in them."""
    files = {"CMakeLists.txt": CMAKE, "tests/CMakeLists.txt": CMAKE_TESTS, "f.c": F, "f.h": F_H}
    for path, text in {**files, "test_cmocka.c": CMOCKA, "test_plain.c": PLAIN}.items():
        project.write(path, text)
    for argv in (["cmake", "-S", ".", "-B", "build"], ["cmake", "--build", "build"]):
        subprocess.run(argv, cwd=project.folder, check=True, capture_output=True)
    ctest = ["ctest", "--test-dir", "build", "--output-junit", "report.xml"]
    ran = project.run("record", "--junit", "build/report.xml", "--", *ctest)
    assert shown(stored(project)) == adds("test_counts", 100, 101, 102), ran.err
    assert ran.status == 8
    assert "1/3 Test #1: wrong" in ran.out
    assert "left out: 3 calls of f: the test report does not say that fails passed, which runs t_plain\n" in ran.err


# ---- the command ----------------------------------------------------------------------------------------------------


def test_output_and_exit_status_are_the_command_s(project: Command) -> None:
    program = build(project, "plain")
    ran = project.run("record", "--", program, "0", "3")
    assert (ran.status, ran.out) == (3, "hello\n")
    assert "no test report says which tests passed" in ran.err
    assert not (project.folder / ".clausefit").exists() or not stored(project)


def test_what_it_says(project: Command) -> None:
    ran = project.run("record", "--", build(project, "plain"))
    assert ran.err.splitlines() == [
        "clausefit: stored 3 calls of 1 function in 1 file of .clausefit/pins (1 watched program)",
        "clausefit: no call was recorded of never_called (f.c:10): no watched program of this run calls it",
    ]


def test_the_commands_of_the_settings(project: Command) -> None:
    program = build(project, "plain")
    project.write(".clausefit.yaml", f"record:\n  - {program}\n  - [{program}, '10']\n")
    (project.folder / "sub").mkdir()
    ran = project.run("record", cwd=project.folder / "sub", env={"GIT_CEILING_DIRECTORIES": "/"})
    assert ran.status == 2  # outside of git the settings are those of the current folder
    ran = project.run("record")
    assert shown(stored(project)) == adds("test_counts", 0, 1, 2, 10, 11, 12), ran.err
    assert ran.out == "hello\nhello\n"


def test_the_second_command_is_not_run_when_the_first_one_failed(project: Command) -> None:
    program = build(project, "plain")
    project.write(".clausefit.yaml", f"record: ['{program} 0 4', '{program} 10']\n")
    ran = project.run("record")
    assert (ran.status, ran.out) == (4, "hello\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param([], "say what runs your tests", id="no-command"),
        pytest.param(["--", "no-such-command"], "no-such-command was not found", id="not-found"),
        pytest.param(["no-such-command"], "no-such-command was not found", id="without-dashes"),
        pytest.param(["--", "./f.c"], "cannot be run", id="not-executable"),
        pytest.param(["--junit", "a.xml", "b.xml"], "quote the pattern", id="a-pattern-that-the-shell-took"),
    ],
)
def test_where_nothing_can_be_run(arguments: list[str], says: str, project: Command) -> None:
    build(project, "plain")
    ran = project.run("record", *arguments)
    assert ran.status == 2
    assert says in ran.says_one_line()
    assert not stored(project)


def test_a_program_that_dies_of_a_signal(project: Command) -> None:
    """Its last call shows an input on which the function fails, though the test did not pass."""
    ran = project.run("record", "--", build(project, "plain"), "664")
    assert ran.status == 128 + signal.SIGABRT
    assert shown(stored(project)) == [(666, "abort", "test_counts")], ran.err


def test_a_call_that_does_not_return_is_given_up_when_the_settings_say(project: Command) -> None:
    """And not because the command as a whole was to end: that says nothing of the call."""
    project.write(".clausefit.yaml", "record:\n  limits: {call_seconds: 6}\n")
    ran = project.run("record", "--limit", "60", "--", build(project, "plain"), "775")
    assert shown(stored(project)) == [(777, "timeout", "test_counts")], ran.err
    assert ran.status == 128 + signal.SIGKILL


def test_a_call_that_hangs_until_the_limit_does_not_return(project: Command) -> None:
    ran = project.run("record", "--limit", "7", "--", build(project, "plain"), "775")
    assert shown(stored(project)) == [(777, "timeout", "test_counts")], ran.err
    assert ran.status == 124
    assert "had not come back after" in ran.err and "allow more time by --limit" in ran.err


def test_a_call_that_began_late_may_have_returned(project: Command) -> None:
    """Of a limit of seven seconds two are no hang."""
    program = build(project, "plain")
    ran = project.run("record", "--limit", "7", "--", "sh", "-c", f"sleep 4.6; exec {program} 775")
    assert ran.status == 124 and not stored(project)
    assert "left out: 1 call of f: --limit ended the command inside of it" in ran.err


def test_the_limit_ends_the_command(project: Command) -> None:
    program = build(project, "plain")
    ran = project.run("record", "--limit", "5", "--", "sh", "-c", f"{program}; sleep 99")
    assert (ran.status, ran.out) == (124, "hello\n")
    assert "ended after 5 s (--limit)" in ran.err
    assert not stored(project)


def test_functions_and_parameters_that_the_settings_exclude(project: Command) -> None:
    program = build(project, "plain")
    project.run("record", "--", program)
    assert any(isinstance(one.pin.arguments[0][1], Integer) for one in stored(project))
    project.write(".clausefit.yaml", "record:\n  exclude_parameters: [f.x]\n")
    ran = project.run("record", "--", program)
    assert "f.c: hid what is excluded in 3 stored calls by the settings" in ran.err
    assert [one.pin.arguments for one in stored(project)] and all(
        isinstance(one.pin.arguments[0][1], Unknown) for one in stored(project)
    )
    project.write(".clausefit.yaml", "record:\n  exclude: [f, never_called]\n")
    ran = project.run("record", "--", program)
    assert ran.status == 2
    assert ran.out == ""  # the command was not run
    assert "f.c: removed 2 stored calls of functions that are excluded" in ran.err
    assert "no function with a contract" in ran.err
    assert not stored(project)


def test_an_exclusion_that_nothing_is_called_is_said(project: Command) -> None:
    program = build(project, "plain")
    project.write(".clausefit.yaml", "record:\n  exclude_parameters:\n    - f.y\n")
    told = ".clausefit.yaml:3: record: exclude_parameters: no parameter or variable of a function with a contract is"
    assert told in project.run("record", "--", program).err
    assert told in project.run("check", "--all").err


def test_earlier_calls_stay_until_their_test_or_function_changes(project: Command) -> None:
    program = build(project, "plain")
    project.run("record", "--", program)
    first = stored(project)
    assert project.run("record", "--", program, "0", "1").status == 1
    assert stored(project) == first  # a run that failed changes nothing
    project.write("test_plain.c", PLAIN.replace("test_counts", "test_more"))
    subprocess.run(["gcc", "-g", "test_plain.c", "f.o", "-o", "t_plain"], cwd=project.folder, check=True)
    project.run("record", "--", program, "10")
    assert shown(stored(project)) == adds("test_more", 10, 11, 12)


def test_a_program_that_is_older_than_the_source_does_not_count(project: Command) -> None:
    program = build(project, "plain")
    project.write("f.c", F.replace("return x + 1;", "return x + 2;"))
    ran = project.run("record", "--", program)
    assert "left out: 3 calls of f: t_plain was built before f.c was last changed: build it" in ran.err
    assert (ran.status, stored(project)) == (0, ())


def test_two_runs_at_once_lose_nothing(project: Command) -> None:
    build(project, "plain")
    build(project, "check")
    both = [
        subprocess.Popen(
            [str(CLAUSEFIT), "record", "--", f"./t_{one}", *arguments],
            cwd=project.folder,
            env=project.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for one, arguments in (("plain", ["100"]), ("check", []))
    ]
    assert [process.wait(120) for process in both] == [0, 0]
    assert [argument for argument, _result, _test in shown(stored(project))] == [1, 10, 11, 50, 100, 101, 102]


def test_calls_that_cannot_be_written_are_told(project: Command) -> None:
    """The command removes the folder of pins and puts a file there."""
    program = build(project, "plain")
    script = f"{program}; rm -rf .clausefit; mkdir .clausefit; echo > .clausefit/pins"
    ran = project.run("record", "--", "sh", "-c", script)
    assert ran.status == 2
    assert ".clausefit/pins: it is a link or no folder" in ran.err
    ran = project.run("record", "--", program)
    assert (ran.status, ran.out) == (2, "")  # known before anything was run
    assert ".clausefit/pins" in ran.says_one_line()


@pytest.mark.parametrize("name", ["gdb"])
def test_without_the_debugger_nothing_is_run(name: str, project: Command, tmp_path: Path) -> None:
    program = build(project, "plain")
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in ("gcc", "git", "as", "ld"):
        found = shutil.which(tool)
        if found is not None:
            (tools / tool).symlink_to(found)
    ran = project.run("record", "--", program, env={"PATH": str(tools)})
    assert (ran.status, ran.out) == (2, "")
    assert f"C cannot be recorded: {name}" in ran.says_one_line()


@pytest.mark.parametrize(
    ("has_report", "calls"),
    [
        pytest.param(False, [], id="nothing-is-known-of-its-tests"),
        pytest.param(True, adds("test_counts", 0, 1, 2), id="a-report-says-that-the-test-had-passed"),
    ],
)
def test_an_interrupt(has_report: bool, calls: list[tuple[int, object, str]], project: Command) -> None:
    program = build(project, "plain")
    report = '<testsuite name="x"><testcase name="test_counts"/></testsuite>'
    write = f"echo '{report}' > report.xml; " if has_report else ""
    script = f"trap 'exit 130' INT; {program}; {write}echo READY; while :; do sleep 0.1; done"
    process = subprocess.Popen(
        [str(CLAUSEFIT), "record", "--junit", "report.xml", "--", "sh", "-c", script],
        cwd=project.folder,
        env=project.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    while process.stdout.readline() not in ("READY\n", ""):
        pass
    process.send_signal(signal.SIGINT)
    _out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert shown(stored(project)) == calls


# ---- Java -----------------------------------------------------------------------------------------------------------

CAP = """package p;
public class Cap {
    //@ ensures \\result == (x > 9 ? 9 : x);
    public static int cap(int x) { return x > 9 ? 9 : x; }
    //@ requires true;
    public static int boom(int x) { if (x < 0) { throw new IllegalArgumentException(); } return x; }
    //@ ensures true;
    public static boolean login(String name, String password) { return name.equals(password); }
}
"""
CAP_MAIN = """package p;
public class CapTest {
    static void counts() { for (int i = 8; i < 11; i++) { if (Cap.cap(i) != Math.min(i, 9)) { System.exit(1); } } }
    public static void main(String[] args) {
        counts();
        try { Cap.boom(-1); } catch (IllegalArgumentException expected) { System.out.println("thrown"); }
        Cap.login("ann", "hunter2");
        System.exit(args.length);
    }
}
"""
CAP_JUNIT = """package p;
import static org.junit.jupiter.api.Assertions.*;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
class CapTest extends Base {
    @Test void adds() { assertEquals(1, Cap.cap(1)); }
    @Test @DisplayName("named (oddly)") void named() { assertEquals(2, Cap.cap(2)); }
    @ParameterizedTest @ValueSource(ints = {3, 4}) void several(int x) { assertEquals(x, Cap.cap(x)); }
    @ParameterizedTest @ValueSource(ints = {3, 100}) void oneFails(int x) { assertEquals(x, Cap.cap(x)); }
    @RepeatedTest(2) void again() { assertEquals(5, Cap.cap(5)); }
    @Test void wrong() { assertEquals(3, Cap.cap(-6)); }
    @Test void aborted() { Cap.cap(-7); Assumptions.assumeTrue(false); }
    @TestFactory Stream<DynamicTest> dynamic() {
        return Stream.of(6, 7).map(n -> DynamicTest.dynamicTest("dyn " + n, () -> assertEquals(n, Cap.cap(n))));
    }
    @Test void threaded() throws Exception { Thread t = new Thread(() -> Cap.cap(8)); t.start(); t.join(); }
    @Nested class Inner { @BeforeEach void setUp() { Cap.cap(9); } @Test void inside() { Cap.cap(-1); } }
}
class Base { @BeforeEach void base() { Cap.cap(-20); } @Test void inherited() { Cap.cap(-21); } }
"""


def test_java_without_reports(project: Command) -> None:
    project.write("src/p/Cap.java", CAP)
    project.write("test/p/CapTest.java", CAP_MAIN)
    javac = ["javac", "-g", "-d", "out", "src/p/Cap.java", "test/p/CapTest.java"]
    subprocess.run(javac, cwd=project.folder, check=True)
    project.write(".clausefit.yaml", "record:\n  exclude_parameters: ['*.password']\n")
    ran = project.run("record", "--", "java", "-cp", "out", "p.CapTest")
    assert (ran.status, ran.out) == (0, "thrown\n"), ran.err
    pins = stored(project, "src/p/Cap.java")
    kinds = Counter(one.pin.function for one in pins)
    assert kinds == {"Cap.cap(int)": 3, "Cap.boom(int)": 1, "Cap.login(String, String)": 1}
    by_test = {one.pin.origin.test for one in pins}
    assert by_test == {"CapTest.counts", "CapTest.main"}
    boom = next(one.pin.outcome for one in pins if one.pin.function == "Cap.boom(int)")
    assert isinstance(boom, Failed) and boom.detail == "java.lang.IllegalArgumentException"
    login = next(one.pin for one in pins if "login" in one.pin.function)
    assert [type(value) for _name, value in login.arguments] == [Text, Unknown]
    assert "hunter2" not in (project.folder / ".clausefit/pins/src/p/Cap.java.yaml").read_text()
    assert project.run("record", "--", "java", "-cp", "out", "p.CapTest", "x").status == 1
    assert stored(project, "src/p/Cap.java") == pins
    project.write("src/p/Cap.java", CAP)
    ran = project.run("record", "--", "java", "-cp", "out", "p.CapTest")
    assert "its class was built before src/p/Cap.java was last changed" in ran.err


def test_surefire_with_tests_that_fail(project: Command) -> None:
    """Its reports are found where they always lie; what failed, was aborted or is not known does not count."""
    maven = shutil.which("mvn")
    if maven is None:
        pytest.skip("Maven is not installed")
    shutil.copy(Path(__file__).parents[2] / "examples" / "recorded-java" / "pom.xml", project.folder)
    project.write("src/main/java/p/Cap.java", CAP)
    project.write("src/test/java/p/CapTest.java", CAP_JUNIT)
    for offline in (["-o"], []):
        ran = project.run("record", "--", maven, "-q", "-B", *offline, "test", env={"HOME": os.environ["HOME"]})
        if "There are test failures" in ran.out or stored(project, "src/main/java/p/Cap.java"):
            break
    assert ran.status == 1
    found = {}
    for argument, result, test in shown(stored(project, "src/main/java/p/Cap.java")):
        assert result == argument
        found[argument] = test
    assert found == {
        -1: "CapTest$Inner.inside",
        1: "CapTest.adds",
        2: "CapTest.named",
        3: "CapTest.several",
        4: "CapTest.several",
        5: "CapTest.again",
        6: "CapTest.dynamic",
        7: "CapTest.dynamic",
        8: "CapTest.threaded",
        9: "CapTest$Inner.setUp",
    }, ran.err
