"""Lines that keep a run from looking better than it is: what a change does to what is judged, and what is not shown."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from clausefit.ci.annotations import counted
from clausefit.ci.settings import Settings, SettingsProblem
from clausefit.hook.changes import JAVA_SUFFIXES, SUFFIXES, Base, ChangedFile
from clausefit.hook.config import FILE_NAME, Config
from clausefit.hook.contracts.c import decode, read_c
from clausefit.hook.contracts.java import read_java
from clausefit.hook.contracts.model import SourceContracts
from clausefit.hook.git import Git
from clausefit.hook.report import Report
from clausefit.hook.snapshots import WorkingTreeSnapshot
from clausefit.hook.visible import visible_name

_MOST_NAMED = 5


def edited(git: Git, change: Base, project: Path, config: Config) -> tuple[str, ...]:
    """Whether the change edits the settings file or the baseline, by which it is judged itself."""
    names = [FILE_NAME, *([config.baseline] if config.baseline else [])]
    touched = {path for one in git.between(change.revision, change.head) for path in (one.path, one.old_path)}
    found = [name for name in dict.fromkeys(names) if touched & {name.encode(), _target(project, name).encode()}]
    if not found:
        return ()
    shown = " and ".join(visible_name(name) for name in found)
    return (f"this change edits {shown}, by which it is judged: look at that as well",)


def _target(project: Path, name: str) -> str:
    """What ``name`` leads to where it is a link, relative to the project; itself elsewhere."""
    try:
        real = (project / name).resolve()
        return real.relative_to(project.resolve()).as_posix()
    except (OSError, RuntimeError, ValueError):  # a loop of links; out of the project
        return name


def hidden(report: Report) -> tuple[str, ...]:
    """How many findings are not shown because a comment or the settings say so."""
    by = [
        *([f"{report.suppressed} by comments (`clausefit: ignore`)"] if report.suppressed else []),
        *([f"{report.ignored} by `ignore` of {FILE_NAME}"] if report.ignored else []),
    ]
    number = report.suppressed + report.ignored
    return (f"{counted(number, 'finding')} {'is' if number == 1 else 'are'} hidden: {', '.join(by)}",) if by else ()


def removed(files: Iterable[ChangedFile], config: Config) -> tuple[str, ...]:
    """Which functions have lost their whole contract: nothing of it is left to be judged."""
    gone: dict[str, str] = {}
    now: set[str] = set()
    bare: set[str] = set()
    for file in files:
        if not config.is_source(file.path) and not config.is_source(file.old_path):
            continue
        if file.old_text is not None:
            gone |= {one.function: file.old_path for one in _source(file.old_text, file.old_path).contracts}
        source = _source(file.new_text, file.path)
        now |= {one.function for one in source.contracts}
        bare |= {one.function for one in source.bare}
    lost = [
        f"{visible_name(function)} ({visible_name(gone[function])})" for function in sorted(gone.keys() & bare - now)
    ]
    if not lost:
        return ()
    more = f" and {len(lost) - _MOST_NAMED} more" if len(lost) > _MOST_NAMED else ""
    verb = "was" if len(lost) == 1 else "were"
    return (f"{counted(len(lost), 'contract')} {verb} removed: {', '.join(lost[:_MOST_NAMED])}{more}",)


def _source(text: bytes, path: str) -> SourceContracts:
    read = read_java if PurePosixPath(path).suffix in JAVA_SUFFIXES else read_c
    return read(decode(text), path)


def sources_of(project: Path, git: Git | None, settings: Settings, config: Config) -> int:
    """How many source files an audit of everything would read. Raises SettingsProblem where there is none.

    Without a checkout, or in the wrong folder, nothing would be judged for ever, and that look like a pass.
    """
    listed = WorkingTreeSnapshot(project, git).list()
    number = sum(PurePosixPath(path).suffix in SUFFIXES and config.is_source(path) for path in listed)
    if number:
        return number
    where = f"there is no source file to judge in {visible_name(settings.working_directory)}"
    if git is None or git.head() is None:
        raise SettingsProblem(f"{where}, and no commit is checked out: put actions/checkout before this step")
    raise SettingsProblem(f"{where}: correct the input working-directory, or sources and exclude of {FILE_NAME}")


def unjudged(report: Report, sources: int) -> tuple[str, ...]:
    """That an audit of everything found no contract in so many source files."""
    if report.contracts or report.findings:
        return ()
    return (f"warning: no contract was judged in {counted(sources, 'source file')}: is this the folder that you mean?",)
