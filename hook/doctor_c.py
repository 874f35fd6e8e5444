"""What judging C needs: a compiler, Frama-C with WP, Why3 and a prover.

Nothing is believed for its name: WP is asked a small question whose answer is known, for each prover.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from clausefit.hook.doctor_checks import Asker, Check, Environment, failure, first_line, safe, versioned
from clausefit.hook.visible import shortened
from clausefit.verifiers.process import Completed

LEAST_FRAMA_C = 25
PROVERS = ("cvc4", "z3")
APT_ALL = "apt-get install --no-install-recommends frama-c-base why3 z3 cvc4"
_PROBE_SECONDS = 60.0
# Needs a prover: Qed, WP's own simplifier, does not instantiate the axiom.
_PROBE = r"""/*@ axiomatic Probe {
      logic integer probe(integer n);
      axiom zero: probe(0) == 0;
      axiom next: \forall integer n; probe(n + 1) == probe(n) + 1;
    }
*/
/*@ assigns \nothing;
    ensures answer: probe(2) == 2;
*/
void question(void) {}
"""
_PROBE_GOAL = re.compile(r"Goal typed_question_ensures_answer : Valid\b")


def checks_of_c(ask: Asker, environment: Environment) -> list[Check]:
    """The checks of everything that only C needs, in the order in which things build on one another.

    A check that has no sense because an earlier one failed is left out.
    """
    gcc = versioned(ask("gcc", "--version"), "gcc", "apt-get install gcc libc6-dev")
    frama_c = _frama_c(ask)
    why3 = _why3(ask)
    checks = [gcc, frama_c, why3]
    if why3.state == "ok":
        known = _known_provers(ask)
        checks.append(_why3_configuration(environment, known))
        provers = [_prover(ask, prover, known) for prover in PROVERS]
        checks += _provers_together(provers)
        usable = [prover for prover in PROVERS if prover in known]
        if frama_c.state == "ok" and usable:
            checks.append(_wp(ask, usable))
    return [replace(check, language="C") for check in checks]


def _frama_c(ask: Asker) -> Check:
    done = ask("frama-c", "-version")
    if done is None:
        return Check("frama-c", "missing", "not found", f"{APT_ALL} && why3 config detect")
    if done.exit_status != 0:
        return Check("frama-c", "broken", failure(done), "run `frama-c -version` by hand")
    found = first_line(done.stdout)
    major = re.match(r"\d+", found)
    if major is None or int(major[0]) < LEAST_FRAMA_C:
        return Check(
            "frama-c",
            "broken",
            found,
            f"install Frama-C {LEAST_FRAMA_C} or newer (Debian 12 and later have it: {APT_ALL})",
        )
    return Check("frama-c", "ok", found)


def _why3(ask: Asker) -> Check:
    return versioned(ask("why3", "--version"), "why3", "apt-get install why3 && why3 config detect")


def _known_provers(ask: Asker) -> dict[str, str]:
    """Prover -> name with version, of those that Why3 has in its configuration."""
    done = ask("why3", "config", "list-provers")
    known: dict[str, str] = {}
    for line in done.stdout.splitlines() if done is not None and done.exit_status == 0 else ():
        words = line.split()
        if len(words) >= 2:
            known.setdefault(words[0].lower(), safe(" ".join(words[:2])))
    return known


def _why3_configuration(environment: Environment, known: Mapping[str, str]) -> Check:
    named = environment.variables.get("WHY3CONFIG")
    path = Path(named) if named else environment.home / ".why3.conf"
    if not path.is_file():
        return Check("why3 configuration", "missing", f"no file {safe(str(path))}", "why3 config detect")
    if not known:
        return Check(
            "why3 configuration",
            "broken",
            f"{safe(str(path))} names no prover",
            f"apt-get install {' '.join(PROVERS)} && why3 config detect",
        )
    return Check("why3 configuration", "ok", safe(str(path)))


def _prover(ask: Asker, prover: str, known: Mapping[str, str]) -> Check:
    if prover in known:
        return Check(prover, "ok", known[prover])
    if ask(prover, "--version") is None:
        return Check(prover, "missing", "not found", f"apt-get install {prover} && why3 config detect")
    return Check(prover, "missing", "installed, but Why3 does not know it", "why3 config detect")


def _provers_together(provers: Sequence[Check]) -> list[Check]:
    """One prover is enough to judge: a missing one is a warning beside another that is there."""
    if not any(prover.state == "ok" for prover in provers):
        return list(provers)
    return [
        prover
        if prover.state == "ok"
        else Check(prover.name, "warn", prover.found, f"{prover.todo} (fewer questions stay undecided)", needed=False)
        for prover in provers
    ]


def _wp(ask: Asker, provers: Sequence[str]) -> Check:
    """Whether WP, with each prover, proves what is known to be true."""
    (ask.folder / "probe.c").write_text(_PROBE, encoding="ascii")
    failed = {}
    for prover in provers:
        done = ask("frama-c", "-wp", "-wp-prover", prover, "-wp-timeout", "10", "probe.c", timeout=_PROBE_SECONDS)
        if done is None or not _PROBE_GOAL.search(done.stdout):
            failed[prover] = "frama-c is gone" if done is None else _complaint(done)
    worked = [prover for prover in provers if prover not in failed]
    if not failed:
        return Check("wp", "ok", f"proves with {', '.join(worked)}")
    reasons = "; ".join(f"{prover}: {reason}" for prover, reason in failed.items())
    todo = f"why3 config detect; if that does not help: {APT_ALL}"
    if worked:
        return Check("wp", "warn", f"proves with {', '.join(worked)}, not with {reasons}", todo)
    return Check("wp", "broken", f"proves nothing ({reasons})", todo)


def _complaint(done: Completed) -> str:
    """The line of Frama-C's output that says what is wrong."""
    if done.timed_out:
        return "no answer in time"
    lines = (done.stdout + "\n" + done.stderr).splitlines()
    errors = [line for line in lines if "Error" in line] or [line for line in lines if "Goal" in line]
    return shortened(safe(errors[0].strip()), 200) if errors else failure(done)
