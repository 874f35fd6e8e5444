"""Whose settings git follows: those of the repository around the project, and none that its files bring along.

Programs that would be run leave a file behind, and real git is what would run them.
"""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from clausefit.ci.fetching import FetchProblem, Remote
from clausefit.ci.repository import repository
from clausefit.ci.settings import Settings
from clausefit.hook import git as git_module
from clausefit.hook.git import Git, GitProblem
from clausefit.hook.git_safety import is_git_folder_of

CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "t",
    "GIT_AUTHOR_EMAIL": "t@example.org",
    "GIT_COMMITTER_NAME": "t",
    "GIT_COMMITTER_EMAIL": "t@example.org",
}
GONE = "f" * 40


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, env=CLEAN, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A repository with one commit of lib/a.c and b.c."""
    folder = tmp_path / "top"
    (folder / "lib").mkdir(parents=True)
    (folder / "lib" / "a.c").write_text("int a;\n")
    (folder / "b.c").write_text("int b;\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "m")
    return folder


def bare_look_alike(folder: Path, worktree: str, program: Path) -> None:
    """What a change can add so that git takes ``folder`` for a repository: HEAD, config, objects and refs."""
    for name in ("objects", "refs"):
        (folder / name).mkdir()
        (folder / name / "x").write_text("")
    (folder / "HEAD").write_text("ref: refs/heads/x\n")
    (folder / "config").write_text(
        f"[core]\n repositoryformatversion = 0\n bare = false\n worktree = {worktree}\n fsmonitor = {program}\n"
        f'[remote "origin"]\n url = .\n uploadpack = {program}; git-upload-pack\n'
    )


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program that leaves the file ``ran`` beside it."""
    path = tmp_path / "program"
    path.write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran'\nexit 1\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("old", [False, True], ids=["git from 2.38 on", "git that does not know safe.bareRepository"])
@pytest.mark.parametrize("worktree", [".", "..", "/"])
def test_a_folder_that_looks_like_a_repository_is_refused(
    top: Path, program: Path, worktree: str, old: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if old:
        monkeypatch.setattr(git_module, "_OPTIONS", ("--no-pager",))
    bare_look_alike(top / "lib", worktree, program)
    with pytest.raises(GitProblem, match=r"git takes .*/lib for a repository of its own") as raised:
        Git(top / "lib", CLEAN, top)
    assert str(raised.value).count("\n") == 0
    with pytest.raises(GitProblem):
        repository(top / "lib", Settings(workspace=top), CLEAN)
    assert not program.with_name("ran").exists()
    assert Git(top, CLEAN, top).head(), "above it nothing is wrong"


def test_a_repository_that_is_named_by_the_environment_counts(top: Path) -> None:
    git(top, "init", "-q", "--bare", "../elsewhere.git")
    named = CLEAN | {"GIT_DIR": str(top.parent / "elsewhere.git"), "GIT_WORK_TREE": str(top)}
    assert Git(top, named, top).top() == top


def _plain(top: Path) -> Path:
    return top / "lib"


def _work_tree(top: Path) -> Path:
    git(top, "worktree", "add", "-q", "../other", "-b", "other")
    return top.parent / "other" / "lib"


def _submodule(top: Path) -> Path:
    git(top, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", top.as_uri(), "sub")
    return top / "sub" / "lib"


def _separate(top: Path) -> Path:
    git(top, "init", "-q", "--separate-git-dir", "../separate")
    return top / "lib"


def _linked(top: Path) -> Path:
    (top.parent / "link").symlink_to(top)
    return top.parent / "link" / "lib"


@pytest.mark.parametrize("made", [_plain, _work_tree, _submodule, _separate, _linked])
def test_every_usual_form_of_a_repository_works(top: Path, made: Callable[[Path], Path]) -> None:
    folder = made(top)
    assert Git(folder, CLEAN, top).index().keys() == {b"a.c"}
    assert repository(folder, Settings(workspace=top.parent), CLEAN) is not None


def test_a_link_in_place_of_a_git_file_ends() -> None:
    assert not is_git_folder_of(Path("/x"), Path("/proc/self/nowhere"), Path("/proc/self/nowhere"))


# ---- what the settings of a repository could start ------------------------------------------------------------------

_ATTRIBUTES = "* filter=evil diff=evil merge=evil\n"
_SETTINGS = (
    "core.fsmonitor",
    "core.pager",
    "core.editor",
    "core.askPass",
    "core.sshCommand",
    "core.gitProxy",
    "core.alternateRefsCommand",
    "credential.helper",
    "diff.external",
    "diff.evil.command",
    "diff.evil.textconv",
    "filter.evil.clean",
    "filter.evil.smudge",
    "filter.evil.process",
    "merge.evil.driver",
    "gpg.program",
    "uploadpack.packObjectsHook",
    "alias.rev-parse",
    "pager.diff-tree",
)


def test_no_question_runs_what_the_settings_name(top: Path, program: Path) -> None:
    first = git(top, "rev-parse", "HEAD")
    (top / ".gitattributes").write_text(_ATTRIBUTES)
    (top / "lib" / "a.c").write_text("int c;\n")
    git(top, "add", ".")
    git(top, "commit", "-q", "-m", "m")
    (top / "b.c").write_text("int d;\n")
    for name in ("post-index-change", "reference-transaction", "post-checkout", "pre-auto-gc"):
        (program.parent / name).symlink_to(program)
    git(top, "config", "core.hooksPath", str(program.parent))
    for name in _SETTINGS:
        git(top, "config", name, f"!{program}" if name.startswith(("alias", "credential")) else str(program))
    program.with_name("ran").unlink(missing_ok=True)
    asked = Git(top, CLEAN, top)
    head = asked.commit("HEAD")
    assert asked.between(first, head) and asked.between_patch(first, head) and asked.merge_base(first, head) == first
    assert asked.staged(first) and asked.staged_patch(first) and asked.working_files() and asked.index()
    assert asked.tree(head) and asked.empty_tree() and asked.head() == head and not asked.is_shallow()
    entry = asked.tree(head)[b"lib/a.c"]
    assert asked.blobs([entry.object_id], 100) == {entry.object_id: b"int c;\n"}
    assert not program.with_name("ran").exists()


def test_an_object_that_stands_for_another_is_not_judged(top: Path) -> None:
    entry = Git(top, CLEAN, top).index()[b"b.c"]
    (top / "other").write_text("forged\n")
    git(top, "replace", entry.object_id, git(top, "hash-object", "-w", "other"))
    assert Git(top, CLEAN, top).blobs([entry.object_id], 100) == {entry.object_id: b"int b;\n"}


# ---- in the action --------------------------------------------------------------------------------------------------


def remote(top: Path) -> Remote:
    opened = repository(top, Settings(workspace=top), CLEAN)
    assert opened is not None
    return Remote(opened, Settings(workspace=top), CLEAN, threading.Event())


@pytest.mark.parametrize(
    "address",
    [
        pytest.param(".", id="the repository itself"),
        pytest.param("/x/y", id="a folder"),
        pytest.param("../y", id="a folder beside it"),
        pytest.param("ext::sh -c date", id="a command"),
        pytest.param("git://127.0.0.1:9/x", id="git, which core.gitProxy is for"),
        pytest.param("evil::x", id="a helper"),
        pytest.param("-x:y", id="an option"),
    ],
)
def test_nothing_is_fetched_from_an_odd_address(top: Path, address: str) -> None:
    git(top, "config", "remote.origin.url", address)
    with pytest.raises(FetchProblem, match="not one of https"):
        remote(top).fetch([GONE], 1)
    with pytest.raises(FetchProblem, match="not one of https"):
        remote(top).named("main")


def test_fetching_asks_for_the_program_of_git_itself(top: Path, program: Path) -> None:
    git(top, "init", "-q", "--bare", "-b", "main", "../origin.git")
    git(top, "push", "-q", "../origin.git", "main")
    git(top, "config", "remote.origin.url", (top.parent / "origin.git").as_uri())
    git(top, "config", "remote.origin.uploadpack", f"{program}; git-upload-pack")
    head = git(top, "rev-parse", "HEAD")
    assert remote(top).named("main") == head
    remote(top).fetch([head], None)
    assert not program.with_name("ran").exists()


@pytest.mark.parametrize("name", ["settings", "lib/settings"])
def test_settings_from_a_file_of_the_project_are_refused(top: Path, name: str) -> None:
    (top / name).write_text("[core]\n\tsshCommand = evil\n")
    git(top, "config", "include.path", f"../{name}")
    for folder in (top, top / "lib"):
        with pytest.raises(GitProblem, match=r"takes settings from .*settings, a file in the workspace"):
            repository(folder, Settings(workspace=top), CLEAN)


def test_settings_from_outside_of_the_workspace_are_the_runners(top: Path) -> None:
    (top.parent / "settings").write_text("[a]\n\tb = c\n")
    git(top, "config", "include.path", str(top.parent / "settings"))
    assert repository(top / "lib", Settings(workspace=top), CLEAN) is not None


def test_a_repository_around_the_workspace_is_not_the_checkout(top: Path) -> None:
    with pytest.raises(GitProblem, match="not below the workspace"):
        repository(top / "lib", Settings(workspace=top / "lib"), CLEAN)
