"""A ``.jml`` file beside a ``.java`` file: its specifications belong to the classes there.

For a method, or a class, that the ``.jml`` file specifies, its text takes the place of what the ``.java`` file says
(JML Reference Manual, "Compilation units": a specification file is read instead of the annotations in the source).
"""

from __future__ import annotations

from dataclasses import replace

from clausefit.hook.contracts.java_model import JavaClass, JavaFile, JavaMethod
from clausefit.hook.contracts.model import Contract, SourceContracts


def merged(code: SourceContracts, specification: SourceContracts) -> SourceContracts:
    """``code`` with the contracts, class clauses, ghost and model members of ``specification``. Never raises."""
    if code.java is None or specification.java is None or code.java.package != specification.java.package:
        return code
    specified = {_key(one): one for one in (*specification.contracts, *specification.bare)}
    by_name = {one.name: one for one in specification.java.classes}
    contracts = [_contract(one, specified.get(_key(one))) for one in (*code.contracts, *code.bare)]
    known = {_key(one) for one in contracts}
    contracts += [
        one
        for one in (*specification.contracts, *specification.bare)
        if _key(one) not in known and one.java is not None and one.java.is_in_comment
    ]
    methods: dict[str, list[JavaMethod]] = {}
    for one in contracts:
        if one.java is not None:
            methods.setdefault(one.java.class_name, []).append(one.java)
    classes = tuple(
        replace(_class(one, by_name.get(one.name)), methods=tuple(methods.get(one.name, ())))
        for one in code.java.classes
    )
    imports = dict.fromkeys((*code.java.imports, *specification.java.imports))
    return replace(
        code,
        contracts=tuple(one for one in contracts if one.clauses or one.behaviors),
        bare=tuple(one for one in contracts if not (one.clauses or one.behaviors)),
        java=JavaFile(code.java.package, tuple(imports), classes),
    )


def _simple(type_text: str) -> str:
    """The type without type arguments and qualification, to compare a parameter in two files."""
    before = type_text.partition("<")[0]
    dimensions = type_text.count("[") + type_text.endswith("...")
    return before.rstrip("[].").rpartition(".")[2] + "[]" * dimensions


def _key(contract: Contract) -> tuple[str, str, tuple[str, ...]]:
    java = contract.java
    if java is None:
        return "", contract.function, ()
    return java.class_name, java.name, tuple(_simple(one.type) for one in java.parameters)


def _contract(code: Contract, specification: Contract | None) -> Contract:
    if specification is None or code.java is None or specification.java is None:
        return code
    ours, theirs = code.java, specification.java
    names = [one.name for one in ours.parameters]
    if not specification.clauses and not specification.behaviors and not set(theirs.modifiers) - set(ours.modifiers):
        return code
    if names != [one.name for one in theirs.parameters]:
        return code  # the manual asks for the same names; with others the clauses would speak of something else
    parameters = tuple(
        replace(one, nullness=two.nullness or one.nullness)
        for one, two in zip(ours.parameters, theirs.parameters, strict=True)
    )
    has_clauses = bool(specification.clauses or specification.behaviors)
    chosen = specification if has_clauses else code
    cases = theirs if has_clauses else ours
    java = replace(
        ours,
        parameters=parameters,
        modifiers=tuple(dict.fromkeys((*ours.modifiers, *theirs.modifiers))),
        is_pure=ours.is_pure or theirs.is_pure,
        is_helper=ours.is_helper or theirs.is_helper,
        result_nullness=theirs.result_nullness or ours.result_nullness,
        default_nullness=theirs.default_nullness or ours.default_nullness,
        spec_math=theirs.spec_math or ours.spec_math,
        code_math=theirs.code_math or ours.code_math,
        spec_cases=cases.spec_cases,
        extends_overridden=cases.extends_overridden,
    )
    return replace(code, clauses=chosen.clauses, behaviors=chosen.behaviors, java=java)


def _class(code: JavaClass, specification: JavaClass | None) -> JavaClass:
    if specification is None:
        return code
    known = {one.name for one in code.fields}
    theirs = {one.name: one for one in specification.fields}
    fields = [
        replace(
            one,
            nullness=theirs[one.name].nullness or one.nullness,
            modifiers=tuple(dict.fromkeys((*one.modifiers, *theirs[one.name].modifiers))),
        )
        if one.name in theirs
        else one
        for one in code.fields
    ]
    fields += [one for one in specification.fields if one.name not in known and (one.is_ghost or one.is_model)]
    return replace(
        code,
        modifiers=tuple(dict.fromkeys((*code.modifiers, *specification.modifiers))),
        fields=tuple(fields),
        clauses=specification.clauses or code.clauses,
        default_nullness=specification.default_nullness or code.default_nullness,
        spec_math=specification.spec_math or code.spec_math,
        code_math=specification.code_math or code.code_math,
    )
