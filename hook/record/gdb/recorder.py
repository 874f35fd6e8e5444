"""Attaches to processes of one program, one after the other, and records their calls. Runs inside gdb (shim.c).

Standard library only; nothing of clausefit can be imported here. Breakpoints stand on the first byte of each function,
where the ABI says what the arguments are, and on the address to which each call returns. One JSON line a call, written
as soon as the call is over. A gdb that has read a program is kept for its next process: that costs a hundredth.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import gdb  # type: ignore[import-untyped]

sys.path.insert(0, str(Path(__file__).parent))

from images import Images  # type: ignore[import-not-found]
from output import Output  # type: ignore[import-not-found]
from sharing import Shared  # type: ignore[import-not-found]
from waiting import Asker, Waiting  # type: ignore[import-not-found]
from watching import NotAttachedError, Watching  # type: ignore[import-not-found]

_READY = 3
_QUIET = (
    "pagination off",
    "confirm off",
    "debuginfod enabled off",
    # Symbols of the C library cost four fifths of the start, and no function of the workspace is there.
    "debug-file-directory /nonexistent",
    "breakpoint always-inserted on",
    "displaced-stepping on",
    "exec-file-mismatch off",
    "print thread-events off",
    "print inferior-events off",
    "detach-on-fork on",
    "unwindonsignal on",
    "max-value-size unlimited",
    "backtrace limit 200",
    "language c",
)


class Recorder:
    """One run of gdb."""

    def __init__(self) -> None:
        self._folder = Path(os.environ["CLAUSEFIT_RECORD"])
        self._watch: dict[str, Any] = json.loads((self._folder / "watch.json").read_text(encoding="utf-8"))
        self._limits: dict[str, Any] = self._watch["limits"]
        self._shared = Shared(self._folder, self._limits["slowdown"])
        self._images = Images(self._watch)
        self._waiting = Waiting(self._folder, os.environ["CLAUSEFIT_KEY"])

    def run(self) -> None:
        """Watch the process that started this gdb, then those that ask."""
        _set_up()
        asker: Asker | None = Asker(int(os.environ["CLAUSEFIT_PROGRAM"]), _READY)
        _go_to(os.environ["CLAUSEFIT_START"])
        is_first = True
        while asker is not None:
            try:
                goes_on = self._serve(asker, is_first=is_first)
            finally:
                asker.answer(watched=is_first)  # it was answered before, if all went well
            is_first = False
            asker = self._waiting.next() if goes_on else None

    def _serve(self, asker: Asker, *, is_first: bool) -> bool:
        """Watch one process. True where others may ask then, which they can do already."""
        if self._images.is_changed(asker.program) and not is_first:
            return False
        known = self._images.known(asker.program)
        if known is not None and not known.is_wanted(self._shared, self._limits["distinct_calls"]):
            asker.answer(watched=True)
            return bool(self._waiting.open())
        output = Output(self._folder, asker.program)
        watching = Watching(asker.program, output, self._limits, self._shared)
        try:
            watching.begin(self._images)
        except NotAttachedError as problem:
            if is_first:
                output.write({"problem": "attach", "detail": str(problem)})
                output.write({"end": "not attached"})
            else:
                output.discard()  # a gdb that it starts by itself may be allowed to
            return False
        asker.answer(watched=True)
        watching.run()
        # Before it is let go of: where it has started the same program, that asks at once.
        goes_on = watching.is_as_before and bool(self._waiting.open())
        watching.leave()
        return goes_on


def _go_to(folder: str) -> None:
    """Libraries may be named from the folder that the program was started in (``LD_LIBRARY_PATH=.``)."""
    try:
        gdb.execute(f"cd {folder}", to_string=True)
    except gdb.error as problem:
        print(problem)  # into this gdb's log: such libraries are not found then


def _set_up() -> None:
    for setting in _QUIET:
        try:
            gdb.execute(f"set {setting}", to_string=True)
        except gdb.error:
            continue  # this version of gdb has no such setting
    gdb.execute("handle all stop print pass", to_string=True)
    # "all" leaves out what debuggers use. Passed, SIGTRAP would be sent at gdb's own breakpoints too: see watching.py.
    gdb.execute("handle SIGTRAP stop print nopass", to_string=True)
    gdb.execute("handle SIGINT stop print pass", to_string=True)
    gdb.execute("catch exec", to_string=True)


Recorder().run()
