"""Real files through gcc: frameworks as they are written, vendored headers, limits, and what cannot be parsed."""

# ruff: noqa: E501 -- tables of C text
from __future__ import annotations

import random
from pathlib import Path

import pytest
from c_pin_text import pin_text, read
from clausefit.hook.compile_commands import CompilerSettings, settings_for
from clausefit.hook.pins.c_source import parse_unit
from clausefit.hook.pins.c_tests import TestPins, pins_from_c
from clausefit.hook.pins.preprocess import Preprocessed, PreprocessError, preprocess
from growth import assert_grows_linearly

HEADER = "int f(int a); void crash(int a); extern int level;\n"


def pins_of(folder: Path, text: str, name: str = "test.c", functions: set[str] | None = None, **files: str) -> TestPins:
    (folder / "src.h").write_text(HEADER)
    for path, content in files.items():
        target = folder / path.replace("__", "/").replace("_h", ".h").replace("_c", ".c")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)
    (folder / name).write_text(text)
    found = preprocess(folder / name, folder, settings_for(folder / name, folder))
    assert isinstance(found, Preprocessed), found
    return pins_from_c(found.text, found.file, functions)


def shown(found: TestPins) -> list[tuple[str, str]]:
    return [(pin.origin.test, pin_text(pin)) for pin in found.pins]


CMOCKA = """#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "src.h"
static void test_a(void **state) { (void)state; assert_int_equal(f(1), 2); }
static void test_off(void **state) { assert_int_equal(f(3), 4); }
static void test_dies(void **state) { expect_assert_failure(crash(5)); }
int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_a), cmocka_unit_test(test_dies) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
"""
CHECK = """#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include "src.h"
START_TEST(test_a) { ck_assert_int_eq(f(1), 2); } END_TEST
START_TEST(test_loop)
{
    ck_assert_int_eq(f(_i), 2);
}
END_TEST
START_TEST(test_dies) { crash(5); } END_TEST
int main(void) {
    Suite *s = suite_create("s"); TCase *tc = tcase_create("c");
    tcase_add_test(tc, test_a); tcase_add_loop_test(tc, test_loop, 0, 3);
    tcase_add_test_raise_signal(tc, test_dies, SIGSEGV);
    return 0;
}
"""
UNITY = """#include "unity.h"
#include "src.h"
static int shared;
void setUp(void) { shared = 7; }
void tearDown(void) {}
void test_a(void) { TEST_ASSERT_EQUAL_INT(2, f(1)); shared = 9; }
void test_b(void) { TEST_ASSERT_EQUAL_INT(2, f(shared)); }
int main(void) { UNITY_BEGIN(); RUN_TEST(test_a); RUN_TEST(test_b); return UNITY_END(); }
"""
CRITERION = """#include <criterion/criterion.h>
#include <signal.h>
#include "src.h"
Test(suite, a) { cr_assert_eq(f(1), 2); }
Test(suite, dies, .signal = SIGABRT) { crash(5); }
Test(suite, two, .signal = SIGABRT) { crash(5); crash(6); }
Test(suite, off, .disabled = true) { cr_assert_eq(f(3), 4); }
"""
GTEST = """#include <gtest/gtest.h>
extern "C" {
#include "src.h"
}
TEST(Suite, A) { EXPECT_EQ(f(1), 2); }
TEST(Suite, Dies) { EXPECT_DEATH(crash(5), "boom"); EXPECT_EQ(2, f(3)); }
TEST(Suite, Cpp) { auto x = std::vector<int>{1}; EXPECT_EQ(f(x[0]), 2); }
int main(int argc, char **argv) { ::testing::InitGoogleTest(&argc, argv); return RUN_ALL_TESTS(); }
"""


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        pytest.param("test.c", CMOCKA, [("test_a", "f(a=1) -> 2"), ("test_dies", "crash(a=5) !abort")], id="cmocka"),
        pytest.param("test.c", CHECK, [("test_a", "f(a=1) -> 2"), ("test_dies", "crash(a=5) !signal")], id="Check"),
        pytest.param("test.c", UNITY, [("test_a", "f(a=1) -> 2"), ("test_b", "f(a=7) -> 2")], id="Unity"),
        pytest.param("test.c", CRITERION, [("suite.a", "f(a=1) -> 2"), ("suite.dies", "crash(a=5) !abort")], id="Criterion"),
        pytest.param("test.cc", GTEST, [("Suite.A", "f(a=1) -> 2"), ("Suite.Dies", "f(a=3) -> 2"),
                                        ("Suite.Dies", "crash(a=5) !abort")], id="GoogleTest"),
    ],
)  # fmt: skip
def test_frameworks_as_written(tmp_path: Path, name: str, text: str, expected: list[tuple[str, str]]) -> None:
    assert shown(pins_of(tmp_path, text, name)) == expected


def test_what_a_cpp_test_cannot_say_in_c_is_named(tmp_path: Path) -> None:
    found = pins_of(tmp_path, GTEST, "test.cc")
    assert {item.function for item in found.not_checked} == {"cf_test__Suite__cf__Cpp", "main"}


def test_a_vendored_framework_is_read_through_our_header(tmp_path: Path) -> None:
    real = "#ifndef UNITY_FRAMEWORK_H\n#define UNITY_FRAMEWORK_H\n#define UNITY_BEGIN() broken(\n#define TEST_ASSERT_EQUAL(a, b) ((void)0)\n#endif\n"
    found = pins_of(tmp_path, UNITY.replace('"unity.h"', '"vendor/unity.h"'), vendor__unity_h=real)
    assert shown(found) == [("test_a", "f(a=1) -> 2"), ("test_b", "f(a=7) -> 2")]


def test_a_project_may_have_its_own_check_h(tmp_path: Path) -> None:
    text = '#include <assert.h>\n#include "check.h"\n#include "src.h"\nint main(void) { assert(f(LIMIT) == 2); }\n'
    found = pins_of(tmp_path, text, include__check_h="#define LIMIT 7\n")
    assert shown(found) == [("main", "f(a=7) -> 2")]


def test_ndebug_takes_assertions_away(tmp_path: Path) -> None:
    found = pins_of(
        tmp_path,
        '#define NDEBUG\n#include <assert.h>\n#include "src.h"\nint main(void) { int r = f(1); assert(r == 2); }\n',
    )
    assert shown(found) == [("main", "f(a=1) -> ?")]


def test_an_included_source_file_defines_the_program(tmp_path: Path) -> None:
    source = '#include "src.h"\nint level = 4; static int hidden = 2;\nint f(int a) { level += a; return hidden; }\n'
    text = '#include <assert.h>\n#include "src.c"\nint main(void) { assert(f(1) == 2); assert(level == 5); assert(hidden == 2); }\n'
    found = pins_of(tmp_path, text, src_c=source)
    assert shown(found) == [("main", "f(a=1) ::level=4 ::hidden=2 -> 2; ::level=5 ::hidden=2")]
    assert found.definitions == {"f": "src.c", "main": "test.c"}


def test_system_headers_are_read(tmp_path: Path) -> None:
    names = ("stdio", "string", "stdlib", "stdint", "limits", "math", "stdbool", "errno", "ctype", "inttypes", "float", "time",
             "unistd", "pthread", "signal", "wchar", "sys/types", "sys/stat", "assert", "setjmp", "stdarg", "complex")  # fmt: skip
    includes = "".join(f"#include <{name}.h>\n" for name in names)
    text = f'{includes}#include "src.h"\nint main(void) {{ uint16_t x = UINT16_MAX; assert(f(x) == INT_MIN); assert(f(true) == EOF); }}\n'
    found = pins_of(tmp_path, text)
    assert shown(found) == [("main", "f(a=65535) -> -2147483648"), ("main", "f(a=1) -> -1")]
    assert not found.not_checked


@pytest.mark.parametrize(
    ("text", "settings", "reason"),
    [
        pytest.param(
            '#include "/etc/hostname"\n', CompilerSettings(), "outside of the workspace", id="absolute include"
        ),
        pytest.param('#include "../secret.h"\n', CompilerSettings(), "outside of the workspace", id="include above"),
        pytest.param('#include "link.h"\n', CompilerSettings(), "outside of the workspace", id="symbolic link"),
        pytest.param('#include "none.h"\n', CompilerSettings(), "none.h", id="missing header"),
        pytest.param("int x;\n", CompilerSettings(other_sizes=("-m32",)), "-m32", id="other sizes"),
        pytest.param('#include "test.c"\n', CompilerSettings(), "preprocessing failed", id="endless include"),
    ],
)
def test_files_that_are_not_read(tmp_path: Path, text: str, settings: CompilerSettings, reason: str) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    (tmp_path / "secret.h").write_text("int secret;\n")
    (root / "link.h").symlink_to(tmp_path / "secret.h")
    (root / "test.c").write_text(text)
    found = preprocess(root / "test.c", root, settings)
    assert isinstance(found, PreprocessError)
    assert reason in found.reason
    assert "\n" not in found.reason


@pytest.mark.parametrize("name", ["n\n", "n\\n", "x\t\x1b", 'q"\r', "n\nx\n# 1 ", "n\x85"])
def test_no_name_hides_where_a_file_lies(tmp_path: Path, name: str) -> None:
    """gcc writes names with escapes; a folder called n, backslash, n must not be taken for one with a new line."""
    root = tmp_path / "ws"
    (root / name).mkdir(parents=True)
    (tmp_path / "secret.h").write_text("int secret;\n")
    (root / name / "out.h").symlink_to(tmp_path / "secret.h")
    (root / "test.c").write_text('#include "out.h"\n')
    found = preprocess(root / "test.c", root, CompilerSettings(include_dirs=(root / name,)))
    assert isinstance(found, PreprocessError)
    assert ("outside of the workspace" if "\\" in name else "control character") in found.reason
    assert found.reason.isprintable()


@pytest.mark.parametrize("name", ["a b", 'q"q', "n\\n", "ü"])
def test_odd_names_of_folders_are_kept(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "in.h").write_text("int inside;\n")
    (tmp_path / "test.c").write_text('#include "in.h"\n')
    found = preprocess(tmp_path / "test.c", tmp_path, CompilerSettings(include_dirs=(tmp_path / name,)))
    assert isinstance(found, Preprocessed) and "int inside;" in found.text
    assert f'"{name}/in.h"'.replace("\\", "\\\\").replace('q"q', 'q\\"q') in found.text


@pytest.mark.parametrize("line", ['#line 3 "a\\nb"', '#line 3 "\\1"', 'char *s = R"(\n# 1 "\x01"\n)";'])
def test_a_marker_that_cannot_be_read_is_one_of_a_file_outside(tmp_path: Path, line: str) -> None:
    (tmp_path / "test.c").write_text(f"{line}\nint x;\n")
    found = preprocess(tmp_path / "test.c", tmp_path, CompilerSettings())
    assert isinstance(found, PreprocessError) and "control character" in found.reason


def test_preprocessing_is_limited_in_size_and_time(tmp_path: Path) -> None:
    doubling = "".join(f"#define A{i} A{i - 1} A{i - 1}\n" for i in range(1, 40))
    (tmp_path / "test.c").write_text(f"#define A0 x x x x\n{doubling}int y = A39;\n")
    found = preprocess(tmp_path / "test.c", tmp_path, CompilerSettings(), timeout=3.0)
    assert isinstance(found, PreprocessError)


def test_a_function_that_cannot_be_parsed_is_dropped_alone() -> None:
    found = read("int f(int a);", "static void odd(void) {\n  int x = __builtin_types_compatible_p(int, long) @;\n}\n"
                 "@@ nonsense;\nint main(void) { assert(f(1) == 2); }")  # fmt: skip
    assert [pin_text(pin) for pin in found.pins] == ["f(a=1) -> 2"]
    assert [(item.function, item.line) for item in found.not_checked] == [("odd", 1), (None, 4)]
    assert all("could not be parsed" in item.detail for item in found.not_checked)


def test_a_broken_function_is_said_with_the_line_of_its_error() -> None:
    unit = parse_unit('# 1 "test.c"\nint f(int a);\nvoid test_f(void)\n{\n  f(1);\n  f(2;\n  f(3);\n}\n')
    assert [(item.function, item.file, item.line) for item in unit.not_checked] == [("test_f", "test.c", 5)]


def test_gnu_extensions_are_taken_out() -> None:
    text = (
        "__extension__ typedef struct __attribute__((unused)) { int x; } s __attribute__((aligned(8)));\n"
        'extern "C" { static __inline__ int g(void) __asm__("h");\nint f(int a) __attribute__((nonnull(1), pure)); }\n'
        'int main(void) { assert(f(1) == 2); __asm__ volatile ("nop" : : : "memory"); assert(f(2) == 3); }'
    )
    found = read("", text, functions={"f"})
    assert [pin_text(pin) for pin in found.pins] == ["f(a=1) -> 2"]
    assert "inline assembly" in found.not_checked[0].detail


def test_a_retyping_attribute_makes_the_name_unusable() -> None:
    found = read(
        "typedef int small __attribute__((mode(QI))); int f(small a);", "int main(void) { assert(f(300) == 1); }"
    )
    assert found.pins == ()


@pytest.mark.parametrize("seed", range(3))
def test_damaged_text_never_raises(seed: int) -> None:
    rng = random.Random(seed)
    text = (
        '# 1 "<clausefit>/assert.h" 1\n# 1 "test.c"\n' + CMOCKA[CMOCKA.index("static") :] + GTEST[GTEST.index("TEST") :]
    )
    pieces = ["{", "}", "(", ")", ";", '"', "'", "\\", "#", "*", "[", "]", ",", "=", "\0", "é", "int", "static", "0x", "1e999999999f",
              "__attribute__((", "extern \"C\" {", "asm(", "struct", "switch (1) { case", "/", "sizeof", "&", "\n# 5 \"x\n"]  # fmt: skip
    for _ in range(60):
        at_offset = rng.randrange(len(text))
        damaged = text[:at_offset] + rng.choice(pieces) * rng.choice((1, 1, 50)) + text[at_offset + rng.randrange(30) :]
        assert isinstance(pins_from_c(damaged, "test.c"), TestPins)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("int x = " + "(" * 3000 + "1" + ")" * 3000 + ";", id="parentheses"),
        pytest.param("int x = " + "-" * 1 + " - ".join(["1"] * 3000) + ";", id="long sum"),
        pytest.param("{" * 3000 + "}" * 3000, id="blocks"),
        pytest.param("if (1) " * 3000 + ";", id="ifs"),
        pytest.param("for (int i = 0; ; i++) f(i);", id="endless loop"),
        pytest.param(
            "for (int i = 0; i < 1000; i++) for (int j = 0; j < 1000; j++) for (int k = 0; k < 1000; k++) f(i);",
            id="loops",
        ),
        pytest.param("int a[100000000]; a[5] = 1; f(a[5]);", id="large array"),
        pytest.param("int a[4096]; for (int i = 0; i < 1000; i++) a[i] = f(i);", id="many writes"),
        pytest.param(
            "struct { int a[64][64]; } s = {0}; for (int i = 0; i < 500; i++) { h(&s); }", id="many large effects"
        ),
    ],
)
def test_heavy_tests_end_soon(body: str) -> None:
    found = read("int f(int a); int h(void *p);", f"int main(void) {{ assert(f(7) == 1); {body} }}")
    assert isinstance(found, TestPins)


def test_a_long_file_takes_linear_time() -> None:
    def work(count: int) -> None:
        functions = "\n".join(
            f"static void test_{i}(void)\n{{\n    int a = {i};\n    assert(f(a) == {i});\n}}" for i in range(count)
        )
        calls = "\n".join(f"    test_{i}();" for i in range(count))
        found = read("int f(int a);", f"{functions}\nint main(void)\n{{\n{calls}\n}}")
        assert len(found.pins) == count

    assert_grows_linearly(work, 200, 1600)


def test_lines_are_those_of_the_file() -> None:
    unit = parse_unit('# 1 "a.h" 1\nint a;\n# 7 "b.c" 2\nint b;\n\n#pragma once\nint c;\n')
    assert [unit.place(node) for node in unit.tree.ext] == [("a.h", 1), ("b.c", 7), ("b.c", 10)]
