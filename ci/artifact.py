"""The report out of the archive of an artifact. The archive is hostile: a fork's run made it.

Nothing is written to disk and no name in the archive is used for anything but choosing the file, so there is nothing
that a path in it could reach. Sizes are those that come out, not those that the archive says.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from clausefit.hook.reports.json_reader import MAX_BYTES

ARCHIVE_LIMIT = 8 << 20
"""Bytes of an archive at most. A report is text, of which an archive keeps a tenth."""
_MOST_FILES = 100
_ENCRYPTED = 0x1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError, OverflowError)


class ArtifactProblem(Exception):  # noqa: N818 - what is wrong is the archive
    """The archive holds no report that can be read. The text is one line."""


def report_text(archive: bytes, *, limit: int = MAX_BYTES) -> str:
    """The text of the one ``.json`` file in the archive. Raises ArtifactProblem, and nothing else.

    ``limit`` are the bytes that it may unpack to. Files of other names are not looked at.
    """
    if len(archive) > ARCHIVE_LIMIT:
        raise ArtifactProblem(f"the artifact is larger than {ARCHIVE_LIMIT} bytes")
    try:
        content = _content(archive, limit)
    except _BROKEN as problem:
        raise ArtifactProblem(f"the artifact is no archive that can be read ({type(problem).__name__})") from problem
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise ArtifactProblem("the report in the artifact is no UTF-8 text") from problem


def _content(archive: bytes, limit: int) -> bytes:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        entries = [entry for entry in opened.infolist() if not entry.is_dir()]
        if len(entries) > _MOST_FILES:
            raise ArtifactProblem(f"the artifact holds more than {_MOST_FILES} files instead of a report")
        reports = [entry for entry in entries if entry.filename.lower().endswith(".json")]
        if len(reports) != 1:
            raise ArtifactProblem(f"the artifact holds {len(reports) or 'no'} .json files; it must be the report alone")
        entry = reports[0]
        if entry.flag_bits & _ENCRYPTED:
            raise ArtifactProblem("the report in the artifact is encrypted")
        if entry.compress_type not in _METHODS:
            raise ArtifactProblem("the report in the artifact is packed in a way that GitHub does not use")
        with opened.open(entry) as file:
            # Asked for one more than is accepted: a bomb is seen without being unpacked, whatever size it claims; and
            # the end is reached, where the check sum is compared.
            content = file.read(limit + 1)
    if len(content) > limit:
        raise ArtifactProblem(f"the report in the artifact unpacks to more than {limit} bytes")
    return content
