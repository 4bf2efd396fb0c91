"""The bonus at the end, and the winner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games import adjustments
from games.contract import Effect, Outcome, ScoreLine
from games.verraeter.components import POSTS
from games.words import counted_text

if TYPE_CHECKING:
    from games.verraeter.state import VerraeterState

COUNTED_ENDINGS = ("rounds", "one_house")
"""The last round is over; all lands belong to one house."""
ENDINGS = (*COUNTED_ENDINGS, *adjustments.ENDINGS)
"""All reasons of endings, including those of rulings."""

BONUS_CARDS = 3
"""The most cards in hand that count."""


def decide(state: VerraeterState, reason: str, rule: str) -> list[Effect]:
    """End the game: add the bonus for trading posts, and find the winner."""
    state.due = None
    return [Effect("game.ended", rule), *_bonus(state), *rank(state, reason, rule)]


def rank(state: VerraeterState, reason: str, rule: str) -> list[Effect]:
    """Find the winner by points. Equal players share the victory; resigned players come last."""
    points = state.totals()
    ending = state.ending = adjustments.ranked_last(Outcome.by_points(points, reason, rule), state.resigned)
    won = ending.winners
    if len(won) == 1:
        return [Effect("game.won", "verraeter:31", won[0], count=points[won[0]])]
    return [Effect("victory.shared", "verraeter:A21", seat, count=points[seat]) for seat in won]


def _bonus(state: VerraeterState) -> list[Effect]:
    effects = []
    for seat in range(state.seats):
        posts, cards = state.in_play(seat, "post"), len(state.hands[seat])
        points = min(posts, POSTS) * min(cards, BONUS_CARDS)
        note = f"{counted_text(posts, 'trading post')}, {counted_text(cards, 'card')} in hand"
        if posts > POSTS:
            note += f"; only {POSTS} trading posts count"
        state.lines.append(ScoreLine(seat, points, "bonus", "verraeter:30", state.version, note))
        if points:
            effects.append(Effect("points.scored", "verraeter:30", seat, (note,), points))
    return effects
