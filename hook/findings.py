"""From judgements to findings: who is blamed for what (DESIGN §3).

Too strong is always one clause: it is proved to reject a right outcome or a valid input. Too weak is a fact
about the whole contract, so a clause is blamed only when it alone can be: see ``_blame_for``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from clausefit.hook import plain
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.judged import Judged, excluded_pins, truths
from clausefit.hook.messages import fingerprint, message
from clausefit.hook.mutants import Mutant, mutated
from clausefit.hook.pins.values import leaves
from clausefit.hook.plans import Asked, Plan, is_partial
from clausefit.hook.report import ContractReport, Finding, Witness
from clausefit.hook.rules import RULES
from clausefit.hook.scores import contract_report, not_judged, undecided


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
    plan = judged.plan
    if any(_fires(judged, guard) for guard in judged.of("guard")):
        text = "a clause and its negation can both be proved from the definitions that this contract uses"
        return _finding(plan, "CF302", None, []), text
    vacuity = next(iter(judged.of("vacuity")), None)
    if vacuity is not None and judged.verdict(vacuity) == "accepted":
        text = "no input can satisfy the precondition, so the contract says nothing"
        blamed = vacuity.clauses[0] if len(vacuity.clauses) == 1 else None
        return _finding(plan, "CF301", blamed, [], prefer="requires"), text
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


def _applies(judged: Judged, number: int, pin: int) -> bool:
    """Whether the clause's spec case is not known to leave this pin out: then it would say nothing there."""
    clauses = judged.plan.contract.clauses
    return not any(
        judged.verdict(asked) == "rejected"
        for asked in judged.of("admits")
        if asked.pin == pin and clauses[asked.clauses[0]].behavior == clauses[number].behavior
    )


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
        yield _finding(judged.plan, code, number, witnesses)


# ---- too weak -------------------------------------------------------------------------------------------------------


def _too_weak(judged: Judged) -> Iterable[Finding]:
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
        key = _blame_for(judged, asked.pin, asked.mutant)
        if key == ("CF102", None) and asked.pin in mistaken:
            # A clause that rejects the right outcome here and accepts another one makes one mistake, not two.
            continue
        blamed.setdefault(key, []).append(_Case(asked.pin, asked.mutant, judged.decided_by(asked)))
    for (code, number), cases in blamed.items():
        yield _finding(judged.plan, code, number, cases)


def _is_only_and_right(judged: Judged, number: int, pin: int) -> bool:
    """Whether nothing but this clause is said of outcomes, and it makes no mistake on this pin, only on others."""
    clauses = judged.plan.contract.clauses
    mistaken = any(a.pin == pin and judged.verdict(a) == "rejected" for a in judged.of("ensures", "frame"))
    return not mistaken and [i for i, c in enumerate(clauses) if c.kind == "ensures" and not c.implicit] == [number]


def _blame_for(judged: Judged, pin: int, mutant: Mutant) -> tuple[str, int | None]:
    """The rule and the clause (None: the contract as a whole) for an accepted wrong outcome.

    In this order: a clause that rejects no mutant of any pin (first those that speak of the location); the only clause
    that ties the location to the state before the call; the only clause that speaks of it; the contract as a
    whole. A clause speaks of a location that it names, down to the field; one that names only the variable does
    not when all that it rejects lies in other places. Untouched memory that no clause speaks of is the frame's matter.
    """
    plan = judged.plan
    speech, clauses = plan.speech, plan.contract.clauses
    if mutant.exit:
        return _blame_for_exit(judged, pin, mutant)
    roots = speech.roots(plan.contract, plan.pins[pin], mutant)
    # What is said of validity alone says nothing of a value.
    posts = [i for i in plan.blamable() if not speech.is_memory_safety(clauses[i]) and _applies(judged, i, pin)]
    naming = [i for i in posts if roots & speech.names_in(clauses[i])]
    speaking = [i for i in naming if _is_about(judged, i, roots, mutant)]
    if mutant.untouched and not speaking:
        frames = [i for numbers in plan.frames.values() for i in numbers]
        return "CF103", frames[0] if frames else None
    idle = [i for i in posts if i not in _killers(judged) and i not in _strong_clauses(judged)]
    relating = [i for i in speaking if speech.ties_to_entry(clauses[i])]
    for candidates in ([i for i in idle if i in speaking], idle):
        if candidates:
            return "CF101", candidates[0]
    for only in (relating, speaking):
        if len(only) == 1 and (only[0] not in _strong_clauses(judged) or _is_only_and_right(judged, only[0], pin)):
            return "CF101", only[0]
    return "CF102", None


def _blame_for_exit(judged: Judged, pin: int, mutant: Mutant) -> tuple[str, int | None]:
    """The clause about exceptions that could have rejected it, if it is the only one; else the contract as a whole."""
    plan = judged.plan
    asked = next((a for a in judged.of("wrong") if a.pin == pin and a.mutant == mutant), None)
    clauses = plan.contract.clauses
    speaking = [
        i for i in (asked.parts if asked else ()) if clauses[i].kind.startswith("signals") and not clauses[i].implicit
    ]
    return "CF106", speaking[0] if len(speaking) == 1 else None


def _is_about(judged: Judged, number: int, roots: frozenset[str], mutant: Mutant) -> bool:
    """Whether a clause that names the location's variable speaks of the location itself."""
    members = judged.plan.speech.members_in(judged.plan.contract.clauses[number])
    fields = _fields(mutant)
    if fields and members:
        return fields[-1] in members
    return not _rejects_only_elsewhere(judged, number, roots, mutant)


def _rejects_only_elsewhere(judged: Judged, number: int, roots: frozenset[str], mutant: Mutant) -> bool:
    rejected = [a for a in judged.of("kill") if a.clauses == (number,) and judged.verdict(a) != "accepted"]
    if judged.plan.post_clauses() == [number]:
        # What the contract rejects of written places its only clause does; the rest may be the frame's doing.
        rejected = [a for a in judged.of("wrong") if judged.verdict(a) != "accepted" and not _untouched(a)]
    places = [
        (judged.plan.speech.roots(judged.plan.contract, judged.plan.pins[a.pin], a.mutant), _fields(a.mutant))
        for a in rejected
        if a.pin is not None and a.mutant is not None
    ]
    return bool(places) and not any(roots & other and fields == _fields(mutant) for other, fields in places)


def _untouched(asked: Asked) -> bool:
    return asked.mutant is not None and asked.mutant.untouched


def _fields(mutant: Mutant) -> tuple[str, ...]:
    """The struct fields on the way to the location; elements of one array count as one place."""
    return tuple(step for step in mutant.location.path if isinstance(step, str))


def _killers(judged: Judged) -> frozenset[int]:
    """Clauses that are proved to reject a mutant, or of which that is not known (and so cannot be called idle)."""
    plan = judged.plan
    posts = plan.post_clauses()
    killers = set()
    for asked in judged.of("kill"):
        if judged.verdict(asked) != "accepted":
            killers.add(asked.clauses[0])
    if len(posts) == 1 and any(judged.verdict(a) == "rejected" for a in judged.of("wrong")):
        killers.add(posts[0])
    return frozenset(killers)


def _strong_clauses(judged: Judged) -> frozenset[int]:
    return frozenset(a.clauses[0] for a in judged.of("ensures") if judged.verdict(a) == "rejected")


def _failing_inputs(judged: Judged) -> Iterable[Finding]:
    plan = judged.plan
    cases = [
        _Case(a.pin, None, judged.decided_by(a))
        for a in judged.of("fails")
        if judged.verdict(a) == "accepted" and a.pin is not None
    ]
    if cases:
        requires = [i for i in plan.formulas if plan.contract.clauses[i].kind == "requires"]
        yield _finding(plan, "CF104", requires[0] if len(requires) == 1 else None, cases, prefer="requires")


def _useless(judged: Judged) -> Iterable[Finding]:
    """Clauses that are proved to accept every mutant although the contract as a whole rejects them all.

    A clause may be there for a location that was not mutated: then nothing is said.
    """
    plan = judged.plan
    wrong = judged.of("wrong")
    if plan.some_left_out or not wrong or any(judged.verdict(a) != "rejected" for a in wrong):
        return
    for number in plan.blamable():
        kills = [a for a in judged.of("kill") if a.clauses == (number,)]
        idle = len(kills) == len(wrong) and all(judged.verdict(a) == "accepted" for a in kills)
        if idle and not plan.speech.is_memory_safety(plan.contract.clauses[number]):
            yield _finding(
                plan, "CF105", number, [_Case(kills[0].pin or 0, kills[0].mutant, judged.decided_by(kills[0]))]
            )


# ---- findings and reports -------------------------------------------------------------------------------------------


def _finding(
    plan: Plan[Any],
    code: str,
    number: int | None,
    cases: Sequence[_Case],
    *,
    prefer: str = "ensures",
) -> Finding:
    owner = plan.contract
    clause = owner.clauses[number] if number is not None else None
    place = clause or next((c for c in owner.clauses if c.kind == prefer and not c.implicit), None)
    rule = RULES[code]
    simplest = _simplest(plan, cases) if cases else None
    witness = _witness(plan, simplest) if simplest else None
    mutant = simplest.mutant if simplest else None
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
        message=message(code, owner.function, clause, witness, language=owner.language, place=place_text),
        fingerprint=fingerprint(code=code, file=file, function=owner.function, clause=clause, direction=rule.direction),
        decided_by=simplest.by if simplest else "",
    )


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
