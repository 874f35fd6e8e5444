"""A hundred right and a hundred wrong contracts get the judgements that brute force gives.

The project is generated from a seed (``contract_families*``), compiled and run with gcc, read by the product, and
judged by the real Frama-C/WP. Then every single judgement and every finding is compared with Python predicates.
"""

from __future__ import annotations

import random
import re
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import contract_families as on_values
import contract_families_in_place as in_place
import contract_families_memory as on_memory
import pytest
from clausefit.hook.changes import All, changes
from clausefit.hook.check import Services, prepare
from clausefit.hook.compilation import Compilation
from clausefit.hook.config import Config
from clausefit.hook.findings import Conclusion, conclude
from clausefit.hook.judge import Verifiers, judge
from clausefit.hook.judged import Judged
from clausefit.hook.mutants import mutants_of
from clausefit.hook.prepared import Prepared
from clausefit.hook.progress import SilentProgress
from clausefit.hook.questions import Asked
from clausefit.hook.units import work_of
from clausefit.verifiers.cache import VerdictCache
from clausefit.verifiers.framac_wp import FramacWp, WpSettings
from clausefit.verifiers.process import run
from clausefit.verifiers.protocol import Judgement
from contract_generator import Family, Item, Variant, item, write_project
from contract_oracle import Oracle

SEED = 2024
FILES = 8
EACH_SIDE = 100
FAMILIES: tuple[tuple[Callable[[random.Random, int], Family], int], ...] = (
    (on_values.wrapping, 4),
    (on_values.affine, 5),
    (on_values.clamp, 3),
    (on_values.division, 3),
    (on_values.root, 2),
    (on_values.characters, 3),
    (on_values.threshold, 4),
    (on_values.parity, 3),
    (on_values.halves, 4),
    (on_values.mean, 3),
    (on_values.absolute, 3),
    (on_values.assumed, 2),
    (on_values.covering, 2),
    (on_memory.maximum, 3),
    (on_memory.all_positive, 4),
    (on_memory.is_sorted, 3),
    (on_memory.summed, 4),
    (on_memory.counted, 3),
    (on_memory.found_at, 3),
    (on_memory.length, 3),
    (on_memory.contains, 3),
    (on_memory.shout, 2),
    (on_memory.struct_read, 3),
    (on_memory.struct_moved, 3),
    (on_memory.struct_result, 1),
    (on_memory.cell, 4),
    (on_memory.swap, 2),
    (on_memory.counter, 2),
    (in_place.add_all, 4),
    (in_place.reverse, 2),
    (in_place.in_order, 3),
    (in_place.arranged, 2),
    (in_place.element, 4),
    (in_place.percentage, 2),
    (in_place.framed, 2),
    (in_place.stored, 3),
)


def chosen(family: Family, n: int, *, right: bool) -> Variant:
    """The variants of a family in turn, too weak and too strong ones alternating."""
    by_label = {label: [v for v in family.variants if v.label == label] for label in ("right", "weak", "strong")}
    if right:
        return by_label["right"][n % len(by_label["right"])]
    label, other = ("weak", "strong") if n % 2 == 0 else ("strong", "weak")
    options = by_label[label] or by_label[other]
    return options[(n // 2 if by_label["weak"] and by_label["strong"] else n) % len(options)]


def generated_items(seed: int) -> list[Item]:
    """The items of a seed: each instance of a family gives one right and one wrong contract."""
    rng = random.Random(seed)
    items: list[Item] = []
    for make, instances in FAMILIES:
        for n in range(instances):
            for right in (True, False):
                family = make(rng, n)
                words = re.sub(r"\W+", "_", family.kind).strip("_").lower()
                items.append(item(f"f{len(items)}_{words}", family, chosen(family, n, right=right)))
    rng.shuffle(items)
    return items


@dataclass(frozen=True)
class Result:
    """One item: what was asked, what the product answered, and the oracle."""

    item: Item
    oracle: Oracle
    judgements: dict[str, Judgement]
    conclusion: Conclusion

    @property
    def asked(self) -> list[Asked]:
        """The questions whose answer counts; guards and probes are one-sided."""
        return [one for one in self.oracle.plan.asked if not one.question.one_sided]

    def shown(self, asked: Asked) -> str:
        """A question for people."""
        judgement = self.judgements[asked.question.id]
        outcome = f"{asked.mutant.location} = {asked.mutant.wrong}" if asked.mutant else "the right outcome"
        given = self.oracle.observed[asked.pin or 0].call()
        return (
            f"{self.item.title}\n  {asked.role} {asked.question.formula}\n  on {given}, {outcome}: "
            f"{judgement.verdict} {judgement.reason} {judgement.detail}"
        )


@dataclass(frozen=True)
class Outcome:
    """All results of one run, and what it cost."""

    folder: Path
    items: tuple[Item, ...]
    prepared: Prepared
    results: tuple[Result, ...]
    seconds: float
    cpu_seconds: float
    processes: int
    goals: int


def judged_project(folder: Path, items: list[Item], cache: Path | None) -> Outcome:
    """Write, prepare and judge the project of these items."""
    size = -(-len(items) // FILES)
    write_project(folder, [items[start : start + size] for start in range(0, len(items), size)])
    config = Config(include_dirs=("src",), exclude=("tests/*.h",), jobs=2)
    verifier = FramacWp(run, WpSettings(timeout=round(config.timeout)), VerdictCache(cache))
    services = Services(folder, lambda: folder, Verifiers(verifier), time.monotonic, SilentProgress())
    start = time.monotonic()
    changed, lookup = changes(All(), folder), Compilation(folder, config)
    prepared = prepare(work_of(changed, config, lookup.include_dirs), changed, config, lookup, services)
    judge(prepared.units, Verifiers(verifier), config.jobs, lambda _n: None, lambda _n: None)
    by_name = {one.name: one for one in items}
    judgements = {key: value for unit in prepared.units for key, value in unit.judgements.items()}
    results = []
    for entry in prepared.entries:
        if entry.plan is not None and entry.contract.function in by_name:
            one = by_name[entry.contract.function]
            conclusion = conclude(Judged(entry.plan, judgements), entry.ignored, (entry.static, entry.recorded))
            results.append(Result(one, Oracle(one, entry.plan), judgements, conclusion))
    tally, seconds = verifier.tally, time.monotonic() - start
    return Outcome(
        folder, tuple(items), prepared, tuple(results), seconds, tally.cpu_seconds, tally.processes, tally.goals
    )


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return judged_project(tmp_path_factory.mktemp("contracts"), generated_items(SEED), None)


def test_the_generated_tests_pass(outcome: Outcome) -> None:
    for source in sorted((outcome.folder / "src").glob("*.c")):
        program = outcome.folder / source.stem
        command = [
            "gcc",
            "-std=c11",
            "-Wall",
            "-Wno-misleading-indentation",
            "-Werror",
            "-I",
            "src",
            "-o",
            str(program),
            str(source),
        ]
        subprocess.run([*command, f"tests/test_{source.name}"], cwd=outcome.folder, check=True, timeout=60)
        subprocess.run([program], check=True, timeout=10)


def test_every_call_is_a_pin_with_what_the_model_says(outcome: Outcome) -> None:
    assert not [entry for entry in outcome.prepared.not_checked if entry.reason != "no_pins"]
    assert len(outcome.results) == len(outcome.items)
    wrong = []
    for result in outcome.results:
        seen = [observed.call() for observed in result.oracle.observed]
        wrong += [f"{result.item.title}: {call}" for call in result.item.calls() if call not in seen]
        wrong += [f"{result.item.title}: ignored {i}" for i in result.oracle.plan.ignored]
    assert not wrong, "\n".join(wrong)


def test_right_and_wrong_contracts_are_what_they_are_called(outcome: Outcome) -> None:
    labels: Counter[str] = Counter()
    mistakes = []
    for result in outcome.results:
        one, oracle = result.item, result.oracle
        mutants = {i: mutants_of(o.pin, oracle.plan.pins) for i, o in enumerate(oracle.observed)}
        asked = {i: oracle.plan.mutants[i] for i in mutants}
        strong = oracle.too_strong() != set()
        # A right clause rejects every mutant there is, a too weak one accepts one of those that are asked.
        loose = oracle.accepted_mutants(asked if one.variant.label == "weak" else mutants) > 0
        fits = {"right": not strong and not loose, "weak": loose and not strong, "strong": strong}
        labels[one.variant.label] += 1
        if not fits[one.variant.label]:
            mistakes.append(f"{one.title}: too strong {strong}, accepts wrong {loose}")
    assert not mistakes, "\n".join(mistakes)
    assert labels["right"] >= EACH_SIDE and labels["weak"] + labels["strong"] >= EACH_SIDE
    assert min(labels["weak"], labels["strong"]) >= EACH_SIDE // 3


def test_every_judgement_is_that_of_brute_force(outcome: Outcome) -> None:
    wrong = [
        f"{result.shown(asked)}, brute force says {result.oracle.verdict(asked)}"
        for result in outcome.results
        for asked in result.asked
        if result.judgements[asked.question.id].verdict not in ("undecided", result.oracle.verdict(asked))
    ]
    assert not wrong, "\n".join(wrong)


def test_hardly_a_question_stays_undecided(outcome: Outcome) -> None:
    asked = [(result, one) for result in outcome.results for one in result.asked]
    undecided = [(r, one) for r, one in asked if r.judgements[one.question.id].verdict == "undecided"]
    share = len(undecided) / len(asked)
    print(
        *("\n" + result.shown(one) for result, one in undecided),
        f"\n{len(asked)} questions, {len(undecided)} undecided ({share:.2%}); {outcome.seconds:.0f} s, "
        f"{outcome.cpu_seconds:.0f} CPU-s, {outcome.processes} processes, {outcome.goals} goals",
    )
    assert len(asked) > 20 * EACH_SIDE
    assert share < 0.02, "\n".join(result.shown(one) for result, one in undecided)


def test_findings_name_the_clause_and_the_direction(outcome: Outcome) -> None:
    mistakes = []
    for result in outcome.results:
        oracle, variant = result.oracle, result.item.variant
        found = {(f.direction, f.clause[1] if f.clause else None) for f in result.conclusion.findings}
        too_strong = {clause for direction, clause in found if direction == "too_strong"}
        too_weak = {clause for direction, clause in found if direction == "too_weak"}
        other = {direction for direction, _clause in found} - {"too_strong", "too_weak"}
        loose = oracle.accepted_mutants(oracle.plan.mutants) > 0
        blamed: set[str | None] = {c.text for c in oracle.plan.contract.clauses if c.kind == variant.blame} or {None}
        clauses = oracle.plan.contract.clauses
        if any("==>" in c.formula or c.behavior is not None for c in clauses):
            # A clause says nothing of an input that its condition, or its behavior's, excludes: another one, or that
            # there is none, is to blame there.
            blamed |= {None, *(c.text for c in clauses if c.kind == "ensures")}
        if variant.label == "strong":
            # Where the judged clause is wrong about what is right, blame for what else is accepted may fall anywhere.
            blamed |= {None, *(c.text for c in oracle.plan.contract.clauses)}
        # On a pin whose right outcome is rejected, a wrong one that is accepted may be the same mistake.
        surely_loose = oracle.accepted_mutants(oracle.plan.mutants, of_accepted=True) > 0
        weak_fits = too_weak != set() if surely_loose else loose or not too_weak
        fits = too_strong == oracle.too_strong() and weak_fits and too_weak <= blamed
        if other or not fits:
            mistakes.append(f"{result.item.title}: {found}; accepts wrong {loose}, too strong {oracle.too_strong()}")
    assert not mistakes, "\n".join(mistakes)
