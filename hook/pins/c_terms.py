"""What the reader of C tests passes around: values with types, places in memory, and what names stand for."""

from __future__ import annotations

from dataclasses import dataclass

from clausefit.hook.pins.c_types import (
    CType,
    FunctionType,
)
from clausefit.hook.pins.values import Path, Value


class StopError(Exception):
    """The test cannot be followed from here on; ``reason`` is None where it simply ends.

    ``local``: only the rest of the function is affected, its caller goes on.
    """

    def __init__(self, reason: str | None = None, *, local: bool = False) -> None:
        super().__init__(reason or "end")
        self.reason = reason
        self.local = local


@dataclass(frozen=True)
class Term:
    """An evaluated expression."""

    value: Value
    ctype: CType


@dataclass(frozen=True)
class Place:
    """An lvalue. ``block`` is None when it is not known where it is; ``apart``: yet it is nowhere that matters."""

    block: str | None
    path: Path
    ctype: CType
    apart: bool = False


@dataclass(frozen=True)
class Variable:
    """What a variable's name stands for; ``block`` is None when its type is not modelled."""

    block: str | None
    ctype: CType


@dataclass(frozen=True)
class FunctionName:
    """What a function's name stands for."""

    name: str
    ctype: FunctionType
