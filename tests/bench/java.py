"""Measures what KeY costs: start-up, questions a second, a process a question, the whole command on one method."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from clausefit.hook.changes import All, changes
from clausefit.hook.check import Services, prepare
from clausefit.hook.compilation import Compilation
from clausefit.hook.config import Config
from clausefit.hook.java.work import java_work_of
from clausefit.hook.judge import JavaUnitPlan, Verifiers
from clausefit.hook.progress import SilentProgress
from clausefit.hook.units import work_of
from clausefit.verifiers import key_tools
from clausefit.verifiers.cache import VerdictCache
from clausefit.verifiers.framac_wp import FramacWp, WpSettings
from clausefit.verifiers.key_verifier import Key, KeySettings
from clausefit.verifiers.process import run
from clausefit.verifiers.protocol import Hooks, JavaUnit

SOURCE = """
public class Box{i} {{
    private /*@ spec_public @*/ int total;

    /*@ public normal_behavior
      @   requires values.length > 0;
      @   ensures (\\exists int i; 0 <= i && i < values.length; values[i] == \\result);
      @   ensures (\\forall int i; 0 <= i && i < values.length; values[i] <= \\result);
      @*/
    public static /*@ pure @*/ int largest(int[] values) {{
        int m = values[0];
        for (int v : values) if (v > m) m = v;
        return m;
    }}

    //@ requires low <= high;
    //@ ensures \\result == (value < low ? low : (value > high ? high : value));
    public static /*@ pure @*/ int clamp(int value, int low, int high) {{
        return Math.max(low, Math.min(value, high));
    }}

    //@ assignable total;
    //@ ensures total == \\old(total) + by;
    public void add(int by) {{ total += by; }}

    //@ ensures \\result == total;
    public /*@ pure @*/ int total() {{ return total; }}
}}
"""
TEST = """
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;

class Box{i}Test {{
    @Test void largest() {{
        assertEquals(9, Box{i}.largest(new int[] {{3, 9, {i}}}));
        assertEquals(7, Box{i}.largest(new int[] {{7, -2}}));
        assertEquals(-4, Box{i}.largest(new int[] {{-4}}));
    }}
    @Test void clamp() {{
        assertEquals(3, Box{i}.clamp(1, 3, 8));
        assertEquals(8, Box{i}.clamp(11, 3, 8));
        assertEquals(5, Box{i}.clamp(5, 3, 8));
    }}
    @Test void add() {{
        Box{i} box = new Box{i}();
        box.add(4);
        box.add({i});
        assertEquals(4 + {i}, box.total());
    }}
}}
"""
ALONE = 6
"""Questions that are asked with a process of their own; the rest of the figure follows from them."""


def project(folder: Path, copies: int) -> None:
    """A project with four contracts for each copy, and tests of them."""
    for name in ("src", "test"):
        (folder / name).mkdir(parents=True)
    for i in range(copies):
        (folder / f"src/Box{i}.java").write_text(SOURCE.format(i=i))
        (folder / f"test/Box{i}Test.java").write_text(TEST.format(i=min(i, 9)).replace(f"Box{min(i, 9)}", f"Box{i}"))


def units_of(folder: Path, most: int) -> list[JavaUnit]:
    """The project's questions, the first ``most`` of them."""
    config = Config()
    every = changes(All(), folder)
    lookup = Compilation(folder, config)
    verifiers = Verifiers(FramacWp(run, WpSettings(), VerdictCache(None)))
    services = Services(folder, lambda: folder, verifiers, time.monotonic, SilentProgress())
    work = work_of(every, config, lookup.include_dirs)
    plans = prepare(work, every, config, lookup, services, java_work_of(every, config)).units
    units: list[JavaUnit] = []
    left = most
    for plan in plans:
        assert isinstance(plan, JavaUnitPlan)
        unit = plan.unit([one for each in plan.plans for one in each.asked][:left])
        left -= len(unit.questions)
        units += [unit] if unit.questions else []
    return units


def measured(work: Callable[[], object]) -> tuple[float, float]:
    """Wall-clock and CPU seconds, children that ended included."""
    before, start = _cpu(), time.monotonic()
    work()
    return time.monotonic() - start, _cpu() - before


def _cpu() -> float:
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in usage)


def ask(units: list[JavaUnit], settings: KeySettings) -> tuple[int, float]:
    """Judge all: how many stayed undecided, and the seconds after the first question was answered."""
    installation = key_tools.install()
    with closing(Key(lambda: installation, VerdictCache(None), settings)) as key:
        first = replace(units[0], questions=units[0].questions[:1])
        key.judge(first, Hooks())
        start = time.monotonic()
        found = [judgement for unit in units for judgement in key.judge(unit, Hooks()).values()]
        return sum(one.verdict == "undecided" for one in found), time.monotonic() - start


def price(folder: Path, count: int) -> None:
    """Start-up, questions a second, and one process a question beside it."""
    units = units_of(folder, count)
    total = sum(len(unit.questions) for unit in units)
    key_tools.install()
    one = [replace(units[0], questions=units[0].questions[:1])]
    start, start_cpu = measured(lambda: ask(one, KeySettings()))
    results: list[tuple[int, float]] = []
    wall, cpu = measured(lambda: results.append(ask(units, KeySettings())))
    undecided, after = results[0]
    singles = [replace(units[0], questions=(question,)) for question in units[0].questions[:ALONE]]
    single, single_cpu = measured(lambda: [ask([each], KeySettings(processes=1)) for each in singles])
    each, each_cpu = single / len(singles), single_cpu / len(singles)
    print(f"Java: {total} questions, {undecided} undecided        wall s    CPU s")
    print(f"start-up and one question         {start:8.2f} {start_cpu:8.2f}")
    rate = total / after
    print(f"all questions, start-up included  {wall:8.2f} {cpu:8.2f}   {rate:6.0f} questions a second after it")
    print(
        f"one process a question            {each * total:8.2f} {each_cpu * total:8.2f}   (from {len(singles)} of them)"
    )
    print(f"factor                            {each * total / wall:8.1f} {each_cpu * total / cpu:8.1f}")
    print(f"OpenJML by its documented 4 s     {4.0 * total:8.2f}            factor {4.0 * total / wall:.0f}")


def one_method(folder: Path) -> None:
    """The whole command on a change of one method: from nothing in the cache, and again."""
    caches = folder.parent / "java-cache"
    environment = dict(os.environ, XDG_CACHE_HOME=str(caches))
    (caches / "clausefit").mkdir(parents=True)
    known = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "clausefit" / "key"
    (caches / "clausefit" / "key").symlink_to(known)  # KeY itself is set up once for all

    def git(*arguments: str) -> None:
        subprocess.run(["git", "-c", "user.name=b", "-c", "user.email=b@b", *arguments], cwd=folder, check=True)

    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "start")
    source = folder / "src/Box0.java"
    source.write_text(source.read_text().replace("requires low <= high;", "requires low <= high && low <= high;"))
    git("add", "-A")
    command = [str(Path(sys.executable).with_name("clausefit")), "check", "--fail-on", "never"]

    def once() -> None:
        subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)

    (cold, cold_cpu), (warm, warm_cpu) = measured(once), measured(once)
    print(f"check of a one-method change      {cold:8.2f} {cold_cpu:8.2f}")
    print(f"the same from the cache           {warm:8.2f} {warm_cpu:8.2f}")


def main(count: int = 300) -> None:
    """All measurements of Java."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "java"
        project(folder, max(1, count // 60 + 1))
        price(folder, count)
        one_method(folder)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
