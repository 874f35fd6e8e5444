"""The words of JML that start something, and what they mean (JML Reference Manual; KeY and OpenJML additions)."""

from __future__ import annotations

from clausefit.hook.contracts.java_model import CaseKind

_REDUNDANTLY = "_redundantly"

# fmt: off
_METHOD_CLAUSES = {
    "requires": "requires", "pre": "requires", "ensures": "ensures", "post": "ensures",
    "assignable": "assignable", "assigns": "assignable", "modifies": "assignable", "modifiable": "assignable",
    "writes": "assignable", "accessible": "accessible", "reads": "accessible",
    "signals": "signals", "exsures": "signals", "signals_only": "signals_only",
    "diverges": "diverges", "measured_by": "measured_by", "captures": "captures", "callable": "callable",
    "when": "when", "duration": "duration", "working_space": "working_space",
    "determines": "determines", "separates": "separates", "recommends": "recommends",
    "requires_free": "requires_free", "ensures_free": "ensures_free",
    "assignable_free": "assignable_free", "modifiable_free": "assignable_free",
    "old": "old", "forall": "forall",
}
_CLASS_CLAUSES = {
    "invariant": "invariant", "invariant_free": "invariant_free", "constraint": "constraint",
    "initially": "initially", "axiom": "axiom", "represents": "represents", "in": "in", "maps": "maps",
    "readable": "readable", "writable": "writable", "monitors_for": "monitors_for",
}
METHOD_CLAUSES = _METHOD_CLAUSES | {word + _REDUNDANTLY: kind for word, kind in _METHOD_CLAUSES.items()}
CLASS_CLAUSES = _CLASS_CLAUSES | {word + _REDUNDANTLY: kind for word, kind in _CLASS_CLAUSES.items()}

# ``behaviour`` is the other spelling that the manual allows.
CASES: dict[str, CaseKind] = {
    "normal_behavior": "normal_behavior", "normal_behaviour": "normal_behavior", "normal_example": "normal_behavior",
    "exceptional_behavior": "exceptional_behavior", "exceptional_behaviour": "exceptional_behavior",
    "exceptional_example": "exceptional_behavior",
    "behavior": "behavior", "behaviour": "behavior", "example": "behavior",
}
SECTIONS = frozenset({"implies_that", "for_example"})
VISIBILITIES = frozenset({"public", "protected", "private"})

JAVA_MODIFIERS = VISIBILITIES | {
    "static", "final", "abstract", "synchronized", "native", "strictfp", "default", "transient", "volatile",
    "sealed", "non-sealed",
}
JML_MODIFIERS = frozenset({
    "pure", "strictly_pure", "spec_pure", "helper", "nullable", "non_null", "nullable_by_default",
    "non_null_by_default", "instance", "ghost", "model", "spec_public", "spec_protected", "uninitialized",
    "monitored", "code", "secret", "query", "extract", "immutable", "no_state", "two_state", "heap_free",
    "peer", "rep", "readonly", "readwrite", "skipesc", "skiprac", "skip_esc", "skip_rac", "inline", "options",
    "spec_java_math", "spec_safe_math", "spec_bigint_math", "code_java_math", "code_safe_math", "code_bigint_math",
})
MODIFIERS = JAVA_MODIFIERS | JML_MODIFIERS

# It has an annotation for every modifier; those that say something of null are known by their own names.
ANNOTATION_PACKAGE = "org.jmlspecs.annotation"
ANNOTATIONS = {
    "@Pure": "pure", "@StrictlyPure": "strictly_pure", "@SpecPure": "spec_pure", "@Helper": "helper",
    "@SpecPublic": "spec_public", "@SpecProtected": "spec_protected", "@Model": "model", "@Ghost": "ghost",
    "@Instance": "instance", "@SpecJavaMath": "spec_java_math", "@SpecSafeMath": "spec_safe_math",
    "@SpecBigintMath": "spec_bigint_math", "@CodeJavaMath": "code_java_math", "@CodeSafeMath": "code_safe_math",
    "@CodeBigintMath": "code_bigint_math",
}

BODY_WORDS = frozenset({
    "assert", "assert_redundantly", "assume", "assume_redundantly", "loop_invariant", "loop_invariant_redundantly",
    "maintaining", "loop_decreases", "decreases", "decreasing", "loop_modifies", "loop_assigns", "loop_assignable",
    "loop_writes", "set", "debug", "unreachable", "reachable", "split", "halt", "show", "use", "check", "havoc",
    "hence_by", "breaks", "continues", "returns", "merge_point", "refining", "inlined_loop", "loop_determines",
})
QUANTIFIERS = frozenset({
    "\\forall", "\\exists", "\\sum", "\\product", "\\max", "\\min", "\\num_of", "\\choose",
})
# Those of KeY: up to four parts, some with the parenthesis before, some with it behind the word.
KEY_BINDERS = frozenset({"\\bsum", "\\bprod", "\\seq_def", "\\infinite_union"})
# Words of clauses that may well be names of variables or methods: they end an unfinished clause only on a new line.
_SOFT = frozenset({
    "pre", "post", "reads", "writes", "when", "duration", "old", "forall", "in", "maps", "captures", "callable",
    "example", "recommends", "determines", "separates", "code", "instance", "query", "secret", "extract", "rep", "peer",
    "options", "inline", "immutable",
})
STARTERS = (
    frozenset(METHOD_CLAUSES) | frozenset(CLASS_CLAUSES) | frozenset(CASES) | SECTIONS | MODIFIERS | {"also", "import"}
)
HARD_STARTERS = STARTERS - _SOFT
# Words that stand in no prose.
ALWAYS_STARTERS = frozenset(CASES) - {"example", "behavior", "behaviour"} | {
    "requires", "ensures", "signals", "signals_only", "assignable", "modifies", "accessible",
}
# fmt: on
