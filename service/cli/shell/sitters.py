"""Who sat at the table at the time of an entry. Another person may sit there now."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from projections.sitting import SeatTaken, sitter_among
from service.cli.shell.timelines import as_it_happened, timeline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from projections.timeline import Entry
    from service.api.answers.games import GameInfo, SeatInfo
    from service.cli.shell.client import Client

    History = tuple[Sequence[Entry], Mapping[str, str]]
    """The entries of a game in play order, and the names of people in them by id."""


class Sitters:
    """The people at the table of one game: `now`, and by name at any of its entries.

    `read` reads the entries of the game on demand, because many answers do not need them.
    """

    def __init__(self, now: Sequence[SeatInfo], read: Callable[[], History] = lambda: ((), {})) -> None:
        self.now, self._read = now, read

    @property
    def entries(self) -> Sequence[Entry]:
        """The entries of the game in play order."""
        return self._history[0]

    @cached_property
    def _history(self) -> History:
        return self._read()

    @cached_property
    def _people_by_entry(self) -> tuple[Callable[[int, int], str | None], Mapping[str, str]]:
        """A function that tells the person in a seat at an entry, and the names of people."""
        entries, names = self._history
        opened = entries[0].players if entries else ()
        return sitter_among([seat.player for seat in self.now], opened, _changes(entries)), names

    def at(self, entry: int) -> Sequence[SeatInfo]:
        """The seats at the time of an entry."""
        sitter, names = self._people_by_entry
        return [_with(seat, sitter(seat.seat, entry), names) for seat in self.now]


def sitters_of(client: Client, info: GameInfo, seat: str | None = None) -> Sitters:
    """The people at the table of a game, seen from a seat."""
    return Sitters(info.seats, lambda: history_of(client, info.game, seat))


def history_of(client: Client, game: str, seat: str | None) -> History:
    """The entries of a game, seen from a seat."""
    people: dict[str, str] = {}
    return as_it_happened(timeline(client, game, seat, people=people)), people


def _with(seat: SeatInfo, player: str | None, names: Mapping[str, str]) -> SeatInfo:
    """The seat with a person in it."""
    if player == seat.player:
        return seat
    return msgspec.structs.replace(seat, player=player, name=names.get(player or ""))


def _changes(entries: Sequence[Entry]) -> Iterator[tuple[int, SeatTaken | None]]:
    for entry in entries:
        if entry.withdrawn_by is None:
            changed = entry.seat if entry.type == "seat.changed" else None
            yield entry.version, None if changed is None else SeatTaken(changed, entry.player)
