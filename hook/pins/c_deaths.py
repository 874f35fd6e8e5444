"""Where a test expects a death: whether nothing but the call under test can have died there.

In ``EXPECT_DEATH(assert(f(2) == 3), "")`` the call comes back and the assertion fails; in a test that must end by a
signal ``abort()`` or a null pointer of the test itself may give it. Both say nothing about the function.
"""

from __future__ import annotations

from collections.abc import Sequence

from clausefit.hook.pins.c_effects import call_name, is_sizeof, kind, walk
from clausefit.hook.pins.c_program import Program
from clausefit.hook.pins.c_types import Node


def plain_deaths(program: Program) -> frozenset[int]:
    """The ``id`` of every ``cf_death_begin()`` call after which only one call of a function under test can die."""
    found: set[int] = set()
    for name in program.own:
        for node in walk(program.bodies[name].body):
            items = (node.block_items or []) if kind(node) == "Compound" else []
            begins = len(items) > 2 and kind(items[0]) == "FuncCall" and call_name(items[0]) == "cf_death_begin"
            if begins and only_call_dies(program, items[1:-1]):
                found.add(id(items[0]))
    return frozenset(found)


def only_call_dies(program: Program, statements: Sequence[Node]) -> bool:
    """Whether the statements call one function, which is under test, and cannot fail outside of that call.

    Its arguments may do anything: they are known in a pin, so that evaluating them went well.
    """
    found: list[str | None] = []
    todo = list(statements)
    while todo:
        node = todo.pop()
        if kind(node) == "FuncCall":
            found.append(call_name(node))
        elif _may_fail(node):
            return False
        elif not is_sizeof(node):
            todo += [child for _, child in node.children()]
    return len(found) == 1 and found[0] is not None and program.is_tested(found[0])


def _may_fail(node: Node) -> bool:
    what = kind(node)
    if what in ("ArrayRef", "While", "DoWhile", "For", "Goto"):
        return True
    if what == "StructRef":
        return bool(node.type == "->")
    if what == "UnaryOp":
        return bool(node.op == "*")
    return what in ("BinaryOp", "Assignment") and node.op in ("/", "%", "/=", "%=")
