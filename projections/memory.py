"""What is kept in memory of games: as many as fit."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class _Kept(NamedTuple, Generic[T]):
    what: T
    entries: int


class GameMemory(Generic[T]):
    """One value a game. The game that was put longest ago goes first.

    It holds at most `games`. Each value says how many entries it grew with, and all have at most `entries` together, as
    memory grows with these. The newest value stays, however large it is. Not safe to share between threads without a
    lock, apart from `get`.
    """

    def __init__(self, games: int, entries: int) -> None:
        self._most_games, self._most_entries = games, entries
        self._kept: OrderedDict[str, _Kept[T]] = OrderedDict()
        self._entries = 0

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, game: str) -> T | None:
        """The value of a game, if it is kept."""
        kept = self._kept.get(game)
        return None if kept is None else kept.what

    def put(self, game: str, what: T, entries: int) -> None:
        """Keep a value in the place of the game's old one."""
        before = self._kept.get(game)
        self._kept[game] = _Kept(what, entries)
        self._kept.move_to_end(game)
        self._entries += entries - (before.entries if before else 0)
        while len(self._kept) > 1 and (len(self._kept) > self._most_games or self._entries > self._most_entries):
            self.forget(next(iter(self._kept)))

    def forget(self, game: str) -> None:
        """Keep nothing of a game."""
        kept = self._kept.pop(game, None)
        if kept is not None:
            self._entries -= kept.entries
