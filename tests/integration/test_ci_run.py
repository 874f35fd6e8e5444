"""``clausefit ci`` as the action runs it: real git, real Frama-C, a bare origin, and a runner's files.

What is comes of each fault of judging and posting is in tests/unit/test_ci_main.py; fetching in test_ci_history.py.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import Ran
from workflow_runs import GOOD, TEST, WEAK, Workflow, annotations, weakened

GONE, ZERO = "f" * 40, "0" * 40


@pytest.fixture
def workflow(tmp_path: Path, shared_cache: Path) -> Iterator[Workflow]:
    """See ``weakened``."""
    made = weakened(tmp_path, shared_cache)
    yield made
    assert "Traceback" not in made.summary


def test_a_pull_request_in_a_shallow_clone_of_its_merge(workflow: Workflow) -> None:
    payload = workflow.pull()
    head = payload["pull_request"]["head"]["sha"]
    ran = workflow.run("pull_request", payload)
    assert ran.status == 1, ran.out
    assert workflow.outputs == {
        "findings": "1",
        "too-weak": "1",
        "too-strong": "0",
        "not-checked": "0",
        "sarif": "clausefit.sarif",
        "report": "clausefit-report.json",
        "conclusion": "findings",
    }
    [annotation] = annotations(ran)
    assert annotation.startswith("::error file=src/max.c,line=1,endLine=1,col=5,title=CF101 too weak%3A max::")
    assert workflow.places == [("src/max.c", 1)]
    assert f"https://github.com/o/r/blob/{head}/src/max.c#L1" in workflow.summary
    assert json.loads((workflow.clone / "clausefit.sarif").read_text())["version"] == "2.1.0"
    assert ran.err == ""


def test_lines_are_those_of_the_head_and_not_of_the_merge(workflow: Workflow) -> None:
    above = "/* max */\n\n\n\n\n"
    workflow.commit(**{"src/max.c": above + GOOD})
    workflow.work.git("checkout", "-q", "-b", "lower")
    workflow.commit(**{"src/max.c": above + WEAK})
    workflow.work.git("checkout", "-q", "main")
    workflow.commit(**{"src/max.c": "/* two lines\n   more */\n" + above + GOOD})
    payload = workflow.pull("lower")
    assert (workflow.clone / "src" / "max.c").read_text().splitlines()[7] == WEAK.splitlines()[0]
    assert workflow.run("pull_request", payload).status == 1
    assert workflow.places == [("src/max.c", 6)]


def test_a_pull_request_that_changes_no_contract_asks_nobody(workflow: Workflow) -> None:
    workflow.work.git("checkout", "-q", "-b", "docs", "main")
    workflow.commit(README="more")
    ran = workflow.run("pull_request", workflow.pull("docs"), PATH=f"/usr/bin:{os.environ['PATH']}")
    assert (ran.status, workflow.outputs["conclusion"], workflow.judged) == (0, "clean", [])


@pytest.mark.parametrize(
    ("before", "status", "judged"),
    [
        pytest.param("topic~1", 1, ["src/max.c"], id="a push"),
        pytest.param("topic", 0, [], id="nothing new"),
        pytest.param(ZERO, 1, ["src/max.c"], id="a new branch"),
        pytest.param(GONE, 1, ["src/max.c"], id="a forced push whose commit is gone"),
    ],
)
def test_a_push(workflow: Workflow, before: str, status: int, judged: list[str]) -> None:
    workflow.push()
    workflow.checkout("topic")
    start = before if before in (ZERO, GONE) else workflow.work.git("rev-parse", before)
    payload = {"ref": "refs/heads/topic", "before": start, "after": workflow.work.git("rev-parse", "topic")}
    ran = workflow.run("push", payload | workflow.repository)
    assert (ran.status, workflow.judged) == (status, judged), ran.out
    assert ("is gone from origin" in ran.out) is (before == GONE)


def test_a_forced_push_whose_commit_is_still_there(workflow: Workflow) -> None:
    workflow.push()
    old = workflow.work.git("rev-parse", "topic")
    workflow.work.git("checkout", "-q", "-B", "topic", "main")
    new = workflow.commit(**{"src/max.c": GOOD.replace("/*@", "/*@ requires a < 1000;")})
    workflow.push()
    workflow.checkout("topic")
    payload = {"ref": "refs/heads/topic", "before": old, "after": new, "forced": True} | workflow.repository
    assert workflow.run("push", payload).status == 0
    assert workflow.judged == ["src/max.c"]


@pytest.mark.parametrize("after", ["its parent", "a sibling"])
@pytest.mark.parametrize("event", ["push", "merge_group"])
def test_a_fix_that_is_pushed_away_is_seen(workflow: Workflow, event: str, after: str) -> None:
    workflow.work.git("checkout", "-q", "topic")
    fixed = workflow.commit(**{"src/max.c": GOOD})
    workflow.work.git("reset", "-q", "--hard", "HEAD~1")
    if after == "a sibling":
        workflow.commit(README="another way")
    lost = workflow.work.git("rev-parse", "HEAD")
    workflow.push()
    workflow.work.git("push", "-q", str(workflow.origin), f"{fixed}:refs/heads/kept")
    workflow.checkout("topic")
    pushed = {"ref": "refs/heads/topic", "before": fixed, "after": lost, "forced": True}
    payload = pushed if event == "push" else {"merge_group": {"base_sha": fixed, "head_sha": lost}}
    ran = workflow.run(event, payload | workflow.repository)
    assert (ran.status, workflow.places) == (1, [("src/max.c", 1)]), ran.out
    assert "so the two are compared as they are" in ran.out and "compared as they are" in workflow.summary


@pytest.mark.parametrize("scope", ["auto", "changed"])
def test_what_the_default_branch_was_is_gone(workflow: Workflow, scope: str) -> None:
    workflow.work.git("checkout", "-q", "main")
    head = workflow.commit(**{"src/max.c": WEAK})
    workflow.push()
    workflow.checkout("main")
    payload = {"ref": "refs/heads/main", "before": GONE, "after": head, "forced": True} | workflow.repository
    ran = workflow.run("push", payload, INPUT_SCOPE=scope)
    if scope == "changed":
        is_a_problem(workflow, ran, "is gone from origin")
        return
    assert (ran.status, workflow.places) == (1, [("src/max.c", 1)]), ran.out
    assert "every contract of what is checked out is judged" in workflow.summary
    assert f"/blob/{head}/src/max.c" in workflow.summary


def test_a_merge_group(workflow: Workflow) -> None:
    pull = workflow.pull()["pull_request"]
    head = workflow.work.git("rev-parse", "HEAD")
    payload = {"merge_group": {"base_sha": pull["base"]["sha"], "head_sha": head}} | workflow.repository
    assert workflow.run("merge_group", payload).status == 1
    assert workflow.places == [("src/max.c", 1)]


@pytest.mark.parametrize("event", ["schedule", "workflow_dispatch"])
def test_everything_is_judged_by_the_clock_and_by_hand(workflow: Workflow, event: str) -> None:
    workflow.push()
    workflow.checkout("topic")
    sha = workflow.work.git("rev-parse", "topic")
    ran = workflow.run(event, workflow.repository, GITHUB_SHA=sha, GITHUB_REF="refs/heads/topic")
    assert ran.status == 1 and workflow.places == [("src/max.c", 1)]
    assert f"/blob/{sha}/src/max.c" in workflow.summary


def test_everything_without_git(workflow: Workflow) -> None:
    workflow.clone.mkdir()
    shutil.copytree(workflow.work.folder / "src", workflow.clone / "src")
    assert workflow.run("schedule", {}, GITHUB_SHA="", GIT_CEILING_DIRECTORIES="/").status == 0
    assert workflow.judged == ["src/max.c"]


@pytest.mark.parametrize(
    ("variables", "status", "known"),
    [
        pytest.param({"INPUT_FAIL-ON": "never"}, 0, 0, id="fail-on"),
        pytest.param({"INPUT_SCOPE": "all"}, 1, 0, id="scope"),
        pytest.param({"INPUT_BASE": "main"}, 1, 0, id="base"),
        pytest.param({"INPUT_BASELINE": "accepted.json"}, 0, 1, id="baseline"),
        pytest.param({"INPUT_VERIFIER": "key", "INPUT_TIMEOUT": "3", "INPUT_CHANGED-WITH": "code"}, 1, 0, id="others"),
        pytest.param({"INPUT_JUNIT": "none/*.xml"}, 2, 0, id="a report of tests that is not there"),
    ],
)
def test_inputs(workflow: Workflow, variables: dict[str, str], status: int, known: int) -> None:
    payload = workflow.pull()
    if known:
        assert workflow.run("pull_request", payload).status == 1
        [found] = workflow.report["findings"]
        entry = {key: found[key] for key in ("fingerprint", "code", "file", "function")} | {"clause": ""}
        accepted = {"schema": "clausefit-baseline/1", "findings": [entry]}
        (workflow.clone / "accepted.json").write_text(json.dumps(accepted))
    ran = workflow.run("pull_request", payload, **variables)
    assert ran.status == status, ran.out
    assert ("known in the baseline" in workflow.summary) is bool(known)


def test_a_project_in_a_folder_has_the_paths_of_the_repository(workflow: Workflow) -> None:
    workflow.work.git("checkout", "-q", "-b", "folder", "main")
    workflow.commit(**{"lib/src/max.c": WEAK, "lib/tests/test_max.c": TEST, "lib/.clausefit.yaml": "timeout: 3\n"})
    ran = workflow.run("pull_request", workflow.pull("folder"), **{"INPUT_WORKING-DIRECTORY": "lib"})
    assert ran.status == 1
    assert workflow.places == [("lib/src/max.c", 1)] and "file=lib/src/max.c," in ran.out
    assert workflow.report["findings"][0]["witness"]["test_file"] == "lib/tests/test_max.c"


def test_verdicts_are_kept_in_the_folder_of_the_input(workflow: Workflow) -> None:
    payload = workflow.pull()
    cached = []
    for _ in range(2):
        assert workflow.run("pull_request", payload, INPUT_CACHE=".verdicts").status == 1
        cached.append(workflow.report["stats"]["asked"] == 0)
    assert cached == [False, True]
    kept = workflow.clone / ".verdicts"
    assert all(path.stat().st_mode & 0o044 == 0o044 for path in (kept, *kept.iterdir())), "actions/cache is not root"
    assert kept.stat().st_mode & 0o055 == 0o055


def test_a_folder_for_verdicts_that_cannot_be_made_is_said(workflow: Workflow) -> None:
    payload = workflow.pull()
    (workflow.clone / "taken").write_text("a file")
    ran = workflow.run("pull_request", payload, INPUT_CACHE="taken/verdicts")
    assert ran.status == 1 and "the verdict cache" in ran.out and "is off" in ran.out


def test_verdicts_that_a_change_brings_along_are_not_believed(workflow: Workflow) -> None:
    workflow.work.git("checkout", "-q", "topic")
    workflow.commit(**{".verdicts/verdicts.sqlite": "forged"})
    ran = workflow.run("pull_request", workflow.pull(), INPUT_CACHE=".verdicts")
    assert ran.status == 1 and ".verdicts is in the repository" in ran.out
    assert (workflow.clone / ".verdicts" / "verdicts.sqlite").read_text() == "forged"


# ---- what goes wrong ------------------------------------------------------------------------------------------------


def is_a_problem(workflow: Workflow, ran: Ran, says: str) -> None:
    assert ran.status == 2 and ran.err == "", ran.out
    assert workflow.outputs["conclusion"] == "not-checked" and workflow.outputs["not-checked"] == "1"
    assert workflow.summary.startswith("## clausefit: could not check")
    [line] = annotations(ran)
    assert says in line


@pytest.mark.parametrize(
    ("variables", "says"),
    [
        pytest.param({"GITHUB_EVENT_PATH": "/gone.json"}, "cannot be read", id="the event file is missing"),
        pytest.param({"GITHUB_EVENT_PATH": "/proc/version"}, "no JSON", id="the event file is broken"),
        pytest.param({"GITHUB_EVENT_NAME": "pull_request_target"}, "workflow_run", id="a token that may write"),
        pytest.param({"INPUT_WORKING-DIRECTORY": "nowhere"}, "there is no folder nowhere", id="no such folder"),
        pytest.param({"INPUT_BASE": "nope"}, "no branch or tag nope", id="no such base"),
        pytest.param({"INPUT_BASELINE": "nope.json"}, "nope.json", id="no such baseline"),
        pytest.param({"INPUT_VERIFIER": "guess"}, "input verifier", id="a bad input"),
        pytest.param({"INPUT_SARIF": "src/max.c"}, "src/max.c is a file of the repository", id="over a source"),
        pytest.param({"INPUT_SARIF": "a", "INPUT_REPORT": "a"}, "both name a", id="two reports in one file"),
    ],
)
def test_a_problem_is_one_annotation(workflow: Workflow, variables: dict[str, str], says: str) -> None:
    is_a_problem(workflow, workflow.run("pull_request", workflow.pull(), **variables), says)


@pytest.mark.parametrize("base", ["topic", "@", "HEAD", "refs/remotes/fetched", "{head}"])
def test_a_base_that_holds_what_is_judged_is_no_base(workflow: Workflow, base: str) -> None:
    payload = workflow.pull()
    named = base.format(head=payload["pull_request"]["head"]["sha"])
    is_a_problem(workflow, workflow.run("pull_request", payload, INPUT_BASE=named), "nothing to compare")


@pytest.mark.parametrize("sha", [True, False], ids=["on GitHub", "elsewhere"])
def test_main_is_not_compared_with_itself(workflow: Workflow, sha: bool) -> None:
    workflow.push()
    workflow.checkout("main")
    variables = {"GITHUB_SHA": workflow.work.git("rev-parse", "main")} if sha else {}
    ran = workflow.run("workflow_dispatch", workflow.repository, INPUT_BASE="main", **variables)
    is_a_problem(workflow, ran, "nothing to compare")


@pytest.mark.parametrize(
    ("case", "says"),
    [
        pytest.param("no checkout", "put actions/checkout before this step", id="no checkout"),
        pytest.param("no source", "correct the input working-directory", id="a folder without sources"),
        pytest.param("none wanted", "sources and exclude of .clausefit.yaml", id="no file that the settings want"),
    ],
)
def test_an_audit_of_nothing_is_no_pass(workflow: Workflow, case: str, says: str) -> None:
    variables = {}
    if case == "no checkout":
        workflow.clone.mkdir()
        variables["GIT_CEILING_DIRECTORIES"] = str(workflow.folder)
    else:
        workflow.push()
        workflow.checkout("main")
    if case == "no source":
        (workflow.clone / "docs").mkdir()
        variables["INPUT_WORKING-DIRECTORY"] = "docs"
    if case == "none wanted":
        (workflow.clone / ".clausefit.yaml").write_text("sources: ['*.nothing']\n")
    is_a_problem(workflow, workflow.run("schedule", workflow.repository, **variables), says)


def test_an_audit_of_sources_without_contracts_is_said(workflow: Workflow) -> None:
    workflow.commit(**{"src/max.c": "int max(int a, int b) { return a > b ? a : b; }\n"})
    workflow.push()
    workflow.checkout("main")
    ran = workflow.run("schedule", workflow.repository)
    assert ran.status == 0 and workflow.outputs["conclusion"] == "clean"
    assert "warning: no contract was judged in 2 source files" in ran.out
    assert "no contract was judged" in workflow.summary


@pytest.mark.parametrize(
    ("files", "says"),
    [
        pytest.param({".clausefit.yaml": "ignore: [CF101]\n"}, "this change edits .clausefit.yaml", id="the settings"),
        pytest.param({".clausefit.yaml": "ignore: [CF101]\n"}, "1 by `ignore` of .clausefit.yaml", id="ignored"),
        pytest.param(
            {"b.json": '{"schema": "clausefit-baseline/1", "findings": []}', ".clausefit.yaml": "baseline: b.json\n"},
            "this change edits .clausefit.yaml and b.json",
            id="the baseline",
        ),
        pytest.param(
            {"src/max.c": WEAK.replace("; */", "; // clausefit: ignore[CF101] so\n*/")},
            "1 finding is hidden: 1 by comments",
            id="a comment",
        ),
        pytest.param(
            {"src/max.c": WEAK.partition("\n")[2], "src/new.h": "int other(int a);\n"},
            "1 contract was removed: max (src/max.c)",
            id="a contract less",
        ),
    ],
)
def test_what_a_change_does_to_its_own_judgement_is_said(workflow: Workflow, files: dict[str, str], says: str) -> None:
    workflow.work.git("checkout", "-q", "topic")
    workflow.commit(**files)
    ran = workflow.run("pull_request", workflow.pull())
    assert says in ran.out, ran.out
    assert says.split(" .")[0].split(" `")[0].split(" (")[0] in workflow.summary.replace("\\", "")


def test_a_change_like_others_has_no_such_line(workflow: Workflow) -> None:
    ran = workflow.run("pull_request", workflow.pull())
    assert not any(word in ran.out for word in ("edits", "hidden", "removed", "warning: "))


def test_a_base_that_is_gone(workflow: Workflow) -> None:
    payload = workflow.pull()
    payload["pull_request"]["base"] = {"ref": "::error::x", "sha": GONE}
    payload["repository"] = {}
    is_a_problem(workflow, workflow.run("pull_request", payload), "is gone from origin")


def test_no_network(workflow: Workflow) -> None:
    payload = workflow.pull()
    shutil.rmtree(workflow.origin)
    is_a_problem(workflow, workflow.run("pull_request", payload), "fetch-depth: 0")


def test_a_workspace_without_checkout(workflow: Workflow) -> None:
    payload = workflow.pull()
    shutil.rmtree(workflow.clone / ".git")
    ran = workflow.run("pull_request", payload, GIT_CEILING_DIRECTORIES=str(workflow.folder))
    is_a_problem(workflow, ran, "actions/checkout")


def test_broken_settings_of_the_project(workflow: Workflow) -> None:
    payload = workflow.pull()
    (workflow.clone / ".clausefit.yaml").write_text("timout: 3\n")
    is_a_problem(workflow, workflow.run("pull_request", payload), ".clausefit.yaml")


def test_a_change_cannot_bring_a_repository_of_its_own(workflow: Workflow, tmp_path: Path) -> None:
    ran_file = tmp_path / "ran"
    settings = (
        "[core]\n repositoryformatversion = 0\n bare = false\n worktree = .\n"
        f'[remote "origin"]\n url = .\n uploadpack = "touch {ran_file}; git-upload-pack"\n'
    )
    workflow.work.git("checkout", "-q", "topic")
    looks_bare = {"HEAD": "ref: refs/heads/x\n", "config": settings, "objects/x": "", "refs/x": ""}
    workflow.commit(**{f"src/{name}": text for name, text in looks_bare.items()})
    workflow.work.git("checkout", "-q", "main")
    ran = workflow.run("pull_request", workflow.pull(), **{"INPUT_WORKING-DIRECTORY": "src"})
    is_a_problem(workflow, ran, "for a repository of its own")
    assert not ran_file.exists()


def test_openjml_of_the_file_is_not_followed_and_that_is_said(workflow: Workflow) -> None:
    workflow.work.git("checkout", "-q", "topic")
    workflow.commit(**{".clausefit.yaml": "openjml: /opt/openjml\n"})
    ran = workflow.run("pull_request", workflow.pull())
    assert ran.status == 1 and "OPENJML_HOME" in ran.out and "OPENJML\\_HOME" in workflow.summary


JAVA = """\
package p;
public class M {
  //@ ensures \\result >= a;
  public static int max(int a, int b) { return a > b ? a : b; }
}
"""
JAVA_TEST = """\
package p;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.*;
class MTest { @Test void m() { assertEquals(4, M.max(3, 4)); } }
"""


@pytest.mark.parametrize(
    "where", ["{clone}/tools/openjml", "{outside}/openjml"], ids=["of the change", "of the runner"]
)
def test_no_program_is_chosen_by_a_change(workflow: Workflow, tmp_path: Path, where: str) -> None:
    program = f"#!/bin/sh\ntouch '{tmp_path}/ran'\necho openjml 21-0.1\n"
    named = where.format(clone=workflow.clone, outside=tmp_path / "outside")
    workflow.work.git("checkout", "-q", "-b", "java", "main")
    files = {"lib/p/M.java": JAVA, "lib/test/p/MTest.java": JAVA_TEST, "tools/openjml": program}
    workflow.commit(**files, **{"lib/.clausefit.yaml": f"openjml: {named}\nverifiers: [openjml]\n"})
    workflow.work.git("checkout", "-q", "main")
    payload = workflow.pull("java")
    (tmp_path / "outside").mkdir()
    for path in (workflow.clone / "tools" / "openjml", tmp_path / "outside" / "openjml"):
        path.write_text(program)
        path.chmod(0o755)
    ran = workflow.run("pull_request", payload, **{"INPUT_WORKING-DIRECTORY": "lib", "PATH": "/usr/bin:/bin"})
    assert ran.status == 2 and not (tmp_path / "ran").exists(), ran.out
    assert "is in the workspace" in ran.out if "clone" in where else "openjml was not found" in ran.out


def test_links_that_lead_out_are_refused(workflow: Workflow) -> None:
    payload = workflow.pull()
    (workflow.clone / "out").symlink_to(workflow.folder)
    is_a_problem(
        workflow, workflow.run("pull_request", payload, **{"INPUT_WORKING-DIRECTORY": "out"}), "out of the workspace"
    )
    ran = workflow.run("pull_request", payload, INPUT_SARIF="out/a.sarif")
    assert ran.status == 1 and workflow.outputs["sarif"] == "" and not (workflow.folder / "a.sarif").exists()


@pytest.mark.parametrize("by", ["the input", "the settings file"])
def test_reports_of_tests_behind_a_link_are_refused(workflow: Workflow, by: str) -> None:
    payload = workflow.pull()
    (workflow.folder / "r.xml").write_text('<testsuite><testcase name="test_max"/></testsuite>')
    (workflow.clone / "r.xml").symlink_to(workflow.folder / "r.xml")
    variables = {"INPUT_JUNIT": "*.xml"} if by == "the input" else {}
    if not variables:
        (workflow.clone / ".clausefit.yaml").write_text("junit: ['*.xml']\n")
    is_a_problem(workflow, workflow.run("pull_request", payload, **variables), "out of the workspace")


@pytest.mark.parametrize("clause", ["\\result == ", "\\resullt == a"], ids=["incomplete", "no word of ACSL"])
def test_a_clause_that_cannot_be_read_is_no_pass_without_tests(workflow: Workflow, clause: str) -> None:
    workflow.work.git("checkout", "-q", "-b", "broken", "main")
    workflow.commit(**{"src/f.c": f"/*@ ensures {clause}; */\nint f(int a)\n{{\n    return a;\n}}\n"})
    ran = workflow.run("pull_request", workflow.pull("broken"))
    assert (ran.status, workflow.outputs["conclusion"]) == (2, "not-checked"), ran.out
    assert any("title=clausefit could not check" in one and "src/f.c:1" in one for one in annotations(ran))


def test_no_verifier_is_no_pass(workflow: Workflow, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("git", "gcc"):
        (tools / tool).symlink_to(str(shutil.which(tool)))
    ran = workflow.run("pull_request", workflow.pull(), PATH=str(tools), INPUT_CACHE=".verdicts")
    assert ran.status == 2 and workflow.outputs["conclusion"] == "not-checked"


def stand_in(folder: Path, script: str) -> dict[str, str]:
    """A ``frama-c`` that judges nothing, first in PATH."""
    folder.mkdir()
    program = folder / "frama-c"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}", "INPUT_CACHE": ".verdicts"}


def test_no_verifier_is_told_the_token(workflow: Workflow, tmp_path: Path) -> None:
    payload = workflow.pull()
    told = tmp_path / "told"
    variables = stand_in(tmp_path / "tools", f"env >> '{told}'; echo '::error::x'; echo '##[error]y' >&2; exit 1")
    ran = workflow.run("pull_request", payload, INPUT_TOKEN="ghs_secret", ACTIONS_RUNTIME_TOKEN="secret", **variables)
    assert ran.status == 2 and "PATH=" in told.read_text()
    assert "secret" not in told.read_text() and "INPUT_" not in told.read_text()
    assert "\n::error::x" not in ran.out and "##[error]y" not in ran.out


def test_what_a_budget_leaves_is_no_pass(workflow: Workflow, tmp_path: Path) -> None:
    payload = workflow.pull()
    variables = stand_in(tmp_path / "tools", "exec sleep 600")
    ran = workflow.run("pull_request", payload, INPUT_BUDGET="4", **variables)
    assert ran.status == 2, ran.out
    assert workflow.outputs["conclusion"] == "not-checked" and workflow.outputs["not-checked"] != "0"
    assert {one["reason"] for one in workflow.report["not_checked"]} == {"budget"}
    assert "budget" in workflow.summary and "clausefit could not check" in ran.out


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_workspace_of_another_user(workflow: Workflow) -> None:
    payload = workflow.pull()
    subprocess.run(["chown", "-R", "12345:12345", str(workflow.clone)], check=True)
    assert workflow.run("pull_request", payload).status == 1
    assert (workflow.clone / "clausefit-report.json").stat().st_mode & 0o004


@pytest.mark.parametrize("there", [True, False], ids=["no network", "no PyGithub"])
def test_what_cannot_be_posted_is_seen_all_the_same(workflow: Workflow, tmp_path: Path, there: bool) -> None:
    variables = {"INPUT_TOKEN": "ghs_secret"}
    if not there:
        module = tmp_path / "modules" / "github.py"
        module.parent.mkdir()
        module.write_text("raise ModuleNotFoundError('No module named github', name='github')\n")
        variables["PYTHONPATH"] = str(module.parent)
    ran = workflow.run("pull_request", workflow.pull(), **variables)
    assert ran.status == 1 and len(annotations(ran)) == 1
    assert workflow.outputs["conclusion"] == "findings"
    assert "### Not posted" in workflow.summary
    assert ("pip install 'clausefit[github]'" in ran.out) is not there
    everything = ran.out + workflow.summary + json.dumps(workflow.report)
    assert "ghs_secret" not in everything


HOSTILE_NAME = "src/x%0A::error::y,z] @octocat `a`.c"
UNREADABLE_NAME = "src/<!-- ##[error]\n::error::x --><script>.c"


def test_hostile_names_and_clauses_do_nothing(workflow: Workflow) -> None:
    branch = "x`%0A,<!--@octocat"
    workflow.work.git("checkout", "-q", "-b", branch, "main")
    clause = "ensures \\result >= a; // ::error::pwned %0A::add-mask::x <script> @octocat"
    body = "int {0}(int a, int b)\n{{\n    return a > b ? a : b;\n}}\n"
    weak = f"/*@ {clause}\n*/\n{body.format('top')}"
    broken = f"/*@ {clause}\n::error::inside\n##[error]inside\n*/\n{body.format('low')}"
    test = TEST.replace("max", "top").replace("static void", "/* ::error::test */ static void")
    unreadable = weak.replace("top", "up")
    files = {HOSTILE_NAME: weak, UNREADABLE_NAME: unreadable, "src/broken.c": broken, "tests/test_top.c": test}
    workflow.commit(**files)
    ran = workflow.run("pull_request", workflow.pull(branch))
    issued = [line.split("::") for line in ran.out.splitlines() if line.lstrip().startswith("::")]
    kinds = [parts[1].split(" ")[0] for parts in issued]
    token = issued[1][2]
    assert kinds[:4] == ["group", "stop-commands", token, "endgroup"] and len(token) == 32, ran.out
    assert kinds[4:] == ["error"] and "##[" not in ran.out
    [annotation] = annotations(ran)
    assert annotation.startswith("::error file=src/x%250A%3A%3Aerror%3A%3Ay%2Cz] @octocat `a`.c,line=1,"), annotation
    assert workflow.outputs["findings"] == "1" and int(workflow.outputs["not-checked"]) >= 2
    assert "<script" not in workflow.summary and "<!--" not in workflow.summary
