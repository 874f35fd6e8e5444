"""Which macros give a source another meaning where a test compiles it (``#define SIZE 8``, then ``#include "buf.c"``).

The contract is judged as the source is compiled by itself; what a function compiled otherwise does says nothing of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from clausefit.hook.compile_commands import CompilerSettings

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"', re.MULTILINE)
_DEFINE = re.compile(r"^[ \t]*#[ \t]*(?:define|undef)[ \t]+([A-Za-z_]\w*).*$", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w*")
__test__ = False


def other_macros(
    test: str,
    headers: Iterable[str],
    source: Sequence[str],
    settings: tuple[CompilerSettings, CompilerSettings],
) -> tuple[str, ...]:
    """The names of the macros that the source's text mentions and that the test defines otherwise, sorted.

    ``test`` is the text of the test file, ``headers`` are those that only the test includes, ``source`` all texts
    of the source's translation unit; ``settings`` are the test's and the source's. A definition after the last
    ``#include "…"`` of the test cannot change what was included.
    """
    included = [match.start() for match in _INCLUDE.finditer(test)]
    before = test[: included[-1]] if included else ""
    whole = "\n".join(source)
    # The same line in both gives the same meaning (_GNU_SOURCE).
    own, theirs = _directives(whole), _directives("\n".join((before, *headers)))
    names = {name for name, line in theirs - own}
    told, usual = ({*s.defines, *(f"-{name}" for name in s.undefines)} for s in settings)
    names |= {found[0] for option in told ^ usual if (found := _WORD.search(option))}
    return tuple(sorted(names.intersection(_WORD.findall(whole))))


def _directives(text: str) -> set[tuple[str, str]]:
    """(name, the line without superfluous white space) of each ``#define`` and ``#undef``."""
    joined = re.sub(r"\\\r?\n", " ", text)
    return {(match[1], " ".join(match[0].replace("#", " # ").split())) for match in _DEFINE.finditer(joined)}
