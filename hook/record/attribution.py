"""Which test made a recorded call: found on the call's stack, and named as the readers of tests name it.

Pure: what the workspace holds comes in through ``TestFiles``. The names are those of ``pins/c_tests.py`` (the
function's name; ``Suite.Test`` for GoogleTest and Criterion) and of ``pins/java/frameworks.py``
(``Outer$InnerTest.method``), so that recorded and static pins of one test have one name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from clausefit.hook.languages import language_of
from clausefit.hook.pins.values import Origin
from clausefit.hook.record.c_test_names import CTestName, c_test_name
from clausefit.hook.record.test_files import TestFiles
from clausefit.hook.record.watched import Frame, RecordedCall

_C_RUNNERS = re.compile(
    r"^(?:_?cmocka_|srunner_|tcase_run_|criterion_|UnityDefaultTestRun)|(?:^|[ :])testing::(?!Test\b)|^RUN_ALL_TESTS"
)
"""Functions of frameworks that call tests: cmocka, Check, Criterion, Unity, GoogleTest."""
_REFLECTION = ("jdk.internal.reflect.", "java.lang.reflect.", "sun.reflect.", "java.lang.invoke.")
_LAMBDA = re.compile(r"lambda\$(.+)\$\d+")
_LOCAL_CLASS = re.compile(r"\$\d.*", re.DOTALL)


@dataclass(frozen=True)
class MakingTest:
    """The test that made a call.

    ``origin`` is for the pin. ``names`` are those that a report may have for exactly this test, ``bare`` one that tests
    of other classes may have too (an inherited test method), ``group`` the class or suite that its cases are listed
    under; each empty where there is none. ``by_main``: it runs as part of a program's ``main``. ``in_test_file``: it
    was found in a test file, and not only in the program.
    """

    origin: Origin
    names: tuple[str, ...] = ()
    bare: str = ""
    group: str = ""
    by_main: bool = False
    in_test_file: bool = True


def making_test(call: RecordedCall, files: TestFiles, reported: frozenset[str] = frozenset()) -> MakingTest:
    """The test that made a call, by the outermost frame that is one.

    ``reported`` are the names of cases in test reports: a frame that is among them is preferred to one around it (a
    rule or a runner that lies beside the tests). Never raises; where no frame is in a test file the outermost frame
    that is in the workspace stands for the test.
    """
    if language_of(call.pin) == "java":
        return _java_test(call, files, reported)
    return _c_test(call, files, reported)


def attributed(call: RecordedCall, test: MakingTest) -> RecordedCall:
    """The call with the test as the origin of its pin."""
    return replace(call, pin=replace(call.pin, origin=test.origin))


# ---- C and C++ ------------------------------------------------------------------------------------------------------


def _c_test(call: RecordedCall, files: TestFiles, reported: frozenset[str]) -> MakingTest:
    has_main = any(_is_main(frame) for frame in call.frames)
    made = _made_by_macro(call.frames, files)
    if made is not None:
        return replace(made, by_main=has_main)
    found = _in_test_files(_inside_the_runner(call.frames), files) or _in_test_files(call.frames, files)
    tests = [test for frame, test in found if not _is_main(frame)]
    known = [test for test in tests if not reported.isdisjoint(test.names)]
    if known or tests:
        return replace((known or tests)[-1], by_main=has_main)
    if found:
        return replace(found[-1][1], by_main=True)
    return _outside(call, files, has_main)


def _in_test_files(frames: Iterable[Frame], files: TestFiles) -> list[tuple[Frame, MakingTest]]:
    found = []
    for frame in frames:
        path = files.c_file(frame.scope)
        if path is not None and files.is_test(path):
            found.append((frame, _c_function(frame, path, c_test_name(frame.name, files.text(path)))))
    return found


def _made_by_macro(frames: Sequence[Frame], files: TestFiles) -> MakingTest | None:
    """The outermost frame that a framework's macro made. A thread that a test starts may only name it in its types."""
    inner: tuple[Frame, str] | None = None
    found: MakingTest | None = None
    for frame in frames:
        path = files.c_file(frame.scope)
        if path is not None and files.is_test(path):
            inner = frame, path
        if inner is not None:
            name = c_test_name(frame.name, files.text(inner[1]))
            if name.is_sure:
                found = _c_function(*inner, name)
    return found


def _inside_the_runner(frames: Sequence[Frame]) -> Sequence[Frame]:
    """The frames that a framework's runner called, or all where there is no runner."""
    for place, frame in enumerate(frames):
        if _C_RUNNERS.search(frame.name):
            return frames[:place]
    return frames


def _c_function(frame: Frame, path: str, name: CTestName) -> MakingTest:
    return MakingTest(Origin("recorded", name.name, path, frame.line), (name.name,), group=name.suite)


def _is_main(frame: Frame) -> bool:
    return frame.name.partition("(")[0] == "main"


# ---- Java -----------------------------------------------------------------------------------------------------------


def _java_test(call: RecordedCall, files: TestFiles, reported: frozenset[str]) -> MakingTest:
    found: list[MakingTest] = []
    by_reflection: list[MakingTest] = []
    for place, frame in enumerate(call.frames):
        test = _named_java_test(frame, files, reported)
        if test is None:
            continue
        found.append(test)
        around = call.frames[place + 1].scope if place + 1 < len(call.frames) else ""
        if around.startswith(_REFLECTION):
            by_reflection.append(test)
    tests = [test for test in found if test.bare != "main"]
    known = [test for test in tests if not reported.isdisjoint(test.names)]
    reflected = [test for test in by_reflection if test.bare != "main"]
    for some in (known, reflected, tests, found):
        if some:
            return some[-1]
    return _outside(call, files, False)


def _named_java_test(frame: Frame, files: TestFiles, reported: frozenset[str]) -> MakingTest | None:
    """The frame as a test; None where its class is neither in a test file nor reported with this method."""
    binary = _LOCAL_CLASS.sub("", frame.scope)
    is_own = binary == frame.scope
    method = _LAMBDA.sub(r"\1", frame.name)
    method = {"new": "<init>", "static": "<clinit>"}.get(method, method) if method != frame.name else method
    # A method of a local class is not known to be the test's own.
    names = (f"{binary}.{method}",) if is_own else ()
    path = files.java_file(binary)
    if (path is None or not files.is_test(path)) and reported.isdisjoint(names):
        return None
    simple = binary.rpartition(".")[2]
    origin = Origin("recorded", f"{simple}.{method}", path or "", frame.line)
    return MakingTest(origin, names, method if is_own else "", binary)


# ---- neither --------------------------------------------------------------------------------------------------------


def _outside(call: RecordedCall, files: TestFiles, has_main: bool) -> MakingTest:
    """What stands for the test where no frame is one: the outermost frame of the workspace, or the program."""
    find = files.java_file if language_of(call.pin) == "java" else files.c_file
    for frame in reversed(call.frames):
        path = find(frame.scope)
        if path is not None:
            return MakingTest(Origin("recorded", frame.name, path, frame.line), by_main=has_main, in_test_file=False)
    program = call.program.rpartition("/")[2] or "main"
    return MakingTest(Origin("recorded", program, call.watched.file, 0), by_main=has_main, in_test_file=False)
