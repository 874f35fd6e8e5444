"""Headers of Java declarations as tokens → names, types, parameters, modifiers; for Java and for model members.

JML modifiers that stand in comments inside a header are tokens of kind ``jml`` at their place.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from clausefit.hook.contracts.acsl_tokens import Token, closing, text_at
from clausefit.hook.contracts.java_model import ClassKind, JavaParameter, MathMode, Nullness
from clausefit.hook.contracts.jml import read_annotation_name
from clausefit.hook.contracts.jml_tokens import type_text
from clausefit.hook.contracts.jml_words import JAVA_MODIFIERS, JML_MODIFIERS

# The names in use by JML, JSR 305, Checker Framework, JSpecify, Eclipse, JetBrains, Jakarta and Lombok.
_NULLABLE = frozenset({"nullable", "@Nullable", "@CheckForNull", "@NullableDecl"})
_NON_NULL = frozenset({"non_null", "@NonNull", "@Nonnull", "@NotNull", "@NonNullDecl"})
_NULLABLE_DEFAULT = frozenset({"nullable_by_default", "@NullableByDefault", "@NullUnmarked"})
_NON_NULL_DEFAULT = frozenset(
    {"non_null_by_default", "@NonNullByDefault", "@NullMarked", "@ParametersAreNonnullByDefault"}
)
_MODES: tuple[MathMode, ...] = ("java", "safe", "bigint")
_KINDS: dict[str, ClassKind] = {"class": "class", "interface": "interface", "enum": "enum", "record": "record"}
# fmt: off
_NO_NAMES = frozenset({
    "if", "for", "while", "do", "switch", "catch", "try", "return", "throw", "new", "assert", "else", "case", "this",
    "super", "yield", "instanceof", "class", "interface", "enum",
})
# fmt: on


class MethodHeader(NamedTuple):
    """The header of a method; ``result_type`` is None for a constructor, ``offset`` is that of the name."""

    name: str
    offset: int
    modifiers: tuple[str, ...]
    parameters: tuple[JavaParameter, ...]
    result_type: str | None
    type_parameters: tuple[str, ...]
    throws: tuple[str, ...]


class TypeHeader(NamedTuple):
    """The header of a class, interface, enum, record or annotation type."""

    kind: ClassKind
    name: str
    modifiers: tuple[str, ...]
    type_parameters: tuple[str, ...]
    components: tuple[JavaParameter, ...]
    extends: tuple[str, ...]
    implements: tuple[str, ...]


class FieldHeader(NamedTuple):
    """One declared field of a ghost or model declaration."""

    name: str
    type: str
    modifiers: tuple[str, ...]
    initializer: Sequence[Token]


def nullness_of(modifiers: Collection[str]) -> Nullness | None:
    """What the modifiers say of null, or None."""
    return _said(modifiers, _NULLABLE, _NON_NULL)


def default_nullness_of(modifiers: Collection[str]) -> Nullness | None:
    """What the modifiers of a class or method say of null for what is inside it, or None."""
    return _said(modifiers, _NULLABLE_DEFAULT, _NON_NULL_DEFAULT)


def _said(modifiers: Collection[str], nullable: frozenset[str], non_null: frozenset[str]) -> Nullness | None:
    for word in modifiers:
        if word in nullable:
            return "nullable"
        if word in non_null:
            return "non_null"
    return None


def math_mode_of(modifiers: Collection[str], what: str) -> MathMode | None:
    """The arithmetic mode that the modifiers set for ``what`` (``spec`` or ``code``), or None."""
    return next((mode for mode in _MODES if f"{what}_{mode}_math" in modifiers), None)


def as_modifiers(tokens: Sequence[Token]) -> list[Token] | None:
    """The tokens of an annotation that holds only modifiers, as ``jml`` tokens; None where it holds more."""
    found: list[Token] = []
    index = 0
    while index < len(tokens):
        annotation = read_annotation_name(tokens, index)
        if annotation is not None:
            found.append(annotation[0]._replace(kind="jml"))
            index = annotation[1]
        elif tokens[index].text in JML_MODIFIERS or tokens[index].text in JAVA_MODIFIERS:
            found.append(tokens[index]._replace(kind="jml"))
            index += 1
        else:
            return None
    return found


def mark_modifiers(tokens: Sequence[Token]) -> list[Token]:
    """The tokens of a model or ghost declaration with its JML modifiers marked as ``jml``.

    A word is a modifier where another word, a type, follows: ``pure`` may be a name, too.
    """
    return [
        token._replace(kind="jml")
        if token.text in JML_MODIFIERS
        and index + 1 < len(tokens)
        and (tokens[index + 1].kind == "word" or tokens[index + 1].text in ("@", "<"))
        else token
        for index, token in enumerate(tokens)
    ]


def split_modifiers(tokens: Sequence[Token]) -> tuple[tuple[str, ...], list[Token]]:
    """Modifiers with annotations, and the tokens that are left; annotations of type arguments are no modifiers."""
    modifiers: list[str] = []
    plain: list[Token] = []
    angles = index = 0
    while index < len(tokens):
        token = tokens[index]
        annotation = read_annotation_name(tokens, index)
        if annotation is not None:
            if angles == 0:
                modifiers.append(annotation[0].text)
            index = annotation[1]
            continue
        angles += (token.text == "<") - (token.text == ">")
        if token.text == "non" and text_at(tokens, index + 1) == "-" and text_at(tokens, index + 2) == "sealed":
            modifiers.append("non-sealed")
            index += 3
            continue
        if token.kind == "jml" or token.text in JAVA_MODIFIERS or (token.text[0] == "@" and len(token.text) > 1):
            if angles == 0:
                modifiers.append(token.text)
        else:
            plain.append(token)
        index += 1
    return tuple(modifiers), plain


def _split_types(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    """``tokens`` split at the commas outside of brackets and ``< >``; empty parts are left out."""
    parts: list[Sequence[Token]] = []
    depth = begin = 0
    for index, token in enumerate(tokens):
        depth += token.text in ("(", "[", "{", "<")
        depth -= token.text in (")", "]", "}", ">")
        if token.text == "," and depth <= 0:
            parts.append(tokens[begin:index])
            begin = index + 1
    parts.append(tokens[begin:])
    return [part for part in parts if part]


def split_type_parameters(plain: list[Token]) -> tuple[tuple[str, ...], list[Token]]:
    """The ``< … >`` at the start of ``plain``, and what follows it."""
    if text_at(plain, 0) != "<":
        return (), plain
    depth = 0
    for index, token in enumerate(plain):
        depth += (token.text == "<") - (token.text == ">")
        if depth == 0:
            return tuple(type_text(part) for part in _split_types(plain[1:index])), plain[index + 1 :]
    return (), []


def _parameter(tokens: Sequence[Token]) -> JavaParameter | None:
    """A formal parameter; None for a receiver (``Outer this``) and for what is none."""
    modifiers, plain = split_modifiers(tokens)
    end = len(plain)
    while end >= 2 and plain[end - 1].text == "]" and plain[end - 2].text == "[":
        end -= 2
    if end < 2 or plain[end - 1].kind != "word" or plain[end - 1].text == "this":
        return None
    return JavaParameter(plain[end - 1].text, type_text([*plain[: end - 1], *plain[end:]]), nullness_of(modifiers))


def parameters_of(tokens: Sequence[Token]) -> tuple[JavaParameter, ...]:
    """The formal parameters between the parentheses of a header."""
    found = (_parameter(part) for part in _split_types(tokens))
    return tuple(one for one in found if one is not None)


def opening_of(tokens: Sequence[Token]) -> int | None:
    """The index of the ``(`` of the parameters: the first that belongs to no annotation."""
    index = 0
    while index < len(tokens):
        annotation = read_annotation_name(tokens, index)
        if annotation is not None:
            index = annotation[1]
            continue
        if tokens[index].text == "(":
            return index
        if tokens[index].text in ("=", ";", "{"):
            return None
        index += 1
    return None


def method_header(tokens: Sequence[Token]) -> MethodHeader | None:
    """The header of a method or constructor, up to its body or ``;``; None where it is none. Never raises."""
    opening = opening_of(tokens)
    close = closing(tokens, opening) if opening is not None else None
    if opening is None or close is None:
        return None
    before, plain = split_modifiers(tokens[:opening])
    after, tail = split_modifiers(tokens[close + 1 :])
    type_parameters, plain = split_type_parameters(plain)
    if not plain or plain[-1].kind != "word" or any(token.text in _NO_NAMES for token in plain):
        return None
    if any(token.kind not in ("word", "punct") or token.text in ("=", "->", "(", ")") for token in plain):
        return None
    dimensions = 0
    while text_at(tail, dimensions) in ("[", "]"):
        dimensions += 1
    throws: tuple[str, ...] = ()
    if text_at(tail, dimensions) == "throws":
        throws = tuple(type_text(part) for part in _split_types(tail[dimensions + 1 :]))
    result = [*plain[:-1], *tail[:dimensions]]
    return MethodHeader(
        name=plain[-1].text,
        offset=plain[-1].start,
        modifiers=(*before, *after),
        parameters=parameters_of(tokens[opening + 1 : close]),
        result_type=type_text(result) if len(plain) > 1 else None,
        type_parameters=type_parameters,
        throws=throws,
    )


def type_header(tokens: Sequence[Token]) -> TypeHeader | None:
    """The header of a type declaration, up to its ``{``; None where it is none. Never raises."""
    modifiers, plain = split_modifiers(tokens)
    start = next((i for i, token in enumerate(plain) if token.text in _KINDS), None)
    if start is None or start + 1 >= len(plain) or plain[start + 1].kind != "word":
        return None
    kind = _KINDS[plain[start].text]
    if start and plain[start - 1].text == "@":
        kind = "annotation"
    name = plain[start + 1].text
    type_parameters, rest = split_type_parameters(plain[start + 2 :])
    components: tuple[JavaParameter, ...] = ()
    if text_at(rest, 0) == "(":
        # Their annotations are needed, so they are taken from the tokens before the modifiers went out.
        opening = next(i for i, token in enumerate(tokens) if token.start == rest[0].start)
        close = closing(tokens, opening)
        components = parameters_of(tokens[opening + 1 : close]) if close is not None else ()
    lists: dict[str, list[Token]] = {"extends": [], "implements": [], "permits": []}
    current: list[Token] | None = None
    angles = 0
    for token in rest:
        angles += (token.text == "<") - (token.text == ">")
        if angles == 0 and token.text in lists:
            current = lists[token.text]
        elif current is not None:
            current.append(token)
    extends, implements = (tuple(type_text(part) for part in _split_types(lists[w])) for w in ("extends", "implements"))
    return TypeHeader(kind, name, modifiers, type_parameters, components, extends, implements)


def declared_type(tokens: Sequence[Token]) -> tuple[tuple[str, ...], str]:
    """Modifiers and type of a field, from the tokens before its name."""
    modifiers, plain = split_modifiers(tokens)
    return modifiers, type_text(plain)


def field_headers(tokens: Sequence[Token]) -> list[FieldHeader]:
    """The fields of a ghost or model declaration (``ghost int a = 1, b[]``); empty where it is none."""
    first, *more = _declarators(tokens) or [()]
    cut = _value_start(first)
    modifiers, plain = split_modifiers(first[:cut])
    end = len(plain)
    while end and plain[end - 1].text in ("[", "]"):
        end -= 1
    if end < 2 or plain[end - 1].kind != "word":
        return []
    base = list(plain[: end - 1])
    found = [FieldHeader(plain[end - 1].text, type_text([*base, *plain[end:]]), modifiers, first[cut + 1 :])]
    for part in more:
        cut = _value_start(part)
        found.append(FieldHeader(part[0].text, type_text([*base, *part[1:cut]]), modifiers, part[cut + 1 :]))
    return found


def _value_start(tokens: Sequence[Token]) -> int:
    """The index of the ``=``, or the number of tokens."""
    return next((i for i, token in enumerate(tokens) if token.text == "="), len(tokens))


def _declarators(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    """``tokens`` split at the commas before the name of a further field (those of type arguments are none)."""
    parts: list[Sequence[Token]] = []
    depth = begin = 0
    for index, token in enumerate(tokens):
        depth += token.text in ("(", "[", "{")
        depth -= token.text in (")", "]", "}")
        is_name = index + 1 < len(tokens) and tokens[index + 1].kind == "word"
        if token.text == "," and depth == 0 and is_name and text_at(tokens, index + 2) in ("=", ",", "[", ""):
            parts.append(tokens[begin:index])
            begin = index + 1
    parts.append(tokens[begin:])
    return parts
