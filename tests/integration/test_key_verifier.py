"""The KeY adapter on the real KeY: judgements of whole units, the cache, and what can go wrong.

Without Java and Maven these tests fail (with the line that says what to install); they are not skipped.
"""

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from clausefit.verifiers import process
from clausefit.verifiers.cache import VerdictCache
from clausefit.verifiers.key_tools import KeyInstallation, install
from clausefit.verifiers.key_verifier import Key, KeySettings
from clausefit.verifiers.process import Cancelled, Completed, ToolMissing
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

COUNTER = r"""
public class Counter {
    public int n; public int[] log; public Counter next;
    public /*@ pure @*/ int get() { return n; }
    public /*@ pure @*/ static int endless(int x) { return endless(x + 1); }
}
"""
PATIENT = KeySettings(seconds=20.0, memory_megabytes=1024)


def number(value: int) -> dict[str, str]:
    return {"t": "int", "v": str(value)}


def state(n: int, log: list[int]) -> dict[str, object]:
    fields = {"n": number(n), "log": {"ref": "cf_b0"}, "next": {"null": True}}
    return {
        "objects": {
            "this": {"type": "Counter", "fields": fields},
            "cf_b0": {"type": "int[]", "elements": [number(each) for each in log]},
        },
        "variables": {"by": number(2), "cf_b0": {"ref": "cf_b0"}},
        "statics": {},
    }


def outcome(name: str, n: int, result: int, log: list[int]) -> JavaOutcome:
    cells = "".join(f" && cf_b0[{i}] == {each}" for i, each in enumerate(log))
    facts = rf"this.n == {n} && this.log == cf_b0 && this.next == null && \result == {result} && cf_exc == null{cells}"
    return JavaOutcome(name, facts, json.dumps({"state": state(n, log), "result": number(result), "exception": None}))


def scene(log: list[int], *outcomes: JavaOutcome) -> JavaScene:
    cells = "".join(rf" && \old(cf_b0[{i}]) == {each}" for i, each in enumerate(log))
    facts = (
        r"\old(this.n) == 3 && \old(this.log) == cf_b0 && cf_b0 != null && \old(this.next) == null && by == 2"
        rf" && cf_b0.length == {len(log)} && \typeof(this) == \type(Counter)" + cells
    )
    return JavaScene(
        "scene",
        "Counter",
        False,
        (("int", "by"), ("int[]", "cf_b0")),
        "int",
        facts,
        json.dumps(state(3, log)),
        outcomes,
    )


ADD = scene([7, 8], outcome("right", 5, 5, [7, 9]), outcome("m0", 4, 4, [7, 9]), outcome("m1", 5, 4, [0, 9]))


def unit(*questions: tuple[str, str, Polarity], about: JavaScene = ADD, code: str = COUNTER) -> JavaUnit:
    """Questions are outcome, formula and the side that is expected; their ids are their numbers."""
    asked = tuple(
        Question(str(n), about.name, hypothesis, formula, expected, "all")
        for n, (hypothesis, formula, expected) in enumerate(questions)
    )
    return JavaUnit("unit", (("Counter.java", code),), "java", (about,), asked)


def all_of(judgements: Mapping[str, Judgement]) -> list[str]:
    return [judgement.verdict for judgement in judgements.values()]


@pytest.fixture(scope="module")
def installation() -> KeyInstallation:
    return install()


@pytest.fixture(scope="module")
def key(installation: KeyInstallation) -> Iterator[Key]:
    made = Key(lambda: installation, VerdictCache(None), PATIENT)
    yield made
    made.close()


# Outcome, formula, verdict, who decides, what evaluation says, why it is here.
JUDGED = [
    ("right", r"\result == \old(n) + by", "accepted", "key", True, "right outcome"),
    ("m0", r"\result == \old(n) + by", "rejected", "key", False, "wrong result"),
    ("m1", r"\result == n", "rejected", "key", False, "other wrong result"),
    ("", r"\old(n == 3 && by > 0)", "accepted", "key", True, "state before"),
    ("", r"\old(n > 3)", "rejected", "key", False, "state before, wrong"),
    ("right", r"get() == \result", "accepted", "key", None, "pure method, which evaluation leaves to KeY"),
    ("m1", r"get() == \result", "rejected", "key", None, "pure method, wrong"),
    ("right", r"(\forall int i; 0 <= i && i < log.length - 1; log[i] < log[i + 1])", "accepted", "key", True, "forall"),
    ("m1", r"(\forall int i; 0 <= i && i < log.length; log[i] >= 7)", "rejected", "key", False, "forall, wrong"),
    ("right", r"(\max int i; 0 <= i && i < log.length; log[i]) == 9", "accepted", "key", True, "max"),
    ("m1", r"(cf_exc instanceof RuntimeException) ==> false", "accepted", "key", True, "no exception"),
    # Locations that the call changed, as members of those that the contract names.
    ("", r"\old(\subset(\singleton(this.n), \locset(this.n, this.next)))", "accepted", "key", True, "field in fields"),
    ("", r"\old(\subset(\singleton(this.n), \locset(this.next)))", "rejected", "key", False, "field not in fields"),
    ("", r"\old(\subset(\singleton(this.n), \locset(this.*)))", "accepted", "key", True, "field in all fields"),
    ("", r"\old(\subset(\singleton(cf_b0[1]), \locset(this.*)))", "rejected", "key", False, "element not in fields"),
    ("", r"\old(\subset(\singleton(cf_b0[1]), \locset(log[*])))", "accepted", "key", True, "element in all elements"),
    (
        "",
        r"\old(\subset(\singleton(cf_b0[1]), \locset(log[0 .. 0])))",
        "rejected",
        "key",
        False,
        "element past a range",
    ),
    ("", r"\old(\subset(\singleton(cf_b0[1]), \locset(log[0 .. 1])))", "accepted", "key", True, "element in a range"),
    ("", r"\old(\subset(\singleton(cf_b0[1]), \locset(log[by - 1])))", "accepted", "key", True, "element by its index"),
    ("", r"\old(\subset(\singleton(this.n), \everything))", "accepted", "key", True, "everything"),
    ("", r"\old(\subset(\singleton(this.n), \empty))", "rejected", "key", False, "nothing"),
]


@pytest.fixture(scope="module")
def judged(key: Key) -> Mapping[str, Judgement]:
    """All of ``JUDGED`` at once, half of them expected on the wrong side."""
    told: list[int] = []
    asked: list[tuple[str, str, Polarity]] = [
        (hypothesis, formula, "accept" if n % 2 else "refute") for n, (hypothesis, formula, *_) in enumerate(JUDGED)
    ]
    judgements = key.judge(unit(*asked), Hooks(told.append))
    assert sum(told) == len(JUDGED)
    return judgements


@pytest.mark.parametrize(
    ("n", "verdict", "decided_by", "evaluated"),
    [pytest.param(n, *row[2:5], id=row[5]) for n, row in enumerate(JUDGED)],
)
def test_a_question_is_judged(
    judged: Mapping[str, Judgement], n: int, verdict: str, decided_by: str, evaluated: bool | None
) -> None:
    found = judged[str(n)]
    assert (found.verdict, found.decided_by, found.evaluated) == (verdict, decided_by, evaluated), found


def test_a_clause_without_a_value_is_undefined_and_touches_only_itself(key: Key) -> None:
    asked = unit(
        ("right", "n / (n - 5) == 1", "accept"), ("right", "log[2] == log[2]", "accept"), ("right", "n == 5", "accept")
    )
    judgements = key.judge(asked, Hooks())
    assert [(j.verdict, j.reason) for j in judgements.values()] == [
        ("undecided", "undefined"),
        ("undecided", "undefined"),
        ("accepted", ""),
    ]


def test_an_outcome_with_contradictory_facts_decides_nothing_about_itself_only(key: Key) -> None:
    broken = JavaOutcome("m0", r"this.n == 4 && this.n == 5 && cf_exc == null", ADD.outcomes[1].after)
    about = scene([7, 8], ADD.outcomes[0], broken)
    judgements = key.judge(
        unit(("right", "n == 5", "accept"), ("m0", "n == 9", "refute"), ("m0", "n == 4", "accept"), about=about),
        Hooks(),
    )
    assert [(j.verdict, j.reason) for j in judgements.values()] == [
        ("accepted", ""),
        ("undecided", "vacuous"),
        ("undecided", "vacuous"),
    ]


def test_what_evaluation_and_proof_disagree_on_is_undecided(key: Key) -> None:
    wrong = JavaOutcome("m0", ADD.outcomes[1].facts, ADD.outcomes[0].after)
    judged = key.judge(unit(("m0", "n == 4", "accept"), about=scene([7, 8], wrong)), Hooks())["0"]
    assert (judged.verdict, judged.reason, judged.evaluated) == ("undecided", "disagreement", False)


@pytest.mark.parametrize(
    ("formula", "reason", "says"),
    [
        pytest.param("n === 5", "unsupported", "KeY does not parse the clause: 1:5", id="syntax"),
        pytest.param("absent == 5", "dropped", "no `absent` is known here", id="unknown name"),
        pytest.param("endless(n) == 5", "timeout", "KeY's ", id="pure helper that recurses without end"),
    ],
)
def test_a_formula_that_cannot_be_judged_is_undecided_with_one_line(
    installation: KeyInstallation, formula: str, reason: str, says: str
) -> None:
    key = Key(lambda: installation, VerdictCache(None), KeySettings(seconds=3.0))
    try:
        judgements = key.judge(unit(("right", formula, "accept"), ("right", "n == 5", "accept")), Hooks())
    finally:
        key.close()
    bad, good = judgements.values()
    assert (bad.verdict, bad.reason) == ("undecided", reason)
    assert bad.detail.startswith(says)
    assert "\n" not in bad.detail
    assert good.verdict == "accepted"


def test_a_skeleton_that_key_does_not_load_leaves_all_undecided(key: Key) -> None:
    judgements = key.judge(
        unit(("right", "n == 5", "accept"), ("m0", "n == 4", "accept"), code="class Counter {"), Hooks()
    )
    assert {(j.verdict, j.reason) for j in judgements.values()} == {("undecided", "parse_error")}


@pytest.mark.parametrize(
    "name",
    [pytest.param("../Out.java", id="above"), pytest.param("/Out.java", id="absolute"), pytest.param("", id="none")],
)
def test_a_skeleton_file_is_written_only_below_its_folder(key: Key, name: str) -> None:
    asked = replace(unit(("right", "n == 5", "accept")), files=((name, "class Out {}"),))
    judged = key.judge(asked, Hooks())["0"]
    assert (judged.verdict, judged.reason) == ("undecided", "parse_error")


def test_an_array_of_three_thousand_elements_ends(installation: KeyInstallation) -> None:
    log = list(range(3000))
    about = scene(log, outcome("right", 5, 5, log))
    key = Key(lambda: installation, VerdictCache(None), KeySettings(seconds=2.0))
    questions: list[tuple[str, str, Polarity]] = [
        ("right", r"(\forall int i; 0 <= i && i < log.length - 1; log[i] < log[i + 1])", "accept"),
        ("right", r"\result == 5", "accept"),
    ]
    try:
        judgements = key.judge(unit(*questions, about=about), Hooks())
    finally:
        key.close()
    for judged in judgements.values():
        assert judged.verdict == "accepted" or (judged.verdict, judged.reason) == ("undecided", "timeout")
        assert "\n" not in judged.detail


def test_nothing_is_installed_while_the_cache_knows_all(installation: KeyInstallation, tmp_path: Path) -> None:
    asked = unit(("right", "n == 5", "accept"), ("m0", "n / 0 == 1", "accept"), ("m0", r"\result == 5", "refute"))
    with VerdictCache(tmp_path / "verdicts") as cache:
        first = Key(lambda: installation, cache, PATIENT)
        judged = first.judge(asked, Hooks())
        first.close()

        def refuse() -> KeyInstallation:
            raise VerifierProblem("not wanted")

        told: list[int] = []
        second = Key(refuse, cache, PATIENT)
        again = second.judge(asked, Hooks(told.append))
        assert again == {name: replace(judgement, cached=True) for name, judgement in judged.items()}
        assert (sum(told), second.tally.cached, second.tally.processes) == (3, 3, 0)
        with pytest.raises(VerifierProblem, match="not wanted"):
            second.judge(unit(("right", "n == 6", "refute")), Hooks())
        second.close()


def test_more_time_asks_again_what_was_left_open(installation: KeyInstallation, tmp_path: Path) -> None:
    asked = unit(("right", "endless(n) == 5", "accept"))
    with VerdictCache(tmp_path / "verdicts") as cache:
        processes = []
        for seconds in (0.5, 0.5, 1.0):
            key = Key(lambda: installation, cache, KeySettings(seconds=seconds))
            assert key.judge(asked, Hooks())["0"].reason == "timeout"
            processes.append(key.tally.processes)
            key.close()
        assert processes == [1, 0, 1]


def java_processes() -> set[int]:
    """The Java processes that this one has started and that still run."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if int(fields[1]) == os.getpid() and b"clausefit.key.Main" in command and fields[0] != "Z":
            found.add(int(folder.name))
    return found


def when_started(act: Callable[[int], None], known: set[int], times: int) -> threading.Thread:
    """Does ``act`` to each Java process that starts from now on, until it was done that often."""

    def watch() -> None:
        done: set[int] = set()
        deadline = time.monotonic() + 120
        while len(done) < times and time.monotonic() < deadline:
            for pid in java_processes() - known - done:
                act(pid)
                done.add(pid)
            time.sleep(0.02)

    thread = threading.Thread(target=watch)
    thread.start()
    return thread


@pytest.mark.parametrize(
    ("kills", "verdicts"),
    [
        pytest.param(1, {("accepted", "")}, id="once: asked again in a new process"),
        pytest.param(2, {("undecided", "crash")}, id="twice: undecided"),
    ],
)
def test_a_process_that_is_killed_from_outside(
    installation: KeyInstallation, kills: int, verdicts: set[tuple[str, str]]
) -> None:
    key = Key(lambda: installation, VerdictCache(None), PATIENT)
    killer = when_started(lambda pid: os.kill(pid, signal.SIGKILL), java_processes(), kills)
    try:
        judgements = key.judge(unit(("right", "n == 5", "accept")), Hooks())
        assert {(j.verdict, j.reason) for j in judgements.values()} == verdicts
        killer.join()
        assert key.judge(unit(("right", r"\result == 5", "accept")), Hooks())["0"].verdict == "accepted"
    finally:
        killer.join()
        key.close()


def test_too_little_memory_is_said_in_one_line(installation: KeyInstallation) -> None:
    key = Key(lambda: installation, VerdictCache(None), KeySettings(memory_megabytes=20))
    try:
        judged = key.judge(unit(("right", "n == 5", "accept")), Hooks())["0"]
    finally:
        key.close()
    assert (judged.verdict, judged.reason) == ("undecided", "crash")
    assert "memory" in judged.detail
    assert "\n" not in judged.detail


def test_a_cancelled_run_ends_and_keeps_what_was_decided(installation: KeyInstallation, tmp_path: Path) -> None:
    cancel, others = threading.Event(), java_processes()
    questions: list[tuple[str, str, Polarity]] = [("right", f"n != {n + 10}", "accept") for n in range(200)]
    with VerdictCache(tmp_path / "verdicts") as cache:
        key = Key(lambda: installation, cache, PATIENT, cancel)
        with pytest.raises(Cancelled):
            key.judge(unit(*questions), Hooks(lambda n: cancel.set()))
        key.close()
        assert java_processes() == others
        again = Key(lambda: installation, cache, PATIENT)
        judgements = again.judge(unit(*questions), Hooks())
        again.close()
        assert set(all_of(judgements)) == {"accepted"}
        assert 0 < again.tally.cached < len(questions)


def test_threads_share_one_verifier(installation: KeyInstallation) -> None:
    key = Key(lambda: installation, VerdictCache(None), PATIENT)
    found: dict[int, list[str]] = {}

    def judge(n: int) -> None:
        found[n] = all_of(key.judge(unit(("right", f"n == {n}", "refute"), ("m0", f"n < {n}", "accept")), Hooks()))

    threads = [threading.Thread(target=judge, args=(n,)) for n in range(3, 7)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        key.close()
    assert found == {
        n: ["accepted" if n == 5 else "rejected", "accepted" if n > 4 else "rejected"] for n in range(3, 7)
    }
    assert key.tally.processes == 1


def without(name: str) -> Callable[..., Completed]:
    """Runs programs as ever, but as if the one of that name were not there."""

    def run(argv: list[str], **options: object) -> Completed:
        if Path(argv[0]).name == name:
            raise ToolMissing(argv[0])
        return process.run(argv, **options)  # type: ignore[arg-type]

    return run


@pytest.mark.parametrize(
    ("missing", "says"),
    [
        pytest.param("java", "java was not found: install a JDK", id="no Java"),
        pytest.param("mvn", "mvn was not found: install Maven", id="jars cannot be fetched"),
    ],
)
def test_what_is_missing_is_said_in_one_line(tmp_path: Path, missing: str, says: str) -> None:
    key = Key(lambda: install(cache=tmp_path, run=without(missing)), VerdictCache(None), PATIENT)
    with pytest.raises(VerifierProblem) as problem:
        key.judge(unit(("right", "n == 5", "accept")), Hooks())
    key.close()
    assert str(problem.value).startswith(says)
    assert "\n" not in str(problem.value)


def test_information_starts_nothing() -> None:
    def refuse() -> KeyInstallation:
        raise VerifierProblem("not wanted")

    key = Key(refuse, VerdictCache(None), PATIENT)
    info = key.info()
    key.close()
    assert (info.name, info.version, info.provers[0]) == ("key", "2.12.3", "key")
