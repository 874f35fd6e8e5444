r"""Regular expressions that every Python from 3.11 on understands alike.

Before 3.11.5 (Debian 12 has 3.11.2) the position stays in the middle of what a possessive group could not match in its
last round (CPython, gh-106052): ``(?:\s|\\\r?\n)++`` takes the backslash of " \result" away. A last alternative that
never matches, ``(?!)``, puts it back. An atomic group would do as well, at 115 bytes of memory for each round.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted(path for folder in ("ci", "hook", "verifiers") for path in (ROOT / folder).rglob("*.py"))
POSSESSIVE_GROUP = re.compile(r"(?<!\|\(\?!\))\)(?:[*+?]|\{\d*,?\d*\})\+")


def wrong_groups(source: str) -> list[int]:
    """The lines of the strings with a possessive group that does not end in an alternative that never matches."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and POSSESSIVE_GROUP.search(node.value)
    ]


def test_possessive_groups_put_the_position_back() -> None:
    assert len(SOURCES) > 100
    found = {path.relative_to(ROOT).as_posix(): wrong_groups(path.read_text("utf-8")) for path in SOURCES}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("expression", "lines"),
    [
        pytest.param(r"(?:a|bc)++", [1], id="plus"),
        pytest.param(r"(?:a|bc)*+", [1], id="star"),
        pytest.param(r"(?:a|bc){2,}+", [1], id="counted"),
        pytest.param(r"(?:a|bc|(?!))*+", [], id="put-back"),
        pytest.param(r"(?>(?:a|bc)*)", [], id="atomic"),
        pytest.param(r"[ab]*+", [], id="class-of-characters"),
    ],
)
def test_what_is_looked_for(expression: str, lines: list[int]) -> None:
    assert wrong_groups(f"E = {expression!r}") == lines


def test_the_position_is_put_back() -> None:
    found = re.match(r"(?:\s|\\\r?\n|(?!))++", " \\result")
    assert found is not None and found[0] == " "
