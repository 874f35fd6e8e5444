"""Which file of the workspace a stack frame is in. Pure: the list of files and their texts are passed in."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from functools import cache

_JVM_ENDINGS = (".java", ".kt", ".groovy", ".scala")
_STANDING_IN = re.compile(r"mock|fake|stub|(?<![a-z])(?:tests?|specs?)(?![a-z])", re.IGNORECASE)
_MOST_BESIDE = 400
"""In a folder of more files than this no class is looked for in a file of another name."""


class TestFiles:
    """Finds files by what debug information and class names say of them.

    ``workspace`` is the absolute path (or several, where links lead to it) that debug information may begin with,
    ``paths`` are all files relative to it, ``is_test`` tells which are tests, ``text`` gives the text of one ("" where
    it cannot be read), ``is_source`` which are those that contracts are looked for in.
    """

    __test__ = False

    def __init__(
        self,
        workspace: Iterable[str],
        paths: Iterable[str],
        is_test: Callable[[str], bool],
        text: Callable[[str], str],
        is_source: Callable[[str], bool] = lambda _path: True,
    ) -> None:
        self._tops = tuple(workspace)
        self._paths = frozenset(paths)
        self._by_name: dict[str, list[str]] = {}
        self._by_folder: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            folder, _, name = path.rpartition("/")
            self._by_name.setdefault(name, []).append(path)
            self._by_folder.setdefault(folder, []).append(path)
        # Asked for at each frame of each call, of a few files.
        self.is_test, self.text, self._is_source = cache(is_test), cache(text), is_source
        self._c: dict[str, str | None] = {}
        self._java: dict[str, str | None] = {}

    def is_of_project(self, path: str) -> bool:
        """Whether a file is one of the project's sources, and by its name none that stands in for one in tests."""
        return self._is_source(path) and not self.is_test(path) and not _STANDING_IN.search(path)

    def c_file(self, scope: str) -> str | None:
        """The path of a source as debug information names it; None where no one file of the workspace is meant."""
        if scope not in self._c:
            self._c[scope] = self._find_c(scope) if scope else None
        return self._c[scope]

    def java_file(self, binary: str) -> str | None:
        """The path of the file that declares a class with this binary name; None where there is none."""
        top = _top_level(binary)
        if top not in self._java:
            self._java[top] = self._find_java(top) if top else None
        return self._java[top]

    def _find_c(self, scope: str) -> str | None:
        path = posixpath.normpath(scope)
        for top in self._tops:
            if path.startswith(f"{top}/"):
                inside = path[len(top) + 1 :]
                return inside if inside in self._paths else None
        # Relative to a build folder that is not known, or rewritten by -ffile-prefix-map.
        parts = [part for part in path.split("/") if part not in ("", "..")]
        least = 2 if path.startswith("/") else 1
        for start in range(len(parts)):
            tail = parts[start:]
            if len(tail) < least:
                break
            ending = "/".join(tail)
            found = [one for one in self._by_name.get(parts[-1], ()) if f"/{one}".endswith(f"/{ending}")]
            if found:
                return found[0] if len(found) == 1 else None
        return None

    def _find_java(self, top: str) -> str | None:
        package, _, simple = top.rpartition(".")
        folder = package.replace(".", "/")
        named = [
            path
            for ending in _JVM_ENDINGS
            for path in self._by_name.get(f"{simple}{ending}", ())
            if _in_package(path, folder)
        ]
        if named:
            return next((path for path in named if self.is_test(path)), named[0])
        declared = re.compile(rf"\b(?:class|interface|enum|record|object)\s++{re.escape(simple)}(?![\w$])")
        for parent, beside in self._by_folder.items():
            if not _in_package(f"{parent}/", folder) or len(beside) > _MOST_BESIDE:
                continue
            for path in beside:
                if path.endswith(_JVM_ENDINGS) and declared.search(self.text(path)):
                    return path
        return None


def _in_package(path: str, folder: str) -> bool:
    parent = path.rpartition("/")[0]
    return not folder or f"/{parent}".endswith(f"/{folder}")


def _top_level(binary: str) -> str:
    """``p.Outer`` of ``p.Outer$Inner$1``; a dollar at the beginning of a name belongs to it."""
    package, dot, simple = binary.rpartition(".")
    return f"{package}{dot}{simple[:1]}{simple[1:].partition('$')[0]}"
