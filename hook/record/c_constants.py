"""Names that stand for one number all over a translation unit: macros, enumerators, the limits of C's types."""

from __future__ import annotations

import re
from collections.abc import Iterable

from clausefit.hook.c_numbers import enumerators, numbers_defined
from clausefit.hook.expect.limits import LIMITS

# ``-DNAME=…`` of a build may give these another value.
_OVERRIDDEN = re.compile(r"^[ \t]*#[ \t]*ifndef[ \t]+(\w+)|\bdefined\b[ \t(]*(\w+)", re.MULTILINE)


def constants_of(texts: Iterable[str]) -> dict[str, int]:
    """What each name stands for. Names that the texts define twice, or that a build may define, are not there."""
    found = list(texts)
    overridden = {name for text in found for pair in _OVERRIDDEN.findall(text) for name in pair}
    macros = numbers_defined(found)
    numbers = {**LIMITS, **{name: value for name, value in macros.items() if name not in overridden}}
    return {**numbers, **enumerators(found, numbers)}
