"""The C reader: source text → ``SourceContracts``.

A contract belongs to the function that is declared or defined right after it; ordinary comments and
preprocessor lines may stand between (tried on Frama-C 25). Frama-C refuses a file in which two contracts, or a
contract and another annotation, stand before one function: all their clauses are read, and it is said.
"""

from __future__ import annotations

from collections.abc import Iterable

from clausefit.hook.contracts.acsl import (
    STATEMENT_ONLY,
    Annotation,
    read_annotation,
)
from clausefit.hook.contracts.acsl_tokens import Places, Problem, Token
from clausefit.hook.contracts.c_declarations import Function, Variable, declared, shown
from clausefit.hook.contracts.c_items import Branch, Item, cut, exclusive
from clausefit.hook.contracts.c_merge import merge, merged_variables
from clausefit.hook.contracts.c_tokens import (
    included_file,
    macro_definition,
    tokenize_c,
    tokenize_ghost,
    unclosed_comment,
)
from clausefit.hook.contracts.model import (
    Clause,
    Contract,
    GlobalVariable,
    LogicDefinition,
    NotChecked,
    SourceContracts,
    Span,
)

# A binary file gives thousands of them; a person reads the first few.
_PROBLEM_LIMIT = 200


def decode(data: bytes) -> str:
    """The text of a source file: UTF-8, else Latin-1, which takes any bytes. Line ends stay, a byte order mark goes."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read_c(text: str, file: str) -> SourceContracts:
    """All contracts, logic definitions, file-scope variables, includes and macros of one C file.

    Never raises. What cannot be read is a ``NotChecked`` with its line: ``parse_error`` where the text is broken or
    Frama-C would refuse it, ``unsupported`` where the text may be right but this reader does not follow.
    """
    return _Reader(text, file).run()


class _Reader:
    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file
        self._places = Places(text)
        self._read: dict[int, Annotation] = {}
        self._definitions: list[LogicDefinition] = []
        self._variables: list[GlobalVariable] = []
        self._not_checked: list[NotChecked] = []
        self._functions: dict[str, list[tuple[Contract, Branch]]] = {}

    def run(self) -> SourceContracts:
        tokens = tokenize_c(self._text)
        unclosed = unclosed_comment(self._text)
        if unclosed is not None:
            self._problem(Problem(unclosed, "a comment is not closed"))
        if "\0" in self._text:
            self._problem(Problem(self._text.index("\0"), "the file holds NUL characters: it is not C source"))
        items = cut(tokens, self._is_contract)
        for problem in items.problems:
            self._problem(problem)
        for token in items.hidden:
            detail = "the contract stands in a branch of a conditional that is not followed"
            self._problem(Problem(token.start, detail, "unsupported"))
        for token in items.annotations:
            self._take_annotation(token)
        for item in items.items:
            self._take_item(item)
        contracts, bare = self._merged()
        includes, macros = _directives(tokens)
        self._not_checked.sort(key=lambda one: one.line or 0)
        self._cut_not_checked()
        return SourceContracts(
            file=self._file,
            contracts=contracts,
            definitions=tuple(self._definitions),
            variables=merged_variables(self._variables),
            includes=includes,
            not_checked=tuple(self._not_checked),
            macro_uses=macros,
            bare=bare,
        )

    def _problem(self, problem: Problem, function: str | None = None) -> None:
        line = self._places.line(problem.offset)
        self._not_checked.append(NotChecked(self._file, function, problem.reason, problem.detail, line))

    def _cut_not_checked(self) -> None:
        """Keep the list readable for a file that is no C at all; what is left out is counted."""
        more = len(self._not_checked) - _PROBLEM_LIMIT
        if more > 0:
            del self._not_checked[_PROBLEM_LIMIT:]
            last = self._not_checked[-1].line
            detail = f"{more} more places of this file cannot be read"
            self._not_checked.append(NotChecked(self._file, None, "parse_error", detail, last))

    # -- annotations

    def _annotation(self, token: Token) -> Annotation:
        found = self._read.get(token.start)
        if found is None:
            found = read_annotation(self._text, token.start, token.end, self._file, self._places)
            self._read[token.start] = found
        return found

    def _is_contract(self, token: Token) -> bool:
        return self._annotation(token).kind == "contract"

    def _take_annotation(self, token: Token) -> None:
        """What an annotation at file scope says by itself: logic definitions and ghost variables."""
        found = self._annotation(token)
        self._definitions += found.definitions
        if found.kind == "ghost":
            self._ghost(token)
        elif found.kind == "logic":
            for problem in found.problems:
                self._problem(problem)

    def _ghost(self, token: Token) -> None:
        end = token.end - 2 if token.text.startswith("/*") and token.text.endswith("*/") else token.end
        tokens = tokenize_ghost(self._text, token.start + 3, end)
        for item in cut(tokens[1:], lambda _: False).items:
            for one in declared(item.head, is_body=False) or () if item.ends_with == ";" else ():
                if isinstance(one, Variable):
                    self._variable(one, is_ghost=True)

    # -- items

    def _take_item(self, item: Item) -> None:
        before = [(token, self._annotation(token)) for token in item.before]
        contracts = [pair for pair in before if pair[1].kind in ("contract", "unknown")]
        found = declared(item.head, item.ends_with == "{") if item.head and item.ends_with else None
        for one in found or ():
            if isinstance(one, Variable):
                self._variable(one, is_ghost=False)
        functions = [one for one in found or () if isinstance(one, Function)]
        name = functions[0].name if functions else None
        for _, annotation in contracts:
            for problem in annotation.problems:
                self._problem(problem, name)
        contracts = [pair for pair in contracts if pair[1].clauses or pair[1].behaviors]
        if contracts and not functions:
            self._dangling(contracts[0][0], item, found is None)
        elif contracts:
            self._check_neighbours(before, contracts, name)
        for function in functions:
            self._function(function, contracts, item)

    def _dangling(self, token: Token, item: Item, unreadable: bool) -> None:
        if not item.head:
            detail = "no function follows this contract"
        elif unreadable:
            detail = f"the declaration after this contract cannot be read: `{shown(item.head)}`"
        else:
            detail = f"what follows this contract declares no function by its parameters: `{shown(item.head)}`"
        reason = "parse_error" if unreadable else "unsupported"
        self._problem(Problem(token.start, detail, reason))

    def _check_neighbours(
        self, before: list[tuple[Token, Annotation]], contracts: list[tuple[Token, Annotation]], name: str | None
    ) -> None:
        for token, _ in contracts[1:]:
            self._problem(Problem(token.start, "a second contract before one function: Frama-C refuses the file"), name)
        first = before.index(contracts[0])
        for token, annotation in before[first:]:
            if annotation.kind in ("ghost", "logic", "code"):
                detail = "an annotation between a contract and its function: Frama-C refuses the file"
                self._problem(Problem(token.start, detail), name)
        for clause in (clause for _, annotation in contracts for clause in annotation.clauses):
            if clause.kind in STATEMENT_ONLY:
                detail = f"`{clause.kind}` belongs to statements: Frama-C refuses the file"
                self._problem(Problem(clause.span.start, detail), name)

    def _function(self, function: Function, contracts: list[tuple[Token, Annotation]], item: Item) -> None:
        clauses: list[Clause] = [clause for _, annotation in contracts for clause in annotation.clauses]
        behaviors = dict.fromkeys(name for _, annotation in contracts for name in annotation.behaviors)
        span: Span | None = None
        if contracts:
            span = self._places.span(contracts[0][0].start, contracts[-1][0].end)
        contract = Contract(
            language="c",
            file=self._file,
            function=function.name,
            line=self._places.line(function.offset),
            return_type=function.return_type,
            parameters=function.parameters,
            clauses=tuple(clauses),
            behaviors=tuple(behaviors),
            is_definition=item.ends_with == "{",
            is_static=function.is_static,
            is_variadic=function.is_variadic,
            span=span,
        )
        self._functions.setdefault(function.name, []).append((contract, item.branch))

    def _variable(self, variable: Variable, is_ghost: bool) -> None:
        self._variables.append(
            GlobalVariable(
                name=variable.name,
                file=self._file,
                line=self._places.line(variable.offset),
                is_array=variable.is_array,
                is_const=variable.is_const,
                is_static=variable.is_static,
                is_ghost=is_ghost,
                is_extern=variable.is_extern,
                is_volatile=variable.is_volatile,
                may_point=variable.may_point,
            )
        )

    # -- one contract a function

    def _merged(self) -> tuple[tuple[Contract, ...], tuple[Contract, ...]]:
        """The contracts, and the functions without one, each function once, in source order."""
        contracts: list[Contract] = []
        bare: list[Contract] = []
        for places in self._functions.values():
            merged = merge(self._compatible(places))
            self._not_checked += merged.not_checked
            one = merged.contract
            (contracts if one.clauses or one.behaviors else bare).append(one)
        return tuple(contracts), tuple(bare)

    def _compatible(self, places: list[tuple[Contract, Branch]]) -> list[Contract]:
        """The declarations that one compiler can see together; those with clauses go before those without."""
        kept: list[Contract] = []
        followed: dict[int, int] = {}
        defined = False
        for contract, branch in sorted(places, key=lambda place: not place[0].clauses):
            other_branch = exclusive(branch, followed)
            if not other_branch and not (defined and contract.is_definition):
                kept.append(contract)
                followed.update(branch)
                defined = defined or contract.is_definition
            elif contract.clauses:
                where = "in another branch of a conditional" if other_branch else "more than once"
                detail = f"`{contract.function}` is declared {where}; only its first contract is read"
                offset = contract.clauses[0].span.start
                reason = "unsupported" if other_branch else "parse_error"
                self._problem(Problem(offset, detail, reason), contract.function)
        order = {id(contract): position for position, (contract, _) in enumerate(places)}
        return sorted(kept, key=lambda contract: order[id(contract)])


def _directives(tokens: Iterable[Token]) -> tuple[tuple[str, ...], dict[str, frozenset[str]]]:
    """The ``#include`` targets in order, and what each macro uses (all its definitions together)."""
    includes: list[str] = []
    macros: dict[str, frozenset[str]] = {}
    for token in tokens:
        if token.kind != "directive":
            continue
        target = included_file(token.text)
        if target is not None:
            includes.append(target)
            continue
        macro = macro_definition(token.text)
        if macro is not None:
            macros[macro[0]] = macros.get(macro[0], frozenset()) | macro[1]
    return tuple(dict.fromkeys(includes)), macros
