"""What dice and a shuffled deck would have brought: for random play and for guessing at what was not noted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.manapani.components import CARDS
from games.manapani.moves import ManapaniMove, Reveal, Roll

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.contract import Chance
    from games.manapani.state import Fight, ManapaniState


def fill_in(state: ManapaniState, move: ManapaniMove, chance: Chance) -> ManapaniMove:
    """The move with the dice thrown, and with cards out of the hands where laid ones were not noted."""
    if isinstance(move, Roll):
        return Roll(seat=move.seat, dice=tuple(die or chance.sample(range(1, 7), 1)[0] for die in move.dice))
    if isinstance(move, Reveal) and state.fight:
        pool = _pool(state, state.fight, move)
        shuffled = chance.sample(pool, len(pool))
        attacker, defender = state.fight.seats
        attack = _laid(state, attacker, move.attack, shuffled, chance)
        return Reveal(attack=attack, defence=_laid(state, defender, move.defence, shuffled, chance))
    return move


def _pool(state: ManapaniState, fight: Fight, reveal: Reveal) -> list[str]:
    """Every card that can be among the unknown ones, without those that are noted now."""
    named: list[str] = []
    for seat, cards in zip(fight.seats, (reveal.attack, reveal.defence), strict=True):
        named += state.hands[seat].lacking([card for card in cards if card])
    return [card for card in CARDS for _ in range(state.at_large(card) - named.count(card))]


def _laid(
    state: ManapaniState, seat: int, cards: Sequence[str | None], shuffled: list[str], chance: Chance
) -> tuple[str, ...]:
    """A side's laid cards; those that were not noted come out of the hand, known or not."""
    hand = state.hands[seat].copy()
    for card in cards:
        if card:
            hand.give(card)
    slots: list[str | None] = [*hand.known, *[None] * hand.unknown]
    drawn = iter(chance.sample(slots, cards.count(None)))
    return tuple(card or next(drawn) or shuffled.pop() for card in cards)
