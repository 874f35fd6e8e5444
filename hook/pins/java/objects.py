"""Classes and objects at run time: initialisation (JLS 12.4), creation (JLS 12.5), invocation of the project's code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from clausefit.hook.pins.java.classes import ClassInfo, MethodInfo
from clausefit.hook.pins.java.code import Body, Compiler, Return
from clausefit.hook.pins.java.heap import forget, reachable, spoil, static_roots, unknown_call
from clausefit.hook.pins.java.jdk import is_throwable
from clausefit.hook.pins.java.observing import Watched, came_from, observe, returned, threw, unfinished
from clausefit.hook.pins.java.overloads import implementation
from clausefit.hook.pins.java.values import (
    NULL,
    VOID,
    Env,
    Heap,
    JavaThrow,
    Null,
    Obj,
    Stop,
    Str,
    Unknown,
    Value,
    Void,
)

T = TypeVar("T")
# Superclasses whose constructors do nothing that matters.
_EMPTY = ("java.lang.Object", "java.lang.Record", "java.lang.Enum")


class Site:
    """Where a call stands."""

    __slots__ = ("file", "line")

    def __init__(self, file: str, line: int) -> None:
        self.file = file
        self.line = line


# -- classes


def initialise(c: Compiler, info: ClassInfo) -> None:
    """Initialise a class if that has not been done: superclass first, then its static parts in order."""
    run = c.current
    if info.qualified in run.initialised:
        return
    if info.inside.trouble:
        raise Stop(info.inside.trouble)
    run.initialised[info.qualified] = "running"
    above = info.inside.superclass
    if isinstance(above, ClassInfo):
        initialise(c, above)
    for one in () if info.is_interface else info.inside.interfaces:
        if isinstance(one, ClassInfo):
            _initialise_defaulting(c, one)
    for field in info.inside.fields.values():
        if field.is_static:
            constant = c.constant(field)
            run.statics[field.key] = constant if constant is not None else run.default_of(field.type.erased)
    body = c.static_initialiser(info)
    run.depth += 1
    try:
        body.action(new_env(None, body.slots))
    except JavaThrow as thrown:
        _forget_class(c, info)
        raise Stop(f"the initialisation of {info.name} throws {thrown.value.type}") from thrown
    except Stop:
        _forget_class(c, info)
        if run.handlers or run.steps > run.limits.steps:
            raise
    finally:
        run.depth -= 1
    run.initialised[info.qualified] = "done"
    if run.unknown_code_ran:
        # Unknown code may have come first and have changed what it left.
        for field in info.inside.fields.values():
            if field.is_static and not field.is_final:
                run.unknown_static(field.key, field.type.erased)


def _initialise_defaulting(c: Compiler, interface: ClassInfo) -> None:
    """An interface is initialised with a class only if it has default methods (JLS 12.4.1)."""
    for one in interface.supertypes():
        methods = [method for several in one.inside.methods.values() for method in several]
        if any(method.body is not None and not method.is_static for method in methods):
            initialise(c, one)


def _forget_class(c: Compiler, info: ClassInfo) -> None:
    """The static parts could not be followed to their end: nothing is known of what they set."""
    run = c.current
    for field in info.inside.fields.values():
        if field.is_static and c.constant(field) is None:
            run.unknown_static(field.key, field.type.erased)
    spoil(run, [], is_project_code=True)


# -- objects


def allocate(c: Compiler, info: ClassInfo) -> Obj:
    """A new object with default values in its fields."""
    run = c.current
    made = Obj(run.next_serial(), info.qualified, info)
    for one in info.superclasses():
        for field in one.inside.fields.values():
            if not field.is_static:
                made.fields[field.key] = run.default_of(field.type.erased)
    return made


def construct(
    c: Compiler, info: ClassInfo, constructor: MethodInfo, arguments: Sequence[Value], env: Env | None, site: Site
) -> Value:
    """``new``: the class is initialised already. Raises JavaThrow and Stop as the constructor does."""
    run = c.current
    if "abstract" in info.modifiers or info.is_interface:
        raise Stop(f"the class {info.name} is abstract")
    converted = [run.convert(v, p.type.erased) for v, p in zip(arguments, constructor.parameters, strict=True)]
    made = allocate(c, info)
    if env is not None:
        made.enclosing[info.qualified] = env

    def body() -> Value:
        run_constructor(c, made, constructor, converted)
        return made

    return _watched_call(c, constructor, made, converted, site, body)


def run_constructor(c: Compiler, made: Obj, constructor: MethodInfo, arguments: Sequence[Value]) -> None:
    """Run a constructor on an object that is allocated, with those that it calls and the instance initializers."""
    body = c.body(constructor)
    env = _environment(made, body, arguments)
    _nested(c, lambda: body.action(env))


def run_instance_parts(c: Compiler, made: Obj, info: ClassInfo) -> None:
    """Run field initializers and initializer blocks of one class."""
    body = c.instance_initialiser(info)
    body.action(_environment(made, body, ()))


def library_super(c: Compiler, made: Obj, name: str, arguments: list[Value]) -> None:
    """The constructor of a superclass that is not of the project."""
    run = c.current
    if name in _EMPTY or (name == "java.lang.Object" and not arguments):
        return
    if is_throwable(name):
        set_throwable(made, arguments)
        return
    unknown_call(run, [made, *arguments], "", f"the constructor of {name or 'a class that is not known'} is called")


def set_throwable(made: Obj, arguments: list[Value]) -> None:
    """What the constructors that all exceptions have in common set: (), (message), (cause), (message, cause)."""
    made.message, made.cause = NULL, NULL
    if not arguments:
        return
    first = arguments[0]
    if isinstance(first, Obj) or (isinstance(first, Unknown) and "String" not in first.type):
        made.cause = first
        made.message = Unknown("java.lang.String")
    elif isinstance(first, Str | Null | Unknown):
        made.message = first
    else:
        made.message = Unknown("java.lang.String")
    if len(arguments) > 1:
        made.cause = arguments[1]


# -- calls


def new_env(this: Obj | None, slots: int) -> Env:
    """Room for the local variables of a body. Java reads none of them before it is assigned (JLS 16)."""
    return Env(this, [NULL] * slots)


def _environment(this: Obj | None, body: Body, arguments: Sequence[Value]) -> Env:
    env = new_env(this, body.slots)
    for slot, value in zip(body.parameters, arguments, strict=True):
        env.locals[slot] = value
    return env


def _nested(c: Compiler, action: Callable[[], T]) -> T:
    run = c.current
    run.tick()
    if run.depth >= run.limits.depth:
        raise Stop(f"calls are nested more than {run.limits.depth} deep")
    run.depth += 1
    try:
        return action()
    except RecursionError:
        raise Stop("calls and expressions are nested too deeply") from None
    finally:
        run.depth -= 1


def invoke_virtual(c: Compiler, method: MethodInfo, this: Obj, arguments: Sequence[Value], site: Site) -> Value:
    """Call a method on an object: the code is that of the object's class."""
    if this.info is None:
        raise Stop(f"{method.name} is called on an object of the JDK")
    key = (this.info.qualified, id(method))
    if key not in c.implementations:
        c.implementations[key] = implementation(method, this.info)
    found = c.implementations[key]
    if found is None:
        values = [this, *arguments]
        return unknown_call(c.current, values, method.result.erased, f"it is not known which {method.name} is called")
    result = invoke(c, found, this, arguments, site)
    # A covariant or generic method may give a primitive's wrapper where the code gives a primitive, never otherwise.
    return c.current.convert(result, method.result.erased)


def invoke(c: Compiler, method: MethodInfo, this: Obj | None, arguments: Sequence[Value], site: Site) -> Value:
    """Call this very method. Raises JavaThrow and Stop as its code does."""
    run = c.current
    if method.is_static:
        initialise(c, method.owner)
    if method.is_abstract:
        values = [*([this] if this is not None else []), *arguments]
        return unknown_call(run, values, method.result.erased, f"{method.name} has no code")
    if method.owner.inside.trouble:
        raise Stop(method.owner.inside.trouble)
    converted = [run.convert(v, p.type.erased) for v, p in zip(arguments, method.parameters, strict=True)]
    return _watched_call(c, method, this, converted, site, lambda: _execute(c, method, this, converted))


def _execute(c: Compiler, method: MethodInfo, this: Obj | None, arguments: Sequence[Value]) -> Value:
    body = c.body(method)
    env = _environment(this, body, arguments)
    completion = _nested(c, lambda: body.action(env))
    if isinstance(completion, Return):
        return c.current.convert(completion.value, method.result.erased)
    return VOID


def _watched_call(
    c: Compiler,
    method: MethodInfo,
    this: Obj | None,
    arguments: Sequence[Value],
    site: Site,
    body: Callable[[], Value],
) -> Value:
    """Run a call of the project; observe it if it is watched.

    After a watched call that is not followed, or one that a test makes, the test goes on: what it could write is
    forgotten.
    """
    run = c.current
    is_watched = bool(method.signature) and len(run.calls) < run.limits.calls
    if not is_watched and run.depth != 1:
        return body()
    receiver = None if method.is_constructor else this
    reach = reachable([*([this] if this is not None else []), *arguments, *static_roots(run), *run.escaped])
    run.steps += len(reach) // 4
    watched = None
    if is_watched:
        is_in_test = site.file == run.test_file and not run.around
        watched = observe(run, method, receiver, arguments, site.file, site.line, is_in_test)
    depth, around = run.depth, len(run.around)
    try:
        result = body()
    except JavaThrow as thrown:
        if watched is not None:
            threw(run, watched, thrown.value)
        raise
    except Stop as stop:
        if watched is not None:
            unfinished(run, watched, stop.reason)
        if run.handlers or run.steps > run.limits.steps:
            raise
        run.depth, run.around[around:] = depth, []
        return _given_up(c, method, reach, watched)
    return returned(run, watched, result) if watched is not None else result


def _given_up(c: Compiler, method: MethodInfo, reach: list[Heap], watched: Watched | None) -> Value:
    """What is left of a call that could not be followed: all that it could reach may have changed."""
    run = c.current
    for one in reach:
        forget(run, one)
    spoil(run, reach, is_project_code=True)
    if method.is_constructor:
        result: Value = Unknown(method.owner.qualified, is_nonnull=True)
    else:
        result = VOID if method.result.erased == "void" else Unknown(method.result.erased)
    if watched is None or isinstance(result, Void):
        return result
    return came_from(run, watched.call, result)
