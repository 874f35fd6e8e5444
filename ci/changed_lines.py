"""Which lines of a file's head side a pull request adds, by the patch that ``GET pulls/N/files`` gives for the file.

GitHub accepts review comments on lines that the diff shows; we use only those that it adds. Source of the format:
the unified diff of POSIX ``diff -u``, as git writes it (without the file's header lines).
"""

from __future__ import annotations

import re

_HUNK = re.compile(r"@@ -\d{1,9}(?:,\d{1,9})? \+(\d{1,9})(?:,(\d{1,9}))? @@")


def added_lines(patch: str | None) -> frozenset[int]:
    """The numbers of the added lines; none for a file without patch (binary, too large, only renamed).

    A patch that is cut off or is none gives the lines up to there: those after it could have other numbers.
    """
    added: set[int] = set()
    line, left = 0, 0
    # Only line feeds end lines here: form feeds and Unicode's separators are part of a line to git.
    for text in (patch or "").split("\n"):
        hunk = _HUNK.match(text)
        if hunk is not None and left <= 0:
            line, left = int(hunk[1]), int(hunk[2] if hunk[2] is not None else 1)
        elif text.startswith("+") and left > 0:
            added.add(line)
            line, left = line + 1, left - 1
        elif (text.startswith(" ") or not text) and left > 0:
            line, left = line + 1, left - 1
        elif not text.startswith(("-", "\\")) and text:
            break
    return frozenset(added)
