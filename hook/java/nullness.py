"""Which places of a Java outcome no contract lets become null: fields that are non-null, and elements of arrays there.

JML Reference Manual 2.8: references are non-null unless something says ``nullable``, and that a field is non-null is
an invariant of its class that nobody has to write. So an outcome that leaves null there is wrong by the contract
itself. Whether it binds helper methods (they need not keep invariants, but they assign to a non-null type) and the
elements of an array is read in two ways: null there is no certain mistake of a contract, so it is not put there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clausefit.hook.contracts.java_model import Nullness
from clausefit.hook.contracts.model import Contract
from clausefit.hook.java.implicit import JavaSettings, default_nullness_in
from clausefit.hook.java.project import FoundClass, JavaProject
from clausefit.hook.mutants import Location, Mutant
from clausefit.hook.pins.values import Array, Null, Pin, Pointer, Returned, Struct, Value, at, leaves

_MOST_HOLDERS = 1000


class NonNullPlaces:
    """Answers for the calls of one method of ``found`` with its effective contract."""

    def __init__(self, project: JavaProject, found: FoundClass, contract: Contract, settings: JavaSettings) -> None:
        self._project, self._found, self._method = project, found, contract.java
        self._settings = settings

    def forbids(self, pin: Pin, mutant: Mutant) -> bool:
        """Whether the mutant is null where the classes say that nothing is: no clause has to reject that.

        For the result itself an implicit clause says the same, which is asked like any other.
        """
        location = mutant.location
        if not isinstance(mutant.wrong, Null) or mutant.exit or (location.block is None and not location.path):
            return False
        return (self._of_place(pin, location) or self._of_element(pin, location)) == "non_null"

    def _of_element(self, pin: Pin, location: Location) -> Nullness:
        """What is said where the array is held; of an array in an array, where the outer one is."""
        holders = _Holders(pin)
        waiting, seen = [location], {location}
        found: set[Nullness] = set()
        while waiting and len(seen) <= _MOST_HOLDERS:
            place = waiting.pop()
            said = self._of_place(pin, place)
            if said is not None:
                found.add(said)
            elif place.block is not None:
                above = [one for one in holders.of(place.block) if one not in seen]
                seen.update(above)
                waiting += above
        if "nullable" in found:
            return "nullable"
        return "non_null" if found else self._default(self._found)

    def _of_place(self, pin: Pin, place: Location) -> Nullness | None:
        """What is said of a field, parameter or result; None for an element."""
        if place.path and isinstance(place.path[-1], int):
            return None
        if place.block is None:
            return self._of_variable(place)
        block = next((one for one in pin.blocks if one.id == place.block), None)
        if block is not None and block.program is not None:
            owner, _, name = block.program.rpartition(".")
            return self._of_field(owner, name)
        holder = _whole(pin, place)
        if isinstance(holder, Struct) and place.path:
            return self._of_field(holder.type, str(place.path[-1]))
        return self._default(self._found)

    def _of_variable(self, place: Location) -> Nullness:
        """What is said of a parameter (``_Holders`` names it by the path) or, without a path, of the result."""
        method = self._method
        if method is None:
            return self._default(self._found)
        said = method.result_nullness
        if place.path:
            said = next((one.nullness for one in method.parameters if one.name == place.path[0]), None)
        return said or self._default(self._found)

    def _of_field(self, class_name: str, name: str) -> Nullness:
        owner = self._project.find(class_name, self._found.file, self._found.java.name)
        declared = self._project.field(owner, name) if owner is not None else None
        if declared is None:
            return self._default(owner or self._found)
        return declared[1].nullness or self._default(declared[0])

    def _default(self, owner: FoundClass) -> Nullness:
        return default_nullness_in(self._project, owner, self._settings)


class _Holders:
    """The places of a pin, before and after, that refer to a block."""

    def __init__(self, pin: Pin) -> None:
        self._of: dict[str, list[Location]] = {}
        # A parameter is no place of an outcome: it is named as a part of the result, which has no such part.
        for name, value in pin.arguments:
            self._add(value, Location(None, (name,)))
        if isinstance(pin.outcome, Returned) and pin.outcome.result is not None:
            self._add(pin.outcome.result, Location(None, ()))
        for block, whole in _memory(pin):
            for path, leaf in leaves(whole):
                self._add(leaf, Location(block, path))

    def _add(self, value: Value, place: Location) -> None:
        if isinstance(value, Pointer):
            self._of.setdefault(value.block, []).append(place)

    def of(self, block: str) -> Iterable[Location]:
        """Each place once."""
        return dict.fromkeys(self._of.get(block, ()))


def _memory(pin: Pin) -> Iterator[tuple[str, Value]]:
    yield from ((block.id, block.value) for block in pin.blocks)
    yield from pin.outcome.after


def _whole(pin: Pin, place: Location) -> Value | None:
    """The struct or array that the place is in."""
    for block, value in reversed(list(_memory(pin))):
        if block == place.block:
            try:
                found = at(value, place.path[:-1])
            except KeyError:
                continue
            if isinstance(found, Array | Struct):
                return found
    return None
