"""Which lines a patch adds."""

import pytest
from clausefit.ci.changed_lines import added_lines

CASES = [
    pytest.param(None, set(), id="no patch: binary, too large or only renamed"),
    pytest.param("", set(), id="an empty patch"),
    pytest.param("@@ -0,0 +1,2 @@\n+one\n+two", {1, 2}, id="a new file"),
    pytest.param("@@ -0,0 +1 @@\n+one\n\\ No newline at end of file", {1}, id="one line without a new line at its end"),
    pytest.param("@@ -1,3 +1,2 @@\n one\n-two\n three", set(), id="only removed"),
    pytest.param("@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3", {2, 3}, id="context and removed lines: only the first counts"),
    pytest.param(
        "@@ -1,1 +1,2 @@ f(\n a\n+b\n@@ -9,1 +10,2 @@ g(\n c\n+d", {2, 11}, id="two hunks with names of functions"
    ),
    pytest.param("@@ -1 +1,2 @@\n+@@ -5 +50,9 @@\n+b", {1, 2}, id="an added line that looks like a hunk"),
    pytest.param("@@ -1 +1,2 @@\n+++ b/file\n+b", {1, 2}, id="an added line that looks like a header"),
    pytest.param(
        "@@ -1,1 +1,3 @@\n+a\x0cb\u2028c\x85d\n+b\r\n c", {1, 2}, id="form feeds and Unicode's separators end no line"
    ),
    pytest.param("@@ -1,2 +1,4 @@\n a\n+b\n+c", {2, 3}, id="cut off: what is there counts"),
    pytest.param("@@ -1,2 +1,4 @@\n a\n+b\n?\n+c", {2}, id="not a patch from there on: later numbers are not known"),
    pytest.param("@@ -1 +1 @@\n-a\n+b\n+c", {1}, id="more lines than the hunk says"),
    pytest.param("+a\n+b", set(), id="no hunk"),
    pytest.param("@@ -1 +99999999999999999999,9 @@\n+a", set(), id="a number that no file has"),
    pytest.param("@@ -1,3 +1,4 @@\n a\n\n+b\n c", {3}, id="an empty context line whose blank was stripped"),
]


@pytest.mark.parametrize(("patch", "expected"), CASES)
def test_added_lines(patch: str | None, expected: set[int]) -> None:
    assert added_lines(patch) == expected
