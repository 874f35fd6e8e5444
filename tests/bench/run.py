"""What a question costs, measured side by side in one run: ./dev bench.

Prints ratios; nothing is asserted. ``--questions N`` sets the size of the side-by-side part (default 100).
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import java
import recording
from clausefit.hook.changes import All, changes
from clausefit.hook.check import Services, prepare
from clausefit.hook.compilation import Compilation
from clausefit.hook.config import Config
from clausefit.hook.judge import UnitPlan, Verifiers, judge
from clausefit.hook.progress import SilentProgress
from clausefit.hook.units import work_of
from clausefit.verifiers.cache import FILE_NAME, VerdictCache
from clausefit.verifiers.framac_wp import FramacWp, WpSettings
from clausefit.verifiers.process import run
from clausefit.verifiers.protocol import Hooks

SOURCE = """
/*@ requires readable: \\valid_read(a + (0 .. n - 1));
    requires some: n > 0;
    assigns \\nothing;
    ensures member: \\exists integer k; 0 <= k < n && a[k] == \\result;
    ensures bound: \\forall integer k; 0 <= k < n ==> a[k] <= \\result;
*/
int largest_{i}(const int *a, int n) {{ int m = a[0]; for (int j = 1; j < n; j++) if (a[j] > m) m = a[j]; return m; }}
/*@ requires ok: low <= high;
    assigns \\nothing;
    ensures value < low ==> \\result == low;
    ensures value > high ==> \\result == high;
    ensures low <= value <= high ==> \\result == value;
*/
int clamp_{i}(int value, int low, int high) {{ return value < low ? low : value > high ? high : value; }}
/*@ requires writable: \\valid(p) && *p < 1000;
    assigns *p;
    ensures *p == \\old(*p) + by;
*/
void add_{i}(int *p, int by) {{ *p += by; }}
"""
TEST = """
static void test_{i}(void)
{{
    int a[4] = {{3, 9, {i}, 9}}, b[2] = {{-1, -5}};
    assert(largest_{i}(a, 3) == {m});
    assert(largest_{i}(b, 2) == -1);
    assert(clamp_{i}({i}, 0, 10) == {c});
    assert(clamp_{i}(-4, 0, 10) == 0);
    int s = {i};
    add_{i}(&s, 4);
    assert(s == {i} + 4);
}}
"""


def project(folder: Path, copies: int) -> None:
    """A project with three contracts for each copy, and tests of them."""
    folder.mkdir()
    source = "".join(SOURCE.format(i=i) for i in range(copies))
    tests = "".join(TEST.format(i=i, m=max(3, 9, i), c=min(i, 10)) for i in range(copies))
    calls = "".join(f"    test_{i}();\n" for i in range(copies))
    heads = "".join(
        f"int largest_{i}(const int *a, int n); int clamp_{i}(int v, int l, int h); void add_{i}(int *p, int by);\n"
        for i in range(copies)
    )
    (folder / "code.c").write_text('#include "code.h"\n' + source)
    (folder / "code.h").write_text(heads)
    (folder / "test_code.c").write_text(
        f'#include <assert.h>\n#include "code.h"\n{tests}\nint main(void)\n{{\n{calls}    return 0;\n}}\n'
    )


def prepared(folder: Path, config: Config) -> list[UnitPlan]:
    """The plans of the project."""
    every = changes(All(), folder)
    lookup = Compilation(folder, config)
    tool = FramacWp(run, WpSettings(), VerdictCache(None))
    services = Services(folder, lambda: folder, Verifiers(tool), time.monotonic, SilentProgress())
    return prepare(work_of(every, config, lookup.include_dirs), every, config, lookup, services).units


def measured(work: Callable[[], None]) -> tuple[float, float]:
    """Wall-clock and CPU seconds, children included."""
    before, start = _cpu(), time.monotonic()
    work()
    return time.monotonic() - start, _cpu() - before


def _cpu() -> float:
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in usage)


def ask(units: list[UnitPlan], settings: WpSettings, cache: VerdictCache, most: int) -> int:
    """Judge the first ``most`` questions (not the guards, which only we ask) and say how many stayed open."""
    tool = FramacWp(run, settings, cache)
    undecided = asked = 0
    for unit in units:
        chosen = [one for plan in unit.plans for one in plan.asked if not one.question.one_sided][: most - asked]
        asked += len(chosen)
        if chosen:
            found = tool.judge(unit.unit(chosen), Hooks())
            undecided += sum(judgement.verdict == "undecided" for judgement in found.values())
    return undecided


def price(folder: Path, count: int) -> None:
    """One process a question against ours, then the cache."""
    units = prepared(folder, Config())
    with tempfile.TemporaryDirectory() as scratch, VerdictCache(Path(scratch) / FILE_NAME) as cache:
        alone = replace(WpSettings(), group=False, share_processes=False)
        single, single_cpu = measured(lambda: ask(units, alone, VerdictCache(None), count))
        ours, ours_cpu = measured(lambda: ask(units, WpSettings(), cache, count))
        again, again_cpu = measured(lambda: ask(units, WpSettings(), cache, count))
    print(f"{count} questions            wall s    CPU s")
    print(f"one process a question   {single:8.2f} {single_cpu:8.2f}")
    print(f"clausefit                {ours:8.2f} {ours_cpu:8.2f}   {single_cpu / ours_cpu:6.1f} times cheaper in CPU")
    print(
        f"clausefit, from cache    {again:8.2f} {again_cpu:8.2f}   {ours / again:6.0f} times faster than the first run"
    )


def memory(folder: Path, least: int) -> None:
    """The peak of any process (ours and Frama-C's) over at least ``least`` questions."""
    units = prepared(folder, Config())
    total = sum(len(plan.asked) for unit in units for plan in unit.plans)
    tool = FramacWp(run, WpSettings(), VerdictCache(None))
    wall, cpu = measured(lambda: judge(units, Verifiers(tool), 2, lambda _n: None, lambda _n: None))
    own, child = (resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(f"{total} questions (at least {least}): {wall:.1f} s, {cpu:.1f} CPU s, {tool.tally.processes} processes;")
    print(f"peak memory {own:.0f} MB own, {child:.0f} MB largest child")


def whole_command(folder: Path) -> None:
    """``clausefit check --all`` twice as a user runs it, with reading sources and tests."""
    environment = dict(os.environ, XDG_CACHE_HOME=str(folder.parent / "cache-of-command"))
    command = [str(Path(sys.executable).with_name("clausefit")), "check", "--all", "--fail-on", "never"]

    def once() -> None:
        subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)

    (first, first_cpu), (again, again_cpu) = measured(once), measured(once)
    print(f"the whole command        {first:8.2f} {first_cpu:8.2f}")
    print(f"the whole command again  {again:8.2f} {again_cpu:8.2f}   {first_cpu / again_cpu:6.1f} times cheaper in CPU")


def idle_commit(folder: Path) -> None:
    """A staged change that touches no contract."""
    environment = dict(os.environ, XDG_CACHE_HOME=str(folder.parent / "cache"))

    def git(*arguments: str) -> None:
        subprocess.run(["git", "-c", "user.name=b", "-c", "user.email=b@b", *arguments], cwd=folder, check=True)

    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "start")
    code = folder / "code.c"
    code.write_text(code.read_text().replace("int m = a[0];", "int m = *a;"))
    git("add", "-A")
    command = [str(Path(sys.executable).with_name("clausefit")), "check"]
    times = []
    for _ in range(5):
        start = time.monotonic()
        subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
        times.append(time.monotonic() - start)
    print(f"a commit that changes no contract: {sorted(times)[2]:.2f} s (median of 5)")


def main() -> None:
    """Everything, or the parts that are named."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("parts", nargs="*", default=["price", "idle", "memory", "java", "recording"])
    options = parser.parse_args()
    if "java" in options.parts:
        java.main(max(300, options.questions))
    if "recording" in options.parts:
        recording.main()
    with tempfile.TemporaryDirectory() as scratch:
        small, large = Path(scratch) / "small", Path(scratch) / "large"
        project(small, max(1, options.questions // 50 + 1))
        if "price" in options.parts:
            price(small, options.questions)
            whole_command(small)
        if "idle" in options.parts:
            idle_commit(small)
        if "memory" in options.parts:
            project(large, 24)
            memory(large, 1000)
            whole_command(large)


if __name__ == "__main__":
    main()
