"""The tables of seasons and tournaments as CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.exchange.spreadsheets import USUAL, csv_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from service.api.answers.seasons import SeasonInfo
    from service.api.answers.tournaments import TournamentInfo
    from service.exchange.spreadsheets import Dialect


def season_csv(info: SeasonInfo, *, dialect: Dialect = USUAL, bom: bool = False) -> str:
    """The table of a season. A person without a name has an empty one."""
    tie_breaks = list(info.rules.get("tie_breaks", ()))
    head = ("rank", "player", "name", "points", "games", "counted", "given", *tie_breaks)
    return csv_text(
        head,
        (
            (
                *(row.rank, row.player, row.name or "", row.points, row.played, row.counted),
                sum(each.points for each in row.given),
                *(each.value for each in row.tie_breaks),
            )
            for row in info.table
        ),
        dialect=dialect,
        bom=bom,
    )


def tournament_csv(info: TournamentInfo, *, dialect: Dialect = USUAL, bom: bool = False) -> str:
    """The table of a tournament after the round that was asked for."""
    names: Mapping[str, str | None] = {each.player: each.name for each in info.players}
    tie_breaks = list(info.rules.get("tie_breaks", ()))
    return csv_text(
        ("rank", "player", "name", "points", "played", "group", *tie_breaks),
        (
            (
                *(row.rank, row.player, names.get(row.player) or "", row.points, row.played),
                None if row.group is None else row.group + 1,
                *(each.value for each in row.tie_breaks),
            )
            for row in info.table
        ),
        dialect=dialect,
        bom=bom,
    )
