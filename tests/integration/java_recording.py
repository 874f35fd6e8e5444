"""Records real Java programs: compiles them, runs them under the recorder, and reads what they printed themselves."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clausefit.hook.changes import All, changes
from clausefit.hook.config import Config
from clausefit.hook.java.work import java_work_of
from clausefit.hook.record.java_recorder import JavaRecorder
from clausefit.hook.record.java_watched import watched_java
from clausefit.hook.record.watched import Recording, RecordLimits

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "unit"))
from java_pin_text import pin_text

LOG = "LOG "
UNHURRIED = RecordLimits(slowdown=1000)
"""No pauses, however busy the machine is."""


@dataclass(frozen=True)
class Recorded:
    """What was recorded of a program, and what it said of itself."""

    recording: Recording
    log: tuple[str, ...]
    output: str
    status: int | None

    @property
    def pins(self) -> list[str]:
        """The pins as text, in the order of the calls."""
        return [pin_text(call.pin) for call in sorted(self.recording.calls, key=lambda one: one.order)]

    @property
    def left_out(self) -> dict[str, str]:
        """Function → reason."""
        return {one.function: one.reason for one in self.recording.left_out}


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Writes the files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def compiled(folder: Path, *options: str) -> Path:
    """Compiles the Java files of a folder; the folder of their classes."""
    out = folder / "out"
    subprocess.run(
        ["javac", *options, "-d", str(out), *map(str, sorted(folder.rglob("*.java")))],
        check=True,
        capture_output=True,
        timeout=120,
    )
    return out


def recorder_of(folder: Path, cache: Path, limits: RecordLimits | None = None) -> JavaRecorder:
    """A recorder of all contracts in a folder."""
    work = java_work_of(changes(All(), folder), Config())
    return JavaRecorder(folder, watched_java(work).methods, limits or UNHURRIED, cache)


def record(
    folder: Path,
    cache: Path,
    command: Sequence[str],
    limits: RecordLimits | None = None,
    environment: Mapping[str, str] | None = None,
    seconds: float = 120,
    *,
    is_limit: bool = False,
) -> Recorded:
    """Runs a command under the recorder; one that takes longer than ``seconds`` is killed (status None).

    ``is_limit``: as ``--limit`` does, which the recorder is told.
    """
    with recorder_of(folder, cache, limits) as recorder:
        variables = {**os.environ, **(environment or {}), **recorder.environment()}
        child = subprocess.Popen(
            command, cwd=folder, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        try:
            output, _ = child.communicate(timeout=seconds)
            status: int | None = child.returncode
        except subprocess.TimeoutExpired:
            if is_limit:
                recorder.limit_reached(seconds)
            child.kill()
            output, _ = child.communicate()
            status = None
        recording = recorder.finish()
    log = tuple(line.removeprefix(LOG) for line in output.splitlines() if line.startswith(LOG))
    return Recorded(recording, log, output, status)


def record_java(
    folder: Path, cache: Path, files: Mapping[str, str], main: str, *options: str, limits: RecordLimits | None = None
) -> Recorded:
    """Compiles files (with ``options`` of javac) and records the run of a main class."""
    write(folder, files)
    out = compiled(folder, *options)
    return record(folder, cache, ["java", "-cp", str(out), main], limits)
