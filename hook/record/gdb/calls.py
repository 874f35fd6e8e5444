"""The calls that are under way, and what is written of each when it is over. Runs inside gdb; standard library only."""

from __future__ import annotations

import hashlib
import threading
import time
from typing import Any

import gdb  # type: ignore[import-untyped]
from breakpoints import Return  # type: ignore[import-not-found]
from deleted_stores import why_not_stored  # type: ignore[import-not-found]
from entries import Entries  # type: ignore[import-not-found]
from faults import Frees, Jumps, fault_doubt  # type: ignore[import-not-found]
from frames import callers, real_frame  # type: ignore[import-not-found]
from functions import Function  # type: ignore[import-not-found]
from handed_out import HandedOut, living  # type: ignore[import-not-found]
from images import Image  # type: ignore[import-not-found]
from inputs import Inputs  # type: ignore[import-not-found]
from memory import LeftOutError, Memory  # type: ignore[import-not-found]
from records import Open, Records, Write  # type: ignore[import-not-found]
from sharing import Shared  # type: ignore[import-not-found]
from threads import Threads  # type: ignore[import-not-found]

_TRAP = b"\xcc"
_SAME_INPUT = 3
_LEAST_BUSY = 0.05
_LIMIT_ENDED = "--limit ended the command inside of it"


class Calls:
    """Breakpoints and records of one process. ``began``: the processor time of gdb at which it turned to it."""

    def __init__(
        self,
        write: Write,
        memory: Memory,
        limits: dict[str, Any],
        image: Image,
        shared: Shared,
        began: float,
    ) -> None:
        self._records = Records(write, memory.layouts)
        self._memory = memory
        self._limits = limits
        self._shared = shared
        self._began = began
        self._lock = threading.Lock()
        self._open: list[Open] = []
        self._order = 0
        self._own = 0.0
        self._entries = Entries(image.found.functions, self.on_entry, limits, shared, began)
        is_any = self._entries.is_any
        self._returns: dict[int, Return] = {}
        self._jumps = Jumps(memory, self.on_jump, image.landings) if is_any else None
        self._frees = Frees(memory, self.on_free) if is_any else None
        self._handed = HandedOut(memory, self.on_handed_out) if is_any else None
        self._threads = Threads(memory, image.workspace, follow=is_any)
        self._inputs = Inputs(memory, self._threads)

    @property
    def is_watching(self) -> bool:
        """Whether any function is still watched or any call under way."""
        return not self._records.is_lost and (bool(self._open) or self._entries.is_watching)

    def on_entry(self, function: Function) -> bool:
        """A watched function was entered; True where nothing is left to watch."""
        with self._lock:
            thread = gdb.selected_thread().num
            frame = real_frame()
            stack = int(frame.read_register("rsp"))
            self._drop_abandoned(thread, stack)
            if not self._is_again(function, thread, stack):
                try:
                    self._begin(function, frame, thread, stack)
                except LeftOutError as reason:
                    self._records.left_out(function, str(reason))
                except gdb.error as problem:
                    self._records.left_out(function, f"gdb: {problem}")
        self._entries.count(function, self._own)
        return not self.is_watching

    def on_return(self, address: int) -> bool:
        """A place was reached to which a watched call returns; True where nothing is left to watch."""
        with self._lock:
            thread = gdb.selected_thread().num
            frame = real_frame()
            stack = int(frame.read_register("rsp"))
            ended = [o for o in self._open if o.thread == thread and o.stack + 8 == stack and o.back == address]
            self._drop_abandoned(thread, stack, but=ended)
            for call in reversed(ended):
                try:
                    self._finish(call, frame)
                except LeftOutError as reason:
                    self._records.left_out(call.function, str(reason))
                except gdb.error as problem:
                    self._records.left_out(call.function, f"gdb: {problem}")
                self._close(call)
            if not any(o.back == address for o in self._open):
                self._returns[address].enabled = False
        return not self.is_watching

    def on_jump(self, limit: int | None) -> None:
        """A jump (longjmp, an exception) went past all frames of the thread whose return address lies below.

        None: to another stack (``setcontext``), and where the calls of this one go on is not followed.
        """
        with self._lock:
            thread = gdb.selected_thread().num
            if limit is not None:
                self._drop_abandoned(thread, limit)
                return
            for call in [o for o in self._open if o.thread == thread]:
                self._records.left_out(call.function, "the program went on on another stack inside of the call")
                self._close(call)

    def on_free(self, start: int, end: int, *, known: bool) -> None:
        """Memory is given back. ``known``: else there was too much of that to follow."""
        with self._lock:
            for call in self._open:
                for region in call.regions:
                    if not known or (start < region.end and region.address < end):
                        region.freed = True
            if not known:
                self._entries.keep_pace(self._own)

    def on_handed_out(self, place: tuple[int, int] | None) -> None:
        """Memory was handed out at a place; None: too often to follow, so that only what the contract names counts."""
        with self._lock:
            for region in [r for call in self._open for r in call.regions]:
                if place is None:
                    region.dead |= not region.extent and not region.variable and self._memory.is_heap(region.address)
                else:
                    region.dead |= not region.freed and place[0] < region.end and region.address < place[1]

    def on_signal(self, name: str) -> None:
        """A signal of a fault came: the calls under way in the thread fail by it, unless they return all the same."""
        with self._lock:
            thread = gdb.selected_thread().num
            mine = [o for o in self._open if o.thread == thread]
            for call in mine:
                call.failed = ("abort", "") if name == "SIGABRT" else ("signal", name)
                files = {file for file, _, _ in call.frames}
                given = call.functions.values()
                call.doubt, call.through = fault_doubt(name, call.function, files, call.stack, given)

    def on_other_code(self, reason: str) -> None:
        """Code that is none of the call's ran or may run (a handler, a thread): what memory holds is not its doing."""
        with self._lock:
            for call in self._open:
                call.disturbed = reason

    def on_thread(self, thread: Any) -> None:
        """A thread was made."""
        self._threads.on_new(thread)
        self.on_other_code("another thread may change the memory that it is given")

    def take_time(self) -> None:
        """Note how much time the program itself has used (asked in another thread)."""
        self._own = self._memory.own_seconds()
        self._see_limit()

    def is_overdue(self) -> bool:
        """Whether a call has not come back for too long (asked in another thread)."""
        now = time.monotonic()
        return any(now - call.began > self._limits["call_seconds"] for call in list(self._open))

    def time_out(self) -> None:
        """Write the calls that are stuck (in another thread; the process is ended then)."""
        with self._lock:
            self._give_up(self._limits["call_seconds"], "another call hung, and the program was ended inside of it")

    def _see_limit(self) -> None:
        """Where the command is being ended for its limit, what has lasted for half of it does not come back."""
        seconds = self._shared.limit()
        if seconds is not None and self._open:
            with self._lock:
                self._give_up(seconds / 2, _LIMIT_ENDED)

    def _give_up(self, least: float, short: str) -> None:
        """The calls under way are over: those of at least so many seconds never come back, ``short`` is of the others.

        One that began late may have come back: a loop that never ends calls functions that do end.
        """
        now = time.monotonic()
        given_up, self._open[:] = list(self._open), []
        for call in [one for one in given_up if now - one.began >= least][:1]:
            self._records.stuck(call, least)
        for call in given_up:
            why = short if now - call.began < least else call.unsure or self._why_it_may_end(call, now)
            if why:
                self._records.left_out(call.function, why)
            else:
                self._records.call(call, None, ("timeout", ""))

    def _why_it_may_end(self, call: Open, now: float) -> str:
        """Why a call that has lasted for too long may come back all the same: it does nothing but wait."""
        if self._memory.threads() != 1:
            return "it lasted too long, and may wait for another thread"
        if self._own - call.own < _LEAST_BUSY * (now - call.began):
            return "it lasted too long, and only waited"
        return ""

    def finish(self, how: str) -> None:
        """The process is gone or left alone: the calls under way are over."""
        with self._lock:
            reason = "the program ended inside of the call" if how.startswith("exited") else how
            reason = reason if self._shared.limit() is None else _LIMIT_ENDED
            for call in self._open:
                self._abandoned(call, reason or "recording ended inside of the call")
            self._open.clear()
        self._shared.close(time.process_time() - self._began, self._own)

    def remove(self) -> None:
        """Take all breakpoints away."""
        for one in self._returns.values():
            one.delete()
        self._entries.remove()
        for others in (self._jumps, self._frees, self._handed, self._threads):
            if others is not None:
                others.remove()

    def _begin(self, function: Function, frame: Any, thread: int, stack: int) -> None:
        arguments = self._inputs.arguments(function, frame, stack)
        back = self._memory.word(stack)
        if back is None:
            raise LeftOutError("its return address cannot be read")
        if self._memory.read(back, 1) == _TRAP:  # a breakpoint there would take the program's own trap away
            raise LeftOutError("it returns to a trap of the program")
        if self._jumps is not None and self._jumps.is_landing(back):
            raise LeftOutError("a jump past the call (__builtin_longjmp) would land where it returns to")
        if self._jumps is not None and self._jumps.is_lost:
            raise LeftOutError("the program makes too many jumps (__builtin_longjmp, goto *) to follow")
        regions = self._inputs.regions(function, arguments, stack)
        self._inputs.check_others(regions)
        if any(not r.blank and not r.constant for r in regions):
            why = why_not_stored(function.build["producer"], function.entry, back)
            if why:
                raise LeftOutError(why)
        frames = callers(frame)
        content = self._inputs.digest(function, arguments, regions)
        key = hashlib.sha256(content + repr(frames).encode("utf-8", "replace")).digest()
        if self._shared.times(function.number, content, key) > _SAME_INPUT:
            return
        seeds = self._inputs.pointers(arguments)
        seeds += [p for r in regions for p in self._memory.pointers_in(r, r.before)]
        named = self._memory.functions_at(seeds)
        outermost = not any(o.thread == thread and o.function.number == function.number for o in self._open)
        self._order += 1
        call = Open(
            function,
            thread,
            stack,
            back,
            self._order,
            outermost,
            arguments,
            regions,
            named,
            frames,
            time.monotonic(),
            self._memory.own_seconds(),
        )
        if back not in self._returns:
            self._returns[back] = Return(back, self.on_return)
        self._returns[back].enabled = True
        self._open.append(call)
        if any(self._memory.is_heap(r.address) for r in regions):
            for one in (self._frees, self._handed):
                if one is not None:
                    one.follow()

    def _is_again(self, function: Function, thread: int, stack: int) -> bool:
        """Whether a stop at an entry is no new call that can be told from one that is under way at the same place.

        A loop whose head is the function's first byte looks like a call that was left (``__builtin_longjmp``) and made
        again. Where the code jumps there both may be; else the older call is gone, or a tail call has taken its place.
        """
        for call in [o for o in self._open if o.thread == thread and o.stack == stack]:
            if call.function.entry == function.entry and function.loops:
                call.unsure = "the compiler made its first instruction the head of a loop: compile with -O0"
                return True
            self._abandoned(call, "another call took its place: it was left, or it ended in a call (-O0 has none such)")
            self._close(call)
        return False

    def _finish(self, call: Open, frame: Any) -> None:
        if call.unsure:
            raise LeftOutError(call.unsure)
        if call.failed is not None:
            raise LeftOutError("the program handled a signal inside of the call")
        call.regions = living(call.regions, self._memory)
        result = self._inputs.result(call.function, frame)
        after = [None if r.freed or r.blank else self._memory.read(r.address, len(r.before)) for r in call.regions]
        if any(content is None and not (r.freed or r.blank) for r, content in zip(call.regions, after, strict=True)):
            raise LeftOutError("memory that it was given cannot be read afterwards")
        for region, content in zip(call.regions, after, strict=True):
            if region.constant and content is not None:
                region.constant = self._memory.unchanging(region, content)
        self._inputs.check_after(call.function, call.arguments, result, call.regions)
        seeds = self._inputs.pointers([result]) if result is not None else []
        for region, content in zip(call.regions, after, strict=True):
            seeds += self._memory.pointers_in(region, content) if content is not None else []
        call.functions.update(self._memory.functions_at(seeds))
        known = len(call.regions)
        self._memory.constant_targets(seeds, call.regions)
        after += [r.before for r in call.regions[known:]]
        self._inputs.check_others(call.regions)
        if call.disturbed and any(not r.blank and not r.constant for r in call.regions):
            raise LeftOutError(call.disturbed)
        self._records.call(call, (result, after), None)

    def _drop_abandoned(self, thread: int, stack: int, but: list[Open] | None = None) -> None:
        """Calls whose frames are gone without a return: longjmp or an exception went past them."""
        for call in [o for o in self._open if o.thread == thread and o not in (but or ())]:
            # At the same place there is the return address of another call, unless a tail call has taken its place.
            if call.stack < stack or (call.stack == stack and self._memory.word(stack) != call.back):
                self._abandoned(call, "it was left by longjmp or by an exception")
                self._close(call)

    def _close(self, call: Open) -> None:
        self._open.remove(call)
        if not any(self._memory.is_heap(r.address) for o in self._open for r in o.regions):
            for one in (self._frees, self._handed):
                if one is not None:
                    one.leave()

    def _abandoned(self, call: Open, reason: str) -> None:
        doubt = call.doubt or call.unsure
        if call.failed is not None and not doubt and not any(r.dead for r in call.regions):
            self._records.call(call, None, call.failed)
        else:
            self._records.left_out(call.function, doubt or reason)
