"""Where a test expects a death: whether nothing but the call under test can have died there.

In ``EXPECT_DEATH(assert(f(2) == 3), "")`` the call comes back and the assertion fails; in a test that must end by a
signal ``abort()`` or a null pointer of the test itself may give it. Both say nothing about the function.
"""

from __future__ import annotations

from collections.abc import Sequence

from clausefit.hook.pins.c_effects import call_name, calls, kind, walk
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
    made = [call for statement in statements for call in calls(statement)]
    outer = [call for call in made if not any(call is inner for one in made if one is not call for inner in calls(one))]
    name = call_name(outer[0]) if len(outer) == 1 else None
    if name is None or not program.is_tested(name):
        return False
    inside = {id(inner) for inner in walk(outer[0])}
    return not any(_may_fail(node) for one in statements for node in walk(one) if id(node) not in inside)


def _may_fail(node: Node) -> bool:
    what = kind(node)
    if what in ("ArrayRef", "While", "DoWhile", "For", "Goto"):
        return True
    if what == "StructRef":
        return bool(node.type == "->")
    if what == "UnaryOp":
        return bool(node.op == "*")
    return what in ("BinaryOp", "Assignment") and node.op in ("/", "%", "/=", "%=")
