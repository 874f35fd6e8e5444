"""Several verifiers for Java, asked in order: what one leaves open, and what would be a finding, goes to the next.

A finding rests on an answer that differs from what was expected. So such an answer is put to the other verifiers as
well, and where one of them proves the opposite, or evaluation says the opposite, there is no answer at all.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from clausefit.verifiers.protocol import Hooks, Info, JavaUnit, Judgement, Question, Verdict, Verifier, VerifierProblem

FINAL_REASONS = frozenset({"undefined", "disagreement", "vacuous", "interrupted"})
"""Undecided for a reason that no other verifier can mend: a proof would say nothing, or be one of two that differ."""


@dataclass(frozen=True)
class _Member:
    verifier: Verifier[JavaUnit]
    info: Info


@dataclass
class _Progress:
    """Tells of every question once, however many verifiers answer it."""

    hooks: Hooks
    left: int

    def advance(self, number: int) -> None:
        told = min(number, self.left)
        self.left -= told
        if told:
            self.hooks.advance(told)


@dataclass
class _Standing:
    """What is known of the questions so far: the judgement, who gave it, and why earlier verifiers gave none."""

    judgements: dict[str, Judgement] = field(default_factory=dict)
    by: dict[str, str] = field(default_factory=dict)
    doubts: dict[str, list[tuple[str, Judgement]]] = field(default_factory=dict)


class Chain:
    """A verifier made of several, in the order in which they are asked."""

    def __init__(self, verifiers: Sequence[Verifier[JavaUnit]]) -> None:
        self._verifiers = tuple(verifiers)
        self._members: list[_Member] | None = None
        self._problems: list[VerifierProblem] = []
        self._lock = threading.Lock()

    @property
    def problems(self) -> tuple[str, ...]:
        """Why verifiers are left out, one line each, as far as they were needed until now."""
        return tuple(dict.fromkeys(str(problem) for problem in self._problems))

    def info(self) -> Info:
        """The first usable verifier's; VerifierProblem (the first one's) when none is usable."""
        return self._usable()[0].info

    def infos(self) -> tuple[Info, ...]:
        """All usable verifiers, in order; VerifierProblem when none is usable."""
        return tuple(member.info for member in self._usable())

    def judge(self, unit: JavaUnit, hooks: Hooks) -> Mapping[str, Judgement]:
        """A judgement for every question of ``unit``; VerifierProblem when no verifier is usable."""
        questions = unit.questions
        progress = _Progress(hooks, len(questions))
        standing = _Standing()
        answered = False
        for member in tuple(self._usable()):
            wanted = [q for q in questions if not answered or _goes_on(q, standing.judgements[q.id])]
            if answered and not wanted:
                break
            part = _part(unit, wanted) if answered else unit
            try:
                given = member.verifier.judge(part, Hooks(advance=progress.advance))
            except VerifierProblem as problem:
                self._leave_out(member, problem)
                continue
            for question in wanted:
                _take(standing, question, member.info.name, given[question.id])
            answered = True
        if not answered:
            raise self._problems[0]
        progress.advance(len(questions))
        return {q.id: _said(standing, q) for q in questions}

    def known(self, unit: JavaUnit) -> Mapping[str, Judgement]:
        """What ``judge`` would say of those questions about which no verifier would have to be asked any more."""
        standing, lost, answered = _Standing(), set[str](), False
        for verifier in self._verifiers:
            left = [q for q in unit.questions if q.id not in lost]
            wanted = [q for q in left if not answered or _goes_on(q, standing.judgements[q.id])]
            if not wanted:
                break
            try:
                given = verifier.known(_part(unit, wanted))
                # Where something is known, the verifier's name and version are as well.
                name = verifier.info().name if given else ""
            except VerifierProblem:  # as in ``judge``, where it is said
                continue
            answered = True
            for question in wanted:
                if question.id in given:
                    _take(standing, question, name, given[question.id])
                else:
                    lost.add(question.id)
        if not answered:
            return {}
        return {q.id: _said(standing, q) for q in unit.questions if q.id not in lost}

    def _usable(self) -> list[_Member]:
        with self._lock:
            if self._members is None:
                self._members = [one for one in map(self._member, self._verifiers) if one is not None]
            if self._members:
                return self._members
        raise self._problems[0] if self._problems else VerifierProblem("no verifier is chosen")

    def _member(self, verifier: Verifier[JavaUnit]) -> _Member | None:
        try:
            return _Member(verifier, verifier.info())
        except VerifierProblem as problem:
            self._problems.append(problem)
            return None

    def _leave_out(self, member: _Member, problem: VerifierProblem) -> None:
        with self._lock:
            self._problems.append(problem)
            self._members = [one for one in self._members or () if one is not member]


def _part(unit: JavaUnit, questions: Sequence[Question]) -> JavaUnit:
    """``unit`` with these questions and their scenes alone."""
    scenes = {question.scene for question in questions}
    return replace(
        unit, scenes=tuple(scene for scene in unit.scenes if scene.name in scenes), questions=tuple(questions)
    )


def _goes_on(question: Question, judgement: Judgement) -> bool:
    """Whether the next verifier is asked: what is open, and what would be a finding."""
    if judgement.verdict == "undecided":
        return judgement.reason not in FINAL_REASONS
    # Of a one-sided question the other side is never asked: nothing could be proved against this one.
    return not question.one_sided and judgement.verdict != _expected(question)


def _expected(question: Question) -> Verdict:
    return "accepted" if question.expected == "accept" else "rejected"


def _take(standing: _Standing, question: Question, name: str, new: Judgement) -> None:
    """Add what verifier ``name`` says of ``question`` to what is known."""
    id_ = question.id
    old = standing.judgements.get(id_)
    if old is None:
        standing.judgements[id_], standing.by[id_] = new, name
    elif old.verdict != "undecided":
        standing.judgements[id_] = _confirmed(old, standing.by[id_], new, name)
    elif new.verdict != "undecided":
        standing.judgements[id_], standing.by[id_] = _decided(old, new, name), name
        standing.doubts.pop(id_, None)
    else:
        standing.doubts.setdefault(id_, []).append((name, new))
        if new.reason in FINAL_REASONS:
            standing.judgements[id_] = replace(old, reason=new.reason)


def _confirmed(old: Judgement, first: str, new: Judgement, second: str) -> Judgement:
    """What is left of a judgement that was put to a second verifier."""
    by = old.decided_by or first
    if new.verdict not in ("undecided", old.verdict):
        return _disagreement(by, old.verdict, new.decided_by or second, old.evaluated)
    if new.evaluated is not None and new.evaluated != (old.verdict == "accepted"):
        return _disagreement(by, old.verdict, "evaluation", new.evaluated)
    return new if new.reason in FINAL_REASONS else old


def _decided(old: Judgement, new: Judgement, name: str) -> Judgement:
    """What a later verifier decided, held against what evaluation said of it before."""
    by = new.decided_by or name
    if old.evaluated is not None and old.evaluated != (new.verdict == "accepted"):
        return _disagreement(by, new.verdict, "evaluation", old.evaluated)
    return replace(new, decided_by=by, evaluated=old.evaluated if new.evaluated is None else new.evaluated)


def _disagreement(one: str, verdict: Verdict, other: str, evaluated: bool | None) -> Judgement:
    says, opposite = ("accepts", "rejects") if verdict == "accepted" else ("rejects", "accepts")
    detail = (
        f"{one} says that the clause {says} the outcome, {other} that it {opposite} it: "
        "one of them is wrong, please report it"
    )
    return Judgement("undecided", "disagreement", detail, evaluated=evaluated)


def _said(standing: _Standing, question: Question) -> Judgement:
    """The judgement, with all reasons in one sentence where every verifier left the question open."""
    judgement = standing.judgements[question.id]
    doubts = standing.doubts.get(question.id)
    if judgement.verdict != "undecided" or not doubts:
        return judgement
    named = [(standing.by[question.id], judgement), *doubts]
    return replace(judgement, detail="; ".join(f"{name}: {one.detail or one.reason}" for name, one in named))
