"""A call under way, and the lines that are written of calls. Runs inside gdb; standard library only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from functions import Function  # type: ignore[import-not-found]
from layouts import Layouts  # type: ignore[import-not-found]
from memory import Region  # type: ignore[import-not-found]
from terms import Typed  # type: ignore[import-not-found]

Write = Callable[["dict[str, Any]"], None]


@dataclass
class Open:
    """A call under way. ``stack`` is where its return address ``back`` lies; ``order`` that of its beginning."""

    function: Function
    thread: int
    stack: int
    back: int
    order: int
    outermost: bool
    arguments: list[Typed]
    regions: list[Region]
    functions: dict[str, str]
    frames: list[tuple[str, str, int]]
    began: float
    own: float
    failed: tuple[str, str] | None = None
    doubt: str = ""
    through: list[str] = field(default_factory=list)
    unsure: str = ""
    disturbed: str = ""


class Records:
    """Writes what was seen of one process. ``is_lost``: the disk is full, and nothing more is written."""

    def __init__(self, write: Write, layouts: Layouts) -> None:
        self._write_line = write
        self._layouts = layouts
        self.is_lost = False

    def left_out(self, function: Function, reason: str) -> None:
        """A call is not recorded, and why."""
        self._write({"function": function.number, "left": reason[:300]})

    def stuck(self, call: Open, seconds: float) -> None:
        """A call has lasted for so many seconds, and does not come back."""
        self._write({"stuck": call.function.number, "caller": call.frames[:1], "seconds": seconds})

    def call(
        self, call: Open, gave: tuple[Typed | None, list[bytes | None]] | None, failed: tuple[str, str] | None
    ) -> None:
        """A call is over: what it ``gave`` (its result, and what its regions hold afterwards), or how it ``failed``."""
        fresh = dict.fromkeys(self._layouts.fresh)
        if fresh:
            self._write({"types": {str(number): self._layouts.descriptions[number] for number in fresh}})
            self._layouts.fresh.clear()
        result, after = gave if gave is not None else (None, [None] * len(call.regions))
        self._write(
            {
                "call": call.function.number,
                "order": call.order,
                "outermost": call.outermost,
                "frames": call.frames,
                "arguments": [[value.type, value.content.hex()] for value in call.arguments],
                "regions": [region.data(content) for region, content in zip(call.regions, after, strict=True)],
                "functions": call.functions,
                "result": None if result is None else [result.type, result.content.hex()],
                "failed": failed,
                "through": call.through if failed is not None else [],
            }
        )

    def _write(self, line: dict[str, Any]) -> None:
        try:
            self._write_line(line)
        except OSError:  # the disk is full: what is there stays, the program goes on
            self.is_lost = True
