"""The small part of YAML that stored pins are written in: text to a bounded tree with lines, and a tree to text.

Files come from pull requests: tags, anchors, aliases and second documents are refused, depth and size are bounded, and
nothing is ever constructed from a type's name. Text is written by our own rules, so that the same pins give the same
bytes whatever version of a library is installed. YAML cannot hold lone surrogates (yaml.org/spec/1.2.2 §5.1): a
scalar that starts with a backslash is one with escapes (``\\\\ud800``), and every text that needs it is written so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import yaml

MAX_CHARACTERS = 4 * 1024 * 1024
MAX_DEPTH = 100
MAX_NODES = 1_500_000
"""More than what is written here can have in so many characters."""
LONGEST_LINE = 110
_LONGEST_NUMBER = 60

Tree: TypeAlias = "str | int | float | bool | Sequence[Tree] | Mapping[str, Tree] | None"
"""What is written. A ``dict`` keeps its order."""


class Hexadecimal(int):
    """A whole number that is written as ``0x1f``."""


_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
# YAML 1.1 and 1.2 both take this for a number; with an exponent 1.1 wants the dot.
_FLOAT = re.compile(r"-?[0-9]+\.[0-9]+([eE][-+]?[0-9]+)?")
_WORDS: Mapping[str, bool | None] = {"true": True, "false": False, "null": None}
_PLAIN = re.compile(r"[A-Za-z_](?:[\w .*()<>$/+\[\]-]*[\w.*()<>$/+\]-])?", re.ASCII)
_PLAIN_IN_FLOW = re.compile(r"[A-Za-z_](?:[\w .*()<>$/+-]*[\w.*()<>$/+-])?", re.ASCII)
# What YAML 1.1 or 1.2 takes for something else than text (yaml.org/type).
_TAKEN = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_SURROGATE = re.compile("[\ud800-\udfff]")
# yaml.org/spec/1.2.2 §5.1
_NO_CHARACTER = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ufeff\ue000-\ufffd\U00010000-\U0010ffff]")
_CONFLICT = re.compile("^(<<<<<<<|>>>>>>>) ", re.MULTILINE)
_ESCAPE = re.compile(r"\\(?:\\|u([0-9a-f]{4})|(.?))", re.DOTALL)


class YamlProblem(Exception):  # noqa: N818 - what is wrong is the file
    """The text is not what is read here. ``line`` counts from 1; 0 where it is not known."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class Node:
    """A part of the text: a scalar, a list of nodes or a mapping from texts to nodes; ``line`` counts from 1."""

    value: Any
    line: int


def read_tree(text: str) -> Node:
    """The one document of a text. Raises YamlProblem, also for what the machine could not hold."""
    if len(text) > MAX_CHARACTERS:
        raise YamlProblem(f"it is larger than {MAX_CHARACTERS >> 20} MiB")
    wrong = _NO_CHARACTER.search(text)
    if wrong is not None:
        raise YamlProblem(f"YAML allows no character U+{ord(wrong[0]):04X}", _line(text, wrong.start()))
    try:
        return _Builder().build(text)
    except yaml.MarkedYAMLError as error:
        conflict = _CONFLICT.search(text)
        if conflict is not None:
            message = "a merge conflict: keep the calls of both sides, without the lines that git put between them"
            raise YamlProblem(message, _line(text, conflict.start())) from error
        mark = error.problem_mark or error.context_mark
        line = 0 if mark is None else mark.line + 1
        raise YamlProblem(f"not YAML: {_one_line(error.problem or error.context)}", line) from error
    except yaml.YAMLError as error:
        raise YamlProblem(f"not YAML: {_one_line(str(error))}") from error


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


class _Builder:
    """Makes the tree from the parser's events, without recursion."""

    def __init__(self) -> None:
        self._open: list[tuple[Node, list[str]]] = []  # a collection, and the key that waits for its value
        self._nodes = 0
        self._root: Node | None = None

    def build(self, text: str) -> Node:
        for event in yaml.parse(text, Loader=_LOADER):  # events only: nothing is constructed
            line = 0 if event.start_mark is None else event.start_mark.line + 1
            if isinstance(event, yaml.AliasEvent):
                raise YamlProblem("an alias (*name) has no place here: write the value out", line)
            if isinstance(event, yaml.NodeEvent):
                self._begin(event, line)
            elif isinstance(event, yaml.CollectionEndEvent):
                self._open.pop()
            elif isinstance(event, yaml.DocumentStartEvent) and self._root is not None:
                raise YamlProblem("a second document has no place here", line)
        if self._root is None:
            raise YamlProblem("it is empty")
        return self._root

    def _begin(self, event: Any, line: int) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise YamlProblem(f"it has more than {MAX_NODES} values", line)
        if event.anchor is not None:
            raise YamlProblem("an anchor (&name) has no place here: write a text that starts with & in quotes", line)
        if event.tag is not None:
            raise YamlProblem(f"a tag ({_one_line(event.tag)[:60]}) has no place here", line)
        if isinstance(event, yaml.ScalarEvent):
            if self._open and isinstance(self._open[-1][0].value, dict) and not self._open[-1][1]:
                self._key(_text(event.value, line), line)
            else:
                self._add(Node(_text(event.value, line) if event.style else _plain(event.value, line), line))
            return
        node = Node([] if isinstance(event, yaml.SequenceStartEvent) else {}, line)
        if self._open and isinstance(self._open[-1][0].value, dict) and not self._open[-1][1]:
            raise YamlProblem("a key must be a text", line)
        self._add(node)
        self._open.append((node, []))
        if len(self._open) > MAX_DEPTH:
            raise YamlProblem("it is nested too deeply", line)

    def _key(self, key: str, line: int) -> None:
        mapping, waiting = self._open[-1]
        if key in mapping.value:
            raise YamlProblem(f"the key {quoted(key)} is there twice", line)
        waiting.append(key)

    def _add(self, node: Node) -> None:
        if not self._open:
            self._root = node
            return
        holder, waiting = self._open[-1]
        if waiting:
            holder.value[waiting.pop()] = node
        else:
            holder.value.append(node)


def _plain(text: str, line: int) -> str | int | float | bool | None:
    """A scalar without quotes: what YAML 1.2's core schema says, as far as it is written here."""
    if text in _WORDS:
        return _WORDS[text]
    if len(text) <= _LONGEST_NUMBER:
        if _INTEGER.fullmatch(text):
            return int(text)
        if _HEXADECIMAL.fullmatch(text):
            return int(text, 16)
        if _FLOAT.fullmatch(text):
            return float(text)
    return _text(text, line)


def _text(text: str, line: int) -> str:
    if not text.startswith("\\"):
        return text

    def meant(match: re.Match[str]) -> str:
        if match[2] is not None:
            raise YamlProblem(f"the escape {quoted(match[0])} is none of \\\\ and \\uXXXX", line)
        return chr(int(match[1], 16)) if match[1] else "\\"

    return _ESCAPE.sub(meant, text[1:])


def quoted(text: str) -> str:
    """A text from a file as part of a message: short, in quotes and ASCII."""
    return ascii(text) if len(text) <= 60 else ascii(text[:57] + "...")


def _one_line(text: str | None) -> str:
    return " ".join((text or "").split())[:200]


# ---- writing --------------------------------------------------------------------------------------------------------


def write_tree(tree: Mapping[str, Tree], indent: int = 0, *, blocks: frozenset[str] = frozenset()) -> str:
    """The lines of a mapping, each value on one line where that is short, else one part a line.

    The values of ``blocks`` have one part a line in any case.
    """
    entries = (_entry(f"{' ' * indent}{scalar(key)}:", value, indent, key in blocks) for key, value in tree.items())
    return "".join(entries)


def _entry(head: str, value: Tree, indent: int, in_lines: bool) -> str:
    if not isinstance(value, list | dict) or not value:
        return f"{head} {flow(value)}\n"
    short = flow(value)
    if not in_lines and len(head) + 1 + len(short) <= LONGEST_LINE:
        return f"{head} {short}\n"
    if isinstance(value, dict):
        return f"{head}\n{write_tree(value, indent + 2)}"
    return f"{head} [\n" + "".join(_rows(value, " " * (indent + 2))) + " " * indent + "  ]\n"


def _rows(parts: Sequence[Tree], margin: str) -> Iterator[str]:
    """The elements of a long list, as many on a line as fit."""
    row = ""
    for part in parts:
        text = f"{flow(part)},"
        if row and len(margin) + len(row) + 1 + len(text) > LONGEST_LINE:
            yield f"{margin}{row}\n"
            row = ""
        row = f"{row} {text}" if row else text
    yield f"{margin}{row}\n"


def flow(value: Tree) -> str:
    """A value on one line."""
    if isinstance(value, str):
        return scalar(value, in_flow=True)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(key, in_flow=True)}: {flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(flow, value)) + "]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float):
        digits, e, exponent = repr(value).partition("e")
        return f"{digits}{'.0' if e and '.' not in digits else ''}{e}{exponent}"
    return hex(value) if isinstance(value, Hexadecimal) else str(value)


def scalar(text: str, *, in_flow: bool = False) -> str:
    """A text as a YAML scalar on one line: plain where every reader takes it for this text, else in double quotes."""
    if text.startswith("\\") or _SURROGATE.search(text):
        escaped = text.replace("\\", "\\\\")
        text = "\\" + _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", escaped)
    plain = _PLAIN_IN_FLOW if in_flow else _PLAIN
    if plain.fullmatch(text) and text.lower() not in _TAKEN:
        return text
    return json.dumps(text, ensure_ascii=False) if text.isprintable() else f'"{"".join(map(_character, text))}"'


_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def _character(letter: str) -> str:
    """A character between double quotes (yaml.org/spec/1.2.2 §5.7)."""
    if letter in _SHORT:
        return _SHORT[letter]
    if letter.isprintable():
        return letter
    number = ord(letter)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
