"""Archives that a fork's run may upload."""

import io
import struct
import tracemalloc
import zipfile

import pytest
from clausefit.ci.artifact import ARCHIVE_LIMIT, ArtifactProblem, report_text

TEXT = '{"schema": "clausefit-report/1"}'


def archive(*files: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    page = io.BytesIO()
    with zipfile.ZipFile(page, "w", method) as made:
        for name, content in files:
            made.writestr(name, content)
    return page.getvalue()


def claiming(content: bytes, size: int) -> bytes:
    """An archive of one file whose directory claims another unpacked size."""
    whole = bytearray(archive(("r.json", content)))
    at = whole.rindex(b"PK\x01\x02")
    whole[at + 24 : at + 28] = struct.pack("<I", size)
    return bytes(whole)


def with_flag(content: bytes, flag: int) -> bytes:
    whole = bytearray(archive(("r.json", content)))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = whole.rindex(mark) + offset
        whole[at] |= flag
    return bytes(whole)


def broken_check_sum() -> bytes:
    whole = bytearray(archive(("r.json", TEXT.encode()), method=zipfile.ZIP_STORED))
    whole[whole.index(b"clausefit")] ^= 1
    return bytes(whole)


READABLE = [
    pytest.param(archive(("clausefit-report.json", TEXT.encode())), id="as upload-artifact makes it"),
    pytest.param(archive(("r.json", TEXT.encode()), method=zipfile.ZIP_STORED), id="stored"),
    pytest.param(archive(("a.sarif", b"\0"), ("r.json", TEXT.encode()), ("x/", b"")), id="beside files of other kinds"),
    pytest.param(archive(("../../etc/passwd.JSON", TEXT.encode())), id="a name that leads out: it is not used"),
    pytest.param(archive(("/abs\\x\u202e.json", TEXT.encode())), id="an absolute name with bidi characters"),
]


@pytest.mark.parametrize("content", READABLE)
def test_report_is_read(content: bytes) -> None:
    assert report_text(content) == TEXT


REFUSED = [
    pytest.param(b"", "no archive", id="empty"),
    pytest.param(b"{}", "no archive", id="not a zip"),
    pytest.param(archive(("r.json", TEXT.encode()))[:-30], "no archive", id="truncated in the directory"),
    pytest.param(archive(("r.json", TEXT.encode()))[20:], "no archive", id="truncated at the start"),
    pytest.param(broken_check_sum(), "no archive", id="check sum differs"),
    pytest.param(archive(), "no .json", id="without files"),
    pytest.param(archive(("r.txt", b"{}")), "no .json", id="no report in it"),
    pytest.param(
        archive(("r.zip", archive(("r.json", b"{}")))), "no .json", id="nested: archives in it are not opened"
    ),
    pytest.param(archive(("a.json", b"{}"), ("b.json", b"{}")), "2 .json", id="several reports"),
    pytest.param(archive(*((f"{i}.txt", b"") for i in range(101))), "more than 100", id="many files"),
    pytest.param(archive(("r.json", b"\xff\xfe")), "UTF-8", id="no UTF-8"),
    pytest.param(archive(("r.json", b" " * 5000)), "more than 1000", id="a bomb"),
    pytest.param(claiming(b" " * 5000, 10), "no archive|more than", id="a bomb that claims to be small"),
    pytest.param(archive(("r.json", b"{}"), method=zipfile.ZIP_LZMA), "does not use", id="packed with LZMA"),
    pytest.param(with_flag(b"{}", 1), "encrypted", id="encrypted"),
    pytest.param(bytes(ARCHIVE_LIMIT + 1), "larger than", id="a large archive"),
]


@pytest.mark.parametrize(("content", "expected"), REFUSED)
def test_archive_is_refused_in_one_line(content: bytes, expected: str) -> None:
    with pytest.raises(ArtifactProblem, match=expected) as caught:
        report_text(content, limit=1000)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("at", range(0, 110, 3))
def test_flipped_bytes_never_crash(at: int) -> None:
    whole = bytearray(archive(("r.json", TEXT.encode())))
    whole[at % len(whole)] ^= 0xFF
    try:
        text = report_text(bytes(whole))
    except ArtifactProblem:
        return
    assert text == TEXT  # a date or an attribute was hit


def test_bomb_is_not_unpacked_to_be_refused() -> None:
    bomb = archive(("r.json", b" " * (48 << 20)))
    tracemalloc.start()
    try:
        with pytest.raises(ArtifactProblem, match="more than 1000"):
            report_text(bomb, limit=1000)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()
