"""What is known of a process's code, which the next process of the same program often shares. Runs inside gdb.

A forked child has the same files at the same addresses, so that what was found in the first holds for all. A program
that is started again has them elsewhere: what gdb has read of the files stays, and the rest is found anew.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from code_text import mapped_sections  # type: ignore[import-not-found]
from faults import addresses_of  # type: ignore[import-not-found]
from functions import Found, find_functions  # type: ignore[import-not-found]
from landings import landings  # type: ignore[import-not-found]
from layouts import Layouts  # type: ignore[import-not-found]
from sharing import Shared  # type: ignore[import-not-found]

Mapped = frozenset[tuple[int, str]]
_Stamp = tuple[int, int, int, int]


@dataclass
class Image:
    """The functions to watch in a process whose code is ``mapped`` in this way, and where jumps in it may land."""

    mapped: Mapped
    layouts: Layouts
    found: Found
    landings: list[int]
    workspace: str

    def is_wanted(self, shared: Shared, most: int) -> bool:
        """Whether of any function fewer than ``most`` inputs were seen."""
        return any(shared.inputs(one.number) < most for one in self.found.functions)


class Images:
    """The code of the processes of one program."""

    def __init__(self, watch: dict[str, Any]) -> None:
        self._watch = watch
        self._last: Image | None = None
        self._files: dict[str, _Stamp | None] = {}

    def known(self, program: int) -> Image | None:
        """The last image, if the process ``program`` has the same; gdb need not be attached to it."""
        return self._last if self._last is not None and self._last.mapped == _mapped(program) else None

    def is_changed(self, program: int) -> bool:
        """Whether a file of the process is not as it was when it was read: nothing that is known of it holds."""
        now = {path: _stamp(path) for _, path in _mapped(program)}
        changed = any(self._files.setdefault(path, stamp) != stamp for path, stamp in now.items())
        return changed or not _is_own_file(program)

    def image(self, program: int) -> Image:
        """What is known of the process to which gdb is attached."""
        last = self.known(program)
        # gdb reads libraries again for each process; the symbols that it had before are gone then.
        if last is not None and all(s.is_valid() for f in last.found.functions for _, s, _ in f.parameters):
            last.layouts.send_again()
            return last
        mapped_sections.cache_clear()
        addresses_of.cache_clear()
        layouts = Layouts()
        mapped = _mapped(program)
        found = find_functions(self._watch, layouts, {path for _, path in mapped})
        places = landings(program, found.files) if found.functions else []
        self._last = Image(mapped, layouts, found, places, self._watch["workspace"])
        return self._last


def _mapped(program: int) -> Mapped:
    """Where which files are mapped that hold code: (address, path). Empty where that cannot be read."""
    found = set()
    try:
        with Path(f"/proc/{program}/maps").open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                parts = line.rstrip("\n").split(None, 5)
                if len(parts) == 6 and "x" in parts[1] and parts[5].startswith("/"):
                    found.add((int(parts[0].partition("-")[0], 16), parts[5]))
    except OSError:
        return frozenset()
    return frozenset(found)


def _stamp(path: str) -> _Stamp | None:
    try:
        status = os.stat(path)  # noqa: PTH116
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _is_own_file(program: int) -> bool:
    """Whether the process still runs what lies at its program's path: only that is read."""
    try:
        link = f"/proc/{program}/exe"
        return os.path.samestat(os.stat(link), os.stat(os.readlink(link)))  # noqa: PTH115, PTH116
    except OSError:
        return False
