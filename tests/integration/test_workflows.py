"""Workflows: the project's own and those that the README gives away are what GitHub, actionlint and zizmor accept.

actionlint is a Go program: it is taken from the PATH, else built once by Go into the user's cache.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from action_bench import GO_FOLDER, must
from platformdirs import user_cache_path

ROOT = Path(__file__).parents[2]
ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"
OURS = "your-org/clausefit"
_BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_USES = re.compile(r"^ *(?:- )?uses: (\S+?)(?:@(\S+))?(?: # (.*))?$", re.MULTILINE)
_RIGHTS: Mapping[str, Mapping[str, str]] = {
    "Test": {"contents": "read"},
    "Lint": {"contents": "read"},
    "Self-check": {"contents": "read"},
    "README: Contracts": {"contents": "read", "pull-requests": "write"},
    "README: Contracts, of forks": {"contents": "read"},
    "README: Contract comments": {"actions": "read", "pull-requests": "write"},
    "README: Contract audit": {"contents": "read", "security-events": "write"},
}
"""All that each workflow may do."""


def shown_workflows() -> list[str]:
    """The workflows of the README, in its order."""
    blocks = _BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    return [block for block in blocks if "\njobs:\n" in block]


def workflows() -> dict[str, str]:
    """The text of every workflow, by name; the second of a name in the README is that of forks."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / ".github/workflows").glob("*.yml")):
        text = path.read_text(encoding="utf-8")
        found[yaml.safe_load(text)["name"]] = text
    for text in shown_workflows():
        name = f"README: {yaml.safe_load(text)['name']}"
        found[f"{name}, of forks" if name in found else name] = text
    return found


WORKFLOWS = workflows()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository that has all of the workflows, as files."""
    top = tmp_path_factory.mktemp("workflows")
    for number, text in enumerate(WORKFLOWS.values()):
        path = top / ".github/workflows" / f"{number}.yml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    shutil.copy(ROOT / ".github/dependabot.yml", top / ".github")
    shutil.copy(ROOT / "action.yml", top)
    return top


@pytest.fixture(scope="module")
def actionlint() -> str:
    """The program, built where it is not installed; without it and without Go nothing can be told."""
    kept = user_cache_path("clausefit-tests") / ACTIONLINT.rpartition("@")[2]
    there = shutil.which("actionlint") or shutil.which("actionlint", path=kept)
    if there is not None:
        return there
    go = shutil.which("go", path=f"{os.environ['PATH']}{os.pathsep}{GO_FOLDER}")
    if go is None:
        pytest.skip("actionlint is not on the PATH, and there is no Go to build it")
    must([go, "install", ACTIONLINT], {"GOBIN": str(kept)}, timeout=300)
    return str(kept / "actionlint")


def program(name: str) -> str:
    return str(Path(sys.executable).with_name(name))


def parsed(text: str) -> dict[str, Any]:
    """A workflow; YAML 1.1 takes its key ``on`` for true."""
    document: dict[Any, Any] = yaml.safe_load(text)
    return {"on" if key is True else key: value for key, value in document.items()}


def steps(workflow: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for job in workflow["jobs"].values():
        yield from job["steps"]


def test_all_workflows_are_known() -> None:
    assert set(WORKFLOWS) == set(_RIGHTS)


def test_actionlint(actionlint: str, folder: Path) -> None:
    must([actionlint, "-no-color", *map(str, sorted((folder / ".github/workflows").iterdir()))], timeout=300)


def test_zizmor(folder: Path) -> None:
    """All of its audits that need no network, the strictest too."""
    said = must(
        [program("zizmor"), "--offline", "--no-progress", "--persona=pedantic", "--color=never", str(folder)],
        timeout=300,
    )
    assert said.count("completed ") == len(WORKFLOWS) + 2, said


@pytest.mark.parametrize(
    ("schema", "pattern"),
    [
        pytest.param("vendor.github-workflows", ".github/workflows/*.yml", id="workflows"),
        pytest.param("vendor.dependabot", ".github/dependabot.yml", id="dependabot"),
        pytest.param("vendor.github-actions", "action.yml", id="action"),
    ],
)
def test_schema(folder: Path, schema: str, pattern: str) -> None:
    files = [str(path) for path in sorted(folder.glob(pattern))]
    assert files
    must([program("check-jsonschema"), "--builtin-schema", schema, *files], timeout=300)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_nothing_is_allowed_that_is_not_needed(name: str) -> None:
    workflow = parsed(WORKFLOWS[name])
    assert workflow["permissions"] == {}
    assert {right: level for job in workflow["jobs"].values() for right, level in job["permissions"].items()} == (
        _RIGHTS[name]
    )
    assert all(job["timeout-minutes"] for job in workflow["jobs"].values())
    assert workflow["concurrency"]["group"]
    assert "pull_request_target" not in workflow["on"]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_actions_are_named_by_commit_and_version(name: str) -> None:
    used = _USES.findall(WORKFLOWS[name])
    assert used
    for action, commit, comment in used:
        if action != "./":
            assert re.fullmatch(r"[0-9a-f]{40}", commit), action
            assert re.fullmatch(r"v\d+\.\d+\.\d+", comment), action


def test_an_action_is_used_at_one_commit_everywhere() -> None:
    commits: dict[str, set[str]] = {}
    for text in WORKFLOWS.values():
        for action, commit, _ in _USES.findall(text):
            if action != "./":
                commits.setdefault("/".join(action.split("/")[:2]), set()).add(commit)
    assert {action: len(found) for action, found in commits.items()} == dict.fromkeys(commits, 1)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_checkout_leaves_no_token_behind(name: str) -> None:
    for step in steps(parsed(WORKFLOWS[name])):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


@pytest.mark.parametrize("name", WORKFLOWS)
def test_no_expression_is_put_into_a_script(name: str) -> None:
    assert not [step for step in steps(parsed(WORKFLOWS[name])) if "${{" in step.get("run", "")]


@pytest.mark.parametrize(
    "name", [name for name in WORKFLOWS if OURS in WORKFLOWS[name] or "uses: ./" in WORKFLOWS[name]]
)
def test_only_inputs_and_outputs_are_used_that_the_action_has(name: str) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    given = [step for step in steps(parsed(WORKFLOWS[name])) if step.get("uses", "").startswith(("./", f"{OURS}@"))]
    assert given
    for step in given:
        assert set(step.get("with", {})) <= set(action["inputs"])
    assert set(re.findall(r"steps\.contracts\.outputs\.([a-z-]+)", WORKFLOWS[name])) <= set(action["outputs"])


def test_the_pair_for_forks_belongs_together() -> None:
    first, second = parsed(WORKFLOWS["README: Contracts, of forks"]), parsed(WORKFLOWS["README: Contract comments"])
    assert second["on"]["workflow_run"]["workflows"] == [first["name"]]
    defaults = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    [upload] = [step for step in steps(first) if step.get("uses", "").startswith("actions/upload-artifact@")]
    assert upload["with"] == {"name": defaults["artifact"]["default"], "path": defaults["report"]["default"]}
    # What may write gets no file of the fork, and runs nothing but the action.
    assert [set(step) for step in steps(second)] == [{"uses"}]
    assert next(steps(second))["uses"].startswith(f"{OURS}@")


def test_the_self_check_expects_what_the_examples_hold() -> None:
    """The image's tests judge them: three findings in each (test_action_image.py)."""
    workflow = parsed(WORKFLOWS["Self-check"])
    examples = workflow["jobs"]["examples"]["strategy"]["matrix"]["example"]
    assert all((ROOT / "examples" / name / ".clausefit.yaml").is_file() for name in examples)
    assert '= "3 0 clean"' in WORKFLOWS["Self-check"]
