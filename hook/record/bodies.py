"""Digests of functions and of tests, by their tokens: they tell whether a recorded call is one of the code at hand.

Comments, white space and annotations (contracts, loop annotations, ghost code) do not count. What a function does
depends on what its file holds besides: the macros, constants, variables, types and helpers of the same file that it
names count as well, and what those name. What it uses of other files does not: which those are, only a build knows.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import pairwise

from clausefit.hook.contracts.acsl_tokens import Token
from clausefit.hook.contracts.c import decode
from clausefit.hook.contracts.c_declarations import Function, Variable, declared
from clausefit.hook.contracts.c_items import Item, cut
from clausefit.hook.contracts.c_macros import KEYWORDS
from clausefit.hook.contracts.c_tokens import conditional, macro_definition, tokenize_c
from clausefit.hook.contracts.java import read_java
from clausefit.hook.contracts.jml_tokens import tokens_of_java
from clausefit.hook.contracts.model import Span
from clausefit.hook.snapshots import Snapshot

_PARAMETERS = re.compile(r"[(\[{].*", re.DOTALL)
_JAVA = (".java", ".jml")
_MOST_DOTS = 12
_AFTER_NAMES = frozenset(";,=}[):{")
_UNDEF = re.compile(r"\s*#\s*undef\s+(\w+)")
__test__ = False


@dataclass
class _Code:
    """The tokens of a file, the declarations as stretches of them, and by names which declarations are meant.

    ``meanings`` has for a name all that gives it its meaning: functions, variables, macros, types.
    """

    tokens: list[str]
    parts: list[range] = field(default_factory=list)
    functions: dict[str, list[int]] = field(default_factory=dict)
    tests: dict[str, list[int]] = field(default_factory=dict)
    meanings: dict[str, list[int]] = field(default_factory=dict)

    def add(self, part: range) -> int:
        """Take a declaration; gives its number."""
        self.parts.append(part)
        return len(self.parts) - 1


class Bodies:
    """Digests of the functions and tests of one state of the workspace; each file is read once.

    ``read`` gives the text of a workspace path, None where there is no such file.
    """

    def __init__(self, read: Callable[[str], str | None]) -> None:
        self._read = read
        self._codes: dict[str, _Code | None] = {}
        self._digests: dict[tuple[str, str, bool], str | None] = {}

    def function(self, file: str, function: str) -> str | None:
        """The digest of a function (``Contract.function``) and what it names in its file; None where no file is.

        That of the whole file where the file's reader does not find the function.
        """
        return self._digest(file, function, is_test=False)

    def test(self, file: str, test: str) -> str | None:
        """The digest of a test under the name that pins have for it; None where no file is.

        ``FooTest.adds[2]`` is ``adds`` of the class, ``Suite.name`` a test of a macro (``TEST(Suite, name)``), other
        names are functions. That of the whole file where the file's reader does not find the test.
        """
        return self._digest(file, test, is_test=True)

    def _digest(self, file: str, name: str, *, is_test: bool) -> str | None:
        key = (file, name, is_test)
        if key not in self._digests:
            code = self._code(file)
            self._digests[key] = None if code is None else _digest_of(code, name, is_test=is_test)
        return self._digests[key]

    def _code(self, file: str) -> _Code | None:
        if file not in self._codes:
            text = self._read(file)
            made: _Code | None = None
            if text is not None:
                made = _java_code(text, file) if file.endswith(_JAVA) else _c_code(text)
            self._codes[file] = made
        return self._codes[file]


def bodies_in(snapshot: Snapshot) -> Bodies:
    """The digests of one state of the workspace (the index, a commit, the working tree)."""

    def read(path: str) -> str | None:
        content = snapshot.read(path)
        return None if content is None else decode(content)

    return Bodies(read)


def _digest_of(code: _Code, name: str, *, is_test: bool) -> str:
    own = _test_named(code, name) if is_test else code.functions.get(name)
    if own is None:
        return _hash(code.tokens)
    whole = [code.tokens[index] for number in own for index in code.parts[number]]
    if is_test:
        return _hash(whole)
    return _hash(whole, [code.tokens[index] for index in _behind(code, own)])


def _test_named(code: _Code, name: str) -> list[int] | None:
    """The declarations of a test: without repetition (``adds(int)[2]``, ``P/S.adds/0``) and, if need be, package."""
    plain = _PARAMETERS.sub("", name).replace("$", ".")
    dotted = plain.split(".")[-_MOST_DOTS:]
    shorter = (".".join(dotted[start:]) for start in range(1, len(dotted) - 1))
    return next((code.tests[one] for one in (plain, *plain.split("/"), *shorter) if one in code.tests), None)


def _hash(*groups: Iterable[str]) -> str:
    whole = "\1".join("\0".join(group) for group in groups)
    return blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _behind(code: _Code, own: Sequence[int]) -> list[int]:
    """The tokens, in order, that give a meaning to the names in ``own``, directly or through others.

    Declarations may lie in one another (methods of classes in methods), so each token is looked at only once.
    """
    following = list(range(len(code.tokens) + 1))  # the first token from here on that was not looked at yet
    waiting, met, done = list(own), set(own), set[str]()
    found: list[int] = []
    for number in waiting:  # grows meanwhile
        part = code.parts[number]
        index = _free(following, part.start)
        while index < part.stop:
            following[index] = index + 1
            found.append(index)
            word = code.tokens[index]
            if word not in done:
                done.add(word)
                new = [one for one in code.meanings.get(word, ()) if one not in met]
                met.update(new)
                waiting += new
            index = _free(following, index)
    mine = {index for number in own for index in code.parts[number]}
    return sorted(index for index in found if index not in mine)


def _free(following: list[int], index: int) -> int:
    """The first token at ``index`` or after it that was not taken; paths are halved, so that they stay short."""
    while following[index] != index:
        following[index] = following[following[index]]
        index = following[index]
    return index


# -- C


def _c_code(text: str) -> _Code:
    """A C file, or what of a C++ file reads like it. Never raises."""
    tokens = [token for token in tokenize_c(text) if token.kind != "annotation"]
    items = [item for item in cut(tokens, lambda _: False).items if item.head]
    code = _Code([])
    places: list[int] = []  # where each token stands among those of the result
    for token in tokens:
        places.append(len(code.tokens))
        code.tokens += _of_directive(token) if token.kind == "directive" else [token.text]
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


def _take_function(code: _Code, item: Item, number: int) -> None:
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


def _java_code(text: str, file: str) -> _Code:
    """A Java file. Never raises."""
    tokens = list(tokens_of_java(text))
    starts = [token.start for token in tokens]
    code = _Code([token.text for token in tokens])
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
