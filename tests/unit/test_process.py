"""Child processes: limits, clean-up, environment. Every child here is a real one."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from clausefit.verifiers.process import Cancelled, Conversation, ConversationOver, ToolMissing, run, safe_environment

ROOT = Path("/")


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def gone(pid: int) -> bool:
    """Whether the process ended (a zombie that nobody has reaped yet has)."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state in "ZX":
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize(
    ("code", "status", "out", "err"),
    [
        pytest.param("print('hi')", 0, "hi\n", "", id="output is kept"),
        pytest.param("import sys; sys.stderr.write('no'); sys.exit(7)", 7, "", "no", id="a bad status is no error"),
        pytest.param("import os; os.kill(os.getpid(), 15)", -15, "", "", id="a signal is a negative status"),
        pytest.param("import os; os.write(1, b'\\xff\\n')", 0, "\ufffd\n", "", id="output that is not UTF-8"),
        pytest.param("import sys; print(repr(sys.stdin.read()))", 0, "''\n", "", id="stdin is empty"),
    ],
)
def test_how_a_child_ends(code: str, status: int, out: str, err: str) -> None:
    done = run(python(code), cwd=ROOT, timeout=20)
    assert (done.exit_status, done.stdout, done.stderr) == (status, out, err)
    assert not done.timed_out and not done.output_truncated and not done.out_of_memory


@pytest.mark.parametrize(
    "argv",
    [
        pytest.param(["cf-no-such-tool", "--version"], id="not on the path"),
        pytest.param(["/nowhere/cf-tool"], id="no such file"),
        pytest.param(["/etc/passwd"], id="not executable"),
    ],
)
def test_missing_tool_names_the_tool(argv: list[str]) -> None:
    with pytest.raises(ToolMissing) as caught:
        run(argv, cwd=ROOT, timeout=5)
    assert caught.value.name == argv[0]
    assert argv[0] in str(caught.value)


def test_a_missing_folder_is_not_a_missing_tool(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        run(["true"], cwd=tmp_path / "none", timeout=5)


def test_a_repository_cannot_bring_its_own_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "cf-fake-tool"
    fake.write_text("#!/bin/sh\necho owned\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", ".::bin:" + os.environ["PATH"])
    with pytest.raises(ToolMissing):
        run(["cf-fake-tool"], cwd=tmp_path, timeout=5)


def test_no_token_reaches_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    done = run(["env"], cwd=ROOT, timeout=5, environment={"WHY3CONFIG": "/x"})
    names = {line.partition("=")[0] for line in done.stdout.splitlines()}
    assert names <= {"PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "WHY3CONFIG"}
    assert "WHY3CONFIG=/x" in done.stdout and "LC_ALL=C.UTF-8" in done.stdout
    assert "GITHUB_TOKEN" not in safe_environment()


def test_two_full_pipes_do_not_block() -> None:
    code = "import os\nfor _ in range(64): os.write(2, b'e' * 65536); os.write(1, b'o' * 65536)"
    done = run(python(code), cwd=ROOT, timeout=30)
    assert len(done.stdout_bytes) == len(done.stderr_bytes) == 64 * 65536


def test_output_beyond_the_limit_is_dropped_while_reading() -> None:
    done = run(["head", "-c", "30000000", "/dev/zero"], cwd=ROOT, timeout=30, output_limit=1000)
    assert done.exit_status == 0 and done.output_truncated and len(done.stdout_bytes) == 1000


def test_lines_come_while_the_child_runs() -> None:
    seen: list[tuple[str, float]] = []
    code = "import time\nprint('one', flush=True); time.sleep(0.5); print('two', end='')"
    done = run(python(code), cwd=ROOT, timeout=20, on_line=lambda line: seen.append((line, time.monotonic())))
    assert [line for line, _ in seen] == ["one", "two"]
    assert seen[1][1] - seen[0][1] > 0.3
    assert done.stdout == "one\ntwo"


def test_a_line_without_end_comes_in_parts() -> None:
    parts: list[str] = []
    run(["head", "-c", "1000000", "/dev/zero"], cwd=ROOT, timeout=20, on_line=parts.append)
    assert sum(map(len, parts)) == 1000000 and len(parts) > 1


def test_given_input_is_read() -> None:
    data = os.urandom(300_000)
    assert run(["cat"], cwd=ROOT, timeout=20, stdin=data).stdout_bytes == data


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("sleep 50 & echo $!; sleep 50", id="a plain child"),
        pytest.param("trap '' TERM; sleep 50 & echo $!; while :; do sleep 1; done", id="SIGTERM is ignored"),
        pytest.param("setsid sh -c 'exit' ; set -m; sleep 50 & echo $!; sleep 50", id="a group of its own"),
        pytest.param("exec 2>&-; sleep 50 & echo $!; exec >&-; sleep 50", id="both pipes closed early"),
    ],
)
def test_time_out_ends_the_whole_group(script: str) -> None:
    done = run(["sh", "-c", script], cwd=ROOT, timeout=0.4)
    assert done.timed_out and done.exit_status is None
    assert done.seconds < 4
    assert gone(int(done.stdout.split()[0]))


def test_what_stays_behind_in_the_group_is_ended_too() -> None:
    done = run(["sh", "-c", "sleep 50 & echo $!; exit 3"], cwd=ROOT, timeout=20)
    assert done.exit_status == 3 and not done.timed_out and done.seconds < 4
    assert gone(int(done.stdout))


def test_a_fleeing_process_that_holds_the_pipe_does_not_block() -> None:
    done = run(["sh", "-c", "setsid sleep 4 & exit 0"], cwd=ROOT, timeout=20)
    assert done.exit_status == 0 and done.seconds < 3


def test_an_exception_ends_the_group() -> None:
    pids: list[int] = []

    def stop(line: str) -> None:
        pids.append(int(line))
        raise KeyError(line)

    with pytest.raises(KeyError):
        run(["sh", "-c", "sleep 50 & echo $!; sleep 50"], cwd=ROOT, timeout=20, on_line=stop)
    assert gone(pids[0])


def test_cancel_ends_the_group() -> None:
    cancel = threading.Event()
    pids: list[int] = []

    def note(line: str) -> None:
        pids.append(int(line))
        cancel.set()

    with pytest.raises(Cancelled):
        run(["sh", "-c", "sleep 50 & echo $!; sleep 50"], cwd=ROOT, timeout=20, on_line=note, cancel=cancel)
    assert gone(pids[0])


def test_interrupt_ends_the_group() -> None:
    code = (
        "from pathlib import Path; from clausefit.verifiers.process import run\n"
        "run(['sh', '-c', 'sleep 50 & echo $!; sleep 50'], cwd=Path('/'), timeout=40,"
        " on_line=lambda line: print(line, flush=True))"
    )
    with subprocess.Popen(python(code), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as tool:
        assert tool.stdout is not None
        pid = int(tool.stdout.readline())
        tool.send_signal(signal.SIGINT)
        assert tool.wait(10) != 0
    assert gone(pid)


def test_memory_limit() -> None:
    code = "try:\n x = bytearray(2 << 30)\nexcept MemoryError:\n raise SystemExit('Out of memory')"
    done = run(python("import time; time.sleep(0.2)\n" + code), cwd=ROOT, timeout=20, memory_bytes=1 << 30)
    assert done.exit_status == 1 and done.out_of_memory


def test_cpu_time_is_the_childs() -> None:
    done = run(python("x = 0\nfor i in range(3000000): x += i"), cwd=ROOT, timeout=20)
    assert 0.02 < done.cpu_seconds <= done.seconds + 0.1
    assert run(["sleep", "0.3"], cwd=ROOT, timeout=20).cpu_seconds < 0.1


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b"", id="empty"),
        pytest.param("Grüße".encode(), id="not ASCII"),
        pytest.param(b"x" * 3_000_000, id="more than pipes hold, both ways at once"),
    ],
)
def test_a_conversation_gives_each_line_its_answer(line: bytes) -> None:
    talk = Conversation(["cat"], cwd=ROOT)
    try:
        assert [talk.ask(line, 20), talk.ask(b"second", 20)] == [line, b"second"]
    finally:
        talk.close()
    assert gone(talk.pid)


@pytest.mark.parametrize(
    ("script", "reason", "detail"),
    [
        pytest.param("sleep 50 & echo $! >&2; read x; sleep 50", "timeout", "", id="no answer"),
        pytest.param("sleep 50 & echo $! >&2; read x; printf half; sleep 50", "timeout", "", id="half an answer"),
        pytest.param("sleep 50 & echo $! >&2; read x; exit 3", "ended", "", id="ended, pipe held open by another"),
        pytest.param("exec <&-; sleep 50 & echo $! >&2; echo why >&2; exit 1", "ended", "why", id="ended at once"),
        pytest.param("sleep 50 & echo $! >&2; read x; head -c 200000 /dev/zero; sleep 50", "ended", "", id="too long"),
    ],
)
def test_a_conversation_that_is_over_leaves_no_process(script: str, reason: str, detail: str) -> None:
    talk = Conversation(["sh", "-c", script], cwd=ROOT, answer_limit=100_000)
    with pytest.raises(ConversationOver) as over:
        talk.ask(b"question", 1.0)
    pid, *rest = over.value.detail.split()
    assert (over.value.reason, " ".join(rest)) == (reason, detail)
    assert gone(int(pid)) and gone(talk.pid)
    with pytest.raises(ConversationOver):
        talk.ask(b"again", 1.0)


def test_a_cancelled_conversation_leaves_no_process() -> None:
    cancel = threading.Event()
    talk = Conversation(["sh", "-c", "read x; sleep 50"], cwd=ROOT)
    threading.Timer(0.1, cancel.set).start()
    with pytest.raises(Cancelled):
        talk.ask(b"question", 20, cancel)
    assert gone(talk.pid)


def test_a_request_is_one_line() -> None:
    talk = Conversation(["cat"], cwd=ROOT)
    try:
        with pytest.raises(ValueError, match="one line"):
            talk.ask(b"two\nlines", 5)
        assert talk.ask(b"one", 5) == b"one"
    finally:
        talk.close()


def test_a_program_that_is_not_there_has_no_conversation() -> None:
    with pytest.raises(ToolMissing):
        Conversation(["no-such-program-here"], cwd=ROOT)
