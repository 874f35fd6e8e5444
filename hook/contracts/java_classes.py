"""Classes while they are read: what is known of them so far, and how their methods become contracts."""

from __future__ import annotations

from dataclasses import dataclass, field

from clausefit.hook.contracts.acsl_tokens import Places, fold
from clausefit.hook.contracts.java_headers import (
    FieldHeader,
    MethodHeader,
    TypeHeader,
    default_nullness_of,
    math_mode_of,
    nullness_of,
)
from clausefit.hook.contracts.java_model import (
    ClassClause,
    JavaClass,
    JavaField,
    JavaMethod,
    JavaParameter,
    MathMode,
    Nullness,
)
from clausefit.hook.contracts.jml import MethodSpec
from clausefit.hook.contracts.jml_words import ANNOTATION_PACKAGE, ANNOTATIONS
from clausefit.hook.contracts.model import Contract, Parameter, Span

_PURE = frozenset({"pure", "strictly_pure", "spec_pure"})


def with_jml_names(modifiers: tuple[str, ...], imports: list[str]) -> tuple[str, ...]:
    """``modifiers`` with the JML word for each annotation of ``org.jmlspecs.annotation``, if that is imported."""
    if not any(name.startswith(f"{ANNOTATION_PACKAGE}.") for name in imports):
        return modifiers
    return tuple(ANNOTATIONS.get(word, word) for word in modifiers)


@dataclass
class OpenClass:
    """A class of which the body is being read."""

    name: str
    header: TypeHeader
    modifiers: tuple[str, ...]
    span: Span
    package: str
    default_nullness: Nullness | None = None
    spec_math: MathMode | None = None
    code_math: MathMode | None = None
    fields: list[JavaField] = field(default_factory=list)
    clauses: list[ClassClause] = field(default_factory=list)
    methods: list[JavaMethod] = field(default_factory=list)
    numbered: int = 0

    def next_number(self) -> int:
        """The number of the next anonymous or local class inside of this one."""
        self.numbered += 1
        return self.numbered

    def done(self) -> JavaClass:
        """The class as data."""
        return JavaClass(
            name=self.name,
            kind=self.header.kind,
            modifiers=self.modifiers,
            span=self.span,
            type_parameters=self.header.type_parameters,
            extends=self.header.extends,
            implements=self.header.implements,
            fields=tuple(self.fields),
            clauses=tuple(self.clauses),
            methods=tuple(self.methods),
            default_nullness=self.default_nullness,
            spec_math=self.spec_math,
            code_math=self.code_math,
        )


def open_class(
    name: str, header: TypeHeader, modifiers: tuple[str, ...], span: Span, package: str, outer: OpenClass | None
) -> OpenClass:
    """A class that is about to be read; it takes over the defaults of the class around it."""
    return OpenClass(
        name=name,
        header=header,
        modifiers=modifiers,
        span=span,
        package=package,
        default_nullness=default_nullness_of(modifiers) or (outer.default_nullness if outer else None),
        spec_math=math_mode_of(modifiers, "spec") or (outer.spec_math if outer else None),
        code_math=math_mode_of(modifiers, "code") or (outer.code_math if outer else None),
        fields=[JavaField(one.name, one.type, (), span, nullness=one.nullness) for one in header.components],
    )


@dataclass(frozen=True)
class Declared:
    """A method that was found: its header, its places, and where it stands."""

    header: MethodHeader
    span: Span
    body: Span | None
    is_constructor: bool
    is_in_comment: bool = False
    parameters: tuple[JavaParameter, ...] = field(default=())


def java_method(owner: OpenClass, found: Declared, spec: MethodSpec, modifiers: tuple[str, ...]) -> JavaMethod:
    """The method as data; ``modifiers`` are those before its header and in it."""
    inherits_purity = _PURE & set(owner.modifiers) and not found.is_constructor
    return JavaMethod(
        package=owner.package,
        class_name=owner.name,
        class_kind=owner.header.kind,
        name=found.header.name,
        parameters=found.parameters or found.header.parameters,
        result_type=None if found.is_constructor else found.header.result_type,
        modifiers=modifiers,
        span=found.span,
        body=found.body,
        is_static="static" in modifiers,
        is_constructor=found.is_constructor,
        is_pure=bool(_PURE & set(modifiers) or inherits_purity),
        is_helper="helper" in modifiers,
        is_model="model" in modifiers,
        is_in_comment=found.is_in_comment,
        result_nullness=nullness_of(modifiers),
        default_nullness=default_nullness_of(modifiers) or owner.default_nullness,
        spec_math=math_mode_of(modifiers, "spec") or owner.spec_math,
        code_math=math_mode_of(modifiers, "code") or owner.code_math,
        throws=found.header.throws,
        type_parameters=found.header.type_parameters,
        spec_cases=spec.cases,
        extends_overridden=spec.extends_overridden,
        extends=owner.header.extends,
        implements=owner.header.implements,
    )


def contract_of(method: JavaMethod, offset: int, spec: MethodSpec, file: str, places: Places) -> Contract:
    """The contract of a method; ``offset`` is that of its name."""
    span = places.span(spec.start, spec.end) if spec.start is not None and spec.end is not None else None
    return Contract(
        language="java",
        file=file,
        function=method.signature,
        line=places.line(offset),
        return_type=method.result_type,
        parameters=tuple(Parameter(one.name, f"{one.type} {one.name}") for one in method.parameters),
        clauses=spec.clauses,
        behaviors=tuple(case.id for case in spec.cases),
        is_definition=method.has_body,
        is_static=method.is_static,
        is_variadic=bool(method.parameters) and method.parameters[-1].type.endswith("..."),
        span=span,
        java=method,
    )


def model_field(found: FieldHeader, modifiers: tuple[str, ...], span: Span) -> JavaField:
    """A ghost or model field as data."""
    return JavaField(
        name=found.name,
        type=found.type,
        modifiers=modifiers,
        span=span,
        initializer=fold(found.initializer) or None,
        nullness=nullness_of(modifiers),
        is_ghost="ghost" in modifiers,
        is_model="model" in modifiers,
    )
