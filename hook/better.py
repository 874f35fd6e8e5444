"""Better clauses: one small edit of a blamed C clause that fits all that is known of the calls, or none.

It is a suggestion, found by evaluation alone, and so offered only where nothing speaks against it: with the edit the
contract accepts every right outcome and rejects every wrong one of every known call, not only of those that were
asked about; it is the only edit that does; and of none of the others evaluation is unsure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from clausefit.hook import c_formulas
from clausefit.hook.c_values import access
from clausefit.hook.clause_edits import LOOSER, TIGHTER, Edit, edits, written
from clausefit.hook.clause_in_place import lines_with
from clausefit.hook.contracts.model import Clause, Contract
from clausefit.hook.expect.evaluate import Effort
from clausefit.hook.frame_locations import Cells, locations_of
from clausefit.hook.guess import Evaluation
from clausefit.hook.mutants import Location, Mutant, mutants_of, writable_blocks
from clausefit.hook.not_expressible import NotExpressible
from clausefit.hook.pins.values import Failed, Pin, Returned, Unknown, leaves, values_of
from clausefit.hook.report import Better, Finding
from clausefit.hook.speech import C_SPEECH

TABLES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "CF101": TIGHTER,
    "CF104": {old: tuple(new for new in every if new != "==") for old, every in TIGHTER.items()},
    "CF201": LOOSER,
    "CF202": LOOSER,
}
"""The edits of operators by rule. That all tests call with one equal to the other makes that no precondition."""
FRAME = "CF203"

_MOST_EDITS = 24
_MOST_PINS = 100
_MOST_CELLS = 2000
_MOST_WRONG = 2000
_STEPS = 1_000_000


@dataclass(frozen=True)
class Calls:
    """All known calls of a contract's function, each once, and what formulas are on them."""

    pins: tuple[Pin, ...]
    evaluate: Evaluation


def better(finding: Finding, contract: Contract, calls: Calls, text_of: Callable[[str], str | None]) -> Better | None:
    """The one edit of the finding's clause that fits all calls, in its file; None where there is none for certain.

    ``text_of`` gives the decoded text of a file of the judged state.
    """
    clause = _blamed(finding, contract)
    text = text_of(clause.file) if clause is not None else None
    if clause is None or text is None or written(text, clause) is None or not _is_bounded(calls.pins):
        return None
    fit = _Fit(contract, clause, calls)
    if not fit.is_known:
        return None
    if finding.code == FRAME:
        found = _appended(text, clause, fit.lacking())
    else:
        names = {"\\result", *(p.name for p in contract.parameters), *fit.variables}
        found = edits(text, clause, TABLES[finding.code], names)
    edit = _only_fitting(found, lambda one: fit.judged(finding.code, written(text, clause, one)))
    edited = written(text, clause, edit) if edit is not None else None
    if edit is None or edited is None:
        return None
    lines = lines_with(text, clause, edit, edited)
    return Better(edited.text, lines, len(calls.pins)) if lines is not None else None


def _blamed(finding: Finding, contract: Contract) -> Clause | None:
    if contract.language != "c" or (finding.code not in TABLES and finding.code != FRAME):
        return None
    place = finding.file, finding.line, finding.column, finding.clause
    found = [
        one
        for one in contract.clauses
        if (one.file, one.span.line, one.span.column, (one.kind, one.text)) == place and not one.implicit
    ]
    return found[0] if len(found) == 1 else None


def _is_bounded(pins: Sequence[Pin]) -> bool:
    """Whether all calls together are few and small enough to be looked at one by one."""
    cells = 0
    for pin in pins:
        for value in values_of(pin):
            for _leaf in leaves(value):
                cells += 1
                if cells > _MOST_CELLS:
                    return False
    return 0 < len(pins) <= _MOST_PINS


def _only_fitting(found: Sequence[Edit], judged: Callable[[Edit], bool | None]) -> Edit | None:
    """The edit that fits, if the others surely do not."""
    if len(found) > _MOST_EDITS:
        return None
    verdicts = [judged(edit) for edit in found]
    if None in verdicts or verdicts.count(True) != 1:
        return None
    return found[verdicts.index(True)]


def _appended(text: str, clause: Clause, locations: Sequence[str]) -> list[Edit]:
    """The ``assigns`` clause with one location more. What a ``\\from`` says belongs to all before it: none then."""
    start, end = clause.span.start, clause.span.end
    if "\\from" in text[start:end]:
        return []
    if clause.locations == ("\\nothing",):
        start = text.index("\\nothing", start, end)
        return [Edit(start, start + len("\\nothing"), location) for location in locations]
    return [Edit(end, end, f", {location}") for location in locations]


@dataclass
class _Fit:
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
        self.is_known = fits and sum(map(len, self.wrong.values())) <= _MOST_WRONG

    # -- one formula --------------------------------------------------------------------------------------------

    def _holds(self, pin: Pin, mutant: Mutant | None, formula: str) -> bool | None:
        return self.calls.evaluate(pin, mutant, _names(pin), formula, self.effort)

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
        cell = mutant.location
        frames = self._frames(new, [_lvalue(pin, cell)]) if cell.block is not None else []
        accepted = self._all(pin, mutant, (*self._ensures(new), *frames))
        return None if accepted is None else not accepted

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
        if code in ("CF101", "CF104"):
            yield self._is_shown_twice(code)
        if new.kind == "requires":
            yield from self._on_inputs(new)
            return
        own = new.kind == "ensures"
        for index, pin in enumerate(self.returned):
            yield (
                self._holds(pin, None, c_formulas.postcondition(self.contract, new))
                if own
                else self._is_framed(pin, new)
            )
            yield from self._on_wrong(index, pin, new)

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
        return self._holds(pin, None, c_formulas.postcondition(self.contract, new))

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
        found: list[tuple[Pin, Cells]] = []
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
            found.append((pin, frozenset(lacking)))
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


def improved(
    findings: Sequence[Finding], contract: Contract, calls: Calls, text_of: Callable[[str], str | None]
) -> tuple[Finding, ...]:
    """The findings about a contract, each with the better clause where one is known; as for ``better``."""
    return tuple(replace(one, better=better(one, contract, calls, text_of)) for one in findings)
