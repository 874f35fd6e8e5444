"""What is asked about a Java contract: from its clauses and pins to scenes and closed questions.

First round: the precondition on every input that worked, every clause on every right outcome, the contract as a whole
on every mutant. An exception that a test shows is a right outcome where the contract speaks of exceptions, and else an
input that the precondition should exclude (DESIGN §3). Second round: which clause rejects which mutant, and whether
the precondition can hold at all. Evaluation and guards are the verifier's (``verifiers/key_verifier.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from clausefit.hook.contracts.jml import split_signals
from clausefit.hook.contracts.model import Contract
from clausefit.hook.java import formulas
from clausefit.hook.java.formulas import POST_KINDS, STATE_KINDS, THROWN_KINDS
from clausefit.hook.java.memory import reached_after
from clausefit.hook.java.scenes import JavaStub, cell_text, java_stub, outcome_name
from clausefit.hook.mutants import Mutant, exit_mutants, mutants_of
from clausefit.hook.not_expressible import NotExpressible
from clausefit.hook.pins.values import Failed, Ignored, Pin, at
from clausefit.hook.plans import Asked, Limits, Plan, Role, admits_some_input, kill_questions, shows_outcome
from clausefit.hook.speech import JavaSpeech
from clausefit.hook.twins import RETURN
from clausefit.verifiers.protocol import JavaScene, Judgement, Polarity, Question

EXPLORED = 12
"""Mutants of written locations asked per pin; the first few of them score."""
EXPLORED_FRAME = 4
"""Mutants of untouched memory asked per pin."""
_BROAD = frozenset({"java.lang.Throwable", "java.lang.Exception", "java.lang.RuntimeException"})
_OTHER_EXCEPTIONS = ("java.lang.NullPointerException", "java.lang.IllegalStateException")


@dataclass(frozen=True)
class Surroundings:
    """What the questions need of the method's class.

    ``erased`` gives the type by which a scene declares a variable of a source type. ``spoken_of`` are the fields that
    a contract of this class can speak of, ``finals`` those that no call can change, ``constants`` the names of the
    constants of enum types. ``forbids`` tells wrong outcomes that the classes reject by what they say of null.
    ``unavailable`` says why a formula cannot be asked. ``is_incomplete``: a part of the
    contract cannot be read, so what the rest lets pass says nothing. ``parameters`` are (source type, name).
    """

    class_name: str
    is_static: bool
    parameters: tuple[tuple[str, str], ...]
    erased: Callable[[str], str]
    unavailable: Callable[[str], str | None]
    is_incomplete: bool
    spoken_of: frozenset[str]
    finals: frozenset[str]
    constants: Mapping[str, Sequence[str]]
    speech: JavaSpeech
    forbids: Callable[[Pin, Mutant], bool] = lambda _pin, _mutant: False


def first_round(
    contract: Contract, pins: Sequence[Pin], prefix: str, limits: Limits, around: Surroundings
) -> Plan[JavaStub]:
    """The plan with the questions of the first round."""
    plan = Plan[JavaStub](contract, tuple(pins), prefix, limits, False, speech=around.speech, post_kinds=POST_KINDS)
    plan.more = lambda asked_plan, answers: second_round(asked_plan, answers, around)
    _prepare_clauses(plan, around)
    for index, pin in enumerate(plan.pins):
        try:
            if isinstance(pin.outcome, Failed):
                _ask_thrown(plan, index, pin, around)
            else:
                _ask_returned(plan, index, pin, around)
        except NotExpressible as problem:
            plan.stubs.pop(index, None)
            plan.ignored.append(Ignored(contract.function, f"{pin.origin.file}:{pin.origin.line}", str(problem)))
    if not plan.stubs:
        _ask_vacuity(plan, around)
    return plan


def _prepare_clauses(plan: Plan[JavaStub], around: Surroundings) -> None:
    contract = plan.contract
    frames: dict[str | None, list[int]] = {}
    for index, clause in enumerate(contract.clauses):
        if clause.unsupported:
            plan.unaskable[index] = clause.unsupported
            continue
        try:
            if clause.kind == "requires":
                plan.formulas[index] = _available(formulas.requires(clause), around)
            elif clause.kind in STATE_KINDS:
                plan.formulas[index] = _available(formulas.state_formula(contract, clause), around)
            elif clause.kind in THROWN_KINDS:
                plan.formulas[index] = _available(formulas.thrown_formula(contract, clause), around)
            elif clause.kind == "assignable":
                _available(formulas.frame(contract, [clause], ["x"]), around)
                frames.setdefault(clause.behavior, []).append(index)
        except NotExpressible as problem:
            plan.unaskable[index] = str(problem)
    broken = {contract.clauses[i].behavior for i in plan.unaskable if contract.clauses[i].kind == "assignable"}
    plan.frames = {case: tuple(indexes) for case, indexes in frames.items() if case not in broken}


def _available(formula: str, around: Surroundings) -> str:
    reason = around.unavailable(formula)
    if reason is not None:
        raise NotExpressible(reason)
    return formula


# ---- a call that returned --------------------------------------------------------------------------------------------


def _ask_returned(plan: Plan[JavaStub], index: int, pin: Pin, around: Surroundings) -> None:
    mutants = _mutants(plan, index, pin, around)
    stub = java_stub(f"cf_{plan.prefix}p{index}", plan.contract, pin, mutants, around.erased, around.class_name)
    plan.stubs[index], plan.mutants[index] = stub, mutants
    plan.scenes.append(stub.scene)
    _ask_precondition(plan, index, stub)
    if shows_outcome(pin):
        _ask_right(plan, index, stub)
        for mutant in mutants:
            _ask_wrong(plan, index, stub, mutant, around)
    else:
        plan.unshown.update(plan.posts_at(index))


def _mutants(plan: Plan[JavaStub], index: int, pin: Pin, around: Surroundings) -> tuple[Mutant, ...]:
    if not plan.is_scoring(index):
        return ()
    possible = mutants_of(pin, plan.pins, constants=around.constants, finals=around.finals)
    reached = reached_after(pin)
    matter = [
        m for m in possible if _is_matter(m, around) and (m.location.block is None or m.location.block in reached)
    ]
    every = [mutant for mutant in matter if not around.forbids(pin, mutant)]
    written = [m for m in every if not m.untouched]
    untouched = [m for m in every if m.untouched]
    kept = (*written[: max(EXPLORED, plan.limits.mutants)], *untouched[:EXPLORED_FRAME])
    plan.some_left_out |= not {m.location for m in matter} <= {m.location for m in kept}
    return (*kept, *exit_mutants(pin, _documented(plan.contract, around), plan.pins))


def _is_matter(mutant: Mutant, around: Surroundings) -> bool:
    """Whether a contract of the class can be expected to speak of the location.

    It says nothing of private fields that none of its clauses can name; that those stay as they are can be said by
    ``assignable``.
    """
    fields = [step for step in mutant.location.path if isinstance(step, str)]
    if not fields:
        return True
    return mutant.untouched or fields[-1] in around.spoken_of


def _documented(contract: Contract, around: Surroundings) -> list[str]:
    """The exception types that written ``signals`` clauses name, without the broad ones."""
    found = []
    for clause in contract.clauses:
        if clause.kind == "signals" and not clause.implicit:
            parts = split_signals(clause.formula)
            if parts is not None:
                found.append(_full_name(parts.exception, around))
    return [name for name in dict.fromkeys(found) if name not in _BROAD]


def _full_name(exception: str, around: Surroundings) -> str:
    """The qualified name of an exception type; as written where its supertypes are not known."""
    try:
        return around.erased(exception)
    except NotExpressible:
        return exception


def _ask_precondition(plan: Plan[JavaStub], index: int, stub: JavaStub) -> None:
    contract = plan.contract
    kinds = formulas.case_kinds(contract)
    own = [i for i in plan.formulas if contract.clauses[i].kind == "requires"]
    alone = [i for i in own if len(kinds) < 2 or contract.clauses[i].behavior not in kinds]
    for number in alone:
        _add(plan, index, stub, "", plan.formulas[number], "accept", "requires", (number,))
    rest = tuple(i for i in own if i not in alone)
    if rest and not plan.some_requires_open():
        whole = formulas.effective_precondition(contract, kinds)
        if whole != "true":
            _add(plan, index, stub, "", whole, "accept", "requires", rest)
            for number in rest:
                _add(plan, index, stub, "", plan.formulas[number], "accept", "admits", (number,))


def _ask_right(plan: Plan[JavaStub], index: int, stub: JavaStub) -> None:
    contract = plan.contract
    right = outcome_name(None, stub)
    constructed = contract.java is not None and contract.java.is_constructor
    for number in plan.posts_at(index):
        _add(plan, index, stub, right, plan.formulas[number], "accept", "ensures", (number,))
        if contract.clauses[number].kind == "invariant" and not constructed:
            before = f"\\old({formulas.enclosed(contract.clauses[number].formula)})"
            _add(plan, index, stub, "", before, "accept", "ensures", (number,))
    cells = [text for location in stub.changed if (text := cell_text(stub, location)) is not None]
    for numbers in plan.frames.values():
        if cells:
            formula = formulas.frame(contract, [contract.clauses[i] for i in numbers], cells)
            _add(plan, index, stub, right, formula, "accept", "frame", numbers)


def _ask_wrong(plan: Plan[JavaStub], index: int, stub: JavaStub, mutant: Mutant, around: Surroundings) -> None:
    """The contract as a whole on a mutant outcome; with a clause that cannot be asked only a rejection counts."""
    contract = plan.contract
    thrown = bool(mutant.exit) and mutant.exit != RETURN
    kinds = THROWN_KINDS if thrown else STATE_KINDS
    numbers = tuple(i for i in plan.post_clauses() if contract.clauses[i].kind in kinds)
    parts = [plan.formulas[i] for i in numbers]
    cell = None if mutant.exit or _is_back(plan.pins[index], mutant) else cell_text(stub, mutant.location)
    if cell is not None:
        for clauses in plan.frames.values():
            parts.append(formulas.frame(contract, [contract.clauses[i] for i in clauses], [cell]))
    formula = " && ".join(f"({part})" for part in parts if part != "true") or "true"
    relevant = {*kinds, "assignable"} if cell is not None else kinds
    broken = around.is_incomplete or any(contract.clauses[i].kind in relevant for i in plan.unaskable)
    expected: Polarity = "refute" if parts or broken else "accept"
    question = Question("", stub.scene.name, outcome_name(mutant, stub), formula, expected, "wrong", one_sided=broken)
    plan.add(Asked(question, "wrong", (), index, mutant, parts=numbers))


def _is_back(pin: Pin, mutant: Mutant) -> bool:
    """Whether the wrong value is the one from before the call: then nothing was written, and no frame excludes it."""
    block = next((b for b in pin.blocks if b.id == mutant.location.block), None)
    if block is None:
        return False
    try:
        return at(block.value, mutant.location.path) == mutant.wrong
    except KeyError:
        return False


# ---- a call that threw -----------------------------------------------------------------------------------------------


def _ask_thrown(plan: Plan[JavaStub], index: int, pin: Pin, around: Surroundings) -> None:
    assert isinstance(pin.outcome, Failed)  # noqa: S101 - the caller looked
    contract = plan.contract
    speaks = formulas.kinds_of(contract)
    silent = [case for case, spoken in speaks.items() if not spoken]
    documented = pin.outcome.kind == "exception" and pin.outcome.detail != "" and any(speaks.values())
    # Where it cannot be asked whether a case admits the call, nothing about it is too weak.
    is_asked = documented and not plan.some_requires_open()
    mutants = exit_mutants(pin, _others(contract, pin, around), plan.pins) if is_asked else ()
    if "exceptional_behavior" not in formulas.case_kinds(contract).values():
        # That a `signals` clause only says what holds when the exception comes is how it is commonly meant.
        mutants = tuple(mutant for mutant in mutants if mutant.exit != RETURN)
    stub = java_stub(f"cf_{plan.prefix}p{index}", contract, pin, mutants, around.erased, around.class_name)
    plan.stubs[index], plan.mutants[index] = stub, mutants
    plan.scenes.append(stub.scene)
    numbers = tuple(i for i in plan.formulas if contract.clauses[i].kind == "requires")
    if (silent or not documented) and not around.is_incomplete and not plan.some_requires_open():
        formula = _whole_precondition(plan, silent if documented else list(speaks))
        spoken = [case for case, one in speaks.items() if one]
        if documented and spoken:
            # What one of the cases that admit the call says of exceptions is said of it.
            formula = f"({formula}) && !({formulas.effective_precondition(contract, spoken)})"
        expected: Polarity = "refute" if formula != "true" else "accept"
        _add(plan, index, stub, "", formula, expected, "fails", numbers)
    if is_asked and (formula := _whole_precondition(plan, list(speaks))) != "true":
        _add(plan, index, stub, "", formula, "accept", "admitted", numbers)
    if documented:
        for number in plan.posts_at(index):
            if contract.clauses[number].kind in THROWN_KINDS:
                _add(plan, index, stub, outcome_name(None, stub), plan.formulas[number], "accept", "ensures", (number,))
        for mutant in mutants:
            _ask_wrong(plan, index, stub, mutant, around)


def _whole_precondition(plan: Plan[JavaStub], cases: Sequence[str | None]) -> str:
    """That one of the cases admits the call, and what is implicit holds; all of it has to be askable."""
    contract = plan.contract
    implicit = [i for i in plan.formulas if contract.clauses[i].kind == "requires" and contract.clauses[i].implicit]
    parts = [plan.formulas[i] for i in implicit]
    if cases:  # A contract without any spec case requires nothing but what is implicit.
        parts.append(formulas.effective_precondition(contract, cases))
    return " && ".join(f"({part})" for part in parts if part != "true") or "true"


def _others(contract: Contract, pin: Pin, around: Surroundings) -> list[str]:
    """Other exceptions that a broad ``signals`` clause would let pass in place of the pin's."""
    assert isinstance(pin.outcome, Failed)  # noqa: S101 - the caller looked
    broad = False
    for clause in contract.clauses:
        parts = split_signals(clause.formula) if clause.kind == "signals" and not clause.implicit else None
        if parts is not None and _full_name(parts.exception, around) in _BROAD:
            broad = True
    thrown = pin.outcome.detail
    return [next(name for name in _OTHER_EXCEPTIONS if name != thrown)] if broad and pin.outcome.is_exact else []


# ---- second round ----------------------------------------------------------------------------------------------------


def second_round(plan: Plan[JavaStub], judgements: Mapping[str, Judgement], around: Surroundings) -> list[Asked]:
    """The questions that the first round's answers call for, added to the plan; empty when there is nothing.

    Wrong outcomes on which a clause has no value (``\\result[0]`` of a null) are taken out: the contract neither
    accepts nor rejects them, and other mutants tell more.
    """
    plan.asked = [a for a in plan.asked if a.role != "wrong" or judgements[a.question.id].reason != "undefined"]
    again = _without_refused(plan, judgements)
    start = len(plan.asked)
    for asked in kill_questions(plan, judgements, tuple):
        plan.add(asked)
    for asked in _silence_questions(plan, judgements):
        plan.add(asked)
    for index, mutant in again:
        _ask_wrong(plan, index, plan.stubs[index], mutant, around)
    if plan.stubs and not admits_some_input(plan, judgements):
        _ask_vacuity(plan, around)
    return plan.asked[start:]


def _silence_questions(plan: Plan[JavaStub], judgements: Mapping[str, Judgement]) -> list[Asked]:
    """Whether an implication says nothing of a wrong outcome that was accepted, nor of the right one (``blame.py``)."""
    found: dict[tuple[int, int, Mutant | None], Asked] = {}
    for whole in plan.asked:
        index, mutant = whole.pin, whole.mutant
        if whole.role != "wrong" or index is None or mutant is None or mutant.exit:
            continue
        if judgements[whole.question.id].verdict != "accepted":
            continue
        for number in plan.blamable():
            formula = formulas.silence(plan.contract, plan.contract.clauses[number])
            for one in (None, mutant) if formula is not None else ():
                scene, outcome = whole.question.scene, outcome_name(one, plan.stubs[index])
                question = Question("", scene, outcome, formula or "", "accept", "silent", one_sided=True)
                found.setdefault((number, index, one), Asked(question, "silent", (number,), index, one))
    return list(found.values())


_NOT_TAKEN = frozenset({"unsupported", "dropped"})


def _without_refused(plan: Plan[JavaStub], judgements: Mapping[str, Judgement]) -> list[tuple[int, Mutant]]:
    """Take out the clauses that the verifier does not take (a wrong type, an unknown name) with what was asked of them.

    The mutants that are to be asked again, without those clauses.
    """
    refused: dict[int, str] = {}
    for asked in plan.asked:
        judgement = judgements[asked.question.id]
        if asked.role == "ensures" and judgement.reason in _NOT_TAKEN:
            refused[asked.clauses[0]] = judgement.detail
            if judgement.reason == "dropped":
                plan.refused.add(asked.clauses[0])
    for number, detail in refused.items():
        plan.formulas.pop(number, None)
        plan.unaskable[number] = detail
    again = []
    kept = []
    for asked in plan.asked:
        hit = refused.keys() & {*asked.clauses, *asked.parts}
        if asked.role == "wrong" and hit and judgements[asked.question.id].reason in _NOT_TAKEN:
            if asked.pin is not None and asked.mutant is not None:
                again.append((asked.pin, asked.mutant))
        elif not (asked.role == "ensures" and hit):
            kept.append(asked)
    plan.asked = kept
    return again


def _ask_vacuity(plan: Plan[JavaStub], around: Surroundings) -> None:
    """Ask whether the precondition can hold for no input at all."""
    contract = plan.contract
    kinds = formulas.case_kinds(contract)
    numbers = tuple(
        i for i in plan.formulas if contract.clauses[i].kind == "requires" and not contract.clauses[i].implicit
    )
    if not numbers or plan.some_requires_open():
        return
    whole = formulas.effective_precondition(contract, kinds)
    if whole == "true":
        return
    variables = tuple((around.erased(type_name), name) for type_name, name in around.parameters)
    name = f"cf_{plan.prefix}v"
    plan.scenes.append(JavaScene(name, around.class_name, around.is_static, variables, None, "true", "{}", ()))
    question = Question("", name, "", f"!({whole})", "accept", "guard", one_sided=True)
    plan.add(Asked(question, "vacuity", numbers))


def _add(
    plan: Plan[JavaStub],
    index: int,
    stub: JavaStub,
    outcome: str,
    formula: str,
    expected: Polarity,
    role: Role,
    clauses: tuple[int, ...],
) -> None:
    plan.add(Asked(Question("", stub.scene.name, outcome, formula, expected, role), role, clauses, index))
