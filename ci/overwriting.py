"""Which files a run may write over: what the repository tracks stays, but for a report that was committed."""

from __future__ import annotations

import json
import stat
from collections.abc import Mapping
from pathlib import Path

from clausefit.ci.repository import tracked_files
from clausefit.ci.settings import Settings, SettingsProblem
from clausefit.hook.reports.json_reader import MAX_BYTES
from clausefit.hook.visible import visible


def refuse_to_overwrite(settings: Settings, variables: Mapping[str, str]) -> None:
    """Raises SettingsProblem where the inputs ``sarif`` or ``report`` name a file of the project, and GitProblem as
    ``repository`` does.

    A folder on the way that is a link out of the workspace is left to ``write_file``, which writes nothing there.
    """
    workspace = settings.workspace.resolve()
    for name, path in (("sarif", settings.sarif), ("report", settings.report)):
        place = _place(settings.workspace / path)
        if place is None or not place.is_relative_to(workspace):
            continue
        if _is_tracked(place, workspace, settings, variables) and not _is_report(place):
            raise SettingsProblem(
                f"input {name}: {visible(path)} is a file of the repository and no report, so it is not written over: "
                "name another"
            )


def _place(path: Path) -> Path | None:
    """Where a file of this name is written: in its folder with links followed, as a link itself is replaced."""
    try:
        return path.parent.resolve() / path.name
    except (OSError, RuntimeError):  # RuntimeError: a loop of links
        return None


def _is_tracked(place: Path, workspace: Path, settings: Settings, variables: Mapping[str, str]) -> bool:
    if not place.is_symlink() and not place.is_file():
        return False
    folders = [one for one in place.parents if one.is_relative_to(workspace)]
    for names, top in tracked_files(folders, settings, variables):
        if place.is_relative_to(top) and place.relative_to(top).as_posix().encode("utf-8", "surrogateescape") in names:
            return True
    return False


def _is_report(place: Path) -> bool:
    """Whether the file is a report of ours or a SARIF log (SARIF 2.1.0, 3.13: ``version`` and ``runs``)."""
    try:
        if not stat.S_ISREG(place.lstat().st_mode):
            return False
        with place.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        held = json.loads(content) if len(content) <= MAX_BYTES else None
    except (OSError, ValueError, RecursionError):
        return False
    if not isinstance(held, dict):
        return False
    is_ours = str(held.get("schema", "")).startswith("clausefit-report/")
    return is_ours or ("version" in held and isinstance(held.get("runs"), list))
