"""Recorded games in the form for tables, with what the caller may know."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from flask import Response

from events.errors import LogError
from projections.errors import ProjectionError
from projections.plays import cells_of, play_of
from projections.timeline import stream_timeline
from service.api.endpoints import CSV, HTML, TEXT
from service.api.varying import vary
from service.exchange.spreadsheets import csv_lines
from service.exchange.tables import BY_NAME, TABLES, Recorded, Row, rows_of_game

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from games.contract import Viewpoint
    from projections.archive import Archive
    from projections.fold import Fold
    from projections.timeline import Entry
    from service.exchange.tables import Table

SPOKEN = {CSV: f"{CSV}; charset=utf-8; header=present", HTML: f"{HTML}; charset=utf-8", TEXT: f"{TEXT}; charset=utf-8"}
"""How the media types of texts are told."""
PAGE = 2000
"""Entries of a game that are read at a time. Of a game that is not longer, nothing is read twice."""


class KnownGame(NamedTuple):
    """A game of an export, and the caller's viewpoint of it."""

    game: str
    viewpoint: Viewpoint

    def read(self, here: Archive) -> Recorded:
        """The game for tables. Raises `ProjectionError` if it cannot be replayed, and `LogError`."""
        return recorded_game(here, here.folds.current(self.game), self.viewpoint)


class KeptGame(KnownGame):
    """A game that is read once for several tables. It is held in memory, with all of its entries."""

    _read: Recorded | None = None

    def read(self, here: Archive) -> Recorded:
        """The game for tables, as it was when it was first read."""
        if self._read is None:
            read = super().read(here)
            entries = cache(lambda: list(read.entries(True)))
            self._read = read._replace(entries=lambda _: entries())
        return self._read


def recorded_games(here: Archive, games: Iterable[KnownGame]) -> Iterator[Recorded]:
    """The games for tables. Those that cannot be replayed are left out."""
    for each in games:
        try:
            yield each.read(here)
        except (ProjectionError, LogError):
            continue


def recorded_game(here: Archive, fold: Fold, viewpoint: Viewpoint) -> Recorded:
    """A game for tables, seen from `viewpoint`, with merged people as one."""
    play = play_of(fold, next(iter(here.log.read(fold.game, 0, 1))), viewpoint)
    people = here.log.people
    merges, names = people.merges(), people.names(seat.player for seat in play.seats if seat.player)
    seats = tuple(
        msgspec.structs.replace(seat, player=merges.final_id(seat.player)) if seat.player else seat
        for seat in play.seats
    )
    called = {merges.final_id(player): name for player, name in names.items()}
    entries = partial(_entries, here, fold.game, fold.version, viewpoint)
    cells = partial(cells_of, fold.state)
    return Recorded(msgspec.structs.replace(play, seats=seats), called, entries, cells)


def _entries(here: Archive, game: str, version: int, viewpoint: Viewpoint, effects: bool) -> Iterator[Entry]:
    for after in range(0, version, PAGE):
        yield from stream_timeline(here.folds, game, version, after, PAGE, viewpoint, standings=False, effects=effects)


def rows_of(games: Iterable[Recorded], tables: Sequence[Table] = TABLES) -> Iterator[tuple[Table, Row]]:
    """The rows of tables, game by game. People sit in many games, and have one row."""
    people = set[Row]()
    for each in games:
        for table, row in rows_of_game(each, tables):
            if table.name != "people":
                yield table, row
            elif row not in people:
                people.add(row)
                yield table, row


def csv_of(name: str, game: Recorded) -> Response:
    """The rows of one game in the table `name`, as CSV."""
    table = BY_NAME[name]
    response = Response(csv_lines(table, table.rows(game)), content_type=SPOKEN[CSV])
    vary(response.headers, "Accept")
    return response
