"""Proof of a long tree without reading the whole log: by its tiles, and by the ends of all records.

The tiles are held against the root that was signed. The last entry of each record has to be the leaf at its position,
and all earlier entries of the record follow from it by the chain of hashes. The numbers of entries have to add up.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from events.errors import DamagedError, GameUnknownError
from events.rows import uuid_text
from events.tree import merkle
from events.tree.tiles import WIDTH, BadTileError, Frontier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from events.log import LogReader
    from events.rows import ChainMark
    from events.tree.checkpoints import Checkpoint
    from events.tree.tiles import Tiles

BATCH = 5000
"""Records that are held against the tiles together: each tile is read once for them."""


class UnprovenError(Exception):
    """Tiles and ends do not prove the tree. The whole log must be read to see why."""


def prove_by_ends(tiles: Tiles, signed: Checkpoint, log: LogReader, lost: int, go_on: Callable[[], bool]) -> Frontier:
    """Prove a signed tree by its tiles and by the ends of records; what is needed to let it grow.

    `lost` entries were lost before the tree began. It ends early, unproven, if it is not to `go_on`. Raises
    `UnprovenError`, `LogError`.
    """
    try:
        edge = Frontier.from_tiles(signed.size, tiles.read)
        if edge.root != signed.root:
            raise UnprovenError("the tiles do not have the root that was signed")
        found, marks = lost, log.newest_marks()
        proven = ProvenTiles(tiles, edge)
        while batch := list(islice(marks, BATCH)):
            if not go_on():
                raise UnprovenError("it was interrupted")
            ends = sorted(_signed_ends(batch, signed.size, log))
            for position, version, hash_ in ends:
                if proven.leaf(position - 1) != merkle.leaf_hash(hash_):
                    raise UnprovenError(f"the entry at position {position} is another one")
                found += version
    except BadTileError as error:
        raise UnprovenError(str(error)) from None
    if found != signed.size:
        raise UnprovenError(f"the log has {found} of its first {signed.size} entries")
    return edge


def _signed_ends(marks: list[ChainMark], size: int, log: LogReader) -> Iterator[tuple[int, int, bytes]]:
    """Position, version and hash of the last entry of each record among the first `size` of the log."""
    for mark in marks:
        if mark.version and mark.position <= size:
            yield mark.position, mark.version, mark.hash
        elif mark.version and (before := _last_before(mark, size, log)):
            yield before


def _last_before(mark: ChainMark, size: int, log: LogReader) -> tuple[int, int, bytes] | None:
    """The last entry up to a position, of a record with later entries. None if it has none up to there."""
    found, low, high = None, 0, mark.version
    game = uuid_text(mark.game)
    while low + 1 < high:
        middle = (low + high) // 2
        try:
            place = log.position_of(game, middle)
        except (DamagedError, GameUnknownError) as error:
            raise UnprovenError(str(error)) from None
        if place is None:
            raise UnprovenError(f"version {middle} of game {game} is missing")
        if place[0] <= size:
            found, low = (place[0], middle, place[1]), middle
        else:
            high = middle
    return found


class ProvenTiles:
    """Tiles that are checked against the ones above them, and so against the root, when they are read."""

    def __init__(self, tiles: Tiles, edge: Frontier) -> None:
        self._tiles = tiles
        self._open = {(level, number): content for level, number, content in edge.open_tiles()}
        self._last: dict[int, tuple[int, bytes]] = {}

    def leaf(self, index: int) -> bytes:
        """The hash of a leaf. Raises `BadTileError`."""
        tile, place = divmod(index, WIDTH)
        return self._hash(self._tile(0, tile), place)

    def _tile(self, level: int, number: int) -> bytes:
        if (level, number) in self._open:
            return self._open[level, number]
        if self._last.get(level, (-1, b""))[0] != number:
            content = self._tiles.read(level, number)
            above, place = divmod(number, WIDTH)
            if self._hash(self._tile(level + 1, above), place) != merkle.subtree_hash(content):
                raise BadTileError(f"{self._tiles.name(level, number)} is not what was written")
            self._last[level] = number, content
        return self._last[level][1]

    @staticmethod
    def _hash(tile: bytes, place: int) -> bytes:
        return tile[place * merkle.SIZE : (place + 1) * merkle.SIZE]
