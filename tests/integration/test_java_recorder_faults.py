"""The Java recorder where things go wrong: calls that never end, huge values, threads, a recorder that is killed."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest
from clausefit.hook.pins.values import Failed, Text, Unknown
from clausefit.hook.record.hiding import hidden, hidden_texts
from clausefit.hook.record.watched import RecorderProblem, RecordLimits
from java_recording import UNHURRIED, compiled, pin_text, record, record_java, recorder_of, write

HEAD = "package p;\nimport java.util.*;\npublic class Main {\n"
QUICK = replace(UNHURRIED, call_seconds=2.0)


def program(body: str) -> dict[str, str]:
    return {"src/p/Main.java": HEAD + body + "\n}\n"}


def wait_for(port: int) -> None:
    """Until somebody listens there (again)."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5):
                return
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise TimeoutError(port)


ENDLESS = """
    static volatile int n;
    //@ requires k > 0;
    static void spin(int k) { while (k == 0) { n++; } }
    public static void main(String[] args) { spin(1); spin(0); }
"""
ASLEEP = """
    //@ requires k > 0;
    static void rest(int k) throws Exception { while (k == 0) { Thread.sleep(50); } }
    public static void main(String[] args) throws Exception { rest(1); rest(0); }
"""


@pytest.mark.parametrize(
    ("body", "limits", "ends"),
    [
        pytest.param(ENDLESS, QUICK, ["Returned", "timeout"], id="it loops for ever"),
        pytest.param(ENDLESS, UNHURRIED, ["Returned"], id="it may have been killed too early"),
        pytest.param(ASLEEP, QUICK, ["Returned"], id="it waits for something"),
    ],
)
def test_a_call_that_never_returns(
    body: str, limits: RecordLimits, ends: list[str], tmp_path: Path, shared_cache: Path
) -> None:
    write(tmp_path, program(body))
    out = compiled(tmp_path)
    found = record(tmp_path, shared_cache, ["java", "-cp", str(out), "p.Main"], limits, seconds=12)
    assert found.status is None
    outcomes = [call.pin.outcome for call in found.recording.calls]
    assert [one.kind if isinstance(one, Failed) else type(one).__name__ for one in outcomes] == ends
    assert bool(found.left_out) == (len(ends) == 1)


DAEMON = """
    static volatile int n;
    //@ requires k > 0;
    static void spin(int k) { while (k == 0) { n++; } }
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> spin(0)); t.setDaemon(true); t.start(); Thread.sleep(4500); END
    }
"""
COMPUTES = """
    //@ requires ms > 0;
    static long busy(long ms) {
        long end = System.nanoTime() + ms * 1_000_000;
        while (System.nanoTime() < end) { Thread.onSpinWait(); }
        return ms;
    }
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> busy(60_000)); t.start(); Thread.sleep(4500); System.exit(0);
    }
"""


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(DAEMON.replace("END", ""), id="a daemon, when the program is done"),
        pytest.param(DAEMON.replace("END", "System.exit(0);"), id="a daemon, when the program exits"),
        pytest.param(DAEMON.replace("END", "Thread.sleep(60_000);"), id="a daemon, when the program is killed"),
        pytest.param(COMPUTES, id="a thread that is no daemon, when the program exits"),
    ],
)
def test_a_call_that_nobody_waited_for_does_not_count(body: str, tmp_path: Path, shared_cache: Path) -> None:
    write(tmp_path, program(body))
    out = compiled(tmp_path)
    found = record(tmp_path, shared_cache, ["java", "-cp", str(out), "p.Main"], QUICK, seconds=12)
    assert found.pins == []
    assert list(found.left_out.values()) == ["the program or its thread ended before it came back"]


LATE = """
    static volatile int n;
    //@ requires k > 0;
    static void spin(int k) { while (n < k) { } }
    public static void main(String[] args) {
        for (long from = System.nanoTime(); System.nanoTime() - from < 6_000_000_000L; ) { }
        spin(3);
    }
"""


@pytest.mark.parametrize(
    ("body", "ends", "reasons"),
    [
        pytest.param(ENDLESS, ["Returned", "timeout"], [], id="it has lasted nearly as long as all"),
        pytest.param(LATE, [], ["--limit ended the command inside of it"], id="it began late"),
        pytest.param(ASLEEP, ["Returned"], ["--limit ended the command inside of it"], id="it waits for something"),
    ],
)
def test_a_call_under_way_when_the_limit_ends_the_command(
    body: str, ends: list[str], reasons: list[str], tmp_path: Path, shared_cache: Path
) -> None:
    write(tmp_path, program(body))
    out = compiled(tmp_path)
    command = ["java", "-cp", str(out), "p.Main"]
    found = record(tmp_path, shared_cache, command, UNHURRIED, seconds=8, is_limit=True)
    assert found.status is None
    outcomes = [call.pin.outcome for call in found.recording.calls]
    assert [one.kind if isinstance(one, Failed) else type(one).__name__ for one in outcomes] == ends
    assert list(found.left_out.values()) == reasons


def test_a_call_that_ends_the_program_is_left_out(tmp_path: Path, shared_cache: Path) -> None:
    body = """
    //@ requires true;
    static void leave(int k) { System.exit(k); }
    public static void main(String[] args) { leave(3); }"""
    found = record_java(tmp_path, shared_cache, program(body), "p.Main")
    assert found.status == 3
    assert found.recording.calls == ()
    assert found.left_out == {"Main.leave(int)": "the program or its thread ended before it came back"}


def test_a_method_that_computes_for_long_is_let_go(tmp_path: Path, shared_cache: Path) -> None:
    """Only interpreted, each of the two would take minutes."""
    body = """
    static double sink;
    //@ requires true;
    static double sum(long n) { double s = 0; for (long i = 0; i < n; i++) s += i % 7; return s; }
    //@ requires true;
    static void fill(long n, int[] a) { double s = 0; for (long i = 0; i < n; i++) s += i % 7; sink = s; a[0] = 5; }
    public static void main(String[] args) {
        sum(3); sum(3000000000L); fill(2, new int[1]); fill(3000000000L, new int[2]);
    }"""
    found = record_java(tmp_path, shared_cache, program(body), "p.Main")
    assert found.status == 0
    assert [pin for pin in found.pins if "sum" in pin] == ["Main.sum(long): n=3L -> 3.0"]
    assert any(pin.startswith("Main.fill(long, int[]): n=3000000000L") and "=[5, 0]" in pin for pin in found.pins)
    assert found.left_out == {"Main.sum(long)": "how it ended was not seen"}


def test_values_beyond_the_limits_are_not_known(tmp_path: Path, shared_cache: Path) -> None:
    body = """
    static class Link { Link next; int n; Link(Link next, int n) { this.next = next; this.n = n; } }
    //@ requires true;
    static int huge(String s, int[] a, Link l, List<Integer> big, char c) { return s.length() + a.length; }
    public static void main(String[] args) {
        Link l = null;
        for (int i = 0; i < 100; i++) l = new Link(l, i);
        List<Integer> big = new ArrayList<>();
        for (int i = 0; i < 100000; i++) big.add(i);
        huge("x".repeat(10 << 20), new int[10 << 20], l, big, (char) 0xd800);
        huge("" + (char) 0xdc00 + "z" + (char) 0xd801 + (char) 0, new int[0], null, null, 'c');
    }"""
    found = record_java(tmp_path, shared_cache, program(body), "p.Main")
    assert found.status == 0
    first, second = (dict(call.pin.arguments) for call in found.recording.calls)
    assert isinstance(first["s"], Unknown) and isinstance(first["a"], Unknown) and isinstance(first["big"], Unknown)
    assert second["s"] == Text("\udc00z\ud801\0")
    chain = [block.value for block in found.recording.calls[0].pin.blocks]
    assert len(chain) == RecordLimits().depth
    assert "next: ?" in found.pins[0]


def test_threads_have_calls_of_their_own(tmp_path: Path, shared_cache: Path) -> None:
    body = """
    //@ requires true;
    static int own(int k, String s) { return k + s.length(); }
    public static void main(String[] args) throws Exception {
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < 4; t++) { int n = t; all.add(new Thread(() -> {
            for (int i = 0; i < 5; i++) own(10 * n + i, "ab");
        })); }
        for (Thread t : all) t.start();
        for (Thread t : all) t.join();
    }"""
    found = record_java(tmp_path, shared_cache, program(body), "p.Main")
    assert set(found.pins) == {
        f'Main.own(int, String): k={10 * n + i}, s="ab" -> {10 * n + i + 2}' for n in range(4) for i in range(5)
    }
    assert all(call.outermost for call in found.recording.calls)
    assert found.left_out == {}


BESIDE = "another thread ran code of the project meanwhile"
SIZE = """
    static class S { private int n;
        //@ ensures \\result == n && n == \\old(n); assignable \\nothing;
        public synchronized int size() { return n; }
        public synchronized void bump() { n++; }
    }
"""
UNWATCHED_THREADS = {
    "it loops in code of the project": """
    public static void main(String[] args) throws Exception {
        S s = new S();
        Thread t = new Thread(() -> { while (!Thread.currentThread().isInterrupted()) s.bump(); });
        t.start();
        for (int i = 0; i < 30; i++) s.size();
        t.interrupt(); t.join();
    }""",
    "a pool runs short tasks of the project": """
    public static void main(String[] args) throws Exception {
        S s = new S();
        var pool = java.util.concurrent.Executors.newScheduledThreadPool(1);
        pool.scheduleWithFixedDelay(s::bump, 0, 1, java.util.concurrent.TimeUnit.MICROSECONDS);
        for (int i = 0; i < 30; i++) s.size();
        pool.shutdownNow();
    }""",
    "a timer runs short tasks of the project": """
    public static void main(String[] args) throws Exception {
        S s = new S();
        Timer timer = new Timer();
        timer.schedule(new TimerTask() { public void run() { s.bump(); } }, 0, 1);
        for (int i = 0; i < 30; i++) s.size();
        timer.cancel();
    }""",
}


@pytest.mark.parametrize("body", [pytest.param(body, id=name) for name, body in UNWATCHED_THREADS.items()])
def test_what_a_thread_without_watched_calls_changes_is_not_the_calls(
    body: str, tmp_path: Path, shared_cache: Path
) -> None:
    found = record_java(tmp_path, shared_cache, program(SIZE + body), "p.Main")
    assert found.status == 0
    for pin in found.pins:
        before, _, rest = pin.partition(" -> ")
        assert before.endswith(f"{{n: {rest}}}"), pin
    assert set(found.left_out.values()) == {BESIDE}


def test_threads_that_run_no_code_of_the_project_take_nothing_away(tmp_path: Path, shared_cache: Path) -> None:
    body = """
    public static void main(String[] args) throws Exception {
        var pool = java.util.concurrent.Executors.newFixedThreadPool(1);
        pool.submit(() -> 1).get();
        Thread.sleep(300);
        S s = new S();
        for (int i = 0; i < 30; i++) { s.size(); s.bump(); }
        pool.shutdownNow();
    }"""
    found = record_java(tmp_path, shared_cache, program(SIZE + body), "p.Main")
    assert len(found.pins) == 30
    assert found.left_out == {}


def test_threads_that_share_an_object_give_no_wrong_pin(tmp_path: Path, shared_cache: Path) -> None:
    body = """
    static class Counter { int n;
        //@ ensures n == \\old(n) + 1;
        synchronized void up() { n++; }
    }
    public static void main(String[] args) throws Exception {
        Counter c = new Counter();
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < 4; t++) all.add(new Thread(() -> { for (int i = 0; i < 300; i++) c.up(); }));
        for (Thread t : all) t.start();
        for (Thread t : all) t.join();
        System.out.println("LOG " + c.n);
    }"""
    found = record_java(tmp_path, shared_cache, program(body), "p.Main")
    assert found.log == ("1200",)
    for pin in found.pins:
        before, after = (int(part.partition("n: ")[2].partition("}")[0]) for part in pin.split("->"))
        assert after == before + 1, pin


def test_caps_give_full_speed_back(tmp_path: Path, shared_cache: Path) -> None:
    body = """
    //@ requires true;
    static int hot(int k) { return k + 1; }
    public static void main(String[] args) {
        long s = 0;
        for (int i = 0; i < 200_000_000; i++) s += hot(i);
        System.out.println("LOG " + s);
    }"""
    limits = replace(UNHURRIED, distinct_calls=10)
    found = record_java(tmp_path, shared_cache, program(body), "p.Main", limits=limits)
    assert found.log == (str(sum(range(1, 200_000_001))),)
    assert len(found.recording.calls) == 10


def test_every_jvm_that_is_started_is_watched(tmp_path: Path, shared_cache: Path) -> None:
    body = """
    //@ requires true;
    static int f(int k) { return -k; }
    public static void main(String[] args) throws Exception {
        f(args.length);
        if (args.length < 2) {
            List<String> command = new ArrayList<>(List.of("java", "-cp", "out", "p.Main", "x"));
            command.addAll(Arrays.asList(args));
            new ProcessBuilder(command).inheritIO().start().waitFor();
        }
    }"""
    write(tmp_path, program(body))
    compiled(tmp_path)
    found = record(
        tmp_path, shared_cache, ["java", "-cp", "out", "p.Main"], environment={"JAVA_TOOL_OPTIONS": "-Dmine=1"}
    )
    assert found.recording.programs == 3
    assert sorted(found.pins) == [f"Main.f(int): k={k} -> {-k}" for k in range(3)]
    assert {call.program for call in found.recording.calls} == {"p.Main"}


def test_methods_without_code_are_watched_where_they_are_implemented(tmp_path: Path, shared_cache: Path) -> None:
    body = """
    interface Shape {
        //@ ensures \\result >= 0;
        int area(int k);
    }
    static class Square implements Shape { public int area(int k) { return k * k; } }
    static abstract class Half implements Shape { }
    static class Line extends Half { public int area(int k) { return 0; } }
    public static void main(String[] args) {
        Shape lambda = k -> 7;
        for (Shape s : List.of(new Square(), new Line(), lambda)) s.area(3);
    }"""
    found = record_java(tmp_path, shared_cache, program(body), "p.Main")
    assert sorted(pin.partition(" -> ")[2] for pin in found.pins) == ["0", "9"]


def test_without_names_of_variables(tmp_path: Path, shared_cache: Path) -> None:
    body = """
    //@ requires true;
    static int f(int k, int[] a) { a[0] = k; return k > 2 ? a.length : -1; }
    public static void main(String[] args) { f(3, new int[2]); f(1, new int[1]); }"""
    found = record_java(tmp_path, shared_cache, program(body), "p.Main", "-g:lines")
    assert found.pins == [
        "Main.f(int, int[]): k=3, a=m0; m0=[0, 0] -> 2; m0=[3, 0]",
        "Main.f(int, int[]): k=1, a=m0; m0=[0] -> -1; m0=[1]",
    ]


def test_classes_that_are_older_than_the_sources_are_told(tmp_path: Path, shared_cache: Path) -> None:
    write(tmp_path, program("static int f(int k) { return k; } public static void main(String[] a) { f(1); }"))
    out = compiled(tmp_path)
    write(tmp_path, program("//@ requires true;\n static int f(long k) { return 1; }"))
    found = record(tmp_path, shared_cache, ["java", "-cp", str(out), "p.Main"])
    assert found.recording.problems == (
        "p.Main.f(long) is not in the class that runs: compile the tests and sources anew",
    )


@pytest.mark.parametrize("idle", [pytest.param(0.0, id="just come"), pytest.param(1.5, id="idle")])
def test_a_recorder_that_is_killed_lets_the_program_go_on(idle: float, tmp_path: Path, shared_cache: Path) -> None:
    body = """
    //@ requires true;
    static int f(int k) { return k + 1; }
    public static void main(String[] args) throws Exception {
        f(1);
        System.out.println("ready"); System.out.flush();
        System.in.read();
        System.out.println("f " + f(2));
        if (args.length == 0)
            new ProcessBuilder("java", "-cp", "out", "p.Main", "x").inheritIO().start().waitFor();
    }"""
    write(tmp_path, program(body))
    compiled(tmp_path)
    with recorder_of(tmp_path, shared_cache) as recorder:
        child = subprocess.Popen(
            ["java", "-cp", "out", "p.Main"],
            cwd=tmp_path,
            env={**os.environ, **recorder.environment()},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert child.stdin is not None and child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        assert recorder._program is not None
        time.sleep(idle)
        os.kill(recorder._program.pid, signal.SIGKILL)
        wait_for(int(recorder.environment()["JAVA_TOOL_OPTIONS"].rpartition(":")[2]))
        output, _ = child.communicate("\n", timeout=60)
        recording = recorder.finish()
    assert child.returncode == 0
    assert output == "f 3\nready\nf 3\n"
    assert [call.pin.arguments[0][1].value for call in recording.calls] == [1]  # type: ignore[union-attr]
    assert len(recording.problems) == 1 and "record again" in recording.problems[0]


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        pytest.param("java", "java was not found: install a JDK", id="no Java at all"),
        pytest.param("javac", "javac was not found: install a JDK", id="a runtime only"),
    ],
)
def test_without_a_jdk(missing: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, program("//@ requires true;\n static int f(long k) { return 1; }"))
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    for name in {"java", "javac"} - {missing}:
        (bin_folder / name).symlink_to(subprocess.check_output(["which", name], text=True).strip())
    monkeypatch.setenv("PATH", str(bin_folder))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(RecorderProblem, match=said), recorder_of(tmp_path, tmp_path / "cache"):
        pass


def test_the_test_is_among_the_frames_of_a_deep_recursion(tmp_path: Path, shared_cache: Path) -> None:
    body = """
    //@ requires true;
    static int f(int k) { return k + 1; }
    static int down(int k) { return k == 0 ? f(0) : down(k - 1); }
    public static void main(String[] args) { down(400); }"""
    found = record_java(tmp_path, shared_cache, program(body), "p.Main")
    (call,) = found.recording.calls
    assert [call.frames[0].name, call.frames[-1].name] == ["down", "main"]


def test_a_stack_that_overflows_gives_no_wrong_pin(tmp_path: Path, shared_cache: Path) -> None:
    body = """
    //@ requires true;
    static int f(int k) { return k < 0 ? 0 : f(k + 1) + 1; }
    //@ requires true;
    static boolean safe(int k) { try { f(k); return true; } catch (StackOverflowError e) { return false; } }
    public static void main(String[] args) { safe(1); safe(-1); }"""
    found = record_java(tmp_path, shared_cache, program(body), "p.Main")
    assert found.status == 0
    assert [pin for pin in found.pins if "-> " in pin and "throws" not in pin and "k=-1" not in pin] in (
        [],
        ["Main.safe(int): k=1 -> false"],
    )


def test_many_exceptions_within_a_call(tmp_path: Path, shared_cache: Path) -> None:
    body = """
    //@ requires true;
    static int f(int n) {
        int caught = 0;
        for (int i = 0; i < n; i++) { try { throw new RuntimeException(); } catch (RuntimeException e) { caught++; } }
        return caught;
    }
    public static void main(String[] args) { f(20); f(100000); f(3); }"""
    found = record_java(tmp_path, shared_cache, program(body), "p.Main")
    assert found.pins == ["Main.f(int): n=20 -> 20", "Main.f(int): n=3 -> 3"]
    assert found.left_out == {"Main.f(int)": "too many exceptions are thrown and caught within the call"}


def test_a_full_disk_is_told_and_what_was_written_counts(tmp_path: Path, shared_cache: Path) -> None:
    body = """
    //@ requires true;
    static long f(long[] a) { return a[0]; }
    public static void main(String[] args) {
        for (int i = 0; i < 60; i++) { long[] a = new long[64]; a[0] = i; f(a); }
        System.out.println("LOG end");
    }"""
    write(tmp_path, program(body))
    compiled(tmp_path)
    with recorder_of(tmp_path, shared_cache):
        pass  # its classes are there from now on
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, hard))  # to a process all one: no room for more
    try:
        found = record(tmp_path, shared_cache, ["java", "-cp", "out", "p.Main"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert found.log == ("end",)
    assert 0 < len(found.recording.calls) < 60
    assert any("make room" in problem for problem in found.recording.problems)


def test_a_tool_that_is_killed_leaves_the_programs_running(tmp_path: Path, shared_cache: Path) -> None:
    """The recorder alone is left: it lets go what is connected, and what connects later."""
    body = """
    //@ requires true;
    static int f(int k) { return k + 1; }
    public static void main(String[] args) throws Exception {
        System.out.println("ready"); System.out.flush();
        System.in.read();
        System.out.println("f " + f(2));
        if (args.length == 0)
            new ProcessBuilder("java", "-cp", "out", "p.Main", "x").inheritIO().start().waitFor();
    }"""
    write(tmp_path, program(body))
    compiled(tmp_path)
    with recorder_of(tmp_path, shared_cache) as recorder:
        assert recorder._program is not None
        child = subprocess.Popen(
            ["java", "-cp", "out", "p.Main"],
            cwd=tmp_path,
            env={**os.environ, **recorder.environment()},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        source = recorder._program._streams()[0]
        source.close()  # as when this process is gone
        output, _ = child.communicate("\n", timeout=60)
        assert (child.returncode, output) == (0, "f 3\nready\nf 3\n")
        os.kill(recorder._program.pid, signal.SIGKILL)


def test_a_loop_back_to_the_start_of_a_method_does_not_stop_the_program_each_time(
    tmp_path: Path, shared_cache: Path
) -> None:
    body = """
    //@ requires true;
    static long drop(long k) { while (k > 7) { k--; } return k; }
    public static void main(String[] args) { drop(9); drop(400000000L); drop(3); }"""
    found = record_java(tmp_path, shared_cache, program(body), "p.Main")
    assert found.status == 0
    assert found.pins[0] == "Main.drop(long): k=9L -> 7L"
    assert set(found.pins[1:]) <= {"Main.drop(long): k=400000000L -> 7L", "Main.drop(long): k=3L -> 3L"}


REPLACED = {
    "a class cannot be initialised, caught inside": """
    static class Conf { static int v = Integer.parseInt("bad"); }
    //@ requires k > 0; ensures \\result == 1;
    public static int cfg(int k) { try { return Conf.v; } catch (ExceptionInInitializerError e) { return 1; } }
    public static void main(String[] args) { cfg(1); }""",
    "a class cannot be initialised, at a call of its method, which escapes": """
    static class Conf { static int v = Integer.parseInt("bad"); static int get() { return v; } }
    //@ requires true;
    public static int cfg(int k) { return Conf.get(); }
    public static void main(String[] args) { try { cfg(1); } catch (Throwable e) { } }""",
    "a class cannot be loaded": """
    public static class Part { static int v() { return 1; } }
    public static class Whole {
        //@ requires true;
        public static int cfg(int k) { return Part.v(); }
    }
    static class Loader extends ClassLoader {
        Loader() { super(null); }
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (!name.endsWith("Whole")) throw new ClassNotFoundException(name);
            try (var in = Main.class.getResourceAsStream("Main$Whole.class")) {
                byte[] code = in.readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (java.io.IOException e) { throw new ClassNotFoundException(name); }
        }
    }
    public static void main(String[] args) throws Exception {
        var cfg = new Loader().loadClass("p.Main$Whole").getMethod("cfg", int.class);
        try { cfg.invoke(null, 1); } catch (java.lang.reflect.InvocationTargetException e) {
            System.out.println("LOG " + e.getCause().getClass().getName());
        }
    }""",
}


@pytest.mark.parametrize("body", [pytest.param(body, id=name) for name, body in REPLACED.items()])
def test_an_exception_that_the_jvm_replaces_is_not_what_the_call_threw(
    body: str, tmp_path: Path, shared_cache: Path
) -> None:
    found = record_java(tmp_path, shared_cache, program(body), "p.Main")
    assert found.status == 0
    (true_end,) = found.log or ("java.lang.ExceptionInInitializerError",)
    ends = [pin.partition("-> ")[2] for pin in found.pins]
    assert set(ends) <= {"1", f"throws {true_end}"}
    assert len(ends) + len(found.left_out) == 1


def test_calls_of_tests_without_line_numbers_are_left_out_in_one_line(tmp_path: Path, shared_cache: Path) -> None:
    body = """
    //@ requires true;
    static int f(int k) { return k; }
    public static void main(String[] args) { f(1); f(2); }"""
    found = record_java(tmp_path, shared_cache, program(body), "p.Main", "-g:none")
    assert found.pins == []
    assert found.recording.problems == (
        "2 recorded calls are left out, their tests have no line numbers: compile tests with -g (line numbers)",
    )


@pytest.mark.parametrize(
    ("name", "options"),
    [
        pytest.param("JAVA_TOOL_OPTIONS", "-Da=1 -agentlib:jdwp=transport=dt_socket,server=y", id="as an agent"),
        pytest.param("JAVA_TOOL_OPTIONS", "-Xdebug -Xrunjdwp:transport=dt_socket,server=y", id="as of old"),
        pytest.param("JDK_JAVA_OPTIONS", "-agentlib:jdwp=transport=dt_socket,server=y", id="for the launcher"),
    ],
)
def test_a_debugger_of_the_user_is_told_before_anything_runs(
    name: str, options: str, tmp_path: Path, shared_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, program("//@ requires true;\n static int f(long k) { return 1; }"))
    monkeypatch.setenv(name, options)
    with pytest.raises(RecorderProblem, match=f"take it out of {name}"), recorder_of(tmp_path, shared_cache):
        pass


def test_jvms_that_do_not_come_are_told_with_all_causes(tmp_path: Path, shared_cache: Path) -> None:
    write(tmp_path, program("//@ requires true;\n static int f(long k) { return 1; }"))
    found = record(tmp_path, shared_cache, ["true"])
    (problem,) = found.recording.problems
    assert "started none" in problem and "could not load the agent" in problem


CAUGHT = """
    //@ requires true;
    static int down(int n) {
        while (n > 0) {
            for (int i = 0; i < 25; i++) { try { throw new RuntimeException(); } catch (RuntimeException e) { } }
            n--;
        }
        return n;
    }
    public static void main(String[] args) { down(40); }
"""
OVERFLOWS = """
    static int deep(int n) { return 1 + deep(n + 1); }
    //@ requires true;
    static int down(int n) {
        while (n > 0) { try { deep(0); } catch (StackOverflowError e) { } n -= 50; }
        return n;
    }
    public static void main(String[] args) { down(200); }
"""
REPLACED_INSIDE = """
    static class Conf { static int v = Integer.parseInt("bad"); }
    //@ requires true;
    static int down(int n) {
        while (n > 0) { try { n -= Conf.v; } catch (LinkageError e) { n--; } }
        return n;
    }
    public static void main(String[] args) { down(4); }
"""


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(CAUGHT, id="too many exceptions"),
        pytest.param(OVERFLOWS, id="a stack too deep"),
        pytest.param(REPLACED_INSIDE, id="an exception that is replaced"),
    ],
)
def test_what_is_left_of_a_call_that_was_left_out_is_no_call(body: str, tmp_path: Path, shared_cache: Path) -> None:
    found = record_java(tmp_path, shared_cache, program(body), "p.Main")
    assert found.status == 0
    assert found.pins == []
    assert [one.count for one in found.recording.left_out] == [1]


def test_a_text_that_is_hidden_is_hidden_where_it_is_kept(tmp_path: Path, shared_cache: Path) -> None:
    body = """
    static class User { final String name; private final String word; private char[] copy;
        //@ requires true;
        User(String name, String password) { this.name = name; word = password; copy = password.toCharArray(); }
        //@ requires true;
        static String id(String password) { return password.trim(); }
        //@ requires true;
        void rename(String name) { }
    }
    public static void main(String[] args) { new User("bob", "hunter2").rename("al"); User.id(" hunter3 "); }"""
    found = record_java(tmp_path, shared_cache, program(body), "p.Main")
    assert len(found.pins) == 3
    pins = [call.pin for call in found.recording.calls]
    secrets = frozenset[str]().union(*(hidden_texts(pin, lambda name: name == "password") for pin in pins))
    shown = [pin_text(hidden(pin, lambda name: name == "password", secrets)) for pin in pins]
    assert shown == [
        'Main.User.User(String, String): name="bob"@s0, password=? -> m0; '
        'm0=p.Main.User{name: "bob"@s0, word: ?, copy: m1}; m1=[?, ?, ?, ?, ?, ?, ?]',
        'Main.User.rename(String): this=m0, name="al"; m0=p.Main.User{name: "bob"@s0, word: ?, copy: m1}; '
        "m1=[?, ?, ?, ?, ?, ?, ?] -> void",
        "Main.User.id(String): password=? -> ?",
    ]
