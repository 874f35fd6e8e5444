"""The shape of a Java file as tree-sitter sees it: declarations and the JML comments in them, by offsets of the text.

The tree is made of an ASCII copy of the text in which every character stands at its own place, so that its offsets
are those of the text. Files that the grammar does not know in full give ``ERROR`` nodes; their parts are gone
through as well.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import tree_sitter_java
from clausefit.hook.contracts.acsl_tokens import Token
from clausefit.hook.contracts.java_headers import as_modifiers
from clausefit.hook.contracts.java_model import ClassKind
from clausefit.hook.contracts.jml_tokens import JmlComment, jml_comments, tokenize_jml, tokens_of_java
from tree_sitter import Language, Node, Parser

_PARSER = Parser(Language(tree_sitter_java.language()))
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")

TYPES: dict[str, ClassKind] = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "annotation",
}
METHODS = frozenset({"method_declaration", "constructor_declaration", "compact_constructor_declaration"})
FIELDS = frozenset({"field_declaration", "constant_declaration"})
_SPLICED = frozenset({"ERROR", "enum_body_declarations"})
# No header of a method that people write has more tokens; a broken file must not be scanned to its end again and again.
_MOST_TOKENS = 500
_MOST_SCANNED = 200_000
_MOST_NESTED = 50


def _ascii(text: str) -> bytes:
    """``text`` with a ``$`` for every letter and a blank for every other character outside ASCII."""
    plain = text
    if not text.isascii():
        plain = _NOT_ASCII.sub(lambda match: "$" if ("a" + match.group()).isidentifier() else " ", text)
    return plain.encode("ascii")


class _Braced(NamedTuple):
    start: int
    end: int
    name: str
    around: int | None


class JavaText:
    """A Java file: its text, its tree and its JML comments."""

    def __init__(self, text: str) -> None:
        found = jml_comments(text)
        self.text = text
        self.unclosed = found.unclosed
        self.comments = found.annotations
        # What is not closed is blank for the parser: its way out of such a comment takes quadratic time.
        end = len(text) if found.unclosed is None else found.unclosed
        self.root = _PARSER.parse(_ascii(text[:end].ljust(len(text)))).root_node
        self._scans_left = _MOST_SCANNED
        self._starts = [comment.start for comment in found.annotations]

    def comments_between(self, start: int, end: int) -> tuple[JmlComment, ...]:
        """The JML comments that start in ``text[start:end]``."""
        return self.comments[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def has_comments(self, node: Node) -> bool:
        """Whether a JML comment stands inside of ``node``."""
        first = bisect_left(self._starts, node.start_byte)
        return first < len(self._starts) and self._starts[first] < node.end_byte

    def comment_tokens(self, comments: tuple[JmlComment, ...] | list[JmlComment]) -> list[Token]:
        """The tokens of several annotations as one text."""
        return [token for one in comments for token in tokenize_jml(self.text, one.text_start, one.text_end)]

    def header(self, start: int, end: int) -> tuple[list[Token], list[Token]]:
        """The tokens of a header with the JML modifiers at their places, and those of other annotations in it."""
        tokens: list[Token] = []
        specs: list[Token] = []
        position = start
        for comment in self.comments_between(start, end):
            tokens += tokens_of_java(self.text, position, comment.start)
            inside = tokenize_jml(self.text, comment.text_start, comment.text_end)
            modifiers = as_modifiers(inside)
            if modifiers is None:
                specs += inside
            else:
                tokens += modifiers
            position = comment.end
        tokens += tokens_of_java(self.text, position, max(position, end))
        return tokens, specs

    def scan_header(self, start: int) -> tuple[int, int | None]:
        """Where the header that starts at ``start`` ends by its tokens alone, and its ``{`` if that ends it.

        Headers may overlap in a broken file; all scans together see a limited number of tokens.
        """
        depth = count = 0
        last = start
        most = min(_MOST_TOKENS, self._scans_left)
        for count, token in enumerate(tokens_of_java(self.text, start)):
            depth += token.text == "("
            depth -= token.text == ")"
            if count >= most or token.text == "}" or (depth <= 0 and token.text in (";", "{")):
                self._scans_left -= count
                return (token.start if token.text != ";" else token.end), token.start if token.text == "{" else None
            last = token.end
        self._scans_left -= count
        return last, None

    @cached_property
    def braces(self) -> dict[int, tuple[int, str | None]]:
        """For every ``{`` its end, told by tokens alone, and the name of the class whose body it starts, if any.

        For files that have no clean tree. An end that is missing is that of the text.
        """
        found: dict[int, tuple[int, str | None]] = {}
        open_braces: list[tuple[int, str | None]] = []
        name: str | None = None
        before = ""
        for token in tokens_of_java(self.text):
            if before in ("class", "interface", "enum", "record") and token.kind == "word":
                name = token.text
            elif token.text[0] == "{":
                open_braces.append((token.start, name))
                name = None
            elif token.text[-1] == "}" and open_braces:
                start, of_class = open_braces.pop()
                found[start] = (token.end, of_class)
            elif token.text in (";", "="):
                name = None
            before = token.text
        found.update({start: (len(self.text), of_class) for start, of_class in open_braces})
        return found

    @cached_property
    def _class_bodies(self) -> list[_Braced]:
        """The class bodies by their starts, each with the index of the one around it."""
        found: list[_Braced] = []
        around: list[int] = []
        for start, (end, name) in sorted(self.braces.items()):
            if name is None:
                continue
            while around and found[around[-1]].end <= start:
                around.pop()
            found.append(_Braced(start, end, name, around[-1] if around else None))
            around.append(len(found) - 1)
        return found

    def classes_around(self, offset: int) -> list[tuple[int, int, str]]:
        """Start, end and name of the class bodies around ``offset``, outermost first, told by braces alone.

        At most ``_MOST_NESTED`` of them, the inner ones: a broken file may open thousands.
        """
        bodies = self._class_bodies
        index: int | None = bisect_left(bodies, offset, key=lambda one: one.start) - 1
        found: list[tuple[int, int, str]] = []
        while index is not None and index >= 0 and len(found) < _MOST_NESTED:
            one = bodies[index]
            if offset < one.end:
                found.append((one.start, one.end, one.name))
            index = one.around
        return found[::-1]

    def comment_groups(self, node: Node) -> Iterator[list[JmlComment]]:
        """The JML comments in ``node``; those with nothing but blanks and comments between them are together."""
        group: list[JmlComment] = []
        for comment in self.comments_between(node.start_byte, node.end_byte):
            if group and any(True for _ in tokens_of_java(self.text, group[-1].end, comment.start)):
                yield group
                group = []
            group.append(comment)
        if group:
            yield group


def members(node: Node) -> Iterator[Node]:
    """The children of a class body or file in order; what stands in ``ERROR`` nodes is taken out of them."""
    todo = list(reversed(node.children))
    while todo:
        child = todo.pop()
        if child.type in _SPLICED:
            todo += reversed(child.children)
        elif child.type not in ("line_comment", "block_comment"):
            yield child


def members_in_errors(node: Node) -> frozenset[int]:
    """The ids of those ``members`` that were taken out of an ``ERROR`` node.

    For all at once: to ask a node for its parent takes as long as there are nodes before it.
    """
    todo = list(node.children)
    found = {one.id for one in todo} if node.is_error else set()
    while todo:
        child = todo.pop()
        if child.type in _SPLICED:
            todo += child.children
            if child.is_error:
                found.update(one.id for one in child.children)
    return frozenset(found)


def body_of(node: Node) -> Node | None:
    """The ``{ … }`` of a declaration."""
    return node.child_by_field_name("body")
