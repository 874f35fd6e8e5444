"""What a Java file adds to the contract model: spec cases, modifiers, null and arithmetic modes, class parts.

The words are those of the JML Reference Manual (2nd edition) where it has one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from clausefit.hook.contracts.model import Clause, Span

ClassKind = Literal["class", "interface", "record", "enum", "annotation", "anonymous"]
CaseKind = Literal["lightweight", "normal_behavior", "exceptional_behavior", "behavior"]
Nullness = Literal["nullable", "non_null"]
MathMode = Literal["java", "safe", "bigint"]


@dataclass(frozen=True)
class SpecCase:
    """One specification case; its clauses have ``id`` as their ``Clause.behavior``.

    ``visibility`` is ``public``, ``protected``, ``private`` or empty (that of the method for a lightweight
    case, package for the others). ``section`` is ``implies_that`` or ``for_example`` for redundant cases,
    else empty. ``is_code``: the case is not inherited (``code normal_behavior``). ``text`` is the head as written
    (``public normal_behavior``) and ``span`` its place; a lightweight case has none.
    """

    id: str
    kind: CaseKind
    visibility: str = ""
    section: str = ""
    is_code: bool = False
    text: str = ""
    span: Span | None = None


@dataclass(frozen=True)
class JavaParameter:
    """A parameter: name, type as written (``int...``, ``List<? extends U>``), and the nullness written at it."""

    name: str
    type: str
    nullness: Nullness | None = None


@dataclass(frozen=True)
class JavaMethod:
    """What only a Java method or constructor has.

    ``class_name`` is qualified by the enclosing classes (``Outer.Inner``; an anonymous or local class is
    ``Outer$1``, ``Outer$1Name``, numbered among those that hold JML), without the package. ``modifiers`` are
    all words from Java and JML in order, annotations as ``@Name``. ``result_type`` is None for a constructor.
    ``default_nullness`` is the nearest ``nullable_by_default`` or ``@NonNullByDefault`` around; without one
    the caller's setting decides (JML: non-null). Math modes likewise: the nearest one written.
    ``extends_overridden``: the contract starts with ``also``, so it adds to an inherited one.
    ``extends`` and ``implements`` are those of the class. ``span`` covers the declaration with its body,
    ``body`` the ``{ … }``; ``is_in_comment`` tells a model method that stands in an annotation. ``meaning`` is a digest
    of the tokens of the declaration with its body, to see whether it still means what it did.
    """

    package: str
    class_name: str
    class_kind: ClassKind
    name: str
    parameters: tuple[JavaParameter, ...]
    result_type: str | None
    modifiers: tuple[str, ...]
    span: Span
    body: Span | None = None
    is_static: bool = False
    is_constructor: bool = False
    is_pure: bool = False
    is_helper: bool = False
    is_model: bool = False
    is_in_comment: bool = False
    result_nullness: Nullness | None = None
    default_nullness: Nullness | None = None
    spec_math: MathMode | None = None
    code_math: MathMode | None = None
    throws: tuple[str, ...] = ()
    type_parameters: tuple[str, ...] = ()
    spec_cases: tuple[SpecCase, ...] = ()
    extends_overridden: bool = False
    extends: tuple[str, ...] = ()
    implements: tuple[str, ...] = ()
    meaning: str = ""

    @property
    def signature(self) -> str:
        """The qualified name with the parameter types: ``Outer.Inner.find(int[], String)``."""
        return f"{self.class_name}.{self.name}({', '.join(one.type for one in self.parameters)})"

    @property
    def has_body(self) -> bool:
        """Whether the method has code."""
        return self.body is not None


@dataclass(frozen=True)
class JavaField:
    """A field, record component, enum constant, or ghost or model field; ``initializer`` as written, or None."""

    name: str
    type: str
    modifiers: tuple[str, ...]
    span: Span
    initializer: str | None = None
    nullness: Nullness | None = None
    is_ghost: bool = False
    is_model: bool = False


@dataclass(frozen=True)
class ClassClause:
    """``invariant``, ``constraint``, ``initially``, ``axiom``, ``represents``, ``in``, … with its modifiers.

    ``clause.behavior`` is None. For ``in`` and ``maps`` ``field`` is the name of the field before it.
    """

    clause: Clause
    modifiers: tuple[str, ...] = ()
    field: str | None = None


@dataclass(frozen=True)
class JavaClass:
    """A class, interface, record, enum or annotation type, with what JML says of it.

    ``name`` is qualified as in ``JavaMethod.class_name``. ``methods`` holds all methods, with a contract or
    without, model methods as well.
    """

    name: str
    kind: ClassKind
    modifiers: tuple[str, ...]
    span: Span
    type_parameters: tuple[str, ...] = ()
    extends: tuple[str, ...] = ()
    implements: tuple[str, ...] = ()
    fields: tuple[JavaField, ...] = ()
    clauses: tuple[ClassClause, ...] = ()
    methods: tuple[JavaMethod, ...] = ()
    default_nullness: Nullness | None = None
    spec_math: MathMode | None = None
    code_math: MathMode | None = None


@dataclass(frozen=True)
class JavaFile:
    """A Java file: package (empty for none), imports as written (``static a.b.*``, JML ones as well), classes."""

    package: str
    imports: tuple[str, ...] = ()
    classes: tuple[JavaClass, ...] = ()
