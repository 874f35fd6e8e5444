"""Cuts a C file into its file-scope items, so that one that cannot be read does not spoil its neighbours.

A grammar for whole files recovers badly where macros or ``#if`` branches break the syntax; here only brackets,
``;`` and the branches of conditionals count. Each item's head then goes to the real grammar (``c_declarations``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from clausefit.hook.contracts.acsl_tokens import Problem, Token
from clausefit.hook.contracts.c_tokens import conditional

Branch = tuple[tuple[int, int], ...]

# fmt: off
_STATEMENTS = frozenset({
    "if", "else", "while", "for", "do", "switch", "return", "goto", "case", "default", "break", "continue",
    "sizeof", "typedef", "struct", "union", "enum",
})
# fmt: on
# fmt: off
SPECIFIERS = frozenset({
    "static", "extern", "inline", "__inline", "__inline__", "register", "const", "volatile", "restrict",
    "__restrict", "unsigned", "signed", "void", "char", "short", "int", "long", "float", "double", "struct",
    "union", "enum", "typedef", "_Noreturn", "__extension__", "auto", "_Bool", "_Thread_local", "__thread",
})
# fmt: on
_AGGREGATES = frozenset({"struct", "union", "enum"})
_ATTRIBUTES = frozenset({"__attribute__", "__attribute", "__declspec", "asm", "__asm__", "__asm"})
_GROUPED = _ATTRIBUTES | {"("}
# Longer heads are no old-style definitions that anybody wrote; without a bound, hostile ones cost quadratic time.
_OLD_STYLE_LIMIT = 2000


@dataclass(frozen=True)
class Item:
    """One file-scope item: the tokens of its head (without bodies and initializers) and what stands before it.

    ``ends_with`` is ``{`` for a function's body, else ``;``, or ``""`` where the item broke off. ``branch``
    names the conditionals, and the branch in each, that it stands in.
    """

    head: tuple[Token, ...]
    before: tuple[Token, ...]
    ends_with: str
    branch: Branch


@dataclass
class Items:
    """What a file holds: items, all annotations at file scope, and what could not be followed."""

    items: list[Item] = field(default_factory=list)
    annotations: list[Token] = field(default_factory=list)
    hidden: list[Token] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


class _State(NamedTuple):
    body: int
    nest: int
    linkage: int
    head: int


@dataclass
class _Group:
    """An ``#if … #endif`` that is open."""

    number: int
    offset: int
    entry: _State
    parent_skipped: bool
    skipped: bool
    taken: bool
    known: bool
    branch: int = 0
    exit: _State | None = None


def exclusive(place: Branch, followed: Mapping[int, int]) -> bool:
    """Whether a place stands in another branch of a conditional than the one followed: no compiler sees both."""
    return any(followed.get(number, branch) != branch for number, branch in place)


def cut(tokens: Sequence[Token], is_contract: Callable[[Token], bool]) -> Items:
    """Cut a file's tokens into items. ``is_contract`` tells annotations that hold contract clauses.

    Of a conditional whose branches do not leave the code in the same state (half a function head in each),
    only the first branch is followed; of a condition that Frama-C decides (``__FRAMAC__``, ``0``, ``1``), only
    the branch that it takes. Contracts in the others are returned in ``hidden``.
    """
    return _Cutter(tokens, is_contract).run()


class _Cutter:
    def __init__(self, tokens: Sequence[Token], is_contract: Callable[[Token], bool]) -> None:
        self._tokens = tokens
        self._is_contract = is_contract
        self._out = Items()
        self._head: list[Token] = []
        self._before: list[Token] = []
        self._body = self._nest = self._linkage = 0
        self._dropped: list[int] = []
        self._opened_at = 0
        self._groups: list[_Group] = []
        self._count = 0

    def run(self) -> Items:
        for index, token in enumerate(self._tokens):
            if token.kind == "directive":
                self._directive(token)
            elif self._groups and self._groups[-1].skipped:
                if token.kind == "annotation" and self._is_contract(token):
                    self._out.hidden.append(token)
            elif self._body:
                self._in_body(index, token)
            elif token.kind == "annotation":
                self._annotation(token)
            else:
                self._at_file_scope(token)
        if self._body:
            self._problem(self._opened_at, "a function's body that starts here is not closed")
        if self._groups:
            self._problem(self._groups[-1].offset, "a conditional that starts here is not closed")
        if self._head and not self._looks_like_macro_call():
            self._problem(self._head[0].start, "the file ends within a declaration that starts here")
        if self._head or self._before:
            self._emit("")
        return self._out

    def _problem(self, offset: int, detail: str) -> None:
        self._out.problems.append(Problem(offset, detail))

    def _emit(self, ends_with: str) -> None:
        branch = tuple((group.number, group.branch) for group in self._groups if not group.known)
        self._out.items.append(Item(tuple(self._head), tuple(self._before), ends_with, branch))
        self._head, self._before, self._nest = [], [], 0
        self._dropped.clear()

    # -- conditionals

    def _state(self) -> _State:
        return _State(self._body, self._nest, self._linkage, len(self._head))

    def _directive(self, token: Token) -> None:
        found = conditional(token.text)
        if found is None:
            return
        word, value = found
        if word == "if":
            self._count += 1
            skipped = bool(self._groups) and self._groups[-1].skipped
            known = value is not None
            self._groups.append(
                _Group(
                    self._count, token.start, self._state(), skipped, skipped or value is False, value is True, known
                )
            )
        elif not self._groups:
            self._problem(token.start, f"`#{word}` without `#if`")
        elif word == "endif":
            self._leave(self._groups.pop())
        else:
            self._next_branch(self._groups[-1], word, value)

    def _next_branch(self, group: _Group, word: str, value: bool | None) -> None:
        if group.parent_skipped:
            return
        if not group.skipped and group.exit is None:
            group.exit = self._state()
        group.branch += 1
        uneven = group.exit is not None and group.exit != group.entry
        group.skipped = group.taken or uneven or value is False
        group.taken = group.taken or value is True
        if word == "elif" and value is None:
            group.known = False

    def _leave(self, group: _Group) -> None:
        if group.exit is not None and not group.parent_skipped and self._state() != group.exit:
            self._body, self._nest, self._linkage = group.exit.body, group.exit.nest, group.exit.linkage
            del self._head[group.exit.head :]
            self._dropped = [depth for depth in self._dropped if depth <= self._nest]

    # -- function bodies

    def _in_body(self, index: int, token: Token) -> None:
        if token.kind == "annotation":
            if self._is_contract(token) and self._starts_function(index + 1):
                self._problem(self._opened_at, "a function's body that starts here is not closed")
                self._body = 0
                self._annotation(token)
        elif token.kind == "punct":
            self._body += token.text == "{"
            self._body -= token.text == "}"

    def _starts_function(self, index: int) -> bool:
        """Whether a function definition follows, which cannot stand in a body: ``words name ( … ) {``."""
        words = depth = 0
        for token in self._tokens[index : index + 400]:
            if token.kind == "directive":
                continue
            if depth:
                depth += token.text == "("
                depth -= token.text == ")"
            elif token.text == "{":
                return words > 2
            elif token.text == "(" and words >= 2:
                depth, words = 1, words + 1
            elif token.kind == "word" and (words or token.text not in _STATEMENTS - _AGGREGATES):
                words += 1
            elif token.text != "*":
                return False
        return False

    # -- file scope

    def _annotation(self, token: Token) -> None:
        self._out.annotations.append(token)
        if self._dropped or (self._head and self._nest):
            return
        if self._head and self._is_contract(token):
            if not self._looks_like_macro_call():
                self._problem(token.start, "a contract stands inside a declaration, where Frama-C accepts none")
            self._emit("")
        if not self._head:
            self._before.append(token)

    def _looks_like_macro_call(self) -> bool:
        """``MODULE_LICENSE("GPL")`` without a semicolon, or a lone macro."""
        first = self._head[0]
        if first.kind != "word" or first.text in SPECIFIERS:
            return False
        return len(self._head) == 1 or (self._head[1].text == "(" and self._head[-1].text == ")")

    def _at_file_scope(self, token: Token) -> None:
        text = token.text if token.kind == "punct" else ""
        if text == "{":
            self._open(token)
        elif text == "}":
            self._close(token)
        elif self._dropped:
            return
        elif text in ("(", "["):
            self._nest += 1
            self._head.append(token)
        elif text in (")", "]"):
            self._nest = max(0, self._nest - 1)
            self._head.append(token)
        elif text == ";":
            self._semicolon(token)
        else:
            self._head.append(token)

    def _open(self, token: Token) -> None:
        if self._dropped or self._opens_value():
            if not self._dropped:
                self._head.append(token)
            self._nest += 1
            self._dropped.append(self._nest)
        elif len(self._head) == 2 and self._head[0].text == "extern" and self._head[1].kind == "string":
            self._linkage += 1
            self._head.clear()
            self._before.clear()
        else:
            if self._nest:
                self._problem(token.start, "a `)` is missing before this `{`")
            self._emit("{")
            self._body, self._opened_at = 1, token.start

    def _opens_value(self) -> bool:
        """Whether a ``{`` starts a list of members or an initializer, not a function's body."""
        if self._nest:
            return self._head[-1].text in ("(", ",", ")", "[")
        depth = words = 0
        for index in range(len(self._head) - 1, -1, -1):
            previous = self._head[index]
            if previous.kind == "punct" and previous.text in (")", "]"):
                depth += 1
            elif previous.kind == "punct" and previous.text in ("(", "["):
                depth -= 1
                if depth == 0 and index and self._head[index - 1].text not in _GROUPED:
                    words += 2  # parameters: a function that returns a struct
            elif depth == 0 and previous.text == "=":
                return True
            elif depth == 0 and previous.kind == "word":
                if previous.text in _AGGREGATES:
                    return words <= 1
                words += previous.text not in _ATTRIBUTES
        return False

    def _close(self, token: Token) -> None:
        if self._dropped:
            self._dropped.pop()
            self._nest = max(0, self._nest - 1)
            if not self._dropped:
                self._head.append(token)
        elif self._linkage and not self._head:
            self._linkage -= 1
        else:
            self._problem(token.start, "`}` without its `{`")
            self._emit("")

    def _semicolon(self, token: Token) -> None:
        if self._nest:
            self._problem(token.start, "a `)` or `]` is missing before this `;`")
            self._emit("")
        elif self._in_old_style_head():
            self._head.append(token)
        elif self._head or self._before:
            self._emit(";")

    def _in_old_style_head(self) -> bool:
        """Whether ``;`` ends a parameter of an old-style definition, ``int f(a) int a; {`` (C17 §6.9.1)."""
        if len(self._head) > _OLD_STYLE_LIMIT:
            return False
        last_end = next((i for i in range(len(self._head) - 1, -1, -1) if self._head[i].text == ";"), None)
        declared = self._head[last_end + 1 :] if last_end is not None else self._after_parameters()
        if declared is None or len(declared) < 2 or declared[0].kind != "word" or declared[0].text in _ATTRIBUTES:
            return False
        names = self._old_style_names()
        return bool(names) and any(word.text in names for word in declared[1:] if word.kind == "word")

    def _after_parameters(self) -> list[Token] | None:
        closing = next((i for i, token in enumerate(self._head) if token.text == ")"), None)
        return None if closing is None else self._head[closing + 1 :]

    def _old_style_names(self) -> set[str]:
        opening = next((i for i, token in enumerate(self._head) if token.text == "("), len(self._head))
        names: set[str] = set()
        for token in self._head[opening + 1 :]:
            if token.text == ")":
                return names
            if token.kind == "word":
                names.add(token.text)
            elif token.text != ",":
                break
        return set()
