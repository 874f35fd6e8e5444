"""Contracts of a translation unit: a C file together with the workspace's headers that it includes."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Sequence

from clausefit.hook.contracts.acsl_tokens import identifiers, tokenize
from clausefit.hook.contracts.c_merge import merge, merged_variables
from clausefit.hook.contracts.model import Contract, NotChecked, SourceContracts

Read = Callable[[str], SourceContracts | None]


def translation_unit(file: str, read: Read, include_dirs: Sequence[str]) -> SourceContracts:
    """What ``file`` and the headers that it includes say together, each function's declarations merged.

    Paths are POSIX and relative to the workspace. ``read`` gives what one file holds, None when the workspace has no
    such file (a system header): such an include is left out. ``#include "…"`` is looked up beside the
    including file, then, like ``#include <…>``, in ``include_dirs`` (C17 §6.10.2, as gcc does); each file counts
    once, in the order in which a preprocessor meets it, its includes before it. ``includes`` of the result are the
    paths of the headers that were found. A ``file`` that ``read`` does not know gives a ``missing_file`` entry and
    nothing else.
    """
    sources = _sources(file, read, include_dirs)
    if not sources:
        missing = NotChecked(file, None, "missing_file", f"`{file}` is not in the workspace")
        return SourceContracts(file, not_checked=(missing,))
    functions: dict[str, list[Contract]] = {}
    for source in sources:
        for contract in sorted((*source.contracts, *source.bare), key=lambda one: one.line):
            functions.setdefault(contract.function, []).append(contract)
    contracts: list[Contract] = []
    bare: list[Contract] = []
    not_checked = [entry for source in sources for entry in source.not_checked]
    for declarations in functions.values():
        merged = merge(_one_definition(declarations, file))
        not_checked += merged.not_checked
        one = merged.contract
        (contracts if one.clauses or one.behaviors else bare).append(one)
    return SourceContracts(
        file=file,
        contracts=tuple(contracts),
        definitions=tuple(definition for source in sources for definition in source.definitions),
        variables=merged_variables(variable for source in sources for variable in source.variables),
        includes=tuple(source.file for source in sources[:-1]),
        not_checked=tuple(dict.fromkeys(not_checked)),
        macro_uses=_macros(sources),
        bare=tuple(bare),
    )


def uses_of(contract: Contract, unit: SourceContracts) -> frozenset[str]:
    """All identifiers in the contract's clauses, and those of the logic definitions and macros behind them."""
    behind: dict[str, set[str]] = {}
    for name, used in unit.macro_uses.items():
        behind.setdefault(name, set()).update(used)
    for definition in unit.definitions:
        for name in definition.names:
            behind.setdefault(name, set()).update(definition.uses)
    waiting: set[str] = set()
    for clause in contract.clauses:
        if clause.kind not in ("complete", "disjoint"):
            waiting |= identifiers(tokenize(clause.formula))
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= behind.get(name, set()) - found
    return frozenset(found)


def resolve(including: str, target: str, read: Read, include_dirs: Sequence[str]) -> SourceContracts | None:
    """What an ``#include`` line in ``including`` brings in; None for a file outside the workspace (a system header).

    ``target`` is ``name`` for ``#include "name"``, and ``<name>`` for one that is not looked up beside ``including``.
    """
    own = [] if target.startswith("<") else [posixpath.dirname(including)]
    target = target.removeprefix("<").removesuffix(">")
    if target.startswith("/") or "\0" in target or "\\" in target:
        return None
    for folder in (*own, *include_dirs):
        path = posixpath.normpath(posixpath.join(folder, target))
        if path.startswith(("/", "../")) or path in ("..", "."):
            continue
        source = read(path)
        if source is not None:
            return source
    return None


def _sources(file: str, read: Read, include_dirs: Sequence[str]) -> list[SourceContracts]:
    """The files of the unit, each once, included ones first (no recursion: chains may be deep)."""
    first = read(file)
    if first is None:
        return []
    ordered: list[SourceContracts] = []
    seen = {first.file}
    stack = [(first, iter(first.includes))]
    while stack:
        source, targets = stack[-1]
        target = next(targets, None)
        if target is None:
            ordered.append(source)
            stack.pop()
            continue
        included = resolve(source.file, target, read, include_dirs)
        if included is not None and included.file not in seen:
            seen.add(included.file)
            stack.append((included, iter(included.includes)))
    return ordered


def _one_definition(declarations: list[Contract], file: str) -> list[Contract]:
    """Of several definitions (branches of conditionals, broken files) the one in ``file`` counts, else the first."""
    definitions = [one for one in declarations if one.is_definition]
    if len(definitions) < 2:
        return declarations
    own = next((one for one in definitions if one.file == file), definitions[0])
    return [one for one in declarations if not one.is_definition or one is own]


def _macros(sources: Iterable[SourceContracts]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for source in sources:
        for name, used in source.macro_uses.items():
            found[name] = found.get(name, frozenset()) | used
    return found
