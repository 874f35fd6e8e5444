"""The recorded runs of a real OpenJML 0.21 in ``tests/data/openjml``: command, sources, output, exit status."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "data" / "openjml"


@dataclass(frozen=True)
class Transcript:
    """One recorded run."""

    command: str
    sources: dict[str, str]
    stdout: str
    stderr: str
    exit_status: int


def names() -> list[str]:
    """The names of all transcripts."""
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def transcript(name: str) -> Transcript:
    """The transcript of that name, its streams byte for byte."""
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    found = re.fullmatch(
        r"\$ (?P<command>[^\n]*)\n(?P<sources>(?:--- source .*?)?)--- stdout\n(?P<stdout>.*?)--- stderr\n"
        r"(?P<stderr>.*?)--- exit code (?P<status>\d+)\n--- time [^\n]*\n",
        text,
        re.DOTALL,
    )
    assert found is not None, f"{name} is no transcript"
    parts = re.split(r"^--- source (\S+)\n", found["sources"], flags=re.MULTILINE)
    sources = dict(zip(parts[1::2], parts[2::2], strict=True))
    return Transcript(found["command"], sources, found["stdout"], found["stderr"], int(found["status"]))
