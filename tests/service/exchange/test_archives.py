"""The zip file of an archive: read and written in constant memory, and believed only as far as it fits."""

from __future__ import annotations

import io
import zipfile
from contextlib import closing, suppress
from typing import IO
from uuid import UUID
from zipfile import ZipFile

import pytest

from service.exchange import archives
from service.exchange.archives import ArchiveReader, ArchiveWriter, BadArchiveError, BadItemError, game_file
from service.exchange.zips import BLOCK, BadZipError, members_of, unpack
from tests.cases import cases

NAMES = [game_file(str(UUID(int=number))) for number in range(4)]
WRITTEN_AT = "2026-01-01T00:00:00.000Z"


def archive_of(*contents: bytes) -> bytearray:
    file = io.BytesIO()
    with ArchiveWriter(file) as writer:
        for name, content in zip(NAMES, contents, strict=False):
            writer.add(name, [content])
        writer.finish(WRITTEN_AT, {}, {})
    return bytearray(file.getvalue())


def read(content: bytes) -> dict[str, bytes]:
    with closing(ArchiveReader(io.BytesIO(content))) as reader:
        return {each.file: reader.read(each.file) for each in reader.records()}


@cases("size", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK + 258])
@cases("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_member_of_any_size_is_read_whole(size, method):
    file = io.BytesIO()
    with ZipFile(file, "w", method) as target:
        target.writestr("zeros", bytes(size))
    (member,) = members_of(file)
    assert sum(map(len, unpack(file, member))) == size


def test_a_file_with_more_members_than_an_old_directory_counts_is_read(monkeypatch):
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 2)
    content = archive_of(b"one\n", b"two\n", b"three\n")
    assert b"PK\x06\x06" in content
    assert list(read(content).values()) == [b"one\n", b"two\n", b"three\n"]
    with ZipFile(io.BytesIO(content)) as found:
        assert found.testzip() is None


def test_zipfile_reads_what_the_writer_wrote_and_kept():
    file = io.BytesIO()
    with ArchiveWriter(file) as writer:
        writer.add(NAMES[0], [b"first\n"])
        writer.add(NAMES[1], [b"second\n"])
    with ArchiveWriter(file) as writer:
        writer.add(NAMES[2], [b"third\n"])
        writer.keep(NAMES[1])
        writer.finish(WRITTEN_AT, {}, {})
    with ZipFile(file) as found:
        assert found.testzip() is None
        assert found.namelist() == [NAMES[2], NAMES[1], archives.MANIFEST]
        assert {each.external_attr >> 16 for each in found.infolist()} == {0o600}
    assert b"first" not in file.getvalue()


def test_an_export_that_is_interrupted_twice_keeps_what_the_first_one_finished():
    """Its first files are written anew each time. What they were is wiped out, and passed over by the next one."""
    file = io.BytesIO()
    for number in range(3):
        with ArchiveWriter(file) as writer:
            assert [bool(writer.finished(name)) for name in NAMES[1:3]] == [number > 0, number > 1]
            writer.add(archives.PEOPLE, [b"somebody new\n" * number])
            for name in NAMES[1 : number + 1]:
                writer.keep(name)
            writer.add(NAMES[number + 1], [b"%d\n" % number])
            if number == 2:
                writer.finish(WRITTEN_AT, {}, {})
    assert list(read(file.getvalue()).values()) == [b"0\n", b"1\n", b"2\n"]


def test_any_wrong_byte_is_a_bad_archive_or_a_bad_file():
    """Never another error, and never other content."""
    whole = archive_of(b"one\n", b"two\n" * 9)
    expected = read(whole)
    for at in range(len(whole)):
        content = whole.copy()
        content[at] ^= 1 << at % 8
        with suppress(BadArchiveError), closing(ArchiveReader(io.BytesIO(content))) as reader:
            for each in reader.records():
                with suppress(BadItemError):
                    assert reader.read(each.file) == expected[each.file]


def test_an_archive_that_is_cut_off_anywhere_is_refused():
    whole = archive_of(b"one\n", b"two\n")
    for end in range(0, len(whole), 9):
        with pytest.raises(BadArchiveError, match="not a complete zip file"):
            ArchiveReader(io.BytesIO(whole[:end]))


def test_files_that_share_bytes_are_refused():
    """A small archive could be unpacked without end."""
    file = io.BytesIO()
    with ZipFile(file, "w") as target:
        for name in NAMES[:2]:
            target.writestr(name, b"bytes of two files\n")
        target.filelist[1].header_offset = target.filelist[0].header_offset
    with pytest.raises(BadArchiveError, match="shares its bytes"):
        ArchiveReader(file)


@cases(("most", "largest"), [(160, 1 << 16), (1, 1 << 18)])
def test_an_archive_that_unpacks_to_far_more_than_its_size_is_refused(monkeypatch, most, largest):
    """A service would take all of it. Hashes hardly pack, so no archive of records does that."""
    whole = archive_of(bytes(1 << 16), bytes(1 << 16))
    monkeypatch.setattr(archives.limits, "IMPORT", largest)
    monkeypatch.setattr(archives, "MOST_UNPACKED", most)
    assert len(read(whole)) == 2
    monkeypatch.setattr(archives, "MOST_UNPACKED", most // 2)
    monkeypatch.setattr(archives.limits, "IMPORT", 1 << 16)
    with pytest.raises(BadArchiveError, match=r"it unpacks to 13\d+ bytes, which is more than \d+ times its size"):
        read(whole)


@cases(
    ("field", "value"),
    [("compress_size", 1), ("file_size", 1), ("file_size", 100), ("CRC", 7), ("header_offset", 3), ("flag_bits", 1)],
)
def test_a_directory_that_says_something_else_than_the_file_is_believed_in_nothing(field, value):
    file = io.BytesIO()
    with ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr(NAMES[0], b"what is here " * 4)
        setattr(target.filelist[0], field, value)
    with pytest.raises((BadZipError, BadArchiveError)):  # noqa: PT012 - one of the two sees it first
        for member in members_of(file):
            archives._checked_member(member)
            for _ in unpack(file, member):
                pass


@pytest.mark.parametrize(
    ("record", "field", "value"),
    [
        *((b"PK\x06\x06", 32, count) for count in (0, 1, 4, 2**63, 2**64 - 1)),
        *((b"PK\x06\x07", 8, place) for place in (0, 2**40, 2**63, 2**64 - 1)),
    ],
)
def test_a_directory_that_counts_wrong_or_ends_elsewhere_is_refused(monkeypatch, record, field, value):
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 1)
    content = archive_of(b"one\n", b"two\n")
    at = content.rindex(record) + field
    content[at : at + 8] = value.to_bytes(8, "little")
    with pytest.raises(BadArchiveError, match="directory"):
        ArchiveReader(io.BytesIO(content))


# What other programs write, and what strangers do


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED, target: IO[bytes] | None = None) -> bytes:
    """A zip file of what is in it, as Python writes it."""
    file = target or io.BytesIO()
    with ZipFile(file, "w", method) as written:
        for name, content in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            with written.open(info, "w", force_zip64=method == zipfile.ZIP_STORED) as member:
                member.write(content)
    return file.getvalue()  # type: ignore[attr-defined, no-any-return]


class Pipe(io.BytesIO):
    """What cannot go back: sizes stand behind the files then."""

    def seekable(self) -> bool:
        return False

    def tell(self) -> int:
        raise OSError

    def seek(self, *_: int) -> int:
        raise OSError


def files_in(content: bytes) -> dict[str, bytes]:
    with ZipFile(io.BytesIO(content)) as found:
        return {name: found.read(name) for name in found.namelist()}


@pytest.mark.parametrize(("method", "target"), [(zipfile.ZIP_STORED, None), (zipfile.ZIP_DEFLATED, Pipe())])
def test_an_archive_that_another_program_packed_anew_is_read(method: int, target: IO[bytes] | None) -> None:
    """With sizes of 64 bits, and with sizes behind the files."""
    whole = archive_of(b"one\n", b"two\n")
    packed = zipped(files_in(whole), method, target)
    assert packed != whole
    assert read(packed) == read(whole)


STRANGE = (
    *("../../etc/passwd", "/etc/passwd", "games/../people.ndjson", "games\\one.ndjson", "inner.zip", "games/"),
    *("gämes.ndjson", "ゲーム.ndjson", NAMES[0].upper(), f"{NAMES[0]}\n", f"./{NAMES[0]}", "PEOPLE.NDJSON"),
)


@pytest.mark.parametrize("name", STRANGE)
def test_a_file_with_any_other_name_is_refused(name: str) -> None:
    with pytest.raises(BadArchiveError, match="not a file of an archive"):
        read(zipped(files_in(archive_of(b"one\n")) | {name: b"x"}))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_files_that_are_packed_in_another_way_or_encrypted_are_refused(method: int) -> None:
    files = files_in(archive_of(b"one\n"))
    encrypted = bytearray(zipped(files))
    encrypted[encrypted.index(b"PK\x01\x02") + 8] |= 1
    for content in (zipped(files, method), bytes(encrypted)):
        with pytest.raises(BadArchiveError, match="encrypted"):
            read(content)


def test_a_link_is_a_file_that_is_not_what_the_manifest_says() -> None:
    files = files_in(archive_of(b"/etc/passwd\n", b"two\n"))
    link = zipfile.ZipInfo(NAMES[0])
    link.external_attr = 0o120777 << 16
    file = io.BytesIO()
    with ZipFile(file, "w") as target:
        for name, content in files.items():
            target.writestr(link if name == NAMES[0] else name, b"/etc/shadow\n" if name == NAMES[0] else content)
    with pytest.raises(BadItemError, match="SHA-256"):
        read(file.getvalue())


@pytest.mark.parametrize("behind", [b"x", b"x" * 60_000, b"PK\x05\x06"])
def test_an_archive_with_something_behind_its_end_is_refused(behind: bytes) -> None:
    with pytest.raises(BadArchiveError, match="not a complete zip file"):
        read(archive_of(b"one\n") + behind)


@pytest.mark.parametrize(
    ("header", "zeros"), [(b"[" * 100_000, 0), (b'{"x":' * 100_000, 0), (b'{"exported_at":"', 34 << 20), (b"\xff", 0)]
)
def test_a_manifest_that_is_too_deep_too_long_or_no_text_is_refused(header: bytes, zeros: int) -> None:
    files = files_in(archive_of(b"one\n"))
    with pytest.raises(BadArchiveError, match="cannot be read"):
        read(zipped(files | {archives.MANIFEST: header + bytes(zeros) + b"\n"}))
