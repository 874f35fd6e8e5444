"""Calls that differ only in what an out-parameter held before are one call; what the contract reads is kept."""

from __future__ import annotations

import pytest
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.model import Contract
from clausefit.hook.pins.stored import StoredPin
from clausefit.hook.pins.values import Block, Integer, Origin, Pin, Pointer, Returned, Unknown
from clausefit.hook.record.joining import Digests, to_store
from clausefit.hook.record.overwritten import masked_by, read_before
from clausefit.hook.record.selection import Candidate


def contract(clauses: str) -> Contract:
    text = f"int g;\n/*@ {clauses} */\nint take(int *in, int *out, int n) {{ *out = *in; return n; }}\n"
    (found,) = read_c(text, "f.c").contracts
    return found


def i32(value: int) -> Integer:
    return Integer(value, "int", 32, True)


def take(given: int, garbage: int, left: int | None = None, test: str = "t") -> Pin:
    arguments = (("in", Pointer("m0", (), "int *")), ("out", Pointer("m1", (), "int *")), ("n", i32(1)))
    blocks = (Block("m0", "*in", i32(given)), Block("m1", "*out", i32(garbage)))
    after = Unknown("int") if left is None else i32(left)
    return Pin(
        "take", arguments, blocks, Returned(i32(1), (("m0", i32(given)), ("m1", after))), Origin("r", test, "t.c", 1)
    )


WRITES = "requires \\valid_read(in) && \\valid(out); assigns *out; ensures *out == \\old(*in);"


@pytest.mark.parametrize(
    ("clauses", "read"),
    [
        pytest.param(WRITES, {"in"}, id="places-and-results-are-not-read"),
        pytest.param("requires *out > 0;", {"out"}, id="requires"),
        pytest.param("requires \\valid(in + (0 .. *out));", {"in", "out"}, id="a-place-by-a-value"),
        pytest.param("behavior b: assumes *out == 0; ensures \\result == 1;", {"out"}, id="assumes"),
        pytest.param("ensures *in == \\at(*out, Pre);", {"out", "Pre"}, id="at"),
        pytest.param("requires fine(out);", {"fine", "out"}, id="a-predicate"),
        pytest.param("assigns in[0 .. *out];", {"out"}, id="assigns-by-a-value"),
        pytest.param("assigns in[0 .. n - 1], *out;", {"n"}, id="assigns"),
        pytest.param("ensures same{Pre, Post}(in, out);", {"same", "Pre", "Post", "in", "out"}, id="labels"),
    ],
)
def test_what_a_contract_reads_before_the_call(clauses: str, read: set[str]) -> None:
    assert read_before(contract(clauses)) & {"in", "out", "n", "fine", "same", "Pre", "Post"} == read


@pytest.mark.parametrize(
    ("clauses", "pins", "alike"),
    [
        pytest.param(WRITES, (take(1, 7, 1), take(1, 9, 1)), True, id="overwritten"),
        pytest.param(WRITES, (take(1, 7, 1), take(1, 1, 1)), True, id="it-held-the-same-by-chance"),
        pytest.param(WRITES, (take(1, 7, 7), take(1, 9, 9)), False, id="not-written"),
        pytest.param(WRITES, (take(1, 7), take(1, 9)), False, id="what-it-leaves-is-not-known"),
        pytest.param(WRITES, (take(1, 7, 1), take(2, 7, 1)), False, id="memory-that-is-read"),
        pytest.param(WRITES + " ensures \\old(*out) > 0;", (take(1, 7, 1), take(1, 9, 1)), False, id="out-is-read"),
    ],
)
def test_calls_that_are_one(clauses: str, pins: tuple[Pin, Pin], alike: bool) -> None:
    masked = masked_by(contract(clauses))
    digests = Digests(lambda _file, _name: "b", lambda _file, _name: "d")
    first, second = pins
    earlier = [StoredPin(first, "b", "d")]
    both = to_store(("f.c", "take"), [Candidate(first), Candidate(second)], [], digests, 9, masked)
    assert len(both.pins) == (1 if alike else 2)
    again = to_store(("f.c", "take"), [Candidate(second)], earlier, digests, 9, masked)
    assert [one.pin for one in again.pins] == [first if alike else second]
    assert again.changed == 0


def test_what_is_chosen_does_not_depend_on_garbage() -> None:
    masked = masked_by(contract(WRITES))
    digests = Digests(lambda _file, _name: "b", lambda _file, _name: "d")

    def run(seed: int, earlier: list[StoredPin]) -> list[StoredPin]:
        made = [Candidate(take(given, (given * seed) % 1009 << seed % 9, given)) for given in range(1, 30)]
        return list(to_store(("f.c", "take"), made, earlier, digests, 5, masked).pins)

    first = run(17, [])
    assert len(first) == 5
    assert run(911, first) == first
