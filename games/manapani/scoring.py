"""The end of the game, and its winner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games import adjustments
from games.contract import Effect, Outcome
from games.manapani.components import BONUS

if TYPE_CHECKING:
    from games.manapani.state import ManapaniState

COUNTED_ENDINGS = ("no_mana", "no_white")
"""A player has no mana; the source has no white chip left."""
ENDINGS = (*COUNTED_ENDINGS, *adjustments.ENDINGS)
"""All reasons of endings, including those of rulings."""


def end_without_white(state: ManapaniState) -> list[Effect]:
    """End the game if the last white chip has left the source, even during an action (manapani:D2).

    The player who took it has the bonus, even if another player is without mana at the same time (manapani:D7). Only an
    exchange and the Start bring white chips. Payments go to the source and can never empty it (manapani:D3).
    """
    if state.taker is None or state.ending:
        return []
    ended = Effect("game.ended", "manapani:30", at=("the source has no white chip left",))
    bonus = Effect("bonus.scored", "manapani:31", state.taker, count=BONUS)
    return [ended, bonus, *_decide(state, "no_white")]


def end_without_mana(state: ManapaniState) -> list[Effect]:
    """End the game if a player has no mana. Call it after each completed action (manapani:D1).

    Several players can lose all at once. All are compared as usual (manapani:D5).
    """
    if state.ending or all(map(any, state.chips)):
        return []
    empty = [seat for seat in range(state.seats) if not state.mana(seat)]
    if not empty:
        return []
    effects = [Effect("mana.exhausted", "manapani:30", seat) for seat in empty]
    return [*effects, *_decide(state, "no_mana")]


def find_winner_again(state: ManapaniState) -> list[Effect]:
    """Find the winner again after a ruling, if the game ended by its rules."""
    return _decide(state, state.ending.reason) if state.ending and state.ending.reason in COUNTED_ENDINGS else []


def _decide(state: ManapaniState, reason: str) -> list[Effect]:
    """End the game: most chips win, and equal players share it (manapani:D6). Resigned players come last."""
    points = state.totals()
    ending = adjustments.ranked_last(Outcome.by_points(points, reason, "manapani:30"), state.resigned)
    state.end(ending)
    if len(ending.winners) == 1:
        (winner,) = ending.winners
        return [Effect("game.won", "manapani:31", winner, count=points[winner])]
    return [Effect("victory.shared", "manapani:D6", seat, count=points[seat]) for seat in ending.winners]
