"""What Frama-C 25 prints, read from outputs that it really gave (``tests/data/wp``)."""

from __future__ import annotations

from pathlib import Path

import pytest
from clausefit.verifiers.wp_output import (
    DroppedAnnotation,
    detected_provers,
    dropped_annotations,
    first_error,
    goal_states,
    proved_labels,
    seen_labels,
)
from growth import assert_grows_linearly

DATA = Path(__file__).parents[1] / "data" / "wp"
HEAD = "directory\tfile\tline\tfunction\tproperty kind\tstatus\tproperty\n"


def said(name: str) -> str:
    return (DATA / name).read_text()


@pytest.mark.parametrize(
    ("name", "proved", "seen"),
    [
        pytest.param("mixed.csv", {"g0", "g2"}, {"g0", "g1", "g2", "g12"}, id="some-proved-some-dropped"),
        pytest.param("one_prover.csv", {"g1"}, {"g0", "g1"}, id="one-prover"),
    ],
)
def test_tables_of_frama_c(name: str, proved: set[str], seen: set[str]) -> None:
    assert proved_labels(said(name)) == proved
    assert seen_labels(said(name)) == seen


GOOD = ".\tcf_stubs.c\t4\tcf_u0\tpostcondition\tValid\tg7: \\result ≡ 1\n"


@pytest.mark.parametrize(
    ("rows", "proved", "seen"),
    [
        pytest.param(GOOD, True, True, id="a-good-row"),
        pytest.param(GOOD.rstrip("\n"), True, True, id="no-line-feed-at-the-end"),
        pytest.param(GOOD.replace("≡ 1", '≡ "'), True, True, id="a-quote-quotes-nothing"),
        pytest.param(GOOD.replace("1", "1 " * 200_000), True, True, id="longer-than-a-csv-field-may-be"),
        pytest.param(GOOD.replace("1", "'\r'"), True, True, id="carriage-return"),
        pytest.param(GOOD.replace("1", "'\0'"), True, True, id="nul"),
        pytest.param("\n" + GOOD, True, True, id="empty-line"),
        pytest.param(GOOD + GOOD.replace("4", "9"), False, True, id="a-label-that-is-there-twice"),
        pytest.param(GOOD + GOOD.replace("Valid", "Unknown"), False, True, id="proved-and-not-proved"),
        pytest.param(GOOD + GOOD.replace("cf_u0", "helper"), True, True, id="a-label-of-the-project"),
        pytest.param(GOOD.replace("Valid", "Unknown"), False, True, id="unknown"),
        pytest.param(GOOD.replace("Valid", "Valid under hypotheses"), False, True, id="under-hypotheses"),
        pytest.param(GOOD.replace("Valid", "Considered valid"), False, True, id="only-considered-valid"),
        pytest.param(GOOD.replace("Valid", "Invalid or unreachable"), False, True, id="unreachable"),
        pytest.param(GOOD.replace("Valid", "valid"), False, True, id="another-word"),
        pytest.param(GOOD.replace("Valid", ""), False, True, id="no-status"),
        pytest.param(GOOD.replace("cf_u0", "helper"), False, False, id="a-function-of-the-project"),
        pytest.param(GOOD.replace("postcondition", "precondition"), False, False, id="what-is-assumed"),
        pytest.param(GOOD.replace("g7:", "x7:"), False, False, id="no-label-of-ours"),
        pytest.param(GOOD.replace("g7:", "g7"), False, False, id="no-colon"),
        pytest.param(GOOD.replace("g7:", "g7 and more:"), False, False, id="more-than-a-label"),
        pytest.param(GOOD.replace("g7:", "g٧:"), False, False, id="digits-of-another-script"),
        pytest.param(GOOD.replace("g7: ", "a ∧ g7: "), False, False, id="a-label-further-in"),
        pytest.param(GOOD.replace("Valid\t", "Valid"), False, False, id="a-column-too-few"),
        pytest.param(GOOD.replace(".\t", ".\t\t", 1), False, False, id="a-column-too-many"),
        pytest.param(GOOD.replace("\t", ","), False, False, id="other-separators"),
        pytest.param("", False, False, id="nothing"),
        pytest.param("\x00\xff\t\t\t\t\t\t\t\n", False, False, id="rubbish"),
    ],
)
def test_rows(rows: str, proved: bool, seen: bool) -> None:
    assert proved_labels(HEAD + rows) == ({"g7"} if proved else set())
    assert seen_labels(HEAD + rows) == ({"g7"} if seen else set())


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        pytest.param(said("mixed.out"), {"g1": "Failed", "g12": "Timeout"}, id="several-provers"),
        pytest.param(said("one_prover.out"), {"g0": "Unknown"}, id="one-prover"),
        pytest.param("[wp] [Timeout] typed_cf_u0_ensures_g4 (Qed 2ms) (Z3)\n", {}, id="of-a-form-that-is-not-known"),
        pytest.param("[wp] [Z3 4.8.12] Goal typed_cf_u0_ensures_g4 : Timeout (1s)\n", {"g4": "Timeout"}, id="timeout"),
        pytest.param("[wp] [Qed] Goal typed_cf_u0_ensures_g4 : Valid\n", {}, id="proved"),
        pytest.param(
            "[wp] [Failed] Goal typed_cf_u0_ensures_g4\n  Z3: Timeout (1s)\n[wp] Proved goals: 0 / 1\n  Z3: Timeout\n"
            "[wp] [Failed] Goal typed_cf_u0_ensures_g5\n  Z3: Unknown\n",
            {"g4": "Timeout", "g5": "Failed"},
            id="each-prover-belongs-to-its-goal",
        ),
        pytest.param("", {}, id="nothing"),
    ],
)
def test_goal_states(output: str, expected: dict[str, str]) -> None:
    assert goal_states(output) == expected


IN_STUBS = [
    (12, "Assignment operators not allowed in annotations"),
    (19, "unexpected token ''"),
    (3, "incompatible types ℤ and P"),
    (5, "incompatible types char * and unsigned char *"),
    (10, "unbound logic function nosuch"),
    (14, "unbound logic variable nosuch2"),
    (15, "{&cf_p, &cf_pa} is not a pointer"),
    (17, "unbound logic variable nosuch3"),
    (18, "invalid operands to binary +; unexpected char * and ℝ"),
]


def test_dropped_annotations() -> None:
    """The message stands on the same line, on the next one, or on several."""
    expected = tuple(DroppedAnnotation("cf_stubs.c", line, message) for line, message in IN_STUBS)
    assert dropped_annotations(said("dropped.out")) == expected


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        pytest.param("[kernel:annot-error] a b:c.c:7: Warning: odd.\n", [("a b:c.c", 7, "odd")], id="odd-file-name"),
        pytest.param("[kernel:annot-error] f.c:7: Warning: \n", [("f.c", 7, "annotation error")], id="no-message"),
        pytest.param(
            "[kernel:annot-error] f.c:7: Warning: \n[wp] Running\n", [("f.c", 7, "annotation error")], id="then-another"
        ),
        pytest.param("[kernel:typing] f.c:7: Warning: \n  implicit\n", [], id="another-warning"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_dropped_annotations_of_odd_form(output: str, expected: list[tuple[str, int, str]]) -> None:
    assert [(d.file, d.line, d.message) for d in dropped_annotations(output)] == expected


def test_nothing_is_dropped_where_all_is_well() -> None:
    assert dropped_annotations(said("one_prover.out")) == ()


@pytest.mark.parametrize(
    ("output", "errors", "expected"),
    [
        pytest.param(said("c_syntax.out"), "", "w/f.c:1: syntax error", id="syntax"),
        pytest.param(said("c_type.out"), "", "w/f.c:2: Cannot resolve variable undeclared_thing", id="types"),
        pytest.param(
            said("missing_header.out"),
            said("missing_header.err"),
            "/tmp/clausefit-x/w/f.c:2:10: fatal error: no_such_header.h: No such file or directory",
            id="missing-header",
        ),
        pytest.param(
            said("no_field.out"),
            "",
            "cf_stubs.c:14: Cannot find field y in type struct __anonstruct_P_1",
            id="annotation-that-ends-the-run",
        ),
        pytest.param(said("no_prover.out"), "", "Prover 'nosuch' not found in why3.conf", id="no-such-prover"),
        pytest.param(
            said("no_why3_conf.out"),
            "",
            "system error: `/home/u/.why3.conf: No such file or directory'",
            id="why3-is-not-configured",
        ),
        pytest.param("", "[kernel] Failure: out of luck\n", "out of luck", id="on-the-error-stream"),
        pytest.param("[kernel] user error: small\n", "", "small", id="small-letters"),
        pytest.param("", "", "Frama-C stopped without saying why", id="silence"),
        pytest.param("[kernel] Parsing f.c\n", "Killed\n", "Frama-C stopped without saying why", id="no-error"),
        pytest.param("[kernel] f.c:3: \n", "", "f.c:3: ", id="cut-off"),
    ],
)
def test_first_error(output: str, errors: str, expected: str) -> None:
    assert first_error(output, errors) == expected


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        pytest.param(
            said("detect.out"),
            {
                "cvc4": "CVC4 1.8",
                "cvc4-ce": "CVC4 1.8",
                "cvc4-strings": "CVC4 1.8",
                "cvc4-strings-ce": "CVC4 1.8",
                "z3": "Z3 4.8.12",
                "z3-ce": "Z3 4.8.12",
                "z3-nobv": "Z3 4.8.12",
            },
            id="some",
        ),
        pytest.param(said("detect_none.out"), {}, id="why3-is-not-configured"),
        pytest.param("", {}, id="nothing"),
    ],
)
def test_detected_provers(output: str, expected: dict[str, str]) -> None:
    assert detected_provers(output) == expected


@pytest.mark.parametrize(
    ("start", "piece", "count", "end"),
    [
        pytest.param("[kernel:annot-error] ", ":1", 300_000, "", id="colons"),
        pytest.param("", ":1", 800_000, ": erro", id="places"),
        pytest.param("[wp] Prover ", " ", 2_000_000, "[", id="blanks"),
        pytest.param("[wp] [x] Goal ", "_ensures_g", 200_000, "", id="labels"),
        pytest.param("[kernel] ", "a:1", 600_000, ": ", id="files"),
        pytest.param("[kernel:annot-error] f.c:1: Warning: ", ". ", 600_000, "", id="dots"),
    ],
)
def test_long_lines_take_linear_time(start: str, piece: str, count: int, end: str) -> None:
    def work(repeated: int) -> None:
        line = start + piece * repeated + end
        proved_labels(line), seen_labels(line), goal_states(line), dropped_annotations(line)
        first_error(line, line), detected_provers(line)

    assert_grows_linearly(work, count // 8, count)
