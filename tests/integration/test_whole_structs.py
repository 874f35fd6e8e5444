"""Clauses that compare whole structs, on the real Frama-C: WP proves some of them where elements of an array differ."""

from __future__ import annotations

import pytest
from running import Command

SOURCE = """struct ring { int items[4]; unsigned head, size; };
/*@ requires \\valid(r) && r->size == 4;
    assigns *r;
    ensures \\result == -1;
    ensures CLAUSE;
*/
int push(struct ring *r, int v) { return r->size == 4 ? -1 : v; }
"""
TEST = """#include <assert.h>
struct ring { int items[4]; unsigned head, size; };
int push(struct ring *r, int v);
int main(void) {
    struct ring r = {{112, 113, 110, 111}, 2, 4};
    assert(push(&r, 114) == -1);
    assert(r.items[0] == 112 && r.items[1] == 113 && r.items[2] == 110 && r.items[3] == 111);
    assert(r.head == 2 && r.size == 4);
    return 0;
}
"""


@pytest.mark.parametrize("clause", ["*r == \\old(*r)", "\\old(*r) == *r"], ids=["after and before", "before and after"])
def test_a_clause_that_keeps_all_of_a_struct_is_not_called_weak(clause: str, project: Command) -> None:
    project.write("ring.c", SOURCE.replace("CLAUSE", clause))
    project.write("test_ring.c", TEST)
    ran = project.check("--all", "--timeout", "2")
    assert ran.found == [], ran.out
    assert ran.report["contracts"][0]["pins"]["used"] == 1
