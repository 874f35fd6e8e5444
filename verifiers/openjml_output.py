"""What OpenJML prints with ``--esc --progress``: per method what was proved, and what it says of lines.

Read from 41 transcripts of 0.21 (``tests/data/openjml``). OpenJML prints "cannot establish" both for what is false
and for what its solver does not know, so the only thing of a method that counts is that all of it was proved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["error", "warning", "verify"]

_STARTING = re.compile(r"Starting proof of (.+) with prover \S+$")
_COMPLETED = re.compile(r"Completed proof of (.+) with prover \S+ - (.+?)(?: \[[\d.,]+ secs\])?$")
_SKIPPING = re.compile(r"Skipping proof of (.+) \([^()]*\)$")
_ASSERTIONS = re.compile(r"(?: ?\S+ )?Method assertions are (validated|INVALID)(?: \[[\d.,]+ secs\])?$")
_FEASIBILITY = re.compile(r"\S.*?:\d+: ?Feasibility check #\d+ - (.+) : (.+?)(?: \[[\d.,]+ secs\])?$")
# A file name cannot begin with a blank here: a source line that is echoed below a message may look like a message.
_DIAGNOSTIC = re.compile(r"([^\s:][^:]*):(\d+): (error|warning|verify): (.*)$")
_BARE = re.compile(r"(error|warning): (.*)$")
_AT_EXIT = "at program exit"
_NOT_IMPLEMENTED = re.compile(r"not (?:yet )?(?:implemented|supported)", re.IGNORECASE)
_INFEASIBLE = re.compile(r"no feasible path|appear to be contradictory")
_SOLVER = re.compile(r"failed to start", re.IGNORECASE)


@dataclass(frozen=True)
class Diagnostic:
    """One message. ``file`` is as OpenJML names it, empty with ``line`` 0 for a message about no file."""

    file: str
    line: int
    kind: Kind
    message: str

    @property
    def is_not_implemented(self) -> bool:
        """Whether OpenJML says that it has no proofs for something that is written there."""
        return self.kind == "warning" and _NOT_IMPLEMENTED.search(self.message) is not None


@dataclass(frozen=True)
class MethodProof:
    """The proof of one method: ``name`` with class and parameter types, ``ending`` in OpenJML's words.

    ``validated``: the solver found that no assertion of the method can fail. ``exit_is_feasible``: True and False when
    OpenJML looked whether the end of the method can be reached, None when it did not. ``infeasible``: some place that
    it looked at cannot be.
    """

    name: str
    ending: str
    validated: bool
    exit_is_feasible: bool | None
    infeasible: bool
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def simple_name(self) -> str:
        """The name without class and parameters."""
        return self.name.partition("(")[0].rpartition(".")[2]

    @property
    def proved(self) -> bool:
        """Whether everything in the method is proved, from assumptions that do not contradict each other."""
        clean = self.ending == "no warnings" and not self.diagnostics
        return self.validated and clean and self.exit_is_feasible is True and not self.infeasible


@dataclass(frozen=True)
class Output:
    """All that one run says. ``unfinished`` is the method whose proof had begun when the output ended, or empty.

    ``diagnostics`` are those outside of the proofs of methods: syntax and type errors, and what concerns no method.
    """

    methods: tuple[MethodProof, ...] = ()
    skipped: tuple[str, ...] = ()
    unfinished: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Errors in the sources (with one, nothing is proved), on the command line, or of OpenJML itself."""
        return tuple(one for one in self.diagnostics if one.kind == "error")

    @property
    def solver_is_missing(self) -> bool:
        """Whether OpenJML could not start its solver."""
        everywhere = (*self.diagnostics, *(one for method in self.methods for one in method.diagnostics))
        return any(one.kind == "error" and _SOLVER.search(one.message) for one in everywhere)


@dataclass
class _Section:
    """The proof of a method while its lines are read."""

    name: str
    validated: bool = False
    exit_is_feasible: bool | None = None
    infeasible: bool = False
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def ended(self, ending: str) -> MethodProof:
        infeasible = self.infeasible or ending == "INFEASIBLE"
        return MethodProof(
            self.name, ending, self.validated, self.exit_is_feasible, infeasible, tuple(self.diagnostics)
        )


def parse(text: str) -> Output:
    """What ``text`` (stdout of OpenJML) says. A last line without its end is left out: it may say half of something."""
    methods: list[MethodProof] = []
    skipped: list[str] = []
    outside: list[Diagnostic] = []
    section: _Section | None = None
    for line in _whole_lines(text):
        if started := _STARTING.match(line):
            section = _Section(started[1])
        elif completed := _COMPLETED.match(line):
            # A proof that ends without having begun is none of which anything is known.
            if section is not None and section.name == completed[1]:
                methods.append(section.ended(completed[2]))
            section = None
        elif passed_over := _SKIPPING.match(line):
            skipped.append(passed_over[1])
        elif diagnostic := _diagnostic(line):
            (outside if section is None else section.diagnostics).append(diagnostic)
            if section is not None and _INFEASIBLE.search(diagnostic.message):
                section.infeasible = True
        elif section is not None:
            _note(section, line)
    return Output(tuple(methods), tuple(skipped), section.name if section else "", tuple(outside))


def first_problem(output: Output, stderr: str) -> str:
    """The first error as one line, without the file's place; else the first line of ``stderr``; else empty."""
    everywhere = (*output.diagnostics, *(one for method in output.methods for one in method.diagnostics))
    message = next((one.message for one in everywhere if one.kind == "error"), "")
    said = message or next((line for line in stderr.splitlines() if line.strip()), "")
    return " ".join(said.split())[:300]


def version_of(text: str) -> str:
    """The version in what ``openjml --version`` prints (``21-0.19``, ``0.17.0-alpha-15``); empty when there is none."""
    for line in text.splitlines():
        for word in line.split():
            plain = word.lower().removeprefix("openjml-").removeprefix("v")
            if plain[:1].isdigit() and re.fullmatch(r"[\w.+-]+", plain):
                return plain
    return ""


def _whole_lines(text: str) -> Iterable[str]:
    *lines, _half = text.split("\n")
    return (line.rstrip("\r") for line in lines)


def _diagnostic(line: str) -> Diagnostic | None:
    if found := _DIAGNOSTIC.match(line):
        kind: Kind = found[3]  # type: ignore[assignment]
        return Diagnostic(found[1], int(found[2][:9]), kind, found[4])
    if found := _BARE.match(line):
        kind = found[1]  # type: ignore[assignment]
        return Diagnostic("", 0, kind, found[2])
    return None


def _note(section: _Section, line: str) -> None:
    if found := _ASSERTIONS.match(line):
        section.validated = found[1] == "validated"
    elif found := _FEASIBILITY.match(line):
        if found[2] == "infeasible":
            section.infeasible = True
        if found[1] == _AT_EXIT:
            section.exit_is_feasible = found[2] == "OK"
