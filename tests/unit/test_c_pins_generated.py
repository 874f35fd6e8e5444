"""Generated tests: what the pins say must be what really happened when gcc's program ran.

Random test functions are built twice. The first program prints the values that its checks see; the second has them as
assertions. The functions under test log what they receive and leave behind; every value that a pin claims to know has
to be the logged one. ``cf_at`` notes the line of each call, so that a pin is compared with its own call.
"""

# ruff: noqa: E501 -- tables of C text
from __future__ import annotations

import random
import re
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest
from clausefit.hook.compile_commands import CompilerSettings
from clausefit.hook.pins.c_tests import TestPins, pins_from_c
from clausefit.hook.pins.preprocess import Preprocessed, preprocess
from clausefit.hook.pins.values import (
    Array,
    Floating,
    Integer,
    Null,
    Pin,
    Pointer,
    Returned,
    Struct,
    Unknown,
    Value,
    at,
)

HEADER = """
struct pt { int x; short y; unsigned char tag[2]; };
extern int level;
extern unsigned marks[3];
int mix(int a, unsigned b);
void turn(int *t, int n);
int count(const int *t, int n);
unsigned char fold(unsigned char c, long x);
struct pt moved(struct pt p, int k);
void shift(struct pt *p, short d);
int *find(int *t, int n);
const int *peek(const int *t, int n);
_Bool any(const int *t, int n);
void bump(void);
void keep(int *p);
void poke(int v);
double scale(double x, float y);
int text(const char *s);
void upper(char *s);
int take(int *p);
struct link { int v; struct link *next; };
void chain(struct link *l);
"""

PROGRAM = r"""
#include <stdio.h>
#include <string.h>
#include "src.h"
extern int cf_at;
int level = 1;
unsigned marks[3];
static int *kept;
static void ints(const char *tag, const int *t, int n)
{ printf(" %s", tag); for (int i = 0; i < n; i++) printf("%s%d", i ? "," : "", t[i]); printf(" "); }
static void point(const char *tag, const struct pt *p)
{ printf(" %s%d,%d,%d,%d ", tag, p->x, p->y, p->tag[0], p->tag[1]); }
static void globals(const char *tag)
{ printf(" %slevel=%d %smarks=%u,%u,%u ", tag, level, tag, marks[0], marks[1], marks[2]); }
static void in(const char *f) { printf("CALL %d %s", cf_at, f); globals("b."); }
static void out(void) { globals("a."); printf("\n"); }
int mix(int a, unsigned b)
{ in("mix"); int r = (int)((unsigned)a * 3u + b) % 100; printf(" a=%d b=%u r=%d", a, b, r); out(); return r; }
void turn(int *t, int n)
{ in("turn"); ints("b.t=", t, n); for (int i = 0; i < n; i++) t[i] = t[i] % 7 + i; ints("a.t=", t, n);
  printf("n=%d", n); out(); }
int count(const int *t, int n)
{ in("count"); int r = 0; for (int i = 0; i < n; i++) r += t[i] > 0; ints("b.t=", t, n); ints("a.t=", t, n);
  printf("n=%d r=%d", n, r); out(); return r; }
unsigned char fold(unsigned char c, long x)
{ in("fold"); unsigned char r = (unsigned char)(c + x); printf(" c=%d x=%ld r=%d", c, x, r); out(); return r; }
struct pt moved(struct pt p, int k)
{ in("moved"); point("p=", &p); p.x = k; p.y = (short)(p.y + 1); p.tag[1] = 9; point("r=", &p);
  printf("k=%d", k); out(); return p; }
void shift(struct pt *p, short d)
{ in("shift"); point("b.p=", p); p->x = p->x % 50 + d; p->tag[0]++; point("a.p=", p); printf("d=%d", d); out(); }
int *find(int *t, int n)
{ in("find"); int *r = 0; ints("b.t=", t, n); for (int i = 0; i < n && !r; i++) if (t[i] > 2) r = t + i;
  if (r && n > 2) t[0] = -1; ints("a.t=", t, n); printf("n=%d r=%ld", n, r ? (long)(r - t) : -1L); out(); return r; }
const int *peek(const int *t, int n)
{ in("peek"); ints("b.t=", t, n); ints("a.t=", t, n); printf("n=%d r=%d", n, n - 1); out(); return t + n - 1; }
_Bool any(const int *t, int n)
{ in("any"); _Bool r = 0; for (int i = 0; i < n; i++) r |= t[i] == 3; ints("b.t=", t, n); ints("a.t=", t, n);
  printf("n=%d r=%d", n, r); out(); return r; }
void bump(void) { in("bump"); level = level % 9 + 1; marks[(unsigned)level % 3]++; out(); }
void keep(int *p) { in("keep"); ints("b.p=", p, 1); kept = p; *p = *p % 11; ints("a.p=", p, 1); out(); }
int take(int *p)
{ in("take"); int r = *p; ints("b.p=", p, 1); *p = r % 5 + 1; ints("a.p=", p, 1); printf("r=%d", r); out(); return r; }
static void links(const char *tag, const struct link *l)
{ printf(" %s", tag); for (int i = 0; l && i < 4; l = l->next, i++) printf("%s%d", i ? "," : "", l->v); printf(" "); }
void chain(struct link *l)
{ in("chain"); links("b.l=", l); if (l->next) l->next->v = l->v + 1; else l->v %= 4; links("a.l=", l); out(); }
void poke(int v) { in("poke"); if (kept) *kept = v + 1; printf(" v=%d", v); out(); }
double scale(double x, float y)
{ in("scale"); double r = x * 2 + y; printf(" x=%a y=%a r=%a", x, y, r); out(); return r; }
int text(const char *s) { in("text"); printf(" b.s=%s r=%d", s, (int)strlen(s)); out(); return (int)strlen(s); }
void upper(char *s)
{ in("upper"); printf(" b.s=%s", s); for (; *s; s++) if (*s >= 'a' && *s <= 'z') *s -= 32; out(); }
"""

NAMES = re.findall(r"(\w+)\([^)]*\);", HEADER)
LOGGING = "int cf_at, cf_held;\n" + "".join(
    f"#define {name}(...) (cf_held ? 0 : (cf_at = __LINE__), {name}(__VA_ARGS__))\n" for name in NAMES
)


class Writer:
    """Writes one random test function; ``values`` are what its checks saw, once the first program ran."""

    def __init__(self, seed: int, values: dict[int, str] | None) -> None:
        self.random = random.Random(seed)
        self.values = values
        self.base = seed * 1000
        self.checks = 0
        self.depth = 0

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def number(self) -> str:
        return self.pick("0", "1", "2", "3", "-1", "7", "0x1F", "'a'", "12", "-5")

    def scalar(self) -> str:
        return self.pick("x", "y", "a[1]", "b[0]", "(int)u", "p.x", "level", "(x + 1)", "s", "(int)marks[1]")

    def check(self, expression: str, form: str = "%lld", cast: str = "long long") -> str:
        """A check of an expression: prints it in the first program, asserts it in the second."""
        self.checks += 1
        number = self.base + self.checks
        style = self.random.randrange(9)
        if self.values is None:
            return f'printf("V {number} {form}\\n", ({cast})({expression}));'
        if number not in self.values:
            return ";"
        value = self.values[number]
        if form == "%lld" and style == 0:
            return f'if (({expression}) != {value}) {{ printf("no"); abort(); }}'
        if style == 1:
            return f"assert({value} == ({expression}));"
        if style == 2:
            return f"assert(!(({expression}) != {value}));"
        if style == 3:
            return f"assert(({expression}) == {value} && 1);"
        if style == 4 and form == "%lld":
            return f"assert(({expression}) >= {value});"
        if style == 5 and form == "%lld" and value not in ("0", "-1"):
            return f"assert({expression});"
        if style == 6 and form == "%lld":
            return f"assert(({expression}) != {int(value) + 1});"
        return f"assert(({expression}) == {value});"

    def array(self) -> tuple[str, int]:
        """An ``int *`` argument and how many cells it has."""
        return self.random.choice([("a", 4), ("a + 1", 2), ("&a[2]", 2), ("b", 2), ("&x", 1), ("q", 1), ("&s", 1),
                                   ("g", 3), ("&p.x", 1)])  # fmt: skip

    def call(self) -> list[str]:
        array, n = self.array()
        n = self.random.randint(1, n)
        point = self.pick("&p", "&ps[1]")
        return self.random.choice([
            lambda: [f"x = mix({self.scalar()}, {self.number()});", self.check("x")],
            lambda: [self.check(f"mix({self.scalar()}, u)")],
            lambda: [f"turn({array}, {n});", self.check(f"*({array})"), self.check(self.scalar())],
            lambda: [f"turn({array}, {n});"],
            lambda: [self.check(f"count({array}, {n})")],
            lambda: [f"y = fold((unsigned char){self.scalar()}, {self.number()});", self.check("y")],
            lambda: [f"p = moved(p, {self.number()});", self.check("p.x"), self.check("p.tag[1]")],
            lambda: [f"shift({point}, {self.number()});", self.check(f"({point})->x"), self.check("ps[1].tag[0]")],
            lambda: [f"r = find({array}, {n});", self.check(f"r == {array}"), self.check("r != 0")],
            lambda: [f"r = find({array}, {n});", f"if (r != 0) *r = {self.number()};", self.check("a[0]")],
            lambda: [self.check(f"peek({array}, {n}) == ({array}) + {n - 1}")],
            lambda: [f"u = any({array}, {n});", self.check("u")],
            lambda: [self.check(f"any({array}, {n})")],
            lambda: ["bump();", self.check("level"), self.check("marks[2]")],
            lambda: [f"keep({self.pick('&x', '&s', 'a + 3', '&g[1]')});"],
            lambda: [f"poke({self.scalar()});", self.check(self.scalar())],
            lambda: [self.check(f"scale({self.pick('0.5', '1e3', 'd', '0x1p-3', '3')}, {self.pick('0.1f', '2', '0.25')})",
                                "%a", "double")],
            lambda: [f"d = scale(d, {self.pick('1', '0.5f')});", self.check("d", "%a", "double")],
            lambda: [self.check(f"text({self.pick('w', chr(34) + 'ab' + chr(34), 'w + 1')})")],
            lambda: ["upper(w);", self.check("w[0]"), self.check("strcmp(w, \"AB\") == 0")],
            lambda: [f"x = mix(mix(1, 2), {self.scalar()}) + mix({self.scalar()}, 3);", self.check("x")],
            lambda: [f"x = {self.scalar()} + count({array}, {n});", self.check("x")],
            lambda: [f"a[count({array}, {n}) & 3] = mix({self.scalar()}, 1);", self.check("a[1]")],
            lambda: [f"check(mix({self.scalar()}, 2u), {self.scalar()});"],
            lambda: [f"x = {self.scalar()} + take({array});", self.check("x"), self.check(f"*({array})")],
            lambda: [self.check(f"take({array}) == {self.scalar()}")],
            lambda: [self.check(f"{self.scalar()} == take({array})")],
            lambda: [f"a[2] = take({array}) + {self.scalar()};", self.check("a[2]")],
            lambda: [f"check({self.scalar()}, take(&s));", self.check("s")],
            lambda: [f"chain({self.pick('&k', '&m')});", self.check("m.v"), self.check("k.v")],
            lambda: [f"helper({array}, {n});", self.check(f"*({array})")],
        ])()  # fmt: skip

    def statement(self) -> list[str]:
        kind = self.random.randrange(16)
        if kind < 9 or self.depth > 1:
            return self.call()
        if kind == 9:
            return [f"{self.pick('x', 'y', 'a[2]', 'b[1]', 'p.x', 's', 'level', 'marks[1]', 'ps[1].x', 'u')} = "
                    f"{self.pick(self.scalar(), self.number())};"]  # fmt: skip
        if kind == 10:
            return [self.pick("memset(a, 0, sizeof a);", "memcpy(b, a, sizeof b);", "memcpy(a, g, 3 * sizeof *a);",
                              "strcpy(w, \"cd\");", "ps[1] = p;", "memset(&p, 0, sizeof p);", "*q = 5;", "x++;",
                              "q = a + 3;", "q = &y;", "q = x > 3 ? &x : &y;", "w[1] = 'z';", "*pq = &b[1];",
                              "if (k.next != 0) k.next->v = 3;", "m.next = x == 2 ? &k : 0;", "k.next = 0;", "k.next = &m;")]  # fmt: skip
        self.depth += 1
        inner = [line for _ in range(self.random.randint(1, 2)) for line in self.statement()]
        self.depth -= 1
        bare = [line for line in inner if "assert" not in line and "printf" not in line and line != ";"]
        head = {
            11: f"if ({self.scalar()} {self.pick('>', '==', '<')} {self.number()}) {{",
            12: f"for (int i = 0; i < {self.random.randint(0, 3)}; i++) {{",
            13: "for (int i = 0; i < (x & 1); i++) {",
            14: "do {",
            15: f"switch ({self.scalar()} & 1) {{ case 0:",
        }[kind]
        if kind in (11, 15):
            return [head, *inner, "}"]
        return [head, *(bare or ["bump();"]), "} while (0);" if kind == 14 else "}"]

    def function(self) -> str:
        size = self.random.choice(["4", ""])
        lines = [
            f"int x = {self.number()}, y = 2, a[{size}] = {{{self.number()}, {self.number()}, [3] = 4}};",
            f"int b[2] = {{5}}, s = {self.number()}, g[3] = {{1, 2, 3}}; int *r = 0, *q = &y, **pq = &q;",
            'unsigned u = 3; double d = 0.5; char w[4] = "ab";',
            "struct pt p = {.y = 3, .x = 1}, ps[2] = {{1, 2, {3, 4}}, {.tag = {[1] = 6}}};",
            "struct link m = {2, 0}, k = {7, &m};",
            "(void)r; (void)pq; (void)w; (void)d; (void)g; keep(&dummy);",
        ]
        for _ in range(self.random.randint(4, 12)):
            lines += self.statement()
        return "\n    ".join(lines)


def program(seeds: range, values: dict[int, str] | None) -> str:
    """The text of a test program with one function a seed."""
    parts = [
        "#include <assert.h>", "#include <stdio.h>", "#include <stdlib.h>", "#include <string.h>", '#include "src.h"',
        "#ifdef LOGGING", '#include "logging.h"', "#endif", "static int dummy;",
        "static void check(int value, int other) { (void)other; bump(); mix(value, 2u); }",
        "static void helper(int *t, int n) { turn(t, n); if (n > 1) t[1] = 8; }",
        "#ifdef LOGGING", '#include "logging_helpers.h"', "#endif",
    ]  # fmt: skip
    for seed in seeds:
        parts.append(f"static void test_{seed}(void)\n{{\n    {Writer(seed, values).function()}\n}}")
    parts.append("int main(void)\n{")
    parts += [f"    test_{seed}();" for seed in seeds]
    parts.append("    return 0;\n}\n")
    return "\n".join(parts)


def built_and_run(folder: Path, text: str) -> str:
    """What the program prints."""
    (folder / "test.c").write_text(text)
    command = ["gcc", "-std=gnu11", "-w", "-O0", "-fwrapv", "-DLOGGING", "test.c", "src.c", "-o", "t", "-lm"]
    subprocess.run(command, cwd=folder, check=True, timeout=120)
    return subprocess.run([folder / "t"], check=True, capture_output=True, text=True, timeout=60).stdout


def scalar_matches(claimed: Value, real: str) -> bool:
    if isinstance(claimed, Integer):
        return claimed.value == int(real)
    if isinstance(claimed, Floating):
        return claimed.number == float.fromhex(real)
    assert isinstance(claimed, Unknown)
    return all(not scalar_matches(other, real) for other in claimed.not_equal if isinstance(other, Integer))


def cells(pin: Pin, memory: dict[str, Value], pointer: Value, count: int) -> list[Value]:
    """The values from where a pointer points on."""
    assert isinstance(pointer, Pointer)
    if pointer.path and isinstance(pointer.path[-1], int):
        first = pointer.path[-1]
        return [at(memory[pointer.block], (*pointer.path[:-1], first + i)) for i in range(count)]
    return [at(memory[pointer.block], pointer.path)]


def linked(memory: dict[str, Value], pointer: Value) -> list[Value]:
    """The ``v`` fields along a chain of links, as far as the pointers are known."""
    found: list[Value] = []
    while isinstance(pointer, Pointer) and len(found) < 4:
        link = at(memory[pointer.block], pointer.path)
        assert isinstance(link, Struct)
        found.append(link.fields[0][1])
        pointer = link.fields[1][1]
    return found


def flat(value: Value) -> list[Value]:
    if isinstance(value, Struct):
        return [leaf for _, member in value.fields for leaf in flat(member)]
    return [leaf for element in value.elements for leaf in flat(element)] if isinstance(value, Array) else [value]


def differences(pin: Pin, entry: dict[str, str]) -> list[str]:
    """What the pin claims and the log denies."""
    assert isinstance(pin.outcome, Returned)
    before = {block.id: block.value for block in pin.blocks}
    after = dict(pin.outcome.after)
    wrong: list[str] = []

    def compare(what: str, claimed: list[Value], real: str) -> None:
        for value, text in zip(claimed, real.split(","), strict=False):
            if not scalar_matches(value, text):
                wrong.append(f"{what}: {value} is {text}")

    for name, value in pin.arguments:
        if name in entry:
            compare(name, flat(value), entry[name])
        elif name == "l":
            compare("b.l", linked(before, value), entry["b.l"])
            compare("a.l", linked(after, value), entry["a.l"])
        elif name == "s":
            for memory, key in ((before, "b.s"), (after, "a.s")):
                real = entry.get(key)
                if real is not None:
                    found = cells(pin, memory, value, len(real) + 1)
                    compare(key, found, ",".join(str(ord(c)) for c in real + "\0"))
        else:
            for memory, key in ((before, f"b.{name}"), (after, f"a.{name}")):
                count = 1 if name == "p" else entry[key].count(",") + 1
                found = cells(pin, memory, value, count)
                compare(key, [leaf for cell in found for leaf in flat(cell)], entry[key])
    for block in pin.blocks:
        if block.program is not None:
            compare(f"b.{block.program}", flat(block.value), entry[f"b.{block.program}"])
            compare(f"a.{block.program}", flat(after[block.id]), entry[f"a.{block.program}"])
    result = pin.outcome.result
    if isinstance(result, Null):
        wrong += [] if entry["r"] == "-1" else [f"result null is {entry['r']}"]
    elif isinstance(result, Pointer):
        start = next(value for name, value in pin.arguments if name == "t")
        assert isinstance(start, Pointer)
        offset = (result.path[-1] - start.path[-1]) if start.path and isinstance(start.path[-1], int) else 0  # type: ignore[operator]
        if result.block != start.block or str(offset) != entry["r"]:
            wrong.append(f"result {result} is {entry['r']}")
    elif result is not None and "r" in entry and not (isinstance(result, Unknown) and "*" in result.type):
        compare("r", flat(result), entry["r"])
    return wrong


def logged(output: str) -> dict[tuple[str, int], list[dict[str, str]]]:
    found: dict[tuple[str, int], list[dict[str, str]]] = defaultdict(list)
    for line in output.splitlines():
        if line.startswith("CALL "):
            _, at_line, name, *rest = line.split()
            found[name, int(at_line)].append(dict(word.split("=", 1) for word in rest))
    return found


@pytest.fixture(scope="module", params=[0, 1], ids=["seeds 0-39", "seeds 40-79"])
def generated(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[TestPins, str]:
    return build_batch(tmp_path_factory.mktemp("generated"), range(request.param * 40, request.param * 40 + 40))


def build_batch(folder: Path, seeds: range) -> tuple[TestPins, str]:
    (folder / "src.h").write_text(HEADER)
    (folder / "src.c").write_text(PROGRAM)
    (folder / "logging.h").write_text(LOGGING)
    held = "#define {0}(...) (cf_at = __LINE__, cf_held = 1, {0}(__VA_ARGS__), cf_held = 0)\n"
    (folder / "logging_helpers.h").write_text(held.format("check") + held.format("helper"))
    seen = built_and_run(folder, program(seeds, None))
    values = {int(number): value for number, value in re.findall(r"V (\d+) (\S+)", seen)}
    output = built_and_run(folder, program(seeds, values))
    text = preprocess(folder / "test.c", folder, CompilerSettings())
    assert isinstance(text, Preprocessed)
    return pins_from_c(text.text, text.file, NAMES), output


def mistakes(pins: TestPins, output: str) -> list[str]:
    """Everything that some pin claims and the log of its own call denies."""
    log = logged(output)
    by_call: dict[tuple[str, int], list[Pin]] = defaultdict(list)
    for pin in pins.pins:
        by_call[pin.function, pin.origin.line].append(pin)
    wrong: list[str] = []
    for key, made in by_call.items():
        entries = log[key]
        if len(entries) == len(made):
            wrong += [
                f"{key}: {text}" for pin, entry in zip(made, entries, strict=True) for text in differences(pin, entry)
            ]
        else:  # some rounds of a loop are not known: each pin must be one of the calls
            wrong += [f"{key}: {pin}" for pin in made if all(differences(pin, entry) for entry in entries)]
    return wrong


def test_no_pin_claims_what_did_not_happen(generated: tuple[TestPins, str]) -> None:
    assert mistakes(*generated) == []


def test_most_certain_calls_give_pins(generated: tuple[TestPins, str]) -> None:
    pins, output = generated
    assert not pins.not_checked
    assert not [ignored for ignored in pins.ignored if "contradict" in ignored.reason]
    assert len(pins.pins) > output.count("CALL ") // 3
    known = [pin for pin in pins.pins if isinstance(pin.outcome, Returned) and isinstance(pin.outcome.result, Integer)]
    assert len(known) >= 15
