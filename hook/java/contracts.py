"""The effective contract of a Java method: its own clauses, inherited ones, those of its class, and implicit ones.

The rules are those of the JML Reference Manual (2nd edition): specification inheritance (the cases of an overriding
method are joined by ``also`` with those of all methods it overrides), invariants, constraints and ``initially`` of the
class and its supertypes, non-null by default, ``pure``, and what a normal or exceptional case says by its name.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from clausefit.hook.contracts.acsl_tokens import text_at
from clausefit.hook.contracts.java_model import JavaMethod, SpecCase
from clausefit.hook.contracts.jml_tokens import tokenize_jml
from clausefit.hook.contracts.model import Clause, Contract
from clausefit.hook.java.implicit import JavaSettings, exit_clauses, implicit_clauses, pure_clauses
from clausefit.hook.java.names import is_name, words_of
from clausefit.hook.java.overriding import overridden
from clausefit.hook.java.project import FoundClass, JavaProject
from clausefit.hook.java.qualify import Place, placed
from clausefit.hook.java.uses import changed_names, reads_of, uses_of
from clausefit.hook.not_expressible import NotExpressible

__all__ = ["JavaSettings", "changed_names", "effective", "reads_of", "uses_of"]

_BEFORE_KINDS = frozenset({"requires", "requires_free", "assignable", "accessible", "measured_by", "diverges"})
_CLASS_KINDS = frozenset({"invariant", "constraint", "initially"})
_OTHER_MATH = (
    "it is inherited from a method with another arithmetic: mark both methods (or both types) `spec_java_math`, or none"
)


@dataclass
class _Joined:
    """The clauses and cases collected so far."""

    clauses: list[Clause] = field(default_factory=list)
    cases: list[SpecCase] = field(default_factory=list)


def effective(project: JavaProject, found: FoundClass, contract: Contract, settings: JavaSettings) -> Contract:
    """The contract with everything that holds for the method, ready to be asked; see the module. Never raises.

    ``found`` is the class of the method. Formulas have full names for types and static members of other classes, and
    no ``old`` variables; texts and places are those of the source. Redundant cases (``implies_that``, ``for_example``)
    are left out. Implicit clauses have ``implicit`` set, and no behavior where they hold in all cases. A clause that
    can be asked of no verifier says why in ``unsupported``. A contract that is not one of Java comes back as it is.
    """
    method = contract.java
    if method is None:
        return contract
    above = overridden(project, found, method)
    joined = _Joined()
    variables = frozenset(one.name for one in method.parameters)
    _join(joined, contract, Place(project, found, method, found, {}, variables), "")
    for owner, inherited in above:
        theirs = project.contract(owner.file, inherited.signature)
        if theirs is not None and inherited.spec_cases:
            names = zip(inherited.parameters, method.parameters, strict=True)
            renames = {one.name: two.name for one, two in names if one.name != two.name}
            # Only ``java`` differs in clauses: ``safe`` and ``bigint`` are computed alike.
            reason = "" if (inherited.spec_math == "java") == (method.spec_math == "java") else _OTHER_MATH
            _join(joined, theirs, Place(project, owner, inherited, found, renames, variables), reason)
    is_pure = method.is_pure or any(one.is_pure for _, one in above)
    implicit = implicit_clauses(project, found, contract, [one for _, one in above], settings)
    if is_pure:
        implicit += pure_clauses(project, contract, joined.cases, joined.clauses)
    of_class = [] if method.is_helper else _class_clauses(project, found, method, variables)
    cases = tuple(joined.cases)
    return replace(
        contract,
        clauses=_with_reasons([*joined.clauses, *of_class, *implicit]),
        behaviors=tuple(case.id for case in cases),
        java=replace(method, spec_cases=cases, is_pure=is_pure),
    )


def _with_reasons(clauses: list[Clause]) -> tuple[Clause, ...]:
    """The clauses; those of a case whose precondition cannot be asked, under which they would be, cannot be asked."""
    broken = {one.behavior: one.unsupported for one in clauses if one.kind == "requires" and one.unsupported}
    return tuple(
        replace(one, unsupported=one.unsupported or broken.get(one.behavior, "")) if one.behavior else one
        for one in clauses
    )


# -- spec cases


def _join(joined: _Joined, contract: Contract, place: Place, reason: str) -> None:
    """Add the cases of one contract; ``reason`` says why none of their clauses can be asked."""
    method = contract.java
    is_inherited = place.heir is not place.found
    for case in method.spec_cases if method is not None else ():
        is_hidden = is_inherited and (case.is_code or case.visibility == "private")
        if case.section or is_hidden:
            continue
        shape = replace(case, id=str(len(joined.cases) + 1))
        joined.cases.append(shape)
        clauses = [one for one in contract.clauses if one.behavior == case.id]
        joined.clauses += _case(clauses, shape, place, reason)
        joined.clauses += exit_clauses(shape, clauses, contract.file)


def _case(clauses: list[Clause], case: SpecCase, place: Place, reason: str) -> list[Clause]:
    """The clauses of a case as they are asked, without its ``old`` and ``forall`` variables."""
    universal = frozenset().union(*(_declared(one.formula) for one in clauses if one.kind == "forall"))
    values: dict[str, str] = {}
    problems: dict[str, str] = dict.fromkeys(universal, "its case has a `forall` variable")
    for clause in clauses:
        if clause.kind == "old":
            _take_value(clause, place, values, problems)
    whole = replace(place, values=values)
    used = frozenset().union(*(words_of(one.formula) for one in clauses if one.kind == "requires"))
    of_case = reason or next((problems[name] for name in sorted(problems) if name in used), "")
    found: list[Clause] = []
    for clause in clauses:
        if clause.kind not in ("old", "forall"):
            said = next((problems[name] for name in sorted(problems) if name in words_of(clause.formula)), "")
            found.append(replace(_placed(clause, whole, of_case or said), behavior=case.id))
    return found


def _placed(clause: Clause, place: Place, unsupported: str = "") -> Clause:
    if unsupported:
        return replace(clause, unsupported=unsupported)
    is_before = clause.kind in _BEFORE_KINDS
    try:
        formula = placed(clause.formula, place, is_signals=clause.kind == "signals", is_before=is_before)
        locations = tuple(placed(one, place, is_before=is_before) for one in clause.locations)
    except NotExpressible as problem:
        return replace(clause, unsupported=str(problem))
    return replace(clause, formula=formula, locations=locations)


def _take_value(clause: Clause, place: Place, values: dict[str, str], problems: dict[str, str]) -> None:
    """Read ``old T x = e`` into ``values``; what cannot be read makes the clauses that name it unsupported."""
    tokens = tokenize_jml(clause.formula)
    equals = [i for i, one in enumerate(tokens) if one.text == "=" and text_at(tokens, i + 1) != "="]
    first = equals[0] if equals else 0
    name = tokens[first - 1].text if first >= 2 else ""
    value = clause.formula[tokens[first].end :].strip() if name else ""
    if not value or not is_name(tokens[first - 1]) or len(_declared(clause.formula)) != 1:
        problems.update(dict.fromkeys(_declared(clause.formula), "its case has `old` variables that cannot be read"))
        return
    try:
        values[name] = placed(value, replace(place, values=dict(values)), is_before=True)
    except NotExpressible as problem:
        problems[name] = str(problem)


def _declared(formula: str) -> frozenset[str]:
    """The variables of ``T x, y`` or ``T x = e, y = f``: the names before ``=`` or ``,`` and at the end."""
    tokens = tokenize_jml(formula)
    names: set[str] = set()
    depth = 0
    in_value = False
    for index, token in enumerate(tokens):
        depth += token.text in ("(", "[", "{")
        depth -= token.text in (")", "]", "}")
        if depth == 0 and token.text == ",":
            in_value = False
        elif depth == 0 and token.text == "=":
            in_value = True
        elif index and not in_value and is_name(token) and text_at(tokens, index + 1) in ("", "=", ",", "["):
            names.add(token.text)
    return frozenset(names)


# -- class clauses


def _class_clauses(
    project: JavaProject, found: FoundClass, method: JavaMethod, variables: frozenset[str]
) -> list[Clause]:
    """Invariants, constraints and ``initially`` clauses of the class and its supertypes, as far as they are for it."""
    clauses: list[Clause] = []
    for owner in (found, *project.supertypes(found)):
        for one in owner.java.clauses:
            clause = one.clause
            if clause.kind not in _CLASS_KINDS or (method.is_static and "static" not in one.modifiers):
                continue
            if clause.kind == ("constraint" if method.is_constructor else "initially"):
                continue
            narrowed = _for_method(clause, method) if clause.kind == "constraint" else clause
            if narrowed is not None:
                clauses.append(_placed(narrowed, Place(project, owner, None, found, {}, variables)))
    return clauses


def _for_method(clause: Clause, method: JavaMethod) -> Clause | None:
    """A constraint without its ``for`` list; None where that does not name the method (JML manual, "Constraints")."""
    tokens = tokenize_jml(clause.formula)
    depth = 0
    for index, token in enumerate(tokens):
        depth += token.text in ("(", "[", "{")
        depth -= token.text in (")", "]", "}")
        if token.text == "for" and depth == 0 and index:
            names = {one.text for one in tokens[index + 1 :]}
            if not names & {method.name, "\\everything"}:
                return None
            return replace(clause, formula=clause.formula[: token.start].strip())
    return clause
