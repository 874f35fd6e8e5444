"""The Java recorder beside threads that show code of Java alone when a call begins and ends, and run tasks between."""

from __future__ import annotations

from pathlib import Path

import pytest
from java_recording import record_java

BESIDE = "another thread ran code of the project meanwhile"
PROGRAM = """package p;
import com.sun.net.httpserver.HttpServer;
import java.net.*;
import java.util.*;
import java.util.concurrent.*;
public class Main {
    static class S {
        private int n;
        public synchronized void bump() { n++; }
        //@ ensures \\result == k;
        public int ask(int k, boolean asks) throws Exception {
            if (asks) Main.ask(this);
            return k;
        }
    }
MAKE
    public static void main(String[] args) throws Exception {
        S s = new S();
        ask(s);
        Thread.sleep(300);
        for (int k = 0; k < 3; k++) s.ask(k, ASKS);
        end();
    }
}
"""
POOL = """
    static final ExecutorService pool = Executors.newFixedThreadPool(1);
    static void ask(S s) throws Exception { pool.submit(s::bump).get(); Thread.sleep(50); }
    static void end() { pool.shutdownNow(); }
"""
FORK_JOIN = """
    static final ForkJoinPool pool = new ForkJoinPool(1);
    static void ask(S s) throws Exception {
        var task = pool.submit(s::bump);
        while (!task.isDone()) Thread.sleep(1);
        Thread.sleep(50);
    }
    static void end() { pool.shutdownNow(); }
"""
SERVER = """
    static HttpServer server;
    static void ask(S s) throws Exception {
        if (server == null) {
            server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
            server.createContext("/", exchange -> { s.bump(); exchange.sendResponseHeaders(204, -1); });
            server.start();
        }
        URL url = new URL("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        ((HttpURLConnection) url.openConnection()).getResponseCode();
        Thread.sleep(50);
    }
    static void end() { server.stop(0); }
"""
TIMER = """
    static final Timer timer = new Timer();
    static void ask(S s) throws Exception {
        timer.schedule(new TimerTask() { public void run() { s.bump(); } }, 0);
        Thread.sleep(50);
    }
    static void end() { timer.cancel(); }
"""
PROCESS = """
    static void ask(S s) throws Exception {
        new ProcessBuilder("true").start().onExit().thenRun(s::bump).get();
        Thread.sleep(50);
    }
    static void end() { }
"""
CLEANER = """
    static final java.lang.ref.Cleaner cleaner = java.lang.ref.Cleaner.create();
    static void ask(S s) throws Exception {
        cleaner.register(new Object(), s::bump);
        System.gc();
        Thread.sleep(100);
    }
    static void end() { }
"""
FINALIZER = """
    static class Last { final S s; Last(S s) { this.s = s; } protected void finalize() { s.bump(); } }
    static void make(S s) { new Last(s); }
    static void ask(S s) throws Exception {
        make(s);
        for (int i = 0; i < 10; i++) { System.gc(); Thread.sleep(10); }
    }
    static void end() { }
"""


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(FINALIZER, id="what a class does when its objects are gone"),
        pytest.param(PROCESS, id="what is to be done when a process has ended"),
        pytest.param(CLEANER, id="what is to be done when an object is gone"),
        pytest.param(POOL, id="a pool of threads"),
        pytest.param(FORK_JOIN, id="a fork-join pool"),
        pytest.param(SERVER, id="a server of the JDK"),
        pytest.param(TIMER, id="a timer"),
    ],
)
def test_a_task_between_the_stops_is_seen(make: str, tmp_path: Path, shared_cache: Path) -> None:
    text = PROGRAM.replace("MAKE", make).replace("ASKS", "true")
    found = record_java(tmp_path, shared_cache, {"p/Main.java": text}, "p.Main")
    assert found.status == 0, found.output
    assert found.pins == []
    assert [(one.reason, one.count) for one in found.recording.left_out] == [(BESIDE, 3)]


@pytest.mark.parametrize(
    "make", [pytest.param(POOL, id="a pool of threads"), pytest.param(FORK_JOIN, id="a fork-join pool")]
)
def test_workers_that_wait_for_tasks_take_nothing_away(make: str, tmp_path: Path, shared_cache: Path) -> None:
    text = PROGRAM.replace("MAKE", make).replace("ASKS", "false")
    found = record_java(tmp_path, shared_cache, {"p/Main.java": text}, "p.Main")
    assert found.left_out == {}
    assert len(found.pins) == 3
