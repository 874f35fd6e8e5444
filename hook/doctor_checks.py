"""What the doctor's checks have in common: what a check says, and how programs are asked."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from clausefit.hook.visible import shortened, visible
from clausefit.verifiers.process import Completed, ToolMissing

State = Literal["ok", "missing", "broken", "warn", "note"]
Language = Literal["C", "Java"]

_SECONDS = 30.0


class Run(Protocol):
    """``verifiers.process.run``, or the same with another environment."""

    def __call__(
        self, argv: Sequence[str], *, cwd: Path, timeout: float, environment: Mapping[str, str] | None = None
    ) -> Completed:
        """How the child ended; ToolMissing when it cannot be started."""
        ...


@dataclass(frozen=True)
class Environment:
    """What the checks look at besides programs.

    ``variables`` are the environment variables; ``cache_folder`` is None when the cache is switched off;
    ``workspace`` is the folder that may hold a ``.clausefit.yaml``.
    """

    variables: Mapping[str, str]
    home: Path
    cache_folder: Path | None
    workspace: Path
    python: tuple[int, ...] = sys.version_info[:3]


@dataclass(frozen=True)
class Check:
    """One thing that was looked at.

    ``found`` is a version or a fact, ``todo`` what to do exactly (empty when all is well). ``needed``: without
    it nothing can be judged, or nothing in ``language`` when it is for one alone. Both texts are safe to print.
    """

    name: str
    state: State
    found: str
    todo: str = ""
    needed: bool = True
    language: Language | None = None

    @property
    def failed(self) -> bool:
        """Whether something that is needed is not there or does not work."""
        return self.needed and self.state in ("missing", "broken")


class Asker:
    """Runs a program in ``folder`` and returns what it said, or why it said nothing."""

    def __init__(self, run: Run, folder: Path, environment: Environment) -> None:
        self.run = run
        self.folder = folder
        # The same variables that the verifier passes on, so that doctor sees what it will see.
        self._extra = {
            n: environment.variables[n] for n in ("WHY3CONFIG", "FRAMAC_SHARE") if n in environment.variables
        }

    def __call__(self, *argv: str, timeout: float = _SECONDS) -> Completed | None:
        """How it ended, or None when the program is not there."""
        try:
            return self.run(argv, cwd=self.folder, timeout=timeout, environment=self._extra)
        except ToolMissing:
            return None


def versioned(done: Completed | None, name: str, install: str, option: str = "--version") -> Check:
    """A program that only has to run and tell its version."""
    if done is None:
        return Check(name, "missing", "not found", install)
    if done.exit_status != 0:
        return Check(name, "broken", failure(done), f"run `{name} {option}` by hand; reinstall it: {install}")
    return Check(name, "ok", version_in(done.stdout))


def version_in(text: str) -> str:
    """The first number with dots in the first line that says anything; else that line."""
    line = first_line(text)
    version = re.search(r"\d+(?:\.\d+)+", line)
    return version[0] if version else line


def first_line(text: str) -> str:
    """The first line that says anything, safe to print."""
    return safe(next((line.strip() for line in text.splitlines() if line.strip()), "no version told"))


def failure(done: Completed) -> str:
    """How a program failed, in a few words."""
    if done.timed_out:
        return "no answer in time"
    return f"exit status {done.exit_status}: {first_line(done.stderr or done.stdout)}"


def safe(text: str) -> str:
    """``text`` on one line, without control characters, and not too long."""
    return shortened(visible(text), 400)
