"""A GitHub for tests: real HTTP on 127.0.0.1, with state, that holds every request against GitHub's description.

``violations`` is what GitHub would have refused or what its documentation forbids; a test ends with it empty.
"""

from __future__ import annotations

import contextlib
import json
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from github_rules import broken_rules, shown_lines
from openapi_core import OpenAPI
from openapi_core.datatypes import RequestParameters
from openapi_core.exceptions import OpenAPIError
from openapi_core.protocols import Request
from werkzeug.datastructures import Headers, ImmutableMultiDict

DESCRIPTION = Path(__file__).parents[1] / "data" / "github" / "api_description.json"
REPOSITORY = "octo/contracts"
TOKEN = "ghs_" + "t0ken" * 7


@dataclass
class Seen:
    """A request that came."""

    method: str
    path: str
    query: dict[str, str]
    body: Any
    authorization: str | None

    @property
    def writes(self) -> bool:
        return self.method in ("POST", "PATCH") and not self.path.endswith("/graphql")


@dataclass
class Fault:
    """What happens instead of the answer, to the next ``times`` requests that match.

    ``status`` None drops the connection in the middle of the answer. ``done``: what was asked for is done all the same.
    """

    method: str
    path: str
    status: int | None = 403
    body: str = '{"message": "Resource not accessible by integration"}'
    headers: dict[str, str] = field(default_factory=dict)
    times: int = 10_000
    done: bool = False
    delay: float = 0.0

    def matches(self, method: str, path: str) -> bool:
        return (
            self.times > 0 and re.fullmatch(self.method, method) is not None and re.search(self.path, path) is not None
        )


@dataclass
class Pull:
    """An open pull request; ``files`` are those of ``GET pulls/N/files``."""

    number: int
    head: str
    files: list[dict[str, Any]] = field(default_factory=list)
    owner: str = "octo"
    branch: str = "topic"
    repository: str = REPOSITORY
    state: str = "open"


class _Refused(Exception):  # noqa: N818 - what is wrong is the request
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class _Asked:
    """A request in the form that openapi-core reads."""

    host_url: str
    path: str
    method: str
    parameters: RequestParameters
    content_type: str
    body: bytes | None


@cache
def _description() -> OpenAPI:
    return OpenAPI.from_file_path(str(DESCRIPTION))


class GithubFake:
    """The server. ``prefix`` is ``/api/v3`` for a GitHub Enterprise."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.login: str | None = None
        self.app_login = "github-actions"
        self.pulls: dict[int, Pull] = {}
        self.issue_comments: dict[int, list[dict[str, Any]]] = {}
        self.review_comments: dict[int, list[dict[str, Any]]] = {}
        self.reviews: list[dict[str, Any]] = []
        self.check_runs: list[dict[str, Any]] = []
        self.artifacts: dict[int, list[dict[str, Any]]] = {}
        self.archives: dict[int, bytes] = {}
        self.faults: list[Fault] = []
        self.requests: list[Seen] = []
        self.violations: list[str] = []
        self._id = 1000
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"fake": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> GithubFake:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    # ---- for tests --------------------------------------------------------------------------------------------------

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        return self.origin + self.prefix

    @property
    def author(self) -> str:
        """The name under which comments of the token appear."""
        return self.login or f"{self.app_login}[bot]"

    @property
    def writes(self) -> list[Seen]:
        return [one for one in self.requests if one.writes]

    def new_id(self) -> int:
        self._id += 1
        return self._id

    def add_pull(self, pull: Pull) -> Pull:
        self.pulls[pull.number] = pull
        self.issue_comments.setdefault(pull.number, [])
        self.review_comments.setdefault(pull.number, [])
        return pull

    def add_comment(self, pull: int, body: str, author: str | None = None) -> dict[str, Any]:
        comment = {"id": self.new_id(), "body": body, "user": {"login": author or self.author}}
        self.issue_comments[pull].append(comment)
        return comment

    def add_review_comment(
        self, pull: int, body: str, path: str, line: int | None, start: int | None = None, author: str | None = None
    ) -> dict[str, Any]:
        user = {"login": author or self.author}
        comment = {"id": self.new_id(), "body": body, "path": path, "line": line, "start_line": start, "user": user}
        self.review_comments[pull].append(comment)
        return comment

    def add_artifact(self, run: int, name: str, archive: bytes, sha: str, **other: Any) -> int:
        number = self.new_id()
        there = {"id": number, "name": name, "size_in_bytes": len(archive), "expired": False}
        self.artifacts.setdefault(run, []).append({**there, "workflow_run": {"id": run, "head_sha": sha}, **other})
        self.archives[number] = archive
        return number

    # ---- answering --------------------------------------------------------------------------------------------------

    def fault_for(self, method: str, path: str) -> Fault | None:
        with self._lock:
            for fault in self.faults:
                if fault.matches(method, path):
                    fault.times -= 1
                    return fault
        return None

    def answer(self, seen: Seen) -> tuple[int, Any, dict[str, str]]:
        with self._lock:
            try:
                return self._answer(seen)
            except _Refused as refused:
                return refused.status, {"message": str(refused)}, {}

    def check(self, seen: Seen, raw: bytes | None, content_type: str) -> None:
        """Note what the description, or what is documented beside it, does not allow."""
        if seen.path == self.graphql:
            return
        asked = _Asked(
            "https://api.github.com",
            seen.path.removeprefix(self.prefix),
            seen.method.lower(),
            RequestParameters(query=ImmutableMultiDict(seen.query), header=Headers(), cookie=ImmutableMultiDict()),
            content_type,
            raw,
        )
        assert isinstance(asked, Request)
        try:
            _description().validate_request(asked)
        except OpenAPIError as problem:
            self.violations.append(f"{seen.method} {seen.path}: {problem}: {problem.__cause__}")

    @property
    def graphql(self) -> str:
        return "/api/graphql" if self.prefix else "/graphql"

    def _answer(self, seen: Seen) -> tuple[int, Any, dict[str, str]]:
        if seen.authorization != f"token {TOKEN}" and seen.authorization != f"Bearer {TOKEN}":
            raise _Refused(401, "Bad credentials")
        path = seen.path.removeprefix(self.prefix)
        if seen.path == self.graphql:
            return 200, {"data": {"viewer": {"login": self.app_login}}}, {}
        if path == "/user":
            if self.login is None:
                raise _Refused(403, "Resource not accessible by integration")
            return 200, {"login": self.login}, {}
        if not path.startswith(f"/repos/{REPOSITORY}/"):
            raise _Refused(404, "Not Found")
        self._note_broken_rules(seen)
        parts = path.removeprefix(f"/repos/{REPOSITORY}/").split("/")
        for pattern, act in self._routes():
            found = re.fullmatch(pattern, f"{seen.method} {'/'.join(parts)}")
            if found:
                return act(seen, *found.groups())  # type: ignore[no-any-return]
        raise _Refused(404, "Not Found")

    def _note_broken_rules(self, seen: Seen) -> None:
        broken = broken_rules(seen.method, seen.path, seen.query, seen.body, _schema_of(seen, self.prefix))
        self.violations += broken
        if broken:
            raise _Refused(422, "; ".join(broken))

    def _routes(self) -> list[tuple[str, Any]]:
        return [
            (r"GET pulls", self._list_pulls),
            (r"GET pulls/(\d+)", lambda _seen, number: (200, self._pull_json(self._pull(number)), {})),
            (r"GET pulls/(\d+)/files", lambda seen, number: self._page(seen, self._pull(number).files)),
            (
                r"GET pulls/(\d+)/comments",
                lambda seen, number: self._page(seen, self._of(self.review_comments, number)),
            ),
            (r"POST pulls/(\d+)/reviews", self._create_review),
            (r"PATCH pulls/comments/(\d+)", lambda seen, number: self._edit(self.review_comments, seen, number)),
            (
                r"GET issues/(\d+)/comments",
                lambda seen, number: self._page(seen, self._of(self.issue_comments, number)),
            ),
            (r"POST issues/(\d+)/comments", self._create_comment),
            (r"PATCH issues/comments/(\d+)", lambda seen, number: self._edit(self.issue_comments, seen, number)),
            (r"POST check-runs", self._create_check_run),
            (r"PATCH check-runs/(\d+)", self._update_check_run),
            (r"GET commits/([^/]+)/check-runs", self._list_check_runs),
            (r"GET actions/runs/(\d+)/artifacts", self._list_artifacts),
            (r"GET actions/artifacts/(\d+)/zip", self._archive),
        ]

    def _page(self, seen: Seen, entries: list[dict[str, Any]], name: str = "") -> tuple[int, Any, dict[str, str]]:
        size, page = int(seen.query.get("per_page", "30")), int(seen.query.get("page", "1"))
        part = entries[(page - 1) * size : page * size]
        more = page * size < len(entries)
        link = {"Link": f'<{self.origin}{seen.path}?page={page + 1}&per_page={size}>; rel="next"'} if more else {}
        return 200, ({"total_count": len(entries), name: part} if name else part), link

    def _pull(self, number: str) -> Pull:
        if int(number) not in self.pulls:
            raise _Refused(404, "Not Found")
        return self.pulls[int(number)]

    def _of(self, comments: dict[int, list[dict[str, Any]]], number: str) -> list[dict[str, Any]]:
        return comments[self._pull(number).number]

    @staticmethod
    def _pull_json(pull: Pull) -> dict[str, Any]:
        repository = {"full_name": pull.repository} if pull.repository else None
        head = {"sha": pull.head, "ref": pull.branch, "label": f"{pull.owner}:{pull.branch}", "repo": repository}
        return {"number": pull.number, "state": pull.state, "head": head}

    def _list_pulls(self, seen: Seen) -> tuple[int, Any, dict[str, str]]:
        there = [self._pull_json(one) for one in self.pulls.values() if one.state == seen.query.get("state", "open")]
        return self._page(seen, [one for one in there if one["head"]["label"] == seen.query.get("head")])

    def _create_review(self, seen: Seen, number: str) -> tuple[int, Any, dict[str, str]]:
        pull = self._pull(number)
        lines = {one["filename"]: shown_lines(one.get("patch", "")) for one in pull.files}
        if seen.body["commit_id"] != pull.head:
            raise _Refused(422, "commit_id is not part of the pull request")
        for comment in seen.body["comments"]:
            wanted = set(range(comment.get("start_line", comment["line"]), comment["line"] + 1))
            if not wanted <= lines.get(comment["path"], set()):
                self.violations.append(f"review comment on {comment['path']}:{sorted(wanted)}, which the diff has not")
                raise _Refused(422, "Unprocessable Entity: line must be part of the diff")
        for comment in seen.body["comments"]:
            start = comment.get("start_line")
            self.add_review_comment(pull.number, comment["body"], comment["path"], comment["line"], start)
        self.reviews.append(seen.body)
        return 200, {"id": self.new_id()}, {}

    def _create_comment(self, seen: Seen, number: str) -> tuple[int, Any, dict[str, str]]:
        return 201, self.add_comment(self._pull(number).number, seen.body["body"]), {}

    def _edit(
        self, comments: dict[int, list[dict[str, Any]]], seen: Seen, number: str
    ) -> tuple[int, Any, dict[str, str]]:
        for comment in (one for every in comments.values() for one in every):
            if comment["id"] == int(number):
                if comment["user"]["login"] != self.author:
                    self.violations.append(f"comment {number} of {comment['user']['login']} was to be changed")
                    raise _Refused(403, "Resource not accessible by integration")
                comment["body"] = seen.body["body"]
                return 200, comment, {}
        raise _Refused(404, "Not Found")

    def _create_check_run(self, seen: Seen) -> tuple[int, Any, dict[str, str]]:
        run = {"id": self.new_id(), "conclusion": None, **seen.body, "annotations": []}
        run["annotations"] += seen.body["output"].get("annotations", [])
        self.check_runs.append(run)
        return 201, run, {}

    def _update_check_run(self, seen: Seen, number: str) -> tuple[int, Any, dict[str, str]]:
        for run in self.check_runs:
            if run["id"] == int(number):
                run["annotations"] += seen.body.get("output", {}).get("annotations", [])
                run |= {name: value for name, value in seen.body.items() if name != "output"}
                return 200, run, {}
        raise _Refused(404, "Not Found")

    def _list_check_runs(self, seen: Seen, ref: str) -> tuple[int, Any, dict[str, str]]:
        there = [one for one in self.check_runs if one["head_sha"] == ref and one["name"] == seen.query["check_name"]]
        latest = [{**one, "output": {"annotations_count": len(one["annotations"])}} for one in there[-1:]]
        return self._page(seen, latest, "check_runs")

    def _list_artifacts(self, seen: Seen, run: str) -> tuple[int, Any, dict[str, str]]:
        there = [one for one in self.artifacts.get(int(run), []) if one["name"] == seen.query.get("name", one["name"])]
        return self._page(seen, there, "artifacts")

    def _archive(self, _seen: Seen, number: str) -> tuple[int, Any, dict[str, str]]:
        if int(number) not in self.archives:
            raise _Refused(404, "Not Found")
        # By another name of this machine: a storage is another host, which must not get the token.
        storage = self.origin.replace("127.0.0.1", "localhost")
        return 302, {}, {"Location": f"{storage}/storage/{number}?signature=s3cret"}


def _schema_of(seen: Seen, prefix: str) -> set[str] | None:
    """The names that the body of a request may have, None for a request without one."""
    path = seen.path.removeprefix(prefix)
    for pattern, operations in json.loads(DESCRIPTION.read_text())["paths"].items():
        if re.fullmatch(re.sub(r"\{[^}]+\}", "[^/]+", pattern), path) and seen.method.lower() in operations:
            content = operations[seen.method.lower()].get("requestBody", {}).get("content", {})
            schema = content.get("application/json", {}).get("schema")
            return None if schema is None else set(_properties(schema))
    return None


def _properties(schema: dict[str, Any]) -> Iterator[str]:
    yield from schema.get("properties", {})
    for part in (*schema.get("oneOf", ()), *schema.get("anyOf", ()), *schema.get("allOf", ())):
        yield from _properties(part)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    fake: GithubFake

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def do_PATCH(self) -> None:
        self._serve()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Nothing on stderr."""

    def _serve(self) -> None:
        parts = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(length) if length else None
        path = unquote(parts.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        seen = Seen(self.command, path, query, json.loads(raw) if raw else None, self.headers.get("Authorization"))
        self.fake.requests.append(seen)
        if path.startswith("/storage/"):
            self._storage(seen)
            return
        self.fake.check(seen, raw, self.headers.get("Content-Type", ""))
        fault = self.fake.fault_for(self.command, path)
        if fault is None:
            status, answer, headers = self.fake.answer(seen)
            self._reply(status, json.dumps(answer).encode(), headers)
            return
        if fault.done:
            self.fake.answer(seen)
        time.sleep(fault.delay)
        if fault.status is None:
            self._drop(fault.body.encode())
        else:
            self._reply(fault.status, fault.body.encode(), fault.headers)

    def _storage(self, seen: Seen) -> None:
        if seen.authorization is not None:
            self.fake.violations.append("the storage was sent the token")
        fault = self.fake.fault_for(self.command, seen.path)
        archive = self.fake.archives[int(seen.path.rsplit("/", 1)[1])]
        if fault is not None and fault.status is None:
            self._drop(archive)
        elif fault is not None:
            self._reply(fault.status or 500, fault.body.encode(), fault.headers)
        else:
            self._reply(200, archive, {}, "application/zip")

    def _drop(self, content: bytes) -> None:
        """Promise the whole content and end after half of it."""
        self.send_response(200)
        self.send_header("Content-Length", str(len(content) + 10))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2])
        self.wfile.flush()
        self.close_connection = True

    def _reply(self, status: int, content: bytes, headers: dict[str, str], kind: str = "application/json") -> None:
        with contextlib.suppress(OSError):  # a client that has given up waiting
            self.send_response(status)
            for name, value in {"Content-Type": kind, "Content-Length": str(len(content)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)


def patch_adding(first: int, *lines: str) -> str:
    """A patch of one hunk that adds ``lines`` from line ``first`` on, between lines of context."""
    before = min(3, first - 1)
    context = [" before"] * before
    added = [f"+{line}" for line in lines]
    start = first - before
    return "\n".join(
        [
            f"@@ -{start},{before + 3} +{start},{before + len(lines) + 3} @@ int f(void)",
            *context,
            *added,
            *[" after"] * 3,
        ]
    )
