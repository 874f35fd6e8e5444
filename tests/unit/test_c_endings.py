"""Which functions of C may end without a return: on the safe side, and with nothing lost of ordinary ones."""

from __future__ import annotations

import pytest
from clausefit.hook.record.c_endings import Endings

LEAVES = {
    "return": "return x;",
    "if and else": "if (x) return 1; else { return 2; }",
    "else if": "if (x) return 1; else if (x > 2) return 2; else return 3;",
    "abort": "if (x) return 1; abort();",
    "exit in a block": "{ exit(3); }",
    "endless for": "for (;;) { if (x) return x; x++; }",
    "endless while": "while (1) x++;",
    "endless do": "do { if (x) return 1; } while (1);",
    "switch with returns": "switch (x) { case 1: return 1; case 2: { return 2; } default: return 3; }",
    "switch that falls through": "switch (x) { case 1: x++; default: return x; }",
    "inner switch with a break in no last place": "switch (x) { case 1: return 1; default: abort(); }",
    "label at the end": "if (x) goto out; x = 2; out: return x;",
    "goto at the end": "again: x--; if (x < 0) return x; goto again;",
    "macro that returns": "GIVE(x);",
    "macro in a loop of its own": "FAIL(x);",
    "noreturn of C11": "die(x);",
    "noreturn attribute": "stop(x);",
    "noreturn attribute after": "halt(x);",
    "noreturn in a header": 'fatal("no");',
    "both branches of an #if": "\n#ifdef A\nreturn 1;\n#else\nreturn 2;\n#endif\n",
    "#if before a return": "\n#ifdef A\nx++;\n#endif\nreturn x;",
    "do once": "do { return x; } while (0);",
    "statement of an annotation": "/*@ assert x > 0; */ return x;",
    "comment after": "return x; /* not } reached */ // nor this",
    "nested block": "if (x) { if (x > 1) { return 1; } else { return 2; } } else { return 3; }",
    "initializer": "int a[] = {1, 2}; struct p q = {.x = 1}; return a[0];",
    "attribute of a case": "switch (x) { case 1: x++; __attribute__((fallthrough)); default: return x; }",
}
GOES_ON = {
    "empty": "",
    "no else": "if (x) return 1;",
    "else goes on": "if (x) return 1; else x++;",
    "for with a condition": "for (int i = 0; i < x; i++) return i;",
    "while": "while (x) { return 1; }",
    "break out of an endless loop": "for (;;) { if (x) break; }",
    "switch without default": "switch (x) { case 1: return 1; case 2: return 2; }",
    "switch with a break": "switch (x) { case 1: break; default: return 1; }",
    "default of an inner switch only": "switch (x) { case 1: switch (x) { default: return 1; } }",
    "switch whose last case goes on": "switch (x) { case 1: return 1; default: x++; }",
    "label at the end": "if (x) goto out; return x; out:;",
    "goto out of an endless loop": "for (;;) { if (x) goto out; } out: x = 1;",
    "do once that goes on": "do { if (x) return 1; } while (0);",
    "do once that is left by continue": "do { if (x) continue; return 1; } while (0);",
    "a call": "g(x);",
    "assert, which may be nothing": "assert(0);",
    "macro that may go on": "CHECK(x);",
    "macro that is nothing in one build": "SOMETIMES();",
    "a function of the project that is called as a system one": "errx(1);",
    "only one branch of an #if": "\n#ifdef A\nreturn 1;\n#endif\n",
    "text": 'puts("return 1; }");',
    "comment": "/* return x; */",
    "condition that calls": "if (exit_code(x)) { abort(); }",
    "pointer to what never returns": "void (*f)(void) = abort;",
    "not closed": "if (x",
}
BEFORE = """
#include "h.h"
#define GIVE(v) return (v)
#define FAIL(v) do { log(v); \\
  return -1; } while (0)
#define CHECK(v) if (v) return 1
#ifdef A
#define SOMETIMES() abort()
#else
#define SOMETIMES()
#endif
_Noreturn void die(int x);
__attribute__((noreturn, format(printf, 1, 2))) void stop(int x);
void halt(int x) __attribute__((__noreturn__));
void errx(int status) { log(status); }
int g(int x);
"""
HEADER = "[[noreturn]] void fatal(const char *why);\nint other(int);\n"


def may_lack(body: str) -> bool:
    text = f"{BEFORE}\nint f(int x);\nint f(int x)\n{{ {body}\n}}\nint after(int x) {{ return f(x); }}\n"
    return Endings(text, [HEADER]).may_lack_return("f")


@pytest.mark.parametrize("case", LEAVES)
def test_an_ordinary_function_ends_in_a_return_or_never(case: str) -> None:
    assert not may_lack(LEAVES[case])


@pytest.mark.parametrize("case", GOES_ON)
def test_a_function_whose_end_can_be_reached_is_found(case: str) -> None:
    assert may_lack(GOES_ON[case])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "int g(void) { return 1; }",
        "#define MAKE(n) int n(void) { return 1; }\nMAKE(f)\n",
        "(" * 5000,
        "f(" + "{" * 5000,
    ],
    ids=["nothing", "another function", "made by a macro", "deep parentheses", "deep braces"],
)
def test_what_cannot_be_read_may_end(text: str) -> None:
    assert Endings(text).may_lack_return("f")


def test_one_of_two_definitions_is_enough() -> None:
    text = "#ifdef A\nint f(int x) { return x; }\n#else\nint f(int x) { x++; }\n#endif\n"
    assert Endings(text).may_lack_return("f")


def test_deep_nesting_is_no_crash() -> None:
    assert may_lack("if (x) " * 3000 + "return 1;")
