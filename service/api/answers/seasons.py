"""Seasons of clubs."""

from __future__ import annotations

from typing import Any

import msgspec


class SeasonListed(msgspec.Struct, frozen=True, kw_only=True):
    """A season in the list of seasons."""

    season: str
    name: str
    club: str
    club_name: str
    first: str | None
    last: str | None
    founded_at: str
    version: int


class SeasonList(msgspec.Struct, frozen=True):
    """Seasons, the newest first."""

    seasons: list[SeasonListed]


class SeasonBonus(msgspec.Struct, frozen=True):
    """Points that a game gives beside those for its places."""

    kind: str
    points: int


class SeasonLine(msgspec.Struct, frozen=True, kw_only=True):
    """What a game gives: points for the place, and bonuses. `corrected` is the place when the game first ended."""

    game: str
    day: str
    place: int
    players: int
    points: float
    bonuses: list[SeasonBonus]
    total: float
    counts: bool
    corrected: int | None


class SeasonGiven(msgspec.Struct, frozen=True):
    """Points that organisers gave, or took."""

    points: int
    reason: str


class SeasonValue(msgspec.Struct, frozen=True):
    """A tie-break of a person."""

    name: str
    value: float


class SeasonPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a season's table; without a rank somebody has too few games. The name is null if it was erased."""

    rank: int | None
    player: str
    name: str | None
    points: float
    played: int
    counted: int
    games: list[SeasonLine]
    given: list[SeasonGiven]
    tie_breaks: list[SeasonValue]


class SeasonInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A season with its table, from those `games` of its club that you may see."""

    season: str
    name: str
    description: str
    club: str
    club_name: str
    rules: dict[str, Any]
    founded_at: str
    version: int
    organises: bool
    games: int
    left_out: dict[str, str]
    table: list[SeasonPlayer]
