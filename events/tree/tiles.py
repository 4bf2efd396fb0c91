"""Tiles after C2SP `tlog-tiles`: the hashes of a tree in files of fixed pieces that never change.

A tile of level `L` holds up to 256 hashes, each over `256**L` leaves. Only a full tile is hashed into the level above.
A file holds one tile, under the name in its address. It only grows: each hash has its place and is always the same. So
a second write changes nothing, and missing tiles can be made from the log.
"""

from __future__ import annotations

import os
import re
from itertools import islice
from typing import TYPE_CHECKING

from events.privacy import restrict_to_owner
from events.tree import merkle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

HEIGHT = 8
WIDTH = 1 << HEIGHT
"""Hashes in a full tile."""

_INDEX = re.compile(r"((?:x\d{3}/){0,6}\d{3})(?:\.p/([1-9]\d{0,2}))?")


class BadTileError(LookupError):
    """A tile does not exist, or its file is damaged."""


def path_of(number: int) -> str:
    """The name of the tile with this number in its level: 1234067 is `x001/x234/067`."""
    digits = f"{number:03}"
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    return "/".join([*(f"x{group}" for group in groups[:-1]), groups[-1]])


def parse_path(text: str) -> tuple[int, int]:
    """The number and the width of a tile from its name: `x001/067` or `067.p/8`. Raises `BadTileError`."""
    found = _INDEX.fullmatch(text)
    if found is None or not text.isascii():
        raise BadTileError(f"{text[:80]!r} is not the name of a tile")
    number, width = int(found[1].replace("x", "").replace("/", "")), int(found[2] or WIDTH)
    if path_of(number) != found[1] or not (width < WIDTH or found[2] is None):
        raise BadTileError(f"{text[:80]!r} is not the name of a tile")
    return number, width


class Tiles:
    """The tiles in a folder. Safe to share between threads and processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def name(self, level: int, number: int) -> str:
        """The name of a tile below the folder."""
        return f"tile/{level}/{path_of(number)}"

    def read(self, level: int, number: int, width: int = WIDTH) -> bytes:
        """The hashes of a tile, joined and unchecked. Raises `BadTileError`."""
        try:
            with (self.folder / self.name(level, number)).open("rb") as file:
                found = file.read(width * merkle.SIZE)
        except OSError as error:
            raise BadTileError(f"{self.name(level, number)}: {error.strerror}") from error
        if len(found) < width * merkle.SIZE:
            raise BadTileError(f"{self.name(level, number)} holds fewer than {width} hashes")
        return found

    def write(self, level: int, number: int, content: bytes) -> None:
        """Write hashes to the beginning of a tile's file, which may hold more. Raises `OSError`."""
        path = self.folder / self.name(level, number)
        flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC
        try:
            file = os.open(path, flags, 0o600)
        except FileNotFoundError:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = os.open(path, flags, 0o600)
        try:
            done = 0
            while done < len(content):
                done += os.pwrite(file, content[done:], done)
        finally:
            os.close(file)

    def restrict_to_owner(self) -> None:
        """Remove the rights of other users to the files."""
        restrict_to_owner([self.folder, *self.folder.rglob("*")])


class TileReader:
    """The subtrees of a tree, from its tiles. Each tile is read once and kept, so use it for few questions."""

    def __init__(self, tiles: Tiles, size: int) -> None:
        self._tiles, self._size = tiles, size
        self._read: dict[tuple[int, int], bytes] = {}

    def __call__(self, level: int, number: int) -> bytes:
        """The hash over `2**level` leaves, for a tree of this size. Raises `BadTileError`."""
        tile_level, height = divmod(level, HEIGHT)
        first = number << height
        tile, place = divmod(first, WIDTH)
        content = self._tile(tile_level, tile)
        start, end = place * merkle.SIZE, (place + (1 << height)) * merkle.SIZE
        return merkle.subtree_hash(content[start:end])

    def _tile(self, level: int, number: int) -> bytes:
        found = self._read.get((level, number))
        if found is None:
            hashes = self._size >> (HEIGHT * level)
            width = min(WIDTH, hashes - number * WIDTH)
            found = self._read[level, number] = self._tiles.read(level, number, width)
        return found


class Frontier:
    """The open tiles of a tree: all that it needs to grow."""

    def __init__(self) -> None:
        self.size = 0
        self._open: list[bytearray] = []
        self._last = b""

    @classmethod
    def from_tiles(cls, size: int, read: Callable[[int, int, int], bytes]) -> Frontier:
        """The frontier of a tree of this size, from its tiles, unchecked. Raises `BadTileError`."""
        edge = cls()
        edge.size = size
        while hashes := size >> (HEIGHT * len(edge._open)):
            level, (number, width) = len(edge._open), divmod(hashes, WIDTH)
            edge._open.append(bytearray(read(level, number, width) if width else b""))
        if size and not edge._open[0]:
            edge._last = read(0, size // WIDTH - 1, WIDTH)
        return edge

    def extend(self, leaves: Iterable[bytes]) -> Iterator[tuple[int, int, bytes]]:
        """Add the hashes of leaves. Yields the tiles that become full, as `(level, number, hashes)`."""
        left = iter(leaves)
        while True:
            tile = self._tile(0)
            taken = b"".join(islice(left, WIDTH - len(tile) // merkle.SIZE))
            if not taken:
                return
            tile += taken
            self.size += len(taken) // merkle.SIZE
            yield from self._close_full()

    def _close_full(self) -> Iterator[tuple[int, int, bytes]]:
        """Hash each full open tile into the one above, from the leaves up. Yields the full ones."""
        level = 0
        while len(tile := self._tile(level)) == WIDTH * merkle.SIZE:
            full = bytes(tile)
            tile.clear()
            self._last = full if level == 0 else self._last
            yield level, (self.size >> (HEIGHT * (level + 1))) - 1, full
            level += 1
            tile = self._tile(level)
            tile += merkle.subtree_hash(full)

    def _tile(self, level: int) -> bytearray:
        """The open tile of a level."""
        if level == len(self._open):
            self._open.append(bytearray())
        return self._open[level]

    def open_tiles(self) -> Iterator[tuple[int, int, bytes]]:
        """The tiles that are not full, and not empty, as `(level, number, hashes)`."""
        for level, tile in enumerate(self._open):
            if tile:
                yield level, self.size >> (HEIGHT * (level + 1)), bytes(tile)

    @property
    def leaves(self) -> list[bytes]:
        """The hashes in the last tile, full or not."""
        return hashes_of(bytes(self._tile(0)) or self._last)

    @property
    def root(self) -> bytes:
        """The root of the tree."""
        return merkle.fold(part for tile in reversed(self._open) for part in _parts(bytes(tile)))


def hashes_of(tile: bytes) -> list[bytes]:
    """The hashes of a tile."""
    return [tile[at : at + merkle.SIZE] for at in range(0, len(tile), merkle.SIZE)]


def _parts(tile: bytes) -> Iterator[bytes]:
    """The largest whole subtrees of a tile, from the left."""
    start = 0
    while left := (len(tile) - start) // merkle.SIZE:
        end = start + merkle.SIZE * (1 << left.bit_length() - 1)
        yield merkle.subtree_hash(tile[start:end])
        start = end
