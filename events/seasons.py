"""The event types of seasons. A season is a record of its own, of a club; its types begin with `season.`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from events import limits
from events.clubs import Called  # noqa: TC001 - the structs are read with it
from events.types import END_OF_TEXT, EntryErased, EventData, OneLine, Text, Uuid, Version

SeasonTieBreak = Literal[
    "direct_encounter", "wins", "second_places", "third_places", "games", "average", "best_game", "score_total"
]
"""What decides between equal points of a season."""

BonusKind = Literal["played", "score", "won_by", "lost_within"]
"""What a bonus is for.

`played`: the game was played to its end. `score`: at least `at` points in the game. `won_by`: won alone, at least `at`
points before the next. `lost_within`: lost by at most `at` points.
"""

MOST_RANKED = limits.SEATS

Day = Annotated[str, msgspec.Meta(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])" + END_OF_TEXT)]
GameCount = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Worth = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Given = Annotated[int, msgspec.Meta(ge=-1000, le=1000)]


class Bonus(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Points that a game gives beside those for its places."""

    kind: BonusKind
    points: Given
    at: Annotated[int, msgspec.Meta(ge=-limits.POINTS, le=limits.POINTS)] = 0


class SeasonRules(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Which games of the club count, and how. `points` has a list for each number of players: the points of its places.

    With `points`, games of other numbers do not count. `first` and `last` are days of play. `kind` is a ruleset, or
    `scoresheet/` and the name of a sheet. Of each person the `best` games count; 0 means all. Somebody with fewer than
    `least` games has no rank. With `members`, only members of the club are in the table.
    """

    first: Day | None = None
    last: Day | None = None
    kind: OneLine | None = None
    points: Annotated[
        list[Annotated[list[Worth], msgspec.Meta(min_length=2, max_length=MOST_RANKED)]],
        msgspec.Meta(max_length=MOST_RANKED),
    ] = []
    bonuses: Annotated[list[Bonus], msgspec.Meta(max_length=10)] = []
    best: GameCount = 0
    least: GameCount = 0
    members: bool = False
    tie_breaks: Annotated[list[SeasonTieBreak], msgspec.Meta(max_length=10)] = []


class SeasonData(EventData, frozen=True, kw_only=True):
    """The common base of the data of seasons' entries."""


class SeasonFounded(SeasonData, frozen=True, kw_only=True):
    """`season.founded`: the first entry of a season of a club. The club's organisers change it."""

    text_fields = ("name", "description")

    name: Called
    description: Text = ""
    club: Uuid
    rules: SeasonRules = SeasonRules()


class SeasonChanged(SeasonData, frozen=True, kw_only=True):
    """`season.changed`: another name, description or set of rules. What is left out stays."""

    text_fields = ("name", "description")

    name: Called | None = None
    description: Text | None = None
    rules: SeasonRules | None = None


class SeasonGameLeftOut(SeasonData, frozen=True, kw_only=True):
    """`season.game_left_out`: a game of the club does not count in this season."""

    text_fields = ("reason",)

    game: Uuid
    reason: Text = ""


class SeasonPointsGiven(SeasonData, frozen=True, kw_only=True):
    """`season.points_given`: points for a person beside those of the games, or a penalty below zero."""

    text_fields = ("reason",)

    player: Uuid
    points: Given
    reason: Text = ""


class SeasonWithdrawn(SeasonData, frozen=True, kw_only=True):
    """`season.withdrawn`: the entry of that version does not count. To withdraw a withdrawal brings it back."""

    text_fields = ("reason",)

    entry: Version
    reason: Text = ""


class SeasonErased(EntryErased, frozen=True, kw_only=True):
    """`season.erased`: the texts of an entry were erased for good, as `entry.erased` says it of games."""


SEASON_FOUNDED = "season.founded"
"""The type of the first event of every season, and of no other one."""

SEASON_TYPES: dict[str, type[EventData]] = {
    SEASON_FOUNDED: SeasonFounded,
    "season.changed": SeasonChanged,
    "season.game_left_out": SeasonGameLeftOut,
    "season.points_given": SeasonPointsGiven,
    "season.withdrawn": SeasonWithdrawn,
    "season.erased": SeasonErased,
}
"""The event types of seasons, with the current form of their data."""
