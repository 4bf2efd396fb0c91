"""Comparison: two games of a ruleset side by side, such as a fork and its origin."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any

import msgspec

from events.types import RulingGiven
from games.contract import Outcome
from projections.errors import IncomparableError
from projections.fold import adjustments_in, move_in
from projections.timeline import Entry, timeline

if TYPE_CHECKING:
    from events.types import EventData
    from games.contract import Viewpoint
    from projections.folds import Folds


class Comparison(msgspec.Struct, frozen=True):
    """Two games from their openings on: `common` is the number of equal moves and rulings at the beginning.

    `first_difference` has the next one of each game, None if there is none. It is None if the games are equal.
    """

    games: tuple[str, str]
    versions: tuple[int, int]
    common: int
    first_difference: tuple[Entry | None, Entry | None] | None
    scores: tuple[list[int], list[int]]
    outcomes: tuple[Outcome | None, Outcome | None]


def compare(folds: Folds, one: str, other: str, viewpoint: Viewpoint) -> Comparison:
    """Compare two games, seen from `viewpoint`. Raises `IncomparableError`, and as `Folds.current`."""
    left, right = folds.current(one), folds.current(other)
    if left.ruleset is not right.ruleset:
        raise IncomparableError(
            f"games of different rulesets cannot be compared: {left.ruleset.name} and {right.ruleset.name}"
        )
    sides = (one, other)
    mine, theirs = actions = [_effective_moves(folds, game, viewpoint) for game in sides]
    common = sum(1 for _ in takewhile(lambda pair: pair[0][1] == pair[1][1], zip(mine, theirs, strict=False)))
    parted = [_entry(folds, game, done, common, viewpoint) for game, done in zip(sides, actions, strict=True)]
    return Comparison(
        games=sides,
        versions=(left.version, right.version),
        common=common,
        first_difference=(parted[0], parted[1]) if any(parted) else None,
        scores=(left.totals(), right.totals()),
        outcomes=(left.outcome(), right.outcome()),
    )


def _entry(folds: Folds, game: str, actions: list[tuple[int, Any]], at: int, viewpoint: Viewpoint) -> Entry | None:
    if at == len(actions):
        return None
    version = actions[at][0]
    (entry,) = timeline(folds, game, folds.current(game).version, version - 1, 1, viewpoint)
    return entry


def _effective_moves(folds: Folds, game: str, viewpoint: Viewpoint) -> list[tuple[int, Any]]:
    """The counting moves and rulings in their order, each with its entry, seen from `viewpoint`."""
    segment = folds.segment(game, 1, folds.current(game).version)
    return [(event.version, _seen(data, viewpoint)) for event, data in segment.effective_moves()]


def _seen(data: EventData, viewpoint: Viewpoint) -> Any:
    if isinstance(data, RulingGiven):
        return [ruled.seen(viewpoint) for ruled in adjustments_in(data)]
    return move_in(data).seen(viewpoint)
