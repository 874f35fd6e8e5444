"""The Java recorder's edge: a program of our own (``jdi/``) to which every JVM of the test command connects.

JAVA_TOOL_OPTIONS makes each JVM call the recorder at its start (JDWP, ``server=n,suspend=y``) and wait until it is told
to go on. A JVM that cannot connect does not start, and says so itself ("transport error 202"): so when the recorder
dies, its port is taken over here, and those that call are let go at once.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

from clausefit.hook.record.java_calls import read_lines
from clausefit.hook.record.java_port import CAN_SHARE, Substitute, reserved_port
from clausefit.hook.record.watched import (
    ClassOrigin,
    LeftOut,
    RecordedCall,
    RecorderProblem,
    Recording,
    RecordLimits,
    WatchedMethod,
)
from clausefit.verifiers import process
from clausefit.verifiers.process import Completed, Conversation, ConversationOver, ToolMissing

SOURCES = Path(__file__).resolve().parent / "jdi"
MAIN_CLASS = "clausefit.record.Main"
_OLDEST_JAVA = "17"
_ADVICE = "install a JDK from 17 on (apt install openjdk-17-jdk-headless), or set JAVA_HOME to one"
_COMPILE_SECONDS = 120.0
_START_SECONDS = 60.0
_FINISH_SECONDS = 30.0
_MEMORY = "128m"
_MOST_SOURCES = 200_000
_MOST_BYTES = 256 * 1024 * 1024
_SKIPPED = frozenset({"target", "build", "out", "node_modules"})
_OPTIONS = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
_DEBUGGER = re.compile(r"-agentlib:jdwp\b|-Xrunjdwp\b|-agentpath:\S*jdwp")
_REFLECTION = ("jdk.internal.reflect.", "java.lang.reflect.", "sun.reflect.", "java.lang.invoke.")

Runner = Callable[..., Completed]


class JavaRecorder:
    """Records the calls of ``watched`` in every JVM that the test command starts. A context manager.

    ``cache`` is the folder in which the compiled recorder is kept (made when it is missing).
    """

    def __init__(
        self,
        workspace: Path,
        watched: Sequence[WatchedMethod],
        limits: RecordLimits,
        cache: Path,
        run: Runner = process.run,
    ) -> None:
        self._workspace, self._watched, self._limits = workspace, tuple(watched), limits
        self._cache, self._run = cache, run
        self._stack = contextlib.ExitStack()
        self._program: Conversation | None = None
        self._substitute: Substitute | None = None
        self._folder = Path()
        self._port = 0

    def __enter__(self) -> Self:
        """Compiles the recorder if that has not been done, and starts it.

        Raises RecorderProblem: another debugger in the environment's options of Java; no JDK,
        too old, without the module jdk.jdi; a folder that cannot be written.
        """
        _refuse_debuggers(os.environ)
        try:
            with contextlib.ExitStack() as stack:
                classes = _compiled(self._cache / "record", self._run)
                # Readable for this user only (mkdtemp): the values may be anything that tests work on.
                self._folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="clausefit-record-")))
                plan = self._folder / "plan"
                plan.write_text(_plan(self._workspace, self._watched, self._limits), "utf-8")
                (self._folder / "raw").mkdir(mode=0o700)
                self._start(stack, classes, plan)
                self._stack = stack.pop_all()
        except OSError as problem:
            raise RecorderProblem(f"the Java recorder cannot be set up: {problem.strerror or problem}") from problem
        return self

    def _start(self, stack: contextlib.ExitStack, classes: Path, plan: Path) -> None:
        reserved = stack.enter_context(reserved_port())
        self._port = reserved.getsockname()[1]
        if not CAN_SHARE:
            reserved.close()
        argv = [_program("java"), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", f"-Xmx{_MEMORY}"]
        argv += ["-Xlog:disable", "-cp", str(classes), MAIN_CLASS, str(plan), str(self._folder / "raw")]
        argv += [str(self._port)]
        try:
            self._program = Conversation(argv, cwd=self._folder)
            stack.callback(self._program.close)
            self._program.ask(b"start", _START_SECONDS)
        except ToolMissing as problem:
            raise RecorderProblem(f"java was not found: {_ADVICE}") from problem
        except ConversationOver as problem:
            raise RecorderProblem(
                f"the Java recorder does not start ({_one_line(str(problem))}): {_ADVICE}"
            ) from problem
        self._substitute = Substitute(self._program.pid, self._port, reserved if CAN_SHARE else None)

    def __exit__(self, *_: object) -> None:
        """Ends the recorder; JVMs that are still connected go on unwatched."""
        if self._substitute is not None:
            self._substitute.stand_down()
        self._stack.close()
        if self._substitute is not None:
            self._substitute.close()

    def environment(self) -> dict[str, str]:
        """JAVA_TOOL_OPTIONS for the test command, with what it holds already."""
        option = f"-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=127.0.0.1:{self._port}"
        return {"JAVA_TOOL_OPTIONS": " ".join(filter(None, (os.environ.get("JAVA_TOOL_OPTIONS", ""), option)))}

    def limit_reached(self, seconds: float) -> None:
        """Ends the watching: calls that have lasted for half of the limit come back no more."""
        if self._program is not None:
            # Where it has died, ``finish`` says so.
            with contextlib.suppress(ConversationOver):
                self._program.ask(f"limit {seconds}".encode("ascii"), _FINISH_SECONDS)

    def finish(self) -> Recording:
        """What was recorded, once the test command has ended. What was written before the recorder died is kept."""
        problems: list[str] = []
        if self._program is not None:
            try:
                if self._substitute is not None:
                    self._substitute.stand_down()
                if self._program.ask(b"finish", _FINISH_SECONDS) != b"done":
                    problems.append(
                        f"not all recorded calls could be written to {self._folder.parent}: make room there (or set "
                        "TMPDIR to another folder), and record again"
                    )
            except ConversationOver as problem:
                detail = _one_line(problem.detail)
                problems.append(
                    "the Java recorder ended before the tests did; calls after that are missing: record again"
                    + (f" ({detail})" if detail else "")
                )
        return _recording(self._folder / "raw", self._watched, problems)


def _refuse_debuggers(environment: Mapping[str, str]) -> None:
    """A JVM takes one agent for debuggers only: with two it does not start."""
    for name in _OPTIONS:
        if _DEBUGGER.search(environment.get(name, "")):
            raise RecorderProblem(
                f"{name} starts a debugger's agent (jdwp), and a JVM takes one only: take it out of {name}, and record "
                "again"
            )


def _recording(raw: Path, watched: Sequence[WatchedMethod], problems: list[str]) -> Recording:
    calls: list[RecordedCall] = []
    left_out: Counter[tuple[str, str]] = Counter()
    origins: set[ClassOrigin] = set()
    programs = bad = unnumbered = 0
    for path in sorted(raw.glob("*.jsonl")):
        programs += path.name.startswith("vm-")
        with path.open("rb") as file:
            found = read_lines(file.read(_MOST_BYTES).decode("ascii", "replace"), watched)
        numbered = [one for one in found.calls if _has_lines(one)]
        calls += numbered
        unnumbered += len(found.calls) - len(numbered)
        problems += found.problems
        origins |= found.origins
        bad += found.bad
        for one in found.left_out:
            left_out[one.function, one.reason] += one.count
    calls = _of_one_class(calls, origins, left_out)
    if bad:
        problems.append(f"{bad} recorded calls could not be read (is the disk full?): they are left out")
    if unnumbered:
        problems.append(
            f"{unnumbered} recorded calls are left out, their tests have no line numbers: compile tests with -g (line "
            "numbers)"
        )
    if not programs and not problems:
        problems.append(
            "no JVM came to the recorder: the command started none, does not pass on its environment, or its JVMs "
            "could not load the agent jdwp or connect (then they said so above)"
        )
    counted = tuple(LeftOut(function, reason, count) for (function, reason), count in sorted(left_out.items()))
    return Recording(tuple(calls), counted, tuple(dict.fromkeys(problems)), programs)


def _of_one_class(
    calls: Sequence[RecordedCall], origins: Iterable[ClassOrigin], left_out: Counter[tuple[str, str]]
) -> list[RecordedCall]:
    """The calls of classes of which all JVMs had the same code."""
    digests: dict[str, set[str]] = {}
    for origin in origins:
        digests.setdefault(origin.name, set()).add(origin.digest)
    kept = []
    for call in calls:
        if call.origin is not None and len(digests.get(call.origin.name, ())) > 1:
            left_out[call.watched.function, f"different classes {call.origin.name} were loaded"] += 1
        else:
            kept.append(call)
    return kept


def _has_lines(call: RecordedCall) -> bool:
    """Whether the place of a test can be among its frames; those of reflection beside them have no say."""
    own = [one for one in call.frames if not one.scope.startswith(_REFLECTION)]
    return not own or any(one.line > 0 for one in own)


def _plan(workspace: Path, watched: Sequence[WatchedMethod], limits: RecordLimits) -> str:
    """The plan as ``Plan.java`` reads it: tab-separated words, a line each."""
    numbers = {
        "distinct_calls": limits.distinct_calls,
        "hits": limits.hits,
        "depth": limits.depth,
        "elements": limits.elements,
        "text": limits.text,
        "slowdown": limits.slowdown,
        "call_seconds": limits.call_seconds,
    }
    lines = [f"limit\t{name}\t{value}" for name, value in numbers.items()]
    if str(workspace).isprintable():
        lines.append(f"workspace\t{workspace}")
    lines += [f"source\t{path}" for path in _sources(workspace)]
    for one in watched:
        statics, unnamed = (
            ",".join(f"{owner}#{field}" for owner, field in some) for some in (one.statics, one.unnamed_statics)
        )
        hidden = len(one.parameters) - (len(one.contract.java.parameters) if one.contract.java is not None else 0)
        words = ("method", one.class_name, one.method, ",".join(one.parameters), statics, str(hidden), unnamed)
        lines.append("\t".join(words))
    return "".join(f"{line}\n" for line in lines)


def _sources(workspace: Path) -> Iterator[str]:
    """The Java files of the workspace: objects of their classes are opened, those of libraries are not."""
    count = 0
    for folder, inner, files in os.walk(workspace):
        inner[:] = sorted(one for one in inner if not one.startswith(".") and one not in _SKIPPED)
        base = Path(folder).relative_to(workspace).as_posix()
        for name in files:
            path = f"{base}/{name}"
            if name.endswith(".java") and path.isprintable():
                count += 1
                if count > _MOST_SOURCES:
                    return
                yield path


def _compiled(folder: Path, run: Runner) -> Path:
    """The folder with the recorder's classes, made on the first call; it appears by one rename."""
    sources = sorted(SOURCES.glob("*.java"))
    target = folder / f"java-{_digest(sources)}"
    if target.is_dir():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".new-", ignore_cleanup_errors=True) as scratch:
        made = Path(scratch, "classes")
        argv = [_program("javac"), "--release", _OLDEST_JAVA, "-encoding", "UTF-8", "-proc:none", "-d", str(made)]
        try:
            done = run([*argv, *map(str, sources)], cwd=Path(scratch), timeout=_COMPILE_SECONDS)
        except ToolMissing as problem:
            raise RecorderProblem(f"javac was not found: {_ADVICE}") from problem
        if done.exit_status != 0:
            told = next((line for line in (done.stderr + done.stdout).splitlines() if line.strip()), "no answer")
            raise RecorderProblem(f"the Java recorder could not be compiled ({_one_line(told)}): {_ADVICE}")
        try:
            made.rename(target)
        except OSError:
            if not target.is_dir():  # else another process was first
                raise
    return target


def _digest(sources: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for path in sources:
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:24]


def _program(name: str) -> str:
    home = os.environ.get("JAVA_HOME")
    return str(Path(home, "bin", name)) if home and Path(home).is_absolute() else name


def _one_line(text: str) -> str:
    line = next((one.strip() for one in text.splitlines() if one.strip()), "")
    return "".join(one if one.isprintable() else "?" for one in line)[:200]
