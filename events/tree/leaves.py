"""All entries of a tree in one file, as its tiles have them: each after its length in two bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.tree import merkle
from events.tree.tiles import WIDTH, Frontier, path_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from events.tree.checkpoints import Checkpoint

_LENGTH = 2


class BadLeavesError(ValueError):
    """Entries that are not those of a checkpoint."""


def tile_paths(size: int) -> Iterator[str]:
    """The paths of the tiles that have the entries of a tree."""
    for number in range(-(-size // WIDTH)):
        width = min(WIDTH, size - number * WIDTH)
        yield path_of(number) + (f".p/{width}" if width < WIDTH else "")


def parse_leaves(content: bytes, checkpoint: Checkpoint) -> list[bytes]:
    """The entries, once they give the root that was signed. Lost ones are empty. Raises `BadLeavesError`."""
    found, edge = list(_split(content)), Frontier()
    for _ in edge.extend(map(merkle.leaf_hash, found)):
        pass
    if (edge.size, edge.root) != (checkpoint.size, checkpoint.root):
        raise BadLeavesError("its leaves are not those that it signed")
    return found


def _split(content: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(content):
        end = at + _LENGTH + int.from_bytes(content[at : at + _LENGTH])
        if end > len(content):
            raise BadLeavesError("its leaves are not those that it signed")
        yield content[at + _LENGTH : end]
        at = end
