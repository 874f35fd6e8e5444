"""What a test shows about values that are not known: symbols, what they were made from, and what is learned.

Every value that a call leaves behind starts as a fresh ``Symbol``. A conversion, ``!`` or ``==`` of a symbol is
a new symbol that remembers where it came from, so that an assertion about the outer one (``assert(!f(x))``)
says something about the inner one, but only where C leaves exactly one possible value.
"""

from __future__ import annotations

from dataclasses import dataclass

from clausefit.hook.pins.c_declarations import Types
from clausefit.hook.pins.c_numbers import converted, integer, is_true, preimage
from clausefit.hook.pins.c_types import (
    INT,
    ArrayType,
    CType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    element_type,
    leaf_type,
    plain,
)
from clausefit.hook.pins.values import (
    Array,
    Floating,
    FunctionPointer,
    Integer,
    Null,
    Pointer,
    Struct,
    Unknown,
    Value,
)


class ContradictionError(Exception):
    """The assertions of a passing test cannot all hold as they were read: nothing read from it may be used."""


@dataclass(frozen=True)
class Symbol(Unknown):
    """An unknown value with an identity; the same number is the same value."""

    number: int = 0


@dataclass(frozen=True)
class _Made:
    """How a symbol was made: ``convert``, ``not``, ``equal`` (to ``other``) or ``pairs`` (all equal: 0)."""

    how: str
    base: Symbol | None
    other: Value | None = None
    pairs: tuple[tuple[Value, Value], ...] = ()


def scalar(value: Value) -> bool:
    """Whether the value is one leaf and known."""
    return isinstance(value, Integer | Floating | Null | Pointer | FunctionPointer)


def address_path(pointer: Pointer) -> tuple[int | str, ...]:
    """The path without the final steps that do not move the address (a first element)."""
    path = pointer.path
    while path and path[-1] == 0:
        path = path[:-1]
    return path


def same_leaf(left: Value, right: Value) -> bool | None:
    """Whether two known leaves have the same value, types aside; None when C does not fix it."""
    if isinstance(left, Null) and isinstance(right, Null):
        return True
    if isinstance(left, Pointer) and isinstance(right, Pointer):
        return _same_address(left, right)
    if isinstance(left, Integer) and isinstance(right, Integer):
        return left.value == right.value
    if isinstance(left, Floating) and isinstance(right, Floating):
        return left.bits == right.bits
    if isinstance(left, FunctionPointer) and isinstance(right, FunctionPointer):
        return left.name == right.name
    if isinstance(left, Null | Pointer | FunctionPointer) and isinstance(right, Null | Pointer | FunctionPointer):
        return False
    return None


def _same_address(left: Pointer, right: Pointer) -> bool | None:
    one, two = address_path(left), address_path(right)
    if left.block != right.block:
        # One past an object may be where another one starts; such a path ends in a positive index.
        return None if any(isinstance(path[-1], int) for path in (one, two) if path) else False
    if one == two:
        return True
    shorter, longer = sorted((one, two), key=len)
    if longer[: len(shorter)] == shorter:
        return None if any(isinstance(step, str) for step in longer[len(shorter) :]) else False
    siblings = len(one) == len(two) and one[:-1] == two[:-1]
    return False if siblings else None


class Knowledge:
    """The table of symbols of one test."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self.changes = 0
        self._known: dict[int, Value] = {}
        self._different: dict[int, list[Value]] = {}
        self._made: dict[int, _Made] = {}
        self._ctype: dict[int, CType] = {}
        self._names: dict[CType, str] = {}
        self.by_content: set[int] = set()

    def symbol(self, ctype: CType, made: _Made | None = None) -> Symbol:
        """A new unknown value of a scalar type."""
        name = self._names.get(ctype)
        if name is None:
            name = self._names[ctype] = leaf_type(ctype)
        number = len(self._ctype) + 1
        self._ctype[number] = plain(ctype)
        if made is not None:
            self._made[number] = made
        return Symbol(name, (), number)

    def fresh(self, ctype: CType) -> Value:
        """A new unknown object: a symbol in every scalar of it."""
        if isinstance(ctype, ArrayType):
            return Array(element_type(ctype), tuple(self.fresh(ctype.element) for _ in range(ctype.length or 0)))
        if isinstance(ctype, StructType):
            members = self.types.fields(ctype)
            if members is not None:
                return Struct(leaf_type(ctype), tuple((name, self.fresh(member)) for name, member in members))
        return self.symbol(ctype)

    def converted_symbol(self, symbol: Symbol, ctype: CType) -> Value:
        """A symbol converted to another type."""
        if plain(ctype) == self._ctype.get(symbol.number):
            return symbol
        return self.symbol(ctype, _Made("convert", symbol))

    def inverted(self, symbol: Symbol) -> Value:
        """``!symbol``."""
        return self.symbol(INT, _Made("not", symbol))

    def equality(self, symbol: Symbol, other: Value) -> Value:
        """``symbol == other``."""
        return self.symbol(INT, _Made("equal", symbol, other))

    def comparison(self, pairs: list[tuple[Value, Value]]) -> Value:
        """The result of ``memcmp``/``strcmp``: 0 exactly when all pairs are equal."""
        return self.symbol(INT, _Made("pairs", None, None, tuple(pairs)))

    def resolve(self, value: Value) -> Value:
        """What is known of a leaf: its value, or the symbol itself."""
        if not isinstance(value, Symbol):
            return value
        chain = [value]
        while True:
            last = chain[-1]
            if last.number in self._known:
                return self._settle(chain)
            made = self._made.get(last.number)
            if made is None or made.base is None:
                return value
            chain.append(made.base)

    def _settle(self, chain: list[Symbol]) -> Value:
        known = self._known[chain[-1].number]
        for symbol in reversed(chain[:-1]):
            made = self._made[symbol.number]
            result = self._forward(made, known, self._ctype[symbol.number])
            if result is None:
                return chain[0]
            self._known[symbol.number] = known = result
        return known

    def _forward(self, made: _Made, base: Value, ctype: CType) -> Value | None:
        if made.how == "not":
            truth = known_truth(base)
            return None if truth is None else integer(int(not truth), INT)
        if made.how == "equal":
            other = self.resolve(made.other) if made.other is not None else Unknown("int")
            same = same_leaf(base, other)
            if isinstance(base, Floating) and isinstance(other, Floating):
                same = base.number == other.number
            return None if same is None else integer(int(same), INT)
        if isinstance(base, Integer | Floating):
            return converted(base, ctype)
        return retyped(base, ctype)

    def shown_by_content(self, symbol: Symbol) -> None:
        """The pointer's target is compared, not the pointer."""
        current: Symbol | None = symbol
        while current is not None:
            self.by_content.add(current.number)
            made = self._made.get(current.number)
            current = made.base if made is not None else None

    def tree(self, value: Value) -> Value:
        """A whole value with everything that is known put in, and what is not as ``Unknown``."""
        if isinstance(value, Array):
            return Array(value.type, tuple(self.tree(element) for element in value.elements))
        if isinstance(value, Struct):
            return Struct(value.type, tuple((name, self.tree(member)) for name, member in value.fields))
        resolved = self.resolve(value)
        if isinstance(resolved, Symbol):
            different = self._different.get(resolved.number)
            return Unknown(resolved.type, tuple(dict.fromkeys(different)) if different else ())
        return resolved

    def learn(self, value: Value, known: Value) -> None:
        """The (possibly unknown) leaf is shown to have exactly this value; ContradictionError when it cannot."""
        current = self.resolve(value)
        if not isinstance(current, Symbol):
            if scalar(current) and same_leaf(current, known) is False:
                raise ContradictionError
            return
        if any(same_leaf(known, other) for other in self._different.get(current.number, ())):
            raise ContradictionError
        if isinstance(known, Null | Pointer | FunctionPointer):
            known = retyped(known, self._ctype[current.number])
        self._known[current.number] = known
        self.changes += 1
        made = self._made.get(current.number)
        if made is not None:
            self._backwards(made, known, self._ctype[current.number])

    def _backwards(self, made: _Made, known: Value, ctype: CType) -> None:
        if made.how == "pairs":
            if known_truth(known) is False:
                self.learn_pairs(made.pairs)
            return
        base = made.base
        if base is None:
            return
        if made.how == "not":
            self.learn_truth(base, known_truth(known) is False)
        elif made.how == "equal":
            if known_truth(known):
                self._learn_equal(base, made.other)
            elif made.other is not None:
                self.differs(base, self.resolve(made.other))
        elif isinstance(known, Integer | Floating):
            source = self._ctype[base.number]
            if isinstance(source, PointerType) or (isinstance(ctype, IntType) and ctype.width == 1):
                self.learn_truth(base, is_true(known))
                return
            candidates = preimage(known, source, ctype)
            if candidates is None:
                return
            if not candidates:
                raise ContradictionError
            self.learn(base, candidates[0])
        else:
            self.learn(base, retyped(known, self._ctype[base.number]))

    def _learn_equal(self, base: Symbol, other: Value | None) -> None:
        if other is None:
            return
        right = self.resolve(other)
        if isinstance(right, Symbol):
            left = self.resolve(base)
            if scalar(left):
                self._learn_compared(right, left)
        elif scalar(right):
            self._learn_compared(base, right)

    def _learn_compared(self, symbol: Symbol, known: Value) -> None:
        if isinstance(known, Floating):
            if known.number != known.number:
                raise ContradictionError
            if known.number == 0.0:  # +0 and -0 compare equal: the bits are not shown
                return
        self.learn(symbol, known)

    def learn_pairs(self, pairs: tuple[tuple[Value, Value], ...]) -> None:
        """Each pair of leaves is shown to be the same, bit for bit."""
        for left, right in pairs:
            one, two = self.resolve(left), self.resolve(right)
            if scalar(one):
                self._learn_same(two, one)
            elif scalar(two):
                self._learn_same(one, two)

    def _learn_same(self, target: Value, known: Value) -> None:
        if isinstance(target, Symbol):
            ctype = self._ctype[target.number]
            if isinstance(known, Integer) and isinstance(ctype, IntType):
                known = integer(known.value, ctype)
            elif isinstance(known, Null | Pointer | FunctionPointer):
                known = retyped(known, ctype)
        elif isinstance(target, Integer) and isinstance(known, Integer):
            known = integer(known.value, IntType(target.type, target.width, target.signed))
        self.learn(target, known)

    def learn_truth(self, value: Value, truth: bool) -> None:
        """The leaf is shown to be nonzero (or non-null), or to be zero (or null)."""
        current = self.resolve(value)
        known = known_truth(current)
        if known is not None:
            if known != truth:
                raise ContradictionError
            return
        if not isinstance(current, Symbol):
            return
        made, ctype = self._made.get(current.number), self._ctype[current.number]
        zero: Value | None = None
        if isinstance(ctype, IntType):
            zero = integer(0, ctype)
        elif isinstance(ctype, PointerType):
            zero = Null(leaf_type(ctype))
        if not truth:
            if zero is not None:
                self.learn(current, zero)
            return
        if made is not None and made.how in ("not", "equal"):
            self.learn(current, integer(1, INT))
        elif isinstance(ctype, IntType) and ctype.width == 1:
            self.learn(current, integer(1, ctype))
        elif made is not None and made.how == "convert" and made.base is not None:
            self.learn_truth(made.base, True)  # zero converts to zero, whatever the types
        elif zero is not None:
            self.differs(current, zero)
        elif isinstance(ctype, FloatType):
            for bits in (0, 1 << (ctype.width - 1)):
                self.differs(current, Floating(bits, leaf_type(ctype), ctype.width))

    def differs(self, value: Value, known: Value) -> None:
        """The leaf is shown not to have this value."""
        current = self.resolve(value)
        if not isinstance(current, Symbol):
            if scalar(known) and same_leaf(current, known) is True and not isinstance(known, Floating):
                raise ContradictionError
            return
        if not scalar(known) or (isinstance(known, Floating) and known.number != known.number):
            return
        ctype, made = self._ctype[current.number], self._made.get(current.number)
        if isinstance(ctype, IntType) and ctype.width == 1 and isinstance(known, Integer):
            self.learn(current, integer(int(not known.value), ctype))
        elif made is None:
            self._different.setdefault(current.number, []).append(known)
            self.changes += 1
        elif made.how in ("not", "equal") and isinstance(known, Integer) and known.value in (0, 1):
            self.learn(current, integer(1 - known.value, INT))
        elif made.how == "convert" and made.base is not None:
            self._differs_before(made.base, known, ctype)

    def _differs_before(self, base: Symbol, known: Value, ctype: CType) -> None:
        source = self._ctype[base.number]
        if isinstance(known, Integer | Floating):
            if isinstance(ctype, FloatType) and isinstance(source, FloatType):
                return
            candidates = preimage(known, source, ctype)
            if candidates:
                self.differs(base, candidates[0])
        else:
            self.differs(base, retyped(known, source))


def known_truth(value: Value) -> bool | None:
    """Whether a known leaf is nonzero (non-null); None when it is not known."""
    if isinstance(value, Integer | Floating):
        return is_true(value)
    if isinstance(value, Null):
        return False
    return True if isinstance(value, Pointer | FunctionPointer) else None


def retyped(value: Value, ctype: CType) -> Value:
    """A null, pointer or function pointer with another pointer type's name."""
    name = leaf_type(ctype)
    if isinstance(value, Null):
        return Null(name)
    if isinstance(value, Pointer):
        return Pointer(value.block, value.path, name)
    if isinstance(value, FunctionPointer):
        return FunctionPointer(value.name, name)
    return value
