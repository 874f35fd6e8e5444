"""What is offered for generated contracts, put into their files, mends them: the real Frama-C/WP says so.

Wrong contracts of a seed for which a better clause is known are judged, mended as the report offers, and judged again.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest
from clausefit.hook.changes import All, changes
from clausefit.hook.check import Services, check, prepare
from clausefit.hook.compilation import Compilation
from clausefit.hook.config import Config
from clausefit.hook.judge import Verifiers
from clausefit.hook.prepared import Entry
from clausefit.hook.progress import SilentProgress
from clausefit.hook.report import Finding, Report
from clausefit.hook.units import work_of
from clausefit.verifiers.cache import VerdictCache
from clausefit.verifiers.framac_wp import FramacWp, WpSettings
from clausefit.verifiers.process import run
from contract_generator import Item, write_project
from test_generated_contracts import generated_items

SEED = 77
CODES = {
    ("ensures", "weak"): "CF101",
    ("ensures", "strong"): "CF201",
    ("requires", "strong"): "CF202",
    ("assigns", "strong"): "CF203",
}
OF_EACH = 3
CONFIG = Config(include_dirs=("src",), exclude=("tests/*.h",), jobs=2)


def services(folder: Path) -> Services:
    verifier = FramacWp(run, WpSettings(timeout=round(CONFIG.timeout)), VerdictCache(None))
    return Services(folder, lambda: folder, Verifiers(verifier), time.monotonic, SilentProgress())


def finding_of(one: Item, entry: Entry) -> Finding | None:
    """The finding about the judged clause of a wrong contract, as far as a suggestion needs it."""
    code = CODES.get((one.variant.clause.kind, one.variant.label))
    places = [c for c in entry.contract.clauses if c.text == f"{one.variant.clause.kind} {one.variant.clause.text}"]
    if code is None or len(places) != 1 or one.variant.blame is None:
        return None
    span, about = places[0].span, (places[0].kind, places[0].text)
    where = (places[0].file, span.line, span.end_line, span.column)
    return Finding(code, "too_weak", "error", *where, entry.contract.function, about, None, 1, "", "")


def mendable(folder: Path) -> list[Item]:
    """A few contracts of each code for which a better clause is known; no verifier is asked."""
    items = generated_items(SEED)
    write_project(folder, [items])
    changed, lookup = changes(All(), folder), Compilation(folder, CONFIG)
    prepared = prepare(work_of(changed, CONFIG, lookup.include_dirs), changed, CONFIG, lookup, services(folder))
    by_name = {entry.contract.function: entry for entry in prepared.entries}
    chosen: dict[str, list[Item]] = {code: [] for code in CODES.values()}
    for one in items:
        finding = finding_of(one, by_name[one.name]) if one.name in by_name else None
        if finding is not None and by_name[one.name].improve((finding,))[0].better is not None:
            chosen[finding.code].append(one)
    return [one for listed in chosen.values() for one in listed[:OF_EACH]]


def judged(folder: Path) -> Report:
    changed, lookup = changes(All(), folder), Compilation(folder, CONFIG)
    return check(work_of(changed, CONFIG, lookup.include_dirs), changed, CONFIG, lookup, services(folder))


def mended(folder: Path, findings: list[Finding]) -> None:
    """Put the offered lines into the files, from the last to the first."""
    for finding in sorted(findings, key=lambda f: (f.file, f.line), reverse=True):
        assert finding.better is not None
        path = folder / finding.file
        lines = path.read_text().split("\n")
        lines[finding.line - 1 : finding.end_line] = finding.better.lines.split("\n")
        path.write_text("\n".join(lines))


@pytest.fixture(scope="module")
def before_and_after(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Item], Report, Report]:
    items = mendable(tmp_path_factory.mktemp("generated"))
    folder = tmp_path_factory.mktemp("mendable")
    write_project(folder, [items])
    before = judged(folder)
    mended(folder, [one for one in before.findings if one.better is not None])
    return items, before, judged(folder)


def test_each_kind_of_clause_gets_an_offer(before_and_after: tuple[list[Item], Report, Report]) -> None:
    items, before, _after = before_and_after
    offered = Counter(one.code for one in before.findings if one.better is not None)
    assert set(offered) == set(CODES.values()), offered
    assert {one.function for one in before.findings if one.better is not None} == {one.name for one in items}


def test_what_is_offered_mends_the_contract(before_and_after: tuple[list[Item], Report, Report]) -> None:
    items, _before, after = before_and_after
    assert not [(one.code, one.function, one.clause) for one in after.findings]
    assert {one.function for one in after.contracts if one.used_pins} == {one.name for one in items}
    assert not after.not_checked
