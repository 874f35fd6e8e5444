"""The facts of pinned Java calls and clauses about them, as OpenJML gets them: javac types all that has a form in Java.

OpenJML is a javac that reads JML as well, so what javac refuses here it would refuse, and then prove nothing at all.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from clausefit.verifiers.openjml_formulas import declared_floating, facts, formula, names_of
from clausefit.verifiers.openjml_stubs import Check, Skeleton, Stub
from test_java_scenes_on_key import CASES, SKELETON, Case, stub_of

_STATEMENT = re.compile(r"^    //@ (?:assume|check) (.*);$")


def as_java(text: str) -> str | None:
    """A formula as Java: the state does not matter for its type. None where it has no such form."""
    if re.search(r"\\(?!old\(|fresh\(|typeof\(|type\()[a-z]|==>", re.sub(r"'[^']*'", "", text)):
        return None
    text = re.sub(r"\\type\(([\w.\[\]]+)\)", r"\1.class", text)
    return text.replace(r"\old(", "(").replace(r"\fresh(", "cfFresh(").replace(r"\typeof(", "cfTypeOf(")


@pytest.mark.parametrize("one", [pytest.param(one, id=name) for name, one in CASES.items()])
def test_javac_types_facts_and_clauses(one: Case, tmp_path: Path) -> None:
    scene = stub_of(one).scene
    names = names_of(scene.variables, scene.result, declared_floating(SKELETON.values()))
    clauses = (*one.right, *one.wrong)
    checks = [Check(f"q{number}", "accept", formula(text, names)) for number, text in enumerate(clauses)]
    before = facts(scene.facts)
    stubs = [Stub(scene, before, False, ())]
    stubs += [Stub(scene, before + facts(outcome.facts), True, tuple(checks)) for outcome in scene.outcomes]
    composed = Skeleton(tuple(SKELETON.items())).compose(stubs)
    typed = 0
    for name, text in composed.files:
        lines = text.split("\n")
        for number, line in enumerate(lines):
            if found := _STATEMENT.match(line):
                java = as_java(found[1])
                typed += java is not None
                lines[number] = f"    boolean cf_line{number} = {java};" if java is not None else line
        text = "\n".join(lines)
        helpers = (
            "\n  static boolean cfFresh(Object o) { return true; }"
            "\n  static Class<?> cfTypeOf(Object o) { return null; }\n}"
        )
        if name.endswith("Cursor.java"):
            end = text.rindex("}")
            text = text[:end] + helpers[1:]
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    argv = ["javac", "-proc:none", "-d", "out", *(name for name, _text in composed.files)]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert typed > 0
