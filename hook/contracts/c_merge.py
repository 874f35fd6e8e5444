"""Merges what several declarations of one function say, as Frama-C does (tried on Frama-C 25, ``-print``).

The definition's clauses come first, then those of the other declarations in order; default behaviors and
behaviors of one name are joined, equal clauses are kept once; of several ``terminates`` or ``decreases`` the
first is kept; parameters get the definition's names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from clausefit.hook.contracts.acsl_tokens import BINDERS, Token, identifiers, tokenize
from clausefit.hook.contracts.model import Clause, Contract, GlobalVariable, NotChecked, Parameter

_ONCE = frozenset({"terminates", "decreases"})


@dataclass(frozen=True)
class Merged:
    """One function's contract, and the clauses that it could not take over."""

    contract: Contract
    not_checked: tuple[NotChecked, ...] = ()


def merge(declarations: Sequence[Contract]) -> Merged:
    """The contract of a function from all its declarations, in source order (at least one)."""
    if len(declarations) == 1:
        return Merged(declarations[0])
    base = _base(declarations)
    ordered = [base, *(one for one in declarations if one is not base)]
    parameters = _parameters(base, ordered)
    behaviors = tuple(dict.fromkeys(name for one in ordered for name in one.behaviors))
    clauses: list[Clause] = []
    problems: list[NotChecked] = []
    known: set[tuple[object, ...]] = set()
    for one in ordered:
        names = _renaming(one.parameters, parameters)
        for clause in one.clauses:
            adapted = _renamed(_with_all_named(clause, one, behaviors), names)
            if adapted is None:
                problems.append(_captured(clause, one, names))
            elif _identity(adapted) not in known:
                known.add(_identity(adapted))
                clauses.append(adapted)
    contract = replace(
        base,
        parameters=parameters,
        clauses=tuple(clauses),
        behaviors=behaviors,
        span=base.span or next((one.span for one in ordered if one.file == base.file and one.span), None),
        is_static=any(one.is_static for one in declarations),
    )
    return Merged(contract, tuple(problems))


def _base(declarations: Sequence[Contract]) -> Contract:
    """The definition, else the first declaration with clauses and all names, else the first with clauses."""
    ranked = sorted(
        declarations,
        key=lambda one: (
            not one.is_definition,
            not one.clauses,
            not all(parameter.name for parameter in one.parameters),
        ),
    )
    return ranked[0]


def _parameters(base: Contract, declarations: Sequence[Contract]) -> tuple[Parameter, ...]:
    """The base's parameters; one without a name takes over a declaration that has one."""
    found = list(base.parameters)
    for index, parameter in enumerate(found):
        if parameter.name:
            continue
        taken = {one.name for one in found}
        for one in declarations:
            if index < len(one.parameters) and one.parameters[index].name not in taken:
                found[index] = one.parameters[index]
                break
    return tuple(found)


def _renaming(old: Sequence[Parameter], new: Sequence[Parameter]) -> dict[str, str]:
    return {a.name: b.name for a, b in zip(old, new, strict=False) if a.name and b.name and a.name != b.name}


def _renamed(clause: Clause, names: dict[str, str]) -> Clause | None:
    """``clause`` with its parameters renamed at once; None when a global of the new name would be captured."""
    if not names or clause.kind in ("complete", "disjoint"):
        return clause
    tokens = tokenize(clause.formula)
    mentioned = identifiers(tokens)
    if not mentioned & names.keys():
        return clause
    changes = dict(names)
    bound = _bound(tokens)
    used = mentioned | set(names.values())
    for name in sorted((set(names.values()) & mentioned) - names.keys()):
        if name not in bound:
            return None
        changes[name] = _fresh(name, used)
        used |= {changes[name]}
    locations = tuple(_replace(tokenize(location), location, changes) for location in clause.locations)
    return replace(clause, formula=_replace(tokens, clause.formula, changes), locations=locations)


def _fresh(name: str, used: frozenset[str] | set[str]) -> str:
    number = 1
    while f"{name}_{number}" in used:
        number += 1
    return f"{name}_{number}"


def _bound(tokens: Sequence[Token]) -> set[str]:
    """The words that stand in a binder (``\\forall integer i, j;``, ``\\let x = …``, ``{ x | integer x; … }``)."""
    found: set[str] = set()
    inside = False
    for index, token in enumerate(tokens):
        if token.text in BINDERS:
            inside = True
        elif token.text == "|" and index > 1 and tokens[index - 2].text == "{":
            found.add(tokens[index - 1].text)
        elif token.text in (";", "="):
            inside = False
        elif inside and token.kind == "word":
            found.add(token.text)
    return found


def _replace(tokens: Sequence[Token], text: str, changes: dict[str, str]) -> str:
    """``text`` with words replaced, except the names of members (``p->x``, ``s.x``) and tags."""
    parts: list[str] = []
    position = 0
    for index, token in enumerate(tokens):
        before = tokens[index - 1].text if index else ""
        if token.kind == "word" and token.text in changes and before not in (".", "->", "struct", "union", "enum"):
            parts += [text[position : token.start], changes[token.text]]
            position = token.end
    return "".join([*parts, text[position:]])


def _identity(clause: Clause) -> tuple[object, ...]:
    """What makes two clauses the same for a merge."""
    if clause.kind in _ONCE:
        return (clause.kind,)
    return clause.kind, clause.behavior, clause.formula, clause.names, clause.modality


def _with_all_named(clause: Clause, contract: Contract, behaviors: tuple[str, ...]) -> Clause:
    """``complete behaviors;`` means those of its own contract, also where the merged one has more."""
    if clause.kind not in ("complete", "disjoint") or clause.locations or contract.behaviors == behaviors:
        return clause
    return replace(clause, formula=", ".join(contract.behaviors), locations=contract.behaviors)


def _captured(clause: Clause, contract: Contract, names: dict[str, str]) -> NotChecked:
    pairs = ", ".join(f"`{old}` is `{new}`" for old, new in names.items())
    detail = f"`{clause.text[:80]}` names a variable that a parameter hides where the function is defined ({pairs})"
    return NotChecked(clause.file or contract.file, contract.function, "unsupported", detail, clause.span.line)


def merged_variables(variables: Iterable[GlobalVariable]) -> tuple[GlobalVariable, ...]:
    """Each variable once, by its definition where there is one besides ``extern`` declarations."""
    found: dict[str, GlobalVariable] = {}
    for variable in variables:
        known = found.get(variable.name)
        if known is None or (known.is_extern and not variable.is_extern):
            found[variable.name] = variable
    return tuple(found.values())
