"""The verifiers for Java of one run, made ready but not started: KeY, and OpenJML where it is installed."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clausefit.hook.config import Config
from clausefit.verifiers import key_tools, openjml_tools
from clausefit.verifiers.cache import VerdictCache
from clausefit.verifiers.chain import Chain
from clausefit.verifiers.key_verifier import Key, KeySettings
from clausefit.verifiers.openjml import OpenJml
from clausefit.verifiers.process import run
from clausefit.verifiers.protocol import JavaUnit, Verifier, VerifierProblem


@contextmanager
def java_verifiers(
    config: Config, workspace: Path, cache: VerdictCache, cancel: threading.Event | None
) -> Iterator[Chain]:
    """The chain of the verifiers that the settings name, in their order; its processes end with the context."""
    key = Key(
        lambda: key_tools.install(jars=workspace / config.key_jars if config.key_jars else None),
        cache,
        KeySettings(seconds=config.timeout, memory_megabytes=config.memory_mb, processes=config.jobs),
        cancel,
    )
    openjml = OpenJml(config.openjml, run, cache, cancel)
    named: dict[str, Verifier[JavaUnit]] = {"key": key, "openjml": openjml}
    wanted = [name for name in config.verifiers if name != "openjml" or _is_asked_for(config)]
    try:
        yield Chain([named[name] for name in wanted])
    finally:
        key.close()


def _is_asked_for(config: Config) -> bool:
    """Whether OpenJML is installed, or somebody says that it is, or is the only verifier that they want.

    Where it is none of that, its questions are simply not asked, and nobody needs to be told.
    """
    if config.verifiers == ("openjml",) or config.openjml or os.environ.get(openjml_tools.HOME_VARIABLE):
        return True
    try:
        openjml_tools.locate(None, os.environ)
    except VerifierProblem:
        return False
    return True
