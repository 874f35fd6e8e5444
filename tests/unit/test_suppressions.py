"""Suppression comments: found, placed, applied. The contracts are read by the real reader."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.model import Contract
from clausefit.hook.report import Finding
from clausefit.hook.suppressions import Applied, apply, find
from clausefit.verifiers import process
from growth import assert_grows_linearly

SOURCE = """\
/*@ requires x > 0;
  @ assigns \\nothing;
  @ ensures \\result > x;
  @ ensures \\result
  @         != 7;
  @*/
int f(int x) { return x + 1; }

//@ ensures \\result == 1;
int g(void) { return 1; }
"""
FIRST, SECOND = "  @ ensures \\result > x;", "  @ ensures \\result\n"


def finding(contract: Contract, kind: str | None, nth: int = 0, code: str = "CF101") -> Finding:
    """What the judge would report about the nth clause of a kind, or about the contract as a whole."""
    made = Finding(
        code, "too_weak", "error", "a.c", contract.line, contract.line, 1, contract.function, None, None, 1, "", ""
    )
    if kind is None:
        return made
    clause = [one for one in contract.clauses if one.kind == kind][nth]
    span = clause.span
    return replace(made, line=span.line, end_line=span.end_line, column=span.column, clause=(kind, clause.text))


def run(
    text: str, *wanted: tuple[str, str | None, int, str]
) -> tuple[list[tuple[str, str | None, int, str]], list[str]]:
    """Which of the wanted findings (function, kind, nth, code) are left, and the extra ones as `code line`."""
    contracts = {one.function: one for one in read_c(text, "a.c").contracts}
    made = [finding(contracts[function], kind, nth, code) for function, kind, nth, code in wanted]
    applied = apply(made, find(text, "a.c"), contracts.values())
    left = [one for one, each in zip(wanted, made, strict=True) if each in applied.kept]
    assert applied.suppressed == len(wanted) - len(left)
    return left, [f"{one.code} {one.line}" for one in applied.extra]


F1, F2, REQ = ("f", "ensures", 0, "CF101"), ("f", "ensures", 1, "CF101"), ("f", "requires", 0, "CF101")
WHOLE, G = ("f", None, 0, "CF101"), ("g", "ensures", 0, "CF101")
EVERY = (F1, F2, REQ, WHOLE, G)
WHY = "clausefit: ignore[CF101] why"


@pytest.mark.parametrize(
    ("text", "suppressed"),
    [
        pytest.param(SOURCE, (), id="no comment"),
        pytest.param(SOURCE.replace(FIRST, f"{FIRST} // {WHY}"), (F1,), id="at the end of a clause"),
        pytest.param(SOURCE.replace("> x;", f"> x // {WHY}\n;"), (F1,), id="before the semicolon"),
        pytest.param(SOURCE.replace("> x;", f"// {WHY}\n > x;"), (F1,), id="inside a clause"),
        pytest.param(SOURCE.replace("!= 7;", f"!= 7; // {WHY}"), (F2,), id="at the end of a clause of two lines"),
        pytest.param(SOURCE.replace(SECOND, f"  @ ensures \\result // {WHY}\n"), (F2,), id="on its first line"),
        pytest.param(SOURCE.replace(FIRST, f"  // {WHY}\n{FIRST}"), (F1,), id="on the line before"),
        pytest.param(SOURCE.replace(FIRST, f"  @ // {WHY}\n{FIRST}"), (F1,), id="behind an at sign"),
        pytest.param(SOURCE.replace(FIRST, f"  // {WHY}\n  // more\n\n{FIRST}"), (F1,), id="some lines before"),
        pytest.param(SOURCE.replace("/*@ req", f"/*@ // {WHY}\n req"), (REQ,), id="on the opening line"),
        pytest.param(SOURCE.replace("> x;", f"> x; ensures 1; // {WHY}"), (F2,), id="two clauses a line: the last"),
        pytest.param(f"// {WHY}\n{SOURCE}", (F1, F2, REQ, WHOLE), id="before the contract"),
        pytest.param(f"/* {WHY} */\n\n// more\n{SOURCE}", (F1, F2, REQ, WHOLE), id="a block comment before it"),
        pytest.param(f"/*\n * {WHY}\n * more\n */\n{SOURCE}", (F1, F2, REQ, WHOLE), id="in a block of lines"),
        pytest.param(SOURCE.replace("@*/", f"@*/ // {WHY}"), (F1, F2, REQ, WHOLE), id="behind the contract"),
        pytest.param(SOURCE.replace("x + 1; }", f"x + 1; }} // {WHY}"), (F1, F2, REQ, WHOLE), id="behind the function"),
        pytest.param(SOURCE.replace("== 1;", f"== 1; // {WHY}"), (G,), id="in a one-line annotation"),
        pytest.param(SOURCE.replace("//@ ens", f"// {WHY}\n//@ ens"), (G,), id="before a one-line annotation"),
        pytest.param(
            SOURCE.replace("int f", f"// {WHY}\nint f"), (F1, F2, REQ, WHOLE), id="between contract and function"
        ),
        pytest.param(SOURCE.replace("int f", f"// {WHY}\nint\nf"), (F1, F2, REQ, WHOLE), id="type on its own line"),
        pytest.param(SOURCE.replace("\n", "\r\n").replace("> x;", f"> x; // {WHY}"), (F1,), id="CRLF"),
        pytest.param(
            "int a = 1'000; /* ' */\n" + SOURCE.replace("> x;", f"> x; // {WHY}"), (F1,), id="digit separator"
        ),
    ],
)
def test_what_is_suppressed(text: str, suppressed: tuple[tuple[str, str | None, int, str], ...]) -> None:
    left, extra = run(text, *EVERY)
    assert left == [one for one in EVERY if one not in suppressed]
    assert extra == []


@pytest.mark.parametrize(
    ("written", "codes", "reason"),
    [
        pytest.param("ignore[CF101] why", ("CF101",), "why", id="brackets"),
        pytest.param("ignore [CF101,CF102]  why not", ("CF101", "CF102"), "why not", id="two in brackets"),
        pytest.param("ignore[CF101] -- why", ("CF101",), "why", id="brackets and dashes"),
        pytest.param("ignore CF101 -- why -- really", ("CF101",), "why -- really", id="dashes"),
        pytest.param("ignore CF101, CF102 -- why", ("CF101", "CF102"), "why", id="commas"),
        pytest.param("ignore CF101 CF102 why", ("CF101", "CF102"), "why", id="blanks"),
        pytest.param("ignore frame-too-wide -- why", ("frame-too-wide",), "why", id="by name"),
        pytest.param("ignore CF101, CF101 -- why", ("CF101",), "why", id="doubled"),
        pytest.param("ignore[CF101]", ("CF101",), "", id="no reason"),
        pytest.param("ignore CF101 -- ", ("CF101",), "", id="empty reason"),
        pytest.param("ignore CF101 -- !?", ("CF101",), "", id="a reason without a word"),
        pytest.param("ignore", (), "", id="nothing"),
        pytest.param("ignore[] why", (), "why", id="no code"),
        pytest.param("ignore -- why", (), "why", id="no code, dashes"),
    ],
)
def test_the_form(written: str, codes: tuple[str, ...], reason: str) -> None:
    for text in (f"// clausefit: {written}\n", f"/* clausefit: {written} */", f"//@ // clausefit:  {written}\n"):
        (one,) = find(text, "a.c")
        assert (one.codes, one.reason) == (codes, reason)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f'char *s = "// {WHY}";', id="in a string"),
        pytest.param(f'char *s = "\\"// {WHY}";', id="in a string behind a quote"),
        pytest.param(f"{WHY}", id="no comment"),
        pytest.param("// clausefit: ignored[CF101] x", id="another word"),
        pytest.param("// clausefit is fine", id="just the name"),
        pytest.param("'//' clausefit: ignore[CF101]", id="in a character literal"),
        pytest.param(f'//@ ensures equal(s, "// {WHY}");', id="in a string of a clause"),
        pytest.param(f'/*@ ensures equal(s, "/* {WHY}"); */', id="in a string of a block of clauses"),
    ],
)
@pytest.mark.parametrize("file", ["a.c", "A.java", "A.jml"])
def test_no_suppression(text: str, file: str) -> None:
    assert find(text, file) == ()


@pytest.mark.parametrize(
    ("file", "text", "count"),
    [
        pytest.param("A.java", f'String s = """\n  // {WHY}\n  """;', 0, id="a line of a text block"),
        pytest.param("A.java", f'String s = """\n  a "quoted" // {WHY}\n  """;', 0, id="behind quotes"),
        pytest.param("A.java", f'String s = """\n  \\""" // {WHY}\n  """;', 0, id="behind an escaped end"),
        pytest.param("A.java", f'String s = """\n  a""" + b; // {WHY}\n', 1, id="behind a text block"),
        pytest.param("A.java", f'f("""\n  it\'s""", """\n  b"""); // {WHY}\n', 1, id="behind two, an apostrophe"),
        pytest.param("a.c", f'char *s = """a"; // {WHY}\n', 1, id="two strings side by side in C"),
    ],
)
def test_three_quotes_are_a_text_block_in_java_alone(file: str, text: str, count: int) -> None:
    assert len(find(text, file)) == count


@pytest.mark.parametrize(
    ("text", "left", "extra"),
    [
        pytest.param("clausefit: ignore[CF101]", [F1], ["CF902 3"], id="no reason suppresses nothing"),
        pytest.param("clausefit: ignore[CF102] why", [F1], ["CF901 3"], id="unused"),
        pytest.param("clausefit: ignore[CF101, CF201] why", [], ["CF901 3"], id="one of two unused"),
        pytest.param("clausefit: ignore[CF110] why", [F1], ["CF903 3"], id="unknown code"),
        pytest.param("clausefit: ignore[CF110, CF101] why", [], ["CF903 3"], id="unknown beside a known one"),
        pytest.param("clausefit: ignore[CF110]", [F1], ["CF903 3"], id="unknown, no reason"),
        pytest.param("clausefit: ignore", [F1], ["CF903 3"], id="no code"),
        pytest.param("clausefit: ignore[cf101] why", [], [], id="small letters"),
        pytest.param("clausefit: ignore[postcondition-too-weak] why", [], [], id="by name"),
    ],
)
def test_findings_about_suppressions(text: str, left: list[tuple[str, str | None, int, str]], extra: list[str]) -> None:
    assert run(SOURCE.replace("> x;", f"> x; // {text}"), F1) == (left, extra)


def test_the_nearest_code_is_named() -> None:
    applied = apply([], find("// clausefit: ignore[CF110] why\nint x;\n", "a.c"), [])
    (one,) = applied.extra
    assert "CF110" in one.message and "CF101" in one.message
    assert (one.line, one.column, one.severity, one.direction) == (1, 4, "warning", "suppression")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"/*@ predicate p(int x) = x > 0; // {WHY}\n*/\n{SOURCE}", id="in a logic definition"),
        pytest.param(SOURCE.replace("{ return x", f"{{\n // {WHY}\n return x"), id="in a body"),
        pytest.param(f"{SOURCE}// {WHY}", id="at the end of the file"),
        pytest.param(f"// {WHY}\nint global;\n{SOURCE}", id="before something else"),
    ],
)
def test_next_to_nothing_is_unused(text: str) -> None:
    left, extra = run(text, *EVERY)
    assert left == list(EVERY) and [one.split()[0] for one in extra] == ["CF901"]


def test_what_was_not_judged_is_not_called_unused() -> None:
    text = f"// {WHY}\n{SOURCE}"
    contracts = read_c(text, "a.c").contracts
    suppressions = find(text, "a.c")
    assert apply([], suppressions, contracts, judged=lambda contract: contract.function != "f") == Applied((), 0, ())
    assert [one.code for one in apply([], suppressions, contracts).extra] == ["CF901"]


def test_a_clause_that_came_from_a_header() -> None:
    header = f"/*@ requires x > 0;\n    ensures \\result > 0; // {WHY}\n*/\nint f(int x);\n"
    (declared,) = read_c(header, "f.h").contracts
    clauses = tuple(replace(one, file="f.h") for one in declared.clauses)
    merged = replace(declared, file="f.c", span=None, clauses=clauses, line=3)
    found = replace(finding(merged, "ensures"), file="f.h")
    other = replace(finding(merged, "requires"), file="f.h")
    assert apply([found, other], find(header, "f.h"), [merged]) == Applied((other,), 1, ())
    above = find(f"// {WHY}\nint f(int x) {{ return x; }}\n", "f.c")
    assert apply([found, other], above, [replace(merged, line=2)]) == Applied((), 2, ())
    whole = f"// {WHY}\n{header.replace(WHY, '')}"
    (declared,) = read_c(whole, "f.h").contracts
    merged = replace(merged, clauses=tuple(replace(one, file="f.h") for one in declared.clauses))
    both = [replace(finding(merged, kind), file="f.h") for kind in ("ensures", "requires")]
    assert apply(both, find(whole, "f.h"), [merged]) == Applied((), 2, ())


@pytest.mark.parametrize(
    ("start", "piece", "count"),
    [
        pytest.param("", "/*", 100_000, id="open comments"),
        pytest.param("", '"\\', 200_000, id="open strings"),
        pytest.param("", "// clausefit: ignore\n", 20_000, id="many suppressions"),
        pytest.param("// clausefit: ignore ", "CF101 ", 50_000, id="many codes"),
        pytest.param("// clausefit: ignore[", "-a", 100_000, id="an open bracket"),
        pytest.param("// clausefit: ignore ", "a-", 100_000, id="dashes"),
        pytest.param("// clausefit: ignore ", "a, ", 100_000, id="commas"),
    ],
)
def test_hostile_text_takes_linear_time(start: str, piece: str, count: int) -> None:
    assert_grows_linearly(lambda n: find(f"clausefit:{start}{piece * n}", "a.c"), count // 8, count)


@pytest.mark.skipif(shutil.which("frama-c") is None, reason="needs Frama-C")
def test_frama_c_accepts_the_comments(tmp_path: Path) -> None:
    text = (
        "/*@ // clausefit: ignore[CF101] it's \"so\n"
        "    requires x > 0; // clausefit: ignore CF101 -- why\n"
        "  @ // clausefit: ignore[CF101] why\n"
        "    ensures \\result // clausefit: ignore[CF101] in a clause\n == x;\n"
        "  @ assigns \\nothing; // clausefit: ignore[CF101] at the end */\n"
        "int f(int x) { return x; }\n"
        "//@ ensures \\result == 1; // clausefit: ignore[CF101] one line\n"
        "int g(void) { return 1; }\n"
    )
    (tmp_path / "a.c").write_text(text)
    done = process.run(["frama-c", "-print", "a.c"], cwd=tmp_path, timeout=60)
    assert done.exit_status == 0, done.stdout
    assert [done.stdout.count(kind) for kind in ("requires x > 0;", "ensures", "assigns")] == [1, 2, 1]
    assert "clausefit" not in done.stdout
    assert len(find(text, "a.c")) == 6
