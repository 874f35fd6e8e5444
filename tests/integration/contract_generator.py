"""Generated contracts as data, and the C project that is written from them.

An item is one C function with a contract of which one clause is judged, calls with inputs, a Python model that
says what each call returns and leaves behind, and for every clause a Python predicate that says whether it holds.
Nothing here looks at the product; the predicates are written by hand beside the ACSL text (``contract_families``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

Label = Literal["right", "weak", "strong"]
Shape = Literal["value", "array", "cell", "struct", "string", "struct value", "global"]
Memory: TypeAlias = dict[str, Any]
Cell: TypeAlias = tuple[str, tuple[int | str, ...]]

FIELDS = (("x", "int"), ("y", "int"), ("tag", "short"))
SHAPES_H = """#ifndef SHAPES_H
#define SHAPES_H
struct pt { int x; int y; short tag; };
/*@ logic integer total{L}(int *a, integer n) = n <= 0 ? 0 : total(a, n - 1) + a[n - 1];
  @ logic integer occurrences{L}(int *a, integer n, integer v) =
  @   n <= 0 ? 0 : occurrences(a, n - 1, v) + (a[n - 1] == v ? 1 : 0);
  @ predicate ascending{L}(int *a, integer n) = \\forall integer i; 0 <= i < n - 1 ==> a[i] <= a[i + 1];
  @*/
#endif
"""
_SUFFIX = {"unsigned int": "U", "long": "L", "unsigned long": "UL", "long long": "LL", "float": "f"}
_LOWEST = {-(1 << 31): "(-2147483647 - 1)", -(1 << 63): "(-9223372036854775807L - 1)"}


@dataclass(frozen=True)
class Call:
    """What a clause may speak of: memory and arguments before, memory after, and the result.

    A pointer's name stands for what it points to: a number, a list or a dict of fields.
    """

    pre: Memory
    post: Memory
    result: Any


Predicate: TypeAlias = Callable[[Call], bool]
Cells: TypeAlias = Callable[[Call], set[Cell]]


@dataclass(frozen=True)
class Clause:
    """A clause with its meaning: ``holds`` for predicates (over a Call), ``cells`` for what ``assigns`` allows."""

    kind: str
    text: str
    holds: Predicate = lambda _call: True
    cells: Cells = lambda _call: set()
    behavior: str | None = None


@dataclass(frozen=True)
class Variant:
    """The judged clause. ``blame`` is the kind of clause that too weak is put down to (None: the contract).

    ``extra`` are clauses that only this variant has: what its behavior assumes. ``truth``: the clause reads the result
    as a truth value, so that every number but 0 is as right as 1.
    """

    label: Label
    clause: Clause
    blame: str | None = "ensures"
    extra: tuple[Clause, ...] = ()
    truth: bool = False


@dataclass(frozen=True)
class Param:
    """A parameter (or a global variable): its name, its type or the type of what it points to, and its shape."""

    name: str
    type: str
    shape: Shape = "value"
    const: bool = False

    @property
    def declaration(self) -> str:
        """As it stands in a prototype."""
        const = "const " if self.const else ""
        star = "*" if self.shape in ("array", "cell", "struct", "string") else ""
        return f"{const}{self.type} {star}{self.name}"


Model: TypeAlias = Callable[..., "tuple[Any, Memory]"]


@dataclass(frozen=True)
class Family:
    """A function with several clauses to choose from. ``model`` takes the inputs by name: (result, changed memory)."""

    kind: str
    returns: str
    params: tuple[Param, ...]
    body: str
    model: Model
    inputs: tuple[Memory, ...]
    base: tuple[Clause, ...]
    variants: tuple[Variant, ...]


@dataclass(frozen=True)
class Item:
    """A generated function with its contract; ``family`` has what it does."""

    name: str
    family: Family
    variant: Variant
    clauses: tuple[Clause, ...] = field(default=())

    @property
    def title(self) -> str:
        """For people: what is judged."""
        return f"{self.name} ({self.family.kind}, {self.variant.label}): {self.variant.clause.text}"

    def renamed(self, text: str) -> str:
        """Text of the family in this item: ``G`` globals get the function's own name."""
        return text.replace("level", f"level_{self.name}")

    def calls(self) -> list[Call]:
        """The tested calls with their right outcomes."""
        made = []
        for inputs in self.family.inputs:
            result, changed = self.family.model(**inputs)
            made.append(Call(inputs, {**inputs, **changed}, result))
        return made


def item(name: str, family: Family, variant: Variant) -> Item:
    """The item that judges ``variant``: the family's other clauses come first."""
    return Item(name, family, variant, (*family.base, *variant.extra, variant.clause))


# ---- C text ---------------------------------------------------------------------------------------------------------


def literal(value: Any, type_name: str) -> str:
    """A C literal; numbers with a fraction are written exactly."""
    if isinstance(value, float):
        return repr(value) + _SUFFIX.get(type_name, "")
    return _LOWEST.get(value) or f"{value}{_SUFFIX.get(type_name, '')}"


def contract_text(one: Item) -> str:
    """The contract as an ACSL comment, the clauses of each behavior together."""
    order = {"requires": 0, "assumes": 1, "assigns": 2, "ensures": 3, "complete": 4, "disjoint": 4}
    plain = [c for c in one.clauses if c.behavior is None and order[c.kind] < 4]
    lines = [f"  @ {c.kind} {one.renamed(c.text)};" for c in sorted(plain, key=lambda c: order[c.kind])]
    for behavior in dict.fromkeys(c.behavior for c in one.clauses if c.behavior):
        lines.append(f"  @ behavior {behavior}:")
        mine = sorted((c for c in one.clauses if c.behavior == behavior), key=lambda c: order[c.kind])
        lines += [f"  @   {c.kind} {one.renamed(c.text)};" for c in mine]
    lines += [f"  @ {c.kind} {c.text};" for c in one.clauses if order[c.kind] == 4]
    return "/*@" + "\n".join(lines)[3:] + "\n  @*/"


def head(one: Item) -> str:
    """The function's prototype without its semicolon."""
    formals = ", ".join(p.declaration for p in one.family.params if p.shape != "global") or "void"
    return f"{one.family.returns} {one.name}({formals})"


def source_text(items: Sequence[Item], header: str) -> str:
    """The translation unit under test."""
    parts = [f'#include "{header}"']
    for one in items:
        parts += [f"{p.type} {one.renamed(p.name)};" for p in one.family.params if p.shape == "global"]
        parts.append(f"{contract_text(one)}\n{head(one)}\n{{\n    {one.renamed(one.family.body)}\n}}\n")
    return "\n".join(parts)


def header_text(items: Sequence[Item]) -> str:
    """The prototypes and global variables."""
    parts = ['#include "shapes.h"']
    for one in items:
        parts += [f"extern {p.type} {one.renamed(p.name)};" for p in one.family.params if p.shape == "global"]
        parts.append(f"{head(one)};")
    return "\n".join(parts) + "\n"


def _set_up(one: Item, param: Param, value: Any) -> tuple[str, str]:
    """The declaration that a test needs for an argument, and the argument."""
    name = param.name
    if param.shape == "value":
        return "", literal(value, param.type)
    if param.shape == "global":
        return f"{one.renamed(name)} = {literal(value, param.type)};", ""
    if param.shape == "string":
        text = "".join(map(chr, value[:-1]))
        return f'char {name}[] = "{text}";', name
    if param.shape == "cell":
        return f"{param.type} {name} = {literal(value, param.type)};", f"&{name}"
    if param.shape == "array":
        cells = ", ".join(literal(v, param.type) for v in value)
        return f"{param.type} {name}[{len(value)}] = {{{cells}}};", name
    fields = ", ".join(f".{field} = {literal(value[field], type_name)}" for field, type_name in FIELDS)
    return f"struct pt {name} = {{{fields}}};", f"&{name}" if param.shape == "struct" else name


def _places(one: Item, param: Param, value: Any) -> Iterable[tuple[str, str, Any]]:
    """The C lvalues of what a parameter reaches, with type and value."""
    name = one.renamed(param.name)
    if param.shape in ("array", "string"):
        yield from ((f"{name}[{i}]", param.type, v) for i, v in enumerate(value))
    elif param.shape in ("struct", "struct value"):
        yield from ((f"{name}.{field}", type_name, value[field]) for field, type_name in FIELDS)
    elif param.shape in ("cell", "global"):
        yield name, param.type, value


def _test(one: Item, call: Call, style: int) -> str:
    """One tested call: set up, call, and assertions on everything that it could have changed."""
    lines, arguments = [], []
    for param in one.family.params:
        declaration, argument = _set_up(one, param, call.pre[param.name])
        lines += [declaration] if declaration else []
        arguments += [argument] if param.shape != "global" else []
    text, returns = f"{one.name}({', '.join(arguments)})", one.family.returns
    if call.result is None:
        lines.append(f"{text};")
    elif isinstance(call.result, dict):
        lines.append(f"struct pt r = {text};")
        lines += [f"assert(r.{f} == {literal(call.result[f], type_name)});" for f, type_name in FIELDS]
    elif style % 3 == 0:
        lines += [f"{returns} r = {text};", f"if (r != {literal(call.result, returns)}) abort();"]
    elif style % 3 == 1:
        lines.append(f"assert({text} == {literal(call.result, returns)});")
    else:
        lines += [f"{returns} r = {text};", f"assert({literal(call.result, returns)} == r);"]
    for param in one.family.params:
        if not param.const and param.shape not in ("value", "struct value"):
            places = _places(one, param, call.post[param.name])
            lines += [f"assert({place} == {literal(v, type_name)});" for place, type_name, v in places]
    return "\n    ".join(lines)


def test_text(items: Sequence[Item], header: str) -> str:
    """A test program with one function for each call."""
    parts = ["#include <assert.h>", "#include <stdlib.h>", f'#include "{header}"']
    names = []
    for one in items:
        for number, call in enumerate(one.calls()):
            names.append(f"test_{one.name}_{number}")
            parts.append(f"static void {names[-1]}(void)\n{{\n    {_test(one, call, len(names))}\n}}")
    parts.append("int main(void)\n{\n    " + "\n    ".join(f"{name}();" for name in names) + "\n    return 0;\n}\n")
    return "\n".join(parts)


def write_project(folder: Path, groups: Sequence[Sequence[Item]]) -> None:
    """One source, header and test file for each group of items."""
    (folder / "src").mkdir()
    (folder / "tests").mkdir()
    (folder / "src" / "shapes.h").write_text(SHAPES_H)
    for number, items in enumerate(groups):
        (folder / "src" / f"g{number}.h").write_text(header_text(items))
        (folder / "src" / f"g{number}.c").write_text(source_text(items, f"g{number}.h"))
        (folder / "tests" / f"test_g{number}.c").write_text(test_text(items, f"g{number}.h"))
