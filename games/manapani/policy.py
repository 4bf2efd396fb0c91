"""A policy that plays for chips: it takes lands, strengthens them, and fights if that pays.

It compares the cost of a fight with the gain. It pays for scrolls only if they win against all answers that are worth
their cost to the other side.
"""

from __future__ import annotations

from functools import cache
from operator import add, gt
from typing import TYPE_CHECKING, NamedTuple

from games.contract import Policy
from games.manapani.chips import payments
from games.manapani.components import BONUS, COLOURS, COSTS, HAND_LIMIT, SCROLLS, WHITE
from games.manapani.fights import HELLHOUND, LEVEL_DROPS, can_cast, land_of, ongoing, payable, powers
from games.manapani.moves.cards import Discard, Mana
from games.manapani.moves.fighting import Attack, Defend, Done, Pay, Reveal, Use
from games.manapani.moves.lands import Claim, Gain, Leave, Put, Toll
from games.manapani.moves.rolling import Exchange, Go, Roll
from games.manapani.state import ATTACK, DEFENCE
from games.playout import random_move

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from games.contract import Chance, Move
    from games.manapani.components import Element
    from games.manapani.state import ManapaniState

STAKE = 2
"""The chips at stake in a fight, for each chip on the land: the winner has them, and a loser pays them."""
SURE_POWER = 20
"""The power of a sure win: more than all cards of a player together."""


class Scroll(NamedTuple):
    """A scroll that can be cast in a fight: its index in the hand or among the revealed cards, and its power."""

    place: int
    card: str
    power: int


class Cast(NamedTuple):
    """Scrolls that are cast together: their power, their cost, and the number of chips for an X.

    `has_x` is whether one of them takes an X.
    """

    power: int
    cost: int
    scrolls: tuple[Scroll, ...]
    has_x: bool = False
    x: int = 0


def choose(state: ManapaniState, chance: Chance) -> Move | None:
    """The move that keeps or brings the most chips at this step."""
    seat = state.to_move()
    if seat is None:
        return (_reveal(state) if state.due == "reveal" else None) or random_move(state, chance)
    match state.due:
        case "turn":
            return _turn(state, seat)
        case "gain":
            return Gain(seat=seat, colour=_wanted(state, seat))
        case "land":
            return Claim(seat=seat) if _brings(state, seat, state.box.colours[state.place]) else Leave(seat=seat)
        case "put":
            return max(Put.legal(state), key=lambda put: put.count, default=None)
        case "toll":
            return next(Toll.legal(state), None)
        case "discard":
            return _discard(state, seat) or random_move(state, chance)
        case _:
            return _fight(state, seat) or random_move(state, chance)


def _fight(state: ManapaniState, seat: int) -> Move | None:
    """The next move of a fight, or the choice to fight."""
    match state.due:
        case "foreign":
            return _fight_or_pay(state, seat)
        case "defend":
            return Defend(seat=seat, count=len(_useful(state, seat, DEFENCE)))
        case "pay":
            return _pay(state, seat)
        case "effects":
            return max(Use.legal(state), key=lambda use: _target_power(state, use), default=None)
        case _:
            return None


# Before the roll, and squares


def _turn(state: ManapaniState, seat: int) -> Move | None:
    """Before the roll: an exchange that wins the game, else Mana, which costs nothing, else the dice."""
    if state.source[WHITE] == 1 and _wins_with(state, seat, BONUS - 1) and (found := next(Exchange.legal(state), None)):
        return found
    if not state.spells and not state.dice and "Mana" in state.hands[seat].known:
        return Mana(seat=seat, colour=COLOURS[_scarcest(state, seat)])
    return next(Roll.legal(state), None) or next(Go.legal(state), None)


def _wins_with(state: ManapaniState, seat: int, more: int) -> bool:
    """Whether a player has the most points with `more` added."""
    points = state.totals()
    return points[seat] + more > max(own for other, own in enumerate(points) if other != seat)


def _wanted(state: ManapaniState, seat: int) -> str:
    """White, but the last white chip only if it wins the game; else the rarest colour in hand."""
    white = state.source[WHITE] > 1 or (state.source[WHITE] == 1 and _wins_with(state, seat, BONUS + 1))
    return COLOURS[WHITE if white else _scarcest(state, seat)]


def _scarcest(state: ManapaniState, seat: int) -> int:
    chips = state.chips[seat]
    return min(range(WHITE), key=lambda colour: (not state.source[colour], chips[colour]))


def _brings(state: ManapaniState, seat: int, colour: int) -> bool:
    """Whether the source has a chip of a colour, or its panic hurts the others more than this player."""
    if state.source[colour]:
        return True
    lost = [chips[colour] - chips[colour] // 2 for chips in state.chips]
    for place in state.box.lands:
        owner, level = state.owners[place], state.levels[place]
        if owner is not None and state.box.colours[place] == colour:
            lost[owner] += level - level // 2
    return lost[seat] * len(lost) < sum(lost)


def _discard(state: ManapaniState, seat: int) -> Move | None:
    """Discard the weakest cards; None if the hand is not known."""
    hand = state.hands[seat]
    excess = len(hand) - HAND_LIMIT
    if hand.unknown or excess <= 0:
        return None
    return Discard(seat=seat, cards=tuple(sorted(sorted(hand.known, key=_strength)[:excess])))


def _strength(card: str) -> int:
    """The value of a card in fights. Mana is never discarded."""
    if card not in SCROLLS:
        return SURE_POWER if card == "Mana" else -1
    return 2 * SCROLLS[card].power - sum(COSTS[card].pips) - COSTS[card].generic


# Fights


def _fight_or_pay(state: ManapaniState, seat: int) -> Move | None:
    """Fight if the own scrolls can beat the land, else pay the toll."""
    place = state.place
    found = _scrolls(enumerate(state.hands[seat].known), ATTACK, _element(state, place))
    if _cheapest(state.chips[seat], found, state.levels[place]):
        return Attack(seat=seat, count=len(found))
    return next(Toll.legal(state), None) or next(Leave.legal(state), None)


def _element(state: ManapaniState, place: int) -> Element:
    """The element of a land."""
    element = state.box.board[place].element
    if element is None:
        raise AssertionError("no land has no element")
    return element


def _useful(state: ManapaniState, seat: int, side: int) -> list[str]:
    """The cards of a hand that a side can cast in the fight."""
    found = _scrolls(enumerate(state.hands[seat].known), side, land_of(state, ongoing(state)))
    return [scroll.card for scroll in found]


def _reveal(state: ManapaniState) -> Move | None:
    """The laid cards of both sides, useful ones first; None if they cannot be known."""
    fight = ongoing(state)
    laid: list[tuple[str, ...]] = []
    for side, seat in enumerate(fight.seats):
        useful, known = _useful(state, seat, side), state.hands[seat].known.copy()
        for card in useful:
            known.remove(card)
        count = fight.counts[side] or 0
        if any(fight.shown[side]) or len(useful) + len(known) < count:
            return None
        laid.append(tuple((useful + known)[:count]))
    return Reveal(attack=laid[ATTACK], defence=laid[DEFENCE])


def _scrolls(cards: Iterable[tuple[int, str]], side: int, land: Element) -> list[Scroll]:
    """The scrolls among the cards that a side can cast for a land."""
    powers = _powers(side, land)
    return [Scroll(index, card, powers[card]) for index, card in cards if card in powers]


@cache
def _powers(side: int, land: Element) -> dict[str, int]:
    """The power of each scroll that a side can cast for a land."""
    return {card: _power(card, side, land) for card in SCROLLS if can_cast(card, side, land)}


def _power(card: str, side: int, land: Element) -> int:
    """The power of a scroll, plus the levels that it removes."""
    if side == ATTACK and card == HELLHOUND and land == "water":
        return SURE_POWER
    return SCROLLS[card].strength(land, 0, attacking=side == ATTACK) + (side == ATTACK and card in LEVEL_DROPS)


def _pay(state: ManapaniState, seat: int) -> Move:
    """Pay for the next of the cheapest scrolls that win the fight; stop if winning costs more than it brings."""
    stake = STAKE * max(1, state.levels[ongoing(state).place])
    found = _to_win(state, stake)
    if found is None or not found.scrolls or found.cost > stake:
        return Done(seat=seat)
    first = max(found.scrolls, key=lambda scroll: (sum(COSTS[scroll.card].pips), not COSTS[scroll.card].x))
    ways = list(payments(state.chips[seat], COSTS[first.card]))
    x = min(found.x, len(ways) - 1) if COSTS[first.card].x else 0
    return Pay(seat=seat, card=first.place, chips=ways[x])


def _to_win(state: ManapaniState, stake: int) -> Cast | None:
    """The cheapest scrolls with which the paying side wins, against all answers that are worth their cost."""
    fight = ongoing(state)
    own = state.chips[fight.seats[fight.side]]
    scrolls = _scrolls(
        ((index, fight.cards[index].card) for index in payable(state)), fight.side, land_of(state, fight)
    )
    attack, defence = powers(state, fight)
    if fight.side == DEFENCE:
        return _cheapest(own, scrolls, attack + 1 - defence)
    others = [(index, laid.card) for index, laid in enumerate(fight.cards) if laid.side == DEFENCE]
    answers = _casts(state.chips[fight.seats[DEFENCE]], _scrolls(others, DEFENCE, land_of(state, fight)))
    for more in range(defence - attack, SURE_POWER):
        answer = _least(answers, sum(state.chips[fight.seats[DEFENCE]]), attack + more + 1 - defence)
        if answer is None or answer.cost > stake:
            return _cheapest(own, scrolls, more)
    return None


def _cheapest(held: Sequence[int], scrolls: Sequence[Scroll], power: int) -> Cast | None:
    """The cheapest affordable scrolls with at least this power together; None without any."""
    return _least(_casts(held, scrolls), sum(held), power)


def _least(casts: Iterable[Cast], chips: int, power: int) -> Cast | None:
    """The cheapest cast with at least this power; of equal ones the one with the fewest scrolls. An X fills the gap."""
    best, least = None, (0, 0)
    for cast in casts:
        x = power - cast.power
        if x > 0 and (cast.cost + x > chips or not cast.has_x):
            continue
        price = cast.cost + x if x > 0 else cast.cost, len(cast.scrolls)
        if best is None or price < least:
            best, least = cast, price
    if best is None or power <= best.power:
        return best
    return best._replace(cost=least[0], power=power, x=power - best.power)


def _casts(held: Sequence[int], scrolls: Sequence[Scroll]) -> list[Cast]:
    """All choices of scrolls that can be paid for together."""
    found, chips = [(Cast(0, 0, ()), (0,) * WHITE)], sum(held)
    for scroll in scrolls:
        cost = COSTS[scroll.card]
        price = sum(cost.pips) + cost.generic
        for cast, pips in found.copy():
            if cast.cost + price <= chips:
                both = tuple(map(add, pips, cost.pips))
                if not any(map(gt, both, held)):
                    power, scrolls = cast.power + scroll.power, (*cast.scrolls, scroll)
                    found.append((Cast(power, cast.cost + price, scrolls, cast.has_x or cost.x), both))
    return [cast for cast, _ in found]


def _target_power(state: ManapaniState, use: Use) -> int:
    """The power of an effect's target."""
    if use.target is None:
        return 0
    fight = ongoing(state)
    laid = fight.cards[use.target]
    return SCROLLS[laid.card].power if laid.card in SCROLLS and laid.live else -1


POLICY = Policy("lands and chips", 6, choose)
