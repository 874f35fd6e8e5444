"""What to check when pre-commit starts us (.pre-commit-hooks.yaml says when it does)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from clausefit.hook.changes import Base, Changes, Files, Staged, changes, is_source_file, whole
from clausefit.hook.snapshots import MAX_FILE_BYTES


@dataclass(frozen=True)
class HookFiles:
    """The files that pre-commit names on the command line; what of them is judged, ``hook_changes`` finds out."""

    names: tuple[str, ...]


FROM_REF, TO_REF = "PRE_COMMIT_FROM_REF", "PRE_COMMIT_TO_REF"


def hook_changes(
    files: Sequence[str],
    workspace: Path,
    *,
    wanted: Callable[[str], bool] = is_source_file,
    max_bytes: int = MAX_FILE_BYTES,
    variables: Mapping[str, str] | None = None,
) -> Changes:
    """The changes to judge, of the ``files`` that pre-commit names (relative to ``workspace``, the top folder).

    - ``git commit``: the files are staged ones; what is staged in them against HEAD;
    - ``pre-commit run --from-ref A --to-ref B``, and pre-push: what B changes in them against its merge base with A;
    - ``pre-commit run --all-files`` or ``--files``: a file that is named although nothing is staged in it is
      asked for by name, and is judged whole.

    Raises GitProblem.
    """
    given = {name for name in files if wanted(name)}
    environment = os.environ if variables is None else variables
    start, end = environment.get(FROM_REF), environment.get(TO_REF)

    def ask(request: Staged | Base | Files) -> Changes:
        return changes(
            request,
            workspace,
            wanted=given.__contains__,
            max_bytes=max_bytes,
            variables=environment,
            folder=workspace,
        )

    if start and end:
        return ask(Base(start, end))
    staged = ask(Staged())
    known = {file.path for file in staged.files} | {entry.file for entry in staged.not_checked}
    rest = given - known
    if not rest:
        return staged
    if not known:
        return ask(Files(tuple(Path(name) for name in sorted(rest))))
    # Some are staged, some are not: all of them as they are in the index, so that they fit together.
    named = whole(rest, staged.snapshot)
    files_of_both = tuple(sorted((*staged.files, *named.files), key=lambda file: file.path))
    return replace(staged, files=files_of_both, not_checked=(*staged.not_checked, *named.not_checked))
