"""How a function was compiled, by its machine code and its types. Runs inside gdb; standard library only."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import re
from collections.abc import Iterable
from typing import Any

import gdb  # type: ignore[import-untyped]
from constants import constants  # type: ignore[import-not-found]

_SYMBOL = re.compile(r"(?:\$?0x[0-9a-f]+(?:\(%rip\)\s+# 0x[0-9a-f]+)?)\s+<([^>+]*)(?:\+\d+)?>")
_VERSION = re.compile(r"@[\w.@]+>")  # ``puts@plt``, ``stderr@GLIBC_2.2.5``
_PLACE = re.compile(r"\s+# 0x[0-9a-f]+\s*$")
_RELATIVE = re.compile(r"-?0x[0-9a-f]+\(%rip\)(?:\s+# 0x[0-9a-f]+)?")
_ABSOLUTE = re.compile(r"0x([0-9a-f]{6,})\b")
_LOADED = re.compile(r"(?:mov|lea)\s+-?0x[0-9a-f]+\(%rip\),(%r\w+)")
_OF_A_THREAD = re.compile(r"%fs:(?!0x28\b)|__tls_get_addr")
_PRODUCER = "Producer is "


def instructions(block: Any, entry: int) -> list[str]:
    """A function's instructions as text."""
    code = gdb.selected_inferior().architecture().disassemble(entry, max(entry, int(block.end) - 1))
    return [str(one["asm"]) for one in code]


def jumps_to(code: Iterable[str], address: int) -> bool:
    """Whether some instruction jumps to an address."""
    to = re.compile(rf"\bj\w+\s+0x0*{address:x}\b")
    return any(to.search(one) for one in code)


def build_of(symbol: Any, code: Iterable[str]) -> dict[str, str]:
    """How a function was compiled: by what, into which instructions, with which types; addresses do not matter.

    The compiler's own line (``producer``) has its options but for ``-D`` and ``-U``: two programs that differ in the
    code and not in that line were made of one source that was preprocessed in two ways.
    """
    code = list(code)
    plain = "\n".join(_without_addresses(one) for one in code)
    kind = symbol.type
    types = [kind.target(), *(f.type for f in kind.fields())]
    shown = "; ".join(_shown(one) for one in types)
    build = {"code": _digest(plain), "types": _digest(shown), "producer": _producer(symbol)}
    build["constants"] = _digest("\n".join(constants(code)))
    build["threads"] = "local" if any(_OF_A_THREAD.search(one) for one in code) else ""
    return build


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def _without_addresses(text: str) -> str:
    loaded = _LOADED.match(text)
    if loaded is not None:
        return f"load {loaded[1]}"  # an address from a table, or itself: the linker turns one into the other (-fPIC)
    text = _RELATIVE.sub("?(%rip)", _SYMBOL.sub(r"<\1>", text))
    text = _PLACE.sub("", _VERSION.sub(">", text))
    # What is left of long numbers is an address where the program is mapped there, as programs without PIE have them.
    return _ABSOLUTE.sub(lambda found: "?" if is_in_file(int(found[1], 16)) else found[0], text)


def is_in_file(address: int) -> bool:
    """Whether an address is in a section of the process's files: a thread's own variables are in none."""
    return any(start <= address < end for start, end in mapped_sections())


@functools.cache
def mapped_sections() -> list[tuple[int, int]]:
    """Where the sections of the process's files are; to be forgotten for another process."""
    found = re.findall(r"(0x[0-9a-f]+) - (0x[0-9a-f]+) is \.", gdb.execute("info files", to_string=True))
    return [(int(start, 16), int(end, 16)) for start, end in found]


def _shown(gdb_type: Any) -> str:
    bare = gdb_type.strip_typedefs()
    inner = bare
    while inner.code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_ARRAY):
        inner = inner.target().strip_typedefs()
    fields = ""
    if inner.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        fields = ",".join(f"{f.name}:{f.type.strip_typedefs()}@{getattr(f, 'bitpos', '')}" for f in inner.fields())
    return f"{bare} {bare.sizeof}{'{' + fields + '}' if fields else ''}"


def _producer(symbol: Any) -> str:
    with contextlib.suppress(gdb.error):  # the source is not there: the place is the current one all the same
        gdb.execute(f"list *{int(symbol.value().address):#x}", to_string=True)
    try:
        lines = gdb.execute("info source", to_string=True).splitlines()
    except gdb.error:
        return ""
    found = [line[len(_PRODUCER) :] for line in lines if line.startswith(_PRODUCER)]
    return found[0].removesuffix(".")[:1000] if len(found) == 1 else ""
