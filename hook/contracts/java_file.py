"""What is collected while a Java file is read: classes, contracts, problems; and how it becomes ``SourceContracts``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from hashlib import blake2b
from pathlib import PurePath

from clausefit.hook.contracts.acsl_tokens import Places, Problem, Token
from clausefit.hook.contracts.java_broken import HOW_TO_MEND, broken_place
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
    field_headers,
    mark_modifiers,
    method_header,
)
from clausefit.hook.contracts.java_model import JavaFile
from clausefit.hook.contracts.java_tree import TYPES, JavaText, body_of
from clausefit.hook.contracts.jml import ModelMember, Specs, read_specs
from clausefit.hook.contracts.jml_tokens import tokens_of_java, type_text
from clausefit.hook.contracts.model import Contract, NotChecked, SourceContracts, Span
from clausefit.hook.visible import shortened, visible
from tree_sitter import Node

# A binary file gives thousands of them; a person reads the first few.
_PROBLEM_LIMIT = 200
_LONGEST_SHOWN = 40


class FileReader:
    """Collects what one file holds; ``bodies`` are the class bodies still to be read, with their classes."""

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
        self.bodies: list[tuple[Node, OpenClass | None]] = []
        self._by_name: dict[str, OpenClass] = {}
        self._digested_left = 2 * len(text)

    # -- what bodies report

    @property
    def java(self) -> JavaText:
        """The text with its tree and its comments."""
        return self._java

    def span(self, start: int, end: int) -> Span:
        """The stretch of the file from ``start`` to ``end``."""
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

    def specs(self, tokens: list[Token], owner: OpenClass, is_for_method: bool, unread: Token | None = None) -> Specs:
        """Read annotations; all that belongs to the class around goes there.

        ``unread`` is where what follows them cannot be read: perhaps the method that they are for.
        """
        last = owner.fields[-1].name if owner.fields else None
        found = read_specs(tokens, self._text, self._file, self._places, last)
        owner.clauses += found.class_clauses
        self._imports += found.imports
        for member in found.members:
            self._member(member, owner)
        if found.spec.clauses and not is_for_method:
            start = found.spec.start or 0
            if unread is None:
                found.problems.append(
                    Problem(start, "no method follows this contract: move it to one, or remove it", "unsupported")
                )
            else:
                found.problems.append(self._unread(unread))
        for problem in found.problems if not is_for_method else ():
            self.problem(problem)
        return found

    def _unread(self, token: Token) -> Problem:
        shown = shortened(visible(token.text), _LONGEST_SHOWN)
        line = self._places.line(token.start)
        detail = f"the declaration after this contract cannot be read (line {line}, at `{shown}`): {HOW_TO_MEND}"
        return Problem(token.start, detail)

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
            self.problem(Problem(start, "a ghost or model declaration cannot be read: correct it"))
        for one in fields:
            owner.fields.append(model_field(one, with_jml_names(one.modifiers, self._imports), span))

    def method(self, owner: OpenClass, found: Declared, specs: Specs) -> None:
        """Take a method with its specification."""
        words = (*(one.text for one in specs.modifiers), *found.header.modifiers)
        method = java_method(owner, found, specs.spec, with_jml_names(words, self._imports))
        method = replace(method, meaning=self._digest(found.span))
        for problem in specs.problems:
            self.problem(problem, method.signature)
        offset = found.header.offset
        known = self._contracts.get(method.signature)
        if known is not None:
            line = known[1].line
            detail = f"`{method.signature}` is declared more than once: remove one, only that of line {line} is read"
            self.problem(Problem(offset, detail), method.signature)
            return
        owner.methods.append(method)
        contract = contract_of(method, offset, specs.spec, self._file, self._places)
        self._contracts[method.signature] = (offset, contract)

    def _digest(self, span: Span) -> str:
        """A digest of the tokens of a declaration; of its text where many methods stand in one another."""
        text = self._text[span.start : span.end]
        if len(text) <= self._digested_left:
            self._digested_left -= len(text)
            text = "\0".join(token.text for token in tokens_of_java(text))
        return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()

    def problem(self, problem: Problem, function: str | None = None) -> None:
        """Note something that is not checked."""
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
            self.bodies.append((body, found))
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

    def done(self) -> SourceContracts:
        """All that was taken."""
        broken = broken_place(self._java) if self._java.comments or self._java.unclosed is not None else None
        if broken is not None:
            self.problem(broken)
        first = self._not_checked[-1] if broken is not None else None
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
            broken=first,
        )
