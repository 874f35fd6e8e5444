"""Which changes are judged under pre-commit, asked of real repositories."""

import os
import subprocess
from pathlib import Path

import pytest
from clausefit.hook.changes import Changes
from clausefit.hook.pre_commit import FROM_REF, TO_REF, hook_changes

CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT_"))}
NAMES = ("a.c", "b.c", "c.c")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    for name in NAMES:
        (tmp_path / name).write_text("old\n")
    commit(tmp_path, "first")
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    subprocess.run(["git", *who, *arguments], cwd=folder, env=CLEAN, check=True, capture_output=True)


def commit(folder: Path, tag: str) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", tag)
    git(folder, "tag", tag)


def shown(result: Changes) -> list[tuple[str, str, str]]:
    return [(file.path, file.status, file.new_text.decode()) for file in result.files]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(["a.c"], [("a.c", "modified", "staged\n")], id="git commit: staged content"),
        pytest.param([], [], id="nothing given"),
        pytest.param(
            ["b.c"], [("b.c", "added", "on disk\n")], id="--files, nothing of it staged: whole, from the disk"
        ),
        pytest.param(
            ["a.c", "b.c", "c.c"],
            [("a.c", "modified", "staged\n"), ("b.c", "added", "old\n"), ("c.c", "added", "old\n")],
            id="--all-files with something staged: all from the index",
        ),
        pytest.param(["notes.txt"], [], id="no C file"),
    ],
)
def test_without_refs(repo: Path, files: list[str], expected: list[tuple[str, str, str]]) -> None:
    (repo / "a.c").write_text("staged\n")
    git(repo, "add", "a.c")
    for name in NAMES:
        (repo / name).write_text("on disk\n")
    result = hook_changes(files, repo, variables=CLEAN)
    assert shown(result) == expected and result.not_checked == ()


def test_all_files_with_nothing_staged(repo: Path) -> None:
    assert [status for _, status, _ in shown(hook_changes(NAMES, repo, variables=CLEAN))] == ["added"] * 3


def test_between_two_refs_that_are_not_checked_out(repo: Path) -> None:
    for name in ("a.c", "b.c"):
        (repo / name).write_text("second\n")
    commit(repo, "second")
    (repo / "c.c").write_text("third\n")
    commit(repo, "third")
    variables = CLEAN | {FROM_REF: "first", TO_REF: "second"}
    result = hook_changes(["a.c", "c.c"], repo, variables=variables)
    assert shown(result) == [("a.c", "modified", "second\n")]
    assert result.snapshot.read("c.c") == b"old\n"
