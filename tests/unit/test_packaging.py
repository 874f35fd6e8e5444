"""What is installed is complete, and each kind of file that can hold contracts starts the hook."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from clausefit.hook.config import Config

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
FOLDERS: dict[str, str] = SETTINGS["package-dir"]
# What gdb's own Python runs: files that are carried along, none of our modules.
SCRIPTS = ROOT / "hook" / "record" / "gdb"
HOOKS = {one["id"]: one for one in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
HOOK = HOOKS["clausefit"]


def test_every_folder_of_modules_is_a_package() -> None:
    modules = (path for top in ("ci", "hook", "verifiers") for path in (ROOT / top).rglob("*.py"))
    folders = {path.parent for path in modules} - {SCRIPTS}
    assert {folder.relative_to(ROOT).as_posix() for folder in folders} == set(FOLDERS.values())
    assert set(SETTINGS["packages"]) == set(FOLDERS)


@pytest.mark.parametrize("package", sorted(FOLDERS))
def test_every_other_file_is_package_data(package: str) -> None:
    folder = ROOT / FOLDERS[package]
    inner = [other for other in FOLDERS.values() if other.startswith(f"{FOLDERS[package]}/")]
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    there = {path for path in files if path.suffix != ".py" or path.parent == SCRIPTS}
    mine = {path for path in there if not any(path.is_relative_to(ROOT / other) for other in inner)}
    patterns = SETTINGS["package-data"].get(package, [])
    assert {path for pattern in patterns for path in folder.glob(pattern) if path.is_file()} == mine


@pytest.mark.parametrize(
    ("name", "starts"),
    [
        pytest.param("src/max.c", True, id="c"),
        pytest.param("include/max.hpp", True, id="header-of-c++"),
        pytest.param("src/main/java/p/Max.java", True, id="java"),
        pytest.param("src/main/java/p/Max.jml", True, id="contracts-beside-java"),
        pytest.param("Max.javascript", False, id="only-begins-like-java"),
        pytest.param("README.md", False, id="text"),
    ],
)
def test_the_files_that_start_the_hook(name: str, starts: bool) -> None:
    assert bool(re.search(HOOK["files"], name)) == starts
    assert "types" not in HOOK and "types_or" not in HOOK


def test_every_default_source_starts_the_hook() -> None:
    for pattern in Config().sources:
        assert re.search(HOOK["files"], pattern.replace("*", "x"))


def test_the_hooks_differ_in_where_and_when_they_run_alone() -> None:
    assert set(HOOKS) == {"clausefit", "clausefit-static", "clausefit-docker"}
    for hook in HOOKS.values():
        assert {name: hook[name] for name in ("files", "pass_filenames", "require_serial")} == {
            name: HOOK[name] for name in ("files", "pass_filenames", "require_serial")
        }
    assert {name: hook["stages"] for name, hook in HOOKS.items()} == {
        "clausefit": ["pre-push", "manual"],
        "clausefit-static": ["pre-commit"],
        "clausefit-docker": ["pre-push", "manual"],
    }


def test_the_hook_s_image_is_of_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    image = f"clausefit:{version}"
    assert image in HOOKS["clausefit-docker"]["entry"].split()
    assert f"docker build -t {image} ." in (ROOT / "README.md").read_text(encoding="utf-8")
