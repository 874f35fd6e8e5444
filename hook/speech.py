"""Of which places a clause speaks, going by the names in it: what blame for a too weak contract rests on."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from clausefit.hook.contracts.model import Clause, Contract
from clausefit.hook.contracts.one_cell import takes_one_cell_only
from clausefit.hook.mutants import Location, Mutant
from clausefit.hook.pins.values import Failed, Pin, Pointer, Struct, Value, leaves

_MEMBER = re.compile(r"(?:->|(?<![.\d])\.(?!\.))\s*([A-Za-z_]\w*)")
_NAMES = re.compile(r"\\?[A-Za-z_]\w*")
_MEMORY_SAFETY = re.compile(
    r"\s*(?:!\s*)?\\(?:valid|valid_read|separated|initialized|freeable|allocable|dangling|fresh)\b"
    r"(?:[^|=<>?-]|->|-(?!>))*"
)
_NOT_NULL = re.compile(r"\s*[\w.\\]+\s*!=\s*null\s*|\s*null\s*!=\s*[\w.\\]+\s*|\s*\\fresh\s*\(\s*\\result\s*\)\s*")


class Speech(Protocol):
    """What one language's clauses name."""

    def names_in(self, clause: Clause) -> frozenset[str]:
        """The names by which the clause speaks of places."""
        ...

    def members_in(self, clause: Clause) -> frozenset[str]:
        """The fields that the clause is known to name."""
        ...

    def roots(self, contract: Contract, pin: Pin, mutant: Mutant) -> frozenset[str]:
        """The names by which a clause can speak of the mutated location."""
        ...

    def spoken(self, clause: Clause, contract: Contract, pin: Pin, mutant: Mutant) -> frozenset[str]:
        """Those of ``roots`` that may mean the location where this clause names them; empty if it names none."""
        ...

    def roots_of(self, contract: Contract, pin: Pin, location: Location) -> frozenset[str]:
        """The names by which a clause can speak of a place."""
        ...

    def is_memory_safety(self, clause: Clause) -> bool:
        """True when every part says only that memory may be used; such a clause is not there to reject a value."""
        ...

    def ties_to_entry(self, clause: Clause) -> bool:
        """True when the clause relates the outcome to the state before the call."""
        ...


class _CSpeech:
    def names_in(self, clause: Clause) -> frozenset[str]:
        return frozenset(_NAMES.findall(clause.formula))

    def members_in(self, clause: Clause) -> frozenset[str]:
        return frozenset(_MEMBER.findall(clause.formula))

    def roots(self, contract: Contract, pin: Pin, mutant: Mutant) -> frozenset[str]:
        return self.roots_of(contract, pin, mutant.location)

    def roots_of(self, contract: Contract, pin: Pin, location: Location) -> frozenset[str]:
        if location.block is None:
            return frozenset({"\\result"})
        names = {block.program for block in pin.blocks if block.id == location.block and block.program}
        reach = _reaching(pin, location.block)
        names |= {block.program for block in pin.blocks if block.id in reach and block.program}
        for parameter, (_name, value) in zip(contract.parameters, pin.arguments, strict=False):
            if _points_into(value, reach):
                names.add(parameter.name)
        return frozenset(name for name in names if name) | _result_root(pin, reach)

    def spoken(self, clause: Clause, contract: Contract, pin: Pin, mutant: Mutant) -> frozenset[str]:
        """``*p`` is one cell of a block, and not that to which ``q`` leads: an element of one array, one struct."""
        place, elsewhere = mutant.location, set()
        for parameter, (_name, value) in zip(contract.parameters, pin.arguments, strict=False):
            is_beside = (
                isinstance(value, Pointer)
                and value.block == place.block
                and place.path[: len(value.path)] != value.path
                and takes_one_cell_only(clause.formula, parameter.name)
            )
            elsewhere |= {parameter.name} if is_beside else set()
        left = self.roots(contract, pin, mutant) - elsewhere
        return left if left & self.names_in(clause) else frozenset()

    def is_memory_safety(self, clause: Clause) -> bool:
        return all(_MEMORY_SAFETY.fullmatch(part) for part in clause.formula.split("&&"))

    def ties_to_entry(self, clause: Clause) -> bool:
        return bool(self.names_in(clause) & {"\\old", "\\at", "Pre", "Old"})


C_SPEECH: Speech = _CSpeech()


@dataclass(frozen=True)
class JavaSpeech:
    """Java clauses name fields by their bare names, and through pure methods.

    ``reached`` gives what a clause names by the methods and model fields that it uses.
    """

    reached: Callable[[Clause], frozenset[str]]

    def names_in(self, clause: Clause) -> frozenset[str]:
        """The names in the clause, and those in the pure and model methods that it calls."""
        return frozenset(_NAMES.findall(clause.formula)) | self.reached(clause)

    def members_in(self, clause: Clause) -> frozenset[str]:
        """All names: which of them are fields only matters where a field has one of them."""
        return self.names_in(clause)

    def roots(self, contract: Contract, pin: Pin, mutant: Mutant) -> frozenset[str]:
        """Those of the mutated location; of another kind of exit the words for both."""
        return frozenset({"\\result", "signals"}) if mutant.exit else self.roots_of(contract, pin, mutant.location)

    def roots_of(self, contract: Contract, pin: Pin, location: Location) -> frozenset[str]:  # noqa: ARG002 - as the protocol
        """``\\result``, parameters, and the fields on the ways to the place."""
        block = location.block
        if block is None:
            return frozenset({"\\result"})
        fields = [step for step in location.path if isinstance(step, str)]
        reach = _reaching(pin, block)
        names = {name for name, value in pin.arguments if _points_into(value, reach)}
        names |= _field_names(pin, reach)
        for one in pin.blocks:
            if one.program and (one.id in reach or _points_into(one.value, reach)):
                names |= {one.program, one.program.rpartition(".")[2]}
        if fields:
            # Everything is said of `this`; what counts is the field.
            names = {fields[-1]}
        return frozenset(names) | (_result_root(pin, reach) if not fields else frozenset())

    def spoken(self, clause: Clause, contract: Contract, pin: Pin, mutant: Mutant) -> frozenset[str]:
        """All of ``roots`` where the clause names one: Java has no pointers into objects."""
        roots = self.roots(contract, pin, mutant)
        return roots if roots & self.names_in(clause) else frozenset()

    def is_memory_safety(self, clause: Clause) -> bool:
        """True for ``\\result != null``, ``\\fresh(\\result)`` and conjunctions of such."""
        return all(_NOT_NULL.fullmatch(part) for part in clause.formula.split("&&"))

    def ties_to_entry(self, clause: Clause) -> bool:
        """True when it has an ``\\old`` or ``\\pre``."""
        return bool(frozenset(_NAMES.findall(clause.formula)) & {"\\old", "\\pre"})


def _reaching(pin: Pin, block: str) -> set[str]:
    """The block and all blocks from which pointers lead to it, in the state before the call."""
    reach = {block}
    values = {one.id: one.value for one in pin.blocks}
    for _ in pin.blocks:
        reach |= {b for b, value in values.items() if _points_into(value, reach)}
    return reach


def _field_names(pin: Pin, reach: set[str]) -> set[str]:
    found = set()
    for block in pin.blocks:
        if isinstance(block.value, Struct):
            found |= {name for name, value in block.value.fields if _points_into(value, reach)}
    return found


def _result_root(pin: Pin, reach: set[str]) -> frozenset[str]:
    outcome = pin.outcome
    result = None if isinstance(outcome, Failed) else outcome.result
    return frozenset({"\\result"}) if result is not None and _points_into(result, reach) else frozenset()


def _points_into(value: Value, blocks: set[str]) -> bool:
    return any(isinstance(leaf, Pointer) and leaf.block in blocks for _path, leaf in leaves(value))
