"""A C contract on all known calls of its function, with another clause in place of one: evaluation alone.

Every answer is True, False, or None where evaluation is not sure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from clausefit.hook import c_formulas
from clausefit.hook.c_values import access
from clausefit.hook.contracts.model import Clause, Contract
from clausefit.hook.expect.evaluate import Effort
from clausefit.hook.frame_locations import Writes, locations_of
from clausefit.hook.guess import Evaluation
from clausefit.hook.mutants import Location, Mutant, mutants_of, writable_blocks
from clausefit.hook.not_expressible import NotExpressible
from clausefit.hook.pins.values import Failed, Pin, Returned, Unknown, leaves
from clausefit.hook.speech import C_SPEECH

_MOST_WRONG = 2000
_STEPS = 300_000
_TIGHTENING = ("CF101", "CF104")


@dataclass(frozen=True)
class Calls:
    """All known calls of a contract's function, each once, and what formulas are on them."""

    pins: tuple[Pin, ...]
    evaluate: Evaluation


@dataclass
class Fit:
    """A contract on all its known calls, as it is and with another clause in place of the blamed one."""

    contract: Contract
    clause: Clause
    calls: Calls
    effort: Effort = field(default_factory=lambda: Effort(_STEPS))

    def __post_init__(self) -> None:
        pins = self.calls.pins
        self.returned = [pin for pin in pins if isinstance(pin.outcome, Returned)]
        self.failed = [pin for pin in pins if isinstance(pin.outcome, Failed)]
        self.variables = {block.program for pin in pins for block in pin.blocks if block.program is not None}
        self.wrong: dict[int, tuple[Mutant, ...]] = {i: mutants_of(p, pins) for i, p in enumerate(self.returned)}
        fits = all(len(pin.arguments) == len(self.contract.parameters) for pin in pins)
        self._known: dict[tuple[int, str], bool | None] = {}
        self.is_known = fits and sum(map(len, self.wrong.values())) <= _MOST_WRONG

    # -- one formula --------------------------------------------------------------------------------------------

    def _holds(self, pin: Pin, mutant: Mutant | None, formula: str) -> bool | None:
        key = (id(pin), formula)
        if mutant is None and key in self._known:
            return self._known[key]
        holds = self.calls.evaluate(pin, mutant, _names(pin), formula, self.effort)
        if mutant is None:
            self._known[key] = holds
        return holds

    def _all(self, pin: Pin, mutant: Mutant | None, formulas: Iterable[str]) -> bool | None:
        """The conjunction, which one that does not hold decides."""
        result: bool | None = True
        for formula in formulas:
            holds = self._holds(pin, mutant, formula)
            if holds is False:
                return False
            result = None if holds is None else result
        return result

    # -- the contract ---------------------------------------------------------------------------------------------

    def _clauses(self, new: Clause | None) -> list[Clause]:
        return [new if new is not None and one == self.clause else one for one in self.contract.clauses]

    def _requires(self, new: Clause | None) -> list[str]:
        return [c_formulas.precondition(self.contract, c) for c in self._clauses(new) if c.kind == "requires"]

    def _ensures(self, new: Clause | None) -> list[str]:
        return [c_formulas.postcondition(self.contract, c) for c in self._clauses(new) if c.kind == "ensures"]

    def _covering(self) -> list[str]:
        kinds = ("complete", "disjoint")
        return [c_formulas.covering(self.contract, c) for c in self.contract.clauses if c.kind in kinds]

    def _frames(self, new: Clause | None, cells: Sequence[str]) -> list[str]:
        by_behavior: dict[str | None, list[Clause]] = {}
        for clause in self._clauses(new):
            if clause.kind == "assigns":
                by_behavior.setdefault(clause.behavior, []).append(clause)
        return [c_formulas.frame(self.contract, clauses, cells) for clauses in by_behavior.values()]

    def _accepts_right(self, pin: Pin, new: Clause | None) -> bool | None:
        cells = _changed(pin)
        if cells is None:
            return None
        frames = self._frames(new, [_lvalue(pin, cell) for cell in cells]) if cells else []
        return self._all(pin, None, (*self._covering(), *self._ensures(new), *frames))

    def _rejects(self, pin: Pin, mutant: Mutant, new: Clause | None) -> bool | None:
        """Whether a wrong outcome is rejected by what accepts the right one: what rejects both needs mending itself."""
        cell = mutant.location
        frames = self._frames(new, [_lvalue(pin, cell)]) if cell.block is not None else []
        on_right = {formula: self._holds(pin, None, formula) for formula in (*self._ensures(new), *frames)}
        accepted = self._all(pin, mutant, (formula for formula, holds in on_right.items() if holds))
        if accepted is None or (accepted and None in on_right.values()):
            return None
        return not accepted

    # -- what an edit must do -------------------------------------------------------------------------------------

    def judged(self, code: str, new: Clause | None) -> bool | None:
        """Whether the contract fits all calls with ``new`` for its blamed clause; None where that is not known."""
        if new is None:
            return None
        try:
            return _every(self._demands(code, new))
        except NotExpressible:
            return None

    def _demands(self, code: str, new: Clause) -> Iterable[bool | None]:
        if code in _TIGHTENING:
            yield self._is_shown_twice(code)
        if new.kind == "requires":
            yield from self._on_inputs(new)
            return
        right = self._is_right if new.kind == "ensures" else self._is_framed
        for index, pin in enumerate(self.returned):
            yield right(pin, new)
            yield from self._on_wrong(index, pin, new)
        if new.kind == "ensures":
            yield from (self._is_of_use(one) for one in self._clauses(new) if one.kind == "ensures")

    def _on_inputs(self, new: Clause) -> Iterable[bool | None]:
        for pin in self.failed:
            accepted = self._all(pin, None, self._requires(new))
            yield None if accepted is None else not accepted
        for index, pin in enumerate(self.returned):
            yield self._all(pin, None, self._requires(new))
            if self._all(pin, None, self._requires(None)) is not True:
                # The other clauses speak of this call as soon as it is allowed.
                yield self._accepts_right(pin, new)
                yield from self._on_wrong(index, pin, new)

    def _on_wrong(self, index: int, pin: Pin, new: Clause) -> Iterable[bool | None]:
        for mutant in self.wrong[index]:
            rejected = self._rejects(pin, mutant, new)
            # What may become of memory that the call leaves alone is another finding, there before and after.
            is_of_frame = mutant.untouched and new.kind == "ensures" and rejected is False
            yield True if is_of_frame and self._rejects(pin, mutant, None) is False else rejected

    def _is_right(self, pin: Pin, new: Clause) -> bool | None:
        holds = self._holds(pin, None, c_formulas.postcondition(self.contract, new))
        if holds is None and self.effort.steps > 0:
            # An edit after which the clause reads beyond an array, where it did not, is none that could be meant.
            had_value = self._holds(pin, None, c_formulas.postcondition(self.contract, self.clause)) is not None
            return False if had_value else None
        return holds

    def _is_framed(self, pin: Pin, new: Clause) -> bool | None:
        cells = _changed(pin)
        if cells is None:
            return None
        return self._all(pin, None, self._frames(new, [_lvalue(pin, cell) for cell in cells])) if cells else True

    def _is_shown_twice(self, code: str) -> bool:
        """Whether more than one call speaks for what tightens a clause: different outcomes, or allowed inputs."""
        if code == "CF104":
            return len(self.returned) > 1
        shown = [[o.result, *(v for _b, v in o.after)] for p in self.returned if isinstance(o := p.outcome, Returned)]
        return any(one != shown[0] for one in shown)

    def _is_of_use(self, clause: Clause) -> bool | None:
        """Whether the clause rejects a wrong outcome, or is not there for that: an idle one is a finding (CF105)."""
        formula = c_formulas.postcondition(self.contract, clause)
        cases = [(pin, mutant) for index, pin in enumerate(self.returned) for mutant in self.wrong[index]]
        if not cases or C_SPEECH.is_memory_safety(clause):
            return True
        unsure = False
        for pin, mutant in cases:
            holds = self._holds(pin, mutant, formula)
            if holds is False:
                return True
            unsure |= holds is None
        return None if unsure else False

    # -- frames ---------------------------------------------------------------------------------------------------

    def lacking(self) -> list[str]:
        """The locations that mean just the cells that calls write and the blamed clause's frame lacks."""
        same = [c for c in self.contract.clauses if c.kind == "assigns" and c.behavior == self.clause.behavior]
        found: list[Writes] = []
        for pin in self.returned:
            changed = _changed(pin)
            if changed is None:
                return []
            lacking = set()
            for cell in changed:
                try:
                    formula = c_formulas.frame(self.contract, same, [_lvalue(pin, cell)])
                except NotExpressible:
                    return []
                holds = self._holds(pin, None, formula)
                if holds is None:
                    return []
                lacking |= set() if holds else {cell}
            found.append(Writes(pin, frozenset(changed), frozenset(lacking)))
        return locations_of(self.contract, found) if found else []


def _every(verdicts: Iterable[bool | None]) -> bool | None:
    """Kleene's conjunction."""
    result: bool | None = True
    for verdict in verdicts:
        if verdict is False:
            return False
        result = None if verdict is None else result
    return result


def _names(pin: Pin) -> dict[str, str]:
    """How formulas call the pin's blocks; contracts have no names like these (see ``c_formulas.check_formula``)."""
    return {block.id: block.program or f"cf_m{number}" for number, block in enumerate(pin.blocks)}


def _lvalue(pin: Pin, cell: Location) -> str:
    names = _names(pin)
    if cell.block not in names:
        raise NotExpressible("the memory is not that of the call's input")
    return access(names[cell.block], cell.path)


def _changed(pin: Pin) -> list[Location] | None:
    """The cells that the call wrote; None where the test does not show all that it may have."""
    assert isinstance(pin.outcome, Returned)  # noqa: S101 - only asked of returned calls
    after, found = dict(pin.outcome.after), []
    for block in pin.blocks:
        if block.constant or block.id not in writable_blocks(pin):
            continue
        if block.id not in after:
            return None
        before = dict(leaves(block.value))
        for path, leaf in leaves(after[block.id]):
            if isinstance(leaf, Unknown) or isinstance(before.get(path), Unknown):
                return None
            if before.get(path) != leaf:
                found.append(Location(block.id, path))
    return found
