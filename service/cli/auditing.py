"""The audit of a witness: every entry that a service signed has to stand in a game that the witness can read."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import msgspec

from events.canonical import canonical, digest
from events.ndjson import BrokenLineError, header_in, parse_event
from events.tree import merkle
from events.tree.tiles import WIDTH, path_of
from events.tree.witness import ContradictionError
from service.cli.client import RefusedError
from service.cli.references import all_games
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Iterator

    from events.tree.checkpoints import Checkpoint
    from service.cli.client import Client

LENGTH = 2
"""Bytes before each entry of a tile that say how long it is."""


class Audit(msgspec.Struct, frozen=True):
    """How many entries were signed, how many of them stand in how many games, and the others' ranges of positions.

    `lost` are the positions of entries that the log lost before the tree was begun. `unsigned` counts entries of games
    that were recorded after the checkpoint.
    """

    signed: int
    accounted: int
    games: int
    missing: tuple[tuple[int, int], ...]
    lost: int
    unsigned: int

    @property
    def complete(self) -> bool:
        """Whether every signed entry stands in a game."""
        return not self.missing


def audit(client: Client, checkpoint: Checkpoint) -> Audit:
    """Read every game that the client may read, and find each entry of the signed tree in them.

    Raises `ContradictionError` if the entries do not give the signed root, or an export is not sound, and what a client
    raises.
    """
    entries = list(_signed_entries(client, checkpoint.size))
    _check_root(entries, checkpoint)
    missing = {entry: index for index, entry in enumerate(entries) if entry}
    signed, games, unsigned = len(missing), 0, 0
    for listed in all_games(client):
        games += 1
        for hash_ in _hashes(client, listed.game):
            unsigned += missing.pop(hash_, None) is None
    return Audit(
        signed=checkpoint.size,
        accounted=signed - len(missing),
        games=games,
        missing=tuple(_ranges(sorted(missing.values()))),
        lost=checkpoint.size - signed,
        unsigned=unsigned,
    )


def _signed_entries(client: Client, size: int) -> Iterator[bytes]:
    """The entries of the tree: hashes of lines, and nothing for lost ones."""
    for number in range(-(-size // WIDTH)):
        width = min(WIDTH, size - number * WIDTH)
        part = "" if width == WIDTH else f".p/{width}"
        yield from _split(client.fetch(f"/v1/tree/tile/entries/{path_of(number)}{part}"))


def _split(content: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(content):
        start = at + LENGTH
        at = start + int.from_bytes(content[at:start])
        yield content[start:at]


def _check_root(entries: list[bytes], checkpoint: Checkpoint) -> None:
    leaves = list(map(merkle.leaf_hash, entries))

    def subtree(level: int, number: int) -> bytes:
        return merkle.subtree_hash(b"".join(leaves[number << level : (number + 1) << level]))

    if len(leaves) != checkpoint.size or merkle.root(checkpoint.size, subtree) != checkpoint.root:
        raise ContradictionError(gettext("the entries that it shows do not give the root that it signed"))


def _hashes(client: Client, game: str) -> Iterator[bytes]:
    """The hashes of the entries of a game, by its export. Raises `ContradictionError` for what is no export."""
    try:
        with client.lines(f"/v1/games/{game}/export", format="ndjson") as lines:
            for line in lines:
                if not header_in(line):
                    yield _proved_hash(line)
    except BrokenLineError as error:
        why = gettext("its export of game %(game)s is not sound: %(why)s", game=game, why=error.why)
        raise ContradictionError(why) from error
    except RefusedError as error:
        if error.problem.name != "not-sealed":
            raise


def _proved_hash(line: bytes) -> bytes:
    event = parse_event(line)
    if digest(canonical(event)) != event.hash:
        raise BrokenLineError(gettext("version %(version)s is not what was hashed", version=event.version))
    return bytes.fromhex(event.hash)


def _ranges(indexes: list[int]) -> Iterator[tuple[int, int]]:
    """Positions of the log, in runs: the first and the last of each."""
    for _, run in groupby(enumerate(indexes), lambda pair: pair[1] - pair[0]):
        found = [index for _, index in run]
        yield found[0] + 1, found[-1] + 1
