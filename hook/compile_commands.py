"""How a test file is compiled: include folders and macros, from ``compile_commands.json`` or by convention.

The database comes from the project under test, so it is hostile: only a few kinds of options are taken, and a folder
outside of the workspace and the system's own is refused, by name.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

SYSTEM_FOLDERS = ("/usr/include", "/usr/lib", "/usr/local/include", "/usr/local/lib")
_DATABASE = "compile_commands.json"
_LARGEST_DATABASE = 64 * 1024 * 1024
_MACRO = re.compile(r"[A-Za-z_]\w*(\([\w, .]*\))?(=.*)?", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w*")
_STANDARD = re.compile(r"(c|gnu|iso9899:)[0-9][0-9a-z]{1,5}")
_OTHER_SIZES = re.compile(
    r"-m(16|32|x32|ms-bitfields|long-double-\d+)|-funsigned-char|-fshort-(enums|double|wchar)|-fpack-struct.*"
    r"|-ffast-math|-Ofast|-funsafe-math-optimizations|-fsingle-precision-constant"
)
_PATH_OPTIONS = ("-isystem", "-iquote", "-include", "-I")
_VALUED = (*_PATH_OPTIONS, "-D", "-U")


@dataclass(frozen=True)
class CompilerSettings:
    """What the preprocessor is told.

    ``other_sizes`` are options under which types have other sizes or arithmetic than assumed; ``problems`` are
    sentences for people about what was not taken.
    """

    include_dirs: tuple[Path, ...] = ()
    quote_dirs: tuple[Path, ...] = ()
    system_dirs: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    forced_includes: tuple[Path, ...] = ()
    standard: str | None = None
    other_sizes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass
class _Collected:
    dirs: dict[str, list[Path]] = field(default_factory=lambda: {option: [] for option in _PATH_OPTIONS})
    macros: dict[str, str | None] = field(default_factory=dict)
    standard: str | None = None
    other_sizes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def inside(path: Path, folder: Path) -> bool:
    """Whether a path, symbolic links followed, is the folder or below it."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # a loop of links, a NUL in the name
        return False


def allowed(path: Path, workspace: Path) -> bool:
    """Whether a file or folder may be read: in the workspace or a system include folder."""
    return inside(path, workspace) or any(inside(path, Path(folder)) for folder in SYSTEM_FOLDERS)


def databases(workspace: Path) -> list[Path]:
    """The compilation databases of a workspace: at its root and in build folders directly below it."""
    found = [workspace / _DATABASE, *sorted(workspace.glob(f"*/{_DATABASE}"))]
    return [path for path in found if path.is_file() and inside(path, workspace)]


def settings_for(
    file: Path, workspace: Path, folders: Sequence[Path] = (), database: Path | None = None
) -> CompilerSettings:
    """The settings for one file; never raises.

    An entry of ``database`` (else of the workspace's own databases) for the file decides. Without one, the file's
    folder, the workspace, its ``include`` and ``src``, the given ``folders`` and the include folders of the database's
    other entries are used.
    """
    problems: list[str] = []
    entries: list[dict[str, Any]] = []
    for path in [database] if database is not None else databases(workspace):
        loaded, problem = _load(path)
        entries += loaded
        problems += [problem] if problem else []
    target = file.resolve()
    for entry in entries:
        if _entry_file(entry) == target:
            settings = _settings(_parsed(entry, workspace))
            return replace(
                settings,
                include_dirs=_distinct([*settings.include_dirs, *(f for f in folders if allowed(f, workspace))]),
                problems=(*problems, *settings.problems),
            )
    usual = [file.parent, workspace, workspace / "include", workspace / "src", *folders]
    others = [path for entry in entries[:500] for path in _parsed(entry, workspace).dirs["-I"]]
    dirs = [path for path in [*usual, *others] if path.is_dir() and allowed(path, workspace)]
    return CompilerSettings(include_dirs=_distinct(dirs), problems=tuple(problems))


def _distinct(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(paths))


def _load(path: Path) -> tuple[list[dict[str, Any]], str | None]:
    try:
        if path.stat().st_size > _LARGEST_DATABASE:
            return [], f"{path}: the compilation database is too large"
        data = json.loads(path.read_text(encoding="utf-8", errors="replace"))
    except (OSError, ValueError, RecursionError) as error:
        return [], f"{path}: the compilation database cannot be read ({type(error).__name__})"
    if not isinstance(data, list):
        return [], f"{path}: the compilation database is not a list"
    return [entry for entry in data if isinstance(entry, dict)], None


def _entry_file(entry: dict[str, Any]) -> Path | None:
    name, folder = entry.get("file"), entry.get("directory", "")
    if not isinstance(name, str) or not isinstance(folder, str):
        return None
    try:
        return (Path(folder) / name).resolve()
    except (OSError, RuntimeError, ValueError):
        return None


def _words(entry: dict[str, Any]) -> list[str]:
    arguments, command = entry.get("arguments"), entry.get("command")
    if isinstance(arguments, list):
        return [word for word in arguments if isinstance(word, str)]
    if isinstance(command, str):
        try:
            return shlex.split(command)
        except ValueError:
            return []
    return []


def _parsed(entry: dict[str, Any], workspace: Path) -> _Collected:
    found = _Collected()
    folder = entry.get("directory", "")
    base = Path(folder) if isinstance(folder, str) else workspace
    words = iter(_words(entry)[1:])
    for word in words:
        option = next((option for option in _VALUED if word.startswith(option)), None)
        if option is not None and not word.startswith("-include-pch"):
            _take(option, word[len(option) :] or next(words, ""), base, workspace, found)
        elif word.startswith("-std=") and _STANDARD.fullmatch(word[5:]):
            found.standard = word[5:]
        elif _OTHER_SIZES.fullmatch(word):
            found.other_sizes.append(word)
    return found


def _take(option: str, value: str, base: Path, workspace: Path, found: _Collected) -> None:
    if any(ord(letter) < 0x20 and letter != "\t" for letter in f"{base}{value}"):
        # gcc would end a macro at a new line, and write a name in a way that is hard to read back.
        found.problems.append(f"{option} {value[:80]!r} holds control characters and is not taken")
    elif option == "-D":
        if _MACRO.fullmatch(value):
            found.macros[re.split(r"[(=]", value, maxsplit=1)[0]] = value
        else:
            found.problems.append(f"the macro definition {value[:40]!r} is not taken")
    elif option == "-U":
        if _NAME.fullmatch(value):
            found.macros[value] = None
    elif not value or not allowed(base / value, workspace):
        found.problems.append(f"{option} {value[:80]!r} is outside of the workspace and is not taken")
    else:
        found.dirs[option].append((base / value).resolve())


def _settings(found: _Collected) -> CompilerSettings:
    return CompilerSettings(
        include_dirs=_distinct(found.dirs["-I"]),
        quote_dirs=_distinct(found.dirs["-iquote"]),
        system_dirs=_distinct(found.dirs["-isystem"]),
        defines=tuple(value for value in found.macros.values() if value is not None),
        undefines=tuple(name for name, value in found.macros.items() if value is None),
        forced_includes=_distinct(found.dirs["-include"]),
        standard=found.standard,
        other_sizes=tuple(found.other_sizes),
        problems=tuple(found.problems),
    )
