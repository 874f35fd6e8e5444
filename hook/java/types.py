"""Java type texts taken apart: the raw name, the dimensions, the simple name; and what is a primitive type."""

from __future__ import annotations

from typing import NamedTuple

PRIMITIVES = frozenset({"boolean", "byte", "short", "char", "int", "long", "float", "double"})
# Types of KeY and OpenJML that are no references either.
JML_PRIMITIVES = frozenset({"\\bigint", "\\real", "\\locset", "\\seq", "\\map", "\\free", "\\TYPE"})


class TypeShape(NamedTuple):
    """A type without type arguments: ``int[][]`` has the name ``int`` and two dimensions."""

    name: str
    dimensions: int

    @property
    def is_primitive(self) -> bool:
        """Whether a value of the type is never null."""
        return self.dimensions == 0 and (self.name in PRIMITIVES or self.name in JML_PRIMITIVES or self.name == "void")


def type_shape(text: str) -> TypeShape:
    """Name and dimensions of a type as written: ``List<? extends T>[]...`` gives ``List`` and 2. Never raises."""
    parts: list[str] = []
    depth = 0
    for character in text:
        depth += (character == "<") - (character == ">")
        if depth == 0 and character not in "> \t\n":
            parts.append(character)
    plain = "".join(parts)
    dimensions = plain.count("[")
    plain = plain.replace("[", "").replace("]", "")
    if plain.endswith("..."):
        plain = plain.removesuffix("...")
        dimensions += 1
    return TypeShape(plain, dimensions)


def simple_name(name: str) -> str:
    """The last part of a dotted name."""
    return name.rpartition(".")[2]


def type_parameter_name(text: str) -> str:
    """The name of a type parameter as written: ``T extends Comparable<T>`` gives ``T``."""
    return text.split(" ", 1)[0].split("<", 1)[0]


def bound_of(text: str) -> str:
    """The first bound of a type parameter as written, ``Object`` where it has none (JLS 4.6)."""
    _, _, bound = text.partition(" extends ")
    depth = 0
    for index, character in enumerate(bound):
        depth += (character == "<") - (character == ">")
        if character == "&" and depth == 0:
            return bound[:index].strip()
    return bound.strip() or "Object"
