"""The console script: the commands of ``hook/cli.py``, and those that are about GitHub."""

from __future__ import annotations

import argparse
import io
import os
import secrets
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from clausefit.hook import cli
from clausefit.hook.arguments import Commands

if TYPE_CHECKING:
    from clausefit.ci.events import Judge
    from clausefit.ci.host import Host
    from clausefit.ci.judging import Outcome
    from clausefit.ci.log import Log
    from clausefit.ci.settings import Settings


def entry() -> NoReturn:
    """The console script ``clausefit``."""
    cli.leave(cli.main(sys.argv[1:], COMMANDS))


def _add(commands: Commands) -> None:
    commands.add_parser(
        "ci",
        help="what the GitHub action runs: judge what an event changes, and report it",
        description="Judge what the event of a GitHub workflow changes, and report it as annotations, job summary, "
        "SARIF and JSON, and to the pull request where a token may write. All settings come from the environment: "
        "GITHUB_* as the runner sets them, and INPUT_<NAME> for each input of action.yml.",
        epilog="Exit status: 0 clean, 1 findings, 2 not everything could be checked.",
    )


def _run(_options: argparse.Namespace) -> int:
    from clausefit.ci.run import Edges, main

    if isinstance(sys.stdout, io.TextIOWrapper):  # whatever the locale of the container is
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    cancel = threading.Event()
    cli.obey_signals(cancel)

    def write(line: str) -> None:
        print(line, flush=True)

    return main(dict(os.environ), Edges(Path.cwd(), write, _judge, _host, lambda: secrets.token_hex(16), cancel))


def _judge(
    settings: Settings, judge: Judge, variables: Mapping[str, str], log: Log, cancel: threading.Event
) -> Outcome:
    from clausefit.ci.judging import judged

    trusting = trusted(variables, settings)
    os.environ.update({name: value for name, value in trusting.items() if name.startswith("GIT_CONFIG_")})
    return judged(settings, judge, trusting, log, cancel)


def trusted(variables: Mapping[str, str], settings: Settings) -> dict[str, str]:
    """``variables`` with which git works in the workspace, which is another user's in a container.

    git-config(1), safe.directory: the top of the repository is to be named, and that may be any folder on the way to
    the project.
    """
    held = variables.get("GIT_CONFIG_COUNT", "")
    count = int(held) if held.isascii() and held.isdecimal() else 0
    added = dict(variables)
    folders = [folder for folder in (settings.project, *settings.project.parents) if folder != folder.parent]
    for folder in folders:
        if folder.is_relative_to(settings.workspace):
            added[f"GIT_CONFIG_KEY_{count}"], added[f"GIT_CONFIG_VALUE_{count}"] = "safe.directory", str(folder)
            count += 1
    return {**added, "GIT_CONFIG_COUNT": str(count)}


def _host(settings: Settings) -> Host:
    from clausefit.ci.github_api import GithubHost

    return GithubHost(settings.token, settings.repository, settings.api_url)


COMMANDS: tuple[cli.Command, ...] = (cli.Command("ci", _add, _run),)
