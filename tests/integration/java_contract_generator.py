"""Generated Java contracts as data: families of methods, and the items that are made of them.

A family is one method body with clauses to choose from, each written twice: in JML and as a Java expression. It
becomes a method for every clause, in a class of its own or with other families, and a test class
(``java_contract_project``). Nothing here looks at the product.

The Java expressions of clauses read parameters and fields as they are after the call (``x``, ``a``, ``total``) and as
they were before (``old_x``, ``old_a``, ``old_total``), ``result``, and ``thrown`` (null where the call returned). A
clause about the state before the call is evaluated with both states being that one.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from string import Template
from typing import Any, Literal, TypeAlias

Label = Literal["right", "weak", "strong"]
Draw: TypeAlias = Mapping[str, tuple[int, int]]
_MOST_FAMILIES = 8
PLAIN = ""
"""The head of a lightweight spec case."""
NORMAL, EXCEPTIONAL = "public normal_behavior", "public exceptional_behavior"


@dataclass(frozen=True)
class Said:
    """A clause in JML (after its keyword) and in Java. ``java`` of an ``assignable`` clause says that nothing else
    differs between the two states."""

    kind: str
    jml: str
    java: str


@dataclass(frozen=True)
class Case:
    """A spec case: its head and the clauses that every method of the family has in it."""

    head: str = PLAIN
    clauses: tuple[Said, ...] = ()


@dataclass(frozen=True)
class Variant:
    """The judged clause and the spec case that it stands in."""

    label: Label
    clause: Said
    case: int = 0


@dataclass(frozen=True)
class Call:
    """A tested call: arguments as Java expressions, the receiver (None: a static method), a statement before."""

    arguments: tuple[str, ...]
    receiver: str | None = None
    before: str = ""


@dataclass(frozen=True)
class Family:
    """A method with several clauses to choose from.

    ``parameters`` and ``fields`` are (type, name) pairs in one text: ``int x, int[] a``. ``members`` is Java (and JML)
    text of the class: its fields, constructors, helpers. ``modifiers`` stand before the method, with a JML math mode.
    Texts may have ``$k`` for a constant that is drawn from the bounds in ``draw``, and ``$C`` for the class.
    """

    kind: str
    result: str
    parameters: str
    body: str
    calls: tuple[Call, ...]
    variants: tuple[Variant, ...]
    cases: tuple[Case, ...] = (Case(),)
    fields: str = ""
    members: str = ""
    modifiers: str = "static"
    draw: Draw = field(default_factory=dict)


@dataclass(frozen=True)
class State:
    """What a clause may speak of, as plain values by Java name (``x``, ``old_x``, ``result``).

    ``thrown`` is the type of the exception, None for a return. Numbers and chars are ints, arrays lists.
    """

    values: tuple[tuple[str, Any], ...]
    thrown: str | None

    @property
    def key(self) -> str:
        """Equal for equal states."""
        return json.dumps([self.values, self.thrown])


@dataclass(frozen=True)
class Item:
    """A generated method with its contract; ``family`` has its constants filled in."""

    class_name: str
    name: str
    family: Family
    variant: Variant
    cases: tuple[Case, ...]

    @property
    def function(self) -> str:
        """The method's signature as the product writes it."""
        types = ", ".join(type_name for type_name, _name in pairs(self.family.parameters))
        return f"{self.class_name}.{self.name}({types})"

    @property
    def title(self) -> str:
        """For people: what is judged."""
        family, clause = self.family, self.variant.clause
        return f"{self.function} ({family.kind}, {self.variant.label}): {clause.kind} {clause.jml}"

    def clauses(self) -> dict[tuple[int, str], Said]:
        """All clauses by the number of their spec case and their text in a report."""
        return {(n, f"{s.kind} {s.jml}"): s for n, case in enumerate(self.cases) for s in case.clauses}

    def variables(self) -> list[tuple[str, str]]:
        """The variables of its clauses in Java, without ``thrown``: (type, name)."""
        found = []
        for type_name, name in (*pairs(self.family.parameters), *pairs(self.family.fields)):
            found += [(type_name, name), (type_name, f"old_{name}")]
        return found + ([(self.family.result, "result")] if self.family.result != "void" else [])


def right(jml: str, java: str) -> Variant:
    """An ``ensures`` clause that accepts what is right and nothing else."""
    return Variant("right", Said("ensures", jml, java))


def weak(jml: str, java: str) -> Variant:
    """An ``ensures`` clause that accepts something wrong."""
    return Variant("weak", Said("ensures", jml, java))


def strong(jml: str, java: str) -> Variant:
    """An ``ensures`` clause that rejects something right."""
    return Variant("strong", Said("ensures", jml, java))


def on(number: int, variant: Variant, kind: str = "ensures") -> Variant:
    """The variant in another spec case, perhaps as another kind of clause."""
    return replace(variant, case=number, clause=replace(variant.clause, kind=kind))


def calls(*texts: str) -> tuple[Call, ...]:
    """Calls from texts ``argument | argument``; of an instance method ``receiver -> argument | argument``."""
    return tuple(_call(text) for text in texts)


def _call(text: str) -> Call:
    receiver, arrow, arguments = text.rpartition("->")
    parts = tuple(part.strip() for part in arguments.split("|"))
    return Call(() if parts == ("",) else parts, receiver.strip() if arrow else None)


def pairs(text: str) -> list[tuple[str, str]]:
    """``int x, int[] a`` as (type, name) pairs."""
    found = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        type_name, _, name = part.rpartition(" ")
        found.append((type_name, name))
    return found


def generated(families: Sequence[Family], seed: int, each: Mapping[Label, int] | None = None) -> list[Item]:
    """An item for every clause of every family, the constants drawn anew for each clause.

    ``each``: of every family at most so many clauses with that label, drawn as well. Families without members of their
    own share classes, so that fewer are loaded.
    """
    rng = random.Random(seed)
    items = []
    groups: list[tuple[tuple[str, str], int]] = []
    for number, family in enumerate(families):
        key = (family.members, family.modifiers)
        group = next((i for i, (other, size) in enumerate(groups) if other == key and size < _MOST_FAMILIES), None)
        if group is None or family.members:
            group = len(groups)
            groups.append((key, 0))
        groups[group] = key, groups[group][1] + 1
        for index in _chosen(family, each, rng):
            constants = {name: str(rng.randint(low, high)) for name, (low, high) in family.draw.items()}
            filled = _filled(family, {**constants, "C": f"F{group}"})
            items.append(_item(f"F{group}", f"f{number}_{index}", filled, index))
    return items


def _chosen(family: Family, each: Mapping[Label, int] | None, rng: random.Random) -> list[int]:
    if each is None:
        return list(range(len(family.variants)))
    found = []
    for label, most in each.items():
        mine = [index for index, variant in enumerate(family.variants) if variant.label == label]
        found += rng.sample(mine, min(most, len(mine)))
    return sorted(found)


def _item(class_name: str, name: str, family: Family, index: int) -> Item:
    variant = family.variants[index]
    cases = list(family.cases)
    cases[variant.case] = replace(cases[variant.case], clauses=(*cases[variant.case].clauses, variant.clause))
    return Item(class_name, name, family, variant, tuple(cases))


def _filled(family: Family, constants: Mapping[str, str]) -> Family:
    def fill(text: str) -> str:
        return Template(text).substitute(constants)

    def said(one: Said) -> Said:
        return Said(one.kind, fill(one.jml), fill(one.java))

    return replace(
        family,
        body=fill(family.body),
        members=fill(family.members),
        calls=tuple(
            Call(tuple(map(fill, c.arguments)), None if c.receiver is None else fill(c.receiver), fill(c.before))
            for c in family.calls
        ),
        variants=tuple(replace(v, clause=said(v.clause)) for v in family.variants),
        cases=tuple(replace(c, clauses=tuple(map(said, c.clauses))) for c in family.cases),
    )
