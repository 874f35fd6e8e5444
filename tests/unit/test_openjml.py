"""The OpenJML adapter around its process: what it starts, reads, keeps, and says where OpenJML is of no use.

OpenJML itself is in no registry: the programs here only stand in for it (``openjml_stand_in.py``).
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from clausefit.verifiers import openjml_probe, process
from clausefit.verifiers.cache import VerdictCache
from clausefit.verifiers.openjml import OpenJml, OpenJmlSettings
from clausefit.verifiers.process import Cancelled, Completed
from clausefit.verifiers.protocol import (
    Hooks,
    JavaOutcome,
    JavaScene,
    JavaUnit,
    Judgement,
    Polarity,
    Question,
    VerifierProblem,
)
from openjml_stand_in import StandIn, by_table, replay, script

TRUE_CLAIMS = [
    "(" + question.formula.replace(r"\result", "cf_result") + ")"
    for question in openjml_probe.unit("java").questions
    if question.group == "true"
]
CONTRADICTORY = ["(cf_result == 1) && (cf_result == 2)"]
OUTCOMES = (JavaOutcome("right", r"cf_exc == null && \result == 6", "{}"), JavaOutcome("m0", r"\result == 7", "{}"))
SCENE = JavaScene("s0", "Lookup", True, (("int", "n"),), "int", r"\old(n) == 5", "{}", OUTCOMES)
LOOKUP = ("Lookup.java", "public class Lookup {\n  public double ratio;\n}\n")


def question(
    id_: str, formula: str, outcome: str = "right", expected: Polarity = "accept", *, one_sided: bool = False
) -> Question:
    return Question(id_, "s0", outcome, formula, expected, "g", one_sided)


def unit(*questions: Question, files: tuple[tuple[str, str], ...] = (LOOKUP,), scene: JavaScene = SCENE) -> JavaUnit:
    return JavaUnit("u", files, "java", (scene,), questions)


def adapter(made: StandIn, cache: VerdictCache | None = None, **settings: Any) -> OpenJml:
    return OpenJml(
        made.folder,
        process.run,
        cache or VerdictCache(None),
        settings=OpenJmlSettings(**settings) if settings else None,
    )


def stand_in(folder: Path, *proved: str, errors: Sequence[str] = ()) -> StandIn:
    return by_table(folder, [*TRUE_CLAIMS, *proved], errors, CONTRADICTORY)


def verdicts(judged: Mapping[str, Judgement]) -> dict[str, tuple[str, str]]:
    return {id_: (one.verdict, one.reason) for id_, one in judged.items()}


def test_answers_go_to_their_questions(tmp_path: Path) -> None:
    made = stand_in(
        tmp_path, r"(cf_result == \old(n) + 1)", r"!(cf_result == \old(n) + 2)", r"(\old(n) > 0)", "!(cf_result == 6)"
    )
    asked = unit(
        question("yes", r"\result == \old(n) + 1"),
        question("no", r"\result == \old(n) + 2"),
        question("open", r"\result == \old(n) + 3"),
        question("before", r"\old(n) > 0", ""),
        question("wrong", r"\result == 6", "m0", "refute"),
        question("guard", "false", one_sided=True),
        question("sum", r"(\sum int i; 0 <= i && i < 1; n) == 5"),
        question("ratio", "ratio == ratio"),
    )
    told: list[int] = []
    judged = adapter(made).judge(asked, Hooks(told.append))
    assert list(judged) == [one.id for one in asked.questions]
    assert verdicts(judged) == {
        "yes": ("accepted", ""),
        "no": ("rejected", ""),
        "open": ("undecided", "unknown"),
        "before": ("accepted", ""),
        "wrong": ("rejected", ""),
        "guard": ("undecided", "unknown"),
        "sum": ("undecided", "unsupported"),
        "ratio": ("undecided", "unsupported"),
    }
    assert {one.decided_by for one in judged.values() if one.verdict != "undecided"} == {"openjml"}
    assert judged["sum"].detail == r"OpenJML is not asked: OpenJML has no proofs for \sum"
    assert sum(told) == 8


def test_a_clause_that_it_does_not_take_leaves_the_others_their_answers(tmp_path: Path) -> None:
    made = stand_in(tmp_path, "(cf_result == 6)", errors=["(cf_result == missing)", "(cf_result == gone)"])
    asked = unit(
        question("a", r"\result == missing"), question("b", r"\result == 6"), question("c", r"\result == gone")
    )
    judged = adapter(made).judge(asked, Hooks())
    assert verdicts(judged) == {
        "a": ("undecided", "dropped"),
        "b": ("accepted", ""),
        "c": ("undecided", "dropped"),
    }
    assert judged["a"].detail == "OpenJML does not take the clause: cannot find symbol"


def test_the_options_of_a_run(tmp_path: Path) -> None:
    made = stand_in(tmp_path, "(n == 5)")
    adapter(made, seconds=7).judge(unit(question("a", "n == 5")), Hooks())
    assert made.calls()[-1] == [
        "--esc",
        "--nonnull-by-default",
        "--progress",
        "--check-feasibility=precondition,assume,exit",
        "--spec-math=java",
        "--code-math=java",
        "--timeout",
        "7000",
        "--method",
        "cf_stub0",
        "Lookup.java",
    ]


def test_what_is_known_starts_nothing(tmp_path: Path) -> None:
    made = stand_in(tmp_path / "opt", "(n == 5)")
    asked = unit(question("a", "n == 5"), question("b", "n == 6"))
    with VerdictCache(tmp_path / "verdicts") as cache:
        first = adapter(made, cache).judge(asked, Hooks())
        runs, versions = len(made.calls()), made.version_calls()
        again = adapter(made, cache)
        assert again.info().version == "21-0.19"
        told: list[int] = []
        second = again.judge(asked, Hooks(told.append))
        assert (len(made.calls()), made.version_calls()) == (runs, versions)
        assert verdicts(second) == verdicts(first) == {"a": ("accepted", ""), "b": ("undecided", "unknown")}
        assert all(one.cached for one in second.values())
        assert sum(told) == 2
        # Another question needs a run, but neither version nor claims are asked again.
        adapter(made, cache).judge(unit(question("c", "n == 5 && n > 0")), Hooks())
        assert made.version_calls() == versions
        assert {call[call.index("--method") + 2] for call in made.calls()[runs:]} == {"Lookup.java"}


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(unit(question("a", "n == 5", "m0")), id="another outcome"),
        pytest.param(unit(question("a", "n == 5"), scene=replace(SCENE, facts=r"\old(n) == 6")), id="other facts"),
        pytest.param(
            unit(question("a", "n == 5"), files=(("Lookup.java", "class Lookup { int m; }"),)), id="another skeleton"
        ),
    ],
)
def test_what_is_known_is_known_of_that_alone(changed: JavaUnit, tmp_path: Path) -> None:
    made = stand_in(tmp_path / "opt", "(n == 5)")
    with VerdictCache(tmp_path / "verdicts") as cache:
        adapter(made, cache).judge(unit(question("a", "n == 5")), Hooks())
        runs = len(made.calls())
        adapter(made, cache).judge(changed, Hooks())
        assert len(made.calls()) > runs


def test_another_installation_is_asked_anew(tmp_path: Path) -> None:
    made = stand_in(tmp_path / "opt", "(n == 5)")
    asked = unit(question("a", "n == 5"))
    with VerdictCache(tmp_path / "verdicts") as cache:
        adapter(made, cache).judge(asked, Hooks())
        runs = len(made.calls())
        (made.folder / "jmlruntime.jar").write_text("of another release")
        assert adapter(made, cache).judge(asked, Hooks())["a"].cached is False
        assert len(made.calls()) > runs


def test_many_questions_take_few_processes(tmp_path: Path) -> None:
    made = stand_in(tmp_path, *(f"(n == {number})" for number in range(400)))
    openjml = adapter(made)
    openjml.probe("java")
    runs = len(made.calls())
    judged = openjml.judge(unit(*(question(f"q{n}", f"n == {n}") for n in range(400))), Hooks())
    assert {one.verdict for one in judged.values()} == {"accepted"}
    assert len(made.calls()) - runs == 2


# ---- an installation that is of no use -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "says"),
    [
        pytest.param("BadOption", "does not take its options: invalid flag: --bogus", id="another command line"),
        pytest.param("NoSolver", "cannot start its solver", id="no solver"),
        pytest.param("SolverDies", "cannot start its solver", id="a solver that ends at once"),
        pytest.param("Pass", "does not prove .* where that is true", id="it says nothing of methods"),
        pytest.param("Sums", "does not prove .* where that is true", id="it speaks of other methods"),
        pytest.param("Unresolved", "does not prove .* where that is true", id="errors elsewhere"),
    ],
)
def test_recorded_runs_of_an_installation_that_is_of_no_use(name: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(VerifierProblem, match=says) as told:
        adapter(replay(tmp_path, name)).judge(unit(question("a", "n == 5")), Hooks())
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    "claim",
    [one for one in openjml_probe.unit("java").questions if one.group == "false" and one.hypothesis != "impossible"],
)
def test_one_that_proves_what_is_false_is_not_used(claim: Question, tmp_path: Path) -> None:
    written = "(" + claim.formula.replace(r"\result", "cf_result") + ")"
    with pytest.raises(VerifierProblem, match=r"it proves .* where that is false"):
        adapter(stand_in(tmp_path, written)).judge(unit(question("a", "n == 5")), Hooks())


def test_one_that_does_not_see_a_contradiction_is_not_used(tmp_path: Path) -> None:
    made = by_table(tmp_path, [*TRUE_CLAIMS, "(cf_result == 3)"])
    with pytest.raises(VerifierProblem, match=r"it proves .* where that is false"):
        adapter(made).judge(unit(question("a", "n == 5")), Hooks())


def test_one_that_does_not_compute_like_java_is_not_asked_of_numbers(tmp_path: Path) -> None:
    made = stand_in(tmp_path, r"(\old(big) + 1 > \old(big))", "(n == 5)", "(n + 1 == 6)")
    judged = adapter(made).judge(unit(question("a", "n == 5"), question("b", "n + 1 == 6")), Hooks())
    assert verdicts(judged) == {"a": ("accepted", ""), "b": ("undecided", "unsupported")}


def test_the_claims_are_asked_once(tmp_path: Path) -> None:
    made = stand_in(tmp_path, "(n == 5)", "(n == 6)")
    openjml = adapter(made)
    openjml.judge(unit(question("a", "n == 5")), Hooks())
    runs = len(made.calls())
    openjml.judge(unit(question("b", "n == 6")), Hooks())
    assert len(made.calls()) == runs + 1


def test_one_that_is_of_no_use_is_not_tried_again(tmp_path: Path) -> None:
    made = by_table(tmp_path, [])
    openjml = adapter(made)
    with pytest.raises(VerifierProblem, match="is not used"):
        openjml.judge(unit(question("a", "n == 5")), Hooks())
    runs = len(made.calls())
    with pytest.raises(VerifierProblem, match="is not used"):
        openjml.judge(unit(question("b", "n == 6")), Hooks())
    assert len(made.calls()) == runs


def test_where_it_is_not_installed_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENJML_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(VerifierProblem, match="openjml was not found"):
        OpenJml(None, process.run, VerdictCache(None)).info()


# ---- processes that do not end as they should ------------------------------------------------------------------------


class Counted:
    """``process.run``, with the first calls left as they are and another ending for the later ones."""

    def __init__(self, usual: int, **changes: Any) -> None:
        self.usual, self.changes, self.calls = usual, changes, 0

    def __call__(self, argv: Sequence[str], **options: Any) -> Completed:
        self.calls += 1
        done = process.run(argv, **options)
        return done if self.calls <= self.usual else replace(done, **self.changes)


@pytest.mark.parametrize(
    ("changes", "reason", "detail"),
    [
        pytest.param(
            {"exit_status": 3, "stdout_bytes": b""},
            "crash",
            "OpenJML says nothing of it: OpenJML ended with exit status 3",
            id="a crash",
        ),
        pytest.param(
            {"exit_status": 4, "stdout_bytes": b"error: A catastrophic JML internal error occurred.\n"},
            "crash",
            "OpenJML says nothing of it: A catastrophic JML internal error occurred.",
            id="an internal error",
        ),
        pytest.param(
            {"exit_status": 1, "stdout_bytes": b"", "out_of_memory": True},
            "crash",
            "OpenJML says nothing of it: OpenJML ran out of memory",
            id="out of memory",
        ),
        pytest.param(
            {
                "exit_status": None,
                "timed_out": True,
                "stdout_bytes": b"Starting proof of C.cf_stub0() with prover z3_4_3\n",
            },
            "timeout",
            "OpenJML's time for this question was up",
            id="the clock",
        ),
        pytest.param(
            {"exit_status": 1, "stdout_bytes": b"Lookup.java:1: error: class expected\n"},
            "parse_error",
            "OpenJML does not read the skeleton: Lookup.java:1: class expected",
            id="a skeleton that is not read",
        ),
    ],
)
def test_endings(changes: dict[str, Any], reason: str, detail: str, tmp_path: Path) -> None:
    made = stand_in(tmp_path, "(n == 5)")
    run = Counted(1_000, **changes)
    openjml = OpenJml(made.folder, run, VerdictCache(None))
    openjml.probe("java")
    run.usual = run.calls
    judged = openjml.judge(unit(question("a", "n == 5")), Hooks())["a"]
    assert (judged.verdict, judged.reason, judged.detail) == ("undecided", reason, detail)


def test_what_was_proved_before_the_clock_ended_it_counts(tmp_path: Path) -> None:
    made = stand_in(tmp_path, "(n == 5)", r"(\old(n) == 5)")
    half = (
        b"Starting proof of C.cf_stub0() with prover z3_4_3\nMethod assertions are validated\n"
        b"L.java:1:Feasibility check #1 - at program exit : OK\n"
        b"Completed proof of C.cf_stub0() with prover z3_4_3 - no warnings\n"
        b"Starting proof of C.cf_stub1() with prover z3_4_3\n"
    )
    run = Counted(1_000, exit_status=None, timed_out=True, stdout_bytes=half)
    openjml = OpenJml(made.folder, run, VerdictCache(None))
    openjml.probe("java")
    run.usual = run.calls
    asked = unit(question("a", "n == 5"), question("b", r"\old(n) == 5", "", one_sided=True))
    assert verdicts(openjml.judge(asked, Hooks())) == {"a": ("accepted", ""), "b": ("undecided", "timeout")}


def test_a_run_that_hangs_is_ended_by_the_clock(tmp_path: Path) -> None:
    made = stand_in(tmp_path, "(n == 5)")
    openjml = adapter(made, run_seconds=1.0)
    openjml.probe("java")
    made.program.write_text(
        made.program.read_text().replace("import json", "import time; time.sleep(600)\nimport json", 1)
    )
    judged = openjml.judge(unit(question("a", "n == 5")), Hooks())
    assert verdicts(judged) == {"a": ("undecided", "crash")}
    assert judged["a"].detail == "OpenJML says nothing of it: its time was up before it had begun a proof"


def test_a_unit_has_a_clock_of_its_own(tmp_path: Path) -> None:
    made = stand_in(tmp_path, "(n == 5)")
    with VerdictCache(tmp_path / "verdicts") as cache:
        adapter(made, cache).probe("java")
        runs = len(made.calls())
        judged = adapter(made, cache, unit_seconds=0.0).judge(unit(question("a", "n == 5")), Hooks())["a"]
    assert (judged.verdict, judged.reason) == ("undecided", "timeout")
    assert judged.detail == "OpenJML's time for this contract was up"
    assert len(made.calls()) == runs


def test_what_was_not_asked_any_more_is_asked_the_next_time(tmp_path: Path) -> None:
    made = stand_in(tmp_path / "opt", "(n == 5)")
    with VerdictCache(tmp_path / "verdicts") as cache:
        adapter(made, cache).probe("java")
        asked = unit(question("a", "n == 5"))
        assert adapter(made, cache, unit_seconds=0.0).judge(asked, Hooks())["a"].verdict == "undecided"
        assert adapter(made, cache).judge(asked, Hooks())["a"].verdict == "accepted"


def test_a_problem_in_one_process_ends_the_others(tmp_path: Path) -> None:
    made = stand_in(tmp_path, *(f"(n == {number})" for number in range(400)))
    cancelled: list[bool] = []

    def run(argv: Sequence[str], **options: Any) -> Completed:
        try:
            return process.run(argv, **options)
        except Cancelled:
            cancelled.append(True)
            raise

    openjml = OpenJml(made.folder, run, VerdictCache(None), settings=OpenJmlSettings(methods_per_run=4))
    openjml.probe("java")
    made.program.write_text(
        f"#!{sys.executable}\n"
        "import pathlib, sys, time\n"
        "try:\n"
        f"    pathlib.Path({str(tmp_path / 'first')!r}).mkdir()\n"
        "except FileExistsError:\n"
        f"    pathlib.Path({str(tmp_path / 'second')!r}).mkdir()\n"
        "    time.sleep(600)\n"
        f"while not pathlib.Path({str(tmp_path / 'second')!r}).exists():\n"
        "    time.sleep(0.01)\n"
        "print('error: invalid flag: --x')\n"
        "sys.exit(2)\n"
    )
    with pytest.raises(VerifierProblem, match="does not take its options"):
        openjml.judge(unit(*(question(f"q{n}", f"n == {n}") for n in range(400))), Hooks())
    assert cancelled == [True]


def test_a_cancelled_run_ends(tmp_path: Path) -> None:
    made = script(
        tmp_path,
        "import sys, time\nif '--version' in sys.argv:\n    print('openjml 21-0.19')\nelse:\n    time.sleep(600)\n",
    )
    cancel = threading.Event()
    threading.Timer(0.5, cancel.set).start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        OpenJml(made.folder, process.run, VerdictCache(None), cancel).judge(unit(question("a", "n == 5")), Hooks())
    assert time.monotonic() - started < 300


@pytest.mark.parametrize("name", ["../Lookup.java", "/tmp/Lookup.java", "-x.java", "", "a\0.java"])
def test_a_bad_file_name_is_no_path(name: str, tmp_path: Path) -> None:
    judged = adapter(stand_in(tmp_path)).judge(
        unit(question("a", "n == 5"), files=((name, "class Lookup { }"),)), Hooks()
    )
    assert verdicts(judged) == {"a": ("undecided", "parse_error")}


@pytest.mark.parametrize(
    ("scene", "says"),
    [
        pytest.param(replace(SCENE, class_name="Gone"), "its class Gone is not in the skeleton", id="no class"),
        pytest.param(replace(SCENE, facts=r"\dl_x(n)"), "told in words of KeY", id="facts in words of KeY"),
        pytest.param(replace(SCENE, outcomes=()), "no outcome right", id="no outcome"),
    ],
)
def test_a_scene_that_cannot_be_told(scene: JavaScene, says: str, tmp_path: Path) -> None:
    judged = adapter(stand_in(tmp_path)).judge(unit(question("a", "n == 5"), scene=scene), Hooks())["a"]
    assert (judged.verdict, judged.reason) == ("undecided", "unsupported")
    assert says in judged.detail
