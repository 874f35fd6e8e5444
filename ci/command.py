"""The console script: the commands of ``hook/cli.py``, and those that are about GitHub."""

from __future__ import annotations

import sys
from typing import NoReturn

from clausefit.hook import cli

COMMANDS: tuple[cli.Command, ...] = ()


def entry() -> NoReturn:
    """The console script ``clausefit``."""
    sys.exit(cli.main(sys.argv[1:], COMMANDS))
