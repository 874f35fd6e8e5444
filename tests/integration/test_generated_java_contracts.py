"""A hundred right and a hundred wrong Java contracts get the judgements that real Java gives.

The project is generated from a seed (``java_contract_families*``), its tests from what real Java does. The product
reads it and the real KeY judges it. Then every single judgement and every finding is compared with the clauses as Java
expressions, compiled and run on the same states.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from clausefit.hook.changes import All, changes
from clausefit.hook.check import Services, prepare
from clausefit.hook.compilation import Compilation
from clausefit.hook.config import Config
from clausefit.hook.findings import Conclusion, conclude
from clausefit.hook.java.session import java_verifiers
from clausefit.hook.java.work import java_work_of
from clausefit.hook.judge import Verifiers, judge
from clausefit.hook.judged import Judged
from clausefit.hook.plans import Asked
from clausefit.hook.prepared import Entry, Prepared
from clausefit.hook.progress import SilentProgress
from clausefit.hook.units import work_of
from clausefit.verifiers.cache import VerdictCache
from clausefit.verifiers.framac_wp import FramacWp, WpSettings
from clausefit.verifiers.process import run
from clausefit.verifiers.protocol import Judgement
from java_contract_families import VALUES
from java_contract_families_arrays import ARRAYS
from java_contract_families_exceptions import EXCEPTIONS
from java_contract_families_objects import OBJECTS
from java_contract_families_overflow import OVERFLOW
from java_contract_generator import Item, Label, State, generated
from java_contract_oracle import Java, Oracle, state_of
from java_contract_project import write_project

SEED = 2025
EACH_SIDE = 100
FAMILIES = (*VALUES, *OVERFLOW, *ARRAYS, *OBJECTS, *EXCEPTIONS)
EACH_LABEL: dict[Label, int] = {"right": 2, "weak": 1, "strong": 1}
MOST_UNDECIDED = 0.03
LEAST_BY_KEY = 0.9
SIDES = {"too_weak", "too_strong"}


@dataclass(frozen=True)
class Result:
    """One contract: what was asked, what the product answered, and the oracle."""

    item: Item
    entry: Entry
    oracle: Oracle
    judgements: dict[str, Judgement]
    conclusion: Conclusion

    @property
    def asked(self) -> list[Asked]:
        """The questions with two sides."""
        return [one for one in self.oracle.plan.asked if not one.question.one_sided]

    def judgement(self, asked: Asked) -> Judgement:
        """The product's answer."""
        return self.judgements[asked.question.id]

    def shown(self, asked: Asked) -> str:
        """A question for people."""
        judgement = self.judgement(asked)
        state = state_of(self.item, self.oracle.plan.pins[asked.pin or 0], asked.mutant)
        return (
            f"{self.item.title}\n  {asked.role} {asked.question.formula}\n  at {state.key}: {judgement.verdict} "
            f"{judgement.reason} {judgement.detail} by {judgement.decided_by}, evaluated {judgement.evaluated}"
        )


@dataclass(frozen=True)
class Outcome:
    """All results of one run, and what it cost."""

    items: tuple[Item, ...]
    seen: dict[tuple[str, int], State]
    prepared: Prepared
    results: tuple[Result, ...]
    seconds: float


def prepared_project(folder: Path, config: Config, services: Services) -> Prepared:
    """The product's reading of the project, no verifier started."""
    changed, lookup = changes(All(), folder), Compilation(folder, config)
    work = work_of(changed, config, lookup.include_dirs)
    return prepare(work, changed, config, lookup, services, java_work_of(changed, config))


def judged_project(folder: Path, items: list[Item]) -> Outcome:
    """Write, prepare and judge the project of these items."""
    project = folder / "project"
    seen = write_project(project, items, folder / "probe")
    config = Config(timeout=20.0, pins=2, verifiers=("key",), jobs=2)
    cache = VerdictCache(None)
    with java_verifiers(config, project, cache, threading.Event()) as chain:
        verifiers = Verifiers(FramacWp(run, WpSettings(), cache), chain)
        services = Services(project, lambda: project, verifiers, time.monotonic, SilentProgress())
        prepared = prepared_project(project, config, services)
        start = time.monotonic()
        judge(prepared.units, verifiers, config.jobs, lambda _n: None, lambda _n: None)
        seconds = time.monotonic() - start
    java = Java()
    results = tuple(_results(items, prepared, java))
    for result in results:
        result.oracle.prepare()
    java.run(folder / "oracle", sorted((project / "src" / "main" / "java").glob("*.java")))
    return Outcome(tuple(items), seen, prepared, results, seconds)


def _results(items: list[Item], prepared: Prepared, java: Java) -> Iterator[Result]:
    by_function = {one.function: one for one in items}
    judgements = {key: value for unit in prepared.units for key, value in unit.judgements.items()}
    for entry in prepared.entries:
        if entry.plan is not None and entry.contract.function in by_function:
            one = by_function[entry.contract.function]
            conclusion = conclude(Judged(entry.plan, judgements), entry.ignored, (entry.static, entry.recorded))
            yield Result(one, entry, Oracle(one, entry.plan, java), judgements, conclusion)


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return judged_project(tmp_path_factory.mktemp("contracts"), generated(FAMILIES, SEED, EACH_LABEL))


def test_every_call_is_a_pin_with_what_java_does(outcome: Outcome) -> None:
    assert not outcome.prepared.not_checked
    assert len(outcome.results) == len(outcome.items)
    wrong = []
    for result in outcome.results:
        item, plan = result.item, result.oracle.plan
        states = {state_of(item, pin).key for pin in plan.pins}
        mine = {outcome.seen[item.function, n].key for n in range(len(item.family.calls))}
        wrong += [f"{item.title}: {states ^ mine}"] if states != mine else []
        wrong += [f"{item.title}: ignored {one}" for one in (*plan.ignored, *result.entry.ignored)]
        wrong += [f"{item.title}: {plan.contract.clauses[i].text}: {why}" for i, why in plan.unaskable.items()]
    assert not wrong, "\n".join(wrong)


def test_right_and_wrong_contracts_are_what_they_are_called(outcome: Outcome) -> None:
    labels = Counter(result.item.variant.label for result in outcome.results)
    mistakes = [
        f"{result.item.title}: too strong {result.oracle.is_strong()}, too weak {result.oracle.is_weak()}"
        for result in outcome.results
        if result.item.variant.label
        != ("strong" if result.oracle.is_strong() else "weak" if result.oracle.is_weak() else "right")
    ]
    assert not mistakes, "\n".join(mistakes)
    assert labels["right"] >= EACH_SIDE and labels["weak"] + labels["strong"] >= EACH_SIDE
    assert min(labels["weak"], labels["strong"]) >= EACH_SIDE // 2


def test_every_judgement_is_that_of_real_java(outcome: Outcome) -> None:
    wrong = [
        f"{result.shown(asked)}; Java says {result.oracle.verdict(asked)}"
        for result in outcome.results
        for asked in result.asked
        if result.judgement(asked).verdict not in ("undecided", result.oracle.verdict(asked))
    ]
    assert not wrong, "\n".join(wrong)


def test_hardly_a_question_stays_undecided_and_key_decides_most(outcome: Outcome) -> None:
    asked = [(result, one) for result in outcome.results for one in result.asked]
    undecided = [(r, one) for r, one in asked if r.judgement(one).verdict == "undecided"]
    deciders = Counter(r.judgement(one).decided_by for r, one in asked if r.judgement(one).verdict != "undecided")
    roles = Counter(one.role for _r, one in asked)
    share, by_key = len(undecided) / len(asked), deciders["key"] / len(asked)
    print(
        *("\n" + result.shown(one) for result, one in undecided),
        f"\n{len(outcome.results)} contracts, {len(asked)} questions {dict(roles)}, {len(undecided)} undecided "
        f"({share:.2%}); decided by {dict(deciders)}, KeY {by_key:.1%}; {outcome.seconds:.0f} s",
    )
    verdicts = Counter(r.judgement(one).verdict for r, one in asked)
    assert verdicts["accepted"] > 5 * EACH_SIDE and verdicts["rejected"] > 5 * EACH_SIDE
    assert share < MOST_UNDECIDED, "\n".join(result.shown(one) for result, one in undecided)
    assert set(deciders) <= {"key", "evaluation"}
    assert by_key > LEAST_BY_KEY
    for result in outcome.results:
        own = Counter(result.judgement(one).decided_by for one in result.oracle.plan.asked)
        own.pop("", None)
        assert result.conclusion.report.decided_by == dict(own), result.item.title


def test_findings_say_the_direction(outcome: Outcome) -> None:
    mistakes = []
    for result in outcome.results:
        variant = result.item.variant
        found = {(f.code, f.direction, f.clause[1] if f.clause else None) for f in result.conclusion.findings}
        directions = {direction for _code, direction, _clause in found}
        text = f"{variant.clause.kind} {variant.clause.jml}"
        if variant.label == "right":
            fits = directions.isdisjoint(SIDES)
        elif variant.label == "weak":
            fits = "too_weak" in directions and "too_strong" not in directions
        else:
            fits = any(direction == "too_strong" and clause == text for _code, direction, clause in found)
            fits = fits and all(clause == text for _code, direction, clause in found if direction == "too_strong")
        if not fits:
            mistakes.append(f"{result.item.title}: {found}")
    assert not mistakes, "\n".join(mistakes)
