"""Names that stand for one number all over a translation unit: macros, enumerators, the limits of C's types."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from clausefit.hook.expect.limits import LIMITS
from clausefit.hook.guess import numbers_defined

_COMMENT = re.compile(r"//[^\n]*|/\*(?s:.*?)\*/")
_ENUM = re.compile(r"\benum\b\s*\w*\s*\{([^{}]*)\}")
_ENUMERATOR = re.compile(
    r"\s*([A-Za-z_]\w*)\s*(?:=\s*(-?)\s*(0[xX][0-9a-fA-F]{1,16}|0|[1-9][0-9]{0,18}|[A-Za-z_]\w*))?\s*"
)
# ``-DNAME=…`` of a build may give these another value.
_OVERRIDDEN = re.compile(r"^[ \t]*#[ \t]*ifndef[ \t]+(\w+)|\bdefined\b[ \t(]*(\w+)", re.MULTILINE)


def constants_of(texts: Iterable[str]) -> dict[str, int]:
    """What each name stands for. Names that the texts define twice, or that a build may define, are not there."""
    found = list(texts)
    overridden = {name for text in found for pair in _OVERRIDDEN.findall(text) for name in pair}
    macros = numbers_defined(found)
    numbers = {**LIMITS, **{name: value for name, value in macros.items() if name not in overridden}}
    return {**numbers, **_enumerators(found, numbers)}


def _enumerators(texts: Iterable[str], numbers: Mapping[str, int]) -> dict[str, int]:
    seen: Counter[str] = Counter()
    found: dict[str, int] = {}
    for text in texts:
        for body in _ENUM.findall(_COMMENT.sub(" ", text)):
            value: int | None = -1
            for part in body.split(","):
                match = _ENUMERATOR.fullmatch(part)
                if match is None:
                    value = None  # what follows counts on from what is not understood
                    continue
                name, sign, given = match.groups()
                if given is not None:
                    value = _number(given, {**numbers, **found})
                    value = -value if value is not None and sign else value
                elif value is not None:
                    value += 1
                seen[name] += 1
                if value is not None:
                    found[name] = value
    return {name: value for name, value in found.items() if seen[name] == 1 and name not in numbers}


def _number(text: str, known: Mapping[str, int]) -> int | None:
    return known.get(text) if not text[0].isdigit() else int(text, 0)
