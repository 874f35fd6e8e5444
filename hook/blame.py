"""Whom a wrong outcome that the contract accepts is blamed on (DESIGN §3, "Which clause is blamed").

Only clauses that say something of the outcome count: those of a behavior whose ``assumes`` is known to hold for the
call, and of implications those whose left side is not known to be false.
"""

from __future__ import annotations

from typing import Any

from clausefit.hook import c_formulas
from clausefit.hook.implications import implications
from clausefit.hook.judged import Judged
from clausefit.hook.mutants import Mutant
from clausefit.hook.not_expressible import NotExpressible
from clausefit.hook.plans import Asked, Plan


def speaks_for(judged: Judged, number: int, pin: int) -> bool:
    """Whether the clause's behavior or spec case is known to be that of the call; a clause outside of them always is.

    Of a spec case (Java) it is enough that it is not known to leave the call out.
    """
    plan = judged.plan
    behavior = plan.contract.clauses[number].behavior
    if any(
        judged.verdict(asked) == "rejected"
        for asked in judged.of("admits")
        if asked.pin == pin and plan.contract.clauses[asked.clauses[0]].behavior == behavior
    ):
        return False
    try:
        assumed = c_formulas.assumes_of(plan.contract, behavior) if behavior is not None else None
    except NotExpressible:
        return False
    return assumed is None or plan.guessed(pin, None, c_formulas.in_pre_state(assumed)) is True


def says_something(judged: Judged, number: int, pin: int, mutant: Mutant | None) -> bool:
    """Whether the clause speaks for the call, and is no implication whose left side is false, right outcome or wrong.

    One whose left side the wrong outcome alone makes false (``\\result ==> …``) does speak of it.
    """
    return speaks_for(judged, number, pin) and not _is_silent(judged, number, pin, mutant)


def _is_silent(judged: Judged, number: int, pin: int, mutant: Mutant | None) -> bool:
    return not is_only_implication(judged.plan, number) and is_beside_the_case(judged, number, pin, mutant)


def is_beside_the_case(judged: Judged, number: int, pin: int, mutant: Mutant | None) -> bool:
    """Whether a premise of each implication that the clause comes to is known to be false, right outcome or wrong.

    By evaluation (C), or by what a verifier said of it (Java).
    """
    plan = judged.plan
    asked = [a for a in judged.of("silent") if a.clauses == (number,) and a.pin == pin]
    if asked:
        return {None, mutant} <= {a.mutant for a in asked if judged.verdict(a) == "accepted"}
    parts = implications(plan.contract.clauses[number].formula)
    return bool(parts) and all(
        any(all(plan.guessed(pin, one, before) is False for one in (None, mutant)) for before in premises)
        for premises in parts
    )


def is_only_implication(plan: Plan[Any], number: int) -> bool:
    """Whether all that is said of outcomes is one implication: more likely one way of an equivalence than a case."""
    return plan.blamable() == [number] and len(implications(plan.contract.clauses[number].formula)) == 1


def is_missing_a_case(judged: Judged, pin: int, mutant: Mutant | None) -> bool:
    """Whether there are ``ensures`` clauses, and each of them says nothing of the outcome."""
    posts = judged.plan.blamable()
    return bool(posts) and not any(says_something(judged, i, pin, mutant) for i in posts)


def _is_only_and_right(judged: Judged, number: int, pin: int) -> bool:
    """Whether nothing but this clause is said of outcomes, and it makes no mistake on this pin, only on others."""
    clauses = judged.plan.contract.clauses
    mistaken = any(a.pin == pin and judged.verdict(a) == "rejected" for a in judged.of("ensures", "frame"))
    return not mistaken and [i for i, c in enumerate(clauses) if c.kind == "ensures" and not c.implicit] == [number]


def blame_for(judged: Judged, pin: int, mutant: Mutant) -> tuple[str, int | None]:
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
    # What is said of validity alone says nothing of a value.
    posts = [i for i in plan.blamable() if not speech.is_memory_safety(clauses[i])]
    posts = [i for i in posts if says_something(judged, i, pin, mutant)]
    roots = {i: speech.spoken(clauses[i], plan.contract, plan.pins[pin], mutant) for i in posts}
    speaking = [i for i in posts if roots[i] and _is_about(judged, i, roots[i], mutant)]
    if mutant.untouched and not speaking:
        return "CF103", _frame(judged, pin)
    idle = [i for i in posts if i not in _killers(judged) and i not in _strong_clauses(judged)]
    relating = [i for i in speaking if speech.ties_to_entry(clauses[i])]
    for candidates in ([i for i in idle if i in speaking], idle):
        if candidates:
            return "CF101", candidates[0]
    for only in (relating, speaking):
        if len(only) == 1 and (only[0] not in _strong_clauses(judged) or _is_only_and_right(judged, only[0], pin)):
            return "CF101", only[0]
    return "CF102", None


def _frame(judged: Judged, pin: int) -> int | None:
    """The frame that is to be narrowed: that of a behavior of the call, which is there for such calls, or the other."""
    numbers = [i for listed in judged.plan.frames.values() for i in listed if speaks_for(judged, i, pin)]
    clauses = judged.plan.contract.clauses
    return next((i for i in numbers if clauses[i].behavior is not None), next(iter(numbers), None))


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
    contract, clause = judged.plan.contract, judged.plan.contract.clauses[number]
    places = [
        (judged.plan.speech.spoken(clause, contract, judged.plan.pins[a.pin], a.mutant), _fields(a.mutant))
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
