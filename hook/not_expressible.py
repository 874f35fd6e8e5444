"""The exception of everything that puts pins and clauses into the words of a verifier."""

from __future__ import annotations


class NotExpressible(Exception):  # noqa: N818 - a fact about a pin or a clause, not a mistake
    """A pin or a clause that cannot be put into a stub or a scene; the message says why, for people."""
