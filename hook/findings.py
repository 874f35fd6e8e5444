"""From judgements to findings and scores: who is blamed for what (DESIGN §3).

Too strong is always one clause: it is proved to reject a right outcome or a valid input. Too weak is a fact
about the whole contract, so a clause is blamed only when it alone can be: see ``_blame_for``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from clausefit.hook.contracts.model import Clause, Contract, NotChecked
from clausefit.hook.messages import fingerprint, message
from clausefit.hook.mutants import Mutant, mutated
from clausefit.hook.pins.values import Pointer, Returned, leaves
from clausefit.hook.plain import inputs_of, outcome_of
from clausefit.hook.questions import Asked, Plan, is_partial, shows_outcome
from clausefit.hook.report import ClauseCounts, ContractReport, Finding, Score, Witness
from clausefit.hook.rules import RULES
from clausefit.verifiers.protocol import Judgement, Verdict

_NAMES = re.compile(r"\\?[A-Za-z_]\w*")
_MEMORY_SAFETY = re.compile(
    r"\s*(?:!\s*)?\\(?:valid|valid_read|separated|initialized|freeable|allocable|dangling|fresh)\b[^&|=<>?]*$"
)
_JUDGED_KINDS = ("requires", "ensures", "assigns", "complete", "disjoint")


@dataclass(frozen=True)
class Judged:
    """A contract's plan with all its judgements."""

    plan: Plan
    judgements: Mapping[str, Judgement]

    def verdict(self, asked: Asked) -> Verdict:
        """The verdict on a question of the plan."""
        judgement = self.judgements.get(asked.question.id)
        return judgement.verdict if judgement else "undecided"

    def of(self, *roles: str) -> list[Asked]:
        """The questions with these roles."""
        return [asked for asked in self.plan.asked if asked.role in roles]


@dataclass(frozen=True)
class _Case:
    """One witness of a finding: the pin and, for too weak, the wrong outcome."""

    pin: int
    mutant: Mutant | None = None


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
        return Conclusion(_report(judged, ignored, pins_found, void=True), (finding,), (entry,), _undecided(judged))
    found = [*_too_strong(judged), *_too_weak(judged), *_failing_inputs(judged), *_useless(judged)]
    return Conclusion(
        _report(judged, ignored, pins_found, void=False),
        tuple(sorted(found, key=lambda f: (f.file, f.line, f.column, f.code))),
        tuple(_not_judged(judged)),
        _undecided(judged),
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
        return _finding(plan, "CF301", vacuity.clauses[0], []), text
    return None


def _fires(judged: Judged, guard: Asked) -> bool:
    """True when the guard's opposite was proved although what it guards was proved, too."""
    if judged.verdict(guard) == "undecided":
        return False
    verdicts = {judged.judgements[i].verdict for i in guard.guarded if i in judged.judgements}
    return verdicts == {"accepted" if guard.question.expected == "refute" else "rejected"}


def _excluded_pins(judged: Judged) -> frozenset[int]:
    """Pins whose input the contract is proved to reject, or is not proved to accept."""
    return frozenset(a.pin for a in judged.of("requires") if a.pin is not None and judged.verdict(a) != "accepted")


# ---- too strong -----------------------------------------------------------------------------------------------------


def _too_strong(judged: Judged) -> Iterable[Finding]:
    excluded = _excluded_pins(judged)
    codes = {"requires": "CF202", "ensures": "CF201", "assigns": "CF203", "complete": "CF204", "disjoint": "CF205"}
    cases: dict[tuple[str, int], list[_Case]] = {}
    for asked in judged.of("requires", "ensures", "frame", "cover"):
        if judged.verdict(asked) != "rejected" or asked.pin is None:
            continue
        # Beyond a precondition that may not hold every other clause holds trivially.
        if asked.role != "requires" and asked.pin in excluded:
            continue
        clause = judged.plan.contract.clauses[asked.clauses[0]]
        cases.setdefault((codes[clause.kind], asked.clauses[0]), []).append(_Case(asked.pin))
    for (code, number), witnesses in cases.items():
        yield _finding(judged.plan, code, number, witnesses)


# ---- too weak -------------------------------------------------------------------------------------------------------


def _too_weak(judged: Judged) -> Iterable[Finding]:
    excluded = _excluded_pins(judged)
    accepted = [
        asked
        for asked in judged.of("wrong")
        if judged.verdict(asked) == "accepted" and asked.pin is not None and asked.pin not in excluded
    ]
    blamed: dict[tuple[str, int | None], list[_Case]] = {}
    for asked in accepted:
        assert asked.pin is not None and asked.mutant is not None  # noqa: S101 - filtered above; narrows types
        key = _blame_for(judged, asked.pin, asked.mutant)
        blamed.setdefault(key, []).append(_Case(asked.pin, asked.mutant))
    for (code, number), cases in blamed.items():
        yield _finding(judged.plan, code, number, cases)


def _blame_for(judged: Judged, pin: int, mutant: Mutant) -> tuple[str, int | None]:
    """The rule and the clause (None: the contract as a whole) for an accepted wrong outcome.

    In this order: a clause that rejects no mutant of any pin (first those that speak of the location); the only clause
    that ties the location to the state before the call; the only clause that speaks of it; the contract as a
    whole. Untouched memory of which no clause speaks is a matter of the frame.
    """
    plan = judged.plan
    roots = _roots(plan, pin, mutant)
    posts = plan.post_clauses()
    speaking = [i for i in posts if roots & _names_in(plan.contract.clauses[i])]
    if mutant.untouched and not speaking:
        frames = [i for numbers in plan.frames.values() for i in numbers]
        return "CF103", frames[0] if frames else None
    idle = [i for i in posts if i not in _killers(judged) and i not in _strong_clauses(judged)]
    idle = [i for i in idle if not _MEMORY_SAFETY.match(plan.contract.clauses[i].formula)]
    relating = [i for i in speaking if _ties_to_entry(plan.contract.clauses[i])]
    for candidates in ([i for i in idle if i in speaking], idle):
        if candidates:
            return "CF101", candidates[0]
    for only in (relating, speaking):
        if len(only) == 1 and only[0] not in _strong_clauses(judged):
            return "CF101", only[0]
    return "CF102", None


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


def _roots(plan: Plan, pin_number: int, mutant: Mutant) -> frozenset[str]:
    """The names by which a clause can speak of the mutated location."""
    if mutant.location.block is None:
        return frozenset({"\\result"})
    pin = plan.pins[pin_number]
    names = {block.program for block in pin.blocks if block.id == mutant.location.block and block.program}
    reach = {mutant.location.block}
    values = {block.id: block.value for block in pin.blocks}
    for _ in pin.blocks:
        reach |= {b for b, value in values.items() if _points_into(value, reach)}
    names |= {block.program for block in pin.blocks if block.id in reach and block.program}
    for parameter, (_name, value) in zip(plan.contract.parameters, pin.arguments, strict=False):
        if _points_into(value, reach):
            names.add(parameter.name)
    if isinstance(pin.outcome, Returned) and pin.outcome.result is not None and _points_into(pin.outcome.result, reach):
        names.add("\\result")
    return frozenset(name for name in names if name)


def _points_into(value: object, blocks: set[str]) -> bool:
    return any(isinstance(leaf, Pointer) and leaf.block in blocks for _p, leaf in leaves(value))  # type: ignore[arg-type]


def _names_in(clause: Clause) -> frozenset[str]:
    return frozenset(_NAMES.findall(clause.formula))


def _ties_to_entry(clause: Clause) -> bool:
    return bool(_names_in(clause) & {"\\old", "\\at", "Pre", "Old"})


def _failing_inputs(judged: Judged) -> Iterable[Finding]:
    plan = judged.plan
    cases = [_Case(a.pin) for a in judged.of("fails") if judged.verdict(a) == "accepted" and a.pin is not None]
    if cases:
        requires = [i for i in plan.formulas if plan.contract.clauses[i].kind == "requires"]
        yield _finding(plan, "CF104", requires[0] if len(requires) == 1 else None, cases, prefer="requires")


def _useless(judged: Judged) -> Iterable[Finding]:
    """Clauses that are proved to accept every mutant although the contract as a whole rejects them all."""
    plan = judged.plan
    wrong = judged.of("wrong")
    if not wrong or any(judged.verdict(a) != "rejected" for a in wrong):
        return
    for number in plan.post_clauses():
        kills = [a for a in judged.of("kill") if a.clauses == (number,)]
        idle = len(kills) == len(wrong) and all(judged.verdict(a) == "accepted" for a in kills)
        if idle and not _MEMORY_SAFETY.match(plan.contract.clauses[number].formula):
            yield _finding(plan, "CF105", number, [_Case(kills[0].pin or 0, kills[0].mutant)])


# ---- findings and reports -------------------------------------------------------------------------------------------


def _finding(
    plan: Plan,
    code: str,
    number: int | None,
    cases: Sequence[_Case],
    *,
    prefer: str = "ensures",
) -> Finding:
    owner = plan.contract
    clause = owner.clauses[number] if number is not None else None
    place = clause or next((c for c in owner.clauses if c.kind == prefer), None)
    rule = RULES[code]
    witness = _witness(plan, _simplest(plan, cases)) if cases else None
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
        message=message(code, owner.function, clause, witness),
        fingerprint=fingerprint(code=code, file=file, function=owner.function, clause=clause, direction=rule.direction),
    )


def _simplest(plan: Plan, cases: Sequence[_Case]) -> _Case:
    def size(case: _Case) -> tuple[bool, int]:
        pin = plan.pins[case.pin]
        return is_partial(pin), sum(1 for b in pin.blocks for _ in leaves(b.value)) + len(pin.arguments)

    return min(cases, key=size)


def _witness(plan: Plan, case: _Case) -> Witness:
    pin = plan.pins[case.pin]
    wrong = None
    if case.mutant is not None and isinstance(pin.outcome, Returned):
        wrong = outcome_of(pin, mutated(pin.outcome, case.mutant))
    right = outcome_of(pin)
    return Witness(inputs_of(pin), right, wrong, pin.origin.test, pin.origin.file, pin.origin.line)


def _report(
    judged: Judged, ignored: Sequence[tuple[str, str]], pins_found: tuple[int, int], *, void: bool
) -> ContractReport:
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
        _scores(judged, void),
        tuple(
            _counts(judged, number, clause, void)
            for number, clause in enumerate(contract.clauses)
            if clause.kind in _JUDGED_KINDS
        ),
    )


def _scores(judged: Judged, void: bool) -> dict[str, Score]:
    plan = judged.plan
    excluded = frozenset(a.pin for a in judged.of("requires") if judged.verdict(a) == "rejected")
    no_ensures = not any(c.kind == "ensures" for c in plan.contract.clauses)
    correct, complete, accepts, fails = [], [], [], []
    for index in plan.stubs:
        if not plan.is_scoring(index):
            continue
        posts = [judged.verdict(a) for a in judged.of("ensures") if a.pin == index]
        if not (is_partial(plan.pins[index]) and _all_accepted(posts) == "undecided") and shows_outcome(
            plan.pins[index]
        ):
            correct.append(_all_accepted(posts) if index not in excluded else "accepted")
        accepts.append(_all_accepted([judged.verdict(a) for a in judged.of("requires") if a.pin == index]))
        wrong = [a for a in judged.of("wrong") if a.pin == index and a.mutant and not a.mutant.untouched]
        for asked in wrong[: plan.limits.mutants]:
            complete.append(_turned(judged.verdict(asked)) if index not in excluded else "rejected")
    fails = [_turned(judged.verdict(a)) for a in judged.of("fails")]
    named = {"PostCorr": correct, "PostComp": complete, "PreCorr": accepts, "PreComp": fails}
    if void:
        named = {name: ["undecided"] * len(verdicts) for name, verdicts in named.items()}
    elif no_ensures:
        named = {name: ["rejected"] * len(verdicts) for name, verdicts in named.items()}
    return {
        name: Score(verdicts.count("accepted"), sum(v != "undecided" for v in verdicts), len(verdicts))
        for name, verdicts in named.items()
    }


def _all_accepted(verdicts: Sequence[str]) -> str:
    if "rejected" in verdicts:
        return "rejected"
    return "undecided" if "undecided" in verdicts else "accepted"


def _turned(verdict: str) -> str:
    return {"accepted": "rejected", "rejected": "accepted"}.get(verdict, "undecided")


def _counts(judged: Judged, number: int, clause: Clause, void: bool) -> ClauseCounts:
    right = [judged.verdict(a) for a in judged.of("requires", "ensures", "frame", "cover") if number in a.clauses]
    wrong = [judged.verdict(a) for a in judged.of("kill") if a.clauses == (number,)]
    whole = [judged.verdict(a) for a in judged.of("wrong")]
    if clause.kind == "ensures" and number in judged.plan.formulas:
        # What the whole contract accepts, each of its clauses accepts; with one clause they are the same.
        wrong += [v for v in whole if v == "accepted"]
        if len(judged.plan.post_clauses()) == 1 and not judged.plan.frames:
            wrong += [v for v in whole if v == "rejected"]
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
    )


def _undecided(judged: Judged) -> int:
    return sum(1 for a in judged.plan.asked if not a.question.one_sided and judged.verdict(a) == "undecided")


def _not_judged(judged: Judged) -> Iterable[NotChecked]:
    """One entry for each clause, or for the contract as a whole, and reason of what stayed undecided."""
    plan = judged.plan
    contract = plan.contract
    for index, problem in plan.unaskable.items():
        clause = contract.clauses[index]
        file = clause.file or contract.file
        yield NotChecked(file, contract.function, "unsupported", f"`{clause.text}`: {problem}", clause.span.line)
    open_ones: dict[tuple[str, str], list[int | None]] = {}
    for asked in plan.asked:
        judgement = judged.judgements.get(asked.question.id)
        if asked.question.one_sided or judgement is None or judgement.verdict != "undecided":
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


def _in_words(contract: Contract, numbers: Sequence[int]) -> str:
    if len(numbers) > 1:
        return f"{len(numbers)} clauses"
    return f"`{contract.clauses[numbers[0]].text}` and wrong outcomes" if numbers else "wrong outcomes"
