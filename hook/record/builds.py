"""Whether what ran was built before its source was last changed: then its calls are none of the source's."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath

from clausefit.hook.record.watched import ClassOrigin, RecordedCall, WatchedMethod
from clausefit.hook.visible import visible

_MOST_BYTES = 16 * 1024 * 1024
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_PACKAGE = re.compile(r"\bpackage\s+([\w\s.$]+?)\s*;")
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
        self._twins: dict[str, list[str]] = {}

    def outdated(self, call: RecordedCall) -> str | None:
        """Why a call does not count, as a sentence for people; None where the program may be that of the source."""
        watched = call.watched
        if isinstance(watched, WatchedMethod):
            return self._outdated_class(watched, call.origin)
        program = _time(Path(call.program)) if call.program.startswith("/") else None
        built = None if program is None else max(program, self._newest_library)
        for file in (watched.file, *self._includes.get(watched.file, ())):
            if self._is_newer(file, built):
                return _sentence(visible(PurePosixPath(call.program).name), file)
        return None

    def _outdated_class(self, watched: WatchedMethod, origin: ClassOrigin | None) -> str | None:
        if origin is None or not origin.path:
            return f"which file class {visible(watched.class_name)} was loaded from is not known"
        for name, file in ((watched.class_name, watched.file), (origin.name, None)):
            twins = self._declaring(name, file)
            if len(twins) > 1:
                told = ", ".join(map(visible, twins[:3]))
                return f"which of the sources of class {visible(name)} ran is not certain ({told})"
        path = Path(origin.path)
        own = self._class_of(path, origin)
        if own is None:
            return (
                f"its class was loaded from {visible(path.name)}, and no class file of the workspace is equal to it: "
                "build it, and put the folder of its classes on the class path"
            )
        if self._is_newer(watched.file, own):
            return _sentence("its class", watched.file)
        # Which classes a call went through is not known: one that is older than its source is enough.
        return _sentence("a class", self._older_class) if self._older_class is not None else None

    def _class_of(self, path: Path, origin: ClassOrigin) -> int | None:
        """When the class file in the workspace that ran was written, also where a jar has it or another folder.

        When a jar was packed says nothing of the age of what is in it, and a folder elsewhere may be another version.
        """
        if path.suffix == ".class" and path.resolve().is_relative_to(self._workspace.resolve()):
            return _time(path)
        times = (
            _time(file)
            for file in self._found.files.get(f"{origin.name.rpartition('.')[2]}.class", ())
            if _digest(file) == origin.digest
        )
        return max((time for time in times if time is not None), default=None)

    def _declaring(self, class_name: str, file: str | None) -> list[str]:
        """The sources of a binary name: files that are called alike and are of its package."""
        if class_name not in self._twins:
            package, _, name = class_name.rpartition(".")
            top = PurePosixPath(file).name if file is not None else f"{name.split('$')[0]}.java"
            self._twins[class_name] = [
                one
                for one in self._sources
                if PurePosixPath(one).name == top and _package(self._workspace / one) in (package, None)
            ]
        return self._twins[class_name]

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
    def _found(self) -> _Found:
        found = _Found()
        for folder, folders, names in os.walk(self._workspace):
            folders[:] = [name for name in folders if name not in _PASSED_OVER]
            for name in names:
                if name.endswith(".class"):
                    found.classes[name] = max(found.classes.get(name, 0), _time(Path(folder, name)) or 0)
                    found.files.setdefault(name, []).append(Path(folder, name))
                elif name.endswith(".java"):
                    found.sources.append(Path(folder, name).relative_to(self._workspace).as_posix())
                elif name.endswith(".so") or ".so." in name:
                    found.library = max(found.library, _time(Path(folder, name)) or 0)
        found.sources.sort()
        return found

    @property
    def _newest_library(self) -> int:
        return self._found.library

    @property
    def _classes(self) -> dict[str, int]:
        return self._found.classes

    @property
    def _sources(self) -> list[str]:
        return self._found.sources


@dataclass
class _Found:
    """When the newest shared library was written, by file name when the newest class file was and all of them, and
    Java sources.
    """

    library: int = 0
    classes: dict[str, int] = field(default_factory=dict)
    files: dict[str, list[Path]] = field(default_factory=dict)
    sources: list[str] = field(default_factory=list)


def _sentence(built: str, source: str) -> str:
    return f"{built} was built before {visible(source)} was last changed: build it, and record again"


def _time(path: Path) -> int | None:
    """When a file was last written, in nanoseconds; None where there is none."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None


def _digest(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.sha256(file.read(_MOST_BYTES)).hexdigest()
    except OSError:
        return None


def _package(path: Path) -> str | None:
    """The package that a source says it is of; None where it cannot be read."""
    try:
        with path.open("rb") as file:
            text = _COMMENT.sub("", file.read(_MOST_BYTES).decode("utf-8", "replace"))
    except OSError:
        return None
    found = _PACKAGE.search(text)
    return "" if found is None else "".join(found[1].split())
