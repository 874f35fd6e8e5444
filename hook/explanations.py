"""The long texts of all rule codes, shown by ``clausefit explain``."""

from __future__ import annotations

from dataclasses import replace

from clausefit.hook.c_explanations import C_EXPLANATIONS
from clausefit.hook.explanation import Explanation
from clausefit.hook.java.explanations import JAVA_EXAMPLES, JAVA_EXPLANATIONS, JAVA_FIXES


def _whole(code: str) -> Explanation:
    if code in JAVA_EXPLANATIONS:
        return JAVA_EXPLANATIONS[code]
    long = C_EXPLANATIONS[code]
    java = JAVA_EXAMPLES.get(code)
    fix = f"{long.fix} {JAVA_FIXES[code]}" if code in JAVA_FIXES else long.fix
    return replace(long, fix=fix, examples=(*long.examples, *((java,) if java is not None else ())))


EXPLANATIONS: dict[str, Explanation] = {code: _whole(code) for code in sorted({*C_EXPLANATIONS, *JAVA_EXPLANATIONS})}
