"""What is known of the Java library without a JDK: which classes KeY's own copy of it has, and the exceptions.

The copy (JavaRedux of KeY 2.12.3) is old and small. A class that it lacks can still be named in a clause: as an empty
class with its superclass, which is all that ``instanceof`` needs.
"""

from __future__ import annotations

# fmt: off
_KEY_CLASSES = {
    "java.io": "FilterOutputStream IOException InputStream OutputStream PrintStream Serializable",
    "java.lang": """ArithmeticException ArrayIndexOutOfBoundsException ArrayStoreException AssertionError Boolean
        Character Class ClassCastException CloneNotSupportedException Cloneable Comparable Double Enum Error Exception
        ExceptionInInitializerError Float IllegalArgumentException IndexOutOfBoundsException Integer
        InterruptedException Iterable LinkageError Long Math NegativeArraySizeException NoClassDefFoundError
        NullPointerException Number NumberFormatException Object OutOfMemoryError Runnable RuntimeException String
        StringBuffer System Thread Throwable VirtualMachineError""",
    "java.math": "BigInteger",
    "java.util": """ArrayList Arrays Collection Date Iterator LinkedHashMap LinkedList List ListIterator Map Set""",
}
KEY_LIBRARY = frozenset(f"{package}.{name}" for package, names in _KEY_CLASSES.items() for name in names.split())

# Classes of ``java.lang`` and ``java.util`` that people name without a qualification (JLS 7.5.2: import on demand).
_MORE = {
    "java.lang": """Byte Short StringBuilder CharSequence Void Record Override Deprecated Process Runtime
        StackOverflowError StringIndexOutOfBoundsException IllegalStateException UnsupportedOperationException
        ReflectiveOperationException ClassNotFoundException NoSuchFieldException NoSuchMethodException
        SecurityException IllegalMonitorStateException EnumConstantNotPresentException AutoCloseable
        InstantiationException IllegalAccessException TypeNotPresentException""",
    "java.util": """NoSuchElementException ConcurrentModificationException EmptyStackException
        InputMismatchException MissingResourceException HashMap HashSet TreeMap TreeSet Deque ArrayDeque Queue
        PriorityQueue Optional OptionalInt OptionalLong OptionalDouble Objects Collections Comparator BitSet UUID Random
        Scanner StringJoiner Locale Calendar Vector Stack Hashtable Enumeration SortedMap SortedSet NavigableMap
        NavigableSet EnumMap EnumSet LinkedHashSet Properties""",
    "java.io": """FileNotFoundException UncheckedIOException EOFException File Reader Writer Closeable
        InterruptedIOException BufferedReader""",
    "java.math": "BigDecimal RoundingMode MathContext",
    "java.time": "DateTimeException Duration Instant LocalDate LocalDateTime LocalTime ZoneId",
}
_PACKAGE_OF = {
    (package, name)
    for table in (_KEY_CLASSES, _MORE)
    for package, names in table.items()
    for name in names.split()
}
_SUPERCLASS = {
    "java.lang.RuntimeException": """java.lang.IllegalStateException java.lang.UnsupportedOperationException
        java.lang.SecurityException java.lang.IllegalMonitorStateException java.lang.EnumConstantNotPresentException
        java.lang.TypeNotPresentException java.util.NoSuchElementException java.util.ConcurrentModificationException
        java.util.EmptyStackException java.util.MissingResourceException java.io.UncheckedIOException
        java.time.DateTimeException java.util.concurrent.CompletionException java.nio.BufferOverflowException
        java.nio.BufferUnderflowException java.lang.reflect.UndeclaredThrowableException""",
    "java.lang.Exception": """java.lang.ReflectiveOperationException java.util.concurrent.TimeoutException
        java.util.concurrent.ExecutionException java.text.ParseException java.sql.SQLException
        java.net.URISyntaxException java.security.GeneralSecurityException""",
    "java.lang.ReflectiveOperationException": """java.lang.ClassNotFoundException java.lang.NoSuchFieldException
        java.lang.NoSuchMethodException java.lang.InstantiationException java.lang.IllegalAccessException""",
    "java.lang.IndexOutOfBoundsException": "java.lang.StringIndexOutOfBoundsException",
    "java.lang.IllegalStateException": """java.util.concurrent.CancellationException
        java.util.FormatterClosedException""",
    "java.lang.IllegalArgumentException": """java.util.IllegalFormatException
        java.util.regex.PatternSyntaxException java.nio.file.InvalidPathException""",
    "java.util.NoSuchElementException": "java.util.InputMismatchException",
    "java.time.DateTimeException": "java.time.format.DateTimeParseException",
    "java.io.IOException": """java.io.FileNotFoundException java.io.EOFException java.io.InterruptedIOException
        java.net.MalformedURLException java.net.UnknownHostException java.nio.file.FileSystemException
        java.nio.charset.CharacterCodingException""",
    "java.nio.file.FileSystemException": "java.nio.file.NoSuchFileException java.nio.file.FileAlreadyExistsException",
    "java.lang.VirtualMachineError": "java.lang.StackOverflowError java.lang.InternalError",
}
# fmt: on
SUPERCLASSES = {name: above for above, names in _SUPERCLASS.items() for name in names.split()}


def library_name(name: str, packages: tuple[str, ...] = ("java.lang",)) -> str | None:
    """The qualified name of a class of one of these packages, None where none of them is known to have it."""
    return next((f"{package}.{name}" for package in packages if (package, name) in _PACKAGE_OF), None)
