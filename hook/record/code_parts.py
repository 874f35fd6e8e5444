"""A C or Java file as tokens, with its declarations as stretches of them: what digests of functions are made of.

Comments, white space and annotations (contracts, loop annotations, ghost code) are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from clausefit.hook.contracts.acsl_tokens import Token
from clausefit.hook.contracts.c_declarations import Function, Variable, declared
from clausefit.hook.contracts.c_items import Item, cut
from clausefit.hook.contracts.c_macros import KEYWORDS
from clausefit.hook.contracts.c_tokens import conditional, included_file, macro_definition, tokenize_c
from clausefit.hook.contracts.java import read_java
from clausefit.hook.contracts.jml_tokens import tokens_of_java
from clausefit.hook.contracts.model import Span

_AFTER_NAMES = frozenset(";,=}[):{")
_UNDEF = re.compile(r"\s*#\s*undef\s+(\w+)")


@dataclass
class Code:
    """The tokens of a file, its declarations as stretches of them (``parts``), and by names which of these are meant.

    ``functions`` are called as contracts call them, ``tests`` as pins do. ``meanings`` has for a name all that gives
    it its meaning: functions, variables, macros, types. ``includes`` are the targets of ``#include`` lines, those in
    angle brackets with them.
    """

    tokens: list[str]
    parts: list[range] = field(default_factory=list)
    functions: dict[str, list[int]] = field(default_factory=dict)
    tests: dict[str, list[int]] = field(default_factory=dict)
    meanings: dict[str, list[int]] = field(default_factory=dict)
    includes: list[str] = field(default_factory=list)

    def add(self, part: range) -> int:
        """Take a declaration; gives its number."""
        self.parts.append(part)
        return len(self.parts) - 1


# -- C


def c_code(text: str) -> Code:
    """A C file, or what of a C++ file reads like it. Never raises."""
    tokens = [token for token in tokenize_c(text) if token.kind != "annotation"]
    items = [item for item in cut(tokens, lambda _: False).items if item.head]
    code = Code([])
    places: list[int] = []  # where each token stands among those of the result
    for token in tokens:
        places.append(len(code.tokens))
        code.tokens += _of_directive(token) if token.kind == "directive" else [token.text]
        target = included_file(token.text) if token.kind == "directive" else None
        if target is not None:
            code.includes.append(target)
        name = _macro(token)
        if name is not None:
            code.meanings.setdefault(name, []).append(code.add(range(places[-1], len(code.tokens))))
    places.append(len(code.tokens))
    starts = [token.start for token in tokens]
    begins = [bisect_left(starts, item.head[0].start) for item in items]
    for item, (begin, limit) in zip(items, pairwise([*begins, len(tokens)]), strict=True):
        if item.ends_with == "{":
            end = _body_end(tokens, bisect_left(starts, item.head[-1].end), limit)
            _take_function(code, item, code.add(range(places[begin], places[end])))
        else:
            end = limit
            while end > begin and tokens[end - 1].kind == "directive":
                end -= 1  # what stands between two declarations belongs to neither
            names = _declared_names(item, tokens[begin:end])
            number = code.add(range(places[begin], places[end])) if names else 0
            for name in names:
                code.meanings.setdefault(name, []).append(number)
    return code


def _of_directive(token: Token) -> list[str]:
    rest = token.text.lstrip().removeprefix("#")
    return ["#", *(one.text for one in tokenize_c(rest) if one.kind != "annotation"), "\n"]


def _macro(token: Token) -> str | None:
    """The macro to which a directive gives, or from which it takes, its meaning."""
    if token.kind != "directive":
        return None
    macro = macro_definition(token.text)
    if macro is not None:
        return macro[0]
    match = _UNDEF.match(token.text)
    return match[1] if match else None


def _body_end(tokens: Sequence[Token], begin: int, limit: int) -> int:
    """The index after the ``}`` of the body whose ``{`` stands at ``begin`` or after it; at most ``limit``.

    Each branch of a conditional starts with the braces that were open before it.
    """
    depth = 0
    before: list[int] = []
    for index in range(begin, limit):
        token = tokens[index]
        if token.kind == "directive":
            word = (conditional(token.text) or ("", None))[0]
            if word == "if":
                before.append(depth)
            elif word in ("elif", "else") and before:
                depth = before[-1]
            elif word == "endif" and before:
                before.pop()
        elif token.kind == "punct" and token.text in "{}":
            depth += 1 if token.text == "{" else -1
            if depth <= 0:
                return index + 1
    return limit


def _take_function(code: Code, item: Item, number: int) -> None:
    names = [one.name for one in declared(item.head, is_body=True) or () if isinstance(one, Function)]
    for name in names:
        code.functions.setdefault(name, []).append(number)
        code.meanings.setdefault(name, []).append(number)
    for name in names or _macro_names(item.head):
        code.tests.setdefault(name, []).append(number)


def _macro_names(head: Sequence[Token]) -> list[str]:
    """The names by which a test is known whose head is a macro: ``TEST(Suite, name)``, ``START_TEST(name)``."""
    opening = next((at for at, token in enumerate(head) if token.text == "("), len(head))
    closing = next((at for at in range(opening, len(head)) if head[at].text == ")"), len(head))
    words = [token.text for token in head[opening + 1 : closing] if token.kind == "word"]
    return [f"{words[0]}.{words[1]}", *words[:2]] if len(words) >= 2 else words


def _declared_names(item: Item, tokens: Sequence[Token]) -> set[str]:
    """What a declaration gives a meaning to: variables; of a type its name, its members and its constants.

    A name of a type stands before what it names, so a word before a word or a ``*`` is declared elsewhere.
    """
    found = declared(item.head, is_body=False)
    if found:
        return {one.name for one in found if isinstance(one, Variable)}
    pairs = pairwise(tokens)
    return {one.text for one, two in pairs if one.kind == "word" and two.text in _AFTER_NAMES} - KEYWORDS


# -- Java


def java_code(text: str, file: str) -> Code:
    """A Java file. Never raises."""
    tokens = list(tokens_of_java(text))
    starts = [token.start for token in tokens]
    code = Code([token.text for token in tokens])
    java = read_java(text, file).java

    def add(span: Span, name: str) -> int:
        number = code.add(range(bisect_left(starts, span.start), bisect_left(starts, span.end)))
        code.meanings.setdefault(name, []).append(number)
        return number

    for one in java.classes if java is not None else ():
        for method in one.methods:
            if not method.is_in_comment:
                number = add(method.span, method.name)
                code.functions.setdefault(method.signature, []).append(number)
                code.tests.setdefault(f"{one.name}.{method.name}".replace("$", "."), []).append(number)
        for member in one.fields:
            if not (member.is_ghost or member.is_model):
                add(member.span, member.name)
    return code
