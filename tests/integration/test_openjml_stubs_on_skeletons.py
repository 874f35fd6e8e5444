"""The stubs for OpenJML in the skeletons that are made of modern Java: javac takes them (to it, JML is comments)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from clausefit.verifiers.openjml_formulas import NotTaken, formula, names_of
from clausefit.verifiers.openjml_stubs import Check, Skeleton, Stub, without_library
from clausefit.verifiers.protocol import JavaScene
from test_java_skeletons_on_key import CASES, Case, made_ready

NO_PLACE = {"sealed types and patterns": "is no class"}
"""An interface may hold no stubs: its questions are left to KeY."""
NOT_JAVA = {"enums": "is not abstract and does not override"}
"""KeY takes a class that lacks a method of its interface, javac does not: OpenJML answers nothing there."""


@pytest.mark.parametrize("case", CASES)
def test_javac_takes_the_stubs(case: Case, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    ready = made_ready(case)
    java = ready.contract.java
    assert java is not None
    name = request.node.callspec.id
    skeleton = Skeleton(without_library(ready.skeleton.files))
    variables = tuple((ready.skeleton.erased(one.type), one.name) for one in java.parameters)
    result = None if java.result_type in (None, "void") else ready.skeleton.erased(java.result_type or "")
    scene = JavaScene("s", ready.skeleton.class_name, java.is_static, variables, result, "true", "{}", ())
    checks = tuple(_checks(ready.right + ready.wrong, scene))
    try:
        composed = skeleton.compose([Stub(scene, ("true",), True, checks), Stub(scene, ("true",), False, checks)])
    except NotTaken as problem:
        assert NO_PLACE.get(name, "no reason is expected") in str(problem)
        return
    assert name not in NO_PLACE
    for file, text in composed.files:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    argv = ["javac", "-proc:none", "-d", "out", *(file for file, _text in composed.files)]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        assert NOT_JAVA.get(name, "no error is expected") in done.stderr


def _checks(clauses: list[str], scene: JavaScene) -> list[Check]:
    names = names_of(scene.variables, scene.result, frozenset())
    checks = []
    for number, clause in enumerate(clauses):
        try:
            checks.append(Check(f"q{number}", "accept", formula(clause, names)))
        except NotTaken:
            continue
    return checks
