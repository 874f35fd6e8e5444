"""The names in a JML expression: which of them are free, which a quantifier binds; and replacing them safely.

All goes by tokens, so that what stands in strings, after a dot or behind a backslash is never taken for a name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from clausefit.hook.contracts.acsl_tokens import Token, closing, text_at
from clausefit.hook.contracts.jml_tokens import tokenize_jml
from clausefit.hook.contracts.jml_words import KEY_BINDERS, QUANTIFIERS

# fmt: off
_NO_NAMES = frozenset({
    "true", "false", "null", "this", "super", "new", "instanceof", "boolean", "byte", "short", "char", "int", "long",
    "float", "double", "void", "class", "if", "else", "return", "for", "while", "do", "switch", "case", "default",
    "break", "continue", "throw", "try", "catch", "finally", "final", "static", "assert", "synchronized", "var",
    "nullable", "non_null",
})
# fmt: on
# Nobody declares more in one quantifier; a hostile clause must not be gone through again and again.
_MOST_DECLARED = 300
_OPENING = {"(": ")", "[": "]", "{": "}"}
_OLD = frozenset({"\\old", "\\pre"})


@dataclass(frozen=True)
class Name:
    """A name at the head of a dotted chain. ``chain`` holds its tokens and those of the names after dots, in order.

    ``is_call``: the head itself is the name of a method. ``calls_last``: the last name of the chain is. ``in_old``: it
    stands inside of ``\\old(...)``.
    """

    chain: tuple[Token, ...]
    calls_last: bool
    is_bound: bool
    in_old: bool

    @property
    def text(self) -> str:
        """The head of the chain."""
        return self.chain[0].text

    @property
    def is_call(self) -> bool:
        """Whether the name at the head is that of a method."""
        return self.calls_last and len(self.chain) == 1


class Edit(NamedTuple):
    """Text to put in the place of ``text[start:end]``."""

    start: int
    end: int
    text: str


class _Scope(NamedTuple):
    names: frozenset[str]
    start: int
    end: int


def is_name(token: Token) -> bool:
    """Whether a token can be the name of something that people declare."""
    return token.kind == "word" and token.text[0] != "\\" and token.text not in _NO_NAMES


def names_of(formula: str, *, is_signals: bool = False) -> tuple[Name, ...]:
    """All names in a JML expression, in order; ``is_signals``: it starts with the ``(E e)`` of a ``signals`` clause."""
    tokens = tokenize_jml(formula)
    partners = _partners(tokens)
    scopes = _Scopes(_scopes(tokens, partners, is_signals))
    olds = _covered(len(tokens), tokens, partners)
    found: list[Name] = []
    for index, token in enumerate(tokens):
        if not is_name(token) or (index and tokens[index - 1].text in (".", "::")):
            continue
        chain = [token]
        last = index
        while text_at(tokens, last + 1) == "." and last + 2 < len(tokens) and is_name(tokens[last + 2]):
            last += 2
            chain.append(tokens[last])
        calls = text_at(tokens, last + 1) == "("
        is_bound = not (calls and len(chain) == 1) and scopes.binds(token.text, index)
        found.append(Name(tuple(chain), calls, is_bound, olds[index]))
    return tuple(found)


def bound_names(formula: str, *, is_signals: bool = False) -> frozenset[str]:
    """The names that quantifiers bind, and that of the exception of a ``signals`` clause."""
    tokens = tokenize_jml(formula)
    scopes = _scopes(tokens, _partners(tokens), is_signals)
    return frozenset().union(*(scope.names for scope in scopes))


def words_of(formula: str) -> frozenset[str]:
    """All names in a JML expression, those after dots as well."""
    return frozenset(token.text for token in tokenize_jml(formula) if is_name(token))


def keys_of(formula: str) -> frozenset[str]:
    """All names in a JML expression, with ``()`` behind those that are called: ``size()`` and ``size`` are two."""
    tokens = tokenize_jml(formula)
    return frozenset(
        token.text + ("()" if text_at(tokens, index + 1) == "(" else "")
        for index, token in enumerate(tokens)
        if is_name(token)
    )


def edited(text: str, edits: Iterable[Edit]) -> str:
    """``text`` with the edits done; they must not overlap."""
    parts: list[str] = []
    position = 0
    for edit in sorted(edits):
        parts += [text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*parts, text[position:]])


def substituted(
    formula: str,
    replace: Callable[[Name], Edit | None],
    taken: Collection[str],
    *,
    is_signals: bool = False,
) -> str:
    """``formula`` with each free name replaced as ``replace`` says; it stays where that gives None.

    ``taken`` are the names that the new texts contain: a quantifier that binds one of them gets another variable, so
    that nothing new is captured.
    """
    names = names_of(formula, is_signals=is_signals)
    known = words_of(formula) | frozenset(taken)
    fresh: dict[str, str] = {}
    edits: list[Edit] = []
    for name in names:
        head = name.chain[0]
        if not name.is_bound:
            edit = replace(name)
            if edit is not None:
                edits.append(edit)
        elif name.text in taken:
            if name.text not in fresh:
                fresh[name.text] = _fresh(name.text, known)
            edits.append(Edit(head.start, head.end, fresh[name.text]))
    return edited(formula, edits)


def renamed(formula: str, renames: Mapping[str, str], *, is_signals: bool = False) -> str:
    """``formula`` with free variables renamed; those that are bound step aside."""

    def replace(name: Name) -> Edit | None:
        head = name.chain[0]
        new = renames.get(name.text)
        return None if new is None or name.is_call else Edit(head.start, head.end, new)

    return substituted(formula, replace, frozenset(renames.values()), is_signals=is_signals)


def _fresh(name: str, known: frozenset[str]) -> str:
    made = f"cfq_{name}"
    while made in known:
        made += "_"
    return made


def _partners(tokens: Sequence[Token]) -> list[int]:
    """For each token the index of the bracket that closes the innermost one around it; the end for the outermost."""
    found = [len(tokens)] * len(tokens)
    opened: list[int] = []
    inside: list[list[int]] = [[]]
    for index, token in enumerate(tokens):
        if token.kind == "punct" and token.text in ")]}" and opened:
            opened.pop()
            for one in inside.pop():
                found[one] = index
        inside[-1].append(index)
        if token.kind == "punct" and token.text in _OPENING:
            opened.append(index)
            inside.append([])
    return found


def _scopes(tokens: Sequence[Token], partners: Sequence[int], is_signals: bool) -> list[_Scope]:
    scopes: list[_Scope] = []
    if is_signals and text_at(tokens, 0) == "(":
        close = closing(tokens, 0)
        if close is not None and close > 2 and is_name(tokens[close - 1]) and tokens[close - 2].text != ".":
            scopes.append(_Scope(frozenset({tokens[close - 1].text}), close - 1, len(tokens)))
    for index, token in enumerate(tokens):
        is_quantifier = token.text in QUANTIFIERS and text_at(tokens, index + 1) != "("
        if token.text in KEY_BINDERS and text_at(tokens, index + 1) == "(":
            start = index + 2
        elif token.kind == "word" and (is_quantifier or token.text == "\\let" or token.text in KEY_BINDERS):
            start = index + 1
        else:
            continue
        if start < len(tokens):
            scopes.append(_Scope(_declared(tokens, start, token.text == "\\let"), start, partners[start]))
    return scopes


def _declared(tokens: Sequence[Token], start: int, is_let: bool) -> frozenset[str]:
    """The variables of ``T x, y[];``, or of ``T x = e;``, from ``start`` to the ``;``."""
    names: set[str] = set()
    angles = depth = 0
    has_type = False
    for index in range(start, min(len(tokens), start + _MOST_DECLARED)):
        token = tokens[index]
        if token.text == ";" and depth == 0:
            break
        depth += token.text in _OPENING
        depth -= token.text in (")", "]", "}")
        if depth < 0:
            break
        angles += not is_let and (token.text == "<") - (token.text == ">")
        if token.kind != "word":
            continue
        after = text_at(tokens, index + 1)
        is_last = after in (",", ";", "[") or (after == "=" and text_at(tokens, index + 2) != "=")
        is_variable = has_type and is_last and angles == 0 and depth == 0 and tokens[index - 1].text != "."
        if is_variable and is_name(token) and (not is_let or after == "="):
            names.add(token.text)
        has_type = has_type or token.text not in ("nullable", "non_null", "final")
    return frozenset(names)


class _Scopes:
    """Tells fast, for many places, whether a name is bound there."""

    def __init__(self, scopes: Sequence[_Scope]) -> None:
        self._by_name: dict[str, list[tuple[int, int]]] = {}
        for scope in sorted(scopes, key=lambda one: one.start):
            for name in scope.names:
                ranges = self._by_name.setdefault(name, [])
                if ranges and scope.start < ranges[-1][1]:
                    ranges[-1] = (ranges[-1][0], max(ranges[-1][1], scope.end))
                else:
                    ranges.append((scope.start, scope.end))

    def binds(self, name: str, index: int) -> bool:
        return any(start <= index < end for start, end in self._by_name.get(name, ()))


def _covered(size: int, tokens: Sequence[Token], partners: Sequence[int]) -> list[bool]:
    """For each token whether it stands in the parentheses of an ``\\old``."""
    covered = [False] * size
    until = -1
    for index, token in enumerate(tokens):
        if token.text in _OLD and text_at(tokens, index + 1) == "(" and index + 2 < size and index > until:
            until = partners[index + 2]
        covered[index] = index < until
    return covered
