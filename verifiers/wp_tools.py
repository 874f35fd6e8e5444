"""Frama-C and the provers of this machine: where they are, which versions, how they are started."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from clausefit.verifiers import wp_output
from clausefit.verifiers.cache import VerdictCache
from clausefit.verifiers.process import Completed, ToolMissing
from clausefit.verifiers.protocol import Tally, VerifierProblem

GUARD_PROVERS = ("cvc4", "cvc5", "z3-ce", "z3", "alt-ergo")
"""Guards are mostly not provable, and cvc4 says so in a tenth of a second where z3 takes up to two."""
Runner = Callable[..., Completed]


@dataclass(frozen=True)
class WpSettings:
    """Limits of the verifier: seconds for a goal and for a process, bytes for a process, provers to use."""

    timeout: int = 5
    run_timeout: float = 300.0
    memory_bytes: int | None = None
    parallel: int = 8
    provers: tuple[str, ...] = ()
    machdep: str = "gcc_x86_64"
    group: bool = True
    share_processes: bool = True


class WpTools:
    """Frama-C as it is installed. ``run`` starts processes (``process.run``); ``cache`` keeps what was found out."""

    def __init__(self, run: Runner, settings: WpSettings, cache: VerdictCache, cancel: threading.Event | None) -> None:
        self._run, self._settings, self._cache, self._cancel = run, settings, cache, cancel
        self._lock = threading.RLock()
        self._provers: dict[str, str] | None = None
        self._identity: str | None = None
        self.tally = Tally()

    def guard_provers(self) -> tuple[str, ...]:
        """The prover for questions that are expected to stay open."""
        there = self.provers()
        return next(((p,) for p in GUARD_PROVERS if p in there), tuple(there)[:1])

    def identity(self) -> str:
        """What changes when a tool changes, without starting one: path, size and time of each program."""
        if self._identity is None:
            parts = []
            for program in ("frama-c", "why3", "z3", "cvc4", "cvc5", "alt-ergo"):
                path = shutil.which(program)
                if path:
                    real = os.path.realpath(path)
                    stat = os.stat(real)  # noqa: PTH116 - one call, no Path object needed on this path
                    parts.append(f"{program}:{real}:{stat.st_size}:{stat.st_mtime_ns}")
            self._identity = "|".join(parts) + "|" + ",".join(self._settings.provers)
        return self._identity

    def version(self) -> str:
        """Frama-C's version; VerifierProblem when it is not there."""
        key = "version\0" + self.identity()
        known = self._cache.get_many([key]).get(key)
        if known is None:
            lines = self.frama_c(["-version"], Path(tempfile.gettempdir()), 60).stdout.split("\n")
            known = next((line.strip() for line in reversed(lines) if line.strip()), "unknown")
            self._cache.put_many({key: known})
        return known

    def provers(self) -> dict[str, str]:
        """The provers to use: Why3's short name → name and version; VerifierProblem when there is none."""
        with self._lock:
            if self._provers is None:
                self._provers = self._detect()
            return self._provers

    def _detect(self) -> dict[str, str]:
        key = "provers\0" + self.identity() + "\0" + _why3_configuration()
        known = self._cache.get_many([key]).get(key)
        if known is None:
            done = self.frama_c(["-wp-detect"], Path(tempfile.gettempdir()), 60)
            known = "\n".join(f"{k}\t{v}" for k, v in wp_output.detected_provers(done.stdout).items())
            if known:
                self._cache.put_many({key: known})
        found = {k: v for k, _, v in (line.partition("\t") for line in known.splitlines())}
        if not found:
            raise VerifierProblem(
                "Why3 knows no prover: install z3 and cvc4 (apt install z3 cvc4), then run `why3 config detect`"
            )
        if not self._settings.provers:
            return found
        chosen = {name: found[name] for name in self._settings.provers if name in found}
        if not chosen:
            raise VerifierProblem(
                f"none of the provers {', '.join(self._settings.provers)} is known to Why3; it knows {', '.join(found)}"
            )
        return chosen

    def frama_c(self, arguments: Sequence[str], cwd: Path, timeout: float) -> Completed:
        """Run Frama-C; VerifierProblem when it is not there."""
        extra = {name: os.environ[name] for name in ("WHY3CONFIG", "FRAMAC_SHARE") if name in os.environ}
        # A Frama-C that is killed leaves its temporary files: let them go away with the scratch folder.
        extra["TMPDIR"] = str(cwd)
        try:
            done = self._run(
                ["frama-c", *arguments],
                cwd=cwd,
                timeout=timeout,
                environment=extra,
                memory_bytes=self._settings.memory_bytes,
                cancel=self._cancel,
            )
        except ToolMissing as problem:
            raise VerifierProblem(
                "frama-c was not found: install it (apt install frama-c-base why3 z3 cvc4, then `why3 config detect`)"
            ) from problem
        with self._lock:
            self.tally.processes += 1
            self.tally.cpu_seconds += done.cpu_seconds
        return done

    @property
    def settings(self) -> WpSettings:
        """The limits in force."""
        return self._settings


def _why3_configuration() -> str:
    path = Path(os.environ.get("WHY3CONFIG") or Path.home() / ".why3.conf")
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return "none"
