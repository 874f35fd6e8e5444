"""What is judged for which change, in real repositories with the real verifier."""

from __future__ import annotations

from pathlib import Path

import pytest
from running import Command, Repository, recording_frama_c

HEADER = """\
#define LIMIT 100
/*@ predicate one_more(integer x, integer y) = x == y + 1; */
int next(int a);
/*@ ensures lower: \\result == a - 1; */
int prev(int a);
"""
SOURCE = """\
#include "pair.h"

/*@ ensures upper: one_more(\\result, a); */
int next(int a)
{
    return a + 1;
}

int prev(int a)
{
    return a - 1;
}

/*@ requires small: a < LIMIT;
    ensures same: \\result == a; */
int same(int a)
{
    return a;
}
"""
TEST = """\
#include <assert.h>
#include "../src/pair.h"
int same(int a);
static void test_next(void) { assert(next(3) == 4); }
static void test_prev(void) { assert(prev(3) == 2); }
static void test_same(void) { assert(same(3) == 3); }
int main(void) { test_next(); test_prev(); test_same(); return 0; }
"""
ALL = ["next", "prev", "same"]
WEAK = SOURCE.replace("one_more(\\result, a)", "\\result > a")


@pytest.fixture
def pair(repository: Repository) -> Repository:
    """A repository with one commit: two functions of one header, one function without, and their tests."""
    repository.add("src/pair.h", HEADER)
    repository.add("src/pair.c", SOURCE)
    repository.add("tests/test_pair.c", TEST)
    repository.commit()
    return repository


@pytest.fixture
def no_verifier(tmp_path: Path) -> tuple[dict[str, str], Path]:
    """The environment in which a call of Frama-C is written down, and where."""
    return recording_frama_c(tmp_path / "recording")


# ---- what is staged -------------------------------------------------------------------------------------------------


def test_a_changed_clause_judges_its_contract_only(pair: Repository) -> None:
    pair.add("src/pair.c", WEAK)
    ran = pair.check()
    assert ran.status == 1
    assert ran.judged == ["next"]
    assert ran.found == [("next", "too_weak", "ensures upper: \\result > a")]
    (finding,) = ran.report["findings"]
    assert (finding["file"], finding["line"]) == ("src/pair.c", 3)
    assert (finding["witness"]["test"], finding["witness"]["test_file"]) == ("test_next", "tests/test_pair.c")


def test_a_changed_predicate_judges_the_contracts_that_use_it(pair: Repository) -> None:
    pair.add("src/pair.h", HEADER.replace("x == y + 1", "x > y"))
    ran = pair.check()
    assert ran.judged == ["next"]
    assert ran.found == [("next", "too_weak", "ensures upper: one_more(\\result, a)")]


def test_a_changed_macro_judges_the_contracts_that_use_it(pair: Repository) -> None:
    pair.add("src/pair.h", HEADER.replace("LIMIT 100", "LIMIT 2"))
    ran = pair.check()
    assert ran.judged == ["same"]
    assert ran.found == [("same", "too_strong", "requires small: a < LIMIT")]


def test_a_contract_in_a_header_is_judged_once_where_it_is_defined(pair: Repository) -> None:
    pair.add("src/user.c", '#include "pair.h"\nint use(void) { return prev(1); }\n')
    pair.commit()
    pair.add("src/pair.h", HEADER.replace("\\result == a - 1", "\\result < a"))
    ran = pair.check()
    assert ran.judged == ["prev"]
    assert [c["file"] for c in ran.report["contracts"]] == ["src/pair.c"]
    assert ran.found == [("prev", "too_weak", "ensures lower: \\result < a")]
    assert (ran.report["findings"][0]["file"], ran.report["findings"][0]["line"]) == ("src/pair.h", 4)


def test_a_partly_staged_file_is_judged_as_it_is_staged(pair: Repository) -> None:
    pair.add("src/pair.c", WEAK)
    pair.write("src/pair.c", SOURCE)
    assert pair.check().found == [("next", "too_weak", "ensures upper: \\result > a")]
    pair.add("src/pair.c", SOURCE)
    pair.write("src/pair.c", WEAK)
    assert pair.check().judged == []


def test_tests_and_headers_are_read_as_they_are_staged(pair: Repository) -> None:
    pair.add("src/pair.c", WEAK)
    pair.write("src/pair.h", "#error this is not staged\n")
    pair.write("tests/test_pair.c", "this is not staged, either (\n")
    assert pair.check().found == [("next", "too_weak", "ensures upper: \\result > a")]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param("src/pair.c", SOURCE.replace("return a + 1", "return 1 + a"), id="a-body"),
        pytest.param("src/pair.c", SOURCE.replace("one_more(", "one_more (\n  "), id="white-space-in-a-clause"),
        pytest.param("src/pair.c", "// new\n\n" + SOURCE, id="lines-move"),
        pytest.param(
            "src/pair.c", SOURCE + "/* more */ int more(void) { return 0; }\n", id="a-function-without-contract"
        ),
        pytest.param("src/pair.h", HEADER + "int more;\n", id="a-header-without-its-contracts"),
        pytest.param("tests/test_pair.c", TEST.replace("next(3) == 4", "next(4) == 5"), id="a-test"),
        pytest.param("README.md", "/*@ ensures \\false; */ int f(void);\n", id="no-c-file"),
    ],
)
def test_no_contract_changed_and_no_verifier_is_started(
    pair: Repository, no_verifier: tuple[dict[str, str], Path], path: str, text: str
) -> None:
    environment, calls = no_verifier
    pair.add(path, text)
    ran = pair.check(env=environment)
    assert ran.status == 0 and ran.err == ""
    assert ran.judged == [] and ran.report["not_checked"] == []
    assert not calls.exists(), calls.read_text()


def test_the_recording_verifier_is_called_when_a_contract_changed(
    pair: Repository, no_verifier: tuple[dict[str, str], Path]
) -> None:
    """What makes the test above able to fail."""
    environment, calls = no_verifier
    pair.add("src/pair.c", WEAK)
    ran = pair.check(env=environment)
    assert ran.status == 2 and calls.exists()


def test_nothing_staged(pair: Repository, no_verifier: tuple[dict[str, str], Path]) -> None:
    environment, calls = no_verifier
    pair.write("src/pair.c", WEAK)
    ran = pair.check(env=environment)
    assert ran.status == 0 and ran.judged == [] and not calls.exists()


def test_no_commit_yet(repository: Repository) -> None:
    repository.add("src/pair.h", HEADER)
    repository.add("src/pair.c", SOURCE)
    repository.add("tests/test_pair.c", TEST)
    ran = repository.check()
    assert ran.status == 0 and sorted(ran.judged) == ALL
    ran = repository.check("--base", "main")
    assert ran.status == 2 and ran.out == ""
    assert "no commit yet" in ran.says_one_line()


def test_deleted_and_renamed_files(pair: Repository, no_verifier: tuple[dict[str, str], Path]) -> None:
    environment, calls = no_verifier
    pair.git("mv", "src/pair.c", "src/moved.c")
    ran = pair.check(env=environment)
    assert ran.status == 0 and ran.judged == [] and not calls.exists()
    pair.add("src/moved.c", WEAK)
    assert pair.check().found == [("next", "too_weak", "ensures upper: \\result > a")]
    pair.git("rm", "-q", "-f", "src/moved.c")
    ran = pair.check(env=environment)
    assert ran.status == 0 and ran.judged == [] and not calls.exists()


def test_it_works_from_a_folder_below(pair: Repository) -> None:
    pair.add("src/pair.c", WEAK)
    ran = pair.check(cwd=pair.folder / "src")
    assert ran.judged == ["next"] and ran.report["findings"][0]["file"] == "src/pair.c"
    assert pair.check("pair.c", cwd=pair.folder / "src").judged == ALL


# ---- other requests -------------------------------------------------------------------------------------------------


def test_base(pair: Repository) -> None:
    pair.git("checkout", "-q", "-b", "topic")
    pair.add("src/pair.c", WEAK)
    pair.commit()
    pair.git("checkout", "-q", "main")
    pair.add("src/pair.c", SOURCE.replace("\\result == a;", "\\result <= a;"))
    pair.commit()
    pair.git("checkout", "-q", "topic")
    pair.write("src/pair.c", SOURCE)  # what is on the disk does not count
    ran = pair.check("--base", "main")
    assert ran.found == [("next", "too_weak", "ensures upper: \\result > a")], "what main changed is not ours"
    for wrong in ("nowhere", "--output=x", "HEAD:src/pair.c"):
        ran = pair.check(f"--base={wrong}")
        assert ran.status == 2 and ran.out == ""
        assert wrong in ran.says_one_line()


def test_outside_of_git(project: Command) -> None:
    for path, text in (("src/pair.h", HEADER), ("src/pair.c", WEAK), ("tests/test_pair.c", TEST)):
        project.write(path, text)
    ran = project.check()
    assert ran.status == 2 and ran.out == ""
    assert "--all" in ran.says_one_line()
    ran = project.check("--base", "main")
    assert ran.status == 2 and ran.says_one_line()
    for request in ("src/pair.c", "src", "--all"):
        ran = project.check(request)
        assert ran.status == 1 and ran.found == [("next", "too_weak", "ensures upper: \\result > a")], request
        assert sorted(ran.judged) == ALL


@pytest.mark.parametrize(
    ("widening", "path", "text", "judged"),
    [
        pytest.param("code", "src/pair.c", SOURCE.replace("return a + 1", "return 1 + a"), ["next"], id="code"),
        pytest.param("tests", "src/pair.c", SOURCE.replace("return a + 1", "return 1 + a"), [], id="only-tests"),
        pytest.param("tests", "tests/test_pair.c", TEST.replace("3) == 4", "4) == 5"), ALL, id="tests"),
        pytest.param("code", "tests/test_pair.c", TEST.replace("3) == 4", "4) == 5"), [], id="only-code"),
    ],
)
def test_changed_with(pair: Repository, widening: str, path: str, text: str, judged: list[str]) -> None:
    pair.add(path, text)
    ran = pair.check("--changed-with", widening)
    assert (ran.status, ran.found, ran.judged) == (0, [], judged)


def test_changed_with_an_unknown_word(pair: Repository) -> None:
    ran = pair.run("check", "--changed-with", "weather")
    assert ran.status == 2 and "'weather' is none of contracts, code, tests" in ran.err


def test_a_header_in_an_include_folder(repository: Repository) -> None:
    """``#include <pair/pair.h>`` by a folder of the configuration."""
    repository.add(".clausefit.yaml", "include_dirs: [include]\n")
    repository.add("include/pair/pair.h", HEADER)
    repository.add("src/pair.c", SOURCE.replace('"pair.h"', "<pair/pair.h>"))
    repository.add("tests/test_pair.c", TEST.replace('"../src/pair.h"', "<pair/pair.h>"))
    repository.commit()
    repository.add("include/pair/pair.h", HEADER.replace("\\result == a - 1", "\\result < a"))
    ran = repository.check()
    assert ran.found == [("prev", "too_weak", "ensures lower: \\result < a")]
    assert ran.reasons == set()


# ---- which findings count -------------------------------------------------------------------------------------------

PASSED, FAILED = '<testcase name="{}"/>', '<testcase name="{}"><failure/></testcase>'


def junit(**results: str) -> str:
    cases = "".join(form.format(name) for name, form in results.items())
    return f'<?xml version="1.0"?><testsuites><testsuite name="pair">{cases}</testsuite></testsuites>'


def test_pins_of_tests_that_failed_do_not_count(pair: Repository) -> None:
    pair.add("src/pair.c", WEAK)
    passed = pair.write("passed.xml", junit(test_next=PASSED, test_prev=FAILED))
    failed = pair.write("failed.xml", junit(test_next=FAILED, test_prev=PASSED))
    assert pair.check("--junit", str(passed)).found == [("next", "too_weak", "ensures upper: \\result > a")]
    ran = pair.check("--junit", str(failed))
    assert (ran.status, ran.found, ran.reasons) == (0, [], {"no_pins"})
    (ignored,) = ran.report["contracts"][0]["pins"]["ignored"]
    assert ignored["source"] == "tests/test_pair.c:4" and "test_next passed" in ignored["reason"]


@pytest.mark.parametrize("content", [None, "", "<testsuites", "\0\1"], ids=["missing", "empty", "cut-off", "no-xml"])
def test_a_test_report_that_cannot_be_read(pair: Repository, content: str | None) -> None:
    pair.add("src/pair.c", WEAK)
    if content is not None:
        pair.write("report.xml", content)
    ran = pair.check("--junit", "report.xml")
    assert ran.status == 2 and ran.out == "", "nothing is known to have passed"
    assert "report.xml: the test report cannot be read" in ran.says_one_line()


def test_test_reports_by_a_pattern(pair: Repository) -> None:
    pair.add("src/pair.c", WEAK)
    for name in ("one", "two"):
        pair.write(f"reports/{name}.xml", junit(test_next=PASSED))
    assert pair.check("--junit", "reports/*.xml").found == [("next", "too_weak", "ensures upper: \\result > a")]
    pair.write("reports/three.xml", junit(test_next=FAILED))
    assert pair.check("--junit", "reports/*.xml").reasons == {"no_pins"}


def test_a_pattern_of_reports_that_matches_nothing_is_said(pair: Repository) -> None:
    pair.add("src/pair.c", WEAK)
    pair.write("build/report.xml", junit(test_next=PASSED))
    ran = pair.check("--junit", "nowhere/*.xml")
    assert ran.status == 2 and "no test report matches nowhere/*.xml" in ran.says_one_line()
    pair.write(".clausefit.yaml", "junit: [build/*.xml, nowhere/*.xml]\n")
    ran = pair.check()
    assert ran.judged == ["next"] and "no test report matches nowhere/*.xml" in ran.says_one_line()


@pytest.mark.parametrize("more", [[], ["--all"]], ids=["files", "all"])
def test_a_pattern_of_reports_that_the_shell_took_is_no_list_of_sources(pair: Repository, more: list[str]) -> None:
    pair.add("src/pair.c", WEAK)
    ran = pair.check("--junit", "reports/one.xml", "reports/two.xml", *more)
    assert ran.status == 2 and ran.out == ""
    assert "quote the pattern of test reports" in ran.says_one_line()


def test_no_test_report_where_the_configuration_says(pair: Repository) -> None:
    pair.add("src/pair.c", WEAK)
    pair.write(".clausefit.yaml", "junit: [build/*.xml]\n")
    ran = pair.check()
    assert ran.found == [] and ran.reasons == {"no_pins"}
    assert "no test report matches build/*.xml" in ran.says_one_line()
    pair.write("build/report.xml", junit(test_next=PASSED))
    assert pair.check().found == [("next", "too_weak", "ensures upper: \\result > a")]


def test_suppressions(pair: Repository) -> None:
    comment = "// clausefit: ignore[CF101] callers only need more\n"
    pair.add("src/pair.c", WEAK.replace("/*@ ensures upper", comment + "/*@ ensures upper"))
    ran = pair.check()
    assert (ran.status, ran.found, ran.judged) == (0, [], ["next"])
    pair.add("src/pair.c", SOURCE.replace("/*@ ensures upper", comment + "/*@ ensures lifted"))
    ran = pair.check()
    assert [(f["code"], f["direction"], f["line"]) for f in ran.report["findings"]] == [("CF901", "suppression", 3)]
    pair.add("src/pair.c", WEAK.replace("/*@ ensures upper", "// clausefit: ignore[CF101]\n/*@ ensures upper"))
    assert {f["code"] for f in pair.check().report["findings"]} >= {"CF902"}, "without a reason"


ACCEPTED = WEAK.replace("/*@ ensures upper", "/*@ // clausefit: ignore[CF101] an estimate\n    ensures upper")


def test_a_suppression_alone_is_a_change(pair: Repository) -> None:
    """Whether it is added, loses its reason or goes away, in the source or in a header."""
    pair.add("src/pair.c", ACCEPTED)
    pair.commit()
    assert pair.check().judged == []

    pair.add("src/pair.c", ACCEPTED.replace(" an estimate", ""))
    ran = pair.check()
    assert ran.status == 1 and ran.judged == ["next"]
    assert sorted(f["code"] for f in ran.report["findings"]) == ["CF101", "CF902"]

    pair.add("src/pair.c", WEAK)
    pair.commit()
    assert pair.check("--base", "HEAD~1").found == [("next", "too_weak", "ensures upper: \\result > a")]

    pair.add("src/pair.h", HEADER.replace("/*@ ensures", "/*@ // clausefit: ignore[CF101] why\n ensures"))
    ran = pair.check()
    assert ran.status == 1 and ran.judged == ["prev"]
    assert [(f["code"], f["file"], f["line"]) for f in ran.report["findings"]] == [("CF901", "src/pair.h", 4)]


def test_a_wrong_suppression_alone_is_seen_without_a_verifier(
    pair: Repository, no_verifier: tuple[dict[str, str], Path]
) -> None:
    environment, calls = no_verifier
    pair.add("src/pair.c", SOURCE.replace("/*@ ensures", "// clausefit: ignore[CF999] why\n/*@ ensures"))
    ran = pair.check("--no-verifier", env=environment)
    assert ran.status == 1 and [f["code"] for f in ran.report["findings"]] == ["CF903"]
    assert not calls.exists()


def test_a_suppression_in_java_alone_is_a_change(repository: Repository) -> None:
    weak = "class A {\n    //@ ensures \\result > x;\n    static int next(int x) { return x + 1; }\n}\n"
    accepted = weak.replace("    //@", "    // clausefit: ignore[CF101] an estimate\n    //@")
    repository.add("A.java", accepted)
    repository.add(
        "ATest.java",
        "import static org.junit.Assert.assertEquals;\nimport org.junit.Test;\n"
        "public class ATest { @Test public void next() { assertEquals(4, A.next(3)); } }\n",
    )
    repository.commit()
    assert repository.check().judged == []
    repository.add("A.java", weak)
    ran = repository.check()
    assert ran.status == 1 and ran.found == [("A.next(int)", "too_weak", "ensures \\result > x")]


def test_fail_on(pair: Repository) -> None:
    pair.add("src/pair.c", WEAK)
    ran = pair.check("--fail-on", "never")
    assert ran.status == 0 and len(ran.found) == 1
    assert pair.check("--fail-on", "error").status == 1
    # A suppression that hides nothing is only a warning.
    stale = "// clausefit: ignore[CF101] callers only need more\n"
    pair.add("src/pair.c", SOURCE.replace("/*@ ensures upper", stale + "/*@ ensures lifted"))
    ran = pair.check("--fail-on", "error")
    assert ran.status == 0 and [f["severity"] for f in ran.report["findings"]] == ["warning"]
    assert pair.check("--fail-on", "warning").status == 1
    pair.write(".clausefit.yaml", "fail_on: error\n")
    assert pair.check().status == 0
