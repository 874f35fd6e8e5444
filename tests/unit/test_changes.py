"""What changed, asked of real repositories made by real git."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from clausefit.hook.changes import All, Base, Changes, Files, Staged, changes, lines_by_objects
from clausefit.hook.git import Git, GitProblem
from clausefit.hook.snapshots import ObjectSnapshot, WorkingTreeSnapshot, commit_snapshot, index_snapshot, write_out

CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
AUTHOR = {
    "GIT_AUTHOR_NAME": "t",
    "GIT_AUTHOR_EMAIL": "t@example.org",
    "GIT_COMMITTER_NAME": "t",
    "GIT_COMMITTER_EMAIL": "t@example.org",
    "GIT_CONFIG_GLOBAL": "/dev/null",
}


class Repository:
    """A scratch repository with the few verbs that the tests need."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", *options)

    def git(self, *arguments: str, **variables: str) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.folder,
            env=CLEAN | AUTHOR | variables,
            check=True,
            capture_output=True,
        )
        return done.stdout.decode("utf-8", "replace").strip()

    def write(self, path: str, text: str | bytes) -> None:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)

    def add(self, path: str, text: str | bytes) -> None:
        self.write(path, text)
        self.git("add", "--", path)

    def commit(self, message: str = "m") -> str:
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def ask(self, request: Staged | Base | Files | All, **options: object) -> Changes:
        return changes(request, self.folder, variables=CLEAN, folder=self.folder, **options)  # type: ignore[arg-type]


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repo")


def summary(result: Changes) -> list[tuple[str, str, str]]:
    return [(file.path, file.status, file.old_path) for file in result.files]


BODY = "".join(f"int f{n}(void) {{ return {n}; }}\n" for n in range(20))


def test_nothing_staged(repo: Repository) -> None:
    repo.add("a.c", "int a;\n")
    repo.commit()
    repo.write("a.c", "int b;\n")
    assert repo.ask(Staged()).files == ()


def test_first_commit_adds_everything(repo: Repository) -> None:
    repo.add("a.c", "int a;\nint b;\n")
    repo.add("notes.txt", "x")
    result = repo.ask(Staged())
    assert summary(result) == [("a.c", "added", "a.c")]
    assert result.files[0].old_text is None and result.files[0].changed_lines == ((1, 2),)


def test_sha256_repository_without_commit(tmp_path: Path) -> None:
    repo = Repository(tmp_path, "--object-format=sha256")
    repo.add("a.c", "int a;\n")
    assert summary(repo.ask(Staged())) == [("a.c", "added", "a.c")]


def test_a_partly_staged_file_is_read_from_the_index(repo: Repository) -> None:
    repo.add("a.c", "one\ntwo\nthree\n")
    repo.commit()
    repo.add("a.c", "one\n2\nthree\n")
    repo.write("a.c", "one\n2\nnot staged\n")
    result = repo.ask(Staged())
    (file,) = result.files
    assert (file.old_text, file.new_text) == (b"one\ntwo\nthree\n", b"one\n2\nthree\n")
    assert file.changed_lines == ((2, 2),)
    assert result.snapshot.read("a.c") == b"one\n2\nthree\n"


@pytest.mark.parametrize(
    ("new", "lines"),
    [
        pytest.param("1\n2\nx\n3\n4\n", ((3, 3),), id="one line added"),
        pytest.param("1\n3\n4\n", ((2, 1),), id="one line deleted: the gap after line 1"),
        pytest.param("2\n3\n4\n", ((1, 0),), id="the first line deleted"),
        pytest.param("1\n2\n3\n", ((4, 3),), id="the last line deleted"),
        pytest.param("0\n2\n3\nx\ny\n", ((1, 1), (4, 5)), id="two places"),
        pytest.param("1\n2\n3\n4", ((4, 4),), id="the line end of the last line removed"),
        pytest.param("", ((1, 0),), id="all deleted"),
        pytest.param("1\n2\n3\n4\n@@ -1 +1,9 @@\n+diff --git a/x b/x\nindex 0..1\n", ((5, 7),), id="looks like a diff"),
    ],
)
def test_changed_lines(repo: Repository, new: str, lines: tuple[tuple[int, int], ...]) -> None:
    repo.add("a.c", "1\n2\n3\n4\n")
    repo.commit()
    repo.add("a.c", new)
    (file,) = repo.ask(Staged()).files
    assert file.changed_lines == lines


def test_attributes_of_the_repository_do_not_hide_a_change(repo: Repository) -> None:
    repo.add(".gitattributes", "*.c -diff binary\n")
    repo.add("a.c", "1\n2\n")
    repo.commit()
    repo.add("a.c", "1\n3\n")
    (file,) = repo.ask(Staged()).files
    assert file.changed_lines == ((2, 2),)


def test_settings_of_the_user_run_no_program_and_change_nothing(repo: Repository, tmp_path: Path) -> None:
    witness = tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch '{witness}'\n")
    script.chmod(0o755)
    repo.add(".gitattributes", "*.c diff=x\n")
    repo.add("a.c", "1\n2\n")
    repo.commit()
    for key in ("diff.external", "diff.x.textconv", "diff.x.command", "core.fsmonitor", "core.pager"):
        repo.git("config", key, str(script))
    for key, value in (("diff.noprefix", "true"), ("color.diff", "always"), ("diff.renames", "false")):
        repo.git("config", key, value)
    repo.write("a.c", "1\n3\n")
    repo.git("-c", "core.fsmonitor=false", "add", "a.c")
    (file,) = repo.ask(Staged()).files
    repo.ask(All())
    assert file.changed_lines == ((2, 2),)
    assert not witness.exists()


def test_renames_copies_and_deletions(repo: Repository) -> None:
    repo.add("old.c", BODY)
    repo.add("gone.c", "int gone;\n")
    repo.add("kept.c", BODY.replace("f", "g"))
    repo.commit()
    repo.git("mv", "old.c", "new.c")
    repo.add("new.c", BODY + "int more;\n")
    repo.git("rm", "-q", "gone.c")
    repo.add("copy.c", BODY.replace("f", "g"))
    result = repo.ask(Staged())
    assert summary(result) == [
        ("copy.c", "added", "copy.c"),
        ("gone.c", "deleted", "gone.c"),
        ("new.c", "renamed", "old.c"),
    ]
    assert result.files[2].changed_lines == ((21, 21),) and result.files[2].old_text == BODY.encode()
    assert result.files[1].old_text == b"int gone;\n"
    assert result.snapshot.read("gone.c") is None and result.snapshot.refusal("gone.c") == "does not exist"


def test_a_rename_without_a_change_has_no_changed_lines(repo: Repository) -> None:
    repo.add("old.c", BODY)
    repo.commit()
    repo.git("mv", "old.c", "new.c")
    (file,) = repo.ask(Staged()).files
    assert (file.status, file.changed_lines) == ("renamed", ())


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("a\nb.c", id="newline"),
        pytest.param("@@ -1 +1 @@\nindex 0..1\n.c", id="lines of a diff"),
        pytest.param("-rf.c", id="leading dash"),
        pytest.param("--output=x.c", id="like an option"),
        pytest.param("ünï/日本.c", id="unicode"),
        pytest.param('q"\\\t.c', id="quote, backslash, tab"),
        pytest.param("[a-z]*.c", id="glob"),
        pytest.param(":(top)x.c", id="pathspec magic"),
        pytest.param(" .c", id="blank"),
    ],
)
def test_odd_names(repo: Repository, name: str) -> None:
    repo.add("plain.c", "1\n2\n")
    repo.git("add", "plain.c")
    repo.write(name, "1\n2\n")
    repo.git("--literal-pathspecs", "add", "--", name)
    base = repo.commit()
    repo.write(name, "1\n3\n")
    repo.git("--literal-pathspecs", "add", "--", name)
    (file,) = repo.ask(Staged()).files
    assert (file.path, file.status, file.changed_lines) == (name, "modified", ((2, 2),))
    assert repo.ask(Staged()).snapshot.read(name) == b"1\n3\n"
    assert summary(repo.ask(Files((Path(name),)))) == [(name, "added", name)]
    assert name in [one.path for one in repo.ask(All()).files]
    repo.commit()
    assert summary(repo.ask(Base(base))) == [(name, "modified", name)]


def test_a_name_that_is_not_utf8_is_not_checked_and_said_so(repo: Repository) -> None:
    name = os.fsdecode(b"caf\xe9.c")
    (repo.folder / name).write_text("int a;\n")
    repo.git("add", "-A")
    result = repo.ask(Staged())
    assert result.files == () and [one.file for one in result.not_checked] == ["caf\\xe9.c"]
    assert repo.ask(All()).files == ()
    assert [one.file for one in repo.ask(Files((Path(name),))).not_checked] == ["caf\\xe9.c"]


def test_huge_files_are_not_checked_and_said_so(repo: Repository) -> None:
    repo.add("big.c", b"x" * 5000)
    repo.add("small.c", b"x")
    for request in (Staged(), All()):
        result = repo.ask(request, max_bytes=1000)
        assert [file.path for file in result.files] == ["small.c"]
        (note,) = result.not_checked
        assert (note.file, note.reason) == ("big.c", "unsupported") and "5000 bytes" in note.detail


def test_a_conflict_is_not_checked_and_said_so(repo: Repository) -> None:
    repo.add("a.c", "base\n")
    repo.commit()
    repo.git("switch", "-q", "-c", "side")
    repo.add("a.c", "side\n")
    repo.commit()
    repo.git("switch", "-q", "main")
    repo.add("a.c", "main\n")
    repo.commit()
    with pytest.raises(subprocess.CalledProcessError):
        repo.git("merge", "side")
    result = repo.ask(Staged())
    assert result.files == () and [(one.file, one.reason) for one in result.not_checked] == [("a.c", "git")]
    assert result.snapshot.read("a.c") is None


def test_submodules_are_left_out(repo: Repository, tmp_path: Path) -> None:
    other = Repository(tmp_path / "other")
    other.add("in.c", "int x;\n")
    other.commit()
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other.folder), "sub.c")
    repo.add("a.c", "int a;\n")
    result = repo.ask(Staged())
    assert [file.path for file in result.files] == ["a.c"] and [one.file for one in result.not_checked] == ["sub.c"]
    assert result.snapshot.list() == (".gitmodules", "a.c")
    assert [file.path for file in repo.ask(All()).files] == ["a.c"]


def test_a_workspace_below_the_top(repo: Repository) -> None:
    repo.add("top.c", "1\n")
    repo.add("lib/in.c", "1\n")
    base = repo.commit()
    repo.add("top.c", "2\n")
    repo.add("lib/in.c", "2\n")
    repo.write("lib/new.c", "3\n")
    lib = repo.folder / "lib"
    staged = changes(Staged(), lib, variables=CLEAN, folder=repo.folder)
    assert summary(staged) == [("in.c", "modified", "in.c")]
    assert staged.files[0].changed_lines == ((1, 1),)
    assert staged.snapshot.list() == ("in.c",) and staged.snapshot.read("in.c") == b"2\n"
    assert [one.path for one in changes(All(), lib, variables=CLEAN, folder=repo.folder).files] == ["in.c", "new.c"]
    repo.commit()
    since = changes(Base(base), lib, variables=CLEAN, folder=repo.folder)
    assert summary(since) == [("in.c", "modified", "in.c")] and since.snapshot.list() == ("in.c",)


def test_base_is_the_merge_base_and_the_content_is_that_of_head(repo: Repository) -> None:
    repo.add("a.c", "1\n2\n")
    repo.add("b.c", "1\n")
    repo.commit()
    repo.git("switch", "-q", "-c", "work")
    repo.add("a.c", "1\n3\n")
    repo.commit()
    repo.git("switch", "-q", "main")
    repo.add("b.c", "changed on main\n")
    repo.commit()
    repo.git("switch", "-q", "work")
    repo.write("a.c", "not committed\n")
    result = repo.ask(Base("main"))
    assert summary(result) == [("a.c", "modified", "a.c")]
    assert result.files[0].new_text == b"1\n3\n" and result.snapshot.read("b.c") == b"1\n"


@pytest.mark.parametrize(
    "revision",
    [
        pytest.param("--output=/tmp/x", id="like an option"),
        pytest.param("-1", id="dash"),
        pytest.param("", id="empty"),
        pytest.param("a\nb", id="newline"),
        pytest.param("no-such", id="unknown"),
        pytest.param("main:a.c", id="a file"),
        pytest.param("main..main", id="a range"),
        pytest.param("0" * 40, id="the null id"),
    ],
)
def test_bad_revisions_are_one_line_problems(repo: Repository, revision: str) -> None:
    repo.add("a.c", "1\n")
    repo.commit()
    with pytest.raises(GitProblem) as caught:
        repo.ask(Base(revision))
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("revision", ["main", "main~0", "HEAD@{0}", "tag", "refs/heads/main"])
def test_good_revisions(repo: Repository, revision: str) -> None:
    repo.add("a.c", "1\n")
    repo.commit("first")
    repo.git("tag", "-a", "-m", "t", "tag")
    assert repo.ask(Base(revision)).files == ()


def test_base_without_any_commit(repo: Repository) -> None:
    with pytest.raises(GitProblem):
        repo.ask(Base("main"))


def test_unrelated_histories(repo: Repository) -> None:
    first = repo.commit()
    repo.git("switch", "-q", "--orphan", "other")
    repo.commit("other")
    with pytest.raises(GitProblem, match="no common ancestor"):
        repo.ask(Base(first))


def test_a_shallow_clone_says_what_to_fetch(repo: Repository, tmp_path: Path) -> None:
    first = repo.commit("1")
    repo.commit("2")
    repo.git("branch", "side", first)
    repo.git("switch", "-q", "side")
    repo.commit("3")
    repo.git("switch", "-q", "main")
    clone = Repository(tmp_path / "clone")
    for branch in ("main", "side"):
        clone.git("fetch", "-q", "--depth=1", f"file://{repo.folder}", f"{branch}:refs/heads/x{branch}")
    clone.git("switch", "-q", "xmain")
    for revision in (first, "xside"):
        with pytest.raises(GitProblem, match=r"git fetch --deepen=\d+, or git fetch --unshallow"):
            clone.ask(Base(revision))


def test_not_a_repository(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.c").write_text("int a;\n")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "b.c").write_text("int b;\n")
    variables = CLEAN | {"GIT_CEILING_DIRECTORIES": str(tmp_path.parent)}
    for request in (Staged(), Base("main")):
        with pytest.raises(GitProblem, match="not in a git repository"):
            changes(request, tmp_path, variables=variables, folder=tmp_path)
    for request in (All(), Files((Path("sub"),)), Files((tmp_path / "sub/a.c",))):
        result = changes(request, tmp_path, variables=variables, folder=tmp_path)
        assert summary(result) == [("sub/a.c", "added", "sub/a.c")] and result.not_checked == ()


def test_without_git_installed(repo: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    repo.add("a.c", "1\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitProblem, match="git was not found"):
        repo.ask(Staged())
    assert summary(repo.ask(All())) == [("a.c", "added", "a.c")]


def test_inside_the_git_folder(repo: Repository) -> None:
    with pytest.raises(GitProblem, match="not in the work tree"):
        changes(Staged(), repo.folder / ".git", variables=CLEAN, folder=repo.folder)


def test_all_takes_untracked_but_not_ignored_files(repo: Repository) -> None:
    repo.add(".gitignore", "ignored.c\n")
    repo.add("a.c", "1\n")
    repo.add("deleted.c", "1\n")
    repo.write("ignored.c", "1\n")
    repo.write("new.h", "1\n")
    (repo.folder / "deleted.c").unlink()
    result = repo.ask(All())
    assert [file.path for file in result.files] == ["a.c", "new.h"] and result.not_checked == ()
    assert result.snapshot.read("ignored.c") == b"1\n"


@pytest.mark.parametrize(
    ("make", "reason", "detail"),
    [
        pytest.param(lambda f: None, "missing_file", "does not exist", id="missing"),
        pytest.param(lambda f: os.mkfifo(f / "x.c"), "unsupported", "not a regular file", id="named pipe"),
        pytest.param(
            lambda f: (f / "x.c").symlink_to("/etc/passwd"), "unsupported", "out of the workspace", id="link out"
        ),
        pytest.param(lambda f: (f / "x.c").symlink_to("/dev/zero"), "unsupported", "out of", id="link to a device"),
        pytest.param(lambda f: (f / "x.c").symlink_to("x.c"), "unsupported", "cannot be read", id="link to itself"),
        pytest.param(lambda f: (f / "x.c").symlink_to("no.c"), "missing_file", "does not exist", id="link to nothing"),
        pytest.param(lambda f: (f / "x.c").symlink_to(f), "unsupported", "", id="link to a folder"),
    ],
)
def test_given_files_that_cannot_be_read(
    repo: Repository, make: Callable[[Path], object], reason: str, detail: str
) -> None:
    make(repo.folder)
    result = repo.ask(Files((Path("x.c"),)))
    assert result.files == ()
    (note,) = result.not_checked
    assert note.reason == reason and detail in note.detail


def test_a_link_within_the_workspace_is_read(repo: Repository) -> None:
    repo.add("lib/a.h", "1\n")
    (repo.folder / "a.h").symlink_to("lib/a.h")
    (repo.folder / "other").symlink_to("lib")
    repo.git("add", "-A")
    commit = repo.commit()
    git = Git(repo.folder, CLEAN, repo.folder)
    for snapshot in (index_snapshot(git), commit_snapshot(git, commit), WorkingTreeSnapshot(repo.folder, git)):
        assert snapshot.read("a.h") == snapshot.read("other/a.h") == b"1\n"
        assert snapshot.list() == ("lib/a.h",)


@pytest.mark.parametrize("target", ["/etc/passwd", "../../outside", "x.h", "a/../../../outside", ""])
def test_a_staged_link_out_is_refused(repo: Repository, target: str) -> None:
    blob = subprocess.run(
        ["git", "hash-object", "-w", "--stdin"], input=target.encode(), cwd=repo.folder, capture_output=True, check=True
    ).stdout.decode()
    repo.git("update-index", "--add", "--cacheinfo", f"120000,{blob.strip()},x.h")
    snapshot = index_snapshot(Git(repo.folder, CLEAN, repo.folder))
    assert snapshot.read("x.h") is None and snapshot.refusal("x.h") == "is a link to nothing in the workspace"
    assert [one.file for one in repo.ask(Staged()).not_checked] == ["x.h"]


@pytest.mark.parametrize("path", ["../outside.h", "/etc/passwd", "a/../../outside.h", "", "nul\0.h", "."])
def test_snapshots_read_nothing_outside(repo: Repository, path: str) -> None:
    (repo.folder.parent / "outside.h").write_text("secret")
    git = Git(repo.folder, CLEAN, repo.folder)
    for snapshot in (index_snapshot(git), WorkingTreeSnapshot(repo.folder, git)):
        assert snapshot.read(path) is None and snapshot.refusal(path) is not None


def test_a_given_file_outside_the_workspace(repo: Repository, tmp_path: Path) -> None:
    (tmp_path / "outside.c").write_text("int a;\n")
    result = repo.ask(Files((Path("../outside.c"), tmp_path / "outside.c")))
    assert result.files == () and {one.detail for one in result.not_checked} == {"the file is not below the workspace"}


def test_a_workspace_named_through_a_link(repo: Repository, tmp_path: Path) -> None:
    repo.add("a.c", "1\n")
    (tmp_path / "alias").symlink_to(repo.folder)
    alias = tmp_path / "alias"
    result = changes(Files((Path("a.c"), alias / "a.c")), alias, variables=CLEAN, folder=alias)
    assert summary(result) == [("a.c", "added", "a.c")]


def test_many_files_take_few_processes(repo: Repository, tmp_path: Path) -> None:
    names = [f"f{number}.c" for number in range(300)]
    for name in names:
        repo.write(name, f"int {name[:-2]};\n")
    repo.git("add", "-A")
    snapshot = repo.ask(Staged()).snapshot
    assert isinstance(snapshot, ObjectSnapshot)
    out = tmp_path / "out"
    assert sorted(write_out(snapshot, [*names, "../up.c", "none.c"], out)) == sorted(names)
    assert (out / "f7.c").read_bytes() == b"int f7;\n"


HOOK = """#!{python}
import json, os
from pathlib import Path
from clausefit.hook.changes import Staged, changes
result = changes(Staged(), Path({workspace!r}))
Path({output!r}).write_text(json.dumps([[f.path, f.new_text.decode()] for f in result.files]))
"""


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param((), [["a.c", "staged\n"]], id="git commit: the index"),
        pytest.param(("-a",), [["a.c", "on disk\n"], ["b.c", "on disk\n"]], id="git commit -a: a temporary index"),
        pytest.param(("--", "b.c"), [["b.c", "on disk\n"]], id="git commit FILE: only that file"),
        pytest.param(("--amend",), [["a.c", "staged\n"]], id="git commit --amend"),
    ],
)
@pytest.mark.parametrize("place", ["main", "worktree", "subfolder"])
def test_in_a_real_hook(
    repo: Repository, tmp_path: Path, arguments: tuple[str, ...], expected: list[list[str]], place: str
) -> None:
    prefix = "lib/" if place == "subfolder" else ""
    for name in "ab":
        repo.add(f"{prefix}{name}.c", "old\n")
    repo.commit()
    if place == "worktree":
        repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "tree"))
    top = Repository.__new__(Repository)
    top.folder = tmp_path / "tree" if place == "worktree" else repo.folder
    workspace = top.folder / prefix
    output = tmp_path / "output.json"
    hook = repo.folder / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(HOOK.format(python=sys.executable, workspace=str(workspace), output=str(output)))
    hook.chmod(0o755)
    top.add(f"{prefix}a.c", "staged\n")
    for name in "ab":
        top.write(f"{prefix}{name}.c", "on disk\n")
    inner = Repository.__new__(Repository)
    inner.folder = workspace
    inner.git("commit", "-q", "-m", "x", *arguments)
    assert json.loads(output.read_text()) == expected


def test_a_cut_patch_gives_no_lines_for_its_last_file() -> None:
    patch = b"diff --git a/a b/a\nindex aa..bb 100644\n@@ -1 +1 @@\n-x\n+y\ndiff --git a/b b/b\nindex cc..dd\n@@ -1 +2,"
    assert lines_by_objects(patch) == {("aa", "bb"): ((1, 1),)}
