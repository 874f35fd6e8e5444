"""The accessors that a record has without anybody writing them (JLS 8.10.3)."""

from __future__ import annotations

from clausefit.hook.contracts.java_model import JavaMethod
from clausefit.hook.java.project import FoundClass


def accessor_of(found: FoundClass, name: str) -> JavaMethod | None:
    """The implicit accessor ``name()`` of a record; None where there is none, or it is written."""
    java = found.java
    if java.kind != "record" or any(one.name == name and not one.parameters for one in java.methods):
        return None
    # Components come first and have no modifiers; a record has no other instance fields (JLS 8.10.3).
    field = next((one for one in java.fields if one.name == name and "static" not in one.modifiers), None)
    if field is None or field.is_ghost or field.is_model:
        return None
    return JavaMethod(
        package=found.package,
        class_name=java.name,
        class_kind="record",
        name=name,
        parameters=(),
        result_type=field.type,
        modifiers=("public",),
        span=field.span,
        is_pure=True,
    )
