"""What is to be judged: from a change to translation units with their changed contracts.

A changed header touches every source that includes it. Each contract is judged once: in the source that
defines its function, or in the header itself when no source of the workspace defines it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from clausefit.hook.changed_contracts import (
    ChangedContract,
    changed_contracts,
    changed_definitions,
    changed_macros,
)
from clausefit.hook.changed_suppressions import State, changed_suppressions
from clausefit.hook.changes import ChangedFile, Changes, LineRange
from clausefit.hook.config import Config
from clausefit.hook.contracts.c import decode, read_c
from clausefit.hook.contracts.c_project import translation_unit, uses_of
from clausefit.hook.contracts.model import Contract, NotChecked, SourceContracts
from clausefit.hook.snapshots import Snapshot

JAVA = (".java", ".jml")
_HEADER = re.compile(r"\.(h|hh|hpp|hxx|inc|inl)$", re.IGNORECASE)
_WORD = re.compile(rb"[A-Za-z_]\w*")
# At least every target that read_c finds; the limits keep a hostile line from being read again and again.
_INCLUDED = re.compile(rb'include\b[^"<\n]{0,200}["<]([^">\n]{1,1000})[">]')
FolderLookup = Callable[[str], Sequence[str]]


class Sources:
    """The C files of one state of the workspace, each read and parsed once."""

    def __init__(self, snapshot: Snapshot, texts: dict[str, str | None] | None = None) -> None:
        self._snapshot = snapshot
        self._texts: dict[str, str | None] = dict(texts or {})
        self._read: dict[str, SourceContracts | None] = {}

    def text(self, path: str) -> str | None:
        """The decoded text; None when there is no such file."""
        if path not in self._texts:
            content = self._snapshot.read(path)
            self._texts[path] = None if content is None else decode(content)
        return self._texts[path]

    def contracts(self, path: str) -> SourceContracts | None:
        """What the file holds; None when there is no such file."""
        if path not in self._read:
            text = self.text(path)
            self._read[path] = None if text is None else read_c(text, path)
        return self._read[path]


@dataclass(frozen=True)
class UnitWork:
    """A translation unit with the contracts to judge in it, and its include folders (relative to the workspace)."""

    unit: SourceContracts
    changed: tuple[ChangedContract, ...]
    include_dirs: tuple[str, ...]


@dataclass(frozen=True)
class Work:
    """All there is to judge; ``sources`` reads the files of the state that is judged."""

    units: tuple[UnitWork, ...]
    sources: Sources
    not_checked: tuple[NotChecked, ...]


def work_of(changes: Changes, config: Config, include_dirs: FolderLookup) -> Work:
    """The translation units and contracts that the changes touch.

    ``include_dirs`` gives a source's include folders, relative to the workspace.
    """
    sources = Sources(changes.snapshot)
    by_path = {file.path: file for file in changes.files}
    old_texts = {f.path: None if f.old_text is None else decode(f.old_text) for f in changes.files}
    # A file that moved is compared with itself, and was included under its old name.
    for file in changes.files:
        if file.old_text is not None:
            old_texts.setdefault(file.old_path, decode(file.old_text))
    old_sources = Sources(changes.snapshot, old_texts)
    touched = [f.path for f in changes.files if f.status != "deleted" and _is_c(f.path, config)]
    headers = [path for path in touched if _HEADER.search(path)]
    roots = [path for path in touched if not _HEADER.search(path)]
    tested = _tested_names(changes.files, config) if "tests" in config.changed_with else frozenset()
    others = _including(headers, changes.snapshot, config, sources, include_dirs)
    others += _defining(tested, changes.snapshot, config, sources)
    roots += [path for path in dict.fromkeys(others) if path not in roots]
    done: set[tuple[str, str]] = set()
    units = []
    for root in (*roots, *headers):
        folders = tuple(include_dirs(root))
        unit = translation_unit(root, sources.contracts, folders)
        old = translation_unit(root, old_sources.contracts, folders) if old_sources.text(root) is not None else None
        changed = _changed(unit, old, by_path, old_sources, sources, config, tested)
        mine = [c for c in changed if _belongs(c.contract, root, done) and (old is not None or _is_touched(c, by_path))]
        # A header's clauses that were judged with the definition are not judged again in the header.
        done.update((file, c.contract.function) for c in mine for file in _files_of(c.contract))
        units.append(UnitWork(unit, tuple(mine), folders))
    problems = _problems(units, [path for path in touched if _may_hold_contracts(sources.text(path))], by_path)
    return Work(tuple(u for u in units if u.changed), sources, (*changes.not_checked, *problems))


def _files_of(contract: Contract) -> frozenset[str]:
    return frozenset({contract.file, *(clause.file or contract.file for clause in contract.clauses)})


def _is_touched(changed: ChangedContract, by_path: Mapping[str, ChangedFile]) -> bool:
    """Whether a contract in a new source is new itself, and not one of a header that was there before."""
    return "test" in changed.why or any(file in by_path for file in _files_of(changed.contract))


def _belongs(contract: Contract, root: str, done: set[tuple[str, str]]) -> bool:
    """A declaration without a definition is judged in its own file, and nothing twice."""
    if (contract.file, contract.function) in done:
        return False
    return contract.is_definition or contract.file == root


def _changed(
    unit: SourceContracts,
    old: SourceContracts | None,
    by_path: dict[str, ChangedFile],
    old_sources: Sources,
    sources: Sources,
    config: Config,
    tested: frozenset[str],
) -> tuple[ChangedContract, ...]:
    names: set[str] = set()
    for path in (*unit.includes, unit.file):
        if path in by_path and old_sources.text(path) is not None:
            names |= changed_macros(old_sources.text(path), sources.text(path) or "")
    lines: Sequence[LineRange] = ()
    if "code" in config.changed_with and unit.file in by_path:
        lines = by_path[unit.file].changed_lines
    if old is not None:
        names |= changed_definitions(old, unit)
    uses = {contract.function: uses_of(contract, unit) for contract in unit.contracts}
    bodies = _bodies(unit, sources.text(unit.file) or "") if lines else None
    return changed_contracts(
        old,
        unit,
        uses=uses,
        changed_names=frozenset(names),
        changed_lines=lines,
        bodies=bodies,
        tested=tested,
        suppressed=_suppressed(unit, old, by_path, old_sources, sources),
    )


def _suppressed(
    unit: SourceContracts,
    old: SourceContracts | None,
    by_path: Mapping[str, ChangedFile],
    old_sources: Sources,
    sources: Sources,
) -> frozenset[str]:
    """The functions whose suppression comments changed, in the source or in a header of it."""
    found: frozenset[str] = frozenset()
    for path in dict.fromkeys((*unit.includes, unit.file, *(old.includes if old is not None else ()))):
        if path in by_path:
            before = State(old_sources.text(path), old.contracts if old is not None else ())
            found |= changed_suppressions(path, before, State(sources.text(path), unit.contracts))
    return found


def _bodies(unit: SourceContracts, text: str) -> dict[str, LineRange]:
    """For each function of the file its stretch of lines: up to where the next function begins."""
    every = sorted(
        {(c.line, c.function): c for c in (*unit.contracts, *unit.bare) if c.file == unit.file}.values(),
        key=lambda c: c.line,
    )
    starts = [min(c.line, c.span.line) if c.span else c.line for c in every]
    ends = [*[start - 1 for start in starts[1:]], text.count("\n") + 1]
    return {c.function: (start, max(start, end)) for c, start, end in zip(every, starts, ends, strict=True)}


def _including(
    headers: Sequence[str], snapshot: Snapshot, config: Config, sources: Sources, include_dirs: FolderLookup
) -> list[str]:
    """The sources that include one of these headers, directly or through others."""
    if not headers:
        return []
    wanted = set(headers)
    paths = _source_files(snapshot, config)
    possible = _naming(headers, paths, snapshot, config)
    found = []
    for path in paths:
        if path in possible:
            unit = translation_unit(path, sources.contracts, tuple(include_dirs(path)))
            if wanted.intersection(unit.includes):
                found.append(path)
    return found


def _naming(headers: Iterable[str], paths: Iterable[str], snapshot: Snapshot, config: Config) -> set[str]:
    """Those of the ``paths``, and of what they include, that can include one of the headers, going by file names.

    A large project is read in a few batches and hardly parsed: only what is found here is looked at closely.
    """
    named: dict[str, list[str]] = {}
    for path in snapshot.list():
        named.setdefault(posixpath.basename(path), []).append(path)
    including: dict[str, list[str]] = {}
    seen: set[str] = set()
    waiting = set(paths)
    while waiting:
        seen |= waiting
        next_ones: set[str] = set()
        for path, content in snapshot.read_many(waiting).items():
            for target in {one.decode("utf-8", "replace") for one in _INCLUDED.findall(content)}:
                name = posixpath.basename(target)
                including.setdefault(name, []).append(path)
                # Links are in no list, but can be read where the target says.
                folders = (posixpath.dirname(path), *config.include_dirs)
                beside = [posixpath.normpath(posixpath.join(folder, target)) for folder in folders]
                next_ones.update(named.get(name, beside))
        waiting = next_ones - seen
    found: set[str] = set()
    names_left = [posixpath.basename(header) for header in headers]
    while names_left:
        new = set(including.pop(names_left.pop(), ())) - found
        found |= new
        names_left += [posixpath.basename(path) for path in new]
    return found


def _defining(names: frozenset[str], snapshot: Snapshot, config: Config, sources: Sources) -> list[str]:
    """The sources that define one of these functions."""
    found = []
    speaking = _speaking(names, snapshot.read_many(_source_files(snapshot, config))) if names else ()
    for path in speaking:
        source = sources.contracts(path)
        functions = (*source.contracts, *source.bare) if source is not None else ()
        if any(one.is_definition and one.function in names for one in functions):
            found.append(path)
    return found


def _speaking(names: frozenset[str], contents: Mapping[str, bytes]) -> list[str]:
    wanted = {name.encode() for name in names}
    return [path for path, content in contents.items() if not wanted.isdisjoint(_WORD.findall(content))]


def _is_c(path: str, config: Config) -> bool:
    return config.is_source(path) and not path.endswith(JAVA)


def _source_files(snapshot: Snapshot, config: Config) -> list[str]:
    return [path for path in snapshot.list() if _is_c(path, config) and not _HEADER.search(path)]


def _tested_names(files: Iterable[ChangedFile], config: Config) -> frozenset[str]:
    names: set[str] = set()
    for file in files:
        if config.is_test(file.path) and not file.path.endswith(JAVA):
            names.update(word.decode("ascii") for word in _WORD.findall(file.new_text) if word.isascii())
    return frozenset(names)


def _may_hold_contracts(text: str | None) -> bool:
    """Whether what cannot be read in a file can be a contract (it may be an odd macro as well), or is no C at all."""
    return text is not None and ("/*@" in text or "//@" in text or "\0" in text)


def _problems(
    units: Sequence[UnitWork], touched: Sequence[str], by_path: dict[str, ChangedFile]
) -> tuple[NotChecked, ...]:
    """What could not be read in changed files, each once; a place that the change did not touch is not its matter."""
    found: dict[NotChecked, None] = {}
    for work in units:
        for entry in work.unit.not_checked:
            changed = by_path.get(entry.file)
            near = (
                changed is None
                or entry.line is None
                or any(a - 3 <= entry.line <= b + 3 for a, b in changed.changed_lines)
            )
            if entry.file in touched and near:
                found[entry] = None
    return tuple(found)
