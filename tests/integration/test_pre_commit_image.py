"""The hook that runs in a container, as pre-commit runs it, with podman in the place of Docker."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

import pytest
import yaml
from action_bench import Bench
from running import Repository
from test_pre_commit import GOOD, PRE_COMMIT, ROOT, TEST, WEAK, run

pytestmark = pytest.mark.image


def docker(bench: Bench, folder: Path) -> str:
    """A PATH with a ``docker`` that is the bench's podman."""
    podman = shutil.which("podman")
    assert podman is not None
    kept = {name: value for name, value in bench.environment().items() if os.environ.get(name) != value}
    settings = " ".join(f"{name}={shlex.quote(value)}" for name, value in kept.items())
    folder.mkdir()
    program = folder / "docker"
    program.write_text(f'#!/bin/sh\nexec env {settings} {podman} "$@"\n')
    program.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def test_what_is_pushed_is_judged_in_the_container_and_verdicts_are_kept(
    bench: Bench, image: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = next(
        h for h in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text()) if h["id"] == "clausefit-docker"
    )
    name = next(word for word in hook["entry"].split() if word.startswith("clausefit:"))
    bench.podman("tag", image, f"localhost/{name}")
    monkeypatch.setenv("PATH", docker(bench, tmp_path / "bin"))
    user = Repository(tmp_path / "repository", tmp_path / "cache")
    local = {key: hook[key] for key in ("id", "name", "language", "entry", "files", "stages", "require_serial")}
    user.add(".pre-commit-config.yaml", yaml.safe_dump({"repos": [{"repo": "local", "hooks": [local]}]}))
    user.add("next.c", GOOD)
    user.add("other.c", WEAK.replace("next", "other"))
    user.add("test_next.c", TEST)
    first = user.commit()
    user.add("next.c", WEAK)
    second = user.commit()
    stages = ("--hook-stage", "pre-push", "--from-ref", first, "--to-ref", second, "--verbose")
    status, said = run(user, sys.executable, str(PRE_COMMIT), "run", *stages)
    assert status == 1 and "next.c:1:5: error CF101 too weak: next: ensures above: \\result > a" in said, said
    assert "1 contract judged" in said and " 0 cached" in said, said
    assert (user.folder / ".git/clausefit/verdicts-1.sqlite3").is_file()
    _status, again = run(user, sys.executable, str(PRE_COMMIT), "run", *stages)
    assert ": 0 asked" in again, again
