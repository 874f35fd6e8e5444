"""The hidden markers by which comments of ours are found again, and told from those of other projects.

A marker counts only at the very start of a comment, where text of a contract never comes. One repository may hold
several projects, each judged by a job of its own: no job touches the comments of another. Pure.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from clausefit.hook.report import Finding
from clausefit.hook.visible import visible

WHOLE = "."
"""The project that is the whole repository. Comments without a marker for the project are its own."""
RUN = "\n\n<!-- clausefit:run -->\n"
"""Before the link to the run, which does not count when texts are compared."""
_PROJECT = r"(?:<!-- clausefit:project ([0-9a-f]{16}) -->\n)?"
_FINDING = re.compile(
    rf"<!-- clausefit:finding ([0-9a-f]{{8,64}}) -->\n<!-- clausefit:about ([0-9a-f]{{16}}) -->\n{_PROJECT}"
)
_GONE = "<!-- clausefit:gone -->\n"
_SUMMARY = re.compile(rf"<!-- clausefit:summary -->\n(?:<!-- clausefit:commit ([0-9a-f]*) -->\n)?{_PROJECT}")
_HEXADECIMAL = re.compile(r"[0-9a-f]{8,64}")
_LONGEST_NAME = 80


@dataclass(frozen=True)
class Marked:
    """What the markers of a comment of ours say: the finding, what it is about, whether it is struck, whose it is.

    ``project`` is what ``project_key`` gives.
    """

    fingerprint: str
    about: str
    gone: bool
    project: str


# ---- written --------------------------------------------------------------------------------------------------------


def finding_markers(finding: Finding, project: str) -> str:
    """The lines at the start of a finding's comment."""
    subject = about(finding.function)
    return (
        f"<!-- clausefit:finding {fingerprint_of(finding)} -->\n<!-- clausefit:about {subject} -->\n"
        f"{_project_marker(project)}"
    )


def summary_markers(sha: str, project: str) -> str:
    """The lines at the start of a summary of the commit ``sha``."""
    commit = sha if _HEXADECIMAL.fullmatch(sha) else ""
    return f"<!-- clausefit:summary -->\n<!-- clausefit:commit {commit} -->\n{_project_marker(project)}"


def fingerprint_of(finding: Finding) -> str:
    """The finding's fingerprint as markers hold it; one that is no number (a report of others) is hashed."""
    if _HEXADECIMAL.fullmatch(finding.fingerprint):
        return finding.fingerprint
    return hashlib.sha256(finding.fingerprint.encode("utf-8", "backslashreplace")).hexdigest()[:32]


def about(function: str) -> str:
    """16 hex digits that stand for a function in a marker."""
    return hashlib.sha256(function.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def project_key(project: str) -> str:
    """What stands for a project in markers: 16 hex digits, "" for the whole repository."""
    if project == WHOLE:
        return ""
    return hashlib.sha256(project.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def project_name(project: str) -> str:
    """A project's folder on one line of at most 80 characters, not escaped. Two folders never have the same."""
    shown = visible(project)
    if shown == project and len(shown) <= _LONGEST_NAME:
        return shown
    key = f"... {project_key(project)}"
    return shown[: _LONGEST_NAME - len(key)] + key


def labelled(project: str) -> str:
    """The name under which a project's comments and check runs appear: ``clausefit``, ``clausefit (lib/c)``."""
    return "clausefit" if project == WHOLE else f"clausefit ({project_name(project)})"


def is_below(path: str, project: str) -> bool:
    """Whether a file of the repository lies in a project."""
    return project == WHOLE or path.startswith(f"{project}/")


def _project_marker(project: str) -> str:
    key = project_key(project)
    return f"<!-- clausefit:project {key} -->\n" if key else ""


# ---- read -----------------------------------------------------------------------------------------------------------


def marked(body: str) -> Marked | None:
    """What the markers at the start of ``body`` say, None for a comment that is no finding of ours."""
    found = _FINDING.match(_lines(body))
    if found is None:
        return None
    return Marked(found[1], found[2], _lines(body).startswith(_GONE, found.end()), found[3] or "")


def is_summary(body: str, project: str = WHOLE) -> bool:
    """Whether a comment is a summary of ours about the project, by its marker."""
    found = _SUMMARY.match(_lines(body))
    return found is not None and (found[2] or "") == project_key(project)


def commit_of(body: str) -> str:
    """The commit that a summary is about, empty where its marker does not say."""
    found = _SUMMARY.match(_lines(body))
    return (found[1] or "") if found else ""


def struck_through(body: str, why: str) -> str:
    """The comment ``body`` of a finding with its title struck, and ``why`` in place of the rest; markers stay."""
    whole = _lines(body)
    found = _FINDING.match(whole)
    start = found.end() if found else 0
    title = whole[start:].split("\n", 1)[0]
    return f"{whole[:start]}{_GONE}~~{title}~~\n\n{why}\n"


def same_text(one: str, other: str) -> bool:
    """Whether two comments say the same: line ends, blanks at the end and the link to the run do not count."""
    return _comparable(one) == _comparable(other)


def _comparable(body: str) -> str:
    return _lines(body).partition(RUN)[0].rstrip()


def _lines(body: str) -> str:
    return body.replace("\r\n", "\n")
