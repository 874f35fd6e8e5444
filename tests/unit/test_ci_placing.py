"""Paths of a project in a folder become those of the repository."""

from __future__ import annotations

import dataclasses
from typing import Any

from ci_reports import CONTRACT, FINDING, REPORT, SKIPPED, STALE
from clausefit.ci.placing import placed

CLAUSE = dataclasses.replace(CONTRACT.clauses[0], file="src/next.h")
WHOLE = dataclasses.replace(
    REPORT,
    contracts=(dataclasses.replace(CONTRACT, clauses=(CLAUSE, *CONTRACT.clauses)),),
    findings=(FINDING, dataclasses.replace(FINDING, witness=None)),
    not_checked=(SKIPPED, dataclasses.replace(SKIPPED, file="")),
    known=(FINDING,),
    stale=(STALE,),
)


def paths(value: Any) -> list[str]:
    """Every path of a report: the fields that are called ``file`` or ``test_file``, wherever they are."""
    if isinstance(value, tuple | list):
        return [path for one in value for path in paths(one)]
    if not dataclasses.is_dataclass(value):
        return []
    found = []
    for one in dataclasses.fields(value):
        inner = getattr(value, one.name)
        found += [inner] if one.name in ("file", "test_file") else paths(inner)
    return found


def test_every_path_is_moved_and_no_other() -> None:
    moved = placed(WHOLE, "lib/c")
    assert paths(moved) == [f"lib/c/{path}" if path else "" for path in paths(WHOLE)]
    assert len(paths(WHOLE)) == 11
    assert [one.fingerprint for one in moved.findings] == [one.fingerprint for one in WHOLE.findings]


def test_at_the_top_nothing_moves() -> None:
    assert placed(WHOLE, "") is WHOLE
