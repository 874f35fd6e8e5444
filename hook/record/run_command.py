"""Runs the user's own command as a shell would: with its terminal, its signals and its exit status.

It has its own place beside ``verifiers/process.py``, which keeps children away from the terminal, the environment and
the signals of their parent: here all of these are passed on. No shell is involved.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

TIMED_OUT = 124
"""The exit status of a command that was ended for its limit, as that of ``timeout`` (coreutils)."""
_PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
_PATIENCE = 3
"""How often an interrupt is passed on before the command is killed."""
_GRACE_SECONDS = 5.0
_POLL_SECONDS = 0.05


class CommandMissing(Exception):  # noqa: N818 - a state of affairs, not a mistake
    """The command cannot be started; the text is one line."""


@dataclass(frozen=True)
class Ended:
    """How the command ended: its exit status (128 + N for signal N), and whether its limit ended it.

    ``interrupted``: a signal was passed on to it.
    """

    status: int
    timed_out: bool
    interrupted: bool
    seconds: float


def run_command(
    argv: Sequence[str],
    *,
    cwd: Path,
    environment: Mapping[str, str],
    limit: float | None = None,
    tick: Callable[[float], None] = lambda _seconds: None,
    at_limit: Callable[[], None] = lambda: None,
) -> Ended:
    """Run ``argv`` with our stdin, stdout and stderr, in its own process group, until it ends.

    ``environment`` is all of its environment. SIGINT, SIGTERM, SIGHUP and SIGQUIT are passed on to its group; a stop
    (Ctrl-Z) stops us with it. After ``limit`` seconds the group, and what its members started, is ended. ``tick`` is
    told the seconds so far, every now and then; ``at_limit`` is called before the limit ends the command. Must be
    called from the main thread.

    Raises CommandMissing when it cannot be started; OSError when ``cwd`` is no folder or there is no more process.
    """
    started = time.monotonic()
    terminal = _Terminal()
    caught = _Caught()
    with caught.passed_on():
        child = _start(argv, cwd, environment)
        caught.go_to(child.pid)
        with terminal.lent_to(child.pid):
            timed_out = False
            pause = 0.001
            while (status := _status(child, terminal)) is None:
                seconds = time.monotonic() - started
                if limit is not None and seconds >= limit:
                    timed_out = True
                    at_limit()
                    _end(child, terminal)
                    break
                tick(seconds)
                time.sleep(min(pause, limit - seconds) if limit is not None else pause)
                pause = min(pause * 2, _POLL_SECONDS)
    seconds = time.monotonic() - started
    return Ended(TIMED_OUT if timed_out else status or 0, timed_out, caught.count > 0, seconds)


def _start(argv: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(list(argv), cwd=cwd, env=dict(environment), process_group=0)
    except ValueError as error:  # a NUL byte
        raise CommandMissing(f"the command cannot be started: {error}") from error
    except OSError as error:
        if not cwd.is_dir():
            raise
        why = {
            errno.ENOENT: "was not found: is it installed, and is its name right?",
            errno.EACCES: "cannot be run: it is a folder, or may not be executed (chmod +x)",
            errno.ENOEXEC: "is no program: a script needs a first line like #!/bin/sh, or its interpreter before it",
        }.get(error.errno or 0)
        if why is None:
            raise
        raise CommandMissing(f"{argv[0]} {why}") from error


def _status(child: subprocess.Popen[bytes], terminal: _Terminal) -> int | None:
    """The exit status when the child has ended; a child that was stopped stops us, too."""
    pid, state = os.waitpid(child.pid, os.WNOHANG | os.WUNTRACED)
    if pid == 0:
        return None
    if os.WIFSTOPPED(state):
        terminal.stopped(child.pid, os.WSTOPSIG(state))
        return None
    code = os.waitstatus_to_exitcode(state)
    child.returncode = code  # tells Popen that there is nothing left to wait for
    return code if code >= 0 else 128 - code


class _Caught:
    """Signals to us that go on to the command's group, those that came before there was one as well."""

    def __init__(self) -> None:
        self._group: int | None = None
        self._early: list[signal.Signals] = []
        self.count = 0

    def go_to(self, group: int) -> None:
        self._group = group
        for number in self._early:
            _signal_group(group, number)

    @contextlib.contextmanager
    def passed_on(self) -> Iterator[None]:
        # Where our parent ignores SIGCHLD, the exit status of the command would be lost.
        before: dict[signal.Signals, Any] = {signal.SIGCHLD: signal.signal(signal.SIGCHLD, signal.SIG_DFL)}
        for number in _PASSED_ON:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
                before[number] = signal.signal(number, self._pass_on)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _pass_on(self, number: int, _frame: FrameType | None) -> None:
        self.count += 1
        passed = signal.Signals(number) if self.count < _PATIENCE else signal.SIGKILL
        if self._group is None:
            self._early.append(passed)
        else:
            _signal_group(self._group, passed)


class _Terminal:
    """The terminal, which the command's group has while it runs, where we have it ourselves."""

    def __init__(self) -> None:
        self._descriptor: int | None = None
        with contextlib.suppress(OSError, ValueError, AttributeError):  # stdin may be closed, or no file at all
            descriptor = sys.stdin.fileno()
            if os.isatty(descriptor):
                self._descriptor = descriptor

    @contextlib.contextmanager
    def lent_to(self, group: int) -> Iterator[None]:
        if self._is_ours(os.getpgrp()):
            self._give(group)
        try:
            yield
        finally:
            if self._is_ours(group):
                self._give(os.getpgrp())

    def stopped(self, group: int, number: int) -> None:
        """The command was stopped: for want of a terminal that we have (then it gets it), or as Ctrl-Z does.

        Then we stop as well, so that the shell notices; when it lets us go on, the command does, too.
        """
        if self._descriptor is None:
            return  # whoever stopped it lets it go on
        wants = number in (signal.SIGTTIN, signal.SIGTTOU)
        if not (wants and (self._is_ours(os.getpgrp()) or self._is_ours(group))):
            if self._is_ours(group):
                self._give(os.getpgrp())
            os.killpg(os.getpgrp(), signal.SIGSTOP)
        if self._is_ours(os.getpgrp()):
            self._give(group)
        _signal_group(group, signal.SIGCONT)

    def _is_ours(self, group: int) -> bool:
        """Whether the terminal is this group's."""
        if self._descriptor is None:
            return False
        try:
            return os.tcgetpgrp(self._descriptor) == group
        except OSError:
            self._descriptor = None  # the terminal is gone, and nobody needs it any more
            return False

    def _give(self, group: int) -> None:
        if self._descriptor is None:
            return
        before = signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # else giving it from the background stops us
        try:
            os.tcsetpgrp(self._descriptor, group)
        except OSError:
            self._descriptor = None  # the terminal is gone, or the group has ended
        finally:
            signal.signal(signal.SIGTTOU, before)


def _end(child: subprocess.Popen[bytes], terminal: _Terminal) -> None:
    """End the group and all that its members started: politely, then for good."""
    others = _descendants(child.pid)
    _signal_group(child.pid, signal.SIGTERM)
    _signal_group(child.pid, signal.SIGCONT)
    deadline = time.monotonic() + _GRACE_SECONDS
    while (status := _status(child, terminal)) is None and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)
    _signal_group(child.pid, signal.SIGKILL)
    for pid, began in others.items():
        if _began(pid) == began:  # the number may be another process's by now
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
    if status is None:
        child.wait()


def _signal_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _descendants(pid: int) -> dict[int, str]:
    """Process -> when it began, of all that ``pid`` started, whatever their groups (Linux; elsewhere none)."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        fields = _fields(int(folder.name))
        if len(fields) > 1:
            children.setdefault(int(fields[1]), []).append(int(folder.name))
    found: dict[int, str] = {}
    waiting = [pid]
    while waiting:
        for one in children.get(waiting.pop(), ()):
            if one not in found:
                found[one] = _began(one)
                waiting.append(one)
    return found


def _fields(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the state on (proc(5)); empty when the process is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return text[text.rfind(")") + 1 :].split()


def _began(pid: int) -> str:
    fields = _fields(pid)
    return fields[19] if len(fields) > 19 else ""
