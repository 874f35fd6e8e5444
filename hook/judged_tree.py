"""The judged state as a folder on the disk: the workspace itself, or a copy where the workspace differs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from clausefit.hook.changes import is_c_file
from clausefit.hook.snapshots import Snapshot, WorkingTreeSnapshot, write_out


class JudgedTree:
    """Decides at first use whether a copy is needed; the copy goes away with the context."""

    def __init__(self, snapshot: Snapshot, workspace: Path, cleanup: ExitStack) -> None:
        self._snapshot, self._workspace, self._cleanup = snapshot, workspace, cleanup
        self._folder: Path | None = None

    def folder(self) -> Path:
        """A folder whose C files are those of the snapshot. OSError when a copy cannot be written."""
        if self._folder is None:
            self._folder = self._workspace if self._is_same() else self._copy()
        return self._folder

    def _is_same(self) -> bool:
        if isinstance(self._snapshot, WorkingTreeSnapshot):
            return True
        disk = WorkingTreeSnapshot(self._workspace)
        paths = [path for path in self._snapshot.list() if is_c_file(path)]
        return self._snapshot.read_many(paths) == disk.read_many(paths)

    def _copy(self) -> Path:
        folder = Path(self._cleanup.enter_context(tempfile.TemporaryDirectory(prefix="clausefit-tree-"))).resolve()
        write_out(self._snapshot, (path for path in self._snapshot.list() if is_c_file(path)), folder)
        return folder


@contextmanager
def judged_tree(snapshot: Snapshot, workspace: Path) -> Iterator[JudgedTree]:
    """A JudgedTree for the time of one run."""
    with ExitStack() as cleanup:
        yield JudgedTree(snapshot, workspace, cleanup)
