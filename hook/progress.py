"""How far a run is: shown on a terminal when it takes longer than a second, silent everywhere else."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Protocol, Self, TextIO

from clausefit.hook.visible import shortened, visible
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

DELAY_SECONDS = 1.0
_LONGEST_MESSAGE = 60


class ProgressReporter(Protocol):
    """Told how far the work is. Methods may be called from any thread, in any order, and raise nothing."""

    def start(self, total: int | None) -> None:
        """The work begins: ``total`` steps, or None when that is not known yet. A second call sets a new total."""
        ...

    def advance(self, steps: int = 1) -> None:
        """``steps`` more are done."""
        ...

    def message(self, text: str) -> None:
        """What is being done now."""
        ...

    def stop(self) -> None:
        """The work has ended, well or not: nothing is left on the terminal."""
        ...


class SilentProgress:
    """Shows nothing."""

    def start(self, total: int | None) -> None:
        """Nothing."""

    def advance(self, steps: int = 1) -> None:
        """Nothing."""

    def message(self, text: str) -> None:
        """Nothing."""

    def stop(self) -> None:
        """Nothing."""


class TerminalProgress:
    """One line on a terminal, which appears ``delay`` seconds after the start and goes away at the end.

    A context manager that stops at its end.
    """

    def __init__(self, console: Console, delay: float = DELAY_SECONDS) -> None:
        self._bar = Progress(
            SpinnerColumn(),
            # Messages hold file names: they must not be read as markup.
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self._delay = delay
        self._task = self._bar.add_task("", start=False, total=None)
        self._timer: threading.Timer | None = None
        self._stopped = False
        self._lock = threading.Lock()

    def start(self, total: int | None) -> None:
        """The clock for the delay starts at the first call."""
        with self._lock:
            if self._stopped:
                return
            self._bar.update(self._task, total=total)
            if self._timer is None:
                self._bar.start_task(self._task)
                self._timer = threading.Timer(self._delay, self._show)
                self._timer.daemon = True
                self._timer.start()

    def advance(self, steps: int = 1) -> None:
        """``steps`` more are done."""
        self._bar.advance(self._task, steps)

    def message(self, text: str) -> None:
        """What is being done now; escaped and cut to fit."""
        self._bar.update(self._task, description=shortened(visible(text), _LONGEST_MESSAGE))

    def stop(self) -> None:
        """Takes the line away; it will not come back."""
        with self._lock:
            self._stopped = True
            if self._timer is not None:
                self._timer.cancel()
            self._bar.stop()

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stops."""
        self.stop()

    def _show(self) -> None:
        with self._lock:
            if not self._stopped:
                self._bar.start()


def progress_for(stream: TextIO) -> ProgressReporter:
    """A reporter for ``stream`` (standard error): a line on a terminal, nothing in a pipe, a log or a dumb terminal."""
    console = Console(file=stream)
    if stream.isatty() and console.is_terminal and not console.is_dumb_terminal:
        return TerminalProgress(console)
    return SilentProgress()
