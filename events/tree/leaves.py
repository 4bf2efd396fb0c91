"""All entries of a tree in one file, in the form of its tiles: each after its length in two bytes."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from events.tree import merkle
from events.tree.tiles import WIDTH, Frontier, path_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from events.tree.checkpoints import Checkpoint

_LENGTH, _HASH = 2, 32


class BadLeavesError(ValueError):
    """The entries do not fit the checkpoint."""


def tile_paths(size: int) -> Iterator[str]:
    """The paths of the tiles that have the entries of a tree."""
    for number in range(-(-size // WIDTH)):
        width = min(WIDTH, size - number * WIDTH)
        yield path_of(number) + (f".p/{width}" if width < WIDTH else "")


def read_leaves(pieces: Iterable[bytes], checkpoint: Checkpoint) -> Iterator[bytes]:
    """The entries, one by one, in constant memory. Lost ones are empty.

    Raises `BadLeavesError` for one too many or of another length, and at the end unless they give the signed root.
    """
    split, edge = _split(pieces), Frontier()
    while leaves := list(islice(split, WIDTH)):
        for _ in edge.extend(map(merkle.leaf_hash, leaves)):
            pass
        if edge.size > checkpoint.size:
            raise BadLeavesError("its leaves are not those that it signed")
        yield from leaves
    if (edge.size, edge.root) != (checkpoint.size, checkpoint.root):
        raise BadLeavesError("its leaves are not those that it signed")


def _split(pieces: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for piece in pieces:
        content, at = rest + piece, 0
        while (end := at + _LENGTH + int.from_bytes(content[at : at + _LENGTH])) <= len(content):
            if end - at - _LENGTH not in {0, _HASH}:
                raise BadLeavesError("its leaves are not those that it signed")
            yield content[at + _LENGTH : end]
            at = end
        rest = content[at:]
    if rest:
        raise BadLeavesError("its leaves are not those that it signed")
