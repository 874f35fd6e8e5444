"""Watches one process from gdb's attaching to it until it ends or nothing is left to watch. Runs inside gdb."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import gdb  # type: ignore[import-untyped]
from calls import Calls  # type: ignore[import-not-found]
from faults import addresses_of  # type: ignore[import-not-found]
from images import Images  # type: ignore[import-not-found]
from memory import Limits, Memory  # type: ignore[import-not-found]
from output import Output  # type: ignore[import-not-found]
from sharing import Shared  # type: ignore[import-not-found]
from started import arguments_by_ctest, parent_of  # type: ignore[import-not-found]

_FATAL = ("SIGABRT", "SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL")
_STOPPING = ("SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU")
_LEAKS = ("__lsan_do_leak_check",)
_MOST_SIGNALS = 300
_TICK = 0.1
_STOPPED_TICK = 0.002
_CONTINUED = 1 << signal.SIGCONT - 1
_OTHER_PROGRAM = "another program was started in this process"


class NotAttachedError(Exception):
    """gdb may not watch the process; the text is gdb's."""


class Watching:
    """One process under gdb. ``output`` is closed at its end."""

    def __init__(self, program: int, output: Output, limits: dict[str, Any], shared: Shared) -> None:
        self._program = program
        self._output = output
        self._limits = limits
        self._shared = shared
        self._began = time.process_time()
        self._calls: Calls | None = None
        self._ended = ""
        self._over = threading.Event()
        self._path = ""
        self._memory: Memory | None = None
        self._signals = 0
        self._trapped = False
        self._is_stopped = False

    def begin(self, images: Images) -> None:
        """Attach to the process, which stands still then. Raises NotAttachedError."""
        self._path = str(Path(f"/proc/{self._program}/exe").readlink())
        started = arguments_by_ctest(self._program)
        numbers = {"process": self._program, "parent": parent_of(self._program)}
        self._output.write({"program": self._path, **numbers, "arguments": started})
        try:
            gdb.execute(f"attach {self._program}", to_string=True)
        except gdb.error as problem:
            raise NotAttachedError(str(problem)[:300]) from problem
        image = images.image(self._program)
        limits = self._limits
        memory = Memory(image.layouts, Limits(limits["depth"], limits["elements"], limits["text"]), self._program)
        self._memory = memory
        leaks = bool(addresses_of(_LEAKS))
        self._output.write({"found": len(image.found.functions), "leaks": leaks})
        for line in image.found.reports:
            self._output.write(line)
        self._calls = Calls(self._output.write, memory, limits, image, self._shared, self._began)
        for event, action in self._events():
            event.connect(action)
        threading.Thread(target=self._watchdog, daemon=True).start()

    def run(self) -> None:
        """Let the process go on until nothing is to be seen any more; then all is written."""
        assert self._calls is not None  # noqa: S101 - it was begun
        while not self._ended and self._calls.is_watching:
            try:
                go_on = "signal SIGTRAP" if self._trapped else "continue"
                self._trapped = False
                self._stay_stopped()
                gdb.execute(go_on, to_string=True)
            except gdb.error as problem:
                self._ended = self._ended or f"gdb: {str(problem).splitlines()[0] if str(problem) else ''}"
            self._after_stop()
        self._over.set()
        for event, action in self._events():
            event.disconnect(action)
        self._calls.finish(self._ended)
        self._output.write({"end": self._ended or "detached"})
        self._output.close()

    @property
    def is_as_before(self) -> bool:
        """Whether gdb may watch another process of the same program after it."""
        if self._ended == _OTHER_PROGRAM:
            return self._exe() == self._path
        return not self._ended or self._ended.startswith("exited")

    def leave(self) -> None:
        """Take all breakpoints away, and let go of the process if it is still there."""
        assert self._calls is not None  # noqa: S101 - it was begun
        if not self._ended.startswith("exited"):
            gdb.execute("detach", to_string=True)
        self._calls.remove()

    def _events(self) -> list[tuple[Any, Any]]:
        return [
            (gdb.events.exited, self._on_exit),
            (gdb.events.stop, self._on_stop),
            (gdb.events.new_thread, self._on_thread),
            (gdb.events.clear_objfiles, self._on_exec),
        ]

    def _on_exit(self, event: Any) -> None:
        status = getattr(event, "exit_code", None)
        self._ended = "exited" if status is None else f"exited with {int(status)}"

    def _on_stop(self, event: Any) -> None:
        assert self._calls is not None  # noqa: S101 - connected after it was made
        if not isinstance(event, gdb.SignalEvent):
            self._trapped = type(event) is gdb.StopEvent and _is_own_trap()
            if self._trapped:
                self._calls.on_other_code("the program handled a signal inside of the call")
            return
        self._is_stopped = event.stop_signal in _STOPPING and not _is_delivered()
        if event.stop_signal in _FATAL:
            self._calls.on_signal(event.stop_signal)
        if self._is_handled(event.stop_signal):
            self._calls.on_other_code("the program handled a signal inside of the call")
        self._signals += 1
        if self._signals == _MOST_SIGNALS:
            # Each costs a stop of the program. Without them no handler is seen, and no call with memory is certain.
            self._ended = "too many signals came to the program"

    def _stay_stopped(self) -> None:
        """Where the process has been stopped (SIGSTOP), wait until it is continued or ended (ptrace(2)).

        gdb would let it go on at once. Who stopped it relies on that it stands still; and where SIGCONT comes while a
        thread is being made, gdb waits for that thread for ever: SIGCONT takes away the SIGSTOP that it begins with.
        """
        while self._is_stopped:
            status = self._status()
            names = [name for name in ("SigPnd:", "ShdPnd:") if name in status]
            pending = [int(status.partition(name)[2].split()[0], 16) for name in names]
            state = status.partition("State:")[2].split()
            # proc(5): t is a tracing stop; the process leaves that when it is killed.
            self._is_stopped = state[:1] == ["t"] and not any(mask & _CONTINUED for mask in pending)
            if self._is_stopped:
                time.sleep(_STOPPED_TICK)

    def _status(self) -> str:
        try:
            return Path(f"/proc/{self._program}/status").read_text("utf-8", "replace")
        except OSError:
            return ""

    def _is_handled(self, name: str) -> bool:
        """Whether a handler of the program runs for a signal, also one of which only gdb has the name."""
        number = getattr(signal, name, None)
        return number is None or self._memory is None or self._memory.catches(int(number))

    def _on_thread(self, event: Any) -> None:
        assert self._calls is not None  # noqa: S101
        self._calls.on_thread(event.inferior_thread)

    def _on_exec(self, _event: Any) -> None:
        # Also where a program starts itself again: gdb forgets all symbols then, and only then.
        self._ended = _OTHER_PROGRAM

    def _after_stop(self) -> None:
        if not self._ended and self._exe() not in (self._path, None):
            self._ended = _OTHER_PROGRAM

    def _exe(self) -> str | None:
        try:
            return str(Path(f"/proc/{self._program}/exe").readlink())
        except OSError:
            return None

    def _watchdog(self) -> None:
        assert self._calls is not None  # noqa: S101
        while not self._over.wait(_TICK):
            try:
                self._calls.take_time()
            except OSError:
                return  # it has ended
            if self._calls.is_overdue():
                self._calls.time_out()
                os.kill(self._program, signal.SIGKILL)
                return


def _is_delivered() -> bool:
    """Whether the signal that gdb stopped for is still to be delivered: else the process has been stopped by it."""
    # ptrace(2): PTRACE_GETSIGINFO fails at a group-stop.
    try:
        return int(gdb.parse_and_eval("$_siginfo")["si_signo"]) != 0
    except gdb.error:
        return False


def _is_own_trap() -> bool:
    """Whether a SIGTRAP was sent or came of an instruction of the program: gdb's own stops have other codes."""
    # sigaction(2): SI_USER and below for what was sent, SI_KERNEL for ``int3``; ptrace's events and steps are positive.
    try:
        info = gdb.parse_and_eval("$_siginfo")
        return int(info["si_signo"]) == signal.SIGTRAP and (int(info["si_code"]) <= 0 or int(info["si_code"]) == 0x80)
    except gdb.error:
        return False
