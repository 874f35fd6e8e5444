"""Recorded pins as the text of a file that people review and commit, and back.

One file holds the calls of one source file, one call a block, in an order that does not depend on the run. How values
are written is said in ``stored_values``, what YAML is read in ``yaml_text``. Files are hostile: whatever is wrong with
one is one line with the place and what to do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from clausefit.hook.pins.block_labels import is_numbered, labels_of, numbered, relabelled
from clausefit.hook.pins.flaws import flaw_of
from clausefit.hook.pins.read_values import decoded, members, text_of, whole_of
from clausefit.hook.pins.stored_values import WIDEST, Layout, Layouts, encoded, key_of, layouts_of, shape
from clausefit.hook.pins.values import Block, Failed, Origin, Pin, Returned, Value
from clausefit.hook.pins.yaml_text import MAX_CHARACTERS, Node, Tree, YamlProblem, flow, quoted, read_tree, write_tree
from clausefit.hook.snapshots import is_inside
from clausefit.hook.visible import visible

SCHEMA = 1
FOLDER = ".clausefit/pins"
ENDING = ".yaml"
MAX_BYTES = MAX_CHARACTERS
_AGAIN = "restore the file, or delete it and record again with `clausefit record`"
_LAYOUT = re.compile(r"(signed|unsigned|float) ([1-9][0-9]{0,2})")
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
    layouts = layouts_of(value for one in pins for value in _values(one.pin))
    types: dict[str, Tree] = {name: f"{kind} {width}" for name, (kind, width) in layouts.items()}
    head: dict[str, Tree] = {"schema": SCHEMA, "source": source, **({"types": types} if types else {})}
    calls = sorted({(*_place(one.pin), _call_text(one, layouts)) for one in pins})
    body = "\n".join(text for *_, text in calls)
    return f"{_HEAD}{write_tree(head)}" + (f"calls:\n\n{body}" if calls else "calls: []\n")


def _place(pin: Pin) -> tuple[str, str, int, str]:
    return pin.function, pin.origin.file, pin.origin.line, pin.origin.test


def _values(pin: Pin) -> Iterator[Value]:
    yield from (value for _, value in pin.arguments)
    yield from (block.value for block in pin.blocks)
    yield from (value for _, value in pin.outcome.after)
    if isinstance(pin.outcome, Returned) and pin.outcome.result is not None:
        yield pin.outcome.result


def _call_text(stored: StoredPin, layouts: Layouts) -> str:
    """One call. Numbered blocks are shown by their names (``memory``), others by their ids (``blocks``)."""
    is_usual = is_numbered(stored.pin.blocks)
    pin = relabelled(stored.pin, labels_of(stored.pin)) if is_usual else stored.pin
    origin = pin.origin
    test: Tree = {"name": origin.test, "file": origin.file, "line": origin.line, "digest": stored.test_digest}
    blocks = pin.blocks
    lines = write_tree({"function": pin.function, "body": stored.body, "test": test}, 2)
    lines += _section("with", {key_of(value, name): encoded(value, layouts) for name, value in pin.arguments})
    memory = "memory" if is_usual else "blocks"
    lines += _section(memory, {key_of(one.value, one.id): encoded(one.value, layouts) for one in blocks})
    marks: dict[str, Tree] = {
        "names": {block.id: block.name for block in blocks if block.name != block.id},
        "globals": {block.id: block.program for block in blocks if block.program is not None},
        "constants": [block.id for block in blocks if block.constant],
    }
    lines += write_tree({key: value for key, value in marks.items() if value}, 2)
    lines += write_tree(_ending(pin.outcome, layouts), 2)
    return f"- {(lines + _afterwards(pin, layouts))[2:]}"


def _section(name: str, parts: Mapping[str, Tree]) -> str:
    """A mapping with one line a part, so that a difference shows the part alone."""
    return f"  {name}:\n{write_tree(parts, 4)}" if parts else ""


def _ending(outcome: Returned | Failed, layouts: Layouts) -> dict[str, Tree]:
    if isinstance(outcome, Returned):
        result = outcome.result
        return {"gives": "void" if result is None else {shape(result): encoded(result, layouts)}}
    if outcome.is_exact and not outcome.detail:
        return {"fails": outcome.kind}
    return {"fails": {outcome.kind: outcome.detail, **({} if outcome.is_exact else {"exact": False})}}


def _afterwards(pin: Pin, layouts: Layouts) -> str:
    """Memory after the call: what changed and what is new (``after``), or all in an order of its own (``left``)."""
    after = pin.outcome.after
    before = {block.id: block.value for block in pin.blocks}
    ids = [name for name, _ in after]
    usual = ids[: len(before)] == list(before)
    changed = [(name, value) for name, value in after if not usual or before.get(name) != value]
    parts = {key_of(value, name): encoded(value, layouts) for name, value in changed}
    key = "after" if usual else "left"
    if parts:
        return _section(key, parts)
    # Without `after` a call that came back left all as it was, and of one that failed nothing is known.
    untold = isinstance(pin.outcome, Failed) and bool(after)
    return f"  after: {flow({})}\n" if untold else ""


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


class _Keys:
    """The keys of a mapping, each asked for once; a key that nobody asked for is a problem."""

    def __init__(self, node: Node, what: str) -> None:
        if not isinstance(node.value, dict):
            raise YamlProblem(f"expected {what}", node.line)
        self._left: dict[str, Node] = dict(node.value)
        self.line = node.line

    def need(self, key: str) -> Node:
        if key not in self._left:
            raise YamlProblem(f"the key {key!r} is missing", self.line)
        return self._left.pop(key)

    def may(self, key: str) -> Node | None:
        return self._left.pop(key, None)

    def close(self) -> None:
        for key, node in self._left.items():
            raise YamlProblem(f"unknown key {quoted(key)}", node.line)


def _read(root: Node) -> tuple[str, tuple[StoredPin, ...]]:
    keys = _Keys(root, "the keys schema, source and calls")
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
    calls = keys.need("calls")
    keys.close()
    if not isinstance(calls.value, list):
        raise YamlProblem("calls: expected a list", calls.line)
    return source, tuple(_call(one, layouts) for one in calls.value)


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


def _call(node: Node, layouts: Layouts) -> StoredPin:
    keys = _Keys(node, "a call")
    function = text_of(keys.need("function"), "function")
    body = text_of(keys.need("body"), "body")
    origin, digest = _origin(keys.need("test"))
    given, memory, own_ids = keys.may("with"), keys.may("memory"), keys.may("blocks")
    if memory is not None and own_ids is not None:
        raise YamlProblem("expected either `memory` or `blocks`, not both", own_ids.line)
    arguments = members(given, layouts) if given is not None else ()
    shown = memory or own_ids
    values = members(shown, layouts) if shown is not None else ()
    blocks = _blocks(values, keys)
    gives, fails, after, left = (keys.may(key) for key in ("gives", "fails", "after", "left"))
    keys.close()
    if (gives is None) == (fails is None):
        raise YamlProblem("expected either `gives` or `fails`", node.line)
    if after is not None and left is not None:
        raise YamlProblem("expected either `after` or `left`, not both", after.line)
    outcome: Returned | Failed
    if gives is not None:
        outcome = Returned(_result(gives, layouts), _memory_after(values, after, left, layouts, True))
    else:
        assert fails is not None  # noqa: S101 - one of both is there
        outcome = _failure(fails, _memory_after(values, after, left, layouts, False))
    pin = Pin(function, arguments, blocks, outcome, origin)
    if memory is not None:
        pin = _with_numbers(pin, memory.line)
    flaw = flaw_of(pin)
    if flaw is not None:
        raise YamlProblem(f"the call of {quoted(function)} {flaw}", node.line)
    return StoredPin(pin, body, digest)


def _with_numbers(pin: Pin, line: int) -> Pin:
    labels = [block.id for block in pin.blocks]
    ids = dict(zip(labels, numbered(len(labels)), strict=True))
    others = {name for name, _ in pin.outcome.after} - set(labels)
    if others & set(ids.values()):
        raise YamlProblem(
            f"memory afterwards has {quoted(min(others & set(ids.values())))}, which is another block", line
        )
    return relabelled(pin, ids)


def _origin(node: Node) -> tuple[Origin, str]:
    keys = _Keys(node, "a test: its name, file, line and digest")
    name, file = text_of(keys.need("name"), "name"), text_of(keys.need("file"), "file")
    line, digest = whole_of(keys.need("line"), "line"), text_of(keys.need("digest"), "digest")
    keys.close()
    return Origin("recorded", name, file, line), digest


def _blocks(values: Sequence[tuple[str, Value]], keys: _Keys) -> tuple[Block, ...]:
    ids = {name for name, _ in values}
    names, variables = (_texts(keys.may(key), key, ids) for key in ("names", "globals"))
    node = keys.may("constants")
    constants: set[str] = set()
    if node is not None:
        if not isinstance(node.value, list):
            raise YamlProblem("constants: expected a list of blocks", node.line)
        constants = {_known(text_of(one, "constants"), ids, one.line) for one in node.value}
    return tuple(Block(one, names.get(one, one), value, one in constants, variables.get(one)) for one, value in values)


def _texts(node: Node | None, what: str, ids: set[str]) -> dict[str, str]:
    if node is None:
        return {}
    if not isinstance(node.value, dict):
        raise YamlProblem(f"{what}: expected `BLOCK: text`", node.line)
    return {_known(key, ids, one.line): text_of(one, what) for key, one in node.value.items()}


def _known(block: str, ids: set[str], line: int) -> str:
    if block not in ids:
        raise YamlProblem(f"{quoted(block)} is no block of `memory`", line)
    return block


def _result(node: Node, layouts: Layouts) -> Value | None:
    if node.value == "void":
        return None
    if not isinstance(node.value, dict) or len(node.value) != 1:
        raise YamlProblem("gives: expected `void`, or a type and a value", node.line)
    ((declared, one),) = node.value.items()
    return decoded(one, declared, layouts)


def _failure(node: Node, after: tuple[tuple[str, Value], ...]) -> Failed:
    if isinstance(node.value, str):
        return Failed(node.value, after=after)
    if not isinstance(node.value, dict) or not node.value:
        raise YamlProblem("fails: expected the kind of failure, or `exception: TYPE`", node.line)
    kind = next(iter(node.value))
    keys = _Keys(node, "a failure")
    detail = text_of(keys.need(kind), "fails")
    exact = keys.may("exact")
    keys.close()
    if exact is not None and not isinstance(exact.value, bool):
        raise YamlProblem("exact: expected true or false", exact.line)
    return Failed(kind, detail, after, exact is None or exact.value)


def _memory_after(
    before: Sequence[tuple[str, Value]], after: Node | None, left: Node | None, layouts: Layouts, returned: bool
) -> tuple[tuple[str, Value], ...]:
    if left is not None:
        return members(left, layouts)
    if after is None:
        return tuple(before) if returned else ()
    return tuple({**dict(before), **dict(members(after, layouts))}.items())
