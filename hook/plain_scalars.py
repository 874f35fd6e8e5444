"""Words and numbers of the plain form that both languages share."""

from __future__ import annotations

import math
import struct

from clausefit.hook.pins.values import Floating

UNKNOWN = "?"
RESULT = "result"
EXIT = "exit"
RETURN = "return"


def plain_number(value: Floating) -> float | str:
    """The number as JSON: a binary32 as the shortest decimal that means it; NaN and infinities as text with bits."""
    number = value.number
    if not math.isfinite(number):
        return f"{number} ({value.bits:#0{value.width // 4 + 2}x})"
    if value.width != 32:
        return number
    # Nine digits always suffice for binary32 (IEEE 754-2008 §5.12.2); fewer read better.
    candidates = (float(f"{number:.{digits}g}") for digits in range(1, 10))
    return next((short for short in candidates if _binary32(short) == value.bits), number)


def _binary32(number: float) -> int | None:
    try:
        return int(struct.unpack("<I", struct.pack("<f", number))[0])
    except OverflowError:  # rounding up the largest finite values leaves the format
        return None
