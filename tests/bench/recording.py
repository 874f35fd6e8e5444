"""What recording costs: a suite's own time, its time under ``clausefit record``, and the recorder's memory.

The bar (for the suite whose tests do some work besides the calls): at most 3 times the own time, below 300 MB. The
suite of calls alone ends before a debugger has started; its row shows what is paid once, whatever the suite.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from clausefit.hook.pins.stored import from_yaml
from recording_suites import CALLS, COPIES, SUITES, Suite

FUNCTIONS = 5 * COPIES
BAR_TIMES, BAR_MB = 3.0, 300.0
LOADS = (("calls alone", 0, 0), ("with work", 40_000, 15_000))
"""The rows: their names, and what a test does besides each call, in turns of a loop (C, Java): about 30 µs."""
_POLL_SECONDS = 0.05
_RECORDER = ("python", "gdb", "java")


@dataclass(frozen=True)
class Cost:
    """One run under the recorder; ``memory`` is the most of all its programs at once, ``parts`` of each kind."""

    seconds: float
    status: int
    memory: float
    parts: dict[str, float]


class Watch(threading.Thread):
    """Looks every now and then at the memory of all recorder processes below one process."""

    def __init__(self, root: int, suite: Suite) -> None:
        super().__init__(daemon=True)
        self._root, self._suite = root, suite
        self._over = threading.Event()
        self.most = 0.0
        self.parts: dict[str, float] = {}

    def run(self) -> None:
        """Until ``end``."""
        while not self._over.wait(_POLL_SECONDS):
            sizes = [(name, size) for pid in below(self._root) for name, size in self._part(pid)]
            self.most = max(self.most, sum(size for _name, size in sizes))
            for name, size in sizes:
                self.parts[name] = max(self.parts.get(name, 0.0), size)

    def end(self) -> None:
        """Stop looking."""
        self._over.set()
        self.join()

    def _part(self, pid: int) -> Iterator[tuple[str, float]]:
        """Its name and memory in MB, when the process belongs to the recorder and not to the suite."""
        try:
            program = Path(f"/proc/{pid}/exe").readlink()
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            resident = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except OSError:
            return  # it has ended
        of_suite = program.is_relative_to(self._suite.folder) or self._suite.command[-1].encode() in words[-1:]
        if not of_suite and program.name.startswith(_RECORDER):
            yield next(name for name in _RECORDER if program.name.startswith(name)), resident / 1e6


def below(root: int) -> list[int]:
    """A process and all that it started."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(folder.name))
    found = [root]
    for pid in found:
        found += children.get(pid, [])
    return found


def own(suite: Suite) -> float:
    """The seconds that the suite takes by itself, the median of three runs."""
    return sorted(timed(suite, list(suite.command)) for _ in range(3))[1]


def timed(suite: Suite, command: list[str]) -> float:
    """The seconds of one run."""
    start = time.monotonic()
    subprocess.run(command, cwd=suite.folder, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def recorded(suite: Suite, cache: Path) -> Cost:
    """One run under ``clausefit record``, with nothing stored before."""
    shutil.rmtree(suite.folder / ".clausefit", ignore_errors=True)
    command = [str(Path(sys.executable).with_name("clausefit")), "record", "--", *suite.command]
    environment = dict(os.environ, XDG_CACHE_HOME=str(cache))
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=suite.folder, env=environment)
    watch = Watch(process.pid, suite)
    watch.start()
    status = process.wait()
    seconds = time.monotonic() - start
    watch.end()
    return Cost(seconds, status, watch.most, watch.parts)


def stored(folder: Path) -> tuple[int, int]:
    """How many pins a run left, and of how many functions."""
    pins = [
        one.pin
        for path in (folder / ".clausefit" / "pins").rglob("*.yaml")
        for one in from_yaml(path.read_text("utf-8"), path.name)[1]
    ]
    return len(pins), len({pin.function for pin in pins})


def main() -> None:
    """Both languages, side by side."""
    print(f"recording: {FUNCTIONS} functions, {FUNCTIONS * CALLS:,} calls")
    print("                      own s  recorded s   times   recorder MB (of which)        pins  of functions")
    for make in SUITES:
        for column, (name, *loads) in enumerate(LOADS):
            with tempfile.TemporaryDirectory() as scratch:
                suite = make(Path(scratch) / "suite", loads[SUITES.index(make)])
                # What is compiled once for a machine is not a cost of the suite.
                cache = Path(scratch) / "cache"
                recorded(suite, cache)
                cost, alone = recorded(suite, cache), own(suite)
                pins, functions = stored(suite.folder)
            parts = " ".join(f"{part} {size:.0f}" for part, size in sorted(cost.parts.items()))
            times = cost.seconds / alone
            within = times <= BAR_TIMES and cost.memory < BAR_MB
            verdict = "" if column == 0 else "  within the bar" if within else "  over the bar"
            ended = "" if cost.status == 0 else f"  exit status {cost.status}"
            print(
                f"{suite.name:5}{name:12} {alone:10.2f} {cost.seconds:11.2f} {times:7.1f} {cost.memory:9.0f} ({parts})"
                f" {pins:12} {functions:6}{verdict}{ended}",
                flush=True,
            )


if __name__ == "__main__":
    main()
