"""What judging Java needs: a JDK and KeY, which Maven fetches; OpenJML where somebody wants it.

Nothing is fetched here. Where KeY is at hand it is asked two questions whose answers are known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from clausefit.hook.config import Config
from clausefit.hook.doctor_checks import Asker, Check, Environment, safe, version_in, versioned
from clausefit.hook.visible import shortened
from clausefit.verifiers import key_tools, openjml_tools
from clausefit.verifiers.key_driver import KeyDriver, KeyQuestion, KeyScene, KeySkeleton
from clausefit.verifiers.process import Completed
from clausefit.verifiers.protocol import VerifierProblem

APT_JDK = "apt-get install --no-install-recommends openjdk-17-jdk-headless"
APT_MAVEN = "apt-get install --no-install-recommends maven"
_OPENJML_HOME = "correct the setting `openjml` or the variable OPENJML_HOME, or drop it"
_PROBE = """public class Probe {
    public /*@ pure @*/ static int twice(int n) { return n <= 0 ? 0 : 2 + twice(n - 1); }
}
"""
_PROBE_SCENE = KeyScene(
    "Probe",
    r"n == 2 && \result == 4",
    (KeyQuestion("right", r"\result == twice(n)"), KeyQuestion("wrong", r"\result == n", "refute")),
    (("int", "n"),),
    "int",
    is_static=True,
    pure=True,
    seconds=20.0,
)
_PROBE_ANSWERS = {"right": "accepted", "wrong": "rejected"}


def checks_of_java(ask: Asker, environment: Environment, settings: Config) -> list[Check]:
    """The checks of everything that only Java needs, in the order in which things build on one another.

    A check that has no sense because an earlier one failed is left out. Raises OSError.
    """
    checks: list[Check] = []
    if "key" in settings.verifiers:
        checks += _key(ask, environment, settings)
    if "openjml" in settings.verifiers:
        checks.append(_openjml(ask, environment, settings))
    return [replace(check, language="Java") for check in checks]


def _key(ask: Asker, environment: Environment, settings: Config) -> list[Check]:
    program, java = _java(ask)
    checks = [java]
    cache = environment.cache_folder
    named = environment.workspace / settings.key_jars if settings.key_jars is not None else None
    try:
        # What was made before needs no compiler: the image has a Java runtime only.
        if key_tools.ready_folder() is None:
            checks.append(_javac(ask, program))
        jars = key_tools.jars_at_hand(cache=cache, jars=named)
    except VerifierProblem as problem:
        broken = Check("key", "broken", safe(str(problem)), _mend_jars(settings))
        return [*checks, broken] if settings.key_jars is not None else [*checks, _maven(ask), broken]
    if jars is None:
        checks.append(_maven(ask))
        return [*checks, Check("key", "warn", "not fetched yet", _how_it_comes(checks), needed=False)]
    lacking = _lacking(checks)
    if lacking:
        todo = f"install {lacking} (above); Maven is not needed, as the jars are there"
        return [*checks, Check("key", "warn", "its jars are there, but nothing to run them", todo, needed=False)]
    return [*checks, _key_proves(ask, cache, jars)]


def _maven(ask: Asker) -> Check:
    """Maven, which is needed only to fetch KeY."""
    return versioned(ask("mvn", "-B", "-v"), "maven", APT_MAVEN, "-v")


def _lacking(checks: Sequence[Check]) -> str:
    """The names of what is needed and is not there, as part of a sentence."""
    return ", ".join(check.name for check in checks if check.failed)


def _how_it_comes(checks: Sequence[Check]) -> str:
    """What is to be done for KeY to be fetched."""
    lacking = _lacking(checks)
    if not lacking:
        return "nothing to do: the first check of Java contracts fetches 11 MB by Maven"
    todo = f"install {lacking} (above): then the first check of Java contracts fetches 11 MB by Maven"
    return (
        todo if "maven" not in lacking else f"{todo}; without Maven: set `key_jars` to a folder that holds KeY's jars"
    )


def _java(ask: Asker) -> tuple[str, Check]:
    """The program that KeY would be run by, and what it says of itself."""
    said: list[Completed] = []

    def run(
        argv: Sequence[str], *, cwd: Path, timeout: float, environment: Mapping[str, str] | None = None
    ) -> Completed:
        said.append(ask.run(argv, cwd=cwd, timeout=timeout, environment=environment))
        return said[-1]

    try:
        program = key_tools.find_java(run)
    except VerifierProblem as problem:
        return "java", Check("java", "broken" if said else "missing", safe(str(problem)), APT_JDK)
    return program, Check("java", "ok", version_in(said[-1].stderr or said[-1].stdout))


def _javac(ask: Asker, java: str) -> Check:
    program = str(Path(java).with_name("javac")) if "/" in java else "javac"
    check = versioned(ask(program, "-version"), "javac", APT_JDK, "-version")
    if check.state == "missing":
        return replace(check, found="not found: a Java runtime alone is not enough")
    return check


def _openjml(ask: Asker, environment: Environment, settings: Config) -> Check:
    """OpenJML is a second opinion, and needed only where the settings have it alone."""
    named = settings.openjml is not None or bool(environment.variables.get(openjml_tools.HOME_VARIABLE))
    alone = settings.verifiers == ("openjml",)
    setting = Path(settings.openjml) if settings.openjml is not None else None
    try:
        found = openjml_tools.find(setting, variables=environment.variables, run=ask.run)
    except VerifierProblem as problem:
        if named:
            return Check("openjml", "broken" if alone else "warn", safe(str(problem)), _OPENJML_HOME, needed=alone)
        return Check(
            "openjml",
            "missing" if alone else "note",
            "not found" if alone else "not found; what KeY leaves undecided stays so",
            openjml_tools.HOW_TO_ADD if alone else f"if you want it: {openjml_tools.HOW_TO_ADD}",
            needed=alone,
        )
    return Check("openjml", "ok", f"{safe(found.version)} ({safe(found.program)})", needed=alone)


def _mend_jars(settings: Config) -> str:
    if settings.key_jars is not None:
        return "put the jars that verifiers/key/checksums.txt names into the folder `key_jars`, or drop that setting"
    return "remove that folder; Maven fetches it again when it is needed"


def _key_proves(ask: Asker, cache: Path | None, jars: Path) -> Check:
    """Whether KeY, set up from jars that are there, proves what is known to be true and refutes what is not."""
    skeleton = ask.folder / "probe"
    skeleton.mkdir()
    (skeleton / "Probe.java").write_text(_PROBE, encoding="ascii")
    try:
        installation = key_tools.install(cache=cache, jars=jars, run=ask.run)
        with KeyDriver(installation) as driver:
            answer = driver.ask(KeySkeleton(skeleton), _PROBE_SCENE)
    except VerifierProblem as problem:
        return Check("key", "broken", safe(str(problem)), f"{APT_JDK}; if that does not help, remove {jars.parent}")
    judged = answer.judgements
    if answer.contradictory or {name: one.verdict for name, one in judged.items()} != _PROBE_ANSWERS:
        why = "; ".join(sorted({one.detail or one.verdict for one in judged.values()}))
        return Check(
            "key", "broken", f"proves nothing ({shortened(safe(why), 200)})", f"remove {safe(str(jars.parent))}"
        )
    return Check("key", "ok", f"proves (KeY {safe(key_tools.key_version())})")
