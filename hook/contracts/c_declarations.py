"""What a file-scope declaration declares: its head's tokens → functions and variables, by the tree-sitter grammar.

Macros in a head (``u8 __user *dst``, ``__init int f(void)``) are no C grammar's business: a head that does not
parse is parsed once more without the words that can only be macros.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

import tree_sitter_c
from clausefit.hook.contracts.acsl_tokens import Token, fold
from clausefit.hook.contracts.c_macros import KEYWORDS, without_attributes, without_macros
from clausefit.hook.contracts.model import Parameter
from tree_sitter import Language, Node, Parser

_PARSER = Parser(Language(tree_sitter_c.language()))
# A head is a few lines; a longer one is generated or hostile, and error recovery on it would be slow.
_HEAD_LIMIT = 4000
_WRAPPERS = frozenset({"parenthesized_declarator", "attributed_declarator", "init_declarator"})
_FOLLOW = _WRAPPERS | {"pointer_declarator", "array_declarator", "function_declarator"}
_NO_TYPE = frozenset({"_Noreturn", "noreturn", "__extension__"})


@dataclass(frozen=True)
class Function:
    """A declared function; ``offset`` is that of its name."""

    name: str
    offset: int
    return_type: str | None
    parameters: tuple[Parameter, ...]
    is_static: bool
    is_variadic: bool


_ARITHMETIC = frozenset(
    {
        *("char", "short", "int", "long", "signed", "unsigned", "float", "double", "_Bool", "bool"),
        *("size_t", "ssize_t", "ptrdiff_t", "wchar_t", "int8_t", "int16_t", "int32_t", "int64_t"),
        *("uint8_t", "uint16_t", "uint32_t", "uint64_t"),
    }
)


@dataclass(frozen=True)
class Variable:
    """A declared file-scope variable; ``offset`` is that of its name."""

    name: str
    offset: int
    is_array: bool
    is_const: bool
    is_volatile: bool
    is_static: bool
    is_extern: bool
    may_point: bool = True


Declared = tuple[Function | Variable, ...]


def declared(head: Sequence[Token], is_body: bool) -> Declared | None:
    """The functions and variables that a head declares; None when it cannot be read.

    Empty for what declares no object (a typedef, a struct). ``is_body`` says that a function's body follows.
    """
    if any(token.text == "typedef" for token in head[:3]):
        return ()
    if not head or len(head) > _HEAD_LIMIT:
        return None
    plain, old_style = _old_style_split(without_attributes(head))
    found = _parse(plain, is_body)
    if found is None:
        found = _parse(without_macros(plain), is_body)
    if is_body and found is not None:
        return tuple(_with_old_style(one, old_style) if isinstance(one, Function) else one for one in found)
    return found


def _parse(head: Sequence[Token], is_body: bool) -> Declared | None:
    snippet = _Snippet(head, "{}" if is_body else ";")
    root = _PARSER.parse(snippet.data).root_node
    if root.has_error or root.named_child_count != 1:
        return None
    node = root.named_children[0]
    if node.type in ("struct_specifier", "union_specifier", "enum_specifier", "type_definition"):
        return ()
    if node.type != ("function_definition" if is_body else "declaration"):
        return None
    specifiers = _Specifiers(node, snippet)
    if specifiers.has_macro:
        return None
    found = [_one(declarator, specifiers, snippet) for declarator in node.children_by_field_name("declarator")]
    kept = tuple(one for one in found if one is not None)
    if len(kept) != len(found) or any(one.name in KEYWORDS for one in kept):
        return None
    if is_body and not (len(kept) == 1 and isinstance(kept[0], Function)):
        return None
    return kept


class _Snippet:
    """A head as UTF-8 with the way back from its bytes to the file's characters."""

    def __init__(self, head: Sequence[Token], tail: str) -> None:
        self._tokens = head
        self._starts: list[int] = []
        data = bytearray()
        for index, token in enumerate(head):
            if index and head[index - 1].end != token.start:
                data += b" "
            self._starts.append(len(data))
            data += token.text.encode("utf-8", "replace")
        self.data = bytes(data) + tail.encode()

    def text(self, node: Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def between(self, start: int, end: int) -> str:
        return self.data[start:end].decode("utf-8", "replace").strip()

    def offset(self, node: Node) -> int:
        return self._tokens[bisect_right(self._starts, node.start_byte) - 1].start


class _Specifiers:
    """What stands before the declarators: storage classes and the type."""

    def __init__(self, node: Node, snippet: _Snippet) -> None:
        self.storage: set[str] = set()
        self.qualifiers: set[str] = set()
        self.type: str | None = None
        words: list[str] = []
        involved = self.has_macro = False
        for index, child in enumerate(node.children):
            field = node.field_name_for_child(index)
            if field == "declarator":
                break
            text = snippet.text(child)
            if child.type == "storage_class_specifier":
                self.storage.add(text)
            elif child.type == "type_qualifier":
                if text not in _NO_TYPE:
                    self.qualifiers.add(text)
                    words.append(text)
            elif field == "type":
                # `asmlinkage long`: the grammar takes any name beside a keyword of a type.
                self.has_macro |= child.type == "sized_type_specifier" and any(
                    part.type == "type_identifier" for part in child.children
                )
                body = child.child_by_field_name("body")
                if body is not None:
                    involved = child.child_by_field_name("name") is None
                    text = snippet.between(child.start_byte, body.start_byte)
                words.append(text)
        if words and not involved:
            self.type = " ".join(words)


def _one(declarator: Node, specifiers: _Specifiers, snippet: _Snippet) -> Function | Variable | None:
    """One declarator; None when the grammar gives no name."""
    chain: list[Node] = []
    current: Node | None = declarator
    while current is not None and current.type in _FOLLOW:
        chain.append(current)
        current = _inner(current)
    if current is None or current.type != "identifier":
        return None
    name, offset = snippet.text(current), snippet.offset(current)
    around = [part for part in reversed(chain) if part.type not in _WRAPPERS]
    if around and around[0].type == "function_declarator":
        parameters = around[0].child_by_field_name("parameters")
        listed = _parameters(parameters, snippet) if parameters is not None else ()
        variadic = parameters is not None and any(c.type == "variadic_parameter" for c in parameters.children)
        result = _return_type(specifiers, around[1:], snippet)
        return Function(name, offset, result, listed, "static" in specifiers.storage, variadic)
    pointer = next((part for part in around if part.type == "pointer_declarator"), None)
    own = specifiers.qualifiers if pointer is None else _qualifiers(pointer, snippet)
    return Variable(
        name,
        offset,
        is_array=bool(around) and around[0].type == "array_declarator",
        is_const="const" in own,
        is_volatile="volatile" in own,
        is_static="static" in specifiers.storage,
        is_extern="extern" in specifiers.storage,
        may_point=_may_point(specifiers, around),
    )


def _may_point(specifiers: _Specifiers, around: Sequence[Node]) -> bool:
    """Whether an object of this declaration may hold an address: all but arithmetic types known by their name."""
    if any(part.type != "array_declarator" for part in around) or specifiers.type is None:
        return True
    words = [word for word in specifiers.type.split() if word not in ("const", "volatile")]
    return words[:1] != ["enum"] and not all(word in _ARITHMETIC for word in words)


def _inner(node: Node) -> Node | None:
    found = node.child_by_field_name("declarator")
    if found is None:
        found = next((c for c in node.named_children if c.type in _FOLLOW or c.type == "identifier"), None)
    return found


def _qualifiers(pointer: Node, snippet: _Snippet) -> set[str]:
    return {snippet.text(child) for child in pointer.children if child.type == "type_qualifier"}


def _return_type(specifiers: _Specifiers, outer: Sequence[Node], snippet: _Snippet) -> str | None:
    """The type's words and the pointers around the function's name; None for anything more involved."""
    if specifiers.type is None or any(part.type != "pointer_declarator" for part in outer):
        return None
    stars = ""
    for pointer in reversed(outer):
        stars += "*" + " ".join(snippet.text(child) for child in pointer.children if child.type == "type_qualifier")
    return f"{specifiers.type} {stars}" if stars else specifiers.type


def _parameters(parameters: Node, snippet: _Snippet) -> tuple[Parameter, ...]:
    listed: list[Parameter] = []
    for child in parameters.named_children:
        if child.type == "identifier":
            listed.append(Parameter("", snippet.text(child)))
        elif child.type == "parameter_declaration":
            listed.append(Parameter(_parameter_name(child, snippet), snippet.text(child)))
    if len(listed) == 1 and listed[0] == Parameter("", "void"):
        return ()
    return tuple(listed)


def _parameter_name(parameter: Node, snippet: _Snippet) -> str:
    current = parameter.child_by_field_name("declarator")
    while current is not None and current.type in _FOLLOW:
        current = _inner(current)
    return snippet.text(current) if current is not None and current.type == "identifier" else ""


def _old_style_split(head: Sequence[Token]) -> tuple[Sequence[Token], dict[str, str]]:
    """The head of an old-style definition without its parameter declarations, and those by name (C17 §6.9.1).

    They are parsed apart: the grammar takes ``void *f(a, b) int a, b; {`` for a declaration.
    """
    if not head or head[-1].text != ";":
        return head, {}
    closing = next((index for index, token in enumerate(head) if token.text == ")"), len(head) - 1)
    snippet = _Snippet(head[closing + 1 :], "")
    found: dict[str, str] = {}
    for declaration in _PARSER.parse(snippet.data).root_node.named_children:
        declarators = declaration.children_by_field_name("declarator")
        for declarator in declarators:
            before = snippet.between(declaration.start_byte, declarators[0].start_byte)
            found[_declarator_name(declarator, snippet)] = f"{before} {snippet.text(declarator)}"
    return head[: closing + 1], found


def _with_old_style(function: Function, declarations: dict[str, str]) -> Function:
    """A definition cannot have parameters without names, so lone words are the names of an old-style one."""
    parameters = tuple(
        Parameter(one.declaration, declarations.get(one.declaration, f"int {one.declaration}"))
        if not one.name and one.declaration.isidentifier() and one.declaration not in KEYWORDS
        else one
        for one in function.parameters
    )
    return replace(function, parameters=parameters)


def _declarator_name(declarator: Node, snippet: _Snippet) -> str:
    current: Node | None = declarator
    while current is not None and current.type in _FOLLOW:
        current = _inner(current)
    return snippet.text(current) if current is not None else ""


def shown(head: Sequence[Token]) -> str:
    """A head for a message: folded and cut."""
    text = fold(head[:40])
    return text if len(text) <= 60 else text[:57] + "..."
