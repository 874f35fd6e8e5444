"""What of C files is left out for the verifier: comments, bodies, functions that nobody names; and where nothing is."""

from __future__ import annotations

import pytest
from clausefit.hook.needed_text import left_out


def kept(*texts: str) -> list[str]:
    """The texts without what is left out, in single blanks."""
    found = []
    for text, stretches in zip(texts, left_out(texts), strict=True):
        characters = list(text)
        for start, end in stretches:
            characters[start:end] = [" "] * (end - start)
        found.append(" ".join("".join(characters).split()))
    return found


G = "int g = 1;"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("// c\nint g = 1; /* d */", G, id="comments"),
        pytest.param("int g = 1;\nint f(int a) { return a; }", G, id="a-function"),
        pytest.param("int f(int a);\nint g = 1;\nint f(int a) { return a; }", G, id="declared-and-defined"),
        pytest.param("static inline int *f(struct s *p, int n[3]);\nint g = 1;", G, id="an-involved-head"),
        pytest.param("int f(a) int a; { return a; } int g = 1;", G, id="old-style"),
        pytest.param("int f(int a) { return a; }\nint h(void) { return f(1); }", "", id="a-call-in-a-body-is-no-need"),
        pytest.param(
            "int f(int a) { return a; }\nint (*p)(int) = f;", "int f(int a) { } int (*p)(int) = f;", id="an-address"
        ),
        pytest.param("int f(int a);\n#define F f", "int f(int a); #define F f", id="a-macro"),
        pytest.param(
            "int f(int a);\n/*@ predicate p = f == 0; */", "int f(int a); /*@ predicate p = f == 0; */", id="logic"
        ),
        pytest.param(
            "int f(void) {\n#define N 3\nreturn N; }", "int f(void) { #define N 3 return N; }", id="macro-in-body"
        ),
        pytest.param("struct s { int a; } f(void);", "struct s { int a; } f(void);", id="a-type-in-a-head"),
        pytest.param("int f(void), g;", "int f(void), g;", id="a-variable-beside"),
        pytest.param("typedef int f(void);", "typedef int f(void);", id="a-type"),
        pytest.param("static T (x);", "static T (x);", id="a-variable-in-parentheses"),
        pytest.param('char *s = "/* no */";', 'char *s = "/* no */";', id="in-a-string"),
        pytest.param("int a; /* ??/\n */", "int a; /* ??/ */", id="trigraphs"),
        pytest.param("int a; // b \\\nint c;", "int a; // b \\ int c;", id="a-comment-that-goes-on"),
        pytest.param('char *s = R"(/* no */)";', 'char *s = R"(/* no */)";', id="a-raw-string"),
        pytest.param("int a; // don't\n", "int a;", id="a-quote-in-a-comment"),
        pytest.param("int a = ' ; /* b */", "int a = ' ; /* b */", id="a-quote-without-an-end"),
        pytest.param("int a; /* open", "int a; /* open", id="a-comment-without-an-end"),
        pytest.param("int f(void) { return 1;", "int f(void) { return 1;", id="a-body-without-an-end"),
        pytest.param("#if X\nint f(void) {\n#else\nint f(int a) {\n#endif\n}", None, id="half-a-head-in-each-branch"),
    ],
)
def test_what_is_kept(text: str, expected: str | None) -> None:
    assert kept(text) == [" ".join(text.split()) if expected is None else expected]


def test_a_name_in_another_file_keeps_a_function() -> None:
    assert kept("int f(int a);", "int (*p)(int) = f; int f(int a) { return a; }") == [
        "int f(int a);",
        "int (*p)(int) = f; int f(int a) { }",
    ]


def test_offsets_and_lines_stay() -> None:
    text = "/* a\n b */ int f(void) { return 1; }\n"
    ((comment, function),) = left_out([text])
    assert text[slice(*comment)] == "/* a\n b */" and text[slice(*function)] == "int f(void) { return 1; }"
