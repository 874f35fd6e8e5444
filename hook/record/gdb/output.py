"""The file that what is recorded of one process is written to. Runs inside gdb; standard library only."""

from __future__ import annotations

import fcntl
import json
import os
import threading
import time
from pathlib import Path
from typing import Any


class Output:
    """The file of one process: a line is there as a whole, or it is the last one. It is locked until it is closed."""

    def __init__(self, folder: Path, program: int) -> None:
        self._path = folder / f"calls.{program}.{time.time_ns()}.jsonl"
        self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._file, fcntl.LOCK_EX)
        self._lock = threading.Lock()

    def write(self, line: dict[str, Any]) -> None:
        """Append one line. Raises OSError (a full disk)."""
        data = json.dumps(line, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            while data:
                data = data[os.write(self._file, data) :]

    def close(self) -> None:
        """Nothing more will be written."""
        with self._lock:
            os.close(self._file)
            self._file = -1

    def discard(self) -> None:
        """Close it, and take it away: nothing was seen of the process."""
        self._path.unlink(missing_ok=True)
        self.close()
