"""The settings of one ``clausefit ci``: what the runner and the action's inputs say, read once and checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Literal, TypeAlias, TypeVar, cast

from clausefit.hook.budget import seconds_of
from clausefit.hook.config import FailOn, Verifier, Widening
from clausefit.hook.report import SEVERITIES
from clausefit.hook.visible import shortened, visible

Scope: TypeAlias = Literal["auto", "changed", "all"]
_T = TypeVar("_T")
_LONGEST_VALUE = 4096
_LARGEST_NUMBER = 10_000
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*/[A-Za-z0-9_.-]+")
_ADDRESS = re.compile(r"https?://[A-Za-z0-9._-]+(?::\d+)?(?:/[A-Za-z0-9._~-]+)*/?")
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_NOT_IN_NAMES = re.compile(r"[\0-\x20\x7f~^:?*\[\\\ud800-\udfff]|\.\.|@\{")
"""Also what is no text: half a pair of UTF-16, which JSON can hold and no command line."""
_YES, _NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


class SettingsProblem(Exception):  # noqa: N818 - what is wrong is an input
    """A value that cannot be used. The text is one line that names the input or the variable."""


@dataclass(frozen=True)
class Settings:
    """Everything that is set from outside. Paths of inputs lie below ``workspace``: ``sarif``, ``report``, ``cache``
    and ``working_directory`` are relative to it, ``baseline`` and ``junit`` to ``project``.

    ``fail_on``, ``changed_with``, ``timeout`` and ``verifiers`` are None where the settings file says it; ``budget``
    None is that of the settings file, or no limit. ``sha`` is "" outside of GitHub.
    """

    event_name: str = ""
    event_path: Path | None = None
    workspace: Path = Path()
    repository: str = ""
    sha: str = ""
    ref: str = ""
    api_url: str = "https://api.github.com"
    server_url: str = "https://github.com"
    run_id: str = ""
    run_attempt: str = ""
    token: str = field(default="", repr=False)
    scope: Scope = "auto"
    base: str = ""
    working_directory: str = "."
    fail_on: FailOn | None = None
    changed_with: tuple[Widening, ...] | None = None
    junit: tuple[str, ...] = ()
    baseline: str = ""
    timeout: int | None = None
    budget: float | None = None
    verifiers: tuple[Verifier, ...] | None = None
    review: bool = True
    comment: bool = True
    check_run: bool = False
    sarif: str = "clausefit.sarif"
    report: str = "clausefit-report.json"
    artifact: str = "clausefit-report"
    cache: str = ""

    @property
    def run_url(self) -> str:
        """The page of this run of the workflow; "" outside of GitHub."""
        if not self.repository or not self.run_id:
            return ""
        attempt = f"/attempts/{self.run_attempt}" if self.run_attempt else ""
        return f"{self.server_url}/{self.repository}/actions/runs/{self.run_id}{attempt}"

    @property
    def project(self) -> Path:
        """The folder that is judged."""
        return self.workspace / self.working_directory


INPUTS = (
    "token",
    "scope",
    "base",
    "working-directory",
    "fail-on",
    "changed-with",
    "junit",
    "baseline",
    "timeout",
    "budget",
    "verifier",
    "review",
    "comment",
    "check-run",
    "sarif",
    "report",
    "artifact",
    "cache",
)
"""The inputs of the action, in the order of its documentation."""


def read_settings(environment: Mapping[str, str], folder: Path) -> Settings:
    """The settings that ``environment`` holds; ``folder`` is the workspace where it names none.

    Inputs are INPUT_<NAME> as the runner passes them to Docker actions: upper case, hyphens stay. One that is missing
    or empty has its default. Raises SettingsProblem.
    """
    settings = _settings(environment, folder)
    if settings.sarif == settings.report:
        raise SettingsProblem(
            f"inputs sarif and report: both name {visible(shortened(settings.sarif, 80))}: give each a file of its own"
        )
    return settings


def _settings(environment: Mapping[str, str], folder: Path) -> Settings:

    def given(name: str, clean: Callable[[str], _T], default: _T) -> _T:
        return _cleaned(f"input {name}", environment.get(f"INPUT_{name.upper()}", ""), clean, default)

    def said(name: str, clean: Callable[[str], _T], default: _T) -> _T:
        return _cleaned(name, environment.get(name, ""), clean, default)

    return Settings(
        event_name=said("GITHUB_EVENT_NAME", clean_word, ""),
        event_path=said("GITHUB_EVENT_PATH", Path, None),
        workspace=said("GITHUB_WORKSPACE", Path, folder).absolute(),
        repository=said("GITHUB_REPOSITORY", clean_repository, ""),
        sha=said("GITHUB_SHA", clean_commit, ""),
        ref=said("GITHUB_REF", clean_ref, ""),
        api_url=said("GITHUB_API_URL", clean_address, Settings.api_url),
        server_url=said("GITHUB_SERVER_URL", clean_address, Settings.server_url),
        run_id=said("GITHUB_RUN_ID", clean_digits, ""),
        run_attempt=said("GITHUB_RUN_ATTEMPT", clean_digits, ""),
        token=given("token", clean_token, ""),
        scope=given("scope", clean_scope, "auto"),
        base=given("base", clean_revision, ""),
        working_directory=given("working-directory", clean_path, "."),
        fail_on=given("fail-on", clean_fail_on, None),
        changed_with=given("changed-with", clean_changed_with, None),
        junit=given("junit", clean_junit, ()),
        baseline=given("baseline", clean_path, ""),
        timeout=given("timeout", clean_seconds, None),
        budget=given("budget", clean_budget, None),
        verifiers=given("verifier", clean_verifiers, None),
        review=given("review", clean_flag, True),
        comment=given("comment", clean_flag, True),
        check_run=given("check-run", clean_flag, False),
        sarif=given("sarif", clean_path, Settings.sarif),
        report=given("report", clean_path, Settings.report),
        artifact=given("artifact", clean_artifact, Settings.artifact),
        cache=given("cache", clean_path, ""),
    )


def _cleaned(name: str, text: str, clean: Callable[[str], _T], default: _T) -> _T:
    value = text.strip()
    if not value:
        return default
    if len(value) > _LONGEST_VALUE:
        raise SettingsProblem(f"{name}: longer than {_LONGEST_VALUE} characters")
    try:
        return clean(value)
    except ValueError as problem:
        raise SettingsProblem(f"{name}: {problem}") from None


# Each of these takes a text that is not empty, and raises ValueError with the rest of the line.


def clean_flag(text: str) -> bool:
    """True or false, as YAML and GitHub write them."""
    word = text.lower()
    if word not in _YES + _NO:
        raise ValueError(f"{_shown(text)} is neither true nor false")
    return word in _YES


def clean_scope(text: str) -> Scope:
    """What is judged: auto, changed or all."""
    return cast(Scope, _one_of(text, ("auto", "changed", "all")))


def clean_fail_on(text: str) -> FailOn:
    """The least severity that fails."""
    return cast(FailOn, _one_of(text, (*SEVERITIES, "never")))


def clean_changed_with(text: str) -> tuple[Widening, ...]:
    """What makes a contract changed; a list."""
    return cast(tuple[Widening, ...], tuple(_one_of(one, ("contracts", "code", "tests")) for one in _listed(text)))


def clean_verifiers(text: str) -> tuple[Verifier, ...]:
    """Who judges Java, in this order; a list."""
    return cast(tuple[Verifier, ...], tuple(_one_of(one, ("key", "openjml")) for one in _listed(text)))


def clean_seconds(text: str) -> int:
    """A whole number of seconds."""
    if not text.isascii() or not text.isdecimal() or len(text) > 9 or not 0 < int(text) <= _LARGEST_NUMBER:
        raise ValueError(f"{_shown(text)} is not a whole number from 1 to {_LARGEST_NUMBER}")
    return int(text)


def clean_budget(text: str) -> float:
    """Seconds, whole or decimal, as ``check --budget`` takes them."""
    try:
        return seconds_of(text)
    except ValueError as problem:
        raise ValueError(f"{_shown(text)} {problem}") from None


def clean_junit(text: str) -> tuple[str, ...]:
    """Patterns of test reports below the workspace, one a line."""
    return tuple(_below(line.strip()) for line in text.splitlines() if line.strip())


def clean_path(text: str) -> str:
    """A path below the workspace. That no link leads out of it is seen where it is opened."""
    return str(PurePosixPath(_below(text)))


def clean_artifact(text: str) -> str:
    """The name of an artifact: without the characters that GitHub refuses in one."""
    if not text.isprintable() or any(letter in text for letter in '":<>|*?\\/'):
        raise ValueError(f"{_shown(text)} is not the name of an artifact")
    return text


def clean_revision(text: str) -> str:
    """The name of a branch, a tag or a commit: nothing that git could take for an option.

    The characters are those of git-check-ref-format(1), which allows some that show nothing (an emoji's joiner): a
    name is escaped where it is shown.
    """
    if text.startswith("-") or _NOT_IN_NAMES.search(text):
        raise ValueError(f"{_shown(text)} is not the name of a branch, a tag or a commit")
    return text


def clean_ref(text: str) -> str:
    """The ref of the event; "" for one with an odd name, as nothing but the default branch's is looked for."""
    try:
        return clean_revision(text)
    except ValueError:
        return ""


def clean_commit(text: str) -> str:
    """The id of a commit."""
    if not is_commit_id(text):
        raise ValueError(f"{_shown(text)} is not the id of a commit")
    return text


def clean_repository(text: str) -> str:
    """OWNER/NAME."""
    if not _REPOSITORY.fullmatch(text):
        raise ValueError(f"{_shown(text)} is not OWNER/NAME")
    return text


def clean_address(text: str) -> str:
    """The address of a server, without a slash at its end, and without a name or a password in it."""
    if not _ADDRESS.fullmatch(text):
        raise ValueError(f"{_shown(text)} is not an address (https://…)")
    return text.rstrip("/")


def clean_digits(text: str) -> str:
    """A number, kept as text."""
    if not text.isascii() or not text.isdecimal() or len(text) > 20:
        raise ValueError(f"{_shown(text)} is not a number")
    return text


def clean_word(text: str) -> str:
    """The name of an event."""
    if not re.fullmatch(r"[A-Za-z_]{1,64}", text):
        raise ValueError(f"{_shown(text)} is not the name of an event")
    return text


def clean_token(text: str) -> str:
    """A token; what is wrong with one is said without it."""
    if not re.fullmatch(r"[!-~]+", text):
        raise ValueError("holds characters that no token has")
    return text


def is_commit_id(text: object) -> bool:
    """Whether it is a full id of a commit: SHA-1 or SHA-256, in lower case."""
    return isinstance(text, str) and _COMMIT.fullmatch(text) is not None


def _listed(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in text.split(",")))


def _one_of(text: str, words: tuple[str, ...]) -> str:
    if text not in words:
        raise ValueError(f"{_shown(text)} is none of {', '.join(words)}")
    return text


def _below(text: str) -> str:
    if not text.isprintable():
        raise ValueError(f"{_shown(text)} is not a path")
    path = PurePosixPath(text)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError(f"{_shown(text)} is not below the workspace")
    return text


def _shown(text: str) -> str:
    return f"'{visible(shortened(text, 80))}'"
