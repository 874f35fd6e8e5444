"""In which language a pinned call is written."""

from __future__ import annotations

from clausefit.hook.contracts.model import Language
from clausefit.hook.pins.values import Pin


def language_of(pin: Pin) -> Language:
    """``java`` or ``c``: a Java method is known by its signature, a C function by its bare name."""
    return "java" if pin.function.endswith(")") else "c"
