"""The measure of growth itself, on a clock that only work moves: tests that use it must be able to fail."""

from collections.abc import Callable, Iterable, Iterator

import pytest
from growth import assert_grows_linearly


def measured(seconds: Callable[[int], float], delays: Iterable[float] = ()) -> None:
    """Measure work of sizes 1000 and 8000 that takes ``seconds(size)``, each call with one of ``delays`` more."""
    now = 0.0
    more: Iterator[float] = iter(delays)

    def work(size: int) -> None:
        nonlocal now
        now += seconds(size) + next(more, 0.0)

    assert_grows_linearly(work, 1000, 8000, clock=lambda: now)


@pytest.mark.parametrize(
    ("seconds", "delays"),
    [
        pytest.param(lambda _n: 0.0, (), id="nothing to measure"),
        pytest.param(lambda n: n * 2e-5, (), id="linear"),
        pytest.param(lambda n: n * n.bit_length() * 2e-6, (), id="linear times logarithm"),
        pytest.param(lambda n: n * 2e-5, (9, 9, 0, 9, 9), id="two of three tries are disturbed"),
        pytest.param(lambda n: n * 1e-7, (0, 0, 0, 0.1, 0.1, 0.1), id="noise in quick work"),
    ],
)
def test_passes(seconds: Callable[[int], float], delays: tuple[float, ...]) -> None:
    measured(seconds, delays)


@pytest.mark.parametrize(
    ("seconds", "delays", "message"),
    [
        pytest.param(lambda n: n * n * 2e-8, (), "64 times as long for 8 times the size", id="quadratic"),
        pytest.param(lambda n: n**1.5 * 1e-6, (), "23 times as long", id="between linear and quadratic"),
        pytest.param(lambda n: n * n * 4e-9, (), "0.256 s", id="quadratic and quick while small"),
        pytest.param(lambda n: n * n * 2e-8, (0, 9, 9), "64 times as long", id="quadratic and disturbed"),
    ],
)
def test_fails(seconds: Callable[[int], float], delays: tuple[float, ...], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        measured(seconds, delays)
