"""The folder of the input ``cache``: verdicts that lie there are believed, unless a change could have brought them."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

from clausefit.ci.repository import tracked_files
from clausefit.ci.settings import Settings, SettingsProblem
from clausefit.hook.git import Git


def verdicts_folder(
    settings: Settings, git: Git | None, variables: Mapping[str, str]
) -> tuple[Path | None, tuple[str, ...]]:
    """The folder for verdicts, made where it is not there (None: the input is empty), and why none are believed.

    ``git`` is the repository that is judged. Raises SettingsProblem, GitProblem.
    """
    if not settings.cache:
        return None, ()
    folder = inside(settings, settings.cache, "cache")
    why = _why_not(settings, git, variables)
    if why:
        return folder, (f"{settings.cache} {why}, so verdicts that lie there are not believed",)
    # In a container it is root's, and the step that keeps it is not. Where it cannot be made, the cache says why.
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return folder, ()


def inside(settings: Settings, name: str, what: str) -> Path:
    """The folder below the workspace that the input ``what`` names, links followed. Raises SettingsProblem."""
    try:
        folder = (settings.workspace / name).resolve()
        below = folder.is_relative_to(settings.workspace.resolve())
    except (OSError, RuntimeError) as problem:  # RuntimeError: a loop of links
        raise SettingsProblem(f"input {what}: {name} cannot be opened: {problem}") from problem
    if not below:
        raise SettingsProblem(f"input {what}: {name} is a link out of the workspace")
    return folder


def _why_not(settings: Settings, git: Git | None, variables: Mapping[str, str]) -> str:
    """Why a change could have put files into the folder, as part of a sentence; "" where it could not."""
    if git is None:  # who checks out without git leaves files of which nobody knows whose they are
        return "may be part of the project, which is in no git repository"
    workspace = settings.workspace.resolve()
    folder = workspace / settings.cache
    way = [workspace, *(one for one in reversed((folder, *folder.parents)) if one.is_relative_to(workspace))]
    if any(one.is_symlink() for one in way):
        return "is reached by a link"
    for index, top in tracked_files([git.workspace, *way], settings, variables):
        if not folder.is_relative_to(top):
            continue
        name = folder.relative_to(top).as_posix().encode("utf-8", "surrogateescape")
        # A file that is tracked on the way is one that stands where a folder should, or a submodule.
        if any(name == b"." or one.startswith(name + b"/") or (name + b"/").startswith(one + b"/") for one in index):
            return "is in the repository"
    return ""
