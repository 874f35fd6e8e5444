"""Recorded pins as text and back: exact for every value, readable, and safe against hostile files."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
import yaml
from clausefit.hook.pins import yaml_text
from clausefit.hook.pins.flaws import MAX_NESTING, flaw_of
from clausefit.hook.pins.stored import (
    MAX_BYTES,
    StoredPin,
    StoredProblem,
    from_bytes,
    from_yaml,
    path_of,
    source_of,
    to_yaml,
)
from clausefit.hook.pins.values import (
    Array,
    Block,
    Constant,
    Failed,
    Floating,
    FunctionPointer,
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
    parts_of,
)
from stored_pin_generator import Generator

ORIGIN = Origin("recorded", "test_f", "tests/t.c", 12)


def num(value: int, type_name: str = "int", width: int = 32, signed: bool = True) -> Integer:
    return Integer(value, type_name, width, signed)


def chars(text: str, size: int, type_name: str = "char") -> Array:
    return Array(type_name, tuple(num(ord(letter), type_name, 8) for letter in text.ljust(size, "\0")))


def ints(*values: int) -> Array:
    return Array("int", tuple(num(value) for value in values))


def stored(value: Value, function: str = "f") -> StoredPin:
    """A call whose result is ``value``, with a block that pointers in it may name."""
    block = Block("b", "b", Array("struct pt", (Struct("struct pt", (("x", num(1)),)),)))
    outcome = Returned(value, (("b", block.value),))
    return StoredPin(Pin(function, (), (block,), outcome, ORIGIN), "0a", "1b")


def generated(seed: int, count: int = 4) -> list[StoredPin]:
    generator = Generator(random.Random(seed))
    return [generator.pin() for _ in range(count)]


# ---- exactness ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(100))
def test_every_pin_comes_back_exactly_and_the_order_does_not_matter(seed: int) -> None:
    pins = generated(seed)
    assert [flaw_of(one.pin) for one in pins] == [None] * len(pins)
    text = to_yaml("src/a.c", pins)
    source, read = from_yaml(text, "a.yaml")
    assert source == "src/a.c"
    assert sorted(read, key=repr) == sorted(set(pins), key=repr)
    assert to_yaml("src/a.c", [*reversed(read), *read]) == text


def test_the_generated_pins_have_every_form_of_the_value_model() -> None:
    seen: set[object] = set()
    for pins in map(generated, range(100)):
        for pin in (one.pin for one in pins):
            outcome = pin.outcome
            seen.add(type(outcome))
            seen.update(("kind", outcome.kind) if isinstance(outcome, Failed) else () for _ in "x")
            seen.add("void" if isinstance(outcome, Returned) and outcome.result is None else "")
            seen.add("failed, memory afterwards" if isinstance(outcome, Failed) and outcome.after else "")
            seen.update("constant" for block in pin.blocks if block.constant)
            seen.update("program" for block in pin.blocks if block.program is not None)
            results = [outcome.result] if isinstance(outcome, Returned) and outcome.result is not None else []
            after = [value for _, value in outcome.after]
            arguments = [value for _, value in pin.arguments]
            for value in parts_of([*arguments, *(block.value for block in pin.blocks), *after, *results]):
                seen.add(type(value))
                seen.update(_peculiarities(value))
    wanted = {
        Integer,
        Floating,
        Null,
        Pointer,
        FunctionPointer,
        Text,
        Constant,
        Unknown,
        Array,
        Struct,
        Returned,
        Failed,
    }
    words = {
        "NaN",
        "-0.0",
        "infinity",
        "list",
        "array",
        "not",
        "identity",
        "lone surrogate",
        "path",
        "void",
        "constant",
    }
    words |= {"program", "failed, memory afterwards", "hidden field", "one past the end"}
    kinds = {("kind", kind) for kind in ("abort", "signal", "timeout", "exception")}
    widths = {
        (width, signed) for width, signed in ((1, False), (8, True), (16, False), (32, True), (64, False), (128, True))
    }
    assert wanted | words | kinds | widths <= seen


def _peculiarities(value: Value) -> set[object]:
    match value:
        case Integer():
            return {(value.width, value.signed)}
        case Floating():
            number = value.number
            kind = "NaN" if math.isnan(number) else "infinity" if math.isinf(number) else ""
            return {kind, "-0.0" if number == 0 and math.copysign(1, number) < 0 else ""}
        case Array():
            return {value.form}
        case Unknown():
            return {"not" if value.not_equal else ""}
        case Pointer():
            # What is drawn has at most 40 elements, and the generator goes one past the end of the short ones.
            return {
                "path" if value.path else "",
                "one past the end" if value.path and value.path[-1] in (1, 3, 40) else "",
            }
        case Struct():
            return {"hidden field" if len(dict(value.fields)) < len(value.fields) else ""}
        case Text():
            lone = any(0xD800 <= ord(letter) < 0xE000 for letter in value.value)
            return {"identity" if value.identity else "", "lone surrogate" if lone else ""}
    return set()


@pytest.mark.parametrize("seed", range(8))
def test_other_readers_of_yaml_see_the_same_tree(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pins = generated(seed)
    text = to_yaml("src/a.c", pins)
    calls = [one for of in yaml.safe_load(text)["functions"] for test in of["tests"] for one in test["calls"]]
    assert len(calls) == len(set(pins))
    quick = from_yaml(text, "a.yaml")
    monkeypatch.setattr(yaml_text, "_LOADER", yaml.SafeLoader)  # the one without C
    assert from_yaml(text, "a.yaml") == quick


# ---- readability ----------------------------------------------------------------------------------------------------


def test_a_file_reads_like_the_calls_that_it_holds() -> None:
    def account(balance: int) -> Struct:
        return Struct("struct account", (("balance", num(balance)), ("owner", chars("joe", 16))))

    here = (Block("m0", "stock", account(100)), Block("m1", "limit", num(500), program="limit"))
    arguments = (("a", Pointer("m0", (), "struct account *")), ("n", num(30)))
    left = (("m0", account(70)), ("m1", num(500)))
    origin = replace(ORIGIN, test="test_withdraw", file="tests/test_bank.c")
    pins = [
        StoredPin(Pin("withdraw", arguments, here, Returned(num(70), left), origin), "9c1f", "77ab"),
        StoredPin(Pin("withdraw", arguments, here, Failed("abort"), replace(origin, line=9)), "9c1f", "77ab"),
        StoredPin(Pin("reset", (), (), Returned(None, ()), origin), "aa", "77ab"),
    ]
    assert to_yaml("src/bank.c", pins) == (
        """\
# Calls that the project's tests made, recorded by clausefit; `clausefit pins show` shows them as text.
# Commit this file: who cannot run the tests can check contracts with it.
schema: 1
source: src/bank.c
types: {char: signed 8, int: signed 32}
functions:

- function: reset
  body: aa
  tests:
  - test: test_withdraw
    file: tests/test_bank.c
    digest: "77ab"
    calls:
    - {line: 12, gives: void}

- function: withdraw
  body: "9c1f"
  tests:
  - test: test_withdraw
    file: tests/test_bank.c
    digest: "77ab"
    calls:
    - line: 9
      with: {struct account * a: {at: stock}, int n: 30}
      memory:
        struct account stock: {int balance: 100, "char[] owner": {chars: joe, size: 16}}
        int limit: 500
      globals: [limit]
      fails: abort
    - line: 12
      with: {struct account * a: {at: stock}, int n: 30}
      memory:
        struct account stock: {int balance: 100, "char[] owner": {chars: joe, size: 16}}
        int limit: 500
      globals: [limit]
      gives: {int: 70}
      after:
        struct account stock: {int balance: 70, "char[] owner": {chars: joe, size: 16}}
"""
    )


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        pytest.param(Returned(None, (("m0", num(1)),)), "gives: void", id="all is as it was"),
        pytest.param(Returned(None, (("m0", num(2)),)), "gives: void, after: {int m0: 2}", id="changed"),
        pytest.param(
            Returned(None, (("n0", num(1)), ("m0", num(1)))), "gives: void, left: {int n0: 1, int m0: 1}", id="order"
        ),
        pytest.param(Failed("abort"), "fails: abort", id="nothing is known"),
        pytest.param(Failed("signal", "SIGSEGV"), "fails: {signal: SIGSEGV}", id="which signal"),
        pytest.param(Failed("timeout", after=(("m0", num(1)),)), "fails: timeout, after: {}", id="known all the same"),
        pytest.param(Failed("exception", "E", (("m0", num(1)),)), "fails: {exception: E}", id="exception"),
        pytest.param(
            Failed("exception", "E", (("m0", num(2)),), False),
            "fails: {exception: E, exact: false}, after: {int m0: 2}",
            id="or below",
        ),
        pytest.param(Failed("exception", "E"), "fails: {exception: E}, left: {}", id="exception and nothing is known"),
    ],
)
def test_how_a_call_ended(outcome: Returned | Failed, text: str) -> None:
    one = StoredPin(Pin("f", (), (Block("m0", "m0", num(1)),), outcome, ORIGIN), "0a", "1b")
    written = to_yaml("a.c", [one])
    assert f"    - {{line: 12, memory: {{int m0: 1}}, {text}}}\n" in written
    assert from_yaml(written, "a.yaml")[1] == (one,)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(num(-3), "{int: -3}", id="integer"),
        pytest.param(num(2**64 - 1, "unsigned long", 64, False), "{unsigned long: 18446744073709551615}", id="64 bits"),
        pytest.param(num(97, "char", 8), "{char: {char: a}}", id="letter"),
        pytest.param(num(-1, "char", 8), "{char: -1}", id="no letter"),
        pytest.param(num(1, "_Bool", 1, False), "{_Bool: true}", id="truth value"),
        pytest.param(Floating.of(0.1, "float", 32), "{float: 0.1}", id="binary32 is its shortest decimal"),
        pytest.param(Floating.of(-0.0, "double", 64), "{double: -0.0}", id="negative zero"),
        pytest.param(Floating.of(1e16, "double", 64), "{double: 1.0e+16}", id="a number in YAML 1.1 and 1.2"),
        pytest.param(
            Floating(0x7FF8000000000001, "double", 64), "{double: {bits: 0x7ff8000000000001}}", id="NaN by its bits"
        ),
        pytest.param(Null("int *"), "{int *: null}", id="null"),
        pytest.param(Pointer("b", (), "int *"), "{int *: {at: b}}", id="pointer to a block"),
        pytest.param(Pointer("b", (0, "x"), "int *"), "{int *: {at: [b, 0, x]}}", id="pointer into a block"),
        pytest.param(FunctionPointer("cmp", "cmp_t *"), "{cmp_t *: {function: cmp}}", id="function"),
        pytest.param(Text("joe", "java.lang.String"), "{java.lang.String: joe}", id="string"),
        pytest.param(Text("12", "java.lang.String"), '{java.lang.String: "12"}', id="string that looks like a number"),
        pytest.param(Text("no", "java.lang.String"), '{java.lang.String: "no"}', id="string that looks like a boolean"),
        pytest.param(Text("Jürgen ☺", "T"), '{T: "Jürgen ☺"}', id="string that needs quotes"),
        pytest.param(Text('a"\n\\', "T"), '{T: "a\\"\\n\\\\"}', id="string with a new line"),
        pytest.param(Text("\ud83d", "T"), '{T: "\\\\\\\\ud83d"}', id="lone surrogate"),
        pytest.param(Text("\u202e", "T"), '{T: "\\u202e"}', id="nothing can hide"),
        pytest.param(Text("joe", "T", "s0"), "{T: {text: joe, identity: s0}}", id="string with an identity"),
        pytest.param(Constant("RED", "p.Color"), "{p.Color: {constant: RED}}", id="enum constant"),
        pytest.param(Unknown("int"), "{int: {unknown: any}}", id="unknown"),
        pytest.param(Unknown("int", (num(0),)), "{int: {not: [0]}}", id="known not to be"),
        pytest.param(ints(1, 2), '{"int[]": [1, 2]}', id="array"),
        pytest.param(Array("int [2]", (ints(1, 2),)), '{"int [][2]": [[1, 2]]}', id="array of arrays"),
        pytest.param(chars("joe", 4), '{"char[]": {chars: joe}}', id="C string"),
        pytest.param(chars("joe", 3), '{"char[]": {chars: joe, size: 3}}', id="characters without a NUL"),
        pytest.param(
            Array("java.lang.Object", (num(1, "java.lang.Integer"), Null("java.lang.Object")), "list"),
            "{java.lang.Object list: [{type: java.lang.Integer, is: 1}, null]}",
            id="list of references",
        ),
        pytest.param(
            Struct("struct pt", (("x", num(1)), ("y", num(2)))), "{struct pt: {int x: 1, int y: 2}}", id="struct"
        ),
    ],
)
def test_common_values_are_short(value: Value, text: str) -> None:
    one = stored(value)
    written = to_yaml("a.c", [one])
    assert f"gives: {text}" in written
    assert from_yaml(written, "a.yaml")[1] == (one,)


@pytest.mark.parametrize(
    ("blocks", "after", "text"),
    [
        pytest.param(["m0 stock"], [], "memory: {int stock: 1}", id="a numbered block has its name"),
        pytest.param(["b stock"], [], "blocks: {int b: 1}, names: {b: stock}", id="any other its id"),
        pytest.param(
            ["m0 it", "m1 it"], [], "memory: {int it: 1, int m1: 1}, names: {m1: it}", id="names are told apart"
        ),
        pytest.param(
            ["m0 m1", "m1 m0"], [], "memory: {int m0: 1, int m1: 1}, names: {m0: m1, m1: m0}", id="a name that is an id"
        ),
        pytest.param(
            ["m0 n0"], ["n0"], "memory: {int m0: 1}, names: {m0: n0}", id="a name that is that of a new block"
        ),
        pytest.param(["m1 a", "m0 b"], [], "blocks: {int m1: 1, int m0: 1}, names: {m1: a, m0: b}", id="another order"),
    ],
)
def test_blocks_have_names_that_people_know(blocks: list[str], after: list[str], text: str) -> None:
    before = [Block(*one.split(), num(1)) for one in blocks]
    left = (*((one.id, num(1)) for one in before), *((one, num(1)) for one in after))
    one = StoredPin(Pin("f", (), tuple(before), Returned(None, left), ORIGIN), "0a", "1b")
    written = to_yaml("a.c", [one])
    assert f"    - {{line: 12, {text}, gives: void" in written
    assert from_yaml(written, "a.yaml")[1] == (one,)


def test_a_long_array_takes_lines_that_fit_a_screen() -> None:
    one = stored(Array("struct pt", (Struct("struct pt", (("x", num(1)), ("y", num(2)))),) * 40))
    written = to_yaml("a.c", [one])
    assert max(map(len, written.splitlines())) <= 120
    assert from_yaml(written, "a.yaml")[1] == (one,)


def test_one_more_call_adds_lines_and_changes_none() -> None:
    calls = [stored(num(value)) for value in (1, 2, 3)]
    before, after = (to_yaml("a.c", some).splitlines() for some in (calls[::2], calls))
    rest = iter(after)
    assert all(line in rest for line in before)


# ---- hostile files --------------------------------------------------------------------------------------------------

HEAD = "schema: 1\nsource: a.c\ntypes: {int: signed 32, double: float 64, char: signed 8}\n"
CALL = """\
functions:
- function: f
  body: "1"
  tests:
  - test: t
    file: t.c
    digest: d
    calls:
    - line: 1
"""


def call(rest: str) -> str:
    return HEAD + CALL + "".join(f"      {line}\n" for line in rest.splitlines())


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("", "x.yaml: it is empty", id="empty"),
        pytest.param("- 1\n", "x.yaml:1: expected the keys schema", id="no mapping"),
        pytest.param(
            "schema: 2\nsource: a.c\nfunctions: []\n",
            "x.yaml:1: the schema is 2, this clausefit reads 1 (update",
            id="newer",
        ),
        pytest.param("schema: 0\nsource: a.c\nfunctions: []\n", "the schema is 0", id="unknown schema"),
        pytest.param(
            "schema: one\nsource: a.c\nfunctions: []\n",
            "x.yaml:1: schema: expected a whole number",
            id="schema of a wrong type",
        ),
        pytest.param(
            "schema: true\nsource: a.c\nfunctions: []\n", "schema: expected a whole number", id="truth is no number"
        ),
        pytest.param("source: a.c\nfunctions: []\n", "the key 'schema' is missing", id="no schema"),
        pytest.param(
            "schema: 1\nsource: ../a.c\nfunctions: []\n",
            "x.yaml:2: source: '../a.c' is no plain path",
            id="source outside",
        ),
        pytest.param(
            "schema: 1\nsource: /a.c\nfunctions: []\n", "source: '/a.c' is no plain path", id="absolute source"
        ),
        pytest.param(
            "schema: 1\nsource: a.c\nfunctions: 3\n",
            "x.yaml:3: functions: expected a list",
            id="functions of a wrong type",
        ),
        pytest.param(
            "schema: 1\nsource: a.c\nfunctions: [3]\n", "x.yaml:3: expected a function", id="function of a wrong type"
        ),
        pytest.param(HEAD + "functions: []\nmore: 1\n", "x.yaml:5: unknown key 'more'", id="unknown key"),
        pytest.param(
            HEAD + "functions: []\nfunctions: []\n", "x.yaml:5: the key 'functions' is there twice", id="key twice"
        ),
        pytest.param(
            HEAD + "functions: []\n--- {}\n", "x.yaml:5: a second document has no place here", id="two documents"
        ),
        pytest.param(HEAD + "functions: &a []\n", "x.yaml:4: an anchor", id="anchor"),
        pytest.param("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "x.yaml:1: an anchor", id="alias bomb"),
        pytest.param(HEAD + "functions: [*a]\n", "x.yaml:4: an alias (*name)", id="alias"),
        pytest.param(
            HEAD + "functions: !!python/object/apply:os.system [id]\n",
            "x.yaml:4: a tag (tag:yaml.org,2002:python",
            id="tag of Python",
        ),
        pytest.param(HEAD + "functions: !!set {}\n", "x.yaml:4: a tag", id="tag of YAML"),
        pytest.param(HEAD + "functions: [\n", "not YAML", id="broken"),
        pytest.param(
            HEAD + "functions: []\n? [1, 2]\n: 3\n", "x.yaml:5: a key must be a text", id="key of a wrong type"
        ),
        pytest.param("[" * 100_000, "nest", id="nesting"),
        pytest.param("{a: " * 100_000, "x.yaml:1: it is nested too deeply", id="nesting of mappings"),
        pytest.param("x" * (100 << 20), "x.yaml: it is larger than 4 MiB", id="100 MB"),
        pytest.param("a: \x1b[2J\n", "x.yaml:1: YAML allows no character U+001B", id="control character"),
        pytest.param("a: 1\nb: \ud800\n", "x.yaml:2: YAML allows no character U+D800", id="lone surrogate"),
        pytest.param(
            f"{HEAD}<<<<<<< HEAD\nfunctions: []\n=======\nfunctions: []\n>>>>>>> b\n",
            "x.yaml:4: a merge conflict: keep the calls",
            id="merge conflict",
        ),
        pytest.param(
            HEAD.replace("signed 32", "signed 0") + "functions: []\n", "x.yaml:3: types: expected", id="width 0"
        ),
        pytest.param(HEAD.replace("signed 32", "signed 999") + "functions: []\n", "types: expected", id="width 999"),
        pytest.param(
            HEAD.replace("float 64", "float 80") + "functions: []\n", "types: expected", id="float of 80 bits"
        ),
        pytest.param(call(""), "x.yaml:12: expected either `gives` or `fails`", id="no outcome"),
        pytest.param(call("gives: void\nfails: abort"), "expected either `gives` or `fails`", id="two outcomes"),
        pytest.param(
            call("gives: {int: 2147483648}"), "x.yaml:13: 2147483648 does not fit the type 'int'", id="too large"
        ),
        pytest.param(call(f"gives: {{int: {'9' * 5000}}}"), "", id="a number of 5000 digits is a text"),
        pytest.param(call("gives: {long: 1}"), "which `types` does not have", id="type without a width"),
        pytest.param(call("gives: {int: true}"), "True is no value of the type 'int'", id="truth for a number"),
        pytest.param(call("gives: {int: 0.5}"), "0.5 is no value of the type 'int'", id="fraction for an integer"),
        pytest.param(
            call("gives: {double: 1.0e999}"), "inf is no value of the type 'double'", id="too large a fraction"
        ),
        pytest.param(
            call("gives: {double: {bits: 0x10000000000000000}}"), "no floating point number", id="too many bits"
        ),
        pytest.param(call("gives: {int: {bits: 1}}"), "no floating point number", id="bits of an integer"),
        pytest.param(call("gives: {int: [1]}"), "a list, where the type is 'int'", id="list for a number"),
        pytest.param(
            call("gives: {int: {at: b}}"), "has a pointer to no place in its memory", id="pointer to no block"
        ),
        pytest.param(call("gives: {int: {at: []}}"), "at: expected a block", id="pointer without a block"),
        pytest.param(call("gives: {int: {at: [b, -1]}}"), "at: a step is an index or the name", id="negative step"),
        pytest.param(call("gives: {int: {at: b, x: 1}}"), "the key 'x' has no meaning here", id="key too many"),
        pytest.param(call("gives: {int: {was: 1}}"), "'was' is no form of a value", id="unknown form"),
        pytest.param(call("gives: {int: {unknown: 1}}"), "unknown: expected `any`", id="unknown what"),
        pytest.param(
            call('gives: {"char[]": {chars: "", size: 1000000000}}'), "do not fit", id="a short text for much memory"
        ),
        pytest.param(
            call("gives: {int: {integer: 1, width: 99999, signed: true}}"), "expected a width from 1 to 128", id="wide"
        ),
        pytest.param(call(r'gives: {T: "\\\\x"}'), "the escape '\\\\x' is none of", id="unknown escape"),
        pytest.param(
            call("gives: {int: 1, long: 2}"), "gives: expected `void`, or a type and a value", id="two results"
        ),
        pytest.param(
            call("fails: laughing"),
            "x.yaml:12: the call of 'f' ended in a way that is none of abort",
            id="unknown failure",
        ),
        pytest.param(call("fails: {}"), "fails: expected the kind", id="no failure"),
        pytest.param(
            call("fails: {exception: E, exact: maybe}"), "exact: expected true or false", id="exact of a wrong type"
        ),
        pytest.param(call("with: [1]\ngives: void"), "expected `TYPE NAME: value`", id="arguments of a wrong type"),
        pytest.param(
            call("with: {n: 1}\ngives: void"),
            "expected a type and a name, found the key 'n'",
            id="argument without a type",
        ),
        pytest.param(call("with: {int n: 1, double n: 1.0}\ngives: void"), "'n' is there twice", id="argument twice"),
        pytest.param(call("names: {b: x}\ngives: void"), "'b' is no block of the call's memory", id="name of no block"),
        pytest.param(
            call("memory: {int b: 1}\ngives: void\nleft: {}"),
            "does not show all of its memory",
            id="memory that is lost",
        ),
        pytest.param(
            call("memory: {int a: 1}\ngives: void\nafter: {int m0: 1}"),
            "'m0', which is another block",
            id="block twice",
        ),
        pytest.param(call("memory: {int a: 1}\nblocks: {int a: 1}\ngives: void"), "`memory` or `blocks`", id="both"),
        pytest.param(call("gives: void\nleft: {}\nafter: {}"), "either `after` or `left`", id="memory twice"),
        pytest.param(call("gives: void").replace("line: 1", "line: -1"), "on a line that no file has", id="line -1"),
        pytest.param(call("gives: void").replace("line: 1", "line: x"), "line: expected a whole number", id="line x"),
        pytest.param(
            call("gives: void").replace('body: "1"', "body: 1"),
            "body: expected a text (in quotes",
            id="digest that is a number",
        ),
        pytest.param(call("gives: void\nx: 1"), "x.yaml:14: unknown key 'x'", id="unknown key of a call"),
        pytest.param(
            call("gives: void").replace("  body", "  x: 1\n  body"),
            "x.yaml:6: unknown key 'x'",
            id="unknown key of a function",
        ),
        pytest.param(call("gives: void").replace("digest: d", "x: 1"), "the key 'digest' is missing", id="no digest"),
        pytest.param(
            call("gives: void").replace("    calls:", "    x: 1\n    calls:"),
            "x.yaml:11: unknown key 'x'",
            id="unknown key of a test",
        ),
        pytest.param(
            call("memory: {int a: 1}\nglobals: [b]\ngives: void"), "'b' is no block", id="variable of no block"
        ),
        pytest.param(
            call("memory: {int a: 1}\nconstants: {a: 1}\ngives: void"), "constants: expected a list", id="constants"
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line(text: str, problem: str) -> None:
    if not problem:
        assert from_yaml(text, "x.yaml")[1][0].pin.outcome == Returned(Text("9" * 5000, "int"), ())
        return
    with pytest.raises(StoredProblem) as told:
        from_yaml(text, "x.yaml")
    line = str(told.value)
    assert problem in line
    assert line.isprintable() and line.endswith("record again with `clausefit record`")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        pytest.param(b"schema: \xff\n", "x.yaml: not UTF-8 (byte 8)", id="invalid UTF-8"),
        pytest.param(b"\0" * (MAX_BYTES + 1), "larger than 4 MiB", id="too large"),
        pytest.param("schema: 1".encode("utf-16"), "not UTF-8 (byte 0)", id="UTF-16"),
    ],
)
def test_bytes_that_are_no_text_are_one_line(content: bytes, problem: str) -> None:
    with pytest.raises(StoredProblem) as told:
        from_bytes(content, "x.yaml")
    assert problem in str(told.value)


PIECES = (
    b"[ ] { } &a *a !!python/object:os.system !x \" ' \n \t - : # \\ null true 1e5 0x10 99999999999999999999 \xff "
    b"\0 | > ? --- ... %YAML at not is << -1 elements .nan [] {}"
).split(b" ")


@pytest.mark.parametrize("start", range(0, 200, 40))
def test_a_damaged_file_is_a_problem_or_sound_pins(start: int) -> None:
    for seed in range(start, start + 40):
        drawn = random.Random(seed)
        content = bytearray(to_yaml("src/a.c", generated(seed, 2)).encode())
        for _ in range(drawn.choice((1, 1, 3))):
            at = drawn.randrange(len(content))
            content[at : at + drawn.randrange(4)] = drawn.choice((b"", drawn.choice(PIECES), bytes(content[:30])))
        try:
            _, pins = from_bytes(bytes(content), "x.yaml")
        except StoredProblem as told:
            assert str(told).isprintable(), seed
        else:
            assert all(flaw_of(one.pin) is None for one in pins), seed


# ---- what is not stored ---------------------------------------------------------------------------------------------


def nested(depth: int) -> Value:
    value: Value = num(1)
    for _ in range(depth):
        value = Array("int", (value,))
    return value


@pytest.mark.parametrize(
    ("value", "flaw"),
    [
        pytest.param(num(1 << 31), "an integer that its type cannot hold", id="too large"),
        pytest.param(num(1, "int", 0), "an integer that its type cannot hold", id="no width"),
        pytest.param(Floating(1 << 32, "float", 32), "neither 32 nor 64", id="too many bits"),
        pytest.param(Floating(0, "long double", 80), "neither 32 nor 64", id="long double"),
        pytest.param(Pointer("gone", (), "int *"), "a pointer to no place", id="pointer to no block"),
        pytest.param(Pointer("b", (2,), "int *"), "a pointer to no place", id="two past the end"),
        pytest.param(Pointer("b", (1, "x"), "int *"), "a pointer to no place", id="inside of the end"),
        pytest.param(Pointer("b", (0, "z"), "int *"), "a pointer to no place", id="pointer to no field"),
        pytest.param(
            Unknown("int *", (Pointer("gone", (), "int *"),)), "a pointer to no place", id="known not to point"
        ),
        pytest.param(nested(MAX_NESTING), "nested more than", id="nesting"),
        pytest.param(nested(50_000), "nested more than", id="nesting beyond the stack"),
        pytest.param(Null("x" * 2000), "too long to be written", id="long type"),
        pytest.param(
            Struct("S", (("\x01" * 200, num(1)),)), "too long to be written", id="name that gets long by escapes"
        ),
    ],
)
def test_a_pin_that_no_file_can_hold_has_a_flaw(value: Value, flaw: str) -> None:
    one = stored(value)
    assert flaw in str(flaw_of(one.pin))
    with pytest.raises(ValueError, match="a call of 'f'"):
        to_yaml("a.c", [one])


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(Pointer("b", (1,), "struct pt *"), id="one past the end"),
        pytest.param(nested(MAX_NESTING - 1), id="as deep as may be"),
        pytest.param(Struct("S", (("x" * 450, Null("y" * 450)),)), id="as long as may be"),
    ],
)
def test_what_is_just_within_the_limits_comes_back(value: Value) -> None:
    one = stored(value)
    assert flaw_of(one.pin) is None
    assert from_yaml(to_yaml("a.c", [one]), "a.yaml")[1] == (one,)


@pytest.mark.parametrize(
    ("function", "value", "flaw"),
    [
        pytest.param("A.f()", num(-1, "char", 8), "none of Java's", id="a signed char is none of Java's"),
        pytest.param("f", num(-1, "char", 8), None, id="and one of C's"),
        pytest.param("A.f()", num(5, "java.lang.Integer"), None, id="boxed"),
        pytest.param("A.f()", Floating(0, "float", 64), "none of Java's", id="a float of 64 bits"),
    ],
)
def test_numbers_of_java_have_the_types_of_java(function: str, value: Value, flaw: str | None) -> None:
    found = flaw_of(stored(value, function).pin)
    assert found is None if flaw is None else flaw in str(found)


def test_static_pins_are_not_stored() -> None:
    one = stored(num(1))
    assert flaw_of(replace(one.pin, origin=replace(ORIGIN, kind="static"))) == "was not recorded"


@pytest.mark.parametrize(
    ("path", "source"),
    [
        pytest.param(".clausefit/pins/src/bank.c.yaml", "src/bank.c", id="file of a source"),
        pytest.param(".clausefit/pins/bank.c.yml", None, id="other ending"),
        pytest.param("pins/bank.c.yaml", None, id="elsewhere"),
        pytest.param(".clausefit/pins/../x.c.yaml", None, id="outside"),
        pytest.param(".clausefit/pins/a//b.c.yaml", None, id="no plain path"),
        pytest.param(".clausefit/pins/.yaml", None, id="no name"),
    ],
)
def test_which_source_a_file_is_of(path: str, source: str | None) -> None:
    assert source_of(path) == source
    assert source is None or path_of(source) == path
