"""The evaluator of clauses in the Java driver: every answer is what Java and JML say, or none."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from clausefit.verifiers.key_tools import MAIN_CLASS, KeyInstallation, install
from clausefit.verifiers.process import Conversation
from java_expressions import ARRAYS, VALUES, Expression, Expressions, program

TABLE = Path(__file__).resolve().parents[1] / "data" / "key" / "evaluation.json"
Json = dict[str, Any]


class Evaluator:
    """One driver process, asked to evaluate."""

    def __init__(self, installation: KeyInstallation) -> None:
        class_path = ":".join(map(str, installation.class_path))
        argv = [
            installation.java,
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx1g",
            "-cp",
            class_path,
            MAIN_CLASS,
        ]
        self._conversation = Conversation(argv, cwd=installation.scratch)

    def request(self, request: Mapping[str, object]) -> Json:
        """The whole answer to a request."""
        answer: Json = json.loads(self._conversation.ask(json.dumps(request).encode(), 120.0))
        return answer

    def __call__(self, scene: Mapping[str, object], clauses: Sequence[str]) -> list[Json]:
        """The results for the clauses, in order."""
        listed = [{"id": str(i), "text": clause} for i, clause in enumerate(clauses)]
        answer = self.request({"id": 1, "evaluate": {**scene, "clauses": listed}})
        results: list[Json] = answer["results"]
        return results

    def close(self) -> None:
        self._conversation.close()


@pytest.fixture(scope="module")
def evaluate() -> Iterator[Evaluator]:
    evaluator = Evaluator(install())
    yield evaluator
    evaluator.close()


# ---- values of the state


def num(value: int, kind: str = "int") -> Json:
    return {"t": kind, "v": str(value)}


def text(value: str, identity: str = "") -> Json:
    return {"t": "java.lang.String", "v": value, "id": identity}


def ref(name: str) -> Json:
    return {"ref": name}


NULL: Json = {"null": True}
UNKNOWN: Json = {"unknown": True}
TRUE: Json = {"t": "boolean", "v": "true"}


def ints(*values: int) -> Json:
    return {"type": "int[]", "elements": [num(value) for value in values]}


def constant(name: str) -> Json:
    return {"t": "p.Mode", "constant": name}


def node(**fields: Json) -> Json:
    return {"type": "p.Node", "fields": fields}


TYPES = [
    ["int", "n"],
    ["int", "least"],
    ["int", "unseen"],
    ["p.Node", "o"],
    ["p.Node", "none"],
    ["p.Node", "mystery"],
    ["java.lang.String", "s"],
    ["java.lang.String", "t"],
    ["java.lang.String", "same"],
    ["java.lang.String", "nil"],
    ["java.lang.Integer", "boxed"],
    ["java.lang.Integer", "twin"],
    ["java.lang.Integer", "empty"],
    ["int[]", "a"],
    ["int[][]", "grid"],
    ["java.lang.String[]", "words"],
    ["java.lang.Object[]", "objects"],
    ["java.lang.Object", "chars"],
    ["java.util.List", "list"],
    ["java.util.List", "nodes"],
    ["java.util.List", "holes"],
    ["p.Mode", "mode"],
    ["char", "c"],
    ["double", "nan"],
]

BEFORE: Json = {
    "objects": {
        "this": node(value=num(3), total=num(10, "long"), next=ref("o"), name=text("abc", "s1"), mode=constant("FAST")),
        "o": node(value=num(7), next=NULL, name=NULL, unseen=UNKNOWN),
        "a": ints(5, 1, 4),
        "grid": {"type": "int[][]", "elements": [ref("row"), NULL]},
        "row": ints(1, 2),
        "words": {"type": "java.lang.String[]", "elements": [text("ab"), text("c"), NULL]},
        "objects": {"type": "java.lang.Object[]", "elements": [ref("o"), UNKNOWN]},
        "chars": {"type": "char[]", "elements": [num(97, "char")]},
        "list": {"type": "java.util.List", "list": [num(1, "java.lang.Integer"), num(300, "java.lang.Integer")]},
        "nodes": {"type": "java.util.List", "list": [ref("o"), ref("this")]},
        "holes": {"type": "java.util.List", "list": [text("a"), UNKNOWN]},
    },
    "variables": {
        "n": num(5),
        "least": num(-2147483648),
        "unseen": UNKNOWN,
        "o": ref("o"),
        "none": NULL,
        "mystery": UNKNOWN,
        "s": text("abc", "s1"),
        "t": text("abc"),
        "same": text("abc", "s1"),
        "nil": NULL,
        "boxed": num(300, "java.lang.Integer"),
        "twin": num(300, "java.lang.Integer"),
        "empty": NULL,
        "a": ref("a"),
        "grid": ref("grid"),
        "words": ref("words"),
        "objects": ref("objects"),
        "chars": ref("chars"),
        "list": ref("list"),
        "nodes": ref("nodes"),
        "holes": ref("holes"),
        "mode": constant("SLOW"),
        "c": num(120, "char"),
        "nan": {"t": "double", "v": "NaN"},
    },
    "statics": {"Node.count": num(1), "Node.LIMIT": num(9), "Other.count": num(100)},
    "enums": {"p.Mode": ["FAST", "SLOW", "OFF"]},
}

AFTER_STATE: Json = {
    "objects": {
        **BEFORE["objects"],
        "this": node(value=num(4), total=num(10, "long"), next=ref("cf_n0"), name=text("abcd"), mode=constant("FAST")),
        "cf_n0": node(value=num(8), next=ref("o"), name=text("new")),
        "a": ints(1, 4, 5),
    },
    "variables": BEFORE["variables"],
    "statics": {"Node.count": num(2), "Node.LIMIT": num(9), "Other.count": num(100)},
}

RETURNED: Json = {"state": AFTER_STATE, "result": ref("cf_n0"), "exception": None}
COMMON: Json = {"class": "p.Node", "static": False, "variables": TYPES, "result": "p.Node", "before": BEFORE}
SCENES: dict[str, Json] = {
    "returned": {**COMMON, "math": "java", "after": RETURNED},
    "bigint": {**COMMON, "math": "bigint", "after": RETURNED},
    "before": {**COMMON, "math": "java", "after": None},
    "thrown": {
        **COMMON,
        "math": "java",
        "after": {"state": AFTER_STATE, "result": None, "exception": "java.lang.IllegalStateException"},
    },
    "own exception": {
        **COMMON,
        "math": "java",
        "after": {"state": AFTER_STATE, "result": None, "exception": "p.Broken"},
    },
    "some exception": {
        **COMMON,
        "math": "java",
        "after": {"state": AFTER_STATE, "result": None, "exception": "java.lang.RuntimeException", "exact": False},
    },
}


@pytest.mark.parametrize(
    ("scene", "clause", "expected"),
    [
        pytest.param(entry["scene"], case["clause"], case["expected"], id=case["id"])
        for entry in json.loads(TABLE.read_text("utf-8"))
        for case in entry["cases"]
    ],
)
def test_cases_of_the_prototype(evaluate: Evaluator, scene: Json, clause: str, expected: str) -> None:
    assert evaluate(scene, [clause])[0]["value"] == expected


VALUES_CASES = [
    # Objects, the state before and after, names.
    ("returned", "value == 4 && this.value == 4", "true", "a field with and without this"),
    ("returned", r"\old(value) == 3 && \old(this.value) == 3", "true", "old of a field"),
    ("returned", r"\old(\old(value)) == 3", "true", "old within old"),
    (
        "returned",
        r"\old(next).value == 7 && \old(next.value) == 7",
        "true",
        "a field now of what was referred to before",
    ),
    ("returned", r"next.next == \old(next)", "true", "objects are the same by their names"),
    ("returned", r"\result == next && \result != o && \result.value == 8", "true", "the result is an object"),
    ("returned", r"\old(a[0]) == 5 && a[0] == 1", "true", "elements before and after"),
    (
        "returned",
        r"(\forall int i; 0 <= i && i < a.length; (\exists int j; 0 <= j < 3; a[i] == \old(a[j])))",
        "true",
        "old under quantifiers",
    ),
    ("returned", r"\old((\forall int i; 1 <= i && i < a.length; a[i - 1] <= a[i]))", "false", "old of a quantifier"),
    ("before", r"value == 3 && \old(value) == 3", "true", "without an outcome all is before"),
    (
        "returned",
        r"Node.count == \old(Node.count) + 1 && count == 2",
        "true",
        "static fields with and without the class",
    ),
    ("returned", "p.Node.LIMIT == 9 && Other.count == 100", "true", "static fields qualified, and of another class"),
    ("returned", r"n == \old(n)", "true", "a parameter does not change"),
    ("returned", "none.value == 1", "undefined", "a field of null"),
    ("returned", "o.next.value == 1", "undefined", "a field of a null field"),
    ("returned", "none == null || none.value == 1", "true", "short circuit saves it"),
    ("returned", "none.size() >= 0", "undefined", "a call on null"),
    ("returned", r"\fresh(\result) && !\fresh(o)", "true", "fresh: made by the call"),
    ("returned", r"\fresh(none)", "false", "null is not fresh"),
    # Arrays.
    ("returned", "a[3] == 0", "undefined", "index too large"),
    ("returned", "a[-1] == 0", "undefined", "index negative"),
    (
        "returned",
        "grid[0][1] == 2 && grid.length == 2 && grid[0].length == 2 && grid[1] == null",
        "true",
        "two dimensions",
    ),
    ("returned", "grid[1][0] == 0", "undefined", "a row that is null"),
    ("returned", r"\nonnullelements(a)", "residual", "elements of a primitive type are not for it"),
    ("returned", r"\nonnullelements(words)", "false", "an element is null"),
    ("returned", r"\nonnullelements(grid)", "false", "a row is null"),
    ("returned", "java.util.Arrays.equals(a, new int[]{1, 4, 5})", "true", "an array for the library"),
    ("returned", r"java.util.Arrays.equals(\old(a), a)", "true", "old of a reference is the reference"),
    ("returned", "a.equals(a) && !a.equals(grid)", "true", "arrays are equal to themselves only"),
    ("returned", "new int[-1].length == 0", "undefined", "an array of negative size"),
    (
        "returned",
        'String.valueOf(chars).equals("a")',
        "residual",
        "an array in a variable of type Object is no char[] to overloads",
    ),
    # Strings and boxed values.
    ("returned", 's.equals(t) && s.equals("abc")', "true", "equal contents"),
    ("returned", "s == same && s != nil", "true", "one object by its identity"),
    ("returned", "s == t", "residual", "equal contents tell nothing about identity"),
    ("returned", r"s == \old(name)", "true", "identity through a field"),
    ("returned", "s == name", "false", "other contents are another object"),
    ("returned", r'"ab" + "c" == "abc"', "true", "constants are one object"),
    ("returned", "boxed == 300 && boxed + 1 == 301", "true", "unboxing"),
    ("returned", "boxed == twin", "residual", "boxed values compare as objects"),
    ("returned", "boxed.equals(twin) && boxed.equals(300) && !boxed.equals(300L)", "true", "equals of boxed values"),
    ("returned", "empty == 1", "undefined", "unboxing null"),
    ("returned", "empty == null && boxed != null", "true", "boxed values and null"),
    ("returned", 'nil + "x" == null', "false", "null in a concatenation"),
    ("returned", '(nil + "x").equals("nullx")', "true", "null in a concatenation is text"),
    ("returned", '(c + 1) == 121 && ("" + c + 1).equals("x1")', "true", "a char is a number beside a number"),
    (
        "returned",
        '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx".matches("(x+x+)+(x+x+)+y")',
        "residual",
        "a regular expression without end",
    ),
    ("returned", '"a,b".split(",").length == 2 && "a1".matches("[a-z][0-9]")', "true", "regular expressions"),
    ("returned", '"a".matches("(")', "undefined", "a regular expression that is none"),
    ("returned", '"TITLE".toLowerCase().equals("title")', "residual", "in Turkish it is another one"),
    ("returned", '"shoe".toUpperCase().length() == 4', "true", "the same in all locales"),
    ("returned", '"x".repeat(2000000000).length() > 0', "residual", "a result too large to make"),
    ("returned", "System.currentTimeMillis() > 0L", "residual", "no clock"),
    ("returned", "Math.random() < 1.0", "residual", "no chance"),
    ("returned", "Integer.getInteger(s) == null", "residual", "no system properties"),
    ("returned", '("" + 0.1).equals("0.1")', "true", "a short decimal"),
    (
        "returned",
        '("" + 2.2250738585072014E-308).length() > 0',
        "residual",
        "a decimal that versions of Java write differently",
    ),
    ("returned", "Math.sin(1.0) > 0.0", "residual", "a function whose last digit is free"),
    ("returned", "Math.pow(2, 10) == 1024.0", "true", "an exact power"),
    ("returned", "nan != nan && !(nan == nan) && !(nan < 1.0)", "true", "not a number"),
    ("returned", "0.0 == -0.0 && 1.0 / 0.0 > 1.0", "true", "zeros are equal, their reciprocals infinite"),
    ("returned", "n == 5.0 && 16777217 == 16777216f", "true", "promotion to floating types"),
    # Lists, enums.
    ("returned", "list.size() == 2 && list.get(0) == 1 && list.contains(300) && !list.contains(2)", "true", "a list"),
    ("returned", "list.get(2) == 1", "undefined", "beyond a list's end"),
    ("returned", "list.contains(null)", "residual", "some lists throw at null"),
    ("returned", "list.equals(java.util.List.of(1, 300))", "true", "lists are equal by elements"),
    ("returned", "nodes.size() == 2 && nodes.get(0) == o && nodes.get(1) == this", "true", "a list of objects"),
    ("returned", "nodes.contains(o)", "true", "an object is equal to itself"),
    ("returned", "nodes.contains(none)", "residual", "null in a list of objects"),
    ("returned", "nodes.indexOf(this) == 1", "residual", "how the first is compared is up to the project"),
    ("returned", 'holes.size() == 2 && holes.get(0).equals("a")', "true", "a list with an element that is not known"),
    ("returned", 'holes.contains("b")', "residual", "which may be the one"),
    ("returned", "holes.get(1) == null", "residual", "the element itself"),
    ("returned", "java.util.Objects.equals(a, \\old(a))", "residual", "arrays as objects"),
    ("returned", "java.util.Arrays.equals(grid, \\old(grid))", "residual", "arrays of arrays compare as objects"),
    ("returned", "java.util.Arrays.deepEquals(grid, \\old(grid))", "true", "unless deeply"),
    ("returned", "String.valueOf(o.name) == null", "residual", "null of a type that is not known chooses no overload"),
    ("returned", '(o.name + "x").equals("nullx")', "true", "but is text beside a string"),
    ("returned", "o.name + o.name == null", "residual", "or perhaps beside itself"),
    ("returned", "list.add(5)", "residual", "nothing is written"),
    ("returned", "mode == p.Mode.SLOW && mode == Mode.SLOW && mode != Mode.FAST", "true", "enum constants"),
    ("returned", "mode == Mode.ALIAS", "residual", "a name that may be another for the constant"),
    ("returned", 'mode.name().equals("SLOW") && this.mode != p.Mode.OFF', "true", "the name of a constant"),
    ("returned", "mode.ordinal() == 1", "residual", "the order of constants is not known"),
    # Types.
    ("returned", r"\typeof(o) == \type(Node) && \typeof(o) == \type(p.Node)", "true", "exact type"),
    ("returned", r"\typeof(o) == \type(q.Node)", "residual", "another class of the same simple name"),
    ("returned", r"\typeof(o) == \type(Leaf)", "false", "another class"),
    ("returned", "o instanceof Node && o instanceof Object && !(none instanceof Node)", "true", "instanceof"),
    ("returned", "o instanceof Comparable", "residual", "what a class of the project implements is not known"),
    ("returned", "s instanceof String && s instanceof CharSequence && !(s instanceof Integer)", "true", "strings"),
    ("returned", "((Node) o).value == 7 && ((Object) s).equals(t)", "true", "casts that hold"),
    ("returned", "((Integer) boxed) == 300 && (long) boxed == 300L", "true", "casts of boxed values"),
    ("returned", "((Integer) (Object) s) == 1", "undefined", "a cast that fails"),
    ("returned", "a instanceof int[] && !(a instanceof long[])", "true", "array types"),
    ("thrown", "cf_exc != null && cf_exc instanceof java.lang.IllegalStateException", "true", "the exception"),
    ("thrown", "cf_exc instanceof RuntimeException && cf_exc instanceof java.lang.Throwable", "true", "its supertypes"),
    ("thrown", "cf_exc instanceof java.lang.IllegalArgumentException", "false", "another exception"),
    ("thrown", "cf_exc instanceof IllegalStateException ==> value == 4", "true", "signals with a condition"),
    ("thrown", "cf_exc instanceof p.Broken", "residual", "what the project's exceptions extend is not known"),
    ("thrown", r"\result == null", "undefined", "no result where there is an exception"),
    ("returned", "cf_exc == null && !(cf_exc instanceof java.lang.Exception)", "true", "a call that returned"),
    (
        "own exception",
        "cf_exc instanceof Broken && cf_exc instanceof java.lang.Throwable",
        "true",
        "the project's exception",
    ),
    ("own exception", "cf_exc instanceof java.lang.RuntimeException", "residual", "and its supertypes"),
    ("some exception", "cf_exc instanceof java.lang.Exception", "true", "of a type or a subtype"),
    ("some exception", "cf_exc instanceof java.lang.IllegalStateException", "residual", "perhaps a subtype"),
    # Arithmetic by mode.
    ("returned", "least - 1 > least && -least == least && Math.abs(least) < 0", "true", "Java wraps around"),
    ("bigint", "least - 1 < least && -least == 2147483648L", "true", "mathematics does not"),
    ("bigint", "Math.abs(least) >= 0", "residual", "Java and mathematics differ"),
    (
        "returned",
        "least / -1 == least && (byte) 200 == -56 && (n << 33) == 10",
        "true",
        "wrapped division, cast, shift",
    ),
    ("bigint", "(least / -1) > 0 && 1 << 3 == 8", "true", "mathematical division, near shift"),
    ("bigint", "1 << 31 > 0", "residual", "a shift that overflows"),
    ("bigint", "1 << 33 > 0", "residual", "a far shift"),
    ("bigint", "(byte) 200 == 200", "residual", "a cast that does not fit"),
    ("bigint", r"\java_math(least - 1 > least) && \bigint_math(least - 1 < least)", "true", "modes within"),
    ("bigint", r"\safe_math(least - 1) == 0", "undefined", "safe arithmetic"),
    (
        "bigint",
        'boxed.equals(n + 295) && String.valueOf(n + 1).equals("6")',
        "true",
        "sums as arguments have Java's type",
    ),
    ("bigint", "Long.valueOf(300L).equals(n + 295)", "false", "and no wider one"),
    ("bigint", "String.valueOf(least - 1).length() > 0", "residual", "sums beyond it have none"),
    ("returned", "n / 0 == 0", "undefined", "division by zero"),
    ("returned", "n % (n - 5) == 0", "undefined", "remainder by zero"),
    ("returned", "5.0 / 0 > 1.0", "true", "a floating division has a value"),
    (
        "returned",
        '(true ? 1 : 2.0) == 1 && ("" + (true ? \'a\' : 0)).equals("a") && ("" + (true ? \'a\' : n)).equals("97")',
        "true",
        "types of conditionals",
    ),
    ("returned", "(nil == null ? 0 : nil.length()) == 0", "true", "the other branch has no value, but a type"),
    ("returned", "0xFFFFFFFF == -1 && 017 == 15 && 0b101 == 5 && 1_000 == 1000 && -2147483648 < 0", "true", "literals"),
    ("returned", "(n) + 1 == 6 && (n) - 1 * 2 == 3", "true", "names in parentheses before a sign"),
    # Quantifiers.
    ("returned", r"(\forall int i, j; 0 <= i && i < j && j < a.length; a[i] < a[j])", "true", "two variables"),
    ("returned", r"(\forall int i; 0 <= i && i < a.length ==> a[i] > 0)", "true", "the range as an antecedent"),
    ("returned", r"(\forall int i; 0 <= i; i < a.length ==> a[i] > 0)", "true", "half of the range as an antecedent"),
    ("returned", r"(\exists int i; 0 <= i && i < 3 && a[i] == 4)", "true", "the range in the body"),
    (
        "returned",
        r"(\forall int i; 0 <= i && i < a.length; (\forall int j; i < j && j < a.length; a[i] != a[j]))",
        "true",
        "nested",
    ),
    ("returned", r"(\forall int i; 0 <= i && i < 0; 1 / 0 == 1)", "true", "nothing to look at"),
    (
        "returned",
        r"(\forall int i; none != null && 0 <= i && i < none.size; false)",
        "true",
        "a range that asks for null first",
    ),
    ("returned", r"(\forall int i; 0 <= i && i < nil.length(); true)", "undefined", "a bound without a value"),
    (
        "returned",
        r"(\forall int i; 0 <= i && i <= a.length && a[i] > 0 && i < a.length; true)",
        "undefined",
        "a range undefined in its middle",
    ),
    (
        "returned",
        r"(\forall int i; a[i] > 0 && 0 <= i && i < a.length; true)",
        "undefined",
        "a range undefined before its bounds",
    ),
    (
        "returned",
        r"(\forall int i; 10 / (i - 77) > 0 && 0 <= i && i < 3; true)",
        "residual",
        "undefined perhaps, somewhere",
    ),
    (
        "returned",
        r"(\forall int i; 0 <= i && i + 1 < a.length; a[i] <= a[i + 1])",
        "undefined",
        "the greatest i is in this range",
    ),
    ("bigint", r"(\forall int i; 0 <= i && i + 1 < a.length; a[i] <= a[i + 1])", "true", "in mathematics it is not"),
    ("returned", r"(\forall int i; 0 <= i - 1; i < 3 ==> i >= 1)", "false", "the least i is in this range"),
    ("bigint", r"(\forall int i; 0 <= i - 1; i < 3 ==> i >= 1)", "true", "in mathematics it is not in this one"),
    ("bigint", r"(\forall int i; 1 <= i - 1 && i - 1 <= 2; i == 2 || i == 3)", "true", "offsets downwards"),
    ("returned", r"(\max int i; 0 <= i && i < 0; i) == 0", "undefined", "the greatest of nothing"),
    ("returned", r"(\product int i; 1 <= i && i <= 13; i) == 1932053504", "true", "a product wraps around"),
    ("bigint", r"(\product int i; 1 <= i && i <= 13; i) == 6227020800L", "true", "a mathematical product"),
    (
        "returned",
        r"(\sum int i; 0 <= i && i < 0; i) == 0 && (\product int i; 0 <= i && i < 0; i) == 1",
        "true",
        "sums of nothing",
    ),
    ("returned", r"(\num_of int i; 0 <= i && i < a.length; a[i] > 1) == 2", "true", "a count"),
    ("returned", r"(\forall char d; 'a' <= d && d <= 'z'; Character.isLetter(d))", "true", "over characters"),
    ("returned", r"(\exists boolean q; q != true)", "true", "over truth values"),
    (
        "returned",
        r"(\forall int i; 0 <= i && i < 3000; (\forall int j; 0 <= j && j < 3000; i * j >= 0))",
        "residual",
        "too many to look at",
    ),
    ("returned", r"(\forall int i; i > 0 || i <= 0)", "residual", "no bounds"),
    ("returned", r"(\forall Node x; true)", "residual", "over objects"),
    ("returned", r"(\forall int n; 0 <= n && n < 2; n < 5) && n == 5", "true", "a bound variable hides a parameter"),
    # Short circuit and strictness.
    ("returned", "n > 0 || n / 0 == 1", "true", "or"),
    ("returned", "n < 0 && n / 0 == 1", "false", "and"),
    ("returned", "n < 0 ==> n / 0 == 1", "true", "implication"),
    ("returned", "n / 0 == 1 <== n < 0", "true", "implication backwards"),
    ("returned", "n > 0 | n / 0 == 1", "undefined", "or without short circuit"),
    ("returned", "true <==> n / 0 == 1", "undefined", "equivalence"),
    ("returned", "true <=!=> false", "true", "inequivalence"),
    ("returned", "0 <= n < 6 && 1 < 2 <= 2", "true", "chains"),
    # Frames.
    (
        "returned",
        r"\old(\subset(\singleton(this.value), \locset(this.value, this.total)))",
        "true",
        "a location of the list",
    ),
    ("returned", r"\old(\subset(\singleton(this.next), \locset(this.value, total)))", "false", "none of the list"),
    ("returned", r"\old(\subset(\singleton(this.value), \empty))", "false", "nothing may be written"),
    ("returned", r"\old(\subset(\singleton(a[1]), \locset(a[*])))", "true", "all elements"),
    ("returned", r"\old(\subset(\singleton(a[2]), \locset(a[0 .. n - 4])))", "false", "a range of elements"),
    ("returned", r"\old(\subset(\singleton(a[1]), \locset(a[0 .. n - 4])))", "true", "within a range of elements"),
    ("returned", r"\old(\subset(\singleton(o.value), \locset(this.*)))", "false", "the same field of another object"),
    ("returned", r"\old(\subset(\singleton(o.value), \locset(next.*)))", "true", "through a field, as it was before"),
    ("returned", r"\old(\subset(\singleton(Node.count), \locset(count, value)))", "true", "a static field"),
    (
        "returned",
        r"\old(\subset(\singleton(this.value), \locset(this.model)))",
        "residual",
        "a model field may stand for it",
    ),
    ("returned", r"\old(\subset(\singleton(this.value), \locset(none.*)))", "undefined", "fields of null"),
    # What is not known.
    ("returned", "unseen == 1", "residual", "a variable that is not known"),
    ("returned", "unseen == 1 || n == 5", "true", "and does not matter"),
    ("returned", "model == null && n == 5", "residual", "a name that the states do not have is not null"),
    ("returned", "model && n == 4", "false", "and may be a truth value"),
    ("returned", "helper(n) && n == 4", "false", "a call that does not matter"),
    ("returned", "n + 1", "residual", "not boolean"),
    ("returned", r"\invariant_for(o)", "residual", "what is not evaluated"),
]


@pytest.mark.parametrize(
    ("scene", "clause", "expected"), [pytest.param(*case[:3], id=case[3]) for case in VALUES_CASES]
)
def test_a_clause_is_worth_what_java_and_jml_say(evaluate: Evaluator, scene: str, clause: str, expected: str) -> None:
    assert evaluate(SCENES[scene], [clause])[0]["value"] == expected


@pytest.mark.parametrize(
    ("clause", "residual"),
    [
        pytest.param("helper(n + 1) > a[0]", "helper(6) > 1", id="literals for what is known"),
        pytest.param("helper(n - 10) > total", "helper((-5)) > 10L", id="negative and long literals"),
        pytest.param("helper(c) && n == 5", "helper('x')", id="characters"),
        pytest.param("helper(o, \\result)", "helper(o, \\result)", id="objects by name, new ones by where they are"),
        pytest.param("helper(least)", "helper((-2147483648))", id="the smallest number"),
        pytest.param("unseen + 1 == n", "(unseen + 1) == 5", id="no name alone in parentheses"),
        pytest.param("(unseen) + (n) == 7", "(unseen + 5) == 7", id="nor where it stood so"),
        pytest.param("\\old(o.unseen) == o.unseen", "\\old(o.unseen) == o.unseen", id="cells before and after"),
        pytest.param("o.unseen > 0 ==> n == 5", "true", id="a conclusion that holds anyway"),
        pytest.param("o.unseen > 0 ==> n == 4", "!(o.unseen > 0)", id="a conclusion that does not hold"),
        pytest.param(
            "(\\forall int i; 0 <= i && i < 2; helper(i))",
            "helper(0) && helper(1)",
            id="a quantifier becomes a conjunction",
        ),
        pytest.param(
            "(\\exists int i; 0 <= i && i < 3; i != 1 && helper(a[i]))", "helper(1) || helper(5)", id="or a disjunction"
        ),
        pytest.param(
            "(\\sum int i; 0 <= i && i < 3; i < 2 ? a[i] : helper(i)) == 9",
            "(0 + 1 + 4 + helper(2)) == 9",
            id="a sum of what is left",
        ),
        pytest.param(
            "(\\num_of int i; 0 <= i && i < 2; helper(i)) == 1",
            "(0 + (helper(0) ? 1 : 0) + (helper(1) ? 1 : 0)) == 1",
            id="a count",
        ),
        pytest.param("helper(s.substring(1))", 'helper("bc")', id="a library call within"),
        pytest.param("helper(next.name)", "helper(this.next.name)", id="a string by where it is"),
        pytest.param("helper(o.name)", "helper(null)", id="null"),
        pytest.param("helper(\\old(name))", "helper(\\old(this.name))", id="a string of before"),
        pytest.param("!helper(1) && !(helper(2) || n == 4)", "(!helper(1)) && (!helper(2))", id="negations"),
        pytest.param("helper(n) ? n == 5 : n == 4", "helper(5) ? true : false", id="a conditional"),
        pytest.param(
            "(\\forall int i; 0 <= i; helper(i + n))", "(\\forall int i; 0 <= i; helper(i + n))", id="as it was"
        ),
        pytest.param(
            "(\\forall int j; 0 <= j && j < 1; (\\forall int i; i > j; helper(i)))",
            "(\\forall int i; i > 0; helper(i))",
            id="as it was, with a value for the variable around it",
        ),
    ],
)
def test_what_is_left_is_text_for_key(evaluate: Evaluator, clause: str, residual: str) -> None:
    assert evaluate(SCENES["returned"], [clause])[0]["text"] == residual


@pytest.mark.parametrize(
    ("clause", "well_defined", "provable", "why"),
    [
        pytest.param("helper(n)", True, True, "", id="a call of the project"),
        pytest.param(
            "mystery.value == mystery.value", False, True, "mystery is not known and may be null", id="perhaps null"
        ),
        pytest.param("mystery != null ==> mystery.value > 0", True, True, "", id="not null where it is used"),
        pytest.param("mystery != null && mystery.value > 0", True, True, "", id="not null, by and"),
        pytest.param("mystery == null || mystery.value > 0", True, True, "", id="not null, by or"),
        pytest.param(
            "mystery.value > 0 || n == 5", False, True, "mystery is not known and may be null", id="perhaps, and true"
        ),
        pytest.param("n / unseen == n / unseen", False, True, "unseen is not known and may be zero", id="perhaps zero"),
        pytest.param(
            "a[unseen] == a[unseen]",
            False,
            True,
            "the index in a[unseen] may be out of range",
            id="perhaps out of range",
        ),
        pytest.param("helper(n) && n / 0 == 1", False, True, "division by zero", id="undefined where the rest holds"),
        pytest.param(
            "s.charAt(unseen) == 'a'", False, True, "s.charAt(unseen) is not evaluated and may fail", id="library"
        ),
        pytest.param("s == t", True, False, "== compares strings as objects", id="identity"),
        pytest.param(
            "label() == s", True, True, "", id="what a call gives, compared as objects: KeY may be asked as it is"
        ),
        pytest.param("label() == nil", True, True, "", id="null is only null"),
    ],
)
def test_what_is_left_says_what_a_proof_of_it_is_worth(
    evaluate: Evaluator, clause: str, well_defined: bool, provable: bool, why: str
) -> None:
    result = evaluate(SCENES["returned"], [clause])[0]
    assert result["value"] == "residual"
    assert (result["wellDefined"], result["provable"]) == (well_defined, provable)
    assert result["why"].startswith(why)
    assert bool(result["why"]) == bool(why)


@pytest.mark.parametrize(
    ("clause", "why"),
    [
        pytest.param("a[n] == 1", "index 5 is out of range, the length is 3", id="index"),
        pytest.param("none.value == 1", "value of null", id="field"),
        pytest.param("nil.length() == 1", "a call of length on null", id="call"),
        pytest.param("Integer.parseInt(s) == 1", "NumberFormatException in Integer.parseInt(s)", id="library"),
        pytest.param(
            "(\\forall int i; 0 <= i && i <= a.length; a[i] > 0)",
            "index 3 is out of range, the length is 3 at i = 3",
            id="quantifier",
        ),
        pytest.param("(\\max int i; 0 <= i && i < 0; i) == 0", "\\max of nothing", id="nothing"),
    ],
)
def test_what_has_no_value_says_why(evaluate: Evaluator, clause: str, why: str) -> None:
    result = evaluate(SCENES["returned"], [clause])[0]
    assert (result["value"], result["why"]) == ("undefined", why)


@pytest.mark.parametrize(
    "clause",
    [
        pytest.param(" ==> ".join(["n == 5"] * 3000), id="implications"),
        pytest.param("!" * 5000 + "true", id="negations"),
        pytest.param("- " * 5000 + "n == 5", id="signs"),
        pytest.param("n == 5" + " ? n == 5 : n == 4" * 3000, id="conditionals"),
        pytest.param("(" * 190 + "n" + ")" * 190 + " == 5", id="brackets"),
        pytest.param(" && ".join(["n == 5"] * 5000), id="a long conjunction"),
        pytest.param(" + ".join(["n"] * 5000) + " > 0", id="a long sum"),
        pytest.param("this" + ".next" * 3000 + " == null", id="a long path"),
        pytest.param('"(((((((((("' + ".concat(s)" * 1000 + ".matches(s)", id="a long chain of calls"),
    ],
)
def test_nesting_and_length_end_no_process(evaluate: Evaluator, clause: str) -> None:
    answers = evaluate(SCENES["returned"], [clause])
    assert answers[0]["value"] in {"true", "false", "residual", "undefined", "parse_error"}
    assert evaluate(SCENES["returned"], ["n == 5"])[0]["value"] == "true"


@pytest.mark.parametrize(
    "request_part",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"before": 3, "clauses": []}, id="a state that is none"),
        pytest.param({"before": {"objects": {"a": {}}}, "clauses": []}, id="an object without a type"),
        pytest.param({"before": {"variables": {"n": {"t": "int", "v": "x"}}}, "clauses": []}, id="no number"),
        pytest.param(
            {"before": {"variables": {"n": {"t": "byte", "v": "300"}}}, "clauses": []}, id="a number too large"
        ),
        pytest.param({"before": {}, "after": {"result": 1}, "clauses": []}, id="an outcome without a state"),
        pytest.param({"before": {}, "clauses": [1]}, id="a clause that is none"),
        pytest.param({"before": {}, "variables": [["int"]], "clauses": []}, id="a variable without a name"),
    ],
)
def test_a_request_of_another_form_is_refused_in_one_line(evaluate: Evaluator, request_part: Json) -> None:
    answer = evaluate.request({"id": 7, "evaluate": request_part})
    assert answer["error"]["kind"] == "request"
    assert "\n" not in answer["error"]["message"]


def test_a_reference_to_nothing_and_a_circle_are_no_trouble(evaluate: Evaluator) -> None:
    state = {
        "objects": {"o": {"type": "T", "fields": {"me": ref("o")}}},
        "variables": {"o": ref("o"), "lost": ref("gone")},
    }
    types = [["T", "o"], ["T", "lost"]]
    scene = {"math": "java", "variables": types, "before": state, "after": None}
    clauses = ["o.me.me.me == o", "lost != null", "lost.f == 1"]
    assert [result["value"] for result in evaluate(scene, clauses)] == ["true", "true", "residual"]


# ---- compared with Java


def _told(installation: KeyInstallation, folder: Path, expressions: list[Expression]) -> list[str]:
    (folder / "Oracle.java").write_text(program(expressions), "utf-8")
    javac = str(Path(installation.java).with_name("javac")) if "/" in installation.java else "javac"
    for argv in ([javac, "-nowarn", "-encoding", "UTF-8", "Oracle.java"], [installation.java, "-cp", ".", "Oracle"]):
        done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr[:2000]
    return [line.split(" ", 1)[1] for line in done.stdout.splitlines()]


def _claim(expression: Expression, told: str) -> tuple[str, str]:
    """A clause that says what Java says, and what it must be worth."""
    kind, _, value = told.partition(" ")
    jml = expression.jml
    if kind == "throws":
        return f"({jml}) == ({jml})", "undefined"
    if kind == "String":
        characters = "".join(f"\\u{value[i : i + 4]}" for i in range(0, len(value), 4))
        return f'({jml}).equals("{characters}")', "true"
    if kind in {"Double", "Float"}:
        number = math.nan if value == "NaN" else math.inf if "Inf" in value else float.fromhex(value)
        if math.isfinite(number):
            return f"({jml}) == {number!r}", "true"
        sign = "-" if value.startswith("-") else ""
        return (f"({jml}) != ({jml})" if math.isnan(number) else f"({jml}) == {sign}1.0 / 0.0"), "true"
    return f"({jml}) == {value}{'L' if kind == 'Long' else ''}", "true"


def test_generated_expressions_are_worth_what_java_says(evaluate: Evaluator, tmp_path: Path) -> None:
    generator = Expressions(20240611)
    expressions = [generator.make(3 + i % 2) for i in range(400)]
    claims = [_claim(*pair) for pair in zip(expressions, _told(install(), tmp_path, expressions), strict=True)]
    variables: Json = {name: {"t": kind, "v": value} for name, (kind, value) in VALUES.items()}
    objects: Json = {}
    for name, (kind, elements) in ARRAYS.items():
        variables[name] = ref(name)
        objects[name] = {"type": kind, "elements": [{"t": kind.removesuffix("[]"), "v": each} for each in elements]}
    types = [[kind, name] for name, (kind, _) in [*VALUES.items(), *ARRAYS.items()]]
    scene = {"math": "java", "variables": types, "before": {"objects": objects, "variables": variables}, "after": None}
    results = evaluate(scene, [clause for clause, _ in claims])
    values = [(result["value"], expected) for result, (_, expected) in zip(results, claims, strict=True)]
    wrong = [
        (clause, value)
        for (value, expected), (clause, _) in zip(values, claims, strict=True)
        if value not in {expected, "residual"}
    ]
    assert wrong == []
    assert sum(value == "residual" for value, _ in values) <= 4
    assert {"true", "undefined"} <= {value for value, _ in values}
