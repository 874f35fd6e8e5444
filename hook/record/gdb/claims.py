"""What a contract says of the extents of memory on one call (``c_extents.py``), before and after it. Runs inside gdb.

Only what is said under conditions that are true here is taken. Where it is not known whether something more is said, or
how much, the call is left out: what is recorded could be too small, or hold memory that is no part of an object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from memory import LeftOutError, Memory, Region  # type: ignore[import-not-found]
from terms import NoValueError, NullError, Terms, Typed  # type: ignore[import-not-found]

_MOST_BOUND = 256
_COMPUTED = ("+", "-", "&")
_VAGUE = "the contract does not say plainly how much memory {} leads to"
_TOO_MANY = "the contract speaks of more elements than are recorded"

Wanted = tuple[int, int, int, int, bool, bool]
"""(address, element's type, first, last, whether it is a range, whether that begins elsewhere than at a pointer)."""


@dataclass(frozen=True)
class Said:
    """One extent on one call: ``wanted`` where it is known, else ``address`` where that is. ``sure``: it is said."""

    extent: dict[str, Any]
    wanted: Wanted | None
    address: int | None
    sure: bool


class Claims:
    """The extents of one function in one state. ``pointers`` gives the (address, type) in some values."""

    def __init__(
        self,
        memory: Memory,
        terms: Terms,
        values: Callable[[str], Typed | None],
        pointers: Callable[[list[Typed]], list[tuple[int, int]]],
    ) -> None:
        self._memory = memory
        self._terms = terms
        self._values = values
        self._pointers = pointers

    def said(self, extents: list[dict[str, Any]], *, after: bool) -> list[Said]:
        """What is said, or may be, of the state before or after the call. Raises LeftOutError."""
        found: list[Said] = []
        for extent in extents:
            if extent["after"] == after:
                for _ in self._bindings(extent["binders"], [0]):
                    one = self._one(extent)
                    found += [] if one is None else [one]
        self._terms.bound.clear()
        return found

    def _bindings(self, binders: list[Any], count: list[int]) -> Iterator[None]:
        if not binders:
            count[0] += 1
            if count[0] > _MOST_BOUND:
                raise LeftOutError(_TOO_MANY)
            yield
            return
        (name, first, last), *rest = binders
        try:
            low, high = self._terms.integer(first), self._terms.integer(last)
        except NullError:
            return
        except NoValueError:
            self._terms.bound[name] = None  # nor has what it stands in a value
            yield from self._bindings(rest, count)
            return
        if high - low >= _MOST_BOUND:
            raise LeftOutError(_TOO_MANY)
        for number in range(low, high + 1):
            self._terms.bound[name] = number
            yield from self._bindings(rest, count)
        self._terms.bound.pop(name, None)

    def _one(self, extent: dict[str, Any]) -> Said | None:
        truths = [self._terms.truth(one) for one in extent["conditions"]]
        if False in truths:
            return None
        sure = None not in truths
        address = None
        try:
            if extent["base"] is None:
                raise NoValueError
            address, target = self._terms.pointer(extent["base"])
            if address == 0:
                return None
            first, last = self._terms.integer(extent["first"]), self._terms.integer(extent["last"])
        except NullError:
            return None
        except NoValueError:
            return Said(extent, None, address, sure)
        ranged = (extent["first"], extent["last"]) != (0, 0)
        shifted = first != 0 or (isinstance(extent["base"], list) and extent["base"][0] in _COMPUTED)
        return Said(extent, (address, target, first, last, ranged, shifted), address, sure)

    def taken(self, said: list[Said]) -> tuple[list[Wanted], set[int]]:
        """The extents to record, and the addresses of those of which no more can be meant.

        One object that may not be meant is recorded too: what the pointer leads to is followed all the same.
        """
        known = [one for one in said if one.wanted is not None and (one.sure or not one.wanted[4])]
        wanted = [one.wanted for one in known if one.wanted is not None]
        return list(dict.fromkeys(wanted)), {o.wanted[0] for o in known if o.wanted is not None and o.extent["exact"]}

    def check_before(self, said: list[Said], regions: list[Region]) -> None:
        """Nothing more than ``regions`` may be meant. Raises LeftOutError."""
        extents = [region for region in regions if region.extent]
        for one in said:
            if one.wanted is None:
                self._check_vague(one, extents)
            elif not one.sure and one.wanted[4] and not self._covers(extents, one.wanted):
                raise LeftOutError(_vague(one))

    def check_after(self, said: list[Said], regions: list[Region]) -> None:
        """What is said of memory that was there before must be in ``regions``. Raises LeftOutError."""
        known = [region for region in regions if not region.blank]
        for one in said:
            if one.wanted is None:
                self._check_vague(one, known)
                continue
            low, high = self._bytes(one.wanted)
            inside = any(r.address < high and low < r.end for r in regions)
            inside = inside or any(r.address <= one.wanted[0] < r.end for r in regions)
            if inside and low < high and not self._covers(known, one.wanted):
                raise LeftOutError("the contract speaks of more memory after the call than is known of before it")

    def _check_vague(self, one: Said, known: list[Region]) -> None:
        values = [value for name in one.extent["names"] for value in [self._values(name)] if value is not None]
        addresses = [a for a, _ in self._pointers(values) if a] if one.address is None else [one.address]
        if one.extent["soft"]:
            addresses = [a for a in addresses if not any(r.address <= a <= r.end for r in known)]
        if addresses:
            raise LeftOutError(_vague(one))

    def _bytes(self, wanted: Wanted) -> tuple[int, int]:
        address, target, first, last, *_ = wanted
        size = self._memory.layouts.opened(target)["s"]
        return address + first * size, address + (last + 1) * size

    def _covers(self, regions: list[Region], wanted: Wanted) -> bool:
        low, high = self._bytes(wanted)
        for region in sorted(regions, key=lambda r: r.address):
            if region.address <= low < region.end:
                low = region.end
        return low >= high


def _vague(one: Said) -> str:
    return _VAGUE.format(" or ".join(one.extent["names"][:4]) or "a pointer")
