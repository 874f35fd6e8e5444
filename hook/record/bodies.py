"""Digests of functions and of tests, by their tokens: they tell whether a recorded call is one of the code at hand.

Comments, white space and annotations do not count. What a function does depends on more than its own text: of its file
and, in C, of the workspace's headers that this includes, the macros, constants, variables, types and helpers that it
names count as well, and what those name. Which other files a program is made of, only a build knows.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from clausefit.hook.contracts.c import decode
from clausefit.hook.record.code_parts import Code, c_code, java_code
from clausefit.hook.snapshots import Snapshot

_PARAMETERS = re.compile(r"[(\[{].*", re.DOTALL)
_JAVA = (".java", ".jml")
_MOST_DOTS = 12
# An include that may mean more files than this, and a unit of more, are generated or hostile.
_MOST_MEANT = 16
_MOST_FILES = 1000
__test__ = False


@dataclass(frozen=True)
class _Unit:
    """A file with those that it includes; ``meanings`` are those of all of them, as (file's, declaration's number)."""

    codes: Sequence[Code]
    meanings: dict[str, list[tuple[int, int]]]


class Bodies:
    """Digests of the functions and tests of one state of the workspace; each file is read once.

    ``read`` gives the text of a workspace path, None where there is no such file; ``paths`` are the files that belong
    to the project. A header counts if it is one of those: one that a build makes is not there for everybody.
    """

    def __init__(self, read: Callable[[str], str | None], paths: Iterable[str] = ()) -> None:
        self._read = read
        self._by_name: dict[str, list[str]] = {}
        for path in sorted(paths):
            self._by_name.setdefault(posixpath.basename(path), []).append(path)
        self._codes: dict[str, Code | None] = {}
        self._units: dict[str, _Unit] = {}
        self._digests: dict[tuple[str, tuple[int, ...] | None, bool], str] = {}

    def function(self, file: str, function: str) -> str | None:
        """The digest of a function (``Contract.function``) and of what it names; None where the file is not there.

        That of the whole file where the file's reader does not find the function.
        """
        return self._digest(file, function, is_test=False)

    def has_function(self, file: str, function: str) -> bool:
        """Whether the file's reader finds the function in it."""
        code = self._code(file)
        return code is not None and function in code.functions

    def test(self, file: str, test: str) -> str | None:
        """The digest of a test under the name that pins have for it; None where the file is not there.

        ``FooTest.adds[2]`` is ``adds`` of the class, ``Suite.name`` a test of a macro (``TEST(Suite, name)``), other
        names are functions. That of the whole file where the file's reader does not find the test.
        """
        return self._digest(file, test, is_test=True)

    def _digest(self, file: str, name: str, *, is_test: bool) -> str | None:
        code = self._code(file)
        if code is None:
            return None
        own = _test_named(code, name) if is_test else code.functions.get(name)
        # By declarations and not by names: of the latter a file of pins may have any number.
        key = (file, None if own is None else tuple(own), is_test)
        if key not in self._digests:
            if own is None:
                self._digests[key] = _hash(code.tokens)
            else:
                whole = (code.tokens[index] for number in own for index in code.parts[number])
                self._digests[key] = _hash(whole) if is_test else _hash(whole, _behind(self._unit(file, code), own))
        return self._digests[key]

    def _code(self, file: str) -> Code | None:
        if file not in self._codes:
            text = self._read(file)
            made: Code | None = None
            if text is not None:
                made = java_code(text, file) if file.endswith(_JAVA) else c_code(text)
            self._codes[file] = made
        return self._codes[file]

    def _unit(self, file: str, code: Code) -> _Unit:
        if file not in self._units:
            met = {file: code}
            for including in (waiting := [file]):  # grows meanwhile
                for target in met[including].includes:
                    for path in self._meant(including, target):
                        if path not in met and len(met) < _MOST_FILES and (header := self._code(path)) is not None:
                            met[path] = header
                            waiting.append(path)
            meanings: dict[str, list[tuple[int, int]]] = {}
            for place, one in enumerate(met.values()):
                for name, numbers in one.meanings.items():
                    meanings.setdefault(name, []).extend((place, number) for number in numbers)
            self._units[file] = _Unit(list(met.values()), meanings)
        return self._units[file]

    def _meant(self, including: str, target: str) -> Iterator[str]:
        """The file beside the including one, else all of that name and folder: where to look, only a build knows."""
        name = target.removeprefix("<").removesuffix(">")
        candidates = self._by_name.get(posixpath.basename(name), [])
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(including), name))
        if name == target and beside in candidates:
            yield beside
        elif len(candidates) <= _MOST_MEANT:
            tail = posixpath.normpath(f"/{name}")
            yield from (path for path in candidates if f"/{path}".endswith(tail))


def bodies_in(snapshot: Snapshot) -> Bodies:
    """The digests of one state of the workspace (the index, a commit, the working tree)."""

    def read(path: str) -> str | None:
        content = snapshot.read(path)
        return None if content is None else decode(content)

    return Bodies(read, snapshot.list())


def _test_named(code: Code, name: str) -> list[int] | None:
    """The declarations of a test: without repetition (``adds(int)[2]``, ``P/S.adds/0``) and, if need be, package."""
    plain = _PARAMETERS.sub("", name).replace("$", ".")
    dotted = plain.split(".")[-_MOST_DOTS:]
    shorter = (".".join(dotted[start:]) for start in range(1, len(dotted) - 1))
    return next((code.tests[one] for one in (plain, *plain.split("/"), *shorter) if one in code.tests), None)


def _hash(*groups: Iterable[str]) -> str:
    whole = "\1".join("\0".join(group) for group in groups)
    return blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _behind(unit: _Unit, own: Sequence[int]) -> Iterator[str]:
    """The tokens, in order, that give a meaning to the names in ``own``, directly or through others.

    Declarations may lie in one another (methods of classes in methods), so each token is looked at only once.
    """
    # For each file, where it is not the token itself, the first from there on that was not looked at yet.
    following: dict[int, dict[int, int]] = {}
    found: list[tuple[int, int]] = []
    done: set[str] = set()
    met = {(0, number) for number in own}
    for place, number in (waiting := sorted(met)):  # grows meanwhile
        code = unit.codes[place]
        free = following.setdefault(place, {})
        part = code.parts[number]
        index = _free(free, part.start)
        while index < part.stop:
            free[index] = index + 1
            found.append((place, index))
            word = code.tokens[index]
            if word not in done:
                done.add(word)
                new = [one for one in unit.meanings.get(word, ()) if one not in met]
                met.update(new)
                waiting += new
            index = _free(free, index)
    mine = {(0, index) for number in own for index in unit.codes[0].parts[number]}
    return (unit.codes[place].tokens[index] for place, index in sorted(found) if (place, index) not in mine)


def _free(following: dict[int, int], index: int) -> int:
    """The first token at ``index`` or after it that was not looked at; paths are halved, so that they stay short."""
    while (after := following.get(index, index)) != index:
        following[index] = following.get(after, after)
        index = following[index]
    return index
