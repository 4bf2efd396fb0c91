"""A game in words: what happened, sentence by sentence, each with the entry that it rests on."""

from __future__ import annotations

from collections.abc import Sequence  # msgspec needs the type at run time
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import msgspec

from games.adjustments import ENDINGS
from games.scoresheet.state import ScoresheetState
from projections.plays import highest_wins, plays_together

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from games.contract import Outcome, State
    from projections.analyses.game_replay import GameReplay
    from projections.analyses.pace import Comeback, Standing

LEAST_GAIN = 2
"""The least number of points at once for a sentence."""

What = Literal["first", "ahead", "changes", "gain", "behind", "end"]


class StorySentence(msgspec.Struct, frozen=True, omit_defaults=True):
    """What happened in entry `version`, to these `seats`: one, or those of a team.

    `first`: they led first. `ahead`: they took the lead and kept it. `changes`: by then the lead had changed `count`
    times, the last time to them. `gain`: they got `count` points at once, more than anybody at any other time.
    `behind`: the later winners were `count` points behind. `end`: the game ended, and these seats won, for a `reason`
    if points do not tell it.
    """

    version: int
    what: What
    seats: Sequence[int] = ()
    count: int | None = None
    reason: str | None = None


def story(
    replay: GameReplay,
    compared: Sequence[Standing],
    scores: Sequence[Standing],
    comeback: Comeback | None,
    sides: Sequence[int],
) -> list[StorySentence]:
    """The sentences of a game up to its end, in the order in which it happened.

    There are no leads where all play together. Leads and points are told of the standings that can be `compared`, and
    the last of all `scores` tells whether points decided. `sides` are the teams of the seats, or each seat for itself.
    """
    winners = replay.outcome.winners if replay.outcome else ()
    ended = {step.version for step in replay.steps if step.outcome and isinstance(step.after, ScoresheetState)}
    places, end = {step.version: place for place, step in enumerate(replay.steps)}, _end(replay, scores[-1])
    until = places[end[0].version] if end else len(places)

    def place(told: Standing | StorySentence | Comeback) -> int:
        return places.get(told.version, -1)

    compared = [each for each in compared if place(each) <= until]
    found = [*_leads(compared, winners, sides, {each.version for each in end}), *_gain(compared, sides, ended)]
    if comeback and comeback.deficit and place(comeback) <= until:
        seats = _partners(comeback.seat, sides)
        found.append(StorySentence(comeback.version, "behind", seats, comeback.deficit))
    return sorted(found, key=place) + end


def _partners(seat: int, sides: Sequence[int]) -> tuple[int, ...]:
    """The seats on the side of a seat."""
    return tuple(other for other, side in enumerate(sides) if side == sides[seat])


def _leads(
    standings: Sequence[Standing], winners: Sequence[int], sides: Sequence[int], end: Container[int]
) -> Iterator[StorySentence]:
    """Who led first; how often another side came to lead alone, or since when the winner did, if that was once.

    Who won at the `end` without another point, by a tie-breaker or because somebody resigned, took no lead. Nor did
    who was the first to be ahead then.
    """
    if len(standings) > 1 and standings[-1].version in end and standings[-1].scores == standings[-2].scores:
        standings = standings[:-1]
    alone = [each for each in standings if len({sides[seat] for seat in each.leaders}) == 1 < len(set(sides))]
    changes = alone[:1] + [now for before, now in pairwise(alone) if now.leaders != before.leaders]
    if not changes or changes[0].version in end:
        return
    yield StorySentence(changes[0].version, "first", tuple(changes[0].leaders))
    last = changes[-1]
    since = standings[standings.index(last) :]
    if len(changes) == 2 and list(winners) == last.leaders and all(each.leaders == last.leaders for each in since):
        yield StorySentence(last.version, "ahead", tuple(last.leaders))
    elif len(changes) > 1:
        yield StorySentence(last.version, "changes", tuple(last.leaders), len(changes) - 1)


def _gain(standings: Sequence[Standing], sides: Sequence[int], ended: Container[int]) -> list[StorySentence]:
    """The most points that a side got at once, if there were others; a seat that was added brings none.

    With the entry that `ended` a score sheet come points of many rounds.
    """
    gains = {
        (now.version, sides[seat]): StorySentence(
            now.version, "gain", _partners(seat, sides), points - before.scores[seat]
        )
        for before, now in pairwise(standings)
        if now.version not in ended
        for seat, points in enumerate(now.scores[: len(before.scores)])
    }
    most = max((each.count or 0 for each in gains.values()), default=0)
    found = [each for each in gains.values() if most >= LEAST_GAIN and each.count == most]
    changes = sum(before.scores != now.scores for before, now in pairwise(standings))
    return found if len(found) == 1 and changes > 1 else []


def _end(replay: GameReplay, last: Standing) -> list[StorySentence]:
    """The entry since which the game has its outcome: a ruling after the end can have given it to another seat."""
    if replay.outcome is None or not replay.steps:
        return []
    since = replay.steps[-1]
    for step in reversed(replay.steps):
        if step.outcome is None or step.outcome.winners != replay.outcome.winners:
            break
        since = step
    winners = tuple(replay.outcome.winners)
    reason = None if _points_tell(since.after, replay.outcome, last) else replay.outcome.reason
    return [StorySentence(since.version, "end", winners, reason=reason)]


def _points_tell(state: State, outcome: Outcome, last: Standing) -> bool:
    """Whether points say who won: no other seat has as many, or there is no single side that won.

    A referee, or somebody who resigned, can have ended the game before they did.
    """
    winners = outcome.winners
    if not winners or len(winners) == len(last.scores) or plays_together(state):
        return True
    if outcome.reason in ENDINGS:
        return False
    better = 1 if highest_wins(state) else -1
    others = [better * points for seat, points in enumerate(last.scores) if seat not in winners]
    return min(better * last.scores[seat] for seat in winners) > max(others)
