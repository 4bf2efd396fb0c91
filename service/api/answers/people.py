"""People: statistics, ratings and merges."""

from __future__ import annotations

from typing import Literal

import msgspec

from projections.statistics.moves import KindMoves
from projections.statistics.people import PersonFigures
from projections.statistics.years import Year
from service.languages import gettext_noop


class Player(msgspec.Struct, frozen=True):
    """A player. Records hold only the id."""

    id: str
    name: str


class PlayerList(msgspec.Struct, frozen=True):
    """People by name."""

    players: list[Player]


class MergeInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A merged id of a person who was entered several times: the id `into` which it was merged, and since when.

    `name` is the name of its entry; `by` is the person who merged it.
    """

    player: str
    name: str | None
    into: str
    since: str
    by: str


class PlayerDetail(msgspec.Struct, frozen=True):
    """A person, by the id that counts, and the ids `merged` into it. `listed`: in public tables."""

    id: str
    name: str | None
    merged: list[MergeInfo]
    listed: bool


class PersonStatistics(msgspec.Struct, frozen=True):
    """The statistics of a person, and the names of the people in them by id.

    `rating` is that of all their games of this kind, null before the fifth, and `history` has its steps.
    """

    player: str
    names: dict[str, str]
    figures: PersonFigures
    rating: RatingInfo | None
    history: list[RatingStep]
    recomputing: bool


class MoveStatistics(msgspec.Struct, frozen=True):
    """Statistics from the moves of `n` games, `read` of them so far, by kind of game; names are by id."""

    n: int
    read: int
    names: dict[str, str]
    kinds: tuple[KindMoves, ...]


class YearReview(msgspec.Struct, frozen=True):
    """A year in review, of the player or of all. `names` are by id, and `years` those with games."""

    player: str | None
    names: dict[str, str]
    years: list[int]
    figures: Year


class RatingInfo(msgspec.Struct, frozen=True):
    """A person's rating after `n` games: `points` are a careful estimate, `mu` less three times its uncertainty."""

    player: str
    n: int
    points: float
    mu: float
    sigma: float


class RatingStep(msgspec.Struct, frozen=True):
    """A game in the history of a rating: the predicted chance to win, the result, and the rating after it.

    `played_at` is in milliseconds since 1970.
    """

    game: str
    played_at: int
    predicted: float
    won: bool
    rating: RatingInfo


class BrierScore(msgspec.Struct, frozen=True):
    """The mean squared error of `n` predictions; `uniform` is the error of equal chances for all seats."""

    n: int
    score: float
    uniform: float


class RatingList(msgspec.Struct, frozen=True):
    """The ratings of people, the strongest first, their names by id, and the quality of the predictions.

    `newcomers` have too few games for a rating. `recomputing`: a game changed, and newer ratings are being made.
    """

    ratings: list[RatingInfo]
    newcomers: list[RatingInfo]
    names: dict[str, str]
    brier: BrierScore | None
    recomputing: bool


class MergeList(msgspec.Struct, frozen=True):
    """Ids that were merged into others, the oldest merge first; `people` are the names of those who are kept."""

    merges: list[MergeInfo]
    people: dict[str, str]


MergeReason = Literal["same-name", "same-plays", "spelling"]

MERGE_REASONS: dict[MergeReason, str] = {
    "same-name": gettext_noop("the same name"),
    "same-plays": gettext_noop("the same plays"),
    "spelling": gettext_noop("names that are alike"),
}
"""Why a merge is proposed, the surest reason first."""


class MergeProposal(msgspec.Struct, frozen=True):
    """Two people who may be the same, why, and their games that the caller may see."""

    player: str
    name: str
    plays: int
    into: str
    into_name: str
    into_plays: int
    why: MergeReason


class MergeProposals(msgspec.Struct, frozen=True):
    """Proposed merges, the surest first."""

    proposals: list[MergeProposal]


class MergeFigures(msgspec.Struct, frozen=True):
    """The games of a person, the wins against others beside chance, and the rating from five games on."""

    n: int
    against: int
    wins: int
    by_chance: float
    rating: float | None


class MergePreview(msgspec.Struct, frozen=True):
    """The figures of both people before a merge, and of the one after it.

    `together` are games in which both sit. `shares` are the scopes that each gets from the other.
    """

    player: str
    into: str
    names: dict[str, str]
    together: int
    shares: list[str]
    before: list[MergeFigures]
    after: MergeFigures
