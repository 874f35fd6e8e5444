"""Which tests a report allows, for the shapes that real producers write."""

# ruff: noqa: E501 -- tables of C text
from __future__ import annotations

from pathlib import Path

import pytest
from clausefit.hook.pins.junit_xml import passed_tests

CTEST = """<testsuite name="Linux" tests="2" failures="0" skipped="1"><testcase name="unit" classname="unit" status="run"/>
<testcase name="off" classname="off" status="disabled"><skipped message="Disabled"/></testcase></testsuite>"""
CMOCKA = """<?xml version="1.0"?><testsuites><testsuite name="group" tests="3">
<testcase name="test_ok" time="0"/><testcase name="test_bad"><failure><![CDATA[x]]></failure></testcase>
<testcase name="test_err"><error/></testcase></testsuite></testsuites>"""
GTEST = """<testsuites tests="9"><testsuite name="Max"><testcase name="Equal" status="run" result="completed" classname="Max"/>
<testcase name="Off" status="notrun" result="suppressed" classname="Max"/>
<testcase name="Skip" status="run" result="skipped" classname="Max"><skipped message="s"/></testcase></testsuite>
<testsuite name="Min"><testcase name="Off" status="run" classname="Min"/></testsuite></testsuites>"""
NESTED = """<testsuites><testsuite name="outer"><testsuite name="a.b"><testcase name="deep"/></testsuite></testsuite></testsuites>"""
SUREFIRE = """<testsuite name="s"><testcase name="shaky"><flakyFailure message="m"/></testcase>
<testcase name="again"><rerunFailure/></testcase><testcase name="steady"/></testsuite>"""


def report(folder: Path, text: str, name: str = "r.xml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "name", "allowed"),
    [
        pytest.param(CTEST, "unit", True, id="ctest: bare testsuite root"),
        pytest.param(CTEST, "off", False, id="ctest: disabled"),
        pytest.param(CTEST, "main", True, id="main, and nothing failed"),
        pytest.param(CMOCKA, "test_ok", True, id="passed"),
        pytest.param(CMOCKA, "group.test_ok", True, id="suite.test"),
        pytest.param(CMOCKA, "other.test_ok", False, id="another suite"),
        pytest.param(CMOCKA, "test_bad", False, id="failure"),
        pytest.param(CMOCKA, "test_err", False, id="error"),
        pytest.param(CMOCKA, "test_new", False, id="not in the report"),
        pytest.param(CMOCKA, "main", False, id="main, and something failed"),
        pytest.param(GTEST, "Max.Equal", True, id="gtest"),
        pytest.param(GTEST, "Max.Off", False, id="gtest: notrun has no child element"),
        pytest.param(GTEST, "Max.Skip", False, id="gtest: skipped"),
        pytest.param(GTEST, "Min.Off", True, id="the same name passed in another suite"),
        pytest.param(GTEST, "Off", False, id="a bare name that passed only once"),
        pytest.param(NESTED, "deep", True, id="nested suites"),
        pytest.param(SUREFIRE, "shaky", False, id="passed only when it was run again"),
        pytest.param(SUREFIRE, "again", False, id="run again"),
        pytest.param(SUREFIRE, "steady", True, id="run once"),
        pytest.param(NESTED, "b.deep", True, id="last part of a dotted suite"),
    ],
)
def test_allows(tmp_path: Path, text: str, name: str, allowed: bool) -> None:
    found = passed_tests([report(tmp_path, text)])
    assert found.errors == ()
    assert found.allows(name) is allowed


def test_a_program_may_have_any_name(tmp_path: Path) -> None:
    found = passed_tests([report(tmp_path, CTEST)])
    assert not found.allows("test_max")
    assert found.allows("test_max", run_by_main=True)
    assert not passed_tests([]).allows("main")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("<testsuite><testcase", id="cut off"),
        pytest.param("<html/>", id="another document"),
        pytest.param("\0\1", id="binary"),
    ],
)
def test_broken_reports_are_errors(tmp_path: Path, text: str) -> None:
    good = report(tmp_path, CMOCKA)
    found = passed_tests([report(tmp_path, text, "bad.xml"), tmp_path / "none.xml", good])
    assert len(found.errors) == 2
    assert "bad.xml" in found.errors[0]
    assert "none.xml: the test report cannot be read (No such file or directory): let the" in found.errors[1]
    assert found.allows("test_ok")


def test_entity_bombs_are_refused(tmp_path: Path) -> None:
    levels = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12))
    bomb = f'<!DOCTYPE t [<!ENTITY a0 "ha">{levels}]><testsuite><testcase name="&a11;"/></testsuite>'
    assert len(passed_tests([report(tmp_path, bomb)]).errors) == 1
