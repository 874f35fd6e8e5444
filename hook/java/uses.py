"""What a change of a Java file gives a new meaning to, and which contracts depend on it.

Names are qualified: ``p.C.f`` for members, ``p.C.\\invariant`` for the clauses of a class, ``p.C.\\class`` for what its
header says, ``p.C.f(int)\\contract`` for the clauses of a method, which heirs inherit.
"""

from __future__ import annotations

from collections.abc import Iterable

from clausefit.hook.contracts.java_model import ClassClause, JavaField
from clausefit.hook.contracts.model import Contract, SourceContracts
from clausefit.hook.java.overriding import overridden
from clausefit.hook.java.project import FoundClass, JavaProject, enclosing
from clausefit.hook.java.reach import reach_of, represented

_CLASS = "\\class"
_INVARIANT = "\\invariant"
_CONTRACT = "\\contract"
_SPOKEN = frozenset({"invariant", "constraint", "initially", "axiom"})


def changed_names(old: SourceContracts | None, new: SourceContracts) -> frozenset[str]:
    """The names that mean something else in ``new`` than in ``old`` (None: the file is new), see the module."""
    before, after = _meanings(old), _meanings(new)
    return frozenset(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def uses_of(project: JavaProject, found: FoundClass, contract: Contract) -> frozenset[str]:
    """The names that the contract of a method of ``found`` depends on, through pure and model methods as well.

    With those of the contracts that it inherits, and of its class and supertypes; those of names that do not exist as
    well where a class of them could declare one.
    """
    method = contract.java
    if method is None:
        return frozenset()
    above = overridden(project, found, method)
    formulas = [clause.formula for clause in contract.clauses]
    names: set[str] = set()
    for owner, inherited in above:
        names.add(f"{owner.qualified}.{_signature(inherited.name, [p.type for p in inherited.parameters])}{_CONTRACT}")
        theirs = project.contract(owner.file, inherited.signature)
        formulas += [clause.formula for clause in theirs.clauses] if theirs is not None else []
    family = (found, *project.supertypes(found))
    for one_class in family:
        formulas += [one.clause.formula for one in one_class.java.clauses if one.clause.kind in _SPOKEN]
        names |= {f"{one_class.qualified}.{_CLASS}", f"{one_class.qualified}.{_INVARIANT}"}
        outer = enclosing(one_class.java.name)
        while outer:
            names.add(f"{_qualified(one_class.package, outer)}.{_CLASS}")
            outer = enclosing(outer)
    reach = reach_of(project, found, method, formulas)
    for qualified, one_class in reach.classes.items():
        names |= {f"{qualified}.{key.removesuffix('()')}" for key in project.members(one_class).keys & reach.keys}
    return frozenset(names)


def reads_of(project: JavaProject, found: FoundClass, contract: Contract, formula: str) -> frozenset[str]:
    """The bare names of members that one formula of a contract speaks of, through pure and model methods as well."""
    reach = reach_of(project, found, contract.java, (formula,))
    keys = frozenset().union(*(project.members(one).keys & reach.keys for one in reach.classes.values()))
    return frozenset(key.removesuffix("()") for key in keys)


def _qualified(package: str, name: str) -> str:
    return f"{package}.{name}" if package else name


def _signature(name: str, types: Iterable[str]) -> str:
    return f"{name}({', '.join(types)})"


def _meanings(source: SourceContracts | None) -> dict[str, object]:
    """For each name what it means, as something that can be compared."""
    java = source.java if source is not None else None
    if source is None or java is None:
        return {}
    found: dict[str, object] = {}
    for one in java.classes:
        prefix = _qualified(java.package, one.name)
        found[f"{prefix}.{_CLASS}"] = (
            one.kind,
            one.extends,
            one.implements,
            one.type_parameters,
            one.default_nullness,
            one.spec_math,
            one.code_math,
        )
        spoken = tuple((c.clause.kind, c.clause.formula, c.modifiers) for c in one.clauses if c.clause.kind in _SPOKEN)
        found[f"{prefix}.{_INVARIANT}"] = spoken
        members: dict[str, list[object]] = {}
        for field in one.fields:
            members.setdefault(field.name, []).append(_field(field))
        for method in one.methods:
            members.setdefault(method.name, []).append((method.signature, method.modifiers, method.meaning))
        for clause in one.clauses:
            _represents(clause, members)
        found |= {f"{prefix}.{name}": meaning for name, meaning in members.items()}
    for contract in source.contracts:
        if contract.java is not None:
            prefix = _qualified(java.package, contract.java.class_name)
            name = _signature(contract.java.name, [one.type for one in contract.java.parameters])
            clauses = tuple((c.kind, c.formula, c.behavior) for c in contract.clauses)
            shapes = tuple((c.id, c.kind, c.visibility, c.section, c.is_code) for c in contract.java.spec_cases)
            found[f"{prefix}.{name}{_CONTRACT}"] = (clauses, shapes)
    return found


def _field(field: JavaField) -> tuple[object, ...]:
    # What a variable starts with is no part of its meaning; a constant is what it is set to.
    value = field.initializer if "final" in field.modifiers else None
    return (field.type, field.modifiers, value, field.is_ghost, field.is_model)


def _represents(clause: ClassClause, members: dict[str, list[object]]) -> None:
    if clause.clause.kind == "represents":
        for name in sorted(represented(clause.clause.formula)):
            members.setdefault(name, []).append(clause.clause.formula)
