"""Pins as C: the stub of a pin, and the formulas of a contract's clauses in it (DESIGN §5).

A stub has the function's own parameters, globals that hold the pinned memory, and a body that writes the
outcome. The result and every mutated or unknown cell come from extra parameters, so one stub serves the
right outcome and all its mutants: each question fixes the outcome in its hypothesis. What a test does not
show stays unconstrained, so whatever is proved holds for every value it may have had.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from clausefit.hook.c_values import access, declaration, fact, leaf_type, typed
from clausefit.hook.contracts.acsl_tokens import identifiers, tokenize
from clausefit.hook.contracts.model import Contract, GlobalVariable
from clausefit.hook.mutants import Location, Mutant
from clausefit.hook.not_expressible import NotExpressible
from clausefit.hook.pins.values import (
    Block,
    Pin,
    Returned,
    Unknown,
    Value,
    leaves,
)
from clausefit.verifiers.protocol import Scene


@dataclass(frozen=True)
class Stub:
    """The scene of a pin with what is needed to speak about its outcomes.

    ``open_cells`` are the leaves that a hypothesis must fix: where, the right value, and the extra parameter
    that holds it; ``changed`` are the memory cells that the right outcome is known to change, as C lvalues;
    ``functions`` are those that the contract names.
    """

    scene: Scene
    names: dict[str, str]
    open_cells: tuple[tuple[Location, Value, str], ...]
    changed: tuple[str, ...]
    functions: frozenset[str] = frozenset()


def stub(
    name: str,
    contract: Contract,
    pin: Pin,
    mutants: Sequence[Mutant],
    mentioned: Sequence[GlobalVariable],
) -> Stub:
    """The stub of one returned pin that can speak of the right outcome and of ``mutants``.

    ``mentioned`` are the variables that the contract may read: those that the pin does not fix may have
    any value before and any value after. NotExpressible when the pin cannot be written as C.
    """
    builder = _Builder(name, contract, pin)
    builder.write_outcome(mutants)
    builder.forget(mentioned)
    return builder.build()


def failing_stub(name: str, contract: Contract, pin: Pin) -> Stub:
    """The stub of a failed call: only its input."""
    return _Builder(name, contract, pin).build()


def vacuity_stub(name: str, contract: Contract, assumption: str) -> Scene:
    """A stub that assumes the contract's own precondition, to ask whether it can ever hold."""
    formals = ", ".join(p.declaration for p in contract.parameters) or "void"
    return Scene(name, "", assumption, f"void {name}({formals}) {{ }}")


class _Builder:
    def __init__(self, name: str, contract: Contract, pin: Pin) -> None:
        if contract.is_variadic:
            raise NotExpressible("functions with a variable number of arguments are not supported")
        if len(pin.arguments) != len(contract.parameters):
            raise NotExpressible(
                f"the call has {len(pin.arguments)} arguments, the contract's function has {len(contract.parameters)}"
            )
        self._name, self._contract, self._pin = name, contract, pin
        self._formals = [p.declaration for p in contract.parameters]
        self._names: dict[str, str] = {}
        self._declarations: list[str] = []
        self._body: list[str] = []
        self._open: list[tuple[Location, Value, str]] = []
        self._changed: list[str] = []
        parameter_names = {p.name for p in contract.parameters}
        # What a clause names is known where the stub stands.
        named = frozenset[str]().union(*(identifiers(tokenize(c.formula)) for c in contract.clauses))
        self._functions = named - parameter_names
        for number, block in enumerate(pin.blocks):
            self._names[block.id] = self._declare(block, number, parameter_names)
        self._assumed = list(self._input_facts())
        self._returns = "void"

    def _declare(self, block: Block, number: int, parameters: Collection[str]) -> str:
        if block.program is not None:
            if block.program in parameters:
                raise NotExpressible(f"a parameter hides the variable {block.program}, which the test fixes")
            return block.program
        name = f"{self._name}_m{number}"
        self._declarations.append(declaration(block.value, name) + ";")
        return name

    def _input_facts(self) -> Iterable[str]:
        for parameter, (_name, value) in zip(self._contract.parameters, self._pin.arguments, strict=True):
            if not parameter.name:
                continue
            for path, leaf in leaves(value):
                yield from fact(access(parameter.name, path), leaf, self._names, self._functions)
        for block in self._pin.blocks:
            for path, leaf in leaves(block.value):
                yield from fact(access(self._names[block.id], path), leaf, self._names, self._functions)

    def write_outcome(self, mutants: Sequence[Mutant]) -> None:
        outcome = self._pin.outcome
        if not isinstance(outcome, Returned):
            raise NotExpressible("the call did not return")
        mutated = {m.location for m in mutants}
        if outcome.result is not None:
            self._return(outcome.result)
        after = dict(outcome.after)
        for block in self._pin.blocks:
            if block.constant or block.id not in after:
                continue
            before = dict(leaves(block.value))
            for path, leaf in leaves(after[block.id]):
                location = Location(block.id, path)
                self._write_cell(location, before.get(path), leaf, location in mutated)

    def _return(self, result: Value) -> None:
        if self._contract.return_type is None:
            raise NotExpressible("the function's return type is too involved for a stub")
        self._returns = self._contract.return_type
        self._formals.append(f"{self._returns} cf_r")
        self._open.extend((Location(None, path), leaf, access("cf_r", path)) for path, leaf in leaves(result))

    def _write_cell(self, location: Location, before: Value | None, after: Value, mutated: bool) -> None:
        assert location.block is not None  # noqa: S101 - only called for memory
        cell = access(self._names[location.block], location.path)
        unknown = isinstance(after, Unknown)
        if not unknown and before != after and before is not None and not isinstance(before, Unknown):
            self._changed.append(cell)
        if not (unknown or mutated or before != after):
            return
        if unknown and "*" in after.type and not isinstance(before, Unknown):
            raise NotExpressible(f"the test does not show where {cell} points afterwards")
        formal = f"cf_h{len(self._formals)}"
        self._formals.append(typed(leaf_type(after), formal))
        self._body.append(f"{cell} = {formal};")
        if mutated:
            self._open.append((location, after, formal))
        else:
            self._assumed.extend(fact(formal, after, self._names, self._functions))

    def forget(self, mentioned: Sequence[GlobalVariable]) -> None:
        """Let every variable that the contract may read and the pin does not fix have any value afterwards."""
        fixed = set(self._names.values()) | {p.name for p in self._contract.parameters}
        loose = [v for v in mentioned if not v.is_const and v.name not in fixed]
        for variable in loose:
            if variable.is_ghost:
                raise NotExpressible(f"the contract speaks of the ghost variable {variable.name}")
            if variable.is_volatile:
                raise NotExpressible(f"the contract speaks of the volatile variable {variable.name}")
            if variable.may_point:
                # The memory behind it would stay as it was in the stub, whatever the function did to it.
                raise NotExpressible(f"the contract speaks of {variable.name}, which the test does not fix")
        if loose:
            targets = ", ".join(f"{v.name}[0 ..]" if v.is_array else v.name for v in loose)
            self._declarations.append(f"/*@ assigns {targets}; */ void {self._name}_any(void);")
            self._body.insert(0, f"{self._name}_any();")

    def build(self) -> Stub:
        if self._returns != "void":
            self._body.append("return cf_r;")
        head = f"{self._returns} {self._name}({', '.join(self._formals) or 'void'})"
        function = head + " { " + " ".join(self._body) + " }"
        assumption = " && ".join(self._assumed) or "\\true"
        scene = Scene(self._name, "\n".join(self._declarations), assumption, function)
        return Stub(scene, self._names, tuple(self._open), tuple(self._changed), self._functions)


def hypothesis(stub_of_pin: Stub, mutant: Mutant | None) -> str:
    """What fixes the outcome: every open location has its right value, but the mutated one its wrong value."""
    facts: list[str] = []
    for location, right, formal in stub_of_pin.open_cells:
        value = mutant.wrong if mutant is not None and location == mutant.location else right
        facts.extend(fact(formal, value, stub_of_pin.names, stub_of_pin.functions))
    return " && ".join(facts)


def cell_of(stub_of_pin: Stub, location: Location) -> str | None:
    """The memory cell as an lvalue; None for the result."""
    return None if location.block is None else access(stub_of_pin.names[location.block], location.path)
