"""Lanes: parts of a log that commit separately. The lane of a game follows from its id alone."""

from __future__ import annotations

from hashlib import sha256

LANES = 16
"""Lanes that a log can have, at most."""


def number_of(game: str) -> int:
    """A number from 0 to 65535 that follows from a game's id. It distributes games among lanes and processes.

    If one count of shares divides the other, such as 4 and 8, each larger share consists of whole smaller ones.
    """
    return int.from_bytes(sha256(game.encode()).digest()[:2])


def lane_of(game: str, lanes: int) -> int:
    """The lane of a game, among `lanes`."""
    return number_of(game) % lanes
