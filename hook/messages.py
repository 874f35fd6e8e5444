"""The message of a finding: one paragraph that says what was shown, by which test, and what to do about it.

All functions are pure. Messages are one line of printable text: what comes from files is escaped.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from clausefit.hook.contracts.model import Clause, Language
from clausefit.hook.plain import differences, plain_text
from clausefit.hook.plain_scalars import EXIT, RESULT, RETURN
from clausefit.hook.report import Direction, Witness
from clausefit.hook.rules import RULES, advice_for, close
from clausefit.hook.visible import shortened, visible, visible_name

_LONGEST_CLAUSE = 160
_LONGEST_CALL = 240
_SHOWN_PLACES = 3
_LIKE_A_CODE = re.compile(r"\d|-|^CF", re.IGNORECASE)


def message(
    code: str,
    function: str,
    clause: Clause | None,
    witness: Witness | None,
    detail: str = "",
    language: Language = "c",
    place: str = "",
) -> str:
    """The message of a finding, ended by the rule's advice, in the words of the language.

    ``clause`` is the one that is blamed, None for the contract as a whole. ``detail`` is, for CF9xx, the code that the
    suppression names; for the others one more fact, without a full stop, put behind the first sentence. ``place`` is
    where the outcome is wrong, for where the witness does not show it. KeyError for a code that is no rule.
    """
    facts = _Facts(function, clause, witness, visible(detail), language, place)
    what = _SENTENCES[code](facts)
    if detail and not code.startswith("CF9"):
        what = f"{what} ({facts.detail})"
    return f"{what}. {advice_for(RULES[code], language)}"


def split_advice(code: str, text: str) -> tuple[str, str]:
    """A message in two parts: what was shown, and what to do next (empty for a message that was not made here)."""
    rule = RULES.get(code)
    for advice in (rule.advice, rule.java_advice) if rule is not None else ():
        if advice and text.endswith(advice):
            return text.removesuffix(advice).rstrip(), advice
    return text, ""


def names_clause(text: str, clause: str) -> bool:
    """Whether a message begins with the whole clause, so that it need not be shown a second time."""
    return bool(clause.strip()) and " ".join(text.split()).startswith(f"`{' '.join(visible(clause).split())}`")


def fingerprint(*, code: str, file: str, function: str, clause: Clause | None, direction: Direction) -> str:
    """32 hex digits that name a finding across commits: lines may move, labels and white space may change.

    ``file`` is the path below the repository's root, with ``/``. Made of the code, file, function, direction and the
    blamed clause's kind, behavior and formula.
    """
    blamed = None if clause is None else [clause.kind, clause.behavior, " ".join(clause.formula.split())]
    # JSON keeps the parts apart whatever they contain, and ASCII escapes keep lone surrogates encodable.
    text = json.dumps(["clausefit-finding/1", code, file, function, direction, blamed])
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:32]


def call_text(function: str, inputs: Mapping[str, Any], language: Language = "c") -> str:
    """The call as people write it: ``rearm(level = -1)``; long ones are cut.

    Of a Java signature the name is shown, the arguments take the place of the parameter types.
    """
    name = function.partition("(")[0] if language == "java" else function
    arguments = ", ".join(f"{visible(place)} = {plain_text(value, language)}" for place, value in inputs.items())
    return shortened(f"{visible(name)}({arguments})", _LONGEST_CALL)


def origin_text(witness: Witness) -> str:
    """The test that shows the outcome: ``test main (test.c:6)``; a recorded call may come from no known file."""
    place = f" ({visible_name(witness.test_file)}:{witness.test_line})" if witness.test_file else ""
    return f"test {visible(witness.test)}{place}"


@dataclass(frozen=True)
class _Facts:
    """What the sentences are made of."""

    function: str
    blamed: Clause | None
    witness: Witness | None
    detail: str
    language: Language
    mutated: str = ""

    @property
    def frame_word(self) -> str:
        """The keyword of frames."""
        return "assignable" if self.language == "java" else "assigns"

    @property
    def clause(self) -> str:
        """The blamed clause in back quotes, or the contract."""
        if self.blamed is None:
            return "The contract"
        return f"`{shortened(visible(self.blamed.text), _LONGEST_CLAUSE)}`"

    @property
    def call(self) -> str:
        return call_text(self.function, self.witness.inputs if self.witness else {}, self.language)

    @property
    def test(self) -> str:
        return origin_text(self.witness) if self.witness else "a test"

    @property
    def changed(self) -> list[tuple[str, Any, Any]]:
        """Where the wrong outcome differs from the right one."""
        if self.witness is None or self.witness.wrong is None:
            return []
        return differences(self.witness.right, self.witness.wrong, self.witness.inputs)

    @property
    def written(self) -> list[tuple[str, Any, Any]]:
        """The places in memory that the call changed: (place, before, after)."""
        if self.witness is None:
            return []
        before = self.witness.inputs
        after = {name: value for name, value in self.witness.right.items() if name in before and name != RESULT}
        return differences(before, after, before)

    @property
    def right(self) -> str:
        """The whole right outcome."""
        if self.witness is None or not self.witness.right:
            return ""
        if self.language == "java" and EXIT in self.witness.right:
            return _ending(self.witness.right[EXIT])
        return _listed([f"{self.place(place)} = {self.text(value)}" for place, value in self.witness.right.items()])

    @property
    def left_behind(self) -> str:
        """The memory that the right outcome leaves changed, a constructor's new object included."""
        right = self.witness.right.items() if self.witness else ()
        places = [f"{self.place(place)} = {self.text(value)}" for place, value in right if place not in (RESULT, EXIT)]
        return _listed(places) if places else ""

    def text(self, plain: Any) -> str:
        """A plain value as the language writes it."""
        return plain_text(plain, self.language)

    def place(self, place: str) -> str:
        """A place of an outcome as contracts name it."""
        is_within = self.language == "java" and place.startswith((f"{RESULT}.", f"{RESULT}["))
        return f"\\{visible(place)}" if place == RESULT or is_within else visible(place)


def _ending(plain: Any) -> str:
    """How a Java call ended, as a verb: ``returns``, ``throws java.lang.Error``."""
    return "returns" if plain == RETURN else visible(str(plain))


def _listed(parts: list[str]) -> str:
    rest = len(parts) - _SHOWN_PLACES
    return ", ".join(parts[:_SHOWN_PLACES]) + (f" and {rest} more" if rest > 0 else "")


def _accepts(facts: _Facts) -> str:
    """The middle of a too-weak message: the wrong outcome after the call, and what the test shows."""
    changed = facts.changed
    if not changed:
        return f"also accepts a wrong outcome of {facts.call}; {facts.test} shows the right one"
    if facts.language == "java" and changed[0][0] == EXIT:
        _place, right_end, wrong_end = changed[0]
        return f"also accepts that {facts.call} {_ending(wrong_end)}; {facts.test} shows that it {_ending(right_end)}"
    wrong = _listed([f"{facts.place(place)} = {facts.text(new)}" for place, _, new in changed])
    right = _listed([facts.text(value) for _, value, _ in changed])
    return f"also accepts {wrong} after {facts.call}; {facts.test} shows {right}"


def _frame_too_wide(facts: _Facts) -> str:
    missing = f"Without an `{facts.frame_word}` clause the contract lets"
    subject = f"{facts.clause} lets" if facts.blamed else missing
    if not facts.changed:
        place = facts.place(facts.mutated) if facts.mutated else "memory"
        return f"{subject} {place} change, which {facts.call} leaves as it is, as {facts.test} shows"
    place, right, wrong = facts.changed[0]
    # Of an object that a place refers to the contents may change all the same.
    stays = "goes on referring to the same object" if isinstance(right, dict | list) else f"stays {facts.text(right)}"
    shown = f"{facts.test} shows that it {stays}"
    return f"{subject} {facts.place(place)} become {facts.text(wrong)} in {facts.call}; {shown}"


def _precondition_too_weak(facts: _Facts) -> str:
    subject = f"{facts.clause} admits" if facts.blamed else "No `requires` clause excludes"
    how = facts.witness.right.get(EXIT, "failure") if facts.witness else "failure"
    if facts.language == "java" and str(how).startswith("throws "):
        return f"{subject} {facts.call}, but {facts.test} shows that it {_ending(how)}"
    return f"{subject} {facts.call}, but there {facts.test} ends in {facts.text(how)}"


def _postcondition_too_strong(facts: _Facts) -> str:
    outcome = facts.right or "the outcome"
    if facts.language == "java" and facts.witness and EXIT in facts.witness.right:
        return f"{facts.clause} rejects that {facts.call} {outcome}, which {facts.test} shows"
    return f"{facts.clause} rejects {outcome} after {facts.call}, which {facts.test} shows"


def _precondition_too_strong(facts: _Facts) -> str:
    outcome = f" and gives {facts.right}" if facts.right else ""
    return f"{facts.clause} rejects {facts.call}, but {facts.test} shows that the call works{outcome}"


def _frame_too_narrow(facts: _Facts) -> str:
    if not facts.written:
        return f"{facts.clause} forbids a write that {facts.test} shows in {facts.call}"
    changes = [f"{facts.place(p)} from {facts.text(old)} to {facts.text(new)}" for p, old, new in facts.written]
    return f"{facts.clause} forbids a write of {facts.call}: {facts.test} shows that it changes {_listed(changes)}"


def _exception_too_strong(facts: _Facts) -> str:
    ended = facts.witness.right.get(EXIT) if facts.witness else None
    how = _ending(ended) if ended is not None else "throws an exception"
    return f"{facts.clause} forbids that {facts.call} {how}, which {facts.test} shows"


def _invariant_too_strong(facts: _Facts) -> str:
    left = facts.left_behind
    seen = f"that {facts.call} leaves {left}" if left else f"the state in which {facts.call} is called"
    return f"{facts.clause} does not hold: {facts.test} shows {seen}"


def _contradiction(facts: _Facts) -> str:
    subject = "The `requires` clauses cannot hold together" if facts.blamed is None else f"{facts.clause} cannot hold"
    return f"{subject}: no call of {visible(facts.function)} is allowed, so any postcondition can be proved"


def _unknown_code(facts: _Facts) -> str:
    if not facts.detail:
        return "The suppression names no code"
    if _LIKE_A_CODE.search(facts.detail):
        near = close(facts.detail)
        return f"`{facts.detail}` is not a code" + (f"; the nearest is {near.code}" if near is not None else "")
    # A word of the reason, which stands where a code is expected.
    return f"The suppression names no code: `{facts.detail}` is none"


_SENTENCES: dict[str, Callable[[_Facts], str]] = {
    "CF101": lambda f: f"{f.clause} {_accepts(f)}",
    "CF102": lambda f: f"The contract of {visible(f.function)} {_accepts(f)}, and no single clause is to blame",
    "CF103": _frame_too_wide,
    "CF104": _precondition_too_weak,
    "CF105": lambda f: f"{f.clause} rejects no wrong outcome on any input that the tests show",
    "CF106": lambda f: f"{f.clause} {_accepts(f)}",
    "CF201": _postcondition_too_strong,
    "CF202": _precondition_too_strong,
    "CF203": _frame_too_narrow,
    "CF204": lambda f: f"{f.clause} does not hold: {f.call} in {f.test} falls under none of the behaviors",
    "CF205": lambda f: f"{f.clause} does not hold: {f.call} in {f.test} falls under two of the behaviors",
    "CF206": _exception_too_strong,
    "CF207": _invariant_too_strong,
    "CF301": _contradiction,
    "CF302": lambda f: (
        f"The logic definitions that the contract of {visible(f.function)} uses contradict each other: "
        "anything can be proved from them"
    ),
    "CF901": lambda f: f"The comment suppresses {f.detail}, but there is no such finding here",
    "CF902": lambda f: f"The comment suppresses {f.detail} without a reason, so it does not count",
    "CF903": _unknown_code,
}
