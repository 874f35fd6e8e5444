"""The C text that Frama-C reads: scenes with their goals as ``ensures`` clauses, and where each one stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from clausefit.verifiers.protocol import Polarity, Question, Scene

MAIN_FILE = "cf_stubs.c"


@dataclass(frozen=True)
class Goal:
    """One formula to prove in a scene; when it is proved, each member has its polarity proved.

    ``simplify``: WP may use every simplification, since evaluation has found by itself what is to be proved.
    """

    label: str
    scene: str
    formula: str
    members: tuple[tuple[str, Polarity], ...]
    guard: bool = False
    simplify: bool = False

    @property
    def stub(self) -> str:
        """The name of the function that carries the goal: guards have a copy of the scene to themselves."""
        return self.scene + ("_g" if self.guard else "")


def polar_formula(question: Question, polarity: Polarity) -> str:
    """The formula whose proof settles the question in this polarity, on one line."""
    body = f"({question.formula})" if polarity == "accept" else f"!({question.formula})"
    return f"({question.hypothesis}) ==> {body}" if question.hypothesis else body


def conjunction(questions: Sequence[Question], polarity: Polarity) -> str:
    """All the questions in one formula; those with the same hypothesis share it."""
    by_hypothesis: dict[str, list[str]] = {}
    for question in questions:
        body = f"({question.formula})" if polarity == "accept" else f"!({question.formula})"
        by_hypothesis.setdefault(question.hypothesis, []).append(body)
    parts = []
    for hypothesis, bodies in by_hypothesis.items():
        joined = " && ".join(bodies)
        parts.append(f"(({hypothesis}) ==> ({joined}))" if hypothesis else f"({joined})")
    return " && ".join(parts)


def stub_text(scene: Scene, goals: Iterable[Goal], name: str) -> str:
    """One stub under ``name``: the contract (what is assumed, then one line a goal) and the function."""
    lines = [f"/*@ requires cf_pin: {scene.assumption};"]
    lines.extend(f"    ensures {goal.label}: {goal.formula};" for goal in goals)
    lines.append("*/")
    lines.append(scene.function.replace(scene.name, name, 1))
    return "\n".join(lines) + "\n"


def compose(prelude: str, scenes: Mapping[str, Scene], goals: Sequence[Goal]) -> str:
    """The whole file for one run: the prelude, and for every scene that has a goal its declarations and stubs."""
    by_stub: dict[str, list[Goal]] = {}
    for goal in goals:
        by_stub.setdefault(goal.stub, []).append(goal)
    parts, declared = [prelude], set()
    for name, listed in by_stub.items():
        scene = scenes[listed[0].scene]
        if scene.name not in declared:
            declared.add(scene.name)
            parts.append(scene.declarations)
        parts.append(stub_text(scene, listed, name))
    return "\n".join(part for part in parts if part)


def compose_type_check(prelude: str, scenes: Mapping[str, Scene], goals: Sequence[Goal]) -> tuple[str, dict[int, str]]:
    """A file with every goal in a stub of its own, and the line of each goal → its label.

    Frama-C drops a whole contract for one ill-typed clause, so this is how the bad one is told from the rest.
    """
    text = prelude + "\n"
    declared: set[str] = set()
    places: dict[int, str] = {}
    for number, goal in enumerate(goals):
        scene = scenes[goal.scene]
        if scene.name not in declared:
            declared.add(scene.name)
            text += scene.declarations + "\n"
        stub = stub_text(scene, [goal], name=f"cf_t{number}")
        first = text.count("\n") + 1
        for line in range(first, first + stub.count("\n")):
            places[line] = goal.label
        text += stub
    return text, places
