"""The analysis `timeline`: leaders and margins over time, the decision of the game, and the time of each player."""

from __future__ import annotations

from itertools import groupby, pairwise
from statistics import median
from typing import TYPE_CHECKING, Protocol

import msgspec

from games.scoresheet.state import ScoresheetState
from projections.analyses.moments import Moment, moments
from projections.analyses.story import StorySentence, story
from projections.plays import highest_wins, plays_together

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from games.contract import State
    from projections.analyses.game_replay import Clock, GameReplay, ReplayStep


class Standing(msgspec.Struct, frozen=True):
    """The standing from entry `version` on, until the next listed one.

    `leaders` are the seats in front, all of them on a tie. `margin` is the points between them and the next seat; it is
    0 if everybody is in front.
    """

    version: int
    scores: list[int]
    leaders: list[int]
    margin: int


class Comeback(msgspec.Struct, frozen=True):
    """The largest number of points that the winner was behind, and the entry where this began."""

    seat: int
    deficit: int
    version: int


class Turn(msgspec.Struct, frozen=True):
    """The entries of a seat in a row, from `first` to `last`, and the `seconds` since the entry before, if known."""

    seat: int
    first: int
    last: int
    seconds: float | None


class Pace(msgspec.Struct, frozen=True):
    """The times of a seat over those `timed` of its `turns` with a known time. There are none if `timed` is 0."""

    seat: int
    turns: int
    timed: int
    seconds: float
    median: float | None
    longest: float | None


class RoundStart(msgspec.Struct, frozen=True):
    """The entry with which a round began."""

    round: int
    version: int


class GameTimeline(msgspec.Struct, frozen=True, kw_only=True):
    """The scores of a game over time.

    `standings` has an item for each change of the scores. A score sheet that is filled in seat by seat has them where a
    round is whole, or all of it if it has no rounds. If that was once, at the end, nothing is told of leads.
    `lead_changes` are the entries that changed the leaders. After the entry `decided` no winner was behind any more.
    `decided` and `comeback` wait for the end. There is no comeback if the winners were never behind. If all play
    `together`, nobody leads, and there is neither. `rounds` are those that began, in games with rounds. `story` tells
    the game in words. `moments` are worth a look; the first ones are chosen first.
    """

    standings: list[Standing]
    lead_changes: list[int]
    decided: int | None
    comeback: Comeback | None
    turns: list[Turn]
    pace: list[Pace]
    together: bool = False
    rounds: list[RoundStart] = []
    story: list[StorySentence] = []
    moments: list[Moment] = []


def timeline(replay: GameReplay) -> GameTimeline:
    """The analysis of a game."""
    scores = list(_standings(replay.opened, replay.steps))
    standings = list(_standings(replay.opened, [step for step in replay.steps if step.after.is_even]))
    compared = _compared(standings, scores, replay.opened)
    turns = list(turns_of(replay.began, replay.steps))
    outcome, last = replay.outcome, replay.steps[-1].after if replay.steps else replay.opened
    together = plays_together(last)
    winners = outcome.winners if outcome and not together else ()
    comeback = _comeback(compared, winners, 1 if highest_wins(last) else -1)
    sentences = story(replay, compared, scores, comeback, last.teams or range(replay.seats))
    return GameTimeline(
        standings=standings,
        lead_changes=[after.version for before, after in pairwise(compared) if before.leaders != after.leaders],
        decided=_decided(compared, winners),
        comeback=comeback,
        turns=turns,
        pace=[pace_of(seat, [turn for turn in turns if turn.seat == seat]) for seat in range(replay.seats)],
        together=together,
        rounds=list(_rounds(replay)),
        story=sentences,
        moments=moments(replay, sentences),
    )


def _compared(standings: list[Standing], scores: list[Standing], opened: State) -> list[Standing]:
    """The standings with meaningful leads. None if they are only one result at the end.

    On a sheet without rounds, there are no leads before it is first complete.
    """
    if isinstance(opened, ScoresheetState) and not opened.template.has_rounds:
        return standings[1:] if len(standings) > 2 else []
    return standings if len(standings) > 2 or standings == scores else []


def _rounds(replay: GameReplay) -> Iterator[RoundStart]:
    """Each round that began, with its first entry."""
    last = replay.opened.round
    for step in replay.steps:
        if step.after.round > last:
            last = step.after.round
            yield RoundStart(last, step.version)


def _standings(opened: State, steps: Iterable[ReplayStep]) -> Iterator[Standing]:
    found = _standing(1, opened)
    yield found
    for step in steps:
        now = _standing(step.version, step.after)
        if (now.scores, now.leaders) != (found.scores, found.leaders):
            found = now
            yield found


def _standing(version: int, state: State) -> Standing:
    scores, ranks = state.totals(), state.ranks()
    leaders = [seat for seat, rank in enumerate(ranks) if rank == min(ranks)]
    rest = [seat for seat in range(len(ranks)) if seat not in leaders]
    second = min(rest, key=lambda seat: ranks[seat], default=leaders[0])
    return Standing(version, scores, leaders, abs(scores[leaders[0]] - scores[second]))


def _is_behind(standing: Standing, seats: Sequence[int]) -> bool:
    return not set(seats) & set(standing.leaders)


def _decided(standings: Sequence[Standing], winners: Sequence[int]) -> int | None:
    """The entry since which a winner led, or shared the lead, to the end."""
    if not winners or not standings or _is_behind(standings[-1], winners):
        return None
    decided = standings[-1]
    for standing in reversed(standings):
        if _is_behind(standing, winners):
            break
        decided = standing
    return decided.version


def _comeback(standings: Sequence[Standing], winners: Sequence[int], better: int) -> Comeback | None:
    """The most points that a winner was behind, since the winner had a seat.

    More points are `better`, or fewer if that is negative. Who led by something else may have had no better points.
    """
    deficits = [
        Comeback(
            seat, max(0, better * (standing.scores[standing.leaders[0]] - standing.scores[seat])), standing.version
        )
        for standing in standings
        for seat in winners
        if seat not in standing.leaders and seat < len(standing.scores)
    ]
    return max(deficits, key=lambda found: found.deficit, default=None)


class PlayedEntry(Protocol):
    """A move or a ruling, with its place in the game."""

    @property
    def version(self) -> int:
        """The version of the entry."""

    @property
    def seat(self) -> int | None:
        """The seat that moved; None for the table."""

    @property
    def at(self) -> Clock | None:
        """The time of the move."""


def turns_of(began: Clock | None, played: Iterable[PlayedEntry]) -> Iterator[Turn]:
    """Group moves into turns: moves of a seat in a row. Moves of the table belong to no turn."""
    before = began
    for seat, moves in groupby(played, key=lambda step: step.seat):
        steps = list(moves)
        last = steps[-1].at
        if seat is not None:
            yield Turn(seat, steps[0].version, steps[-1].version, _seconds(before, last))
        before = last


def _seconds(before: Clock | None, after: Clock | None) -> float | None:
    """The time between two entries, if both have the time of the same clock.

    Entries of one request have the same time of the service, which says nothing about their duration.
    """
    if before is None or after is None or before.table != after.table:
        return None
    passed = after.at - before.at
    return round(passed / 1000, 3) if passed > 0 or (passed == 0 and after.table) else None


def pace_of(seat: int, turns: Sequence[Turn]) -> Pace:
    """The times of a seat over its turns."""
    times = [turn.seconds for turn in turns if turn.seconds is not None]
    return Pace(
        seat=seat,
        turns=len(turns),
        timed=len(times),
        seconds=round(sum(times), 3),
        median=round(median(times), 3) if times else None,
        longest=max(times, default=None),
    )
