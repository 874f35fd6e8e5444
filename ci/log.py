"""The log of a step: lines for people among those that the runner takes for commands."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

from clausefit.ci.escaping import command_data, log_line

PROGRESS_SECONDS = 20.0


class Log:
    """Writes to a step's standard output by ``write``, one line at a time; may be shared by threads."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._lock = threading.Lock()

    def line(self, text: str) -> None:
        """A line for people; nothing in it is a command."""
        self.command(log_line(f"clausefit: {text}"))

    def command(self, line: str) -> None:
        """A line as it is: a workflow command whose parts are escaped."""
        with self._lock:
            self._write(line)

    @contextlib.contextmanager
    def group(self, title: str) -> Iterator[None]:
        """Lines that the log folds under ``title``."""
        self.command(f"::group::{command_data(title)}")
        try:
            yield
        finally:
            self.command("::endgroup::")

    @contextlib.contextmanager
    def quiet(self, token: str) -> Iterator[None]:
        """The runner takes no line for a command meanwhile, whoever writes it; ``token`` is random and ends that.

        "Workflow commands", Stopping and starting workflow commands.
        """
        self.command(f"::stop-commands::{token}")
        try:
            yield
        finally:
            self.command(f"::{token}::")


class LogProgress:
    """A ``ProgressReporter`` for logs: a line when some time went by since the last one."""

    def __init__(self, log: Log, clock: Callable[[], float], seconds: float = PROGRESS_SECONDS) -> None:
        self._log, self._clock, self._seconds = log, clock, seconds
        self._lock = threading.Lock()
        self._said = clock()
        self._done, self._total = 0, 0

    def start(self, total: int | None) -> None:
        """The work begins, or has a new total."""
        with self._lock:
            self._total = total or 0

    def advance(self, steps: int = 1) -> None:
        """``steps`` more are done."""
        with self._lock:
            self._done += steps
            now = self._clock()
            if now - self._said < self._seconds:
                return
            self._said = now
            text = f"{self._done} of {self._total} questions answered"
        self._log.line(text)

    def message(self, text: str) -> None:
        """What is being done now."""
        self._log.line(text)

    def stop(self) -> None:
        """The work has ended."""
