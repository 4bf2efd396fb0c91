"""An archive of everything: a zip file with all records of the log, people, components and the trail.

Its last member is the manifest: one header line, then a line for each file with its size and SHA-256. The list of
files lies in a temporary file, not in memory: an archive can have any number of them.
"""

from __future__ import annotations

import re
import sqlite3
import zlib
from contextlib import nullcontext, suppress
from hashlib import sha256
from os import SEEK_END
from typing import IO, TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Self
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import msgspec

from events import limits, ndjson
from events.databases.files import open_temporary
from service.exchange.zips import BLOCK, HEADER, HEADER_MAGIC, BadZipError, PackedMember, inflate, members_of, unpack

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
_KINDS = {"games": "game", "clubs": "club", "tournaments": "tournament", "seasons": "season"}
"""The kind of record in each folder of an archive, in the order of import."""
_RECORD = re.compile(rf"({'|'.join(_KINDS)})/([0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}})\.ndjson")
_ENCRYPTED = 1

_WRITTEN = """
create table files (
    name text primary key, place integer unique, begins integer, crc integer, packed integer, size integer,
    flags integer, sha256 text, head blob, lines integer
)
"""
"""The files of an archive being written. Files of an interrupted export have no place until they are kept."""

_READ = """
create table files (
    name text primary key, flags integer, method integer, crc integer, packed integer, size integer, begins integer
);
create table listed (place integer primary key, name text unique, size integer, sha256 text);
"""
"""The files of an archive being read: the zip directory, and the list in the manifest."""


LONGEST_LINE = 32 << 20
"""The most bytes of a line of a manifest. Its first line names the games that were left out."""

MOST_UNPACKED = 50
"""How many times its size an archive may unpack to, once that exceeds the size of one file. Hashes hardly pack."""


class BadArchiveError(Exception):
    """A file is not an archive of this format, or is incomplete. Nothing of it was used."""


class BadItemError(Exception):
    """A file in an archive does not match the manifest. The others can be used."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a manifest: the number of files that follow, and the counts of their contents.

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
    """The last field: a signed note of the SHA-256 of the manifest without this field. Empty without a signing key."""


class RecordFile(NamedTuple):
    """A record in an archive: its kind, its id, and its file."""

    kind: str
    id: str
    file: str


class Member(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a manifest: a file in the archive, its size in bytes, and its SHA-256 in hexadecimal."""

    name: str
    size: Annotated[int, msgspec.Meta(ge=0, le=2**53)]
    sha256: str


def game_file(game: str) -> str:
    """The name of a game's record in an archive."""
    return f"games/{game}.ndjson"


def tournament_file(tournament: str) -> str:
    """The name of a tournament's record in an archive."""
    return f"tournaments/{tournament}.ndjson"


def season_file(season: str) -> str:
    """The name of a season's record in an archive."""
    return f"seasons/{season}.ndjson"


def club_file(club: str) -> str:
    """The name of a club's record in an archive."""
    return f"clubs/{club}.ndjson"


class ArchiveWriter:
    """Writes an archive, one file after the other. `finish` writes the manifest.

    Finished files of an interrupted export can be kept: their checksums are checked first.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._files, self._count = file, open_temporary(_WRITTEN), 0
        if file.seekable():
            for each in _finished_files(file):
                if before := self.finished(each.name):
                    self._overwrite(before)
                self._note(each, None)
        self._zip = ZipFile(file, "w", ZIP_DEFLATED)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._zip.filelist = _Directory(self._files)
        with suppress(OSError, ValueError) if kind else nullcontext():
            self._zip.close()
        self._files.close()

    def finished(self, name: str) -> Finished | None:
        """A file that an interrupted export finished, or None."""
        row = self._files.execute("select * from files where name = ? and place is null", (name,)).fetchone()
        return _finished(row) if row else None

    def keep(self, name: str) -> None:
        """Keep a finished file in the archive as it is."""
        self._count += 1
        self._files.execute("update files set place = ? where name = ?", (self._count, name))

    def add(self, name: str, pieces: Iterable[bytes]) -> None:
        """Add a file. A finished file with the same name is overwritten with zeros."""
        if found := self.finished(name):
            self._overwrite(found)
        digest = sha256()
        with self._zip.open(name, "w") as target:
            for piece in pieces:
                target.write(piece)
                digest.update(piece)
        info = self._zip.filelist.pop()
        self._zip.NameToInfo.clear()
        sizes = (info.header_offset, info.CRC, info.compress_size, info.file_size, info.flag_bits)
        self._count += 1
        self._note(Finished(name, *sizes, digest.hexdigest()), self._count)

    def finish(
        self,
        exported_at: str,
        counts: dict[str, int],
        left_out: dict[str, str],
        covered: int = 0,
        sign: Callable[[str], str] = lambda _: "",
    ) -> None:
        """Write the manifest, and sign its SHA-256 with `sign`. Finished files that were not kept become zeros."""
        while row := self._files.execute("select * from files where place is null limit 1").fetchone():
            self._overwrite(_finished(row))
        header = Manifest(exported_at=exported_at, files=self._count, counts=counts, left_out=left_out, covered=covered)
        signed = msgspec.structs.replace(header, signature=sign(_digest(self._manifest(header))))
        self.add(MANIFEST, self._manifest(signed))

    def _manifest(self, header: Manifest) -> Iterator[bytes]:
        yield msgspec.json.encode(header) + b"\n"
        for row in self._files.execute("select name, size, sha256 from files where place is not null order by place"):
            yield msgspec.json.encode(Member(*row)) + b"\n"

    def _note(self, each: Finished, place: int | None) -> None:
        self._files.execute(f"insert into files values ({', '.join('?' * 10)})", (each.name, place, *each[1:]))

    def _overwrite(self, found: Finished) -> None:
        """Overwrite a finished file with zeros: its content may have been erased since."""
        self._file.seek(found.begins + HEADER.size + len(found.name))
        for left in range(found.packed, 0, -BLOCK):
            self._file.write(bytes(min(BLOCK, left)))
        self._file.seek(0, SEEK_END)
        self._files.execute("delete from files where name = ?", (found.name,))


class _Directory(list[ZipInfo]):
    """The directory at the end of an archive, written by `zipfile` from the list on disk."""

    def __init__(self, files: sqlite3.Connection) -> None:
        super().__init__()
        self._files = files

    def __len__(self) -> int:
        count: int = self._files.execute("select count(place) from files").fetchone()[0]
        return count

    def __iter__(self) -> Iterator[ZipInfo]:
        columns = "name, begins, crc, packed, size, flags"
        for row in self._files.execute(f"select {columns} from files where place is not null order by place"):
            name, begins, crc, packed, size, flags = row
            info = ZipInfo(name)
            info.header_offset, info.CRC, info.compress_size, info.file_size = begins, crc, packed, size
            info.flag_bits, info.compress_type, info.external_attr = flags, ZIP_DEFLATED, 0o600 << 16
            yield info


def _digest(manifest: Iterable[bytes]) -> str:
    """The SHA-256 of the lines of a manifest, in hexadecimal. Its signature is left out."""
    lines = iter(manifest)
    header = next(lines, b"")
    signature = msgspec.json.encode(msgspec.json.decode(header, type=Manifest).signature)
    digest = sha256(header.removesuffix(b',"signature":' + signature + b"}\n") + b"}\n")
    for line in lines:
        digest.update(line)
    return digest.hexdigest()


class Finished(NamedTuple):
    """A file in an archive being written: its place, its sizes, and its SHA-256.

    For a file of an interrupted archive, `head` is its first line, and `lines` its number of lines. An interruption
    can close a file before its last line.
    """

    name: str
    begins: int
    crc: int
    packed: int
    size: int
    flags: int
    sha256: str
    head: bytes = b""
    lines: int = 0


def _finished(row: tuple[Any, ...]) -> Finished:
    """A row of the list of written files, without its place."""
    return Finished(row[0], *row[2:])


def _finished_files(file: IO[bytes]) -> Iterator[Finished]:
    """The complete files at the beginning of an interrupted archive. The rest is cut off.

    Overwritten files are skipped.
    """
    end = 0
    while each := _read_header(file, end):
        begins = file.tell()
        content = _finished_content(file, each)
        if content and each.name != MANIFEST:
            yield each._replace(sha256=content.sha256, head=content.head, lines=content.lines)
        elif not content and not _is_overwritten(file, begins, each.packed):
            break
        end = begins + each.packed
    file.seek(end)
    file.truncate()


def _read_header(file: IO[bytes], start: int) -> Finished | None:
    """Read the header at `start`, and move behind it. None for a file without a length."""
    file.seek(start)
    header = file.read(HEADER.size)
    if len(header) < HEADER.size or not header.startswith(HEADER_MAGIC):
        return None
    _, _, flags, method, _, _, crc, packed, size, name, extra = HEADER.unpack(header)
    known = file.read(name).decode(errors="replace")
    if flags or extra or method != ZIP_DEFLATED or not packed or not is_member(known):
        return None
    return Finished(known, start, crc, packed, size, flags, "")


def _finished_content(file: IO[bytes], begun: Finished) -> _Content | None:
    """Examine the content of a file, behind its header. None if it is incomplete."""
    with suppress(BadZipError):
        content = _examine(inflate(file, begun.packed, begun.size, ZIP_DEFLATED))
        return content if content.crc == begun.crc else None
    return None


def _is_overwritten(file: IO[bytes], begins: int, packed: int) -> bool:
    """Whether a file was overwritten with zeros."""
    file.seek(begins)
    blocks = [min(BLOCK, left) for left in range(packed, 0, -BLOCK)]
    return all(file.read(block) == bytes(block) for block in blocks)


class _Content(NamedTuple):
    crc: int
    sha256: str
    head: bytes
    lines: int


def _examine(pieces: Iterable[bytes]) -> _Content:
    """Measure the content of a file: size, checksums, lines. Memory is constant."""
    digest, head, crc, lines = sha256(), b"", 0, 0
    for piece in pieces:
        crc = zlib.crc32(piece, crc)
        digest.update(piece)
        lines += piece.count(b"\n")
        if b"\n" not in head and len(head) < limits.EXPORT_HEADER:
            head += piece
    return _Content(crc, digest.hexdigest(), head.partition(b"\n")[0], lines)


def is_member(name: str) -> bool:
    """Whether a file in an archive may have this name."""
    return name in _OTHERS or _RECORD.fullmatch(name) is not None


class ArchiveReader:
    """Reads an archive. Checks its manifest and its names first. Raises `BadArchiveError`."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._files = file, open_temporary(_READ)
        try:
            self._read_directory()
            self.manifest, self.digest = self._read_manifest()
            self._compare()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the list of files."""
        self._files.close()

    @property
    def count(self) -> int:
        """The number of records."""
        found: int = self._files.execute("select count(*) from listed where name glob '*/*.ndjson'").fetchone()[0]
        return found

    def records(self) -> Iterator[RecordFile]:
        """All records: games, clubs, tournaments and seasons."""
        for folder, kind in _KINDS.items():
            inside = "select name from listed where name glob ? order by place"
            for (name,) in self._files.execute(inside, (f"{folder}/*",)):
                yield RecordFile(kind, name.removeprefix(f"{folder}/").removesuffix(".ndjson"), name)

    def has(self, name: str) -> bool:
        """Whether the archive has a file with this name."""
        return self._files.execute("select 1 from listed where name = ?", (name,)).fetchone() is not None

    def pieces(self, name: str) -> Iterator[bytes]:
        """Read a file piece by piece; checked against the manifest after the last piece. Raises `BadItemError`."""
        row = self._files.execute("select files.*, sha256 from files join listed using (name) where name = ?", (name,))
        *found, expected = row.fetchone()
        digest = sha256()
        try:
            for piece in unpack(self._file, PackedMember(*found)):
                digest.update(piece)
                yield piece
        except (BadZipError, OSError) as error:
            raise BadItemError(f"it cannot be unpacked: {error}") from error
        if digest.hexdigest() != expected:
            raise BadItemError("its SHA-256 is not that of the manifest")

    def read(self, name: str) -> bytes:
        """Read a file, checked against the manifest; empty if it is missing. Raises `BadItemError`."""
        return b"".join(self.pieces(name)) if self.has(name) else b""

    def record(self, record: RecordFile) -> bytes:
        """The lines of a record. The file must hold this record, and no other. Raises `BadItemError`."""
        content = self.read(record.file)
        headers = list(ndjson.headers_in(content))
        if headers and headers[0].game != record.id:
            raise BadItemError("it is the record of another game, club, tournament or season")
        if len(headers) > 1:
            raise BadItemError("it has more than one record")
        return content

    def unreadable(self) -> Iterator[tuple[str, str]]:
        """The files, except records, that do not match the manifest, each with the reason."""
        for (name,) in self._files.execute("select name from listed where name not glob '*/*.ndjson' order by place"):
            try:
                for _ in self.pieces(name):
                    pass
            except BadItemError as error:
                yield name, str(error)

    def _read_directory(self) -> None:
        """List the files, and check each. Files must not share bytes: a small archive could unpack to any size."""
        try:
            for member in map(_checked_member, members_of(self._file)):
                self._list(member)
            ends = "lag(begins + packed + length(name)) over (order by begins)"
            shared = f"select name from (select name, begins, {ends} as free from files) where begins < free + ?"
            if found := self._files.execute(shared, (HEADER.size,)).fetchone():
                raise BadZipError(f"{found[0]} shares its bytes with another file")
        except BadZipError as error:
            raise BadArchiveError(f"not a complete zip file: {error}") from error
        ((size,),) = self._files.execute("select coalesce(sum(size), 0) from files")
        if size > max(limits.IMPORT, MOST_UNPACKED * self._file.seek(0, SEEK_END)):
            raise BadArchiveError(f"it unpacks to {size} bytes, which is more than {MOST_UNPACKED} times its size")

    def _list(self, member: PackedMember) -> None:
        try:
            self._files.execute(f"insert into files values ({', '.join('?' * len(member))})", member)
        except sqlite3.IntegrityError as error:
            shown = member.name
            raise BadArchiveError(f"{shown} stands in it twice") from error

    def _read_manifest(self) -> tuple[Manifest, str]:
        """The first line of the manifest, and its digest. The other lines go to the list."""
        found = self._files.execute("select * from files where name = ?", (MANIFEST,)).fetchone()
        if not found:
            raise BadArchiveError(f"it is not an archive of Kifu: it has no {MANIFEST}")
        headers = list[Manifest]()

        def noted() -> Iterator[bytes]:
            for line in _lines(unpack(self._file, PackedMember(*found))):
                if headers:
                    member = msgspec.json.decode(line, type=Member)
                    row = (member.name, member.size, member.sha256)
                    self._files.execute("insert into listed (name, size, sha256) values (?, ?, ?)", row)
                else:
                    headers.append(msgspec.json.decode(line, type=Manifest))
                yield line

        try:
            digest = _digest(noted())
        except (BadZipError, OSError, ValueError, RecursionError, sqlite3.IntegrityError) as error:
            raise BadArchiveError(f"{MANIFEST} cannot be read: {error}") from error
        return headers[0], digest

    def _compare(self) -> None:
        """Check that the manifest and the zip file have the same files. Raises `BadArchiveError`."""
        (value,) = self._files.execute("select count(*) from listed").fetchone()
        if value != self.manifest.files:
            raise BadArchiveError(f"{MANIFEST} announces {self.manifest.files} files and lists {value}")
        packed = f"select name from files where name != '{MANIFEST}'"
        both = f"select name from listed intersect {packed}"
        differing = f"select min(name) from (select name from listed union {packed}) where name not in ({both})"
        if value := self._files.execute(differing).fetchone()[0]:
            raise BadArchiveError(f"only the archive or only its manifest has {value}")
        sizes = "select name from listed join files using (name) where listed.size != files.size limit 1"
        for (name,) in self._files.execute(sizes):
            raise BadArchiveError(f"{name} has another size than {MANIFEST} says")


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Split pieces into lines, with their ends. Raises `BadZipError` for a line that is too long."""
    rest = list[bytes]()
    for piece in pieces:
        *ends, last = piece.split(b"\n")
        if len(rest) * BLOCK > LONGEST_LINE:
            raise BadZipError(f"a line of it has more than {LONGEST_LINE} bytes")
        for end in ends:
            yield b"".join((*rest, end, b"\n"))
            rest.clear()
        rest.append(last)
    if any(rest):
        yield b"".join(rest)


def _may_be_tree(member: PackedMember) -> bool:
    """Whether a file with entries of the tree may have this size. Hashes cannot be packed: a small archive has few."""
    return member.name == ENTRIES and member.size <= 2 * member.packed


def _checked_member(member: PackedMember) -> PackedMember:
    """Check that a member fits this format, and return it. Raises `BadArchiveError`."""
    shown = member.name[:80]
    if not is_member(member.name):
        raise BadArchiveError(f"{shown!r} is not a file of an archive of Kifu")
    if member.flags & _ENCRYPTED or member.method not in {ZIP_STORED, ZIP_DEFLATED}:
        raise BadArchiveError(f"{shown} is encrypted, or packed in a way that is not supported")
    if member.size > limits.IMPORT and not _may_be_tree(member):
        raise BadArchiveError(f"{shown} has {member.size} bytes; at most {limits.IMPORT} are taken")
    return member
