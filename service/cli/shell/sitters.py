"""Who sat at the table when an entry was made: another person may sit there now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from projections.sitting import SeatTaken, sitter_among
from service.cli.shell.timelines import as_it_happened, timeline

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from projections.timeline import Entry
    from service.api.answers.games import GameInfo, SeatInfo
    from service.cli.shell.client import Client


class Sitters:
    """The people at the table of one game: `now`, and by name at any of its `entries`, which are in play order."""

    def __init__(
        self, now: Sequence[SeatInfo], entries: Sequence[Entry] = (), people: Mapping[str, str] | None = None
    ) -> None:
        self.now, self._names = now, people or {}
        opened = entries[0].players if entries else ()
        self._sitter = sitter_among([seat.player for seat in now], opened, _changes(entries))

    def at(self, entry: int) -> Sequence[SeatInfo]:
        """The seats as they were when an entry was made."""
        return [self._then(seat, self._sitter(seat.seat, entry)) for seat in self.now]

    def _then(self, seat: SeatInfo, player: str | None) -> SeatInfo:
        if player == seat.player:
            return seat
        return msgspec.structs.replace(seat, player=player, name=self._names.get(player or ""))


def sitters_of(client: Client, info: GameInfo, seat: str | None = None) -> Sitters:
    """The people at the table of a game, which is looked at from a seat."""
    people: dict[str, str] = {}
    return Sitters(info.seats, as_it_happened(timeline(client, info.game, seat, people=people)), people)


def _changes(entries: Sequence[Entry]) -> Iterator[tuple[int, SeatTaken | None]]:
    for entry in entries:
        if entry.withdrawn_by is None:
            changed = entry.seat if entry.type == "seat.changed" else None
            yield entry.version, None if changed is None else SeatTaken(changed, entry.player)
