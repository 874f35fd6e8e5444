"""What posting needs of GitHub: an interface, and the data that goes through it.

The one implementation is ``github_api.py``; posting knows only this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Level = Literal["notice", "warning", "failure"]
CheckConclusion = Literal["success", "failure"]

COMMENT_LIMIT = 65_536
"""The most characters of a comment."""
CHECK_TEXT_LIMIT = 65_535
"""The most characters of a check run's summary ("Create a check run", output.summary)."""
TITLE_LIMIT = 255
"""The most characters of the title of an annotation, and of a check run."""
ANNOTATIONS_LIMIT = 50
"""The most annotations of one request about a check run."""


class HostProblem(Exception):  # noqa: N818 - what is wrong is the request, or the server
    """GitHub did not do what it was asked. The text is one line for people and holds no secret.

    ``status`` is the answer's status (200 where it says nothing that can be used), None where no answer came.
    ``uncertain``: the request may have been carried out all the same, so it must not be sent again without looking.
    """

    def __init__(self, text: str, status: int | None = None, *, uncertain: bool = False) -> None:
        super().__init__(text)
        self.status = status
        self.uncertain = uncertain


@dataclass(frozen=True)
class Comment:
    """A comment that is there; ``path`` and what follows only for one on lines.

    ``line`` is the last line that it stands on, None where it is outdated; ``start`` the first where they are several.
    """

    id: int
    author: str
    body: str
    path: str = ""
    line: int | None = None
    start: int | None = None


@dataclass(frozen=True)
class InlineComment:
    """A comment to be made on the head side of lines ``start`` to ``line`` of a file."""

    path: str
    start: int
    line: int
    body: str


@dataclass(frozen=True)
class PullHead:
    """An open pull request and what it asks to merge: the commit, and the repository (``owner/name``) it lies in."""

    number: int
    sha: str
    repository: str


@dataclass(frozen=True)
class Artifact:
    """An artifact of a workflow run; ``size`` in bytes is what GitHub says, not what was downloaded."""

    id: int
    name: str
    size: int
    expired: bool
    head_sha: str = ""


@dataclass(frozen=True)
class Annotation:
    """One annotation of a check run."""

    path: str
    start: int
    end: int
    level: Level
    title: str
    message: str


@dataclass(frozen=True)
class CheckOutput:
    """What a check run shows; at most ``ANNOTATIONS_LIMIT`` annotations, which are added to those it has."""

    title: str
    summary: str
    annotations: tuple[Annotation, ...] = ()


@dataclass(frozen=True)
class CheckRun:
    """A check run that is there; ``external_id`` is what its maker gave it, ``annotations`` how many it has."""

    id: int
    external_id: str
    completed: bool
    annotations: int


class Host(Protocol):
    """GitHub, for one repository. Every method raises HostProblem and nothing else."""

    def changed_lines(self, pull: int) -> Mapping[str, frozenset[int]]:
        """For each file that the pull request changes the lines of its head side that it adds."""
        ...

    def head_of(self, pull: int) -> str:
        """The commit that the pull request asks to merge, now."""
        ...

    def login(self) -> str:
        """The name under which this token's comments appear."""
        ...

    def review_comments(self, pull: int) -> tuple[Comment, ...]:
        """All comments on lines of the pull request, by whomever."""
        ...

    def issue_comments(self, pull: int) -> tuple[Comment, ...]:
        """All comments below the pull request, by whomever."""
        ...

    def create_review(self, pull: int, head_sha: str, body: str, comments: Sequence[InlineComment]) -> None:
        """Post all ``comments`` at once, as one review that neither approves nor asks for changes."""
        ...

    def edit_review_comment(self, comment: int, body: str) -> None:
        """Replace the text of a comment on lines."""
        ...

    def create_comment(self, pull: int, body: str) -> int:
        """Post a comment below the pull request; returns its id."""
        ...

    def edit_comment(self, comment: int, body: str) -> None:
        """Replace the text of a comment below the pull request."""
        ...

    def check_runs(self, head_sha: str, name: str) -> tuple[CheckRun, ...]:
        """The newest check runs with this name on a commit."""
        ...

    def create_check_run(
        self, name: str, head_sha: str, external_id: str, output: CheckOutput, conclusion: CheckConclusion | None
    ) -> int:
        """Make a check run, in progress where there is no conclusion yet; returns its id."""
        ...

    def update_check_run(
        self, run: int, output: CheckOutput, conclusion: CheckConclusion | None, external_id: str | None = None
    ) -> None:
        """Add annotations to a check run; with a conclusion it is completed."""
        ...

    def pulls_of_head(self, owner: str, branch: str) -> tuple[PullHead, ...]:
        """The open pull requests that ask to merge this branch of this owner's repository."""
        ...

    def artifacts(self, run: int, name: str) -> tuple[Artifact, ...]:
        """The artifacts of a workflow run with exactly this name."""
        ...

    def download(self, artifact: int, limit: int) -> bytes:
        """The archive of an artifact; HostProblem where it is larger than ``limit`` bytes."""
        ...
