"""From judgements to findings: who is blamed for what (DESIGN §3).

Too strong is always one clause: it is proved to reject a right outcome or a valid input. Too weak is a fact
about the whole contract, so a clause is blamed only when it alone can be: see ``blame.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from clausefit.hook import plain, unbounded
from clausefit.hook.blame import (
    blame_for,
    is_beside_the_case,
    is_missing_a_case,
    is_only_implication,
    says_something,
    speaks_for,
)
from clausefit.hook.contracts.model import Clause, NotChecked
from clausefit.hook.judged import Judged, excluded_pins, truths
from clausefit.hook.messages import fingerprint, message
from clausefit.hook.mutants import Mutant, mutated
from clausefit.hook.pins.values import leaves
from clausefit.hook.plans import Asked, Plan, is_partial
from clausefit.hook.report import ContractReport, Finding, Witness
from clausefit.hook.rules import RULES
from clausefit.hook.scores import contract_report, not_judged, undecided

_ONE_WAY = "its premise is false here, so it says nothing of this call: add the other case, or write an equivalence"


@dataclass(frozen=True)
class _Case:
    """One witness of a finding: the pin and, for too weak, the wrong outcome; and who judged it."""

    pin: int
    mutant: Mutant | None = None
    by: str = ""


@dataclass(frozen=True)
class Conclusion:
    """What is reported about one contract."""

    report: ContractReport
    findings: tuple[Finding, ...]
    not_checked: tuple[NotChecked, ...]
    undecided: int


def conclude(judged: Judged, ignored: Sequence[tuple[str, str]], pins_found: tuple[int, int]) -> Conclusion:
    """The contract's report, its findings and what could not be judged.

    ``ignored`` are (source, reason) of calls that gave no pin; ``pins_found`` are the numbers of static and
    recorded pins.
    """
    plan = judged.plan
    contract = plan.contract
    vacuous = _vacuity(judged)
    if vacuous is not None:
        finding, detail = vacuous
        entry = NotChecked(contract.file, contract.function, "vacuous", detail, contract.line)
        return Conclusion(
            contract_report(judged, ignored, pins_found, void=True), (finding,), (entry,), undecided(judged)
        )
    found = [*_too_strong(judged), *_too_weak(judged), *_failing_inputs(judged), *_useless(judged)]
    return Conclusion(
        contract_report(judged, ignored, pins_found, void=False),
        tuple(sorted(found, key=lambda f: (f.file, f.line, f.column, f.code))),
        tuple(not_judged(judged)),
        undecided(judged),
    )


# ---- what makes judgements void -------------------------------------------------------------------------------------


def _vacuity(judged: Judged) -> tuple[Finding, str] | None:
    if any(_fires(judged, guard) for guard in judged.of("guard")):
        text = "a clause and its negation can both be proved from the definitions that this contract uses"
        return _finding(judged, "CF302", None, []), text
    vacuity = next(iter(judged.of("vacuity")), None)
    if vacuity is not None and judged.verdict(vacuity) == "accepted":
        text = "no input can satisfy the precondition, so the contract says nothing"
        blamed = vacuity.clauses[0] if len(vacuity.clauses) == 1 else None
        return _finding(judged, "CF301", blamed, [], prefer="requires"), text
    return None


def _fires(judged: Judged, guard: Asked) -> bool:
    """True when the guard's opposite was proved although what it guards was proved, too."""
    if judged.verdict(guard) == "undecided":
        return False
    verdicts = {judged.judgements[i].verdict for i in guard.guarded if i in judged.judgements}
    return verdicts == {"accepted" if guard.question.expected == "refute" else "rejected"}


# ---- too strong -----------------------------------------------------------------------------------------------------


TOO_STRONG = {
    "requires": "CF202",
    "ensures": "CF201",
    "assigns": "CF203",
    "assignable": "CF203",
    "complete": "CF204",
    "disjoint": "CF205",
    "signals": "CF206",
    "signals_only": "CF206",
    "invariant": "CF207",
    "constraint": "CF207",
    "initially": "CF207",
}
"""The rule for a clause of that kind which rejects something right."""


def _rejecting(judged: Judged, asked: Asked) -> int:
    """The clause that a rejected question is about; of several spec cases' preconditions the first that rejects.

    A case for exceptions is only blamed where there is no other.
    """
    if asked.role != "requires":
        return asked.clauses[0]
    rejecting = [a.clauses[0] for a in judged.of("admits") if a.pin == asked.pin and judged.verdict(a) == "rejected"]
    clauses = judged.plan.contract.clauses
    exceptional = {c.behavior for c in clauses if c.implicit and c.kind == "ensures" and c.formula == "false"}
    of_returns = [number for number in rejecting if clauses[number].behavior not in exceptional]
    return next(iter((*of_returns, *rejecting)), asked.clauses[0])


def _too_strong(judged: Judged) -> Iterable[Finding]:
    excluded = excluded_pins(judged)
    cases: dict[tuple[str, int], list[_Case]] = {}
    for asked in judged.of("requires", "ensures", "frame", "cover"):
        if judged.verdict(asked) != "rejected" or asked.pin is None:
            continue
        # Beyond a precondition that may not hold every other clause holds trivially.
        if asked.role != "requires" and asked.pin in excluded:
            continue
        number = _rejecting(judged, asked)
        clause = judged.plan.contract.clauses[number]
        cases.setdefault((TOO_STRONG[clause.kind], number), []).append(_Case(asked.pin, None, judged.decided_by(asked)))
    for (code, number), witnesses in cases.items():
        yield _finding(judged, code, number, witnesses)


# ---- too weak -------------------------------------------------------------------------------------------------------


def _too_weak(judged: Judged) -> Iterable[Finding]:
    if judged.plan.some_requires_open():
        return
    excluded, other_truths = excluded_pins(judged), truths(judged)
    mistaken = {a.pin for a in judged.of("ensures", "frame") if judged.verdict(a) == "rejected"}
    accepted = [
        asked
        for asked in judged.of("wrong")
        if judged.verdict(asked) == "accepted"
        and asked.pin is not None
        and asked.pin not in excluded
        and asked.question.id not in other_truths
    ]
    blamed: dict[tuple[str, int | None], list[_Case]] = {}
    for asked in accepted:
        assert asked.pin is not None and asked.mutant is not None  # noqa: S101 - filtered above; narrows types
        key = blame_for(judged, asked.pin, asked.mutant)
        if key == ("CF102", None) and asked.pin in mistaken:
            # A clause that rejects the right outcome here and accepts another one makes one mistake, not two.
            continue
        blamed.setdefault(key, []).append(_Case(asked.pin, asked.mutant, judged.decided_by(asked)))
    for (code, number), cases in blamed.items():
        yield _finding(judged, code, number, cases)


def _failing_inputs(judged: Judged) -> Iterable[Finding]:
    plan = judged.plan
    cases = [
        _Case(a.pin, None, judged.decided_by(a))
        for a in judged.of("fails")
        if judged.verdict(a) == "accepted" and a.pin is not None
    ]
    if cases and not plan.some_requires_open():
        requires = [i for i in plan.formulas if plan.contract.clauses[i].kind == "requires"]
        requires = [i for i in requires if all(speaks_for(judged, i, case.pin) for case in cases)]
        yield _finding(judged, "CF104", requires[0] if len(requires) == 1 else None, cases, prefer="requires")


def _useless(judged: Judged) -> Iterable[Finding]:
    """Clauses that are proved to accept every mutant although the contract as a whole rejects them all.

    A clause may be there for a location that was not mutated: then nothing is said.
    """
    plan = judged.plan
    excluded = excluded_pins(judged)
    wrong = [a for a in judged.of("wrong") if a.pin not in excluded]
    if plan.some_left_out or not wrong or any(judged.verdict(a) != "rejected" for a in wrong):
        return
    for number in plan.blamable():
        kills = [a for a in judged.of("kill") if a.clauses == (number,) and a.pin not in excluded]
        idle = len(kills) == len(wrong) and all(judged.verdict(a) == "accepted" for a in kills)
        speaks = any(a.pin is not None and says_something(judged, number, a.pin, a.mutant) for a in kills)
        if idle and speaks and not plan.speech.is_memory_safety(plan.contract.clauses[number]):
            yield _finding(
                judged, "CF105", number, [_Case(kills[0].pin or 0, kills[0].mutant, judged.decided_by(kills[0]))]
            )


# ---- findings and reports -------------------------------------------------------------------------------------------


def _finding(
    judged: Judged,
    code: str,
    number: int | None,
    cases: Sequence[_Case],
    *,
    prefer: str = "ensures",
) -> Finding:
    plan, rule = judged.plan, RULES[code]
    owner = plan.contract
    simplest = _simplest(plan, cases) if cases else None
    clause = owner.clauses[number] if number is not None else None
    place = clause or _place(judged, prefer, simplest)
    witness = _witness(plan, simplest) if simplest else None
    mutant = simplest.mutant if simplest else None
    missing = code == "CF102" and simplest is not None and is_missing_a_case(judged, simplest.pin, mutant)
    detail = "a case is missing: no `ensures` clause says anything of it" if missing else ""
    if code == "CF101" and number is not None and simplest is not None and is_only_implication(plan, number):
        is_beside = is_beside_the_case(judged, number, simplest.pin, mutant)
        detail = _ONE_WAY if is_beside else ""
    if rule.direction == "too_strong" and clause is not None and simplest is not None:
        detail = unbounded.hint(owner, clause, [plan.pins[case.pin] for case in cases])
    place_text = plain.place_of(plan.pins[simplest.pin], mutant.location) if simplest and mutant else ""
    file = (place.file if place else "") or owner.file
    return Finding(
        code=code,
        direction=rule.direction,
        severity=rule.severity,
        file=file,
        line=place.span.line if place else owner.line,
        end_line=place.span.end_line if place else owner.line,
        column=place.span.column if place else 1,
        function=owner.function,
        clause=(clause.kind, clause.text) if clause else None,
        witness=witness,
        witnesses=len(cases),
        message=message(code, owner.function, clause, witness, detail, owner.language, place_text),
        fingerprint=fingerprint(code=code, file=file, function=owner.function, clause=clause, direction=rule.direction),
        decided_by=simplest.by if simplest else "",
    )


def _place(judged: Judged, kind: str, case: _Case | None) -> Clause | None:
    """Where a finding about the whole contract is put: the first clause that says something of the witness, else the
    first that speaks for its input; None for the declaration."""
    clauses = judged.plan.contract.clauses
    numbers = [i for i, c in enumerate(clauses) if c.kind == kind and not c.implicit]
    if case is not None:
        numbers = [i for i in numbers if speaks_for(judged, i, case.pin)]
        numbers = [i for i in numbers if says_something(judged, i, case.pin, case.mutant)] or numbers
    return clauses[numbers[0]] if numbers else None


def _simplest(plan: Plan[Any], cases: Sequence[_Case]) -> _Case:
    def size(case: _Case) -> tuple[bool, int]:
        pin = plan.pins[case.pin]
        return is_partial(pin), sum(1 for b in pin.blocks for _ in leaves(b.value)) + len(pin.arguments)

    return min(cases, key=size)


def _witness(plan: Plan[Any], case: _Case) -> Witness:
    pin = plan.pins[case.pin]
    wrong = plain.outcome_of(pin, mutated(pin.outcome, case.mutant)) if case.mutant is not None else None
    right = plain.outcome_of(pin)
    return Witness(plain.inputs_of(pin), right, wrong, pin.origin.test, pin.origin.file, pin.origin.line)
