"""Text from hostile files made safe where GitHub shows it: workflow commands, log lines, Markdown, code.

The rules of workflow commands are those of @actions/core (``escapeData`` and ``escapeProperty`` of its command.ts).
Those of Markdown are CommonMark's and GFM's; mentions and references are found by GitHub in what Markdown has made
(backslashes and entities are gone by then), so a zero-width space keeps them apart.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from clausefit.hook.visible import shortened, visible

_APART = "&#8203;"
# CommonMark lets a backslash stand before any ASCII punctuation; these are those that can begin or end something.
_MARKUP = re.compile(r"[\\`*_{}\[\]()!~+=./#-]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;", "$": "&#36;", '"': "&quot;", "'": "&#39;"}
_ENTITY = re.compile(r"[&<>|$\"']")
# What GitHub makes links of: a mention, a reference by number (#1, GH-1), a commit, an address, an emoji code.
_COMMIT = re.compile(r"(?<![0-9A-Za-z])([0-9a-fA-F]{4})(?=[0-9a-fA-F]{3,60}(?![0-9A-Za-z]))")
# Of what GitHub makes links or pictures of, these are none: a place (`a/b.c:12`) and no more than that is in them.
_PLACE = re.compile(
    r"(?<![\w.@#:/\\-])(?:[A-Za-z0-9_-]+/)*[A-Za-z0-9_-]+\.(?:c|h|cc|cpp|hpp|java|jml):[0-9]+(?![\w:.@#/-])"
)
_WORD = re.compile(r"(?i)\bgh(?=-\d)|\bwww(?=\.)")
_SIGN = re.compile(r"[@#](?=\S)|:(?=\S)")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_LANGUAGE = re.compile(r"[A-Za-z0-9_+-]*")
_BACKTICKS = re.compile(r"`+")


def one_line(text: str, limit: int) -> str:
    """``text`` on one line, visible, and cut to ``limit`` characters as they are shown.

    What is escaped after that is no longer than nine times the limit, where text that is cut before it becomes visible
    may be ten times as long again.
    """
    # No more than this can be shown, and text of others may be long.
    return shortened(visible(" ".join(text[: 10 * limit].split())), limit)


def command_data(text: str) -> str:
    """``text`` as the message of a workflow command (escapeData): one line, whatever is in it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command_property(text: str) -> str:
    """``text`` as the value of a property of a workflow command (escapeProperty)."""
    return command_data(text).replace(":", "%3A").replace(",", "%2C")


def log_line(text: str) -> str:
    """``text`` as one line of the log in which the runner finds no command.

    The runner takes a line for a command that starts with ``::`` (blanks before it do not count), or that holds
    ``##[`` anywhere (its older form).
    """
    line = visible(" ".join(text.split())).replace("##[", "# #[")
    return f"' {line}" if line.startswith("::") else line


def markdown_text(text: str) -> str:
    """``text`` as Markdown that shows it on one line, and nothing else.

    No Markdown or HTML in it works, nobody is mentioned, nothing is linked or made an emoji. Fits into a table.
    """
    shown = visible(" ".join(text.split()))
    # A character that visible text cannot hold marks the places, so that escaping does not touch them.
    marked = _marked(shown)
    escaped = _ENTITY.sub(lambda found: _ENTITIES[found[0]], _MARKUP.sub(r"\\\g<0>", marked))
    return escaped.replace("\0", _APART)


def _marked(shown: str) -> str:
    """The text with a mark wherever GitHub has to be kept from making something of it; places stay whole."""
    parts, end = [], 0
    for place in _PLACE.finditer(shown):
        is_safe = not _COMMIT.search(place[0]) and not _WORD.search(place[0])
        parts += [_apart(shown[end : place.start()]), place[0] if is_safe else _apart(place[0])]
        end = place.end()
    return "".join((*parts, _apart(shown[end:])))


def _apart(part: str) -> str:
    return _COMMIT.sub("\\1\0", _WORD.sub("\\g<0>\0", _SIGN.sub("\\g<0>\0", part)))


def code_span(text: str) -> str:
    """``text`` as inline code on one line. Not for tables, where ``|`` would end it: see ``code_cell``."""
    shown = visible(" ".join(text.split()))
    if not shown:
        return "` `"
    fence = "`" * (_longest_run(shown) + 1)
    pad = " " if shown[0] == "`" or shown[-1] == "`" else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def prose(text: str) -> str:
    """A sentence of ours as Markdown: what stands between single backticks is code, all else is text. Not for tables.

    Where backticks are no pairs, or are ones of the text itself, all is text.
    """
    parts = " ".join(text.split()).split("`")
    inner = parts[1:-1]
    if len(parts) % 2 == 0 or not all(part.strip() for part in inner):
        return markdown_text(text)
    return "".join(code_span(part) if number % 2 else _spaced(part) for number, part in enumerate(parts))


def _spaced(part: str) -> str:
    """Text between code, with the blanks at its ends."""
    before, after = " " * part.startswith(" "), " " * (part != " " and part.endswith(" "))
    return before + markdown_text(part) + after


def code_cell(text: str) -> str:
    """``text`` as inline code on one line, for cells of tables and for HTML blocks: all punctuation is entities."""
    shown = visible(" ".join(text.split()))
    return f"<code>{_PUNCTUATION.sub(lambda found: f'&#{ord(found[0])};', shown)}</code>"


def html_text(text: str) -> str:
    """``text`` on one line, for inside of an HTML element (``<summary>``): all punctuation is entities."""
    shown = visible(" ".join(text.split()))
    marked = _COMMIT.sub("\\1\0", _WORD.sub("\\g<0>\0", _SIGN.sub("\\g<0>\0", shown)))
    return _PUNCTUATION.sub(lambda found: f"&#{ord(found[0])};", marked).replace("\0", _APART)


def code_block(text: str, language: str = "") -> str:
    """``text`` as a fenced block, without a new line at its end.

    Lines stay lines and tabs tabs; every other character that does not print as itself is shown as an escape, so a
    text is a ``suggestion`` only where ``is_plain`` holds for it. A language that is no single word is left out.
    """
    fence = "`" * max(3, _longest_run(text) + 1)
    lines = (_visible_line(line) for line in re.split(r"\r\n|\r|\n", text))
    word = language if _LANGUAGE.fullmatch(language) else ""
    return "\n".join((f"{fence}{word}", *lines, fence))


def is_plain(text: str) -> bool:
    """Whether ``code_block`` shows ``text`` exactly as it is."""
    return all(_visible_line(line) == line for line in text.split("\n"))


def file_url(server: str, repository: str, commit: str, path: str, lines: tuple[int, int]) -> str:
    """The address of lines of a file in a commit; line 0 is the whole file.

    The path is quoted, so that the address can be put between parentheses.
    """
    start, end = lines
    where = "" if start < 1 else f"#L{start}-L{end}" if end > start else f"#L{start}"
    name = quote(path.encode("utf-8", "surrogateescape"), safe="/")
    return f"{server}/{repository}/blob/{commit}/{name}{where}"


def _visible_line(line: str) -> str:
    return "\t".join(visible(part) for part in line.split("\t"))


def _longest_run(text: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)
