"""Findings for tests of what is posted."""

from clausefit.hook.report import Better, ClauseCounts, ContractReport, Finding, Severity

SHA = "a" * 40


def finding(
    mark: str = "1",
    line: int = 5,
    end: int | None = None,
    *,
    severity: Severity = "error",
    file: str = "src/max.c",
    function: str = "max",
    clause: str | None = "ensures \\result >= a",
    message: str = "The clause accepts 5. Say exactly what the outcome is, in every case.",
    better: str | None = None,
) -> Finding:
    """A finding whose fingerprint is ``mark`` 32 times; ``better`` is the text of its lines with a better clause."""
    return Finding(
        code="CF101",
        direction="too_weak",
        severity=severity,
        file=file,
        line=line,
        end_line=line if end is None else end,
        column=5,
        function=function,
        clause=None if clause is None else ("ensures", clause),
        witness=None,
        witnesses=1,
        message=message,
        fingerprint=mark * 32 if len(mark) == 1 else mark,
        better=None if better is None else Better(better.strip(), better),
    )


def contract(function: str = "max", file: str = "src/max.c", clauses: tuple[ClauseCounts, ...] = ()) -> ContractReport:
    """A contract that was judged."""
    return ContractReport("c", file, function, 5, 3, 0, 3, (), {}, clauses)
