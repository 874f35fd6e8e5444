"""Which contracts a change touches, by meaning and not by text: white space and position do not count."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from clausefit.hook.changes import LineRange
from clausefit.hook.contracts.model import Clause, Contract, LogicDefinition, SourceContracts

Why = Literal["contract", "definition", "code", "test", "suppression"]

_ClauseKey: TypeAlias = tuple[object, ...]
_GUARDS = frozenset({"requires", "assumes"})

# Longest operators first (ACSL 1.x, "Lexical rules", and C11 §6.4.6), so that `a>b` and `a > b` are the same
# tokens but `a - -b` and `a--b` are not. A literal without its end ends with the line: were it no match, each
# further quote would be tried up to the end of the text.
_TOKEN = re.compile(
    r"""L?"(?:\\.|[^"\\\n])*"? | L?'(?:\\.|[^'\\\n])*'?
      | \\?\w+(?:\.\d\w*)?
      | <==> | ==> | <<= | >>= | \.\.\. | -->
      | && | \|\| | \^\^ | << | >> | <= | >= | == | != | -> | -- | \+\+ | \.\. | :> | <: | ::
      | \S""",
    re.VERBOSE,
)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
# A comment is a space, also one that carries a directive on to the next line (C17 §5.1.1.2); literals hold none.
_COMMENT = re.compile(
    r"""(?P<literal>"(?:\\.|[^"\\\n]|(?!))*+"?|'(?:\\.|[^'\\\n]|(?!))*+'?) | /\*(?s:.*?)(?:\*/|\Z) | //[^\n]*+""",
    re.VERBOSE,
)
_DEFINE = re.compile(r"[ \t]*#[ \t]*(?:define|undef)[ \t]+([A-Za-z_]\w*)")


@dataclass(frozen=True)
class ChangedContract:
    """A contract to judge; ``clauses`` are the indexes of those of its clauses that mean something new."""

    contract: Contract
    clauses: tuple[int, ...]
    why: frozenset[Why]


def tokens(text: str) -> tuple[str, ...]:
    """The C/ACSL tokens of a formula or declaration; a character of no token stands for itself."""
    return tuple(_TOKEN.findall(text))


def identifiers(clause: Clause) -> frozenset[str]:
    """The identifiers in a clause's formula and locations."""
    return frozenset(_IDENTIFIER.findall(" ".join((clause.formula, *clause.locations))))


def changed_definitions(old: SourceContracts | None, new: SourceContracts) -> frozenset[str]:
    """The names whose logic definitions were added, removed or changed between two states of a file."""
    before = _definition_keys(old.definitions if old else ())
    after = _definition_keys(new.definitions)
    different = (before - after) + (after - before)
    return frozenset(name for (_, names, _) in different for name in names)


def changed_macros(old: str | None, new: str) -> frozenset[str]:
    """The names of macros of which some ``#define`` or ``#undef`` line was added, removed or changed."""
    before = Counter(_macro_lines(old or ""))
    after = Counter(_macro_lines(new))
    return frozenset(name for name, _ in (before - after) + (after - before))


def changed_contracts(
    old: SourceContracts | None,
    new: SourceContracts,
    *,
    uses: Mapping[str, frozenset[str]] | None = None,
    changed_names: frozenset[str] = frozenset(),
    changed_lines: Sequence[LineRange] | None = None,
    bodies: Mapping[str, LineRange] | None = None,
    tested: frozenset[str] = frozenset(),
    suppressed: frozenset[str] = frozenset(),
) -> tuple[ChangedContract, ...]:
    """The contracts of ``new`` that a change touches, in their order there.

    A contract is touched when it is new; when a clause of it (its kind, formula, names, behavior, modality,
    locations) or its signature changed; or when a definition that it uses changed, directly or through
    others. ``uses`` gives for a function all names that its contract depends on; for functions that it does
    not hold, they are followed through the definitions and macros of ``new``. ``changed_names`` are names
    whose meaning changed elsewhere (see changed_definitions and changed_macros, for headers).

    Two things widen this: ``changed_lines`` (new side) touches functions whose stretch in ``bodies`` overlaps it
    (without an entry there: the contract's own span or line), and ``tested`` names the functions whose tests
    changed; both concern all clauses. So does ``suppressed``: functions whose suppression comments changed (see
    changed_suppressions).
    """
    before = {contract.function: contract for contract in old.contracts} if old else {}
    names = changed_definitions(old, new) | changed_names
    everywhere = _changed_invariants(old, new)
    result = []
    for contract in new.contracts:
        every = tuple(range(len(contract.clauses)))
        why: set[Why] = set()
        clauses = _changed_clauses(before.get(contract.function), contract)
        if clauses is not None:
            why.add("contract")
        if names or everywhere:
            used = (uses or {}).get(contract.function)
            used = _closure(contract, new) if used is None else used
            if everywhere or used & names:
                why.add("definition")
        if changed_lines and _overlaps(_stretch(contract, bodies), changed_lines):
            why.add("code")
        if contract.function in tested:
            why.add("test")
        if contract.function in suppressed:
            why.add("suppression")
        if why:
            only_clauses = why == {"contract"} and clauses is not None
            result.append(ChangedContract(contract, clauses if only_clauses and clauses else every, frozenset(why)))
    return tuple(result)


def _changed_clauses(old: Contract | None, new: Contract) -> tuple[int, ...] | None:
    """Indexes of the changed clauses; all when the whole contract means something new; None when nothing changed.

    A clause that went away, and a changed guard (``requires``, ``assumes``), change what all the clauses of
    the behavior say together, so all of them are to be judged again.
    """
    every = tuple(range(len(new.clauses)))
    if old is None or _signature(old) != _signature(new):
        return every
    keys = [_key(clause) for clause in new.clauses]
    before = Counter(map(_key, old.clauses))
    after = Counter(keys)
    removed, added = before - after, after - before
    if not removed and not added:
        return None
    touched = {
        (clause.kind, clause.behavior) for clause in (*old.clauses, *new.clauses) if _key(clause) in removed | added
    }
    lost = Counter(map(_place, removed.elements())) - Counter(map(_place, added.elements()))
    behaviors = {behavior for kind, behavior in touched if kind in _GUARDS} | {behavior for _, behavior in lost}
    if None in behaviors:
        return every
    return tuple(i for i, clause in enumerate(new.clauses) if keys[i] in added or clause.behavior in behaviors) or every


def _key(clause: Clause) -> _ClauseKey:
    formula = tokens(clause.formula)
    locations = tuple(map(tokens, clause.locations))
    return (clause.kind, clause.behavior, formula, clause.names, clause.modality, locations)


def _place(key: _ClauseKey) -> tuple[object, object]:
    return key[0], key[1]


def _signature(contract: Contract) -> tuple[object, ...]:
    return (
        tokens(contract.return_type or ""),
        tuple((parameter.name, tokens(parameter.declaration)) for parameter in contract.parameters),
        contract.is_variadic,
    )


def _definition_keys(definitions: Iterable[LogicDefinition]) -> Counter[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    return Counter((one.kind, one.names, tokens(one.text)) for one in definitions)


def _changed_invariants(old: SourceContracts | None, new: SourceContracts) -> bool:
    """Whether a type or global invariant changed: no contract names it, but it holds for all of them."""

    def invariants(source: SourceContracts | None) -> Counter[tuple[str, tuple[str, ...], tuple[str, ...]]]:
        return _definition_keys(one for one in (source.definitions if source else ()) if "invariant" in one.kind)

    return invariants(old) != invariants(new)


def _closure(contract: Contract, source: SourceContracts) -> frozenset[str]:
    """All names that the contract depends on, through the definitions and macros of its file."""
    meaning: dict[str, set[str]] = {name: set(used) for name, used in source.macro_uses.items()}
    for one in source.definitions:
        for name in one.names:
            # Names of one axiomatic block depend on each other: its axioms tie them together.
            meaning.setdefault(name, set()).update(one.uses, one.names)
    todo = [name for clause in contract.clauses for name in identifiers(clause)]
    seen: set[str] = set()
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo.extend(meaning.get(name, ()))
    return frozenset(seen)


def _stretch(contract: Contract, bodies: Mapping[str, LineRange] | None) -> LineRange:
    if bodies is not None and contract.function in bodies:
        return bodies[contract.function]
    if contract.span is not None:
        return min(contract.span.line, contract.line), max(contract.span.end_line, contract.line)
    return contract.line, contract.line


def _overlaps(stretch: LineRange, ranges: Iterable[LineRange]) -> bool:
    return any(first <= stretch[1] and stretch[0] <= last for first, last in ranges)


def _macro_lines(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """(name, tokens) of each ``#define`` and ``#undef``: continuation lines are joined, comments left out."""
    found = []
    joined = _COMMENT.sub(lambda match: match["literal"] or " ", re.sub(r"\\\r?\n", " ", text))
    for line in joined.split("\n"):
        match = _DEFINE.match(line)
        if match:
            found.append((match[1], tokens(line)))
    return found
