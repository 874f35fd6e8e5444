"""Which threads of a process leave the project's memory alone. Runs inside gdb; standard library only.

Criterion talks to each test's process through nanomsg, whose threads run beside the test. They call nothing that they
were given: nanomsg takes no callbacks, and Criterion gives its own threads its own functions. BoxFort's own library is
not taken, as its thread calls what its user names. The other threads run while gdb looks at a breakpoint, so that their
frames cannot be read there; so a thread is known by how it was made and by where it began, for all of its life.
"""

from __future__ import annotations

import re
from typing import Any

import gdb  # type: ignore[import-untyped]
from breakpoints import Point  # type: ignore[import-not-found]
from faults import addresses_of  # type: ignore[import-not-found]
from functions import is_own  # type: ignore[import-not-found]
from memory import Memory, Region  # type: ignore[import-not-found]
from origin import functions_of, names_linked  # type: ignore[import-not-found]

_FRAMEWORK = re.compile(r"/lib(?:nanomsg|criterion)\.so(?:\.\d+)*$")
_LIBRARY_OF_C = re.compile(r"/lib(?:c|pthread)(?:-2\.\d+)?\.so(?:\.\d+)?$")
# The C library calls these by their names, too (its manual, Replacing malloc).
_TAKEN_BY_C = frozenset({"malloc", "calloc", "realloc", "free", "memalign", "aligned_alloc", "posix_memalign"})
# No thread of these libraries calls them. shim.c defines the one, a program the other, as libcriterion does.
_NOT_CALLED = frozenset({"fork", "main"})


class Threads:
    """The threads of one process. ``follow``: else none is known to leave the memory alone."""

    def __init__(self, memory: Memory, workspace: str, *, follow: bool) -> None:
        self._memory = memory
        self._workspace = workspace
        self._harmless: set[int] = set()
        self._starts: dict[int, Point] = {}
        self._expected: set[tuple[int, int]] = set()
        is_there = follow and any(_FRAMEWORK.search(path) for path in _files())  # to stop at each thread costs time
        self._points = [Point(a, self._on_create) for a in addresses_of(("pthread_create",))] if is_there else []

    def may_change(self, regions: list[Region]) -> bool:
        """Whether another thread than the one that has stopped may write to those regions."""
        own = gdb.selected_thread().num
        others = [one for one in gdb.selected_inferior().threads() if one.num != own]
        if not regions or not others:
            return False
        return any(one.ptid[1] not in self._harmless for one in others) or any(map(self._is_of_system, regions))

    def on_new(self, thread: Any) -> None:
        """A thread was made, which has run nothing yet: its number may have been another's."""
        self._harmless.discard(thread.ptid[1])

    def remove(self) -> None:
        """Take the breakpoints away."""
        for point in (*self._points, *self._starts.values()):
            point.delete()

    def _on_create(self) -> None:
        # pthread_create(3): the third argument is what the thread begins in, the fourth what that is given.
        frame = gdb.newest_frame()
        start, given = (int(frame.read_register(name)) for name in ("rdx", "rcx"))
        self._expected.discard((start, given))
        file = self._file(start)
        is_framework = _FRAMEWORK.search(file) and not is_own(file, self._workspace)
        if is_framework and self._is_called_inside(frame, file) and not self._calls_project(file):
            self._expected.add((start, given))
            if start not in self._starts:
                self._starts[start] = Point(start, lambda: self._on_start(start))

    def _is_called_inside(self, frame: Any, file: str) -> bool:
        """Whether a call was made in a file, by a function that was called there, too.

        The project may start a thread in a function of the framework, or call one that only passes on what it is given.
        """
        try:
            for _ in range(2):
                frame = frame.older()
                if frame is None or self._file(int(frame.pc())) != file:
                    return False
        except gdb.error:
            return False  # the stack cannot be followed
        return True

    def _calls_project(self, file: str) -> bool:
        """Whether the project defines a function that a library calls: a fake of ``read``, a ``malloc`` of its own."""
        linked = names_linked(file)
        if linked is None:
            return True
        tables = [functions_of(path)[0] for path in _files() if is_own(path, self._workspace)]
        defined = {name for table in tables for names in table.values() for name in names}
        return not all(tables) or bool(defined & ((linked | _TAKEN_BY_C) - _NOT_CALLED))

    def _on_start(self, start: int) -> None:
        # Where a thread begins, the C library has called; a sanitizer has its own function in between.
        process, thread, _ = gdb.selected_thread().ptid
        frame = gdb.newest_frame()
        given, back = int(frame.read_register("rdi")), self._memory.word(int(frame.read_register("rsp")))
        file = self._file(back) if back is not None else ""
        is_begin = thread != process and _LIBRARY_OF_C.search(file) and not is_own(file, self._workspace)
        if is_begin and (start, given) in self._expected:
            self._expected.remove((start, given))
            self._harmless.add(thread)

    def _file(self, address: int) -> str:
        mapping = self._memory.mapping(address)
        return mapping[3] if mapping is not None else ""

    def _is_of_system(self, region: Region) -> bool:
        """Whether a region is a variable of a library of the system, which its threads may use."""
        file = gdb.current_progspace().solib_name(region.address)
        return file is not None and not is_own(file, self._workspace)


def _files() -> list[str]:
    """The program and its libraries."""
    return [one.filename for one in gdb.objfiles() if one.filename]
