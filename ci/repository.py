"""Opens the repository that is judged: the one of the checkout, and none that a change brings along."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from clausefit.ci.settings import Settings
from clausefit.hook.git import Git, GitProblem, NotARepository
from clausefit.hook.visible import visible


def repository(folder: Path, settings: Settings, variables: Mapping[str, str]) -> Git | None:
    """The repository around ``folder``, a folder below the workspace; None where there is none.

    Raises GitProblem where its top is not the workspace or a folder between the two, or where it takes settings from a
    file of its work tree (``include.path``): a change could bring those, and they name programs.
    """
    try:
        git = Git(folder, variables, folder)
    except NotARepository:
        return None
    top, workspace = git.top(), settings.workspace.resolve()
    if not top.is_relative_to(workspace):
        raise GitProblem(
            f"the repository of {visible(str(folder))} is {visible(str(top))}, which is not below the workspace: put "
            "actions/checkout before this step"
        )
    own = git.own_folder().resolve()
    for path in git.settings_files():
        real = path.resolve()
        if real.is_relative_to(workspace) and not real.is_relative_to(own):
            raise GitProblem(
                f"git takes settings from {visible(str(path))}, a file in the workspace that a change could bring: "
                "take it out of include.path of .git/config"
            )
    return git


def tracked_files(
    folders: list[Path], settings: Settings, variables: Mapping[str, str]
) -> Iterator[tuple[frozenset[bytes], Path]]:
    """What each of the repositories around the folders tracks, with its top. Raises GitProblem as ``repository``."""
    seen: set[Path] = set()
    for folder in folders:
        opened = repository(folder, settings, variables) if folder.is_dir() else None
        top = opened.top() if opened is not None else None
        whole = repository(top, settings, variables) if top is not None and top not in seen else None
        if top is not None and whole is not None:
            seen.add(top)
            yield frozenset(whole.index()), top
