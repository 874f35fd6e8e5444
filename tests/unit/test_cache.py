"""The verdict cache: real files, real processes, real failures."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from clausefit.verifiers.cache import FILE_NAME, VerdictCache, default_folder


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / FILE_NAME


def start(code: str, *arguments: str) -> subprocess.Popen[str]:
    head = "import sys\nfrom pathlib import Path\nfrom clausefit.verifiers.cache import VerdictCache\n"
    return subprocess.Popen([sys.executable, "-c", head + code, *arguments], stdout=subprocess.PIPE, text=True)


def is_sound(path: Path) -> bool:
    with sqlite3.connect(path) as connection:
        return bool(connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok")


def test_what_is_put_is_got_by_the_next_process(path: Path) -> None:
    with VerdictCache(path) as cache:
        assert cache.get_many(["a", "b"]) == {}
        cache.put_many({"a": "1", "b": "2"})
        cache.put_many({"b": "3"})
    with VerdictCache(path) as cache:
        assert cache.get_many(["a", "b", "c", "a"]) == {"a": "1", "b": "3"}
        assert cache.problem is None and cache.enabled


def test_more_keys_than_one_query_takes(path: Path) -> None:
    many = {f"k{number}": str(number) for number in range(70_000)}
    with VerdictCache(path) as cache:
        cache.put_many(many)
        assert cache.get_many(many) == many


@pytest.mark.parametrize(
    "verdicts",
    [
        pytest.param({"\udcff": "1", "a": "2"}, id="a key with a lone surrogate"),
        pytest.param({"b": "\udcff", "a": "2"}, id="a value with a lone surrogate"),
        pytest.param({"'; DROP TABLE verdict; --": "1", "a": "2"}, id="a key that looks like SQL"),
        pytest.param({"nul\0": "x\0y", "a": "2"}, id="a null character"),
    ],
)
def test_odd_text(path: Path, verdicts: dict[str, str]) -> None:
    with VerdictCache(path) as cache:
        cache.put_many(verdicts)
        got = cache.get_many(verdicts)
        assert got["a"] == "2" and got.items() <= verdicts.items()
        assert cache.problem is None


def test_no_path_keeps_nothing() -> None:
    with VerdictCache(None) as cache:
        cache.put_many({"a": "1"})
        assert cache.get_many(["a"]) == {} and cache.problem is None and not cache.enabled


def test_no_file_is_made_before_it_is_needed(path: Path) -> None:
    with VerdictCache(path) as cache:
        cache.get_many([])
        cache.put_many({})
    assert not path.exists()


def test_default_folder_follows_the_platform(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "clausefit"


def test_least_recently_used_goes_first(path: Path) -> None:
    limit = 400_000
    with VerdictCache(path, limit) as cache:
        cache.put_many({"old but used": "v" * 1000, "old": "w" * 1000})
        for number in range(100):
            cache.put_many({f"{number}-{part}": "x" * 1000 for part in range(10)})
            assert "old but used" in cache.get_many(["old but used"])
        assert cache.get_many(["old", "0-0"]) == {}
        assert "99-9" in cache.get_many(["99-9"])
        assert cache.problem is None
    assert path.stat().st_size < 2 * limit


def test_one_verdict_beyond_the_limit_does_not_stay(path: Path) -> None:
    with VerdictCache(path, 100_000) as cache:
        cache.put_many({"huge": "x" * 1_000_000})
        cache.put_many({"small": "1"})
        assert cache.get_many(["huge", "small"]) == {"small": "1"}


def test_two_processes_write_at_once(path: Path) -> None:
    code = (
        "cache = VerdictCache(Path(sys.argv[1]))\n"
        "for n in range(150):\n"
        "    cache.put_many({f'{sys.argv[2]}{n}': str(n), 'shared': str(n)})\n"
        "    cache.get_many(['shared'])\n"
        "print(cache.problem)"
    )
    tools = [start(code, str(path), name) for name in "abc"]
    assert [tool.communicate(timeout=60)[0] for tool in tools] == ["None\n"] * 3
    expected = {f"{name}{number}": str(number) for name in "abc" for number in range(150)}
    with VerdictCache(path) as cache:
        assert cache.get_many(expected) == expected
    assert is_sound(path)


def garbage(path: Path) -> None:
    path.write_bytes(b"not a database at all" * 500)


def middle(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:-100] = b"\xa5" * (len(data) - 4196)
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:9000])


def foreign(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE verdict (other TEXT)")


@pytest.mark.parametrize("damage", [garbage, middle, cut, foreign])
def test_a_damaged_file_is_set_aside_and_begun_anew(path: Path, damage: Callable[[Path], None]) -> None:
    keys = {f"k{number}": "v" * 200 for number in range(500)}
    with VerdictCache(path) as cache:
        cache.put_many(keys)
    damage(path)
    with VerdictCache(path) as cache:
        assert cache.get_many(keys).items() <= keys.items()
        cache.put_many(keys)
        assert cache.get_many(keys) == keys
        assert cache.enabled and cache.problem is not None and "damaged" in cache.problem
        assert "\n" not in cache.problem
    assert path.with_name(FILE_NAME + ".damaged").exists()
    assert is_sound(path)


def test_an_empty_file_is_a_new_cache(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    with VerdictCache(path) as cache:
        cache.put_many({"a": "1"})
        assert cache.get_many(["a"]) == {"a": "1"} and cache.problem is None


def file_for_folder(path: Path) -> None:
    path.parent.write_text("a file where the folder should be")


def folder_for_file(path: Path) -> None:
    path.mkdir(parents=True)


@pytest.mark.parametrize("obstacle", [file_for_folder, folder_for_file])
def test_an_impossible_place_turns_the_cache_off(path: Path, obstacle: Callable[[Path], None]) -> None:
    obstacle(path)
    with VerdictCache(path) as cache:
        cache.put_many({"a": "1"})
        assert cache.get_many(["a"]) == {}
        assert not cache.enabled and cache.problem is not None and str(path) in cache.problem
        assert "Errno" not in cache.problem


def test_a_read_only_place_turns_the_cache_off() -> None:
    # /proc refuses new files and folders to everybody, root included.
    with VerdictCache(Path("/proc/clausefit") / FILE_NAME) as cache:
        cache.put_many({"a": "1"})
        assert not cache.enabled and cache.problem is not None


def test_a_read_only_file_turns_writing_off(path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    with VerdictCache(path) as cache:
        cache.put_many({"a": "1"})
    path.chmod(0o400)
    path.parent.chmod(0o500)
    with VerdictCache(path) as cache:
        cache.put_many({"b": "1"})
        assert not cache.enabled and cache.problem is not None
    path.parent.chmod(0o700)


def test_a_full_disk_turns_the_cache_off_and_leaves_it_sound(path: Path) -> None:
    with VerdictCache(path) as cache:
        cache.put_many({"kept": "1"})
    code = (
        "import resource\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))\n"
        "cache = VerdictCache(Path(sys.argv[1]))\n"
        "for n in range(100): cache.put_many({f'{n}-{p}': 'x' * 1000 for p in range(50)})\n"
        "print(cache.enabled, cache.problem)\n"
        "cache.close()"
    )
    tool = start(code, str(path))
    output = tool.communicate(timeout=60)[0]
    assert tool.returncode == 0 and output.startswith("False the verdict cache") and output.count("\n") == 1
    with VerdictCache(path) as cache:
        assert cache.get_many(["kept"]) == {"kept": "1"}
        assert cache.problem is None
    assert is_sound(path)


def test_a_killed_writer_leaves_whole_batches(path: Path) -> None:
    code = (
        "cache = VerdictCache(Path(sys.argv[1]))\n"
        "cache.put_many({'first': '1'}); print('ready', flush=True)\n"
        "n = 0\n"
        "while True: cache.put_many({f'{n}-{p}': 'x' * 200 for p in range(200)}); n += 1"
    )
    for _ in range(3):
        with start(code, str(path)) as tool:
            assert tool.stdout is not None
            tool.stdout.readline()
            time.sleep(0.15)
            tool.send_signal(signal.SIGKILL)
        with VerdictCache(path) as cache:
            sizes = [len(cache.get_many(f"{n}-{p}" for p in range(200))) for n in range(60)]
            assert set(sizes) <= {0, 200} and 200 in sizes
            assert cache.problem is None
    assert is_sound(path)
