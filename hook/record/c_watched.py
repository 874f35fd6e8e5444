"""What gdb must know of a C function with a contract: its parameters, the variables that the contract names, extents.

A pointer shows one object; how many there are only the contract says (``\\valid(a + (0 .. n - 1))``). Its terms go to
gdb as plain lists (``c_terms.py``). Where a contract may say more about memory than is understood here, the pointer is
*vague*: calls that give it are left out, since an object that is too small makes a right precondition look wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clausefit.hook.contracts.acsl_tokens import Token, identifiers, tokenize
from clausefit.hook.contracts.c_project import uses_of
from clausefit.hook.contracts.model import Contract, LogicDefinition, SourceContracts
from clausefit.hook.contracts.one_cell import is_field, is_one_cell
from clausefit.hook.record.c_extents import VALID, Extents, Names, arguments_of, collected
from clausefit.hook.record.watched import RecordLimits, WatchedFunction

_LONGEST = 30


@dataclass(frozen=True)
class WatchedCFunction(WatchedFunction):
    """A C function with what its translation unit says: ``variables`` that the contract may read, logic definitions."""

    variables: tuple[str, ...] = ()
    definitions: tuple[LogicDefinition, ...] = field(default=(), repr=False)
    constants: Mapping[str, int] = field(default_factory=dict, repr=False)


def watched_function(
    contract: Contract, unit: SourceContracts, constants: Mapping[str, int] | None = None
) -> WatchedCFunction:
    """The function of a contract as the C recorder watches it; ``unit`` is its translation unit.

    ``constants`` are the names that stand for a number there, see ``c_numbers.py``.
    """
    used = uses_of(contract, unit)
    parameters = {p.name for p in contract.parameters}
    names = tuple(v.name for v in unit.variables if v.name in used - parameters and not v.is_ghost)
    return WatchedCFunction(
        contract.file, contract.function, contract, tuple(dict.fromkeys(names)), unit.definitions, constants or {}
    )


def watch_data(watched: Sequence[WatchedFunction], limits: RecordLimits, workspace: str) -> dict[str, Any]:
    """All that the part inside gdb needs, ready for JSON. A function's number is its place in ``watched``."""
    return {
        "workspace": workspace,
        "limits": {
            "distinct_calls": limits.distinct_calls,
            "hits": limits.hits,
            "depth": limits.depth,
            "elements": limits.elements,
            "text": limits.text,
            "slowdown": limits.slowdown,
            "call_seconds": limits.call_seconds,
        },
        "functions": [_function(one) for one in watched],
    }


def _function(watched: WatchedFunction) -> dict[str, Any]:
    contract = watched.contract
    extents = extents_of(watched)
    return {
        "name": watched.function,
        "file": contract.file if contract.is_definition else "",
        "parameters": [p.name for p in contract.parameters],
        "variables": list(_variables(watched)),
        "extents": [one.data() for one in extents.all],
        "sizes": extents.sizes,
        "refused": refusal(watched, extents),
    }


def refusal(watched: WatchedFunction, extents: Extents) -> str:
    """Why no call of the function can be recorded; empty where calls can be."""
    if watched.contract.is_variadic:
        return "functions with a variable number of arguments are not supported"
    if extents.whole:
        return "the contract speaks of whole blocks of memory, whose size a call does not show"
    return ""


def _variables(watched: WatchedFunction) -> tuple[str, ...]:
    if isinstance(watched, WatchedCFunction):
        return watched.variables
    # Without the unit gdb is asked which of the names are variables.
    used: set[str] = set()
    for clause in watched.contract.clauses:
        used |= identifiers(tokenize(clause.formula))
    return tuple(sorted(used - {p.name for p in watched.contract.parameters}))


def extents_of(watched: WatchedFunction) -> Extents:
    """What the contract says of the extents of memory before and after the call."""
    definitions: dict[str, LogicDefinition] = {}
    constants: Mapping[str, int] = {}
    if isinstance(watched, WatchedCFunction):
        definitions = {name: one for one in watched.definitions for name in one.names}
        constants = watched.constants
    formals = frozenset(p.name for p in watched.contract.parameters)
    single = single_cells(watched.contract)
    return collected(watched.contract, Names(formals, formals | {*_variables(watched)}, constants, single, definitions))


def single_cells(contract: Contract) -> frozenset[str]:
    """The parameters of which the contract speaks as of one object, and of nothing behind or before it.

    It takes their ``*p`` or ``p[0]``, and says else of them only that they are valid, separated or (not) null.
    """
    taken: set[str] = set()
    other: set[str] = set()
    names = {p.name for p in contract.parameters}
    for clause in contract.clauses:
        for text in (clause.formula, *clause.locations):
            tokens = tokenize(text)
            whole = _whole_arguments(tokens)
            for index, token in enumerate(tokens):
                if token.kind != "word" or token.text not in names or is_field(tokens, index):
                    continue
                if is_one_cell(tokens, index):
                    taken.add(token.text)
                elif index not in whole and not _is_compared_to_null(tokens, index):
                    other.add(token.text)
    return frozenset(taken - other)


def _whole_arguments(tokens: Sequence[Token]) -> set[int]:
    """The indexes of names that are an argument of ``\\valid``, ``\\separated``, … as they are."""
    starts = {id(token): index for index, token in enumerate(tokens)}
    found: set[int] = set()
    for index, token in enumerate(tokens):
        arguments = arguments_of(tokens, index) if token.text in VALID | {"\\separated"} else None
        found.update(starts[id(one[0])] for one in arguments or () if len(one) == 1)
    return found


def _is_compared_to_null(tokens: Sequence[Token], index: int) -> bool:
    after = "".join(token.text for token in tokens[index + 1 : index + 4])
    before = "".join(token.text for token in tokens[max(index - 3, 0) : index])
    return after in ("==\\null", "!=\\null", "==NULL", "!=NULL") or before in ("\\null==", "\\null!=")


def related_pointers(contract: Contract) -> list[tuple[str, str]]:
    """Pairs of parameters of which a clause compares the order or takes the difference (``p < q + 1``, ``p - q``)."""
    names = frozenset(p.name for p in contract.parameters if "*" in p.declaration or "[" in p.declaration)
    found: dict[tuple[str, str], None] = {}
    for clause in contract.clauses if len(names) > 1 else ():
        tokens = tokenize(clause.formula)
        for index, token in enumerate(tokens):
            if token.text in ("<", ">", "-"):
                left = _addresses(tokens, index, -1, names)
                right = _addresses(tokens, index, 1, names)
                found.update(((one, other), None) for one in left for other in right if one != other)
    return list(found)


def _addresses(tokens: Sequence[Token], operator: int, step: int, names: frozenset[str]) -> list[str]:
    """The pointers that are an operand as they are, not what they lead to, on one side of an operator."""
    found = []
    index = operator + step
    while 0 <= index < len(tokens) and operator - _LONGEST < index < operator + _LONGEST:
        token = tokens[index]
        if token.kind not in ("word", "number") and token.text not in ("+", "-", "="):
            break
        following = tokens[index + 1].text if index + 1 < len(tokens) else ""
        leads = following in ("->", "[", ".") or (index > 0 and tokens[index - 1].text in ("*", "->", "."))
        if token.text in names and not leads:
            found.append(token.text)
        index += step
    return found
