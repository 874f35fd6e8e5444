"""KeY on this machine: the Java that runs it, its jars, the driver's classes, the library that it loads.

What is made or fetched lives in the user's cache, in folders named by what they were made from; each appears
by one rename, so that any number of processes may use the cache at once.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import stat
import tempfile
import time
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from clausefit.verifiers import process
from clausefit.verifiers.cache import default_folder
from clausefit.verifiers.process import Completed, ToolMissing
from clausefit.verifiers.protocol import VerifierProblem

Runner = Callable[..., Completed]
Strings = Literal["none", "few", "all"]
"""Which methods of strings are asked about."""

OLDEST_JAVA = 17
"""KeY 2.12 is compiled for it."""

PROJECT = Path(__file__).resolve().parent / "key"
"""The driver: its sources, the pom with its jars, their checksums."""

MAIN_CLASS = "clausefit.key.Main"

READY_VARIABLE = "CLAUSEFIT_KEY"
"""Names a folder ``key`` that ``install`` filled before, to be used instead of the one in the user's cache, and instead
of any jars that are named. It may be read-only: the image (Dockerfile) has one that belongs to root."""

_FETCH_SECONDS = 600.0
_COMPILE_SECONDS = 120.0
_ARCHIVE_SECONDS = 120.0
_LARGEST_JAR = 256 << 20
_KEPT_SECONDS = 60 * 24 * 3600.0
_SAMPLE_CLASS = "public class Sample { public int n; public /*@ pure @*/ int get() { return n; } }"
_SAMPLE_SCENE = {
    "class": "Sample",
    "variables": [["int[]", "a"], ["java.lang.String", "s"]],
    "result": "int",
    "exception": ["java.lang.Throwable", "cf_exc"],
    "pins": r"\old(this.n) == 1 && a != null && a.length == 2 && \old(a[0]) == 1 && \old(a[1]) == 2",
    "before": {
        "objects": {
            "this": {"type": "Sample", "fields": {"n": {"t": "int", "v": "1"}}},
            "a": {"type": "int[]", "elements": [{"t": "int", "v": "1"}, {"t": "int", "v": "2"}]},
        },
        "variables": {"a": {"ref": "a"}, "s": {"t": "java.lang.String", "v": "ab"}},
    },
    "questions": [
        {"id": "1", "accept": r"\old((\forall int i; 0 <= i && i < a.length; a[i] == i + n))"},
        {"id": "2", "accept": r"\old(get() == 1 && (\exists int i; 0 <= i && i < a.length; a[i] > 1))"},
        {"id": "3", "accept": r"\old(s.length() == 2 && n == 2)"},
    ],
}
"""Uses what nearly every question does, so that those classes are in the archive."""
_LIBRARY = "de/uka/ilkd/key/java/JavaRedux/"
_WITH_CONTRACTS = "java/lang/Math.java"
"""Of this class KeY needs the contracts for what clauses ask of it; parsing those of the others only costs time."""
_STRING_CLASS = "java/lang/String.java"
FEW_OF_STRINGS = frozenset({"length", "isEmpty", "charAt", "equals"})
MORE_OF_STRINGS = FEW_OF_STRINGS | {"startsWith", "endsWith", "substring", "concat", "replace", "trim", "valueOf"}
MORE_OF_STRINGS |= {"toLowerCase", "toUpperCase", "toCharArray", "copyValueOf", "compareTo"}
"""Methods of strings that have contracts in KeY's library. Parsing those of all takes longer than the rest of a start,
once more for every class. Not among them: indexOf and lastIndexOf, on which KeY never comes to an end."""

_CONTRACTS: Mapping[Strings, frozenset[str]] = {
    "none": frozenset(),
    "few": FEW_OF_STRINGS,
    "all": MORE_OF_STRINGS,
}

# Strings first: what looks like a comment within one is none (JLS 3.7, 3.10.5).
_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/')
_DECLARED = re.compile(r"(\w+)\s*\(")
_VERSION = re.compile(r'version "(?:1\.)?(\d+)')


@dataclass(frozen=True)
class KeyInstallation:
    """All that a driver process needs: ``java``, its class path, KeY's Java library, a folder to write to.

    ``libraries`` are those for what has no strings in it, for what calls few methods of strings, and for all; the more
    contracts are in one, the longer it takes to load. ``archive`` holds the classes as this Java wants them in memory
    (JEP 350); None where it could not be made.
    """

    java: str
    class_path: tuple[Path, ...]
    libraries: Mapping[Strings, Path]
    scratch: Path
    archive: Path | None = None

    def command(self, memory_megabytes: int, flags: Sequence[str] = ()) -> list[str]:
        """The command that starts a driver, with these flags of Java's beside those that it needs."""
        shared = [] if self.archive is None else [f"-XX:SharedArchiveFile={self.archive}"]
        return [
            self.java,
            # What Java itself would tell goes to the output, between the answers.
            "-Xlog:disable",
            "-XX:+UseSerialGC",
            f"-Xmx{memory_megabytes}m",
            "-Dkey.disregardSettings=true",
            f"-Duser.home={self.scratch}",
            "-Dfile.encoding=UTF-8",
            *shared,
            *flags,
            "-cp",
            os.pathsep.join(map(str, self.class_path)),
            MAIN_CLASS,
        ]


def install(
    *, cache: Path | None = None, jars: Path | None = None, project: Path = PROJECT, run: Runner = process.run
) -> KeyInstallation:
    """KeY ready to run, made on the first call and found again later.

    ``jars`` is a folder that holds the jars of ``checksums.txt``; without it Maven fetches them into ``cache``
    (default: the user's). Where READY_VARIABLE names a folder, all is taken from there. Raises VerifierProblem with one
    line that says what to do: no Java, too old, no compiler, jars that cannot be fetched, are missing or have another
    checksum, a READY_VARIABLE that names no absolute path.
    """
    # By its real name, which is also what the archive of classes is made for.
    folder = _folder(cache).resolve()
    java = find_java(run)
    checksums = _checksums(project)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        named = jars if ready_folder() is None else None
        if named is not None and not named.is_dir():
            raise VerifierProblem(f"{named} is no folder: `key_jars` must name one that holds KeY's jars")
        jar_folder = named if named is not None else _fetch(folder, project, checksums, run)
        paths = _verified(jar_folder, checksums)
        classes = _compile(folder, project, paths, run)
        libraries = {strings: _library(folder, paths, methods) for strings, methods in _CONTRACTS.items()}
        made = KeyInstallation(java, (classes, *paths), libraries, _scratch(folder))
        return replace(made, archive=_archive(folder, made, run))
    except OSError as problem:
        where = problem.filename or folder
        raise VerifierProblem(f"KeY cannot be set up in {where}: {problem.strerror or problem}") from problem


def is_set_up(*, cache: Path | None = None, project: Path = PROJECT) -> bool:
    """Whether KeY's jars lie where an earlier run, or an image, has put them; they are not looked into."""
    return ready_folder() is not None or _jar_folder(_folder(cache), project, _checksums(project)).is_dir()


def jars_at_hand(*, cache: Path | None = None, jars: Path | None = None, project: Path = PROJECT) -> Path | None:
    """The folder of KeY's jars, each as it was pinned; None when ``install`` would first have to fetch them.

    Nothing is fetched or made. Raises VerifierProblem for a jar that is missing from the folder or is another one.
    """
    checksums = _checksums(project)
    named = jars if ready_folder() is None else None
    if named is not None and not named.is_dir():
        raise VerifierProblem(f"{named} is no folder: `key_jars` must name one that holds KeY's jars")
    folder = named if named is not None else _jar_folder(_folder(cache), project, checksums)
    if named is None and not folder.is_dir():
        return None
    try:
        _verified(folder, checksums)
    except OSError as problem:
        raise VerifierProblem(f"{folder} cannot be read: {problem.strerror or problem}") from problem
    return folder


def ready_folder(variables: Mapping[str, str] = os.environ) -> Path | None:
    """The folder that READY_VARIABLE names; None when it is not set. VerifierProblem for a relative path."""
    named = variables.get(READY_VARIABLE)
    if not named:
        return None
    if not Path(named).is_absolute():
        raise VerifierProblem(f"{READY_VARIABLE} is {named}: it must be an absolute path")
    return Path(named)


def _folder(cache: Path | None) -> Path:
    return ready_folder() or (cache or default_folder()) / "key"


def _scratch(folder: Path) -> Path:
    """Where drivers run and KeY writes its settings: beside the rest, or in the user's cache when that is read-only."""
    scratch = (folder if os.access(folder, os.W_OK) else default_folder() / "key") / "home"
    scratch.mkdir(parents=True, exist_ok=True)
    return scratch


def key_version(project: Path = PROJECT) -> str:
    """The version of KeY that is pinned."""
    jar = next(name for name in _checksums(project) if name.startswith("key.core-"))
    return jar.removeprefix("key.core-").removesuffix(".jar")


def find_java(run: Runner = process.run) -> str:
    """The Java to use: of JAVA_HOME when that is set, else of PATH; VerifierProblem when none is new enough."""
    java = _program("java")
    done = _run(run, [java, "-version"], Path(tempfile.gettempdir()), 60.0, "java", "install a JDK from 17 on")
    # To stderr, with the number in quotes, for every Java there is; before 9 it was called 1.8.
    found = _VERSION.search(done.stderr) or _VERSION.search(done.stdout)
    if done.exit_status != 0 or not found:
        raise VerifierProblem(f"{java} does not run: `{java} -version` says no version")
    if int(found[1]) < OLDEST_JAVA:
        raise VerifierProblem(f"{java} is Java {found[1]}; KeY needs {OLDEST_JAVA} or newer (set JAVA_HOME to one)")
    return java


def java_identity(environment: Mapping[str, str] = os.environ) -> str:
    """What tells this machine's Java from another, without starting it: the file ``release`` beside it.

    A Java without that file is told by its path, size and time. Empty when there is none.
    """
    home = environment.get("JAVA_HOME")
    program = str(Path(home, "bin", "java")) if home and Path(home).is_absolute() else "java"
    found = shutil.which(program, path=environment.get("PATH"))
    if found is None:
        return ""
    real = Path(found).resolve()
    try:
        release = (real.parent.parent / "release").read_text("utf-8", "replace")
    except OSError:
        release = ""
    versions = [line for line in release.splitlines() if line.startswith(("JAVA_VERSION=", "JAVA_RUNTIME_VERSION="))]
    if versions:
        return "\n".join(versions)
    about = real.stat()
    return f"{real} {about.st_size} {about.st_mtime_ns}"


def _program(name: str) -> str:
    home = os.environ.get("JAVA_HOME")
    return str(Path(home, "bin", name)) if home and Path(home).is_absolute() else name


def _run(run: Runner, argv: Sequence[str], cwd: Path, timeout: float, name: str, advice: str) -> Completed:
    try:
        return run(argv, cwd=cwd, timeout=timeout)
    except ToolMissing as problem:
        raise VerifierProblem(f"{name} was not found: {advice}") from problem


def _checksums(project: Path) -> dict[str, str]:
    """Jar name → SHA-256, from lines as ``sha256sum`` writes them."""
    lines = (project / "checksums.txt").read_text("utf-8").splitlines()
    return {name: digest for digest, name in (line.split() for line in lines if line.strip())}


def _verified(folder: Path, checksums: dict[str, str]) -> tuple[Path, ...]:
    paths = []
    for name, expected in sorted(checksums.items()):
        path = folder / name
        real = Path(os.path.realpath(path))  # not Path.resolve, which raises for a loop of links
        if os.pathsep in str(real):  # it would end the name on Java's class path, and begin one that nobody checked
            raise VerifierProblem(f"{real} holds '{os.pathsep}' in its name: put KeY's jars elsewhere")
        try:
            found = _checksum(path)
        except FileNotFoundError as problem:
            advice = "the folder of `key_jars` holds every jar that verifiers/key/checksums.txt names"
            raise VerifierProblem(f"{path} is missing: KeY needs it; {advice}") from problem
        if found != expected:
            raise VerifierProblem(
                f"{path} is not the jar that was pinned (SHA-256 {found}); remove it and run again to fetch it anew"
            )
        paths.append(real)
    return tuple(paths)


def _checksum(path: Path) -> str:
    """The SHA-256 of a file. The folder may be one of the project, and so hold anything: a device would never end."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST_JAR:
            raise VerifierProblem(f"{path} is no file of the size of a jar: put KeY's jars there")
        return hashlib.file_digest(file, "sha256").hexdigest()


def _jar_folder(folder: Path, project: Path, checksums: dict[str, str]) -> Path:
    pom = (project / "pom.xml").read_bytes()
    return folder / f"jars-{_digest(pom, repr(sorted(checksums.items())).encode())}"


def _fetch(folder: Path, project: Path, checksums: dict[str, str], run: Runner) -> Path:
    pom = (project / "pom.xml").read_bytes()
    target = _jar_folder(folder, project, checksums)
    if target.is_dir():
        return target
    with _appearing(target) as made:
        # Not in the project's own folder: Maven takes options and extensions from .mvn beside or above a pom.
        work = made.parent / "work"
        (work / ".mvn").mkdir(parents=True)
        (work / "pom.xml").write_bytes(pom)
        argv = [
            "mvn",
            "-q",
            "-B",
            "dependency:copy-dependencies",
            "-DincludeScope=runtime",
            f"-DoutputDirectory={made}",
        ]
        advice = "install Maven (apt install maven), or name a folder that holds KeY's jars by the setting `key_jars`"
        done = _run(run, argv, work, _FETCH_SECONDS, "mvn", advice)
        if done.exit_status != 0:
            raise VerifierProblem(f"the jars of KeY could not be fetched by Maven: {_first_error(done)}")
        _verified(made, checksums)
    return target


def _first_error(done: Completed) -> str:
    if done.timed_out:
        return f"no answer in {_FETCH_SECONDS:.0f} s"
    lines = (line.removeprefix("[ERROR]").strip() for line in done.stdout.splitlines() + done.stderr.splitlines())
    return next((line[:300] for line in lines if line), f"exit status {done.exit_status}")


def _compile(folder: Path, project: Path, jars: tuple[Path, ...], run: Runner) -> Path:
    sources = sorted((project / "src").rglob("*.java"))
    parts = [part for path in sources for part in (path.name.encode(), path.read_bytes())]
    target = folder / f"driver-{_digest(*parts, (project / 'checksums.txt').read_bytes())}"
    jar = target / "driver.jar"
    if target.is_dir():
        return jar
    with _appearing(target) as made:
        classes = made.parent / "classes"
        class_path = os.pathsep.join(map(str, jars))
        argv = [_program("javac"), "--release", str(OLDEST_JAVA), "-encoding", "UTF-8", "-proc:none", "-cp", class_path]
        argv += ["-d", str(classes), *map(str, sources)]
        advice = "install a JDK, not only a runtime (apt install openjdk-17-jdk-headless)"
        done = _run(run, argv, made.parent, _COMPILE_SECONDS, "javac", advice)
        if done.exit_status != 0:
            raise VerifierProblem(f"the KeY driver could not be compiled: {_first_error(done)}")
        # A folder on the class path would keep Java from using an archive of classes.
        with zipfile.ZipFile(made / jar.name, "w") as archive:
            for path in sorted(classes.rglob("*.class")):
                archive.write(path, path.relative_to(classes).as_posix())
    return jar


def _archive(folder: Path, installation: KeyInstallation, run: Runner) -> Path | None:
    """An archive of the classes that a run needs, which saves a sixth of each start; None where none can be made.

    Java makes it at the end of a run (-XX:ArchiveClassesAtExit) that judges one question. It fits this Java and this
    class path only; with another one Java leaves it alone.
    """
    paths = (f"{path} {path.stat().st_size}" for path in installation.class_path)
    target = folder / f"archive-{_digest(java_identity().encode(), *(path.encode() for path in paths))}"
    path = target / "classes.jsa"
    if not target.is_dir():
        with _appearing(target) as made:
            skeleton = made.parent / "skeleton"
            skeleton.mkdir()
            (skeleton / "Sample.java").write_text(_SAMPLE_CLASS, "utf-8")
            load = {"skeleton": str(skeleton), "boot": str(installation.libraries["all"]), "math": "java"}
            requests = [{"id": 1, "load": load}, {"id": 2, "scene": _SAMPLE_SCENE}]
            argv = installation.command(
                512, ["-XX:TieredStopAtLevel=1", f"-XX:ArchiveClassesAtExit={made / path.name}"]
            )
            lines = "".join(json.dumps(request) + "\n" for request in requests)
            # Whatever becomes of it is used as it is: without the archive all runs as well, only a little later.
            run(argv, cwd=made.parent, timeout=_ARCHIVE_SECONDS, stdin=lines.encode())
        used = {*installation.libraries.values(), *(path.parent for path in installation.class_path)}
        remove_old(folder, used, time.time() - _KEPT_SECONDS)
    return path if path.is_file() else None


def remove_old(folder: Path, used: Collection[Path], before: float) -> None:
    """Remove what other versions made in ``folder`` before that time; where one is still used, it makes it again."""
    for pattern in ("driver-*", "archive-*", "library-*"):
        for old in folder.glob(pattern):
            if old not in used and old.stat().st_mtime < before:
                shutil.rmtree(old, ignore_errors=True)


def _library(folder: Path, jars: tuple[Path, ...], of_strings: frozenset[str]) -> Path:
    """KeY's own Java library without the contracts that clauses do not need; ``of_strings``: methods of String that
    keep theirs."""
    jar = next(path for path in jars if path.name.startswith("key.core-"))
    chosen = " ".join((_WITH_CONTRACTS, *sorted(of_strings)))
    target = folder / f"library-{_digest(jar.name.encode(), chosen.encode())}"
    if target.is_dir():
        return target
    with _appearing(target) as made, zipfile.ZipFile(jar) as archive:
        for name in archive.namelist():
            inner = name.removeprefix(_LIBRARY)
            if inner == name or not name.endswith((".java", ".key")):
                continue
            text = archive.read(name).decode("utf-8")
            if inner == _STRING_CLASS:
                text = with_contracts_of(text, of_strings)
            elif name.endswith(".java") and inner != _WITH_CONTRACTS:
                text = without_comments(text)
            path = made / inner
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    return target


def with_contracts_of(text: str, methods: Collection[str]) -> str:
    """Java source with a blank for each comment, but for the JML at the declarations of methods of these names."""
    plain = _COMMENT.sub(lambda found: " " * len(found[0]), text)
    parts, start = [], 0
    for end in [*(found.end() for found in re.finditer("[;{}]", plain)), len(text)]:
        declared = _DECLARED.search(plain, start, end)
        whole = declared is not None and declared[1] in methods
        parts.append(text[start:end] if whole else without_comments(text[start:end]))
        start = end
    return "".join(parts)


def without_comments(text: str) -> str:
    """Java source with a blank for each comment (JML is in comments); strings and characters stay (JLS 3.7)."""
    return _COMMENT.sub(lambda found: " " if found[0].startswith("/") else found[0], text)


@contextlib.contextmanager
def _appearing(target: Path) -> Iterator[Path]:
    """A new empty folder that becomes ``target`` at the end, or is removed when that failed or another was first."""
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".new-", ignore_cleanup_errors=True) as scratch:
        made = Path(scratch, "made")
        made.mkdir()
        yield made
        try:
            made.rename(target)
        except OSError:
            if not target.is_dir():
                raise


def _digest(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:24]
