"""The values of a parameterized test: one row of arguments for each time that it runs.

Sources: ``@CsvSource``, ``@ValueSource``, ``@NullSource``, ``@EmptySource``, ``@EnumSource``, and ``@MethodSource``
whose method does nothing but return its rows; and JUnit 4's ``Parameterized`` with such a method and a constructor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from clausefit.hook.java.project import JavaProject
from clausefit.hook.java.types import type_shape
from clausefit.hook.pins.java.annotations import method_node
from clausefit.hook.pins.java.certain import called, literal_text
from clausefit.hook.pins.java.conversions import (
    Maker,
    NoValues,
    TestParameter,
    converted,
    formals,
    from_text,
    parameter_of,
    unknown,
)
from clausefit.hook.pins.java.csv import CsvError, CsvFormat, csv_row
from clausefit.hook.pins.java.frameworks import TestMethod
from clausefit.hook.pins.java.imports import annotation_values, elements_of, text_of
from clausefit.hook.pins.java.numbers import PRIMITIVES
from clausefit.hook.pins.java.values import NULL
from tree_sitter import Node

_PROVIDER = "org.junit.jupiter.params.provider."
_PARAMS = "org.junit.jupiter.params."
_FACTORIES = frozenset({"Stream.of", "List.of", "Arrays.asList", "IntStream.of", "LongStream.of", "DoubleStream.of"})
_ROWS = frozenset({"Arguments.of", "Arguments.arguments", "arguments"})
_MOST_ROWS = 100


@dataclass(frozen=True)
class Row:
    """What one run of a test is given, and what its class is constructed with; ``suffix`` is how reports number it."""

    arguments: tuple[Maker, ...] = ()
    constructed_with: tuple[Maker, ...] = ()
    suffix: str = ""


def rows(project: JavaProject, test: TestMethod) -> tuple[Row, ...]:
    """The values of each run of a test, in the order in which JUnit numbers the runs.

    A test that takes no values from a source has one run; parameters that a library fills are Unknown.
    NoValues where a source is not understood.
    """
    parameters = [parameter_of(one) for one in formals(test.member.node)]
    if test.rows is not None:
        return tuple(_class_rows(project, test))
    if not test.is_parameterized:
        return (Row(tuple(unknown(one) for one in parameters), suffix="[1]" if test.is_repeated else ""),)
    return tuple(
        Row(one, suffix=f"[{number + 1}]") for number, one in enumerate(_method_rows(project, test, parameters))
    )


def _class_rows(project: JavaProject, test: TestMethod) -> Iterator[Row]:
    """JUnit 4's ``Parameterized``: the class is made anew with each row of its ``@Parameters`` method."""
    found = test.classes[-1]
    constructors = [one for one in found.java.methods if one.is_constructor and not one.is_in_comment]
    if len(constructors) != 1 or test.rows is None or test.rows.owner != found:
        raise NoValues("its class is run by Parameterized and has not one constructor")
    parameters = [TestParameter(one.type, False) for one in constructors[0].parameters]
    source = _Source(project, test, test.rows.node, parameters)
    body = _only_returned(test.rows.node)
    if body is None or not parameters:
        raise NoValues("its class is run by Parameterized, whose values cannot be read")
    for number, row in enumerate(_listed(body)):
        cells = _listed(row) if _is_row(row) else [row]
        if len(cells) != len(parameters) or number >= _MOST_ROWS:
            raise NoValues("its class is run by Parameterized, whose values cannot be read")
        makers = (converted(source.value_of(c), source.parameter(index)) for index, c in enumerate(cells))
        yield Row(constructed_with=tuple(makers), suffix=f"[{number}]")


def _method_rows(project: JavaProject, test: TestMethod, parameters: list[TestParameter]) -> list[tuple[Maker, ...]]:
    """The rows of JUnit 5's sources, in the order of the annotations."""
    found: list[tuple[Maker, ...]] = []
    for name, annotation in test.parameters:
        if name == _PARAMS + "ParameterizedTest" or not name.startswith(_PARAMS):
            continue
        reader = _READERS.get(name.removeprefix(_PROVIDER))
        if reader is None:
            raise NoValues(f"its values come from @{name.rpartition('.')[2]}")
        for row in reader(_Source(project, test, annotation, parameters)):
            # Parameters beyond the values are filled by JUnit (TestInfo) or by an extension.
            found.append((*row[: len(parameters)], *(unknown(one) for one in parameters[len(row) :])))
            if len(found) > _MOST_ROWS:
                raise NoValues(f"it has more than {_MOST_ROWS} rows of values")
    if not found:
        raise NoValues("it has no source of values that can be read")
    return found


@dataclass(frozen=True)
class _Source:
    """One annotation of a test that gives it values."""

    project: JavaProject
    test: TestMethod
    annotation: Node
    parameters: list[TestParameter]

    @property
    def values(self) -> dict[str, Node]:
        return annotation_values(self.annotation)

    def value_of(self, expression: Node) -> Maker:
        """What makes the value of an expression that stands in the class of the test."""
        file, class_name = self.test.member.owner.file, self.test.member.owner.java.name
        return lambda machine: machine.evaluate(file, class_name, expression)

    def literal(self, node: Node) -> str | None:
        """The text of a string or character literal; None for all else."""
        return literal_text(self.project.text(self.test.member.owner.file) or "", node)

    def text(self, key: str, default: str) -> str:
        """The text of an element that is one plain string or character literal."""
        node = self.values.get(key)
        if node is None:
            return default
        found = self.literal(node)
        if found is None:
            raise NoValues(f"the {key} of its source of values is not a literal")
        return found

    def parameter(self, index: int) -> TestParameter:
        """The parameter that gets the value of this column."""
        if index >= len(self.parameters):
            raise NoValues("its source has more values than the test has parameters")
        return self.parameters[index]


# -- the sources


def _csv(source: _Source) -> Iterator[tuple[Maker, ...]]:
    nulls = source.values.get("nullValues")
    null_texts = [source.literal(one) for one in elements_of(nulls)] if nulls is not None else []
    if None in null_texts:
        raise NoValues("the nullValues of its CsvSource are no literals")
    form = CsvFormat(
        source.text("delimiterString", source.text("delimiter", ",")),
        source.text("quoteCharacter", "'"),
        source.text("emptyValue", ""),
        tuple(text for text in null_texts if text is not None),
        not _is_false(source.values.get("ignoreLeadingAndTrailingWhitespace")),
    )
    lines = list(_csv_lines(source))
    if "useHeadersInDisplayName" in source.values and not _is_false(source.values["useHeadersInDisplayName"]):
        lines = lines[1:]
    for line in lines:
        try:
            fields = csv_row(line, form)
        except CsvError as error:
            raise NoValues(str(error)) from error
        yield tuple(
            from_text(field, source.parameter(index), source.project, source.test.member.owner)
            for index, field in enumerate(fields)
        )


def _csv_lines(source: _Source) -> Iterator[str]:
    block = source.values.get("textBlock")
    if block is not None:
        text = source.literal(block)
        if text is None:
            raise NoValues("the text of its CsvSource is not a plain literal")
        yield from (line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#"))
        return
    value = source.values.get("value")
    for element in elements_of(value) if value is not None else ():
        text = source.literal(element)
        if text is None:
            raise NoValues("a row of its CsvSource is not a literal")
        yield text


def _value(source: _Source) -> Iterator[tuple[Maker, ...]]:
    if len(source.values) != 1:
        raise NoValues("its ValueSource has not one kind of values")
    kind, node = next(iter(source.values.items()))
    parameter = source.parameter(0)
    for element in elements_of(node):
        if kind == "strings":
            text = source.literal(element)
            if text is None:
                raise NoValues("a value of its ValueSource is not a literal")
            yield (from_text(text, parameter, source.project, source.test.member.owner),)
        elif kind.endswith("s") and kind[:-1] in PRIMITIVES:
            yield (converted(source.value_of(element), parameter, kind[:-1]),)
        else:
            yield (unknown(parameter) if parameter.is_converted else source.value_of(element),)


def _null(source: _Source) -> Iterator[tuple[Maker, ...]]:
    source.parameter(0)
    yield ((lambda _machine: NULL),)


def _empty(source: _Source) -> Iterator[tuple[Maker, ...]]:
    shape = type_shape(source.parameter(0).type)
    if shape.dimensions == 1:
        element = shape.name if shape.name in PRIMITIVES else ""
        if element:
            yield ((lambda machine: machine.array(element, ())),)
            return
    elif shape.name in ("String", "java.lang.String"):
        yield ((lambda machine: machine.text("")),)
        return
    yield (unknown(source.parameter(0)),)


def _null_and_empty(source: _Source) -> Iterator[tuple[Maker, ...]]:
    yield from _null(source)
    yield from _empty(source)


def _enum(source: _Source) -> Iterator[tuple[Maker, ...]]:
    owner = source.test.member.owner
    value = source.values.get("value")
    written = text_of(value).removesuffix(".class") if value is not None else source.parameter(0).type
    found = source.project.find(written, owner.file, owner.java.name)
    if found is None or found.java.kind != "enum" or {"from", "to"} & set(source.values):
        raise NoValues("its EnumSource is not a plain one of an enum of the project")
    constants = [
        one.name
        for one in found.java.fields
        if one.type == found.simple and one.modifiers == ("public", "static", "final") and one.initializer is None
    ]
    names = source.values.get("names")
    listed = [source.literal(one) for one in elements_of(names)] if names is not None else []
    mode = text_of(source.values["mode"]).rpartition(".")[2] if "mode" in source.values else "INCLUDE"
    if mode not in ("INCLUDE", "EXCLUDE") or not constants:
        raise NoValues("its EnumSource has names that are patterns")
    for constant in constants:
        if names is None or (constant in listed) == (mode == "INCLUDE"):
            yield (_constant(owner.file, written, constant),)


def _constant(file: str, written: str, name: str) -> Maker:
    return lambda machine: machine.enum_constant(file, written, name)


def _method(source: _Source) -> Iterator[tuple[Maker, ...]]:
    value = source.values.get("value")
    names = (
        [source.literal(one) for one in elements_of(value)] if value is not None else [source.test.member.method.name]
    )
    for name in names:
        body = _returned(source, name or "")
        if body is None:
            raise NoValues("its MethodSource does more than return its rows")
        for row in _listed(body):
            cells = _listed(row) if _is_row(row) else [row]
            yield tuple(converted(source.value_of(c), source.parameter(index)) for index, c in enumerate(cells))


def _returned(source: _Source, name: str) -> Node | None:
    """What the source method of that name returns."""
    owner = source.test.classes[-1]
    if "#" in name or "(" in name:
        return None
    methods = [one for one in source.project.methods(owner, name) if not one[1].parameters]
    node = method_node(source.project, methods[0][0].file, methods[0][1].span) if methods else None
    if node is None or methods[0][0].java.name != source.test.member.owner.java.name:
        return None
    return _only_returned(node)


def _only_returned(method: Node) -> Node | None:
    """The list that a method returns, when that is its only statement."""
    body = method.child_by_field_name("body")
    statements = [one for one in body.named_children if "comment" not in one.type] if body is not None else []
    if len(statements) != 1 or statements[0].type != "return_statement":
        return None
    value = statements[0].named_child(0)
    return value if value is not None and _is_list(value) else None


def _is_list(node: Node) -> bool:
    if node.type == "array_creation_expression":
        dimensions = node.child_by_field_name("dimensions")
        return _is_objects(node) or (dimensions is not None and text_of(dimensions).count("[") == 1)
    return node.type == "method_invocation" and called(node) in _FACTORIES


def _is_row(node: Node) -> bool:
    is_row = node.type == "method_invocation" and called(node) in _ROWS
    return is_row or node.type == "array_initializer" or _is_objects(node)


def _is_objects(node: Node) -> bool:
    made = node.child_by_field_name("type") if node.type == "array_creation_expression" else None
    return made is not None and text_of(made) == "Object" and node.child_by_field_name("value") is not None


def _listed(node: Node) -> list[Node]:
    """The elements of a list, row or array creation."""
    inner: Node | None = node
    if node.type == "method_invocation":
        inner = node.child_by_field_name("arguments")
    elif node.type == "array_creation_expression":
        inner = node.child_by_field_name("value")
    children = [one for one in inner.named_children if "comment" not in one.type] if inner is not None else []
    if len(children) == 1 and node.type == "method_invocation" and children[0].type == "array_creation_expression":
        # A single array is taken for the elements (JLS 15.12.4.2), unless it is one of numbers.
        made = children[0].child_by_field_name("type")
        if made is None or text_of(made) in PRIMITIVES:
            raise NoValues("its rows are arrays of numbers")
        return _listed(children[0])
    return children


_READERS: dict[str, Callable[[_Source], Iterator[tuple[Maker, ...]]]] = {
    "CsvSource": _csv,
    "ValueSource": _value,
    "NullSource": _null,
    "EmptySource": _empty,
    "NullAndEmptySource": _null_and_empty,
    "EnumSource": _enum,
    "MethodSource": _method,
}


def _is_false(node: Node | None) -> bool:
    return node is not None and text_of(node) == "false"
