"""Finds the functions to watch in the programs and libraries of a process. Runs inside gdb."""

from __future__ import annotations

import functools
import os
import re
from dataclasses import dataclass, field
from typing import Any

import abi  # type: ignore[import-not-found]
import gdb  # type: ignore[import-untyped]
from code_text import build_of, instructions, is_in_file, jumps_to  # type: ignore[import-not-found]
from layouts import Layouts  # type: ignore[import-not-found]
from origin import compiled_from, is_unit, other_names, why_not_its_definition  # type: ignore[import-not-found]

SYSTEM = ("/usr/", "/bin/", "/sbin/", "/lib", "/opt/", "/snap/", "/nix/", "/gnu/", "system-supplied")

# C17 6.5.2.2: what a function without a prototype is given as int or double.
_PROMOTED: tuple[str, ...] = ("float", "char", "signed char", "unsigned char", "short", "unsigned short", "short int")
_PROMOTED += ("short unsigned int", "_Bool", "bool")
_PROTOTYPED = re.compile(r"^flags\b.*\bTYPE_PROTOTYPED\b", re.MULTILINE)  # not indented: of the function itself
_LARGEST_IMAGE = 16 << 20
# What GCC writes of itself among the names: it is not there where these are compressed or in another file.
_PLAIN_DEBUG = b"GNU C"
_DEBUG = (b"debug_info", b".gnu_debuglink", b".gnu_debugaltlink")
_PLAIN_FILE = re.compile(r"[\w./+-]{1,300}")


@dataclass
class Function:
    """One function at one address. ``places`` are its arguments' places; ``result`` is a type's number."""

    number: int
    name: str
    file: str
    entry: int
    parameters: list[tuple[str, Any, int]]
    places: list[list[tuple[str, int]]]
    result: int | None
    result_places: list[tuple[str, int]] | None
    variables: list[tuple[str, int, int, bool]]
    extents: list[Any]
    sizes: dict[str, int]
    loops: bool
    build: dict[str, str]


@dataclass
class Found:
    """The functions, and lines about those that cannot be watched."""

    functions: list[Function] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    reports: list[dict[str, Any]] = field(default_factory=list)


def find_functions(watch: dict[str, Any], layouts: Layouts, mapped: set[str]) -> Found:
    """All watched functions of the process to which gdb is attached, whose files are ``mapped``."""
    found = Found()
    objects = [o for o in gdb.objfiles() if o.filename and is_own(o.filename, watch["workspace"])]
    # Named from another folder than the program was started in, it may be another file.
    objects = [o for o in objects if o.filename == gdb.current_progspace().filename or _real(o.filename) in mapped]
    found.files = [o.filename for o in objects]
    for number, one in enumerate(watch["functions"]):
        if one["refused"]:
            found.reports.append({"function": number, "never": one["refused"]})
            continue
        seen: set[int] = set()
        refused = ""
        for symbol in _symbols(one["name"], objects):
            entry = int(symbol.value().address)
            if entry in seen:
                continue
            why = why_not_its_definition(symbol, one, watch["workspace"])
            if why is not None:
                refused = refused or why
                continue
            seen.add(entry)
            try:
                made = _function(number, one, symbol, entry, layouts)
                found.functions.append(made)
                source = compiled_from(symbol) or ""
                found.reports.append(
                    {"function": number, "build": made.build, "source": source, "unit": is_unit(symbol)}
                )
            except abi.NotPassedError as problem:
                found.reports.append({"function": number, "never": str(problem)})
        if refused and not seen:
            found.reports.append({"function": number, "never": refused})
            continue
        reason = _inlined(one["name"], objects) if seen else _why_not_found(one["name"], one["file"], objects)
        if reason:
            found.reports.append({"function": number, "absent": reason})
    return found


def _real(path: str) -> str:
    return os.path.realpath(path)


def is_own(path: str, workspace: str) -> bool:
    """Whether a file may hold code of the project: those of the system hold none."""
    return path.startswith(workspace + "/") or not path.startswith(SYSTEM)


def _symbols(name: str, objects: list[Any]) -> list[Any]:
    candidates = [lookup(name) for o in objects for lookup in (o.lookup_global_symbol, o.lookup_static_symbol)]
    candidates += gdb.lookup_static_symbols(name)
    own = {o.filename for o in objects}
    return [s for s in candidates if s is not None and s.is_function and s.symtab.objfile.filename in own]


def _why_not_found(name: str, file: str, objects: list[Any]) -> str:
    """``inline``, ``nodebug``, or nothing where the program does not have the function at all."""
    if not any(_holds(o.filename, name) for o in objects):
        return ""  # to ask gdb for what is nowhere takes it longer than all else at its start
    if _PLAIN_FILE.fullmatch(file):
        # gdb knows what was inlined only in files whose symbols it has read; to ask for a line makes it read them.
        _places(f"{file}:1")
    places = _places(name)
    own = {o.filename for o in objects}
    if any(sal.symtab is not None and sal.symtab.objfile.filename in own for sal in places):
        return _inlined(name, objects)  # else it is another function of that name
    program = gdb.current_progspace()
    bare = [sal.pc for sal in places if sal.symtab is None]
    return "nodebug" if any((program.solib_name(pc) or program.filename) in own for pc in bare) else ""


@functools.cache
def _image(path: str) -> bytes | None:
    """What a program's file holds; None where it is too large to look through, or its names may stand elsewhere."""
    try:
        if os.stat(path).st_size > _LARGEST_IMAGE:  # noqa: PTH116
            return None
        with open(path, "rb") as file:  # noqa: PTH123
            image = file.read()
    except OSError:
        return None
    return image if _PLAIN_DEBUG in image or not any(mark in image for mark in _DEBUG) else None


def _holds(path: str, name: str) -> bool:
    """Whether a program may have a function of this name, as a symbol or in its debug information."""
    image = _image(path)
    return image is None or name.encode() + b"\0" in image


def _inlined(name: str, objects: list[Any]) -> str:
    """``inline`` where some caller has the function inside of it, else nothing."""
    own = {o.filename for o in objects}
    for place in _places(name):
        if place.symtab is None or place.symtab.objfile.filename not in own:
            continue
        block, outer = gdb.block_for_pc(place.pc), None
        while block is not None and not block.is_static and not block.is_global:
            outer = block.function or outer
            block = block.superblock
        # gdb finds functions of C++ by the last part of their names too.
        if outer is not None and outer.name.partition("(")[0].rpartition("::")[2] != name:
            return "inline"
    return ""


def _places(spec: str) -> Any:
    try:
        return gdb.decode_line(spec)[1] or ()
    except gdb.error:
        return ()  # that is how gdb says that there is no such place


def _function(number: int, watched: dict[str, Any], symbol: Any, entry: int, layouts: Layouts) -> Function:
    shown = gdb.execute(f"info symbol {entry:#x}", to_string=True).split(" in section")[0].strip()
    if shown.startswith(watched["name"] + "."):
        raise abi.NotPassedError(f"the compiler changed how it is called ({shown[:60]})")
    block = gdb.block_for_pc(entry)
    while block is not None and (block.function is None or block.function.name != watched["name"]):
        block = block.superblock
    if block is None or " + " in shown:
        raise abi.NotPassedError("the debug information does not say where it begins")
    others = other_names(symbol.symtab.objfile.filename, watched["name"], entry)
    if others is None:
        raise abi.NotPassedError("the program's table of symbols does not name it: do not strip it")
    if others:
        raise abi.NotPassedError(f"it has the same code as {others[0][:60]}, so their calls are not told apart")
    parameters = [(s.name, s, layouts.number(s.type)) for s in block if s.is_argument]
    if len(parameters) != len(watched["parameters"]):
        raise abi.NotPassedError("the program's function has other parameters than the contract's")
    target = symbol.type.target()
    result = None if target.strip_typedefs().code == gdb.TYPE_CODE_VOID else layouts.number(target)
    for one in [n for _, _, n in parameters] + ([] if result is None else [result]):
        layouts.opened(one)
    types = layouts.descriptions
    narrow = [n for _, _, n in parameters if types[n]["k"] in ("int", "flt") and types[n].get("n") in _PROMOTED]
    if narrow and not _PROTOTYPED.search(gdb.execute(f"maint print type {watched['name']}", to_string=True)):
        raise abi.NotPassedError("it is defined without a prototype, and its arguments are passed as wider types")
    places = abi.places(types, [n for _, _, n in parameters], result)
    code = instructions(block, entry)
    build = build_of(symbol, code)
    # Its line has no options. Dead argument elimination leaves what nobody uses unset, without another name.
    if "clang" in build["producer"] and gdb.lookup_global_symbol(watched["name"]) is None:
        raise abi.NotPassedError(
            "clang may drop what a static function is given or gives where nobody uses it: build the tests with gcc"
        )
    gives = abi.result_places(types, result) if result is not None else None
    return Function(
        number,
        watched["name"],
        symbol.symtab.fullname(),
        entry,
        parameters,
        places,
        result,
        gives,
        _variables(watched["variables"], block, layouts),
        watched["extents"],
        _sizes(watched["sizes"], block),
        jumps_to(code, entry),
        build,
    )


def _sizes(names: list[str], block: Any) -> dict[str, int]:
    """The sizes of types by their names, as the function's own file has them: another may have others of that name."""
    found = {}
    for symbol in block.static_block if names else ():
        if symbol.addr_class == gdb.SYMBOL_LOC_TYPEDEF:
            bare = symbol.type.strip_typedefs()
            kind = {gdb.TYPE_CODE_STRUCT: "struct ", gdb.TYPE_CODE_UNION: "union ", gdb.TYPE_CODE_ENUM: "enum "}
            is_tag = symbol.type.code != gdb.TYPE_CODE_TYPEDEF
            name = kind.get(bare.code, "") + symbol.name if is_tag else symbol.name
            if name in names:
                found[name] = int(bare.sizeof)
    return found


def _variables(names: list[str], block: Any, layouts: Layouts) -> list[tuple[str, int, int, bool]]:
    """(name, address, type, constant) of those names that are variables of the file or the program."""
    found = []
    for name in names:
        symbol = gdb.lookup_symbol(name, block.static_block)[0]
        if symbol is None or not symbol.is_variable:
            continue
        # Not in a frame: gdb means that it needs a thread to find it.
        address = None if symbol.needs_frame else symbol.value().address
        number = layouts.number(symbol.type)
        what = layouts.opened(number)
        if symbol.needs_frame or (address is not None and not is_in_file(int(address))):
            raise abi.NotPassedError(f"the contract speaks of {name}, of which each thread has its own (_Thread_local)")
        if address is not None and what.get("no") is None:
            found.append((name, int(address), number, bool(what["const"])))
        else:
            raise abi.NotPassedError(f"the contract speaks of {name}: {what.get('no', 'it has no address')}")
    return found
