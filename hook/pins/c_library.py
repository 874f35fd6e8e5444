"""The few functions of the C library that a test's values may depend on (ISO C11 7.24)."""

from __future__ import annotations

from collections.abc import Callable

from clausefit.hook.pins import c_numbers
from clausefit.hook.pins.c_evaluate import Evaluator
from clausefit.hook.pins.c_knowledge import Symbol, known_truth, same_leaf, scalar
from clausefit.hook.pins.c_terms import Place, Term
from clausefit.hook.pins.c_types import (
    INT,
    ULONG,
    ArrayType,
    CType,
    IntType,
    StructType,
    plain,
)
from clausefit.hook.pins.values import Integer, Path, Pointer, Value, leaves

_MOST_BYTES = 65536


class Library:
    """Runs library calls on the evaluator's memory; arguments are already evaluated."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._ev = evaluator
        self._table: dict[str, tuple[int, Callable[[list[Term]], Term]]] = {
            "memset": (3, self._memset),
            "memcpy": (3, self._memcpy),
            "memmove": (3, self._memcpy),
            "strcpy": (2, self._strcpy),
            "strlen": (1, self._strlen),
            "strcmp": (2, self._strcmp),
            "memcmp": (3, self._memcmp),
            "abs": (1, self._abs),
            "__builtin_expect": (2, lambda terms: terms[0]),
        }

    def knows(self, name: str, count: int) -> bool:
        """Whether a call with that many arguments can be run."""
        return name in self._table and self._table[name][0] == count

    def run(self, name: str, terms: list[Term]) -> Term:
        """The result of a call that ``knows`` accepts."""
        return self._table[name][1](terms)

    # -- stretches of memory --------------------------------------------------------------------------

    def stretch(self, value: Value, size: int) -> list[tuple[Path, CType]] | None:
        """The objects that ``size`` bytes from a pointer on cover exactly, or None."""
        value = self._ev.knowledge.resolve(value)
        if not isinstance(value, Pointer) or not 0 <= size <= _MOST_BYTES:
            return None
        memory, types = self._ev.memory, self._ev.types
        last = value.path[-1] if value.path else None
        if isinstance(last, int):
            array = memory.object_type(value.block, value.path[:-1])
            if isinstance(array, ArrayType) and (one := types.size(array.element)):
                count = size // one
                if size % one == 0 and last + count <= (array.length or 0):
                    return [((*value.path[:-1], last + i), array.element) for i in range(count)]
                return None
        ctype = memory.object_type(value.block, value.path)
        return [(value.path, ctype)] if ctype is not None and types.size(ctype) == size else None

    def pairs(self, left: Value, right: Value, size: int) -> tuple[list[tuple[Value, Value]], bool] | None:
        """The leaves that two stretches of memory hold, side by side, and whether they cover every byte."""
        one, two = self.stretch(left, size), self.stretch(right, size)
        left, right = self._ev.knowledge.resolve(left), self._ev.knowledge.resolve(right)
        if one is None or two is None or len(one) != len(two):
            return None
        if not isinstance(left, Pointer) or not isinstance(right, Pointer):
            return None
        result: list[tuple[Value, Value]] = []
        covered = True
        for (path_one, type_one), (path_two, type_two) in zip(one, two, strict=True):
            if not _alike(type_one, type_two):
                return None
            covered = covered and not isinstance(type_one, StructType | ArrayType)
            a, b = self._ev.memory.read(left.block, path_one), self._ev.memory.read(right.block, path_two)
            if a is None or b is None:
                return None
            result += [(x, y) for (_, x), (_, y) in zip(leaves(a), leaves(b), strict=True)]
        return result, covered

    def text(self, value: Value) -> list[Value] | None:
        """The characters from a pointer up to and with the NUL, or None when they are not all known."""
        found: list[Value] = []
        for leaf in self._characters(value):
            known = self._ev.knowledge.resolve(leaf)
            if not isinstance(known, Integer):
                return None
            found.append(known)
            if known.value == 0:
                return found
        return None

    def _characters(self, value: Value) -> list[Value]:
        value = self._ev.knowledge.resolve(value)
        if not isinstance(value, Pointer) or not value.path or not isinstance(value.path[-1], int):
            return []
        array = self._ev.memory.object_type(value.block, value.path[:-1])
        if not isinstance(array, ArrayType) or not isinstance(array.element, IntType) or array.element.width != 8:
            return []
        stored = self._ev.memory.read(value.block, value.path[:-1])
        return [leaf for _, leaf in leaves(stored)][value.path[-1] :] if stored is not None else []

    def text_pairs(self, left: Value, right: Value) -> list[tuple[Value, Value]] | None:
        """The characters of two strings side by side, as far as the known one of them goes."""
        known = self.text(left) or self.text(right)
        one, two = self._characters(left), self._characters(right)
        if known is None or not one or not two:
            return None
        length = len(known)
        if min(len(one), len(two)) < length:
            return None
        return list(zip(one[:length], two[:length], strict=True))

    # -- the functions --------------------------------------------------------------------------------

    def _spoil(self, target: Value) -> None:
        """Some part of what the pointer leads to was written, which is not known."""
        target = self._ev.knowledge.resolve(target)
        if isinstance(target, Pointer):
            self._ev.memory.forget([target.block])
        else:
            self._ev.memory.forget(self._ev.memory.open_to_calls())

    def _size(self, term: Term) -> int:
        size = self._ev.converted(term, ULONG).value
        return size.value if isinstance(size, Integer) else -1

    def _memset(self, terms: list[Term]) -> Term:
        target = self._ev.knowledge.resolve(terms[0].value)
        byte, covered = terms[1].value, self.stretch(target, self._size(terms[2]))
        if covered is None or not isinstance(byte, Integer) or not isinstance(target, Pointer):
            self._spoil(target)
            return terms[0]
        for path, ctype in covered:
            if byte.value & 255 == 0:
                value = self._ev.initializers.zero(ctype)
            elif isinstance(ctype, IntType) and ctype.width > 1:
                repeated = bytes([byte.value & 255]) * (ctype.width // 8)
                value = c_numbers.integer(int.from_bytes(repeated, "little"), ctype)
            else:
                value = self._ev.knowledge.fresh(ctype)
            self._ev.memory.write(target.block, path, value)
        return terms[0]

    def _memcpy(self, terms: list[Term]) -> Term:
        size = self._size(terms[2])
        target, source = self._ev.knowledge.resolve(terms[0].value), self._ev.knowledge.resolve(terms[1].value)
        to, origin = self.stretch(target, size), self.stretch(source, size)
        alike = to is not None and origin is not None and len(to) == len(origin)
        if isinstance(source, Pointer) and not alike:
            self._ev.memory.leak(*(pointer for pointer, _ in self._ev.memory.pointers(source.block)))
        if not isinstance(source, Pointer) or not isinstance(target, Pointer):
            self._spoil(target)
            return terms[0]
        if not alike or to is None or origin is None:
            self._spoil(target)
            return terms[0]
        read = [self._ev.places.load_whole(Place(source.block, path, ctype)) for path, ctype in origin]
        for (path, ctype), (_, before), value in zip(to, origin, read, strict=True):
            if plain(ctype) == plain(before):
                self._ev.memory.write(target.block, path, value)
            elif _alike(ctype, before) and isinstance(ctype, IntType):
                self._ev.memory.write(target.block, path, self._ev.converted(Term(value, plain(before)), ctype).value)
            else:
                self._spoil(target)
                self._ev.memory.leak(*(pointer for pointer, _ in self._ev.memory.pointers(source.block)))
        return terms[0]

    def _strcpy(self, terms: list[Term]) -> Term:
        target, text = self._ev.knowledge.resolve(terms[0].value), self.text(terms[1].value)
        covered = self.stretch(target, len(text)) if text is not None else None
        if text is None or covered is None or not isinstance(target, Pointer):
            self._spoil(target)
            return terms[0]
        for (path, ctype), code in zip(covered, text, strict=True):
            if not isinstance(ctype, IntType) or not isinstance(code, Integer):
                self._spoil(target)
                return terms[0]
            self._ev.memory.write(target.block, path, c_numbers.integer(code.value, ctype))
        return terms[0]

    def _strlen(self, terms: list[Term]) -> Term:
        text = self.text(terms[0].value)
        return Term(c_numbers.integer(len(text) - 1, ULONG), ULONG) if text is not None else self._ev.unknown(ULONG)

    def by_content(self, *values: Value) -> None:
        """What the pointers lead to is compared, which says nothing about the pointers themselves."""
        for value in values:
            if isinstance(value, Symbol):
                self._ev.knowledge.shown_by_content(value)

    def _strcmp(self, terms: list[Term]) -> Term:
        self.by_content(terms[0].value, terms[1].value)
        pairs = self.text_pairs(terms[0].value, terms[1].value)
        return self._compared(pairs, covered=True)

    def _memcmp(self, terms: list[Term]) -> Term:
        self.by_content(terms[0].value, terms[1].value)
        found = self.pairs(terms[0].value, terms[1].value, self._size(terms[2]))
        return self._compared(*found) if found is not None else self._ev.unknown(INT)

    def _compared(self, pairs: list[tuple[Value, Value]] | None, covered: bool) -> Term:
        if pairs is None:
            return self._ev.unknown(INT)
        resolved = [(self._ev.knowledge.resolve(a), self._ev.knowledge.resolve(b)) for a, b in pairs]
        same = [_same_bits(a, b) if scalar(a) and scalar(b) else None for a, b in resolved]
        if covered and all(same):
            return Term(c_numbers.integer(0, INT), INT)
        result = self._ev.knowledge.comparison(pairs)
        if False in same:
            self._ev.knowledge.learn_truth(result, True)
        return Term(result, INT)

    def _abs(self, terms: list[Term]) -> Term:
        number = self._ev.converted(terms[0], INT).value
        if isinstance(number, Integer) and known_truth(number) is not None and number.value > number.minimum:
            return Term(c_numbers.integer(abs(number.value), INT), INT)
        return self._ev.unknown(INT)


def _same_bits(left: Value, right: Value) -> bool | None:
    if isinstance(left, Integer) and isinstance(right, Integer) and left.width == right.width:
        mask = (1 << left.width) - 1
        return left.value & mask == right.value & mask
    return same_leaf(left, right)


def _alike(left: CType, right: CType) -> bool:
    """Whether objects of the two types hold the same bits in the same places."""
    if isinstance(left, IntType) and isinstance(right, IntType):
        return left.width == right.width
    if isinstance(left, ArrayType) and isinstance(right, ArrayType):
        return left.length == right.length and _alike(left.element, right.element)
    return plain(left) == plain(right)
