"""From stubs to answers: what a run of OpenJML says of each stub, and what is asked next because of it.

A check counts as proved only where *everything* in its method is: that some check is not reported as failed may also
mean that OpenJML stopped looking. So what failed is taken out and the rest asked again, and a check that is alone in
its method and not proved is left open, then asked the other way round. No line number decides anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from clausefit.verifiers.openjml_output import Diagnostic, MethodProof, Output
from clausefit.verifiers.openjml_stubs import Check, Composed, Place, Stub
from clausefit.verifiers.protocol import Judgement, Polarity, Question, Verdict

NAME = "openjml"
LATE = "OpenJML's time for this contract was up"
ROUNDS = 10
CHECKS_PER_STUB = 50
_BLAME_FIRST = 4
"""Rounds in which only the first error of a stub counts: a syntax error may give errors in lines that are right."""

Kind = Literal["proved", "open", "vacuous", "broken", "timeout", "unreached", "refused", "skeleton", "late"]


@dataclass(frozen=True)
class Task:
    """A stub to be asked; ``alone``: in a process of its own, because one with others came to nothing."""

    stub: Stub
    alone: bool = False


@dataclass(frozen=True)
class Result:
    """What a run says of one stub.

    ``bad`` are the checks that failed (``open``) or have errors (``refused``), by their index, with OpenJML's words;
    an empty one means that it is not known which, or that none of the checks is to blame but the facts. ``late``: it
    was not asked any more.
    """

    kind: Kind
    detail: str = ""
    bad: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Ran:
    """How a run ended: its output, and ``ending`` in words for people where it did not end by itself as it should."""

    output: Output
    timed_out: bool = False
    ending: str = ""


# ---- what a run says -------------------------------------------------------------------------------------------------


def results_of(stubs: Sequence[Stub], composed: Composed, ran: Ran, *, first_errors_only: bool) -> list[Result]:
    """One result for each stub of the run."""
    errors = [one for one in ran.output.errors if one.file]
    if errors:
        return _with_errors(stubs, composed, errors, first_errors_only=first_errors_only)
    proofs = {proof.simple_name: proof for proof in ran.output.methods}
    unfinished = ran.output.unfinished.partition("(")[0].rpartition(".")[2]
    ending = ran.ending
    if ran.timed_out and not proofs and not unfinished:
        ending = "its time was up before it had begun a proof"
    results = []
    for number, name in enumerate(composed.names):
        if name in proofs:
            results.append(_of_proof(number, proofs[name], composed))
        elif name == unfinished:
            detail = "its time was up" if ran.timed_out else ran.ending
            results.append(Result("timeout" if ran.timed_out else "broken", detail))
        else:
            results.append(Result("unreached", ending))
    return results


def _of_proof(number: int, proof: MethodProof, composed: Composed) -> Result:
    if proof.infeasible:
        return Result("vacuous")
    if proof.proved:
        return Result("proved")
    errors = [one for one in proof.diagnostics if one.kind == "error"]
    if proof.ending == "ERROR" or errors:
        return Result("broken", errors[0].message if errors else "it reports an error without saying which")
    bad: dict[int, str] = {}
    for one in proof.diagnostics:
        place = place_of(one, composed)
        if place is None or place.stub != number:
            continue
        if place.check is None:
            # Nothing in this method will ever be proved together with what its first lines presuppose.
            return Result("refused", one.message)
        message = one.message if one.is_not_implemented else ""
        bad[place.check] = bad.get(place.check) or message
    return Result("open", bad=bad)


def _with_errors(
    stubs: Sequence[Stub], composed: Composed, errors: Sequence[Diagnostic], *, first_errors_only: bool
) -> list[Result]:
    """Nothing is proved where a source has an error; the stubs without one are asked again."""
    blamed: dict[int, dict[int, str]] = {}
    facts: dict[int, str] = {}
    elsewhere = ""
    for one in sorted(errors, key=lambda error: error.line):
        place = place_of(one, composed)
        if place is None:
            elsewhere = elsewhere or f"{one.file}:{one.line}: {one.message}"
        elif first_errors_only and (place.stub in blamed or place.stub in facts):
            continue
        elif place.check is None:
            facts.setdefault(place.stub, one.message)
        else:
            blamed.setdefault(place.stub, {}).setdefault(place.check, one.message)
    if elsewhere and not blamed and not facts:
        return [Result("skeleton", elsewhere) for _ in stubs]
    return [
        Result("refused", facts[number])
        if number in facts
        else Result("refused", bad=blamed[number])
        if number in blamed
        else Result("unreached")
        for number in range(len(stubs))
    ]


def place_of(diagnostic: Diagnostic, composed: Composed) -> Place | None:
    """What stands in the line of which a message speaks; None when it is nothing of the stubs."""
    for file, _text in composed.files:
        if diagnostic.file == file or diagnostic.file.endswith(f"/{file}"):
            return composed.places.get((file, diagnostic.line))
    return None


# ---- what is asked next ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Attempt:
    """What is known of one question in one polarity."""

    proved: bool
    reason: str = ""
    detail: str = ""


class Asking:
    """The questions of one unit while they are asked. ``formulas`` are the questions' formulas for OpenJML by id."""

    def __init__(self, questions: Sequence[Question], formulas: Mapping[str, str]) -> None:
        self._questions = {question.id: question for question in questions}
        self._formulas = formulas
        self._attempts: dict[tuple[str, Polarity], Attempt] = {}
        self._final: dict[str, Judgement] = {}

    def first_checks(self, ids: Sequence[str]) -> tuple[Check, ...]:
        """These questions in the polarity that is expected."""
        return tuple(self._check(id_, self._questions[id_].expected) for id_ in ids)

    def ask(self, tasks: Sequence[Task], run: Callable[[Sequence[Task], bool], Sequence[Result]]) -> None:
        """Run until nothing is left to ask. ``run`` gives a result for each task; its second argument is that of
        ``results_of``."""
        left = list(tasks)
        for number in range(ROUNDS):
            if not left:
                return
            results = run(left, number < _BLAME_FIRST)
            left = [more for task, result in zip(left, results, strict=True) for more in self._after(task, result)]
        for task in left:
            self._settle(task.stub.checks, "unknown", "OpenJML did not come to an end with it", "")

    def judgement(self, id_: str) -> Judgement:
        """What is known of a question in the end."""
        if id_ in self._final:
            return self._final[id_]
        accept, refute = self._attempts.get((id_, "accept")), self._attempts.get((id_, "refute"))
        if accept and refute and accept.proved and refute.proved:
            return Judgement("undecided", "vacuous", "OpenJML proves both the clause and its negation here")
        verdicts: tuple[tuple[Attempt | None, Verdict], ...] = ((accept, "accepted"), (refute, "rejected"))
        for attempt, verdict in verdicts:
            if attempt and attempt.proved:
                return Judgement(verdict, decided_by=NAME)
        tried = [one for one in (accept, refute) if one is not None]
        telling = next((one for one in tried if one.reason != "unknown"), tried[0] if tried else None)
        if telling is None:
            return Judgement("undecided", "unknown", "it was not asked")
        return Judgement("undecided", telling.reason, telling.detail)

    def settled(self) -> int:
        """How many questions have their answer."""
        return sum(self._is_settled(id_) for id_ in self._questions)

    def _is_settled(self, id_: str) -> bool:
        attempts = [self._attempts.get((id_, polarity)) for polarity in ("accept", "refute")]
        sides = 1 if self._questions[id_].one_sided else 2
        return (
            id_ in self._final or any(a and a.proved for a in attempts) or sum(a is not None for a in attempts) >= sides
        )

    def _check(self, id_: str, polarity: Polarity) -> Check:
        return Check(id_, polarity, self._formulas[id_])

    def _after(self, task: Task, result: Result) -> list[Task]:
        """What follows from a result: attempts are noted, and what is to be asked is returned."""
        checks = task.stub.checks
        if result.kind == "proved":
            self._note(checks, Attempt(True))
            return []
        if result.kind == "unreached":
            return self._again(task, result)
        if result.kind in ("vacuous", "skeleton", "late") or (result.kind == "refused" and not result.bad):
            self._settle(checks, *_ENDINGS[result.kind], result.detail)
            return []
        if result.kind == "refused":
            for index, message in result.bad.items():
                self._settle([checks[index]], "dropped", "OpenJML does not take the clause", message)
            return _tasks(task.stub, [one for i, one in enumerate(checks) if i not in result.bad])
        bad = set(result.bad) or ({0} if len(checks) == 1 else set())
        if not bad:
            half = len(checks) // 2
            return [*_tasks(task.stub, checks[:half]), *_tasks(task.stub, checks[half:])]
        other = []
        for index in sorted(bad):
            other += self._failed(checks[index], result, result.bad.get(index, ""))
        rest = [one for index, one in enumerate(checks) if index not in bad]
        return [*_tasks(task.stub, rest), *_tasks(task.stub, other)]

    def _again(self, task: Task, result: Result) -> list[Task]:
        if not task.alone:
            return [replace(task, alone=bool(result.detail))]
        self._settle(task.stub.checks, "crash", "OpenJML says nothing of it", result.detail)
        return []

    def _failed(self, check: Check, result: Result, not_implemented: str) -> list[Check]:
        """Note that a check is not proved; the check of the other polarity when that is still to be asked."""
        if not_implemented:
            self._settle([check], "unsupported", "OpenJML has no proofs for the clause", not_implemented)
            return []
        if result.kind == "timeout":
            attempt = Attempt(False, "timeout", "OpenJML's time for this question was up")
        elif result.kind == "broken":
            attempt = Attempt(False, "crash", f"OpenJML fails on it: {result.detail}")
        else:
            attempt = Attempt(False, "unknown", "OpenJML proves neither the clause nor its negation")
        self._note([check], attempt)
        question = self._questions[check.question]
        other: Polarity = "refute" if check.polarity == "accept" else "accept"
        if question.one_sided or (check.question, other) in self._attempts:
            return []
        return [self._check(check.question, other)]

    def _note(self, checks: Sequence[Check], attempt: Attempt) -> None:
        for check in checks:
            self._attempts[check.question, check.polarity] = attempt

    def _settle(self, checks: Sequence[Check], reason: str, says: str, detail: str) -> None:
        for check in checks:
            text = f"{says}: {detail}" if detail else says
            self._final.setdefault(check.question, Judgement("undecided", reason, text))


_ENDINGS: Mapping[str, tuple[str, str]] = {
    "late": ("timeout", LATE),
    "vacuous": ("vacuous", "the facts of the pin contradict each other for OpenJML"),
    "skeleton": ("parse_error", "OpenJML does not read the skeleton"),
    "refused": ("unsupported", "OpenJML does not take the facts of the pin"),
}


def _tasks(stub: Stub, checks: Sequence[Check]) -> list[Task]:
    """``stub`` with these checks, if there are any."""
    return [Task(replace(stub, checks=tuple(checks)))] if checks else []
