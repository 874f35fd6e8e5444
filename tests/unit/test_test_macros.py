"""Macros under which a test compiles a source otherwise than the project does."""

import pytest
from clausefit.hook.compile_commands import CompilerSettings
from clausefit.hook.test_macros import other_macros

SOURCE = "#ifndef SIZE\n#define SIZE 16\n#endif\n#define _GNU_SOURCE\n#ifdef UNIT_TEST\n#endif\nstatic int n = SIZE;\n"
PLAIN = CompilerSettings()


@pytest.mark.parametrize(
    ("test", "headers", "told", "expected"),
    [
        pytest.param('#include "buf.c"\n', [], PLAIN, (), id="no macros"),
        pytest.param('#define SIZE 8\n#include "buf.c"\n', [], PLAIN, ("SIZE",), id="a size of the test's own"),
        pytest.param('#define SIZE \\\n 8\n#include "buf.c"\n', [], PLAIN, ("SIZE",), id="on two lines"),
        pytest.param('#define UNIT_TEST\n#include "buf.c"\n', [], PLAIN, ("UNIT_TEST",), id="a switch"),
        pytest.param('#define static\n#include "buf.c"\n', [], PLAIN, ("static",), id="a keyword"),
        pytest.param('# define _GNU_SOURCE\n#include "buf.c"\n', [], PLAIN, (), id="the same line in both"),
        pytest.param('#define CHECK(x) assert(x)\n#include "buf.c"\n', [], PLAIN, (), id="not mentioned"),
        pytest.param('#include "buf.c"\n#define SIZE 8\n', [], PLAIN, (), id="after the source: too late"),
        pytest.param('#include "c.h"\n#include "buf.c"\n', ["#define SIZE 8\n"], PLAIN, ("SIZE",), id="in a header"),
        pytest.param('#include "buf.c"\n', [], CompilerSettings(defines=("SIZE=8",)), ("SIZE",), id="an option -D"),
        pytest.param('#include "buf.c"\n', [], CompilerSettings(undefines=("SIZE",)), ("SIZE",), id="an option -U"),
    ],
)
def test_macros_that_change_the_source(
    test: str, headers: list[str], told: CompilerSettings, expected: tuple[str, ...]
) -> None:
    assert other_macros(test, headers, [SOURCE], (told, PLAIN)) == expected
