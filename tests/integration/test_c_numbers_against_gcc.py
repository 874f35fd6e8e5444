"""The numbers that names stand for, held against programs that gcc compiles and that print them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from clausefit.hook.c_numbers import numbers_in
from clausefit.hook.compile_commands import CompilerSettings
from clausefit.hook.test_pins import as_compiled

SIZES = "#define ROWS 1\n#define COLS 2\n"
HEADERS: dict[str, tuple[str, tuple[str, ...], set[str]]] = {
    "plain": ("enum { A, B = 7, C };", (), {"A", "B", "C"}),
    "a macro that is two enumerators": ("#define FIXED A, B, C\nenum { FIXED, N };", (), {"A", "B", "C", "N"}),
    "a branch that is not compiled": (
        "#ifndef SMALL\nenum { CAP = 4 };\n#else\nenum { CAP = 2 };\n#endif\nenum { SIZE = CAP };",
        (),
        {"CAP", "SIZE"},
    ),
    "the other branch": (
        "#ifndef SMALL\nenum { CAP = 4 };\n#else\nenum { CAP = 2 };\n#endif\nenum { SIZE = CAP };",
        ("SMALL",),
        {"CAP", "SIZE"},
    ),
    "a branch with a macro": (
        "#define BASE 3\n#ifdef SMALL\nenum { CAP = 2 };\n#else\n#define CAP (BASE*2)\n#endif\nenum { N = CAP };",
        (),
        {"BASE"},
    ),
    "an enumerator that is a macro besides": ("enum { OFF, ON, BROKEN };\n#define BROKEN ON", (), {"OFF", "ON"}),
    "a default": ("#ifndef MOST\n#define MOST 8\n#endif\nenum { N = MOST };", (), {"MOST", "N"}),
    "a default of the build": ("#ifndef MOST\n#define MOST 8\n#endif\nenum { N = MOST };", ("MOST=4",), {"MOST", "N"}),
    "flags": ("enum { A = 1 << 0, B = (1 << 1), C = 1u << 2, D = A | B };", (), {"A", "B", "C"}),
    "macros in values": (SIZES + "enum { A = ROWS, B, C = -COLS };", (), {"ROWS", "COLS", "A", "B", "C"}),
    "packed ones": ("typedef enum __attribute__((packed)) { A = 'x', B } e;", (), {"A", "B"}),
    "another in a function": ("enum { A = 4 };\nstatic inline int f(void) { enum { A = 5 }; return A; }", (), {"A"}),
    "shifts": ("enum { A = 1 << 2 << 3, B = 2 << 0 << 1, C = 1 << 4 };", (), {"C"}),
    "large ones": ("enum { A = 2147483647, B = -2147483647 - 1, C = -2147483647 };", (), {"A", "C"}),
}


@pytest.mark.parametrize("case", HEADERS)
def test_what_is_known_is_what_the_program_has(tmp_path: Path, case: str) -> None:
    header, defines, names = HEADERS[case]
    (tmp_path / "h.h").write_text(header + "\n")
    (tmp_path / "s.c").write_text('#include "h.h"\n')
    settings = CompilerSettings(defines=defines)
    text = as_compiled(tmp_path, lambda _source: settings, "s.c")
    assert text is not None
    found = numbers_in(text)
    known = {name: value for name, value in found.items() if name != "__FRAMAC__" and name in header}
    assert {name for name in known if name not in ("SMALL", "FIXED")} == names
    shown = "".join(f'printf("{name}=%lld\\n", (long long){name});' for name in known)
    (tmp_path / "m.c").write_text(f'#include <stdio.h>\n#include "h.h"\nint main(void) {{ {shown} return 0; }}\n')
    subprocess.run(["gcc", *(f"-D{one}" for one in defines), "m.c", "-o", "m"], cwd=tmp_path, check=True)
    printed = subprocess.run([str(tmp_path / "m")], capture_output=True, text=True, check=True).stdout.split()
    assert {line.partition("=")[0]: int(line.partition("=")[2]) for line in printed} == known
