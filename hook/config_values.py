"""Readers of single settings: a YAML node → a checked value, or what is wrong with it and where."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import yaml


class Wrong(Exception):  # noqa: N818 - becomes a ConfigProblem with its place
    """A value that does not fit; ``node`` is where, when that is not the whole value."""

    def __init__(self, message: str, node: yaml.Node | None = None) -> None:
        super().__init__(message)
        self.node = node


Reader: TypeAlias = Callable[[yaml.Node], Any]


def scalar(node: yaml.Node, *kinds: str) -> Any:
    """The Python value of a scalar whose YAML type is one of ``kinds`` (yaml.org/type)."""
    if not isinstance(node, yaml.ScalarNode) or node.tag.removeprefix("tag:yaml.org,2002:") not in kinds:
        raise Wrong(f"expected {_WORDS[kinds[0]]}, found {shown(node)}", node)
    try:
        return yaml.SafeLoader("").construct_object(node)
    except (ValueError, OverflowError) as error:
        raise Wrong(f"expected {_WORDS[kinds[0]]}, found {shown(node)}", node) from error


_WORDS = {"str": "a text", "int": "a whole number", "float": "a number", "bool": "true or false"}


def whole_number(low: int, high: int) -> Reader:
    """A reader of whole numbers from ``low`` to ``high``."""

    def reader(node: yaml.Node) -> int:
        value: int = scalar(node, "int")
        return int(_in_range(value, low, high, node))

    return reader


def number(low: float, high: float) -> Reader:
    """A reader of numbers from ``low`` to ``high``."""

    def reader(node: yaml.Node) -> float:
        value: float = scalar(node, "float", "int")
        return _in_range(value, low, high, node)

    return reader


def _in_range(value: float, low: float, high: float, node: yaml.Node) -> float:
    if not low <= value <= high:  # also for NaN
        raise Wrong(f"expected {low:g} to {high:g}, found {shown(node)}", node)
    return value


def flag(node: yaml.Node) -> bool:
    """True or false; raises Wrong."""
    return bool(scalar(node, "bool"))


def text(check: Callable[[str], str | None]) -> Reader:
    """A reader of texts without control characters; ``check`` says what else is wrong with one."""

    def reader(node: yaml.Node) -> str:
        value = str(scalar(node, "str"))
        complaint = "is empty" if not value else "has a control character" if not value.isprintable() else check(value)
        if complaint:
            raise Wrong(f"{quoted(value)} {complaint}", node)
        return value

    return reader


def texts(check: Callable[[str], str | None]) -> Reader:
    """A reader of lists of such texts, as tuples; what is there twice counts once."""
    item = text(check)

    def reader(node: yaml.Node) -> tuple[str, ...]:
        if not isinstance(node, yaml.SequenceNode):
            raise Wrong(f"expected a list, found {shown(node)}", node)
        return tuple(dict.fromkeys(item(one) for one in node.value))

    return reader


def mapping(readers: Mapping[str, Reader]) -> Reader:
    """A reader of mappings with these keys, each at most once, as a dict."""

    def reader(node: yaml.Node) -> dict[str, Any]:
        if not isinstance(node, yaml.MappingNode):
            raise Wrong(f"expected a mapping, found {shown(node)}", node)
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value) if isinstance(key_node, yaml.ScalarNode) else None
            if key is None or key not in readers:
                raise Wrong(f"unknown key {quoted(key)}{nearest(key, readers)}", key_node)
            if key in found:
                raise Wrong(f"the key {key!r} is there twice", key_node)
            try:
                found[key] = readers[key](value_node)
            except Wrong as wrong:
                raise Wrong(f"{key}: {wrong}", wrong.node or value_node) from wrong
        return found

    return reader


def one_of(choices: tuple[str, ...]) -> Callable[[str], str | None]:
    """A check that a text is one of these."""

    def check(value: str) -> str | None:
        return None if value in choices else f"is none of {', '.join(choices)}{nearest(value, choices)}"

    return check


def form(pattern: str, words: str) -> Callable[[str], str | None]:
    """A check that a text has a form, which messages call ``words``."""
    compiled = re.compile(pattern)
    return lambda value: None if compiled.fullmatch(value) else f"is not {words}"


def anything(_: str) -> None:
    """The check that lets any text pass."""


def below(value: str) -> str | None:
    """Settings are part of a pull request: they must not point the verifier at other folders of the machine."""
    if value.startswith(("/", "~")) or "\\" in value or ".." in value.split("/"):
        return "is not below the workspace"
    return "starts with a dash" if value.startswith("-") else None


def absolute(value: str) -> str | None:
    """A check that a text is a path from the root or the home folder."""
    path = Path(value)
    if not path.is_absolute() and not value.startswith("~/"):
        return "is not an absolute path"
    return "has a part '..'" if ".." in path.parts else None


def absolute_or_below(value: str) -> str | None:
    """A check that a text is an absolute path, or one below the workspace."""
    return absolute(value) if value.startswith(("/", "~")) else below(value)


def expanded_path(check: Callable[[str], str | None]) -> Reader:
    """A reader of paths, with the home folder for ``~``."""
    reader = text(check)
    return lambda node: os.path.expanduser(reader(node))  # noqa: PTH111 - a text that Path would normalize


def nearest(value: str | None, choices: Any) -> str:
    """``; did you mean 'x'?`` for the choice that is most like the value, or nothing."""
    near = difflib.get_close_matches(value[:100], list(choices), n=1, cutoff=0.5) if value else []
    return f"; did you mean {near[0]!r}?" if near else ""


def shown(node: yaml.Node) -> str:
    """A node as messages show it."""
    if isinstance(node, yaml.ScalarNode):
        return "nothing" if node.tag.endswith(":null") else quoted(node.value)
    return "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"


def quoted(value: str | None) -> str:
    """A value as messages show it: ASCII, and not long."""
    if value is None:
        return "that is no text"
    return ascii(value) if len(value) <= 40 else ascii(value[:37] + "...")


def one_line(text: str | None) -> str:
    """A text of another program as part of one line."""
    return " ".join((text or "").split())[:200]
