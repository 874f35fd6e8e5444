"""Runs the statements and declarations of a test, in the order in which C runs them.

What is not certain to run is not run: whatever it may change is forgotten (``Evaluator.maybe``), and where it may
leave the function, the rest of that function is not read (``StopError``).
"""

from __future__ import annotations

from dataclasses import replace

from clausefit.hook.pins.c_declarations import Scope, TypeName
from clausefit.hook.pins.c_effects import EXITING, FAILING, call_name, is_failure, kind, walk
from clausefit.hook.pins.c_evaluate import Evaluator
from clausefit.hook.pins.c_initial import MOST_LEAVES
from clausefit.hook.pins.c_terms import FunctionName, StopError, Term, Variable
from clausefit.hook.pins.c_types import (
    VOID,
    ArrayType,
    CType,
    FunctionType,
    Node,
    VoidType,
)
from clausefit.hook.pins.values import Integer

_MOST_ROUNDS = 1024
_UNKNOWN_LABEL = "labels and goto cannot be followed"


class Runner:
    """Runs one function body at a time; ``statics`` are the function-local static variables met so far.

    ``functions`` are those that the project has by itself, whatever their names make one expect.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self._ev = evaluator
        self.statics: dict[int, Variable] = {}
        self.fresh_statics = False
        self.runs_once = False
        self.exposed: frozenset[str] = frozenset()
        self._level = 0
        self.in_main = False
        self.functions: frozenset[str] = frozenset()
        self._returned: Term | None = None
        self._result: CType = VOID
        self._handlers = {
            "Compound": self._compound,
            "Decl": self._declaration,
            "DeclList": self._declarations,
            "Typedef": self._typedef,
            "If": self._if,
            "For": self._for,
            "While": self._while,
            "DoWhile": self._do_while,
            "Switch": self._switch,
            "Return": self._return,
        }

    # -- functions ------------------------------------------------------------------------------------

    def run_body(self, body: Node, ctype: FunctionType, terms: list[Term], main: bool = False) -> Term:
        """Run a function; its result. StopError where it cannot be followed."""
        types = self._ev.types
        scopes, outer = types.scopes, (self._returned, self._result, self.in_main)
        types.scopes = [scopes[0], Scope()]
        self._returned, self._result, self.in_main = None, ctype.result, main
        self._level += 1
        try:
            for (name, parameter), term in zip(ctype.parameters, terms, strict=True):
                if name:
                    self._bind(name, parameter, term)
            self.run(body.body)
            returned: Term | None = self._returned
            return returned if returned is not None else self._ev.unknown(ctype.result)
        finally:
            types.scopes = scopes
            self._level -= 1
            self._returned, self._result, self.in_main = outer

    def _bind(self, name: str, ctype: CType, term: Term) -> None:
        block = None
        if self._ev.types.problem(ctype) is None:
            block = self._ev.memory.new(name, ctype, self._ev.converted(term, ctype).value)
        else:
            self._ev.memory.leak(term.value)
        self._ev.types.scopes[-1].names[name] = Variable(block, ctype)

    # -- statements -----------------------------------------------------------------------------------

    def run(self, node: Node) -> str | None:
        """Run a statement; what it ends with: None, ``break``, ``continue`` or ``return``."""
        what = kind(node)
        handler = self._handlers.get(what)
        if handler is not None:
            return handler(node)
        if what in ("Break", "Continue"):
            return what.lower()
        if what in ("EmptyStatement", "Pragma", "StaticAssert"):
            return None
        if what in ("Goto", "Label", "Case", "Default"):
            raise StopError(_UNKNOWN_LABEL, local=True)
        self._expression(node)
        return None

    def _expression(self, node: Node) -> None:
        inner = node
        while kind(inner) == "BinaryOp" and inner.op == "<<":  # GoogleTest: EXPECT_EQ(a, b) << "message"
            inner = inner.left
        self._ev.eval(inner if kind(inner) == "FuncCall" else node)

    def _compound(self, node: Node) -> str | None:
        self._ev.types.scopes.append(Scope())
        try:
            return self._sequence(node.block_items or [])
        finally:
            self._ev.types.scopes.pop()

    def _sequence(self, items: list[Node]) -> str | None:
        for index, item in enumerate(items):
            try:
                ending = self.run(item)
            except StopError:
                for rest in items[index + 1 :]:
                    self._ev.skipped(rest)
                raise
            if ending is not None:
                return ending
        return None

    def _if(self, node: Node) -> str | None:
        if self._fails(node.iftrue):
            self._ev.assume(node.cond, False)
            return self.run(node.iffalse) if node.iffalse is not None else None
        if node.iffalse is not None and self._fails(node.iffalse):
            self._ev.assume(node.cond, True)
            return self.run(node.iftrue)
        truth = self._ev.truth(node.cond)
        if truth is None:
            for branch in (node.iftrue, node.iffalse):
                if branch is not None:
                    self._ev.maybe(branch)
            return None
        chosen, other = (node.iftrue, node.iffalse) if truth else (node.iffalse, node.iftrue)
        if other is not None:
            self._ev.skipped(other)
        return self.run(chosen) if chosen is not None else None

    def _fails(self, node: Node) -> bool:
        """Whether a branch can only be taken in a test that fails: it ends in abort(), exit(1), main's return 1."""
        items = (node.block_items or []) if kind(node) == "Compound" else [node]
        if not items or any(
            kind(inner) in ("Return", "Goto", "Break", "Continue", "If", "For", "While", "DoWhile", "Switch", "Label")
            for item in items[:-1]
            for inner in walk(item)
        ):
            return False
        last = items[-1]
        if kind(last) == "Compound":
            return len(items) == 1 and self._fails(last)
        if kind(last) == "Return":
            return self.in_main and last.expr is not None and self._is_failure(last.expr)
        if kind(last) != "FuncCall" or call_name(last) in self.functions:
            return False
        if call_name(last) in EXITING and last.args is not None:
            return self._is_failure(last.args.exprs[0])
        return call_name(last) in FAILING

    def _is_failure(self, node: Node) -> bool:
        status = self._ev.constant(node)
        return status is not None and is_failure(status)

    def _for(self, node: Node) -> str | None:
        self._ev.types.scopes.append(Scope())
        try:
            if node.init is not None:
                self.run(node.init)
            return self._loop(node, node.cond, node.next)
        finally:
            self._ev.types.scopes.pop()

    def _while(self, node: Node) -> str | None:
        return self._loop(node, node.cond, None)

    def _do_while(self, node: Node) -> str | None:
        return self._loop(node, node.cond, None, first=True)

    def _loop(self, node: Node, cond: Node | None, following: Node | None, first: bool = False) -> str | None:
        for _ in range(_MOST_ROUNDS):
            if not first and cond is not None:
                truth = self._ev.truth(cond)
                if truth is None:
                    break
                if not truth:
                    return None
            first = False
            ending = self.run(node.stmt)
            if ending == "break":
                return None
            if ending == "return":
                return ending
            if following is not None:
                self._ev.eval(following)
        self._ev.maybe(node)
        return None

    def _switch(self, node: Node) -> str | None:
        value = self._ev.eval(node.cond).value
        items = (node.stmt.block_items or []) if kind(node.stmt) == "Compound" else []
        labels = [item for item in items if kind(item) in ("Case", "Default")]
        nested = sum(kind(inner) in ("Case", "Default") for inner in walk(node.stmt)) != len(labels)
        start = self._case(labels, value.value) if isinstance(value, Integer) and not nested else None
        if start is None:
            self._ev.maybe(node)
            return None
        self._ev.types.scopes.append(Scope())
        try:
            for label in labels[:start]:
                self._ev.skipped(label)
            for label in labels[start:]:
                ending = self._sequence(label.stmts or [])
                if ending is not None:
                    return None if ending == "break" else ending
            return None
        finally:
            self._ev.types.scopes.pop()

    def _case(self, labels: list[Node], value: int) -> int | None:
        default: int | None = len(labels)
        for index, label in enumerate(labels):
            if kind(label) == "Default":
                default = index
            else:
                constant = self._ev.constant(label.expr)
                if constant is None:
                    return None
                if constant == value:
                    return index
        return default

    def _return(self, node: Node) -> str | None:
        if node.expr is not None:
            term = self._ev.eval(node.expr)
            if not isinstance(self._result, VoidType):
                self._returned = self._ev.converted(term, self._result)
        return "return"

    # -- declarations ---------------------------------------------------------------------------------

    def _declarations(self, node: Node) -> str | None:
        for decl in node.decls:
            self.run(decl)
        return None

    def _typedef(self, node: Node) -> str | None:
        ctype = self._ev.types.named_by_typedef(node.name, self._ev.types.resolve(node.type))
        self._ev.types.scopes[-1].names[node.name] = TypeName(ctype)
        return None

    def _declaration(self, node: Node) -> str | None:
        types = self._ev.types
        ctype = types.resolve(node.type)
        if node.name is None:
            return None
        names = types.scopes[-1].names
        if isinstance(ctype, FunctionType):
            names[node.name] = FunctionName(node.name, ctype)
        elif "extern" in node.storage:
            known = types.scopes[0].names.get(node.name)
            names[node.name] = known if isinstance(known, Variable) else Variable(None, ctype)
        elif "static" in node.storage:
            if id(node) not in self.statics:
                self.statics[id(node)] = self._static(node, ctype)
            names[node.name] = self.statics[id(node)]
        else:
            self._local(node, ctype)
        return None

    def _static(self, node: Node, ctype: CType) -> Variable:
        exposed = node.name in self.exposed
        variable = self.object(node, ctype, static=True, exposed=exposed)
        first = not self.fresh_statics or (self.runs_once and self._level == 1)
        if variable.block is not None and (exposed or not first):
            self._ev.memory.forget([variable.block])  # an earlier test or a callback may have changed it
        return variable

    def _local(self, node: Node, ctype: CType) -> None:
        self._ev.types.scopes[-1].names[node.name] = self.object(node, ctype, static=False)

    def object(
        self, node: Node, ctype: CType, *, static: bool, program: str | None = None, exposed: bool = False
    ) -> Variable:
        """Make the object of a variable's declaration, with its initialiser."""
        ev = self._ev
        names = ev.types.scopes[-1].names
        open_array = isinstance(ctype, ArrayType) and ctype.length is None and node.init is not None
        if not open_array and (ev.types.problem(ctype) is not None or ev.types.count(ctype) > MOST_LEAVES):
            names[node.name] = Variable(None, ctype)
            if node.init is not None:
                ev.maybe(node.init)
            return Variable(None, ctype)
        if open_array:
            ctype, value = ev.initializers.initial(ctype, node.init)
            if value is None:
                return Variable(None, ctype)
            return Variable(ev.memory.new(node.name, ctype, value, program=program, exposed=exposed), ctype)
        start = ev.initializers.zero(ctype) if static and node.init is None else ev.knowledge.fresh(ctype)
        block = ev.memory.new(node.name, ctype, start, program=program, exposed=exposed)
        names[node.name] = Variable(block, ctype)  # an initialiser may name the variable itself
        if node.init is not None:
            _, value = ev.initializers.initial(ctype, node.init)
            cell = ev.memory.cells[block]
            ev.memory.cells[block] = replace(cell, value=ev.knowledge.fresh(ctype) if value is None else value)
        return Variable(block, ctype)
