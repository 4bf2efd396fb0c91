"""A conflict: the strength of both houses, the winner, and the conquered land."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from games.contract import Effect, ScoreLine
from games.verraeter.components import DIPLOMATS, HOUSES, LANDS, PLACES, House
from games.verraeter.state import Strength
from games.words import counted_text

if TYPE_CHECKING:
    from games.verraeter.state import VerraeterState


class Conquest(msgspec.Struct, frozen=True):
    """The winner of a conflict, and the place of the land that it takes from the other house."""

    winner: House
    place: int


def strengths(state: VerraeterState) -> tuple[Strength, Strength] | None:
    """The strength of both houses, Eagle first (verraeter:15); None without a conflict.

    Once the conflict is resolved, it is the strength that was counted, because lands, houses and cards change then.
    """
    if state.counted or state.site is None:
        return state.counted
    houses, actions, lands = state.houses, state.actions, state.lands
    cards = dict.fromkeys(HOUSES, 0)
    helpers: dict[House, tuple[str, ...]] = dict.fromkeys(HOUSES, ())
    for house, laid in zip(houses, state.laid, strict=True):
        if laid:
            cards[house] += sum(map(int, laid))
    for diplomat in DIPLOMATS:
        if diplomat in actions:
            helpers[houses[actions.index(diplomat)]] += (diplomat,)
    eagle, rose = HOUSES
    here, there = state.site, (state.site + 1) % PLACES
    if state.owners[here] != eagle:
        here, there = there, here
    return (
        Strength(eagle, here, LANDS[lands[here]], cards[eagle], helpers[eagle]),
        Strength(rose, there, LANDS[lands[there]], cards[rose], helpers[rose]),
    )


def conquest(state: VerraeterState) -> Conquest | None:
    """The conquest by the winning house; None on a tie, or without a conflict."""
    sums = strengths(state)
    return _compare(*sums) if sums else None


def _compare(eagle: Strength, rose: Strength) -> Conquest | None:
    lead = eagle.total - rose.total
    if not lead:
        return None
    return Conquest(eagle.house, rose.place) if lead > 0 else Conquest(rose.house, eagle.place)


def resolve_conflict(state: VerraeterState) -> list[Effect]:
    """Compare the strengths, and score. If the points of the conquered land are not known, they become due first."""
    sums = state.counted = strengths(state)
    effects = [Effect("strength.counted", "verraeter:15", None, (str(strength),)) for strength in sums or ()]
    won = _compare(*sums) if sums else None
    if won is None:
        return [*effects, Effect("conflict.tied", "verraeter:19"), *_score_actions(state)]
    effects.append(Effect("conflict.won", "verraeter:15", at=(won.winner,)))
    winners = state.houses.count(won.winner)
    if winners == 0:
        return [*effects, Effect("conflict.unrewarded", "verraeter:A8", at=(won.winner,)), *_conquer(state, won)]
    points = state.given[state.lands[won.place]][winners - 1]
    if points is None:
        state.due = "points"
        return effects
    return effects + reward(state, won, points)


def reward(state: VerraeterState, won: Conquest, points: int) -> list[Effect]:
    """Give the points of the conquered land to each member of the winning house, and turn the land."""
    winners = state.members(won.winner)
    note = f"{state.label(won.place)}, {counted_text(len(winners), 'winner')}"
    effects = [_score(state, seat, points, "verraeter:16", note) for seat in winners]
    return effects + _conquer(state, won)


def _conquer(state: VerraeterState, won: Conquest) -> list[Effect]:
    effects = _score_actions(state)
    state.owners[won.place] = won.winner
    effects.append(Effect("land.conquered", "verraeter:18", at=(state.label(won.place), won.winner)))
    return effects


def _score_actions(state: VerraeterState) -> list[Effect]:
    """The points of the Traitor and the Strategist, which they get in every conflict."""
    effects = []
    for action, points in (("Traitor", 1), ("Strategist", 2)):
        if action in state.actions:
            effects.append(_score(state, state.actions.index(action), points, "verraeter:17", action))
    return effects


def _score(state: VerraeterState, seat: int, points: int, rule: str, note: str) -> Effect:
    state.lines.append(ScoreLine(seat, points, f"round-{state.round}", rule, state.version, note))
    return Effect("points.scored", rule, seat, (note,), points)
