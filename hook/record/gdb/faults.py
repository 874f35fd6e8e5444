"""Calls that do not come back: signals, and jumps past them. Runs inside gdb; standard library only."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import gdb  # type: ignore[import-untyped]
from breakpoints import Point  # type: ignore[import-not-found]
from functions import SYSTEM, Function  # type: ignore[import-not-found]
from memory import Memory  # type: ignore[import-not-found]

_FRAMES = 180
_RAISING_FRAMES = 6
_RAISING = ("abort", "raise", "gsignal")
_BY_TGKILL = -6
_PAGE = 4096
_JUMPS = ("longjmp", "siglongjmp", "_longjmp", "__longjmp_chk", "__libc_longjmp", "__libc_siglongjmp")
_SWITCHES = ("setcontext", "swapcontext")
_CATCH = "__cxa_begin_catch"
_FREES = ("free", "realloc", "reallocarray")
_UNMAPS = ("munmap", "mremap")
_MOST_FREES = 5000
_MOST_LANDINGS = 200
_MOST_JUMPS = 5000
_STACK_SLOT = 6
_ROTATED = 17
_WORD = (1 << 64) - 1


class Jumps:
    """Breakpoints where a jump past frames begins or ends. ``report`` gets the stack address that it goes to.

    ``landings`` are places in the program's code at which a jump may end that calls no function.
    """

    def __init__(self, memory: Memory, report: Callable[[int | None], None], landings: list[int]) -> None:
        self._count = 0
        self.is_lost = len(landings) > _MOST_LANDINGS
        self._landings = {} if self.is_lost else {a: Point(a, self._on_landing) for a in landings}
        self._memory = memory
        self._report = report
        self._points = [Point(address, self._on_longjmp) for address in addresses_of(_JUMPS)]
        self._points += [Point(address, self._on_catch) for address in addresses_of((_CATCH,))]
        self._points += [Point(address, lambda: report(None)) for address in addresses_of(_SWITCHES)]

    def remove(self) -> None:
        """Take the breakpoints away."""
        for point in (*self._points, *self._landings.values()):
            point.delete()

    def is_landing(self, address: int) -> bool:
        """Whether a jump may end at an address."""
        return address in self._landings

    def _on_landing(self) -> None:
        self._report(int(gdb.newest_frame().read_register("rsp")))
        self._count += 1
        if self._count > _MOST_JUMPS:
            self.is_lost = True
            self._report(None)
            for point in self._landings.values():
                point.enabled = False

    def _on_longjmp(self) -> None:
        # glibc's jmp_buf (sysdeps/x86_64/jmpbuf-offsets.h): the stack pointer is the seventh word, mangled by a
        # rotation and the pointer guard at fs:0x30 (pointer_guard.h).
        frame = gdb.newest_frame()
        stored = self._memory.word(int(frame.read_register("rdi")) + 8 * _STACK_SLOT)
        guard = self._memory.word(int(frame.read_register("fs_base")) + 0x30)
        if stored is None or guard is None:
            return
        self._report((((stored >> _ROTATED) | (stored << (64 - _ROTATED))) & _WORD) ^ guard)

    def _on_catch(self) -> None:
        # The call of __cxa_begin_catch has put its return address where that of the call that threw was.
        self._report(int(gdb.newest_frame().read_register("rsp")) + 1)


class Frees:
    """Breakpoints on what gives memory back, while a call is under way that was given some.

    A call that gives back very much costs a stop each time: then it is not known what it left there.
    """

    def __init__(self, memory: Memory, report: Callable[..., None]) -> None:
        self._memory = memory
        self._report = report
        self._count = 0
        self._points = [Point(address, self._on_free) for address in addresses_of(_FREES)]
        self._points += [Point(address, self._on_unmap) for address in addresses_of(_UNMAPS)]
        self.leave()

    def follow(self) -> None:
        """A call begins that was given some: what is counted is what comes after that."""
        self._count = 0
        self._enable(True)

    def leave(self) -> None:
        """No call is under way that was given some."""
        self._enable(False)

    def remove(self) -> None:
        """Take the breakpoints away."""
        for point in self._points:
            point.delete()

    def _enable(self, wanted: bool) -> None:
        for point in self._points:
            if bool(point.enabled) != wanted:
                point.enabled = wanted

    def _is_enough(self) -> bool:
        self._count += 1
        if self._count <= _MOST_FREES:
            return False
        self._enable(False)
        self._report(0, 0, known=False)
        return True

    def _on_unmap(self) -> None:
        if self._is_enough():
            return
        frame = gdb.newest_frame()
        start, size = (int(frame.read_register(name)) for name in ("rdi", "rsi"))
        self._report(start, start + max(1, size), known=True)

    def _on_free(self) -> None:
        if self._is_enough():
            return
        start = int(gdb.newest_frame().read_register("rdi"))
        # glibc's malloc keeps a chunk's size, with three flags, before what it hands out.
        size = self._memory.word(start - 8) if start else None
        self._report(start, start + max(1, (size or 0) & ~7), known=True)


@functools.cache
def addresses_of(names: tuple[str, ...]) -> tuple[int, ...]:
    """Where the functions of these names begin that the program has; to be forgotten for another process."""
    found: dict[int, None] = {}
    for name in names:
        try:
            found[int(gdb.parse_and_eval(f"(unsigned long)&{name}"))] = None
        except gdb.error:
            continue  # the program has no such function
    return tuple(found)


def fault_doubt(
    name: str, function: Function, outside: set[str], stack: int, given: Iterable[str] = ()
) -> tuple[str, list[str]]:
    """Why a signal does not show that the call's input was bad, or nothing; and the files of the frames up to the call.

    ``outside``: files of its callers. ``given``: names of functions that it may call through a pointer.
    """
    try:
        info = gdb.parse_and_eval("$_siginfo")
        code = int(info["si_code"])
        if name == "SIGABRT":
            if int(info["_sifields"]["_kill"]["si_pid"]) != gdb.selected_inferior().pid:
                return "a signal came from another process", []
            if code != _BY_TGKILL or not _is_raised_here():
                return "a signal was sent to the program", []
        elif code <= 0:
            return "a signal was sent to the program", []
        elif name in ("SIGSEGV", "SIGBUS") and int(info["_sifields"]["_sigfault"]["si_addr"]) >= _PAGE:
            return "it used memory that it may not use: whether its arguments were at fault is not certain", []
        files = _files_up_to(stack, outside - {function.file}, set(given))
    except gdb.error as problem:
        return f"gdb: {problem}", []
    except DoubtError as doubt:
        return str(doubt), []
    return "", files


class DoubtError(Exception):
    """The frames of a failure do not show that the call is to blame; the text says why."""


def _is_raised_here() -> bool:
    """Whether the thread itself is in ``abort`` or ``raise``: others may send it the same signal (pthread_kill)."""
    frame: Any = gdb.newest_frame()
    for _ in range(_RAISING_FRAMES):
        if frame is None or frame.find_sal().symtab is not None:
            return False
        if frame.name() in _RAISING:
            return True
        frame = frame.older()
    return False


def _files_up_to(stack: int, outside: set[str], given: set[str]) -> list[str]:
    """The sources of the frames up to the call whose return address lies at ``stack``. Raises DoubtError."""
    frame: Any = gdb.newest_frame()
    found: dict[str, None] = {}
    for _ in range(_FRAMES):
        if frame is None:
            break
        if int(frame.read_register("rsp")) > stack:
            return list(found)
        name, place = frame.name() or "", frame.find_sal()
        # Checks of the C library and of the compiler find damaged memory, for which the call need not be to blame.
        if name.startswith(("malloc_printerr", "__stack_chk_fail", "__fortify_fail", "__chk_fail", "__asan")):
            raise DoubtError("the C library found damaged memory")
        if frame.type() == gdb.SIGTRAMP_FRAME:
            raise DoubtError("it failed in a signal handler, not by what it does itself")
        if place.symtab is not None:
            found[place.symtab.fullname()] = None
            if place.symtab.fullname() in outside:
                raise DoubtError("it failed in code of its caller (a callback or a fake)")
            if name.partition("(")[0] in given:
                raise DoubtError(f"it failed in a function that it was given ({name[:60]})")
        elif frame.pc() >= _PAGE and not _is_of_system(frame.pc()):
            raise DoubtError("it failed in code without debug information: build all with -g")
        frame = frame.older()
    raise DoubtError("the frames between it and its failure cannot be followed")


def _is_of_system(address: int) -> bool:
    file = gdb.current_progspace().solib_name(address)
    return file is not None and file.startswith(SYSTEM)
