"""The files that a verifier reads: copies of a translation unit without its lemmas.

A false lemma would make every later goal provable (DESIGN §5), so lemmas are blanked out; lines and columns
stay. Copies also keep ``#include`` below the workspace.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence

from clausefit.hook.contracts.model import NotChecked, SourceContracts

FOLDER = "w"
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include(?:_next)?[ \t]*(?P<target>[^\n]*)", re.MULTILINE)
_PLAIN = re.compile(r"[^\x00-\x1f\x7f\"\\<>]+")


def files_for(
    unit: SourceContracts, text_of: Callable[[str], str | None], blanked: Callable[[str], SourceContracts | None]
) -> tuple[tuple[str, str], ...] | NotChecked:
    """(path below the scratch folder, text) for the unit's file and the headers of the workspace that it includes.

    A ``NotChecked`` when an include leads out of the workspace or a name cannot be written into C.
    """
    files = []
    for path in (*unit.includes, unit.file):
        text = text_of(path)
        source = blanked(path)
        if text is None or source is None:
            return NotChecked(path, None, "missing_file", f"`{path}` cannot be read")
        if not _PLAIN.fullmatch(path):
            return NotChecked(path, None, "unsupported", "the file's name holds characters that C cannot include")
        problem = _leading_out(path, text)
        if problem is not None:
            return problem
        files.append((posixpath.join(FOLDER, path), without_lemmas(text, source)))
    return tuple(files)


def without_lemmas(text: str, source: SourceContracts) -> str:
    """The text with every lemma replaced by blanks; line ends stay."""
    for definition in source.definitions:
        if definition.kind == "lemma":
            start, end = definition.span.start, definition.span.end
            text = text[:start] + re.sub(r"[^\r\n]", " ", text[start:end]) + text[end:]
    return text


def prelude(unit: SourceContracts) -> str:
    """The line that brings the unit into the verifier's file."""
    return f'#include "{posixpath.join(FOLDER, unit.file)}"'


def options(include_dirs: Sequence[str], defines: Sequence[str], undefines: Sequence[str] = ()) -> tuple[str, ...]:
    """Preprocessor options for the copies."""
    folders = [f"-I{posixpath.normpath(posixpath.join(FOLDER, folder))}" for folder in include_dirs]
    return (*folders, *(f"-D{define}" for define in defines), *(f"-U{name}" for name in undefines))


def _leading_out(path: str, text: str) -> NotChecked | None:
    for match in _INCLUDE.finditer(text):
        target = match.group("target").strip()
        name = target.strip('<>"').split('"')[0].split(">")[0]
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if target[:1] in '<"' and (name.startswith("/") or joined.startswith("..")):
            line = text.count("\n", 0, match.start()) + 1
            return NotChecked(path, None, "unsupported", f"line {line} includes a file outside of the workspace", line)
    return None
