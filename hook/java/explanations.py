"""The Java side of the rule codes' long texts, and the long texts of those that only Java has.

Examples are whole Java files that ``javac`` compiles. Section names are those of the JML Reference Manual, 2nd edition.
"""

from __future__ import annotations

from clausefit.hook.explanation import Example, Explanation, example, folded

JAVA_EXAMPLES: dict[str, Example] = {
    "CF101": example(
        "java",
        bad=r"""
            class Levels {
                /*@ requires a != null;
                  @ ensures \result <= a.length;
                  @ assignable \nothing;
                  @*/
                static int firstZero(int[] a) {
                    int i = 0;
                    while (i < a.length && a[i] != 0) {
                        i++;
                    }
                    return i;
                }
            }""",
        mended=r"""
            class Levels {
                /*@ requires a != null;
                  @ ensures 0 <= \result && \result <= a.length;
                  @ ensures \result < a.length ==> a[\result] == 0;
                  @ ensures (\forall int k; 0 <= k && k < \result; a[k] != 0);
                  @ assignable \nothing;
                  @*/
                static int firstZero(int[] a) {
                    int i = 0;
                    while (i < a.length && a[i] != 0) {
                        i++;
                    }
                    return i;
                }
            }""",
    ),
    "CF102": example(
        "java",
        bad=r"""
            class Tank {
                int level;

                /*@ ensures \result == \old(level);
                  @ assignable level;
                  @*/
                int drain(int k) {
                    int before = level;
                    level -= k;
                    return before;
                }
            }""",
        mended=r"""
            class Tank {
                int level;

                /*@ ensures \result == \old(level);
                  @ ensures level == \old(level) - k;
                  @ assignable level;
                  @*/
                int drain(int k) {
                    int before = level;
                    level -= k;
                    return before;
                }
            }""",
    ),
    "CF103": example(
        "java",
        bad=r"""
            class Row {
                /*@ requires a != null && a.length > 0;
                  @ ensures a[0] == v;
                  @ assignable a[*];
                  @*/
                static void setFirst(int[] a, int v) {
                    a[0] = v;
                }
            }""",
        mended=r"""
            class Row {
                /*@ requires a != null && a.length > 0;
                  @ ensures a[0] == v;
                  @ assignable a[0];
                  @*/
                static void setFirst(int[] a, int v) {
                    a[0] = v;
                }
            }""",
    ),
    "CF104": example(
        "java",
        bad=r"""
            class Quota {
                /*@ ensures \result == a / b;
                  @*/
                static int share(int a, int b) {
                    return a / b;
                }
            }""",
        mended=r"""
            class Quota {
                /*@ requires b != 0;
                  @ ensures \result == a / b;
                  @*/
                static int share(int a, int b) {
                    return a / b;
                }
            }""",
    ),
    "CF105": example(
        "java",
        bad=r"""
            class Floor {
                /*@ ensures \result == (v < 0 ? 0 : v);
                  @ ensures v >= 0 || v < 0;
                  @*/
                static int floorZero(int v) {
                    return v < 0 ? 0 : v;
                }
            }""",
        mended=r"""
            class Floor {
                /*@ ensures \result == (v < 0 ? 0 : v);
                  @*/
                static int floorZero(int v) {
                    return v < 0 ? 0 : v;
                }
            }""",
    ),
    "CF201": example(
        "java",
        bad=r"""
            class Size {
                /*@ ensures \result > 0;
                  @*/
                static int magnitude(int v) {
                    return v < 0 ? -v : v;
                }
            }""",
        mended=r"""
            class Size {
                /*@ requires v > Integer.MIN_VALUE;
                  @ ensures \result == (v < 0 ? -v : v);
                  @*/
                static int magnitude(int v) {
                    return v < 0 ? -v : v;
                }
            }""",
    ),
    "CF202": example(
        "java",
        bad=r"""
            class Label {
                //@ ensures \result == (s == null || s.length() == 0);
                static boolean isBlank(String s) {
                    return s == null || s.length() == 0;
                }
            }""",
        mended=r"""
            class Label {
                //@ ensures \result == (s == null || s.length() == 0);
                static boolean isBlank(/*@ nullable @*/ String s) {
                    return s == null || s.length() == 0;
                }
            }""",
    ),
    "CF203": example(
        "java",
        bad=r"""
            class Meter {
                private int count;
                private int last;

                /*@ ensures count == \old(count) + 1;
                  @ assignable count;
                  @*/
                void tick(int value) {
                    count++;
                    last = value;
                }
            }""",
        mended=r"""
            class Meter {
                private int count;
                private int last;

                /*@ ensures count == \old(count) + 1 && last == value;
                  @ assignable count, last;
                  @*/
                void tick(int value) {
                    count++;
                    last = value;
                }
            }""",
    ),
    "CF301": example(
        "java",
        bad=r"""
            class Pages {
                /*@ requires 10 < n && n < 10;
                  @ ensures \result == n;
                  @*/
                static int pageSize(int n) {
                    return n;
                }
            }""",
        mended=r"""
            class Pages {
                /*@ requires 1 <= n && n < 10;
                  @ ensures \result == n;
                  @*/
                static int pageSize(int n) {
                    return n;
                }
            }""",
    ),
}

JAVA_FIXES: dict[str, str] = {
    "CF103": r"In Java write `assignable \nothing`, or the fields and elements: `assignable count, a[0 .. n - 1]`.",
    "CF104": "A Java contract may also document the failure: `signals`, or a case `exceptional_behavior`.",
    "CF202": "In JML parameters are non-null unless `nullable` stands before them.",
    "CF203": "In Java name fields as the class sees them (`count`, `next.value`, `a[i]`, `a[*]`).",
}

JAVA_EXPLANATIONS: dict[str, Explanation] = {
    "CF106": Explanation(
        folded("""
            A passing test shows how the call ends on one input. Another ending was put in its place, an exception of
            the clause's type for a return, a return for the exception or an exception of another type, and the verifier
            proved that the contract accepts it. A signals clause says what holds when such an exception is thrown;
            it does not say that it must be thrown, nor that no other may be ("signals", "signals_only")."""),
        folded("""
            Give the condition in the state before the call (`signals (E e) x < 0;`), or write two cases:
            `normal_behavior` with the inputs that return, `exceptional_behavior` with those that throw."""),
        (
            example(
                "java",
                bad=r"""
                    class Shelf {
                        /*@ ensures \result == i;
                          @ signals (IllegalArgumentException e) true;
                          @*/
                        static int slot(int i) {
                            if (i < 0) {
                                throw new IllegalArgumentException();
                            }
                            return i;
                        }
                    }""",
                mended=r"""
                    class Shelf {
                        /*@ ensures \result == i && i >= 0;
                          @ signals (IllegalArgumentException e) i < 0;
                          @ signals_only IllegalArgumentException;
                          @*/
                        static int slot(int i) {
                            if (i < 0) {
                                throw new IllegalArgumentException();
                            }
                            return i;
                        }
                    }""",
            ),
        ),
    ),
    "CF206": Explanation(
        folded("""
            A passing test shows that the call throws this exception, and the verifier proved that the contract forbids
            it: the condition of a signals clause is false there, signals_only does not list the type, or the input
            falls under a normal_behavior case, which promises that nothing is thrown ("signals", "signals_only",
            "normal_behavior")."""),
        folded("""
            Check the condition of the clause against the input, and each case's requires clause: an input that throws
            must not fall under a normal case."""),
        (
            example(
                "java",
                bad=r"""
                    class Ring {
                        /*@ public normal_behavior
                          @ ensures \result == size - 1;
                          @*/
                        public static int last(int size) {
                            if (size == 0) {
                                throw new IllegalStateException();
                            }
                            return size - 1;
                        }
                    }""",
                mended=r"""
                    class Ring {
                        /*@ public normal_behavior
                          @ requires size != 0;
                          @ ensures \result == size - 1;
                          @ also
                          @ public exceptional_behavior
                          @ requires size == 0;
                          @ signals (IllegalStateException e) true;
                          @*/
                        public static int last(int size) {
                            if (size == 0) {
                                throw new IllegalStateException();
                            }
                            return size - 1;
                        }
                    }""",
            ),
        ),
    ),
    "CF207": Explanation(
        folded("""
            An invariant has to hold before and after every call of a method that is no helper, a constraint relates the
            two states ("invariant", "constraint"). A passing test shows an object in a state for which the verifier
            proved it false. Whatever is proved of the class's methods rests on something that does not hold."""),
        folded("""
            Check the limits of the fields (a full buffer, a size of zero) and what a new object looks like. A method
            that is called between two valid states is a `helper`."""),
        (
            example(
                "java",
                bad=r"""
                    class Gauge {
                        //@ invariant 0 <= level && level < max;
                        int level;
                        int max = 3;

                        //@ ensures level == max;
                        void fill() {
                            level = max;
                        }
                    }""",
                mended=r"""
                    class Gauge {
                        //@ invariant 0 <= level && level <= max;
                        int level;
                        int max = 3;

                        //@ ensures level == max;
                        void fill() {
                            level = max;
                        }
                    }""",
            ),
        ),
    ),
}
