"""What recording costs: a suite's own time, its time under ``clausefit record``, and the recorder's memory.

The bar (for the suite whose tests do some work besides the calls): at most 3 times the own time, below 300 MB. The
suite of calls alone ends before a debugger has started; its row shows what is paid once, whatever the suite. On a busy
machine the CPU seconds say more than the others: suite and recorder take turns.
"""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
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
    cpu: float
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
        self._tracers: dict[int, float] = {}

    @property
    def tracers_cpu(self) -> float:
        """The CPU seconds of debuggers that are nobody's children, as they were last seen."""
        return sum(self._tracers.values())

    def run(self) -> None:
        """Until ``end``."""
        while not self._over.wait(_POLL_SECONDS):
            started = below(self._root)
            tracers = {tracer for pid in started if (tracer := tracer_of(pid))} - set(started)
            self._tracers |= {pid: used for pid in tracers if (used := cpu_of(pid)) is not None}
            sizes = [(name, size) for pid in (*started, *tracers) for name, size in self._part(pid)]
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


def tracer_of(pid: int) -> int:
    """The process that debugs another one; 0 for none."""
    try:
        words = Path(f"/proc/{pid}/status").read_text(errors="replace").split()
        return int(words[words.index("TracerPid:") + 1])
    except (OSError, ValueError):
        return 0


def cpu_of(pid: int) -> float | None:
    """The CPU seconds of a process so far (proc(5), fields 14 and 15); None when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children_cpu() -> float:
    """The CPU seconds of all children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timed(suite: Suite) -> tuple[float, float]:
    """The wall-clock and CPU seconds that the suite takes by itself."""
    start, before = time.monotonic(), children_cpu()
    subprocess.run(suite.command, cwd=suite.folder, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start, children_cpu() - before


def recorded(suite: Suite, cache: Path) -> Cost:
    """One run under ``clausefit record``, with nothing stored before."""
    shutil.rmtree(suite.folder / ".clausefit", ignore_errors=True)
    command = [str(Path(sys.executable).with_name("clausefit")), "record", "--", *suite.command]
    environment = dict(os.environ, XDG_CACHE_HOME=str(cache))
    start, before = time.monotonic(), children_cpu()
    process = subprocess.Popen(command, cwd=suite.folder, env=environment)
    watch = Watch(process.pid, suite)
    watch.start()
    status = process.wait()
    seconds = time.monotonic() - start
    watch.end()
    return Cost(seconds, children_cpu() - before + watch.tracers_cpu, status, watch.most, watch.parts)


def stored(folder: Path) -> tuple[int, int]:
    """How many pins a run left, and of how many functions."""
    pins = [
        one.pin
        for path in (folder / ".clausefit" / "pins").rglob("*.yaml")
        for one in from_yaml(path.read_text("utf-8"), path.name)[1]
    ]
    return len(pins), len({pin.function for pin in pins})


def measured(suite: Suite, cache: Path) -> tuple[Cost, float, float]:
    """The recorded run, and the suite's own wall-clock and CPU seconds."""
    # What is compiled once for a machine is not a cost of the suite.
    recorded(suite, cache)
    # Around the recorded run, since the machine may have other work meanwhile.
    before = [timed(suite) for _ in range(2)]
    cost = recorded(suite, cache)
    own = [*before, *(timed(suite) for _ in range(2))]
    return cost, statistics.median(wall for wall, _cpu in own), statistics.median(cpu for _wall, cpu in own)


def row(make: Callable[[Path, int], Suite], name: str, work: int) -> str:
    """One suite, measured."""
    with tempfile.TemporaryDirectory() as scratch:
        suite = make(Path(scratch) / "suite", work)
        cost, wall, cpu = measured(suite, Path(scratch) / "cache")
        pins, functions = stored(suite.folder)
    parts = ", ".join(f"{part} {size:.0f}" for part, size in sorted(cost.parts.items()))
    verdict = "within" if cost.seconds <= BAR_TIMES * wall and cost.memory < BAR_MB else "over"
    return (
        f"{suite.name:5}{name:12} {wall:7.2f} {cost.seconds:9.2f} {cost.seconds / wall:6.1f} "
        f"{cpu:9.2f} {cost.cpu:9.2f} {cost.cpu / cpu:6.1f} {cost.memory:5.0f} ({parts}) {pins:6} of {functions}"
        f"{f'  {verdict} the bar' if work else ''}{f'  exit status {cost.status}' if cost.status else ''}"
    )


def main() -> None:
    """Both languages, side by side."""
    load = os.getloadavg()[0]
    print(f"recording: {FUNCTIONS} functions, {FUNCTIONS * CALLS:,} calls; load of the machine before: {load:.1f}")
    print("                    own s  recorded  times   own CPU  recorded  times   MB (its parts)  pins of functions")
    for number, make in enumerate(SUITES):
        for name, *loads in LOADS:
            print(row(make, name, loads[number]), flush=True)


if __name__ == "__main__":
    main()
