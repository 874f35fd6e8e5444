"""A Java contract's clauses as JML formulas about one call: each under the precondition of its spec case.

The words are those of the JML Reference Manual, 2nd edition: "Method Specifications" (a case's clauses hold where its
precondition held in the state before), "signals", "signals_only", "assignable".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from clausefit.hook.contracts.acsl_tokens import Token
from clausefit.hook.contracts.java_model import CaseKind
from clausefit.hook.contracts.jml import split_signals
from clausefit.hook.contracts.jml_tokens import tokenize_jml
from clausefit.hook.contracts.model import Clause, Contract
from clausefit.hook.implications import implications
from clausefit.hook.not_expressible import NotExpressible

EXCEPTION = "cf_exc"
"""The variable that stands for the exception that a call threw."""
THROWN_KINDS = frozenset({"signals", "signals_only"})
STATE_KINDS = frozenset({"ensures", "invariant", "constraint", "initially"})
POST_KINDS = THROWN_KINDS | STATE_KINDS
_NOTHING = frozenset({"\\nothing", "\\strictly_nothing", "\\empty"})
_ALL = frozenset({"\\everything", "\\not_specified"})
_UNSUPPORTED = frozenset(
    [
        r"\lockset",
        r"\only_called",
        r"\only_accessed",
        r"\only_captured",
        r"\only_assigned",
        r"\not_assigned",
        r"\not_modified",
        r"\space",
        r"\working_space",
        r"\duration",
        r"\let",
        r"\lbl",
        r"\lblpos",
        r"\lblneg",
    ]
)
"""Words that neither KeY nor evaluation takes."""


def case_kinds(contract: Contract) -> dict[str | None, CaseKind]:
    """The spec cases of the contract by id, in order; one without clauses is there as well."""
    kinds: dict[str | None, CaseKind] = dict.fromkeys(contract.behaviors, "lightweight")
    if contract.java is not None:
        kinds |= {case.id: case.kind for case in contract.java.spec_cases if case.id in kinds}
    return kinds


def precondition(contract: Contract, case: str | None) -> str | None:
    """What the case requires, in the state before the call; None when it requires nothing."""
    clauses = [c for c in contract.clauses if c.kind == "requires" and c.behavior == case and not c.implicit]
    if case is None or not clauses:
        return None
    parts = []
    for clause in clauses:
        _check(clause)
        check_formula(clause.formula)
        parts.append(clause.formula)
    return "\\old(" + " && ".join(f"({part})" for part in parts) + ")"


def effective_precondition(contract: Contract, cases: Iterable[str | None]) -> str:
    """That the input falls under one of the cases."""
    parts = [precondition(contract, case) for case in cases]
    if any(part is None for part in parts):
        return "true"
    return " || ".join(f"({part})" for part in parts) or "false"


def requires(clause: Clause) -> str:
    """A precondition as a formula about the state before the call."""
    _check(clause)
    check_formula(clause.formula)
    return f"\\old({enclosed(clause.formula)})"


def enclosed(formula: str) -> str:
    """A clause that is one quantified expression in the parentheses that KeY wants around it, too.

    JML Reference Manual, 2nd edition, "Quantified Expressions". Without them its body goes on to the end.
    """
    return f"({formula})" if formula.startswith(("\\forall", "\\exists")) else formula


def guarded(contract: Contract, case: str | None, formula: str) -> str:
    """The formula where the case's precondition held.

    With a single case there is no guard: that its precondition holds is asked of each call that returned, and where it
    does not, nothing else that is said of the call counts.
    """
    guard = precondition(contract, case)
    return f"({guard}) ==> ({formula})" if guard and len(contract.behaviors) > 1 else formula


def state_formula(contract: Contract, clause: Clause) -> str:
    """An ``ensures`` clause, invariant or constraint as a formula about the state after."""
    _check(clause)
    check_formula(clause.formula)
    return guarded(contract, clause.behavior, enclosed(clause.formula))


def silence(contract: Contract, clause: Clause) -> str | None:
    """That an ``ensures`` clause says nothing, as in each of its implications a premise is false; None for others."""
    parts = implications(clause.formula)
    if not parts:
        return None
    formula = " && ".join(f"({' || '.join(f'!({premise})' for premise in premises)})" for premises in parts)
    return guarded(contract, clause.behavior, formula)


def thrown_formula(contract: Contract, clause: Clause) -> str:
    """A ``signals`` or ``signals_only`` clause as a formula about a call that threw ``cf_exc``, under its precondition:
    an exception may be what an input deserves that the contract excludes."""
    guard = precondition(contract, clause.behavior)
    formula = _thrown(clause)
    return f"({guard}) ==> ({formula})" if guard else formula


def _thrown(clause: Clause) -> str:
    _check(clause)
    if clause.kind == "signals_only":
        names = [name.strip() for name in clause.formula.split(",")]
        if names == ["\\nothing"]:
            return "false"
        if not all(names):
            raise NotExpressible("its list of exceptions cannot be read")
        return " || ".join(f"{EXCEPTION} instanceof {n}" for n in names)
    parts = split_signals(clause.formula)
    if parts is None:
        raise NotExpressible("its exception cannot be read")
    condition = parts.condition or "true"
    check_formula(condition)
    if parts.name:
        condition = with_name(condition, parts.name, f"(({parts.exception}) {EXCEPTION})")
    return f"{EXCEPTION} instanceof {parts.exception} ==> ({condition})"


def frame(contract: Contract, clauses: Sequence[Clause], cells: Sequence[str]) -> str:
    """That the ``assignable`` clauses of one case allow all these cells (of memory that was there before) to change."""
    for clause in clauses:
        _check(clause)
    locations = [location for clause in clauses for location in clause.locations]
    if any(location in _ALL for location in locations):
        return "true"
    for location in locations:
        check_formula(location)
    allowed = [location for location in locations if location not in _NOTHING]
    if not allowed:
        member = "false" if cells else "true"
    else:
        sets = ", ".join(allowed)
        member = " && ".join(f"\\old(\\subset(\\singleton({cell}), \\locset({sets})))" for cell in cells) or "true"
    return guarded(contract, clauses[0].behavior, member)


def with_name(formula: str, name: str, replacement: str) -> str:
    """The formula with a variable replaced; a field or method of that name behind a dot is another thing."""
    pieces, end = [], 0
    before: Token | None = None
    for token in tokenize_jml(formula):
        if token.kind == "word" and token.text == name and (before is None or before.text != "."):
            pieces += [formula[end : token.start], replacement]
            end = token.end
        before = token
    return "".join((*pieces, formula[end:]))


def _check(clause: Clause) -> None:
    if clause.unsupported:
        raise NotExpressible(clause.unsupported)


def check_formula(formula: str) -> None:
    """NotExpressible for what no question can be made of."""
    if not formula.strip():
        raise NotExpressible("it says nothing")
    words = {token.text for token in tokenize_jml(formula)}
    if "\\not_specified" in words:
        raise NotExpressible("it is not specified")
    if "\\same" in words:
        raise NotExpressible("\\same is not supported")
    for word in sorted(words & _UNSUPPORTED):
        raise NotExpressible(f"{word} is not supported")


def kinds_of(contract: Contract) -> Mapping[str | None, bool]:
    """For each spec case whether it says something of exceptions: in a clause, or by being normal or exceptional."""
    spoken = {c.behavior for c in contract.clauses if c.kind in THROWN_KINDS}
    heavy = ("normal_behavior", "exceptional_behavior")
    return {case: case in spoken or kind in heavy for case, kind in case_kinds(contract).items()}
