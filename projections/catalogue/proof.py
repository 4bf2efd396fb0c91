"""The proof of the catalogue: every row is what was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.databases.checksums import by_json, by_lines, is_sound
from projections.catalogue.rows import COLUMNS, SUMMED
from projections.errors import ViewsDamagedError
from projections.views import CATALOGUE, PLAYERS_TABLE, PUBLIC_TABLE, SEARCH_TABLE

if TYPE_CHECKING:
    from sqlite_utils import Database


_GAME_AT, _FOUND_BY_AT = SUMMED.index("game"), SUMMED.index("found_by")


def prove_catalogue(db: Database) -> None:
    """Check the rows of all games, and their search words. Raises `ViewsDamagedError`."""
    players = f"select player from {PLAYERS_TABLE} where {PLAYERS_TABLE}.game = game.game order by 1"
    sat = f"(select json_group_array(player) from ({players}))"
    words = f"coalesce((select text from {SEARCH_TABLE} where {SEARCH_TABLE}.game = game.game), '')"
    shown = f"exists (select 1 from {PUBLIC_TABLE} where {PUBLIC_TABLE}.game = game.game)"
    columns = ", ".join(f"game.{name}" for name in (*COLUMNS, "shown"))
    for row in db.execute(f"select {words}, {sat}, {shown}, {columns} from {CATALOGUE} game"):
        text, sat_there, listed, *summed, sum_of_row, shown_there = row
        game, found_by = summed[_GAME_AT], summed[_FOUND_BY_AT]
        if not is_sound(summed, sum_of_row, by_json):
            raise ViewsDamagedError(f"the row of game {game} is not what was written")
        if not is_sound([text, sat_there], found_by, by_lines):
            raise ViewsDamagedError(f"the search words of game {game} are not what was written")
        if shown_there != listed:
            raise ViewsDamagedError(f"the visibility of game {game} is not what was written")
