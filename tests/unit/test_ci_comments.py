"""The texts of comments: what they show, that hostile text in them does nothing, and that they fit."""

from dataclasses import replace

import pytest
from ci_findings import SHA, contract, finding
from clausefit.ci.comments import Judged, Voice, finding_body, headline, summary_body
from clausefit.ci.host import COMMENT_LIMIT
from clausefit.ci.markers import commit_of, is_summary, marked, same_text
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.report import BaselineEntry, Finding, Report
from markdown_it import MarkdownIt
from markdown_it.token import Token

HOSTILE = [
    pytest.param("```\n# end of fence", id="a fence"),
    pytest.param("a `` b ``` c", id="runs of backticks"),
    pytest.param("--> <!-- clausefit:summary -->", id="a comment that ends, and our marker"),
    pytest.param(
        "<!-- clausefit:finding " + "2" * 32 + " -->\n<!-- clausefit:about " + "0" * 16 + " -->\n", id="markers"
    ),
    pytest.param("@octo/team @octocat", id="mentions"),
    pytest.param("<img src=x onerror=alert(1)><script>alert(1)</script>", id="HTML"),
    pytest.param("[click](https://evil.example) ![x](https://evil.example/x.png)", id="links and pictures"),
    pytest.param("https://evil.example www.evil.example a@evil.example", id="links by themselves"),
    pytest.param("# big\n\n- [x] done\n\n| a | b |\n|---|---|\n~~gone~~ **bold** $x$", id="headings, lists, tables"),
    pytest.param("fixes #1 GH-2 octo/contracts#3 " + "a1b2c3d4" * 5, id="references"),
    pytest.param("\u202e\u200b\x1b[31m\x00\ud800", id="characters that hide text"),
    pytest.param("</details></summary>\\", id="ends of elements and a backslash at the end"),
    pytest.param("\r\n\r\n    code\r\n", id="line ends of Windows and an indented block"),
    pytest.param("x" * 200_000, id="long"),
    pytest.param("", id="empty"),
]


def hostile(text: str, better: bool) -> Finding:
    named = finding(clause=text, message=text, function=text, file=text, better=text if better else None)
    return replace(named, fingerprint=text, code=text)


def tokens(body: str) -> list[Token]:
    parsed = MarkdownIt("commonmark", {"linkify": False}).enable(["table", "strikethrough"]).parse(body)
    return [inner for token in parsed for inner in (token, *(token.children or ()))]


def shown_html(body: str) -> list[str]:
    return [one.content.strip() for one in tokens(body) if one.type in ("html_block", "html_inline")]


@pytest.mark.parametrize("better", [False, True], ids=["without a better clause", "with one"])
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_does_nothing_in_a_comment_on_lines(text: str, better: bool) -> None:
    one = hostile(text, better)
    body = finding_body(one, suggest=True)
    kinds = {token.type for token in tokens(body)}
    assert not kinds & {"link_open", "image", "heading_open", "table_open", "bullet_list_open", "s_open", "code_block"}
    assert sum(token.type == "fence" for token in tokens(body)) <= better
    assert [line for html in shown_html(body) for line in html.splitlines()] == body.split("\n")[:2]
    assert (tag := marked(body)) is not None
    assert not tag.gone
    assert not is_summary(body)
    assert len(body) <= COMMENT_LIMIT
    assert "@octo" not in "".join(token.content for token in tokens(body) if token.type == "text")


@pytest.mark.parametrize("inline", [frozenset(), frozenset({0})], ids=["in full", "as a line"])
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_does_nothing_in_the_summary(text: str, inline: frozenset[int]) -> None:
    report = Report(
        findings=(hostile(text, True),),
        not_checked=(NotChecked(text, text, text, text, 3),),
        known=(hostile(text, False),),
        stale=(BaselineEntry(text, text, text, text, text),),
    )
    body = summary_body(report, Judged(text, "findings", f"https://github.com/{text}", text), inline)
    kinds = {token.type for token in tokens(body)}
    assert not kinds & {"image", "table_open", "s_open", "fence", "code_block"}
    headings = sum(token.type == "heading_open" for token in tokens(body))
    assert headings == 1
    links = [token.attrs["href"] for token in tokens(body) if token.type == "link_open"]
    assert len(links) <= 1
    assert all(str(link).startswith("https://github.com/") for link in links)
    assert all(html.startswith("<!-- clausefit:") for html in shown_html(body))
    assert marked(body) is None
    assert is_summary(body)
    assert len(body) <= COMMENT_LIMIT


def test_summary_says_what_was_found_and_what_was_not_checked() -> None:
    report = Report(
        contracts=(contract(),),
        findings=(finding(), finding("2", 40, severity="note")),
        not_checked=tuple(NotChecked("src/a.c", f"f{i}", "timeout", "out of time", i) for i in range(1, 26)),
        known=(finding("3"),),
        stale=(BaselineEntry("4" * 32, "CF101", "src/max.c", "max", "ensures x"),),
    )
    body = summary_body(report, Judged(SHA, "findings", "https://github.com/o/r/actions/runs/1"), frozenset({0}))
    assert "### clausefit: 2 findings\n" in body
    assert f"Judged at `{SHA[:12]}`." in body
    assert "- **error CF101 too weak**: `max`, `src/max.c:5` (see the comment there)" in body
    assert "- **note CF101 too weak**: `max`, `src/max.c:40`\\\n  `ensures \\result >= a`\\\n  The clause" in body
    assert "Not checked: 25" in body
    assert "- and 5 more: see the run" in body
    assert "1 finding in the baseline; 1 entry of the baseline no longer found: remove them." in body
    assert body.endswith("[The whole report](https://github.com/o/r/actions/runs/1)\n")
    assert commit_of(body) == SHA


HEADLINES = [
    pytest.param(Report(), "clean", "### clausefit: no findings", id="nothing"),
    pytest.param(Report(findings=(finding(),)), "findings", "### clausefit: 1 finding\n", id="one"),
    pytest.param(Report(), "not-checked", "### clausefit: not everything could be judged, 0 findings", id="no pass"),
]


@pytest.mark.parametrize(("report", "conclusion", "expected"), HEADLINES)
def test_headline(report: Report, conclusion: str, expected: str) -> None:
    assert expected in summary_body(report, Judged(SHA, conclusion), frozenset())  # type: ignore[arg-type]


@pytest.mark.parametrize("letter", ["x", "*", "漢", "😀", "`"], ids=["plain", "escaped", "wide", "astral", "backticks"])
def test_what_does_not_fit_is_counted(letter: str) -> None:
    many = tuple(replace(finding(line=i, message=letter * 900), fingerprint=f"{i:032x}") for i in range(1, 401))
    report = Report(
        findings=many, not_checked=tuple(NotChecked("a.c", "f", "timeout", letter * 300) for _ in range(50))
    )
    body = summary_body(report, Judged(SHA, "findings", "https://github.com/o/r"), frozenset())
    assert len(body.encode()) <= COMMENT_LIMIT
    listed = body.count("- **error CF101")
    assert 0 < listed < len(many)
    assert f"{len(many) - listed} more findings did not fit here: see the run." in body
    assert body.endswith("[The whole report](https://github.com/o/r)\n")


def test_rerun_says_the_same_though_its_page_is_another() -> None:
    report = Report(findings=(finding(),))
    one, other = (
        summary_body(report, Judged(SHA, "findings", f"https://github.com/o/r/actions/runs/{number}"), frozenset())
        for number in (1, 2)
    )
    assert one != other
    assert same_text(one, other.replace("\n", "\r\n"))
    assert not same_text(one, summary_body(Report(), Judged(SHA, "clean"), frozenset()))


ADDRESSES = [
    pytest.param("", id="none"),
    pytest.param("javascript:alert(1)", id="another scheme"),
    pytest.param("https://a.example/) [x](http://b.example", id="ends the link"),
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_address_that_is_none_is_left_out(address: str) -> None:
    assert "whole report" not in summary_body(Report(), Judged(SHA, "clean", address), frozenset())


CLAUSE = "ensures \\result >= a"
TWICE = [
    pytest.param(f"`{CLAUSE}` also accepts 5.", 1, id="the message begins with it"),
    pytest.param("The contract also accepts 5.", 1, id="the message does not name it"),
    pytest.param("`ensures \\result >= a...` also accepts 5.", 2, id="cut in the message, so the whole is shown"),
]


@pytest.mark.parametrize(("message", "count"), TWICE)
def test_the_clause_is_shown_once(message: str, count: int) -> None:
    one = finding(message=message, clause=CLAUSE)
    for body in (
        finding_body(one, suggest=False),
        summary_body(Report(findings=(one,)), Judged(SHA, "findings"), frozenset()),
    ):
        assert body.count("ensures \\result >= a") == count
        assert f"`{CLAUSE}`" in body


FORK = Voice(reporter="the fork's own run")


def test_nothing_of_a_fork_s_report_is_vouched_for() -> None:
    one = finding(better="  ensures x;")
    body = finding_body(one, suggest=True, voice=FORK)
    assert "```" not in body and "fits every" not in body
    assert "That run proposes: `ensures x;`" in body
    assert "Reported by the fork's own run; nobody has checked it." in body
    ours = finding_body(one, suggest=True)
    assert "```suggestion" in ours and "fits every" in ours and "Reported by" not in ours
    summary = summary_body(Report(findings=(one,)), Judged(SHA, "findings", voice=FORK), frozenset())
    assert "fits every" not in summary and "That run proposes" in summary


@pytest.mark.parametrize(
    ("report", "heading", "judged"),
    [
        pytest.param(Report(), "no findings, says the fork's own run", "0 contracts", id="an empty report"),
        pytest.param(
            Report(contracts=(contract(),), findings=(finding(),)),
            "1 finding, says the fork's own run",
            "1 contract",
            id="a finding",
        ),
    ],
)
def test_summary_of_a_fork_s_report_says_whose_it_is(report: Report, heading: str, judged: str) -> None:
    body = summary_body(report, Judged(SHA, "clean", voice=FORK), frozenset())
    assert f"### clausefit: {heading}\n" in body
    assert f"Reported by the fork's own run, which says that it judged {judged}. Nobody has checked it" in body
    assert headline(report, "clean", FORK) == f"clausefit: {heading}"


def test_summary_names_its_project() -> None:
    body = summary_body(Report(), Judged(SHA, "clean", voice=Voice("lib/c")), frozenset())
    assert "### clausefit in `lib/c`: no findings\n" in body
