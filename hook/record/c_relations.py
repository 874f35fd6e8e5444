"""Where a contract computes with addresses, so that it matters whether two pointers lead into one object (pure).

Two objects that touch cannot be told from two parts of one: one past the end of the first is the address of the second.
To most contracts that is all the same. Not to one that orders pointers, takes their difference, compares one with a
sum (``\\result == a + n``), or reaches from one object into the next by an index.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from clausefit.hook.contracts.model import Contract, LogicDefinition
from clausefit.hook.expect.definitions import definitions_from
from clausefit.hook.expect.syntax import parse
from clausefit.hook.expect.tree import (
    At,
    Binary,
    Call,
    Cast,
    Comparisons,
    Conditional,
    Index,
    Let,
    Member,
    Name,
    Node,
    Number,
    Quantified,
    Unary,
    called_names,
    children,
)
from clausefit.hook.pins.values import Pin, Pointer, Returned

# What these say of an address holds of the object that it leads to: no other is compared with it.
_OF_ONE_PLACE = frozenset(
    {"\\valid", "\\valid_read", "\\separated", "\\initialized", "\\dangling", "\\freeable", "\\fresh", "\\allocable"}
)


@dataclass(frozen=True)
class Operand:
    """A variable or field (``name``), and how many times its value is followed (``p[i]``: once) to get the operand."""

    name: str
    depth: int = 0
    is_field: bool = False


@dataclass(frozen=True)
class Relations:
    """What a contract computes with; which of the operands are pointers only their types tell.

    ``ordered``: an order or a difference, or an address as a number; ``added``: compared with a sum; ``indexed``: what
    it adds to, or takes another element of than the first. ``together``: those of one comparison or difference.
    ``opaque``: some of it is not understood.
    """

    ordered: frozenset[Operand] = frozenset()
    added: frozenset[Operand] = frozenset()
    indexed: frozenset[Operand] = frozenset()
    together: frozenset[frozenset[Operand]] = frozenset()
    opaque: bool = False


def relations_of(contract: Contract, definitions: Iterable[LogicDefinition] = ()) -> Relations:
    """What the clauses of a contract, and the definitions that they use, do with addresses."""
    known = definitions_from(definitions)
    finder = _Finder()
    applied: set[str] = set()
    for clause in contract.clauses:
        if clause.kind in ("requires", "assumes", "ensures"):
            applied |= finder.take(clause.formula, {})
        for location in clause.locations if clause.kind == "assigns" else ():
            if parse(location) is not None:  # what it names is no comparison
                finder.take(location, {})
    waiting, seen = sorted(applied), set(applied)
    while waiting:
        definition = known.get(waiting.pop())
        if definition is None or definition.body is None:
            continue  # what has no body is spoken of by axioms, whose pointers are those that it is given
        more = finder.take(definition.body, dict(definition.parameters)) - seen
        seen |= more
        waiting += sorted(more)
    return finder.found()


class _Finder:
    def __init__(self) -> None:
        self._ordered: set[Operand] = set()
        self._added: set[Operand] = set()
        self._indexed: set[Operand] = set()
        self._together: set[frozenset[Operand]] = set()
        self._opaque = False

    def found(self) -> Relations:
        ordered, added, indexed = (frozenset(one) for one in (self._ordered, self._added, self._indexed))
        return Relations(ordered, added, indexed, frozenset(self._together), self._opaque)

    def take(self, text: str, types: Mapping[str, str]) -> set[str]:
        """Look at a formula; ``types`` are those of a definition's parameters. The names of what it applies."""
        formula = parse(text)
        if formula is None:
            self._opaque = True
            return set()
        sinks = (self._ordered, self._added, self._indexed)
        before, together = [set(sink) for sink in sinks], set(self._together)
        for node in _nodes(formula.tree):
            self._node(node)
        if types:
            self._together = together
        for sink, old in zip(sinks, before, strict=True) if types else ():
            for one in sink - old:
                if not one.is_field and one.name in types:
                    # A parameter of the definition: its type is known here, and its name means nothing outside.
                    sink.discard(one)
                    self._opaque |= levels(types[one.name]) > one.depth and sink is not self._indexed
        return set(called_names(formula.tree))

    def _node(self, node: Node) -> None:
        match node:
            case Comparisons(operators, terms):
                parts = {one for term in terms for one in operands(term)}
                is_order = bool(set(operators) - {"==", "!="})
                if is_order or any(_is_sum(term) for term in terms):
                    (self._ordered if is_order else self._added).update(parts)
                    self._together.add(frozenset(parts))
            case Binary("-", left, right):
                both = {*operands(left)}, {*operands(right)}
                if all(both):
                    self._ordered |= both[0] | both[1]
                    self._together.add(frozenset(both[0] | both[1]))
                self._indexed |= both[0]
            case Binary("+", left, right):
                self._indexed |= {*operands(left), *operands(right)}
            case Index(base, index) if index != Number(0):
                self._indexed |= {*operands(base)}
            case Cast(target, operand) if "*" not in target:
                self._ordered |= {*operands(operand)}
            case Call(name, _, arguments) if name not in _OF_ONE_PLACE:
                self._added |= {one for argument in arguments if _is_sum(argument) for one in operands(argument)}
            case Let(_, value, _):
                self._ordered |= {*operands(value)}
            case Quantified(_, binders, _, _):
                self._opaque |= any(levels(kind) for _, kind in binders)
            case _:
                pass


def _nodes(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += children(one)


def operands(node: Node, depth: int = 0) -> Iterator[Operand]:
    """What a term is made of, as far as it may be an address."""
    match node:
        case Name(text):
            yield Operand(text, depth)
        case Member(_, name, _):
            yield Operand(name, depth, is_field=True)
        case Unary("*", operand) | Index(operand, _):
            yield from operands(operand, depth + 1)
        case Unary("&", operand):
            yield from operands(operand, depth - 1)
        case Cast(_, operand) | At(operand, _):
            yield from operands(operand, depth)
        case Binary("+" | "-", left, right):
            yield from operands(left, depth)
            yield from operands(right, depth)
        case Conditional(_, yes, no):
            yield from operands(yes, depth)
            yield from operands(no, depth)
        case _:
            pass


def _is_sum(node: Node) -> bool:
    match node:
        case Binary("+" | "-", _, _):
            return True
        case Unary("&", Index(_, index)):
            return index != Number(0)
        case Cast(_, operand) | At(operand, _):
            return _is_sum(operand)
        case Conditional(_, yes, no):
            return _is_sum(yes) or _is_sum(no)
        case _:
            return False


def apart(pin: Pin, relations: Relations) -> str | None:
    """Why a recorded call shows nothing of a contract that relates pointers which lead to different blocks; else None.

    The call may have been recorded for another contract, and whether the two are one object it does not tell.
    """
    result = pin.outcome.result if isinstance(pin.outcome, Returned) else None
    given = {**dict(pin.arguments), **({"\\result": result} if result is not None else {})}
    for group in relations.together:
        names = sorted(one.name for one in group if not one.is_field and one.depth == 0)
        led = {name: value.block for name in names if isinstance(value := given.get(name), Pointer)}
        if len(set(led.values())) > 1:
            return f"whether {' and '.join(led)} lead into one object is not known"
    return None


def levels(declaration: str) -> int:
    """How many times what is declared so can be followed."""
    return declaration.count("*") + declaration.count("[")
