"""JSON of which nothing is believed: bounded text to plain values, and readers that check one value each.

What is refused (RFC 8259 leaves it open, and readers differ in what they make of it): keys that are there twice, NaN
and infinite numbers, lone surrogates, numbers and nesting without bounds.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeAlias, TypeVar

from clausefit.hook.config_values import nearest, quoted
from clausefit.hook.visible import shortened, visible

LARGEST_NUMBER = 2**53 - 1
"""The largest whole number that every JSON reader keeps exactly (RFC 8259 §6)."""
_MOST_DIGITS = 1000
_DEEPEST = 64
_LONGEST_PLACE = 120

T = TypeVar("T")
Reader: TypeAlias = Callable[[object, str], T]
"""Takes a value and its place in the document (``findings[3].line``); raises Misfit."""


class Misfit(Exception):  # noqa: N818 - what is wrong is the document
    """The text is not what it should be; the message is one line."""


def parsed(content: str | bytes, most_bytes: int) -> object:
    """The document. Raises Misfit for text that is too large, no UTF-8, no JSON, or that readers would differ about."""
    if len(content) > most_bytes:
        raise Misfit(f"larger than {most_bytes >> 20} MiB")
    try:
        text = content if isinstance(content, str) else content.decode("utf-8")
        document: object = json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_float, parse_int=_int
        )
    except UnicodeDecodeError as error:
        raise Misfit(f"not UTF-8 (byte {error.start})") from error
    except json.JSONDecodeError as error:
        raise Misfit(f"line {error.lineno}: not JSON: {error.msg}") from error
    except RecursionError as error:
        raise Misfit("nested too deeply") from error
    return document


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise Misfit(f"the key {quoted(twice)} is there twice")
    return found


def _constant(name: str) -> NoReturn:
    raise Misfit(f"{name} is no number of JSON")


def _float(text: str) -> float:
    value = float(text) if len(text) <= _MOST_DIGITS else math.inf
    if not math.isfinite(value):
        raise Misfit(f"the number {quoted(text)} is too large, or has too many digits")
    return value


def _int(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise Misfit(f"a number of {len(text)} digits")
    return int(text)


# ---- readers --------------------------------------------------------------------------------------------------------


def wrong(value: object, place: str, expected: str) -> NoReturn:
    """Raises Misfit: what was expected at the place, and what is there."""
    raise Misfit(f"{shown(place)}: expected {expected}, found {_described(value)}")


def shown(place: str) -> str:
    """A place as messages show it; keys in it are anybody's text."""
    return shortened(visible(place), _LONGEST_PLACE) if place else "the document"


def _described(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, int | float):
        return shortened(str(value), 40)
    return "a list" if isinstance(value, list) else "an object"


def whole(low: int, high: int = LARGEST_NUMBER) -> Reader[int]:
    """A reader of whole numbers from ``low`` to ``high``."""

    def read(value: object, place: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            wrong(value, place, f"a whole number from {low}" + (f" to {high}" if high < LARGEST_NUMBER else ""))
        return value

    return read


def number(low: float, high: float) -> Reader[float]:
    """A reader of numbers from ``low`` to ``high``."""

    def read(value: object, place: str) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            wrong(value, place, f"a number from {low:g} to {high:g}")
        return float(value)

    return read


def text(value: object, place: str) -> str:
    """Any text that can be encoded; raises Misfit."""
    if not isinstance(value, str):
        wrong(value, place, "a text")
    if not value.isascii():
        try:
            value.encode("utf-8")
        except UnicodeEncodeError as error:
            raise Misfit(f"{shown(place)}: the text holds half a character (a lone surrogate)") from error
    return value


def word(value: object, place: str) -> str:
    """A text that is not empty; raises Misfit."""
    found = text(value, place)
    return found if found else wrong(value, place, "a text that is not empty")


def form(pattern: str, words: str) -> Reader[str]:
    """A reader of texts of a form, which messages call ``words``."""
    compiled = re.compile(pattern)

    def read(value: object, place: str) -> str:
        found = text(value, place)
        return found if compiled.fullmatch(found) else wrong(value, place, words)

    return read


def choice(words: tuple[str, ...]) -> Reader[Any]:
    """A reader of one of these words."""

    def read(value: object, place: str) -> str:
        found = text(value, place)
        return found if found in words else wrong(value, place, f"one of {', '.join(words)}")

    return read


def path_inside(value: object, place: str) -> str:
    """A relative path that stays below the folder that it is relative to, whichever slash it uses; raises Misfit."""
    found = word(value, place)
    parts = found.replace("\\", "/").split("/")
    if found[0] in "/\\" or ".." in parts or re.match(r"[A-Za-z]:[/\\]", found) or "\0" in found:
        wrong(value, place, "a relative path that stays inside the project")
    return found


def optional(reader: Reader[T]) -> Reader[T | None]:
    """A reader of null (as None), or of what ``reader`` takes."""
    return lambda value, place: None if value is None else reader(value, place)


def many(reader: Reader[T]) -> Reader[tuple[T, ...]]:
    """A reader of lists of what ``reader`` takes."""

    def read(value: object, place: str) -> tuple[T, ...]:
        if not isinstance(value, list):
            wrong(value, place, "a list")
        return tuple(reader(one, f"{place}[{number}]") for number, one in enumerate(value))

    return read


def named(reader: Reader[T]) -> Reader[dict[str, T]]:
    """A reader of objects with any keys."""

    def read(value: object, place: str) -> dict[str, T]:
        if not isinstance(value, dict):
            wrong(value, place, "an object")
        return {text(key, place): reader(one, f"{place}.{key}") for key, one in value.items()}

    return read


def members(readers: Mapping[str, Reader[Any]], defaults: Mapping[str, Any] | None = None) -> Reader[dict[str, Any]]:
    """A reader of objects with exactly these keys; those of ``defaults`` may be missing."""
    others = defaults or {}

    def read(value: object, place: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            wrong(value, place, "an object")
        for key in value:
            if key not in readers:
                raise Misfit(f"{shown(place)}: unknown key {quoted(key)}{nearest(key, readers)}")
        for key in readers:
            if key not in value and key not in others:
                raise Misfit(f"{shown(place)}: the key '{key}' is missing")
        before = f"{place}." if place else ""
        return {**others, **{key: readers[key](one, f"{before}{key}") for key, one in value.items()}}

    return read


def plain(value: object, place: str) -> Any:
    """Any value whose texts can be encoded, not nested deeper than what comes after can follow; raises Misfit."""
    return _plain(value, place, 0)


def _plain(value: object, place: str, depth: int) -> Any:
    if depth > _DEEPEST:
        raise Misfit(f"{shown(place)}: nested deeper than {_DEEPEST} levels")
    if isinstance(value, str):
        return text(value, place)
    if isinstance(value, list):
        return [_plain(one, place, depth + 1) for one in value]
    if isinstance(value, dict):
        return {text(key, place): _plain(one, place, depth + 1) for key, one in value.items()}
    return value
