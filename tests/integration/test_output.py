"""What the command prints: the JSON report, the text, and the small commands."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from clausefit.hook.reports.json_reader import read_report
from clausefit.hook.reports.json_report import to_json
from clausefit.hook.rules import RULES
from running import CLAUSEFIT, Command, Ran

SCHEMA = json.loads((Path(__file__).parents[2] / "hook" / "reports" / "report.schema.json").read_text())
SOURCE = """\
#define MANY 8
struct pair { int left; float right; };

/*@ requires \\valid(p) && 0 <= by < MANY;
    assigns p->left;
    ensures more: p->left >= \\old(p->left);
    ensures same: p->right == \\old(p->right); */
int move(struct pair *p, int by) { p->left += by; return p->left; }

/*@ ensures exact: \\result == a + 1; */
int next(int a) { return a + 1; }

/*@ ensures \\result == x; */
int untested(int x) { return x; }
"""
TEST = """\
#include <assert.h>
struct pair { int left; float right; };
int next(int a);
int move(struct pair *p, int by);
int main(void) {
    struct pair p = {1, 0.5f};
    assert(move(&p, 2) == 3);
    assert(p.left == 3 && p.right == 0.5f);
    assert(next(3) == 4);
    return 0;
}
"""


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """A project that has been judged once: later runs are answered from the cache."""
    command = Command(tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("cache"))
    command.write("mix.c", SOURCE)
    command.write("test_mix.c", TEST)
    command.check("--all")
    return command


@pytest.fixture(scope="module")
def report(judged: Command) -> dict[str, Any]:
    return judged.check("--all").report


def test_json_is_as_the_schema_says(report: dict[str, Any]) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    validator.check_schema(SCHEMA)
    assert [error.message for error in validator.iter_errors(report)] == []
    assert report["contracts"] and report["findings"] and report["not_checked"], "nothing was left to chance"


def test_json_says_what_the_design_says(report: dict[str, Any]) -> None:
    """DESIGN §11, on which other programs rely."""
    names = ["schema", "contracts", "findings", "known", "stale", "not_checked", "verifiers", "stats"]
    assert list(report) == names
    assert report["schema"] == "clausefit-report/1"
    contract = next(c for c in report["contracts"] if c["function"] == "next")
    assert (contract["language"], contract["file"], contract["line"]) == ("c", "mix.c", 11)
    assert contract["pins"] == {"static": 1, "recorded": 0, "used": 1, "ignored": []}
    assert contract["scores"] == {
        "PostCorr": {"passed": 1, "decided": 1, "asked": 1, "score": 1.0},
        "PostComp": {"passed": 5, "decided": 5, "asked": 5, "score": 1.0},
        "PreCorr": {"passed": 1, "decided": 1, "asked": 1, "score": 1.0},
        "PreComp": {"passed": 0, "decided": 0, "asked": 0, "score": None},
    }
    (clause,) = contract["clauses"]
    assert (clause["kind"], clause["text"]) == ("ensures", "ensures exact: \\result == a + 1")
    assert (clause["line"], clause["end_line"], clause["accepts_right"], clause["rejects_right"]) == (10, 10, 1, 0)
    finding = next(f for f in report["findings"] if f["function"] == "move")
    assert finding["witness"]["inputs"]["by"] == 2 and finding["witness"]["test_file"] == "test_mix.c"
    assert (finding["witness"]["right"], finding["direction"]) != (finding["witness"]["wrong"], None)
    assert finding["code"] in RULES
    assert {n["function"]: n["reason"] for n in report["not_checked"]}["untested"] == "no_pins"
    (verifier,) = report["verifiers"]
    assert verifier["name"] == "frama-c-wp" and verifier["version"]
    assert len(verifier["provers"]) == len(set(verifier["provers"])) > 0


def test_a_report_is_read_back_as_it_was_written(judged: Command) -> None:
    text = judged.check("--all").out
    assert to_json(read_report(text, "report.json")) == text


def test_a_second_run_says_the_same_from_the_cache(judged: Command, report: dict[str, Any]) -> None:
    again = judged.check("--all").report
    assert again["stats"]["asked"] == 0 and again["stats"]["cached"] == again["stats"]["questions"] > 0
    assert {k: v for k, v in again.items() if k != "stats"} == {k: v for k, v in report.items() if k != "stats"}


def test_output_to_a_file(judged: Command, report: dict[str, Any]) -> None:
    ran = judged.check("--all", "--output", "report.json")
    assert ran.status == 1 and ran.out == ""
    written = json.loads((judged.folder / "report.json").read_text())
    assert written["findings"] == report["findings"]
    ran = judged.run("check", "--all", "--timeout", "2", "--output", "report.txt")
    assert ran.status == 1 and ran.out == ""
    piped = judged.run("check", "--all", "--timeout", "2")
    assert (judged.folder / "report.txt").read_text().splitlines()[:-1] == piped.out.splitlines()[:-1] != []
    assert sorted(p.name for p in judged.folder.iterdir()) == ["mix.c", "report.json", "report.txt", "test_mix.c"]


def test_text_in_a_pipe_is_plain(judged: Command) -> None:
    ran = judged.run("check", "--all", "--timeout", "2")
    assert ran.status == 1 and ran.err == ""
    assert "\x1b" not in ran.out
    lines = ran.out.splitlines()
    assert any(line.startswith("mix.c:") and " too weak: move: " in line for line in lines)
    assert any("ensures more: p->left >= \\old(p->left);" in line for line in lines), "the line of the source"
    assert "untested: no test calls it" in ran.out
    assert lines[-1].startswith("2 of 3 contracts judged, 1 without pins, ")


def on_a_terminal(command: Command, *arguments: str, **variables: str) -> str:
    """What the command prints to a terminal of 100 columns."""
    ours, theirs = pty.openpty()
    environment = command.environment({"TERM": "xterm-256color", "COLUMNS": "100", **variables})
    running = subprocess.Popen(
        [str(CLAUSEFIT), *arguments], cwd=command.folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    said = b""
    while True:
        try:
            data = os.read(ours, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not data:
            break
        said += data
    os.close(ours)
    running.wait(timeout=60)
    return said.decode()


def test_a_terminal_gets_colours_unless_they_are_not_wanted(judged: Command) -> None:
    arguments = ("check", "--all", "--timeout", "2")
    assert "\x1b[" in on_a_terminal(judged, *arguments)
    plain = on_a_terminal(judged, *arguments, NO_COLOR="1")
    assert "CF10" in plain
    assert not [part for part in plain.split("\x1b[")[1:] if part.split("m")[0] in ("31", "91", "1;31", "33", "36")]


def test_a_closed_pipe_is_no_error(judged: Command) -> None:
    running = subprocess.Popen(
        [str(CLAUSEFIT), "check", "--all", "--timeout", "2", "--format", "json"],
        cwd=judged.folder,
        env=judged.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None and running.stderr is not None
    running.stdout.close()
    errors = running.stderr.read()
    running.wait(timeout=60)
    assert errors == ""


def test_names_from_files_do_not_reach_the_terminal_raw(project: Command) -> None:
    project.write("a\x1b[31m.c", "/*@ ensures a \x1b[31m: \\result == 1; */\nint f(int a) { return 1; }\n")
    ran = project.run("check", "--all", "-v")
    assert "\x1b" not in ran.out + ran.err


def test_stubs(judged: Command, tmp_path: Path) -> None:
    ran = judged.run("stubs", "mix.c")
    assert ran.status == 0 and ran.err == ""
    assert "p->left >= \\old(p->left)" in ran.out and '#include "w/mix.c"' in ran.out
    (tmp_path / "w").mkdir()
    shutil.copy(judged.folder / "mix.c", tmp_path / "w" / "mix.c")
    (tmp_path / "stubs.c").write_text(ran.out)
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}  # Frama-C looks below $PWD, if that is set
    done = subprocess.run(["frama-c", "stubs.c"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "Warning" not in done.stdout.replace("[wp] Warning: Missing RTE guards", ""), done.stdout


def test_stubs_without_anything_to_ask(project: Command) -> None:
    project.write("next.c", "/*@ ensures \\result == a; */ int next(int a);\n")
    ran = project.run("stubs", "--all")
    assert ran.status == 0 and ran.out.startswith("/* nothing")


@pytest.mark.parametrize("code", sorted(RULES))
def test_explain(project: Command, code: str) -> None:
    ran = project.run("explain", code)
    assert ran.status == 0 and ran.err == ""
    assert ran.out.startswith(f"{code} {RULES[code].name}") and len(ran.out.splitlines()) > 3


def test_explain_lists_and_helps(project: Command) -> None:
    listed = project.run("explain")
    assert listed.status == 0 and [line[:5] for line in listed.out.splitlines()] == sorted(RULES)
    wrong = project.run("explain", "CF10")
    assert wrong.status == 2 and "CF101" in wrong.out + wrong.err


def test_doctor(project: Command, tmp_path: Path) -> None:
    ran = project.run("doctor")
    assert ran.status == 0, ran.out
    assert all(word in ran.out for word in ("frama-c", "why3", "gcc"))
    empty = tmp_path / "bin"
    empty.mkdir()
    (empty / "git").symlink_to(shutil.which("git") or "")
    ran = project.run("doctor", env={"PATH": str(empty)})
    assert ran.status != 0 and "install" in ran.out


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param([], id="no-command"),
        pytest.param(["chekc"], id="unknown-command"),
        pytest.param(["check", "--timeout", "0"], id="no-time"),
        pytest.param(["check", "--pins", "-1"], id="negative"),
        pytest.param(["check", "--jobs", "many"], id="no-number"),
        pytest.param(["check", "--all", "--staged"], id="two-requests"),
        pytest.param(["check", "--fail-on", "sometimes"], id="unknown-severity"),
        pytest.param(["check", "--all", "next.c"], id="all-and-a-file"),
        pytest.param(["check", "--base", "HEAD", "next.c"], id="base-and-a-file"),
    ],
)
def test_bad_usage(project: Command, arguments: list[str]) -> None:
    ran: Ran = project.run(*arguments)
    assert ran.status == 2 and ran.out == ""
    ran.says_one_line()


def test_version_and_help(project: Command) -> None:
    assert project.run("--version").out.startswith("clausefit 0.")
    for arguments in (["--help"], ["check", "--help"]):
        ran = project.run(*arguments)
        assert ran.status == 0 and ran.out.startswith("usage: clausefit")
