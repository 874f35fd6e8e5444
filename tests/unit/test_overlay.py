"""Copies for the verifier: what is blanked, what stays, and which includes keep a file from being copied."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.c_project import translation_unit
from clausefit.hook.contracts.model import NotChecked
from clausefit.hook.overlay import files_for, options, prelude, reduced
from growth import assert_grows_linearly


def shape(text: str) -> str:
    """The text with every character of a line replaced: equal shapes have equal lines and columns."""
    return re.sub(r"[^\r\n]", "x", text)


@pytest.mark.parametrize(
    ("text", "gone", "kept"),
    [
        pytest.param("/*@ lemma l: \\false; */\nint a;\n", ["lemma", "false"], ["int a;"], id="lemma"),
        pytest.param("int a; //@ lemma l: \\false;\nint b;\n", ["lemma"], ["int a;", "int b;"], id="line-comment"),
        pytest.param(
            "/*@ predicate p(int x) = x > 0;\n    lemma l:\n      \\forall int x; p(x);\n"
            "    predicate q(int x) = p(x); */\n",
            ["lemma", "forall"],
            ["predicate p(int x) = x > 0;", "predicate q(int x) = p(x); */"],
            id="lemma-between-predicates",
        ),
        pytest.param(
            "/*@ axiomatic A {\n  logic int f(int x);\n  axiom one: f(1) == 1;\n  lemma two: f(1) == 2;\n} */\n",
            ["lemma", "two", "== 2"],
            ["axiomatic A {", "axiom one: f(1) == 1;", "} */"],
            id="lemma-in-an-axiomatic-block",
        ),
        pytest.param(
            "/*@ requires a > 0;\n    ensures \\result == a; */\nint f(int a) { return a; }\n",
            ["requires", "ensures", "/*@"],
            ["int f(int a) { return a; }"],
            id="contract",
        ),
        pytest.param(
            "int f(int a) {\n  //@ assert a > 0;\n  /*@ loop invariant a; */\n  for (;;) ;\n}\n",
            ["assert", "invariant"],
            ["for (;;) ;"],
            id="annotations-of-code",
        ),
        pytest.param("/*@ nonsense here; */ int a;\n", ["nonsense"], [" int a;"], id="of-no-known-kind"),
        pytest.param("/*@ lemma l: \\false; */\r\nint a;\r\n", ["lemma"], ["\r\nint a;\r\n"], id="carriage-returns"),
        pytest.param("/*@\tlemma ü: \\false; */\tint ä;\n", ["lemma", "ü"], ["*/\tint ä;"], id="tabs-and-letters"),
        pytest.param("/* lemma l: \\false; */\n", [], ["/* lemma l: \\false; */"], id="ordinary-comment"),
        pytest.param('char *s = "/*@ lemma l: x; */";\n', [], ['"/*@ lemma l: x; */"'], id="in-a-string"),
        pytest.param("/*@ requires a; \nint f(int a);\n", [], ["requires a;"], id="comment-without-an-end"),
        pytest.param("//@ ghost int g;\nint a;\n", [], ["//@ ghost int g;"], id="ghost-code"),
        pytest.param("", [], [], id="empty"),
    ],
)
def test_reduced(text: str, gone: list[str], kept: list[str]) -> None:
    result = reduced(text, read_c(text, "f.c"))
    assert shape(result) == shape(text)
    assert [part for part in gone if part in result] == []
    assert [part for part in kept if part not in result] == []


def test_nothing_but_blanks_is_new() -> None:
    text = "/*@ lemma l: \\false; */ int a; /*@ requires x; */ int f(int x);\n//@ predicate p(int y) = y;\n"
    result = reduced(text, read_c(text, "f.c"))
    assert all(new in (old, " ") for old, new in zip(text, result, strict=True))
    assert result.split() == [
        "/*@",
        "*/",
        "int",
        "a;",
        *["int", "f(int", "x);", "//@", "predicate", "p(int", "y)", "=", "y;"],
    ]


def copies(
    files: dict[str, str], root: str = "src/f.c", folders: tuple[str, ...] = ()
) -> tuple[tuple[str, str], ...] | NotChecked:
    def read(path: str):  # type: ignore[no-untyped-def]
        return read_c(files[path], path) if path in files else None

    return files_for(translation_unit(root, read, folders), files.get, read, folders)


def test_headers_come_first_and_lie_as_in_the_workspace() -> None:
    made = copies(
        {
            "src/f.c": '#include "f.h"\n#include <deep.h>\n/*@ lemma l: \\false; */\n',
            "src/f.h": "int f(int);\n//@ lemma m: \\false;\n",
            "inc/deep.h": "int deep;\n",
        },
        folders=("inc",),
    )
    assert not isinstance(made, NotChecked)
    assert {path for path, _ in made} == {"w/src/f.h", "w/inc/deep.h", "w/src/f.c"}
    assert made[-1][0] == "w/src/f.c"
    assert all("lemma" not in text for _, text in made)


def test_the_copy_is_what_the_prelude_and_the_options_find(tmp_path: Path) -> None:
    texts = {"src/f.c": '#include "f.h"\n#include "g.h"\nint f = G + H;\n', "src/f.h": "#define H 2\n", "inc/g.h": ""}
    texts["inc/g.h"] = "#define G 1\n"
    made = copies(texts, folders=("inc",))
    assert not isinstance(made, NotChecked)
    for path, text in made:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    unit = translation_unit("src/f.c", lambda path: read_c(texts[path], path) if path in texts else None, ["inc"])
    (tmp_path / "cf_stubs.c").write_text(prelude(unit) + "\n")
    command = ["gcc", "-E", "-P", *options(["inc"], ["X=1"], ["Y"]), "cf_stubs.c"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["int", "f", "=", "1", "+", "2;"]


@pytest.mark.parametrize(
    ("folders", "defines", "undefines", "expected"),
    [
        pytest.param((), (), (), (), id="none"),
        pytest.param(("inc", "."), (), (), ("-Iw/inc", "-Iw"), id="folders-below-the-copy"),
        pytest.param((), ("A", "B=-x y"), ("C",), ("-DA", "-DB=-x y", "-UC"), id="macros-stay-one-argument"),
    ],
)
def test_options(
    folders: tuple[str, ...], defines: tuple[str, ...], undefines: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    assert options(folders, defines, undefines) == expected


OUT = "outside of the workspace"
ODD = "in an odd way"
# What gcc reads as an include of a file outside, each on the second line of a file or with the line that it is on.
READ_BY_GCC = [
    pytest.param('#include "/etc/hostname"', OUT, 2, id="absolute"),
    pytest.param("#include </etc/hostname>", OUT, 2, id="absolute-in-angles"),
    pytest.param('#include_next "/etc/hostname"', OUT, 2, id="include-next"),
    pytest.param('#import "/etc/hostname"', OUT, 2, id="import"),
    pytest.param('#  include "/etc/hostname"', OUT, 2, id="blanks-after-the-mark"),
    pytest.param('  #\tinclude"/etc/hostname"', OUT, 2, id="blanks-before-the-mark"),
    pytest.param('#/* */include "/etc/hostname"', OUT, 2, id="comment-after-the-mark"),
    pytest.param('%:include "/etc/hostname"', ODD, 2, id="digraph"),
    pytest.param('#inc\\\nlude "/etc/hostname"', OUT, 2, id="spliced"),
    pytest.param('#inc\\\r\nlude "/etc/hostname"', OUT, 2, id="spliced-crlf"),
    pytest.param('#inc\\ \nlude "/etc/hostname"', OUT, 2, id="spliced-with-a-blank"),
    pytest.param('#\\\t\ninclude "/etc/hostname"', OUT, 2, id="mark-spliced-with-a-blank"),
    pytest.param('#define H "/etc/hostname"\n#include H', ODD, 3, id="macro"),
    pytest.param('#define H(x) "/etc/x"\n#define x hostname\n#include H(x)', ODD, 4, id="macro-with-arguments"),
    pytest.param('#\0include "/etc/hostname"', OUT, 2, id="nul-is-a-blank"),
    pytest.param('#pragma x \' /*\n#include "/etc/hostname"\n/* */', OUT, 3, id="quote-hides-the-comment-mark"),
    pytest.param('#define A " /*\n#include "/etc/hostname"\n/* */', OUT, 3, id="double-quote-hides-the-comment-mark"),
    pytest.param('char *s = R"(" /* )";\n#include "/etc/hostname"\n/* */', OUT, 3, id="raw-string"),
    pytest.param('/* x *\\\n/\n#include "/etc/hostname"\n/* */', OUT, 4, id="spliced-end-of-comment"),
]
REFUSED_TO_BE_SURE = [
    pytest.param('#include "../../x.h"', OUT, 2, id="above"),
    pytest.param('#include "a/../../../x.h"', OUT, 2, id="down-and-above"),
    pytest.param("#include <../x.h>", OUT, 2, id="above-in-angles"),
    pytest.param('#embed "/etc/hostname"', OUT, 2, id="embed"),
    pytest.param('/* */ #include "/etc/hostname"', ODD, 2, id="comment-before-the-mark"),
    pytest.param('#include "x.h', ODD, 2, id="without-an-end"),
    pytest.param("#include", ODD, 2, id="of-nothing"),
    pytest.param("#include H(/etc/hostname)", ODD, 2, id="macro-of-another-file"),
    pytest.param('/*@ predicate p(int x) =\n#include "/etc/hostname"\n; */', OUT, 3, id="in-an-annotation"),
    pytest.param('/*@ predicate p(int x) =\n  @ #include "/etc/hostname"\n; */', OUT, 3, id="decorated"),
    pytest.param('//@ #include "/etc/hostname"', OUT, 2, id="starts-an-annotation"),
    pytest.param('#if 0\n#include "/etc/hostname"\n#endif', OUT, 3, id="in-a-branch-that-is-not-taken"),
]


@pytest.mark.parametrize(("text", "why", "line"), READ_BY_GCC + REFUSED_TO_BE_SURE)
def test_includes_that_lead_out_are_refused(text: str, why: str, line: int) -> None:
    made = copies({"src/f.c": f"int before;\n{text}\nint after;\n"})
    assert isinstance(made, NotChecked)
    assert (made.file, made.function, made.reason, made.line) == ("src/f.c", None, "unsupported", line)
    assert made.detail.startswith(f"line {line} ")
    assert why in made.detail


@pytest.mark.parametrize(("text", "why", "line"), READ_BY_GCC)
def test_gcc_does_read_the_file(text: str, why: str, line: int, tmp_path: Path) -> None:
    """Frama-C 25 preprocesses with ``gcc -E -C``."""
    text = text.replace("/etc/hostname", f"{tmp_path}/hostname").replace("/etc/x", f"{tmp_path}/hostname")
    (tmp_path / "hostname").write_text("int read_from_outside;\n")
    (tmp_path / "f.c").write_text(f"int before;\n{text}\nint after;\n", newline="")
    done = subprocess.run(["gcc", "-E", "-C", "f.c"], cwd=tmp_path, capture_output=True, text=True)
    assert "int read_from_outside;" in done.stdout, done.stderr


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("#include <stdio.h>", id="system"),
        pytest.param("#include <sys/types.h>", id="system-folder"),
        pytest.param('#include "f.h"', id="beside"),
        pytest.param('#include "../inc/g.h"', id="up-and-down-again"),
        pytest.param('#include "missing.h"', id="not-there"),
        pytest.param('#include "f.h" /* "/etc/hostname" */ // ../../x', id="comments-behind"),
        pytest.param('#inc\\\nlude "f.h"', id="spliced"),
        pytest.param('char *s = "#include \\"/etc/hostname\\"";', id="in-a-string"),
        pytest.param("/* do not #include </etc/hostname> here */", id="in-the-middle-of-a-comment"),
        pytest.param("/*\n * #include directives follow\n */", id="prose"),
        pytest.param("#included", id="another-word"),
        pytest.param("#define S(x) #x\nint include;", id="stringizing"),
        pytest.param("int a = b %\n  include;", id="no-digraph"),
    ],
)
def test_includes_that_stay_inside(text: str) -> None:
    made = copies({"src/f.c": text + "\n", "src/f.h": "", "inc/g.h": ""}, folders=("inc",))
    assert not isinstance(made, NotChecked), made.detail
    (copy,) = (copied for path, copied in made if path == "w/src/f.c")
    assert copy in (text + "\n", re.sub(r"[^\n]", " ", text) + "\n", text.partition("/*")[0] + "\n")


def test_headers_are_looked_at_as_well() -> None:
    made = copies({"src/f.c": '#include "f.h"\n', "src/f.h": '\n\n#include "/etc/hostname"\n'})
    assert isinstance(made, NotChecked)
    assert (made.file, made.line) == ("src/f.h", 3)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param('a".c', id="quote"),
        pytest.param("a\n.c", id="line-feed"),
        pytest.param("a\\b.c", id="backslash"),
        pytest.param("a<b>.c", id="angles"),
    ],
)
def test_names_that_c_cannot_include(name: str) -> None:
    made = copies({name: "int a;\n"}, root=name)
    assert isinstance(made, NotChecked)
    assert made.reason == "unsupported"


def test_a_file_that_is_gone() -> None:
    unit = translation_unit("f.c", lambda path: read_c("int a;", path) if path == "f.c" else None, [])
    made = files_for(unit, lambda _path: None, lambda _path: None)
    assert isinstance(made, NotChecked)
    assert made.reason == "missing_file"


@pytest.mark.parametrize(
    ("piece", "count"),
    [
        pytest.param("/*@ lemma l: \\true; */\n", 8000, id="lemmas"),
        pytest.param("#include <a.h>\n", 20_000, id="includes"),
        pytest.param("#/*\n", 200_000, id="comments-without-an-end"),
        pytest.param("\\ \n#\\\n", 20_000, id="splices"),
        pytest.param("   \\   ", 20_000, id="blanks"),
        pytest.param("#" * 20 + "\n", 20_000, id="marks"),
    ],
)
def test_large_files_take_linear_time(piece: str, count: int) -> None:
    assert_grows_linearly(lambda repeated: copies({"src/f.c": piece * repeated}), count // 8, count)


def test_frama_c_reads_what_is_left(tmp_path: Path) -> None:
    """A copy has the same meaning for Frama-C, and no lemma that it could assume."""
    text = (
        "/*@ lemma bad: \\false; */\n/*@ axiomatic A { logic integer k; axiom a: k == 3; lemma c: k == 4; } */\n"
        "/*@ predicate p(integer x) = x == k; */\n/*@ requires broken( ; */\n"
        "int f(int x) { /*@ assert p(; */ return x; }\n"
    )
    (tmp_path / "f.c").write_text(reduced(text, read_c(text, "f.c")) + "/*@ ensures p(3); */ void g(void) {}\n")
    command = ["frama-c", "f.c", "-kernel-warn-key", "annot-error=active", "-print"]
    # Frama-C looks for files below PWD, whatever the working folder is.
    environment = os.environ | {"PWD": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "lemma" not in done.stdout
    assert "axiom a: k" in done.stdout
    assert "ensures p(3)" in done.stdout
