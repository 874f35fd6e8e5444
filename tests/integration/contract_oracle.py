"""What brute force says of generated contracts: Python predicates on the pins and mutants that the product uses.

Pins are turned into plain Python values; nothing of the product's own evaluation is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clausefit.hook.mutants import Location, Mutant
from clausefit.hook.pins.values import (
    Array,
    Floating,
    Integer,
    Pin,
    Pointer,
    Returned,
    Struct,
    Unknown,
    Value,
    at,
    leaves,
    replaced,
)
from clausefit.hook.questions import Asked, Plan
from contract_generator import Call, Cell, Clause, Item, Memory


class NotShown(Exception):  # noqa: N818 - a state of affairs
    """A pin with a value that the test does not show, which every generated test does."""


def plain(value: Value) -> Any:
    """A number, a list or a dict of fields; NotShown for a value that the test leaves open."""
    if isinstance(value, Integer):
        return value.value
    if isinstance(value, Floating):
        return value.number
    if isinstance(value, Array):
        return [plain(element) for element in value.elements]
    if isinstance(value, Struct):
        return {name: plain(member) for name, member in value.fields}
    raise NotShown(str(value))


@dataclass(frozen=True)
class Observed:
    """A pin of an item, read as plain values."""

    item: Item
    pin: Pin

    @property
    def outcome(self) -> Returned:
        """The right outcome."""
        assert isinstance(self.pin.outcome, Returned), self.item.title
        return self.pin.outcome

    def _targets(self) -> dict[str, Pointer]:
        """What each pointer argument points to; each global variable is its own target."""
        formals = [p for p in self.item.family.params if p.shape != "global"]
        found = {
            p.name: value
            for p, (_name, value) in zip(formals, self.pin.arguments, strict=True)
            if isinstance(value, Pointer)
        }
        for block in self.pin.blocks:
            for param in self.item.family.params:
                if param.shape == "global" and block.program == self.item.renamed(param.name):
                    found[param.name] = Pointer(block.id, (), "")
        return found

    def _memory(self, blocks: dict[str, Value]) -> Memory:
        formals = [p for p in self.item.family.params if p.shape != "global"]
        memory = {p.name: v for p, (_n, v) in zip(formals, self.pin.arguments, strict=True)}
        read = {name: plain(v) for name, v in memory.items() if not isinstance(v, Pointer)}
        for name, target in self._targets().items():
            path = target.path[:-1] if target.path and target.path[-1] == 0 else target.path
            read[name] = plain(at(blocks[target.block], path))
        return read

    def call(self, mutant: Mutant | None = None) -> Call:
        """The call with its right outcome, or with the mutant's."""
        before = {block.id: block.value for block in self.pin.blocks}
        after, result = dict(self.outcome.after), self.outcome.result
        if mutant is not None and mutant.location.block is None:
            assert result is not None
            result = replaced(result, mutant.location.path, mutant.wrong)
        elif mutant is not None and mutant.location.block is not None:
            block = mutant.location.block
            after[block] = replaced(after[block], mutant.location.path, mutant.wrong)
        return Call(self._memory(before), self._memory(after), None if result is None else plain(result))

    def cell(self, location: Location) -> Cell:
        """The memory location by the name of the parameter that reaches it."""
        for name, target in self._targets().items():
            if target.block == location.block:
                return name, location.path
        for block in self.pin.blocks:
            # A variable of another item, which the same program sets.
            if block.id == location.block and block.program is not None:
                return block.program, location.path
        raise AssertionError(f"{self.item.title}: nothing reaches {location}")

    def written(self) -> set[Cell]:
        """The cells that the right outcome is known to change."""
        before = {block.id: dict(leaves(block.value)) for block in self.pin.blocks}
        return {
            self.cell(Location(block, path))
            for block, value in self.outcome.after
            for path, leaf in leaves(value)
            if before[block][path] != leaf and not isinstance(leaf, Unknown)
        }

    def keeps(self, mutant: Mutant) -> bool:
        """Whether the wrong value is the one before the call, so that the mutant writes nothing there."""
        block = next(b for b in self.pin.blocks if b.id == mutant.location.block)
        return at(block.value, mutant.location.path) == mutant.wrong


class Oracle:
    """Judges the clauses of one item on the pins of its plan."""

    def __init__(self, item: Item, plan: Plan) -> None:
        self.item, self.plan = item, plan
        self.observed = [Observed(item, pin) for pin in plan.pins]
        by_text = {(c.behavior, f"{c.kind} {item.renamed(c.text)}"): c for c in item.clauses}
        assert len(by_text) == len(item.clauses) == len(plan.contract.clauses), item.title
        self.clauses = [by_text[clause.behavior, clause.text] for clause in plan.contract.clauses]

    def _active(self, clause: Clause, call: Call) -> bool:
        return clause.behavior is None or all(
            other.holds(call) for other in self.clauses if other.kind == "assumes" and other.behavior == clause.behavior
        )

    def holds(self, clause: Clause, call: Call) -> bool:
        """Whether the clause, under its behavior's assumptions, accepts the call."""
        return not self._active(clause, call) or clause.holds(call)

    def _allowed(self, call: Call) -> set[Cell]:
        (frame,) = [clause for clause in self.clauses if clause.kind == "assigns"]
        return frame.cells(call)

    def _accepts_wrong(self, pin: int, mutant: Mutant, numbers: Iterable[int], *, frame: bool) -> bool:
        observed = self.observed[pin]
        call = observed.call(mutant)
        if not all(self.holds(self.clauses[i], call) for i in numbers):
            return False
        if not frame or mutant.location.block is None:
            return True
        return observed.cell(mutant.location) in self._allowed(call) or observed.keeps(mutant)

    def verdict(self, asked: Asked) -> str:
        """What the product has to say to this question when it decides it."""
        assert asked.pin is not None
        if asked.mutant is not None:
            numbers = asked.clauses if asked.role == "kill" else self._ensures()
            accepted = self._accepts_wrong(asked.pin, asked.mutant, numbers, frame=asked.role == "wrong")
        elif asked.role == "frame":
            observed = self.observed[asked.pin]
            accepted = observed.written() <= self._allowed(observed.call())
        else:
            accepted = self.holds(self.clauses[asked.clauses[0]], self.observed[asked.pin].call())
        return "accepted" if accepted else "rejected"

    def _ensures(self) -> list[int]:
        return [i for i, clause in enumerate(self.clauses) if clause.kind == "ensures"]

    def too_strong(self) -> set[str]:
        """The clauses that reject a right outcome or a tested input."""
        found = set()
        for observed in self.observed:
            call = observed.call()
            rejecting = [c for c in self.clauses if c.kind == "requires" and not self.holds(c, call)]
            if not rejecting:
                kinds = ("ensures", "complete", "disjoint")
                rejecting = [c for c in self.clauses if c.kind in kinds and not self.holds(c, call)]
                if not observed.written() <= self._allowed(call):
                    rejecting += [c for c in self.clauses if c.kind == "assigns"]
            found |= {f"{c.kind} {self.item.renamed(c.text)}" for c in rejecting}
        return found

    def accepts_right(self, pin: int) -> bool:
        """Whether the postconditions and the frame accept the right outcome of a pin."""
        call = self.observed[pin].call()
        written = self.observed[pin].written() <= self._allowed(call)
        return written and all(self.holds(self.clauses[i], call) for i in self._ensures())

    def accepted_mutants(self, mutants: Mapping[int, Sequence[Mutant]], *, of_accepted: bool = False) -> int:
        """How many wrong outcomes the whole contract accepts, on pins that its precondition admits.

        ``of_accepted``: only on pins whose right outcome it accepts as well.
        """
        return sum(
            self._accepts_wrong(pin, mutant, self._ensures(), frame=True)
            for pin, wrong in mutants.items()
            if not of_accepted or self.accepts_right(pin)
            if all(self.holds(c, self.observed[pin].call()) for c in self.clauses if c.kind == "requires")
            for mutant in wrong
            if not (self.item.variant.truth and _still_true(mutant))
        )


def _still_true(mutant: Mutant) -> bool:
    """Whether a result of 1 became another number that C takes for true."""
    return mutant.location.block is None and plain(mutant.right) == 1 and plain(mutant.wrong) != 0
