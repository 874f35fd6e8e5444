"""The rules as SARIF's reportingDescriptors (§3.49), with the help that code scanning shows beside an alert."""

from __future__ import annotations

from typing import Any

from clausefit.hook import rules
from clausefit.hook.explanations import EXPLANATIONS
from clausefit.hook.visible import shortened

# https://docs.github.com/code-security/code-scanning: what is longer is cut there.
_LONGEST_DESCRIPTION = 1024
_PROBLEM_SEVERITY = {"error": "error", "warning": "warning", "note": "recommendation"}


def descriptors() -> list[dict[str, Any]]:
    """All rules, in the order of their codes, so that a run without findings of one closes its alerts."""
    return [_descriptor(rules.RULES[code]) for code in sorted(rules.RULES)]


def index_of(code: str) -> int | None:
    """The place of a rule in ``descriptors``, or None for a code that is none (of a later version)."""
    return sorted(rules.RULES).index(code) if code in rules.RULES else None


def _descriptor(rule: rules.Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": shortened(EXPLANATIONS[rule.code].text, _LONGEST_DESCRIPTION)},
        "help": {"text": rules.explain(rule.code), "markdown": _markdown(rule)},
        "defaultConfiguration": {"level": rule.severity},
        "properties": {
            "tags": ["contracts", rule.direction.replace("_", "-")],
            "precision": "very-high",
            "problem.severity": _PROBLEM_SEVERITY[rule.severity],
        },
    }


def _markdown(rule: rules.Rule) -> str:
    long = EXPLANATIONS[rule.code]
    parts = [rule.summary, long.text]
    for one in long.examples:
        parts += ["Bad:", f"```{one.language}\n{one.bad}```", "Mended:", f"```{one.language}\n{one.mended}```"]
    parts += [f"**What to do.** {rule.advice} {long.fix}"]
    if rule.direction != "suppression":
        accept = rules.SUPPRESSION_FORM.replace("CODE", rule.code)
        parts += [f"To accept a finding on purpose, write above the clause: `{accept}`"]
    return "\n\n".join(parts) + "\n"
