"""Which edits of a file make a contract be asked again: those that its answers may rest on, and no others."""

from __future__ import annotations

import pytest
from running import Command

HEADER = """#define LIMIT 9
typedef int number;
/*@ predicate small(number n) = n <= LIMIT; */
/*@ requires small(a); assigns \\nothing; ensures \\result == a + base; */
number add(number a);
int other(int a);
"""
SOURCE = """#include "add.h"
static const int base = 1;
int other(int a) { return a + 2; }
number add(number a) { return a + base; }
"""
TEST = """#include <assert.h>
#include "add.h"
int main(void) { assert(add(3) == 4); assert(add(8) == 9); return 0; }
"""
H, C = "add.h", "add.c"


def is_known(command: Command) -> bool:
    """Whether all answers are in the cache: no verifier is started."""
    ran = command.run("check", "--all", "--format", "json", "--no-verifier")
    assert ran.reasons <= {"not_asked"}, ran.out
    return ran.judged == ["add"]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """A project that was judged, with its own cache."""
    folder = tmp_path_factory.mktemp("edited")
    (folder / "project").mkdir()
    command = Command(folder / "project", folder / "cache")
    command.write("test_add.c", TEST)
    ran = _edited(command, H, "#define", "#define").run("check", "--all", "--format", "json")
    assert ran.report["findings"] == [] and ran.report["stats"]["asked"] > 0 and ran.reasons == set(), ran.out
    return command


def _edited(command: Command, path: str, old: str, new: str) -> Command:
    texts = {H: HEADER, C: SOURCE}
    assert old in texts[path]
    for name, text in texts.items():
        command.write(name, text.replace(old, new, 1) if name == path else text)
    return command


@pytest.mark.parametrize(
    ("path", "old", "new", "same"),
    [
        pytest.param(H, "#define", "/* Adds.\n */\n\n#define", True, id="comment-at-the-top"),
        pytest.param(H, "number add(number a);", "number add(number a); // adds", True, id="comment-behind-code"),
        pytest.param(C, "static const", "    static const", True, id="indentation"),
        pytest.param(C, "+ base; }\n", "+ base; }\nint third(int b) { return b; }\n", True, id="function-at-the-end"),
        pytest.param(H, "int other(int a);", "int other(int a);\nint third(int b);", True, id="declaration"),
        pytest.param(C, "return a + 2;", "int b = a; return b + 2;", True, id="another-body"),
        pytest.param(H, "LIMIT 9", "LIMIT 8", False, id="macro"),
        pytest.param(H, "typedef int", "typedef long", False, id="type"),
        pytest.param(H, "n <= LIMIT", "n < LIMIT", False, id="predicate"),
        pytest.param(C, "base = 1", "base = 1 + 0", False, id="initializer"),
        pytest.param(C, "static const", "static", False, id="variable"),
        pytest.param(H, "LIMIT 9", "LIMIT (__LINE__ + 8)", False, id="line-number"),
    ],
)
def test_only_what_matters_is_asked_again(judged: Command, path: str, old: str, new: str, same: bool) -> None:
    assert is_known(_edited(judged, path, old, new)) is same


def test_what_counts_lines_is_asked_again_when_they_move(judged: Command) -> None:
    counting = HEADER.replace("LIMIT 9", "LIMIT (__LINE__ + 8)")
    judged.write(C, SOURCE)
    judged.write(H, counting)
    judged.run("check", "--all")
    assert is_known(judged)
    judged.write(H, counting.replace("#define", "\n#define"))
    assert not is_known(judged)
