"""How the time of a run is written, from when it counts and how it is shared out; work that has to end in time."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from clausefit.hook.budget import Budget, process_start, seconds_of
from clausefit.hook.in_time import InTime, Stop, started
from clausefit.verifiers.process import Cancelled


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        pytest.param("1", 1.0, id="least"),
        pytest.param("2.5", 2.5, id="decimal"),
        pytest.param("86400", 86400.0, id="a-day"),
        pytest.param("20.000001", 20.000001, id="six-places"),
    ],
)
def test_seconds(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize(
    "text", ["", "0", "0.5", "86400.1", "-1", "1e3", "nan", "inf", "1_0", "٣", " 5", "5\n", "0x10", ".5", "9" * 5000]
)
def test_what_is_no_number_of_seconds(text: str) -> None:
    with pytest.raises(ValueError, match=r"^is not a number of seconds from 1 to 86400$"):
        seconds_of(text)


@pytest.mark.parametrize("seconds", [1.0, 2.0, 6.0, 20.0, 600.0, 86400.0])
@pytest.mark.parametrize("start", [0.2, 1.0, 30.0], ids=["quick", "slow", "very-slow"])
def test_there_is_time_to_work_and_time_to_report(seconds: float, start: float) -> None:
    budget = Budget.of(seconds, 100.0, 100.0 + start)
    assert 100.0 < budget.stop_at < budget.report_at < budget.ends_at == 100.0 + seconds
    assert budget.stop_at - 100.0 >= seconds / 2
    assert budget.ends_at - budget.stop_at <= 8.0


def test_who_was_slow_to_start_stops_earlier() -> None:
    assert Budget.of(20.0, 0.0, 2.0).stop_at < Budget.of(20.0, 0.0, 0.2).stop_at == 17.5


STAT = "7 (a b) c)) R " + " ".join(["0"] * 18) + " 12345 0 0"


@pytest.mark.parametrize(
    ("stat", "since_boot", "expected"),
    [
        pytest.param(STAT, 125.0, 1000.0 - 1.55, id="of-a-name-with-blanks-and-parentheses"),
        pytest.param(STAT, 123.0, 1000.0, id="started-in-the-future: another clock"),
        pytest.param(STAT, 1e9, 1000.0, id="started-long-ago: no command line"),
        pytest.param("", 125.0, 1000.0, id="empty"),
        pytest.param(STAT.replace("12345", "x"), 125.0, 1000.0, id="no-number"),
    ],
)
def test_since_when_the_process_runs(stat: str, since_boot: float, expected: float) -> None:
    assert process_start(stat, 100, since_boot, 1000.0) == pytest.approx(expected)


def test_the_clock_of_this_machine_is_read() -> None:
    assert started() > 0


# ---- work in a thread: the clock is told, so that nothing waits ------------------------------------------------------


def at(*times: float) -> Callable[[], float]:
    left = list(times)
    return lambda: left.pop(0) if len(left) > 1 else left[0]


EARLY = Budget.of(60.0, 0.0, 0.0)


def test_what_comes_back_in_time_is_the_result() -> None:
    stop = threading.Event()
    work = InTime(lambda: "done", stop)
    assert work.result(EARLY, at(1.0)) == "done"
    assert not stop.is_set() and not work.is_running


def test_a_problem_is_raised_where_the_result_is_asked_for() -> None:
    def fail() -> str:
        raise OSError("no disk")

    with pytest.raises(OSError, match="no disk"):
        InTime(fail, threading.Event()).result(EARLY, at(1.0))


def test_who_listens_says_how_far_it_came() -> None:
    stop = threading.Event()

    def work() -> str:
        assert stop.wait(30)
        return "half"

    # When the time is up the event is set; there is still time until the report.
    assert InTime(work, stop).result(EARLY, at(EARLY.stop_at, EARLY.stop_at)) == "half"


def test_who_is_cancelled_has_no_result() -> None:
    stop = threading.Event()

    def work() -> str:
        assert stop.wait(30)
        raise Cancelled

    assert InTime(work, stop).result(EARLY, at(EARLY.stop_at, EARLY.stop_at)) is None


def test_who_forgets_the_clock_is_left_behind() -> None:
    stop, go_home = threading.Event(), threading.Event()
    work = InTime(lambda: go_home.wait(30), stop)
    assert work.result(EARLY, at(EARLY.stop_at, EARLY.ends_at)) is None
    assert work.is_running and stop.is_set()
    go_home.set()


def test_the_end_of_the_time_is_not_the_end_of_who_runs_us() -> None:
    outer = threading.Event()
    stop = Stop(outer)
    stop.set()
    assert stop.is_set() and not outer.is_set()
    ctrl_c = threading.Event()
    other = Stop(ctrl_c)
    ctrl_c.set()
    assert other.is_set()
