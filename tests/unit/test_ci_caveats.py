"""What a report alone would not tell: findings that are hidden, contracts that are gone, an audit of nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from ci_reports import REPORT
from clausefit.ci.caveats import hidden, removed, sources_of, unjudged
from clausefit.ci.settings import Settings, SettingsProblem
from clausefit.hook.changes import ChangedFile
from clausefit.hook.config import Config
from clausefit.hook.report import Report

F = "/*@ ensures \\result > 0; */\nint f(int a) { return 1; }\n"
G = F.replace("f(", "g(")
BARE = F.partition("\n")[2]
JAVA = "class M {\n  //@ ensures \\result > 0;\n  static int f() { return 1; }\n}\n"


def changed(path: str, old: str | None, new: str, old_path: str = "") -> ChangedFile:
    before = None if old is None else old.encode()
    return ChangedFile(path, before, new.encode(), "modified", old_path or path, ())


@pytest.mark.parametrize(
    ("files", "said"),
    [
        pytest.param([changed("a.c", F, BARE)], "1 contract was removed: f (a.c)", id="the contract"),
        pytest.param([changed("a.c", F, F.replace(">", ">="))], "", id="only changed"),
        pytest.param([changed("a.c", F, "")], "", id="the function as well"),
        pytest.param([changed("a.c", None, BARE)], "", id="a new file"),
        pytest.param([changed("a.c", F, BARE), changed("a.h", "", F)], "", id="moved to a header"),
        pytest.param([changed("b.c", F, BARE, "a.c")], "1 contract was removed: f (a.c)", id="and the file renamed"),
        pytest.param([changed("notes.txt", F, BARE)], "", id="no source"),
        pytest.param(
            [changed("a.c", F + G, BARE + BARE.replace("f(", "g("))],
            "2 contracts were removed: f (a.c), g (a.c)",
            id="two",
        ),
        pytest.param(
            [changed("p/M.java", JAVA, JAVA.replace("//@", "//"))], "1 contract was removed: M.f", id="a method"
        ),
        pytest.param(
            [changed(f"a{n}\n.c", F.replace("f(", f"f{n}("), BARE.replace("f(", f"f{n}(")) for n in range(9)],
            "9 contracts were removed: f0 (a0\\n.c), f1 (a1\\n.c), f2 (a2\\n.c), f3 (a3\\n.c), f4 (a4\\n.c) and 4 more",
            id="many, with names of lines",
        ),
    ],
)
def test_contracts_that_are_gone(files: list[ChangedFile], said: str) -> None:
    lines = removed(files, Config())
    assert (lines == ()) if not said else (len(lines) == 1 and lines[0].startswith(said)), lines


@pytest.mark.parametrize(
    ("suppressed", "ignored", "said"),
    [
        (0, 0, ()),
        (1, 0, ("1 finding is hidden: 1 by comments (`clausefit: ignore`)",)),
        (0, 2, ("2 findings are hidden: 2 by `ignore` of .clausefit.yaml",)),
        (
            1,
            2,
            ("3 findings are hidden: 1 by comments (`clausefit: ignore`), 2 by `ignore` of .clausefit.yaml",),
        ),
    ],
)
def test_hidden_findings(suppressed: int, ignored: int, said: tuple[str, ...]) -> None:
    assert hidden(Report(suppressed=suppressed, ignored=ignored)) == said


def test_an_audit_without_a_contract() -> None:
    assert "no contract was judged in 2 source files" in unjudged(Report(), 2)[0]
    assert unjudged(REPORT, 2) == ()


@pytest.mark.parametrize(
    ("files", "config", "number"),
    [
        pytest.param(["a.c", "b.h", "c.java"], Config(), 3, id="sources"),
        pytest.param(["a.txt", "a.c"], Config(), 1, id="others"),
        pytest.param(["a.c"], Config(exclude=("*.c",)), 0, id="excluded"),
        pytest.param(["a.txt"], Config(sources=("*",)), 0, id="a pattern for everything"),
        pytest.param([], Config(), 0, id="an empty folder"),
    ],
)
def test_how_many_sources_there_are(tmp_path: Path, files: list[str], config: Config, number: int) -> None:
    for name in files:
        (tmp_path / name).write_text("")
    settings = Settings(workspace=tmp_path)
    if number:
        assert sources_of(tmp_path, None, settings, config) == number
        return
    with pytest.raises(SettingsProblem, match="actions/checkout"):
        sources_of(tmp_path, None, settings, config)
