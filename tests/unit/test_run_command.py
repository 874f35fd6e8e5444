"""A command runs as it does under a shell: its streams, terminal, signals, exit status; and it can be ended."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from clausefit.hook.record.run_command import TIMED_OUT, CommandMissing, run_command

HARNESS = """
import os, sys
from pathlib import Path
from clausefit.hook.record.run_command import run_command
limit = float(sys.argv[1]) or None
ended = run_command(sys.argv[2:], cwd=Path.cwd(), environment=dict(os.environ), limit=limit)
print("ENDED", ended.status, ended.timed_out, ended.interrupted, flush=True)
"""
PATIENCE = 20.0


def run(*argv: str, cwd: Path, limit: float | None = None) -> int:
    return run_command(argv, cwd=cwd, environment={"PATH": os.environ["PATH"]}, limit=limit).status


def python(code: str) -> tuple[str, str, str]:
    return sys.executable, "-c", textwrap.dedent(code)


@pytest.mark.parametrize(
    ("code", "status"),
    [
        pytest.param("", 0, id="success"),
        pytest.param("raise SystemExit(1)", 1, id="failure"),
        pytest.param("raise SystemExit(255)", 255, id="largest"),
        pytest.param("import os; os.abort()", 128 + signal.SIGABRT, id="abort"),
        pytest.param("import os; os.kill(os.getpid(), 11)", 128 + signal.SIGSEGV, id="segmentation-fault"),
        pytest.param("import os; os.kill(os.getpid(), 9)", 128 + signal.SIGKILL, id="killed"),
    ],
)
def test_the_exit_status_is_the_command_s(code: str, status: int, tmp_path: Path) -> None:
    assert run(*python(code), cwd=tmp_path) == status


@pytest.mark.parametrize(
    ("name", "content", "mode", "says"),
    [
        pytest.param("no-such-command-anywhere", None, 0, "was not found", id="not-found"),
        pytest.param("./gone/x", None, 0, "was not found", id="no-such-path"),
        pytest.param("./script", "#!/bin/sh\n", 0o644, "chmod", id="not-executable"),
        pytest.param("./script", "echo hello\n", 0o755, "#!/bin/sh", id="script-without-an-interpreter"),
        pytest.param(".", None, 0, "cannot be run", id="folder"),
        pytest.param("a\0b", None, 0, "cannot be started", id="odd-name"),
        pytest.param("echo hello", None, 0, "was not found", id="no-shell"),
    ],
)
def test_what_cannot_be_started(name: str, content: str | None, mode: int, says: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
        (tmp_path / name).chmod(mode)
    with pytest.raises(CommandMissing, match=says):
        run(name, cwd=tmp_path)


def test_arguments_are_not_read_by_a_shell(tmp_path: Path) -> None:
    code = "import sys; raise SystemExit(sys.argv[1:] != ['$HOME', '*', 'a b', ';', ''])"
    assert run(*python(code), "$HOME", "*", "a b", ";", "", cwd=tmp_path) == 0


def test_it_has_the_environment_and_the_folder_that_it_is_given(tmp_path: Path) -> None:
    code = f"import os; raise SystemExit(os.getcwd() != {str(tmp_path.resolve())!r} or 'HOME' in os.environ)"
    assert run(*python(code), cwd=tmp_path) == 0


def test_its_streams_are_ours(tmp_path: Path) -> None:
    code = "import sys; text = sys.stdin.read(); sys.stdout.write('out ' + text); sys.stderr.write('err ' + text)"
    done = subprocess.run(
        [sys.executable, "-c", HARNESS, "0", *python(code)],
        input="hello\n",
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.stdout == "out hello\nENDED 0 False False\n"
    assert done.stderr == "err hello\n"


def test_the_limit_ends_it_and_all_that_it_started(tmp_path: Path) -> None:
    """Also what ignores SIGTERM, and what has a session of its own."""
    code = f"""
        import pathlib, signal, subprocess, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen(["sleep", "99"], start_new_session=True)
        pathlib.Path({str(tmp_path)!r}, "child").write_text(str(child.pid))
        time.sleep(99)
    """
    ended = run_command(python(code), cwd=tmp_path, environment=dict(os.environ), limit=3.0)
    assert (ended.status, ended.timed_out) == (TIMED_OUT, True)
    child = int((tmp_path / "child").read_text())
    until(lambda: not is_alive(child))


def test_a_command_that_is_quicker_than_the_limit(tmp_path: Path) -> None:
    ended = run_command(python("raise SystemExit(4)"), cwd=tmp_path, environment=dict(os.environ), limit=60.0)
    assert (ended.status, ended.timed_out, ended.interrupted) == (4, False, False)


def test_the_exit_status_is_known_where_the_parent_ignores_its_children(tmp_path: Path) -> None:
    code = "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n" + HARNESS
    done = subprocess.run(
        [sys.executable, "-c", code, "0", *python("raise SystemExit(7)")], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.stdout == "ENDED 7 False False\n"


def test_it_is_told_how_long_it_takes(tmp_path: Path) -> None:
    seen: list[float] = []
    run_command(python("import time; time.sleep(0.3)"), cwd=tmp_path, environment=dict(os.environ), tick=seen.append)
    assert seen and seen == sorted(seen)


# ---- signals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_goes_on_to_the_command(number: signal.Signals, tmp_path: Path) -> None:
    code = f"""
        import signal, sys, time
        def end(number, frame):
            print("GOT", number, flush=True)
            sys.exit(9)
        signal.signal({int(number)}, end)
        print("READY", flush=True)
        time.sleep(99)
    """
    with harness(tmp_path, *python(code)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "READY\n"
        process.send_signal(number)
        assert process.stdout.read() == f"GOT {int(number)}\nENDED 9 False True\n"


def test_a_command_that_does_not_heed_interrupts_is_killed_by_the_third(tmp_path: Path) -> None:
    code = """
        import signal, time
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        print("READY", flush=True)
        time.sleep(99)
    """
    with harness(tmp_path, *python(code)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "READY\n"
        for _ in range(3):
            process.send_signal(signal.SIGINT)
            time.sleep(0.2)
        assert process.stdout.read() == f"ENDED {128 + signal.SIGKILL} False True\n"


# ---- the terminal ---------------------------------------------------------------------------------------------------


def test_it_reads_the_terminal_and_gets_its_interrupt(tmp_path: Path) -> None:
    code = """
        import sys, time
        try:
            print("NAME " + sys.stdin.readline().strip(), flush=True)
            time.sleep(99)
        except KeyboardInterrupt:
            sys.exit(5)
    """
    with on_a_terminal(tmp_path, *python(code)) as terminal:
        os.write(terminal, b"ann\n")
        expect(terminal, "NAME ann")
        os.write(terminal, b"\x03")
        expect(terminal, "ENDED 5 False False")


def test_a_stop_stops_us_too_and_both_go_on(tmp_path: Path) -> None:
    code = """
        import sys
        print("READY", flush=True)
        print("NAME " + sys.stdin.readline().strip(), flush=True)
    """
    with on_a_terminal(tmp_path, *python(code)) as terminal:
        expect(terminal, "READY")
        os.write(terminal, b"\x1a")
        expect(terminal, "STOPPED")  # said by the shell's part, which then lets us go on
        os.write(terminal, b"bob\n")
        expect(terminal, "NAME bob")
        expect(terminal, "ENDED 0 False False")


# ---- tools ----------------------------------------------------------------------------------------------------------


@contextmanager
def harness(folder: Path, *argv: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", HARNESS, "0", *argv],
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        cwd=folder,
        start_new_session=True,
    )
    try:
        yield process
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.wait()


@contextmanager
def on_a_terminal(folder: Path, *argv: str) -> Iterator[int]:
    """The harness as the job of a little shell: it has the terminal, and goes on when it was stopped."""
    pid, terminal = pty.fork()
    _said[terminal] = ""
    if pid == 0:
        os.chdir(folder)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        job = subprocess.Popen([sys.executable, "-c", HARNESS, "0", *argv], process_group=0)
        os.tcsetpgrp(0, job.pid)
        while True:
            _pid, state = os.waitpid(job.pid, os.WUNTRACED)
            if not os.WIFSTOPPED(state):
                os._exit(0)
            os.tcsetpgrp(0, os.getpgrp())
            os.write(1, b"STOPPED\n")
            os.tcsetpgrp(0, job.pid)
            os.killpg(job.pid, signal.SIGCONT)
    try:
        yield terminal
        until(lambda: os.waitpid(pid, os.WNOHANG)[0] == pid)
    except BaseException:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        raise
    finally:
        os.close(terminal)


_said: dict[int, str] = {}


def expect(terminal: int, text: str) -> None:
    """Read until the text was said."""
    deadline = time.monotonic() + PATIENCE
    while text not in _said[terminal]:
        ready, _, _ = select.select([terminal], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"{text!r} is not in {_said[terminal]!r}"
        try:
            _said[terminal] += os.read(terminal, 4096).decode()
        except OSError:  # the other end is closed
            break
    assert text in _said[terminal]
    _said[terminal] = _said[terminal].partition(text)[2]


def until(holds: object) -> None:
    assert callable(holds)
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
