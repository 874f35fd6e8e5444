"""Which commits are compared: real git, a bare origin behind file://, clones as actions/checkout leaves them."""

from __future__ import annotations

import base64
import http.server
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from clausefit.ci.events import Judge
from clausefit.ci.fetching import Remote, with_header
from clausefit.ci.history import DEPTHS, Compared, HistoryProblem, compared
from clausefit.ci.settings import Settings
from clausefit.hook.git import Git
from running import AUTHOR, Repository, clean_environment

GONE = "f" * 40
_NUMBERS = count()


class Server:
    """A bare repository and the one that pushes to it."""

    def __init__(self, folder: Path) -> None:
        self.origin = folder / "origin.git"
        self.work = Repository(folder / "work", folder / "cache")
        if not self.origin.exists():
            subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(self.origin)], check=True)
        self._folder = folder

    def commits(self, number: int) -> str:
        """So many commits on the branch that is checked out, without files."""
        for _ in range(number):
            # Two commits of one second with one message and one parent would be one commit.
            self.work.git("commit", "-q", "--allow-empty", "-m", str(next(_NUMBERS)))
        return self.work.git("rev-parse", "HEAD")

    def push(self, *names: str, force: bool = False) -> None:
        self.work.git("push", "-q", *(["--force"] if force else []), str(self.origin), *names)

    def id(self, name: str) -> str:
        return self.work.git("rev-parse", name)

    def checkout(self, ref: str, *options: str, name: str = "clone") -> Path:
        """A clone of one ref as actions/checkout makes it: nothing else is there, the head is detached."""
        clone = self._folder / name
        clone.mkdir()
        for arguments in (
            ["init", "-q"],
            ["remote", "add", "origin", self.origin.as_uri()],
            ["fetch", "-q", "--no-tags", *options, "origin", f"+{ref}:refs/remotes/fetched"],
            ["checkout", "-q", "--detach", "refs/remotes/fetched"],
        ):
            subprocess.run(["git", *arguments], cwd=clone, check=True, env=clean_environment() | AUTHOR)
        return clone


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """main with 70 commits, topic with two of its own from the tenth on, and the merge of both as pull request 1."""
    folder = tmp_path_factory.mktemp("template")
    made = Server(folder)
    made.commits(10)
    made.work.git("tag", "fork-point")
    made.work.git("checkout", "-q", "-b", "topic")
    made.commits(2)
    made.work.git("checkout", "-q", "main")
    made.commits(60)
    made.work.git("checkout", "-q", "--detach", "main")
    made.work.git("merge", "-q", "--no-ff", "-m", "merge", "topic")
    made.push("main", "topic", "HEAD:refs/pull/1/merge", "topic:refs/pull/1/head")
    return folder


@pytest.fixture
def server(template: Path, tmp_path: Path) -> Server:
    """A copy of the template."""
    shutil.copytree(template, tmp_path / "server")
    return Server(tmp_path / "server")


def find(clone: Path, judge: Judge, said: list[str] | None = None, **settings: str) -> Compared:
    variables = clean_environment()
    git = Git(clone, variables, clone)
    remote = Remote(git, Settings(**settings), variables, threading.Event())  # type: ignore[arg-type]
    return compared(judge, git, remote, (said if said is not None else []).append)


@pytest.mark.parametrize("depth", ["--depth=1", "--depth=5", ""], ids=["the default", "a little", "fetch-depth: 0"])
def test_a_pull_request_is_compared_from_where_it_grew(server: Server, depth: str) -> None:
    clone = server.checkout("refs/pull/1/merge", *([depth] if depth else []))
    judge = Judge(server.id("main"), server.id("topic"), 1, "", "main")
    assert find(clone, judge) == Compared(server.id("fork-point"), server.id("topic"))


def test_what_is_there_is_not_fetched(server: Server) -> None:
    clone = server.checkout("refs/pull/1/merge")
    said: list[str] = []
    find(clone, Judge(server.id("main"), server.id("topic"), 1, "", "main"), said)
    assert said == []


def test_history_is_fetched_step_by_step(server: Server) -> None:
    clone = server.checkout("refs/pull/1/merge", "--depth=1")
    said: list[str] = []
    find(clone, Judge(server.id("main"), server.id("topic"), 1, "", "main"), said)
    assert [line.split(" with ")[1] for line in said] == [f"{depth} commits of history" for depth in (50, 50, 250)]


def test_nothing_of_the_users_is_changed(server: Server) -> None:
    clone = server.checkout("refs/pull/1/merge", "--depth=1")
    hook = clone / ".git" / "hooks" / "reference-transaction"
    hook.write_text(f"#!/bin/sh\ntouch {clone}/ran\n")
    hook.chmod(0o755)

    def state() -> list[str]:
        asked = (["for-each-ref"], ["status", "--porcelain"], ["rev-parse", "HEAD"], ["config", "--local", "--list"])
        return [subprocess.check_output(["git", *one], cwd=clone, text=True) for one in asked]

    before = state()
    find(clone, Judge(server.id("main"), server.id("topic"), 1, "", "main"))
    assert state() == before and not (clone / "ran").exists() and not (clone / ".git" / "FETCH_HEAD.lock").exists()


def test_a_whole_clone_is_not_made_shallow(server: Server) -> None:
    clone = server.checkout("refs/heads/main")
    judge = Judge(server.id("main"), server.id("topic"), 1, "", "main")
    assert find(clone, judge).base == server.id("fork-point")
    assert not (clone / ".git" / "shallow").exists()


def test_a_new_branch_is_compared_with_the_default_one(server: Server) -> None:
    clone = server.checkout("refs/heads/topic", "--depth=1")
    assert find(clone, Judge("", server.id("topic"), None, "", "main")).base == server.id("fork-point")


@pytest.mark.parametrize("name", ["main", "origin/main", "fork-point"])
def test_the_input_base_names_a_branch_or_a_tag_of_the_server(server: Server, name: str) -> None:
    server.work.git("tag", "-f", "-a", "-m", "annotated", "fork-point", "fork-point")
    server.push("fork-point")
    clone = server.checkout("refs/heads/topic", "--depth=1")
    assert find(clone, Judge(name, server.id("topic"), None, "")).base == server.id("fork-point^{}")


@pytest.mark.parametrize("name", ["fix-\U0001f469\u200d\U0001f4bb", "a\u202eb", "a\u2028b", "a\u0085b"])
@pytest.mark.parametrize("there", [True, False], ids=["there", "gone"])
def test_a_branch_may_have_any_name_that_git_allows_and_is_shown_escaped(
    server: Server, name: str, there: bool
) -> None:
    if there:
        server.push(f"fork-point:refs/heads/{name}")
    clone = server.checkout("refs/heads/topic", "--depth=1")
    if there:
        assert find(clone, Judge(name, server.id("topic"), None, "")).base == server.id("fork-point")
        found = find(clone, Judge(GONE, server.id("topic"), None, "", name))
        assert found.base == server.id("fork-point") and all(note.isprintable() for note in found.notes)
        return
    with pytest.raises(HistoryProblem, match="no branch or tag") as raised:
        find(clone, Judge(name, server.id("topic"), None, ""))
    assert str(raised.value).isprintable()


def test_a_branch_whose_name_ends_alike_is_another(server: Server) -> None:
    server.work.git("push", "-q", str(server.origin), "topic:refs/heads/x/refs/heads/dev")
    clone = server.checkout("refs/heads/topic", "--depth=1")
    with pytest.raises(HistoryProblem, match="no branch or tag dev"):
        find(clone, Judge("dev", server.id("topic"), None, ""))


@pytest.mark.parametrize(
    ("before", "after", "is_forced"),
    [
        pytest.param("topic~1", "topic", False, id="a push"),
        pytest.param("main~60", "main", False, id="a push of more than is fetched at once"),
        pytest.param("topic", "topic", False, id="nothing new"),
        pytest.param("topic", "topic~1", True, id="a commit is taken away"),
        pytest.param("topic", "sibling", True, id="another commit instead"),
        pytest.param("topic", "main", True, id="far away"),
        pytest.param("topic", "lonely", True, id="another history"),
    ],
)
def test_a_branch_is_compared_with_what_it_was(server: Server, before: str, after: str, is_forced: bool) -> None:
    server.work.git("checkout", "-q", "-b", "sibling", "topic~1")
    server.commits(1)
    server.work.git("checkout", "-q", "--orphan", "lonely")
    server.commits(1)
    start, end = server.id(before), server.id(after)
    server.push("topic", f"{end}:refs/heads/pushed")
    clone = server.checkout("refs/heads/pushed", "--depth=1")
    found = find(clone, Judge(start, end, None, "", "main", is_move=True, or_all=True))
    assert (found.base, found.head) == (start, end)
    note = f"{start[:12]} is no ancestor of {end[:12]} (a forced push?), so the two are compared as they are"
    assert found.notes == ((note,) if is_forced else ())


def test_how_two_commits_are_related_is_no_reason_to_give_up(server: Server) -> None:
    clone = server.checkout("refs/heads/main", "--depth=1")
    start, end = server.id("main~60"), server.id("main")
    subprocess.run(["git", "fetch", "-q", "--depth=1", "origin", start], cwd=clone, check=True)
    shutil.rmtree(server.origin)
    assert find(clone, Judge(start, end, None, "", "", is_move=True)) == Compared(start, end)


@pytest.mark.parametrize(
    ("after", "branch", "says"),
    [
        pytest.param("main", "", "there is nothing else to compare with", id="the default branch itself"),
        pytest.param("topic~1", "dev", "it holds", id="what stands in for it holds it"),
        pytest.param("lonely", "dev", "did not grow from it", id="another history"),
    ],
)
def test_where_nothing_is_left_to_compare_with_everything_is_judged(
    server: Server, after: str, branch: str, says: str
) -> None:
    server.work.git("checkout", "-q", "--orphan", "lonely")
    server.commits(1)
    end = server.id(after)
    server.push(f"{end}:refs/heads/pushed", "topic:refs/heads/dev")
    clone = server.checkout("refs/heads/pushed", "--depth=1")
    found = find(clone, Judge(GONE, end, None, "", branch, is_move=True, or_all=True))
    (note,) = found.notes
    assert (found.base, found.head) == (None, end)
    assert note.startswith(f"{GONE[:12]} is gone from origin (a forced push?)") and says in note
    assert note.endswith(": every contract of what is checked out is judged")
    with pytest.raises(HistoryProblem):
        find(clone, Judge(GONE, end, None, "", branch, is_move=True))


def test_a_forced_push_whose_commit_is_gone_is_compared_with_the_default_branch(server: Server) -> None:
    clone = server.checkout("refs/heads/topic", "--depth=1")
    found = find(clone, Judge(GONE, server.id("topic"), None, "", "main"))
    assert found.base == server.id("fork-point")
    assert found.notes == (f"{GONE[:12]} is gone from origin (a forced push?), so main is what is compared with",)


@pytest.mark.parametrize(
    ("judge", "says"),
    [
        pytest.param((GONE, "topic", ""), "is gone from origin", id="the base is gone, and no branch is known"),
        pytest.param(("main", GONE, "main"), "is gone from origin", id="the head is gone"),
        pytest.param((GONE, "main", "main"), "scope to all", id="a change of nothing is no pass"),
        pytest.param((GONE, "topic", "nope"), "no branch or tag nope", id="no such default branch"),
        pytest.param(("lonely", "topic", "main"), "no common ancestor", id="another history"),
    ],
)
def test_what_cannot_be_compared_is_one_line(server: Server, judge: tuple[str, str, str], says: str) -> None:
    server.work.git("checkout", "-q", "--orphan", "lonely")
    server.commits(1)
    server.push("lonely")
    clone = server.checkout("refs/pull/1/merge", "--depth=1")
    base, head = (name if name == GONE else server.id(name) for name in judge[:2])
    with pytest.raises(HistoryProblem, match=says) as raised:
        find(clone, Judge(base, head, 1, "", judge[2]))
    assert str(raised.value).isprintable()


@pytest.mark.parametrize("depth", ["--depth=1", "--depth=100"], ids=["nothing is there", "history is too short"])
def test_without_a_network_it_is_said_what_to_do(server: Server, depth: str) -> None:
    clone = server.checkout("refs/pull/1/merge", depth)
    shutil.rmtree(server.origin)
    if depth == "--depth=100":
        subprocess.run(["git", "update-ref", "refs/x", server.id("topic")], cwd=clone, check=True)
        (clone / ".git" / "shallow").write_text(f"{server.id('topic')}\n{server.id('main')}\n")
    with pytest.raises(HistoryProblem, match="fetch-depth: 0"):
        find(clone, Judge(server.id("main"), server.id("topic"), 1, "", "main"))


def test_without_an_origin_the_repository_of_the_settings_is_asked(server: Server) -> None:
    clone = server.checkout("refs/pull/1/merge", "--depth=1")
    subprocess.run(["git", "remote", "remove", "origin"], cwd=clone, check=True)
    judge = Judge(server.id("main"), server.id("topic"), 1, "", "main")
    there = {"server_url": server.origin.parent.as_uri(), "repository": "origin.git"}
    assert find(clone, judge, **there).base == server.id("fork-point")
    with pytest.raises(HistoryProblem, match="origin"):
        find(server.checkout("refs/heads/topic", "--depth=1", name="other"), Judge(GONE, GONE, 1, "", ""))


def test_depths_end_with_everything() -> None:
    assert DEPTHS[-1] is None and sorted(DEPTHS[:-1], key=int) == list(DEPTHS[:-1])  # type: ignore[arg-type]


# ---- credentials ----------------------------------------------------------------------------------------------------


class _Recorder(http.server.BaseHTTPRequestHandler):
    """A server that refuses everybody, and keeps what it was sent."""

    seen: list[list[str]]

    def do_GET(self) -> None:
        type(self).seen.append(self.headers.get_all("Authorization") or [])
        self.send_response(403)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is http.server's
        pass


@pytest.fixture
def refusing() -> Iterator[tuple[str, list[list[str]]]]:
    handler = type("Handler", (_Recorder,), {"seen": []})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as web:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{web.server_address[1]}", handler.seen
        web.shutdown()


@pytest.mark.parametrize("left", [True, False], ids=["checkout left a header", "checkout left nothing"])
def test_the_token_comes_after_what_checkout_left_and_is_never_said(
    server: Server, refusing: tuple[str, list[list[str]]], left: bool
) -> None:
    address, seen = refusing
    clone = server.checkout("refs/pull/1/merge", "--depth=1")

    def config(name: str, value: str) -> None:
        subprocess.run(["git", "config", name, value], cwd=clone, check=True)

    config("remote.origin.url", f"{address}/o/r")
    if left:
        config(f"http.{address}/.extraheader", "AUTHORIZATION: basic bGVmdA==")
    with pytest.raises(HistoryProblem) as raised:
        find(
            clone, Judge(GONE, server.id("topic"), 1, "", ""), server_url=address, repository="o/r", token="ghs_secret"
        )
    encoded = base64.b64encode(b"x-access-token:ghs_secret").decode()
    assert seen[0] == (["basic bGVmdA=="] if left else [])
    assert seen[-1] == [f"basic {encoded}"]
    assert "ghs_secret" not in str(raised.value) and encoded not in str(raised.value)


def test_the_token_goes_to_no_other_server(server: Server, refusing: tuple[str, list[list[str]]]) -> None:
    address, seen = refusing
    clone = server.checkout("refs/pull/1/merge", "--depth=1")
    subprocess.run(["git", "config", "remote.origin.url", f"{address}/o/r"], cwd=clone, check=True)
    with pytest.raises(HistoryProblem):
        find(clone, Judge(GONE, server.id("topic"), 1, "", ""), token="ghs_secret", repository="o/r")
    assert seen and not any(seen)


def test_a_password_in_the_address_is_not_said(server: Server, refusing: tuple[str, list[list[str]]]) -> None:
    address = refusing[0].replace("http://", "http://user:hunter2@")
    clone = server.checkout("refs/pull/1/merge", "--depth=1")
    subprocess.run(["git", "config", "remote.origin.url", f"{address}/o/r"], cwd=clone, check=True)
    with pytest.raises(HistoryProblem) as raised:
        find(clone, Judge(GONE, server.id("topic"), 1, "", ""))
    assert "hunter2" not in str(raised.value)


def test_the_header_is_added_after_settings_that_are_there() -> None:
    held = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "/w"}
    added = with_header(held, "https://github.com", "t")
    assert added.items() >= (held | {"GIT_CONFIG_COUNT": "3"}).items()
    done = subprocess.run(
        ["git", "config", "--get-all", "http.https://github.com/.extraheader"],
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"} | added,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["", f"AUTHORIZATION: basic {base64.b64encode(b'x-access-token:t').decode()}"]
