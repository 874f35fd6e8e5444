"""Reporters: a report as text for people or programs."""

from __future__ import annotations

from types import MappingProxyType
from typing import Protocol

from clausefit.hook.report import Report
from clausefit.hook.reports.json_report import to_json
from clausefit.hook.reports.sarif_report import to_sarif
from clausefit.hook.reports.text_report import to_text


class Reporter(Protocol):
    """Anything that writes a report as text; it raises nothing for a report that the pipeline can make."""

    def __call__(self, report: Report) -> str:
        """The whole text, ended by a new line."""
        ...


REPORTERS: MappingProxyType[str, Reporter] = MappingProxyType({"text": to_text, "json": to_json, "sarif": to_sarif})
"""Every format of ``--format`` that this package writes. For a terminal use ``text_report.render``."""
