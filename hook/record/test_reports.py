"""The files that say how tests ended: JUnit XML that was written during a run, and CMake's lists of its tests."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

_USUAL_FOLDERS = frozenset({"surefire-reports", "failsafe-reports", "test-results"})
"""Where Maven (Surefire, Failsafe) and Gradle write their reports, ``TEST-*.xml``."""
_PASSED_OVER = frozenset({"node_modules", "classes", "test-classes"})
CTEST_FILE = "CTestTestfile.cmake"
_CLOCK_SECONDS = 2.0
"""The coarsest time stamps of files (FAT)."""
_MOST_FILES = 2000
_LARGEST = 8 * 1024 * 1024
_INCLUDED = re.compile(r'^\s*include\("(/[^"\\\n$]+\.cmake)"\)', re.MULTILINE)
"""What ``gtest_discover_tests`` writes; CMake takes the brackets of such names as they are."""
_SUBFOLDER = re.compile(r'^\s*subdirs\(\s*"?([^"()\n]+?)"?\s*\)', re.MULTILINE)

_Stamp = tuple[int, int, int]


class Reports:
    """Test reports as they were when this was made: what is new or written again since then counts.

    ``find`` gives the files that there are; ``now`` is the time (seconds since the epoch).
    """

    def __init__(self, find: Callable[[], Iterable[Path]], now: float) -> None:
        self._find = find
        self._since = (now - _CLOCK_SECONDS) * 1e9
        self._before = self._stamps()

    def written(self) -> list[Path]:
        """The reports of this run, sorted: neither those from before, nor old ones that were copied there."""
        now = self._stamps()
        return sorted(p for p, stamp in now.items() if self._before.get(p) != stamp and stamp[0] >= self._since)

    def _stamps(self) -> dict[Path, _Stamp]:
        found: dict[Path, _Stamp] = {}
        for path in self._find():
            try:
                status = path.stat()
            except OSError:  # removed meanwhile, or a link to nothing: no report
                continue
            found[path] = status.st_mtime_ns, status.st_ino, status.st_size
        return found


def usual_reports(workspace: Path) -> Iterator[Path]:
    """The reports that Maven and Gradle write where nobody says otherwise."""
    for folder, folders, names in os.walk(workspace):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in _PASSED_OVER]
        if not _USUAL_FOLDERS.isdisjoint(Path(folder).parts[-2:]):
            yield from (Path(folder, name) for name in names if name.startswith("TEST-") and name.endswith(".xml"))


def matching(pattern: str, folder: Path) -> Iterator[Path]:
    """The files of a glob, relative to ``folder`` or absolute."""
    path = Path(pattern)
    below = path.relative_to(path.anchor) if path.anchor else path
    if below.parts:
        yield from (Path(path.anchor) if path.anchor else folder).glob(str(below))


def ctest_files(programs: Iterable[str]) -> list[str]:
    """The texts of the ``CTestTestfile.cmake`` files of the builds that these programs lie in."""
    texts: list[str] = []
    seen: set[Path] = set()
    for folder in dict.fromkeys(Path(program).parent for program in programs if program.startswith("/")):
        tops = [one for one in (folder, *folder.parents) if (one / CTEST_FILE).is_file()]
        waiting = tops[-1:]
        while waiting and len(seen) < _MOST_FILES:
            here = waiting.pop()
            if here in seen:
                continue
            seen.add(here)
            text = _text(here / CTEST_FILE)
            texts += [text, *_included(text)]
            waiting += [Path(os.path.normpath(here / name)) for name in _SUBFOLDER.findall(text)]
    return texts


def _included(text: str) -> list[str]:
    """The texts of files that one of these lists includes, and of those that they do."""
    texts: list[str] = []
    waiting = _INCLUDED.findall(text)
    seen: set[str] = set()
    while waiting and len(seen) < _MOST_FILES:
        path = waiting.pop(0)
        if path not in seen:
            seen.add(path)
            texts.append(_text(Path(path)))
            waiting += _INCLUDED.findall(texts[-1])
    return texts


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST).decode("utf-8", "replace")
    except OSError:  # a folder that CMake names and did not make holds no tests
        return ""
