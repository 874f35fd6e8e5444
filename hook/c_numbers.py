"""Names that stand for one number all over a translation unit: macros that are a literal, and enumerators (pure).

They are read from what the preprocessor leaves (``gcc -E -dD``), where branches that are not compiled are gone and the
macros in enumerations are expanded: what a header seems to say by itself may be something else in this build.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from clausefit.hook.contracts.acsl_tokens import Token
from clausefit.hook.contracts.c_tokens import tokenize_c

_DEFINE = re.compile(r"^#(?:define|undef) ([A-Za-z_]\w*)(.*)$", re.MULTILINE)
_NUMBER = re.compile(
    r"[ \t]++(\(?)[ \t]*+(-?)[ \t]*+(0[xX][0-9a-fA-F]{1,32}|0|[1-9][0-9]{0,38})[uUlL]{0,3}[ \t]*+(\)?)[ \t\r]*+$"
)
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif)\b(.*)$", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w*")
_LITERAL = re.compile(r"(?:0[xX][0-9a-fA-F]{1,16}|0|[1-9][0-9]{0,18})[uU]?")
_CHARACTER = re.compile(r"'[\x20-\x26\x28-\x5b\x5d-\x7e]'")
_INT_BITS = 31
_MOST_TOKENS = 9
_TAGGED = frozenset({"struct", "union", "enum"})
_ATTRIBUTES = frozenset({"__attribute__", "__attribute", "__declspec", "_Alignas", "__extension__"})
_OPENING = frozenset("({[")
_CLOSING = frozenset(")}]")
_MOST_HEAD = 64


def numbers_in(preprocessed: str) -> dict[str, int]:
    """What names of the file's scope stand for, by the output of ``gcc -E -dD``.

    Not there are macros that are defined twice or undefined, macros that are no literal (a negative one in
    parentheses), and enumerators that are a macro besides or whose value is an expression of another kind.
    """
    history: dict[str, list[str]] = {}
    for match in _DEFINE.finditer(preprocessed):
        history.setdefault(match.group(1), []).append(match.group(0))
    macros = {name: value for name, lines in history.items() if (value := _macro(lines)) is not None}
    enumerators = _enumerators(tokenize_c(preprocessed)) if "enum" in preprocessed else {}
    return {**{name: value for name, value in enumerators.items() if name not in history}, **macros}


def overridable(texts: Iterable[str], preprocessed: str) -> list[str]:
    """Macros that conditions in these texts ask for, so that ``-DNAME=…`` of a build may change what the texts say.

    Not the guards of headers, which are defined as nothing, and not names of the implementation (C17 §7.1.3).
    """
    asked = {name for text in texts for pair in _CONDITION.findall(text) for name in _WORD.findall(pair)}
    guards = {m.group(1) for m in _DEFINE.finditer(preprocessed) if not m.group(2).strip()}
    return sorted(name for name in asked - guards - {"defined"} if not name.startswith("_"))


def _macro(lines: Sequence[str]) -> int | None:
    match = _DEFINE.match(lines[0])
    if len(lines) != 1 or match is None or not lines[0].startswith("#define"):
        return None
    number = _NUMBER.match(match.group(2))
    if number is None or bool(number.group(1)) != bool(number.group(4)) or (number.group(2) and not number.group(1)):
        return None
    digits = number.group(3)
    value = int(digits, 16) if digits[:2] in ("0x", "0X") else int(digits)
    return -value if number.group(2) else value


def _enumerators(tokens: Sequence[Token]) -> dict[str, int]:
    found: dict[str, int] = {}
    opened: list[tuple[str, int]] = []
    """The brackets that are open: what each is (``enum``, ``struct``, or the bracket itself), and where it begins."""
    others = 0
    """How many of them are no body of a struct: an enum inside of those is none of the file's scope."""
    for index, token in enumerate(tokens):
        if token.kind != "punct":
            continue
        if token.text in _OPENING:
            opened.append((_head(tokens, index) if token.text == "{" else token.text, index + 1))
            others += opened[-1][0] != "struct"
        elif token.text in _CLOSING and opened:
            what, start = opened.pop()
            others -= what != "struct"
            if what == "enum" and others == 0:
                found |= _of_enum(tokens[start:index], found)
    return found


def _head(tokens: Sequence[Token], brace: int) -> str:
    """``enum`` or ``struct`` (or union) where a brace opens the body of one, else the brace.

    Before it are the keyword, at most one name, and attributes: ``struct s f(void) {`` is a function.
    """
    index, names = brace - 1, 0
    for _ in range(_MOST_HEAD):
        text = tokens[index].text if index >= 0 else ""
        if text == ")":
            depth = 0
            while index >= 0 and (depth := depth + (tokens[index].text == ")") - (tokens[index].text == "(")) > 0:
                index -= 1
                if brace - index > _MOST_HEAD:
                    return "{"
            index -= 1
            if index < 0 or tokens[index].text not in _ATTRIBUTES:
                return "{"
        elif text in _TAGGED:
            return "enum" if text == "enum" else "struct"
        else:
            names += 1
            if names > 1 or index < 0 or tokens[index].kind != "word":
                return "{"
        index -= 1
    return "{"


def _of_enum(tokens: Sequence[Token], known: Mapping[str, int]) -> dict[str, int]:
    """The enumerators between the braces of one enum, as far as their values can be told."""
    found: dict[str, int] = {}
    value: int | None = -1
    for part in _parts(tokens):
        if part[1:2] == ("=",):
            value = _value(part[2:], {**known, **found})
        elif len(part) != 1:
            value = None  # an attribute; what follows counts on from what is not understood
        elif value is not None:
            value += 1
        if value is not None and -(1 << _INT_BITS) <= value < 1 << _INT_BITS:
            found[part[0]] = value
        else:
            value = None
    return found


def _parts(tokens: Sequence[Token]) -> list[tuple[str, ...]]:
    """The tokens between the commas; a directive is none."""
    parts: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if token.text == "," and depth == 0:
            parts.append([])
        elif token.kind != "directive":
            parts[-1].append(token.text)
    return [tuple(part) for part in parts if part]


def _value(tokens: Sequence[str], known: Mapping[str, int]) -> int | None:
    """The value of an ``int``: a literal, a name, one with a sign, one shift; None for other expressions."""
    if len(tokens) > _MOST_TOKENS:
        return None
    if tokens[:1] == ("(",) and tokens[-1:] == (")",):
        return _value(tokens[1:-1], known)
    if tokens.count("<") == 2 and tokens[(place := tokens.index("<")) + 1] == "<":
        left, right = _value(tokens[:place], known), _value(tokens[place + 2 :], known)
        fits = left is not None and right is not None and left >= 0 and 0 <= right < _INT_BITS
        return left << right if fits and left is not None and right is not None else None
    if tokens[:1] == ("-",):
        value = _value(tokens[1:], known) if len(tokens) == 2 and tokens[1][-1] not in "uU" else None
        return -value if value is not None and value < 1 << _INT_BITS else None
    if len(tokens) != 1:
        return None
    if _LITERAL.fullmatch(tokens[0]):
        return int(tokens[0].rstrip("uU"), 0)
    return ord(tokens[0][1]) if _CHARACTER.fullmatch(tokens[0]) else known.get(tokens[0])
