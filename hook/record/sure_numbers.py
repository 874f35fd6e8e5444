"""The numbers that names stand for in a source, whatever the options of the build that is recorded (pure)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from clausefit.hook.c_numbers import numbers_in, overridable
from clausefit.hook.expect.limits import LIMITS

_OTHER = 77777
"""A value that no project gives a macro."""


def sure_numbers(compiled: Callable[[Sequence[str]], str | None], texts: Iterable[str]) -> Mapping[str, int]:
    """The limits of C's types and what else stands for one number, none where the source does not preprocess.

    ``compiled`` preprocesses it with some more macros, ``texts`` are the source and its headers. The program may have
    been built with other options than are known: a name whose number changes with a macro that conditions ask for is
    not sure.
    """
    text = compiled(()) or ""
    found = numbers_in(text)
    other = overridable(texts, text)
    if found and other:
        changed = numbers_in(compiled([f"{name}={_OTHER}" for name in other]) or "")
        found = {name: value for name, value in found.items() if changed.get(name) == value}
    return {**LIMITS, **found}
