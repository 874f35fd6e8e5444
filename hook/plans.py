"""The plan of a contract: what is asked about it, of which pins and mutants, and what could not be asked.

``questions.py`` makes the plans of C contracts, ``java/questions.py`` those of Java contracts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, TypeVar

from clausefit.hook.contracts.model import Contract
from clausefit.hook.mutants import Location, Mutant, writable_blocks
from clausefit.hook.pins.values import Failed, Ignored, Pin, Returned, Unknown, Value, leaves
from clausefit.hook.speech import C_SPEECH, Speech
from clausefit.verifiers.protocol import JavaScene, Judgement, Question, Scene

Role = Literal[
    "requires",
    "admits",
    "admitted",
    "ensures",
    "frame",
    "cover",
    "wrong",
    "fails",
    "kill",
    "silent",
    "guard",
    "vacuity",
]
_OF_RETURNS = frozenset({"ensures", "initially"})
_OF_EXCEPTIONS = frozenset({"signals", "signals_only"})
StubT = TypeVar("StubT")
Guess = Callable[[StubT, Pin, "Mutant | None", str], "bool | None"]
"""What evaluation says of a formula on an outcome; only used to ask the likely polarity first."""


def no_guess(_stub: Any, _pin: Pin, _mutant: Mutant | None, _formula: str) -> bool | None:
    """The guess of a plan without evaluation: nothing is known."""
    return None


@dataclass(frozen=True)
class Asked:
    """A question with what it is about: clause indexes, pin index and mutant.

    For a guard ``guarded`` are the questions whose answers are void when the guard's formula is proved, too.
    ``parts`` are the clauses whose conjunction is asked about a wrong outcome.
    """

    question: Question
    role: Role
    clauses: tuple[int, ...] = ()
    pin: int | None = None
    mutant: Mutant | None = None
    guarded: tuple[str, ...] = ()
    parts: tuple[int, ...] = ()


@dataclass(frozen=True)
class Limits:
    """How much is asked: ``pins`` score and get mutants, ``more_pins`` only show right outcomes; ``mutants`` score."""

    pins: int = 5
    more_pins: int = 15
    mutants: int = 5


@dataclass
class Plan(Generic[StubT]):
    """Everything asked about one contract so far.

    ``post_kinds`` are the kinds of clauses that speak of outcomes. ``more`` makes the questions that the first answers
    call for. ``may_reject`` says whether a formula may reject a wrong outcome of a call that is known, asked or not.
    """

    contract: Contract
    pins: tuple[Pin, ...]
    prefix: str
    limits: Limits
    uses_logic: bool = True
    guess: Guess[StubT] = no_guess
    speech: Speech = C_SPEECH
    post_kinds: frozenset[str] = frozenset({"ensures"})
    more: Callable[[Plan[StubT], Mapping[str, Judgement]], list[Asked]] = field(default=lambda _plan, _answers: [])
    may_reject: Callable[[str], bool] = lambda _formula: False
    stubs: dict[int, StubT] = field(default_factory=dict)
    mutants: dict[int, tuple[Mutant, ...]] = field(default_factory=dict)
    scenes: list[Scene | JavaScene] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    count: int = 0
    """How many questions there were, taken out ones too: ids are never used twice."""
    some_left_out: bool = False
    """Whether there is a location of an outcome all of whose mutants were left out."""
    unshown: set[int] = field(default_factory=set)
    """Clauses that were not asked on some pin, since its test does not show what they speak of."""
    ignored: list[Ignored] = field(default_factory=list)
    unaskable: dict[int, str] = field(default_factory=dict)
    refused: set[int] = field(default_factory=set)
    """Those of the clauses that cannot be asked which are no right JML: a name that is not known, a wrong type."""
    formulas: dict[int, str] = field(default_factory=dict)
    frames: dict[str | None, tuple[int, ...]] = field(default_factory=dict)

    def add(self, asked: Asked) -> None:
        """Add a question under a new id, with the polarity that evaluation expects where it knows.

        Where the test does not show all of the outcome, most questions have no answer: the slow provers are spared.
        """
        hard = asked.pin is None or not is_partial(self.pins[asked.pin])
        question = replace(asked.question, id=f"{self.prefix}.{self.count}", hard=hard)
        self.count += 1
        guess = None if question.one_sided else self.guessed(asked.pin, asked.mutant, question.formula)
        if guess is not None:
            question = replace(question, expected="accept" if guess else "refute", confirmed=True)
        self.asked.append(replace(asked, question=question))

    def guessed(self, pin: int | None, mutant: Mutant | None, formula: str) -> bool | None:
        """What evaluation says of ``formula`` on this outcome of a pin; None when it cannot tell."""
        if pin is None or pin not in self.stubs:
            return None
        return self.guess(self.stubs[pin], self.pins[pin], mutant, formula)

    def is_scoring(self, pin: int) -> bool:
        """True for the pins that score and get mutants."""
        returned = [i for i, p in enumerate(self.pins) if isinstance(p.outcome, Returned)]
        return pin in returned[: self.limits.pins]

    def some_requires_open(self) -> bool:
        """Whether a precondition cannot be asked: then of no call it is known that the contract admits it."""
        return any(self.contract.clauses[i].kind == "requires" for i in self.unaskable)

    def post_clauses(self) -> list[int]:
        """Indexes of the clauses about outcomes (``ensures``, in Java also ``signals``, …) that can be asked."""
        return [i for i, c in enumerate(self.contract.clauses) if c.kind in self.post_kinds and i in self.formulas]

    def posts_at(self, pin: int) -> list[int]:
        """Those of ``post_clauses`` that speak of outcomes like the pin's: a return, or an exception."""
        thrown = isinstance(self.pins[pin].outcome, Failed)
        other = _OF_RETURNS if thrown else _OF_EXCEPTIONS
        return [i for i in self.post_clauses() if self.contract.clauses[i].kind not in other]

    def blamable(self) -> list[int]:
        """Indexes of the written ``ensures`` clauses that can be asked: what a too weak contract can be blamed on."""
        clauses = self.contract.clauses
        return [i for i in self.post_clauses() if clauses[i].kind == "ensures" and not clauses[i].implicit]


def shows_outcome(pin: Pin) -> bool:
    """True when the test shows anything of the outcome, or the call has none (void, and no memory to write)."""
    if not isinstance(pin.outcome, Returned):
        return True
    result = pin.outcome.result
    values = [value for block, value in pin.outcome.after if block in writable_blocks(pin)]
    values += [result] if result is not None else []
    shown = [leaf for value in values for _path, leaf in leaves(value)]
    return not shown or any(not isinstance(leaf, Unknown) or bool(leaf.not_equal) for leaf in shown)


def is_partial(pin: Pin) -> bool:
    """True when the test does not show the whole outcome."""
    if not isinstance(pin.outcome, Returned):
        return False
    values = [v for _b, v in pin.outcome.after] + ([pin.outcome.result] if pin.outcome.result is not None else [])
    return any(isinstance(leaf, Unknown) for value in values for _path, leaf in leaves(value))


def open_places(pin: Pin) -> list[Location]:
    """The places that a test does not show of an outcome: of memory that the call may write, and of the result."""
    if not isinstance(pin.outcome, Returned):
        return []
    writable = writable_blocks(pin)
    values: list[tuple[str | None, Value]] = [(b, v) for b, v in pin.outcome.after if b in writable]
    if pin.outcome.result is not None:
        values.append((None, pin.outcome.result))
    return [Location(b, path) for b, value in values for path, leaf in leaves(value) if isinstance(leaf, Unknown)]


def admits_some_input(plan: Plan[Any], judgements: Mapping[str, Judgement]) -> bool:
    """Whether the precondition is proved to hold for some pin, and so cannot be contradictory."""
    failed: set[int | None] = set()
    for asked in plan.asked:
        if asked.role == "requires" and judgements[asked.question.id].verdict != "accepted":
            failed.add(asked.pin)
    return any(isinstance(plan.pins[index].outcome, Returned) and index not in failed for index in plan.stubs)


def kill_questions(
    plan: Plan[Any], judgements: Mapping[str, Judgement], idle: Callable[[], Sequence[int]]
) -> list[Asked]:
    """The questions which clause rejects which mutant: only asked where that tells whom to blame.

    ``idle`` gives the clauses that are worth asking although no wrong outcome was accepted.
    """
    wrong = [a for a in plan.asked if a.role == "wrong"]
    # Whom another kind of exit is blamed on does not depend on it.
    values = [a for a in wrong if a.mutant is not None and not a.mutant.exit]
    accepted = any(judgements[a.question.id].verdict == "accepted" for a in values)
    rejected = [a for a in values if judgements[a.question.id].verdict == "rejected"]
    if len(plan.post_clauses()) < 2:
        return []
    clauses = plan.post_clauses() if accepted else idle()
    found = []
    for whole in rejected:
        for number in clauses:
            if whole.parts and number not in whole.parts:
                continue
            formula = plan.formulas[number]
            question = replace(whole.question, formula=formula, expected="refute", group="kill", one_sided=False)
            found.append(Asked(question, "kill", (number,), whole.pin, whole.mutant))
    return found
