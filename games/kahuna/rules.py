"""Is it allowed? Every rule that a move would break, and every move that breaks none."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

from games.errors import RuleBrokenError
from games.kahuna.components import BRIDGES, ENDS, ISLAND, ISLANDS, LINE, LINES, members
from games.kahuna.effects import SEATS
from games.kahuna.moves import Build, Deal, Decline, Discard, Draw, KahunaMove, Remove, Row, SeatMove, Show, Take

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from games.kahuna.state import KahunaState

HAND_LIMIT = 5


def breaches(state: KahunaState, move: KahunaMove) -> Iterator[RuleBrokenError]:
    """Every rule that the move would break."""
    if not isinstance(move, SeatMove) or isinstance(move, Show):
        return
    if state.outcome:
        yield RuleBrokenError(state.outcome.rule, "the game is over")
    elif state.due == "row":
        yield RuleBrokenError("kahuna:ROUND-3", f"round {state.round} begins when the new row is laid out")
    elif move.seat != state.turn:
        yield RuleBrokenError("kahuna:SET-2", f"it is {SEATS[state.turn]}'s turn, not {SEATS[move.seat]}'s")
    check = _CHECKS.get(type(move))
    if check:
        yield from check(state, move)


def _build(state: KahunaState, move: Build) -> Iterator[RuleBrokenError]:
    if ISLAND[move.card] not in ENDS[LINE[move.line]]:
        yield RuleBrokenError("kahuna:PLAY-2", f"{move.card} is at neither end of {move.line}")
    yield from _count(state, move.seat, 1)


def _remove(state: KahunaState, move: Remove) -> Iterator[RuleBrokenError]:
    ends = ENDS[LINE[move.line]]
    for card in dict.fromkeys(move.cards):
        if ISLAND[card] not in ends:
            yield RuleBrokenError("kahuna:REM-1", f"{card} is at neither end of {move.line}")
    if state.bridges[move.seat] >> LINE[move.line] & 1:
        yield RuleBrokenError("kahuna:REM-1", f"the bridge on {move.line} is {SEATS[move.seat]}'s own")
    yield from _count(state, move.seat, 2)


def _count(state: KahunaState, seat: int, cards: int) -> Iterator[RuleBrokenError]:
    played = state.plays if seat == state.turn else 0
    if played + cards > HAND_LIMIT:
        yield RuleBrokenError("kahuna:PLAY-1", f"{SEATS[seat]} would play {played + cards} cards in one turn")


def _draw(state: KahunaState, move: Take | Draw) -> Iterator[RuleBrokenError]:
    held = len(state.hands[move.seat])
    if held >= HAND_LIMIT:
        yield RuleBrokenError("kahuna:DRAW-2", f"{SEATS[move.seat]} has {held} cards in hand and cannot draw")


def _decline(state: KahunaState, move: Decline) -> Iterator[RuleBrokenError]:
    if state.must_draw and move.seat == state.turn:
        yield RuleBrokenError(
            "kahuna:DRAW-3", f"{SEATS[move.seat]} must draw: {SEATS[1 - move.seat]} declined in the turn before"
        )


_CHECKS: dict[type[KahunaMove], Callable[[KahunaState, Any], Iterator[RuleBrokenError]]] = {
    Build: _build,
    Remove: _remove,
    Take: _draw,
    Draw: _draw,
    Decline: _decline,
}


def legal_moves(state: KahunaState) -> Iterator[KahunaMove]:
    """Every legal move, with what chance decides left open. A discard names only how many cards.

    Showing cards is always allowed and never listed.
    """
    if state.outcome:
        return
    if state.due == "deal":
        yield Deal(starts=0)
        yield Deal(starts=1)
    elif state.due == "row":
        yield Row(cards=(None, None, None))
    else:
        yield from _plays(state)
        yield from _discards(state)
        yield from _endings(state)


def _plays(state: KahunaState) -> Iterator[KahunaMove]:
    seat, hand = state.turn, state.hands[state.turn]
    able = [_playable(state, island) for island in range(len(ISLANDS))]
    if state.plays < HAND_LIMIT and state.bridges[seat].bit_count() < BRIDGES:
        taken = state.bridges[0] | state.bridges[1]
        for line, ends in enumerate(ENDS):
            if not taken >> line & 1:
                for end in ends:
                    if able[end]:
                        yield Build(seat=seat, card=ISLANDS[end], line=LINES[line])
    if state.plays <= HAND_LIMIT - 2 and len(hand) >= 2:
        for line in members(state.bridges[1 - seat]):
            for a, b in combinations_with_replacement(ENDS[line], 2):
                if able[a] >= 1 + (a == b) and able[b] and hand.can_hold((ISLANDS[a], ISLANDS[b])):
                    yield Remove(seat=seat, cards=(ISLANDS[a], ISLANDS[b]), line=LINES[line])


def _playable(state: KahunaState, island: int) -> int:
    """How many cards of the island the one on turn can have in hand."""
    hand, card = state.hands[state.turn], ISLANDS[island]
    return hand.known.count(card) + (min(hand.unknown, state.at_large(card)) if hand.unknown else 0)


def _discards(state: KahunaState) -> Iterator[KahunaMove]:
    for count in range(1, len(state.hands[state.turn]) + 1):
        yield Discard(seat=state.turn, count=count)


def _endings(state: KahunaState) -> Iterator[KahunaMove]:
    if len(state.hands[state.turn]) < HAND_LIMIT:
        for card in dict.fromkeys(state.row):
            yield Take(seat=state.turn, card=card)
        if state.deck:
            yield Draw(seat=state.turn)
    if not state.must_draw:
        yield Decline(seat=state.turn)
