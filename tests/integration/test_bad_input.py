"""Bad input and bad surroundings: one clear line, the right exit status, nothing half-written, nothing obeyed."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import CLAUSEFIT, Command

NEXT = "/*@ ensures exact: \\result == a + 1; */\nint next(int a) { return a + 1; }\n"
TEST = "#include <assert.h>\nint next(int a);\nint main(void) { assert(next(3) == 4); return 0; }\n"
TWO_TESTS = (
    "#include <assert.h>\nint next(int a); int prev(int a);\n"
    "int main(void) { assert(next(3) == 4); assert(prev(3) == 2); return 0; }\n"
)
HARD = "\\forall integer x, y, z; x > 0 && y > 0 && z > 0 ==> x*x*x + y*y*y != z*z*z || \\result == 7"


@pytest.fixture
def sound(project: Command) -> Command:
    """A project with nothing to find."""
    project.write("next.c", NEXT)
    project.write("test_next.c", TEST)
    return project


def tools_only(folder: Path, *names: str) -> str:
    """A PATH on which only these programs are found."""
    folder.mkdir()
    for name in names:
        found = shutil.which(name)
        assert found, name
        (folder / name).symlink_to(found)
    return str(folder)


# ---- the surroundings -----------------------------------------------------------------------------------------------


def test_no_frama_c(sound: Command, tmp_path: Path) -> None:
    path = tools_only(tmp_path / "bin", "git", "gcc", "as")
    ran = sound.check("--all", "--output", "report.json", env={"PATH": path})
    assert ran.status == 2 and ran.out == ""
    assert "frama-c was not found" in ran.says_one_line()
    assert not (sound.folder / "report.json").exists()


@pytest.mark.parametrize("configuration", [None, ""], ids=["why3-never-looked-for-provers", "empty-file"])
def test_no_why3_configuration(sound: Command, tmp_path: Path, configuration: str | None) -> None:
    home = tmp_path / "home"
    home.mkdir()
    if configuration is not None:
        (home / ".why3.conf").write_text(configuration)
    ran = sound.check("--all", env={"WHY3CONFIG": str(home / ".why3.conf"), "HOME": str(home)})
    assert ran.status == 2 and ran.out == ""
    assert "why3 config detect" in ran.says_one_line()


def test_a_prover_that_is_not_there(sound: Command) -> None:
    sound.write(".clausefit.yaml", "provers: [nope]\n")
    ran = sound.check("--all")
    assert ran.status == 2 and ran.out == ""
    assert "nope" in ran.says_one_line()


def test_no_gcc(sound: Command, tmp_path: Path) -> None:
    path = tools_only(tmp_path / "bin", "git", "frama-c", "why3")
    ran = sound.check("--all", env={"PATH": path})
    assert ran.status == 2
    assert ran.reasons == {"parse_error", "no_pins"}
    assert "gcc is not installed" in ran.out


@pytest.mark.parametrize(
    ("text", "near"),
    [
        pytest.param("pinz: 3\n", "did you mean 'pins'?", id="unknown-key"),
        pytest.param("pins: many\n", "expected a whole number", id="wrong-type"),
        pytest.param("pins: [\n", "not YAML", id="not-yaml"),
        pytest.param("include_dirs: [../..]\n", "not below the workspace", id="folder-outside"),
    ],
)
def test_bad_configuration(sound: Command, text: str, near: str) -> None:
    sound.write(".clausefit.yaml", text)
    ran = sound.check("--all")
    assert ran.status == 2 and ran.out == ""
    line = ran.says_one_line()
    assert ".clausefit.yaml:" in line and near in line


@pytest.mark.parametrize("place", ["a-file", "/proc/nowhere"], ids=["a-file-where-the-folder-should-be", "unwritable"])
def test_no_place_for_the_cache(sound: Command, tmp_path: Path, place: str) -> None:
    (tmp_path / "a-file").write_text("x")
    ran = sound.check("--all", env={"XDG_CACHE_HOME": str(tmp_path / place)})
    assert ran.status == 0 and ran.judged == ["next"]
    assert "the verdict cache" in ran.says_one_line()


def test_a_full_disk_for_the_cache(sound: Command, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    namespace = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    mount = f"mount -t tmpfs -o size=48k none '{small}'"
    if subprocess.run([*namespace, mount], capture_output=True).returncode != 0:
        pytest.skip("no small file system can be mounted here")
    done = subprocess.run(
        [*namespace, f"{mount} && '{CLAUSEFIT}' check --all"],
        cwd=sound.folder,
        env=sound.environment({"XDG_CACHE_HOME": str(small)}),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "1 contract judged, 0 findings" in done.stdout
    assert "disk is full" in done.stderr and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("target", ["gone/report.json", "folder", "/proc/report"], ids=["no-folder", "folder", "proc"])
def test_unwritable_output(sound: Command, target: str) -> None:
    (sound.folder / "folder").mkdir()
    before = sorted(p.name for p in sound.folder.rglob("*"))
    ran = sound.check("--all", "--output", target)
    assert ran.status == 2 and ran.out == ""
    assert target in ran.says_one_line()
    assert sorted(p.name for p in sound.folder.rglob("*")) == before


def test_output_never_replaces_what_is_no_file(sound: Command) -> None:
    pipe = sound.folder / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True)
    ran = sound.check("--all", "--output", "pipe")
    said, _ = reader.communicate(timeout=30)
    assert ran.status == 0 and ran.out == ""
    assert '"clausefit-report/1"' in said and pipe.is_fifo()


def processes_with(word: str) -> list[str]:
    """The command lines that hold ``word``."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if word in line:
            found.append(line)
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "terminated"])
def test_interrupted(project: Command, tmp_path: Path, number: signal.Signals) -> None:
    project.cache = tmp_path / "cache"
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    # The macro makes this test's Frama-C known among those of other tests.
    word = f"MARK_{os.getpid()}_{number}"
    # To go on with what is left would take longer than the wait for the end, below.
    project.write(".clausefit.yaml", f"defines: [{word}=1]\ntimeout: 300\n")
    for name in ("one", "two", "three", "four"):
        project.write(f"{name}.c", f"/*@ ensures {HARD}; */\nint {name}(int a) {{ return a + 1; }}\n")
        project.write(f"test_{name}.c", TEST.replace("next", name))
    running = subprocess.Popen(
        [str(CLAUSEFIT), "check", "--all", "--output", "report.txt"],
        cwd=project.folder,
        env=project.environment({"TMPDIR": str(scratch)}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not processes_with(word):
        assert time.monotonic() < deadline and running.poll() is None, "Frama-C did not start"
        time.sleep(0.05)
    running.send_signal(number)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert out == "" and err.startswith("clausefit: interrupted") and len(err.splitlines()) == 1
    assert processes_with(word) == []
    assert list(scratch.iterdir()) == []
    assert not (project.folder / "report.txt").exists()

    project.write("next.c", NEXT)
    project.write("test_next.c", TEST)
    ran = project.check("next.c")
    assert ran.status == 0 and ran.err == ""
    with sqlite3.connect(next(project.cache.rglob("*.sqlite3"))) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def killed_frama_c(folder: Path, *, times: int) -> dict[str, str]:
    """A ``frama-c`` that is killed like by the kernel in its first ``times`` proofs; the environment that has it."""
    folder.mkdir()
    real = shutil.which("frama-c")
    program = folder / "frama-c"
    program.write_text(
        "#!/bin/bash\n"
        f'if [[ " $* " == *" -wp-fct "* ]] && [ "$(ls "{folder}" | grep -c killed)" -lt {times} ]; then\n'
        f'  touch "{folder}/killed.$$"; kill -KILL $$\nfi\nexec "{real}" "$@"\n'
    )
    program.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}


def test_a_verifier_that_is_always_killed(sound: Command, tmp_path: Path) -> None:
    ran = sound.check("--all", env=killed_frama_c(tmp_path / "bin", times=1000))
    assert ran.status == 2 and ran.found == []
    assert ran.reasons == {"crash"}
    assert ran.report["stats"]["undecided"] > 0


def test_a_verifier_that_is_killed_once_is_asked_again(sound: Command, tmp_path: Path) -> None:
    ran = sound.check("--all", env=killed_frama_c(tmp_path / "bin", times=1))
    assert len(list((tmp_path / "bin").glob("killed.*"))) == 1
    assert ran.status == 0 and ran.reasons == set()
    assert ran.report["stats"]["undecided"] == 0


def test_a_goal_that_no_prover_decides(project: Command) -> None:
    project.write("next.c", NEXT.replace("*/", f"ensures hard: {HARD}; */"))
    project.write("test_next.c", TEST)
    ran = project.run("check", "--format", "json", "--timeout", "1", "--all")
    assert ran.status == 0 and ran.found == []
    (entry,) = ran.report["not_checked"]
    assert (entry["reason"], entry["function"]) == ("timeout", "next")
    assert "ensures hard" in entry["detail"] and "within 1 s" in entry["detail"]
    assert ran.report["stats"]["undecided"] == 1
    exact, hard = ran.report["contracts"][0]["clauses"]
    assert (exact["accepts_right"], exact["undecided"]) == (1, 0)
    assert (hard["accepts_right"], hard["rejects_right"]) == (0, 0) and hard["undecided"] == 1


# ---- sources and tests ----------------------------------------------------------------------------------------------


def test_a_source_that_does_not_preprocess(sound: Command) -> None:
    sound.write("next.c", '#include "gone.h"\n' + NEXT)
    sound.write("other.c", "/*@ ensures \\result == a - 1; */\nint prev(int a) { return a - 1; }\n")
    sound.write("test_next.c", TWO_TESTS)
    ran = sound.check("--all")
    assert ran.status == 2 and ran.found == []
    (entry,) = ran.report["not_checked"]
    assert (entry["file"], entry["function"], entry["reason"]) == ("next.c", "next", "parse_error")
    assert "next.c:1:10: fatal error: gone.h: No such file or directory" in entry["detail"]
    assert "/tmp" not in entry["detail"], "the place of our copy says nothing to people"
    clauses = {c["function"]: c["clauses"][0] for c in ran.report["contracts"]}
    assert clauses["prev"]["accepts_right"] == 1 and clauses["prev"]["undecided"] == 0


@pytest.mark.parametrize(
    ("clause", "reason"),
    [
        pytest.param("\\result ==", "dropped", id="incomplete"),
        pytest.param("\\result == 'x", "parse_error", id="unclosed-quote-that-ends-all-of-Frama-C"),
        pytest.param("\\result == 08", "unsupported", id="number-that-ends-all-of-Frama-C"),
        pytest.param("\\result == (a", "parse_error", id="unclosed-parenthesis"),
    ],
)
def test_a_syntax_error_in_one_of_two_contracts(project: Command, clause: str, reason: str) -> None:
    project.write("two.c", f"{NEXT}/*@ ensures bad: {clause};\n */\nint prev(int a) {{ return a - 1; }}\n")
    project.write("test_two.c", TWO_TESTS)
    ran = project.check("--all")
    assert ran.found == []
    assert reason in ran.reasons and {n["file"] for n in ran.report["not_checked"]} == {"two.c"}
    assert ran.status == (0 if reason == "unsupported" else 2)
    good = ran.report["contracts"][0]["clauses"][0]
    assert ran.judged[0] == "next"
    assert (good["accepts_right"], good["accepts_wrong"], good["undecided"]) == (1, 0, 0) and good["rejects_wrong"] >= 5


@pytest.mark.parametrize(
    ("contract", "says"),
    [
        pytest.param("ensures \\result == ;", "nothing follows `==`", id="incomplete"),
        pytest.param("ensures \\resullt == a;", "`\\resullt`", id="no word of ACSL"),
        pytest.param("requires a > 0; ensures \\result == a + 1; ensures a == && a;", "`&&`", id="among others"),
        pytest.param("requires a + ;", "nothing follows `+`", id="a precondition"),
    ],
)
@pytest.mark.parametrize("tests", ["tests", "no tests", "no test that can be used"])
@pytest.mark.parametrize("asked", [True, False], ids=["a verifier", "no verifier"])
def test_a_clause_that_cannot_be_read_is_not_checked_whatever_the_tests_show(
    project: Command, contract: str, says: str, tests: str, asked: bool
) -> None:
    project.write("next.c", NEXT.replace("ensures exact: \\result == a + 1;", contract))
    if tests != "no tests":
        project.write("test_next.c", TEST if tests == "tests" else TEST.replace("next(3)", "next(rand())"))
    ran = project.check("--all", *([] if asked else ["--no-verifier"]))
    assert (ran.status, ran.found) == (2, [])
    broken = [one for one in ran.report["not_checked"] if one["reason"] in ("parse_error", "dropped")]
    assert len(broken) == 1 and broken[0]["function"] == "next"
    if not asked or tests != "tests":
        assert broken[0]["reason"] == "parse_error" and says in broken[0]["detail"]


def test_a_broken_contract_of_a_header_is_listed_once(project: Command) -> None:
    project.write("next.h", "/*@ ensures \\result == ; */\nint next(int a);\n")
    project.write("next.c", '#include "next.h"\nint next(int a) { return a + 1; }\n')
    project.write("other.c", '#include "next.h"\nint other(void) { return next(1); }\n')
    ran = project.check("--all")
    broken = [(one["file"], one["line"]) for one in ran.report["not_checked"] if one["reason"] == "parse_error"]
    assert (ran.status, broken) == (2, [("next.h", 1)])


def test_an_ill_typed_clause_among_others(project: Command) -> None:
    project.write(
        "next.c", NEXT.replace("/*@", "/*@ ensures bad: \\result == nowhere; ensures strong: \\result == 9; ")
    )
    project.write("test_next.c", TEST)
    ran = project.check("--all")
    assert ran.status == 1
    assert ran.found == [("next", "too_strong", "ensures strong: \\result == 9")]
    assert ran.reasons == {"dropped"} and "unbound logic variable nowhere" in ran.out
    exact = next(c for c in ran.report["contracts"][0]["clauses"] if "exact" in c["text"])
    assert exact["accepts_right"] == 1


def test_a_contract_without_tests(project: Command) -> None:
    project.write("next.c", NEXT)
    ran = project.check("--all")
    assert ran.status == 0 and ran.found == []
    (entry,) = ran.report["not_checked"]
    assert (entry["reason"], entry["function"]) == ("no_pins", "next")
    assert ran.report["contracts"][0]["scores"]["PostCorr"]["score"] is None, "no pins is no score, not a good one"


@pytest.mark.parametrize(
    "test",
    [
        pytest.param(TEST.replace("next(3) == 4)", "next(3 == 4"), id="missing-parenthesis"),
        pytest.param('#include "gone.h"\n' + TEST, id="missing-header"),
        pytest.param("#error no\n" + TEST, id="error-directive"),
        pytest.param(TEST.replace("int main(void) {", "int main(void) { ]"), id="stray-bracket"),
        pytest.param("\0\1\2\377" * 1000, id="junk"),
    ],
)
def test_a_test_that_cannot_be_read(project: Command, test: str) -> None:
    project.write("next.c", NEXT)
    project.write("test_next.c", test)
    ran = project.check("next.c")
    assert ran.found == [] and "no_pins" in ran.reasons
    named = {n["file"] for n in ran.report["not_checked"]}
    if "next" in test:
        assert ran.status == 2 and "parse_error" in ran.reasons and "test_next.c" in named


def test_a_broken_test_beside_a_good_one(sound: Command) -> None:
    sound.write("test_broken.c", '#include "gone.h"\n' + TEST)
    ran = sound.check("--all")
    assert ran.status == 0 and ran.found == [], "the contract has its pins from the other test"
    assert [n["file"] for n in ran.report["not_checked"]] == ["test_broken.c"]


def test_a_file_of_20000_lines(project: Command) -> None:
    before = "".join(f"int before{i}(int a) {{ return a + {i}; }}\n" for i in range(10_000))
    project.write("big.c", before + NEXT.replace("== a", ">= a") + before.replace("before", "after"))
    project.write("test_big.c", TEST)
    start = time.monotonic()
    ran = project.check("--all")
    assert time.monotonic() - start < 60
    assert ran.status == 1
    assert ran.found == [("next", "too_weak", "ensures exact: \\result >= a + 1")]
    assert ran.report["findings"][0]["line"] == 10_001
    assert ran.reasons == set()


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(bytes(range(256)) * 2000, id="all-bytes"),
        pytest.param(b"\x7fELF\x02\x01\x01" + b"\0" * 100_000, id="program"),
        pytest.param(b"//@ ensures a;\n" + b"{" * 200_000, id="deep-nesting"),
        pytest.param(b"/*@ ensures " + b"(" * 200_000, id="deep-clause"),
        pytest.param("/*@ ensures a; */".encode("utf-16"), id="utf-16"),
    ],
)
def test_junk_named_c(sound: Command, content: bytes) -> None:
    sound.write("junk.c", content)
    ran = sound.check("--all")
    assert ran.status == 2 and ran.judged == ["next"]
    assert {n["file"] for n in ran.report["not_checked"]} == {"junk.c"}
    assert sound.check("junk.c").status == 2


def test_a_file_that_is_not_there(sound: Command) -> None:
    ran = sound.check("gone.c")
    assert ran.status == 2 and ran.reasons == {"missing_file"}


# ---- hostile files --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "reason"),
    [
        pytest.param("\\true) || (\\false", "parse_error", id="closes-our-parenthesis"),
        pytest.param("cf_r == 4", "unsupported", id="names-our-result"),
        pytest.param("\\at(cf_u0c0p0_m0, Pre) == 4", "unsupported", id="names-our-memory"),
        pytest.param("\\result == __FC_errno", "unsupported", id="names-of-the-verifier"),
        pytest.param("\\true == \\true ==> (\\let x = 1; \\true; ensures \\true)", "parse_error", id="semicolon"),
    ],
)
@pytest.mark.parametrize("form", ["/*@ ensures {}; */", "//@ ensures {};"], ids=["block", "line"])
def test_a_clause_cannot_leave_its_place(project: Command, clause: str, reason: str, form: str) -> None:
    project.write("next.c", form.format(clause) + "\nint next(int a) { return a + 1; }\n")
    project.write("test_next.c", TEST)
    ran = project.check("--all")
    assert ran.found == [] and reason in ran.reasons
    for contract in ran.report["contracts"]:
        for listed in contract["clauses"]:
            assert (listed["accepts_right"], listed["rejects_wrong"]) == (0, 0), "nothing is known of such a clause"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("//@ ensures \\result == a + 2 */ && \\false;\n", id="comment-end-in-a-line-annotation"),
        pytest.param("//@ ensures \\result == a + 2; /* \\\n */ extern int x;\n", id="spliced-comment"),
        pytest.param(
            '//@ ensures \\result == a + 2 // "*/ int cf_evil(void); /*@ ensures \\true; */\n;\n', id="hidden"
        ),
    ],
)
def test_a_comment_mark_cannot_leave_its_place(project: Command, text: str) -> None:
    project.write("next.c", text + "int next(int a) { return a + 1; }\n")
    project.write("test_next.c", TEST)
    ran = project.check("--all")
    stubs = project.run("stubs", "--all").out
    assert "cf_evil" not in stubs and "extern int x" not in stubs
    assert {clause for _function, _direction, clause in ran.found} <= {"ensures \\result == a + 2", None}
    assert ran.found or ran.reasons


def test_a_clause_over_a_spliced_line_is_read(project: Command) -> None:
    project.write("next.c", NEXT.replace("a + 1;", "a + \\\n 2;", 1))
    project.write("test_next.c", TEST)
    ran = project.check("--all")
    assert ran.status == 1
    assert ("next", "too_strong", "ensures exact: \\result == a + 2") in ran.found


def test_file_names_are_only_names(project: Command) -> None:
    plain = ["a b.c", "it's.c", "$(touch pwned).c", "`touch pwned`.c", "-x.c", "a;touch pwned;.c", "%s&&.c"]
    plain += ["$(touch pwned)/in.c", "ü.c"]
    odd = ['q"uote.c', "new\nline.c", "back\\slash.c"]
    names = [*plain, *odd]
    includes = ""
    for number, name in enumerate(names):
        project.write(name, NEXT.replace("next", f"next{number}"))
        includes += f"int next{number}(int a);\n"
    calls = "".join(f"assert(next{n}(3) == 4); " for n in range(len(names)))
    project.write(
        "test it's $(touch pwned).c", f"#include <assert.h>\n{includes}int main(void) {{ {calls} return 0; }}"
    )
    ran = project.check("--all", "--pins", "1")
    assert ran.status == 0 and ran.found == []
    assert len(ran.judged) == len(plain)
    assert all(c["clauses"][0]["accepts_right"] == 1 for c in ran.report["contracts"])
    assert {n["file"] for n in ran.report["not_checked"]} == set(odd) and ran.reasons == {"unsupported"}
    assert not list(project.folder.rglob("pwned"))
    assert project.check("-x.c").status == 2, "an option that is not known"
    assert project.check("--", "-x.c").status == 0


@pytest.fixture
def secret(tmp_path: Path) -> Iterator[Path]:
    """A header outside of the workspace that a hostile file would like to see."""
    target = tmp_path / "secret.h"
    target.write_text("#define SECRET 1\n")
    yield target


@pytest.mark.parametrize(
    "line",
    [
        pytest.param('#include "{secret}"', id="absolute"),
        pytest.param('#include "../secret.h"', id="parent"),
        pytest.param('#include "x/../../secret.h"', id="parent-behind-a-folder"),
        pytest.param("#include <{secret}>", id="angle-brackets"),
        pytest.param('#include "../../../../../../../../../../{secret}"', id="far-up"),
        pytest.param('#define X "{secret}"\n#include X', id="by-a-macro"),
        pytest.param('#inc\\\nlude "{secret}"', id="spliced"),
        pytest.param('#/**/include/**/"{secret}"', id="behind-a-comment"),
        pytest.param('/**/ # include "{secret}"', id="after-a-comment"),
        pytest.param('%:include "{secret}"', id="digraph"),
        pytest.param('#import "{secret}"', id="import"),
        pytest.param('#include_next "{secret}"', id="include-next"),
        pytest.param('#include "link.h"', id="link"),
    ],
)
@pytest.mark.parametrize("where", ["source", "test"])
def test_an_include_cannot_leave_the_workspace(project: Command, secret: Path, line: str, where: str) -> None:
    (project.folder / "link.h").symlink_to(secret)
    line = line.format(secret=secret)
    check = "#ifndef SECRET\n#error not seen\n#endif\n"
    project.write("deep/er/next.c", (line + "\n" if where == "source" else "") + NEXT)
    project.write("deep/er/test_next.c", (line + "\n" + check if where == "test" else "") + TEST)
    if line == '#include "link.h"':
        (project.folder / "deep/er/link.h").symlink_to(secret)
    ran = project.check("--all")
    assert ran.found == [] and ran.report["not_checked"]
    assert "SECRET" not in ran.out
    for contract in ran.report["contracts"]:
        assert all(c["accepts_right"] == 0 for c in contract["clauses"])


def test_two_folders_up_is_not_the_systems_parent(project: Command) -> None:
    """``../../x`` of a file two folders deep stays inside, but the compiler also tries it from its own folders."""
    project.write("a/b/next.c", '#include "../../../../../../../../etc/passwd"\n' + NEXT)
    project.write("a/b/c/d/e/f/g/h/deep.c", '#include "../../../../../../etc/passwd"\n' + NEXT.replace("next", "deep"))
    project.write("test_next.c", TEST + TEST.replace("next", "deep").replace("main", "other"))
    ran = project.check("--all")
    assert ran.judged == []
    assert [n["reason"] for n in ran.report["not_checked"]] == ["unsupported"] * 2
    assert "outside of the workspace" in ran.out


@pytest.mark.parametrize("name", ["link.c", "folder/secret.c", "folder", "../secret.c"])
def test_a_link_or_path_out_of_the_workspace(sound: Command, tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.c").write_text(NEXT.replace("next", "secret"))
    (sound.folder / "link.c").symlink_to("../secret.c")
    (sound.folder / "folder").symlink_to("..")
    ran = sound.check(name)
    assert ran.status == 2 and ran.judged == []
    assert "workspace" in ran.report["not_checked"][0]["detail"]
    assert sound.check("--all").judged == ["next"]
