"""Reading what Frama-C and its WP plug-in print (version 25): properties, goal results, dropped annotations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

_GOAL = re.compile(r"^\[wp\] \[([^\]]*)\](?: Goal)? (\S+?)(?: : (\w+).*)?$")
_OF_PROVER = re.compile(r"^  \S[^:\n]*: (\w+)")
_LABEL = re.compile(r"_ensures_(g\d+)")
_WARNING = re.compile(r"^\[kernel:annot-error\] ([^\n]*?):(\d+): Warning:\s*(.*)$")
_COMPILER_ERROR = re.compile(r"^.*:\d+(?::\d+)?: (?:fatal )?error: .*$")
_PLACE = re.compile(r"^\[kernel\] (\S*?):(\d+):\s*$")
_PROVER = re.compile(r"^\[wp\] Prover ([^\[]+)\[([^|\]]+)\|")
_ERROR = re.compile(r"^\[(?:kernel|wp|report)[^\]]*\] (?:(\S+?):(\d+): )?(?:User Error|Failure): ?(.*)$", re.I)


@dataclass(frozen=True)
class DroppedAnnotation:
    """An annotation that Frama-C left out, where, and why (one line)."""

    file: str
    line: int
    message: str


def proved_labels(report: str) -> frozenset[str]:
    """The labels (``g7``) whose postcondition has the status Valid in a ``-report-csv`` table.

    Any other status, and any row that is not understood, proves nothing; nor does a label that several rows have, for
    our stubs give each label once. The columns are those that the report plug-in writes: directory, file, line,
    function, property kind, status, property.
    """
    rows = list(_goal_rows(report))
    times = Counter(label for label, _status in rows)
    return frozenset(label for label, status in rows if status == "Valid" and times[label] == 1)


def seen_labels(report: str) -> frozenset[str]:
    """The labels that the table has at all, whatever their status: the others were dropped."""
    return frozenset(label for label, _status in _goal_rows(report))


def _goal_rows(report: str) -> Iterator[tuple[str, str]]:
    """(label, status) of each postcondition of a stub. Fields are neither quoted nor limited in size."""
    for row in (line.split("\t") for line in report.split("\n")):
        if len(row) >= 7 and row[3].startswith("cf_") and row[4] == "postcondition":
            label, colon, _rest = row[6].partition(":")
            if colon and re.fullmatch(r"g[0-9]+", label):
                yield label, row[5]


def goal_states(output: str) -> dict[str, str]:
    """What WP says of each goal that it could not prove: label → ``Timeout``, ``Unknown``, ``Failed``, …

    After several provers WP says ``Failed`` and what each of them did in lines of their own; where one ran out
    of time, more time may decide it, so that is what counts.
    """
    states: dict[str, str] = {}
    last = ""
    for line in output.splitlines():
        match = _GOAL.match(line)
        label = _LABEL.search(match.group(2)) if match else None
        if match and label and match.group(3) != "Valid":
            last = label.group(1)
            states[last] = match.group(3) or match.group(1)
        elif last and (of_prover := _OF_PROVER.match(line)):
            if of_prover.group(1) == "Timeout":
                states[last] = "Timeout"
        else:
            last = ""
    return states


def dropped_annotations(output: str) -> tuple[DroppedAnnotation, ...]:
    """The annotations that the kernel left out (``-kernel-warn-key annot-error=active``)."""
    found = []
    lines = output.splitlines()
    for index, line in enumerate(lines):
        match = _WARNING.match(line)
        if not match:
            continue
        message = [match.group(3)] if match.group(3) else []
        for following in lines[index + 1 :]:
            if not following.startswith("  "):
                break
            message.append(following.strip())
        text = " ".join(message).removesuffix(".").strip()
        text = re.split(r" ?\.* ?Ignoring (?:logic specification|code annotation|global annotation)", text)[0]
        found.append(DroppedAnnotation(match.group(1), int(match.group(2)), text or "annotation error"))
    return tuple(found)


def first_error(output: str, errors: str) -> str:
    """The first error that a failed run printed, as one line; a general sentence when there is none."""
    for line in errors.splitlines():
        if _COMPILER_ERROR.match(line):
            return line.strip()
    lines = (output + "\n" + errors).splitlines()
    for index, line in enumerate(lines):
        following = lines[index + 1].strip() if index + 1 < len(lines) else ""
        place = _PLACE.match(line)
        if place:
            where = f"{place.group(1)}:{place.group(2)}: " if place.group(1) else ""
            return where + following.rstrip(":")
        match = _ERROR.match(line)
        if match:
            where = f"{match.group(1)}:{match.group(2)}: " if match.group(1) else ""
            return f"{where}{match.group(3).strip() or following}"
    return "Frama-C stopped without saying why"


def detected_provers(output: str) -> dict[str, str]:
    """The provers of ``frama-c -wp-detect``: short name (``z3-ce``) → name and version (``Z3 4.8.12``)."""
    found = {}
    for line in output.splitlines():
        match = _PROVER.match(line)
        if match:
            found[match.group(2)] = match.group(1).strip()
    return found
