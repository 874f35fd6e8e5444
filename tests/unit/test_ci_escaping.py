"""Hostile text does nothing where GitHub shows it: commands by the runner's rules, Markdown by a real renderer."""

from __future__ import annotations

import html.parser
import random
import re

import pytest
from clausefit.ci.escaping import (
    code_block,
    code_cell,
    code_span,
    command_data,
    command_property,
    file_url,
    html_text,
    is_plain,
    log_line,
    markdown_text,
    prose,
)
from markdown_it import MarkdownIt

HOSTILE = [
    pytest.param("::error::pwned", id="a workflow command"),
    pytest.param("a%0A::error::b%0d%25", id="escapes of workflow commands"),
    pytest.param("a\n::set-output name=x::1\r\n::add-mask::e\rb", id="new lines and commands"),
    pytest.param("##[error]x ##[add-mask]y", id="the older form of commands"),
    pytest.param("@octocat @org/team please", id="mentions"),
    pytest.param("fixes #1, o/r#2, GH-3, gh-4", id="references"),
    pytest.param("deadbeefcafe 0123456789012345678901234567890123456789 1a2b3c4", id="ids of commits"),
    pytest.param("https://evil.example/?a=1 www.evil.example a@b.example", id="addresses"),
    pytest.param("<!-- clausefit:summary --> <script>x</script> <img src=x onerror=y>", id="HTML"),
    pytest.param("``` `` ` ```\n``` a", id="fences and code"),
    pytest.param("[x](https://e.example) ![i](x) [r]: y", id="links and images"),
    pytest.param("*a* _b_ **c** ~~d~~ __e__ $f$ :tada: \\*g\\*", id="emphasis, mathematics, emoji"),
    pytest.param("# head\n- item\n1. one\n> quote\n---\n===\n    code", id="blocks"),
    pytest.param("a | b \\| c \\\\| d", id="cells of a table"),
    pytest.param("\x1b[31mred\x07 \u202eabc\u200b\x00\x85\u2028x", id="control and bidirectional characters"),
    pytest.param("&lt;b&gt; &#64;octocat &amp;", id="entities"),
    pytest.param("\udcff \ud800", id="lone surrogates"),
]
# Every tag that one of the functions may make, and nothing else.
_OWN_TAGS = {"p", "code", "table", "thead", "tbody", "tr", "th", "td", "pre"}
_REFERENCE = re.compile(r"(?<![\w])@\w|#\d|(?i:\bGH-\d)|://|www\.|:\w+:")


class _Seen(html.parser.HTMLParser):
    """Tags, comments and text of HTML; text in code is kept apart, as GitHub links nothing there."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.comments: list[str] = []
        self.text, self.code = "", ""
        self._open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self._open.remove(tag)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def handle_data(self, data: str) -> None:
        if "code" in self._open:
            self.code += data
        else:
            self.text += data


def rendered(markdown: str) -> _Seen:
    return _Seen(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown))


def folded(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("text", HOSTILE)
def test_data_of_a_command_is_one_line_and_comes_back_whole(text: str) -> None:
    line = command_data(text)
    assert not {"\r", "\n"} & set(line)
    assert line.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%") == text


@pytest.mark.parametrize("text", HOSTILE)
def test_a_property_of_a_command_ends_neither_itself_nor_the_command(text: str) -> None:
    line = command_property(text)
    assert not {"\r", "\n", ":", ","} & set(line)
    back = line.replace("%0D", "\r").replace("%0A", "\n").replace("%3A", ":").replace("%2C", ",")
    assert back.replace("%25", "%") == text


@pytest.mark.parametrize("text", HOSTILE)
def test_a_line_of_the_log_is_no_command(text: str) -> None:
    line = log_line(text)
    assert line.isprintable() and "##[" not in line
    assert not line.lstrip().startswith("::")


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_shows_the_text_and_nothing_else(text: str) -> None:
    seen = rendered(markdown_text(text))
    assert set(seen.tags) == {"p"} and not seen.comments
    assert not _REFERENCE.search(seen.text), seen.text
    assert "\n" not in markdown_text(text)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_sentence_shows_its_text_and_its_code_and_nothing_else(text: str) -> None:
    for sentence in (text, f"`{text}` accepts `{text}`; test {text} shows"):
        seen = rendered(prose(sentence))
        assert set(seen.tags) <= {"p", "code"} and not seen.comments
        assert not _REFERENCE.search(seen.text), seen.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("`a_b` also accepts _c_.", "`a_b` also accepts \\_c\\_\\.", id="code and text"),
        pytest.param("see `x`", "see `x`", id="code at the end"),
        pytest.param("a ` b", "a \\` b", id="one backtick is text"),
        pytest.param("a `` b", "a \\`\\` b", id="no code between them"),
        pytest.param("`a``b`", "\\`a\\`\\`b\\`", id="code of two backticks is text"),
    ],
)
def test_prose(text: str, expected: str) -> None:
    assert prose(text) == expected


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_fits_into_a_cell(text: str) -> None:
    seen = rendered(f"| a | b |\n|---|---|\n| {markdown_text(text)} | {code_cell(text)} |")
    assert set(seen.tags) <= _OWN_TAGS and seen.tags.count("td") == 2 and seen.tags.count("code") == 1
    assert not seen.comments and not _REFERENCE.search(seen.text)


@pytest.mark.parametrize("text", HOSTILE)
def test_inline_code_holds_all_of_the_text(text: str) -> None:
    seen = rendered(f"before {code_span(text)} after")
    assert seen.tags == ["p", "code"] and seen.text.split() == ["before", "after"]
    assert rendered(code_cell(text)).code == seen.code


@pytest.mark.parametrize("text", HOSTILE)
def test_html_text_is_text(text: str) -> None:
    seen = rendered(f"<details><summary>{html_text(text)}</summary>\n\nx\n\n</details>")
    assert [tag for tag in seen.tags if tag not in ("details", "summary", "p")] == []
    assert not seen.comments and not _REFERENCE.search(seen.text)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_block_of_code_ends_where_it_should(text: str) -> None:
    seen = rendered(code_block(text, "suggestion") + "\n\nafter")
    assert seen.tags == ["pre", "code", "p"] and seen.text.strip() == "after"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("plain", "`plain`", id="plain text has one backtick"),
        pytest.param("a `b` c", "``a `b` c``", id="a fence longer than what is inside"),
        pytest.param("`a", "`` `a ``", id="a backtick at the edge is kept apart"),
        pytest.param("", "` `", id="nothing is still code"),
        pytest.param("a\n  b", "`a b`", id="new lines are folded"),
        pytest.param("a\u202eb", "`a\\u202eb`", id="what reorders text is shown"),
    ],
)
def test_code_span(text: str, expected: str) -> None:
    assert code_span(text) == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        pytest.param("a\nb", "c", "```c\na\nb\n```", id="lines stay lines"),
        pytest.param("a\r\nb\rc", "", "```\na\nb\nc\n```", id="every end of a line is one"),
        pytest.param("````", "", "`````\n````\n`````", id="a longer fence"),
        pytest.param("\ta\x1bb", "c", "```c\n\ta\\x1bb\n```", id="tabs stay, escapes are shown"),
        pytest.param("a", "c\n::error::", "```\na\n```", id="a language that is no word is left out"),
    ],
)
def test_code_block(text: str, language: str, expected: str) -> None:
    assert code_block(text, language) == expected


@pytest.mark.parametrize(
    ("text", "plain"),
    [("\tint a;\n\tint b;", True), ("int\u00a0a;", False), ("a\r", False), ("\x0c", False), ("é", True)],
)
def test_only_a_text_that_is_shown_as_it_is_can_be_a_suggestion(text: str, plain: bool) -> None:
    assert is_plain(text) is plain


@pytest.mark.parametrize(
    ("path", "lines", "end"),
    [
        pytest.param("src/a.c", (3, 3), "src/a.c#L3", id="one line"),
        pytest.param("src/a.c", (0, 0), "src/a.c", id="the whole file"),
        pytest.param("src/a.c", (3, 5), "src/a.c#L3-L5", id="several lines"),
        pytest.param("a b/(c)#?%[x].c", (1, 1), "a%20b/%28c%29%23%3F%25%5Bx%5D.c#L1", id="everything else is quoted"),
        pytest.param("a\udcff.c", (1, 1), "a%FF.c#L1", id="a byte that is no UTF-8"),
    ],
)
def test_file_url(path: str, lines: tuple[int, int], end: str) -> None:
    assert (
        file_url("https://github.com", "o/r", "f" * 40, path, lines) == f"https://github.com/o/r/blob/{'f' * 40}/{end}"
    )


def letters_of(text: str) -> list[str]:
    """What is left of a text when order, blanks and backticks do not count."""
    return sorted("".join(text.split()).replace("`", "").replace("\u200b", ""))


def test_markdown_of_random_text_shows_that_text() -> None:
    random_source = random.Random(6)
    letters = [*list("ab1 \\`*_{}[]()<>#+-.!|~=:;/@&$%^\"'?,\n\t"), "&lt;", "```", "<!--", "-->", "](", "1.", "- "]
    for _ in range(3000):
        text = "".join(random_source.choice(letters) for _ in range(random_source.randint(1, 24)))
        if not text.strip():
            continue
        seen = rendered(markdown_text(text))
        assert set(seen.tags) == {"p"} and not seen.comments, text
        assert seen.text.replace("\u200b", "").rstrip("\n") == folded(text), text
        seen = rendered(prose(text))
        assert set(seen.tags) <= {"p", "code"} and not seen.comments, text
        assert letters_of(seen.text + seen.code) == letters_of(text), text
        assert rendered(f"x {code_span(text)} y").code == folded(text), text
        cell = rendered(f"|a|\n|-|\n|{code_cell(text)}|")
        assert cell.code == folded(text) and cell.tags.count("td") == 1, text


@pytest.mark.parametrize(
    ("text", "is_whole"),
    [
        pytest.param("src/next.c:12", True, id="a-place"),
        pytest.param("test t (tests/test_next.java:9) shows 3", True, id="in-a-sentence"),
        pytest.param("src/next.c:12:", False, id="an-emoji-may-begin"),
        pytest.param("http://next.c:12", False, id="an-address"),
        pytest.param("deadbeef.c:12", False, id="a-commit"),
        pytest.param("gh-1.c:12", False, id="a-reference"),
        pytest.param("@next.c:12", False, id="a-mention"),
    ],
)
def test_a_place_can_be_copied(text: str, is_whole: bool) -> None:
    assert ("&#8203;" not in markdown_text(text)) is is_whole
