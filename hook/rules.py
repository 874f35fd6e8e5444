"""The rule codes: what each one means and what to do about it.

Codes are stable: CF1xx too weak, CF2xx too strong, CF3xx vacuous, CF9xx about suppressions. The words for
the clauses are those of the ACSL manual: §2.3.2 ``requires``, ``ensures``, ``assigns``; §2.3.3 behaviors;
§2.6 logic definitions; and of the JML Reference Manual (2nd edition): ``assignable``, ``signals``, ``signals_only``,
spec cases, ``invariant``. The long texts are in ``explanations``.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from textwrap import fill, indent
from types import MappingProxyType

from clausefit.hook.contracts.model import Language
from clausefit.hook.explanations import EXPLANATIONS
from clausefit.hook.report import Direction, Severity
from clausefit.hook.visible import visible

SUPPRESSION_FORM = "// clausefit: ignore[CODE] reason"
WIDTH = 96


@dataclass(frozen=True)
class Rule:
    """One kind of finding.

    ``name`` is short and stable (``frame-too-wide``); ``severity`` is the default; ``summary`` is one line;
    ``advice`` is the one sentence that ends the message of a finding and says what to do next, ``java_advice`` the same
    in the words of JML where they differ.
    """

    code: str
    name: str
    direction: Direction
    severity: Severity
    summary: str
    advice: str
    java_advice: str = ""


_RULES = (
    Rule(
        "CF101",
        "postcondition-too-weak",
        "too_weak",
        "error",
        "An ensures clause accepts an outcome that a test shows to be wrong.",
        "Say exactly what the outcome is, in every case.",
    ),
    Rule(
        "CF102",
        "contract-too-weak",
        "too_weak",
        "error",
        "All clauses together accept an outcome that a test shows to be wrong, and no single one is to blame.",
        "Add a clause that ties this value to the inputs.",
    ),
    Rule(
        "CF103",
        "frame-too-wide",
        "too_weak",
        "warning",
        "A memory location that the call leaves untouched may change under this contract.",
        "Narrow `assigns` to what the function writes, or say that the value stays the same.",
        "Narrow `assignable` to what the method writes, or say that the value stays the same.",
    ),
    Rule(
        "CF104",
        "precondition-too-weak",
        "too_weak",
        "error",
        "The requires clauses accept an input on which the call fails.",
        "Exclude the input with `requires`, or handle it in the code.",
        "Exclude the input with `requires`, or say with `signals` that the call throws.",
    ),
    Rule(
        "CF105",
        "clause-rejects-nothing",
        "too_weak",
        "note",
        "The clause rejects no wrong outcome on any input that the tests show.",
        "Remove it, sharpen it, or add a test that reaches its case.",
    ),
    Rule(
        "CF106",
        "exceptional-postcondition-too-weak",
        "too_weak",
        "error",
        "A signals clause accepts an exception that a test shows to be wrong.",
        "Say under which condition the exception is thrown, and name all that may be in `signals_only`.",
    ),
    Rule(
        "CF201",
        "postcondition-too-strong",
        "too_strong",
        "error",
        "An ensures clause rejects an outcome that a passing test shows.",
        "Loosen the clause so that it holds here, or correct the test if it is wrong.",
    ),
    Rule(
        "CF202",
        "precondition-too-strong",
        "too_strong",
        "error",
        "A requires clause rejects an input on which a passing test shows that the function works.",
        "Loosen the clause to admit this input, or drop the test if the call is not allowed.",
    ),
    Rule(
        "CF203",
        "frame-too-narrow",
        "too_strong",
        "error",
        "The assigns or assignable clause forbids a write that a passing test shows.",
        "Add the location to `assigns`.",
        "Add the location to `assignable`.",
    ),
    Rule(
        "CF204",
        "behaviors-not-complete",
        "too_strong",
        "error",
        "complete behaviors is claimed, but an input of a passing test falls under none of them.",
        "Add a behavior for this input, or widen an `assumes`.",
    ),
    Rule(
        "CF205",
        "behaviors-overlap",
        "too_strong",
        "error",
        "disjoint behaviors is claimed, but an input of a passing test falls under two of them.",
        "Make the `assumes` clauses exclude each other, or drop `disjoint behaviors`.",
    ),
    Rule(
        "CF206",
        "exception-too-strong",
        "too_strong",
        "error",
        "The contract forbids an exception that a passing test shows.",
        "Allow the exception in `signals` and `signals_only`, or give this input an `exceptional_behavior`.",
    ),
    Rule(
        "CF207",
        "invariant-too-strong",
        "too_strong",
        "error",
        "An invariant or constraint rejects a state that a passing test shows.",
        "Loosen it to admit this state, or correct the test if it is wrong.",
    ),
    Rule(
        "CF301",
        "vacuous-precondition",
        "vacuous",
        "error",
        "The requires clauses cannot hold together: no call is allowed, so everything holds.",
        "Mend the `requires` clauses so that at least one call is allowed.",
    ),
    Rule(
        "CF302",
        "inconsistent-logic",
        "vacuous",
        "error",
        "The logic definitions that the contract uses contradict each other: everything becomes provable.",
        "Find the false axiom or recursive definition, and mend or remove it.",
    ),
    Rule(
        "CF901",
        "unused-suppression",
        "suppression",
        "warning",
        "A suppression comment stands where there is no finding of its code.",
        "Remove the code from the comment, or move the comment to the clause that it is for.",
    ),
    Rule(
        "CF902",
        "suppression-without-reason",
        "suppression",
        "warning",
        "A suppression comment gives no reason, and suppresses nothing.",
        f"Write the reason after the code: `{SUPPRESSION_FORM}`.",
    ),
    Rule(
        "CF903",
        "unknown-suppression-code",
        "suppression",
        "warning",
        "A suppression comment names no code, or one that does not exist.",
        f"Name a code that `clausefit explain` lists: `{SUPPRESSION_FORM}`.",
    ),
)

RULES: MappingProxyType[str, Rule] = MappingProxyType({rule.code: rule for rule in _RULES})


def advice_for(rule: Rule, language: Language) -> str:
    """What to do next, in the words of the language's contracts."""
    return rule.java_advice if language == "java" and rule.java_advice else rule.advice


def find(code_or_name: str) -> Rule | None:
    """The rule with this code or name (case and outer blanks do not matter), or None."""
    wanted = code_or_name.strip()
    by_name = {rule.name: rule for rule in RULES.values()}
    return RULES.get(wanted.upper()) or by_name.get(wanted.lower())


def nearest(code_or_name: str) -> Rule:
    """The rule whose code or name is spelled most like the given text (the first of equals)."""
    return max(RULES.values(), key=lambda rule: _likeness(rule, code_or_name))


def close(code_or_name: str) -> Rule | None:
    """The nearest rule where the text can well be a slip of it."""
    rule = nearest(code_or_name)
    return rule if _likeness(rule, code_or_name) >= _LEAST_LIKENESS else None


def _likeness(rule: Rule, code_or_name: str) -> float:
    # Longer text than any name cannot be a misspelling, and the matcher is quadratic.
    wanted = code_or_name.strip()[:60]
    return max(
        difflib.SequenceMatcher(None, wanted.upper(), rule.code).ratio(),
        difflib.SequenceMatcher(None, wanted.lower(), rule.name).ratio(),
        # The same digits in another order is the likeliest slip of all.
        0.95 if sorted(wanted.upper()) == sorted(rule.code) else 0.0,
    )


_LEAST_LIKENESS = 0.75


def explain(code: str) -> str:
    """What ``clausefit explain CODE`` prints: the rule in full, or for an unknown code the nearest one and the list."""
    rule = find(code)
    if rule is None:
        near = nearest(code)
        known = "\n".join(f"  {r.code}  {r.name:<40}{r.summary}" for r in RULES.values())
        asked = visible(code[:60])
        return f"No rule {asked}. The nearest is {near.code} ({near.name}).\n\nAll rules:\n{known}\n"
    long = EXPLANATIONS[rule.code]
    shown: list[str] = []
    for one in long.examples:
        where = " (Java)" if one.language == "java" else ""
        shown += [f"Bad{where}:", "", indent(one.bad, "    "), f"Mended{where}:", "", indent(one.mended, "    ")]
    accept = f"To accept a finding on purpose, write above the clause: {SUPPRESSION_FORM.replace('CODE', rule.code)}"
    if rule.direction == "suppression":
        accept = f"To switch this warning off for the whole project, write `ignore: [{rule.code}]` in .clausefit.yaml"
    advice = rule.advice if not rule.java_advice else f"{rule.advice} (Java: {rule.java_advice})"
    return "\n".join(
        (
            f"{rule.code} {rule.name} ({rule.severity}, {rule.direction.replace('_', ' ')})",
            "",
            rule.summary,
            "",
            fill(long.text, WIDTH),
            "",
            *shown,
            "What to do:",
            "",
            fill(f"{advice} {long.fix}", WIDTH),
            "",
            accept,
            "",
        )
    )
