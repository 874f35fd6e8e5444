"""Contracts that the compiler does not see, or sees with other macros than the end of the file has."""

from pathlib import Path

import pytest
from clausefit.hook.compile_commands import CompilerSettings
from clausefit.hook.compiled_code import compiled_code, why_other
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.c_project import uses_of
from clausefit.hook.pins.preprocess import Preprocessed, preprocess

ONE = "/*@ ensures \\result == N; */ int f(void) { return 1; }\n"
SPREAD = "/*@ ensures \\result == N;\n*/\n// a comment\n\nint f(void)\n{ return 1; }\n"
GONE = "code that is not compiled"
OTHER = "the macro N means something else"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(ONE, None, id="plain"),
        pytest.param(SPREAD, None, id="on many lines"),
        pytest.param(f"#ifndef GUARD\n#define GUARD\n{SPREAD}#endif\n", None, id="include guard"),
        pytest.param(f"#ifdef _WIN32\n{ONE}#else\nint f(void) {{ return 2; }}\n#endif\n", GONE, id="first branch"),
        pytest.param(f"#ifdef _WIN32\n{SPREAD}#endif\nint f(void) {{ return 2; }}\n", GONE, id="only branch"),
        pytest.param(f"#ifdef _WIN32\n{ONE}#endif\n", GONE, id="nothing follows"),
        pytest.param(f"#ifdef __FRAMAC__\n{ONE}#endif\n", GONE, id="the caller says whether __FRAMAC__ is defined"),
        pytest.param(f"#define N 4\n{ONE}", None, id="one meaning"),
        pytest.param(f"#define N 4\n{ONE}#undef N\n#define N 8\n", OTHER, id="another meaning later"),
        pytest.param(f"#define N 4\n{ONE}#undef N\n", OTHER, id="no meaning later"),
        pytest.param(f"{ONE}#define N 4\n", OTHER, id="a meaning only later"),
        pytest.param(f"#define N 4\n#undef N\n#define N 8\n{ONE}", None, id="another meaning before"),
        pytest.param(f"#define M 4\n{ONE}#undef M\n", None, id="a macro that is not used"),
    ],
)
def test_why_a_contract_is_another(text: str, expected: str | None, tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(text)
    made = preprocess(tmp_path / "f.c", tmp_path, CompilerSettings(), directives=True)
    assert isinstance(made, Preprocessed)
    unit = read_c(text, "f.c")
    (contract,) = unit.contracts
    found = why_other(contract, compiled_code(made.text), lambda _file: text, uses_of(contract, unit))
    assert found is None if expected is None else expected in (found or "")
