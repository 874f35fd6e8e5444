"""Which definition of a C function a test may have called: functions that two sources define, and stand-ins (pure).

What a test is linked with only its build knows. A call of a function that two sources define shows nothing of either of
them, and a function that calls what the tests define by themselves (a fake, ``__wrap_X`` of the linker's ``--wrap``)
may owe its outcome to that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache

from clausefit.hook.contracts.c import decode
from clausefit.hook.record.code_parts import Code, c_code

_WRAP = "__wrap_"
_STANDING_IN = re.compile(r"mock|fake|stub|dummy|spy", re.IGNORECASE)
_TESTS = re.compile(r"main$|[Tt]est|TEST")
_TEST_MACROS = frozenset(
    {"TEST", "TEST_F", "TEST_P", "TYPED_TEST", "Test", "Theory", "ParameterizedTest", "START_TEST"}
)
_TYPES = frozenset({"return", "else", "case", "goto", "do", "sizeof", "typeof", "__typeof__"})
"""Words before a name that do not declare it."""


class StandIns:
    """The definitions of one state of a workspace; each file is read when it is asked for, and once.

    ``sources`` are all C files, whether their contracts are judged or not, ``tests`` those of tests, ``read`` gives
    what files hold.
    """

    def __init__(
        self, sources: Iterable[str], tests: Iterable[str], read: Callable[[Iterable[str]], Mapping[str, bytes]]
    ) -> None:
        self._tests = frozenset(tests)
        self._sources = [path for path in sources if path not in self._tests]
        self._read = read
        self._contents = cache(lambda: read(self._sources))
        self._code = cache(lambda path: c_code("".join(decode(content) for content in read([path]).values())))
        self._users = cache(lambda path: _users(self._code(path)))
        self._defining = cache(self._find_definitions)
        self._calling = cache(self._spread)
        self._common = cache(self._of_all)

    def other_definitions(self, function: str, own: str) -> list[str]:
        """Other sources than ``own`` that define a function of this name which other files can call."""
        return [path for path in self._defining(function) if path != own]

    def of_test(self, test: str, compiled: Mapping[str, str]) -> dict[str, str]:
        """What stands in for functions of the project in a test's program: the function, and the file that defines it.

        ``compiled`` are the functions in the test's translation unit with their files, as far as they are known. Files
        of tests that hold no test may be a part of any test's program, and so may sources that are called fakes.
        """
        found = dict(self._common())
        found |= {
            name: file
            for name, file in compiled.items()
            if (file == test or file in self._tests) and not self._is_static(file, name)
        }
        found |= dict.fromkeys(self._external(test), test)
        found |= {name.removeprefix(_WRAP): file for name, file in found.items() if name.startswith(_WRAP)}
        found.pop("main", None)
        return found

    def reached(self, file: str, function: str, stand_ins: Mapping[str, str], *, itself: bool = True) -> str | None:
        """A function with a stand-in that ``function`` (of ``file``) is (``itself``) or may call; None for none."""
        names = frozenset(name for name, where in stand_ins.items() if where != file)
        if itself and function in names:
            return function
        names -= {function}
        if (file, function) not in self._calling(names):
            return None
        return next((one for one in sorted(names) if (file, function) in self._calling(frozenset({one}))), None)

    def _find_definitions(self, function: str) -> list[str]:
        word = function.encode()
        named = [path for path, content in self._contents().items() if word in content]
        return [path for path in named if function in self._external(path)]

    def _spread(self, names: frozenset[str]) -> frozenset[tuple[str, str]]:
        """The (file, name) of all that mentions one of the names, directly or through others."""
        found: set[tuple[str, str]] = set()
        known = set(names)
        new = set(names)
        while new:
            words = [name.encode() for name in new]
            hit = [path for path, content in self._contents().items() if any(word in content for word in words)]
            more = {
                (path, name)
                for path in hit
                for name in _mentioning(self._users(path), [one for one in known if not self._is_static(path, one)])
            }
            new = {name for path, name in more if not self._is_static(path, name)} - known
            found |= more
            known |= new
        return frozenset(found)

    def _of_all(self) -> Mapping[str, str]:
        """The functions of files that may be a part of any test's program."""
        shared = [path for path in self._sources if _STANDING_IN.search(path)]
        shared += [path for path in sorted(self._tests) if path.endswith(".c") and not self._holds_tests(path)]
        return {name: path for path in shared for name in self._external(path)}

    def _holds_tests(self, path: str) -> bool:
        """Whether a file of tests holds a ``main`` or tests, and is no fake by its name: it is a program of its own."""
        code = self._code(path)
        made = any(not _TEST_MACROS.isdisjoint(code.tokens[part.start : part.start + 1]) for part in code.parts)
        return not _STANDING_IN.search(path) and (made or any(_TESTS.match(name) for name in code.functions))

    def _external(self, path: str) -> list[str]:
        return [name for name in self._code(path).functions if not self._is_static(path, name)]

    def _is_static(self, path: str, name: str) -> bool:
        code = self._code(path)
        return any("static" in _head(code, number, name) for number in code.functions.get(name, ()))


def _head(code: Code, number: int, name: str) -> Iterator[str]:
    """What stands before the name of a function in its definition."""
    for index in code.parts[number]:
        if code.tokens[index] == name:
            return
        yield code.tokens[index]


def _users(code: Code) -> dict[str, set[str]]:
    """For each word of a file the names whose meaning mentions it.

    Not a function that only this file has, which no other takes the place of, nor a local variable or a parameter.
    """
    names: dict[int, list[str]] = {}
    for name, numbers in code.meanings.items():
        for number in numbers:
            names.setdefault(number, []).append(name)
    found: dict[str, set[str]] = {}
    for number, meant in names.items():
        part = code.parts[number]
        for word in {code.tokens[index] for index in part} - _declared(code, part):
            found.setdefault(word, set()).update(meant)
    return found


def _declared(code: Code, part: range) -> set[str]:
    """The parameters and local variables of a function, as far as its tokens tell: ``int x =``, ``struct s *p)``."""
    tokens = [code.tokens[index] for index in part]
    body = tokens.index("{") if "{" in tokens else len(tokens)
    found = set()
    for index in range(1, len(tokens) - 1):
        before, word, after = tokens[index - 1 : index + 2]
        if not word.isidentifier() or after not in (",", ")", "[", "=", ";"):
            continue
        is_typed = before.isidentifier() and before not in _TYPES
        if is_typed or (index < body and before == "*" and after != "="):
            found.add(word)
    return found


def _mentioning(users: Mapping[str, set[str]], names: Collection[str]) -> set[str]:
    """The names of a file whose meaning mentions one of ``names``, directly or through others of the file."""
    found: set[str] = set()
    todo = [name for name in names if name in users]
    for word in todo:  # grows meanwhile
        new = users.get(word, set()) - found - {word}
        found |= new
        todo += new
    return found
