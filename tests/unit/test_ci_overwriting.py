"""Which files the reports of a run are not written over. The repositories are real ones."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from ci_reports import REPORT
from clausefit.ci.overwriting import refuse_to_overwrite
from clausefit.ci.settings import Settings, SettingsProblem
from clausefit.hook.reports.json_report import to_json
from clausefit.hook.reports.sarif_report import to_sarif

CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
}


def repository(top: Path, path: str = "", text: str = "") -> Path:
    """One that tracks the file."""
    top.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "init", "-q"], cwd=top, check=True, env=CLEAN)
    if path:
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(text)
        subprocess.run(["git", "add", "-f", path], cwd=top, check=True, env=CLEAN)
    return top


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("int max(int a, int b);\n", id="source"),
        pytest.param("", id="empty"),
        pytest.param('{"name": "x", "version": "1"}', id="other JSON"),
        pytest.param('{"schema": 5}', id="another schema"),
        pytest.param('["clausefit-report/1"]', id="a list"),
        pytest.param("[" * 100_000, id="deep JSON"),
        pytest.param("9" * 10_000, id="a long number"),
    ],
)
@pytest.mark.parametrize("name", ["sarif", "report"])
def test_a_file_of_the_repository_is_not_written_over(tmp_path: Path, name: str, text: str) -> None:
    workspace = repository(tmp_path / "w", "src/a.x", text)
    with pytest.raises(SettingsProblem, match=f"^input {name}: src/a.x is a file of the repository") as raised:
        refuse_to_overwrite(Settings(workspace=workspace, **{name: "src/a.x"}), CLEAN)  # type: ignore[arg-type]
    assert str(raised.value).isprintable()


@pytest.mark.parametrize("text", [to_json(REPORT), to_sarif(REPORT)], ids=["a report", "SARIF"])
@pytest.mark.parametrize("name", ["sarif", "report"])
def test_a_report_that_was_committed_is(tmp_path: Path, name: str, text: str) -> None:
    workspace = repository(tmp_path / "w", "kept", text)
    refuse_to_overwrite(Settings(workspace=workspace, **{name: "kept"}), CLEAN)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "there",
    [
        pytest.param("nothing", id="nothing is there"),
        pytest.param("untracked", id="not tracked"),
        pytest.param("no git", id="in no repository"),
        pytest.param("out", id="behind a link out of the workspace: not written at all"),
        pytest.param("loop", id="behind a loop of links: not written at all"),
    ],
)
def test_what_is_nobodys_is(tmp_path: Path, there: str) -> None:
    workspace = tmp_path / "w"
    repository(workspace, "src/a.c", "x") if there != "no git" else workspace.mkdir()
    if there in ("untracked", "no git"):
        (workspace / "a").mkdir()
        (workspace / "a" / "b").write_text("x")
    if there == "out":
        repository(tmp_path / "other", "b", "x")
        (workspace / "a").symlink_to("../other")
    if there == "loop":
        (workspace / "a").symlink_to("a")
    variables = CLEAN | {"GIT_CEILING_DIRECTORIES": str(tmp_path)}
    refuse_to_overwrite(Settings(workspace=workspace, sarif="a/b"), variables)


@pytest.mark.parametrize(
    "way",
    [
        pytest.param("link/a.c", id="in a folder by a link"),
        pytest.param("to_a", id="a link that is tracked, whatever it leads to"),
        pytest.param("inner/b.c", id="of a repository in it"),
    ],
)
def test_by_other_ways_as_well(tmp_path: Path, way: str) -> None:
    workspace = repository(tmp_path / "w", "src/a.c", "x")
    repository(workspace / "inner", "b.c", "x")
    (workspace / "link").symlink_to("src")
    (workspace / "kept.json").write_text(to_json(REPORT))
    (workspace / "to_a").symlink_to("kept.json")
    subprocess.run(["git", "add", "-f", "to_a"], cwd=workspace, check=True, env=CLEAN)
    with pytest.raises(SettingsProblem, match="is a file of the repository"):
        refuse_to_overwrite(Settings(workspace=workspace, report=way), CLEAN)
