"""Arguments of calls: their translation, the choice of the method, and the array of a variable arity call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from clausefit.hook.pins.java.classes import ClassInfo, MethodInfo
from clausefit.hook.pins.java.code import Compiler, Expr, UnsupportedError
from clausefit.hook.pins.java.jdk import is_throwable
from clausefit.hook.pins.java.members import named
from clausefit.hook.pins.java.overloads import Chosen, choose, never_fits, possible
from clausefit.hook.pins.java.scope import Scope
from clausefit.hook.pins.java.values import Stop, Value
from tree_sitter import Node


class Selected(NamedTuple):
    """The method that is called, and its arguments, one for each parameter."""

    method: MethodInfo
    values: list[Value]


Select = Callable[[list[Value]], Selected | None]


class Selector(NamedTuple):
    """How a method is found when the arguments are there. ``static``: it is known before; ``type``: of the result."""

    select: Select
    static: MethodInfo | None


def arguments_of(c: Compiler, node: Node, scope: Scope) -> list[Expr]:
    """The translated arguments of a call, creation, or constructor call."""
    found = node.child_by_field_name("arguments")
    if found is None:
        found = next((child for child in node.children if child.type == "argument_list"), None)
    if found is None:
        return []
    if found.has_error:
        raise UnsupportedError("the text is broken")
    return [c.expression(one, scope) for one in named(found)]


def selector(c: Compiler, candidates: Sequence[MethodInfo], arguments: Sequence[Expr]) -> Selector:
    """Choose among ``candidates``: now by static types if they tell, else by the values that come."""
    chosen = choose(c.world, candidates, arguments)
    if chosen is not None:
        fixed = chosen
        return Selector(lambda values: arranged(c, fixed, values), chosen.method)
    known = list(candidates)

    def select(values: list[Value]) -> Selected | None:
        found = possible(c.current, known, values)
        return arranged(c, found, values) if found is not None else None

    return Selector(select, None)


def selected(chosen: Selector, values: list[Value]) -> Selected:
    """The constructor that is called; Stop where it is not known which one that is."""
    found = chosen.select(values)
    if found is None:
        raise Stop("it is not known which constructor is called")
    return found


def arranged(c: Compiler, chosen: Chosen, values: list[Value]) -> Selected:
    """The arguments of a call of the chosen method, one for each of its parameters."""
    if not chosen.is_variable:
        return Selected(chosen.method, values)
    fixed = len(chosen.method.parameters) - 1
    element = chosen.method.parameters[fixed].type.erased[:-2]
    rest = [c.current.convert(one, element) for one in values[fixed:]]
    return Selected(chosen.method, [*values[:fixed], c.current.new_array(element, rest)])


def converted(c: Compiler, method: MethodInfo, values: Sequence[Value]) -> list[Value]:
    """The values as those of the parameters."""
    return [c.current.convert(v, p.type.erased) for v, p in zip(values, method.parameters, strict=True)]


# What Object, Enum and Throwable have with one parameter: a method of the project may only overload it.
_OF_THROWABLE = {
    "initCause": "java.lang.Throwable",
    "addSuppressed": "java.lang.Throwable",
    "printStackTrace": "java.io.PrintStream",
    "setStackTrace": "java.lang.StackTraceElement[]",
}


def inherited_parameter(info: ClassInfo, name: str, count: int) -> str:
    """The parameter type of the method of that name that a class has from Object, Enum or Throwable; else empty."""
    if count != 1:
        return ""
    if name == "equals":
        return "java.lang.Object"
    above = info.library_superclass()
    if name == "compareTo" and above == "java.lang.Enum":
        return above
    return _OF_THROWABLE.get(name, "") if is_throwable(above) else ""


def own_candidates(
    c: Compiler, info: ClassInfo, candidates: Sequence[MethodInfo], name: str, arguments: Sequence[Expr]
) -> list[MethodInfo] | None:
    """The candidates of a call that may be meant; empty if it is a method of a JDK class that all objects have.

    None where that is not known.
    """
    inherited = inherited_parameter(info, name, len(arguments))
    found = list(candidates)
    if not inherited or any(one.parameters[0].type.erased == inherited for one in found if one.parameters):
        return found
    found = [one for one in found if not never_fits(c.world, one, arguments)]
    return found if not found or choose(c.world, found, arguments, is_open=True) is not None else None


def is_certain(info: ClassInfo, chosen: MethodInfo | None, arguments: Sequence[Expr]) -> bool:
    """Whether no overload that a library superclass may have could be meant instead."""
    if not info.has_unknown_members:
        return True
    return (
        chosen is not None
        and len(arguments) == len(chosen.parameters)
        and all(one.type == parameter.type.erased for one, parameter in zip(arguments, chosen.parameters, strict=True))
    )
