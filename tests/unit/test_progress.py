"""Progress: late on a terminal, never elsewhere."""

from __future__ import annotations

import io
import os
import pty
import time
from collections.abc import Callable

import pytest
from clausefit.hook.progress import ProgressReporter, SilentProgress, TerminalProgress, progress_for
from rich.console import Console


def terminal() -> tuple[io.StringIO, Console]:
    buffer = io.StringIO()
    return buffer, Console(file=buffer, force_terminal=True, width=120, color_system=None)


def wait_for(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + 5
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


def use(progress: ProgressReporter) -> None:
    progress.start(10)
    progress.message("src/a.c")
    progress.advance(3)


def test_short_work_shows_nothing() -> None:
    buffer, console = terminal()
    with TerminalProgress(console, delay=30) as progress:
        use(progress)
    assert buffer.getvalue() == ""


def test_long_work_shows_up_though_nothing_advances() -> None:
    buffer, console = terminal()
    with TerminalProgress(console, delay=0.01) as progress:
        use(progress)
        assert wait_for(lambda: "3/10" in buffer.getvalue())
        assert "src/a.c" in buffer.getvalue()


def test_the_line_goes_away_and_stays_away() -> None:
    buffer, console = terminal()
    progress = TerminalProgress(console, delay=0.0)
    progress.start(None)
    assert wait_for(lambda: buffer.getvalue() != "")
    progress.stop()
    written = buffer.getvalue()
    assert written.endswith("\x1b[2K")  # erases its line (ECMA-48 EL)
    progress.start(5)
    progress.message("late")
    progress.advance()
    progress.stop()
    assert buffer.getvalue() == written


def test_a_second_start_sets_the_total() -> None:
    buffer, console = terminal()
    with TerminalProgress(console, delay=0.0) as progress:
        progress.start(None)
        progress.start(7)
        assert wait_for(lambda: "0/7" in buffer.getvalue())


def test_stop_without_start() -> None:
    buffer, console = terminal()
    TerminalProgress(console).stop()
    assert "\x1b" not in buffer.getvalue()


def test_messages_are_escaped() -> None:
    buffer, console = terminal()
    with TerminalProgress(console, delay=0.0) as progress:
        progress.start(1)
        progress.message("[red]\x1b[31m\u202e\n" + "x" * 500)
        assert wait_for(lambda: "[red]\\x1b[31m\\u202e\\n" in buffer.getvalue())
    assert "x" * 61 not in buffer.getvalue()


def test_silent_progress_takes_all_calls() -> None:
    progress = SilentProgress()
    use(progress)
    progress.stop()


def test_a_pipe_gets_nothing() -> None:
    assert isinstance(progress_for(io.StringIO()), SilentProgress)


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        pytest.param("xterm", TerminalProgress, id="terminal"),
        pytest.param("dumb", SilentProgress, id="a dumb terminal cannot redraw a line"),
    ],
)
def test_a_real_terminal(term: str, expected: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", term)
    reader, writer = pty.openpty()
    with os.fdopen(reader, "rb"), os.fdopen(writer, "w") as stream:
        assert isinstance(progress_for(stream), expected)


def test_forced_colours_do_not_make_a_pipe_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert isinstance(progress_for(io.StringIO()), SilentProgress)
