r"""The words that begin with ``\`` in clauses: of ACSL (its manual, and what Frama-C 25 to 30 define), and of JML.

A verifier that meets another one refuses the whole clause. So the lists rather hold a word too many.
"""

from __future__ import annotations

from difflib import get_close_matches

from clausefit.hook.contracts.model import Language

_ACSL_WORDS = """
    abs acos acosh allocable allocation anything arrow asin asinh at atan atan2 atanh automatic base_addr
    block_length bool boolean by call cbrt ceil concat Cons context cos cosh count covers dangling decreases diff
    Down dynamic e empty eq_double eq_float eqset erf erfc exact exists exit_status exp exp2 expm1 fabs false floor
    fmod forall formal freeable fresh from frees func ge_double ge_float ghost gt_double gt_float hypot in init
    initialized inter inverse is_finite is_infinite is_minus_infinity is_NaN is_nan is_plus_infinity labs lambda lbl
    le_double le_float length let list log log10 log1p log2 lt_double lt_float max member min minus_infinity model
    names ne_double ne_float nearbyint NearestAway NearestEven neg_double neg_float Nil no_overflow_double
    no_overflow_single nothing nth null num_of numof object_pointer offset offset_max offset_min old param pi
    plus_infinity pointer_comparable pow precision product prop ptrdiff read reading register relative_error
    remainder repeat result return rint round round_double round_error round_float separated set sign sin sinh
    sizeof sqrt static strong sub_double sub_float add_double add_float mul_double mul_float div_double div_float
    subset sum tainted tan tanh targets ToZero total_error true trunc truncate tset type typeof typeof_base
    unallocated union unreachable Up valid valid_function valid_index valid_range valid_read valid_string value
    variant warning with writing written aligned alignof callresult called diff_set fguard guard lguard hard_tguard
    tguard flexible assert_type is_subnormal signbit isfinite isnan isinf
"""
_JML_WORDS = """
    all_fields all_objects array at backup before bigint bigint_math bsum bprod by choose concat constraint_for
    contains count current declassifies disjoint distinct domain_implies_created duration elemtype empty ensures
    erases erasure everything exception exists false forall free fresh in_domain index infinite_union intersect
    intersection intmap into inv inv_free invariant_for invariant_free_for is_finite is_initialized itself java_math
    key lbl lblneg lblpos length let lockset LockSet locset map max measured_by min new_elems_fresh new_objects
    nonnullelements not_assigned not_modified not_specified nothing now nowarn nowarn_op null num_of old
    only_accessed only_assigned only_called only_captured other past peer permission pre private_data product range
    reach reachLocs readonly real rep requires result safe_math same seq set set_minus set_union singleton space
    static_invariant_for static_invariant_free_for static_constraint_for storeref strictly_nothing string
    string_equal subset such_that sum system transactionUpdated transient true type TYPE typeof union values warn
    warn_op working_space nullelements nonnull datagroup locset_minus accessible assignable modifies primary
    universe any lost
"""
_BEGINNINGS = ("dl_", "fp_", "seq_", "map_", "locset_", "java", "string_", "array_", "set_", "bigint_", "real_")
r"""Of words that KeY and OpenJML make up freely: ``\dl_NAME`` is any function of KeY's logic."""
_ACSL, _JML = frozenset(_ACSL_WORDS.split()), frozenset(_JML_WORDS.split())


def unknown_word(word: str, language: Language) -> str | None:
    r"""What is wrong with ``word`` (which begins with ``\``) as a part of a sentence; None where it is one."""
    name, known = word[1:], _ACSL if language == "c" else _JML
    if name in known or (language == "java" and name.startswith(_BEGINNINGS)):
        return None
    # Letters that were exchanged come first: they are nearer than the measure of difflib says.
    near = sorted(get_close_matches(name, sorted(known), 5, 0.66), key=lambda one: sorted(one) != sorted(name))
    suggestion = f" (`\\{near[0]}` is one)" if near else ""
    return f"`{word}` is no word of {'ACSL' if language == 'c' else 'JML'}{suggestion}"
