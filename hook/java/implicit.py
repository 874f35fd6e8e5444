"""The clauses that nobody wrote: non-null by default, ``pure``, and the exits that a case's name leaves open.

JML Reference Manual (2nd edition): "Nullity modifiers" (references are non-null unless something says ``nullable``),
"Pure methods" (no assignment), "normal_behavior" (``signals (Exception) false``) and "exceptional_behavior"
(``ensures false``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from clausefit.hook.contracts.acsl_tokens import Token
from clausefit.hook.contracts.java_headers import default_nullness_of
from clausefit.hook.contracts.java_model import JavaMethod, Nullness, SpecCase
from clausefit.hook.contracts.jml import read_annotation_name
from clausefit.hook.contracts.jml_tokens import tokens_of_java
from clausefit.hook.contracts.model import Clause, Contract, Span
from clausefit.hook.java.project import FoundClass, JavaProject, enclosing
from clausefit.hook.java.types import type_shape

_PARAMETERS_ONLY = "@ParametersAreNonnullByDefault"
_MOST_BEFORE_PACKAGE = 400


@dataclass(frozen=True)
class JavaSettings:
    """``nonnull_by_default``: what JML says where no modifier or annotation does (its default: true)."""

    nonnull_by_default: bool = True


def line_span(project: JavaProject, contract: Contract) -> Span:
    """The line on which the method's name stands, without the blanks around."""
    text = project.text(contract.file) or ""
    places = project.places(contract.file)
    start = places.start(contract.line)
    if start is None:
        return contract.java.span if contract.java is not None else Span(contract.line, 1, contract.line, 1, 0, 0)
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else len(text)]
    return places.span(start + len(line) - len(line.lstrip()), start + len(line.rstrip()))


def exit_clauses(case: SpecCase, clauses: Sequence[Clause], file: str) -> list[Clause]:
    """That a normal case ends with no exception, an exceptional one with no return.

    The clause stands at the head of the case.
    """
    if case.span is None:
        return []
    if case.kind == "normal_behavior" and not any(one.kind == "signals" for one in clauses):
        formula = "(java.lang.Exception e) false"
        return [_implicit("signals", case.text, formula, case.span, file, case.id)]
    if case.kind == "exceptional_behavior" and not any(one.kind == "ensures" for one in clauses):
        return [_implicit("ensures", case.text, "false", case.span, file, case.id)]
    return []


def pure_clauses(
    project: JavaProject, contract: Contract, cases: Sequence[SpecCase], clauses: Sequence[Clause]
) -> list[Clause]:
    """``assignable \\nothing`` of a pure method, for the cases that have no ``assignable`` of their own."""
    framed = {one.behavior for one in clauses if one.kind == "assignable"}
    span = line_span(project, contract)
    if not framed:
        return [_frame(span, contract.file, None)]
    return [_frame(span, contract.file, case.id) for case in cases if case.id not in framed]


def _frame(span: Span, file: str, behavior: str | None) -> Clause:
    nothing = "\\nothing"
    return Clause(
        "assignable", "pure", nothing, span, behavior=behavior, locations=(nothing,), file=file, implicit=True
    )


def _implicit(kind: str, text: str, formula: str, span: Span, file: str, behavior: str | None = None) -> Clause:
    return Clause(kind, text, formula, span, behavior=behavior, file=file, implicit=True)


# -- null


def implicit_clauses(
    project: JavaProject,
    found: FoundClass,
    contract: Contract,
    above: Sequence[JavaMethod],
    settings: JavaSettings,
) -> list[Clause]:
    """What modifiers and defaults say of null for parameters and result; ``above`` are the overridden methods.

    A parameter counts as non-null only where no overridden method admits null: it must take what they take.
    """
    method = contract.java
    if method is None:
        return []
    default = method.default_nullness or _outside_default(project, found, settings)
    span = line_span(project, contract)
    clauses: list[Clause] = []
    for index, one in enumerate(method.parameters):
        if type_shape(one.type).is_primitive or _takes_null_above(index, above, settings) or _is_equals(method):
            continue
        if (one.nullness or default) == "non_null":
            why = "declared non-null" if one.nullness else "non-null by default"
            text = f"the parameter {one.name} is {why}"
            clauses.append(_implicit("requires", text, f"{one.name} != null", span, contract.file))
    result = method.result_type
    if result is None or type_shape(result).is_primitive:
        return clauses
    said = method.result_nullness
    if said is None and any(one.result_nullness == "non_null" for one in above):
        said = "non_null"
    if (said or (None if _only_parameters(project, found) else default)) == "non_null":
        text = "the result is declared non-null" if said else "the result is non-null by default"
        clauses.append(_implicit("ensures", text, "\\result != null", span, contract.file))
    return clauses


def default_nullness_in(project: JavaProject, found: FoundClass, settings: JavaSettings) -> Nullness:
    """What holds for references of the class of which nothing is said: the nearest default around, or the setting."""
    return found.java.default_nullness or _outside_default(project, found, settings)


def _outside_default(project: JavaProject, found: FoundClass, settings: JavaSettings) -> Nullness:
    return _package_default(project, found) or _setting(settings)


def _setting(settings: JavaSettings) -> Nullness:
    return "non_null" if settings.nonnull_by_default else "nullable"


def _takes_null_above(index: int, above: Sequence[JavaMethod], settings: JavaSettings) -> bool:
    return any(
        (one.parameters[index].nullness or one.default_nullness or _setting(settings)) == "nullable" for one in above
    )


def _is_equals(method: JavaMethod) -> bool:
    """``equals(Object)``: the contract of ``java.lang.Object`` that it inherits admits null."""
    types = [type_shape(one.type).name for one in method.parameters]
    return method.name == "equals" and types in (["Object"], ["java.lang.Object"])


def _only_parameters(project: JavaProject, found: FoundClass) -> bool:
    """Whether the nearest annotation that says non-null by default says it of parameters only (JSR 305)."""
    around: FoundClass | None = found
    while around is not None:
        if default_nullness_of(around.java.modifiers) is not None:
            return _PARAMETERS_ONLY in around.java.modifiers
        outer = enclosing(around.java.name)
        around = project.find(outer, around.file) if outer else None
    return _PARAMETERS_ONLY in _package_annotations(project, found)


def _package_default(project: JavaProject, found: FoundClass) -> Nullness | None:
    return default_nullness_of(_package_annotations(project, found))


def _package_annotations(project: JavaProject, found: FoundClass) -> tuple[str, ...]:
    """The annotations of ``package-info.java`` beside the class (JLS 7.4.1)."""
    path = str(PurePosixPath(found.file).with_name("package-info.java"))
    text = project.text(path) if project.has(path) else None
    if text is None:
        return ()
    tokens: list[Token] = []
    for token in tokens_of_java(text):
        if token.text == "package" or len(tokens) > _MOST_BEFORE_PACKAGE:
            break
        tokens.append(token)
    words: list[str] = []
    index = 0
    while index < len(tokens):
        annotation = read_annotation_name(tokens, index)
        if annotation is not None:
            words.append(annotation[0].text)
        index = annotation[1] if annotation is not None else index + 1
    return tuple(words)
