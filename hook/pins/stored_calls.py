"""One recorded call as the tree that a file of stored pins has for it, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clausefit.hook.pins.block_labels import is_numbered, labels_of, numbered, relabelled
from clausefit.hook.pins.flaws import flaw_of
from clausefit.hook.pins.read_values import decoded, members, text_of, whole_of
from clausefit.hook.pins.stored_values import Layouts, encoded, key_of, shape
from clausefit.hook.pins.values import Block, Failed, Origin, Pin, Returned, Value
from clausefit.hook.pins.yaml_text import Node, Tree, YamlProblem, quoted

Memory = tuple[tuple[str, Value], ...]


def call_tree(pin: Pin, layouts: Layouts) -> dict[str, Tree]:
    """The call without its function and its test's name and file.

    Numbered blocks are shown by their names (``memory``), others by their ids (``blocks``).
    """
    is_usual = is_numbered(pin.blocks)
    pin = relabelled(pin, labels_of(pin)) if is_usual else pin
    blocks = pin.blocks
    tree: dict[str, Tree] = {
        "line": pin.origin.line,
        "with": _section(pin.arguments, layouts),
        "memory" if is_usual else "blocks": _section([(one.id, one.value) for one in blocks], layouts),
        "names": {block.id: block.name for block in blocks if block.name != block.id},
        "globals": _globals(blocks),
        "constants": [block.id for block in blocks if block.constant],
    }
    kept = {key: value for key, value in tree.items() if value or key == "line"}
    return {**kept, **_ending(pin.outcome, layouts), **_afterwards(pin, layouts)}


def _globals(blocks: Sequence[Block]) -> Tree:
    """The variables of the program: a list where the blocks have their names."""
    found: dict[str, Tree] = {block.id: block.program for block in blocks if block.program is not None}
    return list(found) if all(block == name for block, name in found.items()) else found


def _section(parts: Sequence[tuple[str, Value]], layouts: Layouts) -> dict[str, Tree]:
    return {key_of(value, name): encoded(value, layouts) for name, value in parts}


def _ending(outcome: Returned | Failed, layouts: Layouts) -> dict[str, Tree]:
    if isinstance(outcome, Returned):
        result = outcome.result
        return {"gives": "void" if result is None else {shape(result): encoded(result, layouts)}}
    if outcome.is_exact and not outcome.detail:
        return {"fails": outcome.kind}
    return {"fails": {outcome.kind: outcome.detail, **({} if outcome.is_exact else {"exact": False})}}


def _afterwards(pin: Pin, layouts: Layouts) -> dict[str, Tree]:
    """Memory after the call: what changed and what is new (``after``), or all in an order of its own (``left``)."""
    after = pin.outcome.after
    before = {block.id: block.value for block in pin.blocks}
    ids = [name for name, _ in after]
    is_usual = ids[: len(before)] == list(before)
    told = _section([(name, value) for name, value in after if not is_usual or before.get(name) != value], layouts)
    is_expected = is_usual and not told if _goes_on(pin.outcome) else not after
    return {} if is_expected else {"after" if is_usual else "left": told}


def _goes_on(outcome: Returned | Failed) -> bool:
    """Whether memory that is not told afterwards is as it was: that of a call that died is not known at all."""
    return isinstance(outcome, Returned) or outcome.kind == "exception"


class Keys:
    """The keys of a mapping, each asked for once; a key that nobody asked for is a problem.

    ``what`` is what was expected, for a node that is no mapping.
    """

    def __init__(self, node: Node, what: str) -> None:
        if not isinstance(node.value, dict):
            raise YamlProblem(f"expected {what}", node.line)
        self._left: dict[str, Node] = dict(node.value)
        self.line = node.line

    def need(self, key: str) -> Node:
        """The value of a key. Raises YamlProblem where it is missing."""
        if key not in self._left:
            raise YamlProblem(f"the key {key!r} is missing", self.line)
        return self._left.pop(key)

    def may(self, key: str) -> Node | None:
        """The value of a key, None where it is missing."""
        return self._left.pop(key, None)

    def items(self, key: str) -> list[Node]:
        """The elements of a list. Raises YamlProblem where it is missing or none."""
        node = self.need(key)
        if not isinstance(node.value, list):
            raise YamlProblem(f"{key}: expected a list", node.line)
        return node.value

    def text(self, key: str) -> str:
        """A text. Raises YamlProblem where it is missing or none."""
        return text_of(self.need(key), key)

    def close(self) -> None:
        """Raises YamlProblem for a key that is left."""
        for key, node in self._left.items():
            raise YamlProblem(f"unknown key {quoted(key)}", node.line)


def call_of(node: Node, function: str, test: str, file: str, layouts: Layouts) -> Pin:
    """The call of a function by a test that a tree means. Raises YamlProblem."""
    keys = Keys(node, "a call: its line, what it is given and what it gives")
    line = whole_of(keys.need("line"), "line")
    given, memory, own_ids = keys.may("with"), keys.may("memory"), keys.may("blocks")
    if memory is not None and own_ids is not None:
        raise YamlProblem("expected either `memory` or `blocks`, not both", own_ids.line)
    arguments = _members(given, layouts)
    values = _members(memory or own_ids, layouts)
    blocks = _blocks(values, keys)
    outcome = _outcome(keys, values, layouts)
    keys.close()
    pin = Pin(function, arguments, blocks, outcome, Origin("recorded", test, file, line))
    if memory is not None:
        pin = _with_numbers(pin, memory.line)
    flaw = flaw_of(pin)
    if flaw is not None:
        raise YamlProblem(f"the call of {quoted(function)} {flaw}", node.line)
    return pin


def _members(node: Node | None, layouts: Layouts) -> Memory:
    return () if node is None else members(node, layouts)


def _with_numbers(pin: Pin, line: int) -> Pin:
    labels = [block.id for block in pin.blocks]
    ids = dict(zip(labels, numbered(len(labels)), strict=True))
    others = {name for name, _ in pin.outcome.after} - set(labels)
    twice = others & set(ids.values())
    if twice:
        raise YamlProblem(f"memory afterwards has {quoted(min(twice))}, which is another block", line)
    return relabelled(pin, ids)


def _blocks(values: Memory, keys: Keys) -> tuple[Block, ...]:
    ids = {name for name, _ in values}
    names = _texts(keys.may("names"), "names", ids)
    node = keys.may("globals")
    is_list = node is not None and isinstance(node.value, list)
    variables = {one: one for one in _listed(node, "globals", ids)} if is_list else _texts(node, "globals", ids)
    constants = _listed(keys.may("constants"), "constants", ids)
    return tuple(Block(one, names.get(one, one), value, one in constants, variables.get(one)) for one, value in values)


def _listed(node: Node | None, what: str, ids: set[str]) -> set[str]:
    if node is None:
        return set()
    if not isinstance(node.value, list):
        raise YamlProblem(f"{what}: expected a list of blocks", node.line)
    return {_known(text_of(one, what), ids, one.line) for one in node.value}


def _texts(node: Node | None, what: str, ids: set[str]) -> dict[str, str]:
    if node is None:
        return {}
    if not isinstance(node.value, dict):
        raise YamlProblem(f"{what}: expected `BLOCK: text`", node.line)
    return {_known(key, ids, one.line): text_of(one, what) for key, one in node.value.items()}


def _known(block: str, ids: set[str], line: int) -> str:
    if block not in ids:
        raise YamlProblem(f"{quoted(block)} is no block of the call's memory", line)
    return block


def _outcome(keys: Keys, before: Memory, layouts: Layouts) -> Returned | Failed:
    gives, fails, changed, left = (keys.may(key) for key in ("gives", "fails", "after", "left"))
    if changed is not None and left is not None:
        raise YamlProblem("expected either `after` or `left`, not both", changed.line)
    outcome: Returned | Failed
    if gives is not None and fails is None:
        outcome = Returned(_result(gives, layouts), ())
    elif fails is not None and gives is None:
        outcome = _failure(fails)
    else:
        raise YamlProblem("expected either `gives` or `fails`", keys.line)
    after = _members(left, layouts)
    if changed is not None or (left is None and _goes_on(outcome)):
        after = tuple({**dict(before), **dict(_members(changed, layouts))}.items())
    return replace(outcome, after=after)


def _result(node: Node, layouts: Layouts) -> Value | None:
    if node.value == "void":
        return None
    if not isinstance(node.value, dict) or len(node.value) != 1:
        raise YamlProblem("gives: expected `void`, or a type and a value", node.line)
    ((declared, one),) = node.value.items()
    return decoded(one, declared, layouts)


def _failure(node: Node) -> Failed:
    if isinstance(node.value, str):
        return Failed(node.value)
    if not isinstance(node.value, dict) or not node.value:
        raise YamlProblem("fails: expected the kind of failure, or `exception: TYPE`", node.line)
    kind = next(iter(node.value))
    keys = Keys(node, "a failure")
    detail = keys.text(kind)
    exact = keys.may("exact")
    keys.close()
    if exact is not None and not isinstance(exact.value, bool):
        raise YamlProblem("exact: expected true or false", exact.line)
    return Failed(kind, detail, (), exact is None or exact.value)
