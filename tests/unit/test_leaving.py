"""How the process ends: at once where a thread is left behind, with all that was said."""

import subprocess
import sys

import pytest

_LEAVE = """\
import sys, threading, time
from concurrent.futures import ThreadPoolExecutor
from clausefit.hook.cli import leave
{left}
time.sleep(0.2)
print("said", end="")
leave(2)
"""
_DAEMON = "threading.Thread(target=time.sleep, args=(600,), daemon=True).start()"
_POOL = """\
def work():
    with ThreadPoolExecutor(1) as pool:
        pool.submit(time.sleep, 600)
threading.Thread(target=work, daemon={daemon}).start()
"""


@pytest.mark.parametrize(
    "left",
    [
        pytest.param("", id="nothing"),
        pytest.param(_DAEMON, id="a daemon"),
        pytest.param(_POOL.format(daemon=False), id="a pool"),
        pytest.param(_POOL.format(daemon=True), id="a pool of a daemon, whose threads are daemons that are waited for"),
    ],
)
def test_nobody_is_waited_for(left: str) -> None:
    done = subprocess.run([sys.executable, "-c", _LEAVE.format(left=left)], capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (2, b"said", b"")
