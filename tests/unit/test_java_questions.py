"""What is asked about Java contracts, and whom the answers blame: tables of given judgements → findings.

Contracts are the effective ones of real source text; pins are written by hand. Questions are named
``role/clause kinds/exit or place=wrong``; the last pattern that fits tells the verdict, without one the contract is
good.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

import pytest
from clausefit.hook.contracts.model import Contract
from clausefit.hook.findings import Conclusion, conclude
from clausefit.hook.java.contracts import JavaSettings, effective, reads_of
from clausefit.hook.java.project import JavaProject
from clausefit.hook.java.questions import Surroundings, first_round
from clausefit.hook.judged import Judged
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
)
from clausefit.hook.plans import Asked, Limits, Plan
from clausefit.hook.speech import JavaSpeech
from clausefit.verifiers.protocol import Judgement

ORIGIN = Origin("static", "T.t", "T.java", 3)
IAE = "java.lang.IllegalArgumentException"
Says = Sequence[tuple[str, str]]
GOOD: Says = [
    ("*", "accepted"),
    ("wrong/*", "rejected"),
    ("kill/*", "rejected"),
    ("fails/*", "rejected"),
    ("vacuity/*", "unknown"),
]


def i32(value: int) -> Integer:
    return Integer(value, "int", 32, True)


def contract_of(specification: str, method: str = "static int f(int a) { return a; }") -> tuple[Contract, Surroundings]:
    """The effective contract of the first method of a class with fields ``x`` and private ``cache``."""
    fields = "int x; private int cache; final int k = 1;"
    text = f"class C {{ {fields}\n{specification}\n{method}\n int get() {{ return x; }} }}"
    project = JavaProject({"C.java": text}.get, ["C.java"])
    source = project.source("C.java")
    assert source is not None
    (own,) = source.contracts
    (found,) = project.classes("C.java")
    contract = effective(project, found, own, JavaSettings())
    java = contract.java
    assert java is not None

    def qualified(name: str) -> str:
        return f"java.lang.{name}" if name.endswith(("Exception", "Throwable")) and "." not in name else name

    around = Surroundings(
        class_name="C",
        is_static=java.is_static,
        parameters=tuple((p.type, p.name) for p in java.parameters),
        erased=qualified,
        unavailable=lambda _formula: None,
        is_incomplete=False,
        spoken_of=frozenset({"x"}),
        finals=frozenset({"k"}),
        constants={},
        speech=JavaSpeech(lambda clause: reads_of(project, found, contract, clause.formula)),
    )
    return contract, around


def call(a: int, result: int) -> Pin:
    return Pin("C.f(int)", (("a", i32(a)),), (), Returned(i32(result), ()), ORIGIN)


def throws(a: int, exception: str = IAE) -> Pin:
    return Pin("C.f(int)", (("a", i32(a)),), (), Failed("exception", exception), ORIGIN)


def throws_on_null() -> Pin:
    """A call of ``f(int a, String s)`` with null."""
    arguments = (("a", i32(1)), ("s", Null("java.lang.String")))
    return Pin("C.f(int)", arguments, (), Failed("exception", "java.lang.NullPointerException"), ORIGIN)


def sets(before: tuple[int, int], after: tuple[int, int]) -> Pin:
    """A call of ``void f(int a)`` on an object with the fields x and cache."""

    def whole(x: int, cache: int) -> Struct:
        return Struct("C", (("x", i32(x)), ("cache", i32(cache)), ("k", i32(1))))

    arguments = (("this", Pointer("b0", (), "C")), ("a", i32(5)))
    return Pin(
        "C.f(int)", arguments, (Block("b0", "c", whole(*before)),), Returned(None, (("b0", whole(*after)),)), ORIGIN
    )


def name_of(plan: Plan[object], asked: Asked) -> str:
    clauses = [plan.contract.clauses[i] for i in asked.clauses]
    kinds = "+".join(clause.text if asked.role in ("admits", "kill") else clause.kind for clause in clauses)
    changed = ""
    if asked.mutant is not None:
        wrong = asked.mutant.wrong
        shown = wrong.value if isinstance(wrong, Integer) else asked.mutant.exit or type(wrong).__name__
        place = ".".join(map(str, asked.mutant.location.path)) or "result"
        changed = f"{'exit' if asked.mutant.exit else place}={shown}"
    return f"{asked.role}/{kinds}/{changed}"


def planned(specification: str, pins: Sequence[Pin], method: str | None = None) -> tuple[Plan[object], Surroundings]:
    contract, around = contract_of(specification, *([method] if method else []))
    return first_round(contract, pins, "j0c0", Limits(), around), around  # type: ignore[return-value]


def found(plan: Plan[object], says: Says) -> list[tuple[str, str | None]]:
    """(code, blamed clause's text) of each finding."""
    return [(f.code, f.clause[1] if f.clause else None) for f in concluded(plan, says).findings]


def concluded(plan: Plan[object], says: Says) -> Conclusion:
    """What is concluded where the verifier says this; the last pattern that fits a question counts."""

    def answered(asked: Sequence[Asked]) -> dict[str, Judgement]:
        answers = {}
        for one in asked:
            verdict = [v for pattern, v in (*GOOD, *says) if fnmatchcase(name_of(plan, one), pattern)][-1]
            decided = verdict in ("accepted", "rejected")
            answers[one.question.id] = (
                Judgement(verdict, decided_by="key") if decided else Judgement("undecided", verdict, "it is open")
            )  # type: ignore[arg-type]
        return answers

    answers = answered(plan.asked)
    answers |= answered(plan.more(plan, answers))
    return conclude(Judged(plan, answers), [], (len(plan.pins), 0))


NORMAL = r"/*@ public normal_behavior requires a >= 0; ensures \result == a; @*/"
BOTH = (
    r"/*@ public normal_behavior requires a >= 0; ensures \result == a;"
    r" also public exceptional_behavior requires a < 0; signals (IllegalArgumentException e) a < 0; @*/"
)
VOID = "void f(int a) { x = a; }"


@pytest.mark.parametrize(
    ("specification", "pins", "method", "questions"),
    [
        pytest.param(
            r"//@ requires a > 0; ensures \result == a;",
            [call(1, 1)],
            None,
            {
                (r"requires", "", r"\old(a > 0)", "accept"),
                ("ensures", "right", r"\result == a", "accept"),
                ("wrong", "m0", r"(\result == a)", "refute"),
            },
            id="one case: its precondition, its clause, and the whole on a mutant",
        ),
        pytest.param(
            BOTH,
            [call(1, 1)],
            None,
            {
                ("requires", "", r"(\old((a >= 0))) || (\old((a < 0)))", "accept"),
                ("admits", "", r"\old(a >= 0)", "accept"),
                ("ensures", "right", r"(\old((a < 0))) ==> (false)", "accept"),
            },
            id="two cases: one of them has to admit the input, and an exceptional one forbids the return",
        ),
        pytest.param(
            BOTH,
            [throws(-1)],
            None,
            {
                (
                    "ensures",
                    "right",
                    r"(\old((a < 0))) ==> (cf_exc instanceof IllegalArgumentException ==> (a < 0))",
                    "accept",
                ),
                (
                    "ensures",
                    "right",
                    r"(\old((a >= 0))) ==> (cf_exc instanceof java.lang.Exception ==> (false))",
                    "accept",
                ),
            },
            id="a documented exception is a right outcome",
        ),
        pytest.param(
            r"//@ requires a > 0; ensures \result == a;",
            [throws(-1)],
            None,
            {("fails", "", r"((\old((a > 0))))", "refute")},
            id="an exception of which the contract does not speak is to be excluded",
        ),
        pytest.param(
            r"//@ ensures x == a; assignable x;",
            [sets((0, 0), (5, 0))],
            VOID,
            {
                ("frame", "right", r"\old(\subset(\singleton(this.x), \locset(x)))", "accept"),
                ("wrong", "m0", r"(x == a) && (\old(\subset(\singleton(this.x), \locset(x))))", "refute"),
            },
            id="what was written must be assignable",
        ),
        pytest.param(
            BOTH,
            [throws(-1)],
            None,
            {("admitted", "", r"((\old((a >= 0))) || (\old((a < 0))))", "accept")},
            id="whether any case admits a call that threw",
        ),
        pytest.param(
            "//@ requires a > 0; signals (Exception e) true;",
            [throws_on_null()],
            "static int f(int a, String s) { return a; }",
            {("admitted", "", r"(\old(s != null)) && ((\old((a > 0))))", "accept")},
            id="what nobody wrote belongs to the precondition as well",
        ),
    ],
)
def test_what_is_asked(
    specification: str,
    pins: Sequence[Pin],
    method: str | None,
    questions: set[tuple[str, str, str, str]],
) -> None:
    plan, _around = planned(specification, pins, method)
    asked = {(a.role, a.question.hypothesis, a.question.formula, a.question.expected) for a in plan.asked}
    assert questions <= asked, sorted(asked)
    assert len({a.question.id for a in plan.asked}) == len(plan.asked)


@pytest.mark.parametrize(
    ("specification", "pins", "method", "says", "expected"),
    [
        pytest.param(NORMAL, [call(1, 1)], None, [], [], id="a good contract"),
        pytest.param(
            NORMAL,
            [call(1, 1)],
            None,
            [("ensures/ensures/", "rejected")],
            [("CF201", r"ensures \result == a")],
            id="too strong",
        ),
        pytest.param(
            NORMAL,
            [call(1, 1)],
            None,
            [("wrong//result=*", "accepted")],
            [("CF101", r"ensures \result == a")],
            id="too weak",
        ),
        pytest.param(
            NORMAL,
            [call(1, 1), throws(-1)],
            None,
            [("ensures/signals/", "rejected")],
            [("CF206", "public normal_behavior")],
            id="a normal behavior that forbids the exception of a test",
        ),
        pytest.param(
            BOTH,
            [call(1, 1), throws(-1)],
            None,
            [("requires/*", "rejected"), ("admits/*", "rejected")],
            [("CF202", "requires a >= 0")],
            id="of two cases that reject the input the normal one is blamed",
        ),
        pytest.param(
            BOTH,
            [call(1, 1), throws(-1)],
            None,
            [("wrong//exit=return", "accepted")],
            [("CF106", None)],
            id="a return in place of an exception is blamed on the contract",
        ),
        *(
            pytest.param(
                BOTH,
                [call(1, 1), throws(-1)],
                None,
                [(question, "accepted" if question.startswith("wrong") else "rejected"), ("admitted/*", verdict)],
                [],
                id=f"{what} of a call that threw, of which {why}",
            )
            for question, what in (
                ("wrong//exit=return", "a wrong return"),
                ("ensures/signals/", "a forbidden exception"),
            )
            for verdict, why in (
                ("rejected", "it is proved that no case admits it"),
                ("timeout", "it is not proved that one does"),
            )
        ),
        pytest.param(
            "//@ requires a >= 0; ensures \\result == a; signals (Exception e) true;",
            [call(1, 1), throws(-1)],
            None,
            [("wrong//exit=java.lang.NullPointerException", "accepted"), ("admitted/*", "rejected")],
            [],
            id="a broad signals clause says nothing of a call that the only case excludes",
        ),
        pytest.param(
            "//@ requires a >= 0; requires \\same; ensures \\result >= a;",
            [call(1, 1)],
            None,
            [("wrong/*", "accepted"), ("ensures/*", "rejected")],
            [],
            id="with a precondition that cannot be asked of no call it is known that it is admitted",
        ),
        pytest.param(
            "//@ requires a >= 0; ensures \\result >= a; also requires \\same;",
            [call(1, 1)],
            None,
            [("wrong/*", "accepted")],
            [],
            id="the same where that is the precondition of another case",
        ),
        pytest.param(
            r"//@ requires a >= 0; ensures x >= a; also requires a < 0; ensures false;",
            [sets((0, 0), (5, 0))],
            VOID,
            [
                ("admits/requires a < 0/", "rejected"),
                ("wrong//x=6", "accepted"),
                ("kill/ensures false/*", "accepted"),
                ("kill/ensures x >= a/*", "rejected"),
            ],
            [("CF101", "ensures x >= a")],
            id="a clause of a case that does not apply says nothing, and is not blamed",
        ),
        pytest.param(
            r"/*@ public exceptional_behavior requires a < 0; signals (Exception e) true; @*/",
            [throws(-1)],
            None,
            [("wrong//exit=java.lang.NullPointerException", "accepted")],
            [("CF106", "signals (Exception e) true")],
            id="a signals clause that admits any exception",
        ),
        pytest.param(
            r"//@ requires a != 0; ensures \result == a;",
            [call(1, 1), throws(-1)],
            None,
            [("fails/*", "accepted")],
            [("CF104", "requires a != 0")],
            id="an input that fails and is not excluded",
        ),
        pytest.param(
            r"//@ ensures x == a;",
            [sets((0, 0), (5, 0))],
            VOID,
            [("wrong//cache=*", "accepted")],
            [("CF103", None)],
            id="no assignable: a field that stayed may change",
        ),
        pytest.param(
            r"//@ ensures x >= a; assignable x, cache;",
            [sets((0, 0), (5, 0))],
            VOID,
            [("wrong//x=*", "accepted")],
            [("CF101", "ensures x >= a")],
            id="a bound on a field",
        ),
        pytest.param(
            r"//@ ensures x == a; assignable cache;",
            [sets((0, 0), (5, 0))],
            VOID,
            [("frame/*", "rejected")],
            [("CF203", "assignable cache")],
            id="assignable too narrow",
        ),
        pytest.param(
            r"//@ requires a > 5;",
            [],
            None,
            [("vacuity/*", "accepted")],
            [("CF301", "requires a > 5")],
            id="a precondition that can never hold",
        ),
        pytest.param(
            r"//@ ensures \result == a; ensures \result > 0;",
            [call(1, 1)],
            None,
            [("wrong//result=*", "undefined")],
            [],
            id="where a clause has no value on a mutant, that mutant is not asked",
        ),
    ],
)
def test_findings(
    specification: str,
    pins: Sequence[Pin],
    method: str | None,
    says: Says,
    expected: list[tuple[str, str | None]],
) -> None:
    plan, _around = planned(specification, pins, method)
    assert found(plan, says) == expected


@pytest.mark.parametrize(
    ("specification", "method", "pins", "places"),
    [
        pytest.param(
            "//@ ensures x == a;", VOID, [sets((0, 0), (5, 0))], {"x", "cache"}, id="k is final, cache stayed"
        ),
        pytest.param(
            "//@ ensures x == a;", VOID, [sets((0, 0), (5, 9))], {"x"}, id="of a private field no clause can speak"
        ),
        pytest.param(
            "//@ ensures get() == a;", VOID, [sets((0, 0), (5, 0))], {"x", "cache"}, id="spoken of by a method"
        ),
    ],
)
def test_which_places_are_mutated(specification: str, method: str, pins: Sequence[Pin], places: set[str]) -> None:
    plan, _around = planned(specification, pins, method)
    mutated = {
        str(a.mutant.location.path[-1]) for a in plan.asked if a.role == "wrong" and a.mutant and a.mutant.location.path
    }
    assert mutated == places


@pytest.mark.parametrize(
    ("verdict", "score"),
    [
        pytest.param("rejected", (1, 1, 1), id="no case admits it: the precondition rejects a call that fails"),
        pytest.param("accepted", (0, 0, 0), id="one admits it: what that says of exceptions is judged instead"),
        pytest.param("timeout", (0, 0, 1), id="not decided: it leaves the denominator, and is counted"),
    ],
)
def test_a_failing_call_of_a_contract_that_speaks_of_exceptions_counts_for_the_precondition(
    verdict: str, score: tuple[int, int, int]
) -> None:
    plan, _around = planned(NORMAL, [call(1, 1), throws(-1)])
    conclusion = concluded(plan, [("admitted/*", verdict)])
    found_score = conclusion.report.scores["PreComp"]
    assert (found_score.passed, found_score.decided, found_score.asked) == score
    assert [entry.reason for entry in conclusion.not_checked] == (["timeout"] if verdict == "timeout" else [])


def test_what_the_classes_forbid_is_no_wrong_outcome() -> None:
    contract, around = contract_of("//@ ensures x == a;", VOID)
    forbidding = replace(around, forbids=lambda _pin, mutant: mutant.location.path == ("cache",))
    plan = first_round(contract, [sets((0, 0), (5, 0))], "j0c0", Limits(), forbidding)
    assert {a.mutant.location.path for a in plan.asked if a.role == "wrong" and a.mutant} == {("x",)}
    assert plan.some_left_out


def test_of_an_object_that_nothing_refers_to_afterwards_nothing_is_wrong() -> None:
    def array(*values: int) -> Array:
        return Array("int", tuple(map(i32, values)))

    def whole(block: str) -> Struct:
        return Struct("C", (("x", i32(0)), ("data", Pointer(block, (), "int[]"))))

    arguments = (("this", Pointer("b0", (), "C")), ("a", i32(5)))
    before = (Block("b0", "c", whole("b1")), Block("b1", "data", array(4)))
    after = (("b0", whole("n0")), ("b1", array(4)), ("n0", array(4, 5)))
    contract, around = contract_of("//@ ensures x == 0;", VOID)
    around = replace(around, spoken_of=frozenset({"x", "data"}))
    plan = first_round(
        contract, [Pin("C.f(int)", arguments, before, Returned(None, after), ORIGIN)], "j", Limits(), around
    )
    mutated = {a.mutant.location.block for a in plan.asked if a.role == "wrong" and a.mutant}
    assert "b1" not in mutated and {"b0", "n0"} <= mutated


def test_what_the_verifier_refuses_costs_only_its_own_clause() -> None:
    plan, _around = planned(r"//@ ensures \result == a; ensures unknown;", [call(1, 1)])
    answers = {}
    for one in plan.asked:
        refused = "unknown" in one.question.formula
        answers[one.question.id] = (
            Judgement("undecided", "unsupported", "no such name")
            if refused
            else Judgement("accepted", decided_by="key")
        )
    more = plan.more(plan, answers)
    assert plan.unaskable == {1: "no such name"}
    assert {(a.role, a.question.formula, a.question.one_sided) for a in more} == {("wrong", r"(\result == a)", True)}
    assert not [a for a in plan.asked if "unknown" in a.question.formula]


def test_a_clause_that_cannot_be_asked_says_why() -> None:
    plan, _around = planned(r"//@ ensures \result == a; ensures \not_specified;", [call(1, 1)])
    assert list(plan.unaskable.values()) == ["it is not specified"]
    wrong = [a.question for a in plan.asked if a.role == "wrong"]
    assert wrong and all(q.expected == "refute" and q.one_sided for q in wrong)
