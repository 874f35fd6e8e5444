"""What recording needs besides (``clausefit record``): gdb that may watch programs, and the JDK's debug interface.

Who only judges needs neither: what is missing is a warning.
"""

from __future__ import annotations

from clausefit.hook.doctor_checks import Asker, Check, Language, failure, first_line, version_in
from clausefit.hook.doctor_java import APT_JDK

_APT_GDB = "apt-get install --no-install-recommends gdb"
_ONLY = "only `clausefit record` needs it"
_PTRACE = (
    "let programs be traced (docker run --cap-add=SYS_PTRACE --security-opt seccomp=unconfined; elsewhere see "
    f"/proc/sys/kernel/yama/ptrace_scope); {_ONLY}"
)


def check_of_gdb(ask: Asker) -> Check:
    """Whether gdb is there, has its Python, and may run a program under it."""
    done = ask("gdb", "-nx", "-nh", "-batch", "-ex", "python print('python works')", "-ex", "run", "--args", "true")
    if done is None:
        return _warn("gdb", "not found: calls of C functions cannot be recorded", f"{_APT_GDB}; {_ONLY}", "C")
    if "python works" not in done.stdout:
        return _warn("gdb", f"has no Python, or does not start ({failure(done)})", f"{_APT_GDB}; {_ONLY}", "C")
    if "exited normally" not in done.stdout:
        return _warn("gdb", f"may not watch a program: {first_line(done.stderr)}", _PTRACE, "C")
    version = ask("gdb", "--version")
    found = version_in(version.stdout) if version is not None else ""
    return Check("gdb", "ok", f"{found} (records calls)", needed=False, language="C")


def check_of_jdi(ask: Asker) -> Check:
    """Whether Java has the module with the Java Debug Interface, which only a JDK has."""
    done = ask("java", "--list-modules")
    if done is None:
        return _warn("jdi", "no java: calls of Java methods cannot be recorded", f"{APT_JDK}; {_ONLY}", "Java")
    module = next((line for line in done.stdout.splitlines() if line.startswith("jdk.jdi@")), None)
    if module is None:
        return _warn("jdi", "this Java has no jdk.jdi: it is no whole JDK", f"{APT_JDK}; {_ONLY}", "Java")
    return Check("jdi", "ok", f"{first_line(module)} (records calls)", needed=False, language="Java")


def _warn(name: str, found: str, todo: str, language: Language) -> Check:
    return Check(name, "warn", found, todo, needed=False, language=language)
