"""What the compiler makes of a source: which of its contracts are compiled at all, and with which macros.

Contracts are read from all branches of conditionals, and a stub stands at the end of the source. So a contract in a
branch that is not compiled, or one whose macros mean something else at the end, is not what would be judged.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from clausefit.hook.contracts.model import Contract

_MARKER = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)"')
_DEFINE = re.compile(r"#(?:define|undef) ([A-Za-z_]\w*)")
_CONDITIONAL = re.compile(r"[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif)\b")


@dataclass
class CompiledCode:
    """The lines of each file that preprocessing leaves, where each is in the output, and the macros' history."""

    lines: dict[str, list[int]] = field(default_factory=dict)
    places: dict[tuple[str, int], int] = field(default_factory=dict)
    macros: dict[str, list[tuple[int, str]]] = field(default_factory=dict)

    def macro_at(self, name: str, place: int | None = None) -> str | None:
        """The directive that gives the macro its meaning there (None: at the end); None when it has none."""
        history = self.macros.get(name, [])
        before = [text for where, text in history if place is None or where < place]
        return before[-1] if before and before[-1].startswith("#define") else None


def compiled_code(preprocessed: str) -> CompiledCode:
    """What the output of ``gcc -E -dD`` says."""
    found, file, number = CompiledCode(), "", 1
    for place, text in enumerate(preprocessed.split("\n")):
        marker = _MARKER.match(text)
        if marker:
            number, file = int(marker[1]), marker[2]
            continue
        directive = _DEFINE.match(text)
        if directive:
            found.macros.setdefault(directive[1], []).append((place, text))
        elif text.strip() and not text.startswith("#") and (file, number) not in found.places:
            found.places[file, number] = place
            found.lines.setdefault(file, []).append(number)
        number += 1
    for lines in found.lines.values():
        lines.sort()
    return found


def why_other(
    contract: Contract, code: CompiledCode, text: Callable[[str], str | None], used: Collection[str]
) -> str | None:
    """Why the contract is not the one that is compiled; None when it is.

    ``text`` gives a file's text, ``used`` are the names that the contract depends on.
    """
    for file, line in _ends(contract).items():
        lines = code.lines.get(file, [])
        index = bisect_left(lines, line)
        following = lines[index] if index < len(lines) else None
        between = (text(file) or "").split("\n")[line : following - 1] if following is not None else []
        if following is None or any(_CONDITIONAL.match(one) for one in between):
            return "the contract stands in code that is not compiled"
        place = code.places[file, following]
        for name in sorted(used):
            if code.macro_at(name, place) != code.macro_at(name):
                return f"the macro {name} means something else at the contract than at the end of the file"
    return None


def _ends(contract: Contract) -> dict[str, int]:
    """For each file that holds clauses of the contract the line where the last one ends."""
    found: dict[str, int] = {}
    for clause in contract.clauses:
        file = clause.file or contract.file
        found[file] = max(found.get(file, 0), clause.span.end_line)
    return found
