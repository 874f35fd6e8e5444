"""The command line: reads arguments, puts the edges together, and turns what happened into an exit status.

0: clean; 1: findings at or above ``--fail-on``; 2: something could not be checked. Expected problems are one
line on stderr; an internal error says that it is one and where its log lies.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import shlex
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from clausefit.hook import in_time, rules
from clausefit.hook.arguments import Commands, UsageProblem, check_request, parser
from clausefit.hook.budget import HOOK_SECONDS
from clausefit.hook.changes import All, Base, Files, Request, Staged
from clausefit.hook.config import FILE_NAME, Config, ConfigProblem, load
from clausefit.hook.git import Git, GitProblem, NotARepository
from clausefit.hook.pins.stored import StoredProblem
from clausefit.hook.pre_commit import HookFiles
from clausefit.hook.report import SEVERITIES, Report
from clausefit.hook.vain_settings import unread_file
from clausefit.verifiers.protocol import VerifierProblem

if TYPE_CHECKING:
    from clausefit.hook.session import Wanted

CLEAN, FINDINGS, NOT_CHECKED = 0, 1, 2
_FROM_OPTIONS = ("pins", "timeout", "jobs", "changed_with", "verifiers", "budget")


@dataclass(frozen=True)
class Command:
    """A command that another package adds: its name, what adds its arguments, and what runs it (to an exit status)."""

    name: str
    add: Callable[[Commands], None]
    run: Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str], further: Sequence[Command] = ()) -> int:
    """Run one command, of this package or of ``further``, and return the exit status; never raises."""
    obey_signals(threading.Event())
    try:
        whole, commands = parser()
        for one in further:
            one.add(commands)
        options = whole.parse_args(arguments)
        check_request(options)
        return {**_COMMANDS, **{one.name: one.run for one in further}}[options.command](options)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else NOT_CHECKED
    except KeyboardInterrupt:
        return _say("interrupted; what was decided so far is in the cache", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOT_CHECKED
    except (UsageProblem, ConfigProblem, GitProblem, VerifierProblem, StoredProblem) as problem:
        return _say(str(problem), NOT_CHECKED)
    except OSError as problem:
        return _say(f"{problem.filename or 'the system'}: {problem.strerror or problem}", NOT_CHECKED)
    except Exception:
        return _internal_error(arguments)


def leave(status: int) -> NoReturn:
    """End the process: at once where its time is limited, or a thread did not come back that would be waited for.

    That is any thread: those of a pool are waited for at exit even where they are daemons (concurrent.futures.thread).
    """
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
        if signal.getitimer(signal.ITIMER_REAL)[0] or threading.active_count() > 1:
            os._exit(status)
    sys.exit(status)


def _say(text: str, status: int) -> int:
    print(f"clausefit: {' '.join(text.split())}", file=sys.stderr)
    return status


def _warn(text: str) -> None:
    _say(text, 0)


def _internal_error(arguments: Sequence[str]) -> int:
    text = f"clausefit {' '.join(arguments)}\n\n{traceback.format_exc()}"
    last = text.strip().splitlines()[-1]
    try:
        with tempfile.NamedTemporaryFile("w", prefix="clausefit-error-", suffix=".log", delete=False) as log:
            log.write(text)
        return _say(f"internal error, please report it with the log {log.name} ({last})", NOT_CHECKED)
    except OSError:
        return _say(f"internal error, please report it ({last}); no log could be written", NOT_CHECKED)


def obey_signals(cancel: threading.Event) -> None:
    """Let what ends this process set ``cancel`` first: children have sessions of their own and get no signal."""

    def end(_number: int, _frame: FrameType | None) -> NoReturn:
        cancel.set()
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, end)


# ---- check ----------------------------------------------------------------------------------------------------------


def _workspace() -> Path:
    """The nearest folder with a configuration, up to the top of the repository; else that top.

    Outside of git: the current folder.
    """
    here = Path.cwd().resolve()
    try:
        top = Git(here).top()
    except NotARepository:
        return here
    for folder in (here, *here.parents):
        if folder == top or (folder / FILE_NAME).is_file():
            return folder
    return top


def _config(options: argparse.Namespace, workspace: Path) -> Config:
    unread = unread_file(workspace, Path.cwd().resolve())
    if unread is not None:
        _say(unread, 0)
    config = load(workspace)
    changes = {name: getattr(options, name, None) for name in _FROM_OPTIONS}
    if getattr(options, "fail_on", None) is not None:
        changes["fail_on"] = options.fail_on
    if getattr(options, "baseline", None) is not None:
        changes["baseline"] = str(options.baseline.absolute())
    if getattr(options, "pre_commit", False) and changes["budget"] is None and config.budget is None:
        changes["budget"] = HOOK_SECONDS
    return replace(config, **{name: value for name, value in changes.items() if value is not None})


def _check(options: argparse.Namespace) -> int:
    start = in_time.started()
    workspace = _workspace()
    config = _config(options, workspace)
    if config.budget is not None:
        in_time.end_process_at(start + config.budget, start)
        # What reports are made with is loaded while there is time, and not when it is up.
    from clausefit.hook.session import Session

    cancel = threading.Event()
    obey_signals(cancel)
    use_cache, ask = not options.no_cache, not options.no_verifier
    wanted = _wanted(options)
    with Session(workspace, config, wanted, cancel, use_cache=use_cache, ask=ask, started=start) as session:
        report = session.check()
    _write(report, options, session.source_texts(report))
    for problem in session.problems:
        _say(problem, 0)
    return exit_status(report, config.fail_on, is_test=config.is_test, refused=session.refused())


def _wanted(options: argparse.Namespace) -> Wanted:
    from clausefit.hook.session import Wanted

    request: Request | HookFiles = Staged()
    if options.pre_commit:
        request = HookFiles(tuple(options.files))
    elif options.all:
        request = All()
    elif options.base is not None:
        request = Base(options.base)
    elif options.files:
        request = Files(tuple(Path(name) for name in options.files))
    return Wanted(request, tuple(options.junit or ()))


def exit_status(
    report: Report, fail_on: str, *, is_test: Callable[[str], bool] = lambda _path: False, refused: bool = False
) -> int:
    """1 for a finding at or above ``fail_on``, else 2 when broken input or the budget kept something from being judged
    (``reasons.causes``), else 0.

    ``refused``: a file that was named by hand was not even read.
    """
    if fail_on != "never":
        least = SEVERITIES.index(fail_on)
        if any(SEVERITIES.index(finding.severity) >= least for finding in report.findings):
            return FINDINGS
    from clausefit.hook.reports.reasons import causes

    return NOT_CHECKED if refused or causes(report, is_test) else CLEAN


def _write(report: Report, options: argparse.Namespace, sources: Mapping[str, str]) -> None:
    from clausefit.hook.reports import REPORTERS, sarif_report, text_report
    from rich.console import Console

    if options.format == "text":
        # In a file it looks as it does when it is piped.
        page = io.StringIO()
        whole = Console(file=page, color_system=None, force_terminal=False)
        console = Console() if options.output is None else whole
        limit = None if options.verbose else text_report.DEFAULT_LIMIT
        text_report.render(
            report, console, sources=sources, limit=limit, looked_at=_looked_at(options), renew=_renewing(options)
        )
        if options.output is None:
            return
        text = page.getvalue()
    elif options.format == "sarif":
        text = sarif_report.to_sarif(report, _folder_in_repository())
    else:
        text = REPORTERS[options.format](report)
    if options.output is None:
        sys.stdout.write(text)
    else:
        _write_to(options.output, text, "report")


def _folder_in_repository() -> str:
    """Where the workspace lies below the top of its repository; empty at the top, and outside of git."""
    workspace = _workspace()
    try:
        below = workspace.relative_to(Git(workspace).top()).as_posix()
    except NotARepository:
        return ""
    return "" if below == "." else below


def _renewing(options: argparse.Namespace) -> str:
    """The command that writes the baseline of this run anew."""
    given = f" --output {shlex.quote(str(options.baseline))}" if options.baseline is not None else ""
    return f"clausefit baseline{given}"


def _looked_at(options: argparse.Namespace) -> str:
    """What was searched for contracts, as part of a sentence."""
    if options.all:
        return "the project"
    if options.base is not None:
        return f"what HEAD changes against its merge base with {options.base}"
    if options.pre_commit:
        return "the changes of the files that pre-commit names"
    return "the files that were named" if options.files else "what is staged"


def _write_to(target: Path, text: str, what: str) -> None:
    try:
        _write_whole(target, text)
    except OSError as problem:
        raise UsageProblem(f"the {what} cannot be written to {target}: {problem.strerror}") from problem


def _write_whole(target: Path, text: str) -> None:
    """Write a report; into a file only as a whole, so that a full disk leaves no half one. Raises OSError."""
    if target.exists() and not target.is_file():  # a device or a pipe is written to, and never replaced
        target.write_text(text, encoding="utf-8")
        return
    target = target.resolve()  # a link stays a link
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(target)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def _baseline(options: argparse.Namespace) -> int:
    """Exit status: 0 written; 2 written, but broken input kept something from being judged."""
    workspace = _workspace()
    config = _config(options, workspace)
    from clausefit.hook import baseline, baseline_file
    from clausefit.hook.session import Session, Wanted

    target = options.output or workspace / (config.baseline or baseline.DEFAULT_NAME)
    there = target.exists() or target.is_symlink()
    old = baseline_file.entries(str(target.absolute()), workspace) if there else ()
    wanted = Wanted(All(), tuple(options.junit or ()))
    cancel = threading.Event()
    obey_signals(cancel)
    with Session(workspace, replace(config, baseline=None, budget=None), wanted, cancel, use_cache=True) as session:
        report = session.check()
    new = baseline.renewed(report, old)
    _write_to(target, baseline.write(new), "baseline")
    for line in baseline.what_changed(report, old, new, str(target)):
        print(line)
    for problem in session.problems:
        _say(problem, 0)
    return exit_status(report, "never", is_test=config.is_test)


def _stubs(options: argparse.Namespace) -> int:
    workspace = _workspace()
    from clausefit.hook.session import Session

    config = replace(_config(options, workspace), budget=None)
    with Session(workspace, config, _wanted(options), threading.Event(), use_cache=False) as session:
        sys.stdout.write(session.stubs())
    return CLEAN


def _record(options: argparse.Namespace) -> int:
    workspace = _workspace()
    config = _config(options, workspace)
    from clausefit.hook.record.session import Options, record_project

    command = options.cmd[1:] if options.cmd[:1] == ["--"] else options.cmd
    wanted = Options(tuple(command), Path.cwd(), tuple(options.junit or ()), options.limit)
    return record_project(workspace, config, wanted)


def _pins(options: argparse.Namespace) -> int:
    from clausefit.hook.record import pins_command

    def show(text: str) -> None:
        # The terminal's own encoding may lack letters of a recorded string.
        encoding = sys.stdout.encoding or "ascii"
        print(text.encode(encoding, "backslashreplace").decode(encoding))

    workspace = _workspace()
    asked = pins_command.Asked(options.action, options.wanted, _config(options, workspace).record)
    return pins_command.run(workspace, asked, show, _warn)


def _explain(options: argparse.Namespace) -> int:
    if options.code is None:
        for rule in rules.RULES.values():
            print(f"{rule.code}  {rule.severity:<8} {rule.name:<38} {rule.summary}")
        return CLEAN
    print(rules.explain(options.code))
    return CLEAN if rules.find(options.code) else NOT_CHECKED


def _doctor(_options: argparse.Namespace) -> int:
    from clausefit.hook import doctor
    from clausefit.verifiers import cache, process

    environment = doctor.Environment(dict(os.environ), Path.home(), cache.default_folder(), _workspace())
    checks = doctor.diagnose(process.run, environment)
    sys.stdout.write(doctor.as_text(checks))
    return doctor.exit_status(checks)


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "check": _check,
    "baseline": _baseline,
    "stubs": _stubs,
    "record": _record,
    "pins": _pins,
    "explain": _explain,
    "doctor": _doctor,
}
