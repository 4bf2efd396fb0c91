"""Somebody who plays Kahuna for the islands that a card wins now, and keeps cards that win none."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from games.contract import Policy
from games.kahuna.components import ENDS, ISLAND, ISLANDS, LINES, LINES_AT, MAJORITIES, SPACES, members
from games.kahuna.moves.base import TURN_LIMIT
from games.kahuna.moves.building import Build, Remove, has_bridge
from games.kahuna.moves.cards import HAND_LIMIT, Decline, Draw, Take
from games.playout import random_move

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.contract import Chance, Move
    from games.kahuna.state import KahunaState

ISLAND_WON, BRIDGE_GONE, WORTH_A_CARD = 3.0, 1.0, 0.6
NEARER, BLOCKED, FOLLOWED, WORTH_TAKING = 1.4, 1.0, 1.5, 2.0
"""What progress to a majority is worth, to bar the opponent from one, and an island that the next card can win. The
last is what makes a card of the row better than the deck."""
MOST_FOLLOWED = 2 * FOLLOWED
"""The most that the islands at both ends of a bridge can be worth next."""
CARDS_OF = tuple((ISLANDS[one], ISLANDS[two]) for one, two in ENDS)
"""The two cards of each line."""
FOUND = {
    sum(1 << line for line in lines): lines
    for at in LINES_AT
    for count in range(at.bit_count() + 1)
    for lines in combinations(members(at), count)
}
"""The numbers of any lines at one island, by their set."""


def choose(state: KahunaState, chance: Chance) -> Move | None:
    """The play that wins most, if it is worth its cards; else the best card of the row, or one from the deck."""
    if state.to_move() is None:
        return random_move(state, chance)
    seat, hand = state.active, state.hands[state.active].known
    play = None
    if not state.sailed and state.plays < TURN_LIMIT:
        most = 0.0 if len(hand) == HAND_LIMIT or state.last_turns else WORTH_A_CARD
        play = _best_play(state, seat, hand, most)
    return play or _draw(state, seat, chance)


def _best_play(state: KahunaState, seat: int, hand: list[str], most: float) -> Move | None:
    """The play that is worth more than all before it, and more than `most`; None if there is none."""
    build = remove = None
    for card in dict.fromkeys(hand) if has_bridge(state, seat) else ():
        for line in _free(state, seat, card):
            worth = _built(state, seat, line)
            if worth + MOST_FOLLOWED <= most:
                continue
            worth += _followed(state, seat, card, line)
            if worth > most:
                build, most = (card, line), worth
    removable = state.bridges[1 - seat] & _paid_with(hand) if state.plays + 2 <= TURN_LIMIT else 0
    for line in members(removable):
        worth = _removed(state, seat, line) - WORTH_A_CARD
        if worth > most:
            remove, most = line, worth
    if remove is not None:
        held = [card for card in hand if card in CARDS_OF[remove]]
        return Remove(seat=seat, cards=(held[0], held[1]), line=LINES[remove])
    return Build(seat=seat, card=build[0], line=LINES[build[1]]) if build else None


def _paid_with(hand: list[str]) -> int:
    """The lines from which a bridge can be removed with two cards of a hand, be they of one end or of both."""
    lines = 0
    for at, card in enumerate(hand):
        near = LINES_AT[ISLAND[card]]
        for other in hand[at + 1 :]:
            lines |= near & LINES_AT[ISLAND[other]]
    return lines


def _free(state: KahunaState, seat: int, card: str) -> Sequence[int]:
    """The lines at an island on which a bridge can be built."""
    free = FOUND[LINES_AT[ISLAND[card]] & ~(state.bridges[0] | state.bridges[1])]
    if state.options.box_variant:
        barred = state.stones[1 - seat]
        return [line for line in free if not any(barred >> end & 1 for end in ENDS[line])]
    return free


def _built(state: KahunaState, seat: int, line: int) -> float:
    """The value of a bridge: islands won, the opponent's bridges there, progress to a majority, and barring his."""
    own, others, worth = state.bridges[seat], state.bridges[1 - seat], 0.0
    for end in ENDS[line]:
        need = MAJORITIES[end]
        mine, theirs = (own & LINES_AT[end]).bit_count() + 1, (others & LINES_AT[end]).bit_count()
        if state.stones[seat] >> end & 1:
            worth += 0.1
        elif mine >= need:
            worth += ISLAND_WON + sum(_removed(state, seat, gone) for gone in FOUND[others & LINES_AT[end]])
        elif theirs < need:
            worth += NEARER * mine / need
            if SPACES[end] - mine == need - 1:
                worth += BLOCKED * theirs / need
    return worth


def _followed(state: KahunaState, seat: int, card: str, line: int) -> float:
    """The value of the islands at a bridge that lack one more then, which another card of the hand can build."""
    if state.plays + 2 > TURN_LIMIT:
        return 0.0
    own, stones, able = state.bridges[seat], state.stones[seat], 0
    for end in ENDS[line]:
        if (own & LINES_AT[end]).bit_count() + 2 == MAJORITIES[end] and not stones >> end & 1:
            left = state.hands[seat].known.copy()
            left.remove(card)
            free = LINES_AT[end] & ~(own | 1 << line | state.bridges[1 - seat])
            able += any(not set(left).isdisjoint(CARDS_OF[more]) for more in FOUND[free])
    return FOLLOWED * able


def _removed(state: KahunaState, seat: int, line: int) -> float:
    """The value of removing the opponent's bridge: the game, if it is the last one, and islands that depend on it."""
    others, worth = state.bridges[1 - seat], BRIDGE_GONE
    if others == 1 << line and state.round > 1:
        return 100.0
    for end in ENDS[line]:
        if state.stones[1 - seat] >> end & 1 and (others & LINES_AT[end]).bit_count() == MAJORITIES[end]:
            worth += ISLAND_WON
    return worth


def _draw(state: KahunaState, seat: int, chance: Chance) -> Move | None:
    """The card of the row that brings most, if that is enough; else one from the deck."""
    if Draw.can_draw(state) and (state.row or state.deck):
        worth, card = max([(_promise(state, seat, card), card) for card in state.row if card], default=(0.0, None))
        if card and (worth >= WORTH_TAKING or not state.deck):
            return Take(seat=seat, card=card)
        return Draw(seat=seat) if state.deck else Take(seat=seat, card=state.row[0])
    return next(Decline.legal(state), None) or random_move(state, chance)


def _promise(state: KahunaState, seat: int, card: str) -> float:
    """The most that a card brings next."""
    return max([_built(state, seat, line) for line in _free(state, seat, card)], default=0.0)


POLICY = Policy("islands first", 5, choose)
