"""The settings: ``.clausefit.yaml`` in the top folder of the workspace."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, get_args

import yaml
from clausefit.hook import globs
from clausefit.hook.report import Severity
from clausefit.hook.rules import RULES
from clausefit.hook.snapshots import Snapshot, WorkingTreeSnapshot

FILE_NAME = ".clausefit.yaml"
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
    cache: bool = True
    cache_mb: int = 256
    provers: tuple[str, ...] = ()
    machdep: str | None = None
    verifiers: tuple[Verifier, ...] = ("key", "openjml")
    openjml: str | None = None
    key_jars: str | None = None
    nonnull_by_default: bool = True

    def is_source(self, path: str) -> bool:
        """Whether contracts in this file are to be judged."""
        return globs.matches(path, self.sources) and not globs.matches(path, self.exclude)

    def is_test(self, path: str) -> bool:
        """Whether this file is read for pins (it may be a source as well)."""
        return globs.matches(path, self.tests) and not globs.matches(path, self.exclude)


class ConfigProblem(Exception):  # noqa: N818 - what is wrong is the file
    """The settings cannot be used. The text is one line: file, line, what is wrong, and the nearest right thing."""


def load(workspace: Path) -> Config:
    """The settings of a workspace; the defaults when there is no file. Raises ConfigProblem."""
    config = read(WorkingTreeSnapshot(workspace))
    # OpenJML is a program: what a pull request brings along must never be run.
    if config.openjml is not None and _is_in(config.openjml, workspace):
        raise ConfigProblem(
            f"{FILE_NAME}: openjml: {_quoted(config.openjml)} is in the workspace; install it elsewhere"
        )
    return config


def _is_in(path: str, folder: Path) -> bool:
    # Not Path.resolve, which raises for a loop of links.
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


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
    values: dict[str, Any] = {}
    for key_node, value_node in root.value:
        key = str(key_node.value) if isinstance(key_node, yaml.ScalarNode) else None
        if key is None or key not in _READERS:
            raise _problem(name, key_node, f"unknown key {_quoted(key)}{_nearest(key, _READERS)}")
        if key in values:
            raise _problem(name, key_node, f"the key {key!r} is there twice")
        try:
            values[key] = _READERS[key](value_node)
        except _Wrong as wrong:
            raise _problem(name, wrong.node or value_node, f"{key}: {wrong}") from wrong
    return Config(**values)


class _Wrong(Exception):  # noqa: N818 - private; becomes a ConfigProblem
    """A value that does not fit; ``node`` is where, when that is not the whole value."""

    def __init__(self, message: str, node: yaml.Node | None = None) -> None:
        super().__init__(message)
        self.node = node


_Reader: TypeAlias = Callable[[yaml.Node], Any]


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
        raise ConfigProblem(f"{name}{line}: not YAML: {_one_line(error.problem or error.context)}") from error
    except yaml.YAMLError as error:
        raise ConfigProblem(f"{name}: not YAML: {_one_line(str(error))}") from error
    except RecursionError as error:
        raise ConfigProblem(f"{name}: nested too deeply") from error


def _scalar(node: yaml.Node, *kinds: str) -> Any:
    """The Python value of a scalar whose YAML type is one of ``kinds`` (yaml.org/type)."""
    if not isinstance(node, yaml.ScalarNode) or node.tag.removeprefix("tag:yaml.org,2002:") not in kinds:
        raise _Wrong(f"expected {_WORDS[kinds[0]]}, found {_shown(node)}", node)
    try:
        return yaml.SafeLoader("").construct_object(node)
    except (ValueError, OverflowError) as error:
        raise _Wrong(f"expected {_WORDS[kinds[0]]}, found {_shown(node)}", node) from error


_WORDS = {"str": "a text", "int": "a whole number", "float": "a number", "bool": "true or false"}


def _whole(low: int, high: int) -> _Reader:
    def reader(node: yaml.Node) -> int:
        value: int = _scalar(node, "int")
        return int(_in_range(value, low, high, node))

    return reader


def _number(low: float, high: float) -> _Reader:
    def reader(node: yaml.Node) -> float:
        value: float = _scalar(node, "float", "int")
        return _in_range(value, low, high, node)

    return reader


def _in_range(value: float, low: float, high: float, node: yaml.Node) -> float:
    if not low <= value <= high:  # also for NaN
        raise _Wrong(f"expected {low:g} to {high:g}, found {_shown(node)}", node)
    return value


def _flag(node: yaml.Node) -> bool:
    return bool(_scalar(node, "bool"))


def _text(check: Callable[[str], str | None]) -> _Reader:
    def reader(node: yaml.Node) -> str:
        value = str(_scalar(node, "str"))
        complaint = "is empty" if not value else "has a control character" if not value.isprintable() else check(value)
        if complaint:
            raise _Wrong(f"{_quoted(value)} {complaint}", node)
        return value

    return reader


def _texts(check: Callable[[str], str | None]) -> _Reader:
    item = _text(check)

    def reader(node: yaml.Node) -> tuple[str, ...]:
        if not isinstance(node, yaml.SequenceNode):
            raise _Wrong(f"expected a list, found {_shown(node)}", node)
        return tuple(dict.fromkeys(item(one) for one in node.value))

    return reader


def _one_of(choices: tuple[str, ...]) -> Callable[[str], str | None]:
    def check(value: str) -> str | None:
        return None if value in choices else f"is none of {', '.join(choices)}{_nearest(value, choices)}"

    return check


def _code(value: str) -> str | None:
    return None if value in RULES else f"is no rule code{_nearest(value, RULES)}"


def _form(pattern: str, words: str) -> Callable[[str], str | None]:
    compiled = re.compile(pattern)
    return lambda value: None if compiled.fullmatch(value) else f"is not {words}"


def _any(_: str) -> None:
    return None


def _below(value: str) -> str | None:
    """Settings are part of a pull request: they must not point the verifier at other folders of the machine."""
    if value.startswith(("/", "~")) or "\\" in value or ".." in value.split("/"):
        return "is not below the workspace"
    return "starts with a dash" if value.startswith("-") else None


def _absolute(value: str) -> str | None:
    path = Path(value)
    if not path.is_absolute() and not value.startswith("~/"):
        return "is not an absolute path"
    return "has a part '..'" if ".." in path.parts else None


def _absolute_or_below(value: str) -> str | None:
    return _absolute(value) if value.startswith(("/", "~")) else _below(value)


def _verifiers(node: yaml.Node) -> tuple[str, ...]:
    names: tuple[str, ...] = _texts(_one_of(get_args(Verifier)))(node)
    if not names:
        raise _Wrong(f"expected at least one of {', '.join(get_args(Verifier))}", node)
    return names


def _path(check: Callable[[str], str | None]) -> _Reader:
    reader = _text(check)
    return lambda node: os.path.expanduser(reader(node))  # noqa: PTH111 - a text that Path would normalize


_FLOAT_SECONDS = (0.1, 3600.0)
_READERS: Mapping[str, _Reader] = MappingProxyType(
    {
        "sources": _texts(_any),
        "exclude": _texts(_any),
        "tests": _texts(_any),
        "include_dirs": _texts(_below),
        "defines": _texts(_form(r"[A-Za-z_]\w*(\([\w, .]*\))?(=.*)?", "NAME or NAME=value")),
        "compile_commands": _text(_below),
        "junit": _texts(_below),
        "pins": _whole(1, 100),
        "mutants": _whole(1, 100),
        "timeout": _number(*_FLOAT_SECONDS),
        "run_timeout": _number(1.0, 86400.0),
        "memory_mb": _whole(256, 1 << 20),
        "jobs": _whole(1, 1024),
        "array_limit": _whole(1, 4096),
        "fail_on": _text(_one_of(("note", "warning", "error", "never"))),
        "changed_with": _texts(_one_of(("contracts", "code", "tests"))),
        "ignore": _texts(_code),
        "cache": _flag,
        "cache_mb": _whole(1, 1 << 16),
        "provers": _texts(_form(r"[A-Za-z0-9][\w.:+-]*", "the name of a prover")),
        "machdep": _text(_form(r"[a-z][a-z0-9_]*", "the name of a machine description")),
        "verifiers": _verifiers,
        "openjml": _path(_absolute),
        "key_jars": _path(_absolute_or_below),
        "nonnull_by_default": _flag,
    }
)
if set(_READERS) != {one.name for one in fields(Config)}:
    raise TypeError("every setting needs a reader")


def _problem(name: str, node: yaml.Node, message: str) -> ConfigProblem:
    return ConfigProblem(f"{name}:{node.start_mark.line + 1}: {message}")


def _nearest(value: str | None, choices: Any) -> str:
    near = difflib.get_close_matches(value[:100], list(choices), n=1, cutoff=0.5) if value else []
    return f"; did you mean {near[0]!r}?" if near else ""


def _shown(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return "nothing" if node.tag.endswith(":null") else _quoted(node.value)
    return "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"


def _quoted(value: str | None) -> str:
    if value is None:
        return "that is no text"
    return ascii(value) if len(value) <= 40 else ascii(value[:37] + "...")


def _one_line(text: str | None) -> str:
    return " ".join((text or "").split())[:200]
