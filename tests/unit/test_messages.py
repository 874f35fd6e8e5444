"""Messages and fingerprints of findings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from clausefit.hook.contracts.model import Clause, Language, Span
from clausefit.hook.messages import call_text, fingerprint, message, split_advice
from clausefit.hook.report import Witness
from clausefit.hook.rules import RULES, advice_for


def clause(text: str, behavior: str | None = None, line: int = 3) -> Clause:
    kind, _, formula = text.partition(" ")
    return Clause(kind, text, formula, Span(line, 5, line, 5 + len(text), 20, 20 + len(text)), behavior=behavior)


def witness(inputs: dict[str, Any], right: dict[str, Any], wrong: dict[str, Any] | None = None) -> Witness:
    return Witness(inputs, right, wrong, "main", "test.c", 6)


POS = clause("ensures pos: level > 0")
TAKE = witness({"*stock": 10, "k": 4}, {"*stock": 6})


@pytest.mark.parametrize(
    ("code", "blamed", "shown", "expected"),
    [
        pytest.param(
            "CF101",
            POS,
            witness({"level": -1}, {"level": 3}, {"level": 9}),
            "`ensures pos: level > 0` also accepts level = 9 after f(level = -1); test main (test.c:6) shows 3. "
            "Say exactly what the outcome is, in every case.",
            id="postcondition too weak",
        ),
        pytest.param(
            "CF101",
            POS,
            witness({"v": 1}, {"result": 3}, {"exit": "abort"}),
            "`ensures pos: level > 0` also accepts exit = abort after f(v = 1); test main (test.c:6) shows return. "
            "Say exactly what the outcome is, in every case.",
            id="other kind of exit",
        ),
        pytest.param(
            "CF101",
            POS,
            None,
            "`ensures pos: level > 0` also accepts a wrong outcome of f(); a test shows the right one. "
            "Say exactly what the outcome is, in every case.",
            id="no witness",
        ),
        pytest.param(
            "CF102",
            None,
            witness({"a": [2, 1], "n": 2}, {"a": [1, 2]}, {"a": [1, 1]}),
            "The contract of f also accepts a[1] = 1 after f(a = {2, 1}, n = 2); test main (test.c:6) shows 2, and no "
            "single clause is to blame. Add a clause that ties this value to the inputs.",
            id="contract too weak",
        ),
        pytest.param(
            "CF103",
            clause("assigns a[0 .. n-1]"),
            witness({"a": [1, 2], "n": 2}, {}, {"a": [1, 7]}),
            "`assigns a[0 .. n-1]` lets a[1] become 7 in f(a = {1, 2}, n = 2); test main (test.c:6) shows that it "
            "stays 2. Narrow `assigns` to what the function writes, or say that the value stays the same.",
            id="frame too wide",
        ),
        pytest.param(
            "CF103",
            None,
            witness({"level": 2}, {"result": 1}, {"result": 1, "level": 3}),
            "Without an `assigns` clause the contract lets level become 3 in f(level = 2); test main (test.c:6) shows "
            "that it stays 2. Narrow `assigns` to what the function writes, or say that the value stays the same.",
            id="no frame",
        ),
        pytest.param(
            "CF104",
            None,
            witness({"a": 1, "b": 0}, {"exit": "signal"}),
            "No `requires` clause excludes f(a = 1, b = 0), but there test main (test.c:6) ends in signal. "
            "Exclude the input with `requires`, or handle it in the code.",
            id="precondition too weak",
        ),
        pytest.param(
            "CF105",
            POS,
            None,
            "`ensures pos: level > 0` rejects no wrong outcome on any input that the tests show. "
            "Remove it, sharpen it, or add a test that reaches its case.",
            id="rejects nothing",
        ),
        pytest.param(
            "CF201",
            POS,
            witness({"v": 0}, {"result": 0, "*s": 4}),
            "`ensures pos: level > 0` rejects \\result = 0, *s = 4 after f(v = 0), which test main (test.c:6) shows. "
            "Loosen the clause so that it holds here, or correct the test if it is wrong.",
            id="postcondition too strong",
        ),
        pytest.param(
            "CF202",
            clause("requires fits: ch == (char) ch"),
            witness({"s": '"xyz"', "ch": 378}, {"result": 2}),
            '`requires fits: ch == (char) ch` rejects f(s = "xyz", ch = 378), but test main (test.c:6) shows that the '
            "call works and gives \\result = 2. "
            "Loosen the clause to admit this input, or drop the test if the call is not allowed.",
            id="precondition too strong",
        ),
        pytest.param(
            "CF203",
            clause("assigns \\nothing"),
            TAKE,
            "`assigns \\nothing` forbids a write of f(*stock = 10, k = 4): test main (test.c:6) shows that it changes "
            "*stock from 10 to 6. Add the location to `assigns`.",
            id="frame too narrow",
        ),
        pytest.param(
            "CF203",
            clause("assigns \\nothing"),
            witness({"result": 1, "*s": 2}, {"result": 5, "*s": 3}),
            "`assigns \\nothing` forbids a write of f(result = 1, *s = 2): test main (test.c:6) shows that it changes "
            "*s from 2 to 3. Add the location to `assigns`.",
            id="a parameter called result is not the result",
        ),
        pytest.param(
            "CF204",
            clause("complete behaviors a, b"),
            witness({"v": 0}, {"result": 0}),
            "`complete behaviors a, b` does not hold: f(v = 0) in test main (test.c:6) falls under none of the "
            "behaviors. Add a behavior for this input, or widen an `assumes`.",
            id="not complete",
        ),
        pytest.param(
            "CF205",
            clause("disjoint behaviors"),
            witness({"v": 0}, {"result": 0}),
            "`disjoint behaviors` does not hold: f(v = 0) in test main (test.c:6) falls under two of the behaviors. "
            "Make the `assumes` clauses exclude each other, or drop `disjoint behaviors`.",
            id="overlap",
        ),
        pytest.param(
            "CF301",
            None,
            None,
            "The `requires` clauses cannot hold together: no call of f is allowed, so any postcondition can be proved."
            " Mend the `requires` clauses so that at least one call is allowed.",
            id="vacuous",
        ),
        pytest.param(
            "CF302",
            None,
            None,
            "The logic definitions that the contract of f uses contradict each other: anything can be proved from them."
            " Find the false axiom or recursive definition, and mend or remove it.",
            id="inconsistent",
        ),
    ],
)
def test_message(code: str, blamed: Clause | None, shown: Witness | None, expected: str) -> None:
    assert message(code, "f", blamed, shown) == expected


ADVANCE = {"this": {"@class": "Cursor", "pos": 3, "text": None}, "n": 1}
ILLEGAL = "throws java.lang.IllegalArgumentException"


@pytest.mark.parametrize(
    ("code", "blamed", "shown", "expected"),
    [
        pytest.param(
            "CF101",
            clause("ensures \\result >= 0"),
            witness(ADVANCE, {"result": True}, {"result": False}),
            "`ensures \\result >= 0` also accepts \\result = false after "
            "p.Cursor.advance(this = Cursor{pos: 3, text: null}, n = 1); test main (test.c:6) shows true. "
            "Say exactly what the outcome is, in every case.",
            id="a result",
        ),
        pytest.param(
            "CF101",
            clause("ensures \\result != null"),
            witness({}, {"result": [1, "'a'"]}, {"result": [1, "'b'"]}),
            "`ensures \\result != null` also accepts \\result[1] = 'b' after p.Cursor.advance(); "
            "test main (test.c:6) shows 'a'. Say exactly what the outcome is, in every case.",
            id="an element of a result",
        ),
        pytest.param(
            "CF102",
            None,
            witness({"n": 1}, {"result": "&this"}, {"exit": ILLEGAL}),
            "The contract of p.Cursor.advance(int) also accepts that p.Cursor.advance(n = 1) throws "
            "java.lang.IllegalArgumentException; test main (test.c:6) shows that it returns, and no single clause is "
            "to blame. Add a clause that ties this value to the inputs.",
            id="an exception for a return",
        ),
        pytest.param(
            "CF103",
            None,
            witness(ADVANCE, {}, {"this": {"@class": "Cursor", "pos": 3, "text": '"a"'}}),
            'Without an `assignable` clause the contract lets this.text become "a" in '
            "p.Cursor.advance(this = Cursor{pos: 3, text: null}, n = 1); test main (test.c:6) shows that it stays "
            "null. Narrow `assignable` to what the method writes, or say that the value stays the same.",
            id="frame too wide",
        ),
        pytest.param(
            "CF103",
            clause("assignable prices, prices[*]"),
            witness(
                {"this": {"@class": "Basket", "prices": [0, 0]}},
                {"this": {"@class": "Basket", "prices": [2, 0]}},
                {"this": {"@class": "Basket", "prices": None}},
            ),
            "`assignable prices, prices[*]` lets this.prices become null in "
            "p.Cursor.advance(this = Basket{prices: {0, 0}}); test main (test.c:6) shows that it goes on referring to "
            "the same object. Narrow `assignable` to what the method writes, or say that the value stays the same.",
            id="a reference that stays while what it refers to changes",
        ),
        pytest.param(
            "CF104",
            None,
            witness({"n": -1}, {"exit": ILLEGAL}),
            "No `requires` clause excludes p.Cursor.advance(n = -1), but test main (test.c:6) shows that it throws "
            "java.lang.IllegalArgumentException. Exclude the input with `requires`, or say with `signals` that the "
            "call throws.",
            id="precondition too weak",
        ),
        pytest.param(
            "CF104",
            clause("requires n > 0"),
            witness({"n": 1}, {"exit": "timeout"}),
            "`requires n > 0` admits p.Cursor.advance(n = 1), but there test main (test.c:6) ends in timeout. "
            "Exclude the input with `requires`, or say with `signals` that the call throws.",
            id="another failure",
        ),
        pytest.param(
            "CF106",
            clause("signals (IllegalArgumentException e) true"),
            witness({"n": 1}, {"result": 1}, {"exit": ILLEGAL}),
            "`signals (IllegalArgumentException e) true` also accepts that p.Cursor.advance(n = 1) throws "
            "java.lang.IllegalArgumentException; test main (test.c:6) shows that it returns. Say under which condition "
            "the exception is thrown, and name all that may be in `signals_only`.",
            id="signals too weak",
        ),
        pytest.param(
            "CF106",
            None,
            witness({"n": 1}, {"exit": ILLEGAL}, {}),
            "The contract also accepts that p.Cursor.advance(n = 1) returns; test main (test.c:6) shows that it throws "
            "java.lang.IllegalArgumentException. Say under which condition the exception is thrown, and name all that "
            "may be in `signals_only`.",
            id="a return for an exception",
        ),
        pytest.param(
            "CF201",
            clause("public exceptional_behavior"),
            witness({"n": 1}, {"result": None}),
            "`public exceptional_behavior` rejects \\result = null after p.Cursor.advance(n = 1), which test main "
            "(test.c:6) shows. Loosen the clause so that it holds here, or correct the test if it is wrong.",
            id="a return in an exceptional case",
        ),
        pytest.param(
            "CF203",
            clause("assignable \\nothing"),
            witness(ADVANCE, {"this": {"@class": "Cursor", "pos": 4, "text": None}}),
            "`assignable \\nothing` forbids a write of p.Cursor.advance(this = Cursor{pos: 3, text: null}, n = 1): "
            "test main (test.c:6) shows that it changes this.pos from 3 to 4. Add the location to `assignable`.",
            id="frame too narrow",
        ),
        pytest.param(
            "CF206",
            clause("signals_only NullPointerException"),
            witness({"n": -1}, {"exit": ILLEGAL}),
            "`signals_only NullPointerException` forbids that p.Cursor.advance(n = -1) throws "
            "java.lang.IllegalArgumentException, which test main (test.c:6) shows. Allow the exception in `signals` "
            "and `signals_only`, or give this input an `exceptional_behavior`.",
            id="exception too strong",
        ),
        pytest.param(
            "CF207",
            clause("invariant pos < 4"),
            witness(ADVANCE, {"result": 1, "this": {"@class": "Cursor", "pos": 4, "text": None}}),
            "`invariant pos < 4` does not hold: test main (test.c:6) shows that "
            "p.Cursor.advance(this = Cursor{pos: 3, text: null}, n = 1) leaves this = Cursor{pos: 4, text: null}. "
            "Loosen it to admit this state, or correct the test if it is wrong.",
            id="invariant, state after",
        ),
        pytest.param(
            "CF207",
            clause("invariant pos < 3"),
            witness(ADVANCE, {"result": 1}),
            "`invariant pos < 3` does not hold: test main (test.c:6) shows the state in which "
            "p.Cursor.advance(this = Cursor{pos: 3, text: null}, n = 1) is called. "
            "Loosen it to admit this state, or correct the test if it is wrong.",
            id="invariant, state before",
        ),
    ],
)
def test_message_of_java(code: str, blamed: Clause | None, shown: Witness, expected: str) -> None:
    text = message(code, "p.Cursor.advance(int)", blamed, shown, language="java")
    assert text == expected
    assert split_advice(code, text)[1] != ""


@pytest.mark.parametrize(
    ("code", "detail", "expected"),
    [
        pytest.param(
            "CF901",
            "CF101",
            "The comment suppresses CF101, but there is no such finding here. "
            "Remove the code from the comment, or move the comment to the clause that it is for.",
            id="unused",
        ),
        pytest.param(
            "CF902",
            "CF101",
            "The comment suppresses CF101 without a reason, so it does not count. "
            "Write the reason after the code: `// clausefit: ignore[CODE] reason`.",
            id="no reason",
        ),
        pytest.param(
            "CF903",
            "CF999",
            "`CF999` is not a code. Name a code that `clausefit explain` lists: `// clausefit: ignore[CODE] reason`.",
            id="code like no other",
        ),
        pytest.param(
            "CF903",
            "CF110",
            "`CF110` is not a code; the nearest is CF101. "
            "Name a code that `clausefit explain` lists: `// clausefit: ignore[CODE] reason`.",
            id="unknown code",
        ),
        pytest.param(
            "CF903",
            "",
            "The suppression names no code. "
            "Name a code that `clausefit explain` lists: `// clausefit: ignore[CODE] reason`.",
            id="no code",
        ),
        pytest.param(
            "CF903",
            "an",
            "The suppression names no code: `an` is none. "
            "Name a code that `clausefit explain` lists: `// clausefit: ignore[CODE] reason`.",
            id="a word of the reason",
        ),
        pytest.param(
            "CF903",
            "frame-to-wide",
            "`frame-to-wide` is not a code; the nearest is CF103. "
            "Name a code that `clausefit explain` lists: `// clausefit: ignore[CODE] reason`.",
            id="misspelt name",
        ),
        pytest.param(
            "CF105",
            "its left side never holds",
            "The contract rejects no wrong outcome on any input that the tests show (its left side never holds). "
            "Remove it, sharpen it, or add a test that reaches its case.",
            id="one more fact",
        ),
    ],
)
def test_message_with_detail(code: str, detail: str, expected: str) -> None:
    assert message(code, "f", None, None, detail) == expected


@pytest.mark.parametrize("code", [pytest.param(code, id=code) for code in RULES])
@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(None, id="no witness"),
        pytest.param(witness({}, {}), id="empty witness"),
        pytest.param(witness({"a\x1b\n": "\u202e" * 9999}, {"a\x1b\n": [1] * 9999}, {"a\x1b\n": "\r"}), id="hostile"),
    ],
)
@pytest.mark.parametrize("language", [pytest.param("c", id="C"), pytest.param("java", id="Java")])
def test_every_code_has_a_printable_message(code: str, shown: Witness | None, language: Language) -> None:
    text = message(code, "f\x07(\x1b)", clause("ensures " + "\x1b[1m" * 5000), shown, "\x1b", language)
    assert text.isprintable()
    assert len(text) < 2000
    what, advice = split_advice(code, text)
    assert advice == advice_for(RULES[code], language)
    assert f"{what} {advice}" == text


def test_split_advice_of_a_foreign_message() -> None:
    assert split_advice("CF101", "something else") == ("something else", "")
    assert split_advice("CF000", "something else") == ("something else", "")


def test_long_calls_are_cut() -> None:
    text = call_text("f", {f"argument_{n}": n for n in range(200)})
    assert len(text) == 240
    assert text.endswith("...")


def made(blamed: Clause | None, **changes: Any) -> str:
    given: dict[str, Any] = {"code": "CF101", "file": "a.c", "function": "f", "direction": "too_weak", **changes}
    return fingerprint(clause=blamed, **given)


@pytest.mark.parametrize(
    "same",
    [
        pytest.param(clause("ensures pos: level > 0", line=90), id="moved"),
        pytest.param(replace(POS, text="ensures positive: level > 0"), id="label changed"),
        pytest.param(replace(POS, formula=POS.formula.replace(" ", "  ")), id="white space changed"),
    ],
)
def test_fingerprint_survives(same: Clause) -> None:
    assert made(same) == made(POS)


@pytest.mark.parametrize(
    ("blamed", "changes"),
    [
        pytest.param(POS, {"code": "CF102"}, id="code"),
        pytest.param(POS, {"file": "b.c"}, id="file"),
        pytest.param(POS, {"function": "g"}, id="function"),
        pytest.param(POS, {"direction": "too_strong"}, id="direction"),
        pytest.param(None, {}, id="whole contract"),
        pytest.param(replace(POS, formula="level > 1"), {}, id="formula"),
        pytest.param(replace(POS, behavior="b"), {}, id="behavior"),
        pytest.param(POS, {"file": "a.cf", "function": ""}, id="parts do not run together"),
    ],
)
def test_fingerprint_differs(blamed: Clause | None, changes: dict[str, Any]) -> None:
    assert made(blamed, **changes) != made(POS)


def test_fingerprint_is_stable_over_releases() -> None:
    # Baselines and GitHub alerts are keyed by it: a change of this value is a breaking change.
    assert made(POS) == "a7b1ee9146342471012e003a5f229be1"
    assert made(POS, file="\udcff.c") != made(POS)


def test_a_place_that_the_witness_does_not_show_is_named() -> None:
    shown = witness({"p": "&q"}, {}, {})
    assert message("CF103", "f", clause("assigns *p"), shown, place="q[0]") == (
        "`assigns *p` lets q[0] change, which f(p = &q) leaves as it is, as test main (test.c:6) shows. "
        "Narrow `assigns` to what the function writes, or say that the value stays the same."
    )
