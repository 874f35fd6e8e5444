"""A repository on a server, a runner's files, and runs of the action's command in clones of it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from running import AUTHOR, Ran, Repository, clean_environment

WEAK = "/*@ ensures \\result >= a; */\nint max(int a, int b)\n{\n    return a > b ? a : b;\n}\n"
GOOD = WEAK.replace("\\result >= a", "\\result == (a > b ? a : b)")
TEST = """\
#include <assert.h>
int max(int a, int b);
static void test_max(void) { assert(max(3, 4) == 4); assert(max(7, 2) == 7); }
int main(void) { test_max(); return 0; }
"""


class Workflow:
    """The work folder that pushes, the bare ``origin``, and ``clone``, which is the runner's workspace."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder, self._cache = folder, cache
        self.origin = folder / "origin.git"
        self.work = Repository(folder / "work", cache)
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(self.origin)], check=True)
        self.clone = folder / "clone"

    def commit(self, **files: str) -> str:
        """Commit files by (path, text)."""
        for path, text in files.items():
            self.work.add(path, text)
        self.work.git("commit", "-q", "--allow-empty", "-m", f"{len(self.work.git('log', '--all', '--format=%h'))}")
        return self.work.git("rev-parse", "HEAD")

    def push(self) -> None:
        self.work.git("push", "-q", "--force", str(self.origin), "+refs/heads/*:refs/heads/*")

    def checkout(self, revision: str) -> None:
        """What actions/checkout leaves: one commit, a detached head."""
        self.work.git("push", "-q", str(self.origin), f"+{revision}:refs/pull/1/merge")
        self.clone.mkdir()
        for arguments in (
            ["init", "-q"],
            ["remote", "add", "origin", self.origin.as_uri()],
            ["fetch", "-q", "--no-tags", "--depth=1", "origin", "+refs/pull/1/merge:refs/remotes/fetched"],
            ["checkout", "-q", "--detach", "refs/remotes/fetched"],
        ):
            subprocess.run(["git", *arguments], cwd=self.clone, check=True, env=clean_environment() | AUTHOR)

    def pull(self, topic: str = "topic", base: str = "main") -> dict[str, Any]:
        """The payload of a pull request, and the clone of its merge."""
        head, start = self.work.git("rev-parse", topic), self.work.git("rev-parse", base)
        self.work.git("checkout", "-q", "--detach", base)
        self.work.git("merge", "-q", "--no-ff", "-m", "merge", topic)
        self.push()
        self.checkout("HEAD")
        ends = {"base": {"ref": base, "sha": start}, "head": {"ref": topic, "sha": head}}
        return {"action": "opened", "number": 1, "pull_request": {"number": 1} | ends} | self.repository

    @property
    def repository(self) -> dict[str, Any]:
        return {"repository": {"default_branch": "main", "full_name": "o/r"}}

    def run(self, event: str, payload: object, **variables: str) -> Ran:
        (self.folder / "event.json").write_text(json.dumps(payload))
        for name in ("output", "summary"):
            (self.folder / name).write_text("")
        given = {
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(self.folder / "event.json"),
            "GITHUB_WORKSPACE": str(self.clone),
            "GITHUB_REPOSITORY": "o/r",
            "GITHUB_API_URL": "http://127.0.0.1:9",
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
        }
        return Repository(self.clone, self._cache).run("ci", env=given | variables)

    @property
    def outputs(self) -> dict[str, str]:
        lines = (self.folder / "output").read_text().splitlines()
        return {lines[n].partition("<<")[0]: lines[n + 1] for n in range(0, len(lines), 3)}

    @property
    def summary(self) -> str:
        return (self.folder / "summary").read_text()

    @property
    def report(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.clone / "clausefit-report.json").read_text())
        return found

    @property
    def places(self) -> list[tuple[str, int]]:
        return [(one["file"], one["line"]) for one in self.report["findings"]]

    @property
    def judged(self) -> list[str]:
        return [one["file"] for one in self.report["contracts"]]


def annotations(ran: Ran) -> list[str]:
    return [line for line in ran.out.splitlines() if line.startswith(("::error", "::warning", "::notice"))]


def weakened(folder: Path, cache: Path) -> Workflow:
    """main holds a good contract with its test, and has moved on; topic made it weak."""
    made = Workflow(folder, cache)
    made.commit(**{"src/max.c": GOOD, "tests/test_max.c": TEST})
    made.work.git("checkout", "-q", "-b", "topic")
    made.commit(**{"src/max.c": WEAK})
    made.work.git("checkout", "-q", "main")
    made.commit(README="moved on")
    return made
