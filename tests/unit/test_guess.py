"""Macros that are numbers."""

from __future__ import annotations

import pytest
from clausefit.hook.c_numbers import numbers_defined
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
        pytest.param("  #  define\tN\t12\t", {"N": 12}, id="blanks"),
        pytest.param("#define N 12\r\n#define M 13\r\n", {"N": 12, "M": 13}, id="carriage-returns"),
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
        pytest.param("#ifdef A\n#define N 12\n#else\n#define N 13\n#endif", {}, id="depends-on-a-condition"),
        pytest.param("#define N 12\n#undef N", {}, id="undefined-again"),
        pytest.param("#define N 12\n#undef M", {"N": 12}, id="another-is-undefined"),
        pytest.param("// #define N 12", {}, id="in-a-comment"),
        pytest.param("int define = N 12;", {}, id="no-directive"),
        pytest.param("", {}, id="empty"),
    ],
)
def test_numbers_defined(text: str, expected: dict[str, int]) -> None:
    assert numbers_defined([text]) == expected


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param(["#define N 1", "#define M 2"], {"N": 1, "M": 2}, id="of-several-files"),
        pytest.param(["#define N 1", "#define N 1"], {}, id="defined-in-two-files"),
        pytest.param(["#define N 1", "#undef N"], {}, id="undefined-in-another-file"),
        pytest.param([], {}, id="no-file"),
    ],
)
def test_several_files(texts: list[str], expected: dict[str, int]) -> None:
    assert numbers_defined(texts) == expected


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
        assert numbers_defined([start + piece * repeated + end]) == {}

    assert_grows_linearly(work, count // 8, count)


def test_a_number_with_more_digits_than_python_converts() -> None:
    assert numbers_defined(["#define N " + "1" * 5000]) == {}
