"""The policy of Kahuna: it plays cards that win islands now, and keeps the others."""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache, reduce
from itertools import combinations, product
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

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

    Plan = tuple[tuple[str, "_Site", int], ...]

ISLAND_WON, BRIDGE_GONE, WORTH_A_CARD = 3.0, 1.0, 0.6
NEARER, BLOCKED, FOLLOWED, WORTH_HELD, WORTH_TAKING = 1.4, 1.0, 1.5, 0.1, 2.0
"""The values of progress to a majority, of blocking the opponent's, of an island that the next card can win, and of a
bridge at an own island. The last is the value that makes a card of the row better than the deck.
"""
MOST_HANDS = 10_000
"""The number of hands with cached plays. There are 5,096 hands of at most five cards."""
CARDS_OF = tuple((ISLANDS[one], ISLANDS[two]) for one, two in ENDS)
"""The two cards of each line."""
Worth = tuple[float | None, int]
"""The value of one more bridge at an island, None if it wins the island; and the lines for the bridge after it, if that
one wins the island.
"""
WIDTH = len(LINES)
MASK = (1 << WIDTH) - 1
LOCAL = tuple(at | at << WIDTH | 1 << 2 * WIDTH + island for island, at in enumerate(LINES_AT))
"""By island: the part of a board there. A board is a seat's bridges, the opponent's and the seat's stones in a row."""


class _Site(NamedTuple):
    """An island in tables: its lines, its `worths` by the board there, and its `spots` by the free lines.

    A spot is a line with the island at its other end, the part of a board there, and that island's worths.
    """

    island: int
    lines: int
    local: int
    worths: dict[int, Worth]
    spots: dict[int, tuple[tuple[int, int, int, dict[int, Worth]], ...]]


@cache
def _sites() -> tuple[_Site, ...]:
    """The tables of all islands, made when a game is played on for the first time."""
    worths = [_worths(island) for island in range(len(ISLANDS))]
    return tuple(_site(island, worths) for island in range(len(ISLANDS)))


def _site(island: int, worths: Sequence[dict[int, Worth]]) -> _Site:
    around = [(line, sum(ENDS[line]) - island) for line in members(LINES_AT[island])]
    spots = [(line, other, LOCAL[other], worths[other]) for line, other in around]
    by_lines = {
        sum(1 << line for line, *_ in free): free
        for count in range(len(spots) + 1)
        for free in combinations(spots, count)
    }
    return _Site(island, LINES_AT[island], LOCAL[island], worths[island], by_lines)


def _worths(island: int) -> dict[int, Worth]:
    """The worths of one more bridge at an island, by all boards there."""
    found, lines = {}, members(LINES_AT[island])
    for owners in product((0, 1, 1 << WIDTH), repeat=len(lines)):
        board = sum(owner << line for owner, line in zip(owners, lines, strict=True))
        found[board] = _worth_at_unheld(island, board & MASK, board >> WIDTH)
        found[board | 1 << 2 * WIDTH + island] = WORTH_HELD, 0
    return found


def _worth_at_unheld(island: int, own: int, others: int) -> Worth:
    """The worth of one more bridge at an island that the seat does not hold."""
    need, mine, theirs = MAJORITIES[island], own.bit_count(), others.bit_count()
    if mine + 1 >= need:
        return None, 0
    last = LINES_AT[island] & ~(own | others) if mine + 2 == need else 0
    is_bar = SPACES[island] - mine == need
    return (0.0 if theirs >= need else (NEARER * (mine + 1) + BLOCKED * theirs * is_bar) / need), last


def choose(state: KahunaState, chance: Chance) -> Move | None:
    """Choose the play of the highest value, if it is worth its cards; else the best card of the row, or the deck."""
    if state.due or state.ending:
        return random_move(state, chance)
    seat = state.active
    own, others = state.bridges[seat], state.bridges[1 - seat]
    board = own | others << WIDTH | state.stones[seat] << 2 * WIDTH
    free = ~(own | others) & (~_lines_beside(state.stones[1 - seat]) if state.options.box_variant else MASK)
    play = None
    if not state.sailed and state.plays < TURN_LIMIT:
        play = _best_play(state, seat, board, free)
    return play or _draw(state, seat, board, free, chance)


def _best_play(state: KahunaState, seat: int, board: int, free: int) -> Move | None:
    """The play with the highest value, if it is worth its cards; else None."""
    hand = state.hands[seat].known
    most = 0.0 if len(hand) == HAND_LIMIT or state.last_turns else WORTH_A_CARD
    build = remove = None
    cards, paid = _plan(tuple(hand))
    can_play_two = state.plays + 2 <= TURN_LIMIT
    if has_bridge(state, seat):
        build, most = _best_build(state, seat, board, free, cards, most, can_play_two=can_play_two)
    removable = state.bridges[1 - seat] & paid
    for line in members(removable) if removable and can_play_two else ():
        worth = _removed(state, seat, line) - WORTH_A_CARD
        if worth > most:
            remove, most = line, worth
    if remove is not None:
        matching = [card for card in hand if card in CARDS_OF[remove]]
        return Remove(seat=seat, cards=(matching[0], matching[1]), line=LINES[remove])
    return Build(seat=seat, card=build[0], line=LINES[build[1]]) if build else None


def _best_build(
    state: KahunaState, seat: int, board: int, free: int, cards: Plan, most: float, *, can_play_two: bool
) -> tuple[tuple[str, int] | None, float]:
    """The card and the line of the bridge with the highest value, if it is more than `most`; and the highest value."""
    build = None
    for card, (island, at, local, worths, spots), later in cards:
        lines = at & free
        if not lines:
            continue
        here, last = worths[board & local]
        if here is None:
            here = _worth_of_winning(state, seat, island)
        for line, other, local_there, worths_there in spots[lines]:
            there, last_there = worths_there[board & local_there]
            if there is None:
                there = _worth_of_winning(state, seat, other)
            worth = here + there
            if can_play_two and (last or last_there):
                others = later & ~(1 << line)
                worth += FOLLOWED * ((last & others > 0) + (last_there & others > 0))
            if worth > most:
                build, most = (card, line), worth
    return build, most


@lru_cache(maxsize=MOST_HANDS)
def _plan(hand: tuple[str, ...]) -> tuple[Plan, int]:
    """The plays of a hand: each card with its site and the lines for the other cards; the lines to remove from."""
    counts, cards, paid = Counter(ISLAND[card] for card in hand), [], 0
    for played in counts:
        later = _lines_beside(sum(1 << island for island, count in counts.items() if count > (island == played)))
        paid |= LINES_AT[played] & later
        cards.append((ISLANDS[played], _sites()[played], later))
    return tuple(cards), paid


@cache
def _lines_beside(islands: int) -> int:
    """The lines at any of these islands."""
    return reduce(or_, (LINES_AT[island] for island in members(islands)), 0)


def _worth_of_winning(state: KahunaState, seat: int, island: int) -> float:
    """The value of winning an island: also that of the opponent's bridges there."""
    gone = state.bridges[1 - seat] & LINES_AT[island]
    return ISLAND_WON + sum([_removed(state, seat, line) for line in members(gone)]) if gone else ISLAND_WON


def _removed(state: KahunaState, seat: int, line: int) -> float:
    """The value of removing the opponent's bridge: the game, if it is the last one, or islands that depend on it."""
    others, worth = state.bridges[1 - seat], BRIDGE_GONE
    if others == 1 << line and state.round > 1:
        return 100.0
    for end in ENDS[line]:
        if state.stones[1 - seat] >> end & 1 and (others & LINES_AT[end]).bit_count() == MAJORITIES[end]:
            worth += ISLAND_WON
    return worth


def _draw(state: KahunaState, seat: int, board: int, free: int, chance: Chance) -> Move | None:
    """Take the card of the row with the highest value, if it is enough; else draw from the deck."""
    if Draw.can_draw(state) and (state.row or state.deck):
        card, worth = _best_of_row(state, seat, board, free)
        if card and (worth >= WORTH_TAKING or not state.deck):
            return Take(seat=seat, card=card)
        return Draw(seat=seat) if state.deck else Take(seat=seat, card=state.row[0])
    return next(Decline.legal(state), None) or random_move(state, chance)


def _best_of_row(state: KahunaState, seat: int, board: int, free: int) -> tuple[str | None, float]:
    """The card of the row whose best play has the highest value, and this value."""
    best, most, sites = None, 0.0, _sites()
    for card in filter(None, state.row):
        island, at, local, worths, spots = sites[ISLAND[card]]
        lines, worth = at & free, 0.0
        if lines:
            here, there = worths[board & local][0], 0.0
            for _, other, local_there, worths_there in spots[lines]:
                found = worths_there[board & local_there][0]
                if found is None:
                    found = _worth_of_winning(state, seat, other)
                if found > there:  # noqa: PLR1730  a call costs here
                    there = found
            worth = (_worth_of_winning(state, seat, island) if here is None else here) + there
        if best is None or (worth, card) > (most, best):
            best, most = card, worth
    return best, most


POLICY = Policy("islands first", 6, choose)
