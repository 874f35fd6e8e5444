"""Functions of C whose end can be reached without a ``return``: what such a call gives is no value (C17 6.9.1).

By the source alone and on the safe side: what is not plainly seen to leave the function may go on. Macros are looked up
in the file and in the headers that it includes by a path.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from clausefit.hook.contracts.acsl_tokens import Token, closing
from clausefit.hook.contracts.c_tokens import conditional, included_file, tokenize_c

_LEAVE = frozenset(
    {"abort", "exit", "_exit", "_Exit", "quick_exit", "longjmp", "siglongjmp", "_longjmp", "pthread_exit", "thrd_exit"}
    | {"err", "errx", "verr", "verrx", "__assert_fail", "unreachable"}
    | {"__builtin_unreachable", "__builtin_trap", "__builtin_abort"}
)
_NEVER_RETURNS = frozenset({"_Noreturn", "noreturn", "__noreturn__"})
_NO_NAMES = _NEVER_RETURNS | {"__attribute__", "__attribute", "__declspec", "_Alignas", "__format__", "format"}
_TRUE = frozenset({"1", "true"})
_DEEPEST = 100
_MOST_HEADERS = 100
_LARGEST = 4 << 20
_FOLDERS = ("include", "src", "inc")
_MACRO = re.compile(r"\s*#\s*define\s+(\w+)(?:\([^)]*\))?(.*)", re.DOTALL)


class _UnclearError(Exception):
    """The text is not read as statements."""


class Endings:
    """What a source file, with the ``headers`` that it includes, says of the ends of its functions."""

    def __init__(self, text: str, headers: Iterable[str] = ()) -> None:
        self._tokens = _plain(text)
        every = [self._tokens, *map(_plain, headers)]
        directives = [t.text for tokens in every for t in tokens if t.kind == "directive"]
        macros = [found for one in directives if (found := _MACRO.match(one.replace("\\\n", " "))) is not None]
        going_on = {one[1] for one in macros if _goes_on(tokenize_c(one[2] + ";"), _LEAVE)}
        declared = {name for tokens in every for name in _declared_without_return(tokens)}
        own = {name for name in _LEAVE if any(list(_bodies(name, tokens)) for tokens in every)}
        # Where one of several definitions of a macro goes on, the macro may.
        self._leaving = (_LEAVE - own | declared | {one[1] for one in macros}) - going_on

    def may_lack_return(self, function: str) -> bool:
        """Whether the end of a function that the text defines can be reached, or that is not clear."""
        bodies = list(_bodies(function, self._tokens))
        return not bodies or any(_goes_on(body, self._leaving) for body in bodies)


class EndingsOfFiles:
    """Asks the files themselves, each once; headers are looked for beside the file and in the workspace."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self._read: dict[str, Endings | None] = {}

    def may_lack_return(self, function: str, file: str) -> bool:
        """Whether a function's end can be reached, or its file cannot be read; C gives ``main`` a result of its own."""
        if function == "main":
            return False
        if file not in self._read:
            text = _text(Path(file))
            self._read[file] = None if text is None else Endings(text, self._headers(Path(file), text))
        endings = self._read[file]
        return endings is None or endings.may_lack_return(function)

    def _headers(self, file: Path, text: str) -> list[str]:
        found: dict[Path, str] = {}
        todo = [(file, text)]
        while todo and len(found) < _MOST_HEADERS:
            where, content = todo.pop(0)
            named = [included_file(t.text) for t in tokenize_c(content) if t.kind == "directive"]
            for name in named:
                if name is None:
                    continue
                for folder in (where.parent, self._workspace, *(self._workspace / one for one in _FOLDERS)):
                    path = folder / name.strip("<>")
                    header = None if path in found else _text(path)
                    if header is not None:
                        found[path] = header
                        todo.append((path, header))
                        break
        return list(found.values())


def _text(path: Path) -> str | None:
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST:
            return None
        return path.read_text("utf-8", "replace")
    except (OSError, ValueError):
        return None


def _plain(text: str) -> list[Token]:
    return [token for token in tokenize_c(text) if token.kind != "annotation"]


def _declared_without_return(tokens: Sequence[Token]) -> Iterable[str]:
    """The functions that are declared ``_Noreturn``, or with the attribute of that name."""
    for index, token in enumerate(tokens):
        if token.text not in _NEVER_RETURNS:
            continue
        start, end = index, index
        while start > 0 and tokens[start - 1].text not in (";", "{", "}") and tokens[start - 1].kind != "directive":
            start -= 1
        while end < len(tokens) and tokens[end].text not in (";", "{", "}") and tokens[end].kind != "directive":
            end += 1
        named = [
            one.text
            for one, following in pairwise(tokens[start:end])
            if one.kind == "word" and following.text == "(" and one.text not in _NO_NAMES
        ]
        yield from named[:1]


def _goes_on(body: Sequence[Token], leaving: frozenset[str]) -> bool:
    try:
        return _Statements(body, leaving).may_end()
    except (_UnclearError, IndexError):
        return True


def _bodies(function: str, tokens: Sequence[Token]) -> Iterable[Sequence[Token]]:
    """What stands between the braces of each definition of a function."""
    for index, token in enumerate(tokens[:-1]):
        if token.text != function or tokens[index + 1].text != "(":
            continue
        end = closing(tokens, index + 1)
        while end is not None and end + 1 < len(tokens) and tokens[end + 1].kind == "directive":
            end += 1
        if end is None or end + 1 >= len(tokens) or tokens[end + 1].text != "{":
            continue
        last = closing(tokens, end + 1)
        if last is not None:
            yield tokens[end + 2 : last]


class _Statements:
    """Reads the statements of one body."""

    def __init__(self, tokens: Sequence[Token], leaving: frozenset[str]) -> None:
        self._tokens = tokens
        self._leaving = leaving
        self._at = 0

    def may_end(self) -> bool:
        """Whether the end of the body can be reached."""
        return self._sequence(0)

    def _text(self) -> str:
        return self._tokens[self._at].text if self._at < len(self._tokens) else ""

    def _skip_directives(self) -> None:
        while self._at < len(self._tokens) and self._tokens[self._at].kind == "directive":
            self._at += 1

    def _sequence(self, depth: int) -> bool:
        """Statements up to a closing brace, which is left: whether the last one may go on."""
        goes_on = True
        groups: list[tuple[bool, list[bool]]] = []  # of each #if: whether it has an #else, and how its branches end
        while self._text() not in ("", "}"):
            if self._tokens[self._at].kind == "directive":
                goes_on = self._directive(groups, goes_on)
            else:
                goes_on = self._statement(depth + 1)
        return goes_on or bool(groups)

    def _directive(self, groups: list[tuple[bool, list[bool]]], goes_on: bool) -> bool:
        found = conditional(self._tokens[self._at].text)
        self._at += 1
        if found is None:
            return goes_on
        kind = found[0]
        if kind == "if":
            groups.append((False, []))
            return True
        if not groups:
            return True
        has_else, branches = groups[-1]
        branches.append(goes_on)
        if kind == "endif":
            groups.pop()
            return not has_else or any(branches)
        groups[-1] = (has_else or kind == "else", branches)
        return True

    def _parentheses(self) -> list[str]:
        self._skip_directives()
        end = closing(self._tokens, self._at) if self._text() == "(" else None
        if end is None:
            raise _UnclearError
        found = [token.text for token in self._tokens[self._at + 1 : end]]
        self._at = end + 1
        return found

    def _body(self, depth: int) -> tuple[bool, list[str]]:
        """A statement that is part of another: whether it may go on, and its words."""
        start = self._at
        goes_on = self._statement(depth + 1)
        return goes_on, [token.text for token in self._tokens[start : self._at]]

    def _statement(self, depth: int) -> bool:
        if depth > _DEEPEST:
            raise _UnclearError
        self._skip_directives()
        word = self._text()
        if word == "{":
            self._at += 1
            goes_on = self._sequence(depth)
            if self._text() != "}":
                raise _UnclearError
            self._at += 1
            return goes_on
        if word in ("if", "while", "for", "switch", "do"):
            self._at += 1
            return bool(getattr(self, f"_{word}")(depth))
        if word in ("case", "default") or self._tokens[self._at + 1 : self._at + 2] == []:
            return self._labelled(depth)
        if self._tokens[self._at].kind == "word" and self._tokens[self._at + 1].text == ":":
            return self._labelled(depth)
        return self._simple(word)

    def _labelled(self, depth: int) -> bool:
        while self._text() not in (":", ""):
            self._at += 1
        self._at += 1
        return True if self._text() in ("", "}") else self._statement(depth + 1)

    def _simple(self, word: str) -> bool:
        is_leaving = word in self._leaving and self._tokens[self._at + 1].text in ("(", ";")
        while self._text() not in (";", ""):
            if self._text() in ("(", "[", "{"):
                is_block = self._text() == "{" and self._tokens[self._at - 1].text == ")"
                end = closing(self._tokens, self._at)
                if end is None:
                    raise _UnclearError
                self._at = end
                if is_block:  # a macro that is a loop, or a nested function
                    self._at += 1
                    return True
            self._at += 1
        self._at += 1
        return word not in ("return", "goto", "break", "continue") and not is_leaving

    def _if(self, depth: int) -> bool:
        self._parentheses()
        goes_on = self._statement(depth + 1)
        here = self._at
        self._skip_directives()
        if self._text() != "else":
            self._at = here
            return True
        self._at += 1
        return self._statement(depth + 1) or goes_on

    def _while(self, depth: int) -> bool:
        condition = self._parentheses()
        _, words = self._body(depth)
        return not (len(condition) == 1 and condition[0] in _TRUE) or "break" in words

    def _for(self, depth: int) -> bool:
        parts = " ".join(self._parentheses()).split(";")
        _, words = self._body(depth)
        return len(parts) != 3 or parts[1].strip() not in {"", *_TRUE} or "break" in words

    def _do(self, depth: int) -> bool:
        goes_on, words = self._body(depth)
        if self._text() != "while":
            raise _UnclearError
        self._at += 1
        condition = self._parentheses()
        self._at += 1
        is_endless = len(condition) == 1 and condition[0] in _TRUE
        return "break" in words or ((goes_on or "continue" in words) and not is_endless)

    def _switch(self, depth: int) -> bool:
        self._parentheses()
        goes_on, words = self._body(depth)
        # A switch inside of it has a default of its own, or none.
        return goes_on or "break" in words or words.count("default") <= words.count("switch")
