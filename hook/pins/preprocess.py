"""Runs ``gcc -E`` on a test file, with our stand-ins for the headers of test frameworks.

The file is hostile: no shell, a scrubbed environment, limits on time, memory and output, and nothing is used when a
file outside of the workspace and the system's include folders was read.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from clausefit.hook.compile_commands import CompilerSettings, allowed, inside
from clausefit.hook.pins.c_source import SHIM_PREFIX
from clausefit.verifiers.process import ToolMissing, run

SHIMS = Path(__file__).resolve().parent / "c_headers"
_LARGEST_OUTPUT = 64 * 1024 * 1024
_MOST_MEMORY = 2 * 1024**3
_MARKER = re.compile(r'^# (\d+) "((?:[^"\\\n]|\\.)*)"([ \d]*)$', re.MULTILINE)
_LIKE_MARKER = re.compile(r'^# \d+ "', re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_ESCAPE = re.compile(r"\\([0-7]{1,3}|.)")
_VENDORED = {
    "unity.h": ("unity.h", "UNITY_BEGIN"),
    "unity_fixture.h": ("unity_fixture.h", "TEST_GROUP"),
    "cmocka.h": ("cmocka.h", "cmocka_run_group_tests"),
    "check.h": ("check.h", "START_TEST"),
    "criterion.h": ("criterion/criterion.h", "criterion"),
    "gtest.h": ("gtest/gtest.h", "RUN_ALL_TESTS"),
}
"""Framework headers that a project may carry itself: name → our stand-in, and a word that only the real one has."""


@dataclass(frozen=True)
class Preprocessed:
    """The preprocessed text; ``file`` and the line markers are relative to the workspace (system files absolute)."""

    text: str
    file: str


@dataclass(frozen=True)
class PreprocessError:
    """Why a file could not be preprocessed, one line for people."""

    reason: str


def preprocess(
    file: Path, workspace: Path, settings: CompilerSettings, timeout: float = 20.0, *, directives: bool = False
) -> Preprocessed | PreprocessError:
    """The preprocessed text of a C (or C-like C++) file, or why there is none; ``directives``: with ``#define``s."""
    workspace = workspace.resolve()
    if not inside(file, workspace) or not file.is_file():
        return PreprocessError(f"{file} is not a file in the workspace")
    if settings.other_sizes:
        return PreprocessError(f"compiled with {' '.join(settings.other_sizes)}, which changes types or numbers")
    compiler = shutil.which("gcc")
    if compiler is None:
        return PreprocessError("gcc is not installed, and it is needed to preprocess C tests")
    text = _run(compiler, file, settings, [], timeout, directives)
    if isinstance(text, PreprocessError):
        return text
    carried = _carried(text)
    if carried:
        text = _run(compiler, file, settings, carried, timeout, directives)
        if isinstance(text, PreprocessError):
            return text
    return _with_places(text, file, workspace)


def _command(compiler: str, file: Path, settings: CompilerSettings, forced: list[str]) -> list[str]:
    command = [compiler, "-E", "-x", "c", f"-std={settings.standard or 'gnu11'}", "-w"]
    command += [f"-D{define}" for define in settings.defines] + [f"-U{name}" for name in settings.undefines]
    for folder in settings.quote_dirs:
        command += ["-iquote", str(folder)]
    for folder in settings.include_dirs:
        command += ["-I", str(folder)]
    # After the project's own folders and before the system's: a project may have its own "check.h".
    for folder in (SHIMS, *settings.system_dirs):
        command += ["-isystem", str(folder)]
    for header in [*(SHIMS / name for name in forced), *settings.forced_includes]:
        command += ["-include", str(header)]
    return [*command, str(file.resolve())]


def _run(
    compiler: str, file: Path, settings: CompilerSettings, forced: list[str], timeout: float, directives: bool
) -> str | PreprocessError:
    command = _command(compiler, file, settings, forced)
    command[1:1] = ["-dD"] if directives else []
    try:
        done = run(
            command, cwd=file.parent, timeout=timeout, memory_bytes=_MOST_MEMORY, output_limit=_LARGEST_OUTPUT + 1
        )
    except (ToolMissing, OSError) as problem:
        return PreprocessError(f"gcc could not be started: {problem}")
    if done.timed_out:
        return PreprocessError(f"preprocessing {file.name} took longer than {timeout:g} s")
    if done.output_truncated or len(done.stdout_bytes) > _LARGEST_OUTPUT:
        return PreprocessError(f"{file.name} is too large after preprocessing")
    if done.exit_status != 0:
        return PreprocessError(_first_error(done.stderr, done.exit_status))
    return done.stdout_bytes.decode("utf-8", "surrogateescape")


def _first_error(text: str, status: int | None) -> str:
    line = next((line for line in text.splitlines() if "error" in line), f"status {status}")
    return f"preprocessing failed: {line.strip()[:300]}"


def _names(text: str) -> set[str]:
    """The names of the files that were read, without those that ``_unread_marker`` is about."""
    names = (_unescaped(match[2]) for match in _MARKER.finditer(text))
    return {name for name in names if name is not None}


def _unescaped(name: str) -> str | None:
    """The name in a line marker; None where it has control characters, or escapes of them (cpp_quote_string of GCC).

    No name that we pass has one, and what such a name leads to could not be told for sure.
    """
    if any(escape not in '\\"' for escape in _ESCAPE.findall(name)):
        return None
    plain = _ESCAPE.sub(r"\1", name)
    return None if _CONTROL.search(plain) else plain


def _unread_marker(text: str) -> str | None:
    """A line marker whose name cannot be read; it may stand for a file anywhere."""
    readable = {match.start() for match in _MARKER.finditer(text) if _unescaped(match[2]) is not None}
    odd = next((match.start() for match in _LIKE_MARKER.finditer(text) if match.start() not in readable), None)
    return None if odd is None else text[odd : odd + 200].split("\n")[0]


def _carried(text: str) -> list[str]:
    """Our stand-ins for the framework headers that the project carries itself and that were read instead."""
    found: list[str] = []
    for name in sorted(_names(text)):
        path = Path(name)
        if path.name not in _VENDORED or inside(path, SHIMS):
            continue
        shim, word = _VENDORED[path.name]
        try:
            with path.open(encoding="utf-8", errors="replace") as stream:
                content = stream.read(1_000_000)
        except (OSError, ValueError):  # a name from a #line directive
            continue
        if word in content and shim not in found:
            found.append(shim)
    return found


def _with_places(text: str, file: Path, workspace: Path) -> Preprocessed | PreprocessError:
    """The text with its line markers' names relative to the workspace; an error when it read a forbidden file."""
    odd = _unread_marker(text)
    if odd is not None:
        return PreprocessError(f"it includes a file whose name holds a control character ({odd!r})")
    names: dict[str, str] = {}
    for name in _names(text):
        path = Path(name)
        if name.startswith("<"):
            names[name] = name
        elif inside(path, SHIMS):
            names[name] = SHIM_PREFIX + path.resolve().relative_to(SHIMS).as_posix()
        elif inside(path, workspace):
            names[name] = path.resolve().relative_to(workspace).as_posix()
        elif allowed(path, workspace):
            names[name] = str(path)
        elif path.is_absolute() or ".." in path.parts:
            return PreprocessError(f"it includes {name[:200]!r}, which is outside of the workspace")
        else:
            names[name] = name  # written by a #line directive

    def renamed(match: re.Match[str]) -> str:
        name = names[_unescaped(match[2]) or ""].replace("\\", "\\\\").replace('"', '\\"')
        return f'# {match[1]} "{name}"{match[3]}'

    return Preprocessed(_MARKER.sub(renamed, text), file.resolve().relative_to(workspace).as_posix())
