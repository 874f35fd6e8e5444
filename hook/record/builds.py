"""Whether what ran was built before its source was last changed: then its calls are none of the source's."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path, PurePosixPath

from clausefit.hook.record.watched import RecordedCall, WatchedMethod
from clausefit.hook.visible import visible

_PASSED_OVER = frozenset({"node_modules", ".git", ".clausefit"})


class Builds:
    """The build results of a workspace, by the times at which they were written.

    Which library a function came from is not known, so all in the workspace count: a source must be newer than all of
    them to be called newer.
    """

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace

    def outdated(self, call: RecordedCall) -> str | None:
        """Why a call does not count, as a sentence for people; None where the program may be that of the source."""
        watched = call.watched
        changed = _time(self._workspace / watched.file)
        if isinstance(watched, WatchedMethod):
            built = self._classes.get(f"{watched.class_name.rpartition('.')[2]}.class")
            what = "its class"
        else:
            program = _time(Path(call.program)) if call.program.startswith("/") else None
            built = None if program is None else max(program, self._newest_library)
            what = visible(PurePosixPath(call.program).name)
        if changed is None or built is None or changed <= built:
            return None
        return f"{what} was built before {visible(watched.file)} was last changed: build it, and record again"

    @cached_property
    def _found(self) -> tuple[int, dict[str, int]]:
        """When the newest shared library was written, and by file name when the newest class file was."""
        library = 0
        classes: dict[str, int] = {}
        for folder, folders, names in os.walk(self._workspace):
            folders[:] = [name for name in folders if name not in _PASSED_OVER]
            for name in names:
                if name.endswith(".class"):
                    classes[name] = max(classes.get(name, 0), _time(Path(folder, name)) or 0)
                elif name.endswith(".so") or ".so." in name:
                    library = max(library, _time(Path(folder, name)) or 0)
        return library, classes

    @property
    def _newest_library(self) -> int:
        return self._found[0]

    @property
    def _classes(self) -> dict[str, int]:
        return self._found[1]


def _time(path: Path) -> int | None:
    """When a file was last written, in nanoseconds; None where there is none."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None
