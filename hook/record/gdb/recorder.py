"""Attaches to one process and records its calls of functions with contracts. Runs inside gdb, started by shim.c.

Standard library only; nothing of clausefit can be imported here. Breakpoints stand on the first byte of each function,
where the ABI says what the arguments are, and on the address to which each call returns. One JSON line a call, written
as soon as the call is over.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import gdb  # type: ignore[import-untyped]

sys.path.insert(0, str(Path(__file__).parent))

from calls import Calls  # type: ignore[import-not-found]
from functions import find_functions  # type: ignore[import-not-found]
from landings import landings  # type: ignore[import-not-found]
from layouts import Layouts  # type: ignore[import-not-found]
from memory import Limits, Memory  # type: ignore[import-not-found]
from sharing import Shared  # type: ignore[import-not-found]
from started import arguments_by_ctest  # type: ignore[import-not-found]

_READY = 3
_FATAL = ("SIGABRT", "SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL")
_MOST_SIGNALS = 300
_QUIET = (
    "pagination off",
    "confirm off",
    "debuginfod enabled off",
    # Symbols of the C library cost four fifths of the start, and no function of the workspace is there.
    "debug-file-directory /nonexistent",
    "breakpoint always-inserted on",
    "displaced-stepping on",
    "print thread-events off",
    "print inferior-events off",
    "detach-on-fork on",
    "unwindonsignal on",
    "max-value-size unlimited",
    "backtrace limit 200",
    "language c",
)
_TICK = 0.1
_OTHER_PROGRAM = "another program was started in this process"


class Output:
    """The file of this process: a line is there as a whole, or it is the last one."""

    def __init__(self, folder: Path, program: int) -> None:
        name = folder / f"calls.{program}.{time.time_ns()}.jsonl"
        self._file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        fcntl.flock(self._file, fcntl.LOCK_EX)
        self._lock = threading.Lock()

    def write(self, line: dict[str, Any]) -> None:
        """Append one line. Raises OSError (a full disk)."""
        data = json.dumps(line, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            while data:
                data = data[os.write(self._file, data) :]


class Recorder:
    """One run of gdb on one process."""

    def __init__(self) -> None:
        self.program = int(os.environ["CLAUSEFIT_PROGRAM"])
        self.folder = Path(os.environ["CLAUSEFIT_RECORD"])
        self.watch: dict[str, Any] = json.loads((self.folder / "watch.json").read_text(encoding="utf-8"))
        self.output = Output(self.folder, self.program)
        self.calls: Calls | None = None
        self.ended = ""
        self.path = ""
        self.memory: Memory | None = None
        self.signals = 0
        self.trapped = False

    def run(self) -> None:
        """Watch the process until it ends or nothing is left to watch."""
        try:
            self._prepare()
        finally:
            os.close(_READY)
        if self.calls is None:
            return
        while not self.ended and self.calls.is_watching:
            try:
                go_on = "signal SIGTRAP" if self.trapped else "continue"
                self.trapped = False
                gdb.execute(go_on, to_string=True)
            except gdb.error as problem:
                self.ended = self.ended or f"gdb: {str(problem).splitlines()[0] if str(problem) else ''}"
            self._after_stop()
        self.calls.finish(self.ended)
        self.output.write({"end": self.ended or "detached"})
        if not self.ended.startswith("exited"):
            gdb.execute("detach", to_string=True)

    def _prepare(self) -> None:
        for setting in _QUIET:
            try:
                gdb.execute(f"set {setting}", to_string=True)
            except gdb.error:
                continue  # this version of gdb has no such setting
        path = str(Path(f"/proc/{self.program}/exe").readlink())
        started = arguments_by_ctest(self.program)
        self.output.write({"program": path, "process": self.program, "arguments": started})
        try:
            gdb.execute(f"attach {self.program}", to_string=True)
        except gdb.error as problem:
            self.output.write({"problem": "attach", "detail": str(problem)[:300]})
            self.output.write({"end": "not attached"})
            return
        gdb.execute("handle all stop print pass", to_string=True)
        # "all" leaves out what debuggers use. Passed, SIGTRAP would be sent at gdb's own breakpoints too: see run.
        gdb.execute("handle SIGTRAP stop print nopass", to_string=True)
        gdb.execute("handle SIGINT stop print pass", to_string=True)
        gdb.execute("catch exec", to_string=True)
        limits = self.watch["limits"]
        layouts = Layouts()
        memory = Memory(layouts, Limits(limits["depth"], limits["elements"], limits["text"]), self.program)
        self.memory = memory
        found = find_functions(self.watch, layouts)
        self.output.write({"found": len(found.functions)})
        for line in found.reports:
            self.output.write(line)
        self.path = path
        shared = Shared(self.folder, limits["slowdown"])
        places = landings(self.program, found.files) if found.functions else []
        self.calls = Calls(self.output.write, memory, limits, found.functions, shared, places)
        gdb.events.exited.connect(self._on_exit)
        gdb.events.stop.connect(self._on_stop)
        gdb.events.new_thread.connect(self._on_thread)
        gdb.events.clear_objfiles.connect(self._on_exec)
        threading.Thread(target=self._watchdog, daemon=True).start()
        os.write(_READY, b"1")

    def _on_exit(self, event: Any) -> None:
        status = getattr(event, "exit_code", None)
        self.ended = "exited" if status is None else f"exited with {int(status)}"

    def _on_stop(self, event: Any) -> None:
        assert self.calls is not None  # noqa: S101 - connected after it was made
        if not isinstance(event, gdb.SignalEvent):
            self.trapped = type(event) is gdb.StopEvent and _is_own_trap()
            if self.trapped:
                self.calls.on_other_code("the program handled a signal inside of the call")
            return
        if event.stop_signal in _FATAL:
            self.calls.on_signal(event.stop_signal)
        if self._is_handled(event.stop_signal):
            self.calls.on_other_code("the program handled a signal inside of the call")
        self.signals += 1
        if self.signals == _MOST_SIGNALS:
            # Each costs a stop of the program. Without them no handler is seen, and no call with memory is certain.
            self.ended = "too many signals came to the program"

    def _is_handled(self, name: str) -> bool:
        """Whether a handler of the program runs for a signal, also one of which only gdb has the name."""
        number = getattr(signal, name, None)
        return number is None or self.memory is None or self.memory.catches(int(number))

    def _on_thread(self, _event: Any) -> None:
        assert self.calls is not None  # noqa: S101
        self.calls.on_other_code("another thread may change the memory that it is given")

    def _on_exec(self, _event: Any) -> None:
        # Also where a program starts itself again: gdb forgets all symbols then, and only then.
        self.ended = _OTHER_PROGRAM

    def _after_stop(self) -> None:
        assert self.calls is not None  # noqa: S101
        if self.ended:
            return
        path = Path(f"/proc/{self.program}/exe")
        try:
            now = str(path.readlink())
        except OSError:
            return
        if now != self.path:
            self.ended = _OTHER_PROGRAM

    def _watchdog(self) -> None:
        assert self.calls is not None  # noqa: S101
        while not self.ended:
            time.sleep(_TICK)
            try:
                self.calls.take_time()
            except OSError:
                return  # it has ended
            if self.calls.is_overdue():
                self.calls.time_out()
                os.kill(self.program, signal.SIGKILL)
                return


def _is_own_trap() -> bool:
    """Whether a SIGTRAP was sent or came of an instruction of the program: gdb's own stops have other codes."""
    # sigaction(2): SI_USER and below for what was sent, SI_KERNEL for ``int3``; ptrace's events and steps are positive.
    try:
        info = gdb.parse_and_eval("$_siginfo")
        return int(info["si_signo"]) == signal.SIGTRAP and (int(info["si_code"]) <= 0 or int(info["si_code"]) == 0x80)
    except gdb.error:
        return False


Recorder().run()
