"""Which recorded calls are stored, under which names, without what the settings hide, and beside which earlier ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest
from clausefit.hook.pins.flaws import flaw_of
from clausefit.hook.pins.stored import StoredPin, to_yaml
from clausefit.hook.pins.values import (
    Array,
    Block,
    Failed,
    Integer,
    Null,
    Origin,
    Pin,
    Pointer,
    Returned,
    Struct,
    Text,
    Unknown,
    Value,
    leaves,
)
from clausefit.hook.record.canonical import canonical
from clausefit.hook.record.hiding import hidden
from clausefit.hook.record.joining import Digests, to_store
from clausefit.hook.record.selection import Candidate, merged, selected


def i32(value: int) -> Integer:
    return Integer(value, "int", 32, True)


def origin(test: str = "t", line: int = 1) -> Origin:
    return Origin("recorded", test, "tests/t.c", line)


def call(argument: Value | int, result: Value | Failed | int | None, test: str = "t", line: int = 1) -> Pin:
    given = i32(argument) if isinstance(argument, int) else argument
    given_back = i32(result) if isinstance(result, int) else result
    outcome = given_back if isinstance(given_back, Failed) else Returned(given_back, ())
    return Pin("f", (("a", given),), (), outcome, origin(test, line))


def row(before: Sequence[int], after: Sequence[int], block: str = "m0", name: str = "a", test: str = "t") -> Pin:
    first = Array("int", tuple(map(i32, before)))
    then = Array("int", tuple(map(i32, after)))
    pointer = Pointer(block, (0,), "int *")
    return Pin("f", ((name, pointer),), (Block(block, "row", first),), Returned(None, ((block, then),)), origin(test))


def shown(pins: Sequence[Pin]) -> list[object]:
    """Argument and result (or the failure's kind) of each call."""
    found: list[object] = []
    for pin in pins:
        given = pin.arguments[0][1]
        argument = given.value if isinstance(given, Integer | Text) else type(given).__name__
        result = pin.outcome.kind if isinstance(pin.outcome, Failed) else pin.outcome.result
        found.append((argument, result.value if isinstance(result, Integer) else result))
    return found


@pytest.mark.parametrize(
    ("pins", "most", "kept"),
    [
        pytest.param([call(5, 6), call(2, 3), call(900, 901)], 2, [(2, 3), (5, 6)], id="small-ones-first"),
        pytest.param([call(1, 2, "b"), call(1, 2, "a")], 9, [(1, 2)], id="a-repeat-is-stored-once"),
        pytest.param([call(4, 0), call(4, 1)], 9, [(4, 0), (4, 1)], id="one-input-two-outcomes"),
        pytest.param(
            [call(n, n) for n in range(1, 9)] + [call(99, -1), call(98, Failed("abort"))],
            3,
            [(1, 1), (98, "abort"), (99, -1)],
            id="each-kind-of-outcome",
        ),
        pytest.param(
            [call(n, 1) for n in range(1, 9)] + [call(-70, 1), call(0, 1)],
            3,
            [(0, 1), (1, 1), (-70, 1)],
            id="each-kind-of-input",
        ),
        pytest.param([call(n % 2, n) for n in range(10)], 3, [], id="fewer-than-one-input-s-outcomes"),
        pytest.param([], 3, [], id="none"),
    ],
)
def test_what_is_kept(pins: list[Pin], most: int, kept: list[object]) -> None:
    found = selected(map(Candidate, pins), most)
    if kept:
        assert shown(found.pins) == kept
    assert len(found.pins) <= most
    assert len(found.pins) + found.repeats + found.beyond == len(pins)


def test_the_order_of_the_calls_does_not_matter() -> None:
    pins = [call(n % 7, n % 3, f"t{n % 5}", n % 4 + 1) for n in range(200)]
    pins += [row([n, 1], [1, n], f"0x{n:x}") for n in range(50)]
    texts = set()
    for seed in range(5):
        random.Random(seed).shuffle(pins)
        found = selected(map(Candidate, pins), 20)
        texts.add(to_yaml("f.c", [StoredPin(pin, "b", "d") for pin in found.pins]))
    assert len(texts) == 1


def test_all_outcomes_of_an_input_are_kept_or_none() -> None:
    """With one alone, what the others gave would look wrong."""
    pins = [call(1, result) for result in (1, 2)] + [call(2, 5)]
    assert shown(selected(map(Candidate, pins), 1).pins) == [(2, 5)]
    assert len(selected(map(Candidate, pins), 2).pins) == 2


def test_of_many_outcomes_those_that_differ_in_new_places() -> None:
    def outcome(result: int, cell: int) -> Pin:
        then = Array("int", (i32(cell),))
        pointer = Pointer("m0", (0,), "int *")
        block = Block("m0", "p", Array("int", (i32(7),)))
        return Pin("f", (("p", pointer),), (block,), Returned(i32(result), (("m0", then),)), origin())

    found = selected([Candidate(outcome(n, 7)) for n in range(9)] + [Candidate(outcome(0, 8))], 20).pins
    assert 3 <= len(found) <= 4
    assert {dict(pin.outcome.after)["m0"] for pin in found} == {Array("int", (i32(7),)), Array("int", (i32(8),))}


def test_an_outermost_call_comes_before_those_inside_it() -> None:
    found = selected([Candidate(call(1, 1), outermost=False), Candidate(call(800, 800))], 1)
    assert shown(found.pins) == [(800, 800)]


def test_of_equal_calls_the_origin_does_not_depend_on_the_order() -> None:
    pins = [call(1, 2, "b", 3), call(1, 2, "a", 9), call(1, 2, "a", 4)]
    for order in (pins, pins[::-1]):
        assert [pin.origin for pin in selected(map(Candidate, order), 9).pins] == [origin("a", 4)]


# ---- one form -------------------------------------------------------------------------------------------------------


def test_blocks_are_called_by_the_order_in_which_they_are_reached() -> None:
    one, other = row([1], [2], "0x7ffe10"), row([1], [2], "0x7ffe90")
    assert canonical(one) == canonical(other)
    assert [block.id for block in canonical(one).blocks] == ["m0"]


def test_memory_that_a_call_made_has_names_of_its_own() -> None:
    node = Struct("p.Node", (("next", Pointer("@91", (), "p.Node")),))
    end = Struct("p.Node", (("next", Null("p.Node")),))
    pin = Pin(
        "N.f()",
        (("this", Pointer("@70", (), "p.Node")),),
        (Block("@70", "this", end),),
        Returned(Pointer("@90", (), "p.Node"), (("@91", end), ("@90", node), ("@70", end))),
        origin(),
    )
    found = canonical(pin)
    assert [block.id for block in found.blocks] == ["m0"]
    assert isinstance(found.outcome, Returned)
    assert found.outcome.result == Pointer("n0", (), "p.Node")
    assert [name for name, _value in found.outcome.after] == ["m0", "n0", "n1"]
    assert flaw_of(found) is None


def test_strings_that_are_one_object_are_called_alike_others_have_no_name() -> None:
    texts = (Text("x", identity="77"), Text("x", identity="78"), Text("x", identity="77"))
    pin = Pin("F.f()", tuple(zip("abc", texts, strict=True)), (), Returned(None, ()), origin())
    assert [value.identity for _n, value in canonical(pin).arguments if isinstance(value, Text)] == ["s0", "", "s0"]


def test_aliases_stay_aliases() -> None:
    first, second = Pointer("x", (0,), "int *"), Pointer("x", (1,), "int *")
    block = Block("x", "a", Array("int", (i32(1), i32(2))))
    pin = Pin("f", (("p", first), ("q", second)), (block,), Returned(None, (("x", block.value),)), origin())
    assert [value for _n, value in canonical(pin).arguments] == [
        Pointer("m0", (0,), "int *"),
        Pointer("m0", (1,), "int *"),
    ]


def test_a_list_with_a_cycle() -> None:
    node = Struct("struct n", (("next", Pointer("b", (), "struct n *")),))
    other = Struct("struct n", (("next", Pointer("a", (), "struct n *")),))
    pin = Pin(
        "f",
        (("p", Pointer("a", (), "struct n *")),),
        (Block("b", "*p->next", other), Block("a", "*p", node)),
        Returned(None, (("b", other), ("a", node))),
        origin(),
    )
    assert [(block.id, block.name) for block in canonical(pin).blocks] == [("m0", "*p"), ("m1", "*p->next")]


# ---- what is hidden -------------------------------------------------------------------------------------------------

SECRET = Array("char", tuple(Integer(ord(c), "char", 8, True) for c in "hunter2\0"))
USER = Struct("struct user", (("password", Pointer("pw", (0,), "char *")), ("age", i32(30))))


def login(result: Value | None) -> Pin:
    """login(struct user *user, char *password): the user's own field points to the same text."""
    blocks = (Block("u", "*user", USER), Block("pw", "*password", SECRET), Block("key", "key", SECRET, program="key"))
    return Pin(
        "login",
        (("user", Pointer("u", (), "struct user *")), ("password", Pointer("pw", (0,), "char *"))),
        blocks,
        Returned(result, tuple((block.id, block.value) for block in blocks)),
        origin(),
    )


def hides(*names: str) -> Callable[[str], bool]:
    return lambda name: name in names


@pytest.mark.parametrize(
    ("names", "result", "blocks", "is_gone"),
    [
        pytest.param((), None, {"u", "pw", "key"}, False, id="nothing"),
        pytest.param(("password",), None, {"u", "pw", "key"}, True, id="reached-by-another-parameter-too"),
        pytest.param(("user",), None, {"pw", "key"}, True, id="the-other-parameter"),
        pytest.param(("user", "password"), None, {"key"}, True, id="both"),
        pytest.param(("user", "password", "key"), None, set(), True, id="all"),
        pytest.param(("user", "password", "key"), Pointer("pw", (2,), "char *"), set(), True, id="result-leads-there"),
        pytest.param(("key",), Pointer("key", (0,), "char *"), {"u", "pw"}, True, id="a-variable"),
    ],
)
def test_hidden_values_and_what_only_they_reach(
    names: tuple[str, ...], result: Value | None, blocks: set[str], is_gone: bool
) -> None:
    found = hidden(login(result), hides(*names))
    assert {block.id for block in found.blocks} == blocks
    assert flaw_of(found) is None
    for name, value in found.arguments:
        assert isinstance(value, Unknown) == (name in names)
    assert (str(ord("h")) not in repr(found)) == is_gone
    assert isinstance(found.outcome, Returned)
    if result is not None:
        assert found.outcome.result == Unknown("char *")


def test_what_a_call_hung_into_hidden_memory_is_hidden_as_well() -> None:
    before, after = Struct("p.Box", (("in", Null("p.S")),)), Struct("p.Box", (("in", Pointer("new", (), "p.S")),))
    made = Struct("p.S", (("text", Text("hunter2")),))
    pin = Pin(
        "B.put(Box)",
        (("box", Pointer("b", (), "p.Box")),),
        (Block("b", "box", before),),
        Returned(None, (("b", after), ("new", made))),
        origin(),
    )
    assert "hunter2" not in repr(hidden(pin, hides("box")))


def letters(text: str, type_name: str = "char", width: int = 8) -> Array:
    return Array(type_name, tuple(Integer(ord(one), type_name, width, width == 8) for one in text))


SHOWN = [
    pytest.param(Text("hunter2", identity="s9"), True, id="an equal text"),
    pytest.param(Text("seven"), False, id="another text"),
    pytest.param(Text("hun"), False, id="a short part of it"),
    pytest.param(Text("unter2"), True, id="a part of it"),
    pytest.param(Text("pw=hunter2"), True, id="a text with it inside"),
    pytest.param(letters("hunter2\0"), True, id="its letters"),
    pytest.param(letters("x=1\0hunter2", "char", 16), True, id="its letters in the chars of Java"),
    pytest.param(letters("seven\0"), False, id="other letters"),
    pytest.param(Struct("p.U", (("name", Text("hunter2")),)), True, id="in a field"),
    pytest.param(i32(12345), True, id="an equal number"),
    pytest.param(i32(7), False, id="a small number"),
]


@pytest.mark.parametrize(
    "secret",
    [
        pytest.param(
            Struct("p.S", (("t", Text("hunter2", identity="s1")), ("n", i32(12345)), ("k", i32(7)))), id="java"
        ),
        pytest.param(Struct("s", (("t", letters("hunter2\0")), ("n", i32(12345)), ("k", i32(7)))), id="c"),
    ],
)
@pytest.mark.parametrize(("value", "is_copy"), SHOWN)
def test_copies_of_what_is_hidden_are_hidden(secret: Value, value: Value, is_copy: bool) -> None:
    pin = Pin(
        "f",
        (("secret", Pointer("s", (), "s *")), ("other", value)),
        (Block("s", "*secret", secret), Block("o", "o", value)),
        Returned(value, (("s", secret), ("o", value))),
        origin(),
    )
    found = hidden(pin, hides("secret"))
    assert isinstance(found.outcome, Returned)
    for one in (dict(found.arguments)["other"], found.blocks[0].value, found.outcome.result, found.outcome.after[0][1]):
        assert one is not None
        assert (one != value) == is_copy
        assert any(isinstance(leaf, Unknown) for _path, leaf in leaves(one)) == is_copy


def test_one_object_as_what_is_hidden_is_hidden() -> None:
    arguments = (("secret", Text("abc", identity="s1")), ("other", Text("abc", identity="s1")))
    found = hidden(Pin("f", arguments, (), Returned(None, ()), origin()), hides("secret"))
    assert all(isinstance(value, Unknown) for _name, value in found.arguments)


# ---- beside what was stored -----------------------------------------------------------------------------------------


def test_the_same_test_s_calls_and_those_of_the_same_input_are_replaced() -> None:
    stored = [call(1, 9, "other"), call(2, 2, "t"), call(3, 3, "other"), call(4, 5, "other")]
    kept, changed = merged([call(1, 1, "t"), call(4, 5, "t")], stored)
    assert shown(kept) == [(3, 3)]
    assert changed == 1


def digests(body: str, tests: dict[str, str]) -> Digests:
    return Digests(lambda _file, _function: body, lambda _file, test: tests.get(test))


@pytest.mark.parametrize(
    ("earlier", "pins", "stale"),
    [
        pytest.param([StoredPin(call(7, 7, "old"), "b", "do")], [(1, 1), (7, 7)], 0, id="still-holds"),
        pytest.param([StoredPin(call(7, 7, "old"), "b0", "do")], [(1, 1)], 1, id="function-changed"),
        pytest.param([StoredPin(call(7, 7, "old"), "b", "do0")], [(1, 1)], 1, id="test-changed"),
        pytest.param([StoredPin(call(7, 7, "gone"), "b", "x")], [(1, 1)], 1, id="test-is-gone"),
        pytest.param([StoredPin(call(7, 7, "new"), "b", "dn")], [(1, 1)], 0, id="same-test"),
    ],
)
def test_earlier_calls(earlier: list[StoredPin], pins: list[object], stale: int) -> None:
    found = to_store(("f.c", "f"), [Candidate(call(1, 1, "new"))], earlier, digests("b", {"old": "do", "new": "dn"}), 9)
    assert shown([one.pin for one in found.pins]) == pins
    assert found.stale == stale
    assert {one.test_digest for one in found.pins} <= {"do", "dn"}
    assert {one.body for one in found.pins} == {"b"}
    assert (found.fresh, found.kept) == (1, len(pins) - 1)


def test_a_function_of_another_name_is_not_touched() -> None:
    other = StoredPin(Pin("g", (), (), Returned(None, ()), origin()), "x", "y")
    found = to_store(("f.c", "f"), [Candidate(call(1, 1))], [other], digests("b", {"t": "d"}), 9)
    assert [one.pin.function for one in found.pins] == ["f"]
    assert found.stale == 0
