"""File name patterns, as .gitignore has them: ``*`` stays within a folder, ``**`` crosses folders."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase


def matches(path: str, patterns: Iterable[str]) -> bool:
    """Whether any pattern matches the workspace-relative ``path``.

    A pattern without ``/`` matches the file's name in any folder; one that ends in ``/`` everything below that
    folder. The time is at most (folders of the path) x (parts of the pattern): no backtracking.
    """
    parts = path.split("/")
    return any(_match(parts, pattern) for pattern in patterns)


def _match(parts: list[str], pattern: str) -> bool:
    if "/" not in pattern:
        return fnmatchcase(parts[-1], pattern)
    wanted = pattern.removeprefix("/").split("/")
    if wanted[-1] == "":
        wanted[-1] = "**"
    # reached[n]: the pattern's parts so far can match the first n parts of the path.
    reached = [True] + [False] * len(parts)
    for one in wanted:
        if one == "**":
            for index, before in enumerate(reached[:-1]):
                reached[index + 1] = reached[index + 1] or before or reached[index]
        else:
            reached = [
                False,
                *(before and fnmatchcase(part, one) for before, part in zip(reached, parts, strict=False)),
            ]
    return reached[-1]
