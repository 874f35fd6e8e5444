"""Programs that stand in for OpenJML, which no registry has: for how it is found, started and read, nothing else.

One replays a recorded run byte for byte. The other speaks in the form of recorded runs about the files that it gets,
by a table of the checks that are "proved": it knows nothing of Java or JML, and shows no judgement of a contract.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from openjml_transcripts import transcript

VERSION = "openjml 21-0.19"

_BY_TABLE = r"""
import json, re, sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
with (HERE / "calls.jsonl").open("a") as log:
    log.write(json.dumps(sys.argv[1:]) + "\n")
if sys.argv[1:] == ["--version"]:
    print("VERSION")
    sys.exit(0)
table = json.loads((HERE / "table.json").read_text())
names = sys.argv[sys.argv.index("--method") + 1].split(",")
errors, failures, said = 0, 0, []
for file in [one for one in sys.argv[1:] if one.endswith(".java")]:
    lines = Path(file).read_text().split("\n")
    for number, line in enumerate(lines, 1):
        check = re.search(r"//@ check (.*);$", line)
        if check and check[1] in table["errors"]:
            print(f"{file}:{number}: error: cannot find symbol\n{line}\n         ^")
            errors += 1
    for name in names:
        start = next((n for n, line in enumerate(lines) if re.search(rf"void {name}\(", line)), None)
        if start is None:
            continue
        end = next(n for n in range(start, len(lines)) if lines[n] == "  }")
        checks = [(n + 1, found[1]) for n in range(start, end) if (found := re.search(r"//@ check (.*);$", lines[n]))]
        bad = [(n, text) for n, text in checks if text not in table["proved"]]
        contradictory = any(fact in line for line in lines[start:end] for fact in table["contradictory"])
        full = f"C.{name}()"
        said.append(f"Starting proof of {full} with prover z3_4_3")
        if contradictory:
            said += ["Method assertions are validated [0.02 secs]"]
            said += [f"{file}:{start}:Feasibility check #1 - at program exit : infeasible [0.00 secs]"]
            ending = "INFEASIBLE"
        elif bad:
            said.append(f"C.{name} Method assertions are INVALID")
            for n, text in bad:
                said.append(f"{file}:{n}: verify: The prover cannot establish an assertion (Assert) in method {name}")
                said += [lines[n - 1], "        ^"]
            ending, failures = "with warnings", failures + len(bad)
        else:
            said += ["Method assertions are validated [0.02 secs]"]
            said += [f"{file}:{start}:Feasibility check #1 - at program exit : OK [0.00 secs]"]
            ending = "no warnings"
        said.append(f"Completed proof of {full} with prover z3_4_3 - {ending} [0.03 secs]")
if errors:
    print(f"{errors} errors")
    sys.exit(1)
print("\n".join(said))
sys.exit(6 if failures else 0)
"""


@dataclass(frozen=True)
class StandIn:
    """A folder with a release in it; what it is asked is written beside that."""

    around: Path

    @property
    def folder(self) -> Path:
        """The release, as a setting or OPENJML_HOME names it."""
        return self.around / "release"

    @property
    def program(self) -> Path:
        """The program."""
        return self.folder / "openjml"

    def calls(self) -> list[list[str]]:
        """The arguments of every call so far, without those for the version."""
        log = self.around / "calls.jsonl"
        lines = log.read_text().splitlines() if log.exists() else []
        return [call for call in map(json.loads, lines) if call != ["--version"]]

    def version_calls(self) -> int:
        """How often it was asked for its version."""
        log = self.around / "calls.jsonl"
        return log.read_text().splitlines().count('["--version"]') if log.exists() else 0


def script(folder: Path, text: str) -> StandIn:
    """A stand-in that is a Python program."""
    made = StandIn(folder)
    made.folder.mkdir(parents=True, exist_ok=True)
    made.program.write_text(f"#!{sys.executable}\n{text}")
    made.program.chmod(0o755)
    return made


def replay(folder: Path, name: str, version: str = VERSION) -> StandIn:
    """A stand-in that prints what OpenJML printed in a recorded run, whatever it is asked."""
    recorded = transcript(name)
    return script(
        folder,
        "import sys\n"
        f"if sys.argv[1:] == ['--version']:\n    print({version!r})\n    sys.exit(0)\n"
        f"sys.stdout.write({recorded.stdout!r})\nsys.stderr.write({recorded.stderr!r})\nsys.exit({recorded.exit_status})\n",
    )


def by_table(
    folder: Path, proved: Iterable[str], errors: Iterable[str] = (), contradictory: Iterable[str] = ()
) -> StandIn:
    """A stand-in that "proves" these checks (as they are written in stubs) and no others."""
    made = script(folder, _BY_TABLE.replace("VERSION", VERSION))
    table = {"proved": list(proved), "errors": list(errors), "contradictory": list(contradictory)}
    (folder / "table.json").write_text(json.dumps(table))
    return made
