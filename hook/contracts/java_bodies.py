"""The members of a class body in order, each with the annotations before it and in its header."""

from __future__ import annotations

import functools
from typing import NamedTuple

from clausefit.hook.contracts.acsl_tokens import Problem, Token
from clausefit.hook.contracts.java_broken import first_error
from clausefit.hook.contracts.java_classes import (
    Declared,
    OpenClass,
)
from clausefit.hook.contracts.java_file import FileReader
from clausefit.hook.contracts.java_flaws import header_flaw
from clausefit.hook.contracts.java_headers import (
    MethodHeader,
    TypeHeader,
    declared_type,
    method_header,
    nullness_of,
    type_header,
)
from clausefit.hook.contracts.java_model import ClassKind, JavaField
from clausefit.hook.contracts.java_tree import FIELDS, METHODS, TYPES, body_of, members, members_in_errors
from clausefit.hook.contracts.jml_tokens import JmlComment, tokens_of_java
from clausefit.hook.contracts.model import Span
from tree_sitter import Node


class _Scanned(NamedTuple):
    """A method found by its tokens: its header ends at ``end``, ``inside`` are the annotations in it.

    ``flaw`` is what cannot stand in the header.
    """

    declared: Declared
    inside: list[Token]
    end: int
    flaw: Token | None


class Body:
    """Reads the members of one class body, or of the file."""

    def __init__(self, reader: FileReader, node: Node, owner: OpenClass | None) -> None:
        self._reader = reader
        self._java = reader.java
        self._node = node
        self._owner = owner
        self._pending: list[JmlComment] = []
        self._position = node.start_byte

    def run(self) -> None:
        """Read all; what is found goes to the file reader, class bodies in it as ones to be read later."""
        for node in members(self._node):
            if node.start_byte < self._position:
                continue  # part of a header that was read by its tokens
            self._pending += self._java.comments_between(self._position, node.start_byte)
            self._position = _end(node)
            self._take(node)
        self._pending += self._java.comments_between(self._position, self._node.end_byte)
        self._drop()

    @functools.cached_property
    def _in_errors(self) -> frozenset[int]:
        return members_in_errors(self._node)

    def _owner_at(self, offset: int) -> OpenClass:
        return self._owner or self._reader.loose_owner(offset)

    def _take(self, node: Node) -> None:
        if node.type in TYPES:
            self._type(node, self._owner, None)
        elif node.type in METHODS:
            self._method(node)
        elif node.type in FIELDS:
            self._fields(node)
        elif node.type in ("package_declaration", "import_declaration"):
            self._reader.file_level(node)
        elif node.type == "enum_constant":
            self._constant(node)
        elif node.type in ("static_initializer", "block"):
            self._drop()
            self._around_swallowed(node, self._owner_at(node.start_byte))
        elif self._pending and node.type not in ("{", "}", ";", ",", "module_declaration"):
            self._by_tokens(node)
        elif self._java.has_comments(node):
            self._code(node, self._owner_at(node.start_byte))

    def _tokens(self) -> list[Token]:
        """The tokens of the annotations so far; they are used up by that."""
        tokens = self._java.comment_tokens(self._pending)
        self._pending = []
        return tokens

    def _drop(self, before: Node | None = None) -> None:
        """Read annotations that no method follows, but perhaps ``before``: what belongs to the class counts."""
        if self._pending:
            owner = self._owner_at(self._pending[0].start)
            unread = self._unread(before) if before is not None else None
            self._reader.specs(self._tokens(), owner, is_for_method=False, unread=unread)

    def _unread(self, node: Node) -> Token | None:
        """The token from which on a declaration cannot be read; None where it can, and is only no method."""
        error = node if node.id in self._in_errors else first_error(node)
        return self._token_at(error.start_byte) if error is not None else None

    def _token_at(self, offset: int) -> Token:
        """The token at ``offset`` or after it; an empty one at the end of the file."""
        return next(tokens_of_java(self._java.text, offset), Token("punct", "", offset, offset))

    # -- declarations

    def _type(self, node: Node, outer: OpenClass | None, local_of: OpenClass | None) -> None:
        body = body_of(node)
        tokens, inside = self._java.header(node.start_byte, node.end_byte if body is None else body.start_byte)
        header = type_header(tokens)
        if header is None:
            self._drop()
            return
        before = self._tokens()
        name = header.name
        if local_of is not None:
            name = f"{local_of.name}${local_of.next_number()}{name}"
        elif outer is not None:
            name = f"{outer.name}.{name}"
        elif self._java.root.has_error:
            name = ".".join([*(one[2] for one in self._java.classes_around(node.start_byte)), name])
        words: list[str] = []
        if before or inside:
            around = outer or local_of or OpenClass(name, header, (), self._span(node), "")
            specs = self._reader.specs([*before, *inside], around, is_for_method=False)
            words = [one.text for one in specs.modifiers]
            if specs.class_clauses and outer is None and local_of is None:
                start = specs.class_clauses[0].clause.span.start
                self._reader.problem(Problem(start, "this clause stands in no class: move it into one", "unsupported"))
        self._reader.begin(header, (*words, *header.modifiers), node, outer or local_of, name)

    def _span(self, node: Node) -> Span:
        return self._reader.span(node.start_byte, node.end_byte)

    def _method(self, node: Node) -> None:
        body = body_of(node)
        tokens, inside = self._java.header(node.start_byte, node.end_byte if body is None else body.start_byte)
        is_compact = node.type == "compact_constructor_declaration"
        owner = self._owner_at(node.start_byte)
        if is_compact:
            at = body.start_byte if body is not None else node.end_byte
            brackets = [Token("punct", "(", at, at), Token("punct", ")", at, at)]
            tokens += brackets
        header = method_header(tokens)
        flaw = None if is_compact or not self._java.root.has_error else header_flaw(_without_end(tokens))
        if node.type == "constructor_declaration" and header is not None and self._is_no_constructor(header):
            flaw = self._token_at(header.offset)
        if header is None or (flaw is not None and (self._pending or inside)):
            self._reject(flaw, inside)
        else:
            specs = self._reader.specs([*self._tokens(), *inside], owner, is_for_method=True)
            found = Declared(
                header,
                self._span(node),
                self._span(body) if body is not None else None,
                is_constructor=node.type != "method_declaration",
                parameters=owner.header.components if is_compact else (),
            )
            self._reader.method(owner, found, specs)
        if body is not None:
            self._around_swallowed(body, owner)

    def _is_no_constructor(self, header: MethodHeader) -> bool:
        """Whether a method without a type bears another name than its class (JLS 8.8)."""
        return self._owner is not None and header.name != self._owner.header.name

    def _reject(self, flaw: Token | None, inside: list[Token]) -> None:
        """Give the annotations before a method back, and those in its header, as its header cannot be read."""
        start = flaw.start if flaw is not None else self._position
        owner = self._owner_at(start)
        tokens = [*self._tokens(), *inside]
        if tokens:
            self._reader.specs(tokens, owner, is_for_method=False, unread=flaw or self._token_at(start))

    def _around_swallowed(self, node: Node, owner: OpenClass) -> None:
        """Read the classes in code; where that is broken, the methods that it took in as well."""
        classes = self._code(node, owner)
        if node.has_error:
            self._swallowed(node, owner, classes)

    def _fields(self, node: Node) -> None:
        owner = self._owner_at(node.start_byte)
        parts = [child for child in node.children if child.type == "variable_declarator"]
        tokens, inside = self._java.header(node.start_byte, parts[0].start_byte if parts else node.end_byte)
        unread = self._unread(node) if self._pending or inside else None
        specs = self._reader.specs([*self._tokens(), *inside], owner, is_for_method=False, unread=unread)
        modifiers, type_name = declared_type(tokens)
        words = (*(one.text for one in specs.modifiers), *modifiers)
        text = self._java.text
        for part in parts:
            name, size, value = (part.child_by_field_name(which) for which in ("name", "dimensions", "value"))
            if name is not None:
                owner.fields.append(
                    JavaField(
                        name=text[name.start_byte : name.end_byte],
                        type=type_name + (text[size.start_byte : size.end_byte] if size is not None else ""),
                        modifiers=words,
                        span=self._span(node),
                        initializer=text[value.start_byte : value.end_byte] if value is not None else None,
                        nullness=nullness_of(words),
                    )
                )
            self._code(part, owner)
        if node.has_error:
            self._swallowed(node, owner, [])

    def _constant(self, node: Node) -> None:
        """An enum constant; its body is an anonymous class."""
        owner = self._owner_at(node.start_byte)
        name = node.child_by_field_name("name")
        if name is not None:
            text = self._java.text[name.start_byte : name.end_byte]
            words = ("public", "static", "final")
            owner.fields.append(JavaField(text, owner.header.name, words, self._span(node)))
        self._code(node, owner, owner.header.name)

    # -- code

    def _code(self, node: Node, owner: OpenClass, base: str = "") -> list[Node]:
        """Look for classes in code, and give them back; only where JML comments are.

        Other annotations in code are no contracts. ``base`` is the type of an anonymous class at once inside.
        """
        found: list[Node] = []
        todo = [(node, base)]
        while todo:
            one, created = todo.pop()
            if not self._java.has_comments(one):
                continue
            if one.type in TYPES or one.type == "class_body":
                found.append(one)
            if one.type in TYPES:
                waiting, self._pending = self._pending, []
                self._type(one, None, owner)
                self._pending = waiting
            elif one.type == "class_body":
                kind: ClassKind = "anonymous"
                header = TypeHeader(kind, "", (), (), (), (created,) if created else (), ())
                self._reader.begin(header, (), one, owner, f"{owner.name}${owner.next_number()}")
            else:
                if one.type == "object_creation_expression":
                    of_type = one.child_by_field_name("type")
                    if of_type is not None:
                        created = self._java.text[of_type.start_byte : of_type.end_byte]
                todo += [(child, created) for child in reversed(one.children)]
        return found

    def _by_tokens(self, node: Node) -> None:
        """A declaration that the grammar does not know: read the header after the annotations by its tokens."""
        owner = self._owner_at(node.start_byte)
        found = self._scanned(node.start_byte, owner)
        if found is None or found.flaw is not None:
            self._drop(node)
            return
        self._position = max(self._position, found.end)
        specs = self._reader.specs([*self._tokens(), *found.inside], owner, is_for_method=True)
        self._reader.method(owner, found.declared, specs)

    def _scanned(self, start: int, owner: OpenClass) -> _Scanned | None:
        """The method whose header starts at ``start``, told by its tokens alone; None where there is none."""
        end, brace = self._java.scan_header(start)
        tokens, inside = self._java.header(start, end)
        tokens = _without_end(tokens)
        header = method_header(tokens)
        if header is None:
            return None
        is_constructor = header.result_type is None
        if is_constructor and header.name != owner.header.name:
            return None
        body = self._reader.span(brace, self._java.braces[brace][0]) if brace is not None else None
        span = self._reader.span(start, body.end if body is not None else end)
        return _Scanned(Declared(header, span, body, is_constructor), inside, end, header_flaw(tokens))

    def _swallowed(self, node: Node, owner: OpenClass, classes: list[Node]) -> None:
        """Methods that broken code took in, as its ``}`` or ``;`` is missing: a contract, then a method's header."""
        ends = 0
        for group in self._java.comment_groups(node):
            start = group[0].start
            if start < ends or any(one.start_byte <= start < one.end_byte for one in classes):
                continue
            found = self._scanned(group[-1].end, owner)
            if found is None or found.declared.header.offset >= node.end_byte:
                continue  # what follows is not in here, and is read in its turn
            if found.declared.body is not None and found.flaw is None:
                ends = found.end
                tokens = [*self._java.comment_tokens(group), *found.inside]
                self._reader.method(owner, found.declared, self._reader.specs(tokens, owner, is_for_method=True))


def _end(node: Node) -> int:
    """The end of a member; comments before a ``;`` that is missing belong to what follows."""
    if not node.children or not node.children[-1].is_missing:
        return node.end_byte
    return max((one.end_byte for one in node.children if "comment" not in one.type and not one.is_missing), default=0)


def _without_end(tokens: list[Token]) -> list[Token]:
    """The tokens of a header without the ``;`` of a method without a body."""
    end = len(tokens)
    while end and tokens[end - 1].text == ";":
        end -= 1
    return tokens[:end]
