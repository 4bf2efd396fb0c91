"""Zip files with any number of members, read in constant memory. `zipfile` needs 600 bytes per member.

The directory is read record by record, and a member piece by piece. All sizes and places are checked.
"""

from __future__ import annotations

import zlib
from os import SEEK_CUR, SEEK_END
from struct import Struct
from typing import IO, TYPE_CHECKING, NamedTuple
from zipfile import ZIP_STORED

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCK = 1 << 16
"""The most bytes read or written at a time."""

HEADER = Struct("<4s5H3L2H")
"""The header of each member. Its name follows."""
HEADER_MAGIC = b"PK\x03\x04"

_RECORD = Struct("<4s6H3L5H2L")
_RECORD_MAGIC = b"PK\x01\x02"
_END, _END_MAGIC = Struct("<4s4H2LH"), b"PK\x05\x06"
_LOCATOR, _LOCATOR_MAGIC = Struct("<4sLQL"), b"PK\x06\x07"
_END64, _END64_MAGIC = Struct("<4sQ2H2L4Q"), b"PK\x06\x06"
_LONGEST_COMMENT = 0xFFFF
_WIDE, _WIDE_EXTRA = 0xFFFFFFFF, 1
"""The value for a size or a place that does not fit into 32 bits, and the id of the extra field with the real value."""


class BadZipError(Exception):
    """A zip file, or a member of one, is incomplete or contradicts itself."""


class PackedMember(NamedTuple):
    """A member of the directory. `begins` is the place of its header, `packed` the size of its packed bytes."""

    name: str
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    begins: int


def members_of(file: IO[bytes]) -> Iterator[PackedMember]:
    """The members of a zip file in the order of its directory. Raises `BadZipError`."""
    first, end, count = _directory(file)
    at = first
    for _ in range(count):
        file.seek(at)
        record = file.read(_RECORD.size)
        if len(record) < _RECORD.size or not record.startswith(_RECORD_MAGIC):
            raise BadZipError("its directory ends too early")
        _, _, _, flags, method, _, _, crc, packed, size, name, extra, comment, _, _, _, begins = _RECORD.unpack(record)
        rest = file.read(name + extra)
        at += _RECORD.size + name + extra + comment
        if len(rest) < name + extra or at > end:
            raise BadZipError("its directory ends too early")
        size, packed, begins = _widened(rest[name:], size, packed, begins)
        if begins + packed > first:
            raise BadZipError("a file is not where its directory says")
        yield PackedMember(rest[:name].decode(errors="replace"), flags, method, crc, packed, size, begins)
    if at != end:
        raise BadZipError("its directory has more members than it counts")


def _directory(file: IO[bytes]) -> tuple[int, int, int]:
    """The beginning and end of the directory, and its number of members."""
    length = file.seek(0, SEEK_END)
    start = file.seek(max(0, length - _END.size - _LONGEST_COMMENT))
    tail = file.read()
    at = tail.rfind(_END_MAGIC)
    if at < 0 or len(tail) < at + _END.size:
        raise BadZipError("it has no directory")
    _, _, _, _, count, size, begins, comment = _END.unpack_from(tail, at)
    if at + _END.size + comment != len(tail):
        raise BadZipError("there is data after its end")
    end = start + at
    if at >= _LOCATOR.size and tail.startswith(_LOCATOR_MAGIC, at - _LOCATOR.size):
        _, _, end, _ = _LOCATOR.unpack_from(tail, at - _LOCATOR.size)
        count, size, begins = _wide_end(file, end)
    if begins + size != end:
        raise BadZipError("its directory is not where its end says")
    return begins, end, count


def _wide_end(file: IO[bytes], at: int) -> tuple[int, int, int]:
    """Number of members, size and beginning of the directory, for a large file."""
    try:
        file.seek(at)
    except (OverflowError, ValueError, OSError) as error:
        raise BadZipError("its directory is not where its end says") from error
    record = file.read(_END64.size)
    if len(record) < _END64.size or not record.startswith(_END64_MAGIC):
        raise BadZipError("its directory is not where its end says")
    *_, count, size, begins = _END64.unpack(record)
    return count, size, begins


def _widened(extra: bytes, *values: int) -> Iterator[int]:
    """The sizes and the place of a member, with values from the extra field if too large for the record."""
    wide, at = b"", 0
    while at + 4 <= len(extra):
        kind, length = (int.from_bytes(extra[place : place + 2], "little") for place in (at, at + 2))
        wide = extra[at + 4 : at + 4 + length] if kind == _WIDE_EXTRA else wide
        at += 4 + length
    for value in values:
        if value == _WIDE and len(wide) >= 8:
            yield int.from_bytes(wide[:8], "little")
            wide = wide[8:]
        else:
            yield value


def unpack(file: IO[bytes], member: PackedMember) -> Iterator[bytes]:
    """Read a member, piece by piece. Raises `BadZipError` if it does not match the directory."""
    try:
        file.seek(member.begins)
    except (OverflowError, ValueError, OSError) as error:
        raise BadZipError("it is not where the directory says") from error
    header = file.read(HEADER.size)
    if len(header) < HEADER.size or not header.startswith(HEADER_MAGIC):
        raise BadZipError("it is not where the directory says")
    *_, name, extra = HEADER.unpack(header)
    if file.read(name).decode(errors="replace") != member.name:
        raise BadZipError("it has another name than in the directory")
    file.seek(extra, SEEK_CUR)
    crc = 0
    for piece in inflate(file, member.packed, member.size, member.method):
        crc = zlib.crc32(piece, crc)
        yield piece
    if crc != member.crc:
        raise BadZipError("its checksum does not match")


def inflate(file: IO[bytes], packed: int, size: int, method: int) -> Iterator[bytes]:
    """Unpack `packed` bytes from the file's position. Raises `BadZipError` if the size of the result is not `size`."""
    length = 0
    for piece in _stored(file, packed) if method == ZIP_STORED else _deflated(file, packed):
        length += len(piece)
        if length > size:
            break
        yield piece
    if length != size:
        raise BadZipError(f"it does not have the {size} bytes that the file says")


def _stored(file: IO[bytes], packed: int) -> Iterator[bytes]:
    while packed and (block := file.read(min(packed, BLOCK))):
        packed -= len(block)
        yield block


def _deflated(file: IO[bytes], packed: int) -> Iterator[bytes]:
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        for block in _stored(file, packed):
            left = block
            while left and not stream.eof:
                yield stream.decompress(left, BLOCK)
                left = stream.unconsumed_tail
        yield stream.flush()  # what was unpacked and had no room in the last piece
    except zlib.error as error:
        raise BadZipError(f"it cannot be unpacked: {error}") from error
    if not stream.eof or stream.unused_data:
        raise BadZipError("its packed bytes end elsewhere than the file says")
