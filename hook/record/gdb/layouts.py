"""gdb's types as plain data that can be sent along with a call. Runs inside gdb; standard library only.

A description is a dict: ``k`` is ``int``, ``flt``, ``ptr``, ``arr``, ``struct``, ``func``, ``void`` or ``no`` (not
supported, ``no`` says why), ``s`` the size in bytes. A struct is ``open`` once its fields were asked for: pointers lead
to whole graphs of types, of which few are needed.
"""

from __future__ import annotations

import re
from typing import Any

import gdb  # type: ignore[import-untyped]

Description = dict[str, Any]

_DEPTH = 12
_FIELDS = 256
_RESERVED = re.compile(r"_[A-Z_]")  # C17 §7.1.3: names of the implementation
_UNDERLYING = {
    (1, True): "signed char",
    (1, False): "unsigned char",
    (2, True): "short",
    (2, False): "unsigned short",
    (4, True): "int",
    (4, False): "unsigned int",
    (8, True): "long",
    (8, False): "unsigned long",
}


class Layouts:
    """All types met in one process. ``fresh`` holds the numbers whose descriptions were not sent yet."""

    def __init__(self) -> None:
        self.descriptions: list[Description] = []
        self.fresh: list[int] = []
        self._gdb: list[Any] = []
        self._numbers: dict[Any, int] = {}
        self._pointers: dict[int, list[tuple[int, int]]] = {}

    def send_again(self) -> None:
        """All descriptions are to be sent: to the file of another process."""
        self.fresh[:] = range(len(self.descriptions))

    def number(self, gdb_type: Any, depth: int = 0) -> int:
        """The number under which a type is described."""
        key = _key(gdb_type)
        if key in self._numbers:
            return self._numbers[key]
        number = self._numbers[key] = len(self.descriptions)
        self.descriptions.append({"k": "no", "s": 0, "no": "a type that is not supported"})
        self._gdb.append(gdb_type)
        self.descriptions[number] = self._described(gdb_type, depth)
        self.fresh.append(number)
        return number

    def opened(self, number: int, depth: int = 0) -> Description:
        """The description with the fields of structs, also of those inside of it."""
        what = self.descriptions[number]
        if depth > _DEPTH:
            return {"k": "no", "s": 0, "no": "a type that is nested too deeply"}
        if what["k"] == "struct" and "f" not in what:
            what["f"] = None
            fields = self._fields(self._gdb[number].strip_typedefs(), what)
            for _, _, member in fields or ():
                inner = self.opened(member, depth + 1)
                why = inner.get("no")
                if why is not None:
                    what["no"], fields = why, None
                    break
            what["f"] = fields
            self.fresh.append(number)
        elif what["k"] == "arr":
            why = self.opened(what["t"], depth + 1).get("no")
            if why is not None:
                what["no"] = why
        return what

    def pointers(self, number: int) -> list[tuple[int, int]]:
        """Where an object of the type has pointers, and the numbers of their types."""
        if number not in self._pointers:
            self._pointers[number] = list(self._find_pointers(number, 0))
        return self._pointers[number]

    def leaves(self, number: int) -> int:
        """How many scalars an object of the type has."""
        what = self.descriptions[number]
        if what["k"] == "arr":
            return int(what["c"]) * self.leaves(what["t"])
        if what["k"] == "struct":
            return sum(self.leaves(member) for _, _, member in what.get("f") or ())
        return 1

    def _find_pointers(self, number: int, base: int) -> Any:
        what = self.descriptions[number]
        if what["k"] == "ptr":
            yield base, number
        elif what["k"] == "arr":
            inner = self.pointers(what["t"])
            size = self.descriptions[what["t"]]["s"]
            for index in range(what["c"] if inner else 0):
                for offset, one in inner:
                    yield base + index * size + offset, one
        elif what["k"] == "struct":
            for _, offset, member in what.get("f") or ():
                yield from self._find_pointers(member, base + offset)

    def _described(self, gdb_type: Any, depth: int) -> Description:
        bare = gdb_type.strip_typedefs()
        plain = bare.unqualified()
        size = _size(bare)
        shown: dict[str, Any] = {"s": size, "const": _has(bare, "const"), "volatile": _has(bare, "volatile")}
        code = plain.code
        if shown["volatile"]:
            return {**shown, "k": "no", "no": "volatile memory is not supported"}
        if code == gdb.TYPE_CODE_PTR:
            return {**shown, "k": "ptr", "t": self.number(plain.target(), depth + 1)}
        if code == gdb.TYPE_CODE_ARRAY:
            return self._array(plain, shown, depth)
        if code == gdb.TYPE_CODE_STRUCT:
            typedef = gdb_type.unqualified().name if gdb_type.code == gdb.TYPE_CODE_TYPEDEF else None
            tag = plain.name or plain.tag
            if not size:
                shown["no"] = "a type of which the program does not say what it holds"
            elif _RESERVED.match(tag or ""):
                shown["no"] = "a type of the C library"  # such as FILE: a verifier's headers have other fields
            return {**shown, "k": "struct", "tag": tag, "typedef": typedef}
        if code == gdb.TYPE_CODE_VOID:
            return {**shown, "k": "void", "no": "memory of type void"}
        if code == gdb.TYPE_CODE_FUNC:
            parameters = [self.number(f.type, depth + 1) for f in plain.fields()]
            return {
                **shown,
                "k": "func",
                "no": "a function",
                "r": self.number(plain.target(), depth + 1),
                "p": parameters,
            }
        return {**shown, **_scalar(plain, size)}

    def _array(self, plain: Any, shown: Description, depth: int) -> Description:
        try:
            low, high = plain.range()
            count = int(high) - int(low) + 1
        except (gdb.error, TypeError, ValueError, RuntimeError):
            count = 0
        element = plain.target()
        if count <= 0 or not _size(element) or _size(element) * count != shown["s"] or "vector_size" in str(plain):
            return {**shown, "k": "no", "no": "an array of unknown length"}
        return {**shown, "k": "arr", "t": self.number(element, depth + 1), "c": count}

    def _fields(self, plain: Any, what: Description) -> list[tuple[str, int, int]] | None:
        found: list[tuple[str, int, int]] = []
        for field in plain.fields():
            if not hasattr(field, "bitpos"):
                continue  # a static member of C++
            reason = None
            if field.is_base_class or field.artificial:
                reason = "a class with a base or virtual functions is not supported"
            elif field.bitsize:
                reason = "bit-fields are not supported"
            elif not field.name:
                reason = "a struct or union without a name inside of a struct is not supported"
            elif len(found) >= _FIELDS:
                reason = "a struct with very many fields"
            if reason is not None:
                what["no"] = reason
                return None
            found.append((field.name, field.bitpos // 8, self.number(field.type)))
        if not found:
            what.setdefault("no", "a struct without fields")
            return None
        return found


def _scalar(plain: Any, size: int) -> Description:
    code, name = plain.code, plain.name or ""
    if is_swapped(plain):
        return {"k": "no", "no": "memory of another byte order is not supported"}
    if name == "char" and size == 1 and int(gdb.Value(-1).cast(plain)) > 0:
        return {"k": "no", "no": "char has no sign in this program (-funsigned-char), and has one where it is checked"}
    if code == gdb.TYPE_CODE_ENUM:
        name = _UNDERLYING.get((size, int(gdb.Value(-1).cast(plain)) < 0), "")
        if name:
            return {"k": "int", "n": name}
    elif code == gdb.TYPE_CODE_BOOL:
        return {"k": "int", "n": "_Bool"}
    elif code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR):
        return {"k": "int", "n": name}
    elif code == gdb.TYPE_CODE_FLT and (name, size) in (("float", 4), ("double", 8)):
        return {"k": "flt", "n": name}
    elif code == gdb.TYPE_CODE_UNION:
        tag = plain.name or plain.tag
        return {"k": "no", "no": "unions are not supported", **({"n": f"union {tag}"} if tag else {})}
    return {"k": "no", "no": f"the type {str(plain)[:80]} is not supported"}


def is_swapped(plain: Any) -> bool:
    """Whether a scalar lies in memory with its highest byte first (``scalar_storage_order``)."""
    size = _size(plain)
    if plain.code not in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_ENUM) or size not in (2, 4, 8):
        # Of a float of 1: the exponent is in the two highest bytes.
        if plain.code != gdb.TYPE_CODE_FLT or size not in (4, 8):
            return False
        one = b"\0\0\x80\x3f" if size == 4 else b"\0\0\0\0\0\0\xf0\x3f"
        return float(gdb.Value(one, plain)) != 1.0
    return int(gdb.Value(b"\1" + bytes(size - 1), plain)) != 1


def _size(gdb_type: Any) -> int:
    try:
        return int(gdb_type.strip_typedefs().sizeof or 0)
    except (gdb.error, TypeError):
        return 0


def _has(gdb_type: Any, word: str) -> bool:
    """Whether the type itself (not what it points to) has the qualifier; gdb's Python has no question for that."""
    if gdb_type.code == gdb.TYPE_CODE_ARRAY:
        return _has(gdb_type.target(), word)
    text = str(gdb_type)
    if gdb_type.code == gdb.TYPE_CODE_PTR:
        return word in text.rpartition("*")[2].split()
    return gdb_type.code != gdb.TYPE_CODE_FUNC and word in text.split("{")[0].split()


def _key(gdb_type: Any) -> Any:
    # Two files may have different structs of one name: what they hold tells them apart.
    bare = gdb_type.strip_typedefs()
    plain = bare
    for _ in range(_DEPTH):
        if plain.code not in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_ARRAY):
            break
        plain = plain.target().strip_typedefs()
    fields: Any = ()
    if plain.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        fields = tuple(
            (f.name, getattr(f, "bitpos", None), str(f.type), _innermost_is_swapped(f.type))
            for f in plain.fields()[:_FIELDS]
        )
    return str(gdb_type), str(bare), bare.code, _size(bare), fields, plain.name, _innermost_is_swapped(plain)


def _innermost_is_swapped(gdb_type: Any) -> bool:
    plain = gdb_type.strip_typedefs()
    for _ in range(_DEPTH):
        if plain.code != gdb.TYPE_CODE_ARRAY:
            break
        plain = plain.target().strip_typedefs()
    return is_swapped(plain)
