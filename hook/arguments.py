"""The arguments of every command, and what of them does not fit together."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NoReturn, TypeAlias

from clausefit.hook.budget import seconds_of
from clausefit.hook.report import SEVERITIES

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


class UsageProblem(Exception):  # noqa: N818 - what is wrong is the request
    """The arguments do not make a request; the message is one line."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line: the usage of every option would hide it."""

    def error(self, message: str) -> NoReturn:
        """Raises UsageProblem."""
        raise UsageProblem(f"{message}; `{self.prog} --help` lists what there is")


def parser() -> tuple[argparse.ArgumentParser, Commands]:
    """The whole command line, and where commands can be added. ``command`` of what it parses is a command's name."""
    whole: argparse.ArgumentParser = _Parser(
        prog="clausefit",
        description="Judge contracts: which clauses accept a wrong outcome, or reject a right one, of your own tests.",
    )
    whole.add_argument("--version", action="version", version=_version())
    commands = whole.add_subparsers(required=True, metavar="COMMAND", dest="command")
    check = commands.add_parser("check", help="judge the contracts that a change touches")
    _add_selection(check)
    _add_limits(check)
    check.add_argument(
        "--format", choices=("text", "json", "sarif"), default="text", help="how to report (default: text)"
    )
    check.add_argument("--output", metavar="FILE", type=Path, help="write the report there instead of to stdout")
    check.add_argument(
        "--fail-on", choices=(*SEVERITIES, "never"), help="least severity for exit status 1 (default: warning)"
    )
    check.add_argument(
        "--baseline", metavar="FILE", type=Path, help="findings that it holds are counted, and fail nothing"
    )
    check.add_argument(
        "--budget",
        metavar="SECONDS",
        type=_budget,
        help="end in that time, and list what was not reached (default with --pre-commit: 20)",
    )
    check.add_argument(
        "--no-verifier",
        action="store_true",
        help="start no verifier: report what can be told without one, and judge by cached verdicts alone",
    )
    check.add_argument("--no-cache", action="store_true", help="ask everything again, and keep nothing")
    check.add_argument("-v", "--verbose", action="store_true", help="list everything that was not checked")
    stubs = commands.add_parser("stubs", help="show the stubs that the verifier would be given")
    _add_selection(stubs)
    _add_limits(stubs)
    _add_baseline(commands)
    _add_record(commands)
    pins = commands.add_parser("pins", help="the recorded calls that are stored: list, show or prune them")
    pins.add_argument(
        "action", choices=("list", "show", "prune"), help="what to do; prune removes those that are stale or excluded"
    )
    pins.add_argument("wanted", metavar="SOURCE|FUNCTION", nargs="?", help="only these")
    explain = commands.add_parser("explain", help="what a rule code means, and how to mend what it reports")
    explain.add_argument("code", metavar="CODE", nargs="?", help="for example CF101; without it: the table of codes")
    commands.add_parser("doctor", help="what is installed, and what is missing")
    return whole, commands


def _add_baseline(commands: Commands) -> None:
    baseline = commands.add_parser(
        "baseline",
        help="accept what is found now: judges everything, and writes the baseline",
        description="Judge every contract of the project, and write what is found to the baseline. Entries of "
        "contracts that could not be judged completely are kept.",
    )
    baseline.add_argument(
        "--output", metavar="FILE", type=Path, help="default: that of the settings, else .clausefit-baseline.json"
    )
    _add_junit(baseline)
    _add_limits(baseline)


def _add_record(commands: Commands) -> None:
    record = commands.add_parser(
        "record",
        usage="clausefit record [--junit GLOB] [--limit SECONDS] [--] [CMD ...]",
        help="store the calls that your tests make: runs them under a debugger",
        description="Run CMD (your tests, built with -g where they are C) under a debugger, and store the calls of "
        "functions with contracts in .clausefit/pins/. CMD's output and exit status are passed on; without CMD those "
        "of `record:` in the settings are run. Only calls by tests that passed are stored: by test reports that CMD "
        "writes, else by its exit status.",
        epilog="Exit status: CMD's own when it ran, also where its tests made no call that could be stored; 124 where "
        "--limit ended it; 2 where CMD was not run, or all went well but .clausefit/pins could not be written. A call "
        "that hangs is recognised, and its program ended, after `call_seconds` of `limits` of `record:` (default: 60); "
        "or by --limit, when that ends CMD and the call has lasted for half of it.",
    )
    record.add_argument(
        "--junit", metavar="GLOB", action="append", help="the reports (JUnit XML) that CMD writes of its tests"
    )
    record.add_argument("--limit", metavar="SECONDS", type=_positive, help="end CMD after so many seconds")
    record.add_argument("cmd", metavar="CMD", nargs=argparse.REMAINDER, help="the command, not run by a shell")


def _add_selection(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="*", help="judge these files, whole (default: staged changes)")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--staged", action="store_true", help="what the next commit changes (the default)")
    which.add_argument("--base", metavar="REV", help="what HEAD changes against its merge base with REV")
    which.add_argument("--all", action="store_true", help="every contract of the project")
    which.add_argument("--pre-commit", action="store_true", help="the files that pre-commit names")
    parser.add_argument(
        "--changed-with",
        metavar="LIST",
        type=_widening,
        help="what makes a contract changed: contracts (always), code, tests",
    )
    _add_junit(parser)


def _add_junit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--junit", metavar="GLOB", action="append", help="only tests that passed in these reports (JUnit XML) count"
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pins", metavar="N", type=_positive, help="pins that score for a contract (default: 5)")
    parser.add_argument("--timeout", metavar="SECONDS", type=_positive, help="for a goal and a prover (default: 5)")
    parser.add_argument("--jobs", metavar="N", type=_positive, help="files judged at a time (default: cores)")
    parser.add_argument(
        "--verifier",
        dest="verifiers",
        metavar="LIST",
        type=_verifiers,
        help="who judges Java, in this order: key, openjml (default: key,openjml)",
    )


def _of_a_report(options: argparse.Namespace) -> str:
    """What to say when the shell made files of the pattern of ``--junit``."""
    names = getattr(options, "files", None) or getattr(options, "cmd", [])[:1]
    given = getattr(options, "junit", None) and any(name.endswith(".xml") for name in names)
    return "; quote the pattern of test reports: --junit 'target/surefire-reports/*.xml'" if given else ""


def check_request(options: argparse.Namespace) -> None:
    """Raises UsageProblem when files are named beside a request that does not look at them, or options exclude each
    other."""
    if getattr(options, "no_verifier", False) and options.no_cache:
        raise UsageProblem("--no-verifier judges by what the cache knows: leave --no-cache out")
    for name in ("all", "staged", "base"):
        if getattr(options, "files", None) and getattr(options, name):
            raise UsageProblem(f"either FILE or --{name}, not both{_of_a_report(options)}")
    if _of_a_report(options):
        what = f"{options.files[0]} is no source file" if "files" in options else f"{options.cmd[0]} is no command"
        raise UsageProblem(f"{what}{_of_a_report(options)}")


def _positive(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to 10000")
    return int(text)


def _budget(text: str) -> float:
    try:
        return seconds_of(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} {problem}") from None


def _widening(text: str) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split(","))
    for part in parts:
        if part not in ("contracts", "code", "tests"):
            raise argparse.ArgumentTypeError(f"{part!r} is none of contracts, code, tests")
    return parts


def _verifiers(text: str) -> tuple[str, ...]:
    parts = tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    for part in parts:
        if part not in ("key", "openjml"):
            raise argparse.ArgumentTypeError(f"{part!r} is none of key, openjml")
    return parts


def _version() -> str:
    from importlib.metadata import version

    return f"clausefit {version('clausefit')}"
