"""Types as words: one spelling for each, and what the evaluator must know of the basic ones (x86_64 Linux)."""

from __future__ import annotations

import re
from functools import lru_cache

from clausefit.hook.pins.c_types import FloatType, IntType, basic

_QUALIFIERS = frozenset({"const", "volatile", "restrict", "__restrict", "__restrict__"})
_PART = re.compile(r"\w+|[^\s\w]")

# ISO C 7.20.1 and 7.19; the widths are those of the System V ABI for AMD64.
_STANDARD = {
    "size_t": "unsigned long",
    "ssize_t": "long",
    "ptrdiff_t": "long",
    "intptr_t": "long",
    "uintptr_t": "unsigned long",
    "intmax_t": "long",
    "uintmax_t": "unsigned long",
    "bool": "_Bool",
    "int8_t": "signed char",
    "int16_t": "short",
    "int32_t": "int",
    "int64_t": "long",
    "uint8_t": "unsigned char",
    "uint16_t": "unsigned short",
    "uint32_t": "unsigned int",
    "uint64_t": "unsigned long",
}
TYPE_WORDS = frozenset({
    "void", "_Bool", "char", "short", "int", "long", "signed", "unsigned", "float", "double",
    "integer", "real", "boolean", "struct", "union", "enum", *_QUALIFIERS, *_STANDARD,
})  # fmt: skip


@lru_cache(maxsize=1024)
def normal(text: str) -> str:
    """The type without qualifiers and with one blank between its parts: ``int *`` for ``const int*``."""
    parts = [part for part in _PART.findall(text) if part not in _QUALIFIERS]
    words = [part for part in parts if part[0] not in "*([])"]
    rest = parts[len(words) :] if parts[: len(words)] == words else None
    if rest is None:
        return " ".join(parts)
    name = _STANDARD.get(words[0], words[0]) if len(words) == 1 else " ".join(words)
    known = basic(name.split())
    if isinstance(known, IntType | FloatType):
        name = known.name
    return " ".join([name, *rest])


@lru_cache(maxsize=1024)
def number_type(text: str) -> IntType | FloatType | None:
    """The machine type that a name stands for; None for everything else (pointers, structs, ``integer``)."""
    known = basic(normal(text).split())
    return known if isinstance(known, IntType | FloatType) else None


@lru_cache(maxsize=1024)
def pointee(text: str) -> str:
    """What a pointer type points to, in normal spelling; ``""`` where that cannot be told."""
    spelled = normal(text)
    if "( * )" in spelled:
        return " ".join(spelled.replace("( * )", "", 1).split())
    return spelled[:-1].strip() if spelled.endswith("*") else ""


def size_of(text: str) -> int | None:
    """``sizeof`` of a basic type or a pointer in bytes; None for everything else."""
    if normal(text).endswith("*"):
        return 8
    known = number_type(text)
    return None if known is None else max(8, known.width) // 8


def wrapped(value: int, target: IntType) -> int:
    """``value`` modulo the width of the type, in its range (ACSL 1.17 §2.2.4, casts to an integral C type)."""
    cut = value & ((1 << target.width) - 1)
    return cut - (1 << target.width) if target.signed and cut >> (target.width - 1) else cut
