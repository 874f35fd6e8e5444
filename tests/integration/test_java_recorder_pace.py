"""The Java recorder's share of the time: methods that tests call first leave some to those that come late."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from clausefit.hook.record.watched import RecordLimits
from java_recording import record_java

LATE = range(8)
MANY = 4000
SHARED = RecordLimits(distinct_calls=10 * MANY, hits=10 * MANY)
"""Nothing but the share of the time ends the watching of a method."""


def test_methods_that_are_called_late_have_pins_too(tmp_path: Path, shared_cache: Path) -> None:
    methods = "\n".join(
        f"    //@ ensures true;\n    static int late{n}(int[] a, int k) {{ a[0] += k; return a[0]; }}" for n in LATE
    )
    calls = "\n".join(f"        for (int i = 0; i < 40; i++) late{n}(new int[] {{i}}, i);" for n in LATE)
    main = f"""package p;
public class Main {{
    //@ ensures true;
    static int early(int[] a, int k) {{ a[0] += k; return a[0]; }}
{methods}
    public static void main(String[] args) {{
        for (int i = 0; i < {MANY}; i++) early(new int[] {{i}}, i);
{calls}
    }}
}}
"""
    found = record_java(tmp_path, shared_cache, {"p/Main.java": main}, "p.Main", limits=SHARED)
    made = Counter(call.watched.function.partition("(")[0] for call in found.recording.calls)
    assert 0 < made["Main.early"] < MANY
    assert {f"Main.late{n}" for n in LATE} <= set(made), made
