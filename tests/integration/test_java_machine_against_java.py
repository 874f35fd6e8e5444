"""Whatever the interpreter computes is what the real ``java`` computes: every value of every program of a corpus.

Each static method without parameters of the corpus (``tests/data/java_machine`` and generated ones) prints values by
``probe.Out.p``; the interpreter has an intrinsic in its place. A value may be unknown, and a program may be stopped,
but that must be rare, and nothing may differ.
"""

from __future__ import annotations

import random
import shutil
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from clausefit.hook.java.project import JavaProject
from clausefit.hook.pins.java.machine import CallSite, Intrinsic, Machine
from clausefit.hook.pins.java.members import modifiers_of
from clausefit.hook.pins.java.values import VOID, Boxed, Null, Obj, Prim, Str, Unknown, Value
from tree_sitter import Node

DATA = Path(__file__).parent.parent / "data" / "java_machine"
GENERATED = 120
pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="javac is not installed")


# -- programs that are generated: arithmetic on edges, in all combinations of types and operators

_EDGES = {
    "byte": ["(byte) -128", "(byte) 127", "(byte) -1", "(byte) 5"],
    "short": ["(short) -32768", "(short) 32767", "(short) 300"],
    "char": ["'a'", "'\\uffff'", "(char) 0"],
    "int": ["Integer.MIN_VALUE", "Integer.MAX_VALUE", "-1", "0", "7", "65537"],
    "long": ["Long.MIN_VALUE", "Long.MAX_VALUE", "-1L", "3L", "4294967296L"],
    "float": ["1.5f", "-0.0f", "Float.MAX_VALUE", "Float.NaN", "16777217f", "1e-45f"],
    "double": ["0.1", "-0.0", "1e300", "Double.POSITIVE_INFINITY", "4.9e-324", "-2.5"],
}
_ARITHMETIC = ["+", "-", "*", "/", "%"]
_BITS = ["&", "|", "^", "<<", ">>", ">>>"]
_COMPARE = ["<", "<=", ">", ">=", "==", "!="]


def _operand(random_source: random.Random, names: dict[str, str]) -> str:
    choice = random_source.random()
    if choice < 0.6:
        return random_source.choice(list(names))
    return random_source.choice(_EDGES[random_source.choice(list(_EDGES))])


def _is_whole(text: str, names: dict[str, str]) -> bool:
    """Whether an operand is of an integral type."""
    if text in names:
        return names[text] not in ("float", "double")
    return not any(text in edges for edges in (_EDGES["float"], _EDGES["double"]))


def _expression(random_source: random.Random, names: dict[str, str]) -> tuple[str, bool]:
    """An expression, and whether its type is integral."""
    left, right = _operand(random_source, names), _operand(random_source, names)
    is_whole = _is_whole(left, names) and _is_whole(right, names)
    operator = random_source.choice(_ARITHMETIC + (_BITS if is_whole else []))
    text = f"({left} {operator} {right})"
    if random_source.random() < 0.4:
        target = random_source.choice(["byte", "short", "char", "int", "long", "float", "double"])
        return f"({target}) {text}", target not in ("float", "double")
    return text, is_whole


def _method(number: int) -> str:
    random_source = random.Random(number)
    lines: list[str] = []
    names: dict[str, str] = {}
    for index in range(4):
        type_name = random_source.choice(list(_EDGES))
        names[f"v{index}"] = type_name
        lines.append(f"{type_name} v{index} = {random_source.choice(_EDGES[type_name])};")
    for _ in range(8):
        kind = random_source.random()
        text, is_whole = _expression(random_source, names)
        if kind < 0.4:
            lines.append(f"try {{ p({text}); }} catch (ArithmeticException e) {{ p(e.getMessage()); }}")
        elif kind < 0.6:
            name = random_source.choice(list(names))
            lines.append(f"try {{ {name} += {text}; }} catch (ArithmeticException e) {{ p(1); }} p({name});")
        elif kind < 0.75:
            name = random_source.choice(list(names))
            lines.append(f"p({name}{random_source.choice(['++', '--'])}); p({name});")
        elif kind < 0.9:
            other, _ = _expression(random_source, names)
            compare = random_source.choice(_COMPARE)
            lines.append(f"try {{ p({text} {compare} {other}); }} catch (ArithmeticException e) {{ p(2); }}")
        elif is_whole:
            lines.append(f"try {{ p(\"\" + {text} + 'x'); }} catch (ArithmeticException e) {{ p(3); }}")
        else:
            yes, no = random_source.choice(["v2", "1"]), random_source.choice(["v3", "'c'"])
            lines.append(f"p(v0 == v1 ? {yes} : {no});")
    return f"    static void m{number}() {{ {' '.join(lines)} }}"


def _generated() -> str:
    methods = "\n".join(_method(number) for number in range(GENERATED))
    return f"package corpus;\nimport static probe.Out.p;\npublic class Generated {{\n{methods}\n}}\n"


# -- running both


@dataclass
class Outcome:
    """What a program printed, and how it ended."""

    end: str
    values: list[str | None] = field(default_factory=list)


@dataclass
class Printed:
    """The intrinsic in the place of ``probe.Out``."""

    values: list[str | None] = field(default_factory=list)

    def find(self, owner: str, name: str) -> Intrinsic | None:
        return self.print if (owner, name) == ("probe.Out", "p") else None

    def print(self, machine: Machine, site: CallSite) -> Value:
        self.values.append(_shown(site.arguments[0].evaluate()))
        return VOID


def _shown(value: Value) -> str | None:
    """A value as ``probe.Out`` prints it; None if it is not known."""
    if isinstance(value, Prim):
        return f"{value.type}:{_bits(value)}"
    if isinstance(value, Boxed):
        return f"{value.type}:{_bits(value.prim)}"
    if isinstance(value, Null):
        return "null:"
    if isinstance(value, Str):
        return "java.lang.String:" + "".join(f"{ord(one):04x}" for one in value.value)
    if isinstance(value, Unknown):
        return None
    return "object:" + (value.type if isinstance(value, Obj) else "?")


def _bits(value: Prim) -> str:
    if value.type not in ("float", "double"):
        return str(int(value.value))
    if value.value != value.value:
        return "NaN"
    whole, real = ("<i", "<f") if value.type == "float" else ("<q", "<d")
    return str(struct.unpack(whole, struct.pack(real, value.value))[0])


def _corpus() -> dict[str, str]:
    files = {f"corpus/{path.name}": path.read_text("utf-8") for path in sorted(DATA.glob("*.java"))}
    return {**files, "corpus/Generated.java": _generated()}


def _of_java(files: dict[str, str], folder: Path) -> dict[tuple[str, str], Outcome]:
    """Compile all once, and run all in one JVM."""
    also = {f"probe/{name}.java": (DATA / f"{name}.java.txt").read_text("utf-8") for name in ("Out", "Run")}
    for name, text in {**files, **also}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    sources = [str(folder / name) for name in (*files, *also)]
    classes = str(folder / "classes")
    subprocess.run(["javac", "-nowarn", "-encoding", "UTF-8", "-d", classes, *sources], check=True, timeout=300)
    names = [name.removesuffix(".java").replace("/", ".") for name in files]
    command = ["java", "-cp", classes, "probe.Run", *names]
    ran = subprocess.run(command, check=True, capture_output=True, timeout=300, encoding="utf-8")
    found: dict[tuple[str, str], Outcome] = {}
    for line in ran.stdout.splitlines():
        if line.startswith("== "):
            _, class_name, method, end = line.split(" ", 3)
            outcome = found[class_name, method] = Outcome(end)
        elif line:
            outcome.values.append(line)
    return found


def _of_machine(files: dict[str, str]) -> dict[tuple[str, str], Outcome]:
    printed = Printed()
    project = JavaProject(files.get, files)
    machine = Machine(project, frozenset(), intrinsics=printed)
    found: dict[tuple[str, str], Outcome] = {}
    for file, class_name, name, node in _methods(project, files):
        printed.values = []
        ended = machine.run_test(file, class_name, node)
        end = f"threw {ended.type}" if ended.kind == "threw" else ended.kind
        found[f"corpus.{class_name}", name] = Outcome(end, printed.values)
    return found


def _methods(project: JavaProject, files: dict[str, str]) -> Iterator[tuple[str, str, str, Node]]:
    for file in files:
        tree = project.tree(file)
        assert tree is not None
        for child in tree.root.children:
            body = child.child_by_field_name("body")
            for node in body.children if child.type == "class_declaration" and body is not None else ():
                name = node.child_by_field_name("name")
                parameters = node.child_by_field_name("parameters")
                result = node.child_by_field_name("type")
                if node.type != "method_declaration" or "static" not in modifiers_of(node, tree.text):
                    continue
                if name is None or parameters is None or parameters.named_children or result is None:
                    continue
                if result.type == "void_type":
                    class_name = Path(file).stem
                    yield file, class_name, tree.text[name.start_byte : name.end_byte], node


@dataclass
class Compared:
    """Both sides, by class and method."""

    java: dict[tuple[str, str], Outcome]
    machine: dict[tuple[str, str], Outcome]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Compared:
    files = _corpus()
    return Compared(_of_java(files, tmp_path_factory.mktemp("java")), _of_machine(files))


def test_the_same_programs_are_run(both: Compared) -> None:
    assert set(both.java) == set(both.machine)
    assert len(both.java) >= 350


def test_every_value_that_is_known_is_that_of_java(both: Compared) -> None:
    differing = [
        f"{class_name}.{method} value {index}: {got}, not {expected}"
        for (class_name, method), outcome in both.machine.items()
        for index, (got, expected) in enumerate(zip(outcome.values, both.java[class_name, method].values, strict=False))
        if got is not None and got != expected
    ]
    assert differing == []


def test_every_program_that_is_followed_ends_as_in_java(both: Compared) -> None:
    differing = [
        f"{class_name}.{method}: {outcome.end} after {len(outcome.values)}"
        for (class_name, method), outcome in both.machine.items()
        if outcome.end != "stopped"
        and (outcome.end, len(outcome.values))
        != (both.java[class_name, method].end, len(both.java[class_name, method].values))
    ]
    assert differing == []


def test_little_is_not_known(both: Compared) -> None:
    stopped = [name for name, outcome in both.machine.items() if outcome.end == "stopped"]
    unknown = sum(value is None for outcome in both.machine.values() for value in outcome.values)
    printed = sum(len(outcome.values) for outcome in both.java.values())
    assert printed > 5000
    assert unknown < printed / 500
    assert len(stopped) <= 2
