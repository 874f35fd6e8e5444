"""Which folders for verdicts are believed: none that a change could have filled. The repositories are real ones."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from clausefit.ci.repository import repository
from clausefit.ci.settings import Settings, SettingsProblem
from clausefit.ci.verdicts import verdicts_folder

CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
}


def made(top: Path, *tracked: str) -> Path:
    """A repository that tracks these: ``a/b`` a file, ``a -> b`` a link, ``a.git/`` a submodule."""
    top.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "init", "-q"], cwd=top, check=True, env=CLEAN)
    for one in tracked:
        name, _, target = one.partition(" -> ")
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if target:
            path.symlink_to(target)
        elif name.endswith(".git"):
            entry = f"160000,{'a' * 40},{name.removesuffix('.git')}"
            subprocess.run(["git", "update-index", "--add", "--cacheinfo", entry], cwd=top, check=True, env=CLEAN)
            continue
        else:
            path.write_text("x")
        subprocess.run(["git", "add", "-f", name], cwd=top, check=True, env=CLEAN)
    return top


def notes(workspace: Path, cache: str, project: Path | None = None) -> tuple[str, ...]:
    settings = Settings(workspace=workspace, cache=cache)
    git = repository(project or workspace, settings, CLEAN)
    folder, said = verdicts_folder(settings, git, CLEAN)
    assert folder is not None
    return said


@pytest.mark.parametrize(
    ("cache", "tracked"),
    [
        pytest.param(".verdicts", (), id="made by us"),
        pytest.param(".verdicts", ("src/a.c", ".verdicts2/x", "x/.verdicts/y"), id="others have files"),
        pytest.param("src/.verdicts", ("src/a.c", "link -> src"), id="in a folder of the project"),
    ],
)
def test_what_a_change_cannot_bring_is_believed(tmp_path: Path, cache: str, tracked: tuple[str, ...]) -> None:
    assert notes(made(tmp_path / "w", *tracked), cache) == ()
    assert (tmp_path / "w" / cache).is_dir()


@pytest.mark.parametrize(
    ("cache", "tracked", "says"),
    [
        pytest.param(".v", (".v/verdicts-1.sqlite3",), "is in the repository", id="a file in it"),
        pytest.param(".v", (".v -> evil", "evil/verdicts-1.sqlite3"), "reached by a link", id="a link to it"),
        pytest.param(".v/evil", (".v -> .", "evil/x"), "reached by a link", id="a link on the way"),
        pytest.param("a/.v", ("a -> b", "b/.v/x"), "reached by a link", id="a link before it"),
        pytest.param(".v", (".v/a/b/c",), "is in the repository", id="something deep in it"),
        pytest.param("a/b/.v", ("a/b",), "is in the repository", id="a file on the way"),
        pytest.param("sub/.v", ("sub.git",), "is in the repository", id="in a submodule"),
        pytest.param(".", ("a.c",), "is in the repository", id="the project itself"),
    ],
)
def test_what_a_change_can_bring_is_not_believed(
    tmp_path: Path, cache: str, tracked: tuple[str, ...], says: str
) -> None:
    [line] = notes(made(tmp_path / "w", *tracked), cache)
    assert says in line and line.startswith(f"{cache} ") and "not believed" in line


def test_a_checkout_below_the_workspace(tmp_path: Path) -> None:
    workspace = tmp_path / "w"
    top = made(workspace / "code", ".v/verdicts-1.sqlite3")
    assert notes(workspace, ".v", top) == (), "no change can write beside its checkout"
    assert "is in the repository" in notes(workspace, "code/.v", top)[0]


def test_without_git_nobody_knows_whose_files_they_are(tmp_path: Path) -> None:
    (tmp_path / "w" / ".v").mkdir(parents=True)
    assert "in no git repository" in notes(tmp_path / "w", ".v")[0]


def test_a_link_out_of_the_workspace_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsProblem, match="out of the workspace"):
        notes(made(tmp_path / "w", "v -> .."), "v")
