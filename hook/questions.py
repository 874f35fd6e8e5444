"""What is asked about a contract: from its clauses and pins to scenes and closed questions.

First round: every clause on every right outcome, the contract as a whole on every mutant outcome, every
failing input, and the guards. Second round, only where something was found: which clause rejects which
mutant, and a guard for each witness.

A guard is asked where the logic could be contradictory: the contract uses definitions of the project, or evaluation
could not confirm the proof. It asks for the opposite of what was proved. Where both are proved the logic itself is
contradictory, and nothing counts. (A bare ``\\false`` would miss that: WP drops axioms that a goal does not mention.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from clausefit.hook import c_formulas, c_stubs
from clausefit.hook.c_stubs import Stub
from clausefit.hook.contracts.model import Contract, GlobalVariable
from clausefit.hook.mutants import Mutant, has_place_without_mutants, mutants_of
from clausefit.hook.not_expressible import NotExpressible
from clausefit.hook.open_inputs import depends_on_what_is_not_shown, has_open_input, has_open_pointer
from clausefit.hook.pins.values import Failed, Ignored, Pin
from clausefit.hook.plans import (
    Asked,
    Guess,
    Limits,
    Plan,
    Role,
    admits_some_input,
    is_partial,
    kill_questions,
    no_guess,
    shows_outcome,
)
from clausefit.hook.pointer_casts import other_type
from clausefit.verifiers.protocol import Judgement, Polarity, Question

EXPLORED = 12
"""Mutants of written locations asked per pin; the first few of them score."""
EXPLORED_FRAME = 4
"""Mutants of untouched memory asked per pin."""


def first_round(
    contract: Contract,
    pins: Sequence[Pin],
    prefix: str,
    limits: Limits,
    variables: Sequence[GlobalVariable],
    guess: Guess[Stub] | None = None,
    *,
    uses_logic: bool = True,
) -> Plan[Stub]:
    """The plan with the questions of the first round.

    ``variables`` are those that the contract may read; ``uses_logic`` says whether it uses logic definitions.
    """
    plan = Plan[Stub](contract, tuple(pins), prefix, limits, uses_logic, guess or no_guess, more=second_round)
    _prepare_clauses(plan)
    for index, pin in enumerate(plan.pins):
        try:
            _check_casts(plan, pin, variables)
            if isinstance(pin.outcome, Failed):
                _ask_failing(plan, index, pin)
            else:
                _ask_returned(plan, index, pin, variables)
        except NotExpressible as problem:
            plan.stubs.pop(index, None)
            plan.ignored.append(Ignored(contract.function, f"{pin.origin.file}:{pin.origin.line}", str(problem)))
            continue
    if not plan.stubs:
        _ask_vacuity(plan)
    return plan


def _check_casts(plan: Plan[Stub], pin: Pin, variables: Sequence[GlobalVariable]) -> None:
    held = {block.program for block in pin.blocks}
    loose = [variable.name for variable in variables if variable.name not in held]
    other = other_type(plan.contract, pin, loose, uses_logic=plan.uses_logic)
    if other is not None:
        raise NotExpressible(f"the contract reads memory as {other}, which the verifier's memory model does not allow")


def _prepare_clauses(plan: Plan[Stub]) -> None:
    contract = plan.contract
    frames: dict[str | None, list[int]] = {}
    for index, clause in enumerate(contract.clauses):
        try:
            if clause.kind == "requires":
                plan.formulas[index] = c_formulas.precondition(contract, clause)
            elif clause.kind == "ensures":
                plan.formulas[index] = c_formulas.postcondition(contract, clause)
            elif clause.kind in ("complete", "disjoint"):
                plan.formulas[index] = c_formulas.covering(contract, clause)
            elif clause.kind == "assigns":
                c_formulas.frame(contract, [clause], ["x"])
                frames.setdefault(clause.behavior, []).append(index)
        except NotExpressible as problem:
            plan.unaskable[index] = str(problem)
    broken = {contract.clauses[i].behavior for i in plan.unaskable if contract.clauses[i].kind == "assigns"}
    plan.frames = {b: tuple(indexes) for b, indexes in frames.items() if b not in broken}


def _frame_formula(plan: Plan[Stub], behavior: str | None, cells: Sequence[str]) -> str:
    clauses = [plan.contract.clauses[i] for i in plan.frames[behavior]]
    return c_formulas.frame(plan.contract, clauses, cells)


def _ask_returned(plan: Plan[Stub], index: int, pin: Pin, variables: Sequence[GlobalVariable]) -> None:
    every = mutants_of(pin, plan.pins) if plan.is_scoring(index) else ()
    name = f"cf_{plan.prefix}p{index}"
    written = [m for m in every if not m.untouched][: 2 * EXPLORED]
    frame = [m for m in every if m.untouched][: 2 * EXPLORED_FRAME]
    plan.stubs[index] = c_stubs.stub(name, plan.contract, pin, (*written, *frame), variables)
    clear = [m for m in (*written, *frame) if not _makes_unclear(plan, index, m)]
    mutants = (*[m for m in clear if not m.untouched][: max(EXPLORED, plan.limits.mutants)],)
    mutants += (*[m for m in clear if m.untouched][:EXPLORED_FRAME],)
    stub = c_stubs.stub(name, plan.contract, pin, mutants, variables)
    _check_precondition(plan, stub, pin)
    plan.stubs[index], plan.mutants[index] = stub, mutants
    plan.some_left_out |= not {m.location for m in every} <= {m.location for m in mutants}
    plan.some_left_out |= plan.is_scoring(index) and has_place_without_mutants(pin, every)
    plan.scenes.append(stub.scene)
    _ask_right(plan, index, stub)
    for mutant in mutants:
        _ask_wrong(plan, index, stub, mutant)


def _check_precondition(plan: Plan[Stub], stub: Stub, pin: Pin) -> None:
    """NotExpressible where a precondition rests on what the test does not show: then nothing else counts there."""
    for number, formula in plan.formulas.items():
        if plan.contract.clauses[number].kind == "requires":

            def holds(filled: Pin, formula: str = formula) -> bool | None:
                return plan.guess(stub, filled, None, formula)

            is_open = has_open_pointer(pin) and holds(pin) is None
            if is_open or depends_on_what_is_not_shown(pin, holds):
                raise NotExpressible("the test does not show that part of the input on which a precondition rests")


def _makes_unclear(plan: Plan[Stub], index: int, mutant: Mutant) -> bool:
    """Whether a clause that has a value on the right outcome has none on the mutant (``*\\result`` of a null pointer).

    Such a clause neither accepts nor rejects it, so there is nothing to ask; other mutants tell more.
    """
    return any(
        plan.guessed(index, None, plan.formulas[i]) is not None
        and plan.guessed(index, mutant, plan.formulas[i]) is None
        for i in plan.post_clauses()
    )


def _question(scene: str, hypothesis: str, formula: str, expected: Polarity, group: str) -> Question:
    return Question("", scene, hypothesis, formula, expected, group)


def _ask_right(plan: Plan[Stub], index: int, stub: Stub) -> None:
    right = c_stubs.hypothesis(stub, None)
    roles: dict[str, Role] = {"requires": "requires", "ensures": "ensures", "complete": "cover", "disjoint": "cover"}
    for number, formula in plan.formulas.items():
        role = roles[plan.contract.clauses[number].kind]
        if role == "ensures" and not _is_shown(plan, index, None, formula):
            plan.unshown.add(number)
            continue
        given = right if role == "ensures" else ""
        plan.add(Asked(_question(stub.scene.name, given, formula, "accept", "right"), role, (number,), index))
    for behavior, numbers in plan.frames.items():
        formula = _frame_formula(plan, behavior, stub.changed) if stub.changed else ""
        if formula and not (has_open_pointer(plan.pins[index]) and plan.guessed(index, None, formula) is None):
            plan.add(Asked(_question(stub.scene.name, right, formula, "accept", "right"), "frame", numbers, index))
    if plan.uses_logic and not any(a.role == "guard" for a in plan.asked):
        _guard_whole(plan, index, stub)


def _is_shown(plan: Plan[Stub], index: int, mutant: Mutant | None, formula: str) -> bool:
    """Whether the test shows enough of the outcome for the formula to have a truth value.

    Where it shows only a part, evaluation tells; to ask a verifier about what is not known takes long and ends open.
    """
    pin = plan.pins[index]
    if not shows_outcome(pin):
        return False
    is_whole = not (is_partial(pin) or has_open_input(pin))
    return is_whole or plan.guess is no_guess or plan.guessed(index, mutant, formula) is not None


def _guard_whole(plan: Plan[Stub], index: int, stub: Stub) -> None:
    """Ask whether the negation of everything that should be accepted on this pin can be proved as well."""
    all_right = [a.question for a in plan.asked if a.pin == index]
    if all_right:
        formula = " && ".join(f"({q.formula})" for q in all_right)
        question = _question(stub.scene.name, c_stubs.hypothesis(stub, None), formula, "refute", "guard")
        plan.add(Asked(replace(question, one_sided=True), "guard", (), index, None, tuple(q.id for q in all_right)))


def _ask_wrong(plan: Plan[Stub], index: int, stub: Stub, mutant: Mutant) -> None:
    """The contract as a whole on a mutant outcome; with a clause that cannot be asked only a rejection counts."""
    cell = c_stubs.cell_of(stub, mutant.location)
    parts = [plan.formulas[i] for i in plan.post_clauses()]
    if cell is not None:
        parts.extend(_frame_formula(plan, behavior, [cell]) for behavior in plan.frames)
    formula = " && ".join(f"({part})" for part in parts) or "\\true"
    if not _is_shown(plan, index, mutant, formula):
        plan.some_left_out = True
        return
    question = _question(
        stub.scene.name, c_stubs.hypothesis(stub, mutant), formula, "refute" if parts else "accept", "wrong"
    )
    relevant = ("ensures", "assigns") if cell is not None else ("ensures",)
    if any(plan.contract.clauses[i].kind in relevant for i in plan.unaskable):
        question = replace(question, expected="refute", one_sided=True)
    plan.add(Asked(question, "wrong", (), index, mutant))


def _ask_failing(plan: Plan[Stub], index: int, pin: Pin) -> None:
    stub = c_stubs.failing_stub(f"cf_{plan.prefix}p{index}", plan.contract, pin)
    plan.stubs[index] = stub
    plan.scenes.append(stub.scene)
    numbers = tuple(i for i in plan.formulas if plan.contract.clauses[i].kind == "requires")
    formula = " && ".join(f"({plan.formulas[i]})" for i in numbers) or "\\true"
    expected: Polarity = "refute" if numbers else "accept"
    question = _question(stub.scene.name, "", formula, expected, "fails")
    if plan.some_requires_open():
        # What cannot be asked may exclude the call.
        question = replace(question, expected="refute", one_sided=True)
    plan.add(Asked(question, "fails", numbers, index))


def _ask_vacuity(plan: Plan[Stub]) -> None:
    clauses = [
        (i, c)
        for i, c in enumerate(plan.contract.clauses)
        if c.kind == "requires" and c.behavior is None and i in plan.formulas
    ]
    if not clauses:
        return
    assumption = " && ".join(f"({clause.formula})" for _i, clause in clauses)
    scene = c_stubs.vacuity_stub(f"cf_{plan.prefix}v", plan.contract, assumption)
    plan.scenes.append(scene)
    question = replace(_question(scene.name, "", "\\false", "accept", "guard"), one_sided=True)
    plan.add(Asked(question, "vacuity", tuple(i for i, _c in clauses)))


def second_round(plan: Plan[Stub], judgements: Mapping[str, Judgement]) -> list[Asked]:
    """The questions that the first round's answers call for, added to the plan; empty when there is nothing."""
    start = len(plan.asked)
    wrong = [a for a in plan.asked if a.role == "wrong"]
    accepted = [a for a in wrong if judgements[a.question.id].verdict == "accepted"]
    for asked in kill_questions(plan, judgements, lambda: _seemingly_idle(plan, wrong)):
        plan.add(asked)
    _ask_witness_guards(plan, judgements, accepted)
    if plan.stubs and not admits_some_input(plan, judgements):
        _ask_vacuity(plan)
    return plan.asked[start:]


def _seemingly_idle(plan: Plan[Stub], wrong: Sequence[Asked]) -> list[int]:
    """Clauses that, as far as evaluation tells, accept every mutant: worth asking although nothing was accepted.

    One that may reject a wrong outcome of a call that is not asked about is of use, whatever the others show.
    """
    return [
        number
        for number in plan.post_clauses()
        if wrong
        and all(plan.guessed(a.pin, a.mutant, plan.formulas[number]) is True for a in wrong)
        and not plan.may_reject(plan.formulas[number])
    ]


def _ask_witness_guards(plan: Plan[Stub], judgements: Mapping[str, Judgement], accepted: Sequence[Asked]) -> None:
    """For one witness of each finding: can the opposite be proved as well?"""
    chosen: dict[tuple[object, ...], Asked] = {}
    for asked in accepted:
        chosen.setdefault(("wrong", asked.pin), asked)
    for asked in plan.asked:
        judgement = judgements.get(asked.question.id)
        if judgement is None or asked.pin is None:
            continue
        unwanted = "accepted" if asked.role == "fails" else "rejected"
        if asked.role in ("requires", "ensures", "frame", "cover", "fails") and judgement.verdict == unwanted:
            chosen.setdefault((asked.role, asked.clauses, asked.pin), asked)
    for asked in chosen.values():
        proved: Polarity = "accept" if judgements[asked.question.id].verdict == "accepted" else "refute"
        opposite: Polarity = "refute" if proved == "accept" else "accept"
        confirmed = plan.guessed(asked.pin, asked.mutant, asked.question.formula) is (proved == "accept")
        if confirmed and not plan.uses_logic:
            continue
        question = replace(asked.question, expected=opposite, group="guard", one_sided=True, confirmed=False)
        plan.add(Asked(question, "guard", asked.clauses, asked.pin, asked.mutant, (asked.question.id,)))
