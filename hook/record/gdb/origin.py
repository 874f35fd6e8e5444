"""Whose function a symbol is: the file that it was compiled from, and other names for its code. Runs inside gdb."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import struct
from typing import Any

import gdb  # type: ignore[import-untyped]

_LARGEST = 256 << 20
_TESTING = re.compile(r"test|mock|fake|stub|spec", re.IGNORECASE)
_SYMBOLS = (2, 11)  # SHT_SYMTAB, SHT_DYNSYM
_DYNAMIC = 11  # SHT_DYNSYM
_FUNCTIONS = (2, 10)  # STT_FUNC, STT_GNU_IFUNC
_FILES = 4  # STT_FILE
_PAGE = 0xFFF
_ENDBR = b"\xf3\x0f\x1e\xfa"


def compiled_from(symbol: Any) -> str | None:
    """The real path of the file that defines a function; None where the debug information does not say for certain.

    gdb's own ``fullname`` looks for a file of that name in other folders too, so it is not asked.
    """
    named = symbol.symtab.filename
    if not os.path.isabs(named):  # noqa: PTH117
        folder = _compilation_folder(symbol)
        if folder is None or not os.path.isabs(folder):  # noqa: PTH117
            return None
        named = os.path.join(folder, named)  # noqa: PTH118
    real = os.path.realpath(named)
    return real if os.path.isfile(real) else None  # noqa: PTH113


def _compilation_folder(symbol: Any) -> str | None:
    with contextlib.suppress(gdb.error):  # the source is not there: the place is the current one all the same
        gdb.execute(f"list *{int(symbol.value().address):#x}", to_string=True)
    try:
        lines = gdb.execute("info source", to_string=True).splitlines()
    except gdb.error:
        return None
    if f"Current source file is {symbol.symtab.filename}" not in lines:
        return None
    found = [line.partition(" is ")[2] for line in lines if line.startswith("Compilation directory is ")]
    return found[0] if len(found) == 1 else None


def why_not_its_definition(symbol: Any, watched: dict[str, Any], workspace: str) -> str | None:
    """None where a symbol is the watched function; else why it is not taken, empty where it is plainly another one."""
    real, root = compiled_from(symbol), os.path.realpath(workspace)
    if real is None:
        named = symbol.symtab.filename
        if watched["file"] and os.path.basename(named) != os.path.basename(watched["file"]):  # noqa: PTH119
            return ""
        return f"the debug information names its file as {named[:120]}, which is not found: build without path maps"
    if watched["file"]:
        if real == os.path.realpath(os.path.join(root, watched["file"])):  # noqa: PTH118
            return None
        alike = real.endswith("/" + watched["file"])
        return f"the program was built from another folder ({real[:120]})" if alike else ""
    if not real.startswith(root + "/"):
        return f"the program has one that is not of this workspace ({real[:120]})"
    if _TESTING.search(real[len(root) :]) or _has_main(real):
        return f"the program has one that a test file defines ({real[len(root) + 1 :][:120]})"
    return None


def _has_main(real: str) -> bool:
    main = gdb.lookup_global_symbol("main")
    return main is not None and main.is_function and compiled_from(main) in (real, None)


def other_names(path: str, name: str, entry: int) -> list[str] | None:
    """Other functions whose code is that of ``name`` at ``entry`` (identical code folding); None: it cannot be told.

    GCC folds functions whose addresses may be compared by making one a jump to the other. A function of the source that
    only passes its call on looks the same, and is taken for one as well.
    """
    named, jumps = functions_of(path)
    places = {value for value, names in named.items() if name in names and value & _PAGE == entry & _PAGE}
    if not places:
        return None
    alike = {other for value in places for other in named[value]}
    alike |= {other for value, to in jumps.items() if to in places for other in named[value]}
    # GCC's own name for it, by which it calls itself in a library (-fPIC).
    return sorted(one for one in alike if one != name and one.partition(".localalias")[0] != name)


@functools.cache
def functions_of(path: str) -> tuple[dict[int, set[str]], dict[int, int]]:
    """The names of functions in an ELF file (64 bits, little-endian) by their address, and where to some only jump."""
    try:
        if os.stat(path).st_size > _LARGEST:  # noqa: PTH116
            return {}, {}
        with open(path, "rb") as file:  # noqa: PTH123
            return _elf_functions(file.read())
    except (OSError, struct.error, IndexError, ValueError):
        return {}, {}


def is_unit(symbol: Any) -> bool:
    """Whether a source of the name that defines a function was compiled by itself, and not only included by others."""
    return os.path.basename(symbol.symtab.filename) in _units(symbol.symtab.objfile.filename)  # noqa: PTH119


@functools.cache
def _units(path: str) -> frozenset[str]:
    """The names of the sources that an ELF file was compiled from (STT_FILE), empty where it does not say."""
    found = set()
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            image = file.read(_LARGEST)
        sections = sections_of(image)
        for _name, kind, _flags, _address, offset, size, link in sections:
            texts = sections[link][4] if kind == _SYMBOLS[0] else 0
            entries = struct.iter_unpack("<IBBHQQ", image[offset : offset + size]) if kind == _SYMBOLS[0] else ()
            for text, info, _other, _section, _value, _size in entries:
                if info & 15 == _FILES:
                    name = image[texts + text : image.index(b"\0", texts + text)].decode("utf-8", "replace")
                    found.add(os.path.basename(name))  # noqa: PTH119
    except (OSError, struct.error, IndexError, ValueError):
        return frozenset()
    return frozenset(found)


@functools.cache
def names_linked(path: str) -> frozenset[str] | None:
    """The names in an ELF file for which another file's function may stand: its dynamic symbols. None: not readable.

    What the file defines itself is among them: where a program has the same name, that is called (ELF, gABI 5).
    """
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            image = file.read(_LARGEST)
        sections, found = sections_of(image), set()
        for _name, kind, _flags, _address, offset, size, link in sections:
            texts = sections[link][4] if kind == _DYNAMIC else 0
            entries = struct.iter_unpack("<IBBHQQ", image[offset : offset + size]) if kind == _DYNAMIC else ()
            for text, _info, _other, _section, _value, _size in entries:
                if text:
                    found.add(image[texts + text : image.index(b"\0", texts + text)].decode("utf-8", "replace"))
    except (OSError, struct.error, IndexError, ValueError):
        return None
    return frozenset(found)


def sections_of(image: bytes) -> list[tuple[int, int, int, int, int, int, int]]:
    """The sections of an ELF file: name, type, flags, address, offset, size, link (System V gABI, section header).

    Raises struct.error for what is no such file.
    """
    (start,) = struct.unpack_from("<Q", image, 0x28)
    width, count = struct.unpack_from("<HH", image, 0x3A)
    found = []
    for index in range(count):
        name, kind, flags, address, offset, size, link = struct.unpack_from("<IIQQQQI", image, start + index * width)
        found.append((name, kind, flags, address, offset, size, link))
    return found


def _elf_functions(image: bytes) -> tuple[dict[int, set[str]], dict[int, int]]:
    found: dict[int, set[str]] = {}
    jumps: dict[int, int] = {}
    if image[:6] != b"\x7fELF\x02\x01":
        return found, jumps
    sections = sections_of(image)
    count = len(sections)
    for _name, kind, _flags, _address, offset, size, link in sections:
        if kind not in _SYMBOLS:
            continue
        texts = sections[link][4]
        for text, info, _other, section, value, _size in struct.iter_unpack("<IBBHQQ", image[offset : offset + size]):
            if info & 15 not in _FUNCTIONS or not 0 < section < count:
                continue
            name = image[texts + text : image.index(b"\0", texts + text)].decode("utf-8", "replace")
            # A dynamic symbol's version is not part of its name.
            found.setdefault(value, set()).add(name.partition("@")[0])
            to = _jump(image, value, value - sections[section][3] + sections[section][4])
            if to is not None:
                jumps[value] = to
    return found, jumps


def _jump(image: bytes, address: int, offset: int) -> int | None:
    """Where the code at an address jumps to at once: ``jmp rel32`` or ``jmp rel8``."""
    skipped = 4 if image[offset : offset + 4] == _ENDBR else 0
    code = image[offset + skipped : offset + skipped + 5]
    for operation, size in ((0xE9, 5), (0xEB, 2)):
        if len(code) == 5 and code[0] == operation:
            return address + skipped + size + int.from_bytes(code[1:size], "little", signed=True)
    return None
