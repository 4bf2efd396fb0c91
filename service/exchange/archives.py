"""An archive of everything: a zip file with all records of the log, people, components and the trail.

Its last member is the manifest: one header line, then a line for each file with its size and SHA-256.
"""

from __future__ import annotations

import re
import zlib
from contextlib import nullcontext, suppress
from hashlib import sha256
from os import SEEK_END
from struct import Struct
from typing import IO, TYPE_CHECKING, Literal, NamedTuple, Self
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import msgspec

from events import limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MANIFEST = "manifest.ndjson"
CHECKPOINT, KEY, ENTRIES = "tree/checkpoint", "tree/key", "tree/entries"
COMPONENTS, TEMPLATES, PEOPLE, MERGES, TRAIL = (
    *("components.ndjson", "templates.ndjson", "people.ndjson", "merges.ndjson", "trail.ndjson"),
)
MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
"""The first bytes of a zip file."""

_OTHERS = {COMPONENTS, TEMPLATES, PEOPLE, MERGES, TRAIL, CHECKPOINT, KEY, ENTRIES, MANIFEST}
_RECORD = re.compile(r"(games|clubs|tournaments|seasons)/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.ndjson")
_ENCRYPTED = 1
_HEADER = Struct("<4s5H3L2H")
"""What stands before each file in a zip file."""
BLOCK = 1 << 16
"""Bytes that are read or written at a time."""
_BROKEN = (BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)
"""What `zipfile` raises for a file that it cannot read."""


class BadArchiveError(Exception):
    """A file is no archive of this format, or not a whole one. Nothing of it was used."""


class BadItemError(Exception):
    """A file in an archive is not what the manifest says. The others can be used."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a manifest: how many files follow, and what was counted in them.

    `left_out` are the records that could not be read at the export, each with the reason. The first `covered` entries
    of the tree were there before the first record was read, so all of them are in the archive.
    """

    format: Literal["kifu.archive"] = "kifu.archive"
    format_version: Literal[1] = 1
    exported_at: str
    produced_by: str = "kifu"
    files: int
    counts: dict[str, int]
    left_out: dict[str, str] = {}
    covered: int = 0
    signature: str = ""
    """The last field. It is a signed note of the SHA-256 of the manifest without it; empty where nothing signs."""


class Member(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a manifest: a file in the archive, its size in bytes, and its SHA-256 in hexadecimal."""

    name: str
    size: int
    sha256: str


def game_file(game: str) -> str:
    """The name that the record of a game has in an archive."""
    return f"games/{game}.ndjson"


def tournament_file(tournament: str) -> str:
    """The name that the record of a tournament has in an archive."""
    return f"tournaments/{tournament}.ndjson"


def season_file(season: str) -> str:
    """The name that the record of a season has in an archive."""
    return f"seasons/{season}.ndjson"


def club_file(club: str) -> str:
    """The name that the record of a club has in an archive."""
    return f"clubs/{club}.ndjson"


class ArchiveWriter:
    """Writes an archive, one file after the other. `finish` writes the manifest.

    What an interrupted export finished in the same file can be kept: it is proved by its checksum first.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._finished = {each.member.name: each for each in _finished_files(file)} if file.seekable() else {}
        self._zip = ZipFile(file, "w", ZIP_DEFLATED)
        self._members: list[Member] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with suppress(OSError, ValueError) if kind else nullcontext():
            self._zip.close()

    def finished(self, name: str) -> Finished | None:
        """A file that an interrupted export finished; None if it has not."""
        return self._finished.get(name)

    def keep(self, name: str) -> None:
        """Take a finished file into the archive as it is."""
        kept = self._finished.pop(name)
        self._zip.filelist.append(kept.info)
        self._zip.NameToInfo[name] = kept.info
        self._members.append(kept.member)

    def add(self, name: str, pieces: Iterable[bytes]) -> None:
        """Add a file. One of this name that was finished before is wiped out."""
        self._wipe(name)
        digest, size = sha256(), 0
        with self._zip.open(name, "w") as target:
            for piece in pieces:
                target.write(piece)
                digest.update(piece)
                size += len(piece)
        self._members.append(Member(name, size, digest.hexdigest()))

    def finish(
        self,
        exported_at: str,
        counts: dict[str, int],
        left_out: dict[str, str],
        covered: int = 0,
        sign: Callable[[str], str] = lambda _: "",
    ) -> None:
        """Write the manifest. Finished files that were not kept are wiped out. `sign` signs its SHA-256."""
        for name in list(self._finished):
            self._wipe(name)
        files = len(self._members)
        header = Manifest(exported_at=exported_at, files=files, counts=counts, left_out=left_out, covered=covered)
        signed = msgspec.structs.replace(header, signature=sign(_digest(self._manifest(header))))
        with self._zip.open(MANIFEST, "w") as target:
            target.writelines(self._manifest(signed))

    def _manifest(self, header: Manifest) -> Iterator[bytes]:
        return (msgspec.json.encode(line) + b"\n" for line in (header, *self._members))

    def _wipe(self, name: str) -> None:
        """Leave no byte of a finished file: what is in it may have been erased since."""
        if found := self._finished.pop(name, None):
            self._file.seek(found.begins)
            for left in range(found.info.compress_size, 0, -BLOCK):
                self._file.write(bytes(min(BLOCK, left)))
            self._file.seek(0, SEEK_END)


def _digest(manifest: Iterable[bytes]) -> str:
    """The SHA-256 of the lines of a manifest, in hexadecimal. Its signature is left out."""
    header, *lines = manifest
    signature = msgspec.json.encode(msgspec.json.decode(header, type=Manifest).signature)
    digest = sha256(header.removesuffix(b',"signature":' + signature + b"}\n") + b"}\n")
    for line in lines:
        digest.update(line)
    return digest.hexdigest()


class Finished(NamedTuple):
    """A file in an interrupted archive: its first line, how many lines it has, and where its packed bytes begin.

    An interruption can close a file before its last line.
    """

    info: ZipInfo
    member: Member
    head: bytes
    lines: int
    begins: int


def _finished_files(file: IO[bytes]) -> list[Finished]:
    """The whole files at the beginning of an archive that was interrupted, whose end is cut off then."""
    found, end = list[Finished](), 0
    while each := _finished_at(file, end):
        found.append(each)
        end = each.begins + each.info.compress_size
    file.seek(end)
    file.truncate()
    return [each for each in found if each.member.name != MANIFEST]


def _finished_at(file: IO[bytes], start: int) -> Finished | None:
    """The file that begins at a place; None if it is not whole, or there is none. One without a length is not whole."""
    file.seek(start)
    header = file.read(_HEADER.size)
    if len(header) < _HEADER.size or not header.startswith(MAGIC[0]):
        return None
    _, version, flags, method, time, date, crc, packed, size, name, extra = _HEADER.unpack(header)
    known = file.read(name).decode(errors="replace")
    if flags or extra or method != ZIP_DEFLATED or not packed or not is_member(known):
        return None
    begins = file.tell()
    unpacked = _unpacked(file, packed, size)
    if unpacked is None or unpacked.crc != crc:
        return None
    info = ZipInfo(known, _moment(date, time))
    info.header_offset, info.compress_type, info.create_version, info.extract_version = start, method, version, version
    info.CRC, info.compress_size, info.file_size, info.external_attr = crc, packed, size, 0o600 << 16
    return Finished(info, Member(known, size, unpacked.sha256), unpacked.head, unpacked.lines, begins)


class _Unpacked(NamedTuple):
    crc: int
    sha256: str
    head: bytes
    lines: int


def _unpacked(file: IO[bytes], packed: int, size: int) -> _Unpacked | None:
    """What packed bytes hold; None if they do not unpack to this size. Memory is constant."""
    inflate, digest, head = zlib.decompressobj(-zlib.MAX_WBITS), sha256(), b""
    crc = length = lines = 0
    try:
        while packed and (block := file.read(min(packed, BLOCK))):
            packed -= len(block)
            while block:
                piece = inflate.decompress(block, BLOCK)
                block = inflate.unconsumed_tail
                crc, length = zlib.crc32(piece, crc), length + len(piece)
                digest.update(piece)
                lines += piece.count(b"\n")
                if b"\n" not in head:
                    head += piece[: limits.EXPORT_HEADER]
                if length > size:
                    return None
    except zlib.error:
        return None
    if packed or length != size or not inflate.eof:
        return None
    return _Unpacked(crc, digest.hexdigest(), head.partition(b"\n")[0], lines)


def _moment(date: int, time: int) -> tuple[int, int, int, int, int, int]:
    """A time as zip files have it."""
    return (date >> 9) + 1980, date >> 5 & 15, date & 31, time >> 11, time >> 5 & 63, (time & 31) * 2


def is_member(name: str) -> bool:
    """Whether an archive can have a file of this name."""
    return name in _OTHERS or _RECORD.fullmatch(name) is not None


class ArchiveReader:
    """Reads an archive. Its manifest and its names are checked first. Raises `BadArchiveError`."""

    def __init__(self, file: IO[bytes]) -> None:
        try:
            self._zip = ZipFile(file)
        except _BROKEN as error:
            raise BadArchiveError(f"no whole zip file: {error}") from error
        self._infos = _checked(self._zip.infolist())
        self.manifest, self.digest, self._members = self._manifest()

    @property
    def games(self) -> list[str]:
        """The ids of the games in it."""
        return self._records("games")

    @property
    def clubs(self) -> list[str]:
        """The ids of the clubs in it."""
        return self._records("clubs")

    @property
    def tournaments(self) -> list[str]:
        """The ids of the tournaments in it."""
        return self._records("tournaments")

    @property
    def seasons(self) -> list[str]:
        """The ids of the seasons in it."""
        return self._records("seasons")

    def _records(self, folder: str) -> list[str]:
        return [found[2] for name in self._members if (found := _RECORD.fullmatch(name)) and found[1] == folder]

    def has(self, name: str) -> bool:
        """Whether there is a file of this name."""
        return name in self._members

    def read(self, name: str) -> bytes:
        """A file, proved by the manifest; empty if there is none of this name. Raises `BadItemError`."""
        member = self._members.get(name)
        if member is None:
            return b""
        try:
            content = self._zip.read(self._infos[name])
        except _BROKEN as error:
            raise BadItemError(f"it cannot be unpacked: {error}") from error
        if sha256(content).hexdigest() != member.sha256:
            raise BadItemError("its SHA-256 is not that of the manifest")
        return content

    def unreadable(self) -> Iterator[tuple[str, str]]:
        """The files that are not what the manifest says, each with the reason."""
        for name in self._members:
            try:
                self.read(name)
            except BadItemError as error:
                yield name, str(error)

    def _manifest(self) -> tuple[Manifest, str, dict[str, Member]]:
        if MANIFEST not in self._infos:
            raise BadArchiveError(f"it is no archive of Kifu: it has no {MANIFEST}")
        try:
            content = self._zip.read(self._infos[MANIFEST])
            first, *lines = content.splitlines(keepends=True) or [b""]
            header = msgspec.json.decode(first, type=Manifest)
            digest = _digest((first, *lines))
            members = [msgspec.json.decode(line, type=Member) for line in lines]
        except _BROKEN as error:
            raise BadArchiveError(f"{MANIFEST} cannot be read: {error}") from error
        named = {member.name: member for member in members}
        self._compare(header, members, named)
        return header, digest, named

    def _compare(self, header: Manifest, members: list[Member], named: dict[str, Member]) -> None:
        """See that the manifest and the zip file have the same files. Raises `BadArchiveError`."""
        if len(members) != header.files or len(named) != header.files:
            raise BadArchiveError(f"{MANIFEST} announces {header.files} files and lists {len(named)}")
        if differing := named.keys() ^ (self._infos.keys() - {MANIFEST}):
            raise BadArchiveError(f"only the archive or only its manifest has {min(differing)}")
        for member in members:
            if member.size != self._infos[member.name].file_size:
                raise BadArchiveError(f"{member.name} has another size than {MANIFEST} says")


def _is_whole_tree(info: ZipInfo) -> bool:
    """Whether a file has the entries of a tree, however many: hashes cannot be packed, so no small archive has many."""
    return info.filename == ENTRIES and info.file_size <= 2 * info.compress_size


def _checked(infos: list[ZipInfo]) -> dict[str, ZipInfo]:
    """The members by name, once each is one of this format. Raises `BadArchiveError`."""
    found: dict[str, ZipInfo] = {}
    for info in infos:
        shown = info.filename[:80]
        if not is_member(info.filename):
            raise BadArchiveError(f"{shown!r} is no file of an archive of Kifu")
        if info.filename in found:
            raise BadArchiveError(f"{shown} stands in it twice")
        if info.flag_bits & _ENCRYPTED or info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
            raise BadArchiveError(f"{shown} is encrypted, or packed in a way that is not supported")
        if info.file_size > limits.IMPORT and not _is_whole_tree(info):
            raise BadArchiveError(f"{shown} has {info.file_size} bytes; at most {limits.IMPORT} are taken")
        found[info.filename] = info
    return found
