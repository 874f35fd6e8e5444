"""The Java reader: source text → ``SourceContracts`` with the JML contracts of all methods.

A contract belongs to the method or constructor that is declared right after it, or in whose header it stands
(JML Reference Manual, "Method Specifications"). Annotations in method bodies (assertions, loop and block
contracts) are no method contracts. Where the grammar does not know a declaration, its header is read by its tokens.
"""

from __future__ import annotations

from clausefit.hook.contracts.java_bodies import Body
from clausefit.hook.contracts.java_file import FileReader
from clausefit.hook.contracts.model import SourceContracts


def read_java(text: str, file: str) -> SourceContracts:
    """All contracts of one Java or ``.jml`` file, with its classes, fields, invariants and methods in ``java``.

    Never raises. What cannot be read is a ``NotChecked`` with its line: ``parse_error`` where the text is broken,
    ``unsupported`` where it may be right but this reader does not follow. ``bare`` holds the methods without clauses.
    """
    reader = FileReader(text, file)
    reader.bodies.append((reader.java.root, None))
    while reader.bodies:
        node, owner = reader.bodies.pop()
        Body(reader, node, owner).run()
    return reader.done()
