"""The Java reader: source text → ``SourceContracts`` with the JML contracts of all methods.

A contract belongs to the method or constructor that is declared right after it, or in whose header it stands
(JML Reference Manual, "Method Specifications"). Annotations in method bodies (assertions, loop and block
contracts) are no method contracts. Where the grammar does not know a declaration, its header is read by its tokens.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from clausefit.hook.contracts.acsl_tokens import Places, Problem, Token
from clausefit.hook.contracts.java_classes import (
    Declared,
    OpenClass,
    contract_of,
    java_method,
    model_field,
    open_class,
    with_jml_names,
)
from clausefit.hook.contracts.java_headers import (
    TypeHeader,
    declared_type,
    field_headers,
    mark_modifiers,
    method_header,
    nullness_of,
    type_header,
)
from clausefit.hook.contracts.java_model import ClassKind, JavaField, JavaFile
from clausefit.hook.contracts.java_tree import FIELDS, METHODS, TYPES, JavaText, body_of, members
from clausefit.hook.contracts.jml import ModelMember, Specs, read_specs
from clausefit.hook.contracts.jml_tokens import JmlComment, tokens_of_java, type_text
from clausefit.hook.contracts.model import Contract, NotChecked, SourceContracts, Span
from tree_sitter import Node

# A binary file gives thousands of them; a person reads the first few.
_PROBLEM_LIMIT = 200


def read_java(text: str, file: str) -> SourceContracts:
    """All contracts of one Java or ``.jml`` file, with its classes, fields, invariants and methods in ``java``.

    Never raises. What cannot be read is a ``NotChecked`` with its line: ``parse_error`` where the text is broken,
    ``unsupported`` where it may be right but this reader does not follow. ``bare`` holds the methods without clauses.
    """
    return _Reader(text, file).run()


class _Reader:
    def __init__(self, text: str, file: str) -> None:
        self._java = JavaText(text)
        self._text = text
        self._file = file
        self._places = Places(text)
        self._package = ""
        self._imports: list[str] = []
        self._classes: list[OpenClass] = []
        self._contracts: dict[str, tuple[int, Contract]] = {}
        self._not_checked: list[NotChecked] = []
        self._bodies: list[tuple[Node, OpenClass | None]] = []
        self._by_name: dict[str, OpenClass] = {}

    def run(self) -> SourceContracts:
        if self._java.unclosed is not None:
            self.problem(Problem(self._java.unclosed, "a comment or text block is not closed"))
        self._bodies.append((self._java.root, None))
        while self._bodies:
            node, owner = self._bodies.pop()
            _Body(self, node, owner).run()
        contracts = [contract for _, contract in sorted(self._contracts.values(), key=lambda pair: pair[0])]
        self._classes.sort(key=lambda one: (one.span.start, -one.span.end))
        self._not_checked.sort(key=lambda one: one.line or 0)
        more = len(self._not_checked) - _PROBLEM_LIMIT
        if more > 0:
            del self._not_checked[_PROBLEM_LIMIT:]
            detail = f"{more} more places of this file cannot be read"
            self._not_checked.append(NotChecked(self._file, None, "parse_error", detail, self._not_checked[-1].line))
        return SourceContracts(
            file=self._file,
            contracts=tuple(one for one in contracts if one.clauses or one.behaviors),
            not_checked=tuple(self._not_checked),
            bare=tuple(one for one in contracts if not (one.clauses or one.behaviors)),
            java=JavaFile(self._package, tuple(self._imports), tuple(one.done() for one in self._classes)),
        )

    # -- what bodies report

    @property
    def java(self) -> JavaText:
        return self._java

    def span(self, start: int, end: int) -> Span:
        return self._places.span(start, end)

    def file_level(self, node: Node) -> None:
        """Take a package or import declaration."""
        tokens = list(tokens_of_java(self._text, node.start_byte, node.end_byte))
        words = [one for one in tokens if one.text != ";"]
        if node.type == "import_declaration":
            self._imports.append(type_text(words[1:]))
        else:
            start = next((i for i, one in enumerate(words) if one.text == "package"), len(words))
            self._package = type_text(words[start + 1 :])

    def specs(self, tokens: list[Token], owner: OpenClass, is_for_method: bool) -> Specs:
        """Read annotations; all that belongs to the class around goes there."""
        last = owner.fields[-1].name if owner.fields else None
        found = read_specs(tokens, self._text, self._file, self._places, last)
        owner.clauses += found.class_clauses
        self._imports += found.imports
        for member in found.members:
            self._member(member, owner)
        if found.spec.clauses and not is_for_method:
            start = found.spec.start or 0
            found.problems.append(Problem(start, "no method follows this contract", "unsupported"))
        for problem in found.problems if not is_for_method else ():
            self.problem(problem)
        return found

    def _member(self, member: ModelMember, owner: OpenClass) -> None:
        tokens = mark_modifiers(member.tokens)
        start = member.tokens[0].start
        span = self.span(start, member.end)
        header = method_header(tokens)
        if header is not None:
            is_constructor = header.result_type is None
            body = self.span(*member.body) if member.body else None
            self.method(owner, Declared(header, span, body, is_constructor, is_in_comment=True), Specs(member.spec))
            return
        fields = field_headers(tokens)
        if not fields:
            self.problem(Problem(start, "a ghost or model declaration cannot be read"))
        for one in fields:
            owner.fields.append(model_field(one, with_jml_names(one.modifiers, self._imports), span))

    def method(self, owner: OpenClass, found: Declared, specs: Specs) -> None:
        """Take a method with its specification."""
        words = (*(one.text for one in specs.modifiers), *found.header.modifiers)
        method = java_method(owner, found, specs.spec, with_jml_names(words, self._imports))
        for problem in specs.problems:
            self.problem(problem, method.signature)
        offset = found.header.offset
        known = self._contracts.get(method.signature)
        if known is not None:
            line = known[1].line
            detail = f"`{method.signature}` is declared more than once; only that of line {line} is read"
            self.problem(Problem(offset, detail), method.signature)
            return
        owner.methods.append(method)
        contract = contract_of(method, offset, specs.spec, self._file, self._places)
        self._contracts[method.signature] = (offset, contract)

    def problem(self, problem: Problem, function: str | None = None) -> None:
        line = self._places.line(problem.offset)
        self._not_checked.append(NotChecked(self._file, function, problem.reason, problem.detail, line))

    # -- classes

    def begin(
        self, header: TypeHeader, modifiers: Iterable[str], node: Node, outer: OpenClass | None, name: str
    ) -> OpenClass:
        """Open a class whose body is ``node`` or in it, to be read later."""
        words = with_jml_names(tuple(modifiers), self._imports)
        found = open_class(name, header, words, self.span(node.start_byte, node.end_byte), self._package, outer)
        self._classes.append(found)
        self._by_name.setdefault(name, found)
        body = body_of(node) if node.type in TYPES else node
        if body is not None:
            self._bodies.append((body, found))
        return found

    def loose_owner(self, offset: int) -> OpenClass:
        """The class of what stands in no class of the tree: by braces, else the implicit class of the file."""
        around = self._java.classes_around(offset) if self._java.root.has_error else []
        name = ".".join(name for _, _, name in around) or PurePath(self._file).stem or "file"
        known = self._by_name.get(name)
        if known is not None:
            return known
        start, end = (around[-1][0], around[-1][1]) if around else (0, len(self._text))
        header = TypeHeader("class", name.rpartition(".")[2], (), (), (), (), ())
        found = open_class(name, header, (), self.span(start, end), self._package, None)
        self._classes.append(found)
        self._by_name[name] = found
        return found


class _Body:
    """Reads the members of one class body, or of the file."""

    def __init__(self, reader: _Reader, node: Node, owner: OpenClass | None) -> None:
        self._reader = reader
        self._java = reader.java
        self._node = node
        self._owner = owner
        self._pending: list[JmlComment] = []
        self._position = node.start_byte

    def run(self) -> None:
        for node in members(self._node):
            if node.start_byte < self._position:
                continue  # part of a header that was read by its tokens
            self._pending += self._java.comments_between(self._position, node.start_byte)
            self._position = node.end_byte
            self._take(node)
        self._pending += self._java.comments_between(self._position, self._node.end_byte)
        self._drop()

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
            self._code(node, self._owner_at(node.start_byte))
        elif self._pending and node.type not in ("{", "}", ";", ",", "module_declaration"):
            self._by_tokens(node)
        elif self._java.has_comments(node):
            self._code(node, self._owner_at(node.start_byte))

    def _tokens(self) -> list[Token]:
        """The tokens of the annotations so far; they are used up by that."""
        tokens = self._java.comment_tokens(self._pending)
        self._pending = []
        return tokens

    def _drop(self) -> None:
        """Read annotations that no declaration follows: what belongs to the class counts."""
        if self._pending:
            owner = self._owner_at(self._pending[0].start)
            self._reader.specs(self._tokens(), owner, is_for_method=False)

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
                self._reader.problem(Problem(start, "this clause stands in no class", "unsupported"))
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
        if header is None:
            self._drop()
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
            self._code(body, owner)

    def _fields(self, node: Node) -> None:
        owner = self._owner_at(node.start_byte)
        parts = [child for child in node.children if child.type == "variable_declarator"]
        tokens, inside = self._java.header(node.start_byte, parts[0].start_byte if parts else node.end_byte)
        specs = self._reader.specs([*self._tokens(), *inside], owner, is_for_method=False)
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

    def _code(self, node: Node, owner: OpenClass, base: str = "") -> None:
        """Look for classes in code; only where JML comments are. Other annotations there are no contracts."""
        todo = [(node, base)]
        while todo:
            one, created = todo.pop()
            if not self._java.has_comments(one):
                continue
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

    def _by_tokens(self, node: Node) -> None:
        """A declaration that the grammar does not know: read the header after the annotations by its tokens."""
        end, brace = self._java.scan_header(node.start_byte)
        tokens, inside = self._java.header(node.start_byte, end)
        while tokens and tokens[-1].text == ";":
            tokens.pop()
        header = method_header(tokens)
        owner = self._owner_at(node.start_byte)
        is_constructor = header is not None and header.result_type is None
        if header is None or (is_constructor and header.name != owner.header.name):
            self._drop()
            return
        body = self._reader.span(brace, self._java.braces[brace][0]) if brace is not None else None
        span = self._reader.span(node.start_byte, body.end if body is not None else end)
        self._position = max(self._position, end)
        specs = self._reader.specs([*self._tokens(), *inside], owner, is_for_method=True)
        self._reader.method(owner, Declared(header, span, body, is_constructor), specs)
