"""Which two commits are compared: finds the base of a change, and fetches what a shallow clone has not of it.

actions/checkout fetches one commit, and for a pull request that is the merge of it into its branch: neither the
head that is judged nor the base is there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from clausefit.ci.events import Judge
from clausefit.ci.fetching import FetchProblem, Remote
from clausefit.ci.settings import is_commit_id
from clausefit.hook.git import Git, GitProblem
from clausefit.hook.visible import visible

DEPTHS: tuple[int | None, ...] = (50, 250, 1000, None)
"""How much history is fetched, step by step, until there is a common ancestor; None is all of it."""
_SHORT = 12
_EVERYTHING = "every contract of what is checked out is judged"
_ADVICE = "give actions/checkout `fetch-depth: 0`, so that all commits are there"


class HistoryProblem(Exception):  # noqa: N818 - a state of affairs
    """There is nothing to compare with. The text is one line with what to do."""


@dataclass(frozen=True)
class Compared:
    """``head`` is judged for what it changes against ``base`` as it is: an ancestor of it, or what a branch was before
    it was moved. ``base`` None: nothing is left to compare with, and every contract is to be judged. ``notes`` are
    lines for people.
    """

    base: str | None
    head: str
    notes: tuple[str, ...] = ()


def compared(judge: Judge, git: Git, remote: Remote, say: Callable[[str], None]) -> Compared:
    """The commits to compare; ``say`` is told of every fetch. Raises HistoryProblem, GitProblem.

    ``judge.base`` must not be None.
    """
    return _Search(judge, git, remote, say).compared()


class _Search:
    def __init__(self, judge: Judge, git: Git, remote: Remote, say: Callable[[str], None]) -> None:
        self._judge, self._git, self._remote, self._say = judge, git, remote, say

    def compared(self) -> Compared:
        head = self._head()
        base, notes = self._base()
        if base is None:
            return Compared(None, head, tuple(notes))
        if self._judge.is_move and not notes:
            return self._moved(base, head)
        ancestor = self._ancestor(base, head)
        if notes and self._judge.or_all and ancestor in (None, head):
            why = f"it holds {head[:_SHORT]} already" if ancestor else f"{head[:_SHORT]} did not grow from it"
            return Compared(None, head, (f"{notes[0]}; {why}: {_EVERYTHING}",))
        if ancestor is None:
            raise HistoryProblem(
                f"{base[:_SHORT]} and {head[:_SHORT]} have no common ancestor: set the input base to a commit that "
                "the branch grew from, or the input scope to all"
            )
        if notes and ancestor == head:  # that would be a change of nothing, and look like a pass
            raise HistoryProblem(f"{notes[0]}; it holds {head[:_SHORT]} already: set the input scope to all")
        return Compared(ancestor, head, tuple(notes))

    def _moved(self, base: str, head: str) -> Compared:
        """A branch that was at ``base`` and is at ``head``.

        From their common ancestor nothing would be seen of what a forced push takes away, a mended contract say.
        """
        try:
            ancestor = self._ancestor(base, head)
        except HistoryProblem:  # the two are there, and how they are related is but for the note
            return Compared(base, head)
        if ancestor == base:
            return Compared(base, head)
        how = f"{base[:_SHORT]} is no ancestor of {head[:_SHORT]} (a forced push?), so the two are compared as they are"
        return Compared(base, head, (how,))

    def _ancestor(self, base: str, head: str) -> str | None:
        """Their best common ancestor, for which history is fetched where it is cut off; None: there is none."""
        for depth in DEPTHS:
            ancestor = self._git.common_ancestor(base, head)
            if ancestor is not None or not self._git.is_shallow():
                return ancestor
            self._deepen([head, base], depth)
        return self._git.common_ancestor(base, head)

    def _head(self) -> str:
        head, base = self._judge.head, self._judge.base
        if not is_commit_id(head):
            return self._git.commit(head)
        if self._git.has_commit(head):
            return head
        if is_commit_id(base) and base is not None and not self._git.has_commit(base):
            try:
                self._fetch([head, base], DEPTHS[0])
                return head
            except FetchProblem as problem:
                if not problem.gone:
                    raise self._no_commit(head, problem) from problem
        self._get(head)  # one of the two is gone: which, is seen when they are fetched alone
        return head

    def _base(self) -> tuple[str | None, list[str]]:
        """What is compared with (None: nothing is left), and why it is not what was wanted."""
        base, branch = self._judge.base, self._judge.branch
        if not base:
            return self._branch(branch), []
        if not is_commit_id(base):
            return self._named(base), []
        if self._git.has_commit(base):
            return base, []
        try:
            self._fetch([base], DEPTHS[0])
        except FetchProblem as problem:
            if not problem.gone or not (branch or self._judge.or_all):
                raise self._no_commit(base, problem) from problem
            gone = f"{base[:_SHORT]} is gone from {self._where()} (a forced push?)"
            if not branch:
                return None, [f"{gone}, and there is nothing else to compare with: {_EVERYTHING}"]
            return self._branch(branch), [f"{gone}, so {visible(branch)} is what is compared with"]
        return base, []

    def _named(self, name: str) -> str:
        """What the input ``base`` names: here, or on the server."""
        try:
            return self._git.commit(name)
        except GitProblem:
            return self._branch(name.removeprefix("origin/"))

    def _branch(self, name: str) -> str:
        """The commit that a branch or a tag of the server is at, fetched where it is not there."""
        try:
            found = self._remote.named(name)
        except FetchProblem as problem:
            raise HistoryProblem(
                f"{visible(name)} of {self._where()} cannot be looked up ({problem}); {_ADVICE}"
            ) from problem
        if found is None:
            raise HistoryProblem(
                f"{self._where()} has no branch or tag {visible(name)}: set the input base to one that is there"
            )
        if not self._git.has_commit(found):
            self._get(found)
        return found

    def _get(self, commit: str) -> None:
        try:
            self._fetch([commit], DEPTHS[0])
        except FetchProblem as problem:
            raise self._no_commit(commit, problem) from problem

    def _deepen(self, commits: list[str], depth: int | None) -> None:
        try:
            self._fetch(commits, depth)
        except FetchProblem as problem:
            shown = " and ".join(commit[:_SHORT] for commit in commits)
            raise HistoryProblem(
                f"the common ancestor of {shown} is not in this shallow clone and cannot be fetched ({problem}); "
                f"{_ADVICE}"
            ) from problem

    def _fetch(self, commits: list[str], depth: int | None) -> None:
        shown = " and ".join(commit[:_SHORT] for commit in commits)
        how_much = "their whole history" if depth is None else f"{depth} commits of history"
        self._say(f"fetching {shown} from {self._where()}" + (f" with {how_much}" if self._git.is_shallow() else ""))
        self._remote.fetch(commits, depth)

    def _no_commit(self, commit: str, problem: FetchProblem) -> HistoryProblem:
        if problem.gone:
            return HistoryProblem(
                f"commit {commit[:_SHORT]} is gone from {self._where()} ({problem}): run the workflow for the newest "
                "commit, or set the input base"
            )
        return HistoryProblem(
            f"commit {commit[:_SHORT]} is not in this clone and cannot be fetched from {self._where()} ({problem}); "
            f"{_ADVICE}"
        )

    def _where(self) -> str:
        return self._remote.name or "origin"
