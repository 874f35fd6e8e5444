"""Recording of C calls with the real gcc and gdb: programs print what they really passed, and pins say the same."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from c_recording import LIBRARY, Project, Ran, line, show
from clausefit.hook.pins.values import (
    Array,
    Failed,
    Floating,
    Integer,
    Pointer,
    Returned,
    Unknown,
    leaves,
)
from clausefit.hook.record import c_recorder
from clausefit.hook.record.watched import RecorderProblem, RecordLimits

needs_tools = pytest.mark.skipif(not shutil.which("gdb") or not shutil.which("gcc"), reason="needs gdb and gcc")
pytestmark = needs_tools

# fmt: off
LOGGING = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lib.h"
static unsigned long bits(double d) { unsigned long u; memcpy(&u, &d, 8); return u; }
static unsigned bits4(float d) { unsigned u; memcpy(&u, &d, 4); return u; }
static void list(const int *a, int n)
{ printf("["); for (int i = 0; i < n; i++) printf(i ? ",%d" : "%d", a[i]); printf("]"); }
static void text(const char *s)
{ printf("["); for (size_t i = 0; i <= strlen(s); i++) printf(i ? ",%d" : "%d", s[i]); printf("]"); }
"""
MAIN = LOGGING + r"""
static void log_bump(int *a, int n) {
    int before = total; printf("bump("); list(a, n); printf("@0, %d) ", n);
    int r = bump(a, n); printf("-> %d after ", r); list(a, n); printf(" total %d>%d\n", before, total);
}
static void log_find(const char *s, char c) {
    printf("find("); text(s); printf("@0, %d) ", c); const char *r = find(s, c);
    printf("-> "); if (r) { text(s); printf("@%ld", (long)(r - s)); } else printf("null");
    printf(" after "); text(s); puts("");
}
static void log_same(double x) { printf("same(%lx) -> %lx\n", bits(x), bits(same(x))); }
int main(void) {
    int a[4] = {3, -1, 7, 2147483646}; log_bump(a, 4); log_bump(a + 1, 2); log_bump(a, 0 + 1);
    log_find("hello", 'l'); log_find("", 'x'); log_find("\xff\xc3(\xe2\x82", '('); log_find("nope", 'z');
    struct pt p = {1, 2.5, 0}; p.next = &p;
    printf("mid({1,%lx,self}, %lx, %x, 1) ", bits(2.5), bits(-1.5), bits4(2.25f));
    struct pt r = mid(&p, -1.5, 2.25f, true);
    printf("-> {%d,%lx,%s} after {%d,%lx,%s}\n", r.x, bits(r.y), r.next == &p ? "self" : "?", p.x, bits(p.y), "self");
    int x = 4, y[3] = {5, 6, 7};
    printf("two(%d, same) ", x); two(&x, &x); printf("-> void after %d\n", x);
    printf("two("); list(y, 3); printf("@0, other@2) "); two(y, y + 2); printf("-> void after "); list(y, 3); puts("");
    printf("many -> %lx\n", bits(
        many(-1L << 40, -2, 250, -3, 4000000000u, 1LL << 50, 6, -7, .5, 1, 2, 3, 4, 5, 6, 7, 8, 9.5f)));
    struct big b = {3, {1, 2, 3}}; struct big t = turned(b); printf("turned -> %d ", t.len); list(t.data, 9); puts("");
    log_same(0.0); log_same(-0.0); log_same(__builtin_nan("0x123")); log_same(__builtin_inf()); log_same(1e-310);
    printf("hidden(6) -> %d\n", shown(6) - 1);
    rec(2);
    int three[3] = {1, 2, 3}; struct vec v = {3, three}; printf("sum -> %d\n", sum(&v));
    return 0;
}
"""
# fmt: on


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def project(tmp_path: Path, cache: Path) -> Project:
    return Project(tmp_path, cache)


FLAGS = ["-g -O0", "-g -O1", "-g -O2", "-g -Og", "-g -O0 -no-pie", "-g -O1 -fno-omit-frame-pointer", "-gdwarf-4 -O2"]


@pytest.mark.parametrize("flags", FLAGS)
def test_pins_are_what_the_program_says_that_it_passed(project: Project, flags: str) -> None:
    program = project.build(MAIN, flags + (" -fno-pie" if "no-pie" in flags else ""))
    ran = project.record([str(program)])
    assert (ran.status, ran.err, ran.recording.problems) == (0, "", ())
    log = ran.out.splitlines()
    made = []
    for pin in ran.pins("bump"):
        total = next(b for b in pin.blocks if b.program == "total")
        assert isinstance(pin.outcome, Returned)
        after = dict(pin.outcome.after)[total.id]
        made.append(f"{line(pin, after_of='a')} total {show(total.value, pin, {})}>{show(after, pin, {})}")
    assert made == [entry for entry in log if entry.startswith("bump")]
    assert [line(p, after_of="s") for p in ran.pins("find")] == [e for e in log if e.startswith("find")]
    assert [line(p) for p in ran.pins("same")] == [e for e in log if e.startswith("same")]
    assert [line(p) for p in ran.pins("hidden")] == [e for e in log if e.startswith("hidden")]
    _check_structs(ran, log, flags)
    _check_aliases(ran)
    _check_recursion(ran, flags)


def _check_structs(ran: Ran, log: list[str], flags: str) -> None:
    (mid,) = ran.pins("mid")
    entry = next(e for e in log if e.startswith("mid"))
    whole, after = line(mid, after_of="p").split(" after ")
    assert f"{whole} after {after}".replace("{1,4004000000000000,self}} after", "self} after") == entry
    (many,) = ran.pins("many")
    shown = [show(v, many, {}) for _, v in many.arguments]
    numbers = [str(-1 << 40), "-2", "250", "-3", "4000000000", str(1 << 50), "6", "-7"]
    assert shown[:8] == numbers
    assert [v.number for _, v in many.arguments[8:] if isinstance(v, Floating)] == [0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9.5]
    assert line(many).rpartition(" ")[2] == next(e for e in log if e.startswith("many")).rpartition(" ")[2]
    turned = ran.pins("turned")
    if turned:  # where the compiler took the struct apart its parameter is left out
        assert line(turned[0]) == "turned({3,[1,2,3,0,0,0,0,0,0]}) -> {3,[3,2,1,0,0,0,0,0,0]}"
    else:
        assert "-O0" not in flags and "removed its argument b" in ran.reasons("turned")[0]
    assert [line(p) for p in ran.pins("sum")] == ["sum({3,[1,2,3]@0}) -> 6"]


def _check_aliases(ran: Ran) -> None:
    first, second = ran.pins("two")
    assert dict(first.arguments)["p"] == dict(first.arguments)["q"]
    p, q = (value for _, value in second.arguments)
    assert isinstance(p, Pointer) and isinstance(q, Pointer)
    assert isinstance(second.outcome, Returned)
    after = dict(second.outcome.after)
    assert [show(after[at.block], second, after) for at in (p, q)] == ["2", "2"]
    assert p.block != q.block, "two cells that do not touch are two blocks"


def _check_recursion(ran: Ran, flags: str) -> None:
    calls = ran.calls("rec")
    if "-O0" in flags or "-O1" in flags or "-Og" in flags:
        assert [line(c.pin) for c in calls] == ["rec(2) -> 4", "rec(1) -> 2", "rec(0) -> 0"]
        assert [c.outermost for c in calls] == [True, False, False]
    assert line(calls[0].pin) == "rec(2) -> 4"
    assert calls[-1].frames[-1].name == "main"
    assert calls[-1].frames[-1].scope.endswith("/t.c")


def test_a_fork_is_watched_as_well(project: Project) -> None:
    program = project.build(
        LOGGING
        + """
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    int status;
    if (fork() == 0) {
        rec(0); if (fork() == 0) { same(1.5); _exit(3); }
        wait(&status); _exit(WEXITSTATUS(status) + 1);
    }
    wait(&status); same(2.5); return WEXITSTATUS(status);
}"""
    )
    ran = project.record([str(program)])
    assert (ran.status, ran.recording.programs) == (4, 3)
    assert sorted(line(c.pin) for c in ran.recording.calls) == [
        "rec(0) -> 0",
        f"same({0x3FF8000000000000:x}) -> 3ff8000000000000",
        f"same({0x4004000000000000:x}) -> 4004000000000000",
    ]


def test_calls_between_a_fork_and_the_start_of_a_program_are_seen_each_time(project: Project) -> None:
    (project.folder / "n.c").write_text("#include <unistd.h>\nint forked(void) { return fork(); }\n")
    project.run("gcc -shared -fPIC n.c -o libcriterion.so.3")  # it is called like one that is known to start it at once
    program = project.build(
        LOGGING
        + """
#include <sys/wait.h>
#include <unistd.h>
int forked(void);
int main(int count, char **v) {
    if (count > 1) return rec(9) != 18;
    for (int i = 0; i < 4; i++) {
        int status;
        if ((i % 2 ? fork() : forked()) == 0) { rec(i); execl(v[0], "t", "again", (char *)0); _exit(1); }
        wait(&status); if (status) return 1;
    }
    return 0;
}""",
        libs="./libcriterion.so.3",
    )
    ran = project.record([str(program)], RecordLimits(slowdown=50))
    assert (ran.status, ran.recording.problems) == (0, ())
    assert {line(p) for p in ran.pins("rec")} >= {f"rec({i}) -> {2 * i}" for i in (0, 1, 2, 3, 9)}


FORKS = """
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int signals;
static void handler(int s) { (void)s; signals++; }
int main(int count, char **v) {
    int status, odd = 0;
    (void)v;
    signal(SIGCHLD, handler);
    for (int i = 0; i < (count > 1 ? 100 : 1); i++) {
        signals = 0;
        if (fork() == 0) { odd = signals; rec(i % 3); _exit(odd); }
        while (wait(&status) < 0) ;
        odd += status;
    }
    return odd != 0;
}"""


def test_all_children_of_a_suite_are_watched(project: Project) -> None:
    program = project.build(LOGGING + FORKS)
    ran = project.record([str(program), "many"])
    assert (ran.status, ran.recording.programs, ran.recording.problems) == (0, 101, ())
    assert {line(p) for p in ran.pins("rec")} == {"rec(0) -> 0", "rec(1) -> 2", "rec(2) -> 4"}


PARALLEL = """
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    int status, odd = 0;
    for (int i = 0; i < 6; i++) for (int j = 0; j < 4; j++) if (fork() == 0) { rec(j); _exit(0); }
    for (int i = 0; i < 24; i++) { while (wait(&status) < 0) ; odd += status; }
    return odd != 0;
}"""


def test_children_that_come_at_the_same_time_are_all_watched(project: Project) -> None:
    ran = project.record([str(project.build(LOGGING + PARALLEL))], RecordLimits(slowdown=50))
    assert (ran.status, ran.recording.programs, ran.recording.problems) == (0, 25, ())
    assert {line(p) for p in ran.pins("rec")} >= {"rec(1) -> 2", "rec(2) -> 4", "rec(3) -> 6"}


def test_children_go_on_and_are_watched_when_the_gdb_that_waits_for_them_is_killed(project: Project) -> None:
    program = project.build(
        LOGGING
        + """
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    int status;
    for (int i = 0; i < 3; i++) {
        if (fork() == 0) { rec(i); _exit(0); }
        wait(&status); if (status) return 1;
        puts("next"); fflush(stdout); getchar();
    }
    return 0;
}"""
    )

    def kill(child: subprocess.Popen[str]) -> None:
        assert child.stdout is not None and child.stdin is not None
        assert child.stdout.readline() == "next\n"
        folder = Path(f"/proc/{child.pid}/environ").read_text().partition("CLAUSEFIT_RECORD=")[2].partition("\0")[0]
        waiting = []
        while not waiting:
            waiting = list(Path(folder).glob("idle.*"))
            time.sleep(0.01)
        tracer = int(Path(f"/proc/{child.pid}/status").read_text().partition("TracerPid:")[2].split()[0])
        for log in Path(folder).glob("log.*"):
            for one in Path("/proc").glob("[0-9]*/fd/1"):
                pid = int(one.parts[2])
                if pid != tracer and os.path.realpath(one) == str(log):
                    os.kill(pid, signal.SIGKILL)

    ran = project.record([str(program)], stdin="\n\n\n", during=kill)
    assert (ran.status, ran.recording.programs) == (0, 4)
    assert {line(p) for p in ran.pins("rec")} == {"rec(0) -> 0", "rec(1) -> 2", "rec(2) -> 4"}


def test_a_program_that_was_stopped_stands_still_until_it_is_continued(project: Project) -> None:
    program = project.build(
        LOGGING
        + """
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <sys/ioctl.h>
static int waiting(int f) { int n; ioctl(f, FIONREAD, &n); return n; }
int main(void) {
    int status, ends[2]; char c;
    if (pipe(ends)) return 9;
    pid_t child = fork();
    if (child == 0) { rec(0); raise(SIGSTOP); if (write(ends[1], "x", 1) != 1) _exit(8); rec(1); _exit(0); }
    close(ends[1]);
    if (waitpid(child, &status, WUNTRACED) != child || !WIFSTOPPED(status)) return 7;
    usleep(300000);
    if (waiting(ends[0]) != 0) return 6;
    kill(child, SIGCONT);
    if (read(ends[0], &c, 1) != 1) return 5;
    waitpid(child, &status, 0);
    return status != 0;
}"""
    )
    ran = project.record([str(program)])
    assert ran.status == 0
    assert {line(p) for p in ran.pins("rec")} == {"rec(0) -> 0", "rec(1) -> 2"}


def test_children_are_let_go_once_they_have_used_up_their_share(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(c_recorder, "CHILDREN_SECONDS", 0.1)
    program = project.build(LOGGING + FORKS)
    ran = project.record([str(program), "many"], RecordLimits(slowdown=0))
    assert ran.status == 0
    (problem,) = ran.recording.problems
    let_go = int(problem.split()[0])
    assert "processes that tests forked were not watched" in problem and "slowdown" in problem
    assert let_go + ran.recording.programs == 101 and 1 < ran.recording.programs < 60
    assert line(ran.pins("rec")[0]) == "rec(0) -> 0"


def test_a_child_gets_no_signal_of_the_recorder(project: Project) -> None:
    program = project.build(LOGGING + FORKS)
    ran = project.record([str(program)])
    assert (ran.status, ran.recording.programs, ran.recording.problems) == (0, 2, ())


def test_scripts_and_programs_that_start_programs_are_followed(project: Project) -> None:
    project.build(LOGGING + "int main(void) { return rec(0) + 7; }", name="inner")
    project.build(
        LOGGING + '#include <unistd.h>\nint main(void) { same(1); execl("./inner", "inner", (char *)0); return 1; }',
        name="outer",
    )
    (project.folder / "all.sh").write_text("#!/bin/sh\nls >/dev/null\n./outer\nexit $?\n")
    ran = project.record(["sh", "all.sh"])
    assert ran.status == 7
    assert sorted((Path(c.program).name, c.pin.function) for c in ran.recording.calls) == [
        ("inner", "rec"),
        ("outer", "same"),
    ]


FAILURES = {
    "abort": ("die(-1)", "die", Failed("abort"), -signal.SIGABRT),
    "null pointer": ("deref(0)", "deref", Failed("signal", "SIGSEGV"), -signal.SIGSEGV),
    "division by zero": ("quotient(1, 0)", "quotient", Failed("signal", "SIGFPE"), -signal.SIGFPE),
    "no end": ("spin(9)", "spin", Failed("timeout"), -signal.SIGKILL),
}


@pytest.mark.parametrize("case", FAILURES)
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_calls_that_do_not_come_back(project: Project, case: str, level: str) -> None:
    call, function, outcome, status = FAILURES[case]
    program = project.build(LOGGING + f"int main(void) {{ rec(0); {call}; return 0; }}", f"-g {level}")
    ran = project.record([str(program)], RecordLimits(call_seconds=1.0))
    assert [pin.outcome for pin in ran.pins(function)] == [outcome]
    assert ran.status == status
    assert ran.pins("rec")
    assert bool(ran.recording.problems) == (case == "no end")


WAITS = {
    "sleeps": "sleep(100);",
    "reads": "char c; int ends[2]; pipe(ends); read(ends[0], &c, 1);",
    "a thread": "deadlock();",
}


@pytest.mark.parametrize("case", WAITS)
def test_a_call_that_only_waits_has_no_outcome_and_the_ended_program_is_said(project: Project, case: str) -> None:
    program = project.build(
        LOGGING + "#include <pthread.h>\n#include <unistd.h>\nstatic void *spins(void *p) { for (;;) ; return p; }\n"
        "void deadlock(void) { pthread_t t; pthread_create(&t, 0, spins, 0); pthread_join(t, 0); }\n"
        f"int waits(int x) {{ {WAITS[case]} return x; }}\nint main(void) {{ rec(0);\n\nreturn with(waits, 1); }}\n"
    )
    ran = project.record([str(program)], RecordLimits(call_seconds=1.5))
    assert ran.status == -signal.SIGKILL and ran.pins("rec") and not ran.pins("with")
    assert any("it lasted too long" in one for one in ran.reasons("with")), ran.recording.left_out
    where = LIBRARY.splitlines().index("int with(int (*f)(int), int x) { return f(x); }") + 1
    lines = program.with_suffix(".c").read_text().splitlines()
    caller = next(i for i, text in enumerate(lines, 1) if text.startswith("return with"))
    assert ran.recording.problems == (
        f"t was ended: with (lib.c:{where}), called at t.c:{caller}, had not come back after 1.5 seconds: if it only "
        "waits or is slow, raise `limits: call_seconds` under `record:` in .clausefit.yaml",
    )


NOT_FAILURES = {
    "longjmp": ("if (!setjmp(back)) with(jump, 1); with(plain, 2); return 0;", "left by longjmp"),
    "longjmp to the same call": (
        "for (int i = 0; i < 2; i++) if (!setjmp(back)) with(i ? plain : jump, 2);",
        "left by",
    ),
    "exit": ("with(leave, 1); return 1;", "the program ended inside of the call"),
    "a callback that aborts": ("with(die_here, 1); return 1;", "it failed in code of its caller"),
    "a signal that was sent": ("with(sent, 1); return 1;", "a signal was sent to the program"),
    "a wild pointer": ("deref((int *)0x123456789abc); return 1;", "cannot be read"),
}


@pytest.mark.parametrize("case", NOT_FAILURES)
def test_what_is_not_the_functions_fault_is_left_out(project: Project, case: str) -> None:
    body, reason = NOT_FAILURES[case]
    program = project.build(
        LOGGING
        + """
#include <setjmp.h>
#include <signal.h>
static jmp_buf back;
int jump(int x) { longjmp(back, x); }
int plain(int x) { return x; }
int leave(int x) { exit(x); }
int die_here(int x) { (void)x; abort(); }
int sent(int x) { (void)x; raise(SIGSEGV); return 0; }
int main(void) { """
        + body
        + " }"
    )
    ran = project.record([str(program)])
    reasons = ran.reasons("with") + ran.reasons("deref")
    assert any(reason in one for one in reasons), reasons
    assert all(isinstance(c.pin.outcome, Returned) for c in ran.recording.calls)
    assert [line(p).rpartition("> ")[2] for p in ran.pins("with")] == (["2"] if "longjmp" in case else [])


def test_a_handled_signal_is_a_failure_only_where_the_call_never_returns(project: Project) -> None:
    program = project.build(
        LOGGING
        + """
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf back;
static void handler(int s) { (void)s; siglongjmp(back, 1); }
int main(void) { signal(SIGSEGV, handler); if (!sigsetjmp(back, 1)) deref(0); return rec(0); }"""
    )
    ran = project.record([str(program)])
    assert ran.status == 0
    assert [pin.outcome for pin in ran.pins("deref")] == [Failed("signal", "SIGSEGV")]


def test_streams_and_status_pass_through(project: Project) -> None:
    program = project.build(
        LOGGING
        + 'int main(void) { char b[99]; rec(0); if (fgets(b, 99, stdin)) printf("got %s", b); fputs("odd\\n", stderr);'
        " return 42; }"
    )
    ran = project.record([str(program)], stdin="words\n")
    assert (ran.status, ran.out, ran.err) == (42, "got words\n", "odd\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_reach_the_program(project: Project, number: signal.Signals) -> None:
    program = project.build(
        LOGGING + '#include <unistd.h>\nint main(void) { rec(0); puts("ready"); fflush(stdout); for (;;) { pause(); } }'
    )

    def interrupt(child: subprocess.Popen[str]) -> None:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        child.send_signal(number)

    ran = project.record([str(program)], during=interrupt)
    assert ran.status == -number
    assert len(ran.pins("rec")) == 1


def test_long_strings_and_arrays_are_left_out_whole(project: Project) -> None:
    program = project.build(
        LOGGING
        + """
int main(void) {
    char *s = malloc(10000001); memset(s, 'x', 10000000); s[10000000] = 0;
    int *a = calloc(1000, 4);
    return size(s) != 10000000 || bump(a, 1000) != 1000 || size("short") != 5;
}"""
    )
    ran = project.record([str(program)])
    assert ran.status == 0
    assert ran.reasons("size") == ["it is given a string of more than 256 characters"]
    assert ran.reasons("bump") == ["it is given 1000 elements, more than the 64 that are recorded"]
    assert [line(p) for p in ran.pins("size")] == ["size([115,104,111,114,116,0]@0) -> 5"]
    assert ran.pins("size")[0].blocks[0].constant


def test_memory_that_was_given_back_is_not_known_afterwards(project: Project) -> None:
    program = project.build(
        LOGGING
        + """
int main(void) {
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    *b = (struct node){2, 0}; *a = (struct node){1, b};
    return pop(a) != b;
}"""
    )
    ran = project.record([str(program)])
    (pin,) = ran.pins("pop")
    assert ran.status == 0 and isinstance(pin.outcome, Returned)
    assert line(pin) == "pop({1,{2,null}}) -> {2,null}"
    assert [show(value, pin, {}) for _, value in pin.outcome.after] == ["{unknown,unknown}", "{2,null}"]


RENEWED = {
    "free and malloc": ("free(p); int *r = malloc(sizeof *r); *r = 7; return r;", "again"),
    "free in a function of it": ("drop(p); int *r = malloc(sizeof *r); *r = 7; return r;", "again"),
    "realloc": ("int *r = realloc(p, 2 * sizeof *r); *r = 7; return r;", ""),
    "another block is freed": ("free(malloc(40)); *p = 7; return p;", "same"),
    "nothing is freed": ("*p = 7; return p;", "same"),
}
MAPPED = (
    "munmap(p, 4096); int *r = mmap(p, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);"
    " *r = 7; return r;"
)


@pytest.mark.parametrize("case", [*RENEWED, "munmap"])
@pytest.mark.parametrize("flags", ["-g -O0", "-g -O2", "-g -O0 -fsanitize=address"])
def test_memory_at_the_address_of_memory_that_was_given_back_is_not_the_arguments(
    project: Project, case: str, flags: str
) -> None:
    body, kind = RENEWED.get(case, (MAPPED, "again"))
    (project.folder / "f.c").write_text(
        "#include <stdlib.h>\n#include <sys/mman.h>\n"
        "static __attribute__((noinline)) void drop(int *p) { free(p); }\n"
        "void (*dropped)(int *) = drop;\n"
        "/*@ requires \\valid(p); */\n__attribute__((noipa)) int *renew(int *p) { " + body + " }\n"
        "/*@ requires \\valid(*p); */\n__attribute__((noipa)) void into(int **p) { *p = renew(*p); }\n"
    )
    mapped = "mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)"
    made = mapped if case == "munmap" else "malloc(sizeof(int))"
    (project.folder / "m.c").write_text(
        "#include <stdio.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <sys/mman.h>\n"
        "int *renew(int *); void into(int **);\n"
        f"int main(void) {{ int *p = {made}, *q = {made}; *p = *q = 3; uintptr_t was = (uintptr_t)p;\n"
        '  puts((uintptr_t)renew(p) == was ? "again" : "other"); into(&q); return 0; }\n'
    )
    project.run(f"gcc {flags} -w f.c m.c -o m")
    ran = project.record(["./m"], source="f.c")
    assert (ran.status, ran.err) == (0, "")
    if kind == "again" and "sanitize" not in flags:
        assert ran.out == "again\n", "the machine shows the case"
    outer = [c.pin for c in ran.calls("renew") if any(f.name == "main" for f in c.frames[:1])]
    for pin in (*outer, *ran.pins("into")):
        assert isinstance(pin.outcome, Returned)
        block = next(b for b in pin.blocks if isinstance(b.value, Integer))
        after = dict(pin.outcome.after)
        result = pin.outcome.result or after[next(b.id for b in pin.blocks if b.id != block.id)]
        if kind == "same":
            assert isinstance(result, Pointer) and result.block == block.id
            assert show(after[block.id], pin, {}) == "7"
        else:
            assert isinstance(result, Unknown) and isinstance(after[block.id], Unknown)
    assert len(outer) == 1 and len(ran.pins("into")) == 1, ran.recording.left_out


def test_a_call_that_gives_back_very_much_leaves_later_calls_known(project: Project) -> None:
    (project.folder / "f.c").write_text(
        "#include <stdlib.h>\n"
        "/*@ requires \\valid(p); */\n"
        "int churn(int *p) { for (int i = 0; i < 6000; i++) free(malloc(8)); return *p; }\n"
        "/*@ requires \\valid(p); */\nint keep(int *p) { free(malloc(8)); return *p; }\n"
        "/*@ requires \\valid(p); */\nint outer(int *p) { churn(p); return keep(p); }\n"
    )
    (project.folder / "m.c").write_text(
        "#include <stdlib.h>\nint outer(int *);\nint main(void) { int *p = malloc(4); *p = 3; return outer(p); }\n"
    )
    project.run("gcc -g -O0 -fno-builtin f.c m.c -o m")
    ran = project.record(["./m"], source="f.c")
    assert ran.status == 3
    after = {f: [show(v, p, {}) for p in ran.pins(f) for _, v in p.outcome.after] for f in ("churn", "keep", "outer")}
    assert after == {"churn": ["unknown"], "keep": ["3"], "outer": ["unknown"]}


def test_what_a_function_gives_that_may_end_without_a_return_is_not_known(project: Project) -> None:
    (project.folder / "e.h").write_text("_Noreturn void die(int x);\n")
    (project.folder / "f.c").write_text(
        '#include <stdlib.h>\n#include "e.h"\nvoid die(int x) { exit(x); }\n'
        "/*@ ensures \\true; */\nint falls(int *p) { *p = 7; if (*p == 8) return 1; }\n"
        "/*@ ensures \\true; */\nint dies(int *p) { *p = 7; if (*p == 7) return 1; die(3); }\n"
        "/*@ ensures \\true; */\nvoid nothing(int *p) { *p = 7; }\n"
    )
    (project.folder / "m.c").write_text(
        "int falls(int *); int dies(int *); void nothing(int *);\n"
        "int main(void) { int x = 3; falls(&x); dies(&x); nothing(&x); return 0; }\n"
    )
    project.run("gcc -w -g -O0 f.c m.c -o m")
    ran = project.record(["./m"], source="f.c")
    assert [line(p, after_of="p") for f in ("falls", "dies", "nothing") for p in ran.pins(f)] == [
        "falls(3) -> unknown after 7",
        "dies(7) -> 1 after 7",
        "nothing(7) -> void after 7",
    ]
    assert [one.function for one in ran.recording.left_out] == ["falls"]
    assert "without a return" in ran.reasons("falls")[0]


def test_hot_functions_are_let_go(project: Project) -> None:
    program = project.build(
        LOGGING
        + "int main(void) { long s = 0; for (int i = 0; i < 3000000; i++) s += rec(i % 500 == 0); return s == 0; }"
    )
    ran = project.record([str(program)], RecordLimits(distinct_calls=60, hits=50))
    assert ran.status == 0
    assert 1 <= len(ran.pins("rec")) <= 50


def test_threads_are_told_apart(project: Project) -> None:
    program = project.build(
        LOGGING
        + """
#include <pthread.h>
static void *work(void *n) { for (int i = 0; i < 5; i++) quotient(i + 100 * (int)(long)n, 1);
    bump(&total, 1); return 0; }
int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return 0;
}"""
    )
    ran = project.record([str(program)])
    assert ran.status == 0
    values = {line(p) for p in ran.pins("quotient")}
    assert values == {f"quotient({i + 100 * n}, 1) -> {i + 100 * n}" for n in range(3) for i in range(5)}
    assert set(ran.reasons("bump")) <= {"another thread may change the memory that it is given"}


MEANWHILE = {
    "a thread writes to its caller's stack": (
        "pthread_t t; int a[1] = {1}; pthread_create(&t, 0, spin_on, a); bump(a, 1); a[0] = -1; pthread_join(t, 0);",
        "another thread may change",
    ),
    "a thread began and ended inside of it": ("spawned = 1; two(&cell, &cell); with(spawn, 3);", "another thread may"),
    "a handler ran": ("signal(SIGUSR1, handler); with(raised, 3);", "handled a signal"),
    "memory of two processes": (
        "int *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); bump(p, 1);",
        "another process may change",
    ),
}


@pytest.mark.parametrize("case", MEANWHILE)
def test_memory_that_others_may_change_meanwhile_is_left_out(project: Project, case: str) -> None:
    body, reason = MEANWHILE[case]
    with (project.folder / "lib.c").open("a") as file:
        file.write("/*@ ensures total == \\old(total); */\nint run(int (*f)(int), int x) { return f(x); }\n")
    with (project.folder / "lib.h").open("a") as file:
        file.write("int run(int (*)(int), int);\n")
    program = project.build(
        LOGGING
        + """
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
static int cell, spawned;
static void handler(int s) { (void)s; total++; }
static void *add(void *p) { ++*(int *)p; return 0; }
static void *spin_on(void *p) { volatile int *at = p; while (*at >= 0) if (!*at) break; return 0; }
int raised(int x) { raise(SIGUSR1); return x; }
int spawn(int x) { pthread_t t; if (spawned) { pthread_create(&t, 0, add, &total); pthread_join(t, 0); } return x; }
int main(void) { (void)handler; (void)spin_on; (void)cell; quotient(4, 2); """
        + body.replace("with(", "run(")
        + " return 0; }"
    )
    ran = project.record([str(program)])
    assert ran.status == 0 and [line(p) for p in ran.pins("quotient")] == ["quotient(4, 2) -> 2"]
    assert ran.pins("bump") == [] and ran.pins("run") == []
    assert any(reason in one for one in ran.reasons("bump") + ran.reasons("run")), ran.recording.left_out


@pytest.mark.parametrize("body", ["raise(SIGTRAP);", '__asm__("int3");'], ids=["sent", "an instruction"])
def test_traps_of_the_program_reach_it(project: Project, body: str) -> None:
    text = "#include <signal.h>\nstatic volatile int caught;\nstatic void handler(int s) { (void)s; caught++; }\n"
    program = project.build(
        LOGGING + text + f"int main(void) {{ signal(SIGTRAP, handler); rec(0); {body} rec(1); return 40 + caught; }}"
    )
    ran = project.record([str(program)])
    assert (ran.status, len(ran.pins("rec")) >= 2) == (41, True)
    program = project.build(LOGGING + text + f"int main(void) {{ (void)handler; rec(0); {body} return 0; }}")
    ran = project.record([str(program)])
    assert (ran.status, len(ran.pins("rec")) <= 1) == (-signal.SIGTRAP, True)


def test_what_cannot_be_seen_is_said(project: Project) -> None:
    program = project.build(LOGGING + "int main(void) { return rec(0); }", "-O0")
    ran = project.record([str(program)])
    assert ran.status == 0
    assert any("no debug information for" in p and "compile with -g" in p for p in ran.recording.problems)
    program = project.build(LOGGING + "int main(void) { return rec(0); }", "-g -O0 -static")
    ran = project.record([str(program)])
    assert ran.status == 0
    assert "statically linked" in ran.recording.problems[0]


@pytest.mark.parametrize("flags", ["-O2", "-O2 -flto"])
def test_what_was_put_into_its_callers_is_said(project: Project, flags: str) -> None:
    project.folder.joinpath("u.c").write_text(
        '#include "lib.c"\nint main(int c, char **v) { (void)v; return die(c) - 1; }\n'
    )
    project.run(f"gcc -g {flags} u.c -o u")
    ran = project.record(["./u"])
    assert ran.status == 0
    assert any("put it into its callers" in reason for reason in ran.reasons("die"))
    assert not ran.pins("die")


def test_a_program_that_gdb_may_not_watch_runs_and_it_is_said(project: Project) -> None:
    project.build(LOGGING + "int main(void) { return rec(0) + 3; }")
    (project.folder / "deny.c").write_text("""
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {4, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 99;
    execl("./t", "t", (char *)0);
    return 98;
}""")
    project.run("gcc deny.c -o deny")
    ran = project.record(["./deny"])
    assert ran.status == 3
    assert any("--cap-add=SYS_PTRACE" in problem for problem in ran.recording.problems)
    assert not ran.recording.calls


def test_what_was_written_before_gdb_was_killed_is_kept(project: Project) -> None:
    program = project.build(
        LOGGING
        + '#include <unistd.h>\nint main(void) { rec(0); puts("ready"); fflush(stdout); getchar(); return rec(0); }'
    )

    def kill(child: subprocess.Popen[str]) -> None:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        status = Path(f"/proc/{child.pid}/status").read_text()
        tracer = int(status.partition("TracerPid:")[2].split()[0])
        os.kill(tracer, signal.SIGKILL)
        while "TracerPid:\t0\n" not in Path(f"/proc/{child.pid}/status").read_text():
            time.sleep(0.01)

    ran = project.record([str(program)], stdin="\n", during=kill)
    assert [line(p) for p in ran.pins("rec")] == ["rec(0) -> 0"]
    assert ran.status == -signal.SIGTRAP
    assert any("gdb ended before the program did" in p for p in ran.recording.problems)


def test_a_program_that_outlives_the_command_is_said(project: Project) -> None:
    project.build(LOGGING + "#include <unistd.h>\nint main(void) { rec(0); sleep(60); return 0; }")
    ran = project.record(["sh", "-c", "./t >/dev/null 2>&1 & echo $!; sleep 2"])
    os.kill(int(ran.out), signal.SIGKILL)
    assert [line(p) for p in ran.pins("rec")] == ["rec(0) -> 0"]
    assert "t still runs after the command has ended: its later calls are missing" in ran.recording.problems


def test_googletest_in_cpp(project: Project) -> None:
    if not Path("/usr/include/gtest/gtest.h").exists():
        pytest.skip("needs libgtest-dev")
    project.build(
        """
#include <gtest/gtest.h>
#include "lib.h"
TEST(Rec, Doubles) { for (int i = 0; i < 3; i++) EXPECT_EQ(rec(i), 2 * i); }
TEST(Die, Aborts) { EXPECT_DEATH(die(-2), ""); }
""",
        compiler="g++",
        libs="-lgtest -lgtest_main",
    )
    ran = project.record(["./t"])
    assert ran.status == 0, ran.out + ran.err
    outer = [c for c in ran.calls("rec") if c.outermost]
    assert {line(c.pin) for c in outer} == {"rec(0) -> 0", "rec(1) -> 2", "rec(2) -> 4"}
    assert all(any(f.name == "Rec_Doubles_Test::TestBody" for f in c.frames) for c in outer)
    assert [p.outcome for p in ran.pins("die")] == [Failed("abort")]


FRAMEWORKS = {
    "cmocka": (
        "/usr/include/cmocka.h",
        """
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "lib.h"
static void test_rec(void **s) { (void)s; for (int i = 0; i < 2; i++) assert_int_equal(rec(i), 2 * i); }
int main(void) { const struct CMUnitTest t[] = {cmocka_unit_test(test_rec)}; return cmocka_run_group_tests(t, 0, 0); }
""",
        "-lcmocka",
        "test_rec",
    ),
    "Criterion": (
        "/usr/include/criterion/criterion.h",
        '#include <criterion/criterion.h>\n#include "lib.h"\n'
        "Test(suite, doubles) { for (int i = 0; i < 2; i++) cr_assert(rec(i) == 2 * i); }\n",
        "-lcriterion",
        "suite_doubles_impl",
    ),
}


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_frameworks(project: Project, framework: str) -> None:
    header, text, libs, frame = FRAMEWORKS[framework]
    if not Path(header).exists():
        pytest.skip(f"needs {framework}")
    project.build(text, libs=libs)
    ran = project.record(["./t"])
    assert ran.status == 0, ran.out + ran.err
    outer = [c for c in ran.calls("rec") if c.outermost]
    assert {line(c.pin) for c in outer} == {"rec(0) -> 0", "rec(1) -> 2"}
    assert all(any(f.name == frame for f in c.frames) for c in outer)


def test_sanitizers_start_under_the_preloaded_library(project: Project) -> None:
    program = project.build(LOGGING + "int main(void) { return rec(1) - 2; }", "-g -O0 -fsanitize=address,undefined")
    ran = project.record([str(program)])
    assert (ran.status, ran.err) == (0, "")
    assert len(ran.pins("rec")) == 2


def test_missing_tools_are_named(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(RecorderProblem, match="gdb was not found: install it"), project.recorder():
        pass
    (folder / "gdb").symlink_to("/usr/bin/gdb")
    project.cache = tmp_path / "empty"
    with pytest.raises(RecorderProblem, match="gcc was not found: install it"), project.recorder():
        pass


def test_a_function_of_the_same_name_in_another_file_is_not_taken(project: Project) -> None:
    one = "/*@ ensures \\true; */\nstatic __attribute__((noinline)) int twice(int x) { return FACTOR * x; }\n"
    (project.folder / "sub").mkdir()
    (project.folder / "util.c").write_text(one.replace("FACTOR", "2") + "int here(int x) { return twice(x); }\n")
    (project.folder / "sub/util.c").write_text(one.replace("FACTOR", "3") + "int there(int x) { return twice(x); }\n")
    (project.folder / "m.c").write_text("int here(int), there(int);\nint main(void) { return here(1) + there(10); }\n")
    project.run("gcc -g -O0 m.c util.c sub/util.c -o m")
    assert [line(p) for p in project.record(["./m"], source="util.c").pins("twice")] == ["twice(1) -> 2"]
    assert [line(p) for p in project.record(["./m"], source="sub/util.c").pins("twice")] == ["twice(10) -> 30"]


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        ("-fdebug-prefix-map={}=/elsewhere", "which is not found"),
        ("-fdebug-prefix-map={}=.", "which is not found"),
        ("-fdebug-prefix-map={}=OTHER", "built from another folder"),
    ],
    ids=["a path that is not there", "a relative folder", "another checkout"],
)
def test_a_file_that_is_not_the_workspaces_for_certain_is_refused(project: Project, flags: str, reason: str) -> None:
    other = project.folder.parent / "checkout"
    other.mkdir(exist_ok=True)
    (other / "lib.c").write_text(LIBRARY)
    flags = flags.replace("OTHER", str(other)).replace("{}", str(project.folder))
    project.build(LOGGING + "int main(void) { return rec(0); }", f"-g -O0 {flags}")
    ran = project.record(["./t"])
    assert ran.status == 0 and not ran.recording.calls
    assert any(reason in one for one in ran.reasons("rec")), ran.reasons("rec")


@pytest.mark.parametrize("place", ["m.c", "fakes.c", "tests/more.c"])
def test_a_fake_of_a_function_whose_contract_is_in_a_header_is_not_taken(project: Project, place: str) -> None:
    (project.folder / "tests").mkdir()
    (project.folder / "api.h").write_text("/*@ ensures \\result > 0; */\nint made(int x);\n")
    texts = {"m.c": '#include "api.h"\nint main(void) { return made(0); }\n'}
    texts[place] = '#include "api.h"\n' * (place != "m.c") + "int made(int x) { return x; }\n" + texts.get(place, "")
    texts["m.c"] = '#include "api.h"\n' + texts["m.c"]
    for name, text in texts.items():
        (project.folder / name).write_text(text)
    project.run(f"gcc -g -O0 -I. {' '.join(texts)} -o m")
    ran = project.record(["./m"], source="api.h")
    assert ran.status == 0 and not ran.recording.calls
    assert any("test file" in one for one in ran.reasons("made")), ran.reasons("made")


def test_a_function_whose_contract_is_in_a_header_is_recorded(project: Project) -> None:
    (project.folder / "api.h").write_text("/*@ ensures \\result >= 0; */\nint made(int x);\n")
    (project.folder / "real.c").write_text('#include "api.h"\nint made(int x) { return x; }\n')
    (project.folder / "m.c").write_text('#include "api.h"\nint main(void) { return made(0); }\n')
    project.run("gcc -g -O0 m.c real.c -o m")
    assert [line(p) for p in project.record(["./m"], source="api.h").pins("made")] == ["made(0) -> 0"]


def test_functions_that_were_folded_into_one_are_refused(project: Project) -> None:
    body = (
        "{ int s = 0; for (int i = 0; i < x; i++) { s += x * i; s ^= i << 3; if (s % 7 == 2) s += x / 3;"
        " if (s % 11 == 3) s -= x * 5; if (s > 1000) s /= 3; s += s * s % 17; } return s; }\n"
    )
    (project.folder / "f.c").write_text(
        f"/*@ requires x > 0; */\nint one(int x) {body}/*@ requires x > 9; */\nint same_as_one(int x) {body}"
        "/*@ requires x > 0; */\nstatic __attribute__((noinline)) int low(int x) { return x * x + 5; }\n"
        "/*@ requires x > 9; */\nstatic __attribute__((noinline)) int high(int x) { return x * x + 5; }\n"
        "int both(int x) { return low(x) + 2 * high(x + 9); }\n"
        "/*@ ensures \\true; */\nint own(int x) { return 3 * x + 2; }\n"
    )
    (project.folder / "m.c").write_text(
        "int one(int), same_as_one(int), own(int), both(int);\n"
        "int main(void) { return (one(1) + same_as_one(10) + own(1) + both(1)) & 0; }\n"
    )
    project.run("gcc -g -O2 f.c m.c -o m")
    ran = project.record(["./m"], source="f.c")
    assert ran.status == 0
    assert "own(1) -> 5" in [line(c.pin) for c in ran.recording.calls]
    assert [line(c.pin) for c in ran.recording.calls if c.pin.function in ("one", "low", "high")] == []
    for name in ("one", "low"):
        assert any("it has the same code as" in one for one in ran.reasons(name)), ran.recording.left_out


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-Os"])
def test_a_loop_to_the_first_byte_is_no_call(project: Project, level: str) -> None:
    (project.folder / "f.c").write_text(
        "/*@ ensures \\true; */\nvoid wipe(char *p) { do *p++ = 0; while (*p); }\n"
        "/*@ ensures \\true; */\nint plus(int x) { return x + 1; }\n"
    )
    (project.folder / "m.c").write_text(
        'void wipe(char *); int plus(int);\nint main(void) { char s[] = "abc"; wipe(s); return plus(0) - 1; }\n'
    )
    project.run(f"gcc -g {level} f.c m.c -o m")
    ran = project.record(["./m"], source="f.c")
    assert ran.status == 0 and [line(p) for p in ran.pins("plus")] == ["plus(0) -> 1"]
    assert [line(p, after_of="p") for p in ran.pins("wipe")] in ([], ["wipe([97,98,99,0]@0) -> void after [0,0,0,0]"])
    assert ran.pins("wipe") or any("the head of a loop" in one for one in ran.reasons("wipe"))
    assert level != "-O0" or ran.pins("wipe")


JUMPS = {
    "builtin": (
        "static void *back[5];\nint jump(int x) { if (x == 1) __builtin_longjmp(back, 1); return x; }\n"
        "void start(void) { for (volatile int i = 0; i < 3; i++)"
        " { if (!__builtin_setjmp(back)) total += with(jump, i); } }\n"
    ),
    "setcontext": (
        "#include <ucontext.h>\nstatic ucontext_t back; static volatile int i;\n"
        "int jump(int x) { if (x == 1) { i++; setcontext(&back); } return x; }\n"
        "void start(void) { getcontext(&back); while (i < 3) { with(jump, i); i++; } }\n"
    ),
}


LANDINGS = {
    "into its caller": "void start(int x) { if (!__builtin_setjmp(back)) with(jump, x); total++; }\n",
    "into its caller, in a loop": (
        "void start(int x) { for (volatile int i = 0; i < 1; i++) { __builtin_setjmp(back);"
        " with(jump, x == 1 && left++ ? 0 : x); } total++; }\n"
    ),
    "past its caller": (
        "__attribute__((noipa)) void inner(int x) { if (x >= 0) with(jump, x); total++; }\n"
        "void start(int x) { if (!__builtin_setjmp(back)) inner(x); inner(-1); total++; }\n"
    ),
    "out of a nested function": (
        "void start(int x) { __label__ out; auto int leave(int y); int leave(int y) { if (y == 1) goto out; return y; }"
        " hook = leave; with(hooked, x); out: total++; }\n"
    ),
}


@pytest.mark.parametrize("case", LANDINGS)
@pytest.mark.parametrize("flags", ["-g -O0", "-g -O2", "-g -O0 -no-pie -fno-pie", "-g -O1 -fcf-protection=full"])
def test_a_jump_to_where_a_call_returns_to_is_no_return(project: Project, case: str, flags: str) -> None:
    program = project.build(
        LOGGING
        + "static void *back[5];\nint jump(int x) { if (x == 1) __builtin_longjmp(back, 1); return x; }\n"
        + "static int left; int (*hook)(int); int hooked(int x) { return hook(x); }\n__attribute__((noipa)) "
        + LANDINGS[case]
        + "int main(void) { (void)jump; (void)left; (void)hooked; start(0); start(1); start(2); return rec(0); }",
        f"{flags} -Wl,-z,execstack",
    )
    ran = project.record([str(program)])
    assert ran.status == 0 and ran.recording.problems == ()
    made = [(show(dict(p.arguments)["x"], p, {}), line(p).rpartition("> ")[2]) for p in ran.pins("with")]
    assert list(dict.fromkeys(made)) == [("0", "0"), ("2", "2")]
    assert any("left by" in one or "took its place" in one for one in ran.reasons("with")), ran.recording.left_out


_ALL = {f"rec({i}) -> {2 * i}" for i in range(6)}
RELATIVE = {
    "linked by a relative path": ("./liblib.so", {}, ["./m"], _ALL),
    "LD_LIBRARY_PATH": ("-L. -llib", {"LD_LIBRARY_PATH": "."}, ["./m"], _ALL),
    "started from another folder": (
        "-L. -llib",
        {"LD_LIBRARY_PATH": "."},
        ["sh", "-c", "cd other && exec ../m"],
        set[str](),  # the library of that folder is another one, which was made of another source
    ),
}


@pytest.mark.parametrize("case", RELATIVE)
def test_libraries_that_are_named_from_the_folder_of_the_program_are_watched(project: Project, case: str) -> None:
    link, more, command, expected = RELATIVE[case]
    (project.folder / "m.c").write_text(
        "#include <sys/wait.h>\n#include <unistd.h>\nint rec(int);\n"
        'int main(void) { rec(0); chdir("/"); if (fork() == 0) { rec(5); _exit(0); } wait(0); return 0; }\n'
    )
    (project.folder / "other").mkdir()
    (project.folder / "o.c").write_text("int rec(int n) { return n + 77; }\n")
    project.run("gcc -g -O0 -shared -fPIC lib.c -o liblib.so")
    project.run("gcc -g -O0 -shared -fPIC o.c -o other/liblib.so")
    project.run(f"gcc -w -g -O0 m.c {link} -o m")
    ran = project.record(command, RecordLimits(slowdown=50), extra=more)
    assert (ran.status, {line(p) for p in ran.pins("rec")}) == (0, expected), ran.recording.problems


OTHER_MACROS = {
    "a value": ("int f(int x) { return x > LIMIT ? LIMIT : x; }", "-DLIMIT=3", "-DLIMIT=4", ""),
    "a branch": ("#ifdef B\nint f(int x) { return x; }\n#else\nint f(int x) { return -x; }\n#endif", "-DB", "", ""),
    "a wider type": ("int f(TYPE x) { return x > 5; }", "-DTYPE=int", "-DTYPE=long", ""),
    "a wider type, otherwise optimised": ("int f(TYPE x) { return x > 5; }", "-DTYPE=int", "-DTYPE=long -O2", ""),
    "a struct": ("struct s { TYPE a; int b; };\nint f(struct s *s) { return s->b; }", "-DTYPE=int", "-DTYPE=long", ""),
    "a macro that does not matter": ("int f(int x) { return x + y; }", "-DOTHER", "", "f"),
    "optimisation": ("int f(int x) { return x + y; }", "-O0", "-O2", "f"),
    "other addresses": ('int f(int x) { return x + y + q() + *"abc" + (p != 0); }', "-O0 -DOTHER", "-O0", "f"),
    "no PIE": ('int f(int x) { return x + y + q() + *"abc"; }', "-O2 -fno-pie -DOTHER", "-O2 -fno-pie", "f"),
    "position independent": ("int f(int x) { return x + y + q() + (p == &y); }", "-fPIC", "-fPIC -DOTHER", "f"),
}


@pytest.mark.parametrize("case", OTHER_MACROS)
def test_functions_of_a_source_that_was_compiled_twice_are_not_mixed(project: Project, case: str) -> None:
    text, one, other, kept = OTHER_MACROS[case]
    unit = "extern int y, *p; int q(void);\n/*@ ensures \\true; */\nint same(int z) { return z; }\n"
    at = text.index("int f(")
    head = text[:at] if "#" not in text else ""
    text = text[at:] if "#" not in text else text
    marked = text.replace("int f(", "/*@ ensures \\true; */\nint f(")
    (project.folder / "f.c").write_text(unit + head + marked + "\nint (*g)() = (int (*)())f;\n")
    for name, more in (("m1", ""), ("m2", "int more[5000] = {3}; int much(void) { return more[3] * 17; }\n")):
        (project.folder / f"{name}.c").write_text(
            f"{more}int y = 4, *p = &y; int q(void) {{ return 0; }}\nextern int (*g)(); int same(int);\n"
            "int main(void) { static long z[2] = {5, 5}; same(1);"
            + (" g(z);" if "struct" in case else " g(5);")
            + " return 0; }\n"
        )
    pie = "-no-pie -fno-pie" if "PIE" in case else "-pie -fPIE"
    shared = "position" in case
    for name, flags in (("m1", one), ("m2", other)):
        flags = f"-g {flags}" if "fPIC" in flags or "PIE" in case else f"-g -fPIE {flags}"
        if shared and name == "m1":
            project.run(f"gcc -w {flags} -shared f.c -o libf.so")
            project.run(f"gcc -w -g {pie} m1.c ./libf.so -o m1")
        else:
            project.run(f"gcc -w {flags} -c f.c -o {name}_f.o")
            project.run(f"gcc -w -g {pie} {name}.c {name}_f.o -o {name}")
    ran = project.record(["sh", "-c", "./m1; ./m2"], source="f.c")
    assert ran.status == 0 and len(ran.pins("same")) >= 1
    if kept:
        assert len(ran.pins("f")) >= 1 and not ran.reasons("f")
    else:
        assert not ran.pins("f")
        assert any("compiled in different ways (m1, m2)" in one for one in ran.reasons("f")), ran.recording.left_out


@pytest.mark.parametrize("case", JUMPS)
def test_a_call_that_was_left_and_made_again_has_no_outcome(project: Project, case: str) -> None:
    program = project.build(LOGGING + JUMPS[case] + "int main(void) { start(); return rec(0); }")
    ran = project.record([str(program)])
    assert ran.status == 0
    made = [(show(dict(p.arguments)["x"], p, {}), line(p).rpartition("> ")[2]) for p in ran.pins("with")]
    assert made == [("0", "0"), ("2", "2")]
    assert len(ran.reasons("with")) == 1


@pytest.mark.parametrize("flags", ["-g -O0", "-g -O0 -no-pie -fno-pie"])
def test_a_program_that_starts_itself_again_is_watched_again_without_a_word(project: Project, flags: str) -> None:
    program = project.build(
        LOGGING + "#include <unistd.h>\nint main(int count, char **v) {\n"
        '    (void)v; rec(0); if (count == 1) execl("/proc/self/exe", "t", "again", (char *)0); return rec(1);\n}',
        flags,
    )
    ran = project.record([str(program)])
    assert (ran.status, ran.err, ran.recording.problems, ran.recording.programs) == (2, "", (), 2)
    assert {line(p) for p in ran.pins("rec")} == {"rec(0) -> 0", "rec(1) -> 2"}


NOT_FOUND = {
    "a library that is loaded later": (
        "m.c",
        '#include <dlfcn.h>\nint main(void) { void *l = dlopen("./liblib.so", RTLD_NOW);'
        ' int (*f)(int) = dlsym(l, "rec"); return f(0); }',
    ),
    "another function of C": ("m.c", "int rec(int x) { return x; }\nint main(void) { return rec(0); }"),
    "a function of C++": ("m.cpp", "int rec(int x) { return x; }\nint main() { return rec(0); }"),
    "a function in a namespace": (
        "m.cpp",
        "namespace n { int rec(int x) { return x; } }\nint main() { return n::rec(0); }",
    ),
}


@pytest.mark.parametrize("case", NOT_FOUND)
def test_why_no_function_was_found_is_said_rightly(project: Project, case: str) -> None:
    name, text = NOT_FOUND[case]
    (project.folder / name).write_text(text)
    project.run("gcc -g -O0 -shared -fPIC lib.c -o liblib.so")
    project.run(f"{'g++' if name.endswith('cpp') else 'gcc'} -g -O0 {name} -o m")
    ran = project.record(["./m"])
    assert ran.status == 0 and not ran.recording.calls and not ran.reasons("rec")
    (problem,) = ran.recording.problems
    assert "dlopen" in problem and "other functions of the same name" in problem


POINTERS = {
    "int n, int p[n][n]": "an array of unknown length",
    "int n, void *p": "memory of type void",
    "int n, union u *p": "unions are not supported",
    "int n, struct opaque *p": "a type of which the program does not say what it holds",
}


@pytest.mark.parametrize("parameters", POINTERS)
def test_why_a_pointer_is_not_known_is_said(project: Project, parameters: str) -> None:
    (project.folder / "f.c").write_text(
        f"union u {{ int i; float f; }};\n/*@ ensures \\true; */\nint f({parameters}) {{ return n + (p != 0); }}\n"
        "int main(void) { union u a[4] = {{3}}, *b[2] = {a, a}; f(2, (void *)b); return 0; }\n"
    )
    project.run("gcc -w -g -O0 f.c -o f")
    ran = project.record(["./f"], source="f.c")
    (reason,) = ran.reasons("f")
    assert reason == f"the pointer of argument p is not known ({POINTERS[parameters]})"


def test_a_pointer_in_memory_that_leads_to_what_is_not_supported_is_not_known(project: Project) -> None:
    (project.folder / "f.c").write_text(
        "#include <stdio.h>\nunion u { int i; float f; };\nstruct s { union u *u; FILE *file; void *any; int n; };\n"
        "/*@ ensures \\true; */\nint f(struct s *p) { return p->n++; }\n"
        "int main(void) { union u one = {3}; struct s s = {&one, stderr, &one, 7}; f(&s); return 0; }\n"
    )
    project.run("gcc -w -g -O0 f.c -o f")
    ran = project.record(["./f"], source="f.c")
    (pin,) = ran.pins("f")
    (block,) = pin.blocks
    assert [leaf for _, leaf in leaves(block.value)] == [
        Unknown("union u *"),
        Unknown("struct _IO_FILE *"),
        Unknown("void *"),
        Integer(7, "int", 32, True),
    ]


CELLS = {
    "one that is taken": "requires \\valid_read(s); ensures *s == 'a' ==> \\result == 97;",
    "a range of one": "requires \\valid_read(s + (0 .. 0));",
}


@pytest.mark.parametrize("case", CELLS)
def test_one_character_is_recorded_where_the_contract_means_no_more(project: Project, case: str) -> None:
    (project.folder / "f.c").write_text(
        f"/*@ {CELLS[case]} */\nint f(const char *s) {{ return *s; }}\n"
        "int main(void) { char text[3] = {'a', 'b', 0}; return f(text) + f(text + 1); }\n"
    )
    project.run("gcc -g -O0 f.c -o f")
    ran = project.record(["./f"], source="f.c")
    cells = [block.value for call in ran.recording.calls for block in call.pin.blocks]
    ends = [(Integer(code, "char", 8, True),) for code in (97, 98)]
    assert cells == [Array("char", end) for end in ends], ran.recording.left_out


KINDS = {
    "char without sign": ("-funsigned-char", "int f(char c) { return c; }", "f(5)", "-funsigned-char"),
    "no prototype": ("", "int f(x, c) float x; char c; { return x + c; }", "f(1.5, 2)", "without a prototype"),
    "byte order": (
        "",
        'struct __attribute__((scalar_storage_order("big-endian"))) be { int x; };\n'
        "/*@ requires \\valid(p); */\nint f(struct be *p) { return p->x; }",
        "g()",
        "not known",
    ),
    "one character of a string": (
        "",
        "/*@ requires \\valid_read(s); */\nint f(const char *s) { return s[1]; }",
        'f("ab")',
        "a string may be",
    ),
}


@pytest.mark.parametrize("case", KINDS)
def test_what_the_pin_could_not_say_rightly_is_left_out(project: Project, case: str) -> None:
    flags, text, call, reason = KINDS[case]
    contract = "" if "/*@" in text else "/*@ ensures \\true; */\n"
    more = "\nint g(void) { struct be b = {1}; return f(&b); }" if case == "byte order" else ""
    more += "\n/*@ ensures \\true; */\nint plain(signed char c, int x) { return c + x; }\n"
    (project.folder / "f.c").write_text("int y = 3;\n" + contract + text + more)
    (project.folder / "m.c").write_text(
        f"int f(), g(), plain(signed char, int);\nint main(void) {{ {call}; return plain(1, -1); }}\n"
    )
    project.run(f"gcc -g -O0 -std=gnu99 -w {flags} f.c m.c -o m")
    ran = project.record(["./m"], source="f.c")
    assert ran.status == 0 and [line(c.pin) for c in ran.recording.calls] == ["plain(1, -1) -> 0"]
    assert any(reason in one for one in ran.reasons("f")), ran.recording.left_out
