"""Spec cases of one method: nested ``{| … also … |}`` become flat cases, each with all clauses that hold in it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from clausefit.hook.contracts.java_model import CaseKind, SpecCase
from clausefit.hook.contracts.model import Clause, Span

# Flattening copies outer clauses into every inner case; people write a handful.
_MOST_CLAUSES = 5_000
_MOST_LEVELS = 20


@dataclass
class _Case:
    kind: CaseKind | None = None
    visibility: str = ""
    is_code: bool = False
    section: str = ""
    text: str = ""
    span: Span | None = None
    clauses: list[Clause] = field(default_factory=list)
    inner: list[_Case] = field(default_factory=list)
    has_block: bool = False


class Flat(NamedTuple):
    """Flat spec cases with their clauses; ``problem`` says why there are fewer than written."""

    clauses: tuple[Clause, ...]
    cases: tuple[SpecCase, ...]
    problem: str | None


class CaseTree:
    """Takes the structure words and clauses of a method specification in order.

    The methods give back a problem as a sentence, or None. ``starts_with_also``: the specification adds to
    an inherited one.
    """

    def __init__(self) -> None:
        self.starts_with_also = False
        self._top: list[_Case] = []
        self._open: list[_Case] = []
        self._current: _Case | None = None
        self._section = ""
        self._ignored_levels = 0

    @property
    def is_open(self) -> bool:
        """Whether a ``{|`` has no ``|}`` yet."""
        return bool(self._open)

    def _new(self) -> _Case:
        case = _Case(section=self._section)
        (self._open[-1].inner if self._open else self._top).append(case)
        self._current = case
        return case

    def add(self, clause: Clause) -> None:
        """A clause of the current case, or of a new lightweight one."""
        (self._current or self._new()).clauses.append(clause)

    def also(self) -> str | None:
        """``also``: a new case follows."""
        if self._current is None and not self._top and not self._open:
            self.starts_with_also = True
        self._current = None
        return None

    def section(self, word: str) -> str | None:
        """``implies_that`` or ``for_example``: redundant cases follow."""
        self._current = None
        if self._open:
            return f"`{word}` inside `{{| … |}}`"
        self._section = word
        return None

    def header(self, kind: CaseKind, visibility: str, is_code: bool, text: str, span: Span) -> str | None:
        """``normal_behavior`` and the like, with its modifiers as ``text``."""
        problem = None if self._current is None else "an `also` is missing before this spec case"
        case = self._new()
        case.kind, case.visibility, case.is_code = kind, visibility, is_code
        case.text, case.span = text, span
        return problem

    def open(self) -> str | None:
        """``{|``"""
        if len(self._open) >= _MOST_LEVELS:
            self._ignored_levels += 1
            return f"`{{|` is nested more than {_MOST_LEVELS} times"
        case = self._current or self._new()
        case.has_block = True
        self._open.append(case)
        self._current = None
        return None

    def close(self) -> str | None:
        """``|}``"""
        if self._ignored_levels:
            self._ignored_levels -= 1
            return None
        if not self._open:
            return "`|}` without its `{|`"
        self._current = self._open.pop()
        return None

    def flatten(self) -> Flat:
        """All cases without nesting, numbered from 1."""
        clauses: list[Clause] = []
        cases: list[SpecCase] = []
        todo: list[tuple[_Case, SpecCase, list[Clause]]] = [
            (one, SpecCase("", "lightweight"), []) for one in reversed(self._top)
        ]
        while todo:
            case, outer, before = todo.pop()
            own = [*before, *case.clauses]
            shape = SpecCase(
                str(len(cases) + 1),
                case.kind or outer.kind,
                case.visibility or outer.visibility,
                case.section,
                case.is_code or outer.is_code,
                case.text or outer.text,
                case.span or outer.span,
            )
            if case.inner:
                todo += [(one, shape, own) for one in reversed(case.inner)]
                continue
            if len(clauses) + len(own) > _MOST_CLAUSES:
                detail = f"more than {_MOST_CLAUSES} clauses in one specification; the rest is left out"
                return Flat(tuple(clauses), tuple(cases), detail)
            cases.append(shape)
            clauses += [replace(clause, behavior=shape.id) for clause in own]
        return Flat(tuple(clauses), tuple(cases), None)
