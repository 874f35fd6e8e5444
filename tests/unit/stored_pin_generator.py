"""Random recorded pins that use every form of the value model, from a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from clausefit.hook.pins.block_labels import numbered, relabelled
from clausefit.hook.pins.stored import StoredPin
from clausefit.hook.pins.values import (
    Array,
    Block,
    Constant,
    Failed,
    Floating,
    FunctionPointer,
    Integer,
    Null,
    Origin,
    Path,
    Pin,
    Pointer,
    Returned,
    Struct,
    Text,
    Unknown,
    Value,
)

_INTEGERS = [
    ("int", 32, True),
    ("int", 16, True),  # as on another machine: one type with two widths in a file
    ("unsigned int", 32, False),
    ("char", 8, True),
    ("char", 16, False),
    ("const char", 8, True),
    ("boolean", 1, False),
    ("_Bool", 1, False),
    ("long", 64, True),
    ("unsigned long", 64, False),
    ("__int128", 128, True),
    ("unsigned __int128", 128, False),
    ("java.lang.Character", 16, False),
    ("java.lang.Integer", 32, True),
    ("enum color", 32, False),
    ("bit", 1, True),
    ("", 8, True),
]
_JAVA_INTEGERS = [
    ("boolean", 1, False),
    ("byte", 8, True),
    ("char", 16, False),
    ("int", 32, True),
    ("long", 64, True),
    ("java.lang.Character", 16, False),
    ("java.lang.Boolean", 1, False),
    ("java.lang.Long", 64, True),
]
_TYPES = [
    "int",
    "struct pt",
    "p.Outer$Inner",
    "int [3]",
    "int (*)[3]",
    "unsigned char [2][2]",
    "p.A[][]",
    "java list",
    "a[ list",
    "b ",
    "",
]
_NAMES = [
    "a",
    "x",
    "count",
    "this$0",
    "m0",
    "m1",
    "n0",
    "new 1",
    "at",
    "not",
    "type",
    "true",
    "null",
    "0",
    "-1",
    "1.5",
    "~",
    "y",
    "a b",
    "a\\b",
    "\\",
    "\\_",
    " ",
    "",
    "é",
    "\ud800",
    "\U0001f600",
    "\n",
    "a: b",
    "# c",
    "- d",
    "[e]",
    "{f}",
    "&g",
    "*h",
    "!i",
    "%j",
    "@k",
    "`l",
    "|",
    ">",
    "'",
    '"',
    "?",
    ",",
]
_LETTERS = (
    "abc xyz019\\\"'\n\t\r\0\x1b\x7f\x85\xa0é\u202e\u2028\ufeff\ufffe\uffff"
    "\ud83d\ude00\ud800\udfff\U0001f600#:-,[]{}&*!|>%@`?="
)
_FLOATS_64 = [0.0, -0.0, 1.0, 0.1, 1e-5, 1e16, 1e300, 5e-324, -1.7976931348623157e308, float("inf"), float("-inf")]


@dataclass
class Generator:
    """Draws pins. ``ids`` are the blocks that pointers may name, with what is known of their contents."""

    random: random.Random
    is_java: bool = False
    blocks: dict[str, Value] = field(default_factory=dict)

    def name(self) -> str:
        return self.random.choice(_NAMES)

    def text(self) -> str:
        return "".join(self.random.choice(_LETTERS) for _ in range(self.random.choice((0, 1, 2, 8, 30))))

    def names(self, most: int) -> list[str]:
        return self.random.sample(_NAMES, self.random.randint(0, most))

    def integer(self) -> Integer:
        name, width, signed = self.random.choice(_JAVA_INTEGERS if self.is_java else _INTEGERS)
        limits = Integer(0, name, width, signed)
        some = (limits.minimum, limits.maximum, 0, 65, 10, self.random.randint(limits.minimum, limits.maximum))
        value = self.random.choice(some)
        return Integer(value if limits.minimum <= value <= limits.maximum else 0, name, width, signed)

    def floating(self) -> Floating:
        width = self.random.choice((32, 64))
        type_name = self.random.choice(("double", "float", "int"))
        if self.is_java:
            type_name = self.random.choice(
                ("double", "java.lang.Double") if width == 64 else ("float", "java.lang.Float")
            )
        if self.random.random() < 0.3:
            return Floating(self.random.getrandbits(width), type_name, width)
        if self.random.random() < 0.3:
            # A NaN of either sign with a payload (IEEE 754-2008 6.2.1).
            exponent = 0xFF << 23 if width == 32 else 0x7FF << 52
            payload = self.random.randrange(1, 1 << (23 if width == 32 else 52))
            return Floating(self.random.choice((0, 1 << (width - 1))) | exponent | payload, type_name, width)
        number = self.random.choice(_FLOATS_64)
        return Floating.of(
            number if width == 64 or abs(number) < 1e38 or number in _FLOATS_64[-2:] else 0.5, type_name, width
        )

    def leaf(self) -> Value:
        kind = self.random.randrange(9)
        type_name = self.random.choice(_TYPES)
        if kind < 2:
            return self.integer()
        if kind == 2:
            return self.floating()
        if kind == 3:
            return self.random.choice((Null(type_name), FunctionPointer(self.name(), type_name)))
        if kind == 4:
            return Text(
                self.text(), self.random.choice(("java.lang.String", type_name)), self.random.choice(("", self.name()))
            )
        if kind == 5:
            return Constant(self.name(), type_name)
        if kind == 6:
            return Unknown(type_name, tuple(self.value(1) for _ in range(self.random.choice((0, 0, 1, 3)))))
        return self.pointer(type_name)

    def pointer(self, type_name: str) -> Value:
        if not self.blocks:
            return Null(type_name)
        block = self.random.choice(list(self.blocks))
        path: Path = ()
        value = self.blocks[block]
        while self.random.random() < 0.8:
            if isinstance(value, Array):
                index = self.random.randint(0, len(value.elements))
                path = (*path, index)
                if index == len(value.elements):
                    break
                value = value.elements[index]
            elif isinstance(value, Struct) and value.fields and len(dict(value.fields)) == len(value.fields):
                name, value = self.random.choice(value.fields)
                path = (*path, name)
            else:
                break
        return Pointer(block, path, type_name)

    def characters(self) -> Array:
        kinds = (("char", 8, True), ("char", 16, False), ("const char", 8, True))
        type_name, width, signed = kinds[1] if self.is_java else self.random.choice(kinds)
        codes = [self.random.choice((97, 32, 10, 0, 7, 127)) for _ in range(self.random.randint(0, 4))]
        codes += [0] * self.random.choice((0, 1, 5, 200))
        return Array(type_name, tuple(Integer(code, type_name, width, signed) for code in codes))

    def value(self, depth: int) -> Value:
        kind = self.random.random()
        if depth <= 0 or kind < 0.4:
            return self.leaf()
        if kind < 0.5:
            return self.characters()
        if kind < 0.75:
            return self.array(depth)
        fields = [(name, self.value(depth - 1)) for name in self.names(4)]
        if fields and self.random.random() < 0.1:
            fields.append((fields[0][0], self.value(depth - 1)))  # a field that hides one of a superclass
        return Struct(self.random.choice(_TYPES), tuple(fields))

    def array(self, depth: int) -> Array:
        count = self.random.choice((0, 1, 3, 40))
        if self.random.random() < 0.5:
            one = self.integer()
            elements: tuple[Value, ...] = (one,) * count
            type_name = one.type
        else:
            elements = tuple(self.value(depth - 1) for _ in range(min(count, 3)))
            type_name = elements[0].type if elements and self.random.random() < 0.5 else self.random.choice(_TYPES)
            if elements and isinstance(elements[0], Array) and self.random.random() < 0.5:
                type_name = f"{elements[0].type} [{len(elements[0].elements)}]"
        return Array(type_name, elements, self.random.choice(("array", "list")))

    def pin(self) -> StoredPin:
        self.blocks = {}
        self.is_java = self.random.random() < 0.5
        for name in self.names(4):
            self.blocks[name] = self.value(3)
        before = tuple(
            Block(
                one,
                self.random.choice((one, self.name())),
                value,
                self.random.random() < 0.2,
                self.random.choice((None, one, "p.C.f")),
            )
            for one, value in self.blocks.items()
        )
        arguments = tuple((name, self.value(2)) for name in self.names(4))
        made = [self.random.choice((f"n{number}", f"new {number}")) for number in range(self.random.randint(0, 3))]
        after = [(one, value if self.random.random() < 0.5 else self.value(2)) for one, value in self.blocks.items()]
        after += [(one, self.value(2)) for one in made if one not in self.blocks]
        if self.random.random() < 0.2:
            self.random.shuffle(after)
        origin = Origin("recorded", self.text(), self.text(), self.random.randrange(1 << 31))
        outcome = self.outcome(tuple(after))
        pin = Pin(self.function(), arguments, before, outcome, origin)
        if self.random.random() < 0.6:  # as recorders number them
            pin = relabelled(pin, dict(zip(self.blocks, numbered(len(before)), strict=True)))
        return StoredPin(
            pin,
            self.text(),
            self.random.choice(("77ab", "1e5", "0")),
        )

    def function(self) -> str:
        if self.is_java:
            return self.random.choice(("A.f(int)", "p.A.A()", "Outer.In\\ner.find(int[], String)", self.name() + "()"))
        return self.name()

    def outcome(self, after: tuple[tuple[str, Value], ...]) -> Returned | Failed:
        kind = self.random.randrange(4)
        if kind == 0:
            return Returned(None, after)
        if kind == 1:
            return Returned(self.value(2), after)
        if kind == 2:
            return Failed(
                "exception", self.random.choice(("", "java.lang.Error", self.text())), after, self.random.random() < 0.7
            )
        return Failed(self.random.choice(("abort", "signal", "timeout")), self.random.choice(("", "SIGSEGV")))
