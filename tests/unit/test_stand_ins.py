"""Which definition of a function a test may have called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest
from clausefit.hook.stand_ins import StandIns
from growth import assert_grows_linearly


def stand_ins(sources: Mapping[str, str], tests: Mapping[str, str]) -> StandIns:
    files = {**sources, **tests}

    def read(paths: Iterable[str]) -> dict[str, bytes]:
        return {path: files[path].encode() for path in paths if path in files}

    return StandIns(list(sources), list(tests), read)


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        pytest.param({"b.c": "int f(int x) { return x; }"}, ["b.c"], id="another-definition"),
        pytest.param({"b.c": "static int f(int x) { return x; }"}, [], id="a-static-one"),
        pytest.param({"b.c": "static inline int f(int x) { return x; }"}, [], id="a-static-inline-one"),
        pytest.param({"b.c": "extern int f(int x); int g(void) { return f(1); }"}, [], id="a-call"),
        pytest.param({"b.c": "/* int f(int x) { return x; } */ int g; // f"}, [], id="a-comment"),
        pytest.param({"b.c": "int ff(int x) { return x; }"}, [], id="a-longer-name"),
        pytest.param({"b.c": "int f(x) int x; { return x; }"}, ["b.c"], id="in-the-old-style"),
        pytest.param(
            {"b.c": "/*@ ensures 1; */ int\nf(int x)\n{\n}", "c.c": "void f(void) {}"}, ["b.c", "c.c"], id="two"
        ),
        pytest.param({"b.c": "#if X\nint f(int x) { return 1; }\n#endif"}, ["b.c"], id="in-a-branch"),
    ],
)
def test_other_definitions(others: dict[str, str], expected: list[str]) -> None:
    known = stand_ins({"a.c": "int f(int x) { return x; }", **others}, {"test_a.c": "int f(int x) { return 0; }"})
    assert known.other_definitions("f", "a.c") == expected


APP = {
    "app.c": """int now(void); static int twice(int x) { return x + now(); } int late(int x) { return twice(x); }
        int pure(int x) { return x; } int far(int x) { return middle(x); }
        int even(int n) { return n ? even(n - 1) : 1; }
        int by_macro(void) { return NOW(); } int by_table(int i) { return table[i](); }""",
    "mid.c": "int middle(int x) { return late(x) + 1; } int (*table[])(void) = { now };",
    "app.h": "int late(int); int now(void);\n#define NOW() now()",
    "clock.c": "int now(void) { return 7; }",
}


@pytest.mark.parametrize(
    ("tests", "compiled", "reached"),
    [
        pytest.param({}, {}, {}, id="no-stand-in"),
        pytest.param(
            {
                "test_a.c": "int main(void) {}",
                "tests/clock.c": "/* main() and void test */ int now(void) { TEST_OK(); }",
            },
            {},
            dict.fromkeys(("late", "far", "by_macro", "by_table", "now"), "now"),
            id="in-a-file-that-only-speaks-of-tests",
        ),
        pytest.param(
            {
                "test_a.c": "int main(void) {}",
                "tests/mock_clock.c": "int now(void) { return 0; } void test_it(void) {}",
            },
            {},
            dict.fromkeys(("late", "far", "by_macro", "by_table", "now"), "now"),
            id="in-a-mock-with-tests",
        ),
        pytest.param({"test_a.c": "int main(void) {} void twice(int x) {}"}, {}, {}, id="a-static-of-the-source"),
        pytest.param(
            {"test_a.c": "int now(void) { return 0; } int main(void) { return late(1); }"},
            {},
            dict.fromkeys(("late", "far", "by_macro", "by_table", "now"), "now"),
            id="in-the-test-itself",
        ),
        pytest.param({"test_a.c": "static int now(void) { return 0; } int main(void) {}"}, {}, {}, id="a-static-one"),
        pytest.param(
            {"test_a.c": "int __wrap_now(void) { return 0; } int main(void) {}"},
            {},
            dict.fromkeys(("late", "far", "by_macro", "by_table", "now"), "now"),
            id="wrapped-by-the-linker",
        ),
        pytest.param(
            {"test_a.c": "FAKE_VALUE_FUNC(int, now)\nint main(void) {}"},
            {"now": "test_a.c", "main": "test_a.c"},
            dict.fromkeys(("late", "far", "by_macro", "by_table", "now"), "now"),
            id="made-by-a-macro",
        ),
        pytest.param(
            {"test_a.c": "int main(void) {}", "tests/clock.c": "int now(void) { return 0; }"},
            {},
            dict.fromkeys(("late", "far", "by_macro", "by_table", "now"), "now"),
            id="in-a-file-without-tests",
        ),
        pytest.param(
            {"test_a.c": "int main(void) {}", "test_b.c": "int now(void) { return 0; } int main(void) {}"},
            {},
            {},
            id="in-another-program",
        ),
        pytest.param(
            {"test_a.c": "int middle(int x) { return 0; } int main(void) {}"},
            {},
            dict.fromkeys(("far", "middle"), "middle"),
            id="of-a-function-between",
        ),
        pytest.param({"test_a.c": "int helper(void) { return 0; } int main(void) {}"}, {}, {}, id="a-helper"),
        pytest.param(
            {"test_a.c": '#include "clock.c"\nint main(void) {}'},
            {"now": "clock.c", "main": "test_a.c"},
            {},
            id="the-source-itself",
        ),
        pytest.param(
            {"test_a.c": "int even(int n) { return 1; } int main(void) {}"}, {}, {"even": "even"}, id="own-name"
        ),
    ],
)
def test_what_may_call_a_stand_in(tests: dict[str, str], compiled: dict[str, str], reached: dict[str, str]) -> None:
    known = stand_ins(APP, tests)
    found = known.of_test("test_a.c", compiled)
    functions = {
        "app.c": ("late", "pure", "far", "even", "by_macro", "by_table"),
        "mid.c": ("middle",),
        "clock.c": ("now",),
    }
    seen = {
        name: why
        for file, names in functions.items()
        for name in names
        if (why := known.reached(file, name, found)) is not None
    }
    expected = {**reached, **({"middle": "now"} if "far" in reached and reached["far"] == "now" else {})}
    assert seen == expected


def test_a_source_that_is_called_a_fake_may_be_in_any_program() -> None:
    known = stand_ins({**APP, "fakes/clock_fake.c": "int now(void) { return 0; }"}, {"test_a.c": "int main(void) {}"})
    found = known.of_test("test_a.c", {})
    assert found == {"now": "fakes/clock_fake.c"}
    camel = stand_ins({**APP, "host/ClockMock.c": "int now(void) { return 0; }"}, {"test_a.c": "int main(void) {}"})
    assert camel.reached("app.c", "late", camel.of_test("test_a.c", {})) == "now"
    assert known.reached("app.c", "late", found) == "now"
    assert known.reached("fakes/clock_fake.c", "now", found) is None


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("int f(int x) { return check(x); }", "check", id="a-call"),
        pytest.param("int (*f(void))(int) { return check; }", "check", id="its-address"),
        pytest.param("int f(int x) { int check = x; return check; }", None, id="a-local-variable"),
        pytest.param("int f(struct d *check) { return check->n; }", None, id="a-parameter"),
        pytest.param("int f(int check, int y) { return check; }", None, id="a-parameter-of-two"),
        pytest.param(
            "static int check(int x) { return x; } int f(int x) { return check(x); }", None, id="a-static-one"
        ),
        pytest.param("int f(int x) { return x * check(x); }", "check", id="a-factor"),
    ],
)
def test_what_mentions_a_name(source: str, expected: str | None) -> None:
    known = stand_ins({"a.c": source}, {"t.c": "int check(int x) { return 0; } int main(void) { return f(1); }"})
    assert known.reached("a.c", "f", known.of_test("t.c", {})) == expected


def test_a_recorded_call_is_known_to_be_of_its_file() -> None:
    known = stand_ins(APP, {"t.c": "int now(void) { return 0; } int main(void) {}"})
    found = known.of_test("t.c", {})
    assert known.reached("clock.c", "now", found) == "now"
    assert known.reached("clock.c", "now", found, itself=False) is None


def test_long_chains_of_calls_take_linear_time() -> None:
    def work(count: int) -> None:
        text = "".join(f"int f{i + 1}(void) {{ return f{i}(); }}\n" for i in range(count))
        known = stand_ins({"a.c": text}, {"t.c": "int f0(void) { return 0; } int main(void) {}"})
        assert known.reached("a.c", f"f{count}", known.of_test("t.c", {})) == "f0"

    assert_grows_linearly(work, 250, 2000)
