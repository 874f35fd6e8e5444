"""Whether a term is of an integer type, where its value alone does not show it.

``/`` cuts off on integers and is exact on reals, and ``c ? 1 : 2.5`` is a real even where it gives 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from clausefit.hook.expect.definitions import LogicFunction
from clausefit.hook.expect.tree import At, Binary, Call, Conditional, Let, Node, Unary
from clausefit.hook.expect.types import number_type
from clausefit.hook.pins.c_types import IntType


def surely_integer(
    node: Node,
    gives_integer: Callable[[Node], bool],
    definitions: Mapping[str, LogicFunction],
    evaluated: bool = True,
) -> bool:
    """Whether the type of ``node`` is an integer one.

    ``evaluated``: the node was evaluated and gave an integer, which shows the type but for a ``?:`` in it.
    ``gives_integer`` evaluates a node that was not, in a branch that was not taken.
    """

    def sure(part: Node, evaluated: bool = evaluated) -> bool:
        return surely_integer(part, gives_integer, definitions, evaluated)

    match node:
        case Conditional(_, yes, no):
            return sure(yes, False) and sure(no, False)
        case Binary("+" | "-" | "*" | "/", left, right):
            return sure(left) and sure(right)
        case Unary("-", operand) | At(operand, _):
            return sure(operand)
        case Let() | Call("\\sum", _, _):
            return False
        case Call("\\abs" | "\\min" | "\\max", _, arguments):
            return all(sure(argument) for argument in arguments)
        case Call(name, _, _) if not name.startswith("\\"):
            function = definitions.get(name)
            result = (function.result or "") if function is not None else ""
            return result == "integer" or isinstance(number_type(result), IntType)
    return evaluated or gives_integer(node)
