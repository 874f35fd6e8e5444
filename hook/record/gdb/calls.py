"""The calls that are under way, and what is written of each when it is over. Runs inside gdb."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gdb  # type: ignore[import-untyped]
from abi import GENERAL  # type: ignore[import-not-found]
from functions import Function  # type: ignore[import-not-found]
from memory import LeftOutError, Memory, Region  # type: ignore[import-not-found]
from terms import NoValueError, Terms, Typed  # type: ignore[import-not-found]

Write = Callable[["dict[str, Any]"], None]

_FRAMES = 50
_SAME_INPUT = 3
_GRACE_SECONDS = 5.0
_FEW = 5


@dataclass
class Open:
    """A call under way. ``order`` is that of its beginning."""

    function: Function
    thread: int
    stack: int
    back: int
    order: int
    outermost: bool
    arguments: list[Typed]
    regions: list[Region]
    functions: dict[str, str]
    frames: list[tuple[str, str, int]]
    began: float
    failed: tuple[str, str] | None = None
    doubt: str = ""


@dataclass
class Count:
    """What was seen of one function so far."""

    hits: int = 0
    inputs: set[bytes] = field(default_factory=set)
    written: int = 0


class Calls:
    """Breakpoints and records of one process."""

    def __init__(
        self, folder: Path, write: Write, memory: Memory, limits: dict[str, Any], functions: list[Function]
    ) -> None:
        self.program_path = str(Path(f"/proc/{gdb.selected_inferior().pid}/exe").readlink())
        self._folder = folder
        self._write = write
        self._memory = memory
        self._limits = limits
        self._lock = threading.Lock()
        self._open: list[Open] = []
        self._order = 0
        self._counts: dict[int, Count] = {}
        self._repeated: dict[bytes, int] = {}
        self._began = time.monotonic()
        self._entries = [_Entry(self, function) for function in functions]
        self._returns: dict[int, _Return] = {}
        self._busy = False

    @property
    def is_watching(self) -> bool:
        """Whether any function is still watched or any call under way."""
        return bool(self._open) or any(entry.enabled for entry in self._entries)

    def on_entry(self, function: Function) -> bool:
        """A watched function was entered; True where nothing is left to watch."""
        count = self._counts.setdefault(function.number, Count())
        count.hits += 1
        with self._lock:
            thread = gdb.selected_thread().num
            frame = _real_frame()
            stack = int(frame.read_register("rsp"))
            self._drop_abandoned(thread, stack)
            try:
                self._begin(function, count, frame, thread, stack)
            except LeftOutError as reason:
                self._left_out(function, str(reason))
            except gdb.error as problem:
                self._left_out(function, f"gdb: {problem}")
        limits = self._limits
        if count.hits >= limits["hits"] or len(count.inputs) >= limits["distinct_calls"]:
            self._stop_watching(function.number)
        elif count.hits % 16 == 0:
            self._keep_pace()
        return not self.is_watching

    def on_return(self, address: int) -> bool:
        """A place was reached to which a watched call returns; True where nothing is left to watch."""
        with self._lock:
            thread = gdb.selected_thread().num
            frame = _real_frame()
            stack = int(frame.read_register("rsp"))
            ended = [o for o in self._open if o.thread == thread and o.stack + 8 == stack and o.back == address]
            self._drop_abandoned(thread, stack, but=ended)
            for call in reversed(ended):
                self._open.remove(call)
                try:
                    self._finish(call, frame)
                except LeftOutError as reason:
                    self._left_out(call.function, str(reason))
                except gdb.error as problem:
                    self._left_out(call.function, f"gdb: {problem}")
            if not any(o.back == address for o in self._open):
                self._returns[address].enabled = False
        return not self.is_watching

    def on_signal(self, name: str) -> None:
        """A signal of a fault came: the calls under way in the thread fail by it, unless they return all the same."""
        with self._lock:
            thread = gdb.selected_thread().num
            mine = [o for o in self._open if o.thread == thread]
            doubt = _signal_doubt(name) if mine else ""
            for call in mine:
                call.failed = ("abort", "") if name == "SIGABRT" else ("signal", name)
                call.doubt = doubt

    def is_overdue(self) -> bool:
        """Whether a call has not come back for too long (asked in another thread)."""
        now = time.monotonic()
        return any(now - call.began > self._limits["call_seconds"] for call in list(self._open))

    def time_out(self) -> None:
        """Write the calls of the thread that is stuck (in another thread; the process is ended then)."""
        with self._lock:
            now = time.monotonic()
            late = {call.thread for call in self._open if now - call.began > self._limits["call_seconds"]}
            for call in [o for o in self._open if o.thread in late]:
                self._open.remove(call)
                self._write_call(call, None, ("timeout", ""))

    def finish(self, how: str) -> None:
        """The process is gone or left alone: the calls under way are over."""
        with self._lock:
            for call in self._open:
                self._abandoned(call, "the program ended inside of the call" if how.startswith("exited") else how)
            self._open.clear()

    def _begin(self, function: Function, count: Count, frame: Any, thread: int, stack: int) -> None:
        arguments = self._arguments(function, frame, stack)
        back = self._memory.word(stack)
        if back is None:
            raise LeftOutError("its return address cannot be read")
        regions = self._regions(function, arguments)
        self._other_threads(regions, stack)
        frames = _frames(frame)
        content = self._content(function, arguments, regions)
        count.inputs.add(content)
        key = hashlib.sha256(content + repr(frames).encode("utf-8", "replace")).digest()
        self._repeated[key] = self._repeated.get(key, 0) + 1
        if self._repeated[key] > _SAME_INPUT:
            return
        seeds = self._pointers(arguments) + [p for r in regions for p in self._memory.pointers_in(r, r.before)]
        named = self._memory.functions_at(seeds)
        outermost = not any(o.thread == thread and o.function.number == function.number for o in self._open)
        self._order += 1
        call = Open(
            function, thread, stack, back, self._order, outermost, arguments, regions, named, frames, time.monotonic()
        )
        if back not in self._returns:
            self._returns[back] = _Return(self, back)
        self._returns[back].enabled = True
        self._open.append(call)

    def _arguments(self, function: Function, frame: Any, stack: int) -> list[Typed]:
        found = []
        for (name, symbol, number), pieces in zip(function.parameters, function.places, strict=True):
            size = self._memory.layouts.descriptions[number]["s"]
            content: bytes | None
            if pieces[0][0] == "stack":
                content = self._memory.read(stack + pieces[0][1], size)
            else:
                content = b"".join(_register(frame, piece) for piece in pieces)[:size]
            if content is None:
                raise LeftOutError(f"its argument {name} cannot be read")
            self._check(name, symbol, frame, content, number, pieces, stack)
            found.append(Typed(content, number))
        return found

    def _check(
        self, name: str, symbol: Any, frame: Any, content: bytes, number: int, pieces: list[Any], stack: int
    ) -> None:
        """What the debug information says of a parameter must not contradict the ABI. Raises LeftOutError."""
        value = symbol.value(frame)
        if value.is_optimized_out:
            raise LeftOutError(f"the compiler removed its argument {name}: compile with -O0 or -Og")
        kind = self._memory.layouts.descriptions[number]["k"]
        if value.address is not None:
            # Memory: the place to which the prologue will store it, or where the caller has put it.
            if pieces[0][0] == "stack" and int(value.address) != stack + pieces[0][1]:
                raise LeftOutError(f"the debug information does not say for certain where its argument {name} is")
        elif kind in ("int", "ptr"):
            bits = 8 * len(content)
            if int(value.cast(gdb.lookup_type("unsigned long"))) % (1 << bits) != int.from_bytes(content, "little"):
                raise LeftOutError(f"the debug information does not say for certain where its argument {name} is")

    def _regions(self, function: Function, arguments: list[Typed]) -> list[Region]:
        memory = self._memory
        regions = [
            memory.region(address, number, 1, variable=name, constant=constant)
            for name, address, number, constant in function.variables
        ]
        values = {name: value for (name, _, _), value in zip(function.parameters, arguments, strict=True)}
        for region in regions:
            values.setdefault(region.variable, Typed(region.before, region.type))
        terms = Terms(memory, values.get, lambda name: memory.layouts.number(gdb.lookup_type(name)))
        wanted = []
        for base, first, last in function.extents:
            try:
                wanted.append(terms.extent(base, first, last))
            except NoValueError:
                continue
        regions += memory.extents(wanted)
        for name in function.vague:
            value = values.get(name)
            if value is not None and self._is_vague(value, regions):
                raise LeftOutError(f"the contract does not say plainly how many elements {name} leads to")
        memory.follow(self._pointers(arguments), regions)
        return regions

    def _is_vague(self, value: Typed, regions: list[Region]) -> bool:
        what = self._memory.layouts.opened(value.type)
        address = int.from_bytes(value.content, "little")
        if what["k"] != "ptr" or address == 0 or any(r.extent and r.address <= address <= r.end for r in regions):
            return False
        target = self._memory.layouts.opened(what["t"])
        return bool(target.get("n") != "char")

    def _pointers(self, values: list[Typed]) -> list[tuple[int, int]]:
        return [
            (int.from_bytes(value.content[offset : offset + 8], "little"), number)
            for value in values
            for offset, number in self._memory.layouts.pointers(value.type)
        ]

    def _other_threads(self, regions: list[Region], stack: int) -> None:
        """Memory that another thread may write meanwhile is not what the call did. Raises LeftOutError."""
        if len(gdb.selected_inferior().threads()) < 2:
            return
        mapping = self._memory.mapping(stack)
        for region in regions:
            own = mapping is not None and stack <= region.address and region.end <= mapping[1]
            if not own and not region.constant and not self._memory.is_read_only(region.address):
                raise LeftOutError("another thread may change the memory that it is given")

    def _content(self, function: Function, arguments: list[Typed], regions: list[Region]) -> bytes:
        """A digest of the input that does not depend on where memory lies."""
        digest = hashlib.sha256(function.name.encode())
        for value, content in [(v.type, v.content) for v in arguments] + [(r.type, r.before) for r in regions]:
            plain = bytearray(content)
            size = self._memory.layouts.descriptions[value]["s"]
            for start in range(0, len(content), size or 1):
                for offset, _ in self._memory.layouts.pointers(value):
                    at = start + offset
                    address = int.from_bytes(content[at : at + 8], "little")
                    plain[at : at + 8] = _relative(address, regions).to_bytes(8, "little")
            digest.update(b"%d:%d:" % (value, len(plain)) + plain)
        return digest.digest()

    def _finish(self, call: Open, frame: Any) -> None:
        if call.failed is not None:
            raise LeftOutError("the program handled a signal inside of the call")
        result = self._result(call.function, frame)
        after = [self._memory.read(r.address, len(r.before)) for r in call.regions]
        if None in after:
            raise LeftOutError("memory that it was given cannot be read afterwards")
        seeds = self._pointers([result]) if result is not None else []
        for region, content in zip(call.regions, after, strict=True):
            seeds += self._memory.pointers_in(region, content)
        call.functions.update(self._memory.functions_at(seeds))
        known = len(call.regions)
        self._memory.constant_targets(seeds, call.regions)
        after += [r.before for r in call.regions[known:]]
        self._other_threads(call.regions, call.stack)
        self._write_call(call, (result, after), None)

    def _result(self, function: Function, frame: Any) -> Typed | None:
        if function.result is None:
            return None
        size = self._memory.layouts.descriptions[function.result]["s"]
        content: bytes | None
        if function.result_places is None:
            content = self._memory.read(int(frame.read_register("rax")), size)
        else:
            names = {("int", 0): "rax", ("int", 1): "rdx"}
            content = b"".join(
                _word(frame, names[piece]) if piece[0] == "int" else _register(frame, piece)
                for piece in function.result_places
            )[:size]
        if content is None:
            raise LeftOutError("its result cannot be read")
        return Typed(content, function.result)

    def _drop_abandoned(self, thread: int, stack: int, but: list[Open] | None = None) -> None:
        """Calls whose frames are gone without a return: longjmp or an exception went past them."""
        gone = [o for o in self._open if o.thread == thread and o.stack < stack and o not in (but or ())]
        for call in gone:
            self._open.remove(call)
            self._abandoned(call, "it was left by longjmp or by an exception")

    def _abandoned(self, call: Open, reason: str) -> None:
        if call.failed is not None and not call.doubt:
            self._write_call(call, None, call.failed)
        else:
            self._left_out(call.function, call.doubt or reason)

    def _left_out(self, function: Function, reason: str) -> None:
        self._write({"function": function.number, "left": reason[:300]})

    def _write_call(
        self, call: Open, gave: tuple[Typed | None, list[bytes]] | None, failed: tuple[str, str] | None
    ) -> None:
        layouts = self._memory.layouts
        types = {str(number): layouts.descriptions[number] for number in dict.fromkeys(layouts.fresh)}
        if types:
            self._write({"types": types})
            layouts.fresh.clear()
        result = gave[0] if gave is not None else None
        self._write(
            {
                "call": call.function.number,
                "order": call.order,
                "outermost": call.outermost,
                "frames": call.frames,
                "arguments": [[value.type, value.content.hex()] for value in call.arguments],
                "regions": [
                    {
                        "address": region.address,
                        "type": region.type,
                        "count": region.count,
                        "extent": region.extent,
                        "variable": region.variable,
                        "constant": region.constant,
                        "before": region.before.hex(),
                        "after": gave[1][index].hex() if gave is not None else None,
                    }
                    for index, region in enumerate(call.regions)
                ],
                "functions": call.functions,
                "result": None if result is None else [result.type, result.content.hex()],
                "failed": failed,
            }
        )

    def _stop_watching(self, number: int) -> None:
        for entry in self._entries:
            if entry.function.number == number:
                entry.enabled = False

    def _keep_pace(self) -> None:
        """Stop watching what was seen often enough, and then all, once recording takes too much of the time."""
        spent = time.process_time()
        allowed = _GRACE_SECONDS + self._limits["slowdown"] * max(0.0, time.monotonic() - self._began - spent)
        if spent > allowed:
            for number, count in self._counts.items():
                if spent > 2 * allowed or len(count.inputs) >= _FEW:
                    self._stop_watching(number)


class _Entry(gdb.Breakpoint):  # type: ignore[misc]
    """Stands on the first byte of a function."""

    def __init__(self, calls: Calls, function: Function) -> None:
        super().__init__(f"*{function.entry:#x}", internal=True)
        self.silent = True
        self.function = function
        self._calls = calls

    def stop(self) -> bool:
        """Called by gdb at each hit; True stops the program for good."""
        return self._calls.on_entry(self.function)


class _Return(gdb.Breakpoint):  # type: ignore[misc]
    """Stands where calls return to."""

    def __init__(self, calls: Calls, address: int) -> None:
        super().__init__(f"*{address:#x}", internal=True)
        self.silent = True
        self._address = address
        self._calls = calls

    def stop(self) -> bool:
        """Called by gdb at each hit; True stops the program for good."""
        return self._calls.on_return(self._address)


def _real_frame() -> Any:
    frame = gdb.newest_frame()
    while frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    return frame


def _frames(frame: Any) -> list[tuple[str, str, int]]:
    found: list[tuple[str, str, int]] = []
    older = frame.older()
    while older is not None and older.is_valid() and len(found) < _FRAMES:
        place = older.find_sal()
        file = place.symtab.fullname() if place.symtab is not None else ""
        if older.name():
            found.append((file, older.name(), place.line))
        older = older.older()
    return found


def _word(frame: Any, name: str) -> bytes:
    return (int(frame.read_register(name)) % (1 << 64)).to_bytes(8, "little")


def _register(frame: Any, piece: tuple[str, int]) -> bytes:
    kind, number = piece
    if kind == "int":
        return _word(frame, GENERAL[number])
    low = frame.read_register(f"xmm{number}")["v2_int64"][0]
    return (int(low) % (1 << 64)).to_bytes(8, "little")


def _relative(address: int, regions: list[Region]) -> int:
    for index, region in enumerate(regions):
        if region.address <= address < region.end:
            return int(((index + 1) << 32) + address - region.address)
    return address


def _signal_doubt(name: str) -> str:
    """Why a signal does not show that the input was bad, or nothing."""
    try:
        info = gdb.parse_and_eval("$_siginfo")
        code = int(info["si_code"])
        if name == "SIGABRT":
            sender = int(info["_sifields"]["_kill"]["si_pid"])
            if sender != gdb.selected_inferior().pid:
                return "a signal came from another process"
            return _abort_doubt()
        if code <= 0:
            return "a signal was sent to the program"
        if name in ("SIGSEGV", "SIGBUS") and int(info["_sifields"]["_sigfault"]["si_addr"]) >= 4096:
            return "it used memory that it may not use: whether its arguments were at fault is not certain"
    except gdb.error as problem:
        return f"gdb: {problem}"
    return ""


def _abort_doubt() -> str:
    """Checks of the C library and of the compiler find damaged memory, for which the call need not be to blame."""
    frame = gdb.newest_frame()
    for _ in range(_FRAMES):
        if frame is None:
            return ""
        name = frame.name() or ""
        if name.startswith(("malloc_printerr", "__stack_chk_fail", "__fortify_fail", "__chk_fail", "__asan")):
            return "the C library found damaged memory"
        frame = frame.older()
    return ""
