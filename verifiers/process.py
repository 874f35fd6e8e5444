"""The only place where child processes are started.

Every child gets its own session, a scrubbed environment, no shell, a time limit and an output limit, and
is ended together with whatever it started (DESIGN §10: files under judgement are hostile input).
"""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import selectors
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO

OUTPUT_LIMIT = 64 * 1024 * 1024
"""Bytes kept of each of stdout and stderr when the caller names no limit."""

_KEPT_VARIABLES = ("PATH", "HOME", "TMPDIR")
_CHUNK = 1 << 16
_LINE_LIMIT = 1 << 16
_POLL_SECONDS = 0.05
_GRACE_SECONDS = 1.0
_DRAIN_SECONDS = 1.0
_MEMORY_WORDS = (
    b"out of memory",
    b"out_of_memory",
    b"bad_alloc",
    b"cannot allocate memory",
    b"memory exhausted",
    b"stack overflow",
)
_MISSING = frozenset({errno.ENOENT, errno.EACCES, errno.ENOTDIR, errno.ENOEXEC})


class ToolMissing(Exception):  # noqa: N818 - a state of affairs, not a mistake
    """A program that is needed is not there, or cannot be started. ``name`` is what was looked for."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} was not found, or cannot be run")
        self.name = name


class Cancelled(Exception):  # noqa: N818 - a state of affairs, not a mistake
    """The run was ended because its ``cancel`` event was set."""


@dataclass(frozen=True)
class Completed:
    """How a child ended.

    ``exit_status`` is None when the child was ended for its time-out, and -N when signal N ended it.
    ``out_of_memory`` is a hint (the child said so, or something else killed it), not a proof.
    ``cpu_seconds`` is user and system time of the child and of those children that it waited for.
    """

    exit_status: int | None
    stdout_bytes: bytes
    stderr_bytes: bytes
    timed_out: bool
    out_of_memory: bool
    seconds: float
    cpu_seconds: float
    output_truncated: bool

    @cached_property
    def stdout(self) -> str:
        """The output as UTF-8; what is not UTF-8 is replaced."""
        return self.stdout_bytes.decode("utf-8", "replace")

    @cached_property
    def stderr(self) -> str:
        """The error output as UTF-8; what is not UTF-8 is replaced."""
        return self.stderr_bytes.decode("utf-8", "replace")


_stops: list[threading.Event] = []
_stops_lock = threading.Lock()
_living: set[int] = set()
"""Children that were started and not waited for yet: until then their numbers name no other process."""


@contextlib.contextmanager
def stopped_by(stop: threading.Event) -> Iterator[None]:
    """While this is open, ``stop`` is a ``cancel`` of every child of this process, started before or meanwhile.

    A run that must end in time cannot rely on each of its parts to pass an event on.
    """
    with _stops_lock:
        _stops.append(stop)
    try:
        yield
    finally:
        with _stops_lock:
            _stops.remove(stop)


def end_all() -> None:
    """End every child that is left, at once: for who leaves without waiting for the threads that started them."""
    for pid in tuple(_living):
        _kill_session(pid)


def _is_cancelled(cancel: threading.Event | None) -> bool:
    return (cancel is not None and cancel.is_set()) or any(stop.is_set() for stop in tuple(_stops))


def safe_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a child: PATH, HOME, TMPDIR, the locale C.UTF-8 and ``extra``; nothing else.

    Relative entries of PATH are left out: they would let a repository bring its own ``gcc``.
    """
    environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    folders = environment.get("PATH", os.defpath).split(os.pathsep)
    environment["PATH"] = os.pathsep.join(folder for folder in folders if folder.startswith("/"))
    environment["LANG"] = environment["LC_ALL"] = "C.UTF-8"
    environment.update(extra or {})
    return environment


def run(
    argv: Sequence[str],
    *,
    cwd: Path,
    timeout: float,
    environment: Mapping[str, str] | None = None,
    memory_bytes: int | None = None,
    output_limit: int = OUTPUT_LIMIT,
    on_line: Callable[[str], None] | None = None,
    stdin: bytes | None = None,
    cancel: threading.Event | None = None,
) -> Completed:
    """Run ``argv`` to its end and say how it ended; a bad exit status is not an error here.

    ``environment`` is added to ``safe_environment()``. Without ``stdin`` the child reads /dev/null.
    ``on_line`` is called with each line of stdout while the child runs, in the calling thread; a line
    beyond 64 KiB comes in parts. ``memory_bytes`` limits the address space of each process (RLIMIT_AS).

    Raises ToolMissing when the program cannot be started, Cancelled when ``cancel`` was set (or an event of
    ``stopped_by``), OSError when ``cwd`` is no folder or the system refuses a process. After any exception,
    KeyboardInterrupt included, no process of the child's session is left.
    """
    started = time.monotonic()
    with contextlib.ExitStack() as stack:
        source: int | IO[bytes] = subprocess.DEVNULL
        if stdin is not None:
            source = stack.enter_context(tempfile.TemporaryFile())
            source.write(stdin)
            source.seek(0)
        child = _start(argv, cwd, safe_environment(environment), source)
        assert child.stdout is not None and child.stderr is not None  # noqa: S101 - both are PIPE
        output = _Collector(output_limit, on_line)
        errors = _Collector(output_limit, None)
        watch = _Watch(child.pid, {child.stdout: output, child.stderr: errors}, started + timeout, cancel)
        stack.enter_context(child.stdout)
        stack.enter_context(child.stderr)
        try:
            if memory_bytes is not None:
                _limit_memory(child.pid, memory_bytes)
            timed_out = not watch.until_end()
            if timed_out:
                _end_politely(watch)
            _signal_group(child.pid, signal.SIGKILL)
            watch.drain()
        except BaseException:
            _kill_session(child.pid)
            child.returncode, _ = _reap(child.pid)
            raise
        if timed_out:
            _kill_session(child.pid)
        status, cpu_seconds = _reap(child.pid)
        child.returncode = status  # tells Popen that there is nothing left to wait for
        output.finish()
    return Completed(
        exit_status=None if timed_out else status,
        stdout_bytes=bytes(output.kept),
        stderr_bytes=bytes(errors.kept),
        timed_out=timed_out,
        out_of_memory=not timed_out and status != 0 and _hints_at_memory(status, output.kept, errors.kept),
        seconds=time.monotonic() - started,
        cpu_seconds=cpu_seconds,
        output_truncated=output.truncated or errors.truncated,
    )


class ConversationOver(Exception):  # noqa: N818 - a state of affairs, not a mistake
    """A child gave no answer and is gone. ``reason`` is ``timeout`` or ``ended``; ``detail`` its last error output."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


class Conversation:
    """A child that stays: one line to it, one line back, any number of times. Not to be shared by threads.

    ``environment`` and ``memory_bytes`` are as in ``run``. Raises what ``run`` raises at its start.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        environment: Mapping[str, str] | None = None,
        memory_bytes: int | None = None,
        answer_limit: int = OUTPUT_LIMIT,
    ) -> None:
        self._child = _start(argv, cwd, safe_environment(environment), subprocess.PIPE)
        self._limit = answer_limit
        self._answers, self._errors = bytearray(), bytearray()
        self._open = True
        self.cpu_seconds = 0.0
        for stream in self._streams():
            os.set_blocking(stream.fileno(), False)
        if memory_bytes is not None:
            _limit_memory(self._child.pid, memory_bytes)

    @property
    def pid(self) -> int:
        """The child's process number, which is also its group and session."""
        return self._child.pid

    def ask(self, line: bytes, timeout: float, cancel: threading.Event | None = None) -> bytes:
        """Send a line (without its end) and return the answer (without its end).

        Raises ConversationOver when the child ended, gave no answer in ``timeout`` seconds, or one beyond the
        limit; Cancelled when ``cancel`` was set. After any exception, KeyboardInterrupt included, no process of
        the child's session is left, and every later call raises ConversationOver.
        """
        if not self._open:
            raise ConversationOver("ended", "")
        if b"\n" in line:
            raise ValueError("a request is one line")
        try:
            return self._exchange(line + b"\n", time.monotonic() + timeout, cancel)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the child and whatever it started. Once is enough, more often does no harm."""
        if not self._open:
            return
        self._open = False
        _kill_session(self._child.pid)
        self._child.returncode, self.cpu_seconds = _reap(self._child.pid)
        for stream in self._streams():
            with contextlib.suppress(BrokenPipeError):
                stream.close()

    def _streams(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        child = self._child
        assert child.stdin is not None and child.stdout is not None and child.stderr is not None  # noqa: S101
        return child.stdin, child.stdout, child.stderr

    def _exchange(self, request: bytes, deadline: float, cancel: threading.Event | None) -> bytes:
        source, answers, errors = self._streams()
        left = memoryview(request)
        with selectors.DefaultSelector() as selector:
            selector.register(source, selectors.EVENT_WRITE)
            selector.register(answers, selectors.EVENT_READ, self._answers)
            selector.register(errors, selectors.EVENT_READ, self._errors)
            while b"\n" not in self._answers:
                if _is_cancelled(cancel):
                    raise Cancelled
                if time.monotonic() >= deadline:
                    raise self._over("timeout")
                ended = _has_ended(self.pid)
                ready = selector.select(_POLL_SECONDS)
                if ended and not any(key.fileobj is answers for key, _ in ready):
                    raise self._over("ended")
                for key, _ in ready:
                    if key.fileobj is source:
                        left = left[self._write(key.fd, left) :]
                    else:
                        self._read(selector, key)
                if not left and source in selector.get_map():
                    selector.unregister(source)
        answer, _, rest = bytes(self._answers).partition(b"\n")
        self._answers[:] = rest
        return answer

    def _write(self, descriptor: int, data: memoryview) -> int:
        try:
            return os.write(descriptor, data)
        except BrokenPipeError as error:
            raise self._over("ended") from error

    def _read(self, selector: selectors.BaseSelector, key: selectors.SelectorKey) -> None:
        data, kept = os.read(key.fd, _CHUNK), self._answers
        if key.data is not kept:  # of the error output only the end is of use
            self._errors += data
            del self._errors[:-_LINE_LIMIT]
        elif data:
            kept += data
            if len(kept) > self._limit:
                raise self._over("ended")
        else:
            raise self._over("ended")
        if not data:
            selector.unregister(key.fileobj)

    def _over(self, reason: str) -> ConversationOver:
        errors = self._streams()[2]
        with contextlib.suppress(BlockingIOError):
            while data := os.read(errors.fileno(), _CHUNK):
                self._errors = (self._errors + data)[-_LINE_LIMIT:]
        return ConversationOver(reason, self._errors.decode("utf-8", "replace").strip())


class _Collector:
    """Keeps the first ``limit`` bytes of a stream and hands out its lines as they come."""

    def __init__(self, limit: int, on_line: Callable[[str], None] | None) -> None:
        self.kept = bytearray()
        self.truncated = False
        self._limit = limit
        self._on_line = on_line
        self._pending = b""

    def add(self, data: bytes) -> None:
        room = self._limit - len(self.kept)
        self.kept += data[:room]
        self.truncated = self.truncated or len(data) > room
        if self._on_line is None:
            return
        *lines, self._pending = (self._pending + data).split(b"\n")
        if len(self._pending) > _LINE_LIMIT:
            lines.append(self._pending)
            self._pending = b""
        for line in lines:
            self._on_line(line.decode("utf-8", "replace"))

    def finish(self) -> None:
        if self._on_line is not None and self._pending:
            self._on_line(self._pending.decode("utf-8", "replace"))
            self._pending = b""


class _Watch:
    """Reads a child's streams, both at once so that neither can block it, until it ends or time is up."""

    def __init__(
        self, pid: int, streams: Mapping[IO[bytes], _Collector], deadline: float, cancel: threading.Event | None
    ) -> None:
        self.pid = pid
        self._deadline = deadline
        self._cancel, self._is_cancellable = cancel, True
        self._selector = selectors.DefaultSelector()
        for stream, collector in streams.items():
            self._selector.register(stream, selectors.EVENT_READ, collector)

    def until_end(self) -> bool:
        """True when the child ended, False when its time was up first. Raises Cancelled."""
        pause = 0.001
        while not _has_ended(self.pid):
            if self._is_cancellable and _is_cancelled(self._cancel):
                raise Cancelled
            left = self._deadline - time.monotonic()
            if left <= 0:
                return False
            if self._selector.get_map():
                self._read(min(left, _POLL_SECONDS))
            else:
                time.sleep(min(left, pause))
                pause = min(pause * 2, _POLL_SECONDS)
        return True

    def until(self, deadline: float) -> bool:
        """Like until_end, with another deadline and no cancelling."""
        self._deadline, self._is_cancellable = deadline, False
        return self.until_end()

    def drain(self) -> None:
        """Read what is left in the pipes; a process that escaped and holds them open costs one second."""
        deadline = time.monotonic() + _DRAIN_SECONDS
        while self._selector.get_map():
            left = deadline - time.monotonic()
            if left <= 0:
                break
            self._read(left)
        self._selector.close()

    def _read(self, wait: float) -> None:
        for key, _ in self._selector.select(wait):
            data = os.read(key.fd, _CHUNK)
            if data:
                key.data.add(data)
            else:
                self._selector.unregister(key.fileobj)


def _start(
    argv: Sequence[str], cwd: Path, environment: Mapping[str, str], source: int | IO[bytes]
) -> subprocess.Popen[bytes]:
    if any(stop.is_set() for stop in tuple(_stops)):
        raise Cancelled
    try:
        child = subprocess.Popen(
            list(argv),
            cwd=cwd,
            env=dict(environment),
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    except OSError as error:
        if error.errno in _MISSING and cwd.is_dir():
            raise ToolMissing(argv[0]) from error
        raise
    _living.add(child.pid)
    return child


def _limit_memory(pid: int, memory_bytes: int) -> None:
    # Set from outside, just after exec: a preexec_fn is not safe where other threads run.
    with contextlib.suppress(ProcessLookupError):
        resource.prlimit(pid, resource.RLIMIT_AS, (memory_bytes, memory_bytes))


def _has_ended(pid: int) -> bool:
    """Whether the child has ended. It stays a zombie, so that its number cannot name another process."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _reap(pid: int) -> tuple[int, float]:
    _living.discard(pid)
    _, status, usage = os.wait4(pid, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime


def _signal_group(group: int, number: signal.Signals) -> None:
    # PermissionError: every process that is left there runs as somebody else (a set-user-id program).
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _end_politely(watch: _Watch) -> None:
    """SIGTERM first: Frama-C then ends its provers and removes its temporary files."""
    _signal_group(watch.pid, signal.SIGTERM)
    watch.until(time.monotonic() + _GRACE_SECONDS)


def _kill_session(leader: int) -> None:
    """SIGKILL to the group, and to what made itself a group of its own in the child's session."""
    _signal_group(leader, signal.SIGKILL)
    for pid in _session_members(leader):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def _session_members(session: int) -> Iterator[int]:
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            text = (folder / "stat").read_bytes()
        except OSError:  # it has ended meanwhile
            continue
        # proc(5): "pid (comm) state ppid pgrp session …"; comm may hold blanks and parentheses.
        fields = text[text.rfind(b")") + 1 :].split()
        if len(fields) > 3 and int(fields[3]) == session and int(folder.name) != session:
            yield int(folder.name)


def _hints_at_memory(status: int, *outputs: bytearray) -> bool:
    if status == -signal.SIGKILL:  # not by us: most often the kernel's out-of-memory killer
        return True
    return any(word in bytes(output[-_CHUNK:]).lower() for output in outputs for word in _MEMORY_WORDS)
