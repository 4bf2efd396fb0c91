"""The chips as they stand, and how the game ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games import adjustments
from games.adjustments import behind
from games.contract import Effect, Outcome, ScoreLine
from games.manapani.components import BONUS
from games.manapani.state import drop_fight

if TYPE_CHECKING:
    from games.manapani.state import ManapaniState

COUNTED = ("no_mana", "no_white")
"""When somebody has no mana at all; when the source has no white chip left."""
ENDINGS = (*COUNTED, *adjustments.ENDINGS)
"""Those, and what rulings bring."""


def scores(state: ManapaniState) -> list[ScoreLine]:
    """Every chip where it lies, with the entry that last changed how many there are, and the bonus (manapani:31).

    The chips are the score at every moment, so that it can be followed before the end.
    """
    lines = []
    for seat, chips in enumerate(state.chips):
        if sum(chips):
            lines.append(ScoreLine(seat, sum(chips), "hand", "manapani:31", state.hand_since[seat], "chips in hand"))
        for place in state.lands_of(seat):
            since = state.land_since[place]
            lines.append(ScoreLine(seat, state.levels[place], "land", "manapani:31", since, state.label(place)))
    if state.taker is not None:
        # manapani:D4: the bonus is no chips, there are none to take it from.
        lines.append(ScoreLine(state.taker, BONUS, "bonus", "manapani:31", state.taken, "took the last white chip"))
    return lines + state.ruled


def totals(state: ManapaniState) -> list[int]:
    """The points of each seat."""
    points = [state.mana(seat) + (BONUS if state.taker == seat else 0) for seat in range(state.seats)]
    for line in state.ruled:
        points[line.seat] += line.points
    return points


def outcome(state: ManapaniState) -> Outcome | None:
    """How the game ended, if it did."""
    return state.outcome


def end_without_white(state: ManapaniState) -> list[Effect]:
    """End the game if the last white chip has left the source, in the middle of whatever goes on (manapani:D2).

    Its taker has the bonus, also where somebody has no mana at the same time (manapani:D7). Only an exchange and the
    Start bring white chips; what is paid goes to the source and can never empty it (manapani:D3).
    """
    if state.taker is None or state.outcome:
        return []
    ended = Effect("game.ended", "manapani:30", at=("the source has no white chip left",))
    bonus = Effect("bonus.scored", "manapani:31", state.taker, count=BONUS)
    return [ended, bonus, *_decide(state, "no_white")]


def end_without_mana(state: ManapaniState) -> list[Effect]:
    """End the game if somebody has no mana at all: asked after each completed resolution (manapani:D1).

    Several can have lost all at once; all are compared as ever (manapani:D5).
    """
    if state.outcome or all(map(any, state.chips)):
        return []
    empty = [seat for seat in range(state.seats) if not state.mana(seat)]
    if not empty:
        return []
    effects = [Effect("mana.exhausted", "manapani:30", seat) for seat in empty]
    return [*effects, *_decide(state, "no_mana")]


def recount(state: ManapaniState) -> list[Effect]:
    """Find the winner anew after a ruling, if the game was ended by its own rules."""
    return _decide(state, state.outcome.reason) if state.outcome and state.outcome.reason in COUNTED else []


def _decide(state: ManapaniState, reason: str) -> list[Effect]:
    """Whoever has most wins, shared by all who have as many (manapani:D6); who gave up comes last."""
    state.due = None
    drop_fight(state)
    points = totals(state)
    ranks = tuple(1 + sum(1 for others in points if others > own) for own in points)
    first = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
    ended = behind(Outcome(ranks, first, reason, "manapani:30"), state.resigned)
    state.outcome, winners = ended, ended.winners
    if len(winners) == 1:
        return [Effect("game.won", "manapani:31", winners[0], count=points[winners[0]])]
    return [Effect("victory.shared", "manapani:D6", seat, count=points[seat]) for seat in winners]
