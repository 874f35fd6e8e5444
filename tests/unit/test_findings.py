"""Who is blamed for what: tables of given judgements → findings, scores and counts.

A row gives a contract, pins and what the verifier says. Questions are named ``role/clauses/pin/place=wrong``; the last
pattern that fits tells the verdict, and without one the contract is a good one.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

import pytest
from clausefit.hook.contracts.c import read_c
from clausefit.hook.contracts.model import Contract
from clausefit.hook.findings import Conclusion, conclude
from clausefit.hook.judged import Judged, truths
from clausefit.hook.pins.values import (
    Array,
    Block,
    Failed,
    Integer,
    Origin,
    Pin,
    Pointer,
    Returned,
    Struct,
    Unknown,
    Value,
)
from clausefit.hook.questions import Asked, Guess, Limits, Plan, first_round, second_round
from clausefit.verifiers.protocol import Judgement

Says = Sequence[tuple[str, str]]
GOOD: Says = [
    ("*", "accepted"),
    ("wrong/*", "rejected"),
    ("kill/*", "rejected"),
    ("fails/*", "rejected"),
    ("guard/*", "unknown"),
    ("vacuity/*", "unknown"),
]


def i32(value: int) -> Integer:
    return Integer(value, "int", 32, True)


def ints(*values: int | None) -> Array:
    return Array("int", tuple(Unknown("int") if v is None else i32(v) for v in values))


def contract_of(annotation: str, head: str) -> Contract:
    """The contract of a function that is defined in the line after the annotation."""
    (one,) = read_c(f"/*@ {annotation} */\n{head} {{ }}\n", "f.c").contracts
    return one


def call(a: int, result: Value | None, line: int = 7) -> Pin:
    """``f(a)`` for ``int f(int a)``."""
    return Pin("f", (("a", i32(a)),), (), Returned(result, ()), Origin("static", "t", "t.c", line))


def fails(a: int) -> Pin:
    return Pin("f", (("a", i32(a)),), (), Failed("abort"), Origin("static", "t", "t.c", 9))


def store(before: int, after: int | None, result: Value | None = None, program: str | None = None) -> Pin:
    """``f(&x)`` for a function of ``int *p``."""
    block = Block("m0", "x", i32(before), program=program)
    left = Unknown("int") if after is None else i32(after)
    origin = Origin("static", "t", "t.c", 7)
    return Pin("f", (("p", Pointer("m0", (), "int *")),), (block,), Returned(result, (("m0", left),)), origin)


def name_of(asked: Asked) -> str:
    """``wrong//0/result=8``, ``kill/1/0/m0=3``, ``ensures/2/0/``."""
    clauses = "+".join(map(str, asked.clauses))
    pin = "" if asked.pin is None else str(asked.pin)
    changed = ""
    if asked.mutant is not None:
        place = ".".join((asked.mutant.location.block or "result", *map(str, asked.mutant.location.path)))
        wrong = asked.mutant.wrong
        changed = f"{place}={wrong.value if isinstance(wrong, Integer) else type(wrong).__name__}"
    return f"{asked.role}/{clauses}/{pin}/{changed}"


def answered(plan: Plan, asked: Sequence[Asked], says: Says) -> dict[str, Judgement]:
    answers = {}
    for one in asked:
        verdict = [v for pattern, v in (*GOOD, *says) if fnmatchcase(name_of(one), pattern)][-1]
        decided = verdict in ("accepted", "rejected")
        answers[one.question.id] = (
            Judgement(verdict) if decided else Judgement("undecided", verdict, f"it is {verdict}")
        )  # type: ignore[arg-type]
    return answers


def judged(
    contract: Contract,
    pins: Sequence[Pin],
    says: Says,
    guess: Guess | None = None,
    limits: Limits | None = None,
    uses_logic: bool = False,
) -> Judged:
    plan = first_round(contract, pins, "u0c0", limits or Limits(), (), guess, uses_logic=uses_logic)
    answers = answered(plan, plan.asked, says)
    answers |= answered(plan, second_round(plan, answers), says)
    names = {name_of(one) for one in plan.asked}
    for pattern, _verdict in says:
        assert any(fnmatchcase(name, pattern) for name in names), f"{pattern} is not asked: {sorted(names)}"
    return Judged(plan, answers)


def concluded(contract: Contract, pins: Sequence[Pin], says: Says, **options: object) -> Conclusion:
    return conclude(judged(contract, pins, says, **options), [], (len(pins), 0))  # type: ignore[arg-type]


def found(contract: Contract, conclusion: Conclusion) -> list[tuple[str, int | None, int]]:
    """(code, index of the blamed clause, witnesses) of each finding."""
    texts = [(c.kind, c.text) for c in contract.clauses]
    return [(f.code, None if f.clause is None else texts.index(f.clause), f.witnesses) for f in conclusion.findings]


INT = "int f(int a)"
CELL = "void f(int *p)"

RIGHT_AND_NOTHING_ELSE = [
    pytest.param("requires a > 0; ensures \\result == a;", INT, [call(3, i32(3))], id="result"),
    pytest.param("assigns *p; ensures *p == \\old(*p) + 1;", CELL, [store(1, 2)], id="memory"),
    pytest.param("requires a > 0; ensures \\result == a;", INT, [call(3, i32(3)), fails(0)], id="failed-call"),
    pytest.param(
        "behavior b: assumes a > 0; ensures \\result == a; complete behaviors; disjoint behaviors;",
        INT,
        [call(3, i32(3))],
        id="behaviors",
    ),
    pytest.param("ensures \\result == a;", INT, [], id="no-pin"),
]


@pytest.mark.parametrize(("annotation", "head", "pins"), RIGHT_AND_NOTHING_ELSE)
def test_a_good_contract_has_no_finding(annotation: str, head: str, pins: list[Pin]) -> None:
    contract = contract_of(annotation, head)
    conclusion = concluded(contract, pins, [])
    assert conclusion.findings == ()
    assert conclusion.not_checked == ()
    assert conclusion.undecided == 0


BOTH = [call(3, i32(3)), call(4, i32(4))]
BEHAVIORS = "behavior n: assumes a < 0; behavior p: assumes a > 0; complete behaviors; disjoint behaviors;"


@pytest.mark.parametrize(
    ("annotation", "head", "pins", "says", "expected"),
    [
        pytest.param(
            "requires a > 3; ensures \\result == a;",
            INT,
            BOTH,
            [("requires/0/0/", "rejected")],
            [("CF202", 0, 1)],
            id="requires",
        ),
        pytest.param(
            "ensures \\result == a; ensures \\result == 4;",
            INT,
            [*BOTH, call(5, i32(5))],
            [("ensures/1/[02]/", "rejected")],
            [("CF201", 1, 2)],
            id="ensures-with-all-its-witnesses",
        ),
        pytest.param(
            "assigns \\nothing; ensures *p == 2;",
            CELL,
            [store(1, 2)],
            [("frame/0/0/", "rejected")],
            [("CF203", 0, 1)],
            id="assigns",
        ),
        pytest.param(BEHAVIORS + "", INT, BOTH, [("cover/2/0/", "rejected")], [("CF204", 2, 1)], id="complete"),
        pytest.param(BEHAVIORS + "", INT, BOTH, [("cover/3/1/", "rejected")], [("CF205", 3, 1)], id="disjoint"),
        pytest.param(
            "requires a > 3; ensures \\result == 4;",
            INT,
            BOTH,
            [("requires/0/0/", "rejected"), ("ensures/1/0/", "rejected")],
            [("CF202", 0, 1)],
            id="nothing-else-counts-where-the-precondition-is-false",
        ),
        pytest.param(
            "requires a > 3; ensures \\result == 5;",
            INT,
            BOTH,
            [("requires/0/0/", "rejected"), ("ensures/1/*/", "rejected")],
            [("CF202", 0, 1), ("CF201", 1, 1)],
            id="but-it-counts-on-other-pins",
        ),
        pytest.param(
            "requires a > 3; ensures \\result == 4;",
            INT,
            BOTH[:1],
            [("requires/0/0/", "timeout"), ("ensures/1/0/", "rejected"), ("wrong/*", "accepted")],
            [],
            id="nothing-counts-where-the-precondition-is-undecided",
        ),
        pytest.param(
            "requires a > 3; assigns \\nothing; " + BEHAVIORS,
            "int f(int a, int *p)",
            [
                Pin(
                    "f",
                    (("a", i32(3)), ("p", Pointer("m0", (), "int *"))),
                    (Block("m0", "x", i32(1)),),
                    Returned(i32(3), (("m0", i32(2)),)),
                    Origin("static", "t", "t.c", 7),
                )
            ],
            [("requires/*", "unknown"), ("frame/*", "rejected"), ("cover/*", "rejected")],
            [],
            id="nor-do-frames-and-behaviors",
        ),
        pytest.param(
            "ensures \\result == 4;", INT, BOTH, [("ensures/*", "unknown")], [], id="what-is-undecided-is-no-finding"
        ),
    ],
)
def test_too_strong(
    annotation: str, head: str, pins: list[Pin], says: Says, expected: list[tuple[str, int | None, int]]
) -> None:
    contract = contract_of(annotation, head)
    no_weak = [] if any(p.startswith("wrong") for p, _v in says) else [("wrong/*", "rejected")]
    assert found(contract, concluded(contract, pins, [*no_weak, *says])) == expected


@pytest.mark.parametrize(
    ("annotation", "head", "pins", "says", "expected"),
    [
        pytest.param(
            "ensures a == 3; ensures \\result >= \\result; ensures \\result > 0;",
            INT,
            BOTH[:1],
            [("wrong//0/result=4", "accepted"), ("kill/[01]/*", "accepted")],
            ("CF101", 1, 1),
            id="idle-and-speaks-of-the-result",
        ),
        pytest.param(
            "ensures a == 3; ensures \\result > 0;",
            INT,
            BOTH[:1],
            [("wrong//0/result=4", "accepted"), ("kill/0/*", "accepted")],
            ("CF101", 0, 1),
            id="idle-and-speaks-of-something-else",
        ),
        pytest.param(
            "ensures \\valid(p); ensures *p > 0;",
            CELL,
            [store(1, 2)],
            [("wrong//0/m0=3", "accepted"), ("kill/0/*", "accepted")],
            ("CF101", 1, 1),
            id="memory-safety-is-not-there-to-reject",
        ),
        pytest.param(
            "ensures !\\separated(p, p + 0); ensures *p > 0;",
            CELL,
            [store(1, 2)],
            [("wrong//0/m0=3", "accepted"), ("kill/0/*", "accepted")],
            ("CF101", 1, 1),
            id="negated-memory-safety-neither",
        ),
        pytest.param(
            "ensures *p <= 100; ensures *p >= \\old(*p);",
            CELL,
            [store(1, 2)],
            [("wrong//0/m0=3", "accepted")],
            ("CF101", 1, 1),
            id="the-only-one-tied-to-the-entry",
        ),
        pytest.param(
            "ensures *p >= \\at(*p, Pre); ensures *p >= \\old(*p);",
            CELL,
            [store(1, 2)],
            [("wrong//0/m0=3", "accepted")],
            ("CF102", None, 1),
            id="two-tied-to-the-entry",
        ),
        pytest.param(
            "ensures a > 0; ensures \\result > 0;",
            INT,
            BOTH[:1],
            [("wrong//0/result=4", "accepted"), ("kill/0/*", "unknown")],
            ("CF101", 1, 1),
            id="the-only-one-that-speaks-when-idleness-is-not-known",
        ),
        pytest.param(
            "ensures \\result > 0; ensures \\result < 9;",
            INT,
            BOTH[:1],
            [("wrong//0/result=4", "accepted")],
            ("CF102", None, 1),
            id="two-that-speak-share-it",
        ),
        pytest.param(
            "requires a > 0;", INT, BOTH[:1], [("wrong/*", "accepted")], ("CF102", None, 7), id="no-clause-at-all"
        ),
        pytest.param(
            "ensures \\true;", INT, BOTH, [("wrong/*", "accepted")], ("CF101", 0, 14), id="a-tautology-on-every-pin"
        ),
        pytest.param(
            "ensures \\result > 0;",
            INT,
            BOTH[:1],
            [("wrong//0/result=[45]", "accepted")],
            ("CF101", 0, 2),
            id="the-only-clause-although-it-rejects-some",
        ),
        pytest.param(
            "ensures a > 0;",
            INT,
            BOTH[:1],
            [("wrong//0/result=[45]", "accepted")],
            ("CF102", None, 2),
            id="the-only-clause-rejects-some-but-speaks-of-something-else",
        ),
        pytest.param(
            "behavior b: assumes a > 0; ensures \\result > 0; behavior c: assumes a <= 0; ensures \\result <= 0;",
            INT,
            BOTH[:1],
            [("wrong//0/result=4", "accepted"), ("kill/3/*", "accepted")],
            ("CF102", None, 1),
            id="clauses-of-behaviors-of-which-nothing-is-known-are-not-blamed",
        ),
    ],
)
def test_too_weak(
    annotation: str, head: str, pins: list[Pin], says: Says, expected: tuple[str, int | None, int]
) -> None:
    contract = contract_of(annotation, head)
    assert found(contract, concluded(contract, pins, says)) == [expected]


def test_a_clause_that_is_too_strong_is_not_blamed_for_being_too_weak() -> None:
    contract = contract_of("ensures \\result >= 0; ensures \\result > 3;", INT)
    says = [("ensures/1/0/", "rejected"), ("wrong//0/result=4", "accepted"), ("kill/[01]/*", "accepted")]
    assert found(contract, concluded(contract, BOTH[:1], says)) == [("CF101", 0, 1), ("CF201", 1, 1)]
    first = contract_of("ensures \\result > 3; ensures a == 3;", INT)
    says = [("ensures/0/0/", "rejected"), ("wrong//0/result=4", "accepted"), ("kill/[01]/*", "accepted")]
    assert found(first, concluded(first, BOTH[:1], says)) == [("CF201", 0, 1), ("CF101", 1, 1)]
    only = contract_of("ensures \\result > 3;", INT)
    says = [("ensures/0/0/", "rejected"), ("wrong//0/result=4", "accepted")]
    assert found(only, concluded(only, BOTH[:1], says)) == [("CF201", 0, 1)]


M = Block("m", "x", i32(1))
TO_M = Pointer("m", (), "int *")
LEVEL = Block("g", "level", i32(1), program="level")
NODE = Block("l", "l", Struct("struct n", (("v", i32(1)), ("to", TO_M))))
HANDLE = Block("h", "handle", TO_M, program="handle")


@pytest.mark.parametrize(
    ("formula", "argument", "blocks", "result", "place", "speaks"),
    [
        pytest.param("\\result == 1", None, (), i32(1), "result=2", True, id="result"),
        pytest.param("result == 1", None, (), i32(1), "result=2", False, id="result-without-its-backslash"),
        pytest.param("p == 1", TO_M, (M,), i32(1), "result=2", False, id="argument-is-not-the-result"),
        pytest.param("*p == 1", TO_M, (M,), None, "m=9", True, id="by-the-parameter"),
        pytest.param("*q == 1", TO_M, (M,), None, "m=9", False, id="by-the-name-in-the-prototype"),
        pytest.param("level == 1", None, (LEVEL,), None, "g=9", True, id="variable"),
        pytest.param("levels == 1", None, (LEVEL,), None, "g=9", False, id="longer-name"),
        pytest.param(
            "*p->to == 1", Pointer("l", (), "struct n *"), (NODE, M), None, "m=9", True, id="behind-other-memory"
        ),
        pytest.param("*handle == 1", None, (HANDLE, M), None, "m=9", True, id="behind-a-variable"),
        pytest.param("*\\result == 1", TO_M, (M,), TO_M, "m=9", True, id="behind-the-result"),
        pytest.param("*\\result == 1", TO_M, (M,), i32(1), "m=9", False, id="not-behind-the-result"),
    ],
)
def test_which_clauses_speak_of_a_place(
    formula: str, argument: Value | None, blocks: tuple[Block, ...], result: Value | None, place: str, speaks: bool
) -> None:
    """Of two clauses that both reject something the only one that speaks of the place is blamed."""
    after = tuple((b.id, i32(8) if b.value == i32(1) else b.value) for b in blocks)
    contract = contract_of(f"ensures {formula}; ensures other == 1;", "int *f(int *p)" if argument else "int *f(void)")
    arguments = () if argument is None else (("q", argument),)
    pin = Pin("f", arguments, blocks, Returned(result, after), Origin("static", "t", "t.c", 7))
    conclusion = concluded(contract, [pin], [(f"wrong//0/{place}", "accepted")])
    assert found(contract, conclusion) == [("CF101", 0, 1) if speaks else ("CF102", None, 1)]


TWO = "behavior b: assumes 0 < a; ensures \\result > 0; behavior c: assumes a < 1; ensures \\result < 1;"


@pytest.mark.parametrize(
    ("annotation", "is_b", "expected"),
    [
        pytest.param(TWO, True, ("CF101", 1, 1), id="the-only-clause-of-the-calls-behavior"),
        pytest.param(TWO, False, ("CF101", 3, 1), id="of-the-other-one"),
        pytest.param(TWO, None, ("CF102", None, 1), id="of-none-where-it-is-not-known"),
        pytest.param("ensures \\result < 9;" + TWO, True, ("CF102", None, 1), id="with-one-outside-of-behaviors"),
        pytest.param(
            "ensures 0 < a ==> \\result > 0; ensures 0 < a ==> \\result > 1;",
            False,
            ("CF102", None, 1),
            id="implications-that-say-nothing",
        ),
        pytest.param("ensures 0 < a ==> \\result > 0;", False, ("CF101", 0, 1), id="one-way-of-an-equivalence"),
        pytest.param("ensures 0 < a ==> \\result > 0;", None, ("CF101", 0, 1), id="an-implication-that-may"),
        pytest.param(
            "ensures (0 < a ==> \\result > 0) && (a < 1 ==> \\result < 1);",
            False,
            ("CF101", 0, 1),
            id="one-part-speaks",
        ),
    ],
)
def test_only_clauses_that_say_something_are_blamed(
    annotation: str, is_b: bool | None, expected: tuple[str, int | None, int]
) -> None:
    def guess(_stub: object, _pin: Pin, _mutant: object, formula: str) -> bool | None:
        for text, holds in (("0 < a", is_b), ("a < 1", None if is_b is None else not is_b)):
            if formula in (text, f"\\at((({text})), Pre)"):
                return holds
        return None

    contract = contract_of(annotation, INT)
    says = [("wrong//0/result=4", "accepted"), *([("kill/*", "rejected")] if TWO in annotation else [])]
    assert found(contract, concluded(contract, BOTH[:1], says, guess=guess)) == [expected]


def test_a_finding_on_the_contract_is_not_put_on_a_clause_of_another_behavior() -> None:
    text = (
        "behavior b: assumes 0 < a; ensures \\result > 0;\nbehavior c: assumes a < 1;\nensures a == a;\nensures a <= a;"
    )
    contract = contract_of(text, INT)
    conclusion = concluded(
        contract,
        BOTH[:1],
        [("wrong//0/result=4", "accepted")],
        guess=lambda _s, _p, _m, formula: {"\\at(((0 < a)), Pre)": False, "\\at(((a < 1)), Pre)": True}.get(formula),
    )
    assert [(f.code, f.line) for f in conclusion.findings] == [("CF102", 3)]


def beside(after: int | None = 2) -> Pin:
    """``f(&x, &y)`` that writes x and leaves y alone."""
    blocks = (Block("m0", "x", i32(1)), Block("m1", "y", i32(5)))
    arguments = (("p", Pointer("m0", (), "int *")), ("q", Pointer("m1", (), "int *")))
    left = (("m0", i32(2)), ("m1", i32(5)))
    return Pin("f", arguments, blocks, Returned(None, left), Origin("static", "t", "t.c", 7))


@pytest.mark.parametrize(
    ("annotation", "says", "expected", "line"),
    [
        pytest.param("assigns *p, *q; ensures *p == 2;", [], ("CF103", 0, 1), 1, id="frame-that-lists-it"),
        pytest.param("ensures *p == 2;", [], ("CF103", None, 1), 1, id="no-frame-placed-on-the-first-ensures"),
        pytest.param("requires \\true;", [("wrong//0/m0=*", "rejected")], ("CF103", None, 1), 2, id="at-the-function"),
        pytest.param("ensures *p == 2; ensures *q >= 5;", [], ("CF101", 1, 1), 1, id="clause-that-speaks-of-it"),
        pytest.param("ensures *p == 2; ensures \\valid(q);", [], ("CF103", None, 1), 1, id="validity-does-not-speak"),
        pytest.param(
            "assigns *p; behavior b: assigns *q; ensures *p == 2;", [], ("CF103", 1, 1), 1, id="that-of-the-behavior"
        ),
    ],
)
def test_frame_too_wide(annotation: str, says: Says, expected: tuple[str, int | None, int], line: int) -> None:
    contract = contract_of(annotation, "void f(int *p, int *q)")
    conclusion = concluded(contract, [beside()], [("wrong//0/m1=6", "accepted"), *says])
    assert found(contract, conclusion) == [expected]
    assert conclusion.findings[0].line == line
    witness = conclusion.findings[0].witness
    assert witness is not None
    assert (witness.right, witness.wrong) == ({"*p": 2}, {"*p": 2, "*q": 6})


@pytest.mark.parametrize(
    ("annotation", "says", "expected", "line"),
    [
        pytest.param("requires a > 0; ensures \\true;", [], [("CF104", 0, 1)], 1, id="the-only-requires"),
        pytest.param("requires a > 0; requires a < 9;", [], [("CF104", None, 1)], 1, id="two-share-it"),
        pytest.param("ensures \\result == a;", [], [("CF104", None, 1)], 2, id="no-requires"),
        pytest.param("requires a > 0;", [("fails/*", "rejected")], [], 0, id="rejected"),
        pytest.param("requires a > 0;", [("fails/*", "timeout")], [], 0, id="undecided"),
        pytest.param("requires cf_x > 0; requires a < 9;", [], [], 0, id="a-part-that-cannot-be-asked-may-exclude-it"),
    ],
)
def test_inputs_that_fail(annotation: str, says: Says, expected: list[tuple[str, int | None, int]], line: int) -> None:
    contract = contract_of(annotation, INT)
    conclusion = concluded(
        contract, [call(3, i32(3)), fails(0)], [("wrong/*", "rejected"), ("fails/*", "accepted"), *says]
    )
    assert found(contract, conclusion) == expected
    for finding in conclusion.findings:
        assert finding.line == line
        assert finding.witness is not None
        assert (finding.witness.inputs, finding.witness.right) == ({"a": 0}, {"exit": "abort"})


def idle(formula: str) -> Guess:
    """Evaluation that knows of one formula that it holds everywhere."""
    return lambda _stub, _pin, _mutant, asked: True if asked == formula else None


@pytest.mark.parametrize(
    ("formula", "says", "expected"),
    [
        pytest.param("a == a", [("kill/1/*", "accepted")], [("CF105", 1, 1)], id="accepts-all-that-the-others-reject"),
        pytest.param("a == a", [("kill/1/*", "accepted"), ("kill/1/0/result=5", "rejected")], [], id="rejects-one"),
        pytest.param("a == a", [("kill/1/*", "accepted"), ("kill/1/0/result=5", "unknown")], [], id="not-known-of-one"),
        pytest.param("a == a", [("kill/1/*", "accepted"), ("wrong//0/result=5", "unknown")], [], id="not-all-rejected"),
        pytest.param("\\valid(&a)", [("kill/1/*", "accepted")], [], id="memory-safety"),
        pytest.param("\\valid_read{Here}(s->x + (0 .. a - 1))", [("kill/1/*", "accepted")], [], id="through-an-arrow"),
        pytest.param("\\valid(p) && !\\separated(p, &q[0])", [("kill/1/*", "accepted")], [], id="two-of-them"),
        pytest.param("\\valid(p) && a > 0", [("kill/1/*", "accepted")], [("CF105", 1, 1)], id="one-is-about-a-value"),
        pytest.param("\\valid(p) ==> a", [("kill/1/*", "accepted")], [("CF105", 1, 1)], id="under-a-condition"),
    ],
)
def test_clauses_that_reject_nothing(formula: str, says: Says, expected: list[tuple[str, int | None, int]]) -> None:
    contract = contract_of(f"ensures \\result == a; ensures {formula};", INT)
    assert found(contract, concluded(contract, BOTH[:1], says, guess=idle(formula))) == expected


def test_a_clause_for_a_place_that_was_not_mutated_is_not_called_idle() -> None:
    contract = contract_of("ensures \\result == a; ensures a == a;", INT)
    given = judged(contract, BOTH[:1], [("kill/1/*", "accepted")], guess=idle("a == a"))
    given.plan.some_left_out = True
    assert conclude(given, [], (1, 0)).findings == ()


@pytest.mark.parametrize(
    ("annotation", "pins", "says", "uses_logic", "expected"),
    [
        pytest.param(
            "requires a > 0 && a < 0; ensures \\result == a;",
            BOTH,
            [("requires/*", "rejected"), ("vacuity/0//", "accepted"), ("wrong/*", "accepted")],
            False,
            ["CF301"],
            id="precondition-that-never-holds",
        ),
        pytest.param(
            "requires a > 0 && a < 0;", [], [("vacuity/0//", "accepted")], False, ["CF301"], id="so-without-any-pin"
        ),
        pytest.param(
            "requires a > 9; ensures \\result == a;",
            BOTH,
            [("requires/*", "rejected"), ("vacuity/0//", "unknown"), ("wrong/*", "accepted")],
            False,
            ["CF202"],
            id="precondition-that-holds-somewhere",
        ),
        pytest.param(
            "ensures p(a); ensures \\result == a;",
            BOTH,
            [("guard//0/", "rejected"), ("wrong/*", "accepted")],
            True,
            ["CF302"],
            id="guard-of-the-right-outcome-fires",
        ),
        pytest.param(
            "ensures p(a); ensures \\result == a;",
            BOTH[:1],
            [("guard//0/", "rejected"), ("ensures/0/0/", "unknown")],
            True,
            [],
            id="it-fires-only-when-all-that-it-guards-is-proved",
        ),
        pytest.param(
            "ensures p(a);",
            BOTH[:1],
            [("wrong//0/result=4", "accepted"), ("guard//0/result=4", "rejected")],
            True,
            ["CF302"],
            id="guard-of-a-wrong-outcome-fires",
        ),
        pytest.param(
            "ensures p(a);",
            BOTH[:1],
            [("ensures/0/0/", "rejected"), ("guard/0/0/", "accepted")],
            True,
            ["CF302"],
            id="guard-of-a-rejection-fires",
        ),
        pytest.param(
            "ensures \\result == 4;",
            BOTH[:1],
            [("ensures/0/0/", "rejected"), ("guard/0/0/", "accepted")],
            False,
            ["CF302"],
            id="so-without-logic-when-evaluation-does-not-know",
        ),
        pytest.param(
            "ensures p(a);",
            BOTH[:1],
            [("wrong//0/result=4", "accepted"), ("guard//0/result=4", "unknown")],
            True,
            ["CF102"],
            id="guard-that-does-not-fire",
        ),
        pytest.param(
            "requires a > 0;",
            [call(3, i32(3)), fails(0)],
            [("wrong/*", "rejected"), ("fails/*", "accepted"), ("guard/0/1/", "rejected")],
            False,
            ["CF302"],
            id="guard-of-a-failing-input-fires",
        ),
    ],
)
def test_what_makes_everything_else_void(
    annotation: str, pins: list[Pin], says: Says, uses_logic: bool, expected: list[str]
) -> None:
    contract = contract_of(annotation, INT)
    conclusion = concluded(contract, pins, says, uses_logic=uses_logic)
    assert sorted({f.code for f in conclusion.findings}) == expected
    void = bool(set(expected) & {"CF301", "CF302"})
    assert len(conclusion.findings) == 1 or not void
    assert [n.reason for n in conclusion.not_checked if n.reason == "vacuous"] == ["vacuous"] * void
    scores = conclusion.report.scores.values()
    assert (sum(s.decided for s in scores) == 0) == (void or not pins)
    if void:
        counts = conclusion.report.clauses
        assert [(c.accepts_right, c.rejects_right, c.rejects_wrong, c.accepts_wrong) for c in counts] == [
            (0, 0, 0, 0) for _ in counts
        ]


@pytest.mark.parametrize(
    ("annotation", "expected", "column"),
    [
        pytest.param("ensures \\result == a; requires a > 0 && a < 0;", 1, 27, id="one-clause-is-to-blame"),
        pytest.param(
            "ensures \\result == a; requires a > 0; requires a < 0;", None, 27, id="of-two-each-may-hold-by-itself"
        ),
    ],
)
def test_whom_a_precondition_that_never_holds_blames(annotation: str, expected: int | None, column: int) -> None:
    contract = contract_of(annotation, INT)
    conclusion = concluded(contract, [], [("vacuity/*", "accepted")])
    assert found(contract, conclusion) == [("CF301", expected, 0)]
    assert conclusion.findings[0].column == column


# ---- another way to say true ---------------------------------------------------------------------------------------

TRUE = call(1, i32(1))
OTHERS = [("wrong//0/result=*", "accepted"), ("wrong//0/result=0", "rejected")]


@pytest.mark.parametrize(
    ("pins", "says", "expected"),
    [
        pytest.param([TRUE], OTHERS, [], id="rejects-zero-and-nothing-else"),
        pytest.param(
            [TRUE], [*OTHERS, ("wrong//0/result=2", "rejected")], [("CF101", 0, 4)], id="rejects-another-number"
        ),
        pytest.param([TRUE], [*OTHERS, ("wrong//0/result=2", "unknown")], [("CF101", 0, 4)], id="not-known-of-another"),
        pytest.param([TRUE], [*OTHERS, ("wrong//0/result=0", "accepted")], [("CF101", 0, 6)], id="accepts-zero"),
        pytest.param([TRUE], [*OTHERS, ("wrong//0/result=0", "unknown")], [("CF101", 0, 5)], id="zero-is-not-known"),
        pytest.param(
            [call(2, i32(2))],
            [("wrong//0/result=*", "accepted"), ("wrong//0/result=0", "rejected")],
            [("CF101", 0, 5)],
            id="right-is-no-truth-value",
        ),
        pytest.param(
            [TRUE, call(2, i32(2))],
            [*OTHERS, ("wrong//1/result=3", "accepted")],
            [("CF101", 0, 1)],
            id="each-pin-by-itself",
        ),
    ],
)
def test_truth_values(pins: list[Pin], says: Says, expected: list[tuple[str, int | None, int]]) -> None:
    contract = contract_of("ensures \\result == (a > 0);", INT)
    conclusion = concluded(contract, pins, says)
    assert found(contract, conclusion) == expected


def test_truth_values_count_neither_for_nor_against() -> None:
    contract = contract_of("ensures \\result == (a > 0);", INT)
    given = judged(contract, [TRUE], OTHERS)
    assert {name_of(a) for a in given.plan.asked if a.question.id in truths(given)} == {
        f"wrong//0/result={n}" for n in (2, 3, -1, 2**31 - 1, -(2**31))
    }
    score = conclude(given, [], (1, 0)).report.scores["PostComp"]
    assert (score.passed, score.decided, score.asked) == (1, 1, 1)


# ---- scores and counts ---------------------------------------------------------------------------------------------

PARTIAL = store(1, None, i32(3))


@pytest.mark.parametrize(
    ("annotation", "pins", "says", "expected"),
    [
        pytest.param(
            "requires a > 0; ensures \\result == a;",
            [*BOTH, fails(0)],
            [],
            {"PostCorr": (2, 2, 2), "PostComp": (10, 10, 10), "PreCorr": (2, 2, 2), "PreComp": (1, 1, 1)},
            id="all-right",
        ),
        pytest.param(
            "requires a > 0; ensures \\result == a; ensures a > 0;",
            BOTH,
            [("ensures/1/0/", "rejected"), ("ensures/2/1/", "unknown"), ("wrong//0/result=[45]", "accepted")],
            {"PostCorr": (0, 1, 2), "PostComp": (9, 10, 10), "PreCorr": (2, 2, 2), "PreComp": (0, 0, 0)},
            id="a-pin-is-right-when-all-clauses-accept-it-and-only-five-mutants-score",
        ),
        pytest.param(
            "requires a > 0; ensures \\result == a;",
            [*BOTH, fails(0), fails(-1)],
            [
                ("ensures/1/0/", "timeout"),
                ("wrong//0/*", "unknown"),
                ("requires/0/0/", "unknown"),
                ("fails/0/2/", "crash"),
                ("fails/0/3/", "accepted"),
            ],
            {"PostCorr": (1, 1, 2), "PostComp": (5, 5, 10), "PreCorr": (1, 1, 2), "PreComp": (0, 1, 2)},
            id="what-is-undecided-leaves-the-denominator",
        ),
        pytest.param(
            "requires a > 3; ensures \\result == a;",
            BOTH,
            [("requires/0/0/", "rejected"), ("ensures/1/0/", "rejected")],
            {"PostCorr": (2, 2, 2), "PostComp": (5, 10, 10), "PreCorr": (1, 2, 2), "PreComp": (0, 0, 0)},
            id="an-excluded-input-makes-the-guarded-postcondition-hold",
        ),
        pytest.param(
            "requires a > 0;",
            [*BOTH, fails(0)],
            [("wrong/*", "accepted")],
            {"PostCorr": (0, 2, 2), "PostComp": (0, 10, 10), "PreCorr": (0, 2, 2), "PreComp": (0, 1, 1)},
            id="without-an-ensures-all-is-zero",
        ),
        pytest.param(
            "ensures \\result == a;",
            [call(3, Unknown("int"))],
            [("ensures/*", "unknown")] * 0,
            {"PostCorr": (0, 0, 0), "PostComp": (0, 0, 0), "PreCorr": (1, 1, 1), "PreComp": (0, 0, 0)},
            id="a-call-of-which-no-outcome-is-shown",
        ),
    ],
)
def test_scores(annotation: str, pins: list[Pin], says: Says, expected: dict[str, tuple[int, int, int]]) -> None:
    report = concluded(contract_of(annotation, INT), pins, says).report
    assert {name: (s.passed, s.decided, s.asked) for name, s in report.scores.items()} == expected
    assert (report.static_pins, report.used_pins) == (len(pins), len(pins))


def test_a_partial_pin_that_is_undecided_is_not_held_against_the_contract() -> None:
    contract = contract_of("ensures \\result == 3; ensures *p > 0;", "int f(int *p)")
    report = concluded(contract, [PARTIAL], [("ensures/1/0/", "unknown")]).report
    assert report.scores["PostCorr"].asked == 0
    report = concluded(contract, [PARTIAL], []).report
    assert (report.scores["PostCorr"].passed, report.scores["PostCorr"].asked) == (1, 1)


def test_only_the_first_pins_and_mutants_score() -> None:
    contract = contract_of("ensures \\result == a;", INT)
    pins = [call(n, i32(n)) for n in range(3, 9)]
    scores = concluded(contract, pins, [("ensures/0/5/", "rejected")], limits=Limits(2, 9, 3)).report.scores
    assert (scores["PostCorr"].passed, scores["PostCorr"].asked) == (2, 2)
    assert scores["PostComp"].asked == 6


def test_frame_mutants_do_not_score() -> None:
    contract = contract_of("ensures *p == 2;", "void f(int *p, int *q)")
    given = judged(contract, [beside()], [("wrong//0/m1=*", "accepted")], limits=Limits(5, 15, 99))
    score = conclude(given, [], (1, 0)).report.scores["PostComp"]
    written = sum("/m0=" in name_of(asked) for asked in given.of("wrong"))
    assert (score.passed, score.asked) == (written, written)


@pytest.mark.parametrize(
    ("annotation", "function", "frame", "rejects"),
    [
        pytest.param("ensures *p == 2;", "void f(int *p, int *q)", "accepted", "all", id="no-frame"),
        pytest.param("ensures *p == 2; assigns *p;", "void f(int *p, int *q)", "accepted", "written", id="allowed"),
        pytest.param("ensures *p == 2; assigns *q;", "void f(int *p, int *q)", "rejected", "none", id="forbidden"),
        pytest.param("ensures *p == 2; assigns *p;", "void f(int *p, int *q)", "unknown", "none", id="not-proved"),
        pytest.param(
            "ensures *p == 2; ensures *q > 0; assigns *p;", "void f(int *p, int *q)", "accepted", "none", id="of-two"
        ),
    ],
)
def test_what_the_contract_rejects_its_only_postcondition_does_unless_the_frame_may(
    annotation: str, function: str, frame: str, rejects: str
) -> None:
    says = [("frame/*", frame)] if "assigns" in annotation else []
    given = judged(contract_of(annotation, function), [beside()], says, limits=Limits(5, 15, 99))
    wrong = given.of("wrong")
    assert all(given.verdict(asked) == "rejected" for asked in wrong)
    written = sum("/m0=" in name_of(asked) for asked in wrong)
    assert 0 < written < len(wrong)
    counts = next(c for c in conclude(given, [], (1, 0)).report.clauses if c.kind == "ensures")
    assert counts.rejects_wrong == {"all": len(wrong), "written": written, "none": 0}[rejects]
    assert counts.accepts_wrong == 0


def test_a_wrong_result_is_never_the_frames_doing() -> None:
    contract = contract_of("ensures \\result == a; assigns \\nothing;", INT)
    given = judged(contract, [call(3, i32(3))], [])
    counts = next(c for c in conclude(given, [], (1, 0)).report.clauses if c.kind == "ensures")
    assert counts.rejects_wrong == len(given.of("wrong")) > 0


def test_counts_of_each_clause() -> None:
    contract = contract_of("requires a > 0; ensures \\result > 0; ensures a > 0; assigns \\nothing;", INT)
    says = [
        ("ensures/2/1/", "rejected"),
        ("wrong//*/result=4", "accepted"),
        ("kill/2/*", "accepted"),
        ("kill/1/0/*", "unknown"),
    ]
    counts = concluded(contract, [call(3, i32(3)), call(5, i32(5))], says).report.clauses
    assert [
        (c.kind, c.accepts_right, c.rejects_right, c.rejects_wrong, c.accepts_wrong, c.undecided) for c in counts
    ] == [
        ("requires", 2, 0, 0, 0, 0),
        ("ensures", 2, 0, 6, 2, 6),
        ("ensures", 1, 1, 0, 14, 0),
        ("assigns", 0, 0, 0, 0, 0),
    ]


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        pytest.param(
            [("ensures/0/*", "timeout")],
            [("timeout", "`ensures \\result > 0`: it is timeout (2 questions)", 1)],
            id="one-clause",
        ),
        pytest.param(
            [("ensures/*/0/", "unknown")], [("unknown", "2 clauses: it is unknown (2 questions)", 2)], id="two-clauses"
        ),
        pytest.param(
            [("wrong//0/result=4", "crash")], [("crash", "wrong outcomes: it is crash (1 question)", 2)], id="mutants"
        ),
        pytest.param(
            [("ensures/0/0/", "dropped"), ("wrong/*", "dropped")],
            [("dropped", "`ensures \\result > 0`: it is dropped (1 question)", 1)],
            id="a-clause-that-is-refused-spoils-the-mutants",
        ),
        pytest.param([("*", "parse_error")], [("parse_error", "it is parse_error", 2)], id="the-file-as-a-whole"),
    ],
)
def test_what_stays_undecided_is_said_once(says: Says, expected: list[tuple[str, str, int]]) -> None:
    contract = contract_of("ensures \\result > 0; ensures a > 0;", INT)
    conclusion = concluded(contract, BOTH, says)
    assert [(n.reason, n.detail, n.line) for n in conclusion.not_checked] == expected
    assert conclusion.undecided > 0


def test_a_clause_that_cannot_be_asked_is_said_and_makes_nothing_too_weak() -> None:
    contract = contract_of("ensures cf_x == 1; ensures \\result > 0;", INT)
    given = judged(contract, BOTH[:1], [])
    assert all(a.question.one_sided for a in given.of("wrong"))
    (entry,) = conclude(given, [], (1, 0)).not_checked
    assert (entry.reason, entry.line) == ("unsupported", 1)
    assert "reserved" in entry.detail


@pytest.mark.parametrize(
    "says",
    [
        pytest.param([("wrong/*", "accepted")], id="too-weak"),
        pytest.param([("wrong/*", "rejected"), ("ensures/*", "rejected")], id="too-strong"),
        pytest.param([("wrong/*", "rejected"), ("kill/*", "accepted")], id="rejects-nothing"),
    ],
)
@pytest.mark.parametrize(
    ("requires", "more"),
    [
        pytest.param("requires cf_x == 1;", [], id="cannot-be-asked"),
        pytest.param("requires a > 3;", [("requires/*", "rejected")], id="rejected"),
        pytest.param("requires a > 3;", [("requires/*", "timeout")], id="not-proved"),
    ],
)
def test_of_a_call_that_is_not_proved_to_be_admitted_nothing_but_a_precondition_is_blamed(
    requires: str, more: Says, says: Says
) -> None:
    contract = contract_of(f"{requires} ensures \\result >= a; ensures a == a;", INT)
    conclusion = concluded(contract, BOTH[:1], [*says, *more], guess=idle("a == a"))
    assert [f.code for f in conclusion.findings] in ([], ["CF202"])


# ---- the finding itself --------------------------------------------------------------------------------------------


def test_the_simplest_witness_is_shown() -> None:
    small, large = store(1, 2), store(1, 2)
    array = Block("m0", "x", ints(1, 2, 3))
    large = Pin(
        "f",
        (("p", Pointer("m0", (0,), "int *")),),
        (array,),
        Returned(None, (("m0", ints(2, 2, 3)),)),
        Origin("static", "large", "t.c", 3),
    )
    partial = Pin(
        "f",
        (("p", Pointer("m0", (), "int *")),),
        small.blocks,
        Returned(Unknown("int"), small.outcome.after),
        small.origin,
    )  # type: ignore[union-attr]
    contract = contract_of("ensures *p == 9;", "int f(int *p)")
    conclusion = concluded(contract, [large, partial], [("ensures/*", "rejected")])
    (finding,) = conclusion.findings
    assert finding.witnesses == 2
    assert finding.witness is not None
    assert finding.witness.test == "large", "a partial pin is the last to be shown"
    conclusion = concluded(contract, [large, small], [("ensures/*", "rejected")])
    assert conclusion.findings[0].witness is not None
    assert conclusion.findings[0].witness.inputs == {"*p": 1}


def test_findings_are_placed_and_sorted() -> None:
    contract = contract_of("ensures \\result == 4;\n    ensures  \\result == 5;\n    requires a > 9;", INT)
    conclusion = concluded(contract, [*BOTH], [("ensures/*", "rejected"), ("requires/2/1/", "rejected")])
    assert [(f.code, f.line, f.column, f.direction, f.severity) for f in conclusion.findings] == [
        ("CF201", 1, 5, "too_strong", "error"),
        ("CF201", 2, 5, "too_strong", "error"),
        ("CF202", 3, 5, "too_strong", "error"),
    ]
    assert all(f.file == "f.c" and f.function == "f" for f in conclusion.findings)
    assert len({f.fingerprint for f in conclusion.findings}) == 3


def account() -> Pin:
    """``f(&a)`` that changes both fields of a struct."""
    before = Struct("struct acc", (("balance", i32(10)), ("count", i32(1))))
    after = Struct("struct acc", (("balance", i32(15)), ("count", i32(2))))
    arguments = (("p", Pointer("m0", (), "struct acc *")),)
    origin = Origin("static", "t", "t.c", 7)
    return Pin("f", arguments, (Block("m0", "a", before),), Returned(None, (("m0", after),)), origin)


@pytest.mark.parametrize(
    ("clauses", "says", "blamed"),
    [
        pytest.param(
            "ensures p->balance == \\old(p->balance) + 5; ensures p->count > 0;",
            [("wrong//0/m0.count=3", "accepted"), ("kill/0/*", "accepted"), ("kill/0/0/m0.balance=16", "rejected")],
            ("CF101", 1),
            id="the-clause-of-the-other-field-is-exact-there-and-not-to-blame",
        ),
        pytest.param(
            "ensures p->balance == \\old(p->balance) + 5;",
            [("wrong//0/m0.count=*", "accepted")],
            ("CF102", None),
            id="a-clause-of-another-field-that-stands-alone-is-not-to-blame",
        ),
        pytest.param(
            "ensures p->balance == \\old(p->balance) + 5; ensures p->balance > 0;",
            [
                ("wrong//0/m0.count=3", "accepted"),
                ("kill/[01]/*", "accepted"),
                ("kill/[01]/0/m0.balance=16", "rejected"),
            ],
            ("CF102", None),
            id="no-clause-speaks-of-the-field-so-the-contract-is-blamed",
        ),
        pytest.param(
            "ensures p->balance != 3 && p->count != 1;",
            [("wrong//0/m0.count=*", "accepted")],
            ("CF101", 0),
            id="a-clause-that-names-the-field-and-rejects-nothing-of-it",
        ),
        pytest.param(
            "ensures *p == \\old(*p); ensures p->balance == 15;",
            [("wrong//0/m0.count=3", "accepted"), ("kill/1/*", "accepted"), ("kill/1/0/m0.balance=16", "rejected")],
            ("CF101", 0),
            id="a-clause-on-the-whole-struct-speaks-of-every-field",
        ),
    ],
)
def test_fields_are_told_apart(clauses: str, says: Says, blamed: tuple[str, int | None]) -> None:
    contract = contract_of(clauses, "void f(struct acc *p)")
    assert [row[:2] for row in found(contract, concluded(contract, [account()], says))] == [blamed]
