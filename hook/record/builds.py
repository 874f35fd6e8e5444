"""Whether what ran was built before its source was last changed: then its calls are none of the source's."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
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

    def __init__(self, workspace: Path, includes: Mapping[str, Sequence[str]] | None = None) -> None:
        """``includes`` are the workspace's headers that a C file includes."""
        self._workspace = workspace
        self._includes = includes or {}

    def outdated(self, call: RecordedCall) -> str | None:
        """Why a call does not count, as a sentence for people; None where the program may be that of the source."""
        watched = call.watched
        if isinstance(watched, WatchedMethod):
            built = self._classes.get(f"{watched.class_name.rpartition('.')[2]}.class")
            if self._is_newer(watched.file, built):
                return _sentence("its class", watched.file)
            # Which classes a call went through is not known: one that is older than its source is enough.
            return _sentence("a class", self._older_class) if self._older_class is not None else None
        program = _time(Path(call.program)) if call.program.startswith("/") else None
        built = None if program is None else max(program, self._newest_library)
        for file in (watched.file, *self._includes.get(watched.file, ())):
            if self._is_newer(file, built):
                return _sentence(visible(PurePosixPath(call.program).name), file)
        return None

    def _is_newer(self, file: str, built: int | None) -> bool:
        changed = _time(self._workspace / file)
        return changed is not None and built is not None and changed > built

    @cached_property
    def _older_class(self) -> str | None:
        """The first Java source that was changed after its class was built."""
        for file in self._sources:
            if self._is_newer(file, self._classes.get(f"{PurePosixPath(file).stem}.class")):
                return file
        return None

    @cached_property
    def _found(self) -> tuple[int, dict[str, int], list[str]]:
        """When the newest shared library was written, by file name when the newest class file was, and Java sources."""
        library = 0
        classes: dict[str, int] = {}
        sources: list[str] = []
        for folder, folders, names in os.walk(self._workspace):
            folders[:] = [name for name in folders if name not in _PASSED_OVER]
            for name in names:
                if name.endswith(".class"):
                    classes[name] = max(classes.get(name, 0), _time(Path(folder, name)) or 0)
                elif name.endswith(".java"):
                    sources.append(Path(folder, name).relative_to(self._workspace).as_posix())
                elif name.endswith(".so") or ".so." in name:
                    library = max(library, _time(Path(folder, name)) or 0)
        return library, classes, sorted(sources)

    @property
    def _newest_library(self) -> int:
        return self._found[0]

    @property
    def _classes(self) -> dict[str, int]:
        return self._found[1]

    @property
    def _sources(self) -> list[str]:
        return self._found[2]


def _sentence(built: str, source: str) -> str:
    return f"{built} was built before {visible(source)} was last changed: build it, and record again"


def _time(path: Path) -> int | None:
    """When a file was last written, in nanoseconds; None where there is none."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None
