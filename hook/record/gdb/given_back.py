"""Whether memory of the heap was given back before a call began, by how glibc's malloc marks it. Runs inside gdb.

glibc (malloc/malloc.c): a chunk begins 16 bytes before what is handed out, its size with three flags 8 bytes before;
the lowest flag of the next chunk says whether this one is used. What lies in a thread's cache counts as used, and has
the cache's key in its second word (``tcache_entry``, from 2.30 on with 64 counts of 2 bytes before the 64 lists). Not
found is what lies in a fast bin, and what is not at the beginning of what was handed out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory import Memory  # type: ignore[import-not-found]

_CACHE_CHUNK = 0x290
_CACHE_LISTS = 16 + 128
_LISTS = 64
_LEAST = 32
_NOT_OF_MAIN = 6


def is_given_back(memory: Memory, address: int) -> bool:
    """Whether what malloc had handed out at an address was given back."""
    mapping = memory.mapping(address)
    size = memory.word(address - 8)
    if mapping is None or mapping[3] != "[heap]" or address % 16 or size is None:
        return False
    if _is_cached(memory, address, mapping[0]):
        return True
    chunk, length = address - 16, size & ~7
    if size & _NOT_OF_MAIN or length < _LEAST or length % 16:
        return False
    if chunk + length == mapping[1]:
        return True  # the rest of the heap, that was never handed out or has become a part of it
    following = memory.word(chunk + length + 8) if chunk + length + 16 <= mapping[1] else None
    return following is not None and not following & 1


def _is_cached(memory: Memory, address: int, heap: int) -> bool:
    header, key = memory.word(heap + 8), memory.word(address + 8)
    lists = memory.read(heap + _CACHE_LISTS, 8 * _LISTS)
    if header is None or header & ~7 != _CACHE_CHUNK or lists is None or not key:
        return False
    entries = [int.from_bytes(lists[at : at + 8], "little") for at in range(0, len(lists), 8)]
    first = next((entry for entry in entries if entry), 0)
    return bool(first and memory.word(first + 8) == key)
