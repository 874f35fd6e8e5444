"""Fetches commits from the server, by id: the only thing of the tool that writes to a repository.

A program of its own is never started for it: hooks, background tasks and helpers by ``ext::`` are off, and the other
side is asked for the program of git's own, whatever ``remote.*.uploadpack`` says. What the settings of the runner name
(``core.sshCommand`` with the key of actions/checkout, a credential helper) is used: the workflow wrote them, and
``ci/repository.py`` sees to it that no file of a change does. The token
travels in the environment (GIT_CONFIG_COUNT, git-config(1)), never in arguments, and never shows in what is said.
"""

from __future__ import annotations

import base64
import re
import threading
from collections.abc import Mapping

from clausefit.ci.settings import Settings, is_commit_id
from clausefit.hook.git import Git
from clausefit.hook.git_safety import SAFE_SETTINGS, git_environment
from clausefit.hook.visible import shortened, visible
from clausefit.verifiers.process import Completed, run

TIMEOUT_SECONDS = 600.0
_SAFE = (
    *SAFE_SETTINGS,
    "protocol.allow=never",
    "protocol.https.allow=always",
    "protocol.http.allow=always",
    "protocol.ssh.allow=always",
    "protocol.file.allow=always",
    "fetch.recurseSubmodules=false",
    "fetch.prune=false",
    "gc.auto=0",
    "maintenance.auto=false",
)
_OPTIONS = tuple(part for setting in _SAFE for part in ("-c", setting))
_UPLOAD_PACK = "--upload-pack=git-upload-pack"
_FETCH = (
    "fetch",
    _UPLOAD_PACK,
    "--quiet",
    "--no-tags",
    "--no-recurse-submodules",
    "--no-write-fetch-head",
    "--refmap=",
)
# What a network behind a proxy, or a server with a certificate of its own, needs.
_NETWORK = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "GIT_SSL_CAINFO", "SSL_CERT_FILE", "SSL_CERT_DIR")
_GONE = ("not our ref", "couldn't find remote ref", "no such remote ref", "unadvertised object", "bad object")
# git-fetch(1), GIT URLS, without git:// and paths: "." would be the repository itself.
_ADDRESS = re.compile(r"(https?|ssh|file)://[^\0-\x20\x7f]+|[A-Za-z0-9][A-Za-z0-9_.@-]*:(?!//|:)[^\0-\x20\x7f]+")
_CREDENTIALS = re.compile(r"//[^/@\s]*@")


class FetchProblem(Exception):  # noqa: N818 - a state of affairs
    """Nothing was fetched. The text is git's own line; ``gone``: the server does not have what was asked for."""

    def __init__(self, text: str, *, gone: bool) -> None:
        super().__init__(text)
        self.gone = gone


class Remote:
    """The server that a clone came from: ``origin``, or the repository that the settings name.

    ``variables`` is the environment that the tool was started with.
    """

    def __init__(self, git: Git, settings: Settings, variables: Mapping[str, str], cancel: threading.Event) -> None:
        self._git, self._settings, self._variables, self._cancel = git, settings, variables, cancel
        self._with_token = False
        address = f"{settings.server_url}/{settings.repository}" if settings.repository else ""
        origin = git.remote_address("origin")
        self._refused = bool(origin) and not _ADDRESS.fullmatch(origin)
        self.name = "origin" if origin else address
        """What git is told to fetch from; "" where there is nothing."""

    def fetch(self, commits: list[str], depth: int | None) -> None:
        """Fetch commits by id, with ``depth`` commits of their history, or (None) with all of it. Raises FetchProblem.

        In a clone that is whole already the depth does not count: it would cut off what is there.
        """
        if not all(is_commit_id(commit) for commit in commits):
            raise ValueError("only full ids are fetched")
        if not self._git.is_shallow():
            far: tuple[str, ...] = ()
        else:
            far = ("--unshallow",) if depth is None else (f"--depth={depth}",)
        self._ask([*_FETCH, *far, "--end-of-options", self.name, *commits])

    def named(self, name: str) -> str | None:
        """The id of the commit that a branch or a tag of the server is at; None when it has none of that name.

        Raises FetchProblem.
        """
        wanted = (f"refs/heads/{name}", f"refs/tags/{name}^{{}}", f"refs/tags/{name}")
        done = self._ask(["ls-remote", _UPLOAD_PACK, "--quiet", "--end-of-options", self.name, *wanted])
        # Not splitlines, which ends a line at characters that a name may hold.
        found = dict(line.split("\t", 1)[::-1] for line in done.stdout.split("\n") if "\t" in line)
        # A pattern of ls-remote also finds names that end in it, so only the whole name counts.
        return next((found[one] for one in wanted if is_commit_id(found.get(one, ""))), None)

    def _ask(self, arguments: list[str]) -> Completed:
        if not self.name:
            raise FetchProblem("there is no remote called origin", gone=False)
        if self._refused:
            raise FetchProblem("the address of origin is not one of https, http, ssh or file", gone=False)
        done = self._run(arguments)
        server = self._settings.server_url.startswith("http") and self._settings.token
        if done.exit_status != 0 and server and not self._with_token and not _is_gone(done):
            # What checkout left in .git/config comes first: two headers at once are refused by GitHub.
            self._with_token = True
            done = self._run(arguments)
        if done.exit_status == 0:
            return done
        if done.timed_out:
            raise FetchProblem(f"git {arguments[0]} took longer than {TIMEOUT_SECONDS:.0f} s", gone=False)
        raise FetchProblem(self._said(done), gone=_is_gone(done))

    def _run(self, arguments: list[str]) -> Completed:
        environment = git_environment(self._variables, self._git.workspace)
        for name in (*_NETWORK, *(name.lower() for name in _NETWORK[:4]), "SSH_AUTH_SOCK"):
            if name in self._variables:
                environment[name] = self._variables[name]
        if self._with_token:
            environment = with_header(environment, self._settings.server_url, self._settings.token)
        return run(
            ["git", *_OPTIONS, *arguments],
            cwd=self._git.workspace,
            timeout=TIMEOUT_SECONDS,
            environment=environment,
            cancel=self._cancel,
        )

    def _said(self, done: Completed) -> str:
        """The line of git that tells most, without anything secret."""
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        telling = [line for line in lines if line.startswith(("fatal:", "error:"))] or lines or ["no reason given"]
        text = _CREDENTIALS.sub("//", telling[0])
        for secret in _secrets(self._settings.token):
            text = text.replace(secret, "***")
        return shortened(visible(text), 300)


def with_header(environment: Mapping[str, str], server: str, token: str) -> dict[str, str]:
    """``environment`` in which git sends ``token`` to ``server``, and only there, in place of other headers.

    The form is that of actions/checkout; an empty value takes away what was set before (git-config(1),
    http.extraHeader).
    """
    held = environment.get("GIT_CONFIG_COUNT", "")
    count = int(held) if held.isascii() and held.isdecimal() else 0
    key = f"http.{server}/.extraheader"
    added = dict(environment)
    for value in ("", f"AUTHORIZATION: basic {_encoded(token)}"):
        added[f"GIT_CONFIG_KEY_{count}"], added[f"GIT_CONFIG_VALUE_{count}"] = key, value
        count += 1
    added["GIT_CONFIG_COUNT"] = str(count)
    return added


def _encoded(token: str) -> str:
    return base64.b64encode(f"x-access-token:{token}".encode()).decode("ascii")


def _secrets(token: str) -> tuple[str, ...]:
    return (_encoded(token), token) if token else ()


def _is_gone(done: Completed) -> bool:
    return any(words in done.stderr for words in _GONE)
