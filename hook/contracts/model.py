"""Contracts as data: what a reader finds in one source file, with exact places.

A reader (``c.py``; later ``java.py``) turns source text into a ``SourceContracts``; everything after it
works on these frozen dataclasses and never looks at the file again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from clausefit.hook.contracts.java_model import JavaFile, JavaMethod

Language = Literal["c", "java"]
Modality = Literal["assert", "check", "admit"]


@dataclass(frozen=True)
class Span:
    """A stretch of source text.

    Lines and columns count from 1 in characters; ``end_column`` is one past the last character
    (SARIF 2.1.0 §3.30). ``start`` and ``end`` are the same stretch as offsets into the decoded text.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    start: int
    end: int


@dataclass(frozen=True)
class Clause:
    """One clause of a contract.

    ``text`` is the clause as written from its keyword up to, not including, the final semicolon, with
    comment decoration (a leading ``@`` on a line, nested comments) removed and white space folded to one
    blank: it is what reports show. ``formula`` is what follows the keyword and the names, ready to be put
    between parentheses in another annotation. ``names`` are the labels in order (``check ensures exact:
    same: e`` has two). ``behavior`` is None in the default behavior. ``locations`` holds the parts of an
    ``assigns`` clause without their ``\\from``; ``\\nothing`` stays as the only element.
    For ``complete`` and ``disjoint`` ``locations`` holds the behavior names (empty: all). ``implicit``: nobody wrote
    it; it follows from defaults of the language (JML: non-null parameters), and ``text`` says what it is.
    ``unsupported`` says why the clause can be asked of no verifier, as a sentence; empty where it can.
    """

    kind: str
    text: str
    formula: str
    span: Span
    names: tuple[str, ...] = ()
    behavior: str | None = None
    modality: Modality = "assert"
    locations: tuple[str, ...] = ()
    file: str = ""
    implicit: bool = False
    unsupported: str = ""


@dataclass(frozen=True)
class Parameter:
    """A formal parameter: its name and its declaration as written (``const int *p``, ``int a[3]``)."""

    name: str
    declaration: str


@dataclass(frozen=True)
class Contract:
    """All clauses of one function.

    ``file`` is where the function is defined when the reader saw a definition, else where it is declared;
    ``line`` is the line of the function's name there. ``function`` is unique in its file. ``return_type`` is C text
    that can stand before a name (``const char *``), or None where the declarator is too involved for that
    (a function that returns a pointer to a function). ``behaviors`` are in source order. A clause that
    came from a header has its own ``Clause.file``. ``java`` is what only a Java method has.
    """

    language: Language
    file: str
    function: str
    line: int
    return_type: str | None
    parameters: tuple[Parameter, ...]
    clauses: tuple[Clause, ...]
    behaviors: tuple[str, ...] = ()
    is_definition: bool = True
    is_static: bool = False
    is_variadic: bool = False
    span: Span | None = None
    java: JavaMethod | None = None


@dataclass(frozen=True)
class LogicDefinition:
    """A predicate, logic function, axiomatic block, inductive predicate, lemma or type/global invariant.

    ``names`` are the names that it introduces, ``uses`` the identifiers in its text (so that what depends
    on a changed definition can be found). ``span`` covers the definition up to and with its final ``;``
    or ``}``, without the comment marks. For an axiomatic block that holds a lemma, the lemma is listed
    as well, with its own span.
    """

    kind: str
    names: tuple[str, ...]
    text: str
    uses: frozenset[str]
    file: str
    span: Span


@dataclass(frozen=True)
class GlobalVariable:
    """A file-scope variable of a source file, as a contract may name it.

    ``may_point``: an object of its type may hold an address (pointers, structs, types that are not known).
    """

    name: str
    file: str
    line: int
    is_array: bool
    is_const: bool
    is_static: bool
    is_ghost: bool
    is_extern: bool
    is_volatile: bool = False
    may_point: bool = True


@dataclass(frozen=True)
class NotChecked:
    """Something that was not judged, and why; never counted for either side.

    ``reason`` is one of the words of the report format: ``no_pins``, ``unsupported``, ``parse_error``,
    ``verifier_missing``, ``timeout``, ``unknown``, ``crash``, ``dropped``, ``vacuous``, ``outcome_not_known``,
    ``disagreement`` (a proof that evaluation contradicts),
    ``stale_pins``, ``interrupted``, ``missing_file``, ``git``. ``detail`` is one sentence for people.
    """

    file: str
    function: str | None
    reason: str
    detail: str
    line: int | None = None


@dataclass(frozen=True)
class SourceContracts:
    """What one source file holds. ``includes`` are the targets of ``#include`` lines: ``name`` or ``<name>``.

    ``macro_uses`` maps the name of every object- or function-like macro defined in the file to the
    identifiers in its replacement, so that a clause that uses a macro is known to use what it expands to.
    ``bare`` are the functions without any clause: a header may hold the contract of one that is defined here.
    ``java`` is what only a Java file has: its classes with their fields, invariants and methods.
    ``broken`` is the entry of ``not_checked`` that says where a Java file is none, wherever the change is.
    """

    file: str
    contracts: tuple[Contract, ...] = ()
    definitions: tuple[LogicDefinition, ...] = ()
    variables: tuple[GlobalVariable, ...] = ()
    includes: tuple[str, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()
    macro_uses: dict[str, frozenset[str]] = field(default_factory=dict)
    bare: tuple[Contract, ...] = ()
    java: JavaFile | None = None
    broken: NotChecked | None = None
