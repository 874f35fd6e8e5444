"""The rule table: complete, and every example is real ACSL or Java with JML."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from clausefit.hook.contracts.java import read_java
from clausefit.hook.contracts.model import Language
from clausefit.hook.explanations import EXPLANATIONS
from clausefit.hook.rules import RULES, SUPPRESSION_FORM, Rule, advice_for, explain, find, nearest

EXAMPLES = [
    (f"{code}-{which}", one.language, text)
    for code, long in EXPLANATIONS.items()
    for one in long.examples
    for which, text in (("bad", one.bad), ("mended", one.mended))
]
C_EXAMPLES = [pytest.param(text, id=name) for name, language, text in EXAMPLES if language == "c"]
JAVA_EXAMPLES = [pytest.param(text, id=name) for name, language, text in EXAMPLES if language == "java"]
JAVA_ONLY = {"CF106", "CF206", "CF207"}
EACH = [pytest.param(rule, id=code) for code, rule in RULES.items()]


def parse(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    source = folder / "example.c"
    source.write_text(text, encoding="utf-8")
    # Plug-ins are not needed to parse and type an annotation; without them a run takes a third of the time.
    return subprocess.run(
        ["frama-c", "-no-autoload-plugins", "-print", str(source)], capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize("text", C_EXAMPLES)
def test_example_is_accepted_by_frama_c(text: str, tmp_path: Path) -> None:
    done = parse(text, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "requires" in done.stdout or "ensures" in done.stdout


def test_the_parse_check_can_fail(tmp_path: Path) -> None:
    broken = "/*@ ensures \\result == nowhere; */\nint f(int v);\n"
    assert parse(broken, tmp_path).returncode != 0


@pytest.mark.parametrize("which", ["bad", "mended"])
def test_java_examples_compile(which: str, tmp_path: Path) -> None:
    sources = []
    for name, language, text in EXAMPLES:
        if language == "java" and name.endswith(which):
            sources.append(tmp_path / (text.split("class ", 1)[1].split()[0] + ".java"))
            sources[-1].write_text(text, encoding="utf-8")
    assert len({*sources}) == len(sources) == len(JAVA_EXAMPLES) // 2
    done = subprocess.run(
        ["javac", "-proc:none", "-d", str(tmp_path / "out"), *map(str, sources)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("text", JAVA_EXAMPLES)
def test_java_example_has_a_contract_that_is_read_whole(text: str) -> None:
    read = read_java(text, "Example.java")
    assert read.not_checked == ()
    assert len(read.contracts) == 1
    words = re.findall(r"\b(requires|ensures|assignable|signals|signals_only|invariant)\b", text)
    own = [clause.kind for clause in read.contracts[0].clauses]
    of_class = [one.clause.kind for one in read.java.classes[0].clauses]
    assert sorted([*own, *of_class]) == sorted(words)


def test_every_rule_has_an_example_of_each_language_that_has_it() -> None:
    shown = {code: {one.language for one in long.examples} for code, long in EXPLANATIONS.items()}
    without_java = {"CF204", "CF205", "CF302", "CF901", "CF902", "CF903"}
    assert {code for code, languages in shown.items() if "c" not in languages} == JAVA_ONLY
    assert {code for code, languages in shown.items() if "java" not in languages} == without_java


@pytest.mark.parametrize(
    ("code", "language", "word"),
    [
        pytest.param("CF103", "c", "`assigns`", id="frame, C"),
        pytest.param("CF103", "java", "`assignable`", id="frame, Java"),
        pytest.param("CF203", "java", "`assignable`", id="narrow frame, Java"),
        pytest.param("CF104", "java", "`signals`", id="failure, Java"),
        pytest.param("CF101", "java", RULES["CF101"].advice, id="the same words for both"),
    ],
)
def test_advice_is_in_the_words_of_the_language(code: str, language: Language, word: str) -> None:
    assert word in advice_for(RULES[code], language)


def test_the_codes_are_the_published_ones() -> None:
    assert {code: (rule.direction, rule.severity) for code, rule in RULES.items()} == {
        "CF101": ("too_weak", "error"),
        "CF102": ("too_weak", "error"),
        "CF103": ("too_weak", "warning"),
        "CF104": ("too_weak", "error"),
        "CF105": ("too_weak", "note"),
        "CF106": ("too_weak", "error"),
        "CF201": ("too_strong", "error"),
        "CF202": ("too_strong", "error"),
        "CF203": ("too_strong", "error"),
        "CF204": ("too_strong", "error"),
        "CF205": ("too_strong", "error"),
        "CF206": ("too_strong", "error"),
        "CF207": ("too_strong", "error"),
        "CF301": ("vacuous", "error"),
        "CF302": ("vacuous", "error"),
        "CF901": ("suppression", "warning"),
        "CF902": ("suppression", "warning"),
        "CF903": ("suppression", "warning"),
    }


@pytest.mark.parametrize("rule", EACH)
def test_rule_is_filled_in(rule: Rule) -> None:
    assert "\n" not in rule.summary
    assert len(rule.summary) <= 110
    assert rule.advice.endswith(".")
    assert not rule.java_advice or (rule.java_advice.endswith(".") and rule.java_advice != rule.advice)
    assert all(one.bad != one.mended for one in EXPLANATIONS[rule.code].examples)


def test_every_rule_has_its_long_text() -> None:
    assert list(EXPLANATIONS) == list(RULES)


def test_names_are_unique() -> None:
    assert len({rule.name for rule in RULES.values()}) == len(RULES)


@pytest.mark.parametrize("rule", EACH)
def test_explain_shows_all_parts(rule: Rule) -> None:
    text = explain(rule.code)
    long = EXPLANATIONS[rule.code]
    assert text.startswith(f"{rule.code} {rule.name} ({rule.severity}")
    folded = " ".join(text.split())
    # What is about a comment is not suppressed by another one.
    comment = SUPPRESSION_FORM.replace("CODE", rule.code)
    accept = f"`ignore: [{rule.code}]`" if rule.direction == "suppression" else comment
    for part in (rule.summary, long.text, rule.advice, long.fix, accept):
        assert part in folded
    for one in long.examples:
        for line in (*one.bad.splitlines(), *one.mended.splitlines()):
            assert not line or f"    {line}\n" in text
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param("CF101", "CF101", id="exact"),
        pytest.param(" cf203 ", "CF203", id="lower case and blanks"),
        pytest.param("frame-too-wide", "CF103", id="by name"),
        pytest.param("CF999", None, id="unknown"),
        pytest.param("", None, id="empty"),
    ],
)
def test_find(asked: str, expected: str | None) -> None:
    rule = find(asked)
    assert (rule.code if rule else None) == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param("CF110", "CF101", id="digits swapped"),
        pytest.param("C203", "CF203", id="letter missing"),
        pytest.param("frame-to-narrow", "CF203", id="name misspelled"),
        pytest.param("101", "CF101", id="digits only"),
    ],
)
def test_nearest(asked: str, expected: str) -> None:
    assert nearest(asked).code == expected
    assert f"The nearest is {expected} (" in explain(asked)


def test_explain_of_hostile_text_is_harmless() -> None:
    text = explain("\x1b[2J" + "A" * 100_000)
    assert "\x1b" not in text
    assert len(text) < 3000
