"""What the settings of ``record:`` can name: functions with contracts, their parameters, variables they use. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from clausefit.hook.contracts.model import Contract
from clausefit.hook.java.work import JavaWork
from clausefit.hook.record.c_watched import WatchedCFunction
from clausefit.hook.record.java_watched import static_label
from clausefit.hook.record.watched import WatchedFunction, WatchedMethod


def nameable(watched: Iterable[WatchedFunction], java: JavaWork | None = None) -> Mapping[str, frozenset[str]]:
    """``Contract.function`` -> names whose values a pin of it may hold, for functions that are watched or cannot be.

    ``java`` has methods that cannot be watched as well: naming one of them is no mistake.
    """
    found: dict[str, set[str]] = {}
    for one in watched:
        names = found.setdefault(one.function, set())
        names.update(_parameters(one.contract))
        if isinstance(one, WatchedCFunction):
            names.update(one.variables)
        elif isinstance(one, WatchedMethod) and one.contract.java is not None:
            package = one.contract.java.package
            names.update(static_label(owner, field, package) for owner, field in one.statics)
    for work in java.methods if java is not None else ():
        found.setdefault(work.changed.contract.function, set()).update(_parameters(work.changed.contract))
    return {function: frozenset(names) for function, names in found.items()}


def _parameters(contract: Contract) -> set[str]:
    if contract.java is None:
        return {one.name or f"arg{number}" for number, one in enumerate(contract.parameters, 1)}
    return {"this", *(one.name for one in contract.java.parameters)}
