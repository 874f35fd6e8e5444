"""What is wrong with the header of a method, told by its tokens.

For files that the grammar does not know in full: the header of a method counts only when nothing in it is left over.
What newer Java may write in code does not matter here, headers have not changed since Java 8 (JLS 8.4).
"""

from __future__ import annotations

from collections.abc import Sequence

from clausefit.hook.contracts.acsl_tokens import Token, closing, text_at
from clausefit.hook.contracts.java_headers import opening_of, split_modifiers, split_type_parameters


def header_flaw(tokens: Sequence[Token]) -> Token | None:
    """The first part of a method's header, without its body or ``;``, that cannot stand there; None where all can."""
    opening = opening_of(tokens)
    close = closing(tokens, opening) if opening is not None else None
    if opening is None or close is None:
        return tokens[opening or 0] if tokens else None
    _, plain = split_modifiers(tokens[:opening])
    _, plain = split_type_parameters(plain)
    if not plain:
        return tokens[opening]
    flaw = _type_flaw(plain[:-1]) if len(plain) > 1 else None
    return flaw or _parameters_flaw(tokens[opening + 1 : close], tokens[close]) or _tail_flaw(tokens[close + 1 :])


def _type_flaw(tokens: Sequence[Token]) -> Token | None:
    """The first token that does not go on with a type: ``a.B<…>.C[][]...``."""
    depth = 0
    before = ""
    for token in tokens:
        text = token.text
        depth += text == "<"
        if depth == 0:
            fits = {
                "word": before in ("", "."),
                "dot": text == "." and before == "word",
                "bracket": (text == "[" and before in ("word", "]")) or (text == "]" and before == "["),
                "dots": text == "..." and before in ("word", "]"),
            }
            kind = token.kind if token.kind == "word" else {".": "dot", "...": "dots"}.get(text, "bracket")
            if not fits[kind]:
                return token
            before = kind if kind == "word" else text
        depth -= text == ">"
    return tokens[-1] if before in (".", "[") or depth else None


def _parameters_flaw(tokens: Sequence[Token], end: Token) -> Token | None:
    if not tokens:
        return None
    parts = _split_strictly(tokens)
    for index, part in enumerate(parts):
        _, plain = split_modifiers(part)
        while len(plain) > 2 and plain[-1].text == "]" and plain[-2].text == "[":
            del plain[-2:]
        if not plain:
            return _after(tokens, parts[: index + 1], end)
        is_receiver = plain[-1].text == "this" and text_at(plain, len(plain) - 2) == "."
        type_tokens = plain[:-3] if is_receiver else plain[:-1]
        flaw = plain[-1] if plain[-1].kind != "word" or not type_tokens else _type_flaw(type_tokens)
        if flaw is not None:
            return flaw
    return None


def _after(tokens: Sequence[Token], parts: Sequence[Sequence[Token]], end: Token) -> Token:
    """The token that stands where the last of ``parts``, which are split at commas, should be."""
    position = sum(len(part) for part in parts) + len(parts) - 1
    return tokens[position] if position < len(tokens) else end


def _split_strictly(tokens: Sequence[Token]) -> list[list[Token]]:
    """``tokens`` split at the commas outside of brackets; empty parts stay."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += token.text in ("(", "[", "{", "<")
        depth -= token.text in (")", "]", "}", ">")
        if token.text == "," and depth <= 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _tail_flaw(tokens: Sequence[Token]) -> Token | None:
    """What may follow the parameters: ``[]``, ``throws A, B``, the ``default`` of an annotation type."""
    _, plain = split_modifiers(tokens)
    while len(plain) > 1 and plain[0].text == "[" and plain[1].text == "]":
        del plain[:2]
    if not plain or any(token.text == "default" for token in tokens):
        return None
    if plain[0].text != "throws":
        return plain[0]
    for part in _split_strictly(plain[1:]):
        flaw = _type_flaw(part) if part else plain[0]
        if flaw is not None:
            return flaw
    return None
