"""GitHub over the network: the ``Host`` that posting uses, by PyGithub's requester.

PyGithub brings the connection, its retries and rate limits, and the throttle. Its objects are left out: they make
requests of their own when an attribute is read, and answers are checked here anyway. Proxies and certificates are
those of the environment (HTTPS_PROXY, NO_PROXY, REQUESTS_CA_BUNDLE). The token goes into one header and nowhere else.
"""

from __future__ import annotations

import contextlib
import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar
from urllib.parse import quote

import requests
from clausefit.ci.changed_lines import added_lines
from clausefit.ci.github_answers import (
    Misshapen,
    artifact_of,
    check_run,
    comment,
    field,
    inline_content,
    items,
    network_text,
    optional_text,
    output_content,
    pull_head,
    reading,
    said_in,
)
from clausefit.ci.github_retry import Pace, Retries
from clausefit.ci.host import (
    Artifact,
    CheckConclusion,
    CheckOutput,
    CheckRun,
    Comment,
    HostProblem,
    InlineComment,
    PullHead,
)
from clausefit.ci.masking import masked
from clausefit.hook.visible import shortened, visible
from github import Auth, Github, GithubException
from github.Requester import Requester
from requests.adapters import HTTPAdapter

_T = TypeVar("_T")
_PAGE = 100
_MOST_PAGES = 100
_HEADERS = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
_ACTIONS_LOGIN = "github-actions[bot]"
_VIEWER = "query { viewer { login } }"
_LONGEST_MESSAGE = 200
_LONGEST_READ = 10_000
_DOWNLOAD_SECONDS = 180.0
_CHUNK = 1 << 16
_TRIES = 2
_FORBIDDEN, _NOT_FOUND, _RATE_LIMIT = 403, 404, 429


class GithubHost:
    """``Host`` for one repository. Raises HostProblem and nothing else."""

    def __init__(self, token: str, repository: str, api_url: str, pace: Pace | None = None) -> None:
        """``repository`` is ``owner/name``, ``api_url`` what GITHUB_API_URL says (GitHub Enterprise: …/api/v3)."""
        # PyGithub shows every refusal on stderr, and urllib3 addresses with their signatures; we say what matters.
        logging.getLogger("github").setLevel(logging.ERROR)
        logging.getLogger("urllib3.connectionpool").setLevel(logging.ERROR)
        self._token, self._api_url, self._pace = token, api_url.rstrip("/"), pace or Pace()
        self._repository = "/repos/" + quote(repository, safe="/")
        self._repeating = self._new_requester(frozenset({"GET", "PATCH", "POST"}))
        self._careful = self._new_requester(frozenset({"GET"}))  # an empty set would be all of them to urllib3

    def _new_requester(self, repeated: frozenset[str]) -> Requester:
        """``repeated`` are the methods of requests that may be sent again though they may have been carried out."""
        client = Github(
            base_url=self._api_url,
            auth=Auth.Token(self._token) if self._token else None,
            timeout=self._pace.timeout,
            user_agent="clausefit",
            per_page=_PAGE,
            retry=Retries.at(self._pace, repeated),
            seconds_between_requests=self._pace.between_requests,
            seconds_between_writes=self._pace.between_writes,
        )
        return client.requester

    # ---- reading ----------------------------------------------------------------------------------------------------

    def changed_lines(self, pull: int) -> Mapping[str, frozenset[int]]:
        """For each file that the pull request changes the lines of its head side that it adds."""
        files = self._pages(f"{self._repository}/pulls/{pull}/files")
        return reading(lambda: {field(one, "filename", str): added_lines(optional_text(one, "patch")) for one in files})

    def head_of(self, pull: int) -> str:
        """The commit that the pull request asks to merge, now."""
        answer = self._ask(f"{self._repository}/pulls/{pull}")
        return reading(lambda: field(answer, "head", dict, "sha", str))

    def login(self) -> str:
        """The name under which this token's comments appear: of its user, or of its app (``name[bot]``)."""
        try:
            answer = self._ask("/user")
            return reading(lambda: field(answer, "login", str))
        except HostProblem as problem:
            if problem.status != _FORBIDDEN:
                raise
        return self._app_login()

    def _app_login(self) -> str:
        """The name of an app: tokens of apps may not ask for /user. That of Actions where GraphQL is closed too."""
        try:
            answer = self._exchange("POST", self._repeating.graphql_url, {}, {"query": _VIEWER}, repeat=True)[1]
            login = field(_decoded(answer), "data", dict, "viewer", dict, "login", str)
        except Misshapen:
            return _ACTIONS_LOGIN
        except HostProblem as problem:
            if problem.status not in (_FORBIDDEN, _NOT_FOUND):
                raise  # with a wrong name our own comments would not be found, and be posted again
            return _ACTIONS_LOGIN
        return login if login.endswith("[bot]") else f"{login}[bot]"

    def review_comments(self, pull: int) -> tuple[Comment, ...]:
        """All comments on lines of the pull request, by whomever."""
        return self._comments(f"{self._repository}/pulls/{pull}/comments")

    def issue_comments(self, pull: int) -> tuple[Comment, ...]:
        """All comments below the pull request, by whomever."""
        return self._comments(f"{self._repository}/issues/{pull}/comments")

    def _comments(self, path: str) -> tuple[Comment, ...]:
        found = self._pages(path)
        comments = reading(lambda: [comment(one) for one in found])
        return tuple({one.id: one for one in comments}.values())  # a page may shift while the next is asked for

    def check_runs(self, head_sha: str, name: str) -> tuple[CheckRun, ...]:
        """The newest check runs with this name on a commit."""
        parameters = {"check_name": name, "filter": "latest"}
        found = self._pages(
            f"{self._repository}/commits/{quote(head_sha, safe='')}/check-runs", parameters, "check_runs"
        )
        return reading(lambda: tuple(check_run(one) for one in found))

    def pulls_of_head(self, owner: str, branch: str) -> tuple[PullHead, ...]:
        """The open pull requests that ask to merge this branch of this owner's repository."""
        found = self._pages(f"{self._repository}/pulls", {"state": "open", "head": f"{owner}:{branch}"})
        return reading(lambda: tuple(pull_head(one) for one in found))

    def artifacts(self, run: int, name: str) -> tuple[Artifact, ...]:
        """The artifacts of a workflow run with exactly this name."""
        found = self._pages(f"{self._repository}/actions/runs/{run}/artifacts", {"name": name}, "artifacts")
        read = reading(lambda: [artifact_of(one) for one in found])
        return tuple(one for one in read if one.name == name)

    def download(self, artifact: int, limit: int) -> bytes:
        """The archive of an artifact; HostProblem where it is larger than ``limit`` bytes."""
        address = f"{self._api_url}{self._repository}/actions/artifacts/{artifact}/zip"
        last = HostProblem("the artifact could not be downloaded")
        for _attempt in range(_TRIES):
            try:
                return self._fetched(address, limit)
            except requests.RequestException as problem:
                last = HostProblem(f"the artifact could not be downloaded ({network_text(problem)})")
            except HostProblem:
                raise
            except Exception as problem:  # urllib3's and PyGithub's own, which requests lets through
                raise self._problem(problem, uncertain=False) from None
        raise last

    def _fetched(self, address: str, limit: int) -> bytes:
        # GitHub redirects to a storage with a signed address: requests sends it no Authorization of another host.
        with requests.Session() as session:
            for scheme in ("https://", "http://"):
                session.mount(scheme, HTTPAdapter(max_retries=Retries.at(self._pace, frozenset({"GET"}))))
            session.auth = lambda request: request  # no .netrc
            headers = {**_HEADERS, "User-Agent": "clausefit", "Accept-Encoding": "identity"}
            if self._token:
                headers["Authorization"] = f"Bearer {self._token}"
            end = time.monotonic() + _DOWNLOAD_SECONDS
            with session.get(address, headers=headers, stream=True, timeout=self._pace.timeout) as answer:
                if answer.status_code != 200:
                    raise HostProblem(
                        f"the artifact could not be downloaded ({answer.status_code})", answer.status_code
                    )
                content = bytearray()
                for chunk in answer.iter_content(_CHUNK):
                    content += chunk
                    if len(content) > limit:
                        raise HostProblem(f"the artifact is larger than {limit} bytes")
                    if time.monotonic() > end:
                        raise HostProblem(f"the artifact did not arrive within {_DOWNLOAD_SECONDS:.0f} seconds")
                return bytes(content)

    # ---- writing ----------------------------------------------------------------------------------------------------

    def create_review(self, pull: int, head_sha: str, body: str, comments: Sequence[InlineComment]) -> None:
        """Post all ``comments`` at once, as one review that neither approves nor asks for changes."""
        review = {
            "commit_id": head_sha,
            "body": body,
            "event": "COMMENT",
            "comments": [inline_content(one) for one in comments],
        }
        self._send("POST", f"{self._repository}/pulls/{pull}/reviews", review)

    def edit_review_comment(self, comment: int, body: str) -> None:
        """Replace the text of a comment on lines."""
        self._send("PATCH", f"{self._repository}/pulls/comments/{comment}", {"body": body}, repeat=True)

    def create_comment(self, pull: int, body: str) -> int:
        """Post a comment below the pull request; returns its id."""
        return self._send("POST", f"{self._repository}/issues/{pull}/comments", {"body": body})

    def edit_comment(self, comment: int, body: str) -> None:
        """Replace the text of a comment below the pull request."""
        self._send("PATCH", f"{self._repository}/issues/comments/{comment}", {"body": body}, repeat=True)

    def create_check_run(
        self, name: str, head_sha: str, external_id: str, output: CheckOutput, conclusion: CheckConclusion | None
    ) -> int:
        """Make a check run, in progress where there is no conclusion yet; returns its id."""
        run = {"name": name, "head_sha": head_sha, "external_id": external_id, "output": output_content(output)}
        return self._send("POST", f"{self._repository}/check-runs", {**run, **_state(conclusion)})

    def update_check_run(
        self, run: int, output: CheckOutput, conclusion: CheckConclusion | None, external_id: str | None = None
    ) -> None:
        """Add annotations to a check run; with a conclusion it is completed."""
        changes = {"output": output_content(output), **_state(conclusion)}
        if external_id is not None:
            changes["external_id"] = external_id
        # What comes twice is added twice: annotations have no identity.
        self._send("PATCH", f"{self._repository}/check-runs/{run}", changes)

    # ---- one request ------------------------------------------------------------------------------------------------

    def _pages(self, path: str, parameters: Mapping[str, str] | None = None, inside: str = "") -> list[dict[str, Any]]:
        """The objects of all pages of a list; ``inside`` names the list in each answer that is an object."""
        found: list[dict[str, Any]] = []
        for page in range(1, _MOST_PAGES + 1):
            asked = {**(parameters or {}), "per_page": str(_PAGE), "page": str(page)}
            headers, text = self._exchange("GET", path, asked, None, repeat=True)
            found += reading(partial(items, _decoded(text), inside))
            if 'rel="next"' not in str(headers.get("link", "")):
                return found
        raise HostProblem(f"GitHub has more than {_MOST_PAGES * _PAGE} entries there, which is too many to read")

    def _ask(self, path: str) -> Any:
        return _decoded(self._exchange("GET", path, {}, None, repeat=True)[1])

    def _send(self, verb: str, path: str, content: Mapping[str, Any], *, repeat: bool = False) -> int:
        """The id of what was made or changed. Without it in the answer nobody knows whether GitHub has answered."""
        text = self._exchange(verb, path, {}, content, repeat=repeat)[1]
        try:
            return field(_decoded(text), "id", int)
        except (HostProblem, Misshapen):
            raise HostProblem("GitHub's answer does not say what was done", 200, uncertain=True) from None

    def _exchange(
        self,
        verb: str,
        path: str,
        parameters: Mapping[str, str],
        content: Mapping[str, Any] | None,
        *,
        repeat: bool,
    ) -> tuple[Mapping[str, Any], str]:
        """The headers and the text of a good answer. ``repeat``: to do it twice is as good as to do it once."""
        requester = self._repeating if repeat else self._careful

        def ask() -> tuple[int, Mapping[str, Any], str]:
            return requester.requestJson(verb, path, dict(parameters), dict(_HEADERS), content)

        try:
            status, headers, text = self._until_whole(ask) if repeat else ask()
        except HostProblem:
            raise
        except Exception as problem:  # PyGithub lets through what requests, urllib3, json and its own asserts raise
            raise self._problem(problem, uncertain=not repeat) from None
        if not 200 <= status < 300:
            raise self._refusal(status, said_in(text), uncertain=not repeat)
        return headers, text

    def _until_whole(self, ask: Callable[[], _T]) -> _T:
        # Where an answer breaks off after its first line, urllib3 has let go of it and asks no more.
        for _attempt in range(self._pace.attempts - 1):
            with contextlib.suppress(requests.exceptions.ChunkedEncodingError):
                return ask()
        return ask()

    def _problem(self, problem: Exception, *, uncertain: bool) -> HostProblem:
        if isinstance(problem, GithubException):
            data = problem.data
            message = data.get("message", "") if isinstance(data, dict) else data
            return self._refusal(problem.status, message if isinstance(message, str) else "", uncertain=uncertain)
        if isinstance(problem, requests.exceptions.RetryError):
            return HostProblem("GitHub answers with errors of its own (5xx), again and again", 500, uncertain=uncertain)
        if isinstance(problem, requests.RequestException):
            return HostProblem(f"GitHub cannot be reached: {network_text(problem)}", uncertain=uncertain)
        return HostProblem(f"GitHub's answer cannot be read ({type(problem).__name__})", uncertain=uncertain)

    def _refusal(self, status: int, message: str, *, uncertain: bool) -> HostProblem:
        # The token may be in no line, whatever the server sends back.
        said = masked(message[:_LONGEST_READ], self._token)
        text = f"GitHub answers {status}"
        text += f": {shortened(visible(said), _LONGEST_MESSAGE)}" if said else ""
        is_limit = status == _RATE_LIMIT or (status == _FORBIDDEN and "rate limit" in said.lower())
        return HostProblem(text, _RATE_LIMIT if is_limit else status, uncertain=uncertain and status >= 500)


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise HostProblem("GitHub's answer is no JSON", 200) from None


def _state(conclusion: CheckConclusion | None) -> dict[str, Any]:
    return {"status": "in_progress"} if conclusion is None else {"status": "completed", "conclusion": conclusion}
