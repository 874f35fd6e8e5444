"""Which memory a recorded C call was given, with the real gcc and gdb: no less than the contract says, and no more."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from c_recording import Project, Ran, show
from clausefit.hook.pins.values import Pointer

needs_tools = pytest.mark.skipif(not shutil.which("gdb") or not shutil.which("gcc"), reason="needs gdb and gcc")
pytestmark = needs_tools


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def recorded(folder: Path, cache: Path, library: str, main: str, flags: str = "-g -O0", header: str = "") -> Ran:
    project = Project(folder, cache, library, header)
    ran = project.record([str(project.build(main, flags))])
    assert ran.status == 0, ran.err
    return ran


def before(ran: Ran, function: str) -> list[list[str]]:
    """What each call of a function was given: its memory, block by block."""
    return [[show(b.value, pin, {x.id: x.value for x in pin.blocks}) for b in pin.blocks] for pin in ran.pins(function)]


# fmt: off
EXTENTS = r"""
#include <string.h>
#define SIZE 4
#ifndef LIMIT
#define LIMIT 3
#endif
enum { FIRST, LINE = 3, NEXT };
typedef struct { int a; char b; } pair;
struct stack { int *data; int top; };
int wide;
/*@ requires \valid(out + (0 .. SIZE - 1)); */
void macro(char *out) { out[0] = 'm'; out[1] = 0; }
/*@ requires \valid(out + (0 .. NEXT - 1)); */
void enumerator(char *out) { out[0] = 'e'; }
/*@ requires \valid(out + (0 .. LIMIT - 1)); */
void of_build(char *out) { out[0] = 'b'; }
/*@ requires \valid(out + (0 .. sizeof(pair) - 1)) && \valid(p); */
void sizes(char *out, pair *p) { out[0] = 's'; p->a = 1; }
/*@ requires \valid(out + (0 .. n / 2)); */
void half(char *out, int n) { out[n / 2] = 'h'; }
/*@ requires \valid(out + (0 .. (1 << n) % 5)); */
void shift(char *out, int n) { out[0] = n; }
/*@ requires \valid(out + (0 .. (n == LINE ? 2 : 1))); */
void choice(char *out, int n) { out[0] = n; }
/*@ requires \valid(b + (0 .. e - b - 1)); */
void to_end(char *b, char *e) { while (b < e) *b++ = 'z'; }
/*@ requires \forall integer i; 0 <= i < n ==> \valid(out + i); */
void each(char *out, int n) { out[n - 1] = 0; }
/*@ requires \valid(out + (0 .. unknown(n))); */
void of_unknown(char *out, int n) { out[n] = 0; }
/*@ requires \forall integer i; prime(i) ==> \valid(out + i); */
void primes(char *out, int n) { out[n] = 0; }
/*@ requires \valid(s) && \valid(s->data + (0 .. SIZE - 1)); */
void push(struct stack *s, int x) { s->data[s->top++] = x; }
/*@ requires \valid(s) && \valid(s->data + (0 .. unknown(s->top))); */
void push_unknown(struct stack *s, int x) { s->data[s->top++] = x; }
/*@ requires \valid(m + (0 .. r - 1));
    requires \forall integer i; 0 <= i < r ==> \valid_read(m[i] + (0 .. c - 1)); */
int sum(int **m, int r, int c)
{ int s = 0; for (int i = 0; i < r; i++) for (int j = 0; j < c; j++) s += m[i][j]; return s; }
/*@ requires \valid(a + (0 .. n - 1));
    requires wide == 1 ==> \valid(a + (0 .. 2 * n - 1)); */
void premise(int *a, int n) { a[0] = 9; }
/*@ requires wide == 1 || \valid(a + (0 .. n - 1)); */
void either(int *a, int n) { if (wide != 1) a[n - 1] = 9; }
/*@ requires (n > 1 && \valid(a + (0 .. n - 1))) || (n <= 1 && \valid(a + (0 .. 3 * n))); */
void cases(int *a, int n) { a[0] = 9; }
/*@ requires \valid(a);
    behavior some: assumes n > 2; requires \valid(a + (0 .. n - 1)); ensures \valid(a + (0 .. n - 1));
    behavior few: assumes n <= 2; ensures \valid(a); */
void behaviors(int *a, int n) { if (n > 2) a[n - 1] = 1; }
/*@ requires prime(n) ==> \valid(a + (0 .. n)); */
void if_prime(int *a, int n) { a[0] = n; }
/*@ requires \valid(s); ensures \valid(s->data + (0 .. s->top - 1)); */
void grown(struct stack *s) { s->top++; }
/*@ requires \valid(a); ensures \result == 1 ==> \valid(a + (0 .. 2)); */
int by_result(int *a, int ok) { if (ok) a[2] = 0; return ok; }
"""
MAIN = r"""
#include <stdlib.h>
typedef struct { int a; char b; } pair; struct stack { int *data; int top; };
extern int wide;
void macro(char *), enumerator(char *), of_build(char *), sizes(char *, pair *), half(char *, int), shift(char *, int);
void choice(char *, int), to_end(char *, char *), each(char *, int), of_unknown(char *, int), primes(char *, int);
void push(struct stack *, int), push_unknown(struct stack *, int); int sum(int **, int, int);
void premise(int *, int), either(int *, int), cases(int *, int), behaviors(int *, int), if_prime(int *, int);
void grown(struct stack *); int by_result(int *, int);
#define T(call) do { char b[16] = "abcdefgh"; pair p = {5, 6}; int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}; \
    struct stack s = {a, 1}; call; (void)b; (void)a; (void)p; (void)s; } while (0)
int main(void) {
    T(macro(b)); T(enumerator(b)); T(of_build(b)); T(sizes(b, &p)); T(half(b, 4)); T(shift(b, 3)); T(choice(b, 3));
    T(choice(b, 2)); T(to_end(b, b + 2)); T(each(b, 3)); T(of_unknown(b, 3)); T(primes(b, 3)); T(push(&s, 7));
    T(push_unknown(&s, 7)); int x[3] = {1, 2}, y[3] = {3, 4}; int *m[2] = {x, y}; sum(m, 2, 2);
    T(premise(a, 2)); T(either(a, 2)); T(cases(a, 3)); T(cases(a, 1)); T(behaviors(a, 3)); T(behaviors(a, 2));
    T(if_prime(a, 2)); T(grown(&s)); T(by_result(a, 0)); T(by_result(a, 1));
    wide = 1; T(premise(a, 2)); T(either(a, 2)); return 0;
}
"""
ABC = [97, 98, 99, 100, 101, 102, 103, 104]
# fmt: on


def text(numbers: list[int]) -> str:
    return "[" + ",".join(map(str, numbers)) + "]"


GIVEN = {
    "macro": [text(ABC[:4])],
    "enumerator": [text(ABC[:4])],
    "sizes": [text(ABC)],
    "half": [text(ABC[:3])],
    "shift": [text(ABC[:4])],
    "choice": [text(ABC[:3]), text(ABC[:2])],
    "to_end": [text(ABC[:2])],
    "each": [text(ABC[:3])],
    "sum": ["[[1,2]@0,[3,4]@0]"],
    "push": ["{[1,2,3,4]@0,1}"],
    "premise": [text([1, 2]), text([1, 2, 3, 4])],
    "either": [text([1, 2]), "1"],
    "cases": [text([1, 2, 3]), text([1, 2, 3, 4])],
    "behaviors": [text([1, 2, 3]), "1"],
    "by_result": ["1"],
}
VAGUE = ("of_build", "of_unknown", "primes", "push_unknown", "if_prime")


@pytest.fixture(scope="module")
def extents(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Ran:
    return recorded(tmp_path_factory.mktemp("extents"), cache, EXTENTS, MAIN)


@pytest.mark.parametrize("function", GIVEN)
def test_as_much_memory_as_the_contract_says_of_this_call(extents: Ran, function: str) -> None:
    found = []
    for pin in extents.pins(function):
        memory = {b.id: b.value for b in pin.blocks}
        _, first = pin.arguments[0]
        assert isinstance(first, Pointer)
        found.append(show(memory[first.block], pin, memory))
    assert found == GIVEN[function], extents.reasons(function)


@pytest.mark.parametrize("function", VAGUE)
def test_calls_are_left_out_where_it_is_not_understood_how_much(extents: Ran, function: str) -> None:
    assert extents.pins(function) == []
    assert [("does not say plainly" in reason) for reason in extents.reasons(function)] == [True]


@pytest.mark.parametrize("function", ["grown", "by_result"])
def test_calls_are_left_out_where_more_memory_is_spoken_of_afterwards(extents: Ran, function: str) -> None:
    assert len(extents.pins(function)) == (function == "by_result")
    assert ["more memory after the call" in reason for reason in extents.reasons(function)] == [True]


# fmt: off
STORES = r"""
struct q { int head, size; };
int mode;
/*@ requires s->size > s->head; */
__attribute__((noinline)) int head(const struct q *s) { return s->head; }
/*@ requires mode == 1; */
__attribute__((noinline)) int twice(int x) { return x * 2; }
/*@ ensures \result == x + 1; */
__attribute__((noinline)) int next(int x) { return x + 1; }
int run(int n)
{ struct q s; s.head = n; s.size = n + 1; mode = 1; int t = twice(n); mode = 0; return head(&s) + next(t); }
"""
USES_STORES = r"""
struct q { int head, size; }; extern int mode; int run(int), head(const struct q *), twice(int), next(int);
int main(void) { int r = run(7); struct q s; s.head = 8; s.size = 9; mode = 1; r += head(&s) + twice(8) + next(8);
    mode = 0; return r != 55; }
"""
# fmt: on
BUILDS = {
    "-g -O0": ["{7,8}", "{8,9}"],
    "-g -Og": ["{7,8}", "{8,9}"],
    "-g -O1": ["{8,9}"],
    "-g -O2": ["{8,9}"],
    "-g -O2 -Og -ftree-dse -fipa-modref": ["{8,9}"],
    "-g -O2 -flto -fno-ipa-cp -fno-ipa-sra": [],
    "-g -O2 -gno-record-gcc-switches": ["{8,9}"],
}


@pytest.mark.parametrize("flags", BUILDS)
def test_memory_is_what_the_caller_stored_unless_the_compiler_may_have_left_that_out(
    tmp_path: Path, cache: Path, flags: str
) -> None:
    ran = recorded(tmp_path, cache, STORES, USES_STORES, flags)
    assert [blocks[-1] for blocks in before(ran, "head")] == BUILDS[flags], ran.recording.left_out
    assert [value for blocks in before(ran, "twice") for value in blocks] == ["1"] * len(BUILDS[flags])
    assert len(ran.pins("next")) == 2, "numbers do not depend on what was stored"
    if len(BUILDS[flags]) < 2:
        assert any("compiled together" in reason for reason in ran.reasons("head"))


# fmt: off
DEAD = r"""
#include <stdlib.h>
#include <string.h>
struct buf { int *data; int len; };
/*@ requires \valid(b); */
void init(struct buf *b, int n) { void *p = 0; TAKE; b->data = p; b->data[0] = 7; b->len = n; }
/*@ requires \valid(b); */
void forget(struct buf *b) { int own[8]; for (int i = 0; i < 8; i++) own[i] = i; b->data = 0; b->len = own[3]; }
"""
USES_DEAD = r"""
#include <stdlib.h>
#include "lib.h"
static void lend(struct buf *b) { int local[4]; local[1] = 77; b->data = &local[1]; b->len = 1; }
int main(void) {
    struct buf b; b.data = malloc(64); b.len = 1; b.data[0] = 5;
    struct buf other = b; init(&other, 2);
    struct buf again = b; free(b.data); init(&again, 3);
    struct buf on_stack; lend(&on_stack); forget(&on_stack);
    int mine = 6; struct buf live = {&mine, 4}; forget(&live);
    return 0;
}
"""
HEADER = "struct buf { int *data; int len; }; void init(struct buf *, int), forget(struct buf *);"
# fmt: on
TAKES = {
    "malloc": "p = malloc(64)",
    "calloc": "p = calloc(8, 500)",
    "realloc": "p = realloc(0, 64)",
    "through another function": 'p = memset(strdup("' + "x" * 63 + '"), 0, 8)',
    "posix_memalign": "if (posix_memalign(&p, 16, 64)) abort()",
}


@pytest.mark.parametrize("how", TAKES)
def test_what_a_dangling_pointer_leads_to_is_no_object(tmp_path: Path, cache: Path, how: str) -> None:
    main = USES_DEAD.replace("64", "4000" if "500" in TAKES[how] else "64")  # glibc's calloc takes no small ones again
    ran = recorded(tmp_path, cache, DEAD.replace("TAKE", TAKES[how]), main, header=HEADER)
    assert before(ran, "init") == [["{5,1}", "5"], ["{unknown,1}"]], ran.recording.left_out
    assert before(ran, "forget") == [["{unknown,1}"], ["{6,4}", "6"]]
    assert ran.recording.left_out == ()


GIVEN_BACK = {
    "in the cache": ("64", ""),
    "a chunk that is not used": ("4000", "malloc(32);"),
    "the rest of the heap": ("4000", ""),
}


@pytest.mark.parametrize("how", GIVEN_BACK)
def test_memory_given_back_before_the_call_is_no_object(tmp_path: Path, cache: Path, how: str) -> None:
    size, between = GIVEN_BACK[how]
    main = """
    #include <stdlib.h>
    #include "lib.h"
    int main(void) {
        struct buf b = {malloc(SIZE), 1}; b.data[0] = 5; BETWEEN
        struct buf other = b; forget(&other); free(b.data); forget(&b); return 0;
    }""".replace("SIZE", size).replace("BETWEEN", between)
    ran = recorded(tmp_path, cache, DEAD.replace("TAKE", TAKES["malloc"]), main, header=HEADER)
    assert before(ran, "forget") == [["{5,1}", "5"], ["{unknown,1}"]]
    assert ran.recording.left_out == ()


def test_where_too_much_is_handed_out_only_what_the_contract_names_is_an_object(tmp_path: Path, cache: Path) -> None:
    take = "for (int i = 0; i < 6000; i++) free(malloc(8)); p = malloc(64)"
    main = """
    #include <stdlib.h>
    #include "lib.h"
    int main(void) {
        struct buf *b = malloc(sizeof *b); b->data = malloc(8); b->data[0] = 5; b->len = 1; init(b, 3); return 0;
    }"""
    ran = recorded(tmp_path, cache, DEAD.replace("TAKE", take), main, flags="-g -O0 -fno-builtin", header=HEADER)
    assert before(ran, "init") == [["{unknown,1}"]]


def test_a_contract_that_speaks_of_memory_given_back_takes_no_pin(tmp_path: Path, cache: Path) -> None:
    library = DEAD.replace("TAKE", "p = malloc(64)").replace("(b);", "(b) && \\valid(b->data + (0 .. 1));")
    ran = recorded(tmp_path, cache, library, USES_DEAD, header=HEADER)
    assert ran.reasons("init") == ["it is given a pointer to memory that was given back before"]
    assert ran.reasons("forget") == ["it is given a pointer to a variable of a call that is over"]


# fmt: off
OF_THREAD = r"""
__thread int depth;
static __thread int hidden;
extern __thread int outer;
int plain;
/*@ ensures depth == \old(depth) + x; */
int push(int x) { depth += x; return depth; }
/*@ ensures hidden == \old(hidden) + x; */
int push_hidden(int x) { hidden += x; return hidden; }
/*@ ensures outer == \old(outer) + x; */
int push_outer(int x) { outer += x; return outer; }
/*@ ensures plain == \old(plain) + x; */
int push_plain(int x) { plain += x; return plain; }
"""
USES_OF_THREAD = r"""
#include <pthread.h>
__thread int outer;
int push(int), push_hidden(int), push_outer(int), push_plain(int);
static void *body(void *p) { outer = *(int *)p; push(1); push_hidden(1); push_outer(1); push_plain(1); return 0; }
int main(void) {
    pthread_t t; int n = 4; body(&n); n = 9;
    pthread_create(&t, 0, body, &n); pthread_join(t, 0); return 0;
}
"""
# fmt: on


def test_variables_of_each_thread_are_left_out(tmp_path: Path, cache: Path) -> None:
    ran = recorded(tmp_path, cache, OF_THREAD, USES_OF_THREAD)
    for function in ("push", "push_hidden"):
        assert ran.pins(function) == []
        assert ["of which each thread has its own" in reason for reason in ran.reasons(function)] == [True]
    assert before(ran, "push_outer") == [[], []], "gdb knows of no place: it is not known, and so is what it decides"
    assert before(ran, "push_plain")[0] == ["0"]
