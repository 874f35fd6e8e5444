"""What is reported about a judged contract besides findings: scores, counts for each clause, what stayed undecided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from clausefit.hook import plain
from clausefit.hook.contracts.model import Clause, Contract, NotChecked
from clausefit.hook.judged import Judged, excluded_pins, truths
from clausefit.hook.mutants import Location, Mutant
from clausefit.hook.pins.values import Pin, Pointer
from clausefit.hook.plans import Asked, Plan, is_partial, open_places
from clausefit.hook.report import ClauseCounts, ContractReport, Score
from clausefit.hook.visible import visible

_C_KINDS = ("requires", "ensures", "assigns", "complete", "disjoint")
_JAVA_KINDS = ("signals", "signals_only", "assignable", "invariant", "constraint", "initially")
_MOST_PLACES = 4
_OF_INPUTS = ("requires", "admits", "admitted", "fails")
"""The roles of questions whether the contract speaks of a call at all."""
_JUDGED_KINDS = frozenset((*_C_KINDS, *_JAVA_KINDS))


def contract_report(
    judged: Judged, ignored: Sequence[tuple[str, str]], pins_found: tuple[int, int], *, void: bool
) -> ContractReport:
    """The contract with its pins, scores and clauses; ``void`` when nothing that was proved counts.

    ``ignored`` are (source, reason) of calls that gave no pin, ``pins_found`` the numbers of static and recorded pins.
    """
    plan = judged.plan
    contract = plan.contract
    own = [(i.source, i.reason) for i in plan.ignored]
    return ContractReport(
        contract.language,
        contract.file,
        contract.function,
        contract.line,
        pins_found[0],
        pins_found[1],
        len(plan.stubs),
        (*ignored, *own),
        _score_of_each(judged, void),
        tuple(
            _counts(judged, number, clause, void)
            for number, clause in enumerate(contract.clauses)
            if clause.kind in _JUDGED_KINDS and not clause.implicit
        ),
        _deciders(judged, judged.plan.asked),
    )


def _deciders(judged: Judged, questions: Iterable[Asked]) -> dict[str, int]:
    """How many of the judgements each verifier, or evaluation alone, made."""
    found: dict[str, int] = {}
    for asked in questions:
        judgement = judged.judgements.get(asked.question.id)
        if judgement is not None and judgement.verdict != "undecided":
            found[judgement.decided_by] = found.get(judgement.decided_by, 0) + 1
    return dict(sorted(found.items()))


def _score_of_each(judged: Judged, void: bool) -> dict[str, Score]:
    plan = judged.plan
    excluded = frozenset(a.pin for a in judged.of("requires") if judged.verdict(a) == "rejected")
    other_truths = truths(judged)
    no_ensures = not any(c.kind in plan.post_kinds and not c.implicit for c in plan.contract.clauses)
    correct, complete, accepts, fails = [], [], [], []
    for index in plan.stubs:
        if not plan.is_scoring(index):
            continue
        posts = [judged.verdict(a) for a in judged.of("ensures") if a.pin == index]
        whole = _all_accepted(posts)
        # Of a partly shown outcome a rejection is sure; to be accepted every clause would have to be asked.
        all_asked = len(posts) >= len(plan.posts_at(index))
        if whole == "rejected" or (all_asked and not (is_partial(plan.pins[index]) and whole == "undecided")):
            correct.append(whole if index not in excluded else "accepted")
        accepts.append(_all_accepted([judged.verdict(a) for a in judged.of("requires") if a.pin == index]))
        wrong = [a for a in judged.of("wrong") if a.pin == index and a.mutant and _scores(a.mutant)]
        for asked in [a for a in wrong if a.question.id not in other_truths][: plan.limits.mutants]:
            complete.append(_turned(judged.verdict(asked)) if index not in excluded else "rejected")
    fails = [*(_turned(judged.verdict(a)) for a in judged.of("fails")), *_rejects_of_documented(judged)]
    named = {"PostCorr": correct, "PostComp": complete, "PreCorr": accepts, "PreComp": fails}
    if void:
        named = {name: ["undecided"] * len(verdicts) for name, verdicts in named.items()}
    elif no_ensures:
        named = {name: ["rejected"] * len(verdicts) for name, verdicts in named.items()}
    return {
        name: Score(verdicts.count("accepted"), sum(v != "undecided" for v in verdicts), len(verdicts))
        for name, verdicts in named.items()
    }


def _rejects_of_documented(judged: Judged) -> list[str]:
    """Of failing calls whose contract speaks of exceptions: those that no case admits are rejected like any other.

    One that a case admits is judged by what that says of exceptions, and no failure of the precondition (DESIGN §3).
    """
    already = {a.pin for a in judged.of("fails")}
    verdicts = [_turned(judged.verdict(a)) for a in judged.of("admitted") if a.pin not in already]
    return [verdict for verdict in verdicts if verdict != "rejected"]


def _scores(mutant: Mutant) -> bool:
    """Spec-Harness changes results and written memory; frames and kinds of exit are asked beyond it."""
    return not mutant.untouched and not mutant.exit


def _all_accepted(verdicts: Sequence[str]) -> str:
    if "rejected" in verdicts:
        return "rejected"
    return "undecided" if "undecided" in verdicts else "accepted"


def _turned(verdict: str) -> str:
    return {"accepted": "rejected", "rejected": "accepted"}.get(verdict, "undecided")


def _counts(judged: Judged, number: int, clause: Clause, void: bool) -> ClauseCounts:
    excluded = excluded_pins(judged)
    asked = [a for a in judged.of("requires", "ensures", "frame", "cover") if number in a.clauses]
    right = [judged.verdict(a) for a in asked if a.role == "requires" or a.pin not in excluded]
    wrong = [judged.verdict(a) for a in judged.of("kill") if a.clauses == (number,) and a.pin not in excluded]
    other_truths = truths(judged)
    mutants = [a for a in judged.of("wrong") if a.pin not in excluded and a.question.id not in other_truths]
    mutants = [a for a in mutants if _is_part(a, number)]
    if clause.kind in judged.plan.post_kinds and number in judged.plan.formulas:
        # What the whole contract accepts, each of its clauses accepts; with one clause they are the same.
        wrong += [verdict for a in mutants if (verdict := judged.verdict(a)) == "accepted"]
        if judged.plan.post_clauses() == [number]:
            wrong += [v for a in mutants if (v := judged.verdict(a)) == "rejected" and _frames_allow(judged, a)]
    if void:
        right, wrong = ["undecided"] * len(right), ["undecided"] * len(wrong)
    return ClauseCounts(
        clause.kind,
        clause.text,
        clause.span,
        right.count("accepted"),
        right.count("rejected"),
        wrong.count("rejected"),
        wrong.count("accepted"),
        right.count("undecided") + wrong.count("undecided"),
        _deciders(judged, [a for a in judged.plan.asked if number in a.clauses]) if not void else {},
        clause.file or judged.plan.contract.file,
    )


def _frames_allow(judged: Judged, asked: Asked) -> bool:
    """Whether a rejection cannot be the frames' doing: the result is wrong, or what they are proved to allow."""
    mutant = asked.mutant
    if not judged.plan.frames:
        return True
    if mutant is None or mutant.untouched or mutant.exit:
        return False
    if mutant.location.block is None:
        return True
    # What the frames are asked of a call is whether they allow all that it has written.
    frames = [judged.verdict(a) for a in judged.of("frame") if a.pin == asked.pin]
    return len(frames) == len(judged.plan.frames) and set(frames) == {"accepted"}


def _is_part(asked: Asked, number: int) -> bool:
    return not asked.parts or number in asked.parts


def undecided(judged: Judged) -> int:
    """How many questions have no answer, guards apart."""
    return sum(1 for a in _that_count(judged) if judged.verdict(a) == "undecided")


def _that_count(judged: Judged) -> list[Asked]:
    """The questions without guards, and without those about calls of which the contract does not speak."""
    excluded = excluded_pins(judged)
    return [
        asked
        for asked in judged.plan.asked
        if not asked.question.one_sided and (asked.role in _OF_INPUTS or asked.pin not in excluded)
    ]


def not_judged(judged: Judged) -> Iterable[NotChecked]:
    """One entry for each clause, or for the contract as a whole, and reason of what stayed undecided."""
    plan = judged.plan
    contract = plan.contract
    yield from unaskable(plan)
    yield from _unshown(judged)
    open_ones: dict[tuple[str, str], list[int | None]] = {}
    for asked in _that_count(judged):
        judgement = judged.judgements.get(asked.question.id)
        if judgement is None or judgement.verdict != "undecided":
            continue
        reason, detail = judgement.reason, judgement.detail
        if reason in ("unknown", "timeout") and asked.pin is not None and is_partial(plan.pins[asked.pin]):
            reason, detail = "outcome_not_known", "the test does not show all of the outcome"
        open_ones.setdefault((reason, detail), []).append(asked.clauses[0] if asked.clauses else None)
    dropped = any(reason == "dropped" and any(n is not None for n in ns) for (reason, _), ns in open_ones.items())
    for (reason, detail), numbers in open_ones.items():
        named = [number for number in dict.fromkeys(numbers) if number is not None]
        if reason == "dropped" and dropped:
            # Wrong outcomes are asked of all clauses together; one that Frama-C refuses is named by itself.
            numbers = [number for number in numbers if number is not None]
        if not numbers:
            continue
        questions = f"{len(numbers)} question{'s' if len(numbers) > 1 else ''}"
        only = contract.clauses[named[0]] if len(named) == 1 and None not in numbers else None
        what = f"`{only.text}`" if only else _in_words(contract, named)
        file = (only.file if only else "") or contract.file
        line = only.span.line if only else contract.line
        if reason == "parse_error":  # of the file as a whole
            yield NotChecked(file, contract.function, reason, detail, line)
        else:
            yield NotChecked(file, contract.function, reason, f"{what}: {detail} ({questions})", line)


def unaskable(plan: Plan[Any]) -> Iterable[NotChecked]:
    """One entry for each clause that cannot be put as a question, whatever a verifier says."""
    contract = plan.contract
    for index, problem in plan.unaskable.items():
        clause = contract.clauses[index]
        file = clause.file or contract.file
        reason = "dropped" if index in plan.refused else "unsupported"
        yield NotChecked(file, contract.function, reason, f"`{clause.text}`: {problem}", clause.span.line)


def _unshown(judged: Judged) -> Iterable[NotChecked]:
    """An entry for the clauses that no pin could be asked about."""
    contract = judged.plan.contract
    asked = {number for one in judged.of("ensures") for number in one.clauses}
    never = sorted(judged.plan.unshown - asked)
    if never:
        what = f"`{contract.clauses[never[0]].text}`" if len(never) == 1 else f"{len(never)} clauses"
        detail = f"{what}: no test shows the outcome that this speaks of{_open_places(judged.plan, never)}"
        yield NotChecked(contract.file, contract.function, "outcome_not_known", detail, contract.line)


def _open_places(plan: Plan[Any], numbers: Sequence[int]) -> str:
    """The places of which these clauses speak and that the first such test does not show, as the end of a sentence;
    empty where they are not known."""
    names = frozenset[str]().union(*(plan.speech.names_in(plan.contract.clauses[number]) for number in numbers))
    places: list[str] = []
    for pin in (plan.pins[index] for index in plan.stubs if not places):
        spoken_of = [p for p in open_places(pin) if plan.speech.roots_of(plan.contract, pin, p) & names]
        places = [visible(text) for place in spoken_of for text in _texts_of(pin, place)]
    if not places:
        return ""
    shown = ", ".join(f"`{place}`" for place in places[:_MOST_PLACES])
    more = f" and {len(places) - _MOST_PLACES} more" if len(places) > _MOST_PLACES else ""
    return f"; to be asserted after the call: {shown}{more}"


def _texts_of(pin: Pin, place: Location) -> list[str]:
    """What people call a place: ``*p`` for each parameter of C that points to this very one, and it is all there."""
    is_all = place.block is not None and not place.path
    found = [f"*{n}" for n, v in pin.arguments if is_all and v == Pointer(str(place.block), (), getattr(v, "type", ""))]
    return found or [plain.place_of(pin, place)]


def _in_words(contract: Contract, numbers: Sequence[int]) -> str:
    if len(numbers) > 1:
        return f"{len(numbers)} clauses"
    return f"`{contract.clauses[numbers[0]].text}` and wrong outcomes" if numbers else "wrong outcomes"
