"""Asks KeY: one Java process for all scenes, started when it is first needed and again when it is gone.

The protocol is that of ``verifiers/key/README.md``. Whatever happens to the process, every question of the
scene that was under way gets an answer, and the next scene is asked of a new process.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal

from clausefit.verifiers.key_tools import KeyInstallation, Strings
from clausefit.verifiers.process import Conversation, ConversationOver, ToolMissing
from clausefit.verifiers.protocol import Judgement, Polarity, Verdict, VerifierProblem

Math = Literal["java", "bigint"]

QUICK_START = ("-XX:TieredStopAtLevel=1",)
"""Half of the processor time of a start goes into the second compiler."""

LONG_RUN: tuple[str, ...] = ()
"""With the second compiler KeY is twice as fast, after some twenty seconds of a processor for compiling."""

_LOADS_PER_PROCESS = 50
_LOAD_SECONDS = 120.0
_SLACK_SECONDS = 30.0
_UNKNOWN_NAME = re.compile(r"fully qualified name '([^']{1,200})' could not be resolved")
_NOT_BOOLEAN = "the clause is not boolean"
_PLACE = re.compile(r" at <unknown>:\d+:\d+")
_REASONS: Mapping[str, tuple[str, str]] = {
    "timeout": ("timeout", "KeY's time for this question was up"),
    "steps": ("timeout", "KeY's steps for this question were used up"),
    "unasked": ("crash", "KeY did not come to an end with another question about the same call"),
    "open": ("unknown", "KeY proves neither the clause nor its negation"),
    "parse_error": ("unsupported", "KeY does not parse the clause"),
    "type_error": ("unsupported", "KeY does not type the clause"),
    "pins": ("unsupported", "KeY does not take the pins"),
    "scene": ("unsupported", "KeY does not take the scene"),
    "load": ("parse_error", "KeY does not load the skeleton"),
    "identity": ("unknown", "KeY cannot be asked"),
    "doubtful": ("unknown", "the clause may have no value here"),
    "undefined": ("undefined", "the clause has no value here"),
    "disagreement": ("disagreement", "two ways to judge it disagree"),
    "vacuous": ("vacuous", "nothing can be judged here"),
    "out_of_memory": ("crash", "KeY ran out of memory"),
    "stack_overflow": ("crash", "KeY recursed too deeply"),
}


_VERDICTS: Mapping[str, Verdict] = {"accept": "accepted", "refute": "rejected"}


@dataclass(frozen=True)
class KeySkeleton:
    """A folder of Java sources without anything that KeY cannot load, and the arithmetic of clauses.

    ``strings`` says which of their methods are asked about: with fewer it loads faster.
    """

    folder: Path
    math: Math = "java"
    strings: Strings = "all"


@dataclass(frozen=True)
class KeyQuestion:
    """Is ``clause`` (a JML expression) accepted or refuted? ``expected`` is tried first.

    ``outcome`` names one of the scene's; empty: the question is about what ``pins`` fix alone. ``one_sided``: only
    ``expected`` is tried.
    """

    id: str
    clause: str
    expected: Polarity = "accept"
    outcome: str = ""
    one_sided: bool = False


@dataclass(frozen=True)
class KeyOutcome:
    """What may have come of a call: JML facts, and the same as JSON for evaluation (None where there is none)."""

    name: str
    facts: str
    after: str | None = None


@dataclass(frozen=True)
class KeyScene:
    """One pinned call: ``pins`` is a JML expression over ``variables`` (type, name), ``\\result`` and fields.

    ``result`` is the type of ``\\result``; ``exception`` is type and name of the variable that stands for the
    exception thrown. ``pure``: the heap is the same before and after. ``guard``: ask whether the pins are
    contradictory. ``seconds`` is the time for each question. With ``outcomes`` the pins fix the state before, which
    ``before`` says as JSON for evaluation.
    """

    class_name: str
    pins: str
    questions: tuple[KeyQuestion, ...]
    variables: tuple[tuple[str, str], ...] = ()
    result: str | None = None
    exception: tuple[str, str] | None = None
    is_static: bool = False
    pure: bool = False
    guard: bool = True
    seconds: float = 4.0
    before: str | None = None
    outcomes: tuple[KeyOutcome, ...] = ()


@dataclass(frozen=True)
class KeyAnswer:
    """A judgement for every question by its id. ``contradictory``: the pins were proved to be; then none counts."""

    judgements: Mapping[str, Judgement]
    contradictory: bool = False


class KeyDriver:
    """One Java process at a time. Not to be shared by threads. Use as a context manager, or call ``close``."""

    def __init__(
        self,
        installation: KeyInstallation,
        *,
        memory_megabytes: int = 2048,
        cancel: threading.Event | None = None,
        flags: Sequence[str] = QUICK_START,
    ) -> None:
        self._installation = installation
        self._memory = memory_megabytes
        self._cancel = cancel
        self._flags = tuple(flags)
        self._conversation: Conversation | None = None
        self.loaded: KeySkeleton | None = None
        self._refused: tuple[KeySkeleton, tuple[str, str]] | None = None
        self._loads = 0
        self._requests = 0
        self.starts = 0

    def __enter__(self) -> KeyDriver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The number of the Java process; None when none runs."""
        return self._conversation.pid if self._conversation else None

    def close(self) -> None:
        """End the Java process; the next question starts another."""
        if self._conversation is not None:
            self._conversation.close()
        self._conversation, self.loaded, self._loads = None, None, 0

    def ask(self, skeleton: KeySkeleton, scene: KeyScene) -> KeyAnswer:
        """Judgements for all questions of a scene; undecided ones say why.

        Raises VerifierProblem when Java cannot be started, Cancelled when the event was set (the process is then
        gone). Everything else, a process that was killed included, is an answer.
        """
        try:
            if self.loaded != skeleton:
                refusal = self._load(skeleton)
                if refusal is not None:
                    return _all_undecided(scene, *refusal)
            # The stages share a question's time, and the guard has its own.
            limit = scene.seconds * (len(scene.questions) + 1) + _SLACK_SECONDS
            answer = self._request({"scene": _scene(scene)}, limit)
        except ConversationOver as over:
            self.close()
            if over.reason == "timeout":
                return _all_undecided(scene, "timeout", "KeY gave no answer in time and was ended")
            return _all_undecided(scene, "crash", f"the Java process of KeY ended: {_last_words(over.detail)}")
        except BaseException:
            self.close()
            raise
        if answer.get("last") is True:
            self.close()  # one of its questions keeps the process busy for ever
        error = answer.get("error")
        if isinstance(error, dict):
            if error.get("kind") == "out_of_memory":
                self.close()  # what filled the memory may still be held
            return _all_undecided(scene, *_reason(str(error.get("kind")), str(error.get("message"))))
        return _answer(scene, answer)

    def _load(self, skeleton: KeySkeleton) -> tuple[str, str] | None:
        if self._refused is not None and self._refused[0] == skeleton:
            return self._refused[1]
        if self._loads >= _LOADS_PER_PROCESS:
            self.close()  # KeY keeps some megabytes of every load
        self.loaded = None
        request = {
            "skeleton": str(skeleton.folder.resolve()),
            "boot": str(self._installation.libraries[skeleton.strings]),
            "math": skeleton.math,
        }
        answer = self._request({"load": request}, _LOAD_SECONDS)
        self._loads += 1
        error = answer.get("error")
        if isinstance(error, dict):
            refusal = _reason(str(error.get("kind")), str(error.get("message")))
            if refusal[0] == "crash":
                self.close()  # what filled the memory may still be held
            else:
                self._refused = (skeleton, refusal)
            return refusal
        self.loaded = skeleton
        return None

    def _request(self, request: dict[str, object], timeout: float) -> dict[str, object]:
        if self._conversation is None:
            self._conversation = self._start()
        self._requests += 1
        line = json.dumps({"id": self._requests, **request}).encode()
        reply = self._conversation.ask(line, timeout, self._cancel)
        try:
            answer = json.loads(reply)
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or answer.get("id") != self._requests:
            raise ConversationOver("ended", "it gave an answer that is not of the protocol")
        return answer

    def _start(self) -> Conversation:
        installation = self._installation
        argv = installation.command(self._memory, self._flags)
        self.starts += 1
        try:
            return Conversation(argv, cwd=installation.scratch)
        except ToolMissing as problem:
            raise VerifierProblem(f"{installation.java} was not found, or cannot be run") from problem


def _scene(scene: KeyScene) -> dict[str, object]:
    return {
        "class": scene.class_name,
        "static": scene.is_static,
        "pure": scene.pure,
        "variables": [list(variable) for variable in scene.variables],
        "result": scene.result,
        "exception": list(scene.exception) if scene.exception else None,
        "pins": scene.pins,
        "before": json.loads(scene.before) if scene.before is not None else None,
        "outcomes": [
            {"name": o.name, "facts": o.facts, "after": json.loads(o.after) if o.after is not None else None}
            for o in scene.outcomes
        ],
        "questions": [
            {"id": q.id, "outcome": q.outcome, "accept": q.clause, "expected": q.expected, "oneSided": q.one_sided}
            for q in scene.questions
        ],
        "guard": scene.guard,
        "millis": round(scene.seconds * 1000),
    }


def _answer(scene: KeyScene, answer: Mapping[str, object]) -> KeyAnswer:
    answers = answer.get("answers")
    judgements: dict[str, Judgement] = {}
    for each in answers if isinstance(answers, list) else ():
        evaluated = each.get("evaluated")
        evaluated = evaluated if isinstance(evaluated, bool) else None
        verdict = _VERDICTS.get(str(each.get("proved")))
        if verdict is not None:
            by = "evaluation" if each.get("by") == "evaluation" else "key"
            judgement = Judgement(verdict, decided_by=by, evaluated=evaluated)
        else:
            reason, detail = _reason(str(each.get("undecided")), str(each.get("message", "")))
            judgement = Judgement("undecided", reason, detail, evaluated=evaluated)
        judgements[str(each.get("id"))] = judgement
    for question in scene.questions:
        judgements.setdefault(question.id, Judgement("undecided", "dropped", "KeY's driver gave no answer to it"))
    return KeyAnswer(judgements, answer.get("guard") is True)


def _last_words(errors: str) -> str:
    """The last line of a process's error output that is about its end, and not what the logging library always says."""
    lines = [line for line in errors.splitlines() if line.strip() and not line.startswith(("SLF4J", "Picked up "))]
    return lines[-1][:300] if lines else "it said nothing, as when it is killed from outside"


def _all_undecided(scene: KeyScene, reason: str, detail: str) -> KeyAnswer:
    return KeyAnswer({question.id: Judgement("undecided", reason, detail) for question in scene.questions})


def _reason(kind: str, message: str) -> tuple[str, str]:
    unknown = _UNKNOWN_NAME.search(message) if kind == "type_error" else None
    if unknown is not None:
        return "dropped", f"no `{unknown[1]}` is known here"
    if kind == "type_error" and message == _NOT_BOOLEAN:
        return "dropped", message
    reason, sentence = _REASONS.get(kind, ("crash", "KeY failed"))
    return reason, f"{sentence}: {_PLACE.sub('', message)}" if message else sentence
