"""The clauses of an ACSL contract as formulas that can stand in the annotation of a stub."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from clausefit.hook.contracts.model import Clause, Contract
from clausefit.hook.not_expressible import NotExpressible

_UNSAFE = re.compile(r"\*/|/\*|//|[\x00-\x08\x0a-\x1f\x7f]|__FC_|\bcf_")
_BINDERS = re.compile(r"\\(?:let|forall|exists|lambda)\b")
_UNION = re.compile(r"\\union\s*\((.*)\)", re.DOTALL)
_DEEPEST_SET = 16


def check_formula(formula: str) -> None:
    """NotExpressible unless ``formula`` can stand between parentheses in another annotation and mean the same.

    A clause of a hostile file could close our parenthesis or the comment and so ask another question.
    """
    if not formula.strip():
        raise NotExpressible("the clause is empty")
    if _UNSAFE.search(formula):
        raise NotExpressible("the clause holds a comment mark or a name that is reserved for stubs (cf_…)")
    bare = _without_literals(formula)
    stack: list[str] = []
    pairs = {")": "(", "]": "[", "}": "{"}
    semicolons = 0
    for character in bare:
        if character == ";":
            semicolons += stack[-1:] != ["{"]  # inside of braces it belongs to a set (ACSL 1.17 §2.3.4)
        elif character in "([{":
            stack.append(character)
        elif character in pairs and (not stack or stack.pop() != pairs[character]):
            raise NotExpressible("the brackets of the clause do not match")
    if stack:
        raise NotExpressible("the brackets of the clause do not match")
    if semicolons > len(_BINDERS.findall(bare)):
        raise NotExpressible("the clause holds a semicolon that ends it")


def _without_literals(text: str) -> str:
    """The text without its strings and characters; NotExpressible when one has no end."""
    parts, start, index = [], 0, 0
    while index < len(text):
        if text[index] in "\"'":
            closing = _end_of_literal(text, index)
            if closing < 0:
                raise NotExpressible("the clause holds an unclosed quote")
            parts.append(text[start:index])
            start, index = closing + 1, closing
        index += 1
    return " ".join((*parts, text[start:]))


def _end_of_literal(text: str, start: int) -> int:
    index = start + 1
    while index < len(text):
        if text[index] == "\\":
            index += 1
        elif text[index] == text[start]:
            return index
        index += 1
    return -1


def in_pre_state(formula: str) -> str:
    """The formula evaluated at entry; ``\\at(…, Pre)``, for Frama-C 25 does not decide ``\\valid`` under ``\\old``."""
    at_entry = re.sub(r"\bHere\b", "Pre", formula)
    return f"\\at(({at_entry}), Pre)"


def assumes_of(contract: Contract, behavior: str | None) -> str | None:
    """The conjunction of a behavior's ``assumes``; None when it has none (always active)."""
    parts = [c.formula for c in contract.clauses if c.kind == "assumes" and c.behavior == behavior]
    for part in parts:
        check_formula(part)
    return " && ".join(f"({part})" for part in parts) or None


def guarded(contract: Contract, behavior: str | None, formula: str) -> str:
    """The formula under its behavior's ``assumes``, which speak of the state at entry."""
    assumes = assumes_of(contract, behavior) if behavior is not None else None
    return f"({in_pre_state(assumes)}) ==> ({formula})" if assumes else formula


def precondition(contract: Contract, clause: Clause) -> str:
    """A ``requires`` clause as a formula of the stub."""
    check_formula(clause.formula)
    return guarded(contract, clause.behavior, in_pre_state(clause.formula))


def postcondition(contract: Contract, clause: Clause) -> str:
    """An ``ensures`` clause as a formula of the stub."""
    check_formula(clause.formula)
    return guarded(contract, clause.behavior, clause.formula)


def covering(contract: Contract, clause: Clause) -> str:
    """A ``complete`` or ``disjoint`` clause as a formula of the stub (ACSL 1.17 §2.3.3)."""
    names = clause.locations or contract.behaviors
    parts = [in_pre_state(assumes_of(contract, name) or "\\true") for name in names]
    if clause.kind == "complete":
        return " || ".join(f"({part})" for part in parts) or "\\true"
    pairs = [f"!(({a}) && ({b}))" for i, a in enumerate(parts) for b in parts[i + 1 :]]
    return " && ".join(pairs) or "\\true"


def frame(contract: Contract, clauses: Sequence[Clause], cells: Sequence[str]) -> str:
    """That the ``assigns`` clauses of one behavior allow the cells to change; a cell that keeps its value is no write.

    Membership is asked as overlap: ``\\separated`` takes pointers of any type, so a whole struct or array
    in the clause covers its parts.
    """
    locations = [part for clause in clauses for location in clause.locations for part in _members(location)]
    for location in locations:
        check_formula(location)
    parts = []
    for cell in cells:
        member = " || ".join(f"!\\separated(&{cell}, {_location_set(location)})" for location in locations)
        kept = f"{cell} == \\at({cell}, Pre)"
        parts.append(f"({kept} || {member})" if member else f"({kept})")
    return guarded(contract, clauses[0].behavior, " && ".join(parts) or "\\true")


def _location_set(location: str) -> str:
    at_entry = re.sub(r"\bHere\b", "Pre", location)
    return f"\\at(&({at_entry}), Pre)"


def _members(location: str, depth: int = 0) -> Iterable[str]:
    """The locations of which a set is made, for they may differ in type; none for what is no memory of the caller."""
    if depth > _DEEPEST_SET:
        raise NotExpressible("the sets of the assigns clause are nested too deeply")
    text = location.strip()
    if text in ("\\nothing", "\\empty") or text.startswith("\\result"):
        return ()
    union = _UNION.fullmatch(text)
    inner = union.group(1) if union else text[1:-1] if text[:1] + text[-1:] == "{}" and "|" not in text else None
    if inner is None:
        return (text,)
    return [part for piece in split_commas(inner) for part in _members(piece, depth + 1)]


def split_commas(text: str) -> list[str]:
    """The parts of ``text`` between commas that are in no brackets."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(text):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return [part.strip() for part in (*parts, text[start:])]
