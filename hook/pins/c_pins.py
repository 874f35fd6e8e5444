"""Records of calls → pins, once everything that the test shows is known."""

from __future__ import annotations

from clausefit.hook.pins.c_calls import Call
from clausefit.hook.pins.c_evaluate import Evaluator
from clausefit.hook.pins.c_knowledge import Symbol
from clausefit.hook.pins.c_memory import Cell, pointers_in
from clausefit.hook.pins.c_types import (
    CType,
    PointerType,
)
from clausefit.hook.pins.values import (
    Array,
    Block,
    Failed,
    Ignored,
    Origin,
    Pin,
    Pointer,
    Returned,
    Struct,
    Unknown,
    Value,
    leaves,
)


class PinMaker:
    """Makes the pins of one test file from call records and what was learned."""

    def __init__(self, evaluator: Evaluator, test_file: str) -> None:
        self._ev = evaluator
        self._file = test_file

    def make(self, call: Call, failed: Failed | None = None) -> Pin | Ignored:
        """The pin of a call, or why there is none."""
        reason = call.reason or self._argument_problem(call) or (self._result_problem(call) if failed is None else None)
        if reason is not None:
            return self._ignored(call, reason)
        blocks = self._blocks(call, with_after=failed is None)
        for block in blocks:
            if any(isinstance(value, Unknown) for value in self._pointers(call.before.get(block))):
                return self._ignored(call, "memory that it is given holds a pointer that is not known")
        names = {block: f"m{index}" for index, block in enumerate(blocks)}
        made = tuple(self._block(call.before[block], names) for block in blocks)
        arguments = tuple((name, self._named(term.value, names)) for name, term in call.arguments)
        origin = Origin("static", call.test, self._file, call.line)
        if failed is not None:
            return Pin(call.function, arguments, made, failed, origin)
        result = self._named(call.result.value, names) if call.result is not None else None
        after = tuple((names[block], self._named(call.after[block].value, names)) for block in blocks)
        return Pin(call.function, arguments, made, Returned(result, after), origin)

    def _ignored(self, call: Call, reason: str) -> Ignored:
        return Ignored(call.function, f"{self._file}:{call.line}", reason)

    def _argument_problem(self, call: Call) -> str | None:
        for name, term in call.arguments:
            value = self._ev.knowledge.tree(term.value)
            if any(isinstance(leaf, Unknown) for _, leaf in leaves(value)):
                what = "pointer" if isinstance(term.ctype, PointerType) else "value"
                return f"the {what} of argument {name} is not known"
        return None

    def _result_problem(self, call: Call) -> str | None:
        value = call.result.value if call.result is not None else None
        by_content = isinstance(value, Symbol) and value.number in self._ev.knowledge.by_content
        if by_content and value is not None and isinstance(self._ev.knowledge.resolve(value), Unknown):
            return "the test shows what the result points to, not which pointer it is"
        return None

    def _pointers(self, cell: Cell | None) -> list[Value]:
        """The pointer leaves of an object, as far as they are known."""
        if cell is None:
            return []
        return [self._ev.knowledge.resolve(v) for v, _ in pointers_in(cell.value, cell.ctype, self._ev.types)]

    def _blocks(self, call: Call, with_after: bool) -> list[str]:
        """The objects of the pin: what the arguments lead to, before or after, and the program's own variables."""
        found: dict[str, None] = {}
        memories = [call.before, call.after] if with_after else [call.before]
        seeds: list[tuple[Value, CType]] = [(term.value, term.ctype) for _, term in call.arguments]
        if with_after and call.result is not None:
            seeds.append((call.result.value, call.result.ctype))
        for value, ctype in seeds:
            self._follow([v for v, _ in pointers_in(value, ctype, self._ev.types)], memories, found)
        for block, cell in call.before.items():
            if cell.program is None or cell.constant or block in found:
                continue
            shown = any(
                not isinstance(leaf, Unknown)
                for memory in memories
                for _, leaf in leaves(self._ev.knowledge.tree(memory[block].value))
            )
            pointers = [v for memory in memories for v in self._pointers(memory[block])]
            if shown and not any(isinstance(v, Unknown) for v in self._pointers(cell)):
                found[block] = None
                self._follow(pointers, memories, found)
        return list(found)

    def _follow(self, values: list[Value], memories: list[dict[str, Cell]], found: dict[str, None]) -> None:
        todo = list(values)
        while todo:
            value = self._ev.knowledge.resolve(todo.pop(0))
            if isinstance(value, Pointer) and value.block in memories[0] and value.block not in found:
                found[value.block] = None
                todo += [pointer for memory in memories for pointer in self._pointers(memory.get(value.block))]

    def _block(self, cell: Cell, names: dict[str, str]) -> Block:
        return Block(names[cell.id], cell.name, self._named(cell.value, names), cell.constant, cell.program)

    def _named(self, value: Value, names: dict[str, str]) -> Value:
        """The value with what is known put in and objects under their names in the pin."""
        return self._renamed(self._ev.knowledge.tree(value), names)

    def _renamed(self, value: Value, names: dict[str, str]) -> Value:
        if isinstance(value, Array):
            return Array(value.type, tuple(self._renamed(element, names) for element in value.elements))
        if isinstance(value, Struct):
            return Struct(value.type, tuple((name, self._renamed(member, names)) for name, member in value.fields))
        if isinstance(value, Pointer):
            if value.block not in names:
                return Unknown(value.type)
            return Pointer(names[value.block], value.path, value.type)
        if isinstance(value, Unknown) and value.not_equal:
            # A pointer to an object that is not part of the pin cannot be named in it.
            known = tuple(v for v in value.not_equal if not isinstance(v, Pointer) or v.block in names)
            return Unknown(value.type, tuple(self._renamed(v, names) for v in known))
        return value
