"""Thinning: which saved versions of a game to delete, so that all of them together stay small.

A saved version is about as large as the game is long. Kept at even distances, the saved versions of a game would
grow with the square of its length. So their total size has a limit, and old versions lie further apart than new ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class SavedVersion(NamedTuple):
    """A saved version of a game: after how many entries it was saved, and its size in bytes."""

    version: int
    size: int


def versions_to_drop(saved: Iterable[SavedVersion], limit: int) -> list[int]:
    """The versions to delete from `saved`, in ascending order, so that the rest has at most `limit` bytes.

    The newest version always stays. Of the others, the version with the smallest ratio of gap to age goes first. The
    gap is the distance between its neighbours, the age the distance to the newest version.
    """
    kept = list(saved)
    total, deleted = sum(each.size for each in kept), list[int]()
    while total > limit and len(kept) > 1:
        newest = kept[-1].version
        before = [0, *(each.version for each in kept)]
        at = min(range(len(kept) - 1), key=lambda i: (kept[i + 1].version - before[i]) / (newest - kept[i].version))
        total -= kept[at].size
        deleted.append(kept.pop(at).version)
    return deleted
