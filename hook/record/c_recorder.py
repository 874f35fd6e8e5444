"""The C recorder's edge: a small library that is preloaded into the test command's programs, and what gdb wrote.

gdb is not started here: the preloaded library (``shim.c``) asks for it in each program that holds a watched function,
and it attaches from outside. So nothing of the program's own streams, signals, process number or exit status changes.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Self

from clausefit.hook.record.c_builds import without_mixed, without_unsure_results
from clausefit.hook.record.c_calls import ProcessCalls
from clausefit.hook.record.c_endings import EndingsOfFiles
from clausefit.hook.record.c_ends import noted_ends, with_ends
from clausefit.hook.record.c_layout import BadRecord
from clausefit.hook.record.c_own_builds import OwnBuilds, Settings, mark_otherwise_built
from clausefit.hook.record.c_problems import Cut, left_out_of, problems_of, unseen_by, was_watched
from clausefit.hook.record.c_watched import watch_data
from clausefit.hook.record.watched import RecorderProblem, Recording, RecordLimits, WatchedFunction
from clausefit.verifiers import process
from clausefit.verifiers.process import Completed, ToolMissing

SOURCE = Path(__file__).resolve().parent / "shim.c"
SCRIPT = Path(__file__).resolve().parent / "gdb" / "recorder.py"
CHILDREN_SECONDS = 10.0
"""How long forked children may wait together until they are watched, however short the run is."""
_COMPILE_SECONDS = 60.0
_PATIENCE_SECONDS = 10.0
_TICK_SECONDS = 0.02
_LIMIT_SECONDS = 0.5
"""Some times the pause in which the part inside gdb looks for what it is told."""
_MOST_BYTES = 256 * 1024 * 1024
_MOST_LINE = 4 * 1024 * 1024

Runner = Callable[..., Completed]


class CRecorder:
    """Records the calls of ``watched`` in every program that the test command starts. A context manager.

    ``cache`` is the folder in which the compiled library is kept (made when it is missing). ``settings`` say how
    clausefit reads a source (workspace path): functions that were built otherwise are left out.
    """

    def __init__(
        self,
        workspace: Path,
        watched: Sequence[WatchedFunction],
        limits: RecordLimits,
        cache: Path,
        run: Runner = process.run,
        settings: Settings | None = None,
    ) -> None:
        self._workspace, self._watched, self._limits = workspace.resolve(), tuple(watched), limits
        self._cache, self._run, self._settings = cache, run, settings
        self._stack = contextlib.ExitStack()
        self._folder = Path()
        self._shim = Path()

    def __enter__(self) -> Self:
        """Compiles the library if that has not been done, and writes down what is to be watched.

        Raises RecorderProblem: another machine than x86-64 Linux, no gdb or one without Python, no gcc, no place.
        """
        if platform.system() != "Linux" or platform.machine() != "x86_64":
            raise RecorderProblem(
                f"C calls can be recorded on x86-64 Linux only, and this is {platform.machine()} {platform.system()}: "
                "record there, and commit .clausefit/pins"
            )
        gdb = _found("gdb", "install it (apt install gdb)")
        try:
            with contextlib.ExitStack() as stack:
                self._shim = self._compiled()
                # Readable for this user only (mkdtemp): the values may be anything that tests work on.
                self._folder = Path(tempfile.mkdtemp(prefix="clausefit-record-"))
                stack.callback(_remove, self._folder)
                self._check(gdb)
                self._write(gdb)
                self._stack = stack.pop_all()
        except OSError as problem:
            raise RecorderProblem(f"the C recorder cannot be set up: {problem.strerror or problem}") from problem
        return self

    def __exit__(self, *_: object) -> None:
        """Removes what was recorded; programs that still run go on, unwatched once their gdb finds no folder."""
        self._stack.close()

    def environment(self) -> dict[str, str]:
        """The variables for the test command: LD_PRELOAD and settings of sanitizers, with what they hold already.

        The address sanitizer refuses to start where another library comes first, and the leak sanitizer does not work
        under a debugger (sanitizer flags ``verify_asan_link_order``, ``detect_leaks``).
        """
        before = os.environ
        return {
            "CLAUSEFIT_RECORD": str(self._folder),
            "LD_PRELOAD": ":".join(filter(None, (str(self._shim), before.get("LD_PRELOAD", "")))),
            "ASAN_OPTIONS": ":".join(
                filter(None, (before.get("ASAN_OPTIONS", ""), "verify_asan_link_order=0", "detect_leaks=0"))
            ),
            "LSAN_OPTIONS": ":".join(filter(None, (before.get("LSAN_OPTIONS", ""), "detect_leaks=0"))),
        }

    def limit_reached(self, seconds: float) -> None:
        """Tells every gdb, and gives it time to look at the calls under way. On a full disk these are left out."""
        with contextlib.suppress(OSError):
            new = self._folder / "limit.new"
            new.write_text(str(seconds), encoding="ascii")
            new.replace(self._folder / "limit")
            time.sleep(_LIMIT_SECONDS)

    def finish(self) -> Recording:
        """What was recorded, once the test command has ended. What was written before a gdb died is kept."""
        files = sorted(self._folder.glob("calls.*.jsonl"))
        deadline = time.monotonic() + _PATIENCE_SECONDS
        found = [self._read(path, deadline) for path in files]
        endings = EndingsOfFiles(self._workspace)
        more = without_mixed(found)
        if self._settings is not None:
            mark_otherwise_built(found, OwnBuilds(self._workspace, self._settings, self._run))
        more += without_unsure_results(found, endings.may_lack_return)
        options = ":".join(os.environ.get(name, "") for name in ("ASAN_OPTIONS", "LSAN_OPTIONS"))
        with_ends(found, noted_ends(self._folder / "ends"), leaks_fail="detect_leaks=0" not in options.split(":"))
        return Recording(
            tuple(call for one in found for call in one.calls),
            (*left_out_of(found), *more),
            problems_of(found, self._watched, self._limits, self._cut()),
            len(found),
            unseen_by(found),
            was_watched=was_watched(found, self._cut()),
        )

    def _cut(self) -> Cut:
        let_go = self._folder / "let-go"
        return Cut((self._folder / "enough").exists(), let_go.stat().st_size if let_go.exists() else 0)

    def _compiled(self) -> Path:
        """The library, compiled once for each content of its source."""
        source = SOURCE.read_bytes()
        folder = self._cache
        library = folder / f"shim-{hashlib.sha256(source).hexdigest()[:24]}.so"
        if library.is_file():
            return library
        gcc = _found("gcc", "install it (apt install gcc libc6-dev)")
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as made:
            new = Path(made) / "shim.so"
            argv = [gcc, "-shared", "-fPIC", "-O2", "-pthread", "-o", str(new), str(SOURCE)]
            done = self._call(argv, Path(made))
            if done.exit_status != 0 or not new.is_file():
                raise RecorderProblem(
                    f"gcc cannot compile the recorder ({_last_line(done.stderr)}): install gcc and libc6-dev"
                )
            new.chmod(0o700)
            new.replace(library)
        return library

    def _check(self, gdb: str) -> None:
        done = self._call([gdb, "-nx", "-nh", "-batch", "-ex", "python print('clausefit')"], self._folder)
        if "clausefit" not in done.stdout:
            raise RecorderProblem(
                f"gdb does not work here or has no Python ({_last_line(done.stderr)}): install your system's gdb"
            )

    def _call(self, argv: list[str], folder: Path) -> Completed:
        try:
            return self._run(argv, cwd=folder, timeout=_COMPILE_SECONDS)
        except ToolMissing as problem:
            raise RecorderProblem(f"{problem.name} cannot be started: install it again") from problem

    def _write(self, gdb: str) -> None:
        names = dict.fromkeys(one.function for one in self._watched)
        limits = (round(self._limits.slowdown * 100), round(CHILDREN_SECONDS * 1000))
        strings = [gdb, str(SCRIPT), str(self._workspace), *map(str, limits), *names]
        (self._folder / "watch").write_bytes(b"".join(os.fsencode(one) + b"\0" for one in strings))
        data = watch_data(self._watched, self._limits, str(self._workspace))
        (self._folder / "watch.json").write_text(json.dumps(data), encoding="utf-8")

    def _read(self, path: Path, deadline: float) -> ProcessCalls:
        """What one gdb wrote. It holds a lock on its file while it works; its last line may be cut."""
        calls = ProcessCalls(self._watched)
        with path.open("rb") as file:
            while not _is_free(file.fileno()) and time.monotonic() < deadline:
                time.sleep(_TICK_SECONDS)
            calls.still_runs = not _is_free(file.fileno())
            for line in _lines(file):
                try:
                    calls.feed(json.loads(line))
                except (ValueError, RecursionError, BadRecord):
                    calls.broken += 1
        return calls


def _remove(folder: Path) -> None:
    """Remove what was recorded, also while a gdb that is about to wait for another process writes a file there."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while folder.exists() and time.monotonic() < deadline:
        shutil.rmtree(folder, ignore_errors=True)
        if folder.exists():
            time.sleep(_TICK_SECONDS)


def _lines(file: Iterable[bytes]) -> Iterable[bytes]:
    size = 0
    for line in file:
        size += len(line)
        if size > _MOST_BYTES:
            return
        if line.endswith(b"\n") and len(line) <= _MOST_LINE:
            yield line


def _is_free(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _found(name: str, advice: str) -> str:
    found = shutil.which(name, path=process.safe_environment()["PATH"])
    if found is None:
        raise RecorderProblem(f"{name} was not found: {advice}")
    return found


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return (lines[-1] if lines else "it said nothing")[:200]
