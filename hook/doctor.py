"""What is installed, whether it works, and what to do where it does not (``clausefit doctor``).

Nothing is believed for its name: WP is asked a small question whose answer is known, for each prover.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from clausefit.hook import config
from clausefit.hook.visible import shortened, visible
from clausefit.verifiers.process import Completed, ToolMissing

State = Literal["ok", "missing", "broken", "warn"]

LEAST_PYTHON = (3, 11)
LEAST_FRAMA_C = 25
PROVERS = ("cvc4", "z3")
APT_ALL = "apt-get install --no-install-recommends frama-c-base why3 z3 cvc4"
_PASSED_ON = ("WHY3CONFIG", "FRAMAC_SHARE")
_SECONDS = 30.0
_PROBE_SECONDS = 60.0
# Needs a prover: Qed, WP's own simplifier, does not instantiate the axiom.
_PROBE = r"""/*@ axiomatic Probe {
      logic integer probe(integer n);
      axiom zero: probe(0) == 0;
      axiom next: \forall integer n; probe(n + 1) == probe(n) + 1;
    }
*/
/*@ assigns \nothing;
    ensures answer: probe(2) == 2;
*/
void question(void) {}
"""
_PROBE_GOAL = re.compile(r"Goal typed_question_ensures_answer : Valid\b")


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
    it nothing can be judged. Both are safe to print.
    """

    name: str
    state: State
    found: str
    todo: str = ""
    needed: bool = True


def diagnose(run: Run, environment: Environment) -> tuple[Check, ...]:
    """All checks, in the order in which things build on one another.

    A check that has no sense because an earlier one failed is left out. Raises OSError when no temporary
    folder can be made.
    """
    with tempfile.TemporaryDirectory(prefix="clausefit-doctor-") as name:
        folder = Path(name)
        ask = _Asker(run, folder, environment)
        frama_c = _frama_c(ask)
        why3 = _why3(ask)
        checks = [_python(environment.python), *_plain_tools(ask), frama_c, why3]
        if why3.state == "ok":
            known = _known_provers(ask)
            checks.append(_why3_configuration(environment, known))
            provers = [_prover(ask, prover, known) for prover in PROVERS]
            checks += _provers_together(provers)
            usable = [prover for prover in PROVERS if prover in known]
            if frama_c.state == "ok" and usable:
                checks.append(_wp(ask, usable))
        checks += [_cache(environment.cache_folder), _config(environment.workspace)]
    return tuple(checks)


def exit_status(checks: Sequence[Check]) -> int:
    """0 when everything that is needed is there and works (warnings allowed), else 2."""
    return 2 if any(check.needed and check.state in ("missing", "broken") for check in checks) else 0


def as_text(checks: Sequence[Check]) -> str:
    """The checks as a plain table, each with what to do under it, and one closing line."""
    width = max((len(check.name) for check in checks), default=0)
    lines = []
    for check in checks:
        lines.append(f"{check.state:<8} {check.name:<{width}}  {check.found}".rstrip())
        if check.todo:
            lines.append(f"{'':<8} {'':<{width}}  -> {check.todo}")
    bad = sum(check.needed and check.state in ("missing", "broken") for check in checks)
    lines.append("Ready to judge contracts." if bad == 0 else f"Not ready: {bad} of {len(checks)} checks failed.")
    return "\n".join(lines) + "\n"


class _Asker:
    """Runs a program and returns what it said, or why it said nothing."""

    def __init__(self, run: Run, folder: Path, environment: Environment) -> None:
        self._run = run
        self.folder = folder
        # The same variables that the verifier passes on, so that doctor sees what it will see.
        self._extra = {
            n: environment.variables[n] for n in ("WHY3CONFIG", "FRAMAC_SHARE") if n in environment.variables
        }

    def __call__(self, *argv: str, timeout: float = _SECONDS) -> Completed | None:
        """How it ended, or None when the program is not there."""
        try:
            return self._run(argv, cwd=self.folder, timeout=timeout, environment=self._extra)
        except ToolMissing:
            return None


def _python(version: tuple[int, ...]) -> Check:
    found = ".".join(map(str, version))
    if version[:2] >= LEAST_PYTHON:
        return Check("python", "ok", found)
    least = ".".join(map(str, LEAST_PYTHON))
    return Check("python", "broken", found, f"use Python {least} or newer")


def _plain_tools(ask: _Asker) -> list[Check]:
    return [
        _versioned(ask("git", "--version"), "git", "apt-get install git"),
        _versioned(ask("gcc", "--version"), "gcc", "apt-get install gcc libc6-dev"),
    ]


def _versioned(done: Completed | None, name: str, install: str) -> Check:
    """A program that only has to run and tell its version."""
    if done is None:
        return Check(name, "missing", "not found", install)
    if done.exit_status != 0:
        return Check(name, "broken", _failure(done), f"run `{name} --version` by hand; reinstall it: {install}")
    return Check(name, "ok", _version_in(done.stdout))


def _frama_c(ask: _Asker) -> Check:
    done = ask("frama-c", "-version")
    if done is None:
        return Check("frama-c", "missing", "not found", f"{APT_ALL} && why3 config detect")
    if done.exit_status != 0:
        return Check("frama-c", "broken", _failure(done), "run `frama-c -version` by hand")
    found = _first_line(done.stdout)
    major = re.match(r"\d+", found)
    if major is None or int(major[0]) < LEAST_FRAMA_C:
        return Check(
            "frama-c",
            "broken",
            found,
            f"install Frama-C {LEAST_FRAMA_C} or newer (Debian 12 and later have it: {APT_ALL})",
        )
    return Check("frama-c", "ok", found)


def _why3(ask: _Asker) -> Check:
    return _versioned(ask("why3", "--version"), "why3", "apt-get install why3 && why3 config detect")


def _known_provers(ask: _Asker) -> dict[str, str]:
    """Prover -> name with version, of those that Why3 has in its configuration."""
    done = ask("why3", "config", "list-provers")
    known: dict[str, str] = {}
    for line in done.stdout.splitlines() if done is not None and done.exit_status == 0 else ():
        words = line.split()
        if len(words) >= 2:
            known.setdefault(words[0].lower(), _safe(" ".join(words[:2])))
    return known


def _why3_configuration(environment: Environment, known: Mapping[str, str]) -> Check:
    named = environment.variables.get("WHY3CONFIG")
    path = Path(named) if named else environment.home / ".why3.conf"
    if not path.is_file():
        return Check("why3 configuration", "missing", f"no file {_safe(str(path))}", "why3 config detect")
    if not known:
        return Check(
            "why3 configuration",
            "broken",
            f"{_safe(str(path))} names no prover",
            f"apt-get install {' '.join(PROVERS)} && why3 config detect",
        )
    return Check("why3 configuration", "ok", _safe(str(path)))


def _prover(ask: _Asker, prover: str, known: Mapping[str, str]) -> Check:
    if prover in known:
        return Check(prover, "ok", known[prover])
    if ask(prover, "--version") is None:
        return Check(prover, "missing", "not found", f"apt-get install {prover} && why3 config detect")
    return Check(prover, "missing", "installed, but Why3 does not know it", "why3 config detect")


def _provers_together(provers: Sequence[Check]) -> list[Check]:
    """One prover is enough to judge: a missing one is a warning beside another that is there."""
    if not any(prover.state == "ok" for prover in provers):
        return list(provers)
    return [
        prover
        if prover.state == "ok"
        else Check(prover.name, "warn", prover.found, f"{prover.todo} (fewer questions stay undecided)", needed=False)
        for prover in provers
    ]


def _wp(ask: _Asker, provers: Sequence[str]) -> Check:
    """Whether WP, with each prover, proves what is known to be true."""
    (ask.folder / "probe.c").write_text(_PROBE, encoding="ascii")
    failed = {}
    for prover in provers:
        done = ask("frama-c", "-wp", "-wp-prover", prover, "-wp-timeout", "10", "probe.c", timeout=_PROBE_SECONDS)
        if done is None or not _PROBE_GOAL.search(done.stdout):
            failed[prover] = "frama-c is gone" if done is None else _complaint(done)
    worked = [prover for prover in provers if prover not in failed]
    if not failed:
        return Check("wp", "ok", f"proves with {', '.join(worked)}")
    reasons = "; ".join(f"{prover}: {reason}" for prover, reason in failed.items())
    todo = f"why3 config detect; if that does not help: {APT_ALL}"
    if worked:
        return Check("wp", "warn", f"proves with {', '.join(worked)}, not with {reasons}", todo)
    return Check("wp", "broken", f"proves nothing ({reasons})", todo)


def _complaint(done: Completed) -> str:
    """The line of Frama-C's output that says what is wrong."""
    if done.timed_out:
        return "no answer in time"
    lines = (done.stdout + "\n" + done.stderr).splitlines()
    errors = [line for line in lines if "Error" in line] or [line for line in lines if "Goal" in line]
    return shortened(_safe(errors[0].strip()), 200) if errors else _failure(done)


def _cache(folder: Path | None) -> Check:
    if folder is None:
        return Check("cache folder", "warn", "switched off", "every question is asked again in every run", needed=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        todo = "make it writable, or name another folder (XDG_CACHE_HOME)"
        return Check("cache folder", "warn", f"{_safe(str(folder))}: {error.strerror}", todo, needed=False)
    return Check("cache folder", "ok", _safe(str(folder)), needed=False)


def _config(workspace: Path) -> Check:
    try:
        config.load(workspace)
    except config.ConfigProblem as problem:
        return Check("config file", "broken", _safe(str(problem)), f"correct {config.FILE_NAME}")
    there = (workspace / config.FILE_NAME).exists()
    return Check("config file", "ok", _safe(config.FILE_NAME) if there else f"no {config.FILE_NAME}: defaults")


def _version_in(text: str) -> str:
    line = _first_line(text)
    version = re.search(r"\d+(?:\.\d+)+", line)
    return version[0] if version else line


def _first_line(text: str) -> str:
    return _safe(next((line.strip() for line in text.splitlines() if line.strip()), "no version told"))


def _failure(done: Completed) -> str:
    if done.timed_out:
        return "no answer in time"
    return f"exit status {done.exit_status}: {_first_line(done.stderr or done.stdout)}"


def _safe(text: str) -> str:
    return shortened(visible(text), 400)
