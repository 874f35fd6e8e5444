"""Whether what ran is what clausefit reads: sources are compiled anew with its own macros and include folders.

``-D``, ``-U``, ``-I`` and ``-include`` leave no trace in the debug information, but all other options do: the same
compiler gives the same code for the same text. Where it gives another one, other macros or headers were in use, or the
source was changed later. Where the compiler is not here, or the source cannot be compiled alone, nothing is known.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from clausefit.hook.compile_commands import CompilerSettings
from clausefit.hook.record.c_calls import Build, ProcessCalls
from clausefit.verifiers.process import Completed, ToolMissing

SCRIPT = Path(__file__).resolve().parent / "gdb" / "own_builds.py"
OTHERWISE = (
    "the program was built of other macros or headers than clausefit reads it with, or of an older text: build it "
    "again, or name them (compile_commands.json, `defines` and `include_dirs` in .clausefit.yaml)"
)
_PRODUCER = re.compile(r"GNU C\d+ (\d+(?:\.\d+)+)((?: .*)?)", re.DOTALL)
_OPTION = re.compile(r"-(?:f|m|O|g|std=)[\w=,.+:-]*|--(?:coverage|param=[\w=-]+)")
_NO_EFFECT = re.compile(
    r"-fpreprocessed|-fdirectives-only|-fdiagnostics[\w=-]*|-fmessage-length=\d+|-f\w+-prefix-map=.*"
)
_DEPENDS = re.compile(
    r"-flto|-fplugin|-fprofile-(?:use|generate|values)|-fauto-profile|-fno-plt|-fdump|-fwhole-program"
)
_LONGEST = 990
"""A line of options that is cut is not known."""
_SECONDS = 60.0
_LARGEST = 4 << 20
_HARMLESS: tuple[tuple[str, ...], ...] = (
    (),
    ("_GNU_SOURCE",),
    ("_FORTIFY_SOURCE=2",),
    ("_GNU_SOURCE", "_FORTIFY_SOURCE=2"),
    ("_GNU_SOURCE", "_FORTIFY_SOURCE=3"),
)
"""Macros that only the headers of the C library read: with them it is the same program."""
_MOST_MEMORY = 4 << 30
_STUB = ".globl {0}\n{0}: .skip 16\n"
_TABLE = "_GLOBAL_OFFSET_TABLE_"  # the linker makes it
_NAME = re.compile(r"[\w.$]+")

Runner = Callable[..., Completed]
Settings = Callable[[str], CompilerSettings]
Key = tuple[str, str]


@dataclass(frozen=True)
class _Wanted:
    """A source that is to be compiled: its real path, that in the workspace, the compiler's line, and more macros."""

    source: str
    file: str
    producer: str
    macros: tuple[str, ...] = ()


def mark_otherwise_built(processes: Sequence[ProcessCalls], builds: OwnBuilds) -> None:
    """Note in the calls of functions that are not what clausefit reads that it is so."""
    otherwise = builds.otherwise(processes)
    for one in processes:
        bad = {key for key, build in one.builds if (key, build) in otherwise}
        one.calls = [
            replace(call, otherwise=OTHERWISE) if (call.watched.file, call.watched.function) in bad else call
            for call in one.calls
        ]


def _is_otherwise(build: Build, own: Build | None) -> bool:
    if own is None or build.threads or own.producer != build.producer:
        return False
    if (build.code, build.types, build.constants) == (own.code, own.types, own.constants):
        return False
    # What is around a function, as in a test that includes the source, changes its code only where that is optimised.
    return build.unit or " -O0" in build.producer or " -O" not in build.producer


class OwnBuilds:
    """Compiles sources of ``workspace`` as ``settings`` say, each once for each line of a compiler."""

    def __init__(self, workspace: Path, settings: Settings, run: Runner) -> None:
        self._workspace, self._settings, self._run = workspace, settings, run
        self._versions: dict[str, str] = {}
        self._until = 0.0

    def otherwise(self, processes: Iterable[ProcessCalls]) -> set[tuple[Key, Build]]:
        """The builds of functions that are for certain none of what clausefit reads."""
        seen: dict[tuple[Key, Build], set[str]] = {}
        for one in processes:
            for key, build in one.builds:
                seen.setdefault((key, build), set()).update(one.sources.get(key, ()))
        self._until = time.monotonic() + _SECONDS
        left = set(seen)
        for macros in _HARMLESS:
            wanted: dict[_Wanted, set[str]] = {}
            for key, build in left:
                for source in seen[key, build]:
                    if source and not (macros and _mentions(source, macros)):
                        wanted.setdefault(_Wanted(source, key[0], build.producer, macros), set()).add(key[1])
            own = self._of(wanted)
            left = {(key, build) for key, build in left if self._stays(build, own.get((key, build.producer)), macros)}
        return left

    @staticmethod
    def _stays(build: Build, own: Build | None, macros: tuple[str, ...]) -> bool:
        """Whether a build is still another one: what cannot be compiled at first is not known, later nothing is new."""
        return bool(macros) if own is None else _is_otherwise(build, own)

    def _of(self, wanted: Mapping[_Wanted, set[str]]) -> Mapping[tuple[Key, str], Build]:
        """By function and compiler's line how clausefit's own build looks, where there is one."""
        with tempfile.TemporaryDirectory(prefix="clausefit-own-") as made:
            folder = Path(made)
            sources = sorted(wanted.items(), key=repr)
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                made_of = pool.map(lambda one: self._program(one[1][0], folder, one[0]), enumerate(sources))
                programs = {
                    str(program): (source, sorted(functions))
                    for program, (source, functions) in zip(made_of, sources, strict=True)
                    if program is not None
                }
            return self._look(programs, folder) if programs else {}

    def _program(self, wanted: _Wanted, folder: Path, number: int) -> Path | None:
        options = self._options(wanted.producer)
        compiler = None if options is None else self._compiler(wanted.producer)
        if options is None or compiler is None:
            return None
        text, stub = folder / f"{number}.c", folder / f"{number}.s"
        thing, others, program = folder / f"{number}.o", folder / f"{number}s.o", folder / f"{number}.out"
        is_header = not wanted.source.endswith(".c")
        if is_header:
            text.write_text(f'#include "{wanted.source}"\n', encoding="utf-8", errors="surrogateescape")
            options += ["-fkeep-inline-functions", "-fkeep-static-functions"]
        settings = [*_words(self._settings(self._file_of(wanted))), *(f"-D{macro}" for macro in wanted.macros)]
        source = str(text) if is_header else wanted.source
        if not self._done([compiler, *options, *settings, "-w", "-c", source, "-o", str(thing)], folder):
            return None
        undefined = self._done(["nm", "-u", "-P", str(thing)], folder)
        names = [line.split()[0] for line in (undefined.stdout if undefined else "").splitlines() if line.strip()]
        if undefined is None or not all(_NAME.fullmatch(name) for name in names):
            return None
        body = "".join(_STUB.format(name) for name in dict.fromkeys(names) if name != _TABLE)
        stub.write_text(f'.text\n{body}.section .note.GNU-stack,"",@progbits\n', encoding="utf-8")
        if not self._done([compiler, "-c", str(stub), "-o", str(others)], folder):
            return None
        ways = [["-shared"]] if " -fPIC" in wanted.producer else [["-pie", "--no-dynamic-linker"]]
        for how in (*ways, []):  # what is not position-independent can only be put as usual
            if self._done(["ld", *how, "-e", "0", str(thing), str(others), "-o", str(program)], folder):
                return program
        return None

    def _file_of(self, wanted: _Wanted) -> str:
        source, top = Path(wanted.source), self._workspace.resolve()
        return source.relative_to(top).as_posix() if source.is_relative_to(top) else wanted.file

    def _options(self, producer: str) -> list[str] | None:
        """The options that a compiler's line has; None where the code depends on more than them and the source."""
        line = _PRODUCER.fullmatch(producer)
        if line is None or len(producer) > _LONGEST:
            return None
        words = [word for word in line[2].split() if not _NO_EFFECT.fullmatch(word)]
        if any(_DEPENDS.match(word) or not _OPTION.fullmatch(word) for word in words):
            return None
        return words

    def _compiler(self, producer: str) -> str | None:
        line = _PRODUCER.fullmatch(producer)
        version = line[1] if line is not None else ""
        for name in ("gcc", f"gcc-{version.partition('.')[0]}"):
            if name not in self._versions:
                asked = self._done([name, "-dumpfullversion"], self._workspace) if shutil.which(name) else None
                self._versions[name] = asked.stdout.strip() if asked is not None else ""
            if self._versions[name] == version:
                return name
        return None

    def _look(self, programs: Mapping[str, tuple[_Wanted, list[str]]], folder: Path) -> Mapping[tuple[Key, str], Build]:
        asked = folder / "asked.json"
        asked.write_text(json.dumps([[path, names] for path, (_one, names) in programs.items()]), encoding="utf-8")
        argv = ["gdb", "-nx", "-nh", "-q", "-batch", "-iex", "set auto-load off", "-x", str(SCRIPT)]
        done = self._done(argv, folder, {"CLAUSEFIT_OWN": str(asked), "LC_ALL": "C.UTF-8"})
        found: dict[tuple[Key, str], Build] = {}
        for line in (done.stdout if done is not None else "").splitlines():
            try:
                answer = json.loads(line)
                wanted, build = programs[answer["program"]][0], answer["build"]
                key = (wanted.file, str(answer["function"])), wanted.producer
                code, types, held = (str(build[name]) for name in ("code", "types", "constants"))
                found[key] = Build(code, types, wanted.producer, held)
            except (ValueError, KeyError, TypeError):
                continue  # not known then, as where the compiler is not there
        return found

    def _done(self, argv: list[str], cwd: Path, environment: Mapping[str, str] | None = None) -> Completed | None:
        """What a program that ended well said; None for all else: no compiler, other sources, no time left."""
        left = self._until - time.monotonic()
        if left <= 0:
            return None
        try:
            done = self._run(argv, cwd=cwd, timeout=left, environment=environment, memory_bytes=_MOST_MEMORY)
        except (ToolMissing, OSError):
            return None
        return done if done.exit_status == 0 and not done.timed_out else None


def _mentions(source: str, macros: Iterable[str]) -> bool:
    try:
        with Path(source).open("rb") as file:
            text = file.read(_LARGEST)
    except OSError:
        return True
    return any(macro.partition("=")[0].encode() in text for macro in macros)


def _words(settings: CompilerSettings) -> list[str]:
    words = [f"-D{define}" for define in settings.defines] + [f"-U{name}" for name in settings.undefines]
    for option, paths in (
        ("-iquote", settings.quote_dirs),
        ("-I", settings.include_dirs),
        ("-isystem", settings.system_dirs),
        ("-include", settings.forced_includes),
    ):
        for path in paths:
            words += [option, str(path)]
    return words
