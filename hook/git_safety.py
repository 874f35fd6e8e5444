"""What keeps git from following a repository that it should not, and from starting what a repository names.

The files of a change are hostile, the folder ``.git`` is not: git tracks no file of that name, so no change brings
one. But git also takes a folder that holds HEAD, objects and refs for a repository, with a ``config`` of its own; those
are ordinary names, and such a folder is refused.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

_LONGEST_NAME = 8192
# What git itself sets for its hooks, and what says where a repository is and whom it trusts. GIT_INDEX_FILE
# matters most: in `git commit -a` and `git commit FILE` the index to look at is a temporary one (githooks(5)).
_KEPT = frozenset(
    {
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_COMMON_DIR",
        "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_QUARANTINE_PATH",
        "GIT_NAMESPACE",
        "GIT_CEILING_DIRECTORIES",
        "GIT_DISCOVERY_ACROSS_FILESYSTEM",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_SYSTEM",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_CONFIG_PARAMETERS",
        "GIT_CONFIG_COUNT",
        "XDG_CONFIG_HOME",
    }
)
_KEPT_PREFIXES = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_")
_PATH_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY")

SAFE_SETTINGS = (
    # git-config(1): a repository that is not in a .git counts only where GIT_DIR names it (git from 2.38 on).
    "safe.bareRepository=explicit",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "submodule.recurse=false",
)
"""What keeps the settings of a repository from starting a program; also for who fetches."""


def git_environment(variables: Mapping[str, str], folder: Path) -> dict[str, str]:
    """What of ``variables`` git may see, with relative paths made absolute below ``folder``."""
    environment = {name: value for name, value in variables.items() if name in _KEPT or name.startswith(_KEPT_PREFIXES)}
    for name in _PATH_VARIABLES:
        if name in environment:
            environment[name] = str(folder / environment[name])
    # Without it git would take the folder it is started in for the top of the work tree (git(1), GIT_DIR).
    if "GIT_DIR" in environment and "GIT_WORK_TREE" not in environment:
        environment["GIT_WORK_TREE"] = str(folder)
    # gitreplace: an object that stands for another would be judged in its place.
    environment.update(GIT_OPTIONAL_LOCKS="0", GIT_TERMINAL_PROMPT="0", GIT_NO_REPLACE_OBJECTS="1")
    return environment


def is_git_folder_of(folder: Path, top: Path, workspace: Path) -> bool:
    """Whether ``folder`` is what ``top``, which is around ``workspace``, has as ``.git``.

    That is a folder, or a file that names one (gitrepository-layout(5): work trees and submodules).
    """
    if not workspace.is_relative_to(top):
        return False
    own = top / ".git"
    try:
        if own.is_file():
            with own.open("rb") as file:
                head, _, named = file.read(_LONGEST_NAME).partition(b"gitdir: ")
            own = top / os.fsdecode(named.rstrip(b"\r\n")) if not head else own
        return folder.resolve() == own.resolve()
    except (OSError, ValueError, RuntimeError):  # RuntimeError: a loop of links
        return False
