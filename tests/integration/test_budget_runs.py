"""``check --budget`` and ``--no-verifier`` on real projects: what was not reached is listed, the next run goes on."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from running import CLAUSEFIT, Command, Ran, clean_environment, recording_frama_c

SLACK = 8.0
"""Seconds beyond the budget after which a run is too late: a machine that is busy starts and ends processes slowly."""
FUNCTIONS = 12


@pytest.fixture
def fresh(tmp_path: Path) -> Command:
    """A project with many contracts, one of them too weak, and a cache of its own."""
    (tmp_path / "project").mkdir()
    command = Command(tmp_path / "project", tmp_path / "cache")
    for number in range(FUNCTIONS):
        ensures = "\\result > a" if number == 3 else f"\\result == a + {number}"
        command.write(
            f"src/f{number // 4}.c" if number % 4 == 0 else f"src/g{number}.c",
            f"/*@ requires a < 1000; ensures sum: {ensures}; assigns \\nothing; */\n"
            f"int add{number}(int a) {{ return a + {number}; }}\n",
        )
    calls = "".join(f"  assert(add{n}(3) == {n + 3}); assert(add{n}(8) == {n + 8});\n" for n in range(FUNCTIONS))
    declared = "".join(f"int add{n}(int a);\n" for n in range(FUNCTIONS))
    command.write("tests/test_add.c", f"#include <assert.h>\n{declared}int main(void) {{\n{calls}  return 0;\n}}\n")
    return command


def timed(command: Command, *arguments: str, env: dict[str, str] | None = None) -> tuple[Ran, float]:
    start = time.monotonic()
    ran = command.run("check", "--all", "--format", "json", *arguments, env=env)
    return ran, time.monotonic() - start


def unreached(ran: Ran) -> set[str]:
    return {entry["function"] for entry in ran.report["not_checked"] if entry["reason"] == "budget"}


def processes_below(folder: Path) -> list[str]:
    """The processes that work in a folder or in one below it."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            where = (process / "cwd").readlink()
            command = (process / "cmdline").read_bytes()
        except OSError:  # it has ended meanwhile
            continue
        if where.is_relative_to(folder):
            found.append(f"{process.name} {command!r}")
    return found


def test_runs_that_are_cut_go_on_from_each_other(fresh: Command, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    everything = {f"add{number}" for number in range(FUNCTIONS)}
    judged: set[str] = set()
    cut, known = 0, 0
    for budget in (3, 6, 12, 24, 48, 96):
        ran, seconds = timed(fresh, "--budget", str(budget), env={"TMPDIR": str(scratch)})
        assert seconds < budget + SLACK
        assert processes_below(scratch) == []
        left = unreached(ran)
        cut += bool(left)
        if not ran.report["stats"]["questions"]:  # so busy a machine that not even the tests were read
            assert ran.status == 2 and left
            continue
        # Every contract is judged or listed, and what was judged once is judged for good.
        assert set(ran.judged) | left == everything and not set(ran.judged) & left
        assert all(entry["line"] == 2 for entry in ran.report["not_checked"])
        assert judged <= set(ran.judged) and list(scratch.iterdir()) == []
        assert ran.report["stats"]["cached"] >= known
        judged, known = set(ran.judged), ran.report["stats"]["cached"]
        assert ran.found == ([("add3", "too_weak", "ensures sum: \\result > a")] if "add3" in judged else [])
        if not left:
            break
        assert ran.status == (1 if "add3" in judged else 2)
    assert cut and judged == everything
    whole = fresh.run("check", "--all", "--format", "json")
    assert whole.found == ran.found and whole.reasons == set() and whole.report["stats"]["asked"] == 0


def test_a_run_that_has_time_enough_says_what_a_run_without_budget_says(fresh: Command, tmp_path: Path) -> None:
    limited, _seconds = timed(fresh, "--budget", "150.5")
    other = Command(fresh.folder, tmp_path / "other-cache")
    free, _seconds = timed(other)
    assert limited.status == free.status == 1
    for name in ("contracts", "findings", "not_checked", "verifiers"):
        assert limited.report[name] == free.report[name]


def test_the_setting_is_a_budget(fresh: Command) -> None:
    fresh.write(".clausefit.yaml", "budget: 1\n")
    ran, seconds = timed(fresh)
    assert ran.status in (1, 2) and unreached(ran) and seconds < 1 + SLACK
    fresh.write(".clausefit.yaml", "budget: 0.5\n")
    assert fresh.run("check").says_one_line().startswith("clausefit: .clausefit.yaml:1: budget: ")


@pytest.mark.parametrize(
    ("tool", "detail"),
    [
        pytest.param("frama-c", "questions are answered", id="a-verifier-that-never-ends"),
        pytest.param("gcc", "there was no time to read its tests", id="a-preprocessor-that-never-ends"),
    ],
)
def test_a_tool_that_never_ends_is_ended(fresh: Command, tmp_path: Path, tool: str, detail: str) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    mark = tmp_path / "here"
    mark.mkdir()
    program = programs / tool
    program.write_text(f"#!/bin/sh\ncd {mark}\nsleep 1000 &\nsleep 1000\n")
    program.chmod(0o755)
    ran, seconds = timed(fresh, "--budget", "12", env={"PATH": f"{programs}:{os.environ['PATH']}"})
    assert ran.status == 2 and seconds < 12 + SLACK
    assert len(unreached(ran)) == FUNCTIONS
    assert all(detail in entry["detail"] for entry in ran.report["not_checked"])
    assert processes_below(mark) == []


def test_a_cache_that_somebody_holds_does_not_hold_us(fresh: Command) -> None:
    folder = fresh.cache / "clausefit"
    folder.mkdir(parents=True)
    holder = sqlite3.connect(folder / "verdicts-1.sqlite3", isolation_level=None)
    holder.execute("CREATE TABLE verdict (key TEXT PRIMARY KEY, value TEXT NOT NULL, used INTEGER NOT NULL)")
    holder.execute("BEGIN EXCLUSIVE")
    ran, seconds = timed(fresh, "--budget", "12")
    holder.execute("COMMIT")
    holder.close()
    assert ran.status == 2 and seconds < 12 + SLACK
    assert len(unreached(ran)) == FUNCTIONS


STUCK = """
import re, sys
import clausefit.hook.check as check
from clausefit.ci.command import entry

def prepare_c(*_arguments):
    {what}

check.prepare_c = prepare_c
sys.argv = ["clausefit", "check", "--all", "--budget", "12", "--verbose"]
entry()
"""


def stuck(command: Command, what: str) -> tuple[subprocess.CompletedProcess[str], float]:
    """A run whose preparation does not come back; it is ours, and no tool that could be ended."""
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", STUCK.format(what=what)],
        cwd=command.folder,
        env=command.environment(),
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done, time.monotonic() - start


def test_a_loop_of_ours_that_forgets_the_clock_is_left_behind(fresh: Command) -> None:
    done, seconds = stuck(fresh, "while True: pass")
    assert done.returncode == 2 and seconds < 12 + SLACK, done.stderr
    assert f"budget ({FUNCTIONS})" in done.stdout
    assert all(f": add{number}" in done.stdout for number in range(FUNCTIONS))


def test_a_call_that_no_thread_of_ours_can_leave_is_ended_by_the_system(fresh: Command) -> None:
    done, seconds = stuck(fresh, 're.fullmatch("(a+)+b", "a" * 60)')
    assert done.returncode == -14 and seconds < 12 + SLACK, done.stderr


def test_a_report_of_nothing_read_is_no_pass(fresh: Command) -> None:
    ran, _seconds = timed(fresh, "--budget", "1")
    assert ran.status == 2
    assert ran.report["findings"] == [] and ran.reasons == {"budget"}


# ---- --no-verifier ---------------------------------------------------------------------------------------------------


def test_no_verifier_is_started_and_nothing_is_called_good(fresh: Command, tmp_path: Path) -> None:
    variables, calls = recording_frama_c(tmp_path / "bin")
    ran = fresh.run("check", "--all", "--no-verifier", env=variables)
    assert ran.status == 0 and not calls.exists()
    said = f"Nothing judged: {FUNCTIONS} contracts not asked about (no verifier was started), 0 undecided; "
    assert ran.out.startswith(said)
    report = fresh.run("check", "--all", "--no-verifier", "--format", "json", env=variables)
    assert report.reasons == {"not_asked"} and report.judged == [] and report.report["stats"]["asked"] == 0


def test_what_the_cache_knows_is_judged(fresh: Command) -> None:
    fresh.run("check", "src/g3.c", "src/g5.c")
    ran = fresh.run("check", "--all", "--no-verifier", "--format", "json")
    assert ran.status == 1 and sorted(ran.judged) == ["add3", "add5"]
    assert ran.found == [("add3", "too_weak", "ensures sum: \\result > a")]
    assert len(ran.report["not_checked"]) == FUNCTIONS - 2


@pytest.mark.parametrize(
    ("text", "status", "says"),
    [
        pytest.param("/*@ ensures \\result ==; */\nint f(int a);\n", 2, "parse_error", id="broken-annotation"),
        pytest.param(
            "/*@ // clausefit: ignore[CF101]\n  ensures \\result > 0; */\nint f(int a) { return 1; }\n",
            1,
            "CF90",
            id="suppression-without-reason",
        ),
        pytest.param(
            "/*@ ensures \\result > 0; */\nint nobody_calls_me(int a) { return 1; }\n",
            0,
            "no_pins (1)",
            id="contract-without-pins",
        ),
    ],
)
def test_what_can_be_told_without_a_verifier_is_told(fresh: Command, text: str, status: int, says: str) -> None:
    fresh.write("src/new.c", text)
    ran = fresh.run("check", "src/new.c", "--no-verifier")
    assert ran.status == status and says in ran.out, ran.out + ran.err


def test_broken_settings_are_told(fresh: Command) -> None:
    fresh.write(".clausefit.yaml", "bugdet: 5\n")
    ran = fresh.run("check", "--no-verifier")
    assert ran.status == 2 and "did you mean 'budget'?" in ran.says_one_line()


def test_java_is_cut_and_gone_on_with_as_well(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "java"
    command = Command(tmp_path / "java", tmp_path / "cache")
    for path in example.rglob("*.java"):
        command.write(path.relative_to(example).as_posix(), path.read_bytes())
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    found: list[tuple[str, str, str | None]] = []
    cut = 0
    for budget in (6, 12, 24, 48, 96):
        ran, seconds = timed(command, "--budget", str(budget), env={"TMPDIR": str(scratch)})
        assert seconds < budget + SLACK and processes_below(scratch) == []
        cut += bool(unreached(ran))
        if not ran.report["stats"]["questions"]:
            continue
        assert len(ran.judged) + len(unreached(ran)) == 9
        assert len(ran.found) >= len(found)
        found = ran.found
        if not unreached(ran):
            break
    expected = ["Account.startMonth()", "Station.emptyBoxes()", "Tariff.reduced(int, int)"]
    assert cut and [one[0] for one in found] == expected
    asked = subprocess.run(
        [str(CLAUSEFIT), "check", "--all", "--no-verifier", "--format", "json"],
        cwd=command.folder,
        env=clean_environment() | {"XDG_CACHE_HOME": str(command.cache)},
        capture_output=True,
        text=True,
    )
    assert Ran(asked.returncode, asked.stdout, asked.stderr).found == found


STACK = """typedef struct { int items[8]; int count; } stack;
/*@ predicate ok(stack *s) = 0 <= s->count <= 8; */
/*@ requires \\valid(s) && ok(s);
    assigns s->items[s->count], s->count;
    behavior full: assumes s->count == 8; assigns \\nothing; ensures \\result == 0;
    behavior room: assumes s->count < 8;
      ensures \\result == 1 && s->count == \\old(s->count) + 1 && s->items[\\old(s->count)] == v;
    complete behaviors; disjoint behaviors; */
int push(stack *s, int v) { if (s->count == 8) return 0; s->items[s->count++] = v; return 1; }
"""
PUSHES = """#include <assert.h>
typedef struct { int items[8]; int count; } stack;
int push(stack *s, int v);
int main(void)
{
    stack s = {{0}, 0};
    for (int i = 0; i < 8; i++) assert(push(&s, i * 10) == 1);
    assert(s.count == 8);
    return 0;
}
"""


def test_calls_of_which_the_input_is_not_shown_cost_nothing(project: Command) -> None:
    """After the first call nobody knows what the struct holds, and with it whether the precondition held."""
    project.write("stack.c", STACK)
    project.write("test_stack.c", PUSHES)
    ran, _seconds = timed(project)
    (contract,) = ran.report["contracts"]
    # Of the first call the test shows the result alone, not what the struct holds then.
    assert ran.reasons == {"outcome_not_known"} and ran.report["stats"]["undecided"] == 0, ran.out
    assert "the test does not show that part of the input on which a precondition rests" in ran.out
    assert contract["function"] == "push"
