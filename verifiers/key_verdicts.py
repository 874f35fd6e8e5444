"""Verdicts of KeY by what they depend on, as texts for the cache.

A verdict belongs to the skeleton, the facts of its scene and its outcome, the formula, and to the driver and
the Java that decided it: evaluation runs methods of that Java's library.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from clausefit.verifiers.key_tools import PROJECT
from clausefit.verifiers.protocol import JavaScene, JavaUnit, Judgement

_LAYOUT = "2"
_LASTING = frozenset({"timeout", "unknown", "unsupported", "undefined", "disagreement", "vacuous", "parse_error"})
"""Reasons that asking once more would find again, given no more time; a crash may have come from outside."""


@functools.cache
def driver_identity(project: Path = PROJECT) -> str:
    """A digest of the driver's sources and of the checksums of its jars: another one may judge otherwise."""
    paths = sorted((project / "src").rglob("*.java"))
    return _digest(_LAYOUT, *(path.read_text("utf-8") for path in (*paths, project / "checksums.txt")))


def question_keys(unit: JavaUnit, identity: Iterable[str]) -> dict[str, str]:
    """The cache key of every question of ``unit`` by the question's id."""
    base = _digest(*identity, unit.math, *(text for file in unit.files for text in file))
    scenes = {scene.name: _scene_digest(base, scene) for scene in unit.scenes}
    outcomes = {(s.name, o.name): _digest(o.facts, o.after) for s in unit.scenes for o in s.outcomes}
    keys: dict[str, str] = {}
    for question in unit.questions:
        polarities = question.expected if question.one_sided else "both"
        outcome = outcomes.get((question.scene, question.hypothesis), "")
        keys[question.id] = _digest(scenes[question.scene], outcome, polarities, question.formula)
    return keys


def _scene_digest(base: str, scene: JavaScene) -> str:
    variables = (text for variable in scene.variables for text in variable)
    about = (scene.class_name, str(scene.is_static), str(scene.result), scene.facts, scene.before)
    return _digest(base, *about, *variables)


def to_text(judgement: Judgement, seconds: float) -> str | None:
    """The judgement as a text to keep, with the time that the question had; None for one that is not to be kept."""
    if judgement.verdict == "undecided" and judgement.reason not in _LASTING:
        return None
    return json.dumps(
        {
            "verdict": judgement.verdict,
            "reason": judgement.reason,
            "detail": judgement.detail,
            "by": judgement.decided_by,
            "evaluated": judgement.evaluated,
            "seconds": seconds,
        }
    )


def from_text(text: str, seconds: float) -> Judgement | None:
    """The judgement that was kept; None when it is not of this form, or more time might find another one."""
    try:
        kept = json.loads(text)
        verdict, reason, evaluated = kept["verdict"], kept["reason"], kept["evaluated"]
        if verdict not in ("accepted", "rejected", "undecided") or evaluated not in (True, False, None):
            return None
        # What was decided by evaluation alone, KeY may prove with more time.
        waited = reason in ("timeout", "unknown") or kept["by"] == "evaluation"
        if waited and float(kept["seconds"]) < seconds:
            return None
        return Judgement(verdict, str(reason), str(kept["detail"]), str(kept["by"]), cached=True, evaluated=evaluated)
    except (ValueError, TypeError, KeyError):
        return None


def _digest(*parts: str) -> str:
    digest = hashlib.sha256()
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return digest.hexdigest()
