"""Tournaments."""

from __future__ import annotations

from typing import Any

import msgspec


class TournamentListed(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament in the list."""

    tournament: str
    name: str
    public: bool
    format: str
    club: str | None
    players: int
    rounds: int
    founded_at: str
    version: int


class TournamentList(msgspec.Struct, frozen=True):
    """The newest first."""

    tournaments: list[TournamentListed]


class TournamentPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A person, or a team with its `members`, their names by id. No result of somebody `annulled` counts.

    `first` is the first round, `last` the last one before leaving.
    """

    player: str
    name: str | None
    seed: int
    first: int
    last: int | None
    annulled: bool
    members: dict[str, str | None]


class TournamentTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table, by seat. Only those who may see `game` get it. `corrected` are the places before a correction."""

    players: list[str]
    group: int | None
    places: list[int] | None
    scores: list[float] | None
    forfeits: list[int]
    game: str | None
    corrected: list[int] | None


class TournamentBye(msgspec.Struct, frozen=True):
    """Somebody without a table, and why."""

    player: str
    kind: str


class TournamentRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round, by table. An `outdated` one was paired by results that were corrected since."""

    stage: str
    paired_at: str
    outdated: bool
    over: bool
    tables: list[TournamentTable]
    byes: list[TournamentBye]


class TieBreakLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The part of a round: `factor` times the value `of` the opponents. A `cut` one does not count.

    `adjusted`: their points count otherwise, as rounds at the end were unplayed.
    """

    round: int
    kind: str
    value: float
    opponents: list[str] = []
    of: float | None = None
    factor: float | None = None
    adjusted: bool = False
    cut: bool = False


class TieBreakValue(msgspec.Struct, frozen=True):
    """A tie-break of a player, and its lines."""

    name: str
    value: float
    lines: list[TieBreakLine]


class TournamentRow(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the table. Equal ranks are a tie."""

    rank: int
    player: str
    points: float
    played: int
    group: int | None
    tie_breaks: list[TieBreakValue]


class TournamentInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament with its rounds, and its table after the round `after`. `organises`: you may change it."""

    tournament: str
    name: str
    description: str
    public: bool
    ruleset: str | None
    club: str | None
    club_name: str | None
    rules: dict[str, Any]
    founded_at: str
    version: int
    organisers: list[str]
    organises: bool
    players: list[TournamentPlayer]
    rounds: list[TournamentRound]
    after: int
    table: list[TournamentRow]
