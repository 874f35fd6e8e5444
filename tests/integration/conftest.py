"""Fixtures for tests of the whole command on the real tools."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from action_bench import Bench, project_copy
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


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """Podman and act, set up; CLAUSEFIT_BENCH names a folder that keeps base image and layers between runs."""
    if os.getuid() != 0:
        pytest.skip("the base image is made by debootstrap, which needs root")
    kept = os.environ.get("CLAUSEFIT_BENCH")
    bench = Bench(Path(kept) if kept else tmp_path_factory.mktemp("bench"))
    bench.set_up()
    yield bench
    if not kept:
        bench.tear_down()


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as somebody who clones it would have it."""
    return project_copy(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="session")
def image(bench: Bench, shipped: Path) -> str:
    """The name of the image, built."""
    name = "localhost/clausefit:test"
    bench.build(shipped, name)
    return name
