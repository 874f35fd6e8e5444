"""The Java driver and its Python side on the real KeY.

Without Java and Maven these tests fail (with the line that says what to install); they are not skipped.
"""

import os
import signal
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from clausefit.verifiers.key_driver import KeyDriver, KeyQuestion, KeyScene, KeySkeleton
from clausefit.verifiers.key_tools import KeyInstallation, install
from clausefit.verifiers.process import Cancelled
from clausefit.verifiers.protocol import Judgement, Polarity

ACCOUNT = r"""
public class Account {
    public int balance; public long total; public /*@ nullable @*/ Account next;
    public static final int STEP = 3;
    public /*@ pure @*/ static boolean even(int x) { return x % 2 == 0; }
    public /*@ pure @*/ static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
    public /*@ pure @*/ static int successor(int n) { return n + 1; }
    public /*@ pure helper @*/ int get() { return balance; }
    public /*@ pure @*/ static int len(String s) { return s.length(); }
}
"""
INTS = (("int", "x"), ("int", "y"))
ARRAY = (("int[]", "a"),)
A123 = r"a != null && a.length == 3 && a[0] == 1 && a[1] == 2 && a[2] == 3"
TEXT = (("java.lang.String", "s"),)
ABC = r's != null && s == "abc"'
STATE = r"\old(balance) == 10 && balance == 15 && \old(total) == 5000000000L && total == 5000000001L && next == null"
THROWN = r"exc != null && \typeof(exc) == \type(java.lang.IllegalArgumentException)"
QUIET = r"exc == null && \result == 4"

SCENES = {
    "ints": KeyScene("Account", r"x == 5 && y == -7 && \result == 6", (), INTS, "int", is_static=True, pure=True),
    "border": KeyScene("Account", r"x == 2147483647 && y == 65536 && \result == -2147483648", (), INTS, "int"),
    "long": KeyScene("Account", r"n == 5000000000L && \result == n", (), (("long", "n"),), "long", pure=True),
    "char": KeyScene("Account", r"c == 'x' && \result == true", (), (("char", "c"),), "boolean", pure=True),
    "array": KeyScene("Account", A123, (), ARRAY, "int", is_static=True, pure=True),
    "new array": KeyScene(
        "Account", A123 + r" && \result != null && \result.length == 1 && \result[0] == 6", (), ARRAY, "int[]"
    ),
    "string": KeyScene("Account", ABC, (), TEXT, is_static=True, pure=True),
    "state": KeyScene("Account", STATE, (), INTS),
    "thrown": KeyScene("Account", THROWN, (), (), exception=("java.lang.Throwable", "exc")),
    "returned": KeyScene("Account", QUIET, (), (), "int", exception=("java.lang.Throwable", "exc")),
    "null": KeyScene("Account", r"s == null && \result == null", (), TEXT, "java.lang.String", pure=True),
}

RIGHT = "accepted"
WRONG = "rejected"
UNKNOWN = "undecided"

# Scene, clause, what executing the clause gives, why it is here.
CLAUSES = [
    ("ints", r"\result == x + 1", RIGHT, "int right"),
    ("ints", r"\result == x", WRONG, "int wrong"),
    ("ints", r"\result >= x && y < 0", RIGHT, "int bounds"),
    ("ints", r"y / 2 == -3 && y % 2 == -1", RIGHT, "division truncates"),
    ("ints", r"y / 2 == -4", WRONG, "division does not floor"),
    ("ints", r"(x ^ 1) == 4 && (x & 3) == 1 && (x << 2) == 20 && (y >> 1) == -4", RIGHT, "bits"),
    ("ints", r"(x | 8) == 12", WRONG, "bits wrong"),
    ("ints", r"(x) + 1 * 2 == 7 && (x) - (y) == 12", RIGHT, "names in parentheses before a sign are no casts"),
    ("ints", r"even(x)", WRONG, "pure method"),
    ("ints", r"factorial(x) == 120", RIGHT, "recursive method"),
    ("ints", r"\result == x + STEP", WRONG, "constant"),
    ("ints", r"\old(x) == x", RIGHT, "old of a parameter"),
    ("border", r"x + 1 < x && \result == x + 1", RIGHT, "overflow wraps"),
    ("border", r"x + 1 > x", WRONG, "overflow wraps, wrong"),
    ("border", r"y * y == 0 && (long) y * y == 4294967296L", RIGHT, "overflow of a product, and none in long"),
    ("border", r"successor(x) == x + 1", RIGHT, "code and clause in one arithmetic"),
    ("long", r"\result > 4294967296L", RIGHT, "long"),
    ("long", r"\result == n + 1", WRONG, "long wrong"),
    ("char", r"'a' <= c && c <= 'z' && c == 120", RIGHT, "char"),
    ("char", r"c == 'y'", WRONG, "char wrong"),
    ("char", r"\result <==> c == 'x'", RIGHT, "boolean"),
    ("char", r"!\result", WRONG, "boolean wrong"),
    ("array", r"a[a.length - 1] == 3", RIGHT, "array"),
    ("array", r"(\forall int i; 0 <= i && i < a.length - 1; a[i] < a[i + 1])", RIGHT, "forall"),
    ("array", r"(\forall int i; 0 <= i && i < a.length; a[i] < 3)", WRONG, "forall wrong"),
    ("array", r"(\exists int i; 0 <= i && i < a.length; a[i] == 2)", RIGHT, "exists"),
    ("array", r"(\exists int i; 0 <= i && i < a.length; a[i] == 9)", WRONG, "exists wrong"),
    ("array", r"(\sum int i; 0 <= i && i < a.length; a[i]) == 6", RIGHT, "sum"),
    ("array", r"(\sum int i; 0 <= i && i < a.length; a[i]) == 7", WRONG, "sum wrong"),
    ("array", r"(\num_of int i; 0 <= i && i < a.length; a[i] > 1) == 2", RIGHT, "num_of"),
    ("array", r"(\num_of int i; 0 <= i && i < a.length; a[i] > 1) == 3", WRONG, "num_of wrong"),
    ("new array", r"\result[0] == a[0] + a[1] + a[2]", RIGHT, "array as a result"),
    ("new array", r"\result.length == a.length", WRONG, "array as a result, wrong"),
    ("string", r"s.length() == 3", RIGHT, "length"),
    ("string", r"s.length() > 3", WRONG, "length wrong"),
    ("string", r"s.charAt(1) == 'b'", RIGHT, "charAt"),
    ("string", r"s.charAt(1) == 'c'", WRONG, "charAt wrong"),
    ("string", r's.equals("abc")', RIGHT, "equals"),
    ("string", r's.equals("abd")', WRONG, "equals wrong"),
    ("ints", r'len("it\'s") == 4 && len("\s\'") == 2', RIGHT, "escapes in a string"),
    ("ints", r'len("it\'s") == 5', WRONG, "an escape is one character"),
    ("ints", r'len("\101\u0041\7") + x == 7 + len("")', UNKNOWN, "a character that cannot be written without escape"),
    ("ints", r'len("\101\u0041") == 2 && len("\0631") == 2', RIGHT, "octal and Unicode escapes"),
    ("state", r"balance == \old(balance) + 5", RIGHT, "old of a field"),
    ("state", r"balance == \old(balance)", WRONG, "old of a field, wrong"),
    ("state", r"total == \old(total) + 1 && this.next == null", RIGHT, "long field, null field"),
    ("state", r"get() == 15 && \old(get()) == 10", RIGHT, "method in both states"),
    ("thrown", r"exc instanceof java.lang.IllegalArgumentException", RIGHT, "exception"),
    ("thrown", r"exc instanceof java.lang.NullPointerException", WRONG, "other exception"),
    ("thrown", r"exc == null", WRONG, "an exception is one"),
    ("returned", r"exc == null ==> \result == 4", RIGHT, "no exception"),
    ("null", r"\result == s", RIGHT, "null is null"),
    ("null", r"\result != null", WRONG, "null wrong"),
]


def key(scene: str, clauses: list[tuple[str, str, Polarity]]) -> KeyScene:
    """That scene with those questions, with so much time that a busy machine decides none of them."""
    pinned = SCENES[scene]
    asked = tuple(KeyQuestion(name, clause, expected) for name, clause, expected in clauses)
    return KeyScene(**{**pinned.__dict__, "questions": asked, "seconds": 20.0})


@pytest.fixture(scope="module")
def installation() -> KeyInstallation:
    return install()


@pytest.fixture(scope="module")
def driver(installation: KeyInstallation) -> Iterator[KeyDriver]:
    with KeyDriver(installation, memory_megabytes=1024) as made:
        yield made


@pytest.fixture(scope="module")
def account(tmp_path_factory: pytest.TempPathFactory) -> KeySkeleton:
    folder = tmp_path_factory.mktemp("account")
    (folder / "Account.java").write_text(ACCOUNT)
    return KeySkeleton(folder)


@pytest.fixture(scope="module")
def verdicts(driver: KeyDriver, account: KeySkeleton) -> dict[str, str]:
    """What KeY says of all clauses: every scene is asked once, half of the clauses from the wrong side first."""
    said: dict[str, str] = {}
    for scene in SCENES:
        asked: list[tuple[str, str, Polarity]] = [
            (why, clause, "accept" if n % 2 else "refute")
            for n, (s, clause, _, why) in enumerate(CLAUSES)
            if s == scene
        ]
        answer = driver.ask(account, key(scene, asked))
        assert not answer.contradictory, scene
        said.update({why: judgement.verdict for why, judgement in answer.judgements.items()})
    return said


@pytest.mark.parametrize(("expected", "why"), [pytest.param(expected, why, id=why) for _, _, expected, why in CLAUSES])
def test_a_clause_is_judged_as_its_execution_says(verdicts: dict[str, str], expected: str, why: str) -> None:
    assert verdicts[why] == expected


@pytest.mark.parametrize(
    ("clause", "says"),
    [
        pytest.param("x >== 3", "parse: 1:5", id="syntax"),
        pytest.param("x # 3", "parse: 1:3", id="unknown character"),
        pytest.param("", "parse: 1:1", id="nothing"),
        pytest.param("x == 5; true", "parse: the expression ends", id="two expressions"),
        pytest.param("x == 5)", "parse: ", id="bracket too many"),
        pytest.param("z == 3", "dropped: no `z` is known here", id="unknown name"),
        pytest.param("nothing(x) == 3", "type: Method nothing(int) not found", id="unknown method"),
        pytest.param("x + 1", "type: ", id="not boolean"),
        pytest.param("x && true", "type: ", id="int as boolean"),
        pytest.param("x == 5.0", "type: compares int with double", id="would be refuted although Java converts"),
        pytest.param("x == null", "type: compares int with null", id="int and null"),
        pytest.param('x == "a"', "type: compares int with java.lang.String", id="int and String"),
        pytest.param("x == true", "type: ", id="int and boolean"),
        pytest.param("(" * 3000 + "x" + ")" * 3000 + " == 5", "parse: more than 200 brackets", id="nested too deeply"),
    ],
)
def test_a_clause_that_key_does_not_take_touches_only_itself(
    driver: KeyDriver, account: KeySkeleton, clause: str, says: str
) -> None:
    answer = driver.ask(account, key("ints", [("bad", clause, "accept"), ("good", "x == 5", "accept")]))
    bad = answer.judgements["bad"]
    kind, _, message = says.partition(": ")
    if kind == "dropped":
        assert (bad.verdict, bad.reason, bad.detail) == ("undecided", "dropped", message)
    else:
        assert (bad.verdict, bad.reason) == ("undecided", "unsupported")
        assert bad.detail.startswith(f"KeY does not {kind} the clause: {message}")
    assert "\n" not in bad.detail
    assert answer.judgements["good"].verdict == "accepted"


def test_a_parenthesis_before_a_sign_is_a_cast_where_java_says_so(driver: KeyDriver, account: KeySkeleton) -> None:
    answer = driver.ask(account, key("ints", [("q", "(long) -x == -5", "accept")]))
    assert answer.judgements["q"] == Judgement("accepted", decided_by="key")


def test_contradictory_pins_are_reported(driver: KeyDriver, account: KeySkeleton) -> None:
    scene = KeyScene("Account", "x == 1 && x == 2", (KeyQuestion("q", "x == 9"),), INTS, is_static=True, pure=True)
    assert driver.ask(account, scene).contradictory


@pytest.mark.parametrize(
    ("scene", "says"),
    [
        pytest.param(KeyScene("Nowhere", "true", (KeyQuestion("q", "true"),)), "Nowhere", id="unknown class"),
        pytest.param(KeyScene("Account", "x ==", (KeyQuestion("q", "true"),), INTS), "pins", id="pins with an error"),
        pytest.param(KeyScene("Account", "w == 1", (KeyQuestion("q", "true"),), INTS), "pins", id="pins, unknown name"),
    ],
)
def test_a_scene_that_cannot_be_asked_is_undecided(
    driver: KeyDriver, account: KeySkeleton, scene: KeyScene, says: str
) -> None:
    judgement = driver.ask(account, scene).judgements["q"]
    assert (judgement.verdict, judgement.reason) == ("undecided", "unsupported")
    assert says in judgement.detail


def test_an_argument_that_key_takes_for_a_heap_is_refused(driver: KeyDriver, account: KeySkeleton) -> None:
    asked = (KeyQuestion("call", "even(heapSize)"), KeyQuestion("name", "heapSize == 4"))
    scene = KeyScene("Account", "heapSize == 4", asked, (("int", "heapSize"),), is_static=True, pure=True)
    judgements = driver.ask(account, scene).judgements
    assert judgements["call"].reason == "unsupported"
    assert judgements["name"].verdict == "accepted"


def test_mathematical_arithmetic_and_another_load_in_the_same_process(
    driver: KeyDriver, account: KeySkeleton, tmp_path: Path
) -> None:
    driver.ask(account, key("ints", [("q", "x == 5", "accept")]))
    process = driver.pid
    unbounded = KeySkeleton(account.folder, "bigint")
    asked: list[tuple[str, str, Polarity]] = [("q", "x + 1 > x", "accept"), ("code", "successor(x) > x", "accept")]
    answer = driver.ask(unbounded, key("border", asked))
    verdicts = {name: judgement.verdict for name, judgement in answer.judgements.items()}
    # The integers of clauses are mathematical then; those of code wrap around all the same.
    assert verdicts == {"q": "accepted", "code": "rejected"}
    (tmp_path / "Broken.java").write_text("public class Broken { int }")
    refused = driver.ask(KeySkeleton(tmp_path), key("ints", [("q", "x == 5", "accept")])).judgements["q"]
    assert (refused.verdict, refused.reason) == ("undecided", "parse_error")
    assert driver.ask(account, key("border", [("q", "x + 1 > x", "accept")])).judgements["q"].verdict == "rejected"
    assert driver.pid == process


def test_a_process_killed_in_the_middle_costs_only_the_scene_under_way(
    installation: KeyInstallation, account: KeySkeleton
) -> None:
    with KeyDriver(installation) as driver:
        assert driver.ask(account, key("ints", [("q", "x == 5", "accept")])).judgements["q"].verdict == "accepted"
        process = driver.pid
        assert process is not None
        threading.Timer(0.05, os.kill, (process, signal.SIGKILL)).start()
        many: list[tuple[str, str, Polarity]] = [(str(n), f"factorial(x) == {n}", "refute") for n in range(500)]
        judgements = driver.ask(account, key("ints", many)).judgements
        assert len(judgements) == 500
        assert {(j.verdict, j.reason) for j in judgements.values()} == {("undecided", "crash")}
        assert driver.ask(account, key("ints", [("q", "x == 5", "accept")])).judgements["q"].verdict == "accepted"
        assert driver.starts == 2


def test_too_little_memory_is_said_and_the_next_scene_is_served(
    installation: KeyInstallation, account: KeySkeleton
) -> None:
    with KeyDriver(installation, memory_megabytes=20) as driver:
        for _ in range(2):
            judgement = driver.ask(account, key("ints", [("q", "x == 5", "accept")])).judgements["q"]
            assert (judgement.verdict, judgement.reason) == ("undecided", "crash")
            assert "memory" in judgement.detail


def test_a_cancelled_run_leaves_no_process(installation: KeyInstallation, account: KeySkeleton) -> None:
    cancel = threading.Event()
    with KeyDriver(installation, cancel=cancel) as driver:
        threading.Timer(0.3, cancel.set).start()
        with pytest.raises(Cancelled):
            driver.ask(account, key("ints", [("q", "x == 5", "accept")]))
        assert driver.pid is None


def test_a_search_that_forgets_the_clock_costs_its_own_question_only(
    installation: KeyInstallation, account: KeySkeleton, tmp_path: Path
) -> None:
    """By all contracts of KeY's own library, looking for a rule for ``indexOf`` of a string never ends."""
    jar = next(path for path in installation.class_path if path.name.startswith("key.core-"))
    inner = "de/uka/ilkd/key/java/JavaRedux/"
    with zipfile.ZipFile(jar) as archive:
        archive.extractall(tmp_path, [name for name in archive.namelist() if name.startswith(inner)])
    whole = replace(installation, libraries={"all": tmp_path / inner})
    texts = ((r"java.lang.String", "s"), ("java.lang.String", "t"))
    facts = r"s != null && \dl_strContent(s) == \seq(97, 98) && t != null && \dl_strContent(t) == \seq(98)"
    asked = [("first", r"s != null"), ("stuck", r"s.indexOf(t) == 1"), ("last", r"t != null")]
    questions = tuple(KeyQuestion(name, clause) for name, clause in asked)
    with KeyDriver(whole) as driver:
        scene = KeyScene("Account", facts, questions, texts, is_static=True, pure=True, seconds=1.0)
        found = driver.ask(account, scene).judgements
        assert (found["first"].verdict, found["last"].verdict) == ("accepted", "accepted")
        assert (found["stuck"].verdict, found["stuck"].reason) == ("undecided", "timeout")
        assert driver.ask(account, key("ints", [("q", "x == 5", "accept")])).judgements["q"].verdict == "accepted"


def test_a_scene_does_not_see_what_another_one_assumed(driver: KeyDriver, account: KeySkeleton) -> None:
    """Scenes of a class are branches of one proof; these two name a variable of one name and two types."""
    for pins, kind, right in (("x == 5", "int", "x == 5"), ("x == 7L", "long", "x == 7"), ("true", "int", "x == x")):
        scene = KeyScene("Account", pins, (), ((kind, "x"),), is_static=True, pure=True)
        asked = (KeyQuestion("right", right), KeyQuestion("other", "x == 5", one_sided=True))
        found = driver.ask(account, replace(scene, questions=asked)).judgements
        assert found["right"].verdict == "accepted", pins
        assert found["other"].verdict == ("accepted" if pins == "x == 5" else "undecided"), pins


def test_contradictory_pins_of_one_scene_prove_nothing_in_the_next(driver: KeyDriver, account: KeySkeleton) -> None:
    bad = driver.ask(account, replace(key("ints", [("q", "x == 6", "accept")]), pins="x == 5 && x == 6"))
    assert bad.contradictory
    good = driver.ask(account, key("ints", [("q", "x == 6", "accept")]))
    assert not good.contradictory
    assert good.judgements["q"].verdict == "rejected"
