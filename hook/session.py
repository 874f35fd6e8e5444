"""One run of a command with its edges open: git, configuration, verifier, cache, progress.

What is only needed when there is something to judge is imported then: most commits change no contract, and
they should not wait for it.
"""

from __future__ import annotations

import sys
import threading
import time
from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from clausefit.hook import changes as change_requests
from clausefit.hook.changes import Changes
from clausefit.hook.compilation import Compilation
from clausefit.hook.config import Config, ConfigProblem
from clausefit.hook.contracts.c import decode
from clausefit.hook.git import GitProblem, NotARepository
from clausefit.hook.judged_tree import judged_tree
from clausefit.hook.pre_commit import hook_changes
from clausefit.hook.report import Report, Stats
from clausefit.hook.units import Work, work_of

if TYPE_CHECKING:
    from clausefit.hook.check import Prepared, Services
    from clausefit.hook.pins.junit_xml import PassedTests
    from clausefit.verifiers.framac_wp import WpSettings


class Session:
    """The edges of one run; a context manager that closes them. ``problems`` are lines for stderr."""

    def __init__(
        self, workspace: Path, config: Config, options: Namespace, cancel: threading.Event, *, use_cache: bool
    ) -> None:
        self._workspace, self._config, self._options = workspace, config, options
        self._cancel, self._use_cache = cancel, use_cache and config.cache
        self._open = ExitStack()
        self._changes: Changes | None = None
        self.problems: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def check(self) -> Report:
        """Judge, and report. Raises GitProblem, VerifierProblem, OSError."""
        start = time.monotonic()
        changes, lookup, work = self._work()
        if not work.units:
            return Report(not_checked=work.not_checked, stats=Stats(seconds=time.monotonic() - start))
        from clausefit.hook.check import check

        services = self._services(changes)
        report = check(work, changes, self._config, lookup, services)
        services.progress.stop()
        return report

    def stubs(self) -> str:
        """The C text that the verifier would be given, all questions alone in the expected polarity."""
        changes, lookup, work = self._work()
        if not work.units:
            return "/* nothing to judge: no contract was selected */\n"
        from clausefit.hook.check import prepare

        services = self._services(changes)
        prepared = prepare(work, changes, self._config, lookup, services)
        services.progress.stop()
        return "\n".join(_stub_texts(prepared)) or "/* nothing to ask: no contract that was selected has pins */\n"

    def _work(self) -> tuple[Changes, Compilation, Work]:
        changes = self._changed()
        lookup = Compilation(self._workspace, self._config)
        return changes, lookup, work_of(changes, self._config, lookup.include_dirs)

    def refused(self) -> bool:
        """Whether a file that the user named was refused (a link out of the workspace, too large, not there)."""
        named = bool(self._options.files) and not self._options.pre_commit
        return named and self._changes is not None and bool(self._changes.not_checked)

    def source_texts(self, report: Report) -> dict[str, str]:
        """The text of each file that has a finding, as it was judged."""
        if self._changes is None:
            return {}
        contents = self._changes.snapshot.read_many({finding.file for finding in report.findings})
        return {path: decode(content) for path, content in contents.items()}

    def _services(self, changes: Changes) -> Services:
        from clausefit.hook.check import Services
        from clausefit.hook.progress import progress_for
        from clausefit.verifiers.cache import FILE_NAME, VerdictCache, default_folder
        from clausefit.verifiers.framac_wp import FramacWp
        from clausefit.verifiers.process import run

        path = default_folder() / FILE_NAME if self._use_cache else None
        cache = self._open.enter_context(VerdictCache(path, self._config.cache_mb * 1024 * 1024))
        self._open.callback(lambda: self.problems.extend([cache.problem] if cache.problem else []))
        progress = progress_for(sys.stderr)
        self._open.callback(progress.stop)
        tree = self._open.enter_context(judged_tree(changes.snapshot, self._workspace))
        verifier = FramacWp(run, _wp_settings(self._config), cache, self._cancel)
        return Services(self._workspace, tree.folder, verifier, time.monotonic, progress, self._passed())

    def _changed(self) -> Changes:
        options, workspace = self._options, self._workspace
        if options.pre_commit:
            self._changes = hook_changes(options.files, workspace)
        else:
            try:
                self._changes = change_requests.changes(_request(options), workspace)
            except NotARepository as problem:
                raise GitProblem(f"{problem}; name the files to judge, or use --all") from problem
        return self._changes

    def _passed(self) -> PassedTests | None:
        paths: list[Path] = list(self._options.junit or [])
        for pattern in self._config.junit:
            paths += sorted(self._workspace.glob(pattern))
        if not paths and not self._config.junit:
            return None
        from clausefit.hook.pins.junit_xml import passed_tests

        passed = passed_tests(paths)
        if passed.errors:
            # Without it no test would count as passed, nothing be judged, and that look like a pass.
            raise ConfigProblem(passed.errors[0])
        if not paths:
            self.problems.append(f"no test report matches {', '.join(self._config.junit)}, so no test counts as passed")
        return passed


def _request(options: Namespace) -> change_requests.Request:
    if options.all:
        return change_requests.All()
    if options.base is not None:
        return change_requests.Base(options.base)
    if options.files:
        return change_requests.Files(tuple(Path(name) for name in options.files))
    return change_requests.Staged()


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
    from clausefit.verifiers.framac_wp import alone
    from clausefit.verifiers.wp_text import compose

    texts = []
    for unit in prepared.units:
        asked = [one for plan in unit.plans for one in plan.asked]
        if not asked:
            continue
        whole = unit.unit(asked)
        about = {one.question.id: one for one in asked}
        text = compose(whole.prelude, {scene.name: scene for scene in whole.scenes}, alone(whole.questions))
        roles = ", ".join(
            f"{len([a for a in about.values() if a.role == r])} {r}" for r in sorted({a.role for a in asked})
        )
        texts.append(f"/* {unit.name}: {len(asked)} questions ({roles}) */\n{text}")
    return texts
