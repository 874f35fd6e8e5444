"""The settings of ``clausefit record`` (``record:``): what is run, what is left out, the limits."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from types import MappingProxyType

import yaml
from clausefit.hook.config_values import Reader, Wrong, anything, form, mapping, number, quoted, shown, text, texts
from clausefit.hook.config_values import whole_number as whole
from clausefit.hook.record.watched import RecordLimits


@dataclass(frozen=True)
class RecordSettings:
    """``commands`` are argument lists, run one after the other and never by a shell.

    ``exclude`` are globs of functions of which nothing is recorded, ``exclude_parameters`` globs of
    ``function.parameter`` whose values are never written down. A Java method is known by its signature
    (``Outer.Inner.find(int[], String)``), without the parameters, and by its name alone.
    """

    commands: tuple[tuple[str, ...], ...] = ()
    exclude: tuple[str, ...] = ()
    exclude_parameters: tuple[str, ...] = ()
    limits: RecordLimits = field(default_factory=RecordLimits)

    def leaves_out(self, function: str) -> bool:
        """Whether nothing may be recorded of the function (``Contract.function``)."""
        return _matches(names_of(function), self.exclude)

    def hides(self, function: str, parameter: str) -> bool:
        """Whether the values of this parameter of the function (or of a variable it uses) may not be written down."""
        return _matches([f"{name}.{parameter}" for name in names_of(function)], self.exclude_parameters)


def names_of(function: str) -> list[str]:
    """What the settings may call a function: its signature, that without parameters, and its name alone."""
    without_parameters = function.partition("(")[0]
    return list(dict.fromkeys((function, without_parameters, without_parameters.rpartition(".")[2])))


def _matches(names: Iterable[str], globs: Iterable[str]) -> bool:
    # A signature with arrays is meant as it is written, although ``[`` starts a set of characters in a glob.
    return any(name == glob or fnmatchcase(name, glob) for glob in globs for name in names)


_FOR_A_SHELL = frozenset({"&&", "||", "|", ";", "&", ">", ">>", "<", "2>", "2>&1"})
_LIMITS: Mapping[str, Reader] = MappingProxyType(
    {
        "distinct_calls": whole(1, 10_000),
        "hits": whole(1, 1_000_000),
        "depth": whole(0, 32),
        "elements": whole(1, 4096),
        "text": whole(1, 1 << 16),
        "slowdown": number(0.0, 100.0),
        "call_seconds": number(0.1, 86400.0),
    }
)


def record_settings(node: yaml.Node) -> RecordSettings:
    """The value of ``record:``: a list of commands, or a mapping with ``commands`` and the rest. Raises Wrong.

    A command is a list of arguments, or a text that is cut into them as a shell would cut it.
    """
    if isinstance(node, yaml.SequenceNode):
        return RecordSettings(_commands(node))
    if not isinstance(node, yaml.MappingNode):
        raise Wrong(f"expected a list of commands or a mapping, found {shown(node)}", node)
    return RecordSettings(**_MAPPING(node))


def _commands(node: yaml.Node) -> tuple[tuple[str, ...], ...]:
    if not isinstance(node, yaml.SequenceNode):
        raise Wrong(f"expected a list of commands, found {shown(node)}", node)
    return tuple(_command(one) for one in node.value)


def _command(node: yaml.Node) -> tuple[str, ...]:
    if isinstance(node, yaml.SequenceNode):
        arguments = [text(anything)(one) for one in node.value]
    else:
        whole_command = text(anything)(node)
        try:
            arguments = shlex.split(whole_command)
        except ValueError as error:  # a quote or an escape without its end
            raise Wrong(f"{quoted(whole_command)} cannot be cut into arguments: {str(error).lower()}", node) from error
        odd = next((one for one in arguments if one in _FOR_A_SHELL), None)
        if odd is not None:
            hint = "no shell runs it: write several commands, or a list of arguments (`[sh, -c, …]`)"
            raise Wrong(f"{quoted(whole_command)} has a `{odd}`, but {hint}", node)
    if not arguments:
        raise Wrong("a command is empty", node)
    if arguments[0].startswith("-"):
        raise Wrong(f"{quoted(arguments[0])} starts with a dash, so it is no command: each item is a whole one", node)
    return tuple(arguments)


def _limits(node: yaml.Node) -> RecordLimits:
    return RecordLimits(**mapping(_LIMITS)(node))


_MAPPING: Reader = mapping(
    {
        "commands": _commands,
        "exclude": texts(anything),
        "exclude_parameters": texts(form(r".+\..+", "`function.parameter`")),
        "limits": _limits,
    }
)
