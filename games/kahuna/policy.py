"""The policy of Kahuna: it plays cards that win islands now, and keeps the others."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from games.contract import Policy
from games.kahuna.components import ENDS, ISLAND, ISLANDS, LINES, LINES_AT, MAJORITIES, SPACES, members
from games.kahuna.moves.base import TURN_LIMIT
from games.kahuna.moves.building import Build, Remove, has_bridge
from games.kahuna.moves.cards import HAND_LIMIT, Decline, Draw, Take
from games.playout import random_move

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.contract import Chance, Move
    from games.kahuna.state import KahunaState

ISLAND_WON, BRIDGE_GONE, WORTH_A_CARD = 3.0, 1.0, 0.6
NEARER, BLOCKED, FOLLOWED, WORTH_HELD, WORTH_TAKING = 1.4, 1.0, 1.5, 0.1, 2.0
"""The values of progress to a majority, of blocking the opponent's, of an island that the next card can win, and of a
bridge at an own island. The last is the value that makes a card of the row better than the deck.
"""
MOST_FOLLOWED = 2 * FOLLOWED
"""The most value of the islands at both ends of a bridge for the next card."""
MOST_HANDS = 10_000
"""The number of hands with cached plays. There are 5,096 hands of at most five cards."""
CARDS_OF = tuple((ISLANDS[one], ISLANDS[two]) for one, two in ENDS)
"""The two cards of each line."""
Spots = tuple[tuple[int, int], ...]
"""Lines at an island, each with the island at its other end."""


def _spots(island: int, lines: Iterable[int]) -> Spots:
    return tuple((line, sum(ENDS[line]) - island) for line in lines)


SPOTS = [
    {
        sum(1 << line for line in lines): _spots(island, lines)
        for count in range(at.bit_count() + 1)
        for lines in combinations(members(at), count)
    }
    for island, at in enumerate(LINES_AT)
]
"""By island: the spots of each set of lines at it."""


def _progress(island: int, mine: int, theirs: int) -> float | None:
    """The value of one more bridge at an island, by the bridges of both there; None if it wins the island."""
    need = MAJORITIES[island]
    if mine + 1 >= need:
        return None
    if theirs >= need:
        return 0.0
    is_bar = SPACES[island] - mine == need
    return (NEARER * (mine + 1) + BLOCKED * theirs * is_bar) / need


PROGRESS = [
    [[_progress(island, mine, theirs) for theirs in range(spaces + 1)] for mine in range(spaces + 1)]
    for island, spaces in enumerate(SPACES)
]
"""The value of one more bridge by island, own bridges there, and the opponent's."""


def choose(state: KahunaState, chance: Chance) -> Move | None:
    """Choose the play of the highest value, if it is worth its cards; else the best card of the row, or the deck."""
    if state.to_move() is None:
        return random_move(state, chance)
    seat, hand = state.active, state.hands[state.active].known
    play = None
    if not state.sailed and state.plays < TURN_LIMIT:
        most = 0.0 if len(hand) == HAND_LIMIT or state.last_turns else WORTH_A_CARD
        play = _best_play(state, seat, tuple(hand), most)
    return play or _draw(state, seat, chance)


def _best_play(state: KahunaState, seat: int, hand: tuple[str, ...], most: float) -> Move | None:
    """The play with the highest value, if it is more than `most`; else None."""
    build = remove = None
    can_play_two = state.plays + 2 <= TURN_LIMIT
    for card in dict.fromkeys(hand) if has_bridge(state, seat) else ():
        free = _free(state, seat, card)
        here = _gain(state, seat, ISLAND[card]) if free else 0.0
        for line, other in free:
            worth = here + _gain(state, seat, other)
            if can_play_two and worth + MOST_FOLLOWED > most:
                worth += _followed(state, seat, line, _lines_after(hand, card))
            if worth > most:
                build, most = (card, line), worth
    for line in members(state.bridges[1 - seat] & _paid_with(hand)) if can_play_two else ():
        worth = _removed(state, seat, line) - WORTH_A_CARD
        if worth > most:
            remove, most = line, worth
    if remove is not None:
        paid = [card for card in hand if card in CARDS_OF[remove]]
        return Remove(seat=seat, cards=(paid[0], paid[1]), line=LINES[remove])
    return Build(seat=seat, card=build[0], line=LINES[build[1]]) if build else None


@lru_cache(maxsize=MOST_HANDS)
def _paid_with(hand: tuple[str, ...]) -> int:
    """The lines with ends that match two cards of a hand, to remove a bridge there."""
    lines = 0
    for one, other in combinations(hand, 2):
        lines |= LINES_AT[ISLAND[one]] & LINES_AT[ISLAND[other]]
    return lines


@lru_cache(maxsize=MOST_HANDS)
def _lines_after(hand: tuple[str, ...], played: str) -> int:
    """The lines that the other cards of a hand can build on, after one card is played."""
    lines = 0
    for card, count in Counter(hand).items():
        if count > (card == played):
            lines |= LINES_AT[ISLAND[card]]
    return lines


def _free(state: KahunaState, seat: int, card: str) -> Spots:
    """The free lines for a bridge with a card."""
    island = ISLAND[card]
    free = SPOTS[island][LINES_AT[island] & ~(state.bridges[0] | state.bridges[1])]
    if state.options.box_variant:
        barred = state.stones[1 - seat]
        return () if barred >> island & 1 else tuple(spot for spot in free if not barred >> spot[1] & 1)
    return free


def _gain(state: KahunaState, seat: int, island: int) -> float:
    """The value of one more bridge at an island: winning it, the opponent's bridges there, or progress to that."""
    if state.stones[seat] >> island & 1:
        return WORTH_HELD
    at, others = LINES_AT[island], state.bridges[1 - seat]
    nearer = PROGRESS[island][(state.bridges[seat] & at).bit_count()][(others & at).bit_count()]
    if nearer is not None:
        return nearer
    return ISLAND_WON + sum([_removed(state, seat, gone) for gone, _ in SPOTS[island][others & at]])


def _followed(state: KahunaState, seat: int, line: int, lines: int) -> float:
    """The value of islands at a bridge that need one more bridge then, on one of these lines."""
    own, stones, worth = state.bridges[seat], state.stones[seat], 0.0
    for end in ENDS[line]:
        at = LINES_AT[end]
        lacks_one = (own & at).bit_count() + 2 == MAJORITIES[end] and not stones >> end & 1
        if lacks_one and at & lines & ~(own | 1 << line | state.bridges[1 - seat]):
            worth += FOLLOWED
    return worth


def _removed(state: KahunaState, seat: int, line: int) -> float:
    """The value of removing the opponent's bridge: the game, if it is the last one, or islands that depend on it."""
    others, worth = state.bridges[1 - seat], BRIDGE_GONE
    if others == 1 << line and state.round > 1:
        return 100.0
    for end in ENDS[line]:
        if state.stones[1 - seat] >> end & 1 and (others & LINES_AT[end]).bit_count() == MAJORITIES[end]:
            worth += ISLAND_WON
    return worth


def _draw(state: KahunaState, seat: int, chance: Chance) -> Move | None:
    """Take the card of the row with the highest value, if it is enough; else draw from the deck."""
    if Draw.can_draw(state) and (state.row or state.deck):
        worth, card = max([(_promise(state, seat, card), card) for card in state.row if card], default=(0.0, None))
        if card and (worth >= WORTH_TAKING or not state.deck):
            return Take(seat=seat, card=card)
        return Draw(seat=seat) if state.deck else Take(seat=seat, card=state.row[0])
    return next(Decline.legal(state), None) or random_move(state, chance)


def _promise(state: KahunaState, seat: int, card: str) -> float:
    """The highest value of a play with a card."""
    free = _free(state, seat, card)
    if not free:
        return 0.0
    return _gain(state, seat, ISLAND[card]) + max([_gain(state, seat, other) for _, other in free])


POLICY = Policy("islands first", 6, choose)
