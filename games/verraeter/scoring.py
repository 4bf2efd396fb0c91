"""The bonus at the end, and who wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games import adjustments
from games.contract import Effect, Outcome, ScoreLine
from games.verraeter.components import POSTS
from games.words import counted

if TYPE_CHECKING:
    from games.verraeter.state import VerraeterState

COUNTED = ("rounds", "one_house")
"""After the last round; when all lands belong to one house."""
ENDINGS = (*COUNTED, *adjustments.ENDINGS)
"""Those, and what rulings bring."""

BONUS_CARDS = 3
"""How many cards in hand count at most."""


def scores(state: VerraeterState) -> list[ScoreLine]:
    """Every score line so far."""
    return state.lines


def totals(state: VerraeterState) -> list[int]:
    """The points of each seat."""
    points = [0] * state.seats
    for line in state.lines:
        points[line.seat] += line.points
    return points


def outcome(state: VerraeterState) -> Outcome | None:
    """How the game ended, if it did."""
    return state.outcome


def decide(state: VerraeterState, reason: str, rule: str) -> list[Effect]:
    """End the game: the bonus for trading posts, then whoever has most points wins, shared by all who have as many."""
    state.due = None
    return [Effect("game.ended", rule), *_bonus(state), *rank(state, reason, rule)]


def rank(state: VerraeterState, reason: str, rule: str) -> list[Effect]:
    """Find the winner by points, those who gave up behind all others."""
    points = totals(state)
    ranks = tuple(1 + sum(1 for others in points if others > own) for own in points)
    winners = tuple(seat for seat, place in enumerate(ranks) if place == 1)
    state.outcome = adjustments.behind(Outcome(ranks, winners, reason, rule), state.resigned)
    won = [seat for seat in range(state.seats) if state.outcome.ranks[seat] == 1]
    if len(won) == 1:
        return [Effect("game.won", "verraeter:31", won[0], count=points[won[0]])]
    return [Effect("victory.shared", "verraeter:A21", seat, count=points[seat]) for seat in won]


def _bonus(state: VerraeterState) -> list[Effect]:
    effects = []
    for seat in range(state.seats):
        posts, cards = state.in_play(seat, "post"), len(state.hands[seat])
        points = min(posts, POSTS) * min(cards, BONUS_CARDS)
        note = f"{counted(posts, 'trading post')}, {counted(cards, 'card')} in hand"
        if posts > POSTS:
            note += f"; only {POSTS} trading posts count"
        state.lines.append(ScoreLine(seat, points, "bonus", "verraeter:30", state.version, note))
        if points:
            effects.append(Effect("points.scored", "verraeter:30", seat, (note,), points))
    return effects
