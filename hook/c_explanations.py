"""The long texts of the rule codes with C examples: why it matters, and how to mend it.

Examples are whole C files that ``frama-c -print`` accepts. Section numbers are those of the ACSL manual.
"""

from __future__ import annotations

from clausefit.hook.explanation import Explanation, example, folded


def _long(*, text: str, bad: str, mended: str, fix: str) -> Explanation:
    return Explanation(folded(text), folded(fix), (example("c", bad, mended),))


C_EXPLANATIONS: dict[str, Explanation] = {
    "CF101": _long(
        text="""
            A passing test shows what the function does on one input. One place of that outcome was changed (the
            result, or a memory location that the clause speaks of), and the verifier proved that the contract
            still accepts it. The clause named is the one that speaks of that place and rejects nothing there.
            Code with this fault would still be proved correct.""",
        bad=r"""
            /*@ assigns \nothing;
                ensures bound: \result <= \result;
            */
            unsigned first_zero(const unsigned char *buf, unsigned len);""",
        mended=r"""
            /*@ requires \valid_read(buf + (0 .. len - 1));
                assigns \nothing;
                ensures bound: 0 <= \result <= len;
                ensures hit: \result < len ==> buf[\result] == 0;
                ensures first: \forall integer k; 0 <= k < \result ==> buf[k] != 0;
            */
            unsigned first_zero(const unsigned char *buf, unsigned len);""",
        fix=r"""
            Write an equation where the value is determined (`\result == ...`), both sides of a bound where it
            is not. Check that the clause speaks of the result and not of an argument: in an ensures clause a
            formal parameter means its value at entry.""",
    ),
    "CF102": _long(
        text="""
            Every clause that applies was proved to accept the wrong outcome, and each of those that speak of
            the changed place does reject something elsewhere, or no clause speaks of it at all. What is missing
            is a clause, not a better bound.""",
        bad=r"""
            /*@ requires n >= 0 && \valid(a + (0 .. n - 1));
                assigns a[0 .. n - 1];
                ensures sorted: \forall integer i; 0 < i < n ==> a[i - 1] <= a[i];
            */
            void sort(int *a, int n);""",
        mended=r"""
            /*@ axiomatic Count {
                  logic integer count{L}(int *a, integer n, int v) reads a[0 .. n - 1];
                  axiom none{L}: \forall int *a, int v; count{L}(a, 0, v) == 0;
                  axiom next{L}: \forall int *a, integer n, int v; n >= 0 ==>
                    count{L}(a, n + 1, v) == count{L}(a, n, v) + (a[n] == v ? 1 : 0);
                }
            */
            /*@ requires n >= 0 && \valid(a + (0 .. n - 1));
                assigns a[0 .. n - 1];
                ensures sorted: \forall integer i; 0 < i < n ==> a[i - 1] <= a[i];
                ensures same: \forall int v; count{Post}(a, n, v) == count{Pre}(a, n, v);
            */
            void sort(int *a, int n);""",
        fix="""
            Look at the wrong outcome in the message and write the sentence that it breaks: what is kept, what
            is the same multiset, which element it came from. A function that returns a value needs at least one
            ensures clause on it.""",
    ),
    "CF103": _long(
        text="""
            The tests show a location that is the same before and after the call. The contract has no assigns
            clause (every location may change, ACSL 2.3.2), or one that covers the location, and no ensures
            clause pins its value. Callers then lose all they knew about it.""",
        bad=r"""
            /*@ requires n > 0 && \valid(a + (0 .. n - 1));
                assigns a[0 .. n - 1];
                ensures first: a[0] == v;
            */
            void set_first(int *a, int n, int v);""",
        mended=r"""
            /*@ requires n > 0 && \valid(a + (0 .. n - 1));
                assigns a[0];
                ensures first: a[0] == v;
            */
            void set_first(int *a, int n, int v);""",
        fix=r"""
            List only what is written: `assigns \nothing;` for a pure function, `assigns *p;` or `a[i]` for one
            place. Where a range must be listed, add `ensures \forall integer i; ... ==> a[i] == \old(a[i]);`
            for the part that stays.""",
    ),
    "CF104": _long(
        text="""
            A test shows that the call aborts, crashes or does not end on this input, yet every requires clause
            was proved to hold for it. A caller that keeps the contract can still run into the failure.""",
        bad=r"""
            /*@ assigns \nothing;
                ensures quotient: \result == a / b;
            */
            int divide(int a, int b);""",
        mended=r"""
            /*@ requires divisor: b != 0;
                requires fits: !(a == -2147483647 - 1 && b == -1);
                assigns \nothing;
                ensures quotient: \result == a / b;
            */
            int divide(int a, int b);""",
        fix="""
            Add the requires clause that this input breaks. If callers should be allowed to pass it, the code
            has the fault, not the contract.""",
    ),
    "CF105": _long(
        text="""
            For every call that the tests show, no changed outcome was rejected by this clause. It may repeat
            what other clauses say, be always true, or speak of a case that no test reaches. The contract as a
            whole may still be strong enough.""",
        bad=r"""
            /*@ assigns \nothing;
                ensures same: \result == (v < 0 ? 0 : v);
                ensures idle: v >= 0 || v < 0;
            */
            int floor_zero(int v);""",
        mended=r"""
            /*@ assigns \nothing;
                ensures same: \result == (v < 0 ? 0 : v);
            */
            int floor_zero(int v);""",
        fix="""
            Drop the clause if another one says the same; if its left side (before `==>`) never holds in the
            tests, add a test for that case; else write what it was meant to exclude.""",
    ),
    "CF201": _long(
        text="""
            The verifier proved that the clause is false for what the function really does in a passing test.
            The code can never be proved against it, and a caller may rely on something that does not hold. A
            common cause: a formal parameter in an ensures clause means its value at entry, not its last value
            in the body.""",
        bad=r"""
            /*@ assigns \nothing;
                ensures positive: \result > 0;
            */
            unsigned magnitude(int v);""",
        mended=r"""
            /*@ assigns \nothing;
                ensures value: \result == (v < 0 ? -v : v);
            */
            unsigned magnitude(int v);""",
        fix=r"""
            Check `<` against `<=`, the empty input and the extreme values, `\old(x)` against `x`, and the
            machine type (integers in ACSL do not wrap). Guard a clause that holds only in some cases with `==>`
            or a behavior.""",
    ),
    "CF202": _long(
        text="""
            The verifier proved that the clause is false for the input of a passing test. Correct callers are
            forbidden, and the postcondition says nothing about their calls.""",
        bad=r"""
            /*@ requires fits: ch == (char) ch;
                assigns \nothing;
                ensures \result == (ch == 32 || ch == 9);
            */
            int is_blank(int ch);""",
        mended=r"""
            /*@ assigns \nothing;
                ensures \result == (ch == 32 || ch == 9);
            */
            int is_blank(int ch);""",
        fix=r"""
            Demand only what the body needs: `\valid_read` where nothing is written, the cells that are really
            read, `n >= 0` where zero is fine.""",
    ),
    "CF203": _long(
        text="""
            After the call a location has another value than before, and the verifier proved that it is not
            among the locations of the assigns clause. Every caller is told that the location stays the same.""",
        bad=r"""
            /*@ requires \valid(stock) && 0 <= k <= *stock;
                assigns \nothing;
                ensures left: *stock == \old(*stock) - k;
            */
            void take(int *stock, int k);""",
        mended=r"""
            /*@ requires \valid(stock) && 0 <= k <= *stock;
                assigns *stock;
                ensures left: *stock == \old(*stock) - k;
            */
            void take(int *stock, int k);""",
        fix="""
            Name the location as the callers see it (`*stock`, `a[0 .. n - 1]`, `s->level`). In a behavior, its
            own assigns clause counts together with that of the whole contract.""",
    ),
    "CF204": _long(
        text="""
            The requires clauses hold for the input, and the assumes clauses of all behaviors that are named
            were proved false for it (ACSL 2.3.3). For such an input the behaviors say nothing.""",
        bad=r"""
            /*@ assigns \nothing;
                behavior below:
                  assumes v < 0;
                  ensures \result == -1;
                behavior above:
                  assumes v > 0;
                  ensures \result == 1;
                complete behaviors below, above;
            */
            int sign(int v);""",
        mended=r"""
            /*@ assigns \nothing;
                behavior below:
                  assumes v < 0;
                  ensures \result == -1;
                behavior zero:
                  assumes v == 0;
                  ensures \result == 0;
                behavior above:
                  assumes v > 0;
                  ensures \result == 1;
                complete behaviors below, zero, above;
            */
            int sign(int v);""",
        fix="""
            Write the missing behavior; if the input must not occur, exclude it with requires.""",
    ),
    "CF205": _long(
        text="""
            The assumes clauses of two behaviors that are named as disjoint were both proved to hold for the
            input (ACSL 2.3.3).""",
        bad=r"""
            /*@ assigns \nothing;
                behavior low:
                  assumes v <= 0;
                  ensures \result == 0;
                behavior high:
                  assumes v >= 0;
                  ensures \result == v;
                disjoint behaviors low, high;
            */
            int clamp_low(int v);""",
        mended=r"""
            /*@ assigns \nothing;
                behavior low:
                  assumes v < 0;
                  ensures \result == 0;
                behavior high:
                  assumes v >= 0;
                  ensures \result == v;
                disjoint behaviors low, high;
            */
            int clamp_low(int v);""",
        fix="""
            Check `<` against `<=` at the border that the input lies on.""",
    ),
    "CF301": _long(
        text="""
            From the requires clauses alone the verifier proved false. Any postcondition is then true of any
            code, and a proof of the function means nothing. The contract's other questions are not judged.""",
        bad=r"""
            /*@ requires low: 10 < n;
                requires high: n < 10;
                assigns \nothing;
                ensures \result == n;
            */
            int page_size(int n);""",
        mended=r"""
            /*@ requires low: 1 <= n;
                requires high: n < 10;
                assigns \nothing;
                ensures \result == n;
            */
            int page_size(int n);""",
        fix=r"""
            Look for swapped bounds, a chain such as `0 < n < 0`, or a range that is impossible for the type of
            the parameter. A function that must never be called can say `requires \false;` with a suppression
            and a reason.""",
    ),
    "CF302": _long(
        text="""
            Without any precondition the verifier proved false from the logic definitions that the file brings
            in. All proofs that see them are worthless, so nothing that depends on them is judged.""",
        bad=r"""
            /*@ axiomatic Total {
                  logic integer total(integer n);
                  axiom base: total(0) == 0;
                  axiom step: \forall integer n; total(n) == total(n - 1) + 1;
                  axiom natural: \forall integer n; total(n) >= 0;
                }
            */
            /*@ assigns \nothing;
                ensures \result == total(n);
            */
            int sum_to(int n);""",
        mended=r"""
            /*@ axiomatic Total {
                  logic integer total(integer n);
                  axiom base: total(0) == 0;
                  axiom step: \forall integer n; n > 0 ==> total(n) == total(n - 1) + 1;
                }
            */
            /*@ requires n >= 0;
                assigns \nothing;
                ensures \result == total(n);
            */
            int sum_to(int n);""",
        fix="""
            Guard every recursive axiom with the range for which it is meant; prefer a recursive `logic`
            definition or an `inductive` predicate, which cannot contradict itself as easily.""",
    ),
    "CF901": _long(
        text="""
            The clause (or contract) that the comment belongs to was judged, and has no finding of the code in
            the comment: it was mended since, the code is another one, or the comment stands at the wrong clause.
            A comment that stays would hide the next finding of that code.""",
        bad=r"""
            /*@ assigns \nothing;
                // clausefit: ignore[CF101] the exact value is the vendor's secret
                ensures \result == v + v;
            */
            long twice(int v);""",
        mended=r"""
            /*@ assigns \nothing;
                ensures \result == v + v;
            */
            long twice(int v);""",
        fix="""
            A comment belongs to the clause on its own line or, on a line of its own, to the next one; outside
            of annotations to the whole contract.""",
    ),
    "CF902": _long(
        text="""
            The next reader cannot tell a decision from an accident, so a comment without a reason suppresses
            nothing: the finding is reported as well.""",
        bad=r"""
            /*@ assigns \nothing;
                // clausefit: ignore[CF101]
                ensures \result >= 0;
            */
            int read_sensor(void);""",
        mended=r"""
            /*@ assigns \nothing;
                // clausefit: ignore[CF101] the value comes from hardware, only its sign is promised
                ensures \result >= 0;
            */
            int read_sensor(void);""",
        fix="""
            Say after the bracket why the finding is acceptable.""",
    ),
    "CF903": _long(
        text="""
            It suppresses nothing. Most often two digits changed places, or the reason stands where the code
            belongs.""",
        bad=r"""
            /*@ assigns \nothing;
                // clausefit: ignore[CF110] only the sign is promised
                ensures \result >= 0;
            */
            int read_level(void);""",
        mended=r"""
            /*@ assigns \nothing;
                // clausefit: ignore[CF101] only the sign is promised
                ensures \result >= 0;
            */
            int read_level(void);""",
        fix="""
            `clausefit explain` with the code says which existing one is nearest.""",
    ),
}
