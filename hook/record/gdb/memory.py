"""What a call can reach in memory: regions, found from its arguments by their types and the contract's extents.

A region is ``count`` objects of one type from an address on, with its bytes at the entry. Nothing is cut: where a limit
is reached, or memory cannot be read, the call is left out. Runs inside gdb; standard library only.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gdb  # type: ignore[import-untyped]
from given_back import is_given_back  # type: ignore[import-not-found]
from layouts import Layouts  # type: ignore[import-not-found]

_REGIONS = 64
_REGION_BYTES = 1 << 16
_REGION_LEAVES = 1024
_STEP = 64


class LeftOutError(Exception):
    """The call cannot be recorded; the text says why."""


@dataclass
class Region:
    """``count`` objects of type ``type`` at ``address``.

    ``extent``: the contract says how many there are, ``ranged``: as a range,
    ``shifted``: as one that begins elsewhere than where a pointer leads to. ``blank``: that there are none, so that
    the pointer needs a place, and what lies there is not the call's. ``freed``: gone when the call was over. ``dead``:
    no object was there when it began.
    """

    address: int
    type: int
    count: int
    before: bytes
    extent: bool = False
    ranged: bool = False
    shifted: bool = False
    blank: bool = False
    variable: str = ""
    constant: bool = False
    freed: bool = False
    dead: bool = False

    @property
    def end(self) -> int:
        """The address after the last byte."""
        return self.address + len(self.before)

    def data(self, after: bytes | None) -> dict[str, Any]:
        """The region ready for JSON, with what it holds afterwards (None: not known)."""
        return {
            "address": self.address,
            "type": self.type,
            "count": self.count,
            "ranged": self.ranged,
            "shifted": self.shifted,
            "blank": self.blank,
            "variable": self.variable,
            "constant": self.constant,
            "freed": self.freed,
            "before": self.before.hex(),
            "after": None if after is None else after.hex(),
        }


@dataclass(frozen=True)
class Limits:
    """How much of one call is recorded."""

    depth: int
    elements: int
    text: int


class Memory:
    """Reads one process."""

    def __init__(self, layouts: Layouts, limits: Limits, program: int) -> None:
        self.layouts = layouts
        self._limits = limits
        # Paths are made once: to make one takes as long as to read a small file of /proc.
        self._proc = Path(f"/proc/{program}")
        self._maps_file, self._stat_file = self._proc / "maps", self._proc / "stat"
        self._inferior = gdb.selected_inferior()
        self._maps_text = b""
        self._maps: list[tuple[int, int, str, str]] = []
        self._read_maps()

    def read(self, address: int, size: int) -> bytes | None:
        """The bytes, or None where they cannot be read."""
        if address <= 0 or address + size >= 1 << 64:
            return None
        try:
            return bytes(self._inferior.read_memory(address, size))
        except (gdb.error, gdb.MemoryError, OverflowError):
            return None

    def word(self, address: int) -> int | None:
        """The pointer-sized number at an address."""
        found = self.read(address, 8)
        return None if found is None else int.from_bytes(found, "little")

    def region(self, address: int, number: int, count: int, **how: Any) -> Region:
        """A new region as it is now. Raises LeftOutError."""
        what = self.layouts.opened(number)
        size = what["s"] * count
        if size > _REGION_BYTES or self.layouts.leaves(number) * count > _REGION_LEAVES:
            raise LeftOutError(f"it is given an object of {size} bytes, more than is recorded")
        content = self.read(address, size)
        if content is None:
            raise LeftOutError("memory that it is given cannot be read")
        how.setdefault("constant", self.is_read_only(address, size))
        return Region(address, number, count, content, **how)

    def extents(self, wanted: list[tuple[int, int, int, int, bool, bool]]) -> list[Region]:
        """Regions for the contract's extents, see ``claims.Wanted``. Raises LeftOutError."""
        found = []
        for address, number, first, last, ranged, shifted in wanted:
            count = last - first + 1
            what = self.layouts.opened(number)
            if what.get("no") is not None:
                continue
            if count <= 0:
                found.append(Region(address, number, 1, bytes(what["s"]), extent=True, ranged=True, blank=True))
                continue
            longest = self._limits.text if _is_character(what) else self._limits.elements
            if count > longest:
                raise LeftOutError(f"it is given {count} elements, more than the {longest} that are recorded")
            how = {"extent": True, "ranged": ranged, "shifted": shifted}
            found.append(self.region(address + first * what["s"], number, count, **how))
        return found

    def may_be_cut(self, region: Region, others: list[Region]) -> bool:
        """Whether ``\\valid_read(s)`` may be the first character of a string only."""
        if (
            region.ranged
            or region.blank
            or region.before == b"\0"
            or not _is_character(self.layouts.opened(region.type))
        ):
            return False
        return not any(r.ranged and r.address <= region.address < r.end for r in others)

    def follow(self, seeds: list[tuple[int, int]], regions: list[Region], dead: tuple[int, int] = (0, 0)) -> None:
        """Add to ``regions`` what the pointers (address, pointer's type) lead to, and what that leads to.

        Between the addresses ``dead`` there is no object.
        """
        todo = [(address, number, 1) for address, number in seeds]
        for region in regions:
            todo += [(address, number, 1) for address, number in self.pointers_in(region, region.before)]
        while todo:
            address, number, depth = todo.pop(0)
            new = None if dead[0] <= address < dead[1] else self._target(address, number, depth, regions)
            if new is not None:
                regions.append(new)
                todo += [(a, n, depth + 1) for a, n in self.pointers_in(new, new.before)]
            if len(regions) > _REGIONS:
                raise LeftOutError(f"it is given more than {_REGIONS} objects")

    def _target(self, address: int, number: int, depth: int, regions: list[Region]) -> Region | None:
        target = self.layouts.descriptions[number]["t"]
        if address == 0 or self.layouts.opened(target).get("no") is not None:
            return None  # of a pointer to what is not supported only the pure side can tell whether that matters
        if any(r.address <= address < r.end and _fits(r, address, target) for r in regions):
            return None
        if any(r.extent and r.type == target and r.end == address for r in regions):
            return None  # one past the end of what the contract says there is
        if depth > self._limits.depth:
            raise LeftOutError(f"it is given memory behind more than {self._limits.depth} pointers")
        if self.read(address, 1) is None or is_given_back(self, address):
            return None  # it was not initialised, or what it led to is gone
        if _is_character(self.layouts.descriptions[target]):
            return self._string(address, target)
        return self.region(address, target, 1)

    def _string(self, address: int, target: int) -> Region:
        content = b""
        while b"\0" not in content:
            if len(content) > self._limits.text:
                raise LeftOutError(f"it is given a string of more than {self._limits.text} characters")
            # Never across a page that may not be there.
            step = min(_STEP, 4096 - (address + len(content)) % 4096)
            more = self.read(address + len(content), step)
            if more is None:
                raise LeftOutError("memory that it is given cannot be read")
            content += more
        length = content.index(b"\0") + 1
        if length > self._limits.text:
            raise LeftOutError(f"it is given a string of more than {self._limits.text} characters")
        return Region(address, target, length, content[:length], constant=self.is_read_only(address, length))

    def pointers_in(self, region: Region, content: bytes) -> list[tuple[int, int]]:
        """The (address, pointer's type) in a region's content."""
        size = self.layouts.descriptions[region.type]["s"]
        inner = self.layouts.pointers(region.type)
        return [
            (int.from_bytes(content[start : start + 8], "little"), number)
            for index in range(region.count if inner else 0)
            for offset, number in inner
            for start in [index * size + offset]
        ]

    def constant_targets(self, seeds: list[tuple[int, int]], regions: list[Region]) -> None:
        """Add what pointers lead to in memory that cannot be written: it was the same before the call."""
        for address, number in seeds:
            target = self.layouts.descriptions[number]["t"]
            what = self.layouts.opened(target)
            if any(r.address <= address <= r.end for r in regions) or what.get("no") or not self.is_read_only(address):
                continue
            if self.layouts.pointers(target):
                continue
            try:
                added = self._string(address, target) if _is_character(what) else self.region(address, target, 1)
            except LeftOutError:
                continue  # then it is one pointer that is not known
            if added.constant:
                regions.append(added)

    def is_read_only(self, address: int, size: int = 1) -> bool:
        """Whether all bytes are in memory that the program may read and not write."""
        rights = self._rights(address, size)
        if None in rights:
            self._read_maps()
            rights = self._rights(address, size)
        return all(one is not None and one.startswith("r-") and not one.endswith("s") for one in rights)

    def is_any_shared(self, regions: list[Region]) -> bool:
        """Whether some lie in memory that other processes may have too (``MAP_SHARED``), or that is not known."""
        if not regions:
            return False
        self._read_maps()
        rights = [one for region in regions for one in self._rights(region.address, len(region.before))]
        return any(one is None or one.endswith("s") for one in rights)

    def unchanging(self, region: Region, after: bytes) -> bool:
        """Whether a constant has stayed one over the call: the function may have made its page writable."""
        self._read_maps()
        is_kept = bool(region.variable) or self.is_read_only(region.address, len(region.before))
        return region.constant and after == region.before and is_kept

    def catches(self, number: int) -> bool:
        """Whether the program has a handler for a signal, or that cannot be told."""
        # proc(5): SigCgt is a mask in hexadecimal, whose lowest bit is signal 1.
        try:
            status = (self._proc / "status").read_text("utf-8", "replace")
        except OSError:
            return True
        caught = status.partition("SigCgt:")[2].split()
        return not caught or bool(int(caught[0], 16) >> (number - 1) & 1)

    def below(self, stack: int) -> tuple[int, int]:
        """From where to where a stack is unused when a function is entered: no caller has anything there.

        The return address is no object either. Where the stack is a part of other memory, what is below it may be one.
        """
        mapping = self.mapping(stack)
        return (mapping[0], stack + 8) if mapping is not None else (0, 0)

    def is_heap(self, address: int) -> bool:
        """Whether an address may be in memory that ``free`` takes: neither a file's nor a stack's."""
        name = next((n for start, end, _, n in self._maps if start <= address < end), "")
        return name in ("", "[heap]")

    def _rights(self, address: int, size: int) -> set[str | None]:
        """The rights of all mappings that so many bytes cross, None among them where some are in none."""
        found: set[str | None] = set()
        last = address + size
        for start, end, rights, _ in self._maps:  # in the order of their addresses (proc(5))
            if end <= address:
                continue
            if start > address or address >= last:
                break
            found.add(rights)
            address = end
        return found if address >= last else found | {None}

    def mapping(self, address: int) -> tuple[int, int, str, str] | None:
        """The mapping (start, end, rights, name) that holds an address now."""
        return next((one for one in self._read_maps() if one[0] <= address < one[1]), None)

    def refresh(self) -> None:
        """Look at the mappings as they are now: the program may have changed the rights of a page."""
        self._read_maps()

    def _read_maps(self) -> list[tuple[int, int, str, str]]:
        """All mappings as they are now. They are asked for at each stop and hardly ever change: parsed only then."""
        text = self._maps_file.read_bytes()
        if text != self._maps_text:
            self._maps_text, self._maps = text, _mappings(text)
        return self._maps

    def own_seconds(self) -> float:
        """The processor time that the program has used."""
        # proc(5): utime and stime are the 14th and 15th field; the second may hold blanks and parentheses.
        fields = self._stat_file.read_text("utf-8", "replace").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def threads(self) -> int:
        """How many threads the program has."""
        return len(os.listdir(self._proc / "task"))  # noqa: PTH208

    def functions_at(self, seeds: list[tuple[int, int]]) -> dict[str, str]:
        """The names of functions that pointers to functions lead to, by their address in decimal."""
        found = {}
        for address, number in seeds:
            target = self.layouts.descriptions[number]["t"]
            if address and self.layouts.descriptions[target]["k"] == "func":
                block = gdb.block_for_pc(address)
                while block is not None and block.function is None:
                    block = block.superblock
                if block is not None and int(block.function.value().address) == address:
                    found[str(address)] = block.function.name
        return found


def _mappings(text: bytes) -> list[tuple[int, int, str, str]]:
    # proc(5): start-end, rights, offset, device, inode, and a name that may hold anything but a line's end.
    found = []
    for line in text.decode("utf-8", "replace").split("\n"):
        parts = line.split(None, 5)
        if parts:
            start, _, end = parts[0].partition("-")
            found.append((int(start, 16), int(end, 16), parts[1], parts[5].strip() if len(parts) > 5 else ""))
    return found


def _is_character(what: dict[str, Any]) -> bool:
    return bool(what["k"] == "int" and what["s"] == 1 and what["n"] == "char")


def _fits(region: Region, address: int, target: int) -> bool:
    # The very object is there already; another type at the same place becomes a region of its own, and the pure side
    # finds out whether one lies in the other (a field of a struct) or the two contradict each other.
    return region.type == target and (address - region.address) % (len(region.before) // region.count) == 0
