"""The rule table: complete, and every example is real ACSL."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from clausefit.hook.explanations import EXPLANATIONS
from clausefit.hook.rules import RULES, SUPPRESSION_FORM, Rule, explain, find, nearest

EXAMPLES = [
    pytest.param(text, id=f"{code}-{which}")
    for code, long in EXPLANATIONS.items()
    for which, text in (("bad", long.bad), ("mended", long.mended))
]
EACH = [pytest.param(rule, id=code) for code, rule in RULES.items()]


def parse(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    source = folder / "example.c"
    source.write_text(text, encoding="utf-8")
    # Plug-ins are not needed to parse and type an annotation; without them a run takes a third of the time.
    return subprocess.run(
        ["frama-c", "-no-autoload-plugins", "-print", str(source)], capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize("text", EXAMPLES)
def test_example_is_accepted_by_frama_c(text: str, tmp_path: Path) -> None:
    done = parse(text, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "requires" in done.stdout or "ensures" in done.stdout


def test_the_parse_check_can_fail(tmp_path: Path) -> None:
    broken = "/*@ ensures \\result == nowhere; */\nint f(int v);\n"
    assert parse(broken, tmp_path).returncode != 0


def test_the_codes_are_the_published_ones() -> None:
    assert {code: (rule.direction, rule.severity) for code, rule in RULES.items()} == {
        "CF101": ("too_weak", "error"),
        "CF102": ("too_weak", "error"),
        "CF103": ("too_weak", "warning"),
        "CF104": ("too_weak", "error"),
        "CF105": ("too_weak", "note"),
        "CF201": ("too_strong", "error"),
        "CF202": ("too_strong", "error"),
        "CF203": ("too_strong", "error"),
        "CF204": ("too_strong", "error"),
        "CF205": ("too_strong", "error"),
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
    assert EXPLANATIONS[rule.code].bad != EXPLANATIONS[rule.code].mended


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
    for part in (rule.summary, long.text, rule.advice, long.fix, SUPPRESSION_FORM.replace("CODE", rule.code)):
        assert part in folded
    for line in (*long.bad.splitlines(), *long.mended.splitlines()):
        assert f"    {line}\n" in text
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
