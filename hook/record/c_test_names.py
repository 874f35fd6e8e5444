"""What a test of a C framework is called, by the name of the function that its macro makes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_MOST_NAMES = 10_000
_NAME = r"([A-Za-z_]\w*)"
_PAIR = rf"\s*{_NAME}\s*,\s*{_NAME}"
_CHECK = re.compile(rf"\bSTART_TEST\s*\(\s*{_NAME}")
_CRITERION = re.compile(
    rf"\b(?:Test\s*\(|ParameterizedTest\s*\([^,()]{{1,200}},|Theory\s*\(\s*\([^()]{{0,400}}\)\s*,){_PAIR}"
)
_GTEST = re.compile(rf"\b(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|GTEST_TEST)\s*\({_PAIR}")
_BODY = re.compile(rf"(?:^|[:<, ]){_NAME}(?:<[^()]*>)?::(?:TestBody\b|~?\1\b)")
_TYPED_SUITE = re.compile(r"gtest_(?:suite|case)_(\w+)_::")
_MEMBER = re.compile(rf"(?:^|::){_NAME}(?:<.*>)?::[~\w]+(?:\(|$)")


@dataclass(frozen=True)
class CTestName:
    """A test's name and its suite (empty where there is none). ``is_sure``: a framework's macro made the function."""

    name: str
    suite: str = ""
    is_sure: bool = False


def c_test_name(function: str, text: str) -> CTestName:
    """The test that a function is, or runs for.

    ``function`` is the name that a debugger gives, ``text`` the file that it is in. Sources of the rules: the macros of
    Check 0.15 (``check.h``), Criterion 2.4 (``criterion/internal/test.h``), GoogleTest 1.12 (``gtest-internal.h``).
    """
    names = _names(text)
    test = names.get(function.partition("(")[0])
    if test is not None:
        return CTestName(test, test.rpartition(".")[0], True)
    body = _BODY.search(function)
    if body is not None:
        typed = _TYPED_SUITE.search(function)
        if typed is not None:
            return CTestName(f"{typed[1]}.{body[1]}", typed[1], True)
        test = names.get(body[1])
        parts = body[1].removesuffix("_Test").split("_")
        if test is None and body[1].endswith("_Test") and len(parts) == 2:
            test = ".".join(parts)
        if test is not None:
            return CTestName(test, test.rpartition(".")[0], True)
    member = _MEMBER.search(function)
    return CTestName(function.partition("(")[0] or function, member[1] if member is not None else "")


@lru_cache(maxsize=64)
def _names(text: str) -> dict[str, str]:
    """Name of the function or class that a macro makes -> the test's name."""
    found: dict[str, str] = {}
    for test in _CHECK.finditer(text):
        found[test[1]] = found[f"{test[1]}_fn"] = test[1]
    for test in _CRITERION.finditer(text):
        # The second one runs the suite's fixture and then the first.
        found[f"{test[1]}_{test[2]}_impl"] = found[f"{test[1]}_{test[2]}_jmp"] = f"{test[1]}.{test[2]}"
    for test in _GTEST.finditer(text):
        found[f"{test[1]}_{test[2]}_Test"] = f"{test[1]}.{test[2]}"
        if len(found) > _MOST_NAMES:
            break
    return found
