"""One run of a command with its edges open: git, configuration, verifier, cache, progress.

What is only needed when there is something to judge is imported then: most commits change no contract, and
they should not wait for it.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from clausefit.hook import changes as change_requests
from clausefit.hook.budget import REASON, Budget
from clausefit.hook.changes import ChangedFile, Changes
from clausefit.hook.compilation import Compilation
from clausefit.hook.config import FILE_NAME, Config, ConfigProblem
from clausefit.hook.contracts.c import decode
from clausefit.hook.contracts.model import Contract
from clausefit.hook.git import GitProblem, NotARepository
from clausefit.hook.in_time import InTime, Stop
from clausefit.hook.judged_tree import judged_tree
from clausefit.hook.pre_commit import HookFiles, hook_changes
from clausefit.hook.report import Report, Stats
from clausefit.hook.snapshots import WorkingTreeSnapshot
from clausefit.hook.units import JAVA, Work, work_of
from clausefit.hook.vain_settings import idle_exclusions, idle_patterns, missing_paths
from clausefit.verifiers.process import end_all, stopped_by

if TYPE_CHECKING:
    from clausefit.hook.check import Services
    from clausefit.hook.java.work import JavaWork
    from clausefit.hook.judge import JavaUnitPlan, JavaVerifiers, UnitPlan
    from clausefit.hook.pins.junit_xml import PassedTests
    from clausefit.hook.plans import Asked
    from clausefit.hook.prepared import Prepared
    from clausefit.hook.progress import ProgressReporter
    from clausefit.verifiers.cache import VerdictCache
    from clausefit.verifiers.framac_wp import WpSettings

_CLOSING_SECONDS = 0.3


@dataclass(frozen=True)
class Wanted:
    """What one run is asked to judge, and the test reports that count beside the configured ones.

    ``junit`` are paths or globs of somebody's command line, which may lead anywhere; ``junit_below`` are globs relative
    to the workspace, which may not lead out of it.
    """

    request: change_requests.Request | HookFiles
    junit: tuple[str, ...] = ()
    junit_below: tuple[str, ...] = ()


class Session:
    """The edges of one run; a context manager that closes them. ``problems`` are lines for stderr.

    ``cache_folder`` is where verdicts are kept (default: that of the user), ``progress`` who is told how far the run is
    (default: a terminal, where there is one). ``ask``: verifiers are asked, and not the cache alone. ``started`` is
    when the time of the budget began (default: now), on ``time.monotonic``.
    """

    def __init__(
        self,
        workspace: Path,
        config: Config,
        wanted: Wanted,
        cancel: threading.Event,
        *,
        use_cache: bool,
        cache_folder: Path | None = None,
        progress: ProgressReporter | None = None,
        ask: bool = True,
        started: float | None = None,
    ) -> None:
        self._workspace, self._config, self._wanted = workspace, config, wanted
        self._ask, self._use_cache = ask, use_cache and config.cache
        self._budget: Budget | None = None
        self._cancel = cancel
        if config.budget is not None:
            now = time.monotonic()
            self._budget = Budget.of(config.budget, now if started is None else started, now)
            self._cancel = Stop(cancel)
        self._in_time: InTime[Report] | None = None
        self._contracts: list[Contract] = []
        self._sets_up_key = False
        self._cache_folder, self._progress = cache_folder, progress
        self._open = ExitStack()
        self._changes: Changes | None = None
        self.problems: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._in_time is not None and self._in_time.is_running:
            # It may hold what closing waits for; the process ends soon, and it with it.
            closing = threading.Thread(target=self._open.close, daemon=True)
            closing.start()
            closing.join(_CLOSING_SECONDS)
        else:
            self._open.close()

    def check(self) -> Report:
        """Judge, and report what the baseline does not hold.

        Raises GitProblem, VerifierProblem, BaselineProblem, OSError.
        """
        if self._config.baseline is None:
            return self._judged_in_time()
        from clausefit.hook import baseline, baseline_file

        # Read before: who judges for minutes should not learn only then that it is broken.
        accepted = baseline_file.entries(self._config.baseline, self._workspace)
        everything = isinstance(self._wanted.request, change_requests.All)
        return baseline.apply(self._judged_in_time(), accepted, everything=everything)

    def _judged_in_time(self) -> Report:
        """What was judged within the budget. What of it is in no report is in the cache."""
        if self._budget is None:
            return self._judged()
        report = self._within(self._budget)
        if self._sets_up_key and any(one.reason == REASON for one in report.not_checked):
            self.problems.append("the time went into setting up KeY, once: run `clausefit check --all` first")
        return report

    def _within(self, budget: Budget) -> Report:
        start = time.monotonic()
        with stopped_by(self._cancel):
            self._in_time = InTime(self._judged, self._cancel)
            report = self._in_time.result(budget)
        if report is not None:
            return report
        end_all()
        from clausefit.hook.unreached import cut_short

        files = [file.path for file in self._changes.files] if self._changes is not None else []
        left = cut_short(tuple(self._contracts), files)
        return Report(not_checked=tuple(left), stats=Stats(seconds=time.monotonic() - start))

    def _judged(self) -> Report:
        start = time.monotonic()
        changes, lookup, work, java = self._work()
        settings = WorkingTreeSnapshot(self._workspace).read(FILE_NAME)
        self.problems += idle_patterns(settings, changes.snapshot.list)
        self.problems += missing_paths(settings, self._workspace)
        self.problems += idle_exclusions(settings, self._excludable)
        if not work.units and (java is None or not java.methods):
            left = (*work.not_checked, *(java.not_checked if java else ()))
            return Report(not_checked=left, stats=Stats(seconds=time.monotonic() - start))
        from clausefit.hook.check import check
        from clausefit.hook.unreached import selected

        self._contracts = selected(work, java)
        self.problems += self._unseen_pins(changes, work, java)
        services = self._services(changes, java)
        report = check(work, changes, self._config, lookup, services, java)
        services.progress.stop()
        return report

    def _excludable(self) -> Mapping[str, frozenset[str]]:
        from clausefit.hook.record.session import excludable

        return excludable(self._workspace, self._config)

    def stubs(self) -> str:
        """The text that the verifiers would be given: C stubs with all questions alone in the expected polarity, and
        for Java the skeletons with facts and formulas."""
        changes, lookup, work, java = self._work()
        if not work.units and (java is None or not java.methods):
            return "/* nothing to judge: no contract was selected */\n"
        from clausefit.hook.check import prepare

        services = self._services(changes, java)
        prepared = prepare(work, changes, self._config, lookup, services, java)
        services.progress.stop()
        return "\n".join(_stub_texts(prepared)) or "/* nothing to ask: no contract that was selected has pins */\n"

    def _work(self) -> tuple[Changes, Compilation, Work, JavaWork | None]:
        changes = self._changed()
        lookup = Compilation(self._workspace, self._config)
        work = work_of(changes, self._config, lookup.include_dirs)
        java = None
        if any(file.path.endswith(JAVA) for file in changes.files):
            from clausefit.hook.java.work import java_work_of

            java = java_work_of(changes, self._config)
        return changes, lookup, work, java

    def _unseen_pins(self, changes: Changes, work: Work, java: JavaWork | None) -> list[str]:
        """That recorded calls lie on the disk which the judged state has not."""
        if isinstance(changes.snapshot, WorkingTreeSnapshot):
            return []
        from clausefit.hook.recorded_pins import unseen

        methods = java.methods if java is not None else ()
        judged = [one.contract.file for unit in work.units for one in unit.changed]
        judged += [one.changed.contract.file for one in methods]
        line = unseen(changes.snapshot, WorkingTreeSnapshot(self._workspace), judged)
        return [line] if line else []

    def refused(self) -> bool:
        """Whether a file that the user named was refused (a link out of the workspace, too large, not there)."""
        named = isinstance(self._wanted.request, change_requests.Files)
        return named and self._changes is not None and bool(self._changes.not_checked)

    @property
    def changed_files(self) -> tuple[ChangedFile, ...]:
        """The files that were looked into, as far as the run came to that."""
        return self._changes.files if self._changes is not None else ()

    def source_texts(self, report: Report) -> dict[str, str]:
        """The text of each file that has a finding, as it was judged."""
        if self._changes is None:
            return {}
        contents = self._changes.snapshot.read_many({finding.file for finding in report.findings})
        return {path: decode(content) for path, content in contents.items()}

    def _services(self, changes: Changes, java: JavaWork | None) -> Services:
        from clausefit.hook.check import Asking, Services
        from clausefit.hook.judge import Verifiers
        from clausefit.hook.progress import progress_for
        from clausefit.verifiers.cache import FILE_NAME as CACHE_NAME
        from clausefit.verifiers.cache import VerdictCache, default_folder
        from clausefit.verifiers.framac_wp import FramacWp
        from clausefit.verifiers.process import run

        path = (self._cache_folder or default_folder()) / CACHE_NAME if self._use_cache else None
        cache = self._open.enter_context(VerdictCache(path, self._config.cache_mb * 1024 * 1024))
        self._open.callback(lambda: self.problems.extend([cache.problem] if cache.problem else []))
        progress = self._progress or progress_for(sys.stderr)
        self._open.callback(progress.stop)
        tree = self._open.enter_context(judged_tree(changes.snapshot, self._workspace))
        for_java = self._java_verifiers(cache) if java is not None and java.methods else None
        verifiers = Verifiers(FramacWp(run, _wp_settings(self._config), cache, self._cancel), for_java)
        asking = Asking(self._ask, self._cancel if self._budget is not None else None, cache)
        return Services(self._workspace, tree.folder, verifiers, time.monotonic, progress, self._passed(), asking)

    def _java_verifiers(self, cache: VerdictCache) -> JavaVerifiers:
        from clausefit.hook.java.session import java_verifiers
        from clausefit.verifiers.key_tools import is_set_up

        if self._budget is not None and self._ask and self._config.key_jars is None:
            self._sets_up_key = not is_set_up()
        chain = self._open.enter_context(java_verifiers(self._config, self._workspace, cache, self._cancel))
        self._open.callback(lambda: self.problems.extend(chain.problems))
        return chain

    def _changed(self) -> Changes:
        request, workspace = self._wanted.request, self._workspace
        if isinstance(request, HookFiles):
            self._changes = hook_changes(request.names, workspace)
        else:
            try:
                self._changes = change_requests.changes(request, workspace)
            except NotARepository as problem:
                raise GitProblem(f"{problem}; name the files to judge, or use --all") from problem
        return self._changes

    def _passed(self) -> PassedTests | None:
        from clausefit.hook.report_files import anywhere, below

        paths = []
        for pattern in self._wanted.junit:
            found = anywhere(pattern)
            if found == [Path(pattern)] and any(sign in pattern for sign in "*?[") and not Path(pattern).exists():
                raise ConfigProblem(
                    f"--junit: no test report matches {pattern}: run the tests first, or mend the pattern"
                )
            paths += found
        for pattern in self._wanted.junit_below:
            paths += below([pattern], self._workspace) or [self._workspace / pattern]
        idle = [pattern for pattern in self._config.junit if not below([pattern], self._workspace)]
        paths += below(self._config.junit, self._workspace)
        if not paths and not self._config.junit:
            return None
        from clausefit.hook.pins.junit_xml import passed_tests

        passed = passed_tests(paths)
        if passed.errors:
            # Without it no test would count as passed, nothing be judged, and that look like a pass.
            raise ConfigProblem(passed.errors[0])
        if not paths:
            patterns = ", ".join(self._config.junit)
            self.problems.append(
                f"no test report matches {patterns}, so no test counts as passed: run the tests first, "
                "or mend the pattern"
            )
        elif idle:
            self.problems.append(f"junit: no test report matches {', '.join(idle)}: mend the pattern, or drop it")
        return passed


def _wp_settings(config: Config) -> WpSettings:
    from clausefit.verifiers.framac_wp import WpSettings

    return WpSettings(
        timeout=max(1, round(config.timeout)),
        run_timeout=config.run_timeout,
        memory_bytes=config.memory_mb * 1024 * 1024,
        provers=config.provers,
        machdep=config.machdep or WpSettings.machdep,
    )


def _stub_texts(prepared: Prepared) -> list[str]:
    from clausefit.hook.judge import UnitPlan

    texts = []
    for unit in prepared.units:
        asked = [one for plan in unit.plans for one in plan.asked]
        if not asked:
            continue
        roles = {one.role: 0 for one in asked}
        for one in asked:
            roles[one.role] += 1
        counts = ", ".join(f"{number} {role}" for role, number in sorted(roles.items()))
        head = f"/* {unit.name}: {len(asked)} questions ({counts}) */"
        body = _c_text(unit, asked) if isinstance(unit, UnitPlan) else _java_text(unit, asked)
        texts.append(f"{head}\n{body}")
    return texts


def _c_text(unit: UnitPlan, asked: Sequence[Asked]) -> str:
    from clausefit.verifiers.framac_wp import alone
    from clausefit.verifiers.wp_text import compose

    whole = unit.unit(asked)
    return compose(whole.prelude, {scene.name: scene for scene in whole.scenes}, alone(whole.questions))


def _java_text(unit: JavaUnitPlan, asked: Sequence[Asked]) -> str:
    whole = unit.unit(asked)
    lines = []
    for path, text in whole.files:
        lines += [f"// ---- {path}", text]
    for scene in whole.scenes:
        variables = ", ".join(f"{type_name} {name}" for type_name, name in scene.variables)
        lines += [f"// ---- scene {scene.name} of {scene.class_name} ({variables})", f"//   {scene.facts}"]
        lines += [f"//   {outcome.name}: {outcome.facts}" for outcome in scene.outcomes]
        lines += [
            f"//   {one.id} {one.expected} at {one.hypothesis or 'entry'}: {one.formula}"
            for one in whole.questions
            if one.scene == scene.name
        ]
    return "\n".join(lines) + "\n"
