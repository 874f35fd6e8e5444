"""Skeletons: the classes that the clauses of a contract need, in the old Java that KeY loads.

One construct that KeY does not know stops the whole load, so nothing is copied: every declaration is written anew with
erased types, and what cannot be written is left out or left without its body, and said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from clausefit.hook.contracts.java_model import JavaMethod
from clausefit.hook.contracts.model import Contract, NotChecked
from clausefit.hook.java.erasure import OBJECT, Erasure
from clausefit.hook.java.library import KEY_LIBRARY, SUPERCLASSES
from clausefit.hook.java.names import keys_of, names_of
from clausefit.hook.java.project import FoundClass, JavaProject
from clausefit.hook.java.reach import Reach, reach_of
from clausefit.hook.java.skeleton_classes import ClassWriter
from clausefit.hook.java.types import PRIMITIVES, bound_of, simple_name, type_parameter_name, type_shape
from clausefit.hook.not_expressible import NotExpressible


@dataclass(frozen=True)
class Skeleton:
    """Java sources that KeY loads (relative path, text), and the qualified name of the class of the method.

    ``unavailable`` gives, for simple names of methods (``f()``), model fields and types that clauses use, why they
    have no meaning here: a clause that names one is undecided.
    """

    files: tuple[tuple[str, str], ...]
    class_name: str
    unavailable: tuple[tuple[str, str], ...] = ()
    _erasure: Erasure = field(repr=False, compare=False, kw_only=True)
    _found: FoundClass = field(repr=False, compare=False, kw_only=True)
    _bounds: tuple[tuple[str, str], ...] = field(default=(), repr=False, compare=False, kw_only=True)

    def erased(self, type_text: str) -> str:
        """The type by which a scene declares a variable of a source type (as the method's class would write it, or
        qualified). ``java.lang.Object`` for references to what the skeleton does not have.

        NotExpressible for exceptions whose superclass is not known: what they are instances of is not known, either.
        """
        shape = type_shape(type_text)
        text = dict(self._bounds).get(shape.name, shape.name) + "[]" * shape.dimensions
        name = self._erasure.peek(text, self._found)
        base = name.rstrip("[]")
        if self._erasure.has_unknown_supertypes(base) and self._erasure.looks_thrown(base):
            raise NotExpressible(f"the superclass of {simple_name(base)} is not known")
        return name

    def is_exact(self, type_text: str) -> bool:
        """Whether all supertypes of a type are in the skeleton, so that ``instanceof`` is decided by it."""
        name = self._erasure.peek(type_text, self._found).rstrip("[]")
        return not self._erasure.has_unknown_supertypes(name)

    def unavailable_in(self, formula: str) -> str | None:
        """Why a formula cannot be asked over this skeleton, as a sentence; None where nothing stands against it."""
        reasons = dict(self.unavailable)
        return next((reasons[name] for name in sorted(keys_of(formula)) if name in reasons), None)


def skeleton_of(
    project: JavaProject,
    found: FoundClass,
    contract: Contract,
    formulas: Sequence[str],
    pin_types: Iterable[str] = (),
    *,
    is_bare: bool = False,
) -> Skeleton | NotChecked:
    """The skeleton over which ``formulas`` of the method's effective contract can be asked. Never raises.

    ``pin_types`` are the types of the objects and values of the pins, as written or qualified. With the formulas of
    all contracts of a class there is one skeleton for all of them. ``is_bare``: without bodies and represents clauses,
    for when KeY refuses the full one all the same. NotChecked for local and anonymous classes, and for names that KeY
    cannot read.
    """
    if "$" in found.java.name:
        detail = "contracts of local and anonymous classes are not judged: give the class a name outside of the method"
        return NotChecked(contract.file, contract.function, "unsupported", detail, contract.line)
    if not found.qualified.isascii():
        detail = f"KeY does not read names outside of ASCII: `{found.qualified}` needs another one"
        return NotChecked(contract.file, contract.function, "unsupported", detail, contract.line)
    types = sorted({*pin_types, *_signature_types(contract.java)})
    reach = reach_of(project, found, contract.java, formulas, types)
    erasure = Erasure(project, dict(reach.classes))
    bounds = _bounds(found)
    for text in types:
        shape = type_shape(text)
        erasure.erased(dict(bounds).get(shape.name, shape.name), found)
    thrown = _name_types(formulas, found, erasure, contract.java)
    writer = ClassWriter(project, reach, erasure, is_bare=is_bare)
    files = writer.files() | _arrays(types, found, erasure, bounds)
    unavailable = dict(writer.unavailable)
    unavailable |= _unknown_types(thrown, erasure)
    _impure(reach, formulas, unavailable)
    return Skeleton(
        tuple(sorted(files.items())),
        found.qualified,
        tuple(sorted(unavailable.items())),
        _erasure=erasure,
        _found=found,
        _bounds=bounds,
    )


def _arrays(
    types: Iterable[str], found: FoundClass, erasure: Erasure, bounds: tuple[tuple[str, str], ...]
) -> dict[str, str]:
    """A file that names the array types of scenes: KeY knows those of objects and of arrays only where they stand."""
    shapes = [type_shape(text) for text in types]
    wanted = {
        erasure.peek(dict(bounds).get(shape.name, shape.name) + "[]" * shape.dimensions, found)
        for shape in shapes
        if shape.dimensions > 1 or (shape.dimensions and shape.name not in PRIMITIVES)
    }
    if not wanted:
        return {}
    fields = "".join(f"  public static {name} a{number};\n" for number, name in enumerate(sorted(wanted)))
    return {"cf_Arrays.java": f"public class cf_Arrays {{\n{fields}}}\n"}


def _signature_types(method: JavaMethod | None) -> list[str]:
    if method is None:
        return []
    written = [one.type for one in method.parameters]
    return written + ([method.result_type] if method.result_type not in (None, "void") else [])


def _bounds(found: FoundClass) -> tuple[tuple[str, str], ...]:
    """What type parameters of the class's methods stand for; Object where two methods differ."""
    known: dict[str, str] = {}
    for method in found.java.methods:
        for text in method.type_parameters:
            name, bound = type_parameter_name(text), type_shape(bound_of(text)).name
            known[name] = bound if known.get(name, bound) == bound else OBJECT
    return tuple(known.items())


def _name_types(
    formulas: Sequence[str], found: FoundClass, erasure: Erasure, method: JavaMethod | None
) -> dict[str, str]:
    """Put the types that formulas name into the skeleton: what they are called there, by the names in the formulas."""
    named: dict[str, str] = {}
    for formula in formulas:
        for name in names_of(formula):
            if name.is_bound:
                continue
            for size in range(1, len(name.chain) + 1):
                last = name.chain[size - 1].text
                if last[:1].isupper():
                    text = ".".join(token.text for token in name.chain[:size])
                    if not _is_constant(text, erasure):
                        named[last] = erasure.erased(text, found, method)
                    break
    return named


def _is_constant(name: str, erasure: Erasure) -> bool:
    """Whether a capital name is that of a field of the class or of one around (``MAX``)."""
    return any(one.name == name for java in erasure.classes.values() for one in java.java.fields)


def _unknown_types(named: dict[str, str], erasure: Erasure) -> dict[str, str]:
    """Types whose ``instanceof`` cannot be decided: the library's, where classes have supertypes that are not known."""
    known = {*erasure.classes, *erasure.shallow}
    is_open = any(erasure.has_unknown_supertypes(one) for one in known)
    found: dict[str, str] = {}
    for written, full in named.items():
        is_library = full not in known and full != OBJECT
        if is_library and erasure.looks_thrown(full) and erasure.has_unknown_supertypes(full):
            found[written] = f"the superclass of {written} is not known"
        elif is_library and is_open and full not in KEY_LIBRARY and full not in SUPERCLASSES:
            found[written] = f"which classes have the supertype {written} is not known"
    return found


def _impure(reach: Reach, formulas: Sequence[str], unavailable: dict[str, str]) -> None:
    """Note the methods that formulas call although they are not pure (JML Reference Manual, "Pure methods")."""
    called = {key for formula in formulas for key in keys_of(formula)}
    for _owner, method in reach.methods.values():
        is_plain = f"{method.name}()" in called and method.name not in ("equals", "hashCode", "toString", "compareTo")
        if is_plain and not _is_pure(method, reach):
            unavailable.setdefault(f"{method.name}()", f"`{method.name}` is not declared pure")


def _is_pure(method: JavaMethod, reach: Reach) -> bool:
    """Whether a method, or one that it may override, is pure; all of one name and number of parameters count alike."""
    return any(
        other.is_pure or other.is_model
        for _owner, other in reach.methods.values()
        if other.name == method.name and len(other.parameters) == len(method.parameters)
    )
