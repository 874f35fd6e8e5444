"""What is to be judged in Java: from a change to the effective contracts of methods, with what each depends on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from clausefit.hook.changed_contracts import ChangedContract, Why, changed_contracts
from clausefit.hook.changed_suppressions import State, changed_suppressions
from clausefit.hook.changes import ChangedFile, Changes, LineRange
from clausefit.hook.config import Config
from clausefit.hook.contracts.c import decode
from clausefit.hook.contracts.java import read_java
from clausefit.hook.contracts.java_model import JavaMethod
from clausefit.hook.contracts.model import Contract, NotChecked, SourceContracts
from clausefit.hook.java.contracts import JavaSettings, changed_names, effective, uses_of
from clausefit.hook.java.project import FoundClass, JavaProject
from clausefit.hook.snapshots import Snapshot

_WORD = re.compile(rb"[A-Za-z_$][\w$]*")


@dataclass(frozen=True)
class MethodWork:
    """A contract to judge, with the class of its method. ``changed.contract`` is the effective contract."""

    found: FoundClass
    method: JavaMethod
    changed: ChangedContract


@dataclass(frozen=True)
class JavaWork:
    """All Java contracts to judge; ``project`` reads the files of the state that is judged."""

    project: JavaProject
    methods: tuple[MethodWork, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()


def java_paths(paths: Iterable[str]) -> list[str]:
    """Those that are Java or JML files."""
    return [path for path in paths if path.endswith((".java", ".jml"))]


def project_of(snapshot: Snapshot, config: Config) -> JavaProject:
    """The Java files of a snapshot; none is read yet.

    What the settings leave out is there for names that nothing else explains.
    """

    def read(path: str) -> str | None:
        content = snapshot.read(path)
        return None if content is None else decode(content)

    return JavaProject(read, java_paths(snapshot.list()), lambda path: config.is_source(path) or config.is_test(path))


def java_work_of(changes: Changes, config: Config) -> JavaWork:
    """The methods whose effective contracts the changes touch.

    A method is touched by a change of its own contract, of a pure method, model field, constant or invariant that it
    uses, or of a contract that it inherits.
    """
    project = project_of(changes.snapshot, config)
    settings = JavaSettings(config.nonnull_by_default)
    mine = [
        file
        for file in changes.files
        if file.status != "deleted" and file.path.endswith((".java", ".jml")) and config.is_source(file.path)
    ]
    touched = {_source_path(file.path, project): file for file in mine}
    tested = _tested(changes.files, config) if "tests" in config.changed_with else frozenset()
    roots = {path: file for path, file in touched.items() if path is not None}
    found: dict[tuple[str, str], MethodWork] = {}
    problems = [problem for file in mine for problem in _near(project.source(file.path), file)]
    for path, file in roots.items():
        source = project.source(path)
        if source is None:
            continue
        for work in _touched_methods(project, path, source, file, settings, tested, config):
            found.setdefault((work.found.file, work.changed.contract.function), work)
    heirs = _heirs(project, changes.snapshot, [work for work in found.values() if not work.method.has_body])
    for class_, method, why in heirs:
        whole = effective(project, class_, _contract_of(project, class_, method), settings)
        every = tuple(range(len(whole.clauses)))
        work = MethodWork(class_, method, ChangedContract(whole, every, why))
        found.setdefault((class_.file, whole.function), work)
    if tested:
        for work in _of_tested_classes(project, changes.snapshot, config, settings, tested):
            found.setdefault((work.found.file, work.changed.contract.function), work)
    # What has no code is judged in the methods that implement it.
    judged = [work for work in found.values() if work.method.has_body or not _is_implemented(work, found)]
    return JavaWork(project, tuple(judged), tuple(problems))


def _source_path(path: str, project: JavaProject) -> str | None:
    """The file whose classes a changed file describes: itself, or the ``.java`` file beside a ``.jml`` file."""
    if path.endswith(".jml"):
        beside = str(PurePosixPath(path).with_suffix(".java"))
        if project.text(beside) is not None:
            return beside
    return path


def _near(source: SourceContracts | None, file: ChangedFile) -> list[NotChecked]:
    """What could not be read where the change is; that the file is broken counts wherever it shows."""
    if source is None:
        return []

    def is_near(one: NotChecked) -> bool:
        return one.line is None or any(a - 3 <= one.line <= b + 3 for a, b in file.changed_lines)

    return [one for one in source.not_checked if one == source.broken or is_near(one)]


def _touched_methods(
    project: JavaProject,
    path: str,
    source: SourceContracts,
    file: ChangedFile,
    settings: JavaSettings,
    tested: frozenset[str],
    config: Config,
) -> list[MethodWork]:
    old = None
    if file.old_text is not None:
        # A changed .jml file is compared as it is; what was beside it before is not at hand.
        old_text = decode(file.old_text)
        old = read_java(old_text, path) if file.path == path else _before_merge(project, path, file, old_text)
    names = changed_names(old, source)
    owners = _owners(project, path)
    contracts = (*source.contracts, *_inheriting(project, source, owners, settings))
    uses = {c.function: uses_of(project, owners[c.function][0], c) for c in contracts if c.function in owners}
    lines: tuple[LineRange, ...] = file.changed_lines if "code" in config.changed_with else ()
    bodies = {c.function: (c.java.span.line, c.java.span.end_line) for c in contracts if c.java is not None}
    functions = frozenset(c.function for c in contracts if c.java is not None and c.java.name in tested)
    now = replace(source, contracts=contracts)
    before = None if old is None else replace(old, contracts=(*old.contracts, *old.bare))
    changed = changed_contracts(
        before,
        now,
        uses=uses,
        changed_names=names,
        changed_lines=lines,
        bodies=bodies,
        tested=functions,
        suppressed=_suppressed(project, file, old, now),
    )
    works = []
    for one in changed:
        if one.contract.function in owners:
            found, method = owners[one.contract.function]
            whole = effective(project, found, one.contract, settings)
            if any(not clause.implicit for clause in whole.clauses) or whole.behaviors:
                works.append(MethodWork(found, method, replace(one, contract=whole)))
    return works


def _suppressed(
    project: JavaProject, file: ChangedFile, old: SourceContracts | None, new: SourceContracts
) -> frozenset[str]:
    """The methods whose suppression comments changed in ``file``."""
    text = None if file.old_text is None else decode(file.old_text)
    before = State(text, (*old.contracts, *old.bare) if old is not None else ())
    # Those that inherit a contract are among both.
    after = State(project.text(file.path), tuple(dict.fromkeys((*new.contracts, *new.bare))))
    return changed_suppressions(file.path, before, after)


def _before_merge(project: JavaProject, path: str, file: ChangedFile, old_text: str) -> SourceContracts | None:
    """The state before, of a ``.java`` file whose ``.jml`` file changed."""
    texts: Mapping[str, str | None] = {file.path: old_text, path: project.text(path)}
    return JavaProject(texts.get, texts).source(path)


def _owners(project: JavaProject, path: str) -> dict[str, tuple[FoundClass, JavaMethod]]:
    return {method.signature: (found, method) for found in project.classes(path) for method in found.java.methods}


def _inheriting(
    project: JavaProject,
    source: SourceContracts,
    owners: Mapping[str, tuple[FoundClass, JavaMethod]],
    settings: JavaSettings,
) -> list[Contract]:
    """The methods without clauses of their own that inherit some."""
    found = []
    for bare in source.bare:
        owner = owners.get(bare.function)
        if owner is not None and project.supertypes(owner[0]):
            whole = effective(project, owner[0], bare, settings)
            inherited = {clause.file for clause in whole.clauses if not clause.implicit and clause.behavior}
            if inherited:
                found.append(bare)
    return found


def _contract_of(project: JavaProject, found: FoundClass, method: JavaMethod) -> Contract:
    source = project.source(found.file)
    every = (*source.contracts, *source.bare) if source is not None else ()
    return next(c for c in every if c.function == method.signature)


def _heirs(
    project: JavaProject, snapshot: Snapshot, abstract: Iterable[MethodWork]
) -> list[tuple[FoundClass, JavaMethod, frozenset[Why]]]:
    """The methods that implement these, wherever they stand."""
    wanted = list(abstract)
    if not wanted:
        return []
    names = {work.found.simple.encode() for work in wanted}
    contents = snapshot.read_many(path for path in java_paths(snapshot.list()) if path.endswith(".java"))
    heirs = []
    for path, content in contents.items():
        if names.isdisjoint(_WORD.findall(content)):
            continue
        for found in project.classes(path):
            above = {one.qualified for one in project.supertypes(found)}
            for work in wanted:
                if work.found.qualified in above:
                    heirs += [
                        (found, method, work.changed.why)
                        for method in found.java.methods
                        if method.has_body
                        and method.name == work.method.name
                        and len(method.parameters) == len(work.method.parameters)
                    ]
    return heirs


def _is_implemented(work: MethodWork, found: Mapping[tuple[str, str], MethodWork]) -> bool:
    return any(
        other.method.has_body
        and other.method.name == work.method.name
        and len(other.method.parameters) == len(work.method.parameters)
        and other.found.qualified != work.found.qualified
        for other in found.values()
    )


def _tested(files: Iterable[ChangedFile], config: Config) -> frozenset[str]:
    names: set[str] = set()
    for file in files:
        if config.is_test(file.path) and file.path.endswith(".java"):
            names.update(word.decode() for word in _WORD.findall(file.new_text) if word.isascii())
    return frozenset(names)


def _of_tested_classes(
    project: JavaProject, snapshot: Snapshot, config: Config, settings: JavaSettings, tested: frozenset[str]
) -> list[MethodWork]:
    """The contracts of classes that changed tests name, of methods that they name, too."""
    works = []
    for path in java_paths(snapshot.list()):
        if PurePosixPath(path).stem not in tested or not config.is_source(path) or path.endswith(".jml"):
            continue
        source = project.source(path)
        owners = _owners(project, path)
        for contract in source.contracts if source is not None else ():
            if contract.function in owners and contract.java is not None and contract.java.name in tested:
                found, method = owners[contract.function]
                whole = effective(project, found, contract, settings)
                every = tuple(range(len(whole.clauses)))
                works.append(MethodWork(found, method, ChangedContract(whole, every, frozenset({"test"}))))
    return works
