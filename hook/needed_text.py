"""What of a C file a stub can need: no comments, no bodies of functions, no functions that nobody names (pure).

What is left out is not read by the verifier, so that it is no part of what an answer rests on: a contract is not asked
again because somebody wrote a comment or another function. Where it is not sure that gcc cuts the text as we do,
nothing is left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from clausefit.hook.contracts.acsl_tokens import Token
from clausefit.hook.contracts.c_declarations import Function, declared
from clausefit.hook.contracts.c_items import Item, cut
from clausefit.hook.contracts.c_tokens import tokenize_c

Stretch = tuple[int, int]
_REMEMBERED = 64
"""Texts: headers are in many units."""
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*+", re.DOTALL)
_WORD = re.compile(r"[^\W\d]\w*+")
_ODD = re.compile(r"\?\?|\x00|\bu?8?[LU]?R\"|_Pragma\b|\bpragma\s+(?:push|pop)_macro\b|\\[^\S\n]*+\n(?=.*\*/)")
"""Trigraphs, NUL, raw strings and macros that come back: where our tokens may not be those of gcc."""


@dataclass(frozen=True)
class _Place:
    """A declaration or definition of one function: from its head to its ``;`` or ``}``, and what is in its braces."""

    name: str
    start: int
    end: int
    body: Stretch | None
    head: frozenset[str]


@dataclass(frozen=True)
class _Text:
    """What a file's text is made of: its functions, the words outside of them, and its comments."""

    places: tuple[_Place, ...]
    words: frozenset[str]
    comments: tuple[Stretch, ...]


def left_out(texts: Sequence[str]) -> list[list[Stretch]]:
    """The stretches of each of a unit's files that no stub can need, by their offsets."""
    files = [_parts(text) for text in texts]
    named = {word for file in files for word in file.words}
    named |= {word for file in files for place in file.places for word in place.head if word != place.name}
    found = []
    for file in files:
        stretches = list(file.comments)
        for place in file.places:
            if place.name not in named:
                stretches.append((place.start, place.end))
            elif place.body is not None:
                stretches.append(place.body)
        found.append(stretches)
    return found


@lru_cache(maxsize=_REMEMBERED)
def _parts(text: str) -> _Text:
    tokens = tokenize_c(text)
    if not _is_plain(text, tokens):
        return _Text((), frozenset(_named_outside(tokens, ())), ())
    places = tuple(_functions(tokens))
    return _Text(places, frozenset(_named_outside(tokens, places)), tuple(_comments(text, tokens)))


def _is_plain(text: str, tokens: Sequence[Token]) -> bool:
    if _ODD.search(text):
        return False
    if any(t.kind == "string" and (len(t.text) < 2 or t.text[-1] not in "\"'") for t in tokens):
        return False
    # What is left of the gaps between tokens when closed comments are taken out is blank.
    return all("\\" not in gap and not _COMMENT.sub("", gap).strip() for _start, gap in _gaps(text, tokens))


def _gaps(text: str, tokens: Sequence[Token]) -> Iterator[tuple[int, str]]:
    done = 0
    for token in tokens:
        if token.start > done:
            yield done, text[done : token.start]
        done = token.end
    yield done, text[done:]


def _comments(text: str, tokens: Sequence[Token]) -> Iterator[Stretch]:
    for start, gap in _gaps(text, tokens):
        for match in _COMMENT.finditer(gap):
            yield start + match.start(), start + match.end()


def _functions(tokens: Sequence[Token]) -> Iterator[_Place]:
    starts = [token.start for token in tokens]
    items = cut(tokens, lambda _token: False)
    if items.problems:
        return
    for item in items.items:
        place = _function(item, tokens, starts)
        if place is not None:
            yield place


def _function(item: Item, tokens: Sequence[Token], starts: Sequence[int]) -> _Place | None:
    if not item.head or item.ends_with not in (";", "{") or any(t.text in ("{", "=", "typedef") for t in item.head):
        return None
    found = declared(item.head, item.ends_with == "{")
    if not found or len(found) != 1 or not isinstance(found[0], Function):
        return None
    first = bisect_left(starts, item.head[0].start)
    last = bisect_left(starts, item.head[-1].start)
    if [*tokens[first : last + 1]] != [*item.head] or last + 1 >= len(tokens):
        return None  # a directive or an annotation stands in between
    closing = tokens[last + 1]
    body: Stretch | None = None
    if item.ends_with == "{":
        end = _end_of_body(tokens, last + 1)
        if end is None:
            return None
        body, closing = (closing.end, end.start), end
    words = frozenset(t.text for t in item.head if t.kind == "word")
    return _Place(found[0].name, item.head[0].start, closing.end, body, words)


def _end_of_body(tokens: Sequence[Token], opening: int) -> Token | None:
    """The closing brace; None where directives or annotations are in between, which may count outside of the body."""
    depth = 0
    for token in tokens[opening:]:
        if token.kind in ("directive", "annotation"):
            return None
        depth += (token.text == "{") - (token.text == "}")
        if depth == 0:
            return token
    return None


def _named_outside(tokens: Sequence[Token], places: Iterable[_Place]) -> set[str]:
    """The words of everything but these functions, those in annotations and preprocessor lines, too."""
    spans = sorted((place.start, place.end) for place in places)
    ends = [end for _start, end in spans]
    words = set[str]()
    for token in tokens:
        at = bisect_left(ends, token.end)
        if at < len(spans) and spans[at][0] <= token.start:
            continue
        words.update(_WORD.findall(token.text) if token.kind in ("directive", "annotation") else (token.text,))
    return words
