r"""JML expressions as OpenJML gets them: on one line, closed in themselves, and only with what it decides rightly.

The clauses of a project are hostile text (a formula must not end the statement that it is put into), and OpenJML
takes some formulas for what they are not: an informal ``(* … *)`` is true, floating-point numbers are real ones, a
method that was called in two states may be taken for a value (openjml issues 890, 938). Such formulas are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

RESULT = "cf_result"
"""The local variable that stands for ``\\result``, which JML has in no statement (JML manual, "\\result")."""

_TOKEN = re.compile(
    r"""
      (?P<blank>\s+)
    | (?P<refused>//|/\*|\*/|\(\*|\"\"\")
    | (?P<string>"(?:[^"\\\n\r]|\\.)*")
    | (?P<char>'(?:[^'\\\n\r]|\\.)[^'\n\r]*')
    | (?P<number>0[xX][0-9a-fA-F_]+[lL]?|(?:\d[\d_]*(?:\.\d[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?[fFdDlL]?)
    | (?P<word>\\?[^\W\d][\w$]*|\$[\w$]*)
    | (?P<sign><==>|<=!=>|==>|<==|&&|\|\||==|!=|<=|>=|<<|>>>|>>|::|->|\.\.|[-+*/%&|^~!<>=?:.,;()\[\]{}])
    """,
    re.VERBOSE,
)
_OPENING = {"(": ")", "[": "]", "{": "}"}
_UNICODE_ESCAPE = re.compile(r"\\u+([0-9a-fA-F]{4})")
_ESCAPE = re.compile(r"\\(?:u+([0-9a-fA-F]{4})|[0-3]?[0-7]{1,2}|.)", re.DOTALL)
# What begins or ends something for the Java lexer, which reads Unicode escapes before anything else (JLS 3.3).
_MEANINGFUL = frozenset("\"'\\\n\r/*@;(){}[]")

_UNPROVED = frozenset({r"\sum", r"\num_of", r"\product", r"\max", r"\min"})
_LOCATIONS = frozenset({r"\locset", r"\singleton", r"\subset", r"\empty", r"\set_union", r"\intersect", r"\set_minus"})
_PAST = frozenset({r"\old", r"\pre", r"\past"})
_FLOATING_TYPES = frozenset({"float", "double", "Float", "Double"})
_BITS = frozenset({"&", "|", "^", "~", "<<", ">>", ">>>"})
_ARITHMETIC = frozenset({"+", "-", "*", "<<"})
_NARROW = frozenset({"byte", "short", "char", "int", "long"})
_STRING_METHODS = frozenset(
    {"length", "charAt", "equals", "isEmpty", "substring", "indexOf", "startsWith", "compareTo"}
)
_STATIC_METHODS = frozenset({"Math.abs", "Math.max", "Math.min", "Character.isDigit"})
_STRING_TYPES = frozenset({"String", "java.lang.String"})
_FLOATING_DECLARATION = re.compile(r"\b(?:float|double|Float|Double)\b((?:[^;(){}]|\{[^;(){}]*\})*)")
_NAME = re.compile(r"[^\W\d][\w$]*")
_NO_NAMES = frozenset({*_NARROW, "boolean", "final", "static", "volatile", "transient", "nullable", "null", "this"})
_CONTENT = r"\dl_strContent"


class NotTaken(Exception):  # noqa: N818 - a state of affairs, not a mistake
    """OpenJML is not asked this; the message says why, as the end of a sentence about the formula."""


@dataclass(frozen=True)
class Names:
    """What is known of the names in a formula: those of strings, and those of anything of a floating-point type."""

    strings: frozenset[str] = frozenset()
    floating: frozenset[str] = frozenset()


class _Token(NamedTuple):
    """``gap``: blanks stand before it. They are kept: for javac ``- 2147483648`` is no number."""

    kind: str
    text: str
    gap: bool = False


@dataclass(frozen=True)
class Arithmetic:
    """The arithmetic of a formula, and whether this OpenJML computes so: see ``openjml_probe``."""

    math: str = "java"
    is_right: bool = True


_JAVA = Arithmetic()


def names_of(variables: Iterable[tuple[str, str]], result: str | None, declared_floating: frozenset[str]) -> Names:
    """The names that a formula over these variables (type, name) may use; ``declared_floating``: those of classes."""
    typed = [*variables, *([(result, RESULT)] if result else [])]
    strings = frozenset(name for type_, name in typed if type_ in _STRING_TYPES)
    floating = {name for type_, name in typed if type_.partition("[")[0].rpartition(".")[2] in _FLOATING_TYPES}
    return Names(strings, declared_floating | floating)


def declared_floating(sources: Iterable[str]) -> frozenset[str]:
    """Every name in a declaration after ``float`` or ``double``, up to where it ends: rather too many than too few."""
    names: set[str] = set()
    for source in sources:
        for found in _FLOATING_DECLARATION.finditer(source):
            names.update(_NAME.findall(found[1]))
    return frozenset(names - _NO_NAMES)


def formula(text: str, names: Names, arithmetic: Arithmetic = _JAVA) -> str:
    r"""``text`` on one line, with ``cf_result`` for ``\result``; NotTaken when OpenJML is not to be asked it."""
    tokens = _tokens(text)
    _check_closed(tokens)
    _check_words(tokens, names)
    _check_arithmetic(tokens, arithmetic)
    _check_calls(tokens, names)
    return _joined(tokens)


def facts(text: str) -> tuple[str, ...]:
    r"""The conjuncts of facts that this project wrote (``hook/java/facts.py``), as ``formula`` would write them.

    What a string contains is told there in KeY's words, and becomes calls of ``length`` and ``charAt``.
    """
    tokens = _tokens(text)
    _check_closed(tokens)
    tokens = _with_contents(tokens)
    return tuple(_joined(part) for part in _conjuncts(tokens))


# ---- tokens ----------------------------------------------------------------------------------------------------------


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    position, gap = 0, False
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None:
            raise NotTaken(f"it has a character that is none of JML: {text[position]!r}")
        kind, position = str(found.lastgroup), found.end()
        if kind == "refused":
            raise NotTaken(f"it has {found[0]} in it")
        if kind == "word" and _UNICODE_ESCAPE.match(found[0]):
            raise NotTaken("it has a Unicode escape outside of a string")
        if kind in ("string", "char"):
            _check_literal(found[0])
        if kind != "blank":
            tokens.append(_Token(kind, found[0], gap))
        gap = kind == "blank"
    return tokens


def _check_literal(literal: str) -> None:
    for escape in _ESCAPE.finditer(literal):
        if escape[1] and chr(int(escape[1], 16)) in _MEANINGFUL:
            raise NotTaken("it has a Unicode escape that stands for a sign of the language")
    if literal.startswith("'") and len(_ESCAPE.sub("x", literal)) != 3:
        raise NotTaken("it has a character literal that is none")


def _check_closed(tokens: Sequence[_Token]) -> None:
    """Every bracket closed by its own: then what stands in parentheses cannot leave them."""
    open_: list[str] = []
    for kind, text, _gap in tokens:
        if kind != "sign":
            continue
        if text in _OPENING:
            open_.append(_OPENING[text])
        elif text in (")", "]", "}") and (not open_ or open_.pop() != text):
            raise NotTaken(f"its {text} closes nothing")
    if open_:
        raise NotTaken("it has a bracket that is not closed")
    if not tokens:
        raise NotTaken("it is empty")


def _joined(tokens: Sequence[_Token]) -> str:
    words = ((" " if one.gap else "") + (RESULT if one.text == r"\result" else one.text) for one in tokens)
    return "".join(words).strip()


# ---- what OpenJML is not asked ---------------------------------------------------------------------------------------


def _check_words(tokens: Sequence[_Token], names: Names) -> None:
    for kind, text, _gap in tokens:
        if kind == "word":
            if text in _UNPROVED:
                raise NotTaken(f"OpenJML has no proofs for {text}")
            if text in _LOCATIONS:
                raise NotTaken("it is about sets of memory locations")
            if text in _FLOATING_TYPES or text in names.floating or (text == r"\result" and RESULT in names.floating):
                raise NotTaken("it has floating-point numbers, which OpenJML takes for real ones")
            if text == "new":
                raise NotTaken("it makes an object")
            if text.startswith(r"\dl_"):
                raise NotTaken("it has words of KeY")
        elif kind == "number" and not text.lower().startswith("0x") and re.search(r"[.eEfFdD]", text):
            raise NotTaken("it has floating-point numbers, which OpenJML takes for real ones")


def _check_arithmetic(tokens: Sequence[_Token], arithmetic: Arithmetic) -> None:
    signs = {one.text for one in tokens if one.kind == "sign"}
    if arithmetic.math != "java" and signs & _BITS:
        # With one such operator OpenJML computes the whole method in bit vectors, which wrap around.
        raise NotTaken("it has operators on bits in mathematical arithmetic")
    if not arithmetic.is_right:
        casts = any(_is_cast(tokens, index) for index in range(len(tokens)))
        if casts or signs & _ARITHMETIC:
            raise NotTaken("this OpenJML does not compute with int and long as the contract does")


def _is_cast(tokens: Sequence[_Token], index: int) -> bool:
    return tokens[index].text in _NARROW and [one.text for one in tokens[max(0, index - 1) : index + 2 : 2]] == [
        "(",
        ")",
    ]


def _check_calls(tokens: Sequence[_Token], names: Names) -> None:
    """Calls of methods that OpenJML has specifications for, and of changeable objects in one state only."""
    states: set[bool] = set()
    for index, is_past in _calls(tokens):
        name = tokens[index].text
        before = [token.text for token in tokens[max(0, index - 2) : index]]
        if len(before) == 2 and before[1] == "." and f"{before[0]}.{name}" in _STATIC_METHODS:
            continue
        # A name that begins like that of a class is one: ``Arrays.equals`` is no method of a string.
        if before[-1:] != ["."] or before[0][:1].isupper() or name not in _STRING_METHODS:
            raise NotTaken(f"it calls {name}, of which OpenJML knows too little")
        receiver = RESULT if before[0] == r"\result" else before[0]
        if receiver not in names.strings and not receiver.startswith('"'):
            states.add(is_past)
    if len(states) > 1:
        raise NotTaken("it calls methods of objects in two states")


def _calls(tokens: Sequence[_Token]) -> Iterator[tuple[int, bool]]:
    """The places of method names, and whether they stand within ``\\old``."""
    past: list[bool] = []
    for index, (kind, text, _gap) in enumerate(tokens):
        following = tokens[index + 1].text if index + 1 < len(tokens) else ""
        if kind == "word" and not text.startswith("\\") and following == "(":
            yield index, any(past)
        if text in _OPENING and kind == "sign":
            past.append(index > 0 and tokens[index - 1].text in _PAST)
        elif kind == "sign" and text in (")", "]", "}"):
            past.pop()


# ---- facts -----------------------------------------------------------------------------------------------------------


def _with_contents(tokens: Sequence[_Token]) -> list[_Token]:
    r"""``tokens`` with ``length`` and ``charAt`` in place of KeY's ``\dl_strContent(s) == \seq(97, 98)``."""
    done: list[_Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.kind == "string" or (
            token.kind == "word" and token.text.startswith(r"\dl_") and token.text != _CONTENT
        ):
            raise NotTaken("what is known of the call is told in words of KeY")
        if token.text != _CONTENT:
            done.append(token)
            index += 1
            continue
        end = _closing(tokens, index + 1)
        letters, following = _letters(tokens, end + 1)
        string = f"({_joined(tokens[index + 2 : end])})"
        parts = [f"{string}.length() == {len(letters)}"]
        parts += [f"{string}.charAt({at}) == {letter}" for at, letter in enumerate(letters)]
        first, *rest = _tokens(f"({' && '.join(parts)})")
        done += [first._replace(gap=token.gap), *rest]
        index = following
    return done


def _closing(tokens: Sequence[_Token], start: int) -> int:
    """The place of the parenthesis that closes the one at ``start``."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[index].text, 0)
        if depth == 0:
            return index
    raise NotTaken("it has a bracket that is not closed")


def _letters(tokens: Sequence[_Token], start: int) -> tuple[list[str], int]:
    """The numbers in ``== \\seq(…)`` or ``== \\seq_empty`` from ``start`` on, and the place after them."""
    words = [token.text for token in tokens[start : start + 3]]
    if words[:2] == ["==", r"\seq_empty"]:
        return [], start + 2
    if words != ["==", r"\seq", "("]:
        raise NotTaken("what is known of the call is told in words of KeY")
    end = _closing(tokens, start + 2)
    letters = [token.text for token in tokens[start + 3 : end] if token.text != ","]
    if not all(letter.isdigit() for letter in letters):
        raise NotTaken("what is known of the call is told in words of KeY")
    return letters, end + 1


def _conjuncts(tokens: Sequence[_Token]) -> Iterator[list[_Token]]:
    """The parts between ``&&`` outside of all brackets; one part where other operators that bind less stand there."""
    depth = 0
    part: list[_Token] = []
    parts: list[list[_Token]] = []
    for token in tokens:
        kind, text, _gap = token
        if kind == "sign" and text in _OPENING:
            depth += 1
        elif kind == "sign" and text in (")", "]", "}"):
            depth -= 1
        elif kind == "sign" and depth == 0 and text in ("||", "==>", "<==", "<==>", "<=!=>", "?"):
            yield list(tokens)
            return
        if depth == 0 and (kind, text) == ("sign", "&&"):
            parts.append(part)
            part = []
        else:
            part.append(token)
    yield from (one for one in (*parts, part) if one)
