"""Recorded calls that are given a pointer of which nothing is known: uninitialised, to a ``FILE``, dangling.

The real gdb and Frama-C. What does not rest on the pointer is judged; what does is not, and is no question.
"""

from __future__ import annotations

import shutil
import subprocess

import pytest
from running import Command

pytestmark = pytest.mark.skipif(not shutil.which("gdb"), reason="needs gdb")

HEADER = """#include <stdio.h>
union either { int i; float f; };
struct ring { int *data; int cap, len; void *owner; FILE *log; union either *last; };
void ring_init(struct ring *r, int *buffer, int cap);
int ring_put(struct ring *r, int v);
void ring_clear(struct ring *r);
"""
CODE = """#include "ring.h"
void ring_init(struct ring *r, int *buffer, int cap) { r->data = buffer; r->cap = cap; r->len = 0; }
int ring_put(struct ring *r, int v) { if (r->len == r->cap) return -1; r->data[r->len++] = v; return 0; }
void ring_clear(struct ring *r) { r->len = 0; }
"""
TEST = """#include <assert.h>
#include <string.h>
#include "ring.h"
static int owner;
int main(void) {
    for (int k = 1; k < 5; k++) {
        int buffer[8] = {0};
        struct ring r;
        memset(&r, 0x5a, sizeof r);
        ring_init(&r, buffer, k);
        r.owner = &owner;
        r.log = stderr;
        for (int i = 0; i < k; i++) assert(ring_put(&r, i * 3) == 0);
        assert(ring_put(&r, 9) == -1);
        ring_clear(&r);
        assert(r.len == 0);
    }
    return 0;
}
"""
INIT = r"requires \valid(r) && \valid(buffer + (0 .. cap - 1)); assigns r->data, r->cap, r->len;"
PUT = r"requires \valid(r) && \valid(r->data + (0 .. r->cap - 1)) && 0 <= r->len <= r->cap;"
CLEAR = r"requires \valid(r); assigns r->len;"
GOOD = {
    "ring_init": INIT + r" ensures r->data == buffer && r->cap == cap && r->len == 0;",
    "ring_put": PUT
    + r""" assigns r->len, r->data[0 .. r->cap - 1];
    ensures \old(r->len) == r->cap ==> \result == -1 && r->len == r->cap;
    ensures \old(r->len) < r->cap ==> \result == 0 && r->len == \old(r->len) + 1;
    ensures \forall integer k; 0 <= k < r->cap ==>
        r->data[k] == (\old(r->len) < r->cap && k == \old(r->len) ? v : \old(r->data[k]));""",
    "ring_clear": CLEAR + r" ensures r->len == 0;",
}
TABLE = {
    "right contracts": ({}, []),
    "a bound only": ({"ring_init": INIT + r" ensures r->data == buffer && r->cap == cap && r->len >= 0;"}, ["CF101"]),
    "a clause for each field": (
        {"ring_init": INIT + r" ensures r->data == buffer; ensures r->cap == cap; ensures r->len == 0;"},
        [],
    ),
    "a wrong value": ({"ring_init": INIT + r" ensures r->data == buffer && r->cap == cap && r->len == 1;"}, ["CF201"]),
    "no frame": ({"ring_clear": r"requires \valid(r); ensures r->len == 0;"}, ["CF102", "CF103"]),
    "too narrow a frame": ({"ring_clear": r"requires \valid(r); assigns r->cap; ensures r->len == 0;"}, ["CF203"]),
    "a clause on the pointer besides": (
        {"ring_clear": CLEAR + r" ensures r->len == 0; ensures r->owner == \old(r->owner);"},
        [],
    ),
    "a precondition on the pointer": (
        {"ring_clear": r"requires \valid(r) && \valid((char *)r->owner); assigns r->len; ensures r->len >= 0;"},
        [],
    ),
    "a precondition on an uninitialised one": (
        {"ring_init": INIT.replace("&&", r"&& r->data != buffer &&") + r" ensures r->len >= 0;"},
        [],
    ),
}


@pytest.mark.parametrize("case", TABLE)
def test_what_is_found(project: Command, case: str) -> None:
    changed, codes = TABLE[case]
    code = CODE
    for name, annotation in {**GOOD, **changed}.items():
        line = next(one for one in CODE.splitlines() if f" {name}(" in one)
        code = code.replace(line, f"/*@ {annotation} */\n{line}")
    project.write("ring.h", HEADER)
    project.write("ring.c", code)
    project.write("test_ring.c", TEST)
    command = ["gcc", "-g", "-O0", "ring.c", "test_ring.c", "-o", "t"]
    subprocess.run(command, cwd=project.folder, check=True)
    recorded = project.run("record", "--", "./t")
    assert "stored" in recorded.err and recorded.status == 0, recorded.err
    assert "is not known" not in recorded.err
    ran = project.run("check", "--all", "--format", "json")
    assert sorted({finding["code"] for finding in ran.report["findings"]}) == codes, ran.out
    assert ran.report["stats"]["undecided"] == 0, ran.report["not_checked"]
