"""What the real frameworks do and a test's text hides: tests that do not run, that must die, that skip, that share state.

What the frameworks do was observed with cmocka 1.1.5, Check 0.15.2, Criterion 2.4.1 and GoogleTest 1.12.1.
"""

# ruff: noqa: E501 -- tables of C text
from __future__ import annotations

from pathlib import Path

import pytest
from c_pin_text import pin_text
from clausefit.hook.compile_commands import settings_for
from clausefit.hook.pins.c_tests import pins_from_c
from clausefit.hook.pins.preprocess import Preprocessed, preprocess

HEADER = """int f(int a); float ff(int a); double g(double x); void crash(int a); int fail_code(int a);
_Noreturn void skip_all(const char *why); void leave(int code) __attribute__((noreturn));
[[noreturn]] void leave_too(int code);
"""
CMOCKA = "#include <stdarg.h>\n#include <stddef.h>\n#include <setjmp.h>\n#include <cmocka.h>\n"
CMOCKA_A = CMOCKA + "static void a(void **state) { assert_int_equal(f(2), 4); }\n"
RUN_A = "const struct CMUnitTest tests[] = { cmocka_unit_test(a) };"
CHECK = "#include <check.h>\n#include <signal.h>\n#include <stdlib.h>\n"
CHECK_A = CHECK + "START_TEST(a) { ck_assert_int_eq(f(2), 4); } END_TEST\n"
CRITERION = "#include <criterion/criterion.h>\n#include <signal.h>\n#include <stdlib.h>\n"
GTEST = "#include <gtest/gtest.h>\n#include <stdlib.h>\n#include <assert.h>\n"
FIXTURE = "#include <unity_fixture.h>\nTEST_GROUP(g);\nTEST(g, a) { TEST_ASSERT_EQUAL(4, f(2)); }\nTEST(g, b) { TEST_ASSERT_EQUAL(5, f(2)); }\n"
ASSERT = "#include <assert.h>\n#include <stdlib.h>\n"


def shown(
    folder: Path, text: str, name: str = "test.c", header: str = HEADER, functions: set[str] | None = None
) -> list[str]:
    (folder / "src.h").write_text(header)
    lines = text.split("\n")
    last = max(index for index, line in enumerate(lines) if line.startswith("#include"))
    lines.insert(last + 1, '#include "src.h"')
    (folder / name).write_text("\n".join(lines))
    made = preprocess(folder / name, folder, settings_for(folder / name, folder))
    assert isinstance(made, Preprocessed), made
    return [pin_text(pin) for pin in pins_from_c(made.text, made.file, functions).pins]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(CMOCKA_A + "int main(void) { " + RUN_A + " return cmocka_run_group_tests(tests, NULL, NULL); }",
                     ["f(a=2) -> 4"], id="cmocka: run"),
        pytest.param(CMOCKA_A + "int main(void) { static " + RUN_A + " return sizeof tests == 0; }",
                     [], id="cmocka: a list that nothing runs"),
        pytest.param(CMOCKA_A + "int main(void) { " + RUN_A + ' cmocka_set_skip_filter("a"); return cmocka_run_group_tests(tests, NULL, NULL); }',
                     [], id="cmocka: a filter leaves tests out"),
        pytest.param(CHECK_A + "static void add(TCase *tc) { tcase_add_test(tc, a); } int main(void) { add(tcase_create(\"t\")); return 0; }",
                     ["f(a=2) -> 4"], id="Check: registered by a function"),
        pytest.param(CHECK_A + "static void add(TCase *tc) { tcase_add_test(tc, a); } int main(void) { return 0; }",
                     [], id="Check: registered by a function that nothing calls"),
        pytest.param(CHECK_A + "int main(void) { tcase_add_test(tcase_create(\"t\"), a); srunner_run(0, NULL, NULL, CK_NORMAL); }",
                     ["f(a=2) -> 4"], id="Check: all suites are run"),
        pytest.param(CHECK_A + "int main(void) { tcase_add_test(tcase_create(\"t\"), a); srunner_run(0, \"s\", \"other\", CK_NORMAL); }",
                     [], id="Check: one suite is run"),
        pytest.param(FIXTURE + "TEST_GROUP_RUNNER(g) { RUN_TEST_CASE(g, a); }", ["f(a=2) -> 4"], id="Unity fixture: a test that its runner does not name"),
        pytest.param(FIXTURE, ["f(a=2) -> 4", "f(a=2) -> 5"], id="Unity fixture: the runner is in another file"),
        pytest.param(CRITERION + "TestSuite(s, .disabled = true);\nTest(s, a) { cr_assert_eq(f(2), 5); }\nTest(t, a) { cr_assert_eq(f(2), 4); }",
                     ["f(a=2) -> 4"], id="Criterion: disabled with its suite"),
        pytest.param(CRITERION + "TestSuite(s, .signal = SIGABRT);\nTest(s, a) { crash(1); }", [], id="Criterion: the suite ends otherwise"),
        pytest.param(CRITERION + "TestSuite(s);\nTest(s, a) { cr_assert_eq(f(2), 4); }", ["f(a=2) -> 4"], id="Criterion: a suite without settings"),
        pytest.param(CMOCKA_A + "int main(int argc, char **argv) { " + RUN_A + " return argc > 1 ? cmocka_run_group_tests(tests, NULL, NULL) : 0; }",
                     [], id="cmocka: a list that is run under a condition"),
        pytest.param(CHECK_A + "int main(int argc, char **argv) { TCase *tc = tcase_create(\"t\"); if (argc > 1) tcase_add_test(tc, a); return 0; }",
                     [], id="Check: registered under a condition"),
        pytest.param(FIXTURE + "TEST_GROUP_RUNNER(g) { RUN_TEST_CASE(g, a); if (getenv(\"SLOW\")) { RUN_TEST_CASE(g, b); } }",
                     ["f(a=2) -> 4"], id="Unity fixture: a test that is run under a condition"),
        pytest.param(CRITERION + "static void no(void) { cr_skip_test(\"no\"); }\nTestSuite(s, .init = no);\nTest(s, a) { cr_assert_eq(f(2), 5); }\nTest(t, a, .init = no) { cr_assert_eq(f(2), 5); }\nTest(u, a) { cr_assert_eq(f(2), 4); }",
                     ["f(a=2) -> 4"], id="Criterion: skipped by a fixture"),
        pytest.param(ASSERT + 'int main(void) { skip_all("no"); assert(f(2) == 4); }', [], id="_Noreturn ends the test"),
        pytest.param(ASSERT + "int main(void) { leave(0); assert(f(2) == 4); }", [], id="__attribute__((noreturn)) ends the test"),
        pytest.param(ASSERT + "int main(void) { leave_too(0); assert(f(2) == 4); }", [], id="[[noreturn]] ends the test"),
        pytest.param(ASSERT + 'int main(void) { if (f(1)) skip_all("no"); assert(f(2) == 4); }', ["f(a=1) -> ?"], id="it may have been skipped"),
        pytest.param(ASSERT + "int main(void) { if (f(1) != 1) exit(77); assert(f(2) == 4); }", ["f(a=1) -> ?"], id="77 is no failure but a skipped test"),
        pytest.param(ASSERT + "static int seen; static void fail(const char *m) { seen = 3; }\nint main(void) { if (f(1) == 1) fail(\"x\"); assert(f(2) == 4); }",
                     ["f(a=1) -> ?", "f(a=2) -> 4"], id="the test's own fail() comes back"),
    ],
)  # fmt: skip
def test_tests_that_may_not_run(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert shown(tmp_path, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param('EXPECT_DEATH(crash(1 + 1), "");', ["crash(a=2) !abort"], id="one call"),
        pytest.param('EXPECT_DEATH((void)f(2), "");', ["f(a=2) !abort"], id="its result is not used"),
        pytest.param('int n = 2; EXPECT_DEATH({ n = f(n); }, "");', ["f(a=2) !abort"], id="in braces"),
        pytest.param('int t[] = {2}; EXPECT_DEATH(f(t[0]), "");', ["f(a=2) !abort"], id="an argument that is known was read without harm"),
        pytest.param('EXPECT_DEATH(assert(f(2) == 5), "");', [], id="the assertion may fail"),
        pytest.param('EXPECT_DEATH(if (f(2) != 5) abort(), "");', [], id="abort() under a condition"),
        pytest.param('EXPECT_DEATH(*(volatile int *)nullptr = f(3), "");', [], id="a store may fail"),
        pytest.param('int z = 0; EXPECT_DEATH(z = f(2) / z, "");', [], id="a division may fail"),
        pytest.param('int *p = nullptr; EXPECT_DEATH(p[0] = f(2), "");', [], id="a subscript may fail"),
        pytest.param("EXPECT_ANY_THROW(f(2));", [], id="a call that throws does not come back"),
        pytest.param("EXPECT_NO_THROW(f(2));", ["f(a=2) -> ?"], id="a call that does not throw"),
    ],
)  # fmt: skip
def test_expected_deaths(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert (
        shown(tmp_path, f"{GTEST}TEST(A, B) {{ {text} }}", "test.cc", "int f(int a); void crash(int a);\n") == expected
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("crash(-1);", ["crash(a=-1) !abort"], id="one call"),
        pytest.param("int n = 1; crash(n);", ["crash(a=1) !abort"], id="after a declaration"),
        pytest.param("int r = f(2); abort();", [], id="the test aborts by itself"),
        pytest.param("int *p = 0; *p = f(3);", [], id="a null pointer of the test"),
        pytest.param("ck_assert_int_eq(f(2), 4); crash(1);", [], id="two calls"),
    ],
)  # fmt: skip
def test_tests_that_end_by_a_signal(tmp_path: Path, body: str, expected: list[str]) -> None:
    add = 'int main(void) { tcase_add_test_raise_signal(tcase_create("t"), a, SIGABRT); }'
    assert shown(tmp_path, f"{CHECK}START_TEST(a) {{ {body} }} END_TEST\n{add}") == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        pytest.param("test.cc", GTEST + "static int n = 1;\nstatic int m = 3;\nclass F : public ::testing::Test { void SetUp() override { n = 5; } };\nTEST_F(F, A) { EXPECT_EQ(f(n), 25); EXPECT_EQ(f(m), 9); }",
                     ["f(a=3) -> 9"], id="a fixture that is not parsed changes a variable"),
        pytest.param("test.cc", GTEST + "static int n = 1;\nstatic int &r() { return n; }\nTEST(A, B) { EXPECT_EQ(f(1), 1); n = 2; r() = 4; EXPECT_EQ(f(n), 16); }",
                     ["f(a=1) -> 1"], id="a function that is not parsed changes a variable"),
        pytest.param("test.cc", GTEST + "class F : public ::testing::Test { protected: int level; };\nTEST_F(F, A) { level = 5; EXPECT_EQ(f(level), 25); EXPECT_EQ(f(2), 4); }",
                     ["f(a=2) -> 4"], id="a fixture's variable hides the program's"),
        pytest.param("test.cc", GTEST + "class F : public ::testing::Test { protected: int f(int a) { return 5; } };\nTEST_F(F, A) { EXPECT_EQ(f(2), 5); EXPECT_EQ(g(1), 1.0); }",
                     ["g(x=1.0) -> 1.0"], id="a fixture's function hides the program's"),
        pytest.param("test.cc", GTEST + "class F : public ::testing::Test { void SetUp() override { GTEST_SKIP(); } };\nTEST_F(F, A) { EXPECT_EQ(f(2), 5); }\nTEST(B, A) { EXPECT_EQ(f(3), 9); }",
                     ["f(a=3) -> 9"], id="a fixture that is not parsed skips its tests"),
        pytest.param("test.cc", GTEST + "TEST(A, B) { EXPECT_EQ(f(2), 4); }\nint main(int c, char **v) { ::testing::InitGoogleTest(&c, v); GTEST_FLAG_SET(filter, \"-A.B\"); return RUN_ALL_TESTS(); }",
                     [], id="main, not parsed, leaves tests out"),
        pytest.param("test.cc", GTEST + "TEST(A, B) { EXPECT_EQ(f(sizeof('a')), 1); EXPECT_EQ(f(sizeof(1 == 2)), 1); EXPECT_EQ(f(sizeof(int)), 16); }",
                     ["f(a=4) -> 16"], id="sizes that differ in C++"),
        pytest.param("test.c", CMOCKA + "int __wrap_f(int a) { return mock_type(int); }\nstatic void a(void **s) { will_return(__wrap_f, 77); assert_int_equal(f(2), 77); assert_float_equal(g(1), 1, 0); }\nint main(void) { " + RUN_A + " return cmocka_run_group_tests(tests, 0, 0); }",
                     ["g(x=1.0) -> ?"], id="cmocka: the linker leads calls to a wrapper"),
        pytest.param("test.c", CMOCKA + "static void a(void **s) { assert_float_equal(ff(1), 1.0f, 0); }\nint main(void) { " + RUN_A + " return cmocka_run_group_tests(tests, 0, 0); }",
                     ["ff(a=1) -> ?"], id="cmocka: no epsilon still allows the next number"),
        pytest.param("test.c", CMOCKA + "static int n;\nstatic void a(void **s) { n = 1; int *p = *s; *p = 3; assert_int_equal(f(n), 9); }\nint main(void) { const struct CMUnitTest tests[] = { cmocka_unit_test_prestate(a, &n) }; return cmocka_run_group_tests(tests, 0, 0); }",
                     [], id="cmocka: main hands a variable to the test"),
        pytest.param("test.c", CRITERION + "Test(a, b) { double x = 1; cr_assert_float_eq(g(x++), 1, 9); cr_assert_eq(f((int)x), 9); }",
                     ["g(x=1.0) -> ?", "g(x=2.0) -> ?", "f(a=3) -> 9"], id="Criterion evaluates twice"),
        pytest.param("test.c", CRITERION + "Test(a, b) { double x = 1; cr_assert_float_neq(g(x++), 8, 1); cr_assert_eq(f((int)x), 9); }",
                     [], id="Criterion evaluates once or twice"),
        pytest.param("test.c", CMOCKA + "void assert_reset(int *p);\nstatic void a(void **s) { int x = 2; assert_reset(&x); assert_int_equal(f(x), 49); assert_int_equal(f(3), 9); }\nint main(void) { " + RUN_A + " return cmocka_run_group_tests(tests, 0, 0); }",
                     ["f(a=3) -> 9"], id="cmocka: the project's own assert_ function"),
        pytest.param("test.c", "#include <unity.h>\nvoid test_a(void) { if (TEST_PROTECT()) { TEST_ASSERT_EQUAL(5, f(2)); } TEST_ASSERT_EQUAL(9, f(3)); }",
                     ["f(a=3) -> 9"], id="Unity: an assertion may fail where it is caught"),
        pytest.param("test.c", "#include <unity.h>\nvoid test_a(void) { TEST_ASSERT_EQUAL(4, f(2)); TEST_ABORT(); TEST_ASSERT_EQUAL(5, f(2)); }",
                     ["f(a=2) -> 4"], id="Unity: TEST_ABORT ends the test"),
        pytest.param("test.c", ASSERT + "int g(int a);\nint f(int a) __asm__(\"g\");\nint main(void) { assert(f(2) == 5); }", [], id="another name for the assembler"),
        pytest.param("test.c", ASSERT + "int own(int a) { return 5; }\nint f(int a) __attribute__((alias(\"own\")));\nint main(void) { assert(f(2) == 5); }", [], id="an alias of another function"),
        pytest.param("test.c", CRITERION + "Test(a, b) { double x = g(1); cr_assert_float_eq(x, 1, 0); }",
                     ["g(x=1.0) -> 1.0"], id="Criterion: no epsilon"),
        pytest.param("test.c", ASSERT + "static int n = 1, m = 2;\n__attribute__((constructor)) static void early(void) { n = 5; }\nint main(void) { assert(f(n) == 25); assert(f(m) == 4); }",
                     ["f(a=2) -> 4"], id="a constructor runs before main"),
    ],
)  # fmt: skip
def test_state_and_values(tmp_path: Path, name: str, text: str, expected: list[str]) -> None:
    header = "int f(int a); float ff(int a); double g(double x); extern int level;\n"
    assert shown(tmp_path, text, name, header, {"f", "ff", "g"}) == expected


def test_a_fake_that_is_not_parsed_still_is_what_calls_lead_to() -> None:
    text = '# 1 "test.cc"\nint f(int a) { return std::max(a, 1); }\nint main(void) { return f(2); }\n'
    found = pins_from_c(text, "test.cc")
    assert found.definitions == {"f": "test.cc", "main": "test.cc"}
    assert found.pins == ()
