"""What holds for all tests."""

import signal

import pytest

# Each file is run by one worker (./dev test): one of these at the end would leave the other without work for minutes.
_LONGEST_FILES = frozenset(
    f"test_{name}.py"
    for name in (
        "generated_contracts",
        "generated_java_contracts",
        "right_java_contracts",
        "java_recorder_faults",
        "c_recorder",
        "bad_input_java",
        "budget_runs",
        "key_verifier",
        "wp_again",
        "cases",
    )
)

# A shell ignores both in what it starts in the background, and programs that tests interrupt would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGQUIT) is signal.SIG_IGN:
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first, else in pytest's order."""
    items.sort(key=lambda item: item.path.name not in _LONGEST_FILES)
