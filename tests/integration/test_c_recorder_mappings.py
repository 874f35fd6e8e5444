"""The rights of the pages in which a recorded call's memory lies, with the real gcc and gdb."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from c_recording import Project, Ran
from clausefit.hook.pins.values import Returned

pytestmark = pytest.mark.skipif(not shutil.which("gdb") or not shutil.which("gcc"), reason="needs gdb and gcc")

LIBRARY = r"""
#include <sys/mman.h>
struct wide { long v[514]; };
/*@ requires \valid_read(w); */
long ends(const struct wide *w) { return w->v[0] + w->v[513]; }
/*@ requires \valid_read(p); */
void unprotected(int *p) { mprotect((void *)((long)p & -4096), 4096, PROT_READ | PROT_WRITE); *p = 7; }
/*@ requires \valid_read(p); */
void back(int *p) { unprotected(p); mprotect((void *)((long)p & -4096), 4096, PROT_READ); }
/*@ requires \valid_read(p); */
void opened(int *p) { mprotect((void *)((long)p & -4096), 4096, PROT_READ | PROT_WRITE); }
/*@ requires \valid_read(p); */
int kept(int *p) { return *p; }
"""
MAIN = r"""
#include <sys/mman.h>
struct wide { long v[514]; };
long ends(const struct wide *); void unprotected(int *), back(int *), opened(int *); int kept(int *);
static char *pages(int shared)
{ char *p = mmap(0, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (shared >= 0) mmap(p + shared * 4096, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  return p; }
int main(void) {
    %s
    return 0;
}
"""
READ_ONLY = "int *p = (int *)pages(-1); *p = 3; mprotect(p, 4096, PROT_READ); %s"
WIDE = "char *p = pages(%d); ends((struct wide *)(p + 4096 - 8));"


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def recorded(folder: Path, cache: Path, body: str) -> Ran:
    project = Project(folder, cache, LIBRARY, "")
    ran = project.record([str(project.build(MAIN.replace("%s", body), "-g -O0"))])
    assert ran.status == 0, ran.err
    return ran


@pytest.mark.parametrize(
    ("shared", "pins"),
    [
        pytest.param(-1, 1, id="none"),
        pytest.param(0, 0, id="the first page"),
        pytest.param(1, 0, id="one between the ends"),
        pytest.param(2, 0, id="the last page"),
    ],
)
def test_a_region_of_which_another_process_has_a_page_is_left_out(
    tmp_path: Path, cache: Path, shared: int, pins: int
) -> None:
    ran = recorded(tmp_path, cache, WIDE % shared)
    assert len(ran.pins("ends")) == pins
    assert ran.reasons("ends") == ["another process may change the memory that it is given"] * (1 - pins)


@pytest.mark.parametrize(
    ("pages", "constant"),
    [
        pytest.param([0, 1, 2], True, id="all"),
        pytest.param([0, 2], False, id="not the one between"),
        pytest.param([0], False, id="the first alone"),
    ],
)
def test_only_what_can_nowhere_be_written_is_a_constant(
    tmp_path: Path, cache: Path, pages: list[int], constant: bool
) -> None:
    body = "char *p = pages(-1); " + " ".join(f"mprotect(p + {page} * 4096, 4096, PROT_READ);" for page in pages)
    (pin,) = recorded(tmp_path, cache, f"{body} ends((struct wide *)(p + 4096 - 8));").pins("ends")
    assert [block.constant for block in pin.blocks] == [constant]


@pytest.mark.parametrize(
    ("function", "after", "constant"),
    [
        pytest.param("kept", 3, True, id="read"),
        pytest.param("unprotected", 7, False, id="the page was made writable, and written"),
        pytest.param("back", 7, False, id="and protected again"),
        pytest.param("opened", 3, False, id="made writable, and not written"),
    ],
)
def test_a_constant_is_what_the_call_could_not_write(
    tmp_path: Path, cache: Path, function: str, after: int, constant: bool
) -> None:
    (pin,) = recorded(tmp_path, cache, READ_ONLY.replace("%s", f"{function}(p);")).pins(function)
    (block,) = pin.blocks
    assert isinstance(pin.outcome, Returned)
    assert getattr(dict(pin.outcome.after)[block.id], "value", None) == after
    assert block.constant is constant
