"""What OpenJML 0.21 prints, read from outputs that it really gave (``tests/data/openjml``)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from clausefit.verifiers.openjml_output import MethodProof, first_problem, parse, version_of
from growth import assert_grows_linearly
from openjml_transcripts import names, transcript


@dataclass(frozen=True)
class Says:
    """What a person reads in a transcript. Methods by simple name, messages outside of proofs by ``file:line kind``."""

    exit_status: int
    validated: str = ""
    warned: str = ""
    infeasible: str = ""
    broken: str = ""
    skipped: str = ""
    outside: str = ""
    proved: str = ""
    """Validated, and OpenJML also found that the end of the method can be reached."""

    def sorted(self) -> Says:
        """The same with the methods in the order of their names."""
        words = ("validated", "warned", "infeasible", "broken", "skipped", "proved")
        return replace(self, **{word: " ".join(sorted(getattr(self, word).split())) for word in words})


LIT = (
    "Lit a2d_T aex_T afor_T alen_T arr10_T arrayElemStr_T bitand_T boxed_T charArith_T charAt_T compareTo_T concatEq_T "
    "concatLen_T dbl_T div_T equals_T equalsNot_T impl_T indexOf_T intOverflow_T isDigit_T isEmpty_T len_T listGet_T "
    "listSize_T longMul_T mathAbs_T mathMax_T mod_T mul_T nullq_T objEq_T perm_T shift_T sorted_T startsWith_T "
    "substringEq_T substringLen_T tern_T xor_T"
)
LIT_OPEN = (
    "a2d_F aex_F afor_F alen_F arr10_F arrayElemStr_F bitand_F boxed_F charArith_F charAt_F charExists_F charExists_T "
    "charForall_F charForall_T compareTo_F concatEq_F concatLen_F contains_F contains_T dbl_F div_F equals_F "
    "equalsNot_F impl_F indexOf_F intOverflow_F isDigit_F isEmpty_F len_F listGet_F listSize_F longMul_F mathAbs_F "
    "mathMax_F max_F max_T mod_F mul_F nullq_F numof_F numof_T objEq_F parseInt_F parseInt_T perm_F prod_F prod_T "
    "shift_F sorted_F startsWith_F substringEq_F substringLen_F sum_F sum_T tern_F trimLen_F trimLen_T upper_F upper_T "
    "xor_F"
)
MANY_OPEN = " ".join(f"q{tens}{ones}" for tens in range(5) for ones in (4, 9))
MANY = "Many even " + " ".join(f"q{tens}{ones}" for tens in range(5) for ones in (0, 1, 2, 3, 5, 6, 7, 8))
MIXED = "6v 5v 15v 15v 17v 17v 13v 13v 12v 21v 20v"


def at(file: str, places: str) -> str:
    """``4v 3e`` as messages in ``file``: the line, and whether it is an error, a warning or a failed proof."""
    kinds = {"v": "verify", "e": "error", "w": "warning"}
    return ", ".join(f"{file}:{place[:-1]} {kinds[place[-1]]}" for place in places.split())


TABLE = {
    "Arrays1": Says(6, "Arrays1 max", warned="maxBad"),
    "BadOption": Says(2, outside=":0 error"),
    "Contra-feas-all-progress": Says(0, "Contra contra", infeasible="contra", proved="Contra"),
    "Contra-feas-pre": Says(0, outside="Contra.java:4 warning"),
    "Contra-feas-preexit": Says(0, outside="Contra.java:4 warning"),
    "Exc": Says(6, "Exc fact firstN loops throwsAlways", warned="firstUnsafeN firstUnsafeS"),
    "FailAssert": Says(6, outside="FailAssert.java:4 verify"),
    "FailPost": Says(6, outside=at("FailPost.java", "4v 3v")),
    "FailPost-ce": Says(6, outside=at("FailPost.java", "4v 3v")),
    "FailPost-trace": Says(6, outside=at("FailPost.java", "4v 3v")),
    "FailPre": Says(6, outside=at("FailPre.java", "7v 4v 2v")),
    "Infeasible": Says(0, "Infeasible assume contra fine"),
    "Infeasible-feas": Says(6, "Infeasible assume contra fine", infeasible="assume contra", proved="Infeasible fine"),
    "Lit": Says(6, LIT, warned=LIT_OPEN, outside=at("Lit.java", "69w 72w")),
    "Loops": Says(6, "Loops withInv", warned="badInv noInv"),
    "Many-nosleep": Says(6, MANY, warned=MANY_OPEN),
    "Many-upstream-sleep": Says(6, MANY, warned=MANY_OPEN),
    "Mixed": Says(6, outside=at("Mixed.java", MIXED)),
    "Mixed-method": Says(6, warned="bad1", skipped="Mixed div good good2 idx overflow skipped two"),
    "Mixed-progress": Says(6, "Mixed good good2", warned="bad1 div idx overflow two", skipped="skipped"),
    "Mixed-progress-nosleep": Says(6, "Mixed good good2", warned="bad1 div idx overflow two", skipped="skipped"),
    "Mixed-summary": Says(6, outside=at("Mixed.java", MIXED)),
    "MultiFile-ok": Says(6, outside=at("FailPost.java", "4v 3v") + ", FailAssert.java:4 verify"),
    "MultiFile-one-broken": Says(1, outside=at("Unresolved.java", "3e 4e")),
    "MultiFile-syntax-broken": Says(1, outside=at("Syntax.java", "2e 2e")),
    "NoFile": Says(2, outside=":0 error"),
    "NoSolver": Says(1, outside=":0 error, :0 error"),
    "Olds": Says(6, "Olds inc swap", warned="frameBad incBad"),
    "Pass": Says(0),
    "Sig": Says(6, "Sig heavy ok unspecified", warned="badSig noThrow sigOnly"),
    "Silent": Says(6, outside=at("FailPost.java", "4v 3v")),
    "SolverDies": Says(1, broken="Pass inc"),
    "Strs": Says(6, "Strs eq first firstUnsafe idx len lit litChar litEq litLen sub", warned="cat"),
    "Sums": Says(
        6,
        "Sums concreteForall",
        warned="concreteForallWrong concreteMax concreteNum concreteSum concreteSumWrong sum zeros",
    ),
    "Syntax": Says(1, outside=at("Syntax.java", "2e 2e")),
    "SyntaxBad2": Says(1, outside=at("SyntaxBad2.java", "2e 3e 4e 4e 4e")),
    "Timeout-5-means-5ms": Says(6, "Timeout easy", warned="fermat"),
    "Timeout-5000": Says(6, "Timeout easy", warned="fermat"),
    "Timeout-5000-plain": Says(6, outside=at("Timeout.java", "4v 3v")),
    "Timeout2-z3": Says(6, "Timeout2", warned="factor quant"),
    "Unresolved": Says(1, outside=at("Unresolved.java", "3e 4e")),
}


def test_every_transcript_is_in_the_table() -> None:
    assert sorted(TABLE) == names()
    assert len(TABLE) == 41


@pytest.mark.parametrize("name", sorted(TABLE))
def test_transcripts(name: str) -> None:
    recorded = transcript(name)
    output = parse(recorded.stdout)

    def those(ending: str) -> str:
        return " ".join(one.simple_name for one in output.methods if one.ending == ending)

    says = Says(
        recorded.exit_status,
        " ".join(one.simple_name for one in output.methods if one.validated),
        those("with warnings"),
        those("INFEASIBLE"),
        those("ERROR"),
        " ".join(one.partition("(")[0].rpartition(".")[2] for one in output.skipped),
        ", ".join(f"{one.file}:{one.line} {one.kind}" for one in output.diagnostics),
        " ".join(one.simple_name for one in output.methods if one.proved),
    )
    assert says.sorted() == TABLE[name].sorted()
    assert output.unfinished == ""


@pytest.mark.parametrize(
    ("name", "missing"),
    [("NoSolver", True), ("SolverDies", True), ("Sums", False), ("Unresolved", False), ("BadOption", False)],
)
def test_a_solver_that_does_not_start(name: str, missing: bool) -> None:
    assert parse(transcript(name).stdout).solver_is_missing is missing


def test_what_is_not_implemented_is_said_at_its_line() -> None:
    methods = {one.simple_name: one for one in parse(transcript("Sums").stdout).methods}
    places = {name: [d.line for d in one.diagnostics if d.is_not_implemented] for name, one in methods.items()}
    assert {name: lines for name, lines in places.items() if lines} == {
        "concreteMax": [37],
        "concreteNum": [29],
        "concreteSum": [25],
        "concreteSumWrong": [33],
        "sum": [7, 7, 7, 3],
        "zeros": [17, 17, 17, 13],
    }


def test_both_asserts_of_a_method_are_at_their_lines() -> None:
    methods = {one.simple_name: one for one in parse(transcript("Mixed-progress").stdout).methods}
    assert [(d.file, d.line) for d in methods["two"].diagnostics] == [("Mixed.java", 21), ("Mixed.java", 20)]


def test_a_failure_may_be_placed_where_nothing_of_ours_is() -> None:
    """A line says nothing certain, therefore: ``mathMax_F`` failed in Lit.java and is reported in Math.jml."""
    methods = {one.simple_name: one for one in parse(transcript("Lit").stdout).methods}
    assert [(d.file, d.line) for d in methods["mathMax_F"].diagnostics] == [("Math.jml", 95)]


START = "Starting proof of p.C.m(int) with prover z3_4_3\n"
VALID = "Method assertions are validated [0.02 secs]\n"
EXIT = "p/C.java:3:Feasibility check #2 - at program exit : OK [0.00 secs]\n"
END = "Completed proof of p.C.m(int) with prover z3_4_3 - no warnings [0.03 secs]\n"


@pytest.mark.parametrize(
    ("text", "proved"),
    [
        pytest.param(START + VALID + EXIT + END, True, id="a proof"),
        pytest.param(START + VALID + EXIT.replace(" [0.00 secs]", "") + END, True, id="without times"),
        pytest.param((START + VALID + EXIT + END).replace("\n", "\r\n"), True, id="line ends of Windows"),
        pytest.param(START + "C.m " + VALID + EXIT.replace("3:F", "3: F") + END, True, id="as version 0.8 wrote it"),
        pytest.param(START + EXIT + END, False, id="nothing says that the assertions are validated"),
        pytest.param(START + VALID + END, False, id="nobody looked whether the facts contradict each other"),
        pytest.param(
            START + VALID + EXIT.replace("OK", "infeasible") + END, False, id="the facts contradict each other"
        ),
        pytest.param(START + VALID + EXIT.replace("OK", "timeout") + END, False, id="no time to look whether they do"),
        pytest.param(
            START
            + VALID
            + EXIT.replace("at program exit : OK", "after explicit assume statement : infeasible")
            + EXIT
            + END,
            False,
            id="an assumption that cannot hold",
        ),
        pytest.param(START + VALID + EXIT + END.replace("no warnings", "with warnings"), False, id="with warnings"),
        pytest.param(START + VALID + EXIT + END.replace("no warnings", "INFEASIBLE"), False, id="ends as infeasible"),
        pytest.param(START + VALID + EXIT + END.replace("no warnings", "UNKNOWN"), False, id="ends as unknown"),
        pytest.param(START + VALID + EXIT + END.replace("no warnings", "TIMEOUT"), False, id="ends as time-out"),
        pytest.param(START + VALID + "C.java:9: warning: NOT IMPLEMENTED: x\n" + EXIT + END, False, id="a warning"),
        pytest.param(START + "C.m " + VALID.replace("validated", "INVALID") + EXIT + END, False, id="invalid"),
        pytest.param(
            START + '(error "z3_4_3 failed to start")\nerror: Error occurred\n' + VALID + EXIT + END,
            False,
            id="an error",
        ),
    ],
)
def test_a_method_is_proved_only_where_everything_says_so(text: str, proved: bool) -> None:
    (method,) = parse(text).methods
    assert (method.name, method.simple_name, method.proved) == ("p.C.m(int)", "m", proved)


@pytest.mark.parametrize(
    ("text", "unfinished"),
    [
        pytest.param(START + VALID + EXIT + END.rstrip("\n"), "p.C.m(int)", id="the last line is not whole"),
        pytest.param(START + VALID, "p.C.m(int)", id="ended in the middle of a proof"),
        pytest.param(VALID + EXIT + END, "", id="the end of a proof without its beginning"),
        pytest.param(START + VALID + EXIT + END.replace("C.m", "C.n"), "", id="the end of another method's proof"),
        pytest.param("    " + START + "    " + VALID + EXIT + "    " + END, "", id="a source line that is echoed"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_half_of_a_proof_is_none(text: str, unfinished: str) -> None:
    output = parse(text)
    assert (output.methods, output.unfinished) == ((), unfinished)


def test_an_echoed_source_line_is_no_message() -> None:
    text = "C.java:3: error: cannot find symbol\n    //@ check (x); // C.java:9: error: not mine\n         ^\n"
    assert [(d.file, d.line) for d in parse(text).diagnostics] == [("C.java", 3)]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("BadOption", "invalid flag: --bogus"),
        ("NoFile", "file not found: NoFile.java"),
        ("Unresolved", "cannot find symbol"),
        (
            "SolverDies",
            'Error occurred while attempting proof: (error "Failed to start process /bin/false : Stream closed")',
        ),
        ("Pass", ""),
    ],
)
def test_the_first_error_in_one_line(name: str, says: str) -> None:
    recorded = transcript(name)
    assert first_problem(parse(recorded.stdout), recorded.stderr) == says


def test_the_first_error_may_be_on_stderr_alone() -> None:
    assert first_problem(parse(""), "\n  Exception in thread\n\tat x\n") == "Exception in thread"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        pytest.param("openjml 21-0.19\n", "21-0.19", id="of the series for Java 21"),
        pytest.param("openjml 0.17.0-alpha-15\n", "0.17.0-alpha-15", id="of the series for Java 17"),
        pytest.param("OpenJML-0.8.59-20211116\n", "0.8.59-20211116", id="the name and the number in one word"),
        pytest.param("Warning: x\nopenjml V0.21.0-alpha\n", "0.21.0-alpha", id="after another line"),
        pytest.param("openjml\n", "", id="no number"),
        pytest.param("", "", id="nothing"),
        pytest.param("openjml 1;rm\n", "", id="no version"),
    ],
)
def test_versions(text: str, version: str) -> None:
    assert version_of(text) == version


def test_no_line_is_looked_at_longer_than_it_is() -> None:
    line = "C" * 50 + ":1: x" + ":1" * 20 + " Feasibility check #1 - " + " : " * 20 + "\n"
    assert_grows_linearly(lambda size: parse(line * size), 500, 4_000)
    assert_grows_linearly(lambda size: parse(" - x : " * size + "\n" + "a:1: " * size + "\n"), 4_000, 32_000)


def test_a_name_without_a_class_is_its_own() -> None:
    assert MethodProof("m(int)", "", False, None, False).simple_name == "m"
