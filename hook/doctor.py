"""What is installed, whether it works, and what to do where it does not (``clausefit doctor``).

Who writes C needs nothing for Java, and the other way round: what is missing for a language is an error where the
workspace has sources in it, and a note elsewhere.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import get_args

from clausefit.hook import config
from clausefit.hook.doctor_c import checks_of_c
from clausefit.hook.doctor_checks import Asker, Check, Environment, Language, Run, State, safe, versioned
from clausefit.hook.doctor_java import checks_of_java
from clausefit.hook.doctor_record import check_of_gdb, check_of_jdi
from clausefit.hook.git import Git, GitProblem
from clausefit.hook.snapshots import WorkingTreeSnapshot
from clausefit.hook.vain_settings import unread_file

__all__ = ["Check", "Environment", "Run", "State", "as_text", "diagnose", "exit_status"]

LEAST_PYTHON = (3, 11)
_JAVA_SUFFIXES = (".java", ".jml")
_FILES_LOOKED_AT = 50_000
"""Outside of a repository the workspace is whatever folder one is in, perhaps a whole disk."""


def diagnose(run: Run, environment: Environment) -> tuple[Check, ...]:
    """All checks, in the order in which things build on one another.

    A check that has no sense because an earlier one failed is left out. Raises OSError when no temporary
    folder can be made.
    """
    settings, config_check = _config(environment.workspace)
    with tempfile.TemporaryDirectory(prefix="clausefit-doctor-") as name:
        ask = Asker(run, Path(name), environment)
        git = versioned(ask("git", "--version"), "git", "apt-get install git")
        tools = [*checks_of_c(ask, environment), check_of_gdb(ask)]
        tools += [*checks_of_java(ask, environment, settings), check_of_jdi(ask)]
    wanted = languages_of(_files(environment.workspace, has_git=git.state == "ok"), settings) or _usable(tools)
    return (
        _python(environment.python),
        git,
        *(check if check.language in wanted else _not_wanted(check) for check in tools),
        _cache(environment.cache_folder),
        config_check,
    )


def exit_status(checks: Sequence[Check]) -> int:
    """0 when everything that is needed is there and works (warnings and notes allowed), else 2."""
    return 2 if any(check.failed for check in checks) else 0


def as_text(checks: Sequence[Check]) -> str:
    """The checks as a plain table, each with what to do under it, and one closing line."""
    width = max((len(check.name) for check in checks), default=0)
    lines = []
    for check in checks:
        lines.append(f"{check.state:<8} {check.name:<{width}}  {check.found}".rstrip())
        if check.todo:
            lines.append(f"{'':<8} {'':<{width}}  -> {check.todo}")
    bad = sum(check.failed for check in checks)
    ready = [one for one in get_args(Language) if not any(_lacks(check, one) for check in checks)]
    in_languages = f" in {' and '.join(ready)}" if ready else ""
    lines.append(
        f"Ready to judge contracts{in_languages}." if bad == 0 else f"Not ready: {bad} of {len(checks)} checks failed."
    )
    return "\n".join(lines) + "\n"


def languages_of(paths: Iterable[str], settings: config.Config) -> frozenset[Language]:
    """The languages of the sources among ``paths``."""
    found: set[Language] = set()
    for path in paths:
        language: Language = "Java" if PurePosixPath(path).suffix in _JAVA_SUFFIXES else "C"
        if language not in found and settings.is_source(path):
            found.add(language)
        if len(found) == len(get_args(Language)):
            break
    return frozenset(found)


def _usable(tools: Sequence[Check]) -> frozenset[Language]:
    """The languages for which all is there, where no source says what is wanted; all when there is none."""
    languages: frozenset[Language] = frozenset(get_args(Language))
    return frozenset(one for one in languages if not any(_lacks(check, one) for check in tools)) or languages


def _lacks(check: Check, language: Language) -> bool:
    return check.language == language and check.needed and check.state not in ("ok", "warn")


def _not_wanted(check: Check) -> Check:
    """The check of a tool for a language in which the workspace has nothing."""
    if check.state == "ok":
        return check
    todo = f"only for {check.language}: {check.todo}" if check.todo else ""
    return replace(check, state="note", todo=todo)


def _files(workspace: Path, *, has_git: bool) -> Iterable[str]:
    """The files of the workspace: those that git does not ignore, outside of a repository the first that are found."""
    if has_git:
        try:
            git = Git(workspace)
            git.top()
            return WorkingTreeSnapshot(workspace, git).list()
        except GitProblem:
            pass  # Not a repository, or one that git refuses: then the folders themselves.
    return islice(_walk(workspace), _FILES_LOOKED_AT)


def _walk(workspace: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(workspace):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            yield (Path(folder) / name).relative_to(workspace).as_posix()


def _python(version: tuple[int, ...]) -> Check:
    found = ".".join(map(str, version))
    if version[:2] >= LEAST_PYTHON:
        return Check("python", "ok", found)
    least = ".".join(map(str, LEAST_PYTHON))
    return Check("python", "broken", found, f"use Python {least} or newer")


def _cache(folder: Path | None) -> Check:
    if folder is None:
        return Check("cache folder", "warn", "switched off", "every question is asked again in every run", needed=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        todo = "make it writable, or name another folder (XDG_CACHE_HOME)"
        return Check("cache folder", "warn", f"{safe(str(folder))}: {error.strerror}", todo, needed=False)
    return Check("cache folder", "ok", safe(str(folder)), needed=False)


def _config(workspace: Path) -> tuple[config.Config, Check]:
    """The settings (the defaults where the file is broken), and what is to be said of the file."""
    try:
        settings = config.load(workspace)
    except config.ConfigProblem as problem:
        return config.Config(), Check("config file", "broken", safe(str(problem)), f"correct {config.FILE_NAME}")
    unread = unread_file(workspace, workspace)
    if unread is not None:
        what, _, todo = unread.partition(": ")
        return settings, Check("config file", "warn", safe(what), safe(todo), needed=False)
    there = (workspace / config.FILE_NAME).exists()
    found = safe(config.FILE_NAME) if there else f"no {config.FILE_NAME}: defaults"
    return settings, Check("config file", "ok", found)
