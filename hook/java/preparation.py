"""Java contracts made ready to be judged: their pins, their questions, and the skeletons that a verifier loads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from clausefit.hook.config import Config
from clausefit.hook.contracts.java_model import JavaField
from clausefit.hook.contracts.model import Clause, Contract, NotChecked
from clausefit.hook.java.contracts import JavaSettings, reads_of
from clausefit.hook.java.names import words_of
from clausefit.hook.java.nullness import NonNullPlaces
from clausefit.hook.java.project import FoundClass, JavaProject
from clausefit.hook.java.questions import Surroundings, first_round
from clausefit.hook.java.skeletons import Skeleton, skeleton_of
from clausefit.hook.java.test_pins import collect_java
from clausefit.hook.java.work import JavaWork, MethodWork
from clausefit.hook.judge import Files, JavaUnitPlan
from clausefit.hook.pins.values import (
    Array,
    Constant,
    Failed,
    Integer,
    Null,
    Pin,
    Pointer,
    Returned,
    Struct,
    Value,
    leaves,
)
from clausefit.hook.plans import Limits
from clausefit.hook.prepared import MORE_PINS, Entry, Prepared, entry_for
from clausefit.hook.snapshots import Snapshot
from clausefit.hook.speech import JavaSpeech

if TYPE_CHECKING:
    from clausefit.hook.pins.junit_xml import PassedTests

_VISIBLE = frozenset({"public", "protected", "spec_public", "spec_protected"})
Math = Literal["java", "bigint"]


def prepare_java(
    prepared: Prepared,
    work: JavaWork,
    snapshot: Snapshot,
    config: Config,
    passed: PassedTests | None,
    go_on: Callable[[], None] = lambda: None,
) -> None:
    """Add the Java contracts of ``work``: one unit for the contracts of a class that have one arithmetic.

    ``go_on`` is called before each step, and raises where it is to be the last.
    """
    prepared.not_checked += work.not_checked
    table = collect_java(work.project, snapshot, config, work.methods, passed, go_on)
    prepared.not_checked += table.not_checked
    groups: dict[tuple[str, str, Math], list[tuple[MethodWork, Entry]]] = {}
    for method in work.methods:
        entry = entry_for(method.changed, table, config)
        key = (method.found.file, method.found.qualified, math_of(method.changed.contract))
        groups.setdefault(key, []).append((method, entry))
    for number, ((file, _name, math), members) in enumerate(groups.items()):
        go_on()
        _prepare_class(prepared, number, file, math, work.project, members, config)


def math_of(contract: Contract) -> Math:
    """The arithmetic of the contract's clauses: mathematical integers unless it says otherwise (JML Reference Manual,
    2nd edition, "Arithmetic modes"). ``safe`` differs from ``bigint`` only where the code overflows."""
    mode = contract.java.spec_math if contract.java is not None else None
    return "java" if mode == "java" else "bigint"


def _prepare_class(
    prepared: Prepared,
    number: int,
    file: str,
    math: Math,
    project: JavaProject,
    members: Sequence[tuple[MethodWork, Entry]],
    config: Config,
) -> None:
    found = members[0][0].found

    def skeleton_for(some: Sequence[tuple[MethodWork, Entry]], *, is_bare: bool) -> Skeleton | NotChecked:
        clauses = [clause for _method, entry in some for clause in entry.contract.clauses]
        texts = [text for clause in clauses for text in (clause.formula, *clause.locations)]
        types = sorted({name for method, entry in some for name in _types_needed(method, entry.pins)})
        return skeleton_of(project, found, some[0][1].contract, texts, types, is_bare=is_bare)

    def files(some: Sequence[tuple[MethodWork, Entry]]) -> Files:
        fewer = skeleton_for(some, is_bare=True)
        return () if isinstance(fewer, NotChecked) else fewer.files

    skeleton = skeleton_for(members, is_bare=False)
    if isinstance(skeleton, NotChecked):
        prepared.not_checked += [replace(skeleton, function=entry.contract.function) for _m, entry in members]
        return
    plans = []
    for index, (method, entry) in enumerate(members):
        settings = JavaSettings(config.nonnull_by_default)
        around = surroundings(project, method, entry.contract, skeleton, settings)
        limits = Limits(config.pins, MORE_PINS, config.mutants)
        entry.plan = first_round(entry.contract, entry.pins, f"j{number}c{index}", limits, around)
        plans.append(entry.plan)
        prepared.entries.append(entry)
    name = f"{file}:{found.qualified}"
    prepared.units.append(
        JavaUnitPlan(
            name, skeleton.files, math, plans, lambda: files(members), lambda index: files(members[index : index + 1])
        )
    )


def _types_needed(work: MethodWork, pins: Iterable[Pin]) -> Iterable[str]:
    yield from (parameter.type for parameter in work.method.parameters)
    if work.method.result_type not in (None, "void"):
        yield work.method.result_type or ""
    for pin in pins:
        yield from types_in(pin)


def surroundings(
    project: JavaProject, work: MethodWork, contract: Contract, skeleton: Skeleton, settings: JavaSettings
) -> Surroundings:
    """What the questions about a method need of its class."""
    found, method = work.found, work.method
    fields = [field for one in (found, *project.supertypes(found)) for field in one.java.fields]
    reached = _reached(project, found, contract)
    named = frozenset().union(*(reached(clause) for clause in contract.clauses), frozenset())
    named |= frozenset(word for clause in contract.clauses for word in words_of(clause.formula))
    return Surroundings(
        class_name=skeleton.class_name,
        is_static=method.is_static,
        parameters=tuple((parameter.type, parameter.name) for parameter in method.parameters),
        erased=skeleton.erased,
        unavailable=skeleton.unavailable_in,
        is_incomplete=_is_incomplete(project, contract),
        constants=_constants(project, found, contract),
        spoken_of=named | frozenset(field.name for field in fields if _is_visible(field)),
        finals=frozenset(field.name for field in fields if "final" in field.modifiers),
        speech=JavaSpeech(reached),
        forbids=NonNullPlaces(project, found, contract, settings).forbids,
    )


def _is_incomplete(project: JavaProject, contract: Contract) -> bool:
    """Whether a part of the contract could not be read, here or where it is inherited from."""
    files = {contract.file, *(clause.file for clause in contract.clauses if clause.file)}
    sources = [source for file in files if (source := project.source(file)) is not None]
    problems = [one for source in sources for one in source.not_checked if one.reason == "parse_error"]
    return any(one.function == contract.function for one in problems)


def _is_visible(field: JavaField) -> bool:
    """Whether clients can know of the field (no modifier: package); Java's default is not private."""
    return bool(_VISIBLE.intersection(field.modifiers)) or "private" not in field.modifiers


def _reached(project: JavaProject, found: FoundClass, contract: Contract) -> Callable[[Clause], frozenset[str]]:
    @lru_cache(maxsize=256)
    def reached(clause: Clause) -> frozenset[str]:
        return reads_of(project, found, contract, clause.formula)

    return reached


def types_in(pin: Pin) -> frozenset[str]:
    """The types of the objects and values of a pin."""
    outcome = pin.outcome
    values: list[Value] = [value for _name, value in pin.arguments] + [block.value for block in pin.blocks]
    if isinstance(outcome, Returned):
        values += [value for _block, value in outcome.after] + ([outcome.result] if outcome.result is not None else [])
    found = set(_types_of(values))
    if isinstance(outcome, Failed) and outcome.detail:
        found.add(outcome.detail)
    return frozenset(found)


def _types_of(values: Iterable[Value]) -> Iterable[str]:
    for value in values:
        if isinstance(value, Struct):
            yield value.type
        elif isinstance(value, Array):
            yield f"{value.type}[]" if value.form == "array" else "java.util.List"
        for _path, leaf in leaves(value):
            if isinstance(leaf, Constant | Null | Pointer | Integer) and leaf.type:
                yield leaf.type


def _constants(project: JavaProject, found: FoundClass, contract: Contract) -> dict[str, tuple[str, ...]]:
    """The constants of the enum types that the method and the fields of its class have, by qualified type."""
    method = contract.java
    written = [one.type for one in found.java.fields]
    if method is not None:
        written += [one.type for one in method.parameters] + [method.result_type or ""]
    enums = {}
    for name in dict.fromkeys(written):
        type_found = project.find(name, found.file, found.java.name) if name else None
        if type_found is not None and type_found.java.kind == "enum":
            enums[type_found.qualified] = tuple(
                one.name
                for one in type_found.java.fields
                if one.type == type_found.simple and "static" in one.modifiers and one.initializer is None
            )
    return enums
