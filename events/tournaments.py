"""The event types of tournaments. A tournament is a record of its own; its types begin with `tournament.`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from events import limits
from events.clubs import Called  # noqa: TC001 - the structs are read with it
from events.types import EntryErased, EventData, Name, Text, Uuid, Version

Format = Literal["round_robin", "swiss", "knock_out", "groups"]
"""How opponents are found. `groups` is a round robin in each group, then a knock-out of the best."""

TieBreak = Literal[
    "buchholz",
    "buchholz_cut_1",
    "buchholz_cut_2",
    "buchholz_median",
    "sonneborn_berger",
    "direct_encounter",
    "wins",
    "score_difference",
    "score_total",
    "opponents_win_rate",
]
"""What decides between equal points."""

ByeKind = Literal["bye", "half", "zero", "rest", "walkover"]
"""Why somebody has no table in a round.

`bye`: nobody was left to play; it counts as a win. `half` and `zero`: asked for, or absent. `rest`: the round robin has
an odd number. `walkover`: the opponent withdrew; it counts as a win.
"""

Stage = Literal["main", "group", "knock_out"]

MOST_AT_A_TABLE = 6
MOST_IN_A_TEAM = 50

RoundNumber = Annotated[int, msgspec.Meta(ge=1, le=200)]
SeatAtTable = Annotated[int, msgspec.Meta(ge=0, lt=MOST_AT_A_TABLE)]
Place = Annotated[int, msgspec.Meta(ge=1, le=MOST_AT_A_TABLE)]
AtTable = Annotated[int, msgspec.Meta(ge=2, le=MOST_AT_A_TABLE)]
Minutes = Annotated[int, msgspec.Meta(ge=0, le=1440)]
Worth = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Score = Annotated[float, msgspec.Meta(ge=-limits.POINTS, le=limits.POINTS)]
Seed = Annotated[int, msgspec.Meta(ge=1, le=100_000)]
Seats = Annotated[list[Uuid], msgspec.Meta(min_length=2, max_length=MOST_AT_A_TABLE)]
TieBreaks = Annotated[list[TieBreak], msgspec.Meta(max_length=10)]


class TournamentRules(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a tournament is played. `points` has a list for each size of table: the points of its places.

    `minutes` is what a round has by the clock on the wall; 0 is none.
    """

    format: Format = "swiss"
    rounds: Annotated[int, msgspec.Meta(ge=0, le=200)] = 0
    at_table: AtTable = 2
    fewest: Annotated[int, msgspec.Meta(ge=0, le=MOST_AT_A_TABLE)] = 0
    meetings: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    groups: Annotated[int, msgspec.Meta(ge=1, le=64)] = 2
    qualify: Annotated[int, msgspec.Meta(ge=1, le=16)] = 2
    advance: Annotated[int, msgspec.Meta(ge=1, le=MOST_AT_A_TABLE - 1)] = 1
    third_place: bool = False
    points: Annotated[
        list[Annotated[list[Worth], msgspec.Meta(min_length=2, max_length=MOST_AT_A_TABLE)]],
        msgspec.Meta(max_length=MOST_AT_A_TABLE),
    ] = []
    draw: Worth | None = None
    minutes: Minutes = 0
    tie_breaks: TieBreaks = []


class PairedTable(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who plays together, in the order of seats."""

    players: Seats
    group: Annotated[int, msgspec.Meta(ge=0, lt=64)] | None = None


class PairedBye(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who has no table, and why."""

    player: Uuid
    kind: ByeKind = "bye"
    group: Annotated[int, msgspec.Meta(ge=0, lt=64)] | None = None


class TournamentData(EventData, frozen=True, kw_only=True):
    """The common base of the data of tournaments' entries."""


class TournamentFounded(TournamentData, frozen=True, kw_only=True):
    """`tournament.founded`: the first entry of a tournament. Its founder organises it, its club's members see it."""

    text_fields = ("name", "description")

    name: Called
    description: Text = ""
    founder: Uuid
    public: bool = False
    ruleset: Name | None = None
    club: Uuid | None = None
    rules: TournamentRules = TournamentRules()


class TournamentChanged(TournamentData, frozen=True, kw_only=True):
    """`tournament.changed`: another name, number of rounds, clock or order of tie-breaks. What is left out stays."""

    text_fields = ("name", "description")

    name: Called | None = None
    description: Text | None = None
    public: bool | None = None
    rounds: Annotated[int, msgspec.Meta(ge=0, le=200)] | None = None
    minutes: Minutes | None = None
    tie_breaks: TieBreaks | None = None


class OrganiserNamed(TournamentData, frozen=True, kw_only=True):
    """`tournament.organiser_named`: a person may change the tournament from now on, or may not any more."""

    player: Uuid
    organises: bool = True


class PlayerEntered(TournamentData, frozen=True, kw_only=True):
    """`tournament.player_entered`: a person plays from the next round on. Without a seed they come last."""

    player: Uuid
    seed: Seed | None = None


class TeamEntered(TournamentData, frozen=True, kw_only=True):
    """`tournament.team_entered`: a team plays from the next round on, as one player would.

    A later entry for the same team changes its name and who plays in it.
    """

    text_fields = ("name",)

    team: Uuid
    name: Called
    players: Annotated[list[Uuid], msgspec.Meta(min_length=1, max_length=MOST_IN_A_TEAM)]
    seed: Seed | None = None


class PlayerLeft(TournamentData, frozen=True, kw_only=True):
    """`tournament.player_left`: a person plays no further round."""

    player: Uuid


class ByeAsked(TournamentData, frozen=True, kw_only=True):
    """`tournament.bye_asked`: a person does not play a round to come, for half of a win or for nothing."""

    player: Uuid
    round: RoundNumber
    kind: Literal["half", "zero"] = "half"


class RoundPaired(TournamentData, frozen=True, kw_only=True):
    """`tournament.round_paired`: who meets whom in the next round."""

    round: RoundNumber
    tables: Annotated[list[PairedTable], msgspec.Meta(max_length=1000)]
    byes: Annotated[list[PairedBye], msgspec.Meta(max_length=1000)] = msgspec.field(default_factory=list)
    stage: Stage = "main"


class ResultEntered(TournamentData, frozen=True, kw_only=True):
    """`tournament.result_entered`: how a table ended, or the game that says it. A later one counts instead.

    `places` and `scores` are in the order of seats, `forfeits` are seats. Beside a `game` they are what it said then.
    """

    round: RoundNumber
    table: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    places: Annotated[list[Place], msgspec.Meta(max_length=MOST_AT_A_TABLE)] | None = None
    scores: Annotated[list[Score], msgspec.Meta(max_length=MOST_AT_A_TABLE)] | None = None
    forfeits: Annotated[list[SeatAtTable], msgspec.Meta(max_length=MOST_AT_A_TABLE)] = msgspec.field(
        default_factory=list
    )
    game: Uuid | None = None


class TournamentWithdrawn(TournamentData, frozen=True, kw_only=True):
    """`tournament.withdrawn`: the entry of that version does not count. To withdraw a withdrawal brings it back."""

    text_fields = ("reason",)

    entry: Version
    reason: Text = ""


class TournamentErased(EntryErased, frozen=True, kw_only=True):
    """`tournament.erased`: the texts of an entry were erased for good, as `entry.erased` says it of games."""


TOURNAMENT_FOUNDED = "tournament.founded"
"""The type of the first event of every tournament, and of no other one."""

TOURNAMENT_TYPES: dict[str, type[EventData]] = {
    TOURNAMENT_FOUNDED: TournamentFounded,
    "tournament.changed": TournamentChanged,
    "tournament.organiser_named": OrganiserNamed,
    "tournament.player_entered": PlayerEntered,
    "tournament.team_entered": TeamEntered,
    "tournament.player_left": PlayerLeft,
    "tournament.bye_asked": ByeAsked,
    "tournament.round_paired": RoundPaired,
    "tournament.result_entered": ResultEntered,
    "tournament.withdrawn": TournamentWithdrawn,
    "tournament.erased": TournamentErased,
}
"""The event types of tournaments, with the current form of their data."""
