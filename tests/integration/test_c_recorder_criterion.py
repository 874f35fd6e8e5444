"""Recording of suites of the real Criterion: each test runs in a process of its own, beside threads of nanomsg."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from c_recording import Project, line
from clausefit.hook.record.watched import RecordLimits

pytestmark = [
    pytest.mark.skipif(not shutil.which("gdb") or not shutil.which("gcc"), reason="needs gdb and gcc"),
    pytest.mark.skipif(
        not Path("/usr/include/criterion/criterion.h").exists(), reason="needs Criterion (apt install libcriterion-dev)"
    ),
]

UNHURRIED = RecordLimits(slowdown=50)
LIBRARY = r"""
#include "lib.h"
/*@ requires \valid(a); ensures \result == a->balance; */
int deposit(struct account *a, int n) { a->balance += n; return a->balance; }
/*@ requires \valid_read(a + (0 .. n - 1)); */
int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
/*@ ensures \result == 2 * n; */
int twice(int n) { return 2 * n; }
/*@ requires \valid(p); */
int with(int *p, int (*f)(int)) { return f(*p); }
/*@ requires \valid(f); */
int last(struct file *f) { return f->mode; }
"""
HEADER = """
struct account { int balance, limit; };
struct file { int mode; };
int deposit(struct account *, int); int sum(const int *, int); int twice(int); int with(int *, int (*)(int));
int last(struct file *);
"""
START = """
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>
#include "lib.h"
static struct account shared = {7, 100};
static volatile int go = 1;
static void *spin(void *p) { while (go) ; (void)p; return 0; }
"""


@pytest.fixture
def suite(tmp_path: Path, shared_cache: Path) -> Project:
    return Project(tmp_path, shared_cache, LIBRARY, HEADER)


def _many() -> str:
    accounts = "".join(
        f"Test(account, t{i}) {{ struct account a = {{{i}, 100}}; cr_assert_eq(deposit(&a, {i + 1}), {2 * i + 1}); }}\n"
        for i in range(10)
    )
    arrays = "".join(
        f"Test(array, t{i}) {{ int a[] = {{{i}, 2, 3}}; cr_assert_eq(sum(a, 3), {i + 5}); }}\n" for i in range(10)
    )
    return START + accounts + arrays


def test_all_calls_with_memory_of_a_suite_are_pins(suite: Project) -> None:
    ran = suite.record([str(suite.build(_many(), libs="-lcriterion -w"))], UNHURRIED)
    assert (ran.status, ran.recording.problems, ran.recording.left_out) == (0, (), ())
    accounts = {line(p, after_of="a") for p in ran.pins("deposit")}
    assert accounts == {f"deposit({{{i},100}}, {i + 1}) -> {2 * i + 1} after {{{2 * i + 1},100}}" for i in range(10)}
    assert {line(p) for p in ran.pins("sum")} == {f"sum([{i},2,3]@0, 3) -> {i + 5}" for i in range(10)}


def test_what_boxfort_forks_is_watched_once_the_test_s_own_program_has_begun(suite: Project) -> None:
    ran = suite.record([str(suite.build(_many(), libs="-lcriterion -w")), "-j1"], UNHURRIED)
    # The runner, each test, and the first child before it starts the program anew: later ones are known to do so.
    assert (ran.status, ran.recording.programs, len(ran.pins("deposit"))) == (0, 1 + 20 + 1, 10)


def test_a_test_of_criterion_that_forks_has_its_child_watched(suite: Project) -> None:
    text = START + (
        "#include <sys/wait.h>\n"
        "Test(t, a) { twice(1); }\nTest(t, b) { twice(2); }\n"
        "Test(t, c) { int s; if (fork() == 0) _exit(twice(3)); wait(&s); cr_assert_eq(WEXITSTATUS(s), 6); }\n"
    )
    ran = suite.record([str(suite.build(text, libs="-lcriterion -w")), "-j1"], UNHURRIED)
    assert (ran.status, {line(p) for p in ran.pins("twice")}) == (0, {f"twice({i}) -> {2 * i}" for i in (1, 2, 3)})


WRITERS = {
    "writes all the time": (
        "static void *writes(void *p) { while (go) shared.balance++; return p; }\n"
        "Test(t, t) { pthread_t t; pthread_create(&t, 0, writes, 0); deposit(&shared, 1); go = 0; pthread_join(t, 0); }"
    ),
    "is in the C library for ever": (
        "static void *writes(void *p) { return (void *)(long)read(*(int *)p, &shared, 4); }\n"
        "Test(t, t) { pthread_t t; int e[2]; pipe(e); pthread_create(&t, 0, writes, e); usleep(50000);"
        " deposit(&shared, 1); write(e[1], &shared, 4); pthread_join(t, 0); }"
    ),
    "begins in the C library": (
        "Test(t, t) { pthread_t t; pthread_create(&t, 0, (void *(*)(void *))sleep, (void *)1); usleep(50000);"
        " deposit(&shared, 1); pthread_join(t, 0); }"
    ),
    "begins in the framework": (
        'Test(t, t) { pthread_t t; pthread_create(&t, 0, (void *(*)(void *))dlsym(RTLD_DEFAULT, "nn_sleep"),'
        " (void *)1000); usleep(50000);"
        " deposit(&shared, 1); pthread_join(t, 0); }"
    ),
    "is started by the framework for the project": (
        "static void writes(void *p) { while (go) shared.balance++; }\n"
        'Test(t, t) { long t[16]; void *n = dlopen("libnanomsg.so.5", RTLD_NOW);\n'
        'void (*start)(void *, void (*)(void *), void *) = dlsym(n, "nn_thread_init");\n'
        'void (*join)(void *) = dlsym(n, "nn_thread_term"); start(t, writes, 0); usleep(50000);'
        " deposit(&shared, 1); go = 0; join(t); }"
    ),
    "is the framework's and calls a fake of the project": (
        "#include <sys/epoll.h>\n#include <sys/syscall.h>\n"
        "int epoll_wait(int e, struct epoll_event *v, int n, int t) { shared.balance++;"
        " return syscall(SYS_epoll_wait, e, v, n, t); }\n"
        "Test(t, t) { deposit(&shared, 1); }"
    ),
    "calls itself": (
        "static void *calls(void *p) { deposit(&shared, 1); return p; }\n"
        "Test(t, t) { pthread_t t; pthread_create(&t, 0, calls, 0); pthread_join(t, 0); }"
    ),
}


@pytest.mark.parametrize("case", WRITERS)
def test_a_thread_of_the_project_takes_pins_with_memory_away(suite: Project, case: str) -> None:
    is_all = "fake" in case
    text = START + WRITERS[case] + "\nTest(t, alone) { struct account a = {1, 2}; deposit(&a, 3); twice(4); }\n"
    ran = suite.record([str(suite.build(text, libs="-lcriterion -w"))], UNHURRIED)
    assert (ran.status, ran.recording.problems) == (0, ())
    assert [line(p) for p in ran.pins("deposit")] == ([] if is_all else ["deposit({1,2}, 3) -> 4"])
    assert ran.reasons("deposit") == ["another thread may change the memory that it is given"]
    assert [line(p) for p in ran.pins("twice")] == ["twice(4) -> 8"]


def test_a_thread_that_the_project_starts_inside_of_a_call_takes_its_memory_away(suite: Project) -> None:
    text = START + (
        "static int cell = 3;\nstatic void *add(void *p) { cell++; return p; }\n"
        "static int starts(int x) { pthread_t t; pthread_create(&t, 0, add, 0); pthread_join(t, 0); return x; }\n"
        "static int plain(int x) { return x; }\n"
        "Test(t, starts) { with(&cell, starts); }\nTest(t, plain) { with(&cell, plain); }\n"
    )
    ran = suite.record([str(suite.build(text, libs="-lcriterion -w"))], UNHURRIED)
    assert (ran.status, len(ran.pins("with"))) == (0, 1)
    assert ran.reasons("with") == ["another thread may change the memory that it is given"]


def test_a_library_of_the_project_that_is_called_like_the_framework_s_is_none(suite: Project) -> None:
    (suite.folder / "n.c").write_text(
        '#include <pthread.h>\n#include "lib.h"\nstruct account *held; volatile int go = 1;\n'
        "static void *writes(void *p) { while (go) held->balance++; return p; }\n"
        "pthread_t start(struct account *a) { pthread_t t; held = a; pthread_create(&t, 0, writes, 0); return t; }\n"
    )
    suite.run("gcc -g -shared -fPIC n.c -o libnanomsg.so.5")
    text = (
        '#include <pthread.h>\n#include <unistd.h>\n#include "lib.h"\n'
        "extern volatile int go; pthread_t start(struct account *);\nint main(void) { struct account a = {1, 2};\n"
        "deposit(&a, 1); pthread_t t = start(&a); usleep(50000); deposit(&a, 1); go = 0; pthread_join(t, 0);\n"
        "return 0; }"
    )
    program = suite.build(text, libs="./libnanomsg.so.5")
    ran = suite.record([str(program)], UNHURRIED)
    assert (ran.status, [line(p) for p in ran.pins("deposit")]) == (0, ["deposit({1,2}, 1) -> 2"])
    assert ran.reasons("deposit") == ["another thread may change the memory that it is given"]
