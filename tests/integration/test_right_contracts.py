"""Right contracts of which something else once made a finding: one project, one run, and nothing found."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import Command, Ran

HEADER = r"""
#include <stddef.h>
#include <string.h>
struct six { int a, b, c, d, e, f; };
struct list { struct list *next; int v; };
int *mk(int v);
int two_defs(int x);
int size4(void);
/*@ requires \valid(h) && \valid(h->next); assigns h->next->v;
    ensures h->next->v == v; ensures h->next == \old(h->next); */
void set_next(struct list *h, int v);
int next_id(void);
void zero(void *p, size_t n);
void touch(struct six *s, int v);
"""
SOURCE = r"""
#include "right.h"
#include <stdlib.h>
/*@ allocates \result; ensures \result == \null || *\result == v; */
int *mk(int v) { int *p = malloc(sizeof *p); if (p) *p = v; return p; }
#ifdef FAST
/*@ assigns \nothing; ensures \result == 0; */
int two_defs(int x) { return 0; }
#else
/*@ assigns \nothing; ensures \result == x; */
int two_defs(int x) { return x; }
#endif
#define N 4
/*@ assigns \nothing; ensures \result == N; */
int size4(void) { return N; }
#undef N
#define N 8
void set_next(struct list *h, int w) { h->next->v = w; }
/*@ assigns \nothing; ensures \result > 0; */
int next_id(void) { static int last; return ++last; }
/*@ requires \valid((char *)p + (0 .. n - 1)); assigns ((char *)p)[0 .. n - 1]; ensures ((char *)p)[0] == 0; */
void zero(void *p, size_t n) { memset(p, 0, n); }
/*@ requires \valid(s); assigns s->a; ensures s->a == v; ensures s->e == \old(s->e) && s->f == \old(s->f); */
void touch(struct six *s, int v) { s->a = v; }
"""
SIZED = r"""
#ifndef SIZE
#define SIZE 16
#endif
/*@ assigns \nothing; ensures \result == SIZE; */
int capacity(void) { return SIZE; }
"""
TEST = r"""
#include <assert.h>
#include "right.h"
int main(void) {
  int *m = mk(3); assert(m); assert(*m == 3);
  assert(two_defs(5) == 5); assert(size4() == 4);
  struct list b = {NULL, 5}, a = {&b, 4}; set_next(&a, 9); assert(b.v == 9); assert(a.next == &b && a.v == 4);
  struct list self = {&self, 1}; set_next(&self, 3); assert(self.v == 3); assert(self.next == &self);
  assert(next_id() == 1); assert(next_id() == 2);
  struct six s = {1, 2, 3, 4, 5, 6};
  touch(&s, 9); assert(s.a == 9 && s.b == 2 && s.c == 3 && s.d == 4 && s.e == 5 && s.f == 6);
  zero(&s, sizeof s); assert(s.a == 0);
  return 0;
}
"""
SIZED_TEST = r"""
#define SIZE 8
#include "sized.c"
#include <assert.h>
int main(void) { assert(capacity() == 8); return 0; }
"""
FUNCTIONS = ("mk", "two_defs", "size4", "set_next", "next_id", "zero", "touch", "capacity")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory, shared_cache: Path) -> Iterator[Ran]:
    folder = tmp_path_factory.mktemp("right")
    command = Command(folder, shared_cache)
    files = {"right.h": HEADER, "right.c": SOURCE, "sized.c": SIZED, "test_right.c": TEST, "test_sized.c": SIZED_TEST}
    for name, text in files.items():
        command.write(name, text)
    for test, sources in (("test_right.c", ["right.c"]), ("test_sized.c", [])):
        subprocess.run(["gcc", "-w", "-o", "run", test, *sources], cwd=folder, check=True)
        subprocess.run([str(folder / "run")], check=True)
    yield command.check("--all")


@pytest.mark.parametrize("function", FUNCTIONS)
def test_right_contract(ran: Ran, function: str) -> None:
    assert [found for found in ran.found if found[0] == function] == []
    assert ran.judged.count(function) == 1, "judged once, with its definition"
    assert ran.status == 0
