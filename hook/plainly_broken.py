"""What of a clause's formula no verifier of ACSL or JML could read, seen without one (pure).

Only what is certain: brackets that do not fit together, and an operator with nothing behind it. Everything else is a
verifier's matter.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""
      "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*'
    | <==> | ==> | <== | \^\^ | && | \|\| | == | != | <= | >= | -> | \.\. | \\?\w+ | \S
    """,
    re.VERBOSE,
)
_CLOSES = {")": "(", "]": "[", "}": "{"}
_NEVER_LAST = frozenset(("<==>", "==>", "^^", "&&", "||", "==", "!=", "<=", "+", "-", "/", "%", "!", "~"))
"""Operators that need an operand behind them; not those that also end a type or a range (``*``, ``>``, ``..``)."""


def plainly_broken(formula: str) -> str | None:
    """Why the formula cannot be read, as a part of a sentence; None where that is not plain to see."""
    waiting: list[str] = []
    before = ""
    for match in _TOKEN.finditer(formula):
        token = match[0]
        if token in _CLOSES:
            if before in _NEVER_LAST:
                return f"nothing follows `{before}`"
            if not waiting or waiting.pop() != _CLOSES[token]:
                return f"a `{token}` closes nothing"
        elif token in _CLOSES.values():
            waiting.append(token)
        before = token
    if before in _NEVER_LAST:
        return f"nothing follows `{before}`"
    return f"a `{waiting[-1]}` is not closed" if waiting else None
