"""What recorders watch and what they bring back: the data between their parts."""

from __future__ import annotations

from dataclasses import dataclass

from clausefit.hook.contracts.model import Contract
from clausefit.hook.pins.values import Pin


@dataclass(frozen=True)
class WatchedFunction:
    """A function with a contract, as a recorder must know it.

    ``file`` is the workspace path of the contract's file, ``function`` its name as in ``Contract.function``.
    """

    file: str
    function: str
    contract: Contract


@dataclass(frozen=True)
class WatchedMethod(WatchedFunction):
    """A Java method or constructor (``method`` is then ``<init>``).

    ``class_name`` is the binary name (``p.Outer$Inner``), ``parameters`` are erased types as the Java Debug Interface
    names them, ``statics`` the (binary class, field) that the contract names, ``unnamed_statics`` the others of its
    class: what lies behind them was there before the call.
    """

    class_name: str
    method: str
    parameters: tuple[str, ...]
    statics: tuple[tuple[str, str], ...] = ()
    unnamed_statics: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class RecordLimits:
    """How much is recorded of one function and one value, and how far a process may be slowed down.

    ``slowdown`` is the most that recording may add to a process's running time, as a multiple of it; ``call_seconds``
    is the time after which a call that does not return counts as one that never does.
    """

    distinct_calls: int = 60
    hits: int = 400
    depth: int = 4
    elements: int = 64
    text: int = 256
    slowdown: float = 1.5
    call_seconds: float = 60.0


@dataclass(frozen=True)
class Frame:
    """One stack frame. ``scope`` is a binary class name (Java) or a source file as the debug information has it (C)."""

    scope: str
    name: str
    line: int


@dataclass(frozen=True)
class ClassOrigin:
    """Where a Java class that ran came from: its binary name, the class file or jar, the digest (SHA-256) of its file.

    ``path`` and ``digest`` are empty where that is not known.
    """

    name: str
    path: str
    digest: str


@dataclass(frozen=True)
class RecordedCall:
    """A watched call that came to an end. The pin's origin is ``recorded`` and names no test yet.

    ``frames`` are those that may be a test, innermost first. ``program`` is the executable or the main class.
    ``arguments`` are those that ctest started it with, None where another did or that is not known.
    ``ended`` says how its process ended, empty where that was well; it is part of a sentence.
    ``origin`` is where the class of a Java method came from.
    ``otherwise`` says why the program is not what clausefit reads (C), else it is empty.
    ``through`` are the sources, as the debug information has them, of the code in which it failed (C).
    ``outermost``: no other call of the same function was under way in this thread. ``order`` grows in a process.
    """

    watched: WatchedFunction
    pin: Pin
    frames: tuple[Frame, ...]
    program: str
    outermost: bool
    order: int
    arguments: tuple[str, ...] | None = None
    origin: ClassOrigin | None = None
    ended: str = ""
    through: tuple[str, ...] = ()
    otherwise: str = ""


@dataclass(frozen=True)
class LeftOut:
    """Calls of a function that could not be recorded, counted by their reason."""

    function: str
    reason: str
    count: int


@dataclass(frozen=True)
class Recording:
    """All that a recorder brings back. ``problems`` are lines for people; ``programs`` counts watched processes.

    ``unseen`` are functions that could not be watched, as a problem says. ``was_watched``: of all other functions every
    call in these processes was seen, until enough were.
    """

    calls: tuple[RecordedCall, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    problems: tuple[str, ...] = ()
    programs: int = 0
    unseen: frozenset[str] = frozenset()
    was_watched: bool = False


class RecorderProblem(Exception):  # noqa: N818 - what is wrong is the machine
    """Recording is not possible here. The text is one line: what is missing, and what to do."""
