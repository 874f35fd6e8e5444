"""What the long text of a rule code consists of."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent

from clausefit.hook.contracts.model import Language


@dataclass(frozen=True)
class Example:
    """A contract that gets the finding, and the same one mended: source text of the language."""

    language: Language
    bad: str
    mended: str


@dataclass(frozen=True)
class Explanation:
    """``text`` and ``fix`` are one paragraph each; there is one example for each language that has the rule."""

    text: str
    fix: str
    examples: tuple[Example, ...]


def example(language: Language, bad: str, mended: str) -> Example:
    """An example from indented texts, whose layout it keeps."""
    return Example(language, dedent(bad).strip() + "\n", dedent(mended).strip() + "\n")


def folded(prose: str) -> str:
    """Indented prose as one line."""
    return " ".join(prose.split())
