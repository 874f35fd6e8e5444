"""C literals, conversions and arithmetic on known numbers (ISO C11 6.3, 6.4.4, 6.5), as gcc does on x86_64.

Whatever C leaves undefined (signed overflow, a shift that is too wide, division by zero, a float out of an
integer's range) has no value here: the functions return None and the caller treats it as not known.
"""

from __future__ import annotations

import re
from fractions import Fraction

from clausefit.hook.pins.c_types import (
    BASIC,
    DOUBLE,
    FLOAT,
    INT,
    UINT,
    CType,
    FloatType,
    IntType,
    leaf_type,
)
from clausefit.hook.pins.values import Floating, Integer

Number = Integer | Floating

_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlL]*)")
_FLOAT = re.compile(r"((?:0[xX][0-9a-fA-F.]+[pP][+-]?[0-9]+)|(?:[0-9.]+(?:[eE][+-]?[0-9]+)?))([fFlL]?)")
_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "E": 27}
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]+)|([0-7]{1,3})|(.))|([^\\])", re.DOTALL)
_STRING_PART = re.compile(r'(u8|[uUL])?"((?:[^"\\]|\\.)*)"', re.DOTALL)
_LONGEST_LITERAL = 400


def integer(value: int, ctype: IntType) -> Integer:
    """The value wrapped to the type (conversion to ``_Bool`` is ``!= 0``, 6.3.1.2)."""
    if ctype.width == 1:
        return Integer(int(value != 0), "_Bool", 1, False)
    value &= (1 << ctype.width) - 1
    if ctype.signed and value >> (ctype.width - 1):
        value -= 1 << ctype.width
    return Integer(value, ctype.name, ctype.width, ctype.signed)


def floating(number: float | Fraction, ctype: FloatType) -> Floating | None:
    """The number rounded to the type; None when a binary32 cannot hold it."""
    try:
        if isinstance(number, Fraction):
            return _nearest(number, ctype)
        return Floating.of(number, ctype.name, ctype.width)
    except OverflowError:
        return None


def _nearest(exact: Fraction, ctype: FloatType) -> Floating:
    # Going through a double first may round twice; the neighbours settle it (ties go to even bits).
    first = Floating.of(float(exact), ctype.name, ctype.width)
    if ctype.width == 64:
        return first
    around = [Floating(bits, ctype.name, 32) for bits in (first.bits - 1, first.bits, first.bits + 1) if bits >= 0]
    finite = [f for f in around if abs(f.number) != float("inf") and f.number == f.number]
    return min(finite, key=lambda f: (abs(Fraction(f.number) - exact), f.bits & 1), default=first)


def integer_literal(text: str) -> Integer | None:
    """An integer constant with the type of 6.4.4.1p5; None when it is not one that a type can hold."""
    match = _INTEGER.fullmatch(text)
    if match is None or len(text) > _LONGEST_LITERAL:
        return None
    digits, suffix = match[1].lower(), match[2].lower()
    octal = len(digits) > 1 and digits[0] == "0" and digits[1].isdigit()
    if octal and not set(digits) <= set("01234567"):
        return None
    base = 8 if octal else {"0x": 16, "0b": 2}.get(digits[:2], 10)
    value = int(digits, base)
    lengths = ["int", "long", "long long"][("l" in suffix) + ("ll" in suffix) :]
    for length in lengths:
        for name in ([length] if "u" not in suffix else []) + (
            [f"unsigned {length}"] if "u" in suffix or base != 10 else []
        ):
            ctype = BASIC[name]
            if isinstance(ctype, IntType) and integer(value, ctype).value == value:
                return integer(value, ctype)
    return None


def float_literal(text: str) -> Floating | None:
    """A floating constant (6.4.4.2); None for ``long double`` and for what is out of range."""
    match = _FLOAT.fullmatch(text)
    if match is None or match[2] in ("l", "L") or len(text) > _LONGEST_LITERAL:
        return None
    ctype = FLOAT if match[2] else DOUBLE
    try:
        number = float.fromhex(match[1]) if match[1][:2].lower() == "0x" else float(match[1])
        if abs(number) == float("inf"):
            return None
        if number == 0.0 or match[1][:2].lower() == "0x":
            return floating(number, ctype)
        return floating(Fraction(match[1]), ctype)
    except (ValueError, OverflowError):
        return None


def character_literal(text: str) -> Integer | None:
    """A plain character constant, an ``int``; None for wide and multi-character constants."""
    codes = _codes(text[1:-1]) if text.startswith("'") else None
    return integer(integer(codes[0], _char()).value, INT) if codes is not None and len(codes) == 1 else None


def string_literal(text: str) -> list[int] | None:
    """The bytes of (adjacent) plain string literals as ``char`` values, without the final NUL; None for wide ones."""
    result: list[int] = []
    position = 0
    for match in _STRING_PART.finditer(text):
        if text[position : match.start()].strip() or match[1] not in (None, "u8"):
            return None
        codes = _codes(match[2])
        if codes is None:
            return None
        result += codes
        position = match.end()
    if position == 0 or text[position:].strip():
        return None
    return [integer(code, _char()).value for code in result]


def _char() -> IntType:
    return IntType("char", 8, True)


def _codes(body: str) -> list[int] | None:
    codes: list[int] = []
    position = 0
    for match in _ESCAPE.finditer(body):
        if match.start() != position:
            return None
        position = match.end()
        if match[1] is not None or match[2] is not None:
            value = int(match[1], 16) if match[1] is not None else int(match[2], 8)
            if value > 255:
                return None
            codes.append(value)
        elif match[3] is not None:
            if match[3] in "uUN" or (match[3].isalnum() and match[3] not in _ESCAPES):
                return None
            codes.append(_ESCAPES.get(match[3], ord(match[3])))
        else:
            codes += match[4].encode("utf-8", "surrogateescape")
    return codes if position == len(body) else None


def promoted(ctype: CType) -> CType:
    """The type after the integer promotions (6.3.1.1p2)."""
    return INT if isinstance(ctype, IntType) and ctype.width < 32 else ctype


def common(left: CType, right: CType) -> IntType | FloatType | None:
    """The type of the usual arithmetic conversions (6.3.1.8), or None when a side is not a number."""
    if not isinstance(left, IntType | FloatType) or not isinstance(right, IntType | FloatType):
        return None
    if isinstance(left, FloatType) or isinstance(right, FloatType):
        wide = any(isinstance(side, FloatType) and side.width == 64 for side in (left, right))
        return DOUBLE if wide else FLOAT
    one, two = promoted(left), promoted(right)
    assert isinstance(one, IntType) and isinstance(two, IntType)  # noqa: S101 -- promotion keeps integers
    if one.signed == two.signed:
        return _unqualified(max(one, two, key=_rank))
    unsigned, signed = (two, one) if one.signed else (one, two)
    if _rank(unsigned) >= _rank(signed):
        return _unqualified(unsigned)
    if signed.width > unsigned.width:
        return _unqualified(signed)
    result = BASIC[f"unsigned {signed.name}"]
    return result if isinstance(result, IntType) else UINT


def _unqualified(ctype: IntType) -> IntType:
    return IntType(ctype.name, ctype.width, ctype.signed)


def _rank(ctype: IntType) -> int:
    return 3 if "long long" in ctype.name else 2 if "long" in ctype.name else 1


def converted(value: Number, ctype: CType) -> Number | None:
    """The value converted to a number type (6.3.1); None when C does not define it."""
    if isinstance(ctype, IntType):
        if isinstance(value, Integer):
            return integer(value.value, ctype)
        number = value.number
        if ctype.width == 1:
            return integer(int(number != 0), ctype)
        if number != number or abs(number) == float("inf"):
            return None
        whole = int(number)
        wrapped = integer(whole, ctype)
        return wrapped if wrapped.value == whole else None
    if isinstance(ctype, FloatType):
        if isinstance(value, Integer):
            return floating(Fraction(value.value), ctype)
        if value.number != value.number:
            return Floating(value.bits, leaf_type(ctype), ctype.width) if value.width == ctype.width else None
        return floating(value.number, ctype)
    return None


def preimage(value: Number, source: CType, target: CType) -> list[Number] | None:
    """The values of type ``source`` that convert to ``value`` of type ``target``: none, one, or None for several."""
    if isinstance(source, IntType) and isinstance(target, IntType) and isinstance(value, Integer):
        if target.width == 1 and source.width != 1:
            return [integer(0, source)] if value.value == 0 else None
        if target.width < source.width:
            return None
        back = integer(value.value, source) if source.width > 1 or value.value in (0, 1) else None
        return [back] if back is not None and integer(back.value, target) == value else []
    if isinstance(target, FloatType) and isinstance(value, Floating):
        number = value.number
        if number != number or (number == 0.0 and isinstance(source, FloatType)):
            return None
        if isinstance(source, FloatType):
            if source.width > target.width:
                return None
            smaller = floating(number, source)
            return [smaller] if smaller is not None and smaller.number == number else []
        if isinstance(source, IntType):
            exact = 53 if target.width == 64 else 24
            if source.width > exact and abs(number) >= 2**exact:
                return None
            if number != int(number):
                return []
            whole = integer(int(number), source)
            return [whole] if whole.value == int(number) else []
    return None


def binary(op: str, left: Number, right: Number) -> Number | None:
    """``left op right`` for arithmetic, bitwise, shift and comparison operators; None when it is undefined."""
    if op in ("<<", ">>"):
        return _shift(op, left, right)
    ctype = common(_type(left), _type(right))
    if ctype is None:
        return None
    one, two = converted(left, ctype), converted(right, ctype)
    if one is None or two is None:
        return None
    if isinstance(one, Floating) or isinstance(two, Floating):
        return _float_binary(op, one, two, ctype) if isinstance(ctype, FloatType) else None
    a, b = one.value, two.value
    if op in _COMPARISONS:
        return integer(int(_COMPARISONS[op](a, b)), INT)
    if op in ("/", "%"):
        if b == 0:
            return None
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return _checked(quotient if op == "/" else a - b * quotient, ctype)
    if op not in _ARITHMETIC:
        return None
    return _checked(_ARITHMETIC[op](a, b), ctype)


_COMPARISONS = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
_ARITHMETIC = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}


def _checked(value: int, ctype: CType) -> Integer | None:
    if not isinstance(ctype, IntType):
        return None
    wrapped = integer(value, ctype)
    return None if ctype.signed and wrapped.value != value else wrapped


def _float_binary(op: str, left: Number, right: Number, ctype: FloatType) -> Number | None:
    if not isinstance(left, Floating) or not isinstance(right, Floating):
        return None
    a, b = left.number, right.number
    if op in _COMPARISONS:
        return integer(int(_COMPARISONS[op](a, b)), INT)
    if op == "/":
        return floating(a / b, ctype) if b != 0 else None
    if op in ("+", "-", "*"):
        result = _ARITHMETIC[op](a, b)
        return None if result != result or abs(result) == float("inf") else floating(result, ctype)
    return None


def _shift(op: str, left: Number, right: Number) -> Integer | None:
    ctype = promoted(_type(left))
    if not isinstance(left, Integer) or not isinstance(right, Integer) or not isinstance(ctype, IntType):
        return None
    if not 0 <= right.value < ctype.width or (op == "<<" and ctype.signed and left.value < 0):
        return None
    if op == ">>":
        return integer(left.value >> right.value, ctype)
    return _checked(left.value << right.value, ctype)


def negated(value: Number) -> Number | None:
    """``-value``; None on overflow."""
    if isinstance(value, Floating):
        sign = 1 << (value.width - 1)
        return Floating(value.bits ^ sign, value.type, value.width)
    ctype = promoted(_type(value))
    return _checked(-value.value, ctype)


def complement(value: Number) -> Integer | None:
    """``~value``."""
    ctype = promoted(_type(value))
    return integer(~value.value, ctype) if isinstance(value, Integer) and isinstance(ctype, IntType) else None


def _type(value: Number) -> CType:
    if isinstance(value, Floating):
        return FloatType(value.type, value.width)
    return IntType(value.type, value.width, value.signed)


def is_true(value: Number) -> bool:
    """Whether the value compares unequal to 0."""
    return value.value != 0 if isinstance(value, Integer) else value.number != 0
