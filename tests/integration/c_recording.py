"""Records real C programs: compiles them, runs them under the recorder, and shows pins as the programs print them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from clausefit.hook.compile_commands import CompilerSettings
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.c_project import translation_unit
from clausefit.hook.pins.values import Array, Floating, Integer, Null, Pin, Pointer, Returned, Struct, Unknown, Value
from clausefit.hook.record.c_recorder import CRecorder
from clausefit.hook.record.c_watched import watched_function
from clausefit.hook.record.sure_numbers import sure_numbers
from clausefit.hook.record.watched import RecordedCall, Recording, RecordLimits
from clausefit.hook.test_pins import as_compiled

# fmt: off
LIBRARY = r"""
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "lib.h"
int total = 5;
/*@ requires \valid(a + (0 .. n - 1)); assigns a[0 .. n - 1], total; ensures \result >= total; */
int bump(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) { a[i]++; s += a[i]; } total += n; return s; }
/*@ ensures \result == \null || *\result == c; */
const char *find(const char *s, char c) { while (*s && *s != c) s++; return *s ? s : 0; }
/*@ requires \valid(p); ensures p->x == 9; */
struct pt mid(struct pt *p, double f, float g, bool b) { struct pt r = *p; r.y = f + g; r.x += b; p->x = 9; return r; }
/*@ requires \valid(p) && \valid(q); ensures *p == *q; */
void two(int *p, int *q) { *p = 1; *q = 2; *p = *q; }
/*@ ensures \result == 2 * n; */
int rec(int n) { return n ? 2 + rec(n - 1) : 0; }
/*@ ensures \true; */
double many(long a, short b, unsigned char c, int d, unsigned e, long long f, int g, signed char h, double i, double j,
            double k, double l, double m, double n, double o, double p, double q, float r)
{ return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r; }
/*@ ensures \result.len == b.len; */
struct big turned(struct big b)
{ struct big r = b; for (int i = 0; i < b.len; i++) r.data[i] = b.data[b.len - 1 - i]; return r; }
/*@ ensures \result == x; */
double same(double x) { return x; }
/*@ ensures \true; */
static __attribute__((noinline)) int hidden(int x) { return x * x + total; }
int shown(int x) { return hidden(x) + 1; }
/*@ ensures \result == \null || \valid(\result); */
struct node *pop(struct node *l) { struct node *r = l->next; free(l); return r; }
/*@ requires x > 0; */
int die(int x) { if (x <= 0) abort(); return x; }
/*@ requires \valid(p); */
int deref(const int *p) { return *p; }
/*@ requires d != 0; */
int quotient(int n, int d) { return n / d; }
/*@ requires n != 9; */
int spin(int n) { volatile int go = n == 9; while (go) ; return n; }
/*@ ensures \result == strlen(s); */
unsigned long size(const char *s) { return strlen(s); }
/*@ requires f != \null; */
int with(int (*f)(int), int x) { return f(x); }
/*@ requires \valid(p) && \valid(p->data + (0 .. p->len - 1)); */
int sum(struct vec *p) { int s = 0; for (int i = 0; i < p->len; i++) s += p->data[i]; return s; }
"""
HEADER = """
#include <stdbool.h>
struct pt { int x; double y; struct pt *next; };
struct big { int len; int data[9]; };
struct node { int v; struct node *next; };
struct vec { int len; int *data; };
#ifdef __cplusplus
extern "C" {
#endif
extern int total;
int bump(int *, int); const char *find(const char *, char); struct pt mid(struct pt *, double, float, bool);
void two(int *, int *); int rec(int); struct big turned(struct big); double same(double); int shown(int);
double many(long, short, unsigned char, int, unsigned, long long, int, signed char, double, double, double, double,
            double, double, double, double, double, float);
struct node *pop(struct node *); int die(int); int deref(const int *); int quotient(int, int); int spin(int);
unsigned long size(const char *); int with(int (*)(int), int); int sum(struct vec *);
#ifdef __cplusplus
}
#endif
"""
# fmt: on


@dataclass
class Ran:
    """One recorded run."""

    status: int
    out: str
    err: str
    recording: Recording

    def calls(self, function: str) -> list[RecordedCall]:
        """Calls of one function in the order of their beginning."""
        found = [c for c in self.recording.calls if c.pin.function == function]
        return sorted(found, key=lambda c: (c.program, c.order))

    def pins(self, function: str) -> list[Pin]:
        return [c.pin for c in self.calls(function)]

    def reasons(self, function: str) -> list[str]:
        return [one.reason for one in self.recording.left_out if one.function == function]


class Project:
    """A folder with lib.c, lib.h and programs that use them."""

    def __init__(self, folder: Path, cache: Path, library: str = LIBRARY, header: str = HEADER) -> None:
        self.folder = folder
        self.cache = cache
        (folder / "lib.c").write_text(library)
        (folder / "lib.h").write_text(header)

    def build(self, text: str, flags: str = "-g -O0", name: str = "t", compiler: str = "gcc", libs: str = "") -> Path:
        suffix = ".cpp" if compiler == "g++" else ".c"
        (self.folder / f"{name}{suffix}").write_text(text)
        self.run(f"gcc {flags} -c lib.c -o lib.o")
        self.run(f"{compiler} {flags} {name}{suffix} lib.o -o {name} -pthread {libs}")
        return self.folder / name

    def run(self, command: str) -> None:
        done = subprocess.run(command.split(), cwd=self.folder, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr

    def recorder(self, limits: RecordLimits | None = None, source: str = "lib.c") -> CRecorder:
        def read(path: str):  # type: ignore[no-untyped-def]
            file = self.folder / path
            return read_c(file.read_text(), path) if file.is_file() else None

        unit = translation_unit(source, read, ())
        compiled = partial(as_compiled, self.folder, lambda _source: CompilerSettings(), source)
        constants = sure_numbers(compiled, [(self.folder / source).read_text()])
        watched = [watched_function(contract, unit, constants) for contract in unit.contracts]
        return CRecorder(self.folder, watched, limits or RecordLimits(), self.cache)

    def record(
        self,
        argv: Sequence[str],
        limits: RecordLimits | None = None,
        *,
        stdin: str = "",
        source: str = "lib.c",
        during: Callable[[subprocess.Popen[str]], None] | None = None,
        extra: dict[str, str] | None = None,
    ) -> Ran:
        with self.recorder(limits, source) as recorder:
            environment = {**os.environ, **recorder.environment(), **(extra or {})}
            pipe = subprocess.PIPE
            child = subprocess.Popen(
                list(argv), cwd=self.folder, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True
            )
            if during is not None:
                during(child)
            out, err = child.communicate(stdin, timeout=120)
            return Ran(child.returncode, out, err, recorder.finish())


def show(value: Value, pin: Pin, memory: dict[str, Value], seen: tuple[str, ...] = ()) -> str:
    """A value as the programs above print it."""
    if isinstance(value, Integer):
        return str(value.value)
    if isinstance(value, Floating):
        return f"{value.bits:x}"
    if isinstance(value, Null):
        return "null"
    if isinstance(value, Array):
        return "[" + ",".join(show(e, pin, memory, seen) for e in value.elements) + "]"
    if isinstance(value, Struct):
        return "{" + ",".join(show(e, pin, memory, seen) for _, e in value.fields) + "}"
    if isinstance(value, Pointer):
        if value.block in seen:
            return "self"
        inner = show(memory[value.block], pin, memory, (*seen, value.block))
        return inner + "".join(f"@{step}" for step in value.path)
    return "unknown" if isinstance(value, Unknown) else repr(value)


def line(pin: Pin, *, after_of: str = "") -> str:
    """``f(arguments) -> result after memory``."""
    before = {b.id: b.value for b in pin.blocks}
    assert isinstance(pin.outcome, Returned)
    after = dict(pin.outcome.after)
    shown = ", ".join(show(v, pin, before) for _, v in pin.arguments)
    result = "void" if pin.outcome.result is None else show(pin.outcome.result, pin, before)
    text = f"{pin.function}({shown}) -> {result}"
    first = dict(pin.arguments).get(after_of)
    return (
        f"{text} after {show(after[first.block], pin, after, (first.block,))}" if isinstance(first, Pointer) else text
    )
