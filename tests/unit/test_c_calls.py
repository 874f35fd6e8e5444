"""Raw calls, as the part inside gdb writes them, → pins as the static reader makes them."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from clausefit.hook.contracts.c import read_c
from clausefit.hook.pins.values import (
    Array,
    Block,
    Failed,
    Floating,
    FunctionPointer,
    Integer,
    Null,
    Pin,
    Pointer,
    Returned,
    Struct,
    Unknown,
    Value,
)
from clausefit.hook.record.c_calls import ProcessCalls
from clausefit.hook.record.c_layout import BadRecord
from clausefit.hook.record.watched import Frame, WatchedFunction

INT, CHAR, PINT, PCHAR, PT, PPT, ARR, VOID, PVOID, BOOL, ENUM, DBL, FUNC, PFUNC, UNION, PUNION, CC, PCC = range(18)


def _described(kind: str, size: int, **more: Any) -> dict[str, Any]:
    return {"k": kind, "s": size, "const": False, "volatile": False, **more}


TYPES = {
    str(number): what
    for number, what in {
        INT: _described("int", 4, n="int"),
        CHAR: _described("int", 1, n="char"),
        PINT: _described("ptr", 8, t=INT),
        PCHAR: _described("ptr", 8, t=CHAR),
        PT: _described("struct", 16, tag="pt", typedef=None, f=[["x", 0, INT], ["next", 8, PPT]]),
        PPT: _described("ptr", 8, t=PT),
        ARR: _described("arr", 12, t=INT, c=3),
        VOID: _described("void", 1, no="memory of type void"),
        PVOID: _described("ptr", 8, t=VOID),
        BOOL: _described("int", 1, n="_Bool"),
        ENUM: _described("int", 4, n="unsigned int"),
        DBL: _described("flt", 8, n="double"),
        FUNC: _described("func", 1, no="a function", r=INT, p=[INT]),
        PFUNC: _described("ptr", 8, t=FUNC),
        UNION: _described("no", 8, no="unions are not supported"),
        PUNION: _described("ptr", 8, t=UNION),
        CC: {**_described("int", 1, n="char"), "const": True},
        PCC: _described("ptr", 8, t=CC),
    }.items()
}


def word(address: int) -> str:
    return address.to_bytes(8, "little").hex()


def ints(*values: int) -> str:
    return struct.pack(f"<{len(values)}i", *values).hex()


def region(address: int, number: int, count: int, before: str, after: str | None = None, **more: Any) -> dict[str, Any]:
    plain = {
        "ranged": False,
        "shifted": False,
        "blank": False,
        "variable": "",
        "constant": False,
        "freed": False,
        "after": before if after is None else after,
    }
    return {"address": address, "type": number, "count": count, "before": before, **plain, **more}


def watched(declaration: str, contract: str = r"ensures \true;") -> WatchedFunction:
    (found,) = read_c(f"/*@ {contract} */ {declaration};", "f.c").contracts
    return WatchedFunction("f.c", "f", found)


def fed(declaration: str, line: dict[str, Any], contract: str = r"ensures \true;") -> ProcessCalls:
    calls = ProcessCalls([watched(declaration, contract)])
    calls.feed({"program": "/w/t", "process": 1})
    calls.feed({"types": TYPES})
    plain = {
        "call": 0,
        "order": 1,
        "outermost": True,
        "frames": [["/w/t.c", "test", 3]],
        "regions": [],
        "functions": {},
    }
    calls.feed({**plain, "result": None, "failed": None, **line})
    return calls


def pin_of(declaration: str, line: dict[str, Any], contract: str = r"ensures \true;") -> Pin:
    calls = fed(declaration, line, contract)
    assert not calls.left_out, calls.left_out
    (call,) = calls.calls
    assert (call.program, call.frames, call.pin.origin.kind) == ("/w/t", (Frame("/w/t.c", "test", 3),), "recorded")
    return call.pin


def i(value: int) -> Integer:
    return Integer(value, "int", 32, True)


SCALARS: dict[str, tuple[int, str, Value]] = {
    "negative": (INT, ints(-7), i(-7)),
    "a character that is not ASCII": (CHAR, "ff", Integer(-1, "char", 8, True)),
    "an enumerator": (ENUM, "01000000", Integer(1, "unsigned int", 32, False)),
    "a truth value": (BOOL, "01", Integer(1, "_Bool", 1, False)),
    "NaN by its bits": (DBL, "230100000000f87f", Floating(0x7FF8000000000123, "double", 64)),
    "minus zero": (DBL, "0000000000000080", Floating(1 << 63, "double", 64)),
    "null": (PINT, word(0), Null("int *")),
    "null of an opaque type": (PVOID, word(0), Null("void *")),
    "an array by value inside": (ARR, ints(1, 2, 3), Array("int", (i(1), i(2), i(3)))),
}


@pytest.mark.parametrize("case", SCALARS)
def test_values(case: str) -> None:
    number, content, expected = SCALARS[case]
    pin = pin_of("int f(int x)", {"arguments": [[number, content]], "result": [number, content]})
    assert pin.arguments == (("x", expected),)
    assert pin.outcome == Returned(expected, ())


def test_a_function_pointer_has_the_functions_name() -> None:
    line = {"arguments": [[PFUNC, word(77)]], "functions": {"77": "less"}}
    assert pin_of("int f(int (*c)(int))", line).arguments == (("c", FunctionPointer("less", "int (*)(int)")),)


BLOCKS: dict[str, tuple[list[Any], list[Any], list[Value], list[Value]]] = {
    # arguments, regions, the arguments' values, the blocks' values
    "one object": ([[PINT, word(64)]], [region(64, INT, 1, ints(5))], [Pointer("m0", (), "int *")], [i(5)]),
    "a range of one is an array": (
        [[PINT, word(64)]],
        [region(64, INT, 1, ints(5), ranged=True)],
        [Pointer("m0", (0,), "int *")],
        [Array("int", (i(5),))],
    ),
    "aliases are one block": (
        [[PINT, word(64)], [PINT, word(64)]],
        [region(64, INT, 1, ints(5))],
        [Pointer("m0", (), "int *"), Pointer("m0", (), "int *")],
        [i(5)],
    ),
    "overlapping ranges are one block": (
        [[PINT, word(64)], [PINT, word(68)]],
        [region(64, INT, 2, ints(5, 6), ranged=True), region(68, INT, 2, ints(6, 7), ranged=True)],
        [Pointer("m0", (0,), "int *"), Pointer("m0", (1,), "int *")],
        [Array("int", (i(5), i(6), i(7)))],
    ),
    "objects that touch are two": (
        [[PINT, word(64)], [PINT, word(68)]],
        [region(64, INT, 1, ints(5)), region(68, INT, 1, ints(6))],
        [Pointer("m0", (), "int *"), Pointer("m1", (), "int *")],
        [i(5), i(6)],
    ),
    "ranges that touch are two": (
        [[PINT, word(64)], [PINT, word(72)]],
        [region(64, INT, 2, ints(5, 6), ranged=True), region(72, INT, 2, ints(7, 8), ranged=True)],
        [Pointer("m0", (0,), "int *"), Pointer("m1", (0,), "int *")],
        [Array("int", (i(5), i(6))), Array("int", (i(7), i(8)))],
    ),
    "a range that begins beside what its pointer leads to": (
        [[PINT, word(64)]],
        [region(64, INT, 1, ints(5)), region(68, INT, 2, ints(6, 7), ranged=True, shifted=True)],
        [Pointer("m0", (0,), "int *")],
        [Array("int", (i(5), i(6), i(7)))],
    ),
    "ranges apart are two": (
        [[PINT, word(64)], [PINT, word(80)]],
        [region(64, INT, 1, ints(5)), region(80, INT, 1, ints(6))],
        [Pointer("m0", (), "int *"), Pointer("m1", (), "int *")],
        [i(5), i(6)],
    ),
    "one past the end": (
        [[PINT, word(64)], [PINT, word(72)]],
        [region(64, INT, 2, ints(5, 6), ranged=True)],
        [Pointer("m0", (0,), "int *"), Pointer("m0", (2,), "int *")],
        [Array("int", (i(5), i(6)))],
    ),
    "a field of another object": (
        [[PPT, word(64)], [PINT, word(64)]],
        [region(64, PT, 1, ints(5, 0) + word(0)), region(64, INT, 1, ints(5))],
        [Pointer("m0", (), "struct pt *"), Pointer("m0", ("x",), "int *")],
        [Struct("struct pt", (("x", i(5)), ("next", Null("struct pt *"))))],
    ),
    "a cycle": (
        [[PPT, word(64)]],
        [region(64, PT, 1, ints(5, 0) + word(64))],
        [Pointer("m0", (), "struct pt *")],
        [Struct("struct pt", (("x", i(5)), ("next", Pointer("m0", (), "struct pt *"))))],
    ),
    "an untyped pointer to typed memory": (
        [[PVOID, word(68)]],
        [region(64, INT, 2, ints(5, 6), ranged=True)],
        [Pointer("m0", (1,), "void *")],
        [Array("int", (i(5), i(6)))],
    ),
    "an empty range shows nothing": (
        [[PINT, word(64)]],
        [region(64, INT, 1, ints(0), ranged=True, blank=True)],
        [Pointer("m0", (0,), "int *")],
        [Array("int", (Unknown("int"),))],
    ),
    "an empty range at the end of another": (
        [[PINT, word(64)], [PINT, word(72)]],
        [region(64, INT, 2, ints(5, 6), ranged=True), region(72, INT, 1, ints(0), ranged=True, blank=True)],
        [Pointer("m0", (0,), "int *"), Pointer("m0", (2,), "int *")],
        [Array("int", (i(5), i(6)))],
    ),
    "a constant string": (
        [[PCC, word(64)]],
        [region(64, CC, 3, "616200", constant=True)],
        [Pointer("m0", (0,), "const char *")],
        [Array("char", tuple(Integer(c, "char", 8, True) for c in b"ab\0"))],
    ),
}


@pytest.mark.parametrize("case", BLOCKS)
def test_memory(case: str) -> None:
    arguments, regions, values, blocks = BLOCKS[case]
    declaration = "int f(" + ", ".join(f"int *p{k}" for k in range(len(arguments))) + ")"
    pin = pin_of(declaration, {"arguments": arguments, "regions": regions})
    assert [value for _, value in pin.arguments] == values
    assert [block.value for block in pin.blocks] == blocks
    assert isinstance(pin.outcome, Returned)
    assert [name for name, _ in pin.outcome.after] == [block.id for block in pin.blocks]


def test_names_of_blocks_and_variables() -> None:
    line = {
        "arguments": [[PPT, word(64)], [PCC, word(200)]],
        "regions": [
            region(32, INT, 1, ints(1), ints(2), variable="total"),
            region(64, PT, 1, ints(5, 0) + word(128)),
            region(200, CC, 2, "6100", constant=True),
            region(128, PT, 1, ints(6, 0) + word(0)),
        ],
    }
    pin = pin_of("int f(struct pt *p, const char *s)", line)
    assert [(b.name, b.program, b.constant) for b in pin.blocks] == [
        ("total", "total", False),
        ("p", None, False),
        ('"a"', None, True),
        ("*p.next", None, False),
    ]
    assert isinstance(pin.outcome, Returned)
    assert pin.outcome.after[0] == ("m0", i(2))


def test_what_is_known_of_results_and_of_memory_afterwards() -> None:
    line = {
        "arguments": [[PPT, word(64)]],
        "regions": [region(64, PT, 1, ints(5, 0) + word(0), ints(6, 0) + word(9999))],
        "result": [PPT, word(9999)],
    }
    new = Unknown("struct pt *", (Null("struct pt *"),))
    after = Struct("struct pt", (("x", i(6)), ("next", new)))
    assert pin_of("struct pt *f(struct pt *p)", line).outcome == Returned(new, (("m0", after),))


def test_memory_that_was_given_back_is_unknown() -> None:
    freed = {**region(64, INT, 2, ints(1, 2), ranged=True), "after": None}
    pin = pin_of("void f(int *p)", {"arguments": [[PINT, word(64)]], "regions": [freed]})
    assert pin.outcome == Returned(None, (("m0", Array("int", (Unknown("int"), Unknown("int")))),))


LOST = {"arguments": [[PPT, word(64)]], "regions": [region(64, PT, 1, ints(5, 0) + word(9999))]}


def test_a_pointer_in_memory_that_leads_nowhere_is_not_known() -> None:
    value = Struct("struct pt", (("x", i(5)), ("next", Unknown("struct pt *"))))
    assert pin_of("void f(struct pt *p)", LOST).blocks == (Block("m0", "p", value),)


@pytest.mark.parametrize("failed", [["abort", ""], ["signal", "SIGSEGV"], ["timeout", ""]])
def test_a_failure_with_such_a_pointer_says_nothing_of_the_precondition(failed: list[str]) -> None:
    calls = fed("void f(struct pt *p)", {**LOST, "failed": failed})
    assert not calls.calls
    assert dict(calls.left_out) == {("f", "memory that it is given holds a pointer that is not known"): 1}


@pytest.mark.parametrize("failed", [["abort", ""], ["signal", "SIGSEGV"], ["timeout", ""]])
def test_failures(failed: list[str]) -> None:
    region_after = {**region(64, INT, 1, ints(1)), "after": None}
    pin = pin_of("int f(int *p)", {"arguments": [[PINT, word(64)]], "regions": [region_after], "failed": failed})
    assert pin.outcome == Failed(failed[0], failed[1])
    assert pin.blocks == (Block("m0", "p", i(1)),)


LEFT_OUT: dict[str, tuple[list[Any], list[Any], str]] = {
    "a pointer that leads nowhere": ([[PINT, word(64)]], [], "the pointer of argument p is not known"),
    "a pointer to what is not supported": (
        [[PUNION, word(64)]],
        [],
        "the pointer of argument p is not known (unions are not supported)",
    ),
    "a function without a name": ([[PFUNC, word(64)]], [], "the pointer of argument p is not known"),
    "a truth value that is none": ([[BOOL, "02"]], [], "the value of argument p is not known"),
    "memory of two types": (
        [[PINT, word(64)]],
        [region(64, INT, 2, ints(1, 2)), region(64, DBL, 1, ints(1, 2))],
        "the same memory is used as two types",
    ),
    "an unaligned overlap": (
        [[PINT, word(64)]],
        [region(64, INT, 1, ints(1)), region(66, INT, 1, ints(2))],
        "the same memory is used as two types",
    ),
}


@pytest.mark.parametrize("case", LEFT_OUT)
def test_what_is_left_out(case: str) -> None:
    arguments, regions, reason = LEFT_OUT[case]
    calls = fed("int f(int *p)", {"arguments": arguments, "regions": regions})
    assert not calls.calls
    assert dict(calls.left_out) == {("f", reason): 1}


def test_pointers_whose_order_is_asked_must_be_in_one_block() -> None:
    arguments = [[PINT, word(64)], [PINT, word(80)]]
    regions = [region(64, INT, 1, ints(1)), region(80, INT, 1, ints(2))]
    calls = fed("int f(int *p, int *q)", {"arguments": arguments, "regions": regions}, "requires p <= q;")
    assert dict(calls.left_out) == {("f", "whether p and q lead into one object is not known"): 1}


def test_where_one_object_ends_and_another_begins_a_result_is_not_known() -> None:
    regions = [
        region(64, INT, 2, ints(1, 2), variable="", ranged=True),
        region(72, ARR, 1, ints(3, 4, 5), variable="other"),
    ]
    line = {"arguments": [[PINT, word(64)]], "regions": regions, "result": [PINT, word(72)]}
    outcome = pin_of("int *f(int *p)", line).outcome
    assert isinstance(outcome, Returned) and isinstance(outcome.result, Unknown)


TOUCHING = [region(64, INT, 1, ints(1)), region(68, INT, 1, ints(2))]
RANGES = [region(64, INT, 1, ints(1), ranged=True), region(68, INT, 1, ints(2), ranged=True)]
STRINGS = [region(64, CHAR, 2, "6100"), region(66, CHAR, 2, "6200")]
TOUCH = [
    pytest.param(r"ensures *p <= *q;", TOUCHING, 2, id="what it reads are the two"),
    pytest.param(r"ensures \result == p || \result == q;", TOUCHING, 2, id="it only says which"),
    pytest.param(r"requires p < q;", TOUCHING, 1, id="it orders them"),
    pytest.param(r"requires q - p == 1;", TOUCHING, 1, id="it takes their difference"),
    pytest.param(r"ensures q == p + 1;", TOUCHING, 1, id="it compares a sum"),
    pytest.param(r"ensures q == &p[1];", TOUCHING, 1, id="it compares the address of an element"),
    pytest.param(r"ensures p[1] == 2;", TOUCHING, 1, id="it goes on without a range"),
    pytest.param(r"requires \valid(p) && \valid(p + 1);", TOUCHING, 1, id="cell by cell"),
    pytest.param(r"ensures q[-1] == 2;", TOUCHING, 1, id="it goes back"),
    pytest.param(r"ensures p[1] == 2;", RANGES, 2, id="ranges say where they end"),
    pytest.param(r"ensures p[1] == 0;", STRINGS, 2, id="strings end with their zero"),
    pytest.param(r"ensures \forall int *r; r == p ==> *r == 1;", TOUCHING, 1, id="any pointer"),
    pytest.param(r"ensures p @@ q #;", TOUCHING, 1, id="what is not understood"),
]


@pytest.mark.parametrize(("contract", "regions", "blocks"), TOUCH)
def test_objects_that_touch_are_one_where_what_a_contract_says_depends_on_it(
    contract: str, regions: list[dict[str, Any]], blocks: int
) -> None:
    number, size = (PCC, 2) if regions is STRINGS else (PINT, 4)
    arguments = [[number, word(64)], [number, word(64 + size)]]
    pin = pin_of("int *f(int *p, int *q)", {"arguments": arguments, "regions": regions}, contract)
    assert len(pin.blocks) == blocks


def test_where_a_range_ends_and_another_begins_an_argument_leads_into_the_second_and_a_result_is_not_known() -> None:
    regions = [region(64, INT, 2, ints(1, 2), ranged=True), region(72, INT, 2, ints(3, 4), ranged=True)]
    line = {"arguments": [[PINT, word(64)], [PINT, word(72)]], "regions": regions, "result": [PINT, word(72)]}
    pin = pin_of("int *f(int *p, int *q)", line)
    assert [value for _, value in pin.arguments] == [Pointer("m0", (0,), "int *"), Pointer("m1", (0,), "int *")]
    assert isinstance(pin.outcome, Returned) and isinstance(pin.outcome.result, Unknown)


BROKEN: dict[str, Any] = {
    "no object": [1, 2],
    "an unknown function": {"call": 7, "arguments": []},
    "a missing part": {"call": 0},
    "a type that is not described": {"arguments": [[99, "00"]]},
    "a value of another size": {"arguments": [[INT, "00"]]},
    "no hexadecimal number": {"arguments": [[INT, "zz"]]},
    "another number of arguments": {"arguments": []},
    "a region without content": {"arguments": [[INT, ints(1)]], "regions": [region(64, INT, 0, "")]},
    "a region of another size": {"arguments": [[INT, ints(1)]], "regions": [region(64, INT, 2, ints(1))]},
    "a region that grew": {"arguments": [[INT, ints(1)]], "regions": [region(64, INT, 1, ints(1), ints(1, 2))]},
    "a failure of another kind": {"arguments": [[INT, ints(1)]], "failed": ["exception", "x"]},
    "text for a number": {"arguments": [[INT, ints(1)]], "order": "many"},
}


@pytest.mark.parametrize("case", BROKEN)
def test_lines_that_no_recorder_writes(case: str) -> None:
    with pytest.raises(BadRecord):
        if isinstance(BROKEN[case], dict) and "call" not in BROKEN[case]:
            fed("int f(int x)", BROKEN[case])
        else:
            ProcessCalls([watched("int f(int x)")]).feed(BROKEN[case])


def test_a_type_that_holds_itself_is_refused() -> None:
    calls = ProcessCalls([watched("int f(int x)")])
    calls.feed({"types": {"0": _described("arr", 4, t=0, c=1)}})
    line = {"call": 0, "order": 1, "outermost": True, "frames": [], "regions": [], "functions": {}, "result": None}
    with pytest.raises(BadRecord):
        calls.feed({**line, "failed": None, "arguments": [[0, "00000000"]]})
