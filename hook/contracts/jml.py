"""The JML reader: tokens of the annotations before a declaration → spec cases, clauses, class parts, model members.

All annotations between two declarations are one text (JML Reference Manual, "Method Specifications"): a clause may
go over several ``//@`` lines. What cannot be read is a ``Problem`` with its place; what stands around it is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from clausefit.hook.contracts.acsl_tokens import Places, Problem, Token, closing, fold, split_commas, text_at
from clausefit.hook.contracts.java_model import ClassClause, SpecCase
from clausefit.hook.contracts.jml_cases import CaseTree
from clausefit.hook.contracts.jml_ends import clause_end, restarts, starts_clause
from clausefit.hook.contracts.jml_tokens import tokenize_jml, type_text
from clausefit.hook.contracts.jml_words import (
    ANNOTATION_PACKAGE,
    ANNOTATIONS,
    BODY_WORDS,
    CASES,
    CLASS_CLAUSES,
    METHOD_CLAUSES,
    MODIFIERS,
    SECTIONS,
    STARTERS,
    VISIBILITIES,
)
from clausefit.hook.contracts.model import Clause
from clausefit.hook.contracts.near_words import no_clause

_WITH_LOCATIONS = frozenset(
    {"assignable", "assignable_free", "accessible", "captures", "callable", "signals_only", "in"}
)
_TYPE_WORDS = frozenset({"class", "interface", "enum", "record"})


@dataclass(frozen=True)
class MethodSpec:
    """The specification of one method; ``start`` and ``end`` are the offsets that its text covers, or None."""

    clauses: tuple[Clause, ...] = ()
    cases: tuple[SpecCase, ...] = ()
    extends_overridden: bool = False
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True)
class ModelMember:
    """A ghost or model field, method or class in an annotation, with the specification before it.

    ``tokens`` are its modifiers and its text up to its body or final ``;``; ``end`` is behind both.
    """

    tokens: tuple[Token, ...]
    spec: MethodSpec
    body: tuple[int, int] | None
    end: int


@dataclass
class Specs:
    """What the annotations before one declaration hold.

    ``spec`` and ``modifiers`` belong to the declaration that follows, the rest to the class around.
    """

    spec: MethodSpec = field(default_factory=MethodSpec)
    modifiers: list[Token] = field(default_factory=list)
    class_clauses: list[ClassClause] = field(default_factory=list)
    members: list[ModelMember] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


class SignalsParts(NamedTuple):
    """The parts of a ``signals`` clause; ``name`` and ``condition`` are empty where they are not written."""

    exception: str
    name: str
    condition: str


def split_signals(formula: str) -> SignalsParts | None:
    """Take ``(E e) P`` apart; None where it is no such formula. Never raises."""
    tokens = tokenize_jml(formula)
    end = closing(tokens, 0) if text_at(tokens, 0) == "(" else None
    if end is None or end < 2:
        return None
    inner = tokens[1:end]
    has_name = len(inner) > 1 and inner[-1].kind == "word" and inner[-2].text != "."
    exception = type_text(inner[:-1] if has_name else inner)
    return SignalsParts(exception, inner[-1].text if has_name else "", formula[tokens[end].end :].strip())


def read_annotation_name(tokens: Sequence[Token], index: int) -> tuple[Token, int] | None:
    """The Java annotation at ``index`` as one token ``@Name`` (the last part of its name), and the index behind it.

    One of JML's that is written with its package is the token of the modifier that it stands for. None where no
    annotation stands there; ``@interface`` is none.
    """
    name = index + 1
    if text_at(tokens, index) != "@" or name >= len(tokens) or tokens[name].kind != "word":
        return None
    if tokens[name].text == "interface":
        return None
    while text_at(tokens, name + 1) == "." and name + 2 < len(tokens) and tokens[name + 2].kind == "word":
        name += 2
    text = "@" + tokens[name].text
    if "".join(one.text for one in tokens[index + 1 : name - 1]) == ANNOTATION_PACKAGE:
        text = ANNOTATIONS.get(text, text)
    token = Token("word", text, tokens[index].start, tokens[name].end)
    after = name + 1
    if text_at(tokens, after) == "(":
        end = closing(tokens, after)
        after = len(tokens) if end is None else end + 1
    return token, after


def read_specs(tokens: list[Token], text: str, file: str, places: Places, last_field: str | None = None) -> Specs:
    """Read the annotation tokens that stand between two declarations. Never raises.

    ``last_field`` is the field declared before them, to which ``in`` and ``maps`` belong.
    """
    return _Reader(tokens, text, file, places, last_field).run()


class _Reader:
    def __init__(self, tokens: list[Token], text: str, file: str, places: Places, last_field: str | None) -> None:
        self._tokens = tokens
        self._text = text
        self._file = file
        self._places = places
        self._last_field = last_field
        self._out = Specs()
        self._cases = CaseTree()
        self._modifiers: list[Token] = []
        self._start: int | None = None
        self._end = 0

    def run(self) -> Specs:
        index = 0
        while index < len(self._tokens):
            index = self._element(index)
        self._out.spec = self._take_spec()
        self._out.modifiers = self._modifiers
        return self._out

    def _problem(self, index: int, detail: str, reason: str = "parse_error") -> None:
        token = self._tokens[min(index, len(self._tokens) - 1)]
        self._out.problems.append(Problem(token.start, detail, reason))

    def _element(self, index: int) -> int:
        """Read what starts at ``index``; the index to go on with (always a later one)."""
        token = self._tokens[index]
        word = token.text
        annotation = read_annotation_name(self._tokens, index)
        if annotation is not None:
            self._modifiers.append(annotation[0])
            return annotation[1]
        if word in ("{|", "|}", "also") or word in SECTIONS or word in CASES:
            return self._structure(index)
        if word in MODIFIERS:
            self._modifiers.append(token)
            return index + 1
        if word in METHOD_CLAUSES or word in CLASS_CLAUSES:
            return self._clause(index)
        if word == "import":
            return self._import(index)
        if word == ";":
            return index + 1
        if word in _TYPE_WORDS or any(one.text in ("ghost", "model") for one in self._modifiers):
            return self._member(index)
        return self._skip(index)

    def _skip(self, index: int) -> int:
        word = self._tokens[index].text[:40]
        if word in BODY_WORDS:
            self._problem(index, f"`{word}` belongs to statements, not before a declaration", "unsupported")
        elif word in ("model_program", "initializer", "static_initializer"):
            self._problem(index, f"`{word}` is not followed", "unsupported")
        else:
            self._problem(index, no_clause(word, STARTERS))
        index += 1
        while index < len(self._tokens) and not starts_clause(self._tokens, index, self._text):
            index += 1
        return index

    # -- spec cases

    def _structure(self, index: int) -> int:
        """``also``, ``normal_behavior``, ``{|`` and the like: they start, nest and end spec cases."""
        token = self._tokens[index]
        self._covers(token.start, token.end)
        if token.text in CASES:
            taken = self._take_modifiers(VISIBILITIES | {"code"})
            words = [one.text for one in taken]
            visibility = next((word for word in words if word in VISIBILITIES), "")
            span = self._places.span(taken[0].start if taken else token.start, token.end)
            head = " ".join((*words, token.text))
            problem = self._cases.header(CASES[token.text], visibility, "code" in words, head, span)
        elif token.text == "{|":
            problem = self._cases.open()
        elif token.text == "|}":
            problem = self._cases.close()
        elif token.text == "also":
            problem = self._cases.also()
        else:
            problem = self._cases.section(token.text)
        if problem is not None:
            self._problem(index, problem)
        return index + 1

    def _take_modifiers(self, wanted: frozenset[str]) -> list[Token]:
        """Take those modifiers that belong to what starts now; the others stay for the declaration."""
        taken = [one for one in self._modifiers if one.text in wanted]
        self._modifiers = [one for one in self._modifiers if one.text not in wanted]
        return taken

    def _covers(self, start: int, end: int) -> None:
        self._start = start if self._start is None else self._start
        self._end = end

    def _take_spec(self) -> MethodSpec:
        """The specification read so far, for the method that comes now; the next one starts anew."""
        if self._cases.is_open and self._tokens:
            self._problem(len(self._tokens) - 1, "`{|` is not closed")
        flat = self._cases.flatten()
        if flat.problem is not None:
            self._out.problems.append(Problem(self._start or 0, flat.problem, "unsupported"))
        end = None if self._start is None else self._end
        spec = MethodSpec(flat.clauses, flat.cases, self._cases.starts_with_also, self._start, end)
        self._cases = CaseTree()
        self._start = None
        return spec

    # -- clauses

    def _clause(self, index: int) -> int:
        keyword = self._tokens[index].text
        after = index + 1
        while text_at(self._tokens, after) == "<" and text_at(self._tokens, after + 2) == ">":
            after += 3  # KeY names the heap that a clause speaks of: ``assignable<heap> \nothing``
        end = clause_end(self._tokens, after, self._text)
        problem = end.problem
        if problem is None and end.position == after:
            problem = "the clause is empty"
        if problem is not None:
            self._problem(index, f"the `{keyword}` clause cannot be read: {problem}")
            is_restart = end.position < len(self._tokens) and restarts(self._tokens, end.position)
            return max(after, end.position if is_restart else end.position + 1)
        kind = METHOD_CLAUSES.get(keyword) or CLASS_CLAUSES[keyword]
        body = self._tokens[after : end.position]
        clause = Clause(
            kind=kind,
            text=fold(self._tokens[index : end.position]),
            formula=fold(body),
            span=self._places.span(self._tokens[index].start, body[-1].end),
            locations=tuple(fold(part) for part in split_commas(body)) if kind in _WITH_LOCATIONS else (),
            file=self._file,
        )
        if keyword in METHOD_CLAUSES:
            self._covers(clause.span.start, self._tokens[end.position].end)
            self._cases.add(clause)
        else:
            words = tuple(one.text for one in self._modifiers)
            self._modifiers = []
            about = self._last_field if kind in ("in", "maps") else None
            self._out.class_clauses.append(ClassClause(clause, words, about))
        return end.position + 1

    def _import(self, index: int) -> int:
        end = index
        while end < len(self._tokens) and self._tokens[end].text != ";":
            end += 1
        self._out.imports.append(type_text(self._tokens[index + 1 : end]))
        self._modifiers = []
        return end + 1

    # -- ghost and model members

    def _member(self, index: int) -> int:
        """A ghost or model declaration: up to its ``;`` or to the end of its ``{ … }``."""
        tokens = self._tokens
        head_end = index
        body: tuple[int, int] | None = None
        has_value = False
        while head_end < len(tokens) and tokens[head_end].text != ";":
            text = tokens[head_end].text
            has_value = has_value or text == "="
            if text in ("(", "[", "{"):
                close = closing(tokens, head_end)
                if close is None:
                    self._problem(index, f"`{text}` is not closed in a model or ghost declaration")
                    self._modifiers = []
                    return len(tokens)
                if text == "{" and not has_value:
                    body = (tokens[head_end].start, tokens[close].end)
                    break
                head_end = close
            head_end += 1
        if head_end >= len(tokens):
            self._problem(index, "a `;` is missing after a model or ghost declaration")
            self._modifiers = []
            return len(tokens)
        head = (*self._modifiers, *tokens[index:head_end])
        self._modifiers = []
        end = tokens[head_end].end if body is None else body[1]
        after = head_end + 1
        while body is not None and after < len(tokens) and tokens[after].start < end:
            after += 1
        if text_at(tokens, index) in _TYPE_WORDS:
            self._problem(index, "a model class is not followed", "unsupported")
            self._take_spec()
            return after
        is_method = "(" in [one.text for one in tokens[index:head_end]] and not has_value
        self._out.members.append(ModelMember(head, self._take_spec() if is_method else MethodSpec(), body, end))
        if not is_method:
            names = [one.text for one in head if one.kind == "word"]
            self._last_field = names[-1] if not has_value and names else self._last_field
        return after
