"""Pinned Java calls as scenes: what the verifier may assume, as JML facts and as data (design: one scene for a pin).

An object is called ``this``, or by the first parameter that refers to it, or by a scene variable ``cf_bN`` of its own
type; strings in memory by ``cf_sN``. What a test does not show is left out of the facts, so whatever is proved holds
for every value it may have had.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from clausefit.hook.contracts.model import Contract
from clausefit.hook.java import facts as java_facts
from clausefit.hook.java import state as java_state
from clausefit.hook.java.memory import changed_cells, forgotten, type_of
from clausefit.hook.mutants import Location, Mutant, mutated
from clausefit.hook.not_expressible import NotExpressible
from clausefit.hook.pins.values import (
    Block,
    Failed,
    Pin,
    Pointer,
    Returned,
    Struct,
    Text,
    Unknown,
    Value,
)
from clausefit.verifiers.protocol import JavaOutcome, JavaScene

EXCEPTION = "cf_exc"
"""The scene's variable for the exception thrown, null where the call returned."""
THIS = "this"
_RIGHT = "right"
_RESERVED = "cf_"
_MOST_TEXTS = 24


@dataclass(frozen=True)
class JavaStub:
    """The scene of a pin with what is needed to speak about its outcomes.

    ``names`` are the names in formulas of the blocks that were there before the call (of a static field its qualified
    name). ``changed`` are the cells of that memory that the right outcome is known to change. ``mutants`` are those of
    the scene, in the order of their outcomes.
    """

    scene: JavaScene
    names: Mapping[str, str]
    changed: tuple[Location, ...]
    mutants: tuple[Mutant, ...]

    @cached_property
    def _outcome_names(self) -> dict[Mutant, str]:
        return {mutant: f"m{number}" for number, mutant in enumerate(self.mutants)}

    def outcome_name(self, mutant: Mutant | None) -> str:
        """The outcome that a question's hypothesis names; KeyError for a mutant that is not of this scene."""
        return _RIGHT if mutant is None else self._outcome_names[mutant]


def outcome_name(mutant: Mutant | None, stub: JavaStub) -> str:
    """The name of the right outcome or of a mutant's in the scene; KeyError for a mutant that is not of this scene."""
    return stub.outcome_name(mutant)


def cell_text(stub: JavaStub, location: Location) -> str | None:
    """The cell as JML (``a[2]``, ``this.pos``, ``Meter.count``).

    None for results, for objects that the call made, and for what is in no cell (the contents of a list).
    """
    if location.block is None or location.block not in stub.names:
        return None
    if not location.path and "." not in stub.names[location.block]:
        return None
    steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in location.path]
    return stub.names[location.block] + "".join(steps)


def java_stub(
    name: str,
    contract: Contract,
    pin: Pin,
    mutants: Sequence[Mutant],
    erased: Callable[[str], str],
    class_name: str,
) -> JavaStub:
    """The stub of one pin with its right outcome and the mutants' (``right``, ``m0``, ``m1``, …).

    A call that ended otherwise than by a return or an exception has no outcomes, only its input. ``erased`` gives the
    type by which a scene declares a variable of a source type. NotExpressible when the pin cannot be written.
    """
    return _Builder(name, contract, pin, erased, class_name).build(tuple(mutants))


class _Builder:
    def __init__(self, name: str, contract: Contract, pin: Pin, erased: Callable[[str], str], class_name: str) -> None:
        if contract.java is None:
            raise NotExpressible("the contract is not one of a Java method")
        self._name, self._pin, self._erased, self._class_name = name, pin, erased, class_name
        self._method = contract.java
        self._variables: list[tuple[str, str]] = []
        self._values: list[tuple[str, Value]] = []
        self._blocks = {block.id: block for block in pin.blocks}
        self._static = frozenset(block.id for block in pin.blocks if block.program is not None)
        self._names: dict[str, str] = {}
        self._identities: dict[str, str] = {}
        self._new = self._new_texts = 0
        self._facts: list[str] = []
        self._take_arguments()
        self._take_blocks()
        self._stated = java_facts.speakable(((b.id, b.value) for b in pin.blocks if b.program is None), erased)
        self._state_input()

    # ---- names ------------------------------------------------------------------------------------------------------

    def _take_arguments(self) -> None:
        arguments = list(self._pin.arguments)
        if arguments and arguments[0][0] == THIS:
            self._take_receiver(arguments.pop(0)[1])
        elif not (self._method.is_static or self._method.is_constructor):
            raise NotExpressible("the call has no receiver, but the contract's method is not static")
        parameters = self._method.parameters
        if len(arguments) != len(parameters):
            raise NotExpressible(
                f"the call has {len(arguments)} arguments, the contract's method has {len(parameters)}"
            )
        for parameter, (_name, value) in zip(parameters, arguments, strict=True):
            if parameter.name.startswith(_RESERVED) or not java_facts.is_readable(parameter.name):
                raise NotExpressible(f"the parameter {parameter.name} has a name that cannot stand in a scene")
            declared = self._erased(_array_type(parameter.type))
            self._variables.append((declared, parameter.name))
            self._values.append((parameter.name, value))
        for (declared, name), (_same, value) in zip(list(self._variables), list(self._values), strict=True):
            self._take_argument(declared, name, value)

    def _take_receiver(self, value: Value) -> None:
        block = self._blocks.get(value.block) if isinstance(value, Pointer) else None
        if block is None:
            raise NotExpressible("the test does not show the object on which the method is called")
        if isinstance(block.value, Struct) and not _is_same_type(self._erased(block.value.type), self._class_name):
            self._class_name = self._class_of_receiver(block.value)
        self._names[block.id] = THIS

    def _class_of_receiver(self, receiver: Struct) -> str:
        """The class of an object of a subclass: its methods are those that clauses call (JLS 15.12.4.4)."""
        known = java_facts.known_type(receiver.type, self._erased)
        if known is None:
            raise NotExpressible(f"the class {receiver.type} of the object cannot be loaded")
        fields = [name for name, _value in receiver.fields]
        if len(set(fields)) < len(fields):
            raise NotExpressible(f"the class {receiver.type} of the object hides a field")
        return known

    def _take_argument(self, declared: str, name: str, value: Value) -> None:
        block = self._blocks.get(value.block) if isinstance(value, Pointer) else None
        if block is None or block.id in self._names:
            return
        if _is_same_type(declared, self._erased(type_of(block.value))):
            self._names[block.id] = name

    def _take_blocks(self) -> None:
        for block in self._pin.blocks:
            if block.id in self._names:
                continue
            if block.program is not None:
                if not java_facts.is_readable(block.program):
                    raise NotExpressible(f"the static field {block.program} has a name that cannot stand in a scene")
                self._names[block.id] = block.program
            else:
                self._names[block.id] = self._new_variable(block)
        for block in self._pin.blocks:
            alias = self._names[block.id]
            if alias.startswith(_RESERVED):
                self._values.append((alias, Pointer(block.id, (), type_of(block.value))))

    def _new_variable(self, block: Block) -> str:
        name = f"{_RESERVED}b{self._new}"
        self._new += 1
        self._variables.append((self._erased(type_of(block.value)), name))
        return name

    # ---- the state before -------------------------------------------------------------------------------------------

    def _state_input(self) -> None:
        types = {name: type_name for type_name, name in self._variables}
        named = [(self._names[b.id], b.value) for b in self._pin.blocks if b.program is None]
        for name, whole in named:
            self._facts += java_facts.kind_facts(name, whole, self._erased)
        self._facts += java_facts.distinct(named)
        for name, value in self._values:
            if not (isinstance(value, Pointer) and self._names.get(value.block) == name):
                self._facts += java_facts.scalar(name, value, self._names, self._identities, types[name])
        for block in self._pin.blocks:
            for place, value in self._cells(block, block.value):
                self._state_cell(f"\\old({place})", value)

    def _state_cell(self, place: str, value: Value) -> None:
        is_known = isinstance(value, Text) and value.identity and value.identity in self._identities
        if isinstance(value, Text) and not is_known and self._new_texts < _MOST_TEXTS:
            # Of an object that only the state before refers to KeY does not know that it is there after the call,
            # of a variable it does.
            name = f"{_RESERVED}s{self._new_texts}"
            self._new_texts += 1
            self._variables.append((value.type, name))
            self._values.append((name, value))
            self._facts += java_facts.scalar(name, value, self._names, self._identities, value.type)
            self._facts.append(f"{place} == {name}")
        else:
            self._facts += java_facts.scalar(place, value, self._names, self._identities)

    def _cells(self, block: Block, whole: Value) -> list[tuple[str, Value]]:
        if block.program is not None:
            return [(block.program, whole)]
        return list(java_facts.cells(self._names[block.id], whole)) if block.id in self._stated else []

    # ---- outcomes ---------------------------------------------------------------------------------------------------

    def build(self, mutants: tuple[Mutant, ...]) -> JavaStub:
        outcomes: list[JavaOutcome] = []
        ended = self._pin.outcome
        if isinstance(ended, Returned) or (ended.kind == "exception" and ended.detail):
            outcomes.append(self._outcome(_RIGHT, ended))
            outcomes += [self._outcome(f"m{n}", mutated(ended, mutant)) for n, mutant in enumerate(mutants)]
        data = java_state.state(
            [(self._names[b.id], b.value) for b in self._pin.blocks if b.program is None],
            self._values,
            [(b.program, b.value) for b in self._pin.blocks if b.program is not None],
            self._names,
        )
        scene = JavaScene(
            name=self._name,
            class_name=self._class_name,
            is_static=self._method.is_static,
            variables=tuple(self._variables),
            result=self._result_type(),
            facts=java_facts.conjunction(self._facts),
            before=java_state.text(data),
            outcomes=tuple(outcomes),
        )
        return JavaStub(scene, dict(self._names), tuple(changed_cells(self._pin)), mutants)

    def _result_type(self) -> str | None:
        written = self._method.result_type
        return None if written is None or written == "void" else self._erased(written)

    def _outcome(self, name: str, ended: Returned | Failed) -> JavaOutcome:
        after = dict(ended.after)
        made = {block: whole for block, whole in after.items() if block not in self._blocks}
        names = dict(self._names)
        facts = [f"{EXCEPTION} == null"] if isinstance(ended, Returned) else self._thrown(ended)
        constructed = self._constructed(ended, made)
        if constructed is not None:
            names[constructed] = THIS
            facts += java_facts.kind_facts(THIS, made[constructed], self._erased)
        facts += self._outcome_facts(ended, after, made, names, constructed)
        # Only data has names for the objects that the call made.
        data_names = {**{block: f"cf_n{n}" for n, block in enumerate(made)}, **names}
        result = ended.result if isinstance(ended, Returned) and self._result_type() is not None else None
        if isinstance(ended, Returned) and result is None and self._result_type() is not None:
            result = Unknown(self._result_type() or "")
        whole = {b.id: after.get(b.id, forgotten(b.value)) for b in self._pin.blocks}
        statics = [(b.program, whole[b.id]) for b in self._pin.blocks if b.program is not None]
        objects = [(data_names[block], left) for block, left in {**whole, **made}.items() if block not in self._static]
        data = java_state.state(objects, self._values, statics, data_names)
        plain: java_state.Json = {
            "state": data,
            "result": None if result is None else java_state.value(result, data_names),
            "exception": None if isinstance(ended, Returned) else ended.detail,
            "exact": isinstance(ended, Returned) or ended.is_exact,
        }
        return JavaOutcome(name, java_facts.conjunction(facts), java_state.text(plain))

    def _outcome_facts(
        self,
        ended: Returned | Failed,
        after: Mapping[str, Value],
        made: Mapping[str, Value],
        names: Mapping[str, str],
        constructed: str | None,
    ) -> list[str]:
        fresh = java_facts.Fresh(made, names, self._erased)
        identities = dict(self._identities)
        facts: list[str] = []
        declared = self._result_type()
        if isinstance(ended, Returned) and ended.result is not None and declared is not None:
            facts += fresh.place("\\result", ended.result, identities, declared)
        for block in self._pin.blocks:
            if block.id in after:
                for place, value in self._cells(block, after[block.id]):
                    facts += fresh.place(place, value, identities)
        if constructed is not None and constructed in java_facts.speakable(made.items(), self._erased):
            for place, value in java_facts.cells(THIS, made[constructed]):
                facts += fresh.place(place, value, identities)
        return [*facts, *fresh.rest(identities)]

    def _constructed(self, ended: Returned | Failed, made: Mapping[str, Value]) -> str | None:
        """The object that a constructor made: ``this`` in its contract."""
        if not self._method.is_constructor:
            return None
        result = ended.result if isinstance(ended, Returned) else None
        return result.block if isinstance(result, Pointer) and result.block in made else None

    def _thrown(self, ended: Failed) -> list[str]:
        facts = [f"{EXCEPTION} != null"]
        known = java_facts.known_type(ended.detail, self._erased)
        if known is not None:
            exact = f"\\typeof({EXCEPTION}) == \\type({known})"
            facts.append(exact if ended.is_exact else f"{EXCEPTION} instanceof {known}")
        return facts


def _array_type(written: str) -> str:
    """A parameter's type as that of its variable: ``int...`` is ``int[]`` (JLS 8.4.1)."""
    return written.removesuffix("...").rstrip() + "[]" if written.endswith("...") else written


def _is_same_type(one: str, other: str) -> bool:
    """Whether two erased types are one; either may be written without its package."""
    return one == other or one.endswith(f".{other}") or other.endswith(f".{one}")
