"""The files that a verifier reads: copies of a translation unit, reduced to what a stub can need.

Lemmas are blanked out, for a false one would make every later goal provable (DESIGN §5); contracts and
annotations of code as well, for the stubs hold the clauses themselves, and one that cannot be read would end
the whole run; and what no stub needs (``needed_text.py``). Lines and columns stay. Copies also keep ``#include``
below the workspace.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from clausefit.hook.contracts.acsl import annotation_kind, annotation_tokens
from clausefit.hook.contracts.acsl_tokens import Token
from clausefit.hook.contracts.c_tokens import tokenize_c
from clausefit.hook.contracts.model import NotChecked, SourceContracts
from clausefit.hook.needed_text import left_out

FOLDER = "w"
_PLAIN = re.compile(r"[^\x00-\x1f\x7f\"\\<>]+")
_READING = frozenset({"include", "include_next", "import", "embed"})
_DIRECTIVE = re.compile(r"\s*#\s*(include_next|include|import|embed)\b\s*(.*)", re.DOTALL)
_SPLICE = re.compile(r"\\[^\S\n]*+\n")
"""gcc joins lines at a backslash that blanks follow, too (GCC manual, "Initial processing")."""
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*+", re.DOTALL)
_AT_LINE_START = re.compile(
    r"""^(?:[^\S\n]|[\x00@]|(?!))*+(?:/[*/]@(?:[^\S\n]|[\x00@]|(?!))*+)?(?:\#|%:|\?\?=)(?:[^\S\n]|\x00|(?!))*+
    (?:(?:include_next|include|import|embed)\b(?:[^\S\n]|\x00|(?!))*+(?P<target>[^\n]*+)|/\*)""",
    re.MULTILINE | re.VERBOSE,
)


def files_for(
    unit: SourceContracts,
    text_of: Callable[[str], str | None],
    contracts_of: Callable[[str], SourceContracts | None],
    include_dirs: Sequence[str] = (),
) -> tuple[tuple[str, str], ...] | NotChecked:
    """(path below the scratch folder, text) for the unit's file and the headers of the workspace that it includes.

    A ``NotChecked`` when an include leads, or may lead, out of the workspace, or a name cannot be written into C.
    """
    read = []
    copied = frozenset((*unit.includes, unit.file))
    for path in (*unit.includes, unit.file):
        text = text_of(path)
        source = contracts_of(path)
        if text is None or source is None:
            return NotChecked(path, None, "missing_file", f"`{path}` cannot be read")
        if not _PLAIN.fullmatch(path):
            return NotChecked(path, None, "unsupported", "the file's name holds characters that C cannot include")
        tokens = tokenize_c(text)
        problem = _first_leading_out(path, text, tokens, copied, include_dirs)
        if problem is not None:
            return problem
        read.append((path, text, tokens, source))
    without = left_out([text for _path, text, _tokens, _source in read])
    return tuple(
        (posixpath.join(FOLDER, path), _reduced(text, tokens, source, more))
        for (path, text, tokens, source), more in zip(read, without, strict=True)
    )


def reduced(text: str, source: SourceContracts) -> str:
    """The text with lemmas, contracts and annotations of code replaced by blanks; line ends stay."""
    return _reduced(text, tokenize_c(text), source)


def _reduced(text: str, tokens: Sequence[Token], source: SourceContracts, more: Sequence[tuple[int, int]] = ()) -> str:
    starts = sorted(definition.span.start for definition in source.definitions)
    stretches = [(d.span.start, d.span.end) for d in source.definitions if d.kind == "lemma"]
    stretches += more
    for token in tokens:
        if token.kind != "annotation" or (not token.text.startswith("//") and not token.text.endswith("*/")):
            continue
        following = bisect_left(starts, token.start)
        if following < len(starts) and starts[following] < token.end:
            continue
        kind = annotation_kind(annotation_tokens(text, token.start, token.end))
        if kind in ("contract", "code", "unknown"):
            stretches.append((token.start, token.end))
    return _blanked(text, sorted(stretches))


def _blanked(text: str, stretches: Sequence[tuple[int, int]]) -> str:
    parts = []
    done = 0
    for start, end in stretches:
        if end > done:
            start = max(start, done)
            parts += [text[done:start], re.sub(r"[^\r\n]", " ", text[start:end])]
            done = end
    return "".join((*parts, text[done:]))


def prelude(unit: SourceContracts) -> str:
    """The line that brings the unit into the verifier's file."""
    return f'#include "{posixpath.join(FOLDER, unit.file)}"'


def options(include_dirs: Sequence[str], defines: Sequence[str], undefines: Sequence[str] = ()) -> tuple[str, ...]:
    """Preprocessor options for the copies."""
    folders = [f"-I{posixpath.normpath(posixpath.join(FOLDER, folder))}" for folder in include_dirs]
    return (*folders, *(f"-D{define}" for define in defines), *(f"-U{name}" for name in undefines))


# ---- includes -------------------------------------------------------------------------------------------------------


def _first_leading_out(
    path: str, text: str, tokens: Sequence[Token], copied: frozenset[str], include_dirs: Sequence[str]
) -> NotChecked | None:
    for offset, target in _targets(tokens):
        problem = _leading_out(path, target, copied, include_dirs)
        if problem is not None:
            line = text.count("\n", 0, offset) + 1
            return NotChecked(path, None, "unsupported", f"line {line} {problem}", line)
    return _first_hidden(path, text, copied, include_dirs)


def _first_hidden(path: str, text: str, copied: frozenset[str], include_dirs: Sequence[str]) -> NotChecked | None:
    """The same for every line that begins like an include, be it in what looks like a comment or a string.

    gcc and our tokens can differ on where those end (raw strings, spliced comment marks, quotes without an end in
    directives, NUL, which gcc takes for a blank), and Frama-C preprocesses annotations as well.
    """
    joined = _SPLICE.sub("", text)
    for match in _AT_LINE_START.finditer(joined):
        problem = _leading_out(path, _COMMENT.sub(" ", match["target"] or "").strip(), copied, include_dirs)
        if problem is not None:
            line = _line_before_joining(text, joined, match.start())
            return NotChecked(path, None, "unsupported", f"line {line} {problem}", line)
    return None


def _line_before_joining(text: str, joined: str, offset: int) -> int:
    line = joined.count("\n", 0, offset) + 1
    removed = 0
    for splice in _SPLICE.finditer(text):
        if splice.start() - removed >= offset:
            break
        removed += splice.end() - splice.start()
        line += 1
    return line


def _targets(tokens: Sequence[Token]) -> Iterator[tuple[int, str]]:
    """The offset of every line that makes the preprocessor read a file, and its target; empty for an odd form."""
    for index, token in enumerate(tokens):
        if token.kind == "directive":
            match = _DIRECTIVE.match(_COMMENT.sub(" ", _SPLICE.sub("", token.text)))
            if match:
                yield token.start, match.group(2).strip()
        elif token.text in ("#", "%") and token.kind == "punct":
            # Behind a comment, or as the digraph %: (C17 §6.4.6); nobody writes that but to hide it.
            words = [one.text for one in tokens[index + 1 : index + 3]]
            if _READING.intersection(words[:1] if token.text == "#" else words[1:] if words[:1] == [":"] else []):
                yield token.start, ""


def _leading_out(path: str, target: str, copied: frozenset[str], include_dirs: Sequence[str]) -> str | None:
    """Why the preprocessor must not follow this target; the folders are tried as it does (C17 §6.10.2)."""
    closing = {'"': '"', "<": ">"}.get(target[:1], "")
    name, found, _ = target[1:].partition(closing) if closing else ("", "", "")
    if not found:
        return "names the file to include by a macro or in an odd way, so it is not known which one it is"
    own = [posixpath.dirname(path)] if closing == '"' else []
    for folder in (*own, *include_dirs):
        joined = posixpath.normpath(posixpath.join(folder, name))
        if joined.startswith(("/", "..")):
            return "includes a file outside of the workspace"
        if joined in copied:
            return None
    if name.startswith("/") or ".." in name.split("/"):
        return "includes a file outside of the workspace"
    return None
