"""Verdicts that were once computed, kept on disk by content key, for any number of processes at once.

A cache is a help and never a reason to stop: whatever goes wrong with its file, the cache says so in
``problem``, turns itself off, and the work goes on without it.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import TypeVar

import platformdirs

FILE_NAME = "verdicts-1.sqlite3"
"""The number is the layout of the file: another layout is another file, so that old versions keep working."""

DEFAULT_MAX_BYTES = 256 * 1024 * 1024
_BUSY_SECONDS = 10.0
_KEEP_SHARE = 0.8
_KEYS_PER_QUERY = 500
_SIDE_FILES = ("-wal", "-shm", "-journal")

_SCHEMA = "CREATE TABLE IF NOT EXISTS verdict (key TEXT PRIMARY KEY, value TEXT NOT NULL, used INTEGER NOT NULL)"
_PUT = (
    "INSERT INTO verdict (key, value, used) VALUES (?, ?, ?)"
    " ON CONFLICT (key) DO UPDATE SET value = excluded.value, used = excluded.used"
)
_EVICT = (
    "DELETE FROM verdict WHERE key IN (SELECT key FROM ("
    " SELECT key, sum(length(key) + length(value)) OVER (ORDER BY used DESC, key) AS running FROM verdict"
    ") WHERE running > ? * (SELECT total(length(key) + length(value)) FROM verdict))"
)

_Result = TypeVar("_Result")


def default_folder() -> Path:
    """The folder for the cache of this user, by the custom of the platform (XDG_CACHE_HOME on Linux)."""
    return platformdirs.user_cache_path("clausefit")


class VerdictCache:
    """A bounded map from content keys to verdict texts, in one SQLite file.

    ``path`` is the file; None makes a cache that holds nothing. When the file grows over ``max_bytes``,
    what was not used for longest goes. No method raises for a bad file, folder or disk: see ``problem``.
    May be shared by threads; a file may be shared by processes.
    """

    def __init__(self, path: Path | None, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()
        self._enabled = path is not None
        self.problem: str | None = None
        """One line for people about what went wrong with the file, or None."""

    @property
    def enabled(self) -> bool:
        """Whether verdicts are looked up and kept (not after a failure that could not be mended)."""
        return self._enabled

    def get_many(self, keys: Iterable[str]) -> dict[str, str]:
        """The verdicts that are known for ``keys``; unknown keys are left out."""
        wanted = [key for key in dict.fromkeys(keys) if _is_storable(key)]
        if not wanted:
            return {}
        return self._attempt(lambda connection: _get(connection, wanted)) or {}

    def put_many(self, verdicts: Mapping[str, str]) -> None:
        """Keep ``verdicts``: all of them or, when something fails, none."""
        rows = [(key, value) for key, value in verdicts.items() if _is_storable(key) and _is_storable(value)]
        if rows:
            self._attempt(lambda connection: _put(connection, rows, self._max_bytes))

    def close(self) -> None:
        """Close the file. A closed cache is off."""
        with self._lock:
            self._enabled = False
            self._disconnect()

    def __enter__(self) -> VerdictCache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _attempt(self, work: Callable[[sqlite3.Connection], _Result]) -> _Result | None:
        """Do ``work``; once more with a new file when the file is damaged; else turn the cache off."""
        with self._lock:
            if not self._enabled or self._path is None:
                return None
            try:
                try:
                    return work(self._connect(self._path))
                except sqlite3.DatabaseError as error:
                    if not _is_damage(error):
                        raise
                    self._set_aside(self._path)
                    return work(self._connect(self._path))
            except (sqlite3.Error, OSError) as error:
                self._enabled = False
                why = (error.strerror if isinstance(error, OSError) else None) or _one_line(error)
                self.problem = f"the verdict cache {self._path} is off: {why}"
                self._disconnect()
                return None

    def _connect(self, path: Path) -> sqlite3.Connection:
        if self._connection is None:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # isolation_level=None: transactions are begun and ended by our own statements only.
            self._connection = sqlite3.connect(
                path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            _prepare(self._connection)
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            # Closing writes the log back into the file; on a full disk it cannot, and the log is read next time.
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _set_aside(self, path: Path) -> None:
        self._disconnect()
        aside = path.with_name(path.name + ".damaged")
        path.replace(aside)
        for ending in _SIDE_FILES:
            path.with_name(path.name + ending).unlink(missing_ok=True)
        self.problem = f"the verdict cache {path} was damaged; it was set aside as {aside.name} and begun anew"


def _prepare(connection: sqlite3.Connection) -> None:
    deadline = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            # With a write-ahead log readers and a writer do not wait for each other. NORMAL may lose the last
            # verdicts in a power cut, but cannot damage the file (sqlite.org/pragma.html#pragma_synchronous).
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(_SCHEMA)
            return
        except sqlite3.OperationalError as error:
            # SQLite does not wait when two processes switch a new file to WAL at the same moment.
            if _primary_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # SQLite has rolled back by itself after some errors (a full disk); then there is nothing to undo.
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _get(connection: sqlite3.Connection, keys: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for start in range(0, len(keys), _KEYS_PER_QUERY):
        part = keys[start : start + _KEYS_PER_QUERY]
        marks = ",".join("?" * len(part))
        rows = connection.execute(f"SELECT key, value FROM verdict WHERE key IN ({marks})", part)  # noqa: S608
        found.update((key, value) for key, value in rows if isinstance(value, str))
    if found:
        now = time.time_ns()
        with _transaction(connection):
            connection.executemany("UPDATE verdict SET used = ? WHERE key = ?", [(now, key) for key in found])
    return found


def _put(connection: sqlite3.Connection, rows: list[tuple[str, str]], max_bytes: int) -> None:
    now = time.time_ns()
    with _transaction(connection):
        connection.executemany(_PUT, [(key, value, now) for key, value in rows])
        in_use = _bytes_in_use(connection)
        if in_use > max_bytes:
            connection.execute(_EVICT, (_KEEP_SHARE * max_bytes / in_use,))


def _bytes_in_use(connection: sqlite3.Connection) -> int:
    size, count, free = (
        int(connection.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("page_size", "page_count", "freelist_count")
    )
    return size * (count - free)


def _is_storable(text: str) -> bool:
    """SQLite holds UTF-8; a lone surrogate (from a file name that is not UTF-8) has no place in it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _primary_code(error: sqlite3.Error) -> int:
    """The primary result code (sqlite.org/rescode.html#pve); 0 when the error came from Python's own layer."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _is_damage(error: sqlite3.Error) -> bool:
    if _primary_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return True
    # A sound SQLite file that is not ours, or a value that is no UTF-8: as good as damaged.
    message = str(error)
    return "no such table" in message or "no such column" in message or message.startswith("Could not decode")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
