"""Preprocessed C text → syntax tree: line markers, GNU extensions, and what to do where parsing fails.

The text comes from ``gcc -E``. Line markers become a table, so that every node can be traced to its own file
and line; attributes, ``asm`` labels and alternate keywords, which pycparser does not know, are taken out;
a function body or declaration that still cannot be parsed is dropped and named, and the rest is used.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.pins.c_types import (
    Node,
)
from pycparser import c_parser  # type: ignore[import-untyped]

_MARKER = re.compile(r'#(?:line)? *(\d+) "((?:[^"\\]|\\.)*)"')
_TOKEN = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|[A-Za-z_$][\w$]*|\.?\d(?:[eEpP][+-]|[\w.])*|\s+|.', re.DOTALL
)
_ERROR_PLACE = re.compile(r"[^:]*:(\d+)(?::(\d+))?:")
_WORDS = {
    "__extension__": "",
    "__inline": "inline",
    "__inline__": "inline",
    "__restrict": "",
    "__restrict__": "",
    "__const": "const",
    "__const__": "const",
    "__volatile": "volatile",
    "__volatile__": "volatile",
    "__signed": "signed",
    "__signed__": "signed",
    "__alignof__": "_Alignof",
    "__alignof": "_Alignof",
    "__builtin_va_list": "int",
    "__thread": "",
    "_Float128": "long double",
    "_Float64x": "long double",
    "__float128": "long double",
    "_Float32": "float",
    "_Float64": "double",
    "_Float32x": "double",
}
_ATTRIBUTES = frozenset({"__attribute__", "__attribute", "__declspec"})
_ASSEMBLY = frozenset({"asm", "__asm", "__asm__"})
_PACKING = frozenset({"packed", "__packed__", "aligned", "__aligned__"})
_RETYPING = frozenset({"mode", "__mode__", "vector_size", "__vector_size__", "transparent_union", "cleanup",
                       "__cleanup__", "__transparent_union__", "scalar_storage_order"})  # fmt: skip
_NEVER_RETURNING = frozenset({"noreturn", "__noreturn__", "_Noreturn"})
_RENAMING = frozenset({"alias", "__alias__", "weakref", "__weakref__", "ifunc", "__ifunc__"})
_BEFORE_MAIN = frozenset({"constructor", "__constructor__"})
_NAME = re.compile(r"[A-Za-z_]\w*")
_MEMBER = re.compile(r"(?:(?<=[\w>])\s{1,20}|(?<=[*&])\s{0,20})([A-Za-z_]\w*)(?=\s{0,3}\()")
_MOST_RETRIES = 40
SHIM_PREFIX = "<clausefit>/"
"""How the line markers of our stand-in headers begin."""
ASSEMBLY_CALL = "cf_inline_assembly"


@dataclass
class _Chunk:
    """One external declaration in the cleaned text; ``body`` is where a function's ``{`` is."""

    start: int
    end: int
    name: str | None
    body: int | None


@dataclass
class Unit:
    """A parsed translation unit: the tree (None when there is none), where its lines came from, what was left out.

    ``dropped`` are the names in the project's code that was left out, ``members`` what looks like a function in it,
    ``dropped_bodies`` the functions (with their files) whose bodies were. ``noreturn`` functions do not come back;
    calls of ``renamed`` ones lead to others (an assembler name, an alias); ``runs_early``: code of the file runs
    before ``main``.
    """

    tree: Node
    places: list[tuple[str, int]]
    entered: frozenset[str] = frozenset()
    poisoned: frozenset[str] = frozenset()
    packed: bool = False
    not_checked: list[NotChecked] = field(default_factory=list)
    noreturn: frozenset[str] = frozenset()
    renamed: frozenset[str] = frozenset()
    runs_early: bool = False
    dropped: set[str] = field(default_factory=set)
    members: set[str] = field(default_factory=set)
    dropped_bodies: dict[str, str] = field(default_factory=dict)

    def place(self, node: Node) -> tuple[str, int]:
        """The file and line that a node was written in (``("?", 0)`` when it has no place)."""
        coord = getattr(node, "coord", None)
        line = coord.line if coord is not None and coord.line else 0
        return self.places[line - 1] if 0 < line <= len(self.places) else ("?", 0)


def is_system(file: str) -> bool:
    """Whether a line marker's file is a system header, one of gcc's own, or one of our shims."""
    return file.startswith(("/", "<"))


def _mapped_lines(text: str) -> tuple[list[str], list[tuple[str, int]], frozenset[str], bool]:
    lines: list[str] = []
    places: list[tuple[str, int]] = []
    entered: set[str] = set()
    file, line, packed = "?", 1, False
    for raw in text.split("\n"):
        stripped = raw.lstrip()
        if stripped.startswith("#"):
            marker = _MARKER.match(stripped)
            if marker is not None:
                line, file = int(marker[1][:9]), marker[2].replace('\\"', '"').replace("\\\\", "\\")
                entered.add(file)
            else:
                packed = packed or ("pack" in stripped and not is_system(file))
                line += 1
            places.append((file, line if marker is None else line - 1))
            lines.append("")
            continue
        lines.append(raw)
        places.append((file, line))
        line += 1
    return lines, places, frozenset(entered), packed


class _Cleaner:
    """Takes GNU extensions out of a piece list; keeps every line break, so that lines still count right."""

    def __init__(self, text: str, places: list[tuple[str, int]]) -> None:
        self.pieces: list[str] = _TOKEN.findall(text)
        self.places = places
        self.poisoned: set[str] = set()
        self.packed = False
        self.noreturn: set[str] = set()
        self.renamed: set[str] = set()
        self.runs_early = False
        self._braces: dict[int, int] | None = None

    def run(self) -> str:
        """The cleaned text."""
        out: list[str] = []
        pieces, index, line, depth = self.pieces, 0, 0, 0
        previous, statement = "", 0
        closing: set[int] = set()
        while index < len(pieces):
            piece = pieces[index]
            end = index + 1
            if piece in _NEVER_RETURNING:
                self.noreturn.update(self._functions(statement))
            if piece in _ATTRIBUTES:
                end = self._group_end(index + 1)
                self._attribute(index, end, statement, line)
                out.append(self._breaks(index, end))
            elif piece in _ASSEMBLY:
                end = self._assembly_end(index)
                inside = depth > 0 and previous in (";", "{", "}", ":", "else", ")")
                if line < len(self.places) and not is_system(self.places[line][0]):
                    self.renamed.update(self._functions(statement))
                out.append((f"{ASSEMBLY_CALL}()" if inside else "") + self._breaks(index, end))
            elif piece == "extern" and (brace := self._linkage(index)) is not None:
                end, opened = brace
                if opened:
                    closing.add(self._brace_end(end - 1))
                out.append(("" if opened else "extern ") + self._breaks(index, end))
            elif index in closing:
                out.append("")
            else:
                out.append(_WORDS.get(piece, piece))
                depth += (piece == "{") - (piece == "}")
                if piece in (";", "{", "}"):
                    statement = index + 1
            line += sum(t.count("\n") for t in pieces[index:end])
            previous = piece if not piece.isspace() else previous
            index = end
        return "".join(out)

    def _breaks(self, start: int, end: int) -> str:
        return " " + "\n" * sum(piece.count("\n") for piece in self.pieces[start:end])

    def _solid(self, index: int) -> int:
        while index < len(self.pieces) and self.pieces[index].isspace():
            index += 1
        return index

    def _group_end(self, index: int) -> int:
        """One past the ``)`` that closes the group that starts at or after ``index``."""
        start = self._solid(index)
        if start >= len(self.pieces) or self.pieces[start] != "(":
            return index
        depth = 0
        for position in range(start, len(self.pieces)):
            depth += (self.pieces[position] == "(") - (self.pieces[position] == ")")
            if depth == 0:
                return position + 1
        return len(self.pieces)

    def _brace_end(self, start: int) -> int:
        if self._braces is None:
            self._braces, opened = {}, []
            for index, piece in enumerate(self.pieces):
                if piece == "{":
                    opened.append(index)
                elif piece == "}" and opened:
                    self._braces[opened.pop()] = index
        return self._braces.get(start, len(self.pieces))

    def _assembly_end(self, index: int) -> int:
        index += 1
        while (solid := self._solid(index)) < len(self.pieces) and self.pieces[solid] in (
            "volatile", "__volatile__", "__volatile", "goto", "inline",
        ):  # fmt: skip
            index = solid + 1
        return self._group_end(index)

    def _linkage(self, index: int) -> tuple[int, bool] | None:
        """For ``extern "C"``: one past it (and its brace), and whether a brace was opened."""
        text = self._solid(index + 1)
        if text >= len(self.pieces) or self.pieces[text] not in ('"C"', '"C++"'):
            return None
        after = self._solid(text + 1)
        if after < len(self.pieces) and self.pieces[after] == "{":
            return after + 1, True
        return text + 1, False

    def _attribute(self, start: int, end: int, statement: int, line: int) -> None:
        words = set(self.pieces[start:end])
        if words & _NEVER_RETURNING:
            self.noreturn.update(self._functions(statement))
        self.runs_early = self.runs_early or bool(words & _BEFORE_MAIN)
        own = line < len(self.places) and not is_system(self.places[line][0])
        if own and words & _RENAMING:
            self.renamed.update(self._functions(statement))
        if words & _RETYPING or (own and words & _RENAMING):
            stop = end
            while stop < min(len(self.pieces), end + 200) and self.pieces[stop] not in (";", "{"):
                stop += 1
            near = self.pieces[max(statement, start - 200) : start] + self.pieces[end:stop]
            self.poisoned.update(piece for piece in near if piece.isidentifier())
        self.packed = self.packed or (own and bool(words & _PACKING))

    def _functions(self, statement: int) -> set[str]:
        """The functions that are declared in the statement that begins there."""
        found: set[str] = set()
        index = statement
        while index < min(len(self.pieces), statement + 400) and self.pieces[index] not in (";", "{"):
            if self.pieces[index] in _ATTRIBUTES | _ASSEMBLY:
                index = self._group_end(index + 1)
                continue
            following = self._solid(index + 1)
            if self.pieces[index].isidentifier() and self.pieces[following : following + 1] == ["("]:
                found.add(self.pieces[index])
            index += 1
        return found


def _chunks(text: str) -> list[_Chunk]:
    """The external declarations of the cleaned text."""
    chunks: list[_Chunk] = []
    start, depth, parens, position = 0, 0, 0, 0
    name: str | None = None
    body: int | None = None
    last = word = ""
    for piece in _TOKEN.findall(text):
        end = position + len(piece)
        if not piece.isspace():
            if depth == 0 and piece == "(":
                if parens == 0 and name is None and word and last == word:
                    name = word
                parens += 1
            elif depth == 0 and piece == ")":
                parens = max(0, parens - 1)
            elif piece == "{":
                if depth == 0 and last == ")":
                    body = position
                depth += 1
            elif piece == "}":
                depth = max(0, depth - 1)
            done = depth == 0 and ((piece == ";" and parens == 0) or (piece == "}" and body is not None))
            word = piece if piece.isidentifier() else word
            last = piece
            if done:
                chunks.append(_Chunk(start, end, name, body))
                start, name, body, parens = end, None, None, 0
        position = end
    if text[start:].strip():
        chunks.append(_Chunk(start, len(text), name, body))
    return chunks


def _blank(text: str, start: int, end: int, put: str) -> str:
    """The text with a stretch blanked out, every offset and line kept."""
    gone = "".join(character if character == "\n" else " " for character in text[start:end])
    return text[:start] + put + gone[len(put) :] + text[end:]


def parse_unit(preprocessed: str) -> Unit:
    """The tree of a preprocessed file; ``Unit.tree`` is None when nothing could be parsed (the reason is listed)."""
    lines, places, entered, packed = _mapped_lines(preprocessed)
    cleaner = _Cleaner("\n".join(lines), places)
    text = cleaner.run()
    unit = Unit(
        None, places, entered, frozenset(cleaner.poisoned), packed or cleaner.packed,
        noreturn=frozenset(cleaner.noreturn), renamed=frozenset(cleaner.renamed), runs_early=cleaner.runs_early,
    )  # fmt: skip
    chunks = _chunks(text)
    starts = [chunk.start for chunk in chunks]
    message = ""
    tries = _MOST_RETRIES
    while tries > 0:
        tree, message = _parsed(text)
        tries -= 1
        if not message:
            unit.tree = tree
            return unit
        offset = _offset(text, message)
        index = bisect_right(starts, offset) - 1 if offset is not None else -1
        if index < 0 or not text[chunks[index].start : chunks[index].end].strip(" \n;"):
            index, used = _first_bad(text, chunks)
            tries -= used
        if index < 0:
            break
        text = _without(text, chunks[index], unit, message)
    unit.not_checked.append(NotChecked(places[0][0] if places else "?", None, "parse_error", f"not parsed: {message}"))
    return unit


def _parsed(text: str) -> tuple[Node, str]:
    """The tree, or None and what went wrong."""
    try:
        return c_parser.CParser().parse(text, "cf"), ""
    except c_parser.ParseError as error:
        return None, str(error) or "syntax"
    except Exception as error:
        # Hostile text may break the parser itself in any way; that is told, and only that part of the file is left out.
        return None, f"{type(error).__name__} in the C parser"


def _first_bad(text: str, chunks: list[_Chunk]) -> tuple[int, int]:
    """The first declaration with which the text cannot be parsed (-1: none), and how often that was tried."""
    low, high, used = 0, len(chunks), 0
    if not chunks or not _parsed(text[: chunks[-1].end])[1]:
        return -1, 1
    while low + 1 < high:  # parsed with `low` declarations, not with `high`
        middle = (low + high) // 2
        used += 1
        if _parsed(text[: chunks[middle - 1].end])[1]:
            high = middle
        else:
            low = middle
    empty = not text[chunks[high - 1].start : chunks[high - 1].end].strip(" \n;")
    return -1 if empty else high - 1, used + 1


def _offset(text: str, message: str) -> int | None:
    place = _ERROR_PLACE.match(message)
    if place is None:
        return None
    offset = 0
    for _ in range(int(place[1]) - 1):
        offset = text.find("\n", offset) + 1
        if offset == 0:
            return None
    return offset + (int(place[2]) - 1 if place[2] else 0)


def _without(text: str, chunk: _Chunk, unit: Unit, message: str) -> str:
    """The text without the chunk's body (its declaration without it, the second time), and a note of it."""
    offset = _offset(text, message)
    is_inside = offset is not None and chunk.start <= offset < chunk.end
    line = text.count("\n", 0, offset if is_inside else _first_solid(text, chunk.start))
    file, number = unit.places[min(line, len(unit.places) - 1)]
    why = message.split(": ", 1)[-1].strip() or "syntax"
    what = f"function {chunk.name}" if chunk.body is not None else "a declaration"
    unit.not_checked.append(
        NotChecked(file, chunk.name if chunk.body is not None else None, "parse_error",
                   f"{what} could not be parsed ({why}) and was left out", number)
    )  # fmt: skip
    if not is_system(file):
        unit.dropped.update(_NAME.findall(text, chunk.start, chunk.end))
        if chunk.body is None:
            unit.members.update(_MEMBER.findall(text, chunk.start, chunk.end))
    if chunk.body is not None:
        if chunk.name is not None:
            unit.dropped_bodies[chunk.name] = file
        start, chunk.body = chunk.body, None
        return _blank(text, start, chunk.end, ";")
    return _blank(text, chunk.start, chunk.end, "")


def _first_solid(text: str, start: int) -> int:
    while start < len(text) and text[start].isspace():
        start += 1
    return start
