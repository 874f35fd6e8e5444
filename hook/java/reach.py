"""What clauses reach through names: classes, and in them the fields, pure and model methods they depend on.

Going by names alone takes in more than is needed where two classes have members of one name; it never takes in less.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from clausefit.hook.contracts.acsl_tokens import text_at
from clausefit.hook.contracts.java_model import JavaField, JavaMethod
from clausefit.hook.contracts.jml_tokens import tokens_of_java
from clausefit.hook.java.names import is_name, keys_of, names_of, words_of
from clausefit.hook.java.project import FoundClass, JavaProject, enclosing

# A clause that reaches more than this reaches most of a project; what is left out cannot be loaded either.
_MOST_CLASSES = 60
_MOST_METHODS = 200
_MOST_KEYS = 20_000


@dataclass
class Reach:
    """``classes`` by their qualified names, ``methods`` with their classes, and all names that were met
    (``f()`` where they are called).

    ``is_cut``: there was more than is followed.
    """

    classes: dict[str, FoundClass] = field(default_factory=dict)
    methods: dict[tuple[str, str], tuple[FoundClass, JavaMethod]] = field(default_factory=dict)
    fields: dict[tuple[str, str], tuple[FoundClass, JavaField]] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    is_cut: bool = False


def reach_of(
    project: JavaProject,
    found: FoundClass,
    method: JavaMethod | None,
    formulas: Iterable[str],
    types: Iterable[str] = (),
) -> Reach:
    """Everything that ``formulas``, asked of ``method`` in ``found``, depend on; ``types`` are further classes."""
    work = _Work(project)
    work.add_class(found)
    if method is not None:
        work.add_signature(found, method)
    for type_name in types:
        work.add_type(type_name, found)
    for formula in formulas:
        work.add_keys(keys_of(formula))
        for name in names_of(formula):
            work.add_chain([token.text for token in name.chain], found)
    work.run()
    return work.out


class _Work:
    """Follows names; each pair of a class and a name is looked at once."""

    def __init__(self, project: JavaProject) -> None:
        self._project = project
        self._new_classes: list[FoundClass] = []
        self._new_keys: set[str] = set()
        self.out = Reach()

    def run(self) -> None:
        """Follow what is reached until nothing new comes."""
        while self._new_classes or self._new_keys:
            classes, self._new_classes = self._new_classes, []
            keys, self._new_keys = self._new_keys, set()
            new = {id(one) for one in classes}
            for one in list(self.out.classes.values()):
                # ``out.keys`` has the new ones as well.
                self._members(one, self.out.keys if id(one) in new else keys)

    def add_class(self, found: FoundClass) -> None:
        for one in (found, *self._project.supertypes(found), *enclosing_classes(self._project, found)):
            if one.qualified in self.out.classes:
                continue
            if len(self.out.classes) >= _MOST_CLASSES:
                self.out.is_cut = True
                return
            self.out.classes[one.qualified] = one
            self._new_classes.append(one)

    def add_type(self, name: str, where: FoundClass) -> None:
        found = self._project.find(name, where.file, where.java.name)
        if found is not None:
            self.add_class(found)

    def add_keys(self, keys: Iterable[str]) -> None:
        new = set(keys) - self.out.keys
        if new and len(self.out.keys) + len(new) > _MOST_KEYS:
            self.out.is_cut = True
        elif new:
            self.out.keys |= new
            self._new_keys |= new

    def add_chain(self, chain: list[str], where: FoundClass) -> None:
        """The classes that a dotted name may name."""
        for size in range(len(chain), 0, -1):
            if any(part[:1].isupper() for part in chain[:size]):
                self.add_type(".".join(chain[:size]), where)

    def add_signature(self, found: FoundClass, method: JavaMethod) -> None:
        for one in method.parameters:
            self.add_type(one.type, found)
        if method.result_type is not None:
            self.add_type(method.result_type, found)

    def _members(self, found: FoundClass, keys: set[str]) -> None:
        out = self.out
        members = self._project.members(found)
        reached = sorted(members.keys & keys)
        for method in [one for name in reached for one in members.methods.get(name.removesuffix("()"), ())]:
            key = (found.qualified, method.signature)
            if f"{method.name}()" in reached and key not in out.methods and not method.is_constructor:
                if len(out.methods) >= _MOST_METHODS:
                    out.is_cut = True
                    return
                out.methods[key] = (found, method)
                self.add_signature(found, method)
                self._text(found, *body_keys(self._project, found, method))
        for text in self._static_imports(found):
            owner, _, member = text.rpartition(".")
            if member == "*" or {member, f"{member}()"} & keys:
                self.add_type(owner, found)
        for one in [members.fields[name] for name in reached if name in members.fields]:
            out.fields[(found.qualified, one.name)] = (found, one)
            self.add_type(one.type, found)
            if one.initializer is not None and "final" in one.modifiers:
                self._text(found, *_java_keys(one.initializer))
        for clause in represents_of(found):
            if represented(clause) & keys:
                self.add_keys(keys_of(clause))
                for name in names_of(clause):
                    self.add_chain([token.text for token in name.chain], found)

    def _static_imports(self, found: FoundClass) -> list[str]:
        source = self._project.source(found.file)
        imports = source.java.imports if source is not None and source.java is not None else ()
        return [text.removeprefix("static ") for text in imports if text.startswith("static ")]

    def _text(self, found: FoundClass, keys: frozenset[str], chains: list[list[str]]) -> None:
        self.add_keys(keys)
        for chain in chains:
            self.add_chain(chain, found)


def enclosing_classes(project: JavaProject, found: FoundClass) -> Iterator[FoundClass]:
    """The classes around a class, from the inside out."""
    name = enclosing(found.java.name)
    while name:
        yield from (one for one in project.classes(found.file) if one.java.name == name)
        name = enclosing(name)


def represents_of(found: FoundClass) -> list[str]:
    """The formulas of the ``represents`` clauses of a class."""
    return [one.clause.formula for one in found.java.clauses if one.clause.kind == "represents"]


def represented(formula: str) -> frozenset[str]:
    """The model field that a ``represents`` formula gives a meaning to, with the names before it (``this.f``)."""
    names = names_of(formula)
    if names:
        return frozenset(token.text for token in names[0].chain)
    return words_of(formula.partition("=")[0])


def body_keys(project: JavaProject, found: FoundClass, method: JavaMethod) -> tuple[frozenset[str], list[list[str]]]:
    """The names in a method's body, and the dotted chains in it; nothing where it has no body."""
    text = project.text(found.file) if method.body is not None else None
    if text is None or method.body is None:
        return frozenset(), []
    return _java_keys(text[method.body.start : method.body.end])


@lru_cache(maxsize=2000)
def _java_keys(text: str) -> tuple[frozenset[str], list[list[str]]]:
    keys: set[str] = set()
    chains: list[list[str]] = []
    tokens = list(tokens_of_java(text))
    for index, token in enumerate(tokens):
        if not is_name(token):
            continue
        before = tokens[index - 1].text if index else ""
        is_call = text_at(tokens, index + 1) == "(" or before == "::"
        keys.add(token.text + ("()" if is_call else ""))
        if before == "." and chains:
            chains[-1].append(token.text)
        else:
            chains.append([token.text])
    unique = {tuple(chain[:6]) for chain in chains}
    return frozenset(keys), [list(chain) for chain in sorted(unique)]
