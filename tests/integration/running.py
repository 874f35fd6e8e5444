"""Runs the installed command in a scratch folder, as a user would, and reads what it says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CLAUSEFIT = Path(sys.executable).with_name("clausefit")
AUTHOR = {
    "GIT_AUTHOR_NAME": "t",
    "GIT_AUTHOR_EMAIL": "t@example.org",
    "GIT_COMMITTER_NAME": "t",
    "GIT_COMMITTER_EMAIL": "t@example.org",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
}
SECONDS = 180


def clean_environment() -> dict[str, str]:
    """This process's environment without what would make git or the terminal output depend on it."""
    left_out = ("GIT_", "PRE_COMMIT")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(left_out) and k not in ("NO_COLOR", "FORCE_COLOR")}
    return kept | {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}


@dataclass(frozen=True)
class Ran:
    """How a run ended and what it said."""

    status: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        """The JSON report on stdout."""
        try:
            report: dict[str, Any] = json.loads(self.out)
        except ValueError as error:
            raise AssertionError(f"no report; status {self.status}\n{self.out}\n{self.err}") from error
        return report

    @property
    def judged(self) -> list[str]:
        """The functions whose contracts were judged."""
        return [contract["function"] for contract in self.report["contracts"]]

    @property
    def found(self) -> list[tuple[str, str, str | None]]:
        """(function, direction, clause text) of every finding."""
        return [
            (f["function"], f["direction"], f["clause"]["text"] if f["clause"] else None)
            for f in self.report["findings"]
        ]

    @property
    def reasons(self) -> set[str]:
        """The reasons of what was not checked."""
        return {entry["reason"] for entry in self.report["not_checked"]}

    def says_one_line(self) -> str:
        """The only line on stderr, which is not about an internal error."""
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("clausefit: ") and "internal error" not in lines[0], self.err
        return lines[0]


class Command:
    """The command in one folder, with a cache of its own or a shared one."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder = folder
        self.cache = cache

    def write(self, path: str, text: str | bytes) -> Path:
        """Write a file below the folder."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)
        return target

    def environment(self, variables: Mapping[str, str] | None = None) -> dict[str, str]:
        """What the command is started with."""
        return clean_environment() | {"XDG_CACHE_HOME": str(self.cache)} | dict(variables or {})

    def run(self, *arguments: str, env: Mapping[str, str] | None = None, cwd: Path | None = None) -> Ran:
        """Run the command to its end; a traceback fails the test."""
        done = subprocess.run(
            [str(CLAUSEFIT), *arguments],
            cwd=cwd or self.folder,
            env=self.environment(env),
            capture_output=True,
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
        )
        ran = Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
        assert "Traceback" not in ran.out + ran.err, ran.err
        assert "internal error" not in ran.err, ran.err
        return ran

    def check(self, *arguments: str, env: Mapping[str, str] | None = None, cwd: Path | None = None) -> Ran:
        """Run ``check`` with short limits and a JSON report."""
        return self.run("check", "--format", "json", "--timeout", "2", *arguments, env=env, cwd=cwd)


class Repository(Command):
    """The command in a git repository."""

    def __init__(self, folder: Path, cache: Path) -> None:
        super().__init__(folder, cache)
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, env: Mapping[str, str] | None = None) -> str:
        """Run git; the test fails when git does."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.folder,
            env=self.environment(env) | AUTHOR,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def commit(self, **files: str) -> str:
        """Write, add and commit files (``src__max_c`` is not a name: use ``add``); gives the commit's id."""
        for path, text in files.items():
            self.add(path, text)
        self.git("commit", "-q", "--allow-empty", "-m", "m")
        return self.git("rev-parse", "HEAD")

    def add(self, path: str, text: str) -> None:
        """Write a file and stage it."""
        self.write(path, text)
        self.git("add", "--", path)


def recording_frama_c(folder: Path) -> tuple[dict[str, str], Path]:
    """A ``frama-c`` that writes down that it was called, and fails; with the environment that puts it first."""
    folder.mkdir(parents=True, exist_ok=True)
    calls = folder / "calls"
    program = folder / "frama-c"
    program.write_text(f'#!/bin/sh\necho "$@" >> "{calls}"\nexit 1\n')
    program.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}, calls
