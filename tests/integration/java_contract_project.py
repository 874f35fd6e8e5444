"""The Java project of generated contracts: classes, JUnit 5 tests with literal calls, and what real Java does in them.

What the tested calls return and leave behind is found by compiling and running the classes.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from java_contract_generator import Call, Item, State, pairs

_SECONDS = 240
_LETTERS = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
_LOWEST_INT, _LOWEST_LONG = -(1 << 31), -(1 << 63)


def literal(value: Any, type_name: str) -> str:
    """A Java literal, or an array creation, of the value."""
    if value is None:
        return "null"
    if isinstance(value, list):
        return f"new {type_name} {{{', '.join(literal(one, type_name[:-2]) for one in value)}}}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        letters = (_LETTERS.get(c, c if " " <= c <= "~" else f"\\u{ord(c):04x}") for c in value)
        return f'"{"".join(letters)}"'
    if type_name == "char":
        return f"'{chr(value)}'" if chr(value).isascii() and chr(value).isalnum() else f"(char) {value}"
    if type_name in ("byte", "short"):
        return f"({type_name}) {value}" if value >= 0 else f"({type_name}) ({value})"
    if type_name == "long":
        return "Long.MIN_VALUE" if value == _LOWEST_LONG else f"{value}L"
    return "Integer.MIN_VALUE" if value == _LOWEST_INT else str(value)


def contract_text(one: Item) -> str:
    """The contract as a JML comment, the preconditions of each case first, the frame last."""
    order = {"requires": 0, "ensures": 1, "signals": 2, "signals_only": 2, "assignable": 3}
    lines = []
    for number, case in enumerate(one.cases):
        lines += ["also"] if number else []
        lines += [case.head] if case.head else []
        lines += [f"  {s.kind} {s.jml};" for s in sorted(case.clauses, key=lambda s: order[s.kind])]
    return "    /*@ " + "\n      @ ".join(lines) + "\n      @*/"


def source_text(items: Sequence[Item]) -> str:
    """The class of these items, which all have the same members."""
    family = items[0].family
    parts = [f"class {items[0].class_name} {{", f"    {family.members}" if family.members else ""]
    for one in items:
        head = f"{one.family.modifiers} {one.family.result} {one.name}({one.family.parameters})".strip()
        parts.append(f"{contract_text(one)}\n    {head} {{\n        {one.family.body}\n    }}\n")
    return "\n".join(parts) + "}\n"


def _set_up(one: Item, call: Call) -> tuple[list[str], str]:
    """The statements before a call, and the call: arrays and the receiver in variables of the test."""
    lines, arguments = [call.before] if call.before else [], []
    target = one.class_name
    if call.receiver is not None:
        lines.append(f"{one.class_name} o = {call.receiver};")
        target = "o"
    for (type_name, name), argument in zip(pairs(one.family.parameters), call.arguments, strict=True):
        if type_name.endswith("]"):
            lines.append(f"{type_name} {name} = {argument};")
        arguments.append(name if type_name.endswith("]") else argument)
    return lines, f"{target}.{one.name}({', '.join(arguments)})"


def _places(one: Item, call: Call) -> Iterable[tuple[str, str, str]]:
    """What a call can leave changed: (type, name in clauses, Java expression in a test)."""
    target = one.class_name if call.receiver is None else "o"
    yield from ((t, n, n) for t, n in pairs(one.family.parameters) if t.endswith("]"))
    yield from ((t, n, f"{target}.{n}") for t, n in pairs(one.family.fields))


def _asserted(type_name: str, expression: str, value: Any, style: int) -> str:
    if isinstance(value, bool):
        name = "assertTrue" if value else "assertFalse"
        return f"{name}({expression});" if style % 2 else f"assertEquals({literal(value, type_name)}, {expression});"
    if value is None:
        return f"assertNull({expression});"
    name = "assertArrayEquals" if isinstance(value, list) else "assertEquals"
    return f"{name}({literal(value, type_name)}, {expression});"


def _test(one: Item, call: Call, seen: State, style: int) -> list[str]:
    lines, text = _set_up(one, call)
    values = dict(seen.values)
    if seen.thrown is not None:
        lines.append(f"assertThrows({seen.thrown}.class, () -> {text});")
    elif one.family.result == "void":
        lines.append(f"{text};")
    elif style % 3 == 0 and values["result"] is not None:
        lines += [f"{one.family.result} r = {text};", _asserted(one.family.result, "r", values["result"], style)]
    else:
        lines.append(_asserted(one.family.result, text, values["result"], style))
    return lines + [_asserted(t, place, values[name], style) for t, name, place in _places(one, call)]


def test_text(items: Sequence[Item], seen: Mapping[tuple[str, int], State]) -> str:
    """The test class of one class; ``seen`` is what each call (method, number) was seen to do."""
    parts = [
        "import static org.junit.jupiter.api.Assertions.*;",
        "import org.junit.jupiter.api.Test;",
        f"class {items[0].class_name}Test {{",
    ]
    for one in items:
        for number, call in enumerate(one.family.calls):
            body = "\n        ".join(_test(one, call, seen[one.function, number], len(parts)))
            parts.append(f"    @Test void {one.name}_{number}() {{\n        {body}\n    }}")
    return "\n".join(parts) + "\n}\n"


# ---- what the methods do --------------------------------------------------------------------------------------------

_SHOW = """
class Probe {
    static String text(Object o) {
        if (o instanceof int[] a) return java.util.Arrays.toString(a);
        if (o instanceof long[] a) return java.util.Arrays.toString(a);
        if (o instanceof Object[] a) {
            StringBuilder all = new StringBuilder("[");
            for (Object one : a) all.append(all.length() > 1 ? "," : "").append(text(one));
            return all.append("]").toString();
        }
        if (o instanceof Character c) return Integer.toString(c);
        if (o instanceof String s) {
            StringBuilder all = new StringBuilder("\\"");
            for (char c : s.toCharArray()) all.append(String.format("\\\\u%04x", (int) c));
            return all.append("\\"").toString();
        }
        return String.valueOf(o);
    }
    static void show(String name, Object value) {
        System.out.print(", [\\"" + name + "\\", " + text(value) + "]");
    }
    static void end(Throwable thrown) {
        System.out.println("], " + (thrown == null ? "null" : "\\"" + thrown.getClass().getName() + "\\"") + "]");
    }
"""


def _probe(one: Item, number: int, call: Call) -> str:
    lines, text = _set_up(one, call)
    is_void = one.family.result == "void"
    places = list(_places(one, call))
    seen = [f'show("old_{name}", {place});' for _type, name, place in places]
    for (type_name, name), argument in zip(pairs(one.family.parameters), call.arguments, strict=True):
        if not type_name.endswith("]"):
            seen += [f'show("{which}", ({type_name}) ({argument}));' for which in (name, f"old_{name}")]
    after = [f'show("{name}", {place});' for _type, name, place in places]
    run = f"{text};" if is_void else f'show("result", {text});'
    head = f'System.out.print("[\\"{one.function}\\", {number}, [[\\"\\", 0]");'
    body = [*lines, head, *seen, "Throwable thrown = null;", f"try {{ {run} }} catch (Throwable t) {{ thrown = t; }}"]
    return "\n".join([f"    static void p{one.name}_{number}() {{", *body, *after, "end(thrown);", "}"])


def observed(items: Sequence[Item], folder: Path, sources: Sequence[Path]) -> dict[tuple[str, int], State]:
    """What real Java does in each call: (method, number of the call) to the states around it."""
    names = dict.fromkeys(one.class_name for one in items)
    for class_name in names:
        mine = [one for one in items if one.class_name == class_name]
        probes = [(one, n, _probe(one, n, call)) for one in mine for n, call in enumerate(one.family.calls)]
        parts = [f"class Probe{class_name} extends Probe {{", *(text for _o, _n, text in probes)]
        parts.append("    static void all() {" + " ".join(f"p{one.name}_{n}();" for one, n, _t in probes) + "}\n}\n")
        (folder / f"Probe{class_name}.java").write_text("\n".join(parts))
    main = " ".join(f"Probe{name}.all();" for name in names)
    (folder / "Probe.java").write_text(f"{_SHOW}    public static void main(String[] a) {{ {main} }}\n}}\n")
    found = {}
    for line in run_java(folder, sources, "Probe").splitlines():
        function, number, values, thrown = json.loads(line)
        by_name = {name: value for name, value in values if name}
        found[function, number] = State(tuple(sorted(by_name.items())), thrown)
    return found


def run_java(folder: Path, sources: Sequence[Path], main: str) -> str:
    """Compile all Java files of the folder together with the sources and run a class: its output."""
    files = [*map(str, sorted(folder.glob("*.java"))), *map(str, sources)]
    classes = folder / "classes"
    compiled = subprocess.run(
        ["javac", "-nowarn", "-proc:none", "-g:none", "-d", str(classes), *files],
        capture_output=True,
        text=True,
        timeout=_SECONDS,
    )
    assert compiled.returncode == 0, compiled.stderr[:4000]
    ran = subprocess.run(
        ["java", "-cp", str(classes), main], capture_output=True, text=True, timeout=_SECONDS, encoding="utf-8"
    )
    assert ran.returncode == 0, ran.stderr[:4000]
    return ran.stdout


def write_project(folder: Path, items: Sequence[Item], scratch: Path) -> dict[tuple[str, int], State]:
    """A Maven project with a class and a test class for all families that share it; what the tested calls do."""
    main, test = folder / "src" / "main" / "java", folder / "src" / "test" / "java"
    for made in (main, test, scratch):
        made.mkdir(parents=True)
    classes: dict[str, list[Item]] = {}
    for one in items:
        classes.setdefault(one.class_name, []).append(one)
    for class_name, members in classes.items():
        (main / f"{class_name}.java").write_text(source_text(members))
    seen = observed(items, scratch, sorted(main.glob("*.java")))
    for class_name, members in classes.items():
        (test / f"{class_name}Test.java").write_text(test_text(members, seen))
    return seen
