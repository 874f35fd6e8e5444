"""Git, as a program: the few read-only questions that the tool asks of a repository.

Only plumbing commands are used (their output does not depend on the user's settings), names travel
NUL-terminated, and nothing that a repository can configure is run: no hook, monitor, filter or driver of diffs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from clausefit.hook.git_safety import SAFE_SETTINGS, git_environment, is_git_folder_of
from clausefit.hook.visible import visible
from clausefit.verifiers.process import Completed, ToolMissing, run

TIMEOUT_SECONDS = 120.0
_BATCH_BYTES = 32 * 1024 * 1024
_NO_REVISION = re.compile(r"[\0-\x1f\x7f\ud800-\udfff]")
"""What no name of a commit holds; git allows all else that shows nothing (git-check-ref-format(1))."""
_OUTPUT_BYTES = 256 * 1024 * 1024

_OPTIONS = (
    *(part for setting in (*SAFE_SETTINGS, "core.quotePath=off") for part in ("-c", setting)),
    "--no-pager",
    "--literal-pathspecs",
)
_DIFF_OPTIONS = ("-r", "-M", "--no-ext-diff", "--no-textconv", "--no-color", "--relative", "--ignore-submodules=none")

REGULAR_MODES = frozenset({"100644", "100755", "100664"})
LINK_MODE = "120000"
SUBMODULE_MODE = "160000"


class GitProblem(Exception):  # noqa: N818 - what is wrong is the repository or the request
    """Git cannot answer. The text is one line for people, with what to do where that is known."""


class NotARepository(GitProblem):
    """There is no repository around the workspace, or no git."""


@dataclass(frozen=True)
class Entry:
    """A file in a tree or in the index."""

    mode: str
    object_id: str


@dataclass(frozen=True)
class Difference:
    """One line of a raw diff; ``old_path`` differs from ``path`` only for renames."""

    status: str
    path: bytes
    old_path: bytes
    old: Entry
    new: Entry


class Git:
    """The repository around ``workspace``; paths go in and come out relative to ``workspace``.

    ``variables`` is the environment that the tool was started with, in ``folder``. Raises NotARepository,
    or GitProblem when git refuses to work here (another owner, a bare repository), or takes something else than the
    folder ``.git`` of a folder around the workspace for the repository.
    """

    def __init__(self, workspace: Path, variables: Mapping[str, str] | None = None, folder: Path | None = None) -> None:
        self.workspace = workspace.resolve()
        self._environment = git_environment(
            os.environ if variables is None else variables, Path.cwd() if folder is None else folder
        )
        done = self._run("rev-parse", "--is-inside-work-tree")
        if done.exit_status != 0:
            message = _first_line(done.stderr)
            if "not a git repository" in done.stderr:
                raise NotARepository(f"{self.workspace} is not in a git repository")
            if "bare repository" in done.stderr and ".git" not in self.workspace.parts:
                raise GitProblem(_looks_bare(self.workspace))
            if "bare repository" not in done.stderr:
                raise GitProblem(f"git refuses to work in {self.workspace}: {message}")
        if done.stdout.strip() != "true":
            raise GitProblem(
                f"{self.workspace} is not in the work tree of its git repository: change to a folder of the project"
            )
        if "GIT_DIR" not in self._environment:  # git before 2.38 does not know safe.bareRepository
            folder = Path(os.fsdecode(self._bytes("rev-parse", "--absolute-git-dir").removesuffix(b"\n")))
            if not is_git_folder_of(folder, self.top(), self.workspace):
                raise GitProblem(_looks_bare(folder))

    def top(self) -> Path:
        """The top folder of the work tree."""
        return Path(os.fsdecode(self._bytes("rev-parse", "--show-toplevel").removesuffix(b"\n"))).resolve()

    def commit(self, revision: str) -> str:
        """The object id of the commit that ``revision`` names. Raises GitProblem, with what to fetch."""
        if revision.startswith("-") or not revision.strip() or _NO_REVISION.search(revision):
            raise GitProblem(f"{revision!r} is not the name of a commit: name a branch, a tag or a commit")
        done = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
        words = done.stdout.split()
        if done.exit_status == 0 and words:
            return words[-1]
        if self.is_shallow():
            raise GitProblem(f"no commit {revision!r} in this shallow clone; {_FETCH_MORE}")
        advice = f"name one that is there, or fetch it first ({_how_to_fetch(revision)})"
        raise GitProblem(f"no commit {revision!r} in this repository; {advice}")

    def head(self) -> str | None:
        """The object id of HEAD, or None in a repository without a commit."""
        done = self._run("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        return done.stdout.strip() or None if done.exit_status == 0 else None

    def merge_base(self, one: str, other: str) -> str:
        """The best common ancestor of two commits given by id. Raises GitProblem when there is none."""
        done = self._run("merge-base", one, other)
        if done.exit_status == 0:
            return done.stdout.split()[0]
        if self.is_shallow():
            raise GitProblem(f"the common ancestor with {one[:12]} is not in this shallow clone; {_FETCH_MORE}")
        if done.exit_status == 1:
            raise GitProblem(
                f"{one[:12]} and {other[:12]} have no common ancestor: name a base that the branch grew from"
            )
        raise GitProblem(f"git merge-base: {_first_line(done.stderr)}")

    def has_commit(self, commit: str) -> bool:
        """Whether the commit with this id is there, whole."""
        return self._run("cat-file", "-e", "--end-of-options", commit + "^{tree}").exit_status == 0

    def common_ancestor(self, one: str, other: str) -> str | None:
        """See merge_base; None when there is none, or none in this clone."""
        done = self._run("merge-base", "--end-of-options", one, other)
        return done.stdout.split()[0] if done.exit_status == 0 else None

    def remote_address(self, name: str) -> str:
        """The address that a remote is fetched from, as ``url.*.insteadOf`` changes it; "" where there is none."""
        if self._run("config", "--get", f"remote.{name}.url").exit_status != 0:
            return ""
        done = self._run("remote", "get-url", "--", name)
        return done.stdout.removesuffix("\n") if done.exit_status == 0 else ""

    def settings_files(self) -> tuple[Path, ...]:
        """The files that git reads its settings from here, included ones as well."""
        listing = self._bytes("config", "--list", "--includes", "--name-only", "--show-origin", "-z")
        origins = {record for record in _records(listing) if record.startswith(b"file:")}
        top = self.top()  # which git goes to before it reads
        return tuple(top / os.fsdecode(origin[5:]) for origin in sorted(origins))

    def own_folder(self) -> Path:
        """The folder of the repository, which all its work trees share."""
        return self.workspace / os.fsdecode(self._bytes("rev-parse", "--git-common-dir").removesuffix(b"\n"))

    def empty_tree(self) -> str:
        """The object id of the tree without files, in the hash of this repository."""
        return self._text("hash-object", "-t", "tree", "--stdin", stdin=b"").strip()

    def staged(self, tree: str) -> tuple[Difference, ...]:
        """What the index changes against a tree or commit."""
        return _differences(self._bytes("diff-index", "--cached", "-z", "--full-index", *_DIFF_OPTIONS, tree, "--"))

    def between(self, old: str, new: str) -> tuple[Difference, ...]:
        """What ``new`` changes against ``old`` (trees or commits)."""
        return _differences(self._bytes("diff-tree", "-z", "--full-index", *_DIFF_OPTIONS, old, new, "--"))

    def staged_patch(self, tree: str) -> bytes:
        """The same as a patch without context lines, cut at 64 MiB; names in it are not to be relied on."""
        return self._patch("diff-index", "--cached", *_PATCH_OPTIONS, tree, "--")

    def between_patch(self, old: str, new: str) -> bytes:
        """See staged_patch."""
        return self._patch("diff-tree", *_PATCH_OPTIONS, old, new, "--")

    def index(self) -> dict[bytes, Entry]:
        """The files of the index below the workspace; conflicted files (stages 1 to 3) are left out."""
        entries = {}
        for record in _records(self._bytes("ls-files", "-z", "--stage", "--cached")):
            head, _, name = record.partition(b"\t")
            mode, object_id, stage = head.decode("ascii").split(" ")
            if stage == "0":
                entries[name] = Entry(mode, object_id)
        return entries

    def tree(self, commit: str) -> dict[bytes, Entry]:
        """The files of a commit below the workspace."""
        entries = {}
        for record in _records(self._bytes("ls-tree", "-r", "-z", commit)):
            head, _, name = record.partition(b"\t")
            mode, _, object_id = head.decode("ascii").split(" ")
            entries[name] = Entry(mode, object_id)
        return entries

    def working_files(self) -> tuple[bytes, ...]:
        """Tracked files and untracked ones that are not ignored, below the workspace, sorted."""
        listing = self._bytes("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        return tuple(sorted({name for name in _records(listing) if not name.endswith(b"/")}))

    def sizes(self, object_ids: Iterable[str]) -> dict[str, int]:
        """The sizes of blobs; what is missing or no blob is left out."""
        wanted = list(dict.fromkeys(object_ids))
        if not wanted:
            return {}
        request = "".join(f"{object_id}\n" for object_id in wanted).encode("ascii")
        sizes = {}
        for line in self._text("cat-file", "--batch-check", stdin=request).splitlines():
            fields = line.split(" ")
            if len(fields) == 3 and fields[1] == "blob":
                sizes[fields[0]] = int(fields[2])
        return sizes

    def blobs(self, object_ids: Iterable[str], max_bytes: int) -> dict[str, bytes]:
        """The contents of blobs up to ``max_bytes`` each; bigger and missing ones are left out."""
        batch: list[str] = []
        pending = 0
        contents: dict[str, bytes] = {}
        for object_id, size in self.sizes(object_ids).items():
            if size > max_bytes:
                continue
            batch.append(object_id)
            pending += size
            if pending > _BATCH_BYTES:
                contents.update(self._batch(batch))
                batch, pending = [], 0
        contents.update(self._batch(batch))
        return contents

    def _batch(self, object_ids: list[str]) -> dict[str, bytes]:
        if not object_ids:
            return {}
        output = self._bytes("cat-file", "--batch", stdin="".join(f"{one}\n" for one in object_ids).encode("ascii"))
        contents: dict[str, bytes] = {}
        position = 0
        while position < len(output):
            end = output.index(b"\n", position)
            object_id, kind, size = output[position:end].decode("ascii").split(" ")
            if kind != "blob":
                raise GitProblem(f"git cat-file: {object_id} is a {kind}, not a file")
            start = end + 1
            contents[object_id] = output[start : start + int(size)]
            position = start + int(size) + 1
        return contents

    def is_shallow(self) -> bool:
        """Whether history is cut off somewhere (a clone with ``--depth``)."""
        return self._run("rev-parse", "--is-shallow-repository").stdout.strip() == "true"

    def _patch(self, *arguments: str) -> bytes:
        done = self._run(*arguments, limit=_BATCH_BYTES * 2)
        self._check(arguments[0], done)
        return done.stdout_bytes

    def _text(self, *arguments: str, stdin: bytes | None = None) -> str:
        return self._bytes(*arguments, stdin=stdin).decode("utf-8", "replace")

    def _bytes(self, *arguments: str, stdin: bytes | None = None) -> bytes:
        done = self._run(*arguments, stdin=stdin)
        self._check(arguments[0], done)
        if done.output_truncated:
            raise GitProblem(f"git {arguments[0]} says more than {_OUTPUT_BYTES >> 20} MiB")
        return done.stdout_bytes

    def _check(self, command: str, done: Completed) -> None:
        if done.timed_out:
            raise GitProblem(f"git {command} took longer than {TIMEOUT_SECONDS:.0f} s")
        if done.exit_status != 0:
            raise GitProblem(f"git {command}: {_first_line(done.stderr)}")

    def _run(self, *arguments: str, stdin: bytes | None = None, limit: int = _OUTPUT_BYTES) -> Completed:
        try:
            return run(
                ["git", *_OPTIONS, *arguments],
                cwd=self.workspace,
                timeout=TIMEOUT_SECONDS,
                environment=self._environment,
                output_limit=limit,
                stdin=stdin,
            )
        except ToolMissing as error:
            raise NotARepository("git was not found; it is needed to know what changed") from error


def _looks_bare(folder: Path) -> str:
    return (
        f"git takes {folder} for a repository of its own, and nothing says that its settings can be trusted: remove "
        "HEAD, config, objects and refs where they are files of the project; else work in a clone"
    )


def _how_to_fetch(revision: str) -> str:
    """``git fetch origin main`` for ``origin/main`` and for ``main``."""
    return f"git fetch origin {visible(revision.removeprefix('origin/'))}"


_FETCH_MORE = "fetch more of it: git fetch --deepen=100, or git fetch --unshallow (actions/checkout: fetch-depth: 0)"
_PATCH_OPTIONS = ("-p", "-U0", "--text", "--full-index", "--diff-algorithm=histogram", *_DIFF_OPTIONS)


def _records(output: bytes) -> list[bytes]:
    return [record for record in output.split(b"\0") if record]


def _differences(output: bytes) -> tuple[Difference, ...]:
    """Read ``diff --raw -z`` (git-diff-index(1), "RAW OUTPUT FORMAT")."""
    fields = iter(_records(output))
    differences = []
    for head in fields:
        old_mode, new_mode, old_id, new_id, status = head.decode("ascii").lstrip(":").split(" ")
        old_path = next(fields)
        path = next(fields) if status[0] in "RC" else old_path
        differences.append(Difference(status[0], path, old_path, Entry(old_mode, old_id), Entry(new_mode, new_id)))
    return tuple(differences)


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0] if lines else "no reason given"
