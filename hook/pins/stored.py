"""Recorded pins as the text of a file that people review and commit, and back.

One file holds the calls of one source file, by function and test, in an order that does not depend on the run. How a
call is written is said in ``stored_calls``, a value in ``stored_values``, what YAML is read in ``yaml_text``. Files are
hostile: whatever is wrong with one is one line with the place and what to do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from clausefit.hook.pins.flaws import flaw_of
from clausefit.hook.pins.read_values import text_of, whole_of
from clausefit.hook.pins.stored_calls import Keys, call_of, call_tree
from clausefit.hook.pins.stored_values import WIDEST, Layout, Layouts, layouts_of
from clausefit.hook.pins.values import Pin, values_of
from clausefit.hook.pins.yaml_text import (
    LONGEST_LINE,
    MAX_CHARACTERS,
    Node,
    Tree,
    YamlProblem,
    flow,
    quoted,
    read_tree,
    write_tree,
)
from clausefit.hook.snapshots import is_inside
from clausefit.hook.visible import visible

SCHEMA = 1
FOLDER = ".clausefit/pins"
ENDING = ".yaml"
MAX_BYTES = MAX_CHARACTERS
_AGAIN = "restore the file, or delete it and record again with `clausefit record`"
_LAYOUT = re.compile(r"(signed|unsigned|float) ([1-9][0-9]{0,2})")
# The parts of a long call that have a line for each of theirs, so that a difference shows the part alone.
_IN_LINES = frozenset({"memory", "blocks", "after", "left"})
_NUMBERS = re.compile(r"(\D*)([0-9]*)", re.DOTALL)
_HEAD = """\
# Calls that the project's tests made, recorded by clausefit; `clausefit pins show` shows them as text.
# Commit this file: who cannot run the tests can check contracts with it.
"""


@dataclass(frozen=True)
class StoredPin:
    """A recorded pin with the digests (``record.bodies``) of its function and its test, as they were when it ran."""

    pin: Pin
    body: str
    test_digest: str


class StoredProblem(Exception):  # noqa: N818 - what is wrong is the file
    """Stored pins cannot be read or written. The text is one line: file, line, what is wrong, and what to do."""


def path_of(source: str) -> str:
    """The workspace path of the file that holds the recorded calls of a source file."""
    return f"{FOLDER}/{source}{ENDING}"


def source_of(path: str) -> str | None:
    """The source file whose recorded calls a workspace path would hold; None for any other file."""
    if not (path.startswith(f"{FOLDER}/") and path.endswith(ENDING)):
        return None
    source = path.removeprefix(f"{FOLDER}/").removesuffix(ENDING)
    return source if is_source(source) else None


def is_source(source: str) -> bool:
    """Whether ``source`` is a plain path below the workspace (no link is followed to find out)."""
    return is_inside(source) and all(part not in ("", ".") for part in source.split("/"))


# ---- to text --------------------------------------------------------------------------------------------------------


def to_yaml(source: str, pins: Sequence[StoredPin]) -> str:
    """The text of the file for a source. Equal calls are written once; the order of ``pins`` does not matter.

    ValueError for a pin that ``flaw_of`` complains about.
    """
    for one in pins:
        flaw = flaw_of(one.pin)
        if flaw is not None:
            raise ValueError(f"a call of {one.pin.function!r} {flaw}")
    layouts = layouts_of(value for one in pins for value in values_of(one.pin))
    types: dict[str, Tree] = {name: f"{kind} {width}" for name, (kind, width) in layouts.items()}
    head: dict[str, Tree] = {"schema": SCHEMA, "source": source, **({"types": types} if types else {})}
    groups: dict[tuple[str, str], dict[tuple[str, str, str], set[str]]] = {}
    for one in pins:
        tests = groups.setdefault((one.pin.function, one.body), {})
        test = (one.pin.origin.file, one.pin.origin.test, one.test_digest)
        tests.setdefault(test, set()).add(_call_text(one.pin, layouts))
    functions = "".join(_function_text(*key, groups[key]) for key in sorted(groups))
    return f"{_HEAD}{write_tree(head)}" + (f"functions:\n{functions}" if groups else "functions: []\n")


def _function_text(function: str, body: str, tests: Mapping[tuple[str, str, str], set[str]]) -> str:
    lines = ["\n", _item({"function": function, "body": body}, 0), "  tests:\n"]
    for file, test, digest in sorted(tests):
        lines += [_item({"test": test, "file": file, "digest": digest}, 2), "    calls:\n"]
        lines += sorted(tests[file, test, digest], key=_natural)
    return "".join(lines)


def _item(tree: Mapping[str, Tree], indent: int) -> str:
    """The first keys of an element of a list."""
    return f"{' ' * indent}- {write_tree(tree, indent + 2)[indent + 2 :]}"


def _call_text(pin: Pin, layouts: Layouts) -> str:
    """A call on one line, or one part of it a line."""
    tree = call_tree(pin, layouts)
    short = flow(tree)
    if len(short) <= LONGEST_LINE - 6:
        return f"    - {short}\n"
    return f"    - {write_tree(tree, 6, blocks=_IN_LINES)[6:]}"


def _natural(text: str) -> list[tuple[int, str]]:
    """Sorts numbers by their size: ``n: 9`` before ``n: 10``."""
    return [(int(number or -1), word) for word, number in _NUMBERS.findall(text)]


# ---- from text ------------------------------------------------------------------------------------------------------


def from_bytes(content: bytes, name: str) -> tuple[str, tuple[StoredPin, ...]]:
    """Like ``from_yaml``, from the bytes of a file that messages call ``name``. Raises StoredProblem."""
    if len(content) > MAX_BYTES:
        raise _problem(name, YamlProblem(f"it is larger than {MAX_BYTES >> 20} MiB"))
    try:
        return from_yaml(content.decode("utf-8"), name)
    except UnicodeDecodeError as error:
        raise _problem(name, YamlProblem(f"not UTF-8 (byte {error.start})")) from error


def from_yaml(text: str, name: str) -> tuple[str, tuple[StoredPin, ...]]:
    """The source and the pins of a file that messages call ``name``, in the file's order.

    Raises StoredProblem, ``name:line: what is wrong: what to do``, also where a single call is wrong.
    """
    try:
        return _read(read_tree(text))
    except YamlProblem as problem:
        raise _problem(name, problem) from problem


def _problem(name: str, problem: YamlProblem) -> StoredProblem:
    place = f"{visible(name)}:{problem.line}" if problem.line else visible(name)
    return StoredProblem(f"{place}: {visible(str(problem))}: {_AGAIN}")


def _read(root: Node) -> tuple[str, tuple[StoredPin, ...]]:
    keys = Keys(root, "the keys schema, source and functions")
    schema = keys.need("schema")
    version = whole_of(schema, "schema")
    if version != SCHEMA:
        advice = "update clausefit" if version > SCHEMA else "it was never used"
        raise YamlProblem(f"the schema is {version}, this clausefit reads {SCHEMA} ({advice})", schema.line)
    node = keys.need("source")
    source = text_of(node, "source")
    if not is_source(source):
        raise YamlProblem(f"source: {quoted(source)} is no plain path below the workspace", node.line)
    layouts = _layouts(keys.may("types"))
    functions = keys.items("functions")
    keys.close()
    return source, tuple(pin for one in functions for pin in _of_function(one, layouts))


def _layouts(node: Node | None) -> dict[str, Layout]:
    if node is None:
        return {}
    if not isinstance(node.value, dict):
        raise YamlProblem("types: expected `TYPE: signed 32` and the like", node.line)
    return {name: _layout(one) for name, one in node.value.items()}


def _layout(node: Node) -> Layout:
    match = _LAYOUT.fullmatch(text_of(node, "types"))
    kind, width = (match[1], int(match[2])) if match else ("", 0)
    if not 1 <= width <= WIDEST or (kind == "float" and width not in (32, 64)):
        raise YamlProblem("types: expected `signed`, `unsigned` or `float` and a width in bits", node.line)
    return kind, width


def _of_function(node: Node, layouts: Layouts) -> Iterator[StoredPin]:
    keys = Keys(node, "a function: its name, the digest of its body, and tests")
    function, body, tests = keys.text("function"), keys.text("body"), keys.items("tests")
    keys.close()
    for one in tests:
        of_test = Keys(one, "a test: its name, file, digest and calls")
        test, file, digest = (of_test.text(key) for key in ("test", "file", "digest"))
        calls = of_test.items("calls")
        of_test.close()
        yield from (StoredPin(call_of(call, function, test, file, layouts), body, digest) for call in calls)
