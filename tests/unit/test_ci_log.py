"""The log of a step: lines that are none of the runner's commands, groups, and how far a run is."""

from __future__ import annotations

from ci_reports import commands
from clausefit.ci.log import PROGRESS_SECONDS, Log, LogProgress


def test_a_line_is_no_command_whatever_is_in_it() -> None:
    lines: list[str] = []
    Log(lines.append).line("::error::a\n##[add-mask]b\r::warning::c")
    assert len(lines) == 1 and lines[0].startswith("clausefit: ") and commands(lines[0]) == []


def test_a_group_ends_when_its_work_fails() -> None:
    lines: list[str] = []
    log = Log(lines.append)
    try:
        with log.group("a\n::error::b"), log.quiet("word"):
            lines.append("::error::inside")
            raise ValueError
    except ValueError:
        log.command("::error::after")
    assert [one.name for one in commands("\n".join(lines))] == ["group", "stop-commands", "word", "endgroup", "error"]


def test_progress_is_said_now_and_then() -> None:
    lines: list[str] = []
    now = 0.0
    progress = LogProgress(Log(lines.append), lambda: now)
    progress.message("asking")
    progress.start(100)
    for _ in range(50):
        now += PROGRESS_SECONDS / 10
        progress.advance()
    progress.stop()
    assert lines[0] == "clausefit: asking"
    assert lines[1:] == [f"clausefit: {done} of 100 questions answered" for done in (10, 20, 30, 40, 50)]
