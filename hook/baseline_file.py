"""The baseline's file on the disk: read within bounds, for a run that judges."""

from __future__ import annotations

import os
from pathlib import Path

from clausefit.hook import baseline
from clausefit.hook.report import BaselineEntry
from clausefit.hook.snapshots import WorkingTreeSnapshot


def entries(path: str, workspace: Path) -> tuple[BaselineEntry, ...]:
    """The entries of the baseline at ``path``: absolute, or below ``workspace`` and then never followed out of it.

    Raises BaselineProblem when it is not there, or is none.
    """
    folder, name = workspace, path
    if Path(path).is_absolute():  # named by hand: a link may lead anywhere
        real = Path(path).resolve()
        folder, name = real.parent, real.name
    snapshot = WorkingTreeSnapshot(folder, max_bytes=baseline.MAX_BYTES)
    content = snapshot.read(name)
    if content is None:
        is_there = os.path.lexists(workspace / path)  # a link that leads nowhere is
        raise baseline.problem(path, f"the file {snapshot.refusal(name) or 'cannot be read'}", is_there=is_there)
    return baseline.read(content, path)
