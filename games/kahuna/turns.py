"""Turns and rounds: the order of turns, and the effects of the end of a turn."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from games.contract import Effect
from games.hidden import Hand, ShuffleKnowledge
from games.kahuna.components import CARDS, COPIES_OF
from games.kahuna.scoring import decide, end_lost, score_round

if TYPE_CHECKING:
    from games.kahuna.state import KahunaState

PASSED_TO = (Effect("turn.passed", "kahuna:DRAW-5", 0), Effect("turn.passed", "kahuna:DRAW-5", 1))
"""The effect of a turn that passes to a seat."""


def begin_round(state: KahunaState, seat: int) -> None:
    """Begin a seat's turn. If it was already on turn, its duty to draw stays."""
    _begin_turn(state, seat, must_draw=state.must_draw and seat == state.active)


def take_turn(state: KahunaState, seat: int) -> list[Effect]:
    """Give the turn to the acting seat. If a turn was cut short, nobody must draw."""
    if seat == state.active or state.ending:
        return []
    _begin_turn(state, seat, must_draw=False)
    return [Effect("turn.taken", "kahuna:REC-1", seat)]


def end_turn(state: KahunaState, seat: int, *, declined: bool) -> list[Effect]:
    """Pass the turn to the opponent, and end the round or the game if it was the last one."""
    if state.ending:
        return []
    opponent = 1 - seat
    if state.round > 1 and not state.bridges[seat] and state.bridges[opponent]:
        return end_lost(state, seat, "no_bridge", "kahuna:LOSS-2")
    if state.last_turns:
        return _end_last_turn(state, seat)
    _begin_turn(state, opponent, must_draw=declined)
    effects = [PASSED_TO[opponent]]
    if declined:
        effects.append(Effect("draw.forced", "kahuna:DRAW-3", opponent))
    if not state.deck and not state.row and not state.due:
        effects += _end_round(state, opponent)
    return effects


def _begin_turn(state: KahunaState, seat: int, *, must_draw: bool) -> None:
    state.active = seat
    state.must_draw = must_draw
    state.plays = 0
    state.sailed = False


def _end_last_turn(state: KahunaState, seat: int) -> list[Effect]:
    if seat in state.last_turns:
        state.last_turns.remove(seat)
    if not state.last_turns:
        return score_round(state) + decide(state)
    _begin_turn(state, state.last_turns[0], must_draw=False)
    return [Effect("turn.passed", "kahuna:ROUND-4", state.active)]


def _end_round(state: KahunaState, opponent: int) -> list[Effect]:
    """The last card is drawn: two more turns in round 3, else the points and a new deck of all cards not in hands."""
    effects = [Effect("cards.exhausted", "kahuna:ROUND-1", count=state.round)]
    if state.round == 3:
        state.last_turns = [opponent, 1 - opponent]
        return [*effects, Effect("turns.numbered", "kahuna:ROUND-4", opponent, count=2)]
    effects += score_round(state)
    state.round += 1
    _shuffle(state)
    return [*effects, Effect("cards.shuffled", "kahuna:ROUND-3", count=state.deck)]


def _shuffle(state: KahunaState) -> None:
    """Make a deck of all cards that are not in hands. Everybody knows that open cards are in no hand."""
    mixed = COPIES_OF.copy()
    for card in chain.from_iterable(hand.open for hand in state.hands):
        mixed[card] -= 1
    kept = mixed.copy()
    for card in chain(state.played, *(pile.open for pile in state.buried)):
        kept[card] -= 1
    state.shuffled = ShuffleKnowledge.of(kept, mixed, state.hands)
    state.played = []
    state.buried = [Hand(), Hand()]
    state.told.append((state.version, None))
    for seat, hand in enumerate(state.hands):
        state.lost[seat] = state.lost[seat] if hand.unknown else []
        state.lost_open[seat] = state.lost_open[seat] if hand.unseen() else []
    state.deck = len(CARDS) - sum(len(hand) for hand in state.hands)
    state.due = "row" if state.deck else None
