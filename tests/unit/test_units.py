"""From a change to translation units: which contracts are judged, where, and only once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from clausefit.hook.changes import ChangedFile, Changes, LineRange
from clausefit.hook.config import Config
from clausefit.hook.snapshots import WorkingTreeSnapshot
from clausefit.hook.units import Work, work_of

F = "/*@ ensures \\result == a; */\nint f(int a) { return a; }\n"
G = "/*@ ensures \\result == a + 1; */\nint g(int a) { return a + 1; }\n"
INLINE = "/*@ ensures \\result == a; */\nstatic inline int h(int a) { return a; }\n"
WEAK = F.replace("== a;", ">= a;")


def work(
    folder: Path,
    files: dict[str, str],
    old: dict[str, str | None],
    lines: dict[str, tuple[LineRange, ...]] | None = None,
    folders: tuple[str, ...] = (),
    config: Config | None = None,
) -> Work:
    """What is judged when the files of ``old`` had those texts (None: they are new) and are now as in ``files``."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    changed = []
    for path, before in sorted(old.items()):
        after = files.get(path)
        status = "deleted" if after is None else "added" if before is None else "modified"
        everything = ((1, (after or "").count("\n") + 1),)
        changed.append(
            ChangedFile(
                path,
                None if before is None else before.encode(),
                (after or "").encode(),
                status,  # type: ignore[arg-type]
                path,
                (lines or {}).get(path, everything),
            )
        )
    changes = Changes(tuple(changed), WorkingTreeSnapshot(folder))
    return work_of(changes, config or Config(), lambda _path: folders)


def judged(one: Work) -> list[tuple[str, str, str]]:
    """(unit, contract's file, function) of everything that is judged."""
    return [(u.unit.file, c.contract.file, c.contract.function) for u in one.units for c in u.changed]


@pytest.mark.parametrize(
    ("files", "old", "expected"),
    [
        pytest.param({"a.c": F + G}, {"a.c": WEAK + G}, [("a.c", "a.c", "f")], id="one-contract-of-a-file"),
        pytest.param({"a.c": F}, {"a.c": "\n" + F}, [], id="nothing-that-means-something-else"),
        pytest.param({"a.c": F + G}, {"a.c": None}, [("a.c", "a.c", "f"), ("a.c", "a.c", "g")], id="new-file"),
        pytest.param({"b.c": G}, {"a.c": F}, [], id="deleted-file"),
        pytest.param({"a.c": F, "b.c": F}, {"a.c": WEAK}, [("a.c", "a.c", "f")], id="namesake-in-another-file"),
        pytest.param(
            {"a.c": F, "b.c": F}, {"a.c": WEAK, "b.c": WEAK}, [("a.c", "a.c", "f"), ("b.c", "b.c", "f")], id="two-files"
        ),
        pytest.param({"a.c": "int x;\n"}, {"a.c": "int y;\n"}, [], id="no-contract"),
        pytest.param({"a.txt": F}, {"a.txt": WEAK}, [], id="no-source"),
        pytest.param(
            {
                "a.h": "/*@ ensures \\result == a; */\nint f(int a);\n",
                "a.c": '#include "a.h"\nint f(int a) { return a; }\n',
            },
            {"a.h": "int f(int a);\n"},
            [("a.c", "a.c", "f")],
            id="header-contract-is-judged-with-its-definition-and-not-twice",
        ),
        pytest.param(
            {
                "a.h": "/*@ ensures \\result == a; */\nint f(int a);\n",
                "a.c": '#include "a.h"\nint f(int a) { return a; }\n',
            },
            {"a.h": None, "a.c": None},
            [("a.c", "a.c", "f")],
            id="header-and-source-together",
        ),
        pytest.param(
            {
                "a.h": "/*@ ensures \\result == a; */\nint f(int a);\n",
                "b.c": '#include "a.h"\nint u(void) { return f(1); }\n',
            },
            {"a.h": "int f(int a);\n"},
            [("a.h", "a.h", "f")],
            id="defined-nowhere-is-judged-in-the-header",
        ),
        pytest.param(
            {"i.h": INLINE, "a.c": '#include "i.h"\n', "b.c": '#include "i.h"\n'},
            {"i.h": INLINE.replace("==", ">=")},
            [("a.c", "i.h", "h")],
            id="static-inline-of-two-sources-is-judged-once",
        ),
        pytest.param(
            {"i.h": INLINE},
            {"i.h": INLINE.replace("==", ">=")},
            [("i.h", "i.h", "h")],
            id="static-inline-that-nobody-includes",
        ),
        pytest.param(
            {"i.h": INLINE, "a.c": '#include "i.h"\n' + F},
            {"a.c": '#include "i.h"\n' + WEAK},
            [("a.c", "a.c", "f")],
            id="unchanged-static-inline-of-a-changed-source",
        ),
        pytest.param(
            {"i.h": INLINE, "a.c": '#include "i.h"\n' + F},
            {"a.c": None},
            [("a.c", "a.c", "f")],
            id="unchanged-static-inline-of-a-new-source",
        ),
        pytest.param(
            {
                "a.h": "/*@ ensures \\result == a; */\nint f(int a);\n",
                "a.c": '#include "a.h"\nint f(int a) { return a; }\n',
            },
            {"a.c": None},
            [("a.c", "a.c", "f")],
            id="new-definition-of-a-contract-that-was-there",
        ),
        pytest.param(
            {"i.h": INLINE, "j.h": '#include "i.h"\n', "a.c": '#include "j.h"\n'},
            {"i.h": INLINE.replace("==", ">=")},
            [("a.c", "i.h", "h")],
            id="included-through-another-header",
        ),
        pytest.param(
            {
                "p.h": "/*@ predicate p(int x) = x > 0; */\n",
                "a.c": '#include "p.h"\n' + F.replace("\\result == a", "p(a)") + G,
            },
            {"p.h": "/*@ predicate p(int x) = x > 1; */\n"},
            [("a.c", "a.c", "f")],
            id="predicate-of-a-header",
        ),
        pytest.param(
            {"p.h": "#define N 3\n", "a.c": '#include "p.h"\n' + F.replace("== a", "== N") + G},
            {"p.h": "#define N 4\n"},
            [("a.c", "a.c", "f")],
            id="macro-of-a-header",
        ),
    ],
)
def test_what_is_judged(
    files: dict[str, str], old: dict[str, str | None], expected: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    assert judged(work(tmp_path, files, old)) == expected


def test_headers_are_found_in_include_folders(tmp_path: Path) -> None:
    files = {"inc/i.h": INLINE, "src/a.c": '#include "i.h"\n'}
    old: dict[str, str | None] = {"inc/i.h": INLINE.replace("==", ">=")}
    assert judged(work(tmp_path, files, old)) == [("inc/i.h", "inc/i.h", "h")]
    (unit,) = work(tmp_path, files, old, folders=("inc",)).units
    assert (unit.unit.file, unit.include_dirs) == ("src/a.c", ("inc",))


def test_files_that_moved_are_compared_with_themselves(tmp_path: Path) -> None:
    header, source = "/*@ ensures \\result == a; */\nint f(int a);\n", '#include "{}.h"\nint f(int a) {{ return a; }}\n'
    files = {"new.h": header, "moved.c": source.format("new"), "test.c": '#include "moved.c"\n'}
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    texts = {"new.h": header, "moved.c": source.format("old"), "test.c": '#include "first.c"\n'}
    before = {"new.h": "old.h", "moved.c": "first.c", "test.c": "test.c"}
    changed = [
        ChangedFile(path, texts[path].encode(), files[path].encode(), "renamed", before[path], ((1, 1),))
        for path in sorted(files)
    ]
    changes = Changes(tuple(changed), WorkingTreeSnapshot(tmp_path))
    assert judged(work_of(changes, Config(), lambda _path: ())) == []


class Counting(WorkingTreeSnapshot):
    """Counts the files that are read one by one: from git each of them costs two processes."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.single = 0

    def read(self, path: str) -> bytes | None:
        self.single += 1
        return super().read(path)

    def read_many(self, paths: Iterable[str]) -> dict[str, bytes]:
        single = self.single
        found = super().read_many(paths)
        self.single = single
        return found


def test_a_changed_header_looks_closely_only_at_what_can_include_it(tmp_path: Path) -> None:
    files = {f"a{n}.c": '#include "other.h"\n' + F for n in range(100)}
    files |= {"other.h": "int x;\n", "deep.c": '#include <stdio.h>\n#include "sub/j.h"\n', "i.h": INLINE}
    files |= {"sub/real.h": '#include "../i.h"\n'}
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / "sub/j.h").symlink_to("real.h")
    old = ChangedFile("i.h", INLINE.replace("==", ">=").encode(), INLINE.encode(), "modified", "i.h", ((1, 2),))
    snapshot = Counting(tmp_path)
    one = work_of(Changes((old,), snapshot), Config(), lambda _path: ())
    assert judged(one) == [("deep.c", "i.h", "h")]
    assert snapshot.single < 20


def test_only_the_changed_clauses_are_named(tmp_path: Path) -> None:
    text = F.replace("/*@", "/*@ ensures \\true;")
    (unit,) = work(tmp_path, {"a.c": text}, {"a.c": text.replace("== a", ">= a")}).units
    assert [c.clauses for c in unit.changed] == [(1,)]


CODE = F + "\n" + G + "int bare(void) { return 1; }\n"


@pytest.mark.parametrize(
    ("lines", "changed_with", "expected"),
    [
        pytest.param(((2, 2),), ("contracts",), [], id="code-does-not-count-unless-it-is-asked-for"),
        pytest.param(((2, 2),), ("contracts", "code"), ["f"], id="body"),
        pytest.param(((5, 5),), ("contracts", "code"), ["g"], id="the-other-body"),
        pytest.param(((2, 2), (5, 5)), ("contracts", "code"), ["f", "g"], id="both"),
        pytest.param(((6, 6),), ("contracts", "code"), [], id="body-of-a-function-without-a-contract"),
        pytest.param(((5, 4),), ("contracts", "code"), ["g"], id="lines-that-went-away"),
    ],
)
def test_changed_with_code(
    lines: tuple[LineRange, ...], changed_with: tuple[str, ...], expected: list[str], tmp_path: Path
) -> None:
    config = replace(Config(), changed_with=changed_with)  # type: ignore[arg-type]
    one = work(tmp_path, {"a.c": CODE}, {"a.c": CODE.replace("return a;", "return a ;")}, {"a.c": lines}, config=config)
    assert [function for _u, _f, function in judged(one)] == expected
    assert {why for unit in one.units for c in unit.changed for why in c.why} == ({"code"} if expected else set())


@pytest.mark.parametrize(
    ("test", "changed_with", "expected"),
    [
        pytest.param("int main(void) { return f(1); }\n", ("contracts",), [], id="not-unless-it-is-asked-for"),
        pytest.param("int main(void) { return f(1); }\n", ("contracts", "tests"), ["f"], id="names-a-function"),
        pytest.param("int main(void) { return ff(1); }\n", ("contracts", "tests"), [], id="names-another"),
    ],
)
def test_changed_with_tests(test: str, changed_with: tuple[str, ...], expected: list[str], tmp_path: Path) -> None:
    config = replace(Config(), changed_with=changed_with)  # type: ignore[arg-type]
    one = work(tmp_path, {"src/a.c": F + G, "tests/test_a.c": test}, {"tests/test_a.c": ""}, config=config)
    assert [function for _u, _f, function in judged(one)] == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(((1, 1),), [("a.c", 1)], id="in-the-changed-lines"),
        pytest.param(((4, 4),), [("a.c", 1)], id="near-them"),
        pytest.param(((9, 9),), [], id="far-from-them"),
    ],
)
def test_problems_near_the_change_are_said(
    lines: tuple[LineRange, ...], expected: list[tuple[str, int]], tmp_path: Path
) -> None:
    text = "/*@ ensures ; */\nint f(int a);\n" + "\n" * 9 + G
    one = work(tmp_path, {"a.c": text}, {"a.c": text + "\n"}, {"a.c": lines})
    assert [(n.file, n.line) for n in one.not_checked] == expected


def test_a_problem_is_said_once_although_two_units_hold_it(tmp_path: Path) -> None:
    header = "/*@ ensures ; */\nint f(int a);\n"
    files = {"i.h": header, "a.c": '#include "i.h"\n' + F.replace(" f(", " k("), "b.c": '#include "i.h"\n'}
    one = work(tmp_path, files, {"i.h": "", "a.c": "", "b.c": ""})
    assert [(n.file, n.line) for n in one.not_checked] == [("i.h", 1)]


def test_excluded_sources_are_not_judged(tmp_path: Path) -> None:
    config = replace(Config(), exclude=("old/*",))
    one = work(tmp_path, {"old/a.c": F, "a.c": F}, {"old/a.c": WEAK, "a.c": WEAK}, config=config)
    assert judged(one) == [("a.c", "a.c", "f")]


def test_sources_reads_the_judged_state(tmp_path: Path) -> None:
    sources = work(tmp_path, {"a.c": F}, {"a.c": WEAK}).sources
    assert sources.text("a.c") == F
    assert sources.text("none.c") is None
    assert sources.contracts("none.c") is None
