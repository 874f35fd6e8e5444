"""The hook as users get it: installed by pre-commit from a repository, and run by real commits."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from running import AUTHOR, Repository, clean_environment

PRE_COMMIT = Path(sys.executable).with_name("pre-commit")
ROOT = Path(__file__).parents[2]
GOOD = "/*@ ensures exact: \\result == a + 1; */\nint next(int a) { return a + 1; }\n"
WEAK = GOOD.replace("exact: \\result == a + 1", "above: \\result > a")
TEST = "#include <assert.h>\nint next(int a);\nint main(void) { assert(next(3) == 4); return 0; }\n"


@pytest.fixture(scope="module")
def hook_repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A repository with one commit: this project's files as they are now."""
    repository = Repository(tmp_path_factory.mktemp("clausefit"), tmp_path_factory.mktemp("unused"))
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, env=clean_environment(), check=True, capture_output=True).stdout
    for name in names.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (repository.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, repository.folder / name)
    repository.git("add", "--all", "--force")
    repository.commit()
    return repository


@pytest.fixture
def unknown(tmp_path: Path) -> Repository:
    """A repository of which no verdict is cached."""
    return Repository(tmp_path / "unknown", tmp_path / "cache-of-its-own")


def pre_commit_environment(user: Repository) -> dict[str, str]:
    """The environment for pre-commit and git, with pre-commit's own cache in the scratch folder."""
    return user.environment({"PRE_COMMIT_HOME": str(user.folder.parent / "pre-commit"), "PRE_COMMIT_COLOR": "never"})


def run(user: Repository, *command: str) -> tuple[int, str]:
    """Run a program in the user's repository; its status and all that it says."""
    environment = pre_commit_environment(user) | AUTHOR
    # What is in the virtual environment of the tests must not make up for what the hook's own lacks.
    environment["PATH"] = ":".join(p for p in environment["PATH"].split(":") if Path(p) != PRE_COMMIT.parent)
    environment.pop("VIRTUAL_ENV", None)
    # XDG_CACHE_HOME is a scratch folder; what pip has downloaded before need not be downloaded again.
    environment.setdefault("PIP_CACHE_DIR", str(Path.home() / ".cache" / "pip"))
    done = subprocess.run(
        command, cwd=user.folder, env=environment, capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("hook", "stage", "expected", "says"),
    [
        pytest.param(
            "clausefit",
            "manual",
            1,
            "next.c:1:5: error CF101 too weak: next: ensures above: \\result > a",
            id="by-hand",
        ),
        pytest.param(
            "clausefit-static", "pre-commit", 0, "1 contract not asked about (no verifier was started)", id="at-commit"
        ),
    ],
)
def test_try_repo(
    unknown: Repository, hook_repository: Repository, hook: str, stage: str, expected: int, says: str
) -> None:
    unknown.add("next.c", WEAK)
    unknown.add("test_next.c", TEST)
    arguments = ("try-repo", str(hook_repository.folder), hook, "--hook-stage", stage, "--verbose")
    status, said = run(unknown, str(PRE_COMMIT), *arguments)
    assert status == expected, said
    assert says in said


def test_quick_at_commit_and_judged_at_push(unknown: Repository, hook_repository: Repository, tmp_path: Path) -> None:
    """What the README says to add."""
    user = unknown
    block = re.findall(r"^```yaml\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)[0]
    settings = yaml.safe_load(block)
    settings["repos"][0] |= {"repo": str(hook_repository.folder), "rev": hook_repository.git("rev-parse", "HEAD")}
    user.add(".pre-commit-config.yaml", yaml.safe_dump(settings))
    user.add("next.c", GOOD)
    user.add("test_next.c", TEST)
    user.commit()
    user.git("init", "-q", "--bare", str(tmp_path / "remote"))
    user.git("remote", "add", "origin", str(tmp_path / "remote"))
    user.git("push", "-q", "-u", "origin", "main")
    status, said = run(user, str(PRE_COMMIT), "install")
    assert status == 0 and "pre-push" in said, said

    # No verifier, and no word that could be taken for its verdict.
    user.add("next.c", WEAK)
    status, said = run(user, "git", "commit", "-m", "weaken")
    assert status == 0, said
    assert "Nothing judged" in said and "1 contract not asked about (no verifier was started)" in said, said
    assert "CF101" not in said

    status, said = run(user, "git", "push")
    assert status == 1 and "next.c:1:5: error CF101 too weak" in said, said
    assert user.git("ls-remote", "origin", "main").split()[0] == user.git("rev-parse", "HEAD~1")

    # What the push decided is known when it is committed again.
    user.git("reset", "-q", "--soft", "HEAD~1")
    status, said = run(user, "git", "commit", "-m", "weaken")
    assert status == 1 and "next.c:1:5: error CF101 too weak" in said and ": 0 asked" in said, said

    user.add("next.c", GOOD.replace("exact", "same"))
    status, said = run(user, "git", "commit", "-m", "mend")
    assert status == 0, said
    status, said = run(user, "git", "push")
    assert status == 0 and "Passed" in said, said

    user.add("next.c", "/*@ ensures broken: \\result ==; */\nint next(int a) { return a + 1; }\n")
    status, said = run(user, "git", "commit", "-m", "break")
    assert status == 1 and "exit code: 2" in said and "broken" in said, said


def test_commits_are_blocked_until_the_contract_is_mended(
    repository: Repository, hook_repository: Repository, tmp_path: Path
) -> None:
    user = repository
    revision = hook_repository.git("rev-parse", "HEAD")
    user.add(
        ".pre-commit-config.yaml",
        f"repos:\n- repo: {hook_repository.folder}\n  rev: {revision}\n  hooks:\n"
        "  - id: clausefit\n    stages: [pre-commit]\n",
    )
    user.add("next.c", GOOD)
    user.add("test_next.c", TEST)
    user.commit()
    status, said = run(user, str(PRE_COMMIT), "install")
    assert status == 0, said
    before = user.git("rev-parse", "HEAD")

    user.add("next.c", WEAK)
    status, said = run(user, "git", "commit", "-m", "weaken")
    assert status == 1, said
    assert "clausefit (judge JML and ACSL contracts)" in said and "Failed" in said and "exit code: 1" in said
    assert "next.c:1:5: error CF101 too weak: next: ensures above: \\result > a" in said
    assert "\\result = 5 after next(a = 3); test main (test_next.c:3) shows 4" in said
    assert user.git("rev-parse", "HEAD") == before

    # The index that `git commit -a` makes for the hook is not the repository's own.
    user.git("reset", "-q", "--hard")
    user.write("next.c", WEAK)
    status, said = run(user, "git", "commit", "-a", "-m", "weaken")
    assert status == 1 and "CF101" in said, said
    assert user.git("rev-parse", "HEAD") == before

    # A good contract is committed although the file on the disk goes on to be bad.
    user.add("next.c", GOOD.replace("exact:", "same:"))
    user.write("next.c", WEAK)
    status, said = run(user, "git", "commit", "-m", "rename the clause")
    assert status == 0 and "Passed" in said, said
    assert user.git("show", "HEAD:next.c") == GOOD.replace("exact:", "same:").strip()
    assert (user.folder / "next.c").read_text() == WEAK

    user.git("checkout", "-q", "--", "next.c")
    user.add("README.md", "no C\n")
    status, said = run(user, "git", "commit", "-m", "no C")
    assert status == 0 and "Skipped" in said, said

    user.add("next.c", "/*@ ensures broken: \\result ==; */\nint next(int a) { return a + 1; }\n")
    status, said = run(user, "git", "commit", "-m", "break")
    assert status == 1 and "exit code: 2" in said and "broken" in said, said

    user.git("reset", "-q", "--hard")
    user.write("next.c", WEAK)
    status, said = run(user, str(PRE_COMMIT), "run", "--all-files")
    assert status == 1 and "CF101" in said, said
