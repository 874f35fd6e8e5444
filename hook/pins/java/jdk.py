"""What is known of the JDK's own types: names, supertypes, constants, result types, as its documentation says."""

from __future__ import annotations

from clausefit.hook.pins.java.values import Prim

_LANG = "java.lang."
_UTIL = "java.util."

# fmt: off
# Exceptions and errors: subtype → supertype.
_THROWABLES: dict[str, str] = {
    "java.lang.Throwable": "java.lang.Object",
    **{_LANG + name: _LANG + parent for name, parent in {
        "Exception": "Throwable", "Error": "Throwable", "RuntimeException": "Exception",
        "ArithmeticException": "RuntimeException", "ArrayStoreException": "RuntimeException",
        "ClassCastException": "RuntimeException", "IllegalArgumentException": "RuntimeException",
        "IllegalStateException": "RuntimeException", "IllegalMonitorStateException": "RuntimeException",
        "IndexOutOfBoundsException": "RuntimeException", "NegativeArraySizeException": "RuntimeException",
        "NullPointerException": "RuntimeException", "SecurityException": "RuntimeException",
        "UnsupportedOperationException": "RuntimeException", "EnumConstantNotPresentException": "RuntimeException",
        "TypeNotPresentException": "RuntimeException", "ArrayIndexOutOfBoundsException": "IndexOutOfBoundsException",
        "StringIndexOutOfBoundsException": "IndexOutOfBoundsException",
        "NumberFormatException": "IllegalArgumentException", "IllegalThreadStateException": "IllegalArgumentException",
        "CloneNotSupportedException": "Exception", "InterruptedException": "Exception",
        "ReflectiveOperationException": "Exception", "ClassNotFoundException": "ReflectiveOperationException",
        "NoSuchFieldException": "ReflectiveOperationException", "NoSuchMethodException": "ReflectiveOperationException",
        "InstantiationException": "ReflectiveOperationException",
        "IllegalAccessException": "ReflectiveOperationException",
        "AssertionError": "Error", "LinkageError": "Error", "VirtualMachineError": "Error",
        "ExceptionInInitializerError": "LinkageError", "NoClassDefFoundError": "LinkageError",
        "OutOfMemoryError": "VirtualMachineError", "StackOverflowError": "VirtualMachineError",
        "InternalError": "VirtualMachineError", "MatchException": "RuntimeException",
    }.items()},
    "java.util.NoSuchElementException": "java.lang.RuntimeException",
    "java.util.InputMismatchException": "java.util.NoSuchElementException",
    "java.util.ConcurrentModificationException": "java.lang.RuntimeException",
    "java.util.EmptyStackException": "java.lang.RuntimeException",
    "java.util.MissingResourceException": "java.lang.RuntimeException",
    "java.util.concurrent.TimeoutException": "java.lang.Exception",
    "java.util.concurrent.ExecutionException": "java.lang.Exception",
    "java.util.concurrent.CancellationException": "java.lang.IllegalStateException",
    "java.io.IOException": "java.lang.Exception",
    "java.io.FileNotFoundException": "java.io.IOException",
    "java.io.EOFException": "java.io.IOException",
    "java.io.UncheckedIOException": "java.lang.RuntimeException",
    "java.text.ParseException": "java.lang.Exception",
    "java.time.DateTimeException": "java.lang.RuntimeException",
}
_NUMBERS = ("Byte", "Short", "Integer", "Long", "Float", "Double")
_CONSTABLE = ("java.lang.constant.Constable", "java.io.Serializable")
SUPERTYPES: dict[str, tuple[str, ...]] = {
    "java.lang.Object": (),
    **{name: (parent,) for name, parent in _THROWABLES.items()},
    "java.lang.Throwable": ("java.lang.Object", "java.io.Serializable"),
    "java.lang.CharSequence": ("java.lang.Object",),
    "java.lang.Comparable": ("java.lang.Object",),
    "java.io.Serializable": ("java.lang.Object",),
    "java.lang.Cloneable": ("java.lang.Object",),
    "java.lang.Runnable": ("java.lang.Object",),
    "java.lang.AutoCloseable": ("java.lang.Object",),
    "java.io.Closeable": ("java.lang.AutoCloseable",),
    "java.lang.Iterable": ("java.lang.Object",),
    "java.lang.Number": ("java.lang.Object", "java.io.Serializable"),
    "java.lang.Enum": ("java.lang.Object", "java.lang.Comparable", *_CONSTABLE),
    "java.lang.Record": ("java.lang.Object",),
    "java.lang.Class": ("java.lang.Object", *_CONSTABLE),
    "java.lang.constant.Constable": ("java.lang.Object",),
    "java.lang.constant.ConstantDesc": ("java.lang.Object",),
    "java.lang.String": ("java.lang.Object", "java.lang.CharSequence", "java.lang.Comparable", *_CONSTABLE,
                         "java.lang.constant.ConstantDesc"),
    "java.lang.Appendable": ("java.lang.Object",),
    "java.lang.StringBuilder": ("java.lang.Object", "java.lang.CharSequence", "java.lang.Comparable",
                                "java.lang.Appendable", "java.io.Serializable"),
    "java.lang.StringBuffer": ("java.lang.Object", "java.lang.CharSequence", "java.lang.Comparable",
                               "java.lang.Appendable", "java.io.Serializable"),
    **{_LANG + name: ("java.lang.Number", "java.lang.Comparable", *_CONSTABLE) for name in _NUMBERS},
    "java.lang.Boolean": ("java.lang.Object", "java.lang.Comparable", *_CONSTABLE),
    "java.lang.Character": ("java.lang.Object", "java.lang.Comparable", *_CONSTABLE),
    "java.util.Collection": ("java.lang.Iterable",),
    "java.util.List": ("java.util.Collection",),
    "java.util.RandomAccess": ("java.lang.Object",),
    "java.util.AbstractCollection": ("java.lang.Object", "java.util.Collection"),
    "java.util.AbstractList": ("java.util.AbstractCollection", "java.util.List"),
    "java.util.ArrayList": ("java.util.AbstractList", "java.util.RandomAccess", "java.lang.Cloneable",
                            "java.io.Serializable"),
    # What List.of and Arrays.asList give.
    "java.util.ImmutableCollections.ListN": ("java.util.AbstractCollection", "java.util.List",
                                             "java.util.RandomAccess", "java.io.Serializable"),
    "java.util.Arrays.ArrayList": ("java.util.AbstractList", "java.util.RandomAccess", "java.io.Serializable"),
    "java.util.Comparator": ("java.lang.Object",),
    "java.util.Iterator": ("java.lang.Object",),
    "java.util.Map": ("java.lang.Object",),
    "java.util.Set": ("java.util.Collection",),
    "java.util.Queue": ("java.util.Collection",),
    "java.util.Deque": ("java.util.Queue",),
    "java.util.Optional": ("java.lang.Object",),
    **{"java.util.function." + name: ("java.lang.Object",) for name in (
        "Function", "BiFunction", "Supplier", "Consumer", "BiConsumer", "Predicate", "BiPredicate", "IntFunction",
        "IntUnaryOperator", "IntBinaryOperator", "IntPredicate", "IntSupplier", "IntConsumer", "ToIntFunction",
        "ToLongFunction", "ToDoubleFunction", "LongUnaryOperator", "LongBinaryOperator", "DoubleUnaryOperator",
        "DoubleBinaryOperator", "BooleanSupplier", "LongSupplier", "DoubleSupplier", "LongFunction", "DoubleFunction",
        "ToIntBiFunction")},
    "java.util.function.UnaryOperator": ("java.util.function.Function",),
    "java.util.function.BinaryOperator": ("java.util.function.BiFunction",),
    "java.util.concurrent.Callable": ("java.lang.Object",),
}
# Types of java.lang that are named but of which nothing else is known.
_ALSO_LANG = (
    "Math", "StrictMath", "System", "Thread", "Void", "ThreadLocal", "Process", "Runtime", "Override", "Deprecated",
    "SuppressWarnings", "FunctionalInterface", "SafeVarargs", "ClassLoader", "Package", "StackTraceElement",
    "ProcessBuilder", "Readable", "Iterable", "InheritableThreadLocal", "Module", "StackWalker", "ProcessHandle",
)
LANG: dict[str, str] = {
    **{name.rpartition(".")[2]: name for name in SUPERTYPES if name.startswith(_LANG) and name.count(".") == 2},
    **{name: _LANG + name for name in _ALSO_LANG},
}
# Types of packages that are imported on demand: simple name → qualified, by package.
_ALSO_UTIL = (
    "Arrays", "Objects", "Collections", "HashMap", "LinkedHashMap", "TreeMap", "HashSet", "LinkedHashSet", "TreeSet",
    "LinkedList", "ArrayDeque", "PriorityQueue", "Stack", "Vector", "Random", "Scanner", "OptionalInt", "StringJoiner",
    "BitSet", "UUID", "Date", "Calendar", "Locale", "EnumMap", "EnumSet", "ListIterator", "SortedMap", "SortedSet",
    "Properties", "StringTokenizer", "OptionalLong", "OptionalDouble", "NavigableMap", "NavigableSet", "Base64",
    "Hashtable", "Dictionary", "Enumeration", "Timer", "Currency", "IdentityHashMap", "WeakHashMap",
)
PACKAGES: dict[str, dict[str, str]] = {}
for _name in (*SUPERTYPES, *(_UTIL + name for name in _ALSO_UTIL)):
    _package, _, _simple = _name.rpartition(".")
    PACKAGES.setdefault(_package, {})[_simple] = _name

CONSTANTS: dict[tuple[str, str], Prim] = {
    ("java.lang.Byte", "MIN_VALUE"): Prim("byte", -128), ("java.lang.Byte", "MAX_VALUE"): Prim("byte", 127),
    ("java.lang.Short", "MIN_VALUE"): Prim("short", -32768), ("java.lang.Short", "MAX_VALUE"): Prim("short", 32767),
    ("java.lang.Character", "MIN_VALUE"): Prim("char", 0), ("java.lang.Character", "MAX_VALUE"): Prim("char", 65535),
    ("java.lang.Integer", "MIN_VALUE"): Prim("int", -(2**31)),
    ("java.lang.Integer", "MAX_VALUE"): Prim("int", 2**31 - 1),
    ("java.lang.Long", "MIN_VALUE"): Prim("long", -(2**63)), ("java.lang.Long", "MAX_VALUE"): Prim("long", 2**63 - 1),
    **{("java.lang." + name, "SIZE"): Prim("int", size) for name, size in (
        ("Byte", 8), ("Short", 16), ("Character", 16), ("Integer", 32), ("Long", 64), ("Float", 32), ("Double", 64))},
    **{("java.lang." + name, "BYTES"): Prim("int", size) for name, size in (
        ("Byte", 1), ("Short", 2), ("Character", 2), ("Integer", 4), ("Long", 8), ("Float", 4), ("Double", 8))},
    ("java.lang.Double", "MAX_VALUE"): Prim("double", float.fromhex("0x1.fffffffffffffp1023")),
    ("java.lang.Double", "MIN_VALUE"): Prim("double", 5e-324),
    ("java.lang.Double", "MIN_NORMAL"): Prim("double", float.fromhex("0x1p-1022")),
    ("java.lang.Double", "NaN"): Prim("double", float("nan")),
    ("java.lang.Double", "POSITIVE_INFINITY"): Prim("double", float("inf")),
    ("java.lang.Double", "NEGATIVE_INFINITY"): Prim("double", float("-inf")),
    ("java.lang.Float", "MAX_VALUE"): Prim("float", float.fromhex("0x1.fffffep127")),
    ("java.lang.Float", "MIN_VALUE"): Prim("float", float.fromhex("0x1p-149")),
    ("java.lang.Float", "NaN"): Prim("float", float("nan")),
    ("java.lang.Float", "POSITIVE_INFINITY"): Prim("float", float("inf")),
    ("java.lang.Float", "NEGATIVE_INFINITY"): Prim("float", float("-inf")),
    ("java.lang.Math", "PI"): Prim("double", 3.141592653589793),
    ("java.lang.Math", "E"): Prim("double", 2.718281828459045),
}

# The abstract method of functional interfaces: its name, the types of its parameters and of its result ("" for any
# reference).
FUNCTIONAL: dict[str, tuple[str, tuple[str, ...], str]] = {
    "java.lang.Runnable": ("run", (), "void"),
    "java.util.concurrent.Callable": ("call", (), ""),
    "java.util.Comparator": ("compare", ("", ""), "int"),
    **{"java.util.function." + name: rest for name, rest in {
        "Function": ("apply", ("",), ""), "BiFunction": ("apply", ("", ""), ""), "UnaryOperator": ("apply", ("",), ""),
        "BinaryOperator": ("apply", ("", ""), ""), "Supplier": ("get", (), ""), "Consumer": ("accept", ("",), "void"),
        "BiConsumer": ("accept", ("", ""), "void"), "Predicate": ("test", ("",), "boolean"),
        "BiPredicate": ("test", ("", ""), "boolean"), "IntFunction": ("apply", ("int",), ""),
        "IntUnaryOperator": ("applyAsInt", ("int",), "int"), "IntBinaryOperator": ("applyAsInt", ("int", "int"), "int"),
        "IntPredicate": ("test", ("int",), "boolean"), "IntSupplier": ("getAsInt", (), "int"),
        "IntConsumer": ("accept", ("int",), "void"), "ToIntFunction": ("applyAsInt", ("",), "int"),
        "ToIntBiFunction": ("applyAsInt", ("", ""), "int"), "ToLongFunction": ("applyAsLong", ("",), "long"),
        "ToDoubleFunction": ("applyAsDouble", ("",), "double"),
        "LongUnaryOperator": ("applyAsLong", ("long",), "long"),
        "LongBinaryOperator": ("applyAsLong", ("long", "long"), "long"),
        "DoubleUnaryOperator": ("applyAsDouble", ("double",), "double"),
        "DoubleBinaryOperator": ("applyAsDouble", ("double", "double"), "double"),
        "BooleanSupplier": ("getAsBoolean", (), "boolean"), "LongSupplier": ("getAsLong", (), "long"),
        "DoubleSupplier": ("getAsDouble", (), "double"), "LongFunction": ("apply", ("long",), ""),
        "DoubleFunction": ("apply", ("double",), ""),
    }.items()},
}
# Final classes have no subtypes, so that their values are never of another class.
FINAL = frozenset({"java.lang.String", "java.lang.StringBuilder", "java.lang.StringBuffer", "java.lang.Boolean",
                   "java.lang.Character", "java.lang.Class", *(_LANG + name for name in _NUMBERS)})
# Result types of methods, where the name alone tells them: class → method → type.
_OF_STRING = {
    **dict.fromkeys(("length", "indexOf", "lastIndexOf", "compareTo", "compareToIgnoreCase", "hashCode", "codePointAt",
                     "codePointCount"), "int"),
    **dict.fromkeys(("isEmpty", "isBlank", "equals", "equalsIgnoreCase", "startsWith", "endsWith", "contains",
                     "matches", "contentEquals", "regionMatches"), "boolean"),
    **dict.fromkeys(("substring", "concat", "replace", "replaceAll", "replaceFirst", "trim", "strip", "stripLeading",
                     "stripTrailing", "toUpperCase", "toLowerCase", "repeat", "intern", "valueOf", "copyValueOf",
                     "join", "format", "formatted", "toString", "indent", "stripIndent"), "java.lang.String"),
    "charAt": "char", "toCharArray": "char[]", "split": "java.lang.String[]", "getBytes": "byte[]",
    "subSequence": "java.lang.CharSequence",
}
_OF_BUILDER = {
    **dict.fromkeys(("length", "indexOf", "lastIndexOf", "capacity", "compareTo"), "int"),
    **dict.fromkeys(("toString", "substring"), "java.lang.String"),
    "charAt": "char", "isEmpty": "boolean", "setCharAt": "void", "setLength": "void",
}
_ON_BUILDER = ("append", "insert", "reverse", "delete", "deleteCharAt", "replace")
_OF_NUMBER = {
    "intValue": "int", "longValue": "long", "shortValue": "short", "byteValue": "byte", "floatValue": "float",
    "doubleValue": "double", "charValue": "char", "booleanValue": "boolean", "compareTo": "int", "equals": "boolean",
    "hashCode": "int", "compare": "int", "parseInt": "int", "parseLong": "long", "parseDouble": "double",
    "parseFloat": "float", "parseShort": "short", "parseByte": "byte", "parseBoolean": "boolean",
    "toString": "java.lang.String", "toBinaryString": "java.lang.String", "toHexString": "java.lang.String",
    "toOctalString": "java.lang.String", "isNaN": "boolean", "isInfinite": "boolean", "bitCount": "int",
    "numberOfLeadingZeros": "int", "numberOfTrailingZeros": "int",
}
_OF_CHARACTER = {
    **_OF_NUMBER, **dict.fromkeys(("isDigit", "isLetter", "isLetterOrDigit", "isUpperCase", "isLowerCase",
                                   "isWhitespace", "isAlphabetic", "isSpaceChar"), "boolean"),
    **dict.fromkeys(("getNumericValue", "digit"), "int"), "forDigit": "char",
}
RESULTS: dict[str, dict[str, str]] = {
    "java.lang.String": _OF_STRING, "java.lang.CharSequence": {
        "length": "int", "charAt": "char", "toString": "java.lang.String", "isEmpty": "boolean"},
    **{name: {**_OF_BUILDER, **dict.fromkeys(_ON_BUILDER, name)}
       for name in ("java.lang.StringBuilder", "java.lang.StringBuffer")},
    **{_LANG + name: {**_OF_NUMBER, "valueOf": _LANG + name} for name in _NUMBERS},
    "java.lang.Character": {**_OF_CHARACTER, "valueOf": "java.lang.Character"},
    "java.lang.Boolean": {**_OF_NUMBER, "valueOf": "java.lang.Boolean", "logicalXor": "boolean"},
    "java.lang.Object": {"toString": "java.lang.String", "equals": "boolean", "hashCode": "int",
                         "getClass": "java.lang.Class"},
    "java.util.List": {"size": "int", "isEmpty": "boolean", "contains": "boolean", "indexOf": "int",
                       "lastIndexOf": "int", "of": "java.util.List", "copyOf": "java.util.List",
                       "subList": "java.util.List", "add": "boolean", "equals": "boolean", "hashCode": "int"},
    "java.util.Arrays": {"toString": "java.lang.String", "equals": "boolean", "asList": "java.util.List",
                         "hashCode": "int", "deepEquals": "boolean", "deepToString": "java.lang.String",
                         "binarySearch": "int"},
    "java.util.Objects": {"equals": "boolean", "hash": "int", "hashCode": "int", "toString": "java.lang.String",
                          "isNull": "boolean", "nonNull": "boolean", "checkIndex": "int"},
    "java.lang.Throwable": {"getMessage": "java.lang.String", "getLocalizedMessage": "java.lang.String",
                            "getCause": "java.lang.Throwable", "toString": "java.lang.String"},
    "java.lang.Enum": {"name": "java.lang.String", "ordinal": "int", "compareTo": "int"},
    "java.lang.System": {"currentTimeMillis": "long", "nanoTime": "long", "identityHashCode": "int",
                         "lineSeparator": "java.lang.String", "arraycopy": "void"},
    "java.lang.Class": {"getName": "java.lang.String", "getSimpleName": "java.lang.String"},
}
RESULTS["java.util.ArrayList"] = RESULTS["java.util.List"]
# fmt: on


def result_of(owner: str, name: str) -> str:
    """The (erased) result type of a method of a JDK type, empty when it is not listed or depends on more."""
    todo, seen = [owner], set[str]()
    while todo:
        one = todo.pop(0)
        if one in RESULTS and name in RESULTS[one]:
            return RESULTS[one][name]
        seen.add(one)
        todo += [above for above in SUPERTYPES.get(one, ()) if above not in seen]
    return RESULTS["java.lang.Object"].get(name, "") if owner in SUPERTYPES else ""


def is_throwable(name: str) -> bool:
    """Whether a JDK type is a listed exception or error."""
    return name in _THROWABLES


def supertypes(name: str) -> frozenset[str] | None:
    """All JDK supertypes of a listed JDK type with itself; None for types that are not listed."""
    if name not in SUPERTYPES:
        return None
    found: set[str] = set()
    todo = [name]
    while todo:
        one = todo.pop()
        if one not in found:
            found.add(one)
            todo += SUPERTYPES[one]
    found.add("java.lang.Object")
    return frozenset(found)
