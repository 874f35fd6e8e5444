"""How functions look in programs that clausefit has compiled itself, for c_own_builds.py. Runs inside gdb, no process.

``CLAUSEFIT_OWN`` names a file with [[program, [function, …]], …]; the answers are lines of JSON on stdout.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import gdb  # type: ignore[import-untyped]

sys.path.insert(0, str(Path(__file__).parent))

from code_text import build_of, instructions, mapped_sections  # type: ignore[import-not-found]


def _look(program: str, names: list[str]) -> None:
    gdb.execute(f"file {program}", to_string=True)
    mapped_sections.cache_clear()
    for name in names:
        symbol = gdb.lookup_global_symbol(name) or gdb.lookup_static_symbol(name)
        block = None if symbol is None else gdb.block_for_pc(int(symbol.value().address))
        while block is not None and (block.function is None or block.function.name != name):
            block = block.superblock
        if block is not None:
            build = build_of(symbol, instructions(block, int(block.start)))
            print(json.dumps({"program": program, "function": name, "build": build}), flush=True)


for setting in ("confirm off", "pagination off", "debuginfod enabled off", "language c", "width 0"):
    gdb.execute(f"set {setting}", to_string=True)
for one, functions in json.loads(Path(os.environ["CLAUSEFIT_OWN"]).read_text("utf-8")):
    try:
        _look(one, functions)
    except gdb.error as problem:
        print(json.dumps({"program": one, "problem": str(problem)[:300]}), flush=True)
