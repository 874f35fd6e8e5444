"""Verdicts of KeY in the cache: what they depend on, and what is kept."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from clausefit.verifiers.key_tools import java_identity
from clausefit.verifiers.key_verdicts import driver_identity, from_text, question_keys, to_text
from clausefit.verifiers.protocol import JavaOutcome, JavaScene, JavaUnit, Judgement, Question

QUESTION = Question("q", "s", "right", "n == 1", "accept", "g")
OUTCOME = JavaOutcome("right", "this.n == 1", "{}")
SCENE = JavaScene("s", "C", False, (("int", "x"),), "int", "x == 1", "{}", (OUTCOME,))
UNIT = JavaUnit("u", (("C.java", "class C {}"),), "java", (SCENE,), (QUESTION,))


def key(unit: JavaUnit, *identity: str) -> str:
    return question_keys(unit, identity or ("driver", "java"))["q"]


def with_scene(**changes: object) -> JavaUnit:
    return replace(UNIT, scenes=(replace(SCENE, **changes),))  # type: ignore[arg-type]


def with_question(**changes: object) -> JavaUnit:
    return replace(UNIT, questions=(replace(QUESTION, **changes),))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(replace(UNIT, files=(("C.java", "class C { }"),)), id="skeleton"),
        pytest.param(replace(UNIT, files=(("D.java", "class C {}"),)), id="name of a file"),
        pytest.param(replace(UNIT, math="bigint"), id="arithmetic"),
        pytest.param(with_scene(facts="x == 2"), id="facts of the state before"),
        pytest.param(with_scene(before='{"objects": {}}'), id="state before"),
        pytest.param(with_scene(variables=(("long", "x"),)), id="type of a variable"),
        pytest.param(with_scene(result=None), id="type of the result"),
        pytest.param(with_scene(is_static=True), id="static"),
        pytest.param(with_scene(outcomes=(replace(OUTCOME, facts="this.n == 2"),)), id="facts of the outcome"),
        pytest.param(with_scene(outcomes=(replace(OUTCOME, after="[]"),)), id="state after"),
        pytest.param(with_question(formula="n == 2"), id="formula"),
        pytest.param(with_question(hypothesis=""), id="no outcome"),
        pytest.param(with_question(one_sided=True), id="one side only"),
    ],
)
def test_a_verdict_depends_on_all_that_may_change_it(other: JavaUnit) -> None:
    assert key(other) != key(UNIT)


@pytest.mark.parametrize(
    "same",
    [
        pytest.param(replace(UNIT, name="other"), id="name of the unit"),
        pytest.param(with_question(expected="refute"), id="the side to try first"),
        pytest.param(with_question(group="other"), id="group"),
        pytest.param(with_scene(outcomes=(OUTCOME, JavaOutcome("m0", "false", "{}"))), id="other outcomes"),
    ],
)
def test_a_verdict_depends_on_nothing_else(same: JavaUnit) -> None:
    assert key(same) == key(UNIT)


def test_a_verdict_depends_on_driver_and_java() -> None:
    assert len({key(UNIT, "driver", "java"), key(UNIT, "other", "java"), key(UNIT, "driver", "other")}) == 3


@pytest.mark.parametrize(
    ("judgement", "seconds", "found"),
    [
        pytest.param(Judgement("accepted", decided_by="key", evaluated=True), 99.0, True, id="proved: for good"),
        pytest.param(Judgement("undecided", "undefined", "null"), 99.0, True, id="undefined: for good"),
        pytest.param(Judgement("undecided", "timeout", "late"), 4.0, True, id="timeout: for this time"),
        pytest.param(Judgement("undecided", "timeout", "late"), 5.0, False, id="timeout: not for more time"),
        pytest.param(Judgement("rejected", decided_by="evaluation"), 5.0, False, id="KeY may prove it with more time"),
        pytest.param(Judgement("undecided", "crash", "gone"), 4.0, False, id="crash: never"),
        pytest.param(Judgement("undecided", "interrupted"), 4.0, False, id="interrupted: never"),
    ],
)
def test_what_is_found_again(judgement: Judgement, seconds: float, found: bool) -> None:
    text = to_text(judgement, 4.0)
    again = from_text(text, seconds) if text is not None else None
    assert again == (replace(judgement, cached=True) if found else None)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("[1]", id="a list"),
        pytest.param('{"verdict": "accepted"}', id="too little"),
        pytest.param(
            json.dumps({"verdict": "sure", "reason": "", "detail": "", "by": "key", "evaluated": None, "seconds": 1}),
            id="no verdict",
        ),
    ],
)
def test_a_text_of_another_form_is_no_verdict(text: str) -> None:
    assert from_text(text, 1.0) is None


def test_java_is_told_by_its_release_file_without_starting_it(tmp_path: Path) -> None:
    program = tmp_path / "jdk" / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text("not a program that could be started")
    program.chmod(0o755)
    environment = {"JAVA_HOME": str(tmp_path / "jdk")}
    unnamed = java_identity(environment)
    (tmp_path / "jdk" / "release").write_text('JAVA_VERSION="17.0.1"\nSOURCE=""\n')
    assert java_identity(environment) == 'JAVA_VERSION="17.0.1"'
    assert str(program) in unnamed
    assert java_identity({"PATH": str(tmp_path)}) == ""


def test_the_driver_is_told_by_its_sources_and_jars(tmp_path: Path) -> None:
    source = tmp_path / "src" / "A.java"
    source.parent.mkdir()
    source.write_text("class A {}")
    (tmp_path / "checksums.txt").write_text("")
    first = driver_identity(tmp_path)
    driver_identity.cache_clear()
    source.write_text("class A { }")
    assert driver_identity(tmp_path) != first
    driver_identity.cache_clear()
