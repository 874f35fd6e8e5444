"""Which test made a call, and whether it passed: stacks and reports as gdb, the JVM and the frameworks give them.

The stacks were taken from gdb 13 and Java 17, the reports from cmocka 1.1.5, GoogleTest 1.12, Criterion 2.4, ctest 3.25
and Surefire 3.5 (JUnit 5.11); ``tests/integration/test_record_command.py`` makes new ones.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from clausefit.hook.config import Config
from clausefit.hook.contracts.model import Contract
from clausefit.hook.pins.junit_xml import PassedTests, passed_tests
from clausefit.hook.pins.values import Failed, Integer, Origin, Pin, Returned
from clausefit.hook.record.attribution import MakingTest, making_test
from clausefit.hook.record.fate import Fates, ctest_programs, ctest_runs
from clausefit.hook.record.joining import joined
from clausefit.hook.record.settings import RecordSettings
from clausefit.hook.record.test_files import TestFiles
from clausefit.hook.record.watched import Frame, RecordedCall, WatchedFunction

CHECK = "START_TEST(adds_one) { f(1); } END_TEST\nstatic void before(void) { f(5); }\n"
CRITERION = """
static void before(void) { f(5); }
TestSuite(bank, .init = before);
Test(bank, adds_one) { f(1); }
ParameterizedTest(int *p, bank, several) { f(*p); }
Theory((int a, int b), bank, commutes) { f(a + b); }
"""
GTEST = """
TEST(Bank, AddsOne) {}
TEST_F(BankTest, Adds) {}
TEST_P(P, Adds) {}
TYPED_TEST(Typed, Adds) {}
TEST(Odd_Suite, With_Lines) {}
"""
TEXTS = {
    "tests/test_cmocka.c": "int main(void) {}",
    "tests/test_check.c": CHECK,
    "tests/test_criterion.c": CRITERION,
    "tests/test_gtest.cc": GTEST,
    "tests/test_plain.c": "",
    "src/f.c": "",
    "src/main.c": "",
    "src/main/java/p/F.java": "class F {}",
    "src/test/java/p/FooTest.java": "class FooTest extends Base {} class Base {}",
    "src/test/java/p/LogRule.java": "class LogRule {}",
    "src/test/kotlin/p/KtTest.kt": "class KtTest",
}
FILES = TestFiles(("/w", "/real/w"), TEXTS, Config().is_test, TEXTS.__getitem__)
CMOCKA = [("", "_cmocka_run_group_tests", 0), ("/w/tests/test_cmocka.c", "main", 13)]
RUN = "void testing::internal::HandleExceptionsInMethodIfSupported<testing::Test, void>(testing::Test*, char const*)"
GTEST_RUN = [("", RUN, 0), ("", "testing::Test::Run()", 0), ("", "testing::UnitTest::Run()", 0), ("", "main", 0)]
INVOKE = [
    ("jdk.internal.reflect.NativeMethodAccessorImpl", "invoke0", -1),
    ("java.lang.reflect.Method", "invoke", 569),
    ("org.junit.platform.commons.util.ReflectionUtils", "invokeMethod", 767),
]
Stack = list[tuple[str, str, int]]


def pin(function: str, outcome: Returned | Failed | None = None) -> Pin:
    argument = Integer(1, "int", 32, True)
    return Pin(function, (("x", argument),), (), outcome or Returned(argument, ()), Origin("recorded", "", "", 0))


def call(stack: Stack, function: str = "f", program: str = "/w/build/t", outcome: Failed | None = None) -> RecordedCall:
    is_java = function.endswith(")")
    file = "src/main/java/p/F.java" if is_java else "src/f.c"
    contract = Contract("java" if is_java else "c", file, function, 1, "int", (), ())
    watched = WatchedFunction(file, function, contract)
    return RecordedCall(watched, pin(function, outcome), tuple(Frame(*one) for one in stack), program, True, 0)


@pytest.mark.parametrize(
    ("stack", "test", "file", "line"),
    [
        pytest.param(
            [("/w/tests/test_cmocka.c", "helper", 6), ("/w/tests/test_cmocka.c", "adds_one", 8), *CMOCKA],
            *("adds_one", "tests/test_cmocka.c", 8),
            id="cmocka-through-a-helper",
        ),
        pytest.param(
            [("/w/tests/test_cmocka.c", "setup", 7), *CMOCKA],
            *("setup", "tests/test_cmocka.c", 7),
            id="cmocka-fixture",
        ),
        pytest.param(
            [
                ("/w/tests/test_cmocka.c", "adds_one", 8),
                ("", "_cmocka_run_group_tests", 0),
                ("/w/tests/test_cmocka.c", "run_bank", 20),
                ("/w/tests/test_cmocka.c", "main", 30),
            ],
            *("adds_one", "tests/test_cmocka.c", 8),
            id="cmocka-run-by-a-function-of-the-test-file",
        ),
        pytest.param(
            [
                ("/w/tests/test_check.c", "adds_one_fn", 1),
                ("", "srunner_run_tagged", 0),
                ("/w/tests/test_check.c", "main", 9),
            ],
            *("adds_one", "tests/test_check.c", 1),
            id="check",
        ),
        pytest.param(
            [("/w/tests/test_check.c", "before", 2), ("", "srunner_run_setup", 0), ("", "srunner_run_tagged", 0)],
            *("before", "tests/test_check.c", 2),
            id="check-fixture",
        ),
        pytest.param(
            [
                ("/w/tests/test_criterion.c", "bank_adds_one_impl", 4),
                ("/w/tests/test_criterion.c", "bank_adds_one_jmp", 4),
            ],
            *("bank.adds_one", "tests/test_criterion.c", 4),
            id="criterion",
        ),
        pytest.param(
            [
                ("/w/tests/test_criterion.c", "before", 2),
                ("", "criterion_internal_test_setup", 0),
                ("/w/tests/test_criterion.c", "bank_adds_one_jmp", 4),
            ],
            *("bank.adds_one", "tests/test_criterion.c", 4),
            id="criterion-fixture-of-a-known-test",
        ),
        pytest.param(
            [("/w/tests/test_criterion.c", "bank_several_impl", 5)],
            *("bank.several", "tests/test_criterion.c", 5),
            id="criterion-parameterized",
        ),
        pytest.param(
            [("/w/tests/test_criterion.c", "bank_commutes_impl", 6)],
            *("bank.commutes", "tests/test_criterion.c", 6),
            id="criterion-theory",
        ),
        pytest.param(
            [("/w/tests/test_gtest.cc", "Bank_AddsOne_Test::TestBody", 4), *GTEST_RUN],
            *("Bank.AddsOne", "tests/test_gtest.cc", 4),
            id="gtest",
        ),
        pytest.param(
            [
                ("/w/tests/test_gtest.cc", "operator()", 5),
                ("/w/tests/test_gtest.cc", "Bank_AddsOne_Test::TestBody", 4),
                *GTEST_RUN,
            ],
            *("Bank.AddsOne", "tests/test_gtest.cc", 4),
            id="gtest-lambda",
        ),
        pytest.param(
            [
                ("/w/tests/test_gtest.cc", "operator()", 5),
                (
                    "/usr/include/c++/12/bits/invoke.h",
                    "std::__invoke<Bank_AddsOne_Test::TestBody()::<lambda()> >(struct {...} &&)",
                    96,
                ),
                ("./nptl/pthread_create.c", "start_thread", 442),
            ],
            *("Bank.AddsOne", "tests/test_gtest.cc", 5),
            id="gtest-thread",
        ),
        pytest.param(
            [("/w/tests/test_gtest.cc", "Typed_Adds_Test<long>::TestBody", 14), *GTEST_RUN],
            *("Typed.Adds", "tests/test_gtest.cc", 14),
            id="gtest-typed",
        ),
        pytest.param(
            [("/w/tests/test_gtest.cc", "gtest_suite_Regs_::Adds<int>::TestBody", 15), *GTEST_RUN],
            *("Regs.Adds", "tests/test_gtest.cc", 15),
            id="gtest-registered-type",
        ),
        pytest.param(
            [("/w/tests/test_gtest.cc", "(anonymous namespace)::Hidden_Adds_Test::TestBody", 15), *GTEST_RUN],
            *("Hidden.Adds", "tests/test_gtest.cc", 15),
            id="gtest-in-a-namespace-by-the-form-of-the-name",
        ),
        pytest.param(
            [("/w/tests/test_gtest.cc", "Odd_Suite_With_Lines_Test::TestBody", 6), *GTEST_RUN],
            *("Odd_Suite.With_Lines", "tests/test_gtest.cc", 6),
            id="gtest-underscores-by-the-macro",
        ),
        pytest.param(
            [("/w/tests/test_gtest.cc", "BankTest::SetUp", 6), *GTEST_RUN],
            *("BankTest::SetUp", "tests/test_gtest.cc", 6),
            id="gtest-fixture",
        ),
        pytest.param(
            [
                ("/w/tests/test_plain.c", "adds", 6),
                ("/w/tests/test_plain.c", "run", 9),
                ("/w/tests/test_plain.c", "main", 13),
            ],
            *("run", "tests/test_plain.c", 9),
            id="plain-what-main-calls-is-the-test",
        ),
        pytest.param(
            [("/w/tests/test_plain.c", "main", 13)], *("main", "tests/test_plain.c", 13), id="plain-main-itself"
        ),
        pytest.param(
            [("/w/src/f.c", "outer", 3), ("/w/src/main.c", "main", 8)],
            *("main", "src/main.c", 8),
            id="the-program-itself",
        ),
        pytest.param([("", "start", 0)], *("t", "src/f.c", 0), id="nothing-known-the-program-s-name"),
        pytest.param([], *("t", "src/f.c", 0), id="no-frame"),
    ],
)
def test_the_test_in_c(stack: Stack, test: str, file: str, line: int) -> None:
    assert making_test(call(stack), FILES).origin == Origin("recorded", test, file, line)


@pytest.mark.parametrize(
    ("stack", "test", "line"),
    [
        pytest.param([("p.FooTest", "adds", 11), *INVOKE], "FooTest.adds", 11, id="method"),
        pytest.param(
            [("p.FooTest", "lambda$throwing$0", 18), ("p.FooTest", "throwing", 17), *INVOKE],
            *("FooTest.throwing", 17),
            id="lambda-that-the-test-calls",
        ),
        pytest.param(
            [("p.FooTest", "lambda$threaded$3", 20), ("java.lang.Thread", "run", 840)],
            *("FooTest.threaded", 20),
            id="lambda-in-a-thread",
        ),
        pytest.param([("p.FooTest", "lambda$dynamic$1", 19)], "FooTest.dynamic", 19, id="dynamic-test"),
        pytest.param(
            [("p.FooTest$1", "run", 21), ("p.FooTest", "anonymous", 22), *INVOKE],
            *("FooTest.anonymous", 22),
            id="anonymous-class",
        ),
        pytest.param([("p.FooTest$Inner$Deep", "deep", 22), *INVOKE], "FooTest$Inner$Deep.deep", 22, id="nested"),
        pytest.param([("p.FooTest", "setUp", 10), *INVOKE], "FooTest.setUp", 10, id="fixture"),
        pytest.param([("p.FooTest", "<init>", 9)], "FooTest.<init>", 9, id="field-of-the-test-class"),
        pytest.param(
            [("p.Base", "inherited", 24), *INVOKE], "Base.inherited", 24, id="class-in-a-file-of-another-name"
        ),
        pytest.param(
            [("p.FooTest", "adds", 11), *INVOKE, ("p.LogRule", "evaluate", 5), *INVOKE, ("p.LogRule", "main", 3)],
            *("LogRule.evaluate", 5),
            id="a-rule-around-it-without-a-report",
        ),
        pytest.param(
            [("p.F", "g", 4), ("p.FooTest", "adds", 11), ("p.FooTest", "main", 3)],
            *("FooTest.adds", 11),
            id="run-by-its-own-main",
        ),
        pytest.param([("p.FooTest", "main", 3)], "FooTest.main", 3, id="main-itself"),
    ],
)
def test_the_test_in_java(stack: Stack, test: str, line: int) -> None:
    file = "src/test/java/p/LogRule.java" if test.startswith("Log") else "src/test/java/p/FooTest.java"
    assert making_test(call(stack, "F.f(int)"), FILES).origin == Origin("recorded", test, file, line)


def test_a_reported_test_is_preferred_to_what_is_around_it() -> None:
    stack = [("p.FooTest", "adds", 11), *INVOKE, ("p.LogRule", "evaluate", 5), *INVOKE]
    found = making_test(call(stack, "F.f(int)"), FILES, frozenset({"p.FooTest.adds"}))
    assert found.origin.test == "FooTest.adds"


def test_a_reported_class_is_a_test_wherever_it_lies() -> None:
    stack = [("p.KtTest", "adds", 3), *INVOKE]
    assert not making_test(call(stack, "F.f(int)"), FILES).in_test_file
    found = making_test(call(stack, "F.f(int)"), FILES, frozenset({"p.KtTest.adds"}))
    assert (found.origin.test, found.origin.file) == ("KtTest.adds", "src/test/kotlin/p/KtTest.kt")


@pytest.mark.parametrize(
    ("scope", "file"),
    [
        pytest.param("/w/tests/test_plain.c", "tests/test_plain.c", id="absolute"),
        pytest.param("/real/w/src/../tests/test_plain.c", "tests/test_plain.c", id="through-a-link-and-dots"),
        pytest.param("tests/test_plain.c", "tests/test_plain.c", id="relative"),
        pytest.param("../tests/test_plain.c", "tests/test_plain.c", id="from-a-build-folder"),
        pytest.param("/usr/src/debug/x/tests/test_plain.c", "tests/test_plain.c", id="mapped"),
        pytest.param("/usr/include/test_plain.c", None, id="elsewhere"),
        pytest.param("/w/tests/gone.c", None, id="not-there"),
        pytest.param("test_plain.c", "tests/test_plain.c", id="compiled-in-its-folder"),
        pytest.param("../../../etc/passwd", None, id="hostile"),
        pytest.param("\0", None, id="odd"),
        pytest.param("", None, id="none"),
    ],
)
def test_the_file_of_debug_information(scope: str, file: str | None) -> None:
    assert FILES.c_file(scope) == file


def test_a_name_that_two_files_have_names_none() -> None:
    files = TestFiles(("/w",), ["a/test_x.c", "b/test_x.c"], Config().is_test, lambda _path: "")
    assert files.c_file("test_x.c") is None
    assert files.c_file("../b/test_x.c") == "b/test_x.c"


# ---- reports --------------------------------------------------------------------------------------------------------

SUREFIRE = """<testsuite name="p.FooTest" tests="15" errors="0" skipped="2" failures="1">
  <testcase name="inherited" classname="p.FooTest"/><testcase name="adds" classname="p.FooTest"/>
  <testcase name="aborted" classname="p.FooTest"><skipped type="org.opentest4j.TestAbortedException"/></testcase>
  <testcase name="again()[1]" classname="p.FooTest"/><testcase name="again()[2]" classname="p.FooTest"/>
  <testcase name="wrong" classname="p.FooTest"><failure message="x"/></testcase>
  <testcase name="several(int)[1]" classname="p.FooTest"/>
  <testcase name="several(int)[2]" classname="p.FooTest"><failure message="x"/></testcase>
  <testcase name="dynamic()[1]" classname="p.FooTest"/><testcase name="dynamic()[2]" classname="p.FooTest"/>
  <testcase name="flaky" classname="p.FooTest"><flakyFailure message="x"/></testcase>
  <testcase name="inside" classname="p.FooTest$Inner"/>
</testsuite>"""
NESTED = """<testsuite name="p.FooTest$Inner"><testcase name="wrong" classname="p.FooTest"><failure/></testcase>
  <testcase name="inside" classname="p.FooTest$Inner"/></testsuite>"""
GRADLE = """<testsuite name="p.FooTest" tests="3"><testcase name="adds two (numbers)" classname="p.FooTest"/>
  <testcase name="[1] 1" classname="p.FooTest"/><testcase name="other()" classname="p.FooTest"/></testsuite>"""
GRADLE_FAILING = GRADLE.replace(
    'name="[1] 1" classname="p.FooTest"/>', 'name="[1] 1" classname="p.FooTest"><failure/></testcase>'
)
XML_CMOCKA = """<testsuites><testsuite name="bank" tests="3" failures="1" errors="0" skipped="1" >
  <testcase name="adds_one" time="0.000" /><testcase name="skips" ><skipped/></testcase>
  <testcase name="is_wrong" ><failure><![CDATA[0x2 != 0x3]]></failure></testcase></testsuite></testsuites>"""
XML_GTEST = """<testsuites tests="10" failures="1" name="AllTests"><testsuite name="Bank" tests="2">
  <testcase name="AddsOne" status="run" result="completed" classname="Bank" />
  <testcase name="IsWrong" status="run" result="completed" classname="Bank"><failure message="x"/></testcase>
  </testsuite><testsuite name="BankTest"><testcase name="Adds" status="run" classname="BankTest" />
  </testsuite><testsuite name="Typed/0"><testcase name="Adds" type_param="int" status="run" classname="Typed/0" />
  </testsuite><testsuite name="Some/P"><testcase name="Adds/0" status="run" result="completed" classname="Some/P" />
  </testsuite></testsuites>"""
XML_CRITERION = """<testsuites name="Criterion Tests" tests="4" failures="1"><testsuite name="bank" tests="4">
  <testcase name="several" assertions="1" status="PASSED"/><testcase name="several" assertions="1" status="PASSED"/>
  <testcase name="adds_one" assertions="1" status="PASSED"/>
  <testcase name="is_wrong" assertions="1" status="FAILED"><failure type="assert"/></testcase>
  </testsuite></testsuites>"""
XML_CTEST = """<testsuite name="(empty)" tests="4" failures="1"><testcase name="bank" classname="bank" status="run"/>
  <testcase name="Some/P.Adds/1" classname="Some/P.Adds/1" status="run"/>
  <testcase name="Typed.Adds&lt;int&gt;" classname="Typed.Adds&lt;int&gt;" status="run"/>
  <testcase name="other" classname="other" status="fail"><failure message=""/></testcase></testsuite>"""
ALL_PASSED = '<testsuite name="(empty)"><testcase name="bank" classname="bank" status="run"/></testsuite>'
PROGRAMS = {"/w/build/t": frozenset({"bank"}), "/w/build/o": frozenset({"other", "bank"})}


def reports(tmp_path: Path, *texts: str) -> PassedTests:
    paths = [tmp_path / f"{number}.xml" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    found = passed_tests(paths)
    assert not found.errors
    return found


@pytest.mark.parametrize(
    ("report", "method", "class_name", "counts"),
    [
        pytest.param(SUREFIRE, "adds", "p.FooTest", True, id="passed"),
        pytest.param(SUREFIRE, "wrong", "p.FooTest", False, id="failed"),
        pytest.param(SUREFIRE, "aborted", "p.FooTest", False, id="aborted-by-an-assumption"),
        pytest.param(SUREFIRE, "again", "p.FooTest", True, id="repeated"),
        pytest.param(SUREFIRE, "several", "p.FooTest", False, id="one-of-several-rows-failed"),
        pytest.param(SUREFIRE, "dynamic", "p.FooTest", True, id="dynamic"),
        pytest.param(SUREFIRE, "flaky", "p.FooTest", False, id="passed-only-when-run-again"),
        pytest.param(SUREFIRE, "inside", "p.FooTest$Inner", True, id="nested"),
        pytest.param(SUREFIRE, "inherited", "p.Base", False, id="inherited-where-the-run-failed"),
        pytest.param(SUREFIRE, "setUp", "p.FooTest", False, id="fixture-of-a-class-with-a-failed-test"),
        pytest.param(SUREFIRE, "setUp", "p.FooTest$Inner", True, id="fixture-of-a-class-whose-tests-passed"),
        pytest.param(NESTED, "setUp", "p.FooTest$Inner", True, id="outer-cases-in-the-suite-of-a-nested-class"),
        pytest.param(NESTED, "setUp", "p.FooTest", False, id="a-failed-case-in-the-suite-of-a-nested-class"),
        pytest.param(SUREFIRE, "adds", "q.FooTest", False, id="class-of-this-name-in-another-package"),
        pytest.param(GRADLE, "adds", "p.FooTest", True, id="display-names-of-a-class-whose-tests-passed"),
        pytest.param(GRADLE, "other", "p.FooTest", True, id="gradle-s-parentheses"),
        pytest.param(GRADLE_FAILING, "adds", "p.FooTest", False, id="display-names-of-a-class-with-a-failed-test"),
        pytest.param(GRADLE_FAILING, "other", "p.FooTest", True, id="by-its-name-beside-a-failed-test"),
    ],
)
def test_java_tests_in_reports(report: str, method: str, class_name: str, counts: bool, tmp_path: Path) -> None:
    fates = Fates(1, reports(tmp_path, report))
    test = MakingTest(Origin("recorded", method, "x", 1), (f"{class_name}.{method}",), method, class_name)
    assert (fates.refusal(test, "M") is None) == counts


def test_an_inherited_test_counts_when_the_run_passed(tmp_path: Path) -> None:
    report = '<testsuite name="p.FooTest"><testcase name="inherited" classname="p.FooTest"/></testsuite>'
    test = MakingTest(Origin("recorded", "Base.inherited", "x", 1), ("p.Base.inherited",), "inherited", "p.Base")
    assert Fates(0, reports(tmp_path, report)).refusal(test, "M") is None
    assert Fates(1, reports(tmp_path, report)).refusal(test, "M") is not None


@pytest.mark.parametrize(
    ("report", "test", "group", "program", "counts"),
    [
        pytest.param(XML_CMOCKA, "adds_one", "", "t", True, id="cmocka-passed"),
        pytest.param(XML_CMOCKA, "is_wrong", "", "t", False, id="cmocka-failed"),
        pytest.param(XML_CMOCKA, "skips", "", "t", False, id="cmocka-skipped"),
        pytest.param(XML_CMOCKA, "setup", "", "t", False, id="cmocka-fixture-beside-a-failed-test"),
        pytest.param(XML_GTEST, "Bank.AddsOne", "Bank", "t", True, id="gtest-passed"),
        pytest.param(XML_GTEST, "Bank.IsWrong", "Bank", "t", False, id="gtest-failed"),
        pytest.param(XML_GTEST, "BankTest::SetUp", "BankTest", "t", True, id="gtest-fixture-of-passed-tests"),
        pytest.param(XML_GTEST, "Bank::SetUp", "Bank", "t", False, id="gtest-fixture-beside-a-failed-test"),
        pytest.param(XML_GTEST, "Typed.Adds", "Typed", "t", True, id="gtest-typed"),
        pytest.param(XML_GTEST, "P.Adds", "P", "t", True, id="gtest-with-parameters"),
        pytest.param(XML_CRITERION, "bank.adds_one", "bank", "t", True, id="criterion-passed"),
        pytest.param(XML_CRITERION, "bank.is_wrong", "bank", "t", False, id="criterion-failed"),
        pytest.param(XML_CRITERION, "bank.several", "bank", "t", True, id="criterion-parameterized"),
        pytest.param(XML_CTEST, "adds_one", "", "/w/build/t", True, id="ctest-case-that-runs-the-program"),
        pytest.param(XML_CTEST, "adds_one", "", "/w/build/o", False, id="one-of-two-cases-of-the-program-failed"),
        pytest.param(XML_CTEST, "adds_one", "", "/w/build/x", False, id="ctest-does-not-know-the-program"),
        pytest.param(XML_CTEST, "P.Adds", "P", "/w/build/x", True, id="gtest-case-as-cmake-names-it"),
        pytest.param(XML_CTEST, "Typed.Adds", "Typed", "/w/build/x", True, id="typed-gtest-case-as-cmake-names-it"),
    ],
)
def test_c_tests_in_reports(report: str, test: str, group: str, program: str, counts: bool, tmp_path: Path) -> None:
    fates = Fates(8, reports(tmp_path, report), PROGRAMS)
    made = MakingTest(Origin("recorded", test, "x", 1), (test,), group=group, by_main=True)
    assert (fates.refusal(made, program) is None) == counts


@pytest.mark.parametrize(
    ("status", "test", "reason"),
    [
        pytest.param(0, MakingTest(Origin("recorded", "t", "x", 1)), None, id="all-passed"),
        pytest.param(1, MakingTest(Origin("recorded", "t", "x", 1)), "is in no test report", id="the-run-failed"),
        pytest.param(
            0, MakingTest(Origin("recorded", "t", "x", 1), in_test_file=False), "outside of any test", id="outside"
        ),
        pytest.param(
            0, MakingTest(Origin("recorded", "main", "x", 1), by_main=True, in_test_file=False), None, id="the-program"
        ),
    ],
)
def test_a_test_that_no_report_names(status: int, test: MakingTest, reason: str | None, tmp_path: Path) -> None:
    found = Fates(status, reports(tmp_path, ALL_PASSED)).refusal(test, "/p")
    assert found is None if reason is None else reason in (found or "")


@pytest.mark.parametrize(
    ("cases", "reason"),
    [
        pytest.param(
            '<testcase classname="p.ATest" name="adds"><failure/></testcase>',
            "the test report says that ATest.adds failed or was skipped",
            id="it-failed",
        ),
        pytest.param(
            '<testcase classname="p.ATest" name="adds"/>'
            '<testcase classname="p.ATest" name="adds(int)"><skipped/></testcase>',
            "the test report has several tests named ATest.adds, and not all of them passed",
            id="an-overload-was-skipped",
        ),
    ],
)
def test_why_a_reported_test_does_not_count(cases: str, reason: str, tmp_path: Path) -> None:
    test = MakingTest(Origin("recorded", "ATest.adds", "x", 1), ("p.ATest.adds",), "adds", "p.ATest")
    assert Fates(1, reports(tmp_path, f"<testsuite>{cases}</testsuite>")).refusal(test, "p") == reason


def test_without_reports_the_exit_status_decides() -> None:
    test = MakingTest(Origin("recorded", "t", "x", 1), in_test_file=False)
    assert Fates(0).refusal(test, "p") is None
    assert Fates(3).refusal(test, "p") == (
        "the command ended with status 3, and no test report says which tests passed"
    )


@pytest.mark.parametrize(
    ("kind", "counts"),
    [
        pytest.param("abort", True, id="abort"),
        pytest.param("signal", True, id="signal"),
        pytest.param("timeout", True, id="time-out"),
        pytest.param("exception", False, id="an-exception-may-be-what-failed-the-test"),
    ],
)
def test_a_call_that_died_counts_whatever_its_test_did(kind: str, counts: bool) -> None:
    died = call([("/w/tests/test_plain.c", "main", 13)], outcome=Failed(kind))
    found = joined([died], Fates(134), FILES, RecordSettings())
    assert [one.pin.origin.test for one in found.calls.get(("src/f.c", "f"), [])] == (["main"] if counts else [])
    assert sum(one.count for one in found.left_out) == (0 if counts else 1)


def test_programs_of_ctest() -> None:
    text = """subdirs("tests")
add_test(cmocka "/b/t cmocka")
add_test([=[with space]=] "/b/t")
 add_test("quoted \\"name\\"" "/b/t" "-x")
set_tests_properties(cmocka PROPERTIES  TIMEOUT "20")
add_test(script "sh" "-c" "./t_check")
#add_test(off "/b/off")
"""
    assert ctest_programs([text]) == {
        "/b/t cmocka": {"cmocka"},
        "/b/t": {"with space", 'quoted "name"'},
        "sh": {"script"},
    }


def test_runs_of_ctest() -> None:
    """What cannot be read for certain may be any run of its program."""
    text = r"""add_test(good "/b/two" "good")
add_test(bad "/b/two" "bad" "a b")
add_test(other "/b/two" "good")
add_test(none "/b/one")
add_test(odd "/b/odd" "x\"y\\\\")
add_test(line "/b/line" "a\nb")
add_test(plain "/b/line" "c")
add_test(bracket "/b/line" [==[c]==])
"""
    assert ctest_runs([text]) == {
        ("/b/two", ("good",)): {"good", "other"},
        ("/b/two", ("bad", "a b")): {"bad"},
        ("/b/one", ()): {"none"},
        ("/b/odd", ('x"y\\\\',)): {"odd"},
        ("/b/line", ("c",)): {"plain", "line", "bracket"},
    }


TWO = """<testsuite><testcase name="two_good" classname="two_good" status="run"/>
<testcase name="two_bad" classname="two_bad" status="fail"><failure message="x"/></testcase></testsuite>"""
MAY_BE = "the test report does not say that two_bad passed, which runs two, and the call may be of its run"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        pytest.param(("good",), None, id="the-run-that-passed"),
        pytest.param(("bad",), "the test report does not say that two_bad passed, which runs two", id="the-other-one"),
        pytest.param(None, MAY_BE, id="started-by-another-program"),
        pytest.param(("else",), MAY_BE, id="arguments-of-no-case"),
    ],
)
def test_two_cases_of_one_program(arguments: tuple[str, ...] | None, reason: str | None, tmp_path: Path) -> None:
    lists = ['add_test(two_good "/b/two" "good")\nadd_test(two_bad "/b/two" "bad")\n']
    fates = Fates(8, reports(tmp_path, TWO), ctest_programs(lists), ctest_runs(lists))
    made = MakingTest(Origin("recorded", "checks", "x", 1), ("checks",), by_main=True)
    assert fates.refusal(made, "/b/two", arguments) == reason
