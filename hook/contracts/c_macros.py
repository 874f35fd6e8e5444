"""Takes attributes and macro words out of the head of a declaration, so that a C grammar can read the rest."""

from __future__ import annotations

from collections.abc import Sequence

from clausefit.hook.contracts.acsl_tokens import Token

# fmt: off
_TYPES = frozenset({
    "void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "_Complex",
    "__int128", "struct", "union", "enum", "typeof", "__typeof__",
})
# fmt: on
# fmt: off
_OTHERS = frozenset({
    "static", "extern", "inline", "__inline", "__inline__", "register", "const", "volatile", "restrict",
    "__restrict", "__restrict__", "_Atomic", "_Noreturn", "typedef", "auto", "_Thread_local", "__thread",
})
# fmt: on
KEYWORDS = _TYPES | _OTHERS
_TAGGED = frozenset({"struct", "union", "enum"})
# fmt: off
_WITH_GROUP = frozenset({
    "__attribute__", "__attribute", "__declspec", "asm", "__asm__", "__asm", "_Alignas", "alignas", "__nonnull",
})
# fmt: on


def without_attributes(head: Sequence[Token]) -> list[Token]:
    """``head`` without ``__attribute__((…))``, ``asm("…")``, ``[[…]]`` and ``__extension__``."""
    kept: list[Token] = []
    index = 0
    while index < len(head):
        text = head[index].text
        if head[index].kind == "word" and text in _WITH_GROUP:
            after = index + 1
            while after < len(head) and head[after].text in ("volatile", "__volatile__"):
                after += 1
            index = _after_group(head, after)
        elif text == "[" and index + 1 < len(head) and head[index + 1].text == "[":
            index = _after_group(head, index)
        elif text == "__extension__":
            index += 1
        else:
            kept.append(head[index])
            index += 1
    return kept


def without_macros(head: Sequence[Token]) -> list[Token]:
    """``head`` without the words (and their arguments) that make no sense but as macros; may add a missing ``int``.

    Of several plain words in a row one is a type and, before ``(``, ``,`` or the end, one is the declared
    name; words that look like macros (``__user``, ``EXPORT``) go first.
    """
    tokens = _without_calls(list(head))
    kept: list[Token] = []
    index = 0
    while index < len(tokens):
        if tokens[index].kind != "word":
            kept.append(tokens[index])
            index += 1
            continue
        end = index
        while end < len(tokens) and tokens[end].kind == "word":
            end += 1
        after = tokens[end].text if end < len(tokens) else ""
        kept += _reduced(tokens[index:end], after, kept[-1].text if kept else "")
        index = end
    return _with_type(kept)


def _after_group(tokens: Sequence[Token], opening: int) -> int:
    """The index after the bracket group at ``opening``; ``opening`` itself when none starts there."""
    if opening >= len(tokens) or tokens[opening].text not in ("(", "["):
        return opening
    depth = 0
    for index in range(opening, len(tokens)):
        if tokens[index].kind == "punct":
            depth += tokens[index].text in ("(", "[")
            depth -= tokens[index].text in (")", "]")
            if depth == 0:
                return index + 1
    return len(tokens)


def _without_calls(tokens: list[Token]) -> list[Token]:
    """Drop macro calls before the declaration (``__printf(1, 2) int f(…)``) and all words after its parameters."""
    kept: list[Token] = []
    index = 0
    seen_parameters = False
    old_style = any(token.text == ";" for token in tokens)
    while index < len(tokens):
        token = tokens[index]
        end = _after_group(tokens, index)
        if end > index and token.text == "(":
            following = tokens[end] if end < len(tokens) else None
            names_macro = bool(kept) and kept[-1].kind == "word" and kept[-1].text not in KEYWORDS
            if names_macro and not seen_parameters and following is not None and _goes_on(following, tokens[end:]):
                kept.pop()
            else:
                kept += tokens[index:end]
                seen_parameters = seen_parameters or names_macro
            index = end
        elif seen_parameters and token.kind == "word" and not old_style:
            index = _after_group(tokens, index + 1)
        else:
            if token.text in (",", "="):
                seen_parameters = False
            kept.append(token)
            index += 1
    return kept


def _goes_on(following: Token, rest: Sequence[Token]) -> bool:
    """Whether what follows a ``name(…)`` is the real declaration: a type, and another parameter list."""
    starts = following.text in KEYWORDS or following.text == "*" or following.kind == "word"
    groups = sum(1 for index in range(1, len(rest)) if rest[index].text == "(" and rest[index - 1].kind == "word")
    words = 0
    for token in rest:
        if token.text == "(":
            break
        words += token.kind == "word"
    return starts and groups > 0 and (words > 1 or following.text == "*")


def _reduced(run: Sequence[Token], after: str, before: str) -> list[Token]:
    """One run of adjacent words without those that can only be macros."""
    plain = [
        token
        for index, token in enumerate(run)
        if token.text not in KEYWORDS and not (index and run[index - 1].text in _TAGGED)
    ]
    has_type = any(token.text in _TYPES for token in run)
    declares = after != "*" and run[-1].text not in KEYWORDS
    needed = int(declares) + int(not has_type and before != "*")
    if len(plain) <= needed:
        return list(run)
    name = [plain.pop()] if declares else []
    wanted = needed - len(name)
    likely = [token for token in plain if not _macro_like(token.text)] or plain
    keep = {token.start for token in (*name, *(likely[-wanted:] if wanted else ()))}
    dropped = {token.start for token in plain} - keep
    return [token for token in run if token.start not in dropped]


def _macro_like(word: str) -> bool:
    return word.startswith("__") or word.isupper()


def _with_type(tokens: list[Token]) -> list[Token]:
    """Implicit ``int``: ``f(a) { … }`` has no type at all; but ``SYSCALL_DEFINE1(foo, int, x) { … }`` is a macro."""
    if len(tokens) < 2 or tokens[0].kind != "word" or tokens[0].text in KEYWORDS or tokens[0].text.isupper():
        return tokens
    if tokens[1].text == "(":
        return [Token("word", "int", tokens[0].start - 4, tokens[0].start - 1), *tokens]
    return tokens
