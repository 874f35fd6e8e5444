"""Fixtures for tests of the whole command on the real tools."""

from pathlib import Path

import pytest
from running import Command, Repository


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder for tests that are not about the cache: the tools are asked for their versions only once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def project(tmp_path: Path, shared_cache: Path) -> Command:
    """An empty folder outside of git, and the command in it."""
    folder = tmp_path / "project"
    folder.mkdir()
    return Command(folder, shared_cache)


@pytest.fixture
def repository(tmp_path: Path, shared_cache: Path) -> Repository:
    """A new git repository without a commit, and the command in it."""
    return Repository(tmp_path / "repository", shared_cache)
