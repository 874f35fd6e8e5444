"""The pins of the shared Java cases, written down by hand from their sources and tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from java_pin_text import pin_text, pins_of

CASES = Path(__file__).parents[1] / "cases"

EXPECTED: dict[str, list[str]] = {
    "j01-not-found-value": [
        "5 LookupTest.found Lookup.slotOf(int[], int): keys=m0, k=5; m0=[3, 5, 8] -> 1",
        "6 LookupTest.absent Lookup.slotOf(int[], int): keys=m0, k=4; m0=[3, 5, 8] -> -1",
    ],
    "j02-forgotten-old": [
        "7 CursorTest.steps Cursor.step(): this=m0; m0=Cursor{pos: 0, again: false}"
        " -> void; m0=Cursor{pos: 1, again: false}",
        "7 CursorTest.steps Cursor.step(): this=m0; m0=Cursor{pos: 1, again: false}"
        " -> void; m0=Cursor{pos: 2, again: false}",
        "8 CursorTest.steps Cursor.pos(): this=m0; m0=Cursor{pos: 2, again: false} -> 2",
        "9 CursorTest.steps Cursor.again(): this=m0; m0=Cursor{pos: 2, again: false} -> false",
    ],
    "j03-insert-at-end": [
        'TextBuf.insert(int, String): this=m0, at=0, s="ad"; m0=TextBuf{text: ""} -> void; m0=TextBuf{text: "ad"}',
        'TextBuf.insert(int, String): this=m0, at=2, s="e"; m0=TextBuf{text: "ad"} -> void; m0=TextBuf{text: "ade"}',
        'TextBuf.insert(int, String): this=m0, at=1, s="bc"; m0=TextBuf{text: "ade"}'
        ' -> void; m0=TextBuf{text: "abcde"}',
        'TextBuf.text(): this=m0; m0=TextBuf{text: "abcde"@s0} -> "abcde"@s0',
    ],
    "j06-sort-range": [
        "RangeSort.sort(int[], int, int): a=m0, from=1, to=3; m0=[9, 3, 1, 0] -> void; m0=[9, 1, 3, 0]",
        "RangeSort.sort(int[], int, int): a=m0, from=0, to=3; m0=[3, 2, 1] -> void; m0=[1, 2, 3]",
    ],
    "j07-one-way-implication": [
        "Same.same(int[], int[]): x=m0, y=m1; m0=[1, 2]; m1=[1, 2] -> true",
        "Same.same(int[], int[]): x=m0, y=m1; m0=[1, 2]; m1=[1, 3] -> false",
        "Same.same(int[], int[]): x=m0, y=m1; m0=[1]; m1=[1, 3] -> false",
    ],
    "j10-null-argument-rejected": [
        'Fault.Fault(String): text="x"@s0 -> m0; m0=Fault{text: "x"@s0}',
        'Fault.label(): this=m0; m0=Fault{text: "x"@s0} -> "x"@s0',
        "Fault.Fault(String): text=null -> m0; m0=Fault{text: null}",
        "Fault.label(): this=m0; m0=Fault{text: null} -> null",
    ],
    "j11-unspecified-exception": [
        "Slots.slot(int, int): key=7, size=5 -> 2",
        "Slots.slot(int, int): key=-1, size=5 -> 4",
        "Slots.slot(int, int): key=7, size=0 -> throws java.lang.IllegalArgumentException",
    ],
    "j12-missing-assignable": [
        "Meter.add(int): this=m0, d=4; m0=Meter{total: 0, resets: 0} -> void; m0=Meter{total: 4, resets: 0}",
        "Meter.add(int): this=m0, d=5; m0=Meter{total: 4, resets: 0} -> void; m0=Meter{total: 9, resets: 0}",
        "Meter.total(): this=m0; m0=Meter{total: 9, resets: 0} -> 9",
        "Meter.resets(): this=m0; m0=Meter{total: 9, resets: 0} -> 0",
    ],
    "j16-false-and-catchall": [
        "Sized.Sized(int): size=3 -> m0; m0=Sized{size: 3}",
        "Sized.size(): this=m0; m0=Sized{size: 3} -> 3",
        "Sized.Sized(int): size=-1 -> throws java.lang.IllegalArgumentException",
    ],
}


@pytest.mark.parametrize("case", [pytest.param(name, id=name) for name in EXPECTED])
def test_pins_of_case(case: str) -> None:
    files = {str(path.relative_to(CASES / case)): path.read_text() for path in (CASES / case).rglob("*.java")}
    files = {path: text for path, text in files.items() if not path.startswith("mutant")}
    (test_file,) = [path for path in files if path.startswith("test")]
    found = pins_of(files, test_file, source=[path for path in files if path.startswith("src")])
    lines = [f"{pin.origin.line} {pin.origin.test} {pin_text(pin)}" for pin in found.pins]
    expected = EXPECTED[case]
    if not expected[0][0].isdigit():
        lines = [pin_text(pin) for pin in found.pins]
    assert lines == expected
    assert found.ignored == ()
    assert found.not_checked == ()
    assert {pin.origin.kind for pin in found.pins} == {"static"}
    assert {pin.origin.file for pin in found.pins} == {test_file}
