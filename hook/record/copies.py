"""Copies of hidden values elsewhere in a pin: a password that a constructor puts into a field. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from clausefit.hook.pins.values import Array, Floating, Integer, Struct, Text, Unknown, Value, parts_of

SHORTEST = 4
"""Letters from which on a part of a hidden text, or a text with it inside, is taken for a copy; digits of a number."""
_LETTER_WIDTHS = (8, 16)


class Copies:
    """What is hidden, to find it again: texts (also as arrays of letters) and numbers that are not small.

    ``texts`` are those that are hidden in other calls.
    """

    def __init__(self, values: Iterable[Value], texts: Iterable[str] = ()) -> None:
        self._texts: set[str] = set(texts)
        self._objects: set[str] = set()
        self._numbers: set[int] = set()
        self._floats: set[int] = set()
        for part in parts_of(values):
            if isinstance(part, Text):
                self._texts.add(part.value)
                self._objects.add(part.identity)
            elif isinstance(part, Array):
                self._texts.update(text for _start, text in _texts(part.elements))
            elif isinstance(part, Integer) and abs(part.value) >= 10 ** (SHORTEST - 1):
                self._numbers.add(part.value)
            elif isinstance(part, Floating) and abs(part.number) >= 10 ** (SHORTEST - 1):
                self._floats.add(part.bits)
        self._texts.discard("")
        self._objects.discard("")

    @property
    def texts(self) -> frozenset[str]:
        """The texts that are long enough to be told from others by chance."""
        return frozenset(text for text in self._texts if len(text) >= SHORTEST)

    def __bool__(self) -> bool:
        return bool(self._texts or self._objects or self._numbers or self._floats)

    def without(self, value: Value) -> Value:
        """The value with each copy unknown; the very same value where there is none."""
        if isinstance(value, Struct):
            return replace(value, fields=tuple((name, self.without(member)) for name, member in value.fields))
        if isinstance(value, Array):
            return replace(value, elements=self._covered(tuple(map(self.without, value.elements))))
        if self._is_copy(value):
            return Unknown(getattr(value, "type", ""))
        if isinstance(value, Unknown):
            return replace(value, not_equal=tuple(one for one in value.not_equal if not self._is_copy(one)))
        return value

    def _covered(self, elements: tuple[Value, ...]) -> tuple[Value, ...]:
        found = list(elements)
        for start, text in _texts(elements):
            if self._is_text(text) and (len(text) >= SHORTEST or len(text) == len(elements)):
                for index in range(start, start + len(text)):
                    found[index] = Unknown(getattr(elements[index], "type", ""))
        return tuple(found)

    def _is_copy(self, value: Value) -> bool:
        if isinstance(value, Text):
            return value.identity in self._objects or self._is_text(value.value)
        if isinstance(value, Integer):
            return value.value in self._numbers
        return isinstance(value, Floating) and value.bits in self._floats

    def _is_text(self, text: str) -> bool:
        if text in self._texts:
            return True
        return len(text) >= SHORTEST and any(
            text in hidden or hidden in text for hidden in self._texts if len(hidden) >= SHORTEST
        )


def _texts(elements: Sequence[Value]) -> list[tuple[int, str]]:
    """The texts in an array of letters, each with the index at which it begins; a zero ends one."""
    found: list[tuple[int, str]] = []
    text, start = "", 0
    for index, element in enumerate((*elements, Unknown(""))):
        is_letter = isinstance(element, Integer) and element.width in _LETTER_WIDTHS and element.value != 0
        if isinstance(element, Integer) and is_letter:
            start = start if text else index
            text += chr(element.value % (1 << element.width))
        elif text:
            found.append((start, text))
            text = ""
    return found
