"""What a piece of C may do when it is not known whether, or how often, it runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from clausefit.hook.pins.c_types import (
    Node,
)

PURE = frozenset({
    "strlen", "strcmp", "strncmp", "memcmp", "abs", "labs", "printf", "puts", "putchar", "fprintf", "fflush", "perror",
    "fputs", "fputc", "putc", "vprintf", "vfprintf", "print_message", "print_error", "isdigit", "isalpha", "isspace",
    "isupper", "islower", "isalnum", "toupper", "tolower", "fabs", "sqrt", "__builtin_expect", "strchr", "memchr",
    "__builtin_fabs", "__builtin_nan", "__builtin_nanf", "__builtin_inff", "__builtin_inf", "__builtin_huge_val",
    "isnan", "isinf", "cf_flush",
})  # fmt: skip
"""Functions of the C library that change nothing that a contract speaks of."""

FAILING = frozenset({
    "abort", "__builtin_abort", "__builtin_trap", "__assert_fail", "fail", "fail_msg", "TEST_FAIL", "TEST_FAIL_MESSAGE",
    "ck_abort", "ck_abort_msg", "cr_fail", "cr_assert_fail", "FAIL",
})  # fmt: skip
"""Functions that do not come back, and that a passing test does not call."""

EXITING = frozenset({"exit", "_exit", "_Exit", "quick_exit"})
"""Functions that end the program with a status; a passing test ends with 0."""

ENDS = FAILING | EXITING | frozenset({
    "__builtin_unreachable", "longjmp", "siglongjmp", "thrd_exit", "pthread_exit", "skip", "TEST_IGNORE",
    "TEST_IGNORE_MESSAGE", "TEST_PASS", "TEST_PASS_MESSAGE", "TEST_ABORT", "cr_skip", "cr_skip_test", "GTEST_SKIP",
    "err", "errx",
})  # fmt: skip
"""Functions that do not come back."""

OUT_OF_SCOPE = {
    "setjmp": "setjmp", "_setjmp": "setjmp", "__sigsetjmp": "setjmp", "sigsetjmp": "setjmp",
    "pthread_create": "threads", "thrd_create": "threads", "fork": "fork", "vfork": "fork", "signal": "signal handlers",
    "sigaction": "signal handlers", "cf_inline_assembly": "inline assembly",
}  # fmt: skip
"""Functions after which nothing can be followed, and what to call that."""


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it."""
    todo = [node]
    while todo:
        current = todo.pop()
        yield current
        todo += [child for _, child in current.children()][::-1]


def kind(node: Node) -> str:
    """The class name of a node."""
    return type(node).__name__


def call_name(node: Node) -> str | None:
    """The name that a call calls, or None when it is computed."""
    return str(node.name.name) if kind(node.name) == "ID" else None


def is_sizeof(node: Node) -> bool:
    """Whether the operand of the node is not evaluated."""
    return kind(node) == "UnaryOp" and node.op in ("sizeof", "_Alignof")


def calls(node: Node) -> list[Node]:
    """The calls below the node that would be evaluated."""
    found: list[Node] = []
    todo = [node]
    while todo:
        current = todo.pop()
        if is_sizeof(current):
            continue
        if kind(current) == "FuncCall":
            found.append(current)
        todo += [child for _, child in current.children()][::-1]
    return found


def has_impure_call(node: Node) -> bool:
    """Whether evaluating the node calls a function that may change memory."""
    return kind(node) == "Compound" or any(call_name(call) not in PURE for call in calls(node))


def writes(node: Node) -> bool:
    """Whether the node itself assigns something."""
    return any(
        kind(inner) == "Assignment" or (kind(inner) == "UnaryOp" and inner.op in ("++", "--", "p++", "p--"))
        for inner in walk(node)
    )


@dataclass
class Effects:
    """``names``: variables that may be assigned, ``indexed``: arrays (or what a pointer of that name points to);
    ``wild``: anything may be; ``leaves``: it may leave the function; ``ends``: it may end the test."""

    names: set[str] = field(default_factory=set)
    indexed: set[str] = field(default_factory=set)
    wild: bool = False
    leaves: bool = False
    ends: bool = False


def is_failure(status: int) -> bool:
    """Whether a program that ends with the status failed; 77 means "skipped" (Automake manual 15.2, Meson)."""
    return status & 255 not in (0, 77)


def exits_with_failure(call: Node) -> bool:
    """Whether a call ends the program with a constant status other than 0."""
    arguments = call.args.exprs if call.args is not None else []
    return (
        call_name(call) in EXITING
        and len(arguments) == 1
        and kind(arguments[0]) == "Constant"
        and arguments[0].value.isdigit()
        and is_failure(int(arguments[0].value[:9]))
    )


def effects(node: Node, noreturn: frozenset[str] = frozenset()) -> Effects:
    """What the statement or expression may do in a passing test, from its text alone.

    ``noreturn`` are further functions that do not come back (and may end a test that was skipped).
    """
    found = Effects()
    inner_loops: set[int] = set()
    for current in walk(node):
        what = kind(current)
        if what in ("For", "While", "DoWhile"):
            inner_loops.update(id(inner) for inner in walk(current) if kind(inner) in ("Break", "Continue"))
        if what == "Switch":
            inner_loops.update(id(inner) for inner in walk(current) if kind(inner) == "Break")
        if what in ("Return", "Goto", "Label") or (what in ("Break", "Continue") and id(current) not in inner_loops):
            found.leaves = True
        elif what == "Assignment":
            _target(current.lvalue, found)
        elif what == "UnaryOp" and current.op in ("++", "--", "p++", "p--"):
            _target(current.expr, found)
        elif what == "FuncCall":
            name = call_name(current)
            found.wild = found.wild or name not in PURE
            ends = name in ENDS - FAILING and not exits_with_failure(current)
            found.ends = found.ends or ends or name in OUT_OF_SCOPE or name in noreturn - ENDS
    return found


def _target(node: Node, found: Effects) -> None:
    indexed = False
    while (kind(node) == "StructRef" and node.type == ".") or kind(node) == "ArrayRef":
        if kind(node) == "ArrayRef" and kind(node.name) not in ("ID", "ArrayRef"):
            break
        indexed = indexed or kind(node) == "ArrayRef"
        node = node.name
    if kind(node) != "ID":
        found.wild = True
    elif indexed:
        found.indexed.add(node.name)
    else:
        found.names.add(node.name)
