"""The README promises nothing that does not work: its commands run, and the output that it shows is the real one."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import yaml
from clausefit.hook.cli import main
from clausefit.hook.config import Config, parse
from clausefit.hook.rules import RULES
from running import Repository

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Recording is shown on the examples that are made for it (test_recorded_examples.py).
_SET_UP = re.compile(r"^(\./dev |apt-get |why3 |pip |clausefit record\b)")


def blocks(language: str) -> list[str]:
    return [body for name, body in _BLOCK.findall(README) if name == language]


def commands() -> list[str]:
    lines = [line.split("#")[0].strip() for block in blocks("sh") for line in block.splitlines()]
    inline = re.findall(r"`(clausefit [^`]+)`", README)
    every = [line.replace("FILE…", "src/stats.c").replace("FILE", "src/stats.c") for line in (*lines, *inline)]
    return sorted({line for line in every if line and not _SET_UP.match(line)})


def copy_of(name: str, folder: Path, cache: Path) -> Repository:
    """An example as a repository of its own, with a branch that is called like the README's base."""
    repository = Repository(folder / "example", cache)
    left_out = shutil.ignore_patterns("build", "target")
    shutil.copytree(ROOT / "examples" / name, repository.folder, dirs_exist_ok=True, ignore=left_out)
    repository.git("add", "-A")
    repository.git("commit", "-qm", "start")
    repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
    return repository


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory, shared_cache: Path) -> Repository:
    return copy_of("c", tmp_path_factory.mktemp("readme"), shared_cache)


def without_counts(text: str) -> str:
    """The output without the figures of the last line that depend on the machine and the cache."""
    return re.sub(r"\d+ questions: .*", "…", text).strip()


@pytest.mark.parametrize(("number", "name"), [pytest.param(0, "c", id="C"), pytest.param(1, "java", id="Java")])
def test_the_output_shown_is_the_real_one(number: int, name: str, tmp_path: Path, shared_cache: Path) -> None:
    ran = copy_of(name, tmp_path, shared_cache).run("check", "--all")
    assert ran.status == 1
    assert without_counts(blocks("text")[number]) == without_counts(ran.out)


@pytest.mark.parametrize("command", commands())
def test_every_command_works(command: str, example: Repository) -> None:
    program, *arguments = command.split()
    assert program == "clausefit"
    ran = example.run(*arguments)
    assert ran.status in (0, 1), ran.err
    assert "usage" not in ran.err


def test_the_commands_of_dev_exist() -> None:
    script = (ROOT / "dev").read_text(encoding="utf-8")
    for name in re.findall(r"\./dev (\w+)", README):
        assert re.search(rf"^\s*(\w+ \| )*{name}( \| \w+)*\)", script, re.MULTILINE), name


def test_every_key_of_the_settings_is_named_with_its_default() -> None:
    table = README[README.index("## Settings") : README.index("## Codes")]
    named = set(
        re.findall(r"`(\w+)`", "".join(line.split("|")[1] for line in table.splitlines() if line.startswith("| `")))
    )
    assert named == set(Config.__dataclass_fields__)


def test_every_code_is_named() -> None:
    named = set(re.findall(r"CF\d{3}", README))
    assert named <= set(RULES)
    in_ranges = {code for code in RULES if "CF901" <= code <= "CF903"}
    assert named | in_ranges == set(RULES)


def test_the_pre_commit_block_names_a_hook_that_exists() -> None:
    wanted = {hook["id"] for repo in yaml.safe_load(blocks("yaml")[0])["repos"] for hook in repo["hooks"]}
    there = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    assert wanted <= there


def test_an_empty_configuration_means_the_defaults() -> None:
    assert parse(b"") == Config()


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("check", "stubs", "record", "pins", "explain", "doctor"):
        assert main([name, "--help"]) == 0
        assert f"clausefit {name}" in capsys.readouterr().out
