"""Assertions of the test frameworks: what each one shows about its arguments when it passes.

Sources: cmocka.h 1.1, Check 0.15 (check.h.in), Unity 2.5 (unity.h), Criterion 2.4 (assert.h), GoogleTest primer and
assertions reference, ISO C11 7.2. Assertions with a tolerance, and orderings, show no exact value.
"""

from __future__ import annotations

from dataclasses import dataclass

from clausefit.hook.pins.c_effects import has_impure_call, writes
from clausefit.hook.pins.c_evaluate import Evaluator
from clausefit.hook.pins.c_knowledge import known_truth
from clausefit.hook.pins.c_library import Library
from clausefit.hook.pins.c_static_types import static_type
from clausefit.hook.pins.c_terms import Term
from clausefit.hook.pins.c_types import (
    BASIC,
    LONG,
    ULONG,
    CType,
    FloatType,
    IntType,
    Node,
)
from clausefit.hook.pins.values import Integer

HEADERS = {
    "assert.h": "assert", "cmocka.h": "cmocka", "check.h": "check", "unity.h": "unity", "unity_fixture.h": "unity",
    "criterion.h": "criterion", "assert-redirects.h": "criterion", "gtest.h": "gtest", "gmock.h": "gtest",
}  # fmt: skip
"""Header (last part of its path) → framework: a name is an assertion only where its framework was included."""

_PREFIXES = {
    "cmocka": ("assert_",),
    "check": ("ck_assert", "fail_unless", "fail_if"),
    "unity": ("TEST_ASSERT",),
    "criterion": ("cr_assert", "cr_expect"),
    "gtest": ("EXPECT_", "ASSERT_"),
}


@dataclass(frozen=True)
class Rule:
    """What an assertion shows.

    ``cast``: both sides are converted to it first; ``bytes``: the size of an element; ``twice``: a passing macro
    evaluates its arguments twice. ``shows`` is ``failing`` where what is in it does not pass, ``several`` where the
    arguments are evaluated once or twice.
    """

    shows: str
    arguments: int
    cast: CType | None = None
    bytes: int = 0
    twice: bool = False


def _cmocka() -> dict[str, Rule]:
    return {
        "assert_true": Rule("true", 1, ULONG),
        "assert_false": Rule("false", 1, ULONG),
        "assert_int_equal": Rule("equal", 2, ULONG),
        "assert_int_not_equal": Rule("different", 2, ULONG),
        "assert_uint_equal": Rule("equal", 2, ULONG),
        "assert_uint_not_equal": Rule("different", 2, ULONG),
        "assert_null": Rule("false", 1),
        "assert_non_null": Rule("true", 1),
        "assert_ptr_equal": Rule("equal", 2),
        "assert_ptr_not_equal": Rule("different", 2),
        "assert_string_equal": Rule("string", 2),
        "assert_memory_equal": Rule("memory", 3),
        "assert_float_equal": Rule("nothing", 3),  # numbers a few bits apart are equal to it, whatever the epsilon
        "assert_double_equal": Rule("nothing", 3),
        "assert_return_code": Rule("nothing", 2),
    }


def _check() -> dict[str, Rule]:
    rules = {
        "ck_assert": Rule("true", 1),
        "ck_assert_msg": Rule("true", 1),
        "fail_unless": Rule("true", 1),
        "fail_if": Rule("false", 1),
        "ck_assert_str_eq": Rule("string", 2),
        "ck_assert_mem_eq": Rule("memory", 3),
        "ck_assert_ptr_null": Rule("false", 1),
        "ck_assert_ptr_nonnull": Rule("true", 1),
        "ck_assert_ptr_eq": Rule("equal", 2),
        "ck_assert_ptr_ne": Rule("different", 2),
    }
    for name, ctype in (("int", LONG), ("uint", ULONG), ("float", BASIC["float"]), ("double", BASIC["double"])):
        rules[f"ck_assert_{name}_eq"] = Rule("equal", 2, ctype)
        rules[f"ck_assert_{name}_ne"] = Rule("different", 2, ctype)
    return rules


def _unity() -> dict[str, Rule]:
    rules = {
        "TEST_ASSERT": Rule("true", 1),
        "TEST_ASSERT_TRUE": Rule("true", 1),
        "TEST_ASSERT_UNLESS": Rule("false", 1),
        "TEST_ASSERT_FALSE": Rule("false", 1),
        "TEST_ASSERT_NULL": Rule("false", 1),
        "TEST_ASSERT_NOT_NULL": Rule("true", 1),
        "TEST_ASSERT_EQUAL": Rule("equal", 2, LONG),
        "TEST_ASSERT_NOT_EQUAL": Rule("different", 2, LONG),
        "TEST_ASSERT_EQUAL_PTR": Rule("equal", 2),
        "TEST_ASSERT_EQUAL_STRING": Rule("string", 2),
        "TEST_ASSERT_EQUAL_MEMORY": Rule("memory", 3),
        "TEST_ASSERT_EQUAL_CHAR": Rule("equal", 2, BASIC["char"]),
        "TEST_ASSERT_EQUAL_CHAR_ARRAY": Rule("array", 3, None, 1),
        "TEST_ASSERT_EQUAL_size_t": Rule("equal", 2, ULONG),
        "TEST_ASSERT_EQUAL_PTR_ARRAY": Rule("array", 3, None, 8),
    }
    widths = {"": LONG, "8": BASIC["signed char"], "16": BASIC["short"], "32": BASIC["int"], "64": LONG}
    unsigned = {"": ULONG, "8": BASIC["unsigned char"], "16": BASIC["unsigned short"], "32": BASIC["unsigned int"],
                "64": ULONG}  # fmt: skip
    for family, table in (("INT", widths), ("UINT", unsigned), ("HEX", widths)):
        for width, ctype in table.items():
            rules[f"TEST_ASSERT_EQUAL_{family}{width}"] = Rule("equal", 2, ctype)
            rules[f"TEST_ASSERT_NOT_EQUAL_{family}{width}"] = Rule("different", 2, ctype)
            rules[f"TEST_ASSERT_EQUAL_{family}{width}_ARRAY"] = Rule("array", 3, None, int(width or 32) // 8)
    # plain HEX means HEX32 (unity.h)
    rules["TEST_ASSERT_EQUAL_HEX"] = rules["TEST_ASSERT_EQUAL_HEX32"]
    rules["TEST_ASSERT_NOT_EQUAL_HEX"] = rules["TEST_ASSERT_NOT_EQUAL_HEX32"]
    return rules | {f"{name}_MESSAGE": rule for name, rule in rules.items()}


def _criterion() -> dict[str, Rule]:
    endings = {
        "": Rule("true", 1),
        "_not": Rule("false", 1),
        "_eq": Rule("equal", 2),
        "_neq": Rule("different", 2),
        "_ne": Rule("different", 2),
        "_null": Rule("false", 1),
        "_not_null": Rule("true", 1),
        "_str_eq": Rule("string", 2),
        "_arr_eq": Rule("memory", 3),
        "_float_eq": Rule("near", 3, twice=True),
        "_float_neq": Rule("several", 3),
    }
    endings |= {"_throw": Rule("failing", 2), "_any_throw": Rule("failing", 1)}
    return {f"cr_{word}{ending}": rule for word in ("assert", "expect") for ending, rule in endings.items()}


def _gtest() -> dict[str, Rule]:
    endings = {
        "EQ": Rule("equal", 2),
        "NE": Rule("different", 2),
        "TRUE": Rule("true", 1),
        "FALSE": Rule("false", 1),
        "STREQ": Rule("string", 2),
        "THROW": Rule("failing", 2),
        "ANY_THROW": Rule("failing", 1),
        "FATAL_FAILURE": Rule("failing", 2),
        "NONFATAL_FAILURE": Rule("failing", 2),
        "FATAL_FAILURE_ON_ALL_THREADS": Rule("failing", 2),
        "NONFATAL_FAILURE_ON_ALL_THREADS": Rule("failing", 2),
    }
    return {f"{word}_{ending}": rule for word in ("EXPECT", "ASSERT") for ending, rule in endings.items()}


RULES: dict[str, dict[str, Rule]] = {
    "assert": {"assert": Rule("true", 1)},
    "cmocka": _cmocka(),
    "check": _check(),
    "unity": _unity(),
    "criterion": _criterion(),
    "gtest": _gtest(),
}


def rule_for(name: str, frameworks: frozenset[str]) -> Rule | None:
    """The rule of an assertion's name where the framework that has it is in use, else None."""
    for framework in frameworks:
        rule = RULES.get(framework, {}).get(name)
        if rule is not None:
            return rule
    for framework in frameworks:
        if name.startswith(_PREFIXES.get(framework, ())) and _PREFIXES.get(framework):
            return Rule("nothing", 99)
    return None


class Assertions:
    """Applies rules: evaluates an assertion's arguments and learns what it shows."""

    def __init__(self, evaluator: Evaluator, library: Library) -> None:
        self._ev = evaluator
        self._library = library

    def apply(self, rule: Rule, nodes: list[Node]) -> None:
        """The assertion passed. ContradictionError when it cannot have."""
        if rule.shows == "failing" or len(nodes) < (1 if rule.shows == "nothing" else rule.arguments):
            for node in nodes:
                self._ev.maybe(node)
            return
        used, rest = nodes[: rule.arguments], nodes[rule.arguments :]
        if rule.shows in ("true", "false"):
            self._truth(rule, used[0])
        elif rule.twice and any(has_impure_call(node) or writes(node) for node in used):
            for _ in range(2):
                self._ev.terms(used)
        elif rule.shows == "several" and any(has_impure_call(node) or writes(node) for node in used):
            for node in used:
                self._ev.maybe(node)
        else:
            self._shown(rule, self._ev.terms(used))
        for node in rest:  # a message: frameworks differ in whether it is evaluated
            if has_impure_call(node):
                self._ev.maybe(node)

    def _truth(self, rule: Rule, node: Node) -> None:
        if rule.cast is not None and isinstance(static_type(node, self._ev.types), FloatType):
            self._ev.eval(node)  # converted to an integer before it is tested
            return
        self._ev.assume(node, rule.shows == "true")

    def _shown(self, rule: Rule, terms: list[Term]) -> None:
        if rule.shows in ("equal", "different"):
            self._equal(rule, terms[0], terms[1])
        elif rule.shows == "near":
            if known_truth(terms[2].value) is False:
                self._equal(rule, terms[0], terms[1])
        elif rule.shows == "string":
            self._string(terms[0], terms[1])
        elif rule.shows in ("memory", "array"):
            size = self._ev.converted(terms[2], ULONG).value
            if isinstance(size, Integer):
                self._memory(terms[0], terms[1], size.value * (rule.bytes or 1))

    def _equal(self, rule: Rule, left: Term, right: Term) -> None:
        if rule.cast is not None:
            numbers = all(isinstance(side.ctype, IntType | FloatType) for side in (left, right))
            if not numbers and any(isinstance(side.ctype, IntType | FloatType) for side in (left, right)):
                return  # a pointer compared as a number
            if numbers:
                if isinstance(rule.cast, IntType) and any(isinstance(side.ctype, FloatType) for side in (left, right)):
                    return  # cut to an integer before it is compared
                left, right = self._ev.converted(left, rule.cast), self._ev.converted(right, rule.cast)
        self._ev.knowledge.learn_truth(self._ev.operators.equal(left, right).value, rule.shows != "different")

    def _string(self, left: Term, right: Term) -> None:
        self._library.by_content(left.value, right.value)
        pairs = self._library.text_pairs(left.value, right.value)
        if pairs is not None:
            self._ev.knowledge.learn_pairs(tuple(pairs))

    def _memory(self, left: Term, right: Term, size: int) -> None:
        self._library.by_content(left.value, right.value)
        found = self._library.pairs(left.value, right.value, size)
        if found is None:
            return
        self._ev.knowledge.learn_pairs(tuple(found[0]))
