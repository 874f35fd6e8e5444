"""What is ready to be judged: contracts with their pins and plans, whatever their language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clausefit.hook.changed_contracts import ChangedContract
from clausefit.hook.config import Config
from clausefit.hook.contracts.model import Contract, NotChecked, SourceContracts
from clausefit.hook.judge import AnyUnitPlan
from clausefit.hook.pins.ranking import Reached, ranked
from clausefit.hook.pins.values import Ignored, Pin
from clausefit.hook.plans import Plan
from clausefit.hook.report import Finding

MORE_PINS = 15
"""Pins beyond the scoring ones that are only asked about the right outcome."""


@dataclass
class PinTable:
    """Pins and ignored calls by (contract's file, function), and what could not be read."""

    pins: dict[tuple[str, str], list[Pin]] = field(default_factory=dict)
    ignored: dict[tuple[str, str], list[Ignored]] = field(default_factory=dict)
    not_checked: list[NotChecked] = field(default_factory=list)


@dataclass
class Entry:
    """A contract on its way through the pipeline. ``ignored`` are (source, reason) of calls that gave no pin.

    ``static`` and ``recorded`` count the pins that were found, repeated and further ones as well. ``known`` are all
    of them but the repeats; ``improve`` gives the findings about the contract with better clauses, where one is known.
    """

    changed: ChangedContract
    pins: tuple[Pin, ...]
    ignored: list[tuple[str, str]]
    static: int
    recorded: int
    plan: Plan[Any] | None = None
    known: tuple[Pin, ...] = ()
    improve: Callable[[Sequence[Finding]], tuple[Finding, ...]] = tuple

    @property
    def contract(self) -> Contract:
        """The contract to judge."""
        return self.changed.contract


@dataclass
class Prepared:
    """Everything up to the verifier: what ``check`` judges and what ``stubs`` shows.

    ``text`` and ``contracts`` give a file of the judged state and what it holds, for suppressions.
    """

    text: Callable[[str], str | None]
    contracts: Callable[[str], SourceContracts | None]
    units: list[AnyUnitPlan] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    not_checked: list[NotChecked] = field(default_factory=list)


def entry_for(
    changed: ChangedContract, table: PinTable, config: Config, reached: Reached = lambda _pin: frozenset()
) -> Entry:
    """The contract with the pins that are asked, the best first, and why other calls are left out.

    ``reached`` tells which of the contract's cases a call reaches.
    """
    key = (changed.contract.file, changed.contract.function)
    found = table.pins.get(key, [])
    chosen = ranked(found, config.array_limit, config.pins + MORE_PINS, reached)
    ignored = [(i.source, i.reason) for i in _distinct(table.ignored.get(key, []))]
    if chosen.too_large:
        ignored.append((changed.contract.file, f"{chosen.too_large} calls with more than {config.array_limit} cells"))
    left = len(found) - chosen.repeats - chosen.too_large - len(chosen.pins)
    if left > 0:
        ignored.append((changed.contract.file, f"{left} further calls beyond the first {len(chosen.pins)}"))
    recorded = sum(pin.origin.kind == "recorded" for pin in found)
    return Entry(changed, chosen.pins, ignored, len(found) - recorded, recorded, known=chosen.distinct)


def _distinct(ignored: Sequence[Ignored]) -> list[Ignored]:
    return list(dict.fromkeys(ignored))


def by_language(c: Callable[[str], Any], java: Callable[[str], Any]) -> Callable[[str], Any]:
    """A look-up of files that asks the reader of the file's language."""
    readers: Mapping[bool, Callable[[str], Any]] = {False: c, True: java}
    return lambda path: readers[path.endswith((".java", ".jml"))](path)
