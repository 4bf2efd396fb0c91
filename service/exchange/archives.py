"""An archive of everything: a zip file with all records of the log, people, components and the trail.

Its last member is the manifest: one header line, then a line for each file with its size and SHA-256.
"""

from __future__ import annotations

import re
import zlib
from hashlib import sha256
from typing import IO, TYPE_CHECKING, Literal, Self
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

import msgspec

from events import limits

if TYPE_CHECKING:
    from collections.abc import Iterable
    from zipfile import ZipInfo

MANIFEST = "manifest.ndjson"
CHECKPOINT, KEY = "tree/checkpoint", "tree/key"
COMPONENTS, TEMPLATES, PEOPLE, MERGES, TRAIL = (
    *("components.ndjson", "templates.ndjson", "people.ndjson", "merges.ndjson", "trail.ndjson"),
)
MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
"""The first bytes of a zip file."""

_OTHERS = {COMPONENTS, TEMPLATES, PEOPLE, MERGES, TRAIL, CHECKPOINT, KEY, MANIFEST}
_RECORD = re.compile(r"(games|clubs|tournaments|seasons)/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.ndjson")
_ENCRYPTED = 1
_BROKEN = (BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)
"""What `zipfile` raises for a file that it cannot read."""


class BadArchiveError(Exception):
    """A file is no archive of this format, or not a whole one. Nothing of it was used."""


class BadItemError(Exception):
    """A file in an archive is not what the manifest says. The others can be used."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a manifest: how many files follow, and what was counted in them.

    `left_out` are the records that could not be read at the export, each with the reason.
    """

    format: Literal["kifu.archive"] = "kifu.archive"
    format_version: Literal[1] = 1
    exported_at: str
    produced_by: str = "kifu"
    files: int
    counts: dict[str, int]
    left_out: dict[str, str] = {}


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
    """Writes an archive, one file after the other. `finish` writes the manifest."""

    def __init__(self, file: IO[bytes]) -> None:
        self._zip = ZipFile(file, "w", ZIP_DEFLATED)
        self._members: list[Member] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def add(self, name: str, pieces: Iterable[bytes]) -> None:
        """Add a file."""
        digest, size = sha256(), 0
        with self._zip.open(name, "w") as target:
            for piece in pieces:
                target.write(piece)
                digest.update(piece)
                size += len(piece)
        self._members.append(Member(name, size, digest.hexdigest()))

    def finish(self, exported_at: str, counts: dict[str, int], left_out: dict[str, str]) -> None:
        """Write the manifest."""
        header = Manifest(exported_at=exported_at, files=len(self._members), counts=counts, left_out=left_out)
        with self._zip.open(MANIFEST, "w") as target:
            for line in (header, *self._members):
                target.write(msgspec.json.encode(line) + b"\n")


class ArchiveReader:
    """Reads an archive. Its manifest and its names are checked first. Raises `BadArchiveError`."""

    def __init__(self, file: IO[bytes]) -> None:
        try:
            self._zip = ZipFile(file)
        except _BROKEN as error:
            raise BadArchiveError(f"no whole zip file: {error}") from error
        self._infos = _checked(self._zip.infolist())
        self.manifest, self._members = self._manifest()

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

    def _manifest(self) -> tuple[Manifest, dict[str, Member]]:
        if MANIFEST not in self._infos:
            raise BadArchiveError(f"it is no archive of Kifu: it has no {MANIFEST}")
        try:
            first, *lines = self._zip.read(self._infos[MANIFEST]).splitlines() or [b""]
            header = msgspec.json.decode(first, type=Manifest)
            members = [msgspec.json.decode(line, type=Member) for line in lines]
        except _BROKEN as error:
            raise BadArchiveError(f"{MANIFEST} cannot be read: {error}") from error
        named = {member.name: member for member in members}
        self._compare(header, members, named)
        return header, named

    def _compare(self, header: Manifest, members: list[Member], named: dict[str, Member]) -> None:
        """See that the manifest and the zip file have the same files. Raises `BadArchiveError`."""
        if len(members) != header.files or len(named) != header.files:
            raise BadArchiveError(f"{MANIFEST} announces {header.files} files and lists {len(named)}")
        if differing := named.keys() ^ (self._infos.keys() - {MANIFEST}):
            raise BadArchiveError(f"only the archive or only its manifest has {min(differing)}")
        for member in members:
            if member.size != self._infos[member.name].file_size:
                raise BadArchiveError(f"{member.name} has another size than {MANIFEST} says")


def _checked(infos: list[ZipInfo]) -> dict[str, ZipInfo]:
    """The members by name, once each is one of this format. Raises `BadArchiveError`."""
    found: dict[str, ZipInfo] = {}
    for info in infos:
        shown = info.filename[:80]
        if info.filename not in _OTHERS and not _RECORD.fullmatch(info.filename):
            raise BadArchiveError(f"{shown!r} is no file of an archive of Kifu")
        if info.filename in found:
            raise BadArchiveError(f"{shown} stands in it twice")
        if info.flag_bits & _ENCRYPTED or info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
            raise BadArchiveError(f"{shown} is encrypted, or packed in a way that is not supported")
        if info.file_size > limits.IMPORT:
            raise BadArchiveError(f"{shown} has {info.file_size} bytes; at most {limits.IMPORT} are taken")
        found[info.filename] = info
    return found
