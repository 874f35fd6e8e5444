"""What real Java says of generated contracts, on the pins and mutants that the product uses.

Each clause stands as a Java method in one generated program, each state that a question is about as a call of it with
literal values. Answers are put together as the product does: of several spec cases a clause counts where the
precondition of its case held; the precondition of a single one is asked of every call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from clausefit.hook.contracts.model import Clause
from clausefit.hook.mutants import Mutant, mutated
from clausefit.hook.pins.values import (
    Array,
    Failed,
    Integer,
    Null,
    Pin,
    Pointer,
    Struct,
    Text,
    Value,
    replaced,
)
from clausefit.hook.plans import Asked, Plan
from java_contract_generator import EXCEPTIONAL, NORMAL, Item, Said, State, pairs
from java_contract_project import literal, run_java

Answer: TypeAlias = Literal["true", "false", "undefined"]
Verdict: TypeAlias = Literal["accepted", "rejected", "open"]
_NAMES: dict[str, Answer] = {"T": "true", "F": "false", "U": "undefined"}
_VERDICTS: dict[Answer, Verdict] = {"true": "accepted", "false": "rejected", "undefined": "open"}
_GROUP = 200
# What a call may have returned that should have thrown.
_SOME_RESULTS: dict[str, list[Any]] = {
    "int": [0, 1, -1, 7, (1 << 31) - 1],
    "long": [0, 1, -1, 7],
    "char": [0, 65],
    "boolean": [False, True],
    "java.lang.String": ["", "abc", None],
    "String": ["", "abc", None],
    "int[]": [[], [1], None],
}
_PRELUDE = """
import java.math.BigInteger;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

class Words {
    static boolean all(int low, int high, IntPredicate p) { return IntStream.range(low, high).allMatch(p); }
    static boolean some(int low, int high, IntPredicate p) { return IntStream.range(low, high).anyMatch(p); }
    static long count(int low, int high, IntPredicate p) { return IntStream.range(low, high).filter(p).count(); }
    static long sum(int low, int high, IntToLongFunction f) { return IntStream.range(low, high).mapToLong(f).sum(); }
    static long product(int low, int high, IntToLongFunction f) {
        return IntStream.range(low, high).mapToLong(f).reduce(1, Math::multiplyExact);
    }
    static long max(int low, int high, IntToLongFunction f) {
        return IntStream.range(low, high).mapToLong(f).max().getAsLong();
    }
    static long min(int low, int high, IntToLongFunction f) {
        return IntStream.range(low, high).mapToLong(f).min().getAsLong();
    }
    static BigInteger big(long n) { return BigInteger.valueOf(n); }
    static final StringBuilder out = new StringBuilder();
}
"""


class NotShown(Exception):  # noqa: N818 - a state of affairs
    """A value that the test does not show, which every generated test does."""


def plain(value: Value, memory: Mapping[str, Value]) -> Any:
    """A number, truth value, string, list or None; objects are read field by field elsewhere."""
    match value:
        case Integer():
            return bool(value.value) if value.type == "boolean" else value.value
        case Text():
            return value.value
        case Null():
            return None
        case Pointer():
            return plain(memory[value.block], memory)
        case Array():
            return [plain(element, memory) for element in value.elements]
    raise NotShown(str(value))


def state_of(item: Item, pin: Pin, mutant: Mutant | None = None, *, only_cell: bool = False) -> State:
    """The states around the right call, or around the mutant; ``only_cell``: nothing but the mutant's cell changed.

    The result of a call that should have thrown is not known, and left out.
    """
    outcome = pin.outcome if mutant is None else mutated(pin.outcome, mutant)
    before = {block.id: block.value for block in pin.blocks}
    after = {**before, **dict(outcome.after)}
    if only_cell:
        assert mutant is not None and mutant.location.block is not None, item.title
        block = mutant.location.block
        after = {**before, block: replaced(before[block], mutant.location.path, mutant.wrong)}
    arguments = dict(pin.arguments)
    values: dict[str, Any] = {}
    for _type, name in pairs(item.family.parameters):
        values[name], values[f"old_{name}"] = plain(arguments[name], after), plain(arguments[name], before)
    for _type, name in pairs(item.family.fields):
        values[name] = plain(_field(item, pin, name, after), after)
        values[f"old_{name}"] = plain(_field(item, pin, name, before), before)
    if isinstance(outcome, Failed):
        return State(tuple(sorted(values.items())), outcome.detail)
    if outcome.result is not None and (mutant is None or not mutant.exit):
        values["result"] = plain(outcome.result, after)
    return State(tuple(sorted(values.items())), None)


def _field(item: Item, pin: Pin, name: str, memory: Mapping[str, Value]) -> Value:
    receiver = dict(pin.arguments).get("this")
    if isinstance(receiver, Pointer):
        whole = memory[receiver.block]
        assert isinstance(whole, Struct), item.title
        return dict(whole.fields)[name]
    block = next(b for b in pin.blocks if b.program == f"{item.class_name}.{name}")
    return memory[block.id]


def entry(state: State) -> State:
    """The state before the call, twice. There is no result; what stands for it does not matter."""
    old = {name.removeprefix("old_"): value for name, value in state.values if name.startswith("old_")}
    return State(tuple(sorted({**{f"old_{name}": value for name, value in old.items()}, **old}.items())), "Throwable")


@dataclass
class Java:
    """A program that answers for clauses in states: first ``ask`` for all of them, then ``run``, then ``answer``."""

    items: dict[str, Item] = field(default_factory=dict)
    asked: dict[tuple[str, Said, str], State] = field(default_factory=dict)
    answers: dict[tuple[str, Said, str], Answer] = field(default_factory=dict)

    def ask(self, item: Item, said: Said, state: State) -> None:
        """The clause in this state; all that a result can be where it is not known."""
        self.items[item.function] = item
        for one in _complete(item, state):
            self.asked[item.function, said, one.key] = one

    def answer(self, item: Item, said: Said, state: State) -> list[Answer]:
        """The answers, more than one where the result is not known."""
        return [self.answers[item.function, said, one.key] for one in _complete(item, state)]

    def run(self, folder: Path, sources: Sequence[Path]) -> None:
        """Have Java answer everything."""
        folder.mkdir()
        order: list[tuple[str, Said, str]] = []
        names = []
        by_class: dict[str, list[tuple[str, Said, str]]] = {}
        for key in self.asked:
            by_class.setdefault(self.items[key[0]].class_name, []).append(key)
        for class_name, keys in by_class.items():
            names.append(f"Clauses{class_name}")
            (folder / f"{names[-1]}.java").write_text(self._class_text(names[-1], keys))
            order += keys
        calls = " ".join(f"{name}.all();" for name in names)
        main = f"class Main {{ public static void main(String[] a) {{ {calls} System.out.println(Words.out); }} }}\n"
        (folder / "Words.java").write_text(f"{_PRELUDE}{main}")
        answers = run_java(folder, sources, "Main").strip()
        assert len(answers) == len(order)
        self.answers = {key: _NAMES[letter] for key, letter in zip(order, answers, strict=True)}

    def _class_text(self, name: str, keys: Sequence[tuple[str, Said, str]]) -> str:
        methods: dict[tuple[str, Said], str] = {}
        parts = ["import java.math.BigInteger;\nimport java.util.*;", f"class {name} extends Words {{"]
        lines = []
        for function, said, state_key in keys:
            item = self.items[function]
            if (function, said) not in methods:
                methods[function, said] = f"k{len(methods)}"
                parameters = ", ".join([*(f"{t} {n}" for t, n in item.variables()), "Throwable thrown"])
                parts.append(f"    static boolean {methods[function, said]}({parameters}) {{ return {said.java}; }}")
            arguments = _arguments(item, self.asked[function, said, state_key])
            text = f"{methods[function, said]}({arguments}) ? 'T' : 'F'"
            lines.append(f"try {{ out.append({text}); }} catch (RuntimeException e) {{ out.append('U'); }}")
        groups = [lines[start : start + _GROUP] for start in range(0, len(lines), _GROUP)]
        for number, group in enumerate(groups):
            parts.append(f"    static void g{number}() {{\n" + "\n".join(group) + "\n    }")
        parts.append("    static void all() {" + " ".join(f"g{n}();" for n in range(len(groups))) + "}\n}\n")
        return "\n".join(parts)


def _complete(item: Item, state: State) -> Iterator[State]:
    """The state with every result that may have come, where it is not known."""
    values = dict(state.values)
    if item.family.result == "void" or "result" in values:
        yield state
        return
    results = _SOME_RESULTS[item.family.result]
    # Where the call threw nothing speaks of a result.
    for result in results[:1] if state.thrown else results:
        yield State(tuple(sorted({**values, "result": result}.items())), state.thrown)


def _arguments(item: Item, state: State) -> str:
    values = dict(state.values)
    arguments = [literal(values[name], type_name) for type_name, name in item.variables()]
    # A null alone has no type by which Java could choose.
    typed = zip(item.variables(), arguments, strict=True)
    arguments = [f"({type_name}) null" if text == "null" else text for (type_name, _name), text in typed]
    return ", ".join([*arguments, f"new {state.thrown}()" if state.thrown else "(Throwable) null"])


# ---- questions ------------------------------------------------------------------------------------------------------


def _both(answers: Iterable[Answer]) -> Answer:
    """``&&``: what comes first decides."""
    return next((one for one in answers if one != "true"), "true")


def _any(answers: Iterable[Answer]) -> Answer:
    """``||``"""
    return next((one for one in answers if one != "false"), "false")


def _negated(answer: Answer) -> Answer:
    """``!``"""
    return "false" if answer == "true" else "true" if answer == "false" else answer


class Oracle:
    """Says for one item what the answer to each question of its plan has to be."""

    def __init__(self, item: Item, plan: Plan[Any], java: Java) -> None:
        self.item, self.plan, self.java = item, plan, java
        written = item.clauses()
        cases = {case: number for number, case in enumerate(plan.contract.behaviors)}
        self.said: list[Said] = []
        self.case: list[int | None] = []
        for clause in plan.contract.clauses:
            number = cases[clause.behavior] if clause.behavior is not None else None
            self.case.append(number)
            self.said.append(_implied(clause) if clause.implicit else written[number or 0, clause.text])
        assert sum(not c.implicit for c in plan.contract.clauses) == len(written), item.title

    def prepare(self) -> None:
        """Ask Java for everything that ``verdict`` will need."""
        for asked in self.plan.asked:
            if asked.question.one_sided or asked.pin is None:
                continue
            state = state_of(self.item, self.plan.pins[asked.pin], asked.mutant)
            for said in self.said:
                self.java.ask(self.item, said, entry(state) if said.kind == "requires" else state)
                if said.kind == "assignable" and self._cell(asked):
                    self.java.ask(self.item, said, self._only_cell(asked))

    def _only_cell(self, asked: Asked) -> State:
        assert asked.pin is not None
        return state_of(self.item, self.plan.pins[asked.pin], asked.mutant, only_cell=True)

    def _cell(self, asked: Asked) -> bool:
        """Whether the question is about a wrong value in memory that was there before."""
        if asked.mutant is None or asked.pin is None or asked.mutant.exit:
            return False
        return asked.mutant.location.block in {block.id for block in self.plan.pins[asked.pin].blocks}

    def verdict(self, asked: Asked) -> Verdict:
        """What the product has to say when it decides; ``open``: it may not decide."""
        assert asked.pin is not None
        state = state_of(self.item, self.plan.pins[asked.pin], asked.mutant)
        results = len(list(_complete(self.item, state)))
        found = {_VERDICTS[self._answer(asked, state, number)] for number in range(results)}
        return found.pop() if len(found) == 1 else "open"

    def _answer(self, asked: Asked, state: State, result: int) -> Answer:
        match asked.role:
            case "requires" | "admits" | "admitted" | "fails":
                return self._of_entry(asked, state)
            case "ensures" | "kill" | "frame":
                return _both(self._holds(number, state, result) for number in asked.clauses)
            case "wrong":
                return _both((*(self._holds(n, state, result) for n in self._spoken(asked)), self._framed(asked)))
        raise AssertionError(asked.role)

    def _spoken(self, asked: Asked) -> list[int]:
        """The clauses about an outcome like this: a return, or an exception."""
        thrown = asked.mutant is not None and asked.mutant.exit not in ("", "return")
        kinds = ("signals", "signals_only") if thrown else ("ensures",)
        return [n for n, said in enumerate(self.said) if said.kind in kinds]

    def _framed(self, asked: Asked) -> Answer:
        if not self._cell(asked):
            return "true"
        state = self._only_cell(asked)
        return _both(self._holds(n, state, 0) for n, said in enumerate(self.said) if said.kind == "assignable")

    def _says(self, number: int, state: State, result: int) -> Answer:
        answers = self.java.answer(self.item, self.said[number], state)
        return answers[result if len(answers) > 1 else 0]

    def _holds(self, number: int, state: State, result: int) -> Answer:
        """The clause; of several cases, and about an exception, only where its case's precondition held."""
        case = self.case[number]
        guarded = len(self.item.cases) > 1 or self.said[number].kind.startswith("signals")
        if case is not None and guarded:
            held = self._admitted(case, state)
            if held != "true":
                return "true" if held == "false" else held
        return self._says(number, state, result)

    def _admitted(self, case: int, state: State) -> Answer:
        mine = [n for n, s in enumerate(self.said) if s.kind == "requires" and self.case[n] == case]
        return _both(self._says(n, entry(state), 0) for n in mine if not self.plan.contract.clauses[n].implicit)

    def _of_entry(self, asked: Asked, state: State) -> Answer:
        if asked.role in ("admitted", "fails"):
            speaks = [self._speaks(number) for number in range(len(self.item.cases))]
            every = asked.role == "admitted" or not any(speaks)
            cases = [number for number, spoken in enumerate(speaks) if every or not spoken]
            implied = [
                self._says(n, entry(state), 0)
                for n, clause in enumerate(self.plan.contract.clauses)
                if clause.implicit and clause.kind == "requires"
            ]
            spoken = [] if every else [number for number, one in enumerate(speaks) if one]
            others = _negated(_any(self._admitted(number, state) for number in spoken)) if spoken else "true"
            return _both((*implied, _any(self._admitted(number, state) for number in cases), others))
        if asked.role == "requires" and len(asked.clauses) > 1 and len(self.item.cases) > 1:
            return _any(self._admitted(number, state) for number in range(len(self.item.cases)))
        return _both(self._says(number, entry(state), 0) for number in asked.clauses)

    def _speaks(self, case: int) -> bool:
        """Whether a spec case says something of exceptions."""
        one = self.item.cases[case]
        return one.head in (NORMAL, EXCEPTIONAL) or any(said.kind.startswith("signals") for said in one.clauses)

    def is_strong(self) -> bool:
        """Whether the contract rejects a tested input or what is right for it."""
        return any(
            self.verdict(a) == "rejected"
            for a in self.plan.asked
            if a.role in ("requires", "ensures", "frame") and not a.question.one_sided
        )

    def is_weak(self) -> bool:
        """Whether it accepts something wrong that it is asked about, or an input on which the method fails."""
        excluded = {a.pin for a in self.plan.asked if a.role == "requires" and self.verdict(a) == "rejected"}
        return any(
            self.verdict(a) == "accepted"
            for a in self.plan.asked
            if a.role in ("wrong", "fails") and a.pin not in excluded
        )


def _implied(clause: Clause) -> Said:
    """A clause that nobody wrote, from its formula."""
    if clause.kind == "signals":
        assert clause.formula == "(java.lang.Exception e) false"
        return Said("signals", clause.formula, "!(thrown instanceof Exception)")
    assert clause.kind in ("requires", "ensures")
    return Said(clause.kind, clause.formula, clause.formula.replace("\\result", "result"))
