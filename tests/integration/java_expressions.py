"""Closed expressions of Java by chance, each as JML and as Java, for comparing an evaluator with Java itself."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

VALUES = {
    "x": ("int", "-17"),
    "y": ("int", "5"),
    "big": ("int", "2147483647"),
    "l": ("long", "-9223372036854775808"),
    "m": ("long", "4294967299"),
    "c": ("char", "113"),
    "b": ("byte", "-128"),
    "h": ("short", "300"),
    "p": ("boolean", "true"),
    "q": ("boolean", "false"),
    "s": ("java.lang.String", "Hello World"),
    "t": ("java.lang.String", ""),
    "n": ("java.lang.Integer", "128"),
    "d": ("double", "2.5"),
    "f": ("float", "0.1"),
}
ARRAYS = {"a": ("int[]", ("3", "-1", "4", "1", "5")), "w": ("java.lang.String[]", ("ab", "c", ""))}

_HELPERS = """
    interface P { boolean at(int i); }
    interface E { int at(int i); }
    static boolean all(int lo, int hi, P p) { boolean r = true; for (int i = lo; i < hi; i++) r &= p.at(i); return r; }
    static boolean any(int lo, int hi, P p) { boolean r = false; for (int i = lo; i < hi; i++) r |= p.at(i); return r; }
    static long num(int lo, int hi, P p) { long r = 0; for (int i = lo; i < hi; i++) r += p.at(i) ? 1 : 0; return r; }
    static int sum(int lo, int hi, E e) { int r = 0; for (int i = lo; i < hi; i++) r += e.at(i); return r; }
    static int product(int lo, int hi, E e) { int r = 1; for (int i = lo; i < hi; i++) r *= e.at(i); return r; }
    static int max(int lo, int hi, E e) {
        if (lo >= hi) throw new ArithmeticException("max of nothing");
        int r = e.at(lo); for (int i = lo + 1; i < hi; i++) r = Math.max(r, e.at(i)); return r; }
    static int min(int lo, int hi, E e) {
        if (lo >= hi) throw new ArithmeticException("min of nothing");
        int r = e.at(lo); for (int i = lo + 1; i < hi; i++) r = Math.min(r, e.at(i)); return r; }
    static String show(Object o) {
        if (o instanceof Character) return Integer.toString((Character) o);
        if (o instanceof Double) return Double.toHexString((Double) o);
        if (o instanceof Float) return Double.toHexString((Float) o);
        if (o instanceof String) { StringBuilder r = new StringBuilder();
            for (char c : ((String) o).toCharArray()) r.append(String.format("%04x", (int) c)); return r.toString(); }
        return String.valueOf(o); }
    interface Body { Object run(); }
    static void print(String name, Body body) {
        String told;
        try { Object o = body.run(); told = o.getClass().getSimpleName() + " " + show(o); }
        catch (RuntimeException e) { told = "throws " + e.getClass().getSimpleName(); }
        System.out.println(name + " " + told); }
"""


@dataclass(frozen=True)
class Expression:
    """The same expression twice; ``type`` is its type in Java."""

    jml: str
    java: str
    type: str


class Expressions:
    """Makes expressions from a seed; their depth is small, their operators are many."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._bound: list[str] = []

    def make(self, depth: int = 3) -> Expression:
        """An expression of any type."""
        kinds = ["boolean", "boolean", "int", "int", "long", "char", "java.lang.String", "double", "float"]
        return self._of(self._random.choice(kinds), depth)

    def _of(self, kind: str, depth: int) -> Expression:
        makers: dict[str, Callable[[int], tuple[str, str]]] = {
            "boolean": self._boolean,
            "int": self._int,
            "long": self._long,
            "char": self._char,
            "java.lang.String": self._string,
            "double": self._double,
            "float": self._float,
        }
        jml, java = makers[kind](depth)
        return Expression(jml, java, kind)

    def _pick(self, depth: int, leaves: list[str], *forms: Callable[[], tuple[str, str]]) -> tuple[str, str]:
        if depth <= 0 or self._random.random() < 0.1:
            leaf = self._random.choice(leaves)
            return leaf, leaf
        return self._random.choice(forms)()

    def _fill(self, form: str, *parts: tuple[str, int] | str) -> tuple[str, str]:
        """``form`` with ``{}`` for each part: its kind, made at that depth, or text."""
        made = [(part, part) if isinstance(part, str) else self._pair(*part) for part in parts]
        return form.format(*(jml for jml, _ in made)), form.format(*(java for _, java in made))

    def _pair(self, kind: str, depth: int) -> tuple[str, str]:
        made = self._of(kind, depth)
        return made.jml, made.java

    def _number(self) -> str:
        return self._random.choice(["int", "int", "long", "char", "double", "float"])

    def _boolean(self, depth: int) -> tuple[str, str]:
        below = depth - 1
        choose = self._random.choice

        def compare() -> tuple[str, str]:
            operator = choose(["==", "!=", "<", "<=", ">", ">="])
            return self._fill(f"({{}} {operator} {{}})", (self._number(), below), (self._number(), below))

        def connect() -> tuple[str, str]:
            operator = choose(["&&", "||", "&", "|", "^", "==", "!="])
            return self._fill(f"({{}} {operator} {{}})", ("boolean", below), ("boolean", below))

        def imply() -> tuple[str, str]:
            left, right = self._pair("boolean", below), self._pair("boolean", below)
            return f"({left[0]} ==> {right[0]})", f"(!{left[1]} || {right[1]})"

        def same() -> tuple[str, str]:
            left, right = self._pair("boolean", below), self._pair("boolean", below)
            return f"({left[0]} <==> {right[0]})", f"({left[1]} == {right[1]})"

        def text() -> tuple[str, str]:
            method = choose(["equals", "startsWith", "endsWith", "contains", "equalsIgnoreCase"])
            return self._fill(f"{{}}.{method}({{}})", ("java.lang.String", below), ("java.lang.String", below))

        def quantify() -> tuple[str, str]:
            word, helper = choose([("forall", "all"), ("exists", "any")])
            return self._quantified(word, helper, "boolean", below)

        return self._pick(
            depth,
            ["p", "q", "true", "false"],
            compare,
            compare,
            connect,
            imply,
            same,
            text,
            quantify,
            lambda: self._fill("!{}", ("boolean", below)),
            lambda: self._fill("{}.isEmpty()", ("java.lang.String", below)),
            lambda: self._fill("Character.isLetterOrDigit({})", ("char", below)),
            lambda: self._fill("({} ? {} : {})", ("boolean", below), ("boolean", below), ("boolean", below)),
        )

    def _quantified(self, word: str, helper: str, body: str, depth: int) -> tuple[str, str]:
        name = "ijk"[len(self._bound)] if len(self._bound) < 3 else None
        if name is None:
            return self._pair("boolean" if body == "boolean" else "int", 0)
        low, high = self._random.choice([("0", "a.length"), ("0", "3"), ("-2", "y"), ("1", "1"), ("0", "s.length()")])
        self._bound.append(name)
        jml, java = self._pair(body, depth)
        if helper in ("sum", "product"):
            # Whether a sum of bytes is a byte or an int is not said by the manual.
            jml, java = f"(0 + {jml})", f"(0 + {java})"
        self._bound.pop()
        bounds = self._random.choice(
            ["{low} <= {name} && {name} < {high}", "{low} <= {name} < {high}", "{high} > {name} && {name} >= {low}"]
        ).format(low=low, high=high, name=name)
        return f"(\\{word} int {name}; {bounds}; {jml})", f"{helper}({low}, {high}, {name} -> {java})"

    def _int(self, depth: int) -> tuple[str, str]:
        below = depth - 1
        choose = self._random.choice
        leaves = ["x", "y", "big", "b", "h", "n", "a.length", "0", "1", "7", "0x7f", "-2147483648", *self._bound]

        def arithmetic() -> tuple[str, str]:
            operator = choose(["+", "-", "*", "/", "%", "&", "|", "^"])
            return self._fill(f"({{}} {operator} {{}})", ("int", below), (choose(["int", "char"]), below))

        def shift() -> tuple[str, str]:
            operator = choose(["<<", ">>", ">>>"])
            return self._fill(f"({{}} {operator} {{}})", ("int", below), (choose(["int", "long"]), below))

        def generalized() -> tuple[str, str]:
            word, helper = choose([("sum", "sum"), ("product", "product"), ("max", "max"), ("min", "min")])
            return self._quantified(word, helper, "int", below)

        return self._pick(
            depth,
            leaves,
            arithmetic,
            arithmetic,
            shift,
            generalized,
            lambda: self._fill("a[{}]", ("int", below)),
            lambda: self._fill("a[{} & 3]", ("int", below)),
            lambda: self._fill("-({})", ("int", below)),
            lambda: self._fill("~({})", ("int", below)),
            lambda: self._fill(
                f"((int) {choose(['(byte) ', '(short) ', '(char) ', ''])}(0 + {{}}))", (self._number(), below)
            ),
            lambda: self._fill("{}.length()", ("java.lang.String", below)),
            lambda: self._fill("{}.indexOf({})", ("java.lang.String", below), ("char", below)),
            lambda: self._fill("{}.compareTo({})", ("java.lang.String", below), ("java.lang.String", below)),
            lambda: self._fill(
                f"Math.{choose(['max', 'min', 'floorMod', 'addExact'])}({{}}, {{}})", ("int", below), ("int", below)
            ),
            lambda: self._fill("Math.abs({})", ("int", below)),
            lambda: self._fill("Integer.bitCount({})", ("int", below)),
            lambda: self._fill("Integer.parseInt({})", ("java.lang.String", below)),
            lambda: self._fill("({} ? {} : {})", ("boolean", below), ("int", below), (choose(["int", "char"]), below)),
        )

    def _long(self, depth: int) -> tuple[str, str]:
        below = depth - 1
        choose = self._random.choice

        def arithmetic() -> tuple[str, str]:
            operator = choose(["+", "-", "*", "/", "%", "&", "|", "^"])
            return self._fill(f"({{}} {operator} {{}})", ("long", below), (choose(["int", "long", "char"]), below))

        def count() -> tuple[str, str]:
            return self._quantified("num_of", "num", "boolean", below) if len(self._bound) < 3 else ("l", "l")

        return self._pick(
            depth,
            ["l", "m", "0L", "-1L", "9223372036854775807L"],
            arithmetic,
            count,
            lambda: self._fill(f"({{}} {choose(['<<', '>>', '>>>'])} {{}})", ("long", below), ("int", below)),
            lambda: self._fill("((long) ({}))", (self._number(), below)),
            lambda: self._fill("Math.abs({})", ("long", below)),
            lambda: self._fill("Math.max({}, {})", ("long", below), ("int", below)),
            lambda: self._fill("({} ? {} : {})", ("boolean", below), ("int", below), ("long", below)),
        )

    def _char(self, depth: int) -> tuple[str, str]:
        below = depth - 1
        return self._pick(
            depth,
            ["c", "'a'", "'\\n'", "'0'", "'\\u00e9'"],
            lambda: self._fill("((char) (0 + {}))", (self._number(), below)),
            lambda: self._fill("{}.charAt({})", ("java.lang.String", below), ("int", below)),
            lambda: self._fill("s.charAt({} & 7)", ("int", below)),
            lambda: self._fill("Character.toUpperCase({})", ("char", below)),
            lambda: self._fill("({} ? {} : 'x')", ("boolean", below), ("char", below)),
            lambda: self._fill("({} ? {} : 98)", ("boolean", below), "c"),
        )

    def _string(self, depth: int) -> tuple[str, str]:
        below = depth - 1
        any_type = self._random.choice(["int", "long", "char", "boolean", "java.lang.String"])
        return self._pick(
            depth,
            ["s", "t", '"World"', '"a\\"b c"', '"12"', "w[0]"],
            lambda: self._fill("({} + {})", ("java.lang.String", below), (any_type, below)),
            lambda: self._fill("({} + {})", (any_type, below), ("java.lang.String", below)),
            lambda: self._fill("{}.substring({})", ("java.lang.String", below), ("int", below)),
            lambda: self._fill("s.substring({} & 3, {} & 7)", ("int", below), ("int", below)),
            lambda: self._fill("{}.trim()", ("java.lang.String", below)),
            lambda: self._fill("{}.replace({}, {})", ("java.lang.String", below), ("char", below), ("char", below)),
            lambda: self._fill("{}.concat({})", ("java.lang.String", below), ("java.lang.String", below)),
            lambda: self._fill("String.valueOf({})", (any_type, below)),
            lambda: self._fill("Integer.toString({})", ("int", below)),
            lambda: self._fill("Long.toHexString({})", ("long", below)),
            lambda: self._fill("w[{} & 1]", ("int", below)),
            lambda: self._fill("{}.repeat({} & 3)", ("java.lang.String", below), ("int", below)),
            lambda: self._fill(
                "({} ? {} : {})", ("boolean", below), ("java.lang.String", below), ("java.lang.String", below)
            ),
        )

    def _double(self, depth: int) -> tuple[str, str]:
        below = depth - 1
        choose = self._random.choice
        return self._pick(
            depth,
            ["d", "0.1", "1e10", "-0.0", "3.0"],
            lambda: self._fill(
                f"({{}} {choose(['+', '-', '*', '/', '%'])} {{}})", ("double", below), (self._number(), below)
            ),
            lambda: self._fill("((double) ({}))", (self._number(), below)),
            lambda: self._fill(f"Math.{choose(['floor', 'ceil', 'sqrt', 'abs'])}({{}})", ("double", below)),
            lambda: self._fill("({} ? {} : {})", ("boolean", below), ("double", below), (self._number(), below)),
        )

    def _float(self, depth: int) -> tuple[str, str]:
        below = depth - 1
        choose = self._random.choice
        return self._pick(
            depth,
            ["f", "0.5f", "16777217f", "-1.5f"],
            lambda: self._fill(f"({{}} {choose(['+', '-', '*', '/', '%'])} {{}})", ("float", below), ("int", below)),
            lambda: self._fill("((float) ({}))", (self._number(), below)),
        )


def program(expressions: list[Expression]) -> str:
    """A Java class ``Oracle``: its main prints for each expression its number, type and value, or what it throws."""
    fields = [
        f"    static {type_name} {name} = {_literal(type_name, value)};" for name, (type_name, value) in VALUES.items()
    ]
    for name, (type_name, elements) in ARRAYS.items():
        element = type_name.removesuffix("[]")
        listed = ", ".join(_literal(element, each) for each in elements)
        fields.append(f"    static {type_name} {name} = {{{listed}}};")
    methods = [f'    static void e{i}() {{ print("{i}", () -> {e.java}); }}' for i, e in enumerate(expressions)]
    calls = "\n".join(f"        e{i}();" for i in range(len(expressions)))
    body = "\n".join([*fields, _HELPERS, *methods])
    return f"class Oracle {{\n{body}\n    public static void main(String[] arguments) {{\n{calls}\n    }}\n}}\n"


def _literal(type_name: str, value: str) -> str:
    if type_name == "java.lang.String":
        return f'"{value}"'
    return {"long": f"{value}L", "float": f"{value}f", "char": f"(char) {value}", "byte": f"(byte) {value}"}.get(
        type_name, f"({value})" if type_name != "short" else f"(short) {value}"
    )
