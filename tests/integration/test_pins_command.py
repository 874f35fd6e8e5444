"""``clausefit pins list|show|prune`` as a user runs it, on files as the recorder stores them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from clausefit.hook.pins.pin_folder import PinFolder
from clausefit.hook.pins.stored import StoredPin
from clausefit.hook.pins.values import (
    Array,
    Block,
    Failed,
    Floating,
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
)
from clausefit.hook.record.bodies import bodies_in
from clausefit.hook.snapshots import WorkingTreeSnapshot
from running import Command, Repository

BANK = "src/bank.c"
BANK_FILE = ".clausefit/pins/src/bank.c.yaml"
BANK_TEXT = r"""
struct account { int balance; char owner[8]; };

/*@ requires \valid(a); ensures a->balance == \old(a->balance) - n; assigns a->balance; */
int withdraw(struct account *a, int n) { if (n < 0) abort(); a->balance -= n; return a->balance; }

/*@ ensures \result >= 0; */
int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }

double half(double x) { return x / 2; }
"""
BANK_TEST = """
static void test_withdraw(void **state) { for (int i = 0; i < 30; i++) check(i); }
static void test_overdraw(void **state) { check(-1); }
static void test_sum(void **state) { check_sums(); }
"""
COUNTER = "src/p/Counter.java"
COUNTER_TEXT = """
package p;
public class Counter {
    private int count;
    private static int made;
    public Counter(int start) { count = start; made++; }
    public int add(int n) { if (n < 0) throw new IllegalArgumentException(); count += n; return count; }
    public String name(String prefix) { return prefix + count; }
}
"""


def num(value: int, type_name: str = "int") -> Integer:
    return Integer(value, type_name, 8 if type_name == "char" else 32, True)


def account(balance: int) -> Struct:
    owner = Array("char", tuple(num(ord(letter), "char") for letter in "joe\0\0\0\0\0"))
    return Struct("struct account", (("balance", num(balance)), ("owner", owner)))


def withdraw(balance: int, n: int) -> Pin:
    blocks = (Block("a", "a", account(balance)),)
    outcome = Returned(num(balance - n), (("a", account(balance - n)),)) if n >= 0 else Failed("abort")
    test = "test_withdraw" if n >= 0 else "test_overdraw"
    arguments = (("a", Pointer("a", (), "struct account *")), ("n", num(n)))
    return Pin("withdraw", arguments, blocks, outcome, Origin("recorded", test, "tests/test_bank.c", 2))


def total(*numbers: int) -> Pin:
    values = Array("int", tuple(map(num, numbers)))
    arguments = (("a", Pointer("a", (0,), "const int *")), ("n", num(len(numbers))))
    outcome = Returned(num(sum(numbers)), (("a", values),))
    return Pin(
        "sum", arguments, (Block("a", "a", values),), outcome, Origin("recorded", "test_sum", "tests/test_bank.c", 4)
    )


def half(number: float) -> Pin:
    one, other = (Floating.of(value, "double", 64) for value in (number, number / 2))
    return Pin("half", (("x", one),), (), Returned(other, ()), Origin("recorded", "test_sum", "tests/test_bank.c", 4))


def counter(value: int) -> Struct:
    return Struct("p.Counter", (("count", num(value)),))


JAVA_ORIGIN = Origin("recorded", "CounterTest.adds", "src/p/CounterTest.java", 5)
JAVA_PINS = [
    Pin(
        "Counter.add(int)",
        (("this", Pointer("this", (), "p.Counter")), ("n", num(2))),
        (Block("this", "this", counter(1)),),
        Returned(num(3), (("this", counter(3)),)),
        JAVA_ORIGIN,
    ),
    Pin(
        "Counter.add(int)",
        (("this", Pointer("this", (), "p.Counter")), ("n", num(-1))),
        (Block("this", "this", counter(1)),),
        Failed("exception", "java.lang.IllegalArgumentException", (("this", counter(1)),)),
        JAVA_ORIGIN,
    ),
    Pin(
        "Counter.name(String)",
        (("this", Pointer("this", (), "p.Counter")), ("prefix", Text("\x1b[2J\ud800"))),
        (Block("this", "this", counter(1)),),
        Returned(Null("java.lang.String"), (("this", counter(1)),)),
        JAVA_ORIGIN,
    ),
    Pin(
        "Counter.Counter(int)",
        (("start", num(7)),),
        (Block("made", "made", num(0), program="p.Counter.made"),),
        Returned(Pointer("new", (), "p.Counter"), (("made", num(1)), ("new", counter(7)))),
        JAVA_ORIGIN,
    ),
]


def store(command: Command, source: str, pins: list[Pin]) -> None:
    """As a recording of the state that lies there does."""
    bodies = bodies_in(WorkingTreeSnapshot(command.folder))

    def kept(pin: Pin) -> StoredPin:
        body = bodies.function(source, pin.function)
        test = bodies.test(pin.origin.file, pin.origin.test)
        assert body is not None and test is not None
        return StoredPin(pin, body, test)

    assert PinFolder(command.folder).replace(source, [kept(pin) for pin in pins]) == ()


@pytest.fixture
def project(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "project", tmp_path / "cache")
    made.write(BANK, BANK_TEXT)
    made.write("tests/test_bank.c", BANK_TEST)
    made.write(COUNTER, COUNTER_TEXT)
    made.write("src/p/CounterTest.java", "package p; class CounterTest { @Test void adds() { check(1); } }")
    store(made, BANK, [withdraw(100, 30), withdraw(100, 0), withdraw(100, -1), total(1, 2), half(0.5)])
    store(made, COUNTER, JAVA_PINS)
    return made


def said(command: Command, *arguments: str, status: int = 0) -> list[str]:
    """The lines of ``clausefit pins`` when nothing is wrong, or the one line of what is."""
    ran = command.run("pins", *arguments)
    assert ran.status == status, ran.err
    if status:
        return [ran.says_one_line()]
    assert not ran.err
    return ran.out.splitlines()


def test_list_counts_calls_and_tests_of_each_function(project: Repository) -> None:
    assert said(project, "list") == [
        "src/bank.c",
        "  half: 1 call from 1 test",
        "  sum: 1 call from 1 test",
        "  withdraw: 3 calls from 2 tests",
        "src/p/Counter.java",
        "  Counter.Counter(int): 1 call from 1 test",
        "  Counter.add(int): 2 calls from 1 test",
        "  Counter.name(String): 1 call from 1 test",
        "9 calls of 6 functions in 2 sources",
    ]


def test_show_tells_every_call_on_a_line(project: Repository) -> None:
    assert said(project, "show") == [
        "src/bank.c",
        "  half(x = 0.5) = 0.25  (test_sum, tests/test_bank.c:4)",
        "  sum(a = {1, 2}, n = 2) = 3  (test_sum, tests/test_bank.c:4)",
        '  withdraw(*a = {.balance = 100, .owner = "joe"}, n = -1) aborts  (test_overdraw, tests/test_bank.c:2)',
        '  withdraw(*a = {.balance = 100, .owner = "joe"}, n = 0) = 100  (test_withdraw, tests/test_bank.c:2)',
        '  withdraw(*a = {.balance = 100, .owner = "joe"}, n = 30) = 70, *a = {.balance = 70, .owner = "joe"}'
        " afterwards  (test_withdraw, tests/test_bank.c:2)",
        "src/p/Counter.java",
        "  Counter.Counter(start = 7, p.Counter.made = 0) returns, this = Counter{count: 7}, p.Counter.made = 1"
        " afterwards  (CounterTest.adds, src/p/CounterTest.java:5)",
        "  Counter.add(this = Counter{count: 1}, n = -1) throws java.lang.IllegalArgumentException"
        "  (CounterTest.adds, src/p/CounterTest.java:5)",
        "  Counter.add(this = Counter{count: 1}, n = 2) = 3, this = Counter{count: 3} afterwards"
        "  (CounterTest.adds, src/p/CounterTest.java:5)",
        '  Counter.name(this = Counter{count: 1}, prefix = "\\u001b[2J\\ud800") = null'
        "  (CounterTest.adds, src/p/CounterTest.java:5)",
    ]


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        pytest.param("src/bank.c", 5, id="source"),
        pytest.param("./src/bank.c", 5, id="source as a shell completes it"),
        pytest.param("withdraw", 3, id="C function"),
        pytest.param("Counter.add(int)", 2, id="Java signature"),
        pytest.param("Counter.add", 2, id="Java method"),
        pytest.param("add", 2, id="Java method without its class"),
        pytest.param("Counter", 1, id="constructor"),
    ],
)
def test_show_of_a_source_or_function(project: Repository, wanted: str, count: int) -> None:
    lines = said(project, "show", wanted)
    assert sum(line.startswith("  ") for line in lines) == count
    assert len(lines) == count + 1


def test_a_source_is_found_from_the_folder_that_it_lies_in(project: Repository) -> None:
    ran = project.run("pins", "show", "bank.c", cwd=project.folder / "src")
    assert (ran.status, len(ran.out.splitlines())) == (0, 6)


def test_what_has_no_calls_is_told(project: Repository) -> None:
    assert said(project, "show", "deposit", status=2) == [
        "clausefit: no recorded calls of deposit: `clausefit pins list` says of what there are some"
    ]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        pytest.param("src/bank.c", ["src/bank.c", "half", "sum", "withdraw", "5 calls"], id="source"),
        pytest.param("add", ["src/p/Counter.java", "Counter.add(int)", "2 calls"], id="Java method"),
    ],
)
def test_list_of_a_source_or_function(project: Repository, wanted: str, expected: list[str]) -> None:
    lines = said(project, "list", wanted)
    assert len(lines) == len(expected)
    assert all(line.strip().startswith(start) for line, start in zip(lines, expected, strict=True))


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        pytest.param("withdraw", "removed 3 stale calls, 2 calls left", id="C function"),
        pytest.param("src/bank.c", "removed 5 stale calls, none is left, the file is removed", id="source"),
        pytest.param("half", "removed 1 stale call, 4 calls left", id="another function"),
    ],
)
def test_prune_of_a_source_or_function_leaves_the_rest(project: Repository, wanted: str, text: str) -> None:
    (project.folder / "tests/test_bank.c").unlink()
    (project.folder / "src/p/CounterTest.java").unlink()
    assert said(project, "prune", wanted) == [f"src/bank.c: {text}"]
    assert said(project, "list")[-1].startswith(f"{9 - int(text.split()[1])} calls of")


def test_prune_of_what_has_no_calls_is_told(project: Repository) -> None:
    assert said(project, "prune", "deposit", status=2) == [
        "clausefit: no recorded calls of deposit: nothing was removed"
    ]


def test_overloads_are_told_apart_by_their_types(project: Repository) -> None:
    project.write(COUNTER, COUNTER_TEXT.replace("public String", "public long add(long n) { return n; } public String"))
    long_one = replace(JAVA_PINS[0], function="Counter.add(long)")
    store(project, COUNTER, [JAVA_PINS[0], long_one, JAVA_PINS[2]])
    shown = [line.split(" = 3")[0] for line in said(project, "show", "src/p/Counter.java")[1:]]
    assert shown[:2] == [
        "  Counter.add(this = Counter{count: 1}, int n = 2)",
        "  Counter.add(this = Counter{count: 1}, long n = 2)",
    ]
    assert shown[2].startswith("  Counter.name(this")


def hidden_values(project: Repository) -> list[Value]:
    pins = [one.pin for one in PinFolder(project.folder).read(BANK)]
    return [dict(pin.arguments)["n"] for pin in pins if pin.function == "withdraw"]


SECRET = "record:\n  exclude: [sum]\n  exclude_parameters: [withdraw.n]\n"


def test_what_is_excluded_now_is_not_shown_and_pruned(project: Repository) -> None:
    project.write(".clausefit.yaml", SECRET)
    shown = project.run("pins", "show")
    assert "sum(" not in shown.out and "n = 30" not in shown.out and "half(" in shown.out
    assert "4 stored calls are not shown as they lie there" in shown.says_one_line()
    assert "sum" not in project.run("pins", "list").out
    assert num(30) in hidden_values(project)
    (pruned,) = said(project, "prune")
    assert pruned == (
        "src/bank.c: removed 1 stored call of functions that are excluded, hid what is excluded in 3 stored calls, "
        "4 calls left"
    )
    assert hidden_values(project) == [Unknown("int")] * 3
    assert [one.pin.function for one in PinFolder(project.folder).read(BANK)] == ["half", *["withdraw"] * 3]
    assert said(project, "prune") == ["nothing to prune: no recorded call is stale or excluded"]
    assert not project.run("pins", "show").err


@pytest.mark.parametrize("action", ["list", "show"])
def test_without_recorded_calls_it_says_how_to_get_some(tmp_path: Path, action: str) -> None:
    (line,) = said(Repository(tmp_path / "empty", tmp_path / "cache"), action)
    assert line.startswith("no recorded calls: run `clausefit record -- CMD`")


@pytest.mark.parametrize(
    ("path", "old", "new", "stale", "why"),
    [
        pytest.param(
            BANK, "n < 0)", "n <= 0)", 3, "the function, or code that it names, changed", id="function changed"
        ),
        pytest.param(
            BANK, "int withdraw(", "int take(", 3, "no function of this name is there any more", id="function renamed"
        ),
        pytest.param(BANK, "-= n;", "-= n; /* spend */", 0, "", id="comment added"),
        pytest.param(BANK, r"\old(a->balance) - n", r"\old(a->balance)", 0, "", id="contract changed"),
        pytest.param("tests/test_bank.c", "i < 30", "i < 31", 2, "the test changed", id="test changed"),
        pytest.param("tests/test_bank.c", None, None, 5, "tests/test_bank.c is gone", id="test removed"),
        pytest.param(BANK, None, None, 5, "src/bank.c is gone", id="source removed"),
    ],
)
def test_what_changed_makes_calls_stale_and_prune_removes_just_those(
    project: Repository, path: str, old: str | None, new: str | None, stale: int, why: str
) -> None:
    file = project.folder / path
    if old is None or new is None:
        file.unlink()
    else:
        assert file.read_text().count(old) == 1
        project.write(path, file.read_text().replace(old, new))
    listed = said(project, "list")
    assert sum(int(line.split(", ")[1].split()[0]) for line in listed if f"stale ({why})" in line) == stale
    assert (f"{stale} stale: record them again" in listed[-1]) == bool(stale)
    assert sum(f"[stale: {why}]" in line for line in said(project, "show", BANK)) == stale

    (pruned,) = said(project, "prune")
    left = 5 - stale
    if not stale:
        assert pruned == "nothing to prune: no recorded call is stale or excluded"
    elif path == BANK and old is None:
        assert pruned == f"src/bank.c: removed {BANK_FILE}, since the source is gone"
    elif left:
        assert pruned == f"src/bank.c: removed {stale} stale calls, {left} calls left"
    else:
        assert pruned == f"src/bank.c: removed {stale} stale calls, none is left, the file is removed"
    assert (project.folder / BANK_FILE).exists() == bool(left)
    assert len(PinFolder(project.folder).read(BANK)) == left
    assert said(project, "prune") == ["nothing to prune: no recorded call is stale or excluded"]
    assert len(PinFolder(project.folder).read(COUNTER)) == len(JAVA_PINS)


def test_a_source_that_cannot_be_read_is_not_pruned(project: Repository) -> None:
    (project.folder / BANK).unlink()
    (project.folder / BANK).symlink_to("/etc/hostname")
    assert "stale (src/bank.c is a link out of the workspace)" in said(project, "list")[1]
    assert said(project, "prune") == ["nothing to prune: no recorded call is stale or excluded"]
    assert len(PinFolder(project.folder).read(BANK)) == 5


@pytest.mark.parametrize("action", ["list", "show", "prune"])
def test_a_broken_file_is_one_line_and_the_others_are_still_looked_at(project: Repository, action: str) -> None:
    project.write(BANK_FILE, "schema: 1\nsource: src/bank.c\nfunctions: [}\n")
    project.write(COUNTER, COUNTER_TEXT.replace("count += n", "count -= n"))
    ran = project.run("pins", action)
    assert ran.status == 2
    assert ran.says_one_line().startswith(f"clausefit: {BANK_FILE}:3: not YAML")
    assert "src/p/Counter.java" in ran.out
    assert (project.folder / BANK_FILE).read_text().endswith("[}\n")


@pytest.mark.parametrize("action", ["list", "show", "prune"])
def test_a_folder_that_is_a_link_is_one_line(project: Repository, tmp_path: Path, action: str) -> None:
    (project.folder / ".clausefit").rename(tmp_path / "elsewhere")
    (project.folder / ".clausefit").symlink_to(tmp_path / "elsewhere")
    assert ".clausefit: it is a link" in said(project, action, status=2)[0]
    assert len(list((tmp_path / "elsewhere").rglob("*.yaml"))) == 2


def test_a_terminal_that_has_few_letters_gets_escapes(project: Repository) -> None:
    text = "naïve ☺"
    value: Value = Text(text)
    pin = Pin("Counter.name(String)", (("prefix", value),), (), Returned(value, ()), JAVA_ORIGIN)
    store(project, COUNTER, [pin])
    assert f'= "{text}"' in project.run("pins", "show", "name").out
    assert r'= "na\xefve \u263a"' in project.run("pins", "show", "name", env={"PYTHONIOENCODING": "ascii"}).out


def test_it_works_outside_of_git(tmp_path: Path) -> None:
    command = Command(tmp_path / "plain", tmp_path / "cache")
    command.write(BANK, BANK_TEXT)
    command.write("tests/test_bank.c", BANK_TEST)
    store(command, BANK, [total(1, 2)])
    assert said(command, "list") == ["src/bank.c", "  sum: 1 call from 1 test", "1 call of 1 function in 1 source"]
