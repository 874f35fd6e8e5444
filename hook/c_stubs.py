"""Pins as C: the stub of a pin, and the formulas of a contract's clauses in it (DESIGN §5).

A stub has the function's own parameters, globals that hold the pinned memory, and a body that writes the
outcome. The result and every mutated or unknown cell come from extra parameters, so one stub serves the
right outcome and all its mutants: each question fixes the outcome in its hypothesis. What a test does not
show stays unconstrained, so whatever is proved holds for every value it may have had.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from clausefit.hook.contracts.model import Clause, Contract, GlobalVariable
from clausefit.hook.mutants import Location, Mutant
from clausefit.hook.pins.values import (
    Array,
    Block,
    Floating,
    FunctionPointer,
    Integer,
    Null,
    Path,
    Pin,
    Pointer,
    Returned,
    Struct,
    Unknown,
    Value,
    leaves,
)
from clausefit.verifiers.protocol import Scene

_UNSAFE = re.compile(r"\*/|/\*|//|[\x00-\x08\x0a-\x1f\x7f]|__FC_|\bcf_")
_BINDERS = re.compile(r"\\(?:let|forall|exists|lambda)\b")
_UNION = re.compile(r"\\union\s*\((.*)\)", re.DOTALL)
_DEEPEST_SET = 16
_ODD_TYPE = re.compile(r"[()\[]")


class NotExpressible(Exception):  # noqa: N818 - a fact about a pin or a clause, not a mistake
    """A pin or a clause that cannot be put into a stub; the message says why, for people."""


@dataclass(frozen=True)
class Stub:
    """The scene of a pin with what is needed to speak about its outcomes.

    ``open_cells`` are the leaves that a hypothesis must fix: where, the right value, and the extra parameter
    that holds it; ``changed`` are the memory cells that the right outcome is known to change, as C lvalues.
    """

    scene: Scene
    names: dict[str, str]
    open_cells: tuple[tuple[Location, Value, str], ...]
    changed: tuple[str, ...]


def check_formula(formula: str) -> None:
    """NotExpressible unless ``formula`` can stand between parentheses in another annotation and mean the same.

    A clause of a hostile file could close our parenthesis or the comment and so ask another question.
    """
    if not formula.strip():
        raise NotExpressible("the clause is empty")
    if _UNSAFE.search(formula):
        raise NotExpressible("the clause holds a comment mark or a name that is reserved for stubs (cf_…)")
    bare = _without_literals(formula)
    stack: list[str] = []
    pairs = {")": "(", "]": "[", "}": "{"}
    semicolons = 0
    for character in bare:
        if character == ";":
            semicolons += stack[-1:] != ["{"]  # inside of braces it belongs to a set (ACSL 1.17 §2.3.4)
        elif character in "([{":
            stack.append(character)
        elif character in pairs and (not stack or stack.pop() != pairs[character]):
            raise NotExpressible("the brackets of the clause do not match")
    if stack:
        raise NotExpressible("the brackets of the clause do not match")
    if semicolons > len(_BINDERS.findall(bare)):
        raise NotExpressible("the clause holds a semicolon that ends it")


def _without_literals(text: str) -> str:
    """The text without its strings and characters; NotExpressible when one has no end."""
    parts, start, index = [], 0, 0
    while index < len(text):
        if text[index] in "\"'":
            closing = _end_of_literal(text, index)
            if closing < 0:
                raise NotExpressible("the clause holds an unclosed quote")
            parts.append(text[start:index])
            start, index = closing + 1, closing
        index += 1
    return " ".join((*parts, text[start:]))


def _end_of_literal(text: str, start: int) -> int:
    index = start + 1
    while index < len(text):
        if text[index] == "\\":
            index += 1
        elif text[index] == text[start]:
            return index
        index += 1
    return -1


def in_pre_state(formula: str) -> str:
    """The formula evaluated at entry; ``\\at(…, Pre)``, for Frama-C 25 does not decide ``\\valid`` under ``\\old``."""
    at_entry = re.sub(r"\bHere\b", "Pre", formula)
    return f"\\at(({at_entry}), Pre)"


# ---- stubs ---------------------------------------------------------------------------------------------------------


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
                yield from fact(access(parameter.name, path), leaf, self._names)
        for block in self._pin.blocks:
            for path, leaf in leaves(block.value):
                yield from fact(access(self._names[block.id], path), leaf, self._names)

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
        if unknown and "*" in after.type:
            raise NotExpressible(f"the test does not show where {cell} points afterwards")
        formal = f"cf_h{len(self._formals)}"
        self._formals.append(_typed(leaf_type(after), formal))
        self._body.append(f"{cell} = {formal};")
        if mutated:
            self._open.append((location, after, formal))
        else:
            self._assumed.extend(fact(formal, after, self._names))

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
        return Stub(scene, self._names, tuple(self._open), tuple(self._changed))


# ---- values as C ---------------------------------------------------------------------------------------------------


def declaration(value: Value, name: str) -> str:
    """A C declaration of ``name`` that can hold ``value``."""
    if isinstance(value, Array):
        if not value.elements:
            raise NotExpressible("an array without elements cannot be a C object")
        first = value.elements[0]
        inner = f"{name}[{len(value.elements)}]"
        return declaration(first, inner) if isinstance(first, Array) else _typed(leaf_type(value), inner)
    return _typed(leaf_type(value), name)


def leaf_type(value: Value) -> str:
    """The C type of a value as written in declarations, without a top-level const."""
    return re.sub(r"(\*\s*)const\s*$", r"\1", re.sub(r"^const (?=[^*]*$)", "", value.type))


def _typed(type_name: str, declarator: str) -> str:
    if _ODD_TYPE.search(type_name):
        return f"__typeof__({type_name}) {declarator}"
    if "*" not in type_name:
        type_name = re.sub(r"\b(const|volatile)\b", "", type_name).strip()
    return f"{type_name} {declarator}"


def access(base: str, path: Path) -> str:
    """The C lvalue of ``path`` in ``base``."""
    return base + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)


def fact(place: str, value: Value, names: dict[str, str]) -> Iterable[str]:
    """What is known of ``place`` as ACSL predicates; nothing for an unknown value without exclusions."""
    if isinstance(value, Unknown):
        for excluded in value.not_equal:
            known = " && ".join(fact(place, excluded, names))
            if known:
                yield f"!({known})"
    elif isinstance(value, Integer):
        yield f"{place} == {value.value}" if value.value >= 0 else f"{place} == ({value.value})"
    elif isinstance(value, Floating):
        yield _float_fact(place, value)
    elif isinstance(value, Null):
        yield f"{place} == \\null"
    elif isinstance(value, Pointer):
        yield f"{place} == {address(value, names)}"
    elif isinstance(value, FunctionPointer):
        yield f"{place} == &{value.name}"
    elif isinstance(value, Array | Struct):
        for path, leaf in leaves(value):
            yield from fact(access(place, path), leaf, names)


def _float_fact(place: str, value: Floating) -> str:
    number = value.number
    if number != number:
        return f"\\is_NaN({place})"
    if number in (float("inf"), float("-inf")):
        return f"\\is_{'plus' if number > 0 else 'minus'}_infinity({place})"
    c_type = "float" if value.width == 32 else "double"
    return f"{place} == ({c_type}){number.hex()}"


def address(pointer: Pointer, names: dict[str, str]) -> str:
    """The address as an ACSL term; NotExpressible for a block that the pin does not have."""
    if pointer.block not in names:
        raise NotExpressible("a pointer leads out of the memory that the test shows")
    return "&" + access(names[pointer.block], pointer.path)


def hypothesis(stub_of_pin: Stub, mutant: Mutant | None) -> str:
    """What fixes the outcome: every open location has its right value, but the mutated one its wrong value."""
    facts: list[str] = []
    for location, right, formal in stub_of_pin.open_cells:
        value = mutant.wrong if mutant is not None and location == mutant.location else right
        facts.extend(fact(formal, value, stub_of_pin.names))
    return " && ".join(facts)


def cell_of(stub_of_pin: Stub, location: Location) -> str | None:
    """The memory cell as an lvalue; None for the result."""
    return None if location.block is None else access(stub_of_pin.names[location.block], location.path)


# ---- clauses as formulas -------------------------------------------------------------------------------------------


def assumes_of(contract: Contract, behavior: str | None) -> str | None:
    """The conjunction of a behavior's ``assumes``; None when it has none (always active)."""
    parts = [c.formula for c in contract.clauses if c.kind == "assumes" and c.behavior == behavior]
    for part in parts:
        check_formula(part)
    return " && ".join(f"({part})" for part in parts) or None


def guarded(contract: Contract, behavior: str | None, formula: str) -> str:
    """The formula under its behavior's ``assumes``, which speak of the state at entry."""
    assumes = assumes_of(contract, behavior) if behavior is not None else None
    return f"({in_pre_state(assumes)}) ==> ({formula})" if assumes else formula


def precondition(contract: Contract, clause: Clause) -> str:
    """A ``requires`` clause as a formula of the stub."""
    check_formula(clause.formula)
    return guarded(contract, clause.behavior, in_pre_state(clause.formula))


def postcondition(contract: Contract, clause: Clause) -> str:
    """An ``ensures`` clause as a formula of the stub."""
    check_formula(clause.formula)
    return guarded(contract, clause.behavior, clause.formula)


def covering(contract: Contract, clause: Clause) -> str:
    """A ``complete`` or ``disjoint`` clause as a formula of the stub (ACSL 1.17 §2.3.3)."""
    names = clause.locations or contract.behaviors
    parts = [in_pre_state(assumes_of(contract, name) or "\\true") for name in names]
    if clause.kind == "complete":
        return " || ".join(f"({part})" for part in parts) or "\\true"
    pairs = [f"!(({a}) && ({b}))" for i, a in enumerate(parts) for b in parts[i + 1 :]]
    return " && ".join(pairs) or "\\true"


def frame(contract: Contract, clauses: Sequence[Clause], cells: Sequence[str]) -> str:
    """That the ``assigns`` clauses of one behavior allow the cells to change; a cell that keeps its value is no write.

    Membership is asked as overlap: ``\\separated`` takes pointers of any type, so a whole struct or array
    in the clause covers its parts.
    """
    locations = [part for clause in clauses for location in clause.locations for part in _members(location)]
    for location in locations:
        check_formula(location)
    parts = []
    for cell in cells:
        member = " || ".join(f"!\\separated(&{cell}, {_location_set(location)})" for location in locations)
        kept = f"{cell} == \\at({cell}, Pre)"
        parts.append(f"({kept} || {member})" if member else f"({kept})")
    return guarded(contract, clauses[0].behavior, " && ".join(parts) or "\\true")


def _location_set(location: str) -> str:
    at_entry = re.sub(r"\bHere\b", "Pre", location)
    return f"\\at(&({at_entry}), Pre)"


def _members(location: str, depth: int = 0) -> Iterable[str]:
    """The locations of which a set is made, for they may differ in type; none for what is no memory of the caller."""
    if depth > _DEEPEST_SET:
        raise NotExpressible("the sets of the assigns clause are nested too deeply")
    text = location.strip()
    if text in ("\\nothing", "\\empty") or text.startswith("\\result"):
        return ()
    union = _UNION.fullmatch(text)
    inner = union.group(1) if union else text[1:-1] if text[:1] + text[-1:] == "{}" and "|" not in text else None
    if inner is None:
        return (text,)
    return [part for piece in split_commas(inner) for part in _members(piece, depth + 1)]


def split_commas(text: str) -> list[str]:
    """The parts of ``text`` between commas that are in no brackets."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(text):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return [part.strip() for part in (*parts, text[start:])]
