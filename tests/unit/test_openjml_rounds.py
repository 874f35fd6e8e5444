"""What is made of a run of OpenJML, and what is asked next because of it.

The runs here are texts in the form of recorded ones, or come from a table of what is provable: they show that answers
arrive at their questions, and nothing of contracts.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import pytest
from clausefit.verifiers.openjml_output import parse
from clausefit.verifiers.openjml_rounds import ROUNDS, Asking, Ran, Result, Task, results_of
from clausefit.verifiers.openjml_stubs import Check, Composed, Place, Skeleton, Stub
from clausefit.verifiers.protocol import JavaScene, Polarity, Question

SCENE = JavaScene("s", "C", True, (), None, "true", "{}", ())
SKELETON = Skeleton((("p/C.java", "package p;\nclass C {\n}\n"),))
HOME = JavaScene("s", "p.C", True, (), None, "true", "{}", ())


def composed(*stubs: Stub) -> Composed:
    return SKELETON.compose(stubs)


def stub(*ids: str) -> Stub:
    return Stub(HOME, ("true",), False, tuple(Check(id_, "accept", id_) for id_ in ids))


def line_of(text: Composed, number: int, check: int | None) -> int:
    return next(line for (_file, line), place in text.places.items() if place == Place(number, check))


def proof(number: int, *between: str, ending: str = "no warnings", valid: bool = True, exit_: str = "OK") -> str:
    name = f"p.C.cf_stub{number}()"
    lines = [f"Starting proof of {name} with prover z3_4_3"]
    lines += [f"{'' if valid else f'{name} '}Method assertions are {'validated [0.02 secs]' if valid else 'INVALID'}"]
    lines += list(between)
    if exit_:
        lines += [f"p/C.java:9:Feasibility check #2 - at program exit : {exit_} [0.00 secs]"]
    return "\n".join([*lines, f"Completed proof of {name} with prover z3_4_3 - {ending} [0.03 secs]", ""])


def failed(text: Composed, number: int, check: int | None) -> str:
    line = line_of(text, number, check)
    return f"p/C.java:{line}: verify: The prover cannot establish an assertion (Assert) in method cf_stub{number}"


def kinds(results: Sequence[Result]) -> list[str]:
    return [one.kind for one in results]


TWO = composed(stub("a", "b"), stub("c"))
STUBS = (stub("a", "b"), stub("c"))


def results(output: str, *, timed_out: bool = False, ending: str = "", first: bool = True) -> list[Result]:
    return results_of(STUBS, TWO, Ran(parse(output), timed_out, ending), first_errors_only=first)


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        pytest.param(proof(0) + proof(1), ["proved", "proved"], id="all is proved"),
        pytest.param(proof(1) + proof(0), ["proved", "proved"], id="in another order"),
        pytest.param(proof(0), ["proved", "unreached"], id="nothing is said of the second"),
        pytest.param(
            proof(0) + proof(1, failed(TWO, 1, 0), ending="with warnings", valid=False, exit_=""),
            ["proved", "open"],
            id="one is not proved",
        ),
        pytest.param(
            proof(0) + proof(1, exit_=""), ["proved", "open"], id="nobody looked whether its end can be reached"
        ),
        pytest.param(
            proof(0, exit_="infeasible", ending="INFEASIBLE") + proof(1),
            ["vacuous", "proved"],
            id="contradictory facts",
        ),
        pytest.param(proof(0, ending="ERROR", valid=False) + proof(1), ["broken", "proved"], id="an error in a proof"),
        pytest.param(
            proof(0, failed(TWO, 0, None), ending="with warnings", valid=False) + proof(1),
            ["refused", "proved"],
            id="what the facts presuppose is not proved",
        ),
        pytest.param("", ["unreached", "unreached"], id="nothing at all"),
        pytest.param(proof(0).replace("cf_stub0", "other"), ["unreached", "unreached"], id="another method"),
    ],
)
def test_results(output: str, expected: list[str]) -> None:
    assert kinds(results(output)) == expected


def test_checks_that_fail_are_found_by_their_lines() -> None:
    output = proof(0, failed(TWO, 0, 1), "    //@ check (b);", "        ^", ending="with warnings", valid=False)
    assert results(output)[0] == Result("open", bad={1: ""})


def test_a_failure_in_another_file_is_nobodys() -> None:
    elsewhere = "Math.jml:95: verify: The prover cannot establish an assertion (Assert) in method cf_stub0"
    assert results(proof(0, elsewhere, ending="with warnings", valid=False))[0] == Result("open")


def test_a_failure_at_a_line_of_another_stub_is_nobodys() -> None:
    assert results(proof(0, failed(TWO, 1, 0), ending="with warnings", valid=False))[0] == Result("open")


def test_what_is_not_implemented_is_told() -> None:
    line = line_of(TWO, 1, 0)
    warning = f"p/C.java:{line}: warning: NOT IMPLEMENTED: Not yet supported feature: x"
    output = proof(1, warning, failed(TWO, 1, 0), ending="with warnings", valid=False)
    assert results(output)[1] == Result("open", bad={0: "NOT IMPLEMENTED: Not yet supported feature: x"})


HALF = "Starting proof of p.C.cf_stub0() with prover z3_4_3\nMethod assertions are validated\n"


def test_the_clock_ends_the_proof_that_was_under_way() -> None:
    assert kinds(results(HALF, timed_out=True)) == ["timeout", "unreached"]


def test_a_crash_is_that_of_the_proof_that_was_under_way() -> None:
    assert results(HALF, ending="exit status 3") == [
        Result("broken", "exit status 3"),
        Result("unreached", "exit status 3"),
    ]


def error(number: int, check: int | None, message: str = "cannot find symbol") -> str:
    return f"p/C.java:{line_of(TWO, number, check)}: error: {message}\n    source line\n    ^\n"


@pytest.mark.parametrize(
    ("output", "first", "expected"),
    [
        pytest.param(
            error(0, 1), True, [Result("refused", bad={1: "cannot find symbol"}), Result("unreached")], id="one check"
        ),
        pytest.param(
            error(0, 1) + error(0, 0),
            True,
            [Result("refused", bad={0: "cannot find symbol"}), Result("unreached")],
            id="at first only the first line",
        ),
        pytest.param(
            error(0, 1) + error(0, 0),
            False,
            [Result("refused", bad={0: "cannot find symbol", 1: "cannot find symbol"}), Result("unreached")],
            id="later all lines",
        ),
        pytest.param(
            error(0, None), True, [Result("refused", "cannot find symbol"), Result("unreached")], id="the facts"
        ),
        pytest.param(
            error(0, 0) + "String.jml:3: error: odd\n",
            True,
            [Result("refused", bad={0: "cannot find symbol"}), Result("unreached")],
            id="an error elsewhere may follow from it",
        ),
        pytest.param(
            "p/C.java:1: error: class expected\n",
            True,
            [Result("skeleton", "p/C.java:1: class expected")] * 2,
            id="the skeleton",
        ),
        pytest.param(
            "/tmp/x/p/C.java:1: error: class expected\n",
            True,
            [Result("skeleton", "/tmp/x/p/C.java:1: class expected")] * 2,
            id="by its whole path",
        ),
    ],
)
def test_an_error_is_that_of_its_line_and_the_others_go_on(output: str, first: bool, expected: list[Result]) -> None:
    assert results(output, first=first) == expected


# ---- what is asked next ----------------------------------------------------------------------------------------------

Run = Callable[[Sequence[Task], bool], Sequence[Result]]


def questions(*ids: str, expected: Polarity = "accept", one_sided: bool = False) -> list[Question]:
    return [Question(id_, "s", "right", id_, expected, "g", one_sided) for id_ in ids]


def asked(ids: Sequence[Question], run: Run) -> dict[str, tuple[str, str]]:
    asking = Asking(ids, {one.id: one.id for one in ids})
    asking.ask([Task(Stub(SCENE, (), True, asking.first_checks([one.id for one in ids])))], run)
    judged = {one.id: asking.judgement(one.id) for one in ids}
    assert asking.settled() == len(ids)
    return {id_: (one.verdict, one.reason) for id_, one in judged.items()}


def solver(provable: frozenset[tuple[str, str]], *, tells: Callable[[int], bool] = lambda _n: True) -> Run:
    """OpenJML by a table: a method is proved when all that it holds is in ``provable``; ``tells`` says for the n-th
    call whether the lines of what failed are right."""
    calls = itertools.count()

    def run(tasks: Sequence[Task], _first: bool) -> Sequence[Result]:
        found = []
        for task in tasks:
            bad = {i: "" for i, c in enumerate(task.stub.checks) if (c.question, c.polarity) not in provable}
            found.append(Result("open", bad=bad if tells(next(calls)) else {}) if bad else Result("proved"))
        return found

    return run


ALL = [(id_, polarity) for id_ in "abc" for polarity in ("accept", "refute")]


@pytest.mark.parametrize(
    "tells", [lambda _n: True, lambda _n: False, lambda n: n % 2 == 0], ids=["lines", "none", "some"]
)
def test_every_answer_is_what_is_provable_whether_or_not_lines_are_told(tells: Callable[[int], bool]) -> None:
    for accepted, refuted in itertools.product(itertools.product([False, True], repeat=3), repeat=2):
        provable = {(id_, "accept") for id_, yes in zip("abc", accepted, strict=True) if yes}
        provable |= {(id_, "refute") for id_, yes in zip("abc", refuted, strict=True) if yes}
        answers = asked(questions(*"abc"), solver(frozenset(provable), tells=tells))
        for id_, yes, no in zip("abc", accepted, refuted, strict=True):
            # Where both are provable the expected side comes first and the other is not asked.
            expected = ("accepted", "") if yes else ("rejected", "") if no else ("undecided", "unknown")
            assert answers[id_] == expected


def test_the_expected_side_is_asked_first() -> None:
    answers = asked(questions("a", expected="refute"), solver(frozenset({("a", "accept"), ("a", "refute")})))
    assert answers == {"a": ("rejected", "")}


def test_the_other_side_of_a_one_sided_question_is_never_asked() -> None:
    answers = asked(questions("a", one_sided=True), solver(frozenset({("a", "refute")})))
    assert answers == {"a": ("undecided", "unknown")}


@pytest.mark.parametrize(
    ("results_", "expected"),
    [
        pytest.param([Result("vacuous")], ("undecided", "vacuous"), id="contradictory facts"),
        pytest.param([Result("refused", "no such field")], ("undecided", "unsupported"), id="facts that are not taken"),
        pytest.param([Result("refused", bad={0: "bad"})], ("undecided", "dropped"), id="a clause that is not taken"),
        pytest.param(
            [Result("skeleton", "C.java:1: x")], ("undecided", "parse_error"), id="a skeleton that is not read"
        ),
        pytest.param([Result("timeout"), Result("timeout")], ("undecided", "timeout"), id="no time for either side"),
        pytest.param([Result("timeout"), Result("proved")], ("rejected", ""), id="no time, then the other side"),
        pytest.param([Result("broken", "x"), Result("open")], ("undecided", "crash"), id="the most telling reason"),
        pytest.param([Result("open", bad={0: "NOT IMPLEMENTED"})], ("undecided", "unsupported"), id="not implemented"),
        pytest.param([Result("unreached"), Result("proved")], ("accepted", ""), id="not reached, asked again"),
        pytest.param(
            [Result("unreached", "exit status 3"), Result("proved")],
            ("accepted", ""),
            id="came to nothing, asked alone",
        ),
        pytest.param(
            [Result("unreached", "exit status 3"), Result("unreached", "exit status 3")],
            ("undecided", "crash"),
            id="came to nothing alone as well",
        ),
        pytest.param([Result("unreached")] * ROUNDS, ("undecided", "unknown"), id="never reached: an end all the same"),
    ],
)
def test_one_question_through_its_runs(results_: list[Result], expected: tuple[str, str]) -> None:
    left = iter(results_)
    assert asked(questions("a", one_sided=len(results_) == ROUNDS), lambda _tasks, _first: [next(left)]) == {
        "a": expected
    }
    assert next(left, None) is None


def test_a_stub_that_came_to_nothing_with_others_is_asked_alone() -> None:
    alone: list[bool] = []

    def run(tasks: Sequence[Task], _first: bool) -> Sequence[Result]:
        alone.extend(task.alone for task in tasks)
        return [Result("proved") if task.alone else Result("unreached", "exit status 4") for task in tasks]

    assert asked(questions("a", "b"), run) == {"a": ("accepted", ""), "b": ("accepted", "")}
    assert alone == [False, True]


def test_a_time_out_is_narrowed_down() -> None:
    def run(tasks: Sequence[Task], _first: bool) -> Sequence[Result]:
        slow = [any(check.question == "c" for check in task.stub.checks) for task in tasks]
        return [Result("timeout") if one else Result("proved") for one in slow]

    assert asked(questions(*"abcdefgh"), run) == {
        **dict.fromkeys("abdefgh", ("accepted", "")),
        "c": ("undecided", "timeout"),
    }


def test_only_errors_of_the_first_rounds_may_follow_from_others() -> None:
    firsts: list[bool] = []

    def run(tasks: Sequence[Task], first: bool) -> Sequence[Result]:
        firsts.append(first)
        return [Result("unreached") for _ in tasks]

    asked(questions("a"), run)
    assert firsts == [True] * 4 + [False] * 6


def test_the_words_of_openjml_are_passed_on() -> None:
    one = questions("a")
    asking = Asking(one, {"a": "x"})
    stub_ = Stub(SCENE, (), True, asking.first_checks(["a"]))
    asking.ask([Task(stub_)], lambda _tasks, _first: [Result("refused", bad={0: "cannot find symbol"})])
    assert asking.judgement("a").detail == "OpenJML does not take the clause: cannot find symbol"
