"""The folder of stored pins: whole files or none, one writer at a time, nothing outside of the workspace."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from clausefit.hook.pins.pin_folder import PinFolder
from clausefit.hook.pins.stored import StoredPin, StoredProblem
from clausefit.hook.pins.values import Integer, Origin, Pin, Pointer, Returned

SOURCE = "src/bank.c"
FILE = ".clausefit/pins/src/bank.c.yaml"


def call(number: int, function: str = "f") -> StoredPin:
    value = Integer(number, "int", 32, True)
    origin = Origin("recorded", "t", "t.c", 1)
    return StoredPin(Pin(function, (("n", value),), (), Returned(value, ()), origin), "b", "d")


def files_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def problem_of(act: object) -> str:
    """The one line that is told."""
    with pytest.raises(StoredProblem) as told:
        act()  # type: ignore[operator]
    line = str(told.value)
    assert line.isprintable()
    return line


# ---- reading and writing --------------------------------------------------------------------------------------------


def test_what_was_stored_is_read_back(tmp_path: Path) -> None:
    folder = PinFolder(tmp_path)
    assert folder.replace(SOURCE, [call(1), call(2)]) == ()
    assert folder.replace("top.c", [call(3)]) == ()
    assert PinFolder(tmp_path).read(SOURCE) == (call(1), call(2))
    assert folder.sources() == (SOURCE, "top.c")
    assert files_in(tmp_path / ".clausefit") == ["pins", "pins/src", "pins/src/bank.c.yaml", "pins/top.c.yaml"]


def test_nothing_is_there_at_first(tmp_path: Path) -> None:
    folder = PinFolder(tmp_path)
    assert (folder.read(SOURCE), folder.sources(), files_in(tmp_path)) == ((), (), [])


def test_replacing_leaves_only_the_new(tmp_path: Path) -> None:
    folder = PinFolder(tmp_path)
    folder.replace(SOURCE, [call(1)])
    folder.replace(SOURCE, [call(2)])
    assert folder.read(SOURCE) == (call(2),)


def test_an_update_sees_what_is_stored(tmp_path: Path) -> None:
    folder = PinFolder(tmp_path)
    folder.replace(SOURCE, [call(1)])
    folder.update(SOURCE, lambda stored: [*stored, call(2)])
    assert folder.read(SOURCE) == (call(1), call(2))


@pytest.mark.parametrize("others", [pytest.param([], id="alone"), pytest.param(["src/other.c"], id="beside another")])
def test_without_pins_the_file_goes_and_folders_that_hold_nothing_with_it(tmp_path: Path, others: list[str]) -> None:
    folder = PinFolder(tmp_path)
    for source in (SOURCE, *others):
        folder.replace(source, [call(1)])
    folder.replace(SOURCE, [])
    assert folder.sources() == tuple(others)
    assert (tmp_path / ".clausefit/pins/src").exists() == bool(others)


def test_a_pin_with_a_flaw_is_left_out_and_told(tmp_path: Path) -> None:
    flawed = call(1)
    flawed = StoredPin(
        Pin("f", (("p", Pointer("gone", (), "int *")),), (), flawed.pin.outcome, flawed.pin.origin), "b", "d"
    )
    folder = PinFolder(tmp_path)
    assert folder.replace(SOURCE, [call(2), flawed]) == ((flawed, "has a pointer to no place in its memory"),)
    assert folder.read(SOURCE) == (call(2),)


def test_an_unchanged_file_is_not_written_again(tmp_path: Path) -> None:
    folder = PinFolder(tmp_path)
    folder.replace(SOURCE, [call(1)])
    before = (tmp_path / FILE).stat()
    folder.update(SOURCE, lambda stored: stored)
    assert (tmp_path / FILE).stat() == before


def test_a_broken_file_is_told_by_reading_and_updating_and_can_be_replaced(tmp_path: Path) -> None:
    folder = PinFolder(tmp_path)
    folder.replace(SOURCE, [call(1)])
    (tmp_path / FILE).write_text("schema: 9\n")
    for act in (lambda: folder.read(SOURCE), lambda: folder.update(SOURCE, lambda stored: stored)):
        assert problem_of(act).startswith(f"{FILE}:1: the schema is 9")
    assert (tmp_path / FILE).read_text() == "schema: 9\n"
    folder.replace(SOURCE, [call(2)])
    assert folder.read(SOURCE) == (call(2),)


def test_a_file_of_another_source_is_told(tmp_path: Path) -> None:
    folder = PinFolder(tmp_path)
    folder.replace("a.c", [call(1)])
    (tmp_path / ".clausefit/pins/a.c.yaml").rename(tmp_path / ".clausefit/pins/b.c.yaml")
    assert "it says that it holds the calls of a.c" in problem_of(lambda: folder.read("b.c"))


def test_other_files_are_no_sources(tmp_path: Path) -> None:
    folder = PinFolder(tmp_path)
    folder.replace("a.c", [call(1)])
    for name in ("notes.txt", ".yaml", ".clausefit-unfinished"):
        (tmp_path / ".clausefit/pins" / name).write_text("x")
    assert folder.sources() == ("a.c",)


# ---- hostile folders ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source", ["../a.c", "/etc/a.c", "a/../../b.c", "", ".", "a//b.c", "a/./b.c", "a.c\0", "a/"], ids=repr
)
def test_a_source_outside_of_the_workspace_is_refused(tmp_path: Path, source: str) -> None:
    folder = PinFolder(tmp_path / "w")
    (tmp_path / "w").mkdir()
    for act in (lambda: folder.read(source), lambda: folder.replace(source, [call(1)])):
        assert "not a path below the workspace" in problem_of(act)
    assert files_in(tmp_path) in (["w"], ["w", "w/.clausefit", "w/.clausefit/pins"])


@pytest.mark.parametrize(
    "link",
    [
        pytest.param(".clausefit", id="the top folder"),
        pytest.param(".clausefit/pins", id="the folder"),
        pytest.param(".clausefit/pins/src", id="a folder in it"),
        pytest.param(FILE, id="the file"),
    ],
)
@pytest.mark.parametrize("is_there", [True, False], ids=["to something", "to nothing"])
def test_no_link_is_followed(tmp_path: Path, link: str, is_there: bool) -> None:
    workspace, outside = tmp_path / "w", tmp_path / "outside"
    place = workspace / link
    place.parent.mkdir(parents=True)
    if is_there and link == FILE:
        outside.write_text("schema: 1\nsource: src/bank.c\nfunctions: []\n")
    elif is_there:
        outside.mkdir()
    place.symlink_to(outside)
    before = outside.read_text() if outside.is_file() else files_in(tmp_path)
    folder = PinFolder(workspace)
    for act in (lambda: folder.read(SOURCE), lambda: folder.replace(SOURCE, [call(1)]), folder.sources):
        assert "is a link" in problem_of(act)
    assert place.is_symlink()
    assert (outside.read_text() if outside.is_file() else files_in(tmp_path)) == before


@pytest.mark.parametrize("kind", ["pipe", "folder"])
def test_what_is_no_regular_file_is_refused(tmp_path: Path, kind: str) -> None:
    place = tmp_path / FILE
    place.parent.mkdir(parents=True)
    if kind == "pipe":
        os.mkfifo(place)
    else:
        place.mkdir()
    folder = PinFolder(tmp_path)
    for act in (lambda: folder.read(SOURCE), lambda: folder.replace(SOURCE, [call(1)])):
        assert FILE in problem_of(act)
    assert files_in(place.parent) == ["bank.c.yaml"]


def test_a_file_where_a_folder_should_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".clausefit").write_text("x")
    assert ".clausefit: it is a link or no folder" in problem_of(lambda: PinFolder(tmp_path).replace(SOURCE, [call(1)]))


def test_a_name_that_is_too_long_is_one_line(tmp_path: Path) -> None:
    assert "too long" in problem_of(lambda: PinFolder(tmp_path).replace("x" * 300, [call(1)]))


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    place = tmp_path / FILE
    place.parent.mkdir(parents=True)
    with place.open("wb") as file:
        file.truncate(100 << 30)  # 100 GB that take no room on the disk
    assert "larger than 4 MiB" in problem_of(lambda: PinFolder(tmp_path).read(SOURCE))


def test_more_than_can_be_read_again_is_not_written(tmp_path: Path) -> None:
    folder = PinFolder(tmp_path)
    folder.replace(SOURCE, [call(1)])
    long = "x" * 400
    many = [call(number, f"{long}{number}") for number in range(12_000)]
    assert "more than 4 MiB: record fewer" in problem_of(lambda: folder.replace(SOURCE, many))
    assert folder.read(SOURCE) == (call(1),)


# ---- disks that fail ------------------------------------------------------------------------------------------------

WRITER = """
    import sys
    from pathlib import Path
    sys.path.insert(0, {tests!r})
    from test_pin_folder import SOURCE, call
    from clausefit.hook.pins.pin_folder import PinFolder
    from clausefit.hook.pins.stored import StoredProblem
    {before}
    folder = PinFolder(Path({workspace!r}))
    try:
        {act}
    except StoredProblem as problem:
        print(problem)
    """
MANY = "[call(number) for number in range(2000)]"


def run(workspace: Path, act: str, before: str = "") -> subprocess.Popen[str]:
    """Another process that does something with the folder."""
    tests = str(Path(__file__).parent)
    text = textwrap.dedent(WRITER).format(tests=tests, workspace=str(workspace), act=act, before=before)
    return subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)


def test_a_write_that_fails_halfway_leaves_the_old_file(tmp_path: Path) -> None:
    folder = PinFolder(tmp_path)
    folder.replace(SOURCE, [call(1)])
    # The kernel refuses what goes beyond the limit (setrlimit(2)), as it does on a full disk.
    limit = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    limit += "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))"
    said, _ = run(tmp_path, f"folder.replace(SOURCE, {MANY})", limit).communicate(timeout=60)
    assert said.startswith(f"{FILE}: it cannot be written (File too large)"), said
    assert len(said.splitlines()) == 1 and "what was stored before is as it was" in said
    assert folder.read(SOURCE) == (call(1),)
    assert files_in(tmp_path / ".clausefit/pins") == ["src", "src/bank.c.yaml"]


def _small_disk(place: Path) -> bool:
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(place)]
    return os.geteuid() == 0 and subprocess.run(mount, capture_output=True).returncode == 0


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    place = tmp_path / "disk"
    if not _small_disk(place):
        pytest.skip("no right to mount a small disk here; the test with a limit on the size of files stands for it")
    try:
        folder = PinFolder(place)
        folder.replace(SOURCE, [call(1)])
        line = problem_of(lambda: folder.replace(SOURCE, [call(number) for number in range(2000)]))
        assert "(No space left on device): make room on the disk" in line
        assert folder.read(SOURCE) == (call(1),)
        folder.replace(SOURCE, [call(2)])  # and there is room for this
        assert folder.read(SOURCE) == (call(2),)
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test_what_a_killed_writer_left_is_cleared_away(tmp_path: Path) -> None:
    folder = PinFolder(tmp_path)
    folder.replace(SOURCE, [call(1)])
    (tmp_path / ".clausefit/pins/src/.clausefit-unfinished").write_text("schema: 1\nsou")
    assert folder.sources() == (SOURCE,)
    folder.replace(SOURCE, [call(2)])
    assert files_in(tmp_path / ".clausefit/pins") == ["src", "src/bank.c.yaml"]


# ---- several writers ------------------------------------------------------------------------------------------------


def test_recordings_at_once_lose_nothing(tmp_path: Path) -> None:
    act = "[folder.update(SOURCE, lambda s, n=n: [*s, call(n)]) for n in range({0}, {0} + 15)]"
    writers = [run(tmp_path, act.format(start)) for start in (0, 100, 200)]
    assert [writer.communicate(timeout=120)[0] for writer in writers] == ["", "", ""]
    numbers = {one.pin.outcome.result.value for one in PinFolder(tmp_path).read(SOURCE)}  # type: ignore[union-attr]
    assert numbers == {start + n for start in (0, 100, 200) for n in range(15)}


def test_threads_of_one_process_lose_nothing(tmp_path: Path) -> None:
    folder = PinFolder(tmp_path)

    def add(start: int) -> None:
        for one in map(call, range(start, start + 10)):
            folder.update(SOURCE, partial(_with, one))

    def _with(one: StoredPin, stored: tuple[StoredPin, ...]) -> list[StoredPin]:
        return [*stored, one]

    threads = [threading.Thread(target=add, args=(start,)) for start in (0, 10, 20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(folder.read(SOURCE)) == 30


def test_who_waits_for_too_long_is_told_and_the_lock_ends_with_its_process(tmp_path: Path) -> None:
    PinFolder(tmp_path).replace(SOURCE, [call(1)])
    holder = run(tmp_path, "folder.update(SOURCE, lambda s: (print('held', flush=True), sys.stdin.read(), s)[2])")
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    impatient = PinFolder(tmp_path, lock_seconds=0.2)
    assert "another recording has been writing there" in problem_of(lambda: impatient.replace(SOURCE, [call(2)]))
    assert impatient.read(SOURCE) == (call(1),)  # who reads need not wait
    holder.kill()
    holder.communicate()
    impatient.replace(SOURCE, [call(2)])
    assert impatient.read(SOURCE) == (call(2),)


def test_a_lock_may_be_held_over_several_writes(tmp_path: Path) -> None:
    folder = PinFolder(tmp_path, lock_seconds=0.2)
    with folder.locked():
        folder.replace(SOURCE, [call(1)])
        folder.update(SOURCE, lambda stored: [*stored, call(2)])
        assert "another recording" in problem_of(lambda: PinFolder(tmp_path, 0.2).replace(SOURCE, []))
    PinFolder(tmp_path, 0.2).replace(SOURCE, [])
    assert folder.sources() == ()


def test_the_folder_may_vanish_while_one_waits(tmp_path: Path) -> None:
    """As when git checks out a state without it."""
    held, gone = PinFolder(tmp_path), tmp_path / "gone"
    started = threading.Event()

    def wait() -> None:
        started.set()
        PinFolder(tmp_path).replace(SOURCE, [call(2)])

    thread = threading.Thread(target=wait)
    with held.locked():
        thread.start()
        started.wait()
        (tmp_path / ".clausefit").rename(gone)
    thread.join()
    assert held.read(SOURCE) == (call(2),)
    assert files_in(gone) == ["pins"]


def test_an_error_of_the_change_leaves_everything_and_ends_the_lock(tmp_path: Path) -> None:
    folder = PinFolder(tmp_path, lock_seconds=0.2)
    folder.replace(SOURCE, [call(1)])

    def broken(_stored: Sequence[StoredPin]) -> Sequence[StoredPin]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        folder.update(SOURCE, broken)
    PinFolder(tmp_path, 0.2).update(SOURCE, lambda stored: [*stored, call(2)])
    assert folder.read(SOURCE) == (call(1), call(2))
