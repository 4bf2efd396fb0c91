"""The bonus at the end, and who wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games import adjustments
from games.contract import Effect, Outcome, ScoreLine
from games.verraeter.components import POSTS
from games.words import counted_text

if TYPE_CHECKING:
    from games.verraeter.state import VerraeterState

COUNTED_ENDINGS = ("rounds", "one_house")
"""After the last round; when all lands belong to one house."""
ENDINGS = (*COUNTED_ENDINGS, *adjustments.ENDINGS)
"""Those, and what rulings bring."""

BONUS_CARDS = 3
"""How many cards in hand count at most."""


def decide(state: VerraeterState, reason: str, rule: str) -> list[Effect]:
    """End the game: the bonus for trading posts, then the most points win, shared by all with as many."""
    state.due = None
    return [Effect("game.ended", rule), *_bonus(state), *rank(state, reason, rule)]


def rank(state: VerraeterState, reason: str, rule: str) -> list[Effect]:
    """Find the winner by points, those who gave up after all others."""
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
