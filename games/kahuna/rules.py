"""Is it allowed? Every rule that a move would break, and every move that breaks none."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import msgspec

from games.errors import RuleBrokenError
from games.kahuna.components import (
    BRIDGES,
    COURSES,
    ENDS,
    ISLAND,
    ISLANDS,
    LINE,
    LINES,
    SEA,
    SEAS,
    SHORES,
    members,
    owner,
)
from games.kahuna.control import remove_bridge
from games.kahuna.effects import SEATS
from games.kahuna.moves import (
    Build,
    Deal,
    Decline,
    Discard,
    Draw,
    KahunaMove,
    Launch,
    Remove,
    Row,
    Sail,
    Show,
    Take,
)
from games.kahuna.ships import is_enclosed
from games.kahuna.state import copy_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from games.kahuna.state import KahunaState

HAND_LIMIT = 5


def breaches(state: KahunaState, move: KahunaMove) -> Iterator[RuleBrokenError]:
    """Every rule that the move would break."""
    if type(move) is Show:
        yield from _drawn(state, move.seat, move.cards)
        return
    if move.seat is None:
        if state.outcome and state.due:
            yield RuleBrokenError(state.outcome.rule, "the game is over")
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


def _drawn(state: KahunaState, seat: int, cards: Sequence[str]) -> Iterator[RuleBrokenError]:
    """Whether cards are where they cannot be since the cards of a round were shuffled."""
    if state.hands[seat].can_hold(cards) and not state.can_have(seat, cards):
        why = f"by what lay open when the cards were shuffled {SEATS[seat]} cannot hold {' '.join(cards)}"
        yield RuleBrokenError("kahuna:CARD-2", why)


def _build(state: KahunaState, move: Build) -> Iterator[RuleBrokenError]:
    if ISLAND[move.card] not in ENDS[LINE[move.line]]:
        yield RuleBrokenError("kahuna:PLAY-2", f"{move.card} is at neither end of {move.line}")
    if state.options.box_variant and (island := _barred(state, move.seat, LINE[move.line])):
        yield RuleBrokenError("kahuna:BOX-1", f"{SEATS[1 - move.seat]} holds {island}")
    yield from _count(state, move.seat, 1)
    yield from _drawn(state, move.seat, (move.card,))


def _remove(state: KahunaState, move: Remove) -> Iterator[RuleBrokenError]:
    ends = ENDS[LINE[move.line]]
    for card in dict.fromkeys(move.cards):
        if ISLAND[card] not in ends:
            yield RuleBrokenError("kahuna:REM-1", f"{card} is at neither end of {move.line}")
    if state.bridges[move.seat] >> LINE[move.line] & 1:
        yield RuleBrokenError("kahuna:REM-1", f"the bridge on {move.line} is {SEATS[move.seat]}'s own")
    if move.rebuild:
        yield from _rebuild(state, move)
    yield from _count(state, move.seat, 2)
    yield from _drawn(state, move.seat, move.cards)


def _rebuild(state: KahunaState, move: Remove) -> Iterator[RuleBrokenError]:
    if not state.options.box_variant:
        yield RuleBrokenError("kahuna:REM-2", f"to build on {move.line} takes a third card")
        return
    after = copy_state(state)
    line = LINE[move.line]
    builder = owner(state.bridges, line)
    if builder is not None:
        remove_bridge(after, builder, line, "kahuna:REM-2")
    if island := _barred(after, move.seat, line):
        yield RuleBrokenError("kahuna:BOX-2", f"{SEATS[1 - move.seat]} holds {island} also without that bridge")
    if after.outcome and not state.outcome:
        yield RuleBrokenError(
            "kahuna:LOSS-1", f"{move.line} was {SEATS[1 - move.seat]}'s last bridge: the game is over"
        )


def _barred(state: KahunaState, seat: int, line: int) -> str | None:
    """An island at the line that the opponent holds."""
    return next((ISLANDS[end] for end in ENDS[line] if state.stones[1 - seat] >> end & 1), None)


def _launch(state: KahunaState, move: Launch) -> Iterator[RuleBrokenError]:
    if not state.options.seafarer:
        return
    sea = SEA[move.sea]
    for card in dict.fromkeys(move.cards):
        if ISLAND[card] not in SHORES[sea]:
            yield RuleBrokenError("kahuna:SEA-2", f"{card} is not at {move.sea}")
    if _is_forbidden(state, move.seat, sea):
        yield RuleBrokenError("kahuna:SEA-10", f"{SEATS[1 - move.seat]}'s bridges enclose {move.sea}")
    yield from _count(state, move.seat, 3)
    yield from _drawn(state, move.seat, move.cards)


def _is_forbidden(state: KahunaState, seat: int, sea: int) -> bool:
    return state.options.replace_in_enclosed_sea == "forbidden" and is_enclosed(state, sea, 1 - seat)


def _sail(state: KahunaState, move: Sail) -> Iterator[RuleBrokenError]:
    if not state.options.seafarer:
        return
    if move.seat == state.turn:
        if state.plays:
            yield RuleBrokenError("kahuna:SEA-5", f"{SEATS[move.seat]} has played a card in this turn")
        if state.sailed:
            yield RuleBrokenError("kahuna:SEA-5", f"{SEATS[move.seat]} has moved a ship in this turn")
    line = COURSES.get((SEA[move.sea], SEA[move.to]))
    if line is None:
        yield RuleBrokenError("kahuna:SEA-5", f"{move.to} is not adjacent to {move.sea}")
    elif state.bridges[1 - move.seat] >> line & 1:
        yield RuleBrokenError("kahuna:SEA-5", f"{SEATS[1 - move.seat]}'s bridge on {LINES[line]} is in the way")


def _count(state: KahunaState, seat: int, cards: int) -> Iterator[RuleBrokenError]:
    if state.sailed and seat == state.turn:
        yield RuleBrokenError("kahuna:SEA-5", f"{SEATS[seat]} has moved a ship and plays no card in this turn")
    played = state.plays if seat == state.turn else 0
    if played + cards > HAND_LIMIT:
        yield RuleBrokenError("kahuna:PLAY-1", f"{SEATS[seat]} would play {played + cards} cards in one turn")


def _draw(state: KahunaState, move: Take | Draw) -> Iterator[RuleBrokenError]:
    if state.last_turns:
        yield RuleBrokenError("kahuna:ROUND-4", "in the last turns nobody draws")
    held = len(state.hands[move.seat])
    if held >= HAND_LIMIT:
        yield RuleBrokenError("kahuna:DRAW-2", f"{SEATS[move.seat]} has {held} cards in hand and cannot draw")


def _decline(state: KahunaState, move: Decline) -> Iterator[RuleBrokenError]:
    if state.must_draw and move.seat == state.turn:
        yield RuleBrokenError(
            "kahuna:DRAW-3", f"{SEATS[move.seat]} must draw: {SEATS[1 - move.seat]} declined in the turn before"
        )
    elif _must_draw_after_sailing(state) and move.seat == state.turn:
        yield RuleBrokenError("kahuna:SEA-13", f"{SEATS[move.seat]} has moved a ship and must draw")


def _must_draw_after_sailing(state: KahunaState) -> bool:
    return state.sailed and not state.last_turns and len(state.hands[state.turn]) < HAND_LIMIT


def _discard(state: KahunaState, move: Discard) -> Iterator[RuleBrokenError]:
    yield from _drawn(state, move.seat, move.cards)


_CHECKS: dict[type[KahunaMove], Callable[[KahunaState, Any], Iterator[RuleBrokenError]]] = {
    Build: _build,
    Remove: _remove,
    Launch: _launch,
    Sail: _sail,
    Discard: _discard,
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
        yield Row(cards=(None,) * min(3, state.deck))
    else:
        if not state.sailed:
            yield from _plays(state)
        if state.options.seafarer:
            yield from _sails(state)
        yield from _discards(state)
        yield from _endings(state)


def _plays(state: KahunaState) -> Iterator[KahunaMove]:
    able = [_playable(state, island) for island in range(len(ISLANDS))]
    left = HAND_LIMIT - state.plays
    if left >= 1 and state.bridges[state.turn].bit_count() < BRIDGES:
        yield from _builds(state, able)
    if left >= 2:
        yield from _removals(state, able)
    if left >= 3 and state.options.seafarer:
        yield from _launches(state, able)


def _builds(state: KahunaState, able: list[int]) -> Iterator[Build]:
    seat, taken = state.turn, state.bridges[0] | state.bridges[1]
    for line, ends in enumerate(ENDS):
        if taken >> line & 1 or (state.options.box_variant and _barred(state, seat, line)):
            continue
        for end in ends:
            if able[end]:
                yield Build(seat=seat, card=ISLANDS[end], line=LINES[line])


def _removals(state: KahunaState, able: list[int]) -> Iterator[Remove]:
    seat = state.turn
    for line in members(state.bridges[1 - seat]):
        for a, b in _groups(state, able, ENDS[line], 2):
            remove = Remove(seat=seat, cards=(a, b), line=LINES[line])
            yield remove
            rebuild = msgspec.structs.replace(remove, rebuild=True)
            if state.bridges[seat].bit_count() < BRIDGES and not any(_rebuild(state, rebuild)):
                yield rebuild


def _launches(state: KahunaState, able: list[int]) -> Iterator[Launch]:
    seat = state.turn
    for sea, shores in enumerate(SHORES):
        if not state.ships[seat] >> sea & 1 and not _is_forbidden(state, seat, sea):
            for a, b, c in _groups(state, able, shores, 3):
                yield Launch(seat=seat, cards=(a, b, c), sea=SEAS[sea])


def _sails(state: KahunaState) -> Iterator[Sail]:
    seat = state.turn
    if state.plays or state.sailed:
        return
    for (sea, to), line in COURSES.items():
        if state.ships[seat] >> sea & 1 and not (state.ships[seat] >> to | state.bridges[1 - seat] >> line) & 1:
            yield Sail(seat=seat, sea=SEAS[sea], to=SEAS[to])


def _groups(state: KahunaState, able: list[int], islands: Sequence[int], size: int) -> Iterator[tuple[str, ...]]:
    """The cards of some islands that the one on turn can play together."""
    hand = state.hands[state.turn]
    if len(hand) < size:
        return
    for group in combinations_with_replacement(islands, size):
        if all(able[island] >= group.count(island) for island in group):
            cards = tuple(ISLANDS[island] for island in group)
            if hand.can_hold(cards) and state.can_have(state.turn, cards):
                yield cards


def _playable(state: KahunaState, island: int) -> int:
    """How many cards of the island the one on turn can have in hand."""
    hand, card = state.hands[state.turn], ISLANDS[island]
    if not hand.unknown:
        return hand.known.count(card)
    able = hand.known.count(card) + min(hand.unknown, state.at_large(card))
    return able if state.can_have(state.turn, (card,)) else 0


def _discards(state: KahunaState) -> Iterator[KahunaMove]:
    for count in range(1, len(state.hands[state.turn]) + 1):
        yield Discard(seat=state.turn, count=count)


def _endings(state: KahunaState) -> Iterator[KahunaMove]:
    if not state.last_turns and len(state.hands[state.turn]) < HAND_LIMIT:
        for card in dict.fromkeys(state.row):
            yield Take(seat=state.turn, card=card)
        if state.deck:
            yield Draw(seat=state.turn)
    if not state.must_draw and not _must_draw_after_sailing(state):
        yield Decline(seat=state.turn)
