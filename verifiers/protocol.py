"""What a verifier is asked and what it answers.

A *unit* is what is loaded together (for C: one source file with what it includes). It holds *scenes*, one
for each pin: a stub that fixes the inputs and leaves the outcome open. A *question* belongs to a scene
and asks whether a formula is accepted or rejected under a hypothesis that fixes one outcome. Only a proof
decides: ``accepted`` when the formula is proved, ``rejected`` when its negation is; all else is undecided,
with its reason. Verifiers know nothing of git, tests or GitHub: text in, judgements out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeVar

Polarity = Literal["accept", "refute"]
Verdict = Literal["accepted", "rejected", "undecided"]


@dataclass(frozen=True)
class Question:
    """A closed question of a scene.

    To accept is to prove ``hypothesis ==> formula``, to refute ``hypothesis ==> !formula``. ``expected``
    is asked first. Questions of one scene with the same ``group`` are first asked together in the expected
    polarity. ``one_sided``: the other polarity is never asked (a guard). ``hard``: worth the slow provers.
    ``confirmed``: ``expected`` is not a habit, it was computed by evaluating the formula. ``brief``: only what is
    answered quickly; what is not will be asked again, so that its being open is not remembered.
    """

    id: str
    scene: str
    hypothesis: str
    formula: str
    expected: Polarity
    group: str
    one_sided: bool = False
    hard: bool = True
    confirmed: bool = False
    brief: bool = False


@dataclass(frozen=True)
class Scene:
    """A stub of one pin: declarations before it, what is assumed at entry, and the function itself."""

    name: str
    declarations: str
    assumption: str
    function: str


@dataclass(frozen=True)
class Unit:
    """Scenes that are loaded together. ``files`` are written (relative path → text) before ``prelude`` is read.

    ``options`` are preprocessor options, each one argument.
    """

    name: str
    files: tuple[tuple[str, str], ...]
    prelude: str
    options: tuple[str, ...] = ()
    scenes: tuple[Scene, ...] = ()
    questions: tuple[Question, ...] = ()


@dataclass(frozen=True)
class JavaOutcome:
    """One outcome of a pinned Java call, right or wrong: as JML facts for proving, and as plain data for evaluating.

    ``name`` is what ``Question.hypothesis`` says. ``facts`` is a JML expression over the scene's variables,
    ``\\result``, the fields and ``cf_exc`` (the exception thrown, or null). ``after`` is JSON: ``{"state": STATE,
    "result": V or null, "exception": qualified type or null}``; for STATE and V see ``verifiers/key/README.md``.
    """

    name: str
    facts: str
    after: str


@dataclass(frozen=True)
class JavaScene:
    """One pinned call of a method of ``class_name`` (qualified), with its outcomes.

    ``variables`` are (erased type, name): the parameters, and ``cf_bN`` for objects that no parameter names.
    ``result`` is the erased type of ``\\result``, None for void. ``facts`` is a JML expression that fixes the state
    before the call (``\\old(...)`` throughout); ``before`` is the same state as JSON STATE.
    """

    name: str
    class_name: str
    is_static: bool
    variables: tuple[tuple[str, str], ...]
    result: str | None
    facts: str
    before: str
    outcomes: tuple[JavaOutcome, ...]


@dataclass(frozen=True)
class JavaUnit:
    """Java scenes over one skeleton. ``files`` (relative path → text) are sources that hold just what the clauses need.

    ``math`` is the arithmetic of clauses: ``java`` wraps around, ``bigint`` does not. The hypothesis of a
    question is the name of an outcome, or empty for a question about the state before the call alone.
    """

    name: str
    files: tuple[tuple[str, str], ...]
    math: Literal["java", "bigint"]
    scenes: tuple[JavaScene, ...] = ()
    questions: tuple[Question, ...] = ()


@dataclass(frozen=True)
class Judgement:
    """The answer to one question.

    ``reason`` is empty for a decided one, else one of ``timeout``, ``unknown``, ``crash``, ``dropped``,
    ``unsupported``, ``undefined`` (a Java clause that has no value here), ``disagreement``, ``parse_error`` (the unit
    as a whole), ``verifier_missing``, ``interrupted``; ``detail`` is a sentence for people. ``decided_by`` is the
    verifier's name, or ``evaluation``. ``evaluated`` is what evaluation says of the formula, None when it cannot tell.
    """

    verdict: Verdict
    reason: str = ""
    detail: str = ""
    decided_by: str = ""
    cached: bool = False
    evaluated: bool | None = None


@dataclass(frozen=True)
class Info:
    """The verifier's name, its version and its provers, for the report."""

    name: str
    version: str
    provers: tuple[str, ...] = ()


@dataclass
class Tally:
    """What the work cost: goals sent to a verifier, verifier processes started, answers from the cache."""

    goals: int = 0
    processes: int = 0
    cached: int = 0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0


class VerifierProblem(Exception):  # noqa: N818 - a state of affairs, not a mistake
    """The verifier cannot be used at all; the message is one line that says what to do."""


@dataclass(frozen=True)
class Hooks:
    """What a caller may watch: ``advance(n)`` is told how many questions got their answer."""

    advance: Callable[[int], None] = field(default=lambda _n: None)


U_contra = TypeVar("U_contra", contravariant=True)


class Verifier(Protocol[U_contra]):
    """One native verifier, for units of one language (``Unit`` for C, ``JavaUnit``)."""

    def info(self) -> Info:
        """Name, version, provers; VerifierProblem when it is not usable."""
        ...

    def judge(self, unit: U_contra, hooks: Hooks) -> Mapping[str, Judgement]:
        """A judgement for every question of the unit, by question id."""
        ...

    def known(self, unit: U_contra) -> Mapping[str, Judgement]:
        """What ``judge`` would say without asking anything, of those questions that it would not ask any more.

        No process is started.
        """
        ...
