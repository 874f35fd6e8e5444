"""Which static variables of a test file no code can change, so that every test finds them as initialised."""

from __future__ import annotations

from clausefit.hook.pins.c_assertions import HEADERS, rule_for
from clausefit.hook.pins.c_declarations import Types
from clausefit.hook.pins.c_effects import PURE, call_name, is_sizeof, kind
from clausefit.hook.pins.c_memory import is_const
from clausefit.hook.pins.c_program import Program
from clausefit.hook.pins.c_terms import FunctionName, Variable
from clausefit.hook.pins.c_types import (
    ArrayType,
    CType,
    Node,
    PointerType,
    StructType,
)

_FRAMEWORKS = frozenset(HEADERS.values())


def unchanged_statics(program: Program, types: Types) -> tuple[frozenset[str], frozenset[str]]:
    """The file-scope static variables that are only read, or passed where a pointer to const is expected; and those
    whose address is taken somewhere, so that it may be kept anywhere."""
    candidates: dict[str, CType] = {}
    for node in program.unit.tree.ext:
        if kind(node) == "Decl" and node.name is not None and "static" in node.storage:
            meaning = types.scopes[0].names.get(node.name)
            if isinstance(meaning, Variable) and program.unit.place(node)[0] == program.test_file:
                candidates[node.name] = meaning.ctype
    scan = _Scan(candidates, types)
    for node in program.unit.tree.ext:
        if kind(node) in ("Decl", "FuncDef"):
            scan.visit(node, value=True)
    unread = program.unit.dropped & set(candidates)  # code that could not be parsed may do anything with them
    return frozenset(set(candidates) - scan.changed - unread), frozenset(scan.taken | unread)


class _Scan:
    """Looks at every use of some variables; a local variable of the same name counts as the same (which is safe)."""

    def __init__(self, variables: dict[str, CType], types: Types) -> None:
        self._variables = variables
        self._types = types
        self.changed: set[str] = set()
        self.taken: set[str] = set()

    def visit(self, root: Node, value: bool) -> None:
        """Note the variables that the tree may change; ``value``: an array in it would turn into a pointer."""
        todo = [(root, value)]
        while todo:
            node, decays = todo.pop()
            what = kind(node)
            if is_sizeof(node):
                continue
            if what in ("ID", "ArrayRef", "StructRef"):
                todo += self._chain(node, decays)
            elif what == "FuncCall":
                todo += self._call(node)
            elif what == "Assignment":
                self._change(node.lvalue)
                todo += [(node.lvalue, True), (node.rvalue, True)]
            elif what == "UnaryOp" and node.op in ("&", "++", "--", "p++", "p--"):
                root = self._change(node.expr)
                if node.op == "&" and root is not None:
                    self.taken.add(root)
                todo.append((node.expr, False))
            else:
                todo += [(child, True) for _, child in node.children()]

    def _chain(self, node: Node, decays: bool) -> list[tuple[Node, bool]]:
        """An lvalue: the subscripts in it still have to be looked at."""
        root, more = self._root(node)
        if root is None:
            return more
        ctype = self._type(node)
        if decays and (ctype is None or isinstance(ctype, ArrayType)):
            self.changed.add(root)
            self.taken.add(root)
        return more

    def _root(self, node: Node) -> tuple[str | None, list[tuple[Node, bool]]]:
        more: list[tuple[Node, bool]] = []
        while kind(node) in ("ArrayRef", "StructRef"):
            if kind(node) == "ArrayRef":
                more.append((node.subscript, True))
            elif node.type == "->":
                return None, [*more, (node.name, True)]
            if kind(node) == "ArrayRef" and not isinstance(self._type(node.name), ArrayType):
                return None, [*more, (node.name, True)]
            node = node.name
        if kind(node) != "ID":
            return None, [*more, (node, True)]
        return (node.name if node.name in self._variables else None), more

    def _type(self, node: Node) -> CType | None:
        if kind(node) == "ID":
            return self._variables.get(node.name)
        base = self._type(node.name) if kind(node) in ("ArrayRef", "StructRef") else None
        if kind(node) == "ArrayRef":
            if isinstance(base, ArrayType):
                return base.element
            return base.target if isinstance(base, PointerType) else None
        if kind(node) == "StructRef" and node.type == "." and isinstance(base, StructType):
            return dict(self._types.fields(base) or ()).get(node.field.name)
        return None

    def _change(self, node: Node) -> str | None:
        """Note the variable that an lvalue is (a part of), and return it."""
        while kind(node) in ("ArrayRef", "StructRef"):
            node = node.name
        if kind(node) != "ID" or node.name not in self._variables:
            return None
        self.changed.add(node.name)
        return str(node.name)

    def _call(self, node: Node) -> list[tuple[Node, bool]]:
        name = call_name(node)
        meaning = self._types.scopes[0].names.get(name) if name is not None else None
        parameters = meaning.ctype.parameters if isinstance(meaning, FunctionName) else ()
        harmless = name in PURE or (meaning is None and name is not None and rule_for(name, _FRAMEWORKS) is not None)
        todo: list[tuple[Node, bool]] = [] if name is not None else [(node.name, True)]
        for index, argument in enumerate(node.args.exprs if node.args is not None else []):
            ctype = parameters[index][1] if index < len(parameters) else None
            target = ctype.target if isinstance(ctype, PointerType) else None
            const = target is not None and is_const(target) and not isinstance(target, StructType)
            if (const or harmless) and kind(argument) == "UnaryOp" and argument.op == "&":
                todo.append((argument.expr, False))
            else:
                todo.append((argument, not (const or harmless)))
        return todo
