"""Names that stand for one number, by what the preprocessor leaves of a source."""

from __future__ import annotations

import pytest
from clausefit.hook.c_numbers import numbers_in, overridable
from growth import assert_grows_linearly


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("#define N 12", {"N": 12}, id="number"),
        pytest.param("#define N 0", {"N": 0}, id="zero"),
        pytest.param("#define N 0x1fUL", {"N": 31}, id="hexadecimal-with-a-suffix"),
        pytest.param("#define N 0XFF", {"N": 255}, id="large-x"),
        pytest.param("#define N (12)", {"N": 12}, id="in-brackets"),
        pytest.param("#define N (-12)", {"N": -12}, id="negative-in-brackets"),
        pytest.param("#define N ( - 12 )", {"N": -12}, id="blanks-in-brackets"),
        pytest.param("int a;\n#define N 12\nint b;", {"N": 12}, id="between-code"),
        pytest.param("#define N -12", {}, id="negative-without-brackets-binds-to-what-follows"),
        pytest.param("#define N (12", {}, id="bracket-that-is-not-closed"),
        pytest.param("#define N 12)", {}, id="bracket-that-is-not-opened"),
        pytest.param("#define N 012", {}, id="octal"),
        pytest.param("#define N 12.5", {}, id="no-integer"),
        pytest.param("#define N 1e3", {}, id="exponent"),
        pytest.param("#define N 0x", {}, id="no-digits"),
        pytest.param("#define N 12 + 1", {}, id="sum"),
        pytest.param("#define N M", {}, id="another-macro"),
        pytest.param("#define N", {}, id="nothing"),
        pytest.param("#define N(x) 12", {}, id="with-arguments"),
        pytest.param("#define N 12 \\\n + 1", {}, id="goes-on-in-the-next-line"),
        pytest.param("#define N '1'", {}, id="character"),
        pytest.param("#define N 12\n#define N 13", {}, id="defined-twice"),
        pytest.param("#define N 12\n#undef N", {}, id="undefined-again"),
        pytest.param("#define N 12\n#undef M", {"N": 12}, id="another-is-undefined"),
        pytest.param("// #define N 12", {}, id="in-a-comment"),
        pytest.param("int define = N 12;", {}, id="no-directive"),
        pytest.param("", {}, id="empty"),
    ],
)
def test_macros(text: str, expected: dict[str, int]) -> None:
    assert numbers_in(text) == expected


ENUMERATORS: dict[str, tuple[str, str, int | None]] = {
    "counts on": ("enum e { A = 0x10, B, C = -3, D };", "D", -2),
    "by its number": ("enum { A = 0x10, B };", "B", 17),
    "by another enumerator": ("enum { A = 3 }; enum { B = A, C };", "C", 4),
    "a flag": ("enum { A = 1 << 3, B = (1u << 4) };", "B", 16),
    "after a flag": ("enum { A = 1 << 3, B };", "B", 9),
    "two shifts": ("enum { A = 1 << 2 << 3 };", "A", None),
    "a shift to the right": ("enum { A = 8 >> 1 };", "A", None),
    "two comparisons": ("enum { A = 1 < 2 < 3 };", "A", None),
    "a shift out of an int": ("enum { A = 3 << 30 };", "A", None),
    "a shift into the sign": ("enum { A = 1 << 31 };", "A", None),
    "a shift of a negative number": ("enum { A = -1 << 3 };", "A", None),
    "a negative unsigned number": ("enum { A = -1u };", "A", None),
    "a number that is unsigned by its size": ("enum { A = -0x80000000 };", "A", None),
    "too large for an int": ("enum { A = 0x80000000 };", "A", None),
    "one more than the largest": ("enum { A = 2147483647, B };", "B", None),
    "a character": ("enum { A = 'a', B };", "B", 98),
    "an escaped character": ("enum { A = '\\n' };", "A", None),
    "an octal number": ("enum { A = 010 };", "A", None),
    "two signs": ("enum { A = - -1 };", "A", None),
    "after one that is not understood": ("enum { A = 1 + 3, B };", "B", None),
    "again with a number": ("enum { A = 1 + 3, B = 2 };", "B", 2),
    "with an attribute": ("enum { A __attribute__((deprecated)), B };", "B", None),
    "in a packed enum": ("enum __attribute__((packed)) { A = 4 };", "A", 4),
    "in a packed enum with a name": ("typedef enum __attribute__((packed)) e { A = 4 } e;", "A", 4),
    "after a directive": ('enum {\n# 7 "f.h"\n#define X 1\n A,\n B };', "B", 1),
    "in a struct": ("struct s { int n; enum { A = 7 } k; };", "A", 7),
    "in a function": ("void f(void) { enum { A = 7 }; }", "A", None),
    "in a function that gives a struct": ("struct s f(void) { enum { A = 7 }; }", "A", None),
    "in a function with a tagged parameter": ("void f(struct s *p) { enum { A = 7 }; }", "A", None),
    "in a parameter": ("void f(enum { A = 7 } x);", "A", None),
    "in a statement of an initializer": ("int x = ({ enum { A = 7 }; 1; });", "A", None),
    "beside one of a function": ("enum { A = 4 }; void f(void) { enum { A = 5 }; }", "A", 4),
    "a macro besides": ("enum { A = 2 };\n#define A B\n", "A", None),
    "a macro that is a number": ("enum { A = 2 };\n#define A 9\n", "A", 9),
    "a macro that was one": ("#define A 9\n#undef A\nenum { A = 2 };", "A", None),
    "in a string": ('char *s = "enum { A = 1 };";', "A", None),
    "a type that is used": ("enum e { A = sizeof(int), B = 3 }; enum e f(void);", "B", 3),
    "a fixed type (C23)": ("enum e : int { A = 3 };", "A", None),
    "an initializer after a tag": ("enum e x = { 3 }; struct s y = { A };", "A", None),
}


@pytest.mark.parametrize("case", ENUMERATORS)
def test_enumerators(case: str) -> None:
    text, name, expected = ENUMERATORS[case]
    assert numbers_in(text).get(name) == expected


@pytest.mark.parametrize(
    ("texts", "preprocessed", "expected"),
    [
        pytest.param(["#ifndef CAP\n#define CAP 8\n#endif"], "#define CAP 8\n", ["CAP"], id="a-default"),
        pytest.param(["#ifdef SMALL\nenum { A = 1 };\n#endif"], "", ["SMALL"], id="a-branch"),
        pytest.param(["#if defined(X) && Y > 2"], "", ["X", "Y"], id="a-condition"),
        pytest.param(["#if 0\n#elif Z"], "", ["Z"], id="a-second-condition"),
        pytest.param(["#ifndef F_H\n#define F_H\n#endif"], "#define F_H \n", [], id="a-guard"),
        pytest.param(["#ifdef __cplusplus\n#ifdef _WIN32"], "", [], id="the-implementation"),
        pytest.param(["#define CAP 8"], "#define CAP 8\n", [], id="no-condition"),
        pytest.param(["#ifdef A", "#ifdef B"], "", ["A", "B"], id="several-files"),
    ],
)
def test_what_a_build_may_change(texts: list[str], preprocessed: str, expected: list[str]) -> None:
    assert overridable(texts, preprocessed) == expected


@pytest.mark.parametrize(
    ("start", "piece", "count", "end"),
    [
        pytest.param("", "#define N 1\n", 200_000, "", id="lines"),
        pytest.param("#define N ", " ", 1_000_000, "x", id="blanks"),
        pytest.param("#define N ", "1", 1_000_000, "x", id="digits"),
        pytest.param("#", " ", 1_000_000, "", id="blanks-after-the-mark"),
    ],
)
def test_odd_texts_take_linear_time(start: str, piece: str, count: int, end: str) -> None:
    def work(repeated: int) -> None:
        assert numbers_in(start + piece * repeated + end) == {}

    assert_grows_linearly(work, count // 8, count)


def test_a_number_with_more_digits_than_python_converts() -> None:
    assert numbers_in("#define N " + "1" * 5000) == {}


@pytest.mark.parametrize(
    ("start", "piece", "end"),
    [
        pytest.param("enum ", " ", "x", id="blanks"),
        pytest.param("enum {", "A,", "", id="no-end"),
        pytest.param("enum ", "enum ", "{", id="words"),
        pytest.param("enum {A = ", "(", "", id="brackets"),
        pytest.param("enum {A = ", "-", "", id="signs"),
        pytest.param("enum {A = ", "1 << ", "", id="shifts"),
        pytest.param("enum", "{enum", "", id="enums-in-enums"),
        pytest.param("enum {", "/*", "", id="comments"),
        pytest.param("enum ", ")", "{", id="closing"),
        pytest.param("enum", "{}", "", id="empty-bodies"),
        pytest.param("enum {A=1};", "{", "", id="open-braces"),
        pytest.param("", "struct s {enum {A};", "", id="open-structs"),
    ],
)
def test_odd_enums_take_linear_time(start: str, piece: str, end: str) -> None:
    assert_grows_linearly(lambda repeated: numbers_in(start + piece * repeated + end), 2_000, 16_000)
