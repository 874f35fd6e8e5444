"""A team that starts with findings: the baseline accepts them, survives moved lines, and says what is mended."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from running import Command, Repository

SARIF = json.loads((Path(__file__).parents[1] / "data" / "sarif" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
NAME = ".clausefit-baseline.json"
WEAK = """\
/*@ ensures low: \\result >= a; */
int next(int a) { return a + 1; }
"""
STRONG = """\
/*@ ensures high: \\result < 4; */
int twice(int a) { return a + a; }
"""
TEST = """\
#include <assert.h>
int next(int a);
int twice(int a);
int main(void) {
    assert(next(3) == 4);
    assert(twice(3) == 6);
    return 0;
}
"""


ACCEPTED = """\
2 findings accepted in {}: 2 new, 0 dropped, 0 kept
  new: CF101 sum.c:1 next
  new: CF201 sum.c:3 twice
"""


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory, shared_cache: Path) -> Command:
    """A project with two findings that its baseline holds."""
    command = Command(tmp_path_factory.mktemp("accepted"), shared_cache)
    command.write("sum.c", WEAK + STRONG)
    command.write("test_sum.c", TEST)
    ran = command.run("baseline")
    assert (ran.status, ran.out, ran.err) == (0, ACCEPTED.format(command.folder / NAME), "")
    return command


@pytest.fixture
def team(accepted: Command, tmp_path: Path) -> Command:
    """A copy of it that a test may change."""
    shutil.copytree(accepted.folder, tmp_path / "team")
    return Command(tmp_path / "team", accepted.cache)


def functions(found: list[dict[str, Any]]) -> list[str]:
    return [one["function"] for one in found]


def sorts(command: Command, *arguments: str) -> tuple[int, list[str], list[str], list[str]]:
    """The exit status, and the functions of new, known and stale findings."""
    ran = command.check("--baseline", NAME, *(arguments or ("--all",)))
    report = ran.report
    return (ran.status, *(functions(report[key]) for key in ("findings", "known", "stale")))


def test_without_the_baseline_there_are_findings(team: Command) -> None:
    ran = team.check("--all")
    assert (ran.status, functions(ran.report["findings"])) == (1, ["next", "twice"])
    assert sorts(team) == (0, [], ["next", "twice"], [])


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param(WEAK + STRONG, {"next": 1, "twice": 3}, id="as it was"),
        pytest.param(
            "\n\n/* a comment\n*/\n" + WEAK + "int other;\n" + STRONG, {"next": 5, "twice": 8}, id="lines between"
        ),
        pytest.param(STRONG + WEAK, {"next": 3, "twice": 1}, id="functions in another order"),
        pytest.param(
            WEAK.replace("/*@ ensures", "/*@\n    ensures  ") + STRONG, {"next": 2, "twice": 4}, id="other layout"
        ),
        pytest.param(WEAK.replace("low:", "lowest:") + STRONG, {"next": 1, "twice": 3}, id="label renamed"),
    ],
)
def test_a_finding_stays_known_when_lines_move(text: str, lines: dict[str, int], team: Command) -> None:
    team.write("sum.c", text)
    ran = team.check("--all", "--baseline", NAME)
    assert {one["function"]: one["line"] for one in ran.report["known"]} == lines
    assert (ran.status, ran.report["findings"], ran.report["stale"]) == (0, [], [])


def test_a_clause_that_changes_is_a_new_finding_and_the_old_one_stale(team: Command) -> None:
    team.write("sum.c", WEAK.replace(">= a", ">= a - 1") + STRONG)
    assert sorts(team) == (1, ["next"], ["twice"], ["next"])


def test_what_is_mended_is_stale_until_the_baseline_is_written_again(team: Command) -> None:
    team.write("sum.c", WEAK.replace(">= a", "== a + 1") + STRONG)
    assert sorts(team) == (0, [], ["twice"], ["next"])
    ran = team.run("check", "--all", "--baseline", NAME)
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert lines[:3] == [
        "Stale in the baseline (1): no longer found",
        "  CF101 sum.c: next: ensures low: \\result >= a",
        f"  help: run `clausefit baseline --output {NAME}` to drop them",
    ]
    assert lines[-1].startswith("2 contracts judged, 0 findings, 1 known from the baseline, 0 undecided; ")
    assert team.run("baseline").out.splitlines() == [
        f"1 finding accepted in {team.folder / NAME}: 0 new, 1 dropped, 1 kept",
        "  dropped: CF101 sum.c next",
    ]
    assert sorts(team) == (0, [], ["twice"], [])


def test_a_contract_without_tests_keeps_its_entry(team: Command) -> None:
    team.write("test_sum.c", TEST.replace("    assert(next(3) == 4);\n", ""))
    assert sorts(team) == (0, [], ["twice"], [])
    ran = team.run("baseline")
    assert ran.out.splitlines() == [
        f"2 findings accepted in {team.folder / NAME}: 0 new, 0 dropped, 2 kept",
        "1 contract could not be judged completely: entries are kept, and `clausefit check --all` says why",
    ]
    team.write("test_sum.c", TEST)
    assert sorts(team) == (0, [], ["next", "twice"], [])


def test_a_function_that_is_gone_is_stale_only_where_all_was_judged(team: Command) -> None:
    team.write("sum.c", STRONG)
    assert sorts(team) == (0, [], ["twice"], ["next"])
    assert sorts(team, "sum.c") == (0, [], ["twice"], [])


def test_the_settings_name_the_baseline(team: Command) -> None:
    team.write(".clausefit.yaml", "baseline: known/accepted.json\n")
    assert team.check("--all").says_one_line() == (
        "clausefit: known/accepted.json: the file does not exist; `clausefit baseline` writes a new one"
    )
    (team.folder / "known").mkdir()
    (team.folder / NAME).rename(team.folder / "known" / "accepted.json")
    ran = team.check("--all")
    assert (ran.status, functions(ran.report["known"])) == (0, ["next", "twice"])
    assert team.run("baseline").out == (
        f"2 findings accepted in {team.folder / 'known' / 'accepted.json'}: 0 new, 0 dropped, 2 kept\n"
    )
    assert team.run("baseline", "--output", "other.json").status == 0
    assert (team.folder / "other.json").read_text() == (team.folder / "known" / "accepted.json").read_text()


def test_a_branch_fails_for_what_it_adds(accepted: Command, tmp_path: Path) -> None:
    repository = Repository(tmp_path / "branch", accepted.cache)
    shutil.copytree(accepted.folder, repository.folder, dirs_exist_ok=True)
    repository.git("add", "-A")
    repository.git("commit", "-qm", "start")
    repository.git("branch", "start")
    repository.write("sum.c", WEAK.replace("low:", "low: 0 == 0 &&") + STRONG.replace("high:", "top:"))
    repository.git("commit", "-qam", "change")
    status, new, known, stale = sorts(repository, "--base", "start")
    assert (status, new, known, stale) == (1, ["next"], ["twice"], ["next"])


@pytest.mark.parametrize("command", [pytest.param(("check", "--all", "--baseline", NAME), id="check"), ("baseline",)])
@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param(b'{"schema"', "no baseline of clausefit: line 1: not JSON", id="broken"),
        pytest.param(b'{"version": "2.1.0"}', "no baseline of clausefit: it does not say that it is one", id="foreign"),
    ],
)
def test_a_file_that_is_no_baseline_is_one_line(
    command: tuple[str, ...], content: bytes, says: str, team: Command
) -> None:
    team.write(NAME, content)
    ran = team.run(*command)
    assert ran.status == 2 and ran.out == ""
    assert ran.says_one_line().startswith(f"clausefit: {team.folder / NAME}: {says}")
    assert (team.folder / NAME).read_bytes() == content, "what is not ours is not written over"


def test_a_baseline_that_cannot_be_written_is_one_line(team: Command) -> None:
    ran = team.run("baseline", "--output", "missing/known.json")
    assert ran.status == 2
    assert ran.says_one_line().endswith(
        "the baseline cannot be written to missing/known.json: No such file or directory"
    )


def test_sarif_of_a_project_in_a_folder_of_its_repository(accepted: Command, tmp_path: Path) -> None:
    repository = Repository(tmp_path / "whole", accepted.cache)
    inner = repository.folder / "libs" / "my sum"
    shutil.copytree(accepted.folder, inner)
    (inner / ".clausefit.yaml").write_text("fail_on: error\n")
    arguments = ("check", "--all", "--timeout", "2", "--format", "sarif")
    ran = repository.run(*arguments, cwd=inner)
    assert ran.status == 1
    log = json.loads(ran.out)
    jsonschema.validators.validator_for(SARIF)(SARIF).validate(log)
    results = log["runs"][0]["results"]
    places = [one["locations"][0]["physicalLocation"] for one in results]
    assert {place["artifactLocation"]["uri"] for place in places} == {"libs/my%20sum/sum.c"}
    assert places[0]["region"] == {"startLine": 1, "startColumn": 5, "endLine": 1, "endColumn": 30}
    known = json.loads(repository.run(*arguments, "--baseline", NAME, cwd=inner).out)["runs"][0]["results"]
    assert [bool(one.get("suppressions")) for one in known] == [True, True]
