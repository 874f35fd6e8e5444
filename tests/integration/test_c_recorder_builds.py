"""``clausefit record`` on C programs whose runs say less than they seem to: built otherwise, or failing unnoticed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest
from clausefit.hook.pins.stored import StoredPin, from_yaml
from clausefit.hook.pins.values import Failed, Integer
from running import Command, Ran

pytestmark = pytest.mark.skipif(not shutil.which("gdb") or not shutil.which("gcc"), reason="needs gdb and gcc")

SETTINGS = 'sources: ["src/*.c", "src/*.h"]\ntests: ["tests/*.c"]\n'
ABSOLUTE = """/*@ requires x > -100; assigns \\nothing; ensures \\result >= 0; */
int absolute(int x) { return x; }
"""
BAD_TEST = """#include <stdio.h>
int absolute(int);
static int test_absolute(void) { int bad = 0; for (int i = -2; i < 3; i++) bad += absolute(i) < 0; return bad; }
int main(void) { return test_absolute() != 0; }
"""


def build(project: Command, files: dict[str, str], flags: str = "-g -O0", compiler: str = "gcc") -> None:
    """Write files, and compile all sources and tests of them into ``./t``."""
    for path, text in {".clausefit.yaml": SETTINGS, **files}.items():
        project.write(path, text)
    _compile(project, flags, compiler)


def _compile(project: Command, flags: str, compiler: str) -> None:
    files = [str(path) for name in ("src", "tests") for path in sorted((project.folder / name).glob("*.c"))]
    argv = [compiler, *flags.split(), "-o", "t", *files, "-pthread", "-w"]
    subprocess.run(argv, cwd=project.folder, check=True, capture_output=True, timeout=120)


def stored(project: Command, source: str = "src/a.c") -> tuple[StoredPin, ...]:
    path = project.folder / ".clausefit" / "pins" / f"{source}.yaml"
    return from_yaml(path.read_text("utf-8"), path.name)[1] if path.exists() else ()


def calls(project: Command, function: str, source: str = "src/a.c") -> list[tuple[int, object]]:
    """(last argument, result or kind of failure) of each stored call of a function, sorted."""
    found: list[tuple[int, object]] = []
    for one in stored(project, source):
        if one.pin.function == function:
            given, outcome = one.pin.arguments[-1][1], one.pin.outcome
            assert isinstance(given, Integer)
            result = outcome.kind if isinstance(outcome, Failed) else outcome.result
            found.append((given.value, result.value if isinstance(result, Integer) else result))
    return sorted(found, key=lambda one: one[0])


def said(ran: Ran, *parts: str) -> bool:
    """Whether one line of stderr has all these parts."""
    return any(all(part in line for part in parts) for line in ran.err.splitlines())


# ---- a process that did not end well passed no test, whatever the command's status ----------------------------------

FORKS = """#include <assert.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int absolute(int);
static void test_negative(void) { assert(absolute(-3) == 3); }
static void test_status(void) { if (absolute(-4) != 4) exit(1); }
static void test_parent(void) { if (fork() == 0) { absolute(-5); _exit(0); } int st; wait(&st); _exit(9); }
static void test_positive(void) { assert(absolute(3) == 3); }
static int run(void (*t)(void)) { pid_t p = fork(); if (!p) { t(); _exit(0); } int st; waitpid(p, &st, 0); return st; }
int main(void) {
    if (run(test_positive)) return 1;
    return !(run(test_negative) && run(test_status) && run(test_parent));
}
"""


def test_a_test_that_is_expected_to_fail_in_a_child_did_not_pass(project: Command) -> None:
    build(project, {"src/a.c": ABSOLUTE, "tests/test_a.c": FORKS})
    ran = project.run("record", "--", "./t")
    assert (ran.status, calls(project, "absolute")) == (0, [(3, 3)]), ran.err
    assert said(ran, "absolute", "ended by a signal") and said(ran, "absolute", "ended with status 1"), ran.err


def test_a_script_that_goes_on_after_a_failing_program(project: Command) -> None:
    build(project, {"src/a.c": ABSOLUTE, "tests/test_a.c": BAD_TEST})
    project.write("run.sh", "if ./t; then echo PASS; else echo FAIL; fi\n")
    ran = project.run("record", "--", "sh", "run.sh")
    assert (ran.status, ran.out, calls(project, "absolute")) == (0, "FAIL\n", []), ran.err
    assert said(ran, "absolute", "its process ended with status 1, and no test report says by name"), ran.err


INVERTED = """cmake_minimum_required(VERSION 3.10)
project(x C)
set(CMAKE_BUILD_TYPE Debug)
enable_testing()
add_executable(t src/a.c tests/test_a.c)
add_test(NAME {name} COMMAND t)
set_tests_properties({name} PROPERTIES {property})
"""


@pytest.mark.parametrize("name", ["known_bug", "test_absolute"])
@pytest.mark.parametrize("with_report", [False, True], ids=["status", "report"])
@pytest.mark.parametrize("inverting", ["WILL_FAIL TRUE", 'PASS_REGULAR_EXPRESSION ""'], ids=["fails", "output"])
def test_a_ctest_case_that_passes_by_something_else_than_its_status(
    project: Command, name: str, with_report: bool, inverting: str
) -> None:
    files = {"src/a.c": ABSOLUTE, "tests/test_a.c": BAD_TEST, ".clausefit.yaml": SETTINGS}
    inverting = inverting.replace('""', '"^not"')
    files["CMakeLists.txt"] = INVERTED.format(name=name, property=inverting)
    files["tests/test_a.c"] = BAD_TEST.replace("return test", 'puts("not"); return test')
    for path, text in files.items():
        project.write(path, text)
    for argv in (["cmake", "-S", ".", "-B", "build"], ["cmake", "--build", "build"]):
        subprocess.run(argv, cwd=project.folder, check=True, capture_output=True, timeout=120)
    report = str(project.folder / "r.xml")
    options = ["--junit", "r.xml"] if with_report else []
    more = ["--output-junit", report] if with_report else []
    ran = project.run("record", *options, "--", "ctest", "--test-dir", "build", *more)
    assert (ran.status, calls(project, "absolute")) == (0, []), ran.err
    assert said(ran, "absolute", "its process ended with status 1"), ran.err


MANY = """#include <stdio.h>
#include <unistd.h>
int absolute(int);
static int test_absolute(void) { int bad = 0; for (int i = 0; i < 500; i++) bad += absolute(i) != i; return bad; }
int main(void) { int bad = test_absolute(); puts("done"); fflush(stdout); END }
"""


@pytest.mark.parametrize(
    ("end", "counts"),
    [
        pytest.param("return bad;", True, id="return"),
        pytest.param("_exit(bad);", True, id="_exit"),
        pytest.param("return 3;", False, id="fails"),
        pytest.param("_Exit(3);", False, id="_Exit fails"),
        pytest.param("kill(getpid(), 15); pause();", False, id="killed"),
    ],
)
def test_the_end_of_a_program_that_was_let_go_of_before(project: Command, end: str, counts: bool) -> None:
    """Of absolute enough was seen after a part of the loop, so gdb leaves."""
    text = "#include <signal.h>\n#include <stdlib.h>\n" + MANY.replace("END", end)
    build(project, {"src/a.c": ABSOLUTE, "tests/test_a.c": text})
    project.write("run.sh", "./t || true\n")
    ran = project.run("record", "--", "sh", "run.sh")
    assert (ran.status, ran.out.splitlines()[0], bool(calls(project, "absolute"))) == (0, "done", counts), ran.err


DEATH = """#include <gtest/gtest.h>
#include <cstdlib>
extern "C" int absolute(int);
TEST(Bank, Dies) { EXPECT_EQ(absolute(1), 1); EXPECT_DEATH({ absolute(2); abort(); }, ""); }
TEST(Bank, Wrong) { EXPECT_EQ(absolute(-7), 7); }
"""


def test_a_report_by_name_counts_also_for_death_tests_and_beside_tests_that_fail(project: Command) -> None:
    for path, text in {"src/a.c": ABSOLUTE, "tests/test_a.cc": DEATH}.items():
        project.write(path, text)
    project.write(".clausefit.yaml", SETTINGS.replace('"tests/*.c"', '"tests/*"'))
    for line in ("gcc -g -c src/a.c", "g++ -g -o t tests/test_a.cc a.o -lgtest -lgtest_main -pthread"):
        subprocess.run(line.split(), cwd=project.folder, check=True, capture_output=True, timeout=120)
    ran = project.run("record", "--junit", "r.xml", "--", "./t", "--gtest_output=xml:r.xml")
    assert (ran.status, calls(project, "absolute")) == (1, [(1, 1), (2, 2)]), ran.err


# ---- a failure in code of the tests says nothing of the call --------------------------------------------------------

FAILING = """#include <stdlib.h>
int hal(int reg);
/*@ requires 0 <= r < 16; assigns \\nothing; ensures \\result >= -1; */
int reg(int r) { if (r == 15) abort(); if (r == 14) return *(volatile int *)0; int v = hal(r); return v < 0 ? -1 : v; }
int panics(int r);
/*@ requires 0 <= p < 16; assigns \\nothing; ensures \\result >= 0; */
int project(int p) { return panics(p); }
/*@ requires n >= 0; assigns \\nothing; ensures \\result >= 0; */
int each(int (*f)(int), int n) { int s = 0; for (int i = 0; i < n; i++) s += f(i); return s; }
/*@ requires n >= 0; assigns \\nothing; ensures \\result == n; */
int slow(int n) { volatile int go = n > 2; while (go) ; return n; }
"""
PANICS = "#include <stdlib.h>\nint panics(int p) { if (p > 3) abort(); return p; }\n"
FAKES = """#include <stdlib.h>
int expected = 3;
int hal(int r) { if (r != expected) abort(); return r; }
int visit(int i) { return i ? *(volatile int *)0 : 1; }
"""
HARNESS = """#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static void on_alarm(int s) { (void)s; abort(); }
void timer(void) { signal(SIGALRM, on_alarm); ualarm(100000, 0); }
static pthread_t main_thread;
static void *dog(void *by) {
    usleep(100000);
    if (by) pthread_kill(main_thread, SIGABRT); kill(getpid(), SIGABRT); return 0;
}
void watchdog(int by) {
    static int yes; pthread_t t; main_thread = pthread_self(); pthread_create(&t, 0, dog, by ? &yes : 0);
}
"""
DYING = """#include <assert.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int reg(int); int project(int); int each(int (*)(int), int); int slow(int); int visit(int); int panics(int);
void timer(void); void watchdog(int);
static void in_child(int what) {
    if (fork() == 0) {
        if (what == 0) reg(5);
        if (what == 1) each(visit, 3);
        if (what == 2) { timer(); slow(4); }
        if (what == 3) { watchdog(0); slow(5); }
        if (what == 4) { watchdog(1); slow(6); }
        if (what == 5) reg(15);
        if (what == 6) reg(14);
        if (what == 7) project(4);
        if (what == 8) each(panics, 9);
        _exit(0);
    }
    int st; wait(&st); assert(WIFSIGNALED(st));
}
static void test_fine(void) { assert(reg(3) == 3 && slow(2) == 2 && each(visit, 1) == 1 && project(2) == 2); }
static void test_dies(void) { for (int i = 0; i < 9; i++) in_child(i); }
int main(void) { test_fine(); test_dies(); return 0; }
"""


@pytest.mark.parametrize("folder", ["tests", "fakes", "src/stubs"])
def test_a_failure_in_a_fake_a_callback_a_handler_or_by_a_watchdog_is_none_of_the_call(
    project: Command, folder: str
) -> None:
    files = {"src/a.c": FAILING, "src/p.c": PANICS, "tests/test_a.c": DYING, "tests/harness.c": HARNESS}
    for path, text in {".clausefit.yaml": 'tests: ["tests/*.c"]\n', f"{folder}/hal.c": FAKES, **files}.items():
        project.write(path, text)
    given = [*files, f"{folder}/hal.c"]
    subprocess.run(["gcc", "-g", "-w", "-pthread", "-o", "t", *given], cwd=project.folder, check=True, timeout=120)
    ran = project.run("record", "--", "./t")
    assert ran.status == 0, ran.err
    assert calls(project, "reg") == [(3, 3), (14, "signal"), (15, "abort")], ran.err
    assert calls(project, "slow") == [(2, 2)], ran.err
    assert calls(project, "each") == [(1, 1)], ran.err
    assert calls(project, "project") == [(2, 2), (4, "abort")], "its own helper may say what is no input"
    assert said(ran, "reg", "hal.c", "a callback or a fake"), ran.err
    assert said(ran, "slow", "in a signal handler") and said(ran, "slow", "a signal was sent to the program"), ran.err


# ---- a program that was built otherwise than clausefit reads its source ---------------------------------------------

CONFIGURED = """#include <cfg.h>
#ifndef LIMIT
#define LIMIT 10
#endif
#ifndef FACTOR
#define FACTOR 1.5
#endif
#ifndef NAME
#define NAME "abc"
#endif
/*@ requires x >= 0; assigns \\nothing; ensures \\result <= LIMIT; */
int cap(int x) { return x < LIMIT ? x : LIMIT; }
/*@ requires x >= 0; assigns \\nothing; ensures \\result >= x; */
int scaled(int x) { double d = FACTOR; return (int)(x * d); }
/*@ requires 0 <= x < 3; assigns \\nothing; ensures \\result > 0; */
int letter(int x) { const char *s = NAME; return s[x]; }
/*@ requires x >= 0; assigns \\nothing; ensures \\result <= TOP; */
int top(int x) { return x > TOP ? TOP : x; }
/*@ assigns \\nothing; ensures \\result == 2 * x; */
int twice(int x) { return 2 * x; }
"""
CALLING = """int cap(int), scaled(int), letter(int), top(int), twice(int);
static void test_all(int i) { cap(i + 19); scaled(i); letter(i); top(i + 7); twice(i); }
int main(void) { for (int i = 0; i < 3; i++) test_all(i); return 0; }
"""
ALL = {"cap", "letter", "scaled", "top", "twice"}


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize(
    ("flags", "lost"),
    [
        pytest.param("-Isrc", set(), id="as it is read"),
        pytest.param("-Isrc -DLIMIT=20", {"cap"}, id="a number"),
        pytest.param("-Isrc -DFACTOR=2.5", {"scaled"}, id="a floating number"),
        pytest.param('-Isrc -DNAME="xyz"', {"letter"}, id="a text"),
        pytest.param("-Iother", {"top"}, id="another header"),
        pytest.param("-Isrc -D_GNU_SOURCE -D_FORTIFY_SOURCE=2", set(), id="the C library's macros"),
    ],
)
def test_functions_that_other_macros_or_headers_change_are_left_out(
    project: Command, flags: str, level: str, lost: set[str]
) -> None:
    files = {"src/a.c": CONFIGURED, "src/cfg.h": "#define TOP 5\n", "other/cfg.h": "#define TOP 8\n"}
    build(project, {**files, "tests/test_a.c": CALLING}, f"-g {level} -fno-inline {flags}")
    ran = project.run("record", "--", "./t")
    assert {one.pin.function for one in stored(project)} == ALL - lost, ran.err
    for function in lost:
        assert said(ran, f"3 calls of {function}: the program was built of other macros", "`defines`"), ran.err


@pytest.mark.parametrize("how", ["defines", "compile_commands"])
def test_macros_that_clausefit_is_told_of_are_no_others(project: Command, how: str) -> None:
    build(
        project,
        {"src/a.c": CONFIGURED, "src/cfg.h": "#define TOP 5\n", "tests/test_a.c": CALLING},
        "-g -Isrc -DLIMIT=9",
    )
    if how == "defines":
        project.write(".clausefit.yaml", SETTINGS + "defines: [LIMIT=9]\n")
    else:
        command = {"directory": str(project.folder), "file": "src/a.c", "command": "gcc -DLIMIT=9 -Isrc -c src/a.c"}
        project.write("compile_commands.json", json.dumps([command]))
    ran = project.run("record", "--", "./t")
    assert {one.pin.function for one in stored(project)} == ALL, ran.err


def test_a_header_that_a_source_sets_up_otherwise(project: Command) -> None:
    header = "#ifndef FACTOR\n#define FACTOR 3\n#endif\n/*@ ensures \\result == x * FACTOR; */\n"
    header += "static inline int scale(int x) { return x * FACTOR; }\n"
    test = "int use(int);\nstatic void test_use(void) { use(4); use(5); }\nint main(void) { test_use(); return 0; }\n"
    for factor, expected in (("", [(4, 12), (5, 15)]), ("#define FACTOR 10\n", [])):
        source = f'{factor}#include "sc.h"\nint use(int x) {{ return scale(x); }}\n'
        shutil.rmtree(project.folder / ".clausefit", ignore_errors=True)
        build(project, {"src/sc.h": header, "src/b.c": source, "tests/test_a.c": test})
        ran = project.run("record", "--", "./t")
        assert calls(project, "scale", "src/sc.h") == expected, ran.err


def test_a_source_that_was_changed_with_its_time_kept(project: Command) -> None:
    build(project, {"src/a.c": CONFIGURED, "src/cfg.h": "#define TOP 5\n", "tests/test_a.c": CALLING}, "-g -Isrc")
    source = project.folder / "src" / "a.c"
    times = source.stat().st_atime_ns, source.stat().st_mtime_ns
    project.write("src/a.c", CONFIGURED.replace("return 2 * x", "return x + x + 1"))
    os.utime(source, ns=times)
    ran = project.run("record", "--", "./t")
    assert {one.pin.function for one in stored(project)} == ALL - {"twice"}, ran.err
    assert said(ran, "3 calls of twice", "or of an older text: build it again"), ran.err


# ---- LeakSanitizer does not work under a debugger -------------------------------------------------------------------

LEAKS = """#include <assert.h>
#include <stdlib.h>
int absolute(int);
static void test_absolute(void) { volatile char *kept = malloc(9); kept[0] = 1; kept = 0; assert(absolute(4) == 4); }
int main(void) { test_absolute(); return 0; }
"""


@pytest.mark.parametrize(
    ("options", "counts"), [("", False), ("detect_leaks=0", True)], ids=["leaks fail", "they do not"]
)
def test_a_program_that_would_fail_by_its_leaks(project: Command, options: str, counts: bool) -> None:
    build(project, {"src/a.c": ABSOLUTE, "tests/test_a.c": LEAKS}, "-g -fsanitize=address")
    ran = project.run("record", "--", "./t", env={"ASAN_OPTIONS": options})
    assert (ran.status, calls(project, "absolute")) == (0, [(4, 4)] if counts else []), ran.err
    assert said(ran, "absolute", "whether it leaks memory is not known", "ASAN_OPTIONS") != counts, ran.err


# ---- clang drops results and arguments of static functions ----------------------------------------------------------

DROPPED = """static int total;
/*@ requires 0 <= x <= 1000; assigns total; ensures \\result == \\old(total) + x; */
static __attribute__((noinline)) int add(int x) { total += x; __asm__ volatile("" ::: "memory"); return total; }
/*@ assigns \\nothing; ensures \\result == x + 1; */
__attribute__((noinline)) int shown(int x) { __asm__ volatile("" ::: "memory"); return x + 1; }
int get(void) { return total; }
"""
INCLUDING = """#include <assert.h>
#include "../src/a.c"
static void test_add(int i) { int b = get(); add(i * 10); assert(get() == b + i * 10 && shown(i) == i + 1); }
int main(void) { for (int i = 1; i < 4; i++) test_add(i); return 0; }
"""


def _clang() -> str | None:
    return next((found for name in ("clang", "clang-14") if (found := shutil.which(name))), os.environ.get("CLANG"))


@pytest.mark.skipif(_clang() is None, reason="needs clang (apt install clang-14), or CLANG that names one")
@pytest.mark.parametrize("level", ["-O1", "-O2"])
def test_static_functions_that_clang_compiled(project: Command, level: str) -> None:
    files = {".clausefit.yaml": SETTINGS, "src/a.c": DROPPED, "tests/test_a.c": INCLUDING}
    for path, text in files.items():
        project.write(path, text)
    argv = [str(_clang()), "-g", level, "-o", "t", "tests/test_a.c"]
    subprocess.run(argv, cwd=project.folder, check=True, capture_output=True, timeout=120)
    ran = project.run("record", "--", "./t")
    assert (calls(project, "add"), calls(project, "shown")) == ([], [(1, 2), (2, 3), (3, 4)]), ran.err
    assert said(ran, "add", "clang may drop"), ran.err
