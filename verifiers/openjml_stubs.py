r"""The Java text that OpenJML proves: a unit's skeleton with stub methods in the classes of its scenes.

A stub has the scene's variables as parameters. It calls methods without a body that may change all memory: what they
return is ``cf_result`` and ``cf_exc``, and from there on ``\old`` is the state before the call that the pin shows and
everything else the state after. Then it assumes the facts, and each question is a ``check`` (which, unlike ``assert``,
is not assumed afterwards).

    //@ assignable \everything;
    public static void cf_stub0(int[] a) {
      int cf_result = cf_stub_any0();
      java.lang.Throwable cf_exc = cf_stub_thrown();
      //@ assume \old(a != null && a.length == 1) && ...;
      //@ check (\old(a.length > 0) ==> cf_result == a[0]);
    }
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import tree_sitter_java
from clausefit.verifiers.openjml_formulas import RESULT, NotTaken
from clausefit.verifiers.protocol import JavaScene, Polarity
from tree_sitter import Language, Node, Parser

EXCEPTION = "cf_exc"
_FACTS_PER_ASSUMPTION = 40
"""A conjunction is a tree as deep as it is long, which OpenJML goes through by recursion."""

_PARSER = Parser(Language(tree_sitter_java.language()))
_TYPES = frozenset(
    {
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "annotation_type_declaration",
    }
)
_MOST_NESTED = 50
_NULLABLE = "nullable_by_default"


@dataclass(frozen=True)
class Check:
    """One question in one polarity, as the text of a formula that ``openjml_formulas`` made."""

    question: str
    polarity: Polarity
    formula: str


@dataclass(frozen=True)
class Stub:
    """One method: checks that share a scene and an outcome's facts (conjuncts, from ``openjml_formulas``).

    ``has_outcome`` is False for questions about the state before alone: then there is no call, result or exception.
    """

    scene: JavaScene
    facts: tuple[str, ...]
    has_outcome: bool
    checks: tuple[Check, ...]


@dataclass(frozen=True)
class Place:
    """What stands in a line of a composed file: a check of a stub, or (``check`` None) another part of the stub."""

    stub: int
    check: int | None = None


@dataclass(frozen=True)
class Composed:
    """The files for one run, the names of the stubs' methods in order, and what stands where in them."""

    files: tuple[tuple[str, str], ...]
    names: tuple[str, ...]
    places: Mapping[tuple[str, int], Place]


@dataclass(frozen=True)
class _Home:
    """A class that may hold stubs: its file, where its body ends (in bytes), and why it may not, else empty."""

    file: str
    end: int
    refusal: str = ""


@dataclass
class Skeleton:
    """A unit's files with the places where stubs may stand."""

    files: tuple[tuple[str, str], ...]
    prefix: str = ""
    _homes: dict[str, _Home] = field(default_factory=dict)
    _tops: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.prefix = _unused(self.files)
        for file, text in self.files:
            root = _PARSER.parse(_encoded(text)).root_node
            package = next((_package(node) for node in root.named_children if node.type == "package_declaration"), "")
            tops = [node for node in root.named_children if node.type in _TYPES]
            self._tops[file] = [] if _NULLABLE in text else [node.start_byte for node in tops]
            for node in tops:
                self._homes.update(_homes(file, node, f"{package}." if package else "", 0))

    def home(self, class_name: str) -> _Home:
        """Where the class's stubs go; NotTaken where there is no place for any."""
        home = self._homes.get(class_name)
        if home is None:
            raise NotTaken(f"its class {class_name} is not in the skeleton")
        if home.refusal:
            raise NotTaken(home.refusal)
        return home

    def compose(self, stubs: Sequence[Stub]) -> Composed:
        """The files with these stubs in them. Raises NotTaken where a class has no place for one."""
        writer = _Writer(self.prefix)
        by_file: dict[str, list[tuple[int, list[int]]]] = {}
        for class_name in dict.fromkeys(stub.scene.class_name for stub in stubs):
            home = self.home(class_name)
            numbers = [i for i, stub in enumerate(stubs) if stub.scene.class_name == class_name]
            by_file.setdefault(home.file, []).append((home.end, numbers))
        files = []
        for file, text in self.files:
            insertions: list[tuple[int, list[int] | None]] = [(start, None) for start in self._tops[file]]
            insertions += by_file.get(file, [])
            files.append(
                (file, writer.spliced(file, _encoded(text), sorted(insertions, key=lambda one: one[0]), stubs))
            )
        names = tuple(f"{self.prefix}{number}" for number in range(len(stubs)))
        return Composed(tuple(files), names, writer.places)


@dataclass
class _Writer:
    prefix: str
    places: dict[tuple[str, int], Place] = field(default_factory=dict)

    def spliced(
        self, file: str, text: bytes, insertions: Sequence[tuple[int, list[int] | None]], stubs: Sequence[Stub]
    ) -> str:
        """``text`` with stubs (their numbers) or a modifier (None) put in at these places, in order."""
        pieces: list[bytes] = []
        line, done = 1, 0
        for at, numbers in insertions:
            before = text[done:at]
            line += _line_ends(before)
            done = at
            pieces.append(before)
            if numbers is None:
                # Not by an option for all files: OpenJML's specifications of the library count on the default.
                pieces.append(f"/*@ {_NULLABLE} @*/ ".encode())
                continue
            # A line end right after a carriage return would be a part of that one.
            lines = [" " if before.endswith(b"\r") else "", *self._members(file, line + 1, numbers, stubs)]
            pieces.append("".join(f"{one}\n" for one in lines).encode("utf-8", "surrogateescape"))
            line += len(lines)
        pieces.append(text[done:])
        return b"".join(pieces).decode("utf-8", "surrogateescape")

    def _members(self, file: str, first: int, numbers: Sequence[int], stubs: Sequence[Stub]) -> list[str]:
        """Lines of the stubs and of what they call; ``first`` is the number of the first line."""
        lines: list[str] = []
        results = dict.fromkeys(stubs[n].scene.result for n in numbers if stubs[n].has_outcome)
        called = {type_: f"{self.prefix}_any{index}" for index, type_ in enumerate(results)}
        for type_, name in called.items():
            lines += _unknown(type_ or "void", name)
        if called:
            lines += _unknown("java.lang.Throwable", f"{self.prefix}_thrown")
        for number in numbers:
            stub = stubs[number]
            for text, check in _method(stub, f"{self.prefix}{number}", called.get(stub.scene.result, ""), self.prefix):
                self.places[file, first + len(lines)] = Place(number, check)
                lines.append(text)
        return lines


def _unknown(type_: str, name: str) -> list[str]:
    """A method that returns anything and may change everything, but always returns.

    That it always returns matters: a stub that could be left by an exception would have an end that can be reached
    although its facts contradict each other.
    """
    return [
        "  //@ public normal_behavior",
        "  //@   requires true;",
        r"  //@   assignable \everything;",
        "  //@   ensures true;",
        f"  public static native {type_} {name}();",
    ]


def _method(stub: Stub, name: str, any_: str, prefix: str) -> Iterator[tuple[str, int | None]]:
    """The lines of one stub, each with the index of its check."""
    scene = stub.scene
    parameters = ", ".join(f"{type_} {variable}" for type_, variable in scene.variables)
    yield r"  //@ assignable \everything;", None
    yield f"  public {'static ' if scene.is_static else ''}void {name}({parameters}) {{", None
    if stub.has_outcome:
        yield f"    {f'{scene.result} {RESULT} = ' if scene.result else ''}{any_}();", None
        yield f"    java.lang.Throwable {EXCEPTION} = {prefix}_thrown();", None
    for start in range(0, len(stub.facts), _FACTS_PER_ASSUMPTION):
        part = stub.facts[start : start + _FACTS_PER_ASSUMPTION]
        yield f"    //@ assume {' && '.join(f'({fact})' for fact in part)};", None
    for index, check in enumerate(stub.checks):
        yield f"    //@ check {'' if check.polarity == 'accept' else '!'}({check.formula});", index
    yield "  }", None


def without_library(files: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The files without those of packages ``java``: stand-ins for what KeY's library lacks, and OpenJML's has.

    No program may add to these packages: javac refuses them (JLS 7.4.3).
    """
    return tuple((name, text) for name, text in files if not name.startswith("java/"))


# ---- the skeleton's classes ------------------------------------------------------------------------------------------


def _homes(file: str, node: Node, before: str, depth: int) -> Iterator[tuple[str, _Home]]:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None or body is None or depth > _MOST_NESTED:
        return
    qualified = before + _text(name)
    # Only a class may have methods without a body that are no one's to write (JLS 8.10.3, 9.4).
    refusal = "" if node.type == "class_declaration" else f"{qualified} is no class"
    if body.has_error or not body.children or body.children[-1].type != "}" or body.children[-1].is_missing:
        refusal = f"the skeleton's class {qualified} cannot be read"
    yield qualified, _Home(file, body.end_byte - 1, refusal)
    for child in body.named_children:
        if child.type in _TYPES:
            yield from _homes(file, child, f"{qualified}.", depth + 1)


def _package(node: Node) -> str:
    return "".join(_text(child) for child in node.named_children if child.type in ("identifier", "scoped_identifier"))


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "surrogateescape")


def _line_ends(text: bytes) -> int:
    """Line terminators as javac counts them (JLS 3.4)."""
    return text.count(b"\n") + text.count(b"\r") - text.count(b"\r\n")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _unused(files: Sequence[tuple[str, str]]) -> str:
    """A beginning of names that occurs in none of the files: then no text of theirs can speak of a stub."""
    prefix = "cf_stub"
    while any(prefix in text for _file, text in files):
        prefix += "_"
    return prefix
