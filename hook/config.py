"""The settings: ``.clausefit.yaml`` in the top folder of the workspace."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

import yaml
from clausefit.hook import globs
from clausefit.hook.budget import LEAST, MOST
from clausefit.hook.config_values import (
    Reader,
    Wrong,
    absolute,
    absolute_or_below,
    anything,
    below,
    expanded_path,
    flag,
    form,
    mapping,
    nearest,
    number,
    one_line,
    one_of,
    quoted,
    text,
    texts,
    whole_number,
)
from clausefit.hook.record.settings import RecordSettings, record_settings
from clausefit.hook.report import Severity
from clausefit.hook.rules import RULES
from clausefit.hook.snapshots import Snapshot, WorkingTreeSnapshot

FILE_NAME = ".clausefit.yaml"
OWN_FOLDER = ".clausefit/"
"""What lies there is ours (recorded pins): neither a source nor a test, whatever the patterns say."""
MAX_BYTES = 256 * 1024

FailOn: TypeAlias = Severity | Literal["never"]
Widening = Literal["contracts", "code", "tests"]

Verifier = Literal["key", "openjml"]

_C_TEST_PATTERNS = tuple(
    pattern + ending
    for ending in (".c", ".cc", ".cpp")
    for pattern in ("**/test/**/*", "**/tests/**/*", "[Tt]est*", "*[Tt]est", "*_tests")
)
# The names are those that Maven's Surefire and Failsafe run by default.
_JAVA_TEST_PATTERNS = (
    "**/test/**/*.java",
    "**/tests/**/*.java",
    "Test*.java",
    "*Test.java",
    "*Tests.java",
    "*TestCase.java",
    "*IT.java",
)
# Written by annotation processors and Lombok: copies of classes that are in the sources as well.
_GENERATED_JAVA = (
    "**/target/generated-sources/**/*.java",
    "**/target/generated-test-sources/**/*.java",
    "**/target/delombok/**/*.java",
    "**/build/generated/**/*.java",
    "**/build/delombok/**/*.java",
)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class Config:
    """All settings, checked; the command line overrides them with ``dataclasses.replace``.

    Globs are those of ``hook.globs``. ``timeout`` is seconds per goal and prover, ``run_timeout`` seconds per
    verifier process, ``memory_mb`` the limit of each verifier process. ``machdep`` None is the verifier's own.
    ``verifiers`` are those for Java, in the order in which they are asked. ``openjml`` is the absolute path of an
    installation, never in the workspace; ``key_jars`` a folder, absolute or relative to the workspace; None: look
    for them. ``nonnull_by_default`` is what holds for Java where neither the class nor the method says it.
    ``record`` is what ``clausefit record`` does. ``baseline`` is a file relative to the workspace (``check --baseline``
    gives an absolute path); None: no finding is accepted. ``budget`` is the seconds that ``check`` may take.
    """

    sources: tuple[str, ...] = ("*.c", "*.h", "*.java", "*.jml")
    exclude: tuple[str, ...] = _GENERATED_JAVA
    tests: tuple[str, ...] = (*_C_TEST_PATTERNS, *_JAVA_TEST_PATTERNS)
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    compile_commands: str | None = None
    junit: tuple[str, ...] = ()
    pins: int = 5
    mutants: int = 5
    timeout: float = 5
    run_timeout: float = 300
    memory_mb: int = 4096
    jobs: int = field(default_factory=_cores)
    array_limit: int = 32
    fail_on: FailOn = "warning"
    changed_with: tuple[Widening, ...] = ("contracts",)
    ignore: tuple[str, ...] = ()
    baseline: str | None = None
    budget: float | None = None
    cache: bool = True
    cache_mb: int = 256
    provers: tuple[str, ...] = ()
    machdep: str | None = None
    verifiers: tuple[Verifier, ...] = ("key", "openjml")
    openjml: str | None = None
    key_jars: str | None = None
    nonnull_by_default: bool = True
    record: RecordSettings = field(default_factory=RecordSettings)

    def is_source(self, path: str) -> bool:
        """Whether contracts in this file are to be judged."""
        return (
            not path.startswith(OWN_FOLDER)
            and globs.matches(path, self.sources)
            and not globs.matches(path, self.exclude)
        )

    def is_test(self, path: str) -> bool:
        """Whether this file is read for pins (it may be a source as well)."""
        return (
            not path.startswith(OWN_FOLDER)
            and globs.matches(path, self.tests)
            and not globs.matches(path, self.exclude)
        )


class ConfigProblem(Exception):  # noqa: N818 - what is wrong is the file
    """The settings cannot be used. The text is one line: file, line, what is wrong, and the nearest right thing."""


def load(workspace: Path) -> Config:
    """The settings of a workspace; the defaults when there is no file. Raises ConfigProblem."""
    config = read(WorkingTreeSnapshot(workspace))
    # OpenJML is a program: what a pull request brings along must never be run, from whichever folder of its repository.
    if config.openjml is not None and _is_in(config.openjml, _checkout(workspace)):
        raise ConfigProblem(f"{FILE_NAME}: openjml: {quoted(config.openjml)} is in the workspace; install it elsewhere")
    return config


def _checkout(workspace: Path) -> Path:
    """The outermost folder whose files come with those of ``workspace``: the top of its repository, and of the one that
    has that as a submodule; ``workspace`` itself outside of git.

    A ``.git`` that is a file is that of a submodule or a work tree (gitrepository-layout(5)).
    """
    found = Path(os.path.realpath(workspace))
    for folder in (found, *found.parents):
        if os.path.lexists(folder / ".git"):
            found = folder
            if (folder / ".git").is_dir():
                break
    return found


def _is_in(path: str, folder: Path) -> bool:
    """Whether a path lies in the folder, or a link of it leads into the folder or stands there."""
    # Not Path.resolve, which raises for a loop of links.
    real = os.path.realpath(folder)
    return any(Path(os.path.realpath(one)).is_relative_to(real) for one in (Path(path), *Path(path).parents))


def read(snapshot: Snapshot) -> Config:
    """Like ``load``, from one state of the workspace (a commit, the index)."""
    content = snapshot.read(FILE_NAME)
    if content is not None:
        return parse(content)
    why = snapshot.refusal(FILE_NAME)
    if why is None or why == "does not exist":
        return Config()
    raise ConfigProblem(f"{FILE_NAME}: the file {why}")


def parse(content: bytes, name: str = FILE_NAME) -> Config:
    """Settings from the bytes of a file that messages call ``name``. Raises ConfigProblem."""
    root = _compose(content, name)
    if root is None or root.tag == "tag:yaml.org,2002:null":
        return Config()
    if not isinstance(root, yaml.MappingNode):
        raise _problem(name, root, "expected settings, one `key: value` a line")
    try:
        values = mapping(_READERS)(root)
    except Wrong as wrong:
        raise _problem(name, wrong.node or root, str(wrong)) from wrong
    return Config(**values)


def _compose(content: bytes, name: str) -> yaml.Node | None:
    """The YAML tree. Aliases stay references in it, so they cannot blow it up."""
    if len(content) > MAX_BYTES:
        raise ConfigProblem(f"{name}: more than {MAX_BYTES >> 10} KiB")
    try:
        return yaml.compose(content.decode("utf-8"), Loader=yaml.SafeLoader)
    except UnicodeDecodeError as error:
        raise ConfigProblem(f"{name}: not UTF-8 (byte {error.start}): save it as UTF-8") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f":{mark.line + 1}" if mark else ""
        raise ConfigProblem(f"{name}{line}: not YAML: {one_line(error.problem or error.context)}") from error
    except yaml.YAMLError as error:
        raise ConfigProblem(f"{name}: not YAML: {one_line(str(error))}") from error
    except RecursionError as error:
        raise ConfigProblem(f"{name}: nested too deeply") from error


def _code(value: str) -> str | None:
    return None if value in RULES else f"is no rule code{nearest(value, RULES)}"


def _verifiers(node: yaml.Node) -> tuple[str, ...]:
    names: tuple[str, ...] = texts(one_of(get_args(Verifier)))(node)
    if not names:
        raise Wrong(f"expected at least one of {', '.join(get_args(Verifier))}", node)
    return names


_FLOAT_SECONDS = (0.1, 3600.0)
_READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "sources": texts(anything),
        "exclude": texts(anything),
        "tests": texts(anything),
        "include_dirs": texts(below),
        "defines": texts(form(r"[A-Za-z_]\w*(\([\w, .]*\))?(=.*)?", "NAME or NAME=value")),
        "compile_commands": text(below),
        "junit": texts(below),
        "pins": whole_number(1, 100),
        "mutants": whole_number(1, 100),
        "timeout": number(*_FLOAT_SECONDS),
        "run_timeout": number(1.0, 86400.0),
        "memory_mb": whole_number(256, 1 << 20),
        "jobs": whole_number(1, 1024),
        "array_limit": whole_number(1, 4096),
        "fail_on": text(one_of(("note", "warning", "error", "never"))),
        "changed_with": texts(one_of(("contracts", "code", "tests"))),
        "ignore": texts(_code),
        "baseline": text(below),
        "budget": number(LEAST, MOST),
        "cache": flag,
        "cache_mb": whole_number(1, 1 << 16),
        "provers": texts(form(r"[A-Za-z0-9][\w.:+-]*", "the name of a prover")),
        "machdep": text(form(r"[a-z][a-z0-9_]*", "the name of a machine description")),
        "verifiers": _verifiers,
        "openjml": expanded_path(absolute),
        "key_jars": expanded_path(absolute_or_below),
        "nonnull_by_default": flag,
        "record": record_settings,
    }
)
if set(_READERS) != {one.name for one in fields(Config)}:
    raise TypeError("every setting needs a reader")


def _problem(name: str, node: yaml.Node, message: str) -> ConfigProblem:
    return ConfigProblem(f"{name}:{node.start_mark.line + 1}: {message}")
