"""OpenJML on this machine: where it is and which version.

It is in no package registry: people unpack a release (https://github.com/OpenJML/OpenJML/releases) and say where.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from clausefit.verifiers import openjml_output, process
from clausefit.verifiers.process import Completed, ToolMissing
from clausefit.verifiers.protocol import VerifierProblem

Runner = Callable[..., Completed]
Known = Callable[[str, Callable[[], str]], str]

PROGRAM = "openjml"
HOME_VARIABLE = "OPENJML_HOME"
HOW_TO_ADD = (
    f"unpack a release of https://github.com/OpenJML/OpenJML/releases and set {HOME_VARIABLE} to its folder, "
    "or put the folder on PATH"
)
_VERSION_SECONDS = 60.0
_TOO_OLD = ("0.8", "0.7")
"""The series for Java 8: other options, other output."""


@dataclass(frozen=True)
class OpenJmlInstallation:
    """The program to start, its version, and a text that changes when the installation does."""

    program: str
    version: str
    identity: str


def _ask_always(_identity: str, ask: Callable[[], str]) -> str:
    return ask()


def find(
    setting: Path | None = None,
    *,
    variables: Mapping[str, str] | None = None,
    run: Runner = process.run,
    known: Known = _ask_always,
) -> OpenJmlInstallation:
    """OpenJML: at ``setting`` (the folder of a release or the program in it), else OPENJML_HOME, else PATH.

    ``variables`` is the environment to look into (this process's when None). The program is started for its version,
    unless ``known`` (given the identity and a function that asks) knows it. Raises VerifierProblem with one line that
    says what to do: nothing there, not to be started, too old.
    """
    program = locate(setting, os.environ if variables is None else variables)
    identity = _identity(program)
    version = known(identity, lambda: _version(program, run))
    if version.startswith(tuple(f"{series}." for series in _TOO_OLD)):
        raise VerifierProblem(f"{program} is OpenJML {version}, for Java 8 only: {HOW_TO_ADD}")
    return OpenJmlInstallation(program, version, identity)


def locate(setting: Path | None, variables: Mapping[str, str]) -> str:
    """The program's absolute path; VerifierProblem when it is nowhere, or not where a setting says that it is."""
    named: tuple[tuple[str, str], ...] = (
        ("the setting `openjml`", str(setting) if setting is not None else ""),
        (HOME_VARIABLE, variables.get(HOME_VARIABLE, "")),
    )
    for what, where in named:
        if where:
            return _at(what, Path(where))
    path = os.pathsep.join(one for one in variables.get("PATH", "").split(os.pathsep) if one.startswith("/"))
    found = shutil.which(PROGRAM, path=path) if path else None
    if found is None:
        raise VerifierProblem(f"{PROGRAM} was not found: {HOW_TO_ADD}")
    return found


def _at(what: str, where: Path) -> str:
    if not where.is_absolute():
        raise VerifierProblem(f"{what} is {where}: it must be an absolute path")
    program = where / PROGRAM if where.is_dir() else where
    if not program.is_file() or not os.access(program, os.X_OK):
        raise VerifierProblem(f"{what} is {where}, but there is no program {program} that can be started")
    return str(program)


def _version(program: str, run: Runner) -> str:
    try:
        done = run([program, "--version"], cwd=Path(tempfile.gettempdir()), timeout=_VERSION_SECONDS)
    except ToolMissing as problem:
        raise VerifierProblem(f"{program} cannot be started: {HOW_TO_ADD}") from problem
    version = openjml_output.version_of(done.stdout) or openjml_output.version_of(done.stderr)
    if done.timed_out or not version:
        raise VerifierProblem(f"{program} does not run: `{program} --version` says no version")
    return version


def _identity(program: str) -> str:
    """Path, size and time of the program and of what lies beside it (specifications, solvers, libraries)."""
    real = Path(program).resolve()
    parts = []
    with contextlib.suppress(OSError):  # a folder that cannot be listed: then the program has to do
        for path in (real, *sorted(real.parent.iterdir())):
            with contextlib.suppress(OSError):  # a link that leads nowhere is no part of what runs
                stat = path.stat()
                parts.append(f"{path}:{stat.st_size}:{stat.st_mtime_ns}")
    return "|".join(parts)
